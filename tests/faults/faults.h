/* Runs of a message-passing program with one known fault, and whether a partition sets it apart. */
#ifndef OC_TESTS_FAULTS_H
#define OC_TESTS_FAULTS_H

#include <ocelotl/ocelotl.h>

#include <stdbool.h>

enum { FAULT_MOST_RANKS = 128, FAULT_MOST_PHASES = 4 };

typedef enum fault_kind {
    FAULT_SLOW_HOST,
    FAULT_SLOW_SWITCH,
    FAULT_SLOW_CLUSTER,
    FAULT_LATE_START,
    FAULT_EXTRA_PHASE,
    FAULT_MISSING_PHASE,
    FAULT_NOISY_RANK,
    FAULT_GROWING_IMBALANCE,
    FAULT_KINDS
} fault_kind;

const char *fault_name(fault_kind kind);

/* Where a rank runs. A machine without levels in its trace has them all the same. */
typedef struct fault_place {
    uint32_t host, switched, cluster;
} fault_place;

/* Iterations that compute and exchange with neighbours, ended by a reduction. Times in seconds. */
typedef struct fault_phase {
    uint32_t iterations;
    double compute, message;
    /* neighbours: at one rank's distance, and at this one where it is more */
    uint32_t reach;
    uint32_t reduce_every; /* iterations */
    bool blocking;         /* sends and receives instead of waiting for all */
} fault_phase;

/* All that a run is made of. */
typedef struct fault_plan {
    fault_kind kind;
    bool clean; /* the fault's place and time are chosen, but nothing happens */
    uint64_t random;
    bool flat;       /* the ranks are all that the trace knows */
    bool computes;   /* computing is a state */
    bool root_works; /* between phases rank 0 works alone */
    uint32_t ranks, hosts, switches, clusters;
    fault_place place[FAULT_MOST_RANKS];
    fault_phase phases[FAULT_MOST_PHASES];
    uint32_t phase_count, iterations;
    bool faulty[FAULT_MOST_RANKS];
    uint32_t first, last; /* iterations of the fault */
    double strength;      /* times as slow; of extra work and late starts, seconds */
} fault_plan;

/* plan.c: run `number` of a series, the same on every machine. The kind goes round with the
 * number; the last 8 of each 32 runs are flat. */
fault_plan fault_plan_of(uint64_t seed, uint32_t number, bool clean);

/* Uniform in 0 to 1, xorshift64*. */
double fault_random(uint64_t *state);

/* run.c: what came of a plan, in seconds. */
typedef struct fault_run {
    double from, to; /* the fault's time */
} fault_run;

/* Plays a plan and writes its trace. */
void fault_play(fault_run *run, const fault_plan *plan, const char *path);

/* judge.c: whether a partition sets the fault apart. In a slice, those parts show it that
 * hold more faulty ranks than others. The fault is set apart in a slice where
 *   - the ranks in these parts and the faulty ranks have at least half of their union in common
 *     (Jaccard index), and
 *   - what these parts are drawn with differs from what the parts of the unaffected siblings are
 * drawn with: half the sum of the absolute differences of their mean shares is at least
 * FAULT_MARGIN. A partition sets it apart that does so in at least half of the slices whose middle
 * is in the fault's time (or in the one slice around a shorter time). Siblings are the ranks below
 * the lowest node of the trace's hierarchy that holds the faulty ranks and others; of a flat trace
 * all others. */
#define FAULT_MARGIN 0.15

typedef struct fault_verdict {
    bool apart;
    uint32_t slices, slices_apart;
    double difference; /* the mean over slices where parts show the ranks */
} fault_verdict;

/* The partition is spatiotemporal. False where memory is short. */
bool fault_judge(fault_verdict *verdict, const fault_plan *plan, const fault_run *run,
                 const ocelotl_partition *partition);

#endif
