#include "explain/scan.h"

#include "base/memory.h"
#include "base/weighed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* docs/explain.md gives the reason of each. */
static const double spread_of_distance = 1.4826; /* of a normal distribution */
static const double apart_first = 2.5;           /* spreads, of a node that may belong to a group */
static const double apart_least = 3.5;           /* spreads, of a group */
static const double apart_cousins = 8;           /* of a group whose cousins differ as much */
static const double score_least = 5.5;
static const double as_well = 0.6; /* of the mean that they differ by, */
static const double hardly = 0.2;  /* of the mean that they differ by */
static const double few = 6;       /* so many like it are few: their spread is not well known */
static const double of_the_largest = 0.5; /* what belongs to a group differs by so much of it */

static const size_t few_of = 16; /* a group that is less hardly changes what is usual */

enum { LIKE_LEAST = 4, CANDIDATES_MOST = 4000 };

/* --- The median */

static void swap(double *a, double *b)
{
    const double kept = *a;
    *a = *b;
    *b = kept;
}

/* Puts the number of a rank where it is in order, smaller ones before it. */
static void put_in_place(double *numbers, size_t count, size_t rank)
{
    size_t low = 0;
    size_t high = count - 1;
    while (low < high) {
        const double pivot = numbers[low + (high - low) / 2];
        size_t i = low;
        size_t j = high;
        while (i <= j) {
            while (numbers[i] < pivot)
                i++;
            while (numbers[j] > pivot)
                j--;
            if (i <= j) {
                swap(&numbers[i++], &numbers[j]);
                if (j == 0)
                    break;
                j--;
            }
        }
        if (rank <= j)
            high = j;
        else if (rank >= i)
            low = i;
        else
            return;
    }
}

double oc_median(double *numbers, size_t count)
{
    if (count == 0)
        return (double)NAN;
    put_in_place(numbers, count, count / 2);
    double median = numbers[count / 2];
    if (count % 2 == 0) {
        double below = numbers[0];
        for (size_t i = 1; i < count / 2; i++)
            below = fmax(below, numbers[i]);
        median = (median + below) / 2;
    }
    return median;
}

double oc_quantile(double *numbers, size_t count, double share)
{
    const size_t rank = (size_t)(share * (double)count);
    if (count == 0)
        return (double)NAN;
    put_in_place(numbers, count, rank);
    return numbers[rank];
}

double oc_spread(double *median, double *numbers, size_t count)
{
    *median = oc_median(numbers, count);
    for (size_t i = 0; i < count; i++)
        numbers[i] = fabs(numbers[i] - *median);
    return count > 0 ? spread_of_distance * oc_median(numbers, count) *
                           (1 + few / fmax(1, (double)count - 1))
                     : 0;
}

/* --- Intervals */

typedef struct interval {
    uint32_t first, length, size; /* size: the number of its length */
} interval;

/* Lengths grow by a half, and intervals of a length begin a quarter of it apart. */
static ocelotl_status list_intervals(interval **list, size_t *count, uint32_t *sizes,
                                     uint32_t columns)
{
    size_t capacity = 0;
    *list = NULL;
    *count = 0;
    *sizes = 0;
    for (uint32_t length = 1; length > 0 && length <= columns;) {
        const uint32_t by = length < 4 ? 1 : length / 4;
        for (uint32_t first = 0; first + length <= columns; first += by) {
            OC_TRY(oc_grow(list, &capacity, *count + 1, sizeof **list));
            (*list)[(*count)++] = (interval){first, length, *sizes};
        }
        (*sizes)++;
        const uint32_t longer = length + length / 2 + (length == 1);
        length = length == columns ? 0 : longer < columns ? longer : columns;
    }
    return OCELOTL_OK;
}

/* --- Nodes over an interval */

typedef struct scan {
    const oc_scan_table *table;
    oc_arena *arena;
    double *sums;    /* by row: of the columns before each */
    uint32_t *there; /* the same of cells that are there */
    double *means;   /* by node, over the interval */
    double *total;   /* of the rows before each */
    uint32_t *alive;
    double *numbers; /* of nodes like each other */
    uint32_t *order; /* nodes by what they are like */
    uint32_t *first_like;
    interval *intervals;
    size_t interval_count;
    uint32_t sizes;
    double *medians, *spreads; /* by interval and what nodes are like */
    double *usual_spreads;     /* by length and the same: their median */
    /* by length and node, above and below: how far it is from those like it at most, anywhere: in
     * noise every node is far at some time, and how far is usual */
    double *farthest[2];
    double *far[2], *far_spreads[2]; /* by length and what nodes are like: medians, spreads */
    uint32_t *first_child, *next;    /* by node; OCELOTL_NONE: there is none */
    struct candidate *candidates;
    size_t candidate_count, candidate_capacity;
} scan;

