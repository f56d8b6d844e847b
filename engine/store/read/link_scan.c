#include "store/read/link_scan.h"

#include <stdlib.h>

static ocelotl_status damaged(const oc_link_scan *scan, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: damaged chunk of events: %s", scan->reader.trace->path,
                   what);
}

void oc_link_scan_free(oc_link_scan *scan)
{
    oc_reader_free(&scan->reader);
    oc_open_list_free(&scan->open);
    free(scan->begins);
    scan->begins = NULL;
}

ocelotl_status oc_link_scan_begin(oc_link_scan *scan, uint32_t stream)
{
    scan->event_type = scan->reader.trace->streams[stream].event_type;
    scan->chunk = 0;
    scan->next = 0;
    scan->last = INT64_MIN;
    oc_open_list_free(&scan->open);
    return oc_reader_select(&scan->reader, stream);
}

static ocelotl_status find_passes(bool *passes, const oc_link_scan *scan, const oc_record *record)
{
    oc_verdict verdict = {0};
    OC_TRY(oc_conditions_look_carried(&verdict, scan->conditions, scan->event_type, scan->begins));
    OC_TRY(oc_conditions_look(&verdict, scan->conditions, scan->event_type, &scan->reader.records,
                              record));
    *passes = oc_verdict_passes(&verdict, scan->conditions, scan->event_type);
    return OCELOTL_OK;
}

static ocelotl_status end_link(oc_link_scan *scan, const oc_record *record)
{
    oc_open_event ended;
    size_t place;
    if (record->depth >= scan->open.count)
        return damaged(scan, "something ends that has not begun");
    OC_TRY(oc_open_list_end(&ended, &place, &scan->open, record));
    free(scan->begins);
    scan->begins = ended.carried;
    scan->found = (oc_scanned_link){.value = ended.value,
                                    .target = record->partner,
                                    .begin = ended.begin,
                                    .end = record->time,
                                    .left = record->time,
                                    .begins = scan->begins,
                                    .ends = record};
    if (record->partner != OCELOTL_NONE && record->partner >= scan->reader.trace->resource_count)
        return damaged(scan, "a link to a resource that there is not");
    if (record->partner != OCELOTL_NONE &&
        !oc_add_times(&scan->found.end, record->time, record->duration))
        return damaged(scan, "a time out of range");
    return find_passes(&scan->found.passes, scan, record);
}

static ocelotl_status take(bool *given, oc_link_scan *scan, const oc_record *record)
{
    if (record->time < scan->last)
        return damaged(scan, "time goes back");
    scan->last = record->time;
    *given = record->ends;
    if (record->ends)
        return end_link(scan, record);
    oc_carried *carried = NULL;
    OC_TRY(oc_carried_copy(&carried, &scan->reader.records, record));
    return oc_open_list_begin(&scan->open, record, carried);
}

ocelotl_status oc_link_scan_next(const oc_scanned_link **found, oc_link_scan *scan)
{
    bool given = false;
    *found = NULL;
    while (!given) {
        const bool waiting = oc_open_list_until(&scan->open, scan->to) > 0;
        if (scan->next >= scan->reader.records.count) {
            if (scan->chunk >= scan->reader.chunk_count ||
                (scan->reader.chunks[scan->chunk].begin > scan->to && !waiting))
                return OCELOTL_OK;
            OC_TRY(oc_reader_read(&scan->reader, scan->chunk++, true));
            scan->next = 0;
            continue;
        }
        const oc_record *record = &scan->reader.records.records[scan->next++];
        if (record->time > scan->to && !waiting)
            return OCELOTL_OK;
        OC_TRY(take(&given, scan, record));
        given = given && scan->found.begin <= scan->to;
    }
    *found = &scan->found;
    return OCELOTL_OK;
}

double oc_scanned_link_begins(const oc_link_scan *scan, uint32_t attribute)
{
    double sum = 0;
    for (size_t i = 0; scan->begins != NULL && i < scan->begins->count; i++) {
        const ocelotl_attribute_value *value = &scan->begins->values[i];
        double number;
        if (value->attribute == attribute &&
            oc_bytes_are_number(&number, value->text, value->length))
            sum += number;
    }
    return sum;
}

double oc_scanned_link_ends(const oc_link_scan *scan, uint32_t attribute)
{
    return oc_record_number(&scan->reader.records, scan->found.ends, attribute);
}

ocelotl_status oc_orphan_passes(bool *passes, const oc_conditions *conditions, uint32_t event_type,
                                const oc_records *records, const oc_record *record)
{
    oc_verdict verdict = {0};
    *passes = false;
    if (record->partner != OCELOTL_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_conditions_look(&verdict, conditions, event_type, records, record));
    *passes = oc_verdict_passes(&verdict, conditions, event_type);
    return OCELOTL_OK;
}
