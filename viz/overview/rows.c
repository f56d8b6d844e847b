/* The rows of an overview: nodes that are visible, of which neighbours that are idle are folded. */
#include "viz/overview/overview.h"

#include "base/memory.h"
#include "viz/words/words.h"

#include <stdlib.h>
#include <string.h>

/* Nodes on their way to rows. */
typedef struct finding {
    oc_overview *overview;
    uint32_t *busy; /* by row of the model: how many before it are not idle; NULL: none is folded */
    oc_text names;  /* of the nodes of the last fold */
    uint32_t nodes; /* how many these are */
    uint32_t end;   /* the row behind it */
    uint32_t parent;
    ocelotl_node first; /* of them */
    bool alike;         /* all are of one kind */
} finding;

/* Cuts a row to what is visible. Returns false if nothing is left. */
static bool cut(oc_row_node *row, const oc_visible *visible)
{
    const uint32_t end = visible->row_first + visible->row_count;
    const uint32_t first = row->first > visible->row_first ? row->first : visible->row_first;
    const uint32_t after = row->first + row->count < end ? row->first + row->count : end;
    if (first >= after)
        return false;
    row->first = first - visible->row_first;
    row->count = after - first;
    return true;
}

static bool has_lifetime(const ocelotl_node *node, const oc_visible *visible)
{
    return node->begin > visible->slice_first ||
           node->end < visible->slice_first + (double)visible->slice_count;
}

/* --- Folds */

/* Counts the rows before each that are not idle. Where all that is visible is idle, or nothing is,
 * no row is folded. */
static ocelotl_status count_busy(finding *find)
{
    const oc_overview *overview = find->overview;
    const uint32_t rows = overview->model.row_count, first = overview->visible.row_first;
    uint32_t idle_rows;
    bool *idle = NULL;
    if (overview->input->view == NULL || !overview->input->view->resources ||
        overview->input->shared != NULL || overview->picture->all_rows)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&idle, rows, sizeof *idle));
    ocelotl_status status = oc_idle_find(idle, &idle_rows, overview->input->model);
    if (status == OCELOTL_OK && idle_rows > 0)
        status = oc_allocate(&find->busy, (size_t)rows + 1, sizeof *find->busy);
    for (uint32_t row = 0; row < rows && find->busy != NULL; row++)
        find->busy[row + 1] = find->busy[row] + !idle[row];
    if (find->busy != NULL &&
        find->busy[first] == find->busy[first + overview->visible.row_count]) {
        free(find->busy);
        find->busy = NULL;
    }
    free(idle);
    return status;
}

static bool is_idle(const finding *find, const ocelotl_node *node)
{
    return find->busy != NULL &&
           find->busy[node->row_first] == find->busy[node->row_first + node->row_count];
}

/* Appends what a row is called for people: a lane for what does not nest, and what a resource with
 * others below it does itself, have names of one sign in paths. */
static void add_name(oc_text *text, const char *name)
{
    size_t length = strlen(name);
    while (length > 1 && name[length - 1] == ' ')
        length--;
    if (strcmp(name, ".") == 0)
        oc_text_add(text, "itself");
    else if (name[0] == '~' && length > 1 && strspn(name + 1, "0123456789") == length - 1)
        oc_text_format(text, "overlap %s", name + 1);
    else
        oc_text_append(text, name, length);
}

static ocelotl_status name_row(oc_row_node *row, oc_row_nodes *rows)
{
    oc_text name = {0};
    if (row->name[0] != '~' && row->name[0] != '.' && strchr(row->name, ' ') == NULL)
        return OCELOTL_OK;
    add_name(&name, row->name);
    const ocelotl_status status =
        name.failed ? oc_fail_memory()
                    : oc_row_nodes_keep(&row->name, rows, name.bytes, name.length);
    oc_text_free(&name);
    return status;
}

