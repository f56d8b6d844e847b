/* What the writer knows of archives; their resources: nodes of the system tree, groups of
 * locations, locations. */
#include "importers/otf2/import.h"

static ocelotl_status declare_new(uint32_t *id, ocelotl_writer *writer,
                                  const otf2_declared *declared)
{
    switch (declared->kind) {
    case OC_OTF2_RESOURCE_TYPE:
        return ocelotl_writer_resource_type(id, writer, declared->of, declared->name);
    case OC_OTF2_VALUE:
        return ocelotl_writer_value(id, writer, declared->of, declared->name, -1);
    case OC_OTF2_ATTRIBUTE:
        return ocelotl_writer_attribute(id, writer, declared->of, declared->name);
    case OC_OTF2_EVENT_TYPE:
        break;
    }
    OC_TRY(ocelotl_writer_event_type(id, writer, declared->category, declared->of, declared->name,
                                     -1));
    if (declared->counting != OCELOTL_LEVEL)
        OC_TRY(ocelotl_writer_kind(writer, *id, declared->counting));
    return declared->unit != NULL ? ocelotl_writer_unit(writer, *id, declared->unit) : OCELOTL_OK;
}

ocelotl_status otf2_declare(uint32_t *id, otf2_import *import, const otf2_declared *declared)
{
    oc_text key = {0};
    if (declared->kind >= OC_OTF2_VALUE && import->import->source_count < 2)
        return declare_new(id, import->writer, declared); /* one archive names them once */
    oc_text_format(&key, "%d %u %d%d %s\t%s", (int)declared->kind, declared->of,
                   (int)declared->category, (int)declared->counting, declared->name,
                   declared->unit != NULL ? declared->unit : "");
    ocelotl_status status = key.failed ? oc_fail_memory() : OCELOTL_OK;
    if (status == OCELOTL_OK)
        *id = oc_map_get(&import->declared, key.bytes, key.length);
    if (status == OCELOTL_OK && *id == OC_MAP_NONE) {
        status = declare_new(id, import->writer, declared);
        if (status == OCELOTL_OK)
            status = oc_map_set(&import->declared, key.bytes, key.length, *id);
    }
    oc_text_free(&key);
    return status;
}

/* --- Resources */

static const char *const group_names[] = {"Group", "Process", "Accelerator"};
static const char *const location_names[] = {"Location", "Thread", "Stream", "Metrics"};

enum { MOST_LEVELS = 64 };

static const char *group_name(const otf2_item *group)
{
    return group_names[group->kind < 3 ? group->kind : 0];
}

static uint32_t kind_of(const otf2_item *location)
{
    return location->kind < 4 ? location->kind : 0;
}

static ocelotl_status find_type(uint32_t *type, otf2_import *import, uint32_t parent,
                                const char *name)
{
    return otf2_declare(
        type, import, &(otf2_declared){.kind = OC_OTF2_RESOURCE_TYPE, .of = parent, .name = name});
}

/* Names a resource. Of siblings with one name all but the first get a number. */
static ocelotl_status name_resource(oc_text *name, otf2_import *import, uint32_t parent,
                                    const otf2_item *item, const char *what)
{
    const char *given = otf2_definitions_string(&import->definitions, item->name);
    oc_text key = {0};
    if (given == NULL || given[0] == '\0')
        oc_text_format(name, "%s %llu", what, (unsigned long long)item->reference);
    else
        oc_text_add(name, given);
    oc_text_format(&key, "%u\t%s", parent, name->bytes != NULL ? name->bytes : "");
    ocelotl_status status = key.failed || name->failed ? oc_fail_memory() : OCELOTL_OK;
    if (status == OCELOTL_OK) {
        if (oc_map_get(&import->places.taken, key.bytes, key.length) != OC_MAP_NONE)
            oc_text_format(name, " (%llu)", (unsigned long long)item->reference);
        status = oc_map_set(&import->places.taken, key.bytes, key.length, 1);
    }
    oc_text_free(&key);
    return status == OCELOTL_OK && name->failed ? oc_fail_memory() : status;
}

/* Declares a node, a group or a location of a type, and gives its place among those of all
 * archives. */
static ocelotl_status declare(uint32_t *place, bool *is_new, otf2_import *import, uint32_t type,
                              uint32_t parent, const otf2_item *item, const char *what,
                              int64_t begin)
{
    oc_text name = {0};
    ocelotl_status status = name_resource(&name, import, parent, item, what);
    const oc_merged_key key = {type, parent, name.bytes, begin};
    if (status == OCELOTL_OK)
        status = oc_merged_find(place, is_new, &import->merged, &key);
    oc_text_free(&name);
    return status;
}

