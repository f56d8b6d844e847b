/* Whether the order of events can be trusted. */
#include "quality/causality.h"
#include "answer/table.h"

#include "base/visible.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct source {
    const ocelotl_trace *trace;
    const ocelotl_causality *causality;
    ocelotl_causality_info info;
} source;

/* The bound that eps must stay below, in ticks. */
static double largest_error(const source *of, int64_t transit)
{
    return (double)transit * (1 - of->info.max_drift);
}

static const char *order_word(ocelotl_causal_order order)
{
    return order == OCELOTL_CAUSES_GUARANTEED     ? "guaranteed"
           : order == OCELOTL_CAUSES_CONTRADICTED ? "contradicted"
                                                  : "not proven";
}

static const char *const error_words[] = {"", "asked", "trace", "messages"};

/* --- JSON */

static const char *const keys[OCELOTL_VIOLATION_KINDS] = {"tachyons",  "self",       "too_fast",
                                                          "uncertain", "overtaking", "collective"};

/* In seconds; not a number where nobody knows it. */
static double seconds_if(bool known, const source *of, int64_t ticks)
{
    return known ? ocelotl_trace_seconds(of->trace, ticks) : (double)NAN;
}

/* Nobody knows what is uncertain where nothing says how far clocks differ. */
static void add_counts(oc_json *json, const uint64_t *counts, bool differ_known)
{
    for (size_t k = 0; k < OCELOTL_VIOLATION_KINDS; k++)
        if (k == OCELOTL_VIOLATION_UNCERTAIN && !differ_known)
            oc_json_null(json, keys[k]);
        else
            oc_json_count(json, keys[k], counts[k]);
}

static void add_pair(oc_json *json, const source *of, uint32_t index)
{
    const ocelotl_clock_pair pair = ocelotl_causality_pair_at(of->causality, index);
    oc_json_line(json, 1);
    oc_json_object(json, NULL);
    oc_json_text(json, "source", pair.source);
    oc_json_text(json, "target", pair.target);
    oc_json_count(json, "links", pair.links);
    add_counts(json, pair.counts, pair.clock_error >= 0);
    oc_json_seconds(json, "least", of->trace, pair.least);
    oc_json_seconds(json, "at", of->trace, pair.begin);
    oc_json_number(json, "transit", seconds_if(pair.transit >= 0, of, pair.transit));
    oc_json_number(json, "ahead_least",
                   seconds_if(pair.ahead_least != INT64_MIN, of, pair.ahead_least));
    oc_json_number(json, "ahead_most",
                   seconds_if(pair.ahead_most != INT64_MAX, of, pair.ahead_most));
    oc_json_number(json, "clock_error", seconds_if(pair.clock_error >= 0, of, pair.clock_error));
    oc_json_text(json, "order", order_word(pair.order));
    oc_json_end_object(json);
}

static void add_unmatched(oc_json *json, const source *of, uint32_t index)
{
    const ocelotl_unmatched_links is = ocelotl_causality_unmatched_at(of->causality, index);
    oc_json_line(json, 1);
    oc_json_object(json, NULL);
    oc_json_text(json, "resource", is.path);
    oc_json_text(json, "type", ocelotl_trace_event_type_spelling(of->trace, is.event_type));
    oc_json_text(json, "tag", is.tag);
    oc_json_text(json, "known", is.begin ? "begin" : "end");
    oc_json_count(json, "count", is.count);
    oc_json_end_object(json);
}

static const oc_heading violations[] = {{"kind", OC_CELL_TEXT},    {"type", OC_CELL_TEXT},
                                        {"source", OC_CELL_TEXT},  {"target", OC_CELL_TEXT},
                                        {"begin", OC_CELL_NUMBER}, {"end", OC_CELL_NUMBER},
                                        {"amount", OC_CELL_NUMBER}};

