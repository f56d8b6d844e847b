#define _GNU_SOURCE
#include "base/input.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#ifdef OC_HAVE_LZMA
#include <lzma.h>
#endif

/* --- Compressions, recognised by their first bytes: a new one is an entry of the table */

/* One step of decoding: raw bytes in, text out. */
typedef struct decoding {
    const unsigned char *from; /* the raw bytes at hand */
    size_t length;
    char *to; /* room for text, at least a byte */
    size_t room;
    size_t used, made; /* how much of each the step took */
    bool inside;       /* in and out: a member or frame has begun and not ended */
    /* why the bytes cannot be decoded, NULL where they can; lives until the next step */
    const char *damage;
} decoding;

typedef struct compression {
    const char *name;    /* "gzip" */
    const char *unit;    /* what the data is made of, "gzip member"; NULL: it cannot be read */
    const char *command; /* what decodes a file to standard output */
    const char *missing; /* why a build cannot read what others can, or NULL */
    bool (*recognises)(const unsigned char *bytes, size_t length);
    ocelotl_status (*begin)(void **state);
    ocelotl_status (*decode)(void *state, decoding *step); /* errors: MEMORY */
    void (*end)(void *state);
} compression;

/* How many bytes it takes to recognise any of them. */
enum { OC_COMPRESSION_HEAD = 6 };

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

static ocelotl_status decode_gzip(void *state, decoding *step)
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

static ocelotl_status decode_zstd(void *state, decoding *step)
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

/* Between two streams there may be zeros. */
static size_t skip_padding(const decoding *step)
{
    size_t zeros = 0;
    while (!step->inside && zeros < step->length && step->from[zeros] == 0)
        zeros++;
    return zeros;
}

static ocelotl_status decode_xz(void *state, decoding *step)
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

/* --- What others have to decode */

static bool is_bzip2(const unsigned char *bytes, size_t length)
{
    return begins(bytes, length, "BZh", 3) && length >= 4 && bytes[3] >= '1' && bytes[3] <= '9';
}

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

static const compression compressions[] = {
    {"gzip", "gzip member", "gzip -dc", NULL, is_gzip, begin_gzip, decode_gzip, end_gzip},
    {"zstd", "zstd frame", "zstd -dc", NULL, is_zstd, begin_zstd, decode_zstd, end_zstd},
#ifdef OC_HAVE_LZMA
    {"xz", "xz stream", "xz -dc", NULL, is_xz, begin_xz, decode_xz, end_xz},
#else
    {"xz", NULL, "xz -dc", "built without liblzma (Debian's liblzma-dev)", is_xz, NULL, NULL, NULL},
#endif
    {"bzip2", NULL, "bzip2 -dc", NULL, is_bzip2, NULL, NULL, NULL},
    {"lz4", NULL, "lz4 -dc", NULL, is_lz4, NULL, NULL, NULL},
    {"lzip", NULL, "lzip -dc", NULL, is_lzip, NULL, NULL, NULL},
    {"compress", NULL, "gzip -dc", NULL, is_compress, NULL, NULL, NULL},
};

/* The compression of data that begins like this, NULL where none is known: plain data. */
static const compression *compression_of(const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < sizeof compressions / sizeof compressions[0]; i++)
        if (compressions[i].recognises(bytes, length))
            return &compressions[i];
    return NULL;
}

/* --- The input */

enum { RAW_SIZE = 1 << 17 };
static const int longest_wait = 50; /* milliseconds */

struct oc_input {
    char *name;
    int file;                  /* -1: not open */
    bool is_standard;          /* not ours to close */
    ocelotl_progress progress; /* asked when a wait is interrupted */
    void *progress_context;
    const bool *stops; /* looked at while there is nothing to read, or NULL */
    uint64_t size;
    uint64_t fetched;               /* bytes read from the file so far */
    const compression *compression; /* NULL: none */
    void *decoder;                  /* its state */
    /* why compressed data ends before its end; empty: it does not */
    oc_text loss;
    bool salvages; /* then that is the end, else an error */
    bool inside;   /* a member or frame has begun and not ended */
    /* the decoder may hold more output than the last caller had room for */
    bool pending;
    oc_text unread; /* bytes put back, and how many of them are read again */
    size_t unread_first;
    size_t raw_first, raw_length;
    unsigned char raw[RAW_SIZE];
};

