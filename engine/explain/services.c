/* What stands out in spans of services: operations that take longer at an instance than at others,
 * or than at other times, and spans that fail. Rows of services do nothing most of the time, and
 * each does something else: neither shares nor the k-th call of each can be compared. */
#include "explain/explaining.h"

#include "base/memory.h"
#include "store/read/walk.h"
#include "store/trace/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* docs/explain.md gives the reason of each. */
enum { SPANS_LEAST = 8, FOUND_MOST = 32 };
static const double apart_least = 8;     /* standard deviations */
static const double longer_least = 1.5;  /* times as long */
static const double failed_least = 0.05; /* more of all that fail, */
static const double oftener_least = 2;   /* and times as many */
static const double counted = 0.5;       /* of these, from which on what is more counts */
static const double spread_least = 0.1;  /* of logarithms of durations */
static const double same_time = 0.5; /* what overlaps by so much follows from what is stronger */

/* The spans of an operation at an instance, in a slice or in a time: logarithms of their durations
 * in ticks, and how many failed. */
typedef struct spans_sum {
    double count, logs, squares, failed;
} spans_sum;

/* What is usual of an operation of a service, at all instances. */
typedef struct usual {
    spans_sum all;
    double log, spread, failed;
} usual;

/* A place and a time that may stand out. */
typedef struct candidate {
    uint32_t first, last; /* slices */
    double score;
} candidate;

typedef struct services {
    oc_explaining *x;
    uint32_t *operations; /* nodes, */
    uint32_t *rows;       /* and their first ones */
    uint32_t *of_service; /* by operation: the number of its name in its service */
    uint32_t count, usual_count;
    uint32_t slices;
    spans_sum *cells; /* by operation and slice */
    usual *usual;
    double *sums;     /* scratch: of a node, up to each slice */
    double *expected; /* the same */
} services;

static spans_sum *cell_of(const services *all, uint32_t operation, uint32_t slice)
{
    return &all->cells[(size_t)operation * all->slices + slice];
}

static void add_sum(spans_sum *sum, const spans_sum *other, double sign)
{
    sum->count += sign * other->count;
    sum->logs += sign * other->logs;
    sum->squares += sign * other->squares;
    sum->failed += sign * other->failed;
}

static bool is_kind(const oc_explaining *x, uint32_t node, const char *kind)
{
    return strcmp(ocelotl_model_node_at(x->model, node).kind, kind) == 0;
}

/* The outermost node of a kind around a node, or itself. */
static uint32_t find_around(const oc_explaining *x, uint32_t node, const char *kind)
{
    uint32_t found = OCELOTL_NONE;
    for (; node != OCELOTL_ROOT && node != OCELOTL_NONE;
         node = ocelotl_model_node_at(x->model, node).parent)
        found = is_kind(x, node, kind) ? node : found;
    return found;
}

/* --- Reading */

/* Numbers operations, and those of one name in one service. */
static ocelotl_status find_operations(services *all, uint32_t *operation_of)
{
    oc_explaining *x = all->x;
    oc_map names = {0};
    oc_text key = {0};
    ocelotl_status status = OCELOTL_OK;
    for (uint32_t n = 0; n < x->info.node_count && status == OCELOTL_OK; n++) {
        const ocelotl_node node = ocelotl_model_node_at(x->model, n);
        const uint32_t around = find_around(x, n, "Operation");
        const uint32_t service = find_around(x, n, "Service");
        operation_of[n] =
            around != n && around != OCELOTL_NONE ? operation_of[around] : OCELOTL_NONE;
        if (around != n || service == OCELOTL_NONE)
            continue;
        oc_text_clear(&key);
        oc_text_format(&key, "%u %s", service, node.name);
        if (key.failed) {
            status = oc_fail_memory();
            break;
        }
        uint32_t number = oc_map_get(&names, key.bytes, key.length);
        if (number == OC_MAP_NONE) {
            number = all->usual_count++;
            status = oc_map_set(&names, key.bytes, key.length, number);
        }
        all->of_service[all->count] = number;
        all->operations[all->count] = n;
        all->rows[all->count] = node.leaf_first;
        operation_of[n] = all->count++;
    }
    oc_map_free(&names);
    oc_text_free(&key);
    return status;
}

