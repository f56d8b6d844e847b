/* What bench_trace is compared with: a plain SQLite table with a row for each state and an index of
 * their times. */
#ifndef BENCH_RIVAL_H
#define BENCH_RIVAL_H

#include <stdbool.h>
#include <stdint.h>

/* Writes the synthetic trace as rows; false with a message on stderr. */
bool rival_write(const char *path, uint64_t states, uint64_t seed);

/* Sums the time of each (leaf, value) in each slice of a window; `end` 0 means the whole trace.
 * *sum is the total in ticks. */
bool rival_model(double *sum, const char *path, int64_t begin, int64_t end, uint32_t slices);

#endif
