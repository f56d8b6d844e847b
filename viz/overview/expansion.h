/* A node and a range of time of a partition, drawn at full size. */
#ifndef OC_VIZ_OVERVIEW_EXPANSION_H
#define OC_VIZ_OVERVIEW_EXPANSION_H

#include "viz/overview/overview.h"

/* Where the options want it, finds what is visible and the node's path; else leaves both as they
 * are. Errors: ARGUMENT (see ocelotl_expansion_check). O(nodes). */
ocelotl_status oc_expansion_find(oc_visible *visible, const char **path, const ocelotl_model *model,
                                 const ocelotl_picture_options *options);

/* Refuses kinds that have nothing to expand. */
ocelotl_status oc_expansion_check_kind(ocelotl_kind kind, const ocelotl_picture_options *options);

#endif
