/* What an open trace is inside: its tables in memory, its chunks on disk. */
#ifndef OC_STORE_TRACE_TRACE_H
#define OC_STORE_TRACE_TRACE_H

#include "store/codec/fold.h"
#include "store/file/database.h"
#include "store/file/tables.h"

#include <ocelotl/trace.h>

/* The records of one (resource, event type) in one role. */
typedef struct oc_stream {
    uint32_t resource, event_type;
    oc_role role;
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
    oc_stream *streams; /* by index, which is their id in the file */
    oc_dictionary *dictionaries;
    uint32_t resource_type_count, resource_count, event_type_count, value_count;
    uint32_t file_count, warning_count, source_kind_count, stream_count, dictionary_count;
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

/* The dictionary of a role, NULL where it has none. */
const ZSTD_DDict *oc_trace_dictionary(const ocelotl_trace *trace, oc_role role);

/* A connection to the chunks of a trace, for one thread at a time. */
typedef struct oc_connection {
    const ocelotl_trace *trace;
    sqlite3 *database;
} oc_connection;

/* The one that an open trace has. */
static inline oc_connection oc_connection_of(ocelotl_trace *trace)
{
    return (oc_connection){trace, trace->database};
}

/* Opens another one, for another thread. connection->database is to be closed in any case. Errors:
 * IO; INPUT where the file is not the same trace any more. */
ocelotl_status oc_connect(oc_connection *connection, const ocelotl_trace *trace);

/* Puts the trace's path before the message of a failure of the file, unless it is there. Readers
 * put it there; what works on their records does not. */
ocelotl_status oc_fail_in_trace(const ocelotl_trace *trace, ocelotl_status status);

#endif
