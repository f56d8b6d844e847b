/* The fold of a stream: what its records add up to, up to an instant. The writer keeps one for each
 * stream and stores it at the beginning of each chunk; a reader continues from there. So totals up
 * to any instant cost one chunk (DESIGN: running totals). */
#ifndef OC_STORE_CODEC_FOLD_H
#define OC_STORE_CODEC_FOLD_H

#include "base/holes.h"
#include "store/codec/record.h"

/* Totals of one value. */
typedef struct oc_total {
    uint32_t value;    /* may be OCELOTL_NONE; a variable has one total, of that value */
    uint64_t count;    /* states begun, instants, changes, links begun (out) or ended (in) */
    int64_t innermost; /* states: ticks as the innermost one */
    int64_t closed;    /* states, links: summed durations of those that have ended */
    double integral;   /* variable: sum of value x ticks */
} oc_total;

/* A state or link that is open. */
typedef struct oc_open {
    uint32_t total; /* index of its value's total */
    int64_t begin;
} oc_open;

/* Sum of a numeric attribute of links. */
typedef struct oc_attribute_sum {
    uint32_t attribute;
    double sum;
} oc_attribute_sum;

/* Zero-initialised but for its role, it is the fold of no record. */
typedef struct oc_fold {
    oc_role role;
    int64_t time;     /* of the last record, or where the fold was advanced to */
    oc_total *totals; /* in the order in which values appear */
    size_t total_count, total_capacity;
    oc_open *open; /* outermost first: in the order of their beginning; see oc_fold_open */
    size_t open_count, open_capacity;
    oc_holes *holes; /* among what is open */
    bool has_number;
    double number;          /* the variable's value now */
    oc_attribute_sum *sums; /* in the order of the attributes */
    size_t sum_count, sum_capacity;
    uint32_t *slots; /* a hash table of the totals by value: index + 1, 0 where a slot is free */
    size_t slot_count;
} oc_fold;

void oc_fold_free(oc_fold *fold);

/* Forgets all but the role. */
void oc_fold_clear(oc_fold *fold);

/* Lets time pass up to `time`, which is not before fold->time. O(1). */
ocelotl_status oc_fold_advance(oc_fold *fold, int64_t time);

/* Whether a record's duration fits the totals: what a writer has to know before. */
bool oc_fold_accepts(const oc_fold *fold, const oc_record *record);

/* Takes one record. Errors: INPUT "damaged ..." for what cannot be (time going back, an end of
 * nothing). */
ocelotl_status oc_fold_apply(oc_fold *fold, const oc_records *records, const oc_record *record);

/* The same for a record whose attributes are at hand. */
ocelotl_status oc_fold_take(oc_fold *fold, const oc_record *record,
                            const ocelotl_attribute_value *attributes, size_t attribute_count);

/* The least and the largest duration that ends in some records, or value of a variable. Of zeros it
 * is that of none. */
typedef struct oc_extremes {
    bool any;
    double low, high;
} oc_extremes;

/* Takes the records in the bytes of an oc_packing, and widens the extremes. */
ocelotl_status oc_fold_packing(oc_fold *fold, oc_extremes *extremes, const unsigned char *bytes,
                               size_t count);

/* Makes `copy`, which is zero but for its role, a copy of its own. */
ocelotl_status oc_fold_copy(oc_fold *copy, const oc_fold *fold);

/* Summed durations of a value's states or links up to fold->time, those still open included.
 * O(open). */
int64_t oc_fold_inclusive(const oc_fold *fold, size_t total);

/* What is open, below fold->open_count; 0 is the outermost. O(1), and O(log open) where much ended
 * out of order. */
static inline oc_open *oc_fold_open(const oc_fold *fold, size_t index)
{
    return &fold->open[oc_holes_place(fold->holes, index)];
}

/* The total of the innermost open state, or -1. */
static inline ptrdiff_t oc_fold_innermost(const oc_fold *fold)
{
    return fold->open_count == 0 ? -1 : (ptrdiff_t)oc_fold_open(fold, fold->open_count - 1)->total;
}

/* Whether every time multiplied by `factor` fits. */
bool oc_fold_is_refinable(const oc_fold *fold, uint64_t factor);

/* Multiplies every time by `factor`; false where one does not fit, the fold is then of no use. */
bool oc_fold_refine(oc_fold *fold, uint64_t factor);

/* A fold as bytes, and back; read times are in multiples of `unit` ticks. */
void oc_fold_pack(oc_text *bytes, const oc_fold *fold);
ocelotl_status oc_fold_unpack(oc_fold *fold, const void *bytes, size_t length, uint64_t unit);

#endif
