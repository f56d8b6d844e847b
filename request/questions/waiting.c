/* waiting: who makes the others wait, what all wait for, and how well the time is used. */
#include "quality/waiting.h"
#include "answer/answer.h"
#include "answer/table.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/weighed.h"
#include "look/idle.h"
#include "request/questions/question.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const oc_question over_time;

/* The models that rows are of, by metric. */
enum { CAUSED, WAITS, PATH, WORK, MODELS };

static const char *const metrics[MODELS] = {"wait-caused", "wait", "critical-path", "work"};

/* What a node has in a span, in seconds. */
typedef struct numbers {
    double of[MODELS]; /* of WORK: on the mean of its leaves */
    double most;       /* that a leaf works */
} numbers;

/* The window, or a slice of it. */
typedef struct span {
    double begin, end, length; /* in seconds */
    double ideal;              /* that it would last if nothing took time on its way */
    numbers *numbers;          /* by node */
} span;

typedef struct waiting {
    ocelotl_model *models[MODELS];
    const oc_waiting *found;
    span *spans; /* the window, then its slices */
    uint32_t slices;
    int64_t from, to;
    numbers *numbers; /* of all spans */
    uint32_t count;
    oc_ranked rows[]; /* nodes, those that make others wait longest first */
} waiting;

static bool is_over_time(const ocelotl_answer *answer)
{
    return answer->request->duration_slices > 0;
}

/* --- Numbers */

/* The window has the sum of its slices. A cell of WORK is a share of its slice. */
static void take_sums(const waiting *found, int which, uint32_t node, double leaves,
                      const double *sums)
{
    const uint32_t types = ocelotl_model_info_of(found->models[which]).type_count;
    numbers *window = &found->spans->numbers[node];
    for (uint32_t s = 0; s < found->slices; s++) {
        numbers *is = &found->spans[s + 1].numbers[node];
        for (uint32_t x = 0; x < types; x++)
            is->of[which] += sums[(size_t)s * types + x];
        if (which == WORK)
            is->of[WORK] *= found->spans[s + 1].length / leaves;
        if (which == WORK)
            is->most = leaves > 1 ? 0 : is->of[WORK];
        window->of[which] += is->of[which];
    }
    if (which == WORK)
        window->most = leaves > 1 ? 0 : window->of[WORK];
}

static void find_most(const ocelotl_model *model, const span *is)
{
    for (uint32_t n = ocelotl_model_info_of(model).node_count; n-- > 1;) {
        numbers *above = &is->numbers[ocelotl_model_node_at(model, n).parent];
        above->most = fmax(above->most, is->numbers[n].most);
    }
}

/* --- Finding */

/* The types of states that somebody waits in, the longest first: who waits is who works. */
static ocelotl_status list_state_types(const char **names, uint32_t *count, const waiting *found,
                                       const ocelotl_trace *trace)
{
    const uint32_t types = ocelotl_trace_event_type_count(trace);
    oc_weighed *order = NULL;
    OC_TRY(oc_allocate(&order, types, sizeof *order));
    for (uint32_t e = 0; e < types; e++)
        order[e].place = e;
    for (size_t i = 0; i < found->found->count; i++) {
        const oc_wait *wait = &found->found->waits[i];
        const ocelotl_value value = ocelotl_trace_value_at(trace, wait->value);
        order[value.event_type].weight += (double)wait->end - (double)wait->begin;
    }
    oc_sort_weighed(order, types);
    for (uint32_t e = 0; e < types; e++)
        if (order[e].weight > 0 &&
            ocelotl_trace_event_type_at(trace, (uint32_t)order[e].place).category == OCELOTL_STATE)
            names[(*count)++] = ocelotl_trace_event_type_spelling(trace, (uint32_t)order[e].place);
    free(order);
    return OCELOTL_OK;
}

