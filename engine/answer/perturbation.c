/* A run without what tracing cost, or on another machine. */
#include "quality/perturbation.h"
#include "answer/table.h"

#include <inttypes.h>
#include <math.h>

typedef struct source {
    const ocelotl_trace *trace;
    const ocelotl_perturbation *perturbation;
    ocelotl_perturbation_info info;
    double tick; /* in seconds */
} source;

static const oc_heading thread_headings[] = {{"thread", OC_CELL_TEXT},
                                             {"records", OC_CELL_COUNT},
                                             {"cost", OC_CELL_NUMBER},
                                             {"end", OC_CELL_NUMBER},
                                             {"new_end", OC_CELL_NUMBER}};

static ocelotl_status fill_thread(oc_row *row, void *state, size_t index)
{
    const source *of = state;
    const ocelotl_perturbed_thread is =
        ocelotl_perturbation_thread_at(of->perturbation, (uint32_t)index);
    oc_cell_text(row, is.path);
    oc_cell_count(row, is.records);
    oc_cell_number(row, is.cost * of->tick);
    oc_cell_number(row, ocelotl_trace_seconds(of->trace, is.end));
    oc_cell_number(row, ocelotl_trace_seconds(of->trace, is.end) - is.earlier * of->tick);
    return OCELOTL_OK;
}

static const oc_heading route_headings[] = {
    {"within", OC_CELL_TEXT},      {"source", OC_CELL_TEXT},
    {"target", OC_CELL_TEXT},      {"bytes", OC_CELL_NUMBER},
    {"messages", OC_CELL_COUNT},   {"measured", OC_CELL_COUNT},
    {"least", OC_CELL_NUMBER},     {"median", OC_CELL_NUMBER},
    {"mean", OC_CELL_NUMBER},      {"most", OC_CELL_NUMBER},
    {"deviation", OC_CELL_NUMBER}, {"model", OC_CELL_NUMBER},
    {"line", OC_CELL_NUMBER},      {"copy", OC_CELL_NUMBER},
    {"student", OC_CELL_NUMBER},   {"critical", OC_CELL_NUMBER},
    {"verdict", OC_CELL_TEXT},     {"contention", OC_CELL_NUMBER},
    {"fisher", OC_CELL_NUMBER},    {"fisher_critical", OC_CELL_NUMBER}};

static ocelotl_status fill_route(oc_row *row, void *state, size_t index)
{
    const source *of = state;
    const ocelotl_route is = ocelotl_perturbation_route_at(of->perturbation, (uint32_t)index);
    const double times[] = {is.least,     is.median, is.mean, is.most,
                            is.deviation, is.model,  is.line, is.copy};
    oc_cell_text(row, is.within);
    oc_cell_text(row, is.source);
    oc_cell_text(row, is.target);
    oc_cell_number(row, is.bytes);
    oc_cell_count(row, is.messages);
    oc_cell_count(row, is.measured);
    for (size_t i = 0; i < OC_COUNT_OF(times); i++)
        oc_cell_number(row, times[i] * of->tick);
    oc_cell_number(row, is.student);
    oc_cell_number(row, is.critical);
    oc_cell_text(row, isnan(is.critical)               ? NULL
                      : fabs(is.student) > is.critical ? "reject"
                                                       : "accept");
    oc_cell_number(row, is.contention * of->tick);
    oc_cell_number(row, is.fisher);
    oc_cell_number(row, is.fisher_critical);
    return OCELOTL_OK;
}

static oc_table threads_of(source *of)
{
    return (oc_table){
        thread_headings, OC_COUNT_OF(thread_headings), of, sizeof *of, of->info.threads,
        fill_thread};
}

static oc_table routes_of(source *of)
{
    return (oc_table){route_headings, OC_COUNT_OF(route_headings), of, sizeof *of, of->info.routes,
                      fill_route};
}

