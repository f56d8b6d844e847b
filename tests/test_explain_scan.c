/* What is unlike its like: planted groups are found where and when they are, and noise is not. */
#include "check.h"
#include "explain/scan.h"

#include <math.h>
#include <stdlib.h>

enum { HOSTS = 12, EACH = 4, ROWS = HOSTS * EACH, COLUMNS = 60, NODES = 1 + HOSTS + ROWS };

static double draw(uint64_t *state)
{
    double sum = 0;
    for (int i = 0; i < 12; i++) {
        *state = *state * 6364136223846793005U + 1442695040888963407U;
        sum += (double)(*state >> 40) / (1 << 24);
    }
    return sum - 6; /* nearly normal */
}

/* A root, hosts, and the rows of each; in the order of drawing. */
static void make_tree(oc_scan_node nodes[NODES])
{
    uint32_t n = 0;
    nodes[n++] = (oc_scan_node){OCELOTL_NONE, 0, ROWS, OCELOTL_NONE};
    for (uint32_t host = 0; host < HOSTS; host++) {
        const uint32_t parent = n;
        nodes[n++] = (oc_scan_node){0, host * EACH, EACH, 0};
        for (uint32_t row = 0; row < EACH; row++)
            nodes[n++] = (oc_scan_node){parent, host * EACH + row, 1, 1};
    }
}

/* How many are found beside it. */
static size_t check_planted(uint64_t seed)
{
    static double values[ROWS * COLUMNS];
    oc_scan_node nodes[NODES];
    const oc_scan_tree tree = {nodes, NODES, ROWS, 2};
    const oc_scan_table table = {&tree, values, COLUMNS, 0.01, NULL};
    const uint32_t host = (uint32_t)(seed % HOSTS);
    const uint32_t first = (uint32_t)(seed * 7 % 30);
    const uint32_t last = first + 9 + (uint32_t)(seed % 20);
    oc_arena arena = {0};
    oc_outliers found;
    uint64_t state = seed;
    make_tree(nodes);
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        values[i] = 10 + draw(&state);
    for (uint32_t row = host * EACH; row < (host + 1) * EACH; row++)
        for (uint32_t c = first; c <= last; c++)
            values[(size_t)row * COLUMNS + c] += 3;
    CHECK_OK(oc_scan_find(&found, &arena, &table, 8));
    CHECK(found.count >= 1);
    const oc_outlier *one = &found.all[0];
    CHECK(one->row_count == EACH && one->node_count == 1 && one->nodes[0] == 1 + host * (EACH + 1));
    const uint32_t begin = one->first > first ? one->first : first;
    const uint32_t end = one->last < last ? one->last : last;
    CHECK(10 * (end - begin + 1) >=
          7 * (one->last - one->first + last - first + 2 - (end - begin + 1)));
    CHECK(one->here - one->usual > 2 && one->here - one->usual < 4);
    oc_arena_free(&arena);
    return found.count - 1;
}

static int check_noise(uint64_t seed)
{
    static double values[ROWS * COLUMNS];
    oc_scan_node nodes[NODES];
    const oc_scan_tree tree = {nodes, NODES, ROWS, 2};
    const oc_scan_table table = {&tree, values, COLUMNS, 0.01, NULL};
    oc_arena arena = {0};
    oc_outliers found;
    uint64_t state = seed;
    make_tree(nodes);
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        values[i] = draw(&state) > 1.5 ? 20 : 10; /* seldom and large */
    CHECK_OK(oc_scan_find(&found, &arena, &table, 8));
    oc_arena_free(&arena);
    return found.count > 0;
}

int main(void)
{
    double numbers[] = {5, 1, 4, 2, 3, 9};
    double median;
    int beside = 0;
    int alarms = 0; /* in 30 tables */
    CHECK(oc_median(numbers, 5) == 3 && oc_median(numbers, 6) == 3.5);
    CHECK(isnan(oc_median(numbers, 0)) && oc_quantile(numbers, 6, 0.25) == 2);
    CHECK(oc_spread(&median, numbers, 6) > 0 && median == 3.5);
    for (uint64_t seed = 1; seed <= 30; seed++) {
        beside += (int)check_planted(seed);
        alarms += check_noise(seed);
    }
    CHECK(beside == 0 && alarms <= 10);
    return 0;
}
