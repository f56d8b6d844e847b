#include "importers/paje/names.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The one reserved word of the language: the root of types and of containers. */
static bool is_root(paje_field text)
{
    return text.length == 1 && text.text[0] == '0';
}

ocelotl_status paje_names_begin(paje_names *names)
{
    OC_TRY(oc_grow(&names->containers, &names->container_capacity, 1, sizeof *names->containers));
    names->containers[0] = (paje_container){.id = OCELOTL_ROOT};
    OC_TRY(paje_nest_add(&names->named, PAJE_NOWHERE));
    OC_TRY(paje_nest_add(&names->living, PAJE_NOWHERE));
    names->container_count = 1;
    names->generation = 1;
    OC_TRY(oc_allocate(&names->remembered, PAJE_REMEMBERED, sizeof *names->remembered));
    return oc_copy_text(&names->containers[0].name, "0");
}

void paje_names_free(paje_names *names)
{
    for (size_t i = 0; i < names->type_count; i++)
        free(names->types[i].name);
    for (size_t i = 0; i < names->container_count; i++)
        free(names->containers[i].name);
    free(names->types);
    free(names->containers);
    paje_nest_free(&names->named);
    paje_nest_free(&names->living);
    free(names->remembered);
    oc_map_free(&names->type_of_alias);
    oc_map_free(&names->type_of_name);
    oc_map_free(&names->container_of_alias);
    oc_map_free(&names->container_of_name);
    oc_map_free(&names->value_of);
    oc_map_free(&names->attribute_of);
    oc_text_free(&names->key);
}

/* The place where a text is remembered; *known where it is. NULL for long texts. */
static paje_remembered *recall(bool *known, const paje_names *names, uint32_t scope,
                               paje_field text)
{
    uint64_t words[2] = {0, 0};
    *known = false;
    if (text.length > PAJE_LONGEST_REMEMBERED || scope >= UINT32_MAX / PAJE_SCOPE_LENGTHS)
        return NULL;
    memcpy(&words[0], text.text, text.length < 8 ? text.length : 8);
    if (text.length > 8)
        memcpy(&words[1], text.text + text.length - 8, 8);
    const uint32_t key = scope * PAJE_SCOPE_LENGTHS + (uint32_t)text.length;
    paje_remembered *place = paje_names_place(names, words, key);
    *known = paje_names_is_known(names, place, words, key);
    if (!*known)
        *place = (paje_remembered){.text = {words[0], words[1]}, .scope = key};
    return place;
}

static void remember(const paje_names *names, paje_remembered *place, uint32_t index)
{
    if (place == NULL || index == OC_MAP_NONE)
        return;
    place->index = index;
    place->generation = names->generation;
}

/* What is referred to by: the alias where there is one, and otherwise the name. */
static paje_field handle(paje_field alias, paje_field name)
{
    return alias.length > 0 ? alias : name;
}

/* Aliases and names are looked up apart, so that a name never hides an alias. */
static ocelotl_status register_handle(oc_map *by_alias, oc_map *by_name, paje_field alias,
                                      paje_field name, uint32_t index)
{
    const paje_field key = handle(alias, name);
    OC_TRY(oc_map_set(by_alias, key.text, key.length, index));
    if (alias.length == 0 || oc_map_get(by_name, name.text, name.length) != OC_MAP_NONE)
        return OCELOTL_OK;
    return oc_map_set(by_name, name.text, name.length, index);
}

static uint32_t find_handle(const oc_map *by_alias, const oc_map *by_name, paje_field text)
{
    const uint32_t found = oc_map_get(by_alias, text.text, text.length);
    return found != OC_MAP_NONE ? found : oc_map_get(by_name, text.text, text.length);
}

static uint32_t find_often(paje_names *names, uint32_t scope, const oc_map *by_alias,
                           const oc_map *by_name, paje_field text)
{
    bool known;
    paje_remembered *place = recall(&known, names, scope, text);
    if (known)
        return place->index;
    const uint32_t index = find_handle(by_alias, by_name, text);
    remember(names, place, index);
    return index;
}

static ocelotl_status find_container_type(uint32_t *id, const paje_names *names, paje_field text)
{
    *id = OCELOTL_ROOT;
    if (is_root(text))
        return OCELOTL_OK;
    const uint32_t index = find_handle(&names->type_of_alias, &names->type_of_name, text);
    if (index == OC_MAP_NONE)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "unknown container type \"%s\", expected one defined before", text.text);
    if (!names->types[index].is_container)
        return oc_fail(OCELOTL_ERROR_INPUT, "\"%s\" is a type of events, expected a container type",
                       text.text);
    *id = names->types[index].id;
    return OCELOTL_OK;
}

static ocelotl_status add_type(paje_names *names, paje_field alias, paje_field name, paje_type type)
{
    const size_t index = names->type_count;
    OC_TRY(oc_grow(&names->types, &names->type_capacity, index + 1, sizeof *names->types));
    names->types[index] = type;
    OC_TRY(oc_copy_text(&names->types[index].name, name.text));
    names->type_count++;
    names->generation++;
    return register_handle(&names->type_of_alias, &names->type_of_name, alias, name,
                           (uint32_t)index);
}