static ocelotl_status add_members(oc_json *json, void *state)
{
    source *of = state;
    const ocelotl_perturbation_info *info = &of->info;
    const oc_table threads = threads_of(of);
    const oc_table routes = routes_of(of);
    const ocelotl_shares shares =
        ocelotl_perturbation_shares(info->reference, info->new_length, info->length);
    const struct {
        const char *key;
        uint64_t count;
    } counts[] = {{"records", info->records},
                  {"clamped", info->clamped},
                  {"messages", info->messages},
                  {"unmatched", info->unmatched},
                  {"tachyons", info->wrong},
                  {"arrived", info->arrived},
                  {"arrived_after", info->arrives},
                  {"modelled", info->modelled},
                  {"all_modelled", info->all_modelled},
                  {"at_risk", info->at_risk},
                  {"entangled", info->entangled},
                  {"collectives", info->collectives},
                  {"collectives_broken", info->broken}};
    oc_json_text(json, "name", ocelotl_trace_info_of(of->trace).name);
    oc_json_text(json, "uid", ocelotl_trace_info_of(of->trace).uid);
    for (size_t i = 0; i < OC_COUNT_OF(counts); i++)
        oc_json_count(json, counts[i].key, counts[i].count);
    oc_json_text(json, "left_out", info->left_out);
    oc_json_number(json, "ready", info->ready * of->tick);
    oc_json_number(json, "cost", info->cost * of->tick);
    oc_json_number(json, "most_excess", info->most_excess * of->tick);
    oc_json_number(json, "length", info->length * of->tick);
    oc_json_number(json, "new_length", info->new_length * of->tick);
    if (info->most_length > 0) {
        oc_json_number(json, "least_length", info->least_length * of->tick);
        oc_json_number(json, "most_length", info->most_length * of->tick);
    }
    if (info->reference > 0) {
        oc_json_number(json, "reference", info->reference * of->tick);
        oc_json_number(json, "perturbation", shares.perturbation);
        oc_json_number(json, "residual", shares.residual);
        oc_json_number(json, "removed", shares.removed);
    }
    OC_TRY(oc_json_rows(json, "transits", &routes, 1));
    return oc_json_rows(json, "threads", &threads, 1);
}

/* --- Text, for people */

enum { SHOWN_MOST = 40 };
static const double RARELY = 0.01;

/* A share of the messages, in percent of these. */
static double percent(const source *of, uint64_t count)
{
    return of->info.messages > 0 ? 100 * (double)count / (double)of->info.messages : 0;
}

static void print_messages(oc_output *out, const source *of)
{
    const ocelotl_perturbation_info *info = &of->info;
    oc_output_format(out,
                     "messages   %" PRIu64 "; %" PRIu64
                     " (%.0f %%) were there before their receiver came, %" PRIu64
                     " (%.0f %%) are then\n"
                     "model      %" PRIu64 " (%.0f %%) transits are the model's; by the rule of "
                     "Sarukkai and Malony %" PRIu64 " (%.0f %%)\n",
                     info->messages, info->arrived, percent(of, info->arrived), info->arrives,
                     percent(of, info->arrives), info->modelled, percent(of, info->modelled),
                     info->all_modelled, percent(of, info->all_modelled));
    if (info->at_risk > 0)
        oc_output_format(out,
                         "order      %" PRIu64
                         " messages would have come in another order than the "
                         "one before: the program\n           may have done something else\n",
                         info->at_risk);
    if (info->entangled > 0)
        oc_output_format(out,
                         "entangled  %" PRIu64 " waits for each other within a tick are taken as "
                         "they are\n",
                         info->entangled);
}

static void print_length(oc_output *out, const source *of)
{
    const ocelotl_perturbation_info *info = &of->info;
    const ocelotl_shares shares =
        ocelotl_perturbation_shares(info->reference, info->new_length, info->length);
    if (!info->predicts || info->records > 0)
        oc_output_format(out, "cost       %s of %" PRIu64 " records together\n",
                         oc_long_time(info->cost * of->tick).text, info->records);
    if (info->clamped > 0)
        oc_output_format(out,
                         "excess     the cost is larger than the time there was, %" PRIu64
                         " times, by up to %s\n",
                         info->clamped, oc_long_time(info->most_excess * of->tick).text);
    print_messages(out, of);
    oc_output_format(
        out, "run        %s; %s %s (%+.2f %%)\n", oc_long_time(info->length * of->tick).text,
        info->predicts ? "predicted" : "corrected", oc_long_time(info->new_length * of->tick).text,
        100 * (info->new_length / info->length - 1));
    if (info->most_length > 0)
        oc_output_format(out, "bounds     %s to %s\n",
                         oc_long_time(info->least_length * of->tick).text,
                         oc_long_time(info->most_length * of->tick).text);
    if (info->reference > 0)
        oc_output_format(out,
                         "reference  %s; tracing added %.3g %%, %.3g %% is left, %.4g %% of it is "
                         "removed\n",
                         oc_long_time(info->reference * of->tick).text, 100 * shares.perturbation,
                         100 * shares.residual, 100 * shares.removed);
}