typedef struct candidate {
    uint32_t interval, parent;
    bool more;
    double score;
    double weight; /* how much it differs, as the root of its size makes it surer */
} candidate;

/* The mean of a node is that of the means of its rows. */
static void find_means(const scan *s, const interval *over)
{
    const oc_scan_tree *tree = s->table->tree;
    const size_t width = s->table->columns + 1;
    for (uint32_t row = 0; row < tree->row_count; row++) {
        const double *sums = s->sums + row * width + over->first;
        const uint32_t *there = s->there + row * width + over->first;
        const uint32_t count = there[over->length] - there[0];
        const bool is = count > 0 && 2 * count >= over->length;
        s->total[row + 1] = s->total[row] + (is ? (sums[over->length] - sums[0]) / count : 0);
        s->alive[row + 1] = s->alive[row] + is;
    }
    for (uint32_t n = 0; n < tree->node_count; n++) {
        const oc_scan_node *node = &tree->nodes[n];
        const uint32_t count = s->alive[node->first + node->count] - s->alive[node->first];
        s->means[n] = count > 0 && 2 * count >= node->count
                          ? (s->total[node->first + node->count] - s->total[node->first]) / count
                          : (double)NAN;
    }
}

static size_t gather(const scan *s, uint32_t like)
{
    size_t count = 0;
    for (uint32_t i = s->first_like[like]; i < s->first_like[like + 1]; i++)
        if (!isnan(s->means[s->order[i]]))
            s->numbers[count++] = s->means[s->order[i]];
    return count;
}

static void note_farthest(const scan *s, size_t at)
{
    const oc_scan_tree *tree = s->table->tree;
    for (uint32_t n = 0; n < tree->node_count; n++) {
        const uint32_t like = tree->nodes[n].like;
        const double *medians = s->medians + at * tree->like_count;
        if (like == OCELOTL_NONE || isnan(s->means[n]) || isnan(medians[like]))
            continue;
        const double excess = s->means[n] - medians[like];
        double *farthest =
            &s->farthest[excess < 0][(size_t)s->intervals[at].size * tree->node_count + n];
        *farthest = fmax(*farthest, fabs(excess));
    }
}

/* Reports intervals of a pass that are done. */
static ocelotl_status go_on(const scan *s, size_t done)
{
    const ocelotl_work *work = s->table->work;
    return work == NULL || work->progress == NULL ||
                   work->progress(work->context, done, s->interval_count)
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_CANCELLED, "looking for what stands out was cancelled");
}

static ocelotl_status measure_likes(const scan *s)
{
    const uint32_t likes = s->table->tree->like_count;
    for (size_t i = 0; i < s->interval_count; i++) {
        OC_TRY(go_on(s, i));
        find_means(s, &s->intervals[i]);
        for (uint32_t like = 0; like < likes; like++) {
            const size_t count = gather(s, like);
            double *median = &s->medians[i * likes + like];
            double *spread = &s->spreads[i * likes + like];
            *median = *spread = (double)NAN;
            if (count >= LIKE_LEAST)
                *spread = oc_spread(median, s->numbers, count);
        }
        note_farthest(s, i);
    }
    return OCELOTL_OK;
}

/* The spread of nodes' extremes above their median: what is seldom is not in a spread. */
static double find_far_spread(double *median, double *numbers, size_t count)
{
    const double seldom = oc_quantile(numbers, count, 0.9);
    const double spread = oc_spread(median, numbers, count);
    return count > 0 ? fmax(spread, seldom - *median) : 0;
}

static void measure_farthest(const scan *s)
{
    const oc_scan_tree *tree = s->table->tree;
    for (int below = 0; below < 2; below++)
        for (uint32_t size = 0; size < s->sizes; size++)
            for (uint32_t like = 0; like < tree->like_count; like++) {
                const size_t at = (size_t)size * tree->like_count + like;
                size_t count = 0;
                for (uint32_t i = s->first_like[like]; i < s->first_like[like + 1]; i++)
                    s->numbers[count++] =
                        s->farthest[below][(size_t)size * tree->node_count + s->order[i]];
                s->far_spreads[below][at] = find_far_spread(&s->far[below][at], s->numbers, count);
            }
}

