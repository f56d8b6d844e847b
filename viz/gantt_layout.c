#include "viz/gantt.h"

#include "base/memory.h"
#include "viz/lettering.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MARKS_MOST = 4000 };

double oc_gantt_x(const oc_gantt *gantt, int64_t tick)
{
    const double begin = (double)gantt->info.from;
    const double length = fmax(1, (double)gantt->info.to - begin);
    return gantt->frame.left + ((double)tick - begin) / length * gantt->frame.width;
}

oc_gantt_band oc_gantt_band_of(const oc_gantt *gantt, uint32_t row)
{
    const oc_gantt_row *drawn = &gantt->drawn[row];
    const int top = oc_row_y(&gantt->frame, &gantt->rows, drawn->first);
    return (oc_gantt_band){top, oc_row_y(&gantt->frame, &gantt->rows, drawn->first + drawn->count) - top};
}

static double seconds(const oc_gantt *gantt, int64_t ticks)
{
    return ocelotl_trace_seconds(gantt->input->trace, ticks);
}

/* What tells two instants of the picture apart. */
static double resolution(const oc_gantt *gantt)
{
    return seconds(gantt, gantt->info.to - gantt->info.from) / 5000;
}

void oc_gantt_add_value(oc_text *text, const oc_gantt *gantt, uint32_t value, uint32_t event_type)
{
    const char *name = value != OCELOTL_NONE ? ocelotl_trace_value(gantt->input->trace, value).name
                                             : ocelotl_trace_event_type(gantt->input->trace, event_type).name;
    oc_clean_add(text, name, false);
}

void oc_gantt_add_duration(oc_text *text, const oc_gantt *gantt, int64_t ticks)
{
    const double length = seconds(gantt, ticks);
    oc_time_add(text, length, fmax(fabs(length) / 1000, seconds(gantt, 1)));
}

void oc_gantt_add_span(oc_text *text, const oc_gantt *gantt, int64_t begin, int64_t end)
{
    const double length = seconds(gantt, end) - seconds(gantt, begin);
    const double step = fmin(resolution(gantt), fabs(length) > 0 ? fabs(length) / 100 : HUGE_VAL);
    const oc_time_range within = {seconds(gantt, gantt->info.from), seconds(gantt, gantt->info.to)};
    if (begin == end) {
        oc_time_instant_add(text, seconds(gantt, begin), fmax(resolution(gantt), seconds(gantt, 1)), within);
        return;
    }
    oc_time_span_add(text, seconds(gantt, begin), seconds(gantt, end), fmax(step, seconds(gantt, 1)), within);
    oc_text_add(text, " (");
    oc_gantt_add_duration(text, gantt, end - begin);
    oc_text_add(text, ")");
}

void oc_gantt_draw_lifetimes(oc_scene *scene, const oc_gantt *gantt)
{
    const oc_theme *theme = gantt->picture->theme;
    const double left = gantt->frame.left;
    const double right = left + gantt->frame.width;
    oc_scene_group(scene, "lifetimes", &(oc_group){.crisp = true, .inert = true}, NULL);
    for (uint32_t row = 0; row < gantt->drawn_count; row++) {
        const ocelotl_resource is = ocelotl_trace_resource(gantt->input->trace, gantt->drawn[row].is.resource);
        const oc_gantt_band band = oc_gantt_band_of(gantt, row);
        const double begin = fmin(right, fmax(left, floor(oc_gantt_x(gantt, is.begin))));
        const double end = fmin(right, fmax(left, ceil(oc_gantt_x(gantt, is.end))));
        oc_rectangle outside = {left,         band.top, begin - left,   band.height,
                                theme->paper, 0.75,     OC_COLOUR_NONE, theme->hatch};
        if (outside.width >= 1 && band.height >= 1)
            oc_scene_rectangle(scene, &outside, NULL);
        outside.x = end;
        outside.width = right - end;
        if (outside.width >= 1 && band.height >= 1)
            oc_scene_rectangle(scene, &outside, NULL);
    }
    oc_scene_group_end(scene);
}

static void draw_marks(oc_scene *scene, const oc_gantt *gantt)
{
    for (uint32_t i = 0; i < gantt->group_count && !gantt->many_marks; i++) {
        const oc_gantt_group *group = &gantt->groups[i];
        const bool alone = group->end - group->first == 1;
        if (alone && group->shown == OCELOTL_EVENT && oc_gantt_shows(gantt, group, group->first))
            oc_gantt_draw_marks(scene, gantt, group->first);
    }
}

