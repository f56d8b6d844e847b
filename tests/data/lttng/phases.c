/* Four threads generate numbers, sort them, and merge them pair by pair. LTTng records the phases:
 *
 *     gcc -I. phases.c -o phases -llttng-ust -ldl -pthread
 *     ./phases [NUMBERS OF A THREAD]
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "phases_events.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, STEPS = 10 };

static int count = 50000; /* numbers of a thread */
static int *numbers;      /* of all threads */
static pthread_barrier_t barrier;

static int compare(const void *left, const void *right)
{
    const int a = *(const int *)left;
    const int b = *(const int *)right;
    return (a > b) - (a < b);
}

static void wait_for_all(int step)
{
    lttng_ust_tracepoint(app, wait_begin, step);
    pthread_barrier_wait(&barrier);
    lttng_ust_tracepoint(app, wait_end, step);
}

static void generate(int self)
{
    unsigned seed = (unsigned)self + 1;
    for (int step = 0; step < STEPS; step++) {
        lttng_ust_tracepoint(app, generate_begin, step);
        for (int round = 0; round < 20; round++)
            for (int i = 0; i < count; i++)
                numbers[self * count + i] = rand_r(&seed);
        lttng_ust_tracepoint(app, generate_end, step);
    }
}

static void sort(int self)
{
    unsigned seed = (unsigned)self + 1;
    for (int step = 0; step < STEPS; step++) {
        lttng_ust_tracepoint(app, sort_begin, step);
        for (int i = 0; i < count; i++)
            numbers[self * count + i] = rand_r(&seed);
        qsort(numbers + self * count, (size_t)count, sizeof(int), compare);
        lttng_ust_tracepoint(app, sort_end, step);
    }
}

/* Those that are merged are as good as sorted; each step wants half the threads. */
static void merge(int self)
{
    for (int width = 2; width <= THREADS; width *= 2) {
        for (int round = 0; round < STEPS && self % width == 0; round++) {
            lttng_ust_tracepoint(app, merge_begin, width);
            qsort(numbers + self * count, (size_t)width * (size_t)count, sizeof(int), compare);
            lttng_ust_tracepoint(app, merge_end, width);
        }
        wait_for_all(width);
    }
}

static void *work(void *context)
{
    const int self = (int)(size_t)context;
    generate(self);
    wait_for_all(0);
    sort(self);
    wait_for_all(1);
    merge(self);
    return NULL;
}

int main(int argument_count, char **arguments)
{
    pthread_t threads[THREADS];
    if (argument_count > 1)
        count = atoi(arguments[1]);
    numbers = calloc((size_t)count * THREADS, sizeof(int));
    if (numbers == NULL || pthread_barrier_init(&barrier, NULL, THREADS) != 0)
        return 1;
    for (size_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, (void *)i) != 0)
            return 1;
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    free(numbers);
    return 0;
}
