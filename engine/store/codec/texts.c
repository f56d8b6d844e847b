#include "store/codec/texts.h"

#include "base/memory.h"
#include "store/codec/columns.h"

#include <stdlib.h>
#include <string.h>

/* A number is a run of digits that is what printing it gives: without leading zeros. It stands as
 * the mark in the pattern, so texts with that byte have none. */
enum { MARK = 0, MOST_DIGITS = 18, LONGEST_PRINTED = 20 };

/* No chunk has more text, see columns.c. */
static const size_t most_text = (size_t)1 << 28;

static ocelotl_status damaged(void)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: attributes");
}

/* --- Texts of one attribute are stored together */

typedef struct sorting {
    uint32_t *order, *moved;
} sorting;

/* Sorts by one byte of the attribute, stably. */
static void sort_by_byte(sorting *sort, const uint32_t *keys, size_t stride, size_t count,
                         unsigned shift)
{
    size_t places[257] = {0};
    for (size_t i = 0; i < count; i++)
        places[((keys[i * stride] >> shift) & 0xFF) + 1]++;
    for (size_t b = 1; b < 256; b++)
        places[b] += places[b - 1];
    for (size_t i = 0; i < count; i++)
        sort->moved[places[(keys[sort->order[i] * stride] >> shift) & 0xFF]++] = sort->order[i];
    uint32_t *sorted = sort->moved;
    sort->moved = sort->order;
    sort->order = sorted;
}

/* Keys are `stride` numbers apart. *order stays NULL where all are of one attribute. */
static ocelotl_status sort_by_attribute(uint32_t **order, oc_texts_order *memory,
                                        const uint32_t *keys, size_t stride, size_t count)
{
    uint32_t bits = 0;
    *order = NULL;
    for (size_t i = 1; i < count; i++)
        bits |= keys[i * stride] ^ keys[0];
    if (bits == 0)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&memory->order, &memory->order_capacity, count, sizeof *memory->order));
    OC_TRY(oc_grow(&memory->moved, &memory->moved_capacity, count, sizeof *memory->moved));
    for (size_t i = 0; i < count; i++)
        memory->order[i] = (uint32_t)i;
    sorting sort = {memory->order, memory->moved};
    for (unsigned shift = 0; shift < 32; shift += 8)
        if (((bits >> shift) & 0xFF) != 0)
            sort_by_byte(&sort, keys, stride, count, shift);
    *order = sort.order;
    return OCELOTL_OK;
}

void oc_texts_order_free(oc_texts_order *order)
{
    free(order->order);
    free(order->moved);
    *order = (oc_texts_order){0};
}

/* --- Packing */

typedef struct cut_text {
    unsigned char pattern[OC_LONGEST_PATTERN];
    size_t length, count;
    uint64_t numbers[OC_MOST_SLOTS];
} cut_text;

/* Cuts a run of digits, which is a number, from a text; false where the pattern gets too long. */
static inline bool cut_run(cut_text *cut, const unsigned char *text, size_t run, uint64_t number)
{
    if (run > MOST_DIGITS || (run > 1 && text[0] == '0')) {
        if (run > OC_LONGEST_PATTERN - cut->length)
            return false;
        memcpy(cut->pattern + cut->length, text, run);
        cut->length += run;
        return true;
    }
    if (cut->count == OC_MOST_SLOTS || cut->length == OC_LONGEST_PATTERN)
        return false;
    cut->pattern[cut->length++] = MARK;
    cut->numbers[cut->count++] = number;
    return true;
}

static bool cut_up(cut_text *cut, const oc_carried_text *text)
{
    const unsigned char *next = text->bytes;
    const unsigned char *end = next + text->length;
    cut->length = cut->count = 0;
    while (next < end) {
        const unsigned char *first = next;
        uint64_t number = 0; /* of too many digits it is of no use */
        for (; next < end && *next >= '0' && *next <= '9'; next++)
            number = 10 * number + (*next - '0');
        if (next > first) {
            if (!cut_run(cut, first, (size_t)(next - first), number))
                return false;
            continue;
        }
        if (*next == MARK || cut->length == OC_LONGEST_PATTERN)
            return false;
        cut->pattern[cut->length++] = *next++;
    }
    return true;
}

typedef struct pattern {
    unsigned char bytes[OC_LONGEST_PATTERN];
    size_t length, first_slot, slots;
} pattern;

/* The texts of one attribute, as they are packed. */
typedef struct group {
    oc_texts_maker *maker;
    pattern patterns[OC_MOST_PATTERNS];
    size_t pattern_count, slot_count, last;
    uint64_t before[OC_MOST_SLOTS];
} group;

static bool is_pattern(const pattern *known, const cut_text *cut)
{
    return known->length == cut->length && memcmp(known->bytes, cut->pattern, cut->length) == 0;
}

