#define _GNU_SOURCE
/* Recognising files and handing them to their importer. */
#include "importers/contents.h"

#include "base/exchange.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "importers/ingest/ingest.h"

#include <ocelotl/run.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool ocelotl_import_is_current(const ocelotl_trace *trace)
{
    for (uint32_t i = 0; i < ocelotl_trace_file_count(trace); i++) {
        const ocelotl_trace_file file = ocelotl_trace_file_at(trace, i);
        char stamp[OC_STAMP];
        oc_source_stamp(stamp, file.path);
        if (strcmp(stamp, file.stamp) != 0)
            return false;
    }
    return true;
}

static ocelotl_status find_format(const oc_importer **importer, const char *name)
{
    *importer = oc_importer_by_name(name);
    return ocelotl_format_check(name);
}

/* A table needs no header that is known if its columns are named. */
static bool is_table(const ocelotl_import_options *options)
{
    return options->format == NULL && options->columns != NULL;
}

/* The format that is asked for of a folder. */
static const char *name_wanted(const ocelotl_import_options *options)
{
    return is_table(options) ? oc_csv_importer.format.name : options->format;
}

/* A file that is surely no table is refused with its own format. */
static ocelotl_status choose_table(const oc_importer **importer, const oc_source *source)
{
    OC_TRY(oc_recognise(importer, source, OC_PERHAPS + 1));
    if (*importer == NULL)
        *importer = &oc_csv_importer;
    return OCELOTL_OK;
}

static ocelotl_status choose(const oc_importer **importer, const oc_source *source,
                             const ocelotl_import_options *options)
{
    ocelotl_file_kind kind = OCELOTL_FILE_TRACE;
    *importer = source->importer;
    if (*importer != NULL)
        return OCELOTL_OK;
    if (options->format != NULL && source->head.length > 0)
        return find_format(importer, options->format);
    if (is_table(options) && source->head.length > 0)
        return choose_table(importer, source);
    OC_TRY(oc_identify_file(&kind, importer, source));
    if (kind != OCELOTL_FILE_TRACE)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is a %s already, which needs no import",
                       source->path,
                       kind == OCELOTL_FILE_TRACE_DB ? "trace.db" : "microscopic model");
    return OCELOTL_OK;
}

/* Files of other formats do not say when they were recorded. */
static ocelotl_status check_align(const oc_import *import, const oc_importer *importer)
{
    if (import->options->align != OCELOTL_ALIGN_CLOCK || import->source_count < 2 ||
        importer->has_clock)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "%s: files of the format %s do not say when they were recorded, expected "
                   "--align begin or none",
                   import->sources[0].path, importer->format.name);
}

/* Chooses the importer of several files: all must have one format, and it must read several. */
static ocelotl_status choose_for_all(const oc_importer **importer, const oc_import *import)
{
    const oc_source *sources = import->sources;
    OC_TRY(choose(importer, &sources[0], import->options));
    if (*importer == NULL)
        return oc_fail(OCELOTL_ERROR_INTERNAL, "%s: no importer was chosen", sources[0].path);
    for (size_t i = 1; i < import->source_count; i++) {
        const oc_importer *one = NULL;
        OC_TRY(choose(&one, &sources[i], import->options));
        if (one != *importer)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s: is of the format %s, and %s of %s, expected files of one format",
                           sources[i].path, one->format.name, sources[0].path,
                           (*importer)->format.name);
        for (size_t j = 0; j < i; j++)
            if (oc_source_is_same(&sources[i], &sources[j]))
                return oc_fail(OCELOTL_ERROR_ARGUMENT,
                               "%s: is given twice, expected each file once", sources[i].path);
    }
    if (import->source_count > 1 && !(*importer)->takes_several)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "several files of the format %s, expected one: it is no part of a trace",
                       (*importer)->format.name);
    return check_align(import, *importer);
}

/* The last parts of a path, `parts` of them, without the slashes behind a folder's name. */
static const char *find_last_parts(size_t *length, const char *path, size_t parts)
{
    const char *end = path + strlen(path);
    while (end > path + 1 && end[-1] == '/')
        end--;
    const char *first = end;
    for (; first > path; first--) {
        parts -= first[-1] == '/';
        if (parts == 0)
            break;
    }
    *length = (size_t)(end - first);
    return first;
}

/* Names a file by the last parts of its path, without suffixes: "some/run.trace.zst" is "run", or
 * "some/run". */
static ocelotl_status name_source(const char **name, oc_arena *arena, const char *path,
                                  const oc_importer *importer, size_t parts)
{
    size_t length;
    char *copy;
    const char *first = find_last_parts(&length, path, parts);
    OC_TRY(oc_arena_allocate(&copy, arena, length + 1, 1));
    memcpy(copy, first, length);
    length = oc_source_bare_length(copy);
    for (const char *const *suffix = importer->format.suffixes; *suffix != NULL; suffix++) {
        const size_t taken = strlen(*suffix);
        if (length > taken && strncmp(copy + length - taken, *suffix, taken) == 0)
            length -= taken;
    }
    copy[length] = '\0';
    *name = copy;
    return OCELOTL_OK;
}

