#include "importers/otf2/location.h"

#include "base/memory.h"
#include "base/plain.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

/* --- Failures and oddities */

static bool fail(otf2_location *location, ocelotl_status status, const char *message)
{
    location->status = status;
    snprintf(location->message, sizeof location->message, "%s", message);
    return false;
}

bool otf2_location_check(otf2_location *location, ocelotl_status status)
{
    return status == OCELOTL_OK || fail(location, status, ocelotl_error_message());
}

void otf2_location_note(otf2_location *location, size_t oddity)
{
    if (location->oddities[oddity]++ == 0)
        location->places[oddity] = location->number;
}

static bool fail_time(otf2_location *location, const char *what)
{
    location->is_placed = true;
    return fail(location, OCELOTL_ERROR_INPUT, what);
}

bool otf2_timing_scale(int64_t *ticks, const otf2_timing *timing)
{
    if (timing->resolution == 0)
        return true;
    const wide scaled = (wide)*ticks * OC_OTF2_NANOSECONDS / (wide)timing->resolution;
    *ticks = (int64_t)scaled;
    return *ticks == scaled;
}

bool otf2_timing_tick(int64_t *tick, const otf2_timing *timing, uint64_t stamp)
{
    *tick = (int64_t)(stamp - timing->base);
    return (stamp >= timing->base) == (*tick >= 0) && otf2_timing_scale(tick, timing) &&
           !__builtin_add_overflow(*tick, timing->shift, tick);
}

/* --- Batches */

void otf2_batch_clear(otf2_batch *batch)
{
    batch->count = 0;
    batch->is_last = false;
    oc_text_clear(&batch->bytes);
}

void otf2_batch_free(otf2_batch *batch)
{
    free(batch->records);
    oc_text_free(&batch->bytes);
    *batch = (otf2_batch){0};
}

/* --- Records */

bool otf2_location_begin(otf2_location *location, otf2_kind kind, OTF2_TimeStamp stamp,
                         int64_t *time)
{
    *time = location->last;
    location->number++;
    if (location->status != OCELOTL_OK)
        return false;
    if (!otf2_timing_tick(time, &location->timing, stamp))
        return fail_time(location, "the time is more than 2^63 ticks from the trace's beginning");
    if (location->has_begun && *time < location->last) {
        if (!location->lenient)
            return fail_time(location, "the time goes back, expected none before that of the "
                                       "record before (--lenient takes that one)");
        otf2_location_note(location, OC_OTF2_TIME_BACK);
        *time = location->last;
    }
    location->last = *time;
    location->counts[kind]++;
    if (!location->has_begun)
        location->first = *time;
    location->has_begun = true;
    location->last_kind = kind;
    return true;
}

bool otf2_location_add(otf2_location *location, otf2_action action, otf2_type type, uint32_t value,
                       int64_t time)
{
    otf2_batch *batch = location->batch;
    if (batch->count == batch->capacity &&
        !otf2_location_check(location, oc_grow(&batch->records, &batch->capacity, batch->count + 1,
                                               sizeof *batch->records)))
        return false;
    location->record = &batch->records[batch->count++];
    *location->record = (otf2_record){.time = time,
                                      .value = value,
                                      .detail = (uint32_t)batch->bytes.length,
                                      .type = type,
                                      .action = (uint8_t)action};
    return true;
}

void otf2_location_detail(otf2_location *location, const void *detail, size_t size)
{
    oc_text_append(&location->batch->bytes, detail, size);
}

static void put(otf2_location *location, uint32_t key, const char *text, size_t length)
{
    const otf2_attribute attribute = {key, (uint32_t)length};
    oc_text *bytes = &location->batch->bytes;
    if (location->record->attribute_count == OC_OTF2_MOST_ATTRIBUTES)
        return;
    oc_text_append(bytes, (const char *)&attribute, sizeof attribute);
    oc_text_append(bytes, text, length);
    oc_text_append(bytes, "", 1);
    location->record->attribute_count++;
}

void otf2_put_text(otf2_location *location, uint32_t key, const char *text)
{
    if (text != NULL)
        put(location, key, text, strlen(text));
}

