#include "importers/csv/sheet.h"

#include "base/memory.h"
#include "importers/common/clock.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 12, FINEST = 18 };

static const char *const oddity_names[] = {
    [CSV_TIME_ROUNDED - OC_COMMON_ODDITIES] = "time with more digits than a tick has (rounded)",
    [CSV_ODD_DEPTH - OC_COMMON_ODDITIES] =
        "state whose depth is not that of the states around it (kept)",
    [CSV_NOT_DECLARED - OC_COMMON_ODDITIES] = "container that no line declares (below the root)",
    [CSV_NAME_TWICE - OC_COMMON_ODDITIES] =
        "name of several containers (the one declared last is meant)",
    [CSV_END_EARLY - OC_COMMON_ODDITIES] =
        "container that ends before what happens in it (it ends with that)",
    [CSV_VARIABLE_REVERSED - OC_COMMON_ODDITIES] =
        "value of a variable that ends before it begins (it begins where it says)",
};

typedef enum name_kind { RESOURCE, RESOURCE_TYPE, EVENT_TYPE, VALUE } name_kind;

ocelotl_status csv_sheet_open(csv_sheet *sheet, const oc_import *import, const char *format)
{
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    options.name = import->name;
    options.source = import->source_path;
    options.format = format;
    options.tick_numerator = 1;
    options.tick_denominator = 1;
    options.overwrite = import->options->overwrite;
    sheet->import = import;
    sheet->top = OCELOTL_NONE;
    OC_TRY(ocelotl_writer_open(&sheet->writer, import->target, &options));
    sheet->oddities = (oc_oddities){.writer = sheet->writer,
                                    .names = oddity_names,
                                    .name_count = CSV_ODDITY_END - OC_COMMON_ODDITIES,
                                    .lenient = import->options->lenient};
    sheet->nested.oddities = &sheet->oddities;
    sheet->nested.odd_depth = CSV_ODD_DEPTH;
    OC_TRY(oc_timelines_open(&sheet->timelines, sheet->writer, &sheet->oddities, import->target,
                             OC_SORTING_MEMORY / 2));
    return csv_nested_open(&sheet->nested, import->target, OC_SORTING_MEMORY / 2);
}

void csv_sheet_free(csv_sheet *sheet)
{
    for (size_t i = 0; i < sheet->resource_count; i++)
        free(sheet->resources[i].name);
    for (size_t i = 0; i < sheet->resource_type_count; i++)
        free(sheet->resource_types[i]);
    for (size_t i = 0; i < sheet->value_count; i++)
        free(sheet->values[i].name);
    for (size_t i = 0; i < sheet->type_count; i++) {
        csv_type *type = &sheet->types[i];
        for (size_t a = 0; a < type->attribute_count; a++)
            free(type->attributes[a]);
        free(type->attributes);
        free(type->name);
        oc_map_free(&type->attribute_of);
    }
    free(sheet->resources);
    free(sheet->resource_types);
    free(sheet->values);
    free(sheet->types);
    oc_timelines_free(&sheet->timelines);
    csv_nested_free(&sheet->nested);
    oc_map_free(&sheet->numbers);
    oc_text_free(&sheet->key);
    oc_oddities_free(&sheet->oddities);
    oc_kinds_free(&sheet->kinds);
    ocelotl_writer_free(sheet->writer);
}

/* --- Names */

static ocelotl_status copy_field(char **copy, csv_field field)
{
    OC_TRY(oc_allocate(copy, field.length + 1, 1));
    memcpy(*copy, field.text, field.length);
    (*copy)[field.length] = '\0';
    for (char *end = *copy; (end = strchr(end, '\n')) != NULL;)
        *end = ' ';
    return OCELOTL_OK;
}