/* The spread of an interval may be small by chance; so that of others of its length counts, too. */
static ocelotl_status find_usual_spreads(scan *s)
{
    const uint32_t likes = s->table->tree->like_count;
    double *numbers = NULL;
    OC_TRY(oc_arena_allocate(&numbers, s->arena, s->interval_count, sizeof *numbers));
    for (uint32_t like = 0; like < likes; like++)
        for (uint32_t size = 0; size < s->sizes; size++) {
            size_t count = 0;
            for (size_t i = 0; i < s->interval_count; i++)
                if (s->intervals[i].size == size && !isnan(s->spreads[i * likes + like]))
                    numbers[count++] = s->spreads[i * likes + like];
            s->usual_spreads[size * likes + like] = oc_median(numbers, count);
        }
    return OCELOTL_OK;
}

/* How far a node is from those like it, in spreads, above or below; 0: nothing is like it. */
static double find_distance(const scan *s, size_t at, uint32_t node)
{
    const uint32_t like = s->table->tree->nodes[node].like;
    const size_t of = at * s->table->tree->like_count + like;
    if (like == OCELOTL_NONE || isnan(s->means[node]) || isnan(s->medians[of]))
        return 0;
    const double least = s->table->least / sqrt(s->intervals[at].length);
    return (s->means[node] - s->medians[of]) / fmax(s->spreads[of], least);
}

/* Siblings that are alike, and far from the others of their like in one direction. */
typedef struct group {
    uint32_t first, like; /* the one that is farthest, and what all are like */
    uint32_t count, rows;
    double excess; /* what belongs to it differs by so much at least */
    double sign;
    double median, usual, here, score, weight;
} group;

static double find_excess(const scan *s, const group *of, double usual, uint32_t node)
{
    return s->table->tree->nodes[node].like == of->like && !isnan(s->means[node])
               ? (s->means[node] - usual) * of->sign
               : 0;
}

/* The others: those like the group without it, or, where `cousins` are told, without any that
 * differ as much as it does. */
static size_t gather_others(const scan *s, const group *of, uint32_t parent, bool cousins,
                            const double *numbers)
{
    size_t count = 0;
    for (uint32_t i = s->first_like[of->like]; i < s->first_like[of->like + 1]; i++) {
        const uint32_t node = s->order[i];
        const bool in = (cousins || s->table->tree->nodes[node].parent == parent) &&
                        find_excess(s, of, of->median, node) >= of->excess;
        if (!in && !isnan(numbers[node]))
            s->numbers[count++] = numbers[node];
    }
    return count;
}

/* How many spreads a group is from the others of its like; 0 where it is more than half. */
static double measure_group(group *found, const scan *s, size_t at, uint32_t parent, bool cousins)
{
    const oc_scan_tree *tree = s->table->tree;
    const interval *over = &s->intervals[at];
    const bool more = found->sign > 0;
    const size_t of = (size_t)over->size * tree->like_count + found->like;
    const size_t all = s->first_like[found->like + 1] - s->first_like[found->like];
    const double least = s->table->least / sqrt(over->length);
    double spread = s->spreads[at * tree->like_count + found->like];
    double far = s->far[!more][of];
    double far_spread = s->far_spreads[!more][of];
    found->usual = found->median;
    if (cousins || found->count * few_of > all) {
        const double *farthest = s->farthest[!more] + (size_t)over->size * tree->node_count;
        size_t count = gather_others(s, found, parent, cousins, s->means);
        if (2 * count < all || all < LIKE_LEAST)
            return 0;
        spread = oc_spread(&found->usual, s->numbers, count);
        count = gather_others(s, found, parent, cousins, farthest);
        far_spread = find_far_spread(&far, s->numbers, count);
    }
    if (!cousins)
        spread = fmax(spread, s->usual_spreads[of]);
    const double excess = (found->here - found->usual) * found->sign;
    return fmin(excess / fmax(spread, least),
                (excess - far) / fmax(far_spread, fmax(0.15 * far, least)));
}

