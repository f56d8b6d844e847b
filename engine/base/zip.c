/* A zip as a stream, front to back: each file stands behind a header of its own, and the list of
 * all of them at the end is not needed. So a zip may come from a pipe. */
#define _GNU_SOURCE
#include "base/compression.h"

#include "base/memory.h"
#include "base/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

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

ocelotl_status oc_zip_begin(void **state)
{
    zip *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    *state = made;
    return OCELOTL_OK;
}

void oc_zip_end(void *state)
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

static ocelotl_status read_header(zip *from, oc_decoding *step)
{
    bool whole;
    OC_TRY(gather(&whole, from, step, HEADER_SIZE));
    if (whole)
        from->part = NAME;
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
    stream->avail_in = left < UINT_MAX ? (uInt)left : UINT_MAX;
    stream->next_out = (unsigned char *)to;
    stream->avail_out = room < UINT_MAX ? (uInt)room : UINT_MAX;
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
    switch (from->part) {
    case SIGNATURE:
        return read_signature(from, step);
    case HEADER:
        return read_header(from, step);
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
ocelotl_status oc_zip_decode(void *state, oc_decoding *step)
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
