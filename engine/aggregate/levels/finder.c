#include "aggregate/levels/finder.h"

#include "aggregate/extract/solution.h"
#include "base/memory.h"
#include "base/plain.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

double oc_round_digits(double number, int digits)
{
    char text[40];
    oc_plain_print(text, sizeof text, "%.*e", digits - 1, number);
    return oc_plain_number(text, NULL);
}

double oc_short_decimal(double low, double high)
{
    const double middle = low + (high - low) / 2;
    const double margin = (high - low) / 64;
    for (int digits = 1; digits <= 17; digits++) {
        const double p = oc_round_digits(middle, digits);
        if (p > low + margin && p < high - margin)
            return p;
    }
    return middle;
}

/* The share of gain and loss that rounding can make of sums that are kept in two parts. */
#define NOTHING 0x1p-96

/* Two crossings whose odds p / (1 - p) differ by a smaller share count as one. */
#define SAME_ODDS 0x1p-40

static oc_line line_of(const oc_solution *solution)
{
    return (oc_line){solution->gain, solution->loss, solution->gain_rest, solution->loss_rest};
}

oc_line oc_line_of_whole(const ocelotl_aggregation *aggregation)
{
    return (oc_line){aggregation->whole_gain, aggregation->whole_loss, 0, 0};
}

/* The gain and loss that `high` has more than `low`. */
static oc_line step_of(oc_line low, oc_line high)
{
    return (oc_line){(high.gain - low.gain) + (high.gain_rest - low.gain_rest),
                     (high.loss - low.loss) + (high.loss_rest - low.loss_rest), 0, 0};
}

/* Something, and not next to nothing beside what it loses more. */
static bool gains_more(oc_line low, oc_line high)
{
    const oc_line step = step_of(low, high);
    return step.gain > NOTHING * (high.gain + high.loss) && step.gain > OC_TIE * step.loss;
}

double oc_crossing_raw(oc_line low, oc_line high)
{
    const oc_line step = step_of(low, high);
    if (!gains_more(low, high))
        return 1;
    return step.loss > 0 ? step.loss / (step.loss + step.gain) : 0;
}

/* Gain and loss as shares of the whole's, where those are not 0. */
static oc_line normalise(const ocelotl_aggregation *aggregation, oc_line line)
{
    if (aggregation->whole_gain > 0 && aggregation->whole_loss > 0)
        return (oc_line){line.gain / aggregation->whole_gain, line.loss / aggregation->whole_loss,
                         0, 0};
    return line;
}

oc_line oc_normal_step(const ocelotl_aggregation *aggregation, oc_line low, oc_line high)
{
    return normalise(aggregation, step_of(low, high));
}

double oc_crossing(const ocelotl_aggregation *aggregation, oc_line low, oc_line high)
{
    const oc_line step = oc_normal_step(aggregation, low, high);
    if (!gains_more(low, high))
        return 1;
    return step.loss > 0 ? step.loss / (step.loss + step.gain) : 0;
}

double oc_line_value(const ocelotl_aggregation *aggregation, oc_line line, double p)
{
    const oc_line normal = normalise(aggregation, line);
    return p * normal.gain - (1 - p) * normal.loss;
}

/* Above the lower line, the chord rises from 0 at `from` to what the higher line is above it at
 * `to`. */
static double gap_between(const ocelotl_aggregation *aggregation, oc_line low, oc_line high,
                          double from, double to)
{
    const oc_line step = oc_normal_step(aggregation, low, high);
    const double crossing = oc_crossing(aggregation, low, high);
    const double nearest = fmin(crossing - from, to - crossing);
    if (!(nearest > OC_TIE * fmin(crossing, 1 - crossing)))
        return 0;
    const double gap = (to * step.gain - (1 - to) * step.loss) * ((crossing - from) / (to - from));
    return fmax(gap, DBL_MIN);
}

/* The lines of one partition. */
static bool is_same_line(oc_line a, oc_line b)
{
    const oc_line step = step_of(a, b);
    const double nothing = NOTHING * (a.gain + a.loss);
    return fabs(step.gain) <= nothing && fabs(step.loss) <= nothing;
}

bool oc_is_between(oc_line line, oc_line low, oc_line high)
{
    const oc_line before = step_of(low, line);
    const oc_line after = step_of(line, high);
    if (!gains_more(low, line))
        return false;
    if (!gains_more(line, high)) /* the higher line is best nowhere below 1 */
        return after.loss > 0;
    /* The odds of the crossings are loss / gain of the steps. */
    return before.loss * after.gain * (1 + SAME_ODDS) < after.loss * before.gain;
}

