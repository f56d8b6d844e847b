/* The rows of chunks that are there already, with checksums of what they hold now. */
#ifndef OC_STORE_CHUNK_CHECKSUMS_H
#define OC_STORE_CHUNK_CHECKSUMS_H

#include "store/database.h"

/* Multiplies the times of all chunks, and the unit of what is in them, by a factor, 1 to change
 * nothing but checksums. The caller knows that all times fit. */
ocelotl_status oc_chunks_refine(sqlite3 *database, const char *path, uint64_t factor);

#endif
