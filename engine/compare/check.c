/* The new run is checked against all bases: what those differ by is no change. */
#include "compare/check.h"
#include "base/memory.h"
#include "compare/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many places are looked at, those that matter most. */
enum { PLACES_MOST = 20 };

/* --- Places where a run spends its time otherwise than those before it: slices of a node */

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
    const size_t count = phases != NULL ? phases->count : 0;
    double scale[2];
    for (int m = 0; m < 2; m++)
        scale[m] = count > 0 ? info->slices[m] / info->duration[m] : info->slices[m];
    for (size_t i = 0; i == 0 || i < count; i++) {
        ocelotl_phase phase = {.length = {1, 1}};
        if (count > 0)
            phase = phases->list[i];
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
                            const ocelotl_phases *phases)
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
        place_slices(run, &c->info, r > 0 ? &phases[r - 1] : NULL);
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

/* What a window is worth to be said: the slices with a share that is spent otherwise, beyond
 * chance; with what is within the limit only where nothing is beyond that. */
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

/* Finds at most PLACES_MOST places of the last run, see oc_check_runs; phases[i] are those of
 * comparisons[i]. Of a node it is the one that moves most time beyond chance, of places within each
 * other that differ alike the one that does. The most time comes first. Their `beyond` is not set.
 * O(nodes x (cells below one + slices x types x runs)). */
static ocelotl_status find_changed_places(oc_changed *places, size_t *found,
                                          const ocelotl_comparison *const *comparisons,
                                          const ocelotl_phases *phases, size_t count,
                                          double max_loss)
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
        if (*found < PLACES_MOST && !is_said(all, k, &with.c->models[0]->matrix.tree))
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

/* --- The check */

/* A phase begins and ends to a slice, in both runs: one that changes by so few is the same. */
enum { LEAST_SLICES = 3 };

/* What a shorter phase than one of so many in the run changes by is a share of the run. */
static const double short_phase = 20;

typedef struct checking {
    const ocelotl_comparison *const *comparisons; /* of the first base with the others */
    ocelotl_phases *phases;                       /* the same */
    size_t count, bases;                          /* of runs, of those but the last */
    oc_check *check;
    size_t capacity;
} checking;

/* The comparison of the first with the last. */
static const ocelotl_comparison *of_last(const checking *with)
{
    return with->comparisons[with->bases - 1];
}

/* --- What changed: values of each run, the first base first */

static ocelotl_status add_changed(checking *with, const oc_changed *changed)
{
    oc_check *check = with->check;
    OC_TRY(oc_grow(&check->changed, &with->capacity, check->count + 1, sizeof *check->changed));
    check->changed[check->count++] = *changed;
    return OCELOTL_OK;
}

/* Adds a time that is `values` in the runs. A change of at most `least` seconds is none. */
static ocelotl_status add_time(checking *with, oc_changed *is, const double *values, double least)
{
    const size_t bases = with->bases;
    double sum = 0;
    for (size_t i = 0; i < bases; i++)
        sum += values[i];
    is->before = sum / (double)bases;
    is->now = values[bases];
    for (size_t i = 0; i < bases && bases > 1; i++)
        is->spread = fmax(is->spread, fabs(values[i] - (sum - values[i]) / ((double)bases - 1)));
    const double apart = fabs(is->now - is->before);
    const double whole = is->of_run ? of_last(with)->info.duration[0] : is->before;
    is->change = copysign(fmax(0, apart - is->spread), is->now - is->before);
    is->change = whole > 0 ? is->change / whole : is->change != 0 ? INFINITY : 0;
    is->moved = apart * is->leaves;
    is->beyond = fabs(is->change) > with->check->max_time && apart > least;
    with->check->time_changed |= is->beyond;
    return apart > 0 ? add_changed(with, is) : OCELOTL_OK;
}

