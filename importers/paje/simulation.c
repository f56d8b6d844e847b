#include "importers/paje/simulation.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void paje_simulation_free(paje_simulation *simulation)
{
    paje_names_free(&simulation->names);
    paje_links_free(&simulation->links);
    oc_map_free(&simulation->variable_of);
    oc_oddities_free(&simulation->oddities);
    free(simulation->values);
}

void paje_simulation_note(paje_simulation *simulation, paje_oddity oddity, uint64_t line)
{
    oc_oddities_note(&simulation->oddities, oddity, simulation->source, line);
}

/* The stream where an event happens; OCELOTL_NONE where there is none and it need not be made. */
static ocelotl_status find_stream(uint32_t *stream, paje_simulation *simulation,
                                  const paje_event *event, ocelotl_role role, bool make)
{
    *stream = event->stream;
    if (*stream != OCELOTL_NONE)
        return OCELOTL_OK;
    return paje_names_stream(stream, &simulation->names, event->container, event->type, role,
                             event->time, make);
}

static ocelotl_status push(paje_simulation *simulation, const paje_event *event, uint32_t stream)
{
    return ocelotl_writer_stream_push(simulation->names.writer, stream, event->value, event->time,
                                      event->attributes, event->attribute_count);
}

/* A set state replaces whatever is open, pushed or not; a reset only ends it. */
static ocelotl_status end_all(const paje_simulation *simulation, const paje_event *event,
                              uint32_t stream)
{
    ocelotl_writer *writer = simulation->names.writer;
    while (ocelotl_writer_stream_open_states(writer, stream) > 0)
        OC_TRY(ocelotl_writer_stream_pop(writer, stream, event->time));
    return OCELOTL_OK;
}

static ocelotl_status pop(paje_simulation *simulation, const paje_event *event, uint32_t stream)
{
    ocelotl_writer *writer = simulation->names.writer;
    const ocelotl_status status = stream == OCELOTL_NONE
                                      ? OCELOTL_ERROR_ARGUMENT
                                      : ocelotl_writer_stream_pop(writer, stream, event->time);
    if (status != OCELOTL_ERROR_ARGUMENT || ocelotl_writer_stream_open_states(writer, stream) > 0)
        return status;
    paje_simulation_note(simulation, PAJE_POP_OF_NOTHING, event->line);
    return OCELOTL_OK;
}

static ocelotl_status change_state(paje_simulation *simulation, const paje_event *event)
{
    uint32_t stream;
    const bool begins = event->kind == PAJE_SET_STATE || event->kind == PAJE_PUSH_STATE;
    OC_TRY(find_stream(&stream, simulation, event, OCELOTL_ROLE_STATES, begins));
    if (event->kind == PAJE_SET_STATE || event->kind == PAJE_RESET_STATE)
        OC_TRY(end_all(simulation, event, stream));
    if (event->kind == PAJE_POP_STATE)
        return pop(simulation, event, stream);
    return begins ? push(simulation, event, stream) : OCELOTL_OK;
}

static ocelotl_status find_variable(uint32_t *index, bool *known, paje_simulation *simulation,
                                    const paje_event *event)
{
    const uint32_t key[2] = {event->type, event->container};
    *index = oc_map_get(&simulation->variable_of, key, sizeof key);
    *known = *index != OC_MAP_NONE;
    if (*known)
        return OCELOTL_OK;
    *index = (uint32_t)simulation->value_count;
    OC_TRY(oc_grow(&simulation->values, &simulation->value_capacity, (size_t)*index + 1,
                   sizeof *simulation->values));
    OC_TRY(oc_map_set(&simulation->variable_of, key, sizeof key, *index));
    simulation->values[simulation->value_count++] = 0;
    return OCELOTL_OK;
}

