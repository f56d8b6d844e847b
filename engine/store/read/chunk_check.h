/* What a chunk may hold, given what its trace says of the stream: looked at once, when it is read.
 */
#ifndef OC_STORE_READ_CHUNK_CHECK_H
#define OC_STORE_READ_CHUNK_CHECK_H

#include "store/trace/trace.h"

/* The running totals at a chunk's beginning: values are those of the event type, times lie between
 * the stream's first record and `fold->time`, no total is negative. O(totals + what is open).
 * Errors: INPUT "damaged chunk ..". */
ocelotl_status oc_chunk_check_fold(const ocelotl_trace *trace, uint32_t stream,
                                   const oc_fold *fold);

/* The records of a chunk that begins with `fold`: they follow it, and lie in the stream; values and
 * partners are there; both ends of links lie in the trace. O(records). Errors: INPUT "damaged chunk
 * ..". */
ocelotl_status oc_chunk_check_records(const ocelotl_trace *trace, uint32_t stream,
                                      const oc_fold *fold, const oc_records *records);

#endif
