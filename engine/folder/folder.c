/* Walks a folder and looks at what is in it; nothing is imported. */
#define _GNU_SOURCE
#include "folder/folder.h"

#include "base/format/condition.h"
#include "base/format/date.h"
#include "base/machine.h"
#include "base/options.h"
#include "base/plain.h"
#include "base/text.h"

#include <ocelotl/import.h>
#include <ocelotl/run.h>
#include <ocelotl/trace.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef ocelotl_folder_trace listed;

static const listed nothing = {
    .name = "", .kind = "", .format = "", .title = "", .uid = "", .recorded = "", .modified = ""};

/* Keeps a text; what is no UTF-8 stands for itself in no answer. */
static ocelotl_status keep(const char **kept, ocelotl_folder *folder, const char *text)
{
    *kept = oc_arena_copy_utf8(&folder->arena, text);
    return oc_arena_status(&folder->arena);
}

static ocelotl_status add(ocelotl_folder *folder, listed *found, const char *name)
{
    OC_TRY(oc_arena_grow(&folder->list, &folder->capacity, &folder->arena, folder->count + 1,
                         sizeof *folder->list));
    OC_TRY(keep(&found->name, folder, name));
    folder->list[folder->count++] = *found;
    *found = nothing;
    return OCELOTL_OK;
}

/* --- What is a trace, and what can be said of it */

/* Whether a status says nothing of the file that was looked at. */
static bool is_our_own(ocelotl_status status)
{
    return status == OCELOTL_ERROR_MEMORY || status == OCELOTL_ERROR_CANCELLED ||
           status == OCELOTL_ERROR_INTERNAL;
}

/* Keeps the last message as what is wrong, unless it is not the trace's fault. Its row names the
 * path already. */
static ocelotl_status keep_problem(ocelotl_folder *folder, listed *found, ocelotl_status status,
                                   const char *path)
{
    const char *message = ocelotl_error_message();
    const size_t length = strlen(path);
    if (status == OCELOTL_OK || is_our_own(status) || found->problem != NULL)
        return is_our_own(status) ? status : OCELOTL_OK;
    if (strncmp(message, path, length) == 0 && strncmp(message + length, ": ", 2) == 0)
        message += length + 2;
    return keep(&found->problem, folder, message);
}

static ocelotl_status read_totals(ocelotl_folder *folder, listed *found, const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    OC_TRY(keep(&found->format, folder, info.format));
    OC_TRY(keep(&found->title, folder, info.name));
    OC_TRY(keep(&found->uid, folder, info.uid));
    OC_TRY(keep(&found->recorded, folder, info.origin));
    found->is_known = true;
    found->duration = ocelotl_trace_seconds(trace, info.end - info.begin);
    found->resources = ocelotl_trace_resource_count(trace);
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++)
        found->events += ocelotl_trace_event_type_at(trace, i).count;
    return OCELOTL_OK;
}

/* Looks at what a trace of some kind says of itself, and at its notes. */
static ocelotl_status describe(ocelotl_folder *folder, listed *found,
                               const ocelotl_identity *identity, const char *path)
{
    static const char *const kinds[] = {"trace.db", "matrix", "trace"};
    found->kind = identity->kind == OCELOTL_FILE_TRACE_DB && identity->is_folder
                      ? "run"
                      : kinds[identity->kind];
    OC_TRY(keep(&found->format, folder, identity->format));
    if (identity->kind == OCELOTL_FILE_TRACE_DB) {
        ocelotl_trace *trace = NULL;
        ocelotl_status status = ocelotl_trace_open(&trace, path);
        if (status == OCELOTL_OK)
            status = read_totals(folder, found, trace);
        if (status == OCELOTL_OK && identity->is_folder) {
            found->is_folder = false;
            found->size = ocelotl_trace_info_of(trace).file_size;
        }
        ocelotl_trace_free(trace);
        OC_TRY(keep_problem(folder, found, status, path));
    }
    return keep_problem(folder, found, ocelotl_notes_read(&found->notes, path), path);
}

