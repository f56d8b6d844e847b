#include "store/codec/columns.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <zstd_errors.h>

/* A chunk is flushed at about a thousand records; its attributes may be long texts. What claims to
 * be larger than this is damaged. */
static const uint64_t largest_chunk = (uint64_t)1 << 28;
static const int compression_level = 3;

enum { PACKED_PLAIN = 0, PACKED_ZSTD = 1 };

ocelotl_status oc_blob_pack(oc_text *blob, const oc_text *columns, ZSTD_CCtx *compressor)
{
    const size_t bound = ZSTD_compressBound(columns->length);
    oc_text_clear(blob);
    OC_TRY(oc_grow(&blob->bytes, &blob->capacity, bound + 1, 1));
    size_t length = ZSTD_compressCCtx(compressor, blob->bytes + 1, bound, columns->bytes,
                                      columns->length, compression_level);
    if (ZSTD_getErrorCode(length) == ZSTD_error_memory_allocation)
        return oc_fail_memory();
    const bool smaller = !ZSTD_isError(length) && length < columns->length;
    blob->bytes[0] = smaller ? PACKED_ZSTD : PACKED_PLAIN;
    if (!smaller) {
        length = columns->length;
        memcpy(blob->bytes + 1, columns->bytes, length);
    }
    blob->length = length + 1;
    return OCELOTL_OK;
}

static ocelotl_status damaged(void)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events");
}

static ocelotl_status decompress(oc_blob_opener *opener, const unsigned char *frame, size_t length)
{
    const unsigned long long size = ZSTD_getFrameContentSize(frame, length);
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN ||
        size > largest_chunk ||
        size / ZSTD_BLOCKSIZE_MAX > length / 4) /* a block takes four bytes at least */
        return damaged();
    if (opener->decompressor == NULL)
        opener->decompressor = ZSTD_createDCtx();
    if (opener->decompressor == NULL)
        return oc_fail_memory();
    OC_TRY(oc_grow(&opener->columns, &opener->capacity, (size_t)size + 1, 1));
    opener->length =
        ZSTD_decompressDCtx(opener->decompressor, opener->columns, (size_t)size, frame, length);
    if (ZSTD_getErrorCode(opener->length) == ZSTD_error_memory_allocation)
        return oc_fail_memory();
    return ZSTD_isError(opener->length) || opener->length != size ? damaged() : OCELOTL_OK;
}

ocelotl_status oc_blob_open(oc_blob_opener *opener, const unsigned char *blob, size_t length)
{
    if (length == 0 || (blob[0] != PACKED_ZSTD && blob[0] != PACKED_PLAIN))
        return damaged();
    if (blob[0] == PACKED_ZSTD) {
        OC_TRY(decompress(opener, blob + 1, length - 1));
    } else {
        OC_TRY(oc_grow(&opener->columns, &opener->capacity, length, 1));
        opener->length = length - 1;
        memcpy(opener->columns, blob + 1, opener->length);
    }
    opener->columns[opener->length] = 0;
    return OCELOTL_OK;
}

void oc_blob_opener_free(oc_blob_opener *opener)
{
    ZSTD_freeDCtx(opener->decompressor);
    free(opener->columns);
    *opener = (oc_blob_opener){0};
}

/* --- States */

/* Passes over numbers: each has one byte below 0x80, its last. */
static void skip_numbers(oc_bytes_reader *reader, size_t count)
{
    const uint64_t high_bits = 0x8080808080808080u;
    const uint64_t ones = high_bits >> 7;
    while (count > 8 && reader->end - reader->next >= 8) {
        uint64_t eight;
        memcpy(&eight, reader->next, sizeof eight);
        count -= (size_t)((((~eight & high_bits) >> 7) * ones) >> 56);
        reader->next += 8;
    }
    for (; count > 0 && reader->next < reader->end; reader->next++)
        count -= *reader->next < 0x80;
    reader->failed = reader->failed || count > 0;
}

ocelotl_status oc_states_begin(oc_states_at *at, const oc_blob_opener *columns, uint64_t unit)
{
    oc_bytes_reader bytes = oc_bytes_read(columns->columns, columns->length);
    *at = (oc_states_at){.end = bytes.end, .unit = unit, .count = oc_bytes_count(&bytes)};
    at->times = bytes.next;
    skip_numbers(&bytes, at->count);
    at->codes = bytes.next;
    skip_numbers(&bytes, at->count);
    at->depths = bytes.next;
    if (at->count == 0 || bytes.failed)
        return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: no records");
    return oc_states_read_time(at)
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: time goes back");
}

bool oc_states_read_depth(uint64_t *depth, oc_states_at *at)
{
    oc_bytes_reader bytes = {at->depths, at->end, false};
    *depth = oc_bytes_unsigned(&bytes);
    at->depths = bytes.next;
    return !bytes.failed;
}
