#define _GNU_SOURCE
#include "base/cost.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* --- The cost of a solve */

/* Rates of one core on random data, which no cut can be spared (bench/engine.c); real traces are
 * several times quicker. */
static const double logarithms_per_second = 3e8;
static const double cuts_per_second = 8e9;

uint64_t oc_cost_memory(const oc_request_size *size, uint32_t stored)
{
    const double slices = size->kind == OCELOTL_SPATIAL ? 1 : size->slices;
    const double nodes = size->kind == OCELOTL_TEMPORAL ? 1 : size->nodes;
    const double inner = size->kind == OCELOTL_TEMPORAL ? 0 : size->inner;
    const double intervals = slices * (slices + 1) / 2;
    const double matrix = slices * (slices + 40);
    const double each = 16 * intervals + 24 * matrix + slices * slices;
    const double bytes =
        8 * intervals * (stored + inner) + size->threads * each + 16 * nodes * slices;
    return bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX;
}

double oc_cost_seconds(ocelotl_kind kind, uint32_t nodes, uint32_t types, uint32_t slices)
{
    const double t = slices;
    const double intervals = kind == OCELOTL_SPATIAL ? 1 : t * (t + 1) / 2;
    const double solved = kind == OCELOTL_SPATIOTEMPORAL ? nodes : 1;
    const double cuts = kind == OCELOTL_SPATIAL ? nodes : solved * t * t * t / 6;
    return (double)nodes * types * intervals / logarithms_per_second + cuts / cuts_per_second;
}

/* --- The machine */

static uint64_t memory_of_machine(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    unsigned long long kilobytes = 0;
    char line[256];
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1)
            break;
    if (file != NULL)
        fclose(file);
    if (kilobytes > 0)
        return (uint64_t)kilobytes * 1024;
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size / 2 : (uint64_t)1 << 30;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The first number of a file, `otherwise` where it has none. */
static uint64_t number_in(const char *path, uint64_t otherwise)
{
    FILE *file = fopen(path, "r");
    unsigned long long number = 0;
    const bool found = file != NULL && fscanf(file, "%llu", &number) == 1;
    if (file != NULL)
        fclose(file);
    return found ? number : otherwise;
}

/* What `ulimit -v` leaves. */
static uint64_t free_addresses(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    const uint64_t used = number_in("/proc/self/statm", 0) * (uint64_t)sysconf(_SC_PAGESIZE);
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

/* What a container allows all its programs together: in the second version of control groups, and
 * in the first. */
static uint64_t memory_of_container(void)
{
    return least(number_in("/sys/fs/cgroup/memory.max", UINT64_MAX),
                 number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes", UINT64_MAX));
}

static uint64_t available_memory(void)
{
    return least(memory_of_machine(), least(memory_of_container(), free_addresses()));
}

uint64_t oc_memory_budget(void)
{
    return available_memory() / 4 * 3;
}

uint32_t oc_processor_count(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1;
}
