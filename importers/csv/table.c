#include "importers/csv/table.h"

#include "base/memory.h"
#include "base/plain.h"
#include "importers/common/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const csv_field nothing = {"", 0};

/* A decimal comma becomes a point, where a comma is no separator. */
static csv_field with_point(char room[64], const csv_table *table, csv_field text)
{
    while (text.length > 0 && text.text[text.length - 1] == ' ')
        text.length--;
    for (; text.length > 0 && text.text[0] == ' '; text.length--)
        text.text++;
    const char *comma = memchr(text.text, ',', text.length);
    if (table->separator == ',' || comma == NULL || text.length >= 64)
        return text;
    memcpy(room, text.text, text.length);
    room[comma - text.text] = '.';
    return (csv_field){room, text.length};
}

/* --- The header */

/* Whether --columns says what all columns are. */
static bool is_said(const csv_table *table)
{
    return table->wanted->is_given && !table->wanted->has_header;
}

/* The words are apart as in the file. */
static ocelotl_status fail_columns(const csv_table *table)
{
    oc_text words = {0};
    static const char comma = ',';
    const char *apart = is_said(table) ? &comma : &table->separator;
    const int by = (unsigned char)*apart;
    for (size_t i = 0; i < table->columns.count; i++) {
        oc_text_append(&words, apart, i > 0);
        oc_text_add(&words, table->columns.columns[i].word);
    }
    const ocelotl_status status =
        words.failed
            ? oc_fail_memory()
            : oc_fail(OCELOTL_ERROR_INPUT,
                      "%s is \"%.200s\", expected one such as resource%ctype%cvalue%cbegin%cend or "
                      "time%cresource%ctype%cvalue, in s, ms, us or ns%s",
                      is_said(table) ? "--columns" : "the header", words.bytes, by, by, by, by, by,
                      by, by,
                      table->wanted->is_given ? ""
                                              : "; --columns says of another what its columns are");
    oc_text_free(&words);
    return status;
}

/* Notes what each column was taken for, as a line for `info`. */
static ocelotl_status say_guess(const csv_table *table)
{
    oc_text text = {0};
    csv_columns_describe(&text, &table->columns, table->separator,
                         table->sheet->ingest.unit_digits);
    const ocelotl_status status =
        text.failed ? oc_fail_memory()
                    : ocelotl_writer_warning(table->sheet->ingest.writer,
                                             "header whose columns were guessed", 1, text.bytes);
    oc_text_free(&text);
    return status;
}

/* A row of data has a time where a header has a word. */
static bool has_time(const csv_table *table, const csv_rows *rows)
{
    char room[64];
    oc_decimal decimal;
    const csv_field text = with_point(room, table, csv_table_field(table, rows, CSV_BEGIN));
    return oc_decimal_read(&decimal, text.text, text.length, 18);
}

ocelotl_status csv_table_begin(bool *is_data, csv_table *table, const csv_rows *rows)
{
    csv_sheet *sheet = table->sheet;
    table->separator = rows->separator;
    OC_TRY(csv_columns_read(&table->columns, rows, table->wanted));
    if (!csv_columns_suffice(&table->columns))
        return fail_columns(table);
    if (table->columns.is_mixed)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the header has times in different units, expected one unit");
    const uint32_t unit = (uint32_t)table->columns.unit;
    const bool has_levels = table->columns.of[CSV_LEVEL] < table->columns.count;
    if (table->columns.unit >= 0 && sheet->has_unit && sheet->ingest.unit_digits != unit)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the header's unit of time is not that of --time-unit, or of another file, "
                       "expected one unit");
    if (table->columns.unit >= 0) {
        sheet->ingest.unit_digits = unit;
        sheet->has_unit = true;
    }
    sheet->has_places = table->columns.is_export || has_levels;
    sheet->has_levels = sheet->has_levels || has_levels;
    *is_data = is_said(table) && has_time(table, rows);
    if (!*is_data)
        OC_TRY(oc_ingest_count(&sheet->ingest, "header", OCELOTL_FATE_DEFINITION, NULL));
    return table->columns.is_export || is_said(table) ? OCELOTL_OK : say_guess(table);
}

