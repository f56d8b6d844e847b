/* What statistics are made of: sums for each event type and each of its values. */
#ifndef OC_QUERY_STATISTICS_STATISTICS_H
#define OC_QUERY_STATISTICS_STATISTICS_H

#include "base/map.h"
#include "store/read/counted.h"

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
    const oc_question *question;
    oc_counted_reader reader; /* through one stream after the other, or that of its walk alone */
    const oc_stream *stream;  /* at hand */
    oc_watch watch;           /* in records */
    ocelotl_extremes extremes;
    bool *mixed;                  /* by event type: some links in the window may have no duration */
    bool collects;                /* durations */
    oc_statistic_sums *lines;     /* of the group that is chosen */
    oc_statistic_sums *all_lines; /* of all groups, and of what is in none */
    size_t line_count;            /* of a group */
    uint32_t group, group_count;  /* the one that is chosen, and how many there are */
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

/* Chooses the lines of a group, or of the one that a resource is in. */
static inline void oc_statistics_choose_group(oc_statistics_sums *sums, uint32_t group)
{
    sums->group = group;
    sums->lines = sums->all_lines + group * sums->line_count;
}
static inline void oc_statistics_choose(oc_statistics_sums *sums, uint32_t resource)
{
    oc_statistics_choose_group(sums, oc_question_group_of(sums->question, resource));
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

/* Sorts values in their types, and groups of a type. O(rows log rows). Errors: MEMORY. */
ocelotl_status oc_statistics_order(ocelotl_statistic *rows, uint32_t count,
                                   ocelotl_statistic_column column, const ocelotl_trace *trace);

/* Adds what a stream has in the window, and how long its resource lives there (sums.c). The window
 * lies in the bounds of the trace. Values that are hidden may be added, too. */
ocelotl_status oc_statistics_add(oc_statistics_sums *sums, uint32_t stream);

/* Takes one event that is read; the context is the sums. */
ocelotl_status oc_statistics_take(void *context, const oc_counted_event *event);

/* Whether the events of a type are read one by one in a role: their totals hold less than is asked
 * for. */
bool oc_statistics_reads(const oc_statistics_sums *sums, uint32_t event_type, oc_role role);

/* Frees all but the structure itself. */
void oc_statistics_sums_free(oc_statistics_sums *sums);

#endif
