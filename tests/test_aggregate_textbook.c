/* The engine against a plain textbook dynamic program (D. Dosimont's thesis, Algorithm 6.2), on models of many shapes
 * and sizes: no partition is better than the engine's, and every part of it is what the definitions say. */
#include "test_aggregate_reference.h"

/* Gain and loss of every node over every interval, by the formulas as they are printed. */
struct textbook {
    const large_model *model;
    uint32_t slices; /* 1 for the spatial kind */
    bool *inner;     /* of each node */
    double *gain;    /* node x first x last */
    double *loss;
    double *children; /* the sum of the children's best, while it is solved */
};

static size_t place(const struct textbook *book, uint32_t node, uint32_t first, uint32_t last)
{
    return ((size_t)node * book->slices + first) * book->slices + last;
}

/* Adds what one series gains and loses over all intervals of a node; by slice its sum and its sum of v log v. */
static void add_series(struct textbook *book, uint32_t node, const long double *sum, const long double *logs,
                       uint32_t width)
{
    for (uint32_t i = 0; i < book->slices; i++) {
        long double x = 0;
        long double l = 0;
        for (uint32_t j = i; j < book->slices; j++) {
            x += sum[j];
            l += logs[j];
            const long double gain = reference_times_log(x) - l;
            book->gain[place(book, node, i, j)] += (double)gain;
            book->loss[place(book, node, i, j)] += (double)(x * log2l((long double)width * (j - i + 1)) - gain);
        }
    }
}

/* A leaf's values of one type, added to sums by slice; the spatial kind sums over time first. */
static void add_leaf(const struct textbook *book, uint32_t leaf, uint32_t type, long double *sum, long double *logs)
{
    const large_model *model = book->model;
    long double whole = 0;
    for (uint32_t t = 0; t < model->slices; t++) {
        const long double value = *large_at(model, leaf, type, t);
        whole += value;
        if (model->kind == OCELOTL_SPATIAL)
            continue;
        sum[t] += value;
        logs[t] += reference_times_log(value);
    }
    if (model->kind == OCELOTL_SPATIAL) {
        sum[0] += whole;
        logs[0] += reference_times_log(whole);
    }
}

/* The measures of one type: of the temporal kind each leaf's series in the root, otherwise sums going up the tree. */
static void measure_type(struct textbook *book, uint32_t type)
{
    const large_model *model = book->model;
    const size_t row = book->slices;
    long double *sum = large_allocate(model->nodes * row, sizeof *sum);
    long double *logs = large_allocate(model->nodes * row, sizeof *logs);
    uint32_t *width = large_allocate(model->nodes, sizeof *width);
    for (uint32_t k = 0; k < model->nodes; k++) {
        if (k < model->leaves) {
            add_leaf(book, k, type, sum + k * row, logs + k * row);
            width[k] = 1;
        }
        if (model->kind == OCELOTL_TEMPORAL) {
            if (k < model->leaves)
                add_series(book, 0, sum + k * row, logs + k * row, 1);
            continue;
        }
        add_series(book, k, sum + k * row, logs + k * row, width[k]);
        const int parent = model->parent[k];
        for (size_t t = 0; t < row && parent >= 0; t++) {
            sum[(size_t)parent * row + t] += sum[k * row + t];
            logs[(size_t)parent * row + t] += logs[k * row + t];
        }
        if (parent >= 0)
            width[parent] += width[k];
    }
    free(sum);
    free(logs);
    free(width);
}

static struct textbook open_book(const large_model *model)
{
    struct textbook book = {.model = model, .slices = model->kind == OCELOTL_SPATIAL ? 1 : model->slices};
    const size_t count = (size_t)model->nodes * book.slices * book.slices;
    book.inner = large_allocate(model->nodes, sizeof *book.inner);
    book.gain = large_allocate(count, sizeof *book.gain);
    book.loss = large_allocate(count, sizeof *book.loss);
    book.children = large_allocate(count, sizeof *book.children);
    for (uint32_t k = 0; k < model->nodes; k++)
        if (model->parent[k] >= 0)
            book.inner[model->parent[k]] = true;
    for (uint32_t type = 0; type < model->types; type++)
        measure_type(&book, type);
    return book;
}

static void close_book(struct textbook *book)
{
    free(book->inner);
    free(book->gain);
    free(book->loss);
    free(book->children);
}

/* best(i, j) of one node, from the shorter intervals to the longer ones. */
static void solve_node(const struct textbook *book, uint32_t node, double p, double *best)
{
    const uint32_t slices = book->slices;
    for (uint32_t length = 1; length <= slices; length++)
        for (uint32_t i = 0; i + length <= slices; i++) {
            const uint32_t j = i + length - 1;
            const size_t here = place(book, node, i, j);
            double value = p * book->gain[here] - (1 - p) * book->loss[here];
            if (book->inner[node] && book->model->kind != OCELOTL_TEMPORAL)
                value = fmax(value, book->children[here]);
            for (uint32_t c = i; c < j; c++)
                value = fmax(value, best[i * slices + c] + best[(c + 1) * slices + j]);
            best[i * slices + j] = value;
        }
}

/* The best pIC at raw p. Leaves come first and parents after their children. */
static double solve_book(const struct textbook *book, double p)
{
    const size_t square = (size_t)book->slices * book->slices;
    double *best = large_allocate(square, sizeof *best);
    memset(book->children, 0, book->model->nodes * square * sizeof *book->children);
    const bool temporal = book->model->kind == OCELOTL_TEMPORAL;
    for (uint32_t k = 0; k < (temporal ? 1 : book->model->nodes); k++) {
        solve_node(book, k, p, best);
        const int parent = book->model->parent[k];
        if (parent >= 0)
            for (size_t i = 0; i < square; i++)
                book->children[(size_t)parent * square + i] += best[i];
    }
    const double found = best[book->slices - 1];
    free(best);
    return found;
}