/* --- Times */

/* The end is a column, or the begin and the duration. */
static ocelotl_status read_times(csv_event *event, csv_table *table, const csv_rows *rows)
{
    char rooms[2][64];
    int64_t times[2];
    const csv_field end = csv_table_field(table, rows, CSV_END);
    const csv_field duration = csv_table_field(table, rows, CSV_DURATION);
    csv_field texts[2] = {with_point(rooms[0], table, csv_table_field(table, rows, CSV_BEGIN)),
                          with_point(rooms[1], table, end.length > 0 ? end : duration)};
    OC_TRY(csv_sheet_times(times, table->sheet, texts, end.length == 0 && duration.length > 0));
    event->has_end = texts[1].length > 0;
    event->begin = times[0];
    event->end = times[1];
    if (end.length == 0 && event->has_end &&
        __builtin_add_overflow(times[0], times[1], &event->end))
        return oc_fail(OCELOTL_ERROR_INPUT, "duration is \"%.*s\", expected a smaller one",
                       csv_shown(duration), duration.text);
    return OCELOTL_OK;
}

/* --- Resources: by a path, or by several columns */

/* A name as a step of a path. */
static void encode(oc_text *path, csv_field name)
{
    for (size_t i = 0; i < name.length; i++)
        if (name.text[i] == '/')
            oc_text_append(path, "%2F", 3);
        else if (name.text[i] == '%')
            oc_text_append(path, "%25", 3);
        else
            oc_text_append(path, &name.text[i], 1);
}

static ocelotl_status add_step(uint32_t *resource, csv_table *table, csv_field path, csv_field step)
{
    oc_text name = {0};
    oc_text_add_step_name(&name, step.text, step.length);
    const uint32_t around = *resource;
    const ocelotl_status status =
        name.failed
            ? oc_fail_memory()
            : csv_sheet_add_resource(resource, table->sheet, path,
                                     (csv_field){name.bytes != NULL ? name.bytes : "", name.length},
                                     around);
    oc_text_free(&name);
    return status;
}

static ocelotl_status find_path(uint32_t *resource, csv_table *table, csv_field path)
{
    if (path.length > 1 && path.text[0] == '/')
        path = (csv_field){path.text + 1, path.length - 1};
    *resource = csv_sheet_find(table->sheet, path);
    if (*resource != OC_MAP_NONE)
        return OCELOTL_OK;
    *resource = OCELOTL_NONE;
    for (size_t from = 0, to; from <= path.length; from = to + 1) {
        const char *slash = memchr(path.text + from, '/', path.length - from);
        to = slash != NULL ? (size_t)(slash - path.text) : path.length;
        const csv_field until = {path.text, to};
        const uint32_t known = csv_sheet_find(table->sheet, until);
        if (known != OC_MAP_NONE)
            *resource = known;
        else
            OC_TRY(add_step(resource, table, until, (csv_field){path.text + from, to - from}));
    }
    return OCELOTL_OK;
}

/* Several columns make a path; each resource is of the type that its column is called. Where one
 * says nothing the path is shorter. */
static ocelotl_status find_levels(uint32_t *resource, csv_table *table, const csv_rows *rows)
{
    const csv_columns *columns = &table->columns;
    oc_text *path = &table->path;
    *resource = OCELOTL_NONE;
    oc_text_clear(path);
    for (size_t i = 0; i < columns->count; i++) {
        const csv_column *column = &columns->columns[i];
        const bool is_step = column->role == CSV_LEVEL || column->role == CSV_PATH;
        if (!is_step || rows->fields[i].length == 0)
            continue;
        if (*resource != OCELOTL_NONE)
            oc_text_append(path, "/", 1);
        encode(path, rows->fields[i]);
        if (path->failed)
            return oc_fail_memory();
        const csv_field key = {path->bytes, path->length};
        const uint32_t around = *resource;
        *resource = csv_sheet_find(table->sheet, key);
        if (*resource == OC_MAP_NONE)
            OC_TRY(csv_sheet_add_resource(resource, table->sheet, key, rows->fields[i], around));
        uint32_t *type = &table->sheet->resources[*resource].type;
        if (*type == OCELOTL_NONE) /* it is new, or was the end of a link until now */
            OC_TRY(csv_sheet_resource_type(type, table->sheet,
                                           (csv_field){column->word, strlen(column->word)}));
    }
    return OCELOTL_OK;
}

