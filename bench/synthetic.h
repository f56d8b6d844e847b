/* The synthetic trace of the thesis (Figure 7.8), of any length. It has 1111 resources in a 10-ary
 * tree of four levels; the 1000 leaves are in contiguous states of 1 to 100 ticks, drawn uniformly
 * from 10. */
#ifndef BENCH_SYNTHETIC_H
#define BENCH_SYNTHETIC_H

#include <ocelotl/writer.h>

enum {
    /* resource r > 0 is below resource (r - 1) / 10; resource 0 is the root */
    SYNTHETIC_RESOURCES = 1111,
    SYNTHETIC_INNER = 111,
    SYNTHETIC_LEAVES = 1000,
    SYNTHETIC_VALUES = 10,
    SYNTHETIC_LONGEST = 100,
    SYNTHETIC_INSTANTS = 128 /* a power of two, larger than the longest state */
};

/* Leaves wait in lists, one for each instant within reach, until their next state begins. */
typedef struct synthetic {
    uint64_t random;
    uint64_t left; /* states still to come */
    int64_t time;
    uint32_t due[SYNTHETIC_INSTANTS]; /* the first leaf of each list, SYNTHETIC_LEAVES: none */
    uint32_t next[SYNTHETIC_LEAVES];
} synthetic;

/* A state begins, which ends the one before in the same leaf. */
typedef struct synthetic_state {
    int64_t time;
    uint32_t leaf; /* resource SYNTHETIC_INNER + leaf */
    uint32_t value;
} synthetic_state;

void synthetic_begin(synthetic *trace, uint64_t states, uint64_t seed);

/* The next state in order of time; false at the end. What is open then ends with the last of them.
 */
bool synthetic_next(synthetic_state *state, synthetic *trace);

/* The whole trace as a trace.db, a tick being a microsecond. */
ocelotl_status synthetic_write(const char *path, uint64_t states, uint64_t seed);

#endif
