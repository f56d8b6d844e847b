/* The order of lines by one of their columns. */
#include "query/statistics/statistics.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where a line stands: by its type, by what orders its group in this, and in its group. */
typedef struct ordered {
    uint32_t type, group;  /* their first lines */
    double group_key, key; /* the largest first, what is not a number last */
    const char *name;      /* that counts instead; "" for a line of the whole */
    bool whole;
    uint32_t place;
} ordered;

static double key_of(const ocelotl_statistic *row, ocelotl_statistic_column column)
{
    const double keys[OCELOTL_COLUMN_COUNT] = {
        [OCELOTL_COLUMN_TIME] = row->category == OCELOTL_STATE  ? (double)row->innermost
                                : row->category == OCELOTL_LINK ? (double)row->ended_time
                                                                : (double)row->inclusive,
        [OCELOTL_COLUMN_SHARE] = row->share,
        [OCELOTL_COLUMN_INCLUSIVE] = (double)row->inclusive,
        [OCELOTL_COLUMN_BEGUN] = (double)row->count,
        [OCELOTL_COLUMN_ENDED] = (double)row->ended,
        [OCELOTL_COLUMN_MEAN] = row->mean,
        [OCELOTL_COLUMN_MIN] = row->low,
        [OCELOTL_COLUMN_MEDIAN] = row->median,
        [OCELOTL_COLUMN_P90] = row->p90,
        [OCELOTL_COLUMN_P99] = row->p99,
        [OCELOTL_COLUMN_MAX] = row->high,
    };
    return keys[column];
}

static int compare_keys(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) - isnan(b);
    return (a < b) - (a > b);
}

static int compare(const void *left, const void *right)
{
    const ordered *a = left;
    const ordered *b = right;
    int order = (a->type > b->type) - (a->type < b->type);
    if (order == 0)
        order = compare_keys(a->group_key, b->group_key);
    if (order == 0)
        order = (a->group > b->group) - (a->group < b->group);
    if (order == 0)
        order = b->whole - a->whole;
    if (order == 0)
        order = strcmp(a->name, b->name);
    if (order == 0)
        order = compare_keys(a->key, b->key);
    return order != 0 ? order : a->place < b->place ? -1 : 1;
}

ocelotl_status oc_statistics_order(ocelotl_statistic *rows, uint32_t count,
                                   ocelotl_statistic_column column, const ocelotl_trace *trace)
{
    const bool named = column == OCELOTL_COLUMN_NAME;
    ocelotl_statistic *others = NULL;
    ordered *items = NULL;
    ocelotl_status status = oc_allocate(&others, count, sizeof *others);
    if (status == OCELOTL_OK)
        status = oc_allocate(&items, count, sizeof *items);
    for (uint32_t i = 0; i < count && status == OCELOTL_OK; i++) {
        const ocelotl_statistic *row = &rows[i];
        ordered *item = &items[i];
        *item = (ordered){.whole = row->whole, .place = i, .name = ""};
        item->key = named ? 0 : key_of(row, column);
        if (named && !row->whole && row->value != OCELOTL_NONE)
            item->name = trace->values[row->value].name;
        item->group = row->whole ? i : items[i - 1].group;
        item->group_key = items[item->group].key;
        item->type = item->group > 0 && rows[item->group - 1].event_type == row->event_type
                         ? items[item->group - 1].type
                         : item->group;
        others[i] = *row;
    }
    if (status == OCELOTL_OK && count > 1)
        qsort(items, count, sizeof *items, compare);
    for (uint32_t i = 0; i < count && status == OCELOTL_OK; i++)
        rows[i] = others[items[i].place];
    free(items);
    free(others);
    return status;
}
