#include "importers/paje/apply.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void paje_nest_free(paje_nest *nest)
{
    free(nest->nested);
    *nest = (paje_nest){0};
}

/* The next one around that is not out. Those on the way point nearer to it afterwards. */
static uint32_t find_around(paje_nest *nest, uint32_t around)
{
    paje_nested *nested = nest->nested;
    while (nested[around].is_out) {
        const uint32_t next = nested[around].around;
        if (nested[next].is_out)
            nested[around].around = nested[next].around;
        around = next;
    }
    return around;
}

ocelotl_status paje_nest_add(paje_nest *nest, uint32_t around)
{
    OC_TRY(oc_grow(&nest->nested, &nest->capacity, nest->count + 1, sizeof *nest->nested));
    const uint32_t added = (uint32_t)nest->count++;
    paje_nested *place = &nest->nested[added];
    *place =
        (paje_nested){PAJE_NOWHERE, PAJE_NOWHERE, PAJE_NOWHERE, PAJE_NOWHERE, PAJE_NOWHERE, false};
    if (around == PAJE_NOWHERE)
        return OCELOTL_OK;
    place->around = find_around(nest, around);
    paje_nested *outer = &nest->nested[place->around];
    place->before = outer->last;
    if (outer->last == PAJE_NOWHERE)
        outer->first = added;
    else
        nest->nested[outer->last].behind = added;
    outer->last = added;
    return OCELOTL_OK;
}

uint32_t paje_nest_next(const paje_nest *nest, uint32_t top, uint32_t number)
{
    const paje_nested *nested = nest->nested;
    if (nested[number].first != PAJE_NOWHERE)
        return nested[number].first;
    while (number != top && nested[number].behind == PAJE_NOWHERE)
        number = nested[number].around;
    return number == top ? PAJE_NOWHERE : nested[number].behind;
}

void paje_nest_take_out(paje_nest *nest, uint32_t number)
{
    paje_nested *place = &nest->nested[number];
    if (place->is_out || place->around == PAJE_NOWHERE)
        return;
    for (uint32_t n = number; n != PAJE_NOWHERE; n = paje_nest_next(nest, number, n))
        nest->nested[n].is_out = true;
    paje_nested *outer = &nest->nested[place->around];
    if (place->before == PAJE_NOWHERE)
        outer->first = place->behind;
    else
        nest->nested[place->before].behind = place->behind;
    if (place->behind == PAJE_NOWHERE)
        outer->last = place->before;
    else
        nest->nested[place->behind].before = place->before;
    place->first = place->last = place->before = place->behind = PAJE_NOWHERE;
}

ocelotl_status paje_resources_begin(paje_resources *resources, const char *root)
{
    OC_TRY(oc_grow(&resources->all, &resources->capacity, 1, sizeof *resources->all));
    OC_TRY(oc_grow(&resources->names, &resources->name_capacity, 1, sizeof *resources->names));
    resources->all[0] = (paje_resource){.id = OCELOTL_ROOT, .is_root = true, .owners = 1};
    OC_TRY(oc_copy_text(&resources->names[0], root)); /* freed from here on */
    resources->count = 1;
    return paje_nest_add(&resources->living, PAJE_NOWHERE);
}

void paje_resources_free(paje_resources *resources)
{
    for (size_t i = 0; i < resources->count; i++)
        free(resources->names[i]);
    free(resources->names);
    free(resources->all);
    paje_nest_free(&resources->living);
}

ocelotl_status paje_resources_add(uint32_t *index, paje_resources *resources, uint32_t type,
                                  uint32_t parent, const char *name, int64_t begin)
{
    const size_t count = resources->count;
    uint32_t parent_id = OCELOTL_ROOT;
    if (parent != 0)
        OC_TRY(paje_resources_id(&parent_id, resources, parent, begin));
    OC_TRY(oc_grow(&resources->all, &resources->capacity, count + 1, sizeof *resources->all));
    OC_TRY(
        oc_grow(&resources->names, &resources->name_capacity, count + 1, sizeof *resources->names));
    paje_resource *added = &resources->all[count];
    *added = (paje_resource){.owners = 1};
    OC_TRY(ocelotl_writer_resource(&added->id, resources->writer, type, parent_id, name, begin));
    OC_TRY(paje_nest_add(&resources->living, parent));
    OC_TRY(oc_copy_text(&resources->names[count], name)); /* freed from here on */
    *index = (uint32_t)resources->count++;
    return OCELOTL_OK;
}