/* Looks a name up; the key of it is then in the scratch. */
static uint32_t look_up(csv_sheet *sheet, name_kind kind, uint32_t place, uint32_t other,
                        csv_field name)
{
    const uint32_t head[3] = {kind, place, other};
    oc_text_clear(&sheet->key);
    oc_text_append(&sheet->key, (const char *)head, sizeof head);
    oc_text_append(&sheet->key, name.text, name.length);
    return sheet->key.failed ? OC_MAP_NONE
                             : oc_map_get(&sheet->numbers, sheet->key.bytes, sheet->key.length);
}

/* Gives what was looked up last a number. */
static ocelotl_status give(csv_sheet *sheet, size_t number)
{
    if (sheet->key.failed)
        return oc_fail_memory();
    if (number >= OC_MAP_NONE)
        return oc_fail(OCELOTL_ERROR_LIMIT, "more names than a trace can have");
    return oc_map_set(&sheet->numbers, sheet->key.bytes, sheet->key.length, (uint32_t)number);
}

uint32_t csv_sheet_find(csv_sheet *sheet, csv_field key)
{
    return look_up(sheet, RESOURCE, sheet->scope, 0, key);
}

ocelotl_status csv_sheet_add_resource(uint32_t *resource, csv_sheet *sheet, csv_field key,
                                      csv_field name, uint32_t parent)
{
    OC_TRY(oc_grow(&sheet->resources, &sheet->resource_capacity, sheet->resource_count + 1,
                   sizeof *sheet->resources));
    csv_sheet_find(sheet, key);
    OC_TRY(give(sheet, sheet->resource_count));
    csv_resource *added = &sheet->resources[sheet->resource_count];
    *added = (csv_resource){.parent = parent == OCELOTL_NONE ? sheet->top : parent,
                            .type = OCELOTL_NONE};
    OC_TRY(copy_field(&added->name, name));
    *resource = (uint32_t)sheet->resource_count++;
    return OCELOTL_OK;
}

ocelotl_status csv_sheet_resource_type(uint32_t *type, csv_sheet *sheet, csv_field name)
{
    *type = look_up(sheet, RESOURCE_TYPE, 0, 0, name);
    if (*type != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&sheet->resource_types, &sheet->resource_type_capacity,
                   sheet->resource_type_count + 1, sizeof *sheet->resource_types));
    OC_TRY(give(sheet, sheet->resource_type_count));
    OC_TRY(copy_field(&sheet->resource_types[sheet->resource_type_count], name));
    *type = (uint32_t)sheet->resource_type_count++;
    return OCELOTL_OK;
}

bool csv_sheet_is_lane(const csv_sheet *sheet, const csv_resource *resource)
{
    return resource->type != OCELOTL_NONE && resource->parent != OCELOTL_NONE &&
           resource->name[0] == '~' && strcmp(sheet->resource_types[resource->type], "Lane") == 0;
}

ocelotl_status csv_sheet_type(uint32_t *type, csv_sheet *sheet, ocelotl_category category,
                              csv_field name, uint32_t resource_type, uint32_t resource)
{
    *type = look_up(sheet, EVENT_TYPE, category, resource_type, name);
    if (*type != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(
        oc_grow(&sheet->types, &sheet->type_capacity, sheet->type_count + 1, sizeof *sheet->types));
    OC_TRY(give(sheet, sheet->type_count));
    csv_type *added = &sheet->types[sheet->type_count];
    *added = (csv_type){.category = category, .resource = resource};
    OC_TRY(copy_field(&added->name, name));
    *type = (uint32_t)sheet->type_count++;
    return OCELOTL_OK;
}

ocelotl_status csv_sheet_value(uint32_t *value, csv_sheet *sheet, uint32_t type, csv_field name)
{
    *value = look_up(sheet, VALUE, type, 0, name);
    if (*value != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&sheet->values, &sheet->value_capacity, sheet->value_count + 1,
                   sizeof *sheet->values));
    OC_TRY(give(sheet, sheet->value_count));
    csv_value *added = &sheet->values[sheet->value_count];
    added->type = type;
    OC_TRY(copy_field(&added->name, name));
    *value = (uint32_t)sheet->value_count++;
    return OCELOTL_OK;
}

