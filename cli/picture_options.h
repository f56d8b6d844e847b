/* Options of every command that draws a picture. */
#ifndef CLI_PICTURE_OPTIONS_H
#define CLI_PICTURE_OPTIONS_H

#include "options.h"

enum {
    CLI_WIDTH = CLI_OWN_OPTION + 200,
    CLI_HEIGHT,
    CLI_TITLE,
    CLI_DPI,
    CLI_THEME,
    CLI_PALETTE,
    CLI_SMALLEST
};

#define CLI_PICTURE_OPTIONS                                                                       \
    {"width", required_argument, NULL, CLI_WIDTH},                                                \
        {"height", required_argument, NULL, CLI_HEIGHT},                                          \
        {"title", required_argument, NULL, CLI_TITLE}, {"dpi", required_argument, NULL, CLI_DPI}, \
        {"theme", required_argument, NULL, CLI_THEME},                                            \
        {"palette", required_argument, NULL, CLI_PALETTE},                                        \
    {                                                                                             \
        "smallest", required_argument, NULL, CLI_SMALLEST                                         \
    }

#define CLI_PICTURE_HELP                                                                           \
    "\nPicture:\n"                                                                                 \
    "  --width X, --height X size of the picture in pixels (default: 1280 x 720)\n"                \
    "  --dpi X               sharpness of a PNG: 192 takes twice the pixels (default: 96)\n"       \
    "  --theme light|dark    colours of what is not data (default: light; a report: its "          \
    "reader's)\n"                                                                                  \
    "  --palette FILE        colours of types, a CSV with the header name,colour (name: a glob)\n" \
    "  --smallest X          pixels below which things are drawn together (default: 2)\n"          \
    "  --title TEXT          instead of the trace's name\n"

/* Takes one of the options above. *code is CLI_DONE, or an exit code after a message. False:
 * another option. */
bool cli_take_picture_option(int *code, ocelotl_picture_options *options, int option,
                             const char *command);

/* The command line that was given, as a shell would take it again, for the metadata of a picture;
 * freed by free. NULL where there is no memory. To be called before getopt, which reorders. */
char *cli_repeat_command(int argc, char **argv, const char *command);

/* Makes drawables as fine as a picture of these options can show them. */
void cli_fit_drawables(ocelotl_drawables_options *drawables, const ocelotl_picture_options *view);

#endif