static bool find_pattern(group *into, const cut_text *cut)
{
    if (into->pattern_count > 0 && is_pattern(&into->patterns[into->last], cut))
        return true;
    for (into->last = 0; into->last < into->pattern_count; into->last++)
        if (is_pattern(&into->patterns[into->last], cut))
            return true;
    if (into->pattern_count == OC_MOST_PATTERNS || cut->count > OC_MOST_SLOTS - into->slot_count)
        return false;
    pattern *made = &into->patterns[into->pattern_count++];
    memcpy(made->bytes, cut->pattern, cut->length);
    made->length = cut->length;
    made->first_slot = into->slot_count;
    made->slots = cut->count;
    for (size_t i = 0; i < cut->count; i++) {
        oc_text_clear(&into->maker->slots[into->slot_count]);
        into->before[into->slot_count++] = 0;
    }
    return true;
}

static bool add_text(group *into, const oc_carried_text *text)
{
    cut_text cut;
    if (!cut_up(&cut, text) || !find_pattern(into, &cut))
        return false;
    oc_bytes_add_unsigned(&into->maker->which, into->last);
    for (size_t i = 0; i < cut.count; i++) {
        const size_t slot = into->patterns[into->last].first_slot + i;
        oc_bytes_add_signed(&into->maker->slots[slot],
                            (int64_t)(cut.numbers[i] - into->before[slot]));
        into->before[slot] = cut.numbers[i];
    }
    return true;
}

static void append(oc_text *columns, const oc_text *column)
{
    columns->failed = columns->failed || column->failed;
    oc_text_append(columns, column->bytes != NULL ? column->bytes : "", column->length);
}

static void add_group(oc_text *columns, const group *packed)
{
    const oc_texts_maker *maker = packed->maker;
    oc_bytes_add_unsigned(columns, packed->pattern_count);
    for (size_t i = 0; i < packed->pattern_count; i++) {
        oc_bytes_add_unsigned(columns, packed->patterns[i].length);
        oc_text_append(columns, (const char *)packed->patterns[i].bytes,
                       packed->patterns[i].length);
    }
    if (packed->pattern_count > 1)
        append(columns, &maker->which);
    for (size_t i = 0; i < packed->slot_count; i++)
        append(columns, &maker->slots[i]);
}

static inline const oc_carried_text *text_at(const oc_carried_text *texts, const uint32_t *order,
                                             size_t index)
{
    return &texts[order != NULL ? order[index] : index];
}

/* The texts from `first` to before `end` in the order are of one attribute. */
static void pack_group(oc_text *columns, oc_texts_maker *maker, const oc_carried_text *texts,
                       const uint32_t *order, size_t first, size_t end)
{
    group into = {.maker = maker};
    bool fits = true;
    oc_text_clear(&maker->which);
    for (size_t i = first; i < end && fits; i++)
        fits = add_text(&into, text_at(texts, order, i));
    if (fits) {
        add_group(columns, &into);
        return;
    }
    oc_bytes_add_unsigned(columns, 0);
    for (size_t i = first; i < end; i++)
        oc_bytes_add_unsigned(columns, text_at(texts, order, i)->length);
    for (size_t i = first; i < end; i++) {
        const oc_carried_text *text = text_at(texts, order, i);
        oc_text_append(columns, (const char *)text->bytes, text->length);
    }
}

ocelotl_status oc_texts_pack(oc_text *columns, oc_texts_maker *maker, const oc_carried_text *texts,
                             size_t count)
{
    uint32_t *order = NULL;
    for (size_t i = 0; i < count; i++)
        oc_bytes_add_unsigned(columns, texts[i].attribute);
    if (count > 0)
        OC_TRY(sort_by_attribute(&order, &maker->order, &texts[0].attribute,
                                 sizeof *texts / sizeof(uint32_t), count));
    for (size_t first = 0; first < count;) {
        const uint32_t attribute = text_at(texts, order, first)->attribute;
        size_t end = first + 1;
        while (end < count && text_at(texts, order, end)->attribute == attribute)
            end++;
        pack_group(columns, maker, texts, order, first, end);
        first = end;
    }
    return columns->failed ? oc_fail_memory() : OCELOTL_OK;
}

void oc_texts_maker_free(oc_texts_maker *maker)
{
    oc_texts_order_free(&maker->order);
    oc_text_free(&maker->which);
    for (size_t i = 0; i < OC_MOST_SLOTS; i++)
        oc_text_free(&maker->slots[i]);
}

/* --- Unpacking */

typedef struct read_pattern {
    const char *bytes;
    size_t length, first_slot, slots;
    size_t uses;
} read_pattern;

typedef struct read_slot {
    oc_bytes_reader numbers;
    uint64_t before;
} read_slot;

/* The texts of one attribute, as they are read. */
typedef struct read_group {
    read_pattern patterns[OC_MOST_PATTERNS];
    read_slot slots[OC_MOST_SLOTS];
    size_t pattern_count, slot_count;
    oc_bytes_reader which;
} read_group;

