/* The spatiotemporal algorithm as the thesis has it (Algorithms 6.1 and 6.2), without a trick: a
 * table of the gain and the loss of every (node, first slice, last slice), and at each p a table of
 * the best pIC with the cut that gives it. One thread. The tables are square, so that half of them
 * is unused, and an index is easy to see and to compute. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

/* What a cut is, besides a slice to cut after. */
enum { WHOLE = -1, CHILDREN = -2 };

struct textbook {
    size_t nodes, inner, types, slices;
    const uint32_t *parents;
    size_t *leaves;      /* below each node */
    double *values;      /* [node][type][slice]: the sum of the cells below a node, */
    double *information; /* and of their v log v */
    double *gain, *loss; /* [node][first][last] */
    double *best;
    int *cut;
    double p;
};

static size_t at(const textbook *book, size_t k, size_t i, size_t j)
{
    return (k * book->slices + i) * book->slices + j;
}

static size_t series(const textbook *book, size_t k, size_t x)
{
    return (k * book->types + x) * book->slices;
}

static double log_of(double v)
{
    return v > 0 ? log2(v) : 0;
}

textbook *textbook_new(const bench_cells *cells)
{
    const size_t size = (size_t)cells->nodes * cells->slices * cells->slices;
    const size_t matrix = (size_t)cells->nodes * cells->types * cells->slices;
    textbook *book = bench_allocate(1, sizeof *book);
    book->nodes = cells->nodes;
    book->inner = cells->inner;
    book->types = cells->types;
    book->slices = cells->slices;
    book->parents = cells->parents;
    book->leaves = bench_allocate(cells->nodes, sizeof *book->leaves);
    book->values = bench_allocate(matrix, sizeof *book->values);
    book->information = bench_allocate(matrix, sizeof *book->information);
    book->gain = bench_allocate(size, sizeof *book->gain);
    book->loss = bench_allocate(size, sizeof *book->loss);
    book->best = bench_allocate(size, sizeof *book->best);
    book->cut = bench_allocate(size, sizeof *book->cut);
    for (size_t n = 0; n < cells->count; n++) {
        const ocelotl_cell *cell = &cells->cells[n];
        const size_t place = series(book, cell->node, cell->type) + cell->slice;
        book->values[place] = cell->value;
        book->information[place] = cell->value * log_of(cell->value);
    }
    for (size_t k = book->inner; k < book->nodes; k++)
        book->leaves[k] = 1;
    /* So that the first solve does not pay for the system's giving out memory. */
    for (size_t n = 0; n < size; n++) {
        book->best[n] = -1;
        book->cut[n] = WHOLE;
    }
    return book;
}

void textbook_free(textbook *book)
{
    free(book->leaves);
    free(book->values);
    free(book->information);
    free(book->gain);
    free(book->loss);
    free(book->best);
    free(book->cut);
    free(book);
}

uint64_t textbook_memory(const bench_cells *cells)
{
    const uint64_t table = (uint64_t)cells->nodes * cells->slices * cells->slices;
    const uint64_t matrix = (uint64_t)cells->nodes * cells->types * cells->slices;
    return table * (3 * sizeof(double) + sizeof(int)) + matrix * 2 * sizeof(double);
}

/* One series of a node: adds to the gain and the loss of all its intervals. */
static void measure_series(textbook *book, size_t k, const double *values,
                           const double *information)
{
    for (size_t i = 0; i < book->slices; i++) {
        double sum = 0;
        double inside = 0;
        for (size_t j = i; j < book->slices; j++) {
            sum += values[j];
            inside += information[j];
            const double cells = (double)(book->leaves[k] * (j - i + 1));
            const double gain = sum * log_of(sum) - inside;
            book->gain[at(book, k, i, j)] += gain;
            book->loss[at(book, k, i, j)] += sum * log2(cells) - gain;
        }
    }
}

