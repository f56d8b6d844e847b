/* Whoever may write a folder above the cache may put another folder in its place, but not one that
 * belongs to the user; and whoever may not write into it can plant nothing there. A file that is
 * used is locked (flock, shared), and only who gets it alone removes it. Where the file system
 * knows no locks, what is used may be removed. */
#define _GNU_SOURCE
#include "request/cache_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MOST = 40 };

/* $XDG_CACHE_HOME or ~/.cache; NULL: nothing says where. */
static char *name_above(void)
{
    const char *base = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    /* a relative one is to be ignored, says its specification */
    const bool set = base != NULL && base[0] == '/';
    char *above = NULL;
    if (!set && (home == NULL || home[0] != '/'))
        return NULL;
    return asprintf(&above, "%s%s", set ? base : home, set ? "" : "/.cache") >= 0 ? above : NULL;
}

char *oc_cache_name(void)
{
    char *name = NULL;
    char *above = name_above();
    if (above == NULL || asprintf(&name, "%s/ocelotl", above) < 0)
        name = NULL;
    free(above);
    return name;
}

static bool refuse(char **reason, const char *path, const char *what)
{
    if (asprintf(reason, "%s: %s", path, what) < 0)
        *reason = NULL;
    return false;
}

/* --- What is above */

static bool check_above(char **reason, const char *path, bool make, unsigned links);

/* Where a link leads, relative to the folder that it is in. */
static bool check_link(char **reason, const char *path, const struct stat *found, bool make,
                       unsigned links)
{
    char target[PATH_MAX];
    char *whole = NULL;
    const ssize_t length = readlink(path, target, sizeof target - 1);
    if (found->st_uid != 0 && found->st_uid != geteuid())
        return refuse(reason, path, "is a link of another user");
    if (length < 0 || links == 0)
        return refuse(reason, path, strerror(length < 0 ? errno : ELOOP));
    target[length] = '\0';
    const int before = target[0] == '/' ? 0 : (int)(strrchr(path, '/') + 1 - path);
    if (asprintf(&whole, "%.*s%s", before, path, target) < 0)
        return refuse(reason, path, "out of memory");
    const bool good = check_above(reason, whole, make, links - 1);
    free(whole);
    return good;
}

static bool check_step(char **reason, const char *path, bool make, unsigned links)
{
    struct stat found;
    if (lstat(path, &found) != 0) {
        if (errno == ENOENT && make && (mkdir(path, 0700) == 0 || errno == EEXIST))
            return true;
        return refuse(reason, path, strerror(errno));
    }
    if (S_ISLNK(found.st_mode))
        return check_link(reason, path, &found, make, links);
    if (!S_ISDIR(found.st_mode))
        return refuse(reason, path, strerror(ENOTDIR));
    if ((found.st_mode & S_IWOTH) != 0 && (found.st_mode & S_ISVTX) == 0)
        return refuse(reason, path, "everybody may rename what is in it");
    return true;
}

/* Step by step from the root. */
static bool check_above(char **reason, const char *path, bool make, unsigned links)
{
    char *steps = strdup(path);
    bool good = steps != NULL || refuse(reason, path, "out of memory");
    for (char *slash = steps; good && slash != NULL;) {
        while (*slash == '/')
            slash++;
        char *end = strchr(slash, '/');
        if (end != NULL)
            *end = '\0';
        good = *slash == '\0' || check_step(reason, steps, make, links);
        if (end != NULL)
            *end = '/';
        slash = end;
    }
    free(steps);
    return good;
}

/* --- The folder itself */

static bool check_own(char **reason, const char *path, int folder)
{
    struct stat found;
    if (fstat(folder, &found) != 0)
        return refuse(reason, path, strerror(errno));
    if (found.st_uid != geteuid())
        return refuse(reason, path, "belongs to another user");
    if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return refuse(reason, path, "others may write it; empty it, or remove it");
    if ((found.st_mode & 077) != 0)
        (void)fchmod(folder, found.st_mode & 0700);
    return true;
}

static bool open_own(char **reason, const char *path, bool make)
{
    if (make && mkdir(path, 0700) != 0 && errno != EEXIST)
        return refuse(reason, path, strerror(errno));
    struct stat found;
    if (lstat(path, &found) == 0 && S_ISLNK(found.st_mode))
        return refuse(reason, path,
                      "is a link, expected a folder (XDG_CACHE_HOME says where it is)");
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return refuse(reason, path, strerror(errno));
    const bool good = check_own(reason, path, folder);
    close(folder);
    return good;
}

char *oc_cache_folder(char **reason, bool make)
{
    char *above = name_above();
    char *folder = oc_cache_name();
    *reason = NULL;
    if (above == NULL)
        *reason = strdup("neither XDG_CACHE_HOME nor HOME says where the cache is");
    else if (folder != NULL && check_above(reason, above, make, LINKS_MOST) &&
             open_own(reason, folder, make)) {
        free(above);
        return folder;
    }
    free(above);
    free(folder);
    return NULL;
}

/* --- Files in it */

static int open_file(const char *path)
{
    struct stat found;
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0 && fstat(file, &found) == 0 && S_ISREG(found.st_mode) &&
        found.st_uid == geteuid())
        return file;
    if (file >= 0) {
        close(file);
        errno = EINVAL;
    }
    return -1;
}

static bool is_linked(int file)
{
    struct stat found;
    return fstat(file, &found) == 0 && found.st_nlink > 0;
}

/* Removes what is in a folder, and it; what is behind a link stays. */
static int remove_entry(const char *path, const struct stat *found, int kind, struct FTW *at)
{
    (void)found;
    (void)at;
    return kind == FTW_DP || kind == FTW_DNR ? rmdir(path) : unlink(path);
}

/* What has an entry's name but is none: a link, a pipe, a folder. */
static bool remove_planted(const char *path)
{
    enum { MOST_OPEN = 16 };
    return unlink(path) == 0 ||
           nftw(path, remove_entry, MOST_OPEN, FTW_DEPTH | FTW_MOUNT | FTW_PHYS) == 0;
}

/* Between opening and locking it somebody may have removed it. */
int oc_cache_hold(const char *path)
{
    const int file = open_file(path);
    if (file < 0) {
        if (errno != ENOENT)
            (void)remove_planted(path);
        return -1;
    }
    while (flock(file, LOCK_SH) != 0 && errno == EINTR)
        ;
    if (is_linked(file))
        return file;
    close(file);
    return -1;
}

/* Another file may have got the name since this one was opened: then this one has none. */
bool oc_cache_remove(const char *path)
{
    struct stat found;
    if (lstat(path, &found) != 0)
        return errno == ENOENT;
    const int file = open_file(path);
    if (file < 0)
        return remove_planted(path);
    const bool alone = flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    const bool gone = alone && (!is_linked(file) || unlink(path) == 0);
    close(file);
    return gone;
}
