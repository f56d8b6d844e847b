#include "store/open_list.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

ocelotl_status oc_carried_copy(oc_carried **carried, const oc_records *records, const oc_record *record)
{
    size_t bytes = 0;
    oc_carried *copy = NULL;
    *carried = NULL;
    if (record->attribute_count == 0)
        return OCELOTL_OK;
    const oc_record_attribute *attributes = &records->attributes[record->attribute_first];
    for (uint32_t i = 0; i < record->attribute_count; i++)
        bytes += attributes[i].length;
    OC_TRY(oc_allocate(&copy, 1, sizeof *copy + record->attribute_count * sizeof copy->values[0] + bytes));
    char *text = (char *)(copy->values + record->attribute_count);
    copy->count = record->attribute_count;
    for (uint32_t i = 0; i < record->attribute_count; i++) {
        copy->values[i] = (ocelotl_attribute_value){attributes[i].attribute, text, attributes[i].length};
        if (attributes[i].length > 0)
            memcpy(text, records->text.bytes + attributes[i].text, attributes[i].length);
        text += attributes[i].length;
    }
    *carried = copy;
    return OCELOTL_OK;
}

static void shorten(oc_open_list *list, size_t count)
{
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
    OC_TRY(oc_grow(&list->events, &list->capacity, list->count + 1, sizeof *list->events));
    list->events[list->count++] = *event;
    return OCELOTL_OK;
}

ocelotl_status oc_open_list_take(oc_open_list *list, size_t count, const oc_fold *fold)
{
    shorten(list, count);
    for (size_t i = count; i < fold->open_count; i++) {
        const oc_open *open = &fold->open[i];
        if (i > 0 && open->begin < fold->open[i - 1].begin)
            return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: what is open is out of order");
        OC_TRY(add(list, &(oc_open_event){.begin = open->begin, .value = fold->totals[open->total].value}));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_open_list_begin(oc_open_list *list, const oc_record *record, oc_carried *carried)
{
    const ocelotl_status status = add(
        list, &(oc_open_event){.begin = record->time, .value = record->value, .found = true, .carried = carried});
    if (status != OCELOTL_OK)
        free(carried);
    return status;
}

ocelotl_status oc_open_list_end(oc_open_event *ended, size_t *place, oc_open_list *list, const oc_record *record)
{
    if (record->depth >= list->count)
        return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: something ends that has not begun");
    *place = list->count - 1 - record->depth;
    *ended = list->events[*place];
    memmove(&list->events[*place], &list->events[*place + 1], record->depth * sizeof *list->events);
    list->count--;
    return OCELOTL_OK;
}

size_t oc_open_list_until(const oc_open_list *list, int64_t time)
{
    size_t low = 0;
    size_t high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list->events[middle].begin <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
