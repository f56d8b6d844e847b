/* Looks at all that is in a folder, file by file. */
#define _GNU_SOURCE
#include "importers/contents.h"

#include "base/machine.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A walk over a folder and those below it. */
typedef struct walk {
    oc_contents *contents;
    const oc_source *folder;
    const ocelotl_import_options *options;
    oc_map seen;   /* traces by device and number: one may have several names */
    char *real;    /* path of the folder, without links */
    size_t opened; /* files */
} walk;

/* A folder while it is walked. */
typedef struct place {
    const char *below; /* its path from the first one, "" for that */
    oc_source self;
    size_t depth;
    bool has_metadata; /* of a CTF trace */
    bool is_broken;    /* it is said that what explains its files is missing */
} place;

/* --- Items */

static ocelotl_status add(oc_contents *contents, oc_content_kind kind, const char *path,
                          const oc_importer *importer)
{
    OC_TRY(oc_grow(&contents->items, &contents->capacity, contents->count + 1, sizeof(oc_content)));
    oc_content *item = &contents->items[contents->count];
    *item = (oc_content){.kind = kind, .importer = importer};
    OC_TRY(oc_copy_text(&item->path, path));
    contents->count++;
    return OCELOTL_OK;
}

/* Adds what the thread's message says that it cannot be read. */
static ocelotl_status add_failed(oc_contents *contents, oc_content_kind kind, const char *path,
                                 const oc_importer *importer)
{
    char *why = NULL;
    OC_TRY(oc_copy_text(&why, ocelotl_error_message()));
    const ocelotl_status status = add(contents, kind, path, importer);
    if (status == OCELOTL_OK)
        contents->items[contents->count - 1].why = why;
    else
        free(why);
    return status;
}

void oc_contents_free(oc_contents *contents)
{
    for (size_t i = 0; i < contents->count; i++) {
        free(contents->items[i].path);
        free(contents->items[i].why);
    }
    free(contents->items);
    *contents = (oc_contents){0};
}

/* --- Files */

/* Adds what explains the files of a folder as missing. */
static ocelotl_status add_unexplained(walk *of, place *at)
{
    at->is_broken = true;
    return add_failed(of->contents, OC_CONTENT_BROKEN, at->below, NULL);
}

/* Adds an archive without its anchor, once: its definitions are beside the folder of its events. */
static ocelotl_status look_at_part(walk *of, place *at)
{
    if (at->is_broken || (at->depth > 0 && oc_is_beside_definitions(at->self.path)))
        return OCELOTL_OK;
    (void)oc_fail(OCELOTL_ERROR_INPUT,
                  "%s: holds parts of an OTF2 archive and no anchor (a file *.otf2), without which "
                  "nothing can be read: the tracer was ended before it wrote one",
                  at->self.path);
    return add_unexplained(of, at);
}

static bool is_ctf_name(const char *name)
{
    return strcmp(name, "metadata") == 0;
}

static ocelotl_status look_at_stream(walk *of, place *at, const char *name)
{
    if (at->has_metadata || at->is_broken)
        return OCELOTL_OK;
    (void)oc_fail(OCELOTL_ERROR_INPUT,
                  "%s: holds a stream of a CTF trace (%s) and no metadata, without which nothing "
                  "can be read, expected a file metadata beside it",
                  at->self.path, name);
    return add_unexplained(of, at);
}

/* Adds a file that begins as no trace does, by its name. */
static ocelotl_status look_at_name(walk *of, const oc_source *file, const char *path,
                                   const char *name)
{
    const oc_head *head = &file->head;
    const bool is_empty = head->length == 0 && head->loss == NULL;
    const oc_importer *importer =
        is_ctf_name(name) ? oc_importer_by_name("ctf") : oc_importer_by_suffix(name);
    if (oc_source_has_suffix(name, ".pcf") || oc_source_has_suffix(name, ".row"))
        return add(of->contents, OC_CONTENT_NAMES, path, NULL);
    if (importer == NULL)
        return OCELOTL_OK;
    (void)(is_empty ? oc_fail(OCELOTL_ERROR_INPUT, "%s: is empty, expected a trace", file->path)
                    : oc_fail_unknown_format(file));
    const bool named = is_ctf_name(name) || ocelotl_is_named_as_trace(name);
    OC_TRY(add_failed(of->contents, named ? OC_CONTENT_NAMED : OC_CONTENT_OTHER, path, importer));
    of->contents->items[of->contents->count - 1].is_empty = is_empty || head->loss != NULL;
    return OCELOTL_OK;
}

