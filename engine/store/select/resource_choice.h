/* Which resources of a trace a question is about: those that a user names by path, less what the
 * filters take away. */
#ifndef OC_STORE_SELECT_RESOURCE_CHOICE_H
#define OC_STORE_SELECT_RESOURCE_CHOICE_H

#include "store/trace/catalogue.h"

#include <ocelotl/selection.h>

/* *chosen becomes, by resource, whether its own events are wanted; NULL where all are. It is the
 * caller's. Errors: ARGUMENT naming a path that does not exist, and the nearest that does.
 * O(resources x patterns + names). */
ocelotl_status oc_choose_resources(bool **chosen, const oc_catalogue *catalogue,
                                   const ocelotl_selection *given);

#endif
