/* Whatever a command does for long, and whichever library does it, the program ends soon: nothing
 * has to look at a flag for that. All that runs in the handlers is safe there (signal-safety(7)).
 */
#define _GNU_SOURCE
#include "ending.h"

#include "temporary.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/* For those that look whether they are to stop, to end in their own way. */
static const struct itimerval patience = {.it_value = {.tv_usec = 200000}};

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
static const size_t signal_count = sizeof ending_signals / sizeof ending_signals[0];

static volatile sig_atomic_t asked; /* the signal */
static volatile sig_atomic_t watching;

/* Whether a path is that of a file that the library writes beside its target,
 * TARGET.partial-XXXXXXXX with a hexadecimal number. */
static bool is_partial(const char *name)
{
    static const char partial[] = ".partial-";
    const size_t digits = 8;
    const size_t length = strlen(name);
    const size_t end = sizeof partial - 1 + digits;
    return length > end && strncmp(name + length - end, partial, sizeof partial - 1) == 0 &&
           strspn(name + length - digits, "0123456789abcdef") == digits;
}

/* A file that is open for writing and has the name of a temporary one is being written here, by the
 * library. */
static void remove_if_written(int open_files, const char *name)
{
    char path[4096];
    const int file = atoi(name);
    const int mode = file > STDERR_FILENO ? fcntl(file, F_GETFL) : -1;
    if (mode < 0 || (mode & O_ACCMODE) == O_RDONLY)
        return;
    const ssize_t length = readlinkat(open_files, name, path, sizeof path - 1);
    if (length <= 0)
        return;
    path[length] = '\0';
    if (is_partial(path))
        unlink(path);
}

static void remove_written(void)
{
    const int open_files = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (open_files < 0)
        return;
    cli_each_name(open_files, remove_if_written);
    close(open_files);
}

/* The system says how it ended: by the signal. */
static void end_by(int number)
{
    sigset_t one;
    remove_written();
    cli_remove_temporary();
    signal(number, SIG_DFL);
    sigemptyset(&one);
    sigaddset(&one, number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    raise(number);
    _exit(128 + number);
}

static void ask_to_stop(int number)
{
    if (asked != 0 || !watching)
        end_by(number);
    asked = number;
    setitimer(ITIMER_REAL, &patience, NULL);
}

static void lose_patience(int number)
{
    (void)number;
    if (asked != 0)
        end_by(asked);
}

static void handle(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    struct sigaction before;
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void cli_catch_signals(void)
{
    for (size_t i = 0; i < signal_count; i++)
        handle(ending_signals[i], ask_to_stop);
    handle(SIGALRM, lose_patience);
    /* A file that grows beyond what is allowed is an error to report, not an end without a word. */
    signal(SIGXFSZ, SIG_IGN);
}

void cli_begin_watching(void)
{
    watching = 1;
}

void cli_end_watching(void)
{
    watching = 0;
    cli_end_if_asked();
}

bool cli_is_asked_to_stop(void)
{
    return asked != 0;
}

void cli_end_if_asked(void)
{
    if (asked != 0)
        end_by(asked);
}
