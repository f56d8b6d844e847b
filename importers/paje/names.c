#include "importers/paje/names.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void paje_shared_names_free(paje_shared_names *names)
{
    for (size_t i = 0; i < names->group_count; i++)
        free(names->groups[i].ids);
    free(names->groups);
    oc_map_free(&names->group_of);
    oc_map_free(&names->taken);
    oc_text_free(&names->key);
}

static ocelotl_status find_group(uint32_t *group, paje_shared_names *names,
                                 const paje_shared_name *name)
{
    const uint32_t where[3] = {(uint32_t)name->kind, name->place, name->other};
    oc_text *key = &names->key;
    oc_text_clear(key);
    oc_text_append(key, (const char *)where, sizeof where);
    oc_text_append(key, name->text, name->length);
    if (key->failed)
        return oc_fail_memory();
    *group = oc_map_get(&names->group_of, key->bytes, key->length);
    if (*group != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&names->groups, &names->group_capacity, names->group_count + 1,
                   sizeof *names->groups));
    *group = (uint32_t)names->group_count;
    OC_TRY(oc_map_set(&names->group_of, key->bytes, key->length, *group));
    names->groups[names->group_count++] = (paje_namesakes){0};
    return OCELOTL_OK;
}

/* Another one of the group is the file's. */
static ocelotl_status take_one(uint32_t *before, paje_shared_names *names)
{
    const uint32_t key[2] = {names->last, names->file};
    const uint32_t taken = oc_map_get(&names->taken, key, sizeof key);
    *before = taken == OC_MAP_NONE ? 0 : taken;
    return oc_map_set(&names->taken, key, sizeof key, *before + 1);
}

ocelotl_status paje_shared_names_take(uint32_t *id, paje_shared_names *names, uint32_t file,
                                      const paje_shared_name *name)
{
    uint32_t place;
    OC_TRY(find_group(&names->last, names, name));
    names->file = file;
    OC_TRY(take_one(&place, names));
    const paje_namesakes *group = &names->groups[names->last];
    *id = place < group->count ? group->ids[place] : OC_MAP_NONE;
    return OCELOTL_OK;
}

ocelotl_status paje_shared_names_add(paje_shared_names *names, uint32_t id)
{
    paje_namesakes *group = &names->groups[names->last];
    OC_TRY(oc_grow(&group->ids, &group->capacity, group->count + 1, sizeof *group->ids));
    group->ids[group->count++] = id;
    return OCELOTL_OK;
}

/* The one reserved word of the language: the root of types and of containers. */
bool paje_is_root(paje_field text)
{
    return text.length == 1 && text.text[0] == '0';
}

void paje_names_free(paje_names *names)
{
    for (size_t i = 0; i < names->type_count; i++)
        free(names->types[i].name);
    free(names->types);
    free(names->containers);
    free(names->value_files);
    paje_nest_free(&names->named);
    oc_map_free(&names->value_of);
    oc_map_free(&names->attribute_of);
    oc_text_free(&names->key);
}

void paje_scope_free(paje_scope *scope)
{
    oc_map_free(&scope->type_of_alias);
    oc_map_free(&scope->type_of_name);
    oc_map_free(&scope->container_of_alias);
    oc_map_free(&scope->container_of_name);
}

/* Returns what others refer to: the alias, or the name if it has none. */
paje_field paje_handle(paje_field alias, paje_field name)
{
    return alias.length > 0 ? alias : name;
}

/* Aliases and names are looked up apart, so that a name never hides an alias. What an alias or a
 * name stood for before may be something else now. */
ocelotl_status paje_register(paje_names *names, oc_map *by_alias, oc_map *by_name, paje_field alias,
                             paje_field name, uint32_t index)
{
    const paje_field key = paje_handle(alias, name);
    names->generation++;
    if (paje_find_handle(by_alias, by_name, key) != OC_MAP_NONE)
        names->meaning++;
    OC_TRY(oc_map_set(by_alias, key.text, key.length, index));
    if (alias.length == 0 || oc_map_get(by_name, name.text, name.length) != OC_MAP_NONE)
        return OCELOTL_OK;
    return oc_map_set(by_name, name.text, name.length, index);
}