/* The same for a node or a group, which begin as the archive does. */
static ocelotl_status declare_inner(uint32_t *resource, bool *is_known, otf2_import *import,
                                    uint32_t type, uint32_t parent, const otf2_item *item,
                                    const char *what)
{
    uint32_t place;
    bool is_new;
    OC_TRY(declare(&place, &is_new, import, type, parent, item, what, import->places.begin));
    *resource = import->merged.places[place].resource;
    *is_known = !is_new;
    return OCELOTL_OK;
}

/* --- Nodes */

static const char *node_class(const otf2_definitions *definitions, uint64_t node)
{
    const char *class = otf2_definitions_string(definitions, definitions->nodes.items[node].kind);
    return class != NULL && class[0] != '\0' ? class : "Node";
}

/* Nodes around a node, the outermost last; a circle is cut. */
static size_t list_nodes(uint64_t *chain, const otf2_table *nodes, uint64_t reference)
{
    size_t count = 0;
    uint64_t index = otf2_index_get(&nodes->index_of, reference);
    while (index != OC_OTF2_NOTHING && count < MOST_LEVELS) {
        for (size_t i = 0; i < count; i++)
            if (chain[i] == index)
                return count;
        chain[count++] = index;
        index = otf2_index_get(&nodes->index_of, nodes->items[index].parent);
    }
    return count;
}

static ocelotl_status add_nodes(uint32_t *resource, uint32_t *type, otf2_import *import,
                                uint64_t reference)
{
    uint64_t chain[MOST_LEVELS];
    otf2_places *places = &import->places;
    const otf2_table *nodes = &import->definitions.nodes;
    *resource = places->top;
    *type = places->top_type;
    for (size_t i = list_nodes(chain, nodes, reference); i-- > 0;) {
        const uint64_t index = chain[i];
        if (places->nodes[index] == OCELOTL_NONE) {
            const otf2_item *node = &nodes->items[index];
            const char *what = node_class(&import->definitions, index);
            OC_TRY(find_type(&places->node_types[index], import, *type, what));
            OC_TRY(declare_inner(&places->nodes[index], &places->known_nodes[index], import,
                                 places->node_types[index], *resource, node, what));
        }
        *resource = places->nodes[index];
        *type = places->node_types[index];
    }
    return OCELOTL_OK;
}

/* --- Groups and locations */

/* Finds the type that the first location of the kind most like a thread has: event types are of
 * it, whichever location they are first met in. */
static ocelotl_status find_thread_type(otf2_import *import)
{
    static const uint32_t order[] = {OTF2_LOCATION_TYPE_CPU_THREAD,
                                     OTF2_LOCATION_TYPE_ACCELERATOR_STREAM,
                                     OTF2_LOCATION_TYPE_UNKNOWN, OTF2_LOCATION_TYPE_METRIC};
    uint64_t chain[MOST_LEVELS];
    otf2_places *places = &import->places;
    const otf2_definitions *definitions = &import->definitions;
    const otf2_table *locations = &definitions->locations;
    const otf2_item *found = NULL;
    for (size_t kind = 0; kind < 4 && found == NULL; kind++)
        for (size_t i = 0; i < locations->count && found == NULL; i++)
            if (kind_of(&locations->items[i]) == order[kind])
                found = &locations->items[i];
    places->thread_type = places->top_type;
    if (found == NULL)
        return OCELOTL_OK;
    const uint64_t group = otf2_index_get(&definitions->groups.index_of, found->parent);
    if (group != OC_OTF2_NOTHING) {
        const otf2_item *of = &definitions->groups.items[group];
        for (size_t i = list_nodes(chain, &definitions->nodes, of->parent); i-- > 0;)
            OC_TRY(find_type(&places->thread_type, import, places->thread_type,
                             node_class(definitions, chain[i])));
        OC_TRY(find_type(&places->thread_type, import, places->thread_type, group_name(of)));
    }
    return find_type(&places->thread_type, import, places->thread_type,
                     location_names[kind_of(found)]);
}

static ocelotl_status add_group(uint32_t *resource, uint32_t *type, otf2_import *import,
                                uint64_t reference)
{
    uint32_t parent;
    uint32_t parent_type;
    otf2_places *places = &import->places;
    const otf2_table *groups = &import->definitions.groups;
    const uint64_t index = otf2_index_get(&groups->index_of, reference);
    *resource = places->top;
    *type = places->top_type;
    if (index == OC_OTF2_NOTHING)
        return OCELOTL_OK;
    const otf2_item *group = &groups->items[index];
    const char *what = group_name(group);
    OC_TRY(add_nodes(&parent, &parent_type, import, group->parent));
    OC_TRY(find_type(type, import, parent_type, what));
    if (places->groups[index] == OCELOTL_NONE)
        OC_TRY(declare_inner(&places->groups[index], &places->known_groups[index], import, *type,
                             parent, group, what));
    *resource = places->groups[index];
    return OCELOTL_OK;
}

