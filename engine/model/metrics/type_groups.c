#include "model/metrics/metric_types.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "base/weighed.h"
#include "types/lookup.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

ocelotl_status oc_single_types_add(oc_single_types *types, const oc_single_type *type)
{
    OC_TRY(oc_grow(&types->types, &types->capacity, types->count + 1, sizeof *types->types));
    types->types[types->count++] = *type;
    *type->number = OCELOTL_NONE;
    return OCELOTL_OK;
}

void oc_single_types_free(oc_single_types *types)
{
    for (size_t i = 0; i < types->count; i++)
        oc_spelling_free(&types->types[i].spelling);
    free(types->types);
    *types = (oc_single_types){0};
}

/* Types that become one. */
typedef struct type_group {
    const char *name;
    const oc_spelling *spelling; /* NULL: it is none of the trace's, but a name that was given */
    int32_t colour;              /* where all have the same */
    double weight;
    size_t members;
    bool other; /* too small to be a type */
    uint32_t number;
} type_group;

/* PATTERN=NAME, cut in two. */
typedef struct naming {
    char *pattern;
    const char *name; /* in the same memory */
} naming;

typedef struct grouping {
    const ocelotl_trace *trace;
    const oc_single_types *types;
    uint32_t *group_of; /* by type */
    type_group *groups; /* in the order of their first types */
    uint32_t count;
    naming *namings;
    size_t naming_count;
    oc_map names;                  /* of the first naming of each name */
    oc_map named;                  /* groups of a name that was given, by it */
    const ocelotl_type_tree *tree; /* NULL: none, or each type is by itself */
    uint32_t level;
    size_t others;    /* types that are put together as too small */
    uint32_t largest; /* groups that are not */
} grouping;

/* Patterns may have "=" in them, so the last one is meant. */
static const char *find_equals(const char *text)
{
    const char *found = strrchr(text, '=');
    return found != NULL && found != text && found[1] != '\0' ? found : NULL;
}

ocelotl_status oc_check_groups(const ocelotl_names *groups)
{
    OC_TRY(oc_check_names(groups, "group of types"));
    for (size_t i = 0; i < groups->count; i++)
        if (find_equals(groups->names[i]) == NULL)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "a group of types is \"%s\", expected PATTERN=NAME", groups->names[i]);
    return OCELOTL_OK;
}

static ocelotl_status read_namings(grouping *all, const ocelotl_names *given)
{
    OC_TRY(oc_allocate(&all->namings, given->count, sizeof *all->namings));
    while (all->naming_count < given->count) {
        naming *next = &all->namings[all->naming_count];
        OC_TRY(oc_copy_text(&next->pattern, given->names[all->naming_count]));
        char *equals = next->pattern + (find_equals(given->names[all->naming_count]) -
                                        given->names[all->naming_count]);
        *equals = '\0';
        next->name = equals + 1;
        if (oc_map_get(&all->names, next->name, strlen(next->name)) == OC_MAP_NONE)
            OC_TRY(oc_map_set(&all->names, next->name, strlen(next->name),
                              (uint32_t)all->naming_count));
        all->naming_count++;
    }
    return OCELOTL_OK;
}

static bool is_matched(const char *pattern, const oc_single_type *type, const ocelotl_trace *trace)
{
    return oc_spelling_matches(&type->spelling, pattern) ||
           oc_type_matches(trace, type->event_type, pattern);
}

static ocelotl_status check_naming(const grouping *all, const char *pattern)
{
    const char *path = all->trace->label;
    const oc_single_types *types = all->types;
    const char **names = NULL;
    for (size_t i = 0; i < types->count; i++)
        if (is_matched(pattern, &types->types[i], all->trace))
            return OCELOTL_OK;
    OC_TRY(oc_allocate(&names, types->count, sizeof *names));
    for (size_t i = 0; i < types->count; i++)
        names[i] = types->types[i].name;
    const ocelotl_status status =
        types->count == 0
            ? oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has no type that could be grouped", path)
            : oc_fail(OCELOTL_ERROR_ARGUMENT,
                      "%s: no type of the model is called \"%s\"; the nearest is \"%s\"", path,
                      pattern, names[oc_nearest(pattern, names, types->count)]);
    free(names);
    return status;
}

/* What a single type is called: its name, or as much of its path as distinguishes it. */
static const char *shown_name(const oc_single_type *type, const ocelotl_trace *trace)
{
    const oc_spelling *spelling = &type->spelling;
    if (type->value == OCELOTL_NONE)
        return oc_type_spelling(trace, type->event_type);
    return type->alike ? spelling->full + trace->spelled_from[type->event_type] : type->name;
}

/* The name of the first naming whose pattern matches; else that of a naming with the type's own
 * name, which it shares; NULL: no naming is of it. */
