/* States, events and links on their way to the writer: at once, or sorted. */
#include "importers/paraver/reader.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For all that is sorted; links have a part of it. */
static const size_t memory = (size_t)256 << 20;

/* Fails for a record out of order: the file is read anew, and sorted. */
static ocelotl_status fail_order(paraver_reader *reader)
{
    reader->is_disordered = true;
    return oc_fail(OCELOTL_ERROR_INPUT, "a record is out of order, expected them sorted by time");
}

/* --- States of the records */

static ocelotl_status find_state_stream(paraver_row *row, paraver_reader *reader)
{
    if (row->stream != OCELOTL_NONE)
        return OCELOTL_OK;
    row->last = INT64_MIN;
    return ocelotl_writer_stream(&row->stream, reader->writer, row->resource,
                                 reader->types[0].event_type, OCELOTL_ROLE_STATES);
}

static ocelotl_status pop_until(paraver_row *row, paraver_reader *reader, int64_t time)
{
    while (row->depth > 0 && row->ends[row->depth - 1] <= time)
        OC_TRY(ocelotl_writer_stream_pop(reader->writer, row->stream, row->ends[--row->depth], NULL,
                                         0));
    return OCELOTL_OK;
}

static ocelotl_status push_state(paraver_reader *reader, const paraver_place *place, int64_t end,
                                 uint32_t value)
{
    paraver_row *row = &reader->rows[place->row];
    OC_TRY(find_state_stream(row, reader));
    if (place->time < row->last)
        return fail_order(reader);
    OC_TRY(pop_until(row, reader, place->time));
    if (row->depth > 0 && row->ends[row->depth - 1] < end)
        return fail_order(reader);
    OC_TRY(oc_grow(&row->ends, &row->capacity, row->depth + 1, sizeof *row->ends));
    OC_TRY(ocelotl_writer_stream_push(reader->writer, row->stream, value, place->time, NULL, 0));
    row->ends[row->depth++] = end;
    row->last = place->time;
    return OCELOTL_OK;
}

/* Returns whether a state means "not created": by convention 2, or the one that the .pcf names
 * so. */
static bool is_unborn(const paraver_reader *reader, int64_t state)
{
    enum { NOT_CREATED = 2 };
    static const char word[] = "Not created";
    const paraver_label *label = paraver_names_label(&reader->names, 0, state);
    if (label == NULL || label->text == NULL)
        return state == NOT_CREATED;
    return strcmp(label->text, word) == 0;
}

void paraver_note_life(paraver_reader *reader, uint32_t thread, int64_t end, int64_t state)
{
    if (is_unborn(reader, state) && reader->threads[thread].life < end)
        reader->threads[thread].life = end;
}

/* A thread that is not created when the trace begins lives from then on. */
static ocelotl_status take_unborn(bool *taken, paraver_reader *reader, const paraver_place *place,
                                  int64_t end, int64_t state)
{
    paraver_thread *thread = &reader->threads[place->thread];
    *taken = place->time == 0 && is_unborn(reader, state);
    if (!*taken)
        return OCELOTL_OK;
    oc_kinds_add(&reader->shared->kinds, reader->shared->kind_of[PARAVER_KIND_UNBORN]);
    if (thread->life < end) {
        if (reader->has_resources && !reader->by_cpu)
            return fail_order(reader);
        thread->life = end;
    }
    return OCELOTL_OK;
}

ocelotl_status paraver_add_state(paraver_reader *reader, const paraver_place *place, int64_t end,
                                 int64_t state)
{
    uint32_t value;
    bool taken = false;
    if (place->time == 0)
        OC_TRY(take_unborn(&taken, reader, place, end, state));
    if (taken)
        return OCELOTL_OK;
    OC_TRY(paraver_find_value(&value, reader, &reader->types[0], state));
    oc_kinds_add(&reader->shared->kinds, reader->shared->kind_of[PARAVER_KIND_STATE]);
    if (!reader->sorts)
        return push_state(reader, place, end, value);
    const oc_sorted record = {.stream = reader->header.thread_count + place->row,
                              .kind = OC_SORTED_SPAN,
                              .group = reader->lines.number,
                              .time = place->time,
                              .end = end,
                              .value = value};
    return oc_sorting_add(reader->records, &record);
}

/* --- Events */

static ocelotl_status add_slots(paraver_slots *slots, size_t count)
{
    OC_TRY(oc_grow(&slots->list, &slots->capacity, count, sizeof *slots->list));
    while (slots->count < count)
        slots->list[slots->count++] =
            (paraver_slot){.row = OCELOTL_NONE, .stream = OCELOTL_NONE, .last = INT64_MIN};
    return OCELOTL_OK;
}

