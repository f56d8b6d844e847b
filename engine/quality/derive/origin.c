#include "quality/derive/origin.h"

#include "base/format/date.h"

#include <inttypes.h>
#include <stdio.h>

__extension__ typedef __int128 wide;

static void go_back(oc_instant *is, const oc_ticks *ticks)
{
    const wide length = (wide)ticks->count * ticks->numerator;
    const wide rest = length % ticks->denominator * OC_INSTANT_PARTS / ticks->denominator;
    is->second -= (int64_t)(length / ticks->denominator);
    is->part -= (int64_t)rest;
    if (is->part < 0) {
        is->part += OC_INSTANT_PARTS;
        is->second--;
    }
}

void oc_origin_before(oc_text *text, const char *origin, const oc_ticks *ticks)
{
    char day[OC_DATE_SIZE];
    oc_instant is;
    oc_text_append(text, "", 0);
    if (!oc_instant_read(&is, origin))
        return;
    go_back(&is, ticks);
    if (!oc_date_write(day, is.second))
        return;
    oc_text_add(text, day);
    /* the part has no fewer digits than before, and no zeros at its end that are new */
    char digits[32];
    int count = OC_INSTANT_DIGITS;
    snprintf(digits, sizeof digits, "%0*" PRId64, OC_INSTANT_DIGITS, is.part);
    while (count > is.digits && digits[count - 1] == '0')
        count--;
    digits[count] = '\0';
    if (count > 0)
        oc_text_format(text, ".%s", digits);
    oc_text_add(text, is.zone);
}
