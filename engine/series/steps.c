/* What happens in a span of time, in order: the chunks of one stream after the other, each of which
 * is in order, then all of it sorted. So no more is in memory than a span holds, and only chunks
 * that lie across its ends are read twice. */
#include "series/series.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ocelotl_status damaged(const ocelotl_series *series, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: damaged chunk of events: %s", series->trace->path,
                   what);
}

/* --- Spans */

/* So many are worth a connection. */
enum { CHUNKS_PER_THREAD = 64 };

static int compare_times(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left;
    const int64_t b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static ocelotl_status list_begins(int64_t **begins, size_t *count, const ocelotl_series *series,
                                  oc_reader *reader)
{
    size_t capacity = 0;
    for (size_t m = 0; m < series->member_count; m++) {
        OC_TRY(oc_reader_select(reader, series->members[m].stream));
        for (size_t c = 0; c < reader->chunk_count; c++) {
            const int64_t begin = reader->chunks[c].begin;
            if (begin <= series->info.from || begin >= series->info.to)
                continue;
            OC_TRY(oc_grow(begins, &capacity, *count + 1, sizeof **begins));
            (*begins)[(*count)++] = begin;
        }
    }
    return OCELOTL_OK;
}

static ocelotl_status cut(ocelotl_series *series, int64_t *begins, size_t count, size_t chunks)
{
    OC_TRY(oc_allocate(&series->spans, count / chunks + 2, sizeof *series->spans));
    if (count > 1)
        qsort(begins, count, sizeof *begins, compare_times);
    series->spans[series->span_count++] = series->info.from;
    for (size_t i = chunks; i < count; i += chunks)
        if (begins[i] > series->spans[series->span_count - 1])
            series->spans[series->span_count++] = begins[i];
    series->spans[series->span_count] = series->info.to;
    return OCELOTL_OK;
}

static ocelotl_status make_readings(ocelotl_series *series, size_t chunks)
{
    const int threads = oc_team_threads(chunks, CHUNKS_PER_THREAD);
    OC_TRY(oc_team_open(&series->team, series->trace, threads));
    OC_TRY(oc_allocate(&series->readings, (size_t)threads, sizeof *series->readings));
    for (; series->reading_count < threads; series->reading_count++) {
        oc_series_reading *reading = &series->readings[series->reading_count];
        OC_TRY(oc_allocate(&reading->marks, series->type_count, sizeof *reading->marks));
    }
    return OCELOTL_OK;
}

void oc_series_end_reading(ocelotl_series *series)
{
    for (int i = 0; i < series->reading_count; i++) {
        oc_series_reading *reading = &series->readings[i];
        oc_walk_free(&reading->walk);
        free(reading->steps.steps);
        free(reading->marks);
    }
    oc_team_free(series->team);
    free(series->readings);
    free(series->spans);
    series->team = NULL;
    series->readings = NULL;
    series->spans = NULL;
    series->reading_count = 0;
    series->span_count = 0;
}

ocelotl_status oc_series_cut(ocelotl_series *series, size_t chunks)
{
    oc_reader reader = {.connection = oc_connection_of(series->trace)};
    int64_t *begins = NULL;
    size_t count = 0;
    ocelotl_status status = list_begins(&begins, &count, series, &reader);
    if (status == OCELOTL_OK)
        status = cut(series, begins, count, chunks);
    if (status == OCELOTL_OK)
        status = make_readings(series, count);
    oc_reader_free(&reader);
    free(begins);
    return status;
}

/* --- Steps */

static ocelotl_status add_step(oc_series_steps *steps, int64_t time, uint32_t place, double amount)
{
    if (steps->count == steps->capacity)
        OC_TRY(oc_grow(&steps->steps, &steps->capacity, steps->count + 1, sizeof *steps->steps));
    steps->steps[steps->count++] = (oc_series_step){time, amount, place};
    return OCELOTL_OK;
}

/* The type of something that is open, OCELOTL_NONE for what is not counted. */
static ocelotl_status find_type(uint32_t *type, const ocelotl_series *series, const oc_walk *walk,
                                size_t open)
{
    const ocelotl_trace *trace = series->trace;
    const uint32_t value = ((const oc_open_event *)oc_walk_open(walk, open))->value;
    *type = OCELOTL_NONE;
    if (value == OCELOTL_NONE)
        return OCELOTL_OK;
    if (trace->values[value].event_type != series->sources.state_type)
        return damaged(series, "a value of another type");
    *type = series->type_of_value[value];
    return OCELOTL_OK;
}

/* Brings what a member counts as to what is open now. Marks tell sets apart: those that it was in
 * before, and of them those that it still is in. */
static ocelotl_status settle(const ocelotl_series *series, oc_series_reading *reading,
                             oc_series_member *member, int64_t time)
{
    const oc_walk *walk = &reading->walk;
    const size_t first =
        series->nesting == OCELOTL_INNERMOST && walk->open.count > 0 ? walk->open.count - 1 : 0;
    const uint32_t curves = member->group * series->type_count;
    const uint32_t before = ++reading->mark;
    const uint32_t now = ++reading->mark;
    size_t kept = member->state_count;
    for (size_t i = 0; i < member->state_count; i++)
        reading->marks[member->states[i]] = before;
    for (size_t i = first; i < walk->open.count; i++) {
        uint32_t type;
        OC_TRY(find_type(&type, series, walk, i));
        if (type == OCELOTL_NONE || reading->marks[type] == now)
            continue;
        if (reading->marks[type] != before) {
            OC_TRY(oc_grow(&member->states, &member->state_capacity, kept + 1,
                           sizeof *member->states));
            member->states[kept++] = type;
            OC_TRY(add_step(&reading->steps, time, curves + type, 1));
        }
        reading->marks[type] = now;
    }
    size_t left = 0;
    for (size_t i = 0; i < kept; i++) {
        if (reading->marks[member->states[i]] == now)
            member->states[left++] = member->states[i];
        else
            OC_TRY(add_step(&reading->steps, time, curves + member->states[i], -1));
    }
    member->state_count = left;
    return OCELOTL_OK;
}

/* Marks are used up after two thousand million settlings. */
static ocelotl_status settle_states(const ocelotl_series *series, oc_series_reading *reading,
                                    oc_series_member *member, int64_t time)
{
    if (reading->mark > UINT32_MAX - 2) {
        memset(reading->marks, 0, series->type_count * sizeof *reading->marks);
        reading->mark = 0;
    }
    return settle(series, reading, member, time);
}

/* A change counts from when nothing else happens at its instant. */
static ocelotl_status settle_at(const ocelotl_series *series, oc_series_reading *reading,
                                oc_series_member *member, int64_t time)
{
    const int64_t from = series->spans[series->span];
    const oc_walk *walk = &reading->walk;
    if (oc_series_counts(series))
        return settle_states(series, reading, member, time > from ? time : from);
    /* What it had before the span is known, but of the first one. */
    if (!walk->holds || (time < from && series->span > 0))
        return OCELOTL_OK;
    return add_step(&reading->steps, time > from ? time : from,
                    (uint32_t)(member - series->members), walk->held.number);
}

static ocelotl_status read_span(const ocelotl_series *series, oc_series_reading *reading,
                                oc_series_member *member)
{
    const int64_t from = series->spans[series->span];
    oc_walk *walk = &reading->walk;
    const oc_record *record;
    /* what is known before the first record is settled with the first of the span */
    int64_t last = INT64_MIN;
    OC_TRY(oc_walk_begin(walk, member->stream, from));
    OC_TRY(oc_walk_peek(&record, walk));
    while (record != NULL) {
        if (record->time > last && record->time >= from)
            OC_TRY(settle_at(series, reading, member, last));
        last = record->time;
        OC_TRY(oc_walk_take(walk, record));
        OC_TRY(oc_walk_peek(&record, walk));
    }
    return settle_at(series, reading, member, last);
}

/* A variable has no value after the end of its resource. */
static ocelotl_status end_member(const ocelotl_series *series, oc_series_reading *reading,
                                 const oc_series_member *member, int64_t end)
{
    if (oc_series_counts(series) || end >= series->spans[series->span + 1])
        return OCELOTL_OK;
    return add_step(&reading->steps, end, (uint32_t)(member - series->members), NAN);
}

static ocelotl_status read_member(const ocelotl_series *series, oc_series_reading *reading,
                                  oc_series_member *member)
{
    const ocelotl_resource *resource =
        &series->trace->resources[series->trace->streams[member->stream].resource];
    if (!oc_series_counts(series) && resource->end <= series->spans[series->span])
        return OCELOTL_OK;
    OC_TRY(read_span(series, reading, member));
    return end_member(series, reading, member, resource->end);
}

/* --- By many threads */

/* Asks whoever waits. */
static ocelotl_status report(const ocelotl_series *series, size_t member)
{
    const uint64_t done = (uint64_t)series->span * series->member_count + member;
    const uint64_t total = (uint64_t)series->span_count * series->member_count;
    if (series->work.progress == NULL || series->work.progress(series->work.context, done, total))
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_CANCELLED, "%s: reading was cancelled", series->trace->label);
}

