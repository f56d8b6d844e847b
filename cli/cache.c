/* The folder of the cache, the names of traces in it, and its bound. A trace is keyed by the file's path, size and time,
 * and by what was asked of the import. */
#define _GNU_SOURCE
#include "cache.h"

#include "cached_files.h"

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

/* $XDG_CACHE_HOME/ocelotl or ~/.cache/ocelotl; NULL, and *reason where there is one, if there can be none. */
static char *name_folder(const char **reason)
{
    const char *base = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    const bool set = base != NULL && base[0] == '/'; /* a relative one is to be ignored, says its specification */
    char *folder = NULL;
    *reason = "neither XDG_CACHE_HOME nor HOME says where the cache is";
    if (!set && (home == NULL || home[0] != '/'))
        return NULL;
    *reason = "out of memory";
    return asprintf(&folder, "%s%s/ocelotl", set ? base : home, set ? "" : "/.cache") >= 0 ? folder : NULL;
}

char *cli_cache_name(void)
{
    const char *reason;
    return name_folder(&reason);
}

char *cli_cache_folder(void)
{
    char *folder = cli_cache_name();
    if (folder != NULL && make_folders(folder))
        return folder;
    free(folder);
    return NULL;
}

void cli_cache_complain(const char *trace)
{
    const char *reason;
    char *folder = name_folder(&reason);
    if (folder == NULL)
        fprintf(stderr, "ocelotl-cli: %s; %s is imported for this run alone\n", reason, trace);
    else if (!make_folders(folder) || access(folder, W_OK | X_OK) != 0)
        fprintf(stderr, "ocelotl-cli: %s: cannot write the cache: %s; %s is imported for this run alone\n", folder,
                strerror(errno), trace);
    else
        fprintf(stderr, "ocelotl-cli: %s; %s is imported for this run alone\n", ocelotl_error_message(), trace);
    free(folder);
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

char *cli_whole_path(const char *path)
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

int cli_cache_path(char **path, const char *trace, const cli_model_options *options)
{
    cli_hash hash;
    *path = NULL;
    if (!check_limit() || !hash_trace(&hash, trace, options))
        return CLI_WRONG;
    char *folder = cli_cache_folder();
    if (folder == NULL)
        return CLI_DONE;
    /* The name is there for people alone, and file names have a largest length. */
    const char *slash = strrchr(trace, '/');
    if (asprintf(path, "%s/%.100s-%016llx.db", folder, slash != NULL ? slash + 1 : trace,
                 (unsigned long long)hash.name) < 0)
        *path = NULL;
    free(folder);
    return *path != NULL ? CLI_DONE : cli_memory();
}

bool cli_cache_is_writable(void)
{
    char *folder = cli_cache_folder();
    const bool writable = folder != NULL && access(folder, W_OK | X_OK) == 0;
    free(folder);
    return writable;
}

/* When a file was used is its time of access, which is set here: file systems may be mounted without. The time of its
 * change stays, which answers depend on. */
void cli_cache_touch(const char *path)
{
    const struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}};
    (void)utimensat(AT_FDCWD, path, times, 0);
}

uint64_t cli_cache_limit(void)
{
    uint64_t limit;
    return read_limit(&limit) ? limit : default_limit;
}

void cli_cache_trim(const char *used)
{
    cli_cached cached = {0};
    const uint64_t limit = cli_cache_limit();
    const char *slash = strrchr(used, '/');
    const char *name = slash != NULL ? slash + 1 : used;
    if (!cli_cached_read(&cached))
        return;
    for (size_t i = 0; i < cached.count; i++)
        if (strcmp(cached.files[i].name, name) != 0 && cached.size > limit)
            cli_cached_remove(&cached, i);
    cli_cached_free(&cached);
}
