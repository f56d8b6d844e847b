/* What findings cost, which are causes, and which say the same. */
#include "explain/explaining.h"

#include "store/trace/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* docs/explain.md gives the reason of each. */
static const double nearly = 0.25;       /* a cause has so much of what follows from it */
static const double together = 0.5;      /* cousins are one in so much of their time */
static const double mostly = 0.2;        /* of the time from the first to the last */
static const double worth_least = 0.005; /* of its time */
static const double effect_least = 7;    /* spreads: what follows from something varies anyway, */
static const double shifted_least = 10;  /* and shares more than calls */
static const double end_least = 0.05;    /* of the window */
static const double all_least = 0.001;   /* of the window, that all take longer */
static const double of_a_step = 0.5;     /* resources take so much of a step longer */
static const double shifted = 1.5;       /* what is shifted by a cause is at most so much of it */
static const double role = 0.05;         /* of it others do as much of what is one's role */

enum { ROLE_OTHERS = 5 };

/* --- What they cost others */

static bool has_row(const oc_explaining *x, const oc_finding *finding, uint32_t row)
{
    for (uint32_t i = 0; i < finding->node_count; i++) {
        const oc_scan_node *node = &x->tree.nodes[finding->nodes[i]];
        if (row - node->first < node->count)
            return true;
    }
    return false;
}

/* Adds up what a row has beyond that of a median row, of the rows of a finding. */
static double find_excess(const oc_explaining *x, const oc_finding *finding, double *numbers)
{
    double own = 0;
    for (uint32_t row = 0; row < x->tree.row_count; row++)
        own += has_row(x, finding, row) ? numbers[row] : 0;
    return fmax(0, own - oc_median(numbers, x->tree.row_count) * finding->leaves);
}

/* What works longer lets others wait, which belongs to its price. Communication that lasts longer
 * because of waiting is the price of something else. */
static void add_waits(oc_explaining *x, oc_finding *finding, double *numbers)
{
    const int64_t from = oc_explained_ticks(x, finding->begin);
    const int64_t to = oc_explained_ticks(x, finding->end);
    const double tick = oc_explained_tick(x);
    const bool causes = finding->is_work && finding->more;
    const size_t count = causes ? x->waiting->delay_count : x->waiting->count;
    memset(numbers, 0, x->tree.row_count * sizeof *numbers);
    for (size_t i = 0; i < count; i++) {
        const oc_delay *delay = causes ? &x->waiting->delays[i] : NULL;
        const oc_wait *wait = causes ? NULL : &x->waiting->waits[i];
        const uint32_t row = x->row_of_resource[causes ? delay->resource : wait->resource];
        int64_t begin = causes ? delay->from : wait->begin;
        int64_t end = causes ? delay->to : wait->end;
        begin = begin > from ? begin : from;
        end = end < to ? end : to;
        if (begin < end && row != OCELOTL_NONE)
            numbers[row] += (causes ? delay->weight : 1) * (double)(end - begin) * tick;
    }
    const double excess = find_excess(x, finding, numbers);
    finding->caused = causes ? excess : 0;
    finding->cost = causes ? finding->cost + excess : fmax(0, finding->cost - excess);
}

static ocelotl_status add_costs(oc_explaining *x)
{
    double *numbers = NULL;
    if (!oc_has_links(x->trace))
        return OCELOTL_OK;
    const ocelotl_status status = oc_waiting_of(&x->waiting, x->trace, x->work);
    if (status == OCELOTL_ERROR_ARGUMENT) /* of such links nothing is known of waiting */
        return OCELOTL_OK;
    OC_TRY(status);
    for (size_t i = 0; i < x->waiting->count; i++) {
        const oc_wait *wait = &x->waiting->waits[i];
        const int64_t begin = wait->begin > x->info.from ? wait->begin : x->info.from;
        const int64_t end = wait->end < x->info.to ? wait->end : x->info.to;
        if (begin < end && x->row_of_resource[wait->resource] != OCELOTL_NONE &&
            wait->kind != OC_WAIT_LAUNCH)
            x->made->waited += (double)(end - begin) * oc_explained_tick(x);
    }
    OC_TRY(oc_arena_allocate(&numbers, x->arena, x->tree.row_count, sizeof *numbers));
    for (size_t i = 0; i < x->found_count; i++)
        if (x->found[i].kind != OC_FINDING_STEP)
            add_waits(x, &x->found[i], numbers);
    return OCELOTL_OK;
}

/* --- One sentence for one thing */

static bool are_at_once(const oc_finding *a, const oc_finding *b)
{
    return a->begin < b->end && b->begin < a->end;
}

static bool have_rows_in_common(const oc_explaining *x, const oc_finding *a, const oc_finding *b)
{
    for (uint32_t i = 0; i < a->node_count; i++)
        for (uint32_t j = 0; j < b->node_count; j++) {
            const oc_scan_node *one = &x->tree.nodes[a->nodes[i]];
            const oc_scan_node *other = &x->tree.nodes[b->nodes[j]];
            if (one->first < other->first + other->count && other->first < one->first + one->count)
                return true;
        }
    return false;
}

