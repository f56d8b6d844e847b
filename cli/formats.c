/* ocelotl-cli formats: what can be read. */
#include "command_line.h"
#include "json.h"
#include "stream.h"

#include <string.h>

static const struct option long_options[] = {
    {"csv", no_argument, NULL, CLI_CSV},
    {"json", no_argument, NULL, CLI_JSON},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

const struct option *const cli_formats_options = long_options;

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
    return index < imported ? ocelotl_format_get(index) : own_formats[index - imported];
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

static void help(FILE *file)
{
    fprintf(file,
            "Usage: ocelotl-cli formats [--csv | --json]\n\nLists the formats that can be read.\n\n"
            "  --csv, --json         print CSV or JSON instead of a table\n\n"
            "Examples:\n"
            "  ocelotl-cli formats\n");
}

static int check_operands(int count, char **operands)
{
    return count == 0 ? CLI_DONE : cli_usage("formats", "\"%s\" is not expected", operands[0]);
}

static int run(void *given)
{
    const cli_request *request = given;
    if (request->json)
        list_json();
    else if (request->csv)
        list_csv();
    else
        list();
    return CLI_DONE;
}

int cli_formats(int argc, char **argv)
{
    static const cli_command_line line = {"formats",      long_options, help,      NULL,
                                          check_operands, run,          CLI_TABLES};
    cli_request request = CLI_REQUEST_INIT;
    return cli_run_command_line(&line, &request, argc, argv);
}
