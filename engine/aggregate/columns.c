#include "aggregate/columns.h"

#include "base/memory.h"

#include <stdlib.h>

void oc_columns_free(oc_columns *columns)
{
    for (uint32_t i = 0; i < columns->count; i++) {
        free(columns->column[i].sum);
        free(columns->column[i].loss);
    }
    free(columns->column);
    columns->column = NULL;
    columns->count = 0;
    columns->capacity = 0;
}

static ocelotl_status append(oc_columns *columns, uint32_t type, oc_column **made)
{
    OC_TRY(oc_grow(&columns->column, &columns->capacity, (size_t)columns->count + 1, sizeof *columns->column));
    oc_column *column = &columns->column[columns->count++];
    *column = (oc_column){.type = type};
    *made = column;
    OC_TRY(oc_allocate(&column->sum, columns->slices, sizeof *column->sum));
    return oc_allocate(&column->loss, columns->slices, sizeof *column->loss);
}

void oc_series_expand(const oc_matrix *matrix, size_t series, int unit, uint32_t slices, oc_sum *values)
{
    for (uint32_t t = 0; t < slices; t++)
        values[t] = (oc_sum){0};
    for (size_t i = matrix->series[series].first; i < matrix->series[series + 1].first; i++)
        oc_sum_add(&values[slices > 1 ? matrix->cell_slice[i] : 0], ldexp(matrix->cell_value[i], -unit));
}

ocelotl_status oc_columns_of_leaf(oc_columns *columns, const oc_matrix *matrix, size_t series, int unit)
{
    const uint32_t leaf = matrix->series[series].leaf;
    for (; series < matrix->series_count && matrix->series[series].leaf == leaf; series++) {
        oc_column *column;
        OC_TRY(append(columns, matrix->series[series].type, &column));
        column->leaves = 1;
        oc_series_expand(matrix, series, unit, columns->slices, column->sum);
    }
    return OCELOTL_OK;
}

static void copy(oc_column *column, const oc_column *child, uint32_t slices)
{
    for (uint32_t t = 0; t < slices; t++) {
        column->sum[t] = child->sum[t];
        column->loss[t] = child->loss[t];
    }
}

static void join_child(oc_column *column, const oc_column *child, uint32_t slices, uint32_t leaves)
{
    const oc_join sizes = oc_join_of(column->leaves, leaves);
    for (uint32_t t = 0; t < slices; t++) {
        column->loss[t] += child->loss[t];
        column->loss[t] += oc_join_loss(&sizes, oc_sum_value(&column->sum[t]), oc_sum_value(&child->sum[t]));
        oc_sum_add(&column->sum[t], child->sum[t].high);
        column->sum[t].low += child->sum[t].low;
    }
}

ocelotl_status oc_columns_add(oc_columns *columns, oc_column_index *index, const oc_columns *child, uint32_t leaves)
{
    for (uint32_t i = 0; i < child->count; i++) {
        const uint32_t type = child->column[i].type;
        oc_column *column;
        if (index->place[type] > 0) {
            column = &columns->column[index->place[type] - 1];
            join_child(column, &child->column[i], columns->slices, leaves);
        } else {
            OC_TRY(append(columns, type, &column));
            index->place[type] = columns->count;
            copy(column, &child->column[i], columns->slices);
        }
        column->leaves += leaves;
    }
    return OCELOTL_OK;
}

void oc_columns_finish(oc_columns *columns, oc_column_index *index, uint32_t leaves)
{
    for (uint32_t i = 0; i < columns->count; i++) {
        oc_column *column = &columns->column[i];
        index->place[column->type] = 0;
        if (column->leaves == leaves)
            continue;
        const oc_join sizes = oc_join_of(column->leaves, leaves - column->leaves);
        for (uint32_t t = 0; t < columns->slices; t++)
            column->loss[t] += oc_join_loss(&sizes, oc_sum_value(&column->sum[t]), 0);
        column->leaves = leaves;
    }
}
