#include "store/codec/fold.h"

#include "base/memory.h"
#include "store/codec/packing.h"

#include <stdlib.h>
#include <string.h>

void oc_fold_free(oc_fold *fold)
{
    free(fold->totals);
    oc_open_list_free(&fold->open);
    free(fold->sums);
    free(fold->slots);
    *fold = (oc_fold){.role = fold->role};
}

void oc_fold_clear(oc_fold *fold)
{
    if (fold->total_count > 0)
        memset(fold->slots, 0, fold->slot_count * sizeof *fold->slots);
    oc_open_list_shorten(&fold->open, sizeof(oc_open), 0);
    fold->total_count = 0;
    fold->sum_count = 0;
    fold->has_number = false;
    fold->number = 0;
    fold->time = 0;
}

static ocelotl_status damaged(const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: %s", what);
}

/* Finds the slot of a value's total, or the free slot where it belongs; the table has free slots.
 * The place depends on the table's address, so an attacker cannot choose values that collide. */
static inline uint32_t *find_slot(const oc_fold *fold, uint32_t value)
{
    const uint64_t place = (uint64_t)(uintptr_t)fold->slots >> 4;
    size_t i = (size_t)((value ^ place) * 0x9E3779B97F4A7C15u >> 32) & (fold->slot_count - 1);
    while (fold->slots[i] != 0 && fold->totals[fold->slots[i] - 1].value != value)
        i = (i + 1) & (fold->slot_count - 1);
    return &fold->slots[i];
}

static ocelotl_status enlarge_table(oc_fold *fold)
{
    uint32_t *slots = NULL;
    const size_t count = fold->slot_count == 0 ? 4 : 2 * fold->slot_count;
    OC_TRY(oc_allocate(&slots, count, sizeof *slots));
    free(fold->slots);
    fold->slots = slots;
    fold->slot_count = count;
    for (size_t i = 0; i < fold->total_count; i++)
        *find_slot(fold, fold->totals[i].value) = (uint32_t)i + 1;
    return OCELOTL_OK;
}

/* The place of a value's total, made where it is missing. */
static inline ocelotl_status find_total(size_t *index, oc_fold *fold, uint32_t value)
{
    if (2 * fold->total_count >= fold->slot_count)
        OC_TRY(enlarge_table(fold));
    uint32_t *slot = find_slot(fold, value);
    if (*slot == 0) {
        OC_TRY(oc_grow_few(&fold->totals, &fold->total_capacity, fold->total_count + 1,
                           sizeof *fold->totals));
        fold->totals[fold->total_count++] = (oc_total){.value = value};
        *slot = (uint32_t)fold->total_count;
    }
    *index = *slot - 1;
    return OCELOTL_OK;
}

static inline ocelotl_status advance(oc_fold *fold, int64_t time)
{
    int64_t passed;
    if (time < fold->time || __builtin_sub_overflow(time, fold->time, &passed))
        return damaged("time goes back");
    if (fold->role == OC_ROLE_STATES && fold->open.count > 0) {
        oc_total *total = &fold->totals[oc_fold_open(fold, fold->open.count - 1)->total];
        if (!oc_add_times(&total->innermost, total->innermost, passed))
            return damaged("a total out of range");
    }
    if (fold->role == OC_ROLE_VARIABLE && fold->has_number)
        fold->totals[0].integral += fold->number * (double)passed;
    fold->time = time;
    return OCELOTL_OK;
}

ocelotl_status oc_fold_advance(oc_fold *fold, int64_t time)
{
    return advance(fold, time);
}

static inline ocelotl_status add_duration(oc_total *total, int64_t begin, int64_t end)
{
    int64_t duration;
    if (__builtin_sub_overflow(end, begin, &duration) ||
        !oc_add_times(&total->closed, total->closed, duration))
        return damaged("a duration out of range");
    return OCELOTL_OK;
}

static inline ocelotl_status end_open(oc_fold *fold, const oc_record *record)
{
    size_t index = 0;
    OC_TRY(oc_open_list_find(&index, &fold->open, record->depth));
    const oc_open ended = *oc_fold_open(fold, index);
    OC_TRY(oc_open_list_remove(&fold->open, sizeof ended, index));
    /* A link that ends before it begins is in flight for no time. */
    if (record->duration < 0)
        return OCELOTL_OK;
    OC_TRY(add_duration(&fold->totals[ended.total], ended.begin, record->time));
    return record->duration == 0 ? OCELOTL_OK
                                 : add_duration(&fold->totals[ended.total], 0, record->duration);
}