/* The normalised p at which the search tests whether the whole is a level. */
#define NEARLY_ONE 0.999999

/* How far below the crossing of two lines, as a share of it, p no longer ties them. */
#define BEFORE 0x1p-36

/* How often a short p is tried beyond where a level is known to be best. */
#define MOST_ATTEMPTS 8

void oc_finder_free(oc_finder *finder)
{
    free(finder->found);
}

ocelotl_status oc_finder_solve(oc_finder *finder, double p_raw, oc_found *found)
{
    if (finder->progress != NULL && !finder->progress(finder->progress_context, finder->solves, 0))
        return oc_fail(OCELOTL_ERROR_CANCELLED, "cancelled after %llu solves",
                       (unsigned long long)finder->solves);
    oc_solution solution = {0};
    const ocelotl_status status = oc_solve_sums(&solution, finder->aggregation, p_raw);
    *found = (oc_found){.line = line_of(&solution),
                        .parts = solution.count,
                        .flat = solution.flat,
                        .low = p_raw,
                        .high = p_raw,
                        .p = NAN};
    oc_solution_free(&solution);
    finder->solves += status == OCELOTL_OK;
    return status;
}

static void prove(oc_finder *finder, size_t i)
{
    oc_found *low = &finder->found[i];
    const double crossing = oc_crossing_raw(low[0].line, low[1].line);
    if (!low[0].proved) {
        low[0].tried_high = low[0].high;
        low[1].tried_low = low[1].low;
    }
    low[0].high = crossing;
    low[1].low = crossing;
    low[0].proved = true;
    low[0].gap = 0;
}

static void measure_gap(oc_finder *finder, size_t i)
{
    const ocelotl_aggregation *aggregation = finder->aggregation;
    oc_found *low = &finder->found[i];
    const oc_found *high = &finder->found[i + 1];
    const double from = ocelotl_p_from_raw(aggregation, low->high);
    const double to = ocelotl_p_from_raw(aggregation, high->low);
    low->gap = gap_between(aggregation, low->line, high->line, from, to);
    if (low->gap == 0 && !finder->doubts)
        prove(finder, i);
    else
        low->gap = fmax(low->gap, DBL_MIN);
}

static ocelotl_status insert(oc_finder *finder, size_t place, const oc_found *found)
{
    OC_TRY(oc_grow(&finder->found, &finder->capacity, finder->count + 1, sizeof *finder->found));
    memmove(&finder->found[place + 1], &finder->found[place],
            (finder->count - place) * sizeof *finder->found);
    finder->found[place] = *found;
    finder->count++;
    return OCELOTL_OK;
}

/* The place of the largest gap that is not proved to hide nothing, or count. */
static size_t largest_gap(const oc_finder *finder)
{
    size_t largest = finder->count;
    for (size_t i = 0; i + 1 < finder->count; i++)
        if (!finder->found[i].proved &&
            (largest == finder->count || finder->found[i].gap > finder->found[largest].gap))
            largest = i;
    return largest;
}

/* Widens the range of one of two neighbours that was found again at a p between them. */
static void widen(oc_finder *finder, size_t i, oc_line line, double p_raw)
{
    oc_found *low = &finder->found[i];
    const double crossing = oc_crossing_raw(low[0].line, low[1].line);
    if (is_same_line(line, low[0].line) && p_raw > low[0].high && p_raw < crossing)
        low[0].high = p_raw;
    else if (is_same_line(line, low[1].line) && p_raw < low[1].low && p_raw > crossing)
        low[1].low = p_raw;
    measure_gap(finder, i);
}

/* Looks between i and the next one at a raw p. */
static ocelotl_status look_at(oc_finder *finder, size_t i, double p_raw, double p)
{
    oc_found middle;
    OC_TRY(oc_finder_solve(finder, p_raw, &middle));
    middle.p = p;
    if (!oc_is_between(middle.line, finder->found[i].line, finder->found[i + 1].line)) {
        widen(finder, i, middle.line, p_raw);
        return OCELOTL_OK;
    }
    OC_TRY(insert(finder, i + 1, &middle));
    finder->found[i].tried_crossing = false;
    measure_gap(finder, i + 1);
    measure_gap(finder, i);
    return OCELOTL_OK;
}

