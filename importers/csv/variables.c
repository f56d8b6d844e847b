#include "base/memory.h"
#include "base/text.h"
#include "importers/csv/sheet.h"
#include "importers/ingest/packed.h"

#include <stdlib.h>
#include <string.h>

static ocelotl_status find_last(csv_last_value **last, csv_variables *variables, uint32_t resource,
                                uint32_t type)
{
    const uint32_t key[2] = {resource, type};
    uint32_t number = oc_map_get(&variables->number_of, key, sizeof key);
    if (number == OC_MAP_NONE) {
        number = (uint32_t)variables->count;
        OC_TRY(oc_grow(&variables->lasts, &variables->capacity, variables->count + 1,
                       sizeof *variables->lasts));
        OC_TRY(oc_map_set(&variables->number_of, key, sizeof key, number));
        variables->lasts[variables->count++] = (csv_last_value){.resource = resource};
    }
    *last = &variables->lasts[number];
    return OCELOTL_OK;
}

static ocelotl_status make_room(csv_variables *variables, size_t count)
{
    return oc_grow(&variables->room, &variables->room_capacity, count, sizeof *variables->room);
}

/* Packs a record with the texts that it may need behind its attributes. */
static ocelotl_status keep(csv_last_value *last, csv_variables *variables, const oc_sorted *record,
                           const csv_written *written)
{
    const size_t count = record->attribute_count;
    char *packed = NULL;
    oc_sorted kept = *record;
    OC_TRY(make_room(variables, count + 2));
    if (count > 0)
        memcpy(variables->room, record->attributes, count * sizeof *record->attributes);
    const csv_field texts[2] = {written->end_text, written->duration};
    last->may_need = written->has_duration ? 1 : 2;
    for (uint32_t i = 0; i < last->may_need; i++)
        variables->room[count + i] =
            (ocelotl_attribute_value){OCELOTL_NONE, texts[i].text, texts[i].length};
    kept.attributes = variables->room;
    kept.attribute_count = count + last->may_need;
    const uint32_t size = oc_packed_size(&kept);
    if (size == 0)
        return oc_fail(OCELOTL_ERROR_LIMIT, "attributes of more than 1 GiB");
    OC_TRY(oc_allocate(&packed, size, 1));
    oc_packed_write((oc_packed *)(void *)packed, &kept, size);
    last->packed = packed;
    last->end = written->end;
    return OCELOTL_OK;
}

/* Adds the value that waits, which the trace ends at `end`. */
static ocelotl_status release(csv_last_value *last, csv_sheet *sheet, int64_t end)
{
    static const char *const names[] = {CSV_WRITTEN_END, CSV_WRITTEN_DURATION};
    csv_variables *variables = &sheet->variables;
    oc_sorted record = {.stream = last->resource};
    const oc_packed *packed = last->packed;
    OC_TRY(make_room(variables, packed->attribute_count));
    oc_packed_read(&record, variables->room, packed);
    const size_t own = record.attribute_count - last->may_need;
    for (size_t i = 0; i < 2 && i < last->may_need && last->end != end; i++) {
        OC_TRY(oc_ingest_attribute(&variables->room[own + i].attribute, &sheet->ingest, record.type,
                                   names[i], strlen(names[i])));
    }
    if (last->end == end)
        record.attribute_count = own;
    const ocelotl_status status = oc_ingest_add(&sheet->ingest, &record);
    free(last->packed);
    last->packed = NULL;
    return status;
}

ocelotl_status csv_variables_add(csv_sheet *sheet, const oc_sorted *record,
                                 const csv_written *written)
{
    csv_last_value *last;
    OC_TRY(find_last(&last, &sheet->variables, record->stream, record->type));
    if (last->packed != NULL)
        OC_TRY(release(last, sheet, record->time));
    return keep(last, &sheet->variables, record, written);
}

/* Rows may stand in any order: one that begins before the last is compared with none. */
ocelotl_status csv_variables_compare(csv_sheet *sheet, const oc_sorted *record, int64_t end)
{
    csv_last_value *last;
    OC_TRY(find_last(&last, &sheet->variables, record->stream, record->type));
    if (last->is_compared && record->time < last->begin)
        return OCELOTL_OK;
    if (last->is_compared && record->time != last->end)
        oc_ingest_note(&sheet->ingest, CSV_VARIABLE_ENDS);
    last->is_compared = true;
    last->begin = record->time;
    last->end = end;
    return OCELOTL_OK;
}

bool csv_variables_refine(csv_variables *variables, uint64_t factor)
{
    bool fits = true;
    for (size_t i = 0; i < variables->count && fits; i++) {
        csv_last_value *last = &variables->lasts[i];
        if (last->packed != NULL || last->is_compared)
            fits = oc_multiply_time(&last->end, last->end, factor) &&
                   oc_multiply_time(&last->begin, last->begin, factor) &&
                   (last->packed == NULL || oc_packed_refine(last->packed, factor));
    }
    return fits;
}

ocelotl_status csv_variables_finish(csv_sheet *sheet, int64_t end)
{
    for (size_t i = 0; i < sheet->variables.count; i++) {
        csv_last_value *last = &sheet->variables.lasts[i];
        const oc_ingest_row *row = &sheet->ingest.rows[last->resource];
        if (last->packed != NULL)
            OC_TRY(release(last, sheet, row->has_end ? row->end : end));
    }
    return OCELOTL_OK;
}

void csv_variables_free(csv_variables *variables)
{
    for (size_t i = 0; i < variables->count; i++)
        free(variables->lasts[i].packed);
    oc_map_free(&variables->number_of);
    free(variables->lasts);
    free(variables->room);
}
