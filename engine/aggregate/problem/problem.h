/* What the solvers work on: every possible part's measures.
 *
 * The three kinds are one problem. The spatiotemporal one has every node and slice; the temporal
 * one has the root alone, each series measured over its slices only; the spatial one has every node
 * and a single slice, which holds the sums over time. */
#ifndef OC_AGGREGATE_PROBLEM_PROBLEM_H
#define OC_AGGREGATE_PROBLEM_PROBLEM_H

#include "aggregate/problem/pairs.h"
#include "aggregate/vector/vector.h"
#include "base/machine.h"
#include "base/matrix.h"
#include "base/status.h"

#include <ocelotl/aggregation.h>

#include <math.h>

/* --- The nodes that can be parts: the tree of a model without repetitions.
 *
 * A node with one child has the leaves of that child, so the two are the same part. Such chains are
 * folded into their topmost node, whose name the part then bears: an only child costs nothing and
 * changes nothing. */

/* In preorder, as oc_tree: the first child of an inner node k is k + 1, the sibling after k is k +
 * subtree[k]. Where ranks share a problem, each has its nodes alone: those that have a leaf of its
 * own; children, heights and depths are those of the whole. */
typedef struct oc_nodes {
    uint32_t count;
    uint32_t *name; /* the node of the model that each one is */
    uint32_t *subtree;
    uint32_t *leaf_first;
    /* resources that its leaves stand for: as many as leaves, where none is merged */
    uint32_t *leaf_weight;
    uint32_t *parent; /* of the root: itself */
    uint32_t *child_count;
    uint32_t *ordinal; /* its number among the children of its parent */
    uint32_t inner_count;
    /* of each inner node its number among them; the leaves' are of no meaning */
    uint32_t *inner;
    uint32_t height_count; /* a leaf has height 0, an inner node one more than its highest child */
    /* all nodes, the leaves first: those of one height do not depend on each other */
    uint32_t *by_height;
    uint32_t *height_first; /* height_count + 1: where each height begins in by_height */
    uint32_t depth_count;   /* the root has depth 0 */
    uint32_t *by_depth;
    uint32_t *depth_first;
} oc_nodes;

ocelotl_status oc_nodes_of_tree(oc_nodes *nodes, const oc_tree *tree);

/* Keeps the root, and what has some of the leaves first .. end - 1 of the tree. */
ocelotl_status oc_nodes_keep(oc_nodes *nodes, const oc_tree *tree, uint32_t first, uint32_t end);

/* The root alone, for what has no other parts. */
ocelotl_status oc_nodes_root_only(oc_nodes *nodes, const oc_tree *tree);

/* Safe where filling failed. */
void oc_nodes_free(oc_nodes *nodes);

static inline bool oc_nodes_is_leaf(const oc_nodes *nodes, uint32_t node)
{
    return nodes->child_count[node] == 0;
}

/* Runs over the children of a node: for (child = first; child < end; child = next). */
static inline uint32_t oc_nodes_first_child(uint32_t node)
{
    return node + 1;
}

static inline uint32_t oc_nodes_next_child(const oc_nodes *nodes, uint32_t child)
{
    return child + nodes->subtree[child];
}

static inline uint32_t oc_nodes_end(const oc_nodes *nodes, uint32_t node)
{
    return node + nodes->subtree[node];
}

/* --- Values of one node by type and slice, summed over its leaves, with the sum's loss within each
 * slice */

/* Columns of the types that occur, an entry per slice. Zero-initialised but for the number of
 * slices. */
typedef struct oc_columns {
    uint32_t slices;
    uint32_t count;
    uint32_t *type;   /* by order of appearance below the node */
    uint32_t *leaves; /* summed so far of children with the type: those without it come last */
    double *values;   /* count x 3 x oc_column_stride: see oc_column_sums */
    size_t type_capacity, leaf_capacity, value_capacity;
} oc_columns;

/* Where the column of each type is, while columns are being summed. */
typedef struct oc_column_index {
    uint32_t *place; /* place + 1 by type, 0: none; all 0 between uses */
} oc_column_index;

/* Entries of a column, with those that only fill the last vector. */
static inline size_t oc_column_stride(uint32_t slices)
{
    return ((size_t)slices + OC_LOSS_ROWS - 1) / OC_LOSS_ROWS * OC_LOSS_ROWS;
}

