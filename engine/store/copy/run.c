/* A trace in several files, and in one again: each is a copy with the streams of some resources. */
#define _GNU_SOURCE
#include "store/copy/unite.h"

#include "base/exchange.h"
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
    const ocelotl_exchange *exchange;
    oc_replacement folder; /* of rank 0, */
    const char *path;      /* and where it is, which all ranks know */
    const char *whole;
};

static uint32_t rank_of(const ocelotl_run *run)
{
    return run->exchange != NULL ? run->exchange->rank : 0;
}

static uint32_t ranks_of(const ocelotl_run *run)
{
    return run->exchange != NULL ? run->exchange->count : 1;
}

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
    const oc_catalogue *names;
    const oc_union *united; /* the trace is of parts; NULL: it is in one file */
    oc_copier copier;
    oc_reader reader;
    oc_reader *readers; /* by part */
    oc_watch watch;
} copying;

static void end(copying *c)
{
    ocelotl_writer_free(c->copier.writer);
    free(c->copier.attributes);
    oc_reader_free(&c->reader);
    for (uint32_t p = 0; c->readers != NULL && p < c->united->count; p++)
        oc_reader_free(&c->readers[p]);
    free(c->readers);
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
    c->reader.watch = &c->watch;
    c->names = &c->catalogue;
    return oc_catalogue_read(&c->catalogue, trace);
}

/* The same of the parts of a trace. */
static ocelotl_status begin_parts(copying *c, oc_union *united, const ocelotl_work *work)
{
    *c = (copying){.trace = &united->trace, .watch = {.total = united->trace.stream_count}};
    if (work != NULL)
        c->watch.work = *work;
    OC_TRY(oc_allocate(&c->readers, united->count, sizeof *c->readers));
    c->united = united;
    c->names = &united->catalogue;
    for (uint32_t p = 0; p < united->count; p++)
        c->readers[p] = (oc_reader){.connection = oc_connection_of(united->parts[p].trace),
                                    .watch = &c->watch,
                                    .asks = true};
    return OCELOTL_OK;
}

/* Copies the streams of the parts, in the order of the whole. */
static ocelotl_status copy_parts(copying *c, const bool *chosen)
{
    for (uint32_t s = 0; s < c->trace->stream_count; s++) {
        const oc_stream *stream = &c->trace->streams[s];
        if (!chosen[stream->resource])
            continue;
        c->copier.numbers = c->united->parts[stream->shard].numbers;
        OC_TRY(oc_copier_add_stream(&c->copier, &c->readers[stream->shard], stream->stored));
        c->watch.done++;
    }
    return OCELOTL_OK;
}

static ocelotl_status begin_writer(copying *c, const char *path,
                                   const ocelotl_writer_options *options)
{
    const uint32_t *numbers = c->united != NULL ? c->united->parts[0].numbers.resources : NULL;
    return oc_copy_begin(&c->copier.writer, path, c->names, numbers, options);
}

static ocelotl_status copy(copying *c, const char *path, const ocelotl_writer_options *options,
                           const bool *chosen)
{
    OC_TRY(begin_writer(c, path, options));
    OC_TRY(c->united != NULL ? copy_parts(c, chosen)
                             : oc_copier_add_streams(&c->copier, &c->reader, chosen));
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

/* The path of a file of the run while it is written, to be freed. */
static char *path_of(const ocelotl_run *run, const char *name, uint32_t number)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s%" PRIu32 ".db", run->path, name, number) < 0 ? NULL : path;
}

static ocelotl_status begin_folder(ocelotl_run *run, const char *target, bool overwrite)
{
    if (rank_of(run) > 0)
        return OCELOTL_OK;
    if (overwrite)
        OC_TRY(check_replaced(target));
    OC_TRY(oc_replacement_begin_folder(&run->folder, target, overwrite));
    run->path = run->folder.temporary;
    return OCELOTL_OK;
}

/* Tells all ranks where the folder is. */
static ocelotl_status know_folder(ocelotl_run *run)
{
    oc_bytes path = {0};
    ocelotl_status status = OCELOTL_OK;
    if (rank_of(run) == 0)
        status = oc_bytes_add(&path, run->path, strlen(run->path) + 1);
    if (status == OCELOTL_OK)
        status = oc_exchange_join(&path, run->exchange);
    if (status == OCELOTL_OK)
        run->path = oc_arena_copy(&run->arena, (const char *)path.bytes);
    oc_bytes_free(&path);
    char *whole = status == OCELOTL_OK ? path_of(run, "whole", rank_of(run)) : NULL;
    run->whole = whole != NULL ? oc_arena_copy(&run->arena, whole) : NULL;
    free(whole);
    OC_TRY(status);
    return run->whole != NULL ? oc_arena_status(&run->arena) : oc_fail_memory();
}

