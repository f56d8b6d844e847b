/* Sums of the events of a window of a trace, by event type and value (thesis 7.5).
 *
 * They come from the running totals of a trace.db: each stream (a resource's events of one type)
 * costs the two chunks (about a thousand events each) in which the window begins and ends, however
 * many lie between. */
#ifndef OCELOTL_STATISTICS_H
#define OCELOTL_STATISTICS_H

#include <ocelotl/selection.h>
#include <ocelotl/trace.h>
#include <ocelotl/work.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the smallest and the largest duration (of variables: number) are found: running totals do not
 * have them. */
typedef enum ocelotl_extremes {
    /* of event types, from what each chunk says of itself: a look at each chunk */
    OCELOTL_EXTREMES_TYPES = 0,
    OCELOTL_EXTREMES_VALUES = 1, /* of values too: every event of the window is read */
    OCELOTL_EXTREMES_NONE = 2,   /* not at all */
    /* the same as of values, and the quantiles: every duration is held, 16 bytes each */
    OCELOTL_EXTREMES_QUANTILES = 3,
    /* quantiles of a trace of at most OCELOTL_QUANTILES_RECORDS records, else of types */
    OCELOTL_EXTREMES_AFFORDABLE = 4
} ocelotl_extremes;

#define OCELOTL_QUANTILES_RECORDS 1000000

/* What the shares of states are of. */
typedef enum ocelotl_shares_of {
    OCELOTL_SHARES_OF_LIVES = 0,  /* the time that the resources live in the window */
    OCELOTL_SHARES_OF_LEAVES = 1, /* the whole window for each of the resources */
    OCELOTL_SHARES_OF_ACTIVE = 2  /* the time in any state */
} ocelotl_shares_of;

/* What lines are ordered by: the largest first, names from A to Z. */
typedef enum ocelotl_statistic_column {
    OCELOTL_COLUMN_NONE = 0, /* the order of ocelotl_statistics_row_at */
    OCELOTL_COLUMN_TIME = 1, /* innermost of states, ended_time of links, inclusive of variables */
    OCELOTL_COLUMN_SHARE = 2,
    OCELOTL_COLUMN_INCLUSIVE = 3,
    OCELOTL_COLUMN_BEGUN = 4,
    OCELOTL_COLUMN_ENDED = 5,
    OCELOTL_COLUMN_MEAN = 6,
    OCELOTL_COLUMN_MIN = 7,
    OCELOTL_COLUMN_MEDIAN = 8,
    OCELOTL_COLUMN_P90 = 9,
    OCELOTL_COLUMN_P99 = 10,
    OCELOTL_COLUMN_MAX = 11,
    OCELOTL_COLUMN_NAME = 12
} ocelotl_statistic_column;

enum { OCELOTL_COLUMN_COUNT = OCELOTL_COLUMN_NAME + 1 };

typedef struct ocelotl_statistics_options {
    size_t size; /* sizeof(ocelotl_statistics_options), set by the initialiser */

    /* What is added up. The window is cut to the trace's bounds. States that are shown by
     * name form the nesting: what is hidden inside them counts as theirs. States that are hidden
     * for their durations or attributes keep their time. Running totals separate values, except for
     * the extremes of a type with hidden values: those are unknown with OCELOTL_EXTREMES_TYPES.
     * With filters of durations or attributes, if states shown are around hidden ones, and if some
     * links are hidden, every event of the window is read. */
    ocelotl_selection selection;
    const char *type; /* the name of an event type (of all that are called so); NULL: all */
    ocelotl_extremes extremes;

    /* `progress` is in records, of the trace's, and can cancel between chunks. One thread reads:
     * `threads` and `memory_limit` have no effect. */
    ocelotl_work work;

    ocelotl_shares_of of;

    /* A group of lines for each resource of this type, with all below it: of each event type one
     * group after the other, in the order of the hierarchy. "resource": for each resource that has
     * events. NULL: one group of all. */
    const char *at;

    /* The order of values in their type, and of the groups of a type. */
    ocelotl_statistic_column sort;
} ocelotl_statistics_options;

#define OCELOTL_STATISTICS_OPTIONS_INIT OCELOTL_INIT(ocelotl_statistics_options)

/* One line: an event type as a whole, or one of its values. Members that do not apply to the
 * category are 0; `mean`, `low` and `high` are not a number if they do not exist or were not asked
 * for. */
