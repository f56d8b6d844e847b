/* The matrix of messages: a square for each pair of groups, in the order of the hierarchy, and what
 * stands around it. */
#include "base/memory.h"
#include "viz/frame/chart.h"
#include "viz/pictures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- The lines of one side of the matrix */

/* Groups, put together where they would be too small. */
typedef struct side_lines {
    uint32_t *line_of;          /* by group: the line it is drawn in */
    ocelotl_message_cell *sums; /* by line */
    oc_row_nodes nodes;
    uint32_t joined; /* neighbours that are one line where nothing above joins them; else 1 */
    bool merged;     /* some groups are drawn in one line */
    /* the type of resources that the lines are of; "" for several */
    const char *type;
} side_lines;

/* While lines are found. */
typedef struct finding {
    side_lines *of;
    const ocelotl_trace *trace;
    const ocelotl_messages *messages;
    ocelotl_message_group (*group_at)(const ocelotl_messages *messages, uint32_t index);
    uint32_t count;    /* groups */
    uint32_t limit;    /* no line is of a resource deeper than this */
    uint32_t *open;    /* resources that contain the line, topmost first, and its own, */
    size_t *open_node; /* and their nodes */
    uint32_t open_count;
} finding;

/* Where groups are: a resource of the trace, or a node of the hierarchy that the messages have. */
typedef struct place {
    uint32_t parent; /* OCELOTL_ROOT: none */
    const char *name, *type;
    const char *path; /* NULL: the first steps of the path of what is in it */
} place;

static place place_at(const finding *f, uint32_t key)
{
    const ocelotl_model *hierarchy = ocelotl_messages_hierarchy(f->messages);
    if (hierarchy != NULL) {
        const ocelotl_node node = ocelotl_model_node_at(hierarchy, key);
        return (place){node.parent > 0 ? node.parent : OCELOTL_ROOT, node.name, node.kind,
                       node.path};
    }
    const ocelotl_resource is = ocelotl_trace_resource_at(f->trace, key);
    return (place){is.parent, is.name, ocelotl_trace_resource_type_at(f->trace, is.type).name,
                   NULL};
}

static uint32_t depth_of(const finding *f, uint32_t key)
{
    uint32_t depth = 0;
    for (uint32_t r = place_at(f, key).parent; r != OCELOTL_ROOT; r = place_at(f, r).parent)
        depth++;
    return depth;
}

/* The place of a group; OCELOTL_NONE if it has none. */
static uint32_t place_of(const finding *f, uint32_t group)
{
    const ocelotl_message_group is = f->group_at(f->messages, group);
    return ocelotl_messages_hierarchy(f->messages) != NULL ? is.node : is.resource;
}

/* The place that a group is drawn as; OCELOTL_NONE for a group that is nowhere. */
static uint32_t key_of(const finding *f, uint32_t group)
{
    uint32_t key = place_of(f, group);
    if (key == OCELOTL_NONE)
        return key;
    for (uint32_t depth = depth_of(f, key); depth > f->limit; depth--)
        key = place_at(f, key).parent;
    return key;
}

/* Whether a group begins a line of its own, behind another one. */
static bool begins_line(uint32_t group, uint32_t key, uint32_t before)
{
    return group == 0 || key != before || key == OCELOTL_NONE;
}

/* Adds the line of a group. What contains it and is not open yet is opened; what is open and does
 * not is closed. */
