/* Each base is checked against the others, and the new run against all of them: what the bases
 * differ by is no change. */
#include "compare/check.h"

#include "base/memory.h"
#include "compare/comparison.h"
#include "compare/describe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Places in the structure of the new run that are looked at, those that lose most. */
enum { PLACES_MOST = 20 };

/* A phase begins and ends to a slice, in both runs: one that changes by so few is the same. */
enum { LEAST_SLICES = 3 };

/* --- Every run by every base */

typedef struct checking {
    const oc_run *runs;
    size_t count, bases;
    ocelotl_comparison **comparisons; /* bases x runs: of a base with a run */
    oc_described *described;          /* the same */
    oc_check *check;
    size_t capacity;
} checking;

static oc_described *described_by(const checking *with, size_t base, size_t run)
{
    return &with->described[base * with->count + run];
}

static void free_checking(checking *with)
{
    for (size_t i = 0; with->described != NULL && i < with->bases * with->count; i++)
        oc_described_free(&with->described[i]);
    for (size_t i = 0; with->comparisons != NULL && i < with->bases * with->count; i++)
        ocelotl_comparison_free(with->comparisons[i]);
    free(with->described);
    free(with->comparisons);
}

static ocelotl_status describe_all(checking *with)
{
    OC_TRY(oc_allocate(&with->comparisons, with->bases * with->count, sizeof(void *)));
    OC_TRY(oc_allocate(&with->described, with->bases * with->count, sizeof *with->described));
    for (size_t base = 0; base < with->bases; base++)
        for (size_t run = 0; run < with->count; run++) {
            oc_described *is = described_by(with, base, run);
            ocelotl_comparison **made = &with->comparisons[base * with->count + run];
            if (run == base)
                continue;
            OC_TRY(ocelotl_compare_models(made,
                                          ocelotl_aggregation_model(with->runs[base].aggregation),
                                          ocelotl_aggregation_model(with->runs[run].aggregation)));
            is->comparison = *made;
            OC_TRY(oc_describe(is, &with->runs[base], &with->runs[run]));
        }
    return OCELOTL_OK;
}

/* The mean of what a run loses where the other bases describe it. */
static double loss_of(const checking *with, size_t run)
{
    double sum = 0;
    size_t count = 0;
    for (size_t base = 0; base < with->bases; base++) {
        sum += base != run ? described_by(with, base, run)->loss : 0;
        count += base != run;
    }
    return count > 0 ? sum / (double)count : 0;
}

static void find_loss(checking *with)
{
    oc_check *check = with->check;
    check->loss = loss_of(with, with->bases);
    for (size_t base = 0; base < with->bases; base++)
        check->loss_spread = fmax(check->loss_spread, loss_of(with, base));
    check->structure_changed = check->loss - check->loss_spread > check->max_loss;
}

/* --- What changed: values of each run, the first base first */

static ocelotl_status add_changed(checking *with, const oc_changed *changed)
{
    oc_check *check = with->check;
    OC_TRY(oc_grow(&check->changed, &with->capacity, check->count + 1, sizeof *check->changed));
    check->changed[check->count++] = *changed;
    return OCELOTL_OK;
}

/* Adds a time that is `values` in the runs. What it changes by is a share of `of`, 0: of the mean;
 * a change of at most `least` seconds is none. */
static ocelotl_status add_time(checking *with, oc_changed *is, const double *values, double of,
                               double least)
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
    const double whole = of > 0 ? of : is->before;
    is->change = copysign(fmax(0, apart - is->spread), is->now - is->before);
    is->change = whole > 0 ? is->change / whole : is->change != 0 ? INFINITY : 0;
    is->moved = apart * is->leaves;
    is->beyond = fabs(is->change) > with->check->max_time && apart > least;
    with->check->time_changed |= is->beyond;
    return apart > 0 ? add_changed(with, is) : OCELOTL_OK;
}

static const ocelotl_comparison *with_first(const checking *with, size_t run)
{
    return with->comparisons[run > 0 ? run : with->bases];
}

