/* Text in pictures: clean, measured without any font, cut to its room; and numbers that no locale
 * changes. */
#ifndef OC_VIZ_WORDS_LETTERING_H
#define OC_VIZ_WORDS_LETTERING_H

#include "base/text.h"

/* What pictures are lettered in, as CSS has it; the first is what cairo asks for. */
#define OC_FONT_FAMILIES "Helvetica, Arial, 'DejaVu Sans', sans-serif"
#define OC_FONT_FAMILY   "Helvetica"

/* Appends a string as valid UTF-8 that every format can hold: what is invalid, a control character,
 * one that turns the direction of writing, or no character at all becomes U+FFFD, white space a
 * space; ends of lines stay where `lines` is set. Of a line of more than OC_LONGEST_SHOWN bytes the
 * middle is left out, with an ellipsis for it: a name may be a megabyte long, and is met in a
 * picture very often. */
void oc_clean_add(oc_text *text, const char *string, bool lines);

enum { OC_LONGEST_SHOWN = 4096 };

/* The same without leaving anything out: of what a program reads again. */
void oc_clean_add_whole(oc_text *text, const char *string, bool lines);

/* Pixels that a string takes at most in a common sans-serif font, whatever is installed. */
double oc_lettering_width(const char *string, double size, bool bold);

/* Appends a string, cleaned, or what of it tells the most and fits in `room` pixels: without the
 * arguments of templates, without those of calls, without its first components (of a::b, a/b/c),
 * its beginning and its end. An ellipsis stands for what is left out; no character is cut from the
 * marks that combine with it. Nothing where not even one character fits. Says whether anything was
 * appended. O(length). */
bool oc_lettering_fit(oc_text *text, const char *string, double size, bool bold, double room);

/* Appends a number rounded to `decimals` (0 .. 9), without trailing zeros. */
void oc_decimal_add(oc_text *text, double value, int decimals);

/* Appends a number with so many significant digits (%g); 17 and more: as few as give the same
 * double back. */
void oc_number_add(oc_text *text, double value, int digits);

/* Appends a whole number with commas between thousands. */
void oc_count_add(oc_text *text, uint64_t count);

/* A decimal prefix of a unit. */
typedef struct oc_prefix {
    double factor;
    const char *symbol;
} oc_prefix;

/* The prefix with which a value is shown: k (1000) from 1000 on, M, G, T, P, E (1e18); none below.
 */
oc_prefix oc_prefix_for(double value);

/* Appends a value in three significant digits with a decimal prefix and a unit, "" for none: "950",
 * "1.2 k", "3.4 MB". A kB is 1000 bytes, as axes with decimal steps need it. */
void oc_quantity_add(oc_text *text, double value, const char *unit);

/* Appends a share (0 .. 1) in percent. */
void oc_percent_add(oc_text *text, double share);

#endif
