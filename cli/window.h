/* Instants and durations as a user writes them, and the window --from .. --to that they make. */
#ifndef CLI_WINDOW_H
#define CLI_WINDOW_H

#include "command.h"

/* What an instant without a prefix counts from. `@` before it always means the trace's own time,
 * which is what the axis of a picture and the columns of an export show; `+` always means from the
 * trace's beginning. */
typedef enum cli_instant_base { CLI_FROM_BEGINNING = 0, CLI_OWN_TIME } cli_instant_base;

/* Zero-initialised it was not given. */
typedef struct cli_instant {
    const char *text;   /* as it was given, or NULL */
    const char *option; /* by this one, without its dashes */
    cli_instant_base base;
    bool percent; /* of the trace's length, from its beginning */
    bool is_tick; /* it is this tick, whatever the text says */
    int64_t tick;
    double value; /* percent or seconds; may be infinite */
} cli_instant;

typedef struct cli_window {
    cli_instant from, to;
} cli_window;

/* For help texts and messages, which are formats of printf: how an instant is written. */
#define CLI_INSTANT_HELP "1.5s, 200ms, 3us, 10ns, 2min, 1h, 40%%"

/* Reads "1.5s", "200ms", "3us", "2min", "1h", "40%" or plain seconds, with a prefix or not. False
 * after a message. */
bool cli_read_instant(cli_instant *instant, const char *text, cli_instant_base base,
                      const char *option, const char *command);

/* Reads a length of time, as above, but no percentage and no prefix, >= 0, in seconds. False after
 * a message. */
bool cli_read_duration(double *seconds, const char *text, const char *option, const char *command);

/* The first tick that is not before an instant, or the last that is not after it; beyond the ticks
 * there are the nearest. What was not given is the smallest and the largest. */
int64_t cli_first_tick(const cli_instant *instant, const ocelotl_trace *trace);
int64_t cli_last_tick(const cli_instant *instant, const ocelotl_trace *trace);

/* The window in ticks, half-open, within the trace's bounds. Gives an exit code: CLI_WRONG after a
 * message where nothing of the trace is in it. Of a trace that lasts no time the window is its
 * instant. */
int cli_window_ticks(int64_t *from, int64_t *to, const cli_window *window,
                     const ocelotl_trace *trace);

/* The window in ticks, instants at both ends in it, one of them perhaps beyond the trace. Gives an
 * exit code: CLI_WRONG after a message where nothing of the trace, or no tick, is in it. */
int cli_closed_window_ticks(int64_t *from, int64_t *to, const cli_window *window,
                            const ocelotl_trace *trace);

/* Refuses a window that is before the trace or behind it; instants at its ends are in it. Gives an
 * exit code. */
int cli_check_touches(const cli_window *window, const ocelotl_trace *trace);

/* Refuses a window whose ends are the wrong way round in this trace. Gives an exit code. */
int cli_check_order(const cli_window *window, const ocelotl_trace *trace);

/* Refuses a window that surely ends before it begins. Gives an exit code. */
int cli_check_window(const cli_window *window);

#endif
