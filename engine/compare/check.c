/* The new run is checked against all bases: what those differ by is no change. */
#include "compare/check.h"

#include "base/memory.h"
#include "compare/comparison.h"
#include "compare/places.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A phase begins and ends to a slice, in both runs: one that changes by so few is the same. */
enum { LEAST_SLICES = 3 };

/* What a shorter phase than one of so many in the run changes by is a share of the run. */
static const double short_phase = 20;

typedef struct checking {
    const ocelotl_comparison *const *comparisons; /* of the first base with the others */
    ocelotl_phases **phases;                      /* the same */
    size_t count, bases;                          /* of runs, of those but the last */
    oc_check *check;
    size_t capacity;
} checking;

/* The comparison of the first with the last. */
static const ocelotl_comparison *of_last(const checking *with)
{
    return with->comparisons[with->bases - 1];
}

/* --- What changed: values of each run, the first base first */

static ocelotl_status add_changed(checking *with, const oc_changed *changed)
{
    oc_check *check = with->check;
    OC_TRY(oc_grow(&check->changed, &with->capacity, check->count + 1, sizeof *check->changed));
    check->changed[check->count++] = *changed;
    return OCELOTL_OK;
}

/* Adds a time that is `values` in the runs. A change of at most `least` seconds is none. */
static ocelotl_status add_time(checking *with, oc_changed *is, const double *values, double least)
{
    const size_t bases = with->bases;
    double sum = 0;
    for (size_t i = 0; i < bases; i++)
        sum += values[i];
    is->before = sum / (double)bases;
    is->now = values[bases];
    for (size_t i = 0; i < bases && bases > 1; i++)
        is->spread = fmax(is->spread, fabs(values[i] - (sum - values[i]) / ((double)bases - 1)));
    const double apart = fabs(is->now - is->before);
    const double whole = is->of_run ? of_last(with)->info.duration[0] : is->before;
    is->change = copysign(fmax(0, apart - is->spread), is->now - is->before);
    is->change = whole > 0 ? is->change / whole : is->change != 0 ? INFINITY : 0;
    is->moved = apart * is->leaves;
    is->beyond = fabs(is->change) > with->check->max_time && apart > least;
    with->check->time_changed |= is->beyond;
    return apart > 0 ? add_changed(with, is) : OCELOTL_OK;
}

static ocelotl_status find_durations(checking *with, double *values)
{
    const ocelotl_comparison *c = of_last(with);
    const ocelotl_phases *last = with->phases[with->bases - 1];
    const double slice = c->info.duration[0] / c->info.slices[0];
    oc_changed whole = {.kind = OC_CHANGE_WHOLE,
                        .path = "",
                        .type = "",
                        .leaves = c->infos[0].leaf_count,
                        .end = c->info.duration[1]};
    for (size_t run = 0; run < with->count; run++)
        values[run] = with->comparisons[run > 0 ? run - 1 : 0]->info.duration[run > 0];
    OC_TRY(add_time(with, &whole, values, 0));
    for (size_t i = 0; i < ocelotl_phases_count(last); i++) {
        const ocelotl_phase phase = ocelotl_phases_at(last, i);
        oc_changed is = whole;
        is.kind = OC_CHANGE_PHASE;
        is.type = phase.type;
        is.phase = (uint32_t)i + 1;
        is.begin = phase.begin[1];
        is.end = phase.begin[1] + phase.length[1];
        is.spread = 0;
        for (size_t run = 0; run < with->count; run++)
            values[run] =
                run == 0 ? phase.length[0] : ocelotl_phases_at(with->phases[run - 1], i).length[1];
        is.of_run = phase.length[0] * short_phase < c->info.duration[0];
        OC_TRY(add_time(with, &is, values, LEAST_SLICES * slice));
    }
    return OCELOTL_OK;
}

/* The time that each leaf of a node is in a type in a run, which may have no such node. */
static double time_of(const ocelotl_comparison *c, const ocelotl_change *of)
{
    for (size_t i = 0; i < c->info.change_count; i++)
        if (strcmp(c->changes[i].type, of->type) == 0 && strcmp(c->changes[i].path, of->path) == 0)
            return c->changes[i].second;
    return 0;
}

static ocelotl_status find_nodes(checking *with, double *values)
{
    const ocelotl_comparison *c = of_last(with);
    for (size_t i = 0; i < c->info.change_count && strcmp(c->info.unit, "s") == 0; i++) {
        const ocelotl_change *change = &c->changes[i];
        oc_changed is = {.kind = OC_CHANGE_NODE,
                         .path = change->path,
                         .type = change->type,
                         .leaves = change->leaves,
                         .of_run = true,
                         .end = c->info.duration[1]};
        if (!change->named)
            continue;
        values[0] = change->first;
        values[with->bases] = change->second;
        for (size_t base = 1; base < with->bases; base++)
            values[base] = time_of(with->comparisons[base - 1], change);
        OC_TRY(add_time(with, &is, values, 0));
    }
    return OCELOTL_OK;
}

/* --- All together */

static ocelotl_status find_structure(checking *with)
{
    oc_changed places[OC_PLACES_MOST];
    oc_check *check = with->check;
    size_t found;
    OC_TRY(oc_find_changed_places(places, &found, with->comparisons, with->phases, with->bases,
                                  check->max_loss));
    for (size_t i = 0; i < found; i++) {
        places[i].beyond = places[i].change > check->max_loss;
        check->structure_changed |= places[i].beyond;
        check->loss = fmax(check->loss, places[i].change);
        OC_TRY(add_changed(with, &places[i]));
    }
    return OCELOTL_OK;
}

static int by_weight(const void *a, const void *b)
{
    const oc_changed *const x = a;
    const oc_changed *const y = b;
    if (x->beyond != y->beyond)
        return x->beyond ? -1 : 1;
    return x->moved > y->moved ? -1 : x->moved < y->moved;
}

static ocelotl_status check_runs(checking *with, double *values)
{
    for (size_t i = 0; i < with->bases; i++)
        OC_TRY(ocelotl_phases_find(&with->phases[i], with->comparisons[i]));
    OC_TRY(find_structure(with));
    OC_TRY(find_durations(with, values));
    OC_TRY(find_nodes(with, values));
    if (with->check->count > 0)
        qsort(with->check->changed, with->check->count, sizeof *with->check->changed, by_weight);
    return OCELOTL_OK;
}

ocelotl_status oc_check_runs(oc_check **check, const ocelotl_comparison *const *comparisons,
                             size_t count, double max_loss, double max_time)
{
    checking with = {.comparisons = comparisons, .count = count + 1, .bases = count};
    double *values = NULL;
    ocelotl_status status = oc_allocate(&with.check, 1, sizeof *with.check);
    if (status == OCELOTL_OK)
        status = oc_allocate(&with.phases, count, sizeof(void *));
    if (status == OCELOTL_OK)
        status = oc_allocate(&values, with.count, sizeof *values);
    if (status == OCELOTL_OK) {
        with.check->max_loss = max_loss;
        with.check->max_time = max_time;
        status = check_runs(&with, values);
    }
    for (size_t i = 0; with.phases != NULL && i < count; i++)
        ocelotl_phases_free(with.phases[i]);
    free(with.phases);
    free(values);
    if (status == OCELOTL_OK)
        *check = with.check;
    else
        oc_check_free(with.check);
    return status;
}

void oc_check_free(oc_check *check)
{
    if (check == NULL)
        return;
    free(check->changed);
    free(check);
}