void otf2_put_count(otf2_location *location, uint32_t key, uint64_t number)
{
    char digits[OC_WHOLE_SIZE];
    put(location, key, digits, oc_print_unsigned(digits, number));
}

void otf2_put_number(otf2_location *location, uint32_t key, int64_t number)
{
    char digits[OC_WHOLE_SIZE];
    put(location, key, digits, oc_print_signed(digits, number));
}

void otf2_put_name(otf2_location *location, uint32_t key, const otf2_table *table,
                   uint64_t reference)
{
    const char *name = otf2_definitions_name(location->definitions, table, reference);
    if (name != NULL)
        otf2_put_text(location, key, name);
    else if (reference != UINT32_MAX)
        otf2_put_count(location, key, reference);
}

void otf2_put_communicator(otf2_location *location, uint32_t communicator)
{
    char text[200];
    const otf2_table *table = &location->definitions->communicators;
    const otf2_item *item = otf2_table_find(table, communicator);
    const char *name = otf2_definitions_name(location->definitions, table, communicator);
    if (item == NULL || item->kind == 0 || name == NULL) {
        otf2_put_name(location, OC_OTF2_KEY_COMMUNICATOR, table, communicator);
        return;
    }
    snprintf(text, sizeof text, "%.150s (%" PRIu32 ")", name, communicator);
    otf2_put_text(location, OC_OTF2_KEY_COMMUNICATOR, text);
}

void otf2_put_handle(otf2_location *location, uint32_t handle)
{
    const otf2_definitions *definitions = location->definitions;
    const otf2_item *item = otf2_table_find(&definitions->handles, handle);
    otf2_put_name(location, OC_OTF2_KEY_HANDLE, &definitions->handles, handle);
    if (item != NULL)
        otf2_put_text(location, OC_OTF2_KEY_FILE,
                      otf2_definitions_name(definitions, &definitions->files, item->parent));
}

/* --- Attributes of the archive's own */

/* What a value refers to by number has a name in one of these tables. */
#define TABLE(name) offsetof(otf2_definitions, name)
static const size_t tables[] = {
    [OTF2_TYPE_ATTRIBUTE] = TABLE(attributes), [OTF2_TYPE_LOCATION] = TABLE(locations),
    [OTF2_TYPE_REGION] = TABLE(regions),       [OTF2_TYPE_GROUP] = TABLE(sets),
    [OTF2_TYPE_COMM] = TABLE(communicators),   [OTF2_TYPE_PARAMETER] = TABLE(parameters),
    [OTF2_TYPE_RMA_WIN] = TABLE(windows),      [OTF2_TYPE_LOCATION_GROUP] = TABLE(groups),
    [OTF2_TYPE_IO_FILE] = TABLE(files),        [OTF2_TYPE_IO_HANDLE] = TABLE(handles)};

static void put_reference(otf2_location *location, uint32_t key, OTF2_Type type,
                          OTF2_AttributeValue value)
{
    const otf2_definitions *definitions = location->definitions;
    const uint64_t number = type == OTF2_TYPE_LOCATION ? value.uint64 : value.uint32;
    const size_t table = type < sizeof tables / sizeof tables[0] ? tables[type] : 0;
    if (type == OTF2_TYPE_STRING)
        otf2_put_text(location, key, otf2_definitions_string(definitions, value.uint32));
    else if (table != 0)
        otf2_put_name(location, key,
                      (const otf2_table *)(const void *)((const char *)definitions + table),
                      number);
    else
        otf2_put_count(location, key, number);
}

