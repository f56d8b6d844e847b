/* What statistics are made of: sums for each event type and each of its values. */
#ifndef OC_QUERY_STATISTICS_STATISTICS_H
#define OC_QUERY_STATISTICS_STATISTICS_H

#include "base/map.h"
#include "store/read/walk.h"
#include "store/select/filter.h"
#include "store/select/groups.h"
#include "store/select/resources.h"

#include <ocelotl/statistics.h>

/* The sums of one line. `closed` are the whole durations of those that end in the window, `lasted`
 * how many links have one: both ends, the end not before the begin (where each is read). */
typedef struct oc_statistic_sums {
    int64_t count, ended, innermost, inclusive, closed, lasted;
    double low, high; /* not a number: none */
    double integral;  /* variables */
    int64_t lived;
    uint32_t resources;
    bool met;
    double *durations; /* of those that end in the window, where they are collected */
    size_t duration_count, duration_capacity;
} oc_statistic_sums;

/* The sum of an attribute of an event type. */
typedef struct oc_statistic_attribute {
    uint32_t event_type, group, attribute;
    double sum;
} oc_statistic_attribute;

/* Where they are summed. Lines of the values come first, then for each event type that of its
 * events without a value, then that of the whole. */
typedef struct oc_statistics_sums {
    ocelotl_trace *trace;
    oc_walk walk;   /* through one stream after the other, or its reader alone */
    oc_watch watch; /* in records */
    oc_window window;
    ocelotl_extremes extremes;
    const bool *resources; /* that are selected */
    const oc_filter *filter;
    bool *mixed;                  /* by event type: some links in the window may have no duration */
    bool collects;                /* durations */
    oc_statistic_sums *lines;     /* of the group that is chosen */
    oc_statistic_sums *all_lines; /* of all groups, and of what is in none */
    size_t line_count;            /* of a group */
    uint32_t group;               /* that is chosen */
    oc_groups groups;             /* none: all is in one */
    oc_statistic_attribute *attributes;
    size_t attribute_count, attribute_capacity;
    oc_map place_of_attribute; /* by event type, attribute and group */
} oc_statistics_sums;

/* The lines of an event type's events without a value, and of the whole. */
static inline size_t oc_statistics_none(const ocelotl_trace *trace, uint32_t event_type)
{
    return (size_t)trace->value_count + event_type;
}

static inline size_t oc_statistics_whole(const ocelotl_trace *trace, uint32_t event_type)
{
    return (size_t)trace->value_count + trace->event_type_count + event_type;
}

/* Chooses the lines of the group that a resource is in. */
static inline void oc_statistics_choose(oc_statistics_sums *sums, uint32_t resource)
{
    sums->group = sums->groups.group_of != NULL ? sums->groups.group_of[resource] : 0;
    sums->lines = sums->all_lines + sums->group * sums->line_count;
}

/* Adds a duration to those of a line, where they are collected; those of a line to the whole's.
 * Errors: MEMORY. */
ocelotl_status oc_statistics_collect(const oc_statistics_sums *sums, oc_statistic_sums *line,
                                     double duration);
ocelotl_status oc_statistics_gather(oc_statistic_sums *whole, const oc_statistic_sums *line);

/* Sorts the collected durations; then gives a quantile of them, not a number without any. Errors:
 * CANCELLED, by the reader's watch. */
ocelotl_status oc_statistics_sort_durations(oc_statistic_sums *line, const oc_reader *reader);
double oc_statistics_quantile(const oc_statistic_sums *line, unsigned hundredths);

/* Which column orders lines. */
typedef struct oc_statistic_order {
    const ocelotl_trace *trace;
    ocelotl_statistic_column column;
} oc_statistic_order;

/* Puts values in order in their types, and the groups of a type. O(rows log rows). Errors: MEMORY.
 */
ocelotl_status oc_statistics_order(ocelotl_statistic *rows, uint32_t count,
                                   const oc_statistic_order *by);

/* Adds what a stream has in the window (statistics_stream.c). The window lies in the bounds of the
 * trace. Values that are hidden are added, too. */
ocelotl_status oc_statistics_add(oc_statistics_sums *sums, uint32_t stream);

/* Adds a stream's lifetime without its events; and the events that pass the filter, one by one
 * (statistics_filtered.c). Links count where they begin, for selected resources at either end. */
ocelotl_status oc_statistics_add_life(oc_statistics_sums *sums, uint32_t stream);
ocelotl_status oc_statistics_add_events(oc_statistics_sums *sums, uint32_t stream);

/* Adds what a link that has ended carries, if it is a number. */
ocelotl_status oc_statistics_add_attribute(oc_statistics_sums *sums, uint32_t event_type,
                                           const ocelotl_attribute_value *value);

/* Whether the filter needs more of an event type than its totals hold. */
bool oc_statistics_reads(const oc_statistics_sums *sums, uint32_t event_type);

/* Frees all but the structure itself. */
void oc_statistics_sums_free(oc_statistics_sums *sums);

#endif
