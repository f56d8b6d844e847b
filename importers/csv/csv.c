/* The importer of tables of text. Which are read is described in docs/formats/csv.md. */
#include "base/memory.h"
#include "importers/common/clock.h"
#include "importers/csv/pjdump.h"
#include "importers/csv/table.h"
#include "importers/ingest/align.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What the first row of a file says of it. */
typedef enum form { FORM_PJDUMP, FORM_TABLE, FORM_JSON, FORM_UNKNOWN } form;

/* Whether a first row is one of pj_dump: cutting it takes quotes off, so a copy is cut. */
static ocelotl_status is_pjdump(bool *is, const char *text, size_t length)
{
    csv_rows rows = {
        .separator = ',', .is_trimmed = true, .has_quotes = text[0] == '"', .may_quote = true};
    char *copy = NULL;
    OC_TRY(oc_allocate(&copy, length, 1));
    memcpy(copy, text, length);
    *is = csv_rows_cut(&rows, copy, length) == OCELOTL_OK && csv_pjdump_is_row(&rows);
    csv_rows_free(&rows);
    free(copy);
    return OCELOTL_OK;
}

/* Cuts the first row of a file as what it is; the others are cut as it is. */
static ocelotl_status look(form *found, csv_rows *rows, char *text, size_t length,
                           csv_wanted *wanted)
{
    bool is = false;
    if (csv_table_is_json(text, length)) {
        *found = FORM_JSON;
        return csv_rows_cut(rows, text, length);
    }
    if (!wanted->is_given)
        OC_TRY(is_pjdump(&is, text, length));
    *found = is ? FORM_PJDUMP : FORM_TABLE;
    rows->has_quotes = !is || text[0] == '"';
    rows->may_quote = is;
    rows->separator = (char)(is ? ',' : csv_columns_separator(text, length, wanted));
    const char *first = length > 0 ? memchr(text, rows->separator, length - 1) : NULL;
    rows->is_trimmed = is || (first != NULL && first[1] == ' ');
    return csv_rows_cut(rows, text, length);
}

/* --- Recognising */

static const char *next_line(size_t *length, const char *text, size_t size)
{
    const char *end = text + size;
    text += oc_text_mark(text, size);
    while (text < end && (*text == '\n' || *text == '\r'))
        text++;
    const char *line_end = text < end ? memchr(text, '\n', (size_t)(end - text)) : NULL;
    *length = (size_t)((line_end != NULL ? line_end : end) - text);
    while (*length > 0 && text[*length - 1] == '\r')
        --*length;
    return text;
}

/* The first line of a text, without a byte order mark or a line end; empty lines are skipped. */
static const char *first_line(size_t *length, const char *text, size_t size)
{
    const char *end = text + size;
    const char *line = next_line(length, text, size);
    while (*length > 0 && csv_is_preamble(line, *length))
        line = next_line(length, line + *length, (size_t)(end - line) - *length);
    return line;
}

/* A header of some words that are known is one of a table, if it is not that of a matrix. */
static int judge_table(const csv_rows *rows)
{
    csv_columns columns = {0};
    csv_wanted nothing = {0};
    const ocelotl_status status = csv_columns_read(&columns, rows, &nothing);
    int sure = oc_no_or_no_memory(status);
    if (status == OCELOTL_OK)
        sure = columns.is_export               ? OC_SURE
               : csv_columns_suffice(&columns) ? OC_SURE / 2
               : csv_columns_mean(&columns)    ? OC_ALMOST
                                               : OC_NO;
    oc_arena_free(&columns.arena);
    return sure;
}

static int judge(char *line, size_t length)
{
    csv_rows rows = {0};
    csv_wanted nothing = {0};
    form found = FORM_UNKNOWN;
    const ocelotl_status status = look(&found, &rows, line, length, &nothing);
    int sure = oc_no_or_no_memory(status);
    if (status == OCELOTL_OK)
        sure = found != FORM_TABLE ? OC_SURE : judge_table(&rows);
    csv_rows_free(&rows);
    return sure;
}

static int recognises(const oc_source *source)
{
    size_t length;
    const char *line = first_line(&length, source->head.bytes, source->head.length);
    if (length == 0 || memchr(line, '\0', length) != NULL)
        return OC_NO;
    char *copy = malloc(length);
    if (copy == NULL)
        return OC_NO_MEMORY;
    memcpy(copy, line, length);
    const int sure = judge(copy, length);
    free(copy);
    return sure;
}

