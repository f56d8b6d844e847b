/* A model as bytes and back: a head with a version and a checksum, then numbers as base/text.h
 * writes them. One walk over a model writes it, or reads it: what is read is checked as if the
 * checksum proved nothing. */
#include "model/core/model.h"

#include "base/file/digest.h"
#include "base/file/sink.h"
#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The head: the magic word, the version, and the checksum of all that follows. */
static const char magic[] = {'o', 'c', 'e', 'l', 'o', 't', 'l', 'M'};
enum { VERSION = 3, HEAD = sizeof magic + 4 + 8 };

/* Which way a walk goes: what it walks over is written, or filled. */
typedef struct coder {
    oc_text *to;           /* NULL: it reads */
    oc_bytes_reader *from; /* NULL: it writes */
} coder;

static ocelotl_status fail_damaged(const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "the bytes of a model are damaged: %s", what);
}

/* What is written is sound. */
static ocelotl_status check(const coder *with, bool sound, const char *what)
{
    return with->from == NULL || (sound && !with->from->failed) ? OCELOTL_OK : fail_damaged(what);
}

/* Makes room for what is read. */
static ocelotl_status make_room(void *memory, const coder *with, size_t count, size_t size)
{
    return with->from != NULL ? oc_allocate(memory, count, size) : OCELOTL_OK;
}

/* --- Numbers and texts */

static void code_flag(const coder *with, bool *flag)
{
    if (with->to != NULL) {
        oc_bytes_add_unsigned(with->to, *flag);
        return;
    }
    const uint64_t read = oc_bytes_unsigned(with->from);
    with->from->failed = with->from->failed || read > 1;
    *flag = read == 1;
}

static void code_index(const coder *with, uint32_t *number)
{
    if (with->to != NULL)
        oc_bytes_add_unsigned(with->to, *number);
    else
        *number = oc_bytes_index(with->from);
}

/* What counts following items of at least a byte each. */
static void code_count(const coder *with, size_t *count)
{
    if (with->to != NULL)
        oc_bytes_add_unsigned(with->to, *count);
    else
        *count = oc_bytes_count(with->from);
}

static void code_signed(const coder *with, int64_t *number)
{
    if (with->to != NULL)
        oc_bytes_add_signed(with->to, *number);
    else
        *number = oc_bytes_signed(with->from);
}

static void code_double(const coder *with, double *number)
{
    if (with->to != NULL)
        oc_bytes_add_double(with->to, *number);
    else
        *number = oc_bytes_double(with->from);
}

/* A text that may be NULL. */
static ocelotl_status code_text(const coder *with, char **text)
{
    bool there = with->to != NULL && *text != NULL;
    size_t length = there ? strlen(*text) : 0;
    code_flag(with, &there);
    if (!there)
        return OCELOTL_OK;
    code_count(with, &length);
    if (with->to != NULL) {
        oc_text_append(with->to, *text, length);
        return OCELOTL_OK;
    }
    char *copy;
    const char *bytes = oc_bytes_block(with->from, length);
    OC_TRY(check(with, bytes != NULL, "a text ends too early"));
    OC_TRY(oc_allocate(&copy, length + 1, 1));
    memcpy(copy, bytes, length);
    const ocelotl_status status =
        strlen(copy) == length ? oc_copy_utf8(text, copy) : fail_damaged("a text has a zero in it");
    free(copy);
    return status;
}

/* A text that must be there. */
static ocelotl_status code_name(const coder *with, char **name)
{
    OC_TRY(code_text(with, name));
    return *name != NULL ? OCELOTL_OK : fail_damaged("a name is missing");
}

static ocelotl_status code_colour(const coder *with, int32_t *colour)
{
    int64_t number = *colour;
    code_signed(with, &number);
    *colour = (int32_t)number;
    return check(with, number >= -1 && number <= 0xFFFFFF, "a colour is none");
}

/* --- The hierarchy */

/* A parent is told as steps back: in preorder it is the node before, or one above it. */
static ocelotl_status code_parent(const coder *with, uint32_t *parent, uint32_t k)
{
    uint32_t back = with->to != NULL ? k - parent[k] : 0;
    uint32_t above = k - 1;
    code_index(with, &back);
    if (with->to != NULL)
        return OCELOTL_OK;
    const uint32_t wanted = back >= 1 && back <= k ? k - back : k;
    while (above != wanted && above != OCELOTL_ROOT)
        above = parent[above];
    parent[k] = above;
    return check(with, above != OCELOTL_ROOT, "a node has no parent before it");
}

