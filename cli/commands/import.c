/* ocelotl-cli import: a trace of any known format becomes a trace.db. */
#include "shell.h"

#include <string.h>

static int say_result(const cli_job *job)
{
    const char *path = job->request->output;
    const ocelotl_form form = job->request->json ? OCELOTL_FORM_JSON : OCELOTL_FORM_TEXT;
    ocelotl_trace *trace = NULL;
    ocelotl_buffer made = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&made);
    int code = cli_code(ocelotl_trace_open(&trace, path));
    if (code == CLI_DONE)
        code = cli_write_made(NULL, ocelotl_import_write(&sink, form, trace, path), &made);
    if (code == CLI_DONE) {
        /* Prints oddities at once, not only when `info` asks for them. */
        unsigned long long count = 0;
        for (uint32_t i = 0; i < ocelotl_trace_warning_count(trace); i++) {
            const ocelotl_warning warning = ocelotl_trace_warning_at(trace, i);
            if (strcmp(warning.kind, "header whose columns were guessed") == 0)
                cli_say("guessed of the table: %s", warning.detail);
            else
                count += warning.count;
        }
        if (count > 0)
            cli_say("%llu %s in the trace; ocelotl-cli info %s lists them", count,
                    count == 1 ? "oddity" : "oddities", path);
        ocelotl_say_skipped(trace, &job->told);
    }
    ocelotl_trace_free(trace);
    if (code != CLI_INTERNAL)
        return code;
    /* It is in its place, whatever memory lacks to say of it. */
    printf("%s\n", path);
    return CLI_DONE;
}

static ocelotl_status import(cli_job *job, const char *target, int step)
{
    const ocelotl_request *request = job->request;
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    ocelotl_request_import_options(&options, request);
    options.format = request->format;
    options.name = request->name;
    options.overwrite = request->force;
    options.work.progress = cli_show_progress;
    options.work.context = &job->progress;
    options.work.exchange = cli_exchange();
    cli_begin_step(&job->progress, step);
    const ocelotl_status status =
        ocelotl_import_files(target, request->operands, request->operand_count, &options);
    cli_end_step(&job->progress);
    return ocelotl_import_explain(status, request->lenient);
}

static ocelotl_work work_of(cli_job *job)
{
    return (ocelotl_work){.progress = cli_show_progress, .context = &job->progress};
}

/* --- Runs */

/* What is imported already is split as it is; *trace is NULL where it has just been imported. */
static ocelotl_status find_whole(ocelotl_trace **trace, cli_job *job, const ocelotl_run *run)
{
    const ocelotl_request *request = job->request;
    const char *given = request->operands[0];
    ocelotl_file_kind kind = OCELOTL_FILE_TRACE;
    if (request->operand_count == 1 && !cli_is_standard_input(given) && request->format == NULL)
        (void)ocelotl_identify(&kind, given);
    return kind == OCELOTL_FILE_TRACE_DB
               ? ocelotl_trace_open(trace, given)
               : import(job, ocelotl_run_whole(run), OCELOTL_STEP_IMPORTING);
}

static ocelotl_status import_run(cli_job *job)
{
    const ocelotl_request *request = job->request;
    const ocelotl_work work = work_of(job);
    uint32_t shards = request->shards;
    ocelotl_run *run = NULL;
    ocelotl_trace *trace = NULL;
    ocelotl_status status = ocelotl_run_open(&run, request->output, request->force, cli_exchange());
    if (status == OCELOTL_OK)
        status = find_whole(&trace, job, run);
    if (status == OCELOTL_OK) {
        cli_begin_step(&job->progress, CLI_WRITING);
        status = ocelotl_run_split(&shards, run, trace, &work);
        cli_end_step(&job->progress);
    }
    if (status == OCELOTL_OK && shards < request->shards)
        cli_say("%u shard%s: something happens in no more resources", (unsigned)shards,
                shards == 1 ? "" : "s");
    if (status == OCELOTL_OK && cli_has_ranks() && shards < cli_exchange()->count)
        cli_say("%u of %u ranks write nothing: the run has %u shard%s",
                (unsigned)(cli_exchange()->count - shards), (unsigned)cli_exchange()->count,
                (unsigned)shards, shards == 1 ? "" : "s");
    ocelotl_trace_free(trace);
    ocelotl_run_free(run);
    return status;
}

int cli_merge(cli_job *job)
{
    const ocelotl_request *request = job->request;
    const ocelotl_work work = work_of(job);
    ocelotl_trace *trace = NULL;
    if (job->tried)
        return CLI_READY;
    const int code = cli_begin_trace(&trace, job);
    if (code != CLI_DONE)
        return code;
    cli_begin_step(&job->progress, CLI_WRITING);
    const ocelotl_status status =
        ocelotl_trace_merge(request->output, trace, request->force, &work);
    cli_end_step(&job->progress);
    return status == OCELOTL_OK ? say_result(job) : cli_code(status);
}

/* --- The command */

/* Standard input is read twice if a default gives way. */
int cli_import(cli_job *job)
{
    const ocelotl_request *request = job->request;
    const char *kept = NULL;
    ocelotl_status status = OCELOTL_OK;
    for (size_t i = 1; i < request->operand_count; i++)
        if (cli_check_not_input(request->output, request->operands[i]) != CLI_DONE)
            return CLI_WRONG;
    if (job->tried)
        return CLI_READY;
    for (size_t i = 0; i < request->operand_count && job->yields && status == OCELOTL_OK; i++)
        if (cli_is_standard_input(request->operands[i]))
            status = job->told.standard_input(job->told.context, &kept);
    const int code =
        cli_code(status != OCELOTL_OK  ? status
                 : request->shards > 0 ? import_run(job)
                                       : import(job, request->output, CLI_IMPORTING_ALONE));
    return code == CLI_DONE ? say_result(job) : code;
}
