/* Looks at windows of all lengths in all nodes: what a run does there is compared as a whole, so
 * what comes a little earlier or later, or differs from step to step, adds up to nothing. */
#include "compare/places.h"

#include "base/memory.h"
#include "compare/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With one base and with several, which say more surely what is by chance: the slices of a window
 * that its borders move by chance; and so many times the mean is what leaves differ by at most. */
static const double chance[] = {0.8, 0.5};
static const double noise_factor[] = {5, 4};

/* Windows are longer by a share of their length, one of so many, and begin half as far apart. */
enum { LONGER = 4 };

/* A run on the slices of the first. */
typedef struct laid {
    const ocelotl_model *model;
    const uint32_t *same; /* by type: its number among those of the first, or OCELOTL_NONE */
    uint32_t types, slices;
    double mean;   /* of what a resource has in a slice */
    double *at;    /* by slice of the first, and behind the last: where it begins, in own slices */
    double *sums;  /* own slices x types of a node */
    double *until; /* at x types of the first and one more: what is before it, over the mean */
} laid;

/* The window of a node that moves most. */
typedef struct place {
    uint32_t node, first, end;
    uint32_t now[2]; /* where that is in the last run: the slices of the first */
    double worth;    /* to be said */
    oc_changed is;
} place;

/* Slices of the first. */
typedef struct window {
    uint32_t first, end;
    double noise; /* the share of its time that a leaf spends otherwise by chance */
} window;

typedef struct looking {
    const ocelotl_comparison *c; /* of the first with the last */
    laid *runs;
    size_t count; /* of runs, with the first and the last */
    uint32_t slices, types;
    double max_loss;
    bool several; /* bases */
    window *windows;
    size_t window_count, window_capacity;
    double *like[2]; /* what is before each slice in the leaf before, and in the one before that */
    double *densities; /* runs x types: what each has in a slice of a window */
    double *sum;       /* by type: of those of all but the last */
} looking;

/* Between the borders of phases slices are stretched alike. */
static void place_slices(laid *run, const ocelotl_comparison_info *info,
                         const ocelotl_phases *phases)
{
    const size_t count = ocelotl_phases_count(phases);
    double scale[2];
    for (int m = 0; m < 2; m++)
        scale[m] = count > 0 ? info->slices[m] / info->duration[m] : info->slices[m];
    for (size_t i = 0; i == 0 || i < count; i++) {
        ocelotl_phase phase = {.length = {1, 1}};
        if (count > 0)
            phase = ocelotl_phases_at(phases, i);
        const double from = phase.begin[0] * scale[0];
        const double length = phase.length[0] * scale[0];
        for (uint32_t t = (uint32_t)lround(from); t <= (uint32_t)lround(from + length); t++)
            run->at[t] = (phase.begin[1] + (t - from) / length * phase.length[1]) * scale[1];
    }
}

/* Finds what a resource of a node has before each slice of the first. */
static ocelotl_status lay(laid *run, uint32_t node, uint32_t slices, uint32_t types)
{
    OC_TRY(ocelotl_model_sums(run->sums, run->model, node, 0, run->slices - 1));
    const double share = 1 / (run->mean * ocelotl_model_node_at(run->model, node).row_count);
    for (uint32_t t = 1; t <= slices; t++) {
        double *row = run->until + (size_t)t * types;
        memcpy(row, row - types, types * sizeof *row);
        for (uint32_t slice = (uint32_t)run->at[t - 1]; slice < run->slices && slice < run->at[t];
             slice++) {
            const double part = fmin(run->at[t], slice + 1) - fmax(run->at[t - 1], slice);
            for (uint32_t x = 0; x < run->types; x++)
                row[run->same == NULL              ? x
                    : run->same[x] == OCELOTL_NONE ? types - 1
                                                   : run->same[x]] +=
                    part * share * run->sums[(size_t)slice * run->types + x];
        }
    }
    return OCELOTL_OK;
}

/* Lays a node of some runs, if all of them have it. */
static ocelotl_status lay_all(bool *common, looking *with,
                              const ocelotl_comparison *const *comparisons, uint32_t node,
                              size_t count)
{
    *common = true;
    for (size_t r = 0; r < count && *common; r++) {
        const uint32_t own = r > 0 ? comparisons[r - 1]->other[0][node] : node;
        *common = own != OCELOTL_NONE && with->runs[r].mean > 0;
        if (*common)
            OC_TRY(lay(&with->runs[r], own, with->slices, with->types));
    }
    return OCELOTL_OK;
}

