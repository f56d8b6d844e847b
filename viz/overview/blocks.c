/* Visual aggregation (thesis 6.4.4), as parts can be cut: between two cuts in time that all leaves
 * of a node share, either one part covers the node, or every part lies in one of its children. */
#include "viz/overview/views.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Siblings that follow one another, as a range of nodes in preorder, over a range of spans. */
typedef struct strip {
    uint32_t begin, end;
    uint32_t first, after;
    bool low; /* its nodes are too low to be drawn on their own; else it is one node */
} strip;

/* A span lasts from one slice where any part begins to the next; time is counted in spans here. */
typedef struct finder {
    const oc_overview *overview;
    oc_drawn_blocks *blocks;
    uint32_t *span_of; /* of each visible slice */
    uint32_t *starts;  /* of each span, a slice; and where the last one ends */
    uint32_t span_count;
    uint32_t *after;    /* of each node, the node after all below it */
    size_t *parts;      /* by node, then in the order given */
    size_t *part_begin; /* of each node in `parts`, and where the last one ends */
    size_t *next;       /* of each node, its first part that is in no block yet */
    /* of each node, its row of `joined`; OCELOTL_NONE if no part is below */
    uint32_t *rows;
    /* a bit for each span: a part below the node lasts on from the span before */
    uint64_t *joined;
    uint64_t *together; /* the same, of a strip */
    size_t words;       /* of a row */
    strip *strips;      /* strips to do, the next one last */
    size_t strip_count, strip_capacity;
} finder;

static const ocelotl_part *part_at(const finder *find, size_t index)
{
    return &find->overview->input->parts[index];
}

static uint32_t end_slice(const oc_visible *visible)
{
    return visible->slice_first + visible->slice_count;
}

/* The spans of a part that are visible. */
static bool spans_of(uint32_t *first, uint32_t *after, const finder *find, const ocelotl_part *part)
{
    const oc_visible *visible = &find->overview->visible;
    if (part->last < visible->slice_first || part->first >= end_slice(visible))
        return false;
    *first =
        part->first <= visible->slice_first ? 0 : find->span_of[part->first - visible->slice_first];
    *after = (uint64_t)part->last + 1 >= end_slice(visible)
                 ? find->span_count
                 : find->span_of[part->last + 1 - visible->slice_first];
    return true;
}

static ocelotl_status find_spans(finder *find)
{
    const oc_visible *visible = &find->overview->visible;
    const size_t part_count = find->overview->input->partition.part_count;
    OC_TRY(oc_allocate(&find->span_of, (size_t)visible->slice_count + 1, sizeof *find->span_of));
    OC_TRY(oc_allocate(&find->starts, (size_t)visible->slice_count + 1, sizeof *find->starts));
    for (size_t i = 0; i < part_count; i++) {
        const ocelotl_part *part = part_at(find, i);
        if (part->first > visible->slice_first && part->first < end_slice(visible))
            find->span_of[part->first - visible->slice_first] = 1;
        if (part->last >= visible->slice_first && part->last < end_slice(visible))
            find->span_of[part->last + 1 - visible->slice_first] = 1;
    }
    find->starts[0] = visible->slice_first;
    for (uint32_t i = 1; i < visible->slice_count; i++) {
        if (find->span_of[i] != 0)
            find->starts[++find->span_count] = visible->slice_first + i;
        find->span_of[i] = find->span_count;
    }
    find->span_of[0] = 0;
    find->starts[++find->span_count] = end_slice(visible);
    find->words = (size_t)find->span_count / 64 + 1;
    return OCELOTL_OK;
}

