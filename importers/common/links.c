#include "importers/common/links.h"

#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void free_half(oc_half *half)
{
    free(half->attributes);
    free(half->long_key);
    half->attributes = NULL;
    half->long_key = NULL;
}

void oc_links_free(oc_links *links)
{
    for (size_t i = 0; i < links->count; i++)
        free_half(&links->halves[i]);
    free(links->halves);
    free(links->slots);
}

static oc_link_key make_key(const oc_links *links, const oc_applied *one)
{
    const oc_raw_event *event = one->event;
    const ocelotl_attribute_value *text = &one->attributes[0];
    const uint64_t place = (uint64_t)event->type << 32 | event->resource;
    const uint64_t hash = oc_hash_mixed(&links->hash_key, event->key_hash + event->value, place);
    return (oc_link_key){.hash = hash,
                         .type = event->type,
                         .resource = event->resource,
                         .value = event->value,
                         .length = text->length,
                         .text = text->text};
}

static const char *key_text(const oc_half *half)
{
    return half->key.length <= OC_SHORT_KEY ? half->short_key : half->long_key;
}

static bool has_key(const oc_half *half, const oc_link_key *key)
{
    return half->key.hash == key->hash && half->key.type == key->type &&
           half->key.resource == key->resource && half->key.value == key->value &&
           half->key.length == key->length && memcmp(key_text(half), key->text, key->length) == 0;
}

/* The slot of a key, or the free one where it belongs. The table has free slots. */
static oc_link_slot *find_slot(const oc_links *links, const oc_link_key *key)
{
    const uint32_t hash = (uint32_t)key->hash;
    size_t i = hash & (links->slot_count - 1);
    while (
        links->slots[i].oldest != 0 &&
        (links->slots[i].hash != hash || !has_key(&links->halves[links->slots[i].oldest - 1], key)))
        i = (i + 1) & (links->slot_count - 1);
    return &links->slots[i];
}

static ocelotl_status enlarge_table(oc_links *links)
{
    const oc_links old = *links;
    links->slot_count = old.slot_count == 0 ? 64 : 2 * old.slot_count;
    const ocelotl_status status =
        oc_allocate(&links->slots, links->slot_count, sizeof *links->slots);
    if (status != OCELOTL_OK) {
        *links = old;
        return status;
    }
    for (size_t i = 0; i < old.slot_count; i++)
        if (old.slots[i].oldest != 0)
            *find_slot(links, &(oc_link_key){.hash = old.slots[i].hash, .type = UINT32_MAX}) =
                old.slots[i];
    free(old.slots);
    return OCELOTL_OK;
}

/* Moves those behind forward, so that none is cut off from where it is looked for. */
static void free_slot(oc_links *links, oc_link_slot *slot)
{
    const size_t mask = links->slot_count - 1;
    size_t hole = (size_t)(slot - links->slots);
    links->used--;
    for (size_t i = (hole + 1) & mask; links->slots[i].oldest != 0; i = (i + 1) & mask) {
        const size_t home = links->slots[i].hash & mask;
        if (((i - home) & mask) < ((i - hole) & mask))
            continue;
        links->slots[hole] = links->slots[i];
        hole = i;
    }
    links->slots[hole] = (oc_link_slot){0};
}

static ocelotl_status take_place(uint32_t *place, oc_links *links)
{
    if (links->free_half != OC_MAP_NONE) {
        *place = links->free_half;
        links->free_half = links->halves[*place].next;
        return OCELOTL_OK;
    }
    if (links->count >= OC_MAP_NONE - 1)
        return oc_fail(OCELOTL_ERROR_LIMIT, "too many links wait for their other end");
    OC_TRY(oc_grow(&links->halves, &links->capacity, links->count + 1, sizeof *links->halves));
    *place = (uint32_t)links->count++;
    links->halves[*place] = (oc_half){0};
    return OCELOTL_OK;
}

static void give_place(oc_links *links, uint32_t place)
{
    oc_half *half = &links->halves[place];
    free_half(half);
    half->is_start = false;
    half->next = links->free_half;
    links->free_half = place;
}

