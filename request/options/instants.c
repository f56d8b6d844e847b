#include "request/options/request.h"

#include "base/plain.h"

#include <ocelotl/session.h>

#include <math.h>
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
    const double number = oc_plain_number(text, &end);
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
    *percent = oc_plain_number(text, &end);
    return end != text && strcmp(end, "%") == 0 && isfinite(*percent);
}

ocelotl_status oc_read_instant(ocelotl_instant *instant, const char *text,
                               ocelotl_instant_base base, const char *option)
{
    const bool own = text[0] == '@';
    const bool relative = text[0] == '+';
    const char *number = text + (own || relative);
    *instant = (ocelotl_instant){.text = text,
                                 .option = option,
                                 .base = own        ? OCELOTL_OWN_TIME
                                         : relative ? OCELOTL_FROM_BEGINNING
                                                    : base};
    const bool seconds =
        number[0] != '+' && number[0] != '@' && read_seconds(&instant->value, number);
    instant->percent = !seconds && !own && !relative && read_percent(&instant->value, text);
    if ((instant->percent || (seconds && instant->base != OCELOTL_OWN_TIME)) && instant->value < 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--%s is %s, before the trace's beginning; @ before it means the trace's "
                       "own time",
                       option, text);
    if (seconds || instant->percent)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "--%s is \"%s\", expected a number of seconds, or one with a unit (1.5s, 200ms, "
                   "3us, 10ns, 2min, 1h, 40%%), or @ and the trace's own time",
                   option, text);
}

ocelotl_status oc_read_duration(double *seconds, const char *text, const char *option)
{
    if (read_seconds(seconds, text) && *seconds >= 0)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "--%s is \"%s\", expected a length of time (1.5s, 200ms, 3us, 10ns, 2min, 1h)",
                   option, text);
}

/* --- In a trace */

/* Adds ticks, limited to the range of times. */
static int64_t add_ticks(int64_t begin, int64_t ticks)
{
    if (ticks > 0)
        return begin > INT64_MAX - ticks ? INT64_MAX : begin + ticks;
    return begin < INT64_MIN - ticks ? INT64_MIN : begin + ticks;
}

static int64_t find_tick(const ocelotl_instant *instant, const ocelotl_trace *trace, bool last)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
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
    return instant->base == OCELOTL_OWN_TIME ? ticks : add_ticks(info.begin, ticks);
}

static int64_t first_tick(const ocelotl_instant *instant, const ocelotl_trace *trace)
{
    return instant->text == NULL ? INT64_MIN : find_tick(instant, trace, false);
}

static int64_t last_tick(const ocelotl_instant *instant, const ocelotl_trace *trace)
{
    return instant->text == NULL ? INT64_MAX : find_tick(instant, trace, true);
}

void oc_suggest_unit(oc_text *text, const char *given, double length)
{
    char *end;
    const double number = oc_plain_number(given, &end);
    size_t i = 2; /* the units below a second are behind it */
    if (*end != '\0' || end == given || number < length)
        return;
    while (units[i].parts > 1 && !(number / units[i].parts < length))
        i++;
    if (units[i].parts > 1)
        oc_text_format(text, "%s%s is in seconds, and the trace lasts %.6g: %s%s is within",
                       text->length > 0 ? "; " : "", given, length, given, units[i].name);
}

static oc_digits_text seconds_of(const ocelotl_trace *trace, int64_t ticks)
{
    return oc_digits(ocelotl_trace_seconds(trace, ticks));
}

static ocelotl_status fail_outside(const ocelotl_instant *instant, const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    const int64_t length = info.end - info.begin;
    oc_text text = {0};
    oc_text_format(&text, "--%s is %s, and the trace goes from @%s s to @%s s (%s s)",
                   instant->option, instant->text, seconds_of(trace, info.begin).text,
                   seconds_of(trace, info.end).text, seconds_of(trace, length).text);
    char *end;
    const double number = oc_plain_number(instant->text, &end);
    if (instant->base != OCELOTL_OWN_TIME && *end == '\0' &&
        number >= ocelotl_trace_seconds(trace, info.begin) &&
        number <= ocelotl_trace_seconds(trace, info.end))
        oc_text_format(&text, "; @%s is a time of the trace itself", instant->text);
    else
        oc_suggest_unit(&text, instant->text, ocelotl_trace_seconds(trace, length));
    const ocelotl_status status =
        text.failed ? oc_fail_memory() : oc_fail(OCELOTL_ERROR_ARGUMENT, "%s", text.bytes);
    oc_text_free(&text);
    return status;
}

/* Fails with EMPTY for ends in the wrong order: the window is empty, and the options are
 * well-formed. */
static ocelotl_status fail_order(const ocelotl_interval *interval)
{
    return oc_fail(OCELOTL_ERROR_EMPTY, "--%s is %s, after --%s, which is %s",
                   interval->from.option, interval->from.text, interval->to.option,
                   interval->to.text);
}

