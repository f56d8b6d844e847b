#include "importers/common/window.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void oc_raw_event_free(oc_raw_event *event)
{
    if (event->owns_attributes)
        free(event->attributes);
    event->attributes = NULL;
    event->owns_attributes = false;
}

ocelotl_status oc_raw_event_own(oc_raw_event *event)
{
    ocelotl_attribute_value *own = NULL;
    size_t length = 0;
    if (event->owns_attributes || event->attributes == NULL)
        return OCELOTL_OK;
    for (size_t i = 0; i < event->attribute_count; i++)
        length += event->attributes[i].length;
    OC_TRY(oc_allocate(&own, event->attribute_count * sizeof *own + length, 1));
    char *text = (char *)(own + event->attribute_count);
    for (size_t i = 0; i < event->attribute_count; i++) {
        own[i] = event->attributes[i];
        own[i].text = text;
        memcpy(text, event->attributes[i].text, own[i].length);
        text += own[i].length;
    }
    event->attributes = own;
    event->owns_attributes = true;
    return OCELOTL_OK;
}

ocelotl_status oc_raw_window_begin(oc_raw_window *window)
{
    OC_TRY(oc_allocate_aligned(&window->events, OC_RAW_RING, sizeof *window->events));
    return oc_allocate(&window->few, OC_RAW_RING, sizeof *window->few);
}

ocelotl_attribute_value *oc_raw_window_attributes(oc_raw_window *window, size_t count)
{
    return count <= OC_FEW_ATTRIBUTES ? window->few[window->count & (OC_RAW_RING - 1)]
                                      : window->many;
}

/* An event that moves, or is passed by another, takes its attributes along. */
static ocelotl_status insert(oc_raw_window *window, uint64_t place)
{
    for (uint64_t number = place; number <= window->count; number++)
        OC_TRY(oc_raw_event_own(oc_raw_window_at(window, number)));
    const oc_raw_event event = *oc_raw_window_at(window, window->count);
    for (uint64_t number = window->count; number > place; number--)
        *oc_raw_window_at(window, number) = *oc_raw_window_at(window, number - 1);
    *oc_raw_window_at(window, place) = event;
    return OCELOTL_OK;
}

ocelotl_status oc_raw_window_add(oc_raw_window *window)
{
    const int64_t time = oc_raw_window_at(window, window->count)->time;
    const uint64_t first = oc_raw_window_first(window);
    uint64_t place = window->count;
    while (place > first && oc_raw_window_at(window, place - 1)->time > time)
        place--;
    if (place == first && first > 0 && oc_raw_window_at(window, first - 1)->time > time)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "time goes back by more than the %d events that are sorted, expected events "
                       "in order of time",
                       OC_RAW_WINDOW);
    if (place < window->count)
        OC_TRY(insert(window, place));
    window->count++;
    return OCELOTL_OK;
}

ocelotl_status oc_raw_window_own(size_t *bytes, oc_raw_window *window)
{
    *bytes = 0;
    for (uint64_t number = oc_raw_window_first(window); number < window->count; number++) {
        oc_raw_event *event = oc_raw_window_at(window, number);
        OC_TRY(oc_raw_event_own(event));
        for (size_t i = 0; event->attributes != NULL && i < event->attribute_count; i++)
            *bytes += sizeof *event->attributes + event->attributes[i].length;
    }
    return OCELOTL_OK;
}

bool oc_raw_window_refine(oc_raw_window *window, uint64_t first, uint64_t factor)
{
    bool fits = true;
    /* The one before the first says how far back an event may go. */
    for (uint64_t number = first > 0 ? first - 1 : 0; number < window->count; number++) {
        int64_t *time = &oc_raw_window_at(window, number)->time;
        fits = oc_multiply_time(time, *time, factor) && fits;
    }
    return fits;
}

void oc_raw_window_free(oc_raw_window *window, uint64_t first)
{
    if (window->events != NULL)
        for (uint64_t number = first; number < window->count; number++)
            oc_raw_event_free(oc_raw_window_at(window, number));
    free(window->events);
    free(window->few);
    *window = (oc_raw_window){0};
}
