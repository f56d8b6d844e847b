/* The importer of tables of text. Which are read is described in docs/formats/csv.md. */
#include "base/memory.h"
#include "importers/common/clock.h"
#include "importers/csv/files.h"
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
                           const csv_wanted *wanted)
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

/* A header of some words that are known is one of a table, if it is not that of a matrix. */
static int judge_table(const csv_rows *rows)
{
    csv_columns columns = {0};
    const csv_wanted nothing = {0};
    const ocelotl_status status = csv_columns_read(&columns, rows, &nothing);
    int sure = oc_no_or_no_memory(status);
    if (status == OCELOTL_OK)
        sure = columns.is_export               ? OC_SURE
               : csv_columns_suffice(&columns) ? OC_SURE / 2
               : csv_columns_mean(&columns)    ? OC_ALMOST
                                               : OC_NO;
    csv_columns_free(&columns);
    return sure;
}

static int judge(char *line, size_t length)
{
    csv_rows rows = {0};
    const csv_wanted nothing = {0};
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
    const char *line = csv_first_line(&length, source->head.bytes, source->head.length);
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

static ocelotl_status report(const csv_sheet *sheet, const csv_rows *rows, size_t file)
{
    const ocelotl_work *work = &sheet->import->options->work;
    uint64_t done = 0;
    uint64_t total = 0;
    if (work->progress == NULL)
        return OCELOTL_OK;
    for (size_t i = 0; i < sheet->import->source_count; i++) {
        const uint64_t size = oc_input_size(sheet->import->sources[i].input);
        total += size;
        done += i < file ? size : i == file ? oc_input_position(rows->input) : 0;
    }
    return work->progress(work->context, done, total)
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_CANCELLED, "cancelled");
}

/* Checks for a loss; what was read before it counts. */
static ocelotl_status check_loss(csv_sheet *sheet, const csv_rows *rows)
{
    const char *loss = oc_input_loss(rows->input);
    if (rows->is_open)
        oc_oddities_note(&sheet->oddities, OC_LAST_LINE_OPEN, rows->path, rows->lines);
    if (loss == NULL)
        return OCELOTL_OK;
    oc_fail(OCELOTL_ERROR_INPUT, "%s:%" PRIu64 ": %s", rows->path, rows->lines + 1, loss);
    return sheet->oddities.lenient ? oc_oddities_lose_rest(&sheet->oddities, "trace")
                                   : OCELOTL_ERROR_INPUT;
}

/* A file that is read. */
typedef struct reading {
    csv_sheet *sheet;
    csv_rows rows;
    size_t file;
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
    const bool is_first = of->form == FORM_UNKNOWN;
    ocelotl_status status = csv_rows_next(found, rows);
    if (status == OCELOTL_ERROR_INPUT && oc_input_loss(rows->input) != NULL)
        return check_loss(of->sheet, rows);
    of->sheet->at = (oc_place){rows->path, rows->line};
    if (status == OCELOTL_OK && *found)
        status = is_first ? take_first(of) : take_row(of);
    if (status == OCELOTL_OK)
        return OCELOTL_OK;
    *found = true;
    if (is_first && of->form == FORM_TABLE && status == OCELOTL_ERROR_INPUT) {
        *found = false; /* no row means anything: the whole file is left out */
        (void)oc_fail_within(status, "%s:%" PRIu64, rows->path, rows->line);
        return of->sheet->oddities.lenient && of->sheet->import->source_count > 1
                   ? oc_oddities_lose_rest(&of->sheet->oddities, "file")
                   : status;
    }
    return oc_oddities_skip(&of->sheet->oddities, status, rows->path, rows->line);
}

static ocelotl_status read_rows(reading *of)
{
    enum { BETWEEN_REPORTS = 4096 };
    bool found = true;
    for (uint64_t count = 0; found; count++) {
        if (count % BETWEEN_REPORTS == 0)
            OC_TRY(report(of->sheet, &of->rows, of->file));
        OC_TRY(read_row(&found, of));
    }
    return check_loss(of->sheet, &of->rows);
}

static ocelotl_status read_file(csv_sheet *sheet, size_t file, const oc_source *source,
                                const csv_wanted *wanted)
{
    reading of = {.sheet = sheet,
                  .rows = {.input = source->input,
                           .path = source->path,
                           .has_header = wanted->is_given && !wanted->has_header},
                  .file = file,
                  .form = FORM_UNKNOWN,
                  .dump = {.sheet = sheet},
                  .table = {.sheet = sheet, .wanted = wanted}};
    const ocelotl_status status = read_rows(&of);
    csv_pjdump_free(&of.dump);
    free(of.dump.attributes);
    csv_table_free(&of.table);
    csv_rows_free(&of.rows);
    return status;
}

/* The names in a file with a node mean what is below that alone. */
static ocelotl_status enter_file(csv_sheet *sheet, size_t file, bool has_node)
{
    sheet->scope = 0;
    sheet->top = OCELOTL_NONE;
    if (!has_node)
        return OCELOTL_OK;
    uint32_t node;
    const char *name = sheet->import->nodes[file];
    const csv_field key = {name, strlen(name)};
    sheet->scope = UINT32_MAX; /* of nodes */
    OC_TRY(csv_sheet_add_resource(&node, sheet, key, key, OCELOTL_NONE));
    sheet->resources[node].is_declared = true;
    sheet->scope = (uint32_t)file + 1;
    sheet->top = node;
    return csv_sheet_resource_type(&sheet->resources[node].type, sheet, (csv_field){"File", 4});
}

/* --- Files that begin at once (--align begin): rows come in any order, so each is read twice */

