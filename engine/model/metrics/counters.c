/* Metrics of counters: what they grow by in each slice, and what of one comes on each of another.
 * Both cost what they cost at the boundaries of slices. */
#include "model/metrics/formula.h"
#include "model/metrics/metric_types.h"

#include "base/memory.h"
#include "base/text.h"
#include "store/read/growth.h"

#include <math.h>
#include <stdlib.h>

static ocelotl_status check_conditions(const oc_measuring *m)
{
    return !oc_conditions_concern(m->filling->conditions, m->stream->event_type)
               ? OCELOTL_OK
               : oc_fail(
                     OCELOTL_ERROR_ARGUMENT,
                     "%s: \"%s\" is filtered by what its values carry, and what a counter grows "
                     "by is of no single value, expected no such filter",
                     m->filling->trace->label,
                     m->filling->trace->event_types[m->stream->event_type].name);
}

/* Adds what the counter of a stream grows by in each slice. */
static ocelotl_status add_growth(double *row, oc_measuring *m, uint32_t stream)
{
    const oc_filling *filling = m->filling;
    const uint32_t slices = filling->slicing->slices;
    oc_growth growth;
    OC_TRY(check_conditions(m));
    OC_TRY(oc_growth_begin(&growth, &m->walk.reader, stream, filling->options->cells.counter_step));
    for (uint32_t i = 0; i <= slices; i++) {
        const oc_instant boundary = filling->boundaries[i];
        double grown;
        double spread;
        OC_TRY(oc_growth_move(&grown, &spread, &growth, boundary.ticks,
                              (double)boundary.rest / slices));
        if (i > 0)
            row[i - 1] += grown;
    }
    return OCELOTL_OK;
}

static ocelotl_status read_growth(oc_measuring *m, uint32_t stream)
{
    const uint32_t type = oc_filling_type(m->filling, m->stream->event_type, OCELOTL_NONE);
    double *row;
    if (type == OCELOTL_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_leaf_rows_get(&row, &m->rows[0], type));
    return add_growth(row, m, stream);
}

static ocelotl_status give_growth(oc_measuring *m)
{
    oc_filling *filling = m->filling;
    const uint32_t slices = filling->slicing->slices;
    for (uint32_t type = 0; type < filling->model->type_count; type++) {
        const double *row = oc_leaf_rows_find(&m->rows[0], type);
        for (uint32_t slice = 0; row != NULL && slice < slices; slice++)
            m->row[slice] = row[slice] / filling->model->types[type].scale;
        if (row != NULL)
            OC_TRY(oc_cells_add(&filling->sums, m->leaf, type, m->row, slices, false));
    }
    return OCELOTL_OK;
}

/* Cells are shares as they stand. */
static ocelotl_status forget_scales(oc_filling *filling)
{
    for (uint32_t x = 0; x < filling->model->type_count; x++)
        filling->model->types[x].scale = 1;
    return OCELOTL_OK;
}

const oc_measure oc_measure_counter = {.prepare = oc_scale_variables,
                                       .read = read_growth,
                                       .give = give_growth,
                                       .finish = forget_scales};

/* --- Ratios */

enum { ABOVE, BELOW, SIDES };

/* Adds of a stream what the side of the ratio is made of: growth, or value times time. */
static ocelotl_status add_side(double *row, oc_measuring *m, uint32_t stream)
{
    const oc_filling *filling = m->filling;
    if (filling->trace->event_types[m->stream->event_type].kind == OCELOTL_COUNTER)
        return add_growth(row, m, stream);
    const double seconds = ocelotl_trace_seconds(filling->trace, 1) *
                           (double)filling->slicing->length / filling->slicing->slices;
    OC_TRY(check_conditions(m));
    OC_TRY(oc_variable_means(m->row, m, stream));
    for (uint32_t slice = 0; slice < filling->slicing->slices; slice++)
        row[slice] += m->row[slice] * seconds;
    return OCELOTL_OK;
}

static ocelotl_status read_sides(oc_measuring *m, uint32_t stream)
{
    const oc_formula *formula = m->filling->formula;
    const uint32_t types[SIDES] = {formula->numerator, formula->denominator};
    for (size_t side = 0; side < SIDES; side++) {
        double *row;
        if (types[side] != m->stream->event_type)
            continue;
        OC_TRY(oc_leaf_rows_get(&row, &m->rows[side], 0));
        OC_TRY(add_side(row, m, stream));
    }
    return OCELOTL_OK;
}

/* The solver has both sides; what is drawn is one by the other. */
static ocelotl_status give_sides(oc_measuring *m)
{
    oc_filling *filling = m->filling;
    const uint32_t slices = filling->slicing->slices;
    for (uint32_t side = 0; side < SIDES; side++) {
        const double *row = oc_leaf_rows_find(&m->rows[side], 0);
        if (row == NULL)
            continue;
        OC_TRY(oc_cells_add(&filling->sums, m->leaf, side, row, slices, false));
        if (side == BELOW)
            OC_TRY(oc_cells_add(&filling->drawn, m->leaf, 0, row, slices, false));
    }
    return OCELOTL_OK;
}

/* Refuses values below 0, of which no sum is divided. */
static ocelotl_status check_sides(oc_filling *filling)
{
    OC_TRY(oc_scale_variables(filling));
    filling->model->types[0].scale = filling->formula->factor;
    filling->model->types[0].offset = 0;
    return OCELOTL_OK;
}

const oc_measure oc_measure_ratio = {
    .prepare = check_sides, .read = read_sides, .give = give_sides, .finish = oc_fill_weighed};