/* Takes the date from what the system knows of a file. */
static ocelotl_status keep_date(ocelotl_folder *folder, listed *found, const struct stat *is)
{
    char date[OC_DATE_SIZE];
    char text[32];
    if (!oc_date_write(date, is->st_mtime))
        return OCELOTL_OK;
    snprintf(text, sizeof text, "%.19sZ", date);
    return keep(&found->modified, folder, text);
}

static bool ends_in(const char *name, const char *suffix)
{
    const size_t length = strlen(name);
    const size_t end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0;
}

/* Hidden files, notes, and what is being written. */
static bool is_passed_over(const char *name)
{
    return name[0] == '.' || ends_in(name, ".notes.json") || strstr(name, ".partial-") != NULL;
}

static ocelotl_status walk(ocelotl_folder *folder, const char *path, const char *name);

/* A link may lead anywhere, and round: what is below it is not looked for. */
static bool is_link(const char *path)
{
    struct stat is;
    return lstat(path, &is) == 0 && S_ISLNK(is.st_mode);
}

/* A folder is a trace, or has others below it. */
static ocelotl_status look_at_folder(ocelotl_folder *folder, listed *found, const char *path,
                                     const char *name)
{
    ocelotl_identity identity = {.format = ""};
    const ocelotl_status status = ocelotl_identify_format(&identity, path);
    if (is_our_own(status))
        return status;
    if (status == OCELOTL_ERROR_INPUT || status == OCELOTL_ERROR_LIMIT) {
        /* Says why a folder is no trace, if it looks like one and nothing in it says so. */
        const size_t before = folder->count;
        OC_TRY(keep_problem(folder, found, status, path));
        if (folder->options.recursive && !is_link(path))
            OC_TRY(walk(folder, path, name));
        found->is_folder = true;
        found->size = 0;
        return folder->count > before ? OCELOTL_OK : add(folder, found, name);
    }
    if (status == OCELOTL_OK && (identity.is_whole || !folder->options.recursive)) {
        found->is_folder = true;
        found->size = 0; /* of its entry */
        OC_TRY(describe(folder, found, &identity, path));
        return add(folder, found, name);
    }
    return folder->options.recursive && !is_link(path) ? walk(folder, path, name) : OCELOTL_OK;
}

static ocelotl_status look_at(ocelotl_folder *folder, listed *found, const char *path,
                              const char *name)
{
    const ocelotl_work *work = &folder->options.work;
    struct stat is;
    if (folder->seen++ >= OCELOTL_FOLDER_MOST)
        return OCELOTL_OK;
    if (work->progress != NULL && !work->progress(work->context, folder->seen - 1, 0))
        return oc_fail(OCELOTL_ERROR_CANCELLED, "%s: reading was cancelled", folder->path);
    if (stat(path, &is) != 0 || (!S_ISREG(is.st_mode) && !S_ISDIR(is.st_mode)) ||
        oc_is_of_kernel(path))
        return OCELOTL_OK; /* a link to nothing, a pipe, a device */
    OC_TRY(keep_date(folder, found, &is));
    found->size = (uint64_t)is.st_size;
    if (S_ISDIR(is.st_mode))
        return look_at_folder(folder, found, path, name);
    ocelotl_identity identity = {.format = ""};
    const ocelotl_status status = ocelotl_identify_format(&identity, path);
    if (status != OCELOTL_OK) {
        /* Adds a file that nothing recognises, or that cannot be read, or counts it. */
        if (is_our_own(status))
            return status;
        if (status != OCELOTL_ERROR_IO && !folder->options.all &&
            !ocelotl_is_named_as_trace(name)) {
            folder->others++;
            return OCELOTL_OK;
        }
        OC_TRY(keep_problem(folder, found, status, path));
        return add(folder, found, name);
    }
    OC_TRY(describe(folder, found, &identity, path));
    return add(folder, found, name);
}

