/* Options that several commands take, and how their values are read. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "hierarchy_options.h"
#include "progress.h"
#include "selection.h"

/* How a TRACE becomes a model. */
typedef struct cli_model_options {
    ocelotl_model_options model;
    const char *trace_option; /* the first option given that needs a trace, NULL: none */
    uint32_t threads;
    bool lenient;
    const char *time_unit;
    bool no_cache;
    cli_progress *progress;  /* of the command; not NULL */
    cli_selection selection; /* what the model is of; see cli_apply_selection */
    bool kind_given;         /* by --kind */
    bool may_be_empty;       /* filters may leave nothing */
    cli_hierarchy hierarchy; /* see cli_apply_hierarchy */
} cli_model_options;

/* For getopt_long. The colon at the beginning makes it tell a missing value from an unknown option.
 */
#define CLI_SHORT_OPTIONS ":ho:"

/* Values of getopt_long for the options below; those of a command's own start at CLI_OWN_OPTION. */
enum {
    CLI_SLICES = 256,
    CLI_KIND,
    CLI_STATE_TYPE,
    CLI_NESTING,
    CLI_UNTRACED,
    CLI_THREADS,
    CLI_LENIENT,
    CLI_TIME_UNIT,
    CLI_NO_CACHE,
    CLI_OWN_OPTION
};

#define CLI_MODEL_OPTIONS                                                                          \
    CLI_SELECTION_OPTIONS, CLI_HIERARCHY_OPTIONS, {"slices", required_argument, NULL, CLI_SLICES}, \
        {"kind", required_argument, NULL, CLI_KIND},                                               \
        {"state-type", required_argument, NULL, CLI_STATE_TYPE},                                   \
        {"nesting", required_argument, NULL, CLI_NESTING},                                         \
        {"untraced", required_argument, NULL, CLI_UNTRACED},                                       \
        {"threads", required_argument, NULL, CLI_THREADS},                                         \
        {"lenient", no_argument, NULL, CLI_LENIENT},                                               \
        {"time-unit", required_argument, NULL, CLI_TIME_UNIT},                                     \
    {                                                                                              \
        "no-cache", no_argument, NULL, CLI_NO_CACHE                                                \
    }

#define CLI_NO_CACHE_HELP                                                                         \
    "  --no-cache            neither use nor fill the cache in ~/.cache/ocelotl, which keeps to " \
    "4 GiB\n"                                                                                     \
    "                        or OCELOTL_CACHE_LIMIT (500M, 20G)\n"

/* Of every command that reads a TRACE. */
#define CLI_READING_HELP                                                                          \
    "\nReading:\n"                                                                                \
    "  --lenient             skip broken lines of a trace that is read on the fly, and what is "  \
    "lost of one that\n"                                                                          \
    "                        is compressed and ends too early; read around what is damaged of a " \
    "trace.db\n"                                                                                  \
    "  --time-unit s|ms|us|ns   unit of times in traces that name none (default: "                \
    "s)\n" CLI_NO_CACHE_HELP

#define CLI_MODEL_HELP                                                                            \
    CLI_SELECTION_HELP CLI_HIERARCHY_HELP                                                         \
        "\nModel:\n"                                                                              \
        "  --slices N            cut time into N slices (default: 200, or fewer, then it says "   \
        "so)\n"                                                                                   \
        "  --kind spatiotemporal|temporal|spatial   what parts cut (default: spatiotemporal)\n"   \
        "  --state-type NAME     states to show (default: the type with most time)\n"             \
        "  --nesting innermost|inclusive   whom time in nested states belongs to (default: "      \
        "innermost)\n"                                                                            \
        "  --untraced type|ignore   whether time in no state counts as \"(no state)\" (default: " \
        "type)\n"                                                                                 \
        "  --threads N           use N threads (default: all)\n" CLI_READING_HELP

/* Takes one of the options above. *code is CLI_DONE, or an exit code after a message. False:
 * another option. */
bool cli_take_model_option(int *code, cli_model_options *options, int option, const char *command);

/* The options of each command: --again reads those of what draws, main those before a command's
 * name. */
extern const struct option *const cli_import_options;
extern const struct option *const cli_info_options;
extern const struct option *const cli_parts_options;
extern const struct option *const cli_sql_options;
extern const struct option *const cli_export_options;
extern const struct option *const cli_formats_options;
extern const struct option *const cli_cache_options;
extern const struct option *const cli_verify_options;
extern const struct option *const cli_overview_options;
extern const struct option *const cli_treemap_options;
extern const struct option *const cli_gantt_options;
extern const struct option *const cli_stats_options;
extern const struct option *const cli_sweep_options;
extern const struct option *const cli_series_options;
extern const struct option *const cli_compare_options;

/* Says what getopt_long met when it gave ':' or '?': an option without its value, with one that it
 * does not take, or an unknown one, with the nearest of `options`, which end in zeros. Gives
 * CLI_USAGE. */
int cli_bad_option(int option, char **argv, const struct option *options, const char *command);

/* The only operand, NULL after a message (whose exit code is CLI_USAGE). */
const char *cli_one_trace(int argc, char **argv, const char *command);

#endif