/* Finds the group of children of a node that is above, or below, the others over an interval. One
 * that is a large part of all is compared with the others alone. Score 0: there is none. */
static void find_group(group *found, const scan *s, size_t at, uint32_t parent, bool more)
{
    const oc_scan_tree *tree = s->table->tree;
    const interval *over = &s->intervals[at];
    double farthest = apart_first;
    *found = (group){.first = OCELOTL_NONE, .sign = more ? 1 : -1};
    for (uint32_t n = s->first_child[parent]; n != OCELOTL_NONE; n = s->next[n]) {
        const double distance = find_distance(s, at, n) * found->sign;
        if (distance >= farthest) {
            found->first = n;
            farthest = distance;
        }
    }
    if (found->first == OCELOTL_NONE)
        return;
    found->like = tree->nodes[found->first].like;
    found->median = s->medians[at * tree->like_count + found->like];
    found->excess = of_the_largest * find_excess(s, found, found->median, found->first);
    for (uint32_t n = s->first_child[parent]; n != OCELOTL_NONE; n = s->next[n])
        if (find_excess(s, found, found->median, n) >= found->excess) {
            found->count++;
            found->rows += tree->nodes[n].count;
            found->here += s->means[n] * tree->nodes[n].count;
        }
    found->here /= found->rows;
    double distance = measure_group(found, s, at, parent, false);
    if (distance < apart_least)
        distance = measure_group(found, s, at, parent, true) * apart_least / apart_cousins;
    found->score = distance >= apart_least ? distance * sqrt(found->count) : 0;
    found->weight = (found->here - found->usual) * found->sign *
                    sqrt((double)over->length * found->rows) /
                    fmax(s->usual_spreads[found->like], s->table->least);
}

static ocelotl_status find_candidates(scan *s, size_t at)
{
    for (uint32_t p = 0; p < s->table->tree->node_count; p++)
        for (int more = 0; more < 2 && s->first_child[p] != OCELOTL_NONE; more++) {
            group found;
            find_group(&found, s, at, p, more != 0);
            if (found.score < score_least)
                continue;
            OC_TRY(oc_grow(&s->candidates, &s->candidate_capacity, s->candidate_count + 1,
                           sizeof *s->candidates));
            s->candidates[s->candidate_count++] =
                (candidate){(uint32_t)at, p, more != 0, found.score, found.weight};
        }
    return OCELOTL_OK;
}

/* --- Those that overlap none that differs more */

static bool overlap(uint32_t a_first, uint32_t a_last, uint32_t b_first, uint32_t b_last)
{
    return a_first <= b_last && b_first <= a_last;
}

static bool have_rows_in_common(const oc_scan_tree *tree, const oc_outlier *a, const oc_outlier *b)
{
    for (uint32_t i = 0; i < a->node_count; i++)
        for (uint32_t j = 0; j < b->node_count; j++) {
            const oc_scan_node *x = &tree->nodes[a->nodes[i]];
            const oc_scan_node *y = &tree->nodes[b->nodes[j]];
            if (overlap(x->first, x->first + x->count - 1, y->first, y->first + y->count - 1))
                return true;
        }
    return false;
}

/* The median of the nodes of a like in one column, whose intervals are the first. */
static double column_usual(const scan *s, uint32_t column, uint32_t like)
{
    const double usual = s->medians[(size_t)column * s->table->tree->like_count + like];
    return isnan(usual) ? 0 : usual;
}

/* What the mean cell of nodes has in columns, and beyond the usual. */
static double measure_columns(double *here, const scan *s, const oc_outlier *of, uint32_t first,
                              uint32_t last)
{
    const size_t width = s->table->columns + 1;
    double excess = 0;
    size_t count = 0;
    *here = 0;
    for (uint32_t i = 0; i < of->node_count; i++) {
        const oc_scan_node *node = &s->table->tree->nodes[of->nodes[i]];
        for (size_t row = node->first; row < (size_t)node->first + node->count; row++)
            for (uint32_t column = first; column <= last; column++) {
                const size_t at = row * width + column;
                if (s->there[at + 1] == s->there[at])
                    continue;
                *here += s->sums[at + 1] - s->sums[at];
                excess += s->sums[at + 1] - s->sums[at] - column_usual(s, column, node->like);
                count++;
            }
    }
    *here /= (double)count;
    return count > 0 ? excess / (double)count : 0;
}

