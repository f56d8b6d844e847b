#define _GNU_SOURCE
#include "progress.h"

#include <signal.h>
#include <unistd.h>

/* A program that is asked to stop does so between two steps of its work, and leaves nothing half-written. */
static volatile sig_atomic_t stop_asked;

static void ask_to_stop(int signal_number)
{
    (void)signal_number;
    stop_asked = 1;
}

void cli_begin_progress(cli_progress *progress, const char *what)
{
    /* The second signal finds the default again: whoever insists is not kept waiting. */
    struct sigaction action = {.sa_handler = ask_to_stop, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    *progress = (cli_progress){.what = what};
}

bool cli_show_progress(void *context, uint64_t done, uint64_t total)
{
    cli_progress *progress = context;
    struct timespec now;
    if (stop_asked)
        return false;
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
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}
