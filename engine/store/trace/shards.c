/* The shards of a run, which are opened when their chunks are asked for. */
#include "store/trace/paths.h"

#include <inttypes.h>
#include <string.h>

/* Finds how many resources have streams in a shard, and the first and the last of them in the order
 * of the hierarchy. */
static ocelotl_status find_resources(uint32_t *count, uint32_t ends[2], const ocelotl_trace *trace,
                                     uint32_t shard)
{
    oc_arena arena = {0};
    uint32_t *places = NULL;
    bool *seen = NULL;
    *count = 0;
    ocelotl_status status = oc_find_places(&places, &arena, trace);
    if (status == OCELOTL_OK)
        status = oc_arena_allocate(&seen, &arena, trace->resource_count, sizeof *seen);
    for (uint32_t s = 0; status == OCELOTL_OK && s < trace->stream_count; s++) {
        const uint32_t r = trace->streams[s].resource;
        if (trace->streams[s].shard != shard || seen[r])
            continue;
        seen[r] = true;
        ends[0] = *count == 0 || places[r] < places[ends[0]] ? r : ends[0];
        ends[1] = *count == 0 || places[r] > places[ends[1]] ? r : ends[1];
        ++*count;
    }
    oc_arena_free(&arena);
    return status;
}

/* Adds to the message of a failure which resources a shard has. */
static ocelotl_status fail_shard(const ocelotl_trace *trace, uint32_t shard, ocelotl_status status)
{
    uint32_t count;
    uint32_t ends[2] = {0, 0};
    oc_text text = {0};
    oc_paths paths = {0};
    if (status == OCELOTL_ERROR_MEMORY)
        return status;
    oc_text_add(&text, ocelotl_error_message());
    /* that of a trace.db of another version is to import it again, which a shard is not */
    char *advice = text.failed ? NULL : strstr(text.bytes, "; import the trace again");
    if (advice != NULL)
        text.length = (size_t)(advice - text.bytes);
    if (find_resources(&count, ends, trace, shard) != OCELOTL_OK ||
        oc_paths_make(&paths, trace) != OCELOTL_OK) {
        oc_paths_free(&paths);
        oc_text_free(&text);
        return OCELOTL_ERROR_MEMORY;
    }
    oc_text_format(&text, "; it is the shard of %" PRIu32 " resource%s, \"%s\"", count,
                   count == 1 ? "" : "s", oc_path_of(&paths, ends[0]));
    if (count > 1)
        oc_text_format(&text, " to \"%s\"", oc_path_of(&paths, ends[1]));
    oc_paths_free(&paths);
    if (!text.failed)
        oc_fail(status, "%s; `ocelotl-cli verify` lists what is damaged, --lenient reads around it",
                text.bytes);
    oc_text_free(&text);
    return status;
}

static ocelotl_status open_shard(oc_shard *shard)
{
    OC_TRY(oc_trace_open_bytes(&shard->opened, shard->path));
    sqlite3_close(shard->opened->database); /* each thread has one of its own */
    shard->opened->database = NULL;
    if (strcmp(shard->opened->info.uid, shard->uid) == 0)
        return OCELOTL_OK;
    ocelotl_trace_free(shard->opened);
    shard->opened = NULL;
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: is of another run, or has been changed", shard->path);
}

ocelotl_status oc_shard_open(const ocelotl_trace *trace, uint32_t shard)
{
    ocelotl_status status = OCELOTL_OK;
    (void)pthread_mutex_lock(trace->opening);
    if (trace->shards[shard].opened == NULL)
        status = open_shard(&trace->shards[shard]);
    (void)pthread_mutex_unlock(trace->opening);
    return status == OCELOTL_OK ? status : fail_shard(trace, shard, status);
}

/* Outside a transaction each statement would ask whether the file has changed. */
static ocelotl_status connect(sqlite3 **database, const oc_connection *connection, uint32_t shard)
{
    const ocelotl_trace *trace = connection->trace;
    oc_connection own = {0};
    OC_TRY(oc_shard_open(trace, shard));
    const ocelotl_trace *opened = trace->shards[shard].opened;
    const ocelotl_status status = oc_connect(&own, opened);
    if (status != OCELOTL_OK) {
        oc_disconnect(&own);
        return status;
    }
    *database = own.database;
    return oc_database_execute(own.database, opened->path, "BEGIN");
}

ocelotl_status oc_connection_prepare(sqlite3_stmt **statement, const oc_connection *connection,
                                     uint32_t stream, const char *sql)
{
    const ocelotl_trace *trace = connection->trace;
    const uint32_t shard = trace->streams[stream].shard;
    sqlite3 *database = connection->database;
    if (trace->shard_count > 0) {
        if (connection->shards[shard] == NULL)
            OC_TRY(connect(&connection->shards[shard], connection, shard));
        database = connection->shards[shard];
    }
    if (*statement != NULL && sqlite3_db_handle(*statement) == database)
        return OCELOTL_OK;
    sqlite3_finalize(*statement);
    *statement = NULL;
    return oc_database_prepare(statement, database, oc_stream_path(trace, stream), sql);
}

const ZSTD_DDict *oc_stream_dictionary(const ocelotl_trace *trace, uint32_t stream)
{
    const oc_stream *of = &trace->streams[stream];
    return oc_trace_dictionary(trace->shard_count == 0 ? trace : trace->shards[of->shard].opened,
                               of->role);
}