static ocelotl_status draw_rows(oc_scene *scene, const oc_gantt *gantt)
{
    oc_scene_group(scene, "rows", &(oc_group){0}, NULL);
    OC_TRY(oc_gantt_draw_states(scene, gantt));
    draw_marks(scene, gantt);
    oc_gantt_draw_variables(scene, gantt);
    oc_scene_group_end(scene);
    return OCELOTL_OK;
}

/* More marks than can be pointed at are columns of time, as those of rows that are drawn together. */
static void count_marks(oc_gantt *gantt)
{
    uint64_t count = 0;
    for (uint32_t row = 0; row < gantt->drawn_count; row++)
        if (gantt->drawn[row].is.event_type != OCELOTL_NONE && gantt->drawn[row].is.category == OCELOTL_EVENT)
            count += gantt->drawn[row].is.objects;
    gantt->many_marks = count > MARKS_MOST;
}

/* What the rows are, and which of them cannot be drawn apart. */
static void describe_rows(oc_text *text, uint64_t *hidden, const oc_gantt *gantt)
{
    uint64_t merged = 0;
    uint64_t aggregates = 0;
    for (uint32_t i = 0; i < gantt->group_count && gantt->frame.height > 0; i++) {
        const oc_gantt_group *group = &gantt->groups[i];
        uint64_t shown = 0;
        for (uint32_t row = group->first; row < group->end; row++)
            shown += oc_gantt_shows(gantt, group, row);
        *hidden += group->end - group->first - shown;
        if (shown < 2)
            continue;
        merged += shown;
        aggregates++;
    }
    oc_count_add(text, gantt->drawn_count);
    oc_text_add(text, gantt->drawn_count == 1 ? " row" : " rows");
    if (merged == 0)
        return;
    if (merged < gantt->drawn_count) {
        oc_text_add(text, ", ");
        oc_count_add(text, merged);
        oc_text_add(text, " of them");
    }
    oc_text_add(text, " in ");
    oc_count_add(text, aggregates);
    oc_text_add(text, aggregates == 1 ? " visual aggregate" : " visual aggregates");
}

/* Where all that is drawn are variables of one unit, the height of a row says how many. */
static void add_scale(oc_caption *caption, const oc_gantt *gantt)
{
    const ocelotl_trace *trace = gantt->input->trace;
    oc_text piece = {0};
    if (gantt->drawn_count == 0)
        return;
    const uint32_t first = gantt->drawn[0].is.event_type;
    const char *unit = ocelotl_trace_event_type(trace, first).unit;
    for (uint32_t row = 0; row < gantt->drawn_count; row++)
        if (strcmp(unit, ocelotl_trace_event_type(trace, gantt->drawn[row].is.event_type).unit) != 0)
            return;
    if (unit[0] == '\0' || gantt->highs[first] < gantt->lows[first])
        return;
    oc_text_add(&piece, "rows from ");
    oc_number_add(&piece, fmin(0, gantt->lows[first]), 6);
    oc_text_add(&piece, " to ");
    oc_number_add(&piece, fmax(0, gantt->highs[first]), 6);
    oc_text_add(&piece, " ");
    oc_clean_add(&piece, unit, false);
    oc_caption_add(caption, piece.bytes);
    caption->lines[0].failed = caption->lines[0].failed || piece.failed;
    oc_text_free(&piece);
}

static void write_caption(oc_caption *caption, const oc_gantt *gantt)
{
    oc_text piece = {0};
    uint64_t objects = 0;
    uint64_t hidden = 0;
    oc_caption_begin(caption, gantt->picture);
    oc_gantt_add_span(&piece, gantt, gantt->info.from, gantt->info.to);
    oc_caption_add(caption, piece.bytes);
    if (gantt->info.filters[0] != '\0') {
        oc_text_clear(&piece);
        oc_clean_add(&piece, gantt->info.filters, false);
        oc_caption_add(caption, piece.bytes);
    }
    add_scale(caption, gantt);
    for (uint32_t row = 0; row < gantt->drawn_count; row++)
        objects += gantt->drawn[row].is.objects;
    oc_text_clear(&piece);
    describe_rows(&piece, &hidden, gantt);
    oc_text_add(&piece, ", ");
    oc_count_add(&piece, objects);
    oc_text_add(&piece, objects == 1 ? " object" : " objects");
    oc_caption_add(caption, piece.bytes);
    oc_text_clear(&piece);
    hidden += gantt->info.rows_left_out;
    if (hidden > 0) {
        oc_count_add(&piece, hidden);
        oc_text_add(&piece, hidden == 1 ? " row has no room" : " rows have no room");
        oc_caption_add(caption, piece.bytes);
    }
    oc_text_clear(&piece);
    if (gantt->info.links_left_out > 0) {
        oc_count_add(&piece, gantt->info.links_left_out);
        oc_text_add(&piece, gantt->info.links_left_out == 1 ? " link left out" : " links left out");
        oc_caption_add(caption, piece.bytes);
    }
    caption->lines[0].failed = caption->lines[0].failed || piece.failed;
    oc_text_free(&piece);
}

