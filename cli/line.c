#include "line.h"

#include "options.h"

#include <string.h>

static const struct option *find_option(const struct option *options, int value)
{
    while (options->name != NULL && options->val != value)
        options++;
    return options;
}

int cli_line_read(cli_line *line, int argc, char **argv, const struct option *options,
                  const char *command, size_t traces)
{
    int option;
    opterr = 0;
    optind = 0;
    while ((option = getopt_long(argc, argv, CLI_SHORT_OPTIONS, options, NULL)) != -1) {
        const struct option *known = find_option(options, option);
        if (option == '?' || option == ':' || known->name == NULL)
            return cli_bad_option(option, argv, options, command);
        if (line->count == CLI_LINE_OPTIONS_MOST)
            return cli_usage(command, "more than %d options are given", CLI_LINE_OPTIONS_MOST);
        line->options[line->count++] =
            (cli_given){known->name, known->has_arg != no_argument ? optarg : NULL};
    }
    const size_t operands = (size_t)(argc - optind);
    for (size_t i = 0; i < operands && i < traces; i++)
        line->traces[line->trace_count++] = argv[(size_t)optind + i];
    const char *more = operands > traces ? argv[(size_t)optind + traces] : NULL;
    optind = 0;
    return more == NULL ? CLI_DONE : cli_usage(command, "\"%s\" is one TRACE too many", more);
}

bool cli_given_is_zoom(const cli_given *option)
{
    return strcmp(option->name, "zoom") == 0 || strcmp(option->name, "part") == 0;
}

bool cli_given_is_of_p(const cli_given *option)
{
    static const char *const names[] = {"p", "p-raw", "level", "parts", "at", "depth"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(option->name, names[i]) == 0)
            return true;
    return false;
}

size_t cli_line_end_of_zooms(const cli_line *line)
{
    size_t end = 0;
    for (size_t i = 0; i < line->count; i++)
        if (cli_given_is_zoom(&line->options[i]))
            end = i + 1;
    return end;
}

bool cli_line_add_option(cli_words *words, const cli_given *option)
{
    char name[64];
    snprintf(name, sizeof name, "--%s", option->name);
    return cli_words_add(words, strcmp(option->name, "output") == 0 ? "-o" : name) &&
           (option->value == NULL || cli_words_add(words, option->value));
}

bool cli_line_add_traces(cli_words *words, const cli_line *line)
{
    bool dashed = false;
    for (size_t i = 0; i < line->trace_count; i++)
        dashed = dashed || (line->traces[i][0] == '-' && line->traces[i][1] != '\0');
    bool good = !dashed || cli_words_add(words, "--");
    for (size_t i = 0; good && i < line->trace_count; i++)
        good = cli_words_add(words, line->traces[i]);
    return good;
}
