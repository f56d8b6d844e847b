/* The resources of an import, and the links between them. */
#include "importers/paje/apply.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void paje_nest_free(paje_nest *nest)
{
    free(nest->nested);
    *nest = (paje_nest){0};
}

/* The next one around that is not out. Those on the way point nearer to it afterwards. */
static uint32_t find_around(paje_nest *nest, uint32_t around)
{
    paje_nested *nested = nest->nested;
    while (nested[around].is_out) {
        const uint32_t next = nested[around].around;
        if (nested[next].is_out)
            nested[around].around = nested[next].around;
        around = next;
    }
    return around;
}

ocelotl_status paje_nest_add(paje_nest *nest, uint32_t around)
{
    OC_TRY(oc_grow(&nest->nested, &nest->capacity, nest->count + 1, sizeof *nest->nested));
    const uint32_t added = (uint32_t)nest->count++;
    paje_nested *place = &nest->nested[added];
    *place =
        (paje_nested){PAJE_NOWHERE, PAJE_NOWHERE, PAJE_NOWHERE, PAJE_NOWHERE, PAJE_NOWHERE, false};
    if (around == PAJE_NOWHERE)
        return OCELOTL_OK;
    place->around = find_around(nest, around);
    paje_nested *outer = &nest->nested[place->around];
    place->before = outer->last;
    if (outer->last == PAJE_NOWHERE)
        outer->first = added;
    else
        nest->nested[outer->last].behind = added;
    outer->last = added;
    return OCELOTL_OK;
}

uint32_t paje_nest_next(const paje_nest *nest, uint32_t top, uint32_t number)
{
    const paje_nested *nested = nest->nested;
    if (nested[number].first != PAJE_NOWHERE)
        return nested[number].first;
    while (number != top && nested[number].behind == PAJE_NOWHERE)
        number = nested[number].around;
    return number == top ? PAJE_NOWHERE : nested[number].behind;
}

void paje_nest_take_out(paje_nest *nest, uint32_t number)
{
    paje_nested *place = &nest->nested[number];
    if (place->is_out || place->around == PAJE_NOWHERE)
        return;
    for (uint32_t n = number; n != PAJE_NOWHERE; n = paje_nest_next(nest, number, n))
        nest->nested[n].is_out = true;
    paje_nested *outer = &nest->nested[place->around];
    if (place->before == PAJE_NOWHERE)
        outer->first = place->behind;
    else
        nest->nested[place->before].behind = place->behind;
    if (place->behind == PAJE_NOWHERE)
        outer->last = place->before;
    else
        nest->nested[place->behind].before = place->before;
    place->first = place->last = place->before = place->behind = PAJE_NOWHERE;
}

ocelotl_status paje_resources_begin(paje_resources *resources, const char *root)
{
    OC_TRY(oc_grow(&resources->all, &resources->capacity, 1, sizeof *resources->all));
    OC_TRY(oc_grow(&resources->names, &resources->name_capacity, 1, sizeof *resources->names));
    resources->all[0] = (paje_resource){.id = OCELOTL_ROOT, .is_root = true, .owners = 1};
    resources->names[0] = root;
    resources->count = 1;
    return paje_nest_add(&resources->living, PAJE_NOWHERE);
}

void paje_resources_free(paje_resources *resources)
{
    oc_arena_free(&resources->arena);
    free(resources->names);
    free(resources->all);
    paje_nest_free(&resources->living);
}

ocelotl_status paje_resources_add(uint32_t *index, paje_resources *resources, uint32_t type,
                                  uint32_t parent, const char *name, int64_t begin)
{
    const size_t count = resources->count;
    uint32_t parent_id = OCELOTL_ROOT;
    if (parent != 0)
        OC_TRY(paje_resources_id(&parent_id, resources, parent, begin));
    OC_TRY(oc_grow(&resources->all, &resources->capacity, count + 1, sizeof *resources->all));
    OC_TRY(
        oc_grow(&resources->names, &resources->name_capacity, count + 1, sizeof *resources->names));
    paje_resource *added = &resources->all[count];
    *added = (paje_resource){.owners = 1};
    OC_TRY(ocelotl_writer_resource(&added->id, resources->writer, type, parent_id, name, begin));
    OC_TRY(paje_nest_add(&resources->living, parent));
    resources->names[count] = oc_arena_copy(&resources->arena, name);
    *index = (uint32_t)resources->count++;
    return oc_arena_status(&resources->arena);
}