static ocelotl_status sort_parts(finder *find)
{
    const uint32_t node_count = find->overview->model.node_count;
    const size_t part_count = find->overview->input->partition.part_count;
    OC_TRY(oc_allocate(&find->parts, part_count, sizeof *find->parts));
    OC_TRY(oc_allocate(&find->part_begin, (size_t)node_count + 2, sizeof *find->part_begin));
    OC_TRY(oc_allocate(&find->next, node_count, sizeof *find->next));
    for (size_t i = 0; i < part_count; i++)
        find->part_begin[part_at(find, i)->node + 2]++;
    for (uint32_t i = 0; i < node_count; i++)
        find->part_begin[i + 2] += find->part_begin[i + 1];
    for (size_t i = 0; i < part_count; i++)
        find->parts[find->part_begin[part_at(find, i)->node + 1]++] = i;
    for (uint32_t i = 0; i < node_count; i++)
        find->next[i] = find->part_begin[i];
    return OCELOTL_OK;
}

/* Nodes without parts take no memory: a temporal partition may have a million slices, and parts of
 * one node alone. */
static ocelotl_status give_rows(finder *find)
{
    const uint32_t count = find->overview->model.node_count;
    uint32_t used = 0;
    OC_TRY(oc_allocate(&find->rows, count, sizeof *find->rows));
    for (uint32_t i = 0; i < count; i++)
        find->rows[i] =
            find->part_begin[find->after[i]] > find->part_begin[i] ? used++ : OCELOTL_NONE;
    OC_TRY(oc_allocate(&find->joined, (size_t)used * find->words, sizeof *find->joined));
    return oc_allocate(&find->together, find->words, sizeof *find->together);
}

static uint64_t *row_of(const finder *find, uint32_t node)
{
    return find->rows[node] == OCELOTL_NONE ? NULL
                                            : find->joined + (size_t)find->rows[node] * find->words;
}

static void set_bits(uint64_t *row, uint32_t begin, uint32_t end)
{
    for (uint32_t at = begin; at < end;) {
        const uint32_t length = 64 - at % 64 < end - at ? 64 - at % 64 : end - at;
        row[at / 64] |= (length == 64 ? UINT64_MAX : (((uint64_t)1 << length) - 1)) << at % 64;
        at += length;
    }
}

static void add_row(uint64_t *to, const uint64_t *from, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        to[i] |= from[i];
}

static void join_spans(finder *find)
{
    uint32_t first, after;
    for (uint32_t node = find->overview->model.node_count; node-- > 0;) {
        const uint32_t parent = ocelotl_model_node_at(find->overview->input->model, node).parent;
        uint64_t *row = row_of(find, node);
        if (row == NULL)
            continue;
        for (size_t i = find->part_begin[node]; i < find->part_begin[node + 1]; i++)
            if (spans_of(&first, &after, find, part_at(find, find->parts[i])))
                set_bits(row, first + 1, after);
        if (parent < node)
            add_row(row_of(find, parent), row, 0, find->words);
    }
}

/* Finds the end of the spans from one on that no cut through the whole strip divides. */
static uint32_t next_cut(const uint64_t *row, uint32_t from, uint32_t after)
{
    uint32_t at = from + 1;
    while (at < after && (row[at / 64] >> at % 64 & 1) != 0)
        at++;
    return at;
}

static double width_of(const finder *find, uint32_t first, uint32_t after)
{
    const oc_overview *overview = find->overview;
    return ((double)find->starts[after] - find->starts[first]) / overview->visible.slice_count *
           overview->frame.width;
}

static uint32_t visible_rows(uint32_t *first, const finder *find, uint32_t begin, uint32_t end)
{
    const oc_visible *visible = &find->overview->visible;
    const ocelotl_node top = ocelotl_model_node_at(find->overview->input->model, begin);
    const ocelotl_node bottom = ocelotl_model_node_at(find->overview->input->model, end - 1);
    const uint64_t least = top.row_first > visible->row_first ? top.row_first : visible->row_first;
    const uint64_t end_row = (uint64_t)visible->row_first + visible->row_count;
    const uint64_t own_end = (uint64_t)bottom.row_first + bottom.row_count;
    const uint64_t most = own_end < end_row ? own_end : end_row;
    *first = (uint32_t)least;
    return most > least ? (uint32_t)(most - least) : 0;
}

static bool is_low(const finder *find, uint32_t first, uint32_t rows)
{
    const oc_overview *overview = find->overview;
    return oc_overview_height(overview, first, rows) < overview->picture->smallest;
}

