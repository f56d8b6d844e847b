/* What tracing cost, taken out of a trace; and how long a run would have been elsewhere.
 *
 * Messages keep their order, and each receive gets the message that it got (E. Maillet, Le traçage
 * logiciel d'applications parallèles, 1996): a thread computes as long as before less what records
 * cost; what it waited for comes when its sender comes to it. */
#ifndef OC_QUALITY_PERTURBATION_H
#define OC_QUALITY_PERTURBATION_H

#include "quality/derive.h"

#include <ocelotl/selection.h>

/* A number for what a pattern names: values and event types by name or glob; NULL: all. */
typedef struct ocelotl_named_number {
    const char *pattern;
    double number;
} ocelotl_named_number;

typedef struct ocelotl_named_numbers {
    const ocelotl_named_number *items;
    size_t count;
} ocelotl_named_numbers;

/* A time by the bytes of a message, in ticks. */
typedef struct ocelotl_size_line {
    double fixed, per_byte;
} ocelotl_size_line;

/* Factors of another machine: of the time of computing, of latency, of bandwidth. */
typedef struct ocelotl_factors {
    const char *resources; /* a path or glob, of what is so with all below it; NULL: all */
    double compute, latency, bandwidth;
} ocelotl_factors;

typedef enum ocelotl_transit {
    OCELOTL_TRANSIT_FIT = 0,   /* median of a size, line of others, by what encloses both ends */
    OCELOTL_TRANSIT_PAIRS = 1, /* the same by sender and receiver */
    OCELOTL_TRANSIT_GIVEN = 2
} ocelotl_transit;

typedef struct ocelotl_perturbation_options {
    ocelotl_named_numbers costs; /* of a record, in ticks; the last that matches counts */
    const char *cost_attribute;  /* the same in seconds, as events have it, where not 0; or NULL */
    bool ends_alone;             /* states have one record, at their end */
    /* of links: 1, their senders wait for receivers; 0, they do not; -1: as the size says */
    ocelotl_named_numbers models;
    double rendezvous_above; /* of more bytes they do; 0: none */
    const char *arrived;     /* of links, whether it was there before its receiver; or NULL */
    ocelotl_transit transit;
    ocelotl_size_line line; /* of OCELOTL_TRANSIT_GIVEN */
    bool simulate_all;      /* all transits are those of the model, */
    bool predict;           /* it is not corrected, but another machine's; */
    bool check;             /* only transits are wanted */
    bool copies;            /* the receiver copies as long as this line says */
    ocelotl_size_line copy;
    ocelotl_named_numbers times; /* of states: their time by this factor, 0 to leave them out */
    const ocelotl_factors *changes;
    size_t change_count;
    const char *at;        /* threads are resources of this type, with all below; NULL: each */
    const char *type;      /* of links that are messages; NULL: all */
    const char *attribute; /* of links, their bytes; NULL: size, bytes or length */
    ocelotl_names collectives;
    double reference; /* ticks that the run took without a tracer; 0: nobody knows */
    bool bounds;      /* two more runs say how long it could be */
    bool lenient;     /* messages that end before they begin take no time */
    ocelotl_work work;
} ocelotl_perturbation_options;

typedef struct ocelotl_perturbation ocelotl_perturbation;

/* Finds when all would have happened. The trace must outlive the result and belongs to the calling
 * thread. Memory O(events + messages). O(events log). Errors: ARGUMENT (no cost, no such names, no
 * transit is known), INPUT (messages that end before they begin, damage), CANCELLED. */
ocelotl_status ocelotl_perturbation_compute(ocelotl_perturbation **perturbation,
                                            ocelotl_trace *trace,
                                            const ocelotl_perturbation_options *options);
void ocelotl_perturbation_free(ocelotl_perturbation *perturbation);