ocelotl_status csv_sheet_attribute(uint32_t *attribute, csv_sheet *sheet, uint32_t type_number,
                                   csv_field name)
{
    csv_type *type = &sheet->types[type_number];
    *attribute = oc_map_get(&type->attribute_of, name.text, name.length);
    if (*attribute != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&type->attributes, &type->attribute_capacity, type->attribute_count + 1,
                   sizeof *type->attributes));
    OC_TRY(
        oc_map_set(&type->attribute_of, name.text, name.length, (uint32_t)type->attribute_count));
    OC_TRY(copy_field(&type->attributes[type->attribute_count], name));
    *attribute = (uint32_t)type->attribute_count++;
    return OCELOTL_OK;
}

/* --- Times */

static bool multiply(int64_t *time, uint64_t factor)
{
    return !__builtin_mul_overflow(*time, (int64_t)factor, time);
}

static ocelotl_status refine(csv_sheet *sheet, uint32_t digits)
{
    const uint64_t factor = oc_power_of_ten(digits - sheet->digits);
    bool fits = multiply(&sheet->begin, factor) && multiply(&sheet->end, factor) &&
                multiply(&sheet->shift, factor);
    for (size_t i = 0; i < sheet->resource_count && fits; i++) {
        csv_resource *one = &sheet->resources[i];
        fits = multiply(&one->begin, factor) && multiply(&one->end, factor) &&
               multiply(&one->first, factor) && multiply(&one->last, factor) &&
               multiply(&one->counted, factor);
    }
    if (fits)
        OC_TRY(oc_timelines_refine(&fits, &sheet->timelines, factor));
    if (!fits)
        return oc_fail(OCELOTL_ERROR_LIMIT, "a time is too large for the finest one");
    OC_TRY(oc_sorting_refine(sheet->nested.sorting, factor));
    sheet->digits = digits;
    return OCELOTL_OK;
}

/* The most digits of a tick, which is no finer than 10^-18 s. */
static uint32_t most_digits(const csv_sheet *sheet)
{
    return sheet->unit_digits > 6 ? FINEST - sheet->unit_digits : MOST_DIGITS;
}

ocelotl_status csv_sheet_time(int64_t *ticks, bool *refined, csv_sheet *sheet, csv_field text)
{
    oc_decimal decimal = {0};
    *refined = false;
    if (oc_decimal_read_plain(ticks, text.text, text.length, sheet->digits))
        return OCELOTL_OK;
    if (!oc_decimal_read(&decimal, text.text, text.length, most_digits(sheet)))
        return oc_fail(OCELOTL_ERROR_INPUT, "time is \"%.*s\", expected a decimal number",
                       text.length < 64 ? (int)text.length : 64, text.text);
    if (decimal.rounded)
        oc_oddities_note(&sheet->oddities, CSV_TIME_ROUNDED, "", 0);
    *refined = decimal.digits > sheet->digits;
    if (*refined)
        OC_TRY(refine(sheet, decimal.digits));
    if (!oc_decimal_ticks(ticks, &decimal, sheet->digits))
        return oc_fail(OCELOTL_ERROR_INPUT, "time is \"%.*s\", expected a smaller one",
                       text.length < 64 ? (int)text.length : 64, text.text);
    return OCELOTL_OK;
}

static ocelotl_status read_times(int64_t times[2], csv_sheet *sheet, const csv_field texts[2])
{
    bool refined = false;
    OC_TRY(csv_sheet_time(&times[0], &refined, sheet, texts[0]));
    times[1] = times[0];
    if (texts[1].length == 0)
        return OCELOTL_OK;
    OC_TRY(csv_sheet_time(&times[1], &refined, sheet, texts[1]));
    return refined ? csv_sheet_time(&times[0], &refined, sheet, texts[0]) : OCELOTL_OK;
}

