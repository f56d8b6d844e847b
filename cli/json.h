/* JSON by hand: a stream, strings that are escaped, numbers with all their digits. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "command.h"

void cli_json_string(FILE *file, const char *text);
void cli_json_number(FILE *file, double number);

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

#endif