/* --- The walk */

static ocelotl_status look_at_entry(ocelotl_folder *folder, const char *path, const char *name,
                                    const char *entry)
{
    listed found = nothing;
    oc_text below = {0};
    oc_text whole = {0};
    oc_text_format(&below, "%s%s%s", name, name[0] != '\0' ? "/" : "", entry);
    oc_text_format(&whole, "%s%s%s", path, ends_in(path, "/") || strcmp(path, "/") == 0 ? "" : "/",
                   entry);
    ocelotl_status status = below.failed || whole.failed ? oc_fail_memory() : OCELOTL_OK;
    if (status == OCELOTL_OK)
        status = look_at(folder, &found, whole.bytes, below.bytes);
    ocelotl_notes_free(found.notes);
    oc_text_free(&below);
    oc_text_free(&whole);
    return status;
}

static int is_seen(const struct dirent *entry)
{
    return !is_passed_over(entry->d_name);
}

/* A folder below that cannot be read is a problem of it alone. */
static ocelotl_status add_unread(ocelotl_folder *folder, const char *path, const char *name)
{
    listed found = nothing;
    ocelotl_status status = errno == ENOMEM ? oc_fail_memory()
                                            : oc_fail(OCELOTL_ERROR_IO, "%s: cannot be read: %s",
                                                      path, strerror(errno));
    if (name[0] == '\0' || status == OCELOTL_ERROR_MEMORY)
        return status;
    found.is_folder = true;
    status = keep_problem(folder, &found, status, path);
    if (status == OCELOTL_OK)
        status = add(folder, &found, name);
    ocelotl_notes_free(found.notes);
    return status;
}

