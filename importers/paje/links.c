/* Links in the making: starts that wait for their end, and ends that wait for their start. */
#include "importers/paje/apply.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static void free_half(paje_half *half)
{
    if (half->length > PAJE_SHORT_KEY)
        free(half->long_key);
    half->length = 0;
    if (!half->is_start)
        free(half->end);
    half->is_start = false;
    half->end = NULL;
}

void paje_links_free(paje_links *links)
{
    for (size_t i = 0; i < links->count; i++)
        free_half(&links->halves[i]);
    free(links->halves);
    free(links->slots);
}

static paje_link_key make_key(const paje_applied *one)
{
    const paje_event *event = one->event;
    return (paje_link_key){.hash = event->key_hash,
                           .type = event->type,
                           .resource = event->resource,
                           .value = event->value,
                           .length = (uint32_t)one->attributes[0].length,
                           .text = one->attributes[0].text};
}

static inline uint64_t word_at(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* Keys are short: a call would take longer. */
static inline bool is_same(const char *one, const char *other, size_t length)
{
    if (length < sizeof(uint64_t) || length > PAJE_SHORT_KEY)
        return memcmp(one, other, length) == 0;
    const size_t last = length - sizeof(uint64_t);
    for (size_t i = 0; i < last; i += sizeof(uint64_t))
        if (word_at(one + i) != word_at(other + i))
            return false;
    return word_at(one + last) == word_at(other + last);
}

static inline bool has_key(const paje_half *half, const paje_link_key *key)
{
    return half->hash == key->hash >> 32 && half->type == key->type &&
           half->resource == key->resource && half->value == key->value &&
           half->length == key->length &&
           is_same(key->length <= PAJE_SHORT_KEY ? half->short_key : half->long_key, key->text,
                   key->length);
}

/* The slot of a key, or the free one where it belongs. The table has free slots. */
static paje_link_slot *find_slot(const paje_links *links, const paje_link_key *key)
{
    const uint32_t hash = (uint32_t)key->hash;
    size_t i = hash & (links->slot_count - 1);
    while (
        links->slots[i].oldest != 0 &&
        (links->slots[i].hash != hash || !has_key(&links->halves[links->slots[i].oldest - 1], key)))
        i = (i + 1) & (links->slot_count - 1);
    return &links->slots[i];
}

static ocelotl_status enlarge_table(paje_links *links)
{
    const paje_links old = *links;
    links->slot_count = old.slot_count == 0 ? 64 : 2 * old.slot_count;
    const ocelotl_status status =
        oc_allocate(&links->slots, links->slot_count, sizeof *links->slots);
    if (status != OCELOTL_OK) {
        *links = old;
        return status;
    }
    for (size_t i = 0; i < old.slot_count; i++)
        if (old.slots[i].oldest != 0)
            *find_slot(links, &(paje_link_key){.hash = old.slots[i].hash, .type = UINT32_MAX}) =
                old.slots[i];
    free(old.slots);
    return OCELOTL_OK;
}

/* Moves those behind forward, so that none is cut off from where it is looked for. */
static void free_slot(paje_links *links, paje_link_slot *slot)
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
    links->slots[hole] = (paje_link_slot){0};
}

static ocelotl_status take_place(uint32_t *place, paje_links *links)
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
    links->halves[*place] = (paje_half){0};
    return OCELOTL_OK;
}

static void give_place(paje_links *links, uint32_t place)
{
    paje_half *half = &links->halves[place];
    free_half(half);
    half->next = links->free_half;
    links->free_half = place;
}

static ocelotl_status keep_key(paje_half *half, const paje_link_key *key)
{
    char *text = half->short_key;
    half->hash = (uint32_t)(key->hash >> 32);
    half->type = key->type;
    half->resource = key->resource;
    half->value = key->value;
    if (key->length > PAJE_SHORT_KEY) {
        OC_TRY(oc_allocate(&half->long_key, key->length, 1));
        text = half->long_key;
    }
    half->length = key->length;
    if (key->length > 0)
        memcpy(text, key->text, key->length);
    return OCELOTL_OK;
}