typedef struct ocelotl_statistic {
    ocelotl_category category;
    uint32_t event_type;
    /* OCELOTL_NONE for the whole type, and for events and links that have no value */
    uint32_t value;
    bool whole; /* the event type as a whole */
    /* states and links that begin in the window, instants, changes of variables */
    uint64_t count;
    uint64_t ended;    /* states and links that end in it; links without a beginning among them */
    int64_t innermost; /* states: ticks in the window as the innermost state of its type (of those
                          shown) */
    /* states: ticks in the window. Variables, the whole type alone: ticks in which they have a
     * value */
    int64_t inclusive;
    /* states: innermost / lived. Others: of the type's count (links: of those that end) */
    double share;
    /* duration in ticks of those that end in the window (the whole of it, with what lies before);
     * of variables: the mean over time and over resources. Links with one end, and those that end
     * before they begin, have no duration: where the window may hold some, the mean is known only
     * if every event is read */
    double mean;
    /* the same durations' extremes; of variables: of the values that last for any
     * time in the window */
    double low, high;
    /* states, variables, the whole type alone: ticks that the resources which have such events live
     * in the window, added up: what innermost leaves of it is time in no state */
    int64_t lived;
    uint32_t resources; /* the whole type alone: how many have such events in the trace */

    /* The path of the resource whose group it is in, "(outside)" for what is in none; NULL without
     * groups. It lives as long as the statistics. */
    const char *group;

    /* Of states and links, where quantiles were asked for: the least duration that half of those
     * that end in the window do not exceed, or 90, or 99 of a hundred. Exact. */
    double median, p90, p99;
    double whole_time; /* states: the ticks that shares are of */
    /* states and links: the whole durations of those that end in the window, in ticks, with what
     * lies before it; the mean is that of these */
    int64_t ended_time;
} ocelotl_statistic;

/* What a numeric attribute of links adds up to: over those that end in the window. */
typedef struct ocelotl_attribute_total {
    uint32_t event_type;
    const char *name; /* lives as long as the statistics */
    double sum;
    const char *group; /* as of a line */
} ocelotl_attribute_total;

typedef struct ocelotl_statistics_info {
    size_t size;        /* by OCELOTL_INIT */
    int64_t from, to;   /* the window, cut to the trace's bounds, in ticks */
    uint32_t resources; /* how many are selected */

    /* What filters let pass, for captions; "" for all. It lives as long as the statistics. */
    const char *filters;
    ocelotl_names selected; /* the paths that were asked for; none: everything */
    ocelotl_shares_of of;
    bool grouped;   /* lines are in groups of resources */
    bool quantiles; /* these are known */
    /* states that filters show are around hidden ones: innermost means among those shown */
    bool nests;
} ocelotl_statistics_info;

typedef struct ocelotl_statistics ocelotl_statistics;

/* Adds up. Nothing of it depends on the trace afterwards, but that the trace must outlive it.
 * O(streams x chunk + resources x paths + groups x values), and with extremes what they say. The
 * trace belongs to the calling thread. Errors: ARGUMENT (no such resource or type, from after to;
 * what a filter can have wrong), EMPTY (no type passes the filter), INPUT for damage, LIMIT for
 * durations that add up to more than 2^63 ticks, CANCELLED. */
OCELOTL_API ocelotl_status ocelotl_statistics_compute(ocelotl_statistics **statistics,
                                                      ocelotl_trace *trace,
                                                      const ocelotl_statistics_options *options);
OCELOTL_API void ocelotl_statistics_free(ocelotl_statistics *statistics);

OCELOTL_API void ocelotl_statistics_get_info(ocelotl_statistics_info *info,
                                             const ocelotl_statistics *statistics);

/* The same as a value. */
static inline ocelotl_statistics_info ocelotl_statistics_info_of(
    const ocelotl_statistics *statistics)
{
    ocelotl_statistics_info info;
    info.size = sizeof info;
    ocelotl_statistics_get_info(&info, statistics);
    return info;
}

/* By index below the count: event types that some selected resource has events of, in the order of
 * the trace; of each the whole first, then the values with something in the window: states by
 * falling innermost time, others by falling count, equal ones in the order of the trace. With
 * groups each type comes once for each group that has it; `sort` changes the order. Out of range:
 * zeros. O(1), safe for any number of threads. */
OCELOTL_API uint32_t ocelotl_statistics_count(const ocelotl_statistics *statistics);
OCELOTL_API ocelotl_statistic ocelotl_statistics_row_at(const ocelotl_statistics *statistics,
                                                        uint32_t index);

/* Event types in the order of the trace, attributes in that of the type, groups in that of the
 * hierarchy; only those that some link carries. */
OCELOTL_API uint32_t ocelotl_statistics_attribute_count(const ocelotl_statistics *statistics);
OCELOTL_API ocelotl_attribute_total
ocelotl_statistics_attribute_at(const ocelotl_statistics *statistics, uint32_t index);

#ifdef __cplusplus
}
#endif
#endif
