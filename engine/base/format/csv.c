#include "base/format/csv.h"

#include "base/file/input.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_SIZE = 1 << 16, LONGEST_RECORD = 1 << 20, END = -1 };

struct oc_csv {
    oc_input *input;
    uint64_t line;        /* of the next byte */
    uint64_t record_line; /* where the record begins */
    oc_text text;         /* the fields of the record, each ended by '\0' */
    size_t *fields;       /* where each begins in text */
    size_t field_count;
    size_t field_capacity;
    bool is_open;         /* the record has no end of line */
    size_t first, length; /* bytes not yet looked at */
    char buffer[BUFFER_SIZE];
};

static ocelotl_status fail_here(const oc_csv *csv, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s:%" PRIu64 ": %s", oc_csv_name(csv), csv->line, what);
}

/* The next byte, without taking it, or END. */
static ocelotl_status peek(oc_csv *csv, int *byte)
{
    if (csv->length == 0) {
        csv->first = 0;
        OC_TRY(oc_input_read(csv->input, csv->buffer, sizeof csv->buffer, &csv->length));
    }
    *byte = csv->length > 0 ? (unsigned char)csv->buffer[csv->first] : END;
    return OCELOTL_OK;
}

static void take(oc_csv *csv, size_t length)
{
    csv->first += length;
    csv->length -= length;
}

static ocelotl_status keep(oc_csv *csv, const char *bytes, size_t length)
{
    oc_text_append(&csv->text, bytes, length);
    if (csv->text.failed)
        return oc_fail_memory();
    if (csv->text.length > LONGEST_RECORD)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s:%" PRIu64 ": a record of more than 1 MiB, expected a shorter one",
                       oc_csv_name(csv), csv->record_line);
    return OCELOTL_OK;
}

/* Keeps what stands for itself; in quotes commas and line ends do, too. */
static ocelotl_status keep_run(oc_csv *csv, bool quoted)
{
    const char *bytes = csv->buffer + csv->first;
    size_t run = 0;
    for (; run < csv->length && bytes[run] != '"' && bytes[run] != '\0' &&
           (quoted || (bytes[run] != ',' && bytes[run] != '\n' && bytes[run] != '\r'));
         run++)
        csv->line += bytes[run] == '\n';
    const ocelotl_status status = keep(csv, bytes, run);
    take(csv, run);
    return status;
}

/* Takes a carriage return if it belongs to a line's end; *byte is what follows then, '\r'
 * otherwise. */
static ocelotl_status pass_line_end(oc_csv *csv, int *byte)
{
    take(csv, 1);
    OC_TRY(peek(csv, byte));
    if (*byte != '\n' && *byte != END)
        *byte = '\r';
    return OCELOTL_OK;
}

static ocelotl_status read_plain_field(oc_csv *csv)
{
    for (;;) {
        int byte;
        OC_TRY(keep_run(csv, false));
        OC_TRY(peek(csv, &byte));
        if (byte == '"')
            return fail_here(csv, "a quote inside a field, expected the whole field in quotes");
        if (byte == '\0')
            return fail_here(csv, "a NUL byte, expected text");
        if (byte == '\r') {
            OC_TRY(pass_line_end(csv, &byte));
            if (byte == '\r')
                OC_TRY(keep(csv, "\r", 1));
        }
        if (byte == END || byte == ',' || byte == '\n')
            return OCELOTL_OK;
    }
}

static ocelotl_status read_quoted_field(oc_csv *csv)
{
    int byte;
    take(csv, 1);
    for (;;) {
        OC_TRY(keep_run(csv, true));
        OC_TRY(peek(csv, &byte));
        if (byte == END)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s:%" PRIu64 ": a field in quotes does not end, expected a quote",
                           oc_csv_name(csv), csv->record_line);
        if (byte == '\0')
            return fail_here(csv, "a NUL byte, expected text");
        if (byte != '"')
            continue; /* only the buffer ended */
        take(csv, 1);
        OC_TRY(peek(csv, &byte));
        if (byte != '"')
            break;
        take(csv, 1);
        OC_TRY(keep(csv, "\"", 1));
    }
    if (byte == '\r')
        OC_TRY(pass_line_end(csv, &byte));
    if (byte != END && byte != ',' && byte != '\n')
        return fail_here(csv, "text behind a closing quote, expected a comma or the line's end");
    return OCELOTL_OK;
}

