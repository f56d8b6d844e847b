/* Optimal partitions of a model (Lamarche-Perrin's method; thesis, chapters 4 to 6).
 *
 * A series of values v over n cells with the sum X is drawn as one block. With logarithms to base 2
 * and 0 log 0 = 0,
 *
 *     gain = X log X - sum of v log v     the entropy that the block saves
 *     loss = X log n - gain               the divergence that it introduces
 *     pIC  = p gain - (1 - p) loss        what a partition maximises
 *
 * each summed over series and parts, in bits times the unit of the values. This p is the raw one;
 * users give a normalised p, see ocelotl_p_to_raw. Results are the same bits for any number of
 * threads. */
#ifndef OCELOTL_AGGREGATION_H
#define OCELOTL_AGGREGATION_H

#include <ocelotl/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The measures of every possible part of a model, computed once. It does not change: several
 * threads may solve at the same time. */
typedef struct ocelotl_aggregation ocelotl_aggregation;

/* Zero is the default of every member. */
typedef struct ocelotl_aggregation_options {
    size_t size; /* sizeof(ocelotl_aggregation_options), set by the initialiser */
    ocelotl_kind kind;

    /* The vector instructions to use: "avx512", "avx2" or "plain"; NULL: the widest that the
     * machine has. Results are the same bits with all of them. */
    const char *instructions;

    /* `memory_limit` bounds the aggregation and one solve together; fewer threads do the work where
     * it holds no more. `progress` counts nodes: of the measures, then of each solve. The thread
     * that measures or solves calls it; of concurrent solves each thread calls it for its own. */
    ocelotl_work work;

    /* What the shares of a part are, 0 .. 100: 0 the mean of its cells, 50 their median, else the
     * least value that so many of a hundred do not exceed. Partitions are the same with any of
     * them. Needs a model whose cells add up. */
    uint32_t percentile;
} ocelotl_aggregation_options;

#define OCELOTL_AGGREGATION_OPTIONS_INIT OCELOTL_INIT(ocelotl_aggregation_options)

/* Computes the measures of a model, which must outlive the aggregation. Options may be NULL. Time:
 * a logarithm for every two slices in which a series of a node (temporal: of a leaf) has a value,
 * and O(N T^2). Errors: LIMIT with the estimate, or where the values or the measures of the whole
 * add up to more than a double holds; ARGUMENT, MEMORY, CANCELLED. */
OCELOTL_API ocelotl_status ocelotl_aggregation_create(ocelotl_aggregation **aggregation,
                                                      const ocelotl_model *model,
                                                      const ocelotl_aggregation_options *options);
OCELOTL_API void ocelotl_aggregation_free(ocelotl_aggregation *aggregation);

OCELOTL_API ocelotl_kind ocelotl_aggregation_kind(const ocelotl_aggregation *aggregation);
OCELOTL_API const ocelotl_model *ocelotl_aggregation_model(const ocelotl_aggregation *aggregation);

/* Gives the gain and the loss of the whole as one part: gains and losses are percentages of these.
 */
OCELOTL_API double ocelotl_aggregation_whole_gain(const ocelotl_aggregation *aggregation);
OCELOTL_API double ocelotl_aggregation_whole_loss(const ocelotl_aggregation *aggregation);

/* Converts a normalised p to a raw one, and back. With the gain G and the loss L of the whole,
 *
 *     p_raw = (p/G) / (p/G + (1-p)/L)
 *
 * so that gain and loss weigh as shares of the whole's. Where L or G is 0, p_raw = p. p is in
 * [0,1]; 0 and 1 stay, and a larger p gives a larger p_raw. */
OCELOTL_API double ocelotl_p_to_raw(const ocelotl_aggregation *aggregation, double p);
OCELOTL_API double ocelotl_p_from_raw(const ocelotl_aggregation *aggregation, double p_raw);

/* A partition. It refers to the model, which must outlive it, but not to the aggregation. */
typedef struct ocelotl_partition ocelotl_partition;

/* Finds the best partition at a normalised p, or at a raw p, in [0,1]. p = 0 is the limit from
 * above: what can be merged without loss is merged. p = 1 is the whole. Of partitions of equal pIC
 * the one with the larger gain is best, then with fewer parts, then whole before resources before
 * time, then the earlier cut. Of nodes with the same leaves the topmost is named. Thread-safe. The
 * aggregation keeps the memory of a solve for the next one. Time: temporal O(T^3), spatial O(N),
 * spatiotemporal O(N T^3), less what can be proved to be useless. Errors: ARGUMENT, MEMORY,
 * CANCELLED. */
