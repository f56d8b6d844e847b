/* Decimal times, read exactly. */
#ifndef OC_IMPORTERS_PAJE_DECIMAL_H
#define OC_IMPORTERS_PAJE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* mantissa / 10^digits; digits >= 0. */
typedef struct paje_decimal {
    int64_t mantissa;
    uint32_t digits;
    bool rounded; /* the text had more digits than a decimal holds */
} paje_decimal;

/* Reads "12.5", "-.5", "1e-3". Digits behind the point are kept as they stand, zeros too, up to `most_digits`; where
 * more are given, zeros at the end are dropped and, if that does not help, the rest is rounded. False: no number, or
 * one that does not fit. */
bool paje_decimal_read(paje_decimal *decimal, const char *text, size_t length, uint32_t most_digits);

/* Reads "12.5" at once as ticks of 10^-digits (at most 12). False for what has more digits behind the point, is not
 * plain, or is long: it may still be a number. */
bool paje_decimal_read_plain(int64_t *ticks, const char *text, size_t length, uint32_t digits);

/* The decimal with other digits (at least its own) as a whole number; false where it does not fit. */
bool paje_decimal_ticks(int64_t *ticks, const paje_decimal *decimal, uint32_t digits);

/* 10^exponent for exponent <= 18. */
uint64_t paje_power_of_ten(uint32_t exponent);

#endif