uint32_t paje_find_handle(const oc_map *by_alias, const oc_map *by_name, paje_field text)
{
    const uint32_t found = oc_map_get(by_alias, text.text, text.length);
    return found != OC_MAP_NONE ? found : oc_map_get(by_name, text.text, text.length);
}

static uint32_t find_type(const paje_scope *scope, paje_field text)
{
    return paje_find_handle(&scope->type_of_alias, &scope->type_of_name, text);
}

ocelotl_status paje_find_container_type(uint32_t *id, const paje_names *names,
                                        const paje_scope *scope, paje_field text)
{
    *id = scope->root_type;
    if (paje_is_root(text))
        return OCELOTL_OK;
    const uint32_t index = find_type(scope, text);
    if (index == OC_MAP_NONE)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "unknown container type \"%s\", expected one defined before", text.text);
    if (!names->types[index].is_container)
        return oc_fail(OCELOTL_ERROR_INPUT, "\"%s\" is a type of events, expected a container type",
                       text.text);
    *id = names->types[index].id;
    return OCELOTL_OK;
}

static ocelotl_status add_type(paje_names *names, paje_scope *scope, const paje_declared *declared,
                               const paje_type *type)
{
    const size_t index = names->type_count;
    OC_TRY(oc_grow(&names->types, &names->type_capacity, index + 1, sizeof *names->types));
    names->types[index] = *type;
    OC_TRY(oc_copy_text(&names->types[index].name, declared->name.text));
    names->type_count++;
    return paje_register(names, &scope->type_of_alias, &scope->type_of_name, declared->alias,
                         declared->name, (uint32_t)index);
}

/* Another file of the scope may have declared the same: then *known. */
static ocelotl_status check_new_type(bool *known, const paje_names *names, const paje_where *where,
                                     const paje_declared *declared, const paje_type *type)
{
    const paje_field key = paje_handle(declared->alias, declared->name);
    uint32_t parent = 0;
    *known = false;
    if (paje_is_root(key))
        return oc_fail(OCELOTL_ERROR_INPUT, "a type called \"0\", which is reserved for the root");
    const uint32_t index = oc_map_get(&where->scope->type_of_alias, key.text, key.length);
    if (index == OC_MAP_NONE)
        return OCELOTL_OK;
    paje_type *found = &names->types[index];
    *known = found->file != where->file && found->is_container == type->is_container &&
             found->category == type->category && strcmp(found->name, declared->name.text) == 0 &&
             paje_find_container_type(&parent, names, where->scope, declared->type) == OCELOTL_OK &&
             found->parent == parent;
    if (!*known)
        return oc_fail(OCELOTL_ERROR_INPUT, "type \"%s\" is defined twice, expected each once",
                       key.text);
    found->file = where->file;
    return OCELOTL_OK;
}

/* Takes the next id of a name in several scopes that this scope has not taken. */
ocelotl_status paje_take_shared(uint32_t *id, const paje_names *names, const paje_scope *scope,
                                paje_name_kind kind, uint32_t place, uint32_t other,
                                paje_field text)
{
    const paje_shared_name name = {kind, place, other, text.text, text.length};
    *id = OC_MAP_NONE;
    return names->shared == NULL ? OCELOTL_OK
                                 : paje_shared_names_take(id, names->shared, scope->number, &name);
}

ocelotl_status paje_share(const paje_names *names, uint32_t id)
{
    return names->shared == NULL ? OCELOTL_OK : paje_shared_names_add(names->shared, id);
}

ocelotl_status paje_names_container_type(paje_names *names, const paje_where *where,
                                         const paje_declared *declared)
{
    paje_type type = {.is_container = true, .file = where->file};
    bool known;
    OC_TRY(check_new_type(&known, names, where, declared, &type));
    if (known)
        return OCELOTL_OK;
    OC_TRY(paje_find_container_type(&type.parent, names, where->scope, declared->type));
    OC_TRY(paje_take_shared(&type.id, names, where->scope, PAJE_NAMED_RESOURCE_TYPE, type.parent, 0,
                            declared->name));
    if (type.id == OC_MAP_NONE) {
        OC_TRY(ocelotl_writer_resource_type(&type.id, names->resources->writer, type.parent,
                                            declared->name.text));
        OC_TRY(paje_share(names, type.id));
    }
    return add_type(names, where->scope, declared, &type);
}

