#include "importers/otf2/definitions.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const otf2_item *otf2_table_find(const otf2_table *table, uint64_t reference)
{
    const uint64_t index = otf2_index_get(&table->index_of, reference);
    return index == OC_OTF2_NOTHING ? NULL : &table->items[index];
}

const char *otf2_definitions_string(const otf2_definitions *definitions, OTF2_StringRef string)
{
    const uint64_t index = otf2_index_get(&definitions->string_of, string);
    return index == OC_OTF2_NOTHING ? NULL : definitions->strings[index];
}

const char *otf2_definitions_name(const otf2_definitions *definitions, const otf2_table *table,
                                  uint64_t reference)
{
    const otf2_item *item = otf2_table_find(table, reference);
    const char *name = item != NULL ? otf2_definitions_string(definitions, item->name) : NULL;
    return name != NULL && name[0] != '\0' ? name : NULL;
}

ocelotl_status otf2_make_numbers(uint32_t **numbers, oc_arena *arena, size_t count)
{
    OC_TRY(oc_arena_allocate(numbers, arena, count, sizeof **numbers));
    for (size_t i = 0; i < count; i++)
        (*numbers)[i] = OCELOTL_NONE;
    return OCELOTL_OK;
}

/* Gives the number of a name, which is added where it is new. */
static ocelotl_status add_name(uint32_t *number, otf2_definitions *definitions, otf2_names *names,
                               const char *name)
{
    oc_arena *arena = &definitions->arena;
    const size_t length = strlen(name);
    *number = oc_map_get(&names->number_of, name, length);
    if (*number != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_arena_grow(&names->names, &names->capacity, arena, names->count + 1,
                         sizeof *names->names));
    *number = (uint32_t)names->count;
    names->names[names->count++] = oc_arena_copy(arena, name);
    OC_TRY(oc_arena_status(arena));
    return oc_map_set(&names->number_of, name, length, *number);
}

/* The same of a name that was made, which is freed. */
static ocelotl_status add_made(uint32_t *number, otf2_definitions *definitions, otf2_names *names,
                               oc_text *name)
{
    const ocelotl_status status =
        name->failed ? oc_fail_memory() : add_name(number, definitions, names, name->bytes);
    oc_text_free(name);
    return status;
}

/* The name of a definition; where it has none, of what sort it is, and its number, in `made`. */
static const char *name_item(char made[64], const otf2_definitions *definitions,
                             const otf2_item *item, const char *sort)
{
    const char *name = otf2_definitions_string(definitions, item->name);
    if (name != NULL && name[0] != '\0')
        return name;
    snprintf(made, 64, "%s %llu", sort, (unsigned long long)item->reference);
    return made;
}

/* --- Ranks */

/* A member of a set as the index of a location. */
static uint64_t find_member(const otf2_definitions *definitions, const otf2_item *set,
                            uint32_t rank)
{
    if (rank >= set->more)
        return OC_OTF2_NOTHING;
    uint64_t member = definitions->members.numbers[set->other + rank];
    if (set->parent != OC_OTF2_NOTHING) {
        const otf2_item *ranks = otf2_table_find(&definitions->ranks, set->parent);
        if (ranks == NULL || member >= ranks->more)
            return OC_OTF2_NOTHING;
        member = definitions->members.numbers[ranks->other + member];
    }
    return otf2_index_get(&definitions->locations.index_of, member);
}

/* The member of a set that a location is: itself, else the first of its group; OC_OTF2_NOTHING
 * where the set has none. */
static uint64_t find_own(const otf2_definitions *definitions, const otf2_item *set,
                         uint64_t location)
{
    uint64_t own = OC_OTF2_NOTHING;
    const otf2_item *locations = definitions->locations.items;
    for (uint64_t rank = 0; rank < set->more && rank <= UINT32_MAX; rank++) {
        const uint64_t member = find_member(definitions, set, (uint32_t)rank);
        if (member == location)
            return location;
        if (own == OC_OTF2_NOTHING && member != OC_OTF2_NOTHING && locations[location].more &&
            locations[member].parent == locations[location].parent)
            own = member;
    }
    return own;
}

