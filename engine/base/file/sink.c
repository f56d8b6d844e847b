#define _GNU_SOURCE
#include "base/file/sink.h"

#include "base/memory.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* --- A file that is written beside its target and takes its place whole */

/* A temporary file is named TARGET.partial-XXXXXXXX, with a random hexadecimal number. */
static const char partial[] = ".partial-";
static const size_t random_digits = 8;

ocelotl_status oc_fail_to_write(const char *path, int error)
{
    const char *what = strerror(error);
    if (error == ENOSPC || error == EDQUOT)
        return oc_fail(OCELOTL_ERROR_IO,
                       "%s: cannot write: %s; make room, or write it somewhere else", path, what);
    if (error == EFBIG)
        return oc_fail(
            OCELOTL_ERROR_IO,
            "%s: cannot write: %s; it would be larger than files may be here (see ulimit -f)", path,
            what);
    return oc_fail(OCELOTL_ERROR_IO, "%s: cannot write: %s", path, what);
}

ocelotl_status oc_open_nameless(int *file, const char *folder, const char *path)
{
    const char *temporary = getenv("TMPDIR");
    oc_text name = {0};
    if (folder == NULL)
        folder = temporary != NULL && temporary[0] != '\0' ? temporary : "/tmp";
    *file = -1;
#ifdef O_TMPFILE
    *file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
    if (*file < 0) {
        /* Where the system has no files without names, the name goes at once. */
        oc_text_format(&name, "%s/.ocelotl-temporary-XXXXXX", folder);
        *file = name.failed ? -1 : mkostemp(name.bytes, O_CLOEXEC);
        if (*file >= 0)
            (void)unlink(name.bytes);
    }
    const int error = errno;
    oc_text_free(&name);
    return *file >= 0 ? OCELOTL_OK : oc_fail_to_write(path, error);
}

static ocelotl_status check_target(const char *target, bool overwrite, bool is_folder)
{
    struct stat found;
    if (target[0] == '\0')
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the name of the file to write is empty");
    if (stat(target, &found) != 0)
        return OCELOTL_OK;
    if (is_folder && !S_ISDIR(found.st_mode))
        return oc_fail(OCELOTL_ERROR_IO, "%s: is a file, expected the name of a folder to write",
                       target);
    if (!is_folder && S_ISDIR(found.st_mode))
        return oc_fail(OCELOTL_ERROR_IO, "%s: is a directory, expected the name of a file to write",
                       target);
    if (!is_folder && !S_ISREG(found.st_mode))
        return oc_fail(OCELOTL_ERROR_IO,
                       "%s: is a device or a pipe, expected the name of a file to write", target);
    if (!overwrite)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: exists already; use --force to replace it",
                       target);
    if (access(target, W_OK) != 0)
        return oc_fail(OCELOTL_ERROR_IO, "%s: cannot write: %s", target, strerror(errno));
    return OCELOTL_OK;
}

enum { ATTEMPTS = 1000, ATTEMPTS_AT_ONCE = 10 };

