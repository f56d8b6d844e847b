/* Both command lines are read by getopt with the options of the command; what is left of the
 * picture's comes first. */
#include "again.h"

#include "line.h"
#include "options.h"
#include "output.h"
#include "picture_command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The commands that draw, and so can be repeated, whatever a picture says. */
static const struct {
    const char *name;
    const struct option *const *options;
    size_t traces;
} drawers[] = {
    {"treemap", &cli_treemap_options, 1},   {"gantt", &cli_gantt_options, 1},
    {"stats", &cli_stats_options, 1},       {"sweep", &cli_sweep_options, 1},
    {"series", &cli_series_options, 1},     {"compare", &cli_compare_options, 2},
    {"overview", &cli_overview_options, 1},
};

enum { DRAWERS = sizeof drawers / sizeof drawers[0] };

/* Options that say the same in other words: one replaces another. */
static const char *const alternatives[][6] = {
    {"p", "p-raw", "level", "parts", "at", "depth"},
    {"type", "state-type"},
};

/* The command's name, and how many words it takes. */
static int find_drawer(size_t *drawer, int *words, const cli_words *recorded, const char *picture)
{
    if (recorded->count < 2 || strcmp(recorded->words[0], "ocelotl-cli") != 0)
        return cli_wrong("%s: its command is not one of ocelotl-cli", picture);
    const char *name = recorded->words[1];
    *drawer = 0;
    while (*drawer < DRAWERS && strcmp(name, drawers[*drawer].name) != 0)
        (*drawer)++;
    *words = *drawer < DRAWERS ? 2 : 1;
    if (*drawer == DRAWERS)
        *drawer = DRAWERS - 1;
    return CLI_DONE;
}

/* --- What of the picture's command is left */

static bool is_alternative(size_t group, const char *name)
{
    for (size_t i = 0; i < 6 && alternatives[group][i] != NULL; i++)
        if (strcmp(alternatives[group][i], name) == 0)
            return true;
    return false;
}

static bool says_the_same(const cli_given *a, const cli_given *b)
{
    for (size_t i = 0; i < sizeof alternatives / sizeof alternatives[0]; i++)
        if (is_alternative(i, a->name) && is_alternative(i, b->name))
            return true;
    return strcmp(a->name, b->name) == 0;
}

/* The first option of p from one on; read->count: none. */
static size_t find_p(const cli_line *read, size_t from)
{
    while (from < read->count && !cli_given_is_of_p(&read->options[from]))
        from++;
    return from;
}

static size_t find_zoom(const cli_line *read)
{
    size_t i = 0;
    while (i < read->count && !cli_given_is_zoom(&read->options[i]))
        i++;
    return i;
}

/* A p given behind a zoom is not of what is looked into. */
static bool changes_p(const cli_line *added)
{
    const size_t p = find_p(added, 0);
    return p < added->count && p < find_zoom(added);
}

static bool is_replaced(const cli_line *recorded, size_t index, const cli_line *added)
{
    const cli_given *option = &recorded->options[index];
    if (strcmp(option->name, "output") == 0 || strcmp(option->name, "plot") == 0 ||
        strcmp(option->name, "force") == 0)
        return true;
    if (cli_given_is_zoom(option))
        return false;
    if (cli_given_is_of_p(option) && (index < cli_line_end_of_zooms(recorded) || !changes_p(added)))
        return false;
    for (size_t i = 0; i < added->count; i++)
        if (says_the_same(&added->options[i], option))
            return true;
    return false;
}

/* --- Writing */

/* Of those that are given before a zoom the last one counts; read->count: there is none. */
static size_t find_first_p(const cli_line *read)
{
    size_t p = find_p(read, 0);
    for (size_t i = p; i < read->count && !cli_given_is_zoom(&read->options[i]); i++)
        p = cli_given_is_of_p(&read->options[i]) ? i : p;
    return p;
}

/* The parts of a picture that was made with the level to show first, or with one given behind its
 * zoom, are of that, not of a p that is given now. */
static bool add_first_p(cli_words *words, const cli_line *recorded, const cli_line *added)
{
    static const cli_given automatic = {"p", "auto"};
    const size_t p = find_first_p(recorded);
    const bool now = find_p(added, 0) < added->count;
    const bool zoomed = find_zoom(recorded) < recorded->count && p > find_zoom(recorded);
    const bool zooms = find_zoom(added) < added->count && !changes_p(added) && p == recorded->count;
    if (!now || (!zoomed && !zooms))
        return true;
    return cli_line_add_option(words, p < recorded->count ? &recorded->options[p] : &automatic);
}

/* The picture of sweep is its plot. */
static cli_given name_output(const cli_given *option, const char *command)
{
    const bool plot = strcmp(command, "sweep") == 0 && strcmp(option->name, "output") == 0 &&
                      option->value != NULL &&
                      (cli_content_of_name(option->value) & CLI_PICTURES) != 0;
    return (cli_given){plot ? "plot" : option->name, option->value};
}

