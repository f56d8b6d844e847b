/* Visual aggregation of random partitions of random trees, against the definition cell by cell, and
 * against hand-made examples. */
#include "test_viz_fixture.h"

#include "viz/overview/views.h"

enum {
    NODES_MOST = 400,
    SLICES_MOST = 60,
    WEIGHT_MOST = 3,
    CELLS_MOST = NODES_MOST * WEIGHT_MOST * SLICES_MOST
};

/* A random tree with a partition made by cutting. */
typedef struct random_case {
    ocelotl_model *model;
    ocelotl_part *parts;
    double (*shares)[2];
    size_t count;
    uint32_t nodes, slices;
    uint64_t state;
} random_case;

static uint32_t draw_below(random_case *made, uint32_t count)
{
    return check_below(&made->state, count);
}

static void make_tree(random_case *made)
{
    static oc_given_node nodes[NODES_MOST];
    static char names[NODES_MOST][16];
    const uint32_t reach = 1 + draw_below(made, 40); /* chains or bushes */
    for (uint32_t i = 0; i < made->nodes; i++) {
        const uint32_t back = i == 0 ? 0 : 1 + draw_below(made, i < reach ? i : reach);
        snprintf(names[i], sizeof names[i], "n%u", i);
        nodes[i] = (oc_given_node){i == 0 ? OCELOTL_ROOT : i - back, names[i], NULL, i, false};
    }
    CHECK_OK(oc_model_begin(&made->model, NULL, nodes, made->nodes));
    CHECK_OK(oc_model_add_type(made->model, "a", -1, false));
    CHECK_OK(oc_model_add_type(made->model, "b", -1, false));
}

static void make_cells(random_case *made)
{
    oc_given_cell cell = {0, 0, 0, 0, 1};
    oc_twice twice;
    CHECK_OK(oc_model_set_cells(made->model, &twice, made->slices, &cell, 1));
}

/* Leaves that stand for several resources. */
static void merge(random_case *made)
{
    oc_tree *tree = &made->model->matrix.tree;
    const uint32_t leaves = tree->leaf_count[0];
    CHECK_OK(oc_allocate(&tree->weight_before, (size_t)leaves + 1, sizeof *tree->weight_before));
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        tree->weight_before[leaf + 1] =
            tree->weight_before[leaf] + 1 + draw_below(made, WEIGHT_MOST);
}

static bool is_child(const random_case *made, uint32_t child, uint32_t node)
{
    return ocelotl_model_node_at(made->model, child).parent == node;
}

/* Parts come unordered here. */
static void cut(random_case *made, uint32_t node, uint32_t first, uint32_t last, uint32_t depth)
{
    const ocelotl_node of = ocelotl_model_node_at(made->model, node);
    const bool leaf = node + 1 == made->nodes || !is_child(made, node + 1, node);
    const uint32_t choice = depth < 3 ? 1 + draw_below(made, 9) : draw_below(made, 10);
    if (choice >= 4 && last > first) {
        const uint32_t middle = first + draw_below(made, last - first);
        cut(made, node, first, middle, depth + 1);
        cut(made, node, middle + 1, last, depth + 1);
    } else if (choice >= 1 && !leaf) {
        for (uint32_t child = node + 1; child < made->nodes; child++)
            if (is_child(made, child, node))
                cut(made, child, first, last, depth + 1);
    } else {
        double *shares = made->shares[made->count];
        shares[0] = draw_below(made, 100) / 100.0;
        shares[1] = draw_below(made, 100) / 100.0;
        made->parts[made->count++] = (ocelotl_part){
            node, first, last, of.row_count, draw_below(made, 50), draw_below(made, 50), shares};
    }
}

static int compare_parts(const void *a, const void *b)
{
    const ocelotl_part *left = a, *right = b;
    if (left->node != right->node)
        return left->node < right->node ? -1 : 1;
    return left->first < right->first ? -1 : 1;
}

static void begin_case(random_case *made, uint64_t seed)
{
    *made = (random_case){.state = seed * 7919 + 1};
    made->nodes = 1 + draw_below(made, NODES_MOST - 1);
    made->slices = 1 + draw_below(made, SLICES_MOST);
    CHECK_OK(oc_allocate(&made->parts, CELLS_MOST, sizeof *made->parts));
    CHECK_OK(oc_allocate(&made->shares, CELLS_MOST, sizeof *made->shares));
    make_tree(made);
    make_cells(made);
    if (seed % 2 > 0)
        merge(made);
    cut(made, 0, 0, made->slices - 1, 0);
    qsort(made->parts, made->count, sizeof *made->parts, compare_parts);
}

static void end_case(random_case *made)
{
    ocelotl_model_free(made->model);
    free(made->parts);
    free(made->shares);
}