static ocelotl_status walk(ocelotl_folder *folder, const char *path, const char *name)
{
    struct dirent **entries = NULL;
    const int count = scandir(path, &entries, is_seen, versionsort);
    if (count < 0)
        return add_unread(folder, path, name);
    ocelotl_status status = OCELOTL_OK;
    for (int i = 0; i < count; i++) {
        if (status == OCELOTL_OK)
            status = look_at_entry(folder, path, name, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return status;
}

/* A folder that is a trace itself is the only one in it. */
static ocelotl_status look_at_itself(ocelotl_folder *folder)
{
    ocelotl_identity identity = {.format = ""};
    listed found = nothing;
    struct stat is;
    ocelotl_status status = OCELOTL_OK;
    found.is_folder = true;
    const ocelotl_status known = ocelotl_identify_format(&identity, folder->path);
    if (known != OCELOTL_OK || !identity.is_whole)
        return is_our_own(known) ? known : OCELOTL_OK;
    if (stat(folder->path, &is) == 0)
        status = keep_date(folder, &found, &is);
    if (status == OCELOTL_OK)
        status = describe(folder, &found, &identity, folder->path);
    if (status == OCELOTL_OK)
        status = add(folder, &found, ".");
    ocelotl_notes_free(found.notes);
    return status;
}

/* --- Which traces are listed, and in which order */

/* When it was recorded, else when it was changed last: ISO 8601 and so in the order of time. */
static const char *date_of(const listed *of)
{
    return of->recorded[0] != '\0' ? of->recorded : of->modified;
}

enum { TEXT_COUNT = 7 };

/* The texts of a trace that have no value of their own. */
static const char *text_of(const listed *of, size_t which)
{
    const char *const texts[TEXT_COUNT] = {of->name,    of->kind, of->format, of->title,
                                           date_of(of), of->uid,  of->problem};
    return texts[which] != NULL ? texts[which] : "";
}

static const char *const text_names[TEXT_COUNT] = {"name", "kind", "format", "title",
                                                   "date", "uid",  "problem"};

/* A number of a trace; negative: it is not known. */
static double number_of(const listed *of, ocelotl_folder_column column)
{
    switch (column) {
    case OCELOTL_FOLDER_DURATION:
        return of->is_known ? of->duration : -1;
    case OCELOTL_FOLDER_EVENTS:
        return of->is_known ? (double)of->events : -1;
    case OCELOTL_FOLDER_RESOURCES:
        return of->is_known ? (double)of->resources : -1;
    case OCELOTL_FOLDER_SIZE:
        return of->is_folder ? -1 : (double)of->size;
    case OCELOTL_FOLDER_NOTES:
        return (double)ocelotl_notes_count(of->notes);
    default:
        return -1;
    }
}

static const struct {
    const char *name;
    ocelotl_folder_column column;
} numbers[] = {{"duration", OCELOTL_FOLDER_DURATION},
               {"events", OCELOTL_FOLDER_EVENTS},
               {"resources", OCELOTL_FOLDER_RESOURCES},
               {"size", OCELOTL_FOLDER_SIZE},
               {"notes", OCELOTL_FOLDER_NOTES}};

enum { NUMBER_COUNT = sizeof numbers / sizeof numbers[0] };

/* --- Conditions */

/* The value of a name; NULL: the trace has none. A number is written to `space`. */
static const char *value_of(const listed *of, const char *name, oc_digits_text *space)
{
    for (size_t i = 0; i < TEXT_COUNT; i++)
        if (strcmp(text_names[i], name) == 0)
            return text_of(of, i)[0] != '\0' ? text_of(of, i) : NULL;
    for (size_t i = 0; i < NUMBER_COUNT; i++)
        if (strcmp(numbers[i].name, name) == 0) {
            const double number = number_of(of, numbers[i].column);
            *space = oc_digits(number);
            return number >= 0 ? space->text : NULL;
        }
    return ocelotl_notes_value(of->notes, name);
}

static bool is_column(const char *name)
{
    for (size_t i = 0; i < TEXT_COUNT; i++)
        if (strcmp(text_names[i], name) == 0)
            return true;
    for (size_t i = 0; i < NUMBER_COUNT; i++)
        if (strcmp(numbers[i].name, name) == 0)
            return true;
    return false;
}

/* Refuses a name that neither a column nor any trace has. */
static ocelotl_status check_name(const ocelotl_folder *folder, const char *name)
{
    oc_nearest_name nearest = oc_nearest_to(name, strlen(name));
    if (is_column(name))
        return OCELOTL_OK;
    for (size_t i = 0; i < TEXT_COUNT; i++)
        oc_nearest_try(&nearest, text_names[i]);
    for (size_t i = 0; i < NUMBER_COUNT; i++)
        oc_nearest_try(&nearest, numbers[i].name);
    for (size_t i = 0; i < folder->count; i++) {
        const ocelotl_notes *notes = folder->list[i].notes;
        if (ocelotl_notes_value(notes, name) != NULL)
            return OCELOTL_OK;
        for (size_t k = 0; k < ocelotl_notes_metadata_count(notes); k++)
            oc_nearest_try(&nearest, ocelotl_notes_metadata_at(notes, k).key);
    }
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "%s: no trace has \"%s\"%s%s%s, expected a column or a key of one's own",
                   folder->path, name, nearest.name != NULL ? "; the nearest is \"" : "",
                   nearest.name != NULL ? nearest.name : "", nearest.name != NULL ? "\"" : "");
}

/* Drops the traces that a condition does not hold for. */
static ocelotl_status filter(ocelotl_folder *folder, const oc_condition *condition)
{
    size_t kept = 0;
    OC_TRY(check_name(folder, condition->name));
    for (size_t i = 0; i < NUMBER_COUNT && !condition->is_number; i++)
        if (strcmp(numbers[i].name, condition->name) == 0)
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" is a number, and \"%s\" is none",
                           condition->name, condition->text);
    for (size_t i = 0; i < folder->count; i++) {
        oc_digits_text space;
        const char *value = value_of(&folder->list[i], condition->name, &space);
        bool met = false;
        const ocelotl_status status =
            value != NULL ? oc_condition_decide(&met, condition, value, strlen(value)) : OCELOTL_OK;
        if (status != OCELOTL_OK || met) {
            const listed swapped = folder->list[kept];
            folder->list[kept++] = folder->list[i];
            folder->list[i] = swapped;
        }
        OC_TRY(status);
    }
    for (size_t i = kept; i < folder->count; i++)
        ocelotl_notes_free(folder->list[i].notes);
    folder->unmet += folder->count - kept;
    folder->count = kept;
    return OCELOTL_OK;
}