/* Solves at raw p, or at normalised p; returns the partition's information. */
static ocelotl_partition_info check_at(const struct textbook *book, const ocelotl_model *built,
                                       const ocelotl_aggregation *aggregation, double p, bool raw)
{
    ocelotl_partition *partition;
    if (raw)
        CHECK_OK(ocelotl_solve_raw(&partition, aggregation, p));
    else
        CHECK_OK(ocelotl_solve(&partition, aggregation, p));
    const ocelotl_partition_info info = ocelotl_partition_get_info(partition);
    const double wanted = solve_book(book, info.p_raw);
    CHECK((raw ? info.p_raw : info.p) == p);
    CHECK_NEAR(info.pic, wanted, 1e-9 * fabs(wanted) + 0x1p-49 * (info.whole_gain + info.whole_loss));
    CHECK(info.cuts_tried <= info.cut_count);
    reference_check(book->model, built, partition);
    ocelotl_partition_free(partition);
    return info;
}

/* p rises, and so do gain and loss. */
static void check_all(const large_model *model)
{
    static const double raw_p[] = {1e-6, 0.001, 0.05, 0.3, 0.7, 0.999};
    static const double normalised_p[] = {0.02, 0.25, 0.5, 0.85};
    struct textbook book = open_book(model);
    ocelotl_model *built = large_build(model);
    ocelotl_aggregation *aggregation = test_aggregate(built, model->kind, 2);
    for (int raw = 0; raw < 2; raw++) {
        double gain = 0;
        double loss = 0;
        for (size_t i = 0; i < (raw ? sizeof raw_p : sizeof normalised_p) / sizeof *raw_p; i++) {
            const ocelotl_partition_info info =
                check_at(&book, built, aggregation, raw ? raw_p[i] : normalised_p[i], raw != 0);
            CHECK(info.gain >= gain * (1 - 1e-12) && info.loss >= loss * (1 - 1e-12));
            gain = info.gain;
            loss = info.loss;
        }
    }
    ocelotl_aggregation_free(aggregation);
    ocelotl_model_free(built);
    close_book(&book);
}

static void check_model(ocelotl_kind kind, large_shape shape, large_texture texture, uint32_t leaves,
                        uint32_t types, uint32_t slices)
{
    fprintf(stderr, "kind %d, shape %d, texture %d, %u leaves, %u types, %u slices\n", (int)kind, (int)shape,
            (int)texture, leaves, types, slices);
    large_model model = large_make(kind, shape, texture, leaves, types, slices, 1 + slices + leaves);
    check_all(&model);
    large_free(&model);
}

/* Every shape with every texture, at sizes that leave every remainder of a vector. */
static void test_small(void)
{
    for (uint32_t shape = 0; shape < LARGE_SHAPES; shape++)
        for (uint32_t texture = 0; texture < LARGE_TEXTURES; texture++) {
            const uint32_t slices = 1 + (shape * LARGE_TEXTURES + texture) % 20;
            check_model(OCELOTL_SPATIOTEMPORAL, (large_shape)shape, (large_texture)texture, 6 + 2 * shape,
                        1 + texture % 3, slices);
        }
    for (uint32_t texture = 0; texture < LARGE_TEXTURES; texture++) {
        check_model(OCELOTL_TEMPORAL, LARGE_BINARY, (large_texture)texture, 5, 2, 9 + 4 * texture);
        check_model(OCELOTL_SPATIAL, LARGE_RANDOM, (large_texture)texture, 40 + texture, 2, 3);
    }
}

/* More slices than a strip of vectors holds. */
static void test_many_slices(void)
{
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_BINARY, LARGE_DENSE, 6, 2, 33);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_RANDOM, LARGE_STATES, 12, 3, 47);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_COMB, LARGE_SPARSE, 9, 2, 63);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_FLAT, LARGE_STATES, 20, 2, 64);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_ONLY_CHILD, LARGE_DENSE, 4, 1, 65);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_LOPSIDED, LARGE_FEW_VALUES, 8, 1, 71);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_TENFOLD, LARGE_STATES, 12, 3, 100);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_BINARY, LARGE_DENSE, 4, 2, 97);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_FLAT, LARGE_SPARSE, 6, 2, 99);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_TENFOLD, LARGE_PHASES, 12, 2, 100);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_BINARY, LARGE_PHASES, 3, 1, 133);
    check_model(OCELOTL_TEMPORAL, LARGE_FLAT, LARGE_PHASES, 4, 2, 134);
    check_model(OCELOTL_TEMPORAL, LARGE_FLAT, LARGE_DENSE, 7, 3, 100);
    check_model(OCELOTL_TEMPORAL, LARGE_FLAT, LARGE_STATES, 7, 3, 129);
    check_model(OCELOTL_SPATIAL, LARGE_TENFOLD, LARGE_DENSE, 300, 3, 5);
    check_model(OCELOTL_SPATIAL, LARGE_COMB, LARGE_STATES, 100, 3, 8);
    check_model(OCELOTL_SPATIAL, LARGE_RANDOM, LARGE_SPARSE, 250, 2, 2);
}

int main(void)
{
    test_small();
    test_many_slices();
    return 0;
}
