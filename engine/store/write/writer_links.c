/* The writer's links: a record where each begins, and two where it ends. */
#include "store/write/writer.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static ocelotl_status hold_numbers(oc_writer_stream *stream, uint64_t link,
                                   const ocelotl_attribute_value *attributes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double number;
        if (attributes[i].text == NULL ||
            !oc_bytes_are_number(&number, attributes[i].text, attributes[i].length))
            continue;
        OC_TRY(oc_grow(&stream->held, &stream->held_capacity, stream->held_count + 1,
                       sizeof *stream->held));
        oc_writer_held *held = &stream->held[stream->held_count++];
        *held = (oc_writer_held){.link = link, .attribute = attributes[i].attribute};
        memcpy(held->text, attributes[i].text, attributes[i].length);
    }
    return OCELOTL_OK;
}

/* The numbers held for a link are side by side, in the order of the links' numbers: where they
 * begin and end. */
static void find_held(size_t *first, size_t *end, const oc_writer_stream *stream, uint64_t link)
{
    size_t low = 0;
    size_t high = stream->held_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (stream->held[middle].link < link)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    while (low < stream->held_count && stream->held[low].link == link)
        low++;
    *end = low;
}

/* Releases numbers, which stay as holes until most are released. */
static void release_numbers(oc_writer_stream *stream, uint64_t link)
{
    size_t first;
    size_t end;
    size_t kept = 0;
    find_held(&first, &end, stream, link);
    for (size_t i = first; i < end; i++)
        stream->held[i].attribute = OCELOTL_NONE;
    stream->held_ended += end - first;
    while (stream->held_count > 0 &&
           stream->held[stream->held_count - 1].attribute == OCELOTL_NONE) {
        stream->held_count--;
        stream->held_ended--;
    }
    if (2 * stream->held_ended <= stream->held_count)
        return;
    for (size_t i = 0; i < stream->held_count; i++)
        if (stream->held[i].attribute != OCELOTL_NONE)
            stream->held[kept++] = stream->held[i];
    stream->held_count = kept;
    stream->held_ended = 0;
}

ocelotl_status ocelotl_writer_link_begin(uint64_t *link, ocelotl_writer *writer, uint32_t resource,
                                         uint32_t event_type, uint32_t value, int64_t time,
                                         const ocelotl_attribute_value *attributes, size_t count)
{
    uint32_t source;
    const oc_writer_attributes carried = {attributes, count};
    OC_TRY(oc_writer_check_event(writer, resource, event_type, OCELOTL_LINK, value, &carried));
    OC_TRY(oc_writer_find_stream(&source, writer, resource, event_type, OC_ROLE_LINKS_OUT));
    return oc_writer_link_begin(link, writer, source, value, time, &carried);
}

ocelotl_status oc_writer_link_begin(uint64_t *link, ocelotl_writer *writer, uint32_t index,
                                    uint32_t value, int64_t time,
                                    const oc_writer_attributes *attributes)
{
    /* Before the record, since this can be forgotten and that cannot. */
    oc_writer_stream *stream = &writer->streams[index];
    const uint64_t number = stream->link_count;
    ocelotl_status status = hold_numbers(stream, number, attributes->first, attributes->count);
    if (status == OCELOTL_OK)
        status =
            oc_writer_append(writer, index, &(oc_record){.time = time, .value = value}, attributes);
    if (status != OCELOTL_OK) {
        release_numbers(stream, number);
        return status;
    }
    writer->event_types[stream->event_type].count++;
    *link = (uint64_t)index << OC_LINK_BITS | number;
    return OCELOTL_OK;
}

/* Open links are in the order of their numbers, with those that have ended between them. */
static ocelotl_status find_link(uint32_t *stream, size_t *place, const ocelotl_writer *writer,
                                uint64_t link)
{
    const uint64_t number = link & (((uint64_t)1 << OC_LINK_BITS) - 1);
    *stream = (uint32_t)(link >> OC_LINK_BITS);
    if (*stream < writer->stream_count && writer->streams[*stream].role == OC_ROLE_LINKS_OUT) {
        const oc_writer_stream *source = &writer->streams[*stream];
        const size_t end = oc_writer_open_end(source);
        size_t low = 0;
        size_t high = end;
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (source->open[middle].number < number)
                low = middle + 1;
            else
                high = middle;
        }
        *place = low;
        if (low < end && source->open[low].number == number &&
            oc_holes_has(source->open_holes, low))
            return OCELOTL_OK;
    }
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "link %" PRIu64 " is not open", link);
}

/* How many of the links that are open began later than the one at a place. */
static uint32_t depth_of(const oc_writer_stream *stream, size_t place)
{
    return stream->open_count - 1 - (uint32_t)oc_holes_before(stream->open_holes, place);
}

/* Collects the numbers of a link's begin and end, to be summed at its end; its texts stay at its
 * begin. */
static ocelotl_status collect_numbers(ocelotl_attribute_value **collected, size_t *collected_count,
                                      const oc_writer_stream *stream, uint64_t link,
                                      const oc_writer_attributes *attributes)
{
    size_t first;
    size_t end;
    double number;
    find_held(&first, &end, stream, link);
    if (end == first && attributes->count == 0)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(collected, end - first + attributes->count, sizeof **collected));
    for (size_t i = first; i < end; i++) {
        const oc_writer_held *held = &stream->held[i];
        (*collected)[(*collected_count)++] =
            (ocelotl_attribute_value){held->attribute, held->text, strlen(held->text)};
    }
    for (size_t i = 0; i < attributes->count; i++) {
        const ocelotl_attribute_value *given = &attributes->first[i];
        if (given->text != NULL && oc_bytes_are_number(&number, given->text, given->length))
            (*collected)[(*collected_count)++] = *given;
    }
    return OCELOTL_OK;
}