static ocelotl_status fail_resource(void)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "no resource, expected the path of one");
}

static ocelotl_status find_resource(uint32_t *resource, csv_table *table, const csv_rows *rows)
{
    const csv_columns *columns = &table->columns;
    const csv_field type = csv_table_field(table, rows, CSV_RESOURCE_TYPE);
    if (columns->of[CSV_LEVEL] < columns->count) {
        OC_TRY(find_levels(resource, table, rows));
        return *resource != OCELOTL_NONE ? OCELOTL_OK : fail_resource();
    }
    if (csv_table_field(table, rows, CSV_PATH).length == 0)
        return fail_resource();
    OC_TRY(find_path(resource, table, csv_table_field(table, rows, CSV_PATH)));
    if (type.length == 0 || table->sheet->resources[*resource].type != OCELOTL_NONE)
        return OCELOTL_OK;
    return csv_sheet_resource_type(&table->sheet->resources[*resource].type, table->sheet, type);
}

/* --- What happens */

static bool read_value(double *number, const csv_table *table, csv_field value)
{
    char room[64];
    const csv_field text = with_point(room, table, value);
    return oc_text_is_number(number, text.text, text.length);
}

/* NaN and infinities, as programs write them in columns of numbers. */
static bool is_no_number(csv_field value)
{
    static const char *const words[] = {"nan", "inf", "infinity"};
    const size_t sign = value.length > 0 && (*value.text == '-' || *value.text == '+');
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (value.length == sign + strlen(words[i]) &&
            oc_same_first_letters(value.text + sign, words[i], value.length - sign))
            return true;
    return false;
}

static ocelotl_status fail_value(csv_field value, const char *else_expected)
{
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "value is \"%.*s\", expected a finite number (up to 1.8e308)%s",
                   csv_shown(value), value.text, else_expected);
}

/* Whether the import's options say by its very name that a variable counts. */
static bool is_counted(const csv_table *table, csv_field name)
{
    const ocelotl_import_options *options = table->sheet->ingest.import->options;
    const ocelotl_names *both[] = {&options->counters, &options->increments};
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < both[i]->count; k++)
            if (csv_is(name, both[i]->names[k]))
                return true;
    return false;
}

/* Finds the category without a column for it: a link has a source and a target, a state an end, a
 * variable a number. */
static ocelotl_status find_category(ocelotl_category *category, csv_event *event,
                                    const csv_table *table, const csv_rows *rows)
{
    static const char *const words[] = {"event", "state", "variable", "link"};
    const csv_field word = csv_table_field(table, rows, CSV_CATEGORY);
    const csv_field value = csv_table_field(table, rows, CSV_VALUE);
    const bool is_number = read_value(&event->number, table, value);
    for (*category = OCELOTL_EVENT; *category <= OCELOTL_LINK; (*category)++)
        if (csv_is(word, words[*category])) {
            if (*category == OCELOTL_VARIABLE && !is_number)
                return fail_value(value, "");
            return OCELOTL_OK;
        }
    if (word.length > 0)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "category is \"%.*s\", expected event, state, variable, link or resource",
                       csv_shown(word), word.text);
    if (csv_table_field(table, rows, CSV_SOURCE).length > 0 ||
        csv_table_field(table, rows, CSV_TARGET).length > 0)
        *category = OCELOTL_LINK;
    else if (is_no_number(value) || isinf(event->number))
        return fail_value(value, ", or none");
    else if (event->has_end)
        *category = is_number && table->columns.of[CSV_TYPE] < table->columns.count
                        ? OCELOTL_VARIABLE
                        : OCELOTL_STATE;
    else
        *category = is_number ? OCELOTL_VARIABLE : OCELOTL_EVENT;
    return *category != OCELOTL_VARIABLE && word.length == 0 &&
                   is_counted(table, csv_table_field(table, rows, CSV_TYPE))
               ? fail_value(value, " of a counter")
               : OCELOTL_OK;
}

