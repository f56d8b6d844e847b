/* The columns of a chunk: the blob `events` that holds them, compressed where that makes it
 * smaller; and those of states read as they are needed, for who adds up how long states last. See
 * docs/developer/store.md. */
#ifndef OC_STORE_CODEC_COLUMNS_H
#define OC_STORE_CODEC_COLUMNS_H

#include "base/text.h"

#include <string.h>
#include <zstd.h>

/* Makes a blob of columns. */
ocelotl_status oc_blob_pack(oc_text *blob, const oc_text *columns, ZSTD_CCtx *compressor);

/* Memory for columns, which serves one blob after the other. Zero-initialised it has none. */
typedef struct oc_blob_opener {
    ZSTD_DCtx *decompressor;
    unsigned char *columns;
    size_t length, capacity;
} oc_blob_opener;

/* Gives the columns of a blob, one readable byte behind them. No more memory is taken than a chunk
 * may need. Errors: INPUT "damaged chunk ..", MEMORY. */
ocelotl_status oc_blob_open(oc_blob_opener *opener, const unsigned char *blob, size_t length);
void oc_blob_opener_free(oc_blob_opener *opener);

/* --- Times, codes and depths of states */

/* Codes of begins and ends: an end of the innermost, an end of another, a begin without a value,
 * then a begin with value code - 3. */
enum { OC_CODE_END = 0, OC_CODE_END_DEEPER = 1, OC_CODE_BEGIN = 2 };

/* Where the reading is. A copy of it can be kept in registers while records are read. */
typedef struct oc_states_at {
    const unsigned char *times, *codes, *depths; /* what comes next of each */
    const unsigned char *end;
    uint64_t unit;
    size_t next, count; /* records */
    int64_t read;       /* time of the next record, in units */
    int64_t time;       /* and in ticks */
} oc_states_at;

/* Begins with the columns of a chunk, whose times are in multiples of `unit` ticks. Makes sure that
 * all bytes of times and codes are there. Errors: INPUT "damaged chunk ..". */
ocelotl_status oc_states_begin(oc_states_at *at, const oc_blob_opener *columns, uint64_t unit);

typedef enum oc_states_change {
    OC_STATES_BEGIN,   /* of a state with the value */
    OC_STATES_END,     /* of the state at the depth */
    OC_STATES_REPLACE, /* the innermost ends, at once one with the value begins: two records */
    OC_STATES_DAMAGED,
} oc_states_change;

/* Reads a number whose end is known to be there; nearly all have one byte or two, which nobody can
 * predict. One byte behind the end must be readable. */
static inline uint64_t oc_states_number(const unsigned char **next)
{
    const unsigned char *bytes = *next;
    const uint64_t two = bytes[0] >> 7;
    uint64_t number = (bytes[0] & 0x7Fu) | ((bytes[1] & 0x7Fu & (0 - two)) << 7);
    *next += 1 + two;
    if (!(two & bytes[1] >> 7))
        return number;
    for (unsigned shift = 14; shift < 64; shift += 7) {
        const uint64_t byte = *(*next)++;
        number |= (byte & 0x7F) << shift;
        if (byte < 0x80)
            break;
    }
    return number;
}

/* Goes to the time of the next record; false where it cannot be a time. */
static inline bool oc_states_read_time(oc_states_at *at)
{
    const uint64_t twice = oc_states_number(&at->times);
    const uint64_t bits = (twice >> 1) ^ (0 - (twice & 1));
    int64_t step;
    memcpy(&step, &bits, sizeof step);
    return !__builtin_add_overflow(at->read, step, &at->read) &&
           !__builtin_mul_overflow(at->read, (int64_t)at->unit, &at->time);
}

/* The depth of an end that is not of the innermost. */
bool oc_states_read_depth(uint64_t *depth, oc_states_at *at);

/* What happens at at->time; *number is a value or a depth. There must be a record. */
static inline oc_states_change oc_states_next(uint64_t *number, oc_states_at *at)
{
    const uint64_t code = oc_states_number(&at->codes);
    at->next++;
    if (code > OC_CODE_BEGIN) {
        *number = code - OC_CODE_BEGIN - 1;
        return OC_STATES_BEGIN;
    }
    *number = 0;
    if (code == OC_CODE_END) {
        if (at->next >= at->count || *at->times != 0 || *at->codes <= OC_CODE_BEGIN)
            return OC_STATES_END;
        at->times++;
        at->next++;
        *number = oc_states_number(&at->codes) - OC_CODE_BEGIN - 1;
        return OC_STATES_REPLACE;
    }
    return code == OC_CODE_END_DEEPER && oc_states_read_depth(number, at) ? OC_STATES_END
                                                                          : OC_STATES_DAMAGED;
}

/* Goes on behind what was read; false where time goes back. */
static inline bool oc_states_go_on(oc_states_at *at)
{
    const int64_t before = at->time;
    return at->next >= at->count || (oc_states_read_time(at) && at->time >= before);
}

#endif
