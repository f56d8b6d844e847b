/* What the finding of waits and of delays share. */
#ifndef OC_QUALITY_WAITING_WAITS_H
#define OC_QUALITY_WAITING_WAITS_H

#include "quality/waiting/edges.h"

/* The first wait of a resource that ends behind an instant; or the end of them. O(log waits). */
size_t oc_waits_behind(const oc_waiting *waiting, uint32_t resource, int64_t time);

/* Finds the delays of waits that are in order, with what the waits pass on. */
ocelotl_status oc_delays_find(oc_waiting *waiting, uint32_t resources, const oc_reader *asker);

/* Asks whoever waits, but not for each of many. Errors: CANCELLED. */
static inline ocelotl_status oc_ask_at(const oc_reader *asker, size_t index)
{
    return index % 65536 == 0 ? oc_reader_ask(asker) : OCELOTL_OK;
}

/* Finds the critical path over the waits, from the end of a resource back. */
ocelotl_status oc_waiting_find_path(oc_waiting *waiting, const ocelotl_trace *trace,
                                    uint32_t resource);

#endif
