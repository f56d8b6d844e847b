#include "base/memory.h"
#include "viz/gantt/gantt.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row on its way into sums. */
typedef struct row_walk {
    oc_gantt_sums *sums;
    const oc_gantt *gantt;
    uint32_t row, columns;
    uint32_t rest;             /* what stands for values without a colour of their own */
    uint64_t outer, outer_end; /* in the lane above, the next object that may contain this one */
} row_walk;

static double position(const row_walk *walk, int64_t time)
{
    const ocelotl_drawables_info *info = &walk->gantt->info;
    const double length = fmax(1, (double)info->to - (double)info->from);
    return ((double)time - (double)info->from) / length * walk->columns;
}

static ocelotl_status give(const row_walk *walk, uint32_t column, uint32_t value, double ticks,
                           uint64_t count)
{
    oc_gantt_sums *sums = walk->sums;
    OC_TRY(oc_grow(&sums->sums, &sums->capacity, sums->count + 1, sizeof *sums->sums));
    sums->sums[sums->count++] = (oc_gantt_sum){column, value, ticks, count};
    return OCELOTL_OK;
}

/* Spreads ticks evenly between two instants. */
static ocelotl_status spread(const row_walk *walk, int64_t begin, int64_t end, uint32_t value,
                             double ticks, uint64_t count)
{
    const double from = position(walk, begin);
    const double to = position(walk, end);
    const uint32_t first = (uint32_t)fmin(fmax(0, floor(from)), walk->columns - 1);
    if (!(to > from))
        return give(walk, first, value, ticks, count);
    for (uint32_t column = first; column < walk->columns && (column == first || column < to);
         column++) {
        const double share = (fmin(to, column + 1.0) - fmax(from, column)) / (to - from);
        OC_TRY(give(walk, column, value, ticks * share, column == first ? count : 0));
    }
    return OCELOTL_OK;
}

static ocelotl_drawn_object object_at(const row_walk *walk, uint64_t object)
{
    return oc_gantt_object_at(walk->gantt, walk->row, object);
}

/* Takes the time of a nested state from the one around it. */
static ocelotl_status take_from_outer(row_walk *walk, const ocelotl_drawn_object *is)
{
    while (walk->outer < walk->outer_end && object_at(walk, walk->outer).end <= is->begin)
        walk->outer++;
    if (walk->outer >= walk->outer_end || is->end <= is->begin)
        return OCELOTL_OK;
    const ocelotl_drawn_object outer = object_at(walk, walk->outer);
    const int64_t begin = outer.begin > is->begin ? outer.begin : is->begin;
    const int64_t end = outer.end < is->end ? outer.end : is->end;
    const double share = ((double)end - (double)begin) / ((double)is->end - (double)is->begin);
    return end > begin ? spread(walk, begin, end, outer.value, -(double)is->ticks * share, 0)
                       : OCELOTL_OK;
}

static ocelotl_status add_object(row_walk *walk, uint64_t object, const ocelotl_drawn_object *is)
{
    int64_t ticks = is->ticks;
    uint64_t count = is->count;
    if (is->lane > 0)
        OC_TRY(take_from_outer(walk, is));
    for (uint32_t i = 0; i < is->shares; i++) {
        const ocelotl_drawn_share share =
            ocelotl_drawables_share_at(walk->gantt->drawables, walk->row, object, i);
        const uint32_t value = share.value != OCELOTL_NONE ? share.value : walk->rest;
        OC_TRY(spread(walk, is->begin, is->end, value, (double)share.ticks, share.count));
        ticks -= share.ticks;
        count -= share.count;
    }
    if (count == 0 && ticks == 0)
        return OCELOTL_OK;
    const bool known = is->shares == 0 && is->value != OCELOTL_NONE;
    return spread(walk, is->begin, is->end, known ? is->value : walk->rest, (double)ticks, count);
}

/* Objects come by lane, then by begin. */
static ocelotl_status add_row(row_walk *walk)
{
    uint32_t lane = 0;
    uint64_t lane_begin = 0;
    for (uint64_t object = 0; object < walk->gantt->drawn[walk->row].is.objects; object++) {
        const ocelotl_drawn_object is = object_at(walk, object);
        if (is.lane != lane) {
            walk->outer = is.lane == lane + 1 ? lane_begin : object;
            walk->outer_end = object;
            lane_begin = object;
            lane = is.lane;
        }
        OC_TRY(add_object(walk, object, &is));
    }
    return OCELOTL_OK;
}