/* Whether nodes differ in a column by a share of what they do in the mean. */
static bool differ_in(const scan *s, const oc_outlier *one, uint32_t column, double share)
{
    double here;
    const double excess = one->here - one->usual;
    return measure_columns(&here, s, one, column, column) / excess >= share;
}

/* Takes in columns at the ends in which they differ as well, and lets go of those in which they
 * hardly do. */
static void fit_ends(oc_outlier *one, const scan *s)
{
    while (one->first > 0 && differ_in(s, one, one->first - 1, as_well))
        one->first--;
    while (one->last + 1 < s->table->columns && differ_in(s, one, one->last + 1, as_well))
        one->last++;
    while (one->first < one->last && !differ_in(s, one, one->first, hardly))
        one->first++;
    while (one->first < one->last && !differ_in(s, one, one->last, hardly))
        one->last--;
    const double excess = measure_columns(&one->here, s, one, one->first, one->last);
    one->usual = one->here - excess;
}

static ocelotl_status make_outlier(oc_outlier *made, const scan *s, const candidate *of)
{
    const oc_scan_tree *tree = s->table->tree;
    const interval *over = &s->intervals[of->interval];
    uint32_t *nodes = NULL;
    group found;
    find_means(s, over);
    find_group(&found, s, of->interval, of->parent, of->more);
    const double median = s->medians[(size_t)of->interval * tree->like_count + found.like];
    OC_TRY(oc_arena_allocate(&nodes, s->arena, found.count, sizeof *nodes));
    *made = (oc_outlier){.nodes = nodes,
                         .row_count = found.rows,
                         .others = s->first_like[found.like + 1] - s->first_like[found.like] -
                                   found.count,
                         .first = over->first,
                         .last = over->first + over->length - 1,
                         .here = found.here,
                         .usual = found.usual,
                         .score = of->score};
    for (uint32_t n = s->first_child[of->parent]; n != OCELOTL_NONE; n = s->next[n])
        if (find_excess(s, &found, median, n) >= found.excess)
            nodes[made->node_count++] = n;
    fit_ends(made, s);
    return OCELOTL_OK;
}

static ocelotl_status choose(oc_outliers *outliers, scan *s, size_t most)
{
    oc_weighed *order = NULL;
    OC_TRY(oc_arena_allocate(&order, s->arena, s->candidate_count, sizeof *order));
    for (size_t i = 0; i < s->candidate_count; i++)
        order[i] = (oc_weighed){s->candidates[i].weight, i};
    oc_sort_weighed(order, s->candidate_count);
    for (size_t i = 0; i < s->candidate_count && i < CANDIDATES_MOST && outliers->count < most;
         i++) {
        oc_outlier one;
        bool is_apart = true;
        OC_TRY(make_outlier(&one, s, &s->candidates[order[i].place]));
        for (size_t k = 0; k < outliers->count && is_apart; k++)
            is_apart =
                !overlap(one.first, one.last, outliers->all[k].first, outliers->all[k].last) ||
                !have_rows_in_common(s->table->tree, &one, &outliers->all[k]);
        if (is_apart) {
            OC_TRY(oc_arena_grow(&outliers->all, &outliers->capacity, s->arena, outliers->count + 1,
                                 sizeof *outliers->all));
            outliers->all[outliers->count++] = one;
        }
    }
    return OCELOTL_OK;
}

/* --- The whole */

/* An only child is its parent. */
static void link_children(uint32_t *first_child, uint32_t *next, const oc_scan_tree *tree)
{
    for (uint32_t n = 0; n < tree->node_count; n++)
        first_child[n] = next[n] = OCELOTL_NONE;
    for (uint32_t n = tree->node_count; n-- > 1;) {
        const uint32_t parent = tree->nodes[n].parent;
        next[n] = first_child[parent];
        if (tree->nodes[n].count < tree->nodes[parent].count)
            first_child[parent] = n;
    }
}

