/* Overviews and trees as bytes, for a program that draws them itself: the page of a server does.
 *
 * Numbers are little-endian, whatever the machine; doubles are those of IEEE 754. */
#ifndef OCELOTL_RECORDS_H
#define OCELOTL_RECORDS_H

#include <ocelotl/picture.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    OCELOTL_RECORDS_HEADER = 64,  /* bytes */
    OCELOTL_RECORD_SIZE = 16,     /* bytes of each rectangle */
    OCELOTL_RECORDS_MOST = 12000, /* rectangles */
    OCELOTL_NODES_HEADER = 32,
    OCELOTL_NODES_SIZE_MOST = 256 * 1024 /* bytes of a page of nodes */
};

/* What the flags of a rectangle say; their other bits are the number of its parts, up to
 * OCELOTL_RECORD_PARTS_MOST, which means that many or more. */
enum {
    OCELOTL_RECORD_MERGED = 1,   /* several parts */
    OCELOTL_RECORD_CUT = 2,      /* that begin or end inside: type B */
    OCELOTL_RECORD_SIBLINGS = 4, /* of several siblings, the first being the node */
    OCELOTL_RECORD_PARTS_SHIFT = 3,
    OCELOTL_RECORD_PARTS_MOST = 8191
};

/* Writes the rectangles of an overview in a plot of the options' width and height: one for each
 * part, and one for those that are too small to be drawn apart.
 *
 * The header is u16 the first visible slice and u16 their number, u32 parts, u32 rectangles, u32
 * parts that are drawn with others, f64 p, f64 and f64 the p between which this partition is known
 * to be the best, f64 gain, f64 loss, u32 the first visible row and u32 their number. A rectangle
 * is u32 node, u16 first and u16 last slice, u32 rows from the node's first row on, u8 type (255:
 * none), u8 the share of that type in whole percents, u16 flags. Behind all rectangles follows u32
 * for each, the number of its part, or of its first part; then u8 for each, the hundredths of a
 * percent of its share, 100 where it is nearly all; then u8 for each, its opacity (255: full). They
 * come by row, then by time. Then come u16 bytes, and as many of text: what the legend says of
 * opacities, as "full colour: 2 % of the time or more; ..", none of a view without. Where the
 * options want a texture, u8 for each follow: how dense it is (255: full).
 *
 * `p_from` and `p_to` are what the caller knows of p. A partition with more rectangles than
 * OCELOTL_RECORDS_MOST is drawn with a larger `smallest`. Views have the same rectangles if they
 * are made of blocks, as "mode" is. Errors: ARGUMENT (a size, an expansion), LIMIT (65536 slices or
 * more, 255 types or more), MEMORY, those of the sink. O(parts x types + leaves x slices / 64). */
OCELOTL_API ocelotl_status ocelotl_records_write(const ocelotl_sink *sink,
                                                 const ocelotl_partition *partition, double p_from,
                                                 double p_to,
                                                 const ocelotl_picture_options *options);

/* Hashes the parts of a partition: where they are, not the p that they are best at. O(parts). */
OCELOTL_API uint64_t ocelotl_partition_hash(const ocelotl_partition *partition);

/* Writes the nodes of a model as columns, in the order of drawing, a page at a time.
 *
 * The header is u32 the first node, u32 their number, u32 the first node of the next page (0: none
 * is left below `below`), u32 nodes of the model, u32 kinds, u32 bytes of names, and 8 bytes of
 * zeros. The columns are u32 parent (OCELOTL_ROOT for the root), u32 first row, u32 rows, u16 kind,
 * whose highest bit says that the node is a group of like siblings. Then come the names of kinds,
 * each ended by a zero, and the paths: for each u16 bytes that it shares with the path before, u16
 * bytes that follow, and these.
 *
 * Nodes are those of the subtree of `below`, from `from` on, which is in it. Errors: ARGUMENT (no
 * such node), LIMIT (a path of 65536 bytes or more), MEMORY, those of the sink. O(nodes). */
OCELOTL_API ocelotl_status ocelotl_nodes_write(const ocelotl_sink *sink, const ocelotl_model *model,
                                               uint32_t below, uint32_t from);

#ifdef __cplusplus
}
#endif
#endif
