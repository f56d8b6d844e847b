/* The matrix of messages: which resources send to which. It sums the links of a window by the
 * groups of resources in which they begin (rows) and end (columns). It is no microscopic model,
 * which model.h calls a matrix, too. */
#ifndef OC_QUERY_MESSAGES_H
#define OC_QUERY_MESSAGES_H

#include <ocelotl/model.h>
#include <ocelotl/selection.h>
#include <ocelotl/trace.h>
#include <ocelotl/work.h>

typedef struct ocelotl_messages_options {
    /* The names of resource types: the groups are its topmost resources, each with all below it.
     * "all", where no type is called so, is the whole trace as one group. `rows` NULL: each
     * resource where links begin or end is a group. `columns` NULL: the same as rows. */
    const char *rows, *columns;

    const char *type; /* the name of an event type (of all that are called so); NULL: all links */
    /* the attribute with the bytes; NULL: the first called size, bytes or length */
    const char *attribute;

    bool needs_bytes; /* fails where no link has such an attribute */

    /* The links that are summed: those with at least one end in a selected resource. */
    ocelotl_selection selection;

    /* `progress` is in streams, and can cancel between chunks. The result is the same for any
     * number of threads; `memory_limit` has no effect. */
    ocelotl_work work;

    /* What changes the hierarchy, before groups are found in it: `file`, `drop_levels`, `groups`,
     * `cluster` and `order`, as for a model of the metric link-ends of the whole
     * trace. The types of `rows` and `columns` are then those of its nodes; what `groups` or
     * a file makes is of type "group". The other members have no effect. */
    ocelotl_hierarchy_options hierarchy;
} ocelotl_messages_options;

typedef struct ocelotl_messages ocelotl_messages;

/* Adds up. The trace must outlive the messages and belongs to the calling thread. O(links of the
 * window + resources), memory O(cells that hold something). Errors: ARGUMENT (no such resource,
 * type or attribute, from after to, more than 4096 threads; what a filter can have wrong), EMPTY
 * (no type passes the filter), INPUT for damage, LIMIT for durations that add up to more than 2^63
 * ticks, CANCELLED. */
ocelotl_status ocelotl_messages_compute(ocelotl_messages **messages, ocelotl_trace *trace,
                                        const ocelotl_messages_options *options);
void ocelotl_messages_free(ocelotl_messages *messages);

typedef struct ocelotl_messages_info {
    int64_t from, to;     /* the window, cut to the trace's bounds, in ticks */
    const char *row_type; /* of the rows' resources, "all", or "" where they are of several */
    const char *column_type;
    uint32_t rows, columns; /* how many */
    uint64_t cells;         /* that hold something */
    bool has_bytes;         /* some links can carry bytes */

    /* What filters let pass, for captions; "" for all. The strings live as long as the messages. */
    const char *filters;
    const char *hierarchy; /* how it differs from that of the trace, ""; lives as long */
} ocelotl_messages_info;

ocelotl_messages_info ocelotl_messages_info_of(const ocelotl_messages *messages);

/* A row or a column. */
typedef struct ocelotl_message_group {
    /* of its resource; "all"; "(outside)" for ends that are selected but in no group, or not
     * selected; "(unknown)" for ends that the trace does not have */
    const char *path;
    uint32_t resource; /* OCELOTL_NONE for these, and for nodes that are no resource */
    uint32_t node;     /* in ocelotl_messages_hierarchy; OCELOTL_NONE: none */
} ocelotl_message_group;

/* The model whose hierarchy the groups are in; NULL: they are in that of the trace. It belongs to
 * the messages. O(1). */
const ocelotl_model *ocelotl_messages_hierarchy(const ocelotl_messages *messages);

/* By index below the count: in the order of the hierarchy, "(outside)" and "(unknown)" last, where
 * some link is there. Out of range: "". O(1), safe for any number of threads. */
ocelotl_message_group ocelotl_messages_row_at(const ocelotl_messages *messages, uint32_t index);
ocelotl_message_group ocelotl_messages_column_at(const ocelotl_messages *messages, uint32_t index);

/* What the links from a row to a column add up to. A link that ends before it begins is a
 * violation of causality: it is counted, but its duration is in no sum. A link is in
 * the window with its begin, and with the later of both instants; with one end, with that. */
typedef struct ocelotl_message_cell {
    uint32_t row, column;
    uint64_t count;      /* that begin in the window */
    double bytes;        /* of these; not a number if links carry no bytes */
    uint64_t ended;      /* that end in the window */
    double received;     /* bytes of these */
    uint64_t violations; /* how many of these end before they begin */
    uint64_t timed;      /* how many of these have a duration: both ends are known, and in order */
    int64_t time;        /* sum of the durations of the timed ones, in ticks */
    int64_t least;       /* the least of them; -1: none */
    double mean;         /* the mean of them, in ticks; not a number: none */
    double bandwidth; /* bytes of the timed ones by their time, a second; not a number: no time */
    double in_flight; /* how many are under way in the window, on average over time */
} ocelotl_message_cell;

/* A cell by index below the count, row after row, in each by column; those that hold nothing are
 * left out. Out of range: zeros. O(1), safe for any number of threads. */
ocelotl_message_cell ocelotl_messages_cell_at(const ocelotl_messages *messages, uint64_t index);

/* The index of the first cell of a row; for the number of rows the count of cells. O(1). */
uint64_t ocelotl_messages_row_begin(const ocelotl_messages *messages, uint32_t row);

/* What a row, a column, by index below the count, or all of it adds up to: row and column of the
 * cell say nothing. O(1). */
ocelotl_message_cell ocelotl_messages_row_total(const ocelotl_messages *messages, uint32_t row);
ocelotl_message_cell ocelotl_messages_column_total(const ocelotl_messages *messages,
                                                   uint32_t column);
ocelotl_message_cell ocelotl_messages_total(const ocelotl_messages *messages);

/* The value of a measure; not a number where the cell has none. O(1). */
double ocelotl_message_value(const ocelotl_message_cell *cell, ocelotl_message_measure measure,
                             const ocelotl_trace *trace);

/* Adds to a cell what another one of the same messages adds up to. O(1). */
void ocelotl_message_cell_add(ocelotl_message_cell *cell, const ocelotl_message_cell *more);

/* The word for a measure: "count", "in-flight"; "" for none. */
const char *ocelotl_message_measure_name(ocelotl_message_measure measure);

#endif