static ocelotl_status change_variable(paje_simulation *simulation, const paje_event *event)
{
    uint32_t index;
    uint32_t stream;
    bool known;
    OC_TRY(find_variable(&index, &known, simulation, event));
    double *value = &simulation->values[index];
    if (!known && event->kind != PAJE_SET_VARIABLE)
        paje_simulation_note(simulation, PAJE_CHANGE_OF_NOTHING, event->line);
    if (event->kind == PAJE_SET_VARIABLE)
        *value = event->number;
    else
        *value += event->kind == PAJE_ADD_VARIABLE ? event->number : -event->number;
    if (!isfinite(*value))
        return oc_fail(OCELOTL_ERROR_INPUT, "value is %g, expected a finite number", *value);
    OC_TRY(find_stream(&stream, simulation, event, OCELOTL_ROLE_VARIABLE, true));
    return ocelotl_writer_stream_variable(simulation->names.writer, stream, event->time, *value,
                                          event->attributes, event->attribute_count);
}

static ocelotl_status happen(paje_simulation *simulation, const paje_event *event)
{
    uint32_t stream;
    OC_TRY(find_stream(&stream, simulation, event, OCELOTL_ROLE_EVENTS, true));
    return ocelotl_writer_stream_event(simulation->names.writer, stream, event->value, event->time,
                                       event->attributes, event->attribute_count);
}

static ocelotl_status end_container(const paje_names *names, uint32_t index,
                                    const paje_event *event)
{
    paje_container *container = &names->containers[index];
    if (container->ended)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_resource_end(names->writer, container->id, event->time));
    container->ended = true;
    container->ended_within = index != event->container;
    container->end = event->time;
    return OCELOTL_OK;
}

/* What is inside a container ends with it, even where something in it cannot. The root ends with
 * the trace; some tracers say so. */
static ocelotl_status destroy(paje_simulation *simulation, const paje_event *event)
{
    paje_names *names = &simulation->names;
    ocelotl_status failure = OCELOTL_OK;
    char message[1024];
    if (event->container == 0)
        return OCELOTL_OK;
    for (uint32_t c = event->container; c != PAJE_NOWHERE;
         c = paje_nest_next(&names->living, event->container, c)) {
        const ocelotl_status status = end_container(names, c, event);
        if (status == OCELOTL_OK || failure != OCELOTL_OK)
            continue;
        failure = status;
        snprintf(message, sizeof message, "%s", ocelotl_error_message());
    }
    paje_nest_take_out(&names->living, event->container);
    return failure == OCELOTL_OK ? OCELOTL_OK : oc_fail(failure, "%s", message);
}

static bool is_link(const paje_event *event)
{
    return event->kind == PAJE_START_LINK || event->kind == PAJE_END_LINK;
}

static ocelotl_status apply(paje_simulation *simulation, const paje_event *event)
{
    paje_container *container =
        &simulation->names.containers[is_link(event) ? event->end : event->container];
    if (event->kind == PAJE_DESTROY_CONTAINER && container->ended_within) {
        container->ended_within = false;
        return OCELOTL_OK;
    }
    if (container->ended && (event->time > container->end || event->kind == PAJE_DESTROY_CONTAINER))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "container \"%s\" has been destroyed, expected nothing to happen there",
                       container->name);
    if (is_link(event))
        return paje_links_add(&simulation->links, &simulation->names, event);
    if (event->kind == PAJE_DESTROY_CONTAINER)
        return destroy(simulation, event);
    switch (event->kind) {
    case PAJE_SET_STATE:
    case PAJE_PUSH_STATE:
    case PAJE_POP_STATE:
    case PAJE_RESET_STATE:
        return change_state(simulation, event);
    case PAJE_NEW_EVENT:
        return happen(simulation, event);
    case PAJE_SET_VARIABLE:
    case PAJE_ADD_VARIABLE:
    case PAJE_SUB_VARIABLE:
        return change_variable(simulation, event);
    default:
        return oc_fail(OCELOTL_ERROR_INTERNAL, "an event of kind %d among data", (int)event->kind);
    }
}

