/* Text from a trace, a file or a command line, as people may see it. A terminal obeys some
 * characters and hides others, and a name may hold any of them: whatever prints a text to people
 * goes through here. */
#ifndef CLI_VISIBLE_H
#define CLI_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* How many bytes the UTF-8 character at `text` has, of at most `available`; 0 where there is none.
 * A text that ends in a zero byte may be said to have any number. */
size_t cli_utf8_length(const char *text, size_t available);

/* The number of a valid character of so many bytes. */
uint32_t cli_code_point(const char *character, size_t length);

/* Whether a character has no shape of its own but changes what is around it: a control character, a
 * mark of direction, a separator of lines, one without width. */
bool cli_is_hidden(uint32_t code);

/* Whether a text holds a hidden character, or a byte that is no character. O(length). */
bool cli_has_hidden(const char *text, size_t length);

/* Writes a text in which what is hidden is named instead: \n, \t, \x1b for a control character or a
 * byte that is no character, \u202e for the others. What it writes has one line. O(length). */
void cli_write_visible(FILE *file, const char *text);
void cli_write_visible_bytes(FILE *file, const char *text, size_t length);

/* Columns of a terminal that the same takes. O(length). */
size_t cli_visible_width(const char *text);

/* Writes the same, and blanks behind it until it takes so many columns. */
void cli_write_column(FILE *file, const char *text, size_t width);

/* Whether a TRACE is standard input: "-". */
bool cli_is_standard_input(const char *path);

/* A TRACE as messages and captions call it. */
const char *cli_name_of(const char *path);

#endif
