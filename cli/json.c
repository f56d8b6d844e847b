#include "json.h"

#include "visible.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void cli_json_string(FILE *file, const char *text)
{
    fputc('"', file);
    while (*text != '\0') {
        const size_t length = cli_utf8_length(text, SIZE_MAX);
        const uint32_t code = length > 0 ? cli_code_point(text, length) : 0;
        if (length == 0)
            fputs("\xEF\xBF\xBD", file);
        else if (code == '"' || code == '\\')
            fprintf(file, "\\%c", *text);
        else if (code > 0xFFFF && cli_is_hidden(code))
            fprintf(file, "\\u%04x\\u%04x", 0xD7C0u + (code >> 10), 0xDC00u + (code & 0x3FF));
        else if (cli_is_hidden(code))
            fprintf(file, "\\u%04x", (unsigned)code);
        else
            fwrite(text, 1, length, file);
        text += length > 0 ? length : 1;
    }
    fputc('"', file);
}

cli_digits_text cli_digits(double number)
{
    cli_digits_text digits;
    for (int precision = 6; precision <= 17; precision++) {
        snprintf(digits.text, sizeof digits.text, "%.*g", precision, number);
        if (strtod(digits.text, NULL) == number)
            break;
    }
    return digits;
}

void cli_json_number(FILE *file, double number)
{
    fputs(isfinite(number) ? cli_digits(number).text : "null", file);
}

void cli_json_text_of(FILE *file, const char *key, const char *text)
{
    fprintf(file, "\"%s\":", key);
    cli_json_string(file, text);
    fputc(',', file);
}

void cli_json_number_of(FILE *file, const char *key, double number)
{
    fprintf(file, "\"%s\":", key);
    cli_json_number(file, number);
    fputc(',', file);
}
