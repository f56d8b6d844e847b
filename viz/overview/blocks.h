/* What is drawn of a partition: its parts, and in place of those too small to be seen, visual
 * aggregates (thesis 6.4.4). A partition of any size has as many blocks as there is room for. */
#ifndef OC_VIZ_OVERVIEW_BLOCKS_H
#define OC_VIZ_OVERVIEW_BLOCKS_H

#include "viz/overview/overview.h"

/* One part, or several drawn as one. Several cover neighbouring children of a node, or all of it,
 * over an interval. */
typedef struct oc_drawn_block {
    uint32_t node;                 /* the part's; of several the one that holds them all */
    uint32_t row_first, row_count; /* that are covered */
    uint32_t first, last;          /* slices, inclusive */
    size_t parts;                  /* how many; 1: a part drawn as it is */
    size_t part;                   /* the first of them */
    /* type B: parts in it begin or end inside; else, type A: all last as long */
    bool cut_in_time;
    double gain, loss; /* sums */
    size_t shares;     /* of several: where its shares are in oc_drawn_blocks */
} oc_drawn_block;

/* Zero-initialised it is empty. */
typedef struct oc_drawn_blocks {
    oc_drawn_block *blocks;
    size_t count, capacity;
    double *shares; /* of aggregates, a mean cell value for each type */
    size_t share_count, share_capacity;
    uint32_t type_count;
    size_t aggregated;     /* parts that are drawn as a part of several */
    size_t same_cuts;      /* aggregates of type A */
    size_t different_cuts; /* aggregates of type B */
} oc_drawn_blocks;

/* Finds what is drawn in overview->frame, in the order of the hierarchy, then of time. A node lower
 * than picture->smallest is drawn with its neighbours: low children of a node that follow one
 * another are one block between any two cuts in time that they share. What is narrower than a pixel
 * is drawn with what follows. Every part that is visible is in exactly one block. Errors: MEMORY.
 * O(parts + (nodes + leaves x cuts) x slices / 64). */
ocelotl_status oc_blocks_find(oc_drawn_blocks *blocks, const oc_overview *overview);
void oc_blocks_free(oc_drawn_blocks *blocks);

/* The block as a part: its mean shares, sums of gain and loss. */
ocelotl_part oc_block_as_part(const oc_drawn_blocks *blocks, const oc_overview *overview,
                              const oc_drawn_block *block);

/* Where it is drawn: one pixel wide and high at least. */
oc_box oc_block_box(const oc_overview *overview, const oc_drawn_block *block);

/* What it holds, for people: as oc_overview_describe_part, and of several how many and how they are
 * cut; in one line where there are thousands of blocks. */
void oc_block_describe(oc_text *text, const oc_overview *overview, const oc_drawn_blocks *blocks,
                       const oc_drawn_block *block);

/* --- How views of blocks draw them: they differ in what a block looks like. */

/* What a block looks like. */
typedef struct oc_look {
    uint32_t fill;
    double opacity;
} oc_look;

/* Gives looks[i] to each block; `looks` has blocks->count. */
typedef ocelotl_status (*oc_give_looks)(oc_look *looks, const oc_overview *overview,
                                        const oc_drawn_blocks *blocks);

/* Draws the blocks of an overview. Errors: MEMORY, those of the function. */
ocelotl_status oc_blocks_draw(oc_scene *scene, const oc_overview *overview, oc_give_looks give);

/* Adds to a caption how many parts are drawn together. */
void oc_blocks_write_caption(oc_caption *caption, const oc_overview *overview);

/* Adds the marks of aggregates to a legend; all that there might be, as long as the frame is not
 * known. */
void oc_blocks_write_legend(oc_legend *legend, const oc_overview *overview);

#endif
