/* Where the phases of one model are in another: its slices, in order, go to the phases that they
 * are most like. And the phases of a comparison: where the first as a whole does something else. */
#include "compare/comparison.h"

#include "base/memory.h"

#include <ocelotl/levels.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* A boundary that is a slice away from where it would be were all stretched alike has to be worth
 * so much. */
static const double stretch_cost = 0.01;

/* What all resources do in each slice, in the types of the first model, with one more for what the
 * second alone has. */
typedef struct profile {
    double *sums; /* slices x types, the mean of a slice adding up to 1 */
    uint32_t slices, types;
} profile;

typedef struct aligning {
    const ocelotl_comparison *c;
    profile profiles[2];
    const uint32_t *cuts;
    size_t count;
    double *phases; /* count x types: their means */
    double *best;   /* of the slices before one, the last of them in a phase: the least cost */
    uint32_t *from; /* by slice and phase: where that phase began */
} aligning;

static void divide(double *values, size_t count, double by)
{
    for (size_t i = 0; i < count && by > 0; i++)
        values[i] /= by;
}

static ocelotl_status make_profile(profile *made, const ocelotl_comparison *c, int m)
{
    const uint32_t own_types = c->infos[m].type_count;
    double *sums = NULL;
    double all = 0;
    *made = (profile){.slices = c->infos[m].slice_count, .types = c->infos[0].type_count + 1};
    OC_TRY(oc_allocate(&made->sums, made->slices, made->types * sizeof *made->sums));
    OC_TRY(oc_allocate(&sums, made->slices, (own_types + (size_t)1) * sizeof *sums));
    const ocelotl_status status = ocelotl_model_sums(sums, c->models[m], 0, 0, made->slices - 1);
    for (size_t i = 0; i < (size_t)made->slices * own_types && status == OCELOTL_OK; i++) {
        const uint32_t own = (uint32_t)(i % own_types);
        const uint32_t same = m == 0 ? own : c->other_type[1][own];
        made->sums[i / own_types * made->types + (same != OCELOTL_NONE ? same : made->types - 1)] +=
            sums[i];
        all += sums[i];
    }
    free(sums);
    divide(made->sums, (size_t)made->slices * made->types, all / made->slices);
    return status;
}

static double cost_of(const aligning *with, uint32_t slice, size_t phase)
{
    const uint32_t types = with->profiles[1].types;
    const double *is = with->profiles[1].sums + (size_t)slice * types;
    const double *wanted = with->phases + phase * types;
    double cost = 0;
    for (uint32_t x = 0; x < types; x++)
        cost += (is[x] - wanted[x]) * (is[x] - wanted[x]);
    return cost;
}

/* The cost of a phase that begins at a slice of the second. */
static double cost_of_cut(const aligning *with, size_t phase, uint32_t slice)
{
    const double stretched =
        (double)with->cuts[phase] / with->profiles[0].slices * with->profiles[1].slices;
    return phase == 0 ? 0 : stretch_cost * fabs(slice - stretched);
}

/* Aligns the phases. best[i] is the least cost of the slices so far if phase i is the last that has
 * begun; phases before it may be empty. */
static void align(aligning *with)
{
    const uint32_t slices = with->profiles[1].slices;
    for (size_t i = 0; i < with->count; i++)
        with->best[i] = (i > 0 ? with->best[i - 1] : 0) + cost_of_cut(with, i, 0);
    for (uint32_t slice = 0; slice < slices; slice++)
        for (size_t i = 0; i < with->count; i++) {
            uint32_t *from = with->from + (size_t)(slice + 1) * with->count + i;
            with->best[i] += cost_of(with, slice, i);
            *from = with->from[(size_t)slice * with->count + i];
            if (i == 0)
                continue;
            const double begun = with->best[i - 1] + cost_of_cut(with, i, slice + 1);
            if (begun < with->best[i]) {
                with->best[i] = begun;
                *from = slice + 1;
            }
        }
}

