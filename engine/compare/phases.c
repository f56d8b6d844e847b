/* The phases of a comparison: where the first model's whole does something else. */
#include "compare/comparison.h"

#include "base/memory.h"

#include <stdlib.h>

#include <ocelotl/aggregation.h>

/* More phases than this nobody takes in at a glance. */
enum { MAX_PHASES = 8 };

struct ocelotl_phases {
    ocelotl_phase *phases;
    size_t count;
};

/* What the whole of the first does. */
typedef struct profile {
    const ocelotl_model *of;
    ocelotl_model_info info;
    double *sums; /* slices x types */
    const char **types;
    ocelotl_cell *cells;
    ocelotl_model *model; /* of one leaf */
    ocelotl_aggregation *aggregation;
    ocelotl_partition *partition;
    uint32_t *cuts, *found;
} profile;

static void free_profile(profile *whole)
{
    ocelotl_partition_free(whole->partition);
    ocelotl_aggregation_free(whole->aggregation);
    ocelotl_model_free(whole->model);
    free(whole->sums);
    free(whole->types);
    free(whole->cells);
    free(whole->cuts);
    free(whole->found);
}

static ocelotl_status make_model(profile *whole)
{
    static const uint32_t root = OCELOTL_ROOT;
    const uint32_t types = whole->info.type_count;
    const size_t count = (size_t)whole->info.slice_count * types;
    ocelotl_model_arrays arrays = OCELOTL_MODEL_ARRAYS_INIT;
    OC_TRY(oc_allocate(&whole->sums, count, sizeof *whole->sums));
    OC_TRY(oc_allocate(&whole->cells, count, sizeof *whole->cells));
    OC_TRY(oc_allocate(&whole->types, types, sizeof *whole->types));
    OC_TRY(ocelotl_model_sums(whole->sums, whole->of, 0, 0, whole->info.slice_count - 1));
    for (uint32_t x = 0; x < types; x++)
        whole->types[x] = ocelotl_model_type(whole->of, x).name;
    for (size_t i = 0; i < count; i++)
        whole->cells[i] =
            (ocelotl_cell){0, (uint32_t)(i % types), (uint32_t)(i / types), whole->sums[i]};
    arrays.name = whole->info.name;
    arrays.node_count = 1;
    arrays.parents = &root;
    arrays.type_count = types;
    arrays.types = whole->types;
    arrays.slice_count = whole->info.slice_count;
    arrays.cell_count = count;
    arrays.cells = whole->cells;
    return ocelotl_model_from_arrays(&whole->model, &arrays);
}

/* The level to show first, or one of fewer parts. */
static ocelotl_status solve(profile *whole)
{
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    options.kind = OCELOTL_TEMPORAL;
    OC_TRY(ocelotl_aggregation_create(&whole->aggregation, whole->model, &options));
    OC_TRY(ocelotl_solve_auto(&whole->partition, whole->aggregation));
    if (ocelotl_partition_get_info(whole->partition).part_count <= MAX_PHASES)
        return OCELOTL_OK;
    ocelotl_partition_free(whole->partition);
    whole->partition = NULL;
    return ocelotl_solve_parts(&whole->partition, whole->aggregation, MAX_PHASES);
}

/* What a phase of the first is mostly, untraced time apart. */
static void find_type(ocelotl_phase *phase, const profile *whole, uint32_t first, uint32_t end)
{
    double all = 0;
    double most = 0;
    phase->type = "";
    for (uint32_t x = 0; x < whole->info.type_count; x++) {
        double sum = 0;
        for (uint32_t slice = first; slice < end; slice++)
            sum += whole->sums[(size_t)slice * whole->info.type_count + x];
        all += sum;
        if (sum > most && !ocelotl_model_type(whole->of, x).untraced) {
            most = sum;
            phase->type = whole->types[x];
        }
    }
    phase->share = all > 0 ? most / all : 0;
}

static void place_phases(ocelotl_phases *made, const profile *whole,
                         const ocelotl_comparison_info *info)
{
    const uint32_t *const begins[] = {whole->cuts, whole->found};
    for (size_t i = 0; i < made->count; i++) {
        ocelotl_phase *phase = &made->phases[i];
        const bool last = i + 1 == made->count;
        find_type(phase, whole, whole->cuts[i], last ? info->slices[0] : whole->cuts[i + 1]);
        for (int m = 0; m < 2; m++) {
            const uint32_t end = last ? info->slices[m] : begins[m][i + 1];
            phase->begin[m] = info->duration[m] * begins[m][i] / info->slices[m];
            phase->length[m] = info->duration[m] * (end - begins[m][i]) / info->slices[m];
        }
    }
}

static ocelotl_status find(ocelotl_phases *made, profile *whole, const ocelotl_comparison *c)
{
    OC_TRY(make_model(whole));
    OC_TRY(solve(whole));
    const size_t count = ocelotl_partition_get_info(whole->partition).part_count;
    if (count < 2)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&made->phases, count, sizeof *made->phases));
    OC_TRY(oc_allocate(&whole->cuts, count, sizeof *whole->cuts));
    OC_TRY(oc_allocate(&whole->found, count, sizeof *whole->found));
    for (size_t i = 0; i < count; i++)
        whole->cuts[i] = ocelotl_partition_part(whole->partition, i).first;
    OC_TRY(ocelotl_comparison_find_phases(whole->found, c, whole->cuts, count));
    made->count = count;
    place_phases(made, whole, &c->info);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_phases_find(ocelotl_phases **phases, const ocelotl_comparison *comparison)
{
    profile whole = {.of = comparison->models[0],
                     .info = ocelotl_model_get_info(comparison->models[0])};
    const ocelotl_comparison_info *info = &comparison->info;
    ocelotl_phases *made;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    ocelotl_status status = OCELOTL_OK;
    if (info->duration[0] > 0 && info->duration[1] > 0)
        status = find(made, &whole, comparison);
    free_profile(&whole);
    if (status == OCELOTL_OK)
        *phases = made;
    else
        ocelotl_phases_free(made);
    return status;
}

void ocelotl_phases_free(ocelotl_phases *phases)
{
    if (phases == NULL)
        return;
    free(phases->phases);
    free(phases);
}

size_t ocelotl_phases_count(const ocelotl_phases *phases)
{
    return phases != NULL ? phases->count : 0;
}

ocelotl_phase ocelotl_phases_at(const ocelotl_phases *phases, size_t index)
{
    return index < ocelotl_phases_count(phases) ? phases->phases[index]
                                                : (ocelotl_phase){.type = ""};
}
