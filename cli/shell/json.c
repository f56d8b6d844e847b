#include "json.h"

#include "output.h"

#include <math.h>
#include <stdlib.h>

/* A stream that cannot be written says so itself, at its end. */
void cli_json_string(FILE *file, const char *text)
{
    const ocelotl_sink sink = ocelotl_stream_sink(file);
    if (ocelotl_json_write_text(&sink, text) != OCELOTL_OK && ferror(file) == 0)
        cli_output_lacks(cli_memory());
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
