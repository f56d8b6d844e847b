#include "importers/paje/names.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What names are of: each kind has names of its own. */
typedef enum name_kind { OF_RESOURCE_TYPE, OF_EVENT_TYPE, OF_VALUE, OF_RESOURCE } name_kind;

/* A name in its place: of a kind, with two numbers that say where (a parent, a category). */
typedef struct placed_name {
    name_kind kind;
    uint32_t place, other;
    paje_field text;
} placed_name;

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
    oc_map_free(&names->taken);
    oc_map_free(&names->nth);
    oc_text_free(&names->key);
}

void paje_scope_free(paje_scope *scope)
{
    oc_map_free(&scope->types.by_alias);
    oc_map_free(&scope->types.by_name);
    oc_map_free(&scope->containers.by_alias);
    oc_map_free(&scope->containers.by_name);
}

/* The one reserved word of the language: the root of types and of containers. */
static bool is_root(paje_field text)
{
    return text.length == 1 && text.text[0] == '0';
}

/* What others refer to: the alias, or the name if it has none. */
static paje_field handle_of(const paje_declared *declared)
{
    return declared->alias.length > 0 ? declared->alias : declared->name;
}

static uint32_t find_handle(const paje_handles *handles, paje_field text)
{
    const uint32_t found = oc_map_get(&handles->by_alias, text.text, text.length);
    return found != OC_MAP_NONE ? found : oc_map_get(&handles->by_name, text.text, text.length);
}

/* What an alias or a name stood for before may be something else now. */
static ocelotl_status add_handle(paje_names *names, paje_handles *handles,
                                 const paje_declared *declared, uint32_t index)
{
    const paje_field key = handle_of(declared);
    const paje_field name = declared->name;
    names->generation++;
    if (find_handle(handles, key) != OC_MAP_NONE)
        names->meaning++;
    OC_TRY(oc_map_set(&handles->by_alias, key.text, key.length, index));
    if (declared->alias.length == 0 ||
        oc_map_get(&handles->by_name, name.text, name.length) != OC_MAP_NONE)
        return OCELOTL_OK;
    return oc_map_set(&handles->by_name, name.text, name.length, index);
}

/* A key of numbers and a text behind them. */
static bool make_key(oc_text *key, const uint32_t *numbers, size_t count, paje_field text)
{
    oc_text_clear(key);
    oc_text_append(key, (const char *)numbers, count * sizeof *numbers);
    oc_text_append(key, text.text, text.length);
    return !key->failed;
}

static uint32_t get_scoped(const oc_map *map, oc_text *key, uint32_t type, paje_field text)
{
    return make_key(key, &type, 1, text) ? oc_map_get(map, key->bytes, key->length) : OC_MAP_NONE;
}

/* Names live within a type. */
static ocelotl_status set_scoped(oc_map *map, paje_names *names, uint32_t type, paje_field text,
                                 uint32_t value)
{
    names->generation++;
    return make_key(&names->key, &type, 1, text)
               ? oc_map_set(map, names->key.bytes, names->key.length, value)
               : oc_fail_memory();
}

/* How many of a name the scope has taken, and the next, which another scope may have made:
 * OC_MAP_NONE where it is to be made and shared. */
static ocelotl_status find_next(uint32_t *count, uint32_t *id, paje_names *names,
                                const paje_scope *scope, const placed_name *name)
{
    uint32_t numbers[4] = {scope->number, (uint32_t)name->kind, name->place, name->other};
    oc_text *key = &names->key;
    if (!make_key(key, numbers, 4, name->text))
        return oc_fail_memory();
    *count = oc_map_get(&names->taken, key->bytes, key->length);
    if (*count == OC_MAP_NONE)
        *count = 0;
    memcpy(key->bytes, count, sizeof *count);
    *id = oc_map_get(&names->nth, key->bytes, key->length);
    return OCELOTL_OK;
}

