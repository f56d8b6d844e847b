#include "model/metrics/metrics.h"

#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"
#include "store/read/walk.h"
#include "store/trace/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint32_t oc_filling_bytes(const oc_filling *filling, uint32_t event_type)
{
    return oc_catalogue_bytes(filling->catalogue, event_type, filling->options->cells.attribute);
}

/* Whether a stream has met a number as that attribute. */
static ocelotl_status look_for_numbers(bool *found, const oc_filling *filling, uint32_t stream,
                                       uint32_t attribute)
{
    oc_cursor *cursor = NULL;
    OC_TRY(oc_cursor_open(&cursor, &filling->connection, stream, 1));
    const ocelotl_status status = oc_cursor_seek(cursor, filling->trace->info.end, true);
    const oc_fold *fold = oc_cursor_fold(cursor);
    for (size_t i = 0; status == OCELOTL_OK && i < fold->sum_count; i++)
        *found |= fold->sums[i].attribute == attribute;
    oc_cursor_free(cursor);
    return status;
}

/* Checks that the attribute holds numbers: text has no sum. */
static ocelotl_status check_numbers(const oc_filling *filling)
{
    bool found = false;
    bool any = false;
    const char *name = "";
    for (uint32_t s = 0; s < filling->trace->stream_count && !found; s++) {
        const oc_stream *stream = &filling->trace->streams[s];
        const bool shown = filling->type_of_event_type[stream->event_type] != OCELOTL_NONE;
        const uint32_t attribute =
            shown ? oc_filling_bytes(filling, stream->event_type) : OCELOTL_NONE;
        if (attribute == OCELOTL_NONE ||
            (stream->role != OC_ROLE_LINKS_OUT && stream->role != OC_ROLE_LINKS_IN))
            continue;
        any = true;
        name = oc_catalogue_attribute(filling->catalogue, stream->event_type, attribute);
        OC_TRY(look_for_numbers(&found, filling, s, attribute));
    }
    if (!any || found)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "%s: no \"%s\" that a link carries is a number, expected bytes",
                   filling->trace->label, name);
}

ocelotl_status oc_filling_check_bytes(const oc_filling *filling)
{
    const uint32_t count = filling->trace->event_type_count;
    bool *shown = NULL;
    bool found = false;
    OC_TRY(oc_allocate(&shown, count, sizeof *shown));
    for (uint32_t e = 0; e < count; e++) {
        shown[e] = filling->type_of_event_type[e] != OCELOTL_NONE;
        found = found || (shown[e] && oc_filling_bytes(filling, e) != OCELOTL_NONE);
    }
    const ocelotl_status status =
        found
            ? check_numbers(filling)
            : oc_catalogue_fail_bytes(filling->catalogue, shown, filling->options->cells.attribute);
    free(shown);
    return status;
}

/* Adds a number at an instant, where that is in the window. */
static ocelotl_status add_at(oc_leaf_rows *rows, const oc_filling *filling, uint32_t type,
                             int64_t time, double number)
{
    const uint32_t slice = oc_filling_slice(filling, time);
    double *row;
    if (slice == OCELOTL_NONE || type == OCELOTL_NONE || number == 0)
        return OCELOTL_OK;
    OC_TRY(oc_leaf_rows_get(&row, rows, type));
    row[slice] += number;
    return OCELOTL_OK;
}

/* --- Instants and changes */

static oc_walk begin_walk(const oc_filling *filling)
{
    return (oc_walk){.reader = {.connection = filling->connection},
                     .conditions = filling->conditions,
                     .to = oc_filling_end(filling)};
}

