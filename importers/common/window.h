/* The window in which events are sorted: blocks whose events may still move. */
#ifndef OC_IMPORTERS_COMMON_WINDOW_H
#define OC_IMPORTERS_COMMON_WINDOW_H

#include "importers/common/block.h"

enum {
    /* How far an event may stand behind later ones: tracers that write a buffer a thread are off by
       a few lines. */
    OC_RAW_WINDOW = 16384,
    /* Bytes of text that the events of the window may carry: where they would carry more, it has
       fewer of them. */
    OC_RAW_TEXT = 1 << 25
};

/* Events in order of time; of equal times in the order they came in. They are numbered from 0 in
 * that order; the last OC_RAW_WINDOW of them may still move. Zero-initialised it is empty. */
typedef struct oc_raw_window {
    oc_block *first, *last; /* the blocks; the last one may grow */
    size_t block_count;
    size_t carried;    /* bytes of text in the blocks before the last */
    uint64_t handed;   /* events that have been handed on, */
    int64_t time;      /* and the time of the last of them */
    uint64_t drained;  /* the first event that could move when the pipeline was drained last */
    uint64_t closed;   /* events below this number cannot move, however few came behind them */
    oc_raw_event next; /* what is to be added, */
    ocelotl_attribute_value attributes[OC_RAW_ATTRIBUTES]; /* and what it carries */
} oc_raw_window;

/* Takes a block; its events, if it has any, are behind all others, as oc_raw_window_follows says.
 * Events are added to it until the next block is taken. */
void oc_raw_window_take(oc_raw_window *window, oc_block *block);

/* Whether an event of a time would be the last. */
bool oc_raw_window_follows(const oc_raw_window *window, int64_t time);

/* The time of the last event; INT64_MIN without any. */
int64_t oc_raw_window_time(const oc_raw_window *window);

/* How many events have been added. */
uint64_t oc_raw_window_count(const oc_raw_window *window);

/* Adds window->next where its time belongs. `keeps`: the texts of its attributes are copied; else
 * they are the last block's. Errors: INPUT where its place is before the window. */
ocelotl_status oc_raw_window_add(oc_raw_window *window, bool keeps);

/* Events may have been added to the last block: bounds what they carry. */
void oc_raw_window_bound(oc_raw_window *window);

/* The number of the first event that may still move. */
uint64_t oc_raw_window_first(const oc_raw_window *window);

/* Takes out the first block once none of its events can move and it cannot grow; else NULL. */
oc_block *oc_raw_window_give(oc_raw_window *window);

/* The events of the first block before `to` have been handed on. */
void oc_raw_window_pass(oc_raw_window *window, oc_block *block, size_t to);

/* No event can move any more. */
void oc_raw_window_close(oc_raw_window *window);

/* Multiplies all times; false where one does not fit. */
bool oc_raw_window_refine(oc_raw_window *window, uint64_t factor);

#endif
