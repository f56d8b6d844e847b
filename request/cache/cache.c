/* The names of traces in the cache, and its bound. A trace is keyed by the file it is in, which a
 * change of its content cannot leave as it is, and by what was asked of the import. */
#define _GNU_SOURCE
#include "request/cache/cache.h"
#include "request/options/request.h"

#include "base/file/sink.h"

#include <ocelotl/digest.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Keys: digests of texts, and of what files and folders are */

void oc_key_add(oc_key *key, const char *text)
{
    ocelotl_digest(key->digest, text, strlen(text));
}

void oc_key_add_file(oc_key *key, const struct stat *file, bool changed)
{
    char text[160];
    const struct timespec change = changed ? file->st_ctim : (struct timespec){0, 0};
    snprintf(text, sizeof text, "%llu %lld %lld.%09ld %lld.%09ld", (unsigned long long)file->st_ino,
             (long long)file->st_size, (long long)file->st_mtim.tv_sec, file->st_mtim.tv_nsec,
             (long long)change.tv_sec, change.tv_nsec);
    oc_key_add(key, text);
}

enum { DEPTH = 16, ENTRIES = 1000000 }; /* as deep as an import looks */

static int compare_entries(const FTSENT **left, const FTSENT **right)
{
    return strcmp((*left)->fts_name, (*right)->fts_name);
}

/* Adds what is next in a folder; false: nothing is. */
static bool add_next(oc_key *key, FTS *walk)
{
    FTSENT *entry = fts_read(walk);
    if (entry == NULL)
        return false;
    if (entry->fts_info == FTS_D && entry->fts_level > DEPTH)
        (void)fts_set(walk, entry, FTS_SKIP);
    if (entry->fts_info != FTS_F || entry->fts_name[0] == '.')
        return true;
    oc_key_add(key, entry->fts_path);
    oc_key_add_file(key, entry->fts_statp, true);
    return true;
}

static ocelotl_status add_folder(oc_key *key, char *path)
{
    char *const paths[] = {path, NULL};
    FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, compare_entries);
    int error = walk == NULL ? errno : 0;
    errno = 0;
    for (size_t i = 0; walk != NULL && i < ENTRIES && add_next(key, walk); i++)
        errno = 0;
    if (walk != NULL) {
        error = errno;
        (void)fts_close(walk);
    }
    return error == ENOMEM ? oc_fail_memory() : OCELOTL_OK;
}

/* --- Names */

static const char limit_variable[] = "OCELOTL_CACHE_LIMIT";
static const uint64_t default_limit = (uint64_t)4 << 30;

/* False: not understood. */
static bool read_limit(uint64_t *limit)
{
    const char *text = getenv(limit_variable);
    *limit = default_limit;
    return text == NULL || text[0] == '\0' || oc_read_bytes(limit, text);
}

static ocelotl_status check_limit(void)
{
    uint64_t limit;
    if (read_limit(&limit))
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "%s is \"%s\", expected a number of bytes, or one with K, M, G or T",
                   limit_variable, getenv(limit_variable));
}

static ocelotl_status digest_trace(oc_key *key, const char *trace, const char *reading)
{
    struct stat found;
    char *real = realpath(trace, NULL);
    if (real == NULL || stat(real, &found) != 0) {
        const int error = errno;
        free(real);
        return oc_fail(OCELOTL_ERROR_IO, "%s: cannot open: %s", trace, strerror(error));
    }
    *key = (oc_key){0};
    oc_key_add(key, real);
    oc_key_add_file(key, &found, true);
    oc_key_add(key, reading);
    const ocelotl_status status = S_ISDIR(found.st_mode) ? add_folder(key, real) : OCELOTL_OK;
    free(real);
    return status;
}

char *oc_whole_path(const char *path)
{
    char *whole = NULL;
    char *here = path[0] != '/' ? getcwd(NULL, 0) : NULL;
    if (here == NULL)
        return strdup(path);
    if (asprintf(&whole, "%s/%s", here, path) < 0)
        whole = NULL;
    free(here);
    return whole;
}

ocelotl_status oc_cache_path(char **path, char **reason, const char *trace, const char *reading)
{
    oc_key key;
    *path = NULL;
    *reason = NULL;
    OC_TRY(check_limit());
    OC_TRY(digest_trace(&key, trace, reading));
    char *folder = oc_cache_folder(reason, true);
    if (folder == NULL)
        return OCELOTL_OK;
    /* The name is there for people alone, and file names have a largest length. */
    size_t end = strlen(trace);
    while (end > 1 && trace[end - 1] == '/')
        end--;
    size_t first = end;
    while (first > 0 && trace[first - 1] != '/')
        first--;
    const size_t length = end - first < 100 ? end - first : 100;
    if (asprintf(path, "%s/%.*s-%016" PRIx64 "%016" PRIx64 ".db", folder, (int)length,
                 trace + first, key.digest[0], key.digest[1]) < 0)
        *path = NULL;
    free(folder);
    return *path != NULL ? OCELOTL_OK : oc_fail_memory();
}

