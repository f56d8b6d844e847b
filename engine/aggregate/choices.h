/* The best partitions of one node over the intervals that are asked for: all that cannot be told apart by their values.
 *
 * A node over an interval is made of blocks in time: each is whole, or split into the children. Two blocks that are
 * split and touch are one, so after a split block one that is whole begins. What is left of an interval after its first
 * block is an item again, and ends where it ends: the items of one end are found from the first slice to the last. */
#ifndef OC_AGGREGATE_CHOICES_H
#define OC_AGGREGATE_CHOICES_H

#include "aggregate/solver.h"

#define OC_NONE UINT32_MAX

/* Slices. */
typedef struct oc_span {
    uint32_t first, last;
    bool wanted; /* a split: it is in the partition */
} oc_span;

/* What a partition comes to; its pIC is p m - loss. */
typedef struct oc_tally {
    size_t parts;
    double m, loss;
} oc_tally;

/* A choice: the first block. */
typedef struct oc_choice {
    uint32_t last;  /* slice of the block */
    uint32_t split; /* place among the node's splits; OC_NONE: it is whole */
    uint32_t next;  /* the item that follows, or OC_NONE */
    double loss;    /* of the block that is whole */
} oc_choice;

/* A node over an interval. */
typedef struct oc_item {
    uint32_t first, last;
    uint32_t choice_first, choice_count; /* of the node's, in the order of preference */
    uint32_t taken;                      /* of its choices */
    oc_tally tally;
} oc_item;

/* What is known of some nodes, one after the other. */
typedef struct oc_choices {
    oc_item *items;
    oc_choice *choices;
    uint32_t *answers; /* to each interval asked for: its item */
    size_t item_count, choice_count, answer_count;
    size_t item_capacity, choice_capacity, answer_capacity;
    bool tied; /* some item has more than one choice */
} oc_choices;

/* Where a node's are; the numbers in them count from there. */
typedef struct oc_choices_place {
    size_t item_first, choice_first, answer_first;
    uint32_t item_count, answer_count;
    uint32_t split_count;
    oc_span *
        splits; /* of its own, for the children, which refer to them, are explored by other threads; freed by the caller */
} oc_choices_place;

/* What a thread needs for itself, by slice; zero-initialised. */
typedef struct oc_explorer {
    oc_worker *worker;
    double *column;     /* the best of what begins at each slice, for the end in hand */
    uint32_t *item_of;  /* of each slice the item that begins there and has the end in hand */
    uint32_t *kept;     /* the first slice up to which what begins at each is as good whole as any */
    uint32_t *filled;   /* slices before each that hold something */
    uint32_t *asked_at; /* of each end the last interval asked for; with `asked_before` lists of them */
    uint32_t *asked_before;
    size_t asked_capacity;
} oc_explorer;

ocelotl_status oc_explorer_make(oc_explorer *explorer, const ocelotl_aggregation *aggregation);
void oc_explorer_free(oc_explorer *explorer);
void oc_choices_free(oc_choices *choices);

/* Adds what is known of a node over the intervals asked for, which are sorted. */
ocelotl_status oc_choices_explore(oc_choices *choices, oc_choices_place *place, oc_explorer *explorer,
                                  const oc_solver *solver, const ocelotl_aggregation *aggregation, uint32_t node,
                                  const oc_span *asked, uint32_t asked_count);

#endif
