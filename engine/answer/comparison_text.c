/* What differs between two models, for people: the numbers of the CSV and the JSON. */
#include "answer/answer.h"

#include "base/plain.h"
#include "base/visible.h"

#include <math.h>
#include <string.h>

/* Two models and what is known of them. */
typedef struct compared {
    const ocelotl_comparison *comparison;
    const ocelotl_phases *phases;
    const char *const *names; /* what to call the two; NULL: as their models are called */
    bool all;                 /* every change, not only those that are worth a row */
} compared;

static const char *const words[] = {"first", "second"};

/* The most rows of a table and names of a line, unless all are asked for. */
enum { ROWS_MOST = 30, NAMED_MOST = 5 };

/* Changes that differ by a smaller share from the common ratio are left out. */
static const double apart_most = 0.02;

static const char *path_or_whole(const char *path)
{
    return path[0] != '\0' ? path : "(whole)";
}

/* --- Numbers for people */

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

/* Writes an amount in the unit of the changes, which the head of the table names unless it is
 * time. */
static number amount_text(const ocelotl_comparison_info *info, double amount, bool sign)
{
    number written;
    if (strcmp(info->unit, "s") == 0)
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

/* --- The table */

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-3 * fmax(fabs(a), fabs(b));
}

/* Returns whether all common values change by the same ratio. */
static bool is_uniform(const ocelotl_comparison_info *info)
{
    return info->ratio > 0 && info->apart <= apart_most;
}

/* Finds both totals: the windows' lengths for time, else the sums of all values. */
static void find_whole(double *whole, const compared *of, const ocelotl_comparison_info *info)
{
    whole[0] = info->duration[0];
    whole[1] = info->duration[1];
    if (strcmp(info->unit, "s") == 0)
        return;
    whole[0] = whole[1] = 0;
    for (size_t i = 0; i < info->change_count; i++) {
        const ocelotl_change change = ocelotl_comparison_change_at(of->comparison, i);
        if (change.path[0] != '\0')
            continue;
        whole[0] += change.first;
        whole[1] += change.second;
    }
}

static void print_amount_headline(oc_output *out, const ocelotl_comparison_info *info,
                                  const double *whole)
{
    oc_output_format(out, "a leaf has %s%s", amount_text(info, whole[1], false).text,
                     info->unit[0] != '\0' ? " " : "");
    oc_output_add_visible(out, info->unit);
    oc_output_format(out, " in the second, in the mean, instead of %s (%s)\n\n",
                     amount_text(info, whole[0], false).text,
                     amount_text(info, whole[1] - whole[0], true).text);
}

/* The first thing that is said: whether the second is the slower one, and whether it is so in all
 * that it does. */
static void print_headline(oc_output *out, const compared *of, const ocelotl_comparison_info *info)
{
    double whole[2];
    find_whole(whole, of, info);
    const bool time = strcmp(info->unit, "s") == 0;
    const bool exact = info->apart < 1e-4;
    const bool same = is_near(whole[0], whole[1]);
    const number difference = amount_text(info, whole[1] - whole[0], true);
    if (info->named_count == 0 && same)
        oc_output_format(out, "nothing has changed\n\n");
    else if (same && time)
        oc_output_format(out, "both take %s\n\n", seconds_text(whole[0], false).text);
    else if (time && is_uniform(info) && is_near(info->ratio, whole[1] / whole[0]))
        oc_output_format(
            out, "everything%s%s%s takes %.4g times as long: %s instead of %s (%s)\n\n",
            exact ? "" : ", but for ", exact ? "" : oc_short_percent(info->apart).text,
            exact ? "" : " of the time,", info->ratio, seconds_text(whole[1], false).text,
            seconds_text(whole[0], false).text, difference.text);
    else if (time)
        oc_output_format(out, "the second takes %.4g times as long: %s instead of %s (%s)\n\n",
                         whole[1] / whole[0], seconds_text(whole[1], false).text,
                         seconds_text(whole[0], false).text, difference.text);
    else
        print_amount_headline(out, info, whole);
}

