#define _GNU_SOURCE
#include "replacement.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A temporary file is named TARGET.partial-XXXXXXXX, with a hexadecimal number. */
static const char partial[] = ".partial-";
static const size_t digits = 8;

enum { ATTEMPTS = 1000, ATTEMPTS_AT_ONCE = 10 };

int cli_cannot_write(const char *path)
{
    return cli_wrong("%s: cannot write: %s", path, strerror(errno));
}

bool cli_remove_left(int folder, const char *name)
{
    struct stat found;
    const int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool left = fstat(file, &found) == 0 && S_ISREG(found.st_mode) &&
                      flock(file, LOCK_EX | LOCK_NB) == 0 && unlinkat(folder, name, 0) == 0;
    close(file);
    return left;
}

bool cli_is_partial(const char *name)
{
    const size_t length = strlen(name);
    const size_t end = sizeof partial - 1 + digits;
    return length > end && strncmp(name + length - end, partial, sizeof partial - 1) == 0 &&
           strspn(name + length - digits, "0123456789abcdef") == digits;
}

static bool is_temporary(const char *name, const char *base)
{
    const size_t length = strlen(base);
    return strncmp(name, base, length) == 0 &&
           strlen(name) == length + sizeof partial - 1 + digits && cli_is_partial(name);
}

static void remove_all_left(const char *target)
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
            cli_remove_left(dirfd(folder), entry->d_name);
    closedir(folder);
}

/* Between its making and its locking somebody may take it for one that was left, and remove it.
 * Where the file system knows no locks nobody removes any. */
static bool lock_new(int file)
{
    struct stat found;
    while (flock(file, LOCK_EX) != 0 && errno == EINTR)
        ;
    return fstat(file, &found) == 0 && found.st_nlink > 0;
}

/* As the library does where many programs write at once. */
static void wait_for_others(unsigned attempt)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    if (attempt >= ATTEMPTS_AT_ONCE)
        nanosleep(&moment, NULL);
}

/* -1, and errno, where there is none. */
static int create_beside(cli_replacement *replacement)
{
    int file = -1;
    errno = EEXIST;
    for (unsigned attempt = 0; attempt < ATTEMPTS && file < 0 && errno == EEXIST; attempt++) {
        wait_for_others(attempt);
        errno = EEXIST;
        free(replacement->temporary);
        if (asprintf(&replacement->temporary, "%s%s%08x", replacement->target, partial,
                     (unsigned)getpid() + (attempt << 24)) < 0) {
            replacement->temporary = NULL;
            errno = ENOMEM;
            return -1;
        }
        file = open(replacement->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 && !lock_new(file)) {
            close(file);
            file = -1;
            errno = EEXIST;
        }
    }
    return file;
}

static bool find_target(cli_replacement *replacement)
{
    replacement->target = realpath(replacement->path, NULL);
    if (replacement->target == NULL)
        replacement->target = strdup(replacement->path);
    return replacement->target != NULL;
}

/* Who may not write a file may not replace it either. */
int cli_replacement_open(cli_replacement *replacement, const char *path)
{
    replacement->path = path;
    if (!find_target(replacement))
        return cli_memory();
    if (access(replacement->target, F_OK) == 0 && access(replacement->target, W_OK) != 0)
        return cli_cannot_write(path);
    remove_all_left(replacement->target);
    const int file = create_beside(replacement);
    if (file < 0)
        return cli_cannot_write(path);
    replacement->lock = fcntl(file, F_DUPFD_CLOEXEC, 0);
    replacement->file = replacement->lock >= 0 ? fdopen(file, "wb") : NULL;
    const int error = errno;
    if (replacement->file != NULL)
        return CLI_DONE;
    unlink(replacement->temporary);
    if (replacement->lock >= 0)
        close(replacement->lock);
    close(file);
    errno = error;
    return cli_cannot_write(path);
}

/* It is still locked when it gets its name. */
static int end_file(const cli_replacement *replacement, int code)
{
    const bool written = ferror(replacement->file) == 0;
    const bool closed = fclose(replacement->file) == 0;
    if (code == CLI_DONE &&
        !(written && closed && rename(replacement->temporary, replacement->target) == 0))
        code = cli_cannot_write(replacement->path);
    if (code != CLI_DONE)
        unlink(replacement->temporary);
    close(replacement->lock);
    return code;
}

int cli_replacement_close(cli_replacement *replacement, int code)
{
    if (replacement->file != NULL)
        code = end_file(replacement, code);
    free(replacement->target);
    free(replacement->temporary);
    *replacement = (cli_replacement){0};
    return code;
}
