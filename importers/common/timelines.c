#include "importers/common/timelines.h"

#include "base/memory.h"

#include <stdlib.h>

ocelotl_status oc_timelines_open(oc_timelines *timelines, ocelotl_writer *writer,
                                 oc_oddities *oddities, const char *target, size_t memory)
{
    timelines->writer = writer;
    timelines->oddities = oddities;
    OC_TRY(oc_sorting_open(&timelines->records, target, memory / 8 * 6, true));
    OC_TRY(oc_sorting_open(&timelines->grouped, target, memory / 8, false));
    return oc_sorting_open(&timelines->links, target, memory / 8, false);
}

void oc_timelines_free(oc_timelines *timelines)
{
    oc_sorting_free(timelines->records);
    oc_sorting_free(timelines->grouped);
    oc_sorting_free(timelines->links);
    oc_pairs_free(&timelines->pairs);
    oc_lanes_free(&timelines->lanes);
    free(timelines->indirect);
    free(timelines->open_attributes);
    *timelines = (oc_timelines){0};
}

static void widen(oc_timelines *timelines, int64_t time)
{
    if (!timelines->has_bounds || time < timelines->begin)
        timelines->begin = time;
    if (!timelines->has_bounds || time > timelines->end)
        timelines->end = time;
    timelines->has_bounds = true;
}

static bool is_indirect(const oc_timelines *timelines, uint32_t row)
{
    return row < timelines->indirect_count && timelines->indirect[row];
}

static ocelotl_status note_indirect(oc_timelines *timelines, uint32_t row)
{
    OC_TRY(oc_grow(&timelines->indirect, &timelines->indirect_capacity, (size_t)row + 1,
                   sizeof *timelines->indirect));
    while (timelines->indirect_count <= row)
        timelines->indirect[timelines->indirect_count++] = false;
    timelines->indirect[row] = true;
    return OCELOTL_OK;
}

ocelotl_status oc_timelines_add(oc_timelines *timelines, const oc_sorted *record)
{
    widen(timelines, record->time);
    if (record->kind == OC_SORTED_SPAN)
        widen(timelines, record->end);
    if ((record->kind == OC_SORTED_BEGIN || record->kind == OC_SORTED_END || record->group != 0) &&
        !is_indirect(timelines, record->stream))
        OC_TRY(note_indirect(timelines, record->stream));
    return oc_sorting_add(timelines->records, record);
}

ocelotl_status oc_timelines_add_link(oc_timelines *timelines, const oc_timelines_link *link)
{
    const oc_sorted record = {.kind = OC_SORTED_SPAN,
                              .time = link->from != OCELOTL_NONE ? link->begin : link->end,
                              .end = link->to != OCELOTL_NONE ? link->end : link->begin,
                              .group = (uint64_t)link->from << 32 | link->to,
                              .type = link->type,
                              .value = link->value,
                              .attributes = link->attributes,
                              .attribute_count = link->attribute_count};
    widen(timelines, record.time);
    widen(timelines, record.end);
    return oc_sorting_add(timelines->links, &record);
}

ocelotl_status oc_timelines_refine(oc_timelines *timelines, uint64_t factor)
{
    OC_TRY(oc_sorting_refine(timelines->records, factor));
    OC_TRY(oc_sorting_refine(timelines->links, factor));
    if (__builtin_mul_overflow(timelines->begin, (int64_t)factor, &timelines->begin) ||
        __builtin_mul_overflow(timelines->end, (int64_t)factor, &timelines->end))
        return oc_fail(OCELOTL_ERROR_LIMIT, "a time is too large for the finest one");
    return OCELOTL_OK;
}

/* --- Writing */

static void note(const oc_timelines *timelines, const oc_timelines_plan *plan, oc_oddity oddity,
                 const oc_sorted *record)
{
    const bool placed = record->kind == OC_SORTED_BEGIN || record->kind == OC_SORTED_END;
    oc_oddities_note(timelines->oddities, oddity, placed ? plan->files[record->order] : "",
                     placed ? record->detail : 0);
}

/* Events and variables whose order is settled. */
static ocelotl_status write_plain(oc_timelines *timelines, const oc_timelines_plan *plan,
                                  const oc_sorted *record)
{
    const uint32_t resource = plan->resources[record->stream];
    if (record->kind == OC_SORTED_INSTANT)
        return ocelotl_writer_event(timelines->writer, resource, record->type, record->value,
                                    record->time, record->attributes, record->attribute_count);
    return ocelotl_writer_variable(timelines->writer, resource, record->type, record->time,
                                   record->number, record->attributes, record->attribute_count);
}