/* Keeps an end in one block of memory with its attributes and their texts. */
static ocelotl_status keep_end(paje_half *half, const paje_applied *one)
{
    const size_t count = one->event->attribute_count;
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += one->attributes[i].length;
    OC_TRY(oc_allocate(&half->end,
                       sizeof *half->end + count * sizeof *half->end->attributes + length, 1));
    half->end->event = *one->event;
    half->end->line = one->line;
    char *text = (char *)(half->end->attributes + count);
    for (size_t i = 0; i < count; i++) {
        half->end->attributes[i] = one->attributes[i];
        half->end->attributes[i].text = text;
        memcpy(text, one->attributes[i].text, one->attributes[i].length);
        text += one->attributes[i].length;
    }
    return OCELOTL_OK;
}

static ocelotl_status fill_place(paje_half *half, const paje_applied *one, uint64_t link,
                                 const paje_link_key *key)
{
    half->next = OC_MAP_NONE;
    OC_TRY(keep_key(half, key));
    half->is_start = one->event->kind == PAJE_START_LINK;
    if (!half->is_start)
        return keep_end(half, one);
    half->link = link;
    return OCELOTL_OK;
}

static paje_applied end_of(const paje_half *half)
{
    return (paje_applied){&half->end->event, half->end->attributes, half->end->line, OCELOTL_NONE};
}

static ocelotl_status wait(paje_links *links, uint32_t oldest, const paje_applied *one,
                           uint64_t link, const paje_link_key *key)
{
    uint32_t place = 0;
    if (2 * links->used >= links->slot_count)
        OC_TRY(enlarge_table(links));
    OC_TRY(take_place(&place, links));
    OC_TRY(fill_place(&links->halves[place], one, link, key));
    links->halves[place].last = place;
    if (oldest == OC_MAP_NONE) {
        *find_slot(links, key) = (paje_link_slot){place + 1, (uint32_t)key->hash};
        links->used++;
        return OCELOTL_OK;
    }
    links->halves[links->halves[oldest].last].next = place;
    links->halves[oldest].last = place;
    return OCELOTL_OK;
}

/* Takes the oldest half of a key out; the caller gives its place back. */
static void release(paje_links *links, uint32_t place, paje_link_slot *slot)
{
    const paje_half *half = &links->halves[place];
    if (half->next != OC_MAP_NONE) {
        links->halves[half->next].last = half->last;
        slot->oldest = half->next + 1;
    } else {
        free_slot(links, slot);
    }
}

/* The key has gone into the link's beginning; its end keeps only what else it carries. */
static ocelotl_status end_link(paje_resources *resources, uint64_t link, const paje_applied *one)
{
    uint32_t target;
    const paje_event *end = one->event;
    OC_TRY(paje_resources_stream(&target, resources, end->end, end->type, OCELOTL_ROLE_LINKS_IN,
                                 end->time, true));
    return ocelotl_writer_stream_link_end(resources->writer, link, target, end->time,
                                          one->attributes + 1, (size_t)end->attribute_count - 1);
}

static ocelotl_status start_link(uint64_t *link, paje_resources *resources, const paje_applied *one)
{
    uint32_t source;
    const paje_event *start = one->event;
    OC_TRY(paje_resources_stream(&source, resources, start->end, start->type,
                                 OCELOTL_ROLE_LINKS_OUT, start->time, true));
    return ocelotl_writer_stream_link_begin(link, resources->writer, source, start->value,
                                            start->time, one->attributes, start->attribute_count);
}

static ocelotl_status orphan(paje_resources *resources, const paje_early_end *early)
{
    uint32_t id;
    const paje_event *end = &early->event;
    OC_TRY(paje_resources_id(&id, resources, end->end, end->time));
    return ocelotl_writer_link_orphan(resources->writer, id, end->type, end->value, end->time,
                                      early->attributes, end->attribute_count);
}

/* A start cannot be that of an end in a resource that was gone before: such ends have none. */
static ocelotl_status skip_dead_ends(uint32_t *oldest, paje_links *links, paje_resources *resources,
                                     int64_t start, const paje_link_key *key)
{
    while (*oldest != OC_MAP_NONE && !links->halves[*oldest].is_start) {
        const paje_resource *resource = &resources->all[links->halves[*oldest].end->event.end];
        const uint32_t place = *oldest;
        if (!resource->ended || start <= resource->end)
            break;
        release(links, place, find_slot(links, key));
        *oldest = links->halves[place].next;
        links->dead_ends++;
        const ocelotl_status status = orphan(resources, links->halves[place].end);
        give_place(links, place);
        OC_TRY(status);
    }
    return OCELOTL_OK;
}

