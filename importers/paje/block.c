#include "importers/paje/block.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* What a block may keep from one text to the next. */
static const size_t most_bytes = (size_t)1 << 22;
static const size_t most_events = (size_t)1 << 17;
static const size_t few_events = 1024;

void paje_block_unread(paje_block *block)
{
    oc_arena_free(&block->kept);
    block->read = 0;
    block->lines = 0;
    memset(block->kinds, 0, sizeof block->kinds);
    block->count = 0;
    block->handed = 0;
    block->attribute_count = 0;
    block->carried = 0;
}

static void free_text(paje_block *block)
{
    free(block->bytes);
    block->bytes = NULL;
    block->capacity = 0;
    block->length = 0;
}

void paje_block_clear(paje_block *block)
{
    paje_block_unread(block);
    if (block->capacity > most_bytes)
        free_text(block);
    if (block->event_capacity > most_events || block->attribute_capacity > most_events) {
        free(block->events);
        free(block->attributes);
        block->events = NULL;
        block->attributes = NULL;
        block->event_capacity = block->attribute_capacity = 0;
    }
    block->length = 0;
    block->first_line = 0;
    block->is_too_long = false;
    block->before = block->next = NULL;
}

void paje_blocks_free(paje_block *first)
{
    while (first != NULL) {
        paje_block *next = first->next;
        oc_arena_free(&first->kept);
        free(first->bytes);
        free(first->events);
        free(first->attributes);
        free(first);
        first = next;
    }
}

ocelotl_status paje_block_reserve(paje_block *block, size_t length)
{
    return block->capacity >= length + PAJE_BLOCK_MARGIN
               ? OCELOTL_OK
               : oc_grow(&block->bytes, &block->capacity, length + PAJE_BLOCK_MARGIN, 1);
}

void paje_queue_put(paje_queue *queue, paje_block *block)
{
    block->next = NULL;
    *(queue->first == NULL ? &queue->first : &queue->last->next) = block;
    queue->last = block;
    queue->count++;
    queue->bytes += block->length;
}

paje_block *paje_queue_take(paje_queue *queue)
{
    paje_block *block = queue->first;
    if (block == NULL)
        return NULL;
    queue->first = block->next;
    queue->count--;
    queue->bytes -= block->length;
    block->next = NULL;
    return block;
}

paje_event *paje_block_next_event(paje_block *block)
{
    if (block->count == block->event_capacity &&
        oc_grow(&block->events, &block->event_capacity,
                block->count == 0 ? few_events : block->count + 1,
                sizeof *block->events) != OCELOTL_OK)
        return NULL;
    return &block->events[block->count];
}

bool paje_block_give_attributes(paje_block *block, paje_event *event,
                                const ocelotl_attribute_value *attributes)
{
    const size_t count = event->attribute_count;
    if (block->attribute_capacity - block->attribute_count < count &&
        oc_grow(&block->attributes, &block->attribute_capacity, block->attribute_count + count,
                sizeof *block->attributes) != OCELOTL_OK)
        return false;
    event->first_attribute = (uint32_t)block->attribute_count;
    for (size_t i = 0; i < count; i++) {
        block->attributes[block->attribute_count++] = attributes[i];
        block->carried += attributes[i].length;
    }
    return true;
}

static ocelotl_status keep_text(ocelotl_attribute_value *attribute, paje_block *block)
{
    const char *kept = oc_arena_copy_bytes(&block->kept, attribute->text, attribute->length);
    OC_TRY(oc_arena_status(&block->kept));
    attribute->text = kept;
    return OCELOTL_OK;
}

/* Keeps the texts of its events and gives the block's back. */
static ocelotl_status keep_texts(paje_block *block)
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

/* With more blocks than this waiting, each gives its text back; so does a longer block. Most of a
 * text may be anything. */
static const size_t most_whole_blocks = 32;
static const size_t longest_whole_block = (size_t)1 << 21;

/* How many events have been added. */
static uint64_t count_events(const paje_window *window)
{
    return window->last != NULL ? window->last->number + window->last->count : window->handed;
}

uint64_t paje_window_first(const paje_window *window)
{
    const uint64_t count = count_events(window);
    return count > window->closed + PAJE_WINDOW ? count - PAJE_WINDOW : window->closed;
}

void paje_window_take(paje_window *window, paje_block *block)
{
    block->number = count_events(window);
    block->next = NULL;
    block->before = window->last;
    if (window->last != NULL) {
        window->last->next = block;
        window->carried += window->last->carried;
        if (window->block_count >= most_whole_blocks || window->last->length > longest_whole_block)
            (void)keep_texts(window->last); /* it may do without */
    } else {
        window->first = block;
    }
    window->last = block;
    window->block_count++;
    paje_window_bound(window);
}

