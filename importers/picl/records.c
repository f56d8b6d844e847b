/* What records mean: states of processors, marks, and both ends of messages. */
#include "importers/picl/reader.h"

#include <inttypes.h>
#include <stdio.h>

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

/* Notes the kind of what ends a state: it may turn out to end nothing. */
static ocelotl_status note_end(picl_reader *reader, const picl_record *record, uint32_t value)
{
    uint32_t kind;
    if (oc_map_get(&reader->end_of, &value, sizeof value) != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(find_kind(&kind, reader, record, OCELOTL_FATE_STATE, NULL));
    return oc_map_set(&reader->end_of, &value, sizeof value, kind);
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
    if (kind == OC_SORTED_END && !passes_message(event))
        OC_TRY(note_end(reader, at->record, sorted.value));
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

static ocelotl_status take_old(picl_reader *reader, const happening *at)
{
    ocelotl_fate fate;
    OC_TRY(do_old(&fate, reader, at));
    return count(reader, at->record, fate, NULL);
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
    happening at = {.record = record};
    if (!has_meaning(record, reader->form))
        return count(reader, record, OCELOTL_FATE_LEFT_OUT,
                     "it says how the program is loaded and traced, or sums up");
    OC_TRY(picl_read_time(&at.time, reader, &record->time));
    OC_TRY(picl_find_row(&at.row, reader, record->processor, at.time));
    return reader->form == PICL_OLD ? take_old(reader, &at) : take_new(reader, &at);
}
