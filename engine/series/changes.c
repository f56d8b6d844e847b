/* From what happens, in order of time, to how the series change. */
#include "series/series.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

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

void oc_series_sums_set(oc_series_sum *tree, uint32_t members, uint32_t member, double value)
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
            oc_series_sums_set(curve->sums, curve->member_count, i, NAN);
        curve->number = 0;
        curve->touched = curve->given = false;
    }
    series->span = 0;
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

static ocelotl_status apply(ocelotl_series *series, const oc_series_step *step)
{
    uint32_t place = step->place;
    if (oc_series_counts(series)) {
        series->curves[place].number += step->amount;
        return touch(series, place);
    }
    const oc_series_member *member = &series->members[place];
    place = member->group * series->type_count + member->type;
    oc_series_curve *curve = &series->curves[place];
    oc_series_sums_set(curve->sums, curve->member_count, member->place, step->amount);
    return touch(series, place);
}

static int compare_curves(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* All that happens at the next instant. */
static ocelotl_status pass_instant(ocelotl_series *series)
{
    const oc_series_steps *steps = &series->steps;
    series->touched_count = series->touched_next = 0;
    series->instant = steps->steps[series->next].time;
    while (series->next < steps->count && steps->steps[series->next].time == series->instant)
        OC_TRY(apply(series, &steps->steps[series->next++]));
    if (series->touched_count > 1)
        qsort(series->touched, series->touched_count, sizeof *series->touched, compare_curves);
    return OCELOTL_OK;
}

/* The value that a curve has now; false: none. */
static bool value_of(double *value, const ocelotl_series *series, const oc_series_curve *curve)
{
    *value = curve->number;
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
            OC_TRY(oc_series_read(series));
        else
            return OCELOTL_OK;
    }
    return OCELOTL_OK;
}