/* Finds the type; without a column for it, it has the name of the column of values. Events on a
 * lane have the types of the row. */
static ocelotl_status find_type(csv_event *event, csv_table *table, ocelotl_category category,
                                const csv_rows *rows)
{
    const csv_columns *columns = &table->columns;
    csv_field name = csv_table_field(table, rows, CSV_TYPE);
    if (columns->of[CSV_TYPE] == columns->count) {
        const char *word = columns->columns[columns->of[CSV_VALUE]].word;
        name = (csv_field){word, strlen(word)};
    }
    const bool is_lane = csv_sheet_is_lane(table->sheet, event->resource);
    const uint32_t of =
        is_lane ? table->sheet->ingest.rows[event->resource].parent : event->resource;
    uint32_t place;
    OC_TRY(csv_sheet_place(&place, table->sheet, of));
    return csv_sheet_type(&event->type, table->sheet, category, name, place, of);
}

static ocelotl_status find_end(uint32_t *resource, csv_table *table, csv_field path)
{
    *resource = OCELOTL_NONE;
    return path.length > 0 ? find_path(resource, table, path) : OCELOTL_OK;
}

/* A link belongs to its source; without the one end it has no time there. */
static ocelotl_status find_ends(csv_event *event, csv_table *table, const csv_rows *rows)
{
    const csv_field source = csv_table_field(table, rows, CSV_SOURCE);
    const csv_field target = csv_table_field(table, rows, CSV_TARGET);
    OC_TRY(find_end(&event->to, table, target));
    if (source.length > 0)
        return find_path(&event->resource, table, source);
    if (table->columns.of[CSV_SOURCE] < table->columns.count && target.length > 0)
        event->resource = OCELOTL_NONE;
    return OCELOTL_OK;
}

static ocelotl_status add_attributes(csv_table *table, const csv_event *event, const csv_rows *rows)
{
    const csv_field key = csv_table_field(table, rows, CSV_KEY);
    const csv_object *object = &table->object;
    table->sheet->attribute_count = 0;
    if (key.length > 0)
        OC_TRY(csv_sheet_attribute(table->sheet, event->type, (csv_field){"Key", 3}, key));
    for (size_t i = 0; i < table->columns.count; i++) {
        const char *word = table->columns.columns[i].word;
        const csv_role role = table->columns.columns[i].role;
        const bool is_one = role == CSV_ATTRIBUTE || role == CSV_ID || role == CSV_PARENT;
        if (is_one && rows->fields[i].length > 0)
            OC_TRY(csv_sheet_attribute(table->sheet, event->type, (csv_field){word, strlen(word)},
                                       rows->fields[i]));
    }
    const ocelotl_status status =
        csv_object_read(&table->object, csv_table_field(table, rows, CSV_ATTRIBUTES));
    if (status != OCELOTL_OK)
        return status == OCELOTL_ERROR_INPUT ? oc_fail_within(status, "attributes") : status;
    for (size_t i = 0; i < object->count; i++)
        OC_TRY(csv_sheet_attribute(table->sheet, event->type, csv_member_name(object, i),
                                   csv_member_text(object, i)));
    return OCELOTL_OK;
}

/* A row that declares a resource. */
static ocelotl_status take_resource(csv_table *table, const csv_rows *rows)
{
    char rooms[2][64];
    uint32_t resource;
    OC_TRY(find_resource(&resource, table, rows));
    OC_TRY(csv_sheet_declare(table->sheet, resource,
                             with_point(rooms[0], table, csv_table_field(table, rows, CSV_BEGIN)),
                             with_point(rooms[1], table, csv_table_field(table, rows, CSV_END))));
    return oc_ingest_count(&table->sheet->ingest, "resource", OCELOTL_FATE_DEFINITION, NULL);
}

