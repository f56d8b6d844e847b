#define _GNU_SOURCE
#include "progress.h"

#include <unistd.h>

bool cli_show_progress(void *context, uint64_t done, uint64_t total)
{
    cli_progress *progress = context;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double passed =
        (double)(now.tv_sec - progress->last.tv_sec) + (double)(now.tv_nsec - progress->last.tv_nsec) * 1e-9;
    if (passed < 0.2 || !isatty(STDERR_FILENO))
        return true;
    progress->last = now;
    progress->shown = true;
    if (total > 0)
        fprintf(stderr, "\r%s: %3.0f %%", progress->what, 100.0 * (double)done / (double)total);
    else
        fprintf(stderr, "\r%s: %llu", progress->what, (unsigned long long)done);
    return true;
}

void cli_end_progress(cli_progress *progress)
{
    if (progress->shown)
        fprintf(stderr, "\r\033[K");
    progress->shown = false;
}
