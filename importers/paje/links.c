#include "importers/paje/links.h"

#include "base/memory.h"

#include <stdlib.h>

void paje_links_free(paje_links *links)
{
    for (size_t i = 0; i < links->count; i++)
        paje_event_free(&links->halves[i].event);
    free(links->halves);
    oc_map_free(&links->first_of_key);
    oc_text_free(&links->key);
}

static ocelotl_status make_key(paje_links *links, const paje_event *event)
{
    const uint32_t numbers[3] = {event->type, event->container, event->value};
    oc_text_clear(&links->key);
    oc_text_append(&links->key, (const char *)numbers, sizeof numbers);
    oc_text_append(&links->key, event->attributes[0].text, event->attributes[0].length);
    return links->key.failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status take_place(uint32_t *place, paje_links *links)
{
    if (links->free_half != OC_MAP_NONE) {
        *place = links->free_half;
        links->free_half = links->halves[*place].next;
        return OCELOTL_OK;
    }
    if (links->count >= OC_MAP_NONE)
        return oc_fail(OCELOTL_ERROR_LIMIT, "too many links wait for their other end");
    OC_TRY(oc_grow(&links->halves, &links->capacity, links->count + 1, sizeof *links->halves));
    *place = (uint32_t)links->count++;
    links->halves[*place] = (paje_half){0};
    return OCELOTL_OK;
}

/* Takes over what half->event holds, but for errors. */
static ocelotl_status wait(paje_links *links, uint32_t oldest, const paje_half *half)
{
    uint32_t place = 0;
    OC_TRY(take_place(&place, links));
    if (oldest == OC_MAP_NONE)
        OC_TRY(oc_map_set(&links->first_of_key, links->key.bytes, links->key.length, place));
    links->halves[place] = *half;
    links->halves[place].next = OC_MAP_NONE;
    links->halves[place].last = place;
    if (oldest == OC_MAP_NONE)
        return OCELOTL_OK;
    links->halves[links->halves[oldest].last].next = place;
    links->halves[oldest].last = place;
    return OCELOTL_OK;
}

static ocelotl_status release(paje_half *half, paje_links *links, uint32_t place)
{
    *half = links->halves[place];
    if (half->next != OC_MAP_NONE)
        links->halves[half->next].last = half->last;
    OC_TRY(oc_map_set(&links->first_of_key, links->key.bytes, links->key.length, half->next));
    links->halves[place] = (paje_half){.next = links->free_half};
    links->free_half = place;
    return OCELOTL_OK;
}

/* The key has gone into the link's beginning; its end keeps only what else it carries. */
static ocelotl_status end_link(paje_names *names, uint64_t link, const paje_event *end)
{
    uint32_t resource;
    OC_TRY(paje_names_resource(&resource, names, end->end, end->time));
    return ocelotl_writer_link_end(names->writer, link, resource, end->time, end->attributes + 1,
                                   end->attribute_count - 1);
}

static ocelotl_status start_link(uint64_t *link, paje_names *names, const paje_event *start)
{
    uint32_t resource;
    OC_TRY(paje_names_resource(&resource, names, start->end, start->time));
    return ocelotl_writer_link_begin(link, names->writer, resource, names->types[start->type].id, start->value,
                                     start->time, start->attributes, start->attribute_count);
}

static ocelotl_status orphan(paje_names *names, const paje_event *end)
{
    uint32_t resource;
    OC_TRY(paje_names_resource(&resource, names, end->end, end->time));
    return ocelotl_writer_link_orphan(names->writer, resource, names->types[end->type].id, end->value, end->time,
                                      end->attributes, end->attribute_count);
}

/* A start cannot be that of an end in a container that was gone before: such ends have none. */
static ocelotl_status skip_dead_ends(uint32_t *oldest, paje_links *links, paje_names *names, int64_t start)
{
    while (*oldest != OC_MAP_NONE && !links->halves[*oldest].is_start) {
        const paje_container *container = &names->containers[links->halves[*oldest].event.end];
        paje_half end;
        if (!container->ended || start <= container->end)
            break;
        OC_TRY(release(&end, links, *oldest));
        *oldest = end.next;
        links->dead_ends++;
        const ocelotl_status status = orphan(names, &end.event);
        paje_event_free(&end.event);
        OC_TRY(status);
    }
    return OCELOTL_OK;
}

static ocelotl_status add_start(paje_links *links, paje_names *names, const paje_event *event, uint32_t oldest)
{
    paje_half half = {.is_start = true};
    OC_TRY(skip_dead_ends(&oldest, links, names, event->time));
    OC_TRY(start_link(&half.link, names, event));
    if (oldest == OC_MAP_NONE || links->halves[oldest].is_start)
        return wait(links, oldest, &half);
    paje_half end;
    OC_TRY(release(&end, links, oldest));
    links->reversed += end.event.time < event->time;
    const ocelotl_status status = end_link(names, half.link, &end.event);
    paje_event_free(&end.event);
    return status;
}

static ocelotl_status add_end(paje_links *links, paje_names *names, paje_event *event, uint32_t oldest)
{
    if (oldest != OC_MAP_NONE && links->halves[oldest].is_start) {
        paje_half start;
        OC_TRY(release(&start, links, oldest));
        return end_link(names, start.link, event);
    }
    OC_TRY(wait(links, oldest, &(paje_half){.event = *event}));
    event->attributes = NULL; /* they wait, too */
    return OCELOTL_OK;
}

ocelotl_status paje_links_add(paje_links *links, paje_names *names, paje_event *event)
{
    OC_TRY(make_key(links, event));
    const uint32_t oldest = oc_map_get(&links->first_of_key, links->key.bytes, links->key.length);
    return event->kind == PAJE_START_LINK ? add_start(links, names, event, oldest)
                                          : add_end(links, names, event, oldest);
}

static int compare_times(const void *left, const void *right)
{
    const paje_half *a = left;
    const paje_half *b = right;
    if (a->event.time != b->event.time)
        return a->event.time < b->event.time ? -1 : 1;
    return a->event.line < b->event.line ? -1 : a->event.line > b->event.line;
}

ocelotl_status paje_links_finish(paje_links *links, paje_names *names, uint64_t *starts, uint64_t *ends)
{
    *starts = 0;
    *ends = links->dead_ends;
    for (uint32_t place = links->free_half; place != OC_MAP_NONE; place = links->halves[place].next)
        links->halves[place].link = UINT64_MAX; /* marks what is free */
    if (links->count > 0)
        qsort(links->halves, links->count, sizeof *links->halves, compare_times);
    for (size_t i = 0; i < links->count; i++) {
        const paje_half *half = &links->halves[i];
        if (!half->is_start && half->link == UINT64_MAX)
            continue;
        *starts += half->is_start;
        *ends += !half->is_start;
        if (!half->is_start)
            OC_TRY(orphan(names, &half->event));
    }
    return OCELOTL_OK;
}
