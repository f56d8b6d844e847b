/* The containers of Paje traces: what aliases and names stand for, from creation to destruction. */
#include "importers/paje/names.h"

#include "base/memory.h"

#include <string.h>

static ocelotl_status add_container(uint32_t *index, paje_names *names, uint32_t around,
                                    const paje_container *container)
{
    OC_TRY(oc_grow(&names->containers, &names->container_capacity, names->container_count + 1,
                   sizeof *names->containers));
    OC_TRY(oc_nest_add(&names->named, around));
    *index = (uint32_t)names->container_count++;
    names->containers[*index] = *container;
    return OCELOTL_OK;
}

ocelotl_status paje_scope_begin(paje_scope *scope, paje_names *names, uint32_t root,
                                uint32_t root_type)
{
    scope->root = root;
    scope->root_type = root_type;
    return add_container(&scope->root_container, names, OC_NOWHERE,
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
    for (uint32_t c = *container; c != OC_NOWHERE; c = oc_nest_next(&names->named, *container, c))
        names->containers[c].replaced = true;
    if (!names->several)
        oc_nest_take_out(&names->named, *container);
    return OCELOTL_OK;
}

uint32_t paje_names_next_end(uint32_t *next, paje_names *names, uint32_t container)
{
    oc_import_resource *all = names->resources->all;
    const uint32_t top = names->containers[container].resource;
    while (*next != OC_NOWHERE) {
        const uint32_t index = names->containers[*next].resource;
        const bool is_last = all[index].owners == 0 || --all[index].owners == 0;
        *next = oc_nest_next(&names->named, container, *next);
        /* What is inside one that ends, ends with it. */
        if (is_last && (index == top || all[top].owners > 0))
            return index;
    }
    oc_nest_take_out(&names->named, container);
    return OC_NOWHERE;
}

/* The next of a path's resources that this file has not created, and that is alive. */
static ocelotl_status take_resource(uint32_t *resource, const paje_names *names,
                                    const paje_scope *scope, const paje_container *container,
                                    paje_field name)
{
    do
        OC_TRY(paje_take_shared(resource, names, scope, OC_NAME_RESOURCE, container->parent,
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
    OC_TRY(oc_resources_add(resource, names->resources, container->type, container->parent,
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
    *known = OC_NOWHERE;
    if (paje_is_root(key))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "a container called \"0\", which is reserved for the root");
    const uint32_t index = oc_map_get(&where->scope->container_of_alias, key.text, key.length);
    if (index == OC_MAP_NONE || names->containers[index].replaced)
        return OCELOTL_OK;
    paje_container *found = &names->containers[index];
    oc_import_resource *resource = &names->resources->all[found->resource];
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
    if (*resource != OC_NOWHERE)
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