/* When a file was used is its time of access, which is set here: file systems may be mounted
 * without. The time of its change stays, which answers depend on. */
void oc_cache_touch(const char *path)
{
    const struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}};
    (void)utimensat(AT_FDCWD, path, times, 0);
}

uint64_t oc_cache_limit(void)
{
    uint64_t limit;
    return read_limit(&limit) ? limit : default_limit;
}

/* --- The folder */

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

/* The path of the folder, which may not exist, to be freed; NULL: its place is unknown, or memory
 * runs out. */
static char *cache_name(void)
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

/* Checks the target of a link, relative to the folder that it is in. */
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
    char *folder = cache_name();
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

/* Removes a link, pipe or folder with the name of an entry. */
static bool remove_planted(const char *path)
{
    enum { MOST_OPEN = 16 };
    return unlink(path) == 0 ||
           nftw(path, remove_entry, MOST_OPEN, FTW_DEPTH | FTW_MOUNT | FTW_PHYS) == 0;
}

/* Opens and locks a file; between the two another program may have removed it. */
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

/* --- The files in it */

static bool is_later(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec > b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec > b->tv_nsec);
}

static int compare_files(const void *a, const void *b)
{
    const oc_cached_file *x = a;
    const oc_cached_file *y = b;
    const int later = is_later(&x->used, &y->used) - is_later(&y->used, &x->used);
    return later != 0 ? later : strcmp(x->name, y->name);
}

static bool ends_in(const char *name, const char *end)
{
    const size_t length = strlen(name);
    return length > strlen(end) && strcmp(name + length - strlen(end), end) == 0;
}

static void add_file(oc_cached *cached, int folder, const char *name)
{
    struct stat found;
    if (fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(found.st_mode))
        return;
    const bool partial = strstr(name, ".partial-") != NULL;
    if (partial && oc_remove_left(folder, name))
        return;
    cached->size += (uint64_t)found.st_blocks * 512;
    if (partial || (!ends_in(name, ".db") && !ends_in(name, ".answer")))
        return;
    oc_cached_file *files = realloc(cached->files, (cached->count + 1) * sizeof *files);
    if (files == NULL) {
        cached->failed = true;
        return;
    }
    cached->files = files;
    oc_cached_file *file = &files[cached->count];
    *file = (oc_cached_file){.name = strdup(name),
                             .size = (uint64_t)found.st_blocks * 512,
                             .made = found.st_mtim,
                             .used = is_later(&found.st_atim, &found.st_mtim) ? found.st_atim
                                                                              : found.st_mtim,
                             .answer = ends_in(name, ".answer")};
    cached->count += file->name != NULL;
    cached->failed = cached->failed || file->name == NULL;
}

bool oc_cached_read(oc_cached *cached)
{
    errno = 0;
    cached->folder = cache_name();
    char *trusted = cached->folder != NULL ? oc_cache_folder(&cached->reason, false) : NULL;
    DIR *folder = trusted != NULL ? opendir(trusted) : NULL;
    cached->failed = folder == NULL && errno == ENOMEM;
    free(trusted);
    if (folder == NULL)
        return false;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        add_file(cached, dirfd(folder), entry->d_name);
    closedir(folder);
    if (cached->count > 0)
        qsort(cached->files, cached->count, sizeof *cached->files, compare_files);
    return true;
}

bool oc_cached_remove(oc_cached *cached, size_t index)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s", cached->folder, cached->files[index].name) < 0)
        return false;
    const bool removed = oc_cache_remove(path);
    if (removed)
        cached->size -= cached->files[index].size;
    free(path);
    return removed;
}

void oc_cached_restore(const oc_cached *cached, size_t index)
{
    const struct timespec times[2] = {cached->files[index].used, {.tv_nsec = UTIME_OMIT}};
    char *path = NULL;
    if (asprintf(&path, "%s/%s", cached->folder, cached->files[index].name) < 0)
        return;
    (void)utimensat(AT_FDCWD, path, times, 0);
    free(path);
}

void oc_cached_free(oc_cached *cached)
{
    for (size_t i = 0; i < cached->count; i++) {
        free(cached->files[i].name);
        free(cached->files[i].source);
    }
    free(cached->files);
    free(cached->folder);
    free(cached->reason);
    *cached = (oc_cached){0};
}

void oc_cache_trim(const char *used)
{
    oc_cached cached = {0};
    const uint64_t limit = oc_cache_limit();
    const char *slash = strrchr(used, '/');
    const char *name = slash != NULL ? slash + 1 : used;
    (void)oc_cached_read(&cached); /* a cache that cannot be read holds nothing to remove */
    for (size_t i = 0; i < cached.count; i++)
        if (strcmp(cached.files[i].name, name) != 0 && cached.size > limit)
            oc_cached_remove(&cached, i);
    oc_cached_free(&cached);
}