static const char *named_by_patterns(const grouping *all, const oc_single_type *type)
{
    for (size_t i = 0; i < all->naming_count; i++)
        if (is_matched(all->namings[i].pattern, type, all->trace))
            return all->namings[i].name;
    const uint32_t same = oc_map_get(&all->names, type->name, strlen(type->name));
    return same != OC_MAP_NONE ? all->namings[same].name : NULL;
}

/* The name that the tree gives to what has a name; NULL: it keeps it, and shares it with none. */
static const char *named_by_tree(const grouping *all, const char *name)
{
    const char *above = ocelotl_type_tree_name_at(all->tree, name, all->level);
    if (above != name)
        return above;
    const uint32_t same = ocelotl_type_tree_find_group(all->tree, name);
    const ocelotl_type_group group = ocelotl_type_tree_group_at(all->tree, same);
    return group.depth == all->level ? group.name : NULL;
}

/* The name that was given to a type; NULL: none was. */
static const char *given_name(const grouping *all, const oc_single_type *type)
{
    const char *name = named_by_patterns(all, type);
    if (all->tree == NULL)
        return name;
    const char *above = named_by_tree(all, name != NULL ? name : shown_name(type, all->trace));
    return above != NULL ? above : name;
}

/* A name that was given is one group, whatever has it; any other type is one by itself. */
static ocelotl_status find_group(grouping *all, uint32_t *group, const oc_single_type *type)
{
    const char *given = given_name(all, type);
    const uint32_t known =
        given != NULL ? oc_map_get(&all->named, given, strlen(given)) : OC_MAP_NONE;
    *group = known != OC_MAP_NONE ? known : all->count++;
    if (known != OC_MAP_NONE)
        return OCELOTL_OK;
    all->groups[*group].name = given != NULL ? given : shown_name(type, all->trace);
    all->groups[*group].spelling = given != NULL ? NULL : &type->spelling;
    return given != NULL ? oc_map_set(&all->named, given, strlen(given), *group) : OCELOTL_OK;
}

static ocelotl_status group_named(grouping *all)
{
    for (size_t i = 0; i < all->types->count; i++) {
        OC_TRY(find_group(all, &all->group_of[i], &all->types->types[i]));
        type_group *group = &all->groups[all->group_of[i]];
        if (group->members == 0)
            group->colour = all->types->types[i].colour;
        else if (group->colour != all->types->types[i].colour)
            group->colour = -1;
        group->weight += all->types->types[i].weight;
        group->members++;
    }
    return OCELOTL_OK;
}

static ocelotl_status leave_others(grouping *all, uint32_t most)
{
    oc_weighed *order = NULL;
    all->largest = all->count;
    if (all->count <= most)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&order, all->count, sizeof *order));
    for (uint32_t g = 0; g < all->count; g++)
        order[g] = (oc_weighed){all->groups[g].weight, g};
    oc_sort_weighed(order, all->count);
    for (uint32_t i = most; i < all->count; i++) {
        all->groups[order[i].place].other = true;
        all->others += all->groups[order[i].place].members;
    }
    all->largest = most;
    free(order);
    return OCELOTL_OK;
}

static ocelotl_status add_types(ocelotl_model *model, grouping *all)
{
    for (uint32_t g = 0; g < all->count; g++) {
        type_group *group = &all->groups[g];
        group->number = model->type_count;
        if (!group->other)
            OC_TRY(oc_model_add_type(model, group->name, group->colour, false));
        if (!group->other && group->spelling != NULL)
            OC_TRY(oc_copy_spelling(&model->types[group->number].spelling, group->spelling));
    }
    const uint32_t others = model->type_count;
    if (all->others > 0)
        OC_TRY(oc_model_add_type(model, "others", -1, false));
    for (size_t i = 0; i < all->types->count; i++) {
        const type_group *group = &all->groups[all->group_of[i]];
        *all->types->types[i].number = group->other ? others : group->number;
    }
    return OCELOTL_OK;
}

enum { NAMED_MOST = 3 };

/* Describes the groups of the user's patterns, each once, as far as they are shown. */
static void describe_namings(oc_text *text, const grouping *all)
{
    size_t named = 0;
    for (size_t i = 0; i < all->naming_count; i++) {
        const char *name = all->namings[i].name;
        const uint32_t found = oc_map_get(&all->named, name, strlen(name));
        const type_group *group = found != OC_MAP_NONE ? &all->groups[found] : NULL;
        if (group != NULL && !group->other &&
            oc_map_get(&all->names, name, strlen(name)) == (uint32_t)i && named++ < NAMED_MOST)
            oc_text_format(text, "%s%zu type%s as %s", text->length > 0 ? ", " : "", group->members,
                           group->members == 1 ? "" : "s", group->name);
    }
    if (named > NAMED_MOST)
        oc_text_format(text, " and %zu more", named - NAMED_MOST);
}