static ocelotl_status make_models(waiting *found, ocelotl_answer *answer)
{
    ocelotl_session *session = answer->session;
    ocelotl_model_options options = answer->request->model;
    const char **names = NULL;
    uint32_t count = 0;
    OC_TRY(oc_session_selection(&options.selection, session, answer->request, OC_ENDS_HALF_OPEN));
    options.slices = found->slices;
    options.kind = OCELOTL_SPATIOTEMPORAL;
    options.hierarchy = (ocelotl_hierarchy_options){.bare = true};
    options.types.max_types = UINT32_MAX;
    oc_session_begin_reading(&options.work, session);
    ocelotl_status status = oc_waiting_of_path(&found->found, session->trace, &options.work);
    if (status == OCELOTL_OK)
        status = oc_allocate(&names, ocelotl_trace_event_type_count(session->trace), sizeof *names);
    if (status == OCELOTL_OK)
        status = list_state_types(names, &count, found, session->trace);
    for (int which = 0; which < MODELS && status == OCELOTL_OK; which++) {
        options.cells.metric = metrics[which];
        if (which == WORK) { /* whatever states are looked at */
            options.selection.only = options.selection.except = (ocelotl_names){NULL, 0};
            options.state_types = (ocelotl_names){names, count};
        }
        status = ocelotl_model_from_trace(&found->models[which], session->trace, &options);
    }
    free(names);
    oc_session_end(session);
    return oc_check_found(status, false, session, answer->request);
}

/* Takes from spans what of them messages of the critical path are on their way. */
static void take_transits(const waiting *found)
{
    const double length = ((double)found->to - (double)found->from) / found->slices;
    for (size_t i = 0; i < found->found->path_count; i++) {
        const oc_path_piece *piece = &found->found->path[i];
        const double from = fmax(0, (double)(piece->from - found->from) / length);
        const double to = fmin(found->slices, (double)(piece->to - found->from) / length);
        for (double s = floor(from); piece->source != OCELOTL_NONE && s < to; s++) {
            span *slice = &found->spans[(size_t)s + 1];
            slice->ideal -= (fmin(s + 1, to) - fmax(s, from)) * slice->length;
        }
    }
    for (uint32_t s = 1; s <= found->slices; s++)
        found->spans->ideal += fmax(0, found->spans[s].ideal);
}

/* Whether a node gets a row: it is of the type that is asked for, or a leaf. */
static bool has_row(const waiting *found, uint32_t node, const char *at)
{
    const ocelotl_node is = ocelotl_model_node_at(found->models[WORK], node);
    return at == NULL || strcmp(at, "resource") == 0 ? oc_is_leaf_of(found->models[WORK], node)
                                                     : strcmp(is.kind, at) == 0;
}

/* Nodes of other models are those of the model of work by their paths; of those that it lacks, what
 * is above them has the sums. The run lasts no less than the most that a leaf works, however quick
 * messages are. */
static ocelotl_status read_models(const waiting *found, double *sums, oc_map *places)
{
    for (uint32_t n = 0; n < ocelotl_model_info_of(found->models[WORK]).node_count; n++) {
        const char *path = ocelotl_model_node_at(found->models[WORK], n).path;
        OC_TRY(oc_map_set(places, path, strlen(path), n));
    }
    for (int which = 0; which < MODELS; which++) {
        const ocelotl_model *model = found->models[which];
        for (uint32_t n = 0; n < ocelotl_model_info_of(model).node_count; n++) {
            const ocelotl_node node = ocelotl_model_node_at(model, n);
            const uint32_t place = oc_map_get(places, node.path, strlen(node.path));
            if (place == OC_MAP_NONE)
                continue;
            OC_TRY(ocelotl_model_sums(sums, model, n, 0, found->slices - 1));
            take_sums(found, which, place, node.leaf_count, sums);
        }
    }
    for (uint32_t s = 0; s <= found->slices; s++) {
        span *is = &found->spans[s];
        find_most(found->models[WORK], is);
        is->ideal = fmax(is->ideal, is->numbers[0].most);
    }
    return OCELOTL_OK;
}

