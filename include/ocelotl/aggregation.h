/* Optimal partitions of a model (Lamarche-Perrin's method; thesis, chapters 4 to 6).
 *
 * With base-2 logarithms and 0 log 0 = 0, a series of values v over n cells with sum X, drawn as
 * one block, has gain = X log X - sum v log v      the entropy it saves loss = X log n - gain the
 * divergence it introduces pIC  = p gain - (1 - p) loss      what is maximised, summed over series
 * and parts in bits times the unit of the values. "Raw" p is this p; the p of a user is normalised,
 * see ocelotl_p_to_raw. Results are the same bits for any number of threads. */
#ifndef OCELOTL_AGGREGATION_H
#define OCELOTL_AGGREGATION_H

#include <ocelotl/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The measures of every possible part of a model, computed once; immutable, for concurrent solves.
 */
typedef struct ocelotl_aggregation ocelotl_aggregation;

/* Zero is the default of every member. */
typedef struct ocelotl_aggregation_options {
    size_t size; /* sizeof(ocelotl_aggregation_options), set by the initialiser */
    ocelotl_kind kind;

    /* The vector instructions to use: "avx512", "avx2" or "plain"; NULL: the widest that the
     * machine has. Results are the same bits with all of them. */
    const char *instructions;

    /* `memory_limit` is of the aggregation and one solve together. `progress` is in nodes, of the
     * measures and then of each solve; the thread that computes them or solves calls it, each of
     * concurrent solves its own. */
    ocelotl_work work;
} ocelotl_aggregation_options;

#define OCELOTL_AGGREGATION_OPTIONS_INIT OCELOTL_INIT(ocelotl_aggregation_options)

/* Bytes that an aggregation over the model and one solve take, beside twice the model's own. At
 * most, where the losses of all nodes are stored; at least, where they are computed anew in every
 * solve, which takes some times longer. With N nodes, N' of them inner ones, S of them stored, T
 * slices and I = T (T + 1) / 2: 8 I (S + N') + threads (41 T T + ...); temporal N = 1, N' = 0;
 * spatial T = 1. Options may be NULL. Errors: ARGUMENT. */
OCELOTL_API ocelotl_status ocelotl_aggregation_memory(uint64_t *least, uint64_t *most,
                                                      const ocelotl_model *model,
                                                      const ocelotl_aggregation_options *options);

/* Computes the measures. The model must outlive the aggregation. Options may be NULL.
 * Time: a logarithm for every two slices in which a series of a node (temporal: of a leaf) has a
 * value, and O(N T^2). Errors: LIMIT with the estimate, ARGUMENT, MEMORY, CANCELLED. */
OCELOTL_API ocelotl_status ocelotl_aggregation_create(ocelotl_aggregation **aggregation,
                                                      const ocelotl_model *model,
                                                      const ocelotl_aggregation_options *options);
OCELOTL_API void ocelotl_aggregation_free(ocelotl_aggregation *aggregation);

OCELOTL_API ocelotl_kind ocelotl_aggregation_kind(const ocelotl_aggregation *aggregation);
OCELOTL_API const ocelotl_model *ocelotl_aggregation_model(const ocelotl_aggregation *aggregation);

/* Gain and loss of the whole as one part: what gains and losses are percentages of. */
OCELOTL_API double ocelotl_aggregation_whole_gain(const ocelotl_aggregation *aggregation);
OCELOTL_API double ocelotl_aggregation_whole_loss(const ocelotl_aggregation *aggregation);

/* Normalised p to raw p and back, with G and L the gain and loss of the whole:
 * p_raw = (p/G) / (p/G + (1-p)/L), so that gain and loss weigh as shares of the whole's. Where L or
 * G is 0, p_raw = p. p in [0,1]; monotone; 0 and 1 stay. */
OCELOTL_API double ocelotl_p_to_raw(const ocelotl_aggregation *aggregation, double p);
OCELOTL_API double ocelotl_p_from_raw(const ocelotl_aggregation *aggregation, double p_raw);

/* An optimal partition; refers to the model, which must outlive it, but not to the aggregation. */
typedef struct ocelotl_partition ocelotl_partition;

