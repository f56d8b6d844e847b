/* Running totals say what is open at a chunk's beginning, but not what it carries: that is where it
 * began. */
#include "query/events/events.h"

#include <stdlib.h>

/* Of more that begin at one instant, it is not worth looking which is which. */
enum { LARGEST_GROUP = 32 };

/* What is open from one instant, and its beginnings: a range of the list, and how many records fit
 * each. */
typedef struct candidates {
    size_t first, end;
    size_t chunk; /* the first chunk with records of the instant */
    size_t read;  /* the chunk that has been read; that of the next instant is often the same */
    bool clear;   /* each has one beginning that fits, in their order */
} candidates;

/* The first that has no beginning yet and fits; end of the group: none. */
static size_t find_fitting(const oc_open_list *open, const candidates *group, uint32_t value)
{
    size_t i = group->first;
    while (i < group->end &&
           (oc_open_list_at(open, i)->found || oc_open_list_at(open, i)->value != value))
        i++;
    return i;
}

static bool has_value(const oc_open_list *open, const candidates *group, uint32_t value)
{
    for (size_t i = group->first; i < group->end; i++)
        if (oc_open_list_at(open, i)->value == value)
            return true;
    return false;
}

/* The first record of an instant or later; records are in order of time. */
static size_t find_record(const oc_records *records, int64_t time)
{
    size_t low = 0;
    size_t high = records->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (records->records[middle].time < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Takes the beginnings in the chunk that has been read. */
static ocelotl_status match_records(ocelotl_events *events, candidates *group)
{
    const oc_records *records = &events->reader.records;
    const int64_t time = oc_open_list_at(&events->open, group->first)->begin;
    for (size_t r = find_record(records, time);
         r < records->count && records->records[r].time == time && group->clear; r++) {
        const oc_record *record = &records->records[r];
        if (record->ends || !has_value(&events->open, group, record->value))
            continue;
        const size_t i = find_fitting(&events->open, group, record->value);
        group->clear = i < group->end;
        if (!group->clear)
            return OCELOTL_OK;
        oc_open_list_at(&events->open, i)->found = true;
        OC_TRY(oc_carried_copy(&oc_open_list_at(&events->open, i)->carried, records, record));
    }
    return OCELOTL_OK;
}

/* Chunks before `last` that hold records of the group's instant. */
static ocelotl_status match(ocelotl_events *events, candidates *group, size_t last)
{
    const int64_t time = oc_open_list_at(&events->open, group->first)->begin;
    const size_t before = oc_reader_chunks_before(&events->reader, time);
    group->chunk = before > 0 ? before - 1 : 0;
    group->clear = group->end - group->first <= LARGEST_GROUP;
    for (size_t c = group->chunk;
         c < last && events->reader.chunks[c].begin <= time && group->clear; c++) {
        if (c != group->read)
            OC_TRY(oc_reader_read(&events->reader, c, true));
        group->read = c;
        OC_TRY(match_records(events, group));
    }
    for (size_t i = group->first; i < group->end; i++)
        group->clear = group->clear && oc_open_list_at(&events->open, i)->found;
    return OCELOTL_OK;
}

/* What began from a chunk on, by following all that began and ended since. */
static ocelotl_status follow(ocelotl_events *events, const candidates *group, size_t last)
{
    oc_open_list known = events->open;
    events->open = (oc_open_list){0};
    ocelotl_status status = OCELOTL_OK;
    for (size_t c = group->chunk; c < last && status == OCELOTL_OK; c++) {
        status = oc_reader_read(&events->reader, c, true);
        if (status == OCELOTL_OK && c == group->chunk)
            status = oc_open_list_take(&events->open, 0, &events->reader.fold);
        for (size_t r = 0; r < events->reader.records.count && status == OCELOTL_OK; r++)
            status = oc_events_pass(events, &events->reader.records.records[r], true);
    }
    /* What was found of those before is kept. */
    const bool fits = events->open.count == known.count;
    for (size_t i = 0; i < group->first && fits; i++) {
        const oc_open_event before = *oc_open_list_at(&events->open, i);
        *oc_open_list_at(&events->open, i) = *oc_open_list_at(&known, i);
        *oc_open_list_at(&known, i) = before;
    }
    oc_open_list_free(&known);
    if (status == OCELOTL_OK && !fits)
        return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: what is open has not begun");
    return status;
}

ocelotl_status oc_events_find_beginnings(ocelotl_events *events, size_t chunk)
{
    oc_open_list *open = &events->open;
    candidates group = {.read = SIZE_MAX};
    while (group.first < open->count) {
        group.end = group.first + 1;
        while (group.end < open->count &&
               oc_open_list_at(open, group.end)->begin == oc_open_list_at(open, group.first)->begin)
            group.end++;
        OC_TRY(match(events, &group, chunk));
        if (!group.clear)
            return follow(events, &group, chunk);
        group.first = group.end;
    }
    return OCELOTL_OK;
}

ocelotl_status oc_events_pass(ocelotl_events *events, const oc_record *record, bool carried)
{
    if (!record->ends) {
        oc_carried *copy = NULL;
        if (carried)
            OC_TRY(oc_carried_copy(&copy, &events->reader.records, record));
        return oc_open_list_begin(&events->open, record, copy);
    }
    oc_open_event ended;
    size_t place;
    OC_TRY(oc_open_list_end(&ended, &place, &events->open, record));
    free(ended.carried);
    return OCELOTL_OK;
}