/* --- Reading */

/* Checks for a loss; what was read before it counts. */
static ocelotl_status check_loss(csv_sheet *sheet, const csv_rows *rows)
{
    const char *loss = oc_input_loss(rows->input);
    if (rows->is_open)
        oc_oddities_note(&sheet->ingest.oddities, OC_LAST_LINE_OPEN, rows->path, rows->lines);
    if (loss == NULL)
        return OCELOTL_OK;
    oc_fail(OCELOTL_ERROR_INPUT, "%s:%" PRIu64 ": %s", rows->path, rows->lines + 1, loss);
    return sheet->ingest.oddities.lenient ? oc_oddities_lose_rest(&sheet->ingest.oddities, "trace")
                                          : OCELOTL_ERROR_INPUT;
}

/* A file that is read. */
typedef struct reading {
    csv_sheet *sheet;
    csv_rows rows;
    form form;
    csv_pjdump dump;
    csv_table table;
} reading;

/* The first row says what the file is; an error of a header is one of the file. */
static ocelotl_status take_first(reading *of)
{
    csv_rows *rows = &of->rows;
    char *text = rows->buffer + rows->row;
    bool is_data = false;
    OC_TRY(look(&of->form, rows, text, rows->row_length, of->table.wanted));
    if (of->form == FORM_PJDUMP) {
        of->sheet->wants_declared = true;
        return csv_pjdump_take(&of->dump, rows);
    }
    if (of->form == FORM_JSON) {
        OC_TRY(csv_table_begin_json(&of->table));
        return csv_table_take_json(&of->table, rows->fields[0]);
    }
    OC_TRY(csv_table_begin(&is_data, &of->table, rows));
    return is_data ? csv_table_take(&of->table, rows) : OCELOTL_OK;
}

static ocelotl_status take_row(reading *of)
{
    if (of->form == FORM_PJDUMP)
        return csv_pjdump_take(&of->dump, &of->rows);
    if (of->form == FORM_JSON)
        return csv_table_take_json(&of->table, of->rows.fields[0]);
    return csv_table_take(&of->table, &of->rows);
}

static ocelotl_status read_row(bool *found, reading *of)
{
    csv_rows *rows = &of->rows;
    oc_ingest *ingest = &of->sheet->ingest;
    const bool is_first = of->form == FORM_UNKNOWN;
    ocelotl_status status = csv_rows_next(found, rows);
    if (status == OCELOTL_ERROR_INPUT && oc_input_loss(rows->input) != NULL)
        return check_loss(of->sheet, rows);
    ingest->line = rows->line;
    if (status == OCELOTL_OK && *found)
        status = is_first ? take_first(of) : take_row(of);
    if (status == OCELOTL_OK)
        return OCELOTL_OK;
    *found = true;
    if (is_first && of->form == FORM_TABLE && status == OCELOTL_ERROR_INPUT) {
        *found = false; /* no row means anything: the whole file is left out */
        (void)oc_fail_within(status, "%s:%" PRIu64, rows->path, rows->line);
        return ingest->oddities.lenient && ingest->import->source_count > 1
                   ? oc_oddities_lose_rest(&ingest->oddities, "file")
                   : status;
    }
    return oc_oddities_skip(&ingest->oddities, status, rows->path, rows->line);
}

static ocelotl_status read_rows(reading *of)
{
    enum { BETWEEN_REPORTS = 4096 };
    bool found = true;
    for (uint64_t count = 0; found; count++) {
        if (count % BETWEEN_REPORTS == 0)
            OC_TRY(oc_ingest_report(&of->sheet->ingest, of->rows.input));
        OC_TRY(read_row(&found, of));
    }
    return check_loss(of->sheet, &of->rows);
}

static ocelotl_status read_file(csv_sheet *sheet, const oc_source *source, csv_wanted *wanted)
{
    reading of = {.sheet = sheet,
                  .rows = {.input = source->input,
                           .path = source->path,
                           .has_header = wanted->is_given && !wanted->has_header},
                  .form = FORM_UNKNOWN,
                  .dump = {.sheet = sheet},
                  .table = {.sheet = sheet, .wanted = wanted}};
    sheet->ingest.path = source->path;
    const ocelotl_status status = read_rows(&of);
    sheet->ingest.done += oc_input_position(source->input);
    csv_pjdump_free(&of.dump);
    csv_table_free(&of.table);
    csv_rows_free(&of.rows);
    return status;
}

