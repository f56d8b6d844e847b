/* The clocks of a trace, set right by its own messages: each process or machine dates events by a
 * clock of its own; a message arrives after it was sent, whatever the clocks say.
 *
 * Between two clocks that run evenly, messages from one to the other bound the line that takes its
 * times to the other's from one side, messages back from the other side. The line in the middle of
 * the widest band is the estimate, and all lines that no message contradicts say how far off it can
 * be (A. Duda, G. Harrus, Y. Haddad, G. Bernard, Estimating global time in distributed systems,
 * 1987). All pairs together are solved by least squares, so that loops agree. */
#ifndef OC_QUALITY_CLOCKS_H
#define OC_QUALITY_CLOCKS_H

#include "quality/derive.h"

#include <ocelotl/trace.h>
#include <ocelotl/work.h>

typedef struct ocelotl_clocks_options {
    /* The name of a resource type: each of its topmost resources, with all below it, has a clock.
     * NULL: the type of the resources where links begin and end. */
    const char *at;
    const char *type;      /* the name of an event type: links of this type; NULL: all links */
    const char *reference; /* the path of the clock whose time is told; NULL: of most messages */
    ocelotl_drift drift;
    /* the most that two clocks may differ in speed; 0: 1e-4; below 0: they run alike */
    double max_drift;

    /* Moves what messages still contradict, by the controlled logical clock (R. Rabenseifner 1997):
     * no message then takes less than `latency` ticks; 0: half of the least that one takes. Bounds
     * grow by what a clock was moved. Memory O(messages). */
    bool amortise;
    int64_t latency;

    /* `progress` is in streams and can cancel between chunks; one thread reads: `threads` and
     * `memory_limit` have no effect. */
    ocelotl_work work;

    /* Tables of samples beside the messages: CSV with the header
     *     clock,sent,received,returned,back
     * of exchanges (the reference asks at `sent`, the clock reads `received`, answers at
     * `returned`, and the reference has it `back`), or
     *     clock,time,offset,deviation
     * of offsets (the reference reads time + offset, to the deviation). Times are seconds as each
     * clock tells them; a column `reference` says whose the others are, without it the reference
     * that is asked for, or the first clock. Errors: IO; INPUT "file:line: ..". */
    ocelotl_names samples;

    uint32_t tick_factor; /* of ocelotl_clocks_derive, see ocelotl_derive_options */
    /* Kinds of ocelotl_evidence; 0: all that the trace tells for sure. Collective operations are
     * told by states with the attributes communicator and sequence (of OTF2); others by
     * `collectives`, PATTERN=KIND of values of states, KIND being barrier, all-to-all,
     * one-to-all:ROOT or all-to-one:ROOT with the path of a resource. Without patterns those of
     * MPI's names are tried if OCELOTL_EVIDENCE_COLLECTIVES is asked for. The k-th states of all
     * resources are one operation; what not all have equally often is left out. */
    uint32_t evidence;
    ocelotl_names collectives;
    uint32_t pieces; /* of OCELOTL_DRIFT_PIECES: so many, up to 1024; 0: as many as messages tell */
} ocelotl_clocks_options;

typedef struct ocelotl_clocks ocelotl_clocks;

/* Finds the clocks of a trace from its links. The trace must outlive the result and belongs to the
 * calling thread. Memory O(pairs of clocks). O(links log + pairs x rounds). Errors: ARGUMENT (no
 * such type or resource; links end in resources of several types and no type is given), EMPTY (no
 * links), INPUT for damage, CANCELLED. */
ocelotl_status ocelotl_clocks_compute(ocelotl_clocks **clocks, ocelotl_trace *trace,
                                      const ocelotl_clocks_options *options);
void ocelotl_clocks_free(ocelotl_clocks *clocks);