static ocelotl_status push(finder *find, const strip *next)
{
    OC_TRY(oc_grow(&find->strips, &find->strip_capacity, find->strip_count + 1, sizeof *next));
    find->strips[find->strip_count++] = *next;
    return OCELOTL_OK;
}

static double times_logarithm(double x)
{
    return x > 0 ? x * log2(x) : 0;
}

/* The sum of v log v over the cells of a part: what its gain leaves of X log X. */
static double held_of(const finder *find, const ocelotl_part *part)
{
    double sum = -part->gain;
    for (uint32_t type = 0; type < find->blocks->type_count; type++)
        sum += times_logarithm(part->shares[type] * oc_part_cells(part));
    return sum;
}

static void add_part(finder *find, oc_drawn_block *block, size_t index)
{
    const ocelotl_part *part = part_at(find, index);
    const uint32_t first = part->first > block->first ? part->first : block->first;
    const uint32_t last = part->last < block->last ? part->last : block->last;
    const double cells = (double)part->leaves * ((double)last - first + 1);
    if (block->parts++ == 0)
        block->part = index;
    block->cut_in_time = block->cut_in_time || first != block->first || last != block->last;
    block->gain += part->gain;
    block->loss += part->loss;
    block->held += held_of(find, part) * (cells / oc_part_cells(part));
    for (uint32_t type = 0; type < find->blocks->type_count; type++)
        find->blocks->shares[block->shares + type] += part->shares[type] * cells;
}

static ocelotl_status open_block(finder *find, oc_drawn_block **block)
{
    oc_drawn_blocks *blocks = find->blocks;
    OC_TRY(oc_grow(&blocks->blocks, &blocks->capacity, blocks->count + 1, sizeof **block));
    OC_TRY(oc_grow(&blocks->shares, &blocks->share_capacity,
                   blocks->share_count + blocks->type_count, sizeof *blocks->shares));
    *block = &blocks->blocks[blocks->count];
    **block = (oc_drawn_block){.shares = blocks->share_count};
    for (uint32_t type = 0; type < blocks->type_count; type++)
        blocks->shares[blocks->share_count + type] = 0;
    return OCELOTL_OK;
}

/* The shares of several parts are kept; a single part has its own. */
static void close_block(finder *find, const strip *of, oc_drawn_block *block)
{
    oc_drawn_blocks *blocks = find->blocks;
    const double cells = (double)block->row_count * ((double)block->last - block->first + 1);
    if (block->parts == 0 || block->row_count == 0)
        return;
    blocks->count++;
    if (block->parts == 1) {
        block->node = part_at(find, block->part)->node;
        block->top = block->node;
        block->cut_in_time = false;
        return;
    }
    if (find->after[of->begin] != of->end)
        block->node = ocelotl_model_node_at(find->overview->input->model, of->begin).parent;
    for (uint32_t type = 0; type < blocks->type_count; type++)
        blocks->shares[block->shares + type] /= cells;
    blocks->share_count += blocks->type_count;
    blocks->aggregated += block->parts;
    blocks->same_cuts += !block->cut_in_time;
    blocks->different_cuts += block->cut_in_time;
}

/* Makes one block of everything in a strip between two spans. */
static ocelotl_status add_block(finder *find, const strip *of, uint32_t first, uint32_t after)
{
    oc_drawn_block *block;
    OC_TRY(open_block(find, &block));
    block->node = of->begin;
    block->top = of->begin;
    block->first = find->starts[first];
    block->last = find->starts[after] - 1;
    block->row_count = visible_rows(&block->row_first, find, of->begin, of->end);
    for (uint32_t node = of->begin; node < of->end; node++) {
        size_t *next = &find->next[node];
        for (; *next < find->part_begin[node + 1]; ++*next) {
            const ocelotl_part *part = part_at(find, find->parts[*next]);
            if (part->first > block->last)
                break;
            if (part->last >= block->first)
                add_part(find, block, find->parts[*next]);
        }
    }
    close_block(find, of, block);
    return OCELOTL_OK;
}