/* The spans of a stream, as far as the model has their values. */
static ocelotl_status read_stream(services *all, oc_walk *walk, uint32_t stream, uint32_t operation,
                                  const bool *wanted)
{
    const oc_explaining *x = all->x;
    const ocelotl_trace *trace = x->trace;
    const double length = ((double)x->info.to - (double)x->info.from) / all->slices;
    const oc_interval *state;
    walk->to = x->info.to;
    OC_TRY(oc_walk_begin(walk, stream, x->info.from));
    for (;;) {
        OC_TRY(oc_walk_next_interval(&state, walk));
        if (state == NULL)
            return OCELOTL_OK;
        if (state->value >= trace->value_count || !wanted[state->value] ||
            state->begin < x->info.from || state->begin > x->info.to)
            continue;
        const double slice = floor(((double)state->begin - (double)x->info.from) / length);
        const double log_of = log(fmax(1, (double)state->end - (double)state->begin));
        const spans_sum one = {1, log_of, log_of * log_of,
                               strcmp(trace->values[state->value].name, "error") == 0};
        add_sum(cell_of(all, operation, (uint32_t)fmin(slice, all->slices - 1)), &one, 1);
    }
}

static ocelotl_status read_spans(services *all, const uint32_t *operation_of_resource,
                                 const bool *wanted)
{
    const ocelotl_trace *trace = all->x->trace;
    oc_watch watch = {.work = *all->x->work};
    oc_walk walk = {.reader.connection = oc_connection_of(all->x->trace)};
    walk.reader.watch = &watch;
    walk.reader.asks = true;
    ocelotl_status status = OCELOTL_OK;
    for (uint32_t s = 0; s < trace->stream_count && status == OCELOTL_OK; s++) {
        const oc_stream *stream = &trace->streams[s];
        const uint32_t operation = stream->resource < trace->resource_count
                                       ? operation_of_resource[stream->resource]
                                       : OCELOTL_NONE;
        if (stream->role == OC_ROLE_STATES && operation != OCELOTL_NONE)
            status = read_stream(all, &walk, s, operation, wanted);
    }
    oc_walk_free(&walk);
    return oc_fail_in_trace(all->x->trace, status);
}

static ocelotl_status read_all(services *all)
{
    oc_explaining *x = all->x;
    const ocelotl_trace *trace = x->trace;
    uint32_t *of_node = NULL;
    uint32_t *of_resource = NULL;
    bool *wanted = NULL;
    const uint32_t nodes = x->info.node_count;
    all->slices = x->info.slice_count;
    OC_TRY(oc_arena_allocate(&of_node, x->arena, nodes, sizeof *of_node));
    OC_TRY(oc_arena_allocate(&all->operations, x->arena, nodes, sizeof *all->operations));
    OC_TRY(oc_arena_allocate(&all->rows, x->arena, nodes, sizeof *all->rows));
    OC_TRY(oc_arena_allocate(&all->of_service, x->arena, nodes, sizeof *all->of_service));
    OC_TRY(find_operations(all, of_node));
    if (all->count == 0)
        return OCELOTL_OK;
    OC_TRY(oc_arena_allocate(&of_resource, x->arena, trace->resource_count, sizeof *of_resource));
    memset(of_resource, 0xff, trace->resource_count * sizeof *of_resource);
    for (uint32_t n = 0; n < nodes; n++) {
        const uint32_t source = ocelotl_model_node_at(x->model, n).source;
        if (source < trace->resource_count && of_node[n] != OCELOTL_NONE)
            of_resource[source] = of_node[n];
    }
    OC_TRY(oc_arena_allocate(&wanted, x->arena, trace->value_count, sizeof *wanted));
    for (uint32_t v = 0; v < trace->value_count; v++)
        for (uint32_t t = 0; t < x->info.type_count && !wanted[v]; t++)
            wanted[v] = strcmp(ocelotl_model_type_at(x->model, t).name, trace->values[v].name) == 0;
    OC_TRY(oc_arena_allocate(&all->cells, x->arena, (size_t)all->count * all->slices,
                             sizeof *all->cells));
    return read_spans(all, of_resource, wanted);
}

