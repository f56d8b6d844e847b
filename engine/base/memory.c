#define _DEFAULT_SOURCE
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Both take a pointer to any object pointer; memcpy is how C writes one without its type. */

ocelotl_status oc_allocate(void *memory, size_t count, size_t size)
{
    void *block = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    if (block == NULL)
        return oc_fail_memory();
    memcpy(memory, &block, sizeof block);
    return OCELOTL_OK;
}

/* Rounded up to whole units, at least one. */
static ocelotl_status allocate_in_units(void **block, size_t *bytes, size_t count, size_t size,
                                        size_t unit)
{
    if (__builtin_mul_overflow(count, size, bytes) || *bytes > SIZE_MAX - unit)
        return oc_fail_memory();
    *bytes = (*bytes / unit + 1) * unit;
    *block = aligned_alloc(unit, *bytes);
    return *block != NULL ? OCELOTL_OK : oc_fail_memory();
}

ocelotl_status oc_allocate_aligned(void *memory, size_t count, size_t size)
{
    void *block;
    size_t bytes;
    OC_TRY(allocate_in_units(&block, &bytes, count, size, 64));
    memset(block, 0, bytes);
    memcpy(memory, &block, sizeof block);
    return OCELOTL_OK;
}

ocelotl_status oc_allocate_large(void *memory, size_t count, size_t size)
{
    const size_t huge_page = (size_t)2 << 20;
    void *block;
    size_t bytes;
    if (size > 0 && count < huge_page / size)
        return oc_allocate(memory, count, size);
    OC_TRY(allocate_in_units(&block, &bytes, count, size, huge_page));
#ifdef MADV_HUGEPAGE
    (void)madvise(block, bytes, MADV_HUGEPAGE); /* a wish */
#endif
    memcpy(memory, &block, sizeof block);
    return OCELOTL_OK;
}

ocelotl_status oc_grow(void *items, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity)
        return OCELOTL_OK;
    size_t wanted = *capacity < 8 ? 8 : *capacity;
    while (wanted < needed) {
        if (wanted > SIZE_MAX / 2)
            return oc_fail_memory();
        wanted *= 2;
    }
    if (wanted > SIZE_MAX / size)
        return oc_fail_memory();
    void *block;
    memcpy(&block, items, sizeof block);
    block = realloc(block, wanted * size);
    if (block == NULL)
        return oc_fail_memory();
    memcpy(items, &block, sizeof block);
    *capacity = wanted;
    return OCELOTL_OK;
}

ocelotl_status oc_grow_few(void *items, size_t *capacity, size_t needed, size_t size)
{
    const size_t few = 2;
    if (*capacity > 0 || needed > few)
        return oc_grow(items, capacity, needed, size);
    OC_TRY(oc_allocate(items, few, size));
    *capacity = few;
    return OCELOTL_OK;
}

ocelotl_status oc_copy_text(char **copy, const char *text)
{
    const size_t length = strlen(text);
    OC_TRY(oc_allocate(copy, length + 1, 1));
    memcpy(*copy, text, length + 1);
    return OCELOTL_OK;
}

ocelotl_status oc_copy_optional(char **copy, const char *text)
{
    return text != NULL ? oc_copy_text(copy, text) : OCELOTL_OK;
}

/* --- Arrays with holes */

enum { WORD = 64, FEW = 64 };

/* A bit for each place that has an item, and a Fenwick tree of their number in each word. */
struct oc_holes {
    uint64_t *items;
    uint32_t *sums;  /* of words: sums[i] is of those that the tree has at i + 1 */
    size_t capacity; /* of words, a power of two */
    size_t places, holes;
};

void oc_holes_free(oc_holes *holes)
{
    if (holes == NULL)
        return;
    free(holes->items);
    free(holes->sums);
    free(holes);
}

static size_t count_bits(uint64_t word)
{
    return (size_t)__builtin_popcountll(word);
}

/* Adds each word's number to the next one above it in the tree. */
static void sum_all(oc_holes *holes)
{
    for (size_t i = 0; i < holes->capacity; i++)
        holes->sums[i] = (uint32_t)count_bits(holes->items[i]);
    for (size_t i = 1; i <= holes->capacity; i++) {
        const size_t above = i + (i & (0 - i));
        if (above <= holes->capacity)
            holes->sums[above - 1] += holes->sums[i - 1];
    }
}

static void fill(oc_holes *holes, size_t count)
{
    memset(holes->items, 0, holes->capacity * sizeof *holes->items);
    memset(holes->items, 0xff, count / WORD * sizeof *holes->items);
    if (count % WORD != 0)
        holes->items[count / WORD] = ((uint64_t)1 << count % WORD) - 1;
    holes->places = count;
    holes->holes = 0;
    sum_all(holes);
}

