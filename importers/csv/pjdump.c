#include "importers/csv/pjdump.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum line_kind { CONTAINER, STATE, EVENT, VARIABLE, LINK, UNKNOWN } line_kind;

/* What lines of a kind hold. */
static const struct {
    const char *word, *fields;
    size_t least, known; /* fields */
} kinds[] = {
    [CONTAINER] = {"Container", "Container, parent, type, begin, end, duration, name", 7, 7},
    [STATE] = {"State", "State, container, type, begin, end, duration, depth, value", 8, 8},
    [EVENT] = {"Event", "Event, container, type, time, value", 5, 5},
    [VARIABLE] = {"Variable", "Variable, container, type, begin, end, duration, value", 7, 7},
    [LINK] = {"Link", "Link, container, type, begin, end, duration, value, source, target, key", 9,
              10},
};

static line_kind find_kind(csv_field word)
{
    for (line_kind kind = CONTAINER; kind < UNKNOWN; kind++)
        if (csv_is(word, kinds[kind].word))
            return kind;
    return UNKNOWN;
}

static bool is_tree_header(const csv_rows *rows)
{
    return rows->field_count == 4 && csv_is(rows->fields[0], "Parent") &&
           csv_is(rows->fields[3], "Nature");
}

static bool is_header(const csv_rows *rows)
{
    return rows->field_count >= 4 && csv_is(rows->fields[0], "Nature");
}

bool csv_pjdump_is_row(const csv_rows *rows)
{
    const line_kind kind = find_kind(rows->fields[0]);
    return is_tree_header(rows) || is_header(rows) ||
           (kind != UNKNOWN && rows->field_count >= kinds[kind].least);
}

/* --- Containers */

static bool is_root(csv_field parent, csv_field type, csv_field name)
{
    return csv_is(parent, "0") && csv_is(type, "0") && csv_is(name, "0");
}

