#include "store/select/resources.h"

#include "base/memory.h"
#include "base/options.h"
#include "store/trace/names.h"

#include <ocelotl/trace.h>

#include <stdlib.h>
#include <string.h>

/* Groups are named "rank-1, 4-7" or "12 hosts: 16, 20-24, ..": see ocelotl_model_place. */
static bool looks_like_group(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    return strstr(name, ", ") != NULL || strstr(name, ": ") != NULL;
}

static uint32_t find_nearest(const oc_catalogue *catalogue, const char *path)
{
    uint32_t nearest = OCELOTL_NONE;
    size_t fewest = SIZE_MAX;
    for (uint32_t r = 0; r < catalogue->trace->resource_count; r++) {
        const size_t changes = oc_count_changes(path, oc_path_of(&catalogue->paths, r));
        if (changes < fewest) {
            fewest = changes;
            nearest = r;
        }
    }
    return nearest;
}

static ocelotl_status fail_unknown(const oc_catalogue *catalogue, const char *path)
{
    const ocelotl_trace *trace = catalogue->trace;
    if (trace->resource_count == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has no resource \"%s\"; it has none at all",
                       trace->label, path);
    if (looks_like_group(path))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: has no resource \"%s\"; a group of like siblings has no path, expected "
                       "its resources or "
                       "--part NUMBER of a part",
                       trace->label, path);
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has no resource \"%s\"; the nearest is \"%s\"",
                   trace->label, path,
                   oc_path_of(&catalogue->paths, find_nearest(catalogue, path)));
}

/* Fails for an unknown path. For a pattern it suggests an option instead of the nearest path. */
static ocelotl_status fail_path(const oc_catalogue *catalogue, const char *path)
{
    if (strchr(path, '*') == NULL)
        return fail_unknown(catalogue, path);
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "%s: has no resource \"%s\", expected a path; --only-resources takes a pattern",
                   catalogue->trace->label, path);
}

/* The resource of a path: with all below it, or, where "/." is behind its path, alone;
 * OCELOTL_NONE: none. */
static ocelotl_status find_named(uint32_t *top, uint32_t *leaf, const oc_catalogue *catalogue,
                                 const char *path)
{
    const size_t length = strlen(path);
    *leaf = OCELOTL_NONE;
    OC_TRY(oc_path_find(top, &catalogue->paths, path, length));
    if (*top == OCELOTL_NONE && length > 2 && strcmp(path + length - 2, "/.") == 0)
        OC_TRY(oc_path_find(leaf, &catalogue->paths, path, length - 2));
    return OCELOTL_OK;
}

/* Finds the resources that are named, and all below them: parents come first. */
static ocelotl_status choose(bool *chosen, bool *below, const oc_catalogue *catalogue,
                             const ocelotl_names *named)
{
    const ocelotl_trace *trace = catalogue->trace;
    bool all = named->count == 0;
    for (size_t i = 0; i < named->count; i++) {
        uint32_t top;
        uint32_t leaf;
        const char *path = named->names[i];
        if (path[0] == '\0') { /* the path of the root */
            all = true;
            continue;
        }
        OC_TRY(find_named(&top, &leaf, catalogue, path));
        if (top != OCELOTL_NONE)
            below[top] = true;
        else if (leaf != OCELOTL_NONE)
            chosen[leaf] = true;
        else
            return fail_path(catalogue, path);
    }
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        const uint32_t parent = trace->resources[r].parent;
        below[r] = below[r] || all || (parent != OCELOTL_ROOT && below[parent]);
        chosen[r] = chosen[r] || below[r];
    }
    return OCELOTL_OK;
}

bool oc_pattern_names_any(const oc_catalogue *catalogue, const char *pattern)
{
    for (uint32_t r = 0; r < catalogue->trace->resource_count; r++)
        if (oc_pattern_matches(pattern, oc_path_of(&catalogue->paths, r)))
            return true;
    return false;
}

/* Patterns that match nothing are a mistake. */
static ocelotl_status check_patterns(const oc_catalogue *catalogue, const ocelotl_names *patterns)
{
    for (size_t i = 0; i < patterns->count; i++)
        if (!oc_pattern_names_any(catalogue, patterns->names[i]))
            return fail_unknown(catalogue, patterns->names[i]);
    return OCELOTL_OK;
}

/* Keeps those that match with something above them, or takes these away. */
static void filter(bool *chosen, bool *below, const oc_catalogue *catalogue,
                   const ocelotl_names *patterns, bool keep)
{
    const ocelotl_trace *trace = catalogue->trace;
    for (uint32_t r = 0; r < trace->resource_count && patterns->count > 0; r++) {
        const uint32_t parent = trace->resources[r].parent;
        below[r] = (parent != OCELOTL_ROOT && below[parent]) ||
                   oc_patterns_match(patterns, oc_path_of(&catalogue->paths, r));
        chosen[r] = chosen[r] && below[r] == keep;
    }
}

