/* Views of blocks: they share how blocks are drawn, and differ in what a block looks like. */
#include "viz/overview/views.h"

#include "base/memory.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- How blocks are drawn */

/* Blocks at least this large, in pixels, leave a line of the paper between them. */
static const double bordered_from = 3;

/* Paler blocks than this do not stand out from the paper between them. */
static const double pale = 0.4;

/* What drawing takes. */
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

/* Returns whether a block has a line, before rounding, so that blocks of one size all have one or
 * none has. */
static bool is_wide(const oc_overview *overview, const oc_drawn_block *block)
{
    const double slices = (double)block->last - block->first + 1;
    return slices / overview->visible.slice_count * overview->frame.width >= bordered_from;
}

static bool is_high(const oc_overview *overview, const oc_drawn_block *block)
{
    return oc_overview_height(overview, block->row_first, block->row_count) >= bordered_from;
}

static void draw_border(drawing *to, const oc_drawn_block *block)
{
    const oc_box box = oc_block_box(to->overview, block);
    const oc_box *place = &box;
    const oc_frame *frame = &to->overview->frame;
    oc_rectangle border = oc_rectangle_of(place->x + place->width - 1, place->y, 1, place->height,
                                          to->overview->picture->theme->border);
    if (is_wide(to->overview, block) && place->x + place->width < frame->left + frame->width)
        oc_scene_rectangle(to->scene, &border, NULL);
    border.x = place->x;
    border.y = place->y + place->height - 1;
    border.width = place->width;
    border.height = 1;
    if (is_high(to->overview, block) && place->y + place->height < frame->top + frame->height)
        oc_scene_rectangle(to->scene, &border, NULL);
}

/* Whether a sign says that a block is several parts: what is folded says so by its name. */
static bool has_mark(const oc_overview *overview, const oc_drawn_block *block)
{
    return block->parts > 1 &&
           !oc_rows_are_folded(&overview->rows, block->row_first - overview->visible.row_first,
                               block->row_count);
}

static void draw_block(drawing *to, size_t index, bool over_edge)
{
    const oc_drawn_block *block = &to->blocks.blocks[index];
    const oc_theme *theme = to->overview->picture->theme;
    const oc_look *look = &to->looks[index];
    oc_box place = oc_block_box(to->overview, block);
    place.width -= is_wide(to->overview, block);
    place.height -= is_high(to->overview, block);
    const uint32_t seen = oc_colour_over(look->fill, look->opacity, theme->paper);
    oc_rectangle rectangle =
        oc_rectangle_of(place.x, place.y, place.width, place.height, over_edge ? seen : look->fill);
    rectangle.opacity = over_edge || look->fill == theme->paper ? 1 : look->opacity;
    oc_text_clear(&to->tooltip);
    oc_block_describe(&to->tooltip, to->overview, &to->blocks, block);
    oc_scene_rectangle(to->scene, &rectangle, to->tooltip.bytes);
    oc_scene_refer(to->scene, index + 1);
    if (to->overview->picture->texture && !to->overview->strip)
        oc_scene_texture(to->scene, oc_block_density(&to->blocks, to->overview, block),
                         oc_ink_on(seen));
    if (has_mark(to->overview, block))
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
        oc_shown_part *added = &shown->parts[shown->part_count - 1];
        added->row = block->row_first;
        added->cut = block->parts > 1 && block->cut_in_time;
        if (to->overview->picture->texture)
            added->density = oc_block_density(&to->blocks, to->overview, block);
    }
    return OCELOTL_OK;
}

static ocelotl_status draw_all(drawing *to)
{
    OC_TRY(oc_blocks_find(&to->blocks, to->overview));
    OC_TRY(oc_allocate(&to->looks, to->blocks.count, sizeof *to->looks));
    OC_TRY(to->overview->input->view->look(to->looks, to->overview, &to->blocks));
    OC_TRY(show_all(to));
    oc_scene_group(to->scene, "parts", &(oc_group_style){.crisp = true, .tiles = true}, NULL);
    draw_blocks(to, false);
    oc_scene_group_end(to->scene);
    oc_scene_group(to->scene, "borders",
                   &(oc_group_style){.crisp = true, .inert = true, .tiles = true}, NULL);
    for (size_t i = 0; i < to->blocks.count; i++) {
        const oc_drawn_block *block = &to->blocks.blocks[i];
        if (to->looks[i].opacity < pale && !is_over_edge(to->overview, block))
            draw_border(to, block);
    }
    oc_scene_group_end(to->scene);
    if (has_over_edge(to)) {
        oc_scene_group(to->scene, "edges", &(oc_group_style){.crisp = true}, NULL);
        draw_blocks(to, true);
        oc_scene_group_end(to->scene);
    }
    return to->tooltip.failed ? oc_fail_memory() : OCELOTL_OK;
}