/* The root is not a resource, unless something happens there. */
static ocelotl_status find_container(uint32_t *resource, csv_pjdump *dump, csv_field name)
{
    csv_sheet *sheet = dump->sheet;
    *resource = csv_sheet_find(sheet, name);
    if (*resource != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(csv_sheet_add_resource(resource, sheet, name, name, OCELOTL_NONE));
    csv_resource *added = &sheet->resources[*resource];
    added->is_root = csv_is(name, "0");
    return added->is_root ? csv_sheet_resource_type(&added->type, sheet, name) : OCELOTL_OK;
}

/* The key of what links end at as "0": no name has a zero byte. */
static const csv_field end_key = {"0\0end", 5};

/* Finds where a link begins or ends. Links of the root stand before all containers, so that "0" may
 * mean one of these that follows; the root only where none does. */
static ocelotl_status find_end(uint32_t *resource, csv_pjdump *dump, csv_field name)
{
    csv_sheet *sheet = dump->sheet;
    if (!csv_is(name, "0"))
        return find_container(resource, dump, name);
    *resource = csv_sheet_find(sheet, name);
    if (*resource != OC_MAP_NONE && !sheet->resources[*resource].is_root)
        return OCELOTL_OK;
    *resource = csv_sheet_find(sheet, end_key);
    if (*resource != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(csv_sheet_add_resource(resource, sheet, end_key, name, OCELOTL_NONE));
    sheet->resources[*resource].is_end = true;
    return OCELOTL_OK;
}

/* Finds the resource that a line declares: a new one, or one that was named before. */
static ocelotl_status find_declared(uint32_t *resource, csv_pjdump *dump, csv_field name)
{
    csv_sheet *sheet = dump->sheet;
    *resource = csv_sheet_find(sheet, name);
    const bool is_found = *resource != OC_MAP_NONE;
    if (is_found && sheet->resources[*resource].is_declared)
        oc_ingest_note(&sheet->ingest, CSV_NAME_TWICE);
    else if (is_found && !sheet->resources[*resource].is_root)
        return OCELOTL_OK;
    *resource = csv_is(name, "0") ? csv_sheet_find(sheet, end_key) : OC_MAP_NONE;
    return *resource != OC_MAP_NONE && !sheet->resources[*resource].is_declared
               ? csv_sheet_rename(sheet, name, *resource)
               : csv_sheet_add_resource(resource, sheet, name, name, OCELOTL_NONE);
}

static ocelotl_status declare_container(uint32_t *resource, csv_pjdump *dump, csv_field parent,
                                        csv_field type, csv_field name)
{
    csv_sheet *sheet = dump->sheet;
    uint32_t around = OCELOTL_NONE;
    if (!csv_is(parent, "0"))
        OC_TRY(find_container(&around, dump, parent));
    OC_TRY(find_declared(resource, dump, name));
    csv_resource *declared = &sheet->resources[*resource];
    if (around != OCELOTL_NONE)
        sheet->ingest.rows[*resource].parent = around;
    declared->is_declared = true;
    return csv_sheet_resource_type(&declared->type, sheet, type);
}

static ocelotl_status take_container(csv_pjdump *dump, const csv_field *fields)
{
    csv_sheet *sheet = dump->sheet;
    int64_t times[2];
    uint32_t resource;
    OC_TRY(csv_sheet_times(times, sheet, (const csv_field[]){fields[3], fields[4]}, false));
    if (times[1] < times[0])
        return oc_fail(OCELOTL_ERROR_INPUT, "ends before it begins, expected an end behind it");
    OC_TRY(oc_ingest_count(&sheet->ingest, "Container", OCELOTL_FATE_DEFINITION, NULL));
    sheet->records++;
    if (is_root(fields[1], fields[2], fields[6]))
        return OCELOTL_OK;
    OC_TRY(declare_container(&resource, dump, fields[1], fields[2], fields[6]));
    oc_ingest_row *row = &sheet->ingest.rows[resource];
    sheet->resources[resource].is_short = true;
    row->has_begin = row->has_end = true;
    row->begin = times[0];
    row->end = times[1];
    return OCELOTL_OK;
}

/* A row of the hierarchy. Types of events that it declares are known by what happens. */
static ocelotl_status take_tree_row(csv_pjdump *dump, const csv_rows *rows)
{
    const csv_field *fields = rows->fields;
    csv_sheet *sheet = dump->sheet;
    uint32_t resource;
    if (rows->field_count != 4)
        return oc_fail(OCELOTL_ERROR_INPUT, "%zu fields, expected 4: parent, name, type, nature",
                       rows->field_count);
    const line_kind kind = find_kind(fields[3]);
    if (kind == UNKNOWN)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "nature \"%.*s\", expected Container, State, Event, Variable or Link",
                       csv_shown(fields[3]), fields[3].text);
    sheet->records++;
    OC_TRY(oc_ingest_count(&sheet->ingest, "hierarchy", OCELOTL_FATE_DEFINITION, NULL));
    if (kind != CONTAINER || is_root(fields[0], fields[2], fields[1]))
        return OCELOTL_OK;
    return declare_container(&resource, dump, fields[0], fields[2], fields[1]);
}

/* --- What happens */

/* The fields behind those of the kind, by the words of the header or by their number; empty ones,
 * too, so that the line can be written again. */
static ocelotl_status add_extras(csv_pjdump *dump, uint32_t type, const csv_rows *rows,
                                 size_t known)
{
    for (size_t i = known; i < rows->field_count; i++) {
        char number[32];
        const bool is_named = i < dump->word_count && dump->words[i][0] != '\0';
        snprintf(number, sizeof number, "field %zu", i + 1);
        const char *word = is_named ? dump->words[i] : number;
        OC_TRY(csv_sheet_attribute(dump->sheet, type, (csv_field){word, strlen(word)},
                                   rows->fields[i]));
    }
    return OCELOTL_OK;
}

static ocelotl_status read_number(double *number, csv_field field, const char *what)
{
    if (oc_text_is_number(number, field.text, field.length))
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_INPUT, "%s is \"%.*s\", expected a number", what, csv_shown(field),
                   field.text);
}

