/* Functions from times to new times. */
#ifndef OC_QUALITY_DERIVE_TIMES_H
#define OC_QUALITY_DERIVE_TIMES_H

#include "base/status.h"
#include "quality/derive.h"
#include "store/select/groups.h"

/* The piece that dates a tick, of a function that has some. O(log pieces). */
const ocelotl_time_piece *oc_time_piece_at(const ocelotl_time_function *function, int64_t tick);

/* Gives the new time in ticks; `factor` of them are one tick of before. */
int64_t oc_time_of(const ocelotl_time_function *function, int64_t tick, int64_t factor, bool *fits);

/* Checks the pieces of a function. */
ocelotl_status oc_time_function_check(const ocelotl_time_function *function);

/* How much later what is read is made: straight from one to the next. */
typedef struct oc_shift {
    int64_t read; /* by the clock itself */
    double shift;
    bool stays; /* the function bends there in any case */
} oc_shift;

/* Moves a function that has pieces; there is room for a piece for each shift. Returns how many. */
size_t oc_time_function_shift(ocelotl_time_piece *pieces, const ocelotl_time_function *function,
                              const oc_shift *shifts, size_t count);

/* Says by resource which function dates it: behind the first that of its group, or of what is
 * around; above groups none; else the first. */
ocelotl_status oc_functions_of_groups(uint32_t *function_of, const ocelotl_trace *trace,
                                      const oc_groups *groups);

#endif
