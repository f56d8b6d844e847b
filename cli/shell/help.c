#include "help.h"

#include "messages.h"

#include <ocelotl/request.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cli_may_be_name(const char *word)
{
    return word[0] != '-' && word[0] != '\0' && strpbrk(word, "./") == NULL &&
           access(word, F_OK) != 0;
}

int cli_print_help(const char *command, const char *word)
{
    char *text = NULL;
    const bool topic = word != NULL && cli_may_be_name(word);
    const ocelotl_status status = ocelotl_help(&text, command, topic ? word : NULL);
    if (status == OCELOTL_OK)
        fputs(text, stdout);
    free(text);
    /* It may be meant as a command. */
    const bool near = strstr(ocelotl_error_message(), "; the nearest topic is ") != NULL;
    return cli_option_code(status, near || strcmp(command, "overview") != 0 ? command : "");
}

int cli_print_program_help(void)
{
    printf("Usage: ocelotl-cli [OPTIONS] TRACE          draw the overview of a trace\n"
           "       ocelotl-cli COMMAND [OPTIONS] ...        (options may come before the command, "
           "too)\n"
           "       ocelotl-cli --again PICTURE [OPTIONS] -o FILE   draw a picture again, with "
           "changes\n\n"
           "TRACE is a trace.db, a trace of a known format, or a microscopic model as CSV; - is "
           "standard input.\n\n"
           "Commands:\n");
    for (size_t i = 1; i < ocelotl_command_count(); i++)
        printf("  %-9s %s\n", ocelotl_command_at(i).name, ocelotl_command_at(i).summary);
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
