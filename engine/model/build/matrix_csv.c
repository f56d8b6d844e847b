/* Models from a matrix CSV.
 *
 * Whether a path is a leaf or an inner node is known only when the last row is read. So a node that
 * is given a value gets a leaf for its own values beside possible children at once, and that leaf
 * is dropped at the end where the node turns out to be a leaf itself. */
#define _GNU_SOURCE
#include "model/core/model.h"

#include "base/format/csv.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SLICES = 1000000 };

enum { PATH, TYPE, SLICE, VALUE, FIELD_COUNT }; /* of a row, in order */

typedef struct row_node {
    uint32_t parent;
    size_t name;    /* offset in names */
    uint32_t own;   /* the leaf for its own values, OCELOTL_NONE before it has any */
    bool own_leaf;  /* is such a leaf */
    bool in_a_path; /* some path names it or leads through it */
    bool has_children;
} row_node;

/* What the rows read so far have given. Names are kept in one text, each ended by '\0'. */
typedef struct given_rows {
    oc_csv *csv;
    oc_text names;
    oc_text step; /* the step of a path that is being looked up */
    row_node *nodes;
    size_t node_count, node_capacity;
    oc_map paths;  /* a whole path as written -> node */
    oc_map steps;  /* parent and name -> node */
    size_t *types; /* offsets in names */
    size_t type_count, type_capacity;
    oc_map type_numbers;
    oc_given_cell *cells; /* `leaf` is a node until the tree is known */
    size_t cell_count, cell_capacity;
    uint32_t slice_count;
} given_rows;

static ocelotl_status fail_row(const given_rows *rows, const char *what, const char *field,
                               const char *expected)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s:%" PRIu64 ": %s is %.200s, expected %s",
                   oc_csv_name(rows->csv), oc_csv_line(rows->csv), what,
                   field[0] != '\0' ? field : "empty", expected);
}

