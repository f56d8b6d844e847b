/* What is in a folder, file by file; which of it is read, and what is said of the rest. */
#define _GNU_SOURCE
#include "importers/contents.h"

#include "base/machine.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"

#include <ocelotl/run.h>

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- Parts of OTF2 archives, by their names and the anchors around them. They are not opened:
 * there may be one for each of many thousands of threads. */

typedef enum archive_part { PART_NONE, PART_OF_ANCHOR, PART_ALONE } archive_part;

/* The length of a name before the suffix of such a file, 0: it has none. */
static size_t find_suffix(const char *name)
{
    static const char *const suffixes[] = {".def", ".evt", ".snap", ".thumb", ".marker"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        const size_t end = strlen(suffixes[i]);
        if (length > end && strcmp(name + length - end, suffixes[i]) == 0)
            return length - end;
    }
    return 0;
}

/* Whether a file is in a folder, by its name without the suffix; "" is beside the folder. */
static bool has_file(const char *folder, const char *name, size_t length, const char *suffix)
{
    struct stat found;
    char path[PATH_MAX];
    size_t end = strlen(folder);
    while (end > 1 && folder[end - 1] == '/')
        end--;
    const int used = snprintf(path, sizeof path, "%.*s%s%.*s%s", (int)end, folder,
                              length > 0 ? "/" : "", (int)length, name, suffix);
    const bool fits = used > 0 && (size_t)used < sizeof path;
    return fits && stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

static bool is_beside_anchor(const char *folder)
{
    return has_file(folder, "", 0, ".otf2");
}

static bool is_beside_definitions(const char *folder)
{
    return has_file(folder, "", 0, ".def");
}

/* run.def belongs to run.otf2, and run/7.evt as well. */
static archive_part part_of_archive(const char *folder, const char *name)
{
    const size_t length = find_suffix(name);
    const bool is_number = length > 0 && strspn(name, "0123456789") == length;
    if (length == 0)
        return PART_NONE;
    if (has_file(folder, name, length, ".otf2") || (is_number && is_beside_anchor(folder)))
        return PART_OF_ANCHOR;
    return is_number ? PART_ALONE : PART_NONE; /* others may be named so, too */
}

/* --- Looking */

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

/* Adds an item; `why` it cannot be read, or NULL. */
static ocelotl_status add(oc_contents *contents, oc_content_kind kind, const char *path,
                          const oc_importer *importer, const char *why)
{
    oc_arena *arena = &contents->arena;
    OC_TRY(oc_arena_grow(&contents->items, &contents->capacity, arena, contents->count + 1,
                         sizeof(oc_content)));
    contents->items[contents->count++] =
        (oc_content){.kind = kind,
                     .path = oc_arena_copy(arena, path),
                     .why = why != NULL ? oc_arena_copy(arena, why) : NULL,
                     .importer = importer};
    return oc_arena_status(arena);
}

void oc_contents_free(oc_contents *contents)
{
    oc_arena_free(&contents->arena);
    *contents = (oc_contents){0};
}

/* Adds a folder whose files lack what explains them, once; the thread's message says so. */
static ocelotl_status add_unexplained(walk *of, place *at)
{
    at->is_broken = true;
    return add(of->contents, OC_CONTENT_BROKEN, at->below, NULL, ocelotl_error_message());
}

/* Adds an archive without its anchor: its definitions are beside the folder of its events. */
static ocelotl_status look_at_part(walk *of, place *at)
{
    if (at->is_broken || (at->depth > 0 && is_beside_definitions(at->self.path)))
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
        return add(of->contents, OC_CONTENT_NAMES, path, NULL, NULL);
    if (importer == NULL)
        return OCELOTL_OK;
    (void)(is_empty ? oc_fail(OCELOTL_ERROR_INPUT, "%s: is empty, expected a trace", file->path)
                    : oc_fail_unknown_format(file));
    const bool named = is_ctf_name(name) || ocelotl_is_named_as_trace(name);
    OC_TRY(add(of->contents, named ? OC_CONTENT_NAMED : OC_CONTENT_OTHER, path, importer,
               ocelotl_error_message()));
    of->contents->items[of->contents->count - 1].is_empty = is_empty || head->loss != NULL;
    return OCELOTL_OK;
}

static ocelotl_status look_at_content(walk *of, place *at, const oc_source *file, const char *path,
                                      const char *name)
{
    ocelotl_file_kind kind;
    const uint64_t key[2] = {file->device, file->number};
    const oc_importer *wanted = of->contents->wanted;
    const oc_importer *importer = NULL;
    OC_TRY(oc_recognise(&importer, file, OC_ALMOST + 1));
    if (importer == NULL && wanted != NULL && oc_has_suffix_of(name, wanted))
        importer = wanted;
    if (importer != NULL) {
        at->has_metadata |= importer == oc_importer_by_name("ctf");
        if (oc_map_get(&of->seen, key, sizeof key) != OC_MAP_NONE)
            return OCELOTL_OK;
        OC_TRY(oc_map_set(&of->seen, key, sizeof key, 0));
        return add(of->contents, OC_CONTENT_TRACE, path, importer, NULL);
    }
    if (oc_is_imported(&kind, file))
        return OCELOTL_OK;
    OC_TRY(oc_recognise(&importer, file, OC_ALMOST));
    if (importer != NULL) {
        (void)oc_fail_unknown_format(file);
        return add(of->contents, OC_CONTENT_BROKEN, path, importer, ocelotl_error_message());
    }
    if (oc_is_ctf_stream(&file->head))
        return look_at_stream(of, at, name);
    if (oc_is_otf2_part(&file->head))
        return look_at_part(of, at);
    if (oc_unread_needs(&file->head) != NULL && oc_check_known(file) != OCELOTL_OK)
        return add(of->contents, OC_CONTENT_BROKEN, path, NULL, ocelotl_error_message());
    return look_at_name(of, file, path, name);
}

static ocelotl_status look_at_file(walk *of, place *at, const char *path, const char *name)
{
    oc_source file = {0};
    const archive_part part = part_of_archive(at->self.path, name);
    if (part != PART_NONE)
        return part == PART_ALONE ? look_at_part(of, at) : OCELOTL_OK;
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
        status = add(of->contents, OC_CONTENT_BROKEN, path, NULL, ocelotl_error_message());
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
    return is_inside ? OCELOTL_OK : add(of->contents, OC_CONTENT_LINK, path, NULL, NULL);
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
        status = add(of->contents, OC_CONTENT_BROKEN, at->below, NULL, ocelotl_error_message());
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

static ocelotl_status fail_lost(const oc_contents *contents, const oc_content *item, size_t count,
                                const char *folder)
{
    const char *format = contents->importer->format.name;
    if (item->kind == OC_CONTENT_TRACE)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: holds traces of %s (%s) and of %s (%s), expected one format; name the "
                       "files of one, or --lenient reads those of %s alone",
                       folder, format, find_first(contents)->path, item->importer->format.name,
                       item->path, format);
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
    if (is_beside_anchor(folder))
        return oc_fail(OCELOTL_ERROR_IO,
                       "%s: is the folder of the events of an OTF2 archive, expected the anchor "
                       "beside it (.otf2), or the folder above",
                       folder);
    if (has_file(folder, "form", 4, ".template"))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: is a recording of Instruments, which cannot be read, expected the "
                       "tables that `xcrun xctrace export` makes of it",
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

/* --- Files with the same content: a trace, and beside it the same compressed */

enum { COMPARED = 1 << 16 };

/* Two files that are read side by side, decompressed. */
typedef struct pair {
    oc_source sources[2];
    char *parts[2];
    size_t lengths[2];
} pair;

/* Compares up to the first difference. Of data that is cut off, what is left of it counts. */
static ocelotl_status compare_files(bool *same, pair *of, const oc_source *folder,
                                    const char *const paths[2],
                                    const ocelotl_import_options *options)
{
    const size_t *lengths = of->lengths;
    const ocelotl_work *work = &options->work;
    for (size_t i = 0; i < 2; i++) {
        char *whole = oc_source_path(folder, paths[i]);
        const ocelotl_status status = whole != NULL
                                          ? oc_source_open_unseen(&of->sources[i], whole, options)
                                          : oc_fail_memory();
        free(whole);
        OC_TRY(status);
        OC_TRY(oc_allocate(&of->parts[i], COMPARED, 1));
    }
    do {
        for (size_t i = 0; i < 2; i++) { /* parts are full but at the end */
            size_t step = 1;
            for (of->lengths[i] = 0; lengths[i] < COMPARED && step > 0; of->lengths[i] += step)
                OC_TRY(oc_input_read(of->sources[i].input, of->parts[i] + lengths[i],
                                     COMPARED - lengths[i], &step));
        }
        const size_t shorter = lengths[1] < lengths[0];
        const bool is_cut = oc_input_loss(of->sources[shorter].input) != NULL;
        *same = (lengths[0] == lengths[1] || is_cut) &&
                memcmp(of->parts[0], of->parts[1], lengths[shorter]) == 0;
        if (work->progress != NULL && !work->progress(work->context, 0, 0))
            return oc_fail(OCELOTL_ERROR_CANCELLED, "%s: reading was cancelled",
                           of->sources[0].path);
    } while (*same && lengths[0] == COMPARED && lengths[1] == COMPARED);
    return OCELOTL_OK;
}

/* Compares an item with the first of its name, and says what becomes of it. */
static ocelotl_status compare_with_first(oc_contents *contents, oc_content *item,
                                         const oc_content *first, oc_notices *left,
                                         const oc_source *folder,
                                         const ocelotl_import_options *options)
{
    bool same = false;
    pair of = {0};
    oc_text names = {0};
    const char *const paths[2] = {first->path, item->path};
    const ocelotl_status compared = compare_files(&same, &of, folder, paths, options);
    for (size_t i = 0; i < 2; i++) {
        oc_source_close(&of.sources[i]);
        free(of.parts[i]);
    }
    OC_TRY(compared);
    if (same) {
        item->kind = OC_CONTENT_COPY;
        contents->taken_count--;
    }
    oc_text_format(&names, "first: %s, as %s", item->path, first->path);
    const ocelotl_status status =
        names.failed
            ? oc_fail_memory()
            : oc_notices_add(left,
                             same ? "file of the folder with the content of another, which is "
                                    "compressed otherwise (read once)"
                                  : "file of the folder named as another, which is compressed "
                                    "otherwise and has other content (both are read)",
                             names.bytes);
    oc_text_free(&names);
    return status;
}

ocelotl_status oc_contents_drop_copies(oc_contents *contents, oc_notices *left,
                                       const oc_source *folder,
                                       const ocelotl_import_options *options)
{
    oc_map first_of = {0};
    ocelotl_status status = OCELOTL_OK;
    for (size_t i = 0; i < contents->count && status == OCELOTL_OK; i++) {
        oc_content *item = &contents->items[i];
        if (!oc_contents_takes(contents, item) || item->importer->unit != OC_UNIT_FILE)
            continue;
        const size_t length = oc_source_bare_length(item->path);
        const uint32_t first = oc_map_get(&first_of, item->path, length);
        status = first == OC_MAP_NONE ? oc_map_set(&first_of, item->path, length, (uint32_t)i)
                                      : compare_with_first(contents, item, &contents->items[first],
                                                           left, folder, options);
    }
    oc_map_free(&first_of);
    return status;
}

/* --- What a path is, without an import */

ocelotl_status oc_identify_file(ocelotl_file_kind *kind, const oc_importer **importer,
                                const oc_source *source)
{
    const oc_head *head = &source->head;
    *importer = NULL;
    if (head->length == 0 && head->loss == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is empty, expected a trace", source->path);
    if (oc_is_imported(kind, source))
        return OCELOTL_OK;
    *kind = OCELOTL_FILE_TRACE;
    OC_TRY(oc_recognise(importer, source, OC_PERHAPS + 1));
    if (*importer != NULL)
        return OCELOTL_OK;
    OC_TRY(oc_check_known(source));
    OC_TRY(oc_recognise(importer, source, OC_PERHAPS));
    return *importer != NULL ? OCELOTL_OK : oc_fail_unknown_format(source);
}

static ocelotl_status identify(ocelotl_identity *found, const oc_source *source,
                               oc_contents *contents, const ocelotl_import_options *options)
{
    const oc_importer *importer = NULL;
    if (source->is_folder && ocelotl_is_run(source->path)) {
        found->is_folder = found->is_whole = true;
    } else if (source->is_folder) {
        OC_TRY(oc_contents_read(contents, source, options));
        OC_TRY(oc_contents_judge(contents, NULL, source, options->lenient));
        importer = contents->importer;
        found->kind = OCELOTL_FILE_TRACE;
        found->is_folder = true;
        found->is_whole = importer->unit == OC_UNIT_FOLDER ||
                          (importer->unit == OC_UNIT_ANCHOR && contents->taken_count == 1);
    } else {
        OC_TRY(oc_identify_file(&found->kind, &importer, source));
    }
    if (importer != NULL)
        found->format = importer->format.name;
    return OCELOTL_OK;
}

ocelotl_status oc_identify(ocelotl_identity *identity, const char *path, bool lenient)
{
    oc_source source = {0};
    oc_contents contents = {0};
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    options.lenient = lenient;
    ocelotl_identity found = {.format = ""};
    ocelotl_status status = oc_source_open(&source, path, &options);
    if (status == OCELOTL_OK)
        status = identify(&found, &source, &contents, &options);
    oc_contents_free(&contents);
    oc_source_close(&source);
    if (status == OCELOTL_OK)
        *identity = found;
    return status;
}

ocelotl_status ocelotl_identify_format(ocelotl_identity *identity, const char *path)
{
    return oc_identify(identity, path, false);
}

ocelotl_status ocelotl_identify(ocelotl_file_kind *kind, const char *path)
{
    ocelotl_identity identity;
    OC_TRY(oc_identify(&identity, path, true));
    *kind = identity.kind;
    return OCELOTL_OK;
}