static int compare_sums(const void *left, const void *right)
{
    const oc_gantt_sum *a = left;
    const oc_gantt_sum *b = right;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    if (a->ticks > b->ticks || a->ticks < b->ticks)
        return a->ticks > b->ticks ? -1 : 1;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return (a->value > b->value) - (a->value < b->value);
}

/* Sorts the pieces by column into *spare; column c begins at starts[c]. */
static ocelotl_status sort_by_column(oc_gantt_sums *sums, uint32_t columns)
{
    const size_t count = sums->count;
    OC_TRY(oc_grow(&sums->spare, &sums->spare_capacity, count, sizeof *sums->spare));
    OC_TRY(
        oc_grow(&sums->starts, &sums->start_capacity, (size_t)columns + 2, sizeof *sums->starts));
    memset(sums->starts, 0, ((size_t)columns + 2) * sizeof *sums->starts);
    for (size_t i = 0; i < count; i++)
        sums->starts[sums->sums[i].column + 2]++;
    for (uint32_t column = 2; column <= columns; column++)
        sums->starts[column] += sums->starts[column - 1];
    for (size_t i = 0; i < count; i++)
        sums->spare[sums->starts[sums->sums[i].column + 1]++] = sums->sums[i];
    return OCELOTL_OK;
}

/* The slot of a value. */
static size_t slot_of(uint32_t value, uint32_t value_count)
{
    return value < value_count ? value : value_count + (value == OC_GANTT_EVENTS);
}

static void join_column(oc_gantt_sums *sums, const oc_gantt_sum *pieces, size_t count,
                        uint32_t value_count)
{
    const size_t first = sums->count;
    for (size_t i = 0; i < count; i++) {
        size_t *slot = &sums->slots[slot_of(pieces[i].value, value_count)];
        if (*slot == 0) {
            sums->sums[sums->count++] = pieces[i];
            *slot = sums->count - first;
            continue;
        }
        oc_gantt_sum *same = &sums->sums[first + *slot - 1];
        same->ticks += pieces[i].ticks;
        same->count += pieces[i].count;
    }
    for (size_t i = first; i < sums->count; i++)
        sums->slots[slot_of(sums->sums[i].value, value_count)] = 0;
    if (sums->count > first + 1)
        qsort(sums->sums + first, sums->count - first, sizeof *sums->sums, compare_sums);
}

ocelotl_status oc_gantt_sum_group(oc_gantt_sums *sums, const oc_gantt *gantt,
                                  const oc_gantt_group *group, uint32_t columns, bool all)
{
    const double length = fmax(1, (double)gantt->info.to - (double)gantt->info.from);
    sums->count = 0;
    sums->ticks = 0;
    for (uint32_t row = group->first; row < group->end; row++) {
        const ocelotl_drawn_row *is = &gantt->drawn[row].is;
        const bool states = is->category == OCELOTL_STATE;
        row_walk walk = {.sums = sums, .gantt = gantt, .row = row, .columns = columns};
        walk.rest = states ? OCELOTL_NONE : OC_GANTT_EVENTS;
        if (is->event_type == OCELOTL_NONE || (is->category != group->shown && !all) ||
            (!states && is->category != OCELOTL_EVENT))
            continue;
        OC_TRY(add_row(&walk));
        sums->ticks += states ? length / columns : 0;
    }
    /* Joins sums of one column and value. */
    const uint32_t value_count = ocelotl_trace_value_count(gantt->trace);
    OC_TRY(sort_by_column(sums, columns));
    if (sums->slots == NULL)
        OC_TRY(oc_allocate(&sums->slots, (size_t)value_count + 2, sizeof *sums->slots));
    sums->count = 0;
    for (uint32_t column = 0; column < columns; column++)
        join_column(sums, sums->spare + sums->starts[column],
                    sums->starts[column + 1] - sums->starts[column], value_count);
    return OCELOTL_OK;
}

size_t oc_gantt_sums_end(const oc_gantt_sums *sums, size_t begin)
{
    size_t end = begin;
    while (end < sums->count && sums->sums[end].column == sums->sums[begin].column)
        end++;
    return end;
}

