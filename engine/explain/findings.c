/* What stands out in a trace: what is unlike its like, in shares of time and in single calls. */
#include "base/arena.h"
#include "base/memory.h"
#include "base/weighed.h"
#include "explain/explain.h"
#include "explain/explaining.h"
#include "explain/scan.h"
#include "look/idle.h"
#include "store/trace/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ocelotl/levels.h>

/* --- The phases of the whole: what all resources do together, one time after another */

/* docs/explain.md gives the reason of each. */
static const double alike = 0.25;     /* phases differ in so much of their time at most */
static const double said_least = 0.1; /* a second type is said from there on */

enum { UNIT_MOST = 6 };

typedef struct finding_phases {
    oc_explained *explained;
    oc_arena *arena;
    ocelotl_model_info info;
    double *shares; /* phase x type, as shares of what all types have */
} finding_phases;

static void find_leading(oc_phase *phase, const double *shares, uint32_t count)
{
    for (int k = 0; k < 2; k++) {
        phase->types[k] = OCELOTL_NONE;
        phase->shares[k] = 0;
        for (uint32_t t = 0; t < count; t++)
            if ((k == 0 || t != phase->types[0]) && shares[t] > phase->shares[k]) {
                phase->types[k] = t;
                phase->shares[k] = shares[t];
            }
    }
    if (phase->shares[1] < said_least)
        phase->types[1] = OCELOTL_NONE;
}

static void make_phase(oc_phase *phase, double *shares, const finding_phases *f, uint32_t first,
                       uint32_t last)
{
    double all = 0;
    *phase = (oc_phase){.begin = ocelotl_slice_begin(&f->info, first),
                        .end = ocelotl_slice_end(&f->info, last + 1.0),
                        .first = first,
                        .last = last};
    for (uint32_t t = 0; t < f->info.type_count; t++)
        all += shares[t];
    for (uint32_t t = 0; t < f->info.type_count; t++)
        shares[t] = all > 0 ? shares[t] / all : 0;
    find_leading(phase, shares, f->info.type_count);
}

/* Parts that follow each other and do mostly the same are one phase. */
static ocelotl_status take_parts(finding_phases *f, const ocelotl_partition *partition)
{
    oc_explained *explained = f->explained;
    const uint32_t types = f->info.type_count;
    const size_t count = ocelotl_partition_info_of(partition).part_count;
    double *whole = NULL;
    OC_TRY(oc_arena_allocate(&whole, f->arena, types, sizeof *whole));
    OC_TRY(oc_arena_allocate(&explained->phases, f->arena, count, sizeof *explained->phases));
    OC_TRY(oc_arena_allocate(&f->shares, f->arena, count * types, sizeof *f->shares));
    for (size_t i = 0; i < count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        const double slices = part.last - part.first + 1;
        double *own = f->shares + explained->phase_count * types;
        oc_phase one;
        for (uint32_t t = 0; t < types; t++) {
            own[t] = part.shares[t];
            whole[t] += part.shares[t] * slices;
        }
        make_phase(&one, own, f, part.first, part.last);
        oc_phase *before = i > 0 ? &explained->phases[explained->phase_count - 1] : NULL;
        if (before != NULL && before->types[0] == one.types[0]) {
            const double more = before->last - before->first + 1;
            double *kept = own - types;
            for (uint32_t t = 0; t < types; t++)
                kept[t] = kept[t] * more + own[t] * slices;
            make_phase(before, kept, f, before->first, one.last);
        } else {
            explained->phases[explained->phase_count++] = one;
        }
    }
    make_phase(&explained->whole, whole, f, 0, f->info.slice_count - 1);
    return OCELOTL_OK;
}

/* --- What repeats */

static bool are_alike(const finding_phases *f, size_t a, size_t b)
{
    const uint32_t types = f->info.type_count;
    double apart = 0;
    for (uint32_t t = 0; t < types; t++)
        apart += fabs(f->shares[a * types + t] - f->shares[b * types + t]);
    return f->explained->phases[a].types[0] == f->explained->phases[b].types[0] &&
           apart / 2 < alike;
}

