/* Dates as ISO 8601 writes them. */
#define _POSIX_C_SOURCE 200809L
#include "base/date.h"

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
