/* How clocks run over time: off their lines, within their bounds, and when messages contradict. */
#include "quality/clocks/clocks.h"

#include "base/memory.h"
#include "base/options.h"
#include "quality/derive/times.h"

#include <math.h>
#include <stdlib.h>

static const uint32_t most_steps = 4096;
static const uint64_t most_instants = (uint64_t)1 << 24;

/* Messages that end before they begin. */
typedef struct contradicted {
    uint64_t wrong, still;
} contradicted;

struct ocelotl_clock_courses {
    const ocelotl_clocks *clocks;
    ocelotl_clock_courses_info info;
    oc_clock_bands bands;
    contradicted *contradicted; /* by clock, then from each step to the next */
};

static size_t place_of(const ocelotl_clock_courses *courses, uint32_t clock, uint32_t step)
{
    return (size_t)clock * (courses->info.steps + 1) + step;
}

static uint32_t step_of(const ocelotl_clock_courses *courses, int64_t time)
{
    const double length = (double)courses->info.to - (double)courses->info.from;
    const double since = (double)time - (double)courses->info.from;
    const double step = length > 0 ? floor(since / length * courses->info.steps) : 0;
    return (uint32_t)fmin(fmax(step, 0), courses->info.steps - 1.0);
}

/* Both clocks of a message are in doubt. */
static ocelotl_status count(void *context, const oc_message *message)
{
    ocelotl_clock_courses *courses = context;
    const ocelotl_time_function *functions = courses->clocks->functions;
    const int64_t sent = ocelotl_time_of(&functions[message->source], message->sent, NULL);
    const int64_t received = ocelotl_time_of(&functions[message->target], message->received, NULL);
    const uint32_t ends[2] = {message->source, message->target};
    const uint32_t step = step_of(courses, received);
    for (int end = 0; end < 2; end++) {
        contradicted *of = &courses->contradicted[place_of(courses, ends[end], step)];
        of->wrong += message->received < message->sent;
        of->still += received < sent;
    }
    return OCELOTL_OK;
}

static ocelotl_status find(ocelotl_clock_courses *courses, const ocelotl_clocks *clocks)
{
    const uint64_t instants = clocks->network.count * ((uint64_t)courses->info.steps + 1);
    oc_clock_bands *bands = &courses->bands;
    courses->clocks = clocks;
    if (courses->info.steps == 0 || courses->info.steps > most_steps)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the number of steps is %u, expected 1 to %u",
                       courses->info.steps, most_steps);
    if (instants > most_instants)
        return oc_fail(
            OCELOTL_ERROR_LIMIT,
            "%u clocks at %u steps are too many to follow, expected fewer steps, or fewer "
            "clocks (--at)",
            clocks->network.count, courses->info.steps);
    OC_TRY(oc_allocate(&bands->least, instants, sizeof *bands->least));
    OC_TRY(oc_allocate(&bands->most, instants, sizeof *bands->most));
    OC_TRY(oc_allocate(&courses->contradicted, instants, sizeof *courses->contradicted));
    bands->steps = courses->info.steps;
    OC_TRY(oc_network_band(bands, &clocks->network));
    courses->info.clocks = clocks->network.count;
    courses->info.from = bands->from;
    courses->info.to = bands->to;
    courses->info.told = clocks->info.pieces < 2;
    return oc_clocks_read(clocks, OCELOTL_EVIDENCE_MESSAGES | OCELOTL_EVIDENCE_COLLECTIVES, count,
                          courses);
}

ocelotl_status ocelotl_clock_courses_find(ocelotl_clock_courses **courses,
                                          const ocelotl_clocks *clocks, uint32_t steps)
{
    ocelotl_clock_courses *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->info.steps = steps;
    const ocelotl_status status = find(made, clocks);
    if (status == OCELOTL_OK)
        *courses = made;
    else
        ocelotl_clock_courses_free(made);
    return status;
}

void ocelotl_clock_courses_free(ocelotl_clock_courses *courses)
{
    if (courses == NULL)
        return;
    free(courses->bands.least);
    free(courses->bands.most);
    free(courses->contradicted);
    free(courses);
}

ocelotl_clock_courses_info ocelotl_clock_courses_info_of(const ocelotl_clock_courses *courses)
{
    return courses->info;
}

/* What its times are taken to be, less its line. */
static double off_line(const oc_clock *clock, const ocelotl_time_function *function, int64_t tick)
{
    const ocelotl_time_piece *piece = oc_time_piece_at(function, tick);
    const double since_piece = (double)(int64_t)((uint64_t)tick - (uint64_t)piece->from);
    const double since_middle = (double)(int64_t)((uint64_t)tick - (uint64_t)clock->middle);
    const double whole = (double)(int64_t)((uint64_t)piece->offset + (uint64_t)clock->offset);
    return -whole - piece->fraction - piece->drift * since_piece - clock->rest -
           clock->drift * since_middle;
}

ocelotl_clock_instant ocelotl_clock_courses_at(const ocelotl_clock_courses *courses, uint32_t clock,
                                               uint32_t step)
{
    if (clock >= courses->info.clocks || step > courses->info.steps)
        return (ocelotl_clock_instant){0};
    const size_t place = place_of(courses, clock, step);
    const oc_clock *of = &courses->clocks->network.clocks[clock];
    const int64_t at = oc_clock_bands_instant(&courses->bands, step);
    const double off = off_line(of, &courses->clocks->functions[clock], oc_clock_tick_at(of, at));
    return (ocelotl_clock_instant){
        .at = at,
        .off = off,
        .least = courses->info.told ? courses->bands.least[place] : -INFINITY,
        .most = courses->info.told ? courses->bands.most[place] : INFINITY,
        .wrong = courses->contradicted[place].wrong,
        .still = courses->contradicted[place].still};
}