static uint32_t count_repeats(const finding_phases *f, size_t first, uint32_t unit)
{
    uint32_t repeats = 1;
    for (size_t i = first + unit; i + unit <= f->explained->phase_count; i += unit, repeats++)
        for (size_t k = 0; k < unit; k++)
            if (!are_alike(f, first + k, i + k))
                return repeats;
    return repeats;
}

static ocelotl_status find_sections(finding_phases *f)
{
    oc_explained *explained = f->explained;
    const size_t count = explained->phase_count;
    double *lengths = NULL;
    OC_TRY(oc_arena_allocate(&lengths, f->arena, count, sizeof *lengths));
    OC_TRY(oc_arena_allocate(&explained->sections, f->arena, count, sizeof *explained->sections));
    for (size_t i = 0; i < count;) {
        oc_section *section = &explained->sections[explained->section_count++];
        *section = (oc_section){.first = i, .unit = 1, .repeats = 1};
        for (uint32_t unit = 1; unit <= UNIT_MOST && i + 2 * (size_t)unit <= count; unit++) {
            const uint32_t repeats = count_repeats(f, i, unit);
            if (repeats > 1 && repeats * unit > section->repeats * section->unit) {
                section->repeats = repeats;
                section->unit = unit;
            }
        }
        for (uint32_t r = 0; r < section->repeats; r++) {
            const oc_phase *begins = &explained->phases[section->first + (size_t)r * section->unit];
            lengths[r] = begins[section->unit - 1].end - begins->begin;
            section->longest = lengths[r] > lengths[section->longest] ? r : section->longest;
        }
        section->most = lengths[section->longest];
        section->median = oc_median(lengths, section->repeats);
        i += (size_t)section->repeats * section->unit;
    }
    return OCELOTL_OK;
}

/* Finds the phases of a model, those of the best partition of its time at the level to show first,
 * into what is explained. Of phases that repeat a section says how often. O(T^3) in slices. */
static ocelotl_status find_phases(oc_explained *explained, oc_arena *arena,
                                  const ocelotl_work *work)
{
    finding_phases f = {explained, arena, ocelotl_model_info_of(explained->model), NULL};
    ocelotl_aggregation *aggregation = NULL;
    ocelotl_partition *partition = NULL;
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    options.kind = OCELOTL_TEMPORAL;
    options.work = *work;
    ocelotl_status status = ocelotl_aggregation_create(&aggregation, explained->model, &options);
    if (status == OCELOTL_OK)
        status = ocelotl_solve_auto(&partition, aggregation);
    if (status == OCELOTL_OK)
        status = take_parts(&f, partition);
    if (status == OCELOTL_OK)
        status = find_sections(&f);
    ocelotl_partition_free(partition);
    ocelotl_aggregation_free(aggregation);
    return status;
}

/* --- Findings */

/* docs/explain.md gives the reason of each. */
enum { TYPES_MOST = 16 };
static const double share_least = 0.03;   /* of a slice */
static const double presence_least = 0.2; /* of a slice */
static const double count_least = 0.25;   /* of an event, or of the mean of slices */

struct oc_kept_explained {
    oc_explained is;
    oc_arena arena;
};

/* --- Cells */

static ocelotl_status choose_types(oc_explaining *x)
{
    const size_t slices = x->info.slice_count;
    const uint32_t types = x->info.type_count;
    double *sums = NULL;
    oc_weighed *order = NULL;
    OC_TRY(oc_arena_allocate(&sums, x->arena, slices * types, sizeof *sums));
    OC_TRY(oc_arena_allocate(&order, x->arena, types, sizeof *order));
    OC_TRY(oc_arena_allocate(&x->types, x->arena, TYPES_MOST, sizeof *x->types));
    OC_TRY(ocelotl_model_sums(sums, x->model, 0, 0, x->info.slice_count - 1));
    for (uint32_t t = 0; t < types; t++)
        order[t].place = t;
    for (size_t i = 0; i < slices * types; i++)
        order[i % types].weight += sums[i];
    oc_sort_weighed(order, types);
    for (uint32_t t = 0; t < types && t < TYPES_MOST; t++)
        if (order[t].weight > 0)
            x->types[x->type_count++] = (uint32_t)order[t].place;
    for (uint32_t t = 0; t < x->type_count; t++)
        x->made->is_untraced_work =
            x->made->is_untraced_work || (oc_explains_untraced(x, t) && oc_explains_work(x, t));
    return OCELOTL_OK;
}