static ocelotl_status choose_all(bool *chosen, bool *below, const oc_catalogue *catalogue,
                                 const ocelotl_selection *given)
{
    OC_TRY(choose(chosen, below, catalogue, &given->resources));
    OC_TRY(check_patterns(catalogue, &given->only_resources));
    OC_TRY(check_patterns(catalogue, &given->except_resources));
    filter(chosen, below, catalogue, &given->only_resources, true);
    filter(chosen, below, catalogue, &given->except_resources, false);
    return OCELOTL_OK;
}

ocelotl_status oc_choose_resources(bool **chosen, const oc_catalogue *catalogue,
                                   const ocelotl_selection *given)
{
    bool *below = NULL;
    bool *made = NULL;
    *chosen = NULL;
    OC_TRY(oc_check_names(&given->resources, "resource"));
    OC_TRY(oc_check_names(&given->only_resources, "pattern of resources"));
    OC_TRY(oc_check_names(&given->except_resources, "pattern of resources"));
    if (given->resources.count + given->only_resources.count + given->except_resources.count == 0)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&below, catalogue->trace->resource_count, sizeof *below));
    ocelotl_status status = oc_allocate(&made, catalogue->trace->resource_count, sizeof *made);
    if (status == OCELOTL_OK)
        status = choose_all(made, below, catalogue, given);
    free(below);
    if (status != OCELOTL_OK) {
        free(made);
        return status;
    }
    *chosen = made;
    return OCELOTL_OK;
}

/* --- Event types, windows */

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
    for (uint32_t v = 0; v < trace->value_count; v++)
        if (strcmp(trace->values[v].name, name) == 0)
            return oc_fail(
                OCELOTL_ERROR_ARGUMENT,
                "%s: has no event type \"%s\", which is a value of \"%s\"; --only chooses "
                "values",
                trace->label, name, trace->event_types[trace->values[v].event_type].name);
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

bool oc_is_of_wakings(const ocelotl_trace *trace, uint32_t event_type)
{
    return trace->event_types[event_type].category == OCELOTL_LINK &&
           strcmp(trace->event_types[event_type].name, "Waking") == 0;
}

ocelotl_status oc_select_messages(bool **event_types, const ocelotl_trace *trace, const char *name)
{
    if (name != NULL)
        return oc_select_event_types(event_types, trace, name);
    OC_TRY(oc_allocate(event_types, trace->event_type_count, sizeof **event_types));
    for (uint32_t t = 0; t < trace->event_type_count; t++)
        (*event_types)[t] = !oc_is_of_wakings(trace, t);
    return OCELOTL_OK;
}

ocelotl_status oc_check_window(int64_t from, int64_t to)
{
    if (from > to)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the window ends before it begins");
    return OCELOTL_OK;
}

int64_t oc_last_tick(const ocelotl_trace *trace, int64_t to)
{
    return to >= trace->info.end || to == INT64_MIN ? to : to - 1;
}

ocelotl_status oc_window_make(oc_window *window, const ocelotl_trace *trace, int64_t from,
                              int64_t to)
{
    OC_TRY(oc_check_window(from, to));
    window->from = from > trace->info.begin ? from : trace->info.begin;
    window->to = to < trace->info.end ? to : trace->info.end;
    window->last = oc_last_tick(trace, window->to);
    if (window->to < window->from)
        window->to = window->from;
    return OCELOTL_OK;
}

/* --- Names that stand for nothing of a trace */

/* What never happens cannot be chosen. */
static ocelotl_status is_type(bool *known, const ocelotl_trace *trace, const char *name)
{
    *known = false;
    for (uint32_t t = 0; t < trace->event_type_count && !*known; t++)
        *known = trace->event_types[t].count > 0 && oc_type_matches(trace, t, name);
    for (uint32_t v = 0; v < trace->value_count && !*known; v++)
        if (trace->values[v].count > 0)
            OC_TRY(oc_value_matches(known, trace, v, name));
    return OCELOTL_OK;
}

static ocelotl_status find_unknown(bool *unknown, const oc_catalogue *catalogue,
                                   const ocelotl_names *names, ocelotl_name_kind kind)
{
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->names[i];
        bool known = false;
        uint32_t top = OCELOTL_NONE;
        uint32_t leaf = OCELOTL_NONE;
        if (kind == OCELOTL_NAME_TYPE)
            OC_TRY(is_type(&known, catalogue->trace, name));
        else if (kind == OCELOTL_NAME_RESOURCE)
            OC_TRY(find_named(&top, &leaf, catalogue, name));
        else
            known = oc_pattern_names_any(catalogue, name);
        unknown[i] = !known && top == OCELOTL_NONE && leaf == OCELOTL_NONE &&
                     (kind != OCELOTL_NAME_RESOURCE || name[0] != '\0');
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_trace_find_unknown(bool *unknown, ocelotl_trace *trace,
                                          const ocelotl_names *names, ocelotl_name_kind kind)
{
    oc_catalogue catalogue = {0};
    OC_TRY(oc_check_names(names, "name"));
    ocelotl_status status = oc_catalogue_read(&catalogue, trace);
    if (status == OCELOTL_OK)
        status = find_unknown(unknown, &catalogue, names, kind);
    oc_catalogue_free(&catalogue);
    return status;
}
