/* The events of a span of time in order, and the steps that they make in the series. */
#include "series/series.h"

#include "base/memory.h"
#include "base/weighed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- The events of a span of time, in order: it reads the chunks of one stream after the other,
 * each ordered, then sorts all. So memory holds one span at a time, and only chunks across its ends
 * are read twice. */

static ocelotl_status damaged(const ocelotl_series *series, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: damaged chunk of events: %s", series->trace->path,
                   what);
}

/* --- Spans */

/* Chunks that are worth a connection. */
enum { CHUNKS_PER_THREAD = 64 };

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
        qsort(begins, count, sizeof *begins, oc_compare_times);
    series->spans[series->span_count++] = series->info.from;
    for (size_t i = chunks; i < count; i += chunks)
        if (begins[i] > series->spans[series->span_count - 1])
            series->spans[series->span_count++] = begins[i];
    series->spans[series->span_count] = series->info.to;
    return OCELOTL_OK;
}

static ocelotl_status make_readings(ocelotl_series *series, size_t chunks)
{
    const int threads = oc_team_threads(chunks, CHUNKS_PER_THREAD, series->work.threads);
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

/* Finds the innermost state that passes the filters, or the first of all. */
static ocelotl_status find_innermost(size_t *first, const ocelotl_series *series,
                                     const oc_walk *walk)
{
    uint32_t type = OCELOTL_NONE;
    *first = walk->open.count;
    while (*first > 0 && type == OCELOTL_NONE)
        OC_TRY(find_type(&type, series, walk, --*first));
    return OCELOTL_OK;
}

/* Updates the states that a member counts to those open now. Two marks distinguish the states that
 * it counted before from those that it still counts. */
static ocelotl_status settle(const ocelotl_series *series, oc_series_reading *reading,
                             oc_series_member *member, int64_t time)
{
    const oc_walk *walk = &reading->walk;
    size_t first = 0;
    if (reading->mark > UINT32_MAX - 2) { /* marks are used up */
        memset(reading->marks, 0, series->type_count * sizeof *reading->marks);
        reading->mark = 0;
    }
    const uint32_t curves = member->group * series->type_count;
    const uint32_t before = ++reading->mark;
    const uint32_t now = ++reading->mark;
    size_t kept = member->state_count;
    for (size_t i = 0; i < member->state_count; i++)
        reading->marks[member->states[i]] = before;
    if (series->nesting == OCELOTL_INNERMOST)
        OC_TRY(find_innermost(&first, series, walk));
    for (size_t i = first; i < walk->open.count; i++) {
        uint32_t type;
        OC_TRY(find_type(&type, series, walk, i));
        if (type == OCELOTL_NONE || reading->marks[type] == now)
            continue;
        if (reading->marks[type] != before) {
            OC_TRY(oc_grow(&member->states, &member->state_capacity, kept + 1,
                           sizeof *member->states));
            member->states[kept++] = type;
            OC_TRY(oc_series_add_step(&reading->steps, time, curves + type, 1));
        }
        reading->marks[type] = now;
    }
    size_t left = 0;
    for (size_t i = 0; i < kept; i++) {
        if (reading->marks[member->states[i]] == now)
            member->states[left++] = member->states[i];
        else
            OC_TRY(oc_series_add_step(&reading->steps, time, curves + member->states[i], -1));
    }
    member->state_count = left;
    return OCELOTL_OK;
}

/* A change counts from when nothing else happens at its instant. */
static ocelotl_status settle_at(const ocelotl_series *series, oc_series_reading *reading,
                                oc_series_member *member, int64_t time)
{
    const int64_t from = series->spans[series->span];
    const oc_walk *walk = &reading->walk;
    if (oc_series_counts(series))
        return settle(series, reading, member, time > from ? time : from);
    /* What it had before the span is known, but of the first one. */
    if (!walk->holds || (time < from && series->span > 0))
        return OCELOTL_OK;
    return oc_series_add_step(&reading->steps, time > from ? time : from,
                              (uint32_t)(member - series->members), walk->held.number);
}

static ocelotl_status read_span(const ocelotl_series *series, oc_series_reading *reading,
                                oc_series_member *member)
{
    const int64_t from = series->spans[series->span];
    oc_walk *walk = &reading->walk;
    const oc_record *record;
    /* state from before the span is settled with its first record */
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

static ocelotl_status read_member(const ocelotl_series *series, oc_series_reading *reading,
                                  oc_series_member *member)
{
    if (oc_series_is_of_links(series))
        return oc_series_read_links(series, reading, member);
    const ocelotl_resource *resource =
        &series->trace->resources[series->trace->streams[member->stream].resource];
    if (!oc_series_counts(series) && resource->end <= series->spans[series->span])
        return OCELOTL_OK;
    OC_TRY(read_span(series, reading, member));
    /* A variable has no value after the end of its resource. */
    if (oc_series_counts(series) || resource->end >= series->spans[series->span + 1])
        return OCELOTL_OK;
    return oc_series_add_step(&reading->steps, resource->end, (uint32_t)(member - series->members),
                              NAN);
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
        series->info.missed += series->readings[i].missed;
        series->readings[i].missed = 0;
        free(from->steps);
        *from = (oc_series_steps){0};
    }
    return OCELOTL_OK;
}

/* --- Order */

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

/* Sorts by one digit of the time since `from`, stably. */
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

/* Reads what happens in the next span, in order of time. */
static ocelotl_status series_read(ocelotl_series *series)
{
    series->steps.count = 0;
    series->next = 0;
    if (oc_series_counts(series)) {
        /* Numbers of resources are known from when the group lives on. */
        for (uint32_t g = 0; g < series->group_count; g++) {
            const int64_t begin = series->groups[g].begin;
            if (begin < series->spans[series->span] || begin >= series->spans[series->span + 1])
                continue;
            for (uint32_t t = 0; t < series->type_count; t++)
                OC_TRY(oc_series_add_step(&series->steps, begin, g * series->type_count + t, 0));
        }
    }
    OC_TRY(oc_team_run(series->team, series->member_count, read_some, series));
    OC_TRY(gather(series));
    OC_TRY(sort(series));
    series->span++;
    return OCELOTL_OK;
}

/* --- What members have together */

ocelotl_status oc_series_sums_make(oc_series_sum **tree, uint32_t members)
{
    return oc_allocate(tree, 2 * (size_t)members, sizeof **tree);
}

static oc_series_sum join(const oc_series_sum *a, const oc_series_sum *b)
{
    if (a->count == 0 || b->count == 0)
        return a->count == 0 ? *b : *a;
    return (oc_series_sum){a->sum + b->sum, b->low < a->low ? b->low : a->low,
                           b->high > a->high ? b->high : a->high, a->count + b->count};
}

/* Gives a member a value; NaN: none. O(log members). */
static void series_sums_set(oc_series_sum *tree, uint32_t members, uint32_t member, double value)
{
    size_t node = (size_t)members + member;
    tree[node] = isnan(value) ? (oc_series_sum){0} : (oc_series_sum){value, value, value, 1};
    for (node /= 2; node > 0; node /= 2)
        tree[node] = join(&tree[2 * node], &tree[2 * node + 1]);
}

/* --- Changes */

void oc_series_rewind(ocelotl_series *series)
{
    for (size_t m = 0; m < series->member_count; m++)
        series->members[m].state_count = 0;
    for (uint32_t c = 0; c < series->info.series; c++) {
        oc_series_curve *curve = &series->curves[c];
        for (uint32_t i = 0; curve->sums != NULL && i < curve->member_count; i++)
            series_sums_set(curve->sums, curve->member_count, i, NAN);
        curve->number = 0;
        curve->under_way = 0;
        curve->touched = curve->given = false;
    }
    series->span = 0;
    series->info.missed = 0;
    series->steps.count = series->next = 0;
    series->touched_count = series->touched_next = 0;
}

static ocelotl_status touch(ocelotl_series *series, uint32_t curve)
{
    if (series->curves[curve].touched)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&series->touched, &series->touched_capacity, series->touched_count + 1,
                   sizeof *series->touched));
    series->touched[series->touched_count++] = curve;
    series->curves[curve].touched = true;
    return OCELOTL_OK;
}

