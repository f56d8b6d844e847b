/* What is in the cache, for people. */
#define _GNU_SOURCE
#include "base/memory.h"
#include "base/options.h"
#include "request/answers.h"
#include "request/cache.h"
#include "request/cached_files.h"

#include <ocelotl/cache.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is said of a file. */
typedef struct told_file {
    char kind[40];
    char *source;
    bool read;
} told_file;

struct ocelotl_cache {
    oc_cached cached;
    told_file *told;
    size_t count; /* of them */
};

static ocelotl_status read_cache(ocelotl_cache *cache)
{
    struct stat found;
    oc_cached *cached = &cache->cached;
    (void)oc_cached_read(cached); /* a cache that is not there yet is empty */
    if (cached->failed)
        return oc_fail_memory();
    if (cached->folder == NULL)
        return oc_fail(OCELOTL_ERROR_IO, "neither XDG_CACHE_HOME nor HOME says where the cache is");
    if (cached->reason != NULL && lstat(cached->folder, &found) == 0)
        return oc_fail(OCELOTL_ERROR_IO, "cannot use the cache: %s", cached->reason);
    cache->count = cached->count;
    return oc_allocate(&cache->told, cached->count + 1, sizeof *cache->told);
}

ocelotl_status ocelotl_cache_read(ocelotl_cache **cache)
{
    ocelotl_cache *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    const ocelotl_status status = read_cache(made);
    if (status == OCELOTL_OK)
        *cache = made;
    else
        ocelotl_cache_free(made);
    return status;
}

void ocelotl_cache_free(ocelotl_cache *cache)
{
    if (cache == NULL)
        return;
    for (size_t i = 0; cache->told != NULL && i < cache->count; i++)
        free(cache->told[i].source);
    free(cache->told);
    oc_cached_free(&cache->cached);
    free(cache);
}

void ocelotl_cache_get_info(ocelotl_cache_info *info, const ocelotl_cache *cache)
{
    const ocelotl_cache_info known = {sizeof known, cache->cached.folder, cache->cached.size,
                                      oc_cache_limit(), cache->cached.count};
    oc_give_info(info, &known, sizeof known);
}

/* False for want of memory alone: a file that cannot be read is one of another version. */
static bool read_source(char **source, const char *path, bool answer)
{
    ocelotl_trace *trace = NULL;
    if (answer)
        return oc_answer_source(source, path);
    const ocelotl_status status = ocelotl_trace_open(&trace, path);
    if (status != OCELOTL_OK)
        return status != OCELOTL_ERROR_MEMORY;
    *source = strdup(ocelotl_trace_info_of(trace).source);
    ocelotl_trace_free(trace);
    return *source != NULL;
}

/* A file that is looked into stays as if it had not been used. */
static ocelotl_status look_into(told_file *told, const ocelotl_cache *cache, size_t index)
{
    const oc_cached_file *file = &cache->cached.files[index];
    char *path = NULL;
    if (asprintf(&path, "%s/%s", cache->cached.folder, file->name) < 0)
        return oc_fail_memory();
    const bool read = read_source(&told->source, path, file->answer);
    free(path);
    oc_cached_restore(&cache->cached, index);
    told->read = true;
    if (!read)
        return oc_fail_memory();
    return OCELOTL_OK;
}

ocelotl_status ocelotl_cache_file_at(ocelotl_cache_file *file, ocelotl_cache *cache, size_t index)
{
    const size_t place = cache->cached.count - 1 - index;
    const oc_cached_file *found = &cache->cached.files[place];
    told_file *told = &cache->told[place];
    snprintf(told->kind, sizeof told->kind, "%.*s",
             found->answer ? (int)strcspn(found->name, "-") : 5,
             found->answer ? found->name : "trace");
    *file = (ocelotl_cache_file){.name = found->name,
                                 .kind = told->kind,
                                 .size = found->size,
                                 .made = found->made.tv_sec,
                                 .used = found->used.tv_sec};
    if (!told->read)
        OC_TRY(look_into(told, cache, place));
    file->source = told->source;
    return OCELOTL_OK;
}

size_t ocelotl_cache_clear(ocelotl_cache *cache)
{
    size_t removed = 0;
    for (size_t i = 0; i < cache->cached.count; i++)
        removed += oc_cached_remove(&cache->cached, i);
    return removed;
}