/* The same of one that the tree of a model keeps. */
static ocelotl_status code_kept(const coder *with, ocelotl_model *model, const char **name)
{
    char *text = with->to != NULL ? (char *)*name : NULL;
    OC_TRY(code_name(with, &text));
    if (with->to != NULL)
        return OCELOTL_OK;
    *name = oc_arena_copy(&model->tree_arena, text);
    free(text);
    return oc_arena_status(&model->tree_arena);
}

static ocelotl_status code_node(const coder *with, ocelotl_model *model, uint32_t k)
{
    oc_model_node *node = &model->nodes[k];
    if (k > 0)
        OC_TRY(code_parent(with, model->matrix.tree.parent, k));
    else if (with->from != NULL)
        model->matrix.tree.parent[k] = OCELOTL_ROOT;
    OC_TRY(code_kept(with, model, &node->name));
    OC_TRY(code_kept(with, model, &node->path));
    OC_TRY(code_kept(with, model, &node->kind));
    code_index(with, &node->source);
    code_index(with, &node->depth);
    code_double(with, &node->begin);
    code_double(with, &node->end);
    code_flag(with, &node->alike);
    const bool lives =
        node->begin >= 0 && node->begin <= node->end && node->end <= model->matrix.slice_count;
    return check(with, lives && node->depth <= k, "a node lives outside the slices");
}

/* Nodes, and how many resources each leaf stands for. */
static ocelotl_status code_nodes(const coder *with, ocelotl_model *model)
{
    oc_tree *tree = &model->matrix.tree;
    size_t count = tree->node_count;
    bool weighs = tree->weight_before != NULL;
    code_count(with, &count);
    OC_TRY(check(with, count > 0 && count < UINT32_MAX, "it has no nodes"));
    if (with->from != NULL)
        OC_TRY(oc_model_allocate_tree(model, (uint32_t)count));
    for (uint32_t k = 0; k < count; k++)
        OC_TRY(code_node(with, model, k));
    if (with->from != NULL)
        oc_tree_measure(tree);
    code_flag(with, &weighs);
    if (!weighs)
        return OCELOTL_OK;
    OC_TRY(make_room(&tree->weight_before, with, (size_t)tree->leaf_count[0] + 1,
                     sizeof *tree->weight_before));
    for (uint32_t leaf = 0; leaf < tree->leaf_count[0]; leaf++) {
        uint32_t *before = &tree->weight_before[leaf];
        uint32_t weight = before[1] - before[0];
        code_index(with, &weight);
        OC_TRY(check(with, weight > 0 && weight <= UINT32_MAX - before[0],
                     "a leaf stands for nothing, or too much"));
        if (with->from != NULL)
            before[1] = before[0] + weight;
    }
    return OCELOTL_OK;
}

/* --- Types */

static ocelotl_status code_type(const coder *with, oc_model_type *type)
{
    oc_spelling *spelling = &type->spelling;
    OC_TRY(code_name(with, &type->name));
    OC_TRY(code_text(with, &spelling->full));
    const size_t length = spelling->full != NULL ? strlen(spelling->full) : 0;
    code_index(with, &spelling->place);
    code_index(with, &spelling->type);
    code_index(with, &spelling->name);
    OC_TRY(check(with,
                 spelling->place <= length && spelling->type <= length && spelling->name <= length,
                 "a spelling of a type is too short"));
    OC_TRY(code_colour(with, &type->colour));
    code_flag(with, &type->untraced);
    code_double(with, &type->low);
    code_double(with, &type->high);
    code_double(with, &type->scale);
    code_double(with, &type->offset);
    return OCELOTL_OK;
}

/* --- Cells */

static bool follows(const oc_series *before, const oc_series *series)
{
    return before->leaf < series->leaf ||
           (before->leaf == series->leaf && before->type < series->type);
}

/* Cells of a matrix are positive; what is drawn may be any number. */
static ocelotl_status code_series(const coder *with, oc_cells *cells, size_t s,
                                  const oc_matrix *matrix, bool positive)
{
    oc_series *series = &cells->series[s];
    size_t count = with->to != NULL ? series[1].first - series->first : 0;
    code_index(with, &series->leaf);
    code_index(with, &series->type);
    code_count(with, &count);
    const size_t end = series->first + count;
    OC_TRY(check(with,
                 count > 0 && count <= cells->count - series->first &&
                     series->leaf < matrix->tree.leaf_count[0] &&
                     series->type < matrix->type_count && (s == 0 || follows(series - 1, series)),
                 "a series is none of the model, or out of order"));
    for (size_t c = series->first; c < end; c++) {
        code_index(with, &cells->slice[c]);
        code_double(with, &cells->value[c]);
        OC_TRY(check(with,
                     cells->slice[c] < matrix->slice_count &&
                         (c == series->first || cells->slice[c] > cells->slice[c - 1]),
                     "a cell is in no slice, or out of order"));
        OC_TRY(check(with, isfinite(cells->value[c]) && (!positive || cells->value[c] > 0),
                     "a cell holds no number that it can"));
    }
    if (with->from != NULL)
        series[1].first = end;
    return OCELOTL_OK;
}