typedef struct ocelotl_clocks_info {
    const char *clock_type; /* that the clocks' resources have, "" for several */
    uint32_t clocks;
    uint32_t groups; /* of clocks that bound each other; between groups nothing is known, but */
    double parted;   /* a new trace moves them by up to so many ticks, for no message to be wrong */
    uint32_t pairs;  /* of clocks that messages join */
    uint32_t one_way; /* pairs that have messages one way only, */
    uint32_t bent;    /* and pairs that no two straight clocks explain */
    ocelotl_drift drift;
    double max_drift;
    uint64_t messages;     /* between clocks that are not the same */
    uint64_t wrong, still; /* those that end before they begin, as they are and once set right */
    double worst, still_worst; /* the least time that one takes, in ticks, before and after */
    double transit;            /* the least time of one that is right, after; -1: none */
    double least_delay;        /* of messages that go one way only, in ticks, as it was found */
    double bound; /* the largest of all clocks, in ticks; infinite where one has none */

    uint32_t pieces;  /* of clocks at speeds that change; 0: these were not asked for */
    uint64_t samples; /* rows of tables */

    /* Of amortisation, in ticks: */
    double latency;      /* that each message takes at least; 0: it was not asked for */
    uint64_t jumps;      /* messages that arrived too early, */
    double largest_jump; /* by up to */
    uint64_t moved;      /* ends of messages that were moved, */
    double largest_move; /* by up to */

    uint32_t evidence;    /* what was used, and was there */
    uint64_t collectives; /* operations, and their waits of one clock for another that */
    uint64_t collective_wrong, collective_still; /* end before they begin, as in messages */
    const char *left_out;   /* operations that say nothing, and why; "" for none; as the result */
    uint32_t joined_pieces; /* whose messages join all clocks; others lie between these */
    uint32_t asked_pieces;  /* if so many were asked for; or 0 */
    uint64_t unmatched;     /* links with one end alone, which say nothing */
    uint64_t within_wrong;  /* links within a clock that end before they begin: none explains it */
    /* Of bent pairs the worst: clocks by index, and by how much, in ticks, what is known of them
     * contradicts itself; OCELOTL_NONE and 0: none is bent. */
    uint32_t bent_first, bent_second;
    double bent_by;
    uint64_t bent_samples; /* of tables, that the pair has */
    /* Events of different clocks are ordered for certain if they are so far apart, in ticks:
     * infinite where nothing says. If that is less than what any message takes, and no message
     * contradicts it, every cause comes before its effect. */
    double eps;
    bool is_ordered;
    /* A limit of drifts that is wide enough for no pair to be bent; 0: none is, or no limit up to
     * 1e-2 is enough: clocks do not run evenly. */
    double enough_drift;
} ocelotl_clocks_info;

ocelotl_clocks_info ocelotl_clocks_info_of(const ocelotl_clocks *clocks);

/* A clock. When it reads l, the reference reads l - offset - drift (l - middle). */
typedef struct ocelotl_clock {
    const char *path;  /* of its resource */
    uint32_t resource; /* OCELOTL_NONE: the whole trace has this one */
    uint32_t group;    /* of clocks that bound each other */
    bool is_reference; /* of its group */
    int64_t middle;    /* of its run, in ticks by itself */
    double offset;     /* how far it is ahead there, in ticks */
    double drift;      /* how much faster it runs: 1e-6 is a microsecond a second */
    /* it is off by at most so much, in ticks, while a clock of its group dates anything, if
     * clocks run as they may; infinite: nothing says */
    double bound;
    double residual;   /* the most that what a pair says is off what all say together, in ticks */
    uint64_t messages; /* that it sends to others or receives of them */
    uint64_t samples;  /* rows of tables that are of it, or against it */
} ocelotl_clock;

/* By index below the count, in the order of the hierarchy. Out of range: zeros and "". O(1), safe
 * for any number of threads, as all that follow. */
ocelotl_clock ocelotl_clocks_at(const ocelotl_clocks *clocks, uint32_t index);

/* --- Two clocks: what each message between them says, and the line that was found. When the first
 * clock reads x, the second one is `ahead` of it by what it reads then less x. */

/* A message, a wait or a measured point: the line lies below it, or above. */
typedef struct ocelotl_clock_point {
    int64_t at;   /* as the first clock reads */
    double ahead; /* in ticks */
    bool above;   /* it bounds the line from above: of a message to the second clock */
    bool corner;  /* it is one of the few that bound the line, beside its message */
} ocelotl_clock_point;

