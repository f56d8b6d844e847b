#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* RFC 3629. */
size_t cli_utf8_length(const char *string)
{
    const unsigned char *text = (const unsigned char *)string;
    const unsigned char first = text[0];
    if (first < 0x80)
        return 1;
    const size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    /* Forms longer than they need to be, surrogates, and what is beyond Unicode. */
    const bool wrong = (first == 0xE0 && text[1] < 0xA0) || (first == 0xED && text[1] > 0x9F) ||
                       (first == 0xF0 && text[1] < 0x90) || (first == 0xF4 && text[1] > 0x8F);
    return wrong ? 0 : length;
}

void cli_json_string(FILE *file, const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    fputc('"', file);
    while (*bytes != '\0') {
        const size_t length = cli_utf8_length((const char *)bytes);
        if (length == 0)
            fputs("\xEF\xBF\xBD", file);
        else if (*bytes == '"' || *bytes == '\\')
            fprintf(file, "\\%c", *bytes);
        else if (*bytes < 0x20 || *bytes == 0x7F)
            fprintf(file, "\\u%04x", *bytes);
        else
            fwrite(bytes, 1, length, file);
        bytes += length > 0 ? length : 1;
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
