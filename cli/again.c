/* Both command lines are read by getopt with the options of the command; what is left of the picture's comes first. */
#include "again.h"

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

enum { DRAWERS = sizeof drawers / sizeof drawers[0], MOST_GIVEN = 4096, MOST_TRACES = 2 };

/* Options that say the same in other words: one replaces another. */
static const char *const alternatives[][6] = {
    {"p", "p-raw", "level", "parts", "at", "depth"},
    {"type", "state-type"},
};

/* An option as it was given. */
typedef struct given {
    const char *name;
    const char *value; /* NULL: it takes none */
} given;

/* A command line, read. */
typedef struct line {
    given options[MOST_GIVEN];
    size_t count;
    const char *traces[MOST_TRACES];
    size_t trace_count;
} line;

/* --- Reading */

static const struct option *find_option(const struct option *options, int value)
{
    while (options->name != NULL && options->val != value)
        options++;
    return options;
}

/* argv[0] is no option. getopt is begun anew, before and behind. */
static int read_line(line *read, int argc, char **argv, size_t drawer)
{
    const struct option *options = *drawers[drawer].options;
    const char *command = drawers[drawer].name;
    const size_t most = drawers[drawer].traces;
    int option;
    opterr = 0;
    optind = 0;
    while ((option = getopt_long(argc, argv, CLI_SHORT_OPTIONS, options, NULL)) != -1) {
        const struct option *known = find_option(options, option);
        if (option == '?' || option == ':' || known->name == NULL)
            return cli_bad_option(option, argv, options, command);
        if (read->count == MOST_GIVEN)
            return cli_usage(command, "more than %d options are given", MOST_GIVEN);
        read->options[read->count++] = (given){known->name, known->has_arg != no_argument ? optarg : NULL};
    }
    const size_t operands = (size_t)(argc - optind);
    for (size_t i = 0; i < operands && i < most; i++)
        read->traces[read->trace_count++] = argv[(size_t)optind + i];
    const char *more = operands > most ? argv[(size_t)optind + most] : NULL;
    optind = 0;
    return more == NULL ? CLI_DONE : cli_usage(command, "\"%s\" is one TRACE too many", more);
}

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

static bool is_zoom(const given *option)
{
    return strcmp(option->name, "zoom") == 0 || strcmp(option->name, "part") == 0;
}

static bool is_alternative(size_t group, const char *name)
{
    for (size_t i = 0; i < 6 && alternatives[group][i] != NULL; i++)
        if (strcmp(alternatives[group][i], name) == 0)
            return true;
    return false;
}

static bool is_of_p(const given *option)
{
    return is_alternative(0, option->name);
}

static bool says_the_same(const given *a, const given *b)
{
    for (size_t i = 0; i < sizeof alternatives / sizeof alternatives[0]; i++)
        if (is_alternative(i, a->name) && is_alternative(i, b->name))
            return true;
    return strcmp(a->name, b->name) == 0;
}

/* The first option of p from one on; read->count: none. */
static size_t find_p(const line *read, size_t from)
{
    while (from < read->count && !is_of_p(&read->options[from]))
        from++;
    return from;
}

static size_t find_zoom(const line *read)
{
    size_t i = 0;
    while (i < read->count && !is_zoom(&read->options[i]))
        i++;
    return i;
}

static size_t end_of_zooms(const line *read)
{
    size_t end = 0;
    for (size_t i = 0; i < read->count; i++)
        if (is_zoom(&read->options[i]))
            end = i + 1;
    return end;
}

/* A p given behind a zoom is not of what is looked into. */
static bool changes_p(const line *added)
{
    const size_t p = find_p(added, 0);
    return p < added->count && p < find_zoom(added);
}

static bool is_replaced(const line *recorded, size_t index, const line *added)
{
    const given *option = &recorded->options[index];
    if (strcmp(option->name, "output") == 0 || strcmp(option->name, "plot") == 0)
        return true;
    if (is_zoom(option))
        return false;
    if (is_of_p(option) && (index < end_of_zooms(recorded) || !changes_p(added)))
        return false;
    for (size_t i = 0; i < added->count; i++)
        if (says_the_same(&added->options[i], option))
            return true;
    return false;
}

/* --- Writing */

static bool add_option(cli_words *words, const given *option)
{
    char name[64];
    snprintf(name, sizeof name, "--%s", option->name);
    return cli_words_add(words, strcmp(option->name, "output") == 0 ? "-o" : name) &&
           (option->value == NULL || cli_words_add(words, option->value));
}

/* Of those that are given before a zoom the last one counts; read->count: there is none. */
static size_t find_first_p(const line *read)
{
    size_t p = find_p(read, 0);
    for (size_t i = p; i < read->count && !is_zoom(&read->options[i]); i++)
        p = is_of_p(&read->options[i]) ? i : p;
    return p;
}

