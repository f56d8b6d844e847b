#define _GNU_SOURCE
#include "defaults.h"

#include "messages.h"

#include <ocelotl/ocelotl.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cli_defaults_free(cli_defaults *defaults)
{
    for (size_t i = 0; i < defaults->count; i++) {
        free(defaults->items[i].command);
        free(defaults->items[i].name);
        free(defaults->items[i].value);
    }
    free(defaults->items);
    free(defaults->path);
    *defaults = (cli_defaults){.path = NULL};
}

/* --- The file */

static char *find_path(void)
{
    const char *base = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    char *path = NULL;
    int length = 0;
    if (base != NULL && base[0] == '/')
        length = asprintf(&path, "%s/ocelotl/defaults", base);
    else if (home != NULL && home[0] == '/')
        length = asprintf(&path, "%s/.config/ocelotl/defaults", home);
    return length < 0 ? NULL : path;
}

/* What a command line alone can say. */
static bool is_of_line(const char *name)
{
    static const char *const names[] = {"output", "plot", "force",       "json",   "csv",
                                        "clear",  "help", "no-defaults", "format", "name"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* The row of a command's option; its name is "" where it has none. */
static ocelotl_parameter find_row(const char *command, const char *name)
{
    const size_t count = ocelotl_parameter_count(command);
    for (size_t i = 0; i < count; i++) {
        const ocelotl_parameter row = ocelotl_parameter_at(command, i);
        if (strcmp(row.name, name) == 0)
            return row;
    }
    return ocelotl_parameter_at(command, count);
}

static int fail_line(const cli_defaults *defaults, size_t line, const char *what)
{
    return cli_wrong("%s:%zu: %s (--no-defaults leaves this file alone)", defaults->path, line,
                     what);
}

/* The command of a section, or any that takes an option; NULL: none does. */
static const char *find_taker(const cli_default *item)
{
    if (item->command != NULL)
        return find_row(item->command, item->name).name[0] != '\0' ? item->command : NULL;
    for (size_t i = 0; i < ocelotl_command_count(); i++)
        if (find_row(ocelotl_command_at(i).name, item->name).name[0] != '\0')
            return ocelotl_command_at(i).name;
    return NULL;
}

/* The request refuses what it does not take, and names the nearest option. */
static int check_item(const cli_defaults *defaults, const cli_default *item)
{
    const char *taker = find_taker(item);
    ocelotl_request *request = NULL;
    if (is_of_line(item->name))
        return fail_line(defaults, item->line, "an option of a command line alone, not a default");
    int code = cli_code(ocelotl_request_new(&request, taker != NULL           ? taker
                                                      : item->command != NULL ? item->command
                                                                              : "overview"));
    if (code == CLI_DONE && ocelotl_request_set(request, item->name, item->value) != OCELOTL_OK) {
        char *reason = strdup(ocelotl_error_message());
        code = reason != NULL ? fail_line(defaults, item->line, reason) : cli_memory();
        free(reason);
    }
    ocelotl_request_free(request);
    return code;
}

static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL)
        text[--length] = '\0';
    return text;
}

static int add_item(cli_defaults *defaults, const char *command, char *text, size_t line)
{
    char *equals = strchr(text, '=');
    if (defaults->count == defaults->capacity) {
        const size_t capacity = defaults->capacity == 0 ? 16 : 2 * defaults->capacity;
        cli_default *items = realloc(defaults->items, capacity * sizeof *items);
        if (items == NULL)
            return cli_memory();
        defaults->items = items;
        defaults->capacity = capacity;
    }
    if (equals != NULL)
        *equals = '\0';
    cli_default *item = &defaults->items[defaults->count++];
    *item = (cli_default){.command = command != NULL ? strdup(command) : NULL,
                          .name = strdup(trim(text)),
                          .value = equals != NULL ? strdup(trim(equals + 1)) : NULL,
                          .line = line};
    if (item->name == NULL || (command != NULL && item->command == NULL) ||
        (equals != NULL && item->value == NULL))
        return cli_memory();
    return check_item(defaults, item);
}

/* A section is a command: *command becomes its name, which the library has. */
static int take_section(const char **command, const cli_defaults *defaults, char *text, size_t line)
{
    char what[200];
    const size_t length = strlen(text);
    if (text[length - 1] != ']')
        return fail_line(defaults, line, "a section without its end, expected [COMMAND]");
    text[length - 1] = '\0';
    const char *name = trim(text + 1);
    for (size_t i = 0; i < ocelotl_command_count(); i++)
        if (strcmp(ocelotl_command_at(i).name, name) == 0) {
            *command = ocelotl_command_at(i).name;
            return CLI_DONE;
        }
    const char *nearest = ocelotl_command_nearest(name);
    snprintf(what, sizeof what, "[%.60s] is no command%s%s", name,
             nearest != NULL ? "; the nearest is " : "", nearest != NULL ? nearest : "");
    return fail_line(defaults, line, what);
}

static int take_line(const char **command, cli_defaults *defaults, char *text, size_t line)
{
    text = trim(text);
    if (text[0] == '\0' || text[0] == '#')
        return CLI_DONE;
    return text[0] == '[' ? take_section(command, defaults, text, line)
                          : add_item(defaults, *command, text, line);
}

static int read_lines(cli_defaults *defaults, FILE *file)
{
    const char *command = NULL;
    char *text = NULL;
    size_t size = 0;
    size_t number = 0;
    int code = CLI_DONE;
    for (ssize_t length; code == CLI_DONE && (length = getline(&text, &size, file)) >= 0;) {
        number++;
        code = strlen(text) == (size_t)length
                   ? take_line(&command, defaults, text, number)
                   : fail_line(defaults, number, "has a byte 0, expected OPTION = VALUE");
    }
    if (code == CLI_DONE && ferror(file) != 0)
        code = cli_wrong("%s: cannot read: %s", defaults->path, strerror(errno));
    free(text);
    return code;
}

