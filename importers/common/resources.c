#include "importers/common/resources.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

void oc_nest_free(oc_nest *nest)
{
    free(nest->nested);
    *nest = (oc_nest){0};
}

/* The next one around that is not out. Those on the way point nearer to it afterwards. */
static uint32_t find_around(oc_nest *nest, uint32_t around)
{
    oc_nested *nested = nest->nested;
    while (nested[around].is_out) {
        const uint32_t next = nested[around].around;
        if (nested[next].is_out)
            nested[around].around = nested[next].around;
        around = next;
    }
    return around;
}

ocelotl_status oc_nest_add(oc_nest *nest, uint32_t around)
{
    OC_TRY(oc_grow(&nest->nested, &nest->capacity, nest->count + 1, sizeof *nest->nested));
    const uint32_t added = (uint32_t)nest->count++;
    oc_nested *place = &nest->nested[added];
    *place = (oc_nested){OC_NOWHERE, OC_NOWHERE, OC_NOWHERE, OC_NOWHERE, OC_NOWHERE, false};
    if (around == OC_NOWHERE)
        return OCELOTL_OK;
    place->around = find_around(nest, around);
    oc_nested *outer = &nest->nested[place->around];
    place->before = outer->last;
    if (outer->last == OC_NOWHERE)
        outer->first = added;
    else
        nest->nested[outer->last].behind = added;
    outer->last = added;
    return OCELOTL_OK;
}

uint32_t oc_nest_next(const oc_nest *nest, uint32_t top, uint32_t number)
{
    const oc_nested *nested = nest->nested;
    if (nested[number].first != OC_NOWHERE)
        return nested[number].first;
    while (number != top && nested[number].behind == OC_NOWHERE)
        number = nested[number].around;
    return number == top ? OC_NOWHERE : nested[number].behind;
}

void oc_nest_take_out(oc_nest *nest, uint32_t number)
{
    oc_nested *place = &nest->nested[number];
    if (place->is_out || place->around == OC_NOWHERE)
        return;
    for (uint32_t n = number; n != OC_NOWHERE; n = oc_nest_next(nest, number, n))
        nest->nested[n].is_out = true;
    oc_nested *outer = &nest->nested[place->around];
    if (place->before == OC_NOWHERE)
        outer->first = place->behind;
    else
        nest->nested[place->before].behind = place->behind;
    if (place->behind == OC_NOWHERE)
        outer->last = place->before;
    else
        nest->nested[place->behind].before = place->before;
    place->first = place->last = place->before = place->behind = OC_NOWHERE;
}

ocelotl_status oc_resources_begin(oc_resources *resources, const char *root)
{
    OC_TRY(oc_grow(&resources->all, &resources->capacity, 1, sizeof *resources->all));
    OC_TRY(oc_grow(&resources->names, &resources->name_capacity, 1, sizeof *resources->names));
    resources->all[0] = (oc_import_resource){.id = OCELOTL_ROOT, .is_root = true, .owners = 1};
    OC_TRY(oc_copy_text(&resources->names[0], root)); /* freed from here on */
    resources->count = 1;
    return oc_nest_add(&resources->living, OC_NOWHERE);
}

void oc_resources_free(oc_resources *resources)
{
    for (size_t i = 0; i < resources->count; i++)
        free(resources->names[i]);
    free(resources->names);
    free(resources->all);
    oc_nest_free(&resources->living);
}

ocelotl_status oc_resources_add(uint32_t *index, oc_resources *resources, uint32_t type,
                                uint32_t parent, const char *name, int64_t begin)
{
    const size_t count = resources->count;
    uint32_t parent_id = OCELOTL_ROOT;
    if (parent != 0)
        OC_TRY(oc_resources_id(&parent_id, resources, parent, begin));
    OC_TRY(oc_grow(&resources->all, &resources->capacity, count + 1, sizeof *resources->all));
    OC_TRY(
        oc_grow(&resources->names, &resources->name_capacity, count + 1, sizeof *resources->names));
    oc_import_resource *added = &resources->all[count];
    *added = (oc_import_resource){.owners = 1};
    OC_TRY(ocelotl_writer_resource(&added->id, resources->writer, type, parent_id, name, begin));
    OC_TRY(oc_nest_add(&resources->living, parent));
    OC_TRY(oc_copy_text(&resources->names[count], name)); /* freed from here on */
    *index = (uint32_t)resources->count++;
    return OCELOTL_OK;
}

ocelotl_status oc_resources_id(uint32_t *id, oc_resources *resources, uint32_t resource,
                               int64_t time)
{
    oc_import_resource *found = &resources->all[resource];
    if (resource == 0 && found->id == OCELOTL_ROOT) {
        uint32_t type;
        const char *name = resources->names[0];
        OC_TRY(ocelotl_writer_resource_type(&type, resources->writer, OCELOTL_ROOT, name));
        OC_TRY(
            ocelotl_writer_resource(&found->id, resources->writer, type, OCELOTL_ROOT, name, time));
    }
    *id = found->id;
    return OCELOTL_OK;
}

ocelotl_status oc_resources_find_stream(uint32_t *stream, oc_resources *resources,
                                        uint32_t resource, uint32_t event_type, ocelotl_role role,
                                        int64_t time, bool make)
{
    uint32_t id;
    OC_TRY(oc_resources_id(&id, resources, resource, time));
    *stream = ocelotl_writer_known_stream(resources->writer, id, event_type, role);
    if (*stream == OCELOTL_NONE && make)
        OC_TRY(ocelotl_writer_stream(stream, resources->writer, id, event_type, role));
    if (*stream != OCELOTL_NONE)
        resources->all[resource].routes[role] = (oc_route){event_type + 1, *stream};
    return OCELOTL_OK;
}

static ocelotl_status end_one(const oc_resources *resources, uint32_t index, uint32_t ended,
                              int64_t time)
{
    oc_import_resource *resource = &resources->all[index];
    if (resource->ended)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_resource_end(resources->writer, resource->id, time));
    resource->ended = true;
    resource->ended_within = index != ended;
    resource->end = time;
    return OCELOTL_OK;
}

ocelotl_status oc_resources_end(oc_resources *resources, uint32_t resource, int64_t time)
{
    ocelotl_status failure = OCELOTL_OK;
    char message[1024];
    if (resources->all[resource].is_root)
        return OCELOTL_OK;
    for (uint32_t r = resource; r != OC_NOWHERE;
         r = oc_nest_next(&resources->living, resource, r)) {
        const ocelotl_status status = end_one(resources, r, resource, time);
        if (status == OCELOTL_OK || failure != OCELOTL_OK)
            continue;
        failure = status;
        snprintf(message, sizeof message, "%s", ocelotl_error_message());
    }
    oc_nest_take_out(&resources->living, resource);
    return failure == OCELOTL_OK ? OCELOTL_OK : oc_fail(failure, "%s", message);
}
