/* JSON by hand: strings that are escaped, numbers with all their digits. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "messages.h"

#include <ocelotl/ocelotl.h>

typedef struct cli_digits_text {
    char text[40];
} cli_digits_text;

/* The fewest digits that give the number back. */
cli_digits_text cli_digits(double number);

/* What is not UTF-8 becomes U+FFFD; what a terminal would obey or hide (visible.h) is written as
 * its number. */
void cli_json_string(FILE *file, const char *text);
/* What JSON has no number for becomes null. */
void cli_json_number(FILE *file, double number);
/* The same of a key, with the comma behind. */
void cli_json_text_of(FILE *file, const char *key, const char *text);
void cli_json_number_of(FILE *file, const char *key, double number);

#endif
