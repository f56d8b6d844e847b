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

static OTF2_ErrorCode keep_message(void *data, const char *file, uint64_t line,
                                   const char *function, OTF2_ErrorCode code, const char *format,
                                   va_list arguments)
{
    (void)data, (void)file, (void)line, (void)function;
    vsnprintf(last_message, sizeof last_message, format, arguments);
    for (char *byte = last_message; *byte != '\0'; byte++)
        if ((unsigned char)*byte < ' ')
            *byte = ' ';
    return code;
}

const char *otf2_archive_message(OTF2_ErrorCode code)
{
    return last_message[0] != '\0' ? last_message : OTF2_Error_GetDescription(code);
}

/* --- Opening */

static ocelotl_status find_folder(otf2_archive *archive)
{
    OC_TRY(oc_copy_text(&archive->folder, archive->anchor));
    if (otf2_has_end(archive->folder, ".otf2"))
        archive->folder[strlen(archive->folder) - strlen(".otf2")] = '\0';
    return OCELOTL_OK;
}

/* The creator in one line. */
static ocelotl_status read_producer(otf2_archive *archive)
{
    char *creator = NULL;
    const OTF2_ErrorCode code = OTF2_Reader_GetCreator(archive->reader, &creator);
    OC_TRY(
        oc_copy_utf8(&archive->producer, code == OTF2_SUCCESS && creator != NULL ? creator : ""));
    free(creator);
    for (char *byte = archive->producer; *byte != '\0'; byte++)
        if ((unsigned char)*byte < ' ')
            *byte = ' ';
    return OCELOTL_OK;
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

ocelotl_status otf2_archive_open(otf2_archive *archive, const oc_source *source)
{
    OC_TRY(otf2_archive_find_anchor(&archive->anchor, source));
    OC_TRY(find_folder(archive));
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
    return read_producer(archive);
}

void otf2_archive_close(otf2_archive *archive)
{
    if (archive->reader != NULL)
        OTF2_Reader_Close(archive->reader);
    if (archive->is_asked)
        OTF2_Error_RegisterCallback(archive->before, NULL);
    free(archive->anchor);
    free(archive->folder);
    free(archive->producer);
    *archive = (otf2_archive){0};
}

ocelotl_status otf2_archive_events(char **path, uint64_t *size, const otf2_archive *archive,
                                   uint64_t location)
{
    struct stat file;
    oc_text text = {0};
    oc_text_format(&text, "%s/%" PRIu64 ".evt", archive->folder, location);
    const ocelotl_status status = text.failed ? oc_fail_memory() : oc_copy_text(path, text.bytes);
    oc_text_free(&text);
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

ocelotl_status otf2_archive_find_definitions(char **path, const otf2_archive *archive)
{
    oc_text text = {0};
    oc_text_format(&text, "%s.def", archive->folder);
    const ocelotl_status status = text.failed ? oc_fail_memory() : oc_copy_text(path, text.bytes);
    oc_text_free(&text);
    return status;
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

static ocelotl_status check_definitions(const otf2_archive *archive, const char *path)
{
    struct stat file;
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

ocelotl_status otf2_archive_check_definitions(const otf2_archive *archive)
{
    char *path = NULL;
    OC_TRY(otf2_archive_find_definitions(&path, archive));
    const ocelotl_status status = check_definitions(archive, path);
    free(path);
    return status;
}