static void check_near_each(const double *found, const double *wanted)
{
    CHECK_NEAR(found[0], wanted[0], 1e-9);
    CHECK_NEAR(found[1], wanted[1], 1e-9);
}

/* Finds the block of each visible cell, and checks that none is in two. */
static void paint_blocks(uint32_t *cells, const oc_overview *overview,
                         const oc_drawn_blocks *blocks)
{
    memset(cells, 0, CELLS_MOST * sizeof *cells);
    for (size_t i = 0; i < blocks->count; i++) {
        const oc_drawn_block *block = &blocks->blocks[i];
        const oc_box box = oc_block_box(overview, block);
        CHECK(box.width > 0 && box.height > 0 && box.x >= overview->frame.left &&
              box.y >= overview->frame.top);
        CHECK(box.x + box.width <= overview->frame.left + overview->frame.width);
        CHECK(box.y + box.height <= overview->frame.top + overview->frame.height);
        for (uint32_t row = block->row_first; row < block->row_first + block->row_count; row++)
            for (uint32_t slice = block->first; slice <= block->last; slice++) {
                CHECK(cells[row * SLICES_MOST + slice] == 0);
                cells[row * SLICES_MOST + slice] = (uint32_t)i + 1;
            }
    }
}

/* The contents of a block, from its parts. */
typedef struct content {
    size_t parts;
    bool cut;
    double gain, loss, sums[2], cells;
} content;

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Each part lies in one block, as far as it is visible; its content is added there. */
static void add_up(content *contents, const uint32_t *cells, const random_case *made,
                   const oc_overview *overview, const oc_drawn_blocks *blocks)
{
    const oc_visible *visible = &overview->visible;
    for (size_t i = 0; i < made->count; i++) {
        const ocelotl_part *part = &made->parts[i];
        const ocelotl_node node = ocelotl_model_node_at(made->model, part->node);
        const uint32_t row = larger(node.row_first, visible->row_first);
        const uint32_t end =
            smaller(node.row_first + node.row_count, visible->row_first + visible->row_count);
        const uint32_t first = larger(part->first, visible->slice_first);
        const uint32_t after = smaller(part->last + 1, visible->slice_first + visible->slice_count);
        if (row >= end || first >= after)
            continue;
        const uint32_t block = cells[row * SLICES_MOST + first];
        CHECK(block > 0);
        content *in = &contents[block - 1];
        for (uint32_t at = row; at < end; at++)
            for (uint32_t slice = first; slice < after; slice++)
                CHECK(cells[at * SLICES_MOST + slice] == block);
        in->parts++;
        in->cut = in->cut || first != blocks->blocks[block - 1].first ||
                  after != blocks->blocks[block - 1].last + 1;
        in->gain += part->gain;
        in->loss += part->loss;
        in->cells += (double)node.row_count * (after - first);
        for (int type = 0; type < 2; type++)
            in->sums[type] += part->shares[type] * node.row_count * (after - first);
    }
}

static void check_contents(const content *contents, const oc_overview *overview,
                           const oc_drawn_blocks *blocks)
{
    size_t aggregated = 0, same = 0, different = 0;
    for (size_t i = 0; i < blocks->count; i++) {
        const oc_drawn_block *block = &blocks->blocks[i];
        const content *in = &contents[i];
        const ocelotl_part part = oc_block_as_part(blocks, overview, block);
        CHECK(block->parts == in->parts && in->parts > 0);
        CHECK_NEAR(part.gain, in->gain, 1e-9);
        CHECK_NEAR(part.loss, in->loss, 1e-9);
        check_near_each(part.shares,
                        (const double[2]){in->sums[0] / in->cells, in->sums[1] / in->cells});
        if (block->parts == 1)
            continue;
        CHECK(block->cut_in_time == in->cut);
        aggregated += in->parts;
        same += !in->cut;
        different += in->cut;
    }
    CHECK(blocks->aggregated == aggregated && blocks->same_cuts == same &&
          blocks->different_cuts == different);
}

