#define _GNU_SOURCE
#include "defaults.h"

#include "messages.h"

#include <ocelotl/answer.h>
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
        free(defaults->items[i].why);
    }
    free(defaults->items);
    free(defaults->path);
    *defaults = (cli_defaults){.path = NULL};
}

/* --- The file */

/* What a command line alone can say. */
static bool is_of_line(const char *name)
{
    static const char *const names[] = {"output", "force",       "json",   "csv", "clear",
                                        "help",   "no-defaults", "format", "name"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static int fail_line(const cli_defaults *defaults, size_t line, const char *what)
{
    return cli_wrong("%s:%zu: %s (--no-defaults leaves this file alone)", defaults->path, line,
                     what);
}

/* Whether a command takes it; a reason is the library's message. */
static ocelotl_status check_of(const char *command, const cli_default *item)
{
    ocelotl_request *request = NULL;
    ocelotl_status status = ocelotl_request_new(&request, command);
    if (status == OCELOTL_OK)
        status = ocelotl_request_set(request, item->name, item->value);
    ocelotl_request_free(request);
    return status;
}

/* Of the command of its section, or of any that has the option: some may take other values. */
static ocelotl_status check_any(const cli_default *item)
{
    ocelotl_status status = OCELOTL_OK;
    bool known = false;
    if (item->command != NULL)
        return check_of(item->command, item);
    for (size_t i = 0; i < ocelotl_command_count(); i++) {
        const char *command = ocelotl_command_at(i).name;
        if (ocelotl_parameter_find(command, item->name).name[0] == '\0')
            continue;
        status = check_of(command, item);
        if (status == OCELOTL_OK || status == OCELOTL_ERROR_MEMORY)
            return status;
        known = true;
    }
    return known ? status : check_of("overview", item);
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
    /* The request refuses what it does not take, and names the nearest option. */
    if (is_of_line(item->name))
        return fail_line(defaults, item->line, "an option of a command line alone, not a default");
    const ocelotl_status status = check_any(item);
    if (status == OCELOTL_OK || status == OCELOTL_ERROR_MEMORY)
        return cli_code(status);
    char *reason = strdup(ocelotl_error_message());
    const int code = reason != NULL ? fail_line(defaults, item->line, reason) : cli_memory();
    free(reason);
    return code;
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

static int read_lines(cli_defaults *defaults, FILE *file)
{
    const char *command = NULL;
    char *line = NULL;
    size_t size = 0;
    size_t number = 0;
    int code = CLI_DONE;
    for (ssize_t length; code == CLI_DONE && (length = getline(&line, &size, file)) >= 0;) {
        number++;
        const bool whole = strlen(line) == (size_t)length;
        char *text = trim(line);
        if (!whole)
            code = fail_line(defaults, number, "has a byte 0, expected OPTION = VALUE");
        else if (text[0] == '[')
            code = take_section(&command, defaults, text, number);
        else if (text[0] != '\0' && text[0] != '#')
            code = add_item(defaults, command, text, number);
    }
    if (code == CLI_DONE && ferror(file) != 0)
        code = cli_wrong("%s: cannot read: %s", defaults->path, strerror(errno));
    free(line);
    return code;
}

int cli_defaults_read(cli_defaults *defaults)
{
    const char *base = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    int length = 0;
    if (base != NULL && base[0] == '/')
        length = asprintf(&defaults->path, "%s/ocelotl/defaults", base);
    else if (home != NULL && home[0] == '/')
        length = asprintf(&defaults->path, "%s/.config/ocelotl/defaults", home);
    if (length < 0) {
        defaults->path = NULL;
        return cli_memory();
    }
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

/* --- What was applied */

ocelotl_status cli_default_set(cli_default *item, bool applied, const char *why)
{
    char *kept = why != NULL ? strdup(why) : NULL;
    free(item->why);
    item->why = kept;
    item->applied = applied;
    return why == NULL || kept != NULL ? OCELOTL_OK
                                       : ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
}

bool cli_defaults_any(const cli_defaults *defaults, bool left)
{
    for (size_t i = 0; i < defaults->count; i++)
        if (left ? defaults->items[i].why != NULL : defaults->items[i].applied)
            return true;
    return false;
}

/* False: it is not whole. */
static bool add_member(FILE *stream, const char *name, const char *value)
{
    const ocelotl_sink sink = ocelotl_stream_sink(stream);
    fprintf(stream, "\"%s\":", name);
    return ocelotl_json_write_text(&sink, value != NULL ? value : "") == OCELOTL_OK &&
           fputc(',', stream) != EOF;
}

char *cli_defaults_json(const cli_defaults *defaults)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL)
        return NULL;
    fputs("\"defaults\":{", stream);
    bool whole = add_member(stream, "file", defaults->path);
    for (int left = 0; left < 2; left++) {
        const char *between = "";
        fputs(left ? "],\"left_out\":[" : "\"applied\":[", stream);
        for (size_t i = 0; i < defaults->count; i++) {
            const cli_default *item = &defaults->items[i];
            if (left ? item->why == NULL : !item->applied)
                continue;
            fprintf(stream, "%s{", between);
            whole = add_member(stream, "option", item->name) &&
                    add_member(stream, "value", item->value) &&
                    add_member(stream, "command", item->command) &&
                    (!left || add_member(stream, "why", item->why)) && whole;
            fprintf(stream, "\"line\":%zu}", item->line);
            between = ",";
        }
    }
    fputs("]}", stream);
    if (fclose(stream) != 0 || !whole) {
        free(text);
        return NULL;
    }
    return text;
}
