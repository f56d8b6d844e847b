#include "base/memory.h"
#include "base/options.h"
#include "viz/frame/picture.h"
#include "viz/gantt/gantt.h"
#include "viz/pictures.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MARKS_MOST = 4000 };

/* Whether other rows, of another lifetime or drawn before, share the place of a row. */
static bool shares_place(const oc_gantt *gantt, uint32_t row)
{
    const uint32_t fold = gantt->drawn[row].fold;
    return oc_gantt_is_elsewhere(gantt, row) ||
           (fold > 0 && gantt->fold_rows[gantt->folds[fold - 1].first] != row);
}

/* Hatches what is outside the lifetime of the rows' resources. */
static void draw_lifetimes(oc_scene *scene, const oc_gantt *gantt)
{
    const oc_theme *theme = gantt->picture->theme;
    const double left = gantt->frame.left;
    const double right = left + gantt->frame.width;
    oc_scene_group(scene, "lifetimes", &(oc_group_style){.crisp = true, .inert = true}, NULL);
    for (uint32_t row = 0; row < gantt->drawn_count; row++) {
        if (shares_place(gantt, row) || oc_gantt_joins(gantt, row))
            continue;
        ocelotl_resource is =
            ocelotl_trace_resource_at(gantt->trace, gantt->drawn[row].is.resource);
        for (uint32_t next = row + 1; oc_gantt_joins(gantt, next); next++) {
            const ocelotl_resource joins =
                ocelotl_trace_resource_at(gantt->trace, gantt->drawn[next].is.resource);
            is.begin = joins.begin < is.begin ? joins.begin : is.begin;
            is.end = joins.end > is.end ? joins.end : is.end;
        }
        const oc_gantt_band band = oc_gantt_band_of(gantt, row);
        const double begin = fmin(right, fmax(left, floor(oc_gantt_x(gantt, is.begin))));
        const double end = fmin(right, fmax(left, ceil(oc_gantt_x(gantt, is.end))));
        oc_plot_hatch(scene, theme, left, band.top, begin - left, band.height);
        oc_plot_hatch(scene, theme, end, band.top, right - end, band.height);
    }
    oc_scene_group_end(scene);
}

/* Names stand above what crosses them. */
static ocelotl_status draw_rows(oc_scene *scene, const oc_gantt *gantt,
                                const oc_gantt_shapes *shapes)
{
    oc_scene_group(scene, "rows", &(oc_group_style){0}, NULL);
    OC_TRY(oc_gantt_draw_states(scene, gantt, shapes));
    for (uint32_t i = 0; i < gantt->group_count && !gantt->many_marks; i++) {
        const oc_gantt_group *group = &gantt->groups[i];
        const bool alone = group->end - group->first == 1;
        if (alone && group->shown == OCELOTL_EVENT && oc_gantt_shows(gantt, group, group->first))
            oc_gantt_draw_marks(scene, gantt, group->first);
    }
    oc_gantt_draw_variables(scene, gantt);
    oc_gantt_draw_constants(scene, gantt);
    oc_scene_group_end(scene);
    draw_lifetimes(scene, gantt);
    oc_gantt_draw_links(scene, gantt);
    OC_TRY(oc_gantt_draw_line(scene, gantt));
    oc_scene_group(scene, "names", &(oc_group_style){.inert = true}, NULL);
    oc_gantt_draw_names(scene, gantt, shapes);
    oc_gantt_draw_constant_values(scene, gantt);
    oc_scene_group_end(scene);
    return OCELOTL_OK;
}

/* --- The legend */

static int compare(const void *a, const void *b)
{
    const oc_gantt_entry *left = a;
    const oc_gantt_entry *right = b;
    if (left->weight != right->weight)
        return left->weight > right->weight ? -1 : 1;
    return left->order < right->order ? -1 : left->order > right->order;
}