static ocelotl_status add_line(finding *f, uint32_t group, uint32_t key)
{
    oc_row_nodes *nodes = &f->of->nodes;
    const char *path = f->group_at(f->messages, group).path;
    const uint32_t depth = key != OCELOTL_NONE ? depth_of(f, key) : 0;
    uint32_t kept = depth;
    for (uint32_t r = key; kept > 0; f->open[--kept] = r) {
        r = place_at(f, r).parent;
        if (kept <= f->open_count && f->open[kept - 1] == r)
            break;
    }
    f->open[depth] = key;
    for (uint32_t i = kept; i <= depth; i++) {
        const bool leaf = i == depth;
        const bool nowhere = key == OCELOTL_NONE;
        const place is = nowhere ? (place){.name = path, .path = path} : place_at(f, f->open[i]);
        oc_row_node node = {is.name, is.path, i, nodes->row_count, leaf, leaf};
        if (node.path == NULL)
            OC_TRY(oc_row_nodes_keep(&node.path, nodes, path, oc_path_prefix(path, i)));
        OC_TRY(oc_row_nodes_add(nodes, &node));
        f->open_node[i] = nodes->node_count - 1;
    }
    f->open_count = depth;
    for (uint32_t i = 0; i < depth; i++)
        nodes->nodes[f->open_node[i]].count++;
    nodes->row_count++;
    return OCELOTL_OK;
}

/* Goes up the levels until the lines fit. */
static ocelotl_status find_lines(finding *f, uint32_t most)
{
    side_lines *of = f->of;
    uint32_t before = OCELOTL_NONE, in_line = 0, lines = f->count;
    for (uint32_t g = 0; g < f->count; g++) {
        const uint32_t key = place_of(f, g);
        const uint32_t depth = key != OCELOTL_NONE ? depth_of(f, key) : 0;
        f->limit = depth > f->limit ? depth : f->limit;
    }
    while (lines > most && f->limit > 0) {
        f->limit--;
        lines = 0;
        for (uint32_t g = 0, last = OCELOTL_NONE; g < f->count; g++) {
            const uint32_t key = key_of(f, g);
            lines += begins_line(g, key, last);
            last = key;
        }
    }
    of->joined = lines > most ? (lines + most - 1) / most : 1;
    OC_TRY(oc_allocate(&of->line_of, f->count, sizeof *of->line_of));
    OC_TRY(oc_allocate(&f->open, (size_t)f->limit + 1, sizeof *f->open));
    OC_TRY(oc_allocate(&f->open_node, (size_t)f->limit + 1, sizeof *f->open_node));
    for (uint32_t g = 0; g < f->count; g++) {
        const uint32_t key = key_of(f, g);
        const char *type = key != OCELOTL_NONE ? place_at(f, key).type : of->type;
        if (of->type != NULL && strcmp(of->type, type) != 0)
            type = "";
        of->type = type;
        if (begins_line(g, key, before)) {
            /* several of the topmost resources in one line: it is called by the first of them */
            if (g == 0 || of->joined <= 1 || key == OCELOTL_NONE || in_line >= of->joined) {
                OC_TRY(add_line(f, g, key));
                in_line = 0;
            }
            in_line++;
        }
        of->line_of[g] = of->nodes.row_count - 1;
        before = key;
    }
    of->type = of->type != NULL ? of->type : "";
    of->merged = of->nodes.row_count < f->count;
    return OCELOTL_OK;
}

/* --- The matrix */

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
    const ocelotl_trace *trace;
    const ocelotl_messages *messages;
    ocelotl_message_measure measure;
    bool linear; /* colours follow the values, not their logarithms */
    bool square; /* rows and columns are the same */
    side_lines rows, columns;
    oc_level_columns names; /* at the left: of levels, */
    oc_row_names row_names; /* at the left: names of levels */
    strip strips[LEVELS_MOST];
    uint32_t strip_count;
    int head;                   /* height of all strips, with the space below them */
    ocelotl_message_cell *line; /* cells of a line of the picture, by column */
    bool *has;                  /* by column: the cell holds something */
    double low, high;           /* values of cells that are drawn, above 0 */
    uint64_t drawn;
    uint32_t colour;
} drawing;

/* The pixel of the edge at the left of a line, or above it. */
static int edge_of(const drawing *at, const oc_frame *frame, bool across, uint32_t line)
{
    const uint64_t lines = at->columns.nodes.row_count > 0 ? at->columns.nodes.row_count : 1;
    return across ? frame->left + (int)((uint64_t)frame->width * line / lines)
                  : oc_row_y(frame, &at->rows.nodes, line);
}

