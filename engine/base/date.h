/* Dates as ISO 8601 writes them, of the time that UTC shows. */
#ifndef OC_BASE_DATE_H
#define OC_BASE_DATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OC_DATE_SIZE = 48 };

/* Writes "2015-03-01T12:00:00" for seconds since 1970. False: the year is not of 0 to 9999. */
bool oc_date_write(char text[OC_DATE_SIZE], int64_t second);

/* Writes "2015-03-01T12:00:00.000000001Z" for nanoseconds since 1970, without a part that is zero.
 * Gives the text; NULL: as above. */
const char *oc_date_write_part(char text[OC_DATE_SIZE], int64_t nanosecond);

#endif
