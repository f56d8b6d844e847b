#include "importers/csv/sheet.h"

#include "base/memory.h"
#include "base/plain.h"

#include <inttypes.h>
#include <stdio.h>
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
    oc_ingest *ingest = &sheet->ingest;
    sheet->top = OCELOTL_NONE;
    ingest->is_coarse = ingest->declares_late = ingest->keeps_empty_rows = true;
    OC_TRY(oc_ingest_open(ingest, import, format, oddity_names, CSV_ODDITY_END));
    sheet->nested.oddities = &ingest->oddities;
    sheet->nested.odd_depth = CSV_ODD_DEPTH;
    return oc_sorting_open(&sheet->nested.sorting, import->target, OC_SORTING_MEMORY / 2, true);
}

void csv_sheet_free(csv_sheet *sheet)
{
    csv_nested_free(&sheet->nested);
    csv_variables_free(&sheet->variables);
    free(sheet->attributes);
    free(sheet->resources);
    free(sheet->types);
    free(sheet->chain);
    oc_ingest_close(&sheet->ingest);
}

/* --- Times */

static ocelotl_status refine(csv_sheet *sheet, uint32_t digits)
{
    const uint64_t factor = oc_power_of_ten(digits - sheet->ingest.digits);
    bool fits = oc_multiply_time(&sheet->begin, sheet->begin, factor) &&
                oc_multiply_time(&sheet->end, sheet->end, factor) &&
                oc_multiply_time(&sheet->shift, sheet->shift, factor);
    for (size_t i = 0; i < sheet->ingest.row_count && fits; i++)
        fits = oc_multiply_time(&sheet->resources[i].counted, sheet->resources[i].counted, factor);
    fits = fits && csv_variables_refine(&sheet->variables, factor);
    if (fits)
        OC_TRY(oc_ingest_refine(&fits, &sheet->ingest, digits));
    if (!fits)
        return oc_fail(OCELOTL_ERROR_LIMIT, "a time is too large for the finest one");
    return oc_sorting_refine(sheet->nested.sorting, factor);
}

/* Reads a time as ticks, which become finer where it has more digits, but no finer than 10^-18 s.
 * Times that were read before are then to be read again: *refined. */
static ocelotl_status read_time(int64_t *ticks, bool *refined, csv_sheet *sheet, csv_field text)
{
    oc_decimal decimal = {0};
    oc_ingest *ingest = &sheet->ingest;
    const uint32_t most = ingest->unit_digits > 6 ? FINEST - ingest->unit_digits : MOST_DIGITS;
    *refined = false;
    if (oc_decimal_read_plain(ticks, text.text, text.length, ingest->digits))
        return OCELOTL_OK;
    if (!oc_decimal_read(&decimal, text.text, text.length, most))
        return oc_fail(OCELOTL_ERROR_INPUT, "time is \"%.*s\", expected " OC_DECIMAL_EXPECTED,
                       csv_shown(text), text.text);
    if (decimal.rounded)
        oc_ingest_note(ingest, CSV_TIME_ROUNDED);
    *refined = decimal.digits > ingest->digits;
    if (*refined)
        OC_TRY(refine(sheet, decimal.digits));
    return oc_decimal_ticks(ticks, &decimal, ingest->digits)
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT, "time is \"%.*s\", expected a smaller one",
                         csv_shown(text), text.text);
}

void csv_sheet_is_dump(csv_sheet *sheet, csv_field time)
{
    const char *point = memchr(time.text, '.', time.length);
    const size_t digits = point != NULL ? (size_t)(time.text + time.length - point) - 1 : 0;
    if (digits > sheet->dump_digits && digits <= FINEST)
        sheet->dump_digits = (uint32_t)digits;
    sheet->is_dump = true;
}

