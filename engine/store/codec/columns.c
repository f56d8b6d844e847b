#include "store/codec/columns.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <zdict.h>
#include <zstd_errors.h>

/* A chunk is flushed at about a thousand records; its attributes may be long texts. What claims to
 * be larger than this is damaged. */
static const uint64_t largest_chunk = (uint64_t)1 << 28;

enum { PACKED_PLAIN = 0, PACKED_ZSTD = 1, PACKED_WITH_DICTIONARY = 2 };

/* What every frame of zstd begins with is not stored. */
enum { MAGIC = 4 };
static const unsigned char magic[MAGIC] = {0x28, 0xB5, 0x2F, 0xFD};

/* A dictionary says more than a higher level finds. */
enum { LEVEL_WITH_DICTIONARY = 1, LEVEL_WITHOUT = 3, LEVEL_OF_DICTIONARIES = 9 };

ocelotl_status oc_blob_pack(oc_text *blob, const oc_text *columns, oc_blob_packer *packer)
{
    const size_t bound = ZSTD_compressBound(columns->length);
    oc_text_clear(blob);
    if (packer->compressor == NULL)
        packer->compressor = ZSTD_createCCtx();
    if (packer->compressor == NULL ||
        ZSTD_isError(
            ZSTD_CCtx_setParameter(packer->compressor, ZSTD_c_compressionLevel, LEVEL_WITHOUT)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(packer->compressor, ZSTD_c_dictIDFlag, 0)) ||
        ZSTD_isError(ZSTD_CCtx_refCDict(packer->compressor, packer->dictionary)))
        return oc_fail_memory();
    OC_TRY(oc_grow(&blob->bytes, &blob->capacity, bound + 1, 1));
    size_t length =
        ZSTD_compress2(packer->compressor, blob->bytes + 1, bound, columns->bytes, columns->length);
    if (ZSTD_getErrorCode(length) == ZSTD_error_memory_allocation)
        return oc_fail_memory();
    const bool smaller = !ZSTD_isError(length) && length < columns->length;
    blob->bytes[0] = PACKED_PLAIN;
    if (smaller) {
        blob->bytes[0] = packer->dictionary != NULL ? PACKED_WITH_DICTIONARY : PACKED_ZSTD;
        length -= MAGIC;
        memmove(blob->bytes + 1, blob->bytes + 1 + MAGIC, length);
    } else {
        length = columns->length;
        memcpy(blob->bytes + 1, columns->bytes, length);
    }
    blob->length = length + 1;
    return OCELOTL_OK;
}

void oc_blob_packer_free(oc_blob_packer *packer)
{
    ZSTD_freeCCtx(packer->compressor);
    *packer = (oc_blob_packer){0};
}

/* --- Dictionaries */

/* The tables of zstd that come before what the chunks have in common. */
static const size_t dictionary_tables = 4096;

/* Finishes a dictionary. Chunks may refer to the first eighth; the tables come from the rest, as a
 * chunk inside the dictionary would need none. */
static ocelotl_status finish_dictionary(oc_text *dictionary, const oc_text *shares,
                                        const size_t *lengths, size_t count)
{
    const ZDICT_params_t parameters = {.compressionLevel = LEVEL_WITH_DICTIONARY, .dictID = 1};
    const size_t known = count / 8;
    size_t length = 0;
    for (size_t i = 0; i < known; i++)
        length += lengths[i];
    const size_t room = length + dictionary_tables;
    OC_TRY(oc_grow(&dictionary->bytes, &dictionary->capacity, room + 1, 1));
    const size_t made = ZDICT_finalizeDictionary(dictionary->bytes, room, shares->bytes, length,
                                                 shares->bytes + length, lengths + known,
                                                 (unsigned)(count - known), parameters);
    if (ZSTD_getErrorCode(made) == ZSTD_error_memory_allocation)
        return oc_fail_memory();
    dictionary->length = ZDICT_isError(made) ? 0 : made;
    return OCELOTL_OK;
}

ocelotl_status oc_dictionary_make(oc_text *dictionary, const oc_text *columns, size_t count)
{
    oc_text shares = {0};
    size_t lengths[OC_DICTIONARY_CHUNKS];
    const size_t most = OC_DICTIONARY_SHARE;
    oc_text_clear(dictionary);
    if (count < OC_DICTIONARY_FEWEST || count > OC_DICTIONARY_CHUNKS)
        return OCELOTL_OK;
    for (size_t i = 0; i < count; i++) {
        lengths[i] = columns[i].length < most ? columns[i].length : most;
        oc_text_append(&shares, columns[i].bytes, lengths[i]);
    }
    const ocelotl_status status =
        shares.failed ? oc_fail_memory() : finish_dictionary(dictionary, &shares, lengths, count);
    oc_text_free(&shares);
    return status;
}