static ocelotl_status open_file(oc_input *input, const char *path)
{
    struct stat found;
    input->is_standard = strcmp(path, "-") == 0;
    input->file = input->is_standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (input->file < 0 || fstat(input->file, &found) != 0)
        return oc_fail(OCELOTL_ERROR_IO, "%s: cannot open: %s", input->name, strerror(errno));
    if (S_ISDIR(found.st_mode))
        return oc_fail(OCELOTL_ERROR_IO, "%s: is a directory, expected a file", input->name);
    input->size = S_ISREG(found.st_mode) && found.st_size > 0 ? (uint64_t)found.st_size : 0;
    return OCELOTL_OK;
}

/* Regular files never let anybody wait. */
static ocelotl_status wait_for_bytes(const oc_input *input)
{
    struct pollfd file = {.fd = input->file, .events = POLLIN};
    while (input->size == 0 && poll(&file, 1, longest_wait) <= 0)
        if (__atomic_load_n(input->stops, __ATOMIC_RELAXED))
            return oc_fail(OCELOTL_ERROR_CANCELLED, "%s: reading was cancelled", input->name);
    return OCELOTL_OK;
}

/* What one system call gives; nothing at the end. */
static ocelotl_status call_read(size_t *length, oc_input *input, void *buffer, size_t size)
{
    ssize_t got;
    if (input->stops != NULL)
        OC_TRY(wait_for_bytes(input));
    while ((got = read(input->file, buffer, size)) < 0 && errno == EINTR)
        if (input->progress != NULL &&
            !input->progress(input->progress_context, oc_input_position(input), input->size))
            return oc_fail(OCELOTL_ERROR_CANCELLED, "%s: reading was cancelled", input->name);
    if (got < 0)
        return oc_fail(OCELOTL_ERROR_IO, "%s: cannot read: %s", input->name, strerror(errno));
    input->fetched += (uint64_t)got;
    *length = (size_t)got;
    return OCELOTL_OK;
}

/* Appends what one system call gives to the raw bytes; *at_end where it gives nothing. */
static ocelotl_status fetch(oc_input *input, bool *at_end)
{
    if (input->raw_length == 0)
        input->raw_first = 0;
    const size_t used = input->raw_first + input->raw_length;
    size_t got = 0;
    OC_TRY(call_read(&got, input, input->raw + used, RAW_SIZE - used));
    input->raw_length += got;
    *at_end = got == 0;
    return OCELOTL_OK;
}

/* A stream has no name that a command could be given. */
static ocelotl_status fail_unread(const oc_input *input)
{
    const compression *with = input->compression;
    const char *missing = with->missing != NULL ? with->missing : "";
    if (input->is_standard)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: is compressed by %s, which cannot be read here%s%s, expected %s before",
                       input->name, with->name, missing[0] != '\0' ? ": " : "", missing,
                       with->command);
    return oc_fail(
        OCELOTL_ERROR_INPUT,
        "%s: is compressed by %s, which cannot be read here%s%s, expected %s %s | ocelotl-cli -",
        input->name, with->name, missing[0] != '\0' ? ": " : "", missing, with->command,
        input->name);
}

static ocelotl_status recognise(oc_input *input)
{
    bool at_end = false;
    while (input->raw_length < OC_COMPRESSION_HEAD && !at_end)
        OC_TRY(fetch(input, &at_end));
    input->compression = compression_of(input->raw, input->raw_length);
    if (input->compression == NULL)
        return OCELOTL_OK;
    return input->compression->unit != NULL ? input->compression->begin(&input->decoder)
                                            : fail_unread(input);
}

static ocelotl_status open_input(oc_input *input, const char *path)
{
    OC_TRY(oc_copy_text(&input->name, strcmp(path, "-") == 0 ? "standard input" : path));
    OC_TRY(open_file(input, path));
    return recognise(input);
}

void oc_input_heed(oc_input *input, const bool *stops)
{
    input->progress = NULL;
    input->stops = stops;
}

ocelotl_status oc_input_open(oc_input **input, const char *path)
{
    return oc_input_open_cancellable(input, path, NULL, NULL);
}

ocelotl_status oc_input_open_cancellable(oc_input **input, const char *path,
                                         ocelotl_progress progress, void *context)
{
    oc_input *opened;
    OC_TRY(oc_allocate(&opened, 1, sizeof *opened));
    opened->file = -1;
    opened->progress = progress;
    opened->progress_context = context;
    const ocelotl_status status = open_input(opened, path);
    if (status != OCELOTL_OK)
        oc_input_free(opened);
    else
        *input = opened;
    return status;
}

