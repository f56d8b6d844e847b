/* ocelotl-cli import: a trace of any known format becomes a trace.db. */
#include "options.h"
#include "output.h"
#include "progress.h"

enum { OPTION_FORCE = CLI_OWN_OPTION, OPTION_FORMAT, OPTION_NAME };

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"force", no_argument, NULL, OPTION_FORCE},
    {"lenient", no_argument, NULL, CLI_LENIENT},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"name", required_argument, NULL, OPTION_NAME},
    {"time-unit", required_argument, NULL, CLI_TIME_UNIT},
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
        "  --time-unit s|ms|us|ns   unit of times in traces that name none (default: s)\n\n"
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

/* What was odd is said at once, not only when somebody asks. */
static int say_result(const char *path)
{
    ocelotl_trace *trace = NULL;
    uint64_t events = 0;
    const ocelotl_status status = ocelotl_trace_open(&trace, path);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++)
        events += ocelotl_trace_event_type(trace, i).count;
    printf("%s: %u resources, %llu events\n", path, ocelotl_trace_resource_count(trace),
           (unsigned long long)events);
    const uint64_t warnings = count_warnings(trace);
    if (warnings > 0)
        fprintf(stderr, "ocelotl-cli: %llu %s in the trace; ocelotl-cli info %s lists them\n",
                (unsigned long long)warnings, warnings == 1 ? "oddity" : "oddities", path);
    ocelotl_trace_free(trace);
    return CLI_DONE;
}

/* With --force the trace would be gone. */
static int run(const char *source, const char *target, ocelotl_import_options *options)
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
    return status == OCELOTL_OK ? say_result(target) : cli_fail(status);
}

int cli_import(int argc, char **argv)
{
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    const char *target = NULL;
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
    return run(source, target, &options);
}