/* Names each file by as many parts of its path as make the names differ. */
static ocelotl_status name_sources(oc_import *import, oc_arena *arena, const oc_importer *importer)
{
    enum { MOST_PARTS = 64 };
    const char **names = NULL;
    ocelotl_status status = oc_arena_allocate(&names, arena, import->source_count, sizeof *names);
    bool differ = false;
    import->nodes = names;
    for (size_t parts = 1; !differ && parts <= MOST_PARTS; parts++) {
        oc_map seen = {0};
        differ = true;
        for (size_t i = 0; status == OCELOTL_OK && i < import->source_count; i++) {
            status = name_source(&names[i], arena, import->sources[i].path, importer, parts);
            if (status != OCELOTL_OK)
                break;
            const size_t length = strlen(names[i]);
            differ = differ && oc_map_get(&seen, names[i], length) == OC_MAP_NONE;
            status = oc_map_set(&seen, names[i], length, 0);
        }
        oc_map_free(&seen);
    }
    return status;
}

/* Whether a failure is one of what is read, or of what was made of it. */
static bool is_of_source(ocelotl_status status)
{
    return status == OCELOTL_ERROR_INPUT || status == OCELOTL_ERROR_LIMIT ||
           status == OCELOTL_ERROR_ARGUMENT;
}

/* Whether the thread's message begins with a file, or with an option. */
static bool names_file(const oc_import *import)
{
    char path[PATH_MAX];
    const char *message = ocelotl_error_message();
    bool names = strncmp(message, "--", 2) == 0 || import->sources[0].is_standard ||
                 strncmp(message, import->target, strlen(import->target)) == 0;
    for (const char *end = message; !names && (end = strchr(end, ':')) != NULL; end++) {
        const int length = snprintf(path, sizeof path, "%.*s", (int)(end - message), message);
        names = length < (int)sizeof path && access(path, F_OK) == 0;
    }
    return names;
}

/* Whether this is another rank than the first one, which does what is not shared. */
static bool is_behind_first(const ocelotl_import_options *options)
{
    return options->work.exchange != NULL && options->work.exchange->rank > 0;
}

static ocelotl_status run_named(oc_import *import, const oc_importer *importer, oc_text *name,
                                oc_text *path)
{
    size_t length;
    const ocelotl_import_options *options = import->options;
    const size_t more = import->folder != NULL ? 0 : import->source_count - 1;
    oc_text_add(path, import->folder != NULL ? import->folder : import->sources[0].path);
    if (import->folder != NULL) {
        const char *last = find_last_parts(&length, import->folder, 1);
        oc_text_append(name, last, length);
    } else {
        oc_text_add(name, import->nodes[0]);
    }
    if (more > 0) {
        oc_text_format(name, " and %zu more", more);
        oc_text_format(path, " and %zu more", more);
    }
    if (name->failed || path->failed)
        return oc_fail_memory();
    import->name = options->name != NULL ? options->name : name->bytes;
    import->source_path = options->source_path != NULL ? options->source_path : path->bytes;
    for (size_t i = 0; i < import->source_count; i++)
        OC_TRY(oc_source_rewind(&import->sources[i]));
    import->is_shared = importer->shares;
    if (!importer->shares && is_behind_first(options))
        return OCELOTL_OK;
    const ocelotl_status status = importer->import != NULL
                                      ? importer->import(import)
                                      : oc_ingest_import(importer->decoder, import);
    return is_of_source(status) && !names_file(import)
               ? oc_fail_within(status, "%s", import->source_path)
               : status;
}

static ocelotl_status run(oc_import *import, const oc_importer *importer)
{
    oc_arena arena = {0};
    oc_text name = {0};
    oc_text path = {0};
    ocelotl_status status = name_sources(import, &arena, importer);
    if (status == OCELOTL_OK)
        status = run_named(import, importer, &name, &path);
    oc_arena_free(&arena);
    oc_text_free(&name);
    oc_text_free(&path);
    return status;
}

/* --- What was given */

static ocelotl_status add_source(oc_import *import, size_t *capacity, const char *path)
{
    OC_TRY(oc_grow(&import->sources, capacity, import->source_count + 1, sizeof *import->sources));
    oc_source *source = &import->sources[import->source_count++];
    *source = (oc_source){0};
    return oc_source_open(source, path, import->options);
}

/* Adds a file of a folder, whose format is known. */
static ocelotl_status add_part(oc_import *import, size_t *capacity, const oc_source *folder,
                               const oc_content *part)
{
    OC_TRY(oc_grow(&import->sources, capacity, import->source_count + 1, sizeof *import->sources));
    oc_source *source = &import->sources[import->source_count++];
    *source = (oc_source){.importer = part->importer};
    char *path = oc_source_path(folder, part->path);
    ocelotl_status status = OCELOTL_OK;
    if (path == NULL)
        status = oc_fail_memory();
    else if (part->importer->unit == OC_UNIT_FILE)
        status = oc_source_open_unseen(source, path, import->options);
    else
        status = oc_source_name(source, path, import->options);
    free(path);
    return status;
}

