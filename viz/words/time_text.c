#include "viz/words/time_text.h"

#include "viz/words/lettering.h"

#include <math.h>

typedef struct unit {
    const char *name;
    double seconds;
    double until; /* the largest magnitude, in seconds, that is said in this unit */
} unit;

static const unit units[] = {
    {"ns", 1e-9, 1e-6},
    {"\xC2\xB5s", 1e-6, 1e-3},
    {"ms", 1e-3, 1},
    {"s", 1, INFINITY},
};

/* Seconds from which on times are said as on a clock, and those with hours; the shortest range of
 * which one can tell so, and the finest resolution that needs no seconds; and what no clock shows.
 */
static const double clock_from = 600;
static const double hours_from = 3 * 3600.0;
static const double clock_range = 540;
static const double clock_minutes = 30;
static const double clock_until = 1e15;

static oc_clock clock_for(double farthest)
{
    if (farthest < clock_from * (1 - 1e-9) || farthest > clock_until)
        return OC_NO_CLOCK;
    return farthest < hours_from * (1 - 1e-9) ? OC_CLOCK_MINUTES : OC_CLOCK_HOURS;
}

static oc_time_unit unit_for(double farthest, oc_clock clock)
{
    const unit *found = units;
    if (clock != OC_NO_CLOCK)
        return (oc_time_unit){clock == OC_CLOCK_HOURS ? "h" : "min", 60, clock};
    while (isfinite(found->until) && farthest >= found->until * (1 - 1e-9))
        found++;
    return (oc_time_unit){found->name, found->seconds, clock};
}

oc_time_unit oc_time_unit_of(oc_time_range range)
{
    const double farthest = fmax(fabs(range.begin), fabs(range.end));
    const bool short_range = range.end - range.begin < clock_range * (1 - 1e-9);
    return unit_for(farthest, short_range ? OC_NO_CLOCK : clock_for(farthest));
}

void oc_clock_add(oc_text *text, double seconds, int decimals, oc_clock clock)
{
    const double scale = pow(10, decimals);
    const double all = round(fabs(seconds) * scale) / scale;
    double minutes = floor(all / 60);
    double rest = round((all - 60 * minutes) * scale) / scale;
    if (rest >= 60) {
        minutes++;
        rest = 0;
    }
    const double hours = clock == OC_CLOCK_HOURS ? floor(minutes / 60) : 0;
    minutes -= 60 * hours;
    const bool zero = minutes <= 0 && rest <= 0;
    oc_text_add(text, seconds < 0 && (hours > 0 || !zero) ? "-" : "");
    if (hours > 0 || (clock == OC_CLOCK_HOURS && zero))
        oc_text_format(text, "%.0f h%s", hours, zero ? "" : " ");
    if (minutes > 0 || (clock == OC_CLOCK_MINUTES && rest <= 0))
        oc_text_format(text, "%.0f min%s", minutes, rest > 0 ? " " : "");
    if (rest > 0) {
        oc_decimal_add(text, rest, decimals);
        oc_text_add(text, " s");
    }
}

/* Digits behind the point that tell a number from one that is larger by the resolution. */
static int decimals_for(double resolution)
{
    const double finest = resolution > 0 ? 1 - floor(log10(resolution)) : 0;
    return (int)fmin(9, fmax(0, finest));
}

static void add_in(oc_text *text, const oc_time_unit *in, double seconds, double resolution)
{
    if (in->clock != OC_NO_CLOCK) {
        const double whole = resolution < clock_minutes ? seconds : 60 * round(seconds / 60);
        oc_clock_add(text, whole, decimals_for(resolution), in->clock);
        return;
    }
    oc_decimal_add(text, seconds / in->seconds, decimals_for(resolution / in->seconds));
    oc_text_add(text, " ");
    oc_text_add(text, in->name);
}

void oc_time_add(oc_text *text, double seconds, double resolution)
{
    const double farthest = fmax(fabs(seconds), resolution);
    const oc_time_unit in = unit_for(farthest, clock_for(farthest));
    add_in(text, &in, seconds, resolution);
}

void oc_time_instant_add(oc_text *text, double seconds, double resolution, oc_time_range within)
{
    const oc_time_unit in = oc_time_unit_of(within);
    add_in(text, &in, seconds, resolution);
}

void oc_time_span_add(oc_text *text, double begin, double end, double resolution,
                      oc_time_range within)
{
    oc_time_instant_add(text, begin, resolution, within);
    oc_text_add(text, " \xE2\x80\x93 ");
    oc_time_instant_add(text, end, resolution, within);
}

void oc_time_span_add_briefly(oc_text *text, double begin, double end, double resolution,
                              oc_time_range within)
{
    const oc_time_unit in = oc_time_unit_of(within);
    if (in.clock != OC_NO_CLOCK)
        oc_time_instant_add(text, begin, resolution, within);
    else
        oc_decimal_add(text, begin / in.seconds, decimals_for(resolution / in.seconds));
    oc_text_add(text, "\xE2\x80\x93");
    oc_time_instant_add(text, end, resolution, within);
}