ocelotl_status paje_names_event_type(paje_names *names, const paje_where *where,
                                     ocelotl_category category, const paje_declared *declared)
{
    paje_type type = {.category = category, .file = where->file};
    bool known;
    OC_TRY(check_new_type(&known, names, where, declared, &type));
    if (known)
        return OCELOTL_OK;
    OC_TRY(paje_find_container_type(&type.parent, names, where->scope, declared->type));
    OC_TRY(paje_take_shared(&type.id, names, where->scope, PAJE_NAMED_EVENT_TYPE, type.parent,
                            (uint32_t)category, declared->name));
    if (type.id == OC_MAP_NONE) {
        OC_TRY(ocelotl_writer_event_type(&type.id, names->resources->writer, category, type.parent,
                                         declared->name.text, declared->colour));
        OC_TRY(paje_share(names, type.id));
    }
    return add_type(names, where->scope, declared, &type);
}

uint32_t paje_names_known_event_type(const paje_scope *scope, paje_field text)
{
    return find_type(scope, text);
}

ocelotl_status paje_names_find_event_type(uint32_t *type, const paje_names *names,
                                          const paje_scope *scope, ocelotl_category category,
                                          paje_field text)
{
    static const char *const categories[] = {"event", "state", "variable", "link"};
    *type = find_type(scope, text);
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

/* Names live within a type: the type's number goes before. */
static ocelotl_status scoped(oc_text *key, uint32_t type, const char *name, size_t length)
{
    oc_text_clear(key);
    oc_text_append(key, (const char *)&type, sizeof type);
    oc_text_append(key, name, length);
    return key->failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status set_scoped(oc_map *map, paje_names *names, uint32_t type, paje_field text,
                                 uint32_t value)
{
    OC_TRY(scoped(&names->key, type, text.text, text.length));
    names->generation++;
    return oc_map_set(map, names->key.bytes, names->key.length, value);
}

static ocelotl_status get_scoped(uint32_t *value, const oc_map *map, oc_text *key, uint32_t type,
                                 paje_field text)
{
    OC_TRY(scoped(key, type, text.text, text.length));
    *value = oc_map_get(map, key->bytes, key->length);
    return OCELOTL_OK;
}

/* A value of the writer that stands for a name; new, or another scope's. */
static ocelotl_status make_value(uint32_t *value, paje_names *names, const paje_where *where,
                                 uint32_t type, paje_field name, int32_t colour)
{
    const uint32_t id = names->types[type].id;
    OC_TRY(paje_take_shared(value, names, where->scope, PAJE_NAMED_VALUE, id, 0, name));
    if (*value == OC_MAP_NONE) {
        OC_TRY(ocelotl_writer_value(value, names->resources->writer, id, name.text, colour));
        OC_TRY(paje_share(names, *value));
    }
    if (*value >= names->value_count) {
        OC_TRY(oc_grow(&names->value_files, &names->value_capacity, (size_t)*value + 1,
                       sizeof *names->value_files));
        names->value_count = (size_t)*value + 1;
    }
    names->value_files[*value] = where->file;
    return OCELOTL_OK;
}

ocelotl_status paje_names_value(bool *again, paje_names *names, const paje_where *where,
                                const paje_declared *declared)
{
    const uint32_t type = find_type(where->scope, declared->type);
    const paje_field key = paje_handle(declared->alias, declared->name);
    uint32_t value;
    *again = false;
    if (type == OC_MAP_NONE || names->types[type].is_container)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "unknown type \"%s\" of a value, expected a type of events defined before",
                       declared->type.text);
    OC_TRY(get_scoped(&value, &names->value_of, &names->key, type, key));
    if (value != OC_MAP_NONE) {
        *again = names->value_files[value] == where->file;
        names->value_files[value] = where->file;
        return OCELOTL_OK;
    }
    OC_TRY(make_value(&value, names, where, type, declared->name, declared->colour));
    OC_TRY(set_scoped(&names->value_of, names, type, key, value));
    uint32_t named;
    OC_TRY(get_scoped(&named, &names->value_of, &names->key, type, declared->name));
    return named != OC_MAP_NONE ? OCELOTL_OK
                                : set_scoped(&names->value_of, names, type, declared->name, value);
}

ocelotl_status paje_names_known_value(uint32_t *value, const paje_names *names, oc_text *key,
                                      uint32_t type, paje_field text)
{
    return get_scoped(value, &names->value_of, key, type, text);
}

ocelotl_status paje_names_find_value(uint32_t *value, paje_names *names, const paje_where *where,
                                     uint32_t type, paje_field text)
{
    OC_TRY(paje_names_known_value(value, names, &names->key, type, text));
    if (*value != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(make_value(value, names, where, type, text, -1));
    return set_scoped(&names->value_of, names, type, text, *value);
}

ocelotl_status paje_names_known_attribute(uint32_t *attribute, const paje_names *names,
                                          oc_text *key, uint32_t type, const char *name)
{
    return get_scoped(attribute, &names->attribute_of, key, type, (paje_field){name, strlen(name)});
}

ocelotl_status paje_names_find_attribute(uint32_t *attribute, paje_names *names, uint32_t type,
                                         const char *name)
{
    const paje_field text = {name, strlen(name)};
    OC_TRY(paje_names_known_attribute(attribute, names, &names->key, type, name));
    if (*attribute != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_attribute(attribute, names->resources->writer, type, name));
    return set_scoped(&names->attribute_of, names, type, text, *attribute);
}

/* The containers of Paje traces: what aliases and names stand for, from creation to destruction. */

static ocelotl_status add_container(uint32_t *index, paje_names *names, uint32_t around,
                                    const paje_container *container)
{
    OC_TRY(oc_grow(&names->containers, &names->container_capacity, names->container_count + 1,
                   sizeof *names->containers));
    OC_TRY(paje_nest_add(&names->named, around));
    *index = (uint32_t)names->container_count++;
    names->containers[*index] = *container;
    return OCELOTL_OK;
}

ocelotl_status paje_scope_begin(paje_scope *scope, paje_names *names, uint32_t root,
                                uint32_t root_type)
{
    scope->root = root;
    scope->root_type = root_type;
    return add_container(&scope->root_container, names, PAJE_NOWHERE,
                         &(paje_container){.resource = root});
}

static uint32_t find_container(const paje_scope *scope, paje_field text)
{
    return paje_is_root(text)
               ? scope->root_container
               : paje_find_handle(&scope->container_of_alias, &scope->container_of_name, text);
}

static ocelotl_status fail_container(paje_field text)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "unknown container \"%s\", expected one created before",
                   text.text);
}

