/* compare: what differs between two traces, or two windows of one. */
#include "compare/compare.h"
#include "answer/table.h"
#include "base/memory.h"
#include "request/questions/question.h"

#include <stdlib.h>
#include <string.h>

/* Two models and what is known of them. */
typedef struct compared {
    const ocelotl_comparison *comparison;
    ocelotl_phases phases;
    const char *const *names; /* what to call the two */
    bool all;                 /* every change as text, not only those that are worth a row */
    ocelotl_comparison_info info;
    ocelotl_change_floor floor;
} compared;

/* The most rows of a table, for which the floor is chosen, and names of a line. */
enum { ROWS_MOST = 30, NAMED_MOST = 5 };

static const char *const words[] = {"first", "second"};

/* The path of a node that only one of them has. */
static const char *only_at(const compared *of, int which, uint32_t index)
{
    const ocelotl_comparison *c = of->comparison;
    return ocelotl_model_node_at(c->models[which], c->only[which][index]).path;
}

/* --- Changes */

enum { CHANGE_COLUMNS = 8, JSON_COLUMNS = 7 };

static const oc_heading headings[CHANGE_COLUMNS] = {
    {"node", OC_CELL_TEXT},     {"type", OC_CELL_TEXT},        {"first", OC_CELL_NUMBER},
    {"second", OC_CELL_NUMBER}, {"leaves", OC_CELL_INDEX},     {"change", OC_CELL_NUMBER},
    {"named", OC_CELL_FLAG},    {"proportional", OC_CELL_FLAG}};

/* A length of time is of no leaves. */
static void add_cells(oc_row *row, const ocelotl_change *change)
{
    const bool has_leaves = change->leaves > 0;
    oc_cell_text(row, change->path);
    oc_cell_text(row, change->type);
    oc_cell_number(row, change->first);
    oc_cell_number(row, change->second);
    oc_cell_add(row, has_leaves, change->leaves);
    oc_cell_number(row, change->amount);
    oc_cell_add(row, has_leaves, change->named);
}

static ocelotl_status fill_change(oc_row *row, void *state, size_t index)
{
    const ocelotl_comparison *const *comparison = state;
    const ocelotl_change change = (*comparison)->changes[index];
    add_cells(row, &change);
    oc_cell_count(row, change.proportional);
    return OCELOTL_OK;
}

static ocelotl_status to_arrow(struct ArrowArrayStream *stream, ocelotl_answer *answer,
                               const ocelotl_arrow_options *options)
{
    const ocelotl_comparison *comparison = ocelotl_pair_comparison(answer->found);
    const oc_table table = {
        headings,   CHANGE_COLUMNS, &comparison, sizeof(void *), comparison->info.change_count,
        fill_change};
    return oc_table_to_arrow(stream, &table, options);
}

/* --- JSON */

static void add_model(oc_json *json, const compared *of, int which)
{
    const ocelotl_model_info info = ocelotl_model_info_of(of->comparison->models[which]);
    oc_json_object(json, words[which]);
    oc_json_text(json, "name", of->names[which]);
    oc_json_count(json, "slices", info.slice_count);
    oc_json_count(json, "leaves", info.row_count);
    if (info.has_time) {
        oc_json_number(json, "begin", info.begin);
        oc_json_number(json, "end", info.end);
        oc_json_number(json, "duration", info.end - info.begin);
    }
    oc_json_list(json, "only");
    for (uint32_t i = 0; i < of->info.only_count[which]; i++)
        oc_json_text(json, NULL, only_at(of, which, i));
    oc_json_end_list(json);
    oc_json_end_object(json);
    oc_json_line(json, 0);
}

void oc_json_matched(oc_json *json, const ocelotl_comparison *comparison)
{
    const ocelotl_comparison_info info = comparison->info;
    oc_json_object(json, "matched");
    oc_json_count(json, "map", info.by_map);
    oc_json_count(json, "role", info.by_role);
    oc_json_count(json, "shape", info.by_shape);
    oc_json_end_object(json);
}

