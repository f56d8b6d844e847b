#include "store/read/open_list.h"

#include "base/memory.h"

#include <stdlib.h>

static void shorten(oc_open_list *list, size_t count)
{
    oc_holes_close(&list->holes, list->events, sizeof *list->events);
    while (list->count > count)
        free(list->events[--list->count].carried);
}

void oc_open_list_free(oc_open_list *list)
{
    shorten(list, 0);
    free(list->events);
    *list = (oc_open_list){0};
}

static ocelotl_status add(oc_open_list *list, const oc_open_event *event)
{
    const size_t place = oc_holes_end(list->holes, list->count);
    OC_TRY(oc_grow(&list->events, &list->capacity, place + 1, sizeof *list->events));
    OC_TRY(oc_holes_add(list->holes));
    list->events[place] = *event;
    list->count++;
    return OCELOTL_OK;
}

ocelotl_status oc_open_list_take(oc_open_list *list, size_t count, const oc_fold *fold)
{
    shorten(list, count);
    for (size_t i = count; i < fold->open_count; i++) {
        const oc_open *open = oc_fold_open(fold, i);
        if (i > 0 && open->begin < oc_fold_open(fold, i - 1)->begin)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "damaged chunk of events: what is open is out of order");
        OC_TRY(add(list, &(oc_open_event){.begin = open->begin,
                                          .value = fold->totals[open->total].value}));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_open_list_begin(oc_open_list *list, const oc_record *record, oc_carried *carried)
{
    const ocelotl_status status =
        add(list,
            &(oc_open_event){
                .begin = record->time, .value = record->value, .found = true, .carried = carried});
    if (status != OCELOTL_OK)
        free(carried);
    return status;
}

ocelotl_status oc_open_list_end(oc_open_event *ended, size_t *place, oc_open_list *list,
                                const oc_record *record)
{
    if (record->depth >= list->count)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "damaged chunk of events: something ends that has not begun");
    *place = list->count - 1 - record->depth;
    *ended = *oc_open_list_at(list, *place);
    OC_TRY(oc_holes_remove(&list->holes, list->events, sizeof *list->events, list->count, *place));
    list->count--;
    return OCELOTL_OK;
}

size_t oc_open_list_until(const oc_open_list *list, int64_t time)
{
    size_t low = 0;
    size_t high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (oc_open_list_at(list, middle)->begin <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
