/* The folder is locked (flock) as long as its program lives: one that is not was left by a program
 * that was killed. */
#define _GNU_SOURCE
#include "ending.h"

#include "messages.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static const char beginning[] = "ocelotl-uncached-";
static const size_t random_letters = 6;
static const char file_name[] = "trace.db";

enum { ATTEMPTS = 100 };

static char *made;          /* the folder, whole and locked, to be removed at the end */
static ino_t made_number;   /* its inode */
static unsigned file_count; /* what was asked for in it */

/* Removes what this program puts into its folders: traces and pictures, and what they are while
 * they are written. */
static void remove_own(int folder, const char *name)
{
    if (strncmp(name, file_name, sizeof file_name - 1) == 0)
        unlinkat(folder, name, 0);
}

void cli_remove_temporary(void)
{
    struct stat found;
    const int folder =
        made != NULL ? open(made, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (folder < 0)
        return;
    /* Where everybody may rename it, another folder may be in its place. Another thread may still
     * make or rename a file in it. */
    if (fstat(folder, &found) == 0 && found.st_ino == made_number)
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            lseek(folder, 0, SEEK_SET);
            cli_each_name(folder, remove_own);
            if (rmdir(made) == 0 || (errno != ENOTEMPTY && errno != EEXIST))
                break;
        }
    close(folder);
}

static void remove_made(void)
{
    cli_remove_temporary();
    char *name = made;
    made = NULL;
    free(name);
}

static void remove_left(int where, const char *name)
{
    struct stat found;
    const int folder = openat(where, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return;
    if (fstat(folder, &found) == 0 && found.st_uid == geteuid() &&
        flock(folder, LOCK_EX | LOCK_NB) == 0) {
        cli_each_name(folder, remove_own);
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

/* Locks it until the program ends. Between its making and its locking somebody may take it for one
 * that was left, and remove it: false. Where the file system knows no locks nobody removes any. */
static bool lock(const char *name)
{
    struct stat found;
    const int folder = open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return errno != ENOENT;
    while (flock(folder, LOCK_EX) != 0 && errno == EINTR)
        ;
    if (fstat(folder, &found) == 0 && found.st_nlink > 0) {
        made_number = found.st_ino;
        return true;
    }
    close(folder);
    return false;
}

static ocelotl_status make_unwatched(const char *where)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        char *name = NULL;
        if (asprintf(&name, "%s/%sXXXXXX", where, beginning) < 0)
            return server_fail(OCELOTL_ERROR_MEMORY, "out of memory");
        const bool there = mkdtemp(name) != NULL;
        if (there && lock(name)) {
            made = name;
            return OCELOTL_OK;
        }
        const int error = errno;
        if (!there)
            (void)server_fail(OCELOTL_ERROR_IO,
                              "%s: cannot make a folder for what is temporary: %s", name,
                              strerror(error));
        free(name);
        if (!there)
            return OCELOTL_ERROR_IO;
    }
    return server_fail(OCELOTL_ERROR_IO,
                       "%s: cannot make a folder for what is temporary: others remove it", where);
}

/* Makes the folder in $TMPDIR or /var/tmp, as SQLite does: /tmp may be memory, too small for large
 * files. A signal that ends the program between the making of it and the keeping of its name would
 * leave it. */
ocelotl_status cli_temporary_file(char **path, const char *suffix)
{
    const char *where = getenv("TMPDIR");
    sigset_t all;
    sigset_t before;
    if (where == NULL || where[0] == '\0')
        where = "/var/tmp";
    if (made == NULL) {
        remove_all_left(where);
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, &before);
        const ocelotl_status status = make_unwatched(where);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        if (status != OCELOTL_OK)
            return status;
        atexit(remove_made);
    }
    if (asprintf(path, "%s/%s-%u%s", made, file_name, ++file_count, suffix) < 0) {
        *path = NULL;
        return server_fail(OCELOTL_ERROR_MEMORY, "out of memory");
    }
    return OCELOTL_OK;
}

/* --- Folders */

void cli_each_name(int folder, void (*use)(int folder, const char *name))
{
    union {
        struct dirent64 first; /* for the alignment */
        char bytes[8192];
    } entries;
    long length;
    while ((length = getdents64(folder, entries.bytes, sizeof entries.bytes)) > 0)
        for (long at = 0; at < length;) {
            const struct dirent64 *entry =
                (const struct dirent64 *)(const void *)(entries.bytes + at);
            use(folder, entry->d_name);
            at += entry->d_reclen;
        }
}

/* --- The end by a signal. Whatever a command does for long, and whichever library does it, the
 * program ends soon: nothing has to look at a flag for that. All that runs in the handlers is safe
 * there (signal-safety(7)). */

/* For those that look whether they are to stop, to end in their own way; and for what is left to be
 * said of a file that is in its place, which nobody may read. */
static const struct itimerval patience = {.it_value = {.tv_usec = 200000}};
static const struct itimerval rest = {.it_value = {.tv_sec = 5}};

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXCPU};
static const size_t signal_count = sizeof ending_signals / sizeof ending_signals[0];

