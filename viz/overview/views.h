/* What views share: blocks, merged parts and histograms, and how they are drawn. */
#ifndef OC_VIZ_OVERVIEW_VIEWS_H
#define OC_VIZ_OVERVIEW_VIEWS_H

#include "viz/frame/frame.h"
#include "viz/overview/overview.h"

/* --- Blocks: parts of nodes and slices, and visual aggregates of those too small to be seen
 * (thesis 6.4.4). A partition of any size has no more blocks than fit the picture. */

/* One part, or several drawn as one. Several cover neighbouring children of a node, or the whole
 * node, over an interval. */
typedef struct oc_drawn_block {
    uint32_t node;                 /* the part's node; of several, the node that holds them all */
    uint32_t top;                  /* the first node that it covers, whose siblings follow */
    uint32_t row_first, row_count; /* the rows it covers */
    uint32_t first, last;          /* slices, inclusive */
    size_t parts;                  /* how many parts; 1: a part drawn as it is */
    size_t part;                   /* the first of them */
    /* type B: parts begin or end inside it; else type A: all last as long as it */
    bool cut_in_time;
    double gain, loss; /* sums */
    double held;       /* the sum of v log v over its cells, as far as gains tell it */
    size_t shares;     /* of several parts: the place of its shares in oc_drawn_blocks */
} oc_drawn_block;

