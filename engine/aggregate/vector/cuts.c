#include "aggregate/vector/lanes.h"
#include "aggregate/vector/vector.h"

#include <math.h>

/* Bytes before a loss that is used, where others will be soon: rows are filled from the last to the
 * first, and nodes are solved from the last that is stored to the first. */
#define PREFETCH 32768

/* Fills columns from `begin` on, up to `end`. */
static inline void fill_none(double *row, size_t begin, size_t end)
{
    const oc_lanes none = oc_all((double)-INFINITY);
    size_t j = begin;
    for (; j + OC_LANES <= end; j += OC_LANES)
        oc_store(row + j, none);
    for (; j < end; j++)
        row[j] = -INFINITY;
}

static inline oc_lanes value_of(const oc_values *values, oc_lanes m, oc_lanes loss)
{
    const oc_lanes none = oc_all((double)-INFINITY);
    return values->limit ? oc_select(oc_equal(loss, oc_all(0)), m, none)
                         : oc_all(values->p) * m - loss;
}

static const double lane_numbers[] = {0, 1, 2, 3, 4, 5, 6, 7};

/* Fills columns from `column` on, one a lane. Vectors begin at the same columns in every row, as
 * the next row loads what this one stores; the first vector may begin before the row, where no cell
 * is. */
static inline __attribute__((always_inline)) void fill_columns(const oc_values *values, uint32_t i,
                                                               uint32_t column,
                                                               const double *loss_row,
                                                               const double *split)
{
    const ptrdiff_t place = (ptrdiff_t)column - (ptrdiff_t)i;
    const oc_mask before =
        oc_greater(oc_all((double)i), oc_load(lane_numbers) + oc_all((double)column));
    const oc_lanes none = oc_all((double)-INFINITY);
    const size_t cell = i * values->stride + column;
    __builtin_prefetch((const char *)(loss_row + place) - PREFETCH);
    /* The sums of the row after this one become its own: from the last slice to the first. */
    const oc_lanes x =
        oc_select(before, oc_all(0), oc_load(values->x + column) + oc_all(values->total[i]));
    const oc_lanes bits = oc_all(values->leaves_bits) + oc_load(values->bits + place);
    const oc_lanes loss = oc_load(loss_row + place);
    const oc_lanes whole = oc_select(before, none, value_of(values, x * bits, loss));
    oc_store(values->x + column, x);
    if (values->whole != NULL)
        oc_store(values->whole + cell, whole);
    if (split != NULL)
        oc_store(values->uncut + cell,
                 oc_select(before, none, oc_max(whole, oc_load(split + place))));
    else
        oc_store(values->uncut + cell, whole);
}

/* Where the vectors end that hold the reach of a row. */
static uint32_t end_of_reach(const oc_values *values, uint32_t i)
{
    if (values->reach == NULL)
        return values->count;
    const uint32_t end = (values->reach[i / OC_ROWS] / OC_LANES + 1u) * OC_LANES;
    return end < values->count ? end : values->count;
}

void OC_VECTOR(oc_value)(const oc_values *given)
{
    const oc_values values = *given; /* of its own: nothing that is stored changes it */
    memset(values.x, 0, values.count * sizeof *values.x);
    for (uint32_t i = values.count; i < values.rows; i++)
        fill_none(values.uncut + i * values.stride, 0, values.stride);
    for (uint32_t i = values.count; i-- > 0;) {
        const uint32_t end = end_of_reach(&values, i);
        const size_t none = end + 2 * OC_WIDEST_STRIP;
        double *row = values.uncut + i * values.stride;
        const double *loss = oc_row_of(&values.loss, i);
        const double *split = values.split.packed != NULL ? oc_row_of(&values.split, i) : NULL;
        fill_none(row, i > OC_BEFORE_ROW ? i - OC_BEFORE_ROW : 0, i);
        for (uint32_t column = i / OC_LANES * OC_LANES; column < end; column += OC_LANES)
            fill_columns(&values, i, column, loss, split);
        for (uint32_t column = end; column < values.count; column += OC_LANES)
            oc_store(values.x + column, oc_load(values.x + column) + oc_all(values.total[i]));
        fill_none(row, end, none < values.stride ? none : values.stride);
        values.m[i] =
            values.x[values.count - 1] * (values.leaves_bits + values.bits[values.count - 1 - i]);
    }
}

uint32_t OC_VECTOR(oc_find)(const double *left, const double *right, uint32_t begin, uint32_t end,
                            double enough)
{
    const oc_lanes wanted = oc_all(enough);
    for (uint32_t i = begin; i < end; i += OC_LANES) {
        const oc_lanes sum = oc_load(left + i) + oc_load(right + i);
        const unsigned found =
            oc_mask_bits(oc_either(oc_greater(sum, wanted), oc_equal(sum, wanted)));
        if (found != 0) {
            const uint32_t place = i + (uint32_t)__builtin_ctz(found);
            return place < end ? place : end;
        }
    }
    return end;
}