int64_t paje_window_time(const paje_window *window)
{
    const paje_block *last = window->last;
    while (last != NULL && last->count == last->handed)
        last = last->before;
    if (last != NULL)
        return last->events[last->count - 1].time;
    return window->handed > 0 ? window->time : INT64_MIN;
}

bool paje_window_follows(const paje_window *window, int64_t time)
{
    return paje_window_time(window) <= time;
}

/* Moves the window's begin so that its events have no more text than allowed. */
void paje_window_bound(paje_window *window)
{
    size_t carried = 0;
    if (window->last == NULL || window->carried + window->last->carried <= PAJE_WINDOW_TEXT)
        return;
    const uint64_t first = paje_window_first(window);
    for (const paje_block *block = window->last; block != NULL; block = block->before)
        for (size_t i = block->count; i-- > block->handed;) {
            const paje_event *event = &block->events[i];
            const ocelotl_attribute_value *attributes = paje_block_attributes(block, event);
            for (size_t a = 0; a < event->attribute_count; a++)
                carried += attributes[a].length;
            if (block->number + i < first)
                return;
            if (carried > PAJE_WINDOW_TEXT) {
                window->closed = block->number + i + 1;
                return;
            }
        }
}

static ocelotl_status fail_early(void)
{
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "time goes back by more than the %d events that are sorted, expected events "
                   "in order of time",
                   PAJE_WINDOW);
}

/* Finds the event that one of a time comes behind: its block and place + 1, or the beginning of the
 * first block that waits. */
static ocelotl_status find_place(paje_block **found, size_t *place, const paje_window *window,
                                 int64_t time)
{
    const uint64_t first = paje_window_first(window);
    *found = window->first;
    *place = window->first->handed;
    for (paje_block *block = window->last; block != NULL; block = block->before)
        for (size_t i = block->count; i-- > block->handed;) {
            if (block->events[i].time <= time) {
                *found = block;
                *place = i + 1;
                return OCELOTL_OK;
            }
            if (block->number + i < first)
                return fail_early();
        }
    return window->handed > 0 && window->time > time ? fail_early() : OCELOTL_OK;
}

ocelotl_status paje_window_add(paje_window *window, const paje_event *event,
                               const ocelotl_attribute_value *attributes, bool keeps)
{
    paje_block *block = window->last;
    size_t place = block->count;
    const bool follows = paje_window_follows(window, event->time);
    if (!follows)
        OC_TRY(find_place(&block, &place, window, event->time));
    const size_t before = block->attribute_count;
    const size_t carried = block->carried;
    paje_event added = *event;
    if (paje_block_next_event(block) == NULL ||
        !paje_block_give_attributes(block, &added, attributes))
        return oc_fail_memory();
    for (size_t i = before; i < block->attribute_count && (keeps || !follows); i++)
        OC_TRY(keep_text(&block->attributes[i], block));
    added.line = PAJE_LINE(added.line + window->last->first_line - block->first_line);
    memmove(&block->events[place + 1], &block->events[place],
            (block->count - place) * sizeof *block->events);
    block->events[place] = added;
    block->count++;
    if (block != window->last)
        window->carried += block->carried - carried;
    for (block = block->next; block != NULL; block = block->next)
        block->number++;
    paje_window_bound(window);
    return OCELOTL_OK;
}

void paje_window_pass(paje_window *window, paje_block *block, size_t to)
{
    if (to == block->handed)
        return;
    window->handed += to - block->handed;
    window->time = block->events[to - 1].time;
    block->handed = to;
}

paje_block *paje_window_give(paje_window *window)
{
    paje_block *block = window->first;
    if (block == NULL || block == window->last ||
        block->number + block->count > paje_window_first(window))
        return NULL;
    window->first = block->next;
    window->first->before = NULL;
    window->carried -= block->carried;
    window->block_count--;
    block->next = NULL;
    if (block->count > block->handed) {
        window->handed += block->count - block->handed;
        window->time = block->events[block->count - 1].time;
    }
    return block;
}

void paje_window_close(paje_window *window)
{
    window->closed = count_events(window);
}

bool paje_window_refine(paje_window *window, uint64_t factor)
{
    bool fits = oc_multiply_time(&window->time, window->time, factor);
    for (paje_block *block = window->first; block != NULL; block = block->next)
        for (size_t i = block->handed; i < block->count; i++)
            fits = oc_multiply_time(&block->events[i].time, block->events[i].time, factor) && fits;
    return fits;
}