/* Memory is in proportion to the records, however many threads and types a trace has. */
static ocelotl_status find_slot(paraver_slot **slot, paraver_reader *reader, uint32_t thread,
                                uint32_t number)
{
    const uint32_t key[2] = {thread, number};
    const bool is_near = number < PARAVER_NEAR_SLOTS;
    paraver_slots *slots = is_near ? &reader->threads[thread].slots : &reader->far_slots;
    uint32_t place = is_near ? number : oc_map_get(&reader->far_slot_of, key, sizeof key);
    if (place == OC_MAP_NONE) {
        place = (uint32_t)slots->count;
        OC_TRY(oc_map_set(&reader->far_slot_of, key, sizeof key, place));
    }
    if (place >= slots->count)
        OC_TRY(add_slots(slots, (size_t)place + 1));
    *slot = &slots->list[place];
    return OCELOTL_OK;
}

static ocelotl_status move_slot(paraver_slot *slot, paraver_reader *reader,
                                const paraver_type *type, uint32_t row)
{
    static const ocelotl_role roles[] = {[PARAVER_INSTANT] = OCELOTL_ROLE_EVENTS,
                                         [PARAVER_STATE] = OCELOTL_ROLE_STATES,
                                         [PARAVER_COUNTER] = OCELOTL_ROLE_VARIABLE};
    slot->row = row;
    return ocelotl_writer_stream(&slot->stream, reader->writer, reader->rows[row].resource,
                                 type->event_type, roles[type->way]);
}

/* Adds a count since the record before, or since the thread's life began. It goes where the thread
 * is now, and there it grows from then on. */
static ocelotl_status count_on(paraver_slot *slot, paraver_reader *reader, const paraver_type *type,
                               const paraver_place *place, const paraver_field *field)
{
    const double counted =
        field->is_large ? (double)(uint64_t)field->number : (double)field->number;
    const int64_t life = reader->threads[place->thread].life;
    const int64_t since = slot->last != INT64_MIN ? slot->last
                          : life < place->time    ? life
                                                  : place->time;
    if (place->time < since)
        return fail_order(reader);
    slot->last = place->time;
    if (slot->row != place->row) {
        OC_TRY(move_slot(slot, reader, type, place->row));
        OC_TRY(ocelotl_writer_stream_variable(reader->writer, slot->stream, since, 0, NULL, 0));
    }
    return ocelotl_writer_stream_variable(reader->writer, slot->stream, place->time, counted, NULL,
                                          0);
}

/* Ends the state at a place of a slot. */
static ocelotl_status end_open(paraver_slot *slot, paraver_reader *reader, const paraver_type *type,
                               size_t place, int64_t time)
{
    const uint32_t row = slot->open[place].row;
    uint32_t inside = 0;
    for (size_t i = place + 1; i < slot->depth; i++) {
        inside += slot->open[i].row == row;
        slot->open[i - 1] = slot->open[i];
    }
    slot->depth--;
    if (inside == 0 && row == slot->row)
        return ocelotl_writer_stream_pop(reader->writer, slot->stream, time, NULL, 0);
    return ocelotl_writer_pop(reader->writer, reader->rows[row].resource, type->event_type, inside,
                              time, NULL, 0);
}

/* The place of the innermost state of a type, + 1; 0: none is open. */
static size_t find_open(const paraver_slot *slot, uint32_t type)
{
    size_t place = slot->depth;
    while (place > 0 && slot->open[place - 1].type != type)
        place--;
    return place;
}

/* Finds the attributes of an event without a name: its value is the first attribute of its type. */
static ocelotl_status find_attributes(ocelotl_attribute_value *carried, size_t *count,
                                      uint32_t *value, paraver_reader *reader, paraver_type *type,
                                      const paraver_field *field)
{
    OC_TRY(paraver_find_value(value, reader, type, field->number));
    *carried = (ocelotl_attribute_value){0, field->text, field->length};
    *count = *value == OCELOTL_NONE;
    return OCELOTL_OK;
}

