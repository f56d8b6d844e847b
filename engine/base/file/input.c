#define _GNU_SOURCE
#include "base/file/input.h"

#include "base/file/compression.h"
#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- The input */

enum { RAW_SIZE = 1 << 17 };
static const int longest_wait = 50; /* milliseconds */

struct oc_input {
    char *name;
    int file;                  /* -1: not open */
    bool is_standard;          /* not ours to close */
    ocelotl_progress progress; /* asked when a wait is interrupted */
    void *progress_context;
    const bool *stops; /* checked while no data arrives, or NULL */
    uint64_t size;
    uint64_t fetched;                  /* bytes read from the file so far */
    const oc_compression *compression; /* NULL: none */
    void *decoder;                     /* its state */
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

/* Reads what one system call gives; nothing at the end. */
static ocelotl_status call_read(size_t *length, oc_input *input, void *buffer, size_t size)
{
    ssize_t got;
    /* Regular files never let anybody wait. */
    struct pollfd file = {.fd = input->file, .events = POLLIN};
    while (input->stops != NULL && input->size == 0 && poll(&file, 1, longest_wait) <= 0)
        if (__atomic_load_n(input->stops, __ATOMIC_RELAXED))
            return oc_fail(OCELOTL_ERROR_CANCELLED, "%s: reading was cancelled", input->name);
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

static ocelotl_status open_input(oc_input *input, const char *path)
{
    struct stat found;
    bool at_end = false;
    input->is_standard = strcmp(path, "-") == 0;
    OC_TRY(oc_copy_text(&input->name, input->is_standard ? "standard input" : path));
    input->file = input->is_standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (input->file < 0 || fstat(input->file, &found) != 0)
        return oc_fail(OCELOTL_ERROR_IO, "%s: cannot open: %s", input->name, strerror(errno));
    if (S_ISDIR(found.st_mode))
        return oc_fail(OCELOTL_ERROR_IO, "%s: is a directory, expected a file", input->name);
    input->size = S_ISREG(found.st_mode) && found.st_size > 0 ? (uint64_t)found.st_size : 0;
    while (input->raw_length < OC_COMPRESSION_HEAD && !at_end)
        OC_TRY(fetch(input, &at_end));
    const oc_compression *with = oc_compression_of(input->raw, input->raw_length);
    input->compression = with;
    if (with == NULL)
        return OCELOTL_OK;
    if (with->unit != NULL)
        return with->begin(&input->decoder);
    /* A stream has no name that a command could be given. */
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "%s: is compressed by %s, which cannot be read here%s%s, expected %s %s%s",
                   input->name, with->name, with->missing != NULL ? ": " : "",
                   with->missing != NULL ? with->missing : "", with->command,
                   input->is_standard ? "before" : input->name,
                   input->is_standard ? "" : " | ocelotl-cli -");
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

/* Handles the loss of the rest; what was decoded before stays. Without a step the data ends. */
static ocelotl_status lose(oc_input *input, const oc_decoding *step)
{
    const oc_compression *with = input->compression;
    const uint64_t place = oc_input_position(input);
    if (step == NULL)
        oc_text_format(&input->loss,
                       "the compressed data ends too early, expected the rest of its %s behind "
                       "byte %" PRIu64,
                       with->unit, place);
    else if (step->is_refused)
        oc_text_format(&input->loss, "the %s %s", with->unit, step->damage);
    else
        oc_text_format(&input->loss,
                       "the compressed data is damaged (%s), expected %s at byte %" PRIu64,
                       step->damage, with->name, place);
    return input->loss.failed ? oc_fail_memory() : OCELOTL_OK;
}

/* Runs one step of the decoder; *made may be 0. Either raw bytes are left, or a member or frame has
 * begun. */
static ocelotl_status decode(oc_input *input, char *buffer, size_t size, size_t *made)
{
    oc_decoding step = {.from = input->raw + input->raw_first,
                        .length = input->raw_length,
                        .to = buffer,
                        .room = size,
                        .inside = input->inside};
    if (input->compression == NULL) {
        *made = size < input->raw_length ? size : input->raw_length;
        memcpy(buffer, input->raw + input->raw_first, *made);
        consume(input, *made);
        return OCELOTL_OK;
    }
    OC_TRY(input->compression->decode(input->decoder, &step));
    consume(input, step.used);
    *made = step.made;
    input->inside = step.inside;
    input->pending = step.inside && step.made == size;
    return step.damage != NULL ? lose(input, &step) : OCELOTL_OK;
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
    *read = made;
    return made > 0 || input->loss.length == 0 || input->salvages
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT, "%s: %s", input->name, input->loss.bytes);
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

ocelotl_status oc_input_read(oc_input *input, char *buffer, size_t size, size_t *read)
{
    const size_t left = input->unread.length - input->unread_first;
    if (left == 0)
        return read_on(input, buffer, size, read);
    *read = size < left ? size : left;
    memcpy(buffer, input->unread.bytes + input->unread_first, *read);
    input->unread_first += *read;
    return OCELOTL_OK;
}

ocelotl_status oc_input_read_all(oc_text *bytes, oc_input *input, size_t most, const char *expected)
{
    char block[1 << 14];
    size_t read = 0;
    do {
        OC_TRY(oc_input_read(input, block, sizeof block, &read));
        oc_text_append(bytes, block, read);
    } while (read > 0 && bytes->length <= most);
    if (bytes->failed)
        return oc_fail_memory();
    return bytes->length <= most
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_LIMIT, "%s: is larger than %zu MB, expected %s", input->name,
                         most >> 20, expected);
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