/* The parts of a picture that was made with the level to show first, or with one given behind its zoom, are of that, not
 * of a p that is given now. */
static bool add_first_p(cli_words *words, const line *recorded, const line *added)
{
    static const given automatic = {"p", "auto"};
    const size_t p = find_first_p(recorded);
    const bool now = find_p(added, 0) < added->count;
    const bool zoomed = find_zoom(recorded) < recorded->count && p > find_zoom(recorded);
    const bool zooms = find_zoom(added) < added->count && !changes_p(added) && p == recorded->count;
    if (!now || (!zoomed && !zooms))
        return true;
    return add_option(words, p < recorded->count ? &recorded->options[p] : &automatic);
}

/* The picture of sweep is its plot. */
static given name_output(const given *option, const char *command)
{
    const bool plot = strcmp(command, "sweep") == 0 && strcmp(option->name, "output") == 0 &&
                      option->value != NULL && cli_is_picture(option->value);
    return (given){plot ? "plot" : option->name, option->value};
}

static bool write_traces(cli_words *words, const line *of)
{
    bool dashed = false;
    for (size_t i = 0; i < of->trace_count; i++)
        dashed = dashed || (of->traces[i][0] == '-' && of->traces[i][1] != '\0');
    bool good = !dashed || cli_words_add(words, "--");
    for (size_t i = 0; good && i < of->trace_count; i++)
        good = cli_words_add(words, of->traces[i]);
    return good;
}

static bool write_line(cli_words *words, const line *recorded, const line *added, const char *command)
{
    const size_t behind = end_of_zooms(recorded);
    const bool front = behind > 0 && find_p(recorded, 0) >= behind;
    bool good =
        cli_words_add(words, "ocelotl-cli") && cli_words_add(words, command) && add_first_p(words, recorded, added);
    for (size_t i = 0; good && i < recorded->count; i++) {
        const bool moved = front && is_of_p(&recorded->options[i]) && find_p(added, 0) < added->count;
        if (!moved && !is_replaced(recorded, i, added))
            good = add_option(words, &recorded->options[i]);
    }
    for (size_t i = 0; good && i < added->count; i++) {
        const given option = name_output(&added->options[i], command);
        good = add_option(words, &option);
    }
    return good && write_traces(words, added->trace_count > 0 ? added : recorded);
}

/* --- Checking */

static bool has_output(const line *added)
{
    for (size_t i = 0; i < added->count; i++)
        if (strcmp(added->options[i].name, "output") == 0 || strcmp(added->options[i].name, "plot") == 0)
            return true;
    return false;
}

/* The traces that the picture was drawn of, where none are given now. `names` are those to give instead. */
static int check_recorded(const line *recorded, size_t traces, const char *picture, const char *names)
{
    if (recorded->trace_count < traces)
        return cli_wrong("%s: its command names no %s, expected --again %s ... %s", picture,
                         traces == 1 ? "trace" : "two traces", picture, names);
    for (size_t i = 0; i < traces; i++) {
        const char *trace = recorded->traces[i];
        if (strcmp(trace, "-") == 0)
            return cli_wrong("%s was drawn of standard input, expected --again %s ... %s", picture, picture, names);
        if (access(trace, F_OK) != 0)
            return cli_wrong("%s was drawn of %s, which is not there, expected --again %s ... %s", picture, trace,
                             picture, names);
    }
    return CLI_DONE;
}

static int check(const line *recorded, const line *added, const char *picture, size_t traces)
{
    const char *names = traces == 1 ? "TRACE" : "FIRST SECOND";
    if (!has_output(added))
        return cli_usage("", "--again %s needs the name of a picture to draw, expected -o FILE", picture);
    if (added->trace_count == 0)
        return check_recorded(recorded, traces, picture, names);
    if (added->trace_count < traces)
        return cli_usage("", "%s was drawn of two traces, and one is given, expected --again %s ... %s", picture,
                         picture, names);
    return CLI_DONE;
}

static int merge(cli_words *words, cli_words *old, int argc, char **argv)
{
    const char *picture = argv[0];
    line recorded = {.count = 0};
    line added = {.count = 0};
    size_t drawer = 0;
    int skipped = 1;
    int code = find_drawer(&drawer, &skipped, old, picture);
    if (code != CLI_DONE)
        return code;
    code = read_line(&recorded, (int)old->count - skipped + 1, old->words + skipped - 1, drawer);
    if (code == CLI_DONE)
        code = read_line(&added, argc, argv, drawer);
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
    if (cli_words_read(&old, command))
        code = merge(words, &old, argc, argv);
    else
        code = cli_wrong("%s: its command is not one that ocelotl-cli wrote: %.200s", argv[0], command);
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
