#include "base/memory.h"
#include "viz/frame/axis.h"
#include "viz/overview/overview.h"
#include "viz/words/words.h"

#include <math.h>

/* A node that is cut off by what is visible keeps the rows that are left. */
static bool cut(oc_row_node *row, const oc_visible *visible)
{
    const uint32_t end = visible->row_first + visible->row_count;
    const uint32_t first = row->first > visible->row_first ? row->first : visible->row_first;
    const uint32_t after = row->first + row->count < end ? row->first + row->count : end;
    if (first >= after)
        return false;
    row->first = first - visible->row_first;
    row->count = after - first;
    return true;
}

static bool has_lifetime(const ocelotl_node *node, const oc_visible *visible)
{
    return node->begin > visible->slice_first ||
           node->end < visible->slice_first + (double)visible->slice_count;
}

/* Groups of like siblings are no level, and have no row of their own. */
ocelotl_status oc_overview_find_rows(oc_overview *overview)
{
    const uint32_t count = overview->model.node_count;
    oc_row_nodes *rows = &overview->rows;
    rows->row_count = overview->visible.row_count;
    OC_TRY(oc_allocate(&rows->nodes, count, sizeof *rows->nodes));
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_node node = ocelotl_model_node_at(overview->input->model, i);
        const bool leaf =
            i + 1 == count || ocelotl_model_node_at(overview->input->model, i + 1).parent != i;
        oc_row_node row = {node.name, node.path, node.depth, node.row_first, node.row_count, leaf};
        if ((node.alike && !leaf) || !cut(&row, &overview->visible))
            continue;
        rows->nodes[rows->node_count++] = row;
        if (leaf && has_lifetime(&node, &overview->visible))
            overview->has_lifetimes = true;
    }
    return OCELOTL_OK;
}

/* --- Names of some rows beside the plot */

/* Distances in pixels. */
enum {
    NAMES_APART = 13, /* from one name to the next */
    TICK = 4,
    GAP = 3, /* between a name and its tick */
    NAME_LEAST = 24,
    NAME_MOST = 140,
    COUNT = 18, /* the column of the number of rows */
    COUNT_MIDDLE = 9,
    COUNT_GAP = 6
};

/* Whether a column has several nodes: then it says which rows are which. */
static bool are_told_apart(const oc_row_nodes *rows, const oc_level_columns *columns)
{
    for (size_t c = 0; c < columns->count; c++) {
        uint32_t nodes = 0;
        for (size_t i = 0; i < rows->node_count; i++)
            nodes += rows->nodes[i].depth == columns->columns[c].depth;
        if (nodes > 1)
            return true;
    }
    return false;
}

/* The next leaf that has a name, far enough from the one before; node_count: none. *y is the middle
 * of its row, and before the first one negative. */
static size_t next_named(const oc_row_nodes *rows, size_t from, const oc_frame *frame, double *y)
{
    for (size_t i = from; i < rows->node_count; i++) {
        const oc_row_node *node = &rows->nodes[i];
        const double top = oc_row_y(frame, rows, node->first);
        const double middle = (top + oc_row_y(frame, rows, node->first + node->count)) / 2;
        if (!node->leaf || node->name[0] == '\0' || (*y >= 0 && middle < *y + NAMES_APART))
            continue;
        *y = middle;
        return i;
    }
    return rows->node_count;
}

oc_row_names oc_row_names_choose(const oc_row_nodes *rows, const oc_level_columns *columns,
                                 int height, int room)
{
    const oc_frame frame = {.height = height};
    oc_row_names names = {0, 0};
    double widest = 0;
    double y = -1;
    if (rows->row_count < 2 || room < COUNT + COUNT_GAP || are_told_apart(rows, columns))
        return names;
    for (size_t i = next_named(rows, 0, &frame, &y); i < rows->node_count;
         i = next_named(rows, i + 1, &frame, &y))
        widest = fmax(widest, oc_lettering_width(rows->nodes[i].name, OC_SIZE_LABEL, false));
    const int wanted = (int)ceil(fmin(widest, NAME_MOST)) + TICK + GAP;
    if (widest > 0 && wanted <= room - COUNT - COUNT_GAP)
        names.name_width = wanted;
    else if (room - COUNT - COUNT_GAP >= NAME_LEAST && widest > 0)
        names.name_width = room - COUNT - COUNT_GAP;
    names.width = COUNT + COUNT_GAP + names.name_width;
    return names;
}

