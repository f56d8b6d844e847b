/* What records mean: states of processors, marks, and both ends of messages. */
#include "importers/picl/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* A record at its place. */
typedef struct happening {
    const picl_record *record;
    uint32_t row;
    int64_t time;
} happening;

static ocelotl_status find_kind(uint32_t *kind, picl_reader *reader, const picl_record *record,
                                ocelotl_fate fate, const char *why)
{
    char name[64];
    if (reader->form == PICL_OLD)
        snprintf(name, sizeof name, "%s", picl_old_name(record->event));
    else if (record->event >= 0)
        snprintf(name, sizeof name, "%" PRId64 " of a user's event", record->type);
    else
        snprintf(name, sizeof name, "%" PRId64 " %" PRId64, record->type, record->event);
    return oc_kinds_find(kind, &reader->kinds, name, strlen(name), fate, why);
}

static ocelotl_status count(picl_reader *reader, const picl_record *record, ocelotl_fate fate,
                            const char *why)
{
    uint32_t kind;
    OC_TRY(find_kind(&kind, reader, record, fate, why));
    oc_kinds_add(&reader->kinds, kind);
    return OCELOTL_OK;
}

ocelotl_status picl_leave_out(void *context, const oc_sorted *end)
{
    picl_reader *reader = context;
    const uint32_t kind = oc_map_get(&reader->end_of, &end->value, sizeof end->value);
    return kind != OC_MAP_NONE
               ? oc_kinds_leave_out(&reader->kinds, kind, "it ends what did not begin")
               : OCELOTL_OK;
}

/* --- States and marks */

/* Calls that pass messages: what they say is in the links. */
static bool passes_message(int64_t event)
{
    return event <= -20 && event > -70;
}

static ocelotl_status add(picl_reader *reader, const happening *at, oc_sorted_kind kind,
                          int64_t event, uint64_t line, const char *data)
{
    uint32_t ends;
    const bool is_mark = kind == OC_SORTED_INSTANT;
    const ocelotl_attribute_value attribute = {is_mark ? reader->mark_data : reader->state_data,
                                               data, strlen(data)};
    oc_sorted sorted = {.stream = at->row,
                        .kind = kind,
                        .time = at->time,
                        .detail = line,
                        .order = at->row,
                        .type = is_mark ? reader->mark_type : reader->state_type,
                        .attributes = &attribute,
                        .attribute_count = data[0] != '\0'};
    OC_TRY(picl_find_value(&sorted.value, reader, sorted.type, event));
    /* What ends a state may turn out to end nothing: its kind is noted. */
    if (kind == OC_SORTED_END && !passes_message(event) &&
        oc_map_get(&reader->end_of, &sorted.value, sizeof sorted.value) == OC_MAP_NONE) {
        OC_TRY(find_kind(&ends, reader, at->record, OCELOTL_FATE_STATE, NULL));
        OC_TRY(oc_map_set(&reader->end_of, &sorted.value, sizeof sorted.value, ends));
    }
    return oc_timelines_add(&reader->timelines, &sorted);
}

/* A call inside which something happens, or that takes time, is a state. */
static ocelotl_status settle(picl_reader *reader, uint32_t number)
{
    picl_row *row = &reader->rows[number];
    if (!row->is_entered)
        return OCELOTL_OK;
    row->is_entered = false;
    const happening began = {NULL, number, row->time};
    return add(reader, &began, OC_SORTED_BEGIN, row->event, row->line, "");
}

ocelotl_status picl_finish(picl_reader *reader)
{
    for (uint32_t row = 0; row < reader->row_count; row++)
        OC_TRY(settle(reader, row));
    return OCELOTL_OK;
}

static ocelotl_status enter(picl_reader *reader, const happening *at, int64_t event)
{
    picl_row *row = &reader->rows[at->row];
    OC_TRY(settle(reader, at->row));
    if (!passes_message(event))
        return add(reader, at, OC_SORTED_BEGIN, event, reader->line,
                   reader->form == PICL_NEW ? at->record->text : "");
    row->is_entered = true;
    row->event = event;
    row->time = at->time;
    row->line = reader->line;
    return OCELOTL_OK;
}

static ocelotl_status leave(picl_reader *reader, const happening *at, int64_t event)
{
    picl_row *row = &reader->rows[at->row];
    if (row->is_entered && row->event == event && row->time == at->time) {
        row->is_entered = false;
        return OCELOTL_OK;
    }
    OC_TRY(settle(reader, at->row));
    return add(reader, at, OC_SORTED_END, event, reader->line, "");
}

/* --- The new form */

static ocelotl_status take_new(picl_reader *reader, const happening *at)
{
    const picl_record *is = at->record;
    picl_row *row = &reader->rows[at->row];
    const bool begins = is->type == PICL_ENTRY;
    if (is->event == PICL_TRACING) {
        *(begins ? &row->has_begin : &row->has_end) = true;
        return count(reader, is, OCELOTL_FATE_DEFINITION, NULL);
    }
    OC_TRY((begins ? enter : leave)(reader, at, is->event));
    if (picl_is_send(is) || picl_is_receive(is))
        OC_TRY(picl_take_end(reader, at->row, begins, at->time, is->data[2], is->data[1],
                             is->data[0]));
    return count(reader, is, passes_message(is->event) ? OCELOTL_FATE_LINK : OCELOTL_FATE_STATE,
                 NULL);
}

