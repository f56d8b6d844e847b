/* The plot of a matrix of messages, and what stands around it. */
#include "base/memory.h"
#include "base/options.h"
#include "viz/messages/messages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Distances in pixels. */
enum {
    BAR = 36, /* the sums at the sides, with the space before them */
    BAR_GAP = 6,
    SHADES = 5,
    SEPARATED = 24,         /* nodes that have a line between them */
    DESCRIBED_MOST = 20000, /* cells with a tooltip each */
    SIZE = 960
};

static const double palest = 0.12; /* of the colour: the least value that is not none */

/* Names above the plot: a strip for each level that can be named. */
enum { LEVELS_MOST = 8, STRIP = 16, PADDING = 3, LONGEST = 110, NARROWEST = 12, BELOW = 4 };

typedef struct strip {
    uint32_t depth;
    int height;
    bool rotated;
} strip;

typedef struct drawing {
    oc_chart chart;
    const oc_messages_input *input;
    oc_messages_side rows, columns;
    oc_level_columns names; /* at the left: of levels, */
    oc_row_names row_names; /* at the left: names of levels */
    strip strips[LEVELS_MOST];
    uint32_t strip_count;
    int head;                      /* height of all strips, with the space below them */
    ocelotl_message_cell *line;    /* cells of a line of the picture, by column */
    bool *has;                     /* by column: the cell holds something */
    ocelotl_message_cell *sums[2]; /* of lines, of columns */
    double low, high;              /* values of cells that are drawn, above 0 */
    uint64_t drawn;
    uint32_t colour;
} drawing;

/* The pixel of the edge at the left of a line. */
static int column_x(const oc_frame *frame, const oc_messages_side *side, uint32_t line)
{
    const uint64_t lines = side->nodes.row_count > 0 ? side->nodes.row_count : 1;
    return frame->left + (int)((uint64_t)frame->width * line / lines);
}

static bool is_square(const drawing *at)
{
    const ocelotl_messages_info info = ocelotl_messages_info_of(at->input->messages);
    return info.rows == info.columns && strcmp(info.row_type, info.column_type) == 0;
}

static double value_of(const drawing *at, const ocelotl_message_cell *cell)
{
    return ocelotl_message_value(cell, at->input->measure, at->input->trace);
}

/* --- Lines */

static void put(ocelotl_message_cell *sum, bool *has, const ocelotl_message_cell *cell)
{
    if (*has)
        ocelotl_message_cell_add(sum, cell);
    else
        *sum = *cell;
    *has = true;
}

typedef void (*with_line)(drawing *at, uint32_t line);

/* Goes through the lines of the picture, each with its cells. */
static void each_line(drawing *at, with_line act)
{
    const ocelotl_messages *messages = at->input->messages;
    const ocelotl_messages_info info = ocelotl_messages_info_of(messages);
    uint32_t row = 0;
    for (uint32_t line = 0; line < at->rows.nodes.row_count; line++) {
        memset(at->has, 0, at->columns.nodes.row_count * sizeof *at->has);
        for (; row < info.rows && at->rows.line_of[row] == line; row++)
            for (uint64_t i = ocelotl_messages_row_begin(messages, row);
                 i < ocelotl_messages_row_begin(messages, row + 1); i++) {
                const ocelotl_message_cell cell = ocelotl_messages_cell_at(messages, i);
                const uint32_t column = at->columns.line_of[cell.column];
                put(&at->line[column], &at->has[column], &cell);
            }
        act(at, line);
    }
}

static void find_range(drawing *at, uint32_t line)
{
    (void)line;
    for (uint32_t c = 0; c < at->columns.nodes.row_count; c++) {
        const double value = at->has[c] ? value_of(at, &at->line[c]) : 0;
        if (!(value > 0) || !isfinite(value))
            continue;
        at->low = at->drawn == 0 || value < at->low ? value : at->low;
        at->high = at->drawn == 0 || value > at->high ? value : at->high;
        at->drawn++;
    }
}

static ocelotl_status find_sums(ocelotl_message_cell **sums, const drawing *at,
                                const oc_messages_side *side, uint32_t count,
                                ocelotl_message_cell (*total_of)(const ocelotl_messages *,
                                                                 uint32_t))
{
    bool *has = NULL;
    OC_TRY(oc_allocate(sums, side->nodes.row_count, sizeof **sums));
    OC_TRY(oc_allocate(&has, side->nodes.row_count, sizeof *has));
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_message_cell total = total_of(at->input->messages, i);
        put(&(*sums)[side->line_of[i]], &has[side->line_of[i]], &total);
    }
    free(has);
    return OCELOTL_OK;
}