static bool write_line(cli_words *words, const cli_line *recorded, const cli_line *added,
                       const char *command)
{
    const size_t behind = cli_line_end_of_zooms(recorded);
    const bool front = behind > 0 && find_p(recorded, 0) >= behind;
    bool good = cli_words_add(words, "ocelotl-cli") && cli_words_add(words, command) &&
                add_first_p(words, recorded, added);
    for (size_t i = 0; good && i < recorded->count; i++) {
        const bool moved =
            front && cli_given_is_of_p(&recorded->options[i]) && find_p(added, 0) < added->count;
        if (!moved && !is_replaced(recorded, i, added))
            good = cli_line_add_option(words, &recorded->options[i]);
    }
    for (size_t i = 0; good && i < added->count; i++) {
        const cli_given option = name_output(&added->options[i], command);
        good = cli_line_add_option(words, &option);
    }
    return good && cli_line_add_traces(words, added->trace_count > 0 ? added : recorded);
}

/* --- Checking */

static bool has_output(const cli_line *added)
{
    for (size_t i = 0; i < added->count; i++)
        if (strcmp(added->options[i].name, "output") == 0 ||
            strcmp(added->options[i].name, "plot") == 0)
            return true;
    return false;
}

/* The traces that the picture was drawn of, where none are given now. `names` are those to give
 * instead. */
static int check_recorded(const cli_line *recorded, size_t traces, const char *picture,
                          const char *names)
{
    if (recorded->trace_count < traces)
        return cli_wrong("%s: its command names no %s, expected --again %s ... %s", picture,
                         traces == 1 ? "trace" : "two traces", picture, names);
    for (size_t i = 0; i < traces; i++) {
        const char *trace = recorded->traces[i];
        if (strcmp(trace, "-") == 0)
            return cli_wrong("%s was drawn of standard input, expected --again %s ... %s", picture,
                             picture, names);
        if (access(trace, F_OK) != 0)
            return cli_wrong("%s was drawn of %s, which is not there, expected --again %s ... %s",
                             picture, trace, picture, names);
    }
    return CLI_DONE;
}

static int check(const cli_line *recorded, const cli_line *added, const char *picture,
                 size_t traces)
{
    const char *names = traces == 1 ? "TRACE" : "FIRST SECOND";
    if (!has_output(added))
        return cli_usage("", "--again %s needs the name of a picture to draw, expected -o FILE",
                         picture);
    if (added->trace_count == 0)
        return check_recorded(recorded, traces, picture, names);
    if (added->trace_count < traces)
        return cli_usage("",
                         "%s was drawn of two traces, and one is given, expected --again %s ... %s",
                         picture, picture, names);
    return CLI_DONE;
}

static int merge(cli_words *words, cli_words *old, int argc, char **argv)
{
    const char *picture = argv[0];
    cli_line recorded = {.count = 0};
    cli_line added = {.count = 0};
    size_t drawer = 0;
    int skipped = 1;
    int code = find_drawer(&drawer, &skipped, old, picture);
    if (code != CLI_DONE)
        return code;
    const struct option *options = *drawers[drawer].options;
    const char *command = drawers[drawer].name;
    const size_t traces = drawers[drawer].traces;
    code = cli_line_read(&recorded, (int)old->count - skipped + 1, old->words + skipped - 1,
                         options, command, traces);
    if (code == CLI_DONE)
        code = cli_line_read(&added, argc, argv, options, command, traces);
    if (code == CLI_DONE)
        code = check(&recorded, &added, picture, drawers[drawer].traces);
    if (code != CLI_DONE)
        return code;
    return write_line(words, &recorded, &added, drawers[drawer].name) ? CLI_DONE : cli_memory();
}

static int again(cli_words *words, int argc, char **argv)
{
    char *command = NULL;
    cli_words old = {0};
    int code = cli_picture_command(&command, argv[0]);
    if (code != CLI_DONE)
        return code;
    code = cli_words_read(&old, command);
    if (code == CLI_DONE)
        code = merge(words, &old, argc, argv);
    else if (code == CLI_WRONG)
        code = cli_wrong("%s: its command is not one that ocelotl-cli wrote: %.200s", argv[0],
                         command);
    free(command);
    cli_words_free(&old);
    return code;
}

int cli_again(cli_words *words, int argc, char **argv)
{
    static const char joined[] = "--again=";
    if (strncmp(argv[1], joined, strlen(joined)) == 0) {
        argv[1] += strlen(joined);
        return again(words, argc - 1, argv + 1);
    }
    if (argc < 3)
        return cli_usage("", "option --again needs a value");
    return again(words, argc - 2, argv + 2);
}
