/* ocelotl-cli import: a trace of any known format becomes a trace.db. */
#include "json.h"
#include "output.h"
#include "progress.h"
#include "shell.h"
#include "visible.h"

#include <string.h>

static void print_text(const char *path, const ocelotl_trace *trace, uint64_t events)
{
    cli_write_visible(stdout, path);
    printf(": %u resources, %llu events\n", ocelotl_trace_resource_count(trace),
           (unsigned long long)events);
}

static void print_json(const char *path, const ocelotl_trace *trace, uint64_t events,
                       uint64_t warnings)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    printf("{\"path\":");
    cli_json_string(stdout, path);
    printf(",\"name\":");
    cli_json_string(stdout, info.name);
    printf(",\"uid\":");
    cli_json_string(stdout, info.uid);
    printf(",\"resources\":%u,\"events\":%llu,\"warnings\":%llu}\n",
           ocelotl_trace_resource_count(trace), (unsigned long long)events,
           (unsigned long long)warnings);
}

/* What was odd is said at once, not only when somebody asks. */
static int say_result(const cli_job *job, const char *path, bool json)
{
    ocelotl_trace *trace = NULL;
    uint64_t events = 0;
    const ocelotl_status status = ocelotl_trace_open(&trace, path);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++)
        events += ocelotl_trace_event_type_at(trace, i).count;
    uint64_t warnings = 0;
    for (uint32_t i = 0; i < ocelotl_trace_warning_count(trace); i++)
        warnings += ocelotl_trace_warning_at(trace, i).count;
    if (json)
        print_json(path, trace, events, warnings);
    else
        print_text(path, trace, events);
    if (warnings > 0)
        cli_say("%llu %s in the trace; ocelotl-cli info %s lists them",
                (unsigned long long)warnings, warnings == 1 ? "oddity" : "oddities", path);
    ocelotl_say_skipped(trace, &job->told);
    ocelotl_trace_free(trace);
    return CLI_DONE;
}

static ocelotl_status import(cli_job *job)
{
    const ocelotl_request *request = job->request;
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    const cli_step whole = {cli_importing.what, cli_importing.unit, 1, false};
    options.format = request->format;
    options.name = request->name;
    options.overwrite = request->force;
    options.lenient = request->lenient;
    options.time_unit = request->time_unit;
    options.same_root = request->same_root;
    options.work.progress = cli_show_progress;
    options.work.context = &job->progress;
    cli_begin_step(&job->progress, &whole);
    const ocelotl_status status =
        ocelotl_import_files(request->output, request->operands, request->operand_count, &options);
    cli_end_step(&job->progress);
    return ocelotl_import_explain(status, false);
}

int cli_import(cli_job *job)
{
    const ocelotl_request *request = job->request;
    if (request->output == NULL)
        return cli_usage("import", "no file to write given, expected -o TRACE.db");
    for (size_t i = 1; i < request->operand_count; i++)
        if (cli_check_not_input(request->output, request->operands[i]) != CLI_DONE)
            return CLI_WRONG;
    const int code = cli_code(import(job));
    return code == CLI_DONE ? say_result(job, request->output, request->json) : code;
}
