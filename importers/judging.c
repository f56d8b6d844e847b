/* Decides what of a folder is read, and what is said of the rest. */
#include "importers/contents.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Which format */

static size_t count_of(const oc_contents *contents, const oc_importer *importer)
{
    size_t count = 0;
    for (size_t i = 0; i < contents->count; i++)
        count +=
            contents->items[i].kind == contents->taken && contents->items[i].importer == importer;
    return count;
}

/* Files that are traces for sure, by their names, come before tables and logs. */
static int rank_of(const oc_importer *importer)
{
    const char *const *suffixes = importer->format.suffixes;
    if (importer->unit != OC_UNIT_FILE)
        return 2;
    return suffixes[0] != NULL && oc_is_suffix_of_traces(suffixes[0]);
}

/* The format whose files say best that they are traces; of such that with the most of them. */
static void choose(oc_contents *contents)
{
    int best = -1;
    contents->importer = contents->wanted;
    contents->taken_count = 0;
    if (contents->wanted != NULL)
        contents->taken_count = count_of(contents, contents->wanted);
    for (uint32_t i = 0; i < ocelotl_format_count() && contents->wanted == NULL; i++) {
        const oc_importer *importer = oc_importer_get(i);
        const size_t count = count_of(contents, importer);
        const int rank = rank_of(importer);
        if (count == 0 || rank < best || (rank == best && count <= contents->taken_count))
            continue;
        best = rank;
        contents->importer = importer;
        contents->taken_count = count;
    }
}

bool oc_contents_takes(const oc_contents *contents, const oc_content *item)
{
    return item->kind == contents->taken && item->importer == contents->importer;
}

/* --- What is not read */

/* Whether an item looks like a trace and is none of those that are read. */
static bool is_lost(const oc_contents *contents, const oc_content *item)
{
    switch (item->kind) {
    case OC_CONTENT_TRACE:
    case OC_CONTENT_NAMED:
        return !oc_contents_takes(contents, item);
    case OC_CONTENT_BROKEN:
        return true;
    case OC_CONTENT_OTHER:
        return item->is_empty && item->importer == contents->importer;
    default:
        return false;
    }
}

static const oc_content *find_first(const oc_contents *contents)
{
    for (size_t i = 0; i < contents->count; i++)
        if (oc_contents_takes(contents, &contents->items[i]))
            return &contents->items[i];
    return NULL;
}

static ocelotl_status fail_mixed(const oc_contents *contents, const oc_content *other,
                                 const char *folder)
{
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "%s: holds traces of %s (%s) and of %s (%s), expected one format; name the "
                   "files of one, or --lenient reads those of %s alone",
                   folder, contents->importer->format.name, find_first(contents)->path,
                   other->importer->format.name, other->path, contents->importer->format.name);
}

static ocelotl_status fail_lost(const oc_contents *contents, const oc_content *item, size_t count,
                                const char *folder)
{
    if (item->kind == OC_CONTENT_TRACE)
        return fail_mixed(contents, item, folder);
    if (count > 1)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s (so are %zu more in %s; --lenient leaves them out)",
                       item->why, count - 1, folder);
    return oc_fail(OCELOTL_ERROR_INPUT, "%s (--lenient leaves it out)", item->why);
}

static ocelotl_status note(oc_notices *left, const oc_content *item)
{
    oc_text first = {0};
    const char *kind = "file of the folder that cannot be read as a trace (left out)";
    if (item->kind == OC_CONTENT_TRACE)
        kind = "trace of another format in the folder (left out)";
    else if (item->kind == OC_CONTENT_LINK)
        kind = "link of the folder to another one (not followed)";
    else if (item->kind == OC_CONTENT_OTHER && !item->is_empty)
        kind = "file of the folder that is named as its traces are and is none (left out)";
    oc_text_format(&first, "first: %s",
                   item->why != NULL && item->kind != OC_CONTENT_OTHER ? item->why : item->path);
    if (item->kind == OC_CONTENT_TRACE)
        oc_text_format(&first, " (%s)", item->importer->format.name);
    const ocelotl_status status =
        first.failed ? oc_fail_memory() : oc_notices_add(left, kind, first.bytes);
    oc_text_free(&first);
    return status;
}

static ocelotl_status judge_rest(const oc_contents *contents, oc_notices *left, const char *folder,
                                 bool lenient)
{
    const oc_content *lost = NULL;
    size_t count = 0;
    for (size_t i = 0; i < contents->count; i++) {
        const oc_content *item = &contents->items[i];
        const bool is = is_lost(contents, item);
        if (is && lost == NULL)
            lost = item;
        count += is;
        if (left != NULL &&
            (is || item->kind == OC_CONTENT_LINK ||
             (item->kind == OC_CONTENT_OTHER && item->importer == contents->importer)))
            OC_TRY(note(left, item));
    }
    return lost == NULL || lenient || contents->wanted != NULL
               ? OCELOTL_OK
               : fail_lost(contents, lost, count, folder);
}

/* --- Where there is nothing to read */

static ocelotl_status fail_empty(const oc_contents *contents, const char *folder)
{
    for (size_t i = 0; i < contents->count; i++)
        if (contents->items[i].kind == OC_CONTENT_BROKEN)
            return oc_fail(OCELOTL_ERROR_INPUT, "%s", contents->items[i].why);
    for (size_t i = 0; i < contents->count; i++)
        if (contents->items[i].kind == OC_CONTENT_NAMES)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s: holds names of a Paraver trace (%s) and none of its records, "
                           "expected a .prv beside them",
                           folder, contents->items[i].path);
    if (contents->wanted != NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: holds no trace of the format %s", folder,
                       contents->wanted->format.name);
    if (oc_is_beside_anchor(folder))
        return oc_fail(OCELOTL_ERROR_IO,
                       "%s: is the folder of the events of an OTF2 archive, expected the anchor "
                       "beside it (.otf2), or the folder above",
                       folder);
    return oc_fail(OCELOTL_ERROR_IO, "%s: is a directory, expected a file or a folder of traces",
                   folder);
}

ocelotl_status oc_contents_judge(oc_contents *contents, oc_notices *left, const oc_source *folder,
                                 bool lenient)
{
    contents->taken = OC_CONTENT_TRACE;
    choose(contents);
    if (contents->taken_count == 0) {
        contents->taken = OC_CONTENT_NAMED;
        choose(contents);
        if (contents->taken_count == 0)
            return fail_empty(contents, folder->path);
        /* What begins as no trace is none; an archive says itself what is wrong. */
        if (contents->importer->unit == OC_UNIT_FILE || contents->taken_count > 1)
            return oc_fail(OCELOTL_ERROR_INPUT, "%s", find_first(contents)->why);
    }
    return judge_rest(contents, left, folder->path, lenient);
}