/* --- Colours */

static uint32_t colour_of(const drawing *at, double value)
{
    double share = 1;
    if (at->input->linear)
        share = at->high > 0 ? value / at->high : 1;
    else if (at->high > at->low)
        share = log(value / at->low) / log(at->high / at->low);
    return oc_colour_mix(at->chart.picture->theme->paper, at->colour,
                         palest + (1 - palest) * share);
}

static void write_legend(drawing *at)
{
    static const char *const units[] = {"", "B", "", "", "B/s", "", ""};
    const ocelotl_message_measure measure = at->input->measure;
    oc_text text = {0};
    for (int i = 0; i < SHADES && at->drawn > 0; i++) {
        const double share = (double)(i + 1) / SHADES;
        const double way = (double)i / (SHADES - 1);
        const double value =
            at->input->linear ? share * at->high : at->low * pow(at->high / at->low, way);
        oc_text_clear(&text);
        if (measure == OCELOTL_MESSAGES_MEAN || measure == OCELOTL_MESSAGES_LEAST)
            oc_time_add(&text, value, fabs(value) / 1000);
        else
            oc_quantity_add(&text, value, units[measure]);
        if (!text.failed)
            oc_chart_explain(&at->chart, colour_of(at, value), 1, text.bytes);
        if (!(at->high > at->low))
            break;
    }
    oc_scene_take(at->chart.scene, &text);
}

/* --- The caption */

static void write_caption(oc_caption *caption, const void *subject)
{
    const drawing *at = subject;
    static const char *const measures[] = {
        "number of links",        "bytes",     "mean duration",
        "least duration",         "bandwidth", "links under way on average",
        "violations of causality"};
    const ocelotl_messages_info info = ocelotl_messages_info_of(at->input->messages);
    const ocelotl_message_cell total = ocelotl_messages_total(at->input->messages);
    const oc_messages_side *side = at->rows.merged ? &at->rows : &at->columns;
    oc_caption_add_window(caption, at->input->trace, info.from, info.to);
    OC_CAPTION(caption, "{} {} send, {} {} receive", oc_word_whole(info.rows),
               oc_word_name(info.row_type), oc_word_whole(info.columns),
               oc_word_name(info.column_type));
    OC_CAPTION(caption, at->input->linear ? "{}, linear" : "{}, logarithmic",
               oc_word_text(measures[at->input->measure]));
    OC_CAPTION(caption, total.bytes > 0 ? "{}, {}" : "{}", oc_word_count(total.count, "link"),
               oc_word_amount(total.bytes, "B"));
    if (total.violations > 0)
        OC_CAPTION(caption, "{} end before they begin", oc_word_count(total.violations, NULL));
    if (side->merged && side->joined > 1)
        OC_CAPTION(caption, "{} neighbours drawn as one", oc_word_whole(side->joined));
    else if (side->merged)
        OC_CAPTION(caption, "too small to be drawn alone: added up by {}",
                   oc_word_name(side->type[0] != '\0' ? side->type : "what is above"));
    oc_caption_add_clean(caption, info.filters);
    oc_caption_add_clean(caption, info.hierarchy);
}

/* --- Where things are */

/* The shorter side of the room for a square, as its lines are no further apart; else one of both.
 */
static int side_in(const drawing *at, int side)
{
    const oc_frame *frame = &at->chart.frame;
    if (!is_square(at))
        return side;
    return frame->width < frame->height ? frame->width : frame->height;
}

static ocelotl_status measure_names(int *size, void *subject)
{
    drawing *at = subject;
    const int room = (int)at->chart.picture->width / 4,
              height = side_in(at, at->chart.frame.height);
    oc_level_columns_free(&at->names);
    OC_TRY(oc_level_columns_choose(&at->names, &at->rows.nodes, height, room));
    at->row_names =
        oc_row_names_choose(&at->rows.nodes, &at->names, height, room - at->names.width);
    *size = at->names.width + at->row_names.width;
    return OCELOTL_OK;
}

