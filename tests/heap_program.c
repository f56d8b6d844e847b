/* Allocates what tests/cli/heap.sh knows: four threads make 200 blocks of 1000 (k + 1) + i bytes
 * each, k their number, all of them before any is freed; each frees its first 150 and makes its
 * last one larger; then thread 3 frees what is left of those of thread 0. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 4, BLOCKS = 200, FREED = 150, LARGE = 100000 };

static pthread_barrier_t begun, all;
static void *volatile blocks[THREADS][BLOCKS];

static void *work(void *of)
{
    const size_t k = (size_t)of;
    blocks[k][0] = malloc(1000 * (k + 1));
    pthread_barrier_wait(&begun); /* so that threads are recorded in their order */
    for (size_t i = 1; i < BLOCKS; i++)
        blocks[k][i] = malloc(1000 * (k + 1) + i);
    for (size_t turn = 0; turn < THREADS; turn++) {
        pthread_barrier_wait(&all);
        for (size_t i = 0; i < FREED && turn == k; i++)
            free(blocks[k][i]);
        if (turn == k)
            blocks[k][BLOCKS - 1] = realloc(blocks[k][BLOCKS - 1], LARGE);
    }
    pthread_barrier_wait(&all);
    for (size_t i = FREED; i < BLOCKS && k == 3; i++)
        free(blocks[0][i]);
    return NULL;
}

/* With an argument it ends at once, as if it were killed. */
int main(int count, char **arguments)
{
    pthread_t threads[THREADS];
    (void)arguments;
    pthread_barrier_init(&begun, NULL, 2);
    pthread_barrier_init(&all, NULL, THREADS);
    for (size_t k = 0; k < THREADS; k++) {
        pthread_create(&threads[k], NULL, work, (void *)k);
        pthread_barrier_wait(&begun);
    }
    for (size_t k = 0; k < THREADS; k++)
        pthread_join(threads[k], NULL);
    if (count > 1)
        _exit(3);
    return 0;
}
