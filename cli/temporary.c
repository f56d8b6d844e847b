/* The folder is locked (flock) as long as its program lives: one that is not was left by a program that was killed. */
#define _GNU_SOURCE
#include "temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char beginning[] = "ocelotl-uncached-";
static const size_t random_letters = 6;
static const char file_name[] = "trace.db";

enum { ATTEMPTS = 100 };

static char *made;          /* the folder, to be removed at the end */
static unsigned file_count; /* what was asked for in it */

/* Removes what this program puts into its folders: traces and pictures, and what they are while they are written. */
static void empty(int folder)
{
    DIR *listed = fdopendir(dup(folder));
    if (listed == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(listed)) != NULL;)
        if (strncmp(entry->d_name, file_name, sizeof file_name - 1) == 0)
            unlinkat(folder, entry->d_name, 0);
    closedir(listed);
}

static void remove_made(void)
{
    const int folder = open(made, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        empty(folder);
        close(folder);
    }
    rmdir(made);
    free(made);
}

static void remove_left(int where, const char *name)
{
    struct stat found;
    const int folder = openat(where, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return;
    if (fstat(folder, &found) == 0 && found.st_uid == geteuid() && flock(folder, LOCK_EX | LOCK_NB) == 0) {
        empty(folder);
        unlinkat(where, name, AT_REMOVEDIR);
    }
    close(folder);
}

static void remove_all_left(const char *where)
{
    DIR *folder = opendir(where);
    if (folder == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (strncmp(entry->d_name, beginning, sizeof beginning - 1) == 0 &&
            strlen(entry->d_name) == sizeof beginning - 1 + random_letters)
            remove_left(dirfd(folder), entry->d_name);
    closedir(folder);
}

/* Locks it until the program ends. Between its making and its locking somebody may take it for one that was left, and
 * remove it: false. Where the file system knows no locks nobody removes any. */
static bool lock_made(void)
{
    struct stat found;
    const int folder = open(made, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return errno != ENOENT;
    while (flock(folder, LOCK_EX) != 0 && errno == EINTR)
        ;
    if (fstat(folder, &found) == 0 && found.st_nlink > 0)
        return true;
    close(folder);
    return false;
}

static int make_folder(const char *where)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        free(made);
        if (asprintf(&made, "%s/%sXXXXXX", where, beginning) < 0) {
            made = NULL;
            return cli_memory();
        }
        if (mkdtemp(made) == NULL)
            break;
        if (lock_made())
            return CLI_DONE;
    }
    const int code = cli_wrong("%s: cannot make a folder for what is temporary: %s", made, strerror(errno));
    free(made);
    made = NULL;
    return code;
}

/* As SQLite does: large files do not go where memory may be. */
int cli_temporary_file(char **path, const char *suffix)
{
    const char *where = getenv("TMPDIR");
    const bool first = made == NULL;
    if (where == NULL || where[0] == '\0')
        where = "/var/tmp";
    if (first)
        remove_all_left(where);
    const int code = first ? make_folder(where) : CLI_DONE;
    if (code != CLI_DONE)
        return code;
    if (first)
        atexit(remove_made);
    if (asprintf(path, "%s/%s-%u%s", made, file_name, ++file_count, suffix) < 0) {
        *path = NULL;
        return cli_memory();
    }
    return CLI_DONE;
}