/* What a leaf has in each slice, by type: a share of the time, a count, or the mean of a variable,
 * which is no number where there is none. */
static ocelotl_status read_leaf(double *values, const oc_explaining *x, uint32_t node)
{
    const uint32_t last = x->info.slice_count - 1;
    if (!x->made->variables)
        return ocelotl_model_sums(values, x->model, node, 0, last);
    for (uint32_t s = 0; s <= last; s++)
        OC_TRY(ocelotl_model_values(values + (size_t)s * x->info.type_count, x->model, node, s, s));
    return OCELOTL_OK;
}

static ocelotl_status read_cells(oc_explaining *x)
{
    const size_t slices = x->info.slice_count;
    const size_t rows = x->tree.row_count;
    const bool states = !x->made->counts && !x->made->variables;
    double *sums = NULL;
    OC_TRY(choose_types(x));
    OC_TRY(oc_arena_allocate(&sums, x->arena, slices * x->info.type_count, sizeof *sums));
    OC_TRY(oc_arena_allocate(&x->cells, x->arena, x->type_count * rows * slices, sizeof *x->cells));
    OC_TRY(oc_arena_allocate(&x->presence, x->arena, rows * slices, sizeof *x->presence));
    for (uint32_t n = 0; n < x->tree.node_count; n++) {
        const oc_scan_node *node = &x->tree.nodes[n];
        if (!oc_is_leaf_of(x->model, n))
            continue;
        OC_TRY(read_leaf(sums, x, n));
        for (size_t s = 0; s < slices; s++) {
            double *presence = &x->presence[node->first * slices + s];
            *presence = states ? 0 : 1;
            for (uint32_t t = 0; t < x->info.type_count && states; t++)
                *presence += sums[s * x->info.type_count + t];
            x->is_absent = x->is_absent || *presence < 1 - share_least;
            for (uint32_t t = 0; t < x->type_count; t++)
                x->cells[(t * rows + node->first) * slices + s] =
                    *presence > 0 ? sums[s * x->info.type_count + x->types[t]] : (double)NAN;
        }
    }
    return OCELOTL_OK;
}

/* How many rows of a node have a type as often as is usual, or less often. */
static uint32_t count_rows(const oc_explaining *x, uint32_t node, uint32_t table, bool fewer)
{
    const oc_scan_node *is = &x->tree.nodes[node];
    uint32_t count = 0;
    for (uint32_t row = is->first; row < is->first + is->count; row++) {
        const uint64_t calls = oc_call_series_of(&x->calls, table, row)->calls;
        count += fewer ? calls < x->usual_calls[table] : calls == x->usual_calls[table];
    }
    return count;
}

static bool have_all(const oc_explaining *x, const oc_outlier *one, uint32_t table, bool fewer)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < one->node_count; i++)
        count += count_rows(x, one->nodes[i], table, fewer);
    return count == one->row_count;
}

/* Whether rows, and most of those like them, have a type as often as is usual: then their calls are
 * compared one by one, and their shares differ by when they are. */
static bool are_compared_by_calls(const oc_explaining *x, const oc_outlier *one, uint32_t table)
{
    const uint32_t like = x->tree.nodes[one->nodes[0]].like;
    uint32_t rows = 0;
    uint32_t as_usual = 0;
    for (uint32_t n = 0; n < x->tree.node_count && x->usual_calls[table] > 0; n++)
        if (x->tree.nodes[n].like == like) {
            rows += x->tree.nodes[n].count;
            as_usual += count_rows(x, n, table, false);
        }
    return rows > 0 && as_usual * OC_LIKE_LEAST >= rows * (OC_LIKE_LEAST - 1) &&
           have_all(x, one, table, false);
}

/* What cells differ by to be told apart, at least. */
static double find_least(const oc_explaining *x, const double *cells)
{
    const size_t count = x->tree.row_count * x->info.slice_count;
    double sum = 0;
    size_t there = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(cells[i])) {
            sum += fabs(cells[i]);
            there++;
        }
    const double mean = there > 0 ? sum / (double)there : 0;
    return x->made->variables ? share_least * mean
           : x->made->counts  ? count_least * fmax(1, mean)
                              : share_least;
}