ocelotl_status csv_sheet_times(int64_t times[2], csv_sheet *sheet, const csv_field texts[2])
{
    OC_TRY(read_times(times, sheet, texts));
    if (sheet->is_looking && (!sheet->has_bounds || times[0] < sheet->begin)) {
        sheet->begin = times[0];
        sheet->has_bounds = true;
    }
    if (__builtin_add_overflow(times[0], sheet->shift, &times[0]) ||
        __builtin_add_overflow(times[1], sheet->shift, &times[1]))
        return oc_fail(OCELOTL_ERROR_INPUT, "the time is too large where files begin at once");
    return OCELOTL_OK;
}

/* --- Events */

static void widen(csv_sheet *sheet, uint32_t resource, int64_t first, int64_t last)
{
    csv_resource *one = &sheet->resources[resource];
    if (!one->is_used || first < one->first)
        one->first = first;
    if (!one->is_used || last > one->last)
        one->last = last;
    if (!sheet->has_bounds || first < sheet->begin)
        sheet->begin = first;
    if (!sheet->has_bounds || last > sheet->end)
        sheet->end = last;
    one->is_used = sheet->has_bounds = true;
}

static ocelotl_status add_link(csv_sheet *sheet, const csv_event *event)
{
    const oc_timelines_link link = {.from = event->resource,
                                    .to = event->to,
                                    .begin = event->begin,
                                    .end = event->end,
                                    .type = event->type,
                                    .value = event->value,
                                    .attributes = event->attributes,
                                    .attribute_count = event->attribute_count};
    const int64_t begin = link.from != OCELOTL_NONE ? link.begin : link.end;
    const int64_t end = link.to != OCELOTL_NONE ? link.end : begin;
    if (link.from != OCELOTL_NONE)
        widen(sheet, link.from, begin < end ? begin : end, begin);
    if (link.to != OCELOTL_NONE)
        widen(sheet, link.to, end, begin > end ? begin : end);
    return oc_timelines_add_link(&sheet->timelines, &link);
}

ocelotl_status csv_sheet_add(csv_sheet *sheet, const csv_event *event)
{
    const ocelotl_category category = sheet->types[event->type].category;
    oc_sorted record = {.stream = event->resource,
                        .kind = category == OCELOTL_STATE      ? OC_SORTED_SPAN
                                : category == OCELOTL_VARIABLE ? OC_SORTED_VARIABLE
                                                               : OC_SORTED_INSTANT,
                        .time = event->begin,
                        .type = event->type,
                        .value = event->value,
                        .attributes = event->attributes,
                        .attribute_count = event->attribute_count};
    if (event->end < event->begin && category != OCELOTL_LINK)
        return oc_fail(OCELOTL_ERROR_INPUT, "ends before it begins, expected an end behind it");
    sheet->records++;
    if (sheet->is_looking)
        return OCELOTL_OK;
    if (category == OCELOTL_LINK)
        return add_link(sheet, event);
    widen(sheet, event->resource, event->begin, event->end);
    if (category == OCELOTL_VARIABLE) {
        record.number = event->number;
        csv_resource *resource = &sheet->resources[event->resource];
        if (event->has_end && (!resource->is_counted || event->end > resource->counted)) {
            resource->is_counted = true;
            resource->counted = event->end;
        }
    }
    if (category != OCELOTL_STATE)
        return oc_timelines_add(&sheet->timelines, &record);
    record.end = event->end;
    record.order = event->depth;
    if (event->depth != OCELOTL_NONE)
        return csv_nested_add(&sheet->nested, &record);
    record.order = 0;
    return oc_timelines_add(&sheet->timelines, &record);
}

ocelotl_status csv_sheet_count(csv_sheet *sheet, ocelotl_category category, const char *kind)
{
    uint32_t index = sheet->kind_of[category];
    if (index == 0 || strcmp(sheet->kinds.kinds[index - 1].name, kind) != 0) {
        OC_TRY(
            oc_kinds_find(&index, &sheet->kinds, kind, strlen(kind), (ocelotl_fate)category, NULL));
        sheet->kind_of[category] = ++index;
    }
    oc_kinds_add(&sheet->kinds, index - 1);
    return OCELOTL_OK;
}