static inline oc_sums oc_column_sums(const oc_columns *columns, uint32_t column)
{
    const size_t stride = oc_column_stride(columns->slices);
    double *values = columns->values + column * 3 * stride;
    return (oc_sums){values, values + stride, values + 2 * stride};
}

void oc_columns_free(oc_columns *columns);

/* Forgets the columns, but not their memory. */
void oc_columns_clear(oc_columns *columns);

/* Adds the columns of one leaf that stands for `weight` resources. `series` is its first. */
ocelotl_status oc_columns_of_leaf(oc_columns *columns, const oc_matrix *matrix, size_t series,
                                  uint32_t weight, const double *scale);

/* Adds the columns of a child, or of some children. */
ocelotl_status oc_columns_add(oc_columns *columns, oc_column_index *index, const oc_columns *more,
                              const oc_vector *vector);

/* Adds the leaves that have nothing of a type, once all children are added. */
void oc_columns_finish(oc_columns *columns, uint32_t leaves, const oc_vector *vector);

/* For other ranks. */
ocelotl_status oc_columns_pack(oc_bytes *bytes, const oc_columns *columns);
ocelotl_status oc_columns_unpack(oc_columns *columns, oc_bytes *bytes);

/* --- The problem */

/* A p for the solver: raw; as a limit from above it is infinitely small. */
typedef struct oc_weight {
    double p;
    bool limit;
} oc_weight;

/* The ranks that have the children of a node, where they are several; the first has the node. */
typedef struct oc_sharing {
    uint32_t node; /* of the tree */
    oc_rank_team team;
    double *holders; /* by slice: how many children hold something; known where the node is */
} oc_sharing;

struct ocelotl_aggregation {
    const ocelotl_model *model; /* that names what is found */
    const oc_matrix *matrix;
    const ocelotl_exchange *exchange; /* NULL: one rank alone */
    /* the same, where nodes are dealt out: each is of the rank that has its first leaf. NULL: all
     * are this one's */
    const ocelotl_exchange *dealt;
    uint32_t first_leaf, leaf_count; /* leaves of this rank */
    uint32_t own_count, inner_count; /* nodes that are this one's; inner ones of them */
    oc_sharing **sharing;            /* of each node that this rank shares with others, or NULL */
    oc_sharing *shared;              /* the memory of all these */
    uint32_t shared_count;
    uint32_t *members; /* of all teams */
    ocelotl_kind kind;
    uint32_t threads;
    uint32_t percentile; /* of cells, that shares are; 0: their mean */
    const oc_vector *vector;
    ocelotl_progress progress;
    void *progress_context;
    oc_nodes nodes;
    uint32_t slices; /* of the problem: 1 for the spatial kind */
    /* all values, and so all measures, are in units of 2^unit: the largest one is near 1 */
    int unit;
    double scale[2];     /* their product is 2^-unit; one alone may be denormal */
    double unscale[2];   /* 2^unit */
    size_t *leaf_series; /* of each leaf its first series; one more ends the last */
    oc_columns *columns; /* of each inner node, those whose losses are not stored */
    double *total;       /* nodes x slices: the sum over types */
    double *merged_loss; /* nodes x slices, NULL where no leaf is merged: what merging lost, in
                            every partition alike. The losses below are without it, so that the best
                            partition need not know of it */
    /* of each node intervals packed by rows, or NULL where they are computed when needed */
    double **loss;
    double *stored; /* the memory of all these */
    uint32_t stored_count;
    /* of each node: it, or one above it, is known to lose nothing over any interval, and so to be
     * best whole: nothing asks for what is below it */
    bool *lossless;
    double *slice_bits; /* at OC_PAST_END + length: log2 of that length; OC_PAST_END more */
    double *leaf_bits;  /* by node: log2 of its leaves; temporal: 0, as series are not added */
    oc_lengths lengths;
    double whole_gain, whole_loss;
    struct oc_idle *idle; /* a solver that nobody uses */
    struct oc_known *known;
};

/* A share of rounding that a measure cannot rise above: less than this part of what it is a share
 * of is nothing. */
#define OC_ROUNDING 0x1p-50

/* Values closer than this part of the magnitude of their terms are equal: the rounding of long
 * sums. */
#define OC_TIE 0x1p-44

