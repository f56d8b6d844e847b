/* An open trace: what its tables say, and connections to its chunks. */
#include "store/trace/trace.h"

#include "base/memory.h"
#include "base/options.h"

#include <stdlib.h>
#include <string.h>

void ocelotl_trace_free(ocelotl_trace *trace)
{
    if (trace == NULL)
        return;
    if (trace->waiting.release != NULL)
        trace->waiting.release(trace->waiting.found);
    for (uint32_t i = 0; i < trace->shard_count; i++) {
        ocelotl_trace_free(trace->shards[i].opened);
        sqlite3_close(trace->shard_databases != NULL ? trace->shard_databases[i] : NULL);
    }
    if (trace->opening != NULL)
        (void)pthread_mutex_destroy(trace->opening);
    sqlite3_close(trace->database);
    for (uint32_t i = 0; i < trace->dictionary_count; i++)
        ZSTD_freeDDict(trace->dictionaries[i].ready);
    oc_arena_free(&trace->arena);
}

void ocelotl_trace_get_info(ocelotl_trace_info *info, const ocelotl_trace *trace)
{
    oc_give_info(info, &trace->info, sizeof trace->info);
}

double ocelotl_trace_seconds(const ocelotl_trace *trace, int64_t ticks)
{
    return (double)ticks * (double)trace->info.tick_numerator /
           (double)trace->info.tick_denominator;
}

uint32_t ocelotl_trace_resource_type_count(const ocelotl_trace *trace)
{
    return trace->resource_type_count;
}

ocelotl_resource_type ocelotl_trace_resource_type_at(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->resource_type_count ? trace->resource_types[index]
                                              : (ocelotl_resource_type){.name = ""};
}

uint32_t ocelotl_trace_resource_count(const ocelotl_trace *trace)
{
    return trace->resource_count;
}

ocelotl_resource ocelotl_trace_resource_at(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->resource_count ? trace->resources[index] : (ocelotl_resource){.name = ""};
}

uint32_t ocelotl_trace_event_type_count(const ocelotl_trace *trace)
{
    return trace->event_type_count;
}

ocelotl_event_type ocelotl_trace_event_type_at(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->event_type_count ? trace->event_types[index]
                                           : (ocelotl_event_type){.name = "", .unit = ""};
}

uint32_t ocelotl_trace_value_count(const ocelotl_trace *trace)
{
    return trace->value_count;
}

ocelotl_value ocelotl_trace_value_at(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->value_count ? trace->values[index] : (ocelotl_value){.name = ""};
}

uint32_t ocelotl_trace_event_type_value_count(const ocelotl_trace *trace, uint32_t event_type)
{
    return event_type < trace->event_type_count
               ? trace->first_typed[event_type + 1] - trace->first_typed[event_type]
               : 0;
}

uint32_t ocelotl_trace_event_type_value_at(const ocelotl_trace *trace, uint32_t event_type,
                                           uint32_t index)
{
    return index < ocelotl_trace_event_type_value_count(trace, event_type)
               ? trace->typed_values[trace->first_typed[event_type] + index]
               : OCELOTL_NONE;
}

uint32_t ocelotl_trace_file_count(const ocelotl_trace *trace)
{
    return trace->file_count;
}

ocelotl_trace_file ocelotl_trace_file_at(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->file_count ? trace->files[index] : (ocelotl_trace_file){"", ""};
}

uint32_t ocelotl_trace_warning_count(const ocelotl_trace *trace)
{
    return trace->warning_count;
}

ocelotl_warning ocelotl_trace_warning_at(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->warning_count ? trace->warnings[index]
                                        : (ocelotl_warning){.kind = "", .detail = ""};
}

uint32_t ocelotl_trace_source_kind_count(const ocelotl_trace *trace)
{
    return trace->source_kind_count;
}

ocelotl_source_kind ocelotl_trace_source_kind_at(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->source_kind_count ? trace->source_kinds[index]
                                            : (ocelotl_source_kind){.kind = "", .why = ""};
}

uint32_t ocelotl_trace_clock_count(const ocelotl_trace *trace)
{
    return (uint32_t)trace->notes.clock_count;
}

ocelotl_set_clock ocelotl_trace_clock_at(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->notes.clock_count ? trace->notes.clocks[index]
                                            : (ocelotl_set_clock){.path = ""};
}

const ZSTD_DDict *oc_trace_dictionary(const ocelotl_trace *trace, oc_role role)
{
    for (uint32_t i = 0; i < trace->dictionary_count; i++)
        if (trace->dictionaries[i].role == role)
            return trace->dictionaries[i].ready;
    return NULL;
}

static ocelotl_status check_uid(const ocelotl_trace *trace, sqlite3_stmt *statement)
{
    bool row;
    OC_TRY(oc_database_row(&row, statement, trace->path));
    const char *uid = row ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    if (uid == NULL || strcmp(uid, trace->info.uid) != 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is not the trace any more that was opened",
                       trace->path);
    return OCELOTL_OK;
}

/* Somebody may have put another file there since the trace was opened. */
ocelotl_status oc_connect(oc_connection *connection, const ocelotl_trace *trace)
{
    sqlite3_stmt *statement = NULL;
    *connection = (oc_connection){.trace = trace};
    if (trace->shard_count > 0)
        OC_TRY(oc_allocate(&connection->shards, trace->shard_count, sizeof(sqlite3 *)));
    OC_TRY(oc_connection_open(&connection->database, trace->path, trace->info.file_size));
    ocelotl_status status = oc_database_prepare(&statement, connection->database, trace->path,
                                                "SELECT value FROM meta WHERE key = 'uid'");
    if (status == OCELOTL_OK)
        status = check_uid(trace, statement);
    sqlite3_finalize(statement);
    return status;
}

void oc_disconnect(oc_connection *connection)
{
    for (uint32_t i = 0; connection->shards != NULL && i < connection->trace->shard_count; i++)
        sqlite3_close(connection->shards[i]);
    free(connection->shards);
    sqlite3_close(connection->database);
    *connection = (oc_connection){0};
}

static bool begins(const char *message, const char *path)
{
    const size_t length = strlen(path);
    return strncmp(message, path, length) == 0 && message[length] == ':';
}

ocelotl_status oc_fail_in_trace(const ocelotl_trace *trace, ocelotl_status status)
{
    const char *message = ocelotl_error_message();
    bool named = status != OCELOTL_ERROR_INPUT || begins(message, trace->path);
    for (uint32_t i = 0; i < trace->shard_count && !named; i++)
        named = begins(message, trace->shards[i].path);
    return named ? status : oc_fail_within(OCELOTL_ERROR_INPUT, "%s", trace->path);
}

ocelotl_status oc_fail_in_stream(const ocelotl_trace *trace, uint32_t stream, ocelotl_status status)
{
    const char *path = oc_stream_path(trace, stream);
    return status != OCELOTL_ERROR_INPUT || begins(ocelotl_error_message(), path)
               ? status
               : oc_fail_within(OCELOTL_ERROR_INPUT, "%s", path);
}
