/* The user's cache of imported traces: keyed by the file's path, size and time, and by what was asked of the import. */
#define _GNU_SOURCE
#include "load.h"

#include <errno.h>
#include <limits.h>
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
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

/* $XDG_CACHE_HOME/ocelotl or ~/.cache/ocelotl; both levels are made where they are missing. */
static bool find_folder(char *folder, size_t size)
{
    const char *base = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (base != NULL && base[0] == '/')
        snprintf(folder, size, "%s", base);
    else if (home != NULL && home[0] != '\0')
        snprintf(folder, size, "%s/.cache", home);
    else {
        cli_wrong(
            "neither XDG_CACHE_HOME nor HOME says where the cache is; import the trace with `ocelotl-cli import`");
        return false;
    }
    const size_t length = strlen(folder);
    bool made = make_folder(folder);
    snprintf(folder + length, size - length, "/ocelotl");
    made = make_folder(folder) && made;
    if (!made)
        cli_wrong("%s: cannot make the cache folder: %s", folder, strerror(errno));
    return made;
}

bool cli_cache_path(char **path, const char *trace, const cli_model_options *options)
{
    char folder[PATH_MAX];
    char key[256];
    struct stat found;
    char *real = realpath(trace, NULL);
    if (real == NULL || stat(real, &found) != 0) {
        cli_wrong("%s: %s", trace, strerror(errno));
        free(real);
        return false;
    }
    snprintf(key, sizeof key, "%s %lld %lld.%09ld %d %s", ocelotl_version(), (long long)found.st_size,
             (long long)found.st_mtim.tv_sec, found.st_mtim.tv_nsec, options->lenient,
             options->time_unit != NULL ? options->time_unit : "");
    const uint64_t hash = hash_text(hash_text(0xCBF29CE484222325u, real), key);
    free(real);
    if (!find_folder(folder, sizeof folder))
        return false;
    const char *slash = strrchr(trace, '/');
    if (asprintf(path, "%s/%s-%016llx.db", folder, slash != NULL ? slash + 1 : trace, (unsigned long long)hash) <
        0) {
        *path = NULL;
        cli_wrong("out of memory");
    }
    return *path != NULL;
}