/* --- Several files: which have names of their own */

/* What is known of a file: its first time is in ticks of 10^-digits of the unit. */
typedef struct begin {
    bool is_apart;
    int64_t time;
    uint32_t digits;
} begin;

/* As much of a file as is looked at before it is read. */
enum { PEEKED = 4096 };

typedef enum part { NO_DUMP, PART_OF_DUMP, WHOLE_DUMP } part;

/* Whether the first field of a line of pj_dump is a word. */
static bool begins(const char *line, size_t length, const char *word)
{
    const size_t quote = length > 0 && line[0] == '"';
    const size_t size = strlen(word);
    return length > quote + size && memcmp(line + quote, word, size) == 0 &&
           strchr(",\"", line[quote + size]) != NULL;
}

/* Judges a file by its first line, or the one behind a header. */
static part judge_part(const char *text, size_t size)
{
    static const char *const words[] = {"State", "Variable", "Event", "Link"};
    size_t length;
    const char *line = first_line(&length, text, size);
    const bool has_header = begins(line, length, "Nature");
    if (has_header) {
        const size_t used = (size_t)(line - text) + length;
        line = first_line(&length, text + used, size - used);
    }
    if (begins(line, length, "Container") || begins(line, length, "Parent"))
        return WHOLE_DUMP;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (begins(line, length, words[i]))
            return PART_OF_DUMP;
    return has_header ? PART_OF_DUMP : NO_DUMP;
}

static ocelotl_status peek(part *found, const oc_source *source)
{
    char text[PEEKED];
    size_t size = 0;
    size_t step = 1;
    while (size < PEEKED && step > 0) {
        OC_TRY(oc_input_read(source->input, text + size, PEEKED - size, &step));
        size += step;
    }
    *found = judge_part(text, size);
    return oc_input_unread(source->input, text, size);
}

/* Decides for each source whether it is apart from the others, with a clock of its own and, unless
 * they are merged, a node. Several files are apart; but if only one file of pj_dump begins with
 * containers, all are parts of one dump. */
static ocelotl_status choose_apart(begin *files, const oc_import *import)
{
    size_t whole = 0;
    if (import->source_count < 2)
        return OCELOTL_OK;
    for (size_t i = 0; i < import->source_count; i++) {
        part found = NO_DUMP;
        OC_TRY(peek(&found, &import->sources[i]));
        whole += found == WHOLE_DUMP;
        files[i].is_apart = found == NO_DUMP;
    }
    for (size_t i = 0; i < import->source_count && whole > 1; i++)
        files[i].is_apart = true;
    return OCELOTL_OK;
}

/* The names in a file with a node mean what is below that alone. */
static ocelotl_status enter_file(csv_sheet *sheet, size_t file, bool has_node)
{
    sheet->scope = 0;
    sheet->top = OCELOTL_NONE;
    if (!has_node)
        return OCELOTL_OK;
    uint32_t node;
    const char *name = sheet->ingest.import->nodes[file];
    const csv_field key = {name, strlen(name)};
    sheet->scope = UINT32_MAX; /* of nodes */
    OC_TRY(csv_sheet_add_resource(&node, sheet, key, key, OCELOTL_NONE));
    sheet->resources[node].is_declared = true;
    sheet->scope = (uint32_t)file + 1;
    sheet->top = node;
    return csv_sheet_resource_type(&sheet->resources[node].type, sheet, (csv_field){"File", 4});
}

/* --- Files that begin at once (--align begin): rows come in any order, so each is read twice */

static ocelotl_status look_at_file(csv_sheet *sheet, const oc_source *given, csv_wanted *wanted)
{
    oc_source source = {0};
    if (!given->is_regular || given->is_standard)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: can be read once, and --align begin reads tables twice, expected files",
                       given->path);
    sheet->has_bounds = false;
    sheet->begin = 0;
    ocelotl_status status =
        oc_source_open_unseen(&source, given->path, sheet->ingest.import->options);
    if (status == OCELOTL_OK)
        status = read_file(sheet, &source, wanted);
    oc_source_close(&source);
    return status;
}

