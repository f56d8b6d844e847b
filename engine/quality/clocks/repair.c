/* Clocks that least squares leave where some message ends before it begins are moved.
 *
 * Offsets first: with the speeds as they are, each pair says how far one clock may be shifted
 * against the other, so shortest paths find shifts that let all messages last, or a round of pairs
 * that contradicts them. Where a round does, speeds move as well: what messages allow is a
 * half-space of offsets and speeds each, and Newton's method on the squares of what they miss ends
 * in all of them, if there is such a place (O. Mangasarian, A finite Newton method for
 * classification, 2002). */
#include "quality/clocks/rows.h"

#include "base/memory.h"

#include <ocelotl/types.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double margin = 0.5; /* of a tick: sums of doubles are not exact */

static bool is_within_set(const oc_network *network, const oc_pairing *pairing)
{
    return network->clocks[pairing->a].set == network->clocks[pairing->b].set;
}

/* --- Offsets */

/* Shifts the clocks of each set, half of the way up and half down, so that each message takes
 * `least` at least. A set that no shifts help is marked and stays; so does one that was marked. */
static void shift_offsets(oc_network *network, oc_routes *routes, double *up, double least)
{
    for (size_t p = 0; p < network->pairing_count; p++) {
        routes->there[p] = oc_network_least(network, &network->pairings[p], true) - least;
        routes->back[p] = oc_network_least(network, &network->pairings[p], false) - least;
    }
    oc_routes_find(routes, true, false);
    memcpy(up, routes->length, network->count * sizeof *up);
    oc_routes_find(routes, true, true);
    for (uint32_t c = 0; c < network->count; c++)
        up[c] = (up[c] - routes->length[c]) / 2;
    for (uint32_t c = 0; c < network->count; c++)
        if (network->clocks[c].toward != OCELOTL_NONE && !routes->broken[network->clocks[c].set])
            oc_clock_move(&network->clocks[c],
                          up[c] - up[network->references[network->clocks[c].set]], 0);
}

/* --- Offsets and speeds */

enum { STEPS = 80, FEW = 60, ROUNDS = 2000, FAR = 20 };

typedef struct search {
    oc_network *network;
    bool *chosen;     /* by set: it is searched; and room for as many */
    double *slowest;  /* by set: the least drift; */
    double width;     /* the greatest is so much more, */
    bool around;      /* and as far from 0 as the least */
    double blur;      /* ticks: what is kept by not much more counts as well */
    oc_rows rows;     /* what messages and speeds are allowed; other unknowns are by set */
    double most, sum; /* of misses, and of what they count */
} search;

static double half_run(const oc_clock *clock)
{
    return fmax(1, ((double)clock->last - (double)clock->first) / 2);
}

static double ticks_between(int64_t later, int64_t earlier)
{
    return (double)(int64_t)((uint64_t)later - (uint64_t)earlier);
}

/* What is missed, or a little where it is just kept. */
static double soft(double by, double blur)
{
    return by > 30 * blur ? by : blur * log1p(exp(by / blur));
}

/* Lists messages of a pair in one direction, of those that can be the first to end too early. */
static ocelotl_status list_messages(search *s, const oc_pairing *pairing, bool there)
{
    const oc_network *network = s->network;
    const uint32_t clocks[2] = {pairing->a, pairing->b};
    const oc_hull *hull = there ? &pairing->above : &pairing->below;
    for (size_t k = 0; k < hull->count; k++) {
        const double x = hull->points[k].x;
        const double z = there ? hull->points[k].z : -hull->points[k].z;
        const double transit = oc_network_transit(network, pairing, x, z);
        oc_row found = {
            .a = pairing->a, .b = pairing->b, .by = margin - (there ? transit : -transit)};
        for (size_t i = 0; i < 2; i++) {
            const oc_clock *clock = &network->clocks[clocks[i]];
            const double read = i == 0 ? x : x + z;
            const int64_t from =
                i == 0 ? pairing->x : (int64_t)((uint64_t)pairing->x + (uint64_t)pairing->z);
            const double sign = there == (i == 0) ? 1 : -1;
            if (clock->toward == OCELOTL_NONE)
                continue;
            found.factor[2 * i] = sign;
            found.factor[2 * i + 1] =
                sign * (ticks_between(from, clock->middle) + read) / half_run(clock);
        }
        OC_TRY(oc_rows_add(&s->rows, &found));
    }
    return OCELOTL_OK;
}

