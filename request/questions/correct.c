/* correct: a run without what tracing cost, or on another machine. */
#include "answer/table.h"
#include "base/memory.h"
#include "base/plain.h"
#include "quality/perturbation.h"
#include "request/options/words.h"
#include "request/questions/question.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static ocelotl_status write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    source of = {answer->trace, answer->found, ocelotl_perturbation_info_of(answer->found),
                 oc_tick_of(answer->trace)};
    const oc_forms forms = {&of, add_members, print_all,
                            of.info.checks ? routes_of(&of) : threads_of(&of)};
    return oc_forms_write(sink, form, &forms);
}

/* What the texts of a request say. */
typedef struct asked {
    const ocelotl_request *request;
    oc_arena arena;
    double tick; /* in seconds */
    ocelotl_factors *changes;
} asked;

static const char *copy_part(asked *a, const char *text, size_t length)
{
    return oc_arena_copy_bytes(&a->arena, text, length);
}

/* Reads a length of time as ticks. */
static ocelotl_status read_ticks(double *ticks, const asked *a, const char *text,
                                 const char *option)
{
    OC_TRY(oc_read_duration(ticks, text, option));
    *ticks /= a->tick;
    return *ticks < 0x1p62 ? OCELOTL_OK
                           : oc_fail(OCELOTL_ERROR_ARGUMENT,
                                     "--%s is \"%s\", expected less than 2^62 ticks", option, text);
}

/* What is behind PATTERN= where that is there. */
static const char *read_pattern(ocelotl_named_number *named, asked *a, const char *text)
{
    const char *equals = strrchr(text, '=');
    named->pattern = equals != NULL ? copy_part(a, text, (size_t)(equals - text)) : NULL;
    return equals != NULL ? equals + 1 : text;
}

static ocelotl_status read_cost(ocelotl_named_number *cost, asked *a, const char *text)
{
    return read_ticks(&cost->number, a, read_pattern(cost, a, text), "cost");
}

static ocelotl_status read_model(ocelotl_named_number *model, asked *a, const char *text)
{
    const char *word = read_pattern(model, a, text);
    const size_t which = oc_find_word("asynchronous|rendezvous", word, strlen(word));
    model->number = which == 0 && model->pattern == NULL ? -1 : (double)which;
    return which < SIZE_MAX ? OCELOTL_OK
                            : oc_fail(OCELOTL_ERROR_ARGUMENT,
                                      "--model is \"%s\", expected asynchronous or rendezvous, "
                                      "perhaps behind PATTERN=",
                                      text);
}

static bool read_factor(double *factor, const char *text)
{
    char *end;
    *factor = oc_plain_number(text, &end);
    return end != text && *end == '\0' && *factor >= 1e-9 && *factor <= 1e9;
}

static ocelotl_status read_speed(ocelotl_named_number *time, asked *a, const char *text)
{
    double speed;
    if (!read_factor(&speed, read_pattern(time, a, text)))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--speed is \"%s\", expected PATTERN=X with X from 1e-9 to 1e9", text);
    time->number = 1 / speed;
    return OCELOTL_OK;
}

/* Reads BETA or BETA+TAU*UNIT. */
static ocelotl_status read_line(ocelotl_size_line *line, asked *a, const char *text,
                                const char *option)
{
    static const char units[] = "B|KB|MB|GB|KiB|MiB|GiB";
    static const double bytes[] = {1, 1e3, 1e6, 1e9, 0x1p10, 0x1p20, 0x1p30};
    const char *plus = strchr(text, '+');
    const char *times = plus != NULL ? strrchr(plus, '*') : NULL;
    const size_t unit = times != NULL ? oc_find_word(units, times + 1, strlen(times + 1)) : 0;
    if (plus != NULL && (times == NULL || unit == SIZE_MAX))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--%s is \"%s\", expected a time, or one and that of a size more, as "
                       "230us+48.4ns*KB (B, KB, MB, GB, KiB, MiB, GiB)",
                       option, text);
    const char *fixed = plus != NULL ? copy_part(a, text, (size_t)(plus - text)) : text;
    OC_TRY(read_ticks(&line->fixed, a, fixed, option));
    if (plus != NULL)
        OC_TRY(read_ticks(&line->per_byte, a, copy_part(a, plus + 1, (size_t)(times - plus - 1)),
                          option));
    line->per_byte /= bytes[unit];
    return OCELOTL_OK;
}