ocelotl_status paje_resources_id(uint32_t *id, paje_resources *resources, uint32_t resource,
                                 int64_t time)
{
    paje_resource *found = &resources->all[resource];
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

ocelotl_status paje_resources_find_stream(uint32_t *stream, paje_resources *resources,
                                          uint32_t resource, uint32_t event_type, ocelotl_role role,
                                          int64_t time, bool make)
{
    uint32_t id;
    OC_TRY(paje_resources_id(&id, resources, resource, time));
    *stream = ocelotl_writer_known_stream(resources->writer, id, event_type, role);
    if (*stream == OCELOTL_NONE && make)
        OC_TRY(ocelotl_writer_stream(stream, resources->writer, id, event_type, role));
    if (*stream != OCELOTL_NONE)
        resources->all[resource].routes[role] = (paje_route){event_type + 1, *stream};
    return OCELOTL_OK;
}

static ocelotl_status end_one(const paje_resources *resources, uint32_t index, uint32_t ended,
                              int64_t time)
{
    paje_resource *resource = &resources->all[index];
    if (resource->ended)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_resource_end(resources->writer, resource->id, time));
    resource->ended = true;
    resource->ended_within = index != ended;
    resource->end = time;
    return OCELOTL_OK;
}

ocelotl_status paje_resources_end(paje_resources *resources, uint32_t resource, int64_t time)
{
    ocelotl_status failure = OCELOTL_OK;
    char message[1024];
    if (resources->all[resource].is_root)
        return OCELOTL_OK;
    for (uint32_t r = resource; r != PAJE_NOWHERE;
         r = paje_nest_next(&resources->living, resource, r)) {
        const ocelotl_status status = end_one(resources, r, resource, time);
        if (status == OCELOTL_OK || failure != OCELOTL_OK)
            continue;
        failure = status;
        snprintf(message, sizeof message, "%s", ocelotl_error_message());
    }
    paje_nest_take_out(&resources->living, resource);
    return failure == OCELOTL_OK ? OCELOTL_OK : oc_fail(failure, "%s", message);
}

ocelotl_status paje_stacks_begin(paje_stacks *stacks, const char *root)
{
    stacks->links.free_half = OC_MAP_NONE;
    stacks->links.hash_key = oc_hash_key_draw();
    return paje_resources_begin(&stacks->resources, root);
}

void paje_stacks_free(paje_stacks *stacks)
{
    paje_resources_free(&stacks->resources);
    paje_links_free(&stacks->links);
    oc_map_free(&stacks->variable_of);
    free(stacks->values);
}

static void note(const paje_stacks *stacks, oc_oddity oddity, const paje_applied *one)
{
    oc_oddities_note(stacks->oddities, oddity, stacks->files[one->event->file], one->line);
}

/* Finds the stream of an event, which may be known already; OCELOTL_NONE if none exists and `make`
 * is false. */
static inline ocelotl_status find_stream(uint32_t *stream, paje_stacks *stacks,
                                         const paje_applied *one, ocelotl_role role, bool make)
{
    const paje_event *event = one->event;
    *stream = one->stream;
    return *stream != OCELOTL_NONE
               ? OCELOTL_OK
               : paje_resources_stream(stream, &stacks->resources, event->resource, event->type,
                                       role, event->time, make);
}

static ocelotl_status push(paje_stacks *stacks, const paje_applied *one, uint32_t stream)
{
    return ocelotl_writer_stream_push(stacks->resources.writer, stream, one->event->value,
                                      one->event->time, one->attributes,
                                      one->event->attribute_count);
}

/* A set state replaces whatever is open, pushed or not; a reset only ends it. */
static ocelotl_status end_all(const paje_stacks *stacks, const paje_event *event, uint32_t stream)
{
    ocelotl_writer *writer = stacks->resources.writer;
    while (ocelotl_writer_stream_open_states(writer, stream) > 0)
        OC_TRY(ocelotl_writer_stream_pop(writer, stream, event->time, NULL, 0));
    return OCELOTL_OK;
}

static ocelotl_status pop(paje_stacks *stacks, const paje_applied *one, uint32_t stream)
{
    ocelotl_writer *writer = stacks->resources.writer;
    const ocelotl_status status =
        stream == OCELOTL_NONE
            ? OCELOTL_ERROR_ARGUMENT
            : ocelotl_writer_stream_pop(writer, stream, one->event->time, one->attributes,
                                        one->event->attribute_count);
    if (status != OCELOTL_ERROR_ARGUMENT || ocelotl_writer_stream_open_states(writer, stream) > 0)
        return status;
    note(stacks, OC_POP_OF_NOTHING, one);
    return OCELOTL_OK;
}

