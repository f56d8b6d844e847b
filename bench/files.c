#define _GNU_SOURCE
#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void bench_demand(bool done, const char *what)
{
    if (done)
        return;
    fflush(stdout);
    fprintf(stderr, "%s: failed: %s\n", program_invocation_short_name, what);
    exit(BENCH_FAILED);
}

uint64_t bench_draw(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (*state * 0x2545F4914F6CDD1Du) >> 33;
}

void bench_find_folder(char *path, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", path, size - 1);
    bench_demand(length > 0, "/proc/self/exe");
    path[length] = '\0';
    *strrchr(path, '/') = '\0';
}
