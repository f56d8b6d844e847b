/* Numbers and letters as in the C locale, whatever locale the program has set. What is written or
 * read has the same bytes everywhere. Everything here is safe from any thread, and changes the
 * locale of no other. */
#ifndef OC_BASE_PLAIN_H
#define OC_BASE_PLAIN_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* As vsnprintf and snprintf, with a point in numbers. */
int oc_plain_vprint(char *text, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
int oc_plain_print(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As strtod, of a number with a point; *end may be NULL. */
double oc_plain_number(const char *text, char **end);

typedef struct oc_digits_text {
    char text[32];
} oc_digits_text;

/* The fewest digits that give the number back. */
oc_digits_text oc_digits(double number);

/* A number in tables for people: whole digits stay, and `digits` significant ones. What is halfway
 * is rounded away from zero. viz/page/tables.js has the same rule. */
oc_digits_text oc_short_digits(double number, int digits);

/* A length of time in three digits of s, ms, us or ns. */
oc_digits_text oc_short_time(double seconds);

/* What is behind a number with a unit: "B" for bytes, "" for a word of one's own, which has to be
 * written beside it. */
const char *oc_unit_symbol(const char *unit);

/* An amount in `digits` significant digits with a decimal prefix and the symbol of its unit: "950",
 * "1.2 k", "3.4 MB", "25 ms". A kB is 1000 bytes, as axes with decimal steps need it.
 * shortAmount in viz/page/data.js has the same rule. */
oc_digits_text oc_short_amount(double number, int digits, const char *unit);

/* An end of a window, as a length of time: in as many digits more as the window is short. */
oc_digits_text oc_short_end(double seconds, double length);

/* A share (0 .. 1) in percent, of two decimals; some is never none, and less than all never all.
 * percent in viz/page/data.js has the same rule. */
oc_digits_text oc_short_percent(double share);

/* Whether two texts are equal except for the case of the letters A to Z: in full, or in the first
 * `length` bytes. */
bool oc_same_letters(const char *a, const char *b);
bool oc_same_first_letters(const char *a, const char *b, size_t length);

#endif