/* Puts the traces of a folder, which was opened last, in its place. */
static ocelotl_status replace_folder(oc_import *import, size_t *capacity,
                                     const oc_contents *contents)
{
    oc_source folder = import->sources[--import->source_count];
    ocelotl_status status = OCELOTL_OK;
    import->notes_files = true;
    for (size_t i = 0; i < contents->count && status == OCELOTL_OK; i++)
        if (oc_contents_takes(contents, &contents->items[i]))
            status = add_part(import, capacity, &folder, &contents->items[i]);
    oc_source_close(&folder);
    return status;
}

/* Keeps a folder as the source, which is one trace. */
static ocelotl_status keep_folder(oc_source *folder, const oc_contents *contents)
{
    folder->importer = contents->importer;
    for (size_t i = 0; i < contents->count && folder->anchor == NULL; i++)
        if (oc_contents_takes(contents, &contents->items[i])) {
            folder->anchor = oc_source_path(folder, contents->items[i].path);
            if (folder->anchor == NULL)
                return oc_fail_memory();
        }
    return OCELOTL_OK;
}

/* Refuses columns of a folder that holds traces of another format and no table. */
static ocelotl_status check_tables(const oc_contents *contents, const char *folder,
                                   const ocelotl_import_options *options)
{
    ocelotl_identity found = {.format = ""};
    for (size_t i = 0; i < contents->count; i++)
        if (contents->items[i].importer == &oc_csv_importer)
            return OCELOTL_OK;
    const ocelotl_status status = oc_identify(&found, folder, true);
    const oc_importer *importer = oc_importer_by_name(found.format);
    if (status == OCELOTL_ERROR_MEMORY)
        return status;
    return importer != NULL ? oc_check_taken(importer, folder, options) : OCELOTL_OK;
}

/* Decides what of the folder that was opened last is read. */
static ocelotl_status expand(oc_import *import, size_t *capacity, oc_contents *contents)
{
    oc_source *folder = &import->sources[import->source_count - 1];
    const char *format = name_wanted(import->options);
    if (format != NULL)
        OC_TRY(find_format(&contents->wanted, format));
    OC_TRY(oc_contents_read(contents, folder, import->options));
    if (is_table(import->options))
        OC_TRY(check_tables(contents, folder->path, import->options));
    OC_TRY(oc_contents_judge(contents, &import->left, folder, import->options->lenient));
    OC_TRY(oc_contents_drop_copies(contents, &import->left, folder, import->options));
    const oc_unit unit = contents->importer->unit;
    return unit == OC_UNIT_FOLDER || (unit == OC_UNIT_ANCHOR && contents->taken_count == 1)
               ? keep_folder(folder, contents)
               : replace_folder(import, capacity, contents);
}

static ocelotl_status import_sources(oc_import *import, const char *const *paths, size_t count)
{
    size_t capacity = 0;
    const oc_importer *importer = NULL;
    for (size_t i = 0; i < count; i++) {
        oc_contents contents = {0};
        OC_TRY(add_source(import, &capacity, paths[i]));
        if (!import->sources[import->source_count - 1].is_folder)
            continue;
        const ocelotl_status status =
            ocelotl_is_run(paths[i])
                ? oc_fail(
                      OCELOTL_ERROR_INPUT,
                      "%s: is a run already, which needs no import; ocelotl-cli merge makes one "
                      "trace.db of it",
                      paths[i])
                : expand(import, &capacity, &contents);
        oc_contents_free(&contents);
        OC_TRY(status);
    }
    if (count == 1 && import->notes_files)
        import->folder = paths[0];
    import->notes_files = import->notes_files || import->source_count > 1;
    OC_TRY(choose_for_all(&importer, import));
    OC_TRY(oc_check_taken(importer,
                          import->folder != NULL ? import->folder : import->sources[0].path,
                          import->options));
    return run(import, importer);
}

ocelotl_status oc_import_files(const char *target, const char *const *sources, size_t source_count,
                               const ocelotl_import_options *given, size_t block_size,
                               bool long_way)
{
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    oc_import import = {
        .target = target, .options = &options, .block_size = block_size, .long_way = long_way};
    OC_TRY(oc_read_options(&options, sizeof options, given));
    if (source_count == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "no file to import, expected one");
    bool is_left = false; /* to the rank that has standard input */
    for (size_t i = 0; i < source_count && is_behind_first(&options); i++)
        is_left = is_left || strcmp(sources[i], "-") == 0;
    ocelotl_status status = is_left ? OCELOTL_OK : import_sources(&import, sources, source_count);
    if (!import.is_shared)
        status = oc_exchange_agree(status, options.work.exchange);
    for (size_t i = 0; i < import.source_count; i++)
        oc_source_close(&import.sources[i]);
    free(import.sources);
    oc_notices_free(&import.left);
    return status;
}

ocelotl_status ocelotl_import_files(const char *target, const char *const *sources,
                                    size_t source_count, const ocelotl_import_options *options)
{
    return oc_import_files(target, sources, source_count, options, 0, false);
}

ocelotl_status ocelotl_import(const char *target, const char *source,
                              const ocelotl_import_options *options)
{
    return ocelotl_import_files(target, &source, 1, options);
}
