#define _GNU_SOURCE
#include "picture_options.h"

#include "output.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

/* What a picture can have (ocelotl/picture.h). For the library 0 is the default; who gives it means
 * 0.
 */
static int take_number(double *number, double least, double most, const char *option,
                       const char *command)
{
    if (!cli_read_number(number, optarg, option, command))
        return CLI_USAGE;
    if (*number >= least && *number <= most)
        return CLI_DONE;
    return cli_usage(command, "--%s is %s, expected %g to %g", option, optarg, least, most);
}

static int take_theme(ocelotl_picture_options *options, const char *command)
{
    const bool dark = strcmp(optarg, "dark") == 0;
    if (!dark && strcmp(optarg, "light") != 0)
        return cli_usage(command, "--theme is \"%s\", expected light or dark", optarg);
    options->theme = dark ? OCELOTL_THEME_DARK : OCELOTL_THEME_LIGHT;
    return CLI_DONE;
}

bool cli_take_picture_option(int *code, ocelotl_picture_options *options, int option,
                             const char *command)
{
    *code = CLI_DONE;
    switch (option) {
    case CLI_WIDTH:
        *code = take_number(&options->width, 320, 20000, "width", command);
        return true;
    case CLI_HEIGHT:
        *code = take_number(&options->height, 320, 20000, "height", command);
        return true;
    case CLI_DPI:
        *code = take_number(&options->dpi, 24, 1200, "dpi", command);
        return true;
    case CLI_SMALLEST:
        *code = take_number(&options->smallest, 1, 100, "smallest", command);
        return true;
    case CLI_THEME:
        *code = take_theme(options, command);
        return true;
    case CLI_TITLE:
        options->title = optarg;
        return true;
    case CLI_PALETTE:
        options->palette = optarg;
        return true;
    default:
        return false;
    }
}

char *cli_repeat_command(int argc, char **argv, const char *command)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL)
        return NULL;
    fprintf(stream, "ocelotl-cli");
    if (command[0] != '\0')
        cli_write_word(stream, command);
    for (int i = 1; i < argc; i++)
        cli_write_word(stream, argv[i]);
    if (!cli_close_memory(stream)) {
        free(text);
        return NULL;
    }
    return text;
}

/* The names of the hierarchy take a fifth of the picture's width, about. */
void cli_fit_drawables(ocelotl_drawables_options *drawables, const ocelotl_picture_options *view)
{
    const double width = view->width > 0 ? view->width : 1280;
    drawables->width = width * 0.8;
    drawables->narrowest = view->smallest > 0 ? view->smallest : 2;
}
