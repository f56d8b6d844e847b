/* Can the order of events in a trace be trusted: links that end before they begin, that are too
 * fast, that overtake one another, that have one end alone; and what that says of clocks.
 *
 * Clocks that differ by less than eps at all times, and run apart by less than rho, put every cause
 * before its effect if eps < mu (1 - rho), where mu is the least time that a message takes (Maillet
 * 1996, p. 31). */
#ifndef OC_QUALITY_CAUSALITY_H
#define OC_QUALITY_CAUSALITY_H

#include <ocelotl/selection.h>
#include <ocelotl/trace.h>
#include <ocelotl/work.h>

/* What is wrong with a link, or not certain. */
typedef enum ocelotl_violation_kind {
    OCELOTL_VIOLATION_TACHYON = 0, /* it ends before it begins, */
    OCELOTL_VIOLATION_SELF = 1,    /* even in the resource where it begins */
    OCELOTL_VIOLATION_FAST = 2,    /* it takes less than the latency, between two clocks */
    /* it takes less than the two clocks may differ: nothing but the link says what came first. All
     * are counted; they are violations of the list only if `clock_error` was asked for */
    OCELOTL_VIOLATION_UNCERTAIN = 3,
    /* it ends before another one that began earlier, of the same ends, tag and communicator */
    OCELOTL_VIOLATION_OVERTAKING = 4,
    /* somebody leaves a collective operation before all that it waits for have entered: from the
     * begin of the last one to the end of the first one that waits */
    OCELOTL_VIOLATION_COLLECTIVE = 5
} ocelotl_violation_kind;

#define OCELOTL_VIOLATION_KINDS 6

/* Where it is known from how far clocks differ. */
typedef enum ocelotl_error_source {
    OCELOTL_ERROR_UNKNOWN = 0,
    OCELOTL_ERROR_ASKED = 1,    /* the options say so */
    OCELOTL_ERROR_OF_TRACE = 2, /* the trace does, whose clocks were set */
    OCELOTL_ERROR_FOUND = 3     /* messages do, as ocelotl_clocks_compute finds it */
} ocelotl_error_source;

typedef struct ocelotl_causality_options {
    /* The name of a resource type: each of its topmost resources, with all below it, has a clock.
     * NULL: each resource where links begin or end has one. */
    const char *at;
    const char *type; /* the name of an event type (of all that are called so); NULL: all links */
    int64_t latency;  /* the least time between two clocks, in ticks; 0: not known */
    /* The most that two clocks differ at any time, in ticks. 0: what a derived trace says of its
     * clocks, or else what messages say of them in the whole trace, for each pair. */
    int64_t clock_error;
    /* the most that two clocks may differ in speed; 0: 1e-4; below 0: they run alike */
    double max_drift;

    /* Links with at least one selected end, whose later end is in the window. */
    ocelotl_selection selection;
    /* `progress` is in streams and can cancel between chunks; one thread reads: `threads` and
     * `memory_limit` have no effect. */
    ocelotl_work work;

    /* Collective operations of states without communicators, see ocelotl_clocks_options. Those that
     * tell them are looked at in any case, unless the selection filters or `type` is given. */
    ocelotl_names collectives;

    /* The least time by size, in ticks, beside `latency`: a link of L bytes takes latency_fixed +
     * latency_per_byte L, but for a millionth, by which numbers are rounded. */
    double latency_fixed, latency_per_byte;
    /* the attribute with the bytes; NULL: the first called size, bytes or length */
    const char *attribute;
} ocelotl_causality_options;

typedef struct ocelotl_causality ocelotl_causality;

/* Looks at all links, and at how far clocks may differ. The trace must outlive the result and
 * belongs to the calling thread. O(n log n) in links, memory O(violations + pairs). Errors:
 * ARGUMENT (no such resource or type, from after to, what a filter can have wrong), EMPTY, INPUT
 * for damage, CANCELLED. */
ocelotl_status ocelotl_causality_compute(ocelotl_causality **causality, ocelotl_trace *trace,
                                         const ocelotl_causality_options *options);
void ocelotl_causality_free(ocelotl_causality *causality);

