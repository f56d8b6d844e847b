#define _POSIX_C_SOURCE 200809L
#include "base/pool.h"

#include "base/machine.h"
#include "base/memory.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static const rlim_t addresses_per_thread = (rlim_t)160 << 20;
static const long longest_wait = 100000000; /* nanoseconds */

typedef struct member {
    oc_pool *pool;
    uint32_t number;
    pthread_t thread;
} member;

struct oc_pool {
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t given, happened;
    oc_job *first, *last;
    uint64_t seen;
    bool stops, waits; /* the first thread does */
    uint32_t idle;     /* threads that wait for a job */
    uint32_t count;    /* of threads, the first included */
    member *members;
};

/* Under the lock; NULL where none waits. */
static oc_job *take(oc_pool *pool)
{
    oc_job *job = pool->first;
    if (job != NULL) {
        pool->first = job->next;
        if (pool->first == NULL)
            pool->last = NULL;
    }
    return job;
}

/* Under the lock. */
static void happen(oc_pool *pool)
{
    pool->seen++;
    if (pool->waits)
        pthread_cond_signal(&pool->happened);
}

/* Under the lock, which is left while the job runs. */
static void run(oc_pool *pool, oc_job *job, uint32_t thread)
{
    pthread_mutex_unlock(&pool->lock);
    job->run(job, thread);
    pthread_mutex_lock(&pool->lock);
    happen(pool);
}

static void *work(void *context)
{
    const member *self = context;
    oc_pool *pool = self->pool;
    pthread_mutex_lock(&pool->lock);
    while (!pool->stops) {
        oc_job *job = take(pool);
        if (job != NULL) {
            run(pool, job, self->number);
            continue;
        }
        pool->idle++;
        pthread_cond_wait(&pool->given, &pool->lock);
        pool->idle--;
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Bounds the threads where addresses are limited: each takes many, for its stack and for malloc.
 * Most are left for the work. */
static uint32_t bound_threads(uint32_t threads)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        const rlim_t most = 1 + limit.rlim_cur / 4 / addresses_per_thread;
        threads = most < threads ? (uint32_t)most : threads;
    }
    return threads;
}

static ocelotl_status start_members(oc_pool *pool, uint32_t threads)
{
    pool->count = 1;
    OC_TRY(oc_allocate(&pool->members, threads, sizeof *pool->members));
    while (pool->count < threads) {
        member *next = &pool->members[pool->count];
        *next = (member){.pool = pool, .number = pool->count};
        if (!oc_thread_start(&next->thread, work, next))
            break;
        pthread_mutex_lock(&pool->lock);
        pool->count++;
        pthread_mutex_unlock(&pool->lock);
    }
    return OCELOTL_OK;
}

static bool make_locks(oc_pool *pool)
{
    pthread_condattr_t monotonic;
    if (pthread_condattr_init(&monotonic) != 0)
        return false;
    bool made = pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC) == 0 &&
                pthread_cond_init(&pool->happened, &monotonic) == 0;
    pthread_condattr_destroy(&monotonic);
    if (made && pthread_cond_init(&pool->given, NULL) != 0) {
        pthread_cond_destroy(&pool->happened);
        made = false;
    }
    if (made && pthread_mutex_init(&pool->lock, NULL) != 0) {
        pthread_cond_destroy(&pool->happened);
        pthread_cond_destroy(&pool->given);
        made = false;
    }
    return made;
}

ocelotl_status oc_pool_open(oc_pool **pool, uint32_t threads)
{
    oc_pool *opened;
    OC_TRY(oc_allocate(&opened, 1, sizeof *opened));
    if (!make_locks(opened)) {
        free(opened);
        return oc_fail_memory();
    }
    const ocelotl_status status = start_members(opened, bound_threads(threads > 0 ? threads : 1));
    if (status != OCELOTL_OK)
        oc_pool_free(opened);
    else
        *pool = opened;
    return status;
}

void oc_pool_free(oc_pool *pool)
{
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->stops = true;
    pthread_cond_broadcast(&pool->given);
    pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 1; i < pool->count; i++)
        pthread_join(pool->members[i].thread, NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->given);
    pthread_cond_destroy(&pool->happened);
    free(pool->members);
    free(pool);
}

uint32_t oc_pool_threads(const oc_pool *pool)
{
    return pool->count;
}

void oc_pool_give(oc_pool *pool, oc_job *job, bool before)
{
    pthread_mutex_lock(&pool->lock);
    oc_job **link = before || pool->last == NULL ? &pool->first : &pool->last->next;
    job->next = before ? pool->first : NULL;
    *link = job;
    if (job->next == NULL)
        pool->last = job;
    if (pool->idle > 0)
        pthread_cond_signal(&pool->given);
    else if (pool->waits)
        pthread_cond_signal(&pool->happened);
    pthread_mutex_unlock(&pool->lock);
}

void oc_pool_signal(oc_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    happen(pool);
    pthread_mutex_unlock(&pool->lock);
}

uint64_t oc_pool_seen(oc_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    const uint64_t seen = pool->seen;
    pthread_mutex_unlock(&pool->lock);
    return seen;
}

static void wait_briefly(oc_pool *pool)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += longest_wait;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pool->waits = true;
    (void)pthread_cond_timedwait(&pool->happened, &pool->lock, &until);
    pool->waits = false;
}

void oc_pool_step(oc_pool *pool, uint64_t seen)
{
    pthread_mutex_lock(&pool->lock);
    oc_job *job = pool->seen == seen ? take(pool) : NULL;
    if (job != NULL)
        run(pool, job, 0);
    else if (pool->seen == seen)
        wait_briefly(pool);
    pthread_mutex_unlock(&pool->lock);
}
