/* Which resources of a trace a question is about: those that a user names by path, less what the
 * filters take away. */
#ifndef OC_STORE_SELECT_RESOURCES_H
#define OC_STORE_SELECT_RESOURCES_H

#include "store/trace/catalogue.h"

#include <ocelotl/selection.h>

/* *chosen becomes, by resource, whether its own events are wanted; NULL where all are. It is the
 * caller's. Errors: ARGUMENT naming a path that does not exist, and the nearest that does.
 * O(resources x patterns + names). */
ocelotl_status oc_choose_resources(bool **chosen, const oc_catalogue *catalogue,
                                   const ocelotl_selection *given);

/* Whether some resource of the trace matches a pattern. O(resources). */
bool oc_pattern_names_any(const oc_catalogue *catalogue, const char *pattern);

/* Selects the event types of a name, by event type (to be freed); NULL selects all, for a name of
 * NULL. Errors: ARGUMENT for an unknown name, naming the nearest. */
ocelotl_status oc_select_event_types(bool **event_types, const ocelotl_trace *trace,
                                     const char *name);

/* Whether links of an event type are of threads that wake each other: of one clock, in no time. */
bool oc_is_of_wakings(const ocelotl_trace *trace, uint32_t event_type);

/* The same of messages: without a name, all event types but those. */
ocelotl_status oc_select_messages(bool **event_types, const ocelotl_trace *trace, const char *name);

/* Whether a list made by these has something in it. */
static inline bool oc_is_selected(const bool *list, uint32_t index)
{
    return list == NULL || list[index];
}

/* The smallest resource that has two below it, or is one of them; OCELOTL_ROOT: none. Parents come
 * before children. O(depth). */
static inline uint32_t oc_resource_common(const ocelotl_trace *trace, uint32_t a, uint32_t b)
{
    while (a != b)
        if (a == OCELOTL_ROOT || (b != OCELOTL_ROOT && b > a))
            b = trace->resources[b].parent;
        else
            a = trace->resources[a].parent;
    return a;
}

/* Errors: ARGUMENT for a window that ends before it begins. */
ocelotl_status oc_check_window(int64_t from, int64_t to);

/* The last tick of a window that excludes `to`: what happens in the trace's last instant belongs to
 * a window that ends there. */
int64_t oc_last_tick(const ocelotl_trace *trace, int64_t to);

/* A window cut to the trace's bounds. What begins, happens or ends at `from` is in it, at `to` is
 * not, unless `to` is the trace's end: every sum over a window counts by this rule. */
typedef struct oc_window {
    int64_t from, to;
    int64_t last; /* tick of what happens in it; before `from` in a window outside the trace */
} oc_window;

/* Errors: ARGUMENT, as for oc_check_window. */
ocelotl_status oc_window_make(oc_window *window, const ocelotl_trace *trace, int64_t from,
                              int64_t to);

static inline bool oc_window_has(const oc_window *window, int64_t time)
{
    return time >= window->from && time <= window->last;
}

/* How much of a span is in it. */
static inline int64_t oc_window_overlap(const oc_window *window, int64_t begin, int64_t end)
{
    begin = begin > window->from ? begin : window->from;
    end = end < window->to ? end : window->to;
    return end > begin ? end - begin : 0;
}

#endif