static ocelotl_status count_records(oc_leaf_rows *rows, const oc_filling *filling, oc_walk *walk,
                                    uint32_t stream)
{
    const oc_stream *of = &filling->trace->streams[stream];
    const oc_record *record;
    OC_TRY(oc_walk_begin(walk, stream, filling->boundaries[0].ticks));
    OC_TRY(oc_walk_next_instant(&record, walk));
    while (record != NULL) {
        const uint32_t value = of->role == OC_ROLE_VARIABLE ? OCELOTL_NONE : record->value;
        OC_TRY(add_at(rows, filling, oc_filling_type(filling, of->event_type, value), record->time,
                      1));
        OC_TRY(oc_walk_next_instant(&record, walk));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_count_records(oc_leaf_rows *rows, const oc_filling *filling, uint32_t stream)
{
    oc_walk walk = begin_walk(filling);
    const ocelotl_status status = count_records(rows, filling, &walk, stream);
    oc_walk_free(&walk);
    return status;
}

/* --- Links where they begin */

static bool are_bytes(oc_counted counted)
{
    return counted == OC_COUNT_BYTES || counted == OC_COUNT_BYTES_IN_FLIGHT;
}

static bool are_under_way(oc_counted counted)
{
    return counted == OC_COUNT_FLIGHT || counted == OC_COUNT_BYTES_IN_FLIGHT;
}

/* Returns whether links of an event type have the number; *attribute becomes that of their
 * bytes. */
static bool has_number(uint32_t *attribute, const oc_filling *filling, uint32_t event_type,
                       oc_counted counted)
{
    *attribute = are_bytes(counted) ? oc_filling_bytes(filling, event_type) : OCELOTL_NONE;
    return !are_bytes(counted) || *attribute != OCELOTL_NONE;
}

static ocelotl_status check_bytes(const oc_filling *filling, uint32_t event_type,
                                  uint32_t attribute, double number)
{
    if (number >= 0 && isfinite(number))
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "%s: \"%s\" of links of type \"%s\" is negative or too large, expected bytes",
                   filling->trace->label,
                   oc_catalogue_attribute(filling->catalogue, event_type, attribute),
                   oc_type_spelling(filling->trace, event_type));
}

static ocelotl_status add_departure(oc_leaf_rows *rows, const oc_filling *filling,
                                    const oc_walk *walk, uint32_t attribute, oc_counted counted)
{
    const oc_interval *link = &walk->interval;
    const uint32_t event_type = walk->stream->event_type;
    const bool bytes = are_bytes(counted);
    const uint32_t type = oc_filling_type(filling, event_type, bytes ? OCELOTL_NONE : link->value);
    const double begins = bytes ? oc_walk_number_begun(walk, attribute) : 1;
    const double ends = bytes ? oc_walk_number_ended(walk, attribute) : 0;
    double *row;
    OC_TRY(check_bytes(filling, event_type, attribute, begins));
    if (!are_under_way(counted)) {
        OC_TRY(check_bytes(filling, event_type, attribute, ends));
        OC_TRY(add_at(rows, filling, type, link->begin, begins));
        return add_at(rows, filling, type, link->left, ends);
    }
    if (type == OCELOTL_NONE || link->left <= filling->boundaries[0].ticks || !(begins > 0))
        return OCELOTL_OK;
    OC_TRY(oc_leaf_rows_get(&row, rows, type));
    return oc_filling_add_time(row, filling, link->begin, link->left, begins);
}

static ocelotl_status count_departures(oc_leaf_rows *rows, const oc_filling *filling, oc_walk *walk,
                                       uint32_t stream, uint32_t attribute, oc_counted counted)
{
    const oc_interval *link;
    OC_TRY(oc_walk_begin(walk, stream, filling->boundaries[0].ticks));
    OC_TRY(oc_walk_next_interval(&link, walk));
    while (link != NULL) {
        if (link->passes)
            OC_TRY(add_departure(rows, filling, walk, attribute, counted));
        OC_TRY(oc_walk_next_interval(&link, walk));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_count_departures(oc_leaf_rows *rows, const oc_filling *filling, uint32_t stream,
                                   oc_counted counted)
{
    oc_walk walk = begin_walk(filling);
    uint32_t attribute;
    if (!has_number(&attribute, filling, filling->trace->streams[stream].event_type, counted))
        return OCELOTL_OK;
    walk.carries = are_bytes(counted);
    const ocelotl_status status =
        count_departures(rows, filling, &walk, stream, attribute, counted);
    oc_walk_free(&walk);
    return status;
}

/* --- Links where they end */

void oc_arrivals_free(oc_arrivals *arrivals)
{
    free(arrivals->list);
    free(arrivals->row);
    *arrivals = (oc_arrivals){0};
}

static int compare_arrivals(const void *left, const void *right)
{
    const oc_arrival *a = left;
    const oc_arrival *b = right;
    if (a->resource != b->resource)
        return a->resource < b->resource ? -1 : 1;
    if (a->event_type != b->event_type)
        return a->event_type < b->event_type ? -1 : 1;
    if (a->type != b->type)
        return a->type < b->type ? -1 : 1;
    return (a->slice > b->slice) - (a->slice < b->slice);
}

/* Joins arrivals of one place. */
static void join(oc_arrivals *arrivals)
{
    size_t kept = 0;
    if (arrivals->count > 1)
        qsort(arrivals->list, arrivals->count, sizeof *arrivals->list, compare_arrivals);
    for (size_t i = 0; i < arrivals->count; i++) {
        if (kept > 0 && compare_arrivals(&arrivals->list[kept - 1], &arrivals->list[i]) == 0)
            arrivals->list[kept - 1].number += arrivals->list[i].number;
        else
            arrivals->list[kept++] = arrivals->list[i];
    }
    arrivals->count = kept;
}

/* Joins before it takes more memory, so that it has no more than twice what is needed. */
static ocelotl_status add_arrival(oc_arrivals *arrivals, const oc_arrival *arrival)
{
    if (arrivals->count == arrivals->capacity) {
        join(arrivals);
        if (arrivals->count >= arrivals->capacity / 2)
            OC_TRY(oc_grow(&arrivals->list, &arrivals->capacity, 2 * arrivals->count + 1024,
                           sizeof *arrivals->list));
    }
    arrivals->list[arrivals->count++] = *arrival;
    return OCELOTL_OK;
}

/* A link is under way to its target until it is over at its source. */
static ocelotl_status take_flight(oc_arrivals *arrivals, const oc_filling *filling,
                                  const oc_walk *walk, uint32_t attribute, oc_counted counted)
{
    const oc_interval *link = &walk->interval;
    const int64_t begin = filling->boundaries[0].ticks;
    const int64_t from = link->begin > begin ? link->begin : begin;
    const bool bytes = are_bytes(counted);
    oc_arrival arrival = {.resource = link->target, .event_type = walk->stream->event_type};
    const double number = bytes ? oc_walk_number_begun(walk, attribute) : 1;
    arrival.type = oc_filling_type(filling, arrival.event_type, bytes ? OCELOTL_NONE : link->value);
    OC_TRY(check_bytes(filling, arrival.event_type, attribute, number));
    if (link->left <= from || arrival.type == OCELOTL_NONE || !(number > 0))
        return OCELOTL_OK;
    OC_TRY(oc_filling_add_time(arrivals->row, filling, from, link->left, number));
    arrival.slice = oc_filling_slice(filling, from);
    for (; arrival.slice < filling->slicing->slices && arrivals->row[arrival.slice] > 0;
         arrival.slice++) {
        arrival.number = arrivals->row[arrival.slice];
        arrivals->row[arrival.slice] = 0;
        OC_TRY(add_arrival(arrivals, &arrival));
    }
    return OCELOTL_OK;
}

static ocelotl_status take_arrival(oc_arrivals *arrivals, const oc_filling *filling,
                                   const oc_walk *walk, uint32_t attribute, oc_counted counted)
{
    const oc_interval *link = &walk->interval;
    const uint32_t event_type = walk->stream->event_type;
    const bool bytes = are_bytes(counted);
    const int64_t time = link->end > link->begin ? link->end : link->begin;
    const uint32_t slice = oc_filling_slice(filling, time);
    const uint32_t type = oc_filling_type(filling, event_type, bytes ? OCELOTL_NONE : link->value);
    const double number =
        bytes ? oc_walk_number_begun(walk, attribute) + oc_walk_number_ended(walk, attribute) : 1;
    if (slice == OCELOTL_NONE || type == OCELOTL_NONE)
        return OCELOTL_OK;
    OC_TRY(check_bytes(filling, event_type, attribute, number));
    return add_arrival(arrivals, &(oc_arrival){link->target, event_type, type, slice, number});
}

static ocelotl_status find_arrivals(oc_arrivals *arrivals, const oc_filling *filling, oc_walk *walk,
                                    oc_counted counted)
{
    const ocelotl_trace *trace = filling->trace;
    ocelotl_status (*const take)(oc_arrivals *, const oc_filling *, const oc_walk *, uint32_t,
                                 oc_counted) = are_under_way(counted) ? take_flight : take_arrival;
    OC_TRY(oc_allocate(&arrivals->row, filling->slicing->slices, sizeof *arrivals->row));
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        const oc_interval *link;
        const uint32_t event_type = trace->streams[s].event_type;
        uint32_t attribute;
        if (trace->streams[s].role != OC_ROLE_LINKS_OUT ||
            !(are_under_way(counted) || oc_conditions_concern(filling->conditions, event_type)) ||
            !has_number(&attribute, filling, event_type, counted))
            continue;
        OC_TRY(oc_walk_begin(walk, s, filling->boundaries[0].ticks));
        OC_TRY(oc_walk_next_interval(&link, walk));
        while (link != NULL) {
            if (link->passes && link->target != OCELOTL_NONE)
                OC_TRY(take(arrivals, filling, walk, attribute, counted));
            OC_TRY(oc_walk_next_interval(&link, walk));
        }
    }
    join(arrivals);
    return OCELOTL_OK;
}

ocelotl_status oc_arrivals_find(oc_arrivals *arrivals, const oc_filling *filling,
                                oc_counted counted)
{
    oc_walk walk = begin_walk(filling);
    walk.carries = are_bytes(counted);
    const ocelotl_status status = find_arrivals(arrivals, filling, &walk, counted);
    oc_walk_free(&walk);
    return status;
}

/* Counts arrivals without a departure where the trace notes them. */
static ocelotl_status count_orphans(oc_leaf_rows *rows, const oc_filling *filling, oc_walk *walk,
                                    uint32_t stream, uint32_t attribute, oc_counted counted)
{
    const bool bytes = attribute != OCELOTL_NONE;
    const uint32_t event_type = filling->trace->streams[stream].event_type;
    const oc_record *record;
    if (filling->trace->event_types[event_type].unmatched == 0 || are_under_way(counted))
        return OCELOTL_OK;
    OC_TRY(oc_walk_begin(walk, stream, filling->boundaries[0].ticks));
    OC_TRY(oc_walk_next_instant(&record, walk));
    while (record != NULL) {
        const double number =
            bytes ? oc_record_number(&walk->reader.records, record, attribute) : 1;
        if (record->partner == OCELOTL_NONE) {
            OC_TRY(check_bytes(filling, event_type, attribute, number));
            OC_TRY(
                add_at(rows, filling,
                       oc_filling_type(filling, event_type, bytes ? OCELOTL_NONE : record->value),
                       record->time, number));
        }
        OC_TRY(oc_walk_next_instant(&record, walk));
    }
    return OCELOTL_OK;
}

/* The first arrival in a stream, or behind it. */
static size_t first_in(const oc_arrivals *arrivals, const oc_stream *stream)
{
    const oc_arrival first = {.resource = stream->resource, .event_type = stream->event_type};
    size_t low = 0;
    size_t high = arrivals->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_arrivals(&arrivals->list[middle], &first) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

ocelotl_status oc_count_arrivals(oc_leaf_rows *rows, const oc_filling *filling, uint32_t stream,
                                 const oc_arrivals *arrivals, oc_counted counted)
{
    const oc_stream *at = &filling->trace->streams[stream];
    uint32_t attribute;
    if (!has_number(&attribute, filling, at->event_type, counted))
        return OCELOTL_OK;
    oc_walk walk = begin_walk(filling);
    const ocelotl_status status = count_orphans(rows, filling, &walk, stream, attribute, counted);
    oc_walk_free(&walk);
    OC_TRY(status);
    for (size_t i = first_in(arrivals, at); i < arrivals->count; i++) {
        const oc_arrival *arrival = &arrivals->list[i];
        double *row;
        if (arrival->resource != at->resource || arrival->event_type != at->event_type)
            break;
        OC_TRY(oc_leaf_rows_get(&row, rows, arrival->type));
        row[arrival->slice] += arrival->number;
    }
    return OCELOTL_OK;
}