/* From bottom to top, in a box as high as the plot. */
static void draw_count(oc_scene *scene, const oc_picture *picture, const oc_frame *frame,
                       const oc_row_nodes *rows, int x)
{
    const oc_rectangle box = {.x = x,
                              .y = frame->top,
                              .width = COUNT,
                              .height = frame->height,
                              .fill = picture->theme->node,
                              .opacity = 1,
                              .stroke = OC_COLOUR_NONE,
                              .hatch = OC_COLOUR_NONE};
    const oc_label label = {x + COUNT_MIDDLE + 4,
                            frame->top + floor(frame->height / 2.0),
                            OC_ANCHOR_MIDDLE,
                            OC_SIZE_LABEL,
                            false,
                            picture->theme->ink,
                            -90};
    oc_text text = {0};
    oc_text fitted = {0};
    oc_count_add(&text, rows->row_count);
    oc_text_add(&text, " resources");
    oc_scene_rectangle(scene, &box, NULL);
    if (!text.failed && oc_lettering_fit(&fitted, text.bytes, OC_SIZE_LABEL, false, frame->height))
        oc_scene_label(scene, &label, fitted.bytes, NULL);
    scene->failed = scene->failed || text.failed || fitted.failed;
    oc_text_free(&text);
    oc_text_free(&fitted);
}

static void draw_names(oc_scene *scene, const oc_picture *picture, const oc_frame *frame,
                       const oc_row_nodes *rows, int width)
{
    oc_label label = {.x = frame->left - TICK - GAP,
                      .anchor = OC_ANCHOR_END,
                      .size = OC_SIZE_LABEL,
                      .colour = picture->theme->muted};
    oc_text fitted = {0};
    double y = -1;
    for (size_t i = next_named(rows, 0, frame, &y); i < rows->node_count;
         i = next_named(rows, i + 1, frame, &y)) {
        const double middle = floor(y) + 0.5;
        oc_text_clear(&fitted);
        oc_plot_rule(scene, frame->left - TICK, middle, frame->left, middle, picture->theme->muted);
        label.y = floor(y) + 4;
        if (oc_lettering_fit(&fitted, rows->nodes[i].name, OC_SIZE_LABEL, false,
                             width - TICK - GAP))
            oc_scene_label(scene, &label, fitted.bytes, rows->nodes[i].path);
    }
    scene->failed = scene->failed || fitted.failed;
    oc_text_free(&fitted);
}

void oc_row_names_draw(oc_scene *scene, const oc_picture *picture, const oc_frame *frame,
                       const oc_row_nodes *rows, const oc_row_names *names)
{
    if (names->width == 0)
        return;
    oc_scene_group(scene, "rows", &(oc_group){.crisp = true}, NULL);
    draw_count(scene, picture, frame, rows, frame->left - names->width);
    if (names->name_width > 0)
        draw_names(scene, picture, frame, rows, names->name_width);
    oc_scene_group_end(scene);
}

/* --- Lifetimes of rows */

static void hatch(oc_scene *scene, const oc_theme *theme, const oc_box *place)
{
    if (place->width <= 0 || place->height <= 0)
        return;
    const oc_rectangle rectangle = {.x = place->x,
                                    .y = place->y,
                                    .width = place->width,
                                    .height = place->height,
                                    .fill = theme->paper,
                                    .opacity = 0.75,
                                    .stroke = OC_COLOUR_NONE,
                                    .hatch = theme->hatch};
    oc_scene_rectangle(scene, &rectangle, NULL);
}

/* Neighbouring leaves with the same lifetime, in pixels. */
typedef struct lifetime {
    int begin, end;
    uint32_t first_row, end_row;
} lifetime;

static void hatch_around(oc_scene *scene, const oc_overview *overview, const lifetime *alive)
{
    const oc_frame *frame = &overview->frame;
    const oc_theme *theme = overview->picture->theme;
    if (alive->end_row == alive->first_row)
        return;
    const int top = oc_overview_y(overview, alive->first_row);
    const int height = oc_overview_y(overview, alive->end_row) - top;
    hatch(scene, theme, &(oc_box){frame->left, top, alive->begin - frame->left, height});
    hatch(scene, theme,
          &(oc_box){alive->end, top, frame->left + frame->width - alive->end, height});
}

void oc_overview_draw_lifetimes(oc_scene *scene, const oc_overview *overview)
{
    const uint32_t count = overview->model.node_count;
    const oc_visible *visible = &overview->visible;
    const double end_slice = (double)visible->slice_first + visible->slice_count;
    lifetime alive = {0};
    oc_scene_group(scene, "lifetimes", &(oc_group){.inert = true}, NULL);
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_node node = ocelotl_model_node_at(overview->input->model, i);
        const bool leaf =
            i + 1 == count || ocelotl_model_node_at(overview->input->model, i + 1).parent != i;
        if (!leaf || node.row_first < visible->row_first ||
            node.row_first >= visible->row_first + visible->row_count)
            continue;
        const int begin =
            oc_overview_x(overview, fmin(end_slice, fmax(visible->slice_first, node.begin)));
        const int end =
            oc_overview_x(overview, fmax(visible->slice_first, fmin(node.end, end_slice)));
        if (begin != alive.begin || end != alive.end) {
            hatch_around(scene, overview, &alive);
            alive = (lifetime){begin, end, node.row_first, node.row_first};
        }
        alive.end_row = node.row_first + node.row_count;
    }
    hatch_around(scene, overview, &alive);
    oc_scene_group_end(scene);
}