static ocelotl_status change_state(paje_stacks *stacks, const paje_applied *one)
{
    uint32_t stream;
    const paje_event *event = one->event;
    const bool begins = event->kind == PAJE_SET_STATE || event->kind == PAJE_PUSH_STATE;
    OC_TRY(find_stream(&stream, stacks, one, OCELOTL_ROLE_STATES, begins));
    if (event->kind == PAJE_SET_STATE || event->kind == PAJE_RESET_STATE)
        OC_TRY(end_all(stacks, event, stream));
    if (event->kind == PAJE_POP_STATE)
        return pop(stacks, one, stream);
    return begins ? push(stacks, one, stream) : OCELOTL_OK;
}

static ocelotl_status find_variable(uint32_t *index, bool *known, paje_stacks *stacks,
                                    const paje_event *event)
{
    const uint32_t key[2] = {event->type, event->resource};
    *index = oc_map_get(&stacks->variable_of, key, sizeof key);
    *known = *index != OC_MAP_NONE;
    if (*known)
        return OCELOTL_OK;
    *index = (uint32_t)stacks->value_count;
    OC_TRY(oc_grow(&stacks->values, &stacks->value_capacity, (size_t)*index + 1,
                   sizeof *stacks->values));
    OC_TRY(oc_map_set(&stacks->variable_of, key, sizeof key, *index));
    stacks->values[stacks->value_count++] = 0;
    return OCELOTL_OK;
}

static ocelotl_status change_variable(paje_stacks *stacks, const paje_applied *one)
{
    const paje_event *event = one->event;
    uint32_t index;
    uint32_t stream;
    bool known;
    OC_TRY(find_variable(&index, &known, stacks, event));
    double *value = &stacks->values[index];
    if (!known && event->kind != PAJE_SET_VARIABLE)
        note(stacks, OC_CHANGE_OF_NOTHING, one);
    if (event->kind == PAJE_SET_VARIABLE)
        *value = event->number;
    else
        *value += event->kind == PAJE_ADD_VARIABLE ? event->number : -event->number;
    if (!(fabs(*value) <= OCELOTL_LARGEST_VALUE))
        return oc_fail(OCELOTL_ERROR_INPUT, "value is %g, expected a finite number up to %g",
                       *value, OCELOTL_LARGEST_VALUE);
    OC_TRY(find_stream(&stream, stacks, one, OCELOTL_ROLE_VARIABLE, true));
    return ocelotl_writer_stream_variable(stacks->resources.writer, stream, event->time, *value,
                                          one->attributes, event->attribute_count);
}

static ocelotl_status add_instant(paje_stacks *stacks, const paje_applied *one)
{
    const paje_event *event = one->event;
    uint32_t stream;
    OC_TRY(find_stream(&stream, stacks, one, OCELOTL_ROLE_EVENTS, true));
    return ocelotl_writer_stream_event(stacks->resources.writer, stream, event->value, event->time,
                                       one->attributes, event->attribute_count);
}

static ocelotl_status apply(paje_stacks *stacks, const paje_applied *one)
{
    const paje_event *event = one->event;
    paje_resource *resource = &stacks->resources.all[paje_event_place(event)];
    if (event->kind == PAJE_DESTROY_CONTAINER && resource->ended_within) {
        resource->ended_within = false;
        return OCELOTL_OK;
    }
    if (resource->ended && (event->time > resource->end || event->kind == PAJE_DESTROY_CONTAINER))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "container \"%s\" has been destroyed, expected nothing to happen there",
                       stacks->resources.names[paje_event_place(event)]);
    switch ((paje_kind)event->kind) {
    case PAJE_START_LINK:
    case PAJE_END_LINK:
        return paje_links_add(&stacks->links, &stacks->resources, one);
    case PAJE_DESTROY_CONTAINER:
        return paje_resources_end(&stacks->resources, event->resource, event->time);
    case PAJE_SET_STATE:
    case PAJE_PUSH_STATE:
    case PAJE_POP_STATE:
    case PAJE_RESET_STATE:
        return change_state(stacks, one);
    case PAJE_NEW_EVENT:
        return add_instant(stacks, one);
    default:
        return change_variable(stacks, one);
    }
}