/* Looks just before the crossing of two neighbours. At the crossing they tie, and the higher one is
 * taken; a level that beats the lower one by less than the tolerance of a tie appears only before
 * it: one of small leaves beside large ones. */
static ocelotl_status look_before(oc_finder *finder, size_t i)
{
    const double crossing = oc_crossing_raw(finder->found[i].line, finder->found[i + 1].line);
    const double before = crossing * (1 - BEFORE) / (1 - crossing * BEFORE); /* less by its odds */
    if (before > finder->found[i].high)
        OC_TRY(look_at(finder, i, before, NAN));
    return OCELOTL_OK;
}

/* Looks between i and the next level, at their crossing. When few of many levels are wanted, it
 * first tries a short p near the crossing, which a level found there can keep; only the crossing
 * itself proves that no level lies between. */
static ocelotl_status look_between(oc_finder *finder, size_t i, bool short_first)
{
    const ocelotl_aggregation *aggregation = finder->aggregation;
    const oc_found low = finder->found[i];
    const oc_found high = finder->found[i + 1];
    const size_t count = finder->count;
    if (short_first) {
        const double crossing = oc_crossing(aggregation, low.line, high.line);
        const double from = ocelotl_p_from_raw(aggregation, low.high);
        const double to = ocelotl_p_from_raw(aggregation, high.low);
        const double p =
            oc_short_decimal(crossing - (crossing - from) / 8, crossing + (to - crossing) / 8);
        OC_TRY(look_at(finder, i, ocelotl_p_to_raw(aggregation, p), p));
    }
    if (finder->count == count && !finder->found[i].proved && !low.tried_crossing)
        OC_TRY(look_at(finder, i, oc_crossing_raw(low.line, high.line), NAN));
    if (finder->count == count && !short_first)
        OC_TRY(look_before(finder, i));
    if (finder->count == count) {
        finder->found[i].tried_crossing = true;
        prove(finder, i);
    }
    return OCELOTL_OK;
}

void oc_finder_doubt(oc_finder *finder)
{
    finder->doubts = true;
    for (size_t i = 0; i + 1 < finder->count; i++)
        if (finder->found[i].proved) {
            finder->found[i].high = finder->found[i].tried_high;
            finder->found[i + 1].low = finder->found[i + 1].tried_low;
            finder->found[i].proved = false;
        }
    for (size_t i = 0; i + 1 < finder->count; i++)
        measure_gap(finder, i);
}

/* Drops the whole as a level if a partition gains as much and loses less: the whole is then best at
 * p = 1 alone. */
static void drop_whole(oc_finder *finder)
{
    if (finder->count < 2)
        return;
    oc_found *last = &finder->found[finder->count - 2];
    const oc_found *whole = last + 1;
    if (oc_crossing_raw(last->line, whole->line) < 1)
        return;
    last->high = 1;
    last->proved = false;
    if (whole->plateau > 0) {
        last->plateau = whole->plateau;
        last->plateau_from = whole->plateau_from;
        last->plateau_to = whole->plateau_to;
    }
    last->automatic = last->automatic || whole->automatic;
    finder->count--;
}

ocelotl_status oc_finder_add_whole(oc_finder *finder)
{
    const oc_found whole = {.line = oc_line_of_whole(finder->aggregation),
                            .parts = 1,
                            .low = 1,
                            .high = 1,
                            .p = 1,
                            .chosen = true};
    oc_found *last = &finder->found[finder->count - 1];
    if (last->parts == 1)
        return OCELOTL_OK;
    last->proved = true;
    return insert(finder, finder->count, &whole);
}

ocelotl_status oc_finder_prove(oc_finder *finder, size_t i)
{
    OC_TRY(look_between(finder, i, false));
    drop_whole(finder);
    return OCELOTL_OK;
}

ocelotl_status oc_finder_begin(oc_finder *finder)
{
    const ocelotl_aggregation *aggregation = finder->aggregation;
    const oc_found whole = {
        .line = oc_line_of_whole(aggregation), .parts = 1, .low = 1, .high = 1, .p = NAN};
    oc_found lossless;
    OC_TRY(oc_finder_solve(finder, 0, &lossless));
    OC_TRY(insert(finder, 0, &lossless));
    OC_TRY(insert(finder, 1, &whole));
    drop_whole(finder);
    if (finder->count == 2) { /* a short list should not end in what is no level */
        measure_gap(finder, 0);
        OC_TRY(look_at(finder, 0, ocelotl_p_to_raw(aggregation, NEARLY_ONE), NAN));
        drop_whole(finder);
    }
    return OCELOTL_OK;
}