static ocelotl_status keep_name(given_rows *rows, size_t *offset, const char *name)
{
    *offset = rows->names.length;
    oc_text_add_utf8(&rows->names, name, strlen(name));
    oc_text_append(&rows->names, "", 1);
    return rows->names.failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status add_node(given_rows *rows, uint32_t *number, uint32_t parent,
                               const char *name, bool own_leaf)
{
    if (rows->node_count >= INT32_MAX)
        return oc_fail(OCELOTL_ERROR_LIMIT, "%s: more than 2^31 nodes", oc_csv_name(rows->csv));
    OC_TRY(oc_grow(&rows->nodes, &rows->node_capacity, rows->node_count + 1, sizeof *rows->nodes));
    row_node *node = &rows->nodes[rows->node_count];
    *node = (row_node){.parent = parent, .own = OCELOTL_NONE, .own_leaf = own_leaf};
    OC_TRY(keep_name(rows, &node->name, name));
    *number = (uint32_t)rows->node_count++;
    return OCELOTL_OK;
}

static ocelotl_status find_own_leaf(given_rows *rows, uint32_t *leaf, uint32_t node)
{
    *leaf = rows->nodes[node].own;
    if (*leaf != OCELOTL_NONE)
        return OCELOTL_OK;
    OC_TRY(add_node(rows, leaf, node, ".", true));
    rows->nodes[node].own = *leaf;
    return OCELOTL_OK;
}

/* Puts parent and decoded name into rows->step: the key of a child. */
static ocelotl_status decode_step(given_rows *rows, uint32_t parent, const char *step,
                                  size_t length)
{
    oc_text *key = &rows->step;
    oc_text_clear(key);
    oc_text_append(key, (const char *)&parent, sizeof parent);
    for (size_t i = 0; i < length; i++) {
        const bool escape = length - i >= 3 && step[i] == '%' && step[i + 1] == '2';
        const char *decoded = escape && strchr("Ff", step[i + 2]) != NULL ? "/"
                              : escape && step[i + 2] == '5'              ? "%"
                                                                          : NULL;
        oc_text_append(key, decoded != NULL ? decoded : step + i, 1);
        i += decoded != NULL ? 2 : 0;
    }
    return key->failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status find_child(given_rows *rows, uint32_t *child, uint32_t parent,
                                 const char *step, size_t length)
{
    OC_TRY(decode_step(rows, parent, step, length));
    const oc_text *key = &rows->step;
    *child = oc_map_get(&rows->steps, key->bytes, key->length);
    if (*child != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(add_node(rows, child, parent, key->bytes + sizeof parent, false));
    return oc_map_set(&rows->steps, key->bytes, key->length, *child);
}

static ocelotl_status walk_path(given_rows *rows, uint32_t *node, const char *path)
{
    *node = 0;
    for (const char *step = path; *path != '\0' && step != NULL;) {
        const char *end = strchr(step, '/');
        const size_t length = end != NULL ? (size_t)(end - step) : strlen(step);
        const uint32_t parent = *node;
        if (length == 0)
            return fail_row(rows, "path", path, "a name before and after every /");
        if (rows->nodes[parent].own_leaf)
            return fail_row(rows, "path", path,
                            "nothing below \".\", which holds a node's own values");
        if (length == 1 && step[0] == '.')
            OC_TRY(find_own_leaf(rows, node, parent));
        else
            OC_TRY(find_child(rows, node, parent, step, length));
        rows->nodes[*node].in_a_path = true;
        rows->nodes[parent].has_children = true;
        step = end != NULL ? end + 1 : NULL;
    }
    return OCELOTL_OK;
}

static ocelotl_status find_path(given_rows *rows, uint32_t *node, const char *path)
{
    const size_t length = strlen(path);
    *node = oc_map_get(&rows->paths, path, length);
    if (*node != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(walk_path(rows, node, path));
    return oc_map_set(&rows->paths, path, length, *node);
}

static ocelotl_status find_type(given_rows *rows, uint32_t *type, const char *name)
{
    const size_t length = strlen(name);
    *type = oc_map_get(&rows->type_numbers, name, length);
    if (*type != OC_MAP_NONE)
        return OCELOTL_OK;
    if (rows->type_count >= INT32_MAX)
        return oc_fail(OCELOTL_ERROR_LIMIT, "%s: more than 2^31 types", oc_csv_name(rows->csv));
    OC_TRY(oc_grow(&rows->types, &rows->type_capacity, rows->type_count + 1, sizeof *rows->types));
    OC_TRY(keep_name(rows, &rows->types[rows->type_count], name));
    *type = (uint32_t)rows->type_count++;
    return oc_map_set(&rows->type_numbers, name, length, *type);
}

static ocelotl_status read_slice(const given_rows *rows, uint32_t *slice)
{
    const char *text = oc_csv_field(rows->csv, SLICE);
    const char *digit = text;
    uint32_t number = 0;
    for (; *digit >= '0' && *digit <= '9' && number < MOST_SLICES; digit++)
        number = number * 10 + (uint32_t)(*digit - '0');
    if (digit == text || *digit != '\0' || number >= MOST_SLICES)
        return fail_row(rows, "slice", text, "a whole number from 0 to 999999");
    *slice = number;
    return OCELOTL_OK;
}

static ocelotl_status read_value(const given_rows *rows, double *value)
{
    const char *text = oc_csv_field(rows->csv, VALUE);
    char *end = NULL;
    const bool decimal = text[0] != '\0' && text[strspn(text, "0123456789+-.eE")] == '\0';
    const double number = decimal ? oc_plain_number(text, &end) : -1;
    if (!decimal || *end != '\0' || !(number >= 0) || isinf(number))
        return fail_row(rows, "value", text, "a finite number >= 0");
    *value = number;
    return OCELOTL_OK;
}

static ocelotl_status read_row(given_rows *rows)
{
    oc_given_cell cell;
    uint32_t own;
    if (oc_csv_field_count(rows->csv) != FIELD_COUNT)
        return oc_fail(
            OCELOTL_ERROR_INPUT, "%s:%" PRIu64 ": %zu fields, expected 4: path,type,slice,value",
            oc_csv_name(rows->csv), oc_csv_line(rows->csv), oc_csv_field_count(rows->csv));
    if (oc_csv_line(rows->csv) >= UINT32_MAX)
        return oc_fail(OCELOTL_ERROR_LIMIT, "%s: more than 2^32 - 2 lines", oc_csv_name(rows->csv));
    cell.line = (uint32_t)oc_csv_line(rows->csv);
    OC_TRY(read_slice(rows, &cell.slice));
    OC_TRY(read_value(rows, &cell.value));
    OC_TRY(find_path(rows, &cell.leaf, oc_csv_field(rows->csv, PATH)));
    OC_TRY(find_type(rows, &cell.type, oc_csv_field(rows->csv, TYPE)));
    if (cell.value > 0 && !rows->nodes[cell.leaf].own_leaf)
        OC_TRY(find_own_leaf(rows, &own, cell.leaf));
    if (cell.slice >= rows->slice_count)
        rows->slice_count = cell.slice + 1;
    OC_TRY(oc_grow(&rows->cells, &rows->cell_capacity, rows->cell_count + 1, sizeof *rows->cells));
    rows->cells[rows->cell_count++] = cell;
    return OCELOTL_OK;
}

static ocelotl_status check_header(const given_rows *rows, bool found)
{
    static const char *const expected[] = {"path", "type", "slice", "value"};
    if (!found)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: is empty, expected the header path,type,slice,value",
                       oc_csv_name(rows->csv));
    bool good = oc_csv_field_count(rows->csv) == FIELD_COUNT;
    for (size_t i = 0; good && i < FIELD_COUNT; i++)
        good = strcmp(oc_csv_field(rows->csv, i), expected[i]) == 0;
    if (!good)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s:%" PRIu64
                       ": a header of %zu fields that begins with \"%.60s\", expected the header "
                       "path,type,slice,value",
                       oc_csv_name(rows->csv), oc_csv_line(rows->csv),
                       oc_csv_field_count(rows->csv), oc_csv_field(rows->csv, 0));
    return OCELOTL_OK;
}

static ocelotl_status read_rows(given_rows *rows, const char *path)
{
    bool found;
    uint32_t root;
    OC_TRY(oc_csv_open(&rows->csv, path));
    OC_TRY(add_node(rows, &root, OCELOTL_ROOT, "", false));
    rows->nodes[root].in_a_path = true;
    OC_TRY(oc_csv_next(rows->csv, &found));
    OC_TRY(check_header(rows, found));
    for (;;) {
        OC_TRY(oc_csv_next(rows->csv, &found));
        if (!found)
            break;
        OC_TRY(read_row(rows));
    }
    if (rows->cell_count == 0)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: holds no cell, expected rows path,type,slice,value",
                       oc_csv_name(rows->csv));
    return OCELOTL_OK;
}

/* A leaf for own values is needed beside children only, or where a path asks for it. */
static bool is_kept(const given_rows *rows, const row_node *node)
{
    return node->in_a_path || rows->nodes[node->parent].has_children;
}

/* Lists the nodes that stay; places[node] is the place of each in the list. */
static uint32_t list_nodes(oc_given_node *given, uint32_t *places, const given_rows *rows)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < rows->node_count; i++) {
        const row_node *node = &rows->nodes[i];
        places[i] = OCELOTL_NONE;
        if (!is_kept(rows, node))
            continue;
        given[count] = (oc_given_node){
            .parent = node->parent == OCELOTL_ROOT ? OCELOTL_ROOT : places[node->parent],
            .name = rows->names.bytes + node->name,
            .source = OCELOTL_NONE,
            .own_leaf = node->own_leaf};
        places[i] = count++;
    }
    return count;
}

