/* ocelotl-cli defaults: what the user's file of defaults sets, and where. */
#include "shell.h"

#include <stdlib.h>

static const char *section_of(const cli_default *item)
{
    return item->command != NULL ? item->command : "";
}

/* As a terminal may have it. */
static void print_visible(const char *text)
{
    char *line = NULL;
    if (ocelotl_words_write(&line, 1, &text) == OCELOTL_OK)
        fputs(line, stdout);
    free(line);
}

static void print_json(const cli_defaults *defaults)
{
    char *text = cli_defaults_json(defaults);
    if (text != NULL)
        printf("{%s,\"found\":%s}\n", text, defaults->found ? "true" : "false");
    free(text);
}

static void print_table(const cli_defaults *defaults)
{
    print_visible(defaults->path != NULL ? defaults->path : "(no home)");
    printf("%s\n", !defaults->found       ? ": is not there"
                   : defaults->count == 0 ? ": sets nothing"
                                          : "");
    for (size_t i = 0; i < defaults->count; i++) {
        const cli_default *item = &defaults->items[i];
        printf("%5zu  %-11s  --", item->line, section_of(item));
        print_visible(item->name);
        if (item->value != NULL) {
            printf(" ");
            print_visible(item->value);
        }
        printf("\n");
    }
}

int cli_list_defaults(cli_job *job)
{
    cli_defaults defaults = {.path = NULL};
    const int code = cli_defaults_read(&defaults);
    if (code == CLI_DONE && job->request->json) {
        for (size_t i = 0; i < defaults.count; i++)
            defaults.items[i].applied = true;
        print_json(&defaults);
    } else if (code == CLI_DONE) {
        print_table(&defaults);
    }
    cli_defaults_free(&defaults);
    return code;
}
