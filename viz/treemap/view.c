/* A spatial partition as a treemap (thesis 3.3.3 and figures 3.5 and 4.3, after Viva): a rectangle
 * for each part, as large as a metric, in frames for the nodes above it. Inside, its types lie side
 * by side, as wide as their shares. Without room for that, the dominant one is as opaque as its
 * share, which looks the same from afar. */
#include "viz/treemap/treemap.h"

#include "base/memory.h"
#include "viz/colour/colour.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sides in pixels. */
enum {
    STRIPS_FROM = 12,  /* a side at least this long shows types side by side */
    APART_FROM = 4,    /* cells at least this large leave a line between neighbours */
    AROUND_MOST = 230, /* of a picture's height, for caption, legend and margins */
    NAME_BASELINE = 11
};

/* What drawing takes. */
typedef struct pen {
    oc_scene *scene;
    const oc_overview *overview;
    const oc_treemap *treemap;
    oc_text tooltip, name;
    double *shares; /* of parts that are drawn together */
} pen;

static ocelotl_status make(oc_treemap *treemap, oc_treemap_area *area, const oc_overview *overview)
{
    const oc_frame *frame = &overview->frame;
    const oc_area within = {frame->left, frame->top, frame->width, frame->height};
    OC_TRY(oc_treemap_area_find(area, overview));
    return oc_treemap_make(treemap, overview, area, &within);
}

/* The box of an area; all edges are rounded the same way. */
static oc_box box_of(const oc_area *area)
{
    const int x = (int)lround(area->x);
    const int y = (int)lround(area->y);
    return (oc_box){x, y, (int)lround(area->x + area->width) - x,
                    (int)lround(area->y + area->height) - y};
}

static void fill(oc_scene *scene, const oc_box *box, uint32_t colour, uint32_t hatch,
                 const char *tooltip)
{
    oc_rectangle rectangle = oc_rectangle_of(box->x, box->y, box->width, box->height, colour);
    rectangle.hatch = hatch;
    if (box->width > 0 && box->height > 0)
        oc_scene_rectangle(scene, &rectangle, tooltip);
}

static void draw_name(const pen *with, const oc_box *box, const oc_text *name, bool bold,
                      bool upright)
{
    const uint32_t ink = with->overview->picture->theme->ink;
    oc_label label =
        oc_label_at(box->x + OC_TREEMAP_NAME_EDGE, box->y + NAME_BASELINE, OC_ANCHOR_START, ink);
    if (upright) {
        label = oc_label_at(box->x + NAME_BASELINE, box->y + box->height - OC_TREEMAP_NAME_EDGE,
                            OC_ANCHOR_START, ink);
        label.rotation = -90;
    }
    label.bold = bold;
    oc_scene_label(with->scene, &label, name->bytes, NULL);
}

/* Draws types from left to right, or downwards in a narrow box, in the order of the legend. The
 * rest is untraced time. */
static void draw_strips(const pen *with, const oc_box *box, const ocelotl_part *part)
{
    const oc_overview *overview = with->overview;
    const double one = oc_shading_unit(&overview->shading, part);
    const bool upright = box->width >= STRIPS_FROM;
    const int side = upright ? box->width : box->height;
    double before = 0;
    fill(with->scene, box, overview->picture->theme->paper, OC_COLOUR_NONE, NULL);
    for (uint32_t i = 0; i < overview->model.type_count; i++) {
        const uint32_t type = overview->order[i];
        if (overview->types[type].type.untraced || !(part->shares[type] > 0))
            continue;
        const double after = before + part->shares[type] / one;
        const int begin = (int)lround(fmin(before, 1) * side);
        const int length = (int)lround(fmin(after, 1) * side) - begin;
        const oc_box strip = upright ? (oc_box){box->x + begin, box->y, length, box->height}
                                     : (oc_box){box->x, box->y + begin, box->width, length};
        fill(with->scene, &strip, overview->types[type].colour, OC_COLOUR_NONE, NULL);
        before = after;
    }
}

/* Mixes the colour with the paper, not with the frame behind. */
static void draw_mode(const pen *with, const oc_box *box, const ocelotl_part *part, uint32_t hatch,
                      const char *tooltip)
{
    const uint32_t paper = with->overview->picture->theme->paper;
    const oc_shade mode =
        oc_shading_of(&with->overview->shading, with->overview->input->model, part);
    const uint32_t colour =
        mode.type == OCELOTL_NONE
            ? paper
            : oc_colour_over(with->overview->types[mode.type].colour, mode.opacity, paper);
    fill(with->scene, box, colour, hatch, tooltip);
}

static const char *name_of(pen *with, const oc_treemap_cell *cell)
{
    oc_treemap_find_name(&with->name, with->overview, cell);
    return with->name.failed ? "" : with->name.bytes;
}

