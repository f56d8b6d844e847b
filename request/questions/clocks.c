/* clocks: how the clocks of a trace differ, and the trace in the time of one. */
#include "quality/clocks.h"
#include "answer/table.h"
#include "base/format/visible.h"
#include "request/questions/question.h"
#include "viz/pictures.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct source {
    const ocelotl_trace *trace;
    const ocelotl_clocks *clocks;
    ocelotl_clocks_info info;
    double tick; /* in seconds */
} source;

static ocelotl_clock clock_at(const source *of, uint32_t index)
{
    return ocelotl_clocks_at(of->clocks, index);
}

/* --- JSON */

static const oc_heading headings[] = {{"clock", OC_CELL_TEXT},     {"group", OC_CELL_INDEX},
                                      {"reference", OC_CELL_FLAG}, {"at", OC_CELL_NUMBER},
                                      {"offset", OC_CELL_NUMBER},  {"drift", OC_CELL_NUMBER},
                                      {"bound", OC_CELL_NUMBER},   {"residual", OC_CELL_NUMBER},
                                      {"messages", OC_CELL_COUNT}, {"samples", OC_CELL_COUNT}};

static ocelotl_status fill_clock(oc_row *row, void *state, size_t index)
{
    const source *of = state;
    const ocelotl_clock clock = clock_at(of, (uint32_t)index);
    oc_cell_text(row, clock.path);
    oc_cell_count(row, clock.group);
    oc_cell_count(row, clock.is_reference);
    oc_cell_number(row, (double)clock.middle * of->tick);
    oc_cell_number(row, clock.offset * of->tick);
    oc_cell_number(row, clock.drift);
    oc_cell_number(row, clock.bound * of->tick);
    oc_cell_number(row, clock.residual * of->tick);
    oc_cell_count(row, clock.messages);
    oc_cell_count(row, clock.samples);
    return OCELOTL_OK;
}

static void add_clock(oc_json *json, source *of, uint32_t index)
{
    oc_row row = {.count = 0};
    fill_clock(&row, of, index);
    oc_json_item(json, 1);
    oc_json_cells(json, headings, &row, 0, row.count);
    if (of->info.pieces > 1 && !(of->info.latency > 0)) {
        /* Of clocks at speeds that change; amortised ones have a piece for each message. */
        const ocelotl_time_function function = ocelotl_clocks_function(of->clocks, index);
        oc_json_list(json, "knots");
        for (size_t i = 0; i < function.count; i++) {
            const ocelotl_time_piece *piece = &function.pieces[i];
            oc_json_list(json, NULL);
            oc_json_number(json, NULL, (double)piece->from * of->tick);
            oc_json_number(json, NULL, -((double)piece->offset + piece->fraction) * of->tick);
            oc_json_number(json, NULL, -piece->drift);
            oc_json_end_list(json);
        }
        oc_json_end_list(json);
    }
    oc_json_end_object(json);
}

