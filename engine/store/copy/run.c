/* A trace in several files, and in one again: each is a copy with the streams of some resources. */
#define _GNU_SOURCE
#include "store/copy/copying.h"

#include "base/file/sink.h"
#include "base/text.h"
#include "store/file/tables.h"

#include <ocelotl/run.h>

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct ocelotl_run {
    oc_arena arena; /* that it lives in */
    oc_replacement folder;
    const char *whole;
};

/* --- What is a run */

static bool has_file(const char *folder, const char *name)
{
    char *path = NULL;
    struct stat found;
    const bool has = asprintf(&path, "%s/%s", folder, name) >= 0 && stat(path, &found) == 0 &&
                     S_ISREG(found.st_mode);
    free(path);
    return has;
}

/* One of its files may be lost. */
bool ocelotl_is_run(const char *path)
{
    return has_file(path, OC_RUN_FILE) + has_file(path, "0.db") + has_file(path, "1.db") > 1;
}

/* Whether a name is none of a run's files. */
static int is_foreign(const struct dirent *entry)
{
    const char *name = entry->d_name;
    const size_t digits = strspn(name, "0123456789");
    return strcmp(name, OC_RUN_FILE) != 0 && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
           (digits == 0 || strcmp(name + digits, ".db") != 0);
}

/* Whatever else somebody keeps in the folder of a run would go with it. */
static ocelotl_status check_replaced(const char *target)
{
    struct stat found;
    struct dirent **foreign = NULL;
    if (stat(target, &found) != 0 || !S_ISDIR(found.st_mode))
        return OCELOTL_OK;
    const int count = scandir(target, &foreign, is_foreign, alphasort);
    ocelotl_status status = OCELOTL_OK;
    if (count > 0 || !ocelotl_is_run(target))
        status = oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "%s: is a folder with %s, and so no run that can be replaced, expected "
                         "another name to write",
                         target, count > 0 ? foreign[0]->d_name : "no shards");
    for (int i = 0; i < count; i++)
        free(foreign[i]);
    free(foreign);
    return status;
}

/* --- Copies */

/* A copy of a trace that is being made, or several. */
typedef struct copying {
    ocelotl_trace *trace;
    oc_catalogue catalogue;
    oc_copier copier;
    oc_reader reader;
    oc_watch watch;
} copying;

static void end(copying *c)
{
    ocelotl_writer_free(c->copier.writer);
    free(c->copier.attributes);
    oc_reader_free(&c->reader);
    if (c->catalogue.trace != NULL)
        oc_catalogue_free(&c->catalogue);
}

static ocelotl_status begin(copying *c, ocelotl_trace *trace, const ocelotl_work *work)
{
    *c = (copying){.trace = trace,
                   .watch = {.total = trace->stream_count},
                   .reader = {.connection = oc_connection_of(trace), .asks = true}};
    if (work != NULL)
        c->watch.work = *work;
    return oc_catalogue_read(&c->catalogue, trace);
}

static ocelotl_status copy(copying *c, const char *path, const ocelotl_writer_options *options,
                           const bool *chosen)
{
    c->reader.watch = &c->watch;
    OC_TRY(oc_copy_begin(&c->copier.writer, path, &c->catalogue, options));
    OC_TRY(oc_copier_add_streams(&c->copier, &c->reader, chosen));
    return oc_copy_end(c->copier.writer, c->trace);
}

ocelotl_status ocelotl_trace_merge(const char *target, ocelotl_trace *trace, bool overwrite,
                                   const ocelotl_work *work)
{
    copying c;
    ocelotl_writer_options options = oc_copy_options(trace);
    options.overwrite = overwrite;
    ocelotl_status status = begin(&c, trace, work);
    if (status == OCELOTL_OK)
        status = copy(&c, target, &options, NULL);
    end(&c);
    return status;
}

/* --- Shards */

/* Which shard each resource belongs to. */
typedef struct division {
    oc_arena arena;
    uint32_t *shard_of; /* by resource */
    bool *chosen;       /* by resource: it is in the shard that is being written */
    uint32_t *first;    /* by shard: the first resource in the order of the hierarchy */
    uint32_t count;     /* of shards */
} division;

/* Cuts the resources, in the order of the hierarchy, where the shares of the shards are full; each
 * shard gets one in which something happens. */
static void cut(division *d, const ocelotl_trace *trace, const uint32_t *order,
                const uint64_t *records, uint64_t total, uint32_t left)
{
    double before = 0;
    uint32_t shard = 0;
    bool is_empty = true;
    for (uint32_t i = 0; i < trace->resource_count; i++) {
        const uint32_t r = order[i];
        if (records[r] > 0) {
            const uint32_t later = d->count - 1 - shard;
            const double share = (double)total * (shard + 1.0) / d->count;
            if (!is_empty && later > 0 &&
                (left <= later || before + (double)records[r] / 2 > share))
                d->first[++shard] = r;
            before += (double)records[r];
            is_empty = false;
            left--;
        }
        d->shard_of[r] = shard;
    }
}

