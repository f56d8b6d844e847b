/* The files of a snapshot as a folder, and what it says of them, so that what somebody changed
 * since is not replaced. The parameters, which come last, have a digest of each other file, and end
 * with one of themselves. */
#define _GNU_SOURCE
#include "request/pictures/snapshot.h"

#include "base/file/sink.h"
#include "base/memory.h"
#include "base/text.h"

#include <ocelotl/digest.h>
#include <ocelotl/snapshot.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIGITS = 32 };

/* The last member of the parameters is this, the digits and the end. */
static const char member[] = ",\"digest\":\"";
static const char end[] = "\"}\n";

static void write_digest(char digits[DIGITS + 1], const void *bytes, size_t size)
{
    uint64_t digest[2] = {0, 0};
    ocelotl_digest(digest, bytes, size);
    snprintf(digits, DIGITS + 1, "%016" PRIx64 "%016" PRIx64, digest[0], digest[1]);
}

static void format_entry(oc_text *text, size_t file, const ocelotl_buffer *bytes)
{
    char digits[DIGITS + 1];
    write_digest(digits, bytes->bytes, bytes->size);
    oc_text_format(text, "{\"name\":\"%s\",\"digest\":\"%s\"}", oc_snapshot_names[file], digits);
}

void oc_snapshot_add_record(oc_json *json, const oc_snapshot *snapshot)
{
    oc_json_list(json, "files");
    for (size_t i = 0; i < OC_SNAPSHOT_PARAMETERS; i++)
        if (snapshot->files[i].bytes != NULL) {
            oc_json_line(json, 1);
            format_entry(oc_json_value(json, NULL), i, &snapshot->files[i]);
        }
    oc_json_end_list(json);
}

ocelotl_status oc_snapshot_seal(ocelotl_buffer *parameters)
{
    static const char whole[] = "}\n";
    char digits[DIGITS + 1];
    ocelotl_buffer sealed = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&sealed);
    const size_t size = parameters->size - strlen(whole);
    write_digest(digits, parameters->bytes, size);
    const struct {
        const char *bytes;
        size_t size;
    } pieces[] = {
        {parameters->bytes, size}, {member, strlen(member)}, {digits, DIGITS}, {end, strlen(end)}};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        const ocelotl_status status = sink.write(sink.context, pieces[i].bytes, pieces[i].size);
        if (status != OCELOTL_OK) {
            ocelotl_buffer_free(&sealed);
            return status;
        }
    }
    ocelotl_buffer_free(parameters);
    *parameters = sealed;
    return OCELOTL_OK;
}

/* --- What is there */

static ocelotl_status read_whole(ocelotl_buffer *bytes, int file)
{
    char block[1 << 14];
    const ocelotl_sink sink = ocelotl_buffer_sink(bytes);
    for (ssize_t got; (got = read(file, block, sizeof block)) != 0;) {
        if (got < 0 && errno != EINTR)
            return oc_fail(OCELOTL_ERROR_IO, "cannot read: %s", strerror(errno));
        if (got > 0)
            OC_TRY(sink.write(sink.context, block, (size_t)got));
    }
    return OCELOTL_OK;
}

/* *found says whether there is such a file. */
static ocelotl_status read_file(bool *found, ocelotl_buffer *bytes, int folder, const char *name)
{
    const int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    *found = file >= 0;
    if (file < 0)
        return errno == ENOENT ? OCELOTL_OK
                               : oc_fail(OCELOTL_ERROR_IO, "cannot open: %s", strerror(errno));
    const ocelotl_status status = read_whole(bytes, file);
    close(file);
    return status;
}

/* Whether parameters are as they were written; *size is that of what their digest is of. */
static bool is_sealed(size_t *size, const ocelotl_buffer *parameters)
{
    const size_t tail = strlen(member) + DIGITS + strlen(end);
    char digits[DIGITS + 1];
    if (parameters->bytes == NULL || parameters->size < tail)
        return false;
    const char *at = parameters->bytes + (parameters->size - tail);
    *size = parameters->size - tail;
    write_digest(digits, parameters->bytes, *size);
    return memcmp(at, member, strlen(member)) == 0 &&
           memcmp(at + strlen(member), digits, DIGITS) == 0 &&
           memcmp(at + strlen(member) + DIGITS, end, strlen(end)) == 0;
}

static ocelotl_status fail_changed(const char *name)
{
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "holds \"%s\", which is not what a snapshot wrote, expected another folder, or "
                   "--force to replace it",
                   name);
}

/* Refuses the bytes of a file that the parameters do not list. */
static ocelotl_status check_bytes(size_t file, const ocelotl_buffer *bytes,
                                  const ocelotl_buffer *parameters, size_t size)
{
    oc_text entry = {0};
    ocelotl_status status = OCELOTL_OK;
    format_entry(&entry, file, bytes);
    if (entry.failed)
        status = oc_fail_memory();
    else if (memmem(parameters->bytes, size, entry.bytes, entry.length) == NULL)
        status = fail_changed(oc_snapshot_names[file]);
    oc_text_free(&entry);
    return status;
}