static ocelotl_status fill_violation(oc_row *row, void *state, size_t index)
{
    const source *of = state;
    const ocelotl_violation is = ocelotl_causality_violation_at(of->causality, index);
    oc_cell_text(row, ocelotl_violation_kind_name(is.kind));
    oc_cell_text(row, ocelotl_trace_event_type_spelling(of->trace, is.event_type));
    oc_text_add(&row->made, ocelotl_causality_path(of->causality, is.source));
    oc_cell_text(row, row->made.bytes);
    oc_cell_text(row, ocelotl_causality_path(of->causality, is.target));
    oc_cell_number(row, ocelotl_trace_seconds(of->trace, is.begin));
    oc_cell_number(row, ocelotl_trace_seconds(of->trace, is.end));
    oc_cell_number(row, ocelotl_trace_seconds(of->trace, is.amount));
    return OCELOTL_OK;
}

static oc_table violations_of(source *of)
{
    return (oc_table){violations, OC_COUNT_OF(violations), of,
                      sizeof *of, of->info.violations,     fill_violation};
}

/* What links between clocks need by their size, in seconds. */
static void add_transit_line(oc_json *json, const source *of)
{
    const double tick = oc_tick_of(of->trace);
    const bool known = of->info.transit_links > 0;
    oc_json_count(json, "transit_links", of->info.transit_links);
    oc_json_number(json, "transit_fixed", known ? of->info.transit_fixed * tick : (double)NAN);
    oc_json_number(json, "transit_per_byte",
                   known ? of->info.transit_per_byte * tick : (double)NAN);
}

static void add_head(oc_json *json, const source *of)
{
    const ocelotl_causality_info *info = &of->info;
    oc_json_window(json, of->trace, info->from, info->to);
    oc_json_text(json, "filters", info->filters);
    oc_json_text(json, "clock_type", info->clock_type);
    oc_json_count(json, "clocks", info->clocks);
    oc_json_count(json, "links", info->links);
    add_counts(json, info->counts, info->error_source != OCELOTL_ERROR_UNKNOWN);
    oc_json_count(json, "without_end", info->without_end);
    oc_json_count(json, "without_begin", info->without_begin);
    oc_json_seconds(json, "worst", of->trace, info->worst);
    oc_json_count(json, "collectives", info->collectives);
    oc_json_text(json, "left_out", info->left_out);
    oc_json_number(json, "transit", seconds_if(info->transit >= 0, of, info->transit));
    add_transit_line(json, of);
    oc_json_number(json, "clock_error", seconds_if(info->clock_error > 0, of, info->clock_error));
    oc_json_text(json, "clock_error_source", error_words[info->error_source]);
    oc_json_number(json, "max_drift", info->max_drift);
}

static ocelotl_status add_members(oc_json *json, void *state)
{
    source *of = state;
    const oc_table table = violations_of(of);
    add_head(json, of);
    oc_json_list(json, "pairs");
    for (uint32_t i = 0; i < of->info.pairs; i++)
        add_pair(json, of, i);
    oc_json_end_list(json);
    oc_json_list(json, "unmatched");
    for (uint32_t i = 0; i < of->info.unmatched; i++)
        add_unmatched(json, of, i);
    oc_json_end_list(json);
    return oc_json_rows(json, "violations", &table, 1);
}

/* --- Text, for people */

enum { SHOWN_MOST = 20 };

static void print_kinds(oc_output *out, const source *of)
{
    static const char *const kinds[OCELOTL_VIOLATION_KINDS] = {
        "end before they begin",
        "end before they begin, where they began",
        "take less than the latency",
        "", /* told apart: these are in order */
        "overtake one of the same ends, tag and communicator",
        "ends of collective operations are before what they wait for"};
    const ocelotl_causality_info *info = &of->info;
    oc_output_format(out, "links      %" PRIu64 " with both ends", info->links);
    if (info->without_end > 0)
        oc_output_format(out, ", %" PRIu64 " without an end", info->without_end);
    if (info->without_begin > 0)
        oc_output_format(out, ", %" PRIu64 " without a begin", info->without_begin);
    oc_output_add(out, "\n");
    const bool limited = info->latency > 0 || info->latency_fixed > 0 || info->latency_per_byte > 0;
    for (size_t k = 0; k < OCELOTL_VIOLATION_KINDS; k++) {
        const bool asked = (k != OCELOTL_VIOLATION_FAST || limited) &&
                           k != OCELOTL_VIOLATION_UNCERTAIN &&
                           (k != OCELOTL_VIOLATION_COLLECTIVE || info->collectives > 0) &&
                           (k != OCELOTL_VIOLATION_SELF || info->counts[k] > 0);
        if (asked)
            oc_output_format(out, "%-10s %" PRIu64 " %s\n", k == 0 ? "wrong" : "", info->counts[k],
                             kinds[k]);
    }
}

