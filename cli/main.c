/* ocelotl-cli: finds the command and runs it. Without one it draws the overview. */
#include "again.h"
#include "command.h"
#include "ending.h"
#include "help.h"
#include "nearest.h"
#include "options.h"
#include "output.h"

#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <sys/resource.h>

static const cli_command commands[] = {
    {"import", "turn a trace of any known format into a trace.db", cli_import, &cli_import_options},
    {"info", "say what is in a trace", cli_info, &cli_info_options},
    {"sweep", "list the levels of detail that the overview can show", cli_sweep,
     &cli_sweep_options},
    {"parts", "list the parts of the overview, each with the number to look into it by", cli_parts,
     &cli_parts_options},
    {"stats", "add up what is in a trace, or a part of it, by event type and value", cli_stats,
     &cli_stats_options},
    {"compare", "say and draw what differs between two traces, or two windows of one", cli_compare,
     &cli_compare_options},
    {"treemap", "draw the resources as nested rectangles", cli_treemap, &cli_treemap_options},
    {"series", "count the resources in each state over time, by group, or add up their variables",
     cli_series, &cli_series_options},
    {"sql", "ask a question in SQL", cli_sql, &cli_sql_options},
    {"gantt", "draw the events of a window over time", cli_gantt, &cli_gantt_options},
    {"export", "write the events of a trace as CSV, or as pj_dump does", cli_export,
     &cli_export_options},
    {"verify", "say what of a trace.db is damaged", cli_verify, &cli_verify_options},
    {"cache", "say what is kept between runs, and empty it", cli_cache, &cli_cache_options},
    {"formats", "list the formats that can be read", cli_formats, &cli_formats_options},
};

static const size_t command_count = sizeof commands / sizeof commands[0];

static int help(void)
{
    printf("Usage: ocelotl-cli [OPTIONS] TRACE          draw the overview of a trace\n"
           "       ocelotl-cli COMMAND [OPTIONS] ...        (options may come before the command, "
           "too)\n"
           "       ocelotl-cli --again PICTURE [OPTIONS] -o FILE   draw a picture again, with "
           "changes\n\n"
           "TRACE is a trace.db, a trace of a known format, or a microscopic model as CSV; - is "
           "standard input.\n\n"
           "Commands:\n");
    for (size_t i = 0; i < command_count; i++)
        printf("  %-9s %s\n", commands[i].name, commands[i].summary);
    printf(
        "\nExamples:\n"
        "  ocelotl-cli import run.trace -o trace.db\n"
        "  ocelotl-cli --p 0.5 trace.db -o overview.svg\n"
        "  ocelotl-cli sweep trace.db\n\n"
        "`ocelotl-cli overview --help` lists the options of the overview, `ocelotl-cli COMMAND "
        "--help` those of a\n"
        "command, `--help TOPIC` the rarer ones that it refers to, `--help all` all there is to "
        "say of them. Exit\n"
        "codes: 0 done, 1 the input or the request is wrong, 2 usage, 3 internal error; of what a "
        "signal ended 128 "
        "and its\n"
        "number. What was being written is gone then, and what was there before is as it was.\n");
    return CLI_DONE;
}

static int unknown_command(const char *word)
{
    cli_nearest nearest = cli_nearest_to(word, strlen(word));
    cli_nearest_try(&nearest, "overview");
    for (size_t i = 0; i < command_count; i++)
        cli_nearest_try(&nearest, commands[i].name);
    if (nearest.name == NULL)
        return cli_usage("", "\"%s\" is neither a command nor a file", word);
    return cli_usage("", "\"%s\" is neither a command nor a file; the nearest command is %s", word,
                     nearest.name);
}

static int run(int argc, char **argv);

/* What the command of a picture leads to is never --again. */
static int run_again(int argc, char **argv)
{
    cli_words words = {0};
    int code = cli_again(&words, argc, argv);
    if (code == CLI_DONE)
        code = run((int)words.count, words.words);
    cli_words_free(&words);
    return code;
}

static cli_run find_command(const char *name)
{
    if (strcmp(name, "overview") == 0)
        return cli_overview;
    for (size_t i = 0; i < command_count; i++)
        if (strcmp(name, commands[i].name) == 0)
            return commands[i].run;
    return NULL;
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

/* --help COMMAND is COMMAND --help; without a command, what follows is of the overview. */
static int run_help(int argc, char **argv)
{
    static char option[] = "--help";
    if (argc == 2)
        return help();
    const cli_run command = find_command(argv[2]);
    argv[1] = command != NULL ? argv[2] : option;
    if (command == NULL)
        return cli_overview(argc, argv);
    argv[2] = option;
    return command(argc - 1, argv + 1);
}

/* --- Options before the command */

/* Whether an option of some command, as it is or cut short, takes a value. */
static bool takes_value(const char *name)
{
    bool begins_so = false;
    for (size_t i = 0; i <= command_count; i++) {
        const struct option *known =
            i < command_count ? *commands[i].options : cli_overview_options;
        for (; known->name != NULL; known++) {
            if (strcmp(known->name, name) == 0)
                return known->has_arg != no_argument;
            begins_so = begins_so || (known->has_arg != no_argument &&
                                      strncmp(known->name, name, strlen(name)) == 0);
        }
    }
    return begins_so;
}

/* The first word that is neither an option nor the value of one; argc: there is none. */
static int find_operand(int argc, char **argv)
{
    int i = 1;
    while (i < argc && argv[i][0] == '-' && argv[i][1] != '\0') {
        const char *name = argv[i] + 2;
        const bool is_long = argv[i][1] == '-';
        if (is_long && name[0] == '\0')
            return argc;
        i += is_long ? strchr(name, '=') == NULL && takes_value(name) : strcmp(argv[i], "-o") == 0;
        i++;
    }
    return i < argc ? i : argc;
}

/* Puts the command before its options. */
static void move_to_front(int index, char **argv)
{
    char *command = argv[index];
    memmove(argv + 2, argv + 1, (size_t)(index - 1) * sizeof *argv);
    argv[1] = command;
}

static int run(int argc, char **argv)
{
    const char *first = argc > 1 ? argv[1] : "";
    if (argc < 2)
        return cli_usage("", "no command and no TRACE given");
    if (is_help(first))
        return run_help(argc, argv);
    if (argc == 2 && strcmp(first, "--version") == 0) {
        printf("ocelotl-cli %s\n", ocelotl_version());
        return CLI_DONE;
    }
    if (strncmp(first, "--again", strlen("--again")) == 0 && (first[7] == '\0' || first[7] == '='))
        return run_again(argc, argv);
    const int operand = find_operand(argc, argv);
    const char *word = operand < argc ? argv[operand] : "";
    const cli_run command = find_command(word);
    if (command == NULL)
        return cli_may_be_name(word) ? unknown_command(word) : cli_overview(argc, argv);
    move_to_front(operand, argv);
    return command(argc - 1, argv + 1);
}

/* A heap for each thread takes many addresses at once: where they are limited there is one for all.
 */
static void share_heap(void)
{
#ifdef M_ARENA_MAX
    struct rlimit addresses;
    if (getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY)
        mallopt(M_ARENA_MAX, 1);
#endif
}

int main(int argc, char **argv)
{
    share_heap();
    cli_catch_signals();
    int code = run(argc, argv);
    cli_end_if_asked();
    if (code == CLI_DONE)
        code = cli_output_lacking();
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == CLI_DONE)
        return cli_wrong("standard output: cannot write: %s", strerror(errno));
    return code;
}
