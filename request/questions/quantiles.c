/* parts --quantiles: how the cells of each part are spread, by type. */
#include "answer/answer.h"
#include "answer/table.h"
#include "base/memory.h"
#include "request/questions/question.h"

#include <stdlib.h>

enum { QUARTILES = 5 };

typedef struct weighed {
    double value;
    uint32_t type;
    uint64_t weight; /* cells that have it: those of merged resources are one */
} weighed;

/* A type in a part. */
typedef struct spread {
    size_t part;
    uint32_t type;
    uint64_t cells; /* that have a value */
    double of[QUARTILES];
} spread;

typedef struct spreads {
    ocelotl_partition *partition;
    const ocelotl_model *model;
    ocelotl_model_info info;
    spread *list;
    size_t count, capacity;
    /* of the part at hand */
    weighed *cells;
    size_t cell_count, cell_capacity;
    uint32_t *leaves; /* the node of each */
    double *values;   /* by type, */
    uint64_t *there;  /* and how many cells have one */
} spreads;

static const oc_heading headings[] = {
    {"part", OC_CELL_COUNT},    {"node", OC_CELL_TEXT},
    {"first", OC_CELL_INDEX},   {"last", OC_CELL_INDEX},
    {"type", OC_CELL_TEXT},     {"cells", OC_CELL_COUNT},
    {"least", OC_CELL_NUMBER},  {"quarter", OC_CELL_NUMBER},
    {"median", OC_CELL_NUMBER}, {"three_quarters", OC_CELL_NUMBER},
    {"most", OC_CELL_NUMBER}};

static ocelotl_status add_cell(spreads *s, double value, uint32_t type, uint64_t weight)
{
    OC_TRY(oc_grow(&s->cells, &s->cell_capacity, s->cell_count + 1, sizeof *s->cells));
    s->cells[s->cell_count++] = (weighed){value, type, weight};
    s->there[type] += weight;
    return OCELOTL_OK;
}

/* Adds the cells of a part. What is 0 where cells add up is added for all of them at once. */
static ocelotl_status add_cells(spreads *s, const ocelotl_part *part)
{
    const ocelotl_node node = ocelotl_model_node_at(s->model, part->node);
    const uint64_t all = (uint64_t)part->leaves * (part->last - part->first + 1);
    s->cell_count = 0;
    for (uint32_t x = 0; x < s->info.type_count; x++)
        s->there[x] = 0;
    for (uint32_t leaf = node.leaf_first; leaf < node.leaf_first + node.leaf_count; leaf++)
        for (uint32_t slice = part->first; slice <= part->last; slice++) {
            OC_TRY(ocelotl_model_values(s->values, s->model, s->leaves[leaf], slice, slice));
            const uint32_t weight = ocelotl_model_node_at(s->model, s->leaves[leaf]).row_count;
            for (uint32_t x = 0; x < s->info.type_count; x++)
                if (!isnan(s->values[x]) && (!s->info.additive || s->values[x] != 0))
                    OC_TRY(add_cell(s, s->values[x], x, weight));
        }
    for (uint32_t x = 0; s->info.additive && x < s->info.type_count; x++)
        if (s->there[x] > 0 && s->there[x] < all)
            OC_TRY(add_cell(s, 0, x, all - s->there[x]));
    return OCELOTL_OK;
}

static int compare_cells(const void *left, const void *right)
{
    const weighed *a = left;
    const weighed *b = right;
    if (a->type != b->type)
        return a->type < b->type ? -1 : 1;
    return (a->value > b->value) - (a->value < b->value);
}

/* A quantile is the least value that so many quarters of the cells do not exceed. */
static ocelotl_status add_spreads(spreads *s, size_t number)
{
    const ocelotl_part part = ocelotl_partition_part_at(s->partition, number);
    OC_TRY(add_cells(s, &part));
    if (s->cell_count > 1)
        qsort(s->cells, s->cell_count, sizeof *s->cells, compare_cells);
    for (size_t i = 0; i < s->cell_count;) {
        const uint32_t type = s->cells[i].type;
        spread made = {number, type, s->there[type], {0}};
        uint64_t passed = 0;
        for (unsigned quarter = 0; i < s->cell_count && s->cells[i].type == type; i++) {
            passed += s->cells[i].weight;
            for (; quarter < QUARTILES && passed * 4 >= made.cells * quarter; quarter++)
                made.of[quarter] = s->cells[i].value;
        }
        OC_TRY(oc_grow(&s->list, &s->capacity, s->count + 1, sizeof *s->list));
        s->list[s->count++] = made;
    }
    return OCELOTL_OK;
}

static ocelotl_status find(ocelotl_answer *answer)
{
    spreads *s = NULL;
    OC_TRY(oc_allocate(&s, 1, sizeof *s));
    answer->found = s;
    OC_TRY(ocelotl_session_partition(&s->partition, answer->session, answer->request));
    const size_t count = ocelotl_partition_info_of(s->partition).part_count;
    s->model = ocelotl_partition_model(s->partition);
    s->info = ocelotl_model_info_of(s->model);
    OC_TRY(oc_allocate(&s->leaves, s->info.leaf_count, sizeof *s->leaves));
    OC_TRY(oc_allocate(&s->values, s->info.type_count, sizeof *s->values));
    OC_TRY(oc_allocate(&s->there, s->info.type_count, sizeof *s->there));
    for (uint32_t n = 0; n < s->info.node_count; n++) /* the innermost comes last */
        s->leaves[ocelotl_model_node_at(s->model, n).leaf_first] = n;
    for (size_t i = 0; i < count; i++)
        OC_TRY(add_spreads(s, i));
    return OCELOTL_OK;
}

static ocelotl_status fill(oc_row *row, void *of, size_t index)
{
    const spreads *s = *(spreads **)of;
    const spread *is = &s->list[index];
    const ocelotl_part part = ocelotl_partition_part_at(s->partition, is->part);
    oc_cell_count(row, is->part);
    oc_cell_text(row, ocelotl_model_node_at(s->model, part.node).path);
    oc_cell_count(row, part.first);
    oc_cell_count(row, part.last);
    oc_cell_text(row, ocelotl_model_type_at(s->model, is->type).name);
    oc_cell_count(row, is->cells);
    for (size_t i = 0; i < QUARTILES; i++)
        oc_cell_number(row, is->of[i]);
    return OCELOTL_OK;
}

static oc_table table_of(ocelotl_answer *answer)
{
    const spreads *s = answer->found;
    return (oc_table){
        headings, OC_COUNT_OF(headings), &answer->found, sizeof answer->found, s->count, fill};
}

static void free_found(ocelotl_answer *answer)
{
    spreads *s = answer->found;
    if (s == NULL)
        return;
    ocelotl_partition_free(s->partition);
    free(s->list);
    free(s->cells);
    free(s->leaves);
    free(s->values);
    free(s->there);
    free(s);
}

const oc_question oc_quantiles_question = {
    .command = "parts",
    .answering = {.forms = OC_FORMS_TABLE},
    .of_matrix = true,
    .find = find,
    .table = table_of,
    .free = free_found,
};
