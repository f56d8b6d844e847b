#define _GNU_SOURCE
#include "importers/otf2/archive.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <otf2/OTF2_Pthread_Locks.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- Messages */

static _Thread_local char last_message[512];

static void make_line(char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ')
            *text = ' ';
}

static OTF2_ErrorCode keep_message(void *data, const char *file, uint64_t line,
                                   const char *function, OTF2_ErrorCode code, const char *format,
                                   va_list arguments)
{
    (void)data, (void)file, (void)line, (void)function;
    vsnprintf(last_message, sizeof last_message, format, arguments);
    make_line(last_message);
    return code;
}

const char *otf2_archive_message(OTF2_ErrorCode code)
{
    return last_message[0] != '\0' ? last_message : OTF2_Error_GetDescription(code);
}

/* --- Anchors: what they begin with, and what they claim */

int otf2_archive_recognises(const oc_source *source)
{
    const oc_head *head = &source->head;
    const bool is_anchor = head->length >= 6 && head->bytes[0] == 3 &&
                           (head->bytes[1] == 'B' || head->bytes[1] == '#') && /* bytes' order */
                           memcmp(head->bytes + 2, "OTF2", 4) == 0;
    return is_anchor ? OC_SURE : OC_NO;
}

/* Numbers of eight and four bytes, in the order that a file has them. */
static uint64_t read_number(const unsigned char *bytes, size_t size, bool is_big)
{
    uint64_t number = 0;
    for (size_t i = 0; i < size; i++)
        number = number << 8 | bytes[is_big ? i : size - 1 - i];
    return number;
}

enum { ORDER_AT = 1, BIG = '#' }; /* the order of bytes, behind the kind of the first record */

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

ocelotl_status otf2_archive_check_anchor(const char *path)
{
    struct stat size;
    unsigned char *bytes = NULL;
    ocelotl_status status = OCELOTL_OK;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return oc_fail(OCELOTL_ERROR_IO, "%s: cannot open: %s", path, strerror(errno));
    if (fstat(fileno(file), &size) != 0 || size.st_size < TEXTS_AT || size.st_size > MOST_OF_ANCHOR)
        status = oc_fail(OCELOTL_ERROR_INPUT,
                         "%s: the anchor cannot be read: it has %jd bytes, expected %d to %d", path,
                         (intmax_t)size.st_size, TEXTS_AT, MOST_OF_ANCHOR);
    else
        status = oc_allocate(&bytes, (size_t)size.st_size, 1);
    if (status == OCELOTL_OK)
        status = check_bytes(path, bytes, fread(bytes, 1, (size_t)size.st_size, file));
    free(bytes);
    fclose(file);
    return status;
}

/* --- Opening */

/* The path of a file beside the anchor, or in the folder beside it. */
static const char *make_path(const otf2_archive *archive, oc_arena *arena, const char *end)
{
    oc_text text = {0};
    oc_text_format(&text, "%s%s", archive->folder, end);
    arena->failed = arena->failed || text.failed;
    const char *path = oc_arena_copy_bytes(arena, text.bytes, text.length);
    oc_text_free(&text);
    return path;
}

/* Prepares the callbacks of a single process: OTF2 leaves collective operations to its user. */
static OTF2_ErrorCode prepare(otf2_archive *archive)
{
    OTF2_FileSubstrate substrate = OTF2_SUBSTRATE_UNDEFINED;
    OTF2_Compression compression = OTF2_COMPRESSION_UNDEFINED;
    uint64_t definitions;
    OTF2_ErrorCode code = OTF2_Reader_SetSerialCollectiveCallbacks(archive->reader);
    if (code == OTF2_SUCCESS)
        code = OTF2_Pthread_Reader_SetLockingCallbacks(archive->reader, NULL);
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_GetChunkSize(archive->reader, &archive->chunk, &definitions);
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_GetFileSubstrate(archive->reader, &substrate);
    archive->has_files = substrate == OTF2_SUBSTRATE_POSIX;
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_GetCompression(archive->reader, &compression);
    archive->is_plain = archive->has_files && compression == OTF2_COMPRESSION_NONE;
    return code;
}

static ocelotl_status check_definitions(const otf2_archive *archive)
{
    struct stat file;
    const char *path = archive->definitions;
    const bool is_there = stat(path, &file) == 0;
    if (archive->has_files && !is_there)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: is missing, expected the definitions of the archive beside its anchor "
                       "%s, without which nothing can be read",
                       path, archive->anchor);
    if (otf2_archive_is_cut(archive, path))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: is cut off behind %jd bytes, expected all definitions of the archive, "
                       "without which nothing can be read",
                       path, is_there ? (intmax_t)file.st_size : 0);
    return OCELOTL_OK;
}

