/* A snapshot as a zip: files that are deflated, then the list of them (APPNOTE.TXT of PKWARE, 4.3).
 * Times are the first that a zip can say, so that the same snapshot has the same bytes. */
#include "request/pictures/snapshot.h"

#include "base/file/sink.h"
#include "base/memory.h"
#include "base/text.h"

#include <ocelotl/snapshot.h>

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    FILE_HEADER = 30,
    LIST_LINE = 46,
    END_SIZE = 22,
    LONGEST_COMMENT = 65535,
    VERSION = 20,
    STORED = 0,
    DEFLATED = 8,
    ENCRYPTED = 1,
    FIRST_DAY = 1 << 5 | 1, /* of 1980 */
    RAW = -15,              /* a stream of deflate alone, with the largest window */
    LEVEL = 6,
    MEMORY = 8,
    MOST_BYTES = 1 << 28 /* of a file, unpacked */
};

static const uint32_t file_signature = 0x04034B50;
static const uint32_t list_signature = 0x02014B50;
static const uint32_t end_signature = 0x06054B50;

const char *const oc_snapshot_names[OC_SNAPSHOT_FILES] = {
    "command.txt", "overview.svg", "overview.png",   "curves.svg", "levels.csv",
    "parts.csv",   "parts.json",   "statistics.csv", "slices.csv", "parameters.json"};

/* --- Writing */

typedef struct packed {
    const char *name;
    unsigned char *bytes;
    uint32_t size, whole, sum, offset;
} packed;

static ocelotl_status deflate_all(packed *to, const ocelotl_buffer *from)
{
    z_stream stream = {0};
    if (deflateInit2(&stream, LEVEL, Z_DEFLATED, RAW, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return oc_fail_memory();
    const uLong most = deflateBound(&stream, (uLong)from->size);
    ocelotl_status status = oc_allocate(&to->bytes, most, 1);
    if (status == OCELOTL_OK) {
        stream.next_in = (unsigned char *)from->bytes;
        stream.avail_in = (uInt)from->size;
        stream.next_out = to->bytes;
        stream.avail_out = (uInt)most;
        if (deflate(&stream, Z_FINISH) != Z_STREAM_END)
            status = oc_fail(OCELOTL_ERROR_INTERNAL, "zlib does not deflate");
        to->size = (uint32_t)stream.total_out;
    }
    deflateEnd(&stream);
    return status;
}

/* What the header of a file and its line of the list share. */
static void add_common(oc_text *bytes, const packed *file)
{
    oc_bytes_add_word(bytes, VERSION, 2);
    oc_bytes_add_word(bytes, 0, 2); /* flags */
    oc_bytes_add_word(bytes, DEFLATED, 2);
    oc_bytes_add_word(bytes, 0, 2); /* time */
    oc_bytes_add_word(bytes, FIRST_DAY, 2);
    oc_bytes_add_word(bytes, file->sum, 4);
    oc_bytes_add_word(bytes, file->size, 4);
    oc_bytes_add_word(bytes, file->whole, 4);
    oc_bytes_add_word(bytes, strlen(file->name), 2);
    oc_bytes_add_word(bytes, 0, 2); /* no extra field */
}

static ocelotl_status add_file(oc_text *bytes, packed *file, const ocelotl_buffer *from)
{
    if (from->size > UINT32_MAX / 4)
        return oc_fail(OCELOTL_ERROR_LIMIT, "%s is too large for a zip, expected a folder",
                       file->name);
    file->whole = (uint32_t)from->size;
    file->sum = (uint32_t)crc32(0, (const unsigned char *)from->bytes, (uInt)from->size);
    file->offset = (uint32_t)bytes->length;
    OC_TRY(deflate_all(file, from));
    oc_bytes_add_word(bytes, file_signature, 4);
    add_common(bytes, file);
    oc_text_add(bytes, file->name);
    oc_text_append(bytes, (const char *)file->bytes, file->size);
    return OCELOTL_OK;
}

static void add_line(oc_text *bytes, const packed *file)
{
    oc_bytes_add_word(bytes, list_signature, 4);
    oc_bytes_add_word(bytes, VERSION, 2);
    add_common(bytes, file);
    oc_bytes_add_word(bytes, 0, 2); /* no comment */
    oc_bytes_add_word(bytes, 0, 2); /* the first disk */
    oc_bytes_add_word(bytes, 0, 2); /* no attributes */
    oc_bytes_add_word(bytes, 0, 4);
    oc_bytes_add_word(bytes, file->offset, 4);
    oc_text_add(bytes, file->name);
}

static ocelotl_status write_all(oc_text *bytes, packed *files, const oc_snapshot *snapshot)
{
    size_t count = 0;
    for (size_t i = 0; i < OC_SNAPSHOT_FILES; i++) {
        if (snapshot->files[i].bytes == NULL)
            continue;
        files[count].name = oc_snapshot_names[i];
        OC_TRY(add_file(bytes, &files[count++], &snapshot->files[i]));
    }
    const size_t begin = bytes->length;
    for (size_t i = 0; i < count; i++)
        add_line(bytes, &files[i]);
    const size_t end = bytes->length;
    oc_bytes_add_word(bytes, end_signature, 4);
    oc_bytes_add_word(bytes, 0, 4); /* one disk */
    oc_bytes_add_word(bytes, count, 2);
    oc_bytes_add_word(bytes, count, 2);
    oc_bytes_add_word(bytes, end - begin, 4);
    oc_bytes_add_word(bytes, begin, 4);
    oc_bytes_add_word(bytes, 0, 2); /* no comment */
    return bytes->failed ? oc_fail_memory() : OCELOTL_OK;
}

ocelotl_status oc_snapshot_write_zip(const ocelotl_sink *sink, const oc_snapshot *snapshot)
{
    packed files[OC_SNAPSHOT_FILES] = {{NULL}};
    oc_text bytes = {0};
    ocelotl_status status = write_all(&bytes, files, snapshot);
    if (status == OCELOTL_OK)
        status = oc_sink_write(sink, bytes.bytes, bytes.length);
    for (size_t i = 0; i < OC_SNAPSHOT_FILES; i++)
        free(files[i].bytes);
    oc_text_free(&bytes);
    return status;
}

/* --- Reading one file, by the list at the end */

typedef struct archive {
    const unsigned char *bytes;
    size_t size;
} archive;

/* A line of the list. */
typedef struct entry {
    const char *name;
    size_t name_length, packed, whole, offset;
    uint32_t sum;
    unsigned flags, method;
} entry;

/* A number of so many bytes, the lowest first; 0 beyond the end. */
static uint32_t number(const archive *of, size_t at, size_t count)
{
    uint32_t read = 0;
    if (at > of->size || of->size - at < count)
        return 0;
    for (size_t i = count; i > 0; i--)
        read = read << 8 | of->bytes[at + i - 1];
    return read;
}

static ocelotl_status fail_damaged(void)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "the zip is damaged, expected a snapshot");
}

