/* What happens in a span of time, in order: the chunks of one stream after the other, each of which is in order, then all
 * of it sorted. So no more is in memory than a span holds, and only chunks that lie across its ends are read twice. */
#include "model/series.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ocelotl_status damaged(const ocelotl_series *series, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: damaged chunk of events: %s", series->trace->path, what);
}

/* --- Spans */

static int compare_times(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left;
    const int64_t b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static ocelotl_status list_begins(int64_t **begins, size_t *count, ocelotl_series *series)
{
    size_t capacity = 0;
    for (size_t m = 0; m < series->member_count; m++) {
        OC_TRY(oc_reader_select(&series->reader, series->members[m].stream));
        for (size_t c = 0; c < series->reader.chunk_count; c++) {
            const int64_t begin = series->reader.chunks[c].begin;
            if (begin <= series->info.from || begin >= series->info.to)
                continue;
            OC_TRY(oc_grow(begins, &capacity, *count + 1, sizeof **begins));
            (*begins)[(*count)++] = begin;
        }
    }
    return OCELOTL_OK;
}

ocelotl_status oc_series_cut(ocelotl_series *series, size_t chunks)
{
    int64_t *begins = NULL;
    size_t count = 0;
    ocelotl_status status = list_begins(&begins, &count, series);
    if (status == OCELOTL_OK)
        status = oc_allocate(&series->spans, count / chunks + 2, sizeof *series->spans);
    if (status == OCELOTL_OK) {
        if (count > 1)
            qsort(begins, count, sizeof *begins, compare_times);
        series->spans[series->span_count++] = series->info.from;
        for (size_t i = chunks; i < count; i += chunks)
            if (begins[i] > series->spans[series->span_count - 1])
                series->spans[series->span_count++] = begins[i];
        series->spans[series->span_count] = series->info.to;
    }
    free(begins);
    return status;
}

/* --- Steps */

static ocelotl_status add_step(ocelotl_series *series, int64_t time, uint32_t place, double amount)
{
    oc_series_steps *steps = &series->steps;
    if (steps->count == steps->capacity)
        OC_TRY(oc_grow(&steps->steps, &steps->capacity, steps->count + 1, sizeof *steps->steps));
    steps->steps[steps->count++] = (oc_series_step){time, amount, place};
    return OCELOTL_OK;
}

/* The type of something that is open, OCELOTL_NONE for what is not counted. */
static ocelotl_status find_type(uint32_t *type, const ocelotl_series *series, size_t open)
{
    const ocelotl_trace *trace = series->trace;
    const oc_fold *fold = &series->reader.fold;
    const uint32_t value = fold->totals[fold->open[open].total].value;
    *type = OCELOTL_NONE;
    if (value == OCELOTL_NONE)
        return OCELOTL_OK;
    if (value >= trace->value_count || trace->values[value].event_type != series->sources.state_type)
        return damaged(series, "a value of another type");
    *type = series->type_of_value[value];
    return OCELOTL_OK;
}

/* Brings what a member counts as to what is open now. Marks tell sets apart: those that it was in before, and of them
 * those that it still is in. */
static ocelotl_status settle(ocelotl_series *series, oc_series_member *member, int64_t time)
{
    const oc_fold *fold = &series->reader.fold;
    const size_t first = series->nesting == OCELOTL_INNERMOST && fold->open_count > 0 ? fold->open_count - 1 : 0;
    const uint32_t curves = member->group * series->type_count;
    const uint32_t before = ++series->mark;
    const uint32_t now = ++series->mark;
    size_t kept = member->state_count;
    for (size_t i = 0; i < member->state_count; i++)
        series->marks[member->states[i]] = before;
    for (size_t i = first; i < fold->open_count; i++) {
        uint32_t type;
        OC_TRY(find_type(&type, series, i));
        if (type == OCELOTL_NONE || series->marks[type] == now)
            continue;
        if (series->marks[type] != before) {
            OC_TRY(oc_grow(&member->states, &member->state_capacity, kept + 1, sizeof *member->states));
            member->states[kept++] = type;
            OC_TRY(add_step(series, time, curves + type, 1));
        }
        series->marks[type] = now;
    }
    size_t left = 0;
    for (size_t i = 0; i < kept; i++) {
        if (series->marks[member->states[i]] == now)
            member->states[left++] = member->states[i];
        else
            OC_TRY(add_step(series, time, curves + member->states[i], -1));
    }
    member->state_count = left;
    return OCELOTL_OK;
}

/* Marks are used up after two thousand million settlings. */
static ocelotl_status settle_states(ocelotl_series *series, oc_series_member *member, int64_t time)
{
    if (series->mark > UINT32_MAX - 2) {
        memset(series->marks, 0, series->type_count * sizeof *series->marks);
        series->mark = 0;
    }
    return settle(series, member, time);
}

/* A change counts from when nothing else happens at its instant. */
static ocelotl_status settle_at(ocelotl_series *series, oc_series_member *member, int64_t time)
{
    const int64_t from = series->spans[series->span];
    const oc_fold *fold = &series->reader.fold;
    if (oc_series_counts(series))
        return settle_states(series, member, time > from ? time : from);
    /* What it had before the span is known, but of the first one. */
    if (!fold->has_number || (time < from && series->span > 0))
        return OCELOTL_OK;
    if (!isfinite(fold->number))
        return damaged(series, "a variable that is no number");
    return add_step(series, time > from ? time : from, (uint32_t)(member - series->members), fold->number);
}

static ocelotl_status read_chunks(ocelotl_series *series, oc_series_member *member, size_t chunk)
{
    const int64_t from = series->spans[series->span];
    const int64_t to = series->spans[series->span + 1];
    oc_reader *reader = &series->reader;
    int64_t last = INT64_MIN; /* what is known before the first record is settled with the first of the span */
    for (; chunk < reader->chunk_count && reader->chunks[chunk].begin < to; chunk++) {
        OC_TRY(oc_reader_read(reader, chunk, true));
        for (size_t i = 0; i < reader->records.count; i++) {
            const oc_record *record = &reader->records.records[i];
            if (record->time >= to)
                break;
            if (record->time > last && record->time >= from)
                OC_TRY(settle_at(series, member, last));
            OC_TRY(oc_fold_apply(&reader->fold, &reader->records, record));
            last = record->time;
        }
    }
    return settle_at(series, member, last);
}

/* A variable has no value after the end of its resource. */
static ocelotl_status end_member(ocelotl_series *series, const oc_series_member *member, int64_t end)
{
    if (oc_series_counts(series) || end >= series->spans[series->span + 1])
        return OCELOTL_OK;
    return add_step(series, end, (uint32_t)(member - series->members), NAN);
}

static ocelotl_status read_member(ocelotl_series *series, oc_series_member *member)
{
    const ocelotl_resource *resource = &series->trace->resources[series->trace->streams[member->stream].resource];
    if (!oc_series_counts(series) && resource->end <= series->spans[series->span])
        return OCELOTL_OK;
    OC_TRY(oc_reader_select(&series->reader, member->stream));
    const size_t before = oc_reader_chunks_before(&series->reader, series->spans[series->span]);
    OC_TRY(read_chunks(series, member, before > 0 ? before - 1 : 0));
    return end_member(series, member, resource->end);
}

/* --- Order */

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

/* By one digit of the time since `from`; what is equal stays as it is. */
static void sort_by_digit(oc_series_step *to, const oc_series_step *steps, size_t count, int64_t from, int shift)
{
    size_t places[DIGITS + 1] = {0};
    for (size_t i = 0; i < count; i++)
        places[(((uint64_t)steps[i].time - (uint64_t)from) >> shift & (DIGITS - 1)) + 1]++;
    for (size_t d = 1; d < DIGITS; d++)
        places[d] += places[d - 1];
    for (size_t i = 0; i < count; i++)
        to[places[((uint64_t)steps[i].time - (uint64_t)from) >> shift & (DIGITS - 1)]++] = steps[i];
}

static ocelotl_status sort(ocelotl_series *series)
{
    const int64_t from = series->spans[series->span];
    const uint64_t length = (uint64_t)series->spans[series->span + 1] - (uint64_t)from;
    OC_TRY(oc_grow(&series->other.steps, &series->other.capacity, series->steps.count, sizeof(oc_series_step)));
    for (int shift = 0; shift < 64 && length >> shift > 0; shift += DIGIT) {
        sort_by_digit(series->other.steps, series->steps.steps, series->steps.count, from, shift);
        const oc_series_steps sorted = {series->other.steps, series->steps.count, series->other.capacity};
        series->other = (oc_series_steps){series->steps.steps, 0, series->steps.capacity};
        series->steps = sorted;
    }
    return OCELOTL_OK;
}

/* Numbers of resources are known from when the group lives on. */
static ocelotl_status begin_curves(ocelotl_series *series)
{
    for (uint32_t g = 0; g < series->group_count; g++) {
        const int64_t begin = series->groups[g].begin;
        if (begin < series->spans[series->span] || begin >= series->spans[series->span + 1])
            continue;
        for (uint32_t t = 0; t < series->type_count; t++)
            OC_TRY(add_step(series, begin, g * series->type_count + t, 0));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_series_read(ocelotl_series *series)
{
    series->steps.count = 0;
    series->next = 0;
    if (oc_series_counts(series))
        OC_TRY(begin_curves(series));
    for (size_t m = 0; m < series->member_count; m++)
        OC_TRY(read_member(series, &series->members[m]));
    OC_TRY(sort(series));
    series->span++;
    return OCELOTL_OK;
}