/* Algorithm 6.1. Children come behind their parents. */
static void measure(void *context)
{
    textbook *book = context;
    const size_t size = at(book, book->nodes, 0, 0);
    const size_t inner = series(book, book->inner, 0);
    for (size_t n = 0; n < size; n++)
        book->gain[n] = book->loss[n] = 0;
    for (size_t n = 0; n < inner; n++)
        book->values[n] = book->information[n] = 0;
    for (size_t k = 0; k < book->inner; k++)
        book->leaves[k] = 0;
    for (size_t k = book->nodes; k-- > 0;) {
        for (size_t x = 0; x < book->types; x++)
            measure_series(book, k, &book->values[series(book, k, x)],
                           &book->information[series(book, k, x)]);
        if (k == 0)
            continue;
        const size_t from = series(book, k, 0);
        const size_t to = series(book, book->parents[k], 0);
        for (size_t n = 0; n < book->types * book->slices; n++) {
            book->values[to + n] += book->values[from + n];
            book->information[to + n] += book->information[from + n];
        }
        book->leaves[book->parents[k]] += book->leaves[k];
    }
}

/* The children of a node are in a row. */
static size_t first_child(size_t k)
{
    return BENCH_ARITY * k + 1;
}

static void solve_part(textbook *book, size_t k, size_t i, size_t j)
{
    const size_t part = at(book, k, i, j);
    double best = book->p * book->gain[part] - (1 - book->p) * book->loss[part];
    int cut = WHOLE;
    if (k < book->inner) {
        double sum = 0;
        for (size_t child = first_child(k); child < first_child(k + 1); child++)
            sum += book->best[at(book, child, i, j)];
        if (sum > best) {
            best = sum;
            cut = CHILDREN;
        }
    }
    for (size_t c = i; c < j; c++) {
        const double sum = book->best[at(book, k, i, c)] + book->best[at(book, k, c + 1, j)];
        if (sum > best) {
            best = sum;
            cut = (int)c;
        }
    }
    book->best[part] = best;
    book->cut[part] = cut;
}

static void collect(const textbook *book, textbook_optimum *optimum, size_t k, size_t i, size_t j)
{
    const int cut = book->cut[at(book, k, i, j)];
    if (cut == WHOLE) {
        optimum->gain += book->gain[at(book, k, i, j)];
        optimum->loss += book->loss[at(book, k, i, j)];
        optimum->parts++;
    } else if (cut == CHILDREN) {
        for (size_t child = first_child(k); child < first_child(k + 1); child++)
            collect(book, optimum, child, i, j);
    } else {
        collect(book, optimum, k, i, (size_t)cut);
        collect(book, optimum, k, (size_t)cut + 1, j);
    }
}

/* Seconds of repeating: it is known to be slow. */
static const double patience = 0.5;

/* What is timed, with its answer. */
typedef struct solve_work {
    textbook *book;
    double p_raw;
    textbook_optimum optimum;
} solve_work;

/* Algorithm 6.2. */
static void solve(void *context)
{
    solve_work *work = context;
    textbook *book = work->book;
    work->optimum = (textbook_optimum){0};
    book->p = work->p_raw;
    for (size_t k = book->nodes; k-- > 0;)
        for (size_t i = book->slices; i-- > 0;)
            for (size_t j = i; j < book->slices; j++)
                solve_part(book, k, i, j);
    work->optimum.pic = book->best[at(book, 0, 0, book->slices - 1)];
    collect(book, &work->optimum, 0, 0, book->slices - 1);
}

bench_time textbook_time_measures(textbook *book)
{
    return bench_repeat(NULL, measure, book, patience);
}

bench_time textbook_time_solve(textbook *book, double p_raw, textbook_optimum *optimum)
{
    solve_work work = {.book = book, .p_raw = p_raw};
    const bench_time time = bench_repeat(NULL, solve, &work, patience);
    *optimum = work.optimum;
    return time;
}
