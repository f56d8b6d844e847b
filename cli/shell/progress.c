#define _GNU_SOURCE
#include "progress.h"

#include "ending.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

const cli_step cli_keeping = {"reading standard input", CLI_BYTES, 0.1, false};
const cli_step cli_importing = {"importing", CLI_BYTES, 0.6, false};
const cli_step cli_comparing = {"comparing resources", CLI_NODES, 0.3, true};
const cli_step cli_measuring = {"measuring", CLI_NODES, 0.2, false};
const cli_step cli_solving = {"solving", CLI_NODES, 0.7, true};
const cli_step cli_finding_levels = {"finding levels", CLI_SOLVES, 0.8, true};
const cli_step cli_drawing_levels = {"drawing levels", CLI_NODES, 1, true};
const cli_step cli_verifying = {"verifying", CLI_NODES, 0.5, false};
const cli_step cli_reading = {"reading", CLI_NODES, 0.8, false};

static const double seconds_before_first = 0.5;
static const double seconds_between = 0.2;
static const double seconds_before_rate = 0.2;
static const double seconds_before_estimate = 1;

/* Nobody knows how many rounds or solves there will be. */
static const double share_of_round = 0.25;
static const double solves_for_half = 20;
/* beyond, a share that hardly rises says nothing */
static const uint64_t most_solves_of_share = 150;

/* Begins a round at the progress reached so far; it fills a share of the rest of the step. */
static void begin_round(cli_progress *progress)
{
    progress->from = progress->reached;
    progress->to = progress->reached +
                   (progress->end - progress->reached) * (progress->several ? share_of_round : 1);
    clock_gettime(CLOCK_MONOTONIC, &progress->step);
}

void cli_begin_step(cli_progress *progress, const cli_step *step)
{
    const bool first = progress->begin.tv_sec == 0 && progress->begin.tv_nsec == 0;
    cli_begin_watching();
    progress->what = step->what;
    progress->unit = step->unit;
    progress->several = step->several && step->unit != CLI_SOLVES;
    progress->done = 0;
    progress->inner = 0;
    progress->end = progress->reached + (1 - progress->reached) * step->share;
    begin_round(progress);
    if (first)
        progress->begin = progress->last = progress->step;
}

static double seconds_since(const struct timespec *then, const struct timespec *now)
{
    return (double)(now->tv_sec - then->tv_sec) + (double)(now->tv_nsec - then->tv_nsec) * 1e-9;
}

/* Whether it is time to write a line; *passed: seconds since the step, or its round, began. */
static bool is_due(double *passed, cli_progress *progress)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    *passed = seconds_since(&progress->step, &now);
    if (seconds_since(&progress->begin, &now) < seconds_before_first ||
        seconds_since(&progress->last, &now) < seconds_between || !isatty(STDERR_FILENO))
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

/* Prints the progress; without a percentage if the size of the step is unknown, as for a pipe. */
static void print_line(const cli_progress *progress, uint64_t total, double passed)
{
    const uint64_t done = progress->done;
    const double rate = passed > seconds_before_rate ? (double)done / passed : 0;
    const bool many = progress->unit == CLI_SOLVES && done > most_solves_of_share;
    const bool known = (total > 0 || progress->unit != CLI_BYTES) && !many;
    fputs("\r\033[K", stderr);
    if (known)
        fprintf(stderr, "%.0f %%, ", floor(100 * progress->reached));
    fputs(progress->what, stderr);
    if (progress->unit == CLI_BYTES && !known)
        fprintf(stderr, ": %.1f MB", (double)done * 1e-6);
    else if (progress->unit == CLI_SOLVES)
        fprintf(stderr, ", %" PRIu64 " solves", done);
    if (progress->unit == CLI_BYTES && rate > 0)
        fprintf(stderr, ", %.3g MB/s", rate * 1e-6);
    else if (progress->unit == CLI_SOLVES && rate > 0)
        fprintf(stderr, ", %.2g/s", rate);
    if (!progress->several && total > done && rate > 0 && passed > seconds_before_estimate)
        print_time_left((double)(total - done) / rate);
    fflush(stderr);
}

static void reach(cli_progress *progress, double part)
{
    const double reached = progress->from + (progress->to - progress->from) * fmin(part, 1);
    progress->reached = fmax(progress->reached, reached);
}

static void reach_solves(cli_progress *progress)
{
    const double solves = (double)progress->done + progress->inner;
    reach(progress, solves / (solves + solves_for_half));
}

bool cli_show_progress(void *context, uint64_t done, uint64_t total)
{
    cli_progress *progress = context;
    double passed;
    if (cli_is_asked_to_stop())
        return false;
    if (done < progress->done)
        begin_round(progress);
    if (done != progress->done)
        progress->inner = 0;
    progress->done = done;
    if (progress->unit == CLI_SOLVES)
        reach_solves(progress);
    else if (total > 0)
        reach(progress, (double)done / (double)total);
    if (is_due(&passed, progress))
        print_line(progress, total, passed);
    return true;
}

bool cli_show_progress_within(void *context, uint64_t done, uint64_t total)
{
    cli_progress *progress = context;
    if (progress->unit != CLI_SOLVES)
        return cli_show_progress(context, done, total);
    double passed;
    progress->inner = total > 0 ? (double)done / (double)total : 0;
    reach_solves(progress);
    if (is_due(&passed, progress))
        print_line(progress, 0, passed);
    return !cli_is_asked_to_stop();
}

void cli_end_step(cli_progress *progress)
{
    if (progress->shown)
        fprintf(stderr, "\r\033[K");
    progress->shown = false;
    progress->reached = progress->end;
    progress->what = NULL;
    cli_end_watching();
}