/* Lists what may be missed: also by clocks that are slower than the slowest may be, or faster than
 * the fastest. */
static ocelotl_status list_rows(search *s)
{
    const oc_network *network = s->network;
    s->rows.count = 0;
    for (size_t i = 0; i < 2 * network->pairing_count; i++) {
        const oc_pairing *pairing = &network->pairings[i / 2];
        if (is_within_set(network, pairing) && s->chosen[network->clocks[pairing->a].set])
            OC_TRY(list_messages(s, pairing, i % 2 == 0));
    }
    for (uint32_t c = 0; c < network->count; c++) {
        const oc_clock *clock = &network->clocks[c];
        for (int fast = 0; fast < 2 && s->chosen[clock->set]; fast++) {
            const double sign = fast > 0 ? -1 : 1;
            const double limit = s->slowest[clock->set] + (fast > 0 ? s->width : 0);
            const oc_row found = {.a = c,
                                  .b = c,
                                  .other = clock->set,
                                  .factor = {0, clock->toward == OCELOTL_NONE ? 0 : sign, 0, 0,
                                             s->around ? 0 : -sign * half_run(clock)},
                                  .by = sign * (limit - clock->drift) * half_run(clock)};
            OC_TRY(oc_rows_add(&s->rows, &found));
        }
    }
    return OCELOTL_OK;
}

/* What is missed behind a part of a step: `pull` of a row is what it makes of the whole. */
static void find_misses(search *s, double part)
{
    s->most = s->sum = 0;
    for (size_t i = 0; i < s->rows.count; i++) {
        const oc_row *row = &s->rows.list[i];
        const double by = row->by - part * row->pull;
        const double counts = by < -FAR * s->blur ? 0 : soft(by, s->blur);
        s->most = fmax(s->most, by);
        s->sum += counts * counts / 2;
    }
}

/* Finds Newton's step. Returns by how much the sum falls along it, at first. */
static double find_step(search *s, int rounds)
{
    for (size_t i = 0; i < s->rows.count; i++) {
        oc_row *row = &s->rows.list[i];
        row->pull = row->weight = 0;
        if (row->by < -FAR * s->blur)
            continue;
        const double share = 1 / (1 + exp(-row->by / s->blur));
        const double counts = soft(row->by, s->blur);
        row->pull = counts * share;
        row->weight = share * share + counts * share * (1 - share) / s->blur;
    }
    const double falls = oc_rows_solve(&s->rows, rounds > FEW ? 1e-8 : 1e-2, rounds);
    for (size_t i = 0; i < s->rows.count; i++)
        s->rows.list[i].pull = oc_row_of(&s->rows, &s->rows.list[i], s->rows.step);
    return falls;
}

static void take_step(search *s, double part)
{
    oc_network *network = s->network;
    const double *step = s->rows.step;
    for (uint32_t c = 0; c < network->count; c++) {
        oc_clock *clock = &network->clocks[c];
        oc_clock_move(clock, part * step[2 * (size_t)c],
                      part * step[2 * (size_t)c + 1] / half_run(clock));
    }
    for (uint32_t k = 0; k < network->set_count; k++)
        s->slowest[k] += part * step[2 * (size_t)network->count + k];
    for (size_t i = 0; i < s->rows.count; i++)
        s->rows.list[i].by -= part * s->rows.list[i].pull;
}

