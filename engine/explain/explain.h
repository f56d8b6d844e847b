/* What a trace does, in a few facts: its phases, and what stands out in them (docs/explain.md). */
#ifndef OC_EXPLAIN_EXPLAIN_H
#define OC_EXPLAIN_EXPLAIN_H

#include "base/text.h"

#include <ocelotl/model.h>

typedef enum oc_finding_kind {
    OC_FINDING_SHARE,    /* of the time in a state; or what else cells are: see oc_explained */
    OC_FINDING_DURATION, /* of single calls of a state */
    OC_FINDING_NOISE,    /* how far these are from their median */
    OC_FINDING_PRESENCE, /* begins late, ends early, is not there */
    OC_FINDING_STEP,     /* of all: calls, or what is between them, at one time */
    OC_FINDING_FAILURE   /* of the spans of services */
} oc_finding_kind;

/* What stands out: where, when, by what, how far, and at what price. */
typedef struct oc_finding {
    oc_finding_kind kind;
    const char *type;      /* of the model; NULL: presence */
    const uint32_t *nodes; /* of the model: siblings that are alike in this */
    uint32_t node_count, leaves;
    uint32_t others;    /* nodes that they are compared with */
    double begin, end;  /* in seconds; of several times the dearest, or, where they are most of */
    double from, to;    /* the time from the first to the last, that time */
    double lasts;       /* all times together */
    uint32_t times;     /* that it comes */
    double here, usual; /* shares, events of a slice, values; or seconds of a call or step */
    double own;         /* seconds that they spend otherwise than usual, */
    double dearest;     /* and in the dearest of several times */
    double cost;        /* the same with what others wait, and without what follows from waits */
    double caused;      /* seconds that others wait because of them, beyond what is usual */
    double score;       /* how many times the spread of what is like them */
    bool is_work, more; /* no communication, nor idle; above what is usual */
    bool is_begin;      /* nothing is traced, or there, yet */
    bool is_missing;    /* work that others do then */
} oc_finding;

/* A time in which all resources together do mostly one thing. */
typedef struct oc_phase {
    double begin, end;
    uint32_t first, last; /* slices, both included */
    uint32_t types[2];    /* that have most of it; OCELOTL_NONE: there is no second to name */
    double shares[2];
} oc_phase;

/* Phases that come one after another, again and again. */
typedef struct oc_section {
    size_t first;           /* phase */
    uint32_t unit, repeats; /* how many phases it is each time, and how often */
    double median, most;    /* how long one time lasts, in seconds */
    uint32_t longest;       /* which time that is, from 0 */
} oc_section;

/* A GPU: the seconds in which any of its streams runs something, and those in which all that runs
 * are collective operations. */
typedef struct oc_explained_device {
    uint32_t node; /* of the model */
    double busy, collective;
} oc_explained_device;

typedef struct oc_explained {
    const ocelotl_model *model;
    oc_explained_device *devices;
    size_t device_count;
    bool counts, variables; /* what shares are where there are no states */
    oc_finding *findings;   /* the dearest first */
    size_t finding_count;
    oc_phase *phases;
    size_t phase_count;
    oc_section *sections; /* all phases, in order */
    size_t section_count;
    oc_phase whole;
    bool is_untraced_work; /* time in no state is work: all else is communication */
    double spans, failed;  /* of services; 0: it is of something else */
    uint32_t services;
    double waited; /* in all, seconds of all resources; 0: nothing is known of it */
} oc_explained;

/* Finds them in a model of time in states, or of counts or means of variables, which must outlive
 * what is found. O(events + types x slices x nodes + findings x waits), and O(slices^3) for phases;
 * memory O(types x slices x leaves), and what waits take. Errors: those of reading, MEMORY,
 * CANCELLED. */
ocelotl_status oc_explain_trace(oc_explained **explained, ocelotl_trace *trace,
                                const ocelotl_model *model, const ocelotl_work *work);
void oc_explained_free(oc_explained *explained);

/* --- In words: the whole, a section, a finding, each without its full stop */

void oc_say_whole(oc_text *text, const oc_explained *is);
void oc_say_section(oc_text *text, const oc_explained *is, const oc_section *section);
void oc_say_finding(oc_text *text, const oc_explained *explained, const oc_finding *is);

/* When a section ends, in seconds. */
double oc_section_end(const oc_explained *is, const oc_section *section);

#endif
