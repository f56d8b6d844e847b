/* What a part gains and loses, and the choices that are next to it. */
#include "aggregate/explanation.h"
#include "aggregate/problem/problem.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Values of a node in slices, by row: a type; of the temporal kind a series, for these are not
 * added. In each slice the sum, and the sum of v log v of its cells. */
typedef struct ledger {
    const ocelotl_aggregation *aggregation;
    uint32_t node;          /* of the aggregation's nodes */
    uint32_t first, length; /* slices of the problem */
    uint32_t rows;
    double *sum, *logs; /* rows x length */
    double *child;      /* by row: sums of the child in hand */
    double children;    /* of all children, their sum of X log X */
} ledger;

static void free_ledger(ledger *of)
{
    free(of->sum);
    free(of->logs);
    free(of->child);
}

static inline double x_log_x(double x)
{
    return x > 0 ? x * log2(x) : 0;
}

/* The sum of v log v of the resources that a cell, or a series, stands for. */
static double logs_of(const ledger *of, double x, uint32_t weight, const double *loss, size_t place)
{
    const double own = x_log_x(x);
    return loss == NULL ? own
                        : own - x * log2(weight) + oc_scaled(loss[place], of->aggregation->scale);
}

static void add_value(ledger *of, uint32_t row, uint32_t slice, double x, double logs)
{
    const size_t place = (size_t)row * of->length + (slice - of->first);
    of->sum[place] += x;
    of->logs[place] += logs;
    of->child[row] += x;
}

static void add_series(ledger *of, size_t series, uint32_t row, uint32_t weight)
{
    const oc_matrix *matrix = of->aggregation->matrix;
    const double *scale = of->aggregation->scale;
    const size_t end = matrix->series[series + 1].first;
    double sum = 0;
    for (size_t i = matrix->series[series].first; i < end; i++) {
        const double x = oc_scaled(matrix->cell_value[i], scale);
        const uint32_t slice = matrix->cell_slice[i];
        sum += x;
        if (of->aggregation->kind != OCELOTL_SPATIAL && slice >= of->first &&
            slice < of->first + of->length)
            add_value(of, row, slice, x, logs_of(of, x, weight, matrix->cell_loss, i));
    }
    if (of->aggregation->kind == OCELOTL_SPATIAL)
        add_value(of, row, 0, sum, logs_of(of, sum, weight, matrix->series_loss, series));
}

static void add_leaves(ledger *of, uint32_t first, uint32_t end)
{
    const ocelotl_aggregation *aggregation = of->aggregation;
    const oc_tree *tree = &aggregation->matrix->tree;
    const size_t base = aggregation->leaf_series[aggregation->nodes.leaf_first[of->node]];
    for (uint32_t leaf = first; leaf < end; leaf++) {
        const uint32_t weight = tree->weight_before == NULL
                                    ? 1
                                    : tree->weight_before[leaf + 1] - tree->weight_before[leaf];
        for (size_t s = aggregation->leaf_series[leaf]; s < aggregation->leaf_series[leaf + 1]; s++)
            add_series(of, s,
                       aggregation->kind == OCELOTL_TEMPORAL ? (uint32_t)(s - base)
                                                             : aggregation->matrix->series[s].type,
                       weight);
    }
}

/* Leaves of the matrix below a node: the nodes fold chains, and all have their first leaf. */
static uint32_t leaf_end(const ocelotl_aggregation *aggregation, uint32_t node)
{
    const oc_tree *tree = &aggregation->matrix->tree;
    const uint32_t name = aggregation->nodes.name[node];
    return tree->leaf_first[name] + tree->leaf_count[name];
}

static void end_child(ledger *of)
{
    for (uint32_t row = 0; row < of->rows; row++) {
        of->children += x_log_x(of->child[row]);
        of->child[row] = 0;
    }
}

static ocelotl_status fill_ledger(ledger *of)
{
    const ocelotl_aggregation *aggregation = of->aggregation;
    const oc_nodes *nodes = &aggregation->nodes;
    const size_t cells = (size_t)of->rows * of->length;
    OC_TRY(oc_allocate(&of->sum, cells, sizeof(double)));
    OC_TRY(oc_allocate(&of->logs, cells, sizeof(double)));
    OC_TRY(oc_allocate(&of->child, of->rows, sizeof(double)));
    if (oc_nodes_is_leaf(nodes, of->node)) {
        add_leaves(of, nodes->leaf_first[of->node], leaf_end(aggregation, of->node));
        return OCELOTL_OK;
    }
    for (uint32_t child = oc_nodes_first_child(of->node); child < oc_nodes_end(nodes, of->node);
         child = oc_nodes_next_child(nodes, child)) {
        add_leaves(of, nodes->leaf_first[child], leaf_end(aggregation, child));
        end_child(of);
    }
    return OCELOTL_OK;
}

