/* The events of a trace, one by one, and as a table for SQL.
 *
 * Reading is streaming: memory holds one chunk of a stream (about a thousand events) and what is
 * open, whatever the size of the trace. A window costs the chunks it touches, not those before it;
 * what is still open at its end costs the chunks in which it ends. */
#ifndef OCELOTL_QUERY_H
#define OCELOTL_QUERY_H

#include <ocelotl/selection.h>
#include <ocelotl/trace.h>
#include <ocelotl/work.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The first tick not before a number of seconds, and the last not after it: a user's window in
 * ticks. They agree with ocelotl_trace_seconds to the last bit. Beyond the range of ticks the
 * nearest; not a number gives the smallest and the largest. O(1). */
OCELOTL_API int64_t ocelotl_trace_first_tick(const ocelotl_trace *trace, double seconds);
OCELOTL_API int64_t ocelotl_trace_last_tick(const ocelotl_trace *trace, double seconds);

/* One event of a trace. Indices are those of trace.h, OCELOTL_NONE for none; strings live until the
 * next event is read. */
typedef struct ocelotl_event {
    ocelotl_category category;
    uint32_t event_type;
    /* where it happens; of a link: its source, or its target where that is all that is known */
    uint32_t resource;
    uint32_t value; /* OCELOTL_NONE for variables */
    double number;  /* of a variable: its value in this step */
    /* in ticks; equal for instants. A variable's step ends with the next, or its resource */
    int64_t begin, end;
    uint32_t depth;    /* of a state: how many that began before it are still open when it ends, */
    uint32_t outlived; /* and how many that began after it; 0 where states nest */
    /* Where it begins and ends among the records of its resource and event type. They count from
     * anywhere and skip some numbers: of what is at one instant, the lower comes first. */
    uint64_t begin_place, end_place;
    uint32_t begin_attributes; /* of its attributes, how many came with its beginning: the first */
    uint32_t source;           /* of a link: the resource where it begins, or OCELOTL_NONE */
    /* and where it ends; with one end only, begin and end are that end's time */
    uint32_t target;
    const char *key;        /* of a link: its key, if the trace has one; or NULL */
    const char *attributes; /* whatever else it carries, as a JSON object; NULL for nothing */
} ocelotl_event;

typedef struct ocelotl_events_options {
    size_t size; /* sizeof(ocelotl_events_options), set by the initialiser */

    /* Events that touch the window, whose resource is selected, and that pass the filters. An event
     * touches it if it begins before `to` and does not end before `from`; a link that ends before
     * it begins stands at its beginning. Depths are those in the trace. */
    ocelotl_selection selection;
    const char *type; /* the name of an event type (of all that are called so); NULL: all */

    /* Leaves out key and attributes: reading is faster then. */
    bool without_attributes;

    /* Gives each change of a variable. Of several at one instant all but the last are steps that
     * last no time; else these are left out. */
    bool every_change;

    /* Gives links alone, as they arrive: those with both ends in the order of each target, without
     * what they carry. Conditions on attributes have no effect. */
    bool arrivals;

    /* Gives events of all resources and types in the order in which they end. Memory: at most a
     * chunk of each stream. */
    bool by_time;

    /* `progress` is in records, `by_time` in ticks, of those of the trace. It can cancel each step
     * to the next event, between chunks, and must last as long as the events. One thread reads:
     * `threads` and `memory_limit` have no effect. */
    ocelotl_work work;
} ocelotl_events_options;

#define OCELOTL_EVENTS_OPTIONS_INIT OCELOTL_INIT(ocelotl_events_options)

/* A way through the events of a trace. They come resource by resource and type by type, in the
 * order of their first events in the trace, and within each in the order of their ends; or
 * `by_time`, and then at one end the first in that order comes first, and a link that ends after
 * its source stands where that ends. Changes of a variable at one instant are one step, with the
 * last value, unless `every_change` wants all. */
typedef struct ocelotl_events ocelotl_events;