static ocelotl_status find_durations(checking *with, double *values)
{
    const ocelotl_comparison *c = of_last(with);
    const ocelotl_phases *last = &with->phases[with->bases - 1];
    const double slice = c->info.duration[0] / c->info.slices[0];
    oc_changed whole = {.kind = OC_CHANGE_WHOLE,
                        .path = "",
                        .type = "",
                        .leaves = c->infos[0].leaf_count,
                        .end = c->info.duration[1]};
    for (size_t run = 0; run < with->count; run++)
        values[run] = with->comparisons[run > 0 ? run - 1 : 0]->info.duration[run > 0];
    OC_TRY(add_time(with, &whole, values, 0));
    for (size_t i = 0; i < last->count; i++) {
        const ocelotl_phase phase = last->list[i];
        oc_changed is = whole;
        is.kind = OC_CHANGE_PHASE;
        is.type = phase.type;
        is.phase = (uint32_t)i + 1;
        is.begin = phase.begin[1];
        is.end = phase.begin[1] + phase.length[1];
        is.spread = 0;
        values[0] = phase.length[0];
        for (size_t run = 0; run < with->bases; run++) /* one without time has none */
            values[run + 1] = i < with->phases[run].count ? with->phases[run].list[i].length[1] : 0;
        is.of_run = phase.length[0] * short_phase < c->info.duration[0];
        OC_TRY(add_time(with, &is, values, LEAST_SLICES * slice));
    }
    return OCELOTL_OK;
}

/* The time that each leaf of a node is in a type in a run, which may have no such node. */
static double time_of(const ocelotl_comparison *c, const ocelotl_change *of)
{
    for (size_t i = 0; i < c->info.change_count; i++)
        if (strcmp(c->changes[i].type, of->type) == 0 && strcmp(c->changes[i].path, of->path) == 0)
            return c->changes[i].second;
    return 0;
}

static ocelotl_status find_nodes(checking *with, double *values)
{
    const ocelotl_comparison *c = of_last(with);
    for (size_t i = 0; i < c->info.change_count && strcmp(c->info.unit, "s") == 0; i++) {
        const ocelotl_change *change = &c->changes[i];
        oc_changed is = {.kind = OC_CHANGE_NODE,
                         .path = change->path,
                         .type = change->type,
                         .leaves = change->leaves,
                         .of_run = true,
                         .end = c->info.duration[1]};
        if (!change->named)
            continue;
        values[0] = change->first;
        values[with->bases] = change->second;
        for (size_t base = 1; base < with->bases; base++)
            values[base] = time_of(with->comparisons[base - 1], change);
        OC_TRY(add_time(with, &is, values, 0));
    }
    return OCELOTL_OK;
}

/* --- All together */

static ocelotl_status find_structure(checking *with)
{
    oc_changed places[PLACES_MOST];
    oc_check *check = with->check;
    size_t found;
    OC_TRY(find_changed_places(places, &found, with->comparisons, with->phases, with->bases,
                               check->max_loss));
    for (size_t i = 0; i < found; i++) {
        places[i].beyond = places[i].change > check->max_loss;
        check->structure_changed |= places[i].beyond;
        check->loss = fmax(check->loss, places[i].change);
        OC_TRY(add_changed(with, &places[i]));
    }
    return OCELOTL_OK;
}

static int by_weight(const void *a, const void *b)
{
    const oc_changed *const x = a;
    const oc_changed *const y = b;
    if (x->beyond != y->beyond)
        return x->beyond ? -1 : 1;
    return x->moved > y->moved ? -1 : x->moved < y->moved;
}

static ocelotl_status check_runs(checking *with, double *values)
{
    for (size_t i = 0; i < with->bases; i++)
        OC_TRY(ocelotl_phases_find(&with->phases[i], with->comparisons[i]));
    OC_TRY(find_structure(with));
    OC_TRY(find_durations(with, values));
    OC_TRY(find_nodes(with, values));
    if (with->check->count > 0)
        qsort(with->check->changed, with->check->count, sizeof *with->check->changed, by_weight);
    return OCELOTL_OK;
}

ocelotl_status oc_check_runs(oc_check **check, const ocelotl_comparison *const *comparisons,
                             size_t count, double max_loss, double max_time)
{
    checking with = {.comparisons = comparisons, .count = count + 1, .bases = count};
    double *values = NULL;
    ocelotl_status status = oc_allocate(&with.check, 1, sizeof *with.check);
    if (status == OCELOTL_OK)
        status = oc_allocate(&with.phases, count, sizeof *with.phases);
    if (status == OCELOTL_OK)
        status = oc_allocate(&values, with.count, sizeof *values);
    if (status == OCELOTL_OK) {
        with.check->max_loss = max_loss;
        with.check->max_time = max_time;
        status = check_runs(&with, values);
    }
    for (size_t i = 0; with.phases != NULL && i < count; i++)
        free(with.phases[i].list);
    free(with.phases);
    free(values);
    if (status == OCELOTL_OK)
        *check = with.check;
    else
        oc_check_free(with.check);
    return status;
}

void oc_check_free(oc_check *check)
{
    if (check == NULL)
        return;
    free(check->changed);
    free(check);
}
