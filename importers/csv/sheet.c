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
    [CSV_VARIABLE_ENDS - OC_COMMON_ODDITIES] =
        "value of a variable that does not end where the next begins (it lasts until then)",
};

ocelotl_status csv_sheet_open(csv_sheet *sheet, const oc_import *import, const char *format)
{
    sheet->import = import;
    sheet->top = OCELOTL_NONE;
    OC_TRY(oc_import_open(&sheet->writer, import, format, 1, NULL));
    sheet->oddities = oc_import_oddities(import, sheet->writer, oddity_names, CSV_ODDITY_END);
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
        free(sheet->resource_types[i].name);
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
    csv_variables_free(&sheet->variables);
    oc_map_free(&sheet->numbers);
    oc_text_free(&sheet->key);
    free(sheet->chain);
    oc_oddities_free(&sheet->oddities);
    oc_kinds_free(&sheet->kinds);
    ocelotl_writer_free(sheet->writer);
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
    fits = fits && csv_variables_refine(&sheet->variables, factor);
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
        return oc_fail(OCELOTL_ERROR_INPUT, "time is \"%.*s\", expected " OC_DECIMAL_EXPECTED,
                       text.length < 64 ? (int)text.length : 64, text.text);
    if (decimal.rounded)
        oc_oddities_note(&sheet->oddities, CSV_TIME_ROUNDED, sheet->at.file, sheet->at.line);
    *refined = decimal.digits > sheet->digits;
    if (*refined)
        OC_TRY(refine(sheet, decimal.digits));
    if (!oc_decimal_ticks(ticks, &decimal, sheet->digits))
        return oc_fail(OCELOTL_ERROR_INPUT, "time is \"%.*s\", expected a smaller one",
                       text.length < 64 ? (int)text.length : 64, text.text);
    return OCELOTL_OK;
}

void csv_sheet_is_dump(csv_sheet *sheet, csv_field time)
{
    const char *point = memchr(time.text, '.', time.length);
    const size_t digits = point != NULL ? (size_t)(time.text + time.length - point) - 1 : 0;
    if (digits > sheet->dump_digits && digits <= FINEST)
        sheet->dump_digits = (uint32_t)digits;
    sheet->is_dump = true;
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

static void widen_all(csv_sheet *sheet, int64_t first, int64_t last)
{
    if (!sheet->has_bounds || first < sheet->begin)
        sheet->begin = first;
    if (!sheet->has_bounds || last > sheet->end)
        sheet->end = last;
    sheet->has_bounds = true;
}

static void widen(csv_sheet *sheet, uint32_t resource, int64_t first, int64_t last)
{
    csv_resource *one = &sheet->resources[resource];
    if (!one->is_used || first < one->first)
        one->first = first;
    if (!one->is_used || last > one->last)
        one->last = last;
    one->is_used = true;
    widen_all(sheet, first, last);
}

ocelotl_status csv_sheet_declare(csv_sheet *sheet, uint32_t resource, csv_field begin,
                                 csv_field end)
{
    int64_t times[2];
    csv_resource *one = &sheet->resources[resource];
    const csv_field texts[2] = {begin.length > 0 ? begin : end, end};
    one->turn = sheet->turns++;
    if (begin.length == 0 && end.length == 0)
        return OCELOTL_OK;
    OC_TRY(csv_sheet_times(times, sheet, texts));
    if (begin.length > 0 && end.length > 0 && times[1] < times[0])
        return oc_fail(OCELOTL_ERROR_INPUT, "ends before it begins, expected an end behind it");
    if (begin.length > 0) {
        one->has_begin = true;
        one->begin = times[0];
    }
    if (end.length > 0) {
        one->has_end = true;
        one->end = times[1];
    }
    widen_all(sheet, times[0], times[1] > times[0] ? times[1] : times[0]);
    return OCELOTL_OK;
}

/* Links of several sources that begin and end at one instant have an order that is not that of
 * their rows: export writes rows source by source. */
static ocelotl_status add_link(csv_sheet *sheet, const csv_event *event)
{
    const uint32_t order =
        event->resource != OCELOTL_NONE ? (uint32_t)sheet->resources[event->resource].path_hash : 0;
    const oc_timelines_link link = {.from = event->resource,
                                    .to = event->to,
                                    .begin = event->begin,
                                    .end = event->end,
                                    .type = event->type,
                                    .value = event->value,
                                    .order = order,
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
        if (event->written != NULL)
            return csv_variables_add(sheet, &record, event->written);
        if (event->has_end)
            OC_TRY(csv_variables_compare(sheet, &record, event->end));
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
