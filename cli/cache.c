/* The folder of the cache, the names of traces in it, and its bound. A trace is keyed by the file's path, size and time,
 * and by what was asked of the import. */
#define _GNU_SOURCE
#include "cache.h"

#include "replacement.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char limit_variable[] = "OCELOTL_CACHE_LIMIT";
static const uint64_t default_limit = (uint64_t)4 << 30;

cli_hash cli_hash_begin(void)
{
    return (cli_hash){0xCBF29CE484222325u, 0x9AE16A3B2F90404Fu};
}

/* FNV-1a, and the same with another multiplier. */
void cli_hash_bytes(cli_hash *hash, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        hash->name = (hash->name ^ (unsigned char)bytes[i]) * 0x100000001B3u;
        hash->check = (hash->check ^ (unsigned char)bytes[i]) * 0x9E3779B97F4A7C15u;
        hash->check ^= hash->check >> 29;
    }
}

void cli_hash_text(cli_hash *hash, const char *text)
{
    cli_hash_bytes(hash, text, strlen(text) + 1);
}

static bool make_folder(const char *path)
{
    struct stat found;
    if (stat(path, &found) == 0) {
        errno = ENOTDIR;
        return S_ISDIR(found.st_mode);
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* Makes a folder and those above it; the path is absolute and comes back as it was. */
static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool made = make_folder(path);
        *slash = '/';
        if (!made)
            return false;
    }
    return make_folder(path);
}

/* $XDG_CACHE_HOME/ocelotl or ~/.cache/ocelotl. */
char *cli_cache_folder(bool quiet)
{
    const char *base = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    const bool set = base != NULL && base[0] == '/'; /* a relative one is to be ignored, says its specification */
    char *folder = NULL;
    if (!set && (home == NULL || home[0] != '/')) {
        if (!quiet)
            cli_wrong("neither XDG_CACHE_HOME nor HOME says where the cache is; "
                      "use --no-cache, or import the trace with `ocelotl-cli import`");
        return NULL;
    }
    if (asprintf(&folder, "%s%s/ocelotl", set ? base : home, set ? "" : "/.cache") < 0) {
        if (!quiet)
            cli_memory();
        return NULL;
    }
    if (make_folders(folder))
        return folder;
    if (!quiet)
        cli_wrong("%s: cannot make the cache folder: %s", folder, strerror(errno));
    free(folder);
    return NULL;
}

/* Bytes, or 1024, 1024^2, ... of them: "500M". False: not understood. */
static bool read_limit(uint64_t *limit)
{
    static const char units[] = "KMGT";
    const char *text = getenv(limit_variable);
    char *end;
    *limit = default_limit;
    if (text == NULL || text[0] == '\0')
        return true;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || errno != 0)
        return false;
    const char *unit = *end != '\0' ? strchr(units, *end) : NULL;
    const unsigned bits = unit != NULL ? 10 * (unsigned)(unit - units + 1) : 0;
    if ((*end != '\0' && (unit == NULL || end[1] != '\0')) || number > UINT64_MAX >> bits)
        return false;
    *limit = (uint64_t)number << bits;
    return true;
}

static bool check_limit(void)
{
    uint64_t limit;
    if (read_limit(&limit))
        return true;
    cli_wrong("%s is \"%s\", expected a number of bytes, or one with K, M, G or T", limit_variable,
              getenv(limit_variable));
    return false;
}

static bool hash_trace(cli_hash *hash, const char *trace, const cli_model_options *options)
{
    char key[256];
    struct stat found;
    char *real = realpath(trace, NULL);
    if (real == NULL || stat(real, &found) != 0) {
        cli_wrong("%s: cannot open: %s", trace, strerror(errno));
        free(real);
        return false;
    }
    snprintf(key, sizeof key, "%s %lld %lld.%09ld %d %.32s", ocelotl_version(), (long long)found.st_size,
             (long long)found.st_mtim.tv_sec, found.st_mtim.tv_nsec, options->lenient,
             options->time_unit != NULL ? options->time_unit : "");
    *hash = cli_hash_begin();
    cli_hash_text(hash, real);
    cli_hash_text(hash, key);
    free(real);
    return true;
}

bool cli_cache_path(char **path, const char *trace, const cli_model_options *options)
{
    cli_hash hash;
    if (!check_limit() || !hash_trace(&hash, trace, options))
        return false;
    char *folder = cli_cache_folder(false);
    if (folder == NULL)
        return false;
    /* The name is there for people alone, and file names have a largest length. */
    const char *slash = strrchr(trace, '/');
    if (asprintf(path, "%s/%.100s-%016llx.db", folder, slash != NULL ? slash + 1 : trace,
                 (unsigned long long)hash.name) < 0) {
        *path = NULL;
        cli_memory();
    }
    free(folder);
    return *path != NULL;
}

/* When a file was used is its time of access, which is set here: file systems may be mounted without. The time of its
 * change stays, which answers depend on. */
void cli_cache_touch(const char *path)
{
    const struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}};
    (void)utimensat(AT_FDCWD, path, times, 0);
}

typedef struct cached_file {
    char *name;
    uint64_t size;
    struct timespec used;
} cached_file;

typedef struct cached_files {
    cached_file *files;
    size_t count;
    uint64_t size; /* of all, and of what is being written */
} cached_files;

static bool is_later(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec > b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec > b->tv_nsec);
}

static int compare_files(const void *a, const void *b)
{
    const cached_file *x = a;
    const cached_file *y = b;
    return is_later(&x->used, &y->used) - is_later(&y->used, &x->used);
}

static bool ends_in(const char *name, const char *end)
{
    const size_t length = strlen(name);
    return length > strlen(end) && strcmp(name + length - strlen(end), end) == 0;
}

static void add_file(cached_files *cached, int folder, const char *name, const char *used)
{
    struct stat found;
    if (fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(found.st_mode))
        return;
    const bool partial = strstr(name, ".partial-") != NULL;
    if (partial && cli_remove_left(folder, name))
        return;
    cached->size += (uint64_t)found.st_blocks * 512;
    if (partial || strcmp(name, used) == 0 || (!ends_in(name, ".db") && !ends_in(name, ".answer")))
        return;
    cached_file *files = realloc(cached->files, (cached->count + 1) * sizeof *files);
    if (files == NULL)
        return;
    cached->files = files;
    cached_file *file = &files[cached->count];
    *file = (cached_file){strdup(name), (uint64_t)found.st_blocks * 512,
                          is_later(&found.st_atim, &found.st_mtim) ? found.st_atim : found.st_mtim};
    cached->count += file->name != NULL;
}

void cli_cache_trim(const char *used)
{
    cached_files cached = {0};
    uint64_t limit;
    char *path = cli_cache_folder(true);
    DIR *folder = path != NULL ? opendir(path) : NULL;
    free(path);
    if (folder == NULL)
        return;
    if (!read_limit(&limit))
        limit = default_limit;
    const char *slash = strrchr(used, '/');
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        add_file(&cached, dirfd(folder), entry->d_name, slash != NULL ? slash + 1 : used);
    if (cached.count > 0)
        qsort(cached.files, cached.count, sizeof *cached.files, compare_files);
    for (size_t i = 0; i < cached.count; i++) {
        if (cached.size > limit && unlinkat(dirfd(folder), cached.files[i].name, 0) == 0)
            cached.size -= cached.files[i].size;
        free(cached.files[i].name);
    }
    free(cached.files);
    closedir(folder);
}