void oc_gantt_sums_free(oc_gantt_sums *sums)
{
    free(sums->sums);
    free(sums->spare);
    free(sums->starts);
    free(sums->slots);
    *sums = (oc_gantt_sums){0};
}

/* --- Means of variables */

/* The place of a row's type, or OC_GANTT_MEANS_MOST. */
static uint32_t place_of(oc_gantt_means *means, uint32_t event_type)
{
    for (uint32_t i = 0; i < means->count; i++)
        if (means->event_types[i] == event_type)
            return i;
    if (means->count == OC_GANTT_MEANS_MOST) {
        means->more = true;
        return OC_GANTT_MEANS_MOST;
    }
    means->event_types[means->count] = event_type;
    return means->count++;
}

/* A change at an instant has a tiny weight, so that a mean exists. */
static void add(oc_gantt_mean *mean, const ocelotl_drawn_object *is, double ticks)
{
    const double weight = fmax(ticks, 1e-6);
    mean->integral += is->mean * weight;
    mean->low = mean->ticks > 0 ? fmin(mean->low, is->low) : is->low;
    mean->high = mean->ticks > 0 ? fmax(mean->high, is->high) : is->high;
    mean->ticks += weight;
}

static void add_row_mean(const oc_gantt_means *means, const oc_gantt *gantt, uint32_t row,
                         uint32_t place, uint32_t columns)
{
    const double begin = (double)gantt->info.from;
    const double step = fmax(1, (double)gantt->info.to - begin) / columns;
    for (uint64_t object = 0; object < gantt->drawn[row].is.objects; object++) {
        const ocelotl_drawn_object is = oc_gantt_object_at(gantt, row, object);
        const double from = (double)is.begin - begin;
        const double to = (double)is.end - begin;
        uint32_t column = (uint32_t)fmin(columns - 1, fmax(0, floor(from / step)));
        do {
            const double inside = fmin(to, (column + 1) * step) - fmax(from, column * step);
            add(&means->means[(size_t)column * OC_GANTT_MEANS_MOST + place], &is, inside);
        } while (++column < columns && column * step < to);
    }
}

ocelotl_status oc_gantt_find_means(oc_gantt_means *means, const oc_gantt *gantt,
                                   const oc_gantt_group *group, uint32_t columns)
{
    const size_t wanted = (size_t)columns * OC_GANTT_MEANS_MOST;
    means->count = 0;
    means->more = false;
    OC_TRY(oc_grow(&means->means, &means->capacity, wanted, sizeof *means->means));
    for (size_t i = 0; i < wanted; i++)
        means->means[i] = (oc_gantt_mean){0};
    for (uint32_t row = group->first; row < group->end; row++) {
        if (!oc_gantt_is_of_steps(gantt, row))
            continue;
        const uint32_t place = place_of(means, gantt->drawn[row].is.event_type);
        if (place < OC_GANTT_MEANS_MOST)
            add_row_mean(means, gantt, row, place, columns);
    }
    return OCELOTL_OK;
}

void oc_gantt_add_mean(oc_text *text, double mean, double low, double high, const char *unit)
{
    oc_quantity_add(text, mean, 6, oc_unit_symbol(unit)[0] != '\0' ? unit : "");
    oc_text_add(text, " on average, from ");
    oc_gantt_add_ends(text, low, high, 6, unit);
}

void oc_gantt_add_means(oc_text *text, const oc_gantt *gantt, const oc_gantt_means *means,
                        uint32_t column)
{
    for (uint32_t i = 0; i < means->count; i++) {
        const oc_gantt_mean *mean = &means->means[(size_t)column * OC_GANTT_MEANS_MOST + i];
        if (!(mean->ticks > 0))
            continue;
        const ocelotl_event_type type =
            ocelotl_trace_event_type_at(gantt->trace, means->event_types[i]);
        OC_PHRASE(text, "\n{} ", oc_word_name(type.name));
        oc_gantt_add_mean(text, mean->integral / mean->ticks, mean->low, mean->high, type.unit);
    }
    if (means->more)
        oc_text_add(text, "\nother variables");
}

void oc_gantt_means_free(oc_gantt_means *means)
{
    free(means->means);
    *means = (oc_gantt_means){0};
}