static ocelotl_status add_members(oc_json *json, void *state)
{
    static const char *const drifts[] = {"linear", "none", "pieces"};
    static const char *const evidence[] = {"messages", "samples", "collectives"};
    source *of = state;
    const ocelotl_clocks_info *info = &of->info;
    oc_json_text(json, "name", ocelotl_trace_info_of(of->trace).name);
    oc_json_text(json, "uid", ocelotl_trace_info_of(of->trace).uid);
    oc_json_text(json, "clock_type", info->clock_type);
    oc_json_text(json, "drift", drifts[info->drift]);
    oc_json_number(json, "max_drift", info->max_drift);
    oc_json_count(json, "pieces", info->pieces);
    oc_json_count(json, "pieces_joined", info->joined_pieces);
    oc_json_count(json, "groups", info->groups);
    oc_json_number(json, "parted", info->parted * of->tick);
    oc_json_count(json, "pairs", info->pairs);
    oc_json_count(json, "one_way", info->one_way);
    oc_json_count(json, "bent", info->bent);
    oc_json_number(json, "bent_by", info->bent_by * of->tick);
    oc_json_number(json, "enough_drift", info->enough_drift);
    oc_json_list(json, "bent_worst");
    for (int i = 0; i < 2 && info->bent > 0; i++)
        oc_json_text(json, NULL, clock_at(of, i == 0 ? info->bent_first : info->bent_second).path);
    oc_json_end_list(json);
    oc_json_count(json, "messages", info->messages);
    oc_json_count(json, "unmatched", info->unmatched);
    oc_json_count(json, "within_wrong", info->within_wrong);
    oc_json_count(json, "samples", info->samples);
    oc_json_list(json, "evidence");
    for (size_t i = 0; i < OC_COUNT_OF(evidence); i++)
        if ((info->evidence & (uint32_t)1 << i) != 0)
            oc_json_text(json, NULL, evidence[i]);
    oc_json_end_list(json);
    oc_json_count(json, "collectives", info->collectives);
    oc_json_count(json, "collectives_wrong", info->collective_wrong);
    oc_json_count(json, "collectives_left", info->collective_still);
    oc_json_text(json, "left_out", info->left_out);
    oc_json_count(json, "tachyons", info->wrong);
    oc_json_count(json, "tachyons_left", info->still);
    oc_json_number(json, "worst", info->worst * of->tick);
    oc_json_number(json, "worst_left", info->still_worst * of->tick);
    oc_json_number(json, "transit", info->transit >= 0 ? info->transit * of->tick : (double)NAN);
    oc_json_number(json, "least_delay", info->least_delay * of->tick);
    oc_json_number(json, "eps", info->eps * of->tick);
    oc_json_object(json, "amortised");
    oc_json_number(json, "latency", info->latency * of->tick);
    oc_json_count(json, "jumps", info->jumps);
    oc_json_number(json, "largest_jump", info->largest_jump * of->tick);
    oc_json_count(json, "moved", info->moved);
    oc_json_number(json, "largest_move", info->largest_move * of->tick);
    oc_json_end_object(json);
    oc_json_list(json, "clocks");
    for (uint32_t i = 0; i < of->info.clocks; i++)
        add_clock(json, of, i);
    oc_json_end_list(json);
    return OCELOTL_OK;
}

/* --- Text, for people */

enum { SHOWN_MOST = 40, NAMED_MOST = 6 };

static void print_pieces(oc_output *out, const source *of)
{
    const ocelotl_clocks_info *info = &of->info;
    if (info->pieces == 1)
        oc_output_add(out, "pieces     1: clocks are straight, as far as messages tell\n");
    if (info->pieces > 1) {
        oc_output_format(out, "pieces     clocks are straight in each of %u pieces of the run",
                         info->pieces);
        if (info->joined_pieces < info->pieces)
            oc_output_format(
                out, ", but for %u\n           whose messages do not join all clocks both ways",
                info->pieces - info->joined_pieces);
        oc_output_add(out, "\n");
    }
    if (info->bent == 0 || info->pieces > 1)
        return;
    /* What no two clocks that run evenly explain; samples may be wrong, messages are not. */
    oc_output_format(out,
                     "bent       %u pair%s: no two clocks that run evenly explain what is known "
                     "of them, so that\n           nothing bounds them; ",
                     info->bent, info->bent == 1 ? "" : "s");
    if (info->enough_drift > 0)
        oc_output_format(out, "clocks that differ more in speed do: see --max-drift %.9g",
                         info->enough_drift * 1e6);
    else
        oc_output_add(out, "see --drift pieces and --amortise");
    oc_output_print(out, "\n           %s and %s: contradicted by %s",
                    clock_at(of, info->bent_first).path, clock_at(of, info->bent_second).path,
                    oc_long_time(info->bent_by * of->tick).text);
    if (info->bent_samples > 0)
        oc_output_format(out, "; %" PRIu64 " samples of them are used, which may be wrong",
                         info->bent_samples);
    oc_output_add(out, "\n");
}

