/* Several files on one clock (--align). */
#ifndef OC_IMPORTERS_COMMON_ALIGN_H
#define OC_IMPORTERS_COMMON_ALIGN_H

#include "importers/common/timelines.h"

#include <ocelotl/import.h>

/* A file, as far as its clock is concerned. */
typedef struct oc_aligned {
    const char *path;
    bool has_clock; /* it is known when its tick 0 was: */
    int64_t origin; /* nanoseconds since 1970 */
    bool has_bounds;
    int64_t begin, end; /* what it holds, in ticks */
    int64_t shift;      /* the answer: ticks to be added to its times */
} oc_aligned;

/* Widens the bounds of a file by those of a row of it. */
void oc_align_widen(oc_aligned *file, const oc_timelines *timelines, uint32_t row);

/* Finds the shift of each file, to the clock of the first, and tells the writer when tick 0 was,
 * where that is known. *how is what was done: OCELOTL_ALIGN_AUTO becomes CLOCK where all files have
 * clocks, else NONE. Shifts are rounded to whole ticks. O(files). Errors: ARGUMENT where a clock is
 * asked for that a file does not have; LIMIT; those of the writer. A writer of
 * NULL knows the origin. */
ocelotl_status oc_align(ocelotl_align *how, oc_aligned *files, size_t count,
                        int64_t ticks_per_second, ocelotl_writer *writer);

/* Says in one line what was done to a file ("by clock, 0.5 s later"). `text` has room for 64. */
void oc_align_describe(char text[64], ocelotl_align how, const oc_aligned *file,
                       int64_t ticks_per_second);

#endif
