#define _GNU_SOURCE
#include "base/input.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { RAW_SIZE = 1 << 17 };

typedef enum oc_compression { OC_PLAIN, OC_GZIP, OC_ZSTD } oc_compression;

struct oc_input {
    char *name;
    int file;                  /* -1: not open */
    bool is_standard;          /* not ours to close */
    ocelotl_progress progress; /* asked when a wait is interrupted */
    void *progress_context;
    uint64_t size;
    uint64_t fetched; /* bytes read from the file so far */
    oc_compression compression;
    z_stream gzip;
    bool gzip_begun;
    ZSTD_DStream *zstd;
    bool inside;    /* a member or frame has begun and not ended */
    bool pending;   /* the decoder may hold more output than the last caller had room for */
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

/* What one system call gives; nothing at the end. */
static ocelotl_status call_read(size_t *length, oc_input *input, void *buffer, size_t size)
{
    ssize_t got;
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

/* A frame of data, or one of the sixteen kinds to be skipped. */
static bool is_zstd(const unsigned char *bytes, size_t length)
{
    return length >= 4 && (memcmp(bytes, "\x28\xB5\x2F\xFD", 4) == 0 ||
                           ((bytes[0] & 0xF0) == 0x50 && memcmp(bytes + 1, "\x2A\x4D\x18", 3) == 0));
}

static ocelotl_status recognise(oc_input *input)
{
    bool at_end = false;
    while (input->raw_length < 4 && !at_end)
        OC_TRY(fetch(input, &at_end));
    if (input->raw_length >= 2 && memcmp(input->raw, "\x1F\x8B", 2) == 0)
        input->compression = OC_GZIP;
    else if (is_zstd(input->raw, input->raw_length))
        input->compression = OC_ZSTD;
    return OCELOTL_OK;
}

static ocelotl_status start_decoder(oc_input *input)
{
    /* 16 more than the largest window: gzip's frame, not zlib's */
    if (input->compression == OC_GZIP) {
        if (inflateInit2(&input->gzip, 15 + 16) != Z_OK)
            return oc_fail_memory();
        input->gzip_begun = true;
    }
    if (input->compression == OC_ZSTD) {
        input->zstd = ZSTD_createDStream();
        if (input->zstd == NULL)
            return oc_fail_memory();
    }
    return OCELOTL_OK;
}

static ocelotl_status open_input(oc_input *input, const char *path)
{
    OC_TRY(oc_copy_text(&input->name, strcmp(path, "-") == 0 ? "standard input" : path));
    OC_TRY(open_file(input, path));
    OC_TRY(recognise(input));
    return start_decoder(input);
}

ocelotl_status oc_input_open(oc_input **input, const char *path)
{
    return oc_input_open_cancellable(input, path, NULL, NULL);
}

ocelotl_status oc_input_open_cancellable(oc_input **input, const char *path, ocelotl_progress progress,
                                         void *context)
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
    if (input->gzip_begun)
        inflateEnd(&input->gzip);
    ZSTD_freeDStream(input->zstd);
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

static ocelotl_status damaged(const oc_input *input, const char *format, const char *reason)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: the compressed data is damaged (%s), expected %s", input->name, reason,
                   format);
}

static ocelotl_status decode_gzip(oc_input *input, char *buffer, size_t size, size_t *made)
{
    z_stream *stream = &input->gzip;
    if (!input->inside && inflateReset(stream) != Z_OK)
        return damaged(input, "gzip", "state lost");
    stream->next_in = input->raw + input->raw_first;
    stream->avail_in = (uInt)input->raw_length;
    stream->next_out = (unsigned char *)buffer;
    stream->avail_out = size < 1u << 30 ? (uInt)size : 1u << 30;
    const uInt room = stream->avail_out;
    const int result = inflate(stream, Z_NO_FLUSH);
    consume(input, input->raw_length - stream->avail_in);
    *made = room - stream->avail_out;
    if (result == Z_MEM_ERROR)
        return oc_fail_memory();
    /* Z_BUF_ERROR only says that there was nothing left to do */
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        return damaged(input, "gzip", stream->msg != NULL ? stream->msg : "unknown reason");
    input->inside = result != Z_STREAM_END;
    return OCELOTL_OK;
}

static ocelotl_status decode_zstd(oc_input *input, char *buffer, size_t size, size_t *made)
{
    ZSTD_inBuffer from = {input->raw + input->raw_first, input->raw_length, 0};
    ZSTD_outBuffer to = {buffer, size, 0};
    const size_t result = ZSTD_decompressStream(input->zstd, &to, &from);
    if (ZSTD_isError(result))
        return damaged(input, "zstd", ZSTD_getErrorName(result));
    consume(input, from.pos);
    *made = to.pos;
    input->inside = result != 0;
    return OCELOTL_OK;
}

/* One step of the decoder; *made may be 0. There are raw bytes, or a member or frame has begun. */
static ocelotl_status decode(oc_input *input, char *buffer, size_t size, size_t *made)
{
    if (input->compression == OC_PLAIN)
        *made = copy_plain(input, buffer, size);
    else if (input->compression == OC_GZIP)
        OC_TRY(decode_gzip(input, buffer, size, made));
    else
        OC_TRY(decode_zstd(input, buffer, size, made));
    input->pending = input->inside && *made == size;
    return OCELOTL_OK;
}

static ocelotl_status read_on(oc_input *input, char *buffer, size_t size, size_t *read)
{
    size_t made = 0;
    bool at_end = false;
    if (input->compression == OC_PLAIN && input->raw_length == 0)
        return call_read(read, input, buffer, size);
    while (made == 0 && !at_end) {
        if (input->raw_length == 0 && !input->pending)
            OC_TRY(fetch(input, &at_end));
        if (!at_end)
            OC_TRY(decode(input, buffer, size, &made));
    }
    if (made == 0 && input->inside)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: the compressed data ends too early, expected the rest of its %s",
                       input->name, input->compression == OC_GZIP ? "gzip member" : "zstd frame");
    *read = made;
    return OCELOTL_OK;
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
