/* A snapshot as a zip: files that are deflated, then the list of them (APPNOTE.TXT of PKWARE, 4.3).
 * Times are the first that a zip can say, so that the same snapshot has the same bytes. */
#include "request/snapshot.h"

#include "base/memory.h"
#include "base/sink.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    VERSION = 20,
    DEFLATED = 8,
    FIRST_DAY = 1 << 5 | 1, /* of 1980 */
    RAW = -15,              /* a stream of deflate alone, with the largest window */
    LEVEL = 6,
    MEMORY = 8
};

static const uint32_t file_signature = 0x04034B50;
static const uint32_t list_signature = 0x02014B50;
static const uint32_t end_signature = 0x06054B50;

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

static void add_end(oc_text *bytes, size_t count, size_t begin)
{
    const size_t end = bytes->length;
    oc_bytes_add_word(bytes, end_signature, 4);
    oc_bytes_add_word(bytes, 0, 4); /* one disk */
    oc_bytes_add_word(bytes, count, 2);
    oc_bytes_add_word(bytes, count, 2);
    oc_bytes_add_word(bytes, end - begin, 4);
    oc_bytes_add_word(bytes, begin, 4);
    oc_bytes_add_word(bytes, 0, 2); /* no comment */
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
    add_end(bytes, count, begin);
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