/* Goes to where all that messages and speeds are allowed is kept, or as near as steps lead: what is
 * missed counts by a function that is smooth, and less and less so. Steps are found roughly: that
 * is enough but for some, which are found well then. */
static ocelotl_status move_clocks(search *s)
{
    s->blur = 1;
    OC_TRY(list_rows(s));
    find_misses(s, 0);
    for (int i = 0; i < 2 * STEPS && s->most > 0; i++) {
        if (i % STEPS == 0)
            s->blur = s->most;
        find_misses(s, 0);
        const double before = s->sum;
        const double falls = find_step(s, i < STEPS ? FEW : ROUNDS);
        double part = 1;
        for (; part > 1e-4; part /= 2) {
            find_misses(s, part);
            if (s->sum <= before - 0.1 * part * falls)
                break;
        }
        if (part > 1e-4)
            take_step(s, part);
        if ((falls < 0.01 * before || part < 1e-4) && s->blur < margin / 4)
            i = i < STEPS ? STEPS - 1 : 2 * STEPS; /* nothing helps any more */
        else if (falls < 0.01 * before || part < 1e-4)
            s->blur /= 5;
    }
    return OCELOTL_OK;
}

/* The drifts that a set may have: as wide as two clocks may differ, from the least that was found,
 * and with 0 among them, which the reference has; or `around` that, each as far as it may. */
static void find_speeds(search *s, bool around)
{
    const oc_network *network = s->network;
    const double most = network->most_drift / (1 + network->most_drift);
    s->around = around;
    s->width = around ? 2 * most : most;
    for (uint32_t i = 0; i < network->set_count; i++)
        s->slowest[i] = around ? -most : 0;
    for (uint32_t c = 0; c < network->count; c++) {
        double *slowest = &s->slowest[network->clocks[c].set];
        *slowest = fmax(fmin(*slowest, network->clocks[c].drift), -most);
    }
}

/* Marks sets that have other drifts. */
static void mark_speeds(const search *s, bool *broken)
{
    const double little = 1e-6 * s->width;
    for (uint32_t c = 0; c < s->network->count; c++) {
        const oc_clock *clock = &s->network->clocks[c];
        const double since = clock->drift - s->slowest[clock->set];
        broken[clock->set] |= since < -little || since > s->width + little;
    }
}

/* --- Where no straight clocks explain all messages: those that some explain still count */

/* Brings speeds to what they may be, and lets the messages of pairs last that offsets can help:
 * both clocks give half, a reference gives nothing. */
static void shift_some(oc_network *network, const search *s)
{
    enum { SWEEPS = 500 };
    bool moved = true;
    for (uint32_t c = 0; c < network->count; c++) {
        oc_clock *clock = &network->clocks[c];
        const double slowest = s->slowest[clock->set];
        if (s->chosen[clock->set])
            clock->drift = fmin(fmax(clock->drift, slowest), slowest + s->width);
    }
    for (int sweep = 0; sweep < SWEEPS && moved; sweep++) {
        moved = false;
        for (size_t p = 0; p < network->pairing_count; p++) {
            const oc_pairing *pairing = &network->pairings[p];
            oc_clock *a = &network->clocks[pairing->a];
            oc_clock *b = &network->clocks[pairing->b];
            const double there = oc_network_least(network, pairing, true);
            const double back = oc_network_least(network, pairing, false);
            const double by = there < margin ? 1.5 * margin - there : back - 1.5 * margin;
            const bool a_stays = a->toward == OCELOTL_NONE, b_stays = b->toward == OCELOTL_NONE;
            if (!is_within_set(network, pairing) || !s->chosen[a->set] ||
                there + back < 2 * margin || (there >= margin && back >= margin))
                continue;
            if (!a_stays)
                oc_clock_move(a, b_stays ? by : by / 2, 0);
            if (!b_stays)
                oc_clock_move(b, a_stays ? -by : -by / 2, 0);
            moved = true;
        }
    }
}

/* --- The whole */

