/* The order of lines by one of their columns. */
#include "query/statistics/statistics.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A line, or a type of a group with all its lines, while they are put in order. */
typedef struct ordered {
    double key;       /* the largest first, what is not a number last */
    const char *name; /* that counts instead, or NULL */
    uint32_t first, count;
} ordered;

static double key_of(const ocelotl_statistic *row, ocelotl_statistic_column column)
{
    switch (column) {
    case OCELOTL_COLUMN_TIME:
        return row->category == OCELOTL_STATE  ? (double)row->innermost
               : row->category == OCELOTL_LINK ? (double)row->ended_time
                                               : (double)row->inclusive;
    case OCELOTL_COLUMN_SHARE:
        return row->share;
    case OCELOTL_COLUMN_INCLUSIVE:
        return (double)row->inclusive;
    case OCELOTL_COLUMN_BEGUN:
        return (double)row->count;
    case OCELOTL_COLUMN_ENDED:
        return (double)row->ended;
    case OCELOTL_COLUMN_MEAN:
        return row->mean;
    case OCELOTL_COLUMN_MIN:
        return row->low;
    case OCELOTL_COLUMN_MEDIAN:
        return row->median;
    case OCELOTL_COLUMN_P90:
        return row->p90;
    case OCELOTL_COLUMN_P99:
        return row->p99;
    case OCELOTL_COLUMN_MAX:
        return row->high;
    case OCELOTL_COLUMN_NONE:
    case OCELOTL_COLUMN_NAME:
        break;
    }
    return 0;
}

static int compare(const void *left, const void *right)
{
    const ordered *a = left;
    const ordered *b = right;
    const int names = a->name != NULL && b->name != NULL ? strcmp(a->name, b->name) : 0;
    if (names != 0)
        return names;
    if (isnan(a->key) != isnan(b->key))
        return isnan(a->key) ? 1 : -1;
    if (a->key < b->key || a->key > b->key)
        return a->key < b->key ? 1 : -1;
    return a->first < b->first ? -1 : 1;
}

/* Writes the items one after the other into `to`, each with its lines. */
static void place(ocelotl_statistic *to, const ocelotl_statistic *rows, const ordered *items,
                  size_t count)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(to, rows + items[i].first, items[i].count * sizeof *to);
        to += items[i].count;
    }
}

/* Puts the values of a type in order, behind the line of the whole. */
static void order_values(ordered *items, ocelotl_statistic *to, const ocelotl_statistic *rows,
                         uint32_t count, const oc_statistic_order *by)
{
    to[0] = rows[0];
    for (uint32_t i = 1; i < count; i++)
        items[i - 1] = (ordered){key_of(&rows[i], by->column), NULL, i, 1};
    for (uint32_t i = 1; i < count && by->column == OCELOTL_COLUMN_NAME; i++)
        items[i - 1].name =
            rows[i].value == OCELOTL_NONE ? "" : by->trace->values[rows[i].value].name;
    if (count > 2)
        qsort(items, count - 1, sizeof *items, compare);
    place(to + 1, rows, items, count - 1);
}

/* How many lines a type of a group has. */
static uint32_t length_of(const ocelotl_statistic *rows, uint32_t first, uint32_t count)
{
    uint32_t end = first + 1;
    while (end < count && !rows[end].whole)
        end++;
    return end - first;
}

/* Puts the groups of each type in order; those of a type follow each other. */
static void order_groups(ordered *items, ocelotl_statistic *to, const ocelotl_statistic *rows,
                         uint32_t count, const oc_statistic_order *by)
{
    uint32_t next = 0;
    while (next < count) {
        const uint32_t begin = next;
        size_t groups = 0;
        while (next < count && rows[next].event_type == rows[begin].event_type) {
            const uint32_t length = length_of(rows, next, count);
            items[groups++] = (ordered){key_of(&rows[next], by->column), NULL, next, length};
            next += length;
        }
        if (groups > 1 && by->column != OCELOTL_COLUMN_NAME)
            qsort(items, groups, sizeof *items, compare);
        place(to + begin, rows, items, groups);
    }
}

ocelotl_status oc_statistics_order(ocelotl_statistic *rows, uint32_t count,
                                   const oc_statistic_order *by)
{
    ocelotl_statistic *others = NULL;
    ordered *items = NULL;
    ocelotl_status status = oc_allocate(&others, count, sizeof *others);
    if (status == OCELOTL_OK)
        status = oc_allocate(&items, count, sizeof *items);
    for (uint32_t i = 0, length; i < count && status == OCELOTL_OK; i += length) {
        length = length_of(rows, i, count);
        order_values(items, others + i, rows + i, length, by);
    }
    if (status == OCELOTL_OK)
        order_groups(items, rows, others, count, by);
    free(items);
    free(others);
    return status;
}