/* Chooses the strips. O(nodes x levels). */
static ocelotl_status measure_head(int *size, void *subject)
{
    drawing *at = subject;
    const oc_row_nodes *nodes = &at->columns.nodes;
    const oc_frame frame = {.width = side_in(at, at->chart.frame.width)};
    uint32_t found = 1; /* nodes of a depth, of them those that can be named across, */
    at->strip_count = 0;
    at->head = 0;
    for (uint32_t depth = 0; at->strip_count < LEVELS_MOST && found > 0; depth++) {
        uint32_t across = 0;
        double widest = 0; /* and what the names take */
        int narrowest = frame.width;
        found = 0;
        for (size_t i = 0; i < nodes->node_count; i++) {
            const oc_row_node *node = &nodes->nodes[i];
            if (node->depth != depth)
                continue;
            const int width = column_x(&frame, &at->columns, node->first + node->count) -
                              column_x(&frame, &at->columns, node->first);
            const double name = oc_lettering_width(node->name, OC_SIZE_LABEL, false);
            found++;
            across += name + 2 * PADDING <= width;
            widest = name > widest ? name : widest;
            narrowest = width < narrowest ? width : narrowest;
        }
        const bool rotated = 2 * across < found;
        const int height =
            rotated ? (int)(widest < LONGEST ? widest : LONGEST) + 2 * PADDING : STRIP;
        if (found == 0 || (rotated && narrowest < NARROWEST))
            continue;
        at->strips[at->strip_count++] = (strip){depth, height, rotated};
        at->head += height;
    }
    at->head += at->strip_count > 0 ? BELOW : 0;
    *size = at->head;
    return OCELOTL_OK;
}

static uint32_t fewer(int pixels, double smallest)
{
    return pixels > smallest ? (uint32_t)(pixels / smallest) : 1;
}

static void draw_head(const drawing *at)
{
    const oc_frame *frame = &at->chart.frame;
    const oc_theme *theme = at->chart.picture->theme;
    const double baseline = OC_SIZE_LABEL * 0.35;
    int y = frame->top - at->head;
    oc_scene_group(at->chart.scene, "columns", &(oc_group_style){0}, NULL);
    for (uint32_t k = 0; k < at->strip_count; y += at->strips[k++].height)
        for (size_t i = 0; i < at->columns.nodes.node_count; i++) {
            const strip *in = &at->strips[k];
            const oc_row_node *node = &at->columns.nodes.nodes[i];
            const int left = column_x(frame, &at->columns, node->first);
            const int right = column_x(frame, &at->columns, node->first + node->count);
            if (node->depth != in->depth || right - left < 2)
                continue;
            const oc_rectangle box =
                oc_rectangle_of(left, y, right - left - 1, in->height - 1, theme->node);
            const double middle = box.x + box.width / 2;
            oc_label label = oc_label_at(middle, box.y + box.height / 2 + baseline,
                                         OC_ANCHOR_MIDDLE, theme->ink);
            if (in->rotated) {
                label = oc_label_at(middle + baseline, box.y + box.height - PADDING,
                                    OC_ANCHOR_START, theme->ink);
                label.rotation = -90;
            }
            oc_scene_rectangle(at->chart.scene, &box, node->path);
            oc_label_draw(at->chart.scene, &label, node->name,
                          (in->rotated ? box.height : box.width) - 2 * PADDING, node->path);
        }
    oc_scene_group_end(at->chart.scene);
}

/* --- The plot */

static void describe(oc_text *text, const drawing *at, const char *row, const char *column,
                     const ocelotl_message_cell *cell)
{
    const ocelotl_message_cell total = ocelotl_messages_total(at->input->messages);
    const double tick = ocelotl_trace_seconds(at->input->trace, 1000000) / 1000000;
    OC_PHRASE(text, "{} \xE2\x86\x92 {}\n{}, {}", oc_word_name(row), oc_word_name(column),
              oc_word_count(cell->count, "link"),
              oc_word_percent(total.count > 0 ? (double)cell->count / (double)total.count : 0));
    if (cell->bytes > 0)
        OC_PHRASE(text, "\n{}", oc_word_amount(cell->bytes, "B"));
    if (cell->timed > 0)
        OC_PHRASE(text, "\nmean {}, least {}", oc_word_time(cell->mean * tick, 1e-3),
                  oc_word_time((double)cell->least * tick, 1e-3));
    if (cell->violations > 0)
        OC_PHRASE(text, "\n{} end before they begin", oc_word_count(cell->violations, NULL));
}

static const char *path_of_line(const oc_messages_side *side, uint32_t line)
{
    for (size_t i = line; i < side->nodes.node_count; i++)
        if (side->nodes.nodes[i].leaf && side->nodes.nodes[i].first == line)
            return side->nodes.nodes[i].path;
    return "";
}