static ocelotl_status divide(division *d, const ocelotl_trace *trace, uint32_t wanted)
{
    uint32_t *places = NULL;
    uint32_t *order = NULL;
    uint64_t *records = NULL;
    uint64_t total = 0;
    uint32_t busy = 0;
    const size_t count = trace->resource_count;
    OC_TRY(oc_arena_allocate(&d->shard_of, &d->arena, count, sizeof *d->shard_of));
    OC_TRY(oc_arena_allocate(&d->chosen, &d->arena, count, sizeof *d->chosen));
    OC_TRY(oc_find_places(&places, &d->arena, trace));
    OC_TRY(oc_arena_allocate(&order, &d->arena, count, sizeof *order));
    OC_TRY(oc_arena_allocate(&records, &d->arena, count, sizeof *records));
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        records[trace->streams[s].resource] += trace->streams[s].count;
        total += trace->streams[s].count;
    }
    for (uint32_t r = 0; r < count; r++) {
        order[places[r]] = r;
        busy += records[r] > 0;
    }
    d->count = wanted < busy ? wanted : busy > 0 ? busy : 1;
    OC_TRY(oc_arena_allocate(&d->first, &d->arena, d->count, sizeof *d->first));
    d->first[0] = count > 0 ? order[0] : 0;
    cut(d, trace, order, records, total, busy);
    return OCELOTL_OK;
}

/* --- The run */

ocelotl_status ocelotl_run_open(ocelotl_run **run, const char *target, bool overwrite)
{
    ocelotl_run *made = NULL;
    char *whole = NULL;
    if (overwrite)
        OC_TRY(check_replaced(target));
    OC_TRY(oc_arena_make(&made, sizeof *made));
    ocelotl_status status = oc_replacement_begin_folder(&made->folder, target, overwrite);
    if (status == OCELOTL_OK && asprintf(&whole, "%s/whole.db", made->folder.temporary) < 0)
        status = oc_fail_memory();
    if (status == OCELOTL_OK) {
        made->whole = oc_arena_copy(&made->arena, whole);
        free(whole);
        status = oc_arena_status(&made->arena);
    }
    if (status != OCELOTL_OK) {
        ocelotl_run_free(made);
        return status;
    }
    *run = made;
    return OCELOTL_OK;
}

void ocelotl_run_free(ocelotl_run *run)
{
    if (run == NULL)
        return;
    oc_replacement_end(&run->folder);
    oc_arena_free(&run->arena);
}

const char *ocelotl_run_whole(const ocelotl_run *run)
{
    return run->whole;
}

/* The path of a shard, to be freed. */
static char *shard_path(const ocelotl_run *run, uint32_t shard)
{
    char *path = NULL;
    return asprintf(&path, "%s/%" PRIu32 ".db", run->folder.temporary, shard) < 0 ? NULL : path;
}

static ocelotl_status write_shard(oc_identity *sum, copying *c, const ocelotl_run *run, division *d,
                                  uint32_t shard)
{
    char *name = NULL;
    ocelotl_writer_options options = oc_copy_options(c->trace);
    char *path = shard_path(run, shard);
    if (path == NULL || asprintf(&name, "%s: shard %" PRIu32 " of %" PRIu32, options.name,
                                 shard + 1, d->count) < 0) {
        free(path);
        return oc_fail_memory();
    }
    options.name = name;
    for (uint32_t r = 0; r < c->trace->resource_count; r++)
        d->chosen[r] = d->shard_of[r] == shard;
    const ocelotl_status status = copy(c, path, &options, d->chosen);
    if (status == OCELOTL_OK) {
        sum->first += c->copier.writer->content.first;
        sum->second += c->copier.writer->content.second;
    }
    ocelotl_writer_free(c->copier.writer);
    c->copier.writer = NULL;
    free(name);
    free(path);
    return status;
}

/* What a shard adds to the tables of the run; its file, its number twice, its size and its first
 * resource go in. Streams have been declared in the order of the whole. */
static const char add_shard[] =
    "ATTACH %Q AS shard;"
    "INSERT INTO meta SELECT '" OC_STORE_SHARD_KEY "%u', '%u.db;' || value || ';%lld;' ||"
    " (SELECT count(*) FROM shard.stream) || ';%u' FROM shard.meta WHERE key = 'uid';"
    "INSERT INTO temp.stored SELECT resource, event_type, role, count, begin, end, chunks"
    " FROM shard.stream;"
    "UPDATE event_type SET (count, unmatched) = (SELECT event_type.count + s.count,"
    " event_type.unmatched + s.unmatched FROM shard.event_type s WHERE s.id = event_type.id);"
    "UPDATE value SET (count, innermost, inclusive) = (SELECT value.count + s.count,"
    " value.innermost + s.innermost, value.inclusive + s.inclusive FROM shard.value s"
    " WHERE s.id = value.id);"
    "DETACH shard";

