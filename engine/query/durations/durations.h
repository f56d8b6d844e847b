/* What histograms of durations are made of. */
#ifndef OC_QUERY_DURATIONS_DURATIONS_H
#define OC_QUERY_DURATIONS_DURATIONS_H

#include "query/durations.h"
#include "store/select/filter.h"
#include "store/select/groups.h"
#include "store/select/resources.h"

enum {
    OC_DURATION_DECADE = 4,  /* bins of a power of ten */
    OC_DURATION_LEAST = -12, /* the least power; what is below is in its first bin */
    OC_DURATION_DECADES = 20,
    OC_DURATION_BINS = 1 + OC_DURATION_DECADES * OC_DURATION_DECADE /* the first: no time */
};

typedef struct oc_duration_column {
    uint32_t group, window;
    uint64_t count;
    double sum, least, most;
} oc_duration_column;

struct ocelotl_durations {
    ocelotl_durations_info info;
    ocelotl_trace *trace;
    ocelotl_selection
        selection;  /* completed; its texts are the caller's until the end of reading */
    char *patterns; /* in words */
    bool plain;     /* SQL can say what is selected */
    char **chosen;  /* paths of resources that were asked for */
    size_t chosen_count;
    oc_window windows[2];
    oc_catalogue catalogue;
    bool *resources, *event_types;
    oc_type_filter wanted; /* by the patterns */
    oc_filter filter;      /* of the selection */
    oc_groups groups;
    bool below; /* a group has what is below its resource */
    oc_kept_paths paths;
    uint32_t group_count; /* with that of what is in none */
    oc_duration_column *columns;
    bool has_none;      /* the first bin is that of no time */
    uint32_t first_bin; /* of some time */
    /* by window, group, slice (the last: all of them) and bin; and without slices */
    uint64_t *counts;
    double *sums;
    uint32_t *shown; /* by column of the answer: one of `columns` */
};

/* The number of a bin of the answer among all. */
uint32_t oc_durations_bin_number(const ocelotl_durations *durations, uint32_t bin);

/* Whether events of a type with a value count, whatever else they are. */
bool oc_durations_want(const ocelotl_durations *durations, uint32_t event_type, uint32_t value);

#endif
