/* What the finders of an explanation share. */
#ifndef OC_EXPLAIN_EXPLAINING_H
#define OC_EXPLAIN_EXPLAINING_H

#include "explain/calls.h"
#include "explain/explain.h"
#include "explain/scan.h"
#include "quality/waiting.h"

/* docs/explain.md gives the reason of these numbers, and of those of each file. */
enum { OC_LIKE_LEAST = 4, OC_OUTLIERS_MOST = 12 };

typedef struct oc_explaining {
    oc_arena *arena;
    ocelotl_trace *trace;
    const ocelotl_model *model;
    ocelotl_model_info info;
    const ocelotl_work *work;
    oc_scan_tree tree;         /* nodes have the numbers of the model's */
    uint32_t *row_of_resource; /* OCELOTL_NONE: it is no leaf */
    uint32_t *types;           /* of the model, by table */
    uint32_t type_count;
    double *cells;    /* table, row, slice */
    double *presence; /* row, slice */
    bool is_absent;   /* somebody is, at some time */
    oc_calls calls;
    uint64_t *usual_calls; /* by table: of a row that has some; 0: rows have differently many */
    const oc_waiting *waiting;
    oc_finding *found;
    size_t found_count, found_capacity;
    oc_explained *made;
} oc_explaining;

/* Whether the type of a table is work, or time in no state. O(types). */
bool oc_explains_work(const oc_explaining *x, uint32_t table);
bool oc_explains_untraced(const oc_explaining *x, uint32_t table);

/* Whether a resource is called as a lane of another one is ("~2"). */
bool oc_explains_lane(const char *name);

const char *oc_explained_type(const oc_explaining *x, uint32_t table);

/* Ticks and seconds of the window. */
int64_t oc_explained_ticks(const oc_explaining *x, double seconds);
double oc_explained_seconds(const oc_explaining *x, int64_t ticks);
double oc_explained_tick(const oc_explaining *x);

ocelotl_status oc_finding_add(oc_explaining *x, const oc_finding *one);

/* Makes the tree, and says which nodes are like which. */
ocelotl_status oc_likes_find(oc_explaining *x);

/* Reads when GPUs run anything, where there are streams of some. */
ocelotl_status oc_devices_read(oc_explaining *x);

/* Reads how long single calls take. */
ocelotl_status oc_timings_read(oc_explaining *x);

/* Finds all that stands out where the leaves are operations of services. */
ocelotl_status oc_services_find(bool *are, oc_explaining *x);

/* Adds what stands out in single calls, and in steps of all. */
ocelotl_status oc_timings_find(oc_explaining *x);

/* Says what findings cost, and leaves one for each thing. */
ocelotl_status oc_findings_choose(oc_explaining *x);

#endif