void OC_VECTOR(oc_cut_end)(double *column, const double *uncut, size_t stride, uint32_t begin,
                           uint32_t last)
{
    fill_none(column, last + 1, last + 1 + OC_PAST_END);
    for (uint32_t end = last + 1, row; end > begin; end = row) {
        const uint32_t rows = (end - begin - 1) % OC_ROWS + 1; /* fewer at first alone */
        row = end - rows;
        const double *left = uncut + row * stride;
        oc_lanes most[OC_ROWS];
        for (int r = 0; r < OC_ROWS; r++)
            most[r] = oc_all((double)-INFINITY);
        for (uint32_t c = end - 1; c < last; c += OC_LANES)
            for (int r = 0; r < OC_ROWS; r++)
                most[r] = oc_max(oc_load(left + (size_t)r * stride + c) + oc_load(column + c + 1),
                                 most[r]);
        for (uint32_t r = rows; r-- > 0;) {
            const double *of_row = left + r * stride;
            double best = of_row[last];
            for (uint32_t c = row + r; c + 1 < end; c++)
                best = fmax(best, of_row[c] + column[c + 1]);
            for (int lane = 0; lane < OC_LANES; lane++)
                best = fmax(best, most[r][lane]);
            column[row + r] = best;
        }
    }
}

/* Four rows of as many vectors as fit the registers, beside the values read to fill them. Inlined
 * functions are compiled once for each number of vectors. */
#if OC_LANES == 8
#define VECTORS 4
#elif defined __SSE2__
#define VECTORS 3
#else
#define VECTORS 4
#endif
#define WIDTH (VECTORS * OC_LANES)

struct tile {
    oc_lanes best[OC_ROWS][VECTORS];
};

/* Cuts after column c: left sides from the rows of the tile, right sides from the row of the strip
 * after c. Vectors before `from` are left alone, for the right side does not reach there. */
static inline __attribute__((always_inline)) void cut_after(struct tile *tile, const double *left,
                                                            size_t stride, const double *right,
                                                            int from, int to)
{
    oc_lanes of_right[VECTORS];
    for (int v = from; v < to; v++)
        of_right[v] = oc_load(right + v * OC_LANES);
    for (int r = 0; r < OC_ROWS; r++) {
        const oc_lanes of_left = oc_all(left[(size_t)r * stride]);
        for (int v = from; v < to; v++)
            tile->best[r][v] = oc_max(of_left + of_right[v], tile->best[r][v]);
    }
}

/* Cuts after the columns of the strip itself, up to `last`, that are in the reach of vector `from`,
 * and so of those after it. */
static inline __attribute__((always_inline)) void cut_inside(struct tile *tile, const oc_cuts *cuts,
                                                             uint32_t row, uint32_t column,
                                                             uint32_t last, int from, int to)
{
    if (from >= to)
        return;
    const uint32_t first = row + OC_ROWS - 1;
    const uint32_t begin = from == 0 ? column : column + (uint32_t)from * OC_LANES - 1;
    const uint32_t end = column + (uint32_t)(from + 1) * OC_LANES - 1;
    const double *left = cuts->uncut + row * cuts->stride;
    for (uint32_t c = begin > first ? begin : first; c < end && c < last; c++)
        cut_after(tile, left + c, cuts->stride, cuts->strip + (size_t)(c + 1) * WIDTH, from, to);
}

/* Cuts between the rows of the tile: the right side of a row's is a row after it, which is done by
 * then. */
static inline __attribute__((always_inline)) void cut_between(struct tile *tile,
                                                              const oc_cuts *cuts, uint32_t row,
                                                              int to)
{
    for (uint32_t r = OC_ROWS - 1; r-- > 0;) {
        const double *left = cuts->uncut + (row + r) * cuts->stride + row;
        for (uint32_t c = r; c + 1 < OC_ROWS; c++)
            for (int v = 0; v < to; v++)
                tile->best[r][v] = oc_max(oc_all(left[c]) + tile->best[c + 1][v], tile->best[r][v]);
    }
}

/* Notes after which of the `width` columns of the strip cuts are worth a try, for the strips that
 * follow and for reaches. */