void oc_output_matched(oc_output *out, const ocelotl_comparison *comparison)
{
    const ocelotl_comparison_info info = comparison->info;
    if (info.by_map + info.by_role + info.by_shape > 0)
        oc_output_format(out,
                         "matched    %u by --map, %u by role, %u by shape, all others by path\n",
                         info.by_map, info.by_role, info.by_shape);
}

static void add_whole(oc_json *json, const ocelotl_comparison_info *info)
{
    oc_json_text(json, "unit", info->unit);
    oc_json_number(json, "ratio", info->ratio);
    oc_json_number(json, "apart", info->apart);
}

static void add_change(oc_json *json, const ocelotl_change *change)
{
    oc_row row = {.count = 0};
    add_cells(&row, change);
    oc_json_object(json, NULL);
    oc_json_cells(json, headings, &row, 0, JSON_COLUMNS);
    oc_json_end_object(json);
}

static ocelotl_status add_members(oc_json *json, void *state)
{
    const compared *of = state;
    add_model(json, of, 0);
    add_model(json, of, 1);
    add_whole(json, &of->info);
    oc_json_matched(json, of->comparison);
    oc_json_line(json, 0);
    oc_json_list(json, "phases");
    for (size_t i = 0; i < of->phases.count; i++) {
        const ocelotl_phase phase = of->phases.list[i];
        if (i > 0)
            oc_json_line(json, 0);
        oc_json_object(json, NULL);
        oc_json_number(json, "first", phase.length[0]);
        oc_json_number(json, "second", phase.length[1]);
        oc_json_number(json, "change", phase.length[1] - phase.length[0]);
        oc_json_number(json, "begin_first", phase.begin[0]);
        oc_json_number(json, "begin_second", phase.begin[1]);
        oc_json_text(json, "type", phase.type);
        oc_json_number(json, "share", phase.share);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    oc_json_line(json, 0);
    oc_json_object(json, "floor");
    oc_json_number(json, "change", of->floor.amount);
    oc_json_count(json, "above", of->floor.above);
    oc_json_count(json, "below", of->floor.below);
    oc_json_number(json, "share", of->floor.share);
    oc_json_end_object(json);
    oc_json_line(json, 0);
    oc_json_list(json, "changes");
    for (size_t i = 0; i < of->info.change_count && json->out.status == OCELOTL_OK; i++) {
        const ocelotl_change change = of->comparison->changes[i];
        if (i > 0)
            oc_json_line(json, 0);
        add_change(json, &change);
    }
    oc_json_end_list(json);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_pair_write_changes(const ocelotl_sink *sink, const ocelotl_pair *pair,
                                          size_t most)
{
    const ocelotl_comparison *comparison = ocelotl_pair_comparison(pair);
    const ocelotl_comparison_info info = comparison->info;
    oc_json json = {.out = {.sink = sink}};
    size_t count = 0;
    oc_json_object(&json, NULL);
    add_whole(&json, &info);
    oc_json_count(&json, "named", info.named_count);
    oc_json_list(&json, "changes");
    for (size_t i = 0; i < info.change_count && count < most; i++) {
        const ocelotl_change change = comparison->changes[i];
        if (!change.named)
            continue;
        oc_json_line(&json, 0);
        add_change(&json, &change);
        count++;
    }
    oc_json_end_list(&json);
    oc_json_end_object(&json);
    return oc_json_finish(&json, OCELOTL_OK);
}

/* --- CSV: what lasts how long in both, then the changes */

static const oc_heading csv_headings[] = {{"what", OC_CELL_TEXT},     {"path", OC_CELL_TEXT},
                                          {"type", OC_CELL_TEXT},     {"first", OC_CELL_NUMBER},
                                          {"second", OC_CELL_NUMBER}, {"leaves", OC_CELL_INDEX},
                                          {"change", OC_CELL_NUMBER}, {"named", OC_CELL_FLAG}};

static ocelotl_status fill_csv_row(oc_row *row, void *state, size_t index)
{
    const compared *of = state;
    const size_t whole = of->info.duration[0] > 0;
    const size_t phases = whole + of->phases.count;
    ocelotl_change change = {.path = "", .type = ""};
    const double *lengths = of->info.duration;
    ocelotl_phase phase;
    oc_cell_text(row, index < whole ? "duration" : index < phases ? "phase" : "change");
    if (index >= phases) {
        change = of->comparison->changes[index - phases];
    } else {
        if (index >= whole) {
            phase = of->phases.list[index - whole];
            lengths = phase.length;
            change.type = phase.type;
        }
        change.first = lengths[0];
        change.second = lengths[1];
        change.amount = lengths[1] - lengths[0];
    }
    add_cells(row, &change);
    return OCELOTL_OK;
}

/* --- Text, for people */

/* Changes that differ by a smaller share from the common ratio are left out. */
static const double apart_most = 0.02;

typedef struct number {
    char text[40];
} number;

static number seconds_text(double seconds, bool sign)
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    number written;
    int unit = 0;
    double value = seconds;
    for (; unit < 3 && fabs(value) < 0.99995 && fabs(value) > 0; unit++)
        value *= 1000;
    oc_plain_print(written.text, sizeof written.text, sign ? "%+.4g %s" : "%.4g %s", value,
                   units[unit]);
    return written;
}

static bool is_time(const compared *of)
{
    return strcmp(of->info.unit, "s") == 0;
}

/* Writes an amount in the unit of the changes, which the head of the table names unless it is
 * time. */
static number amount_text(const compared *of, double amount, bool sign)
{
    number written;
    if (is_time(of))
        return seconds_text(amount, sign);
    oc_plain_print(written.text, sizeof written.text, sign ? "%+.6g" : "%.6g", amount);
    return written;
}

static number times_text(double first, double second)
{
    number written = {"new"};
    if (!(second > 0))
        oc_plain_print(written.text, sizeof written.text, "%s", first > 0 ? "gone" : "");
    else if (first > 0)
        oc_plain_print(written.text, sizeof written.text, "x %.3g", second / first);
    return written;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-3 * fmax(fabs(a), fabs(b));
}

/* Returns whether all common values change by the same ratio. */
static bool is_uniform(const compared *of)
{
    return of->info.ratio > 0 && of->info.apart <= apart_most;
}

/* The first thing that is said: whether the second is the slower one, and whether it is so in all
 * that it does. Totals are the windows' lengths for time, else the sums of all values. */
static void print_headline(oc_output *out, const compared *of)
{
    const ocelotl_comparison_info *info = &of->info;
    const bool time = is_time(of);
    const bool exact = info->apart < 1e-4;
    double whole[2] = {time ? info->duration[0] : 0, time ? info->duration[1] : 0};
    for (size_t i = 0; i < info->change_count && !time; i++) {
        const ocelotl_change change = of->comparison->changes[i];
        whole[0] += change.path[0] == '\0' ? change.first : 0;
        whole[1] += change.path[0] == '\0' ? change.second : 0;
    }
    const bool same = is_near(whole[0], whole[1]);
    const number both[] = {amount_text(of, whole[0], false), amount_text(of, whole[1], false)};
    const number difference = amount_text(of, whole[1] - whole[0], true);
    if (info->named_count == 0 && same)
        oc_output_add(out, "nothing has changed\n\n");
    else if (same && time)
        oc_output_format(out, "both take %s\n\n", both[0].text);
    else if (time && is_uniform(of) && is_near(info->ratio, whole[1] / whole[0]))
        oc_output_format(
            out, "everything%s%s%s takes %.4g times as long: %s instead of %s (%s)\n\n",
            exact ? "" : ", but for ", exact ? "" : oc_short_percent(info->apart).text,
            exact ? "" : " of the time,", info->ratio, both[1].text, both[0].text, difference.text);
    else if (time)
        oc_output_format(out, "the second takes %.4g times as long: %s instead of %s (%s)\n\n",
                         whole[1] / whole[0], both[1].text, both[0].text, difference.text);
    else
        oc_output_print(out, "a leaf has %s%s%s in the second, in the mean, instead of %s (%s)\n\n",
                        both[1].text, info->unit[0] != '\0' ? " " : "", info->unit, both[0].text,
                        difference.text);
}

static void print_models(oc_output *out, const compared *of)
{
    const ocelotl_comparison_info *info = &of->info;
    for (int which = 0; which < 2; which++) {
        const ocelotl_model_info model = ocelotl_model_info_of(of->comparison->models[which]);
        const double length = model.end - model.begin;
        oc_output_print(out, "%-10s %s", words[which], of->names[which]);
        if (model.has_time)
            oc_output_format(out, ", %s to %s%s", oc_short_end(model.begin, length).text,
                             oc_short_end(model.end, length).text,
                             model.zoomed ? "" : ", the whole trace");
        oc_output_format(out, ", %u slices of %u leaves\n", model.slice_count, model.row_count);
    }
    oc_output_format(out, "common     %u node%s and %u type%s; %u and %u types that only one has\n",
                     info->node_count, info->node_count == 1 ? "" : "s", info->common_types,
                     info->common_types == 1 ? "" : "s", info->only_types[0], info->only_types[1]);
    oc_output_matched(out, of->comparison);
    for (int which = 0; which < 2; which++) {
        const uint32_t count = info->only_count[which];
        for (uint32_t i = 0; i < count && i < NAMED_MOST; i++) {
            if (i == 0)
                oc_output_format(out, "only in the %s: ", words[which]);
            oc_output_print(out, "%s%s", i > 0 ? ", " : "", only_at(of, which, i));
        }
        if (count > NAMED_MOST)
            oc_output_format(out, " and %u more", count - NAMED_MOST);
        oc_output_add(out, count > 0 ? "\n" : "");
    }
}

/* Phases begin and end with slices. */
static void print_phases(oc_output *out, const compared *of)
{
    const ocelotl_comparison_info *info = &of->info;
    const size_t count = of->phases.count;
    if (count > 0)
        oc_output_format(out, "\n%12s %12s %12s %8s  phase, to a slice (%s, %s)\n", "change",
                         "first", "second", "times",
                         seconds_text(info->duration[0] / info->slices[0], false).text,
                         seconds_text(info->duration[1] / info->slices[1], false).text);
    for (size_t i = 0; i < count; i++) {
        const ocelotl_phase phase = of->phases.list[i];
        oc_output_format(out, "%12s %12s %12s %8s  %zu, from %s",
                         seconds_text(phase.length[1] - phase.length[0], true).text,
                         seconds_text(phase.length[0], false).text,
                         seconds_text(phase.length[1], false).text,
                         times_text(phase.length[0], phase.length[1]).text, i + 1,
                         seconds_text(phase.begin[0], false).text);
        if (phase.type[0] != '\0')
            oc_output_print(out, ": %s %s", phase.type, oc_short_percent(phase.share).text);
        oc_output_add(out, "\n");
    }
}

/* Prints a change of all the leaves of a node, first and second being what each of them has; the
 * first of several below a head. */
static void print_change(oc_output *out, const compared *of, const ocelotl_change *change,
                         size_t before, const char *what)
{
    if (before == 0)
        oc_output_print(out, "\n%s%s%s\n%12s %12s %12s %8s %7s  node, type\n", what,
                        is_time(of) || of->info.unit[0] == '\0' ? "" : ", in ",
                        is_time(of) ? "" : of->info.unit, "change", "first, each", "second, each",
                        "times", "leaves");
    oc_output_print(
        out, "%12s %12s %12s %8s %7u  %s, %s\n", amount_text(of, change->amount, true).text,
        amount_text(of, change->first, false).text, amount_text(of, change->second, false).text,
        times_text(change->first, change->second).text, change->leaves,
        change->path[0] != '\0' ? change->path : "(whole)", change->type);
}

static void print_smaller(oc_output *out, const compared *of, size_t count, double share)
{
    if (count == 0)
        return;
    oc_output_format(out, "and %zu change%s below %s", count, count == 1 ? "" : "s",
                     amount_text(of, of->floor.amount, false).text);
    if (share > 0)
        oc_output_format(out, ", %s of all%s", oc_short_percent(share).text,
                         count == 1 ? "" : " together");
    oc_output_add(out, " (--every-node lists each)\n");
}

/* Prints the change of every type, over all resources. */
static void print_totals(oc_output *out, const compared *of)
{
    size_t smaller = 0;
    size_t printed = 0;
    for (size_t i = 0; i < of->info.change_count; i++) {
        const ocelotl_change change = of->comparison->changes[i];
        if (change.path[0] != '\0')
            continue;
        if (fabs(change.amount) > 0 && fabs(change.amount) >= of->floor.amount)
            print_change(out, of, &change, printed++, "in all");
        else
            smaller += fabs(change.amount) > 0;
    }
    oc_output_add(out, printed == 0 && smaller > 0 ? "\n" : "");
    print_smaller(out, of, smaller, 0);
}

/* Prints each change once, where it is best named; those of the whole are printed already. If all
 * changes have a common ratio, it prints every exception, however small. */
static void print_named(oc_output *out, const compared *of)
{
    const bool uniform = is_uniform(of) && !is_near(of->info.ratio, 1);
    size_t printed = 0;
    for (size_t i = 0; i < of->info.change_count; i++) {
        const ocelotl_change change = of->comparison->changes[i];
        const double expected = of->info.ratio * change.first;
        const bool passed = uniform ? fabs(change.second - expected) <=
                                          apart_most * (fabs(change.second) + fabs(expected))
                                    : fabs(change.amount) < of->floor.amount;
        if (change.named && change.path[0] != '\0' && !passed)
            print_change(out, of, &change, printed++, "where it is not alike");
    }
    if (uniform)
        return;
    oc_output_add(out, printed == 0 && of->floor.below > 0 ? "\n" : "");
    print_smaller(out, of, of->floor.below, of->floor.share);
}

static ocelotl_status print_all(oc_output *out, void *state)
{
    const compared *of = state;
    print_headline(out, of);
    print_models(out, of);
    if (of->info.named_count > 0 || of->all)
        print_phases(out, of);
    for (size_t i = 0; i < of->info.change_count && of->all; i++) {
        const ocelotl_change change = of->comparison->changes[i];
        print_change(out, of, &change, i, "at every node");
    }
    if (of->info.named_count > 0 && !of->all) {
        print_totals(out, of);
        print_named(out, of);
    }
    return OCELOTL_OK;
}

static ocelotl_status write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    const ocelotl_comparison *comparison = ocelotl_pair_comparison(answer->found);
    const ocelotl_request *request = answer->request;
    const char *const names[] = {oc_path_as_said(request->operands[0]),
                                 oc_path_as_said(request->operands[1])};
    ocelotl_phases phases;
    OC_TRY(ocelotl_phases_find(&phases, comparison));
    compared of = {comparison,   phases,           names,
                   request->all, comparison->info, ocelotl_comparison_floor(comparison, ROWS_MOST)};
    const size_t rows = (of.info.duration[0] > 0) + phases.count + of.info.change_count;
    const oc_forms forms = {
        &of,
        add_members,
        print_all,
        {csv_headings, OC_COUNT_OF(csv_headings), &of, sizeof of, rows, fill_csv_row}};
    const ocelotl_status status = oc_forms_write(sink, form, &forms);
    free(phases.list);
    return status;
}

