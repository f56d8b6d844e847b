#include "importers/otf2/archive.h"

#include "base/memory.h"
#include "base/text.h"
#include "importers/importer.h"
#include "importers/otf2/frames.h"

#include <dirent.h>
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

/* --- Finding the anchor */

static bool ends_with(const char *name, const char *suffix)
{
    const size_t length = strlen(name);
    const size_t wanted = strlen(suffix);
    return length > wanted && strcmp(name + length - wanted, suffix) == 0;
}

/* The contents of a folder: the number of anchors, one of them, and whether other files of an
 * archive lie beside it. */
typedef struct found {
    size_t anchors;
    char *anchor;
    bool has_parts;
} found;

static ocelotl_status look_in(found *in, const char *folder)
{
    DIR *open = opendir(folder);
    ocelotl_status status = OCELOTL_OK;
    *in = (found){0};
    for (struct dirent *entry = NULL;
         status == OCELOTL_OK && open != NULL && (entry = readdir(open)) != NULL;) {
        in->has_parts |= ends_with(entry->d_name, ".evt") || ends_with(entry->d_name, ".def");
        if (!ends_with(entry->d_name, ".otf2"))
            continue;
        if (in->anchors++ == 0)
            status = oc_copy_text(&in->anchor, entry->d_name);
    }
    if (open != NULL)
        closedir(open);
    return status;
}

static bool is_shown(const char *name)
{
    return name[0] != '.';
}

/* Looks in a folder below; its anchor is known by the path from the upper one. */
static ocelotl_status look_in_below(found *in, const char *folder, const char *name)
{
    found below = {0};
    oc_text path = {0};
    oc_text_format(&path, "%s/%s", folder, name);
    ocelotl_status status = path.failed ? oc_fail_memory() : look_in(&below, path.bytes);
    in->has_parts |= below.has_parts;
    if (status == OCELOTL_OK && below.anchors > 0 && in->anchors == 0) {
        oc_text_clear(&path);
        oc_text_format(&path, "%s/%s", name, below.anchor);
        status = path.failed ? oc_fail_memory() : oc_copy_text(&in->anchor, path.bytes);
    }
    in->anchors += below.anchors;
    free(below.anchor);
    oc_text_free(&path);
    return status;
}

/* Tracers put an archive in a folder of its own: the one above is taken as well. */
static ocelotl_status look_below(found *in, const char *folder)
{
    enum { LOOKED_AT = 100 };
    char **names = NULL;
    size_t count = 0;
    OC_TRY(look_in(in, folder));
    if (in->anchors > 0 || in->has_parts)
        return OCELOTL_OK;
    ocelotl_status status = oc_source_list(&names, &count, folder, is_shown);
    for (size_t i = 0; i < count; i++) {
        if (status == OCELOTL_OK && i < LOOKED_AT)
            status = look_in_below(in, folder, names[i]);
        free(names[i]);
    }
    free(names);
    return status;
}

static bool is_anchor(const oc_head *head)
{
    return head->length >= 6 && head->bytes[0] == 3 &&
           (head->bytes[1] == 'B' || head->bytes[1] == '#') && /* the order of bytes */
           memcmp(head->bytes + 2, "OTF2", 4) == 0;
}

int otf2_archive_recognises(const oc_source *source)
{
    found in;
    if (!source->is_folder)
        return is_anchor(&source->head) ? OC_SURE : OC_NO;
    const bool is_archive =
        look_below(&in, source->path) == OCELOTL_OK && (in.anchors > 0 || in.has_parts);
    free(in.anchor);
    return is_archive ? OC_SURE : OC_NO;
}

static ocelotl_status choose_anchor(otf2_archive *archive, const oc_source *source, const found *in)
{
    oc_text path = {0};
    if (in->anchors == 0)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: holds parts of an OTF2 archive and no anchor (a file *.otf2), without "
                       "which nothing can be read: the tracer was ended before it wrote one, or "
                       "this is the folder beside the anchor",
                       source->path);
    if (in->anchors > 1)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: holds %zu OTF2 anchors, such as %s, expected one; give all that are "
                       "wanted",
                       source->path, in->anchors, in->anchor);
    oc_text_format(&path, "%s/%s", source->path, in->anchor);
    const ocelotl_status status =
        path.failed ? oc_fail_memory() : oc_copy_text(&archive->anchor, path.bytes);
    oc_text_free(&path);
    return status;
}

static ocelotl_status find_anchor(otf2_archive *archive, const oc_source *source)
{
    found in;
    if (source->is_standard)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: is the anchor of an OTF2 archive, whose other files cannot be found "
                       "from there; give the path of the anchor",
                       source->path);
    if (!source->is_folder)
        return oc_copy_text(&archive->anchor, source->path);
    ocelotl_status status = look_below(&in, source->path);
    if (status == OCELOTL_OK)
        status = choose_anchor(archive, source, &in);
    free(in.anchor);
    return status;
}

/* --- Opening */

static ocelotl_status find_folder(otf2_archive *archive)
{
    OC_TRY(oc_copy_text(&archive->folder, archive->anchor));
    if (ends_with(archive->folder, ".otf2"))
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
    OC_TRY(find_anchor(archive, source));
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

ocelotl_status otf2_archive_check_definitions(const otf2_archive *archive)
{
    oc_text path = {0};
    oc_text_format(&path, "%s.def", archive->folder);
    ocelotl_status status = path.failed ? oc_fail_memory() : OCELOTL_OK;
    if (status == OCELOTL_OK && otf2_archive_is_cut(archive, path.bytes))
        status = oc_fail(OCELOTL_ERROR_INPUT,
                         "%s: is cut off, expected all definitions of the archive", path.bytes);
    oc_text_free(&path);
    return status;
}
