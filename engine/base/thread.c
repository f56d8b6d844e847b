#define _DEFAULT_SOURCE
#include "base/thread.h"

#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* --- Threads */

/* How large the team of the last parallel region of this thread was: OpenMP keeps its threads. And
 * how large one can be at most, once that is known. */
static _Thread_local int team_size = 1;
static _Thread_local int largest_team = INT_MAX;

ocelotl_status oc_check_work(const ocelotl_work *work)
{
    return work->threads <= 4096
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT, "%u threads are too many, expected at most 4096",
                         work->threads);
}

static bool start(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                  void *context)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(thread, attributes, run, context) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

bool oc_thread_start(pthread_t *thread, void *(*run)(void *), void *context)
{
    return start(thread, NULL, run, context);
}

/* Bytes that OMP_STACKSIZE asks for, which is in kilobytes unless a letter says otherwise; 0: the
 * usual. */
static size_t stack_of_team(void)
{
    static const char units[] = "BKMG";
    const char *text = getenv("OMP_STACKSIZE");
    char *end = NULL;
    const unsigned long long number = text != NULL ? strtoull(text, &end, 10) : 0;
    if (number == 0)
        return 0;
    end += strspn(end, " ");
    const int letter = *end >= 'a' && *end <= 'z' ? *end - 'a' + 'A' : *end;
    const char *unit = letter != '\0' ? strchr(units, letter) : units + 1;
    const int bits = unit != NULL ? 10 * (int)(unit - units) : 0;
    return unit != NULL && number <= SIZE_MAX >> bits ? (size_t)number << bits : 0;
}

static void *wait_for(void *lock)
{
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    return NULL;
}

/* Of threads that only count: the system keeps the stacks of ended ones for the next. */
static const size_t small_stack = (size_t)64 << 10;

/* How many threads, of so many, the system gives at once. */
static int try_threads(int count)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_attr_t attributes;
    pthread_t *threads = calloc((size_t)count, sizeof *threads);
    int started = 0;
    if (threads == NULL)
        return 0;
    if (pthread_attr_init(&attributes) == 0) {
        (void)pthread_attr_setstacksize(&attributes, small_stack);
        pthread_mutex_lock(&lock);
        while (started < count && start(&threads[started], &attributes, wait_for, &lock))
            started++;
        pthread_mutex_unlock(&lock);
        for (int i = 0; i < started; i++)
            pthread_join(threads[i], NULL);
        pthread_attr_destroy(&attributes);
    }
    free(threads);
    return started;
}

/* Whether there are free addresses for so many bytes. */
static bool has_room(size_t bytes)
{
    void *room = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return room != MAP_FAILED && munmap(room, bytes) == 0;
}

/* How many stacks, of so many, a sixth of the free addresses holds: the work needs the others. */
static int try_stacks(int count)
{
    pthread_attr_t attributes;
    size_t stack = stack_of_team();
    if (stack == 0 && pthread_attr_init(&attributes) == 0) {
        (void)pthread_attr_getstacksize(&attributes, &stack);
        pthread_attr_destroy(&attributes);
    }
    while (count > 0 && stack > 0 &&
           (stack > SIZE_MAX / 6 / (size_t)count || !has_room(6 * stack * (size_t)count)))
        count -= count / 8 + 1;
    return count;
}

int oc_team_size(int wanted)
{
    wanted = wanted < largest_team ? wanted : largest_team;
    if (wanted <= 1)
        return 1;
    if (wanted > team_size) {
        const int more = try_stacks(wanted - team_size);
        const int there = try_threads(2 * more) / 2;
        if (there < wanted - team_size)
            wanted = largest_team = team_size + there;
    }
    if (wanted > 1)
        team_size = wanted;
    return wanted;
}

/* --- The first failure */

void oc_first_failure_keep(oc_first_failure *failure, ocelotl_status status)
{
    int earlier;
#pragma omp atomic capture
    earlier = failure->count++;
    if (earlier > 0)
        return;
    failure->status = status;
    snprintf(failure->message, sizeof failure->message, "%s", ocelotl_error_message());
}

bool oc_first_failure_is_there(const oc_first_failure *failure)
{
    int count;
#pragma omp atomic read
    count = failure->count;
    return count > 0;
}

ocelotl_status oc_first_failure_give(const oc_first_failure *failure)
{
    return failure->status == OCELOTL_OK ? OCELOTL_OK
                                         : oc_fail(failure->status, "%s", failure->message);
}
