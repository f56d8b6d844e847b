/* The order of what happens within one tick. Simulators let receives and sends take no time, so
 * that several states begin and end at once: messages belong to those that do so elsewhere, too,
 * where nothing else can be meant. */
#include "quality/perturbation/acts.h"

#include <stdlib.h>

typedef struct tick {
    oc_act *acts;
    size_t count;
    uint32_t ended, at_once, begun; /* states that end, that last no time, that begin */
    bool links;
} tick;

/* Ranks of a state: it begins, takes messages, sends some, ends. */
enum { RANKS_OF_STATE = 4, TAKES = 1, GIVES = 2, ENDS = 3 };

static void count_states(tick *t)
{
    for (size_t i = 0; i < t->count; i++) {
        const oc_act *act = &t->acts[i];
        t->ended += act->kind == OC_ACT_ENDS && !act->at_once;
        t->at_once += act->kind == OC_ACT_ENDS && act->at_once;
        t->begun += act->kind == OC_ACT_BEGINS && !act->at_once;
        t->links = t->links || act->kind >= OC_ACT_SENDS;
    }
}

/* Gives each state its place: those that end first, then those that last no time, as they were
 * read; then those that begin, where what is around others was read last. */
static void place_states(tick *t)
{
    uint32_t ended = 0;
    uint32_t at_once = 0;
    uint32_t begun = 0;
    for (size_t i = 0; i < t->count; i++) {
        oc_act *act = &t->acts[i];
        uint32_t place = t->ended + t->at_once;
        if (act->kind == OC_ACT_ENDS)
            place = act->at_once ? t->ended + at_once++ : ended++;
        else if (act->kind == OC_ACT_BEGINS && act->at_once)
            place = t->ended + at_once;
        else if (act->kind == OC_ACT_BEGINS)
            place += t->begun - 1 - begun++;
        act->in_tick.rank = place * RANKS_OF_STATE + (act->kind == OC_ACT_ENDS ? ENDS : 0);
    }
}

static bool is_state(const oc_act *act)
{
    return act->kind == OC_ACT_ENDS || (act->kind == OC_ACT_BEGINS && !act->at_once);
}

/* The place of the n-th state that does so elsewhere, or the last of them: one that ends takes
 * messages, one that begins sends them. Without any it is the first that ends, the last that
 * begins. */
static uint32_t find_place(const tick *t, const bool *does, uint32_t values, uint32_t nth,
                           bool takes)
{
    const uint32_t states = t->ended + t->at_once + t->begun;
    const uint32_t last = takes ? t->ended + t->at_once : states;
    uint32_t found = takes || states == 0 ? 0 : states - 1;
    uint32_t n = 0;
    for (uint32_t place = takes ? 0 : t->ended; place < last && n <= nth; place++)
        for (size_t i = 0; i < t->count; i++)
            if (is_state(&t->acts[i]) && t->acts[i].in_tick.rank / RANKS_OF_STATE == place &&
                t->acts[i].of < values && does[t->acts[i].of]) {
                found = place;
                n++;
            }
    return found;
}

static void place_links(tick *t, const ocelotl_perturbation *p, bool *const does[2])
{
    uint32_t counts[2] = {0, 0};
    const uint32_t before = t->ended + t->at_once;
    for (size_t i = 0; i < t->count; i++) {
        oc_act *act = &t->acts[i];
        const bool takes = act->kind == OC_ACT_ARRIVES;
        uint32_t place;
        if (act->kind == OC_ACT_ENTERS || act->kind == OC_ACT_LEAVES)
            place = act->at_once                 ? before - (before > 0)
                    : act->kind == OC_ACT_LEAVES ? 0
                                                 : before + t->begun - (before + t->begun > 0);
        else if (takes || act->kind == OC_ACT_SENDS)
            place = find_place(t, does[takes], p->trace->value_count, counts[takes]++, takes);
        else
            continue;
        act->in_tick.rank =
            place * RANKS_OF_STATE + (takes || act->kind == OC_ACT_LEAVES ? TAKES : GIVES);
        /* entered and left at once */
        act->in_tick.rank += act->at_once && act->kind == OC_ACT_LEAVES;
    }
}

/* Of one state it is known that messages are taken or sent in it. */
static void learn(const tick *t, const ocelotl_perturbation *p, bool *const does[2])
{
    uint32_t value = OCELOTL_NONE;
    for (size_t i = 0; i < t->count; i++)
        if (is_state(&t->acts[i]))
            value = t->acts[i].of;
    for (size_t i = 0; i < t->count && value < p->trace->value_count; i++)
        if (t->acts[i].kind == OC_ACT_ARRIVES || t->acts[i].kind == OC_ACT_SENDS)
            does[t->acts[i].kind == OC_ACT_ARRIVES][value] = true;
}

static int compare_ranks(const void *left, const void *right)
{
    const oc_act *a = left;
    const oc_act *b = right;
    if (a->in_tick.rank != b->in_tick.rank)
        return a->in_tick.rank < b->in_tick.rank ? -1 : 1;
    return (a->in_tick.place > b->in_tick.place) - (a->in_tick.place < b->in_tick.place);
}

static void order_tick(tick *t, const ocelotl_perturbation *p, bool *const does[2])
{
    const int64_t time = t->acts[0].time;
    for (size_t i = 0; i < t->count; i++) {
        t->acts[i].in_tick.rank = 0;
        t->acts[i].in_tick.place = (uint32_t)i;
    }
    place_states(t);
    place_links(t, p, does);
    qsort(t->acts, t->count, sizeof *t->acts, compare_ranks);
    for (size_t i = 0; i < t->count; i++)
        t->acts[i].time = time;
}

/* Learns of all ticks of a thread, or puts them in order. */
static void settle_thread(const ocelotl_perturbation *p, oc_thread *thread, bool *const does[2],
                          bool learns)
{
    for (size_t i = 0, end; i < thread->end; i = end) {
        for (end = i + 1; end < thread->end && thread->acts[end].time == thread->acts[i].time;)
            end++;
        tick t = {.acts = &thread->acts[i], .count = end - i};
        count_states(&t);
        if (learns && t.links && t.ended + t.at_once + t.begun == 1)
            learn(&t, p, does);
        if (!learns && t.count > 1)
            order_tick(&t, p, does);
    }
}

ocelotl_status oc_acts_settle(ocelotl_perturbation *p)
{
    bool *memory = NULL;
    OC_TRY(oc_arena_allocate(&memory, &p->arena, p->trace->value_count, 2));
    bool *const does[2] = {memory, memory + p->trace->value_count};
    for (uint32_t t = 0; t < p->groups.count; t++)
        settle_thread(p, &p->threads[t], does, true);
    for (uint32_t t = 0; t < p->groups.count; t++)
        settle_thread(p, &p->threads[t], does, false);
    return OCELOTL_OK;
}