/* What is known of several files. */
typedef struct files {
    bool *are_apart;
    int64_t *begins; /* the first time of each, in ticks of 10^-digits of the unit */
    uint32_t *digits;
} files;

static ocelotl_status look_at_file(csv_sheet *sheet, size_t file, const csv_wanted *wanted)
{
    oc_source source = {0};
    const oc_source *given = &sheet->import->sources[file];
    if (!given->is_regular || given->is_standard)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: can be read once, and --align begin reads tables twice, expected files",
                       given->path);
    sheet->has_bounds = false;
    sheet->begin = 0;
    ocelotl_status status = oc_source_open_unseen(&source, given->path, sheet->import->options);
    if (status == OCELOTL_OK)
        status = read_file(sheet, file, &source, wanted);
    oc_source_close(&source);
    return status;
}

static ocelotl_status look_at_files(csv_sheet *sheet, const files *all, const csv_wanted *wanted)
{
    const oc_import *import = sheet->import;
    OC_TRY(csv_sheet_open(sheet, import, oc_csv_importer.format.name));
    for (size_t i = 0; i < import->source_count; i++) {
        OC_TRY(look_at_file(sheet, i, wanted));
        all->begins[i] = sheet->begin;
        all->digits[i] = sheet->digits;
    }
    for (size_t i = 0; i < import->source_count; i++)
        if (!oc_multiply_time(&all->begins[i], all->begins[i],
                              oc_power_of_ten(sheet->digits - all->digits[i])))
            return oc_fail(OCELOTL_ERROR_LIMIT, "a time is too large for the finest one");
    return OCELOTL_OK;
}

/* The sheet then has the ticks that all files need. */
static ocelotl_status find_begins(const files *all, csv_sheet *sheet, const csv_wanted *wanted)
{
    csv_sheet looking = {.import = sheet->import,
                         .has_unit = sheet->has_unit,
                         .unit_digits = sheet->unit_digits,
                         .is_looking = true};
    const ocelotl_status status = look_at_files(&looking, all, wanted);
    sheet->digits = looking.digits;
    csv_sheet_free(&looking);
    return status;
}

static ocelotl_status read_files(csv_sheet *sheet, const csv_wanted *wanted, const files *all)
{
    const oc_import *import = sheet->import;
    const bool at_once = import->options->align == OCELOTL_ALIGN_BEGIN && import->source_count > 1;
    OC_TRY(csv_files_choose(all->are_apart, import));
    if (at_once)
        OC_TRY(find_begins(all, sheet, wanted));
    for (size_t i = 0; i < import->source_count; i++) {
        sheet->shift = 0;
        if (at_once && all->are_apart[i] &&
            __builtin_sub_overflow(all->begins[0], all->begins[i], &sheet->shift))
            return oc_fail(OCELOTL_ERROR_LIMIT, "%s: is too far from %s to begin with it",
                           import->sources[i].path, import->sources[0].path);
        OC_TRY(enter_file(sheet, i, all->are_apart[i] && !import->options->same_root));
        OC_TRY(read_file(sheet, i, &import->sources[i], wanted));
        if (import->source_count > 1)
            OC_TRY(oc_align_tell(sheet->writer, import->nodes[i],
                                 all->are_apart[i] ? import->options->align : OCELOTL_ALIGN_NONE,
                                 sheet->shift,
                                 (double)oc_power_of_ten(sheet->digits) *
                                     (double)oc_power_of_ten(sheet->unit_digits)));
    }
    return OCELOTL_OK;
}

static ocelotl_status allocate_and_read(csv_sheet *sheet, const csv_wanted *wanted, files *all)
{
    const size_t count = sheet->import->source_count;
    OC_TRY(oc_allocate(&all->are_apart, count, sizeof *all->are_apart));
    OC_TRY(oc_allocate(&all->begins, count, sizeof *all->begins));
    OC_TRY(oc_allocate(&all->digits, count, sizeof *all->digits));
    return read_files(sheet, wanted, all);
}

static ocelotl_status read_all(csv_sheet *sheet, const csv_wanted *wanted)
{
    files all = {0};
    const ocelotl_status status = allocate_and_read(sheet, wanted, &all);
    free(all.are_apart);
    free(all.begins);
    free(all.digits);
    OC_TRY(status);
    if (sheet->records == 0)
        return oc_oddities_fail_empty(
            &sheet->oddities, sheet->import->sources[0].path,
            "holds no event, expected rows behind a header, or lines of pj_dump");
    return csv_sheet_write(sheet);
}

static ocelotl_status import_csv(const oc_import *import)
{
    csv_sheet sheet = {.has_unit = import->options->time_unit != NULL};
    csv_wanted wanted = {0};
    ocelotl_status status = oc_time_unit_digits(&sheet.unit_digits, import->options->time_unit);
    if (status == OCELOTL_OK)
        status = csv_wanted_read(&wanted, import->options->columns);
    if (status == OCELOTL_OK)
        status = csv_sheet_open(&sheet, import, oc_csv_importer.format.name);
    if (status == OCELOTL_OK)
        status = read_all(&sheet, &wanted);
    csv_sheet_free(&sheet);
    csv_wanted_free(&wanted);
    return status;
}

static const char *const suffixes[] = {".csv", ".pjdump", NULL};

const oc_importer oc_csv_importer = {
    .format = {.name = "csv",
               .description =
                   "Tables of text: what export writes, lines of pj_dump, and others whose "
                   "header is known (.csv, plain or compressed)",
               .suffixes = suffixes},
    .takes_several = true,
    .takes = OC_TAKES_TIME_UNIT | OC_TAKES_COLUMNS,
    .recognises = recognises,
    .import = import_csv,
};
