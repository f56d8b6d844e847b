#define _GNU_SOURCE
#include "quality/derive/origin.h"

#include "base/date.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

__extension__ typedef __int128 wide;

/* A second has as many parts. */
static const int64_t parts = 1000000000000000000;
enum { DIGITS = 18 };

/* An instant on somebody's clock. */
typedef struct instant {
    int64_t second; /* since 1970 */
    int64_t part;
    int digits;       /* of the part that are written */
    const char *zone; /* what follows it */
} instant;

/* Reads a number of so many digits, behind a letter unless that is 0. */
static bool read_field(int *value, const char **at, char before, int digits)
{
    if (before != 0 && *(*at)++ != before)
        return false;
    *value = 0;
    for (int i = 0; i < digits; i++, (*at)++) {
        if (**at < '0' || **at > '9')
            return false;
        *value = *value * 10 + (**at - '0');
    }
    return true;
}

static bool read_instant(instant *is, const char *text)
{
    struct tm date = {0};
    const char *at = text;
    const bool good =
        read_field(&date.tm_year, &at, 0, 4) && read_field(&date.tm_mon, &at, '-', 2) &&
        read_field(&date.tm_mday, &at, '-', 2) && read_field(&date.tm_hour, &at, 'T', 2) &&
        read_field(&date.tm_min, &at, ':', 2) && read_field(&date.tm_sec, &at, ':', 2);
    if (!good)
        return false;
    date.tm_year -= 1900;
    date.tm_mon -= 1;
    *is = (instant){.second = timegm(&date)};
    int64_t unit = parts;
    if (*at == '.' || *at == ',')
        for (++at; *at >= '0' && *at <= '9'; ++at) {
            unit /= 10;
            is->part += unit * (*at - '0');
            is->digits += is->digits < DIGITS;
        }
    is->zone = at;
    return true;
}

static void go_back(instant *is, const oc_ticks *ticks)
{
    const wide length = (wide)ticks->count * ticks->numerator;
    const wide rest = length % ticks->denominator * parts / ticks->denominator;
    is->second -= (int64_t)(length / ticks->denominator);
    is->part -= (int64_t)rest;
    if (is->part < 0) {
        is->part += parts;
        is->second--;
    }
}

void oc_origin_before(oc_text *text, const char *origin, const oc_ticks *ticks)
{
    char day[OC_DATE_SIZE];
    instant is;
    oc_text_append(text, "", 0);
    if (!read_instant(&is, origin))
        return;
    go_back(&is, ticks);
    if (!oc_date_write(day, is.second))
        return;
    oc_text_add(text, day);
    /* the part has no fewer digits than before, and no zeros at its end that are new */
    char digits[32];
    int count = DIGITS;
    snprintf(digits, sizeof digits, "%0*" PRId64, DIGITS, is.part);
    while (count > is.digits && digits[count - 1] == '0')
        count--;
    digits[count] = '\0';
    if (count > 0)
        oc_text_format(text, ".%s", digits);
    oc_text_add(text, is.zone);
}
