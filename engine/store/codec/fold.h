/* The fold of a stream: what its records add up to, up to an instant. The writer keeps one for each
 * stream and stores it at the beginning of each chunk; a reader continues from there. So totals up
 * to any instant cost one chunk (DESIGN: running totals). */
#ifndef OC_STORE_CODEC_FOLD_H
#define OC_STORE_CODEC_FOLD_H

#include "store/codec/content.h"
#include "store/codec/open.h"
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
    int64_t begin;
    uint32_t total; /* index of its value's total */
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
    oc_open_list open; /* of oc_open */
    size_t deepest;    /* the most that were open at once, among the records taken */
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

/* The least and the largest of some durations, in ticks; low is above high without any. */
typedef struct oc_duration_range {
    int64_t low, high;
} oc_duration_range;

/* What the records of a chunk say beside what they add up to. Zero-initialised it is of none. */
typedef struct oc_chunk_facts {
    bool has_numbers;             /* of a variable, */
    double low, high;             /* the least and the largest */
    oc_duration_range *durations; /* that end in the chunk, by the totals of the fold */
    size_t duration_count, duration_capacity;
    /* what the stream holds grows by the records; NULL: that is not asked for */
    oc_content *content;
    const oc_identities *values, *resources, *attributes; /* not NULL where it is asked for */
} oc_chunk_facts;

/* Forgets the chunk. */
void oc_chunk_facts_clear(oc_chunk_facts *facts);
void oc_chunk_facts_free(oc_chunk_facts *facts);

/* Takes the records in the bytes of an oc_packing, and what they say. */
ocelotl_status oc_fold_packing(oc_fold *fold, oc_chunk_facts *facts, const unsigned char *bytes,
                               size_t count);

/* Packs the durations of a chunk, value by value in the order of ids. */
ocelotl_status oc_durations_pack(oc_text *bytes, const oc_chunk_facts *facts, const oc_fold *fold);

/* The same bytes read one by one; times are in ticks. What cannot be sets `failed`. */
typedef struct oc_durations_bytes {
    oc_bytes_reader bytes;
    uint64_t unit;
    uint64_t before;
    bool any, failed;
} oc_durations_bytes;

void oc_durations_begin(oc_durations_bytes *read, const void *bytes, size_t length, uint64_t unit);

/* The next value, which may be OCELOTL_NONE, with its durations; false behind the last one. */
bool oc_durations_next(uint32_t *value, oc_duration_range *range, oc_durations_bytes *read);

/* Whether all has been read, and could be. */
bool oc_durations_end(const oc_durations_bytes *read);

/* Makes `copy`, which is zero but for its role, a copy of its own. */
ocelotl_status oc_fold_copy(oc_fold *copy, const oc_fold *fold);

/* States or links of a value that are open: how many, and their ticks up to fold->time. */
typedef struct oc_open_sum {
    uint64_t count, ticks;
} oc_open_sum;

/* Gives them for each of fold->total_count totals. O(totals + open). */
void oc_fold_sum_open(oc_open_sum *sums, const oc_fold *fold);

/* What is open, below fold->open.count; 0 is the outermost. */
static inline oc_open *oc_fold_open(const oc_fold *fold, size_t index)
{
    return oc_open_list_at(&fold->open, sizeof(oc_open), index);
}

/* Whether every time multiplied by `factor` fits. */
bool oc_fold_is_refinable(const oc_fold *fold, uint64_t factor);

/* Multiplies every time by `factor`, which fits. */
void oc_fold_refine(oc_fold *fold, uint64_t factor);

/* A fold as bytes, and back; read times are in multiples of `unit` ticks. That of no record has no
 * bytes. */
void oc_fold_pack(oc_text *bytes, const oc_fold *fold);
ocelotl_status oc_fold_unpack(oc_fold *fold, const void *bytes, size_t length, uint64_t unit);

/* Reads the bytes of a fold one by one, for readers that keep another form: the totals, what is
 * open, the variable's value, the sums. Times are in ticks; impossible ones set `failed`. */
typedef struct oc_fold_bytes {
    oc_bytes_reader bytes;
    oc_role role;
    uint64_t unit;
    int64_t time;
    bool failed;
} oc_fold_bytes;

/* Begins to read; gives the number of totals. */
size_t oc_fold_bytes_begin(oc_fold_bytes *read, const void *bytes, size_t length, oc_role role,
                           uint64_t unit);

/* The next total; then how many are open, and the next of these. */
void oc_fold_bytes_total(oc_total *total, oc_fold_bytes *read);
size_t oc_fold_bytes_open_count(oc_fold_bytes *read);
void oc_fold_bytes_open(oc_open *open, oc_fold_bytes *read);

/* Whether a value comes next, and which; then the number of sums, and the next of these. */
bool oc_fold_bytes_number(double *number, oc_fold_bytes *read);
size_t oc_fold_bytes_sum_count(oc_fold_bytes *read);

/* Whether all has been read, and could be. */
bool oc_fold_bytes_end(const oc_fold_bytes *read);

#endif