/* Only small parts are drawn together, and no aggregate lasts over a cut that all in it share. */
static void check_need(const random_case *made, const oc_overview *overview,
                       const oc_drawn_blocks *blocks, const uint32_t *cells)
{
    const double row = (double)overview->frame.height / overview->rows.row_count;
    const double column = (double)overview->frame.width / overview->visible.slice_count;
    for (size_t i = 0; i < made->count; i++) {
        const ocelotl_part *part = &made->parts[i];
        const ocelotl_node node = ocelotl_model_node_at(made->model, part->node);
        const uint32_t block = cells[node.row_first * SLICES_MOST + part->first];
        if (block > 0 && blocks->blocks[block - 1].parts > 1 && column >= 1)
            CHECK(row * node.row_count < overview->picture->smallest);
    }
    for (size_t i = 0; i < blocks->count && column >= 1; i++) {
        const oc_drawn_block *block = &blocks->blocks[i];
        for (uint32_t slice = block->first + 1; block->parts > 1 && slice <= block->last; slice++) {
            bool shared = true;
            for (size_t j = 0; j < made->count && shared; j++) {
                const ocelotl_part *part = &made->parts[j];
                const uint32_t row_first = ocelotl_model_node_at(made->model, part->node).row_first;
                if (row_first >= block->row_first &&
                    row_first < block->row_first + block->row_count)
                    shared = part->first >= slice || part->last < slice;
            }
            CHECK(!shared);
        }
    }
}

static void check_case(random_case *made, const oc_visible *visible, int width, int height,
                       double smallest)
{
    static uint32_t cells[CELLS_MOST];
    static content contents[CELLS_MOST];
    oc_picture picture = fixture_picture(800, 600);
    picture.smallest = smallest;
    const oc_overview_input input = {
        .model = made->model, .parts = made->parts, .partition.part_count = made->count};
    oc_overview overview = {.input = &input,
                            .picture = &picture,
                            .model = ocelotl_model_info_of(made->model),
                            .visible = *visible,
                            .rows.row_count = visible->row_count,
                            .frame = {10, 20, width, height}};
    oc_drawn_blocks blocks = {0};
    CHECK_OK(oc_blocks_find(&blocks, &overview));
    memset(contents, 0, sizeof contents);
    paint_blocks(cells, &overview, &blocks);
    for (uint32_t row = 0; row < visible->row_count; row++)
        for (uint32_t slice = 0; slice < visible->slice_count; slice++)
            CHECK(cells[(row + visible->row_first) * SLICES_MOST + slice + visible->slice_first] >
                  0);
    add_up(contents, cells, made, &overview, &blocks);
    check_contents(contents, &overview, &blocks);
    if (visible->row_count == overview.model.row_count && visible->slice_count == made->slices)
        check_need(made, &overview, &blocks, cells);
    CHECK(blocks.count <= 3 * ((size_t)width + 1) * ((size_t)(height / smallest) + 1));
    oc_blocks_free(&blocks);
}

static void test_random(void)
{
    static const int sizes[][2] = {{500, 300}, {500, 40}, {30, 300}, {20, 20}, {500, 5}};
    for (uint64_t seed = 0; seed < 300; seed++) {
        random_case made;
        begin_case(&made, seed);
        const uint32_t rows = ocelotl_model_info_of(made.model).row_count;
        const oc_visible all = {0, rows, 0, made.slices, 0};
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            check_case(&made, &all, sizes[i][0], sizes[i][1], 1 + draw_below(&made, 4));
        const uint32_t chosen = draw_below(&made, made.nodes);
        const ocelotl_node node = ocelotl_model_node_at(made.model, chosen);
        const uint32_t first = draw_below(&made, made.slices);
        const oc_visible some = {node.row_first, node.row_count, first,
                                 1 + draw_below(&made, made.slices - first), chosen};
        check_case(&made, &some, 100, 50, 2);
        end_case(&made);
    }
}

/* Two machines of four cores, two pixels a core and five the least: the first machine's cores share
 * their cuts at 5 and 12, the second's share the one at 10 and differ before. */
static void test_types(void)
{
    static const char *const types[3] = {"a", "b", "c"};
    fixture made;
    fixture_begin(&made, 2, 4, "machine", types);
    for (uint32_t core = 0; core < 4; core++) {
        fixture_part(&made, 2 + core, 0, 4);
        fixture_part(&made, 2 + core, 5, 11);
        fixture_part(&made, 2 + core, 12, 19);
    }
    for (uint32_t core = 0; core < 4; core++) {
        fixture_part(&made, 7 + core, 0, 2 + core);
        fixture_part(&made, 7 + core, 3 + core, 9);
        fixture_part(&made, 7 + core, 10, 19);
    }
    oc_picture picture = fixture_picture(800, 600);
    picture.smallest = 5;
    const oc_overview_input input = fixture_input(&made);
    const oc_overview overview = {.input = &input,
                                  .picture = &picture,
                                  .model = ocelotl_model_info_of(made.model),
                                  .visible = {0, 8, 0, 20, 0},
                                  .rows.row_count = 8,
                                  .frame = {0, 0, 400, 16}};
    static const struct {
        uint32_t node, first, last, parts;
        bool cut;
    } wanted[] = {{1, 0, 4, 4, false},
                  {1, 5, 11, 4, false},
                  {1, 12, 19, 4, false},
                  {6, 0, 9, 8, true},
                  {6, 10, 19, 4, false}};
    oc_drawn_blocks blocks = {0};
    CHECK_OK(oc_blocks_find(&blocks, &overview));
    CHECK(blocks.count == sizeof wanted / sizeof wanted[0]);
    for (size_t i = 0; i < blocks.count; i++) {
        const oc_drawn_block *block = &blocks.blocks[i];
        CHECK(block->node == wanted[i].node && block->first == wanted[i].first &&
              block->last == wanted[i].last);
        CHECK(block->parts == wanted[i].parts && block->cut_in_time == wanted[i].cut);
    }
    CHECK(blocks.aggregated == 24 && blocks.same_cuts == 4 && blocks.different_cuts == 1);
    oc_blocks_free(&blocks);
    fixture_end(&made);
}

