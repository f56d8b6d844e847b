/* Text in pictures: clean, measured without any font, cut to its room; and numbers that no locale
 * changes. */
#ifndef OC_VIZ_WORDS_WORDS_H
#define OC_VIZ_WORDS_WORDS_H

#include "base/plain.h"
#include "base/text.h"

/* What pictures are lettered in, as CSS has it; the first is what cairo asks for. */
#define OC_FONT_FAMILIES "Helvetica, Arial, 'DejaVu Sans', sans-serif"
#define OC_FONT_FAMILY   "Helvetica"

/* Appends a string as valid UTF-8 that every format can hold. U+FFFD replaces invalid bytes,
 * control characters, characters that turn the direction of writing, and what is no character.
 * White space becomes a space; ends of lines stay if `lines` is set. An ellipsis replaces the
 * middle of a line of more than OC_LONGEST_SHOWN bytes: a name may be a megabyte long, and stand in
 * a picture many times. */
void oc_clean_add(oc_text *text, const char *string, bool lines);

enum { OC_LONGEST_SHOWN = 4096 };

/* The same without leaving anything out, for what programs read. */
void oc_clean_add_whole(oc_text *text, const char *string, bool lines);

/* Returns the most pixels that a string takes in common sans-serif fonts, whatever is installed. */
double oc_lettering_width(const char *string, double size, bool bold);

/* Appends a string, cleaned, or its most telling form that fits in `room` pixels: without the
 * arguments of templates, without those of calls, without its first components (of a::b, a/b/c), or
 * its beginning and its end. An ellipsis stands for what is left out; combining marks stay with
 * their character. Appends nothing if not even one character fits. Returns whether anything was
 * appended. O(length). */
bool oc_lettering_fit(oc_text *text, const char *string, double size, bool bold, double room);

/* Appends a number rounded to `decimals` (0 .. 9), without trailing zeros. */
void oc_decimal_add(oc_text *text, double value, int decimals);

/* Appends a number with `digits` significant digits (%g); from 17 on, as few as give the same
 * double back. */
void oc_number_add(oc_text *text, double value, int digits);

/* Appends a whole number with commas between thousands. */
void oc_count_add(oc_text *text, uint64_t count);

/* The same with what is counted, which takes an s unless it is one. */
void oc_counted_add(oc_text *text, uint64_t count, const char *thing);

/* A decimal prefix of a unit. */
typedef struct oc_prefix {
    double factor;
    const char *symbol;
} oc_prefix;

/* Returns the prefix for a value: k (1000) from 1000 on, M, G, T, P, E (1e18); none below. */
oc_prefix oc_prefix_for(double value);

/* Appends an amount as oc_short_amount has it, with the word that its unit is, "" for none: "3.4 k
 * events". One of them is no "1 events". */
void oc_quantity_add(oc_text *text, double value, int digits, const char *unit);

/* A share (0 .. 1) in hundredths of a percent, rounded as printf rounds it: to the even one where
 * two are as near. */
unsigned oc_share_hundredths(double share);

/* Appends a share (0 .. 1) in percent. */
void oc_percent_add(oc_text *text, double share);

/* --- Units of time: chosen the same way for the axis of a picture and the words around it. */

/* Seconds that an axis goes over, or would. */
typedef struct oc_time_range {
    double begin, end;
} oc_time_range;

typedef enum oc_clock {
    OC_NO_CLOCK,
    OC_CLOCK_MINUTES, /* "90 min", "12 min 30 s" */
    OC_CLOCK_HOURS    /* "1 h 30 min" */
} oc_clock;

/* How times of a range are written: from nanoseconds to seconds as multiples of a unit, beyond ten
 * minutes as on a clock, beyond three hours with hours. Times of a range of less than some minutes,
 * far from the origin, are in seconds. */
typedef struct oc_time_unit {
    const char *name;
    double seconds; /* 60 with a clock, whose steps are whole minutes */
    oc_clock clock;
} oc_time_unit;

oc_time_unit oc_time_unit_of(oc_time_range range);

/* Appends a time as on a clock; seconds have at most `decimals` digits after the point. */
void oc_clock_add(oc_text *text, double seconds, int decimals, oc_clock clock);

/* Appends a duration (seconds) in a unit that suits it, to the digits that differ from `resolution`
 * more. */
void oc_time_add(oc_text *text, double seconds, double resolution);

/* Appends an instant of a range, in the unit of the range. */
void oc_time_instant_add(oc_text *text, double seconds, double resolution, oc_time_range within);

/* Appends "begin - end" as instants of a range; briefly: a common unit once. */
void oc_time_span_add(oc_text *text, double begin, double end, double resolution,
                      oc_time_range within);
void oc_time_span_add_briefly(oc_text *text, double begin, double end, double resolution,
                              oc_time_range within);

/* --- Phrases: texts with places for numbers and names */

typedef enum oc_word_kind {
    OC_WORD_TEXT,    /* as it is */
    OC_WORD_NAME,    /* oc_clean_add */
    OC_WORD_COUNT,   /* oc_count_add, or oc_counted_add with a text */
    OC_WORD_WHOLE,   /* a whole number without commas */
    OC_WORD_NUMBER,  /* oc_number_add, to `detail` digits */
    OC_WORD_PERCENT, /* oc_percent_add */
    OC_WORD_AMOUNT,  /* oc_quantity_add, the text is its unit */
    OC_WORD_TIME     /* oc_time_add, to a share `detail` of it */
} oc_word_kind;

typedef struct oc_word {
    oc_word_kind kind;
    const char *text;
    uint64_t count;
    double value, detail;
} oc_word;

static inline oc_word oc_word_text(const char *text)
{
    return (oc_word){OC_WORD_TEXT, text, 0, 0, 0};
}

static inline oc_word oc_word_name(const char *name)
{
    return (oc_word){OC_WORD_NAME, name, 0, 0, 0};
}

/* `thing` takes an s unless it is one; NULL: it is not named. */
static inline oc_word oc_word_count(uint64_t count, const char *thing)
{
    return (oc_word){OC_WORD_COUNT, thing, count, 0, 0};
}

static inline oc_word oc_word_whole(uint64_t number)
{
    return (oc_word){OC_WORD_WHOLE, NULL, number, 0, 0};
}

static inline oc_word oc_word_number(double value, int digits)
{
    return (oc_word){OC_WORD_NUMBER, NULL, 0, value, digits};
}

static inline oc_word oc_word_percent(double share)
{
    return (oc_word){OC_WORD_PERCENT, NULL, 0, share, 0};
}

static inline oc_word oc_word_amount(double value, const char *unit)
{
    return (oc_word){OC_WORD_AMOUNT, unit, 0, value, 0};
}

static inline oc_word oc_word_time(double seconds, double share)
{
    return (oc_word){OC_WORD_TIME, NULL, 0, seconds, share};
}

/* Appends a phrase, with a word in the place of each {} in it. */
void oc_phrase_add(oc_text *text, const char *phrase, const oc_word *words);

#define OC_PHRASE(text, phrase, ...) oc_phrase_add(text, phrase, (const oc_word[]){__VA_ARGS__})

/* Returns the bytes of the first `depth` + 1 steps of a resource's path. */
size_t oc_path_prefix(const char *path, uint32_t depth);

#endif
