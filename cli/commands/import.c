/* ocelotl-cli import: a trace of any known format becomes a trace.db. */
#include "shell.h"

#include <string.h>

/* A trace.db that was made. */
typedef struct made_trace {
    const char *path;
    ocelotl_trace *trace;
} made_trace;

static ocelotl_status write_summary(const ocelotl_sink *sink, ocelotl_form form, void *of)
{
    const made_trace *made = of;
    return ocelotl_import_write(sink, form, made->trace, made->path);
}

/* Prints oddities at once, not only when `info` asks for them. */
static void say_oddities(const made_trace *made)
{
    unsigned long long count = 0;
    for (uint32_t i = 0; i < ocelotl_trace_warning_count(made->trace); i++) {
        const ocelotl_warning warning = ocelotl_trace_warning_at(made->trace, i);
        if (strcmp(warning.kind, "header whose columns were guessed") == 0)
            cli_say("guessed of the table: %s", warning.detail);
        else
            count += warning.count;
    }
    if (count > 0)
        cli_say("%llu %s in the trace; ocelotl-cli info %s lists them", count,
                count == 1 ? "oddity" : "oddities", made->path);
}

static int say_result(const cli_job *job)
{
    const ocelotl_request *request = job->request;
    const cli_content content = request->json ? CLI_JSON_TEXT : CLI_TEXT;
    made_trace made = {.path = request->output};
    int code = cli_code(ocelotl_trace_open(&made.trace, made.path));
    if (code == CLI_DONE)
        code = cli_write_answer(NULL, content, write_summary, &made);
    if (code == CLI_DONE) {
        say_oddities(&made);
        ocelotl_say_skipped(made.trace, &job->told);
    }
    ocelotl_trace_free(made.trace);
    if (code != CLI_INTERNAL)
        return code;
    /* It is in its place, whatever memory lacks to say of it. */
    printf("%s\n", made.path);
    return CLI_DONE;
}

static ocelotl_status import(cli_job *job)
{
    const ocelotl_request *request = job->request;
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    const cli_step whole = {cli_importing.what, cli_importing.unit, 1, false};
    ocelotl_request_import_options(&options, request);
    options.format = request->format;
    options.name = request->name;
    options.overwrite = request->force;
    options.work.progress = cli_show_progress;
    options.work.context = &job->progress;
    cli_begin_step(&job->progress, &whole);
    const ocelotl_status status =
        ocelotl_import_files(request->output, request->operands, request->operand_count, &options);
    cli_end_step(&job->progress);
    return ocelotl_import_explain(status, request->lenient);
}

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
    const int code = cli_code(status == OCELOTL_OK ? import(job) : status);
    return code == CLI_DONE ? say_result(job) : code;
}