/* The end has a comment behind it perhaps. */
static bool find_end(size_t *at, const archive *of)
{
    if (of->size < END_SIZE)
        return false;
    const size_t last = of->size - END_SIZE;
    for (size_t back = 0; back <= last && back <= LONGEST_COMMENT; back++)
        if (number(of, last - back, 4) == end_signature) {
            *at = last - back;
            return true;
        }
    return false;
}

static bool read_line(entry *line, size_t *at, const archive *of)
{
    if (number(of, *at, 4) != list_signature || of->size - *at < LIST_LINE)
        return false;
    line->flags = number(of, *at + 8, 2);
    line->method = number(of, *at + 10, 2);
    line->sum = number(of, *at + 16, 4);
    line->packed = number(of, *at + 20, 4);
    line->whole = number(of, *at + 24, 4);
    line->name_length = number(of, *at + 28, 2);
    line->offset = number(of, *at + 42, 4);
    const size_t more = line->name_length + number(of, *at + 30, 2) + number(of, *at + 32, 2);
    if (of->size - *at - LIST_LINE < more)
        return false;
    line->name = (const char *)of->bytes + *at + LIST_LINE;
    *at += LIST_LINE + more;
    return true;
}

/* A zip of a folder has the folder's name before it. */
static bool is_called(const entry *line, const char *name)
{
    const size_t length = strlen(name);
    if (line->name_length < length ||
        memcmp(line->name + line->name_length - length, name, length) != 0)
        return false;
    return line->name_length == length || line->name[line->name_length - length - 1] == '/';
}

static ocelotl_status inflate_all(unsigned char *to, const entry *line, const unsigned char *from)
{
    z_stream stream = {.next_in = (unsigned char *)from,
                       .avail_in = (uInt)line->packed,
                       .next_out = to,
                       .avail_out = (uInt)line->whole};
    if (inflateInit2(&stream, RAW) != Z_OK)
        return oc_fail_memory();
    const int done = inflate(&stream, Z_FINISH);
    const bool whole = done == Z_STREAM_END && stream.total_out == line->whole;
    inflateEnd(&stream);
    return whole ? OCELOTL_OK : fail_damaged();
}

static ocelotl_status unpack(unsigned char *to, const entry *line, const archive *of)
{
    const size_t begin = line->offset + FILE_HEADER;
    if (number(of, line->offset, 4) != file_signature || begin > of->size)
        return fail_damaged();
    const size_t names =
        (size_t)number(of, line->offset + 26, 2) + number(of, line->offset + 28, 2);
    if (of->size - begin < names || of->size - begin - names < line->packed)
        return fail_damaged();
    const unsigned char *from = of->bytes + begin + names;
    if (line->method == DEFLATED)
        OC_TRY(inflate_all(to, line, from));
    else if (line->method == STORED && line->packed == line->whole)
        memcpy(to, from, line->whole);
    else
        return fail_damaged();
    return crc32(0, to, (uInt)line->whole) == line->sum ? OCELOTL_OK : fail_damaged();
}

/* The file of a line, whose size the zip says. */
static ocelotl_status read_entry(ocelotl_buffer *file, const entry *line, const archive *of)
{
    char *bytes = NULL;
    if ((line->flags & ENCRYPTED) != 0 || line->whole > MOST_BYTES || line->whole == 0)
        return fail_damaged();
    OC_TRY(oc_allocate(&bytes, line->whole + 1, 1));
    const ocelotl_status status = unpack((unsigned char *)bytes, line, of);
    if (status == OCELOTL_OK)
        *file = (ocelotl_buffer){bytes, line->whole, line->whole + 1};
    else
        free(bytes);
    return status;
}

size_t oc_snapshot_zip_count(const void *zip, size_t size)
{
    const archive of = {zip, size};
    size_t end = 0;
    return find_end(&end, &of) && end + END_SIZE == size ? number(&of, end + 10, 2) : 0;
}

ocelotl_status oc_snapshot_unzip(ocelotl_buffer *file, const void *zip, size_t size,
                                 const char *name)
{
    const archive of = {zip, size};
    size_t end = 0;
    entry line;
    if (!find_end(&end, &of))
        return fail_damaged();
    size_t at = number(&of, end + 16, 4);
    for (size_t left = number(&of, end + 10, 2); left > 0; left--) {
        if (at >= end || !read_line(&line, &at, &of))
            return fail_damaged();
        if (is_called(&line, name))
            return read_entry(file, &line, &of);
    }
    return oc_fail(OCELOTL_ERROR_INPUT, "the zip has no %s, expected a snapshot", name);
}
