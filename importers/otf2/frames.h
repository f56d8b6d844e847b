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

/* How many events are whole in a file of events with chunks of some size: of a file that is cut
 * off, those before the cut. Errors: IO, MEMORY. O(size). */
ocelotl_status otf2_frames_count(uint64_t *events, const char *path, uint64_t chunk);

#endif
