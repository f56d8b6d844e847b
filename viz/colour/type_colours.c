#include "viz/colour/colour.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static bool has(const oc_type_colours *colours, const char *name)
{
    return oc_map_get(&colours->numbers, name, strlen(name)) != OC_MAP_NONE;
}

/* Adds a name that is not there. */
static ocelotl_status add(oc_type_colours *colours, const char *name, int32_t wanted)
{
    char *copy = NULL;
    if (has(colours, name))
        return OCELOTL_OK;
    OC_TRY(
        oc_grow(&colours->types, &colours->capacity, colours->count + 1, sizeof *colours->types));
    OC_TRY(oc_map_set(&colours->numbers, name, strlen(name), (uint32_t)colours->count));
    OC_TRY(oc_copy_text(&copy, name));
    colours->types[colours->count++] = (oc_palette_type){copy, wanted, 0};
    return OCELOTL_OK;
}

static ocelotl_status assign(const oc_type_colours *colours, size_t fixed, bool groups,
                             const oc_colouring *by)
{
    if (by->tree != NULL)
        return oc_tree_colours_assign(colours->types, fixed, colours->count, by);
    return oc_palette_assign_on(colours->types, colours->count,
                                &(oc_palette_request){by->paper, by->palette, fixed, groups});
}

static ocelotl_status add_names(oc_type_colours *colours, const ocelotl_type_names *names,
                                const oc_colouring *by)
{
    const size_t fixed = colours->count;
    const uint32_t count = ocelotl_type_names_count(names);
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_type_name is = ocelotl_type_names_at(names, i);
        OC_TRY(add(colours, is.name, is.colour));
        if (i + 2 == OC_PALETTE_APART)
            OC_TRY(add(colours, OC_OTHERS, -1));
    }
    OC_TRY(add(colours, OC_OTHERS, -1));
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_type_name is = ocelotl_type_names_at(names, i);
        /* Models write a name of several types like this. */
        oc_text name = {0};
        ocelotl_status status = OCELOTL_OK;
        for (uint32_t number = 2; number <= is.types && status == OCELOTL_OK; number++) {
            oc_text_clear(&name);
            oc_text_format(&name, "%s#%u", is.name, number);
            status = name.failed ? oc_fail_memory() : add(colours, name.bytes, -1);
        }
        oc_text_free(&name);
        OC_TRY(status);
    }
    return assign(colours, fixed, false, by);
}

static ocelotl_status begin(oc_type_colours *colours, const oc_colouring *by)
{
    *colours = (oc_type_colours){0};
    if (by->tree != NULL) {
        /* Groups come first: their colours depend on no type. */
        const uint32_t count = ocelotl_type_tree_info_of(by->tree).group_count;
        for (uint32_t g = 0; g < count; g++)
            OC_TRY(add(colours, ocelotl_type_tree_group_at(by->tree, g).name, -1));
        OC_TRY(assign(colours, 0, false, by));
    }
    return by->names != NULL ? add_names(colours, by->names, by) : OCELOTL_OK;
}

/* --- What is shown keeps its colour */

static ocelotl_status check_shown(const oc_type_colours *colours, const char *pattern)
{
    oc_nearest_name nearest = oc_nearest_to(pattern, strlen(pattern));
    for (size_t i = 0; i < colours->count; i++) {
        if (oc_pattern_matches(pattern, colours->types[i].name))
            return OCELOTL_OK;
        oc_nearest_try(&nearest, colours->types[i].name);
    }
    return nearest.name != NULL
               ? oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "no type to show is called \"%s\"; the nearest is \"%s\"", pattern,
                         nearest.name)
               : oc_fail(OCELOTL_ERROR_ARGUMENT, "no type to show is called \"%s\"", pattern);
}

/* Paler than any type, and without a hue: a share of what is shown cannot look like it. */
static uint32_t fade(uint32_t paper)
{
    return oc_colour_mix(0x8C8C8C, paper, 0.6);
}