/* Links of one clock are in its order, and say nothing of others. */
static bool is_one_clock(const ocelotl_clock_pair *pair)
{
    return pair->clock_error == 0 && strcmp(pair->source, pair->target) == 0;
}

/* How many links two clocks alone do not order; the verdict says where nothing is known. */
static void print_uncertain(oc_output *out, const source *of)
{
    const uint64_t count = of->info.counts[OCELOTL_VIOLATION_UNCERTAIN];
    uint64_t between = 0;
    uint64_t known = 0;
    for (uint32_t i = 0; i < of->info.pairs; i++) {
        const ocelotl_clock_pair pair = ocelotl_causality_pair_at(of->causality, i);
        between += is_one_clock(&pair) ? 0 : pair.links;
        known += is_one_clock(&pair) || pair.clock_error < 0 ? 0 : pair.links;
    }
    if (known == 0)
        return;
    oc_output_format(out, "uncertain  %" PRIu64 " of %" PRIu64 " between clocks%s take less time ",
                     count, known, known < between ? " that can be compared" : "");
    oc_output_add(out, count == 0 ? "than the two may differ\n"
                                  : "than the two may\n           differ: they are in order, but "
                                    "the clocks alone do not prove it\n");
}

/* Finds the pair with the least transit between two clocks, or the least of all, also a negative
 * one, if asked; the number of pairs if none is found. */
static uint32_t find_worst(const source *of, bool negative)
{
    uint32_t found = of->info.pairs;
    int64_t least = 0;
    for (uint32_t i = 0; i < of->info.pairs; i++) {
        const ocelotl_clock_pair pair = ocelotl_causality_pair_at(of->causality, i);
        const int64_t transit = negative ? pair.least : pair.transit;
        if (pair.links == 0 || (!negative && (transit < 0 || is_one_clock(&pair))) ||
            (found < of->info.pairs && transit >= least))
            continue;
        found = i;
        least = transit;
    }
    return found;
}

static void print_ends(oc_output *out, const ocelotl_clock_pair *pair)
{
    oc_output_add_visible(out, pair->source);
    oc_output_add(out, " -> ");
    oc_output_add_visible(out, pair->target);
}

static void print_worst(oc_output *out, const source *of)
{
    const uint32_t worst = find_worst(of, true);
    if (of->info.worst >= 0 || worst == of->info.pairs)
        return;
    const ocelotl_clock_pair pair = ocelotl_causality_pair_at(of->causality, worst);
    oc_output_add(out, "worst      ");
    oc_output_time(out, ocelotl_trace_seconds(of->trace, pair.least));
    oc_output_format(out, ", begins at %.9g s, ", ocelotl_trace_seconds(of->trace, pair.begin));
    print_ends(out, &pair);
    oc_output_add(out, "\n");
}

/* What links need by their size, where sizes matter and clocks are not wrong. */
static void print_transit(oc_output *out, const source *of)
{
    const ocelotl_causality_info *info = &of->info;
    const double tick = oc_tick_of(of->trace);
    if (!(info->transit_per_byte > 0) || info->worst < 0)
        return;
    oc_output_add(out, "transit    between clocks no link takes less than ");
    oc_output_time(out, info->transit_fixed * tick);
    oc_output_add(out, " and ");
    oc_output_time(out, info->transit_per_byte * tick);
    oc_output_add(out, " a byte\n");
}

/* The pair whose clocks may differ most; the number of pairs if that is not known of all. */
static uint32_t find_farthest(const source *of)
{
    uint32_t found = 0;
    int64_t most = -1;
    for (uint32_t i = 0; i < of->info.pairs; i++) {
        const int64_t error = ocelotl_causality_pair_at(of->causality, i).clock_error;
        if (error < 0)
            return of->info.pairs;
        found = error > most ? i : found;
        most = error > most ? error : most;
    }
    return found;
}

