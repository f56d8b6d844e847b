/* The compressions that are recognised: a new one is an entry of the table. */
#define _GNU_SOURCE
#include "base/file/compression.h"

#include "base/memory.h"
#include "base/text.h"

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
    /* 32 more than the largest window: gzip's frame or zlib's */
    if (inflateInit2(stream, 15 + 32) != Z_OK) {
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

/* --- zip: its only file, stored or deflated; folders, and what an Apple puts beside a file, are
 * passed. It is read front to back: each file stands behind a header of its own, and the list of
 * all of them at the end is not needed. So a zip may come from a pipe. */

/* The parts of a zip, by what is read next. */
typedef enum part {
    SIGNATURE,
    HEADER,     /* behind its signature */
    NAME,       /* and extra fields */
    FILE_BYTES, /* of the trace, or of what is passed */
    DESCRIPTOR, /* the sizes, where they were not known before */
    LIST        /* to the end, of no interest */
} part;

enum { SIGNATURE_SIZE = 4, HEADER_SIZE = 26, STORED = 0, DEFLATED = 8, ZIP64 = 1 };
enum { ENCRYPTED = 1, DESCRIBED = 8 }; /* flags of a file */

static const uint32_t file_signature = 0x04034B50;
static const uint32_t descriptor_signature = 0x08074B50;
static const uint32_t list_signatures[] = {0x02014B50, 0x06054B50, 0x06064B50, 0x08064B50};
static const char apple_folder[] = "__MACOSX/";

typedef struct zip {
    part part;
    oc_text gathered; /* of the part, where it is looked at as a whole */
    z_stream stream;
    bool has_stream;
    bool has_file; /* the trace has begun */
    bool passes;   /* the file is another one, or a folder */
    bool is_described, is_zip64;
    unsigned method;
    uint32_t checksum, expected;
    uint64_t left; /* bytes of the file, where they are stored */
} zip;

static uint32_t number(const zip *from, size_t place, size_t bytes)
{
    uint32_t read = 0;
    for (size_t i = bytes; i > 0; i--)
        read = read << 8 | (unsigned char)from->gathered.bytes[place + i - 1];
    return read;
}

/* Returns whether bytes begin a zip, with a file or without any. */
static bool is_zip(const unsigned char *bytes, size_t length)
{
    return begins(bytes, length, "PK\x03\x04", 4) || begins(bytes, length, "PK\x05\x06", 4);
}

static ocelotl_status begin_zip(void **state)
{
    zip *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    *state = made;
    return OCELOTL_OK;
}

static void end_zip(void *state)
{
    zip *from = state;
    if (from->has_stream)
        inflateEnd(&from->stream);
    oc_text_free(&from->gathered);
    free(from);
}

static void refuse(oc_decoding *step, const char *what)
{
    step->damage = what;
    step->is_refused = true;
}

static void go_on(zip *from, part next)
{
    oc_text_clear(&from->gathered);
    from->part = next;
}

/* Appends raw bytes up to `size` in all; *whole tells whether they were enough. */
static ocelotl_status gather(bool *whole, zip *from, oc_decoding *step, size_t size)
{
    const size_t left = step->length - step->used;
    const size_t wanted = size - from->gathered.length;
    const size_t taken = left < wanted ? left : wanted;
    oc_text_append(&from->gathered, (const char *)step->from + step->used, taken);
    step->used += taken;
    *whole = taken == wanted;
    return from->gathered.failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status read_signature(zip *from, oc_decoding *step)
{
    bool whole;
    OC_TRY(gather(&whole, from, step, SIGNATURE_SIZE));
    if (!whole)
        return OCELOTL_OK;
    const uint32_t found = number(from, 0, SIGNATURE_SIZE);
    go_on(from, found == file_signature ? HEADER : LIST);
    bool known = found == file_signature;
    for (size_t i = 0; i < sizeof list_signatures / sizeof list_signatures[0]; i++)
        known = known || found == list_signatures[i];
    if (!known)
        step->damage = "no beginning of a file";
    else if (from->part == LIST && !from->has_file)
        refuse(step, "holds no file, expected one");
    return OCELOTL_OK;
}

/* Whether the header has the field of sizes of 64 bits. */
static bool has_zip64(const zip *from, size_t place)
{
    const size_t end = from->gathered.length;
    while (place + 4 <= end) {
        if (number(from, place, 2) == ZIP64)
            return true;
        place += 4 + number(from, place + 2, 2);
    }
    return false;
}

/* The size of a stored file, where 32 bits are not enough for it. */
static uint64_t long_size(const zip *from, size_t place)
{
    const size_t end = from->gathered.length;
    for (; place + 20 <= end; place += 4 + number(from, place + 2, 2))
        if (number(from, place, 2) == ZIP64) /* the size as it is, then packed */
            return number(from, place + 12, 4) | (uint64_t)number(from, place + 16, 4) << 32;
    return 0;
}

static ocelotl_status begin_file(zip *from, oc_decoding *step, size_t name)
{
    const char *bytes = from->gathered.bytes + HEADER_SIZE;
    const unsigned flags = number(from, 2, 2);
    const uint32_t size = number(from, 14, 4);
    const size_t apple = sizeof apple_folder - 1;
    from->method = number(from, 4, 2);
    from->expected = number(from, 10, 4);
    from->passes = (name > 0 && bytes[name - 1] == '/') ||
                   (name > apple && memcmp(bytes, apple_folder, apple) == 0);
    from->is_described = (flags & DESCRIBED) != 0;
    from->is_zip64 = has_zip64(from, HEADER_SIZE + name);
    from->left = size == UINT32_MAX ? long_size(from, HEADER_SIZE + name) : size;
    from->checksum = 0;
    if ((flags & ENCRYPTED) != 0)
        refuse(step, "is encrypted, expected one without a password");
    else if (from->method != DEFLATED && (from->method != STORED || from->is_described))
        refuse(step, "packs its file in another way, expected stored or deflated");
    else if (!from->passes && from->has_file)
        refuse(step, "holds a second file, expected one alone");
    from->has_file = from->has_file || !from->passes;
    if (from->method != DEFLATED || step->damage != NULL)
        return OCELOTL_OK;
    if (!from->has_stream && inflateInit2(&from->stream, -15) != Z_OK) /* without a frame */
        return oc_fail_memory();
    if (from->has_stream)
        (void)inflateReset(&from->stream);
    from->has_stream = true;
    return OCELOTL_OK;
}

static ocelotl_status read_name(zip *from, oc_decoding *step)
{
    bool whole;
    const size_t name = number(from, 22, 2);
    const size_t extra = number(from, 24, 2);
    OC_TRY(gather(&whole, from, step, HEADER_SIZE + name + extra));
    if (!whole)
        return OCELOTL_OK;
    OC_TRY(begin_file(from, step, name));
    go_on(from, FILE_BYTES);
    return OCELOTL_OK;
}

static void end_file(zip *from, oc_decoding *step)
{
    from->is_zip64 = from->is_zip64 || from->stream.total_out > UINT32_MAX;
    go_on(from, from->is_described ? DESCRIPTOR : SIGNATURE);
    if (!from->is_described && from->checksum != from->expected)
        step->damage = "its checksum is another";
}

/* Reads deflated data; that of a skipped file is discarded. */
static ocelotl_status read_deflated(zip *from, oc_decoding *step)
{
    char nowhere[4096];
    char *to = from->passes ? nowhere : step->to + step->made;
    const size_t room = from->passes ? sizeof nowhere : step->room - step->made;
    z_stream *stream = &from->stream;
    const size_t left = step->length - step->used;
    stream->next_in = (unsigned char *)step->from + step->used; /* zlib does not write to it */
    stream->avail_in = within_uint(left);
    stream->next_out = (unsigned char *)to;
    stream->avail_out = within_uint(room);
    const int result = inflate(stream, Z_NO_FLUSH);
    const size_t made = (size_t)((char *)stream->next_out - to);
    step->used = (size_t)(stream->next_in - step->from);
    from->checksum = (uint32_t)crc32_z(from->checksum, (const unsigned char *)to, made);
    step->made += from->passes ? 0 : made;
    if (result == Z_MEM_ERROR)
        return oc_fail_memory();
    if (result == Z_STREAM_END)
        end_file(from, step);
    else if (result != Z_OK && result != Z_BUF_ERROR)
        step->damage = stream->msg != NULL ? stream->msg : "unknown reason";
    return OCELOTL_OK;
}

static void read_stored(zip *from, oc_decoding *step)
{
    const unsigned char *bytes = step->from + step->used;
    const size_t room = from->passes ? SIZE_MAX : step->room - step->made;
    size_t taken = step->length - step->used;
    taken = taken < room ? taken : room;
    taken = taken < from->left ? taken : (size_t)from->left;
    if (!from->passes && taken > 0)
        memcpy(step->to + step->made, bytes, taken);
    from->checksum = (uint32_t)crc32_z(from->checksum, bytes, taken);
    step->used += taken;
    step->made += from->passes ? 0 : taken;
    from->left -= taken;
    if (from->left == 0)
        end_file(from, step);
}

/* Reads a descriptor, with or without a signature: the checksum and two sizes. */
static ocelotl_status read_descriptor(zip *from, oc_decoding *step)
{
    bool whole;
    OC_TRY(gather(&whole, from, step, SIGNATURE_SIZE));
    if (!whole)
        return OCELOTL_OK;
    const size_t sizes = from->is_zip64 ? 16 : 8;
    const size_t before = number(from, 0, 4) == descriptor_signature ? SIGNATURE_SIZE : 0;
    OC_TRY(gather(&whole, from, step, before + 4 + sizes));
    if (!whole)
        return OCELOTL_OK;
    if (number(from, before, 4) != from->checksum)
        step->damage = "its checksum is another";
    go_on(from, SIGNATURE);
    return OCELOTL_OK;
}

static ocelotl_status read_part(zip *from, oc_decoding *step)
{
    bool whole;
    switch (from->part) {
    case SIGNATURE:
        return read_signature(from, step);
    case HEADER:
        OC_TRY(gather(&whole, from, step, HEADER_SIZE));
        if (whole)
            from->part = NAME;
        return OCELOTL_OK;
    case NAME:
        return read_name(from, step);
    case FILE_BYTES:
        if (from->method == DEFLATED)
            return read_deflated(from, step);
        read_stored(from, step);
        return OCELOTL_OK;
    case DESCRIPTOR:
        return read_descriptor(from, step);
    case LIST:
        step->used = step->length;
        return OCELOTL_OK;
    }
    return OCELOTL_OK;
}

/* Part by part until one can do no more. A file that has filled the room may have more to give
 * without another raw byte. */
static ocelotl_status decode_zip(void *state, oc_decoding *step)
{
    zip *from = state;
    part before;
    size_t used;
    size_t made;
    step->used = 0;
    step->made = 0;
    do {
        before = from->part;
        used = step->used;
        made = step->made;
        OC_TRY(read_part(from, step));
    } while (step->damage == NULL && step->made < step->room &&
             (from->part != before || step->used > used || step->made > made));
    step->inside = from->part != LIST;
    return OCELOTL_OK;
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
    {"zip", "zip archive", "unzip -p", NULL, is_zip, begin_zip, decode_zip, end_zip},
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

static ocelotl_status decode_bytes(oc_text *text, oc_decoding *step, void *state, size_t most,
                                   ocelotl_status (*decode)(void *, oc_decoding *))
{
    for (;;) {
        OC_TRY(decode(state, step));
        step->from += step->used;
        step->length -= step->used;
        oc_text_append(text, step->to, step->made);
        if (text->failed)
            return oc_fail_memory();
        const bool stands = step->used == 0 && step->made == 0;
        if (step->damage != NULL || text->length > most || (step->inside && stands))
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "compressed bytes cannot be read (%s), expected whole ones",
                           step->damage != NULL  ? step->damage
                           : text->length > most ? "too many"
                                                 : "cut");
        if (!step->inside)
            return OCELOTL_OK;
    }
}

ocelotl_status oc_decode_bytes(oc_text *text, const char *bytes, size_t length, size_t most)
{
    void *state = NULL;
    char block[16384];
    oc_decoding step = {.from = (const unsigned char *)bytes,
                        .length = length,
                        .to = block,
                        .room = sizeof block,
                        .inside = false};
    const bool is_frame = is_zstd(step.from, length);
    OC_TRY(is_frame ? begin_zstd(&state) : begin_gzip(&state));
    step.inside = !is_frame; /* a new stream needs no reset */
    const ocelotl_status status =
        decode_bytes(text, &step, state, most, is_frame ? decode_zstd : decode_gzip);
    (is_frame ? end_zstd : end_gzip)(state);
    return status;
}
