#include "aggregate/vector/lanes.h"
#include "aggregate/vector/vector.h"

#include <math.h>

/* What is lost when two blocks become one: the arithmetic under all measures.
 *
 * loss = sum over cells of v log(v / mean) is the Kullback-Leibler divergence to the uniform
 * redistribution, and divergences follow a chain rule: the loss of two blocks drawn as one is the
 * loss of each, plus the loss of moving the sums a and b of the two to the mean they have in
 * common. So a loss can be built from terms that are never negative, where X log n - X log X + sum
 * v log v would cancel: it stays exact to a few ulps of itself, whatever its size, and has no unit.
 */

#define OC_LN_2 0.69314718055994530942

/* The sizes of two blocks. */
typedef struct oc_two_sizes {
    oc_lanes a_cells, b_cells;
    oc_lanes per_cell; /* 1 / cells of both */
    oc_lanes a_share, b_share;
    oc_lanes a_bits, b_bits; /* log2(1 / share): the loss per unit where the other one is empty */
} oc_two_sizes;

/* v ln(v / mean) - difference, where difference = v - mean, as a fraction: v = 2^k m (k whole, m
 * and the mean within a factor of 1.5 of each other) makes ln(v / mean) = k ln 2 + 2 artanh(above /
 * below). */
typedef struct oc_excess {
    oc_lanes v, difference, k, above, below;
    oc_mask near; /* k = 0 */
} oc_excess;

static inline oc_excess oc_excess_of(oc_lanes v, oc_lanes mean, oc_lanes difference)
{
    /* The difference of two doubles' bits is close to that of their logarithms, times 2^52. */
    const int64_t half = (int64_t)1 << 51;
    const int64_t bias = (int64_t)1 << 62; /* shifts what is not negative */
    const oc_lane_bits k = ((oc_lane_bits)v - (oc_lane_bits)mean + (half + bias)) >> 52;
    const oc_lane_bits zero = (oc_lane_bits){0} + (bias >> 52);
    const oc_lane_bits power = k - zero;
    const oc_lanes m = (oc_lanes)((oc_lane_bits)v - (power << 52));
    /* k as a double: whole numbers around 1.5 * 2^52 are their own bits. */
    const double whole = 0x1.8p52;
    const oc_lanes shifted = (oc_lanes)((oc_lane_bits)oc_all(whole) + power);
    oc_excess excess = {v,        difference, shifted - oc_all(whole),
                        m - mean, m + mean,   oc_equal_bits(k, zero)};
    excess.above = oc_select(excess.near, difference, excess.above);
    return excess;
}

/* The excess itself, for s = above / below. Near the mean, what v ln(v / mean) and the difference
 * have in common is left out: the rest is s difference + 2 v s q tail. */
static inline oc_lanes oc_excess_value(const oc_excess *excess, oc_lanes s)
{
    /* (artanh(s) / s - 1) / q for q = s^2 <= 0.0402: interpolated in Chebyshev's points, off by
     * 2^-60 of artanh(s). */
    const oc_lanes q = s * s;
    const oc_lanes q2 = q * q;
    const oc_lanes q4 = q2 * q2;
    const oc_lanes low = (oc_all(0x1.5555555555555p-2) + oc_all(0x1.9999999999f4ap-3) * q) +
                         (oc_all(0x1.24924923d8d53p-3) + oc_all(0x1.c71c72e6a0bf3p-4) * q) * q2;
    const oc_lanes high = (oc_all(0x1.745caa083f891p-4) + oc_all(0x1.3b2a29705fb2cp-4) * q) +
                          (oc_all(0x1.0e857c4765545p-4) + oc_all(0x1.16d0d0a09926bp-4) * q) * q2;
    const oc_lanes tail = low + high * q4;
    const oc_lanes vs = excess->v * s * oc_all(2);
    const oc_lanes far = excess->v * (excess->k * oc_all(OC_LN_2)) + vs - excess->difference;
    return vs * q * tail + oc_select(excess->near, excess->difference * s, far);
}

/* Exactly 0 where the means are equal and both products exact; else off by little more than an ulp
 * of them. */
static inline oc_lanes oc_difference(const oc_two_sizes *pair, oc_lanes a, oc_lanes b)
{
    return (a * pair->b_cells - b * pair->a_cells) * pair->per_cell;
}

