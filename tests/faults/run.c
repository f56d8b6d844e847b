/* Plays runs: each rank has a clock, and waits for those it gets something from. */
#include "faults.h"

#include "../made.h"

static const double latency = 1e-5; /* seconds, of a message */

typedef enum call {
    CALL_INIT,
    CALL_BCAST,
    CALL_BARRIER,
    CALL_SEND,
    CALL_RECV,
    CALL_ISEND,
    CALL_WAITALL,
    CALL_ALLREDUCE,
    CALL_REDUCE,
    CALL_WRITE,
    CALL_FINALIZE,
    CALL_COMPUTING,
    CALLS
} call;

static const char *const call_names[CALLS] = {
    [CALL_INIT] = "MPI_Init",         [CALL_BCAST] = "MPI_Bcast",
    [CALL_BARRIER] = "MPI_Barrier",   [CALL_SEND] = "MPI_Send",
    [CALL_RECV] = "MPI_Recv",         [CALL_ISEND] = "MPI_Isend",
    [CALL_WAITALL] = "MPI_Waitall",   [CALL_ALLREDUCE] = "MPI_Allreduce",
    [CALL_REDUCE] = "MPI_Reduce",     [CALL_WRITE] = "MPI_File_write",
    [CALL_FINALIZE] = "MPI_Finalize", [CALL_COMPUTING] = "computing",
};

typedef struct player {
    const fault_plan *plan;
    fault_run *run;
    ocelotl_writer *writer;
    uint32_t states;
    uint32_t values[CALLS];
    uint32_t resource[FAULT_MOST_RANKS];
    uint64_t random;
    double bias[FAULT_MOST_RANKS]; /* no two processors are quite as fast */
    double clock[FAULT_MOST_RANKS];
    uint32_t iteration;
} player;

/* Bell-shaped, of standard deviation 1, by additions alone: the same on every machine. */
static double noise(player *play)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += fault_random(&play->random);
    return sum;
}

/* A rank is in a call until `end`. */
static void spend(player *play, uint32_t rank, call in, double end)
{
    const int64_t from = (int64_t)(play->clock[rank] * 1e9);
    const int64_t to = (int64_t)(end * 1e9);
    play->clock[rank] = end;
    if (to > from && (in != CALL_COMPUTING || play->plan->computes))
        must_state(play->writer, play->resource[rank], play->states, play->values[in], from, to);
}

static bool is_faulty(const player *play, uint32_t rank, fault_kind kind)
{
    const fault_plan *plan = play->plan;
    return !plan->clean && plan->kind == kind && plan->faulty[rank] &&
           play->iteration >= plan->first && play->iteration <= plan->last;
}

/* How many times as long a rank computes. */
static double slowness(player *play, uint32_t rank)
{
    const fault_plan *plan = play->plan;
    const bool unlucky = fault_random(&play->random) < 0.4;
    if (is_faulty(play, rank, FAULT_SLOW_HOST) || is_faulty(play, rank, FAULT_SLOW_CLUSTER))
        return plan->strength;
    if (is_faulty(play, rank, FAULT_NOISY_RANK))
        return unlucky ? plan->strength : 1;
    if (is_faulty(play, rank, FAULT_GROWING_IMBALANCE))
        return 1 +
               (plan->strength - 1) * (play->iteration - plan->first) / (plan->last - plan->first);
    return is_faulty(play, rank, FAULT_MISSING_PHASE) ? 0.02 : 1;
}

static void compute(player *play, double seconds)
{
    for (uint32_t r = 0; r < play->plan->ranks; r++) {
        const double spike = fault_random(&play->random) < 0.005 ? 1.5 : 1;
        const double factor = play->bias[r] * (1 + 0.03 * noise(play)) * spike * slowness(play, r);
        spend(play, r, CALL_COMPUTING, play->clock[r] + seconds * (factor > 0.01 ? factor : 0.01));
        if (is_faulty(play, r, FAULT_EXTRA_PHASE))
            spend(play, r, play->plan->root_works ? CALL_WRITE : CALL_COMPUTING,
                  play->clock[r] + play->plan->strength);
    }
}

