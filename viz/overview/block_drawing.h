/* How views of blocks draw them: they differ in what a block looks like. */
#ifndef OC_VIZ_OVERVIEW_BLOCK_DRAWING_H
#define OC_VIZ_OVERVIEW_BLOCK_DRAWING_H

#include "viz/overview/blocks.h"

/* What a block looks like. */
typedef struct oc_look {
    uint32_t fill;
    double opacity;
} oc_look;

/* Gives looks[i] to each block; `looks` has blocks->count. */
typedef ocelotl_status (*oc_give_looks)(oc_look *looks, const oc_overview *overview,
                                        const oc_blocks *blocks);

/* Draws the blocks of an overview. Errors: MEMORY, those of the function. */
ocelotl_status oc_blocks_draw(oc_scene *scene, const oc_overview *overview, oc_give_looks give);

/* Adds to a caption how many parts are drawn together. */
void oc_blocks_write_caption(oc_caption *caption, const oc_overview *overview);

/* Adds the marks of aggregates to a legend; all that there might be, as long as the frame is not
 * known. */
void oc_blocks_write_legend(oc_legend *legend, const oc_overview *overview);

#endif
