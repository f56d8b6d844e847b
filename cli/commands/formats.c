/* ocelotl-cli formats: what can be read. */
#include "json.h"
#include "output.h"
#include "shell.h"

#include <string.h>

/* What is read without an importer. */
static const ocelotl_format own_formats[] = {
    {"trace.db", "what ocelotl-cli import writes (needs no import)"},
    {"matrix",
     "a microscopic model as CSV, with the header path,type,slice,value (needs no import)"},
};

static uint32_t count_formats(void)
{
    return ocelotl_format_count() + (uint32_t)(sizeof own_formats / sizeof own_formats[0]);
}

static ocelotl_format get_format(uint32_t index)
{
    const uint32_t imported = ocelotl_format_count();
    return index < imported ? ocelotl_format_at(index) : own_formats[index - imported];
}

static void list(void)
{
    for (uint32_t i = 0; i < count_formats(); i++)
        printf("%-10s %s\n", get_format(i).name, get_format(i).description);
}

static void list_json(void)
{
    printf("{\"formats\":[");
    for (uint32_t i = 0; i < count_formats(); i++) {
        printf("%s{\"name\":", i > 0 ? "," : "");
        cli_json_string(stdout, get_format(i).name);
        printf(",\"description\":");
        cli_json_string(stdout, get_format(i).description);
        printf("}");
    }
    printf("]}\n");
}

static void list_csv(void)
{
    puts("name,description");
    for (uint32_t i = 0; i < count_formats(); i++) {
        const ocelotl_format format = get_format(i);
        cli_csv_cell(stdout, format.name, strlen(format.name));
        putchar(',');
        cli_csv_cell(stdout, format.description, strlen(format.description));
        putchar('\n');
    }
}

int cli_formats(cli_job *job)
{
    if (job->request->json)
        list_json();
    else if (job->request->csv)
        list_csv();
    else
        list();
    return CLI_DONE;
}