ocelotl_status oc_blocks_draw(oc_scene *scene, const oc_overview *overview)
{
    drawing to = {.scene = scene, .overview = overview};
    if (overview->input->without_parts)
        return OCELOTL_OK;
    const ocelotl_status status = draw_all(&to);
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
        OC_PHRASE(&piece, "{} small parts are drawn as {}", oc_word_count(blocks.aggregated, NULL),
                  oc_word_count(blocks.same_cuts + blocks.different_cuts, NULL));
    }
    oc_caption_take(caption, &piece);
    oc_text_free(&piece);
    oc_blocks_free(&blocks);
}

static void add_mark(oc_legend *legend, const oc_theme *theme, oc_mark mark, const char *name,
                     const char *tooltip)
{
    oc_legend_add(legend, OC_LEGEND_MARK, oc_legend_swatch(theme->node), name, tooltip, false);
    oc_legend_mark(legend, mark, false);
}

void oc_texture_write_legend(oc_legend *legend, const oc_overview *overview)
{
    if (!overview->picture->texture)
        return;
    oc_legend_add(
        legend, OC_LEGEND_SHADES, oc_legend_swatch(overview->picture->theme->node),
        "dots: loss inside, 100, 60, 25 % of that of one block",
        "What is lost by drawing a block as one, for each resource and slice, beside what "
        "one block for all would lose",
        false);
    oc_legend_mark(legend, OC_MARK_NONE, true);
}

void oc_blocks_write_legend(oc_legend *legend, const oc_overview *overview)
{
    const oc_theme *theme = overview->picture->theme;
    oc_texture_write_legend(legend, overview);
    const bool known = overview->frame.height > 0 && !overview->input->without_parts;
    oc_drawn_blocks blocks = {0};
    bool diagonal =
        overview->rows.row_count * overview->picture->smallest > overview->picture->height / 2 ||
        overview->visible.slice_count > overview->picture->width / 2;
    bool cross = diagonal;
    if (known && oc_blocks_find(&blocks, overview) != OCELOTL_OK)
        legend->failed = true;
    if (known)
        diagonal = cross = false;
    for (size_t i = 0; i < blocks.count; i++) {
        const bool marked = has_mark(overview, &blocks.blocks[i]);
        diagonal = diagonal || (marked && !blocks.blocks[i].cut_in_time);
        cross = cross || (marked && blocks.blocks[i].cut_in_time);
    }
    oc_blocks_free(&blocks);
    if (diagonal)
        add_mark(legend, theme, OC_MARK_DIAGONAL, "small parts, same cuts (A)",
                 "Several parts too small to be seen, which begin and end together");
    if (cross)
        add_mark(legend, theme, OC_MARK_CROSS, "small parts, other cuts (B)",
                 "Several parts too small to be seen; some begin or end inside");
}

/* --- Views. As mode (thesis 6.4.3): a rectangle a part, in the colour of its dominant type, as
 * opaque as that type's share. */

static ocelotl_status shade_modes(oc_look *looks, const oc_overview *overview,
                                  const oc_drawn_blocks *blocks)
{
    for (size_t i = 0; i < blocks->count; i++) {
        const ocelotl_part part = oc_block_as_part(blocks, overview, &blocks->blocks[i]);
        const oc_shade mode = oc_shading_of(&overview->shading, overview->input->model, &part);
        const bool empty = mode.type == OCELOTL_NONE;
        looks[i].fill = empty ? overview->picture->theme->paper : overview->types[mode.type].colour;
        looks[i].opacity = empty ? 0 : mode.opacity;
    }
    return OCELOTL_OK;
}

static const char what[] =
    "each part in the colour of its dominant type, as opaque as that type's share";