static ocelotl_status list_entries(oc_gantt_entry **entries, size_t *listed, const oc_gantt *gantt)
{
    const ocelotl_trace *trace = gantt->trace;
    const uint32_t count = ocelotl_trace_value_count(trace);
    *listed = 0;
    OC_TRY(oc_allocate(entries, count, sizeof **entries));
    for (uint32_t i = 0; i < count; i++)
        if (gantt->weights[i] > 0)
            (*entries)[(*listed)++] = (oc_gantt_entry){ocelotl_trace_value_at(trace, i).name,
                                                       gantt->weights[i], i, gantt->colours[i]};
    return OCELOTL_OK;
}

/* Those of one name and colour are one. */
static ocelotl_status share_entries(oc_gantt_shared *shared, const oc_gantt *gantt)
{
    oc_gantt_entry *own = NULL;
    size_t listed = 0;
    OC_TRY(list_entries(&own, &listed, gantt));
    size_t capacity = shared->entry_count;
    const ocelotl_status status =
        oc_grow(&shared->entries, &capacity, shared->entry_count + listed, sizeof *shared->entries);
    for (size_t i = 0; i < listed && status == OCELOTL_OK; i++) {
        size_t same = 0;
        while (same < shared->entry_count && strcmp(shared->entries[same].name, own[i].name) != 0)
            same++;
        if (same < shared->entry_count) {
            shared->entries[same].weight += own[i].weight;
            continue;
        }
        shared->entries[same] = own[i];
        shared->entries[shared->entry_count++].order = (uint32_t)same;
    }
    free(own);
    return status;
}

static oc_gantt begin(const oc_gantt_input *input, const oc_picture *picture)
{
    return (oc_gantt){.input = input,
                      .trace = input->trace,
                      .drawables = input->drawables,
                      .picture = picture,
                      .info = ocelotl_drawables_info_of(input->drawables)};
}

ocelotl_status oc_gantt_add_entries(oc_gantt_shared *shared, const oc_gantt_input *input,
                                    const oc_picture *picture)
{
    oc_gantt gantt = begin(input, picture);
    ocelotl_status status = oc_gantt_find_rows(&gantt);
    if (status == OCELOTL_OK)
        status = oc_gantt_find_colours(&gantt);
    if (status == OCELOTL_OK)
        status = share_entries(shared, &gantt);
    oc_gantt_free(&gantt);
    return status;
}

static void add_sorted(oc_legend *legend, oc_gantt_entry *entries, size_t count)
{
    if (count > 1)
        qsort(entries, count, sizeof *entries, compare);
    for (size_t i = 0; i < count; i++)
        oc_legend_add(legend, OC_LEGEND_TYPE, oc_legend_swatch(entries[i].colour), entries[i].name,
                      entries[i].name, false);
}

static ocelotl_status add_values(oc_legend *legend, const oc_gantt *gantt)
{
    oc_gantt_entry *entries = NULL;
    size_t listed = 0;
    const oc_gantt_shared *shared = gantt->input->shared;
    if (shared != NULL) {
        add_sorted(legend, shared->entries, shared->entry_count);
        return OCELOTL_OK;
    }
    OC_TRY(list_entries(&entries, &listed, gantt));
    add_sorted(legend, entries, listed);
    free(entries);
    return OCELOTL_OK;
}

/* What the other diagram of the picture shows is in the legend, too. */
static void share_marks(oc_gantt_shared *shared, oc_gantt *gantt)
{
    shared->has_merged = shared->has_merged || gantt->has_merged;
    shared->has_aggregates = shared->has_aggregates || gantt->has_aggregates;
    shared->has_lifetimes = shared->has_lifetimes || gantt->has_lifetimes;
    shared->has_wrong = shared->has_wrong || gantt->links.wrong;
    if (!gantt->picture->half->legend)
        return;
    gantt->has_merged = shared->has_merged;
    gantt->has_aggregates = shared->has_aggregates;
    gantt->has_lifetimes = shared->has_lifetimes;
}