static inline ocelotl_status begin_open(oc_fold *fold, const oc_record *record)
{
    size_t total;
    OC_TRY(find_total(&total, fold, record->value));
    fold->totals[total].count++;
    oc_open *open;
    OC_TRY(oc_open_list_begin(&open, &fold->open, sizeof *open));
    *open = (oc_open){.begin = record->time, .total = (uint32_t)total};
    if (fold->open.count > fold->deepest)
        fold->deepest = fold->open.count;
    return OCELOTL_OK;
}

static ocelotl_status add_to_sum(oc_fold *fold, uint32_t attribute, double number)
{
    size_t low = 0;
    size_t high = fold->sum_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (fold->sums[middle].attribute < attribute)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == fold->sum_count || fold->sums[low].attribute != attribute) {
        OC_TRY(
            oc_grow_few(&fold->sums, &fold->sum_capacity, fold->sum_count + 1, sizeof *fold->sums));
        memmove(&fold->sums[low + 1], &fold->sums[low],
                (fold->sum_count - low) * sizeof *fold->sums);
        fold->sums[low] = (oc_attribute_sum){.attribute = attribute};
        fold->sum_count++;
    }
    fold->sums[low].sum += number;
    return OCELOTL_OK;
}

static bool is_link(const oc_fold *fold)
{
    return fold->role == OC_ROLE_LINKS_OUT || fold->role == OC_ROLE_LINKS_IN;
}

static ocelotl_status sum_attribute(oc_fold *fold, uint32_t attribute, const char *text,
                                    size_t length)
{
    double number;
    return oc_bytes_are_number(&number, text, length) ? add_to_sum(fold, attribute, number)
                                                      : OCELOTL_OK;
}

static inline ocelotl_status apply_instant(oc_fold *fold, const oc_record *record)
{
    size_t total;
    OC_TRY(find_total(&total, fold, fold->role == OC_ROLE_VARIABLE ? OCELOTL_NONE : record->value));
    fold->totals[total].count++;
    if (fold->role == OC_ROLE_VARIABLE) {
        fold->has_number = true;
        fold->number = record->number;
    }
    if (fold->role == OC_ROLE_LINKS_IN && record->duration > 0)
        return add_duration(&fold->totals[total], 0, record->duration);
    return OCELOTL_OK;
}

bool oc_fold_accepts(const oc_fold *fold, const oc_record *record)
{
    if (!record->ends && record->duration <= 0)
        return true;
    int64_t sum = record->duration > 0 ? record->duration : 0;
    int64_t lasted = 0;
    uint32_t total = 0; /* + 1 */
    if (record->ends) {
        if (record->depth >= fold->open.count || record->duration < 0)
            return true;
        const oc_open *open = oc_fold_open(fold, fold->open.count - 1 - record->depth);
        if (__builtin_sub_overflow(record->time, open->begin, &lasted))
            return false;
        total = open->total + 1;
    } else if (fold->slot_count > 0) {
        total = *find_slot(fold, record->value);
    }
    return oc_add_times(&sum, sum, lasted) &&
           (total == 0 || oc_add_times(&sum, sum, fold->totals[total - 1].closed));
}

/* Applies a record, except its attributes. */
static inline ocelotl_status apply_record(oc_fold *fold, const oc_record *record)
{
    /* Before its first record nothing has begun to pass. */
    if (fold->total_count == 0)
        fold->time = record->time;
    OC_TRY(advance(fold, record->time));
    if (fold->role != OC_ROLE_STATES && fold->role != OC_ROLE_LINKS_OUT)
        return apply_instant(fold, record);
    return record->ends ? end_open(fold, record) : begin_open(fold, record);
}