ocelotl_status oc_dictionary_pack(oc_text *packed, ZSTD_CDict **ready, const oc_text *dictionary)
{
    const size_t bound = ZSTD_compressBound(dictionary->length);
    *ready = NULL;
    oc_text_clear(packed);
    if (dictionary->length == 0)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&packed->bytes, &packed->capacity, bound + 1, 1));
    packed->length = ZSTD_compress(packed->bytes, bound, dictionary->bytes, dictionary->length,
                                   LEVEL_OF_DICTIONARIES);
    if (ZSTD_isError(packed->length))
        return oc_fail_memory();
    *ready = ZSTD_createCDict(dictionary->bytes, dictionary->length, LEVEL_WITH_DICTIONARY);
    return *ready == NULL ? oc_fail_memory() : OCELOTL_OK;
}

ocelotl_status oc_dictionary_unpack(ZSTD_DDict **dictionary, const void *packed, size_t length)
{
    void *bytes = NULL;
    ocelotl_status status = OCELOTL_OK;
    const unsigned long long size = ZSTD_getFrameContentSize(packed, length);
    *dictionary = NULL;
    if (size > OC_DICTIONARY_LONGEST || size == 0) /* what is wrong is a large number, too */
        return oc_fail(OCELOTL_ERROR_INPUT, "a dictionary of no length that it can have");
    OC_TRY(oc_allocate(&bytes, 1, (size_t)size));
    const bool unpacked = ZSTD_decompress(bytes, (size_t)size, packed, length) == size;
    if (unpacked)
        *dictionary = ZSTD_createDDict(bytes, (size_t)size);
    if (*dictionary == NULL)
        status = oc_fail(OCELOTL_ERROR_INPUT, unpacked ? "a dictionary that is none"
                                                       : "a dictionary that cannot be unpacked");
    free(bytes);
    return status;
}

static ocelotl_status damaged(void)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events");
}

static ocelotl_status decompress(oc_blob_opener *opener, const unsigned char *packed, size_t length,
                                 const ZSTD_DDict *dictionary)
{
    oc_text *frame = &opener->frame;
    oc_text_clear(frame);
    oc_text_append(frame, (const char *)magic, MAGIC);
    oc_text_append(frame, (const char *)packed, length);
    if (frame->failed)
        return oc_fail_memory();
    const unsigned long long size = ZSTD_getFrameContentSize(frame->bytes, frame->length);
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN ||
        size > largest_chunk ||
        size / ZSTD_BLOCKSIZE_MAX > frame->length / 4) /* a block takes four bytes at least */
        return damaged();
    if (opener->decompressor == NULL)
        opener->decompressor = ZSTD_createDCtx();
    if (opener->decompressor == NULL)
        return oc_fail_memory();
    OC_TRY(oc_grow(&opener->columns, &opener->capacity, (size_t)size + 1, 1));
    opener->length = ZSTD_decompress_usingDDict(opener->decompressor, opener->columns, (size_t)size,
                                                frame->bytes, frame->length, dictionary);
    if (ZSTD_getErrorCode(opener->length) == ZSTD_error_memory_allocation)
        return oc_fail_memory();
    return ZSTD_isError(opener->length) || opener->length != size ? damaged() : OCELOTL_OK;
}

ocelotl_status oc_blob_open(oc_blob_opener *opener, const unsigned char *blob, size_t length,
                            const ZSTD_DDict *dictionary)
{
    if (length == 0 || blob[0] > PACKED_WITH_DICTIONARY ||
        (blob[0] == PACKED_WITH_DICTIONARY && dictionary == NULL))
        return damaged();
    if (blob[0] != PACKED_PLAIN) {
        OC_TRY(decompress(opener, blob + 1, length - 1,
                          blob[0] == PACKED_WITH_DICTIONARY ? dictionary : NULL));
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
    oc_text_free(&opener->frame);
    *opener = (oc_blob_opener){0};
}

/* --- Columns */

/* Skips numbers: each has one byte below 0x80, its last. */
void oc_columns_skip(oc_bytes_reader *reader, size_t count)
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
    const unsigned char *first = bytes.next;
    at->read = oc_bytes_signed(&bytes);
    at->times = bytes.next;
    bytes.next = first;
    oc_columns_skip(&bytes, at->count);
    at->codes = bytes.next;
    oc_columns_skip(&bytes, at->count);
    at->depths = bytes.next;
    if (at->count == 0 || bytes.failed)
        return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: no records");
    return !__builtin_mul_overflow(at->read, (int64_t)unit, &at->time)
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: time out of range");
}

bool oc_states_read_depth(uint64_t *depth, oc_states_at *at)
{
    oc_bytes_reader bytes = {at->depths, at->end, false};
    *depth = oc_bytes_unsigned(&bytes);
    at->depths = bytes.next;
    return !bytes.failed;
}
