#include "importers/common/clock.h"

#include "base/text.h"

/* Significant digits that always fit 64 bits. */
enum { MOST_SIGNIFICANT = 18 };

uint64_t oc_power_of_ten(uint32_t exponent)
{
    uint64_t power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

/* The text's parts: its digits without leading zeros, and where the point is among them. */
typedef struct parts {
    bool negative;
    int64_t mantissa;
    int64_t digits;   /* behind the point; negative: zeros are to be added */
    uint32_t dropped; /* significant digits that did not fit the mantissa, */
    bool inexact;     /* not all of them 0 */
    bool round_up;    /* the first of them is 5 or more */
} parts;

static bool add_digit(parts *number, unsigned digit, bool behind_point)
{
    if (number->dropped > 0 || number->mantissa >= (int64_t)oc_power_of_ten(MOST_SIGNIFICANT - 1)) {
        if (number->dropped == 0)
            number->round_up = digit >= 5;
        number->inexact = number->inexact || digit > 0;
        number->dropped++;
        number->digits -= !behind_point;
        return number->dropped < 4096;
    }
    number->mantissa = number->mantissa * 10 + (int64_t)digit;
    number->digits += behind_point;
    return true;
}

static bool read_exponent(int64_t *exponent, const char *text, const char *end)
{
    bool negative = false;
    if (text < end && (*text == '+' || *text == '-'))
        negative = *text++ == '-';
    if (text == end)
        return false;
    for (*exponent = 0; text < end; text++) {
        if (*text < '0' || *text > '9' || *exponent > 9999)
            return false;
        *exponent = *exponent * 10 + (*text - '0');
    }
    if (negative)
        *exponent = -*exponent;
    return true;
}

static bool read_parts(parts *number, const char *text, size_t length)
{
    const char *end = text + length;
    bool any = false;
    bool behind_point = false;
    if (text < end && (*text == '+' || *text == '-'))
        number->negative = *text++ == '-';
    for (; text < end; text++) {
        if (*text == '.' && !behind_point) {
            behind_point = true;
        } else if (*text >= '0' && *text <= '9') {
            any = true;
            if (!add_digit(number, (unsigned)(*text - '0'), behind_point))
                return false;
        } else {
            break;
        }
    }
    int64_t exponent = 0;
    if (text < end && (*text == 'e' || *text == 'E')) {
        if (!read_exponent(&exponent, text + 1, end))
            return false;
        text = end;
    }
    number->digits -= exponent;
    return any && text == end;
}

bool oc_decimal_read(oc_decimal *decimal, const char *text, size_t length, uint32_t most_digits)
{
    parts number = {0};
    if (!read_parts(&number, text, length))
        return false;
    /* Zeros at the end go first, then digits that are meant; the last of those kept is rounded. */
    while (number.digits > most_digits) {
        const int64_t last = number.mantissa % 10;
        number.mantissa /= 10;
        number.digits--;
        number.inexact = number.inexact || last > 0;
        number.round_up = last >= 5;
        if (number.mantissa == 0 && number.digits > most_digits) {
            number.digits = most_digits;
            number.round_up = false;
        }
    }
    if (number.inexact && number.round_up)
        number.mantissa++;
    while (number.digits < 0) {
        if (number.mantissa == 0)
            number.digits = 0;
        else if (__builtin_mul_overflow(number.mantissa, 10, &number.mantissa))
            return false;
        else
            number.digits++;
    }
    *decimal = (oc_decimal){number.negative ? -number.mantissa : number.mantissa,
                            (uint32_t)number.digits, number.inexact};
    return true;
}

bool oc_decimal_read_plain(int64_t *ticks, const char *text, size_t length, uint32_t digits)
{
    static const int64_t powers[] = {1,           10,           100,          1000,      10000,
                                     100000,      1000000,      10000000,     100000000, 1000000000,
                                     10000000000, 100000000000, 1000000000000};
    int64_t mantissa = 0;
    size_t i = 0;
    if (length == 0 || length > 18 || digits > 12)
        return false;
    for (; i < length && text[i] >= '0' && text[i] <= '9'; i++)
        mantissa = mantissa * 10 + (text[i] - '0');
    size_t behind_point = 0;
    if (i > 0 && i < length && text[i] == '.') {
        behind_point = length - ++i;
        for (; i < length && text[i] >= '0' && text[i] <= '9'; i++)
            mantissa = mantissa * 10 + (text[i] - '0');
    }
    return i == length && behind_point <= digits &&
           !__builtin_mul_overflow(mantissa, powers[digits - behind_point], ticks);
}

bool oc_decimal_ticks(int64_t *ticks, const oc_decimal *decimal, uint32_t digits)
{
    return oc_multiply_time(ticks, decimal->mantissa, oc_power_of_ten(digits - decimal->digits));
}

ocelotl_status oc_time_unit_digits(uint32_t *digits, const char *unit)
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    for (uint32_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (unit == NULL || strcmp(unit, units[i]) == 0) {
            *digits = 3 * i;
            return OCELOTL_OK;
        }
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "time unit is \"%s\", expected s, ms, us or ns", unit);
}
