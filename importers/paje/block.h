/* A block of a source on its way to the writer: a part of the text, and the events that were made
 * of it; and the window in which events are sorted: blocks whose events may still move. */
#ifndef OC_IMPORTERS_PAJE_BLOCK_H
#define OC_IMPORTERS_PAJE_BLOCK_H

#include "base/arena.h"
#include "base/pool.h"
#include "base/status.h"
#include "importers/paje/line.h"

#include <ocelotl/writer.h>

/* What an event does. */
typedef enum paje_kind {
    PAJE_DESTROY_CONTAINER, /* with all that is inside it */
    PAJE_NEW_EVENT,
    PAJE_SET_STATE, /* ends all states of the type that are open, and begins one */
    PAJE_PUSH_STATE,
    PAJE_POP_STATE,
    PAJE_RESET_STATE, /* ends all that are open */
    PAJE_SET_VARIABLE,
    PAJE_ADD_VARIABLE,
    PAJE_SUB_VARIABLE,
    PAJE_START_LINK,
    PAJE_END_LINK,         /* the last that is applied later */
    PAJE_CREATE_CONTAINER, /* the last that has a time */
    PAJE_DEFINE_CONTAINER_TYPE,
    PAJE_DEFINE_TYPE, /* of events */
    PAJE_DEFINE_VALUE,
    PAJE_TRACE_FILE,
    PAJE_UNKNOWN /* an event of the tracer's own, which is nothing that can be shown */
} paje_kind;

/* An event with its names resolved. */
typedef struct paje_event {
    int64_t time;
    union {
        double number;     /* of a variable */
        uint64_t key_hash; /* of a link: a hash of the key, which is the first attribute */
    };
    uint64_t line : 40;            /* in its file, behind those before the block */
    uint64_t kind : 8;             /* an paje_kind */
    uint64_t attribute_count : 16; /* at most PAJE_MOST_FIELDS */
    uint32_t first_attribute;      /* of the block's */
    uint32_t resource;             /* of paje_resources; of a link: the one that owns it */
    uint32_t end;                  /* of a link: the resource where it starts or ends */
    uint32_t type, value;          /* the writer's */
    uint32_t file;                 /* by number: the line is one of it */
} paje_event;

/* The bits of a line's number. */
#define PAJE_LINE(line) ((line) & (((uint64_t)1 << 40) - 1))

/* An event as it is applied: with what it carries, its line in the file, and its stream if that is
 * known. */
typedef struct paje_applied {
    const paje_event *event;
    const ocelotl_attribute_value *attributes;
    uint64_t line;
    uint32_t stream; /* the writer's, or OCELOTL_NONE */
} paje_applied;

enum {
    PAJE_MOST_FIELDS = 64,
    /* Bytes behind the text of a block that may be read, for reading in large steps. */
    PAJE_BLOCK_MARGIN = 128
};

/* Zero-initialised it is empty. */
typedef struct paje_block {
    struct paje_block *before, *next; /* of the list that it is in */
    /* The text: whole lines, each with its end. */
    char *bytes;
    size_t length, capacity;
    uint64_t position; /* of the source at the text's end, for progress */
    bool is_too_long;  /* it has no text: one of its lines is longer than any may be */
    /* How much of the text has been read, how many lines that is, and how many precede the
     * block. */
    size_t read;
    uint64_t lines, first_line;
    uint32_t kinds[PAJE_QUICK_NUMBERS];
    /* Its events. Those before `handed` have been handed on. `number` is that of the first. */
    paje_event *events;
    size_t count, event_capacity, handed;
    uint64_t number;
    ocelotl_attribute_value *attributes;
    size_t attribute_count, attribute_capacity;
    size_t carried; /* bytes of text in the attributes */
    oc_arena kept;  /* texts that are kept apart from the block's */
    /* For reading it ahead: */
    oc_job job;
    uint64_t meaning, generation; /* of names when it was read */
    bool is_reading;
} paje_block;

