#define _GNU_SOURCE
#include "clock.h"

#include <time.h>

static struct timespec now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time;
}

double server_milliseconds(void)
{
    const struct timespec time = now();
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

int64_t server_seconds(void)
{
    return now().tv_sec;
}