/* Traces the phases back, from the last to the first. */
static void trace_back(uint32_t *found, const aligning *with)
{
    uint32_t end = with->profiles[1].slices;
    for (size_t i = with->count; i-- > 0;) {
        found[i] = with->from[(size_t)end * with->count + i];
        end = found[i];
    }
}

static ocelotl_status find_phases(uint32_t *found, aligning *with)
{
    for (int m = 0; m < 2; m++)
        OC_TRY(make_profile(&with->profiles[m], with->c, m));
    OC_TRY(oc_allocate(&with->phases, with->count, with->profiles[0].types * sizeof *with->phases));
    OC_TRY(oc_allocate(&with->best, with->count, sizeof *with->best));
    OC_TRY(oc_allocate(&with->from, (size_t)with->profiles[1].slices + 1,
                       with->count * sizeof *with->from));
    const profile *of = &with->profiles[0];
    for (size_t i = 0; i < with->count; i++) {
        const uint32_t end = i + 1 < with->count ? with->cuts[i + 1] : of->slices;
        double *phase = with->phases + i * of->types;
        for (uint32_t slice = with->cuts[i]; slice < end; slice++)
            for (uint32_t x = 0; x < of->types; x++)
                phase[x] += of->sums[(size_t)slice * of->types + x];
        divide(phase, of->types, end - with->cuts[i]);
    }
    align(with);
    trace_back(found, with);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_comparison_find_phases(uint32_t *found, const ocelotl_comparison *comparison,
                                              const uint32_t *cuts, size_t count)
{
    aligning with = {.c = comparison, .cuts = cuts, .count = count};
    if (count == 0)
        return OCELOTL_OK;
    for (size_t i = 0; i < count; i++)
        if (cuts[i] >= comparison->infos[0].slice_count || (i > 0 && cuts[i] <= cuts[i - 1]))
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "phase %zu begins in slice %" PRIu32
                           ", expected ascending ones below %" PRIu32,
                           i, cuts[i], comparison->infos[0].slice_count);
    const ocelotl_status status = find_phases(found, &with);
    free(with.profiles[0].sums);
    free(with.profiles[1].sums);
    free(with.phases);
    free(with.best);
    free(with.from);
    return status;
}

/* --- The phases of a comparison */

/* More phases than this nobody takes in at a glance. */
enum { MAX_PHASES = 8 };

/* What the whole of the first does. */
typedef struct first_whole {
    const ocelotl_model *of;
    ocelotl_model_info info;
    double *sums; /* slices x types */
    const char **types;
    ocelotl_cell *cells;
    ocelotl_model *model; /* of one leaf */
    ocelotl_aggregation *aggregation;
    ocelotl_partition *partition;
    uint32_t *cuts, *found;
} first_whole;

static ocelotl_status make_model(first_whole *whole)
{
    static const uint32_t no_parent = OCELOTL_ROOT;
    const uint32_t types = whole->info.type_count;
    const size_t count = (size_t)whole->info.slice_count * types;
    ocelotl_model_arrays arrays = OCELOTL_MODEL_ARRAYS_INIT;
    OC_TRY(oc_allocate(&whole->sums, count, sizeof *whole->sums));
    OC_TRY(oc_allocate(&whole->cells, count, sizeof *whole->cells));
    OC_TRY(oc_allocate(&whole->types, types, sizeof *whole->types));
    OC_TRY(ocelotl_model_sums(whole->sums, whole->of, 0, 0, whole->info.slice_count - 1));
    for (uint32_t x = 0; x < types; x++)
        whole->types[x] = ocelotl_model_type_at(whole->of, x).name;
    for (size_t i = 0; i < count; i++)
        whole->cells[i] =
            (ocelotl_cell){0, (uint32_t)(i % types), (uint32_t)(i / types), whole->sums[i]};
    arrays.name = whole->info.name;
    arrays.node_count = 1;
    arrays.parents = &no_parent;
    arrays.type_count = types;
    arrays.types = whole->types;
    arrays.slice_count = whole->info.slice_count;
    arrays.cell_count = count;
    arrays.cells = whole->cells;
    return ocelotl_model_from_arrays(&whole->model, &arrays);
}

