/* Why a part is as it is: what it gains and loses by type, and how much worse something else is. */
#ifndef OC_AGGREGATE_EXPLANATION_H
#define OC_AGGREGATE_EXPLANATION_H

#include "base/arena.h"

#include <ocelotl/aggregation.h>

/* A block that is compared with the pieces that it is cut into. */
typedef enum ocelotl_cut_kind {
    /* the pieces are parts of the partition, the block is one that it divides: */
    OCELOTL_CUT_INSIDE = 0,  /* the block asked for */
    OCELOTL_CUT_PARENT = 1,  /* the least around it of the parent of its node, */
    OCELOTL_CUT_EARLIER = 2, /* of its own node with the slice before it, */
    OCELOTL_CUT_LATER = 3,   /* and with the slice behind it */
    /* the block is the one asked for, which the partition does not divide: */
    OCELOTL_CUT_TIME = 4,     /* it is cut in two at the best slice, */
    OCELOTL_CUT_RESOURCES = 5 /* or each child of its node is a piece */
} ocelotl_cut_kind;

#define OCELOTL_CUT_COUNT 6

/* Whether the partition has the pieces, and not the block. */
static inline bool oc_is_made(ocelotl_cut_kind kind)
{
    return kind < OCELOTL_CUT_TIME;
}

/* What the partition has, less what it could have instead. Gain, loss and pIC are as in
 * aggregation.h: pic = p gain - (1 - p) loss at any raw p, here at that of the partition. */
typedef struct ocelotl_difference {
    double gain, loss, pic;
} ocelotl_difference;

typedef struct ocelotl_cut_piece {
    uint32_t node, first, last;
    size_t number; /* of the part; SIZE_MAX: it is none */
    ocelotl_difference by;
} ocelotl_cut_piece;

typedef struct ocelotl_cut {
    uint32_t node, first, last; /* the block */
    size_t piece_count;         /* 0: there is nothing to compare */
    ocelotl_cut_piece *pieces;
    ocelotl_difference all;    /* of pic never below 0 but for rounding, where pieces are parts */
    ocelotl_difference *types; /* what each type of the model adds to it, as the pieces do */

    /* By type: without these the block is at least as good as the pieces, which are parts, and none
     * of them can be left out of it. What is out counts as "(no state)" in a model that has it. */
    bool *taken;
    uint32_t taken_count; /* 0: no types will do, or the block is as good as it is */
} ocelotl_cut;

/* What a block gains and loses in one type. */
typedef struct ocelotl_type_measure {
    double sum; /* of its values */
    double gain, loss;
} ocelotl_type_measure;

typedef struct ocelotl_explanation {
    oc_arena arena;
    const ocelotl_aggregation *aggregation;
    ocelotl_partition_info info; /* of the partition */
    uint32_t node, first, last;  /* as they were asked for */
    size_t number;               /* of the part that they are; SIZE_MAX: none */
    double gain, loss;           /* of the block */
    ocelotl_type_measure *types; /* of the model; what only weighs counts for the type it weighs */
    uint32_t type_count;
    ocelotl_cut cuts[OCELOTL_CUT_COUNT];
} ocelotl_explanation;

/* Explains the block node x first..last of an optimal partition of the aggregation: a part, or what
 * it divides; of a block whose ends parts cross it says what it gains and loses, and how it could
 * be cut. Gains and losses are those of a partition but for rounding. A temporal aggregation takes
 * the root as the node, a spatial one all slices. Cuts that the partition has not are not cut
 * further. Thread-safe. O(cells of the blocks x types + parts); types that are taken out add the
 * cells again in a temporal one. Errors: ARGUMENT (no such node or slice; a node that the
 * aggregation does not have as a part; a partition without p), MEMORY. */
ocelotl_status oc_part_explain(ocelotl_explanation **explanation,
                               const ocelotl_aggregation *aggregation,
                               const ocelotl_partition *partition, uint32_t node, uint32_t first,
                               uint32_t last);
void oc_explanation_free(ocelotl_explanation *explanation);

#endif
