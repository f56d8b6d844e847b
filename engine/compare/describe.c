/* Where the parts of one run are in another, and what they are worth there. */
#include "compare/describe.h"

#include "aggregate/explanation.h"
#include "base/memory.h"
#include "compare/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A cut may be earlier or later by a share of the slices: one of so many. It moves by a slice in
 * each pass. */
enum { CHANCE = 50, PASSES = 8 };

void oc_described_free(oc_described *is)
{
    ocelotl_phases_free(is->phases);
    free(is->at);
    free(is->parts);
    free(is->covered);
}

static uint32_t slice_of(const ocelotl_comparison_info *info, int model, double seconds)
{
    return (uint32_t)lround(seconds / info->duration[model] * info->slices[model]);
}

/* Between the borders of phases slices are stretched alike. */
static ocelotl_status place_slices(oc_described *is)
{
    const ocelotl_comparison_info info = ocelotl_comparison_info_of(is->comparison);
    const size_t phases = ocelotl_phases_count(is->phases);
    const uint32_t *end = info.slices;
    OC_TRY(oc_allocate(&is->at, end[0] + (size_t)1, sizeof *is->at));
    for (size_t i = 0; i == 0 || i < phases; i++) {
        uint32_t from[2] = {0, 0};
        uint32_t to[2] = {end[0], end[1]};
        for (int m = 0; m < 2 && phases > 0; m++) {
            from[m] = slice_of(&info, m, ocelotl_phases_at(is->phases, i).begin[m]);
            if (i + 1 < phases)
                to[m] = slice_of(&info, m, ocelotl_phases_at(is->phases, i + 1).begin[m]);
        }
        for (uint32_t t = from[0]; t <= to[0]; t++)
            is->at[t] = from[1] + (uint32_t)lround((double)(t - from[0]) * (to[1] - from[1]) /
                                                   (to[0] - from[0]));
    }
    return OCELOTL_OK;
}

static ocelotl_status measure(double *pic, const oc_run *run, uint32_t node, uint32_t first,
                              uint32_t end)
{
    const double p = ocelotl_partition_info_of(run->partition).p_raw;
    double gain = 0;
    double loss = 0;
    if (first < end)
        OC_TRY(oc_part_measure(&gain, &loss, run->aggregation, node, first, end - 1));
    *pic = p * gain - (1 - p) * loss;
    return OCELOTL_OK;
}

static ocelotl_status add_block(oc_described *is, const oc_run *run, uint32_t node, uint32_t first,
                                uint32_t end)
{
    OC_TRY(oc_grow(&is->parts, &is->capacity, is->count + 1, sizeof *is->parts));
    oc_described_part *at = &is->parts[is->count++];
    *at = (oc_described_part){.node = node, .first = first, .end = end};
    return measure(&at->pic, run, node, first, end);
}

/* What one gains by another place for the slice `cut` of the parts. */
static ocelotl_status try_place(double *gained, oc_described *is, const oc_run *run, uint32_t cut,
                                uint32_t place, bool take)
{
    *gained = 0;
    for (size_t i = 0; i < is->count; i++) {
        oc_described_part *at = &is->parts[i];
        const uint32_t first = at->cuts[0] == cut ? place : at->first; /* no cut is 0 */
        const uint32_t end = at->cuts[1] == cut ? place : at->end;
        double pic = at->pic;
        if (first == at->first && end == at->end)
            continue;
        OC_TRY(measure(&pic, run, at->node, first, end));
        *gained += pic - at->pic;
        if (take) {
            at->first = first;
            at->end = end;
            at->pic = pic;
        }
    }
    return OCELOTL_OK;
}

/* Moves a cut by a slice where that describes the run better. */
static ocelotl_status move_cut(bool *moved, oc_described *is, const oc_run *run, uint32_t cut,
                               uint32_t low, uint32_t high, const uint32_t *placed)
{
    const uint32_t slices = is->comparison->infos[1].slice_count;
    const uint32_t most = slices / CHANCE > 1 ? slices / CHANCE : 1;
    for (int later = 0; later < 2; later++) {
        const uint32_t place = later ? is->at[cut] + 1 : is->at[cut] - 1;
        double gained = 0;
        if ((later ? is->at[cut] >= high : is->at[cut] <= low) ||
            (place > placed[cut] ? place - placed[cut] : placed[cut] - place) > most)
            continue;
        OC_TRY(try_place(&gained, is, run, cut, place, false));
        if (!(gained > 0))
            continue;
        *moved = true;
        is->at[cut] = place;
        return try_place(&gained, is, run, cut, place, true);
    }
    return OCELOTL_OK;
}

