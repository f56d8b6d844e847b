/* The loops of ceiling.c, one for each kind of vectors it is compiled for. */
#ifndef BENCH_CEILING_H
#define BENCH_CEILING_H

#include <stddef.h>

/* Adds `step` (> 0) again and again; returns how many additions with a maximum that were. */
double ceiling_avx512(size_t rounds, double step);
double ceiling_avx2(size_t rounds, double step);
double ceiling_plain(size_t rounds, double step);

/* Lets the compiler believe that the results are of use. */
void ceiling_keep(const void *results, size_t size);

#endif