static ocelotl_status check_new_type(const paje_names *names, paje_field alias, paje_field name)
{
    const paje_field key = handle(alias, name);
    if (is_root(key))
        return oc_fail(OCELOTL_ERROR_INPUT, "a type called \"0\", which is reserved for the root");
    if (oc_map_get(&names->type_of_alias, key.text, key.length) != OC_MAP_NONE)
        return oc_fail(OCELOTL_ERROR_INPUT, "type \"%s\" is defined twice, expected each once",
                       key.text);
    return OCELOTL_OK;
}

ocelotl_status paje_names_container_type(paje_names *names, paje_field alias, paje_field name,
                                         paje_field parent)
{
    uint32_t parent_id;
    uint32_t id;
    OC_TRY(check_new_type(names, alias, name));
    OC_TRY(find_container_type(&parent_id, names, parent));
    OC_TRY(ocelotl_writer_resource_type(&id, names->writer, parent_id, name.text));
    return add_type(names, alias, name,
                    (paje_type){.is_container = true, .id = id, .key_attribute = OCELOTL_NONE});
}

ocelotl_status paje_names_event_type(paje_names *names, ocelotl_category category, paje_field alias,
                                     paje_field name, paje_field parent, int32_t colour)
{
    uint32_t parent_id;
    uint32_t id;
    OC_TRY(check_new_type(names, alias, name));
    OC_TRY(find_container_type(&parent_id, names, parent));
    OC_TRY(ocelotl_writer_event_type(&id, names->writer, category, parent_id, name.text, colour));
    return add_type(names, alias, name,
                    (paje_type){.category = category, .id = id, .key_attribute = OCELOTL_NONE});
}

ocelotl_status paje_names_find_event_type(uint32_t *type, paje_names *names,
                                          ocelotl_category category, paje_field text)
{
    static const char *const categories[] = {"event", "state", "variable", "link"};
    *type = find_often(names, PAJE_SCOPE_TYPE, &names->type_of_alias, &names->type_of_name, text);
    if (*type == OC_MAP_NONE)
        return oc_fail(OCELOTL_ERROR_INPUT, "unknown %s type \"%s\", expected one defined before",
                       categories[category], text.text);
    if (names->types[*type].is_container || names->types[*type].category != category)
        return oc_fail(OCELOTL_ERROR_INPUT, "\"%s\" is a %s type, expected a %s type", text.text,
                       names->types[*type].is_container ? "container"
                                                        : categories[names->types[*type].category],
                       categories[category]);
    return OCELOTL_OK;
}

void paje_names_replace(paje_names *names, uint32_t container)
{
    if (container == 0 || names->containers[container].replaced)
        return;
    for (uint32_t c = container; c != PAJE_NOWHERE; c = paje_nest_next(&names->named, container, c))
        names->containers[c].replaced = true;
    paje_nest_take_out(&names->named, container);
}

static ocelotl_status add_nested(paje_names *names, uint32_t parent)
{
    OC_TRY(paje_nest_add(&names->named, parent));
    return paje_nest_add(&names->living, parent);
}

ocelotl_status paje_names_container(uint32_t *container, paje_names *names, paje_field alias,
                                    paje_field name, paje_field type, paje_field parent,
                                    int64_t begin)
{
    const paje_field key = handle(alias, name);
    uint32_t type_id;
    uint32_t parent_index;
    uint32_t parent_id = OCELOTL_ROOT;
    if (is_root(key))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "a container called \"0\", which is reserved for the root");
    const uint32_t known = oc_map_get(&names->container_of_alias, key.text, key.length);
    if (known != OC_MAP_NONE && !names->containers[known].replaced)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "container \"%s\" is created twice, expected its end between", key.text);
    OC_TRY(find_container_type(&type_id, names, type));
    OC_TRY(paje_names_find_container(&parent_index, names, parent));
    if (parent_index != 0)
        OC_TRY(paje_names_resource(&parent_id, names, parent_index, begin));
    const size_t index = names->container_count;
    OC_TRY(oc_grow(&names->containers, &names->container_capacity, index + 1,
                   sizeof *names->containers));
    names->containers[index] = (paje_container){0};
    OC_TRY(ocelotl_writer_resource(&names->containers[index].id, names->writer, type_id, parent_id,
                                   name.text, begin));
    OC_TRY(add_nested(names, parent_index));
    OC_TRY(oc_copy_text(&names->containers[index].name, name.text)); /* freed from here on */
    *container = (uint32_t)names->container_count++;
    names->generation++;
    /* A name that stood for a container whose end has been read stands for the new one. */
    const uint32_t named = oc_map_get(&names->container_of_name, name.text, name.length);
    if (named != OC_MAP_NONE && names->containers[named].replaced)
        OC_TRY(oc_map_set(&names->container_of_name, name.text, name.length, *container));
    return register_handle(&names->container_of_alias, &names->container_of_name, alias, name,
                           *container);
}