static ocelotl_status write_settled(oc_timelines *timelines, const oc_timelines_plan *plan,
                                    const oc_sorted *record)
{
    bool crosses = false;
    if (record->kind != OC_SORTED_SPAN)
        return write_plain(timelines, plan, record);
    OC_TRY(oc_lanes_add(&crosses, &timelines->lanes, record));
    if (crosses)
        note(timelines, plan, OC_STATE_CROSSES, record);
    return OCELOTL_OK;
}

/* An end without a begin: it began before the recording. */
static ocelotl_status end_alone(oc_timelines *timelines, const oc_timelines_plan *plan,
                                const oc_sorted *end)
{
    const bool kept = timelines->oddities->lenient && end->value != OCELOTL_NONE;
    note(timelines, plan, kept ? OC_END_FROM_BEGIN : OC_END_LEFT_OUT, end);
    if (!kept)
        return OCELOTL_OK;
    oc_sorted span = *end;
    span.kind = OC_SORTED_SPAN;
    span.time = timelines->begin;
    span.end = end->time;
    span.order = 0;
    return oc_sorting_add(timelines->grouped, &span);
}

static ocelotl_status end_state(oc_timelines *timelines, const oc_timelines_plan *plan,
                                const oc_sorted *end)
{
    oc_pair found;
    oc_sorted span = {.stream = end->stream};
    OC_TRY(oc_pairs_end(&found, &span, &timelines->pairs, end));
    if (found == OC_PAIR_NONE)
        return end_alone(timelines, plan, end);
    if (found != OC_PAIR_INNER)
        note(timelines, plan, found == OC_PAIR_OUTER ? OC_END_OF_OUTER : OC_END_OF_OTHER, end);
    return oc_sorting_add(timelines->grouped, &span);
}

static ocelotl_status find_open_attribute(uint32_t *attribute, oc_timelines *timelines,
                                          uint32_t type)
{
    OC_TRY(oc_grow(&timelines->open_attributes, &timelines->open_capacity, (size_t)type + 1,
                   sizeof *timelines->open_attributes));
    while (timelines->open_count <= type)
        timelines->open_attributes[timelines->open_count++] = 0;
    if (timelines->open_attributes[type] == 0) {
        OC_TRY(ocelotl_writer_attribute(attribute, timelines->writer, type, "open"));
        timelines->open_attributes[type] = *attribute + 1;
    }
    *attribute = timelines->open_attributes[type] - 1;
    return OCELOTL_OK;
}

/* Ends all that a row and a group have open. */
static ocelotl_status end_open(oc_timelines *timelines, const oc_timelines_plan *plan, uint32_t row)
{
    for (;;) {
        bool open;
        oc_sorted span = {.stream = row};
        oc_pairs *pairs = &timelines->pairs;
        ocelotl_attribute_value marked = {0, "true", 4};
        OC_TRY(oc_pairs_rest(&open, &span, pairs, timelines->end));
        if (!open)
            return OCELOTL_OK;
        oc_oddities_note(timelines->oddities, OC_STATE_OPEN, plan->files[pairs->closed->order],
                         pairs->closed->bits);
        OC_TRY(find_open_attribute(&marked.attribute, timelines, span.type));
        OC_TRY(oc_grow(&pairs->room, &pairs->room_capacity, span.attribute_count + 1,
                       sizeof *pairs->room));
        pairs->room[span.attribute_count++] = marked;
        span.attributes = pairs->room;
        OC_TRY(oc_sorting_add(timelines->grouped, &span));
    }
}

static ocelotl_status take_record(oc_timelines *timelines, const oc_timelines_plan *plan,
                                  const oc_sorted *record)
{
    if (plan->see != NULL && (record->kind == OC_SORTED_BEGIN || record->kind == OC_SORTED_SPAN ||
                              record->kind == OC_SORTED_OTHER))
        OC_TRY(plan->see(plan->context, record));
    if (record->kind == OC_SORTED_BEGIN)
        return oc_pairs_begin(&timelines->pairs, record);
    if (record->kind == OC_SORTED_END)
        return end_state(timelines, plan, record);
    if (record->kind == OC_SORTED_OTHER)
        return OCELOTL_OK;
    if (is_indirect(timelines, record->stream))
        return oc_sorting_add(timelines->grouped, record);
    return write_settled(timelines, plan, record);
}

/* Takes all records of a sorting, row by row. */
static ocelotl_status take_all(oc_timelines *timelines, const oc_timelines_plan *plan,
                               oc_sorting *sorting)
{
    const oc_sorted *record;
    uint32_t row = OCELOTL_NONE;
    uint64_t group = 0;
    const bool first = sorting == timelines->records;
    OC_TRY(oc_sorting_finish(sorting));
    for (;;) {
        OC_TRY(oc_sorting_next(&record, sorting));
        const bool same = record != NULL && record->stream == row;
        if (first && row != OCELOTL_NONE && !(same && record->group == group))
            OC_TRY(end_open(timelines, plan, row));
        if (!same)
            OC_TRY(oc_lanes_end(&timelines->lanes));
        if (record == NULL)
            return OCELOTL_OK;
        if (!same)
            oc_lanes_begin(&timelines->lanes, plan->resources[record->stream]);
        row = record->stream;
        group = record->group;
        OC_TRY(first ? take_record(timelines, plan, record)
                     : write_settled(timelines, plan, record));
    }
}