static ocelotl_status make(oc_holes **made, size_t count)
{
    oc_holes *holes = NULL;
    OC_TRY(oc_allocate(&holes, 1, sizeof *holes));
    for (holes->capacity = 1; holes->capacity * WORD < 2 * count;)
        holes->capacity *= 2;
    ocelotl_status status = oc_allocate(&holes->items, holes->capacity, sizeof *holes->items);
    if (status == OCELOTL_OK)
        status = oc_allocate(&holes->sums, holes->capacity, sizeof *holes->sums);
    if (status != OCELOTL_OK) {
        oc_holes_free(holes);
        return status;
    }
    fill(holes, count);
    *made = holes;
    return OCELOTL_OK;
}

size_t oc_holes_count(const oc_holes *holes)
{
    return holes->places;
}

bool oc_holes_has(const oc_holes *holes, size_t place)
{
    return holes == NULL || (holes->items[place / WORD] >> place % WORD & 1) != 0;
}

size_t oc_holes_before(const oc_holes *holes, size_t place)
{
    if (holes == NULL)
        return place;
    const size_t word = place / WORD;
    size_t before = place % WORD == 0
                        ? 0
                        : count_bits(holes->items[word] & (((uint64_t)1 << place % WORD) - 1));
    for (size_t i = word; i > 0; i &= i - 1)
        before += holes->sums[i - 1];
    return before;
}

size_t oc_holes_find(const oc_holes *holes, size_t rank)
{
    if (holes->holes == 0)
        return rank;
    if (rank + 1 == holes->places - holes->holes)
        return holes->places - 1;
    size_t word = 0;
    for (size_t step = holes->capacity; step > 0; step /= 2)
        if (word + step <= holes->capacity && holes->sums[word + step - 1] <= rank) {
            word += step;
            rank -= holes->sums[word - 1];
        }
    uint64_t bits = holes->items[word];
    for (; rank > 0; rank--)
        bits &= bits - 1;
    return word * WORD + (size_t)__builtin_ctzll(bits);
}

static void change(oc_holes *holes, size_t place, bool has)
{
    const uint64_t bit = (uint64_t)1 << place % WORD;
    holes->items[place / WORD] =
        has ? holes->items[place / WORD] | bit : holes->items[place / WORD] & ~bit;
    for (size_t i = place / WORD + 1; i <= holes->capacity; i += i & (0 - i))
        holes->sums[i - 1] += has ? 1 : UINT32_MAX;
}

static ocelotl_status enlarge(oc_holes *holes)
{
    uint64_t *items = realloc(holes->items, 2 * holes->capacity * sizeof *items);
    if (items == NULL)
        return oc_fail_memory();
    holes->items = items;
    uint32_t *sums = realloc(holes->sums, 2 * holes->capacity * sizeof *sums);
    if (sums == NULL)
        return oc_fail_memory();
    holes->sums = sums;
    memset(items + holes->capacity, 0, holes->capacity * sizeof *items);
    holes->capacity *= 2;
    sum_all(holes);
    return OCELOTL_OK;
}

ocelotl_status oc_holes_note(oc_holes *holes)
{
    if (holes->places == holes->capacity * WORD)
        OC_TRY(enlarge(holes));
    change(holes, holes->places, true);
    holes->places++;
    return OCELOTL_OK;
}

/* Moves all items to the places that they have without holes. */
static void move_together(oc_holes *holes, char *items, size_t size)
{
    size_t to = 0;
    for (size_t place = 0; place < holes->places; place++) {
        if (!oc_holes_has(holes, place))
            continue;
        if (to < place)
            memcpy(items + to * size, items + place * size, size);
        to++;
    }
    fill(holes, to);
}

ocelotl_status oc_holes_take_out(oc_holes **given, void *items, size_t size, size_t count,
                                 size_t rank)
{
    if (*given == NULL && count - rank <= FEW) {
        char *place = (char *)items + rank * size;
        memmove(place, place + size, (count - 1 - rank) * size);
        return OCELOTL_OK;
    }
    if (*given == NULL)
        OC_TRY(make(given, count));
    oc_holes *holes = *given;
    change(holes, oc_holes_find(holes, rank), false);
    holes->holes++;
    /* The last place has an item. */
    while (holes->places > 0 && !oc_holes_has(holes, holes->places - 1)) {
        holes->places--;
        holes->holes--;
    }
    if (holes->holes > count + FEW || count <= FEW)
        move_together(holes, items, size);
    if (count <= FEW) {
        oc_holes_free(holes);
        *given = NULL;
    }
    return OCELOTL_OK;
}

void oc_holes_close(oc_holes **holes, void *items, size_t size)
{
    if (*holes != NULL)
        move_together(*holes, items, size);
    oc_holes_free(*holes);
    *holes = NULL;
}