static ocelotl_status code_cells(const coder *with, oc_cells *cells, const oc_matrix *matrix,
                                 bool positive)
{
    bool there = cells->series != NULL;
    code_flag(with, &there);
    if (!there)
        return OCELOTL_OK;
    code_count(with, &cells->count);
    code_count(with, &cells->series_count);
    OC_TRY(make_room(&cells->series, with, cells->series_count + 1, sizeof *cells->series));
    OC_TRY(make_room(&cells->slice, with, cells->count, sizeof *cells->slice));
    OC_TRY(make_room(&cells->value, with, cells->count, sizeof *cells->value));
    for (size_t s = 0; s < cells->series_count; s++)
        OC_TRY(code_series(with, cells, s, matrix, positive));
    oc_series *last = &cells->series[cells->series_count];
    if (with->from != NULL)
        last->leaf = matrix->tree.leaf_count[0];
    return check(with, last->first == cells->count, "it has fewer cells than it says");
}

static ocelotl_status code_losses(const coder *with, double **losses, size_t count)
{
    OC_TRY(check(with,
                 with->from == NULL ||
                     count <= (size_t)(with->from->end - with->from->next) / sizeof(double),
                 "losses are missing"));
    OC_TRY(make_room(losses, with, count, sizeof **losses));
    for (size_t i = 0; i < count; i++) {
        code_double(with, &(*losses)[i]);
        OC_TRY(check(with, isfinite((*losses)[i]), "a loss is no number"));
    }
    return OCELOTL_OK;
}

static ocelotl_status code_matrix(const coder *with, ocelotl_model *model)
{
    oc_matrix *matrix = &model->matrix;
    oc_cells cells = oc_cells_of(matrix);
    bool loses = matrix->cell_loss != NULL;
    const ocelotl_status status = code_cells(with, &cells, matrix, true);
    oc_cells_give(matrix, &cells);
    OC_TRY(status);
    code_flag(with, &loses);
    if (loses) {
        OC_TRY(code_losses(with, &matrix->cell_loss, matrix->cell_count));
        OC_TRY(code_losses(with, &matrix->series_loss, matrix->series_count));
    }
    OC_TRY(check(with, loses || matrix->tree.weight_before == NULL || matrix->cell_count == 0,
                 "merged leaves have no losses"));
    return code_cells(with, &model->drawn, matrix, false);
}

/* --- What captions and axes say */

/* Pieces follow each other in time and in slices. */
static ocelotl_status code_pieces(const coder *with, ocelotl_model *model)
{
    size_t count = model->piece_count;
    uint32_t slices = 0;
    code_count(with, &count);
    OC_TRY(check(with, count <= model->matrix.slice_count, "it has too many pieces"));
    OC_TRY(make_room(&model->pieces, with, count, sizeof *model->pieces));
    model->piece_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        ocelotl_piece *piece = &model->pieces[i];
        code_double(with, &piece->begin);
        code_double(with, &piece->end);
        code_signed(with, &piece->from);
        code_signed(with, &piece->to);
        code_index(with, &piece->first);
        code_index(with, &piece->slices);
        OC_TRY(check(with,
                     isfinite(piece->begin) && isfinite(piece->end) && piece->from < piece->to &&
                         piece->begin < piece->end && piece->first == slices &&
                         piece->slices - 1 < model->matrix.slice_count - slices &&
                         (i == 0 || (piece[-1].to <= piece->from && piece[-1].end <= piece->begin)),
                     "its pieces do not follow each other"));
        slices += piece->slices;
    }
    return check(with, count == 0 || slices == model->matrix.slice_count,
                 "its pieces are not its window");
}

