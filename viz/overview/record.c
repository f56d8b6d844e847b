#include "viz/overview/record.h"

#include "base/memory.h"

#include <stdlib.h>

ocelotl_status oc_record_part(oc_record *record, const ocelotl_part *part, size_t number,
                              size_t parts, uint32_t type_count)
{
    const size_t first = record->share_count;
    OC_TRY(oc_grow(&record->parts, &record->part_capacity, record->part_count + 1,
                   sizeof *record->parts));
    OC_TRY(oc_grow(&record->shares, &record->share_capacity, first + type_count,
                   sizeof *record->shares));
    for (uint32_t type = 0; type < type_count; type++)
        if (part->shares[type] > 0)
            record->shares[record->share_count++] = (oc_recorded_share){type, part->shares[type]};
    record->parts[record->part_count++] =
        (oc_recorded_part){.node = part->node,
                           .leaves = part->leaves,
                           .first = part->first,
                           .last = part->last,
                           .number = number,
                           .parts = parts,
                           .gain = part->gain,
                           .loss = part->loss,
                           .share_first = first,
                           .share_count = record->share_count - first};
    return OCELOTL_OK;
}

ocelotl_status oc_record_overview(const oc_overview *overview)
{
    oc_record *record = overview->input->record;
    const uint32_t count = overview->model.type_count;
    if (record == NULL)
        return OCELOTL_OK;
    record->frame = overview->frame;
    record->visible = overview->visible;
    record->type_count = count;
    OC_TRY(oc_allocate(&record->types, count, sizeof *record->types));
    OC_TRY(oc_allocate(&record->order, count, sizeof *record->order));
    for (uint32_t type = 0; type < count; type++) {
        record->types[type] = overview->types[type];
        record->order[type] = overview->order[type];
    }
    return OCELOTL_OK;
}

void oc_record_free(oc_record *record)
{
    free(record->parts);
    free(record->shares);
    free(record->types);
    free(record->order);
    *record = (oc_record){0};
}
