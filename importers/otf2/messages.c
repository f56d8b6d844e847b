#include "importers/otf2/messages.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What a record of `links` is, in its kind. */
#define WHOLE   OC_SORTED_OTHER /* ends at or before its begin: `detail` is its length, negated */
#define DEPARTS OC_SORTED_LINK_BEGIN
#define ARRIVES OC_SORTED_LINK_END
#define ALONE   OC_SORTED_INSTANT /* one end: `detail` is 1 where that is the begin */

/* `order` is which of the two types the link is of; `group` the other end. */

static const size_t memory_of_each = (size_t)64 << 20;

ocelotl_status otf2_messages_begin(otf2_messages *messages, const char *target)
{
    *messages = (otf2_messages){0};
    OC_TRY(oc_sorting_open(&messages->halves, target, memory_of_each, true));
    return oc_sorting_open(&messages->links, target, memory_of_each, false);
}

void otf2_messages_free(otf2_messages *messages)
{
    oc_sorting_free(messages->halves);
    oc_sorting_free(messages->links);
}

/* --- Links */

/* Half of what a link needs: where it is, and what it carries. */
typedef struct link_end {
    uint64_t location;
    int64_t time;
    size_t attribute_count;
    const ocelotl_attribute_value *attributes;
} link_end;

static ocelotl_status add_record(otf2_messages *messages, oc_sorted_kind kind, uint32_t type,
                                 const link_end *end, uint32_t value, uint64_t other,
                                 uint64_t detail)
{
    const oc_sorted record = {.kind = kind,
                              .group = other,
                              .time = end->time,
                              .detail = detail,
                              .order = type,
                              .type = (uint32_t)end->location,
                              .value = value,
                              .attribute_count = end->attribute_count,
                              .attributes = end->attributes};
    return oc_sorting_add(messages->links, &record);
}

/* A link that ends before it begins stands at its begin, as the writer has it. */
static ocelotl_status add_link(otf2_messages *messages, uint32_t type, const link_end *begin,
                               const link_end *end, uint32_t value)
{
    messages->matched += type == 0;
    if (end->time <= begin->time) {
        messages->reversed += type == 0 && end->time < begin->time;
        return add_record(messages, WHOLE, type, begin, value, end->location,
                          (uint64_t)begin->time - (uint64_t)end->time);
    }
    const uint64_t number = messages->next++;
    ocelotl_attribute_value listed[OC_OTF2_MOST_ATTRIBUTES]; /* those that the begin has not */
    link_end arrival = {end->location, end->time, 0, listed};
    for (size_t i = 0; i < end->attribute_count; i++) {
        size_t j = 0;
        while (j < begin->attribute_count &&
               begin->attributes[j].attribute != end->attributes[i].attribute)
            j++;
        if (j == begin->attribute_count)
            listed[arrival.attribute_count++] = end->attributes[i];
    }
    OC_TRY(add_record(messages, DEPARTS, type, begin, value, end->location, number));
    return add_record(messages, ARRIVES, type, &arrival, value, begin->location, number);
}

static ocelotl_status add_alone(otf2_messages *messages, uint32_t type, const link_end *end,
                                uint32_t value, bool is_begin)
{
    *(is_begin ? &messages->sends : &messages->receives) += 1;
    return add_record(messages, ALONE, type, end, value, 0, is_begin);
}

ocelotl_status otf2_messages_transfer(otf2_messages *messages, uint64_t location,
                                      const otf2_transfer *transfer, int64_t time, uint32_t value,
                                      const ocelotl_attribute_value *attributes, size_t count)
{
    const link_end here = {location, time, count, attributes};
    if (!transfer->has_end || transfer->peer == OC_OTF2_NOTHING)
        return add_alone(messages, 1, &here, value, true);
    const link_end begin = {transfer->is_get ? transfer->peer : location, time, count, attributes};
    const link_end end = {transfer->is_get ? location : transfer->peer, transfer->end, 0, NULL};
    return add_link(messages, 1, &begin, &end, value);
}