OCELOTL_API ocelotl_status ocelotl_solve(ocelotl_partition **partition,
                                         const ocelotl_aggregation *aggregation, double p);
OCELOTL_API ocelotl_status ocelotl_solve_raw(ocelotl_partition **partition,
                                             const ocelotl_aggregation *aggregation, double p_raw);

/* Finds the most detailed partition with at most `parts` (>= 1) parts. It bisects the optimal
 * partitions over p by their size: the result is exact where the number of parts falls as p rises,
 * as it nearly always does. Thread-safe. Ten to twenty solves. Errors: as ocelotl_solve. */
OCELOTL_API ocelotl_status ocelotl_solve_parts(ocelotl_partition **partition,
                                               const ocelotl_aggregation *aggregation,
                                               size_t parts);

/* Makes the nodes of one level of the hierarchy the parts, over all slices, as a reference for
 * optimal ones. A level is a depth (0: the root), or a type of resources (the `kind` of
 * ocelotl_node); of nested nodes of one type the topmost counts. A leaf without such a node above
 * it is a part of its own. The aggregation is spatial or spatiotemporal. Thread-safe. O(nodes), and
 * a node's measures unless they are stored. Errors: ARGUMENT (temporal; an unknown depth or type,
 * naming those that exist), MEMORY. */
OCELOTL_API ocelotl_status ocelotl_partition_at_depth(ocelotl_partition **partition,
                                                      const ocelotl_aggregation *aggregation,
                                                      uint32_t depth);
OCELOTL_API ocelotl_status ocelotl_partition_at_type(ocelotl_partition **partition,
                                                     const ocelotl_aggregation *aggregation,
                                                     const char *type);
OCELOTL_API void ocelotl_partition_free(ocelotl_partition *partition);

typedef struct ocelotl_partition_info {
    size_t size; /* by OCELOTL_INIT */
    ocelotl_kind kind;
    double p, p_raw; /* normalised and raw; NaN, as pic, of a level of the hierarchy */

    /* Summed over the parts, in bits times the unit of the values; pic at p_raw. */
    double pic, gain, loss;

    double whole_gain, whole_loss; /* of the whole as one part */
    size_t part_count;
    uint64_t cell_count; /* (leaf, slice) pairs; temporal: slices; spatial: leaves */
    uint64_t cut_count;  /* possible cuts in time: of every part, the slices it can be cut after */
    uint64_t cuts_tried; /* those that no proof spared: fewer after a solve at a higher p */

    /* "nodes at depth 2" or "nodes of type X" of a level of the hierarchy; else NULL. */
    const char *level;

    /* Of ocelotl_solve_parts with fewer parts than wanted: how many the next more detailed
     * partition has, which are too many; else 0. */
    size_t next_count;

    uint32_t percentile; /* what shares are, as in the options of the aggregation */
} ocelotl_partition_info;

OCELOTL_API void ocelotl_partition_get_info(ocelotl_partition_info *info,
                                            const ocelotl_partition *partition);

/* The same as a value. */
static inline ocelotl_partition_info ocelotl_partition_info_of(const ocelotl_partition *partition)
{
    ocelotl_partition_info info;
    info.size = sizeof info;
    ocelotl_partition_get_info(&info, partition);
    return info;
}
OCELOTL_API const ocelotl_model *ocelotl_partition_model(const ocelotl_partition *partition);

typedef struct ocelotl_part {
    uint32_t node;        /* temporal: 0, the root */
    uint32_t first, last; /* slices, both included; spatial: all */
    uint32_t leaves;      /* below the node; of merged leaves the resources that they stand for */
    double gain, loss;

    /* Of each type the mean value of a cell, sum / (leaves x slices); of a spatial part the same
     * with the values of all slices. Or a quantile of these cells (`percentile` of the
     * aggregation's options). Times the model's `rate`. Owned by the partition. */
    const double *shares;
} ocelotl_part;

/* Gives a part by its index below part_count; zeros beyond. Parts come by node in the order of
 * drawing, then by time. O(1). */
OCELOTL_API ocelotl_part ocelotl_partition_part_at(const ocelotl_partition *partition,
                                                   size_t index);

#ifdef __cplusplus
}
#endif
#endif