/* Returns whether no pair loses anything when joined. */
static inline bool oc_is_even(const oc_two_sizes *pair, oc_lanes a, oc_lanes b)
{
    return oc_mask_bits(oc_equal(oc_difference(pair, a, b), oc_all(0))) == OC_ALL_LANES;
}

/* Bits lost by joining blocks of sums a and b, apart from what each has lost before. */
static inline oc_lanes oc_join(const oc_two_sizes *pair, oc_lanes a, oc_lanes b)
{
    const oc_lanes zero = oc_all(0);
    const oc_lanes x = a + b;
    const oc_lanes difference = oc_difference(pair, a, b);
    const oc_excess of_a = oc_excess_of(a, pair->a_share * x, difference);
    const oc_excess of_b = oc_excess_of(b, pair->b_share * x, zero - difference);
    /* One division serves both, except where values are so small that their product is no normal
     * number. Lanes do not depend on each other: each takes the way that its own values ask for. */
    const oc_lanes product = of_a.below * of_b.below;
    const oc_lanes inverse = oc_all(1) / product;
    oc_lanes a_ratio = of_a.above * of_b.below * inverse;
    oc_lanes b_ratio = of_b.above * of_a.below * inverse;
    const oc_mask tiny = oc_greater(oc_all(0x1p-900), product);
    if (oc_any(tiny)) {
        a_ratio = oc_select(tiny, of_a.above / of_a.below, a_ratio);
        b_ratio = oc_select(tiny, of_b.above / of_b.below, b_ratio);
    }
    const oc_lanes lost =
        (oc_excess_value(&of_a, a_ratio) + oc_excess_value(&of_b, b_ratio)) * oc_all(OC_LOG2_E);
    return oc_select(oc_equal(b, zero), a * pair->a_bits,
                     oc_select(oc_equal(a, zero), b * pair->b_bits, lost));
}

/* The loss of an interval that one more slice makes longer has two formulas. The quick one takes
 * one logarithm: the sum of the slices' weights, less X log2 of the mean. The common part cancels,
 * so it is exact only where much is lost. The careful one adds the loss of joining the slice to the
 * others; this is never negative, so nothing cancels. Each lane takes the quick formula where it is
 * exact enough. */

/* Rows side by side, one a lane, that grow slice by slice. */
struct rows {
    oc_lanes sum;
    oc_lanes weight; /* of the slices */
    oc_lanes lost;
    oc_lanes high, low; /* for the careful way: the sum, and what rounding took from it */
};

/* One series. */
struct series {
    const double *x, *weight, *own;
    const uint32_t *next;
    double origin;
    uint32_t row; /* of the first lane */
    double *scratch, *fixed, *sums;
};

static const double lane_numbers[] = {0, 1, 2, 3, 4, 5, 6, 7};

static inline void add(struct rows *rows, oc_lanes b)
{
    const oc_lanes high = rows->high + b;
    const oc_lanes part = high - rows->high;
    rows->low += (rows->high - (high - part)) + (b - part);
    rows->high = high;
}

static inline oc_two_sizes pair_of(const oc_lengths *lengths, size_t place)
{
    const oc_lanes per_slice = oc_load(lengths->per_slice + place);
    return (oc_two_sizes){
        oc_load(lengths->n + place),       oc_all(1), per_slice,
        oc_load(lengths->n_share + place), per_slice, oc_load(lengths->n_bits + place),
        oc_load(lengths->one_bits + place)};
}

static inline void add_to(double *to, oc_lanes addend)
{
    oc_store(to, oc_load(to) + addend);
}

/* Hands over what the rows have lost once slice j is among them. What stays below the rounding of
 * the series' gain and loss together is a constant series' noise: exactly 0. */
static inline void add_meant(const oc_losses *losses, const struct series *series,
                             const struct rows *rows, uint32_t j)
{
    const size_t place = (size_t)(losses->lengths->slices - j) + series->row;
    const oc_mask meant = oc_greater(rows->lost, oc_load(losses->noise + place) * rows->sum);
    add_to(series->scratch + (size_t)j * OC_LOSS_ROWS, oc_select(meant, rows->lost, oc_all(0)));
}

/* Slices that hold nothing, from `begin` to `end`. A row of length n that has lost so much before
 * them loses sum x log2(m / n) more once it is m slices long: what does not depend on m, and the
 * sum, are noted where the slices begin, and taken back where they end; see add_noted. Nobody has
 * to visit them. */