static void print_routes(oc_output *out, const source *of)
{
    oc_output_add(out, "\n   bytes messages measured      least     median       most      model "
                       "   each KB         F         t  critical  within\n");
    for (uint32_t i = 0; i < of->info.routes && i < SHOWN_MOST; i++) {
        const ocelotl_route is = ocelotl_perturbation_route_at(of->perturbation, i);
        oc_output_format(out, "%8.9g %8" PRIu64 " %8" PRIu64, is.bytes, is.messages, is.measured);
        const double kilobyte = is.contention > 0 ? 1000 * is.contention : (double)NAN;
        const double times[] = {is.least, is.median, is.most, is.model, kilobyte};
        for (size_t k = 0; k < OC_COUNT_OF(times); k++)
            oc_output_format(out, " %10s",
                             isnan(times[k]) ? "-" : oc_short_time(times[k] * of->tick).text);
        const double tests[] = {is.fisher, is.student, is.critical};
        for (size_t k = 0; k < OC_COUNT_OF(tests); k++)
            if (isnan(tests[k]))
                oc_output_format(out, " %9s", "-");
            else
                oc_output_format(out, k == 0 ? " %9.4g" : " %9.3f", tests[k]);
        const bool paired = is.source[0] != '\0';
        oc_output_print(out, "%s%s%s%s%s%s", is.within[0] != '\0' || paired ? "  " : "", is.within,
                        paired && is.within[0] != '\0' ? "  " : "", is.source, paired ? " to " : "",
                        is.target);
        oc_output_add(out, isnan(is.critical)               ? "\n"
                           : fabs(is.student) > is.critical ? "  rejected\n"
                                                            : "  accepted\n");
    }
    if (of->info.routes > SHOWN_MOST)
        oc_output_format(out, "the first %d; --check --csv has all %u\n", SHOWN_MOST,
                         of->info.routes);
}

static ocelotl_status print_all(oc_output *out, void *state)
{
    const source *of = state;
    const ocelotl_perturbation_info *info = &of->info;
    oc_output_print(out, "name       %s\n", ocelotl_trace_info_of(of->trace).name);
    oc_output_format(out, "threads    %u\n", info->threads);
    oc_output_collectives(out, info->collectives, info->left_out);
    if (info->broken > 0)
        oc_output_format(out,
                         "broken     %" PRIu64 " operations are left out: somebody leaves before "
                         "all have come, or no root is known\n",
                         info->broken);
    if (info->wrong > 0)
        oc_output_format(out, "wrong      %" PRIu64 " messages end before they begin\n",
                         info->wrong);
    if (info->unmatched > 0)
        oc_output_format(out, "unmatched  %" PRIu64 " links have one end alone, and say nothing\n",
                         info->unmatched);
    if (info->ready > RARELY * info->running)
        oc_output_format(
            out,
            "turns      threads were ready for %s without a CPU: more of them run than "
            "the machine has\n           CPUs, and how they take turns stays as it "
            "was\n",
            oc_long_time(info->ready * of->tick).text);
    if (!info->checks)
        print_length(out, of);
    if (info->routes > 0)
        print_routes(out, of);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_perturbation_write(const ocelotl_sink *sink, ocelotl_form form,
                                          const ocelotl_perturbation *perturbation,
                                          const ocelotl_trace *trace)
{
    source of = {trace, perturbation, ocelotl_perturbation_info_of(perturbation),
                 oc_tick_of(trace)};
    const oc_forms forms = {&of, add_members, print_all,
                            of.info.checks ? routes_of(&of) : threads_of(&of)};
    return oc_forms_write(sink, form, &forms);
}