/* Ends a link whole or not at all: both records are checked before the first is written. */
static ocelotl_status end_link(ocelotl_writer *writer, uint32_t source, uint32_t target,
                               const oc_record *departure, const oc_record *arrival, uint64_t link,
                               const oc_writer_attributes *attributes)
{
    ocelotl_attribute_value *numbers = NULL;
    size_t number_count = 0;
    OC_TRY(oc_writer_check_record(writer, &writer->streams[source], departure));
    OC_TRY(oc_writer_check_record(writer, &writer->streams[target], arrival));
    OC_TRY(collect_numbers(&numbers, &number_count, &writer->streams[source], link, attributes));
    const oc_writer_attributes carried = {numbers, number_count};
    ocelotl_status status = oc_writer_take(writer, target, arrival, &carried);
    if (status == OCELOTL_OK)
        status = oc_writer_take(writer, source, departure, attributes);
    free(numbers);
    if (status == OCELOTL_OK)
        release_numbers(&writer->streams[source], link);
    return status;
}

/* A link may outlive the resource where it began: its end is then noted at that one's last instant,
 * and how much later it really was. */
static int64_t departure_time(const ocelotl_writer *writer, const oc_writer_stream *stream,
                              int64_t time)
{
    const oc_writer_resource *resource = &writer->resources[stream->resource];
    return resource->ended && resource->end < time ? resource->end : time;
}

ocelotl_status ocelotl_writer_link_end(ocelotl_writer *writer, uint64_t link, uint32_t resource,
                                       int64_t end, const ocelotl_attribute_value *attributes,
                                       size_t count)
{
    uint32_t source;
    uint32_t target;
    size_t place;
    const oc_writer_attributes carried = {attributes, count};
    OC_TRY(find_link(&source, &place, writer, link));
    const uint32_t event_type = writer->streams[source].event_type;
    OC_TRY(
        oc_writer_check_event(writer, resource, event_type, OCELOTL_LINK, OCELOTL_NONE, &carried));
    OC_TRY(oc_writer_check_bound(writer, end));
    OC_TRY(oc_writer_find_stream(&target, writer, resource, event_type, OC_ROLE_LINKS_IN));
    return oc_writer_link_end(writer, link, target, end, &carried);
}

ocelotl_status oc_writer_link_end(ocelotl_writer *writer, uint64_t link, uint32_t target,
                                  int64_t end, const oc_writer_attributes *attributes)
{
    uint32_t source;
    size_t place = 0;
    OC_TRY(find_link(&source, &place, writer, link));
    OC_TRY(oc_writer_check_bound(writer, end));
    const oc_writer_stream *stream = &writer->streams[source];
    const oc_writer_open_link open = stream->open[place];
    const int64_t time = end < open.begin ? open.begin : end;
    const int64_t departed = departure_time(writer, stream, time);
    const oc_record arrival = {.time = time,
                               .value = open.value,
                               .partner = stream->resource,
                               .duration = end - open.begin};
    const oc_record departure = {.time = departed,
                                 .ends = true,
                                 .depth = depth_of(stream, place),
                                 .partner = writer->streams[target].resource,
                                 .duration = end - departed};
    OC_TRY(end_link(writer, source, target, &departure, &arrival, open.number, attributes));
    oc_writer_bound(writer, end);
    return OCELOTL_OK;
}

ocelotl_status oc_writer_link_depart(ocelotl_writer *writer, uint64_t link,
                                     const oc_record *departure,
                                     const oc_writer_attributes *attributes)
{
    uint32_t source;
    size_t place = 0;
    oc_record record = *departure;
    OC_TRY(find_link(&source, &place, writer, link));
    oc_writer_stream *stream = &writer->streams[source];
    const uint64_t number = stream->open[place].number;
    record.depth = depth_of(stream, place);
    OC_TRY(oc_writer_append(writer, source, &record, attributes));
    writer->event_types[stream->event_type].unmatched += record.partner == OCELOTL_NONE;
    release_numbers(stream, number);
    return OCELOTL_OK;
}

/* Adds an orphan link. Its missing begin is noticed late: the record stands where it is noticed,
 * and says how long before it was. */
ocelotl_status ocelotl_writer_link_orphan(ocelotl_writer *writer, uint32_t resource,
                                          uint32_t event_type, uint32_t value, int64_t time,
                                          const ocelotl_attribute_value *attributes, size_t count)
{
    uint32_t index;
    const oc_writer_attributes carried = {attributes, count};
    OC_TRY(oc_writer_check_event(writer, resource, event_type, OCELOTL_LINK, value, &carried));
    OC_TRY(oc_writer_check_bound(writer, time));
    OC_TRY(oc_writer_find_stream(&index, writer, resource, event_type, OC_ROLE_LINKS_IN));
    const oc_writer_stream *stream = &writer->streams[index];
    const int64_t known =
        stream->count > 0 && stream->packing.end > time ? stream->packing.end : time;
    const oc_record record = {
        .time = known, .value = value, .partner = OCELOTL_NONE, .duration = time - known};
    OC_TRY(oc_writer_append(writer, index, &record, &carried));
    oc_writer_bound(writer, time);
    if (value != OCELOTL_NONE)
        writer->values[value].count++;
    writer->event_types[event_type].count++;
    writer->event_types[event_type].unmatched++;
    return OCELOTL_OK;
}