ocelotl_status paje_resources_id(uint32_t *id, paje_resources *resources, uint32_t resource,
                                 int64_t time)
{
    paje_resource *found = &resources->all[resource];
    if (resource == 0 && found->id == OCELOTL_ROOT) {
        uint32_t type;
        const char *name = resources->names[0];
        OC_TRY(ocelotl_writer_resource_type(&type, resources->writer, OCELOTL_ROOT, name));
        OC_TRY(
            ocelotl_writer_resource(&found->id, resources->writer, type, OCELOTL_ROOT, name, time));
    }
    *id = found->id;
    return OCELOTL_OK;
}

const uint8_t paje_roles[] = {
    [PAJE_NEW_EVENT] = OCELOTL_ROLE_EVENTS,      [PAJE_SET_STATE] = OCELOTL_ROLE_STATES,
    [PAJE_PUSH_STATE] = OCELOTL_ROLE_STATES,     [PAJE_POP_STATE] = OCELOTL_ROLE_STATES,
    [PAJE_RESET_STATE] = OCELOTL_ROLE_STATES,    [PAJE_SET_VARIABLE] = OCELOTL_ROLE_VARIABLE,
    [PAJE_ADD_VARIABLE] = OCELOTL_ROLE_VARIABLE, [PAJE_SUB_VARIABLE] = OCELOTL_ROLE_VARIABLE,
    [PAJE_START_LINK] = OCELOTL_ROLE_LINKS_OUT,  [PAJE_END_LINK] = OCELOTL_ROLE_LINKS_IN,
};

ocelotl_status paje_resources_find_stream(uint32_t *stream, paje_resources *resources,
                                          const paje_event *event, bool make)
{
    const ocelotl_role role = (ocelotl_role)paje_roles[event->kind];
    const uint32_t resource = paje_event_place(event);
    uint32_t id;
    *stream = paje_resources_route(resources, resource, event->type, role);
    if (*stream != OCELOTL_NONE)
        return OCELOTL_OK;
    OC_TRY(paje_resources_id(&id, resources, resource, event->time));
    *stream = ocelotl_writer_known_stream(resources->writer, id, event->type, role);
    if (*stream == OCELOTL_NONE && make)
        OC_TRY(ocelotl_writer_stream(stream, resources->writer, id, event->type, role));
    if (*stream != OCELOTL_NONE)
        resources->all[resource].routes[role] = (paje_route){event->type + 1, *stream};
    return OCELOTL_OK;
}

ocelotl_status paje_resources_end(paje_resources *resources, uint32_t number, int64_t time)
{
    ocelotl_status failure = OCELOTL_OK;
    char message[1024];
    if (resources->all[number].is_root)
        return OCELOTL_OK;
    for (uint32_t r = number; r != PAJE_NOWHERE;
         r = paje_nest_next(&resources->living, number, r)) {
        paje_resource *resource = &resources->all[r];
        if (resource->ended)
            continue;
        const ocelotl_status status =
            ocelotl_writer_resource_end(resources->writer, resource->id, time);
        if (status == OCELOTL_OK) {
            resource->ended = true;
            resource->ended_within = r != number;
            resource->end = time;
        } else if (failure == OCELOTL_OK) {
            failure = status;
            snprintf(message, sizeof message, "%s", ocelotl_error_message());
        }
    }
    paje_nest_take_out(&resources->living, number);
    return failure == OCELOTL_OK ? OCELOTL_OK : oc_fail(failure, "%s", message);
}

/* --- Links in the making: starts that wait for their end, and ends that wait for their start */

/* What a start and an end have in common; the text is that of the first attribute. */
typedef struct paje_link_key {
    uint64_t hash;
    uint32_t type, resource, value;
    uint32_t length;
    const char *text;
} paje_link_key;

static void free_half(paje_half *half)
{
    if (half->length > PAJE_SHORT_KEY)
        free(half->long_key);
    if (!half->is_start)
        free(half->end);
    *half = (paje_half){0};
}