static inline void add_empty(const oc_losses *losses, const struct series *series,
                             struct rows *rows, uint32_t begin, uint32_t end)
{
    const double *bits = losses->lengths->one_bits + losses->lengths->slices + series->row + 1;
    const oc_lanes before = oc_load(bits - begin);
    const oc_lanes fixed = rows->lost - rows->sum * before;
    add_to(series->fixed + (size_t)begin * OC_LOSS_ROWS, fixed);
    add_to(series->sums + (size_t)begin * OC_LOSS_ROWS, rows->sum);
    if (end == losses->slices)
        return;
    add_to(series->fixed + (size_t)end * OC_LOSS_ROWS, oc_all(0) - fixed);
    add_to(series->sums + (size_t)end * OC_LOSS_ROWS, oc_all(0) - rows->sum);
    rows->lost += rows->sum * (oc_load(bits - end) - before);
}

/* The losses of the rows with slice j, by the quick formula; `good` marks those for which it is
 * exact enough. */
static inline oc_lanes lose_quickly(const oc_losses *losses, const struct series *series,
                                    const struct rows *rows, uint32_t j, oc_mask *good)
{
    const size_t place = (size_t)(losses->lengths->slices - j) + series->row;
    const oc_lanes mean =
        oc_log2(rows->sum, series->origin) - oc_load(losses->lengths->one_bits + place);
    const oc_lanes lost = rows->weight - rows->sum * mean;
    *good = oc_greater(lost, oc_load(losses->plain + place) * rows->sum);
    return lost;
}

/* Slices before the last lane's row has begun: some lanes wait. */
static inline bool add_beginning(const oc_losses *losses, const struct series *series,
                                 struct rows *rows, uint32_t j)
{
    const oc_lanes zero = oc_all(0);
    const oc_lanes numbers = oc_load(lane_numbers);
    const oc_lanes begins = oc_all((double)(j - series->row));
    const oc_mask waits = oc_greater(numbers, begins);
    const oc_mask first = oc_equal(numbers, begins);
    struct rows grown = *rows;
    oc_mask good;
    grown.sum += oc_select(waits, zero, oc_all(series->x[j]));
    grown.weight += oc_select(waits, zero, oc_all(series->weight[j]));
    grown.lost = lose_quickly(losses, series, &grown, j, &good);
    if (oc_mask_bits(oc_either(good, oc_either(waits, first))) != OC_ALL_LANES)
        return false;
    const oc_lanes own = series->own != NULL ? oc_all(series->own[j]) : zero;
    grown.lost = oc_select(waits, zero, oc_select(first, own, grown.lost));
    add_meant(losses, series, &grown, j);
    *rows = grown;
    return true;
}

static inline bool add_quickly(const oc_losses *losses, const struct series *series,
                               struct rows *rows, uint32_t j)
{
    struct rows grown = *rows;
    oc_mask good;
    grown.sum += oc_all(series->x[j]);
    grown.weight += oc_all(series->weight[j]);
    grown.lost = lose_quickly(losses, series, &grown, j, &good);
    if (oc_mask_bits(good) != OC_ALL_LANES)
        return false;
    add_to(series->scratch + (size_t)j * OC_LOSS_ROWS, grown.lost);
    *rows = grown;
    return true;
}

/* Returns the first slice from `j` on that needs care, or the number of slices. */
static inline uint32_t go_quickly(const oc_losses *losses, const struct series *series,
                                  struct rows *rows, uint32_t j)
{
    const uint32_t slices = losses->slices;
    const uint32_t begun = series->row + OC_LANES - 1;
    while (j < slices) {
        if (series->x[j] == 0) {
            add_empty(losses, series, rows, j, series->next[j]);
            j = series->next[j];
            continue;
        }
        if (!(j < begun ? add_beginning(losses, series, rows, j)
                        : add_quickly(losses, series, rows, j)))
            return j;
        j++;
    }
    return slices;
}

static inline oc_lanes value_from(const struct series *series, uint32_t j)
{
    const oc_mask waits =
        oc_greater(oc_load(lane_numbers), oc_all((double)j - (double)series->row));
    return oc_select(waits, oc_all(0), oc_all(series->x[j]));
}

