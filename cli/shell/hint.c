/* Hints at the next step, for a person at a terminal. */
#define _GNU_SOURCE
#include "shell.h"

#include <ocelotl/request.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool takes(const char *command, const char *option)
{
    return ocelotl_parameter_find(command, option).name[0] != '\0';
}

/* Adds "--name=value"; returns false if memory runs out. */
static bool add_option(char **words, size_t *count, const ocelotl_given *given)
{
    char *text = NULL;
    if (!takes("serve", given->name))
        return true;
    const int length = given->value == NULL ? asprintf(&text, "--%s", given->name)
                                            : asprintf(&text, "--%s=%s", given->name, given->value);
    if (length < 0)
        return false;
    words[(*count)++] = text;
    return true;
}

/* Makes the command line that serves what a request draws; NULL if memory runs out. */
static char *make_line(const ocelotl_request *request)
{
    char *line = NULL;
    size_t count = 2;
    char **words = calloc(request->given_count + 4, sizeof *words);
    bool made = words != NULL;
    for (size_t i = 0; made && i < request->given_count; i++)
        made = add_option(words, &count, &request->given[i]);
    const size_t end = count;
    if (made) {
        words[0] = "ocelotl-cli";
        words[1] = "serve";
        if (request->operands[0][0] == '-')
            words[count++] = "--";
        words[count++] = (char *)request->operands[0];
        (void)ocelotl_words_write(&line, count, (const char *const *)words);
    }
    for (size_t i = 2; words != NULL && i < end; i++)
        free(words[i]);
    free(words);
    return line;
}

void cli_say_how_to_serve(const ocelotl_request *request)
{
    if (!isatty(STDOUT_FILENO) || cli_is_standard_input(request->operands[0]))
        return;
    char *line = make_line(request);
    if (line != NULL)
        printf("to look into it: %s\n", line);
    free(line);
}