static ocelotl_status fill_numbers(waiting *found, const ocelotl_answer *answer, uint32_t most)
{
    const ocelotl_model_info info = ocelotl_model_info_of(found->models[WORK]);
    const size_t spans = (size_t)found->slices + 1;
    double *sums = NULL;
    uint32_t widest = 0;
    for (int which = 0; which < MODELS; which++)
        widest = ocelotl_model_info_of(found->models[which]).type_count > widest
                     ? ocelotl_model_info_of(found->models[which]).type_count
                     : widest;
    found->from = info.from;
    found->to = info.to;
    OC_TRY(oc_allocate(&found->spans, spans, sizeof *found->spans));
    OC_TRY(oc_allocate(&found->numbers, spans * info.node_count, sizeof *found->numbers));
    const double tick = oc_tick_of(answer->trace);
    const double length = ((double)found->to - (double)found->from) * tick;
    found->spans[0] = (span){info.begin, info.end, length, 0, found->numbers};
    for (uint32_t s = 0; s < found->slices; s++)
        found->spans[s + 1] = (span){.begin = ocelotl_slice_begin(&info, s),
                                     .end = ocelotl_slice_begin(&info, s + 1.0),
                                     .length = length / found->slices,
                                     .ideal = length / found->slices,
                                     .numbers = found->numbers + (size_t)(s + 1) * info.node_count};
    take_transits(found);
    ocelotl_status status = oc_allocate(&sums, (size_t)found->slices * widest, sizeof *sums);
    oc_map places = {0};
    if (status == OCELOTL_OK)
        status = read_models(found, sums, &places);
    oc_map_free(&places);
    free(sums);
    for (uint32_t n = 0; n < info.node_count && status == OCELOTL_OK; n++)
        if (is_over_time(answer) && answer->request->at == NULL
                ? n == 0
                : has_row(found, n, answer->request->at))
            found->count = oc_rank(found->rows, found->count, most,
                                   (oc_ranked){found->spans->numbers[n].of[CAUSED], n});
    return status;
}

static void free_waiting(waiting *found)
{
    for (int which = 0; which < MODELS; which++)
        ocelotl_model_free(found->models[which]);
    free(found->spans);
    free(found->numbers);
    free(found);
}

static ocelotl_status find(ocelotl_answer *answer)
{
    const ocelotl_trace *trace = answer->trace;
    const uint32_t resources = ocelotl_trace_resource_count(trace) + 1;
    const uint32_t wanted = answer->request->most > 0     ? answer->request->most
                            : answer->request->efficiency ? UINT32_MAX
                                                          : 10;
    const uint32_t most = wanted < resources ? wanted : resources;
    waiting *found = NULL;
    OC_TRY(oc_allocate(&found, 1, sizeof *found + most * sizeof found->rows[0]));
    found->slices = is_over_time(answer) ? answer->request->duration_slices : 1;
    ocelotl_status status = make_models(found, answer);
    if (status == OCELOTL_OK)
        status = fill_numbers(found, answer, most);
    if (status == OCELOTL_OK && found->count == 0)
        status = oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "%s: no resource with states is of the type \"%s\", expected one that "
                         "ocelotl-cli info lists, or resource",
                         answer->session->label, answer->request->at);
    if (status != OCELOTL_OK) {
        free_waiting(found);
        return status;
    }
    answer->found = found;
    if (is_over_time(answer))
        answer->question = &over_time;
    return OCELOTL_OK;
}

/* --- Rows */

/* Rows of slices begin with `begin`, others with `resource`. */
enum { SLICE_COLUMNS = 2, PARALLEL = SLICE_COLUMNS + 5 };