static const uint8_t roles[] = {
    [PAJE_NEW_EVENT] = OCELOTL_ROLE_EVENTS,      [PAJE_SET_STATE] = OCELOTL_ROLE_STATES,
    [PAJE_PUSH_STATE] = OCELOTL_ROLE_STATES,     [PAJE_POP_STATE] = OCELOTL_ROLE_STATES,
    [PAJE_RESET_STATE] = OCELOTL_ROLE_STATES,    [PAJE_SET_VARIABLE] = OCELOTL_ROLE_VARIABLE,
    [PAJE_ADD_VARIABLE] = OCELOTL_ROLE_VARIABLE, [PAJE_SUB_VARIABLE] = OCELOTL_ROLE_VARIABLE,
    [PAJE_START_LINK] = OCELOTL_ROLE_LINKS_OUT,  [PAJE_END_LINK] = OCELOTL_ROLE_LINKS_IN,
};

/* What is needed to apply an event is loaded into the processor's cache before, in steps: what
 * leads from one place to the next comes earlier. */
enum { FIND_RESOURCE = 12, FIND_STREAM = 8, FIND_HALF = 6, FIND_END = 4, AHEAD = 16 };

/* Looks ahead of an event that at least FIND_RESOURCE others follow. `streams` holds the streams of
 * the next ones, by number modulo AHEAD. */
static inline void look_ahead(uint32_t *streams, const paje_stacks *stacks,
                              const paje_event *events, size_t number)
{
    const paje_resources *resources = &stacks->resources;
    const paje_event *first = &events[number + FIND_RESOURCE];
    const paje_event *second = &events[number + FIND_STREAM];
    const paje_event *third = &events[number + FIND_HALF];
    __builtin_prefetch(&resources->all[paje_event_place(first)]);
    if (first->kind >= PAJE_START_LINK)
        paje_links_expect_slot(&stacks->links, first);
    if (third->kind >= PAJE_START_LINK)
        paje_links_expect_half(&stacks->links, third);
    const uint32_t stream = paje_resources_route(resources, paje_event_place(second), second->type,
                                                 (ocelotl_role)roles[second->kind]);
    streams[(number + FIND_STREAM) % AHEAD] = stream;
    ocelotl_writer_expect(resources->writer, stream, streams[(number + FIND_END) % AHEAD]);
}

ocelotl_status paje_stacks_apply(size_t *next, paje_stacks *stacks, const paje_block *block,
                                 size_t to)
{
    uint32_t streams[AHEAD];
    for (size_t i = 0; i < AHEAD; i++)
        streams[i] = OCELOTL_NONE;
    for (; *next < to; ++*next) {
        const paje_event *event = &block->events[*next];
        const paje_applied one = {event, paje_block_attributes(block, event),
                                  block->first_line + event->line, streams[*next % AHEAD]};
        streams[*next % AHEAD] = OCELOTL_NONE;
        if (to - *next > FIND_RESOURCE)
            look_ahead(streams, stacks, block->events, *next);
        const ocelotl_status status = apply(stacks, &one);
        if (status != OCELOTL_OK) /* what the writer takes for a wrong argument is wrong there */
            return status == OCELOTL_ERROR_ARGUMENT ? OCELOTL_ERROR_INPUT : status;
    }
    return OCELOTL_OK;
}

bool paje_stacks_refine(paje_stacks *stacks, uint64_t factor)
{
    const paje_resources *resources = &stacks->resources;
    bool fits = true;
    for (size_t i = 0; i < resources->count; i++)
        fits = oc_multiply_time(&resources->all[i].end, resources->all[i].end, factor) && fits;
    return paje_links_refine(&stacks->links, factor) && fits;
}

static uint64_t count_open_states(const paje_stacks *stacks)
{
    const ocelotl_writer *writer = stacks->resources.writer;
    uint64_t open = 0;
    for (uint32_t s = 0; s < ocelotl_writer_stream_count(writer); s++)
        open += ocelotl_writer_stream_open_states(writer, s);
    return open;
}

ocelotl_status paje_stacks_finish(paje_stacks *stacks)
{
    uint64_t *counts = stacks->oddities->counts;
    OC_TRY(paje_links_finish(&stacks->links, &stacks->resources, &counts[OC_LINK_WITHOUT_END],
                             &counts[OC_LINK_WITHOUT_START]));
    counts[OC_LINK_REVERSED] = stacks->links.reversed;
    counts[OC_STATE_OPEN] = count_open_states(stacks);
    return OCELOTL_OK;
}