/* Reads NAME*X,.. or RESOURCES: NAME*X,.. */
static ocelotl_status read_change(ocelotl_factors *change, asked *a, const char *text)
{
    static const char words[] = "compute|latency|bandwidth";
    *change = (ocelotl_factors){NULL, 1, 1, 1};
    double *const factors[] = {&change->compute, &change->latency, &change->bandwidth};
    const char *colon = strrchr(text, ':');
    const char *at = colon != NULL ? colon + 1 + strspn(colon + 1, " ") : text;
    bool is_read = *at != '\0';
    if (colon != NULL)
        change->resources = copy_part(a, text, (size_t)(colon - text));
    while (is_read && *at != '\0') {
        const size_t length = strcspn(at, "*");
        const size_t item = strcspn(at, ",");
        const size_t which = oc_find_word(words, at, length);
        is_read = length < item && which < SIZE_MAX &&
                  read_factor(factors[which], copy_part(a, at + length + 1, item - length - 1));
        at += item + (at[item] == ',');
    }
    return is_read ? OCELOTL_OK
                   : oc_fail(OCELOTL_ERROR_ARGUMENT,
                             "--what-if is \"%s\", expected factors from 1e-9 to 1e9, as "
                             "latency*0.5,bandwidth*2,compute*0.8, behind RESOURCES: perhaps",
                             text);
}

typedef ocelotl_status (*read_number)(ocelotl_named_number *number, asked *a, const char *text);

/* Reads the texts of an option, and takes patterns of another one for 0. */
static ocelotl_status read_numbers(ocelotl_named_numbers *numbers, asked *a, read_number read,
                                   const ocelotl_names *texts, const ocelotl_names *zeros)
{
    ocelotl_named_number *items = NULL;
    const size_t count = texts->count + (zeros != NULL ? zeros->count : 0);
    OC_TRY(oc_arena_allocate(&items, &a->arena, count, sizeof *items));
    for (size_t i = 0; i < texts->count; i++)
        OC_TRY(read(&items[i], a, texts->names[i]));
    for (size_t i = texts->count; i < count; i++)
        items[i].pattern = zeros->names[i - texts->count];
    *numbers = (ocelotl_named_numbers){items, count};
    return OCELOTL_OK;
}

static ocelotl_status read_texts(ocelotl_perturbation_options *options, asked *a)
{
    const ocelotl_request *request = a->request;
    OC_TRY(oc_arena_allocate(&a->changes, &a->arena, request->changes.count, sizeof *a->changes));
    OC_TRY(read_numbers(&options->costs, a, read_cost, &request->costs, NULL));
    OC_TRY(read_numbers(&options->models, a, read_model, &request->link_models, NULL));
    OC_TRY(read_numbers(&options->times, a, read_speed, &request->speeds, &request->without));
    for (size_t i = 0; i < request->changes.count; i++)
        OC_TRY(read_change(&a->changes[i], a, request->changes.names[i]));
    options->changes = a->changes;
    options->change_count = request->changes.count;
    options->copies = request->copy != NULL;
    if (options->copies)
        OC_TRY(read_line(&options->copy, a, request->copy, "copy"));
    const char *transit = request->transit != NULL ? request->transit : "fit";
    const size_t word = oc_find_word("fit|pairs", transit, strlen(transit));
    options->transit = word < SIZE_MAX ? (ocelotl_transit)word : OCELOTL_TRANSIT_GIVEN;
    if (word == SIZE_MAX)
        OC_TRY(read_line(&options->line, a, transit, "transit"));
    return oc_arena_status(&a->arena);
}

