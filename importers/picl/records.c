/* What records mean: states of processors, marks, and both ends of messages. */
#include "importers/picl/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* A record at its place. */
typedef struct happening {
    const picl_record *record;
    picl_processor *processor;
    int64_t time;
} happening;

/* Finds what the records of a kind are called, with what becomes of them. */
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
    return oc_kinds_find(kind, &reader->ingest.kinds, name, strlen(name), fate, why);
}

static ocelotl_status count(picl_reader *reader, const picl_record *record, ocelotl_fate fate,
                            const char *why)
{
    uint32_t kind;
    OC_TRY(find_kind(&kind, reader, record, fate, why));
    oc_kinds_add(&reader->ingest.kinds, kind);
    return OCELOTL_OK;
}

ocelotl_status picl_leave_out(void *context, const oc_sorted *end)
{
    picl_reader *reader = context;
    const uint32_t kind = oc_map_get(&reader->end_of, &end->value, sizeof end->value);
    return kind != OC_MAP_NONE
               ? oc_kinds_leave_out(&reader->ingest.kinds, kind, "it ends what did not begin")
               : OCELOTL_OK;
}

/* --- States and marks */

/* Calls that pass messages: what they say is in the links. */
static bool passes_message(int64_t event)
{
    return event <= -20 && event > -70;
}

static ocelotl_status add(picl_reader *reader, const happening *at, oc_sorted_kind kind,
                          int64_t event, const char *data)
{
    uint32_t ends;
    const bool is_mark = kind == OC_SORTED_INSTANT;
    const ocelotl_attribute_value attribute = {is_mark ? reader->mark_data : reader->state_data,
                                               data, strlen(data)};
    oc_sorted sorted = {.stream = at->processor->row,
                        .kind = kind,
                        .time = at->time,
                        .order = at->processor->row,
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
    return oc_ingest_add(&reader->ingest, &sorted);
}

/* When the processor entered its call, in the ticks of now. */
static int64_t time_entered(const picl_reader *reader, const picl_processor *processor)
{
    return processor->time * (int64_t)oc_power_of_ten(reader->ingest.digits - processor->digits);
}

/* A call inside which something happens, or that takes time, is a state. */
static ocelotl_status settle(picl_reader *reader, picl_processor *processor)
{
    const uint64_t line = reader->ingest.line;
    if (!processor->is_entered)
        return OCELOTL_OK;
    processor->is_entered = false;
    const happening began = {NULL, processor, time_entered(reader, processor)};
    reader->ingest.line = processor->line;
    OC_TRY(add(reader, &began, OC_SORTED_BEGIN, processor->event, ""));
    reader->ingest.line = line;
    return OCELOTL_OK;
}

ocelotl_status picl_finish(picl_reader *reader)
{
    for (size_t i = 0; i < reader->processor_count; i++)
        OC_TRY(settle(reader, &reader->processors[i]));
    return OCELOTL_OK;
}

static ocelotl_status enter(picl_reader *reader, const happening *at, int64_t event)
{
    picl_processor *processor = at->processor;
    OC_TRY(settle(reader, processor));
    if (!passes_message(event))
        return add(reader, at, OC_SORTED_BEGIN, event,
                   reader->form == PICL_NEW ? at->record->text : "");
    processor->is_entered = true;
    processor->event = event;
    processor->time = at->time;
    processor->digits = reader->ingest.digits;
    processor->line = reader->ingest.line;
    return OCELOTL_OK;
}

static ocelotl_status leave(picl_reader *reader, const happening *at, int64_t event)
{
    picl_processor *processor = at->processor;
    if (processor->is_entered && processor->event == event &&
        time_entered(reader, processor) == at->time) {
        processor->is_entered = false;
        return OCELOTL_OK;
    }
    OC_TRY(settle(reader, processor));
    return add(reader, at, OC_SORTED_END, event, "");
}

/* The processor lives from its first record, or to its last. */
static ocelotl_status live(picl_reader *reader, const happening *at, bool begins)
{
    oc_ingest_row *row = &reader->ingest.rows[at->processor->row];
    row->life |= begins ? OC_BEGINS_WITH_CONTENT : OC_ENDS_WITH_CONTENT;
    return OCELOTL_OK;
}

/* --- Messages: those from one processor to another with one tag keep their order */

static ocelotl_status take_side(picl_reader *reader, const happening *at, bool is_sent,
                                int64_t other, int64_t tag, int64_t bytes)
{
    const int64_t here = at->processor->number;
    const int64_t key[3] = {is_sent ? here : other, is_sent ? other : here, tag};
    char texts[2][24];
    snprintf(texts[0], sizeof texts[0], "%" PRId64, bytes);
    snprintf(texts[1], sizeof texts[1], "%" PRId64, tag);
    const ocelotl_attribute_value attributes[] = {
        {reader->size_attribute, texts[0], strlen(texts[0])},
        {reader->tag_attribute, texts[1], strlen(texts[1])}};
    const oc_sorted side = {.stream = at->processor->row,
                            .kind = is_sent ? OC_SORTED_LINK_BEGIN : OC_SORTED_LINK_END,
                            .time = at->time,
                            .type = reader->link_type,
                            .value = reader->message,
                            .attributes = attributes,
                            .attribute_count = 2};
    return oc_ingest_side(&reader->ingest, &side, key, sizeof key);
}

/* --- The new form */

static ocelotl_status take_new(picl_reader *reader, const happening *at)
{
    const picl_record *is = at->record;
    const bool begins = is->type == PICL_ENTRY;
    if (is->event == PICL_TRACING) {
        OC_TRY(live(reader, at, begins));
        return count(reader, is, OCELOTL_FATE_DEFINITION, NULL);
    }
    OC_TRY((begins ? enter : leave)(reader, at, is->event));
    if (picl_is_send(is) || picl_is_receive(is))
        OC_TRY(take_side(reader, at, begins, is->data[2], is->data[1], is->data[0]));
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
    *fate = OCELOTL_FATE_LINK;
    switch (is->event) {
    case PICL_OLD_START:
    case PICL_OLD_STOP:
    case PICL_OLD_EXIT:
        *fate = OCELOTL_FATE_DEFINITION;
        return live(reader, at, is->event == PICL_OLD_START);
    case PICL_OLD_BLOCKING:
        return enter(reader, at, PICL_RECEIVE_BLOCKING);
    case PICL_OLD_WAKING:
        OC_TRY(leave(reader, at, PICL_RECEIVE_BLOCKING));
        __attribute__((fallthrough));
    case PICL_OLD_SEND:
    case PICL_OLD_RECEIVE:
        return take_side(reader, at, is->event == PICL_OLD_SEND, is->data[0], is->data[1],
                         is->data[2]);
    case PICL_OLD_BEGIN:
    case PICL_OLD_END:
        *fate = OCELOTL_FATE_STATE;
        return (is->event == PICL_OLD_BEGIN ? enter : leave)(reader, at,
                                                             event_of_block(is->data[0]));
    default:
        *fate = OCELOTL_FATE_EVENT;
        OC_TRY(settle(reader, at->processor));
        return add(reader, at, OC_SORTED_INSTANT, is->event, is->text);
    }
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
    OC_TRY(oc_ingest_time(&at.time, &reader->ingest, &record->time, PICL_FINE_TIME));
    OC_TRY(picl_find_processor(&at.processor, reader, record->processor, at.time));
    if (reader->form == PICL_NEW)
        return take_new(reader, &at);
    OC_TRY(do_old(&fate, reader, &at));
    return count(reader, record, fate, NULL);
}
