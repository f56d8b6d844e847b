/* Groups of resources: the topmost ones of a type, each with all below it, or all as one. */
#ifndef OC_STORE_SELECT_GROUPS_H
#define OC_STORE_SELECT_GROUPS_H

#include "store/trace/trace.h"

/* What the whole trace is called as one group, where no type of resources is called so. */
extern const char oc_whole_group[];

/* Says by resource type whether its resources are groups; *whole: the whole trace is one. Errors:
 * ARGUMENT for a name that there is not, naming the nearest. */
ocelotl_status oc_find_group_types(bool *is_group, bool *whole, const ocelotl_trace *trace,
                                   const char *at);

#endif
