/* Finds the anchors of archives: in a folder, and in those right below it. */
#include "importers/otf2/archive.h"

#include "base/memory.h"
#include "base/text.h"
#include "importers/importer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The anchors in a folder, by their paths from there, and whether other files of an archive are
 * there. */
typedef struct found {
    char **anchors;
    size_t count, capacity;
    bool has_parts;
} found;

static void free_names(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

static void free_found(found *in)
{
    free_names(in->anchors, in->count);
    *in = (found){0};
}

bool otf2_has_end(const char *name, const char *end)
{
    const size_t length = strlen(name);
    const size_t wanted = strlen(end);
    return length > wanted && strcmp(name + length - wanted, end) == 0;
}

static bool is_anchor_name(const char *name)
{
    return otf2_has_end(name, ".otf2");
}

static bool is_part_name(const char *name)
{
    return otf2_has_end(name, ".evt") || otf2_has_end(name, ".def");
}

static bool is_shown(const char *name)
{
    return name[0] != '.';
}

static ocelotl_status add_anchor(found *in, const char *below, const char *name)
{
    oc_text path = {0};
    OC_TRY(oc_grow(&in->anchors, &in->capacity, in->count + 1, sizeof *in->anchors));
    oc_text_format(&path, "%s%s%s", below, below[0] != '\0' ? "/" : "", name);
    const ocelotl_status status =
        path.failed ? oc_fail_memory() : oc_copy_text(&in->anchors[in->count], path.bytes);
    in->count += status == OCELOTL_OK;
    oc_text_free(&path);
    return status;
}

/* Looks in a folder; `below` is its path from the one that was given. */
static ocelotl_status look_in(found *in, const char *folder, const char *below)
{
    char **names = NULL;
    size_t count = 0;
    ocelotl_status status = oc_source_list(&names, &count, folder, is_part_name);
    in->has_parts |= count > 0;
    free_names(names, count);
    OC_TRY(status);
    status = oc_source_list(&names, &count, folder, is_anchor_name);
    for (size_t i = 0; i < count && status == OCELOTL_OK; i++)
        status = add_anchor(in, below, names[i]);
    free_names(names, count);
    return status;
}

static ocelotl_status look_in_below(found *in, const char *folder, const char *name)
{
    oc_text path = {0};
    oc_text_format(&path, "%s/%s", folder, name);
    const ocelotl_status status = path.failed ? oc_fail_memory() : look_in(in, path.bytes, name);
    oc_text_free(&path);
    return status;
}

/* Tracers put an archive in a folder of its own: the one above is taken as well. */
static ocelotl_status look(found *in, const char *folder, size_t most_folders)
{
    char **names = NULL;
    size_t count = 0;
    OC_TRY(look_in(in, folder, ""));
    if (in->count > 0 || in->has_parts)
        return OCELOTL_OK;
    ocelotl_status status = oc_source_list(&names, &count, folder, is_shown);
    for (size_t i = 0; i < count && i < most_folders && status == OCELOTL_OK; i++)
        status = look_in_below(in, folder, names[i]);
    free_names(names, count);
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
    enum { LOOKED_AT = 100 };
    found in = {0};
    if (!source->is_folder)
        return is_anchor(&source->head) ? OC_SURE : OC_NO;
    const ocelotl_status status = look(&in, source->path, LOOKED_AT);
    const bool is_archive = status == OCELOTL_OK && (in.count > 0 || in.has_parts);
    free_found(&in);
    return is_archive ? OC_SURE : oc_no_or_no_memory(status);
}

ocelotl_status otf2_archive_list(char ***names, size_t *count, const char *folder)
{
    found in = {0};
    const ocelotl_status status = look(&in, folder, SIZE_MAX);
    *names = in.anchors;
    *count = in.count;
    return status;
}

static ocelotl_status choose_anchor(char **anchor, const oc_source *source, const found *in)
{
    oc_text path = {0};
    if (in->count == 0)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: holds parts of an OTF2 archive and no anchor (a file *.otf2), without "
                       "which nothing can be read: the tracer was ended before it wrote one, or "
                       "this is the folder beside the anchor",
                       source->path);
    oc_text_format(&path, "%s/%s", source->path, in->anchors[0]);
    const ocelotl_status status = path.failed ? oc_fail_memory() : oc_copy_text(anchor, path.bytes);
    oc_text_free(&path);
    return status;
}

ocelotl_status otf2_archive_find_anchor(char **anchor, const oc_source *source)
{
    found in = {0};
    if (source->is_standard)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: is the anchor of an OTF2 archive, whose other files cannot be found "
                       "from there; give the path of the anchor",
                       source->path);
    if (!source->is_folder)
        return oc_copy_text(anchor, source->path);
    ocelotl_status status = look(&in, source->path, SIZE_MAX);
    if (status == OCELOTL_OK)
        status = choose_anchor(anchor, source, &in);
    free_found(&in);
    return status;
}
