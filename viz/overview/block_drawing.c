#include "viz/overview/blocks.h"

#include "base/memory.h"
#include "viz/overview/overview.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>

/* Blocks that are at least so large, in pixels, leave a line of the paper between them. */
static const double bordered_from = 3;

/* Paler blocks than this do not stand out from the paper between them. */
static const double pale = 0.4;

/* Everything it takes to draw. */
typedef struct drawing {
    oc_scene *scene;
    const oc_overview *overview;
    oc_drawn_blocks blocks;
    oc_look *looks;
    oc_text tooltip;
} drawing;

/* Too small for its own pixels: it is drawn over the edge of a neighbour. */
static bool is_over_edge(const oc_overview *overview, const oc_drawn_block *block)
{
    return oc_overview_x(overview, block->first) ==
               oc_overview_x(overview, (double)block->last + 1) ||
           oc_overview_y(overview, block->row_first) ==
               oc_overview_y(overview, block->row_first + block->row_count);
}

/* Before rounding: blocks of one size have a line all or none. */
static bool is_wide(const oc_overview *overview, const oc_drawn_block *block)
{
    const double slices = (double)block->last - block->first + 1;
    return slices / overview->visible.slice_count * overview->frame.width >= bordered_from;
}

static bool is_high(const oc_overview *overview, const oc_drawn_block *block)
{
    return (double)block->row_count / overview->rows.row_count * overview->frame.height >=
           bordered_from;
}

static void draw_border(drawing *to, const oc_drawn_block *block)
{
    const oc_box box = oc_block_box(to->overview, block);
    const oc_box *place = &box;
    const oc_frame *frame = &to->overview->frame;
    oc_rectangle border = {.x = place->x + place->width - 1,
                           .y = place->y,
                           .width = 1,
                           .height = place->height,
                           .fill = to->overview->picture->theme->border,
                           .opacity = 1,
                           .stroke = OC_COLOUR_NONE,
                           .hatch = OC_COLOUR_NONE};
    if (is_wide(to->overview, block) && place->x + place->width < frame->left + frame->width)
        oc_scene_rectangle(to->scene, &border, NULL);
    border.x = place->x;
    border.y = place->y + place->height - 1;
    border.width = place->width;
    border.height = 1;
    if (is_high(to->overview, block) && place->y + place->height < frame->top + frame->height)
        oc_scene_rectangle(to->scene, &border, NULL);
}

static void draw_borders(drawing *to)
{
    oc_scene_group(to->scene, "borders", &(oc_group){.crisp = true, .inert = true, .tiles = true},
                   NULL);
    for (size_t i = 0; i < to->blocks.count; i++) {
        const oc_drawn_block *block = &to->blocks.blocks[i];
        if (to->looks[i].opacity < pale && !is_over_edge(to->overview, block))
            draw_border(to, block);
    }
    oc_scene_group_end(to->scene);
}

static void draw_block(drawing *to, size_t index, bool over_edge)
{
    const oc_drawn_block *block = &to->blocks.blocks[index];
    const oc_theme *theme = to->overview->picture->theme;
    const oc_look *look = &to->looks[index];
    oc_box place = oc_block_box(to->overview, block);
    place.width -= is_wide(to->overview, block);
    place.height -= is_high(to->overview, block);
    const oc_rectangle rectangle = {
        .x = place.x,
        .y = place.y,
        .width = place.width,
        .height = place.height,
        .fill = over_edge ? oc_colour_over(look->fill, look->opacity, theme->paper) : look->fill,
        .opacity = over_edge || look->fill == theme->paper ? 1 : look->opacity,
        .stroke = OC_COLOUR_NONE,
        .hatch = OC_COLOUR_NONE};
    oc_text_clear(&to->tooltip);
    oc_block_describe(&to->tooltip, to->overview, &to->blocks, block);
    oc_scene_rectangle(to->scene, &rectangle, to->tooltip.bytes);
    oc_scene_refer(to->scene, index + 1);
    if (block->parts > 1)
        oc_scene_mark(to->scene, block->cut_in_time ? OC_MARK_CROSS : OC_MARK_DIAGONAL, theme->ink);
}

static bool has_over_edge(const drawing *to)
{
    for (size_t i = 0; i < to->blocks.count; i++)
        if (is_over_edge(to->overview, &to->blocks.blocks[i]))
            return true;
    return false;
}

