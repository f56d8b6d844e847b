#include "importers/otf2/places.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static const char *const group_names[] = {"Group", "Process", "Accelerator"};
static const char *const location_names[] = {"Location", "Thread", "Stream", "Metrics"};

enum { MOST_LEVELS = 64 };

static ocelotl_status find_type(uint32_t *type, otf2_places *places, uint32_t parent,
                                const char *name)
{
    oc_text key = {0};
    oc_text_format(&key, "%u\t%s", parent, name);
    ocelotl_status status = key.failed ? oc_fail_memory() : OCELOTL_OK;
    if (status == OCELOTL_OK) {
        *type = oc_map_get(places->type_of, key.bytes, key.length);
        if (*type == OC_MAP_NONE) {
            status = ocelotl_writer_resource_type(type, places->writer, parent, name);
            if (status == OCELOTL_OK)
                status = oc_map_set(places->type_of, key.bytes, key.length, *type);
        }
    }
    oc_text_free(&key);
    return status;
}

/* Names a resource. Of siblings with one name all but the first get a number. */
static ocelotl_status name_resource(oc_text *name, otf2_places *places, uint32_t parent,
                                    const otf2_item *item, const char *what)
{
    const char *given = otf2_definitions_string(places->definitions, item->name);
    oc_text key = {0};
    if (given == NULL || given[0] == '\0')
        oc_text_format(name, "%s %llu", what, (unsigned long long)item->reference);
    else
        oc_text_add(name, given);
    oc_text_format(&key, "%u\t%s", parent, name->bytes != NULL ? name->bytes : "");
    ocelotl_status status = key.failed || name->failed ? oc_fail_memory() : OCELOTL_OK;
    if (status == OCELOTL_OK) {
        if (oc_map_get(&places->taken, key.bytes, key.length) != OC_MAP_NONE)
            oc_text_format(name, " (%llu)", (unsigned long long)item->reference);
        status = oc_map_set(&places->taken, key.bytes, key.length, 1);
    }
    oc_text_free(&key);
    return status == OCELOTL_OK && name->failed ? oc_fail_memory() : status;
}

/* What is declared: a node, a group or a location. */
typedef struct declared {
    uint32_t type, parent;
    const otf2_item *item;
    const char *what;
    int64_t begin;
} declared;

static ocelotl_status declare(uint32_t *resource, bool *is_known, otf2_places *places,
                              const declared *of)
{
    oc_text name = {0};
    uint32_t place;
    bool is_new = true;
    ocelotl_status status = name_resource(&name, places, of->parent, of->item, of->what);
    const oc_merged_key key = {of->type, of->parent, name.bytes, of->begin};
    if (status == OCELOTL_OK && places->merged == NULL)
        status = ocelotl_writer_resource(resource, places->writer, of->type, of->parent, name.bytes,
                                         of->begin);
    else if (status == OCELOTL_OK)
        status = oc_merged_find(&place, &is_new, places->merged, &key);
    if (status == OCELOTL_OK && places->merged != NULL)
        *resource = places->merged->places[place].resource;
    *is_known = !is_new;
    oc_text_free(&name);
    return status;
}

/* Declares a location where archives are merged. */
static ocelotl_status declare_shared(otf2_places *places, uint64_t location, const declared *of,
                                     int64_t first)
{
    bool is_new;
    oc_text name = {0};
    oc_merged *merged = places->merged;
    uint32_t *shared = &places->shared[location];
    ocelotl_status status = name_resource(&name, places, of->parent, of->item, of->what);
    const oc_merged_key key = {of->type, of->parent, name.bytes, of->begin};
    if (status == OCELOTL_OK)
        status = oc_merged_find(shared, &is_new, merged, &key);
    oc_text_free(&name);
    OC_TRY(status);
    const oc_merged_place *place = &merged->places[*shared];
    places->locations[location] = places->rows[location] = place->resource;
    if (is_new || first >= place->last)
        return OCELOTL_OK;
    oc_oddities_note(places->oddities, OC_ROW_SHARED, "", 0);
    *shared = OCELOTL_NONE;
    return oc_merged_lane(&places->locations[location], merged, place->resource, of->type,
                          of->begin);
}

