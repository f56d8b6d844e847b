#define _GNU_SOURCE
#include "importers/otf2/frames.h"

#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Numbers of eight and four bytes, in the order that a file has them. */
static uint64_t read_number(const unsigned char *bytes, size_t size, bool is_big)
{
    uint64_t number = 0;
    for (size_t i = 0; i < size; i++)
        number = number << 8 | bytes[is_big ? i : size - 1 - i];
    return number;
}

enum { ORDER_AT = 1, BIG = '#' }; /* the order of bytes, behind the kind of the first record */

/* --- Anchors */

enum {
    NAME_AT = 2,
    EVENTS_AT = 12,
    DEFINITIONS_AT = 20,
    TEXTS_AT = 46,
    TEXTS = 3, /* the machine, the creator, a description */
    MOST_OF_ANCHOR = 16 << 20
};

static ocelotl_status fail_anchor(const char *path, const char *what, uint64_t number)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: the anchor cannot be read: it says %" PRIu64 " %s",
                   path, number, what);
}

/* Checks the sizes of chunks, and the number of properties behind the texts, each of two texts. */
static ocelotl_status check_bytes(const char *path, const unsigned char *bytes, size_t length)
{
    static const struct {
        size_t at;
        const char *what;
    } chunks[] = {
        {EVENTS_AT, "bytes for a chunk of events, expected 256 KiB to 16 MiB"},
        {DEFINITIONS_AT, "bytes for a chunk of definitions, expected 256 KiB to 16 MiB"},
    };
    const bool is_big = bytes[ORDER_AT] == BIG;
    size_t at = TEXTS_AT;
    if (length < TEXTS_AT || memcmp(bytes + NAME_AT, "OTF2", 4) != 0)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: the anchor cannot be read: it does not begin as an anchor does", path);
    for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; i++) {
        const uint64_t size = read_number(bytes + chunks[i].at, 8, is_big);
        if (size < OTF2_CHUNK_SIZE_MIN || size > OTF2_CHUNK_SIZE_MAX)
            return fail_anchor(path, chunks[i].what, size);
    }
    for (size_t i = 0; i < TEXTS && at < length; i++) {
        const unsigned char *end = memchr(bytes + at, 0, length - at);
        at = end != NULL ? (size_t)(end - bytes) + 1 : length;
    }
    if (at + 4 > length)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: the anchor cannot be read: it is cut off", path);
    const uint64_t count = read_number(bytes + at, 4, is_big);
    return 2 * count > length - at - 4
               ? fail_anchor(path, "properties, more than its bytes hold", count)
               : OCELOTL_OK;
}

static ocelotl_status read_anchor(const char *path, FILE *file)
{
    struct stat size;
    unsigned char *bytes = NULL;
    if (fstat(fileno(file), &size) != 0 || size.st_size < TEXTS_AT || size.st_size > MOST_OF_ANCHOR)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: the anchor cannot be read: it has %jd bytes, expected %d to %d", path,
                       (intmax_t)size.st_size, TEXTS_AT, MOST_OF_ANCHOR);
    OC_TRY(oc_allocate(&bytes, (size_t)size.st_size, 1));
    const size_t length = fread(bytes, 1, (size_t)size.st_size, file);
    const ocelotl_status status = check_bytes(path, bytes, length);
    free(bytes);
    return status;
}

ocelotl_status otf2_frames_check_anchor(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return oc_fail(OCELOTL_ERROR_IO, "%s: cannot open: %s", path, strerror(errno));
    const ocelotl_status status = read_anchor(path, file);
    fclose(file);
    return status;
}

/* --- Events */

enum { HEAD = 18, END_OF_CHUNK = 2, TIME = 5, FIRST_EVENT = 10, LONG = 255 };

/* Returns the length of the record at `at`; more than the bytes left if it is cut off. */
static uint64_t measure(const unsigned char *bytes, size_t at, size_t length, bool is_big)
{
    if (bytes[at] == TIME)
        return 9;
    if (at + 1 == length)
        return 2;
    if (bytes[at + 1] < LONG)
        return 2 + (uint64_t)bytes[at + 1];
    if (length - at < 10)
        return 10;
    const uint64_t size = read_number(bytes + at + 2, 8, is_big);
    return size < UINT64_MAX - 10 ? size + 10 : size;
}

/* Passes over the records of a chunk; `offset` then counts from its begin. */
static void pass_chunk(otf2_passed *passed, const unsigned char *bytes, size_t length,
                       uint64_t most)
{
    const bool is_big = bytes[ORDER_AT] == BIG;
    size_t at = HEAD;
    passed->offset = at;
    while (at < length && bytes[at] > END_OF_CHUNK && passed->events < most) {
        const uint64_t size = measure(bytes, at, length, is_big);
        if (size > length - at)
            break;
        const bool is_event = bytes[at] >= FIRST_EVENT;
        at += (size_t)size;
        passed->events += is_event;
        if (is_event)
            passed->offset = at; /* a time belongs to the event behind it */
    }
}

ocelotl_status otf2_frames_pass(otf2_passed *passed, const char *path, uint64_t chunk,
                                uint64_t most)
{
    unsigned char *bytes = NULL;
    FILE *file = fopen(path, "rb");
    *passed = (otf2_passed){0};
    if (file == NULL)
        return oc_fail(OCELOTL_ERROR_IO, "%s: cannot open: %s", path, strerror(errno));
    const ocelotl_status status = oc_allocate(&bytes, (size_t)chunk, 1);
    size_t length;
    for (uint64_t begin = 0; status == OCELOTL_OK && passed->events < most &&
                             (length = fread(bytes, 1, (size_t)chunk, file)) > HEAD;
         begin += length) {
        const otf2_passed before = *passed;
        pass_chunk(passed, bytes, length, most);
        passed->offset =
            passed->events > before.events || begin == 0 ? begin + passed->offset : before.offset;
    }
    free(bytes);
    fclose(file);
    return status;
}
