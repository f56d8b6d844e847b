/* Checks the frames of an archive's files before the library reads them. The library believes the
 * sizes in a file, and if a file ends too early, it reads old memory behind it.
 *
 * A file of events consists of chunks of one size, except for the last. A chunk is a head of 18
 * bytes (3, the order of bytes, the numbers of its first and last record) and records: a time (5,
 * and 8 bytes), or a kind, a length (one byte; 255 and 8 bytes if that is too small) and as many
 * bytes. 2 ends a chunk, 1 behind it the file; 0 fills the rest. */
#ifndef OC_IMPORTERS_OTF2_FRAMES_H
#define OC_IMPORTERS_OTF2_FRAMES_H

#include "base/status.h"

#include <stdint.h>

/* Checks that an anchor holds what it claims: sizes that the library itself writes, and as many
 * properties as it counts. Errors: INPUT, IO, MEMORY. O(size). */
ocelotl_status otf2_frames_check_anchor(const char *path);

/* Events that are whole, and the byte where the next record begins. */
typedef struct otf2_passed {
    uint64_t events, offset;
} otf2_passed;

/* Passes over the events of a file with chunks of some size, as far as they are whole, and at most
 * so many. Of a file that is cut off these are the events before the cut. Errors: IO, MEMORY.
 * O(size). */
ocelotl_status otf2_frames_pass(otf2_passed *passed, const char *path, uint64_t chunk,
                                uint64_t most);

#endif