/* Returns whether the quick way was exact enough for all. */
static inline bool add_carefully(const oc_losses *losses, const struct series *series,
                                 struct rows *rows, uint32_t j)
{
    const size_t place = (size_t)(losses->lengths->slices - j) + series->row;
    const oc_lanes zero = oc_all(0);
    const oc_mask waits = oc_greater(oc_load(lane_numbers), oc_all((double)(j - series->row)));
    const oc_lanes b = oc_select(waits, zero, oc_all(series->x[j]));
    const oc_lanes sum = rows->high + rows->low;
    oc_mask good;
    rows->sum += b;
    rows->weight += oc_select(waits, zero, oc_all(series->weight[j]));
    const oc_lanes lost = lose_quickly(losses, series, rows, j, &good);
    if (series->own != NULL)
        rows->lost += oc_select(waits, zero, oc_all(series->own[j]));
    const bool needless = oc_mask_bits(good) == OC_ALL_LANES;
    if (!needless) {
        const oc_two_sizes pair = pair_of(losses->lengths, place);
        if (!oc_is_even(&pair, sum, b))
            rows->lost += oc_join(&pair, sum, b);
    }
    rows->lost = oc_select(good, lost, rows->lost);
    add(rows, b);
    add_meant(losses, series, rows, j);
    return needless;
}

/* Continues with the careful formula from slice j until `patience` slices in a row did not need it.
 * Returns the next slice, or the number of slices. */
static inline uint32_t go_carefully(const oc_losses *losses, const struct series *series,
                                    struct rows *rows, uint32_t j, uint32_t patience)
{
    uint32_t needless = 0;
    rows->high = rows->low = oc_all(0);
    for (uint32_t t = series->row; t < j; t++)
        add(rows, value_from(series, t));
    while (j < losses->slices && needless < patience) {
        if (series->x[j] == 0) {
            add_empty(losses, series, rows, j, series->next[j]);
            j = series->next[j];
        } else {
            needless = add_carefully(losses, series, rows, j) ? needless + 1 : 0;
            j++;
        }
    }
    return j;
}

/* Adds what one series loses over the intervals that begin at the rows from `row` on, one a lane.
 * Returns whether something was noted. */
static inline bool lose_series(const oc_losses *losses, size_t number, uint32_t row, uint32_t lane)
{
    const size_t cells = (size_t)losses->lengths->slices * OC_LOSS_ROWS;
    const oc_series_block *block = &losses->series;
    const struct series series = {
        .x = block->x + number * block->stride,
        .weight = block->weight + number * block->stride,
        .own = block->own != NULL ? block->own + number * block->own_stride : NULL,
        .next = block->next + number * block->stride,
        .origin = block->origin[number].log2,
        .row = row,
        .scratch = losses->scratch + lane,
        .fixed = losses->scratch + cells + lane,
        .sums = losses->scratch + 2 * cells + lane,
    };
    struct rows rows = {oc_all(0), oc_all(0), oc_all(0), oc_all(0), oc_all(0)};
    uint32_t j = series.next[row];
    /* To begin to be careful takes a look at all slices so far: it is done less and less often. */
    for (uint32_t patience = 4; j < losses->slices; patience *= 2) {
        j = go_quickly(losses, &series, &rows, j);
        if (j < losses->slices)
            j = go_carefully(losses, &series, &rows, j, patience);
    }
    return block->origin[number].has_gaps;
}

/* Adds what was noted of slices that hold nothing, and leaves zeros for the next ones. */
static inline void add_noted(const oc_losses *losses, uint32_t row, uint32_t lane)
{
    const size_t cells = (size_t)losses->lengths->slices * OC_LOSS_ROWS;
    const double *bits = losses->lengths->one_bits + losses->lengths->slices + row + lane;
    oc_lanes fixed = oc_all(0);
    oc_lanes sum = oc_all(0);
    for (uint32_t j = row; j < losses->slices; j++) {
        double *to = losses->scratch + (size_t)j * OC_LOSS_ROWS + lane;
        fixed += oc_load(to + cells);
        sum += oc_load(to + 2 * cells);
        oc_store(to + cells, oc_all(0));
        oc_store(to + 2 * cells, oc_all(0));
        add_to(to, fixed + sum * oc_load(bits - j));
    }
}

