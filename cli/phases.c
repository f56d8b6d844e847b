#include "phases.h"

#include <stdlib.h>

/* More phases than this nobody takes in at a glance. */
enum { PHASES_MOST = 8 };

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

static int make_model(profile *whole)
{
    static const uint32_t root = OCELOTL_ROOT;
    const uint32_t types = whole->info.type_count;
    const size_t count = (size_t)whole->info.slice_count * types;
    ocelotl_model_arrays arrays = OCELOTL_MODEL_ARRAYS_INIT;
    whole->sums = calloc(count, sizeof *whole->sums);
    whole->cells = calloc(count, sizeof *whole->cells);
    whole->types = calloc(types, sizeof *whole->types);
    if (whole->sums == NULL || whole->cells == NULL || whole->types == NULL)
        return cli_memory();
    const ocelotl_status status =
        ocelotl_model_sums(whole->sums, whole->of, 0, 0, whole->info.slice_count - 1);
    if (status != OCELOTL_OK)
        return cli_fail(status);
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
    return cli_code(ocelotl_model_from_arrays(&whole->model, &arrays));
}

/* The level to show first, or one of fewer parts. */
static int solve(profile *whole)
{
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    options.kind = OCELOTL_TEMPORAL;
    ocelotl_status status = ocelotl_aggregation_create(&whole->aggregation, whole->model, &options);
    if (status == OCELOTL_OK)
        status = ocelotl_solve_auto(&whole->partition, whole->aggregation);
    if (status != OCELOTL_OK ||
        ocelotl_partition_get_info(whole->partition).part_count <= PHASES_MOST)
        return cli_code(status);
    ocelotl_partition_free(whole->partition);
    whole->partition = NULL;
    return cli_code(ocelotl_solve_parts(&whole->partition, whole->aggregation, PHASES_MOST));
}

/* What a phase of the first is mostly, untraced time apart. */
static void find_type(cli_phase *phase, const profile *whole, uint32_t first, uint32_t end)
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

static void place_phases(cli_phases *phases, const profile *whole, const uint32_t *slices,
                         const double *durations)
{
    const uint32_t *const begins[] = {whole->cuts, whole->found};
    for (size_t i = 0; i < phases->count; i++) {
        cli_phase *phase = &phases->phases[i];
        const bool last = i + 1 == phases->count;
        find_type(phase, whole, whole->cuts[i], last ? slices[0] : whole->cuts[i + 1]);
        for (int m = 0; m < 2; m++) {
            const uint32_t end = last ? slices[m] : begins[m][i + 1];
            phase->begin[m] = durations[m] * begins[m][i] / slices[m];
            phase->length[m] = durations[m] * (end - begins[m][i]) / slices[m];
        }
    }
}

static int find_phases(cli_phases *phases, profile *whole, const ocelotl_comparison *comparison)
{
    const ocelotl_comparison_info info = ocelotl_comparison_get_info(comparison);
    const size_t count = ocelotl_partition_get_info(whole->partition).part_count;
    if (count < 2)
        return CLI_DONE;
    phases->phases = calloc(count, sizeof *phases->phases);
    whole->cuts = calloc(count, sizeof *whole->cuts);
    whole->found = calloc(count, sizeof *whole->found);
    if (phases->phases == NULL || whole->cuts == NULL || whole->found == NULL)
        return cli_memory();
    for (size_t i = 0; i < count; i++)
        whole->cuts[i] = ocelotl_partition_part(whole->partition, i).first;
    const ocelotl_status status =
        ocelotl_comparison_find_phases(whole->found, comparison, whole->cuts, count);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    phases->count = count;
    place_phases(phases, whole, info.slices, info.duration);
    return CLI_DONE;
}

int cli_find_phases(cli_phases *phases, const ocelotl_model *first,
                    const ocelotl_comparison *comparison)
{
    const ocelotl_comparison_info info = ocelotl_comparison_get_info(comparison);
    profile whole = {.of = first, .info = ocelotl_model_get_info(first)};
    *phases = (cli_phases){0};
    if (!(info.duration[0] > 0) || !(info.duration[1] > 0))
        return CLI_DONE;
    int code = make_model(&whole);
    if (code == CLI_DONE)
        code = solve(&whole);
    if (code == CLI_DONE)
        code = find_phases(phases, &whole, comparison);
    free_profile(&whole);
    return code;
}
