#define _GNU_SOURCE
#include "importers/common/pipeline.h"

#include "base/thread.h"

/* How much room the reader waits for. */
static const uint64_t room_wanted = 4 * 1024;

ocelotl_status oc_pipeline_begin(oc_pipeline *pipeline, oc_apply apply, oc_expect expect,
                                 void *context)
{
    pipeline->expect = expect;
    pipeline->apply = apply;
    pipeline->context = context;
    if (pthread_mutex_init(&pipeline->lock, NULL) != 0 ||
        pthread_cond_init(&pipeline->more, NULL) != 0 ||
        pthread_cond_init(&pipeline->progress, NULL) != 0)
        return oc_fail_memory();
    pipeline->is_ready = true;
    return oc_raw_window_begin(&pipeline->window);
}

/* The events were written by another core a while ago: what one needs is asked for before it is its
 * turn. */
static void expect(const oc_pipeline *pipeline, uint64_t number)
{
    const oc_raw_window *window = &pipeline->window;
    __builtin_prefetch(oc_raw_window_at(window, number + 24));
    pipeline->expect(pipeline->context, oc_raw_window_at(window, number + 12),
                     oc_raw_window_at(window, number + 8), oc_raw_window_at(window, number + 4));
}

/* After a failure the others are only forgotten. */
static ocelotl_status apply_until(oc_pipeline *pipeline, ocelotl_status status, uint64_t from,
                                  uint64_t to)
{
    for (uint64_t number = from; number < to; number++) {
        oc_raw_event *event = oc_raw_window_at(&pipeline->window, number);
        if (number + 12 < to)
            expect(pipeline, number);
        if (status == OCELOTL_OK)
            status = pipeline->apply(pipeline->context, event);
        if (event->owns_attributes)
            oc_raw_event_free(event);
    }
    return status;
}

/* Under the lock. */
static void note(oc_pipeline *pipeline, ocelotl_status status, uint64_t applied)
{
    pipeline->applied = applied;
    if (status != OCELOTL_OK && pipeline->status == OCELOTL_OK) {
        pipeline->status = status;
        oc_text_add(&pipeline->message, ocelotl_error_message());
    }
}

static ocelotl_status failure(const oc_pipeline *pipeline)
{
    if (pipeline->status == OCELOTL_OK)
        return OCELOTL_OK;
    if (pipeline->message.bytes == NULL)
        return oc_fail_memory();
    return oc_fail(pipeline->status, "%s", pipeline->message.bytes);
}

static void *work(void *context)
{
    oc_pipeline *pipeline = context;
    pthread_mutex_lock(&pipeline->lock);
    for (;;) {
        while (pipeline->released == pipeline->applied && !pipeline->stops) {
            pipeline->worker_waits = true;
            pthread_cond_wait(&pipeline->more, &pipeline->lock);
        }
        pipeline->worker_waits = false;
        if (pipeline->stops)
            break;
        const uint64_t from = pipeline->applied;
        const uint64_t to =
            pipeline->released - from > OC_BATCH ? from + OC_BATCH : pipeline->released;
        ocelotl_status status = pipeline->status;
        pthread_mutex_unlock(&pipeline->lock);
        status = apply_until(pipeline, status, from, to);
        pthread_mutex_lock(&pipeline->lock);
        note(pipeline, status, to);
        if (pipeline->reader_waits)
            pthread_cond_signal(&pipeline->progress);
    }
    pthread_mutex_unlock(&pipeline->lock);
    return NULL;
}

/* In this thread: for few events that is quicker, and where the system gives no thread it is the
 * only way. */
static ocelotl_status apply_here(oc_pipeline *pipeline, uint64_t to)
{
    const ocelotl_status status = apply_until(pipeline, pipeline->status, pipeline->applied, to);
    pthread_mutex_lock(&pipeline->lock);
    note(pipeline, status, to);
    pipeline->released = to;
    pipeline->given = to;
    pipeline->known_applied = to;
    pthread_mutex_unlock(&pipeline->lock);
    return failure(pipeline);
}

/* Under the lock: waits until so many events have been applied. */
static void wait_until(oc_pipeline *pipeline, uint64_t applied)
{
    pipeline->reader_waits = true;
    while (pipeline->applied < applied)
        pthread_cond_wait(&pipeline->progress, &pipeline->lock);
    pipeline->reader_waits = false;
}

/* Under the lock: lets the other thread go on. */
static void release(oc_pipeline *pipeline, uint64_t to)
{
    pipeline->given = to;
    pipeline->released = to;
    if (pipeline->worker_waits)
        pthread_cond_signal(&pipeline->more);
}

ocelotl_status oc_pipeline_give(oc_pipeline *pipeline, uint64_t to)
{
    const uint64_t count = pipeline->window.count;
    if (!pipeline->runs)
        pipeline->runs = oc_thread_start(&pipeline->thread, work, pipeline);
    if (!pipeline->runs)
        return apply_here(pipeline, to);
    pthread_mutex_lock(&pipeline->lock);
    release(pipeline, to);
    if (count + 2 * OC_BATCH > pipeline->applied + OC_RAW_RING)
        wait_until(pipeline, count + room_wanted - OC_RAW_RING);
    pipeline->known_applied = pipeline->applied;
    const ocelotl_status status = failure(pipeline);
    pthread_mutex_unlock(&pipeline->lock);
    return status;
}

ocelotl_status oc_pipeline_drain(oc_pipeline *pipeline, bool all)
{
    if (all)
        pipeline->window.closed = pipeline->window.count;
    const uint64_t to = oc_raw_window_first(&pipeline->window);
    if (to == pipeline->known_applied)
        return failure(pipeline);
    pthread_mutex_lock(&pipeline->lock);
    const bool here = pipeline->applied == pipeline->released &&
                      (!pipeline->runs || to - pipeline->applied < OC_BATCH);
    if (!here) {
        release(pipeline, to);
        wait_until(pipeline, to);
        pipeline->known_applied = to;
    }
    const ocelotl_status status = failure(pipeline);
    pthread_mutex_unlock(&pipeline->lock);
    return here ? apply_here(pipeline, to) : status;
}

void oc_pipeline_free(oc_pipeline *pipeline)
{
    if (pipeline->runs) {
        pthread_mutex_lock(&pipeline->lock);
        pipeline->stops = true;
        pthread_cond_signal(&pipeline->more);
        pthread_mutex_unlock(&pipeline->lock);
        pthread_join(pipeline->thread, NULL);
        pipeline->runs = false;
    }
    oc_raw_window_free(&pipeline->window, pipeline->applied);
    if (pipeline->is_ready) {
        pthread_mutex_destroy(&pipeline->lock);
        pthread_cond_destroy(&pipeline->more);
        pthread_cond_destroy(&pipeline->progress);
        pipeline->is_ready = false;
    }
    oc_text_free(&pipeline->message);
}