static ocelotl_status describe(ocelotl_model *model, const grouping *all)
{
    oc_text text = {0};
    oc_text_append(&text, "", 0);
    describe_namings(&text, all);
    if (all->tree != NULL) {
        const ocelotl_type_tree_info of = ocelotl_type_tree_info_of(all->tree);
        oc_text_format(
            &text, "%s%zu types as %" PRIu32 ", at level %" PRIu32 " of %" PRIu32 " of the tree %s",
            text.length > 0 ? "; " : "", all->types->count, all->count, all->level, of.levels,
            of.name);
    }
    if (all->others > 0)
        oc_text_format(&text, "%s%" PRIu32 " largest types and %zu others together",
                       text.length > 0 ? "; " : "", all->largest, all->others);
    const ocelotl_status status =
        text.failed ? oc_fail_memory() : oc_copy_utf8(&model->grouping, text.bytes);
    oc_text_free(&text);
    return status;
}

/* Says which types a tree does not name: a misspelt name would be in the wrong group, without a
 * word. */
static ocelotl_status describe_unknown(ocelotl_model *model, const grouping *all,
                                       const ocelotl_type_tree *tree)
{
    oc_text names = {0};
    size_t unknown = 0;
    for (size_t i = 0; i < all->types->count; i++) {
        const oc_single_type *type = &all->types->types[i];
        const char *given = named_by_patterns(all, type);
        const char *name = given != NULL ? given : shown_name(type, all->trace);
        bool known = true;
        (void)ocelotl_type_tree_find(&known, tree, name);
        if (!known && unknown++ < NAMED_MOST)
            oc_text_format(&names, "%s%.200s", unknown > 1 ? ", " : "", name);
    }
    if (unknown == 0)
        return OCELOTL_OK;
    oc_text text = {0};
    oc_text_format(&text,
                   "the tree %s does not name %zu of %zu types, which are in \"other\": %s%s",
                   ocelotl_type_tree_info_of(tree).name, unknown, all->types->count,
                   names.failed ? "" : names.bytes, unknown > NAMED_MOST ? ", .." : "");
    const ocelotl_status status = text.failed || names.failed
                                      ? oc_fail_memory()
                                      : oc_copy_utf8(&model->types_reason, text.bytes);
    oc_text_free(&text);
    oc_text_free(&names);
    return status;
}

/* Marks types that share a name but not their event type; those of one event type have no longer
 * name. */
static ocelotl_status find_alike(oc_single_types *types, oc_map *names)
{
    for (size_t i = 0; i < types->count; i++) {
        oc_single_type *type = &types->types[i];
        const uint32_t found = oc_map_get(names, type->name, strlen(type->name));
        if (found == OC_MAP_NONE) {
            OC_TRY(oc_map_set(names, type->name, strlen(type->name), (uint32_t)i));
        } else if (types->types[found].event_type != type->event_type) {
            type->alike = true;
            types->types[found].alike = true;
        }
    }
    return OCELOTL_OK;
}

static ocelotl_status spell(oc_single_types *types, const ocelotl_trace *trace)
{
    oc_map names = {0};
    for (size_t i = 0; i < types->count; i++)
        OC_TRY(oc_spelling_make(&types->types[i].spelling, trace, types->types[i].event_type,
                                types->types[i].value));
    const ocelotl_status status = find_alike(types, &names);
    oc_map_free(&names);
    return status;
}

static ocelotl_status group_all(ocelotl_model *model, grouping *all,
                                const ocelotl_model_options *options, uint32_t most)
{
    OC_TRY(read_namings(all, &options->types.groups));
    for (size_t i = 0; i < all->naming_count && !options->types.absent; i++)
        OC_TRY(check_naming(all, all->namings[i].pattern));
    OC_TRY(oc_allocate(&all->groups, all->types->count, sizeof *all->groups));
    OC_TRY(oc_allocate(&all->group_of, all->types->count, sizeof *all->group_of));
    OC_TRY(group_named(all));
    OC_TRY(leave_others(all, most));
    OC_TRY(add_types(model, all));
    if (options->type_tree != NULL)
        OC_TRY(describe_unknown(model, all, options->type_tree));
    model->type_level = all->level;
    return describe(model, all);
}

ocelotl_status oc_group_types(ocelotl_model *model, oc_single_types *types,
                              const ocelotl_trace *trace, const ocelotl_model_options *options,
                              uint32_t most)
{
    grouping all = {.trace = trace,
                    .types = types,
                    .tree = options->type_level > 0 ? options->type_tree : NULL,
                    .level = options->type_level};
    ocelotl_status status = spell(types, trace);
    if (status == OCELOTL_OK)
        status = group_all(model, &all, options, most);
    for (size_t i = 0; all.namings != NULL && i < all.naming_count; i++)
        free(all.namings[i].pattern);
    free(all.namings);
    free(all.group_of);
    free(all.groups);
    oc_map_free(&all.names);
    oc_map_free(&all.named);
    return status;
}
