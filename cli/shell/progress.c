#define _GNU_SOURCE
#include "progress.h"

#include "ending.h"
#include "output.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

typedef enum unit { BYTES, NODES, SOLVES } unit;

/* A step: what it is called, which share it has of what is left, what its work is counted in, and
 * whether its work may begin anew, in rounds. */
struct cli_step {
    const char *what;
    double share;
    unit unit;
    bool several;
};

static const cli_step steps[] = {
    [OCELOTL_STEP_IMPORTING] = {"importing", 0.6, BYTES, false},
    [OCELOTL_STEP_COMPARING] = {"comparing resources", 0.3, NODES, true},
    [OCELOTL_STEP_MEASURING] = {"measuring", 0.2, NODES, false},
    [OCELOTL_STEP_SOLVING] = {"solving", 0.7, NODES, true},
    [OCELOTL_STEP_FINDING_LEVELS] = {"finding levels", 0.8, SOLVES, false},
    [OCELOTL_STEP_DRAWING_LEVELS] = {"drawing levels", 1, NODES, true},
    [OCELOTL_STEP_VERIFYING] = {"verifying", 0.5, NODES, false},
    [OCELOTL_STEP_READING] = {"reading", 0.8, NODES, false},
    [CLI_KEEPING_INPUT] = {"reading standard input", 0.1, BYTES, false},
    [CLI_IMPORTING_ALONE] = {"importing", 1, BYTES, false},
    [CLI_WRITING] = {"writing", 1, NODES, false},
};

/* On a terminal a line takes the place of the one before. Elsewhere lines stay, so they are few. */
typedef struct pace {
    double first, between; /* seconds before a line of work that reports how far it is */
    double quiet;          /* of work that reports nothing */
} pace;

static const pace paces[] = {{10, 10, 10}, {0.5, 0.2, 2}}; /* elsewhere, on a terminal */

/* Held by who changes or prints what is known of the progress. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

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
    const bool several = progress->step != NULL && progress->step->several;
    progress->from = progress->reached;
    progress->to =
        progress->reached + (progress->end - progress->reached) * (several ? share_of_round : 1);
    clock_gettime(CLOCK_MONOTONIC, &progress->begun);
}

static void begin_all(cli_progress *progress)
{
    if (progress->begin.tv_sec != 0 || progress->begin.tv_nsec != 0)
        return;
    clock_gettime(CLOCK_MONOTONIC, &progress->begin);
    progress->last = progress->begin;
    progress->terminal = isatty(STDERR_FILENO) != 0;
}

void cli_begin_step(cli_progress *progress, int step)
{
    cli_begin_watching();
    pthread_mutex_lock(&lock);
    begin_all(progress);
    progress->step = &steps[step];
    progress->done = progress->total = 0;
    progress->inner = 0;
    const double share = progress->step->share / (1 + (double)progress->searches);
    progress->end = progress->reached + (1 - progress->reached) * share;
    if (progress->searches > 0 && progress->step->unit == SOLVES)
        progress->searches--;
    begin_round(progress);
    pthread_mutex_unlock(&lock);
}

static double seconds_since(const struct timespec *then, const struct timespec *now)
{
    return (double)(now->tv_sec - then->tv_sec) + (double)(now->tv_nsec - then->tv_nsec) * 1e-9;
}

/* What is said of a step; without a percentage if its size is unknown, as for a pipe. */
static void print_step(const cli_progress *progress, double passed)
{
    const cli_step *step = progress->step;
    const uint64_t done = progress->done;
    const double rate = passed > seconds_before_rate ? (double)done / passed : 0;
    const bool many = step->unit == SOLVES && done > most_solves_of_share;
    const bool known = (progress->total > 0 || step->unit != BYTES) && !many;
    if (known)
        fprintf(stderr, "%.0f %%, ", floor(100 * progress->reached));
    fputs(step->what, stderr);
    if (step->unit == BYTES && !known)
        fprintf(stderr, ": %.1f MB", (double)done * 1e-6);
    else if (step->unit == SOLVES)
        fprintf(stderr, ", %" PRIu64 " solves", done);
    if (step->unit == BYTES && rate > 0)
        fprintf(stderr, ", %.3g MB/s", rate * 1e-6);
    else if (step->unit == SOLVES && rate > 0)
        fprintf(stderr, ", %.2g/s", rate);
    if (step->several || progress->total <= done || rate <= 0 || passed <= seconds_before_estimate)
        return;
    const double seconds = (double)(progress->total - done) / rate;
    const uint64_t left = seconds < 1e9 ? (uint64_t)seconds + 1 : 1000000000;
    if (left < 100)
        fprintf(stderr, ", %" PRIu64 " s left", left);
    else if (left < 6000)
        fprintf(stderr, ", %" PRIu64 " min left", (left + 30) / 60);
    else
        fprintf(stderr, ", %" PRIu64 " h left", (left + 1800) / 3600);
}