ocelotl_status csv_sheet_times(int64_t times[2], csv_sheet *sheet, const csv_field texts[2],
                               bool is_duration)
{
    bool refined = false;
    OC_TRY(read_time(&times[0], &refined, sheet, texts[0]));
    times[1] = times[0];
    if (texts[1].length > 0)
        OC_TRY(read_time(&times[1], &refined, sheet, texts[1]));
    if (refined)
        OC_TRY(read_time(&times[0], &refined, sheet, texts[0]));
    if (texts[1].length == 0)
        times[1] = times[0];
    if (sheet->is_looking && (!sheet->has_bounds || times[0] < sheet->begin)) {
        sheet->begin = times[0];
        sheet->has_bounds = true;
    }
    if (__builtin_add_overflow(times[0], sheet->shift, &times[0]) ||
        __builtin_add_overflow(times[1], is_duration ? 0 : sheet->shift, &times[1]))
        return oc_fail(OCELOTL_ERROR_INPUT, "the time is too large where files begin at once");
    for (size_t i = 0; i < 2; i++)
        if (times[i] == INT64_MIN || llabs(times[i]) > sheet->ingest.largest)
            sheet->ingest.largest = times[i] == INT64_MIN ? INT64_MAX : llabs(times[i]);
    return OCELOTL_OK;
}

/* --- Events */

static void widen(csv_sheet *sheet, int64_t first, int64_t last)
{
    if (!sheet->has_bounds || first < sheet->begin)
        sheet->begin = first;
    if (!sheet->has_bounds || last > sheet->end)
        sheet->end = last;
    sheet->has_bounds = true;
}

ocelotl_status csv_sheet_declare(csv_sheet *sheet, uint32_t resource, csv_field begin,
                                 csv_field end)
{
    int64_t times[2];
    const csv_field texts[2] = {begin.length > 0 ? begin : end, end};
    sheet->ingest.rows[resource].order = sheet->turns++;
    if (begin.length == 0 && end.length == 0)
        return OCELOTL_OK;
    OC_TRY(csv_sheet_times(times, sheet, texts, false));
    oc_ingest_row *row = &sheet->ingest.rows[resource];
    if (begin.length > 0 && end.length > 0 && times[1] < times[0])
        return oc_fail(OCELOTL_ERROR_INPUT, "ends before it begins, expected an end behind it");
    if (begin.length > 0) {
        row->has_begin = true;
        row->begin = times[0];
    }
    if (end.length > 0) {
        row->has_end = true;
        row->end = times[1];
    }
    widen(sheet, times[0], times[1] > times[0] ? times[1] : times[0]);
    return OCELOTL_OK;
}

/* A link happens in both of its rows, as far as they are known. Links of several sources that begin
 * and end at one instant have an order that is not that of their rows: export writes rows source by
 * source. */
static ocelotl_status add_link(csv_sheet *sheet, const csv_event *event)
{
    const uint32_t rows[2] = {event->resource, event->to};
    const int64_t begin = rows[0] != OCELOTL_NONE ? event->begin : event->end;
    const int64_t end = rows[1] != OCELOTL_NONE ? event->end : begin;
    for (size_t i = 0; i < 2; i++)
        if (rows[i] != OCELOTL_NONE) {
            const int64_t own = i == 0 ? begin : end;
            const int64_t other = i == 0 ? end : begin;
            oc_ingest_row_see(&sheet->ingest, rows[i], own);
            if (i == 0 ? other < own : other > own)
                oc_ingest_row_see(&sheet->ingest, rows[i], other);
            widen(sheet, begin < end ? begin : end, begin > end ? begin : end);
        }
    return oc_ingest_link(
        &sheet->ingest,
        &(oc_timelines_link){
            .from = rows[0],
            .to = rows[1],
            .begin = event->begin,
            .end = event->end,
            .type = event->type,
            .value = event->value,
            .order = rows[0] == OCELOTL_NONE ? 0 : (uint32_t)sheet->resources[rows[0]].path_hash,
            .attributes = sheet->attributes,
            .attribute_count = sheet->attribute_count});
}

static ocelotl_status add_variable(csv_sheet *sheet, oc_sorted *record, const csv_event *event)
{
    csv_resource *resource = &sheet->resources[event->resource];
    record->number = event->number;
    if (event->has_end && (!resource->is_counted || event->end > resource->counted)) {
        resource->is_counted = true;
        resource->counted = event->end;
    }
    if (event->has_end)
        oc_ingest_row_see(&sheet->ingest, event->resource, event->end);
    if (event->written != NULL) {
        oc_ingest_row_see(&sheet->ingest, event->resource, event->begin);
        return csv_variables_add(sheet, record, event->written);
    }
    if (event->has_end)
        OC_TRY(csv_variables_compare(sheet, record, event->end));
    return oc_ingest_add(&sheet->ingest, record);
}

