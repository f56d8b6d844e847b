/* What histograms of durations are made of. */
#ifndef OC_QUERY_DURATIONS_DURATIONS_H
#define OC_QUERY_DURATIONS_DURATIONS_H

#include "query/durations.h"
#include "store/read/counted.h"

enum {
    OC_DURATION_DECADE = 4,  /* bins of a power of ten */
    OC_DURATION_LEAST = -12, /* the least power; what is below is in its first bin */
    OC_DURATION_DECADES = 20,
    OC_DURATION_BINS = 1 + OC_DURATION_DECADES * OC_DURATION_DECADE /* the first: no time */
};

typedef struct oc_duration_column {
    uint32_t group, window;
    uint64_t count;
    int64_t sum, least, most; /* ticks */
} oc_duration_column;

struct ocelotl_durations {
    ocelotl_durations_info info;
    ocelotl_trace *trace;
    oc_question question;
    char *patterns; /* in words */
    bool plain;     /* SQL can say what is selected */
    char **chosen;  /* paths of resources that were asked for */
    size_t chosen_count;
    oc_window windows[2];
    uint32_t window;       /* that is read */
    oc_type_filter wanted; /* by the patterns */
    bool below;            /* a group has what is below its resource */
    uint32_t group_count;  /* with that of what is in none */
    oc_duration_column *columns;
    bool has_none;      /* the first bin is that of no time */
    uint32_t first_bin; /* of some time */
    /* by window, group, slice (the last: all of them) and bin; and without slices */
    uint64_t *counts;
    int64_t *sums;   /* ticks */
    uint32_t *shown; /* by column of the answer: one of `columns` */
};

/* The number of a bin of the answer among all. */
uint32_t oc_durations_bin_number(const ocelotl_durations *durations, uint32_t bin);

/* Whether events of a type with a value count, whatever else they are. */
bool oc_durations_want(const ocelotl_durations *durations, uint32_t event_type, uint32_t value);

#endif