static ocelotl_status add_start(paje_links *links, paje_resources *resources,
                                const paje_applied *one, uint32_t oldest, const paje_link_key *key)
{
    uint64_t link;
    const int64_t time = one->event->time;
    OC_TRY(skip_dead_ends(&oldest, links, resources, time, key));
    OC_TRY(start_link(&link, resources, one));
    if (oldest == OC_MAP_NONE || links->halves[oldest].is_start)
        return wait(links, oldest, one, link, key);
    release(links, oldest, find_slot(links, key));
    const paje_applied end = end_of(&links->halves[oldest]);
    links->reversed += end.event->time < time;
    const ocelotl_status status = end_link(resources, link, &end);
    give_place(links, oldest);
    return status;
}

static ocelotl_status add_end(paje_links *links, paje_resources *resources, const paje_applied *one,
                              uint32_t oldest, const paje_link_key *key, paje_link_slot *slot)
{
    if (oldest == OC_MAP_NONE || !links->halves[oldest].is_start)
        return wait(links, oldest, one, 0, key);
    const uint64_t link = links->halves[oldest].link;
    release(links, oldest, slot);
    give_place(links, oldest);
    return end_link(resources, link, one);
}

ocelotl_status paje_links_add(paje_links *links, paje_resources *resources, const paje_applied *one)
{
    const paje_link_key key = make_key(one);
    paje_link_slot *slot = links->slot_count > 0 ? find_slot(links, &key) : NULL;
    const uint32_t oldest = slot != NULL && slot->oldest > 0 ? slot->oldest - 1 : OC_MAP_NONE;
    return one->event->kind == PAJE_START_LINK ? add_start(links, resources, one, oldest, &key)
                                               : add_end(links, resources, one, oldest, &key, slot);
}

void paje_links_expect_slot(const paje_links *links, const paje_event *event)
{
    if (links->slot_count > 0)
        __builtin_prefetch(&links->slots[event->key_hash & (links->slot_count - 1)]);
}

void paje_links_expect_half(const paje_links *links, const paje_event *event)
{
    if (links->slot_count == 0)
        return;
    const paje_link_slot *slot = &links->slots[event->key_hash & (links->slot_count - 1)];
    if (slot->oldest != 0 && slot->hash == (uint32_t)event->key_hash)
        __builtin_prefetch(&links->halves[slot->oldest - 1]);
}

bool paje_links_refine(paje_links *links, uint64_t factor)
{
    bool fits = true;
    for (size_t i = 0; i < links->count; i++) {
        paje_half *half = &links->halves[i];
        if (!half->is_start && half->end != NULL)
            fits = oc_multiply_time(&half->end->event.time, half->end->event.time, factor) && fits;
    }
    return fits;
}

/* An end that has found no start. */
typedef struct lone_end {
    const paje_early_end *end;
} lone_end;

static int compare_times(const void *left, const void *right)
{
    const paje_early_end *a = ((const lone_end *)left)->end;
    const paje_early_end *b = ((const lone_end *)right)->end;
    if (a->event.time != b->event.time)
        return a->event.time < b->event.time ? -1 : 1;
    if (a->event.file != b->event.file)
        return a->event.file < b->event.file ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

static ocelotl_status give_orphans(paje_resources *resources, lone_end *orphans, size_t count)
{
    qsort(orphans, count, sizeof *orphans, compare_times);
    for (size_t i = 0; i < count; i++)
        OC_TRY(orphan(resources, orphans[i].end));
    return OCELOTL_OK;
}

ocelotl_status paje_links_finish(paje_links *links, paje_resources *resources, uint64_t *starts,
                                 uint64_t *ends)
{
    lone_end *orphans = NULL;
    size_t count = 0;
    *starts = 0;
    *ends = links->dead_ends;
    OC_TRY(oc_allocate(&orphans, links->count + 1, sizeof *orphans));
    for (size_t i = 0; i < links->count; i++) {
        const paje_half *half = &links->halves[i];
        *starts += half->is_start;
        if (!half->is_start && half->end != NULL)
            orphans[count++].end = half->end;
    }
    *ends += count;
    const ocelotl_status status = give_orphans(resources, orphans, count);
    free(orphans);
    return status;
}
