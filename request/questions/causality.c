/* causality: whether the order of events can be trusted. */
#include "quality/causality.h"
#include "answer/table.h"
#include "base/format/visible.h"
#include "request/questions/question.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct source {
    const ocelotl_trace *trace;
    const ocelotl_causality *causality;
    ocelotl_causality_info info;
} source;

static const char *const order_words[] = {"not proven", "guaranteed", "contradicted"};

static ocelotl_clock_pair pair_at(const source *of, uint64_t index)
{
    return ocelotl_causality_pair_at(of->causality, (uint32_t)index);
}

/* --- JSON */

/* In seconds; not a number where nobody knows it. */
static double seconds_if(bool known, const source *of, int64_t ticks)
{
    return known ? ocelotl_trace_seconds(of->trace, ticks) : (double)NAN;
}

/* What is uncertain is not known where nothing says how far clocks differ. */
static void add_counts(oc_json *json, const uint64_t *counts, bool differ_known)
{
    static const char *const keys[OCELOTL_VIOLATION_KINDS] = {
        "tachyons", "self", "too_fast", "uncertain", "overtaking", "collective"};
    for (size_t k = 0; k < OCELOTL_VIOLATION_KINDS; k++)
        if (k == OCELOTL_VIOLATION_UNCERTAIN && !differ_known)
            oc_json_null(json, keys[k]);
        else
            oc_json_count(json, keys[k], counts[k]);
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

static ocelotl_status add_members(oc_json *json, void *state)
{
    static const char *const error_words[] = {"", "asked", "trace", "messages"};
    source *of = state;
    const ocelotl_causality_info *info = &of->info;
    const oc_table table = violations_of(of);
    const double tick = info->transit_links > 0 ? oc_tick_of(of->trace) : (double)NAN;
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
    oc_json_count(json, "transit_links", info->transit_links);
    oc_json_number(json, "transit_fixed", info->transit_fixed * tick);
    oc_json_number(json, "transit_per_byte", info->transit_per_byte * tick);
    oc_json_number(json, "clock_error", seconds_if(info->clock_error > 0, of, info->clock_error));
    oc_json_text(json, "clock_error_source", error_words[info->error_source]);
    oc_json_number(json, "max_drift", info->max_drift);
    oc_json_list(json, "pairs");
    for (uint32_t i = 0; i < info->pairs; i++) {
        const ocelotl_clock_pair pair = pair_at(of, i);
        oc_json_item(json, 1);
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
        oc_json_number(json, "clock_error",
                       seconds_if(pair.clock_error >= 0, of, pair.clock_error));
        oc_json_text(json, "order", order_words[pair.order]);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    oc_json_list(json, "unmatched");
    for (uint32_t i = 0; i < info->unmatched; i++) {
        const ocelotl_unmatched_links is = ocelotl_causality_unmatched_at(of->causality, i);
        oc_json_item(json, 1);
        oc_json_text(json, "resource", is.path);
        oc_json_text(json, "type", ocelotl_trace_event_type_spelling(of->trace, is.event_type));
        oc_json_text(json, "tag", is.tag);
        oc_json_text(json, "known", is.begin ? "begin" : "end");
        oc_json_count(json, "count", is.count);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    return oc_json_rows(json, "violations", &table, 1);
}

/* --- Text, for people */

enum { SHOWN_MOST = 20 };

/* Links of one clock are in its order, and say nothing of others. */
static bool is_one_clock(const ocelotl_clock_pair *pair)
{
    return pair->clock_error == 0 && strcmp(pair->source, pair->target) == 0;
}

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
    const bool limited = info->latency > 0 || info->latency_fixed > 0 || info->latency_per_byte > 0;
    oc_output_format(out, "links      %" PRIu64 " with both ends", info->links);
    if (info->without_end > 0)
        oc_output_format(out, ", %" PRIu64 " without an end", info->without_end);
    if (info->without_begin > 0)
        oc_output_format(out, ", %" PRIu64 " without a begin", info->without_begin);
    oc_output_add(out, "\n");
    for (size_t k = 0; k < OCELOTL_VIOLATION_KINDS; k++)
        if ((k != OCELOTL_VIOLATION_FAST || limited) && k != OCELOTL_VIOLATION_UNCERTAIN &&
            (k != OCELOTL_VIOLATION_COLLECTIVE || info->collectives > 0) &&
            (k != OCELOTL_VIOLATION_SELF || info->counts[k] > 0))
            oc_output_format(out, "%-10s %" PRIu64 " %s\n", k == 0 ? "wrong" : "", info->counts[k],
                             kinds[k]);
}

/* How many links two clocks alone do not order; the verdict says where nothing is known. */
static void print_uncertain(oc_output *out, const source *of)
{
    const uint64_t count = of->info.counts[OCELOTL_VIOLATION_UNCERTAIN];
    uint64_t between = 0;
    uint64_t known = 0;
    for (uint32_t i = 0; i < of->info.pairs; i++) {
        const ocelotl_clock_pair pair = pair_at(of, i);
        between += is_one_clock(&pair) ? 0 : pair.links;
        known += is_one_clock(&pair) || pair.clock_error < 0 ? 0 : pair.links;
    }
    if (known > 0)
        oc_output_format(
            out,
            "uncertain  %" PRIu64 " of %" PRIu64 " between clocks%s take less time than the two may"
            "%s",
            count, known, known < between ? " that can be compared" : "",
            count == 0
                ? " differ\n"
                : "\n           differ: they are in order, but the clocks alone do not prove "
                  "it\n");
}

/* Finds the pair with the least transit between two clocks, or the least of all, also a negative
 * one, if asked; the number of pairs if none is found. */
static uint32_t find_worst(const source *of, bool negative)
{
    uint32_t found = of->info.pairs;
    int64_t least = 0;
    for (uint32_t i = 0; i < of->info.pairs; i++) {
        const ocelotl_clock_pair pair = pair_at(of, i);
        const int64_t transit = negative ? pair.least : pair.transit;
        if (pair.links == 0 || (!negative && (transit < 0 || is_one_clock(&pair))) ||
            (found < of->info.pairs && transit >= least))
            continue;
        found = i;
        least = transit;
    }
    return found;
}

/* The worst link, or else what links need by their size, where sizes matter. */
static void print_transit(oc_output *out, const source *of)
{
    const ocelotl_causality_info *info = &of->info;
    const double tick = oc_tick_of(of->trace);
    const uint32_t worst = find_worst(of, true);
    if (info->worst < 0 && worst < info->pairs) {
        const ocelotl_clock_pair pair = pair_at(of, worst);
        oc_output_print(out, "worst      %s, begins at %.9g s, %s -> %s\n",
                        oc_long_time(ocelotl_trace_seconds(of->trace, pair.least)).text,
                        ocelotl_trace_seconds(of->trace, pair.begin), pair.source, pair.target);
    }
    if (info->transit_per_byte > 0 && info->worst >= 0)
        oc_output_format(out,
                         "transit    between clocks no link takes less than %s and %s a byte\n",
                         oc_long_time(info->transit_fixed * tick).text,
                         oc_long_time(info->transit_per_byte * tick).text);
}

/* How far clocks differ, and who says so: the pair whose clocks may differ most, if that is known
 * of all. */
static void print_error(oc_output *out, const source *of)
{
    static const char *const says[] = {"", "These differ by at most ",
                                       "These were set, and differ by at most ",
                                       "Messages say that these differ by at most "};
    const ocelotl_error_source by = of->info.error_source;
    ocelotl_clock_pair farthest = {.clock_error = -1};
    for (uint32_t i = 0; i < of->info.pairs; i++) {
        const ocelotl_clock_pair pair = pair_at(of, i);
        if (pair.clock_error < 0) {
            oc_output_format(out,
                             "\n           How far %s differ is not known (--clock-error)."
                             "\n           ",
                             by == OCELOTL_ERROR_UNKNOWN ? "these" : "some of these");
            return;
        }
        farthest = pair.clock_error > farthest.clock_error ? pair : farthest;
    }
    oc_output_format(out, "\n           %s%s", says[by],
                     oc_long_time(ocelotl_trace_seconds(of->trace, farthest.clock_error)).text);
    if (by != OCELOTL_ERROR_ASKED)
        oc_output_print(out, " (%s -> %s)", farthest.source, farthest.target);
    oc_output_add(out, ".\n           ");
}

/* The theorem in plain words. Where clocks are wrong, what links take by them is no true time; and
 * without a message that is in order between two clocks there is no mu. */
static void print_verdict(oc_output *out, const source *of)
{
    const uint32_t least = find_worst(of, false);
    uint32_t orders[3] = {0};
    bool alone = true;
    for (uint32_t i = 0; i < of->info.pairs; i++) {
        const ocelotl_clock_pair pair = pair_at(of, i);
        orders[pair.order]++;
        alone = alone && is_one_clock(&pair);
    }
    if (least == of->info.pairs) {
        oc_output_add(out, least == 0 ? "order      nothing is told: no message has both ends\n"
                           : alone
                               ? "order      no link joins two clocks; each orders its own events\n"
                               : "order      no link between two clocks ends after it begins "
                                 "(the command clocks sets them right)\n");
        return;
    }
    const ocelotl_clock_pair pair = pair_at(of, least);
    oc_output_print(out, "order      the least link%s takes %s (%s -> %s)",
                    of->info.worst < 0 ? " that is in order" : "",
                    oc_long_time(ocelotl_trace_seconds(of->trace, pair.transit)).text, pair.source,
                    pair.target);
    if (of->info.worst < 0)
        oc_output_add(out, " by clocks\n           that others show to be wrong: what it takes in "
                           "truth is not known (the command\n           clocks sets them right).");
    else if (pair.transit == 0)
        oc_output_add(out, ":\n           no clocks prove that its cause comes before its effect.");
    else
        oc_output_format(
            out,
            ".\n           Clocks that never differ by %s or more, and run apart by at most %g "
            "ppm, "
            "put\n           every cause before its effect.",
            oc_long_time((double)pair.transit * (1 - of->info.max_drift) * oc_tick_of(of->trace))
                .text,
            of->info.max_drift * 1e6);
    print_error(out, of);
    oc_output_format(
        out,
        "Of %u pairs the order is guaranteed for %u, not proven for %u, contradicted for %u%s.\n",
        of->info.pairs, orders[OCELOTL_CAUSES_GUARANTEED], orders[OCELOTL_CAUSES_UNPROVEN],
        orders[OCELOTL_CAUSES_CONTRADICTED],
        of->info.counts[OCELOTL_VIOLATION_TACHYON] == 0 ? ": no link contradicts it" : "");
}

/* The pairs with the least transits, in that order: few are kept. */
static void print_pairs(oc_output *out, const source *of)
{
    oc_ranked first[SHOWN_MOST];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < of->info.pairs; i++)
        kept = oc_rank(first, kept, SHOWN_MOST, (oc_ranked){-(double)pair_at(of, i).least, i});
    oc_output_add(
        out, "\n    links     wrong uncertain  overtake     least (s)    ahead from        to (s) "
             "differ by (s)  order         sender -> receiver\n");
    for (uint32_t i = 0; i < kept; i++) {
        const ocelotl_clock_pair pair = pair_at(of, first[i].index);
        const double known[] = {seconds_if(pair.ahead_least != INT64_MIN, of, pair.ahead_least),
                                seconds_if(pair.ahead_most != INT64_MAX, of, pair.ahead_most),
                                seconds_if(pair.clock_error >= 0, of, pair.clock_error)};
        oc_output_format(out, "%9" PRIu64 " %9" PRIu64 " ", pair.links,
                         pair.counts[OCELOTL_VIOLATION_TACHYON] +
                             pair.counts[OCELOTL_VIOLATION_SELF]);
        if (pair.clock_error >= 0)
            oc_output_format(out, "%9" PRIu64, pair.counts[OCELOTL_VIOLATION_UNCERTAIN]);
        else
            oc_output_format(out, "%9s", "-");
        oc_output_format(out, " %9" PRIu64 " %13.6g ", pair.counts[OCELOTL_VIOLATION_OVERTAKING],
                         ocelotl_trace_seconds(of->trace, pair.least));
        for (size_t k = 0; k < OC_COUNT_OF(known); k++)
            if (isnan(known[k]))
                oc_output_format(out, "%13s ", "-");
            else
                oc_output_format(out, "%13.6g ", known[k]);
        oc_output_print(out, " %-12s  %s -> %s\n", order_words[pair.order], pair.source,
                        pair.target);
    }
    if (of->info.pairs > kept)
        oc_output_format(out, "the %u pairs of the least links; --json has all %u\n", kept,
                         of->info.pairs);
    oc_output_add(out,
                  "ahead: how far the receiver's clock is ahead of the sender's, in seconds\n");
}

static ocelotl_status print_all(oc_output *out, void *state)
{
    const source *of = state;
    const uint32_t unmatched = of->info.unmatched;
    oc_output_clocks(out, of->trace, of->info.clocks, of->info.clock_type);
    oc_output_filters(out, of->info.filters);
    oc_output_add(out, "\n");
    print_kinds(out, of);
    print_uncertain(out, of);
    oc_output_collectives(out, of->info.collectives, of->info.left_out);
    print_transit(out, of);
    print_verdict(out, of);
    print_pairs(out, of);
    if (unmatched > 0)
        oc_output_add(out, "\n    links  with one end alone\n");
    for (uint32_t i = 0; i < unmatched && i < SHOWN_MOST; i++) {
        const ocelotl_unmatched_links is = ocelotl_causality_unmatched_at(of->causality, i);
        oc_output_print(out, "%9" PRIu64 "  %s %s, %s%s%s\n", is.count,
                        is.begin ? "begin at" : "end at", is.path,
                        ocelotl_trace_event_type_spelling(of->trace, is.event_type),
                        is.tag[0] != '\0' ? ", tag " : "", is.tag);
    }
    if (unmatched > SHOWN_MOST)
        oc_output_format(out, "the %d sorts with most; --json has all %u\n", SHOWN_MOST, unmatched);
    return OCELOTL_OK;
}

static ocelotl_status write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    source of = {answer->trace, answer->found, ocelotl_causality_info_of(answer->found)};
    const oc_forms forms = {&of, add_members, print_all, violations_of(&of)};
    return oc_forms_write(sink, form, &forms);
}

