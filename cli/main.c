/* Finds the command and runs it. Without one it draws the overview. */
#define _GNU_SOURCE
#include "ending.h"
#include "shell.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Those that do more than to find an answer and write it. */
static const cli_command commands[] = {
    {"overview", cli_overview, CLI_PICTURES | CLI_PAGE | CLI_JSON_TEXT, true, false},
    {"import", cli_import, CLI_TRACE_DB, true, false},
    {"merge", cli_merge, CLI_TRACE_DB, true, false},
    {"info", cli_info, CLI_TABLES, true, false},
    {"list", cli_list, CLI_TABLES, false, false},
    {"sweep", cli_ask_beside, CLI_PICTURES | CLI_TABLES, true, false, true},
    {"compare", cli_ask_beside, CLI_PICTURES | CLI_TABLES, true, false, true},
    {"check", cli_ask_beside, CLI_PICTURES | CLI_TABLES | CLI_XML, true, true, true},
    {"snapshot", cli_snapshot, CLI_OTHER, true, false},
    {"export", cli_export, CLI_CSV_TEXT | CLI_JSON_TEXT, true, false},
    {"verify", cli_verify, CLI_TEXT | CLI_JSON_TEXT, false, false},
    {"cache", cli_cache, CLI_TABLES, false, false},
    {"defaults", cli_list_defaults, CLI_TEXT | CLI_JSON_TEXT, false, false},
    {"formats", cli_formats, CLI_TABLES, false, false},
    {"serve", cli_serve, CLI_TEXT, true, false},
    {"mcp", cli_mcp, CLI_TEXT, false, false},
};

static bool find_command(cli_command *command, const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(name, commands[i].name) == 0) {
            *command = commands[i];
            return true;
        }
    const unsigned writes = ocelotl_command_answering(name).forms;
    *command = (cli_command){name, cli_ask, writes, true, false};
    return writes != 0;
}

/* --- --again */

/* The traces that the picture was drawn of, where none are given now. */
static int check_kept(const ocelotl_redrawing *redrawing, const char *picture)
{
    const char *names = redrawing->kept == 1 ? "TRACE" : "FIRST SECOND";
    for (size_t i = redrawing->count - redrawing->kept; i < redrawing->count; i++) {
        const char *trace = redrawing->words[i];
        if (strcmp(trace, "-") == 0)
            return cli_wrong("%s was drawn of standard input, expected --again %s ... %s", picture,
                             picture, names);
        if (access(trace, F_OK) != 0)
            return cli_wrong("%s was drawn of %s, which is not there, expected --again %s ... %s",
                             picture, trace, picture, names);
    }
    return CLI_DONE;
}

/* Draws a picture again. It says all that it was drawn with: defaults of one's own are left alone.
 * Its command never leads to --again. */
static int draw_again(const char *picture, int argc, char **argv)
{
    static char alone[] = "--no-defaults";
    ocelotl_redrawing redrawing = {.command = ""};
    cli_command command;
    const ocelotl_status status =
        ocelotl_redraw(&redrawing, picture, (size_t)argc, (const char *const *)argv);
    int code = cli_option_code(status, redrawing.command);
    if (code == CLI_DONE)
        code = check_kept(&redrawing, picture);
    char **words = code == CLI_DONE ? calloc(redrawing.count + 1, sizeof *words) : NULL;
    if (words != NULL) {
        /* The command stands before its options. */
        words[0] = redrawing.words[1];
        words[1] = alone;
        memcpy(words + 2, redrawing.words + 2, (redrawing.count - 2) * sizeof *words);
        code = find_command(&command, redrawing.command)
                   ? cli_run(&command, (int)redrawing.count, words, redrawing.added)
                   : CLI_INTERNAL;
    } else if (code == CLI_DONE) {
        code = cli_memory();
    }
    free(words);
    ocelotl_redrawing_free(&redrawing);
    return code;
}

static int run_again(int argc, char **argv)
{
    static const char joined[] = "--again=";
    if (strncmp(argv[1], joined, strlen(joined)) == 0)
        return draw_again(argv[1] + strlen(joined), argc - 2, argv + 2);
    return argc < 3 ? cli_usage("", "option --again needs a value")
                    : draw_again(argv[2], argc - 3, argv + 3);
}

/* --- Help */

static int print_help(void)
{
    printf("Usage: ocelotl-cli [OPTIONS] TRACE          draw the overview of a trace\n"
           "       ocelotl-cli COMMAND [OPTIONS] ...        (options may come before the command, "
           "too)\n"
           "       ocelotl-cli --again PICTURE [OPTIONS] -o FILE   draw a picture again, with "
           "changes\n"
           "       ocelotl-cli run FILE                    do the commands that a file has, a line "
           "each\n\n"
           "TRACE is a trace.db, a trace of a known format, or a microscopic model as CSV; - is "
           "standard input.\n\n"
           "Commands:\n");
    for (size_t i = 1; i < ocelotl_command_count(); i++)
        printf("  %-11s %s\n", ocelotl_command_at(i).name, ocelotl_command_at(i).summary);
    printf(
        "\nExamples:\n"
        "  ocelotl-cli import run.trace -o trace.db\n"
        "  ocelotl-cli --p 0.5 trace.db -o overview.svg\n"
        "  ocelotl-cli sweep trace.db\n\n"
        "`ocelotl-cli overview --help` lists the options of the overview, `ocelotl-cli COMMAND "
        "--help` those of a\n"
        "command, `--help TOPIC` its rarer options on a topic, `--help all` everything. Exit "
        "codes: "
        "0 done, 1 wrong\n"
        "input or request, 2 usage, 3 internal error; after a signal 128 plus its number. A file "
        "that was being\n"
        "written is removed then, and an existing one stays as it was.\n");
    return CLI_DONE;
}