/* Whether what differs between two traces is drawn, and not both. */
static bool is_difference(const ocelotl_picture_options *view)
{
    return view->view != NULL && strcmp(view->view, "difference") == 0;
}

struct ocelotl_pair {
    ocelotl_session *first; /* the caller's */
    ocelotl_session *second;
    size_t operand; /* of the request: the second */
    bool shared;    /* the first has the second, too */
    const ocelotl_request *request;
    ocelotl_request asked; /* of the second; what it owns is the first's */
    ocelotl_comparison *comparison;
};

/* Opens the second trace, or finds it among what is kept where memory is bounded. */
static ocelotl_status open_second(ocelotl_pair *pair)
{
    ocelotl_session *first = pair->first;
    const char *path = pair->request->operands[pair->operand];
    if (first->options.memory == 0 || pair->request->operand_count > 2)
        return ocelotl_session_open(&pair->second, path, pair->request, &first->options);
    if (first->second != NULL && strcmp(first->second->path, path) != 0) {
        ocelotl_session_free(first->second);
        first->second = NULL;
    }
    if (first->second == NULL)
        OC_TRY(ocelotl_session_open(&first->second, path, pair->request, &first->options));
    first->second->first = first;
    pair->second = first->second;
    pair->shared = true;
    return OCELOTL_OK;
}