/* Prints a line where it is time for one; on a terminal not into an answer there. */
static void print_if_due(cli_progress *progress, double first, double between)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double whole = seconds_since(&progress->begin, &now);
    const bool terminal = progress->terminal;
    if (whole < first || seconds_since(&progress->last, &now) < between ||
        (terminal && cli_has_streamed() && isatty(STDOUT_FILENO)))
        return;
    progress->last = now;
    if (terminal)
        cli_begin_line();
    else
        fprintf(stderr, "ocelotl-cli: after %.0f s: ", whole);
    if (progress->step != NULL)
        print_step(progress, seconds_since(&progress->begun, &now));
    else
        fputs("working", stderr);
    if (!terminal)
        fputc('\n', stderr);
    fflush(stderr);
}

/* Takes a report: of the whole step, or of the solve that is being made in one of solves. */
static bool report(cli_progress *progress, uint64_t done, uint64_t total, bool within)
{
    const pace *at = &paces[progress->terminal];
    const bool solves = progress->step != NULL && progress->step->unit == SOLVES;
    double part = 0;
    if (cli_is_asked_to_stop())
        return false;
    pthread_mutex_lock(&lock);
    if (within && solves) {
        progress->inner = total > 0 ? (double)done / (double)total : 0;
    } else {
        if (done < progress->done)
            begin_round(progress);
        if (done != progress->done)
            progress->inner = 0;
        progress->done = done;
        progress->total = total;
    }
    if (solves)
        part = ((double)progress->done + progress->inner) /
               ((double)progress->done + progress->inner + solves_for_half);
    else if (total > 0)
        part = (double)done / (double)total;
    progress->reached =
        fmax(progress->reached, progress->from + (progress->to - progress->from) * fmin(part, 1));
    print_if_due(progress, at->first, at->between);
    pthread_mutex_unlock(&lock);
    return true;
}

bool cli_show_progress(void *context, uint64_t done, uint64_t total)
{
    return report(context, done, total, false);
}

bool cli_show_progress_within(void *context, uint64_t done, uint64_t total)
{
    return report(context, done, total, true);
}

void cli_end_step(cli_progress *progress)
{
    pthread_mutex_lock(&lock);
    cli_wipe_line();
    progress->reached = progress->end;
    progress->step = NULL;
    pthread_mutex_unlock(&lock);
    cli_end_watching();
}

/* --- Work that reports nothing */

static struct {
    cli_progress *progress; /* NULL: nobody watches */
    pthread_t thread;
    pthread_cond_t ended;
} watch = {.ended = PTHREAD_COND_INITIALIZER};

static void *tell(void *context)
{
    cli_progress *progress = context;
    const double quiet = paces[progress->terminal].quiet;
    pthread_mutex_lock(&lock);
    while (watch.progress != NULL) {
        struct timespec moment;
        clock_gettime(CLOCK_REALTIME, &moment);
        moment.tv_sec++;
        pthread_cond_timedwait(&watch.ended, &lock, &moment);
        if (watch.progress != NULL)
            print_if_due(progress, quiet, quiet);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* Without a thread all goes on, but for these lines. Signals are for those that work. */
void cli_begin_telling(cli_progress *progress)
{
    enum { STACK = 1 << 18 };
    pthread_attr_t small;
    sigset_t all, before;
    begin_all(progress);
    watch.progress = progress;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK);
    if (pthread_create(&watch.thread, &small, tell, progress) != 0)
        watch.progress = NULL;
    pthread_attr_destroy(&small);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void cli_end_telling(void)
{
    const bool told = watch.progress != NULL;
    pthread_mutex_lock(&lock);
    cli_wipe_line();
    watch.progress = NULL;
    pthread_cond_signal(&watch.ended);
    pthread_mutex_unlock(&lock);
    if (told)
        pthread_join(watch.thread, NULL);
}
