/* ocelotl-cli defaults: what the user's file of defaults sets, and where. */
#define _GNU_SOURCE
#include "shell.h"

#include <stdlib.h>
#include <string.h>

/* As a terminal may have it. */
static bool print_visible(const char *text)
{
    char *line = NULL;
    const bool written = ocelotl_words_write(&line, 1, &text) == OCELOTL_OK;
    if (written)
        fputs(line, stdout);
    free(line);
    return written;
}

static int print_table(const cli_defaults *defaults)
{
    bool written = print_visible(defaults->path != NULL ? defaults->path : "(no home)");
    printf("%s\n", !defaults->found       ? ": is not there"
                   : defaults->count == 0 ? ": sets nothing"
                                          : "");
    for (size_t i = 0; i < defaults->count; i++) {
        const cli_default *item = &defaults->items[i];
        printf("%5zu  %-11s  --", item->line, item->command != NULL ? item->command : "");
        written = print_visible(item->name) && written;
        if (item->value != NULL) {
            printf(" ");
            written = print_visible(item->value) && written;
        }
        if (item->why != NULL) {
            printf("  is left out: ");
            ocelotl_sink sink = ocelotl_stream_sink(stdout);
            (void)ocelotl_text_write_visible(&sink, item->why, strlen(item->why));
        }
        printf("\n");
    }
    return written ? CLI_DONE : cli_memory();
}

/* --- What contradicts what */

/* The request of a command with as many operands as it takes; what is not enough is wrong in any
 * case, and so is no default's fault. */
static ocelotl_status make_bare(ocelotl_request **asked, const char *command)
{
    static const char *const words[] = {"trace", "trace"};
    bool right = false;
    ocelotl_status status = OCELOTL_OK;
    for (size_t count = 0; count <= 2 && !right && status != OCELOTL_ERROR_MEMORY; count++) {
        ocelotl_request_free(*asked);
        *asked = NULL;
        status = ocelotl_request_new(asked, command);
        if (status == OCELOTL_OK)
            status = ocelotl_request_parse(*asked, count, words);
        right = status == OCELOTL_OK && ocelotl_request_check(*asked) == OCELOTL_OK;
    }
    return status;
}

/* Why each default is left out of one command; what is applied somewhere is left out nowhere. */
static ocelotl_status choose_for(cli_defaults *defaults, char **why, bool *works,
                                 const ocelotl_request *asked)
{
    const cli_trial trial = {NULL, NULL};
    ocelotl_status status = cli_defaults_choose(defaults, asked, &trial, true);
    for (size_t i = 0; i < defaults->count && status == OCELOTL_OK; i++) {
        bool contradicts = false;
        status =
            cli_default_contradicts(&contradicts, defaults, &defaults->items[i], asked, &trial);
        works[i] = works[i] || defaults->items[i].applied;
        if (contradicts && why[i] == NULL) {
            why[i] = strdup(defaults->items[i].why);
            status = why[i] != NULL ? status : OCELOTL_ERROR_MEMORY;
        }
    }
    return status;
}

/* What others contradict wherever it is of use is left out; all else is set, though a command may
 * want more than its operands for it. */
static ocelotl_status find_contradictions(cli_defaults *defaults)
{
    char **why = calloc(defaults->count + 1, sizeof *why);
    bool *works = calloc(defaults->count + 1, sizeof *works);
    ocelotl_status status = why != NULL && works != NULL ? OCELOTL_OK : OCELOTL_ERROR_MEMORY;
    for (size_t i = 0; i < ocelotl_command_count() && status == OCELOTL_OK; i++) {
        ocelotl_request *asked = NULL;
        status = make_bare(&asked, ocelotl_command_at(i).name);
        if (status == OCELOTL_OK)
            status = choose_for(defaults, why, works, asked);
        ocelotl_request_free(asked);
    }
    for (size_t i = 0; i < defaults->count && status == OCELOTL_OK; i++)
        status = cli_default_set(&defaults->items[i], works[i] || why[i] == NULL,
                                 works[i] ? NULL : why[i]);
    for (size_t i = 0; i < defaults->count && why != NULL; i++)
        free(why[i]);
    free(why);
    free(works);
    return status;
}

int cli_list_defaults(cli_job *job)
{
    cli_defaults defaults = {.path = NULL};
    char *text = NULL;
    int code = cli_defaults_read(&defaults);
    if (code == CLI_DONE)
        code = cli_code(find_contradictions(&defaults));
    if (code == CLI_DONE && !job->request->json) {
        code = print_table(&defaults);
    } else if (code == CLI_DONE) {
        text = cli_defaults_json(&defaults);
        code = text != NULL ? CLI_DONE : cli_memory();
    }
    if (text != NULL)
        printf("{%s,\"found\":%s}\n", text, defaults.found ? "true" : "false");
    free(text);
    cli_defaults_free(&defaults);
    return code;
}
