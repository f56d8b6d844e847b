/* Stamps and durations: microseconds as decimals, read exactly. */
#include "importers/chrome/reader.h"

#include "base/text.h"
#include "importers/common/clock.h"

/* Microseconds since 1970 from 2001 on: clocks that begin elsewhere are far below. */
static const int64_t since_1970 = (int64_t)1000000000000000;
static const int64_t second = 1000000;

enum { CHROME_FINEST = 6 };

__extension__ typedef __int128 wide;

/* mantissa / 10^digits; a stamp since 1970 in picoseconds has more digits than 64 bits hold. */
typedef struct stamp {
    wide mantissa;
    uint32_t digits; /* at most CHROME_FINEST, the last of them not 0 */
    bool rounded;    /* others than 0 were dropped */
} stamp;

/* Digits with a point among them. False for all else, which may still be a number. */
static bool read_plain(stamp *read, const char *text, size_t length)
{
    const char *end = text + length;
    const bool negative = text < end && *text == '-';
    const char *next = text + negative;
    int64_t mantissa = 0;
    bool up = false;
    bool dropped = false;
    *read = (stamp){0};
    const char *begin = next;
    for (; next < end && oc_is_digit(*next); next++)
        if (__builtin_mul_overflow(mantissa, 10, &mantissa) ||
            __builtin_add_overflow(mantissa, *next - '0', &mantissa))
            return false;
    read->mantissa = mantissa;
    if (next == begin || (next < end && *next != '.') || next + 1 == end)
        return false;
    for (next += next < end; next < end && oc_is_digit(*next); next++) {
        if (read->digits < CHROME_FINEST) {
            read->mantissa = 10 * read->mantissa + (*next - '0');
            read->digits++;
            continue;
        }
        up = dropped ? up : *next >= '5';
        dropped = true;
        read->rounded = read->rounded || *next != '0';
    }
    read->mantissa += up;
    if (negative)
        read->mantissa = -read->mantissa;
    return next == end;
}

/* Reads as many digits as fit, and no more than a tick can have. */
static bool read_stamp(stamp *read, const oc_json_item *value)
{
    oc_decimal decimal;
    if (value->kind != '0' && value->kind != '"')
        return false;
    bool found = read_plain(read, value->bytes, value->length);
    for (int digits = CHROME_FINEST; !found && digits >= 0; digits -= 3) {
        found = oc_decimal_read(&decimal, value->bytes, value->length, (uint32_t)digits);
        if (found)
            *read = (stamp){decimal.mantissa, decimal.digits, decimal.rounded};
    }
    while (found && read->digits > 0 && read->mantissa % 10 == 0) {
        read->mantissa /= 10;
        read->digits--;
    }
    return found;
}

static ocelotl_status refine(chrome_reader *reader, uint32_t digits)
{
    const uint32_t wanted = digits > 3 ? CHROME_FINEST : 3;
    bool fits;
    if (reader->is_finest || wanted <= reader->ingest.digits)
        return OCELOTL_OK;
    OC_TRY(oc_ingest_refine(&fits, &reader->ingest, wanted));
    if (!fits && wanted == CHROME_FINEST)
        return refine(reader, 3);
    reader->is_finest = !fits;
    return OCELOTL_OK;
}

/* Finds the ticks of a decimal less `zero` microseconds, rounded where ticks are coarser. */
static bool find_ticks(int64_t *ticks, bool *rounded, uint32_t finest, const stamp *decimal,
                       int64_t zero)
{
    wide number = decimal->mantissa;
    for (uint32_t digits = decimal->digits; digits < finest; digits++)
        number *= 10;
    *rounded = decimal->rounded || decimal->digits > finest;
    if (decimal->digits > finest) {
        const int64_t coarser = (int64_t)oc_power_of_ten(decimal->digits - finest);
        number = (number + (number < 0 ? -coarser / 2 : coarser / 2)) / coarser;
    }
    number -= (wide)zero * (wide)oc_power_of_ten(finest);
    *ticks = (int64_t)number;
    return number == *ticks;
}

/* Whether a decimal less `zero` fits where a tick is finer. */
static bool fits_with(uint32_t digits, const stamp *decimal, int64_t zero)
{
    wide number = decimal->mantissa;
    for (uint32_t i = decimal->digits; i < digits; i++)
        number *= 10;
    number -= (wide)zero * (wide)oc_power_of_ten(digits);
    return number == (int64_t)number;
}

static ocelotl_status read_slowly(int64_t *ticks, bool *rounded, chrome_reader *reader,
                                  const char *what, const oc_json_item *value, bool is_stamp)
{
    stamp decimal = {0};
    chrome_file *file = &reader->file;
    const uint32_t *digits = &reader->ingest.digits;
    const int shown = (int)(value->length < 60 ? value->length : 60);
    if (!read_stamp(&decimal, value))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s is \"%.*s\", expected a number of microseconds from -9.2e15 to 9.2e15",
                       what, shown, value->bytes);
    if (is_stamp && !file->has_zero) { /* from the second of the first, so that more digits fit */
        const int64_t whole =
            (int64_t)(decimal.mantissa / (int64_t)oc_power_of_ten(decimal.digits));
        file->has_zero = true;
        file->zero = whole >= since_1970 ? whole / second * second : 0;
    }
    const int64_t zero = is_stamp ? file->zero : 0;
    if (decimal.digits > 3 && !fits_with(CHROME_FINEST, &decimal, zero)) {
        OC_TRY(refine(reader, 3));
        reader->is_finest = true;
    }
    if (decimal.digits > *digits)
        OC_TRY(refine(reader, decimal.digits));
    if (!find_ticks(ticks, rounded, *digits, &decimal, zero))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s is \"%.*s\", which is too far from the others, expected times within "
                       "%s",
                       what, shown, value->bytes,
                       *digits == CHROME_FINEST ? "106 days" : "292 years");
    return OCELOTL_OK;
}

static ocelotl_status read_ticks(int64_t *ticks, bool *rounded, chrome_reader *reader,
                                 const char *what, const oc_json_item *value, bool is_stamp)
{
    const chrome_file *file = &reader->file;
    *rounded = false;
    if (value->bytes == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "an event without \"%s\", expected its time", what);
    if ((!is_stamp || (file->has_zero && file->zero == 0)) &&
        oc_decimal_read_plain(ticks, value->bytes, value->length, reader->ingest.digits))
        return OCELOTL_OK;
    return read_slowly(ticks, rounded, reader, what, value, is_stamp);
}

ocelotl_status chrome_read_times(int64_t *time, int64_t *duration, bool *has_duration,
                                 chrome_reader *reader)
{
    const oc_json_item *begin = &reader->element.keys[CHROME_TIME];
    const oc_json_item *length = &reader->element.keys[CHROME_DURATION];
    bool rounded[2] = {false, false};
    uint32_t digits;
    if (duration != NULL)
        *has_duration = length->bytes != NULL && !oc_json_is(length, "null");
    do {
        digits = reader->ingest.digits;
        OC_TRY(read_ticks(time, &rounded[0], reader, "ts", begin, true));
        if (duration != NULL && *has_duration)
            OC_TRY(read_ticks(duration, &rounded[1], reader, "dur", length, false));
    } while (digits != reader->ingest.digits);
    for (size_t i = 0; i < 2; i++)
        if (rounded[i])
            oc_ingest_note(&reader->ingest, CHROME_TIME_ROUNDED);
    return OCELOTL_OK;
}