void otf2_places_keep(const otf2_places *places, uint64_t location, int64_t last, int64_t end)
{
    if (places->shared[location] == OCELOTL_NONE)
        return;
    oc_merged_place *place = &places->merged->places[places->shared[location]];
    place->last = last > place->last ? last : place->last;
    place->end = end;
}

ocelotl_status otf2_places_file(otf2_places *places, const char *name)
{
    OC_TRY(find_type(&places->top_type, places, OCELOTL_ROOT, "File"));
    return ocelotl_writer_resource(&places->top, places->writer, places->top_type, OCELOTL_ROOT,
                                   name, places->begin);
}

/* --- Nodes */

/* Nodes around a node, the outermost last; a circle is cut. */
static size_t list_nodes(uint64_t *chain, const otf2_places *places, uint64_t reference)
{
    size_t count = 0;
    const otf2_table *nodes = &places->definitions->nodes;
    uint64_t index = otf2_references_get(&nodes->index_of, reference);
    while (index != OC_OTF2_NOTHING && count < MOST_LEVELS) {
        for (size_t i = 0; i < count; i++)
            if (chain[i] == index)
                return count;
        chain[count++] = index;
        index = otf2_references_get(&nodes->index_of, nodes->items[index].parent);
    }
    return count;
}

static ocelotl_status add_nodes(uint32_t *resource, uint32_t *type, otf2_places *places,
                                uint64_t reference)
{
    uint64_t chain[MOST_LEVELS];
    *resource = places->top;
    *type = places->top_type;
    for (size_t i = list_nodes(chain, places, reference); i-- > 0;) {
        const uint64_t index = chain[i];
        if (places->nodes[index] == OCELOTL_NONE) {
            const otf2_item *node = &places->definitions->nodes.items[index];
            const char *class = otf2_definitions_string(places->definitions, node->kind);
            const char *what = class != NULL && class[0] != '\0' ? class : "Node";
            OC_TRY(find_type(&places->node_types[index], places, *type, what));
            const declared of = {places->node_types[index], *resource, node, what, places->begin};
            OC_TRY(declare(&places->nodes[index], &places->known_nodes[index], places, &of));
        }
        *resource = places->nodes[index];
        *type = places->node_types[index];
    }
    return OCELOTL_OK;
}

/* --- Groups and locations */

static ocelotl_status add_group(uint32_t *resource, uint32_t *type, otf2_places *places,
                                uint64_t reference)
{
    const otf2_table *groups = &places->definitions->groups;
    const uint64_t index = otf2_references_get(&groups->index_of, reference);
    *resource = places->top;
    *type = places->top_type;
    if (index == OC_OTF2_NOTHING)
        return OCELOTL_OK;
    const otf2_item *group = &groups->items[index];
    const char *what = group_names[group->kind < 3 ? group->kind : 0];
    uint32_t parent;
    uint32_t parent_type;
    OC_TRY(add_nodes(&parent, &parent_type, places, group->parent));
    OC_TRY(find_type(type, places, parent_type, what));
    const declared of = {*type, parent, group, what, places->begin};
    if (places->groups[index] == OCELOTL_NONE)
        OC_TRY(declare(&places->groups[index], &places->known_groups[index], places, &of));
    *resource = places->groups[index];
    return OCELOTL_OK;
}

ocelotl_status otf2_places_add(uint32_t *resource, otf2_places *places, uint64_t location,
                               int64_t begin, int64_t first)
{
    const otf2_item *item = &places->definitions->locations.items[location];
    if (places->locations[location] == OCELOTL_NONE) {
        const uint32_t kind = item->kind < 4 ? item->kind : 0;
        uint32_t parent;
        uint32_t parent_type;
        uint32_t type;
        bool is_known;
        OC_TRY(add_group(&parent, &parent_type, places, item->parent));
        OC_TRY(find_type(&type, places, parent_type, location_names[kind]));
        const declared of = {type, parent, item, location_names[kind], begin};
        OC_TRY(places->merged == NULL
                   ? declare(&places->locations[location], &is_known, places, &of)
                   : declare_shared(places, location, &of, first));
        if (places->merged == NULL)
            places->rows[location] = places->locations[location];
        places->location_types[kind] = type;
    }
    *resource = places->locations[location];
    return OCELOTL_OK;
}

