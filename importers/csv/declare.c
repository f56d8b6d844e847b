/* The end of a table: resources, types and values are declared, then all that happens is written.
 */
#include "base/memory.h"
#include "base/plain.h"
#include "importers/common/clock.h"
#include "importers/csv/sheet.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the writer knows of resources, by the sheet's number. */
typedef struct declaring {
    csv_sheet *sheet;
    uint32_t *resources;
    uint32_t *types; /* of resources */
    uint32_t *order; /* of resources: what is around others comes first */
    int64_t *lasts;  /* of what happens in it and inside it */
    oc_map type_of;  /* (type around it, name of the type) -> the writer's */
    size_t count;
} declaring;

/* --- Lives */

static double seconds(const csv_sheet *sheet, int64_t time)
{
    return (double)time / (double)oc_power_of_ten(sheet->digits);
}

/* Whether two times are one where they are rounded to six digits. */
static bool is_alike(const csv_sheet *sheet, int64_t one, int64_t other)
{
    char texts[2][32];
    oc_plain_print(texts[0], sizeof texts[0], "%g", seconds(sheet, one));
    oc_plain_print(texts[1], sizeof texts[1], "%g", seconds(sheet, other));
    return strcmp(texts[0], texts[1]) == 0;
}

static void settle_begin(csv_sheet *sheet, csv_resource *one)
{
    if (!one->has_begin)
        one->begin = sheet->begin;
    else if (one->is_short && one->is_used && is_alike(sheet, one->begin, one->first))
        one->begin = one->first;
    if (one->is_used && one->first < one->begin)
        one->begin = one->first;
}

/* The end as it was before it was rounded, where something that happened says it. */
static void settle_end(csv_sheet *sheet, csv_resource *one, int64_t last)
{
    if (!one->has_end && one->is_counted && one->counted >= one->last) {
        one->has_end = true;
        one->end = one->counted;
    }
    if (!one->has_end)
        return;
    if (one->is_short && is_alike(sheet, one->end, last))
        one->end = last;
    else if (one->is_short && is_alike(sheet, one->end, sheet->end))
        one->end = sheet->end;
    if (one->is_used && one->end < one->last) {
        oc_oddities_note(&sheet->oddities, CSV_END_EARLY, "", 0);
        one->end = one->last;
    }
    if (one->end < one->begin)
        one->end = one->begin;
}

static void settle_lives(const declaring *to)
{
    csv_sheet *sheet = to->sheet;
    for (size_t i = 0; i < to->count; i++)
        to->lasts[i] = sheet->resources[i].is_used ? sheet->resources[i].last : sheet->begin;
    for (size_t i = to->count; i-- > 0;) {
        const uint32_t number = to->order[i];
        csv_resource *one = &sheet->resources[number];
        settle_begin(sheet, one);
        settle_end(sheet, one, to->lasts[number]);
        if (one->parent != OCELOTL_NONE && to->lasts[number] > to->lasts[one->parent])
            to->lasts[one->parent] = to->lasts[number];
    }
}

/* The last instant of the trace. */
static int64_t last_end(const csv_sheet *sheet)
{
    int64_t last = sheet->end;
    for (size_t i = 0; i < sheet->resource_count; i++)
        if (sheet->resources[i].has_end && sheet->resources[i].end > last)
            last = sheet->resources[i].end;
    return last;
}

/* --- Resources */

/* Appends a resource and what is around it to the order, the outermost first. */
static ocelotl_status put_in_order(declaring *to, size_t *placed, uint32_t number)
{
    csv_resource *all = to->sheet->resources;
    size_t depth = 0;
    for (uint32_t one = number; one != OCELOTL_NONE && !all[one].is_placed; one = all[one].parent)
        if (++depth > to->count)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s: container \"%s\" is inside itself, expected one of its own around "
                           "it",
                           to->sheet->import->sources[0].path, all[number].name);
    size_t place = *placed + depth;
    *placed = place;
    for (uint32_t one = number; one != OCELOTL_NONE && !all[one].is_placed; one = all[one].parent) {
        to->order[--place] = one;
        all[one].is_placed = true;
    }
    return OCELOTL_OK;
}

/* When a resource was declared, or met first where no row declares it. */
typedef struct csv_turn {
    uint64_t turn;
    uint32_t resource;
} csv_turn;