/* Which kinds say what is the cause: work that takes longer, is missing, or is more, then what
 * varies, and what is there late; then what follows from something, and what all do. */
typedef enum order { LONGER, MISSING, MORE, VARIES, FOLLOWS, OF_ALL } order;

static order order_of(const oc_finding *one)
{
    if (one->is_missing)
        return MISSING;
    if (one->kind == OC_FINDING_STEP)
        return one->more ? OF_ALL : FOLLOWS;
    if (one->kind == OC_FINDING_PRESENCE)
        return one->is_begin ? VARIES : FOLLOWS;
    if (!one->more || !(one->is_work || (one->is_begin && one->kind == OC_FINDING_SHARE)))
        return FOLLOWS;
    return one->kind == OC_FINDING_DURATION ? LONGER
           : one->kind == OC_FINDING_SHARE  ? MORE
                                            : VARIES;
}

static double own_of_leaf(const oc_finding *one)
{
    return one->own / one->leaves;
}

/* Whether one follows from another, which is looked at before: it is of the same resources and
 * time; or it is of shares, which are shifted in time by what took long before, by no more than
 * that; or it is no cause, while another one is. Steps that take long for all follow from resources
 * that take as long in them. */
static bool follows_from(const oc_explaining *x, const oc_finding *one, const oc_finding *other)
{
    const bool causes = order_of(other) < FOLLOWS;
    if (one->kind == OC_FINDING_STEP || other->kind == OC_FINDING_STEP)
        return are_at_once(one, other) &&
               (one->kind == other->kind ||
                (causes && (own_of_leaf(other) >= of_a_step * own_of_leaf(one) ||
                            other->caused >= of_a_step * one->own)));
    if (have_rows_in_common(x, one, other))
        return are_at_once(one, other)
                   ? own_of_leaf(other) >= nearly * own_of_leaf(one) || order_of(one) == FOLLOWS
                   : causes && other->begin < one->begin &&
                         (one->kind == OC_FINDING_SHARE || order_of(one) == FOLLOWS) &&
                         own_of_leaf(one) <= shifted * own_of_leaf(other);
    return are_at_once(one, other) && causes && order_of(one) == FOLLOWS;
}

static int compare_causes(const void *left, const void *right)
{
    const oc_finding *a = left;
    const oc_finding *b = right;
    if (order_of(a) != order_of(b))
        return (int)order_of(a) - (int)order_of(b);
    if (order_of(a) == FOLLOWS)
        return (a->own < b->own) - (a->own > b->own);
    return (a->score < b->score) - (a->score > b->score);
}

/* Where all children of a node are in it, the node is. */
static ocelotl_status lift(oc_explaining *x, oc_finding *one)
{
    for (;;) {
        const uint32_t parent = x->tree.nodes[one->nodes[0]].parent;
        uint32_t *node = NULL;
        bool siblings = true;
        for (uint32_t i = 1; i < one->node_count; i++)
            siblings = siblings && x->tree.nodes[one->nodes[i]].parent == parent;
        if (!siblings || parent == OCELOTL_NONE || parent == 0 ||
            x->tree.nodes[parent].count != one->leaves)
            return OCELOTL_OK;
        OC_TRY(oc_arena_allocate(&node, x->arena, 1, sizeof *node));
        *node = parent;
        one->nodes = node;
        one->node_count = 1;
    }
}

static bool have_same_nodes(const oc_finding *a, const oc_finding *b)
{
    return a->node_count == b->node_count &&
           memcmp(a->nodes, b->nodes, a->node_count * sizeof *a->nodes) == 0;
}

/* Whether two are one thing that comes again, or moves from one sibling to the next. */
static bool are_one(const oc_explaining *x, const oc_finding *a, const oc_finding *b)
{
    const double gap = fmax(a->begin, b->begin) - fmin(a->end, b->end);
    if (a->more != b->more || a->type != b->type)
        return false;
    const oc_scan_node *one = &x->tree.nodes[a->nodes[0]];
    const oc_scan_node *other = &x->tree.nodes[b->nodes[0]];
    const double shorter = fmin(a->end - a->begin, b->end - b->begin);
    const double longer = fmax(a->end - a->begin, b->end - b->begin);
    if (have_same_nodes(a, b))
        return true;
    if (a->kind != b->kind || have_rows_in_common(x, a, b))
        return false;
    return one->parent == other->parent && one->like == other->like ? gap <= shorter
                                                                    : gap <= -together * longer;
}

static double amount_of(const oc_finding *is)
{
    return is->leaves * (is->kind == OC_FINDING_SHARE ? is->end - is->begin : is->times);
}

