/* What the argument of one option says. */
#ifndef CLI_ARGUMENT_H
#define CLI_ARGUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Read a whole argument; false after a message. */
bool cli_read_number(double *number, const char *text, const char *option, const char *command);
bool cli_read_count(uint32_t *count, const char *text, const char *option, const char *command);

/* The place of a word among those that an option takes, -1 after a message. */
int cli_read_word(const char *text, const char *const *words, int count, const char *option,
                  const char *command);

/* Names that an option was given, one each time. */
enum { CLI_MOST_NAMES = 256 };

typedef struct cli_names {
    const char *names[CLI_MOST_NAMES];
    size_t count;
} cli_names;

/* Adds the argument of an option to its names. Gives an exit code. */
int cli_add_name(cli_names *names, const char *option, const char *command);

#endif
