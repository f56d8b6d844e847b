#include "store/select/selection.h"

#include "base/memory.h"
#include "base/options.h"
#include "store/trace/spelling.h"

#include <stdlib.h>
#include <string.h>

static ocelotl_status fail_unknown(const oc_catalogue *catalogue, const char *path)
{
    const ocelotl_trace *trace = catalogue->trace;
    if (strchr(path, '*') != NULL)
        return oc_fail(
            OCELOTL_ERROR_ARGUMENT,
            "%s: has no resource \"%s\", expected a path; --only-resources takes a pattern",
            trace->label, path);
    const size_t nearest =
        oc_nearest(path, (const char *const *)catalogue->paths, trace->resource_count);
    return nearest == trace->resource_count
               ? oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has no resource \"%s\"", trace->label, path)
               : oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "%s: has no resource \"%s\"; the nearest is \"%s\"", trace->label, path,
                         catalogue->paths[nearest]);
}

/* The resource of a path of so many bytes; resource_count where there is none. */
static uint32_t find(const oc_catalogue *catalogue, const char *path, size_t length)
{
    uint32_t r = 0;
    while (r < catalogue->trace->resource_count &&
           (strncmp(catalogue->paths[r], path, length) != 0 || catalogue->paths[r][length] != '\0'))
        r++;
    return r;
}

/* A resource and all below it: parents come first. "a/." is what happens in a itself, as in models.
 */
static ocelotl_status select_below(bool *resources, const oc_catalogue *catalogue, const char *path)
{
    const ocelotl_trace *trace = catalogue->trace;
    const size_t length = strlen(path);
    bool *below = NULL;
    const uint32_t top = find(catalogue, path, length);
    if (top == trace->resource_count) {
        const bool own = length > 2 && strcmp(path + length - 2, "/.") == 0;
        const uint32_t alone = own ? find(catalogue, path, length - 2) : top;
        if (alone == trace->resource_count)
            return fail_unknown(catalogue, path);
        resources[alone] = true;
        return OCELOTL_OK;
    }
    OC_TRY(oc_allocate(&below, trace->resource_count, sizeof *below));
    for (uint32_t r = top; r < trace->resource_count; r++) {
        const uint32_t parent = trace->resources[r].parent;
        below[r] = r == top || (parent != OCELOTL_ROOT && below[parent]);
        resources[r] = resources[r] || below[r];
    }
    free(below);
    return OCELOTL_OK;
}

ocelotl_status oc_select_resources(bool **resources, const oc_catalogue *catalogue,
                                   const char *const *paths, size_t path_count)
{
    bool *selected = NULL;
    ocelotl_status status = OCELOTL_OK;
    *resources = NULL;
    for (size_t i = 0; i < path_count; i++)
        if (paths[i] == NULL || paths[i][0] == '\0')
            path_count = 0;
    if (path_count == 0)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&selected, catalogue->trace->resource_count, sizeof *selected));
    for (size_t i = 0; i < path_count && status == OCELOTL_OK; i++)
        status = select_below(selected, catalogue, paths[i]);
    if (status != OCELOTL_OK) {
        free(selected);
        return status;
    }
    *resources = selected;
    return OCELOTL_OK;
}

static ocelotl_status fail_unknown_type(const ocelotl_trace *trace, const char *name)
{
    const char **names = NULL;
    const size_t count = trace->event_type_count;
    if (count == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has no event type \"%s\", and no other",
                       trace->label, name);
    OC_TRY(oc_allocate(&names, 2 * count, sizeof *names));
    for (uint32_t t = 0; t < trace->event_type_count; t++) {
        names[t] = trace->event_types[t].name;
        names[count + t] = oc_type_spelling(trace, t);
    }
    const char *nearest = names[oc_nearest(name, names, 2 * count)];
    free(names);
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has no event type \"%s\"; the nearest is \"%s\"",
                   trace->label, name, nearest);
}

ocelotl_status oc_select_event_types(bool **event_types, const ocelotl_trace *trace,
                                     const char *name)
{
    bool found = false;
    *event_types = NULL;
    if (name == NULL)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(event_types, trace->event_type_count, sizeof **event_types));
    for (uint32_t t = 0; t < trace->event_type_count; t++) {
        (*event_types)[t] = oc_type_is(trace, t, name);
        found = found || (*event_types)[t];
    }
    if (found)
        return OCELOTL_OK;
    free(*event_types);
    *event_types = NULL;
    return fail_unknown_type(trace, name);
}

ocelotl_status oc_check_window(int64_t from, int64_t to)
{
    if (from > to && from - 1 > to)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the window ends before it begins");
    return OCELOTL_OK;
}
