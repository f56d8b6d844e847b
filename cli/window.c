#include "window.h"

#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parts of a second are divided by, so that 3us is the same double as 0.000003. */
typedef struct unit {
    const char *name;
    double seconds, parts;
} unit;

static const unit units[] = {
    {"", 1, 1},     {"s", 1, 1},    {"ms", 1, 1e3}, {"us", 1, 1e6},  {"\xC2\xB5s", 1, 1e6},
    {"ns", 1, 1e9}, {"min", 60, 1}, {"h", 3600, 1}, {"d", 86400, 1},
};

static bool read_seconds(double *seconds, const char *text)
{
    char *end;
    const double number = strtod(text, &end);
    for (size_t i = 0; end != text && !isnan(number) && i < sizeof units / sizeof units[0]; i++)
        if (strcmp(end, units[i].name) == 0) {
            *seconds = number * units[i].seconds / units[i].parts;
            return true;
        }
    return false;
}

static bool read_percent(double *percent, const char *text)
{
    char *end;
    *percent = strtod(text, &end);
    return end != text && strcmp(end, "%") == 0 && isfinite(*percent);
}

/* Only the trace's own time may go below 0. */
static bool is_before_beginning(const cli_instant *instant, const char *option, const char *command)
{
    if (!(instant->value < 0))
        return false;
    cli_usage(command,
              "--%s is %s, before the trace's beginning; @ before it means the trace's own time",
              option, instant->text);
    return true;
}

bool cli_read_instant(cli_instant *instant, const char *text, cli_instant_base base,
                      const char *option, const char *command)
{
    const bool own = text[0] == '@';
    const bool relative = text[0] == '+';
    const char *number = text + (own || relative);
    *instant = (cli_instant){.text = text,
                             .option = option,
                             .base = own        ? CLI_OWN_TIME
                                     : relative ? CLI_FROM_BEGINNING
                                                : base};
    if (number[0] != '+' && number[0] != '@' && read_seconds(&instant->value, number))
        return instant->base == CLI_OWN_TIME || !is_before_beginning(instant, option, command);
    instant->percent = !own && !relative && read_percent(&instant->value, text);
    if (instant->percent)
        return !is_before_beginning(instant, option, command);
    cli_usage(command,
              "--%s is \"%s\", expected a number of seconds, or one with a unit (" CLI_INSTANT_HELP
              "), or @ and the trace's own time",
              option, text);
    return false;
}

bool cli_read_duration(double *seconds, const char *text, const char *option, const char *command)
{
    if (read_seconds(seconds, text) && *seconds >= 0)
        return true;
    cli_usage(command,
              "--%s is \"%s\", expected a length of time (1.5s, 200ms, 3us, 10ns, 2min, 1h)",
              option, text);
    return false;
}

/* Ticks later, or as many as there are. */
static int64_t add_ticks(int64_t begin, int64_t ticks)
{
    if (ticks > 0)
        return begin > INT64_MAX - ticks ? INT64_MAX : begin + ticks;
    return begin < INT64_MIN - ticks ? INT64_MIN : begin + ticks;
}

static int64_t find_tick(const cli_instant *instant, const ocelotl_trace *trace, bool last)
{
    const ocelotl_trace_info info = ocelotl_trace_get_info(trace);
    if (instant->is_tick)
        return instant->tick;
    if (instant->percent) {
        const long double length = (long double)info.end - (long double)info.begin;
        const long double ticks = length * (long double)instant->value / 100;
        if (ticks >= 9223372036854775807.0L || ticks <= -9223372036854775807.0L)
            return ticks > 0 ? INT64_MAX : INT64_MIN;
        return add_ticks(info.begin, (int64_t)(ticks < 0 ? ticks - 0.5L : ticks + 0.5L));
    }
    const int64_t ticks = last ? ocelotl_trace_last_tick(trace, instant->value)
                               : ocelotl_trace_first_tick(trace, instant->value);
    return instant->base == CLI_OWN_TIME ? ticks : add_ticks(info.begin, ticks);
}

int64_t cli_first_tick(const cli_instant *instant, const ocelotl_trace *trace)
{
    return instant->text == NULL ? INT64_MIN : find_tick(instant, trace, false);
}

int64_t cli_last_tick(const cli_instant *instant, const ocelotl_trace *trace)
{
    return instant->text == NULL ? INT64_MAX : find_tick(instant, trace, true);
}

static cli_digits_text seconds_of(const ocelotl_trace *trace, int64_t ticks)
{
    return cli_digits(ocelotl_trace_seconds(trace, ticks));
}

static int fail_outside(const cli_instant *instant, const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_get_info(trace);
    return cli_wrong("--%s is %s, and the trace goes from @%s s to @%s s (%s s)", instant->option,
                     instant->text, seconds_of(trace, info.begin).text,
                     seconds_of(trace, info.end).text,
                     seconds_of(trace, info.end - info.begin).text);
}

static int fail_order(const cli_window *window)
{
    return cli_wrong("--%s is %s, after --%s, which is %s", window->from.option, window->from.text,
                     window->to.option, window->to.text);
}

int cli_check_order(const cli_window *window, const ocelotl_trace *trace)
{
    if (cli_first_tick(&window->from, trace) <=
        (window->to.text != NULL ? cli_first_tick(&window->to, trace) : INT64_MAX))
        return CLI_DONE;
    return fail_order(window);
}

/* Nothing lies between them: they are the wrong way round, or within one tick. */
static int fail_empty(const cli_window *window, const ocelotl_trace *trace)
{
    const int code = cli_check_order(window, trace);
    if (code != CLI_DONE)
        return code;
    return cli_wrong(
        "--%s %s and --%s %s leave no tick of the trace between them, which lasts %s s",
        window->from.option, window->from.text, window->to.option, window->to.text,
        seconds_of(trace, 1).text);
}

int cli_check_touches(const cli_window *window, const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_get_info(trace);
    if (window->from.text != NULL && cli_first_tick(&window->from, trace) > info.end)
        return fail_outside(&window->from, trace);
    if (window->to.text != NULL && cli_last_tick(&window->to, trace) < info.begin)
        return fail_outside(&window->to, trace);
    return CLI_DONE;
}

int cli_closed_window_ticks(int64_t *from, int64_t *to, const cli_window *window,
                            const ocelotl_trace *trace)
{
    const int code = cli_check_touches(window, trace);
    *from = cli_first_tick(&window->from, trace);
    *to = cli_last_tick(&window->to, trace);
    return code != CLI_DONE || *from <= *to ? code : fail_empty(window, trace);
}

int cli_window_ticks(int64_t *from, int64_t *to, const cli_window *window,
                     const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_get_info(trace);
    if (info.begin == info.end) {
        *from = *to = info.begin;
        return CLI_DONE;
    }
    *from = cli_first_tick(&window->from, trace);
    *to = window->to.text != NULL ? cli_first_tick(&window->to, trace) : info.end;
    if (window->from.text != NULL && *from >= info.end)
        return fail_outside(&window->from, trace);
    if (window->to.text != NULL && *to <= info.begin)
        return fail_outside(&window->to, trace);
    *from = *from < info.begin ? info.begin : *from;
    *to = *to > info.end ? info.end : *to;
    if (*from < *to)
        return CLI_DONE;
    return fail_empty(window, trace);
}

int cli_check_window(const cli_window *window)
{
    const cli_instant *from = &window->from;
    const cli_instant *to = &window->to;
    if (from->text == NULL || to->text == NULL || from->base != to->base ||
        from->percent != to->percent || from->value <= to->value)
        return CLI_DONE;
    return fail_order(window);
}