/* --- The old form */

/* Blocks below 0 are those of the system. */
static int64_t event_of_block(int64_t type)
{
    static const int64_t own[] = {PICL_BARRIER, PICL_BROADCAST, PICL_BROADCAST, PICL_REDUCE};
    return type < 0 && type >= -4 ? own[-type - 1] : type;
}

/* Does what a record says, and tells what becomes of it. */
static ocelotl_status do_old(ocelotl_fate *fate, picl_reader *reader, const happening *at)
{
    const picl_record *is = at->record;
    picl_row *row = &reader->rows[at->row];
    *fate = OCELOTL_FATE_LINK;
    switch (is->event) {
    case PICL_OLD_START:
    case PICL_OLD_STOP:
    case PICL_OLD_EXIT:
        *fate = OCELOTL_FATE_DEFINITION;
        *(is->event == PICL_OLD_START ? &row->has_begin : &row->has_end) = true;
        return OCELOTL_OK;
    case PICL_OLD_BLOCKING:
        return enter(reader, at, PICL_RECEIVE_BLOCKING);
    case PICL_OLD_WAKING:
        OC_TRY(leave(reader, at, PICL_RECEIVE_BLOCKING));
        __attribute__((fallthrough));
    case PICL_OLD_SEND:
    case PICL_OLD_RECEIVE:
        return picl_take_end(reader, at->row, is->event == PICL_OLD_SEND, at->time, is->data[0],
                             is->data[1], is->data[2]);
    case PICL_OLD_BEGIN:
    case PICL_OLD_END:
        *fate = OCELOTL_FATE_STATE;
        return (is->event == PICL_OLD_BEGIN ? enter : leave)(reader, at,
                                                             event_of_block(is->data[0]));
    default:
        *fate = OCELOTL_FATE_EVENT;
        OC_TRY(settle(reader, at->row));
        return add(reader, at, OC_SORTED_INSTANT, is->event, reader->line, is->text);
    }
}

/* --- Times of any number of digits, as ticks */

/* All times fit if the largest does. */
static ocelotl_status refine(picl_reader *reader, uint32_t digits)
{
    bool fits;
    const uint64_t factor = oc_power_of_ten(digits - reader->digits);
    if (!oc_multiply_time(&reader->largest, reader->largest, factor))
        return oc_fail(OCELOTL_ERROR_LIMIT, "a time is too large for the finest one");
    OC_TRY(oc_timelines_refine(&fits, &reader->timelines, factor));
    OC_TRY(oc_sorting_refine(reader->sends, factor));
    OC_TRY(oc_sorting_refine(reader->receives, factor));
    OC_TRY(ocelotl_writer_refine(reader->writer, factor));
    for (size_t i = 0; i < reader->row_count; i++) {
        picl_row *row = &reader->rows[i];
        row->first *= (int64_t)factor;
        row->last *= (int64_t)factor;
        row->time *= (int64_t)factor;
    }
    reader->digits = digits;
    return OCELOTL_OK;
}

/* A tick becomes as fine as a time needs. */
static ocelotl_status read_time(int64_t *time, picl_reader *reader, const oc_decimal *decimal)
{
    if (decimal->digits > reader->digits)
        OC_TRY(refine(reader, decimal->digits));
    if (decimal->rounded)
        oc_oddities_note(&reader->oddities, PICL_FINE_TIME, reader->path, reader->line);
    if (!oc_decimal_ticks(time, decimal, reader->digits) || *time == INT64_MIN)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the time is too large, expected less than 2^63 ticks of 10^-%u s",
                       reader->digits);
    if (llabs(*time) > reader->largest)
        reader->largest = llabs(*time);
    return OCELOTL_OK;
}

/* --- Both */

/* Whether a record is of what happens in the program, not of how it is loaded and traced. */
static bool has_meaning(const picl_record *record, picl_form form)
{
    static const uint32_t keys =
        1U << PICL_OLD_START | 1U << PICL_OLD_SEND | 1U << PICL_OLD_PROBE | 1U << PICL_OLD_RECEIVE |
        1U << PICL_OLD_BLOCKING | 1U << PICL_OLD_WAKING | 1U << PICL_OLD_MESSAGE |
        1U << PICL_OLD_SYNC | 1U << PICL_OLD_MARK | 1U << PICL_OLD_STOP | 1U << PICL_OLD_EXIT |
        1U << PICL_OLD_BEGIN | 1U << PICL_OLD_END | 1U << PICL_OLD_MARKS;
    return form == PICL_OLD ? (keys >> record->event & 1) != 0
                            : record->type == PICL_ENTRY || record->type == PICL_EXIT;
}

ocelotl_status picl_take_record(picl_reader *reader, const picl_record *record)
{
    ocelotl_fate fate;
    happening at = {.record = record};
    if (!has_meaning(record, reader->form))
        return count(reader, record, OCELOTL_FATE_LEFT_OUT,
                     "it says how the program is loaded and traced, or sums up");
    OC_TRY(read_time(&at.time, reader, &record->time));
    OC_TRY(picl_find_row(&at.row, reader, record->processor, at.time));
    if (reader->form == PICL_NEW)
        return take_new(reader, &at);
    OC_TRY(do_old(&fate, reader, &at));
    return count(reader, record, fate, NULL);
}