static void print_model(oc_output *out, const compared *of, int which)
{
    const ocelotl_model_info info =
        ocelotl_model_info_of(ocelotl_comparison_model(of->comparison, which));
    oc_output_format(out, "%-10s ", words[which]);
    oc_output_add_visible(out, of->names != NULL ? of->names[which] : info.name);
    if (info.has_time)
        oc_output_format(out, ", %s to %s%s", oc_short_end(info.begin, info.end - info.begin).text,
                         oc_short_end(info.end, info.end - info.begin).text,
                         info.zoomed ? "" : ", the whole trace");
    oc_output_format(out, ", %u slices of %u leaves\n", info.slice_count, info.row_count);
}

static void print_only(oc_output *out, const compared *of, int which)
{
    const uint32_t count = ocelotl_comparison_info_of(of->comparison).only_count[which];
    if (count == 0)
        return;
    oc_output_format(out, "only in the %s: ", words[which]);
    for (uint32_t i = 0; i < count && i < NAMED_MOST; i++) {
        oc_output_add(out, i > 0 ? ", " : "");
        oc_output_add_visible(out, ocelotl_comparison_only_at(of->comparison, which, i));
    }
    if (count > NAMED_MOST)
        oc_output_format(out, " and %u more", count - NAMED_MOST);
    oc_output_format(out, "\n");
}

/* Phases begin and end with slices. */
static void print_phases(oc_output *out, const ocelotl_phases *phases,
                         const ocelotl_comparison_info *info)
{
    if (ocelotl_phases_count(phases) == 0)
        return;
    oc_output_format(out, "\n%12s %12s %12s %8s  phase, to a slice (%s, %s)\n", "change", "first",
                     "second", "times",
                     seconds_text(info->duration[0] / info->slices[0], false).text,
                     seconds_text(info->duration[1] / info->slices[1], false).text);
    for (size_t i = 0; i < ocelotl_phases_count(phases); i++) {
        const ocelotl_phase phase = ocelotl_phases_at(phases, i);
        oc_output_format(out, "%12s %12s %12s %8s  %zu, from %s",
                         seconds_text(phase.length[1] - phase.length[0], true).text,
                         seconds_text(phase.length[0], false).text,
                         seconds_text(phase.length[1], false).text,
                         times_text(phase.length[0], phase.length[1]).text, i + 1,
                         seconds_text(phase.begin[0], false).text);
        oc_output_add(out, phase.type[0] != '\0' ? ": " : "");
        oc_output_add_visible(out, phase.type);
        oc_output_format(out, phase.type[0] != '\0' ? " %s\n" : "\n",
                         oc_short_percent(phase.share).text);
    }
}

static void print_change(oc_output *out, const ocelotl_comparison_info *info,
                         const ocelotl_change *change)
{
    oc_output_format(out, "%12s %12s %12s %8s %7u  ", amount_text(info, change->amount, true).text,
                     amount_text(info, change->first, false).text,
                     amount_text(info, change->second, false).text,
                     times_text(change->first, change->second).text, change->leaves);
    oc_output_add_visible(out, path_or_whole(change->path));
    oc_output_add(out, ", ");
    oc_output_add_visible(out, change->type);
    oc_output_add(out, "\n");
}

/* A change is one of all the leaves of a node; first and second are what each of them has. */
static void print_head(oc_output *out, const ocelotl_comparison_info *info, const char *what)
{
    const bool named = info->unit[0] != '\0' && strcmp(info->unit, "s") != 0;
    oc_output_format(out, "\n%s%s", what, named ? ", in " : "");
    oc_output_add_visible(out, named ? info->unit : "");
    oc_output_format(out, "\n%12s %12s %12s %8s %7s  node, type\n", "change", "first, each",
                     "second, each", "times", "leaves");
}

static void print_smaller(oc_output *out, const ocelotl_comparison_info *info, size_t count,
                          double floor, double share)
{
    if (count == 0)
        return;
    oc_output_format(out, "and %zu change%s below %s", count, count == 1 ? "" : "s",
                     amount_text(info, floor, false).text);
    if (share > 0)
        oc_output_format(out, ", %s of all%s", oc_short_percent(share).text,
                         count == 1 ? "" : " together");
    oc_output_format(out, " (--all lists each)\n");
}