/* Names the row of the last fold for what is in it. */
static ocelotl_status end_fold(finding *find)
{
    oc_row_nodes *rows = &find->overview->rows;
    oc_text name = {0};
    if (find->nodes == 0)
        return OCELOTL_OK;
    oc_row_node *row = &rows->nodes[rows->node_count - 1];
    if (find->nodes == 1) {
        add_name(&name, find->first.name);
    } else {
        oc_count_add(&name, find->nodes);
        oc_text_add(&name, " ");
        oc_text_add_kinds(&name, find->alike ? find->first.kind : "", find->nodes);
    }
    oc_text_add(&name, ", idle");
    ocelotl_status status = name.failed || find->names.failed
                                ? oc_fail_memory()
                                : oc_row_nodes_keep(&row->name, rows, name.bytes, name.length);
    if (status == OCELOTL_OK)
        status = oc_row_nodes_keep(&row->path, rows, find->names.bytes, find->names.length);
    oc_text_free(&name);
    oc_text_clear(&find->names);
    find->nodes = 0;
    return status;
}

/* The node above that is no group. */
static uint32_t parent_of(const finding *find, uint32_t parent)
{
    const ocelotl_model *model = find->overview->input->model;
    while (parent != OCELOTL_ROOT && ocelotl_model_node_at(model, parent).alike)
        parent = ocelotl_model_node_at(model, parent).parent;
    return parent;
}

/* Folds an idle node, with its neighbour before it if that is folded too. */
static ocelotl_status fold(finding *find, const ocelotl_node *node, const oc_row_node *row)
{
    oc_row_nodes *rows = &find->overview->rows;
    const uint32_t parent = parent_of(find, node->parent);
    if (find->nodes == 0 || find->end != node->row_first || find->parent != parent) {
        OC_TRY(end_fold(find));
        OC_TRY(
            oc_grow(&rows->folds, &rows->fold_capacity, rows->fold_count + 1, sizeof *rows->folds));
        rows->folds[rows->fold_count++] = (oc_row_fold){.first = row->first};
        rows->nodes[rows->node_count++] = *row;
        rows->nodes[rows->node_count - 1].leaf = true;
        rows->nodes[rows->node_count - 1].count = 0;
        find->first = *node;
        find->alike = true;
        find->parent = parent;
    }
    oc_text_add(&find->names, find->nodes++ > 0 ? "\n" : "");
    oc_text_add(&find->names, node->path);
    find->alike = find->alike && strcmp(node->kind, find->first.kind) == 0;
    find->end = node->row_first + node->row_count;
    rows->folds[rows->fold_count - 1].count += row->count;
    rows->nodes[rows->node_count - 1].count += row->count;
    return OCELOTL_OK;
}

/* --- All rows */

/* Groups of like siblings are no level, so they get no row. */
static ocelotl_status list_nodes(finding *find)
{
    oc_overview *overview = find->overview;
    oc_row_nodes *rows = &overview->rows;
    for (uint32_t i = 0; i < overview->model.node_count; i++) {
        const ocelotl_node node = ocelotl_model_node_at(overview->input->model, i);
        const bool leaf = oc_is_leaf_of(overview->input->model, i);
        oc_row_node row = {node.name, node.path, node.depth, node.row_first, node.row_count, leaf};
        if ((node.alike && !leaf) || !cut(&row, &overview->visible))
            continue;
        if (leaf && has_lifetime(&node, &overview->visible))
            overview->has_lifetimes = true;
        if (find->nodes > 0 && node.row_first < find->end)
            continue; /* below a node that is folded */
        if (is_idle(find, &node)) {
            OC_TRY(fold(find, &node, &row));
            continue;
        }
        OC_TRY(end_fold(find));
        OC_TRY(name_row(&row, rows));
        rows->nodes[rows->node_count++] = row;
    }
    return end_fold(find);
}

ocelotl_status oc_overview_find_rows(oc_overview *overview)
{
    oc_row_nodes *rows = &overview->rows;
    finding find = {.overview = overview};
    rows->row_count = overview->visible.row_count;
    OC_TRY(oc_allocate(&rows->nodes, overview->model.node_count, sizeof *rows->nodes));
    ocelotl_status status = count_busy(&find);
    if (status == OCELOTL_OK)
        status = list_nodes(&find);
    free(find.busy);
    oc_text_free(&find.names);
    oc_row_nodes_place_folds(rows);
    return status;
}