/* Takes the next of a name; `id`, where it is not OC_MAP_NONE, has been made for it. */
static ocelotl_status take(uint32_t *id, paje_names *names, const paje_scope *scope,
                           const placed_name *name)
{
    uint32_t count;
    uint32_t known;
    oc_text *key = &names->key;
    if (!names->is_shared)
        return OCELOTL_OK;
    OC_TRY(find_next(&count, &known, names, scope, name));
    if (known == OC_MAP_NONE && *id == OC_MAP_NONE)
        return OCELOTL_OK;
    if (known == OC_MAP_NONE)
        OC_TRY(oc_map_set(&names->nth, key->bytes, key->length, *id));
    *id = known == OC_MAP_NONE ? *id : known;
    memcpy(key->bytes, &scope->number, sizeof scope->number);
    return oc_map_set(&names->taken, key->bytes, key->length, count + 1);
}

/* --- Types, values, attributes */

static ocelotl_status find_container_type(uint32_t *id, const paje_names *names,
                                          const paje_scope *scope, paje_field text)
{
    *id = scope->root_type;
    if (is_root(text))
        return OCELOTL_OK;
    const uint32_t index = find_handle(&scope->types, text);
    if (index == OC_MAP_NONE)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "unknown container type \"%s\", expected one defined before", text.text);
    if (!names->types[index].is_container)
        return oc_fail(OCELOTL_ERROR_INPUT, "\"%s\" is a type of events, expected a container type",
                       text.text);
    *id = names->types[index].id;
    return OCELOTL_OK;
}

/* Another file of the scope may have declared the same: then *known. */
static ocelotl_status check_new_type(bool *known, const paje_names *names, const paje_where *where,
                                     const paje_declared *declared)
{
    const paje_field key = handle_of(declared);
    uint32_t parent = 0;
    *known = false;
    if (is_root(key))
        return oc_fail(OCELOTL_ERROR_INPUT, "a type called \"0\", which is reserved for the root");
    const uint32_t index = oc_map_get(&where->scope->types.by_alias, key.text, key.length);
    if (index == OC_MAP_NONE)
        return OCELOTL_OK;
    paje_type *found = &names->types[index];
    *known = found->file != where->file && found->is_container == declared->is_container &&
             found->category == declared->category &&
             strcmp(found->name, declared->name.text) == 0 &&
             find_container_type(&parent, names, where->scope, declared->type) == OCELOTL_OK &&
             found->parent == parent;
    if (!*known)
        return oc_fail(OCELOTL_ERROR_INPUT, "type \"%s\" is defined twice, expected each once",
                       key.text);
    found->file = where->file;
    return OCELOTL_OK;
}

ocelotl_status paje_names_type(paje_names *names, const paje_where *where,
                               const paje_declared *declared)
{
    ocelotl_writer *writer = names->resources->writer;
    const char *name = declared->name.text;
    const size_t index = names->type_count;
    paje_type type = {.is_container = declared->is_container,
                      .category = declared->category,
                      .id = OC_MAP_NONE,
                      .file = where->file};
    bool known;
    OC_TRY(check_new_type(&known, names, where, declared));
    if (known)
        return OCELOTL_OK;
    OC_TRY(find_container_type(&type.parent, names, where->scope, declared->type));
    const placed_name placed = {type.is_container ? OF_RESOURCE_TYPE : OF_EVENT_TYPE, type.parent,
                                (uint32_t)type.category, declared->name};
    OC_TRY(take(&type.id, names, where->scope, &placed));
    if (type.id == OC_MAP_NONE) {
        OC_TRY(type.is_container ? ocelotl_writer_resource_type(&type.id, writer, type.parent, name)
                                 : ocelotl_writer_event_type(&type.id, writer, type.category,
                                                             type.parent, name, declared->colour));
        OC_TRY(take(&type.id, names, where->scope, &placed));
    }
    OC_TRY(oc_grow(&names->types, &names->type_capacity, index + 1, sizeof *names->types));
    OC_TRY(oc_copy_text(&type.name, name));
    names->types[index] = type;
    names->type_count++;
    return add_handle(names, &where->scope->types, declared, (uint32_t)index);
}

