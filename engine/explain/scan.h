/* Which rows of a table differ from their like, and in which columns.
 *
 * Rows are leaves of a tree, columns follow each other in time. A node is compared with those like
 * it, over each interval of columns: by how far its mean is from their median, in units of their
 * spread (1.4826 times the median distance from the median). That spread has in it what varies
 * anyway, from row to row and from column to column. Of intervals and nodes that overlap the one
 * that differs most is found, so a fault has its own place and time, and not those around it. */
#ifndef OC_EXPLAIN_SCAN_H
#define OC_EXPLAIN_SCAN_H

#include "base/arena.h"

#include <ocelotl/types.h>
#include <ocelotl/work.h>

#include <stddef.h>

typedef struct oc_scan_node {
    uint32_t parent;       /* OCELOTL_NONE: the root; parents come before children */
    uint32_t first, count; /* its rows */
    uint32_t like;         /* nodes with the same number are compared; OCELOTL_NONE: with none */
} oc_scan_node;

typedef struct oc_scan_tree {
    oc_scan_node *nodes;
    uint32_t node_count, row_count, like_count;
} oc_scan_tree;

typedef struct oc_scan_table {
    const oc_scan_tree *tree;
    const double *values; /* rows x columns; not a number: there is none */
    size_t columns;
    double least;             /* of cells: what differs by less is not told apart */
    const ocelotl_work *work; /* may cancel; NULL: nothing does */
} oc_scan_table;

/* Siblings that differ from their like in one direction. */
typedef struct oc_outlier {
    const uint32_t *nodes;
    uint32_t node_count, row_count;
    uint32_t others;      /* nodes that are like them */
    uint32_t first, last; /* columns, both included */
    double here, usual;   /* the mean of their cells, the median of nodes like them */
    double score;         /* how many spreads apart, the root of the sum of squares */
} oc_outlier;

typedef struct oc_outliers {
    oc_outlier *all; /* those that differ most first */
    size_t count, capacity;
} oc_outliers;

/* Finds at most `most` outliers, into an arena. O(intervals x nodes), with about seven intervals a
 * column. Errors: MEMORY. */
ocelotl_status oc_scan_find(oc_outliers *outliers, oc_arena *arena, const oc_scan_table *table,
                            size_t most);

/* The median of numbers, which are put into another order; not a number of none. O(count). */
double oc_median(double *numbers, size_t count);

/* The number that a share of them, below 1, are below; O(count). */
double oc_quantile(double *numbers, size_t count, double share);

/* The spread of numbers, which change, and their median. Of few it is larger: it is not well known.
 * O(count). */
double oc_spread(double *median, double *numbers, size_t count);

#endif