ocelotl_status paje_names_find_container(uint32_t *container, paje_names *names, paje_field text)
{
    *container = 0;
    if (is_root(text))
        return OCELOTL_OK;
    *container = find_often(names, PAJE_SCOPE_CONTAINER, &names->container_of_alias,
                            &names->container_of_name, text);
    if (*container == OC_MAP_NONE)
        return oc_fail(OCELOTL_ERROR_INPUT, "unknown container \"%s\", expected one created before",
                       text.text);
    return OCELOTL_OK;
}

/* Names live within a type: the type's number goes before. */
static ocelotl_status scoped(paje_names *names, uint32_t type, const char *name, size_t length)
{
    oc_text_clear(&names->key);
    oc_text_append(&names->key, (const char *)&type, sizeof type);
    oc_text_append(&names->key, name, length);
    return names->key.failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status set_scoped(oc_map *map, paje_names *names, uint32_t type, paje_field text,
                                 uint32_t value)
{
    OC_TRY(scoped(names, type, text.text, text.length));
    names->generation++;
    return oc_map_set(map, names->key.bytes, names->key.length, value);
}

static ocelotl_status get_scoped(uint32_t *value, const oc_map *map, paje_names *names,
                                 uint32_t type, paje_field text)
{
    OC_TRY(scoped(names, type, text.text, text.length));
    *value = oc_map_get(map, names->key.bytes, names->key.length);
    return OCELOTL_OK;
}

ocelotl_status paje_names_value(bool *known, paje_names *names, paje_field type_text,
                                paje_field alias, paje_field name, int32_t colour)
{
    const uint32_t type = find_handle(&names->type_of_alias, &names->type_of_name, type_text);
    uint32_t value;
    if (type == OC_MAP_NONE || names->types[type].is_container)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "unknown type \"%s\" of a value, expected a type of events defined before",
                       type_text.text);
    OC_TRY(get_scoped(&value, &names->value_of, names, type, handle(alias, name)));
    *known = value != OC_MAP_NONE;
    if (*known)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_value(&value, names->writer, names->types[type].id, name.text, colour));
    OC_TRY(set_scoped(&names->value_of, names, type, handle(alias, name), value));
    uint32_t named;
    OC_TRY(get_scoped(&named, &names->value_of, names, type, name));
    return named != OC_MAP_NONE ? OCELOTL_OK
                                : set_scoped(&names->value_of, names, type, name, value);
}

ocelotl_status paje_names_known_value(uint32_t *value, paje_names *names, uint32_t type,
                                      paje_field text)
{
    bool known;
    paje_remembered *place = recall(&known, names, PAJE_SCOPE_VALUES + type, text);
    if (known) {
        *value = place->index;
        return OCELOTL_OK;
    }
    OC_TRY(get_scoped(value, &names->value_of, names, type, text));
    remember(names, place, *value);
    return OCELOTL_OK;
}

ocelotl_status paje_names_find_value(uint32_t *value, paje_names *names, uint32_t type,
                                     paje_field text)
{
    OC_TRY(paje_names_known_value(value, names, type, text));
    if (*value != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_value(value, names->writer, names->types[type].id, text.text, -1));
    return set_scoped(&names->value_of, names, type, text, *value);
}

ocelotl_status paje_names_known_attribute(uint32_t *attribute, paje_names *names, uint32_t type,
                                          const char *name)
{
    return get_scoped(attribute, &names->attribute_of, names, type,
                      (paje_field){name, strlen(name)});
}

ocelotl_status paje_names_find_attribute(uint32_t *attribute, paje_names *names, uint32_t type,
                                         const char *name)
{
    const paje_field text = {name, strlen(name)};
    OC_TRY(paje_names_known_attribute(attribute, names, type, name));
    if (*attribute != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_attribute(attribute, names->writer, names->types[type].id, name));
    return set_scoped(&names->attribute_of, names, type, text, *attribute);
}

ocelotl_status paje_names_resource(uint32_t *resource, paje_names *names, uint32_t container,
                                   int64_t time)
{
    paje_container *found = &names->containers[container];
    if (container == 0 && found->id == OCELOTL_ROOT) {
        uint32_t type;
        OC_TRY(ocelotl_writer_resource_type(&type, names->writer, OCELOTL_ROOT, "0"));
        OC_TRY(ocelotl_writer_resource(&found->id, names->writer, type, OCELOTL_ROOT, "0", time));
    }
    *resource = found->id;
    return OCELOTL_OK;
}

ocelotl_status paje_names_stream(uint32_t *stream, paje_names *names, uint32_t container,
                                 uint32_t type, ocelotl_role role, int64_t time, bool make)
{
    uint32_t resource;
    *stream = paje_names_route(names, container, type, role);
    if (*stream != OCELOTL_NONE)
        return OCELOTL_OK;
    OC_TRY(paje_names_resource(&resource, names, container, time));
    const uint32_t event_type = names->types[type].id;
    *stream = ocelotl_writer_known_stream(names->writer, resource, event_type, role);
    if (*stream == OCELOTL_NONE && make)
        OC_TRY(ocelotl_writer_stream(stream, names->writer, resource, event_type, role));
    if (*stream != OCELOTL_NONE)
        names->containers[container].routes[role] = (paje_route){type + 1, *stream};
    return OCELOTL_OK;
}
