/* What the variables of several rows are together, column by column of time. */
#ifndef OC_VIZ_GANTT_MEANS_H
#define OC_VIZ_GANTT_MEANS_H

#include "viz/gantt/gantt.h"

enum { OC_GANTT_MEANS_MOST = 3 /* types of variables that are told apart */ };

typedef struct oc_gantt_mean {
    double integral, ticks; /* of ticks 0 there is none */
    double low, high;
} oc_gantt_mean;

/* Zero-initialised it is empty; it may be filled again and again. */
typedef struct oc_gantt_means {
    uint32_t event_types[OC_GANTT_MEANS_MOST];
    uint32_t count;       /* of types, no more than are told apart */
    bool more;            /* there are others */
    oc_gantt_mean *means; /* by column, then by type */
    size_t capacity;
} oc_gantt_means;

/* Errors: MEMORY. O(columns + objects, each as often as it touches a column). */
ocelotl_status oc_gantt_find_means(oc_gantt_means *means, const oc_gantt *gantt,
                                   const oc_gantt_group *group, uint32_t columns);

/* Appends those of a column, a line each. */
void oc_gantt_add_means(oc_text *text, const oc_gantt *gantt, const oc_gantt_means *means,
                        uint32_t column);
void oc_gantt_means_free(oc_gantt_means *means);

#endif