static const oc_heading slice_headings[] = {{"begin", OC_CELL_NUMBER, .unit = "s"},
                                            {"end", OC_CELL_NUMBER, .unit = "s"},
                                            {"resource", OC_CELL_TEXT},
                                            {"caused", OC_CELL_NUMBER, .unit = "s"},
                                            {"waits", OC_CELL_NUMBER, .unit = "s"},
                                            {"path", OC_CELL_NUMBER, .unit = "s"},
                                            {"work", OC_CELL_NUMBER, .unit = "s"},
                                            {"parallel", OC_CELL_NUMBER, .unit = "share"},
                                            {"balance", OC_CELL_NUMBER, .unit = "share"},
                                            {"serialisation", OC_CELL_NUMBER, .unit = "share"},
                                            {"transfer", OC_CELL_NUMBER, .unit = "share"}};
static const oc_heading *const headings = slice_headings + SLICE_COLUMNS;
enum { COLUMNS = OC_COUNT_OF(slice_headings) - SLICE_COLUMNS };

static double share(double part, double whole)
{
    return whole > 0 ? part / whole : (double)NAN;
}

/* Efficiencies of POP (pop-coe.eu): parallel is the product of the others. Transfer is what the
 * span would last on an ideal network, of what it lasts; serialisation the most that a leaf works
 * of that. */
static void add_numbers(oc_row *row, const waiting *found, const span *of, uint32_t node)
{
    const numbers *is = &of->numbers[node];
    const char *path = ocelotl_model_node_at(found->models[WORK], node).path;
    oc_cell_text(row, path[0] != '\0' ? path : "all");
    oc_cell_number(row, is->of[CAUSED]);
    oc_cell_number(row, is->of[WAITS]);
    oc_cell_number(row, is->of[PATH]);
    oc_cell_number(row, is->of[WORK]);
    oc_cell_number(row, share(is->of[WORK], of->length));
    oc_cell_number(row, share(is->of[WORK], is->most));
    oc_cell_number(row, share(is->most, of->ideal));
    oc_cell_number(row, share(of->ideal, of->length));
}

static ocelotl_status fill(oc_row *row, void *of, size_t index)
{
    const waiting *found = *(waiting **)of;
    add_numbers(row, found, found->spans, (uint32_t)found->rows[index].index);
    return OCELOTL_OK;
}

static ocelotl_status fill_slice(oc_row *row, void *of, size_t index)
{
    const waiting *found = *(waiting **)of;
    const span *slice = &found->spans[1 + index / found->count];
    oc_cell_number(row, slice->begin);
    oc_cell_number(row, slice->end);
    add_numbers(row, found, slice, (uint32_t)found->rows[index % found->count].index);
    return OCELOTL_OK;
}

static oc_table table_of(ocelotl_answer *answer)
{
    const waiting *found = answer->found;
    if (is_over_time(answer))
        return (oc_table){
            slice_headings,       OC_COUNT_OF(slice_headings),          &answer->found,
            sizeof answer->found, (size_t)found->count * found->slices, fill_slice};
    return (oc_table){headings, COLUMNS, &answer->found, sizeof answer->found, found->count, fill};
}

/* --- Forms: the whole before the rows */

/* The paths of resources that have rows; NULL: they have none. */
static ocelotl_status list_paths(const char ***paths, const ocelotl_answer *answer)
{
    const waiting *found = answer->found;
    const uint32_t nodes = ocelotl_model_info_of(found->models[WORK]).node_count;
    OC_TRY(oc_allocate(paths, ocelotl_trace_resource_count(answer->trace), sizeof **paths));
    for (uint32_t n = 0; n < nodes; n++) {
        const ocelotl_node is = ocelotl_model_node_at(found->models[WORK], n);
        if (is.source != OCELOTL_NONE)
            (*paths)[is.source] = is.path;
    }
    return OCELOTL_OK;
}