/* Starts at the first event. The trace must outlive it, and may be used otherwise at the same time
 * by the same thread. O(resources + event types). Errors: ARGUMENT (no such resource or type, from
 * after to; what a filter can have wrong), EMPTY (no type passes the filter), INPUT. */
OCELOTL_API ocelotl_status ocelotl_events_open(ocelotl_events **events, ocelotl_trace *trace,
                                               const ocelotl_events_options *options);
OCELOTL_API void ocelotl_events_free(ocelotl_events *events);

/* The next event; *found is false, and *event as it was, after the last one. O(1) amortised.
 * Errors: INPUT for damage, CANCELLED: nothing more can be read then. */
OCELOTL_API ocelotl_status ocelotl_events_next(bool *found, ocelotl_event *event,
                                               ocelotl_events *events);

/* The path of a resource (DESIGN: "a/b" is b below a; siblings of one name get #2, #3), "" out of
 * range. It lasts until the next call for the same events, by one thread at a time. O(what it does
 * not share with the path asked for before). */
OCELOTL_API const char *ocelotl_events_path(const ocelotl_events *events, uint32_t resource);

/* A query in SQL (SQLite's). The events are a table
 *
 *     events(resource, resource_type, category, type, value, begin, end, duration, depth, source,
 * target, key, attributes)
 *
 * with paths as resources, categories event, state, variable and link, times in seconds. Conditions
 * on begin, end, resource, type and category are pushed down: only the chunks that can hold such
 * events are read. docs/programs.md says more, and names the other tables. Nothing can be written.
 */
typedef struct ocelotl_query ocelotl_query;

/* Prepares one SELECT. The trace must outlive the query, and so must its file. O(resources + event
 * types). Errors: ARGUMENT "SQL: what is wrong", IO, INPUT. */
OCELOTL_API ocelotl_status ocelotl_query_open(ocelotl_query **query, ocelotl_trace *trace,
                                              const char *sql);
OCELOTL_API void ocelotl_query_free(ocelotl_query *query);

/* Lets a progress of work decide whether a query goes on, while it looks for a row; NULL: it always
 * does. It is asked every few thousand steps, with zeros for how far it is, but not within a
 * function of SQL. A memory limit bounds each text and blob; without one they may be as long as the
 * file, and 64 MB. O(1). */
OCELOTL_API void ocelotl_query_watch(ocelotl_query *query, const ocelotl_work *work);

/* The columns of the answer; the name of one out of range is "". */
OCELOTL_API uint32_t ocelotl_query_column_count(const ocelotl_query *query);
OCELOTL_API const char *ocelotl_query_column_at(const ocelotl_query *query, uint32_t column);

/* Goes to the next row, the first at first; *found is false after the last. Its cost is the
 * query's. Errors: ARGUMENT "SQL: ...", INPUT for damage, CANCELLED. */
OCELOTL_API ocelotl_status ocelotl_query_next(bool *found, ocelotl_query *query);

typedef enum ocelotl_sql_kind {
    OCELOTL_SQL_NULL = 0,
    OCELOTL_SQL_INTEGER = 1,
    OCELOTL_SQL_NUMBER = 2,
    OCELOTL_SQL_TEXT = 3,
    OCELOTL_SQL_BLOB = 4
} ocelotl_sql_kind;

/* A cell of the row. */
typedef struct ocelotl_sql_cell {
    ocelotl_sql_kind kind;
    int64_t integer; /* of an INTEGER */
    double number;   /* of an INTEGER or a NUMBER */
    /* bytes of a TEXT or BLOB, until the next row, followed by '\0'; "" otherwise */
    const char *text;
    size_t length;
} ocelotl_sql_cell;

/* NULL out of range, and without a row. O(1). */
OCELOTL_API ocelotl_sql_cell ocelotl_query_cell_at(const ocelotl_query *query, uint32_t column);

#ifdef __cplusplus
}
#endif
#endif
