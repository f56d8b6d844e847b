/* Names of the categories of events. */
#ifndef OC_BASE_CATEGORY_H
#define OC_BASE_CATEGORY_H

#include <ocelotl/types.h>

/* The word for a category: event, state, variable or link. */
const char *oc_category_name(ocelotl_category category);

#endif
