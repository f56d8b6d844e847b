#include "importers/paje/apply.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
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

static ocelotl_status change_variable(paje_stacks *stacks, const paje_applied *one)
{
    const paje_event *event = one->event;
    const uint32_t key[2] = {event->type, event->resource};
    uint32_t stream;
    size_t index = oc_map_get(&stacks->variable_of, key, sizeof key);
    if (index == OC_MAP_NONE) {
        index = stacks->value_count;
        OC_TRY(
            oc_grow(&stacks->values, &stacks->value_capacity, index + 1, sizeof *stacks->values));
        OC_TRY(oc_map_set(&stacks->variable_of, key, sizeof key, (uint32_t)index));
        stacks->values[stacks->value_count++] = 0;
        if (event->kind != PAJE_SET_VARIABLE)
            note(stacks, OC_CHANGE_OF_NOTHING, one);
    }
    double *value = &stacks->values[index];
    if (event->kind == PAJE_SET_VARIABLE)
        *value = event->number;
    else
        *value += event->kind == PAJE_ADD_VARIABLE ? event->number : -event->number;
    if (!(fabs(*value) <= OCELOTL_LARGEST_VALUE))
        return oc_fail(OCELOTL_ERROR_INPUT, "value is %g, expected a finite number up to %g",
                       *value, OCELOTL_LARGEST_VALUE);
    OC_TRY(paje_resources_stream(&stream, &stacks->resources, one, true));
    return ocelotl_writer_stream_variable(stacks->resources.writer, stream, event->time, *value,
                                          one->attributes, event->attribute_count);
}

/* A set state replaces whatever is open, pushed or not; a reset only ends it. */
static ocelotl_status change_state(paje_stacks *stacks, const paje_applied *one)
{
    const paje_event *event = one->event;
    ocelotl_writer *writer = stacks->resources.writer;
    const bool begins = event->kind == PAJE_SET_STATE || event->kind == PAJE_PUSH_STATE;
    uint32_t stream;
    ocelotl_status status = OCELOTL_ERROR_ARGUMENT;
    OC_TRY(paje_resources_stream(&stream, &stacks->resources, one, begins));
    if (event->kind == PAJE_SET_STATE || event->kind == PAJE_RESET_STATE)
        while (ocelotl_writer_stream_open_states(writer, stream) > 0)
            OC_TRY(ocelotl_writer_stream_pop(writer, stream, event->time, NULL, 0));
    if (begins)
        return ocelotl_writer_stream_push(writer, stream, event->value, event->time,
                                          one->attributes, event->attribute_count);
    if (event->kind == PAJE_RESET_STATE)
        return OCELOTL_OK;
    if (stream != OCELOTL_NONE)
        status = ocelotl_writer_stream_pop(writer, stream, event->time, one->attributes,
                                           event->attribute_count);
    if (status != OCELOTL_ERROR_ARGUMENT || ocelotl_writer_stream_open_states(writer, stream) > 0)
        return status;
    note(stacks, OC_POP_OF_NOTHING, one);
    return OCELOTL_OK;
}

static ocelotl_status apply(paje_stacks *stacks, const paje_applied *one)
{
    const paje_event *event = one->event;
    paje_resource *resource = &stacks->resources.all[paje_event_place(event)];
    uint32_t stream;
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
        OC_TRY(paje_resources_stream(&stream, &stacks->resources, one, true));
        return ocelotl_writer_stream_event(stacks->resources.writer, stream, event->value,
                                           event->time, one->attributes, event->attribute_count);
    default:
        return change_variable(stacks, one);
    }
}

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
                                                 (ocelotl_role)paje_roles[later->kind]);
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

ocelotl_status paje_stacks_finish(paje_stacks *stacks)
{
    uint64_t *counts = stacks->oddities->counts;
    const ocelotl_writer *writer = stacks->resources.writer;
    OC_TRY(paje_links_finish(&stacks->links, &stacks->resources, &counts[OC_LINK_WITHOUT_END],
                             &counts[OC_LINK_WITHOUT_START]));
    counts[OC_LINK_REVERSED] = stacks->links.reversed;
    for (uint32_t s = 0; s < ocelotl_writer_stream_count(writer); s++)
        counts[OC_STATE_OPEN] += ocelotl_writer_stream_open_states(writer, s);
    return OCELOTL_OK;
}