void OC_VECTOR(oc_lose)(const oc_losses *losses, uint32_t row)
{
    const uint32_t slices = losses->slices;
    const uint32_t end = row + OC_LOSS_ROWS < slices ? row + OC_LOSS_ROWS : slices;
    memset(losses->scratch + (size_t)row * OC_LOSS_ROWS, 0,
           (size_t)(slices - row) * OC_LOSS_ROWS * sizeof(double));
    for (uint32_t lane = 0; row + lane < end; lane += OC_LANES) {
        bool noted = false;
        for (size_t series = 0; series < losses->series.count; series++)
            if (losses->series.next[series * losses->series.stride + row + lane] < slices)
                noted |= lose_series(losses, series, row + lane, lane);
        if (noted)
            add_noted(losses, row, lane);
    }
    for (uint32_t i = row; i < end; i++) {
        double *to = losses->loss + oc_row(slices, i);
        const double *from = losses->scratch + (i - row);
        if (losses->is_first)
            for (uint32_t j = i; j < slices; j++)
                to[j - i] = from[(size_t)j * OC_LOSS_ROWS];
        else
            for (uint32_t j = i; j < slices; j++)
                to[j - i] += from[(size_t)j * OC_LOSS_ROWS];
    }
}

static inline bool is_empty(oc_lanes sums)
{
    return oc_mask_bits(oc_equal(sums, oc_all(0))) == OC_ALL_LANES;
}

/* Joins two blocks. If one of them is empty in all slices, as in sparse data, it needs no
 * logarithm. */
static inline oc_lanes join_some(const oc_two_sizes *pair, oc_lanes a, oc_lanes b)
{
    return is_empty(b) ? a * pair->a_bits : is_empty(a) ? b * pair->b_bits : oc_join(pair, a, b);
}

void OC_VECTOR(oc_join_slices)(const oc_joining *joining)
{
    const double cells = joining->a_cells + joining->b_cells;
    const oc_two_sizes pair = {
        oc_all(joining->a_cells),         oc_all(joining->b_cells),         oc_all(1 / cells),
        oc_all(joining->a_cells / cells), oc_all(joining->b_cells / cells), oc_all(joining->a_bits),
        oc_all(joining->b_bits)};
    const oc_sums *a = &joining->a;
    const oc_sums *b = &joining->b;
    const bool empty = b->high == NULL;
    for (uint32_t t = 0; t < joining->slices; t += OC_LANES) {
        struct rows sum = {
            .high = oc_load(a->high + t), .low = oc_load(a->low + t), .lost = oc_load(a->own + t)};
        const oc_lanes b_high = empty ? oc_all(0) : oc_load(b->high + t);
        const oc_lanes b_low = empty ? oc_all(0) : oc_load(b->low + t);
        if (!empty)
            sum.lost += oc_load(b->own + t);
        sum.lost += join_some(&pair, sum.high + sum.low, b_high + b_low);
        add(&sum, b_high);
        oc_store(a->high + t, sum.high);
        oc_store(a->low + t, sum.low + b_low);
        oc_store(a->own + t, sum.lost);
    }
}

/* Loads the values from slice t on, and ones behind the last slice. */
static inline oc_lanes load_some(const double *from, uint32_t t, uint32_t slices)
{
    double some[OC_LANES];
    if (t + OC_LANES <= slices)
        return oc_load(from + t);
    for (uint32_t lane = 0; lane < OC_LANES; lane++)
        some[lane] = t + lane < slices ? from[t + lane] : 1;
    return oc_load(some);
}

/* The values are near enough to each other for the quick way. */
static bool describe(const oc_weighing *weighing)
{
    const uint32_t slices = weighing->slices;
    int exponent = 0;
    uint32_t filled = 0;
    const uint32_t first = weighing->next[0];
    for (uint32_t t = first; t < slices; t = t + 1 < slices ? weighing->next[t + 1] : slices)
        filled++;
    frexp(weighing->largest, &exponent);
    *weighing->origin = (oc_origin){exponent - 1, filled < slices - first};
    return weighing->largest * 0x1p-40 <= weighing->least && weighing->least > 0x1p-900;
}

void OC_VECTOR(oc_weigh)(const oc_weighing *weighing)
{
    const uint32_t slices = weighing->slices;
    const bool even = describe(weighing);
    for (uint32_t t = weighing->next[0]; t < slices;
         t = t + OC_LANES < slices ? weighing->next[t + OC_LANES] : slices) {
        const oc_lanes values = load_some(weighing->x, t, slices);
        double weights[OC_LANES];
        oc_store(weights, values * oc_log2(values, weighing->origin->log2));
        for (uint32_t lane = 0; lane < OC_LANES && t + lane < slices; lane++) {
            const double own = weighing->own != NULL ? weighing->own[t + lane] : 0;
            weighing->weight[t + lane] = even ? weights[lane] + own : (double)NAN;
        }
    }
}