static ocelotl_status find_type(csv_event *event, csv_pjdump *dump, ocelotl_category category,
                                const csv_field *fields)
{
    csv_sheet *sheet = dump->sheet;
    const bool of_root = category == OCELOTL_LINK && csv_is(fields[1], "0");
    if (of_root)
        event->resource = OCELOTL_NONE;
    else
        OC_TRY(find_container(&event->resource, dump, fields[1]));
    return csv_sheet_type(&event->type, sheet, category, fields[2],
                          of_root ? OCELOTL_NONE : sheet->resources[event->resource].type,
                          event->resource);
}

static ocelotl_status take_link(csv_pjdump *dump, csv_event *event, const csv_rows *rows)
{
    const csv_field *fields = rows->fields;
    OC_TRY(find_end(&event->resource, dump, fields[7]));
    OC_TRY(find_end(&event->to, dump, fields[8]));
    if (rows->field_count > 9 && fields[9].length > 0)
        OC_TRY(csv_sheet_attribute(dump->sheet, event->type, (csv_field){"Key", 3}, fields[9]));
    return OCELOTL_OK;
}

/* Keeps the duration where it is not what the times say: they are rounded, and it is made of times
 * that were not. One that is further away is wrong. */
static ocelotl_status keep_duration(bool *kept, csv_pjdump *dump, uint32_t type, csv_field text,
                                    const int64_t times[2])
{
    static const csv_field name = {CSV_WRITTEN_DURATION, sizeof CSV_WRITTEN_DURATION - 1};
    oc_decimal duration;
    int64_t ticks;
    int64_t off;
    const uint32_t digits = dump->sheet->ingest.digits;
    *kept = false;
    if (!oc_decimal_read(&duration, text.text, text.length, digits) ||
        !oc_decimal_ticks(&ticks, &duration, digits) ||
        __builtin_sub_overflow(times[1], times[0], &off) ||
        __builtin_sub_overflow(ticks, off, &off) || off == 0)
        return OCELOTL_OK;
    const int64_t last_digit = (int64_t)oc_power_of_ten(digits - duration.digits);
    *kept = off >= -last_digit && off <= last_digit;
    return *kept ? csv_sheet_attribute(dump->sheet, type, name, text) : OCELOTL_OK;
}

/* Reads the times of a line; an event has one. */
static ocelotl_status read_times(csv_event *event, csv_written *written, csv_pjdump *dump,
                                 line_kind kind, const csv_rows *rows)
{
    const csv_field *fields = rows->fields;
    int64_t times[2];
    const csv_field ends = kind == EVENT ? (csv_field){"", 0} : fields[4];
    OC_TRY(csv_sheet_times(times, dump->sheet, (const csv_field[]){fields[3], ends}, false));
    csv_sheet_is_dump(dump->sheet, fields[3]);
    event->begin = times[0];
    event->end = times[1];
    *written =
        (csv_written){.end = times[1], .end_text = ends, .duration = fields[5 - (kind == EVENT)]};
    if (times[1] < times[0] && kind == VARIABLE) {
        oc_ingest_note(&dump->sheet->ingest, CSV_VARIABLE_REVERSED);
        event->end = times[0];
    }
    return times[1] < times[0] && kind != LINK && kind != VARIABLE
               ? oc_fail(OCELOTL_ERROR_INPUT, "ends before it begins, expected an end behind it")
               : OCELOTL_OK;
}

/* Keeps what the line says otherwise than the trace will. Where files begin at once its times are
 * others. */
static ocelotl_status keep_written(csv_event *event, csv_written *written, csv_pjdump *dump,
                                   line_kind kind)
{
    const int64_t times[2] = {event->begin, written->end};
    if (kind == EVENT)
        return OCELOTL_OK;
    OC_TRY(keep_duration(&written->has_duration, dump, event->type, written->duration, times));
    if (kind == VARIABLE && dump->sheet->shift == 0)
        event->written = written;
    return OCELOTL_OK;
}

