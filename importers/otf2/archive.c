#include "importers/otf2/archive.h"

#include "base/memory.h"
#include "base/text.h"
#include "importers/importer.h"
#include "importers/otf2/frames.h"

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

/* --- Anchors: what they begin with, and where that of a source is */

bool otf2_has_end(const char *name, const char *end)
{
    const size_t length = strlen(name);
    const size_t wanted = strlen(end);
    return length > wanted && strcmp(name + length - wanted, end) == 0;
}

int otf2_archive_recognises(const oc_source *source)
{
    const oc_head *head = &source->head;
    const bool is_anchor = head->length >= 6 && head->bytes[0] == 3 &&
                           (head->bytes[1] == 'B' || head->bytes[1] == '#') && /* bytes' order */
                           memcmp(head->bytes + 2, "OTF2", 4) == 0;
    return is_anchor ? OC_SURE : OC_NO;
}

ocelotl_status otf2_archive_find_anchor(char **anchor, const oc_source *source)
{
    if (source->is_standard)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: is the anchor of an OTF2 archive, whose other files cannot be found "
                       "from there; give the path of the anchor",
                       source->path);
    return oc_copy_text(anchor, source->anchor != NULL ? source->anchor : source->path);
}

/* --- Opening */

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

static ocelotl_status make_path(char **path, const otf2_archive *archive, const char *end)
{
    oc_text text = {0};
    oc_text_format(&text, "%s%s", archive->folder, end);
    const ocelotl_status status = text.failed ? oc_fail_memory() : oc_copy_text(path, text.bytes);
    oc_text_free(&text);
    return status;
}

ocelotl_status otf2_archive_open(otf2_archive *archive, const oc_source *source)
{
    char *creator = NULL;
    OC_TRY(otf2_archive_find_anchor(&archive->anchor, source));
    OC_TRY(oc_copy_text(&archive->folder, archive->anchor));
    if (otf2_has_end(archive->folder, ".otf2"))
        archive->folder[strlen(archive->folder) - strlen(".otf2")] = '\0';
    OC_TRY(make_path(&archive->definitions, archive, ".def"));
    OC_TRY(otf2_frames_check_anchor(archive->anchor));
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
    const bool has_creator =
        OTF2_Reader_GetCreator(archive->reader, &creator) == OTF2_SUCCESS && creator != NULL;
    const ocelotl_status status = oc_copy_utf8(&archive->producer, has_creator ? creator : "");
    free(creator);
    if (status == OCELOTL_OK)
        make_line(archive->producer);
    return status;
}

void otf2_archive_close(otf2_archive *archive)
{
    if (archive->reader != NULL)
        OTF2_Reader_Close(archive->reader);
    if (archive->is_asked)
        OTF2_Error_RegisterCallback(archive->before, NULL);
    free(archive->anchor);
    free(archive->folder);
    free(archive->definitions);
    free(archive->producer);
    *archive = (otf2_archive){0};
}

ocelotl_status otf2_archive_events(char **path, uint64_t *size, const otf2_archive *archive,
                                   uint64_t location)
{
    struct stat file;
    char name[32];
    snprintf(name, sizeof name, "/%" PRIu64 ".evt", location);
    const ocelotl_status status = make_path(path, archive, name);
    *size = status == OCELOTL_OK && stat(*path, &file) == 0 ? (uint64_t)file.st_size : 0;
    return status;
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

bool otf2_archive_lacks_own(const otf2_archive *archive, uint64_t location)
{
    struct stat file;
    oc_text path = {0};
    oc_text_format(&path, "%s/%" PRIu64 ".def", archive->folder, location);
    const bool lacks = archive->has_files && !path.failed && stat(path.bytes, &file) != 0;
    oc_text_free(&path);
    return lacks;
}

ocelotl_status otf2_archive_check_definitions(const otf2_archive *archive)
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