/* Reads one field and what separates it from the next; *last where the record ends with it. */
static ocelotl_status read_field(oc_csv *csv, bool *quoted, bool *last)
{
    int byte;
    OC_TRY(oc_grow(&csv->fields, &csv->field_capacity, csv->field_count + 1, sizeof *csv->fields));
    csv->fields[csv->field_count++] = csv->text.length;
    OC_TRY(peek(csv, &byte));
    *quoted = byte == '"';
    OC_TRY(*quoted ? read_quoted_field(csv) : read_plain_field(csv));
    OC_TRY(keep(csv, "", 1));
    OC_TRY(peek(csv, &byte));
    *last = byte != ',';
    csv->is_open = byte == END;
    if (byte != END)
        take(csv, 1);
    csv->line += byte == '\n';
    return OCELOTL_OK;
}

ocelotl_status oc_csv_next(oc_csv *csv, bool *found)
{
    for (;;) {
        int byte;
        bool quoted = false;
        bool last = false;
        OC_TRY(peek(csv, &byte));
        *found = byte != END;
        if (!*found)
            return OCELOTL_OK;
        csv->record_line = csv->line;
        csv->field_count = 0;
        oc_text_clear(&csv->text);
        while (!last)
            OC_TRY(read_field(csv, &quoted, &last));
        const bool empty = csv->field_count == 1 && !quoted && oc_csv_field(csv, 0)[0] == '\0';
        if (!empty)
            return OCELOTL_OK;
    }
}

static ocelotl_status pass_byte_order_mark(oc_csv *csv)
{
    size_t got = 1;
    while (csv->length < 3 && got > 0) {
        OC_TRY(oc_input_read(csv->input, csv->buffer + csv->length, 3 - csv->length, &got));
        csv->length += got;
    }
    take(csv, oc_text_mark(csv->buffer, csv->length));
    return OCELOTL_OK;
}

ocelotl_status oc_csv_open(oc_csv **csv, const char *path)
{
    oc_csv *opened;
    OC_TRY(oc_allocate(&opened, 1, sizeof *opened));
    opened->line = 1;
    ocelotl_status status = oc_input_open(&opened->input, path);
    if (status == OCELOTL_OK)
        status = pass_byte_order_mark(opened);
    if (status != OCELOTL_OK)
        oc_csv_free(opened);
    else
        *csv = opened;
    return status;
}

void oc_csv_free(oc_csv *csv)
{
    if (csv == NULL)
        return;
    oc_input_free(csv->input);
    oc_text_free(&csv->text);
    free(csv->fields);
    free(csv);
}

size_t oc_csv_field_count(const oc_csv *csv)
{
    return csv->field_count;
}

const char *oc_csv_field(const oc_csv *csv, size_t field)
{
    return csv->text.bytes + csv->fields[field];
}

uint64_t oc_csv_line(const oc_csv *csv)
{
    return csv->record_line;
}

bool oc_csv_is_open(const oc_csv *csv)
{
    return csv->is_open;
}

const char *oc_csv_name(const oc_csv *csv)
{
    return oc_input_name(csv->input);
}

/* --- Writing */

oc_text *oc_csv_cell(oc_csv_table *table)
{
    oc_output_flow(&table->out);
    if (table->follows)
        oc_text_append(&table->out.text, ",", 1);
    table->follows = true;
    return &table->out.text;
}

void oc_csv_row(oc_csv_table *table, const char *row)
{
    oc_text_add(oc_csv_cell(table), row);
    oc_csv_end_row(table);
}

static bool needs_quotes(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] == '"' || text[i] == ',' || text[i] == '\r' || text[i] == '\n')
            return true;
    return false;
}

void oc_csv_bytes(oc_csv_table *table, const char *text, size_t length)
{
    oc_text *out = oc_csv_cell(table);
    if (!needs_quotes(text, length)) {
        oc_text_append(out, text, length);
        return;
    }
    oc_text_append(out, "\"", 1);
    for (size_t from = 0; from < length;) {
        const char *quote = memchr(text + from, '"', length - from);
        const size_t end = quote != NULL ? (size_t)(quote - text) + 1 : length;
        oc_text_append(out, text + from, end - from);
        if (quote != NULL)
            oc_text_append(out, "\"", 1);
        from = end;
    }
    oc_text_append(out, "\"", 1);
}

void oc_csv_text(oc_csv_table *table, const char *text)
{
    oc_csv_bytes(table, text, strlen(text));
}

void oc_csv_number(oc_csv_table *table, double number)
{
    oc_text *out = oc_csv_cell(table);
    if (!isnan(number))
        oc_text_add(out, oc_digits(number).text);
}

void oc_csv_count(oc_csv_table *table, uint64_t count)
{
    oc_text_format(oc_csv_cell(table), "%" PRIu64, count);
}

void oc_csv_empty(oc_csv_table *table)
{
    oc_csv_cell(table);
}

void oc_csv_end_row(oc_csv_table *table)
{
    oc_text_append(&table->out.text, "\n", 1);
    table->follows = false;
}

ocelotl_status oc_csv_finish(oc_csv_table *table, ocelotl_status status)
{
    return oc_output_end(&table->out, status);
}