static ocelotl_status keep_key(oc_half *half, const oc_link_key *key)
{
    half->key = *key;
    half->key.text = NULL;
    if (key->length > OC_SHORT_KEY)
        OC_TRY(oc_allocate(&half->long_key, key->length, 1));
    if (key->length > 0)
        memcpy(key->length > OC_SHORT_KEY ? half->long_key : half->short_key, key->text,
               key->length);
    return OCELOTL_OK;
}

/* One block of memory with the texts. */
static ocelotl_status keep_attributes(oc_half *half, const oc_applied *one)
{
    const size_t count = one->event->attribute_count;
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += one->attributes[i].length;
    OC_TRY(oc_allocate(&half->attributes, count * sizeof *half->attributes + length, 1));
    char *text = (char *)(half->attributes + count);
    for (size_t i = 0; i < count; i++) {
        half->attributes[i] = one->attributes[i];
        half->attributes[i].text = text;
        memcpy(text, one->attributes[i].text, one->attributes[i].length);
        text += one->attributes[i].length;
    }
    return OCELOTL_OK;
}

static ocelotl_status fill_place(oc_half *half, const oc_applied *one, uint64_t link,
                                 const oc_link_key *key)
{
    half->is_start = one->event->kind == OC_RAW_START_LINK;
    half->link = link;
    half->next = OC_MAP_NONE;
    half->event = *one->event;
    half->line = one->line;
    OC_TRY(keep_key(half, key));
    return half->is_start ? OCELOTL_OK : keep_attributes(half, one);
}

static oc_applied end_of(const oc_half *half)
{
    return (oc_applied){&half->event, half->attributes, half->line};
}

static ocelotl_status wait(oc_links *links, uint32_t oldest, const oc_applied *one, uint64_t link,
                           const oc_link_key *key)
{
    uint32_t place = 0;
    if (2 * links->used >= links->slot_count)
        OC_TRY(enlarge_table(links));
    OC_TRY(take_place(&place, links));
    OC_TRY(fill_place(&links->halves[place], one, link, key));
    links->halves[place].last = place;
    if (oldest == OC_MAP_NONE) {
        *find_slot(links, key) = (oc_link_slot){place + 1, (uint32_t)key->hash};
        links->used++;
        return OCELOTL_OK;
    }
    links->halves[links->halves[oldest].last].next = place;
    links->halves[oldest].last = place;
    return OCELOTL_OK;
}

/* Takes the oldest half of a key out; the caller gives its place back. */
static void release(oc_links *links, uint32_t place, oc_link_slot *slot)
{
    const oc_half *half = &links->halves[place];
    if (half->next != OC_MAP_NONE) {
        links->halves[half->next].last = half->last;
        slot->oldest = half->next + 1;
    } else {
        free_slot(links, slot);
    }
}

/* The key has gone into the link's beginning; its end keeps only what else it carries. */
static ocelotl_status end_link(oc_resources *resources, uint64_t link, const oc_applied *one)
{
    uint32_t target;
    const oc_raw_event *end = one->event;
    OC_TRY(oc_resources_stream(&target, resources, end->end, end->type, OCELOTL_ROLE_LINKS_IN,
                               end->time, true));
    return ocelotl_writer_stream_link_end(resources->writer, link, target, end->time,
                                          one->attributes + 1, (size_t)end->attribute_count - 1);
}

static ocelotl_status start_link(uint64_t *link, oc_resources *resources, const oc_applied *one)
{
    uint32_t source;
    const oc_raw_event *start = one->event;
    OC_TRY(oc_resources_stream(&source, resources, start->end, start->type, OCELOTL_ROLE_LINKS_OUT,
                               start->time, true));
    return ocelotl_writer_stream_link_begin(link, resources->writer, source, start->value,
                                            start->time, one->attributes, start->attribute_count);
}