static void print_messages(oc_output *out, const source *of)
{
    const ocelotl_clocks_info *info = &of->info;
    const bool one = info->pairs == 1;
    oc_output_format(out, "messages   %" PRIu64, info->messages);
    if (info->evidence == OCELOTL_EVIDENCE_MESSAGES)
        oc_output_format(out, " between %u pair%s", info->pairs, one ? "" : "s");
    else
        oc_output_format(out, "; %u pair%s compared", info->pairs, one ? " is" : "s are");
    if (info->one_way > 0)
        oc_output_format(out, ", %u of them one way only", info->one_way);
    if (info->unmatched > 0)
        oc_output_format(out, "\nunmatched  %" PRIu64 " links have one end alone, and say nothing",
                         info->unmatched);
    if (info->samples > 0)
        oc_output_format(out, "\nsamples    %" PRIu64, info->samples);
    oc_output_format(out, "\nwrong      %" PRIu64 " end before they begin", info->wrong);
    if (info->wrong > 0)
        oc_output_format(out, ", by up to %s", oc_long_time(-info->worst * of->tick).text);
    oc_output_format(out, "; in these clocks' time %" PRIu64, info->still);
    if (info->still > 0)
        oc_output_format(out, ", by up to %s", oc_long_time(-info->still_worst * of->tick).text);
    oc_output_add(out, "\n");
    if (info->within_wrong > 0)
        oc_output_format(out,
                         "within     %" PRIu64 " links of one clock end before they begin, which "
                         "no clock explains\n",
                         info->within_wrong);
    oc_output_collectives(out, info->collectives, info->left_out);
    if (info->collective_wrong > 0)
        oc_output_format(out,
                         "           %" PRIu64 " waits in them end before what they wait for; in "
                         "these clocks' time %" PRIu64 "\n",
                         info->collective_wrong, info->collective_still);
    if (info->latency > 0)
        oc_output_format(out,
                         "amortised  %" PRIu64 " messages arrived too early, by up to %s; %" PRIu64
                         " ends were moved,\n           by up to %s\n",
                         info->jumps, oc_long_time(info->largest_jump * of->tick).text, info->moved,
                         oc_long_time(info->largest_move * of->tick).text);
}

/* The theorem in plain words. */
static void print_verdict(oc_output *out, const ocelotl_clocks_info *info, double tick)
{
    if (info->groups > 1)
        oc_output_add(out, "order      events of clocks in different groups are in no order that "
                           "anything tells\n");
    if (info->transit >= 0 && info->eps <= 1e300)
        oc_output_format(
            out,
            "order      events of different clocks are ordered for certain if they are %s apart; "
            "the\n           least message takes %s%s",
            oc_long_time(info->eps * tick).text, oc_long_time(info->transit * tick).text,
            info->still > 0    ? ", and some messages contradict the order\n"
            : info->is_ordered ? ": every cause comes before its effect\n"
                               : ": the clocks alone do not prove the order, but no message\n"
                                 "           contradicts it\n");
}

static ocelotl_status print_all(oc_output *out, void *state)
{
    const source *of = state;
    oc_output_clocks(out, of->trace, of->info.clocks, of->info.clock_type);
    if (of->info.groups > 1)
        oc_output_format(out, ", in %u groups: nothing says how these differ", of->info.groups);
    oc_output_add(out, "\n");
    if (of->info.parted > 0)
        oc_output_format(out,
                         "parted     a new trace moves groups that send by up to %s, so that no "
                         "message\n           between groups is wrong\n",
                         oc_long_time(of->info.parted * of->tick).text);
    print_messages(out, of);
    print_pieces(out, of);
    print_verdict(out, &of->info, of->tick);
    oc_output_add(out, "\n   ahead by (s)  drift (ppm)  bound (us) residual (us) messages  ");
    if (of->info.samples > 0)
        oc_output_add(out, "samples  ");
    oc_output_add(out, of->info.groups > 1 ? "group  clock\n" : "clock\n");
    for (uint32_t i = 0; i < of->info.clocks && i < SHOWN_MOST; i++) {
        const ocelotl_clock clock = clock_at(of, i);
        oc_output_format(out, "%17.9f %11.4f ", clock.offset * of->tick, clock.drift * 1e6);
        if (clock.is_reference)
            oc_output_format(out, "%11s ", "reference");
        else if (clock.bound <= 1e300)
            oc_output_format(out, "%11.4g ", clock.bound * of->tick * 1e6);
        else
            oc_output_format(out, "%11s ", "not known");
        oc_output_format(out, "%12.4g %9" PRIu64 "  ", clock.residual * of->tick * 1e6,
                         clock.messages);
        if (of->info.samples > 0)
            oc_output_format(out, "%7" PRIu64 "  ", clock.samples);
        if (of->info.groups > 1)
            oc_output_format(out, "%5u  ", clock.group);
        oc_output_print(out, "%s\n", clock.path);
    }
    if (of->info.clocks > SHOWN_MOST)
        oc_output_format(out, "the first %d; --csv has all %u\n", SHOWN_MOST, of->info.clocks);
    return OCELOTL_OK;
}

static ocelotl_status write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    source of = {answer->trace, answer->found, ocelotl_clocks_info_of(answer->found),
                 oc_tick_of(answer->trace)};
    const oc_forms forms = {
        &of,
        add_members,
        print_all,
        {headings, OC_COUNT_OF(headings), &of, sizeof of, of.info.clocks, fill_clock}};
    return oc_forms_write(sink, form, &forms);
}