static ocelotl_status make_ledger(ledger *of, const ocelotl_aggregation *aggregation, uint32_t node,
                                  uint32_t first, uint32_t length)
{
    const uint32_t leaf = aggregation->nodes.leaf_first[node];
    const size_t series =
        aggregation->leaf_series[leaf_end(aggregation, node)] - aggregation->leaf_series[leaf];
    *of = (ledger){.aggregation = aggregation, .node = node, .first = first, .length = length};
    of->rows =
        aggregation->kind == OCELOTL_TEMPORAL ? (uint32_t)series : aggregation->matrix->type_count;
    return fill_ledger(of);
}

/* --- Choices */

/* Sums of a ledger over slices. */
typedef struct totals {
    double x, logs, x_logs; /* X, v log v, and X log X, of all rows */
} totals;

static totals row_totals(const ledger *of, uint32_t row, uint32_t first, uint32_t end)
{
    const double *sum = of->sum + (size_t)row * of->length;
    const double *logs = of->logs + (size_t)row * of->length;
    totals all = {0, 0, 0};
    for (uint32_t t = first; t < end; t++) {
        all.x += sum[t];
        all.logs += logs[t];
    }
    all.x_logs = x_log_x(all.x);
    return all;
}

static totals totals_of(const ledger *of)
{
    totals all = {0, 0, 0};
    for (uint32_t row = 0; row < of->rows; row++) {
        const totals one = row_totals(of, row, 0, of->length);
        all.x += one.x;
        all.logs += one.logs;
        all.x_logs += one.x_logs;
    }
    return all;
}

static void set_measures(ocelotl_choice *choice, const ledger *of, double m, double gain, double p)
{
    const double kept = oc_gain_of(m, m - gain);
    const double loss = m - kept > OC_ROUNDING * m ? m - kept : 0;
    choice->exists = true;
    choice->node = of->aggregation->nodes.name[of->node];
    choice->gain = oc_unscaled(of->aggregation, kept);
    choice->loss = oc_unscaled(of->aggregation, loss);
    choice->pic = p * choice->gain - (1 - p) * choice->loss;
}

static void choose_whole(ocelotl_choice *choice, const ledger *of, double p)
{
    const totals all = totals_of(of);
    const double m = all.x * oc_log_cells(of->aggregation, of->node, of->length);
    set_measures(choice, of, m, all.x_logs - all.logs, p);
    choice->pieces = 1;
}

static void choose_children(ocelotl_choice *choice, const ledger *of, double p)
{
    const oc_nodes *nodes = &of->aggregation->nodes;
    const uint32_t name = of->node;
    const double slices = of->aggregation->slice_bits[OC_PAST_END + of->length];
    double m = 0;
    uint32_t pieces = 0;
    if (oc_nodes_is_leaf(nodes, name) || of->aggregation->kind == OCELOTL_TEMPORAL)
        return;
    for (uint32_t child = oc_nodes_first_child(name); child < oc_nodes_end(nodes, name);
         child = oc_nodes_next_child(nodes, child), pieces++) {
        const double *total = oc_total_of(of->aggregation, child) + of->first;
        double x = 0;
        for (uint32_t t = 0; t < of->length; t++)
            x += total[t];
        m += x * (of->aggregation->leaf_bits[child] + slices);
    }
    set_measures(choice, of, m, of->children - totals_of(of).logs, p);
    choice->pieces = pieces;
}

/* X and the sum of X log X before each slice, and from it on. */
typedef struct halves {
    double x[2], x_logs[2];
} halves;

static void add_halves(halves *at, const ledger *of, uint32_t row)
{
    const double *sum = of->sum + (size_t)row * of->length;
    double before = 0;
    double behind = 0;
    for (uint32_t t = 0; t < of->length; t++) {
        at[t].x[0] += before;
        at[t].x_logs[0] += x_log_x(before);
        before += sum[t];
    }
    for (uint32_t t = of->length; t-- > 0;) {
        behind += sum[t];
        at[t].x[1] += behind;
        at[t].x_logs[1] += x_log_x(behind);
    }
}

static ocelotl_status choose_time(ocelotl_choice *choice, const ledger *of, double p)
{
    halves *at = NULL;
    const double logs = totals_of(of).logs;
    if (of->length < 2 || of->aggregation->kind == OCELOTL_SPATIAL)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&at, of->length, sizeof *at));
    for (uint32_t row = 0; row < of->rows; row++)
        add_halves(at, of, row);
    for (uint32_t t = 1; t < of->length; t++) {
        ocelotl_choice here = {.pieces = 2, .cut = of->first + t};
        const double m = at[t].x[0] * oc_log_cells(of->aggregation, of->node, t) +
                         at[t].x[1] * oc_log_cells(of->aggregation, of->node, of->length - t);
        set_measures(&here, of, m, at[t].x_logs[0] + at[t].x_logs[1] - logs, p);
        if (!choice->exists || here.pic > choice->pic)
            *choice = here;
    }
    free(at);
    return OCELOTL_OK;
}

