/* ocelotl-cli clocks: how the clocks of a trace differ, and the trace in the time of one. */
#include "shell.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct found {
    ocelotl_trace *trace;
    ocelotl_clocks *clocks;
} found;

static ocelotl_status write_answer(const ocelotl_sink *sink, cli_content content, void *of)
{
    const found *what = of;
    return content == CLI_JSON_TEXT  ? ocelotl_clocks_write_json(sink, what->clocks, what->trace)
           : content == CLI_CSV_TEXT ? ocelotl_clocks_write_csv(sink, what->clocks, what->trace)
                                     : ocelotl_clocks_write_text(sink, what->clocks, what->trace);
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
static const char *level_above(const found *what)
{
    const ocelotl_trace *trace = what->trace;
    const uint32_t clock = ocelotl_clocks_at(what->clocks, 0).resource;
    for (uint32_t r = clock; r != OCELOTL_ROOT; r = ocelotl_trace_resource_at(trace, r).parent) {
        const uint32_t type = ocelotl_trace_resource_at(trace, r).type;
        if (r != clock && count_of_type(trace, type) > 1)
            return ocelotl_trace_resource_type_at(trace, type).name;
    }
    return "";
}

/* Whoever has not chosen what has a clock is told what it is, and what is above. */
static void say_apart(const found *what, const ocelotl_request *request)
{
    char groups[1000] = "";
    const ocelotl_clocks_info info = ocelotl_clocks_info_of(what->clocks);
    list_groups(groups, sizeof groups, what->clocks);
    const char *level = level_above(what);
    cli_say("%s: its %u clocks are in %u groups (%s), and no messages both ways or round join "
            "these, so nothing says how they differ; each %s has a clock%s; expected %s%s%s"
            "messages between them, collective operations (--collective, or --evidence "
            "messages,collectives for names of MPI), samples, or --groups apart",
            request->operands[0], info.clocks, info.groups, groups,
            info.clock_type[0] != '\0' ? info.clock_type : "resource",
            request->at == NULL ? ", since links begin and end there" : "",
            level[0] != '\0' ? "fewer clocks (--at " : "", level, level[0] != '\0' ? "), " : "");
}

static ocelotl_status draw(const cli_job *job, const found *what)
{
    const ocelotl_request *request = job->request;
    ocelotl_clock_points *points = NULL;
    if (request->pair == NULL)
        return ocelotl_clocks_render(request->output, what->trace, what->clocks, &job->view);
    ocelotl_status status = ocelotl_clock_points_find(&points, what->clocks, request->pair);
    if (status == OCELOTL_OK)
        status = ocelotl_clock_points_render(request->output, what->trace, points, &job->view);
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

/* Of groups that nothing joins a trace is written only where they may stay apart. */
static int write_output(cli_job *job, found *what)
{
    const ocelotl_request *request = job->request;
    const ocelotl_clocks_info info = ocelotl_clocks_info_of(what->clocks);
    const bool apart = info.groups > 1 && request->groups == 0;
    if (request->pair != NULL)
        return cli_code(draw(job, what));
    if (apart)
        say_apart(what, request);
    if (cli_draws(job)) {
        const int code = cli_code(draw(job, what));
        return code == CLI_DONE && apart ? CLI_WRONG : code;
    }
    if (job->content != CLI_TRACE_DB) {
        const int code = cli_write_answer(request->output, job->content, write_answer, what);
        return code == CLI_DONE && apart ? CLI_WRONG : code;
    }
    if (apart)
        return CLI_WRONG;
    char of_all[32] = "";
    char why[100] = "";
    say_why(why, sizeof why, &info);
    if (info.messages > 0)
        snprintf(of_all, sizeof of_all, " of %" PRIu64, info.messages);
    const int code =
        cli_code(ocelotl_clocks_write_trace(request->output, what->clocks, NULL, request->force));
    if (code == CLI_DONE && info.still > 0)
        cli_say("%s: %" PRIu64 "%s messages between clocks still end before they begin, instead "
                "of %" PRIu64 ": %sexpected --amortise for none",
                request->output, info.still, of_all, info.wrong, why);
    if (code == CLI_DONE && info.still == 0 && info.bent > 0 && info.windows < 2 &&
        !request->amortise)
        cli_say("%s: what is known of %s and %s contradicts itself by %.6g s%s: nothing bounds "
                "these clocks",
                request->operands[0], ocelotl_clocks_at(what->clocks, info.bent_first).path,
                ocelotl_clocks_at(what->clocks, info.bent_second).path,
                ocelotl_trace_seconds(what->trace, 1) * info.bent_by,
                info.bent_samples > 0 ? " (samples of them may be wrong)" : "");
    return code;
}

int cli_clocks(cli_job *job)
{
    found what = {.trace = NULL};
    int code = cli_check_picture(job);
    if (code == CLI_DONE && !cli_draws(job) && job->request->pair != NULL)
        code = cli_usage(job->request->command,
                         "--pair is drawn, expected -o FILE.svg, .png or .pdf with it");
    if (code == CLI_DONE && job->request->tick_factor > 0 && job->content != CLI_TRACE_DB)
        code = cli_usage(job->request->command,
                         "--tick-factor is of the new trace, expected -o FILE.db with it");
    if (code == CLI_DONE)
        code = cli_begin_trace(&what.trace, job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_session_clocks(&what.clocks, job->session, job->request));
    if (code == CLI_DONE)
        code = write_output(job, &what);
    ocelotl_clocks_free(what.clocks);
    return code;
}
