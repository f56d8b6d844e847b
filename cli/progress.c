#define _GNU_SOURCE
#include "progress.h"

#include <inttypes.h>
#include <signal.h>
#include <unistd.h>

/* A program that is asked to stop does so between two steps of its work, and leaves nothing half-written. */
static volatile sig_atomic_t stop_asked;

static const double seconds_before_first = 0.5;
static const double seconds_between = 0.2;
static const double seconds_before_estimate = 1;
static const double slow_solves = 2; /* a second: of faster ones nobody asks how far they are */

static void ask_to_stop(int signal_number)
{
    (void)signal_number;
    stop_asked = 1;
}

void cli_begin_progress_in(cli_progress *progress, const char *what, cli_unit unit)
{
    /* The second signal finds the default again: whoever insists is not kept waiting. */
    struct sigaction action = {.sa_handler = ask_to_stop, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    /* A file that grows beyond what is allowed is an error to report, not an end without a word. */
    signal(SIGXFSZ, SIG_IGN);
    *progress = (cli_progress){.what = what, .unit = unit};
    clock_gettime(CLOCK_MONOTONIC, &progress->begin);
    progress->last = progress->begin;
}

void cli_begin_progress(cli_progress *progress, const char *what)
{
    cli_begin_progress_in(progress, what, CLI_BYTES);
}

static double seconds_since(const struct timespec *then, const struct timespec *now)
{
    return (double)(now->tv_sec - then->tv_sec) + (double)(now->tv_nsec - then->tv_nsec) * 1e-9;
}

/* Whether it is time to write a line; *passed: seconds since the work began. */
static bool is_due(double *passed, cli_progress *progress)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    *passed = seconds_since(&progress->begin, &now);
    if (*passed < seconds_before_first || seconds_since(&progress->last, &now) < seconds_between ||
        !isatty(STDERR_FILENO))
        return false;
    progress->last = now;
    progress->shown = true;
    return true;
}

static void print_time_left(double seconds)
{
    const uint64_t left = seconds < 1e9 ? (uint64_t)seconds + 1 : 1000000000;
    if (left < 100)
        fprintf(stderr, ", %" PRIu64 " s left", left);
    else if (left < 6000)
        fprintf(stderr, ", %" PRIu64 " min left", (left + 30) / 60);
    else
        fprintf(stderr, ", %" PRIu64 " h left", (left + 1800) / 3600);
}

static void print_amount(const cli_progress *progress, uint64_t done, uint64_t total, double passed)
{
    const double rate = (double)done / passed;
    fprintf(stderr, "\r\033[K%s: ", progress->what);
    if (total > 0)
        fprintf(stderr, "%.0f %%", 100.0 * (double)done / (double)total);
    else if (progress->unit == CLI_BYTES)
        fprintf(stderr, "%.1f MB", (double)done * 1e-6);
    else
        fprintf(stderr, "%" PRIu64 " solves", done);
    if (progress->unit == CLI_BYTES)
        fprintf(stderr, ", %.3g MB/s", rate * 1e-6);
    else if (progress->unit == CLI_SOLVES)
        fprintf(stderr, ", %.2g/s", rate);
    if (progress->unit == CLI_SOLVES && progress->inner > 0 && rate < slow_solves)
        fprintf(stderr, ", of the next %.0f %%", 100 * progress->inner);
    if (total > done && done > 0 && passed > seconds_before_estimate)
        print_time_left((double)(total - done) / rate);
    fflush(stderr);
}

bool cli_show_progress(void *context, uint64_t done, uint64_t total)
{
    cli_progress *progress = context;
    double passed;
    if (stop_asked)
        return false;
    if (done < progress->done)
        clock_gettime(CLOCK_MONOTONIC, &progress->begin);
    if (done != progress->done)
        progress->inner = 0;
    progress->done = done;
    if (is_due(&passed, progress))
        print_amount(progress, done, total, passed);
    return true;
}

bool cli_show_progress_within(void *context, uint64_t done, uint64_t total)
{
    cli_progress *progress = context;
    if (progress->unit != CLI_SOLVES)
        return cli_show_progress(context, done, total);
    double passed;
    progress->inner = total > 0 ? (double)done / (double)total : 0;
    if (is_due(&passed, progress))
        print_amount(progress, progress->done, 0, passed);
    return !stop_asked;
}

void cli_end_progress(cli_progress *progress)
{
    if (progress->shown)
        fprintf(stderr, "\r\033[K");
    progress->shown = false;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}