/* Returns the colour of a cell; OC_COLOUR_NONE if it has none. */
static uint32_t cell_colour(const drawing *at, uint32_t column)
{
    const double value = at->has[column] ? value_of(at, &at->line[column]) : 0;
    return value > 0 && isfinite(value) ? colour_of(at, value) : OC_COLOUR_NONE;
}

/* Draws a line of cells. Without tooltips neighbours of one colour are one box. */
static void draw_line(drawing *at, uint32_t line)
{
    const oc_frame *frame = &at->chart.frame;
    const uint32_t columns = at->columns.nodes.row_count;
    const bool described = at->drawn <= DESCRIBED_MOST;
    for (uint32_t c = 0, end; c < columns; c = end) {
        const uint32_t colour = cell_colour(at, c);
        oc_text text = {0};
        end = c + 1;
        while (!described && end < columns && cell_colour(at, end) == colour)
            end++;
        if (colour == OC_COLOUR_NONE)
            continue;
        if (described)
            describe(&text, at, path_of_line(&at->rows, line), path_of_line(&at->columns, c),
                     &at->line[c]);
        oc_chart_box(&at->chart, column_x(frame, &at->columns, c),
                     oc_row_y(frame, &at->rows.nodes, line), column_x(frame, &at->columns, end),
                     oc_row_y(frame, &at->rows.nodes, line + 1), colour, &text);
    }
}

/* Lines between nodes that hold several lines. */
static void draw_separators(const drawing *at)
{
    const oc_frame *frame = &at->chart.frame;
    const uint32_t colour = at->chart.picture->theme->rule;
    for (size_t i = 0; i < at->rows.nodes.node_count; i++) {
        const oc_row_node *node = &at->rows.nodes.nodes[i];
        const int y = oc_row_y(frame, &at->rows.nodes, node->first);
        const int below = oc_row_y(frame, &at->rows.nodes, node->first + node->count);
        if (!node->leaf && node->first > 0 && below - y >= SEPARATED)
            oc_plot_rule(at->chart.scene, frame->left, y, frame->left + frame->width, y, colour);
    }
    for (size_t i = 0; i < at->columns.nodes.node_count; i++) {
        const oc_row_node *node = &at->columns.nodes.nodes[i];
        const int x = column_x(frame, &at->columns, node->first);
        const int right = column_x(frame, &at->columns, node->first + node->count);
        if (!node->leaf && node->first > 0 && right - x >= SEPARATED)
            oc_plot_rule(at->chart.scene, x, frame->top, x, frame->top + frame->height, colour);
    }
}

/* Draws the sums of lines at the right, or those of columns below. */
static void draw_bars(const drawing *at, bool right)
{
    const oc_frame *frame = &at->chart.frame;
    const oc_messages_side *side = right ? &at->rows : &at->columns;
    const ocelotl_message_cell *sums = at->sums[right ? 0 : 1];
    const int edge = BAR_GAP + (right ? frame->left + frame->width : frame->top + frame->height);
    double most = 0;
    for (uint32_t i = 0; i < side->nodes.row_count; i++) {
        const double value = value_of(at, &sums[i]);
        most = isfinite(value) && value > most ? value : most;
    }
    oc_scene_group(at->chart.scene, right ? "sent" : "received", &(oc_group_style){.crisp = true},
                   NULL);
    for (uint32_t i = 0; i < side->nodes.row_count; i++) {
        const double value = value_of(at, &sums[i]);
        const double end = edge + fmax(1, floor((BAR - BAR_GAP) * value / most));
        const char *path = path_of_line(side, i);
        oc_text text = {0};
        if (!(most > 0 && value > 0 && isfinite(value)))
            continue;
        describe(&text, at, right ? path : "all", right ? "all" : path, &sums[i]);
        if (right)
            oc_chart_box(&at->chart, edge, oc_row_y(frame, &side->nodes, i), end,
                         oc_row_y(frame, &side->nodes, i + 1), at->colour, &text);
        else
            oc_chart_box(&at->chart, column_x(frame, side, i), edge, column_x(frame, side, i + 1),
                         end, at->colour, &text);
    }
    oc_scene_group_end(at->chart.scene);
}

/* --- The whole */