static void draw_blocks(drawing *to, bool over_edge)
{
    for (size_t i = 0; i < to->blocks.count; i++)
        if (is_over_edge(to->overview, &to->blocks.blocks[i]) == over_edge)
            draw_block(to, i, over_edge);
}

static ocelotl_status show_all(const drawing *to)
{
    oc_shown *shown = to->overview->input->shown;
    for (size_t i = 0; i < to->blocks.count && shown != NULL; i++) {
        const oc_drawn_block *block = &to->blocks.blocks[i];
        const ocelotl_part part = oc_block_as_part(&to->blocks, to->overview, block);
        OC_TRY(oc_shown_add_part(shown, &part, block->part, block->parts, to->blocks.type_count));
    }
    return OCELOTL_OK;
}

static ocelotl_status draw_all(drawing *to, oc_give_looks give)
{
    OC_TRY(oc_blocks_find(&to->blocks, to->overview));
    OC_TRY(oc_allocate(&to->looks, to->blocks.count, sizeof *to->looks));
    OC_TRY(give(to->looks, to->overview, &to->blocks));
    OC_TRY(show_all(to));
    oc_scene_group(to->scene, "parts", &(oc_group){.crisp = true, .tiles = true}, NULL);
    draw_blocks(to, false);
    oc_scene_group_end(to->scene);
    draw_borders(to);
    if (has_over_edge(to)) {
        oc_scene_group(to->scene, "edges", &(oc_group){.crisp = true}, NULL);
        draw_blocks(to, true);
        oc_scene_group_end(to->scene);
    }
    return to->tooltip.failed ? oc_fail_memory() : OCELOTL_OK;
}

ocelotl_status oc_blocks_draw(oc_scene *scene, const oc_overview *overview, oc_give_looks give)
{
    drawing to = {.scene = scene, .overview = overview};
    const ocelotl_status status = draw_all(&to, give);
    oc_blocks_free(&to.blocks);
    free(to.looks);
    oc_text_free(&to.tooltip);
    return status;
}

void oc_blocks_write_caption(oc_caption *caption, const oc_overview *overview)
{
    oc_drawn_blocks blocks = {0};
    oc_text piece = {0};
    if (oc_blocks_find(&blocks, overview) != OCELOTL_OK)
        caption->lines[0].failed = true;
    if (blocks.aggregated > 0) {
        oc_count_add(&piece, blocks.aggregated);
        oc_text_add(&piece, " small parts are drawn as ");
        oc_count_add(&piece, blocks.same_cuts + blocks.different_cuts);
        oc_caption_add(caption, piece.bytes);
    }
    caption->lines[0].failed = caption->lines[0].failed || piece.failed;
    oc_text_free(&piece);
    oc_blocks_free(&blocks);
}

static void add_mark(oc_legend *legend, const oc_theme *theme, oc_mark mark, const char *name,
                     const char *tooltip)
{
    const oc_rectangle look = oc_legend_swatch(theme->node);
    oc_legend_add(legend, OC_LEGEND_MARK, &look, name, tooltip, false);
    oc_legend_mark(legend, mark);
}

void oc_blocks_write_legend(oc_legend *legend, const oc_overview *overview)
{
    const oc_theme *theme = overview->picture->theme;
    const bool known = overview->frame.height > 0;
    oc_drawn_blocks blocks = {0};
    bool diagonal =
        overview->rows.row_count * overview->picture->smallest > overview->picture->height / 2 ||
        overview->visible.slice_count > overview->picture->width / 2;
    bool cross = diagonal;
    if (known && oc_blocks_find(&blocks, overview) != OCELOTL_OK)
        legend->failed = true;
    if (known) {
        diagonal = blocks.same_cuts > 0;
        cross = blocks.different_cuts > 0;
    }
    oc_blocks_free(&blocks);
    if (diagonal)
        add_mark(legend, theme, OC_MARK_DIAGONAL, "small parts, same cuts (A)",
                 "Several parts too small to be seen, which begin and end together");
    if (cross)
        add_mark(legend, theme, OC_MARK_CROSS, "small parts, other cuts (B)",
                 "Several parts too small to be seen; some begin or end inside");
}
