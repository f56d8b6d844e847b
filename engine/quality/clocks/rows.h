/* Least squares over pairs of clocks, by conjugate gradients (M. Hestenes, E. Stiefel, 1952). What
 * a pair says is an equation of four unknowns: of each of its clocks the offset, and what its drift
 * makes of half its run. A step of the tree that the network is ordered by, with all that its pairs
 * say, precedes each round: of a tree one round is enough, and of what is far from one not many are
 * needed (P. Vaidya, 1991, by K. Gremban, Combinatorial preconditioners, 1996). */
#ifndef OC_QUALITY_CLOCKS_ROWS_H
#define OC_QUALITY_CLOCKS_ROWS_H

#include "quality/clocks/network.h"

/* An equation. The unknown at 2 c is of clock c its offset, that behind it its drift; `other`
 * counts those behind the clocks'. */
typedef struct oc_row {
    uint32_t a, b, other; /* clocks, the same for one */
    double factor[5];     /* of a's unknowns, of b's, of the other one */
    double by;            /* what is missed, in ticks */
    double pull, weight;  /* how far the row pulls, and how fast that falls */
} oc_row;

/* Zero-initialised it is empty. */
typedef struct oc_rows {
    const oc_network *network;
    oc_row *list;
    size_t count, capacity, unknowns;
    double *step;   /* by unknown: what was found; then room for three times as many */
    double *blocks; /* by clock: three numbers of its own, four of it and the next clock; others */
    uint32_t *toward; /* by clock: the next clock to its reference */
} oc_rows;

/* Makes room for so many other unknowns; free it in any case. Errors: MEMORY. */
ocelotl_status oc_rows_make(oc_rows *rows, const oc_network *network, size_t others);
void oc_rows_free(oc_rows *rows);

ocelotl_status oc_rows_add(oc_rows *rows, const oc_row *row);

/* What values of unknowns make of a row. */
double oc_row_of(const oc_rows *rows, const oc_row *row, const double *values);

/* Finds the step where nothing pulls any more, but for so small a part of it, or that of some
 * rounds. Unknowns that no row determines stay. Returns by how much the sum of squares falls along
 * it at first. O(rows + clocks) a round. */
double oc_rows_solve(oc_rows *rows, double enough, int rounds);

#endif
