#include "importers/paje/apply.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

ocelotl_status paje_stacks_begin(paje_stacks *stacks, const char *root)
{
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

/* The streams of the next events are loaded into the processor's cache in steps: what leads from
 * one place to the next comes earlier. With many resources that is a seventh of the time. */
enum { FIND_RESOURCE = 12, FIND_STREAM = 8, FIND_END = 4, AHEAD = 16 };

/* Looks ahead of an event that at least FIND_RESOURCE others follow. `streams` holds the streams of
 * the next ones, by number modulo AHEAD. */
static inline void look_ahead(uint32_t *streams, const paje_stacks *stacks,
                              const paje_event *events, size_t number)
{
    const paje_resources *resources = &stacks->resources;
    const paje_event *later = &events[number + FIND_STREAM];
    __builtin_prefetch(&resources->all[paje_event_place(&events[number + FIND_RESOURCE])]);
    const uint32_t stream = paje_resources_route(resources, paje_event_place(later), later->type,
                                                 (ocelotl_role)roles[later->kind]);
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