static bool read_patterns(read_group *from, oc_bytes_reader *columns)
{
    for (size_t i = 0; i < from->pattern_count; i++) {
        const size_t length = oc_bytes_count(columns);
        const char *bytes = length <= OC_LONGEST_PATTERN ? oc_bytes_block(columns, length) : NULL;
        if (bytes == NULL)
            return false;
        size_t slots = 0;
        for (size_t b = 0; b < length; b++)
            slots += bytes[b] == MARK;
        if (slots > OC_MOST_SLOTS - from->slot_count)
            return false;
        from->patterns[i] = (read_pattern){bytes, length, from->slot_count, slots, 0};
        from->slot_count += slots;
    }
    return true;
}

/* Finds where each column of numbers begins. */
static bool find_columns(read_group *from, oc_bytes_reader *columns, size_t count)
{
    from->which = *columns;
    if (from->pattern_count == 1)
        from->patterns[0].uses = count;
    for (size_t i = 0; i < count && from->pattern_count > 1; i++) {
        const uint64_t which = oc_bytes_unsigned(columns);
        if (which >= from->pattern_count)
            return false;
        from->patterns[which].uses++;
    }
    for (size_t i = 0; i < from->pattern_count; i++)
        for (size_t s = 0; s < from->patterns[i].slots; s++) {
            from->slots[from->patterns[i].first_slot + s] = (read_slot){*columns, 0};
            oc_columns_skip(columns, from->patterns[i].uses);
        }
    return !columns->failed;
}

static ocelotl_status read_text(oc_record_attribute *attribute, oc_text *texts, read_group *from)
{
    const uint64_t which = from->pattern_count > 1 ? oc_bytes_unsigned(&from->which) : 0;
    const read_pattern *use = &from->patterns[which];
    read_slot *slot = &from->slots[use->first_slot];
    const size_t longest = use->length + use->slots * LONGEST_PRINTED + 1;
    if (texts->length > most_text)
        return damaged();
    OC_TRY(oc_grow(&texts->bytes, &texts->capacity, texts->length + longest, 1));
    char *next = texts->bytes + texts->length;
    for (size_t i = 0; i < use->length; i++) {
        if (use->bytes[i] != MARK) {
            *next++ = use->bytes[i];
            continue;
        }
        slot->before += (uint64_t)oc_bytes_signed(&slot->numbers);
        if (slot->numbers.failed)
            return damaged();
        next += oc_print_unsigned(next, slot->before);
        slot++;
    }
    *next = '\0';
    attribute->text = texts->length;
    attribute->length = (size_t)(next - texts->bytes) - texts->length;
    texts->length += attribute->length;
    return OCELOTL_OK;
}

static inline oc_record_attribute *attribute_at(oc_record_attribute *attributes,
                                                const uint32_t *order, size_t index)
{
    return &attributes[order != NULL ? order[index] : index];
}

static ocelotl_status read_plain(oc_record_attribute *attributes, const uint32_t *order,
                                 oc_text *texts, oc_bytes_reader *columns, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        attribute_at(attributes, order, i)->length = (size_t)oc_bytes_unsigned(columns);
    for (size_t i = first; i < end && !columns->failed; i++) {
        oc_record_attribute *attribute = attribute_at(attributes, order, i);
        const char *block = oc_bytes_block(columns, attribute->length);
        attribute->text = texts->length;
        if (block != NULL)
            oc_text_append(texts, block, attribute->length);
    }
    return texts->failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status read_texts(oc_record_attribute *attributes, const uint32_t *order,
                                 oc_text *texts, oc_bytes_reader *columns, size_t first, size_t end)
{
    read_group from;
    from.pattern_count = oc_bytes_count(columns);
    from.slot_count = 0;
    if (from.pattern_count == 0)
        return read_plain(attributes, order, texts, columns, first, end);
    if (from.pattern_count > OC_MOST_PATTERNS || !read_patterns(&from, columns) ||
        !find_columns(&from, columns, end - first))
        return damaged();
    for (size_t i = first; i < end; i++)
        OC_TRY(read_text(attribute_at(attributes, order, i), texts, &from));
    return OCELOTL_OK;
}

ocelotl_status oc_texts_unpack(oc_record_attribute *attributes, oc_text *texts,
                               oc_texts_order *memory, oc_bytes_reader *columns, size_t count)
{
    uint32_t *order = NULL;
    for (size_t i = 0; i < count; i++)
        attributes[i] = (oc_record_attribute){.attribute = oc_bytes_index(columns)};
    if (count > 0)
        OC_TRY(sort_by_attribute(&order, memory, &attributes[0].attribute,
                                 sizeof *attributes / sizeof(uint32_t), count));
    for (size_t first = 0; first < count && !columns->failed;) {
        const uint32_t attribute = attribute_at(attributes, order, first)->attribute;
        size_t end = first + 1;
        while (end < count && attribute_at(attributes, order, end)->attribute == attribute)
            end++;
        OC_TRY(read_texts(attributes, order, texts, columns, first, end));
        first = end;
    }
    return columns->failed ? damaged() : OCELOTL_OK;
}
