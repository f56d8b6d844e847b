/* ocelotl-cli import: a trace of any known format becomes a trace.db. */
#include "command_line.h"
#include "json.h"
#include "progress.h"
#include "visible.h"
#include "warnings.h"

#include <string.h>

enum { OPTION_FORMAT = CLI_OWN_OPTION, OPTION_NAME };

static const struct option long_options[] = {
    CLI_OUTPUT_OPTIONS,
    {"lenient", no_argument, NULL, CLI_LENIENT},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"name", required_argument, NULL, OPTION_NAME},
    {"time-unit", required_argument, NULL, CLI_TIME_UNIT},
    {"json", no_argument, NULL, CLI_JSON},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

const struct option *const cli_import_options = long_options;

typedef struct import_request {
    cli_request common;
    ocelotl_import_options options;
} import_request;

static void help(FILE *file)
{
    fprintf(file, "Usage: ocelotl-cli import TRACE -o TRACE.db\n\n"
                  "Reads a trace (a file, plain or compressed by gzip, zstd or xz, or - for "
                  "standard input) and "
                  "writes it as\n"
                  "a trace.db, which is whole or absent afterwards.\n\n"
                  "  -o, --output FILE     the trace.db to write, not named like a trace as text, "
                  "a picture or a table\n"
                  "  --force               replace an existing file\n"
                  "  --lenient             skip and count broken lines instead of failing at the "
                  "first; import "
                  "what can be read of\n"
                  "                        a compressed trace that ends too early, or is damaged\n"
                  "  --format NAME         the trace's format (default: recognised); see "
                  "ocelotl-cli formats\n"
                  "  --name NAME           the trace's name in captions (default: the file's)\n"
                  "  --time-unit s|ms|us|ns   unit of times in traces that name none (default: s)\n"
                  "  --json                say what was imported as JSON\n\n"
                  "Examples:\n"
                  "  ocelotl-cli import run.trace.zst -o run.db\n"
                  "  program | ocelotl-cli import - --name run -o run.db\n");
}

static void print_text(const char *path, const ocelotl_trace *trace, uint64_t events)
{
    cli_write_visible(stdout, path);
    printf(": %u resources, %llu events\n", ocelotl_trace_resource_count(trace),
           (unsigned long long)events);
}

static void print_json(const char *path, const ocelotl_trace *trace, uint64_t events,
                       uint64_t warnings)
{
    const ocelotl_trace_info info = ocelotl_trace_get_info(trace);
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
static int say_result(const char *path, bool json)
{
    ocelotl_trace *trace = NULL;
    uint64_t events = 0;
    const ocelotl_status status = ocelotl_trace_open(&trace, path);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++)
        events += ocelotl_trace_event_type(trace, i).count;
    const uint64_t warnings = cli_count_warnings(trace);
    if (json)
        print_json(path, trace, events, warnings);
    else
        print_text(path, trace, events);
    if (warnings > 0)
        cli_say("%llu %s in the trace; ocelotl-cli info %s lists them",
                (unsigned long long)warnings, warnings == 1 ? "oddity" : "oddities", path);
    cli_say_skipped(trace);
    ocelotl_trace_free(trace);
    return CLI_DONE;
}

static ocelotl_status import(import_request *request)
{
    ocelotl_import_options *options = &request->options;
    cli_progress *progress = &request->common.progress;
    const cli_step whole = {cli_importing.what, cli_importing.unit, 1, false};
    cli_begin_step(progress, &whole);
    options->lenient = request->common.model.lenient;
    options->time_unit = request->common.model.time_unit;
    options->work.progress = cli_show_progress;
    options->work.context = progress;
    const ocelotl_status status =
        ocelotl_import(request->common.output, request->common.operands[0], options);
    cli_end_step(progress);
    return status;
}

static int run(void *given)
{
    import_request *request = given;
    const char *target = request->common.output;
    if (target == NULL)
        return cli_usage("import", "no file to write given, expected -o TRACE.db");
    request->options.overwrite = request->common.force;
    const int code =
        cli_import_code(import(request), request->common.operands[0], request->options.lenient);
    return code == CLI_DONE ? say_result(target, request->common.json) : code;
}

static int take_format(import_request *request)
{
    char all[256] = "";
    request->options.format = optarg;
    for (uint32_t i = 0; i < ocelotl_format_count(); i++) {
        const char *name = ocelotl_format_get(i).name;
        const size_t length = strlen(all);
        if (strcmp(name, optarg) == 0)
            return CLI_DONE;
        snprintf(all + length, sizeof all - length, "%s%s", i > 0 ? ", " : "", name);
    }
    return cli_usage("import", "unknown format \"%s\", expected one of: %s", optarg, all);
}

static bool take_option(int *code, void *given, int option)
{
    import_request *request = given;
    *code = CLI_DONE;
    switch (option) {
    case OPTION_FORMAT:
        *code = take_format(request);
        return true;
    case OPTION_NAME:
        request->options.name = optarg;
        return true;
    default:
        return false;
    }
}

int cli_import(int argc, char **argv)
{
    static const cli_command_line line = {"import", long_options, help,        take_option,
                                          NULL,     run,          CLI_TRACE_DB};
    import_request request = {.common = CLI_REQUEST_INIT, .options = OCELOTL_IMPORT_OPTIONS_INIT};
    return cli_run_command_line(&line, &request.common, argc, argv);
}