otf2_member otf2_definitions_member(const otf2_definitions *definitions, uint64_t communicator,
                                    uint64_t location)
{
    const otf2_item *item = otf2_table_find(&definitions->communicators, communicator);
    const bool is_plain = item == NULL || item->other == OC_OTF2_NOTHING;
    if (item == NULL || (is_plain && !definitions->locations.items[location].more))
        return (otf2_member){location, true};
    for (size_t i = 0; i < (is_plain ? 1 : 2); i++) {
        const otf2_item *set =
            otf2_table_find(&definitions->sets, i == 0 ? item->parent : item->other);
        if (set != NULL && set->kind == OTF2_GROUP_TYPE_COMM_SELF) /* the set of all ranks */
            set = otf2_table_find(&definitions->ranks, set->parent);
        const uint64_t own = set != NULL ? find_own(definitions, set, location) : OC_OTF2_NOTHING;
        if (own != OC_OTF2_NOTHING)
            return (otf2_member){own, i == 0};
    }
    return (otf2_member){location, is_plain};
}

uint64_t otf2_definitions_rank(const otf2_definitions *definitions, uint64_t communicator,
                               uint32_t rank, otf2_member peer)
{
    const otf2_item *item = otf2_table_find(&definitions->communicators, communicator);
    if (item == NULL)
        return OC_OTF2_NOTHING;
    const otf2_item *set = otf2_table_find(&definitions->sets, item->parent);
    if (set == NULL)
        return OC_OTF2_NOTHING;
    if (set->kind == OTF2_GROUP_TYPE_COMM_SELF)
        return rank == 0 ? peer.location : OC_OTF2_NOTHING;
    if (item->other != OC_OTF2_NOTHING && peer.is_first) { /* the partner is in the other group */
        const otf2_item *second = otf2_table_find(&definitions->sets, item->other);
        set = second != NULL ? second : set;
    }
    return find_member(definitions, set, rank);
}

bool otf2_definitions_is_shared(const otf2_definitions *definitions, uint64_t communicator)
{
    const otf2_item *item = otf2_table_find(&definitions->communicators, communicator);
    const otf2_item *set = item != NULL ? otf2_table_find(&definitions->sets, item->parent) : NULL;
    return set != NULL && set->kind != OTF2_GROUP_TYPE_COMM_SELF && item->other == OC_OTF2_NOTHING;
}

/* --- What is made of them */

/* The names of regions, and the values of their states. Call paths are found as regions are
 * entered. */
static ocelotl_status name_regions(otf2_definitions *definitions)
{
    char made[64];
    char name[OC_OTF2_LONGEST_NAME];
    otf2_names *values = &definitions->values;
    for (size_t i = 0; i < definitions->regions.count; i++) {
        otf2_item *region = &definitions->regions.items[i];
        const char *paradigm =
            otf2_definitions_name(definitions, &definitions->paradigms, region->other);
        uint32_t value;
        OC_TRY(add_name(&region->kind, definitions, values,
                        name_item(made, definitions, region, "region")));
        value = region->kind;
        if (definitions->by == OCELOTL_VALUE_ROLE)
            OC_TRY(add_name(&value, definitions, values,
                            otf2_number_name(name, OC_OTF2_ROLE_NAMES, region->parent)));
        if (region->other <= OTF2_PARADIGM_KOKKOS || paradigm == NULL)
            paradigm = otf2_number_name(name, OC_OTF2_PARADIGM_NAMES, region->other);
        if (definitions->by == OCELOTL_VALUE_PARADIGM)
            OC_TRY(add_name(&value, definitions, values, paradigm));
        region->more = value;
    }
    return add_name(&definitions->undefined_region, definitions, values, "(undefined region)");
}

static ocelotl_status name_values(otf2_definitions *definitions)
{
    char name[OC_OTF2_LONGEST_NAME];
    uint32_t number;
    otf2_names *values = &definitions->values;
    for (otf2_kind kind = 0; kind < OC_OTF2_KIND_COUNT; kind++)
        OC_TRY(add_name(&number, definitions, values, otf2_kinds[kind].name));
    definitions->first_operation = (uint32_t)values->count;
    for (uint32_t i = 0; i <= OC_OTF2_OPERATIONS; i++)
        OC_TRY(add_name(&number, definitions, values,
                        otf2_number_name(name, OC_OTF2_OPERATION_NAMES, i)));
    definitions->first_mode = (uint32_t)values->count;
    for (uint32_t i = 0; i < OC_OTF2_MODES; i++)
        OC_TRY(
            add_name(&number, definitions, values, otf2_number_name(name, OC_OTF2_MODE_NAMES, i)));
    return name_regions(definitions);
}