/* Which of two neighbours is best at p. */
static size_t better(const oc_finder *finder, size_t i, double p)
{
    const oc_line low = finder->found[i].line;
    const oc_line high = finder->found[i + 1].line;
    return oc_line_value(finder->aggregation, low, p) > oc_line_value(finder->aggregation, high, p)
               ? i
               : i + 1;
}

ocelotl_status oc_finder_add_automatic(oc_finder *finder, double p)
{
    const double p_raw = ocelotl_p_to_raw(finder->aggregation, p);
    const size_t count = finder->count;
    size_t i = 0;
    if (count > 1) {
        while (i + 2 < count && finder->found[i + 1].low <= p_raw)
            i++;
        OC_TRY(look_at(finder, i, p_raw, p));
        i = finder->count > count ? i + 1 : better(finder, i, p);
    }
    finder->found[i].p = p > 0 ? p : (double)NAN;
    finder->found[i].chosen = p > 0;
    finder->found[i].automatic = true;
    drop_whole(finder);
    return OCELOTL_OK;
}

/* Drops levels if fewer are wanted than the search began with. The ends stay, and so does the level
 * to show first if there is room. */
static void trim(oc_finder *finder, size_t most)
{
    while (most > 0 && finder->count > most && finder->count > 2) {
        const size_t i = most > 2 && finder->found[1].automatic ? 2 : 1;
        finder->count--;
        memmove(&finder->found[i], &finder->found[i + 1],
                (finder->count - i) * sizeof *finder->found);
        finder->found[i - 1].proved = false;
        measure_gap(finder, i - 1);
    }
}

ocelotl_status oc_finder_continue(oc_finder *finder, oc_finder_goal goal)
{
    trim(finder, goal.most);
    for (;;) {
        const size_t place = largest_gap(finder);
        /* A look takes two solves at most. */
        if (place == finder->count || finder->found[place].gap <= goal.gap ||
            (goal.most > 0 && finder->count >= goal.most) ||
            (goal.max_solves > 0 && finder->solves + 2 > goal.max_solves))
            return OCELOTL_OK;
        OC_TRY(look_between(finder, place, !goal.all));
        drop_whole(finder);
    }
}

double oc_finder_from(const oc_finder *finder, size_t i)
{
    const oc_found *found = &finder->found[i];
    return i > 0 ? oc_crossing(finder->aggregation, found[-1].line, found->line) : 0;
}

double oc_finder_to(const oc_finder *finder, size_t i)
{
    const oc_found *found = &finder->found[i];
    return i + 1 < finder->count ? oc_crossing(finder->aggregation, found->line, found[1].line) : 1;
}

/* Chooses the p of a level. Any p at which its partition is known to be best will do; where these
 * are very close together it tries values a little beyond them, then closer ones. */
ocelotl_status oc_finder_choose_p(oc_finder *finder, size_t i)
{
    oc_found *found = &finder->found[i];
    const double from = oc_finder_from(finder, i);
    const double to = oc_finder_to(finder, i);
    const double low = ocelotl_p_from_raw(finder->aggregation, found->low);
    const double high = ocelotl_p_from_raw(finder->aggregation, found->high);
    const bool wide = high - low > 1e-6 * fmin(high, 1 - low);
    if (found->chosen)
        return OCELOTL_OK;
    if (wide && high - low > 0.25 * (to - from))
        found->p = oc_short_decimal(low, high);
    double beyond = 0.25;
    for (int attempt = 0; isnan(found->p) && attempt < MOST_ATTEMPTS; attempt++, beyond *= beyond) {
        const double p = oc_short_decimal(low - (low - from) * beyond, high + (to - high) * beyond);
        oc_found tried;
        OC_TRY(oc_finder_solve(finder, ocelotl_p_to_raw(finder->aggregation, p), &tried));
        if (is_same_line(tried.line, found->line))
            found->p = p;
    }
    if (isnan(found->p))
        found->p = wide ? oc_short_decimal(low, high) : found->high == 1 ? 1 : low;
    found->chosen = true;
    return OCELOTL_OK;
}
