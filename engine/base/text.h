/* A string that grows, and what names need. */
#ifndef OC_BASE_TEXT_H
#define OC_BASE_TEXT_H

#include "base/arena.h"
#include "base/status.h"

#include <stdarg.h>
#include <string.h>

/* Zero-initialised it is empty; `bytes` is NULL or ends in '\0'. Once an append fails for want of
 * memory, `failed` stays set and further appends do nothing: check it once at the end. */
typedef struct oc_text {
    char *bytes;
    size_t length;
    size_t capacity;
    bool failed;
} oc_text;

void oc_text_append(oc_text *text, const char *bytes, size_t length);
void oc_text_add(oc_text *text, const char *string);
void oc_text_format(oc_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void oc_text_vformat(oc_text *text, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
/* Appends a text without control characters, with escapes for what means something to XML. */
void oc_text_add_xml(oc_text *text, const char *string);
void oc_text_clear(oc_text *text);
void oc_text_free(oc_text *text);

/* Gives a finished text away (freed by free), or frees it: MEMORY if it failed. Nothing was added
 * to it: NULL. */
ocelotl_status oc_text_give(char **to, oc_text *text);

/* Appends text with each byte that does not belong to valid UTF-8 replaced by U+FFFD. */
void oc_text_add_utf8(oc_text *text, const char *bytes, size_t length);

/* Copies a name as valid UTF-8 into *copy (freed by free). */
ocelotl_status oc_copy_utf8(char **copy, const char *name);

/* The same into an arena, as oc_arena_copy. */
const char *oc_arena_copy_utf8(oc_arena *arena, const char *name);

static inline bool oc_is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static inline bool oc_is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* Length of the valid UTF-8 sequence at `bytes` (1..4), 0 where it is not valid. */
size_t oc_utf8_length(const char *bytes, size_t available);

/* How many characters a text of valid UTF-8 has. */
size_t oc_count_characters(const char *text);

/* The number of a valid character of `length` bytes. */
uint32_t oc_code_point(const char *bytes, size_t length);

/* Appends the character of a number below 0x110000 as UTF-8. */
void oc_text_add_code_point(oc_text *text, uint32_t code);

/* Whether a character has no shape of its own but changes what is around it: a control character, a
 * mark of direction, a separator of lines, one without width. */
bool oc_is_hidden(uint32_t code);

/* Appends a resource type in small letters, in the plural of any count but 1; "resources" for one
 * that is no word. */
void oc_text_add_kinds(oc_text *text, const char *kind, uint64_t count);

/* The length of the byte order mark that some programs write before a text, 0 where it has none. */
static inline size_t oc_text_mark(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/* Longer texts are no numbers. */
#define OC_LONGEST_NUMBER 64

/* Reads a text as a number: true where all of it is one, and finite. One that is beyond the range
 * is infinite in *number. */
bool oc_text_is_number(double *number, const char *text, size_t length);

/* Appends a name as one step of a path: "/" and "%" become %2F and %25. */
void oc_text_add_path_step(oc_text *text, const char *name);

/* Appends the name that a step of a path stands for, which is not ended by '\0'. */
void oc_text_add_step_name(oc_text *text, const char *step, size_t length);

/* --- Numbers as bytes: variable-length integers, least significant group first, with every read
 * checked */

/* Appends to a text, whose bytes are then no string. */
void oc_bytes_add_unsigned(oc_text *bytes, uint64_t number);
void oc_bytes_add_signed(oc_text *bytes, int64_t number);
void oc_bytes_add_double(oc_text *bytes, double number);

/* Writes a number in decimal digits, ended by '\0', to a text of OC_WHOLE_SIZE; gives how many they
 * are. */
enum { OC_WHOLE_SIZE = 24 };
size_t oc_print_unsigned(char *text, uint64_t number);
size_t oc_print_signed(char *text, int64_t number);

/* Appends a number of a fixed size, the lowest byte first. */
void oc_bytes_add_word(oc_text *bytes, uint64_t number, size_t size);

/* Reads a block of bytes from its begin. A read beyond the end, or of an impossible number, sets
 * `failed`, and all later reads give 0: check it once at the end. */
typedef struct oc_bytes_reader {
    const unsigned char *next;
    const unsigned char *end;
    bool failed;
} oc_bytes_reader;

static inline oc_bytes_reader oc_bytes_read(const void *bytes, size_t length)
{
    const unsigned char *first = (const unsigned char *)bytes;
    return (oc_bytes_reader){first, first != NULL ? first + length : NULL, false};
}

uint64_t oc_bytes_unsigned_long(oc_bytes_reader *reader);

static inline uint64_t oc_bytes_unsigned(oc_bytes_reader *reader)
{
    return reader->next != reader->end && *reader->next < 0x80 ? *reader->next++
                                                               : oc_bytes_unsigned_long(reader);
}

int64_t oc_bytes_signed(oc_bytes_reader *reader);
double oc_bytes_double(oc_bytes_reader *reader);

/* An unsigned number that counts following items of at least a byte each: at most the bytes
 * left. */
size_t oc_bytes_count(oc_bytes_reader *reader);

/* An unsigned number that fits 32 bits. */
uint32_t oc_bytes_index(oc_bytes_reader *reader);

/* The next `length` bytes, NULL (and failed) where they are not there. */
const char *oc_bytes_block(oc_bytes_reader *reader, size_t length);

/* What oc_text_is_number says, quickly for what is plain decimal. */
bool oc_bytes_are_number(double *number, const char *text, size_t length);

/* a + b, a * b for times; false where the result does not fit. */
static inline bool oc_add_times(int64_t *sum, int64_t a, int64_t b)
{
    return !__builtin_add_overflow(a, b, sum);
}

static inline bool oc_multiply_time(int64_t *product, int64_t time, uint64_t factor)
{
    return factor <= INT64_MAX && !__builtin_mul_overflow(time, (int64_t)factor, product);
}

#endif