const oc_view oc_view_mode = {.is = {"mode", what, OCELOTL_SPATIOTEMPORAL},
                              .resources = true,
                              .shades = true,
                              .types = true,
                              .draw = oc_blocks_draw,
                              .look = shade_modes,
                              .write_caption = oc_blocks_write_caption,
                              .write_legend = oc_blocks_write_legend,
                              .texture = true};

const oc_view oc_view_temporal_mode = {.is = {"mode", what, OCELOTL_TEMPORAL},
                                       .shades = true,
                                       .types = true,
                                       .draw = oc_blocks_draw,
                                       .look = shade_modes,
                                       .write_caption = oc_blocks_write_caption,
                                       .write_legend = oc_blocks_write_legend,
                                       .texture = true,
                                       .height = OC_BAR_PICTURE_HEIGHT};

const oc_view oc_view_spatial_mode = {.is = {"mode", what, OCELOTL_SPATIAL},
                                      .resources = true,
                                      .shades = true,
                                      .types = true,
                                      .draw = oc_blocks_draw,
                                      .look = shade_modes,
                                      .write_caption = oc_blocks_write_caption,
                                      .write_legend = oc_blocks_write_legend,
                                      .texture = true};

/* --- The partition alone (thesis 6.4.1): neighbouring parts differ in colour */

/* Everybody can distinguish this many colours. A part that touches fewer blocks differs from all of
 * them. */
enum { COLOURS = 9 };

static const double opacity = 0.8;

/* The lowest blocks so far, from the top down: for each column of pixels the last block, from 1; 0
 * for none. */
typedef struct skyline {
    const oc_overview *overview;
    size_t *blocks;
    oc_box *boxes;
    unsigned *colours;
} skyline;

/* The colour follows from node and first slice alone, so a part keeps it while p changes. */
static unsigned wanted_colour(const oc_drawn_block *block)
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
    const size_t above = line->blocks[column - frame->left];
    if (above > 0 && line->boxes[above - 1].y + line->boxes[above - 1].height >= box->y)
        *taken |= 1u << line->colours[above - 1];
}

static void choose(skyline *line, const oc_drawn_block *block, size_t index)
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

static ocelotl_status choose_all(skyline *line, const oc_drawn_blocks *blocks)
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

static ocelotl_status colour_parts(oc_look *looks, const oc_overview *overview,
                                   const oc_drawn_blocks *blocks)
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

const oc_view oc_view_partition = {.is = {"partition",
                                          "each part in a colour that its neighbours do not have",
                                          OCELOTL_SPATIOTEMPORAL},
                                   .resources = true,
                                   .draw = oc_blocks_draw,
                                   .look = colour_parts,
                                   .write_caption = oc_blocks_write_caption,
                                   .write_legend = oc_blocks_write_legend,
                                   .texture = true};

/* --- A partition as relative amplitude (thesis 6.4.2): one colour, as opaque as the value of a
 * part is large beside the largest */

/* If the mean reaches this share of the largest value, parts look alike. */
static const double alike_from = 0.9;

/* The values of a part summed over the types, those of untraced time left out. */
static double value_of(const oc_overview *overview, const ocelotl_part *part)
{
    double value = 0;
    for (uint32_t type = 0; type < overview->model.type_count; type++)
        if (!overview->types[type].type.untraced)
            value += part->shares[type];
    return value;
}

static double largest_value(const oc_overview *overview)
{
    double largest = 0;
    for (size_t i = 0; i < overview->input->partition.part_count; i++)
        largest = fmax(largest, value_of(overview, &overview->input->parts[i]));
    return largest;
}

/* Finds how values are shaded: on the scale of the largest, as counts are beside it. */
static ocelotl_status find_scale(oc_shading *scale, const oc_overview *overview)
{
    const oc_shading *shading = &overview->shading;
    const size_t count = overview->input->partition.part_count;
    oc_drawn_share *all = NULL;
    *scale = (oc_shading){.has_unit = true, .full = 1, .largest = largest_value(overview)};
    if (overview->picture->plain || !shading->timed || (shading->has_unit && !shading->additive))
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&all, count, sizeof *all));
    for (size_t i = 0; i < count && scale->largest > 0; i++) {
        const ocelotl_part *part = &overview->input->parts[i];
        all[i] = (oc_drawn_share){value_of(overview, part) / scale->largest, oc_part_cells(part)};
    }
    oc_shading_scale(scale, all, count);
    free(all);
    return OCELOTL_OK;
}