/* Creates a folder, and opens it. */
static int make_folder(const char *path)
{
    return mkdir(path, 0777) == 0 ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

/* Creates a file or folder beside the target. It does not use mkstemp, whose files are for their
 * owner alone; the umask cannot be read without changing it. */
static int create_beside(oc_text *name, const char *target, bool is_folder)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    int file = -1;
    errno = EEXIST;
    for (unsigned attempt = 0; attempt < ATTEMPTS && file < 0 && errno == EEXIST; attempt++) {
        struct stat found;
        uint32_t random = attempt;
        /* If many programs write at once, each may remove new files of the others that are not
         * locked yet: a rest lets one of them through. */
        if (attempt >= ATTEMPTS_AT_ONCE)
            nanosleep(&moment, NULL);
        if (getrandom(&random, sizeof random, GRND_NONBLOCK) < 0)
            random = (uint32_t)getpid() * 100 + attempt;
        oc_text_clear(name);
        oc_text_format(name, "%s%s%08" PRIx32, target, partial, random);
        if (name->failed)
            break;
        file = is_folder ? make_folder(name->bytes)
                         : open(name->bytes, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        /* Before it is locked, another program may take it for a left one and remove it. On a file
         * system without locks no program removes any. */
        while (file >= 0 && flock(file, LOCK_EX) != 0 && errno == EINTR)
            ;
        if (file >= 0 && (fstat(file, &found) != 0 || found.st_nlink == 0)) {
            close(file);
            file = -1;
            errno = EEXIST;
        }
    }
    return file;
}

/* Whether `name` is that of a temporary file of the target `base`, or of what SQLite keeps beside
 * one. */
static bool is_temporary(const char *name, const char *base)
{
    static const char *const ends[] = {"", "-journal", "-wal", "-shm"};
    const size_t length = strlen(base);
    if (strncmp(name, base, length) != 0 ||
        strncmp(name + length, partial, sizeof partial - 1) != 0)
        return false;
    const char *digits = name + length + sizeof partial - 1;
    if (strspn(digits, "0123456789abcdef") != random_digits)
        return false;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (strcmp(digits + random_digits, ends[i]) == 0)
            return true;
    return false;
}

/* Removes a folder with the files in it. */
static bool remove_folder(int parent, const char *name)
{
    const int file = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = file >= 0 ? fdopendir(file) : NULL;
    if (folder == NULL)
        return false;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        (void)unlinkat(file, entry->d_name, 0);
    closedir(folder);
    return unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

/* Removes a temporary file or folder, if nobody writes it. A file beside it (a journal) is never
 * locked; nobody here makes any. */
static bool remove_left(int folder, const char *name, bool is_folder)
{
    struct stat found;
    const int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool is_left = fstat(file, &found) == 0 &&
                         (is_folder ? S_ISDIR(found.st_mode) : S_ISREG(found.st_mode)) &&
                         flock(file, LOCK_EX | LOCK_NB) == 0;
    const bool left =
        is_left && (is_folder ? remove_folder(folder, name) : unlinkat(folder, name, 0) == 0);
    close(file);
    return left;
}

bool oc_remove_left(int folder, const char *name)
{
    return remove_left(folder, name, false);
}

static void remove_all_left(const char *target, bool is_folder)
{
    const char *slash = strrchr(target, '/');
    const char *base = slash != NULL ? slash + 1 : target;
    char *path = slash != NULL ? strndup(target, (size_t)(base - target)) : strdup(".");
    DIR *folder = path != NULL ? opendir(path) : NULL;
    free(path);
    if (folder == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (is_temporary(entry->d_name, base))
            remove_left(dirfd(folder), entry->d_name, is_folder);
    closedir(folder);
}

static ocelotl_status begin(oc_replacement *replacement, const char *target, bool overwrite,
                            bool is_folder)
{
    oc_text name = {0};
    OC_TRY(check_target(target, overwrite, is_folder));
    /* A link stays one: what it leads to is replaced. */
    char *real = realpath(target, NULL);
    const ocelotl_status copied = oc_copy_text(&replacement->target, real != NULL ? real : target);
    free(real);
    OC_TRY(copied);
    for (size_t end = strlen(replacement->target); end > 1 && replacement->target[end - 1] == '/';)
        replacement->target[--end] = '\0'; /* what is written is beside it, and not in it */
    replacement->overwrite = overwrite;
    replacement->is_folder = is_folder;
    remove_all_left(replacement->target, is_folder);
    const int file = create_beside(&name, replacement->target, is_folder);
    if (file < 0) {
        const ocelotl_status status =
            name.failed ? oc_fail_memory() : oc_fail_to_write(target, errno);
        oc_text_free(&name);
        return status;
    }
    replacement->lock = file;
    replacement->temporary = name.bytes;
    return OCELOTL_OK;
}

ocelotl_status oc_replacement_begin(oc_replacement *replacement, const char *target, bool overwrite)
{
    return begin(replacement, target, overwrite, false);
}

ocelotl_status oc_replacement_begin_folder(oc_replacement *replacement, const char *target,
                                           bool overwrite)
{
    return begin(replacement, target, overwrite, true);
}

/* A folder takes the place of another one by an exchange; where the file system knows none, that
 * one goes first. A rename replaces none that holds anything. */
static bool take_place_of_folder(const oc_replacement *replacement)
{
    const char *made = replacement->temporary;
    const char *target = replacement->target;
    if (replacement->overwrite &&
        renameat2(AT_FDCWD, made, AT_FDCWD, target, RENAME_EXCHANGE) == 0) {
        (void)remove_folder(AT_FDCWD, made);
        return true;
    }
    if (replacement->overwrite && errno != ENOENT)
        (void)remove_folder(AT_FDCWD, target);
    return rename(made, target) == 0;
}

/* A file that came to be while this one was written is not replaced unasked. Where the file system
 * knows no links, only the look at the beginning protects it. */
static bool take_place(const oc_replacement *replacement)
{
    if (replacement->is_folder)
        return take_place_of_folder(replacement);
    if (!replacement->overwrite) {
        if (link(replacement->temporary, replacement->target) == 0)
            return unlink(replacement->temporary) == 0 || errno == ENOENT;
        if (errno == EEXIST)
            return false;
    }
    return rename(replacement->temporary, replacement->target) == 0;
}

ocelotl_status oc_replacement_commit(oc_replacement *replacement)
{
    /* A rename may reach the disk before what was written: a power cut must not leave a name
     * without its bytes. */
    if (fsync(replacement->lock) != 0 || !take_place(replacement))
        return oc_fail_to_write(replacement->target, errno);
    close(replacement->lock);
    free(replacement->temporary);
    replacement->temporary = NULL;
    return OCELOTL_OK;
}

void oc_replacement_end(oc_replacement *replacement)
{
    if (replacement->temporary != NULL) {
        if (replacement->is_folder)
            (void)remove_folder(AT_FDCWD, replacement->temporary);
        else
            unlink(replacement->temporary);
        close(replacement->lock);
    }
    free(replacement->temporary);
    free(replacement->target);
    *replacement = (oc_replacement){0};
}

ocelotl_status oc_write_all(int file, const char *path, const void *block, size_t length)
{
    const char *bytes = block;
    while (length > 0) {
        const ssize_t written = write(file, bytes, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return oc_fail_to_write(path, errno);
        bytes += written;
        length -= (size_t)written;
    }
    return OCELOTL_OK;
}

ocelotl_status oc_replace_file(const char *target, const void *bytes, size_t length)
{
    oc_replacement replacement = {0};
    ocelotl_status status = oc_replacement_begin(&replacement, target, true);
    if (status == OCELOTL_OK)
        status = oc_write_all(replacement.lock, replacement.target, bytes, length);
    if (status == OCELOTL_OK)
        status = oc_replacement_commit(&replacement);
    oc_replacement_end(&replacement);
    return status;
}

/* --- Sinks */

/* What an output gathers before it goes out. */
enum { PIECE = 1 << 16 };

struct ocelotl_file {
    oc_replacement replacement;
    ocelotl_status status; /* of the first write that failed */
};

static ocelotl_status write_to_buffer(void *context, const void *bytes, size_t size)
{
    ocelotl_buffer *buffer = context;
    if (size > SIZE_MAX - 1 - buffer->size)
        return oc_fail_memory();
    OC_TRY(oc_grow(&buffer->bytes, &buffer->capacity, buffer->size + size + 1, 1));
    if (size > 0)
        memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
    buffer->bytes[buffer->size] = '\0';
    return OCELOTL_OK;
}

ocelotl_sink ocelotl_buffer_sink(ocelotl_buffer *buffer)
{
    return (ocelotl_sink){write_to_buffer, buffer};
}

void ocelotl_buffer_free(ocelotl_buffer *buffer)
{
    if (buffer == NULL)
        return;
    free(buffer->bytes);
    *buffer = (ocelotl_buffer){0};
}

static ocelotl_status write_to_stream(void *context, const void *bytes, size_t size)
{
    errno = 0;
    if (fwrite(bytes, 1, size, context) == size)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_IO, "cannot write: %s", strerror(errno != 0 ? errno : EIO));
}

ocelotl_sink ocelotl_stream_sink(FILE *stream)
{
    return (ocelotl_sink){write_to_stream, stream};
}

/* --- A file */

ocelotl_status ocelotl_file_open(ocelotl_file **file, const char *path, bool overwrite)
{
    ocelotl_file *opened;
    OC_TRY(oc_allocate(&opened, 1, sizeof *opened));
    const ocelotl_status status = oc_replacement_begin(&opened->replacement, path, overwrite);
    if (status == OCELOTL_OK)
        *file = opened;
    else
        ocelotl_file_free(opened);
    return status;
}

static ocelotl_status write_to_file(void *context, const void *bytes, size_t size)
{
    ocelotl_file *file = context;
    if (file->status == OCELOTL_OK)
        file->status = oc_write_all(file->replacement.lock, file->replacement.target, bytes, size);
    return file->status;
}

ocelotl_sink ocelotl_file_sink(ocelotl_file *file)
{
    return (ocelotl_sink){write_to_file, file};
}

ocelotl_status ocelotl_file_commit(ocelotl_file *file)
{
    if (file->status != OCELOTL_OK)
        return oc_fail(file->status, "%s: was not written whole", file->replacement.target);
    return oc_replacement_commit(&file->replacement);
}

void ocelotl_file_free(ocelotl_file *file)
{
    if (file == NULL)
        return;
    oc_replacement_end(&file->replacement);
    free(file);
}

/* --- Writing */

/* A function of the caller has no way to leave a message. */
ocelotl_status oc_sink_write(const ocelotl_sink *sink, const void *bytes, size_t size)
{
    if (sink->write == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a sink without a function that takes bytes");
    const ocelotl_status status = sink->write(sink->context, bytes, size);
    if (status == OCELOTL_OK || sink->write == write_to_buffer || sink->write == write_to_stream ||
        sink->write == write_to_file)
        return status;
    return oc_fail(status, "the sink took no more bytes");
}

static void send(oc_output *output)
{
    if (output->text.failed)
        output->status = oc_fail_memory();
    else if (output->sink != NULL && output->text.length > 0)
        output->status = oc_sink_write(output->sink, output->text.bytes, output->text.length);
    if (output->sink != NULL)
        oc_text_clear(&output->text);
}

void oc_output_flow(oc_output *output)
{
    if (output->status != OCELOTL_OK)
        oc_text_clear(&output->text);
    else if (output->text.failed || (output->sink != NULL && output->text.length >= PIECE))
        send(output);
}

void oc_output_append(oc_output *output, const char *bytes, size_t length)
{
    if (output->status != OCELOTL_OK)
        return;
    oc_text_append(&output->text, bytes, length);
    oc_output_flow(output);
}

void oc_output_add(oc_output *output, const char *string)
{
    oc_output_append(output, string, strlen(string));
}

void oc_output_format(oc_output *output, const char *format, ...)
{
    va_list arguments;
    if (output->status != OCELOTL_OK)
        return;
    va_start(arguments, format);
    oc_text_vformat(&output->text, format, arguments);
    va_end(arguments);
    oc_output_flow(output);
}

ocelotl_status oc_output_send(oc_output *output, ocelotl_status status)
{
    if (output->status == OCELOTL_OK)
        send(output);
    return status;
}

ocelotl_status oc_output_end(oc_output *output, ocelotl_status status)
{
    if (status == OCELOTL_OK && output->status == OCELOTL_OK)
        send(output);
    oc_text_free(&output->text);
    return status != OCELOTL_OK ? status : output->status;
}