/* A lane of what is a lane itself is beside it. */
ocelotl_status otf2_places_lane(uint32_t *resource, otf2_places *places, uint64_t location,
                                uint32_t lane)
{
    uint32_t type;
    uint32_t place;
    bool is_new;
    oc_text name = {0};
    const otf2_item *item = &places->definitions->locations.items[location];
    const uint32_t row = places->rows[location];
    const uint32_t row_type = places->location_types[item->kind < 4 ? item->kind : 0];
    OC_TRY(find_type(&type, places, row_type, "Lane"));
    if (row != places->locations[location])
        oc_text_format(&name, "~%s", places->merged->name);
    oc_text_format(&name, "~%u", lane);
    ocelotl_status status = name.failed ? oc_fail_memory() : OCELOTL_OK;
    const oc_merged_key key = {type, row, name.bytes, places->begin};
    if (status == OCELOTL_OK && places->merged == NULL)
        status =
            ocelotl_writer_resource(resource, places->writer, type, row, name.bytes, places->begin);
    else if (status == OCELOTL_OK)
        status = oc_merged_find(&place, &is_new, places->merged, &key);
    if (status == OCELOTL_OK && places->merged != NULL)
        *resource = places->merged->places[place].resource;
    oc_text_free(&name);
    return status;
}

ocelotl_status otf2_places_scope(uint32_t *resource, uint32_t *type, otf2_places *places,
                                 const otf2_scope *scope)
{
    const otf2_definitions *definitions = places->definitions;
    const bool is_location = scope->kind == OTF2_SCOPE_LOCATION;
    const bool is_group = scope->kind == OTF2_SCOPE_LOCATION_GROUP;
    const otf2_table *table = is_location ? &definitions->locations
                              : is_group  ? &definitions->groups
                                          : &definitions->nodes;
    const uint64_t index = otf2_references_get(&table->index_of, scope->of);
    *resource = OCELOTL_NONE;
    if (index == OC_OTF2_NOTHING)
        return OCELOTL_OK;
    if (is_location) {
        OC_TRY(otf2_places_add(resource, places, index, places->begin, INT64_MIN));
        *type = otf2_places_thread_type(places);
        return OCELOTL_OK;
    }
    OC_TRY(is_group ? add_group(resource, type, places, scope->of)
                    : add_nodes(resource, type, places, scope->of));
    if (!(is_group ? places->known_groups : places->known_nodes)[index])
        return OCELOTL_OK;
    oc_oddities_note(places->oddities, OC_ROW_SHARED, "", 0);
    return oc_merged_lane(resource, places->merged, *resource, *type, places->begin);
}

uint32_t otf2_places_thread_type(const otf2_places *places)
{
    static const uint32_t order[] = {OTF2_LOCATION_TYPE_CPU_THREAD,
                                     OTF2_LOCATION_TYPE_ACCELERATOR_STREAM,
                                     OTF2_LOCATION_TYPE_UNKNOWN, OTF2_LOCATION_TYPE_METRIC};
    for (size_t i = 0; i < 4; i++)
        if (places->location_types[order[i]] != OCELOTL_NONE)
            return places->location_types[order[i]];
    return OCELOTL_ROOT;
}

ocelotl_status otf2_places_begin(otf2_places *places, const otf2_definitions *definitions)
{
    places->definitions = definitions;
    for (size_t i = 0; i < 4; i++)
        places->location_types[i] = OCELOTL_NONE;
    OC_TRY(otf2_make_numbers(&places->nodes, definitions->nodes.count));
    OC_TRY(otf2_make_numbers(&places->node_types, definitions->nodes.count));
    OC_TRY(otf2_make_numbers(&places->groups, definitions->groups.count));
    OC_TRY(otf2_make_numbers(&places->shared, definitions->locations.count));
    OC_TRY(otf2_make_numbers(&places->rows, definitions->locations.count));
    OC_TRY(oc_allocate(&places->known_nodes, definitions->nodes.count, sizeof(bool)));
    OC_TRY(oc_allocate(&places->known_groups, definitions->groups.count, sizeof(bool)));
    return otf2_make_numbers(&places->locations, definitions->locations.count);
}

void otf2_places_free(otf2_places *places)
{
    free(places->nodes);
    free(places->node_types);
    free(places->groups);
    free(places->locations);
    free(places->shared);
    free(places->rows);
    free(places->known_nodes);
    free(places->known_groups);
    oc_map_free(&places->taken);
}