/* How far clocks differ, and who says so. */
static void print_error(oc_output *out, const source *of)
{
    static const char *const says[] = {"", "These differ by at most ",
                                       "These were set, and differ by at most ",
                                       "Messages say that these differ by at most "};
    const uint32_t farthest = find_farthest(of);
    oc_output_add(out, "\n           ");
    if (farthest == of->info.pairs) {
        oc_output_format(out, "How far %sdiffer is not known (--clock-error).\n           ",
                         of->info.error_source == OCELOTL_ERROR_UNKNOWN ? "these "
                                                                        : "some of these ");
        return;
    }
    const ocelotl_clock_pair pair = ocelotl_causality_pair_at(of->causality, farthest);
    oc_output_add(out, says[of->info.error_source]);
    oc_output_time(out, ocelotl_trace_seconds(of->trace, pair.clock_error));
    if (of->info.error_source != OCELOTL_ERROR_ASKED) {
        oc_output_add(out, " (");
        print_ends(out, &pair);
        oc_output_add(out, ")");
    }
    oc_output_add(out, ".\n           ");
}

/* Without a message that is in order between two clocks there is no mu. */
static void print_without_mu(oc_output *out, const source *of)
{
    bool alone = true;
    for (uint32_t i = 0; i < of->info.pairs && alone; i++) {
        const ocelotl_clock_pair pair = ocelotl_causality_pair_at(of->causality, i);
        alone = is_one_clock(&pair);
    }
    oc_output_add(out, alone ? "order      no link joins two clocks; each orders its own events\n"
                             : "order      no link between two clocks ends after it begins "
                               "(the command clocks sets them right)\n");
}

/* The theorem in plain words. Where clocks are wrong, what links take by them is no true time. */
static void print_theorem(oc_output *out, const source *of, const ocelotl_clock_pair *least)
{
    if (of->info.worst < 0) {
        oc_output_add(out, " by clocks\n           that others show to be wrong: what it takes in "
                           "truth is not known (the command\n           clocks sets them right).");
        return;
    }
    if (least->transit == 0) {
        oc_output_add(out, ":\n           no clocks prove that its cause comes before its effect.");
        return;
    }
    oc_output_add(out, ".\n           Clocks that never differ by ");
    oc_output_time(out, largest_error(of, least->transit) * oc_tick_of(of->trace));
    oc_output_format(out,
                     " or more, and run apart by at most %g ppm, put\n           every cause "
                     "before its effect.",
                     of->info.max_drift * 1e6);
}

static void print_verdict(oc_output *out, const source *of)
{
    const uint32_t least = find_worst(of, false);
    const uint64_t wrong = of->info.counts[OCELOTL_VIOLATION_TACHYON];
    uint32_t orders[3] = {0};
    for (uint32_t i = 0; i < of->info.pairs; i++)
        orders[ocelotl_causality_pair_at(of->causality, i).order]++;
    if (of->info.pairs == 0) {
        oc_output_add(out, "order      nothing is told: no link has both ends\n");
        return;
    }
    if (least == of->info.pairs) {
        print_without_mu(out, of);
        return;
    }
    const ocelotl_clock_pair pair = ocelotl_causality_pair_at(of->causality, least);
    oc_output_format(out, "order      the least link%s takes ",
                     of->info.worst < 0 ? " that is in order" : "");
    oc_output_time(out, ocelotl_trace_seconds(of->trace, pair.transit));
    oc_output_add(out, " (");
    print_ends(out, &pair);
    oc_output_add(out, ")");
    print_theorem(out, of, &pair);
    print_error(out, of);
    oc_output_format(out,
                     "Of %u pairs the order is guaranteed for %u, not proven for %u, "
                     "contradicted for %u%s.\n",
                     of->info.pairs, orders[OCELOTL_CAUSES_GUARANTEED],
                     orders[OCELOTL_CAUSES_UNPROVEN], orders[OCELOTL_CAUSES_CONTRADICTED],
                     wrong == 0 ? ": no link contradicts it" : "");
}

static void print_known(oc_output *out, double seconds)
{
    if (isnan(seconds))
        oc_output_format(out, "%13s ", "-");
    else
        oc_output_format(out, "%13.6g ", seconds);
}

