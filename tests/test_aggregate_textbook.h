/* A plain textbook dynamic program (D. Dosimont's thesis, Algorithm 6.2), by the formulas as they
 * are printed. */
#ifndef OC_TESTS_AGGREGATE_TEXTBOOK_H
#define OC_TESTS_AGGREGATE_TEXTBOOK_H

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

static inline size_t place(const struct textbook *book, uint32_t node, uint32_t first,
                           uint32_t last)
{
    return ((size_t)node * book->slices + first) * book->slices + last;
}

/* Adds what one series gains and loses over all intervals of a node; by slice its sum and its sum
 * of v log v. */
static inline void add_series(struct textbook *book, uint32_t node, const long double *sum,
                              const long double *logs, uint32_t width)
{
    for (uint32_t i = 0; i < book->slices; i++) {
        long double x = 0, l = 0;
        for (uint32_t j = i; j < book->slices; j++) {
            x += sum[j];
            l += logs[j];
            const long double gain = reference_times_log(x) - l;
            book->gain[place(book, node, i, j)] += (double)gain;
            book->loss[place(book, node, i, j)] +=
                (double)(x * log2l((long double)width * (j - i + 1)) - gain);
        }
    }
}

/* A leaf's values of one type, added to sums by slice; the spatial kind sums over time first. */
static inline void add_leaf(const struct textbook *book, uint32_t leaf, uint32_t type,
                            long double *sum, long double *logs)
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

/* The measures of one type: of the temporal kind each leaf's series in the root, otherwise sums
 * going up the tree. */
static inline void measure_type(struct textbook *book, uint32_t type)
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

static inline struct textbook open_book(const large_model *model)
{
    struct textbook book = {.model = model,
                            .slices = model->kind == OCELOTL_SPATIAL ? 1 : model->slices};
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

static inline void close_book(struct textbook *book)
{
    free(book->inner);
    free(book->gain);
    free(book->loss);
    free(book->children);
}

/* best(i, j) of one node, from the shorter intervals to the longer ones. */
static inline void solve_node(const struct textbook *book, uint32_t node, double p, double *best)
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
static inline double solve_book(const struct textbook *book, double p)
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

#endif
