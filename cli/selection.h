/* Options that choose what of a trace a model is of: window, resources, filters, metric. */
#ifndef CLI_SELECTION_H
#define CLI_SELECTION_H

#include "argument.h"
#include "window.h"

#include <getopt.h>

/* Zero-initialised it is the whole trace. */
typedef struct cli_selection {
    cli_window window;
    bool snap;
    cli_names resources;
    bool placed;         /* the resources are those of a part, not the ones named by options */
    ocelotl_names place; /* these */
    cli_names only, except, only_resources, except_resources;
    const char *only_option; /* what `only` was given by; NULL: only */
    cli_names where;
    const char *min_duration, *max_duration; /* as given, NULL: all */
    double shortest, longest;                /* the same in seconds */
    const char *metric, *attribute;
    bool shift, scale;
    cli_names group_types;
    const char *most_types; /* as given, NULL: the default */
    uint32_t most;          /* the same */
    uint32_t nesting_depth; /* 0: all levels */
} cli_selection;

/* Values of getopt_long. */
enum {
    CLI_FROM = 512,
    CLI_TO,
    CLI_SNAP,
    CLI_RESOURCE,
    CLI_ONLY,
    CLI_EXCEPT,
    CLI_ONLY_RESOURCES,
    CLI_EXCEPT_RESOURCES,
    CLI_MIN_DURATION,
    CLI_MAX_DURATION,
    CLI_METRIC,
    CLI_SHIFT,
    CLI_SCALE,
    CLI_ATTRIBUTE,
    CLI_GROUP_TYPES,
    CLI_MOST_TYPES,
    CLI_NESTING_DEPTH,
    CLI_WHERE
};

#define CLI_SELECTION_OPTIONS                                                                     \
    {"from", required_argument, NULL, CLI_FROM}, {"to", required_argument, NULL, CLI_TO},         \
        {"snap", no_argument, NULL, CLI_SNAP},                                                    \
        {"resource", required_argument, NULL, CLI_RESOURCE},                                      \
        {"only", required_argument, NULL, CLI_ONLY},                                              \
        {"except", required_argument, NULL, CLI_EXCEPT},                                          \
        {"only-resources", required_argument, NULL, CLI_ONLY_RESOURCES},                          \
        {"except-resources", required_argument, NULL, CLI_EXCEPT_RESOURCES},                      \
        {"min-duration", required_argument, NULL, CLI_MIN_DURATION},                              \
        {"max-duration", required_argument, NULL, CLI_MAX_DURATION},                              \
        {"metric", required_argument, NULL, CLI_METRIC}, {"shift", no_argument, NULL, CLI_SHIFT}, \
        {"scale", required_argument, NULL, CLI_SCALE},                                            \
        {"attribute", required_argument, NULL, CLI_ATTRIBUTE},                                    \
        {"group-types", required_argument, NULL, CLI_GROUP_TYPES},                                \
        {"most-types", required_argument, NULL, CLI_MOST_TYPES},                                  \
        {"nesting-depth", required_argument, NULL, CLI_NESTING_DEPTH},                            \
    {                                                                                             \
        "where", required_argument, NULL, CLI_WHERE                                               \
    }

/* Of every command that shows a trace. */
#define CLI_FILTER_HELP                                                                           \
    "\nFilter:\n"                                                                                 \
    "  --only PATTERN, --except PATTERN   types or values by name or glob (again: more); the "    \
    "time of\n"                                                                                   \
    "                        the others becomes untraced. TYPE:VALUE or RESOURCE-TYPE:TYPE says " \
    "which of\n"                                                                                  \
    "                        one name, here and wherever types are named\n"                       \
    "  --only-resources PATTERN, --except-resources PATTERN   by path or glob, with all below "   \
    "them\n"                                                                                      \
    "  --min-duration T, --max-duration T   states that last so long (reads every event)\n"       \
    "  --where 'NAME OP VALUE'   what carries an attribute, as 'size >= 1000' (OP: = != < <= > "  \
    ">=; texts\n"                                                                                 \
    "                        by = and glob; again: all must hold); what cannot carry it stays\n"

#define CLI_SELECTION_HELP                                                                        \
    "\nZoom:\n" CLI_PLACE_HELP "  --snap                widen the window to whole slices of the " \
    "picture without a window\n" CLI_FILTER_HELP "\nMetric:\n"                                    \
    "  --metric NAME         what is drawn (default: state-duration; without states, what the "   \
    "trace has\n"                                                                                 \
    "                        most of): state-mean-duration, event-count, variable-mean, "         \
    "link-bytes, ...;\n"                                                                          \
    "                        ocelotl-cli --help metrics has all\n"                                \
    "  --shift               count variables from their least value, so that none is negative\n"  \
    "  --scale max           variables as shares of their largest value, so that several "        \
    "compare\n"                                                                                   \
    "  --attribute NAME      of links, that tells their bytes (default: size, bytes or length)\n" \
    "\nTypes:\n"                                                                                  \
    "  --group-types PATTERN=NAME  types (by name, glob or event type) as one type NAME (again: " \
    "more\n"                                                                                      \
    "                        groups; of several that match the first)\n"                          \
    "  --most-types N        keep the N largest types, all else is \"others\" (default: 30; 0: "  \
    "all)\n"                                                                                      \
    "  --nesting-depth N     time of nested states belongs to the outermost N; what is deeper "   \
    "counts as\n"                                                                                 \
    "                        the state around it (reads every event)\n"

/* Of these, the ones of commands that show events and not a model: a window and resources. */
#define CLI_PLACE_OPTIONS                                                                 \
    {"from", required_argument, NULL, CLI_FROM}, {"to", required_argument, NULL, CLI_TO}, \
    {                                                                                     \
        "resource", required_argument, NULL, CLI_RESOURCE                                 \
    }

#define CLI_PLACE_HELP                                                                       \
    "  --from T, --to T      a window, from the trace's beginning (" CLI_INSTANT_HELP ");\n" \
    "                        @T is the trace's own time, as on the axis\n"                   \
    "  --resource PATH       this resource and those below it (again: these, too)\n"

/* Takes one of the options above. *code is CLI_DONE, or an exit code after a message. *name becomes
 * the option's. False: another option. */
bool cli_take_selection_option(int *code, const char **name, cli_selection *selection, int option,
                               const char *command);

/* The resources chosen by path; they live as long as the selection, or its part. */
ocelotl_names cli_selected_resources(const cli_selection *selection);

/* Makes its filters those of events; the selection must outlive them. Gives an exit code. */
int cli_apply_filter(ocelotl_filter *filter, const cli_selection *selection,
                     const ocelotl_trace *trace);

/* Makes the selection part of the options of a model of this trace; the selection must outlive
 * them. Gives an exit code. */
int cli_apply_selection(ocelotl_model_options *options, const cli_selection *selection,
                        const ocelotl_trace *trace);

#endif