static ocelotl_status check_file(int folder, size_t file, const ocelotl_buffer *parameters,
                                 size_t size)
{
    ocelotl_buffer bytes = {0};
    bool found = false;
    ocelotl_status status = read_file(&found, &bytes, folder, oc_snapshot_names[file]);
    if (status == OCELOTL_OK && found)
        status = check_bytes(file, &bytes, parameters, size);
    ocelotl_buffer_free(&bytes);
    return status;
}

static ocelotl_status check_files(int folder, ocelotl_buffer *parameters)
{
    size_t size = 0;
    bool found = false;
    OC_TRY(read_file(&found, parameters, folder, oc_snapshot_names[OC_SNAPSHOT_PARAMETERS]));
    if (!is_sealed(&size, parameters))
        return fail_changed(oc_snapshot_names[found ? OC_SNAPSHOT_PARAMETERS : 0]);
    for (size_t i = 0; i < OC_SNAPSHOT_PARAMETERS; i++)
        OC_TRY(check_file(folder, i, parameters, size));
    return OCELOTL_OK;
}

static ocelotl_status check_record(int folder)
{
    ocelotl_buffer parameters = {0};
    const ocelotl_status status = check_files(folder, &parameters);
    ocelotl_buffer_free(&parameters);
    return status;
}

/* --- In a zip */

/* Counts the files that are there; one that cannot be unpacked is none. */
static ocelotl_status check_zipped(size_t *count, const void *zip, size_t zip_size,
                                   const ocelotl_buffer *parameters)
{
    size_t size = 0;
    if (!is_sealed(&size, parameters))
        return fail_changed(oc_snapshot_names[OC_SNAPSHOT_PARAMETERS]);
    *count = 1;
    for (size_t i = 0; i < OC_SNAPSHOT_PARAMETERS; i++) {
        ocelotl_buffer bytes = {0};
        ocelotl_status status = oc_snapshot_unzip(&bytes, zip, zip_size, oc_snapshot_names[i]);
        const bool found = status == OCELOTL_OK;
        if (status == OCELOTL_ERROR_INPUT)
            status = OCELOTL_OK;
        else if (found)
            status = check_bytes(i, &bytes, parameters, size);
        ocelotl_buffer_free(&bytes);
        OC_TRY(status);
        *count += found;
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_snapshot_check_zip(const void *zip, size_t size)
{
    ocelotl_buffer parameters = {0};
    size_t count = 0;
    OC_TRY(oc_snapshot_unzip(&parameters, zip, size, oc_snapshot_names[OC_SNAPSHOT_PARAMETERS]));
    const ocelotl_status status = check_zipped(&count, zip, size, &parameters);
    ocelotl_buffer_free(&parameters);
    OC_TRY(status);
    return count == oc_snapshot_zip_count(zip, size)
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT,
                         "the zip has more than a snapshot, expected that alone");
}

/* --- What is there already */

/* The first file that no snapshot has; "" for none, NULL where memory runs out. */
static char *find_other(size_t *count, DIR *open_folder)
{
    for (const struct dirent *entry; (entry = readdir(open_folder)) != NULL;) {
        struct stat found;
        size_t own = 0;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        ++*count;
        while (own < OC_SNAPSHOT_FILES && strcmp(entry->d_name, oc_snapshot_names[own]) != 0)
            own++;
        if (own == OC_SNAPSHOT_FILES ||
            fstatat(dirfd(open_folder), entry->d_name, &found, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(found.st_mode))
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

static ocelotl_status check_folder(DIR *open_folder, bool force)
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
               ? check_record(dirfd(open_folder))
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
    const ocelotl_status status = name_folder(check_folder(open_folder, force), folder);
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

static ocelotl_status write_files(const char *folder, const oc_snapshot *snapshot)
{
    for (size_t i = 0; i < OC_SNAPSHOT_FILES; i++) {
        oc_text path = {0};
        const ocelotl_buffer *file = &snapshot->files[i];
        if (file->bytes == NULL)
            continue;
        oc_text_format(&path, "%s/%s", folder, oc_snapshot_names[i]);
        const ocelotl_status status =
            path.failed ? oc_fail_memory() : oc_replace_file(path.bytes, file->bytes, file->size);
        oc_text_free(&path);
        OC_TRY(status);
    }
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
    size_t length = strlen(folder);
    /* A slash at its end would make the folder beside it one in it. */
    while (length > 1 && folder[length - 1] == '/')
        length--;
    oc_text_append(&made, folder, length);
    oc_text_format(&made, ".partial-%08lx", (unsigned long)getpid());
    const ocelotl_status status =
        made.failed ? oc_fail_memory() : write_beside(made.bytes, folder, snapshot, force);
    oc_text_free(&made);
    return status;
}