/* Leaves a line free at the right and below. */
static oc_box apart(const oc_area *area)
{
    oc_box box = box_of(area);
    box.width -= box.width >= APART_FROM;
    box.height -= box.height >= APART_FROM;
    return box;
}

static bool has_strips(const oc_box *box)
{
    return box->width >= STRIPS_FROM || box->height >= STRIPS_FROM;
}

/* Cuts a strip off a box, at the left or at the top, and makes it paper. */
static oc_box cut_strip(const pen *with, oc_box *box, int size, bool upright)
{
    const oc_box strip = {box->x, box->y, upright ? size : box->width,
                          upright ? box->height : size};
    fill(with->scene, &strip, with->overview->picture->theme->paper, OC_COLOUR_NONE, NULL);
    box->x += upright ? size : 0;
    box->y += upright ? 0 : size;
    box->width -= upright ? size : 0;
    box->height -= upright ? 0 : size;
    return strip;
}

static void draw_part(pen *with, const oc_treemap_cell *cell)
{
    const size_t index = with->treemap->parts[cell->first];
    const ocelotl_part *part = &with->overview->input->parts[index];
    oc_box box = apart(&cell->area);
    if (box.width <= 0 || box.height <= 0)
        return;
    oc_text_clear(&with->tooltip);
    oc_part_add_number(&with->tooltip, index);
    oc_text_add(&with->tooltip, "\n");
    oc_overview_describe_part(&with->tooltip, with->overview, index);
    if (!has_strips(&box)) {
        draw_mode(with, &box, part, OC_COLOUR_NONE, with->tooltip.bytes);
        return;
    }
    oc_scene_group(with->scene, "part", &(oc_group_style){.crisp = true}, with->tooltip.bytes);
    /* Takes the room of the name from the box. */
    oc_text fitted = {0};
    bool upright;
    const ocelotl_node node = ocelotl_model_node_at(with->overview->input->model, cell->node);
    const oc_treemap_room room = {box.width, box.height, oc_treemap_header(&cell->area) > 0,
                                  node.row_count == 1};
    if (oc_treemap_fit_part_name(&fitted, &upright, name_of(with, cell), &room)) {
        const oc_box strip = cut_strip(with, &box, OC_TREEMAP_NAME, upright);
        draw_name(with, &strip, &fitted, false, upright);
    }
    oc_scene_take(with->scene, &fitted);
    draw_strips(with, &box, part);
    oc_scene_group_end(with->scene);
}

/* Joins the parts that are drawn together. */
static ocelotl_part join(const pen *with, const oc_treemap_cell *cell)
{
    const oc_overview_input *input = with->overview->input;
    const uint32_t types = with->overview->model.type_count;
    ocelotl_part whole = input->parts[with->treemap->parts[cell->first]];
    whole.leaves = 0;
    for (uint32_t type = 0; type < types; type++)
        with->shares[type] = 0;
    for (size_t i = 0; i < cell->count; i++)
        whole.leaves += input->parts[with->treemap->parts[cell->first + i]].leaves;
    for (size_t i = 0; i < cell->count; i++) {
        const ocelotl_part *part = &input->parts[with->treemap->parts[cell->first + i]];
        for (uint32_t type = 0; type < types; type++)
            with->shares[type] += part->shares[type] * ((double)part->leaves / whole.leaves);
    }
    whole.shares = with->shares;
    return whole;
}

static void start_tooltip(pen *with, const oc_treemap_cell *cell)
{
    const char *path = ocelotl_model_node_at(with->overview->input->model, cell->node).path;
    oc_text_clear(&with->tooltip);
    oc_clean_add(&with->tooltip, path[0] != '\0' ? path : "(whole)", false);
    oc_text_add(&with->tooltip, "\n");
}

static void draw_together(pen *with, const oc_treemap_cell *cell)
{
    const oc_box box = apart(&cell->area);
    const ocelotl_part part = join(with, cell);
    start_tooltip(with, cell);
    OC_PHRASE(&with->tooltip,
              cell->count == 1 ? "{} small part, of {} {}\n"
                               : "{} small parts drawn together, of {} {}\n",
              oc_word_count(cell->count, NULL), oc_word_count(part.leaves, NULL),
              oc_word_text(part.leaves == 1 ? "leaf" : "leaves"));
    oc_overview_describe_shares(&with->tooltip, with->overview, &part);
    draw_mode(with, &box, &part, with->overview->picture->theme->hatch, with->tooltip.bytes);
}

/* Nested frames differ in their shade. */
static void draw_frame(pen *with, const oc_treemap_cell *cell)
{
    const oc_theme *theme = with->overview->picture->theme;
    const ocelotl_node node = ocelotl_model_node_at(with->overview->input->model, cell->node);
    const oc_box box = apart(&cell->area);
    oc_text fitted = {0};
    start_tooltip(with, cell);
    oc_count_add(&with->tooltip, node.row_count);
    oc_text_add(&with->tooltip, " leaves"); /* a node with one child has no frame of its own */
    const uint32_t shade = cell->level % 2 == 0 ? theme->border : theme->node;
    fill(with->scene, &box, shade, OC_COLOUR_NONE, with->tooltip.bytes);
    if (oc_treemap_header(&cell->area) > 0 &&
        oc_treemap_fit_name(&fitted, name_of(with, cell), box.width, cell->level <= 1))
        draw_name(with, &box, &fitted, cell->level <= 1, false);
    oc_scene_take(with->scene, &fitted);
}