/* The node that holds the values given to `node`. */
static uint32_t holder(const given_rows *rows, uint32_t node)
{
    const row_node *given = &rows->nodes[node];
    return given->has_children && given->own != OCELOTL_NONE ? given->own : node;
}

/* The file's name without folders and suffixes. */
static ocelotl_status name_model(ocelotl_model *model, const char *path)
{
    static const char *const compressed[] = {".gz", ".zst"};
    const char *slash = strrchr(path, '/');
    OC_TRY(oc_copy_text(&model->name, slash != NULL ? slash + 1 : path));
    char *dot = strrchr(model->name, '.');
    for (size_t i = 0; i < sizeof compressed / sizeof compressed[0]; i++)
        if (dot != NULL && dot > model->name && strcmp(dot, compressed[i]) == 0)
            *dot = '\0';
    dot = strrchr(model->name, '.');
    if (dot != NULL && dot > model->name)
        *dot = '\0';
    return OCELOTL_OK;
}

/* Notes a last line that has no end: its value may be half of one. */
static ocelotl_status note_open(ocelotl_model *model, const given_rows *rows)
{
    oc_text reason = {0};
    if (!oc_csv_is_open(rows->csv))
        return OCELOTL_OK;
    oc_text_format(&reason, "%s:%" PRIu64 ": the last line has no end (it may be cut)",
                   oc_csv_name(rows->csv), oc_csv_line(rows->csv));
    return oc_text_give(&model->values_reason, &reason);
}