static ocelotl_status compare(ocelotl_pair *pair)
{
    const ocelotl_request *request = pair->request;
    const ocelotl_interval *window = &request->second_window;
    const ocelotl_model *models[2];
    OC_TRY(ocelotl_session_model(&models[0], pair->first, request));
    pair->asked = *request;
    pair->asked.model.hierarchy.like = models[0];
    pair->asked.model.type_level = ocelotl_model_info_of(models[0]).type_level;
    if (window->from.text != NULL || window->to.text != NULL)
        pair->asked.window = *window;
    OC_TRY(open_second(pair));
    OC_TRY(ocelotl_session_model(&models[1], pair->second, &pair->asked));
    if (ocelotl_model_info_of(models[0]).empty && ocelotl_model_info_of(models[1]).empty &&
        oc_request_hides(request))
        return oc_session_explain(OCELOTL_ERROR_EMPTY, pair->first, request);
    return ocelotl_compare_models(&pair->comparison, models[0], models[1]);
}

ocelotl_status oc_session_compare(ocelotl_pair **pair, ocelotl_session *first,
                                  const ocelotl_request *request, size_t operand)
{
    ocelotl_pair *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->first = first;
    made->request = request;
    made->operand = operand;
    const ocelotl_status status = compare(made);
    if (status == OCELOTL_OK)
        *pair = made;
    else
        ocelotl_pair_free(made);
    return status;
}