void oc_input_free(oc_input *input)
{
    if (input == NULL)
        return;
    if (input->file >= 0 && !input->is_standard)
        close(input->file);
    if (input->decoder != NULL)
        input->compression->end(input->decoder);
    oc_text_free(&input->loss);
    oc_text_free(&input->unread);
    free(input->name);
    free(input);
}

static void consume(oc_input *input, size_t length)
{
    input->raw_first += length;
    input->raw_length -= length;
}

static size_t copy_plain(oc_input *input, char *buffer, size_t size)
{
    const size_t length = size < input->raw_length ? size : input->raw_length;
    memcpy(buffer, input->raw + input->raw_first, length);
    consume(input, length);
    return length;
}

/* Where the rest cannot be had; what was decoded before is. */
static ocelotl_status lose(oc_input *input, const char *damage)
{
    if (damage != NULL)
        oc_text_format(&input->loss, "the compressed data is damaged (%s), expected %s", damage,
                       input->compression->name);
    else
        oc_text_format(&input->loss,
                       "the compressed data ends too early, expected the rest of its %s",
                       input->compression->unit);
    return input->loss.failed ? oc_fail_memory() : OCELOTL_OK;
}

/* One step of the decoder; *made may be 0. There are raw bytes, or a member or frame has begun. */
static ocelotl_status decode(oc_input *input, char *buffer, size_t size, size_t *made)
{
    decoding step = {.from = input->raw + input->raw_first,
                     .length = input->raw_length,
                     .to = buffer,
                     .room = size,
                     .inside = input->inside};
    if (input->compression == NULL) {
        *made = copy_plain(input, buffer, size);
        return OCELOTL_OK;
    }
    OC_TRY(input->compression->decode(input->decoder, &step));
    consume(input, step.used);
    *made = step.made;
    input->inside = step.inside;
    input->pending = step.inside && step.made == size;
    return step.damage != NULL ? lose(input, step.damage) : OCELOTL_OK;
}

static ocelotl_status end_lost(const oc_input *input, size_t *read)
{
    *read = 0;
    return input->salvages ? OCELOTL_OK
                           : oc_fail(OCELOTL_ERROR_INPUT, "%s: %s", input->name, input->loss.bytes);
}

static ocelotl_status read_on(oc_input *input, char *buffer, size_t size, size_t *read)
{
    size_t made = 0;
    bool at_end = false;
    if (input->compression == NULL && input->raw_length == 0)
        return call_read(read, input, buffer, size);
    while (made == 0 && !at_end && input->loss.length == 0) {
        if (input->raw_length == 0 && !input->pending)
            OC_TRY(fetch(input, &at_end));
        if (!at_end)
            OC_TRY(decode(input, buffer, size, &made));
    }
    if (made == 0 && input->inside && input->loss.length == 0)
        OC_TRY(lose(input, NULL));
    if (made == 0 && input->loss.length > 0)
        return end_lost(input, read);
    *read = made;
    return OCELOTL_OK;
}

void oc_input_salvage(oc_input *input, bool salvages)
{
    input->salvages = salvages;
}

const char *oc_input_loss(const oc_input *input)
{
    return input->loss.length > 0 ? input->loss.bytes : NULL;
}

ocelotl_status oc_input_unread(oc_input *input, const char *bytes, size_t length)
{
    oc_text joined = {0};
    const size_t left = input->unread.length - input->unread_first;
    oc_text_append(&joined, bytes, length);
    if (left > 0)
        oc_text_append(&joined, input->unread.bytes + input->unread_first, left);
    if (joined.failed) {
        oc_text_free(&joined);
        return oc_fail_memory();
    }
    oc_text_free(&input->unread);
    input->unread = joined;
    input->unread_first = 0;
    return OCELOTL_OK;
}

static size_t read_again(oc_input *input, char *buffer, size_t size)
{
    const size_t left = input->unread.length - input->unread_first;
    const size_t length = size < left ? size : left;
    if (length > 0)
        memcpy(buffer, input->unread.bytes + input->unread_first, length);
    input->unread_first += length;
    return length;
}

ocelotl_status oc_input_read(oc_input *input, char *buffer, size_t size, size_t *read)
{
    const size_t again = read_again(input, buffer, size);
    if (again == 0)
        return read_on(input, buffer, size, read);
    *read = again;
    return OCELOTL_OK;
}

uint64_t oc_input_position(const oc_input *input)
{
    return input->fetched - input->raw_length;
}

uint64_t oc_input_size(const oc_input *input)
{
    return input->size;
}

const char *oc_input_name(const oc_input *input)
{
    return input->name;
}