/* The first thread asks whoever waits. */
static ocelotl_status read_some(void *context, const oc_team_member *member)
{
    ocelotl_series *series = context;
    oc_series_reading *reading = &series->readings[member->thread];
    size_t next;
    reading->walk.reader.connection = member->connection;
    reading->walk.within = true;
    reading->walk.to = series->spans[series->span + 1] - 1;
    while (oc_team_next(&next, member)) {
        if (member->thread == 0)
            OC_TRY(report(series, next));
        OC_TRY(read_member(series, reading, &series->members[next]));
    }
    return OCELOTL_OK;
}

/* Steps of a member are those of one thread, in their order; what order members are in makes no
 * difference. */
static ocelotl_status gather(ocelotl_series *series)
{
    for (int i = 0; i < series->reading_count; i++) {
        oc_series_steps *from = &series->readings[i].steps;
        OC_TRY(oc_grow(&series->steps.steps, &series->steps.capacity,
                       series->steps.count + from->count, sizeof *from->steps));
        if (from->count > 0)
            memcpy(series->steps.steps + series->steps.count, from->steps,
                   from->count * sizeof *from->steps);
        series->steps.count += from->count;
        free(from->steps);
        *from = (oc_series_steps){0};
    }
    return OCELOTL_OK;
}

static ocelotl_status read_members(ocelotl_series *series)
{
    OC_TRY(oc_team_run(series->team, series->member_count, read_some, series));
    return gather(series);
}

/* --- Order */

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

/* By one digit of the time since `from`; what is equal stays as it is. */
static void sort_by_digit(oc_series_step *to, const oc_series_step *steps, size_t count,
                          int64_t from, int shift)
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
    OC_TRY(oc_grow(&series->other.steps, &series->other.capacity, series->steps.count,
                   sizeof(oc_series_step)));
    for (int shift = 0; shift < 64 && length >> shift > 0; shift += DIGIT) {
        sort_by_digit(series->other.steps, series->steps.steps, series->steps.count, from, shift);
        const oc_series_steps sorted = {series->other.steps, series->steps.count,
                                        series->other.capacity};
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
            OC_TRY(add_step(&series->steps, begin, g * series->type_count + t, 0));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_series_read(ocelotl_series *series)
{
    series->steps.count = 0;
    series->next = 0;
    if (oc_series_counts(series))
        OC_TRY(begin_curves(series));
    OC_TRY(read_members(series));
    OC_TRY(sort(series));
    series->span++;
    return OCELOTL_OK;
}