static ocelotl_status write_legend(oc_legend *legend, const oc_gantt *gantt)
{
    const oc_theme *theme = gantt->picture->theme;
    if (gantt->scale.name == NULL)
        OC_TRY(add_values(legend, gantt));
    oc_gantt_explain_carried(legend, gantt);
    oc_gantt_explain_variables(legend, gantt);
    oc_gantt_explain_links(legend, gantt);
    if (gantt->stacked)
        oc_legend_add(legend, OC_LEGEND_MARK, oc_legend_swatch(theme->node),
                      "heights: shares of the group",
                      "Of the time of all rows of a group, by what is innermost, in the order of "
                      "the legend from the bottom",
                      true);
    else if (gantt->has_merged || gantt->has_aggregates) {
        oc_legend_add(legend, OC_LEGEND_MARK, oc_legend_swatch(theme->node),
                      "several, drawn as one",
                      gantt->has_aggregates ? "States too short, or in rows too low, to be drawn "
                                              "apart, in the colour of the one with most "
                                              "time, "
                                              "as opaque as its share"
                                            : "States too short to be drawn apart, in the colour "
                                              "of the one with most time, as opaque as its "
                                              "share",
                      true);
        oc_legend_mark(legend, OC_MARK_DIAGONAL, false);
    }
    if (gantt->has_lifetimes)
        oc_legend_add(legend, OC_LEGEND_MARK, oc_legend_striped(theme, theme->paper, theme->hatch),
                      "outside lifetime", NULL, false);
    oc_legend_nest(legend, gantt->picture->tree);
    return OCELOTL_OK;
}

/* Counts the marks, too. If a pointer cannot hit so many, they become columns of time, as in rows
 * that are drawn together. */
static void find_marks(oc_gantt *gantt)
{
    uint64_t marks = 0;
    for (uint32_t row = 0; row < gantt->drawn_count; row++) {
        const ocelotl_drawn_row *is = &gantt->drawn[row].is;
        if (is->event_type != OCELOTL_NONE && is->category == OCELOTL_EVENT)
            marks += is->objects;
        const ocelotl_resource resource = ocelotl_trace_resource_at(gantt->trace, is->resource);
        gantt->has_lifetimes = gantt->has_lifetimes || resource.begin > gantt->info.from ||
                               resource.end < gantt->info.to;
        for (uint64_t i = 0; i < is->objects && is->category == OCELOTL_STATE && !gantt->has_merged;
             i++)
            gantt->has_merged = oc_gantt_object_at(gantt, row, i).count > 1;
    }
    gantt->many_marks = marks > MARKS_MOST;
}

/* What is around the plot, while the plot is placed. */
typedef struct surroundings {
    oc_gantt *gantt;
    oc_caption caption;
    oc_legend legend;
    int legend_rows;
    oc_level_columns columns;
    oc_row_names names;
    oc_axis *axis;
} surroundings;

/* --- The boxes around the plot */

static ocelotl_status measure_legend(int *size, void *subject)
{
    surroundings *around = subject;
    const oc_picture *picture = around->gantt->picture;
    oc_gantt_shared *shared = around->gantt->input->shared;
    oc_legend_free(&around->legend);
    *size = 0;
    if (shared != NULL)
        share_marks(shared, around->gantt);
    if (shared != NULL && !picture->half->legend)
        return OCELOTL_OK;
    OC_TRY(write_legend(&around->legend, around->gantt));
    around->legend_rows = oc_legend_rows(&around->legend, picture);
    *size = oc_legend_height(around->legend_rows);
    return OCELOTL_OK;
}

static void write_caption(oc_caption *caption, const void *subject)
{
    oc_gantt_write_caption(caption, ((const surroundings *)subject)->gantt);
}

static ocelotl_status measure_axis(int *size, void *subject)
{
    surroundings *around = subject;
    const oc_gantt *gantt = around->gantt;
    const oc_frame *frame = &gantt->frame;
    const double after = gantt->picture->width - frame->left - frame->width;
    const oc_axis_room room = {frame->width, frame->left, after, OC_SIZE_LABEL};
    const ocelotl_trace *trace = gantt->trace;
    oc_axis_time(around->axis, ocelotl_trace_seconds(trace, gantt->info.from),
                 ocelotl_trace_seconds(trace, gantt->info.to), &room);
    *size = oc_plot_axis_height(around->axis);
    return OCELOTL_OK;
}