/* A state is as deep as it says, or inside the one that it names, or as its times say. */
static ocelotl_status add_state(csv_sheet *sheet, oc_sorted *record, const csv_event *event)
{
    oc_ingest *ingest = &sheet->ingest;
    record->end = event->end;
    if (event->depth != OCELOTL_NONE) {
        record->order = event->depth;
        record->group = event->type;
        oc_ingest_row_see(ingest, event->resource, event->begin);
        oc_ingest_row_see(ingest, event->resource, event->end);
        return oc_sorting_add(sheet->nested.sorting, record);
    }
    if ((event->id | event->parent) != 0)
        OC_TRY(oc_timelines_nest(&ingest->timelines, event->type, OC_NEST_BY_PARENT));
    record->order = event->id;
    record->group = event->parent;
    return oc_ingest_add(ingest, record);
}

ocelotl_status csv_sheet_add(csv_sheet *sheet, const csv_event *event)
{
    const ocelotl_category category = sheet->ingest.types[event->type].category;
    oc_sorted record = {.stream = event->resource,
                        .kind = category == OCELOTL_STATE      ? OC_SORTED_SPAN
                                : category == OCELOTL_VARIABLE ? OC_SORTED_VARIABLE
                                                               : OC_SORTED_INSTANT,
                        .time = event->begin,
                        .type = event->type,
                        .value = event->value,
                        .attributes = sheet->attributes,
                        .attribute_count = sheet->attribute_count};
    if (event->end < event->begin && category != OCELOTL_LINK)
        return oc_fail(OCELOTL_ERROR_INPUT, "ends before it begins, expected an end behind it");
    sheet->records++;
    if (sheet->is_looking)
        return OCELOTL_OK;
    if (category == OCELOTL_LINK)
        return add_link(sheet, event);
    widen(sheet, event->begin, event->end);
    if (category == OCELOTL_VARIABLE)
        return add_variable(sheet, &record, event);
    if (category == OCELOTL_STATE)
        return add_state(sheet, &record, event);
    if (event->end > event->begin)
        oc_ingest_row_see(&sheet->ingest, event->resource, event->end);
    return oc_ingest_add(&sheet->ingest, &record);
}

ocelotl_status csv_sheet_count(csv_sheet *sheet, ocelotl_category category, const char *kind)
{
    oc_kinds *kinds = &sheet->ingest.kinds;
    uint32_t index = sheet->kind_of[category];
    if (index == 0 || strcmp(kinds->kinds[index - 1].name, kind) != 0) {
        OC_TRY(oc_kinds_find(&index, kinds, kind, strlen(kind), (ocelotl_fate)category, NULL));
        sheet->kind_of[category] = ++index;
    }
    oc_kinds_add(kinds, index - 1);
    return OCELOTL_OK;
}

/* --- The end: lives of resources */

/* Whether two times are one where they are rounded to six digits. */
static bool is_alike(const csv_sheet *sheet, int64_t one, int64_t other)
{
    char texts[2][32];
    const double second = (double)oc_power_of_ten(sheet->ingest.digits);
    oc_plain_print(texts[0], sizeof texts[0], "%g", (double)one / second);
    oc_plain_print(texts[1], sizeof texts[1], "%g", (double)other / second);
    return strcmp(texts[0], texts[1]) == 0;
}

/* The begin and the end as they were before they were rounded, where something that happened says
 * them. */
static void settle_life(csv_sheet *sheet, oc_ingest_row *row, const csv_resource *of)
{
    if (!row->has_begin)
        row->begin = sheet->begin;
    else if (of->is_short && row->has_content && is_alike(sheet, row->begin, row->first))
        row->begin = row->first;
    if (row->has_content && row->first < row->begin)
        row->begin = row->first;
    row->has_begin = true;
    if (!row->has_end && of->is_counted && of->counted >= row->last) {
        row->has_end = true;
        row->end = of->counted;
    }
    if (!row->has_end)
        return;
    if (of->is_short && is_alike(sheet, row->end, of->last))
        row->end = of->last;
    else if (of->is_short && is_alike(sheet, row->end, sheet->end))
        row->end = sheet->end;
    if (row->has_content && row->end < row->last) {
        oc_oddities_note(&sheet->ingest.oddities, CSV_END_EARLY, "", 0);
        row->end = row->last;
    }
    if (row->end < row->begin)
        row->end = row->begin;
}