static ocelotl_status orphan(oc_resources *resources, const oc_half *half)
{
    uint32_t id;
    const oc_raw_event *end = &half->event;
    OC_TRY(oc_resources_id(&id, resources, end->end, end->time));
    return ocelotl_writer_link_orphan(resources->writer, id, end->type, end->value, end->time,
                                      half->attributes, end->attribute_count);
}

/* A start cannot be that of an end in a resource that was gone before: such ends have none. */
static ocelotl_status skip_dead_ends(uint32_t *oldest, oc_links *links, oc_resources *resources,
                                     int64_t start, const oc_link_key *key)
{
    while (*oldest != OC_MAP_NONE && !links->halves[*oldest].is_start) {
        const oc_import_resource *resource = &resources->all[links->halves[*oldest].event.end];
        const uint32_t place = *oldest;
        if (!resource->ended || start <= resource->end)
            break;
        release(links, place, find_slot(links, key));
        *oldest = links->halves[place].next;
        links->dead_ends++;
        const ocelotl_status status = orphan(resources, &links->halves[place]);
        give_place(links, place);
        OC_TRY(status);
    }
    return OCELOTL_OK;
}

static ocelotl_status add_start(oc_links *links, oc_resources *resources, const oc_applied *one,
                                uint32_t oldest, const oc_link_key *key)
{
    uint64_t link;
    const int64_t time = one->event->time;
    OC_TRY(skip_dead_ends(&oldest, links, resources, time, key));
    OC_TRY(start_link(&link, resources, one));
    if (oldest == OC_MAP_NONE || links->halves[oldest].is_start)
        return wait(links, oldest, one, link, key);
    release(links, oldest, find_slot(links, key));
    const oc_applied end = end_of(&links->halves[oldest]);
    links->reversed += end.event->time < time;
    const ocelotl_status status = end_link(resources, link, &end);
    give_place(links, oldest);
    return status;
}

static ocelotl_status add_end(oc_links *links, oc_resources *resources, const oc_applied *one,
                              uint32_t oldest, const oc_link_key *key, oc_link_slot *slot)
{
    if (oldest == OC_MAP_NONE || !links->halves[oldest].is_start)
        return wait(links, oldest, one, 0, key);
    const uint64_t link = links->halves[oldest].link;
    release(links, oldest, slot);
    give_place(links, oldest);
    return end_link(resources, link, one);
}

ocelotl_status oc_links_add(oc_links *links, oc_resources *resources, const oc_applied *one)
{
    const oc_link_key key = make_key(links, one);
    oc_link_slot *slot = links->slot_count > 0 ? find_slot(links, &key) : NULL;
    const uint32_t oldest = slot != NULL && slot->oldest > 0 ? slot->oldest - 1 : OC_MAP_NONE;
    return one->event->kind == OC_RAW_START_LINK
               ? add_start(links, resources, one, oldest, &key)
               : add_end(links, resources, one, oldest, &key, slot);
}

static int compare_times(const void *left, const void *right)
{
    const oc_half *a = left;
    const oc_half *b = right;
    if (a->event.time != b->event.time)
        return a->event.time < b->event.time ? -1 : 1;
    if (a->event.file != b->event.file)
        return a->event.file < b->event.file ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

ocelotl_status oc_links_finish(oc_links *links, oc_resources *resources, uint64_t *starts,
                               uint64_t *ends)
{
    *starts = 0;
    *ends = links->dead_ends;
    for (uint32_t place = links->free_half; place != OC_MAP_NONE; place = links->halves[place].next)
        links->halves[place].link = UINT64_MAX; /* marks what is free */
    if (links->count > 0)
        qsort(links->halves, links->count, sizeof *links->halves, compare_times);
    for (size_t i = 0; i < links->count; i++) {
        const oc_half *half = &links->halves[i];
        if (!half->is_start && half->link == UINT64_MAX)
            continue;
        *starts += half->is_start;
        *ends += !half->is_start;
        if (!half->is_start)
            OC_TRY(orphan(resources, half));
    }
    return OCELOTL_OK;
}
