/* ocelotl-cli import: a trace of any known format becomes a trace.db. */
#include "json.h"
#include "options.h"
#include "output.h"
#include "progress.h"

enum { OPTION_FORCE = CLI_OWN_OPTION, OPTION_FORMAT, OPTION_NAME, OPTION_JSON };

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"force", no_argument, NULL, OPTION_FORCE},
    {"lenient", no_argument, NULL, CLI_LENIENT},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"name", required_argument, NULL, OPTION_NAME},
    {"time-unit", required_argument, NULL, CLI_TIME_UNIT},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static int help(void)
{
    printf(
        "Usage: ocelotl-cli import TRACE -o TRACE.db\n\n"
        "Reads a trace (a file, plain or compressed by gzip or zstd, or - for standard input) and writes it as a\n"
        "trace.db, which is whole or absent afterwards.\n\n"
        "  -o, --output FILE     the trace.db to write\n"
        "  --force               replace an existing file\n"
        "  --lenient             skip and count broken lines instead of failing at the first\n"
        "  --format NAME         the trace's format (default: recognised); see ocelotl-cli formats\n"
        "  --name NAME           the trace's name in captions (default: the file's)\n"
        "  --time-unit s|ms|us|ns   unit of times in traces that name none (default: s)\n"
        "  --json                say what was imported as JSON\n\n"
        "Examples:\n"
        "  ocelotl-cli import run.trace.zst -o run.db\n"
        "  program | ocelotl-cli import - --name run -o run.db\n");
    return CLI_DONE;
}

static uint64_t count_warnings(const ocelotl_trace *trace)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < ocelotl_trace_warning_count(trace); i++)
        count += ocelotl_trace_warning(trace, i).count;
    return count;
}

static void print_json(const char *path, const ocelotl_trace *trace, uint64_t events, uint64_t warnings)
{
    const ocelotl_trace_info info = ocelotl_trace_get_info(trace);
    printf("{\"path\":");
    cli_json_string(stdout, path);
    printf(",\"name\":");
    cli_json_string(stdout, info.name);
    printf(",\"uid\":");
    cli_json_string(stdout, info.uid);
    printf(",\"resources\":%u,\"events\":%llu,\"warnings\":%llu}\n", ocelotl_trace_resource_count(trace),
           (unsigned long long)events, (unsigned long long)warnings);
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
    const uint64_t warnings = count_warnings(trace);
    if (json)
        print_json(path, trace, events, warnings);
    else
        printf("%s: %u resources, %llu events\n", path, ocelotl_trace_resource_count(trace),
               (unsigned long long)events);
    if (warnings > 0)
        fprintf(stderr, "ocelotl-cli: %llu %s in the trace; ocelotl-cli info %s lists them\n",
                (unsigned long long)warnings, warnings == 1 ? "oddity" : "oddities", path);
    ocelotl_trace_free(trace);
    return CLI_DONE;
}

/* With --force the trace would be gone. */
static int run(const char *source, const char *target, ocelotl_import_options *options, bool json)
{
    const int code = cli_check_not_input(target, source);
    if (code != CLI_DONE)
        return code;
    cli_progress progress;
    cli_begin_progress(&progress, "importing");
    options->progress = cli_show_progress;
    options->progress_context = &progress;
    const ocelotl_status status = ocelotl_import(target, source, options);
    cli_end_progress(&progress);
    return status == OCELOTL_OK ? say_result(target, json) : cli_fail(status);
}

int cli_import(int argc, char **argv)
{
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    const char *target = NULL;
    bool json = false;
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, CLI_SHORT_OPTIONS, long_options, NULL)) != -1) {
        switch (option) {
        case 'o':
            target = optarg;
            break;
        case OPTION_FORCE:
            options.overwrite = true;
            break;
        case CLI_LENIENT:
            options.lenient = true;
            break;
        case OPTION_FORMAT:
            options.format = optarg;
            break;
        case OPTION_NAME:
            options.name = optarg;
            break;
        case CLI_TIME_UNIT:
            options.time_unit = optarg;
            break;
        case OPTION_JSON:
            json = true;
            break;
        case 'h':
            return help();
        default:
            return cli_bad_option(option, argv, long_options, "import");
        }
    }
    const char *source = cli_one_trace(argc, argv, "import");
    if (source == NULL)
        return CLI_USAGE;
    if (target == NULL)
        return cli_usage("import", "no file to write given, expected -o TRACE.db");
    return run(source, target, &options, json);
}
