/* Dates as ISO 8601 writes them, of the time that UTC shows. */
#ifndef OC_BASE_FORMAT_DATE_H
#define OC_BASE_FORMAT_DATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OC_DATE_SIZE = 48 };

/* Writes "2015-03-01T12:00:00" for seconds since 1970. False: the year is not of 0 to 9999. */
bool oc_date_write(char text[OC_DATE_SIZE], int64_t second);

/* Writes "2015-03-01T12:00:00.000000001Z" for nanoseconds since 1970, without a part that is zero.
 * Gives the text; NULL: as above. */
const char *oc_date_write_part(char text[OC_DATE_SIZE], int64_t nanosecond);

/* A second has as many parts, which that many digits say. */
#define OC_INSTANT_PARTS  INT64_C(1000000000000000000)
#define OC_INSTANT_DIGITS 18

/* An instant on somebody's clock. */
typedef struct oc_instant {
    int64_t second; /* since 1970 */
    int64_t part;
    int digits;       /* of the part that are written */
    const char *zone; /* what follows it */
} oc_instant;

/* Reads "2015-03-01T12:00:00", perhaps with a part. False: it begins otherwise. */
bool oc_instant_read(oc_instant *instant, const char *text);

#endif