/* A message takes longer through a slow switch. */
static double transfer(player *play, uint32_t from, uint32_t to, double seconds)
{
    const bool slow =
        is_faulty(play, from, FAULT_SLOW_SWITCH) || is_faulty(play, to, FAULT_SLOW_SWITCH);
    const double varied = latency + seconds * (1 + 0.1 * fault_random(&play->random));
    return slow ? varied * play->plan->strength : varied;
}

/* When the last message of the neighbours is there, all ranks being ready to send since `ready`. */
static double find_arrival(player *play, const double *ready, uint32_t rank,
                           const fault_phase *phase)
{
    const uint32_t ranks = play->plan->ranks;
    double arrival = play->clock[rank];
    for (uint32_t step = 1;; step = phase->reach) {
        const uint32_t neighbours[] = {(rank + step) % ranks, (rank + ranks - step) % ranks};
        for (int i = 0; i < 2; i++) {
            const double at =
                ready[neighbours[i]] + transfer(play, neighbours[i], rank, phase->message / 2);
            arrival = at > arrival ? at : arrival;
        }
        if (step == phase->reach)
            return arrival;
    }
}

static void exchange(player *play, const fault_phase *phase)
{
    double ready[FAULT_MOST_RANKS];
    const uint32_t ranks = play->plan->ranks;
    for (uint32_t r = 0; r < ranks; r++) {
        const double sending = transfer(play, r, r, phase->blocking ? phase->message / 2 : 0);
        spend(play, r, phase->blocking ? CALL_SEND : CALL_ISEND, play->clock[r] + sending);
        ready[r] = play->clock[r];
    }
    for (uint32_t r = 0; r < ranks; r++)
        spend(play, r, phase->blocking ? CALL_RECV : CALL_WAITALL,
              find_arrival(play, ready, r, phase));
}

/* All wait for the last one. */
static void meet(player *play, call in)
{
    const uint32_t ranks = play->plan->ranks;
    double last = 0;
    for (uint32_t r = 0; r < ranks; r++)
        last = play->clock[r] > last ? play->clock[r] : last;
    for (uint32_t r = 0; r < ranks; r++)
        spend(play, r, in, last + 8 * latency * (1 + 0.2 * fault_random(&play->random)));
}

/* Rank 0 gets what the others are done with, works on it, and gives them the result. */
static void gather(player *play, double seconds)
{
    const uint32_t ranks = play->plan->ranks;
    double last = 0;
    for (uint32_t r = 0; r < ranks; r++)
        last = play->clock[r] > last ? play->clock[r] : last;
    spend(play, 0, CALL_REDUCE, last + 8 * latency);
    spend(play, 0, CALL_COMPUTING, play->clock[0] + (play->plan->root_works ? seconds : 0));
    for (uint32_t r = 1; r < ranks; r++)
        spend(play, r, CALL_REDUCE, play->clock[r] + 2 * latency);
    for (uint32_t r = ranks; r-- > 0;)
        spend(play, r, CALL_BCAST, play->clock[0] + 8 * latency);
}

/* Records the fault's time: it begins when the first rank meets it and ends when the last one
 * leaves it. For growing imbalance only the second half counts. */
static void watch(player *play, bool ends)
{
    const fault_plan *plan = play->plan;
    const bool grows = plan->kind == FAULT_GROWING_IMBALANCE;
    const uint32_t first = grows ? (plan->first + plan->last) / 2 : plan->first;
    if (plan->kind == FAULT_LATE_START || play->iteration != (ends ? plan->last : first))
        return;
    for (uint32_t r = 0, met = 0; r < plan->ranks; r++) {
        double *at = ends ? &play->run->to : &play->run->from;
        if (plan->faulty[r] && (met++ == 0 || (ends ? play->clock[r] > *at : play->clock[r] < *at)))
            *at = play->clock[r];
    }
}