/* --- Halves */

ocelotl_status otf2_messages_add(otf2_messages *messages, uint64_t location, bool is_send,
                                 const otf2_message *message, int64_t time, uint32_t value,
                                 const ocelotl_attribute_value *attributes, size_t count)
{
    const link_end here = {location, time, count, attributes};
    if (message->peer == OC_OTF2_NOTHING)
        return add_alone(messages, 0, &here, value, is_send);
    const uint64_t sender = is_send ? message->self : message->peer;
    const uint64_t receiver = is_send ? message->peer : message->self;
    const oc_sorted half = {.stream = (uint32_t)sender,
                            .kind = is_send ? DEPARTS : ARRIVES,
                            .group = receiver << 32 | message->tag,
                            .time = time,
                            .detail = location,
                            .type = message->communicator,
                            .value = value,
                            .attribute_count = count,
                            .attributes = attributes};
    return oc_sorting_add(messages->halves, &half);
}

/* Halves of a sender, receiver, communicator and tag that wait, all sends or all receives: first
 * in, first out. */
typedef struct queue {
    uint32_t communicator;
    bool are_sends;
    struct waiting *first, *last;
} queue;

typedef struct waiting {
    struct waiting *next;
    uint64_t location;
    int64_t time;
    uint32_t value;
    size_t attribute_count;
    ocelotl_attribute_value attributes[]; /* and their texts */
} waiting;

typedef struct matching {
    otf2_messages *messages;
    uint32_t sender;
    uint64_t group;
    queue *queues;
    size_t queue_count, queue_capacity;
    otf2_references queue_of; /* by communicator */
} matching;

static ocelotl_status keep(waiting **kept, const oc_sorted *half)
{
    size_t size = sizeof **kept + half->attribute_count * sizeof(ocelotl_attribute_value);
    const size_t texts = size;
    for (size_t i = 0; i < half->attribute_count; i++)
        size += half->attributes[i].length + 1;
    char *memory = malloc(size);
    if (memory == NULL)
        return oc_fail_memory();
    *kept = (waiting *)(void *)memory;
    **kept = (waiting){.location = half->detail,
                       .time = half->time,
                       .value = half->value,
                       .attribute_count = half->attribute_count};
    char *text = memory + texts;
    for (size_t i = 0; i < half->attribute_count; i++) {
        const ocelotl_attribute_value *given = &half->attributes[i];
        memcpy(text, given->text, given->length);
        text[given->length] = '\0';
        (*kept)->attributes[i] = (ocelotl_attribute_value){given->attribute, text, given->length};
        text += given->length + 1;
    }
    return OCELOTL_OK;
}

static waiting *take_first(queue *from)
{
    waiting *first = from->first;
    from->first = first->next;
    return first;
}

static ocelotl_status match_half(matching *of, const oc_sorted *half)
{
    const bool is_send = half->kind == DEPARTS;
    uint64_t known = otf2_references_get(&of->queue_of, half->type);
    if (known == OC_OTF2_NOTHING) {
        known = of->queue_count;
        OC_TRY(oc_grow(&of->queues, &of->queue_capacity, known + 1, sizeof *of->queues));
        OC_TRY(otf2_references_set(&of->queue_of, half->type, known));
        of->queues[of->queue_count++] = (queue){.communicator = half->type};
    }
    if (of->queues == NULL)
        return oc_fail(OCELOTL_ERROR_INTERNAL, "a queue of messages is lost");
    queue *wait = &of->queues[known];
    if (wait->first == NULL || wait->are_sends == is_send) {
        waiting *kept = NULL;
        OC_TRY(keep(&kept, half));
        if (wait->first == NULL)
            wait->first = kept;
        else
            wait->last->next = kept;
        wait->last = kept;
        wait->are_sends = is_send;
        return OCELOTL_OK;
    }
    waiting *other = take_first(wait);
    const link_end earlier = {other->location, other->time, other->attribute_count,
                              other->attributes};
    const link_end later = {half->detail, half->time, half->attribute_count, half->attributes};
    const ocelotl_status status = is_send
                                      ? add_link(of->messages, 0, &later, &earlier, half->value)
                                      : add_link(of->messages, 0, &earlier, &later, other->value);
    free(other);
    return status;
}

