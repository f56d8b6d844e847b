#define _GNU_SOURCE
#include "base/machine.h"

#include <limits.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/vfs.h>
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
    const double bytes = 8 * intervals * (stored + inner) + size->threads * each +
                         16 * nodes * slices + 4 * (nodes - inner) * (slices + 3);
    return bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX;
}

uint32_t oc_count_stored(const oc_request_size *size, uint64_t available, uint64_t most)
{
    const uint64_t left = available - oc_cost_memory(size, 1);
    const uint64_t each = oc_cost_memory(size, 2) - oc_cost_memory(size, 1);
    if (each == 0)
        return size->nodes;
    const uint64_t reserve = left / each + 1 >= size->nodes ? 0 : available / 4;
    const uint64_t room = left > reserve ? left - reserve : 0;
    const uint64_t others = (room < most ? room : most) / each;
    return others < size->nodes - 1 ? (uint32_t)others + 1 : size->nodes;
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

/* The addresses that `ulimit -v` leaves. */
static uint64_t free_addresses(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    const uint64_t used = number_in("/proc/self/statm", 0) * (uint64_t)sysconf(_SC_PAGESIZE);
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

/* The memory that a container allows all its programs, by control groups of version 2 or 1. */
static uint64_t memory_of_container(void)
{
    return least(number_in("/sys/fs/cgroup/memory.max", UINT64_MAX),
                 number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes", UINT64_MAX));
}

static uint64_t available_memory(void)
{
    return least(memory_of_machine(), least(memory_of_container(), free_addresses()));
}

uint64_t oc_memory_budget(uint64_t limit)
{
    return limit > 0 ? limit : available_memory() / 4 * 3;
}

uint32_t oc_processor_count(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1;
}

bool oc_is_of_kernel(const char *path)
{
    static const long kinds[] = {PROC_SUPER_MAGIC, SYSFS_MAGIC,         DEBUGFS_MAGIC,
                                 TRACEFS_MAGIC,    CGROUP2_SUPER_MAGIC, CGROUP_SUPER_MAGIC};
    struct statfs found;
    if (statfs(path, &found) != 0)
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if ((long)found.f_type == kinds[i])
            return true;
    return false;
}

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

/* The stack of threads that are only counted; the system keeps the stacks of ended threads for the
 * next. */
static const size_t small_stack = (size_t)64 << 10;

/* Counts how many of `count` threads the system grants at once. */
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

/* Returns whether this many bytes of addresses are free. */
static bool has_room(size_t bytes)
{
    void *room = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return room != MAP_FAILED && munmap(room, bytes) == 0;
}

/* Counts how many of `count` stacks fit a sixth of the free addresses: the work needs the
 * others. */
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
    if (status == OCELOTL_OK)
        return;
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