ocelotl_status ocelotl_session_compare(ocelotl_pair **pair, ocelotl_session *first,
                                       const ocelotl_request *request)
{
    return oc_session_compare(pair, first, request, 1);
}

void ocelotl_pair_free(ocelotl_pair *pair)
{
    if (pair == NULL)
        return;
    ocelotl_comparison_free(pair->comparison);
    if (!pair->shared)
        ocelotl_session_free(pair->second);
    free(pair);
}

const ocelotl_comparison *ocelotl_pair_comparison(const ocelotl_pair *pair)
{
    return pair->comparison;
}

ocelotl_trace *ocelotl_pair_trace(const ocelotl_pair *pair, int which)
{
    return (which == 0 ? pair->first : pair->second)->trace;
}

static ocelotl_status solve_both(ocelotl_partition **partitions, ocelotl_pair *pair)
{
    OC_TRY(ocelotl_session_partition(&partitions[0], pair->first, pair->request));
    pair->asked.detail = (ocelotl_detail){.kind = OCELOTL_DETAIL_P_RAW,
                                          .p = ocelotl_partition_info_of(partitions[0]).p_raw};
    return ocelotl_session_partition(&partitions[1], pair->second, &pair->asked);
}

static ocelotl_status draw_both(const ocelotl_sink *sink, ocelotl_picture_format format,
                                ocelotl_pair *pair, const ocelotl_picture_options *view)
{
    ocelotl_partition *both[2] = {NULL, NULL};
    ocelotl_status status = solve_both(both, pair);
    if (status == OCELOTL_OK)
        status = ocelotl_compare_draw(sink, format, both[0], both[1], pair->request->stretch, view);
    ocelotl_partition_free(both[0]);
    ocelotl_partition_free(both[1]);
    return status;
}