typedef struct ocelotl_causality_info {
    int64_t from, to;       /* the window, cut to the trace's bounds, in ticks */
    const char *clock_type; /* that the clocks' resources have, "" for several */
    uint32_t clocks;
    uint64_t links;                           /* with both ends */
    uint64_t counts[OCELOTL_VIOLATION_KINDS]; /* of violations, by kind */
    uint64_t violations;                      /* of the list */
    uint64_t without_end, without_begin;      /* links with one end alone, */
    uint32_t unmatched;                       /* and of how many sorts these are */
    uint32_t pairs;                           /* of clocks that links join, in one direction */
    int64_t worst;   /* the least time that a link takes, in ticks; 0 without links */
    int64_t transit; /* mu: the least that is not negative; -1: none */
    int64_t latency; /* as asked for, 0: not known; the same of the next two */
    int64_t clock_error;
    double max_drift;
    const char *filters;  /* for captions, "" for all; lives as long as the result */
    uint64_t collectives; /* operations that were looked at */
    const char *left_out; /* others, and why; "" for none; as long */
    ocelotl_error_source error_source;

    /* What the quickest links between two clocks need, in ticks: no link of L bytes that is in
     * order takes less than transit_fixed + transit_per_byte L. Of all lines that are below all of
     * them it is the nearest at the mean of their sizes. Links without a size have 0 bytes. */
    double transit_fixed, transit_per_byte;
    uint64_t transit_links;                 /* which say so; 0: none does */
    double latency_fixed, latency_per_byte; /* as asked for */
} ocelotl_causality_info;

ocelotl_causality_info ocelotl_causality_info_of(const ocelotl_causality *causality);

/* A violation. */
typedef struct ocelotl_violation {
    ocelotl_violation_kind kind;
    uint32_t event_type;
    uint32_t source, target; /* resources */
    int64_t begin, end;
    /* in ticks: how long the link takes; of an overtaking one, how much earlier it ends, below 0 */
    int64_t amount;
} ocelotl_violation;

/* By index below the count, in the order of the ends. Out of range: zeros. O(1), safe for any
 * number of threads, as all that follow. */
ocelotl_violation ocelotl_causality_violation_at(const ocelotl_causality *causality,
                                                 uint64_t index);

/* Whether the clocks of a pair put causes before effects. */
typedef enum ocelotl_causal_order {
    OCELOTL_CAUSES_UNPROVEN = 0,    /* no link contradicts it, but the clocks do not prove it */
    OCELOTL_CAUSES_GUARANTEED = 1,  /* eps < mu (1 - rho) */
    OCELOTL_CAUSES_CONTRADICTED = 2 /* some link ends before it begins */
} ocelotl_causal_order;

/* Links from one clock to another. */
typedef struct ocelotl_clock_pair {
    const char *source, *target; /* paths; "(outside)" for what is in no group or not selected */
    uint64_t links;
    uint64_t counts[OCELOTL_VIOLATION_KINDS];
    int64_t least;     /* that a link takes, in ticks, may be negative, */
    int64_t begin;     /* when that one begins, */
    uint32_t from, to; /* and between which resources */
    int64_t transit;   /* the least that is not negative; -1: none */
    /* The target's clock is ahead of the source's by `ahead_least` to `ahead_most` ticks. Links in
     * both directions bound it, if they need time and the clocks run alike. INT64_MIN if no link
     * goes back. */
    int64_t ahead_least, ahead_most;
    ocelotl_causal_order order;
    int64_t clock_error; /* eps: the most that the two clocks differ, in ticks; -1: not known */
} ocelotl_clock_pair;

/* By index below the count, source after source in the order of the hierarchy. */
ocelotl_clock_pair ocelotl_causality_pair_at(const ocelotl_causality *causality, uint32_t index);

/* Links of one end in a resource, of one type and tag. */
typedef struct ocelotl_unmatched_links {
    const char *path; /* of the resource */
    uint32_t resource, event_type;
    const char *tag; /* "" where they have none */
    bool begin;      /* their begin is known; else their end */
    uint64_t count;
} ocelotl_unmatched_links;

/* By index below the count: those of most links first. */
ocelotl_unmatched_links ocelotl_causality_unmatched_at(const ocelotl_causality *causality,
                                                       uint32_t index);

/* The word for a kind: "tachyon"; "" for none. */
const char *ocelotl_violation_kind_name(ocelotl_violation_kind kind);

/* The path of a resource of a violation; it is there until the next one is asked for. */
const char *ocelotl_causality_path(const ocelotl_causality *causality, uint32_t resource);

/* Writes the violations as a trace.db of their own: resources are those of the trace, and each
 * violation is an instant "clock violation" at its end, in the resource where the link ends, with
 * its kind as value and the attributes `amount` (seconds), `sender` and `link` (its type). `name`
 * is the trace's, NULL: that of the trace. Whole or absent. Errors: ARGUMENT (the file exists,
 * without `overwrite`), IO, MEMORY. O(resources + violations). */
ocelotl_status ocelotl_causality_derive(const char *path, const ocelotl_causality *causality,
                                        const char *name, bool overwrite);

/* Counts the links of an event type that end before they begin: only chunks of a trace.db that say
 * they hold one are read. Errors: ARGUMENT (no type of links), INPUT for damage. O(chunks). */
ocelotl_status ocelotl_trace_count_tachyons(uint64_t *count, ocelotl_trace *trace,
                                            uint32_t event_type);

#endif