static int compare_turns(const void *a, const void *b)
{
    const csv_turn *one = a;
    const csv_turn *other = b;
    return (one->turn > other->turn) - (one->turn < other->turn);
}

static ocelotl_status find_order(declaring *to)
{
    size_t placed = 0;
    csv_turn *turns = NULL;
    OC_TRY(oc_allocate(&turns, to->count, sizeof *turns));
    for (uint32_t i = 0; i < to->count; i++)
        turns[i] = (csv_turn){to->sheet->resources[i].turn, i};
    if (to->count > 0)
        qsort(turns, to->count, sizeof *turns, compare_turns);
    ocelotl_status status = OCELOTL_OK;
    for (size_t i = 0; i < to->count && status == OCELOTL_OK; i++)
        status = put_in_order(to, &placed, turns[i].resource);
    free(turns);
    return status;
}

/* Makes the ends of links at "0" the root of their file, where no container is called so. */
static ocelotl_status settle_ends(const declaring *to)
{
    csv_sheet *sheet = to->sheet;
    for (size_t i = 0; i < to->count; i++) {
        csv_resource *end = &sheet->resources[i];
        uint32_t root = 0;
        if (!end->is_end || end->is_declared)
            continue;
        while (root < to->count &&
               !(sheet->resources[root].is_root && sheet->resources[root].parent == end->parent))
            root++;
        end->is_same = root < to->count;
        end->is_root = !end->is_same;
        if (end->is_same)
            end->parent = root;
        else
            OC_TRY(csv_sheet_resource_type(&end->type, sheet, (csv_field){"0", 1}));
    }
    return OCELOTL_OK;
}

static ocelotl_status declare_resource(declaring *to, uint32_t number)
{
    csv_sheet *sheet = to->sheet;
    const csv_resource *one = &sheet->resources[number];
    const bool inside = one->parent != OCELOTL_NONE;
    if (one->is_same) {
        to->types[number] = to->types[one->parent];
        to->resources[number] = to->resources[one->parent];
        return OCELOTL_OK;
    }
    const uint32_t around = inside ? to->types[one->parent] : OCELOTL_ROOT;
    uint32_t name = one->type;
    if (name == OCELOTL_NONE)
        OC_TRY(csv_sheet_resource_type(&name, sheet,
                                       (csv_field){CSV_UNKNOWN_TYPE, sizeof CSV_UNKNOWN_TYPE - 1}));
    const uint32_t key[2] = {around, name};
    uint32_t type = oc_map_get(&to->type_of, key, sizeof key);
    if (type == OC_MAP_NONE) {
        OC_TRY(ocelotl_writer_resource_type(&type, sheet->writer, around,
                                            sheet->resource_types[name].name));
        OC_TRY(oc_map_set(&to->type_of, key, sizeof key, type));
    }
    to->types[number] = type;
    if (sheet->wants_declared && !one->is_declared && !one->is_root)
        OC_TRY(oc_oddities_keep(&sheet->oddities, CSV_NOT_DECLARED, one->name));
    return ocelotl_writer_resource(&to->resources[number], sheet->writer, type,
                                   inside ? to->resources[one->parent] : OCELOTL_ROOT, one->name,
                                   one->begin);
}

static ocelotl_status declare_resources(declaring *to)
{
    OC_TRY(settle_ends(to));
    if (to->sheet->has_levels)
        OC_TRY(csv_order_numbers(to->sheet));
    OC_TRY(find_order(to));
    settle_lives(to);
    for (size_t i = 0; i < to->count; i++)
        OC_TRY(declare_resource(to, to->order[i]));
    return OCELOTL_OK;
}

/* --- Types and values: the writer numbers them as the sheet does */

static ocelotl_status check_number(uint32_t number, size_t expected)
{
    return number == expected ? OCELOTL_OK
                              : oc_fail(OCELOTL_ERROR_INTERNAL, "number %" PRIu32 " instead of %zu",
                                        number, expected);
}

static ocelotl_status declare_type(const declaring *to, size_t index)
{
    const csv_type *type = &to->sheet->types[index];
    ocelotl_writer *writer = to->sheet->writer;
    uint32_t number;
    const uint32_t resource_type =
        type->resource != OCELOTL_NONE ? to->types[type->resource] : OCELOTL_ROOT;
    OC_TRY(
        ocelotl_writer_event_type(&number, writer, type->category, resource_type, type->name, -1));
    OC_TRY(check_number(number, index));
    for (size_t i = 0; i < type->attribute_count; i++) {
        OC_TRY(ocelotl_writer_attribute(&number, writer, (uint32_t)index, type->attributes[i]));
        OC_TRY(check_number(number, i));
    }
    return OCELOTL_OK;
}

