/* What is in the cache, for people. */
#define _GNU_SOURCE
#include "answer/table.h"
#include "base/format/visible.h"
#include "base/memory.h"
#include "base/options.h"
#include "request/cache/cache.h"
#include "request/session.h"

#include <ocelotl/cache.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ocelotl_cache {
    oc_cached cached;
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
    return OCELOTL_OK;
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
static ocelotl_status look_into(ocelotl_cache *cache, size_t index)
{
    oc_cached_file *file = &cache->cached.files[index];
    char *path = NULL;
    snprintf(file->kind, sizeof file->kind, "%.*s",
             file->answer ? (int)strcspn(file->name, "-") : 5, file->answer ? file->name : "trace");
    if (asprintf(&path, "%s/%s", cache->cached.folder, file->name) < 0)
        return oc_fail_memory();
    const bool read = read_source(&file->source, path, file->answer);
    free(path);
    oc_cached_restore(&cache->cached, index);
    file->read = true;
    return read ? OCELOTL_OK : oc_fail_memory();
}

ocelotl_status ocelotl_cache_file_at(ocelotl_cache_file *file, ocelotl_cache *cache, size_t index)
{
    const size_t place = cache->cached.count - 1 - index;
    const oc_cached_file *found = &cache->cached.files[place];
    if (!found->read)
        OC_TRY(look_into(cache, place));
    *file = (ocelotl_cache_file){.name = found->name,
                                 .kind = found->kind,
                                 .source = found->source,
                                 .size = found->size,
                                 .made = found->made.tv_sec,
                                 .used = found->used.tv_sec};
    return OCELOTL_OK;
}

size_t ocelotl_cache_clear(ocelotl_cache *cache)
{
    size_t removed = 0;
    for (size_t i = 0; i < cache->cached.count; i++)
        removed += oc_cached_remove(&cache->cached, i);
    return removed;
}

/* --- The list */

typedef struct short_text {
    char text[40];
} short_text;

/* Writes a time: in local time for people, else by RFC 3339. */
static short_text time_of(const time_t *at, bool for_people)
{
    short_text text = {""};
    struct tm fields;
    if ((for_people ? localtime_r(at, &fields) : gmtime_r(at, &fields)) != NULL)
        strftime(text.text, sizeof text.text, for_people ? "%Y-%m-%d %H:%M" : "%Y-%m-%dT%H:%M:%SZ",
                 &fields);
    return text;
}

static void print_size(oc_output *out, const char *before, uint64_t bytes, int width)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double size = (double)bytes;
    size_t unit = 0;
    while (size >= 1024 && unit + 1 < OC_COUNT_OF(units)) {
        size /= 1024;
        unit++;
    }
    const int number = width > 0 ? width - 1 - (int)strlen(units[unit]) : 0;
    oc_output_format(out, "%s%*.*f %s", before, number, unit == 0 || size >= 100 ? 0 : 1, size,
                     units[unit]);
}

static ocelotl_status print_files(oc_output *out, void *cache)
{
    const ocelotl_cache_info info = ocelotl_cache_info_of(cache);
    oc_output_add_visible(out, info.folder);
    print_size(out, ": ", info.bytes, 0);
    print_size(out, " of at most ", info.limit, 0);
    oc_output_format(out, ", %zu %s\n", info.count, info.count == 1 ? "file" : "files");
    if (info.count > 0)
        oc_output_format(out, "%10s  %-16s  %-6s  %s\n", "size", "used", "what", "of");
    for (size_t i = 0; i < info.count; i++) {
        ocelotl_cache_file file;
        OC_TRY(ocelotl_cache_file_at(&file, cache, i));
        print_size(out, "", file.size, 10);
        oc_output_format(out, "  %-16s  ", time_of(&file.used, true).text);
        oc_output_add_column(out, file.kind, 6);
        oc_output_add(out, "  ");
        oc_output_add_visible(out,
                              file.source != NULL ? file.source : "(not readable by this version)");
        oc_output_add(out, "\n");
    }
    return OCELOTL_OK;
}

static ocelotl_status add_rows(oc_csv_table *csv, void *cache)
{
    oc_csv_row(csv, "kind,source,size,made,used,file");
    for (size_t i = 0; i < ocelotl_cache_info_of(cache).count; i++) {
        ocelotl_cache_file file;
        OC_TRY(ocelotl_cache_file_at(&file, cache, i));
        oc_csv_text(csv, file.kind);
        oc_csv_text(csv, file.source != NULL ? file.source : "");
        oc_csv_count(csv, file.size);
        oc_csv_text(csv, time_of(&file.made, false).text);
        oc_csv_text(csv, time_of(&file.used, false).text);
        oc_csv_text(csv, file.name);
        oc_csv_end_row(csv);
    }
    return OCELOTL_OK;
}

static ocelotl_status add_members(oc_json *json, void *cache)
{
    const ocelotl_cache_info info = ocelotl_cache_info_of(cache);
    oc_json_text(json, "folder", info.folder);
    oc_json_count(json, "size", info.bytes);
    oc_json_count(json, "limit", info.limit);
    oc_json_list(json, "files");
    for (size_t i = 0; i < info.count; i++) {
        ocelotl_cache_file file;
        OC_TRY(ocelotl_cache_file_at(&file, cache, i));
        oc_json_line(json, 1);
        oc_json_object(json, NULL);
        oc_json_text(json, "kind", file.kind);
        if (file.source != NULL)
            oc_json_text(json, "source", file.source);
        else
            oc_json_null(json, "source");
        oc_json_text(json, "made", time_of(&file.made, false).text);
        oc_json_text(json, "used", time_of(&file.used, false).text);
        oc_json_text(json, "file", file.name);
        oc_json_count(json, "size", file.size);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_cache_write_removed(const ocelotl_sink *sink,
                                           const ocelotl_cache_info *before,
                                           const ocelotl_cache *cache, size_t removed)
{
    oc_output out = {.sink = sink};
    oc_output_add_visible(&out, before->folder);
    oc_output_format(&out, ": removed %zu %s", removed, removed == 1 ? "file" : "files");
    print_size(&out, ", ", before->bytes - ocelotl_cache_info_of(cache).bytes, 0);
    oc_output_add(&out, "\n");
    return oc_output_end(&out, OCELOTL_OK);
}

ocelotl_status ocelotl_cache_write(const ocelotl_sink *sink, ocelotl_form form,
                                   ocelotl_cache *cache)
{
    return oc_forms_write(sink, form,
                          &(oc_forms){cache, add_members, print_files, .rows = add_rows});
}
