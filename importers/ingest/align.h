/* Several files on one clock (--align). */
#ifndef OC_IMPORTERS_COMMON_ALIGN_H
#define OC_IMPORTERS_COMMON_ALIGN_H

#include "importers/ingest/timelines.h"

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

/* Finds the shift of each file to the clock of the first, and tells the writer when tick 0 was, if
 * known. *how becomes what was done: for OCELOTL_ALIGN_AUTO CLOCK if all files have clocks, else
 * NONE. Shifts are rounded to whole ticks. O(files). Errors: ARGUMENT for a wanted clock that a
 * file lacks; LIMIT; those of the writer. A writer of NULL knows the origin. */
ocelotl_status oc_align(ocelotl_align *how, oc_aligned *files, size_t count,
                        int64_t ticks_per_second, ocelotl_writer *writer);

/* Tells the writer what was done to a file, by its name, and by how many ticks it was shifted
 * ("by its clock, +0.500000000 s"). Errors: those of the writer. */
ocelotl_status oc_align_tell(ocelotl_writer *writer, const char *file, ocelotl_align how,
                             int64_t shift, double ticks_per_second);

/* Files that are read one after the other, and begin with their first time. Zero-initialised but
 * for `how`, none of them has been read. */
typedef struct oc_beginnings {
    ocelotl_align how; /* OCELOTL_ALIGN_BEGIN, or nothing is shifted */
    bool has_first, file_has_first;
    int64_t first; /* of the first file that has a time */
    int64_t shift; /* of the file at hand */
} oc_beginnings;

/* Begins the next file. */
void oc_beginnings_next(oc_beginnings *files);

/* Shifts a time of the file at hand; the first time decides by how much. False if it does not fit.
 * O(1). */
bool oc_beginnings_shift(int64_t *time, oc_beginnings *files);

#endif