/* What comes a little earlier or later by chance is at its place. */
static ocelotl_status fit_cuts(oc_described *is, const oc_run *run, const uint32_t *cuts,
                               size_t count, const uint32_t *placed)
{
    const uint32_t *slices = is->comparison->info.slices;
    bool moved = true;
    for (int pass = 0; pass < PASSES && moved; pass++) {
        moved = false;
        for (size_t i = 0; i < count; i++)
            OC_TRY(move_cut(&moved, is, run, cuts[i], i > 0 ? is->at[cuts[i - 1]] : 0,
                            i + 1 < count ? is->at[cuts[i + 1]] : slices[1], placed));
    }
    return OCELOTL_OK;
}

static void cover(oc_described *is, const oc_described_part *at)
{
    const oc_tree *tree = &is->comparison->models[1]->matrix.tree;
    const size_t slices = is->comparison->infos[1].slice_count;
    for (uint32_t leaf = 0; leaf < tree->leaf_count[at->node] && at->first < at->end; leaf++)
        memset(is->covered + (tree->leaf_first[at->node] + leaf) * slices + at->first, true,
               at->end - at->first);
}

/* What that one has no part for is a part for each leaf. */
static ocelotl_status cover_rest(oc_described *is, const oc_run *run)
{
    const oc_tree *tree = &is->comparison->models[1]->matrix.tree;
    const uint32_t slices = is->comparison->infos[1].slice_count;
    OC_TRY(oc_allocate(&is->covered, tree->leaf_count[0], slices * sizeof *is->covered));
    for (size_t i = 0; i < is->count; i++)
        cover(is, &is->parts[i]);
    for (uint32_t k = 0; k < tree->node_count; k++) {
        const bool *covered = is->covered + (size_t)tree->leaf_first[k] * slices;
        for (uint32_t t = 0; oc_tree_is_leaf(tree, k) && t < slices; t++) {
            const uint32_t first = t;
            while (t < slices && !covered[t])
                t++;
            if (t > first)
                OC_TRY(add_block(is, run, k, first, t));
        }
    }
    return OCELOTL_OK;
}

/* Adds the parts of that one where they are in the run, and finds where they are cut. */
static ocelotl_status place_parts(oc_described *is, const oc_run *by, const oc_run *run)
{
    const ocelotl_comparison *c = is->comparison;
    const size_t parts = ocelotl_partition_info_of(by->partition).part_count;
    const uint32_t slices = c->info.slices[0];
    uint32_t *cuts = NULL;
    uint32_t *placed = NULL;
    size_t count = 0;
    ocelotl_status status = oc_allocate(&cuts, slices, sizeof *cuts);
    if (status == OCELOTL_OK)
        status = oc_allocate(&placed, slices, sizeof *placed);
    for (size_t i = 0; i < parts && status == OCELOTL_OK; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(by->partition, i);
        const uint32_t node = c->other[0][part.node];
        if (node == OCELOTL_NONE)
            continue;
        cuts[part.first] = 1;
        status = add_block(is, run, node, is->at[part.first], is->at[part.last + 1]);
        if (status == OCELOTL_OK)
            memcpy(is->parts[is->count - 1].cuts, (uint32_t[]){part.first, part.last + 1},
                   sizeof is->parts->cuts);
    }
    for (uint32_t t = 1; t < slices && status == OCELOTL_OK; t++)
        if (cuts[t] != 0) {
            placed[t] = is->at[t];
            cuts[count++] = t;
        }
    if (status == OCELOTL_OK)
        status = fit_cuts(is, run, cuts, count, placed);
    free(cuts);
    free(placed);
    return status;
}

ocelotl_status oc_describe(oc_described *is, const oc_run *by, const oc_run *run)
{
    const ocelotl_partition_info own = ocelotl_partition_info_of(run->partition);
    double pic = 0;
    OC_TRY(ocelotl_phases_find(&is->phases, is->comparison));
    OC_TRY(place_slices(is));
    OC_TRY(place_parts(is, by, run));
    OC_TRY(cover_rest(is, run));
    for (size_t i = 0; i < is->count; i++)
        pic += is->parts[i].pic;
    /* the same parts are worth the same but for rounding */
    const double worse = own.pic - pic > 1e-9 * fabs(own.pic) ? own.pic - pic : 0;
    is->loss = own.p_raw < 1 && own.whole_loss > 0 ? worse / (1 - own.p_raw) / own.whole_loss : 0;
    return OCELOTL_OK;
}