static ocelotl_status change_state(paraver_slot *slot, paraver_reader *reader, uint32_t index,
                                   const paraver_place *place, const paraver_field *field)
{
    uint32_t value;
    paraver_type *type = &reader->types[index];
    const bool ends = field->number == 0;
    const size_t open = ends || type->rule != PARAVER_NESTS ? find_open(slot, index) : 0;
    if (open > 0) {
        if (!ends && type->rule == PARAVER_REPLACES)
            paraver_note(reader, PARAVER_STATE_REPLACED);
        if (ends && open < slot->depth)
            paraver_note(reader, OC_END_OF_OUTER);
        OC_TRY(end_open(slot, reader, type, open - 1, place->time));
    } else if (ends) {
        paraver_note(reader, OC_END_LEFT_OUT);
        /* A pair that was counted as what its type makes of it makes nothing. */
        OC_TRY(
            oc_kinds_leave_out(&reader->shared->kinds, type->kind, "it ends what did not begin"));
    }
    if (ends)
        return OCELOTL_OK;
    OC_TRY(paraver_find_value(&value, reader, type, field->number));
    if (slot->row != place->row)
        OC_TRY(move_slot(slot, reader, type, place->row));
    OC_TRY(oc_grow(&slot->open, &slot->capacity, slot->depth + 1, sizeof *slot->open));
    OC_TRY(ocelotl_writer_stream_push(reader->writer, slot->stream, value, place->time, NULL, 0));
    slot->open[slot->depth++] = (paraver_open){index, place->row};
    return OCELOTL_OK;
}

static ocelotl_status apply_event(paraver_reader *reader, const paraver_place *place,
                                  uint32_t index, const paraver_field *field)
{
    paraver_slot *slot;
    paraver_type *type = &reader->types[index];
    ocelotl_attribute_value carried;
    size_t count = 0;
    uint32_t value = 0;
    OC_TRY(find_slot(&slot, reader, place->thread, type->slot));
    if (type->way == PARAVER_COUNTER)
        return count_on(slot, reader, type, place, field);
    if (place->time < slot->last)
        return fail_order(reader);
    slot->last = place->time;
    if (type->way == PARAVER_STATE)
        return change_state(slot, reader, index, place, field);
    if (slot->row != place->row)
        OC_TRY(move_slot(slot, reader, type, place->row));
    OC_TRY(find_attributes(&carried, &count, &value, reader, type, field));
    return ocelotl_writer_stream_event(reader->writer, slot->stream, value, place->time, &carried,
                                       count);
}

ocelotl_status paraver_add_event(paraver_reader *reader, const paraver_place *place, uint32_t type,
                                 const paraver_field *value)
{
    oc_kinds_add(&reader->shared->kinds, reader->types[type].kind);
    if (!reader->sorts)
        return apply_event(reader, place, type, value);
    const oc_sorted record = {.stream = place->thread,
                              .kind = OC_SORTED_OTHER,
                              .group = reader->lines.number,
                              .time = place->time,
                              .detail = (uint64_t)value->number,
                              .order = place->row,
                              .type = type,
                              .value = value->is_large};
    return oc_sorting_add(reader->records, &record);
}

/* --- Links */

static const char *const link_attributes[4] = {"size", "tag", "physical_send", "physical_receive"};

ocelotl_status paraver_add_link(paraver_reader *reader, const paraver_place *from,
                                const paraver_place *to, const paraver_field fields[4])
{
    ocelotl_attribute_value carried[4];
    for (size_t i = 0; i < 4; i++)
        carried[i] = (ocelotl_attribute_value){reader->shared->link_attributes[i], fields[i].text,
                                               fields[i].length};
    const oc_timelines_link link = {.from = from->row,
                                    .to = to->row,
                                    .begin = from->time,
                                    .end = to->time,
                                    .type = reader->shared->link_type,
                                    .value = reader->shared->link_value,
                                    .attributes = carried,
                                    .attribute_count = 4};
    oc_kinds_add(&reader->shared->kinds, reader->shared->kind_of[PARAVER_KIND_LINK]);
    return oc_timelines_add_link(&reader->timelines, &link);
}

static ocelotl_status write_links(paraver_reader *reader)
{
    oc_timelines_plan plan = {.lane_type = OCELOTL_NONE};
    oc_timelines_row *rows = NULL;
    OC_TRY(oc_allocate(&rows, reader->row_count, sizeof *rows));
    for (size_t i = 0; i < reader->row_count; i++)
        rows[i] = (oc_timelines_row){.resource = reader->rows[i].resource,
                                     .type = reader->shared->resource_types[2]};
    plan.rows = rows;
    plan.row_count = reader->row_count;
    const ocelotl_status status = oc_timelines_write(&reader->timelines, &plan);
    free(rows);
    return status;
}

/* --- What was sorted */