static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_session *session = answer->session;
    const ocelotl_request *request = answer->request;
    ocelotl_causality *causality = NULL;
    ocelotl_causality_options options = {0};
    OC_TRY(oc_session_selection(&options.selection, session, request, OC_ENDS_AROUND));
    options.at = request->at;
    options.type = request->type;
    options.max_drift = oc_drift_of(request);
    options.collectives = request->collective_patterns;
    options.attribute = request->model.cells.attribute;
    if (request->latency.text != NULL)
        options.latency = ocelotl_trace_first_tick(session->trace, request->latency.seconds);
    if (request->latency_per_byte.text != NULL) {
        const double tick = ocelotl_trace_seconds(session->trace, 1);
        options.latency_per_byte = request->latency_per_byte.seconds / tick;
        options.latency_fixed = request->latency.text != NULL ? request->latency.seconds / tick : 0;
        options.latency = 0;
    }
    if (request->clock_error.text != NULL)
        options.clock_error =
            ocelotl_trace_first_tick(session->trace, request->clock_error.seconds);
    oc_session_begin_reading(&options.work, session);
    const ocelotl_status status = ocelotl_causality_compute(&causality, session->trace, &options);
    oc_session_end(session);
    if (status != OCELOTL_OK)
        return oc_check_found(status, false, session, request);
    const ocelotl_causality_info info = ocelotl_causality_info_of(causality);
    answer->found = causality;
    answer->is_bad =
        request->strict &&
        info.counts[OCELOTL_VIOLATION_TACHYON] + info.counts[OCELOTL_VIOLATION_SELF] > 0;
    return oc_check_found(status,
                          info.links == 0 && info.without_begin == 0 && info.without_end == 0,
                          session, request);
}

static ocelotl_status derive(const char *path, ocelotl_answer *answer, const char *title,
                             bool overwrite)
{
    (void)title;
    return ocelotl_causality_derive(path, answer->found, NULL, overwrite);
}

static void free_found(ocelotl_answer *answer)
{
    ocelotl_causality_free(answer->found);
}

const oc_question oc_causality_question = {
    .command = "causality",
    .answering = {.forms = OC_FORMS_TABLE | OC_FORM(TRACE)},
    .find = find,
    .write = write,
    .derive = derive,
    .free = free_found,
};
