#include "importers/common/block.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What a block may keep from one text to the next. */
static const size_t most_bytes = (size_t)1 << 22;
static const size_t most_events = (size_t)1 << 17;
static const size_t few_events = 1024;
static const size_t kept_size = 4096;

static void free_kept(oc_block *block)
{
    while (block->kept != NULL) {
        oc_kept_text *next = block->kept->next;
        free(block->kept);
        block->kept = next;
    }
}

void oc_block_unread(oc_block *block)
{
    free_kept(block);
    block->read = 0;
    block->lines = 0;
    memset(block->kinds, 0, sizeof block->kinds);
    block->count = 0;
    block->handed = 0;
    block->attribute_count = 0;
    block->carried = 0;
}

static void free_text(oc_block *block)
{
    free(block->bytes);
    block->bytes = NULL;
    block->capacity = 0;
    block->length = 0;
}

static void free_events(oc_block *block)
{
    free(block->events);
    block->events = NULL;
    block->event_capacity = 0;
    free(block->attributes);
    block->attributes = NULL;
    block->attribute_capacity = 0;
}

void oc_block_clear(oc_block *block)
{
    oc_block_unread(block);
    if (block->capacity > most_bytes)
        free_text(block);
    if (block->event_capacity > most_events || block->attribute_capacity > most_events)
        free_events(block);
    block->length = 0;
    block->first_line = 0;
    block->is_too_long = false;
    block->before = block->next = NULL;
}

void oc_block_free(oc_block *block)
{
    if (block == NULL)
        return;
    free_kept(block);
    free_text(block);
    free_events(block);
    free(block);
}

oc_raw_event *oc_block_next_event(oc_block *block)
{
    if (block->count == block->event_capacity &&
        oc_grow(&block->events, &block->event_capacity,
                block->count == 0 ? few_events : block->count + 1,
                sizeof *block->events) != OCELOTL_OK)
        return NULL;
    return &block->events[block->count];
}

ocelotl_attribute_value *oc_block_next_attributes(oc_block *block, size_t count)
{
    if ((block->attributes == NULL || block->attribute_capacity - block->attribute_count < count) &&
        oc_grow(&block->attributes, &block->attribute_capacity, block->attribute_count + count + 1,
                sizeof *block->attributes) != OCELOTL_OK)
        return NULL;
    return block->attributes + block->attribute_count;
}

static ocelotl_status keep_room(char **room, oc_block *block, size_t length)
{
    oc_kept_text *kept = block->kept;
    if (kept == NULL || kept->capacity - kept->used < length) {
        const size_t capacity = length > kept_size ? length : kept_size;
        OC_TRY(oc_allocate(&kept, sizeof *kept + capacity, 1));
        kept->capacity = capacity;
        kept->next = block->kept;
        block->kept = kept;
    }
    *room = kept->bytes + kept->used;
    kept->used += length;
    return OCELOTL_OK;
}

static ocelotl_status keep_text(ocelotl_attribute_value *attribute, oc_block *block)
{
    char *room = NULL;
    OC_TRY(keep_room(&room, block, attribute->length));
    if (attribute->length > 0)
        memcpy(room, attribute->text, attribute->length);
    attribute->text = room;
    return OCELOTL_OK;
}

ocelotl_status oc_block_insert(oc_block *block, size_t place, const oc_raw_event *event,
                               const ocelotl_attribute_value *attributes)
{
    ocelotl_attribute_value *own = oc_block_next_attributes(block, event->attribute_count);
    if (oc_block_next_event(block) == NULL || own == NULL)
        return oc_fail_memory();
    for (size_t i = 0; i < event->attribute_count; i++) {
        own[i] = attributes[i];
        OC_TRY(keep_text(&own[i], block));
        block->carried += own[i].length;
    }
    memmove(&block->events[place + 1], &block->events[place],
            (block->count - place) * sizeof *block->events);
    block->events[place] = *event;
    block->events[place].first_attribute = (uint32_t)block->attribute_count;
    block->attribute_count += event->attribute_count;
    block->count++;
    return OCELOTL_OK;
}

ocelotl_status oc_block_keep(oc_block *block)
{
    const char *end = block->bytes + block->length;
    if (block->bytes == NULL)
        return OCELOTL_OK;
    for (size_t i = 0; i < block->attribute_count; i++)
        if (block->attributes[i].text >= block->bytes && block->attributes[i].text <= end)
            OC_TRY(keep_text(&block->attributes[i], block));
    free_text(block);
    return OCELOTL_OK;
}
