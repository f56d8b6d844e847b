/* Times as decimal text, read exactly as ticks. */
#ifndef OC_IMPORTERS_COMMON_CLOCK_H
#define OC_IMPORTERS_COMMON_CLOCK_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* mantissa / 10^digits; digits >= 0. */
typedef struct oc_decimal {
    int64_t mantissa;
    uint32_t digits;
    bool rounded; /* the text had more digits than a decimal holds */
} oc_decimal;

/* Reads "12.5", "-.5", "1e-3". Digits behind the point are kept as they stand, zeros too, up to
 * `most_digits`; where more are given, zeros at the end are dropped and, if that does not help, the
 * rest is rounded. False: no number, or one that does not fit. */
bool oc_decimal_read(oc_decimal *decimal, const char *text, size_t length, uint32_t most_digits);

/* What a time is expected to be: where the range ends depends on its unit and digits. */
#define OC_DECIMAL_EXPECTED "a decimal number from -9.2e18 to 9.2e18"

/* Reads "12.5" at once as ticks of 10^-digits (at most 12). False for what has more digits behind
 * the point, is not plain, or is long: it may still be a number. */
bool oc_decimal_read_plain(int64_t *ticks, const char *text, size_t length, uint32_t digits);

/* The same, faster, for a text with eight readable bytes behind it; power is 10^digits. False for
 * anything but plain digits. */
static inline bool oc_decimal_read_quickly(int64_t *ticks, const char *text, size_t length,
                                           uint32_t digits, int64_t power);

/* The decimal with other digits (at least its own) as a whole number; false: it does not fit. */
bool oc_decimal_ticks(int64_t *ticks, const oc_decimal *decimal, uint32_t digits);

/* The digits behind the point of a second for the unit "s" (or NULL), "ms", "us" or "ns". */
ocelotl_status oc_time_unit_digits(uint32_t *digits, const char *unit);

/* 10^exponent for exponent <= 18. */
uint64_t oc_power_of_ten(uint32_t exponent);

/* One to eight digits, moved to the last of eight places; the others are 0. */
static inline bool oc_eight_digits(uint64_t *number, const char *text, size_t length)
{
    const uint64_t high_bits = 0x8080808080808080u;
    uint64_t eight;
    memcpy(&eight, text, sizeof eight);
    eight = (eight ^ 0x3030303030303030u) << (64 - 8 * length);
    if (((eight | (eight + 0x7676767676767676u)) & high_bits) != 0) /* more than 9 */
        return false;
    eight = eight * 10 + (eight >> 8); /* pairs of digits, then all of them */
    *number = (((eight & 0x000000FF000000FFu) * 0x000F424000000064u) +
               (((eight >> 16) & 0x000000FF000000FFu) * 0x0000271000000001u)) >>
              32;
    return true;
}

static inline bool oc_decimal_read_quickly(int64_t *ticks, const char *text, size_t length,
                                           uint32_t digits, int64_t power)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t whole;
    uint64_t fraction;
    const size_t before = length - digits - 1;
    if (digits - 1 > 7 || length < digits + 2 || before > 8 || text[before] != '.' ||
        !oc_eight_digits(&whole, text, before) ||
        !oc_eight_digits(&fraction, text + before + 1, digits))
        return false;
    *ticks = (int64_t)whole * power + (int64_t)fraction;
    return true;
#else
    (void)ticks, (void)text, (void)length, (void)digits, (void)power;
    return false;
#endif
}

#endif