static ocelotl_status apply_sorted_event(paraver_reader *reader, const oc_sorted *record)
{
    char text[32];
    const bool is_large = record->value != 0;
    const paraver_place place = {record->stream, record->order, record->time};
    paraver_field field = {.number = (int64_t)record->detail, .text = text, .is_large = is_large};
    field.length = (uint32_t)(is_large ? oc_print_unsigned(text, record->detail)
                                       : oc_print_signed(text, field.number));
    reader->lines.number = record->group;
    return apply_event(reader, &place, record->type, &field);
}

static ocelotl_status apply_sorted_state(paraver_reader *reader, const oc_sorted *record)
{
    bool crosses;
    oc_sorted span = *record;
    span.type = reader->types[0].event_type;
    span.group = 0;
    OC_TRY(oc_lanes_add(&crosses, &reader->lanes, &span, OC_NEST_BY_TIME));
    if (crosses) {
        reader->lines.number = record->group;
        paraver_note(reader, OC_STATE_CROSSES);
    }
    return OCELOTL_OK;
}

/* Events come by thread, then states by row. */
static ocelotl_status write_sorted(paraver_reader *reader)
{
    const oc_sorted *record;
    const uint32_t threads = reader->header.thread_count;
    uint32_t row = OCELOTL_NONE;
    reader->lanes.writer = reader->writer;
    reader->lanes.lane_type = OCELOTL_NONE;
    reader->lanes.row_type = reader->shared->resource_types[2];
    OC_TRY(oc_sorting_finish(reader->records));
    for (;;) {
        OC_TRY(oc_sorting_next(&record, reader->records));
        if (record == NULL)
            break;
        if (record->stream < threads) {
            OC_TRY(apply_sorted_event(reader, record));
            continue;
        }
        if (row != record->stream) {
            OC_TRY(oc_lanes_end(&reader->lanes));
            oc_lanes_begin(&reader->lanes, reader->rows[record->stream - threads].resource);
            row = record->stream;
        }
        OC_TRY(apply_sorted_state(reader, record));
    }
    return oc_lanes_end(&reader->lanes);
}

/* --- All of it */

ocelotl_status paraver_events_begin(paraver_reader *reader)
{
    const char *target = reader->import->target;
    OC_TRY(oc_timelines_open(&reader->timelines, reader->writer, &reader->shared->oddities, target,
                             memory));
    if (reader->sorts)
        OC_TRY(oc_sorting_open(&reader->records, target, memory / 8 * 6, false));
    return OCELOTL_OK;
}

ocelotl_status paraver_links_declare(paraver_reader *reader)
{
    OC_TRY(ocelotl_writer_event_type(&reader->shared->link_type, reader->writer, OCELOTL_LINK,
                                     OCELOTL_ROOT, "Communication", -1));
    OC_TRY(ocelotl_writer_value(&reader->shared->link_value, reader->writer,
                                reader->shared->link_type, "Message", -1));
    for (size_t i = 0; i < 4; i++)
        OC_TRY(ocelotl_writer_attribute(&reader->shared->link_attributes[i], reader->writer,
                                        reader->shared->link_type, link_attributes[i]));
    return OCELOTL_OK;
}

/* States that events began end with the trace. */
static void end_slots(paraver_reader *reader, const paraver_slots *slots)
{
    for (size_t i = 0; i < slots->count; i++)
        for (size_t open = 0; open < slots->list[i].depth; open++)
            oc_oddities_note(&reader->shared->oddities, OC_STATE_OPEN, "", 0);
}

ocelotl_status paraver_events_end(paraver_reader *reader)
{
    if (reader->sorts)
        OC_TRY(write_sorted(reader));
    oc_sorting_free(reader->records);
    reader->records = NULL;
    for (size_t i = 0; i < reader->row_count; i++)
        OC_TRY(pop_until(&reader->rows[i], reader, INT64_MAX));
    for (size_t i = 0; i < reader->header.thread_count; i++)
        end_slots(reader, &reader->threads[i].slots);
    end_slots(reader, &reader->far_slots);
    return write_links(reader);
}

static void free_slots(paraver_slots *slots)
{
    for (size_t i = 0; i < slots->count; i++)
        free(slots->list[i].open);
    free(slots->list);
}

void paraver_events_free(paraver_reader *reader)
{
    for (size_t i = 0; reader->threads != NULL && i < reader->header.thread_count; i++)
        free_slots(&reader->threads[i].slots);
    free_slots(&reader->far_slots);
    oc_map_free(&reader->far_slot_of);
    oc_sorting_free(reader->records);
    oc_timelines_free(&reader->timelines);
    oc_lanes_free(&reader->lanes);
}
