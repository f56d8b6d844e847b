/* A partition without what is in it (thesis 6.4.1): parts in colours that tell neighbours apart. */
#include "viz/overview/block_drawing.h"

#include "base/memory.h"
#include "viz/colour/part_colours.h"

#include <stdlib.h>

/* So many colours everybody tells apart; neighbours have others wherever a part touches fewer. */
enum { COLOURS = 9 };

static const double opacity = 0.8;

/* While blocks are met from the top down: for each column of pixels the block met last, from 1; and
 * 0. */
typedef struct skyline {
    const oc_overview *overview;
    size_t *blocks;
    oc_box *boxes;
    unsigned *colours;
} skyline;

/* Where a part has its colour from: node and first slice alone, so that it keeps it while p
 * changes. */
static unsigned wanted_colour(const oc_block *block)
{
    uint32_t hash = block->node * 0x9E3779B1u ^ (block->first + 1) * 0x85EBCA77u;
    hash = (hash ^ hash >> 15) * 0x2C1B3C6Du;
    return (hash ^ hash >> 13) % COLOURS;
}

/* Marks the colour of what lies in a column, where it touches a box that begins there. */
static void avoid(unsigned *taken, const skyline *line, int column, const oc_box *box)
{
    const oc_frame *frame = &line->overview->frame;
    if (column < frame->left || column >= frame->left + frame->width)
        return;
    const size_t met = line->blocks[column - frame->left];
    if (met > 0 && line->boxes[met - 1].y + line->boxes[met - 1].height >= box->y)
        *taken |= 1u << line->colours[met - 1];
}

static void choose(skyline *line, const oc_block *block, size_t index)
{
    const oc_box *box = &line->boxes[index];
    unsigned taken = 0;
    unsigned colour = wanted_colour(block);
    for (int x = box->x - 1; x <= box->x + box->width; x++)
        avoid(&taken, line, x, box);
    for (unsigned i = 0; i < COLOURS && (taken >> colour & 1) != 0; i++)
        colour = (colour + 1) % COLOURS;
    line->colours[index] = colour;
    for (int x = box->x; x < box->x + box->width; x++)
        line->blocks[x - line->overview->frame.left] = index + 1;
}

static ocelotl_status choose_all(skyline *line, const oc_blocks *blocks)
{
    OC_TRY(oc_allocate(&line->blocks, (size_t)line->overview->frame.width, sizeof *line->blocks));
    OC_TRY(oc_allocate(&line->boxes, blocks->count, sizeof *line->boxes));
    OC_TRY(oc_allocate(&line->colours, blocks->count, sizeof *line->colours));
    for (size_t i = 0; i < blocks->count; i++) {
        line->boxes[i] = oc_block_box(line->overview, &blocks->blocks[i]);
        choose(line, &blocks->blocks[i], i);
    }
    return OCELOTL_OK;
}

static ocelotl_status give_looks(oc_look *looks, const oc_overview *overview,
                                 const oc_blocks *blocks)
{
    skyline line = {.overview = overview};
    const ocelotl_status status = choose_all(&line, blocks);
    for (size_t i = 0; i < blocks->count && status == OCELOTL_OK; i++)
        looks[i] =
            (oc_look){oc_part_colour(line.colours[i], overview->picture->theme->paper), opacity};
    free(line.blocks);
    free(line.boxes);
    free(line.colours);
    return status;
}

static ocelotl_status draw(oc_scene *scene, const oc_overview *overview)
{
    return oc_blocks_draw(scene, overview, give_looks);
}

const oc_view oc_view_partition = {.is = {"partition",
                                          "each part in a colour that its neighbours do not have",
                                          OCELOTL_SPATIOTEMPORAL},
                                   .resources = true,
                                   .draw = draw,
                                   .describe = oc_blocks_write_caption,
                                   .explain = oc_blocks_write_legend};
