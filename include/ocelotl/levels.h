/* Levels: the partitions that are optimal for some p, from the most detailed to the whole.
 *
 * A level is the best partition between its p_from and p_to; at a boundary the higher level is
 * (larger gain).
 *
 * A plateau is a range of p that one level stands for: nowhere in it is that level worse than the
 * best by more than one hundredth of what the whole is worth (in normalised pIC, p gain/G - (1-p)
 * loss/L, with the gain G and the loss L of the whole, which is worth 1 at p = 1). Levels are left
 * out one by one, the one missed least first, as long as the others stand for all. Then, of the
 * levels that can stand for a plateau, the one with the fewest parts does. The level to show first
 * always stands for its own. Plateaus cover all p. If more than a dozen levels are listed, they do
 * not depend on how many. See docs/method.md; thesis, section 5.7.1 and the outlook of 8.2.1. */
#ifndef OCELOTL_LEVELS_H
#define OCELOTL_LEVELS_H

#include <ocelotl/aggregation.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ocelotl_levels ocelotl_levels;

typedef struct ocelotl_level {
    double p;                    /* a short decimal, normalised: ocelotl_solve gives this level */
    double p_from, p_to;         /* normalised */
    double p_raw_from, p_raw_to; /* raw */
    double gain, loss;
    size_t parts;

    /* In the list, from 1. Where all levels are looked for, in the list that the default options
     * give; 0 for a level that is not in it. */
    size_t number;

    /* The number of the plateau that it stands for, 1 for the most aggregated; 0: none. */
    size_t plateau;
    double plateau_from, plateau_to; /* of that plateau, normalised; 0 without one */

    /* The level to show first, which ocelotl_solve_auto gives. A list of two can lack it. */
    bool automatic;

    /* Normalised: ocelotl_solve gives this very partition for each p from one to the other. p lies
     * between them, which are less far apart than p_from and p_to. */
    double known_from, known_to;
} ocelotl_level;

/* Zero is the default of every member. */
typedef struct ocelotl_levels_options {
    size_t size; /* sizeof(ocelotl_levels_options), set by the initialiser */

    /* Stops at this many levels, those with the largest gap of the envelope first. 0: 30; SIZE_MAX:
     * all. The most detailed and the most aggregated level are always listed, so 1 counts as 2. */
    size_t max_levels;

    /* Stops looking for levels after this many solves. 0: 120; UINT64_MAX: no bound. Solves that
     * find the level to show first, and a few that find a short p for a level, do not count. */
    uint64_t max_solves;

    /* `progress` counts solves. Where it returns false the search fails with CANCELLED and gives
     * nothing: max_solves is the way to bound it and have what was found. Threads and memory are
     * those of the aggregation. */
    ocelotl_work work;

    /* All levels end with the whole, even where it gains no more than the one before and is the
     * best at p = 1 alone. */
    bool whole;

    bool knee; /* the level to show first is that of OCELOTL_RULE_KNEE */
} ocelotl_levels_options;

#define OCELOTL_LEVELS_OPTIONS_INIT OCELOTL_INIT(ocelotl_levels_options)

/* Finds levels, exactly, as the upper envelope of lines over p. All K of them take about 3K solves,
 * the thirty that matter most some sixty. Where the list is incomplete, p_from and p_to between two
 * neighbours that were not proved to be adjacent are where one begins to beat the other. Options
 * may be NULL. Thread-safe. Errors: ARGUMENT, MEMORY, CANCELLED. */
OCELOTL_API ocelotl_status ocelotl_levels_find(ocelotl_levels **levels,
                                               const ocelotl_aggregation *aggregation,
                                               const ocelotl_levels_options *options);
OCELOTL_API void ocelotl_levels_free(ocelotl_levels *levels);

/* A search for the same levels that can be interrupted and continued. */
typedef struct ocelotl_level_search ocelotl_level_search;

/* Begins a search, without any solve. The aggregation must outlive it; a list of all levels is not
 * searched for so. Errors: ARGUMENT (SIZE_MAX levels), MEMORY. */
OCELOTL_API ocelotl_status ocelotl_level_search_begin(ocelotl_level_search **search,
                                                      const ocelotl_aggregation *aggregation,
                                                      const ocelotl_levels_options *options);
OCELOTL_API void ocelotl_level_search_free(ocelotl_level_search *search);

/* Goes on until all is found, which OK means; another call then does nothing. Where the progress of
 * the options, or of the aggregation, returns false, it fails with CANCELLED, and at most the solve
 * that it was at is lost. Errors: MEMORY, CANCELLED. */
OCELOTL_API ocelotl_status ocelotl_level_search_continue(ocelotl_level_search *search);