ocelotl_status paje_simulate(paje_simulation *simulation, const paje_event *event)
{
    const ocelotl_status status = apply(simulation, event);
    /* What the writer takes for a wrong argument is wrong in the trace. */
    return status == OCELOTL_ERROR_ARGUMENT ? OCELOTL_ERROR_INPUT : status;
}

static const ocelotl_role roles[] = {
    [PAJE_NEW_EVENT] = OCELOTL_ROLE_EVENTS,      [PAJE_SET_STATE] = OCELOTL_ROLE_STATES,
    [PAJE_PUSH_STATE] = OCELOTL_ROLE_STATES,     [PAJE_POP_STATE] = OCELOTL_ROLE_STATES,
    [PAJE_RESET_STATE] = OCELOTL_ROLE_STATES,    [PAJE_SET_VARIABLE] = OCELOTL_ROLE_VARIABLE,
    [PAJE_ADD_VARIABLE] = OCELOTL_ROLE_VARIABLE, [PAJE_SUB_VARIABLE] = OCELOTL_ROLE_VARIABLE,
    [PAJE_START_LINK] = OCELOTL_ROLE_LINKS_OUT,  [PAJE_END_LINK] = OCELOTL_ROLE_LINKS_IN,
};

static inline uint32_t place_of(const paje_event *event)
{
    return is_link(event) ? event->end : event->container;
}

void paje_simulation_expect(const paje_simulation *simulation, const paje_event *farthest,
                            paje_event *farther, const paje_event *next)
{
    const paje_names *names = &simulation->names;
    __builtin_prefetch(&names->containers[place_of(farthest)]);
    if (farthest->attributes != NULL)
        __builtin_prefetch(farthest->attributes);
    if (farther->attributes != NULL)
        __builtin_prefetch(farther->attributes[0].text);
    if (farther->kind != PAJE_DESTROY_CONTAINER)
        farther->stream =
            paje_names_route(names, place_of(farther), farther->type, roles[farther->kind]);
    ocelotl_writer_expect(names->writer, farther->stream, next->stream);
}

const char *const paje_oddity_names[PAJE_ODDITY_COUNT] = {
    [PAJE_POP_OF_NOTHING] = "pop of an empty stack (ignored)",
    [PAJE_CHANGE_OF_NOTHING] = "change of a variable that was never set (taken from 0)",
    [PAJE_LINK_REVERSED] = "link that ends before it starts (kept)",
    [PAJE_LINK_WITHOUT_END] = "link without an end (kept)",
    [PAJE_LINK_WITHOUT_START] = "link without a start (kept)",
    [PAJE_STATE_OPEN] = "state open at the end of the trace (ended there)",
    [PAJE_VALUE_TWICE] = "value defined twice (the first is kept)",
    [PAJE_TIME_ROUNDED] = "time with more digits than a tick has (rounded)",
    [PAJE_EVENT_UNKNOWN] = "event of an unknown kind (ignored)",
    [PAJE_FIELD_IGNORED] = "extra field of a definition or of a state's end (ignored)",
    [PAJE_COLOUR_UNREADABLE] = "colour that is not three numbers in 0..1 (ignored)",
};

static uint64_t count_open_states(const paje_simulation *simulation)
{
    const ocelotl_writer *writer = simulation->names.writer;
    uint64_t open = 0;
    for (uint32_t s = 0; s < ocelotl_writer_stream_count(writer); s++)
        open += ocelotl_writer_stream_open_states(writer, s);
    return open;
}

ocelotl_status paje_simulation_finish(paje_simulation *simulation)
{
    uint64_t *counts = simulation->oddities.counts;
    OC_TRY(paje_links_finish(&simulation->links, &simulation->names, &counts[PAJE_LINK_WITHOUT_END],
                             &counts[PAJE_LINK_WITHOUT_START]));
    counts[PAJE_LINK_REVERSED] = simulation->links.reversed;
    counts[PAJE_STATE_OPEN] = count_open_states(simulation);
    return oc_oddities_finish(&simulation->oddities);
}