static void put_value(otf2_location *location, uint32_t key, OTF2_Type type,
                      OTF2_AttributeValue value)
{
    char text[40];
    switch (type) {
    case OTF2_TYPE_NONE:
        return;
    case OTF2_TYPE_UINT8:
        otf2_put_count(location, key, value.uint8);
        return;
    case OTF2_TYPE_UINT16:
        otf2_put_count(location, key, value.uint16);
        return;
    case OTF2_TYPE_UINT32:
        otf2_put_count(location, key, value.uint32);
        return;
    case OTF2_TYPE_UINT64:
        otf2_put_count(location, key, value.uint64);
        return;
    case OTF2_TYPE_INT8:
        otf2_put_number(location, key, value.int8);
        return;
    case OTF2_TYPE_INT16:
        otf2_put_number(location, key, value.int16);
        return;
    case OTF2_TYPE_INT32:
        otf2_put_number(location, key, value.int32);
        return;
    case OTF2_TYPE_INT64:
        otf2_put_number(location, key, value.int64);
        return;
    case OTF2_TYPE_FLOAT:
    case OTF2_TYPE_DOUBLE:
        oc_plain_print(text, sizeof text, "%.17g",
                       type == OTF2_TYPE_FLOAT ? (double)value.float32 : value.float64);
        otf2_put_text(location, key, text);
        return;
    default:
        put_reference(location, key, type, value);
    }
}

void otf2_location_leave_out(otf2_location *location, const OTF2_AttributeList *list)
{
    for (uint32_t i = OTF2_AttributeList_GetNumberOfElements(list); i > 0; i--)
        otf2_location_note(location, OC_OTF2_ATTRIBUTES_LOST);
}

OTF2_CallbackCode otf2_location_end(otf2_location *location, const OTF2_AttributeList *list)
{
    const otf2_table *attributes = &location->definitions->attributes;
    const uint32_t count = OTF2_AttributeList_GetNumberOfElements(list);
    for (uint32_t i = 0; i < count; i++) {
        OTF2_AttributeRef reference;
        OTF2_Type type;
        OTF2_AttributeValue value;
        if (OTF2_AttributeList_GetAttributeByIndex(list, i, &reference, &type, &value) !=
            OTF2_SUCCESS)
            continue;
        const otf2_item *item = otf2_table_find(attributes, reference);
        if (item == NULL) {
            otf2_location_note(location, OC_OTF2_ATTRIBUTES_LOST);
            continue;
        }
        const bool is_second = (location->before & item->more) != 0;
        location->given |= item->more;
        put_value(location, is_second ? (uint32_t)item->other : item->kind, type, value);
    }
    const oc_text *bytes = &location->batch->bytes;
    if (bytes->failed)
        (void)fail(location, OCELOTL_ERROR_MEMORY, "out of memory");
    if (bytes->length > UINT32_MAX / 2)
        (void)fail_time(location, "too many attributes");
    return otf2_location_go_on(location);
}

bool otf2_location_instant(otf2_location *location, otf2_kind kind, otf2_type type,
                           OTF2_TimeStamp stamp)
{
    int64_t time;
    return otf2_location_begin(location, kind, stamp, &time) &&
           otf2_location_add(location, OC_OTF2_INSTANT, type, (uint32_t)kind, time);
}

otf2_member otf2_location_member(otf2_location *location, uint64_t communicator)
{
    const uint32_t known = oc_map_get(&location->members, &communicator, sizeof communicator);
    if (known != OC_MAP_NONE)
        return (otf2_member){known >> 1, known & 1};
    const otf2_member found =
        otf2_definitions_member(location->definitions, communicator, location->index);
    (void)otf2_location_check(location,
                              oc_map_set(&location->members, &communicator, sizeof communicator,
                                         (uint32_t)found.location << 1 | found.is_first));
    return found;
}

/* --- The end */

/* Open operations are known by their begin alone. */
void otf2_location_finish(otf2_location *location)
{
    if (location->in_collective)
        location->left_out[location->collective_kind]++;
    for (size_t i = 0; i < OC_OTF2_CROSSING; i++)
        location->oddities[OC_STATE_OPEN] += location->open[i].count;
    if (location->batch->bytes.failed)
        (void)fail(location, OCELOTL_ERROR_MEMORY, "out of memory");
}

void otf2_location_free(otf2_location *location)
{
    for (size_t i = 0; i < OC_OTF2_NESTS; i++)
        free(location->open[i].items);
    for (size_t i = 0; i < OC_OTF2_CROSSING; i++)
        free(location->moved[i].items);
    free(location->measured);
    oc_map_free(&location->collectives);
    oc_map_free(&location->members);
    *location = (otf2_location){0};
}