/* The best partition at normalised p in [0,1] (ocelotl_solve) or raw p in [0,1]
 * (ocelotl_solve_raw). p = 0 is the limit from above: what can be merged without loss is merged; p
 * = 1 is the whole. Among partitions of equal pIC: the larger gain, then the fewer parts, then
 * whole before resources before time, then the earlier cut. Of nodes with the same leaves the
 * topmost is named. Thread-safe. What a solve needed stays with the aggregation, for the next one.
 * Time: temporal O(T^3), spatial O(N), spatiotemporal O(N T^3), less what can be proved to be
 * useless. Errors: ARGUMENT, MEMORY, CANCELLED. */
OCELOTL_API ocelotl_status ocelotl_solve(ocelotl_partition **partition,
                                         const ocelotl_aggregation *aggregation, double p);
OCELOTL_API ocelotl_status ocelotl_solve_raw(ocelotl_partition **partition,
                                             const ocelotl_aggregation *aggregation, double p_raw);

/* The most detailed partition with at most `parts` (>= 1) parts among those met when the optimal
 * partitions over p are bisected by their size: exact where the number of parts falls as p rises,
 * as it nearly always does. Some ten to twenty solves. */
OCELOTL_API ocelotl_status ocelotl_solve_parts(ocelotl_partition **partition,
                                               const ocelotl_aggregation *aggregation,
                                               size_t parts);

/* The partition of which the parts are the nodes of one level of the hierarchy, over all slices,
 * instead of an optimal one, to compare with: those at a depth (0: the root), or those of a type of
 * resources (the `kind` of ocelotl_node), the topmost where they are nested. A leaf without such a
 * node above it is a part for itself. The aggregation is spatial or spatiotemporal. Thread-safe.
 * O(nodes), and a node's measures where they are not stored. Errors: ARGUMENT (temporal; no such
 * depth or type, naming those that there are), MEMORY. */
OCELOTL_API ocelotl_status ocelotl_partition_at_depth(ocelotl_partition **partition,
                                                      const ocelotl_aggregation *aggregation,
                                                      uint32_t depth);
OCELOTL_API ocelotl_status ocelotl_partition_at_type(ocelotl_partition **partition,
                                                     const ocelotl_aggregation *aggregation,
                                                     const char *type);
OCELOTL_API void ocelotl_partition_free(ocelotl_partition *partition);

typedef struct ocelotl_partition_info {
    ocelotl_kind kind;
    /* normalised and raw; NaN, as pic is, where a level of the hierarchy was given */
    double p, p_raw;
    /* summed over parts, in bits times the unit of the values; pic at p_raw */
    double pic, gain, loss;
    double whole_gain, whole_loss; /* of the whole as one part */
    size_t part_count;
    uint64_t cell_count; /* (leaf, slice) pairs; temporal: slices; spatial: leaves */
    /* cuts in time that there are to try: of every part, the slices it can be cut after */
    uint64_t cut_count;
    uint64_t cuts_tried; /* of these, the ones that no proof could spare */
    /* where one was given "nodes at depth 2" or "nodes of type X", the partition's; else NULL */
    const char *level;
    size_t next_count; /* of ocelotl_solve_parts with fewer parts than wanted: those of the next
                        * more detailed one that was met, which has too many; else 0 */
} ocelotl_partition_info;

OCELOTL_API ocelotl_partition_info ocelotl_partition_get_info(const ocelotl_partition *partition);
OCELOTL_API const ocelotl_model *ocelotl_partition_model(const ocelotl_partition *partition);

typedef struct ocelotl_part {
    uint32_t node;        /* temporal: 0, the root */
    uint32_t first, last; /* slices, inclusive; spatial: all */
    /* below the node; where some are merged, the resources that they stand for */
    uint32_t leaves;
    double gain, loss;
    /* per type: the mean value of a cell, sum / (leaves x slices); spatial parts: the same, with
     * the values of all slices; owned by the partition */
    const double *shares;
} ocelotl_part;

/* By index below part_count (zeros beyond); parts come by node in drawing order, then by time.
 * O(1). */
OCELOTL_API ocelotl_part ocelotl_partition_part(const ocelotl_partition *partition, size_t index);

/* Levels: every partition that is optimal for some p, as a list from detailed to whole. Between its
 * p_from and p_to a level is the best; at a boundary itself the higher level is (larger gain).
 *
 * A plateau is a range of p over which one level stands for all: nowhere in it is it worse than the
 * best by more than one hundredth of what the whole is worth (in normalised pIC, p gain/G - (1-p)
 * loss/L, where G and L are the gain and loss of the whole, which is worth 1 at p = 1). Levels are
 * left out one after the other, the least missed first, as long as those that stay stand for all;
 * then of a plateau's levels that can stand for it the one with the fewest parts does. The level to
 * show first always stands for its own. Plateaus cover all p and do not depend on how many levels
 * are listed, if there are more than a dozen. See docs/method.md; thesis, section 5.7.1 and the
 * outlook of 8.2.1. */