uint32_t paje_names_known_container(const paje_names *names, const paje_scope *scope,
                                    paje_field text)
{
    const uint32_t container = find_container(scope, text);
    return container == OC_MAP_NONE ? OC_MAP_NONE : names->containers[container].resource;
}

ocelotl_status paje_names_find_container(uint32_t *resource, const paje_names *names,
                                         const paje_scope *scope, paje_field text)
{
    *resource = scope->root;
    if (paje_is_root(text))
        return OCELOTL_OK;
    const uint32_t container = find_container(scope, text);
    if (container == OC_MAP_NONE)
        return fail_container(text);
    *resource = names->containers[container].resource;
    return OCELOTL_OK;
}

ocelotl_status paje_names_end_container(uint32_t *container, paje_names *names,
                                        const paje_scope *scope, paje_field text)
{
    *container = find_container(scope, text);
    if (*container == OC_MAP_NONE)
        return fail_container(text);
    if (*container == scope->root_container || names->containers[*container].replaced)
        return OCELOTL_OK;
    for (uint32_t c = *container; c != PAJE_NOWHERE;
         c = paje_nest_next(&names->named, *container, c))
        names->containers[c].replaced = true;
    if (!names->several)
        paje_nest_take_out(&names->named, *container);
    return OCELOTL_OK;
}

uint32_t paje_names_next_end(uint32_t *next, paje_names *names, uint32_t container)
{
    paje_resource *all = names->resources->all;
    const uint32_t top = names->containers[container].resource;
    while (*next != PAJE_NOWHERE) {
        const uint32_t index = names->containers[*next].resource;
        const bool is_last = all[index].owners == 0 || --all[index].owners == 0;
        *next = paje_nest_next(&names->named, container, *next);
        /* What is inside one that ends, ends with it. */
        if (is_last && (index == top || all[top].owners > 0))
            return index;
    }
    paje_nest_take_out(&names->named, container);
    return PAJE_NOWHERE;
}