/* Gives each attribute or parameter the number of its name, which is one line. */
static ocelotl_status name_keys_of(otf2_definitions *definitions, otf2_table *table,
                                   const char *sort)
{
    char made[64];
    for (size_t i = 0; i < table->count; i++) {
        otf2_item *item = &table->items[i];
        const otf2_item unnamed = {.reference = item->reference, .name = OTF2_UNDEFINED_STRING};
        const char *name = name_item(made, definitions, item, sort);
        if (strchr(name, '\n') != NULL)
            name = name_item(made, definitions, &unnamed, sort);
        OC_TRY(add_name(&item->kind, definitions, &definitions->keys, name));
    }
    return OCELOTL_OK;
}

/* A state whose begin and end have the same attribute has two values of it. There are 64 bits: all
 * names from the 64th on share the last. */
static ocelotl_status name_keys(otf2_definitions *definitions)
{
    uint32_t number;
    otf2_names *keys = &definitions->keys;
    const uint32_t first = OC_OTF2_KEY_COUNT;
    for (otf2_key key = 0; key < OC_OTF2_KEY_COUNT; key++)
        OC_TRY(add_name(&number, definitions, keys, otf2_keys[key]));
    OC_TRY(name_keys_of(definitions, &definitions->attributes, "attribute"));
    for (size_t i = 0; i < definitions->attributes.count; i++) {
        oc_text name = {0};
        otf2_item *item = &definitions->attributes.items[i];
        const uint32_t place = item->kind < first ? 63 : item->kind - first;
        oc_text_format(&name, "end_%s", keys->names[item->kind]);
        OC_TRY(add_made(&number, definitions, keys, &name));
        item->other = number;
        item->more = (uint64_t)1 << (place < 63 ? place : 63);
    }
    return name_keys_of(definitions, &definitions->parameters, "parameter");
}

static otf2_meaning meaning_of(uint32_t mode)
{
    const uint32_t timing = mode & OTF2_METRIC_TIMING_MASK;
    if ((mode & OTF2_METRIC_VALUE_MASK) == OTF2_METRIC_VALUE_ACCUMULATED)
        return OC_OTF2_SUM;
    if ((mode & OTF2_METRIC_VALUE_MASK) == OTF2_METRIC_VALUE_RELATIVE)
        return timing == OTF2_METRIC_TIMING_NEXT ? OC_OTF2_ADDED_BEFORE : OC_OTF2_ADDED;
    return timing == OTF2_METRIC_TIMING_LAST ? OC_OTF2_SINCE_LAST : OC_OTF2_FROM_NOW;
}

static ocelotl_status name_metric(otf2_definitions *definitions, size_t index)
{
    char made[64];
    oc_text text = {0};
    const otf2_item *member = &definitions->members_of_classes.items[index];
    otf2_metric *metric = &definitions->metric_of[index];
    metric->meaning = meaning_of(member->kind);
    metric->scale =
        pow(member->other == OTF2_BASE_BINARY ? 2.0 : 10.0, (double)(int64_t)member->more);
    const char *unit = otf2_definitions_string(definitions, (OTF2_StringRef)member->parent);
    const ocelotl_variable_kind kind = metric->meaning < OC_OTF2_SUM    ? OCELOTL_LEVEL
                                       : metric->meaning == OC_OTF2_SUM ? OCELOTL_COUNTER
                                                                        : OCELOTL_INCREMENT;
    oc_text_format(&text, "%s\t%d", name_item(made, definitions, member, "metric"), (int)kind);
    for (; unit != NULL && *unit != '\0'; unit++) /* a unit is one line */
        oc_text_append(&text, *unit == '\n' || *unit == '\t' ? " " : unit, 1);
    return add_made(&metric->number, definitions, &definitions->metrics, &text);
}

/* A member that is not defined has no number. */
static ocelotl_status add_scoped(otf2_definitions *definitions, const otf2_item *instance,
                                 uint64_t member)
{
    oc_text text = {0};
    const uint64_t index = otf2_index_get(&definitions->members_of_classes.index_of, member);
    otf2_metric *made = &definitions->scoped[definitions->scoped_count++];
    *made = (otf2_metric){.number = OCELOTL_NONE};
    if (index == OC_OTF2_NOTHING)
        return OCELOTL_OK;
    *made = definitions->metric_of[index];
    oc_text_format(&text, "%s\t%u:%llu", definitions->metrics.names[made->number], instance->kind,
                   (unsigned long long)instance->other);
    return add_made(&made->number, definitions, &definitions->metrics, &text);
}

/* Notes the metrics of instances with a scope, if their class is defined. Beyond MOST_SCOPED they
 * belong to the location that records them. */