typedef struct ocelotl_clock_points {
    const char *first, *second; /* paths, in the order of the hierarchy; they live as the clocks */
    ocelotl_clock_point *list;
    size_t count, capacity;
    uint64_t there, back; /* messages from the first to the second, and back */
    uint64_t waits;       /* in collective operations */
    uint64_t samples;
    int64_t from, to; /* the first and the last point, as the first clock reads */
    /* At both of these, in ticks: by how much the second clock is ahead in the middle of the widest
     * band, and in all lines that nothing contradicts (infinite: nothing says; of bent pairs the
     * least is above the most), and as all pairs say together (not a number: clocks are not
     * straight, or not of one group). */
    double ahead[2], least[2], most[2], together[2];
    double drift; /* of the line: how much faster the second clock runs */
    double width; /* of the band, in ticks; below 0: bent; infinite: messages go one way only */
    const struct oc_pairing *pairing; /* of the clocks */
} ocelotl_clock_points;

/* Finds what is known of two clocks, whose paths `pair` has with a comma between them. They must
 * outlive the result, whose list is freed by free. Reads the messages again: O(messages), memory
 * O(messages of the pair). Errors: ARGUMENT (no such clocks, nothing joins them directly), INPUT
 * for damage, MEMORY, CANCELLED. */
ocelotl_status ocelotl_clock_points_find(ocelotl_clock_points *points, const ocelotl_clocks *clocks,
                                         const char *pair);

/* The least and the most that the second clock is ahead by of all lines that nothing contradicts,
 * when the first reads `at`; see `least` and `most` above. O(log points). */
void ocelotl_clock_points_bounds(double *least, double *most, const ocelotl_clock_points *points,
                                 int64_t at);

/* --- All clocks over time: how far each is off the line that ocelotl_clock has of it, and how far
 * it can be. */

typedef struct ocelotl_clock_courses ocelotl_clock_courses;

/* Follows all clocks at steps + 1 instants, evenly from the first message to the last; steps 1 to
 * 4096. The clocks must outlive the result. Reads the messages again: O(messages + steps x pairs of
 * clocks x chain), memory O(steps x clocks). Errors: ARGUMENT, LIMIT (more than 2^24 instants of
 * all clocks), INPUT for damage, MEMORY, CANCELLED. */
ocelotl_status ocelotl_clock_courses_find(ocelotl_clock_courses **courses,
                                          const ocelotl_clocks *clocks, uint32_t steps);
void ocelotl_clock_courses_free(ocelotl_clock_courses *courses);

typedef struct ocelotl_clock_courses_info {
    uint32_t clocks, steps;
    int64_t from, to; /* the first and the last instant, as the reference reads */
    bool told;        /* bounds are, where something says: clocks run evenly */
} ocelotl_clock_courses_info;

ocelotl_clock_courses_info ocelotl_clock_courses_info_of(const ocelotl_clock_courses *courses);

/* A clock at an instant. */
typedef struct ocelotl_clock_instant {
    int64_t at;         /* as the reference reads */
    double off;         /* how far it is found ahead of its line, in ticks: 0 if it runs evenly */
    double least, most; /* between these it is ahead of its line; infinite: nothing says */
    /* messages of it, sent or received, and waits in collective operations, that end before they
     * begin, as they are and in these clocks' time; they end from this instant to the next */
    uint64_t wrong, still;
} ocelotl_clock_instant;

/* By indices below the count of clocks, and up to `steps`. Out of range: zeros. O(1). */
ocelotl_clock_instant ocelotl_clock_courses_at(const ocelotl_clock_courses *courses, uint32_t clock,
                                               uint32_t step);

/* The new times of a clock; it lives as long as the clocks. */
ocelotl_time_function ocelotl_clocks_function(const ocelotl_clocks *clocks, uint32_t index);

/* Writes the trace with the times of the reference, see ocelotl_trace_derive: what is above all
 * clocks, or has none, is dated by the reference that was asked for, else that of the group of most
 * clocks. Groups keep their own times. The new trace keeps what was found of its clocks. `name`
 * NULL: that of the trace. Errors: as there. */
ocelotl_status ocelotl_clocks_derive(const char *path, const ocelotl_clocks *clocks,
                                     const char *name, bool overwrite);

#endif