/* Draws a difference, from a partition of both models: no cut of one of them matters. */
static ocelotl_status draw_difference(const ocelotl_sink *sink, ocelotl_picture_format format,
                                      const ocelotl_pair *pair, const ocelotl_picture_options *view)
{
    const ocelotl_hierarchy_options *hierarchy = &pair->request->model.hierarchy;
    const uint32_t max_groups = hierarchy->bare             ? 0
                                : hierarchy->max_groups > 0 ? hierarchy->max_groups
                                                            : OCELOTL_DEFAULT_MAX_GROUPS;
    ocelotl_session *joint = NULL;
    ocelotl_model *model = NULL;
    ocelotl_partition *partition = NULL;
    OC_TRY(ocelotl_comparison_join(&model, pair->comparison, max_groups));
    OC_TRY(oc_session_of_model(&joint, model, &pair->first->options));
    ocelotl_status status = ocelotl_session_partition(&partition, joint, pair->request);
    if (status == OCELOTL_OK)
        status = ocelotl_difference_draw(sink, format, partition, view);
    ocelotl_partition_free(partition);
    ocelotl_session_free(joint);
    return status;
}

ocelotl_status ocelotl_pair_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                 ocelotl_pair *pair, const ocelotl_picture_options *view)
{
    return is_difference(view) ? draw_difference(sink, format, pair, view)
                               : draw_both(sink, format, pair, view);
}