static ocelotl_status code_info(const coder *with, ocelotl_model *model)
{
    char **const texts[] = {&model->name,     &model->uid,           &model->state_type,
                            &model->metric,   &model->slices_reason, &model->values_reason,
                            &model->filters,  &model->unit,          &model->caption,
                            &model->grouping, &model->hierarchy,     &model->types_reason,
                            &model->choices,  &model->steps};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        OC_TRY(code_text(with, texts[i]));
    code_flag(with, &model->has_time);
    code_flag(with, &model->zoomed);
    code_flag(with, &model->empty);
    code_double(with, &model->begin);
    code_double(with, &model->end);
    code_double(with, &model->trace_begin);
    code_double(with, &model->trace_end);
    code_signed(with, &model->from);
    code_signed(with, &model->to);
    OC_TRY(check(with,
                 !model->has_time || (model->from < model->to && isfinite(model->begin) &&
                                      isfinite(model->end) && model->begin < model->end),
                 "its window does not last"));
    OC_TRY(code_pieces(with, model));
    uint32_t nesting = model->nesting;
    uint32_t untraced = model->untraced;
    uint32_t drawing = model->drawing;
    uint32_t *const numbers[] = {&model->slices_wanted,
                                 &model->leaves_left_out,
                                 &nesting,
                                 &model->nesting_depth,
                                 &untraced,
                                 &model->compared_types,
                                 &drawing,
                                 &model->type_level};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        code_index(with, numbers[i]);
    OC_TRY(check(with,
                 nesting <= OCELOTL_INCLUSIVE && untraced <= OCELOTL_UNTRACED_IGNORE &&
                     drawing <= OC_DRAW_LARGEST &&
                     2 * (uint64_t)model->compared_types <= model->type_count,
                 "it says what no model is"));
    model->nesting = (ocelotl_nesting)nesting;
    model->untraced = (ocelotl_untraced)untraced;
    model->drawing = (oc_part_value)drawing;
    size_t count = model->resource_count;
    code_count(with, &count);
    OC_TRY(check(with, count <= UINT32_MAX, "it has too many resources"));
    OC_TRY(make_room(&model->resources, with, count, sizeof *model->resources));
    model->resource_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        OC_TRY(code_name(with, &model->resources[i]));
    return OCELOTL_OK;
}

static ocelotl_status code_type_names(const coder *with, ocelotl_model *model)
{
    bool there = model->type_names != NULL;
    size_t count = ocelotl_type_names_count(model->type_names);
    code_flag(with, &there);
    code_count(with, &count);
    OC_TRY(check(with, there || count == 0, "names of types are nowhere"));
    if (there && with->from != NULL)
        OC_TRY(oc_type_names_begin(&model->type_names));
    for (size_t i = 0; i < count; i++) {
        ocelotl_type_name one = ocelotl_type_names_at(model->type_names, (uint32_t)i);
        char *name = with->to != NULL ? (char *)one.name : NULL;
        OC_TRY(code_name(with, &name));
        ocelotl_status status = code_colour(with, &one.colour);
        code_index(with, &one.types);
        if (with->from != NULL) {
            one.name = name;
            if (status == OCELOTL_OK)
                status = oc_type_names_append(model->type_names, &one);
            free(name);
        }
        OC_TRY(status);
    }
    return OCELOTL_OK;
}

/* --- All of it */

static ocelotl_status code_model(const coder *with, ocelotl_model *model)
{
    code_index(with, &model->matrix.slice_count);
    code_index(with, &model->matrix.type_count);
    OC_TRY(check(with, model->matrix.slice_count > 0, "it has no slices"));
    OC_TRY(code_nodes(with, model));
    size_t count = model->type_count;
    code_count(with, &count);
    OC_TRY(check(with, count <= model->matrix.type_count, "it has more types than its matrix"));
    OC_TRY(make_room(&model->types, with, count, sizeof *model->types));
    model->type_count = (uint32_t)count; /* a half of one is freed with the others */
    for (size_t x = 0; x < count; x++)
        OC_TRY(code_type(with, &model->types[x]));
    OC_TRY(code_matrix(with, model));
    OC_TRY(code_info(with, model));
    OC_TRY(code_type_names(with, model));
    return check(with, true, "it ends too early");
}

