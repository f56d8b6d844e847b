/* Dates as ISO 8601 writes them. */
#define _GNU_SOURCE
#include "base/format/date.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

bool oc_date_write(char text[OC_DATE_SIZE], int64_t second)
{
    struct tm date;
    const time_t time = (time_t)second;
    return gmtime_r(&time, &date) != NULL && date.tm_year >= -1900 && date.tm_year <= 9999 - 1900 &&
           strftime(text, OC_DATE_SIZE, "%Y-%m-%dT%H:%M:%S", &date) > 0;
}

const char *oc_date_write_part(char text[OC_DATE_SIZE], int64_t nanosecond)
{
    enum { SECOND = 1000000000 };
    const int64_t part = (nanosecond % SECOND + SECOND) % SECOND;
    if (!oc_date_write(text, nanosecond / SECOND - (nanosecond % SECOND < 0 ? 1 : 0)))
        return NULL;
    const size_t length = strlen(text);
    if (part > 0)
        snprintf(text + length, OC_DATE_SIZE - length, ".%09" PRId64 "Z", part);
    else
        snprintf(text + length, OC_DATE_SIZE - length, "Z");
    return text;
}

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

bool oc_instant_read(oc_instant *is, const char *text)
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
    *is = (oc_instant){.second = timegm(&date)};
    int64_t unit = OC_INSTANT_PARTS;
    if (*at == '.' || *at == ',')
        for (++at; *at >= '0' && *at <= '9'; ++at) {
            unit /= 10;
            is->part += unit * (*at - '0');
            is->digits += is->digits < OC_INSTANT_DIGITS;
        }
    is->zone = at;
    return true;
}