/* Joins what is narrower than a pixel with what follows and is narrow too. */
static uint32_t join_narrow(const finder *find, const uint64_t *row, uint32_t first, uint32_t after)
{
    uint32_t end = next_cut(row, first, after);
    if (!(width_of(find, first, end) < 1))
        return end;
    while (end < after) {
        const uint32_t next = next_cut(row, end, after);
        const bool wide = !(width_of(find, end, next) < 1);
        /* A narrow rest that would be left alone is taken too. */
        if (wide || (!(width_of(find, first, end) < 1) && !(width_of(find, end, after) < 1)))
            break;
        end = next;
    }
    return end;
}

static ocelotl_status add_low(finder *find, const strip *low)
{
    const size_t begin = low->first / 64;
    const size_t end = (low->after + 63) / 64;
    memset(find->together + begin, 0, (end - begin) * sizeof *find->together);
    for (uint32_t node = low->begin; node < low->end; node = find->after[node])
        if (row_of(find, node) != NULL)
            add_row(find->together, row_of(find, node), begin, end);
    for (uint32_t at = low->first; at < low->after;) {
        const uint32_t next = join_narrow(find, find->together, at, low->after);
        OC_TRY(add_block(find, low, at, next));
        at = next;
    }
    return OCELOTL_OK;
}

/* Pushes the children of a node over some spans: each on its own, low neighbours as one. */
static ocelotl_status push_children(finder *find, uint32_t node, uint32_t first, uint32_t after)
{
    const size_t before = find->strip_count;
    uint32_t row;
    for (uint32_t child = node + 1; child < find->after[node]; child = find->after[child]) {
        const uint32_t rows = visible_rows(&row, find, child, find->after[child]);
        if (rows == 0)
            continue;
        strip *last = find->strip_count > before ? &find->strips[find->strip_count - 1] : NULL;
        const strip next = {child, find->after[child], first, after, is_low(find, row, rows)};
        if (next.low && last != NULL && last->low && last->end == child)
            last->end = next.end;
        else
            OC_TRY(push(find, &next));
    }
    for (size_t i = before, j = find->strip_count; i + 1 < j; i++) {
        const strip swapped = find->strips[--j];
        find->strips[j] = find->strips[i];
        find->strips[i] = swapped;
    }
    return OCELOTL_OK;
}

/* Whether the next part of a node covers it from a span on. */
static bool is_covered(finder *find, uint32_t node, uint32_t span)
{
    uint32_t first, after;
    while (find->next[node] < find->part_begin[node + 1]) {
        const ocelotl_part *part = part_at(find, find->parts[find->next[node]]);
        if (spans_of(&first, &after, find, part) && after > span)
            return first <= span;
        find->next[node]++;
    }
    return false;
}

static ocelotl_status add_high(finder *find, const strip *high)
{
    const uint64_t *row = row_of(find, high->begin);
    if (row == NULL)
        return OCELOTL_OK;
    const uint32_t cut = next_cut(row, high->first, high->after);
    const uint32_t end = join_narrow(find, row, high->first, high->after);
    if (end < high->after)
        OC_TRY(push(find, &(strip){high->begin, high->end, end, high->after, false}));
    if (end > cut || width_of(find, high->first, end) < 1 ||
        is_covered(find, high->begin, high->first))
        return add_block(find, high, high->first, end);
    return push_children(find, high->begin, high->first, end);
}

static ocelotl_status find_all(finder *find)
{
    OC_TRY(find_spans(find));
    const uint32_t count = find->overview->model.node_count;
    OC_TRY(oc_allocate(&find->after, count, sizeof *find->after));
    for (uint32_t i = count; i-- > 0;) {
        const uint32_t parent = ocelotl_model_node_at(find->overview->input->model, i).parent;
        find->after[i] = find->after[i] > i ? find->after[i] : i + 1;
        if (parent < i && find->after[i] > find->after[parent])
            find->after[parent] = find->after[i];
    }
    OC_TRY(sort_parts(find));
    OC_TRY(give_rows(find));
    join_spans(find);
    OC_TRY(push(find, &(strip){0, find->overview->model.node_count, 0, find->span_count, false}));
    while (find->strip_count > 0) {
        const strip next = find->strips[--find->strip_count];
        OC_TRY(next.low ? add_low(find, &next) : add_high(find, &next));
    }
    return OCELOTL_OK;
}