static ocelotl_status read_numbers(csv_event *event, csv_field *value, line_kind kind,
                                   const csv_rows *rows)
{
    static const size_t values[] = {[STATE] = 7, [EVENT] = 4, [VARIABLE] = 6, [LINK] = 6};
    *value = rows->fields[values[kind]];
    if (kind == VARIABLE)
        OC_TRY(read_number(&event->number, *value, "value"));
    if (kind != STATE)
        return OCELOTL_OK;
    OC_TRY(csv_read_depth(&event->depth, rows->fields[6]));
    return value->length > 0
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT, "a state without a value, expected its name");
}

/* --- Rows */

/* A word that was there before, or means a field of another kind, names nothing: it is empty. */
static ocelotl_status take_word(csv_pjdump *dump, oc_map *taken, csv_field field)
{
    const bool is_known = csv_is(field, "Key") || csv_is(field, CSV_WRITTEN_END) ||
                          csv_is(field, CSV_WRITTEN_DURATION) ||
                          oc_map_get(taken, field.text, field.length) != OC_MAP_NONE;
    OC_TRY(oc_allocate(&dump->words[dump->word_count], field.length + 1, 1));
    if (!is_known)
        memcpy(dump->words[dump->word_count], field.text, field.length);
    dump->word_count++;
    return is_known ? OCELOTL_OK : oc_map_set(taken, field.text, field.length, 0);
}

static ocelotl_status take_header(csv_pjdump *dump, const csv_rows *rows)
{
    csv_pjdump_free(dump);
    dump->is_tree = is_tree_header(rows);
    OC_TRY(oc_allocate(&dump->words, rows->field_count, sizeof *dump->words));
    oc_map taken = {0};
    ocelotl_status status = OCELOTL_OK;
    for (size_t i = 0; i < rows->field_count && status == OCELOTL_OK; i++)
        status = take_word(dump, &taken, rows->fields[i]);
    oc_map_free(&taken);
    OC_TRY(status);
    return oc_ingest_count(&dump->sheet->ingest, "header", OCELOTL_FATE_DEFINITION, NULL);
}

ocelotl_status csv_pjdump_take(csv_pjdump *dump, const csv_rows *rows)
{
    const line_kind kind = find_kind(rows->fields[0]);
    if (is_tree_header(rows) || is_header(rows))
        return take_header(dump, rows);
    if (dump->is_tree)
        return take_tree_row(dump, rows);
    if (kind == UNKNOWN)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "unknown kind of line \"%.*s\", expected Container, State, Event, Variable "
                       "or Link",
                       csv_shown(rows->fields[0]), rows->fields[0].text);
    if (rows->field_count < kinds[kind].least)
        return oc_fail(OCELOTL_ERROR_INPUT, "%zu fields, expected %zu: %s", rows->field_count,
                       kinds[kind].known, kinds[kind].fields);
    if (kind == CONTAINER)
        return take_container(dump, rows->fields);
    static const ocelotl_category categories[] = {[STATE] = OCELOTL_STATE,
                                                  [EVENT] = OCELOTL_EVENT,
                                                  [VARIABLE] = OCELOTL_VARIABLE,
                                                  [LINK] = OCELOTL_LINK};
    csv_field value;
    csv_written written;
    csv_event event = {.value = OCELOTL_NONE, .has_end = kind == VARIABLE};
    OC_TRY(read_times(&event, &written, dump, kind, rows));
    OC_TRY(read_numbers(&event, &value, kind, rows));
    dump->sheet->attribute_count = 0;
    OC_TRY(find_type(&event, dump, categories[kind], rows->fields));
    if (kind != VARIABLE && value.length > 0)
        OC_TRY(oc_ingest_value(&event.value, &dump->sheet->ingest, event.type, value.text,
                               value.length));
    if (kind == LINK)
        OC_TRY(take_link(dump, &event, rows));
    OC_TRY(add_extras(dump, event.type, rows, kinds[kind].known));
    OC_TRY(keep_written(&event, &written, dump, kind));
    OC_TRY(csv_sheet_add(dump->sheet, &event));
    return csv_sheet_count(dump->sheet, categories[kind], kinds[kind].word);
}

void csv_pjdump_free(csv_pjdump *dump)
{
    for (size_t i = 0; i < dump->word_count; i++)
        free(dump->words[i]);
    free(dump->words);
    dump->words = NULL;
    dump->word_count = 0;
}
