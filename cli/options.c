#include "options.h"

#include "nearest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int take_slices(cli_model_options *options, const char *command)
{
    if (!cli_read_count(&options->model.slices, optarg, "slices", command))
        return CLI_USAGE;
    return options->model.slices > 0 ? CLI_DONE
                                     : cli_usage(command, "--slices is 0, expected at least 1");
}

static int take_kind(cli_model_options *options, const char *command)
{
    static const char *const words[] = {"spatiotemporal", "temporal", "spatial"};
    static const ocelotl_kind kinds[] = {OCELOTL_SPATIOTEMPORAL, OCELOTL_TEMPORAL, OCELOTL_SPATIAL};
    const int word = cli_read_word(optarg, words, 3, "kind", command);
    if (word >= 0)
        options->model.kind = kinds[word];
    options->kind_given = true;
    return word >= 0 ? CLI_DONE : CLI_USAGE;
}

static int take_nesting(cli_model_options *options, const char *command)
{
    static const char *const words[] = {"innermost", "inclusive"};
    const int word = cli_read_word(optarg, words, 2, "nesting", command);
    options->model.cells.nesting = word == 1 ? OCELOTL_INCLUSIVE : OCELOTL_INNERMOST;
    return word >= 0 ? CLI_DONE : CLI_USAGE;
}

static int take_untraced(cli_model_options *options, const char *command)
{
    static const char *const words[] = {"type", "ignore"};
    const int word = cli_read_word(optarg, words, 2, "untraced", command);
    options->model.cells.untraced = word == 1 ? OCELOTL_UNTRACED_IGNORE : OCELOTL_UNTRACED_TYPE;
    return word >= 0 ? CLI_DONE : CLI_USAGE;
}

static int take_time_unit(cli_model_options *options, const char *command)
{
    static const char *const words[] = {"s", "ms", "us", "ns"};
    options->time_unit = optarg;
    return cli_read_word(optarg, words, 4, "time-unit", command) >= 0 ? CLI_DONE : CLI_USAGE;
}

static int take_threads(cli_model_options *options, const char *command)
{
    if (!cli_read_count(&options->threads, optarg, "threads", command))
        return CLI_USAGE;
    return options->threads > 0 ? CLI_DONE
                                : cli_usage(command, "--threads is 0, expected at least 1");
}

static void need_trace(cli_model_options *options, const char *option)
{
    if (options->trace_option == NULL)
        options->trace_option = option;
}

bool cli_take_model_option(int *code, cli_model_options *options, int option, const char *command)
{
    const char *name = NULL;
    if (cli_take_selection_option(code, &name, &options->selection, option, command) ||
        cli_take_hierarchy_option(code, &name, &options->hierarchy, option, command)) {
        need_trace(options, name);
        return true;
    }
    *code = CLI_DONE;
    switch (option) {
    case CLI_SLICES:
        need_trace(options, "--slices");
        *code = take_slices(options, command);
        return true;
    case CLI_KIND:
        *code = take_kind(options, command);
        return true;
    case CLI_STATE_TYPE:
        need_trace(options, "--state-type");
        options->model.cells.state_type = optarg;
        return true;
    case CLI_NESTING:
        need_trace(options, "--nesting");
        *code = take_nesting(options, command);
        return true;
    case CLI_UNTRACED:
        need_trace(options, "--untraced");
        *code = take_untraced(options, command);
        return true;
    case CLI_THREADS:
        *code = take_threads(options, command);
        return true;
    case CLI_LENIENT:
        need_trace(options, "--lenient");
        options->lenient = true;
        return true;
    case CLI_TIME_UNIT:
        need_trace(options, "--time-unit");
        *code = take_time_unit(options, command);
        return true;
    case CLI_NO_CACHE:
        options->no_cache = true;
        return true;
    default:
        return false;
    }
}

/* An option that is not among these, or of which several begin like it: `given`, with its dashes.
 */
static int unknown_option(const char *given, const struct option *options, const char *command)
{
    const int length = (int)strcspn(given, "=");
    cli_nearest nearest = cli_nearest_to(given + 2, (size_t)length - 2);
    const char *begin_so[2] = {NULL, NULL};
    for (const struct option *option = options; option->name != NULL; option++) {
        cli_nearest_try(&nearest, option->name);
        if (strncmp(option->name, given + 2, nearest.length) == 0)
            begin_so[begin_so[0] != NULL] = option->name;
    }
    if (begin_so[1] != NULL)
        return cli_usage(command, "option %.*s is cut too short: it may be --%s or --%s", length,
                         given, begin_so[0], begin_so[1]);
    if (nearest.name != NULL)
        return cli_usage(command, "unknown option %.*s; the nearest is --%s", length, given,
                         nearest.name);
    return cli_usage(command, "unknown option %.*s", length, given);
}

/* Whether there is a long option of one letter: it needs two dashes. */
static bool is_long(int letter, const struct option *options)
{
    while (options->name != NULL && (options->name[0] != letter || options->name[1] != '\0'))
        options++;
    return options->name != NULL;
}

int cli_bad_option(int option, char **argv, const struct option *options, const char *command)
{
    const char *given = argv[optind - 1];
    if (option == ':')
        return cli_usage(command, "option %s needs a value", given);
    if (optopt >= 256 || optopt == 'h')
        return cli_usage(command, "option %.*s takes no value", (int)strcspn(given, "="), given);
    if (optopt == 0)
        return unknown_option(given, options, command);
    if (is_long(optopt, options))
        return cli_usage(command, "unknown option -%c; the nearest is --%c", optopt, optopt);
    /* Of several in one word `given` may be the word before. */
    return cli_usage(
        command, optopt > ' ' && optopt < 0x7F ? "unknown option -%c" : "unknown option -\\x%02x",
        (unsigned char)optopt);
}

const char *cli_one_trace(int argc, char **argv, const char *command)
{
    if (optind == argc)
        cli_usage(command, "no TRACE given");
    else if (argv[optind][0] == '\0')
        cli_usage(command, "the name of the TRACE is empty");
    else if (argc - optind > 1)
        cli_usage(command, "\"%s\" is one TRACE too many", argv[optind + 1]);
    return argc - optind == 1 && argv[optind][0] != '\0' ? argv[optind] : NULL;
}
