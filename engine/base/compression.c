/* The compressions that are recognised: a new one is an entry of the table. */
#define _GNU_SOURCE
#include "base/compression.h"

#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#ifdef OC_HAVE_LZMA
#include <lzma.h>
#endif
#ifdef OC_HAVE_BZIP2
#include <bzlib.h>
#endif

static bool begins(const unsigned char *bytes, size_t length, const char *magic, size_t size)
{
    return length >= size && memcmp(bytes, magic, size) == 0;
}

/* --- gzip */

static bool is_gzip(const unsigned char *bytes, size_t length)
{
    return begins(bytes, length, "\x1F\x8B", 2);
}

static ocelotl_status begin_gzip(void **state)
{
    z_stream *stream;
    OC_TRY(oc_allocate(&stream, 1, sizeof *stream));
    /* 16 more than the largest window: gzip's frame, not zlib's */
    if (inflateInit2(stream, 15 + 16) != Z_OK) {
        free(stream);
        return oc_fail_memory();
    }
    *state = stream;
    return OCELOTL_OK;
}

static uInt within_uint(size_t size)
{
    return size < UINT_MAX ? (uInt)size : UINT_MAX;
}

static ocelotl_status decode_gzip(void *state, oc_decoding *step)
{
    z_stream *stream = state;
    if (!step->inside && inflateReset(stream) != Z_OK) {
        step->damage = "state lost";
        return OCELOTL_OK;
    }
    stream->next_in = (unsigned char *)step->from; /* zlib does not write to it */
    stream->avail_in = within_uint(step->length);
    stream->next_out = (unsigned char *)step->to;
    stream->avail_out = within_uint(step->room);
    const int result = inflate(stream, Z_NO_FLUSH);
    step->used = (size_t)(stream->next_in - step->from);
    step->made = (size_t)(stream->next_out - (unsigned char *)step->to);
    if (result == Z_MEM_ERROR)
        return oc_fail_memory();
    /* Z_BUF_ERROR only says that there was nothing left to do */
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        step->damage = stream->msg != NULL ? stream->msg : "unknown reason";
    step->inside = result != Z_STREAM_END;
    return OCELOTL_OK;
}

static void end_gzip(void *state)
{
    inflateEnd(state);
    free(state);
}

/* --- zstd */

/* A frame of data, or one of the sixteen kinds to be skipped. */
static bool is_zstd(const unsigned char *bytes, size_t length)
{
    return begins(bytes, length, "\x28\xB5\x2F\xFD", 4) ||
           (length >= 4 && (bytes[0] & 0xF0) == 0x50 && memcmp(bytes + 1, "\x2A\x4D\x18", 3) == 0);
}

static ocelotl_status begin_zstd(void **state)
{
    *state = ZSTD_createDStream();
    return *state != NULL ? OCELOTL_OK : oc_fail_memory();
}

static ocelotl_status decode_zstd(void *state, oc_decoding *step)
{
    ZSTD_inBuffer from = {step->from, step->length, 0};
    ZSTD_outBuffer to = {step->to, step->room, 0};
    const size_t result = ZSTD_decompressStream(state, &to, &from);
    if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation)
        return oc_fail_memory();
    if (ZSTD_isError(result))
        step->damage = ZSTD_getErrorName(result);
    step->used = from.pos;
    step->made = to.pos;
    step->inside = result != 0;
    return OCELOTL_OK;
}

static void end_zstd(void *state)
{
    ZSTD_freeDStream(state);
}

/* --- xz */

static bool is_xz(const unsigned char *bytes, size_t length)
{
    return begins(bytes, length, "\xFD\x37\x7A\x58\x5A\x00", 6);
}

#ifdef OC_HAVE_LZMA

/* Sixteen times what `xz -9` needs: a few bytes must not ask for any amount of memory. */
static const uint64_t most_memory = (uint64_t)1 << 30;

static ocelotl_status begin_xz(void **state)
{
    lzma_stream *stream;
    OC_TRY(oc_allocate(&stream, 1, sizeof *stream));
    *stream = (lzma_stream)LZMA_STREAM_INIT;
    *state = stream;
    return OCELOTL_OK;
}

static const char *explain_xz(lzma_ret result)
{
    if (result == LZMA_MEMLIMIT_ERROR)
        return "needs more than 1 GiB of memory";
    if (result == LZMA_FORMAT_ERROR)
        return "no beginning of a stream";
    return result == LZMA_OPTIONS_ERROR ? "unknown filters" : "data error";
}

/* Skips zeros between two streams. */
static size_t skip_padding(const oc_decoding *step)
{
    size_t zeros = 0;
    while (!step->inside && zeros < step->length && step->from[zeros] == 0)
        zeros++;
    return zeros;
}

