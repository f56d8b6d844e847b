/* Options that choose which part of a trace a model is of. */
#ifndef CLI_SELECTION_H
#define CLI_SELECTION_H

#include "window.h"

#include <getopt.h>

/* Names that an option was given, one each time. */
enum { CLI_MOST_NAMES = 256 };

typedef struct cli_names {
    const char *names[CLI_MOST_NAMES];
    size_t count;
} cli_names;

/* Zero-initialised it is the whole trace. */
typedef struct cli_selection {
    cli_window window;
    bool snap;
    cli_names resources;
} cli_selection;

/* Values of getopt_long. */
enum { CLI_FROM = 512, CLI_TO, CLI_SNAP, CLI_RESOURCE };

#define CLI_SELECTION_OPTIONS                                                             \
    {"from", required_argument, NULL, CLI_FROM}, {"to", required_argument, NULL, CLI_TO}, \
        {"snap", no_argument, NULL, CLI_SNAP},                                            \
    {                                                                                     \
        "resource", required_argument, NULL, CLI_RESOURCE                                 \
    }

#define CLI_SELECTION_HELP                                                                       \
    "  --from T, --to T      a window, from the trace's beginning (" CLI_INSTANT_HELP ");\n"     \
    "                        @T is the trace's own time, as on the axis\n"                       \
    "  --snap                widen the window to whole slices of the picture without a window\n" \
    "  --resource PATH       this resource and those below it (again: these, too)\n"

/* Takes one of the options above. *code is CLI_DONE, or an exit code after a message. *name becomes the option's. False:
 * another option. */
bool cli_take_selection_option(int *code, const char **name, cli_selection *selection, int option,
                               const char *command);

/* Makes the selection part of the options of a model of this trace; the selection must outlive them. Gives an exit
 * code. */
int cli_apply_selection(ocelotl_model_options *options, const cli_selection *selection, const ocelotl_trace *trace);

#endif