ocelotl_status otf2_places_add(otf2_import *import, uint64_t location, int64_t begin, int64_t first)
{
    uint32_t parent;
    uint32_t parent_type;
    bool is_new;
    otf2_places *places = &import->places;
    const otf2_item *item = &import->definitions.locations.items[location];
    const char *what = location_names[kind_of(item)];
    uint32_t *type = &places->types[location];
    uint32_t *shared = &places->shared[location];
    if (places->locations[location] != OCELOTL_NONE)
        return OCELOTL_OK;
    OC_TRY(add_group(&parent, &parent_type, import, item->parent));
    OC_TRY(find_type(type, import, parent_type, what));
    OC_TRY(declare(shared, &is_new, import, *type, parent, item, what, begin));
    const oc_merged_place *place = &import->merged.places[*shared];
    places->locations[location] = places->rows[location] = place->resource;
    if (is_new || first >= place->last)
        return OCELOTL_OK;
    oc_oddities_note(&import->oddities, OC_ROW_SHARED, "", 0);
    *shared = OCELOTL_NONE;
    return oc_merged_lane(&places->locations[location], &import->merged, place->resource, *type,
                          begin);
}

/* A lane of what is a lane itself is beside it. */
ocelotl_status otf2_places_lane(uint32_t *resource, otf2_import *import, uint64_t location,
                                uint32_t lane)
{
    uint32_t type;
    uint32_t place;
    bool is_new;
    oc_text name = {0};
    const otf2_places *places = &import->places;
    const uint32_t row = places->rows[location];
    OC_TRY(find_type(&type, import, places->types[location], "Lane"));
    if (row != places->locations[location])
        oc_text_format(&name, "~%s", import->merged.name);
    oc_text_format(&name, "~%u", lane);
    const oc_merged_key key = {type, row, name.bytes, places->begin};
    const ocelotl_status status =
        name.failed ? oc_fail_memory() : oc_merged_find(&place, &is_new, &import->merged, &key);
    if (status == OCELOTL_OK)
        *resource = import->merged.places[place].resource;
    oc_text_free(&name);
    return status;
}

ocelotl_status otf2_places_scope(uint32_t *resource, uint32_t *type, otf2_import *import,
                                 const otf2_scope *scope)
{
    const otf2_definitions *definitions = &import->definitions;
    otf2_places *places = &import->places;
    const bool is_location = scope->kind == OTF2_SCOPE_LOCATION;
    const bool is_group = scope->kind == OTF2_SCOPE_LOCATION_GROUP;
    const otf2_table *table = is_location ? &definitions->locations
                              : is_group  ? &definitions->groups
                                          : &definitions->nodes;
    const uint64_t index = otf2_index_get(&table->index_of, scope->of);
    *resource = OCELOTL_NONE;
    if (index == OC_OTF2_NOTHING)
        return OCELOTL_OK;
    if (is_location) {
        OC_TRY(otf2_places_add(import, index, places->begin, INT64_MIN));
        *resource = places->locations[index];
        *type = places->thread_type;
        return OCELOTL_OK;
    }
    OC_TRY(is_group ? add_group(resource, type, import, scope->of)
                    : add_nodes(resource, type, import, scope->of));
    if (!(is_group ? places->known_groups : places->known_nodes)[index])
        return OCELOTL_OK;
    oc_oddities_note(&import->oddities, OC_ROW_SHARED, "", 0);
    return oc_merged_lane(resource, &import->merged, *resource, *type, places->begin);
}

ocelotl_status otf2_places_begin(otf2_import *import, const char *node, int64_t begin)
{
    otf2_places *places = &import->places;
    otf2_definitions *definitions = &import->definitions;
    oc_arena *arena = &definitions->arena;
    const size_t nodes = definitions->nodes.count;
    const size_t groups = definitions->groups.count;
    const size_t locations = definitions->locations.count;
    *places = (otf2_places){.begin = begin, .top = OCELOTL_ROOT, .top_type = OCELOTL_ROOT};
    OC_TRY(otf2_make_numbers(&places->nodes, arena, nodes));
    OC_TRY(otf2_make_numbers(&places->node_types, arena, nodes));
    OC_TRY(otf2_make_numbers(&places->groups, arena, groups));
    OC_TRY(otf2_make_numbers(&places->shared, arena, locations));
    OC_TRY(otf2_make_numbers(&places->rows, arena, locations));
    OC_TRY(otf2_make_numbers(&places->locations, arena, locations));
    OC_TRY(otf2_make_numbers(&places->types, arena, locations));
    OC_TRY(oc_arena_allocate(&places->known_nodes, arena, nodes, sizeof(bool)));
    OC_TRY(oc_arena_allocate(&places->known_groups, arena, groups, sizeof(bool)));
    if (node != NULL) {
        OC_TRY(find_type(&places->top_type, import, OCELOTL_ROOT, "File"));
        OC_TRY(ocelotl_writer_resource(&places->top, import->writer, places->top_type, OCELOTL_ROOT,
                                       node, begin));
    }
    return find_thread_type(import);
}
