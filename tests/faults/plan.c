/* Machines, programs and faults, drawn at random. */
#include "faults.h"

static const char *const names[FAULT_KINDS] = {
    [FAULT_SLOW_HOST] = "slow host",       [FAULT_SLOW_SWITCH] = "slow switch",
    [FAULT_SLOW_CLUSTER] = "slow cluster", [FAULT_LATE_START] = "late start",
    [FAULT_EXTRA_PHASE] = "extra phase",   [FAULT_MISSING_PHASE] = "missing phase",
    [FAULT_NOISY_RANK] = "noisy rank",     [FAULT_GROWING_IMBALANCE] = "growing imbalance",
};

const char *fault_name(fault_kind kind)
{
    return names[kind];
}

double fault_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)(*state * 0x2545F4914F6CDD1Du >> 11) * 0x1p-53;
}

static uint32_t below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)(fault_random(state) * bound);
}

static double between(uint64_t *state, double low, double high)
{
    return low + (high - low) * fault_random(state);
}

/* 64 to 128 ranks on 1 to 16 switches with hosts of 1 to 4 ranks; in a flat trace 64. */
static void draw_machine(fault_plan *plan)
{
    const bool one_will_do = plan->kind != FAULT_SLOW_SWITCH && plan->kind != FAULT_SLOW_CLUSTER;
    const uint32_t wanted = plan->flat ? 64 : 80 + below(&plan->random, 49);
    const uint32_t each = 1U << below(&plan->random, 3);
    plan->switches = 1U << (one_will_do ? below(&plan->random, 5) : 1 + below(&plan->random, 4));
    plan->clusters = plan->switches > 4 ? 4 : (plan->switches + 1) / 2;
    plan->clusters += plan->switches == 2;
    const uint32_t hosts = wanted / (plan->switches * each);
    plan->hosts = hosts * plan->switches;
    plan->ranks = plan->hosts * each;
    const bool round_robin = below(&plan->random, 2) == 1;
    for (uint32_t r = 0; r < plan->ranks; r++) {
        const uint32_t host = round_robin ? r % plan->hosts : r / each;
        const uint32_t switched = host / hosts;
        plan->place[r] = (fault_place){host, switched, switched * plan->clusters / plan->switches};
    }
}

static void draw_program(fault_plan *plan)
{
    plan->computes = below(&plan->random, 2) == 1;
    plan->root_works = below(&plan->random, 2) == 1;
    plan->phase_count = 2 + below(&plan->random, FAULT_MOST_PHASES - 1);
    for (uint32_t i = 0; i < plan->phase_count; i++) {
        fault_phase *phase = &plan->phases[i];
        phase->iterations = 200 + below(&plan->random, 400);
        phase->compute = between(&plan->random, 0.002, 0.006);
        phase->message = phase->compute * between(&plan->random, 0.1, 0.5);
        phase->reach = below(&plan->random, 2) == 1 ? 8 : 1;
        phase->reduce_every = 1U << below(&plan->random, 4);
        phase->blocking = below(&plan->random, 3) == 0;
        plan->iterations += phase->iterations;
    }
}

/* The run's time, about. */
static double expected(const fault_plan *plan)
{
    double seconds = 0;
    for (uint32_t i = 0; i < plan->phase_count; i++)
        seconds += plan->phases[i].iterations * (plan->phases[i].compute + plan->phases[i].message);
    return seconds;
}

/* One rank, host, switch or cluster, or some ranks that follow each other. */
static void draw_ranks(fault_plan *plan)
{
    const uint32_t one = below(&plan->random, plan->ranks);
    const uint32_t several = plan->ranks / 8 + below(&plan->random, plan->ranks / 8);
    const bool whole_host = below(&plan->random, 2) == 1;
    const fault_place *at = &plan->place[one];
    for (uint32_t r = 0; r < plan->ranks; r++) {
        const fault_place *place = &plan->place[r];
        bool faulty = r == one;
        if (plan->kind == FAULT_SLOW_HOST || (plan->kind == FAULT_LATE_START && whole_host))
            faulty = place->host == at->host;
        else if (plan->kind == FAULT_SLOW_SWITCH)
            faulty = place->switched == at->switched;
        else if (plan->kind == FAULT_SLOW_CLUSTER)
            faulty = place->cluster == at->cluster;
        else if (plan->kind == FAULT_GROWING_IMBALANCE)
            faulty = (r + plan->ranks - one) % plan->ranks < several;
        plan->faulty[r] = faulty;
    }
}

static void draw_time(fault_plan *plan)
{
    const uint32_t all = plan->iterations;
    const uint32_t length = (uint32_t)(all * between(&plan->random, 0.2, 0.6));
    plan->first = below(&plan->random, all - length);
    plan->last = plan->first + length - 1;
    if (plan->kind == FAULT_LATE_START || plan->kind == FAULT_EXTRA_PHASE)
        plan->last = plan->first;
    if (plan->kind == FAULT_MISSING_PHASE) {
        const uint32_t phase = below(&plan->random, plan->phase_count);
        plan->first = 0;
        for (uint32_t i = 0; i < phase; i++)
            plan->first += plan->phases[i].iterations;
        plan->last = plan->first + plan->phases[phase].iterations - 1;
    }
}

static double draw_strength(fault_plan *plan)
{
    switch (plan->kind) {
    case FAULT_SLOW_HOST:
    case FAULT_SLOW_CLUSTER:
        return between(&plan->random, 1.3, 2);
    case FAULT_SLOW_SWITCH:
        return between(&plan->random, 3, 8);
    case FAULT_NOISY_RANK:
        return between(&plan->random, 2, 3);
    case FAULT_GROWING_IMBALANCE:
        return between(&plan->random, 1.5, 2.5);
    default:
        return expected(plan) * between(&plan->random, 0.02, 0.06);
    }
}

fault_plan fault_plan_of(uint64_t seed, uint32_t number, bool clean)
{
    fault_plan plan = {.kind = number % FAULT_KINDS, .clean = clean};
    plan.flat = number / FAULT_KINDS % 4 == 3;
    plan.random =
        (seed * 2 + clean) * 0x9E3779B97F4A7C15u + (uint64_t)number * 0xD1B54A32D192ED03u + 1;
    for (int i = 0; i < 8; i++)
        fault_random(&plan.random);
    draw_machine(&plan);
    draw_program(&plan);
    draw_ranks(&plan);
    draw_time(&plan);
    plan.strength = draw_strength(&plan);
    return plan;
}
