/* Functions from times to new times. */
#ifndef OC_QUALITY_DERIVE_TIMES_H
#define OC_QUALITY_DERIVE_TIMES_H

#include "base/status.h"
#include "quality/derive.h"

/* The piece that dates a tick, of a function that has some. O(log pieces). */
const ocelotl_time_piece *oc_time_piece_at(const ocelotl_time_function *function, int64_t tick);

/* Gives the new time in ticks; `factor` of them are one tick of before. */
int64_t oc_time_of(const ocelotl_time_function *function, int64_t tick, int64_t factor, bool *fits);

/* Checks the pieces of a function. */
ocelotl_status oc_time_function_check(const ocelotl_time_function *function);

#endif
