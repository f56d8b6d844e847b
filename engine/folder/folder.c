/* Walks a folder and looks at what is in it; nothing is imported. */
#define _GNU_SOURCE
#include "folder/folder.h"

#include "base/machine.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static ocelotl_status add(ocelotl_folder *folder, oc_listed *listed, const char *name)
{
    OC_TRY(oc_grow(&folder->list, &folder->capacity, folder->count + 1, sizeof *folder->list));
    OC_TRY(oc_listed_name(listed, name));
    folder->list[folder->count++] = *listed;
    *listed = (oc_listed){.notes = NULL};
    return OCELOTL_OK;
}

/* --- What is a trace */

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

/* Adds a file that nothing recognises, or that cannot be read, or counts it. */
static ocelotl_status add_other(ocelotl_folder *folder, oc_listed *listed, const char *path,
                                const char *name, ocelotl_status why)
{
    if (oc_is_our_own(why))
        return why;
    if (why != OCELOTL_ERROR_IO && !folder->options.all && !ocelotl_is_named_as_trace(name)) {
        folder->others++;
        return OCELOTL_OK;
    }
    OC_TRY(oc_listed_problem(listed, why, path));
    return add(folder, listed, name);
}

static ocelotl_status look_at_file(ocelotl_folder *folder, oc_listed *listed, const char *path,
                                   const char *name)
{
    ocelotl_identity identity = {.format = ""};
    const ocelotl_status status = ocelotl_identify_format(&identity, path);
    if (status != OCELOTL_OK)
        return add_other(folder, listed, path, name, status);
    OC_TRY(oc_listed_describe(listed, &identity, path));
    return add(folder, listed, name);
}

static ocelotl_status walk(ocelotl_folder *folder, const char *path, const char *name);

/* A link may lead anywhere, and round: what is below it is not looked for. */
static bool is_link(const char *path)
{
    struct stat is;
    return lstat(path, &is) == 0 && S_ISLNK(is.st_mode);
}

/* Says why a folder is no trace, if it looks like one and nothing in it says so. */
static ocelotl_status add_refused(ocelotl_folder *folder, oc_listed *listed, const char *path,
                                  const char *name, ocelotl_status why)
{
    const size_t before = folder->count;
    OC_TRY(oc_listed_problem(listed, why, path));
    if (folder->options.recursive && !is_link(path))
        OC_TRY(walk(folder, path, name));
    listed->trace.is_folder = true;
    listed->trace.size = 0;
    return folder->count > before ? OCELOTL_OK : add(folder, listed, name);
}

/* A folder is a trace, or has others below it. */
static ocelotl_status look_at_folder(ocelotl_folder *folder, oc_listed *listed, const char *path,
                                     const char *name)
{
    ocelotl_identity identity = {.format = ""};
    const ocelotl_status status = ocelotl_identify_format(&identity, path);
    if (oc_is_our_own(status))
        return status;
    if (status == OCELOTL_ERROR_INPUT || status == OCELOTL_ERROR_LIMIT)
        return add_refused(folder, listed, path, name, status);
    if (status == OCELOTL_OK && (identity.is_whole || !folder->options.recursive)) {
        listed->trace.is_folder = true;
        listed->trace.size = 0; /* of its entry */
        OC_TRY(oc_listed_describe(listed, &identity, path));
        return add(folder, listed, name);
    }
    return folder->options.recursive && !is_link(path) ? walk(folder, path, name) : OCELOTL_OK;
}

static ocelotl_status look_at(ocelotl_folder *folder, oc_listed *listed, const char *path,
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
    oc_listed_date(listed, &is);
    listed->trace.size = (uint64_t)is.st_size;
    return S_ISDIR(is.st_mode) ? look_at_folder(folder, listed, path, name)
                               : look_at_file(folder, listed, path, name);
}

/* --- The walk */

static ocelotl_status look_at_entry(ocelotl_folder *folder, const char *path, const char *name,
                                    const char *entry)
{
    oc_listed listed = {.notes = NULL};
    oc_text below = {0};
    oc_text whole = {0};
    oc_text_format(&below, "%s%s%s", name, name[0] != '\0' ? "/" : "", entry);
    oc_text_format(&whole, "%s%s%s", path, ends_in(path, "/") || strcmp(path, "/") == 0 ? "" : "/",
                   entry);
    ocelotl_status status = below.failed || whole.failed ? oc_fail_memory() : OCELOTL_OK;
    if (status == OCELOTL_OK)
        status = look_at(folder, &listed, whole.bytes, below.bytes);
    oc_listed_free(&listed);
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
    oc_listed listed = {.notes = NULL};
    ocelotl_status status = errno == ENOMEM ? oc_fail_memory()
                                            : oc_fail(OCELOTL_ERROR_IO, "%s: cannot be read: %s",
                                                      path, strerror(errno));
    if (name[0] == '\0' || status == OCELOTL_ERROR_MEMORY)
        return status;
    listed.trace.is_folder = true;
    status = oc_listed_problem(&listed, status, path);
    if (status == OCELOTL_OK)
        status = add(folder, &listed, name);
    oc_listed_free(&listed);
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
    oc_listed listed = {.trace = {.is_folder = true}};
    struct stat is;
    const ocelotl_status known = ocelotl_identify_format(&identity, folder->path);
    if (known != OCELOTL_OK || !identity.is_whole)
        return oc_is_our_own(known) ? known : OCELOTL_OK;
    if (stat(folder->path, &is) == 0)
        oc_listed_date(&listed, &is);
    ocelotl_status status = oc_listed_describe(&listed, &identity, folder->path);
    if (status == OCELOTL_OK)
        status = add(folder, &listed, ".");
    oc_listed_free(&listed);
    return status;
}

static ocelotl_status read_folder(ocelotl_folder *folder)
{
    ocelotl_status status = walk(folder, folder->path, "");
    if (status == OCELOTL_OK && folder->count == 0)
        status = look_at_itself(folder);
    for (size_t i = 0; i < folder->count; i++)
        oc_listed_finish(&folder->list[i]);
    return status == OCELOTL_OK ? oc_folder_arrange(folder) : status;
}

static ocelotl_status open_folder(ocelotl_folder *folder, const char *path,
                                  const ocelotl_folder_options *options)
{
    struct stat is;
    folder->options = (ocelotl_folder_options)OCELOTL_FOLDER_OPTIONS_INIT;
    OC_TRY(oc_read_options(&folder->options, sizeof folder->options, options));
    OC_TRY(oc_check_names(&folder->options.where, "condition"));
    OC_TRY(oc_copy_text(&folder->path, path));
    if (stat(path, &is) == 0 && !S_ISDIR(is.st_mode))
        return oc_fail(OCELOTL_ERROR_IO, "%s: is no folder, expected one with traces in it", path);
    return read_folder(folder);
}

ocelotl_status ocelotl_folder_read(ocelotl_folder **folder, const char *path,
                                   const ocelotl_folder_options *options)
{
    ocelotl_folder *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
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
        oc_listed_free(&folder->list[i]);
    free(folder->list);
    free(folder->path);
    free(folder);
}

/* --- What is known of it */

const char *ocelotl_folder_path(const ocelotl_folder *folder)
{
    return folder->path;
}

bool ocelotl_folder_is_cut(const ocelotl_folder *folder)
{
    return folder->seen > OCELOTL_FOLDER_MOST;
}