ocelotl_status oc_check_interval(const ocelotl_interval *interval)
{
    const ocelotl_instant *from = &interval->from;
    const ocelotl_instant *to = &interval->to;
    if (from->text == NULL || to->text == NULL || from->base != to->base ||
        from->percent != to->percent || from->value <= to->value)
        return OCELOTL_OK;
    return fail_order(interval);
}

/* Checks that the ends are in order. */
static ocelotl_status check_order(const ocelotl_interval *interval, const ocelotl_trace *trace)
{
    const bool ends = interval->to.text != NULL;
    return first_tick(&interval->from, trace) <=
                   (ends ? first_tick(&interval->to, trace) : INT64_MAX)
               ? OCELOTL_OK
               : fail_order(interval);
}

/* Fails for an empty window: its ends are the wrong way round, or within one tick. */
static ocelotl_status fail_empty(const ocelotl_interval *interval, const ocelotl_trace *trace)
{
    OC_TRY(check_order(interval, trace));
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "--%s %s and --%s %s leave no tick of the trace between them, which lasts %s s",
                   interval->from.option, interval->from.text, interval->to.option,
                   interval->to.text, seconds_of(trace, 1).text);
}

static ocelotl_status check_touches(const ocelotl_interval *interval, const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    if (interval->from.text != NULL && first_tick(&interval->from, trace) > info.end)
        return fail_outside(&interval->from, trace);
    if (interval->to.text != NULL && last_tick(&interval->to, trace) < info.begin)
        return fail_outside(&interval->to, trace);
    return OCELOTL_OK;
}

/* Finds the ticks that an interval touches; the interval may be empty. */
static ocelotl_status find_touching(int64_t *from, int64_t *to, const ocelotl_interval *interval,
                                    const ocelotl_trace *trace)
{
    OC_TRY(check_order(interval, trace));
    OC_TRY(check_touches(interval, trace));
    const int64_t last = last_tick(&interval->to, trace);
    *from = first_tick(&interval->from, trace);
    *to = last < INT64_MAX ? last + 1 : last;
    return OCELOTL_OK;
}

static ocelotl_status find_around(int64_t *from, int64_t *to, const ocelotl_interval *interval,
                                  const ocelotl_trace *trace)
{
    OC_TRY(check_touches(interval, trace));
    *from = first_tick(&interval->from, trace);
    *to = interval->to.text != NULL ? first_tick(&interval->to, trace) : INT64_MAX;
    return *from <= last_tick(&interval->to, trace) ? OCELOTL_OK : fail_empty(interval, trace);
}

static ocelotl_status find_half_open(int64_t *from, int64_t *to, const ocelotl_interval *interval,
                                     const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    *from = *to = info.begin;
    if (info.begin == info.end)
        return OCELOTL_OK;
    *from = first_tick(&interval->from, trace);
    *to = interval->to.text != NULL ? first_tick(&interval->to, trace) : info.end;
    if (interval->from.text != NULL && *from >= info.end)
        return fail_outside(&interval->from, trace);
    if (interval->to.text != NULL && *to <= info.begin)
        return fail_outside(&interval->to, trace);
    *from = *from < info.begin ? info.begin : *from;
    *to = *to > info.end ? info.end : *to;
    return *from < *to ? OCELOTL_OK : fail_empty(interval, trace);
}

/* --- Steps in time */

static int64_t within(double ticks, int64_t least, int64_t most)
{
    return ticks <= (double)least ? least : ticks >= (double)most ? most : (int64_t)llround(ticks);
}

static ocelotl_instant instant_at(int64_t tick, const ocelotl_instant *named, const char *option)
{
    return (ocelotl_instant){.text = named->text != NULL ? named->text : "the trace's end",
                             .option = named->option != NULL ? named->option : option,
                             .is_tick = true,
                             .tick = tick};
}

/* The window keeps its length, and stays within the trace. */
static ocelotl_status move(ocelotl_interval *moved, const ocelotl_interval *interval,
                           const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    int64_t from, to;
    OC_TRY(find_half_open(&from, &to, interval, trace));
    const int64_t by =
        within(interval->shift * (double)(to - from), info.begin - from, info.end - to);
    if (by == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the window is at the %s of the trace already",
                       interval->shift > 0 ? "end" : "begin");
    *moved = (ocelotl_interval){.from = instant_at(from + by, &interval->from, "from"),
                                .to = instant_at(to + by, &interval->to, "to")};
    return OCELOTL_OK;
}

ocelotl_status oc_interval_ticks(int64_t *from, int64_t *to, const ocelotl_interval *interval,
                                 const ocelotl_trace *trace, oc_interval_ends ends)
{
    ocelotl_interval moved = *interval;
    if (interval->shift < 0 || interval->shift > 0)
        OC_TRY(move(&moved, interval, trace));
    switch (ends) {
    case OC_ENDS_TOUCHING:
        return find_touching(from, to, &moved, trace);
    case OC_ENDS_AROUND:
        return find_around(from, to, &moved, trace);
    default:
        return find_half_open(from, to, &moved, trace);
    }
}
