/* Text for standard output or a file, and what can be said of an output before the work is done. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "command.h"

/* Text that goes to standard output, or replaces a file when it is complete. Zero-initialised it is not open. */
typedef struct cli_output {
    FILE *stream;
    char *bytes;
    size_t length;
} cli_output;

/* Opens a stream to write to; false after a message. */
bool cli_output_open(cli_output *output);

/* Ends it: the text goes to `path`, or to standard output for NULL. Gives an exit code. */
int cli_output_close(cli_output *output, const char *path);

/* Whether the name ends in a suffix (".json"), in capitals or not. */
bool cli_ends_in(const char *path, const char *suffix);

/* Whether the name is one of a picture. */
bool cli_is_picture(const char *path);

/* Refuses to write over the TRACE that is read. Gives an exit code. */
int cli_check_not_input(const char *path, const char *trace);

/* Refuses early, before long work, what could not be written after it, or should not: a folder, a file in a folder that
 * is not there, the TRACE itself. Gives an exit code. */
int cli_check_output(const char *path, const char *trace);

/* The same for a command that writes text, and no pictures. */
int cli_check_text_output(const char *path, const char *trace, const char *command);

#endif
