#include "aggregate/problem/columns.h"

#include "aggregate/vector/vector.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void oc_columns_free(oc_columns *columns)
{
    free(columns->type);
    free(columns->leaves);
    free(columns->values);
    *columns = (oc_columns){.slices = columns->slices};
}

void oc_columns_clear(oc_columns *columns)
{
    columns->count = 0;
}

/* A new column, as zeros. */
static ocelotl_status append(oc_columns *columns, uint32_t type)
{
    const size_t values = 3 * oc_column_stride(columns->slices);
    const size_t count = columns->count;
    OC_TRY(oc_grow(&columns->type, &columns->type_capacity, count + 1, sizeof *columns->type));
    OC_TRY(oc_grow(&columns->leaves, &columns->leaf_capacity, count + 1, sizeof *columns->leaves));
    OC_TRY(oc_grow(&columns->values, &columns->value_capacity, (count + 1) * values,
                   sizeof *columns->values));
    columns->type[count] = type;
    columns->leaves[count] = 0;
    memset(columns->values + count * values, 0, values * sizeof *columns->values);
    columns->count++;
    return OCELOTL_OK;
}

void oc_series_expand(oc_sums sums, const oc_matrix *matrix, size_t series, const double *scale,
                      uint32_t slices)
{
    for (size_t i = matrix->series[series].first; i < matrix->series[series + 1].first; i++) {
        const uint32_t t = slices > 1 ? matrix->cell_slice[i] : 0;
        oc_sum sum = {sums.high[t], sums.low[t]};
        oc_sum_add(&sum, matrix->cell_value[i] * scale[0] * scale[1]);
        sums.high[t] = sum.high;
        sums.low[t] = sum.low;
    }
}

ocelotl_status oc_columns_of_leaf(oc_columns *columns, const oc_matrix *matrix, size_t series,
                                  uint32_t weight, const double *scale)
{
    const uint32_t leaf = matrix->series[series].leaf;
    for (; series < matrix->series_count && matrix->series[series].leaf == leaf; series++) {
        OC_TRY(append(columns, matrix->series[series].type));
        columns->leaves[columns->count - 1] = weight;
        oc_series_expand(oc_column_sums(columns, columns->count - 1), matrix, series, scale,
                         columns->slices);
    }
    return OCELOTL_OK;
}

static oc_joining joining_of(const oc_columns *columns, uint32_t column, oc_sums other,
                             uint32_t leaves)
{
    const double a = columns->leaves[column];
    const double b = leaves;
    const double a_bits = log1p(b / a) * OC_LOG2_E;
    const double b_bits = log1p(a / b) * OC_LOG2_E;
    return (oc_joining){a,    b, a_bits, b_bits, columns->slices, oc_column_sums(columns, column),
                        other};
}

ocelotl_status oc_columns_add(oc_columns *columns, oc_column_index *index, const oc_columns *child,
                              uint32_t leaves, const oc_vector *vector)
{
    const size_t values = 3 * oc_column_stride(columns->slices);
    for (uint32_t i = 0; i < child->count; i++) {
        const uint32_t type = child->type[i];
        const oc_sums sums = oc_column_sums(child, i);
        if (index->place[type] > 0) {
            const oc_joining joining = joining_of(columns, index->place[type] - 1, sums, leaves);
            vector->join_slices(&joining);
        } else {
            OC_TRY(append(columns, type));
            index->place[type] = columns->count;
            memcpy(columns->values + (columns->count - 1) * values, sums.high,
                   values * sizeof *columns->values);
        }
        columns->leaves[index->place[type] - 1] += leaves;
    }
    return OCELOTL_OK;
}

void oc_columns_finish(oc_columns *columns, oc_column_index *index, uint32_t leaves,
                       const oc_vector *vector)
{
    for (uint32_t i = 0; i < columns->count; i++) {
        index->place[columns->type[i]] = 0;
        if (columns->leaves[i] == leaves)
            continue;
        const oc_joining joining =
            joining_of(columns, i, (oc_sums){0}, leaves - columns->leaves[i]);
        vector->join_slices(&joining);
        columns->leaves[i] = leaves;
    }
}
