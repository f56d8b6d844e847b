/* The columns of a chunk, in the blob `events`, compressed if that makes it smaller. Sums of states
 * read the columns of states as they need them. See docs/developer/store.md. */
#ifndef OC_STORE_CODEC_COLUMNS_H
#define OC_STORE_CODEC_COLUMNS_H

#include "base/text.h"

#include <string.h>
#include <zstd.h>

/* Makes blobs of columns, with a dictionary if it has one. Without one if zero-initialised. */
typedef struct oc_blob_packer {
    ZSTD_CCtx *compressor;
    const ZSTD_CDict *dictionary; /* NULL: none */
} oc_blob_packer;

/* Makes a blob of columns. */
ocelotl_status oc_blob_pack(oc_text *blob, const oc_text *columns, oc_blob_packer *packer);
void oc_blob_packer_free(oc_blob_packer *packer);

/* --- Dictionaries: what the first chunks of a role have in common, which all of that role are
 * compressed with. They depend on those chunks and their order alone. */
enum {
    OC_DICTIONARY_CHUNKS = 32,         /* chunks that make it */
    OC_DICTIONARY_FEWEST = 16,         /* the fewest that do; a role with fewer has none */
    OC_DICTIONARY_SHARE = 8192,        /* bytes of each of them */
    OC_DICTIONARY_LONGEST = 96 * 1024, /* the most bytes of it */
};

/* Makes a dictionary of the first chunks' columns. Where they are too few or too alike to make one,
 * it is empty. */
ocelotl_status oc_dictionary_make(oc_text *dictionary, const oc_text *columns, size_t count);

/* Packs a dictionary for the file, and makes ready what a writer compresses with; NULL for an empty
 * one. */
ocelotl_status oc_dictionary_pack(oc_text *packed, ZSTD_CDict **ready, const oc_text *dictionary);

/* Unpacks one for reading, for any number of threads. Errors: INPUT "a dictionary .." */
ocelotl_status oc_dictionary_unpack(ZSTD_DDict **dictionary, const void *packed, size_t length);

/* Memory for columns, which serves one blob after the other. Zero-initialised it has none. */
typedef struct oc_blob_opener {
    ZSTD_DCtx *decompressor;
    unsigned char *columns;
    size_t length, capacity;
    oc_text frame; /* the blob as zstd has it */
} oc_blob_opener;

/* Gives the columns of a blob, one readable byte behind them; `dictionary` is that of its role, or
 * NULL. No more memory is taken than a chunk may need. Errors: INPUT "damaged chunk ..", MEMORY. */
ocelotl_status oc_blob_open(oc_blob_opener *opener, const unsigned char *blob, size_t length,
                            const ZSTD_DDict *dictionary);
void oc_blob_opener_free(oc_blob_opener *opener);

/* Skips `count` numbers. */
void oc_columns_skip(oc_bytes_reader *columns, size_t count);

/* --- Times, codes and depths of states */

/* Codes of begins and ends: an end of the innermost, an end of another, a begin without a value,
 * then a begin with value code - 3. In a column of states an entry may be two records: an end of
 * the innermost without attributes, and the begin behind it at the same instant. Its code is
 * OC_ENTRY_REPLACE + 2 * value, that of a begin OC_ENTRY_BEGIN + 2 * value. */
enum { OC_CODE_END = 0, OC_CODE_END_DEEPER = 1, OC_CODE_BEGIN = 2 };
enum { OC_ENTRY_BEGIN = 2, OC_ENTRY_REPLACE = 3 };

/* Where the reading is. A copy of it can be kept in registers while records are read. */
typedef struct oc_states_at {
    const unsigned char *times, *codes, *depths; /* what comes next of each */
    const unsigned char *end;
    uint64_t unit;
    size_t next, count; /* entries */
    int64_t read;       /* time of the next entry, in units */
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

/* Goes to the time of the next entry; false where it cannot be a time. */
static inline bool oc_states_read_time(oc_states_at *at)
{
    const uint64_t step = oc_states_number(&at->times);
    return !__builtin_add_overflow(at->read, step, &at->read) &&
           !__builtin_mul_overflow(at->read, (int64_t)at->unit, &at->time);
}

/* The depth of an end that is not of the innermost. */
bool oc_states_read_depth(uint64_t *depth, oc_states_at *at);

/* What happens at at->time; *number is a value or a depth. There must be an entry. */
static inline oc_states_change oc_states_next(uint64_t *number, oc_states_at *at)
{
    const uint64_t code = oc_states_number(&at->codes);
    at->next++;
    if (code >= OC_ENTRY_BEGIN) {
        *number = (code - OC_ENTRY_BEGIN) >> 1;
        return (code & 1) != 0 ? OC_STATES_REPLACE : OC_STATES_BEGIN;
    }
    *number = 0;
    if (code == OC_CODE_END)
        return OC_STATES_END;
    return oc_states_read_depth(number, at) ? OC_STATES_END : OC_STATES_DAMAGED;
}

/* Goes on behind what was read; false where time leaves its range. */
static inline bool oc_states_go_on(oc_states_at *at)
{
    return at->next >= at->count || oc_states_read_time(at);
}

#endif