static ocelotl_status decode_xz(void *state, oc_decoding *step)
{
    lzma_stream *stream = state;
    const size_t padding = skip_padding(step);
    step->used = padding;
    step->made = 0;
    if (!step->inside && padding == step->length)
        return OCELOTL_OK;
    if (!step->inside && lzma_stream_decoder(stream, most_memory, 0) != LZMA_OK)
        return oc_fail_memory();
    stream->next_in = step->from + padding;
    stream->avail_in = step->length - padding;
    stream->next_out = (uint8_t *)step->to;
    stream->avail_out = step->room;
    const lzma_ret result = lzma_code(stream, LZMA_RUN);
    step->used = step->length - stream->avail_in;
    step->made = step->room - stream->avail_out;
    if (result == LZMA_MEM_ERROR)
        return oc_fail_memory();
    /* LZMA_BUF_ERROR only says that there was nothing left to do */
    if (result != LZMA_OK && result != LZMA_STREAM_END && result != LZMA_BUF_ERROR)
        step->damage = explain_xz(result);
    step->inside = result != LZMA_STREAM_END;
    return OCELOTL_OK;
}

static void end_xz(void *state)
{
    lzma_end(state);
    free(state);
}

#endif

/* --- bzip2 */

static bool is_bzip2(const unsigned char *bytes, size_t length)
{
    return begins(bytes, length, "BZh", 3) && length >= 4 && bytes[3] >= '1' && bytes[3] <= '9';
}

#ifdef OC_HAVE_BZIP2

static ocelotl_status begin_bzip2(void **state)
{
    bz_stream *stream;
    OC_TRY(oc_allocate(&stream, 1, sizeof *stream));
    *state = stream;
    return OCELOTL_OK;
}

static ocelotl_status decode_bzip2(void *state, oc_decoding *step)
{
    bz_stream *stream = state;
    if (!step->inside) {
        BZ2_bzDecompressEnd(stream); /* of the stream before, where there was one */
        *stream = (bz_stream){0};
        if (BZ2_bzDecompressInit(stream, 0, 0) != BZ_OK)
            return oc_fail_memory();
    }
    stream->next_in = (char *)step->from; /* the library does not write to it */
    stream->avail_in = within_uint(step->length);
    stream->next_out = step->to;
    stream->avail_out = within_uint(step->room);
    const int result = BZ2_bzDecompress(stream);
    step->used = (size_t)((const unsigned char *)stream->next_in - step->from);
    step->made = (size_t)(stream->next_out - step->to);
    if (result == BZ_MEM_ERROR)
        return oc_fail_memory();
    if (result != BZ_OK && result != BZ_STREAM_END)
        step->damage = result == BZ_DATA_ERROR_MAGIC ? "no beginning of a stream" : "data error";
    step->inside = result != BZ_STREAM_END;
    return OCELOTL_OK;
}

static void end_bzip2(void *state)
{
    BZ2_bzDecompressEnd(state);
    free(state);
}

#endif

/* --- zip */

/* Returns whether bytes begin a zip, with a file or without any. */
static bool is_zip(const unsigned char *bytes, size_t length)
{
    return begins(bytes, length, "PK\x03\x04", 4) || begins(bytes, length, "PK\x05\x06", 4);
}

/* --- What others have to decode */

static bool is_lz4(const unsigned char *bytes, size_t length)
{
    return begins(bytes, length, "\x04\x22\x4D\x18", 4);
}

static bool is_lzip(const unsigned char *bytes, size_t length)
{
    return begins(bytes, length, "LZIP", 4);
}

static bool is_compress(const unsigned char *bytes, size_t length)
{
    return begins(bytes, length, "\x1F\x9D", 2);
}

static const oc_compression compressions[] = {
    {"gzip", "gzip member", "gzip -dc", NULL, is_gzip, begin_gzip, decode_gzip, end_gzip},
    {"zstd", "zstd frame", "zstd -dc", NULL, is_zstd, begin_zstd, decode_zstd, end_zstd},
#ifdef OC_HAVE_LZMA
    {"xz", "xz stream", "xz -dc", NULL, is_xz, begin_xz, decode_xz, end_xz},
#else
    {"xz", NULL, "xz -dc", "built without liblzma (Debian's liblzma-dev)", is_xz, NULL, NULL, NULL},
#endif
#ifdef OC_HAVE_BZIP2
    {"bzip2", "bzip2 stream", "bzip2 -dc", NULL, is_bzip2, begin_bzip2, decode_bzip2, end_bzip2},
#else
    {"bzip2", NULL, "bzip2 -dc", "built without libbz2 (Debian's libbz2-dev)", is_bzip2, NULL, NULL,
     NULL},
#endif
    {"zip", "zip archive", "unzip -p", NULL, is_zip, oc_zip_begin, oc_zip_decode, oc_zip_end},
    {"lz4", NULL, "lz4 -dc", NULL, is_lz4, NULL, NULL, NULL},
    {"lzip", NULL, "lzip -dc", NULL, is_lzip, NULL, NULL, NULL},
    {"compress", NULL, "gzip -dc", NULL, is_compress, NULL, NULL, NULL},
};

const oc_compression *oc_compression_of(const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < sizeof compressions / sizeof compressions[0]; i++)
        if (compressions[i].recognises(bytes, length))
            return &compressions[i];
    return NULL;
}