ocelotl_status oc_fold_apply(oc_fold *fold, const oc_records *records, const oc_record *record)
{
    OC_TRY(apply_record(fold, record));
    if (!is_link(fold))
        return OCELOTL_OK;
    for (uint32_t i = 0; i < record->attribute_count; i++) {
        const oc_record_attribute *attribute = &records->attributes[record->attribute_first + i];
        OC_TRY(sum_attribute(fold, attribute->attribute, records->text.bytes + attribute->text,
                             attribute->length));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_fold_take(oc_fold *fold, const oc_record *record,
                            const ocelotl_attribute_value *attributes, size_t attribute_count)
{
    OC_TRY(apply_record(fold, record));
    if (!is_link(fold))
        return OCELOTL_OK;
    for (size_t i = 0; i < attribute_count; i++)
        if (attributes[i].text != NULL)
            OC_TRY(sum_attribute(fold, attributes[i].attribute, attributes[i].text,
                                 attributes[i].length));
    return OCELOTL_OK;
}

void oc_chunk_facts_clear(oc_chunk_facts *facts)
{
    facts->has_numbers = false;
    facts->duration_count = 0;
    facts->content = NULL;
}

void oc_chunk_facts_free(oc_chunk_facts *facts)
{
    free(facts->durations);
    *facts = (oc_chunk_facts){0};
}

static inline ocelotl_status note_duration(oc_chunk_facts *facts, size_t total, int64_t duration)
{
    if (total >= facts->duration_count)
        OC_TRY(oc_grow(&facts->durations, &facts->duration_capacity, total + 1,
                       sizeof *facts->durations));
    while (facts->duration_count <= total)
        facts->durations[facts->duration_count++] = (oc_duration_range){INT64_MAX, INT64_MIN};
    oc_duration_range *range = &facts->durations[total];
    range->low = duration < range->low ? duration : range->low;
    range->high = duration > range->high ? duration : range->high;
    return OCELOTL_OK;
}

/* Notes the facts of a record before it is taken. */
static inline ocelotl_status note_record(oc_chunk_facts *facts, const oc_fold *fold,
                                         const oc_record *record)
{
    if (fold->role == OC_ROLE_VARIABLE) {
        const bool first = !facts->has_numbers;
        facts->low = first || record->number < facts->low ? record->number : facts->low;
        facts->high = first || record->number > facts->high ? record->number : facts->high;
        facts->has_numbers = true;
    }
    if (!record->ends || record->depth >= fold->open.count)
        return OCELOTL_OK;
    const oc_open *open = oc_fold_open(fold, fold->open.count - 1 - record->depth);
    return note_duration(facts, open->total, record->time - open->begin + record->duration);
}

static void hash_record(const oc_chunk_facts *facts, oc_role role, const oc_record *record)
{
    oc_identity word = oc_content_end(record->depth);
    if (role == OC_ROLE_VARIABLE) {
        memcpy(&word.first, &record->number, sizeof word.first);
        word.second = word.first;
    } else if (!record->ends) {
        word = oc_identity_at(facts->values, record->value);
    }
    oc_content_take(facts->content, word, record->time);
    if (oc_record_has_partner(record, role))
        oc_content_take(facts->content, oc_identity_at(facts->resources, record->partner),
                        record->duration);
    facts->content->count++;
}

/* Folds the attributes of a record that has some. */
static ocelotl_status fold_attributes(oc_fold *fold, const oc_chunk_facts *facts,
                                      const unsigned char **next, uint64_t count)
{
    oc_identity word = {0, 0};
    const bool sums = is_link(fold);
    for (; count > 0; count--) {
        ocelotl_attribute_value attribute;
        *next = oc_packing_attribute(&attribute, *next);
        if (sums)
            OC_TRY(sum_attribute(fold, attribute.attribute, attribute.text, attribute.length));
        if (facts->content != NULL)
            oc_content_add_attribute(&word, oc_identity_at(facts->attributes, attribute.attribute),
                                     attribute.text, attribute.length);
    }
    if (facts->content != NULL)
        oc_content_take(facts->content, word, 0);
    return OCELOTL_OK;
}

/* Folds any record; *next moves behind it. */
static ocelotl_status fold_record(oc_fold *fold, oc_chunk_facts *facts, const unsigned char **next,
                                  const int64_t *before)
{
    oc_record record;
    uint64_t attributes;
    *next = oc_packing_record(&record, *next, fold->role, before);
    *next = oc_packing_unsigned(&attributes, *next);
    OC_TRY(note_record(facts, fold, &record));
    OC_TRY(apply_record(fold, &record));
    if (fold->role == OC_ROLE_LINKS_IN && record.partner != OCELOTL_NONE)
        OC_TRY(note_duration(facts, *find_slot(fold, record.value) - 1, record.duration));
    if (facts->content != NULL)
        hash_record(facts, fold->role, &record);
    return attributes == 0 ? OCELOTL_OK : fold_attributes(fold, facts, next, attributes);
}

/* Folds states pushed and popped without attributes, which are most records, up to the first record
 * of another kind. */
static ocelotl_status fold_states(size_t *folded, oc_fold *fold, oc_chunk_facts *facts,
                                  const unsigned char **next, size_t count)
{
    const unsigned char *bytes = *next;
    for (*folded = 0; *folded < count; ++*folded) {
        uint64_t step;
        uint64_t code;
        const unsigned char *end = oc_packing_unsigned(&step, bytes);
        end = oc_packing_unsigned(&code, end);
        if (code == OC_CODE_END_DEEPER || *end != 0)
            break;
        if (step > 0)
            OC_TRY(advance(fold, (int64_t)((uint64_t)fold->time + step)));
        oc_record record = {.time = fold->time, .ends = code == OC_CODE_END};
        if (record.ends) {
            OC_TRY(note_record(facts, fold, &record));
            OC_TRY(end_open(fold, &record));
        } else {
            record.value = (uint32_t)(code - OC_CODE_BEGIN) - 1;
            OC_TRY(begin_open(fold, &record));
        }
        if (facts->content != NULL)
            hash_record(facts, OC_ROLE_STATES, &record);
        bytes = end + 1;
    }
    *next = bytes;
    return OCELOTL_OK;
}

ocelotl_status oc_fold_packing(oc_fold *fold, oc_chunk_facts *facts, const unsigned char *bytes,
                               size_t count)
{
    for (size_t i = 0; i < count;) {
        size_t folded = 0;
        if (i > 0 && fold->role == OC_ROLE_STATES)
            OC_TRY(fold_states(&folded, fold, facts, &bytes, count - i));
        i += folded;
        if (i == count)
            break;
        /* The first one's time is since 0. */
        OC_TRY(fold_record(fold, facts, &bytes, i > 0 ? &fold->time : NULL));
        i++;
    }
    return OCELOTL_OK;
}

/* --- Durations as bytes, see docs/developer/store.md */

typedef struct value_range {
    uint64_t id; /* optional */
    oc_duration_range range;
} value_range;

static int compare_ids(const void *a, const void *b)
{
    const uint64_t first = ((const value_range *)a)->id;
    const uint64_t second = ((const value_range *)b)->id;
    return (first > second) - (first < second);
}

ocelotl_status oc_durations_pack(oc_text *bytes, const oc_chunk_facts *facts, const oc_fold *fold)
{
    value_range *ranges = NULL;
    size_t count = 0;
    uint64_t before = 0;
    OC_TRY(oc_allocate(&ranges, facts->duration_count, sizeof *ranges));
    for (size_t i = 0; i < facts->duration_count; i++)
        if (facts->durations[i].low <= facts->durations[i].high)
            ranges[count++] =
                (value_range){(uint32_t)(fold->totals[i].value + 1), facts->durations[i]};
    qsort(ranges, count, sizeof *ranges, compare_ids);
    oc_text_clear(bytes);
    for (size_t i = 0; i < count; i++) {
        const uint64_t more = (uint64_t)ranges[i].range.high - (uint64_t)ranges[i].range.low;
        oc_bytes_add_unsigned(bytes, 2 * (ranges[i].id - before) + (more > 0));
        oc_bytes_add_signed(bytes, ranges[i].range.low);
        if (more > 0)
            oc_bytes_add_unsigned(bytes, more);
        before = ranges[i].id;
    }
    free(ranges);
    return bytes->failed ? oc_fail_memory() : OCELOTL_OK;
}

void oc_durations_begin(oc_durations_bytes *read, const void *bytes, size_t length, uint64_t unit)
{
    *read = (oc_durations_bytes){.bytes = oc_bytes_read(bytes, length), .unit = unit};
}

bool oc_durations_next(uint32_t *value, oc_duration_range *range, oc_durations_bytes *read)
{
    int64_t high = 0;
    if (read->bytes.next == read->bytes.end || read->failed)
        return false;
    const uint64_t head = oc_bytes_unsigned(&read->bytes);
    const uint64_t step = head >> 1;
    const int64_t low = oc_bytes_signed(&read->bytes);
    const uint64_t more = (head & 1) != 0 ? oc_bytes_unsigned(&read->bytes) : 0;
    read->before += step;
    read->failed = read->bytes.failed || (read->any && step == 0) || step > UINT32_MAX ||
                   read->before > UINT32_MAX || __builtin_add_overflow(low, more, &high) ||
                   !oc_multiply_time(&range->low, low, read->unit) ||
                   !oc_multiply_time(&range->high, high, read->unit);
    read->any = true;
    *value = (uint32_t)read->before - 1;
    return !read->failed;
}

bool oc_durations_end(const oc_durations_bytes *read)
{
    return !read->failed && read->bytes.next == read->bytes.end;
}

ocelotl_status oc_fold_copy(oc_fold *copy, const oc_fold *fold)
{
    OC_TRY(oc_grow(&copy->sums, &copy->sum_capacity, fold->sum_count, sizeof *copy->sums));
    for (size_t i = 0; i < fold->total_count; i++) {
        size_t total;
        OC_TRY(find_total(&total, copy, fold->totals[i].value));
        copy->totals[total] = fold->totals[i];
    }
    for (size_t i = 0; i < fold->open.count; i++) {
        oc_open *open;
        OC_TRY(oc_open_list_begin(&open, &copy->open, sizeof *open));
        *open = *oc_fold_open(fold, i);
    }
    for (; copy->sum_count < fold->sum_count; copy->sum_count++)
        copy->sums[copy->sum_count] = fold->sums[copy->sum_count];
    copy->time = fold->time;
    copy->has_number = fold->has_number;
    copy->number = fold->number;
    return OCELOTL_OK;
}

void oc_fold_sum_open(oc_open_sum *sums, const oc_fold *fold)
{
    for (size_t i = 0; i < fold->total_count; i++)
        sums[i] = (oc_open_sum){0};
    for (size_t i = 0; i < fold->open.count; i++) {
        const oc_open *open = oc_fold_open(fold, i);
        sums[open->total].count++;
        sums[open->total].ticks += (uint64_t)fold->time - (uint64_t)open->begin;
    }
}

bool oc_fold_is_refinable(const oc_fold *fold, uint64_t factor)
{
    int64_t product;
    bool fits = oc_multiply_time(&product, fold->time, factor);
    for (size_t i = 0; i < fold->total_count && fits; i++)
        fits = oc_multiply_time(&product, fold->totals[i].innermost, factor) &&
               oc_multiply_time(&product, fold->totals[i].closed, factor);
    for (size_t i = 0; i < fold->open.count && fits; i++)
        fits = oc_multiply_time(&product, oc_fold_open(fold, i)->begin, factor);
    return fits;
}

void oc_fold_refine(oc_fold *fold, uint64_t factor)
{
    const int64_t times = (int64_t)factor;
    fold->time *= times;
    for (size_t i = 0; i < fold->total_count; i++) {
        fold->totals[i].innermost *= times;
        fold->totals[i].closed *= times;
        fold->totals[i].integral *= (double)factor;
    }
    for (size_t i = 0; i < fold->open.count; i++)
        oc_fold_open(fold, i)->begin *= times;
}

void oc_fold_pack(oc_text *bytes, const oc_fold *fold)
{
    if (fold->total_count == 0)
        return;
    oc_bytes_add_signed(bytes, fold->time);
    oc_bytes_add_unsigned(bytes, fold->total_count);
    for (size_t i = 0; i < fold->total_count; i++) {
        const oc_total *total = &fold->totals[i];
        oc_bytes_add_unsigned(bytes, (uint32_t)(total->value + 1));
        oc_bytes_add_unsigned(bytes, total->count);
        oc_bytes_add_signed(bytes, total->innermost);
        oc_bytes_add_signed(bytes, total->closed);
        if (fold->role == OC_ROLE_VARIABLE)
            oc_bytes_add_double(bytes, total->integral);
    }
    oc_bytes_add_unsigned(bytes, fold->open.count);
    for (size_t i = 0; i < fold->open.count; i++) {
        oc_bytes_add_unsigned(bytes, oc_fold_open(fold, i)->total);
        oc_bytes_add_signed(
            bytes, (int64_t)((uint64_t)fold->time - (uint64_t)oc_fold_open(fold, i)->begin));
    }
    oc_bytes_add_unsigned(bytes, fold->has_number);
    if (fold->has_number)
        oc_bytes_add_double(bytes, fold->number);
    oc_bytes_add_unsigned(bytes, fold->sum_count);
    for (size_t i = 0; i < fold->sum_count; i++) {
        oc_bytes_add_unsigned(bytes, fold->sums[i].attribute);
        oc_bytes_add_double(bytes, fold->sums[i].sum);
    }
}

/* --- From bytes */

static int64_t read_time(oc_fold_bytes *read)
{
    int64_t time = 0;
    if (!oc_multiply_time(&time, oc_bytes_signed(&read->bytes), read->unit))
        read->failed = true;
    return time;
}

size_t oc_fold_bytes_begin(oc_fold_bytes *read, const void *bytes, size_t length, oc_role role,
                           uint64_t unit)
{
    static const unsigned char nothing[5] = {0};
    *read = (oc_fold_bytes){.bytes = length > 0 ? oc_bytes_read(bytes, length)
                                                : oc_bytes_read(nothing, sizeof nothing),
                            .role = role,
                            .unit = unit};
    read->time = read_time(read);
    return oc_bytes_count(&read->bytes);
}

void oc_fold_bytes_total(oc_total *total, oc_fold_bytes *read)
{
    *total = (oc_total){.value = oc_bytes_index(&read->bytes) - 1};
    total->count = oc_bytes_unsigned(&read->bytes);
    total->innermost = read_time(read);
    total->closed = read_time(read);
    if (read->role == OC_ROLE_VARIABLE)
        total->integral = oc_bytes_double(&read->bytes) * (double)read->unit;
}

size_t oc_fold_bytes_open_count(oc_fold_bytes *read)
{
    return oc_bytes_count(&read->bytes);
}

void oc_fold_bytes_open(oc_open *open, oc_fold_bytes *read)
{
    *open = (oc_open){.total = oc_bytes_index(&read->bytes)};
    if (__builtin_sub_overflow(read->time, read_time(read), &open->begin))
        read->failed = true;
}

bool oc_fold_bytes_number(double *number, oc_fold_bytes *read)
{
    const bool there = oc_bytes_unsigned(&read->bytes) != 0;
    *number = there ? oc_bytes_double(&read->bytes) : 0;
    return there;
}

size_t oc_fold_bytes_sum_count(oc_fold_bytes *read)
{
    return oc_bytes_count(&read->bytes);
}

static void fold_bytes_sum(oc_attribute_sum *sum, oc_fold_bytes *read)
{
    sum->attribute = oc_bytes_index(&read->bytes);
    sum->sum = oc_bytes_double(&read->bytes);
}

bool oc_fold_bytes_end(const oc_fold_bytes *read)
{
    return !read->failed && !read->bytes.failed && read->bytes.next == read->bytes.end;
}

ocelotl_status oc_fold_unpack(oc_fold *fold, const void *bytes, size_t length, uint64_t unit)
{
    oc_fold_bytes read;
    oc_fold_clear(fold);
    const size_t totals = oc_fold_bytes_begin(&read, bytes, length, fold->role, unit);
    fold->time = read.time;
    for (size_t i = 0; i < totals && !read.bytes.failed; i++) {
        oc_total total;
        size_t index;
        oc_fold_bytes_total(&total, &read);
        OC_TRY(find_total(&index, fold, total.value));
        if (index != i)
            return damaged("a value twice");
        fold->totals[i] = total;
    }
    const size_t open = oc_fold_bytes_open_count(&read);
    for (size_t i = 0; i < open && !read.bytes.failed; i++) {
        oc_open *item;
        OC_TRY(oc_open_list_begin(&item, &fold->open, sizeof *item));
        oc_fold_bytes_open(item, &read);
        if (item->total >= fold->total_count)
            return damaged("something open that cannot be");
    }
    fold->has_number = oc_fold_bytes_number(&fold->number, &read);
    const size_t sums = oc_fold_bytes_sum_count(&read);
    for (size_t i = 0; i < sums && !read.bytes.failed; i++) {
        oc_attribute_sum sum;
        fold_bytes_sum(&sum, &read);
        OC_TRY(add_to_sum(fold, sum.attribute, sum.sum));
    }
    if (fold->role == OC_ROLE_VARIABLE && fold->has_number && fold->total_count != 1)
        read.failed = true;
    return oc_fold_bytes_end(&read) ? OCELOTL_OK : damaged("running totals");
}
