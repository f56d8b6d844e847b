/* What the states or events of several rows are together, column by column of time. */
#ifndef OC_VIZ_GANTT_SUMS_H
#define OC_VIZ_GANTT_SUMS_H

#include "viz/gantt/gantt.h"

/* Stands for the events without a value, and those whose values are not told apart. */
#define OC_GANTT_EVENTS (OCELOTL_NONE - 1)

/* A value in a column: of nested states, the time in which it is the innermost one. */
typedef struct oc_gantt_sum {
    uint32_t column, value;
    double ticks;
    uint64_t count; /* of those that begin there */
} oc_gantt_sum;

/* Zero-initialised it is empty; it may be filled again and again from one trace. */
typedef struct oc_gantt_sums {
    oc_gantt_sum *sums; /* by column, then by time, then by count: largest first */
    size_t count, capacity;
    double ticks;        /* of a column, all rows of states together */
    oc_gantt_sum *spare; /* the rest is to make them */
    size_t spare_capacity;
    size_t *starts; /* of columns */
    size_t start_capacity;
    size_t *slots; /* by value of the trace */
} oc_gantt_sums;

/* Sums the rows of a group that are of the category it shows, or with `all` those of states and
 * those of events. Errors: MEMORY. O(n + columns), n: objects, each as often as it touches a
 * column. */
ocelotl_status oc_gantt_sum_group(oc_gantt_sums *sums, const oc_gantt *gantt,
                                  const oc_gantt_group *group, uint32_t columns, bool all);

/* Where the sums of the column of sums[begin] end. */
size_t oc_gantt_sums_end(const oc_gantt_sums *sums, size_t begin);
void oc_gantt_sums_free(oc_gantt_sums *sums);

#endif
