/* clocks: how the clocks of a trace differ, and the trace in the time of one. */
#include "request/questions/question.h"
#include "viz/pictures.h"

#include <inttypes.h>
#include <stdio.h>

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

enum { NAMED_MOST = 6 };

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
    ocelotl_clocks_options options = OCELOTL_CLOCKS_OPTIONS_INIT;
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

static ocelotl_status write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    return ocelotl_clocks_write(sink, form, answer->found, answer->trace);
}

static ocelotl_status draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                           ocelotl_answer *answer, const ocelotl_request *drawn,
                           const ocelotl_picture_options *view)
{
    ocelotl_clock_points *points = NULL;
    if (drawn->pair == NULL)
        return ocelotl_clocks_draw(sink, format, answer->trace, answer->found, view);
    OC_TRY(ocelotl_clock_points_find(&points, answer->found, drawn->pair));
    const ocelotl_status status =
        ocelotl_clock_points_draw(sink, format, answer->trace, points, view);
    ocelotl_clock_points_free(points);
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
