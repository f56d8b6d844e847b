#include "aggregate/vector/cuts.h"

#include "aggregate/vector/lanes.h"
#include "aggregate/vector/vector.h"

#include <math.h>

/* Four rows of as many vectors as the registers hold, with what is read to fill them. All that is
 * inlined is made once for each number of vectors. */
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
 * follow. */
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
    struct tile tile;
    for (int r = 0; r < OC_ROWS; r++)
        for (int v = 0; v < to; v++)
            tile.best[r][v] =
                oc_load(left + (size_t)r * cuts->stride + column + (size_t)v * OC_LANES);
    for (uint32_t i = 0; i < count; i++)
        cut_after(&tile, left + candidate[i], cuts->stride,
                  cuts->strip + (size_t)(candidate[i] + 1) * WIDTH, 0, to);
    cut_inside(&tile, cuts, row, column, column + width - 1, 0, to);
    cut_inside(&tile, cuts, row, column, column + width - 1, 1, to);
    cut_inside(&tile, cuts, row, column, column + width - 1, 2, to);
    cut_inside(&tile, cuts, row, column, column + width - 1, 3, to);
    cut_between(&tile, cuts, row, to);
    for (int r = 0; r < OC_ROWS; r++)
        for (int v = 0; v < to; v++)
            oc_store(cuts->strip + (row + (size_t)r) * WIDTH + (size_t)v * OC_LANES,
                     tile.best[r][v]);
    if (column > row + OC_ROWS - 1)
        cuts->spared += (uint64_t)(column - (row + OC_ROWS - 1) - count) * OC_ROWS * width;
    if (column + width < cuts->count)
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
