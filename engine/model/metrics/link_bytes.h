/* Which attribute of links tells how many bytes they carry. */
#ifndef OC_MODEL_METRICS_LINK_BYTES_H
#define OC_MODEL_METRICS_LINK_BYTES_H

#include "model/metrics/filling.h"

/* The attribute of an event type that tells the bytes of links, OCELOTL_NONE without; whether some
 * type shown has one, or ARGUMENT naming what there is instead. */
uint32_t oc_filling_bytes(const oc_filling *filling, uint32_t event_type);
ocelotl_status oc_filling_check_bytes(const oc_filling *filling);

#endif
