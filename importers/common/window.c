#include "importers/common/window.h"

#include "base/text.h"

/* With more blocks than this waiting, each gives its text back; so does a longer block. Most of a
 * text may be anything. */
static const size_t most_whole_blocks = 32;
static const size_t longest_whole_block = (size_t)1 << 21;

uint64_t oc_raw_window_count(const oc_raw_window *window)
{
    return window->last != NULL ? window->last->number + window->last->count : window->handed;
}

uint64_t oc_raw_window_first(const oc_raw_window *window)
{
    const uint64_t count = oc_raw_window_count(window);
    return count > window->closed + OC_RAW_WINDOW ? count - OC_RAW_WINDOW : window->closed;
}

void oc_raw_window_take(oc_raw_window *window, oc_block *block)
{
    block->number = oc_raw_window_count(window);
    block->next = NULL;
    block->before = window->last;
    if (window->last != NULL) {
        window->last->next = block;
        window->carried += window->last->carried;
        if (window->block_count >= most_whole_blocks || window->last->length > longest_whole_block)
            (void)oc_block_keep(window->last); /* it may do without */
    } else {
        window->first = block;
    }
    window->last = block;
    window->block_count++;
    oc_raw_window_bound(window);
}

/* The block of the last event that is before a block's end, or NULL. */
static oc_block *with_events(oc_block *block)
{
    while (block != NULL && block->count == block->handed)
        block = block->before;
    return block;
}

int64_t oc_raw_window_time(const oc_raw_window *window)
{
    const oc_block *last = with_events(window->last);
    if (last != NULL)
        return last->events[last->count - 1].time;
    return window->handed > 0 ? window->time : INT64_MIN;
}

bool oc_raw_window_follows(const oc_raw_window *window, int64_t time)
{
    return oc_raw_window_time(window) <= time;
}

/* Moves the window's begin so that its events have no more text than allowed. */
void oc_raw_window_bound(oc_raw_window *window)
{
    size_t carried = 0;
    if (window->last == NULL || window->carried + window->last->carried <= OC_RAW_TEXT)
        return;
    const uint64_t first = oc_raw_window_first(window);
    for (const oc_block *block = window->last; block != NULL; block = block->before)
        for (size_t i = block->count; i-- > block->handed;) {
            const oc_raw_event *event = &block->events[i];
            const ocelotl_attribute_value *attributes = oc_block_attributes(block, event);
            for (size_t a = 0; a < event->attribute_count; a++)
                carried += attributes[a].length;
            if (block->number + i < first)
                return;
            if (carried > OC_RAW_TEXT) {
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
                   OC_RAW_WINDOW);
}

/* Finds the event that the next one comes behind: its block and place + 1, or the beginning of the
 * first block that waits. */
static ocelotl_status find_place(oc_block **found, size_t *place, const oc_raw_window *window)
{
    const uint64_t first = oc_raw_window_first(window);
    const int64_t time = window->next.time;
    *found = window->first;
    *place = window->first->handed;
    for (oc_block *block = window->last; block != NULL; block = block->before)
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

static ocelotl_status insert(oc_raw_window *window)
{
    oc_block *block;
    size_t place;
    oc_raw_event event = window->next;
    OC_TRY(find_place(&block, &place, window));
    event.line = OC_RAW_LINE(event.line + window->last->first_line - block->first_line);
    const size_t carried = block->carried;
    OC_TRY(oc_block_insert(block, place, &event, window->attributes));
    if (block != window->last)
        window->carried += block->carried - carried;
    for (block = block->next; block != NULL; block = block->next)
        block->number++;
    return OCELOTL_OK;
}

static ocelotl_status append(oc_raw_window *window)
{
    oc_block *block = window->last;
    const size_t count = window->next.attribute_count;
    oc_raw_event *event = oc_block_next_event(block);
    ocelotl_attribute_value *attributes = oc_block_next_attributes(block, count);
    if (event == NULL || attributes == NULL)
        return oc_fail_memory();
    *event = window->next;
    event->first_attribute = (uint32_t)block->attribute_count;
    for (size_t i = 0; i < count; i++) {
        attributes[i] = window->attributes[i];
        block->carried += attributes[i].length;
    }
    block->attribute_count += count;
    block->count++;
    return OCELOTL_OK;
}

ocelotl_status oc_raw_window_add(oc_raw_window *window, bool keeps)
{
    OC_TRY(!keeps && oc_raw_window_follows(window, window->next.time) ? append(window)
                                                                      : insert(window));
    oc_raw_window_bound(window);
    return OCELOTL_OK;
}

void oc_raw_window_pass(oc_raw_window *window, oc_block *block, size_t to)
{
    if (to == block->handed)
        return;
    window->handed += to - block->handed;
    window->time = block->events[to - 1].time;
    block->handed = to;
}

oc_block *oc_raw_window_give(oc_raw_window *window)
{
    oc_block *block = window->first;
    if (block == NULL || block == window->last ||
        block->number + block->count > oc_raw_window_first(window))
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

void oc_raw_window_close(oc_raw_window *window)
{
    window->closed = oc_raw_window_count(window);
}

bool oc_raw_window_refine(oc_raw_window *window, uint64_t factor)
{
    bool fits = oc_multiply_time(&window->time, window->time, factor);
    for (oc_block *block = window->first; block != NULL; block = block->next)
        for (size_t i = block->handed; i < block->count; i++)
            fits = oc_multiply_time(&block->events[i].time, block->events[i].time, factor) && fits;
    return fits;
}