/* Brings a cell or a loss of the model to the unit of measures, in which no sum overflows. Values
 * far below the largest cell, which is about 1, become 0: they would have few digits, and their
 * logarithms none. */
static inline double oc_scaled(double value, const double *scale)
{
    const double scaled = value * scale[0] * scale[1];
    return scaled < 0x1p-1000 ? 0 : scaled;
}

/* A measure in the unit of the model. */
static inline double oc_unscaled(const ocelotl_aggregation *aggregation, double measure)
{
    return measure * aggregation->unscale[0] * aggregation->unscale[1];
}

static inline double *oc_total_of(const ocelotl_aggregation *aggregation, uint32_t node)
{
    return aggregation->total + (size_t)node * aggregation->slices;
}

/* log2 of the cells that one series has in `length` slices of a node. With the sum X over all
 * series of a part, M = X log n is its gain and loss together: pIC = p M - loss. */
static inline double oc_log_cells(const ocelotl_aggregation *aggregation, uint32_t node,
                                  uint32_t length)
{
    return aggregation->leaf_bits[node] + aggregation->slice_bits[OC_PAST_END + length];
}

/* The sum X over slices first to last, from the last to the first: in this order everywhere, so
 * that M is the same bits everywhere. */
static inline double oc_total_over(const ocelotl_aggregation *aggregation, uint32_t node,
                                   uint32_t first, uint32_t last)
{
    const double *total = oc_total_of(aggregation, node);
    double x = total[last];
    for (uint32_t t = last; t-- > first;)
        x += total[t];
    return x;
}

/* The loss of merged leaves over slices, which is part of every loss shown. */
static inline double oc_merged_loss_over(const ocelotl_aggregation *aggregation, uint32_t node,
                                         uint32_t first, uint32_t last)
{
    if (aggregation->merged_loss == NULL)
        return 0;
    const double *merged = aggregation->merged_loss + (size_t)node * aggregation->slices;
    double loss = 0;
    for (uint32_t t = first; t <= last; t++)
        loss += merged[t];
    return loss;
}

/* Gain and loss together, of a node over slices. */
static inline double oc_m_of(const ocelotl_aggregation *aggregation, uint32_t node, uint32_t first,
                             uint32_t last)
{
    return oc_total_over(aggregation, node, first, last) *
           oc_log_cells(aggregation, node, last - first + 1);
}

/* The gain of a part; below the rounding of M it is exactly 0. */
static inline double oc_gain_of(double m, double loss)
{
    return m - loss > OC_ROUNDING * m ? m - loss : 0;
}

/* Threads for the next parallel region of about this many additions. One thread if they take no
 * more than about a millisecond: on a busy machine a thread that waits for another can lose many
 * times that. */
static inline int oc_threads_for(const ocelotl_aggregation *aggregation, double operations)
{
    return operations < 9e6 ? 1 : oc_team_size((int)aggregation->threads);
}

/* p as a factor of what is compared: in the limit M alone is. */
static inline double oc_factor(oc_weight weight)
{
    return weight.limit ? 1 : weight.p;
}

/* Whether a node is this rank's. */
static inline bool oc_is_own(const ocelotl_aggregation *aggregation, uint32_t node)
{
    return aggregation->nodes.leaf_first[node] >= aggregation->first_leaf;
}

/* How this rank shares a node with others; NULL: it has no part in it, or all.
 *
 * What ranks tell each other of such nodes goes by heights or depths, so that all come to it in one
 * order: of each at most two, one that begins in ranks before this one and one that goes on in
 * those behind it. Upwards the first comes first, for this rank is the last to tell something of
 * it; downwards the second. So no rank waits for one that waits. */
static inline oc_sharing *oc_sharing_of(const ocelotl_aggregation *aggregation, uint32_t node)
{
    return aggregation->sharing != NULL ? aggregation->sharing[node] : NULL;
}

typedef struct oc_work {
    const ocelotl_aggregation *aggregation;
    uint64_t done; /* nodes */
    int cancelled;
    oc_first_failure failure;
} oc_work;

/* Counts nodes that are done, reports progress and learns of a cancellation: by the thread that
 * made the call alone. */
void oc_work_done(oc_work *work, uint32_t nodes);

bool oc_work_is_stopped(const oc_work *work);

/* What became of it. */
ocelotl_status oc_work_status(const oc_work *work);

#endif