/* What is in a group that is shown is shown, too. */
static bool is_shown(const oc_colouring *by, const char *name)
{
    bool found = oc_patterns_match(by->shown, name);
    if (by->tree == NULL)
        return found;
    uint32_t group = ocelotl_type_tree_find_group(by->tree, name);
    if (group == OCELOTL_NONE)
        group = ocelotl_type_tree_find(NULL, by->tree, name);
    while (!found && group != OCELOTL_NONE) {
        const ocelotl_type_group is = ocelotl_type_tree_group_at(by->tree, group);
        found = oc_patterns_match(by->shown, is.name);
        group = is.parent;
    }
    return found;
}

static ocelotl_status fade_others(oc_type_colours *colours, const oc_colouring *by)
{
    const ocelotl_names *shown = by->shown;
    if (shown == NULL || shown->count == 0)
        return OCELOTL_OK;
    for (size_t i = 0; i < shown->count; i++)
        OC_TRY(check_shown(colours, shown->names[i]));
    for (size_t i = 0; i < colours->count; i++)
        if (!is_shown(by, colours->types[i].name))
            colours->types[i].colour = fade(by->paper);
    return OCELOTL_OK;
}

ocelotl_status oc_type_colours_of_trace(oc_type_colours *colours, const ocelotl_trace *trace,
                                        const oc_colouring *by)
{
    ocelotl_type_names *names = NULL;
    OC_TRY(begin(colours, by));
    OC_TRY(ocelotl_trace_type_names(&names, trace));
    const ocelotl_status status = add_names(colours, names, by);
    ocelotl_type_names_free(names);
    return status == OCELOTL_OK ? fade_others(colours, by) : status;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds groups by name, so that they have the same colours in every model. */
static ocelotl_status add_sorted(oc_type_colours *colours, const char **names, size_t count)
{
    qsort(names, count, sizeof *names, compare_texts);
    for (size_t i = 0; i < count; i++)
        OC_TRY(add(colours, names[i], -1));
    return OCELOTL_OK;
}

static size_t find_groups(const char **names, const oc_type_colours *colours,
                          const ocelotl_model *model)
{
    const uint32_t count = ocelotl_model_info_of(model).type_count;
    size_t found = 0;
    for (uint32_t x = 0; x < count; x++) {
        const ocelotl_type type = ocelotl_model_type_at(model, x);
        if (!type.untraced && !has(colours, type.name))
            names[found++] = type.name;
    }
    return found;
}

static ocelotl_status add_groups(oc_type_colours *colours, const ocelotl_model *const *models,
                                 size_t count, const oc_colouring *by)
{
    const size_t fixed = colours->count;
    const char **names = NULL;
    size_t found = 0;
    size_t most = 0;
    for (size_t i = 0; i < count; i++)
        most += ocelotl_model_info_of(models[i]).type_count;
    OC_TRY(oc_allocate(&names, most, sizeof *names));
    for (size_t i = 0; i < count; i++)
        found += find_groups(names + found, colours, models[i]);
    const ocelotl_status status = add_sorted(colours, names, found);
    free(names);
    OC_TRY(status);
    return assign(colours, fixed, true, by);
}

ocelotl_status oc_type_colours_of_models(oc_type_colours *colours,
                                         const ocelotl_model *const *models, size_t count,
                                         const oc_colouring *by)
{
    OC_TRY(begin(colours, by));
    for (size_t i = 0; i < count; i++)
        OC_TRY(add_names(colours, ocelotl_model_type_names(models[i]), by));
    OC_TRY(add_groups(colours, models, count, by));
    return fade_others(colours, by);
}

uint32_t oc_type_colours_find(const oc_type_colours *colours, const char *name)
{
    const uint32_t unknown = 0x8C8C8C;
    oc_text clean = {0};
    oc_text_add_utf8(&clean, name, strlen(name));
    const uint32_t number =
        clean.failed ? OC_MAP_NONE : oc_map_get(&colours->numbers, clean.bytes, clean.length);
    oc_text_free(&clean);
    return number < colours->count ? colours->types[number].colour : unknown;
}

void oc_type_colours_free(oc_type_colours *colours)
{
    for (size_t i = 0; i < colours->count; i++)
        free((char *)colours->types[i].name);
    free(colours->types);
    oc_map_free(&colours->numbers);
    *colours = (oc_type_colours){0};
}
