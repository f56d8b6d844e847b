/* Derived series: a trace reduced along its hierarchy (what Paje calls reduction). For every group
 * of resources and every state that they can be in, how many of them are in it at each instant; or
 * what a variable of theirs adds up to. Both are piecewise constant functions of time, given by
 * their changes, or written as a trace.db of their own whose variables they are. */
#ifndef OC_SERIES_DERIVED_H
#define OC_SERIES_DERIVED_H

#include <ocelotl/model.h>
#include <ocelotl/selection.h>
#include <ocelotl/work.h>

typedef struct ocelotl_series_options {
    /* The name of a resource type: the groups are its topmost resources. NULL: of the types that
     * every member is of, or below, that with the fewest resources, but more than one, if these are
     * 32 at most and not the members themselves; else the one resource that all are below, or
     * "all". "all", where no type is called so, is the whole trace as one group of that name. */
    const char *at;
    ocelotl_reduction reduction;

    /* The name of the states' event type; NULL: the one with most time. */
    const char *state_type;
    /* With OCELOTL_INNERMOST a resource is in the innermost of its states alone; with
     * OCELOTL_INCLUSIVE in all that are open, and once in each, however often it is nested. */
    ocelotl_nesting nesting;

    /* What a filter of types or values removes counts nowhere. Bounds of durations and conditions
     * are refused. */
    ocelotl_selection selection;
    /* Progress is in streams, of each span. The memory is bounded as ocelotl_series_next says:
     * `memory_limit` is ignored. */
    ocelotl_work work;

    /* Series of links, one for each type of links, or pair of groups. Reduction, state type and
     * nesting are ignored then. Links that last no time, or end before they begin, are under way
     * at no instant; those without an end by count and bytes of senders until these end. */
    ocelotl_in_flight in_flight;
    ocelotl_link_side side;
    /* not 0: a series is 1 where it exceeds this, and 0 elsewhere */
    double only_above;
    /* the attribute with the bytes; NULL: the first called size, bytes or length */
    const char *attribute;
} ocelotl_series_options;

typedef struct ocelotl_series ocelotl_series;

/* Finds groups, members and types; it reads no event yet. The trace must outlive the series and
 * belongs to the calling thread. O(resources + values + chunks log chunks). Errors: ARGUMENT (no
 * such resource, type, pattern, naming the nearest or all; a window of no length; a reduction of
 * what the trace lacks), EMPTY (no state passes the filters, or no resource lives in the window),
 * LIMIT (more series than memory holds), INPUT (a damaged trace). */
ocelotl_status ocelotl_series_open(ocelotl_series **series, ocelotl_trace *trace,
                                   const ocelotl_series_options *options);
void ocelotl_series_free(ocelotl_series *series);

typedef struct ocelotl_series_info {
    /* what the values are, for captions: "number of MPI in each MPI_STATE, by CLUSTER" */
    const char *meaning;
    const char *group_type;      /* the name of the groups' resource type, or "all" */
    const char *type;            /* of the states; "" for variables */
    ocelotl_reduction reduction; /* not OCELOTL_REDUCE_DEFAULT */
    int64_t from, to;            /* the window in ticks, `to` excluded */
    uint32_t groups;
    uint32_t members; /* in all groups */
    /* resources that have events of what is reduced, but are in no group: nowhere counted */
    uint32_t outside;
    uint32_t types;       /* states, or variables; the series are groups x types */
    uint32_t series;      /* how many */
    uint32_t values_zero; /* states that pass the filters and last for no time in the whole trace:
                             they have no series */
    ocelotl_in_flight in_flight;
    double only_above;
    /* links, among those read so far, that are in flight at no instant */
    uint64_t missed;
} ocelotl_series_info;

/* Strings live as long as the series. O(1). */
ocelotl_series_info ocelotl_series_info_of(const ocelotl_series *series);

/* One of the series. */
typedef struct ocelotl_derived_series {
    const char *path; /* of the group's resource; "all" for the whole trace */
    const char *name; /* of the state, or the variable */
    /* "resources"; of variables theirs, "" where it is not known; "links", "B", "B/s", "times" */
    const char *unit;
    int32_t colour;      /* 0xRRGGBB or -1 */
    uint32_t resource;   /* of the trace, the group's; OCELOTL_NONE for the whole trace */
    uint32_t event_type; /* of the states, or the variable */
    uint32_t value;      /* the state; OCELOTL_NONE for a variable and for links */
    uint32_t members;    /* of the group that have what is reduced */
    /* in ticks: the lives of the group and its members, as far as they are in the window */
    int64_t begin, end;
} ocelotl_derived_series;

/* By index below `series`: group after group in the order of the hierarchy, in each the states or
 * variables in theirs. Out of range: zeros and "". O(1). */
ocelotl_derived_series ocelotl_series_at(const ocelotl_series *series, uint32_t index);

/* From an instant on a series has another value. */
typedef struct ocelotl_series_change {
    uint32_t series;
    int64_t time;   /* in ticks, in the window */
    bool has_value; /* of a variable: whether any member has one from then on */
    double value;   /* numbers of resources are exact */
} ocelotl_series_change;

/* The next change; *found is false after the last. They come in order of time, at one instant in
 * the order of the series; each differs from the one before of its series. A count of resources
 * begins at the series' begin, even with 0; a variable has no value before a member has one. What
 * lasts no time does not show. Nothing is rounded: resources are counted, extremes of variables are
 * values as they are, and sums are made anew from all members in a fixed order, so that no error
 * adds up over time; rates of links begin anew whenever none is in flight. O(log members)
 * amortised, after reading and sorting the events of a span of time, with all threads, or as
 * many as are asked for (the result is the same for any number): all events of the window are read,
 * in several spans if they are more than 4096 chunks (4 million records). Memory is O(series +
 * members) and about 300 MB, or 150 KB a member if that is more, whatever the length of the trace.
 * Errors: INPUT for damage, MEMORY, CANCELLED. */
ocelotl_status ocelotl_series_next(bool *found, ocelotl_series_change *change,
                                   ocelotl_series *series);

/* Writes the series as a trace.db, from their first change on; no change is left then. Its
 * resources are those of the groups and what is above them, of the same names and types, alive as
 * ocelotl_derived_series says. It has a variable for each state (or variable), of the same name,
 * colour and unit, or where series are 0 and 1 states `congested`. Ticks are those of the trace,
 * and its bounds those of the window, as far as any of its resources lives. It is whole or absent.
 * `name` is the trace's name, NULL: that of the trace with the meaning. When no member has a value
 * any more, a variable keeps its last one to the end of its resource; a warning of the trace says
 * so. The cost is that of all changes. Errors: as ocelotl_series_next; ARGUMENT (the file exists,
 * without `overwrite`), IO. */
ocelotl_status ocelotl_series_derive(const char *path, ocelotl_series *series, const char *name,
                                     bool overwrite);

#endif