uint32_t paje_names_known_type(const paje_scope *scope, paje_field text)
{
    return find_handle(&scope->types, text);
}

ocelotl_status paje_names_fail_type(const paje_names *names, const paje_scope *scope,
                                    ocelotl_category category, paje_field text)
{
    static const char *const categories[] = {"event", "state", "variable", "link"};
    const uint32_t type = find_handle(&scope->types, text);
    if (type == OC_MAP_NONE)
        return oc_fail(OCELOTL_ERROR_INPUT, "unknown %s type \"%s\", expected one defined before",
                       categories[category], text.text);
    return oc_fail(OCELOTL_ERROR_INPUT, "\"%s\" is a %s type, expected a %s type", text.text,
                   names->types[type].is_container ? "container"
                                                   : categories[names->types[type].category],
                   categories[category]);
}

/* A value of the writer that stands for a name; new, or another scope's. */
static ocelotl_status make_value(uint32_t *value, paje_names *names, const paje_where *where,
                                 uint32_t type, paje_field name, int32_t colour)
{
    const placed_name placed = {OF_VALUE, names->types[type].id, 0, name};
    *value = OC_MAP_NONE;
    OC_TRY(take(value, names, where->scope, &placed));
    if (*value == OC_MAP_NONE) {
        OC_TRY(
            ocelotl_writer_value(value, names->resources->writer, placed.place, name.text, colour));
        OC_TRY(take(value, names, where->scope, &placed));
    }
    OC_TRY(oc_grow(&names->value_files, &names->value_capacity, (size_t)*value + 1,
                   sizeof *names->value_files));
    names->value_files[*value] = where->file;
    return OCELOTL_OK;
}

ocelotl_status paje_names_value(bool *again, paje_names *names, const paje_where *where,
                                const paje_declared *declared)
{
    const uint32_t type = find_handle(&where->scope->types, declared->type);
    const paje_field key = handle_of(declared);
    *again = false;
    if (type == OC_MAP_NONE || names->types[type].is_container)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "unknown type \"%s\" of a value, expected a type of events defined before",
                       declared->type.text);
    uint32_t value = get_scoped(&names->value_of, &names->key, type, key);
    if (names->key.failed)
        return oc_fail_memory();
    if (value != OC_MAP_NONE) {
        *again = names->value_files[value] == where->file;
        names->value_files[value] = where->file;
        return OCELOTL_OK;
    }
    OC_TRY(make_value(&value, names, where, type, declared->name, declared->colour));
    OC_TRY(set_scoped(&names->value_of, names, type, key, value));
    return get_scoped(&names->value_of, &names->key, type, declared->name) != OC_MAP_NONE
               ? OCELOTL_OK
               : set_scoped(&names->value_of, names, type, declared->name, value);
}

uint32_t paje_names_known_value(const paje_names *names, oc_text *key, uint32_t type,
                                paje_field text)
{
    return get_scoped(&names->value_of, key, type, text);
}

ocelotl_status paje_names_use_value(paje_names *names, const paje_where *where, uint32_t type,
                                    paje_field text)
{
    uint32_t value = get_scoped(&names->value_of, &names->key, type, text);
    if (value != OC_MAP_NONE)
        return OCELOTL_OK;
    if (names->key.failed)
        return oc_fail_memory();
    OC_TRY(make_value(&value, names, where, type, text, -1));
    return set_scoped(&names->value_of, names, type, text, value);
}

uint32_t paje_names_known_attribute(const paje_names *names, oc_text *key, uint32_t type,
                                    const char *name)
{
    return get_scoped(&names->attribute_of, key, type, (paje_field){name, strlen(name)});
}

ocelotl_status paje_names_use_attribute(paje_names *names, uint32_t type, const char *name)
{
    const paje_field text = {name, strlen(name)};
    uint32_t attribute = get_scoped(&names->attribute_of, &names->key, type, text);
    if (attribute != OC_MAP_NONE)
        return OCELOTL_OK;
    if (names->key.failed)
        return oc_fail_memory();
    OC_TRY(ocelotl_writer_attribute(&attribute, names->resources->writer, type, name));
    return set_scoped(&names->attribute_of, names, type, text, attribute);
}