ocelotl_status csv_table_take(csv_table *table, const csv_rows *rows)
{
    static const char *const kinds[] = {"event", "state", "variable", "link"};
    csv_event event = {.value = OCELOTL_NONE};
    ocelotl_category category = OCELOTL_EVENT;
    if (rows->field_count != table->columns.count)
        return oc_fail(OCELOTL_ERROR_INPUT, "%zu fields, expected %zu as in the header",
                       rows->field_count, table->columns.count);
    if (csv_is(csv_table_field(table, rows, CSV_CATEGORY), "resource"))
        return take_resource(table, rows);
    const csv_field value = csv_table_field(table, rows, CSV_VALUE);
    OC_TRY(read_times(&event, table, rows));
    OC_TRY(find_category(&category, &event, table, rows));
    OC_TRY(csv_read_depth(&event.depth, csv_table_field(table, rows, CSV_DEPTH)));
    if (event.end < event.begin && category != OCELOTL_LINK)
        return oc_fail(OCELOTL_ERROR_INPUT, "ends before it begins, expected an end behind it");
    if (category == OCELOTL_STATE && value.length == 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "a state without a value, expected its name");
    OC_TRY(find_resource(&event.resource, table, rows));
    OC_TRY(find_type(&event, table, category, rows));
    if (category != OCELOTL_VARIABLE && value.length > 0)
        OC_TRY(oc_ingest_value(&event.value, &table->sheet->ingest, event.type, value.text,
                               value.length));
    if (category == OCELOTL_LINK)
        OC_TRY(find_ends(&event, table, rows));
    if (category == OCELOTL_STATE) { /* of equal times the one around comes first */
        OC_TRY(csv_sheet_id(&event.parent, table->sheet, csv_table_field(table, rows, CSV_PARENT)));
        OC_TRY(csv_sheet_id(&event.id, table->sheet, csv_table_field(table, rows, CSV_ID)));
    }
    OC_TRY(add_attributes(table, &event, rows));
    OC_TRY(csv_sheet_add(table->sheet, &event));
    return csv_sheet_count(table->sheet, category, kinds[category]);
}

/* --- Lines of JSON: their members are the columns of the CSV */

static const char json_columns[] =
    "resource,resource_type,category,type,value,begin,end,duration,depth,source,target,key,"
    "attributes";

bool csv_table_is_json(const char *line, size_t length)
{
    static const char beginning[] = "{\"resource\":";
    return length >= sizeof beginning - 1 && memcmp(line, beginning, sizeof beginning - 1) == 0;
}

ocelotl_status csv_table_begin_json(csv_table *table)
{
    char header[sizeof json_columns];
    csv_wanted nothing_wanted = {0};
    if (table->wanted->is_given)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "is a line of JSON, whose members have names, expected no --columns");
    table->separator = table->cut.separator = ',';
    table->sheet->has_places = true;
    memcpy(header, json_columns, sizeof header);
    OC_TRY(csv_rows_cut(&table->cut, header, sizeof header - 1));
    return csv_columns_read(&table->columns, &table->cut, &nothing_wanted);
}

ocelotl_status csv_table_take_json(csv_table *table, csv_field line)
{
    OC_TRY(csv_object_read(&table->line, line));
    for (size_t i = 0; i < table->columns.count; i++)
        table->cut.fields[i] = nothing;
    for (size_t i = 0; i < table->line.count; i++) {
        size_t column = 0;
        const csv_field name = csv_member_name(&table->line, i);
        while (column < table->columns.count && !csv_is(name, table->columns.columns[column].word))
            column++;
        if (column == table->columns.count)
            return oc_fail(OCELOTL_ERROR_INPUT, "member \"%.*s\", expected those of export: %s",
                           csv_shown(name), name.text, json_columns);
        table->cut.fields[column] = csv_member_text(&table->line, i);
    }
    return csv_table_take(table, &table->cut);
}

void csv_table_free(csv_table *table)
{
    csv_object_free(&table->line);
    csv_rows_free(&table->cut);
    oc_arena_free(&table->columns.arena);
    csv_object_free(&table->object);
    oc_text_free(&table->path);
}