static void add_path(oc_json *json, const ocelotl_answer *answer, const char *const *paths)
{
    const waiting *found = answer->found;
    oc_json_list(json, "path");
    for (size_t i = 0; i < found->found->path_count; i++) {
        const oc_path_piece *piece = &found->found->path[i];
        const char *source = piece->source != OCELOTL_NONE ? paths[piece->source] : NULL;
        const int64_t from = piece->from > found->from ? piece->from : found->from;
        const int64_t to = piece->to < found->to ? piece->to : found->to;
        if (from >= to)
            continue;
        oc_json_item(json, 1);
        oc_json_seconds(json, "begin", answer->trace, from);
        oc_json_seconds(json, "end", answer->trace, to);
        if (paths[piece->resource] != NULL)
            oc_json_text(json, "resource", paths[piece->resource]);
        if (source != NULL)
            oc_json_text(json, "source", source);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
}

static ocelotl_status add(oc_json *json, void *of)
{
    ocelotl_answer *answer = of;
    const waiting *found = answer->found;
    const oc_table table = table_of(answer);
    const char **paths = NULL;
    oc_row whole = {.count = 0};
    OC_TRY(list_paths(&paths, answer));
    add_numbers(&whole, found, found->spans, 0);
    oc_json_count(json, "messages", found->found->messages);
    oc_json_count(json, "collectives", found->found->collectives);
    oc_json_text(json, "left_out", found->found->left_out != NULL ? found->found->left_out : "");
    oc_json_count(json, "left_out_operations", found->found->left_out_count);
    oc_json_number(json, "unexplained", found->found->unexplained * oc_tick_of(answer->trace));
    oc_json_object(json, "whole");
    oc_json_cells(json, headings, &whole, 1, COLUMNS);
    oc_json_end_object(json);
    add_path(json, answer, paths);
    free(paths);
    return oc_json_rows(json, "rows", &table, 1);
}

static ocelotl_status print(oc_output *out, void *of)
{
    ocelotl_answer *answer = of;
    const waiting *found = answer->found;
    const oc_table table = table_of(answer);
    static const char *const words[] = {"efficiency ", ": balance ", " x serialisation ",
                                        " x transfer "};
    oc_row whole = {.count = 0};
    oc_output_window(out, answer->trace, found->from, found->to);
    oc_output_format(
        out, "waiting    %s for others; in all %llu messages and %llu collective operations\n",
        oc_short_time(found->spans->numbers[0].of[WAITS]).text,
        (unsigned long long)found->found->messages, (unsigned long long)found->found->collectives);
    if (found->found->left_out != NULL)
        oc_output_print(out, "left out   %s\n", found->found->left_out);
    if (found->found->unexplained > 0)
        oc_output_format(
            out, "unexplained %s of all waits: who was late waited no less, until then or later\n",
            oc_short_time(found->found->unexplained * oc_tick_of(answer->trace)).text);
    add_numbers(&whole, found, found->spans, 0);
    for (uint32_t c = 0; c < OC_COUNT_OF(words); c++) {
        const oc_cell *cell = &whole.cells[COLUMNS - OC_COUNT_OF(words) + c];
        oc_digits_text digits;
        oc_output_print(out, "%s%s", words[c],
                        cell->is_there
                            ? oc_cell_shown(&headings[PARALLEL - SLICE_COLUMNS], cell, &digits)
                            : "-");
    }
    oc_output_print(out, "\n\n");
    return oc_table_print(out, &table);
}

static void free_found(ocelotl_answer *answer)
{
    free_waiting(answer->found);
}

const oc_question oc_waiting_question = {
    .command = "waiting",
    .answering = {.forms = OC_FORMS_TABLE | OC_FORMS_PICTURE},
    .keeps = OC_KEEPS_OF_OPTIONS,
    .find = find,
    .add = add,
    .print = print,
    .table = table_of,
    .label = 0,
    .length = 1,
    .free = free_found,
};

static const oc_question over_time = {
    .answering = {.forms = OC_FORMS_TABLE | OC_FORMS_PICTURE},
    .keeps = OC_KEEPS_OF_OPTIONS,
    .add = add,
    .print = print,
    .table = table_of,
    .label = 0,
    .length = PARALLEL,
    .free = free_found,
};
