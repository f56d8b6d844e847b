/* Functions from times to new times. */
#ifndef OC_QUALITY_DERIVE_TIMES_H
#define OC_QUALITY_DERIVE_TIMES_H

#include "base/status.h"

#include <ocelotl/derive.h>

/* The piece that dates a tick, of a function that has some. O(log pieces). */
const ocelotl_time_piece *oc_time_piece_at(const ocelotl_time_function *function, int64_t tick);

/* Checks the pieces of a function. */
ocelotl_status oc_time_function_check(const ocelotl_time_function *function);

#endif