/* The level to show first, or one of fewer parts. */
static ocelotl_status solve(first_whole *whole)
{
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    options.kind = OCELOTL_TEMPORAL;
    OC_TRY(ocelotl_aggregation_create(&whole->aggregation, whole->model, &options));
    OC_TRY(ocelotl_solve_rule(&whole->partition, whole->aggregation, OCELOTL_RULE_KNEE, 0));
    if (ocelotl_partition_info_of(whole->partition).part_count <= MAX_PHASES)
        return OCELOTL_OK;
    ocelotl_partition_free(whole->partition);
    whole->partition = NULL;
    return ocelotl_solve_parts(&whole->partition, whole->aggregation, MAX_PHASES);
}

/* Finds the dominant type of a phase of the first, except untraced time. */
static void find_type(ocelotl_phase *phase, const first_whole *whole, uint32_t first, uint32_t end)
{
    double all = 0;
    double most = 0;
    phase->type = "";
    for (uint32_t x = 0; x < whole->info.type_count; x++) {
        double sum = 0;
        for (uint32_t slice = first; slice < end; slice++)
            sum += whole->sums[(size_t)slice * whole->info.type_count + x];
        all += sum;
        if (sum > most && !ocelotl_model_type_at(whole->of, x).untraced) {
            most = sum;
            phase->type = whole->types[x];
        }
    }
    phase->share = all > 0 ? most / all : 0;
}

static void place_phases(ocelotl_phases *made, const first_whole *whole,
                         const ocelotl_comparison_info *info)
{
    const uint32_t *const begins[] = {whole->cuts, whole->found};
    for (size_t i = 0; i < made->count; i++) {
        ocelotl_phase *phase = &made->list[i];
        const bool last = i + 1 == made->count;
        find_type(phase, whole, whole->cuts[i], last ? info->slices[0] : whole->cuts[i + 1]);
        for (int m = 0; m < 2; m++) {
            const uint32_t end = last ? info->slices[m] : begins[m][i + 1];
            phase->begin[m] = info->duration[m] * begins[m][i] / info->slices[m];
            phase->length[m] = info->duration[m] * (end - begins[m][i]) / info->slices[m];
        }
    }
}

static ocelotl_status find_all(ocelotl_phases *made, first_whole *whole,
                               const ocelotl_comparison *c)
{
    OC_TRY(make_model(whole));
    OC_TRY(solve(whole));
    const size_t count = ocelotl_partition_info_of(whole->partition).part_count;
    if (count < 2)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&made->list, count, sizeof *made->list));
    OC_TRY(oc_allocate(&whole->cuts, count, sizeof *whole->cuts));
    OC_TRY(oc_allocate(&whole->found, count, sizeof *whole->found));
    for (size_t i = 0; i < count; i++)
        whole->cuts[i] = ocelotl_partition_part_at(whole->partition, i).first;
    OC_TRY(ocelotl_comparison_find_phases(whole->found, c, whole->cuts, count));
    made->count = count;
    place_phases(made, whole, &c->info);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_phases_find(ocelotl_phases *phases, const ocelotl_comparison *comparison)
{
    first_whole whole = {.of = comparison->models[0],
                         .info = ocelotl_model_info_of(comparison->models[0])};
    const ocelotl_comparison_info *info = &comparison->info;
    ocelotl_phases made = {NULL, 0};
    ocelotl_status status = OCELOTL_OK;
    if (info->duration[0] > 0 && info->duration[1] > 0)
        status = find_all(&made, &whole, comparison);
    ocelotl_partition_free(whole.partition);
    ocelotl_aggregation_free(whole.aggregation);
    ocelotl_model_free(whole.model);
    free(whole.sums);
    free(whole.types);
    free(whole.cells);
    free(whole.cuts);
    free(whole.found);
    if (status == OCELOTL_OK)
        *phases = made;
    else
        free(made.list);
    return status;
}