/* --- Links */

/* A link that is open: when its end has its turn, and what the writer knows it by. Those that
 * have their turn first are at the top of a heap. */
typedef struct arrival {
    int64_t due, end;
    uint64_t number, link;
    uint32_t to;
} arrival;

typedef struct arrivals {
    arrival *heap;
    size_t count, capacity;
    uint64_t given;
} arrivals;

static bool is_sooner(const arrival *one, const arrival *other)
{
    return one->due != other->due ? one->due < other->due : one->number < other->number;
}

static ocelotl_status await(arrivals *open, const arrival *added)
{
    OC_TRY(oc_grow(&open->heap, &open->capacity, open->count + 1, sizeof *open->heap));
    size_t place = open->count++;
    for (; place > 0 && is_sooner(added, &open->heap[(place - 1) / 2]); place = (place - 1) / 2)
        open->heap[place] = open->heap[(place - 1) / 2];
    open->heap[place] = *added;
    return OCELOTL_OK;
}

static void forget_first(arrivals *open)
{
    const arrival sinking = open->heap[--open->count];
    size_t place = 0;
    for (size_t child; (child = 2 * place + 1) < open->count; place = child) {
        child += child + 1 < open->count && is_sooner(&open->heap[child + 1], &open->heap[child]);
        if (!is_sooner(&open->heap[child], &sinking))
            break;
        open->heap[place] = open->heap[child];
    }
    open->heap[place] = sinking;
}

/* Ends the links whose turn is not after `time`. */
static ocelotl_status arrive(const oc_timelines *timelines, arrivals *open, int64_t time)
{
    while (open->count > 0 && open->heap[0].due <= time) {
        const arrival *first = &open->heap[0];
        OC_TRY(ocelotl_writer_link_end(timelines->writer, first->link, first->to, first->end, NULL,
                                       0));
        forget_first(open);
    }
    return OCELOTL_OK;
}

static ocelotl_status write_link(oc_timelines *timelines, const oc_timelines_plan *plan,
                                 arrivals *open, const oc_sorted *link)
{
    const uint32_t from = (uint32_t)(link->group >> 32);
    const uint32_t to = (uint32_t)link->group;
    arrival added = {.due = link->end < link->time ? link->time : link->end,
                     .end = link->end,
                     .number = open->given++};
    if (from == OCELOTL_NONE) {
        note(timelines, plan, OC_LINK_WITHOUT_START, link);
        return ocelotl_writer_link_orphan(timelines->writer, plan->resources[to], link->type,
                                          link->value, link->end, link->attributes,
                                          link->attribute_count);
    }
    OC_TRY(ocelotl_writer_link_begin(&added.link, timelines->writer, plan->resources[from],
                                     link->type, link->value, link->time, link->attributes,
                                     link->attribute_count));
    if (to == OCELOTL_NONE) {
        note(timelines, plan, OC_LINK_WITHOUT_END, link);
        return OCELOTL_OK;
    }
    if (link->end < link->time)
        note(timelines, plan, OC_LINK_REVERSED, link);
    added.to = plan->resources[to];
    return await(open, &added);
}

static ocelotl_status write_links(oc_timelines *timelines, const oc_timelines_plan *plan)
{
    arrivals open = {0};
    const oc_sorted *link;
    ocelotl_status status = oc_sorting_finish(timelines->links);
    while (status == OCELOTL_OK) {
        status = oc_sorting_next(&link, timelines->links);
        if (status != OCELOTL_OK || link == NULL)
            break;
        status = arrive(timelines, &open, link->time);
        if (status == OCELOTL_OK)
            status = write_link(timelines, plan, &open, link);
    }
    if (status == OCELOTL_OK)
        status = arrive(timelines, &open, INT64_MAX);
    free(open.heap);
    return status;
}

ocelotl_status oc_timelines_write(oc_timelines *timelines, const oc_timelines_plan *plan)
{
    timelines->lanes.writer = timelines->writer;
    timelines->lanes.lane_type = plan->lane_type;
    timelines->lanes.begin = timelines->begin;
    OC_TRY(take_all(timelines, plan, timelines->records));
    if (plan->seen != NULL)
        OC_TRY(plan->seen(plan->context));
    oc_sorting_free(timelines->records);
    timelines->records = NULL;
    OC_TRY(take_all(timelines, plan, timelines->grouped));
    return write_links(timelines, plan);
}