/* Rates are rounded: they begin anew when no link is under way. A group's life begins with 0. */
static void add_amount(const ocelotl_series *series, oc_series_curve *curve, double amount)
{
    curve->number += amount;
    if (!oc_series_is_of_links(series) || amount == 0)
        return;
    curve->under_way += amount > 0 ? 1 : UINT64_MAX;
    if (curve->under_way == 0)
        curve->number = 0;
}

static ocelotl_status apply(ocelotl_series *series, const oc_series_step *step)
{
    uint32_t place = step->place;
    if (oc_series_counts(series)) {
        add_amount(series, &series->curves[place], step->amount);
        return touch(series, place);
    }
    const oc_series_member *member = &series->members[place];
    place = member->group * series->type_count + member->type;
    oc_series_curve *curve = &series->curves[place];
    series_sums_set(curve->sums, curve->member_count, member->place, step->amount);
    return touch(series, place);
}

/* Sorts by curve and amount, as a sum of rates depends on its order. */
static int compare_steps(const void *left, const void *right)
{
    const oc_series_step *a = left;
    const oc_series_step *b = right;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return (a->amount > b->amount) - (a->amount < b->amount);
}

/* Sorts the steps of one instant for links, which threads read in any order. */
static void order_instant(ocelotl_series *series)
{
    const oc_series_steps *steps = &series->steps;
    size_t end = series->next;
    while (end < steps->count && steps->steps[end].time == series->instant)
        end++;
    if (oc_series_is_of_links(series) && end - series->next > 1)
        qsort(steps->steps + series->next, end - series->next, sizeof *steps->steps, compare_steps);
}

