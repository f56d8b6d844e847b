/* Resources that are called by numbers. */
#include "base/memory.h"
#include "importers/csv/sheet.h"

#include <stdlib.h>
#include <string.h>

/* A resource among its siblings. */
typedef struct sibling {
    uint32_t parent, resource;
    bool is_number;
    uint64_t number, turn;
} sibling;

static bool read_number(uint64_t *number, const char *name)
{
    enum { MOST_DIGITS = 18 };
    const size_t length = strlen(name);
    *number = strtoull(name, NULL, 10);
    return length > 0 && length <= MOST_DIGITS && strspn(name, "0123456789") == length;
}

static int compare(uint64_t left, uint64_t right)
{
    return (left > right) - (left < right);
}

static int compare_turns(const void *left, const void *right)
{
    const sibling *a = left;
    const sibling *b = right;
    return a->parent != b->parent ? compare(a->parent, b->parent) : compare(a->turn, b->turn);
}

static int compare_numbers(const void *left, const void *right)
{
    const sibling *a = left;
    const sibling *b = right;
    if (a->parent != b->parent)
        return compare(a->parent, b->parent);
    return a->number != b->number ? compare(a->number, b->number) : compare(a->turn, b->turn);
}

/* How many siblings begin at one, and whether all of them are called by numbers. */
static size_t count_siblings(bool *numbers, const sibling *first, const sibling *end)
{
    const sibling *one = first;
    *numbers = true;
    for (; one < end && one->parent == first->parent; one++)
        *numbers = *numbers && one->is_number;
    return (size_t)(one - first);
}

/* The siblings take each other's turns, the least number the first. */
static void order(csv_sheet *sheet, const sibling *by_turn, const sibling *by_number, size_t count)
{
    size_t length;
    for (size_t i = 0; i < count; i += length) {
        bool numbers;
        length = count_siblings(&numbers, &by_number[i], by_number + count);
        for (size_t k = i; k < i + length && numbers; k++)
            sheet->resources[by_number[k].resource].turn = by_turn[k].turn;
    }
}

ocelotl_status csv_order_numbers(csv_sheet *sheet)
{
    const size_t count = sheet->resource_count;
    sibling *siblings = NULL;
    OC_TRY(oc_allocate(&siblings, 2 * count, sizeof *siblings));
    for (uint32_t i = 0; i < count; i++) {
        sibling *one = &siblings[i];
        *one = (sibling){
            .parent = sheet->resources[i].parent, .resource = i, .turn = sheet->resources[i].turn};
        one->is_number = read_number(&one->number, sheet->resources[i].name);
        siblings[count + i] = *one;
    }
    if (count > 1) {
        qsort(siblings, count, sizeof *siblings, compare_turns);
        qsort(siblings + count, count, sizeof *siblings, compare_numbers);
        order(sheet, siblings, siblings + count, count);
    }
    free(siblings);
    return OCELOTL_OK;
}