/* Extra work is over before its rank exchanges anything. */
static void play_phase(player *play, const fault_phase *phase)
{
    const bool extra = play->plan->kind == FAULT_EXTRA_PHASE;
    for (uint32_t i = 1; i <= phase->iterations; i++) {
        watch(play, false);
        compute(play, phase->compute);
        if (extra)
            watch(play, true);
        exchange(play, phase);
        if (!extra)
            watch(play, true);
        if (i % phase->reduce_every == 0)
            meet(play, CALL_ALLREDUCE);
        play->iteration++;
    }
    gather(play, 2 * phase->compute);
}

/* A rank that starts late keeps the others waiting in the first barrier. */
static void begin(player *play)
{
    const fault_plan *plan = play->plan;
    for (uint32_t r = 0; r < plan->ranks; r++) {
        const bool late = plan->kind == FAULT_LATE_START && plan->faulty[r] && !plan->clean;
        play->bias[r] = 1 + 0.01 * noise(play);
        play->clock[r] = late ? plan->strength : 0;
        spend(play, r, CALL_INIT, play->clock[r] + 0.02 * (1 + 0.1 * fault_random(&play->random)));
    }
    if (plan->kind == FAULT_LATE_START)
        *play->run = (fault_run){0, plan->strength};
    meet(play, CALL_BARRIER);
    for (uint32_t r = plan->ranks; r-- > 0;)
        spend(play, r, CALL_BCAST, play->clock[0] + 8 * latency);
}

static uint32_t declare(player *play, uint32_t type, uint32_t parent, const char *name,
                        uint32_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%s-%u", name, number);
    return must_resource(play->writer, type, parent, text, 0);
}

/* Site, clusters, switches and hosts, each where the first rank below it is met. */
static void declare_machine(player *play, uint32_t hosts[FAULT_MOST_RANKS], uint32_t *type)
{
    uint32_t clusters[FAULT_MOST_RANKS] = {0};
    uint32_t switches[FAULT_MOST_RANKS] = {0};
    const fault_plan *plan = play->plan;
    const uint32_t site_type = must_kind(play->writer, OCELOTL_ROOT, "SITE");
    const uint32_t cluster_type = must_kind(play->writer, site_type, "CLUSTER");
    const uint32_t switch_type = must_kind(play->writer, cluster_type, "SWITCH");
    const uint32_t host_type = must_kind(play->writer, switch_type, "HOST");
    const uint32_t site = declare(play, site_type, OCELOTL_ROOT, "site", 1);
    for (uint32_t i = 0; i < plan->clusters; i++)
        clusters[i] = declare(play, cluster_type, site, "cluster", i);
    for (uint32_t i = 0; i < plan->switches; i++)
        switches[i] =
            declare(play, switch_type, clusters[i * plan->clusters / plan->switches], "switch", i);
    for (uint32_t i = 0; i < plan->hosts; i++)
        hosts[i] = declare(play, host_type, switches[i * plan->switches / plan->hosts], "host", i);
    *type = must_kind(play->writer, host_type, "MPI_RANK");
}

static void declare_all(player *play)
{
    uint32_t hosts[FAULT_MOST_RANKS] = {0};
    uint32_t type;
    const fault_plan *plan = play->plan;
    if (plan->flat)
        type = must_kind(play->writer, OCELOTL_ROOT, "MPI_RANK");
    else
        declare_machine(play, hosts, &type);
    for (uint32_t r = 0; r < plan->ranks; r++)
        play->resource[r] =
            declare(play, type, plan->flat ? OCELOTL_ROOT : hosts[plan->place[r].host], "rank", r);
    play->states = must_type(play->writer, OCELOTL_STATE, type, "MPI_STATE");
    for (int c = 0; c < CALLS; c++)
        play->values[c] = must_value(play->writer, play->states, call_names[c]);
}

void fault_play(fault_run *run, const fault_plan *plan, const char *path)
{
    player play = {.plan = plan, .run = run, .random = plan->random};
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    options.name = plan->clean ? "clean run" : fault_name(plan->kind);
    options.format = "synthetic";
    options.overwrite = true;
    *run = (fault_run){0, 0};
    play.writer = must_write(path, &options);
    declare_all(&play);
    begin(&play);
    for (uint32_t i = 0; i < plan->phase_count; i++)
        play_phase(&play, &plan->phases[i]);
    meet(&play, CALL_FINALIZE);
    must_finish(play.writer);
}