/* Whether a trace was seen under another name. */
static ocelotl_status note_seen(bool *is_seen, walk *of, const oc_source *file)
{
    const uint64_t key[2] = {file->device, file->number};
    *is_seen = oc_map_get(&of->seen, key, sizeof key) != OC_MAP_NONE;
    return *is_seen ? OCELOTL_OK : oc_map_set(&of->seen, key, sizeof key, 0);
}

static ocelotl_status look_at_content(walk *of, place *at, const oc_source *file, const char *path,
                                      const char *name)
{
    bool is_seen = false;
    ocelotl_file_kind kind;
    const oc_importer *wanted = of->contents->wanted;
    const oc_importer *importer = NULL;
    if (wanted != NULL && oc_has_suffix_of(name, wanted))
        importer = wanted;
    else
        OC_TRY(oc_recognise(&importer, file, OC_ALMOST + 1));
    if (importer != NULL) {
        OC_TRY(note_seen(&is_seen, of, file));
        at->has_metadata |= importer == oc_importer_by_name("ctf");
        return is_seen ? OCELOTL_OK : add(of->contents, OC_CONTENT_TRACE, path, importer);
    }
    if (oc_is_imported(&kind, file))
        return OCELOTL_OK;
    OC_TRY(oc_recognise(&importer, file, OC_ALMOST));
    if (importer != NULL) {
        (void)oc_fail_unknown_format(file);
        return add_failed(of->contents, OC_CONTENT_BROKEN, path, importer);
    }
    if (oc_is_ctf_stream(&file->head))
        return look_at_stream(of, at, name);
    if (oc_is_otf2_part(&file->head))
        return look_at_part(of, at);
    if (oc_unread_needs(&file->head) != NULL && oc_check_known(file) != OCELOTL_OK)
        return add_failed(of->contents, OC_CONTENT_BROKEN, path, NULL);
    return look_at_name(of, file, path, name);
}

static ocelotl_status look_at_file(walk *of, place *at, const char *path, const char *name)
{
    oc_source file = {0};
    const oc_part part = oc_part_of_archive(at->self.path, name);
    if (part != OC_PART_NONE)
        return part == OC_PART_ALONE ? look_at_part(of, at) : OCELOTL_OK;
    if (of->opened++ >= OC_CONTENTS_FILES)
        return oc_fail(OCELOTL_ERROR_LIMIT,
                       "%s: holds more than %d files, expected a folder of one trace",
                       of->folder->path, OC_CONTENTS_FILES);
    char *whole = oc_source_path(&at->self, name);
    ocelotl_status status =
        whole != NULL ? oc_source_open(&file, whole, of->options) : oc_fail_memory();
    if (status == OCELOTL_OK)
        status = look_at_content(of, at, &file, path, name);
    else if (status == OCELOTL_ERROR_IO ||
             (status == OCELOTL_ERROR_INPUT && oc_importer_by_suffix(name) != NULL))
        status = add_failed(of->contents, OC_CONTENT_BROKEN, path, NULL);
    else if (status == OCELOTL_ERROR_INPUT)
        status = OCELOTL_OK; /* packed, and not as a trace is */
    oc_source_close(&file);
    free(whole);
    return status;
}

/* --- Folders */

static bool is_looked_at(const char *name)
{
    static const char notes[] = ".notes.json";
    const size_t length = strlen(name);
    return name[0] != '.' && strstr(name, ".partial-") == NULL &&
           (length < sizeof notes || strcmp(name + length - (sizeof notes - 1), notes) != 0);
}

static ocelotl_status walk_below(walk *of, const char *path, const char *below, size_t depth);

