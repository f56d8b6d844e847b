/* Which resources a question is about. */
#ifndef OC_STORE_SELECT_SELECTION_H
#define OC_STORE_SELECT_SELECTION_H

#include "store/trace/catalogue.h"

/* The resources of some paths and all below them, by resource (to be freed); NULL where that is
 * all: no path is given, or one is ""; "a/." is a without what is below it. Errors: ARGUMENT for a
 * path that there is not, naming the nearest. O(paths x resources). */
ocelotl_status oc_select_resources(bool **resources, const oc_catalogue *catalogue,
                                   const char *const *paths, size_t path_count);

/* The event types of a name, by event type (to be freed); NULL for all where the name is NULL.
 * Errors: ARGUMENT for a name that there is not, naming the nearest. */
ocelotl_status oc_select_event_types(bool **event_types, const ocelotl_trace *trace,
                                     const char *name);

/* Whether a list made by these has something in it. */
static inline bool oc_is_selected(const bool *list, uint32_t index)
{
    return list == NULL || list[index];
}

/* Errors: ARGUMENT for a window that ends before it begins. Between two ticks is a window, too. */
ocelotl_status oc_check_window(int64_t from, int64_t to);

#endif
