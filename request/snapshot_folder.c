/* A snapshot as a folder. */
#define _GNU_SOURCE
#include "request/snapshot.h"

#include "base/sink.h"
#include "base/text.h"

#include <ocelotl/snapshot.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- What is there already */

static bool is_own_name(const char *name)
{
    for (size_t i = 0; i < OC_SNAPSHOT_FILES; i++)
        if (strcmp(name, oc_snapshot_names[i]) == 0)
            return true;
    return false;
}

static bool is_file(const DIR *open_folder, const char *name)
{
    struct stat found;
    return fstatat(dirfd((DIR *)open_folder), name, &found, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISREG(found.st_mode);
}

/* The first file that no snapshot has; "" for none, NULL where memory runs out. */
static char *find_other(size_t *count, DIR *open_folder)
{
    for (const struct dirent *entry = readdir(open_folder); entry != NULL;
         entry = readdir(open_folder)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        ++*count;
        if (!is_own_name(entry->d_name) || !is_file(open_folder, entry->d_name))
            return strdup(entry->d_name);
    }
    return strdup("");
}

/* Whether the command of a snapshot is there. */
static bool has_command(const DIR *open_folder)
{
    static const char begin[] = "ocelotl-cli ";
    char bytes[sizeof begin - 1];
    const int file = openat(dirfd((DIR *)open_folder), oc_snapshot_names[0],
                            O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    const bool has = file >= 0 && read(file, bytes, sizeof bytes) == (ssize_t)sizeof bytes &&
                     memcmp(bytes, begin, sizeof bytes) == 0;
    if (file >= 0)
        close(file);
    return has;
}

/* Adds the name of the folder to a failure. */
static ocelotl_status name_folder(ocelotl_status status, const char *folder)
{
    char *reason = status != OCELOTL_OK ? strdup(ocelotl_error_message()) : NULL;
    if (reason == NULL)
        return status;
    oc_fail(status, "%s: %s", folder, reason);
    free(reason);
    return status;
}

static ocelotl_status check_files(DIR *open_folder, bool force)
{
    size_t count = 0;
    char *other = find_other(&count, open_folder);
    ocelotl_status status = OCELOTL_OK;
    if (other == NULL)
        return oc_fail_memory();
    if (other[0] != '\0')
        status =
            oc_fail(OCELOTL_ERROR_ARGUMENT,
                    "holds \"%s\", which is no file of a snapshot, expected another folder", other);
    free(other);
    if (status != OCELOTL_OK || count == 0 || force)
        return status;
    return has_command(open_folder)
               ? oc_snapshot_check_record(dirfd(open_folder))
               : oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "holds files that are no snapshot, expected another folder");
}

ocelotl_status ocelotl_snapshot_check(const char *folder, bool force)
{
    if (folder[0] == '\0')
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the name of the folder to write is empty");
    DIR *open_folder = opendir(folder);
    if (open_folder == NULL)
        return errno == ENOENT    ? OCELOTL_OK
               : errno == ENOTDIR ? oc_fail(OCELOTL_ERROR_ARGUMENT,
                                            "%s: is a file, expected a folder to write", folder)
                                  : oc_fail_to_write(folder, errno);
    const ocelotl_status status = name_folder(check_files(open_folder, force), folder);
    closedir(open_folder);
    return status;
}

/* --- Writing */

/* Removes the files of a snapshot and their folder; what else is there stays. */
static void remove_folder(const char *folder)
{
    const int open_folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (open_folder < 0)
        return;
    for (size_t i = 0; i < OC_SNAPSHOT_FILES; i++)
        unlinkat(open_folder, oc_snapshot_names[i], 0);
    close(open_folder);
    rmdir(folder);
}

static ocelotl_status write_file(const char *folder, const char *name, const ocelotl_buffer *bytes)
{
    oc_text path = {0};
    oc_text_format(&path, "%s/%s", folder, name);
    const ocelotl_status status =
        path.failed ? oc_fail_memory() : oc_replace_file(path.bytes, bytes->bytes, bytes->size);
    oc_text_free(&path);
    return status;
}

static ocelotl_status write_files(const char *folder, const oc_snapshot *snapshot)
{
    for (size_t i = 0; i < OC_SNAPSHOT_FILES; i++)
        if (snapshot->files[i].bytes != NULL)
            OC_TRY(write_file(folder, oc_snapshot_names[i], &snapshot->files[i]));
    return OCELOTL_OK;
}

/* Changes places with what is there, in one step, and removes that. */
static ocelotl_status put(const char *made, const char *folder, bool force)
{
    if (renameat2(AT_FDCWD, made, AT_FDCWD, folder, RENAME_NOREPLACE) == 0)
        return OCELOTL_OK;
    if (errno == EEXIST) {
        OC_TRY(ocelotl_snapshot_check(folder, force));
        if (renameat2(AT_FDCWD, made, AT_FDCWD, folder, RENAME_EXCHANGE) == 0) {
            remove_folder(made);
            return OCELOTL_OK;
        }
    }
    /* Of a file system that knows neither: what is there must be empty. */
    if (errno == EINVAL) {
        remove_folder(folder);
        if (rename(made, folder) == 0)
            return OCELOTL_OK;
    }
    return oc_fail_to_write(folder, errno);
}

/* A slash at its end would make the folder beside it one in it. */
static ocelotl_status name_beside(oc_text *path, const char *folder)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    oc_text_append(path, folder, length);
    oc_text_format(path, ".partial-%08lx", (unsigned long)getpid());
    return path->failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status write_beside(const char *made, const char *folder,
                                   const oc_snapshot *snapshot, bool force)
{
    if (mkdir(made, 0777) != 0)
        return oc_fail_to_write(folder, errno);
    /* Among the open files it says to who ends the program what is being written here. */
    const int place = open(made, O_PATH | O_DIRECTORY | O_CLOEXEC);
    ocelotl_status status =
        place >= 0 ? write_files(made, snapshot) : oc_fail_to_write(folder, errno);
    if (status == OCELOTL_OK)
        status = put(made, folder, force);
    if (status != OCELOTL_OK)
        remove_folder(made);
    if (place >= 0)
        close(place);
    return status;
}

ocelotl_status oc_snapshot_write_folder(const char *folder, const oc_snapshot *snapshot, bool force)
{
    oc_text made = {0};
    ocelotl_status status = name_beside(&made, folder);
    if (status == OCELOTL_OK)
        status = write_beside(made.bytes, folder, snapshot, force);
    oc_text_free(&made);
    return status;
}