/* A link to a folder is followed by nobody; one that leads elsewhere is named. */
static ocelotl_status look_at_link(walk *of, const char *whole, const char *path)
{
    char *real = realpath(whole, NULL);
    const size_t length = of->real != NULL ? strlen(of->real) : 0;
    const bool is_inside = real != NULL && of->real != NULL &&
                           strncmp(real, of->real, length) == 0 &&
                           (real[length] == '/' || real[length] == '\0' || length == 1);
    if (real == NULL)
        return errno == ENOMEM ? oc_fail_memory() : OCELOTL_OK;
    free(real);
    return is_inside ? OCELOTL_OK : add(of->contents, OC_CONTENT_LINK, path, NULL);
}

/* Looks at a name if it is a folder, or if it is a file. */
static ocelotl_status look_at_entry(walk *of, place *at, const char *name, bool folders)
{
    struct stat is;
    struct stat link;
    oc_text path = {0};
    ocelotl_status status = OCELOTL_OK;
    char *whole = oc_source_path(&at->self, name);
    oc_text_format(&path, "%s%s%s", at->below, at->below[0] != '\0' ? "/" : "", name);
    if (whole == NULL || path.failed)
        status = oc_fail_memory();
    else if (lstat(whole, &link) != 0 || stat(whole, &is) != 0 || oc_is_of_kernel(whole))
        status = OCELOTL_OK; /* gone, a link to nothing, no trace */
    else if (S_ISREG(is.st_mode) && !folders)
        status = look_at_file(of, at, path.bytes, name);
    else if (S_ISDIR(is.st_mode) && folders)
        status = S_ISLNK(link.st_mode) ? look_at_link(of, whole, path.bytes)
                                       : walk_below(of, whole, path.bytes, at->depth + 1);
    free(whole);
    oc_text_free(&path);
    return status;
}

static ocelotl_status look_at_all(walk *of, place *at, char *const *names, size_t count)
{
    const ocelotl_work *work = &of->options->work;
    for (size_t i = 0; i < count; i++)
        at->has_metadata |= is_ctf_name(names[i]);
    for (int folders = 0; folders < 2; folders++)
        for (size_t i = 0; i < count; i++) {
            if (work->progress != NULL && !work->progress(work->context, 0, 0))
                return oc_fail(OCELOTL_ERROR_CANCELLED, "%s: reading was cancelled",
                               of->folder->path);
            OC_TRY(look_at_entry(of, at, names[i], folders == 1));
        }
    return OCELOTL_OK;
}

static ocelotl_status walk_place(walk *of, place *at)
{
    char **names = NULL;
    size_t count = 0;
    if (at->depth > OC_CONTENTS_DEPTH)
        (void)oc_fail(OCELOTL_ERROR_INPUT, "%s: lies more than %d folders deep, expected fewer",
                      at->self.path, OC_CONTENTS_DEPTH);
    ocelotl_status status = at->depth > OC_CONTENTS_DEPTH
                                ? OCELOTL_ERROR_IO
                                : oc_source_list_all(&names, &count, at->self.path, is_looked_at);
    if (status == OCELOTL_ERROR_IO && at->depth > 0)
        status = add_failed(of->contents, OC_CONTENT_BROKEN, at->below, NULL);
    else if (status == OCELOTL_OK)
        status = look_at_all(of, at, names, count);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return status;
}

static ocelotl_status walk_below(walk *of, const char *path, const char *below, size_t depth)
{
    place at = {.below = below, .depth = depth};
    ocelotl_status status = oc_source_name(&at.self, path, of->options);
    if (status == OCELOTL_OK)
        status = walk_place(of, &at);
    oc_source_close(&at.self);
    return status;
}

ocelotl_status oc_contents_read(oc_contents *contents, const oc_source *folder,
                                const ocelotl_import_options *options)
{
    walk of = {.contents = contents, .folder = folder, .options = options};
    of.real = realpath(folder->path, NULL);
    if (of.real == NULL && errno == ENOMEM)
        return oc_fail_memory();
    const ocelotl_status status = walk_below(&of, folder->path, "", 0);
    oc_map_free(&of.seen);
    free(of.real);
    return status;
}