/* A pair as a row, the worst ones first. */
static void print_pair(oc_output *out, const source *of, const ocelotl_clock_pair *pair)
{
    oc_output_format(out, "%9" PRIu64 " %9" PRIu64 " ", pair->links,
                     pair->counts[OCELOTL_VIOLATION_TACHYON] +
                         pair->counts[OCELOTL_VIOLATION_SELF]);
    if (pair->clock_error >= 0)
        oc_output_format(out, "%9" PRIu64, pair->counts[OCELOTL_VIOLATION_UNCERTAIN]);
    else
        oc_output_format(out, "%9s", "-");
    oc_output_format(out, " %9" PRIu64 " %13.6g ", pair->counts[OCELOTL_VIOLATION_OVERTAKING],
                     ocelotl_trace_seconds(of->trace, pair->least));
    print_known(out, seconds_if(pair->ahead_least != INT64_MIN, of, pair->ahead_least));
    print_known(out, seconds_if(pair->ahead_most != INT64_MAX, of, pair->ahead_most));
    print_known(out, seconds_if(pair->clock_error >= 0, of, pair->clock_error));
    oc_output_format(out, " %-12s  ", order_word(pair->order));
    print_ends(out, pair);
    oc_output_add(out, "\n");
}

/* The pairs with the least transits, in that order: few are kept. */
static void print_pairs(oc_output *out, const source *of)
{
    oc_ranked first[SHOWN_MOST];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < of->info.pairs; i++) {
        const double least = (double)ocelotl_causality_pair_at(of->causality, i).least;
        kept = oc_rank(first, kept, SHOWN_MOST, (oc_ranked){-least, i});
    }
    oc_output_add(
        out, "\n    links     wrong uncertain  overtake     least (s)    ahead from        to (s) "
             "differ by (s)  order         sender -> receiver\n");
    for (uint32_t i = 0; i < kept; i++) {
        const ocelotl_clock_pair pair =
            ocelotl_causality_pair_at(of->causality, (uint32_t)first[i].index);
        print_pair(out, of, &pair);
    }
    if (of->info.pairs > kept)
        oc_output_format(out, "the %u pairs of the least links; --json has all %u\n", kept,
                         of->info.pairs);
    oc_output_add(out,
                  "ahead: how far the receiver's clock is ahead of the sender's, in seconds\n");
}

static void print_unmatched(oc_output *out, const source *of)
{
    const uint32_t count = of->info.unmatched;
    if (count > 0)
        oc_output_add(out, "\n    links  with one end alone\n");
    for (uint32_t i = 0; i < count && i < SHOWN_MOST; i++) {
        const ocelotl_unmatched_links is = ocelotl_causality_unmatched_at(of->causality, i);
        oc_output_format(out, "%9" PRIu64 "  %s ", is.count, is.begin ? "begin at" : "end at");
        oc_output_add_visible(out, is.path);
        oc_output_add(out, ", ");
        oc_output_add_visible(out, ocelotl_trace_event_type_spelling(of->trace, is.event_type));
        oc_output_add(out, is.tag[0] != '\0' ? ", tag " : "");
        oc_output_add_visible(out, is.tag);
        oc_output_add(out, "\n");
    }
    if (count > SHOWN_MOST)
        oc_output_format(out, "the %d sorts with most; --json has all %u\n", SHOWN_MOST, count);
}

static ocelotl_status print_all(oc_output *out, void *state)
{
    const source *of = state;
    oc_output_clocks(out, of->trace, of->info.clocks, of->info.clock_type);
    oc_output_add(out, of->info.filters[0] != '\0' ? "\nfilters    " : "");
    oc_output_add_visible(out, of->info.filters);
    oc_output_add(out, "\n");
    print_kinds(out, of);
    print_uncertain(out, of);
    oc_output_collectives(out, of->info.collectives, of->info.left_out);
    print_worst(out, of);
    print_transit(out, of);
    print_verdict(out, of);
    print_pairs(out, of);
    print_unmatched(out, of);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_causality_write(const ocelotl_sink *sink, ocelotl_form form,
                                       const ocelotl_causality *causality,
                                       const ocelotl_trace *trace)
{
    source of = {trace, causality, ocelotl_causality_info_of(causality)};
    const oc_forms forms = {&of, add_members, print_all, violations_of(&of)};
    return oc_forms_write(sink, form, &forms);
}