/* Empties the block and keeps its memory, unless that is too much. */
void paje_block_clear(paje_block *block);

/* Frees a list of blocks. */
void paje_blocks_free(paje_block *first);

/* Makes room for so much text, with the margin behind it. */
ocelotl_status paje_block_reserve(paje_block *block, size_t length);

/* Blocks on their way from one thread to another; their text does not change there.
 * Zero-initialised it is empty. */
typedef struct paje_queue {
    paje_block *first, *last;
    size_t count, bytes; /* of text */
} paje_queue;

void paje_queue_put(paje_queue *queue, paje_block *block);

/* NULL where it is empty. */
paje_block *paje_queue_take(paje_queue *queue);

/* Forgets its events, and that anything has been read. */
void paje_block_unread(paje_block *block);

/* Makes room for one event behind the last, not counted yet. NULL if memory runs out. */
paje_event *paje_block_next_event(paje_block *block);

/* Gives an event of the block copies of the attributes that it counts, whose texts stay where they
 * are. False if memory runs out. */
bool paje_block_give_attributes(paje_block *block, paje_event *event,
                                const ocelotl_attribute_value *attributes);

static inline const ocelotl_attribute_value *paje_block_attributes(const paje_block *block,
                                                                   const paje_event *event)
{
    return event->attribute_count > 0 ? block->attributes + event->first_attribute : NULL;
}

/* Where an event happens. */
static inline uint32_t paje_event_place(const paje_event *event)
{
    return event->kind >= PAJE_START_LINK ? event->end : event->resource;
}

enum {
    /* How far an event may stand behind later ones: tracers that write a buffer a thread are off by
       a few lines. */
    PAJE_WINDOW = 16384,
    /* Bytes of text that the events of the window may carry: where they would carry more, it has
       fewer of them. */
    PAJE_WINDOW_TEXT = 1 << 25
};

/* Events in order of time; of equal times in the order they came in. They are numbered from 0 in
 * that order; the last PAJE_WINDOW of them may still move. Zero-initialised it is empty. */
typedef struct paje_window {
    paje_block *first, *last; /* the blocks; the last one may grow */
    size_t block_count;
    size_t carried;   /* bytes of text in the blocks before the last */
    uint64_t handed;  /* events that have been handed on, */
    int64_t time;     /* and the time of the last of them */
    uint64_t drained; /* the first event that could move when the pipeline was drained last */
    uint64_t closed;  /* events below this number cannot move, however few came behind them */
} paje_window;

/* Takes a block; its events, if it has any, are behind all others, as paje_window_follows says.
 * Events are added to it until the next block is taken. */
void paje_window_take(paje_window *window, paje_block *block);

/* Whether an event of a time would be the last. */
bool paje_window_follows(const paje_window *window, int64_t time);

/* The time of the last event; INT64_MIN without any. */
int64_t paje_window_time(const paje_window *window);

/* Adds an event of the last block's lines where its time belongs. `keeps`: the texts of its
 * attributes are copied; else they are the last block's. Errors: INPUT where its place is before
 * the window. */
ocelotl_status paje_window_add(paje_window *window, const paje_event *event,
                               const ocelotl_attribute_value *attributes, bool keeps);

/* Events may have been added to the last block: bounds what they carry. */
void paje_window_bound(paje_window *window);

/* The number of the first event that may still move. */
uint64_t paje_window_first(const paje_window *window);

/* Takes out the first block once none of its events can move and it cannot grow; else NULL. */
paje_block *paje_window_give(paje_window *window);

/* The events of the first block before `to` have been handed on. */
void paje_window_pass(paje_window *window, paje_block *block, size_t to);

/* No event can move any more. */
void paje_window_close(paje_window *window);

/* Multiplies all times; false where one does not fit. */
bool paje_window_refine(paje_window *window, uint64_t factor);

#endif
