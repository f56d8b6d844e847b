/* Units of time: one way to choose them for the axis of a picture and for all that is said around
 * it. */
#ifndef OC_VIZ_WORDS_TIME_TEXT_H
#define OC_VIZ_WORDS_TIME_TEXT_H

#include "base/text.h"

/* Seconds that an axis goes over, or would. */
typedef struct oc_time_range {
    double begin, end;
} oc_time_range;

typedef enum oc_clock {
    OC_NO_CLOCK,
    OC_CLOCK_MINUTES, /* "90 min", "12 min 30 s" */
    OC_CLOCK_HOURS    /* "1 h 30 min" */
} oc_clock;

/* How times of a range are said: from nanoseconds to seconds as multiples of a unit, beyond ten
 * minutes as on a clock, with hours beyond three; of a range of less than some minutes, far from
 * the origin, in seconds. */
typedef struct oc_time_unit {
    const char *name;
    double seconds; /* 60 with a clock, whose steps are whole minutes */
    oc_clock clock;
} oc_time_unit;

oc_time_unit oc_time_unit_of(oc_time_range range);

/* Appends so many minutes, and seconds with at most `decimals` digits behind the point, as on a
 * clock. */
void oc_clock_add(oc_text *text, double seconds, int decimals, oc_clock clock);

/* Appends a duration (seconds) in a unit that suits it, with the digits that tell it from one
 * `resolution` seconds longer. */
void oc_time_add(oc_text *text, double seconds, double resolution);

/* Appends an instant of a range, in the unit of that. */
void oc_time_instant_add(oc_text *text, double seconds, double resolution, oc_time_range within);

/* Appends "begin - end", both so; briefly: the unit once, where it is one. */
void oc_time_span_add(oc_text *text, double begin, double end, double resolution,
                      oc_time_range within);
void oc_time_span_add_briefly(oc_text *text, double begin, double end, double resolution,
                              oc_time_range within);

#endif