/* Times in ticks. */
typedef struct ocelotl_perturbation_info {
    uint32_t threads;
    uint32_t routes;       /* see ocelotl_perturbation_route_at */
    uint64_t records;      /* that cost something, */
    double cost;           /* all together */
    uint64_t clamped;      /* that cost more than there was time, */
    double most_excess;    /* by up to */
    uint64_t messages;     /* between threads, and of operations from one to all */
    uint64_t unmatched;    /* links with one end alone */
    uint64_t wrong;        /* messages that end before they begin */
    uint64_t arrived;      /* that were there when their receiver came, */
    uint64_t arrives;      /* and that are in the new times */
    uint64_t modelled;     /* whose transit is the model's, */
    uint64_t all_modelled; /* and would be if each was that was sent before its receiver came */
    uint64_t at_risk;      /* receives before which another one's message would have come */
    uint64_t entangled;    /* that wait for each other within a tick, and are taken as they are */
    double running, ready; /* what kernels say of threads: on a CPU, or waiting for one */
    uint64_t collectives;  /* operations */
    uint64_t broken;       /* that somebody leaves before all have come: left out */
    const char *left_out;  /* operations that say nothing, and why; "" for none; as the result */
    double length, new_length; /* of the run, from its first event to its last */
    double least_length;       /* with the least transits of each class and size where these are, */
    double most_length;        /* modelled, and with the most; 0: they were not asked for */
    double reference;          /* as it was asked for */
    bool checks;               /* only transits are known, */
    bool predicts;             /* or not what tracing cost, but another machine */
} ocelotl_perturbation_info;

ocelotl_perturbation_info ocelotl_perturbation_info_of(const ocelotl_perturbation *perturbation);

/* A thread. */
typedef struct ocelotl_perturbed_thread {
    const char *path;
    uint64_t records;
    double cost;
    int64_t begin;  /* of its life, or its first event */
    int64_t end;    /* of its last event, */
    double earlier; /* which is so much earlier in the new times */
} ocelotl_perturbed_thread;

/* By index below the count, in the order of the hierarchy; out of range: zeros and "". O(1). */
ocelotl_perturbed_thread ocelotl_perturbation_thread_at(const ocelotl_perturbation *perturbation,
                                                        uint32_t index);

/* Messages of one size and one class. Transits are those of messages that were waited for. */
typedef struct ocelotl_route {
    const char *within; /* the type of the smallest resource that has both ends, "" for none, */
    const char *source, *target; /* or their paths; "": of all */
    uint64_t messages, measured;
    double bytes;
    double copy;                      /* the least time of a receive */
    double mean, least, median, most; /* transit; not a number: none is measured */
    double model;                     /* transit as it is taken, of a network without others */
    double line;                      /* the same by the line of the class */
    double deviation;                 /* standard, of the transits */
    double student;                   /* t of their mean less that line, */
    double critical; /* and what |t| exceeds once in 20 times; not a number: of less than 31 */
    /* What each byte adds that its sender has under way, or that is under way to its receiver; 0
     * where F of the class, not a number for few messages, is not above what it exceeds by chance
     * once in 100 times. */
    double contention, fisher, fisher_critical;
} ocelotl_route;

/* By index, by class and size; out of range: zeros and "". O(1). */
ocelotl_route ocelotl_perturbation_route_at(const ocelotl_perturbation *perturbation,
                                            uint32_t index);

/* What part of a run without tracer the tracer added, what is still wrong, and what part of the
 * former is gone. */
typedef struct ocelotl_shares {
    double perturbation, residual, removed;
} ocelotl_shares;

ocelotl_shares ocelotl_perturbation_shares(double without, double corrected, double traced);

/* Student's t of a mean, and what |t| of `count` numbers exceeds once in 20 times. */
double ocelotl_student_of(double mean, double deviation, uint64_t count);
double ocelotl_student_critical(uint64_t count);

/* Writes the trace with the new times, see ocelotl_trace_derive; `how` says what was done. */
ocelotl_status ocelotl_perturbation_derive(const char *path,
                                           const ocelotl_perturbation *perturbation,
                                           const char *how, bool overwrite);

#endif