/* Takes all steps of the next instant. */
static ocelotl_status pass_instant(ocelotl_series *series)
{
    const oc_series_steps *steps = &series->steps;
    series->touched_count = series->touched_next = 0;
    series->instant = steps->steps[series->next].time;
    order_instant(series);
    while (series->next < steps->count && steps->steps[series->next].time == series->instant)
        OC_TRY(apply(series, &steps->steps[series->next++]));
    if (series->touched_count > 1)
        qsort(series->touched, series->touched_count, sizeof *series->touched, oc_compare_indices);
    return OCELOTL_OK;
}

/* The value that a curve has now; false: none. */
static bool value_of(double *value, const ocelotl_series *series, const oc_series_curve *curve)
{
    *value = curve->number;
    if (series->info.in_flight == OCELOTL_IN_FLIGHT_SLOWDOWN && curve->under_way > 0)
        *value /= (double)curve->under_way;
    if (oc_series_counts(series))
        return true;
    const oc_series_sum *whole = &curve->sums[1];
    switch (series->info.reduction) {
    case OCELOTL_REDUCE_MEAN:
        *value = whole->count > 0 ? whole->sum / whole->count : 0;
        break;
    case OCELOTL_REDUCE_MIN:
        *value = whole->low;
        break;
    case OCELOTL_REDUCE_MAX:
        *value = whole->high;
        break;
    case OCELOTL_REDUCE_DEFAULT:
    case OCELOTL_REDUCE_COUNT:
    case OCELOTL_REDUCE_SUM:
        *value = whole->sum;
        break;
    }
    return whole->count > 0;
}

/* Whether a curve that was touched has changed. */
static ocelotl_status look(bool *found, ocelotl_series_change *change, ocelotl_series *series,
                           uint32_t index)
{
    oc_series_curve *curve = &series->curves[index];
    double value;
    const bool has_value = value_of(&value, series, curve);
    curve->touched = false;
    if (!isfinite(value))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: is damaged, or has values that are too large to be added up",
                       series->trace->path);
    if (series->info.only_above > 0)
        value = value > series->info.only_above;
    *found = !curve->given ? has_value
                           : has_value != curve->has_value || (has_value && value != curve->value);
    if (!*found)
        return OCELOTL_OK;
    curve->given = true;
    curve->has_value = has_value;
    curve->value = value;
    *change = (ocelotl_series_change){index, series->instant, has_value, has_value ? value : 0};
    return OCELOTL_OK;
}

ocelotl_status ocelotl_series_next(bool *found, ocelotl_series_change *change,
                                   ocelotl_series *series)
{
    *found = false;
    while (!*found) {
        if (series->touched_next < series->touched_count)
            OC_TRY(look(found, change, series, series->touched[series->touched_next++]));
        else if (series->next < series->steps.count)
            OC_TRY(pass_instant(series));
        else if (series->span < series->span_count)
            OC_TRY(series_read(series));
        else
            return OCELOTL_OK;
    }
    return OCELOTL_OK;
}