/* Gives the levels that were found so far: in the end the list of ocelotl_levels_find; before, one
 * whose plateaus, and whose p, may still change, or an empty one. Errors: MEMORY. */
OCELOTL_API ocelotl_status ocelotl_level_search_found(ocelotl_levels **levels,
                                                      const ocelotl_level_search *search);

typedef struct ocelotl_levels_info {
    size_t size; /* by OCELOTL_INIT */
    size_t count;
    bool complete;   /* these are all */
    size_t untested; /* intervals between neighbours that may hide further levels */

    /* The most by which a hidden level can be better than those listed, at its own p: in normalised
     * pIC, where the whole is worth 2p - 1. */
    double largest_gap;
    uint64_t solves; /* all that were made */
    size_t plateaus;
    ocelotl_kind kind; /* of the aggregation */
} ocelotl_levels_info;

OCELOTL_API void ocelotl_levels_get_info(ocelotl_levels_info *info, const ocelotl_levels *levels);

/* The same as a value. */
static inline ocelotl_levels_info ocelotl_levels_info_of(const ocelotl_levels *levels)
{
    ocelotl_levels_info info;
    info.size = sizeof info;
    ocelotl_levels_get_info(&info, levels);
    return info;
}

/* Gives a level by its index below the count; zeros beyond. O(1). */
OCELOTL_API ocelotl_level ocelotl_levels_at(const ocelotl_levels *levels, size_t index);

/* Finds the partition to show first: that of OCELOTL_RULE_KNEE, unless
 * - it loses more than a quarter of what one block loses, and a level of at most 100 parts loses
 *   less: then the most aggregated level that loses at most a quarter, or, where none of at most
 *   100 parts does, the most detailed of these;
 * - it has more than 150 parts, and a level of at most 150 loses at most a quarter: then the most
 *   detailed of these;
 * - of that level, over a quarter of the leaves are in parts over four fifths of the slices that
 *   lose over a hundredth of what one block loses each, and the most detailed level of at most 150
 *   parts has fewer of them: then the most aggregated level that has at most a quarter, or, where
 *   that one has more, that one.
 * The result depends on the model and the kind alone; ocelotl_partition_info_of gives its p, a
 * short decimal. Thread-safe. Mostly three to nine solves, some twenty more for each rule that
 * chooses another level. Errors: MEMORY, CANCELLED by the aggregation's progress. */
OCELOTL_API ocelotl_status ocelotl_solve_auto(ocelotl_partition **partition,
                                              const ocelotl_aggregation *aggregation);

/* How one level is chosen of all. A step is what gain and loss, as shares of the whole's, grow by
 * from one level to the next, of all levels by rising p; of equal steps the first counts. */
typedef enum ocelotl_rule {
    OCELOTL_RULE_FIRST = 0,    /* as ocelotl_solve_auto does */
    OCELOTL_RULE_COARSEST = 1, /* p = 1: one block */
    OCELOTL_RULE_FINEST = 2,   /* p = 0: nothing is lost */
    OCELOTL_RULE_PLATEAU = 3,  /* the level that stands for a plateau, by its number */

    /* Where the larger of the two grows most: the level after that step. */
    OCELOTL_RULE_GAP = 4,

    /* Where the two grow most differently: the level before that step, or after it. */
    OCELOTL_RULE_GAP_BETWEEN_BEFORE = 5,
    OCELOTL_RULE_GAP_BETWEEN_AFTER = 6,

    /* At p = 0.5 gain and loss, as shares of the whole's, weigh the same: the best partition there
     * is the one whose gain exceeds the loss by most. This is the most aggregated level within one
     * percentage point of that which is more than one block. If more than 2000 parts are best at
     * 0.5, it is a level of 1000 to 2000 instead, or the most detailed below that, if that is more
     * than one block. If one block is best, it is the most aggregated level of several parts.
     * Levels are found to a hundredth of p; a level that uses three quarters of the point will
     * do. */
    OCELOTL_RULE_KNEE = 7
} ocelotl_rule;

/* Finds the partition of the level that a rule chooses; `plateau` is read by that rule alone. The
 * gaps are those of all levels, and exact: levels bound the steps between them, so a few solves
 * show mostly where the largest is. Thread-safe. Cost: one solve; of the first that of
 * ocelotl_solve_auto, of the knee mostly three to nine, at most 28; of a plateau those of
 * ocelotl_levels_find; of a gap mostly ten to fifty, at most those of all levels. Errors: ARGUMENT
 * (an unknown rule, or plateau), MEMORY, CANCELLED by the aggregation's progress. */
OCELOTL_API ocelotl_status ocelotl_solve_rule(ocelotl_partition **partition,
                                              const ocelotl_aggregation *aggregation,
                                              ocelotl_rule rule, size_t plateau);

#ifdef __cplusplus
}
#endif
#endif