static ocelotl_status begin(looking *with, const ocelotl_comparison *const *comparisons,
                            ocelotl_phases *const *phases)
{
    with->slices = with->c->info.slices[0];
    with->types = with->c->infos[0].type_count + 1;
    OC_TRY(oc_allocate(&with->runs, with->count, sizeof *with->runs));
    OC_TRY(oc_allocate(&with->densities, with->count, with->types * sizeof *with->densities));
    OC_TRY(oc_allocate(&with->sum, with->types, sizeof *with->sum));
    for (size_t r = 0; r < with->count; r++) {
        laid *run = &with->runs[r];
        const ocelotl_comparison *c = comparisons[r > 0 ? r - 1 : 0];
        const int m = r > 0;
        run->model = c->models[m];
        run->same = r > 0 ? c->other_type[1] : NULL;
        run->types = c->infos[m].type_count;
        run->slices = c->infos[m].slice_count;
        const size_t cells = (size_t)run->slices * run->types;
        OC_TRY(oc_allocate(&run->at, with->slices + (size_t)1, sizeof *run->at));
        OC_TRY(oc_allocate(&run->sums, cells, sizeof *run->sums));
        OC_TRY(
            oc_allocate(&run->until, with->slices + (size_t)1, with->types * sizeof *run->until));
        place_slices(run, &c->info, r > 0 ? phases[r - 1] : NULL);
        OC_TRY(ocelotl_model_sums(run->sums, run->model, 0, 0, run->slices - 1));
        for (size_t i = 0; i < cells; i++)
            run->mean += run->sums[i];
        run->mean /= (double)run->slices * ocelotl_model_node_at(run->model, 0).row_count;
    }
    return OCELOTL_OK;
}

/* --- A window */

/* Finds what a run has in its slices that are those of the first from one to another. */
static void find_density(looking *with, size_t r, uint32_t first, uint32_t end)
{
    const laid *run = &with->runs[r];
    const double width = run->at[end] - run->at[first];
    const double *from = run->until + (size_t)first * with->types;
    const double *to = run->until + (size_t)end * with->types;
    for (uint32_t x = 0; x < with->types; x++)
        with->densities[r * with->types + x] = width > 0 ? (to[x] - from[x]) / width : 0;
}

static void find_bases(looking *with, uint32_t first, uint32_t end)
{
    memset(with->sum, 0, with->types * sizeof *with->sum);
    for (size_t r = 0; r + 1 < with->count; r++) {
        find_density(with, r, first, end);
        for (uint32_t x = 0; x < with->types; x++)
            with->sum[x] += with->densities[r * with->types + x];
    }
}

/* What a run has of a type beyond the mean of those before the last but itself. */
static double beyond_others(const looking *with, size_t run, uint32_t type)
{
    const double is = with->densities[run * with->types + type];
    const bool last = run + 1 == with->count;
    return is - (with->sum[type] - (last ? 0 : is)) / ((double)with->count - (last ? 1 : 2));
}

/* The share of the time that a run spends otherwise. */
static double otherwise(const looking *with, size_t run)
{
    double sides[2] = {0, 0};
    for (uint32_t x = 0; x < with->types; x++) {
        const double more = beyond_others(with, run, x);
        sides[more > 0] += fabs(more);
    }
    return fmax(sides[0], sides[1]);
}

/* The share of its time that the last run spends otherwise, at the least of all places within a
 * slice of where the window is. */
static double at_least(uint32_t now[2], looking *with, uint32_t first, uint32_t end)
{
    double least = INFINITY;
    for (uint32_t from = first > 0 ? first - 1 : 0; from <= first + 1; from++)
        for (uint32_t to = end - 1; to <= end + 1 && to <= with->slices; to++) {
            find_density(with, with->count - 1, from, to);
            const double apart = to > from ? otherwise(with, with->count - 1) : INFINITY;
            if (apart < least) {
                least = apart;
                now[0] = from;
                now[1] = to;
            }
        }
    return least;
}

/* What a window is worth to be said: the slices of which a share is spent otherwise, beyond chance;
 * with what is within the limit only where nothing is beyond that. */
static double weigh(const looking *with, double share, double length)
{
    const double beyond = (share - with->max_loss) * length - chance[with->several];
    return beyond > 0 ? with->slices + beyond : share * length - chance[with->several];
}