static ocelotl_status find_durations(checking *with, double *values)
{
    const ocelotl_comparison *c = with_first(with, with->bases);
    const oc_described *last = described_by(with, 0, with->bases);
    const double slice = c->info.duration[0] / c->info.slices[0];
    oc_changed whole = {.kind = OC_CHANGE_WHOLE,
                        .path = "",
                        .type = "",
                        .leaves = c->infos[0].leaf_count,
                        .end = c->info.duration[1]};
    for (size_t run = 0; run < with->count; run++)
        values[run] = with_first(with, run)->info.duration[run > 0];
    OC_TRY(add_time(with, &whole, values, 0, 0));
    for (size_t i = 0; i < ocelotl_phases_count(last->phases); i++) {
        const ocelotl_phase phase = ocelotl_phases_at(last->phases, i);
        oc_changed is = whole;
        is.kind = OC_CHANGE_PHASE;
        is.type = phase.type;
        is.phase = (uint32_t)i + 1;
        is.begin = phase.begin[1];
        is.end = phase.begin[1] + phase.length[1];
        is.spread = 0;
        for (size_t run = 0; run < with->count; run++)
            values[run] = run == 0
                              ? phase.length[0]
                              : ocelotl_phases_at(described_by(with, 0, run)->phases, i).length[1];
        OC_TRY(add_time(with, &is, values, 0, LEAST_SLICES * slice));
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
    const ocelotl_comparison *c = with_first(with, with->bases);
    for (size_t i = 0; i < c->info.change_count && strcmp(c->info.unit, "s") == 0; i++) {
        const ocelotl_change *change = &c->changes[i];
        oc_changed is = {.kind = OC_CHANGE_NODE,
                         .path = change->path,
                         .type = change->type,
                         .leaves = change->leaves,
                         .end = c->info.duration[1]};
        if (!change->named)
            continue;
        values[0] = change->first;
        values[with->bases] = change->second;
        for (size_t base = 1; base < with->bases; base++)
            values[base] = time_of(with_first(with, base), change);
        OC_TRY(add_time(with, &is, values, c->info.duration[0], 0));
    }
    return OCELOTL_OK;
}

/* --- Structure: own parts of the new run */

static uint32_t shared(uint32_t first, uint32_t end, uint32_t other_first, uint32_t other_end)
{
    const uint32_t from = first > other_first ? first : other_first;
    const uint32_t to = end < other_end ? end : other_end;
    return from < to ? to - from : 0;
}

/* What a part is worth beyond the blocks that describe it: each is worth as much in all cells. */
static double worth_beyond(const oc_described *is, const ocelotl_part *part, double p)
{
    const oc_tree *tree = &is->comparison->models[1]->matrix.tree;
    const uint32_t leaf = tree->leaf_first[part->node];
    double worth = p * part->gain - (1 - p) * part->loss;
    for (size_t i = 0; i < is->count; i++) {
        const oc_described_part *at = &is->parts[i];
        const uint32_t first = tree->leaf_first[at->node];
        const uint32_t leaves = tree->leaf_count[at->node];
        const double cells =
            (double)shared(leaf, leaf + tree->leaf_count[part->node], first, first + leaves) *
            shared(part->first, part->last + 1, at->first, at->end);
        if (cells > 0)
            worth -= at->pic * cells / ((double)leaves * (at->end - at->first));
    }
    return worth;
}

/* Adds the shares of types in a part of a model: where the numbers are, the types of the first. */
static ocelotl_status add_shares(double *shares, double by, const ocelotl_model *model,
                                 const uint32_t *numbers, uint32_t node, uint32_t first,
                                 uint32_t end)
{
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    double *sums = NULL;
    double all = 0;
    OC_TRY(oc_allocate(&sums, (size_t)(end - first) * info.type_count + 1, sizeof *sums));
    const ocelotl_status status = ocelotl_model_sums(sums, model, node, first, end - 1);
    for (size_t i = 0; i < (size_t)(end - first) * info.type_count; i++)
        all += sums[i];
    for (size_t i = 0; i < (size_t)(end - first) * info.type_count && all > 0; i++)
        shares[numbers[i % info.type_count]] += by * sums[i] / all;
    free(sums);
    return status;
}

/* Finds what a part of the new run has more and less of than the first: of its types, numbered from
 * 0, and behind them of what the second alone has. */
static ocelotl_status find_difference(oc_changed *is, const oc_described *by,
                                      const ocelotl_part *part)
{
    const ocelotl_comparison *c = by->comparison;
    const uint32_t types[] = {c->infos[0].type_count, c->infos[1].type_count};
    const uint32_t node = c->other[1][part->node];
    const uint32_t slices = c->infos[0].slice_count;
    uint32_t first = 0;
    uint32_t *numbers = NULL;
    double *shares = NULL; /* now, then before */
    while (first + 1 < slices && by->at[first + 1] <= part->first)
        first++;
    uint32_t end = first + 1;
    while (end < slices && by->at[end] <= part->last)
        end++;
    OC_TRY(oc_allocate(&numbers, types[0] + types[1], sizeof *numbers));
    ocelotl_status status = oc_allocate(&shares, types[0] + (size_t)types[1], 2 * sizeof *shares);
    if (shares == NULL) {
        free(numbers);
        return status;
    }
    for (uint32_t x = 0; status == OCELOTL_OK && x < types[1]; x++)
        numbers[x] = c->other_type[1][x] != OCELOTL_NONE ? c->other_type[1][x] : types[0] + x;
    if (status == OCELOTL_OK)
        status =
            add_shares(shares, 1, c->models[1], numbers, part->node, part->first, part->last + 1);
    for (uint32_t x = 0; status == OCELOTL_OK && x < types[0]; x++)
        numbers[x] = x;
    double *before = shares + types[0] + types[1];
    if (status == OCELOTL_OK && node != OCELOTL_NONE)
        status = add_shares(before, 1, c->models[0], numbers, node, first, end);
    double largest = 0;
    double moved = 0;
    for (uint32_t x = 0; status == OCELOTL_OK && x < types[0] + types[1]; x++) {
        const double more = shares[x] - before[x];
        moved += fabs(more) / 2;
        if (fabs(more) <= largest)
            continue;
        largest = fabs(more);
        is->type =
            x < types[0] ? c->models[0]->types[x].name : c->models[1]->types[x - types[0]].name;
        is->now = shares[x];
        is->before = before[x];
    }
    is->moved = moved * is->leaves * (is->end - is->begin);
    free(numbers);
    free(shares);
    return status;
}

static int by_change(const void *a, const void *b)
{
    const oc_changed *const x = a;
    const oc_changed *const y = b;
    return x->change > y->change ? -1 : x->change < y->change;
}

static int by_weight(const void *a, const void *b)
{
    const oc_changed *const x = a;
    const oc_changed *const y = b;
    if (x->beyond != y->beyond)
        return x->beyond ? -1 : 1;
    return x->moved > y->moved ? -1 : x->moved < y->moved;
}

static ocelotl_status find_structure(checking *with)
{
    const oc_described *by = described_by(with, 0, with->bases);
    const ocelotl_partition *own = with->runs[with->bases].partition;
    const ocelotl_partition_info info = ocelotl_partition_info_of(own);
    const ocelotl_comparison *c = by->comparison;
    oc_check *check = with->check;
    const double slice = c->info.duration[1] / c->info.slices[1];
    for (size_t i = 0; i < info.part_count && by->loss > 0; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(own, i);
        /* the index of the part stays in `phase` until it is looked at */
        const oc_changed is = {.kind = OC_CHANGE_STRUCTURE,
                               .path = c->models[1]->nodes[part.node].path,
                               .type = "",
                               .phase = (uint32_t)i,
                               .leaves = part.leaves,
                               .begin = part.first * slice,
                               .end = (part.last + 1) * slice,
                               .change = worth_beyond(by, &part, info.p_raw) / (1 - info.p_raw) /
                                         info.whole_loss / by->loss,
                               .beyond = check->structure_changed};
        if (is.change > 0)
            OC_TRY(add_changed(with, &is));
    }
    if (check->count > 0)
        qsort(check->changed, check->count, sizeof *check->changed, by_change);
    if (check->count > PLACES_MOST)
        check->count = PLACES_MOST;
    for (size_t i = 0; i < check->count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(own, check->changed[i].phase);
        check->changed[i].phase = 0;
        OC_TRY(find_difference(&check->changed[i], by, &part));
    }
    return OCELOTL_OK;
}

static ocelotl_status check_runs(checking *with)
{
    double *values = NULL;
    OC_TRY(describe_all(with));
    find_loss(with);
    OC_TRY(find_structure(with));
    OC_TRY(oc_allocate(&values, with->count, sizeof *values));
    ocelotl_status status = find_durations(with, values);
    if (status == OCELOTL_OK)
        status = find_nodes(with, values);
    free(values);
    if (with->check->count > 0)
        qsort(with->check->changed, with->check->count, sizeof *with->check->changed, by_weight);
    return status;
}

ocelotl_status oc_check_runs(oc_check **check, const oc_run *runs, size_t count, double max_loss,
                             double max_time)
{
    checking with = {.runs = runs, .count = count, .bases = count - 1};
    OC_TRY(oc_allocate(&with.check, 1, sizeof *with.check));
    with.check->max_loss = max_loss;
    with.check->max_time = max_time;
    const ocelotl_status status = check_runs(&with);
    free_checking(&with);
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