/* Puts the second into the first, which differs more. */
static ocelotl_status merge_into(oc_explaining *x, oc_finding *a, const oc_finding *b)
{
    /* what is said in another way is said */
    if (a->kind != b->kind && have_same_nodes(a, b))
        return OCELOTL_OK;
    const double amounts[] = {amount_of(a), amount_of(b)};
    if (a->kind == b->kind) {
        a->here = (a->here * amounts[0] + b->here * amounts[1]) / (amounts[0] + amounts[1]);
        a->usual = (a->usual * amounts[0] + b->usual * amounts[1]) / (amounts[0] + amounts[1]);
    }
    if (have_same_nodes(a, b)) {
        a->times += b->times;
        if (b->own > a->dearest) {
            a->begin = b->begin;
            a->end = b->end;
            a->dearest = b->own;
        }
        a->lasts += b->lasts;
    } else {
        a->begin = fmin(a->begin, b->begin);
        a->end = fmax(a->end, b->end);
        a->lasts = fmax(a->lasts, b->lasts);
        uint32_t *nodes = NULL;
        uint32_t at[2] = {0, 0};
        OC_TRY(oc_arena_allocate(&nodes, x->arena, a->node_count + b->node_count, sizeof *nodes));
        for (uint32_t i = 0; i < a->node_count + b->node_count; i++) {
            const bool second = at[0] == a->node_count ||
                                (at[1] < b->node_count && b->nodes[at[1]] < a->nodes[at[0]]);
            nodes[i] = second ? b->nodes[at[1]] : a->nodes[at[0]];
            at[second]++;
        }
        a->nodes = nodes;
        a->node_count += b->node_count;
        a->leaves += b->leaves;
    }
    a->from = fmin(a->from, b->from);
    a->to = fmax(a->to, b->to);
    a->cost += b->cost;
    a->own += b->own;
    a->caused += b->caused;
    return lift(x, a);
}

/* Of findings that are one thing one is left. */
static ocelotl_status merge(oc_explaining *x, oc_finding *kept, size_t *count)
{
    for (size_t i = 0; i < *count; i++)
        OC_TRY(lift(x, &kept[i]));
    for (size_t i = 0; i < *count; i++)
        for (size_t k = i + 1; k < *count; k++)
            if (are_one(x, &kept[i], &kept[k])) {
                OC_TRY(merge_into(x, &kept[i], &kept[k]));
                memmove(&kept[k], &kept[k + 1], (--*count - k) * sizeof *kept);
                k = i = 0;
            }
    return OCELOTL_OK;
}

/* Whether it is more than a trifle. What follows from something is seen in a slice at least, and
 * ends are not all at one time. */
static bool is_worth_saying(const oc_explaining *x, const oc_finding *one)
{
    const double slice = ocelotl_slice_length(&x->info);
    const double length = x->info.end - x->info.begin;
    if (one->kind == OC_FINDING_PRESENCE && !one->is_begin)
        return one->end - one->begin >= end_least * length;
    if (one->nodes[0] == 0 && own_of_leaf(one) < all_least * length)
        return false;
    /* what one of a few does and the others never is its role */
    if (one->others * one->leaves < ROLE_OTHERS * one->node_count &&
        one->kind == OC_FINDING_SHARE && one->usual < role * one->here)
        return false;
    return own_of_leaf(one) >= worth_least * (one->end - one->begin) &&
           (order_of(one) != FOLLOWS ||
            (own_of_leaf(one) >= slice &&
             one->score >= (one->kind == OC_FINDING_SHARE ? shifted_least : effect_least)));
}

/* Causes that have a place, what all do, what follows from something else. */
static int rank_of(const oc_finding *one)
{
    return order_of(one) == FOLLOWS ? 2 : one->nodes[0] == 0;
}

/* Causes before what follows from something, and the dearest first. */
static int compare_costs(const void *left, const void *right)
{
    const oc_finding *a = left;
    const oc_finding *b = right;
    if (rank_of(a) != rank_of(b))
        return rank_of(a) - rank_of(b);
    return (a->cost < b->cost) - (a->cost > b->cost);
}

ocelotl_status oc_findings_choose(oc_explaining *x)
{
    oc_finding *kept = NULL;
    size_t count = 0;
    for (size_t i = 0; i < x->found_count; i++)
        if (is_worth_saying(x, &x->found[i]))
            x->found[count++] = x->found[i];
    x->found_count = count;
    count = 0;
    OC_TRY(add_costs(x));
    OC_TRY(oc_arena_allocate(&kept, x->arena, x->found_count, sizeof *kept));
    if (x->found_count > 1)
        qsort(x->found, x->found_count, sizeof *x->found, compare_causes);
    for (size_t i = 0; i < x->found_count; i++) {
        bool follows = false;
        for (size_t k = 0; k < count && !follows; k++)
            follows = follows_from(x, &x->found[i], &kept[k]);
        if (!follows)
            kept[count++] = x->found[i];
    }
    OC_TRY(merge(x, kept, &count));
    for (size_t i = 0; i < count; i++)
        if (kept[i].lasts >= mostly * (kept[i].to - kept[i].from)) {
            kept[i].begin = kept[i].from;
            kept[i].end = kept[i].to;
        }
    if (count > 1)
        qsort(kept, count, sizeof *kept, compare_costs);
    x->made->findings = kept;
    x->made->finding_count = count;
    return OCELOTL_OK;
}
