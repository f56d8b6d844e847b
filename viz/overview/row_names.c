#include "viz/overview/row_names.h"

#include "viz/frame/plot.h"
#include "viz/words/lettering.h"

#include <math.h>

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
static bool are_told_apart(const oc_rows *rows, const oc_level_columns *columns)
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
static size_t next_named(const oc_rows *rows, size_t from, const oc_frame *frame, double *y)
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

oc_row_names oc_row_names_choose(const oc_rows *rows, const oc_level_columns *columns, int height,
                                 int room)
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
                       const oc_rows *rows, int x)
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
                       const oc_rows *rows, int width)
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
                       const oc_rows *rows, const oc_row_names *names)
{
    if (names->width == 0)
        return;
    oc_scene_group(scene, "rows", &(oc_group){.crisp = true}, NULL);
    draw_count(scene, picture, frame, rows, frame->left - names->width);
    if (names->name_width > 0)
        draw_names(scene, picture, frame, rows, names->name_width);
    oc_scene_group_end(scene);
}