/* What is asked of another machine predicts. */
static bool predicts(const ocelotl_request *request)
{
    return request->predict || request->copy != NULL || request->changes.count > 0 ||
           request->speeds.count > 0 || request->without.count > 0;
}

static ocelotl_status compute(ocelotl_answer *answer, asked *a)
{
    ocelotl_perturbation *found = NULL;
    ocelotl_session *session = answer->session;
    const ocelotl_request *request = answer->request;
    ocelotl_perturbation_options options = {0};
    options.cost_attribute = request->cost_attribute;
    options.ends_alone = request->cost_at == 1;
    options.arrived = request->arrived;
    options.rendezvous_above = (double)request->rendezvous_above;
    options.predict = predicts(request);
    options.check = request->check;
    options.bounds = request->bounds;
    options.at = request->at;
    options.type = request->type;
    options.attribute = request->model.cells.attribute;
    options.collectives = request->collective_patterns;
    options.reference = request->reference_time.seconds / a->tick;
    options.lenient = request->lenient;
    OC_TRY(read_texts(&options, a));
    options.simulate_all =
        request->simulate == 1 || (options.predict && options.transit == OCELOTL_TRANSIT_GIVEN);
    oc_session_begin_reading(&options.work, session);
    const ocelotl_status status = ocelotl_perturbation_compute(&found, answer->trace, &options);
    oc_session_end(session);
    OC_TRY(status);
    answer->found = found;
    return OCELOTL_OK;
}

static ocelotl_status find(ocelotl_answer *answer)
{
    asked a = {.request = answer->request, .tick = ocelotl_trace_seconds(answer->trace, 1)};
    const ocelotl_status status = compute(answer, &a);
    oc_arena_free(&a.arena);
    return status;
}

static ocelotl_status check(const ocelotl_request *request, ocelotl_form form, const char *path,
                            const ocelotl_picture_options *view)
{
    OC_TRY(ocelotl_picture_check(oc_picture_path(path, form), view));
    /* Reads what no trace needs to be known for. */
    ocelotl_perturbation_options options = {0};
    asked a = {.request = request, .tick = 1};
    const ocelotl_status status = read_texts(&options, &a);
    oc_arena_free(&a.arena);
    OC_TRY(status);
    if (request->reference_time.text != NULL && request->reference_time.seconds <= 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--reference-time is \"%s\", expected more than no time",
                       request->reference_time.text);
    if (request->check && form == OCELOTL_FORM_TRACE)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--check corrects nothing, expected no -o FILE.db with it");
    return request->check || predicts(request) || request->costs.count > 0 ||
                   request->cost_attribute != NULL
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "nothing says what a record cost, expected --cost; that is how much "
                         "longer a run takes with the tracer, by its records");
}

/* The trace keeps the command, without where it went. */
static ocelotl_status derive(const char *path, ocelotl_answer *answer, const char *title,
                             bool overwrite)
{
    oc_text how = {0};
    const ocelotl_request *request = answer->request;
    (void)title;
    oc_text_add(&how, "correct");
    for (size_t i = 0; i < request->given_count; i++) {
        const ocelotl_given *given = &request->given[i];
        const oc_parameter *row = oc_find_parameter(given->name, oc_request_command(request));
        if (row == NULL || (row->flags & OC_OF_OUTPUT) != 0)
            continue;
        oc_text_format(&how, " --%s", given->name);
        if (given->value != NULL)
            oc_write_word(&how, given->value);
    }
    const ocelotl_status status =
        how.failed ? oc_fail_memory()
                   : ocelotl_perturbation_derive(path, answer->found, how.bytes, overwrite);
    oc_text_free(&how);
    return status;
}

static void free_found(ocelotl_answer *answer)
{
    ocelotl_perturbation_free(answer->found);
}

const oc_question oc_correct_question = {
    .command = "correct",
    .answering = {.forms = OC_FORMS_TABLE | OC_FORM(TRACE)},
    .check = check,
    .find = find,
    .write = write,
    .derive = derive,
    .free = free_found,
};
