/* Flows: points on threads (start, step, finish) that one id joins, and the links between them. */
#include "importers/chrome/reader.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What is in `order` of a point. */
enum { START, STEP, FINISH, PHASE = 3, BINDS_NEXT = 4, OF_SLICE = 8 };

/* The attribute that carries the time of what a point is bound to, while it is sorted. */
static const uint32_t bound_time = UINT32_MAX;

/* Flows of one file are joined by category, name and id; those of slices by their id alone. Of 64
 * bits that a hash keeps, two chains in a thousand million may be one. */
static ocelotl_status hash_chain(uint64_t *hash, chrome_reader *reader, const oc_json_item *id,
                                 bool by_name)
{
    static const oc_hash_key constant = {0x6F63656C6F746C31u, 0x63687266C6F7773u};
    const oc_json_item *keys = reader->element.keys;
    oc_text *key = &reader->key;
    oc_text_clear(key);
    oc_text_format(key, "%u", reader->ingest.file);
    oc_text_append(key, "", 1);
    for (int i = 0; by_name && i < 2; i++) {
        const oc_json_item *part = &keys[i == 0 ? CHROME_CATEGORY : CHROME_NAME];
        if (part->bytes != NULL)
            oc_json_decode_item(key, part);
        oc_text_append(key, "", 1);
    }
    oc_json_decode_item(key, id);
    *hash = key->failed ? 0 : oc_hash_keyed(&constant, key->bytes, key->length);
    return key->failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status add_point(chrome_reader *reader, uint32_t row, int64_t time, uint32_t order,
                                uint64_t chain)
{
    oc_sorted point = {.stream = row, .kind = OC_SORTED_OTHER, .time = time, .order = order};
    const bool bound = (order & OF_SLICE) != 0;
    point.detail = chain;
    OC_TRY(chrome_find_type(&point.type, reader, CHROME_FLOW));
    chrome_begin_attributes(reader);
    OC_TRY(chrome_find_value(&point.value, reader, point.type, &reader->element.keys[CHROME_NAME]));
    OC_TRY(chrome_add_attribute(reader, point.type, "id",
                                &reader->element.keys[bound ? CHROME_BIND_ID : CHROME_ID]));
    if (!bound)
        OC_TRY(chrome_add_arguments(reader, point.type));
    OC_TRY(chrome_end_attributes(&point, reader));
    return oc_ingest_add(&reader->ingest, &point);
}

ocelotl_status chrome_take_flow(chrome_reader *reader, char phase)
{
    uint32_t row;
    uint64_t chain;
    int64_t time;
    const oc_json_item *keys = reader->element.keys;
    const oc_json_item *id = &keys[keys[CHROME_ID].bytes != NULL ? CHROME_ID : CHROME_ID2];
    uint32_t order = phase == 's' ? START : phase == 't' ? STEP : FINISH;
    if (id->bytes == NULL)
        id = &keys[CHROME_BIND_ID];
    if (id->bytes == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "a flow without an id, expected \"id\"");
    OC_TRY(chrome_read_times(&time, NULL, NULL, reader));
    OC_TRY(chrome_find_thread(&row, reader));
    OC_TRY(hash_chain(&chain, reader, id, true));
    if (order == FINISH && !oc_json_is(&keys[CHROME_BINDING_POINT], "e"))
        order |= BINDS_NEXT;
    return add_point(reader, row, time, order, chain);
}

ocelotl_status chrome_take_bound(chrome_reader *reader, uint32_t row, int64_t time)
{
    const oc_json_item *keys = reader->element.keys;
    const bool in = oc_json_is(&keys[CHROME_FLOW_IN], "true");
    const bool out = oc_json_is(&keys[CHROME_FLOW_OUT], "true");
    uint64_t chain;
    if (keys[CHROME_BIND_ID].bytes == NULL || (!in && !out))
        return OCELOTL_OK;
    OC_TRY(hash_chain(&chain, reader, &keys[CHROME_BIND_ID], false));
    const uint32_t order = in && out ? STEP : out ? START : FINISH;
    return add_point(reader, row, time, order | OF_SLICE, chain);
}

/* --- Where a point is bound */

/* Sorts a point among those of its chain: by its own time, of equal times a start first. */
static ocelotl_status bind(chrome_reader *reader, const oc_sorted *point, int64_t time)
{
    oc_sorted sorted = *point;
    OC_TRY(oc_grow(&reader->attributes, &reader->attribute_capacity, point->attribute_count + 1,
                   sizeof *reader->attributes));
    if (point->attributes != reader->attributes && point->attribute_count > 0)
        memcpy(reader->attributes, point->attributes,
               point->attribute_count * sizeof *reader->attributes);
    reader->attributes[sorted.attribute_count++] =
        (ocelotl_attribute_value){bound_time, (const char *)&time, sizeof time};
    sorted.attributes = reader->attributes;
    sorted.kind = OC_SORTED_SPAN;
    sorted.stream = 0;
    sorted.group = point->detail;
    sorted.end = point->time;
    sorted.type = point->stream;
    sorted.order = point->order & PHASE;
    return oc_sorting_add(reader->flows, &sorted);
}

/* Binds those that wait in a row to a slice that begins at `time`, or to themselves. */
static ocelotl_status bind_waiting(chrome_reader *reader, bool has_slice, int64_t time)
{
    for (size_t i = 0; i < reader->waiting_count; i++) {
        oc_sorted point = {.stream = reader->waiting_row};
        oc_packed *packed = reader->waiting[i];
        OC_TRY(oc_grow(&reader->attributes, &reader->attribute_capacity,
                       packed->attribute_count + 1, sizeof *reader->attributes));
        oc_packed_read(&point, reader->attributes, packed);
        OC_TRY(bind(reader, &point, has_slice ? time : point.time));
    }
    for (size_t i = 0; i < reader->waiting_count; i++)
        free(reader->waiting[i]);
    reader->waiting_count = 0;
    return OCELOTL_OK;
}

ocelotl_status chrome_see_flow(chrome_reader *reader, const oc_sorted *record)
{
    const bool same = record->stream == reader->waiting_row;
    const bool point = record->kind == OC_SORTED_OTHER;
    if (reader->waiting_count > 0 && (!same || !point))
        OC_TRY(bind_waiting(reader, same, record->time));
    reader->waiting_row = record->stream;
    if (!point)
        return OCELOTL_OK;
    if ((record->order & BINDS_NEXT) == 0)
        return bind(reader, record, record->time);
    oc_packed *packed; /* it waits for a slice */
    const uint32_t size = oc_packed_size(record);
    OC_TRY(oc_grow(&reader->waiting, &reader->waiting_capacity, reader->waiting_count + 1,
                   sizeof(oc_packed *)));
    OC_TRY(oc_allocate(&packed, size, 1));
    oc_packed_write(packed, record, size);
    reader->waiting[reader->waiting_count++] = packed;
    return OCELOTL_OK;
}

/* --- Chains */

/* Chains have the row of their last point as their type. */
static ocelotl_status name_of_end(uint32_t *attribute, void *reader, uint32_t row,
                                  uint32_t of_begin)
{
    (void)row;
    chrome_reader *of = reader;
    return oc_ingest_attribute_of_end(attribute, &of->ingest, of->types[CHROME_FLOW] - 1, of_begin);
}

/* The last point of a chain, which has been linked from or not. */
typedef struct last_point {
    oc_pairs last;
    uint32_t row; /* of it, which it has as its type */
    bool is_linked;
    uint64_t id;
} last_point;

static ocelotl_status begin_with(last_point *chain, const oc_sorted *point)
{
    chain->row = point->type;
    return oc_pairs_begin(&chain->last, point);
}

static ocelotl_status add_link(chrome_reader *reader, const oc_sorted *from, const oc_sorted *to)
{
    const oc_sorted *carries = from != NULL ? from : to;
    oc_timelines_link link = {.from = OCELOTL_NONE,
                              .to = OCELOTL_NONE,
                              .type = reader->types[CHROME_FLOW] - 1,
                              .value = carries->value,
                              .attributes = carries->attributes,
                              .attribute_count = carries->attribute_count};
    if (from != NULL) {
        link.from = from->type;
        link.begin = from->time + oc_ingest_shift(&reader->ingest, from->type);
    }
    if (to != NULL) {
        link.to = to->type;
        link.end = to->time + oc_ingest_shift(&reader->ingest, to->type);
    }
    return oc_ingest_link(&reader->ingest, &link);
}

/* A start that nothing follows is a link without an end. */
static ocelotl_status end_chain(chrome_reader *reader, last_point *chain)
{
    bool open;
    oc_sorted from;
    OC_TRY(oc_pairs_rest(&open, &from, &chain->last, 0));
    return open && !chain->is_linked ? add_link(reader, &from, NULL) : OCELOTL_OK;
}

/* A step or a finish: the link to it. After a finish others may follow from the same start. */
static ocelotl_status follow(chrome_reader *reader, last_point *chain, const oc_sorted *point)
{
    oc_pair found;
    oc_sorted from;
    oc_sorted end = *point;
    end.type = chain->row;
    end.value = OCELOTL_NONE;
    OC_TRY(oc_pairs_end(&found, &from, &chain->last, &end));
    if (found == OC_PAIR_NONE)
        OC_TRY(add_link(reader, NULL, point));
    else
        OC_TRY(add_link(reader, &from, point));
    if (point->order == FINISH && found != OC_PAIR_NONE) {
        from.kind = OC_SORTED_OTHER;
        from.attribute_count = oc_pairs_closed(&chain->last)->attribute_count; /* its own */
        OC_TRY(begin_with(chain, &from));
    }
    if (point->order == STEP)
        OC_TRY(begin_with(chain, point));
    chain->is_linked = true;
    return OCELOTL_OK;
}

static ocelotl_status take_point(chrome_reader *reader, last_point *chain, const oc_sorted *sorted)
{
    oc_sorted point = *sorted;
    const ocelotl_attribute_value *carried = &point.attributes[--point.attribute_count];
    memcpy(&point.time, carried->text, sizeof point.time);
    if (point.group != chain->id || point.order == START) {
        OC_TRY(end_chain(reader, chain));
        chain->is_linked = false;
    }
    chain->id = point.group;
    return point.order == START ? begin_with(chain, &point) : follow(reader, chain, &point);
}

ocelotl_status chrome_link_flows(chrome_reader *reader)
{
    last_point chain = {.last = {.of_end = name_of_end, .context = reader}};
    const oc_sorted *point = NULL;
    ocelotl_status status = bind_waiting(reader, false, 0);
    if (status == OCELOTL_OK)
        status = oc_sorting_finish(reader->flows);
    while (status == OCELOTL_OK) {
        status = oc_sorting_next(&point, reader->flows);
        if (status != OCELOTL_OK || point == NULL)
            break;
        status = take_point(reader, &chain, point);
    }
    if (status == OCELOTL_OK)
        status = end_chain(reader, &chain);
    oc_pairs_free(&chain.last);
    return status;
}