static inline __attribute__((always_inline)) void note_candidates(const struct tile *tile,
                                                                  const oc_cuts *cuts, uint32_t row,
                                                                  uint32_t column, uint32_t width,
                                                                  int to)
{
    const uint32_t group = row / OC_ROWS;
    uint32_t *candidate = cuts->candidate + (size_t)group * cuts->count;
    uint32_t count = cuts->candidate_count[group];
    for (int v = 0; v < to; v++) {
        const uint32_t begin = column + (uint32_t)v * OC_LANES;
        unsigned worth = 0;
        for (uint32_t r = 0; r < OC_ROWS; r++) {
            const oc_lanes uncut = oc_load(cuts->uncut + (row + r) * cuts->stride + begin);
            const oc_lanes enough = tile->best[r][v] - oc_all(cuts->margin[row + r]);
            worth |= oc_mask_bits(oc_greater(uncut, enough));
        }
        for (; worth != 0; worth &= worth - 1) {
            const uint32_t c = begin + (uint32_t)__builtin_ctz(worth);
            if (c >= row + OC_ROWS - 1 && c < column + width)
                candidate[count++] = c;
        }
    }
    cuts->candidate_count[group] = count;
}

static inline __attribute__((always_inline)) void solve_tile(oc_cuts *cuts, uint32_t row,
                                                             uint32_t column, uint32_t width,
                                                             int to)
{
    const double *left = cuts->uncut + row * cuts->stride;
    const uint32_t *candidate = cuts->candidate + (size_t)(row / OC_ROWS) * cuts->count;
    const uint32_t count = cuts->candidate_count[row / OC_ROWS];
    const bool beyond = cuts->reach != NULL && column > cuts->reach[row / OC_ROWS];
    struct tile tile;
    for (int r = 0; r < OC_ROWS; r++)
        for (int v = 0; v < to; v++)
            tile.best[r][v] =
                beyond ? oc_all((double)-INFINITY)
                       : oc_load(left + (size_t)r * cuts->stride + column + (size_t)v * OC_LANES);
    for (uint32_t i = 0; i < count; i++)
        cut_after(&tile, left + candidate[i], cuts->stride,
                  cuts->strip + (size_t)(candidate[i] + 1) * WIDTH, 0, to);
    if (!beyond) {
        cut_inside(&tile, cuts, row, column, column + width - 1, 0, to);
        cut_inside(&tile, cuts, row, column, column + width - 1, 1, to);
        cut_inside(&tile, cuts, row, column, column + width - 1, 2, to);
        cut_inside(&tile, cuts, row, column, column + width - 1, 3, to);
    }
    cut_between(&tile, cuts, row, to);
    for (int r = 0; r < OC_ROWS; r++)
        for (int v = 0; v < to; v++)
            oc_store(cuts->strip + (row + (size_t)r) * WIDTH + (size_t)v * OC_LANES,
                     tile.best[r][v]);
    if (column > row + OC_ROWS - 1)
        cuts->spared += (uint64_t)(column - (row + OC_ROWS - 1) - count) * OC_ROWS * width;
    if (beyond)
        cuts->spared += (uint64_t)OC_ROWS * width * (width - 1) / 2;
    else
        note_candidates(&tile, cuts, row, column, width, to);
}

static inline __attribute__((always_inline)) void solve_strip(oc_cuts *cuts, uint32_t column,
                                                              uint32_t width, int to)
{
    for (uint32_t group = (column + width - 1) / OC_ROWS + 1; group-- > 0;)
        solve_tile(cuts, group * OC_ROWS, column, width, to);
    for (uint32_t i = 0; i < column + width; i++)
        memcpy(cuts->best + i * cuts->stride + column, cuts->strip + (size_t)i * WIDTH,
               width * sizeof(double));
}

/* The first strip takes what is left over by whole ones: there the fewest rows have intervals that
 * end. It may compute some columns of the second one as well. */
void OC_VECTOR(oc_cut)(oc_cuts *cuts)
{
    const uint32_t first = (cuts->count - 1) % WIDTH + 1;
    for (uint32_t group = 0; group * OC_ROWS < cuts->count; group++)
        cuts->candidate_count[group] = 0;
    const uint32_t vectors = (first + OC_LANES - 1) / OC_LANES;
    if (vectors == 1)
        solve_strip(cuts, 0, first, 1);
    else if (vectors == 2)
        solve_strip(cuts, 0, first, 2);
#if VECTORS > 3
    else if (vectors == 3)
        solve_strip(cuts, 0, first, 3);
#endif
    else
        solve_strip(cuts, 0, first, VECTORS);
    for (uint32_t column = first; column < cuts->count; column += WIDTH)
        solve_strip(cuts, column, WIDTH, VECTORS);
}

#define QUOTE(text)           #text
#define NAME_OF(instructions) QUOTE(instructions)

const oc_vector OC_VECTOR(oc_vector) = {
    NAME_OF(OC_INSTRUCTIONS),  OC_VECTOR(oc_cut),   OC_VECTOR(oc_lose), OC_VECTOR(oc_weigh),
    OC_VECTOR(oc_join_slices), OC_VECTOR(oc_value), OC_VECTOR(oc_find), OC_VECTOR(oc_cut_end),
};