/* The sheet then has the ticks that all files need. */
static ocelotl_status find_begins(begin *files, csv_sheet *sheet, csv_wanted *wanted)
{
    const oc_import *import = sheet->ingest.import;
    csv_sheet looking = {.has_unit = sheet->has_unit, .is_looking = true};
    ocelotl_status status = csv_sheet_open(&looking, import, oc_csv_importer.format.name);
    looking.ingest.unit_digits = sheet->ingest.unit_digits;
    for (size_t i = 0; status == OCELOTL_OK && i < import->source_count; i++) {
        status = look_at_file(&looking, &import->sources[i], wanted);
        files[i].time = looking.begin;
        files[i].digits = looking.ingest.digits;
    }
    for (size_t i = 0; status == OCELOTL_OK && i < import->source_count; i++)
        if (!oc_multiply_time(&files[i].time, files[i].time,
                              oc_power_of_ten(looking.ingest.digits - files[i].digits)))
            status = oc_fail(OCELOTL_ERROR_LIMIT, "a time is too large for the finest one");
    bool fits;
    if (status == OCELOTL_OK && looking.ingest.digits > 0)
        status = oc_ingest_refine(&fits, &sheet->ingest, looking.ingest.digits);
    csv_sheet_free(&looking);
    return status;
}

static ocelotl_status read_files(csv_sheet *sheet, csv_wanted *wanted, begin *files)
{
    oc_ingest *ingest = &sheet->ingest;
    const oc_import *import = ingest->import;
    const bool at_once = import->options->align == OCELOTL_ALIGN_BEGIN && import->source_count > 1;
    OC_TRY(choose_apart(files, import));
    if (at_once)
        OC_TRY(find_begins(files, sheet, wanted));
    for (size_t i = 0; i < import->source_count; i++) {
        const oc_source *source = &import->sources[i];
        sheet->shift = 0;
        if (at_once && files[i].is_apart &&
            __builtin_sub_overflow(files[0].time, files[i].time, &sheet->shift))
            return oc_fail(OCELOTL_ERROR_LIMIT, "%s: is too far from %s to begin with it",
                           source->path, import->sources[0].path);
        OC_TRY(enter_file(sheet, i, files[i].is_apart && !import->options->same_root));
        OC_TRY(read_file(sheet, source, wanted));
        if (import->source_count > 1)
            OC_TRY(oc_align_tell(ingest->writer, import->nodes[i],
                                 files[i].is_apart ? import->options->align : OCELOTL_ALIGN_NONE,
                                 sheet->shift,
                                 (double)oc_power_of_ten(ingest->digits) *
                                     (double)oc_power_of_ten(ingest->unit_digits)));
        if (import->notes_files)
            OC_TRY(oc_source_note(source, ingest->writer));
    }
    return sheet->records > 0
               ? csv_sheet_write(sheet)
               : oc_oddities_fail_empty(
                     &ingest->oddities, import->sources[0].path,
                     "holds no event, expected rows behind a header, or lines of pj_dump");
}

static ocelotl_status import_csv(const oc_import *import)
{
    csv_sheet *sheet = NULL;
    begin *files = NULL;
    csv_wanted wanted = {0};
    uint32_t unit;
    OC_TRY(oc_time_unit_digits(&unit, import->options->time_unit));
    OC_TRY(oc_allocate(&sheet, 1, sizeof *sheet));
    ocelotl_status status = oc_allocate(&files, import->source_count, sizeof *files);
    if (status == OCELOTL_OK)
        status = csv_wanted_read(&wanted, import->options->columns);
    if (status == OCELOTL_OK)
        status = csv_sheet_open(sheet, import, oc_csv_importer.format.name);
    sheet->has_unit = import->options->time_unit != NULL;
    sheet->ingest.unit_digits = unit;
    if (status == OCELOTL_OK)
        status = read_files(sheet, &wanted, files);
    csv_sheet_free(sheet);
    oc_arena_free(&wanted.arena);
    free(files);
    free(sheet);
    return status;
}

const oc_importer oc_csv_importer = {
    .format = {.name = "csv",
               .description =
                   "Tables of text: what export writes, lines of pj_dump, and others whose "
                   "header is known (.csv, plain or compressed)",
               .suffixes = (const char *const[]){".csv", ".pjdump", NULL}},
    .takes_several = true,
    .takes = OC_TAKES_TIME_UNIT | OC_TAKES_COLUMNS,
    .recognises = recognises,
    .import = import_csv,
};