/* --- What is usual */

/* The middle of the means of cells: what lasts less than half of the time does not move it. */
static double find_middle(const services *all, uint32_t number, double *numbers)
{
    size_t count = 0;
    for (uint32_t o = 0; o < all->count; o++)
        for (uint32_t s = 0; all->of_service[o] == number && s < all->slices; s++)
            if (cell_of(all, o, s)->count > 0)
                numbers[count++] = cell_of(all, o, s)->logs / cell_of(all, o, s)->count;
    return oc_median(numbers, count);
}

static ocelotl_status find_usual(services *all)
{
    double *numbers = NULL;
    OC_TRY(oc_allocate(&numbers, (size_t)all->count * all->slices, sizeof *numbers));
    for (uint32_t o = 0; o < all->count; o++)
        for (uint32_t s = 0; s < all->slices; s++)
            add_sum(&all->usual[all->of_service[o]].all, cell_of(all, o, s), 1);
    for (uint32_t u = 0; u < all->usual_count; u++) {
        usual *is = &all->usual[u];
        const double mean = is->all.logs / fmax(1, is->all.count);
        const double square = is->all.squares / fmax(1, is->all.count) - mean * mean;
        is->spread = fmax(spread_least, sqrt(fmax(0, square)));
        is->failed = (is->all.failed + 1) / (is->all.count + 1);
        is->log = find_middle(all, u, numbers);
    }
    free(numbers);
    return OCELOTL_OK;
}

/* --- What stands out */

static bool is_in(const services *all, uint32_t operation, const ocelotl_node *node)
{
    return all->rows[operation] - node->leaf_first < node->leaf_count;
}