typedef struct ocelotl_levels ocelotl_levels;

typedef struct ocelotl_level {
    /* short decimal, normalised, that selects this level: ocelotl_solve(p) gives it */
    double p;
    double p_from, p_to;         /* normalised */
    double p_raw_from, p_raw_to; /* raw */
    double gain, loss;
    size_t parts;
    /* in the list, from 1; where all levels are looked for, in the list that the default options
     * give, and 0 beyond that */
    size_t number;
    /* the number of the plateau that it stands for, 1 for the most aggregated; 0: none */
    size_t plateau;
    double plateau_from, plateau_to; /* of that plateau, normalised; 0 where there is none */
    /* the one to show first, which ocelotl_solve_auto gives; it can miss in a list of two */
    bool automatic;
} ocelotl_level;

/* Zero is the default of every member. */
typedef struct ocelotl_levels_options {
    size_t size; /* sizeof(ocelotl_levels_options), set by the initialiser */

    /* Stops when this many levels are found, those with the largest gap of the envelope first. 0:
     * 30; SIZE_MAX: all. The most detailed and the most aggregated level are always listed, so 1
     * counts as 2. */
    size_t max_levels;

    /* Stops looking for levels after this many solves. 0: 120; UINT64_MAX: no bound. Solves that
     * find the level to show first, and a few that find a short p for a level, do not count. */
    uint64_t max_solves;

    /* `progress` is in solves. Where it returns false the search fails with CANCELLED and gives
     * nothing: max_solves is the way to bound it and have what was found. The solves have the
     * threads and the memory of the aggregation. */
    ocelotl_work work;
} ocelotl_levels_options;

#define OCELOTL_LEVELS_OPTIONS_INIT OCELOTL_INIT(ocelotl_levels_options)

/* Finds levels, exactly, as the upper envelope of lines over p: all K of them in about 3K solves,
 * or the `most` that matter most, thirty in some sixty solves. Where the list is incomplete, p_from
 * and p_to between two neighbours that were not proved to be adjacent are where one begins to beat
 * the other. Options may be NULL. Thread-safe. Errors: ARGUMENT, MEMORY, CANCELLED. */
OCELOTL_API ocelotl_status ocelotl_levels_find(ocelotl_levels **levels,
                                               const ocelotl_aggregation *aggregation,
                                               const ocelotl_levels_options *options);
OCELOTL_API void ocelotl_levels_free(ocelotl_levels *levels);

typedef struct ocelotl_levels_info {
    size_t count;
    bool complete;   /* these are all */
    size_t untested; /* intervals between neighbours that may hide further levels */
    /* by how much, at most, a hidden level can be better than those listed, at its own p: in
     * normalised pIC, where the whole is worth 2p - 1 */
    double largest_gap;
    uint64_t solves; /* that were made, all counted */
    size_t plateaus;
    ocelotl_kind kind; /* of the aggregation */
} ocelotl_levels_info;

OCELOTL_API ocelotl_levels_info ocelotl_levels_get_info(const ocelotl_levels *levels);
/* By index below the count (zeros beyond). O(1). */
OCELOTL_API ocelotl_level ocelotl_levels_at(const ocelotl_levels *levels, size_t index);

/* The partition to show first. At p = 0.5 gain and loss, as shares of the whole's, weigh the same:
 * the best partition there is the one of which the gain exceeds the loss by most. Taken is the most
 * aggregated level that comes within one percentage point of that, and is more than one block. If
 * more than 2000 parts are best at 0.5, a level of 1000 to 2000 is meant instead, or the most
 * detailed below that, where there is one of more than one block; if one block is, the most
 * aggregated level of several parts is taken. Levels are found to a hundredth of p; one that uses
 * three quarters of the point will do. The result depends on the model and the kind alone;
 * ocelotl_partition_get_info tells its p, a short decimal. Thread-safe. Mostly three to nine
 * solves, at most 28. Errors: MEMORY, CANCELLED by the aggregation's progress. */
OCELOTL_API ocelotl_status ocelotl_solve_auto(ocelotl_partition **partition,
                                              const ocelotl_aggregation *aggregation);

#ifdef __cplusplus
}
#endif
#endif
