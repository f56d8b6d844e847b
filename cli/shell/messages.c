#define _GNU_SOURCE
/* Messages and exit codes. Every message goes through `say`, for it may carry names of a trace,
 * file names, values of options. */
#include "messages.h"

#include <ocelotl/answer.h>

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last message that was held, and whether messages are. */
static bool holds;
static char *held;

/* A line of progress is on the terminal. */
static atomic_bool line_is_shown;

void cli_begin_line(void)
{
    atomic_store(&line_is_shown, true);
    fputs("\r\033[K", stderr);
}

void cli_wipe_line(void)
{
    if (atomic_exchange(&line_is_shown, false))
        fputs("\r\033[K", stderr);
}

/* Lines that were said, where nothing is said twice. */
static bool remembers;
static char **said;
static size_t said_count;

void cli_hold_messages(bool hold)
{
    holds = hold;
    if (!hold)
        return;
    free(held);
    held = NULL;
}

const char *cli_held_message(void)
{
    return held != NULL ? held : "";
}

void cli_say_each_once(bool once)
{
    for (size_t i = 0; i < said_count; i++)
        free(said[i]);
    free(said);
    said = NULL;
    said_count = 0;
    remembers = once;
}

/* Whether it was said before; without memory it is said again. */
static bool was_said(const char *text)
{
    for (size_t i = 0; i < said_count; i++)
        if (strcmp(said[i], text) == 0)
            return true;
    char **lines = remembers ? realloc(said, (said_count + 1) * sizeof *said) : NULL;
    if (lines == NULL)
        return false;
    said = lines;
    said[said_count] = strdup(text);
    said_count += said[said_count] != NULL;
    return false;
}

/* Prints a message, or keeps it; false: nothing was printed. Without memory a long one is cut. */
static bool say(const char *format, va_list arguments)
{
    char kept[1024];
    va_list again;
    va_copy(again, arguments);
    /* The analyser loses a list that is a parameter. */
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized)
    const int length = vsnprintf(kept, sizeof kept, format, arguments);
    char *whole = length >= (int)sizeof kept ? malloc((size_t)length + 1) : NULL;
    if (whole != NULL)
        vsnprintf(whole, (size_t)length + 1, format, again);
    va_end(again);
    const char *text = whole != NULL ? whole : kept;
    const ocelotl_sink sink = ocelotl_stream_sink(stderr);
    const bool prints = !holds && !was_said(text);
    if (prints) {
        cli_wipe_line();
        fputs("ocelotl-cli: ", stderr);
        (void)ocelotl_text_write_visible(&sink, text, strlen(text));
    } else if (holds) {
        free(held);
        held = strdup(text);
    }
    free(whole);
    return prints;
}

void cli_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (say(format, arguments))
        fputc('\n', stderr);
    va_end(arguments);
}

static bool (*mender)(void *context, ocelotl_status status);
static void *mender_context;

void cli_set_mender(bool (*can_mend)(void *context, ocelotl_status status), void *context)
{
    mender = can_mend;
    mender_context = context;
}

int cli_fail(ocelotl_status status)
{
    if (mender != NULL && mender(mender_context, status))
        return CLI_AGAIN;
    const char *message = ocelotl_error_message();
    const bool unadvised =
        strstr(message, ": is damaged: ") != NULL && strstr(message, "; ") == NULL;
    /* It may have been the program itself that had none. */
    cli_say("%s%s", status == OCELOTL_ERROR_MEMORY ? "out of memory" : message,
            unadvised ? "; `ocelotl-cli verify` lists what is damaged; import the trace again"
                      : "");
    return status == OCELOTL_ERROR_MEMORY || status == OCELOTL_ERROR_INTERNAL ? CLI_INTERNAL
                                                                              : CLI_WRONG;
}

int cli_code(ocelotl_status status)
{
    return status == OCELOTL_OK ? CLI_DONE : cli_fail(status);
}

int cli_option_code(ocelotl_status status, const char *command)
{
    return status == OCELOTL_ERROR_ARGUMENT ? cli_usage(command, "%s", ocelotl_error_message())
                                            : cli_code(status);
}

int cli_usage(const char *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (say(format, arguments))
        fprintf(stderr, "; see ocelotl-cli %s%s--help\n", command, command[0] != '\0' ? " " : "");
    va_end(arguments);
    return CLI_USAGE;
}

int cli_wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (say(format, arguments))
        fputc('\n', stderr);
    va_end(arguments);
    return CLI_WRONG;
}

int cli_memory(void)
{
    cli_wrong("out of memory");
    return CLI_INTERNAL;
}

bool cli_is_standard_input(const char *path)
{
    return strcmp(path, "-") == 0;
}
