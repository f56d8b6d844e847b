#define _GNU_SOURCE
#include "base/machine.h"

#include <stdio.h>
#include <unistd.h>

static uint64_t available_memory(void)
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

uint64_t oc_memory_budget(void)
{
    return available_memory() / 4 * 3;
}

uint32_t oc_processor_count(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1;
}
