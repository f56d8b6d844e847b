/* ocelotl-cli formats: what can be read. */
#include "json.h"
#include "options.h"

enum { OPTION_JSON = CLI_OWN_OPTION };

static const struct option long_options[] = {
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static void list(void)
{
    for (uint32_t i = 0; i < ocelotl_format_count(); i++)
        printf("%-10s %s\n", ocelotl_format_get(i).name, ocelotl_format_get(i).description);
    printf("%-10s %s\n", "trace.db", "what ocelotl-cli import writes");
    printf("%-10s %s\n", "matrix", "a microscopic model as CSV, with the header path,type,slice,value");
}

static void list_json(void)
{
    printf("{\"formats\":[");
    for (uint32_t i = 0; i < ocelotl_format_count(); i++) {
        printf("%s{\"name\":", i > 0 ? "," : "");
        cli_json_string(stdout, ocelotl_format_get(i).name);
        printf(",\"description\":");
        cli_json_string(stdout, ocelotl_format_get(i).description);
        printf("}");
    }
    printf("]}\n");
}

int cli_formats(int argc, char **argv)
{
    bool json = false;
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
        if (option == 'h') {
            printf("Usage: ocelotl-cli formats [--json]\n\nLists the formats that can be read.\n\n"
                   "  --json                print JSON instead of a table\n");
            return CLI_DONE;
        }
        if (option != OPTION_JSON)
            return cli_bad_option(option, argv, "formats");
        json = true;
    }
    if (optind < argc)
        return cli_usage("formats", "\"%s\" is not expected", argv[optind]);
    if (json)
        list_json();
    else
        list();
    return CLI_DONE;
}
