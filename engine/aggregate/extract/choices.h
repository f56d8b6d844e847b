/* The best partitions of one node over some intervals: all whose values cannot be distinguished.
 *
 * A node over an interval is made of blocks in time: each is whole, or split into the children.
 * What is left of an interval after its first block is an item again, and ends where it ends: the
 * items of one end are found from the first slice to the last.
 *
 * Two adjacent split blocks can be one, which is worth no less: its children may be cut there. So
 * at first a split is followed only by items that may begin with a whole block. If partitions turn
 * out equally good, the node is explored once more, by the cuts that they have: see cut_sets.h. */
#ifndef OC_AGGREGATE_EXTRACT_CHOICES_H
#define OC_AGGREGATE_EXTRACT_CHOICES_H

#include "aggregate/extract/cut_sets.h"
#include "aggregate/solver/solver.h"
#include "aggregate/vector/vector.h"
#include "base/status.h"

/* A set of blocks of slices, numbered by their first slice, then by their last one: a bit for each
 * block within some slices; zero-initialised. */
typedef struct oc_block_set {
    uint32_t slices;
    uint64_t *bits; /* of packed intervals */
    size_t *before; /* of each word of them: blocks of the words before it */
    size_t words, bit_capacity, before_capacity;
} oc_block_set;

#define OC_NONE UINT32_MAX

/* What a partition comes to; its pIC is p m - loss. */
typedef struct oc_tally {
    size_t parts;
    double m, loss;
} oc_tally;

/* Slices that a node is asked for: a block that its parent splits. */
typedef struct oc_span {
    uint32_t first, last;
    /* the number of its cut set, or OC_NONE where no best partition splits it; see cut_sets.c */
    uint32_t set;
    bool wanted;    /* it is split in the partition that is taken */
    bool unique;    /* no two partitions of it are equally good */
    oc_tally tally; /* what the children come to */
} oc_span;

/* A choice: the first block. */
typedef struct oc_choice {
    uint32_t last;  /* slice of the block */
    uint32_t split; /* place among the node's splits; OC_NONE: it is whole */
    uint32_t next;  /* the item that follows, or OC_NONE */
    /* splitting an empty run together with the block beside it may be as good */
    bool loose;
    bool best;   /* no choice of the item is better */
    double loss; /* of the block that is whole */
} oc_choice;

/* A node over an interval. */
typedef struct oc_item {
    uint32_t first, last;
    uint32_t choice_first, choice_count; /* of the node's, in the order of preference */
    uint32_t taken;                      /* of its choices */
    bool unique;                         /* no two partitions of it are equally good */
    /* it is part of a best partition of the whole; see cut_sets.c */
    bool reached;
    oc_tally tally;
} oc_item;

/* What is known of some nodes, one after the other. */
typedef struct oc_choices {
    oc_item *items;
    oc_choice *choices;
    uint32_t *answers; /* to each interval asked for: its item */
    size_t item_count, choice_count, answer_count;
    size_t item_capacity, choice_capacity, answer_capacity;
    bool tied; /* some item has more than one choice, or a loose one */
} oc_choices;

/* Where a node's are; the numbers in them count from there. */
typedef struct oc_choices_place {
    size_t item_first, choice_first, answer_first;
    uint32_t item_count, answer_count;
    uint32_t split_count;
    /* by time; of its own, for other threads explore the children, which refer to them; freed by
     * the caller */
    oc_span *splits;
    size_t split_capacity;
} oc_choices_place;

/* What a thread needs for itself, by slice; zero-initialised. */
typedef struct oc_explorer {
    oc_worker *worker;
    double *sum;       /* X over the slices from each on, to the end in hand */
    double *column;    /* the best of what begins at each slice, for the end in hand */
    uint32_t *item_of; /* of each slice the item that begins there and has the end in hand */
    bool *after_whole; /* of each slice: the item that begins there was asked for, or follows a
                          block that is whole */
    /* by slice: the first slice up to which a whole block from it is as good as any */
    uint32_t *kept;
    /* by empty slice: the last one of its run; OC_NONE: it holds something */
    uint32_t *run_end;
    oc_block_set split; /* the blocks that some choice splits */
    /* of each end the last interval asked for; with `asked_before` lists of them */
    uint32_t *asked_at;
    uint32_t *asked_before;
    size_t asked_capacity;
} oc_explorer;

/* What is asked of a node: intervals, sorted; and what is known of its cuts. */
typedef struct oc_request {
    uint32_t node;
    const oc_span *asked;
    uint32_t asked_count;
    oc_cut_set cuts;
} oc_request;

ocelotl_status oc_explorer_make(oc_explorer *explorer, const ocelotl_aggregation *aggregation);
void oc_explorer_free(oc_explorer *explorer);

/* Forgets all, but not the memory. */
void oc_choices_clear(oc_choices *choices);
void oc_choices_free(oc_choices *choices);

/* Adds the choices for a node over the given intervals. */
ocelotl_status oc_choices_explore(oc_choices *choices, oc_choices_place *place,
                                  oc_explorer *explorer, const oc_solver *solver,
                                  const ocelotl_aggregation *aggregation,
                                  const oc_request *request);

#endif