int cli_defaults_read(cli_defaults *defaults)
{
    defaults->path = find_path();
    FILE *file = defaults->path != NULL ? fopen(defaults->path, "rb") : NULL;
    if (file == NULL && defaults->path != NULL && errno != ENOENT && errno != ENOTDIR)
        return cli_wrong("%s: cannot open: %s", defaults->path, strerror(errno));
    if (file == NULL)
        return CLI_DONE;
    defaults->found = true;
    const int code = read_lines(defaults, file);
    fclose(file);
    return code;
}

/* --- Into a request */

/* How a trace is read is nothing of a trace.db. */
static bool reads_other(const cli_default *item, const ocelotl_request *request)
{
    const char *trace = request->operand_count > 0 ? request->operands[0] : "";
    const size_t length = strlen(trace);
    const bool database = length > 3 && strcmp(trace + length - 3, ".db") == 0;
    return database && strcmp(find_row(request->command, item->name).group, "Reading") == 0 &&
           strcmp(item->name, "lenient") != 0 && strcmp(item->name, "no-cache") != 0;
}

static bool is_open(const cli_default *item, const ocelotl_request *asked)
{
    return (item->command == NULL || strcmp(item->command, asked->command) == 0) &&
           find_row(asked->command, item->name).name[0] != '\0' &&
           ocelotl_request_get(asked, item->name) == NULL && !reads_other(item, asked);
}

/* A request of the defaults that are applied, then of what was asked. */
static ocelotl_status make(ocelotl_request **request, const cli_defaults *defaults,
                           const ocelotl_request *asked)
{
    ocelotl_status status = ocelotl_request_new(request, asked->command);
    for (size_t i = 0; i < defaults->count && status == OCELOTL_OK; i++)
        if (defaults->items[i].applied)
            status =
                ocelotl_request_set(*request, defaults->items[i].name, defaults->items[i].value);
    return status == OCELOTL_OK ? ocelotl_request_repeat(*request, asked) : status;
}

/* Applies one if it goes with what was asked and with those applied before it. */
static ocelotl_status try_one(cli_default *item, const cli_defaults *defaults,
                              const ocelotl_request *asked)
{
    ocelotl_request *tried = NULL;
    item->applied = is_open(item, asked);
    if (!item->applied)
        return OCELOTL_OK;
    ocelotl_status status = make(&tried, defaults, asked);
    if (status == OCELOTL_OK)
        status = ocelotl_request_check(tried);
    ocelotl_request_free(tried);
    item->applied = status == OCELOTL_OK;
    return status == OCELOTL_ERROR_MEMORY ? status : OCELOTL_OK;
}

static ocelotl_status try_all(const cli_defaults *defaults, const ocelotl_request *asked)
{
    ocelotl_status status = OCELOTL_OK;
    for (size_t i = 0; i < defaults->count && status == OCELOTL_OK; i++)
        status = try_one(&defaults->items[i], defaults, asked);
    return status;
}

/* The request as the words say, once the defaults are added. */
static ocelotl_status add_to(ocelotl_request **request, const cli_defaults *defaults)
{
    ocelotl_request *made = NULL;
    ocelotl_status status = try_all(defaults, *request);
    if (status != OCELOTL_OK || !cli_defaults_any(defaults))
        return status;
    status = make(&made, defaults, *request);
    ocelotl_request_free(status == OCELOTL_OK ? *request : made);
    if (status == OCELOTL_OK)
        *request = made;
    return status;
}

int cli_defaults_apply(ocelotl_request **request, cli_defaults *defaults, size_t count,
                       const char *const *words)
{
    ocelotl_status status = ocelotl_request_parse(*request, count, words);
    if (status == OCELOTL_OK && !(*request)->help && !(*request)->no_defaults)
        status = add_to(request, defaults);
    return cli_option_code(status, (*request)->command);
}

/* --- What was applied */

bool cli_defaults_any(const cli_defaults *defaults)
{
    for (size_t i = 0; i < defaults->count; i++)
        if (defaults->items[i].applied)
            return true;
    return false;
}

static void add_text(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (const unsigned char *byte = (const unsigned char *)text; *byte != '\0'; byte++)
        if (*byte < 0x20)
            fprintf(stream, "\\u%04x", *byte);
        else if (*byte == '"' || *byte == '\\')
            fprintf(stream, "\\%c", *byte);
        else
            fputc(*byte, stream);
    fputc('"', stream);
}

char *cli_defaults_json(const cli_defaults *defaults)
{
    char *text = NULL;
    size_t size = 0;
    const char *between = "";
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL)
        return NULL;
    fputs("\"defaults\":{\"file\":", stream);
    add_text(stream, defaults->path != NULL ? defaults->path : "");
    fputs(",\"applied\":[", stream);
    for (size_t i = 0; i < defaults->count; i++) {
        if (!defaults->items[i].applied)
            continue;
        fprintf(stream, "%s{\"option\":", between);
        add_text(stream, defaults->items[i].name);
        fputs(",\"value\":", stream);
        add_text(stream, defaults->items[i].value != NULL ? defaults->items[i].value : "");
        fputs(",\"command\":", stream);
        add_text(stream, defaults->items[i].command != NULL ? defaults->items[i].command : "");
        fprintf(stream, ",\"line\":%zu}", defaults->items[i].line);
        between = ",";
    }
    fputs("]}", stream);
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