ocelotl_status ocelotl_run_open(ocelotl_run **run, const char *target, bool overwrite,
                                const ocelotl_exchange *exchange)
{
    ocelotl_run *made = NULL;
    OC_TRY(oc_arena_make(&made, sizeof *made));
    made->exchange = exchange;
    ocelotl_status status = oc_exchange_agree(begin_folder(made, target, overwrite), exchange);
    if (status == OCELOTL_OK)
        status = know_folder(made);
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

static ocelotl_status write_shard(oc_identity *sum, copying *c, const ocelotl_run *run, division *d,
                                  uint32_t shard)
{
    char *name = NULL;
    ocelotl_writer_options options = oc_copy_options(c->trace);
    char *path = path_of(run, "", shard);
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
    char *name = path_of(run, "", shard);
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
    OC_TRY(begin_writer(c, path, &options));
    c->copier.writer->elsewhere = sum;
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

/* --- Splitting: each rank writes its shards, and rank 0 what is of all of them */

/* Writes the shards of this rank. */
static ocelotl_status write_shards(oc_identity *sum, copying *c, const ocelotl_run *run,
                                   division *d)
{
    for (uint32_t s = 0; s < d->count; s++)
        if ((uint64_t)s * ranks_of(run) / d->count == rank_of(run))
            OC_TRY(write_shard(sum, c, run, d, s));
    return OCELOTL_OK;
}

static ocelotl_status finish(ocelotl_run *run, copying *c, oc_identity sum, const division *d)
{
    char *path = NULL;
    if (rank_of(run) > 0)
        return OCELOTL_OK;
    if (asprintf(&path, "%s/" OC_RUN_FILE, run->path) < 0)
        return oc_fail_memory();
    const ocelotl_status status = write_run(c, path, run, sum, d);
    free(path);
    OC_TRY(status);
    for (uint32_t rank = 0; rank < ranks_of(run); rank++) {
        char *whole = path_of(run, "whole", rank);
        if (whole == NULL)
            return oc_fail_memory();
        (void)unlink(whole);
        free(whole);
    }
    return oc_replacement_commit(&run->folder);
}

/* Splits what a copy has begun with, unless that failed. */
static ocelotl_status split(uint32_t *shards, ocelotl_run *run, copying *c, ocelotl_status status)
{
    division d = {0};
    oc_identity sum = {0, 0};
    if (status == OCELOTL_OK)
        status = divide(&d, c->trace, *shards);
    if (status == OCELOTL_OK)
        status = write_shards(&sum, c, run, &d);
    status = oc_exchange_agree(status, run->exchange);
    if (status == OCELOTL_OK)
        status = oc_exchange_combine(&sum, sizeof sum, oc_combine_counts, run->exchange);
    if (status == OCELOTL_OK)
        status = oc_exchange_agree(finish(run, c, sum, &d), run->exchange);
    if (status == OCELOTL_OK)
        *shards = d.count;
    end(c);
    oc_arena_free(&d.arena);
    return status;
}

/* The paths of parts, in an arena. */
static ocelotl_status find_parts(const char ***paths, oc_arena *arena, const ocelotl_run *run)
{
    OC_TRY(oc_arena_allocate(paths, arena, ranks_of(run), sizeof **paths));
    for (uint32_t rank = 0; rank < ranks_of(run); rank++) {
        char *path = path_of(run, "whole", rank);
        (*paths)[rank] = path != NULL ? oc_arena_copy(arena, path) : NULL;
        free(path);
        if ((*paths)[rank] == NULL)
            return oc_fail_memory();
    }
    return oc_arena_status(arena);
}

/* Splits what all ranks have imported, or rank 0 alone has. */
static ocelotl_status split_imported(uint32_t *shards, ocelotl_run *run, const ocelotl_work *work)
{
    copying c = {0};
    oc_union united = {0};
    ocelotl_trace *whole = NULL;
    const char **paths = NULL;
    uint64_t have_parts = ranks_of(run) > 1 && access(run->whole, F_OK) == 0;
    OC_TRY(oc_exchange_least(&have_parts, run->exchange));
    ocelotl_status status = find_parts(&paths, &united.arena, run);
    if (status == OCELOTL_OK && have_parts == 0) {
        status = ocelotl_trace_open(&whole, paths[0]);
        if (status == OCELOTL_OK)
            status = begin(&c, whole, work);
    } else if (status == OCELOTL_OK) {
        status = oc_unite(&united, paths, ranks_of(run));
        if (status == OCELOTL_OK)
            status = begin_parts(&c, &united, work);
    }
    status = split(shards, run, &c, status);
    ocelotl_trace_free(whole);
    oc_union_free(&united);
    return status;
}

ocelotl_status ocelotl_run_split(uint32_t *shards, ocelotl_run *run, ocelotl_trace *trace,
                                 const ocelotl_work *work)
{
    copying c;
    if (trace == NULL)
        return split_imported(shards, run, work);
    const ocelotl_status status = begin(&c, trace, work);
    return split(shards, run, &c, status);
}