static double value_of(const drawing *at, const ocelotl_message_cell *cell)
{
    return ocelotl_message_value(cell, at->measure, at->trace);
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

/* Goes through the lines of the picture, each with its cells. */
static void each_line(drawing *at, void (*act)(drawing *at, uint32_t line))
{
    const uint32_t rows = ocelotl_messages_info_of(at->messages).rows;
    uint32_t row = 0;
    for (uint32_t line = 0; line < at->rows.nodes.row_count; line++) {
        memset(at->has, 0, at->columns.nodes.row_count * sizeof *at->has);
        for (; row < rows && at->rows.line_of[row] == line; row++)
            for (uint64_t i = ocelotl_messages_row_begin(at->messages, row);
                 i < ocelotl_messages_row_begin(at->messages, row + 1); i++) {
                const ocelotl_message_cell cell = ocelotl_messages_cell_at(at->messages, i);
                const uint32_t column = at->columns.line_of[cell.column];
                put(&at->line[column], &at->has[column], &cell);
            }
        act(at, line);
    }
}

/* What is drawn of a column in the line; 0: nothing. */
static double drawn_value(const drawing *at, uint32_t column)
{
    const double value = at->has[column] ? value_of(at, &at->line[column]) : 0;
    return value > 0 && isfinite(value) ? value : 0;
}

static void find_range(drawing *at, uint32_t line)
{
    (void)line;
    for (uint32_t c = 0; c < at->columns.nodes.row_count; c++) {
        const double value = drawn_value(at, c);
        if (!(value > 0))
            continue;
        at->low = at->drawn == 0 || value < at->low ? value : at->low;
        at->high = at->drawn == 0 || value > at->high ? value : at->high;
        at->drawn++;
    }
}

/* Finds the lines of a side, at most `most`, and their sums. If it has more groups, those below one
 * resource become one, as far up as it takes. */
static ocelotl_status find_side(side_lines *side, drawing *at, bool across, uint32_t most)
{
    const ocelotl_messages_info info = ocelotl_messages_info_of(at->messages);
    finding f = {.of = side,
                 .trace = at->trace,
                 .messages = at->messages,
                 .group_at = across ? ocelotl_messages_column_at : ocelotl_messages_row_at,
                 .count = across ? info.columns : info.rows};
    bool *has = NULL;
    ocelotl_status status = find_lines(&f, most > 0 ? most : 1);
    free(f.open);
    free(f.open_node);
    OC_TRY(status);
    OC_TRY(oc_allocate(&side->sums, side->nodes.row_count, sizeof *side->sums));
    OC_TRY(oc_allocate(&has, side->nodes.row_count, sizeof *has));
    for (uint32_t i = 0; i < f.count; i++) {
        const ocelotl_message_cell total = across ? ocelotl_messages_column_total(at->messages, i)
                                                  : ocelotl_messages_row_total(at->messages, i);
        put(&side->sums[side->line_of[i]], &has[side->line_of[i]], &total);
    }
    free(has);
    return OCELOTL_OK;
}

/* --- Colours */

static uint32_t colour_of(const drawing *at, double value)
{
    double share = 1;
    if (at->linear)
        share = at->high > 0 ? value / at->high : 1;
    else if (at->high > at->low)
        share = log(value / at->low) / log(at->high / at->low);
    return oc_colour_mix(at->chart.picture->theme->paper, at->colour,
                         palest + (1 - palest) * share);
}

static void write_legend(drawing *at)
{
    static const char *const units[] = {"", "B", "", "", "B/s", "", ""};
    oc_text text = {0};
    for (int i = 0; i < SHADES && at->drawn > 0; i++) {
        const double share = (double)(i + 1) / SHADES;
        const double way = (double)i / (SHADES - 1);
        const double value = at->linear ? share * at->high : at->low * pow(at->high / at->low, way);
        oc_text_clear(&text);
        if (at->measure == OCELOTL_MESSAGES_MEAN || at->measure == OCELOTL_MESSAGES_LEAST)
            oc_time_add(&text, value, fabs(value) / 1000);
        else
            oc_quantity_add(&text, value, 3, units[at->measure]);
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
    const ocelotl_messages_info info = ocelotl_messages_info_of(at->messages);
    const ocelotl_message_cell total = ocelotl_messages_total(at->messages);
    const side_lines *side = at->rows.merged ? &at->rows : &at->columns;
    oc_caption_add_window(caption, at->trace, info.from, info.to);
    OC_CAPTION(caption, "{} {} send, {} {} receive", oc_word_whole(info.rows),
               oc_word_name(info.row_type), oc_word_whole(info.columns),
               oc_word_name(info.column_type));
    OC_CAPTION(caption, at->linear ? "{}, linear" : "{}, logarithmic",
               oc_word_text(measures[at->measure]));
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

/* The room's shorter side for a square, as its lines are no further apart; else one of both. */
static int side_in(const drawing *at, int side)
{
    const oc_frame *frame = &at->chart.frame;
    if (!at->square)
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
            const int width = edge_of(at, &frame, true, node->first + node->count) -
                              edge_of(at, &frame, true, node->first);
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
            const int left = edge_of(at, frame, true, node->first);
            const int right = edge_of(at, frame, true, node->first + node->count);
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
    const ocelotl_message_cell total = ocelotl_messages_total(at->messages);
    const double tick = ocelotl_trace_seconds(at->trace, 1000000) / 1000000;
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

static const char *path_of_line(const side_lines *side, uint32_t line)
{
    for (size_t i = line; i < side->nodes.node_count; i++)
        if (side->nodes.nodes[i].leaf && side->nodes.nodes[i].first == line)
            return side->nodes.nodes[i].path;
    return "";
}

/* Returns the colour of a cell; OC_COLOUR_NONE if it has none. */
static uint32_t cell_colour(const drawing *at, uint32_t column)
{
    const double value = drawn_value(at, column);
    return value > 0 ? colour_of(at, value) : OC_COLOUR_NONE;
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
        oc_chart_box(&at->chart, edge_of(at, frame, true, c), edge_of(at, frame, false, line),
                     edge_of(at, frame, true, end), edge_of(at, frame, false, line + 1), colour,
                     &text);
    }
}

/* Draws lines between nodes that hold several lines. */
static void draw_separators(const drawing *at, bool across)
{
    const oc_frame *frame = &at->chart.frame;
    const oc_row_nodes *nodes = across ? &at->columns.nodes : &at->rows.nodes;
    for (size_t i = 0; i < nodes->node_count; i++) {
        const oc_row_node *node = &nodes->nodes[i];
        const int begin = edge_of(at, frame, across, node->first);
        const int end = edge_of(at, frame, across, node->first + node->count);
        if (!node->leaf && node->first > 0 && end - begin >= SEPARATED)
            oc_plot_rule(at->chart.scene, across ? begin : frame->left, across ? frame->top : begin,
                         across ? begin : frame->left + frame->width,
                         across ? frame->top + frame->height : begin,
                         at->chart.picture->theme->rule);
    }
}

/* Draws the sums of columns below, or those of lines at the right. */
static void draw_bars(const drawing *at, bool across)
{
    const oc_frame *frame = &at->chart.frame;
    const side_lines *side = across ? &at->columns : &at->rows;
    const int edge = BAR_GAP + (across ? frame->top + frame->height : frame->left + frame->width);
    double most = 0;
    for (uint32_t i = 0; i < side->nodes.row_count; i++) {
        const double value = value_of(at, &side->sums[i]);
        most = isfinite(value) && value > most ? value : most;
    }
    oc_scene_group(at->chart.scene, across ? "received" : "sent", &(oc_group_style){.crisp = true},
                   NULL);
    for (uint32_t i = 0; i < side->nodes.row_count; i++) {
        const double value = value_of(at, &side->sums[i]);
        const double high = edge + fmax(1, floor((BAR - BAR_GAP) * value / most));
        const int begin = edge_of(at, frame, across, i), end = edge_of(at, frame, across, i + 1);
        const char *path = path_of_line(side, i);
        oc_text text = {0};
        if (!(most > 0 && value > 0 && isfinite(value)))
            continue;
        describe(&text, at, across ? "all" : path, across ? path : "all", &side->sums[i]);
        oc_chart_box(&at->chart, across ? begin : edge, across ? edge : begin, across ? end : high,
                     across ? high : end, at->colour, &text);
    }
    oc_scene_group_end(at->chart.scene);
}

/* --- The whole */

/* About how many lines fit: the rest of the picture takes a third. */
static ocelotl_status prepare(void *subject)
{
    drawing *at = subject;
    oc_chart *chart = &at->chart;
    const oc_picture *picture = chart->picture;
    const ocelotl_messages_info info = ocelotl_messages_info_of(at->messages);
    uint32_t across = (uint32_t)fmax(1, floor(picture->width * 0.7) / picture->smallest);
    uint32_t down = (uint32_t)fmax(1, floor(picture->height * 0.7) / picture->smallest);
    at->square = info.rows == info.columns && strcmp(info.row_type, info.column_type) == 0;
    if (at->square)
        across = down = across < down ? across : down;
    const bool wrong = at->measure == OCELOTL_MESSAGES_VIOLATIONS;
    at->colour = wrong ? picture->theme->accent : chart->blue;
    OC_TRY(find_side(&at->rows, at, false, down));
    OC_TRY(find_side(&at->columns, at, true, across));
    OC_TRY(oc_allocate(&at->line, at->columns.nodes.row_count, sizeof *at->line));
    OC_TRY(oc_allocate(&at->has, at->columns.nodes.row_count, sizeof *at->has));
    each_line(at, find_range);
    write_legend(at);
    oc_layout_measure(&chart->layout, OC_ABOVE, measure_head);
    oc_layout_measure(&chart->layout, OC_LEFT, measure_names);
    oc_layout_reserve(&chart->layout, OC_RIGHT, BAR);
    oc_layout_reserve(&chart->layout, OC_BELOW, BAR);
    oc_picture_add_window(chart->scene, picture, at->trace, "messages", info.from, info.to);
    oc_metadata_text(chart->scene, "cell", ocelotl_message_measure_name(at->measure));
    oc_metadata_text(chart->scene, "rows", info.row_type);
    oc_metadata_text(chart->scene, "columns", info.column_type);
    return OCELOTL_OK;
}

static ocelotl_status draw_all(void *subject)
{
    drawing *at = subject;
    oc_scene *scene = at->chart.scene;
    const oc_picture *picture = at->chart.picture;
    if (at->square)
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
    draw_separators(at, false);
    draw_separators(at, true);
    oc_scene_group_end(scene);
    draw_bars(at, false);
    draw_bars(at, true);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_messages_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                     const ocelotl_trace *trace, const ocelotl_messages *messages,
                                     ocelotl_message_measure measure, bool linear,
                                     const ocelotl_picture_options *options)
{
    static const oc_chart_kind kind = {prepare, write_caption, draw_all};
    drawing at = {.chart = {.kind = &kind,
                            .title = ocelotl_trace_info_of(trace).name,
                            .width = SIZE,
                            .height = SIZE},
                  .trace = trace,
                  .messages = messages,
                  .measure = measure,
                  .linear = linear};
    if (ocelotl_message_measure_name(measure)[0] == '\0')
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the measure is %d, expected 0 to 6", (int)measure);
    const ocelotl_status status = oc_chart_draw(&at.chart, sink, format, options);
    side_lines *const sides[] = {&at.rows, &at.columns};
    for (int i = 0; i < 2; i++) {
        oc_row_nodes_free(&sides[i]->nodes);
        free(sides[i]->line_of);
        free(sides[i]->sums);
    }
    oc_level_columns_free(&at.names);
    free(at.line);
    free(at.has);
    return status;
}