ocelotl_status otf2_archive_open(otf2_archive *archive, oc_arena *arena, const oc_source *source)
{
    char *creator = NULL;
    static const char suffix[] = ".otf2";
    if (source->is_standard)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: is the anchor of an OTF2 archive, whose other files cannot be found "
                       "from there; give the path of the anchor",
                       source->path);
    archive->anchor = source->anchor != NULL ? source->anchor : source->path;
    size_t length = strlen(archive->anchor);
    if (length >= sizeof suffix &&
        strcmp(archive->anchor + length - sizeof suffix + 1, suffix) == 0)
        length -= sizeof suffix - 1;
    archive->folder = oc_arena_copy_bytes(arena, archive->anchor, length);
    archive->definitions = make_path(archive, arena, ".def");
    OC_TRY(oc_arena_status(arena));
    OC_TRY(otf2_archive_check_anchor(archive->anchor));
    last_message[0] = '\0';
    archive->before = OTF2_Error_RegisterCallback(keep_message, NULL);
    archive->is_asked = true;
    archive->reader = OTF2_Reader_Open(archive->anchor);
    if (archive->reader == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: the anchor cannot be read: %s", archive->anchor,
                       otf2_archive_message(OTF2_ERROR_INVALID));
    const OTF2_ErrorCode code = prepare(archive);
    if (code != OTF2_SUCCESS)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: the archive cannot be opened: %s", archive->anchor,
                       otf2_archive_message(code));
    if (OTF2_Reader_GetCreator(archive->reader, &creator) == OTF2_SUCCESS && creator != NULL)
        make_line(creator);
    archive->producer = oc_arena_copy_utf8(arena, creator != NULL ? creator : "");
    free(creator);
    OC_TRY(oc_arena_status(arena));
    return check_definitions(archive);
}

void otf2_archive_close(otf2_archive *archive)
{
    if (archive->reader != NULL)
        OTF2_Reader_Close(archive->reader);
    if (archive->is_asked)
        OTF2_Error_RegisterCallback(archive->before, NULL);
    *archive = (otf2_archive){0};
}

/* --- Files of locations */

ocelotl_status otf2_archive_events(const char **path, uint64_t *size, const otf2_archive *archive,
                                   oc_arena *arena, uint64_t location)
{
    struct stat file;
    char name[32];
    snprintf(name, sizeof name, "/%" PRIu64 ".evt", location);
    *path = make_path(archive, arena, name);
    *size = stat(*path, &file) == 0 ? (uint64_t)file.st_size : 0;
    return oc_arena_status(arena);
}

bool otf2_archive_lacks_own(const otf2_archive *archive, uint64_t location)
{
    struct stat file;
    oc_text path = {0};
    oc_text_format(&path, "%s/%" PRIu64 ".def", archive->folder, location);
    const bool lacks = archive->has_files && !path.failed && stat(path.bytes, &file) != 0;
    oc_text_free(&path);
    return lacks;
}

/* A file ends with the records "end of chunk" and "end of file". */
bool otf2_archive_is_cut(const otf2_archive *archive, const char *path)
{
    unsigned char last[2] = {0, 0};
    FILE *file = archive->is_plain ? fopen(path, "rb") : NULL;
    if (file == NULL)
        return false;
    const bool is_read = fseek(file, -2, SEEK_END) == 0 && fread(last, 1, 2, file) == 2;
    fclose(file);
    return !is_read || last[0] != 2 || last[1] != 1;
}

/* A file of events consists of chunks of one size, except for the last. A chunk is a head of 18
 * bytes (3, the order of bytes, the numbers of its first and last record) and records: a time (5,
 * and 8 bytes), or a kind, a length (one byte; 255 and 8 bytes if that is too small) and as many
 * bytes. 2 ends a chunk, 1 behind it the file; 0 fills the rest. */
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

ocelotl_status otf2_archive_pass(otf2_passed *passed, const char *path, uint64_t chunk,
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

uint64_t otf2_archive_count(const otf2_archive *archive, const char *path, uint64_t size)
{
    unsigned char head[HEAD];
    const uint64_t begin = size > HEAD ? (size - 1) / archive->chunk * archive->chunk : 0;
    FILE *file = archive->is_plain && size > HEAD ? fopen(path, "rb") : NULL;
    if (file == NULL)
        return 0;
    const bool is_read =
        fseeko(file, (off_t)begin, SEEK_SET) == 0 && fread(head, HEAD, 1, file) == 1;
    fclose(file);
    return is_read ? read_number(head + HEAD - 8, 8, head[ORDER_AT] == BIG) : 0;
}