/* Blocks over some slices of two cores, in a row or in two. */
typedef struct wanted_range {
    uint32_t first, last;
    bool narrow; /* its parts are narrower than a pixel */
} wanted_range;

static size_t count_blocks(const oc_drawn_blocks *blocks, const wanted_range *wanted, size_t parts)
{
    size_t count = 0;
    for (size_t i = 0; i < blocks->count; i++)
        count += blocks->blocks[i].first == wanted->first &&
                 blocks->blocks[i].last == wanted->last && blocks->blocks[i].parts >= parts;
    return count;
}

/* A slice takes half a pixel. Two cores have the same cuts; they are as high as rows are, or too
 * low to be drawn apart. Only parts narrower than a pixel are drawn with those that follow. */
static void check_narrow(const uint32_t *lengths, size_t count, const wanted_range *wanted,
                         size_t wanted_count, int height)
{
    static const char *const types[3] = {"a", "b", "c"};
    const bool low = height < 10;
    fixture made;
    uint32_t first = 0;
    fixture_begin(&made, 1, 2, "machine", types);
    for (size_t i = 0; i < count; first += lengths[i++])
        for (uint32_t core = 0; core < 2; core++)
            fixture_part(&made, 2 + core, first, first + lengths[i] - 1);
    CHECK(first == FIXTURE_SLICES);
    oc_picture picture = fixture_picture(800, 600);
    picture.smallest = 5;
    const oc_overview_input input = fixture_input(&made);
    const oc_overview overview = {.input = &input,
                                  .picture = &picture,
                                  .model = ocelotl_model_info_of(made.model),
                                  .visible = {0, 2, 0, FIXTURE_SLICES, 0},
                                  .rows.row_count = 2,
                                  .frame = {0, 0, FIXTURE_SLICES / 2, height}};
    oc_drawn_blocks blocks = {0};
    size_t all = 0;
    CHECK_OK(oc_blocks_find(&blocks, &overview));
    for (size_t i = 0; i < wanted_count; i++) {
        const bool together = low || wanted[i].narrow;
        const size_t each = together ? 1 : 2;
        CHECK(count_blocks(&blocks, &wanted[i], together ? 2 : 1) == each);
        all += each;
    }
    CHECK(blocks.count == all);
    oc_blocks_free(&blocks);
    fixture_end(&made);
}

static void test_narrow(void)
{
    /* alone before a wide part; several as one; a narrow rest is taken too */
    static const uint32_t alone[] = {2, 1, 1, 1, 2, 2, 1, 1, 6, 1, 1, 1};
    static const wanted_range alone_wanted[] = {{0, 1, false},   {2, 3, true},  {4, 4, true},
                                                {5, 6, false},   {7, 8, false}, {9, 10, true},
                                                {11, 16, false}, {17, 19, true}};
    /* a part of a whole pixel is no rest */
    static const uint32_t pixels[] = {16, 1, 1, 1, 1};
    static const wanted_range pixels_wanted[] = {{0, 15, false}, {16, 17, true}, {18, 19, true}};
    /* a part a pixel wide stays alone, even before a narrower rest */
    static const uint32_t rest[] = {17, 2, 1};
    static const wanted_range rest_wanted[] = {{0, 16, false}, {17, 18, false}, {19, 19, true}};
    static const int heights[] = {4, 400};
    for (size_t i = 0; i < 2; i++) {
        check_narrow(alone, sizeof alone / sizeof alone[0], alone_wanted,
                     sizeof alone_wanted / sizeof alone_wanted[0], heights[i]);
        check_narrow(pixels, sizeof pixels / sizeof pixels[0], pixels_wanted,
                     sizeof pixels_wanted / sizeof pixels_wanted[0], heights[i]);
        check_narrow(rest, sizeof rest / sizeof rest[0], rest_wanted,
                     sizeof rest_wanted / sizeof rest_wanted[0], heights[i]);
    }
}

int main(void)
{
    test_types();
    test_narrow();
    test_random();
    return 0;
}
