/* The user's cache, of traces that were imported on the fly and of answers (docs/cache.md). */
#ifndef OCELOTL_CACHE_H
#define OCELOTL_CACHE_H

#include <ocelotl/sink.h>
#include <ocelotl/types.h>

#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is in the cache at one time; programs may change it all the time. */
typedef struct ocelotl_cache ocelotl_cache;

typedef struct ocelotl_cache_info {
    size_t size; /* by OCELOTL_INIT */
    const char *folder;
    uint64_t bytes; /* of all in the folder, on the disk */
    uint64_t limit; /* what it keeps to */
    size_t count;   /* of files */
} ocelotl_cache_info;

typedef struct ocelotl_cache_file {
    const char *name;
    const char *kind;   /* "trace", or the question that an answer is to */
    const char *source; /* the trace that it was made of; NULL: this version cannot read it */
    uint64_t size;
    time_t made, used;
} ocelotl_cache_file;

/* Reads the folder, and removes what killed programs left in it; a missing folder is empty. Errors:
 * IO (its place is unknown, or it cannot be trusted), MEMORY. */
OCELOTL_API ocelotl_status ocelotl_cache_read(ocelotl_cache **cache);
OCELOTL_API void ocelotl_cache_free(ocelotl_cache *cache);

/* Strings live as long as the cache. */
OCELOTL_API void ocelotl_cache_get_info(ocelotl_cache_info *info, const ocelotl_cache *cache);

/* The same as a value. */
static inline ocelotl_cache_info ocelotl_cache_info_of(const ocelotl_cache *cache)
{
    ocelotl_cache_info info;
    info.size = sizeof info;
    ocelotl_cache_get_info(&info, cache);
    return info;
}

/* A file by its index below the count: what was used last comes first. Opens it. Errors: MEMORY. */
OCELOTL_API ocelotl_status ocelotl_cache_file_at(ocelotl_cache_file *file, ocelotl_cache *cache,
                                                 size_t index);

/* Removes all files that no program uses, and gives their number. */
OCELOTL_API size_t ocelotl_cache_clear(ocelotl_cache *cache);

/* Writes what is in the cache, what was used last coming first: as a table for people, with times
 * of the local zone, as CSV, and as JSON, with times of RFC 3339. Opens each file. Errors: those of
 * the sink, MEMORY. */
OCELOTL_API ocelotl_status ocelotl_cache_write(const ocelotl_sink *sink, ocelotl_form form,
                                               ocelotl_cache *cache);

/* Writes, for people, how many files were removed, and how large they were: `before` is what the
 * cache was before. Errors: the same. */
OCELOTL_API ocelotl_status ocelotl_cache_write_removed(const ocelotl_sink *sink,
                                                       const ocelotl_cache_info *before,
                                                       const ocelotl_cache *cache, size_t removed);

#ifdef __cplusplus
}
#endif
#endif
