/* The differences of two models: the same numbers in each form. */
#include "answer/table.h"
#include "compare/compare.h"

#include <string.h>

/* Two models and what is known of them. */
typedef struct compared {
    const ocelotl_comparison *comparison;
    const ocelotl_phases *phases;
    const char *const *names; /* what to call the two; NULL: as their models are called */
    bool all;                 /* every change as text, not only those that are worth a row */
    ocelotl_comparison_info info;
    ocelotl_change_floor floor;
} compared;

/* The most rows of a table, for which the floor is chosen, and names of a line. */
enum { ROWS_MOST = 30, NAMED_MOST = 5 };

static const char *const words[] = {"first", "second"};

static ocelotl_change change_at(const compared *of, size_t index)
{
    return ocelotl_comparison_change_at(of->comparison, index);
}

static const char *name_of(const compared *of, int which, const ocelotl_model_info *info)
{
    return of->names != NULL ? of->names[which] : info->name;
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
    const ocelotl_change change = ocelotl_comparison_change_at(*comparison, index);
    add_cells(row, &change);
    oc_cell_count(row, change.proportional);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_comparison_to_arrow(struct ArrowArrayStream *stream,
                                           const ocelotl_comparison *comparison,
                                           const ocelotl_arrow_options *options)
{
    const oc_table table = {headings,
                            CHANGE_COLUMNS,
                            &comparison,
                            sizeof(void *),
                            ocelotl_comparison_info_of(comparison).change_count,
                            fill_change};
    return oc_table_to_arrow(stream, &table, options);
}

/* --- JSON */

static void add_model(oc_json *json, const compared *of, int which)
{
    const ocelotl_model_info info =
        ocelotl_model_info_of(ocelotl_comparison_model(of->comparison, which));
    oc_json_object(json, words[which]);
    oc_json_text(json, "name", name_of(of, which, &info));
    oc_json_count(json, "slices", info.slice_count);
    oc_json_count(json, "leaves", info.row_count);
    if (info.has_time) {
        oc_json_number(json, "begin", info.begin);
        oc_json_number(json, "end", info.end);
        oc_json_number(json, "duration", info.end - info.begin);
    }
    oc_json_list(json, "only");
    for (uint32_t i = 0; i < of->info.only_count[which]; i++)
        oc_json_text(json, NULL, ocelotl_comparison_only_at(of->comparison, which, i));
    oc_json_end_list(json);
    oc_json_end_object(json);
    oc_json_line(json, 0);
}

void oc_json_matched(oc_json *json, const ocelotl_comparison *comparison)
{
    const ocelotl_comparison_info info = ocelotl_comparison_info_of(comparison);
    oc_json_object(json, "matched");
    oc_json_count(json, "map", info.by_map);
    oc_json_count(json, "role", info.by_role);
    oc_json_count(json, "shape", info.by_shape);
    oc_json_end_object(json);
}

void oc_output_matched(oc_output *out, const ocelotl_comparison *comparison)
{
    const ocelotl_comparison_info info = ocelotl_comparison_info_of(comparison);
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
    for (size_t i = 0; i < ocelotl_phases_count(of->phases); i++) {
        const ocelotl_phase phase = ocelotl_phases_at(of->phases, i);
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
        const ocelotl_change change = change_at(of, i);
        if (i > 0)
            oc_json_line(json, 0);
        add_change(json, &change);
    }
    oc_json_end_list(json);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_comparison_write_named(const ocelotl_sink *sink,
                                              const ocelotl_comparison *comparison, size_t most)
{
    const ocelotl_comparison_info info = ocelotl_comparison_info_of(comparison);
    oc_json json = {.out = {.sink = sink}};
    size_t count = 0;
    oc_json_object(&json, NULL);
    add_whole(&json, &info);
    oc_json_count(&json, "named", info.named_count);
    oc_json_list(&json, "changes");
    for (size_t i = 0; i < info.change_count && count < most; i++) {
        const ocelotl_change change = ocelotl_comparison_change_at(comparison, i);
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
    const size_t phases = whole + ocelotl_phases_count(of->phases);
    ocelotl_change change = {.path = "", .type = ""};
    const double *lengths = of->info.duration;
    ocelotl_phase phase;
    oc_cell_text(row, index < whole ? "duration" : index < phases ? "phase" : "change");
    if (index >= phases) {
        change = change_at(of, index - phases);
    } else {
        if (index >= whole) {
            phase = ocelotl_phases_at(of->phases, index - whole);
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
        const ocelotl_change change = change_at(of, i);
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
        const ocelotl_model_info model =
            ocelotl_model_info_of(ocelotl_comparison_model(of->comparison, which));
        const double length = model.end - model.begin;
        oc_output_print(out, "%-10s %s", words[which], name_of(of, which, &model));
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
            oc_output_print(out, "%s%s", i > 0 ? ", " : "",
                            ocelotl_comparison_only_at(of->comparison, which, i));
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
    const size_t count = ocelotl_phases_count(of->phases);
    if (count > 0)
        oc_output_format(out, "\n%12s %12s %12s %8s  phase, to a slice (%s, %s)\n", "change",
                         "first", "second", "times",
                         seconds_text(info->duration[0] / info->slices[0], false).text,
                         seconds_text(info->duration[1] / info->slices[1], false).text);
    for (size_t i = 0; i < count; i++) {
        const ocelotl_phase phase = ocelotl_phases_at(of->phases, i);
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
        const ocelotl_change change = change_at(of, i);
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
        const ocelotl_change change = change_at(of, i);
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
        const ocelotl_change change = change_at(of, i);
        print_change(out, of, &change, i, "at every node");
    }
    if (of->info.named_count > 0 && !of->all) {
        print_totals(out, of);
        print_named(out, of);
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_comparison_write(const ocelotl_sink *sink, ocelotl_form form,
                                        const ocelotl_comparison *comparison,
                                        const ocelotl_phases *phases, const char *const names[2],
                                        bool all)
{
    compared of = {comparison,
                   phases,
                   names,
                   all,
                   ocelotl_comparison_info_of(comparison),
                   ocelotl_comparison_floor(comparison, ROWS_MOST)};
    const size_t rows =
        (of.info.duration[0] > 0) + ocelotl_phases_count(phases) + of.info.change_count;
    const oc_forms forms = {
        &of,
        add_members,
        print_all,
        {csv_headings, OC_COUNT_OF(csv_headings), &of, sizeof of, rows, fill_csv_row}};
    return oc_forms_write(sink, form, &forms);
}