static ocelotl_status scope_metrics(otf2_definitions *definitions)
{
    enum { MOST_SCOPED = 1 << 16 };
    otf2_table *instances = &definitions->instances;
    for (size_t i = 0; i < instances->count; i++) {
        otf2_item *instance = &instances->items[i];
        const otf2_item *class = otf2_table_find(&definitions->classes, instance->parent);
        const size_t count = class != NULL ? class->more : 0;
        if (!instance->name || class == NULL || definitions->scoped_count + count > MOST_SCOPED)
            continue;
        OC_TRY(oc_arena_grow(&definitions->scoped, &definitions->scoped_capacity,
                             &definitions->arena, definitions->scoped_count + count,
                             sizeof *definitions->scoped));
        instance->more = definitions->scoped_count;
        for (size_t m = 0; m < count; m++)
            OC_TRY(
                add_scoped(definitions, instance, definitions->members.numbers[class->other + m]));
    }
    OC_TRY(oc_arena_allocate(&definitions->scopes, &definitions->arena, definitions->metrics.count,
                             sizeof *definitions->scopes));
    for (size_t i = 0; i < instances->count; i++) {
        const otf2_item *instance = &instances->items[i];
        const otf2_item *class = otf2_table_find(&definitions->classes, instance->parent);
        for (uint64_t m = 0; instance->more != OC_OTF2_NOTHING && m < class->more; m++) {
            const uint32_t number = definitions->scoped[instance->more + m].number;
            if (number != OCELOTL_NONE)
                definitions->scopes[number] = (otf2_scope){true, (OTF2_MetricScope)instance->kind,
                                                           instance->other, OC_OTF2_NOTHING};
        }
    }
    return OCELOTL_OK;
}

/* Marks communicators that share a name. */
static ocelotl_status compare_communicators(otf2_definitions *definitions)
{
    ocelotl_status status = OCELOTL_OK;
    oc_map first_of = {0};
    otf2_table *communicators = &definitions->communicators;
    for (size_t i = 0; i < communicators->count && status == OCELOTL_OK; i++) {
        const char *name = otf2_definitions_string(definitions, communicators->items[i].name);
        if (name == NULL || name[0] == '\0')
            continue;
        const uint32_t first = oc_map_get(&first_of, name, strlen(name));
        if (first == OC_MAP_NONE)
            status = oc_map_set(&first_of, name, strlen(name), (uint32_t)i);
        else
            communicators->items[first].kind = communicators->items[i].kind = 1;
    }
    oc_map_free(&first_of);
    return status;
}

/* Marks locations that are not alone in their group. */
static ocelotl_status compare_locations(otf2_definitions *definitions)
{
    ocelotl_status status = OCELOTL_OK;
    oc_map first_of = {0};
    otf2_table *locations = &definitions->locations;
    for (size_t i = 0; i < locations->count && status == OCELOTL_OK; i++) {
        const uint64_t group = locations->items[i].parent;
        const uint32_t first = oc_map_get(&first_of, &group, sizeof group);
        locations->items[i].more = first != OC_MAP_NONE;
        if (first == OC_MAP_NONE)
            status = oc_map_set(&first_of, &group, sizeof group, (uint32_t)i);
        else
            locations->items[first].more = 1;
    }
    oc_map_free(&first_of);
    return status;
}

ocelotl_status otf2_definitions_resolve(otf2_definitions *definitions)
{
    OC_TRY(compare_locations(definitions));
    OC_TRY(compare_communicators(definitions));
    OC_TRY(name_values(definitions));
    OC_TRY(name_keys(definitions));
    const size_t count = definitions->members_of_classes.count;
    OC_TRY(oc_arena_allocate(&definitions->metric_of, &definitions->arena, count,
                             sizeof *definitions->metric_of));
    for (size_t i = 0; i < count; i++)
        OC_TRY(name_metric(definitions, i));
    return scope_metrics(definitions);
}

void otf2_definitions_free(otf2_definitions *definitions)
{
    for (size_t i = 0; i < sizeof definitions->tables / sizeof definitions->tables[0]; i++)
        oc_map_free(&definitions->tables[i].index_of.others);
    oc_map_free(&definitions->string_of.others);
    oc_map_free(&definitions->values.number_of);
    oc_map_free(&definitions->keys.number_of);
    oc_map_free(&definitions->metrics.number_of);
    oc_arena_free(&definitions->arena);
    *definitions = (otf2_definitions){0};
}