/* Keeps the window if it is worth more than the best one before. */
static void try_window(place *best, looking *with, const window *in, double leaves)
{
    const uint32_t first = in->first;
    const uint32_t end = in->end;
    const size_t last = with->count - 1;
    const double *at = with->runs[last].at;
    const double length = fmin(end - first, at[end] - at[first]);
    uint32_t now[2] = {first, end};
    double spread = noise_factor[with->several] * in->noise / sqrt(leaves);
    find_bases(with, first, end);
    find_density(with, last, first, end);
    if (!(weigh(with, otherwise(with, last) - spread, length) > best->worth))
        return;
    for (size_t r = 0; r < last && last > 1; r++)
        spread = fmax(spread, otherwise(with, r));
    const double share = at_least(now, with, first, end) - spread;
    if (!(weigh(with, share, length) > best->worth))
        return;
    best->worth = weigh(with, share, length);
    best->first = first;
    best->end = end;
    memcpy(best->now, now, sizeof now);
    best->is.change = share - chance[with->several] / length;
    best->is.moved = best->is.change * length;
    best->is.spread = spread;
}

/* --- What leaves do by chance */

static ocelotl_status make_windows(looking *with)
{
    for (uint32_t length = 2; length <= with->slices; length += length / LONGER + 1)
        for (uint32_t first = 0; first + length <= with->slices; first += length / LONGER / 2 + 1) {
            OC_TRY(oc_grow(&with->windows, &with->window_capacity, with->window_count + 1,
                           sizeof *with->windows));
            with->windows[with->window_count++] = (window){first, first + length, 0};
        }
    return OCELOTL_OK;
}

/* The share of the time that a leaf spends otherwise than another in the first run. */
static double unlike(const looking *with, const double *other, const window *in)
{
    const size_t types = with->types;
    const double *own = with->runs[0].until;
    const double length = in->end - in->first;
    double sides[2] = {0, 0};
    for (size_t x = 0; x < types; x++) {
        const double more = own[in->end * types + x] - own[in->first * types + x] -
                            other[in->end * types + x] + other[in->first * types + x];
        sides[more > 0] += fabs(more) / length;
    }
    return fmax(sides[0], sides[1]);
}

/* Adds what a leaf does by chance: of several bases, what each does otherwise than the others; of
 * one, what is not alike in the leaf that is most like it of the two before. */
static void add_noise(looking *with, size_t before)
{
    const size_t bases = with->count - 1;
    for (size_t i = 0; i < with->window_count; i++) {
        window *in = &with->windows[i];
        if (bases == 1) {
            double least = before > 0 ? unlike(with, with->like[0], in) : 0;
            if (before > 1)
                least = fmin(least, unlike(with, with->like[1], in));
            in->noise += least;
            continue;
        }
        find_bases(with, in->first, in->end);
        for (size_t r = 0; r < bases; r++)
            in->noise += otherwise(with, r) / (double)bases;
    }
    double *oldest = with->like[1];
    with->like[1] = with->like[0];
    with->like[0] = oldest;
    memcpy(oldest, with->runs[0].until, (with->slices + (size_t)1) * with->types * sizeof *oldest);
}

static ocelotl_status find_noise(looking *with, const ocelotl_comparison *const *comparisons)
{
    const oc_tree *tree = &with->c->models[0]->matrix.tree;
    size_t leaves = 0;
    for (int i = 0; i < 2; i++)
        OC_TRY(oc_allocate(&with->like[i], with->slices + (size_t)1,
                           with->types * sizeof *with->like[i]));
    for (uint32_t k = 0; k < tree->node_count; k++) {
        bool common;
        if (!oc_tree_is_leaf(tree, k))
            continue;
        OC_TRY(lay_all(&common, with, comparisons, k, with->count - 1));
        if (common)
            add_noise(with, leaves++);
    }
    for (size_t i = 0; i < with->window_count && leaves > 0; i++)
        with->windows[i].noise /= (double)leaves;
    return OCELOTL_OK;
}

/* --- A node */

/* The type of the last run that the first has not; the one that a node has most of. */
static const char *find_new_type(const looking *with)
{
    const laid *last = &with->runs[with->count - 1];
    const char *name = "";
    double most = 0;
    for (uint32_t x = 0; x < last->types; x++) {
        double sum = 0;
        for (uint32_t slice = 0; slice < last->slices && last->same[x] == OCELOTL_NONE; slice++)
            sum += last->sums[(size_t)slice * last->types + x];
        if (sum > most) {
            most = sum;
            name = last->model->types[x].name;
        }
    }
    return name;
}