/* About how many lines fit: the rest of the picture takes a third. */
static ocelotl_status prepare(void *subject)
{
    drawing *at = subject;
    oc_chart *chart = &at->chart;
    const ocelotl_messages *messages = at->input->messages;
    const ocelotl_messages_info info = ocelotl_messages_info_of(messages);
    const double smallest = chart->picture->smallest;
    uint32_t across = fewer((int)(chart->picture->width * 0.7), smallest);
    uint32_t down = fewer((int)(chart->picture->height * 0.7), smallest);
    if (is_square(at))
        across = down = across < down ? across : down;
    const bool wrong = at->input->measure == OCELOTL_MESSAGES_VIOLATIONS;
    at->colour = wrong ? chart->picture->theme->accent : chart->blue;
    OC_TRY(oc_messages_side_find(&at->rows, at->input, ocelotl_messages_row_at, info.rows, down));
    OC_TRY(oc_messages_side_find(&at->columns, at->input, ocelotl_messages_column_at, info.columns,
                                 across));
    OC_TRY(oc_allocate(&at->line, at->columns.nodes.row_count, sizeof *at->line));
    OC_TRY(oc_allocate(&at->has, at->columns.nodes.row_count, sizeof *at->has));
    OC_TRY(find_sums(&at->sums[0], at, &at->rows, info.rows, ocelotl_messages_row_total));
    OC_TRY(find_sums(&at->sums[1], at, &at->columns, info.columns, ocelotl_messages_column_total));
    each_line(at, find_range);
    write_legend(at);
    oc_layout_measure(&chart->layout, OC_ABOVE, measure_head);
    oc_layout_measure(&chart->layout, OC_LEFT, measure_names);
    oc_layout_reserve(&chart->layout, OC_RIGHT, BAR);
    oc_layout_reserve(&chart->layout, OC_BELOW, BAR);
    oc_picture_add_window(chart->scene, chart->picture, at->input->trace, "messages", info.from,
                          info.to);
    oc_metadata_text(chart->scene, "cell", ocelotl_message_measure_name(at->input->measure));
    oc_metadata_text(chart->scene, "rows", info.row_type);
    oc_metadata_text(chart->scene, "columns", info.column_type);
    return OCELOTL_OK;
}

static ocelotl_status draw_all(void *subject)
{
    drawing *at = subject;
    oc_scene *scene = at->chart.scene;
    const oc_picture *picture = at->chart.picture;
    if (is_square(at))
        at->chart.frame.width = at->chart.frame.height = side_in(at, 0);
    oc_frame names = at->chart.frame;
    oc_row_names_draw(scene, picture, &names, &at->rows.nodes, &at->row_names);
    names.left -= at->row_names.width;
    OC_TRY(oc_level_columns_draw(scene, picture, &names, &at->rows.nodes, &at->names));
    draw_head(at);
    oc_plot_draw_frame(scene, picture, &at->chart.frame);
    oc_scene_group(scene, "cells", &(oc_group_style){.crisp = true, .tiles = true}, NULL);
    each_line(at, draw_line);
    oc_scene_group_end(scene);
    oc_scene_group(scene, "separators", &(oc_group_style){.crisp = true, .inert = true}, NULL);
    draw_separators(at);
    oc_scene_group_end(scene);
    draw_bars(at, true);
    draw_bars(at, false);
    return OCELOTL_OK;
}

static ocelotl_status lay_out(oc_scene *scene, const oc_picture *picture, const void *subject)
{
    static const oc_chart_kind kind = {prepare, write_caption, draw_all};
    drawing at = {.chart = {.scene = scene, .picture = picture}, .input = subject};
    const ocelotl_status status =
        oc_chart_lay_out(&at.chart, &kind, ocelotl_trace_info_of(at.input->trace).name);
    oc_messages_side_free(&at.rows);
    oc_messages_side_free(&at.columns);
    oc_level_columns_free(&at.names);
    free(at.line);
    free(at.has);
    free(at.sums[0]);
    free(at.sums[1]);
    return status;
}

ocelotl_status ocelotl_messages_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                     const ocelotl_trace *trace, const ocelotl_messages *messages,
                                     ocelotl_message_measure measure, bool linear,
                                     const ocelotl_picture_options *given)
{
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    const oc_messages_input input = {trace, messages, measure, linear};
    OC_TRY(oc_read_options(&options, sizeof options, given));
    if (ocelotl_message_measure_name(measure)[0] == '\0')
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the measure is %d, expected 0 to 6", (int)measure);
    oc_picture_preset(&options.height, SIZE);
    oc_picture_preset(&options.width, SIZE);
    return oc_picture_make(&(oc_target){sink, format}, &options, lay_out, &input);
}