/* A value in the legend. */
typedef struct entry {
    uint64_t weight;
    uint32_t value;
} entry;

static int compare(const void *a, const void *b)
{
    const entry *left = a;
    const entry *right = b;
    if (left->weight != right->weight)
        return left->weight > right->weight ? -1 : 1;
    return left->value < right->value ? -1 : 1;
}

static ocelotl_status add_values(oc_legend *legend, const oc_gantt *gantt)
{
    const ocelotl_trace *trace = gantt->input->trace;
    const uint32_t count = ocelotl_trace_value_count(trace);
    uint32_t listed = 0;
    entry *entries = NULL;
    OC_TRY(oc_allocate(&entries, count, sizeof *entries));
    for (uint32_t i = 0; i < count; i++)
        if (gantt->weights[i] > 0)
            entries[listed++] = (entry){gantt->weights[i], i};
    qsort(entries, listed, sizeof *entries, compare);
    for (uint32_t i = 0; i < listed; i++) {
        const oc_rectangle look = oc_legend_swatch(gantt->colours[entries[i].value]);
        const char *name = ocelotl_trace_value(trace, entries[i].value).name;
        oc_legend_add(legend, OC_LEGEND_TYPE, &look, name, name, false);
    }
    free(entries);
    return OCELOTL_OK;
}

static ocelotl_status write_legend(oc_legend *legend, const oc_gantt *gantt)
{
    const oc_theme *theme = gantt->picture->theme;
    OC_TRY(add_values(legend, gantt));
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(gantt->input->trace); i++) {
        const oc_rectangle look = oc_legend_swatch(gantt->type_colours[i]);
        if (gantt->highs[i] >= gantt->lows[i])
            oc_legend_add(legend, OC_LEGEND_MARK, &look, ocelotl_trace_event_type_spelling(gantt->input->trace, i),
                          NULL, false);
    }
    oc_gantt_explain_links(legend, gantt);
    oc_rectangle mark = oc_legend_swatch(theme->paper);
    mark.stroke = theme->rule;
    if (gantt->has_merged || gantt->has_aggregates) {
        const oc_rectangle merged = oc_legend_swatch(theme->node);
        oc_legend_add(
            legend, OC_LEGEND_MARK, &merged, "several, merged",
            gantt->has_aggregates
                ? "States too short, or in rows too low, to be drawn apart, in the colour of the one with most "
                  "time, "
                  "as opaque as its share"
                : "States too short to be drawn apart, in the colour of the one with most time, as opaque as its "
                  "share",
            true);
        oc_legend_mark(legend, OC_MARK_DIAGONAL);
    }
    mark.hatch = theme->hatch;
    if (gantt->has_lifetimes)
        oc_legend_add(legend, OC_LEGEND_MARK, &mark, "outside lifetime", NULL, false);
    return OCELOTL_OK;
}

static void find_legend_marks(oc_gantt *gantt)
{
    for (uint32_t row = 0; row < gantt->drawn_count; row++) {
        const ocelotl_drawn_row *is = &gantt->drawn[row].is;
        const ocelotl_resource resource = ocelotl_trace_resource(gantt->input->trace, is->resource);
        gantt->has_lifetimes =
            gantt->has_lifetimes || resource.begin > gantt->info.from || resource.end < gantt->info.to;
        for (uint64_t i = 0; i < is->objects && is->category == OCELOTL_STATE && !gantt->has_merged; i++)
            gantt->has_merged = ocelotl_drawables_object(gantt->input->drawables, row, i).count > 1;
    }
}

/* What is above, below and at the left of the plot. */
typedef struct surroundings {
    oc_caption caption;
    oc_legend legend;
    int legend_rows;
    oc_level_columns columns;
    oc_axis *axis;
} surroundings;

static void place(oc_gantt *gantt, const surroundings *around)
{
    const oc_picture *picture = gantt->picture;
    const int margin = oc_picture_margin(picture);
    const int top = oc_caption_bottom(&around->caption, picture);
    const int left = margin + around->columns.width;
    const int below = margin + oc_plot_axis_height(around->axis) + oc_legend_height(around->legend_rows);
    gantt->frame = (oc_frame){left, top, (int)picture->width - margin - left, (int)picture->height - top - below};
}

static void find_ticks(oc_axis *axis, const oc_gantt *gantt)
{
    const oc_frame *frame = &gantt->frame;
    const double after = gantt->picture->width - frame->left - frame->width;
    const oc_axis_room room = {frame->width, frame->left, after, OC_SIZE_LABEL};
    oc_axis_time(axis, seconds(gantt, gantt->info.from), seconds(gantt, gantt->info.to), &room);
}