static uint32_t colour_on(const oc_theme *theme)
{
    return oc_colour_visible(0x1F5FA8, theme->paper, 6);
}

static ocelotl_status shade_values(oc_look *looks, const oc_overview *overview,
                                   const oc_drawn_blocks *blocks)
{
    oc_shading scale;
    OC_TRY(find_scale(&scale, overview));
    for (size_t i = 0; i < blocks->count; i++) {
        const ocelotl_part part = oc_block_as_part(blocks, overview, &blocks->blocks[i]);
        const double value = value_of(overview, &part);
        looks[i].fill = colour_on(overview->picture->theme);
        looks[i].opacity =
            value > 0 ? fmax(scale.faintest, fmin(1, value / oc_shading_full(&scale))) : 0;
    }
    return OCELOTL_OK;
}

/* The sums behind a mean have no unit that people know. */
static void explain(oc_legend *legend, const oc_overview *overview)
{
    const ocelotl_model_info *model = &overview->model;
    const bool unit = overview->shading.has_unit;
    oc_text name = {0};
    oc_shading shading;
    legend->failed = find_scale(&shading, overview) != OCELOTL_OK || legend->failed;
    oc_legend_scale scale = {.high = oc_shading_full(&shading),
                             .unit = unit              ? model->unit
                                     : model->has_time ? NULL
                                                       : "",
                             .of = !unit && model->has_time ? " of the time" : "",
                             .more = shading.scaled,
                             .least = shading.faintest};
    if (unit && !model->additive)
        scale = (oc_legend_scale){.high = 1, .of = " of the largest value"};
    oc_legend_add_shades(&name, &scale);
    oc_legend_add(legend, OC_LEGEND_SHADES, oc_legend_swatch(colour_on(overview->picture->theme)),
                  name.bytes, unit ? "Of a resource in a slice, on average over the part" : NULL,
                  false);
    oc_legend_take(legend, &name);
    oc_blocks_write_legend(legend, overview);
}

/* The lifetimes of all resources, summed, in slices. */
static double lived_slices(const oc_overview *overview)
{
    double sum = 0;
    for (uint32_t i = 0; i < overview->model.node_count; i++) {
        const ocelotl_node node = ocelotl_model_node_at(overview->input->model, i);
        if (oc_is_leaf_of(overview->input->model, i))
            sum += node.row_count * fmax(0, node.end - node.begin);
    }
    return sum;
}

/* The mean value of a resource in a slice, while it lives. */
static double mean_value(const oc_overview *overview)
{
    const double lived = lived_slices(overview);
    double sum = 0;
    for (size_t i = 0; i < overview->input->partition.part_count && lived > 0; i++) {
        const ocelotl_part *part = &overview->input->parts[i];
        sum += value_of(overview, part) / lived *
               ((double)part->leaves * (part->last - part->first + 1.0));
    }
    return sum;
}

/* Says what is seen. If (no state) is rare, hardly anything: the caption names other views. */
static void describe(oc_caption *caption, const oc_overview *overview)
{
    const double mean = mean_value(overview);
    const bool alike =
        overview->input->partition.part_count > 1 && mean >= alike_from * largest_value(overview);
    const bool states =
        overview->model.has_time && strcmp(overview->model.metric, "state-duration") == 0;
    if (states) {
        oc_text piece = {0};
        oc_text_add(&piece, "amplitude: share of lifetimes in any state, ");
        oc_percent_add(&piece, fmin(1, mean));
        oc_caption_take(caption, &piece);
        if (alike) {
            oc_caption_add(caption, "parts look alike: (no state) is rare");
            oc_caption_add(caption, "see the view mode, or the metric event-count");
        }
        oc_text_free(&piece);
    }
    oc_blocks_write_caption(caption, overview);
    if (alike && !states)
        oc_caption_add(caption, "parts look alike: see the view mode");
}

const oc_view oc_view_amplitude = {
    .is = {"amplitude", "each part as opaque as its values are large beside the largest",
           OCELOTL_SPATIOTEMPORAL},
    .resources = true,
    .draw = oc_blocks_draw,
    .look = shade_values,
    .write_caption = describe,
    .write_legend = explain,
    .texture = true};
