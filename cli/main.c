/* ocelotl-cli: finds the command and runs it. Without one it draws the overview. */
#include "command.h"

#include <string.h>

static const cli_command commands[] = {
    {"import", "turn a trace of any known format into a trace.db", cli_import},
    {"info", "say what is in a trace", cli_info},
    {"sweep", "list the levels of detail that the overview can show", cli_sweep},
    {"formats", "list the formats that can be read", cli_formats},
};

static const size_t command_count = sizeof commands / sizeof commands[0];

static int help(void)
{
    printf("Usage: ocelotl-cli [OPTIONS] TRACE          draw the overview of a trace\n"
           "       ocelotl-cli COMMAND [OPTIONS] ...\n\n"
           "TRACE is a trace.db, a trace of a known format, or a microscopic model as CSV.\n\n"
           "Commands:\n");
    for (size_t i = 0; i < command_count; i++)
        printf("  %-9s %s\n", commands[i].name, commands[i].summary);
    printf(
        "\nExamples:\n"
        "  ocelotl-cli import run.trace -o trace.db\n"
        "  ocelotl-cli --p 0.5 trace.db -o overview.svg\n"
        "  ocelotl-cli sweep trace.db\n\n"
        "`ocelotl-cli overview --help` lists the options of the overview, `ocelotl-cli COMMAND --help` those of a\n"
        "command. Exit codes: 0 done, 1 the input or the request is wrong, 2 usage, 3 internal error.\n");
    return CLI_DONE;
}

int main(int argc, char **argv)
{
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0))
        return help();
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("ocelotl-cli %s\n", ocelotl_version());
        return CLI_DONE;
    }
    if (argc >= 2 && strcmp(argv[1], "overview") == 0)
        return cli_overview(argc - 1, argv + 1);
    for (size_t i = 0; argc >= 2 && i < command_count; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    return cli_overview(argc, argv);
}