static ocelotl_status draw(oc_scene *scene, const oc_overview *overview)
{
    oc_treemap treemap = {0};
    oc_treemap_area area;
    pen with = {.scene = scene, .overview = overview, .treemap = &treemap};
    ocelotl_status status =
        oc_allocate(&with.shares, overview->model.type_count, sizeof *with.shares);
    if (status == OCELOTL_OK)
        status = make(&treemap, &area, overview);
    oc_scene_group(scene, "treemap", &(oc_group_style){.crisp = true}, NULL);
    for (size_t i = 0; i < treemap.cell_count && status == OCELOTL_OK; i++) {
        const oc_treemap_cell *cell = &treemap.cells[i];
        if (cell->kind == OC_TREEMAP_FRAME)
            draw_frame(&with, cell);
        else if (cell->kind == OC_TREEMAP_PART)
            draw_part(&with, cell);
        else
            draw_together(&with, cell);
    }
    oc_scene_group_end(scene);
    oc_scene_take(scene, &with.tooltip);
    oc_scene_take(scene, &with.name);
    free(with.shares);
    oc_treemap_free(&treemap);
    return status;
}

static void describe(oc_caption *caption, const oc_overview *overview)
{
    oc_treemap treemap = {0};
    oc_treemap_area area;
    const double smallest = overview->picture->smallest;
    oc_text piece = {0};
    /* If this fails, drawing fails too. */
    if (make(&treemap, &area, overview) == OCELOTL_OK) {
        const bool time = overview->model.has_time;
        oc_text_add(&piece, "area: ");
        if (area.metric == OC_TREEMAP_TYPE) {
            oc_text_add(&piece, time ? "time in " : "values of ");
            oc_clean_add(&piece, overview->types[area.type].type.name, false);
        } else if (area.metric == OC_TREEMAP_TRACED) {
            oc_text_add(&piece, time ? "time in any state" : "all values");
        } else {
            oc_text_add(&piece, "number of leaves");
        }
        oc_caption_take(caption, &piece);
        if (treemap.hidden_parts > 0) {
            oc_counted_add(&piece, treemap.hidden_parts, "part");
            oc_text_add(&piece, treemap.hidden_parts == 1 ? " has none of it" : " have none of it");
        }
        oc_caption_take(caption, &piece);
        if (treemap.joint_parts > 0) {
            OC_PHRASE(&piece, "{} parts smaller than {} \xC3\x97 {} pixels drawn together",
                      oc_word_count(treemap.joint_parts, NULL), oc_word_number(smallest, 6),
                      oc_word_number(smallest, 6));
        }
        oc_caption_take(caption, &piece);
    }
    oc_text_free(&piece);
    oc_treemap_free(&treemap);
}

/* The frame is not known yet. A smaller one is assumed, so that the legend explains all that is
 * seen. */
static void explain(oc_legend *legend, const oc_overview *overview)
{
    const double height = overview->picture->height;
    const oc_area small = {0, 0, overview->picture->width * 0.9,
                           fmax(height * 0.3, height - AROUND_MOST)};
    const oc_theme *theme = overview->picture->theme;
    oc_treemap treemap = {0};
    oc_treemap_area area;
    if (oc_treemap_area_find(&area, overview) == OCELOTL_OK &&
        oc_treemap_make(&treemap, overview, &area, &small) == OCELOTL_OK) {
        if (treemap.joint_parts > 0)
            oc_legend_add(legend, OC_LEGEND_MARK,
                          oc_legend_striped(theme, theme->node, theme->hatch),
                          "small parts, drawn together", NULL, false);
        const oc_rectangle look =
            legend->count > 0 ? legend->entries[0].look : oc_legend_swatch(theme->muted);
        bool shaded = treemap.joint_parts > 0;
        for (size_t i = 0; i < treemap.cell_count; i++) {
            const oc_box box = apart(&treemap.cells[i].area);
            shaded |= treemap.cells[i].kind != OC_TREEMAP_FRAME && !has_strips(&box);
        }
        if (shaded)
            oc_overview_explain_shades(legend, overview, &look, "small parts, ");
    }
    oc_treemap_free(&treemap);
}

const oc_view oc_view_treemap = {
    .is = {"treemap", "each part as large as the leaves it has, its types side by side in it",
           OCELOTL_SPATIAL},
    .types = true,
    .timeless = true,
    .mixed = true,
    .draw = draw,
    .write_caption = describe,
    .write_legend = explain};
