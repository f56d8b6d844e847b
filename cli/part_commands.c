#define _GNU_SOURCE
#include "part_commands.h"

#include "line.h"
#include "options.h"
#include "output.h"
#include "part.h"
#include "picture_options.h"
#include "which_p.h"

#include <stdlib.h>
#include <string.h>

static const struct option of_models[] = {
    CLI_MODEL_OPTIONS, CLI_P_OPTIONS, CLI_ZOOM_OPTIONS, {NULL, 0, NULL, 0}};
static const struct option of_pictures[] = {CLI_PICTURE_OPTIONS, {NULL, 0, NULL, 0}};

/* A command, the name of the part in it, and of the file that it writes: "" for one that prints. */
static const struct {
    const char *what, *command, *part, *prefix, *suffix;
    bool views, pictures; /* takes the options of the overview's views, and of pictures */
} targets[] = {
    {"its overview", "", "zoom", "overview-", ".svg", true, true},
    {"its events, as a Gantt chart", "gantt", "part", "gantt-", ".svg", false, true},
    {"its statistics", "stats", "part", "", "", false, false},
    {"its events, as CSV", "export", "part", "events-", ".csv", false, false},
};

static bool is_in(const struct option *options, const char *name)
{
    while (options->name != NULL && strcmp(options->name, name) != 0)
        options++;
    return options->name != NULL;
}

/* Whether a command takes an option of the report's. What is expanded need not be in the part. */
static bool takes(size_t target, const cli_line *line, size_t index)
{
    const cli_given *option = &line->options[index];
    if (cli_given_is_of_p(option))
        return index < cli_line_end_of_zooms(line);
    if (is_in(of_models, option->name))
        return true;
    if (is_in(of_pictures, option->name))
        return targets[target].pictures;
    return targets[target].views &&
           (strcmp(option->name, "view") == 0 || strcmp(option->name, "type") == 0);
}

static bool add_words(cli_words *words, size_t target, const cli_line *line)
{
    bool good = targets[target].command[0] == '\0' || cli_words_add(words, targets[target].command);
    for (size_t i = 0; i < line->count && good; i++)
        if (takes(target, line, i))
            good = cli_line_add_option(words, &line->options[i]);
    return good;
}

/* The words are quoted, and so without the bytes that stand for p and the part. */
static void write_words(FILE *stream, const cli_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        cli_write_word(stream, words->words[i]);
}

static bool write_text(FILE *stream, size_t target, const cli_line *line)
{
    cli_words options = {0};
    cli_words traces = {0};
    const bool good = add_words(&options, target, line) && cli_line_add_traces(&traces, line);
    fprintf(stream, "ocelotl-cli");
    write_words(stream, &options);
    fprintf(stream, " --p \1 --%s \2", targets[target].part);
    if (targets[target].prefix[0] != '\0')
        fprintf(stream, " -o %s\2%s", targets[target].prefix, targets[target].suffix);
    write_words(stream, &traces);
    cli_words_free(&options);
    cli_words_free(&traces);
    return good;
}

static bool add_command(cli_part_commands *made, size_t target, const cli_line *line)
{
    size_t length = 0;
    FILE *stream = open_memstream(&made->texts[made->count], &length);
    if (stream == NULL)
        return false;
    const bool good = write_text(stream, target, line);
    if (!cli_close_memory(stream) || !good)
        return false;
    made->commands[made->count] =
        (ocelotl_part_command){targets[target].what, made->texts[made->count]};
    made->count++;
    return true;
}

/* Standard input is not there any more when somebody reads the report. */
static bool can_be_read_again(const cli_line *line)
{
    return line->trace_count > 0 && strcmp(line->traces[0], "-") != 0;
}

static int make(cli_part_commands *made, cli_words *words, bool has_events)
{
    cli_line *line = calloc(1, sizeof *line);
    if (line == NULL)
        return cli_memory();
    int code =
        cli_line_read(line, (int)words->count, words->words, cli_overview_options, "overview", 1);
    /* A matrix has no window to look into. */
    const size_t count = can_be_read_again(line) && has_events ? CLI_PART_COMMANDS_MOST : 0;
    for (size_t i = 0; i < count && code == CLI_DONE; i++)
        code = add_command(made, i, line) ? CLI_DONE : cli_memory();
    free(line);
    return code;
}

int cli_part_commands_make(cli_part_commands *made, const char *report, bool has_events)
{
    cli_words words = {0};
    int code = cli_words_read(&words, report);
    if (code == CLI_DONE)
        code = make(made, &words, has_events);
    cli_words_free(&words);
    return code;
}

void cli_part_commands_free(cli_part_commands *made)
{
    for (size_t i = 0; i < CLI_PART_COMMANDS_MOST; i++)
        free(made->texts[i]);
    *made = (cli_part_commands){0};
}
