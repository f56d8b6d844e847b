#define _GNU_SOURCE
#include "nothing_left.h"

#include "output.h"
#include "standard_input.h"

#include <stdlib.h>
#include <string.h>

/* The options that chose, as they were given. */
typedef struct chosen {
    FILE *words;
    size_t count, total;
} chosen;

static void add(chosen *to, const char *option, const char *value)
{
    if (value == NULL)
        return;
    to->count++;
    const char *between = to->count == 1 ? "" : to->count == to->total ? " and " : ", ";
    if (to->words != NULL)
        fprintf(to->words, "%s--%s '%s'", between, option, value);
}

static void add_names(chosen *to, const char *option, const cli_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        add(to, option, names->names[i]);
}

static void add_filters(chosen *to, const cli_selection *selection, const char *type)
{
    add(to, "type", type);
    add_names(to, selection->only_option != NULL ? selection->only_option : "only",
              &selection->only);
    add_names(to, "except", &selection->except);
    add_names(to, "only-resources", &selection->only_resources);
    add_names(to, "except-resources", &selection->except_resources);
    add(to, "min-duration", selection->min_duration);
    add(to, "max-duration", selection->max_duration);
    add_names(to, "where", &selection->where);
}

/* The window and the resources of a part were not given as such. */
static void add_all(chosen *to, const cli_selection *selection, const char *type)
{
    const bool part = selection->window.from.is_tick;
    add_filters(to, selection, type);
    if (part)
        return;
    add_names(to, "resource", &selection->resources);
    add(to, selection->window.from.option, selection->window.from.text);
    add(to, selection->window.to.option, selection->window.to.text);
}

bool cli_has_filter(const cli_selection *selection, const char *type)
{
    chosen filters = {NULL, 0, 0};
    add_filters(&filters, selection, type);
    return filters.count > 0;
}

int cli_fail_nothing_left(const char *trace, const cli_selection *selection, const char *type)
{
    char *text = NULL;
    size_t length = 0;
    chosen counted = {NULL, 0, 0};
    add_all(&counted, selection, type);
    chosen written = {open_memstream(&text, &length), 0, counted.count};
    if (written.words == NULL)
        return cli_memory();
    add_all(&written, selection, type);
    const int code = cli_close_memory(written.words)
                         ? cli_wrong("%s: %s leave%s nothing to show", cli_name_of(trace), text,
                                     counted.count == 1 ? "s" : "")
                         : cli_memory();
    free(text);
    return code;
}

int cli_code_of_selection(ocelotl_status status, const char *trace, const cli_selection *selection,
                          const char *type)
{
    chosen counted = {NULL, 0, 0};
    add_all(&counted, selection, type);
    return status == OCELOTL_ERROR_EMPTY && counted.count > 0
               ? cli_fail_nothing_left(trace, selection, type)
               : cli_code(status);
}