static volatile sig_atomic_t asked; /* the signal */
static volatile sig_atomic_t late;  /* one that came when a target was in its place */
static volatile sig_atomic_t watching;

/* --- What is written. A name that leads to another file than at first has been replaced: only the
 * file system knows at which instant. */

enum { MOST_TARGETS = 16 };

static struct {
    char *path;
    dev_t device;
    ino_t number; /* 0: was not there */
} targets[MOST_TARGETS];
static volatile sig_atomic_t target_count; /* beyond MOST_TARGETS they are counted alone */

int cli_expect_target(const char *path)
{
    struct stat found;
    const int count = target_count < MOST_TARGETS ? target_count : MOST_TARGETS;
    for (int i = 0; i < count; i++)
        if (strcmp(targets[i].path, path) == 0)
            return CLI_DONE;
    if (count < MOST_TARGETS) {
        const bool there = stat(path, &found) == 0;
        targets[count].device = there ? found.st_dev : 0;
        targets[count].number = there ? found.st_ino : 0;
        targets[count].path = strdup(path);
        if (targets[count].path == NULL)
            return cli_memory();
    }
    target_count++;
    return CLI_DONE;
}

static int count_written(void)
{
    struct stat found;
    int written = 0;
    for (int i = 0; i < target_count && i < MOST_TARGETS; i++)
        written += stat(targets[i].path, &found) == 0 &&
                   (found.st_ino != targets[i].number || found.st_dev != targets[i].device);
    return written;
}

bool cli_has_written(void)
{
    return target_count > 0 && count_written() == target_count;
}

/* --- What is removed */

/* Whether a path is that of a file that the library writes beside its target,
 * TARGET.partial-XXXXXXXX with a hexadecimal number. */
static bool is_partial(const char *name)
{
    static const char partial[] = ".partial-";
    const size_t digits = 8;
    const size_t length = strlen(name);
    const size_t end = sizeof partial - 1 + digits;
    return length > end && strncmp(name + length - end, partial, sizeof partial - 1) == 0 &&
           strspn(name + length - digits, "0123456789abcdef") == digits;
}

static void remove_any(int folder, const char *name)
{
    unlinkat(folder, name, 0);
}

static void remove_folder(const char *path)
{
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return;
    cli_each_name(folder, remove_any);
    close(folder);
    rmdir(path);
}

/* A file that is open for writing and has the name of a temporary one is being written here, by the
 * library; so is a folder that is open as a place alone. */
static void remove_if_written(int open_files, const char *name)
{
    char path[4096];
    const int file = atoi(name);
    const int mode = file > STDERR_FILENO ? fcntl(file, F_GETFL) : -1;
    const bool folder = mode >= 0 && (mode & (O_PATH | O_DIRECTORY)) == (O_PATH | O_DIRECTORY);
    if (mode < 0 || (!folder && (mode & O_ACCMODE) == O_RDONLY))
        return;
    const ssize_t length = readlinkat(open_files, name, path, sizeof path - 1);
    if (length <= 0)
        return;
    path[length] = '\0';
    if (is_partial(path) && folder)
        remove_folder(path);
    else if (is_partial(path))
        unlink(path);
}

static void remove_written(void)
{
    const int open_files = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (open_files < 0)
        return;
    cli_each_name(open_files, remove_if_written);
    close(open_files);
}

/* --- The end */

/* Gives what is left to do the time for it, once; false: a target is not yet in its place. */
static bool may_finish(int number)
{
    if (late != 0 || count_written() == 0)
        return false;
    late = number;
    asked = 0;
    setitimer(ITIMER_REAL, &rest, NULL);
    return true;
}

/* The system says how it ended: by the signal. Another thread may give a file its name until it is
 * removed here. */
static void end_by(int number)
{
    sigset_t one;
    if (may_finish(number))
        return;
    remove_written();
    if (may_finish(number))
        return;
    cli_remove_temporary();
    if (cli_has_written())
        _exit(CLI_DONE);
    signal(number, SIG_DFL);
    sigemptyset(&one);
    sigaddset(&one, number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    raise(number);
    _exit(128 + number);
}

static void ask_to_stop(int number)
{
    if (asked != 0 || late != 0 || !watching) {
        end_by(number);
        return;
    }
    asked = number;
    setitimer(ITIMER_REAL, &patience, NULL);
}

static void lose_patience(int number)
{
    (void)number;
    if (asked != 0 || late != 0)
        end_by(asked != 0 ? asked : late);
}

static void handle(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    struct sigaction before;
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void cli_catch_signals(void)
{
    for (size_t i = 0; i < signal_count; i++)
        handle(ending_signals[i], ask_to_stop);
    handle(SIGALRM, lose_patience);
    /* A file that grows beyond what is allowed is an error to report, not an end without a word. */
    signal(SIGXFSZ, SIG_IGN);
}

void cli_begin_watching(void)
{
    watching = 1;
}

void cli_end_watching(void)
{
    watching = 0;
    cli_end_if_asked();
}

bool cli_is_asked_to_stop(void)
{
    return asked != 0 && count_written() == 0;
}

void cli_end_if_asked(void)
{
    if (asked != 0)
        end_by(asked);
}