/* Tries offsets, then speeds as well, of which any two are as far apart as they may be, or each
 * from the reference where that is not enough; a pair that no speeds explain has none of that. */
static ocelotl_status repair_with(search *s, oc_routes *routes, oc_clock *before)
{
    oc_network *network = s->network;
    const uint32_t sets = network->set_count;
    bool *left = s->chosen + sets;
    shift_offsets(network, routes, s->rows.step, margin);
    memcpy(before, network->clocks, network->count * sizeof *before);
    find_speeds(s, false);
    mark_speeds(s, routes->broken);
    memcpy(left, routes->broken, sets * sizeof *left);
    for (int around = 0; around < 2 && network->most_drift > 0; around++) {
        memcpy(s->chosen, left, sets * sizeof *left);
        for (size_t p = 0; p < network->pairing_count; p++)
            if (network->pairings[p].width < 0 && is_within_set(network, &network->pairings[p]))
                s->chosen[network->clocks[network->pairings[p].a].set] = false;
        find_speeds(s, around > 0);
        OC_TRY(move_clocks(s));
        for (uint32_t i = 0; i < sets; i++)
            routes->broken[i] = !s->chosen[i];
        shift_offsets(network, routes, s->rows.step, margin / 2);
        mark_speeds(s, routes->broken);
        for (uint32_t c = 0; c < network->count; c++)
            if (s->chosen[network->clocks[c].set] && routes->broken[network->clocks[c].set])
                network->clocks[c] = before[c];
        for (uint32_t i = 0; i < sets; i++)
            left[i] = left[i] && (!s->chosen[i] || routes->broken[i]);
    }
    memcpy(s->chosen, left, sets * sizeof *left);
    find_speeds(s, false);
    shift_some(network, s);
    return OCELOTL_OK;
}

ocelotl_status oc_network_repair(oc_network *network)
{
    const size_t clocks = network->count, sets = network->set_count;
    search s = {.network = network};
    oc_routes routes = {0};
    oc_clock *before = NULL;
    ocelotl_status status = oc_routes_make(&routes, network);
    if (status == OCELOTL_OK)
        status = oc_allocate(&before, clocks, sizeof *before);
    if (status == OCELOTL_OK)
        status = oc_allocate(&s.chosen, 2 * sets, sizeof *s.chosen);
    if (status == OCELOTL_OK)
        status = oc_allocate(&s.slowest, sets, sizeof *s.slowest);
    if (status == OCELOTL_OK)
        status = oc_rows_make(&s.rows, network, sets);
    if (status == OCELOTL_OK)
        status = repair_with(&s, &routes, before);
    oc_routes_free(&routes);
    free(before);
    free(s.chosen);
    free(s.slowest);
    oc_rows_free(&s.rows);
    return status;
}

/* Messages from one set to another never come back, even by others: no round keeps this from
 * ending. */
void oc_network_part_sets(const oc_network *network, double *ahead)
{
    bool moved = true;
    memset(ahead, 0, network->set_count * sizeof *ahead);
    for (uint32_t sweep = 0; moved && sweep < network->set_count; sweep++) {
        moved = false;
        for (size_t i = 0; i < network->pairing_count; i++) {
            const size_t p = sweep % 2 == 0 ? i : network->pairing_count - 1 - i;
            const oc_pairing *pairing = &network->pairings[p];
            const uint32_t sets[] = {network->clocks[pairing->a].set,
                                     network->clocks[pairing->b].set};
            for (int back = 0; back < 2 && sets[0] != sets[1]; back++) {
                const double least = oc_network_least(network, pairing, back == 0);
                const double behind = ahead[sets[1 - back]];
                const double needed = behind - least + 2 * margin; /* both ends are rounded */
                if ((behind == 0 && least >= 0) || !(needed > ahead[sets[back]]))
                    continue;
                ahead[sets[back]] = needed;
                moved = true;
            }
        }
    }
}