/* --- By type */

static void add_types(ocelotl_explanation *explanation, const ledger *of)
{
    const ocelotl_aggregation *aggregation = of->aggregation;
    const double log_cells = oc_log_cells(aggregation, of->node, of->length);
    const size_t base = aggregation->leaf_series[aggregation->nodes.leaf_first[of->node]];
    for (uint32_t row = 0; row < of->rows; row++) {
        const totals all = row_totals(of, row, 0, of->length);
        const bool temporal = aggregation->kind == OCELOTL_TEMPORAL;
        const uint32_t type = temporal ? aggregation->matrix->series[base + row].type : row;
        const double gain =
            oc_gain_of(all.x * log_cells, all.x * log_cells - all.x_logs + all.logs);
        ocelotl_type_measure *measure = &explanation->types[type];
        measure->sum += oc_unscaled(aggregation, all.x);
        measure->gain += oc_unscaled(aggregation, gain);
        measure->loss += oc_unscaled(aggregation, all.x * log_cells - gain);
    }
}

/* --- The whole of it */

static ocelotl_status explain_node(ocelotl_explanation *explanation, ledger *of, double p)
{
    ocelotl_choice *choices = explanation->choices;
    choose_whole(&choices[OCELOTL_CHOICE_PART], of, p);
    choose_children(&choices[OCELOTL_CHOICE_RESOURCES], of, p);
    OC_TRY(choose_time(&choices[OCELOTL_CHOICE_TIME], of, p));
    add_types(explanation, of);
    return OCELOTL_OK;
}

static ocelotl_status explain_parent(ocelotl_explanation *explanation, ledger *of, double p)
{
    choose_whole(&explanation->choices[OCELOTL_CHOICE_PARENT], of, p);
    choose_children(&explanation->choices[OCELOTL_CHOICE_SIBLINGS], of, p);
    return OCELOTL_OK;
}

/* Finds a node's place; of nodes with the same leaves only the topmost can be a part. */
static ocelotl_status find_node(uint32_t *found, const ocelotl_aggregation *aggregation,
                                uint32_t node)
{
    const oc_tree *tree = &aggregation->matrix->tree;
    const uint32_t given = node;
    while (node > 0 && node < tree->node_count &&
           tree->leaf_count[tree->parent[node]] == tree->leaf_count[node])
        node = tree->parent[node];
    for (uint32_t i = 0; i < aggregation->nodes.count; i++)
        if (aggregation->nodes.name[i] == node) {
            *found = i;
            return OCELOTL_OK;
        }
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "node %u can be no part, expected one of a partition",
                   (unsigned)given);
}

static ocelotl_status explain(ocelotl_explanation *explanation, uint32_t first, uint32_t last,
                              double p)
{
    const ocelotl_aggregation *aggregation = explanation->aggregation;
    const uint32_t slices = aggregation->matrix->slice_count;
    const bool spatial = aggregation->kind == OCELOTL_SPATIAL;
    ledger of = {0};
    uint32_t node = 0;
    OC_TRY(find_node(&node, aggregation, explanation->node));
    if (first > last || last >= slices || (spatial && (first > 0 || last + 1 < slices)))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "slices %u to %u, expected some of %u",
                       (unsigned)first, (unsigned)last, (unsigned)slices);
    if (!(p >= 0 && p <= 1))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a raw p of %g, expected 0 to 1", p);
    const uint32_t begin = spatial ? 0 : first;
    const uint32_t length = spatial ? 1 : last - first + 1;
    ocelotl_status status = make_ledger(&of, aggregation, node, begin, length);
    if (status == OCELOTL_OK)
        status = explain_node(explanation, &of, p);
    free_ledger(&of);
    if (status != OCELOTL_OK || node == 0)
        return status;
    status = make_ledger(&of, aggregation, aggregation->nodes.parent[node], begin, length);
    if (status == OCELOTL_OK)
        status = explain_parent(explanation, &of, p);
    free_ledger(&of);
    return status;
}

ocelotl_status oc_part_explain(ocelotl_explanation **explanation,
                               const ocelotl_aggregation *aggregation, uint32_t node,
                               uint32_t first, uint32_t last, double p_raw)
{
    ocelotl_explanation *made;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->aggregation = aggregation;
    made->node = node;
    made->first = first;
    made->last = last;
    made->type_count = aggregation->matrix->type_count;
    ocelotl_status status = oc_allocate(&made->types, made->type_count, sizeof *made->types);
    if (status == OCELOTL_OK)
        status = explain(made, first, last, p_raw);
    if (status == OCELOTL_OK)
        *explanation = made;
    else
        oc_explanation_free(made);
    return status;
}

void oc_explanation_free(ocelotl_explanation *explanation)
{
    if (explanation == NULL)
        return;
    free(explanation->types);
    free(explanation);
}