static int compare_blocks(const void *a, const void *b)
{
    const oc_drawn_block *left = a;
    const oc_drawn_block *right = b;
    if (left->row_first != right->row_first)
        return left->row_first < right->row_first ? -1 : 1;
    return left->first < right->first ? -1 : left->first > right->first;
}

ocelotl_status oc_blocks_find(oc_drawn_blocks *blocks, const oc_overview *overview)
{
    finder find = {.overview = overview, .blocks = blocks};
    *blocks = (oc_drawn_blocks){.type_count = overview->model.type_count};
    const ocelotl_status status =
        overview->model.node_count > 0 && overview->visible.slice_count > 0 ? find_all(&find)
                                                                            : OCELOTL_OK;
    free(find.span_of);
    free(find.starts);
    free(find.after);
    free(find.parts);
    free(find.part_begin);
    free(find.next);
    free(find.rows);
    free(find.joined);
    free(find.together);
    free(find.strips);
    if (status != OCELOTL_OK)
        oc_blocks_free(blocks);
    else if (blocks->count > 0)
        qsort(blocks->blocks, blocks->count, sizeof *blocks->blocks, compare_blocks);
    return status;
}

void oc_blocks_free(oc_drawn_blocks *blocks)
{
    free(blocks->blocks);
    free(blocks->shares);
    *blocks = (oc_drawn_blocks){0};
}

ocelotl_part oc_block_as_part(const oc_drawn_blocks *blocks, const oc_overview *overview,
                              const oc_drawn_block *block)
{
    ocelotl_part part = overview->input->parts[block->part];
    if (block->parts > 1)
        part = (ocelotl_part){block->node,
                              block->first,
                              block->last,
                              block->row_count,
                              block->gain,
                              block->loss,
                              blocks->shares + block->shares};
    return part;
}

/* Returns the loss of several parts drawn as one. Parts of time have gains of each resource, which
 * types do not give: their own losses are the least. */
static double loss_as_one(const oc_drawn_blocks *blocks, const oc_overview *overview,
                          const oc_drawn_block *block)
{
    const ocelotl_kind kind = overview->input->partition.kind;
    const double slices = (double)block->last - block->first + 1;
    const double cells = block->row_count * slices;
    const double n = kind == OCELOTL_SPATIAL ? block->row_count : cells;
    double loss = block->held;
    if (block->parts == 1 || kind == OCELOTL_TEMPORAL)
        return block->loss;
    for (uint32_t type = 0; type < blocks->type_count; type++) {
        const double sum = blocks->shares[block->shares + type] * cells;
        loss += sum * log2(n) - times_logarithm(sum);
    }
    return fmax(loss, block->loss);
}

double oc_block_density(const oc_drawn_blocks *blocks, const oc_overview *overview,
                        const oc_drawn_block *block)
{
    const double whole = overview->input->partition.whole_loss;
    const double cells = (double)block->row_count * ((double)block->last - block->first + 1);
    const double all = (double)overview->model.row_count * overview->model.slice_count;
    return whole > 0 && cells > 0
               ? fmin(1, loss_as_one(blocks, overview, block) / cells * (all / whole))
               : 0;
}

oc_box oc_block_box(const oc_overview *overview, const oc_drawn_block *block)
{
    const oc_frame *frame = &overview->frame;
    oc_box box;
    box.x = oc_overview_x(overview, block->first);
    box.width = oc_overview_x(overview, (double)block->last + 1) - box.x;
    box.y = oc_overview_y(overview, block->row_first);
    box.height = oc_overview_y(overview, block->row_first + block->row_count) - box.y;
    if (box.width < 1) {
        box.width = 1;
        box.x -= box.x >= frame->left + frame->width;
    }
    if (box.height < 1) {
        box.height = 1;
        box.y -= box.y >= frame->top + frame->height;
    }
    return box;
}