void paje_links_free(paje_links *links)
{
    for (size_t i = 0; i < links->count; i++)
        free_half(&links->halves[i]);
    free(links->halves);
    free(links->buckets);
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
    return half->hash == (uint32_t)key->hash && half->type == key->type &&
           half->resource == key->resource && half->value == key->value &&
           half->length == key->length &&
           is_same(key->length <= PAJE_SHORT_KEY ? half->short_key : half->long_key, key->text,
                   key->length);
}

static inline paje_bucket *bucket_of(const paje_links *links, uint64_t hash)
{
    return &links->buckets[hash & (links->bucket_count - 1)];
}

/* The oldest half of a key, and the one before it in its bucket; 0 for none. */
static inline uint32_t find_oldest(uint32_t *before, const paje_links *links,
                                   const paje_link_key *key)
{
    *before = 0;
    if (links->bucket_count == 0)
        return 0;
    uint32_t place = bucket_of(links, key->hash)->first;
    while (place != 0 && !has_key(&links->halves[place - 1], key)) {
        *before = place;
        place = links->halves[place - 1].next;
    }
    return place;
}

static void put_last(paje_links *links, uint32_t place)
{
    paje_half *half = &links->halves[place - 1];
    paje_bucket *bucket = bucket_of(links, half->hash);
    half->next = 0;
    *(bucket->last == 0 ? &bucket->first : &links->halves[bucket->last - 1].next) = place;
    bucket->last = place;
}

static void take_out(paje_links *links, uint32_t place, uint32_t before)
{
    const paje_half *half = &links->halves[place - 1];
    paje_bucket *bucket = bucket_of(links, half->hash);
    *(before == 0 ? &bucket->first : &links->halves[before - 1].next) = half->next;
    if (bucket->last == place)
        bucket->last = before;
    links->waiting--;
}

static void give_place(paje_links *links, uint32_t place)
{
    paje_half *half = &links->halves[place - 1];
    free_half(half);
    half->next = links->free_half;
    links->free_half = place;
}

/* Doubles the buckets; the halves of a key stay in their order. */
static ocelotl_status enlarge(paje_links *links)
{
    paje_bucket *old = links->buckets;
    paje_bucket *buckets = NULL;
    const size_t count = links->bucket_count;
    OC_TRY(oc_allocate(&buckets, count == 0 ? 64 : 2 * count, sizeof *buckets));
    links->buckets = buckets;
    links->bucket_count = count == 0 ? 64 : 2 * count;
    for (size_t i = 0; i < count; i++)
        for (uint32_t place = old[i].first, next; place != 0; place = next) {
            next = links->halves[place - 1].next;
            put_last(links, place);
        }
    free(old);
    return OCELOTL_OK;
}