/* The first operation of a node: they are in the order of their rows. */
static uint32_t first_of(const services *all, const ocelotl_node *node)
{
    uint32_t low = 0;
    uint32_t high = all->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (all->rows[middle] < node->leaf_first)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether an operation is the first of its name in a node. */
static bool is_first(const services *all, uint32_t operation, const ocelotl_node *node)
{
    for (uint32_t o = first_of(all, node); o < operation; o++)
        if (all->of_service[o] == all->of_service[operation])
            return false;
    return true;
}

/* The time in which a node differs most: in durations, as the sum of what each is beyond the usual
 * one, in standard deviations; in failures by how unlikely so many are. */
static candidate find_time(services *all, uint32_t n, bool fails)
{
    const ocelotl_node node = ocelotl_model_node_at(all->x->model, n);
    candidate best = {0, 0, 0};
    memset(all->sums, 0, (all->slices + (size_t)1) * sizeof *all->sums);
    memset(all->expected, 0, (all->slices + (size_t)1) * sizeof *all->expected);
    for (uint32_t o = first_of(all, &node); o < all->count && is_in(all, o, &node); o++) {
        const usual *is = &all->usual[all->of_service[o]];
        const double from = is->log + counted * log(longer_least);
        const double share = is->failed + counted * failed_least;
        for (uint32_t s = 0; s < all->slices; s++) {
            const spans_sum *sum = cell_of(all, o, s);
            all->sums[s + 1] += fails ? sum->failed : (sum->logs - sum->count * from) / is->spread;
            all->expected[s + 1] += sum->count * (fails ? share : 1);
        }
    }
    for (uint32_t s = 0; s < all->slices; s++) {
        all->sums[s + 1] += all->sums[s];
        all->expected[s + 1] += all->expected[s];
    }
    for (uint32_t first = 0; first < all->slices; first++)
        for (uint32_t last = first; /* it does not begin with a slice without spans */
             all->expected[first + 1] > all->expected[first] && last < all->slices; last++) {
            const double sum = all->sums[last + 1] - all->sums[first];
            const double of = all->expected[last + 1] - all->expected[first];
            double score = 0;
            if (fails && sum > of && of > 0)
                score = sqrt(2 * (sum * log(sum / of) - (sum - of)));
            else if (!fails && sum > 0 && of >= SPANS_LEAST)
                score = sum / sqrt(of);
            if (score > best.score)
                best = (candidate){first, last, score};
        }
    return best;
}

/* What spans of an operation are in a node in a time, and what those elsewhere are. */
static void compare(const services *all, uint32_t n, const candidate *time, uint32_t operation,
                    spans_sum *here, spans_sum *elsewhere)
{
    const ocelotl_node node = ocelotl_model_node_at(all->x->model, n);
    *here = *elsewhere = (spans_sum){0};
    for (uint32_t o = 0; o < all->count; o++) {
        if (all->of_service[o] != operation)
            continue;
        for (uint32_t s = 0; s < all->slices; s++)
            add_sum(is_in(all, o, &node) && s >= time->first && s <= time->last ? here : elsewhere,
                    cell_of(all, o, s), 1);
    }
}

/* Adds a place and a time, if they differ by enough. */
static ocelotl_status add_found(services *all, uint32_t n, const candidate *time, bool fails)
{
    oc_explaining *x = all->x;
    const ocelotl_node node = ocelotl_model_node_at(x->model, n);
    const double tick = oc_explained_tick(x);
    spans_sum here, elsewhere;
    double failed = 0;
    double usually = 0;
    double spans = 0;
    oc_finding finding = {.kind = fails ? OC_FINDING_FAILURE : OC_FINDING_DURATION,
                          .type = "error",
                          .node_count = 1,
                          .leaves = node.leaf_count,
                          .begin = ocelotl_slice_begin(&x->info, time->first),
                          .end = ocelotl_slice_end(&x->info, time->last + 1.0),
                          .score = time->score,
                          .is_work = true,
                          .more = true};
    uint32_t *nodes = NULL;
    double most = 0;
    for (uint32_t o = first_of(all, &node); o < all->count && is_in(all, o, &node); o++) {
        if (!is_first(all, o, &node))
            continue;
        compare(all, n, time, all->of_service[o], &here, &elsewhere);
        const double log_usual = elsewhere.count > 0 ? elsewhere.logs / elsewhere.count
                                                     : all->usual[all->of_service[o]].log;
        const double seconds = exp(here.logs / fmax(1, here.count)) * tick;
        const double cost = here.count * (seconds - exp(log_usual) * tick);
        failed += here.failed;
        spans += here.count;
        usually += here.count * elsewhere.failed / fmax(1, elsewhere.count);
        finding.cost += fails ? here.failed * seconds : fmax(0, cost);
        if (!fails && cost > most) {
            most = cost;
            finding.type = ocelotl_model_node_at(x->model, all->operations[o]).name;
            finding.here = seconds;
            finding.usual = exp(log_usual) * tick;
        }
    }
    if (fails) {
        finding.here = failed / fmax(1, spans);
        finding.usual = usually / fmax(1, spans);
    }
    if (fails ? finding.here < finding.usual + failed_least ||
                    finding.here < oftener_least * finding.usual
              : most <= 0 || finding.here < longer_least * finding.usual)
        return OCELOTL_OK;
    OC_TRY(oc_arena_allocate(&nodes, x->arena, 1, sizeof *nodes));
    *nodes = n;
    finding.nodes = nodes;
    return oc_finding_add(x, &finding);
}

/* Takes what was found out of all that has it: its spans are as usual then. */
static void take_out(services *all, uint32_t n, const candidate *time, bool fails)
{
    const ocelotl_node node = ocelotl_model_node_at(all->x->model, n);
    for (uint32_t o = first_of(all, &node); o < all->count && is_in(all, o, &node); o++)
        for (uint32_t s = time->first; s <= time->last; s++) {
            spans_sum *sum = cell_of(all, o, s);
            if (fails)
                sum->failed = 0;
            else
                sum->count = sum->logs = 0;
        }
}

/* Nodes of whole operations, and what they are in. */
static bool may_stand_out(const services *all, uint32_t n)
{
    const uint32_t around = find_around(all->x, n, "Operation");
    return n > 0 && (around == n || around == OCELOTL_NONE);
}

static ocelotl_status find_each(services *all, bool fails)
{
    oc_explaining *x = all->x;
    candidate *best = NULL;
    OC_TRY(oc_arena_allocate(&best, x->arena, x->info.node_count, sizeof *best));
    for (uint32_t n = 0; n < x->info.node_count; n++)
        if (may_stand_out(all, n))
            best[n] = find_time(all, n, fails);
    for (int found = 0; found < FOUND_MOST; found++) {
        uint32_t n = 0; /* of what says the same the outermost */
        for (uint32_t other = 1; other < x->info.node_count; other++)
            n = best[other].score > best[n].score * (1 + 1e-9) ? other : n;
        if (best[n].score < apart_least)
            break;
        const candidate time = best[n];
        OC_TRY(add_found(all, n, &time, fails));
        take_out(all, n, &time, fails);
        const ocelotl_node node = ocelotl_model_node_at(x->model, n);
        for (uint32_t other = 1; other < x->info.node_count; other++) {
            const ocelotl_node is = ocelotl_model_node_at(x->model, other);
            if (best[other].score > 0 && is.leaf_first < node.leaf_first + node.leaf_count &&
                node.leaf_first < is.leaf_first + is.leaf_count)
                best[other] = find_time(all, other, fails);
        }
    }
    return OCELOTL_OK;
}

static double strength_of(const oc_finding *is)
{
    return is->kind == OC_FINDING_FAILURE ? is->here : is->here / is->usual;
}

/* Who asks what is slow, or fails, is slow as well, but by less. */
static bool follows(const oc_finding *one, const oc_finding *other)
{
    const double both = fmin(one->end, other->end) - fmax(one->begin, other->begin);
    return one->kind == other->kind && strength_of(one) < strength_of(other) &&
           both >= same_time * (one->end - one->begin);
}

static int compare_costs(const void *left, const void *right)
{
    const oc_finding *a = left;
    const oc_finding *b = right;
    return (a->cost < b->cost) - (a->cost > b->cost);
}

static void choose(oc_explaining *x)
{
    oc_explained *made = x->made;
    made->findings = x->found;
    for (size_t i = 0; i < x->found_count; i++) {
        bool is_effect = false;
        for (size_t k = 0; k < x->found_count && !is_effect; k++)
            is_effect = follows(&x->found[i], &x->found[k]);
        x->found[i].lasts = is_effect ? 0 : x->found[i].lasts;
    }
    for (size_t i = 0; i < x->found_count; i++)
        if (x->found[i].lasts > 0)
            made->findings[made->finding_count++] = x->found[i];
    if (made->finding_count > 1)
        qsort(made->findings, made->finding_count, sizeof *made->findings, compare_costs);
}

ocelotl_status oc_services_find(bool *are, oc_explaining *x)
{
    services all = {.x = x};
    *are = false;
    OC_TRY(read_all(&all));
    if (all.count == 0)
        return OCELOTL_OK;
    OC_TRY(oc_arena_allocate(&all.usual, x->arena, all.usual_count, sizeof *all.usual));
    OC_TRY(oc_arena_allocate(&all.sums, x->arena, all.slices + (size_t)1, sizeof *all.sums));
    OC_TRY(
        oc_arena_allocate(&all.expected, x->arena, all.slices + (size_t)1, sizeof *all.expected));
    OC_TRY(find_usual(&all));
    for (uint32_t u = 0; u < all.usual_count; u++) {
        x->made->spans += all.usual[u].all.count;
        x->made->failed += all.usual[u].all.failed;
    }
    for (uint32_t n = 0; n < x->info.node_count; n++)
        x->made->services += is_kind(x, n, "Service");
    *are = x->made->spans > 0;
    OC_TRY(find_each(&all, true));
    OC_TRY(find_each(&all, false));
    choose(x);
    return OCELOTL_OK;
}
