/* A string that grows, and what names need. */
#ifndef OC_BASE_TEXT_H
#define OC_BASE_TEXT_H

#include "base/status.h"

#include <stdarg.h>

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
void oc_text_clear(oc_text *text);
void oc_text_free(oc_text *text);

/* Appends text with each byte that does not belong to valid UTF-8 replaced by U+FFFD. */
void oc_text_add_utf8(oc_text *text, const char *bytes, size_t length);

/* Copies a name as valid UTF-8 into *copy (freed by free). */
ocelotl_status oc_copy_utf8(char **copy, const char *name);

/* Length of the valid UTF-8 sequence at `bytes` (1..4), 0 where it is not valid. */
size_t oc_utf8_length(const char *bytes, size_t available);

/* The number of a valid character of so many bytes. */
uint32_t oc_code_point(const char *bytes, size_t length);

/* Whether a character has no shape of its own but changes what is around it: a control character, a
 * mark of direction, a separator of lines, one without width. */
bool oc_is_hidden(uint32_t code);

/* Longer texts are no numbers. */
#define OC_LONGEST_NUMBER 64

/* Reads a text as a number: true where all of it is one, and finite. */
bool oc_text_is_number(double *number, const char *text, size_t length);

/* Appends a name as one step of a path: "/" and "%" become %2F and %25. */
void oc_text_add_path_step(oc_text *text, const char *name);

#endif
