/* The names of traces in the cache, and its bound. A trace is keyed by the file it is in, which a
 * change of its content cannot leave as it is, and by what was asked of the import. */
#define _GNU_SOURCE
#include "cache.h"

#include "cached_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char limit_variable[] = "OCELOTL_CACHE_LIMIT";
static const uint64_t default_limit = (uint64_t)4 << 30;

void cli_key_add(cli_key *key, const char *text)
{
    ocelotl_digest(key->digest, text, strlen(text));
}

void cli_cache_complain(const char *reason, const char *trace)
{
    cli_say("cannot use the cache: %s; %s is imported for this run alone", reason, trace);
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

void cli_key_add_file(cli_key *key, const struct stat *file, bool changed)
{
    char text[160];
    const struct timespec change = changed ? file->st_ctim : (struct timespec){0, 0};
    snprintf(text, sizeof text, "%llu %lld %lld.%09ld %lld.%09ld", (unsigned long long)file->st_ino,
             (long long)file->st_size, (long long)file->st_mtim.tv_sec, file->st_mtim.tv_nsec,
             (long long)change.tv_sec, change.tv_nsec);
    cli_key_add(key, text);
}

static bool digest_trace(cli_key *key, const char *trace, const cli_model_options *options)
{
    char text[128];
    struct stat found;
    char *real = realpath(trace, NULL);
    if (real == NULL || stat(real, &found) != 0) {
        cli_wrong("%s: cannot open: %s", trace, strerror(errno));
        free(real);
        return false;
    }
    snprintf(text, sizeof text, "%s %d %.32s", ocelotl_version(), options->lenient,
             options->time_unit != NULL ? options->time_unit : "");
    *key = (cli_key){0};
    cli_key_add(key, real);
    cli_key_add_file(key, &found, true);
    cli_key_add(key, text);
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

int cli_cache_path(char **path, char **reason, const char *trace, const cli_model_options *options)
{
    cli_key key;
    *path = NULL;
    *reason = NULL;
    if (!check_limit() || !digest_trace(&key, trace, options))
        return CLI_WRONG;
    char *folder = cli_cache_folder(reason, true);
    if (folder == NULL)
        return CLI_DONE;
    /* The name is there for people alone, and file names have a largest length. */
    const char *slash = strrchr(trace, '/');
    if (asprintf(path, "%s/%.100s-%016" PRIx64 "%016" PRIx64 ".db", folder,
                 slash != NULL ? slash + 1 : trace, key.digest[0], key.digest[1]) < 0)
        *path = NULL;
    free(folder);
    return *path != NULL ? CLI_DONE : cli_memory();
}

/* When a file was used is its time of access, which is set here: file systems may be mounted
 * without. The time of its change stays, which answers depend on. */
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
    (void)cli_cached_read(&cached); /* a cache that cannot be read holds nothing to remove */
    for (size_t i = 0; i < cached.count; i++)
        if (strcmp(cached.files[i].name, name) != 0 && cached.size > limit)
            cli_cached_remove(&cached, i);
    cli_cached_free(&cached);
}