static ocelotl_status fill(ocelotl_model *model, given_rows *rows, const uint32_t *places,
                           const uint32_t *numbers)
{
    OC_TRY(name_model(model, oc_csv_name(rows->csv)));
    OC_TRY(note_open(model, rows));
    for (size_t x = 0; x < rows->type_count; x++)
        OC_TRY(oc_model_add_type(model, rows->names.bytes + rows->types[x], -1, false));
    model->slices_wanted = rows->slice_count;
    /* Moves cells from nodes to leaves. A 0 given to an inner node without values of its own
     * declares nothing; it keeps a number behind all leaves, so that a second one is found. */
    for (size_t i = 0; i < rows->cell_count; i++) {
        oc_given_cell *cell = &rows->cells[i];
        const uint32_t node = numbers[places[holder(rows, cell->leaf)]];
        cell->leaf = oc_tree_is_leaf(&model->matrix.tree, node)
                         ? model->matrix.tree.leaf_first[node]
                         : model->matrix.tree.leaf_count[0] + node;
    }
    oc_twice twice = {0};
    const ocelotl_status status =
        oc_model_set_cells(model, &twice, rows->slice_count, rows->cells, rows->cell_count);
    if (status != OCELOTL_ERROR_INPUT)
        return status;
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "%s:%" PRIu32 ": the cell is given twice, first in line %" PRIu32,
                   oc_csv_name(rows->csv), twice.second, twice.first);
}

static ocelotl_status build(ocelotl_model **model, oc_arena *arena, given_rows *rows)
{
    oc_given_node *given;
    uint32_t *places;
    uint32_t *numbers;
    OC_TRY(oc_arena_allocate(&given, arena, rows->node_count, sizeof *given));
    OC_TRY(oc_arena_allocate(&places, arena, rows->node_count, sizeof *places));
    OC_TRY(oc_arena_allocate(&numbers, arena, rows->node_count, sizeof *numbers));
    OC_TRY(oc_model_begin(model, numbers, given, list_nodes(given, places, rows)));
    return fill(*model, rows, places, numbers);
}

ocelotl_status ocelotl_model_from_csv(ocelotl_model **model, const char *path)
{
    given_rows rows = {0};
    oc_arena arena = {0};
    ocelotl_model *made = NULL;
    ocelotl_status status = read_rows(&rows, path);
    if (status == OCELOTL_OK)
        status = build(&made, &arena, &rows);
    oc_csv_free(rows.csv);
    oc_text_free(&rows.names);
    oc_text_free(&rows.step);
    oc_map_free(&rows.paths);
    oc_map_free(&rows.steps);
    oc_map_free(&rows.type_numbers);
    free(rows.nodes);
    free(rows.types);
    free(rows.cells);
    oc_arena_free(&arena);
    if (status != OCELOTL_OK)
        ocelotl_model_free(made);
    else
        *model = made;
    return status;
}