/* Seconds that are otherwise than usual; of what has no seconds of its own those in which it
 * differs, as far as it does. */
static double find_cost(const oc_explaining *x, const oc_outlier *one)
{
    const double most = fmax(fabs(one->here), fabs(one->usual));
    const double apart =
        fabs(one->here - one->usual) / (x->made->counts || x->made->variables ? most : 1);
    return apart * (one->last - one->first + 1.0) * ocelotl_slice_length(&x->info) * one->row_count;
}

static ocelotl_status find_shares(oc_explaining *x)
{
    const size_t slices = x->info.slice_count;
    for (uint32_t t = 0; t <= x->type_count; t++) {
        oc_outliers outliers;
        const bool presence = t == x->type_count;
        const double *cells = presence ? x->presence : x->cells + t * x->tree.row_count * slices;
        const oc_scan_table table = {&x->tree, cells, slices,
                                     presence ? presence_least : find_least(x, cells), x->work};
        if ((presence && !x->is_absent) || table.least <= 0)
            continue;
        OC_TRY(oc_scan_find(&outliers, x->arena, &table, OC_OUTLIERS_MOST));
        for (size_t i = 0; i < outliers.count; i++) {
            const oc_outlier *one = &outliers.all[i];
            if (!presence && one->first > 0 && oc_explains_work(x, t) &&
                are_compared_by_calls(x, one, t))
                continue;
            OC_TRY(oc_finding_add(
                x, &(oc_finding){.kind = presence ? OC_FINDING_PRESENCE : OC_FINDING_SHARE,
                                 .type = presence ? NULL : oc_explained_type(x, t),
                                 .nodes = one->nodes,
                                 .node_count = one->node_count,
                                 .leaves = one->row_count,
                                 .others = one->others,
                                 .begin = ocelotl_slice_begin(&x->info, one->first),
                                 .end = ocelotl_slice_end(&x->info, one->last + 1.0),
                                 .here = one->here,
                                 .usual = one->usual,
                                 .cost = find_cost(x, one),
                                 .score = one->score,
                                 .is_work = presence || oc_explains_work(x, t),
                                 .is_begin =
                                     one->first == 0 && (presence || oc_explains_untraced(x, t)),
                                 .is_missing = !presence && one->here < one->usual &&
                                               oc_explains_work(x, t) && have_all(x, one, t, true),
                                 .more = one->here > one->usual}));
        }
    }
    return OCELOTL_OK;
}

static ocelotl_status find_all(oc_explaining *x)
{
    bool are_services = false;
    if (!x->made->counts && !x->made->variables)
        OC_TRY(oc_services_find(&are_services, x));
    if (are_services)
        return OCELOTL_OK;
    OC_TRY(oc_likes_find(x));
    OC_TRY(read_cells(x));
    OC_TRY(oc_timings_read(x));
    OC_TRY(oc_devices_read(x));
    OC_TRY(find_shares(x));
    OC_TRY(oc_timings_find(x));
    OC_TRY(oc_findings_choose(x));
    return find_phases(x->made, x->arena, x->work);
}

ocelotl_status oc_explain_trace(oc_explained **explained, ocelotl_trace *trace,
                                const ocelotl_model *model, const ocelotl_work *work)
{
    struct oc_kept_explained *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    made->is.model = model;
    made->is.variables = !info.additive;
    made->is.counts = info.additive && strcmp(info.metric, "state-duration") != 0;
    oc_explaining x = {.arena = &made->arena,
                       .trace = trace,
                       .model = model,
                       .info = info,
                       .work = work,
                       .made = &made->is};
    const ocelotl_status status = find_all(&x);
    oc_calls_free(&x.calls);
    if (status != OCELOTL_OK)
        oc_explained_free(&made->is);
    else
        *explained = &made->is;
    return status;
}

void oc_explained_free(oc_explained *explained)
{
    struct oc_kept_explained *made = (struct oc_kept_explained *)explained;
    if (made == NULL)
        return;
    oc_arena_free(&made->arena);
    free(made);
}
