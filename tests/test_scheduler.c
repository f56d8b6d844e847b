/* The states of threads and CPUs, out of what a scheduler does. */
#include "check.h"

#include "base/text.h"
#include "importers/common/scheduler.h"

#include <inttypes.h>

static ocelotl_status tell_thread(void *context, const oc_scheduled *state)
{
    static const char *const states[] = {"?", "running", "ready", "blocked", "ended"};
    oc_text_format(context, "t%" PRIu32 " %s %" PRId64 "-%" PRId64 " %d/%" PRIu32 "; ",
                   state->thread, states[state->state], state->begin, state->end,
                   state->cpu == OC_NO_CPU ? -1 : (int)state->cpu, state->detail);
    return OCELOTL_OK;
}

static ocelotl_status tell_cpu(void *context, const oc_scheduled *state)
{
    oc_text_format(context, "c%" PRIu32 " %d %" PRId64 "-%" PRId64 "; ", state->cpu,
                   state->thread == OC_NO_THREAD ? -1 : (int)state->thread, state->begin,
                   state->end);
    return OCELOTL_OK;
}

static void check_told(oc_scheduler *scheduler, oc_text *told, const char *expected)
{
    CHECK_OK(oc_scheduler_finish(scheduler, 100));
    CHECK(told->bytes != NULL && strcmp(told->bytes, expected) == 0);
    oc_scheduler_free(scheduler);
    oc_text_free(told);
}

static void change(oc_scheduler *scheduler, int64_t time, uint32_t before, oc_thread_state left,
                   uint32_t after)
{
    const oc_scheduler_change one = {.cpu = 0,
                                     .before = before,
                                     .after = after,
                                     .left = left,
                                     .detail = (uint32_t)time,
                                     .time = time};
    CHECK_OK(oc_scheduler_switch(scheduler, &one));
}

/* A thread that waits, is woken and goes on; one that could go on; one that ends. */
static void check_switches(void)
{
    oc_text told = {0};
    oc_scheduler scheduler = {.thread = tell_thread, .cpu = tell_cpu, .context = &told};
    change(&scheduler, 10, 1, OC_THREAD_BLOCKED, 2);
    bool wakes[3];
    for (uint32_t i = 0; i < 3; i++)
        CHECK_OK(oc_scheduler_wake(&wakes[i], &scheduler, i < 2 ? 1 : 2, 15 + i));
    CHECK(wakes[0] && !wakes[1] && !wakes[2]);
    change(&scheduler, 20, 2, OC_THREAD_READY, 1);
    change(&scheduler, 30, 1, OC_THREAD_ENDED, OC_NO_THREAD);
    change(&scheduler, 40, OC_NO_THREAD, OC_THREAD_READY, 2);
    CHECK(scheduler.missed == 0);
    check_told(&scheduler, &told,
               "t1 running 10-10 0/0; c0 1 10-10; t1 blocked 10-15 0/10; t2 running 10-20 0/0; "
               "c0 2 10-20; t1 ready 15-20 0/0; t1 running 20-30 0/0; c0 1 20-30; c0 -1 30-40; "
               "t2 ready 20-40 0/20; t2 running 40-100 0/0; c0 2 40-100; ");
}

/* Of one program alone the switches to its threads are not recorded. */
static void check_missed(void)
{
    oc_text told = {0};
    oc_scheduler scheduler = {.thread = tell_thread, .cpu = tell_cpu, .context = &told};
    CHECK_OK(oc_scheduler_see(&scheduler, 3, 0, 5));
    change(&scheduler, 10, 3, OC_THREAD_BLOCKED, OC_NO_THREAD);
    CHECK_OK(oc_scheduler_see(&scheduler, 3, OC_NO_CPU, 20));
    change(&scheduler, 30, 3, OC_THREAD_BLOCKED, OC_NO_THREAD);
    CHECK(scheduler.missed == 1);
    check_told(&scheduler, &told,
               "t3 running 5-10 0/0; c0 3 5-10; t3 blocked 10-20 0/10; c0 -1 10-30; "
               "t3 running 20-30 0/0; c0 3 30-30; t3 blocked 30-100 0/30; c0 -1 30-100; ");
}

/* Of a thread of another program the switch to it is recorded, and not the one away from it. */
static void check_left(void)
{
    oc_text told = {0};
    oc_scheduler scheduler = {.thread = tell_thread, .cpu = tell_cpu, .context = &told};
    change(&scheduler, 10, 1, OC_THREAD_BLOCKED, 2);
    CHECK_OK(oc_scheduler_see(&scheduler, 1, 0, 30));
    CHECK_OK(oc_scheduler_end(&scheduler, 1, 40));
    CHECK(scheduler.missed == 1);
    check_told(&scheduler, &told,
               "t1 running 10-10 0/0; c0 1 10-10; c0 2 10-30; t2 running 10-30 0/0; "
               "t1 blocked 10-30 0/10; t1 running 30-40 0/0; c0 1 30-100; ");
}

int main(void)
{
    check_switches();
    check_missed();
    check_left();
    return 0;
}