/* The next of a path's resources that this file has not created, and that is alive. */
static ocelotl_status take_resource(uint32_t *resource, const paje_names *names,
                                    const paje_scope *scope, const paje_container *container,
                                    paje_field name)
{
    do
        OC_TRY(paje_take_shared(resource, names, scope, PAJE_NAMED_RESOURCE, container->parent,
                                container->type, name));
    while (*resource != OC_MAP_NONE && names->resources->all[*resource].owners == 0);
    return OCELOTL_OK;
}

static ocelotl_status make_resource(uint32_t *resource, const paje_names *names,
                                    const paje_scope *scope, const paje_container *container,
                                    paje_field name, int64_t begin)
{
    OC_TRY(take_resource(resource, names, scope, container, name));
    if (*resource != OC_MAP_NONE) {
        names->resources->all[*resource].owners++;
        return OCELOTL_OK;
    }
    OC_TRY(paje_resources_add(resource, names->resources, container->type, container->parent,
                              name.text, begin));
    return paje_share(names, *resource);
}

/* Finds the container around a new one, and the new one's type. */
static ocelotl_status find_place(uint32_t *around, paje_container *container,
                                 const paje_names *names, const paje_scope *scope,
                                 const paje_declared *declared)
{
    OC_TRY(paje_find_container_type(&container->type, names, scope, declared->type));
    *around = find_container(scope, declared->container);
    if (*around == OC_MAP_NONE)
        return fail_container(declared->container);
    container->parent = names->containers[*around].resource;
    return OCELOTL_OK;
}

/* Another file of the scope may have created the same: then *known is what it is. */
static ocelotl_status check_new_container(uint32_t *known, const paje_names *names,
                                          const paje_where *where, const paje_declared *declared)
{
    const paje_field key = paje_handle(declared->alias, declared->name);
    paje_container place = {0};
    uint32_t around;
    *known = PAJE_NOWHERE;
    if (paje_is_root(key))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "a container called \"0\", which is reserved for the root");
    const uint32_t index = oc_map_get(&where->scope->container_of_alias, key.text, key.length);
    if (index == OC_MAP_NONE || names->containers[index].replaced)
        return OCELOTL_OK;
    paje_container *found = &names->containers[index];
    paje_resource *resource = &names->resources->all[found->resource];
    if (found->file == where->file ||
        strcmp(names->resources->names[found->resource], declared->name.text) != 0 ||
        find_place(&around, &place, names, where->scope, declared) != OCELOTL_OK ||
        found->type != place.type || found->parent != place.parent)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "container \"%s\" is created twice, expected its end between", key.text);
    found->file = where->file;
    resource->owners++;
    *known = found->resource;
    return OCELOTL_OK;
}

ocelotl_status paje_names_container(uint32_t *resource, paje_names *names, const paje_where *where,
                                    const paje_declared *declared, int64_t begin)
{
    paje_scope *scope = where->scope;
    paje_container container = {.file = where->file};
    const paje_field name = declared->name;
    uint32_t around;
    uint32_t index;
    OC_TRY(check_new_container(resource, names, where, declared));
    if (*resource != PAJE_NOWHERE)
        return OCELOTL_OK;
    OC_TRY(find_place(&around, &container, names, scope, declared));
    OC_TRY(make_resource(&container.resource, names, scope, &container, name, begin));
    OC_TRY(add_container(&index, names, around, &container));
    *resource = container.resource;
    /* A name that stood for a container whose end has been read stands for the new one. */
    const uint32_t named = oc_map_get(&scope->container_of_name, name.text, name.length);
    if (named != OC_MAP_NONE && names->containers[named].replaced)
        names->meaning++;
    if (named != OC_MAP_NONE && names->containers[named].replaced)
        OC_TRY(oc_map_set(&scope->container_of_name, name.text, name.length, index));
    return paje_register(names, &scope->container_of_alias, &scope->container_of_name,
                         declared->alias, name, index);
}
