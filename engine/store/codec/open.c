#include "store/codec/open.h"

#include "base/memory.h"

#include <stdlib.h>

void oc_open_list_free(oc_open_list *list)
{
    free(list->items);
    oc_holes_free(list->holes);
    *list = (oc_open_list){0};
}

void oc_open_list_shorten(oc_open_list *list, size_t size, size_t count)
{
    if (count == 0) {
        oc_holes_free(list->holes);
        list->holes = NULL;
    }
    oc_holes_close(&list->holes, list->items, size);
    list->count = count;
}

size_t oc_open_list_until(const oc_open_list *list, size_t size, int64_t time)
{
    size_t low = 0;
    size_t high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        int64_t begin;
        memcpy(&begin, oc_open_list_at(list, size, middle), sizeof begin);
        if (begin <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

ocelotl_status oc_open_list_fail(void)
{
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "damaged chunk of events: something ends that has not begun");
}