/* Rows of several types say more side by side, as long as each can be seen. */
static ocelotl_status group_rows(int *size, void *subject)
{
    oc_gantt *gantt = ((surroundings *)subject)->gantt;
    const oc_gantt_limits limits = {gantt->picture->smallest, 1};
    free(gantt->groups);
    gantt->groups = NULL;
    gantt->group_count = 0;
    *size = 0;
    OC_TRY(oc_gantt_group_rows(&gantt->groups, &gantt->group_count, gantt, &limits));
    gantt->has_aggregates = gantt->group_count < gantt->drawn_count;
    return OCELOTL_OK;
}

/* Where the plot has its place, and no column has room before it, the innermost names are seen. */
static ocelotl_status measure_columns(int *size, void *subject)
{
    surroundings *around = subject;
    const oc_gantt *gantt = around->gantt;
    const oc_picture *picture = gantt->picture;
    const int left = picture->plot_left - oc_picture_margin(picture);
    const int rooms[] = {left > 0 ? left : (int)picture->width / 4, (int)picture->width / 4};
    for (int i = 0; i < 2 && (i == 0 || around->columns.count == 0); i++) {
        oc_level_columns_free(&around->columns);
        OC_TRY(
            oc_level_columns_choose(&around->columns, &gantt->rows, gantt->frame.height, rooms[i]));
    }
    const int rest = (left > 0 ? left : rooms[1]) - around->columns.width;
    if (gantt->drawn_count > 1)
        around->names =
            oc_row_names_choose(&gantt->rows, &around->columns, gantt->frame.height, rest);
    around->names.count = gantt->drawn_count;
    around->names.what = " rows";
    *size = left > 0 ? left : around->columns.width + around->names.width;
    return OCELOTL_OK;
}

static ocelotl_status measure_scales(int *size, void *subject)
{
    oc_gantt *gantt = ((surroundings *)subject)->gantt;
    oc_half *half = gantt->picture->half;
    *size = gantt->scale_width = oc_gantt_scale_width(gantt);
    if (half != NULL) {
        half->scale = *size;
        *size = *size > half->right ? *size : half->right;
    }
    return OCELOTL_OK;
}

static ocelotl_status choose_links(int *size, void *subject)
{
    *size = 0;
    return oc_gantt_choose_links(((surroundings *)subject)->gantt);
}

static ocelotl_status find_place(oc_gantt *gantt, surroundings *around)
{
    oc_layout layout = {0};
    OC_TRY(oc_allocate(&around->axis, 1, sizeof *around->axis));
    const oc_picture *picture = gantt->picture;
    const bool alone = picture->plot_right > 0;
    find_marks(gantt);
    if (!alone) {
        oc_layout_measure(&layout, OC_BELOW, measure_legend);
        if (!picture->bare)
            oc_layout_caption(&layout, &around->caption, write_caption);
        oc_layout_measure(&layout, OC_BELOW, measure_axis);
    }
    oc_layout_measure(&layout, OC_ABOVE, group_rows);
    oc_layout_measure(&layout, OC_LEFT, measure_columns);
    if (alone)
        oc_layout_reserve(&layout, OC_RIGHT,
                          (int)picture->width - picture->plot_right - oc_picture_margin(picture));
    else
        oc_layout_measure(&layout, OC_RIGHT, measure_scales);
    oc_layout_measure_once(&layout, OC_ABOVE, choose_links);
    return oc_layout_solve(&gantt->frame, &layout, gantt->picture, around);
}