/* Zero-initialised it is empty. */
typedef struct oc_drawn_blocks {
    oc_drawn_block *blocks;
    size_t count, capacity;
    double *shares; /* of aggregates: a mean cell value for each type */
    size_t share_count, share_capacity;
    uint32_t type_count;
    size_t aggregated;     /* parts drawn together with others */
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

/* How dense the texture of a block is: what is lost by drawing it as one, for each of its cells,
 * beside what is lost for each cell where all is one block; 1 at most. O(types). */
double oc_block_density(const oc_drawn_blocks *blocks, const oc_overview *overview,
                        const oc_drawn_block *block);

/* Appends what it holds, for people: as oc_overview_describe_part, and of several parts their
 * number and how they are cut. One line for each of thousands of blocks. */
void oc_block_describe(oc_text *text, const oc_overview *overview, const oc_drawn_blocks *blocks,
                       const oc_drawn_block *block);

/* --- Views of blocks draw them alike, and differ in what a block looks like. */

/* What a block looks like. */
typedef struct oc_look {
    uint32_t fill;
    double opacity;
} oc_look;

/* Draws the blocks of an overview, as its view says what they look like. Errors: MEMORY, those of
 * the view. */
ocelotl_status oc_blocks_draw(oc_scene *scene, const oc_overview *overview);

/* Adds to a caption how many parts are drawn together. */
void oc_blocks_write_caption(oc_caption *caption, const oc_overview *overview);

/* Adds the marks of aggregates to a legend; all possible marks while the frame is not known. */
void oc_blocks_write_legend(oc_legend *legend, const oc_overview *overview);

/* Says what the dots of a texture are, where the picture has one. */
void oc_texture_write_legend(oc_legend *legend, const oc_overview *overview);

/* --- Parts too narrow to be seen, drawn as one with narrow neighbours */

/* The parts that one stands for. */
typedef struct oc_merged_range {
    size_t first, count;
} oc_merged_range;

/* An overview whose parts are the drawn ones. Do not move it; free it before the one it was made
 * from. */
typedef struct oc_merged_parts {
    oc_overview overview; /* without modes */
    oc_overview_input input;
    ocelotl_part *parts; /* shares are means over the parts it stands for; gain and loss are sums */
    double *shares;
    oc_merged_range *ranges; /* of the original parts */
    size_t count;
} oc_merged_parts;

/* Merges neighbours narrower than `smallest` pixels, until they reach it. The frame must be known.
 * Errors: MEMORY. O(parts x types). */
ocelotl_status oc_merged_parts_find(oc_merged_parts *merged, const oc_overview *overview);
void oc_merged_parts_free(oc_merged_parts *merged);

/* Keeps them for a page, in their order, if the overview is kept. Errors: MEMORY. */
ocelotl_status oc_merged_parts_show(const oc_merged_parts *merged);

/* Appends a line: the part's number, or how many parts it stands for. */
void oc_merged_parts_describe(oc_text *text, const oc_merged_parts *merged, size_t part);

/* How dense the texture of a part is, 0 to 1: its loss for each slice, beside that of the whole as
 * one. Parts that are drawn together lose what they lose apart. */
double oc_merged_parts_density(const oc_overview *overview, size_t part);

/* Returns the place of a part, at least a pixel wide, without the line behind it. Parts of `gap`
 * pixels or more leave that line. */
oc_box oc_merged_parts_box(const oc_overview *overview, size_t part, int gap);

/* Whether a part is below a pixel. It takes one from a neighbour, and must be drawn last. */
bool oc_merged_parts_is_thin(const oc_overview *overview, size_t part);

/* Draws a bar above each part that stands for several. */
void oc_merged_parts_draw(oc_scene *scene, const oc_merged_parts *merged);

/* Adds words to the caption and the legend, if parts are merged. */
void oc_merged_parts_write_caption(oc_caption *caption, const oc_overview *overview);
void oc_merged_parts_write_legend(oc_legend *legend, const oc_overview *overview);

/* --- Histograms: values as heights */

typedef struct oc_histogram oc_histogram;

/* Draws a piece of the column of a part; `tooltip` is scratch space for its tooltips. */
typedef void (*oc_histogram_drawer)(oc_scene *scene, const oc_histogram *histogram, size_t part,
                                    oc_text *tooltip);

/* A histogram over temporal parts. Values are mean values of a cell, as the shares of a part. */
struct oc_histogram {
    const oc_overview *overview;
    double largest; /* the value of the largest column */
    /* shares of time reach at least 1, unless untraced time is ignored and all are below a half:
     * they are then shares of no whole, and would be too low to see */
    bool whole;
    oc_histogram_drawer draw_column, draw_mark; /* what lies over it; NULL: nothing */
    double top;                                 /* the value at the upper edge */
    /* of each part, the share of its cells inside lifetimes; NULL without lifetimes */
    double *alive;
    oc_merged_parts *merged; /* the owner of the overview, once it is drawn */
};

/* The histogram that the view of an overview makes of it. */
oc_histogram oc_histogram_of(const oc_overview *overview);

/* Draws the columns, what lies over them, and the scales; narrow parts are merged. Errors: MEMORY.
 * O(nodes + slices + parts x types), and what is drawn. */
ocelotl_status oc_histogram_draw(oc_scene *scene, const oc_overview *overview);

/* Pixel of a value in the frame. */
int oc_histogram_y(const oc_histogram *histogram, double value);

/* Widths of the scales in pixels, 0 for none. The left one shows the share of the cells, the right
 * one the number of resources. Without time, the left one is drawn, of sums over resources. */
int oc_histogram_left(const oc_overview *overview);
int oc_histogram_right(const oc_overview *overview);

/* Returns the place of a part's column, as high as the frame, without the line behind it. */
oc_box oc_histogram_column(const oc_histogram *histogram, size_t part);

/* Draws the paper of a column, with the part's tooltip, and the line after it. */
void oc_histogram_draw_paper(oc_scene *scene, const oc_histogram *histogram, size_t part,
                             oc_text *tooltip);

/* Draws a block of a column from one value up to another; nothing without height. */
void oc_histogram_draw_block(oc_scene *scene, const oc_histogram *histogram, size_t part,
                             double from, double to, const oc_rectangle *look, const char *tooltip);

/* Hatches what is outside lifetimes, at the top of a column. */
void oc_histogram_draw_outside(oc_scene *scene, const oc_histogram *histogram, size_t part,
                               oc_text *tooltip);

/* Appends "name 30 %", the number of resources and a line for the part's span. */
void oc_histogram_describe(oc_text *text, const oc_overview *overview, size_t part,
                           const char *name, double value);

/* Adds the mark of what is outside lifetimes to the legend, if needed. */
void oc_histogram_explain_outside(oc_legend *legend, const oc_overview *overview);

#endif
