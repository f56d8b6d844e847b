#include "importers/paje/event.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <stdlib.h>

static const size_t ring_size = PAJE_WINDOW + 1;

void paje_event_free(paje_event *event)
{
    free(event->attributes);
    event->attributes = NULL;
}

static paje_event *at(paje_window *window, size_t place)
{
    return &window->events[(window->first + place) % ring_size];
}

ocelotl_status paje_window_add(paje_window *window, const paje_event *event)
{
    if (window->events == NULL)
        OC_TRY(oc_allocate(&window->events, ring_size, sizeof *window->events));
    if (window->any_released && event->time < window->released)
        return oc_fail(
            OCELOTL_ERROR_INPUT,
            "time goes back by more than the %d events that are sorted, expected events in order of time",
            PAJE_WINDOW);
    size_t place = window->count++;
    while (place > 0 && at(window, place - 1)->time > event->time) {
        *at(window, place) = *at(window, place - 1);
        place--;
    }
    *at(window, place) = *event;
    return OCELOTL_OK;
}

bool paje_window_take(paje_event *event, paje_window *window, bool all)
{
    if (window->count == 0 || (!all && window->count < ring_size))
        return false;
    *event = window->events[window->first];
    window->first = (window->first + 1) % ring_size;
    window->count--;
    window->released = event->time;
    window->any_released = true;
    return true;
}

bool paje_window_refine(paje_window *window, uint64_t factor)
{
    bool fits = oc_multiply_time(&window->released, window->released, factor);
    for (size_t i = 0; i < window->count; i++)
        fits = oc_multiply_time(&at(window, i)->time, at(window, i)->time, factor) && fits;
    return fits;
}

void paje_window_free(paje_window *window)
{
    for (size_t i = 0; i < window->count; i++)
        paje_event_free(at(window, i));
    free(window->events);
    *window = (paje_window){0};
}
