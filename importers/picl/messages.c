/* Both ends of messages: those from one processor to another with one tag keep their order. */
#include "importers/picl/reader.h"

#include <inttypes.h>
#include <stdio.h>

ocelotl_status picl_take_end(picl_reader *reader, uint32_t row, bool is_sent, int64_t time,
                             int64_t other, int64_t tag, int64_t bytes)
{
    const int64_t here = reader->rows[row].processor;
    const int64_t key[3] = {is_sent ? here : other, is_sent ? other : here, tag};
    uint32_t queue = oc_map_get(&reader->queue_of, key, sizeof key);
    if (queue == OC_MAP_NONE) {
        queue = reader->queue_count++;
        OC_TRY(oc_map_set(&reader->queue_of, key, sizeof key, queue));
    }
    char texts[2][24];
    snprintf(texts[0], sizeof texts[0], "%" PRId64, bytes);
    snprintf(texts[1], sizeof texts[1], "%" PRId64, tag);
    const ocelotl_attribute_value attributes[] = {
        {reader->size_attribute, texts[0], strlen(texts[0])},
        {reader->tag_attribute, texts[1], strlen(texts[1])}};
    return oc_sorting_add(is_sent ? reader->sends : reader->receives,
                          &(oc_sorted){.kind = OC_SORTED_OTHER,
                                       .group = queue,
                                       .time = time,
                                       .detail = (uint64_t)bytes,
                                       .type = row,
                                       .attributes = attributes,
                                       .attribute_count = 2});
}

/* Either end may be missing. */
static ocelotl_status add_link(picl_reader *reader, const oc_sorted *sent,
                               const oc_sorted *received)
{
    const oc_sorted *carries = sent != NULL ? sent : received;
    oc_timelines_link link = {.from = OCELOTL_NONE,
                              .to = OCELOTL_NONE,
                              .type = reader->link_type,
                              .value = reader->message,
                              .attributes = carries->attributes,
                              .attribute_count = carries->attribute_count};
    if (sent != NULL) {
        link.from = sent->type;
        link.begin = sent->time;
    }
    if (received != NULL) {
        link.to = received->type;
        link.end = received->time;
    }
    if (sent != NULL && received != NULL && sent->detail != received->detail)
        oc_oddities_note(&reader->oddities, PICL_SIZES, "", 0);
    return oc_timelines_add_link(&reader->timelines, &link);
}

/* The n-th that is sent in a queue is the n-th that is received. */
ocelotl_status picl_link(picl_reader *reader)
{
    const oc_sorted *sent;
    const oc_sorted *received;
    OC_TRY(oc_sorting_finish(reader->sends));
    OC_TRY(oc_sorting_finish(reader->receives));
    OC_TRY(oc_sorting_next(&sent, reader->sends));
    OC_TRY(oc_sorting_next(&received, reader->receives));
    while (sent != NULL || received != NULL) {
        const bool has_sent = sent != NULL && (received == NULL || sent->group <= received->group);
        const bool has_received =
            received != NULL && (sent == NULL || received->group <= sent->group);
        OC_TRY(add_link(reader, has_sent ? sent : NULL, has_received ? received : NULL));
        if (has_sent)
            OC_TRY(oc_sorting_next(&sent, reader->sends));
        if (has_received)
            OC_TRY(oc_sorting_next(&received, reader->receives));
    }
    return OCELOTL_OK;
}