/* Says what the window is. */
static void describe(place *best, looking *with)
{
    const laid *last = &with->runs[with->count - 1];
    const ocelotl_model *first = with->c->models[0];
    const double slice = with->c->info.duration[1] / with->c->info.slices[1];
    oc_changed *is = &best->is;
    double largest = 0;
    find_bases(with, best->first, best->end);
    find_density(with, with->count - 1, best->now[0], best->now[1]);
    for (uint32_t x = 0; x < with->types; x++) {
        const double more = beyond_others(with, with->count - 1, x);
        if (fabs(more) <= largest)
            continue;
        largest = fabs(more);
        is->type = x + 1 < with->types ? first->types[x].name : find_new_type(with);
        is->now = with->densities[(with->count - 1) * with->types + x];
        is->before = is->now - more;
    }
    is->path = first->nodes[best->node].path;
    is->leaves = ocelotl_model_node_at(first, best->node).row_count;
    is->begin = last->at[best->now[0]] * slice;
    is->end = last->at[best->now[1]] * slice;
    is->moved *= slice * is->leaves;
}

static ocelotl_status look_at(place *best, looking *with,
                              const ocelotl_comparison *const *comparisons, uint32_t node)
{
    *best = (place){.node = node, .is = {.kind = OC_CHANGE_STRUCTURE, .type = ""}};
    bool common;
    OC_TRY(lay_all(&common, with, comparisons, node, with->count));
    if (!common)
        return OCELOTL_OK;
    const double leaves = ocelotl_model_node_at(with->runs[0].model, node).row_count;
    for (size_t i = 0; i < with->window_count; i++)
        try_window(best, with, &with->windows[i], leaves);
    if (best->worth > 0)
        describe(best, with);
    return OCELOTL_OK;
}

/* --- All nodes */

static bool is_within(const oc_tree *tree, uint32_t node, uint32_t other)
{
    return node >= other && node < other + tree->subtree[other];
}

/* Whether a place that moves more is in the same, at the same time, and differs alike. */
static bool is_said(const place *all, uint32_t index, const oc_tree *tree)
{
    const place *at = &all[index];
    for (uint32_t i = 0; i < index; i++)
        if ((is_within(tree, all[i].node, at->node) || is_within(tree, at->node, all[i].node)) &&
            all[i].first < at->end && at->first < all[i].end &&
            strcmp(all[i].is.type, at->is.type) == 0 &&
            (all[i].is.now > all[i].is.before) == (at->is.now > at->is.before))
            return true;
    return false;
}

static int by_moved(const void *a, const void *b)
{
    const place *const x = a;
    const place *const y = b;
    return x->is.moved > y->is.moved   ? -1
           : x->is.moved < y->is.moved ? 1
           : x->node < y->node         ? -1
                                       : x->node > y->node;
}

ocelotl_status oc_find_changed_places(oc_changed *places, size_t *found,
                                      const ocelotl_comparison *const *comparisons,
                                      ocelotl_phases *const *phases, size_t count, double max_loss)
{
    looking with = {.c = comparisons[count - 1],
                    .count = count + 1,
                    .max_loss = max_loss,
                    .several = count > 1};
    const uint32_t nodes = with.c->infos[0].node_count;
    place *all = NULL;
    ocelotl_status status = begin(&with, comparisons, phases);
    if (status == OCELOTL_OK)
        status = make_windows(&with);
    if (status == OCELOTL_OK)
        status = find_noise(&with, comparisons);
    if (status == OCELOTL_OK)
        status = oc_allocate(&all, nodes, sizeof *all);
    for (uint32_t k = 0; k < nodes && status == OCELOTL_OK; k++)
        status = look_at(&all[k], &with, comparisons, k);
    if (status == OCELOTL_OK)
        qsort(all, nodes, sizeof *all, by_moved);
    *found = 0;
    for (uint32_t k = 0; status == OCELOTL_OK && k < nodes && all[k].worth > 0; k++)
        if (*found < OC_PLACES_MOST && !is_said(all, k, &with.c->models[0]->matrix.tree))
            places[(*found)++] = all[k].is;
    free(all);
    for (size_t r = 0; with.runs != NULL && r < with.count; r++) {
        free(with.runs[r].at);
        free(with.runs[r].sums);
        free(with.runs[r].until);
    }
    free(with.runs);
    free(with.windows);
    free(with.like[0]);
    free(with.like[1]);
    free(with.densities);
    free(with.sum);
    return status;
}