static ocelotl_status draw(oc_scene *scene, oc_gantt *gantt, surroundings *around)
{
    const oc_picture *picture = gantt->picture;
    OC_TRY(oc_gantt_find_rows(gantt));
    OC_TRY(oc_gantt_find_scales(gantt));
    OC_TRY(oc_gantt_find_colours(gantt));
    OC_TRY(oc_gantt_find_scale(gantt));
    OC_TRY(find_place(gantt, around));
    oc_gantt_choose_steps(gantt);
    oc_picture_add_window(scene, picture, gantt->trace, "gantt", gantt->info.from, gantt->info.to);
    if (!picture->bare)
        oc_caption_draw(scene, picture, &around->caption);
    oc_frame names = gantt->frame; /* columns are at the left of them */
    oc_row_names_draw(scene, picture, &names, &gantt->rows, &around->names);
    names.left -= around->names.width;
    OC_TRY(oc_level_columns_draw(scene, picture, &names, &gantt->rows, &around->columns));
    oc_plot_draw_frame(scene, picture, &gantt->frame);
    oc_gantt_shapes shapes = {0};
    ocelotl_status status = oc_gantt_shapes_find(&shapes, gantt);
    if (status == OCELOTL_OK)
        status = draw_rows(scene, gantt, &shapes);
    oc_gantt_shapes_free(&shapes);
    OC_TRY(status);
    oc_gantt_draw_scales(scene, gantt);
    oc_plot_draw_axis(scene, picture, &gantt->frame, around->axis);
    oc_legend_draw(scene, picture, &around->legend, around->legend_rows);
    return oc_scene_status(scene);
}

void oc_gantt_free(oc_gantt *gantt)
{
    free(gantt->drawn);
    free(gantt->groups);
    oc_row_nodes_free(&gantt->rows);
    free(gantt->colours);
    free(gantt->type_colours);
    free(gantt->line_colours);
    free(gantt->weights);
    free(gantt->lows);
    free(gantt->highs);
    free(gantt->has_arrow);
    free(gantt->room);
    free(gantt->gathered);
    free(gantt->folds);
    free(gantt->fold_rows);
}

ocelotl_status oc_gantt_lay_out(oc_scene *scene, const oc_picture *picture, const void *subject)
{
    const oc_gantt_input *input = subject;
    oc_gantt gantt = begin(input, picture);
    surroundings around = {.gantt = &gantt};
    oc_picture_begin(scene, picture, ocelotl_trace_info_of(input->trace).name);
    const ocelotl_status status = draw(scene, &gantt, &around);
    oc_caption_free(&around.caption);
    oc_legend_free(&around.legend);
    oc_level_columns_free(&around.columns);
    free(around.axis);
    oc_gantt_free(&gantt);
    return status;
}

ocelotl_status oc_gantt_height(double *height, const oc_gantt_input *input)
{
    static const double unit = 7, unit_of_variables = 11, most = 2400;
    const bool alone = *height > 0;
    const double around = alone ? 4 : 180, least = alone ? *height : 320;
    oc_gantt gantt = begin(input, NULL);
    const ocelotl_status status = oc_gantt_find_rows(&gantt);
    if (status == OCELOTL_OK) {
        const double each = oc_gantt_has_variables_alone(&gantt) ? unit_of_variables : unit;
        *height = fmax(least, fmin(around + each * gantt.rows.row_count, most));
    }
    oc_gantt_free(&gantt);
    return status;
}

/* --- The picture */

ocelotl_status ocelotl_gantt_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                  ocelotl_trace *trace, const ocelotl_drawables *drawables,
                                  const ocelotl_picture_options *given)
{
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    const oc_gantt_input input = {trace, drawables, NULL};
    double height = 0;
    OC_TRY(oc_read_options(&options, sizeof options, given));
    if (options.plot_right > 0) {
        height = options.height;
        options.height = 0;
    }
    OC_TRY(oc_gantt_height(&height, &input));
    oc_picture_preset(&options.height, height);
    if (ocelotl_drawables_row_count(drawables) == 0)
        return oc_fail(OCELOTL_ERROR_EMPTY,
                       "nothing to draw: no event touches this window of these "
                       "resources");
    return oc_picture_make(&(oc_target){sink, format}, &options, oc_gantt_lay_out, &input);
}
