/* The user's cache of imported traces: keyed by the file's path, size and time, and by what was asked of the import. */
#define _GNU_SOURCE
#include "load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* FNV-1a. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001B3u;
    return (hash ^ 0xFF) * 0x100000001B3u;
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

/* $XDG_CACHE_HOME/ocelotl or ~/.cache/ocelotl, made where it is missing; NULL after a message. */
static char *find_folder(void)
{
    const char *base = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    const bool set = base != NULL && base[0] == '/'; /* a relative one is to be ignored, says its specification */
    char *folder = NULL;
    if (!set && (home == NULL || home[0] != '/')) {
        cli_wrong("neither XDG_CACHE_HOME nor HOME says where the cache is; "
                  "import the trace with `ocelotl-cli import`");
        return NULL;
    }
    if (asprintf(&folder, "%s%s/ocelotl", set ? base : home, set ? "" : "/.cache") < 0) {
        cli_memory();
        return NULL;
    }
    if (make_folders(folder))
        return folder;
    cli_wrong("%s: cannot make the cache folder: %s", folder, strerror(errno));
    free(folder);
    return NULL;
}

static bool hash_trace(uint64_t *hash, const char *trace, const cli_model_options *options)
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
    *hash = hash_text(hash_text(0xCBF29CE484222325u, real), key);
    free(real);
    return true;
}

bool cli_cache_path(char **path, const char *trace, const cli_model_options *options)
{
    uint64_t hash;
    if (!hash_trace(&hash, trace, options))
        return false;
    char *folder = find_folder();
    if (folder == NULL)
        return false;
    /* The name is there for people alone, and file names have a largest length. */
    const char *slash = strrchr(trace, '/');
    if (asprintf(path, "%s/%.100s-%016llx.db", folder, slash != NULL ? slash + 1 : trace,
                 (unsigned long long)hash) < 0) {
        *path = NULL;
        cli_memory();
    }
    free(folder);
    return *path != NULL;
}
