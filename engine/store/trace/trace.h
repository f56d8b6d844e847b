/* What an open trace is inside: its tables in memory, its chunks on disk. */
#ifndef OC_STORE_TRACE_TRACE_H
#define OC_STORE_TRACE_TRACE_H

#include "store/codec/fold.h"
#include "store/file/database.h"
#include "store/file/tables.h"

#include <ocelotl/trace.h>

#include <pthread.h>

/* The records of one (resource, event type) in one role. */
typedef struct oc_stream {
    uint32_t resource, event_type;
    oc_role role;
    uint32_t shard, stored; /* of a run: the shard that has it, and its number there */
    uint64_t count;
    uint32_t chunk_count;
    int64_t begin, end; /* of its records */
} oc_stream;

static inline bool oc_is_of_links(const oc_stream *stream)
{
    return stream->role == OC_ROLE_LINKS_OUT || stream->role == OC_ROLE_LINKS_IN;
}

/* What chunks of a role are compressed with. */
typedef struct oc_dictionary {
    oc_role role;
    ZSTD_DDict *ready;
} oc_dictionary;

/* A file of a run (docs/developer/store.md): a trace.db with some of its streams. */
typedef struct oc_shard {
    const char *path, *uid;
    uint64_t file_size;
    uint32_t first_resource; /* in the order of the hierarchy; up to that of the next shard */
    uint32_t stream_count;
    ocelotl_trace *opened; /* with nothing but its dictionaries; NULL: not yet */
} oc_shard;

/* A row of `meta`. */
typedef struct oc_note {
    const char *key, *text;
} oc_note;

/* What was done to clocks. Empty if zero-initialised. */
typedef struct oc_notes {
    oc_note *notes;
    size_t count, capacity;
    ocelotl_set_clock *clocks; /* that are among the notes */
    size_t clock_count, clock_capacity;
} oc_notes;

/* What is found once of a trace, and kept with it. */
typedef struct oc_kept_find {
    void *found;
    void (*release)(void *found);
} oc_kept_find;

/* What a run is called in its folder. */
#define OC_RUN_FILE "run.db"

struct ocelotl_trace {
    oc_arena arena;    /* that it lives in, with all of its texts and tables */
    const char *path;  /* of the file, which messages on its damage name */
    const char *label; /* what messages on its content call it */
    sqlite3 *database;
    uint64_t text_left; /* bytes that texts may still have, while the tables are read */
    ocelotl_trace_info info;
    uint64_t table_checksums[OC_TABLE_COUNT]; /* as `meta` has them */
    ocelotl_resource_type *resource_types;
    ocelotl_resource *resources;
    ocelotl_event_type *event_types;
    struct oc_spelling *spellings; /* by event type, see store/trace/names.h, */
    uint32_t *spelled_from;        /* and where the shortest one begins that is unlike the others */
    ocelotl_value *values;
    uint32_t *typed_values; /* the values by event type, in order, */
    uint32_t *first_typed;  /* and where those of each begin, and the last end */
    ocelotl_trace_file *files;
    size_t file_capacity;
    oc_notes notes;
    ocelotl_warning *warnings;
    ocelotl_source_kind *source_kinds;
    oc_stream *streams;       /* by index, which is their id in the file */
    pthread_mutex_t *opening; /* held while a shard is opened; NULL of what is no run */
    oc_shard *shards;         /* of a run, that have the chunks of its streams, */
    size_t shard_capacity;
    sqlite3 **shard_databases; /* and the connections to them that this trace has */
    oc_dictionary *dictionaries;
    uint32_t resource_type_count, resource_count, event_type_count, value_count;
    uint32_t file_count, warning_count, source_kind_count, stream_count, dictionary_count;
    uint32_t shard_count;                    /* 0: it is no run */
    bool has_table_checksum[OC_TABLE_COUNT]; /* whether `meta` has one */
    oc_kept_find waiting;                    /* who waits for whom (quality/waiting.h) */
};

/* Whether a trace has any links. O(streams). */
static inline bool oc_has_links(const ocelotl_trace *trace)
{
    for (uint32_t s = 0; s < trace->stream_count; s++)
        if (oc_is_of_links(&trace->streams[s]) && trace->streams[s].count > 0)
            return true;
    return false;
}

/* The dictionary of a role in the trace's own file, NULL where it has none. */
const ZSTD_DDict *oc_trace_dictionary(const ocelotl_trace *trace, oc_role role);

/* --- Where the chunks of a stream are: in the trace's file, or in a shard */

/* The file, which messages on its damage name. */
static inline const char *oc_stream_path(const ocelotl_trace *trace, uint32_t stream)
{
    return trace->shard_count == 0 ? trace->path : trace->shards[trace->streams[stream].shard].path;
}

/* The number that the stream has there. */
static inline uint32_t oc_stored_stream(const ocelotl_trace *trace, uint32_t stream)
{
    return trace->shard_count == 0 ? stream : trace->streams[stream].stored;
}

/* The dictionary of the stream's role there; a statement has been prepared for it. */
const ZSTD_DDict *oc_stream_dictionary(const ocelotl_trace *trace, uint32_t stream);

/* A connection to the chunks of a trace, for one thread at a time. */
typedef struct oc_connection {
    const ocelotl_trace *trace;
    sqlite3 *database;
    sqlite3 **shards; /* of a run, those that were asked for so far; see oc_connection_prepare */
} oc_connection;

/* The one that an open trace has. */
static inline oc_connection oc_connection_of(ocelotl_trace *trace)
{
    return (oc_connection){trace, trace->database, trace->shard_databases};
}

/* Opens another one, for another thread, which is to be ended in any case. Errors: IO; INPUT where
 * the file is not the same trace any more. */
ocelotl_status oc_connect(oc_connection *connection, const ocelotl_trace *trace);
void oc_disconnect(oc_connection *connection);

/* Prepares a statement for the file that a stream is in, unless *statement is prepared for it: it
 * is always the same SQL. A shard is opened when its first stream is asked for. Errors: as
 * ocelotl_trace_open, INPUT for a shard of another run; both say which resources it has. */
ocelotl_status oc_connection_prepare(sqlite3_stmt **statement, const oc_connection *connection,
                                     uint32_t stream, const char *sql);

/* Gives the file that is opened for a path: that of a folder is a run's. */
ocelotl_status oc_trace_find(const char **path, oc_arena *arena, const char *given);

/* Opens a trace.db for no more than its uid and its dictionaries. Errors: as ocelotl_trace_open. */
ocelotl_status oc_trace_open_bytes(ocelotl_trace **trace, const char *path);

/* Opens a shard, once for all threads. Errors: as above. */
ocelotl_status oc_shard_open(const ocelotl_trace *trace, uint32_t shard);

/* Puts the path of the trace, or of a stream's file, before the message of a failure of the file,
 * unless it is there. Readers put it there; what works on their records does not. */
ocelotl_status oc_fail_in_trace(const ocelotl_trace *trace, ocelotl_status status);
ocelotl_status oc_fail_in_stream(const ocelotl_trace *trace, uint32_t stream,
                                 ocelotl_status status);

#endif