static ocelotl_status check(const ocelotl_request *request, ocelotl_form form, const char *path,
                            const ocelotl_picture_options *view)
{
    OC_TRY(ocelotl_picture_check(oc_picture_path(path, form), view));
    if (request->pair != NULL && (OC_FORMS_PICTURE >> form & 1) == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--between is drawn, expected -o FILE.svg, .png or .pdf with it");
    if (request->tick_factor > 0 && form != OCELOTL_FORM_TRACE)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--tick-factor is of the new trace, expected -o FILE.db with it");
    return OCELOTL_OK;
}

static uint32_t count_members(const ocelotl_clocks *clocks, uint32_t count, uint32_t group)
{
    uint32_t members = 0;
    for (uint32_t i = 0; i < count; i++)
        members += ocelotl_clocks_at(clocks, i).group == group;
    return members;
}

/* Lists the clocks that tell the times of groups. */
static void list_groups(char *text, size_t size, const ocelotl_clocks *clocks)
{
    const ocelotl_clocks_info info = ocelotl_clocks_info_of(clocks);
    size_t length = 0;
    uint32_t named = 0;
    for (uint32_t i = 0; i < info.clocks && named < info.groups && length < size; i++) {
        const ocelotl_clock clock = ocelotl_clocks_at(clocks, i);
        if (!clock.is_reference)
            continue;
        if (named == NAMED_MOST) {
            snprintf(text + length, size - length, "; and %u more", info.groups - named);
            return;
        }
        const uint32_t others = count_members(clocks, info.clocks, clock.group) - 1;
        length += (size_t)snprintf(text + length, size - length, "%s%s", named > 0 ? "; " : "",
                                   clock.path);
        if (others > 0 && length < size)
            length += (size_t)snprintf(text + length, size - length, " with %u other%s", others,
                                       others == 1 ? "" : "s");
        named++;
    }
}

/* How many resources of a type there are. */
static uint32_t count_of_type(const ocelotl_trace *trace, uint32_t type)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < ocelotl_trace_resource_count(trace); r++)
        count += ocelotl_trace_resource_at(trace, r).type == type;
    return count;
}

/* The nearest type above clocks that could have them instead: fewer, but not one for all; or "". */
static const char *level_above(const ocelotl_answer *answer)
{
    const ocelotl_trace *trace = answer->trace;
    const uint32_t clock = ocelotl_clocks_at(answer->found, 0).resource;
    for (uint32_t r = clock; r != OCELOTL_ROOT; r = ocelotl_trace_resource_at(trace, r).parent) {
        const uint32_t type = ocelotl_trace_resource_at(trace, r).type;
        if (r != clock && count_of_type(trace, type) > 1)
            return ocelotl_trace_resource_type_at(trace, type).name;
    }
    return "";
}

/* Says what has a clock, and what is above, for a user who has not chosen it. Of groups that
 * nothing joins a trace is written only where they may stay apart. */
static ocelotl_status fail_apart(const ocelotl_answer *answer)
{
    char groups[1000] = "";
    const ocelotl_request *request = answer->request;
    const ocelotl_clocks_info info = ocelotl_clocks_info_of(answer->found);
    list_groups(groups, sizeof groups, answer->found);
    const char *level = level_above(answer);
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "%s: its %u clocks are in %u groups (%s), and no messages both ways or round "
                   "join these, so nothing says how they differ; each %s has a clock%s; expected "
                   "%s%s%smessages between them, collective operations (--collective, or "
                   "--evidence messages,collectives for names of MPI), samples, or --groups apart",
                   request->operands[0], info.clocks, info.groups, groups,
                   info.clock_type[0] != '\0' ? info.clock_type : "resource",
                   request->at == NULL ? ", since links begin and end there" : "",
                   level[0] != '\0' ? "fewer clocks (--at " : "", level,
                   level[0] != '\0' ? "), " : "");
}

static bool is_apart(const ocelotl_answer *answer)
{
    return ocelotl_clocks_info_of(answer->found).groups > 1 && answer->request->groups == 0;
}