static ocelotl_status keep_key(paje_half *half, const paje_link_key *key)
{
    char *text = half->short_key;
    half->hash = (uint32_t)key->hash;
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

/* Keeps half a link until the other comes. */
static ocelotl_status wait(paje_links *links, const paje_applied *one, uint64_t link,
                           const paje_link_key *key)
{
    uint32_t place = links->free_half;
    if (2 * links->waiting >= links->bucket_count)
        OC_TRY(enlarge(links));
    if (place == 0) {
        if (links->count >= UINT32_MAX)
            return oc_fail(OCELOTL_ERROR_LIMIT, "too many links wait for their other end");
        OC_TRY(oc_grow(&links->halves, &links->capacity, links->count + 1, sizeof *links->halves));
        links->halves[links->count++] = (paje_half){0};
        place = (uint32_t)links->count;
    } else {
        links->free_half = links->halves[place - 1].next;
    }
    paje_half *half = &links->halves[place - 1];
    OC_TRY(keep_key(half, key));
    half->is_start = one->event->kind == PAJE_START_LINK;
    if (half->is_start)
        half->link = link;
    else
        OC_TRY(keep_end(half, one));
    put_last(links, place);
    links->waiting++;
    return OCELOTL_OK;
}

/* The key has gone into the link's beginning; its end keeps only what else it carries. */
static ocelotl_status end_link(paje_resources *resources, uint64_t link, const paje_applied *one)
{
    uint32_t target;
    OC_TRY(paje_resources_stream(&target, resources, one, true));
    return ocelotl_writer_stream_link_end(resources->writer, link, target, one->event->time,
                                          one->attributes + 1,
                                          (size_t)one->event->attribute_count - 1);
}

static ocelotl_status orphan(paje_resources *resources, const paje_early_end *early)
{
    uint32_t id;
    const paje_event *end = &early->event;
    OC_TRY(paje_resources_id(&id, resources, end->end, end->time));
    return ocelotl_writer_link_orphan(resources->writer, id, end->type, end->value, end->time,
                                      early->attributes, end->attribute_count);
}

static ocelotl_status add_start(paje_links *links, paje_resources *resources,
                                const paje_applied *one, const paje_link_key *key)
{
    uint64_t link;
    uint32_t source;
    uint32_t place;
    uint32_t before;
    const paje_event *start = one->event;
    const paje_half *half = NULL;
    while ((place = find_oldest(&before, links, key)) != 0) {
        half = &links->halves[place - 1];
        if (half->is_start)
            break;
        const paje_resource *resource = &resources->all[half->end->event.end];
        if (!resource->ended || start->time <= resource->end)
            break;
        /* It cannot be the start of an end in a resource that was gone before. */
        take_out(links, place, before);
        links->dead_ends++;
        const ocelotl_status status = orphan(resources, half->end);
        give_place(links, place);
        OC_TRY(status);
    }
    OC_TRY(paje_resources_stream(&source, resources, one, true));
    OC_TRY(ocelotl_writer_stream_link_begin(&link, resources->writer, source, start->value,
                                            start->time, one->attributes, start->attribute_count));
    if (place == 0 || half->is_start)
        return wait(links, one, link, key);
    take_out(links, place, before);
    const paje_applied end = {&half->end->event, half->end->attributes, half->end->line,
                              OCELOTL_NONE};
    links->reversed += end.event->time < start->time;
    const ocelotl_status status = end_link(resources, link, &end);
    give_place(links, place);
    return status;
}

ocelotl_status paje_links_add(paje_links *links, paje_resources *resources, const paje_applied *one)
{
    const paje_event *event = one->event;
    const paje_link_key key = {.hash = event->key_hash,
                               .type = event->type,
                               .resource = event->resource,
                               .value = event->value,
                               .length = (uint32_t)one->attributes[0].length,
                               .text = one->attributes[0].text};
    if (event->kind == PAJE_START_LINK)
        return add_start(links, resources, one, &key);
    uint32_t before;
    const uint32_t place = find_oldest(&before, links, &key);
    if (place == 0 || !links->halves[place - 1].is_start)
        return wait(links, one, 0, &key);
    const uint64_t link = links->halves[place - 1].link;
    take_out(links, place, before);
    give_place(links, place);
    return end_link(resources, link, one);
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

static int compare_times(const void *left, const void *right)
{
    const paje_early_end *a = *(const paje_early_end *const *)left;
    const paje_early_end *b = *(const paje_early_end *const *)right;
    if (a->event.time != b->event.time)
        return a->event.time < b->event.time ? -1 : 1;
    if (a->event.file != b->event.file)
        return a->event.file < b->event.file ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

ocelotl_status paje_links_finish(paje_links *links, paje_resources *resources, uint64_t *starts,
                                 uint64_t *ends)
{
    const paje_early_end **orphans = NULL;
    size_t count = 0;
    ocelotl_status status = OCELOTL_OK;
    *starts = 0;
    OC_TRY(oc_allocate(&orphans, links->count + 1, sizeof(paje_early_end *)));
    for (size_t i = 0; i < links->count; i++) {
        const paje_half *half = &links->halves[i];
        *starts += half->is_start;
        if (!half->is_start && half->end != NULL)
            orphans[count++] = half->end;
    }
    *ends = links->dead_ends + count;
    qsort(orphans, count, sizeof(paje_early_end *), compare_times);
    for (size_t i = 0; i < count && status == OCELOTL_OK; i++)
        status = orphan(resources, orphans[i]);
    free(orphans);
    return status;
}