/* --- Order */

static int compare_texts(const char *left, const char *right)
{
    const int empty = (left[0] == '\0') - (right[0] == '\0');
    return empty != 0 ? empty : strcmp(left, right);
}

static int compare(const void *one, const void *other, void *context)
{
    const listed *left = one;
    const listed *right = other;
    const ocelotl_folder_column column = ((const ocelotl_folder *)context)->options.sort;
    int order = 0;
    if (column == OCELOTL_FOLDER_FORMAT)
        order = compare_texts(left->format, right->format);
    else if (column == OCELOTL_FOLDER_DATE)
        order = strcmp(date_of(right), date_of(left));
    else if (column != OCELOTL_FOLDER_NAME) {
        const double a = number_of(left, column);
        const double b = number_of(right, column);
        order = (a < b) - (a > b);
    }
    return order != 0 ? order : strverscmp(left->name, right->name);
}

static ocelotl_status arrange(ocelotl_folder *folder)
{
    const ocelotl_names *where = &folder->options.where;
    for (size_t i = 0; i < where->count; i++) {
        oc_condition condition = {.name = NULL};
        ocelotl_status status = oc_condition_read(&condition, where->names[i], true);
        if (status == OCELOTL_OK)
            status = filter(folder, &condition);
        oc_condition_free(&condition);
        OC_TRY(status);
    }
    if (folder->count > 1)
        qsort_r(folder->list, folder->count, sizeof *folder->list, compare, folder);
    return OCELOTL_OK;
}

/* --- Reading */

static ocelotl_status open_folder(ocelotl_folder *folder, const char *path,
                                  const ocelotl_folder_options *options)
{
    struct stat is;
    folder->options = (ocelotl_folder_options)OCELOTL_FOLDER_OPTIONS_INIT;
    OC_TRY(oc_read_options(&folder->options, sizeof folder->options, options));
    OC_TRY(oc_check_names(&folder->options.where, "condition"));
    folder->path = oc_arena_copy(&folder->arena, path);
    OC_TRY(oc_arena_status(&folder->arena));
    if (stat(path, &is) == 0 && !S_ISDIR(is.st_mode))
        return oc_fail(OCELOTL_ERROR_IO, "%s: is no folder, expected one with traces in it", path);
    if (!ocelotl_is_run(path))
        OC_TRY(walk(folder, path, ""));
    if (folder->count == 0)
        OC_TRY(look_at_itself(folder));
    return arrange(folder);
}

ocelotl_status ocelotl_folder_read(ocelotl_folder **folder, const char *path,
                                   const ocelotl_folder_options *options)
{
    ocelotl_folder *made = NULL;
    OC_TRY(oc_arena_make(&made, sizeof *made));
    const ocelotl_status status = open_folder(made, path, options);
    if (status == OCELOTL_OK)
        *folder = made;
    else
        ocelotl_folder_free(made);
    return status;
}

void ocelotl_folder_free(ocelotl_folder *folder)
{
    if (folder == NULL)
        return;
    for (size_t i = 0; i < folder->count; i++)
        ocelotl_notes_free(folder->list[i].notes);
    oc_arena_free(&folder->arena);
}

const char *ocelotl_folder_path(const ocelotl_folder *folder)
{
    return folder->path;
}

bool ocelotl_folder_is_cut(const ocelotl_folder *folder)
{
    return folder->seen > OCELOTL_FOLDER_MOST;
}
