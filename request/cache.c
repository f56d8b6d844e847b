/* The names of traces in the cache, and its bound. A trace is keyed by the file it is in, which a
 * change of its content cannot leave as it is, and by what was asked of the import. */
#define _GNU_SOURCE
#include "request/cache.h"

#include <ocelotl/digest.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char limit_variable[] = "OCELOTL_CACHE_LIMIT";
static const uint64_t default_limit = (uint64_t)4 << 30;

void oc_key_add(oc_key *key, const char *text)
{
    ocelotl_digest(key->digest, text, strlen(text));
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

static ocelotl_status check_limit(void)
{
    uint64_t limit;
    if (read_limit(&limit))
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "%s is \"%s\", expected a number of bytes, or one with K, M, G or T",
                   limit_variable, getenv(limit_variable));
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
    free(real);
    return OCELOTL_OK;
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
    const char *slash = strrchr(trace, '/');
    if (asprintf(path, "%s/%.100s-%016" PRIx64 "%016" PRIx64 ".db", folder,
                 slash != NULL ? slash + 1 : trace, key.digest[0], key.digest[1]) < 0)
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