static ocelotl_status declare_types(const declaring *to)
{
    const csv_sheet *sheet = to->sheet;
    for (size_t i = 0; i < sheet->type_count; i++)
        OC_TRY(declare_type(to, i));
    for (size_t i = 0; i < sheet->value_count; i++) {
        uint32_t number;
        const csv_value *value = &sheet->values[i];
        OC_TRY(ocelotl_writer_value(&number, sheet->writer, value->type, value->name, -1));
        OC_TRY(check_number(number, i));
    }
    return OCELOTL_OK;
}

/* --- All of it */

/* Ends the resources. All events but links are written: a link may end after the resource where it
 * began. */
static ocelotl_status end_resources(void *context)
{
    const declaring *to = context;
    for (size_t i = 0; i < to->count; i++) {
        const csv_resource *one = &to->sheet->resources[i];
        if (one->has_end && !one->is_same)
            OC_TRY(ocelotl_writer_resource_end(to->sheet->writer, to->resources[i], one->end));
    }
    return OCELOTL_OK;
}

static ocelotl_status write_rows(declaring *to, const oc_timelines_row *rows)
{
    csv_sheet *sheet = to->sheet;
    static const char *const files[] = {""};
    oc_timelines_plan plan = {.rows = rows,
                              .row_count = to->count,
                              .lane_type = OCELOTL_NONE,
                              .files = files,
                              .seen = end_resources,
                              .context = to};
    OC_TRY(csv_nested_write(&sheet->nested, sheet->writer, to->resources));
    return oc_timelines_write(&sheet->timelines, &plan);
}

static ocelotl_status write_events(declaring *to)
{
    oc_timelines_row *rows = NULL;
    OC_TRY(oc_allocate(&rows, to->count, sizeof *rows));
    for (size_t i = 0; i < to->count; i++)
        rows[i] = (oc_timelines_row){.resource = to->resources[i], .type = to->types[i]};
    const ocelotl_status status = write_rows(to, rows);
    free(rows);
    return status;
}

/* How pj_dump was called, which `export` writes its lines like. */
static ocelotl_status name_producer(const csv_sheet *sheet)
{
    static const char *const units[] = {"", ", times in ms", ", times in us", ", times in ns"};
    char producer[64];
    if (!sheet->is_dump)
        return OCELOTL_OK;
    snprintf(producer, sizeof producer, "pj_dump -l %" PRIu32 "%s", sheet->dump_digits,
             units[sheet->unit_digits / 3]);
    return ocelotl_writer_producer(sheet->writer, producer);
}

static ocelotl_status write_all(declaring *to)
{
    csv_sheet *sheet = to->sheet;
    OC_TRY(oc_allocate(&to->resources, to->count, sizeof *to->resources));
    OC_TRY(oc_allocate(&to->types, to->count, sizeof *to->types));
    OC_TRY(oc_allocate(&to->order, to->count, sizeof *to->order));
    OC_TRY(oc_allocate(&to->lasts, to->count, sizeof *to->lasts));
    OC_TRY(
        ocelotl_writer_refine(sheet->writer, oc_power_of_ten(sheet->digits + sheet->unit_digits)));
    OC_TRY(name_producer(sheet));
    OC_TRY(declare_resources(to));
    OC_TRY(csv_variables_finish(sheet, last_end(sheet)));
    OC_TRY(declare_types(to));
    OC_TRY(write_events(to));
    for (size_t i = 0; i < sheet->import->source_count && sheet->import->notes_files; i++)
        OC_TRY(oc_source_note(&sheet->import->sources[i], sheet->writer));
    OC_TRY(oc_oddities_finish(&sheet->oddities));
    OC_TRY(oc_kinds_finish(&sheet->kinds, sheet->writer));
    return ocelotl_writer_finish(sheet->writer);
}

ocelotl_status csv_sheet_write(csv_sheet *sheet)
{
    declaring to = {.sheet = sheet, .count = sheet->resource_count};
    const ocelotl_status status = write_all(&to);
    oc_map_free(&to.type_of);
    free(to.resources);
    free(to.types);
    free(to.order);
    free(to.lasts);
    return status;
}