/* The file has no journal; the last transaction waits for the disk. */
static const char before_shards[] = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                                    "CREATE TEMP TABLE stored(resource INTEGER, event_type "
                                    "INTEGER, role INTEGER, count, begin, end,"
                                    " chunks,"
                                    " PRIMARY KEY(resource, event_type, role)) WITHOUT ROWID";
static const char behind_shards[] =
    "PRAGMA synchronous = FULL; BEGIN;"
    "UPDATE stream SET (count, begin, end, chunks) = (SELECT s.count, s.begin, s.end, s.chunks"
    " FROM temp.stored s WHERE s.resource = stream.resource AND s.event_type = stream.event_type"
    " AND s.role = stream.role)";

/* A name is taken for no URI behind "./". */
static ocelotl_status add_rows(sqlite3 *database, const char *path, const ocelotl_run *run,
                               const division *d, uint32_t shard)
{
    struct stat found;
    char *name = shard_path(run, shard);
    if (name == NULL || stat(name, &found) != 0) {
        const ocelotl_status status =
            name == NULL ? oc_fail_memory() : oc_fail_to_write(name, errno);
        free(name);
        return status;
    }
    char *file = sqlite3_mprintf("%s%s", name[0] == '/' ? "" : "./", name);
    char *sql = sqlite3_mprintf(add_shard, file != NULL ? file : "", shard, shard,
                                (long long)found.st_size, d->first[shard]);
    const ocelotl_status status =
        file != NULL && sql != NULL ? oc_database_execute(database, path, sql) : oc_fail_memory();
    sqlite3_free(sql);
    sqlite3_free(file);
    free(name);
    return status;
}

static ocelotl_status add_shards(sqlite3 *database, const char *path, const ocelotl_run *run,
                                 const division *d)
{
    OC_TRY(oc_database_execute(database, path, before_shards));
    for (uint32_t s = 0; s < d->count; s++)
        OC_TRY(add_rows(database, path, run, d, s));
    OC_TRY(oc_database_execute(database, path, behind_shards));
    OC_TRY(oc_tables_write_checksums(database, path));
    return oc_database_execute(database, path, "COMMIT");
}

/* Writes the names, streams without records, and the uid of all; then what the shards have. */
static ocelotl_status write_run(copying *c, const char *path, const ocelotl_run *run,
                                oc_identity sum, const division *d)
{
    uint32_t made;
    sqlite3 *database = NULL;
    const ocelotl_writer_options options = oc_copy_options(c->trace);
    ocelotl_writer *writer = NULL;
    OC_TRY(oc_copy_begin(&writer, path, &c->catalogue, &options));
    c->copier.writer = writer;
    if (writer != NULL)
        writer->elsewhere = sum;
    for (uint32_t s = 0; s < c->trace->stream_count; s++) {
        const oc_stream *stream = &c->trace->streams[s];
        OC_TRY(oc_writer_find_stream(&made, c->copier.writer, stream->resource, stream->event_type,
                                     stream->role));
    }
    OC_TRY(oc_copy_end(c->copier.writer, c->trace));
    ocelotl_status status = oc_database_open(&database, path, path, SQLITE_OPEN_READWRITE);
    if (status == OCELOTL_OK)
        status = add_shards(database, path, run, d);
    sqlite3_close(database);
    return status;
}

static ocelotl_status split(uint32_t *shards, ocelotl_run *run, copying *c, division *d)
{
    char *path = NULL;
    oc_identity sum = {0, 0};
    OC_TRY(divide(d, c->trace, *shards));
    for (uint32_t s = 0; s < d->count; s++)
        OC_TRY(write_shard(&sum, c, run, d, s));
    if (asprintf(&path, "%s/" OC_RUN_FILE, run->folder.temporary) < 0)
        return oc_fail_memory();
    const ocelotl_status status = write_run(c, path, run, sum, d);
    free(path);
    OC_TRY(status);
    (void)unlink(run->whole);
    *shards = d->count;
    return oc_replacement_commit(&run->folder);
}

ocelotl_status ocelotl_run_split(uint32_t *shards, ocelotl_run *run, ocelotl_trace *trace,
                                 const ocelotl_work *work)
{
    copying c;
    division d = {0};
    ocelotl_status status = begin(&c, trace, work);
    if (status == OCELOTL_OK)
        status = split(shards, run, &c, &d);
    end(&c);
    oc_arena_free(&d.arena);
    return status;
}