/* --- The answer */

static ocelotl_status check(const ocelotl_request *request, ocelotl_form form, const char *path,
                            const ocelotl_picture_options *view)
{
    if (!is_difference(view))
        return ocelotl_overview_check(oc_picture_path(path, form), request->model.kind, view);
    OC_TRY(ocelotl_picture_check(path, view));
    return (OC_FORMS_PICTURE >> form & 1) != 0
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "--view difference is a picture, expected -o FILE");
}

static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_pair *pair = NULL;
    OC_TRY(ocelotl_session_compare(&pair, answer->session, answer->request));
    answer->found = pair;
    return OCELOTL_OK;
}

static ocelotl_status draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                           ocelotl_answer *answer, const ocelotl_request *drawn,
                           const ocelotl_picture_options *view)
{
    (void)drawn;
    return ocelotl_pair_draw(sink, format, answer->found, view);
}

static size_t sources_of(ocelotl_trace *traces[2], const ocelotl_model *models[2],
                         const ocelotl_answer *answer)
{
    for (int i = 0; i < 2; i++) {
        traces[i] = ocelotl_pair_trace(answer->found, i);
        models[i] = ocelotl_pair_comparison(answer->found)->models[i];
    }
    return 2;
}

static void free_found(ocelotl_answer *answer)
{
    ocelotl_pair_free(answer->found);
}

const oc_question oc_compare_question = {
    .command = "compare",
    .answering = {.forms = OC_FORMS_TABLE | OC_FORMS_PICTURE},
    .of_matrix = true,
    .check = check,
    .find = find,
    .write = write,
    .draw = draw,
    .to_arrow = to_arrow,
    .sources = sources_of,
    .free = free_found,
};