/* --- Containers: what aliases and names stand for, from creation to destruction */

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
    return is_root(text) ? scope->root_container : find_handle(&scope->containers, text);
}

ocelotl_status paje_names_fail_container(paje_field text)
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

ocelotl_status paje_names_end_container(uint32_t *container, paje_names *names,
                                        const paje_scope *scope, paje_field text)
{
    *container = find_container(scope, text);
    if (*container == OC_MAP_NONE)
        return paje_names_fail_container(text);
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

/* Finds the container around a new one, and the new one's type. */
static ocelotl_status find_place(uint32_t *around, paje_container *container,
                                 const paje_names *names, const paje_scope *scope,
                                 const paje_declared *declared)
{
    OC_TRY(find_container_type(&container->type, names, scope, declared->type));
    *around = find_container(scope, declared->container);
    if (*around == OC_MAP_NONE)
        return paje_names_fail_container(declared->container);
    container->parent = names->containers[*around].resource;
    return OCELOTL_OK;
}

/* Another file of the scope may have created the same: then *known is what it is. */
static ocelotl_status check_new_container(uint32_t *known, const paje_names *names,
                                          const paje_where *where, const paje_declared *declared)
{
    const paje_field key = handle_of(declared);
    paje_container place = {0};
    uint32_t around;
    *known = PAJE_NOWHERE;
    if (is_root(key))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "a container called \"0\", which is reserved for the root");
    const uint32_t index = oc_map_get(&where->scope->containers.by_alias, key.text, key.length);
    if (index == OC_MAP_NONE || names->containers[index].replaced)
        return OCELOTL_OK;
    paje_container *found = &names->containers[index];
    if (found->file == where->file ||
        strcmp(names->resources->names[found->resource], declared->name.text) != 0 ||
        find_place(&around, &place, names, where->scope, declared) != OCELOTL_OK ||
        found->type != place.type || found->parent != place.parent)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "container \"%s\" is created twice, expected its end between", key.text);
    found->file = where->file;
    names->resources->all[found->resource].owners++;
    *known = found->resource;
    return OCELOTL_OK;
}

ocelotl_status paje_names_container(uint32_t *resource, paje_names *names, const paje_where *where,
                                    const paje_declared *declared, int64_t begin)
{
    paje_scope *scope = where->scope;
    oc_map *by_name = &scope->containers.by_name;
    paje_container container = {.file = where->file};
    const paje_field name = declared->name;
    uint32_t around;
    uint32_t index;
    OC_TRY(check_new_container(resource, names, where, declared));
    if (*resource != PAJE_NOWHERE)
        return OCELOTL_OK;
    OC_TRY(find_place(&around, &container, names, scope, declared));
    /* The next of a path's resources that this file has not created, and that is alive. */
    const placed_name placed = {OF_RESOURCE, container.parent, container.type, name};
    do {
        container.resource = OC_MAP_NONE;
        OC_TRY(take(&container.resource, names, scope, &placed));
    } while (container.resource != OC_MAP_NONE &&
             names->resources->all[container.resource].owners == 0);
    if (container.resource != OC_MAP_NONE) {
        names->resources->all[container.resource].owners++;
    } else {
        OC_TRY(paje_resources_add(&container.resource, names->resources, container.type,
                                  container.parent, name.text, begin));
        OC_TRY(take(&container.resource, names, scope, &placed));
    }
    OC_TRY(add_container(&index, names, around, &container));
    *resource = container.resource;
    /* A name that stood for a container whose end has been read stands for the new one. */
    const uint32_t named = oc_map_get(by_name, name.text, name.length);
    if (named != OC_MAP_NONE && names->containers[named].replaced) {
        names->meaning++;
        OC_TRY(oc_map_set(by_name, name.text, name.length, index));
    }
    return add_handle(names, &scope->containers, declared, index);
}
