/* --zoom and --part: a part of a partition as the place that a model, or a command that shows
 * events, is of. */
#ifndef CLI_PART_H
#define CLI_PART_H

#include "which_p.h"

/* How often one may look into a part of a part, and the names of resources that a place has. */
enum { CLI_MOST_ZOOMS = 32 };

/* A part that was asked for, and of which partition. */
typedef struct cli_zoom {
    uint32_t part;
    const char *option; /* "zoom" or "part", as it was given */
    bool solved;        /* options before it say which partition; else those that follow do */
    cli_which_p which;
} cli_zoom;

/* Zero-initialised none was given. */
typedef struct cli_zooms {
    cli_zoom zooms[CLI_MOST_ZOOMS];
    size_t count;
    cli_model_options narrowed; /* the model's options with the place in its selection */
    const char **names;         /* of the place's resources */
    char *text;                 /* these, one after the other */
} cli_zooms;

enum { CLI_ZOOM = CLI_OWN_OPTION + 300, CLI_PART };

#define CLI_ZOOM_OPTIONS                          \
    {"zoom", required_argument, NULL, CLI_ZOOM},  \
    {                                             \
        "part", required_argument, NULL, CLI_PART \
    }

#define CLI_ZOOM_HELP                                                                            \
    "\nZoom into a part:\n"                                                                      \
    "  --zoom PART, --part PART   the node and the time of one part of what is shown without\n"  \
    "                        this, by its number, as in tooltips, ocelotl-cli parts and JSON;\n" \
    "                        again: a part of that. It is of the p given before it, if one is\n"

#define CLI_PART_HELP                                                                              \
    "  --part PART, --zoom PART   the node and the time of one part of the overview, by its "      \
    "number, as\n"                                                                                 \
    "                        in tooltips and ocelotl-cli parts (again: a part of that). Which "    \
    "overview\n"                                                                                   \
    "                        that is, is said as for the overview, by --from, --to, --resource, "  \
    "the\n"                                                                                        \
    "                        filters below, which are those of the events, too, and\n"             \
    "  --p, --p-raw, --level, --parts, --slices, --kind, --state-type, --nesting, "                \
    "--nesting-depth,\n"                                                                           \
    "  --untraced, --snap, --group-types, --most-types, --metric, --shift, --scale, --attribute, " \
    "--threads,\n"                                                                                 \
    "  --hierarchy, --drop-level, --group, --reuse-rows, --split-children, --max-leaves,\n"        \
    "  --max-groups, --regroup, --order\n" CLI_FILTER_HELP

/* Takes --zoom or --part; the options of p that follow are of what is in the part. *code is
 * CLI_DONE, or an exit code after a message. False: another option. */
bool cli_take_zoom_option(int *code, cli_zooms *zooms, cli_which_p *which,
                          cli_model_options *options, int option, const char *command);

/* As cli_load_model, of the place that was asked for. */
int cli_load_zoomed(cli_loaded *loaded, const char *trace, cli_zooms *zooms,
                    const cli_model_options *options, const cli_which_p *which);

/* As cli_open_trace, for commands that show events: zooms->narrowed has the selection to show.
 * Options that say nothing where no part is given are refused. */
int cli_open_zoomed(ocelotl_trace **trace, const char *path, cli_zooms *zooms,
                    const cli_model_options *options, const cli_which_p *which,
                    const char *command);

void cli_zooms_free(cli_zooms *zooms);

#endif