/* Rows of several types say more side by side, as long as each can be seen. */
static ocelotl_status group_rows(oc_gantt *gantt)
{
    const oc_gantt_limits limits = {gantt->picture->smallest, 1};
    free(gantt->groups);
    gantt->groups = NULL;
    gantt->group_count = 0;
    return oc_gantt_group_rows(&gantt->groups, &gantt->group_count, gantt, &limits);
}

static ocelotl_status explain(const oc_gantt *gantt, surroundings *around)
{
    const oc_picture *picture = gantt->picture;
    const double width = picture->width - 2 * oc_picture_margin(picture);
    oc_legend_free(&around->legend);
    OC_TRY(write_legend(&around->legend, gantt));
    around->legend_rows = oc_legend_rows(&around->legend, width, (int)fmin(5, fmax(2, picture->height / 100)));
    return OCELOTL_OK;
}

static ocelotl_status find_place(oc_gantt *gantt, surroundings *around)
{
    OC_TRY(oc_allocate(&around->axis, 1, sizeof *around->axis));
    find_legend_marks(gantt);
    OC_TRY(explain(gantt, around));
    write_caption(&around->caption, gantt);
    place(gantt, around);
    find_ticks(around->axis, gantt);
    place(gantt, around);
    OC_TRY(group_rows(gantt));
    gantt->has_aggregates = gantt->group_count < gantt->drawn_count;
    OC_TRY(explain(gantt, around));
    OC_TRY(oc_level_columns_choose(&around->columns, &gantt->rows, gantt->frame.height,
                                   (int)gantt->picture->width / 4));
    write_caption(&around->caption, gantt);
    place(gantt, around);
    find_ticks(around->axis, gantt);
    return group_rows(gantt);
}

static void add_metadata(oc_scene *scene, const oc_gantt *gantt)
{
    const ocelotl_trace_info info = ocelotl_trace_get_info(gantt->input->trace);
    oc_picture_add_metadata(scene, gantt->picture);
    oc_metadata_text(scene, "trace", info.name);
    oc_metadata_text(scene, "uid", info.uid);
    oc_metadata_text(scene, "kind", "gantt");
    oc_metadata_number(scene, "window_begin_seconds", seconds(gantt, gantt->info.from));
    oc_metadata_number(scene, "window_end_seconds", seconds(gantt, gantt->info.to));
}

static ocelotl_status draw(oc_scene *scene, oc_gantt *gantt, surroundings *around)
{
    const oc_picture *picture = gantt->picture;
    OC_TRY(oc_gantt_find_rows(gantt));
    OC_TRY(oc_gantt_find_colours(gantt));
    OC_TRY(find_place(gantt, around));
    count_marks(gantt);
    oc_gantt_choose_steps(gantt);
    add_metadata(scene, gantt);
    oc_caption_draw(scene, picture, &around->caption);
    OC_TRY(oc_level_columns_draw(scene, picture, &gantt->frame, &gantt->rows, &around->columns));
    oc_plot_draw_frame(scene, picture, &gantt->frame);
    OC_TRY(draw_rows(scene, gantt));
    oc_gantt_draw_lifetimes(scene, gantt);
    oc_gantt_draw_links(scene, gantt);
    oc_plot_draw_axis(scene, picture, &gantt->frame, around->axis);
    oc_legend_draw(scene, picture, &around->legend, around->legend_rows);
    return oc_scene_status(scene);
}

static void free_gantt(oc_gantt *gantt)
{
    for (size_t i = 0; i < gantt->path_count; i++)
        free(gantt->paths[i]);
    free(gantt->paths);
    free(gantt->drawn);
    free(gantt->groups);
    free(gantt->rows.nodes);
    free(gantt->colours);
    free(gantt->type_colours);
    free(gantt->weights);
    free(gantt->lows);
    free(gantt->highs);
}

ocelotl_status oc_gantt_lay_out(oc_scene *scene, const oc_picture *picture, const void *subject)
{
    const oc_gantt_input *input = subject;
    oc_gantt gantt = {.input = input, .picture = picture, .info = ocelotl_drawables_get_info(input->drawables)};
    surroundings around = {0};
    oc_picture_begin(scene, picture, ocelotl_trace_get_info(input->trace).name);
    const ocelotl_status status = draw(scene, &gantt, &around);
    oc_caption_free(&around.caption);
    oc_legend_free(&around.legend);
    oc_level_columns_free(&around.columns);
    free(around.axis);
    free_gantt(&gantt);
    return status;
}