/* Prints the change of every type, over all resources. */
static void print_totals(oc_output *out, const compared *of, const ocelotl_comparison_info *info,
                         double floor)
{
    size_t smaller = 0;
    size_t printed = 0;
    for (size_t i = 0; i < info->change_count; i++) {
        const ocelotl_change change = ocelotl_comparison_change_at(of->comparison, i);
        if (change.path[0] != '\0')
            continue;
        if (!(fabs(change.amount) > 0) || fabs(change.amount) < floor) {
            smaller += fabs(change.amount) > 0;
            continue;
        }
        if (printed++ == 0)
            print_head(out, info, "in all");
        print_change(out, info, &change);
    }
    if (printed == 0 && smaller > 0)
        oc_output_format(out, "\n");
    print_smaller(out, info, smaller, floor, 0);
}

/* Returns whether a change only follows the common ratio. */
static bool follows(const ocelotl_comparison_info *info, const ocelotl_change *change)
{
    const double expected = info->ratio * change->first;
    return fabs(change->second - expected) <= apart_most * (fabs(change->second) + fabs(expected));
}

/* Prints each change once, where it is best named; those of the whole are printed already. If all
 * changes have a common ratio, it prints every exception, however small. */
static void print_named(oc_output *out, const compared *of, const ocelotl_comparison_info *info,
                        const ocelotl_change_floor *floor)
{
    const bool uniform = is_uniform(info) && !is_near(info->ratio, 1);
    size_t printed = 0;
    for (size_t i = 0; i < info->change_count; i++) {
        const ocelotl_change change = ocelotl_comparison_change_at(of->comparison, i);
        const bool passed = uniform ? follows(info, &change) : fabs(change.amount) < floor->amount;
        if (!change.named || change.path[0] == '\0' || passed)
            continue;
        if (printed++ == 0)
            print_head(out, info, "where it is not alike");
        print_change(out, info, &change);
    }
    if (uniform)
        return;
    if (printed == 0 && floor->below > 0)
        oc_output_format(out, "\n");
    print_smaller(out, info, floor->below, floor->amount, floor->share);
}

static void print_all(oc_output *out, const compared *of, const ocelotl_comparison_info *info)
{
    print_head(out, info, "at every node");
    for (size_t i = 0; i < info->change_count; i++) {
        const ocelotl_change change = ocelotl_comparison_change_at(of->comparison, i);
        print_change(out, info, &change);
    }
}

static void print_comparison(oc_output *out, const compared *of)
{
    const ocelotl_comparison_info info = ocelotl_comparison_info_of(of->comparison);
    const ocelotl_change_floor floor = ocelotl_comparison_floor(of->comparison, ROWS_MOST);
    print_headline(out, of, &info);
    print_model(out, of, 0);
    print_model(out, of, 1);
    oc_output_format(out, "common     %u node%s and %u type%s; %u and %u types that only one has\n",
                     info.node_count, info.node_count == 1 ? "" : "s", info.common_types,
                     info.common_types == 1 ? "" : "s", info.only_types[0], info.only_types[1]);
    print_only(out, of, 0);
    print_only(out, of, 1);
    if (info.named_count > 0 || of->all)
        print_phases(out, of->phases, &info);
    if (of->all) {
        print_all(out, of, &info);
    } else if (info.named_count > 0) {
        print_totals(out, of, &info, floor.amount);
        print_named(out, of, &info, &floor);
    }
}

ocelotl_status oc_comparison_write_text(const ocelotl_sink *sink,
                                        const ocelotl_comparison *comparison,
                                        const ocelotl_phases *phases, const char *const names[2],
                                        bool all)
{
    oc_output out = {.sink = sink};
    print_comparison(&out, &(compared){comparison, phases, names, all});
    return oc_output_end(&out, OCELOTL_OK);
}