/* An own arena has what the scan needs until it ends. */
static ocelotl_status allocate_rows(scan *s, oc_arena *arena)
{
    const oc_scan_tree *tree = s->table->tree;
    const size_t cells = tree->row_count * (s->table->columns + 1);
    OC_TRY(oc_arena_allocate(&s->sums, arena, cells, sizeof *s->sums));
    OC_TRY(oc_arena_allocate(&s->there, arena, cells, sizeof *s->there));
    OC_TRY(oc_arena_allocate(&s->means, arena, tree->node_count, sizeof *s->means));
    OC_TRY(oc_arena_allocate(&s->total, arena, tree->row_count + (size_t)1, sizeof *s->total));
    OC_TRY(oc_arena_allocate(&s->alive, arena, tree->row_count + (size_t)1, sizeof *s->alive));
    OC_TRY(oc_arena_allocate(&s->numbers, arena, tree->node_count, sizeof *s->numbers));
    OC_TRY(oc_arena_allocate(&s->order, arena, tree->node_count, sizeof *s->order));
    OC_TRY(oc_arena_allocate(&s->first_like, arena, tree->like_count + (size_t)2,
                             sizeof *s->first_like));
    OC_TRY(oc_arena_allocate(&s->first_child, arena, tree->node_count, sizeof *s->first_child));
    return oc_arena_allocate(&s->next, arena, tree->node_count, sizeof *s->next);
}

static ocelotl_status allocate_measures(scan *s, oc_arena *arena)
{
    const size_t likes = s->table->tree->like_count;
    const size_t nodes = s->table->tree->node_count;
    OC_TRY(oc_arena_allocate(&s->medians, arena, s->interval_count * likes, sizeof *s->medians));
    OC_TRY(oc_arena_allocate(&s->spreads, arena, s->interval_count * likes, sizeof *s->spreads));
    OC_TRY(oc_arena_allocate(&s->usual_spreads, arena, s->sizes * likes, sizeof *s->usual_spreads));
    for (int below = 0; below < 2; below++) {
        OC_TRY(oc_arena_allocate(&s->farthest[below], arena, s->sizes * nodes,
                                 sizeof *s->farthest[below]));
        OC_TRY(oc_arena_allocate(&s->far[below], arena, s->sizes * likes, sizeof *s->far[below]));
        OC_TRY(oc_arena_allocate(&s->far_spreads[below], arena, s->sizes * likes,
                                 sizeof *s->far_spreads[below]));
    }
    return OCELOTL_OK;
}

static ocelotl_status find_all(oc_outliers *outliers, scan *s, size_t most)
{
    const oc_scan_tree *tree = s->table->tree;
    for (uint32_t n = 0; n < tree->node_count; n++)
        if (tree->nodes[n].like != OCELOTL_NONE)
            s->first_like[tree->nodes[n].like + 2]++;
    for (uint32_t like = 0; like < tree->like_count; like++)
        s->first_like[like + 2] += s->first_like[like + 1];
    for (uint32_t n = 0; n < tree->node_count; n++)
        if (tree->nodes[n].like != OCELOTL_NONE)
            s->order[s->first_like[tree->nodes[n].like + 1]++] = n;
    link_children(s->first_child, s->next, s->table->tree);
    const size_t columns = s->table->columns;
    for (size_t row = 0; row < s->table->tree->row_count; row++)
        for (size_t c = 0; c < columns; c++) {
            const double value = s->table->values[row * columns + c];
            const size_t at = row * (columns + 1) + c;
            s->sums[at + 1] = s->sums[at] + (isnan(value) ? 0 : value);
            s->there[at + 1] = s->there[at] + (isnan(value) ? 0 : 1);
        }
    OC_TRY(measure_likes(s));
    measure_farthest(s);
    OC_TRY(find_usual_spreads(s));
    for (size_t i = 0; i < s->interval_count; i++) {
        OC_TRY(go_on(s, i));
        find_means(s, &s->intervals[i]);
        OC_TRY(find_candidates(s, i));
    }
    return choose(outliers, s, most);
}

ocelotl_status oc_scan_find(oc_outliers *outliers, oc_arena *arena, const oc_scan_table *table,
                            size_t most)
{
    scan s = {.table = table, .arena = arena};
    oc_arena own = {0};
    *outliers = (oc_outliers){0};
    ocelotl_status status =
        list_intervals(&s.intervals, &s.interval_count, &s.sizes, (uint32_t)table->columns);
    if (status == OCELOTL_OK)
        status = allocate_rows(&s, &own);
    if (status == OCELOTL_OK)
        status = allocate_measures(&s, &own);
    if (status == OCELOTL_OK)
        status = find_all(outliers, &s, most);
    oc_arena_free(&own);
    free(s.intervals);
    free(s.candidates);
    return status;
}