/* Ends the group of a sender, receiver and tag; what is left has no other half. */
static ocelotl_status end_group(matching *of)
{
    ocelotl_status status = OCELOTL_OK;
    for (size_t i = 0; i < of->queue_count; i++)
        while (of->queues[i].first != NULL) {
            queue *wait = &of->queues[i];
            waiting *left = take_first(wait);
            const link_end end = {left->location, left->time, left->attribute_count,
                                  left->attributes};
            if (status == OCELOTL_OK)
                status = add_alone(of->messages, 0, &end, left->value, wait->are_sends);
            free(left);
        }
    of->queue_count = 0;
    otf2_references_free(&of->queue_of);
    return status;
}

ocelotl_status otf2_messages_match(otf2_messages *messages)
{
    matching of = {.messages = messages};
    ocelotl_status status = oc_sorting_finish(messages->halves);
    while (status == OCELOTL_OK) {
        const oc_sorted *half = NULL;
        status = oc_sorting_next(&half, messages->halves);
        if (status != OCELOTL_OK || half == NULL)
            break;
        if (half->stream != of.sender || half->group != of.group)
            status = end_group(&of);
        of.sender = half->stream;
        of.group = half->group;
        if (status == OCELOTL_OK)
            status = match_half(&of, half);
    }
    const ocelotl_status ended = end_group(&of);
    free(of.queues);
    oc_sorting_free(messages->halves);
    messages->halves = NULL;
    return status == OCELOTL_OK ? ended : status;
}

/* --- Writing */

typedef struct writing {
    const otf2_link_target *target;
    otf2_references open; /* links by number */
} writing;

static void note_last(const otf2_link_target *target, uint64_t location, int64_t time)
{
    if (target->last[location] < time)
        target->last[location] = time;
}

static ocelotl_status write_end(const otf2_link_target *target, uint64_t link, uint32_t location,
                                int64_t time, const oc_sorted *record)
{
    return ocelotl_writer_link_end(target->writer, link, target->resources[location], time,
                                   record != NULL ? record->attributes : NULL,
                                   record != NULL ? record->attribute_count : 0);
}

static ocelotl_status write_record(writing *of, const oc_sorted *record)
{
    uint64_t link;
    const otf2_link_target *target = of->target;
    const uint32_t resource = target->resources[record->type];
    const uint32_t type = target->types[record->order];
    note_last(target, record->type, record->time);
    if (record->kind == ALONE && record->detail == 0)
        return ocelotl_writer_link_orphan(target->writer, resource, type, record->value,
                                          record->time, record->attributes,
                                          record->attribute_count);
    if (record->kind == ARRIVES) {
        link = otf2_references_get(&of->open, record->detail);
        otf2_references_take_out(&of->open, record->detail);
        return write_end(target, link, record->type, record->time, record);
    }
    OC_TRY(ocelotl_writer_link_begin(&link, target->writer, resource, type, record->value,
                                     record->time, record->attributes, record->attribute_count));
    if (record->kind == ALONE)
        return OCELOTL_OK;
    if (record->kind == DEPARTS)
        return otf2_references_set(&of->open, record->detail, link);
    note_last(target, record->group, record->time);
    return write_end(target, link, (uint32_t)record->group,
                     (int64_t)((uint64_t)record->time - record->detail), NULL);
}

ocelotl_status otf2_messages_write(otf2_messages *messages, const otf2_link_target *target)
{
    writing of = {.target = target};
    const oc_sorted *record = NULL;
    ocelotl_status status = oc_sorting_finish(messages->links);
    while (status == OCELOTL_OK) {
        status = oc_sorting_next(&record, messages->links);
        if (status != OCELOTL_OK || record == NULL)
            break;
        status = write_record(&of, record);
    }
    otf2_references_free(&of.open);
    return status;
}
