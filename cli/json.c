#define _GNU_SOURCE
#include "json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void cli_json_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++) {
        const unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\')
            fprintf(file, "\\%c", byte);
        else if (byte < 0x20 || byte == 0x7F)
            fprintf(file, "\\u%04x", byte);
        else
            fputc(byte, file);
    }
    fputc('"', file);
}

void cli_json_number(FILE *file, double number)
{
    char digits[40];
    /* The fewest digits that give the number back. */
    for (int precision = 6; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        if (strtod(digits, NULL) == number)
            break;
    }
    fputs(digits, file);
}

bool cli_output_open(cli_output *output)
{
    output->stream = open_memstream(&output->bytes, &output->length);
    if (output->stream == NULL)
        cli_wrong("out of memory");
    return output->stream != NULL;
}

static int replace_file(const char *path, const char *bytes, size_t length)
{
    char *temporary = NULL;
    if (asprintf(&temporary, "%s.partial-XXXXXX", path) < 0)
        return cli_wrong("out of memory");
    const int descriptor = mkstemp(temporary);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    bool good = file != NULL && fwrite(bytes, 1, length, file) == length && fchmod(descriptor, 0644) == 0;
    if (file != NULL && fclose(file) != 0)
        good = false;
    good = good && rename(temporary, path) == 0;
    const int code = good ? CLI_DONE : cli_wrong("%s: cannot write: %s", path, strerror(errno));
    if (!good && descriptor >= 0)
        unlink(temporary);
    free(temporary);
    return code;
}

int cli_output_close(cli_output *output, const char *path)
{
    int code = CLI_DONE;
    if (output->stream == NULL)
        return CLI_INTERNAL;
    const bool complete = fclose(output->stream) == 0;
    if (!complete)
        code = cli_wrong("out of memory");
    else if (path != NULL)
        code = replace_file(path, output->bytes, output->length);
    else if (fwrite(output->bytes, 1, output->length, stdout) != output->length || fflush(stdout) != 0)
        code = cli_wrong("standard output: cannot write: %s", strerror(errno));
    free(output->bytes);
    *output = (cli_output){0};
    return code;
}