static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_session *session = answer->session;
    const ocelotl_request *request = answer->request;
    ocelotl_clocks *clocks = NULL;
    ocelotl_trace *trace = answer->trace;
    ocelotl_clocks_options options = {0};
    options.at = request->at;
    options.type = request->type;
    options.reference = request->reference;
    options.drift = request->drift;
    options.pieces = request->pieces;
    options.max_drift = oc_drift_of(request);
    options.amortise = request->amortise;
    options.samples = request->samples;
    options.tick_factor = request->tick_factor;
    options.collectives = request->collective_patterns;
    options.evidence = request->evidence;
    if (request->latency.text != NULL) {
        options.latency = ocelotl_trace_first_tick(trace, request->latency.seconds);
        if (options.latency < 1)
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "--latency is \"%s\", expected more than 0 s",
                           request->latency.text);
    }
    oc_session_begin_reading(&options.work, session);
    const ocelotl_status status = ocelotl_clocks_compute(&clocks, trace, &options);
    oc_session_end(session);
    OC_TRY(status);
    answer->found = clocks;
    answer->is_bad = is_apart(answer) && request->pair == NULL;
    if (answer->is_bad && answer->form != OCELOTL_FORM_TRACE) {
        (void)fail_apart(answer);
        oc_session_say(session, "%s", ocelotl_error_message());
    }
    return OCELOTL_OK;
}

static ocelotl_status draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                           ocelotl_answer *answer, const ocelotl_request *drawn,
                           const ocelotl_picture_options *view)
{
    ocelotl_clock_points points;
    if (drawn->pair == NULL)
        return ocelotl_clocks_draw(sink, format, answer->trace, answer->found, view);
    OC_TRY(ocelotl_clock_points_find(&points, answer->found, drawn->pair));
    const ocelotl_status status =
        ocelotl_clock_points_draw(sink, format, answer->trace, &points, view);
    free(points.list);
    return status;
}

/* Why messages end before they begin still, as far as that is known. */
static void say_why(char *text, size_t size, const ocelotl_clocks_info *info)
{
    if (info->enough_drift > 0)
        snprintf(text, size, "clocks may differ more in speed (--max-drift %.9g); ",
                 info->enough_drift * 1e6);
    else if (info->groups > 1 && info->bent == 0)
        snprintf(text, size, "nothing says how groups of clocks differ; ");
    else if (info->drift == OCELOTL_DRIFT_NONE && info->bent == 0)
        snprintf(text, size, "clocks may not run alike (--drift linear); ");
    else if (info->drift != OCELOTL_DRIFT_PIECES)
        snprintf(text, size, "clocks may not run evenly (--drift pieces); ");
}

/* Says what is still wrong in the trace that was written. */
static void say_still(const char *path, const ocelotl_answer *answer)
{
    char of_all[32] = "";
    char why[100] = "";
    const ocelotl_request *request = answer->request;
    const ocelotl_clocks *clocks = answer->found;
    const ocelotl_clocks_info info = ocelotl_clocks_info_of(clocks);
    say_why(why, sizeof why, &info);
    if (info.messages > 0)
        snprintf(of_all, sizeof of_all, " of %" PRIu64, info.messages);
    if (info.still > 0)
        oc_session_say(answer->session,
                       "%s: %" PRIu64 "%s messages between clocks still end before they begin, "
                       "instead of %" PRIu64 ": %sexpected --amortise for none",
                       path, info.still, of_all, info.wrong, why);
    else if (info.bent > 0 && info.pieces < 2 && !request->amortise)
        oc_session_say(answer->session,
                       "%s: what is known of %s and %s contradicts itself by %.6g s%s: nothing "
                       "bounds these clocks",
                       request->operands[0], ocelotl_clocks_at(clocks, info.bent_first).path,
                       ocelotl_clocks_at(clocks, info.bent_second).path,
                       ocelotl_trace_seconds(answer->trace, 1) * info.bent_by,
                       info.bent_samples > 0 ? " (samples of them may be wrong)" : "");
}

static ocelotl_status derive(const char *path, ocelotl_answer *answer, const char *title,
                             bool overwrite)
{
    (void)title;
    if (is_apart(answer))
        return fail_apart(answer);
    OC_TRY(ocelotl_clocks_derive(path, answer->found, NULL, overwrite));
    say_still(path, answer);
    return OCELOTL_OK;
}

static void free_found(ocelotl_answer *answer)
{
    ocelotl_clocks_free(answer->found);
}

const oc_question oc_clocks_question = {
    .command = "clocks",
    .answering = {.forms = OC_FORMS_TABLE | OC_FORMS_PICTURE | OC_FORM(TRACE)},
    .check = check,
    .find = find,
    .write = write,
    .draw = draw,
    .derive = derive,
    .free = free_found,
};
