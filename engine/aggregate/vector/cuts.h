/* The cuts in time of one node: a product of triangular matrices in which a sum is a maximum and a
 * product a sum. */
#ifndef OC_AGGREGATE_VECTOR_CUTS_H
#define OC_AGGREGATE_VECTOR_CUTS_H

#include <stddef.h>
#include <stdint.h>

/* Columns are solved by strips, none wider than this. */
#define OC_WIDEST_STRIP 32

/* Rows are solved by so many at once; matrices have rows up to the next multiple. */
#define OC_ROWS 4

/* A tile reaches so many columns before one of its rows. */
#define OC_BEFORE_ROW (OC_WIDEST_STRIP + OC_ROWS)

/* A row i holds the intervals that begin at slice i, at column j the one that ends with slice j. */
typedef struct oc_cuts {
    uint32_t count; /* slices */
    size_t stride;  /* of the rows of both matrices: at least count rounded up to whole strips */
    /* Read: intervals as they are best without a cut. -INFINITY where j < i, from the OC_BEFORE_ROW
     * columns before i on, where j >= count, and where i >= count. */
    const double *uncut;
    double *best;  /* written, where i <= j < count */
    double *strip; /* scratch: rows x OC_WIDEST_STRIP */
    /* by row: what is worth less than the best by more than this is the left side of no best cut */
    double *margin;
    /* scratch: rows / OC_ROWS x count; the columns c after which cuts are tried */
    uint32_t *candidate;
    uint32_t *candidate_count; /* scratch: rows / OC_ROWS */
    uint64_t spared;           /* counts up: cuts that were not tried */
} oc_cuts;

#endif