/* Settles lives; *last is the last instant of the trace. */
static void settle_lives(csv_sheet *sheet, int64_t *last)
{
    oc_ingest_row *rows = sheet->ingest.rows;
    csv_resource *all = sheet->resources;
    const size_t count = sheet->ingest.row_count;
    for (size_t i = 0; i < count; i++)
        all[i].last = rows[i].has_content ? rows[i].last : sheet->begin;
    for (size_t i = 0; i < count; i++)
        for (uint32_t one = (uint32_t)i, around = rows[one].parent;
             around != OCELOTL_NONE && all[around].last < all[one].last;
             one = around, around = rows[one].parent)
            all[around].last = all[one].last;
    *last = sheet->end;
    for (size_t i = 0; i < count; i++) {
        settle_life(sheet, &rows[i], &all[i]);
        if (rows[i].has_end && rows[i].end > *last)
            *last = rows[i].end;
    }
}

/* --- The end: resources */

/* Makes the ends of links at "0" the root of their file, where no container is called so. */
static ocelotl_status settle_ends(csv_sheet *sheet)
{
    oc_ingest_row *rows = sheet->ingest.rows;
    csv_resource *all = sheet->resources;
    for (size_t i = 0; i < sheet->ingest.row_count; i++) {
        uint32_t root = 0;
        if (!all[i].is_end || all[i].is_declared)
            continue;
        while (root < sheet->ingest.row_count &&
               !(all[root].is_root && rows[root].parent == rows[i].parent))
            root++;
        rows[i].is_around = root < sheet->ingest.row_count;
        all[i].is_root = !rows[i].is_around;
        if (rows[i].is_around)
            rows[i].parent = root;
        else
            OC_TRY(csv_sheet_resource_type(&all[i].type, sheet, (csv_field){"0", 1}));
    }
    return OCELOTL_OK;
}

/* Says what resources are, and in which order: that of the numbers they end in, if columns are
 * levels. */
static ocelotl_status settle_rows(csv_sheet *sheet)
{
    sheet->ingest.orders_all = !sheet->has_levels;
    for (size_t i = 0; i < sheet->ingest.row_count; i++) {
        oc_ingest_row *row = &sheet->ingest.rows[i];
        const csv_resource *of = &sheet->resources[i];
        row->order = sheet->has_levels ? 0 : row->order;
        row->type_name = of->type != OCELOTL_NONE ? sheet->types[of->type].name : CSV_UNKNOWN_TYPE;
        if (sheet->wants_declared && !of->is_declared && !of->is_root && !row->is_around)
            OC_TRY(oc_oddities_keep(&sheet->ingest.oddities, CSV_NOT_DECLARED, row->id));
    }
    return OCELOTL_OK;
}

/* How pj_dump was called, which `export` writes its lines like. */
static ocelotl_status name_producer(const csv_sheet *sheet)
{
    static const char *const units[] = {"", ", times in ms", ", times in us", ", times in ns"};
    char producer[64];
    if (!sheet->is_dump)
        return OCELOTL_OK;
    snprintf(producer, sizeof producer, "pj_dump -l %" PRIu32 "%s", sheet->dump_digits,
             units[sheet->ingest.unit_digits / 3]);
    return ocelotl_writer_producer(sheet->ingest.writer, producer);
}

ocelotl_status csv_sheet_write(csv_sheet *sheet)
{
    int64_t last;
    oc_ingest *ingest = &sheet->ingest;
    OC_TRY(ocelotl_writer_refine(ingest->writer, oc_power_of_ten(ingest->unit_digits)));
    OC_TRY(name_producer(sheet));
    OC_TRY(settle_ends(sheet));
    settle_lives(sheet, &last);
    OC_TRY(settle_rows(sheet));
    OC_TRY(csv_variables_finish(sheet, last));
    OC_TRY(oc_ingest_declare(ingest, NULL));
    OC_TRY(csv_nested_write(&sheet->nested, ingest));
    return oc_ingest_end(ingest, NULL, NULL);
}