static int print_run_help(void)
{
    printf("Usage: ocelotl-cli run FILE\n\n"
           "Does the commands that a file has, a line each, up to the first that fails, whose exit "
           "code it ends with.\n"
           "Words may be quoted as in a shell; lines that begin with # say what follows.\n");
    return CLI_DONE;
}

/* --help COMMAND is COMMAND --help; without a command, what follows is of the overview. */
static int run_help(int argc, char **argv)
{
    static char option[] = "--help";
    if (argc == 2)
        return print_help();
    if (strcmp(argv[2], "run") == 0)
        return print_run_help();
    cli_command command;
    if (!find_command(&command, argv[2])) {
        argv[1] = option;
        return cli_run(&commands[0], argc, argv, SIZE_MAX);
    }
    argv[1] = argv[2];
    argv[2] = option;
    return cli_run(&command, argc - 1, argv + 1, SIZE_MAX);
}

/* --- Options before the command */

/* Finds the first word that is neither an option nor the value of one; argc if none is. */
static int find_operand(int argc, char **argv)
{
    int i = 1;
    while (i < argc && argv[i][0] == '-' && argv[i][1] != '\0') {
        const char *name = argv[i] + 2;
        const bool is_long = argv[i][1] == '-';
        if (is_long && name[0] == '\0')
            return argc;
        i += is_long ? strchr(name, '=') == NULL && ocelotl_parameter_takes_value(name)
                     : strcmp(argv[i], "-o") == 0;
        i++;
    }
    return i < argc ? i : argc;
}

/* The first line is the version alone; the others are what this build can read. */
static int print_version(void)
{
    printf("ocelotl-cli %s\nreads", ocelotl_version());
    for (uint32_t i = 0; i < ocelotl_format_count(); i++)
        printf(" %s", ocelotl_format_at(i).name);
    for (uint32_t i = 0; i < ocelotl_missing_format_count(); i++) {
        const ocelotl_missing_format missing = ocelotl_missing_format_at(i);
        printf("\ndoes not read %s: needs %s", missing.format.name, missing.needs);
    }
    putchar('\n');
    return CLI_DONE;
}

/* Threads that wait for others spin, unless that was forbidden when their library was loaded: of a
 * server, the browser on the same machine would pay for it. */
static void begin_quietly(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") == NULL && setenv("OMP_WAIT_POLICY", "passive", 1) == 0)
        execv("/proc/self/exe", argv);
}

/* Of commands that write files by themselves, or answer what several ask. */
static bool is_of_one(const char *word)
{
    static const char *const all[] = {"serve", "mcp", "merge", "snapshot", "export", "cache"};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(word, all[i]) == 0)
            return true;
    return false;
}

static int run(int argc, char **argv)
{
    const char *first = argc > 1 ? argv[1] : "";
    if (argc < 2)
        return cli_usage("", "no command and no TRACE given");
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "help") == 0)
        return run_help(argc, argv);
    if (strcmp(first, "--version") == 0)
        return print_version();
    if (strncmp(first, "--again", strlen("--again")) == 0 && (first[7] == '\0' || first[7] == '='))
        return run_again(argc, argv);
    if (strcmp(first, "run") == 0 && argc != 3)
        return cli_usage("", "run takes one FILE, whose lines are commands");
    if (strcmp(first, "run") == 0)
        return strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0 ? print_run_help()
                                                                            : cli_run_file(argv[2]);
    const int operand = find_operand(argc, argv);
    const char *word = operand < argc ? argv[operand] : "";
    const char *before = operand > 1 ? argv[operand - 1] : "";
    cli_command command;
    if (cli_has_ranks() && is_of_one(word))
        return cli_wrong("%s is of one process, expected ocelotl-cli %s", word, word);
    if (strcmp(word, "serve") == 0)
        begin_quietly(argv);
    /* Behind an option that nobody knows a word may be its value: the option is what is wrong. */
    const bool may_be_value = strncmp(before, "--", 2) == 0 &&
                              ocelotl_parameter_find("overview", before + 2).name[0] == '\0';
    if (!find_command(&command, word))
        return cli_may_be_name(word) && !may_be_value
                   ? cli_option_code(ocelotl_command_refuse(word), "")
                   : cli_run(&commands[0], argc, argv, SIZE_MAX);
    /* The command goes before its options. */
    char *name = argv[operand];
    memmove(argv + 2, argv + 1, (size_t)(operand - 1) * sizeof *argv);
    argv[1] = name;
    return cli_run(&command, argc - 1, argv + 1, SIZE_MAX);
}

int cli_main(int argc, char **argv)
{
#ifdef M_ARENA_MAX
    /* One heap where addresses are limited: a heap for each thread reserves many. */
    struct rlimit addresses;
    if (getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY)
        mallopt(M_ARENA_MAX, 1);
#endif
    /* Each thread has a file open for each shard of a run. */
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
        files.rlim_cur = files.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &files);
    }
    cli_catch_signals();
    int code = run(argc, argv);
    cli_end_if_asked();
    /* Where nobody reads what is said of a file, that is in its place all the same. */
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == CLI_DONE &&
        !(errno == EPIPE && cli_has_written()))
        return cli_wrong("standard output: cannot write: %s", strerror(errno));
    return code;
}