/* Which leaves of the trace each leaf stands for; their paths are the trace's. */
static ocelotl_status code_origin_leaves(const coder *with, ocelotl_model *model)
{
    const uint32_t leaves = model->matrix.tree.leaf_count[0];
    const oc_tree *tree = &model->origin->matrix.tree;
    uint32_t *first = model->origin_first;
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
        uint32_t count = first[leaf + 1] - first[leaf];
        code_index(with, &count);
        OC_TRY(check(with, count <= tree->leaf_count[0] - first[leaf],
                     "a leaf stands for more resources than exist"));
        if (with->from != NULL)
            first[leaf + 1] = first[leaf] + count;
    }
    OC_TRY(make_room(&model->origin_leaves, with, first[leaves], sizeof *model->origin_leaves));
    OC_TRY(make_room(&model->origin_paths, with, first[leaves], sizeof *model->origin_paths));
    for (uint32_t i = 0; i < first[leaves]; i++) {
        code_index(with, &model->origin_leaves[i]);
        OC_TRY(check(with, model->origin_leaves[i] < tree->leaf_count[0],
                     "a leaf stands for a resource that does not exist"));
    }
    if (with->from == NULL)
        return OCELOTL_OK;
    const char **paths;
    OC_TRY(oc_allocate(&paths, tree->leaf_count[0], sizeof *paths));
    for (uint32_t k = 0; k < tree->node_count; k++)
        if (oc_tree_is_leaf(tree, k))
            paths[tree->leaf_first[k]] = model->origin->nodes[k].path;
    for (uint32_t i = 0; i < first[leaves]; i++)
        model->origin_paths[i] = paths[model->origin_leaves[i]];
    free(paths);
    return OCELOTL_OK;
}

static ocelotl_status code_all(const coder *with, ocelotl_model *model)
{
    OC_TRY(code_model(with, model));
    const uint64_t types = model->type_count;
    bool changed = model->origin != NULL;
    OC_TRY(check(with, model->matrix.series != NULL, "it has no matrix"));
    OC_TRY(check(with, model->matrix.type_count == types || model->matrix.type_count == 2 * types,
                 "its matrix has types that it has not"));
    code_flag(with, &changed);
    if (changed) {
        OC_TRY(make_room(&model->origin, with, 1, sizeof *model->origin));
        OC_TRY(code_model(with, model->origin));
        OC_TRY(make_room(&model->origin_first, with, (size_t)model->matrix.tree.leaf_count[0] + 1,
                         sizeof *model->origin_first));
        OC_TRY(code_origin_leaves(with, model));
    }
    return check(with, with->from == NULL || with->from->next == with->from->end,
                 "it ends where it should not");
}

ocelotl_status ocelotl_model_to_bytes(const ocelotl_sink *sink, const ocelotl_model *model)
{
    ocelotl_model same = *model;
    ocelotl_model origin;
    oc_text head = {0};
    oc_text body = {0};
    if (same.origin != NULL) {
        origin = *same.origin;
        same.origin = &origin;
    }
    ocelotl_status status = code_all(&(coder){.to = &body}, &same);
    if (status == OCELOTL_OK && body.failed)
        status = oc_fail_memory();
    if (status == OCELOTL_OK) {
        oc_text_append(&head, magic, sizeof magic);
        oc_bytes_add_word(&head, VERSION, 4);
        oc_bytes_add_word(&head, oc_checksum(body.bytes, body.length, VERSION), 8);
        status = head.failed ? oc_fail_memory() : oc_sink_write(sink, head.bytes, head.length);
    }
    if (status == OCELOTL_OK)
        status = oc_sink_write(sink, body.bytes, body.length);
    oc_text_free(&head);
    oc_text_free(&body);
    return status;
}

static uint64_t word_at(const unsigned char *from, int count)
{
    uint64_t number = 0;
    for (int i = count; i-- > 0;)
        number = number << 8 | from[i];
    return number;
}

ocelotl_status ocelotl_model_from_bytes(ocelotl_model **model, const void *bytes, size_t size)
{
    const unsigned char *head = bytes;
    if (size < HEAD || memcmp(head, magic, sizeof magic) != 0)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "these are no bytes of a model, expected what ocelotl_model_to_bytes gives");
    const uint64_t version = word_at(head + sizeof magic, 4);
    if (version != VERSION)
        return oc_fail(OCELOTL_ERROR_INPUT, "the bytes of a model are of version %llu, expected %d",
                       (unsigned long long)version, VERSION);
    if (word_at(head + sizeof magic + 4, 8) != oc_checksum(head + HEAD, size - HEAD, VERSION))
        return fail_damaged("their checksum is another");
    oc_bytes_reader from = oc_bytes_read(head + HEAD, size - HEAD);
    ocelotl_model *made;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    const ocelotl_status status = code_all(&(coder){.from = &from}, made);
    if (status == OCELOTL_OK)
        *model = made;
    else
        ocelotl_model_free(made);
    return status;
}
