/* How long states and links last: histograms of durations, of a window or two, by groups of
 * resources, and over time.
 *
 * A duration is that of a state or link as a whole, with what lies before the window, and belongs
 * to the window that it ends in, as in statistics.h. */
#ifndef OC_QUERY_DURATIONS_H
#define OC_QUERY_DURATIONS_H

#include <ocelotl/selection.h>
#include <ocelotl/trace.h>
#include <ocelotl/work.h>

typedef struct ocelotl_durations_options {
    /* The events that count: states by their resource, links by the one where they end. */
    ocelotl_selection selection;
    const char *type; /* the name of an event type (of all that are called so); NULL: all */

    /* States and links whose type or value has one of these names or globs; none: all. */
    ocelotl_names patterns;

    /* A histogram for each resource of this type, with all below it; "resource": for each that has
     * events. NULL: one of all. */
    const char *at;

    /* A second window beside the first one, in ticks as of a selection. */
    bool compares;
    int64_t second_from, second_to;

    uint32_t slices; /* of each window, in which they are counted as well; 0: none. At most 10000 */

    /* `progress` is in records and can cancel between chunks. One thread reads: `threads` and
     * `memory_limit` have no effect. */
    ocelotl_work work;
} ocelotl_durations_options;

/* A span of durations, in seconds: `end` is excluded. Spans are a quarter of a power of ten; the
 * one of no time at all begins and ends at 0. */
typedef struct ocelotl_duration_bin {
    double begin, end;
} ocelotl_duration_bin;

/* A histogram: of a group in a window. */
typedef struct ocelotl_duration_column {
    /* the path of the resource, "(outside)" for what is in no group; NULL without groups. It lives
     * as long as the durations */
    const char *group;
    uint32_t window;  /* 0, or 1 for the second */
    int64_t from, to; /* the window in ticks, cut to the trace's bounds */
    uint64_t count;
    double sum;         /* seconds */
    double least, most; /* seconds; not a number: there is none */
} ocelotl_duration_column;

typedef struct ocelotl_durations_info {
    /* that of no time if some last none, then from the shortest to the longest, without a gap */
    uint32_t bins;
    uint32_t columns;    /* groups in the order of the hierarchy, each in all windows */
    uint32_t windows;    /* 1 or 2 */
    uint32_t slices;     /* of each window; 0: not asked for */
    uint32_t resources;  /* how many are selected */
    uint32_t event_type; /* of all that were found; OCELOTL_NONE: of several or of none */
    uint32_t value;      /* the same */
    bool grouped;
    /* What filters let pass, and the patterns, "" for all: for captions. They live as long as the
     * durations. */
    const char *filters, *patterns;
} ocelotl_durations_info;

typedef struct ocelotl_durations ocelotl_durations;

/* Reads and counts. The trace must outlive the durations, and belongs to the calling thread. Groups
 * without an event that counts are left out. O(events of the types that match); memory: 656 bytes
 * for each group, window and slice. Errors: ARGUMENT (no such resource, type or name, from after
 * to; what a filter can have wrong), EMPTY (no type passes the filter), INPUT for damage, LIMIT
 * (more than 256 MiB of groups and slices; durations that add up to more than 2^63 ticks),
 * CANCELLED. */
ocelotl_status ocelotl_durations_compute(ocelotl_durations **durations, ocelotl_trace *trace,
                                         const ocelotl_durations_options *options);
void ocelotl_durations_free(ocelotl_durations *durations);

ocelotl_durations_info ocelotl_durations_info_of(const ocelotl_durations *durations);

/* Bins and columns by index below their count; out of range: zeros. O(1), as are the next two. */
ocelotl_duration_bin ocelotl_durations_bin_at(const ocelotl_durations *durations, uint32_t bin);
ocelotl_duration_column ocelotl_durations_column_at(const ocelotl_durations *durations,
                                                    uint32_t column);

/* How many events of a column are in a bin: those that end in a slice of its window, or
 * (OCELOTL_NONE) anywhere in it. */
uint64_t ocelotl_durations_count_at(const ocelotl_durations *durations, uint32_t column,
                                    uint32_t slice, uint32_t bin);

/* The seconds that the events of a column in a bin last together. */
double ocelotl_durations_sum_at(const ocelotl_durations *durations, uint32_t column, uint32_t bin);

/* The question in SQL (query.h) that gives the events of a column in a bin, or (OCELOTL_NONE) in
 * all; freed by free. It is "" where filters choose what SQL cannot say, by durations or by globs
 * of resources, and for what is in no group. Errors: MEMORY. */
ocelotl_status ocelotl_durations_write_sql(char **sql, const ocelotl_durations *durations,
                                           uint32_t column, uint32_t bin);

/* What is true in SQL of `duration` for the events of a bin alone, to be asked of the question of a
 * column; freed by free. Errors: MEMORY. */
ocelotl_status ocelotl_durations_write_condition(char **sql, const ocelotl_durations *durations,
                                                 uint32_t bin);

#endif
