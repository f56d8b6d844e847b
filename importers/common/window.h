/* The events of a source on their way to the writer, and the window in which they are sorted. */
#ifndef OC_IMPORTERS_COMMON_WINDOW_H
#define OC_IMPORTERS_COMMON_WINDOW_H

#include "base/status.h"

#include <ocelotl/writer.h>

/* What an event does. */
typedef enum oc_raw_kind {
    OC_RAW_END_RESOURCE, /* with all that is inside it */
    OC_RAW_INSTANT,
    OC_RAW_SET_STATE, /* ends all states of the type that are open, and begins one */
    OC_RAW_PUSH_STATE,
    OC_RAW_POP_STATE,
    OC_RAW_RESET_STATE, /* ends all that are open */
    OC_RAW_SET_VARIABLE,
    OC_RAW_ADD_VARIABLE,
    OC_RAW_SUB_VARIABLE,
    OC_RAW_START_LINK,
    OC_RAW_END_LINK,
    OC_RAW_KINDS
} oc_raw_kind;

/* An event with its names resolved. A line of the processor's cache, which is what the threads pass
 * on. */
typedef struct oc_raw_event {
    int64_t time;
    uint64_t line;
    union {
        double number;     /* of a variable */
        uint64_t key_hash; /* of a link: a hash of the key, which is the first attribute */
    };
    ocelotl_attribute_value *attributes; /* NULL where there are none */
    uint32_t resource;                   /* of oc_resources; of a link: the one that owns it */
    uint32_t end;                        /* of a link: the resource where it starts or ends */
    uint32_t type, value;                /* the writer's */
    uint32_t stream;         /* the writer's, where it goes, as far as known; OCELOTL_NONE */
    uint32_t file;           /* by number: the line is one of it */
    uint8_t kind;            /* an oc_raw_kind */
    uint8_t attribute_count; /* at most OC_RAW_ATTRIBUTES */
    /* they are one block with their texts; else they are the window's and the source's */
    bool owns_attributes;
} oc_raw_event;

enum {
    /* How far an event may stand behind later ones: tracers that write a buffer a thread are off by
       a few lines. */
    OC_RAW_WINDOW = 16384,
    /* Events in memory: those of the window, and those that are behind it and have not been
       applied. A power of two. */
    OC_RAW_RING = 2 * OC_RAW_WINDOW,
    /* Attributes of an event. */
    OC_RAW_ATTRIBUTES = 64,
    /* Attributes that need no memory of their own. */
    OC_FEW_ATTRIBUTES = 3,
    /* Bytes of a line of the processor's cache. */
    OC_CACHE_LINE = 64
};

/* Events in order of time; of equal times in the order they came in. They are numbered from 0 in
 * that order; the last OC_RAW_WINDOW of them may still move. Zero-initialised it is empty. */
typedef struct oc_raw_window {
    oc_raw_event *events;                              /* a ring */
    ocelotl_attribute_value (*few)[OC_FEW_ATTRIBUTES]; /* of each place in the ring */
    ocelotl_attribute_value many[OC_RAW_ATTRIBUTES];   /* of the next event */
    /* what changes with each event lies away from what the other thread reads */
    char apart[OC_CACHE_LINE];
    uint64_t count;  /* events so far */
    uint64_t closed; /* events below this number cannot move, however few came behind them */
    char apart_too[OC_CACHE_LINE];
} oc_raw_window;

ocelotl_status oc_raw_window_begin(oc_raw_window *window);

/* Room for the attributes of the next event; where they are more than a few, it has to own them
 * once they are there. */
ocelotl_attribute_value *oc_raw_window_attributes(oc_raw_window *window, size_t count);

/* Adds the next event where its time belongs. Errors: INPUT where that is before the window. */
ocelotl_status oc_raw_window_add(oc_raw_window *window);

static inline oc_raw_event *oc_raw_window_at(const oc_raw_window *window, uint64_t number)
{
    return &window->events[number & (OC_RAW_RING - 1)];
}

/* The next event's place, zeroed; it counts from oc_raw_window_add on. Whoever fills it frees it in
 * case of failure. */
static inline oc_raw_event *oc_raw_window_next(oc_raw_window *window)
{
    oc_raw_event *event = oc_raw_window_at(window, window->count);
    /* The other core has read this memory last. */
    __builtin_prefetch(oc_raw_window_at(window, window->count + 16), 1);
    *event = (oc_raw_event){.stream = OCELOTL_NONE};
    return event;
}

/* The number of the first event that may still move. */
static inline uint64_t oc_raw_window_first(const oc_raw_window *window)
{
    return window->count > window->closed + OC_RAW_WINDOW ? window->count - OC_RAW_WINDOW
                                                          : window->closed;
}

/* Multiplies all times from event `first` on; false where one does not fit. */
bool oc_raw_window_refine(oc_raw_window *window, uint64_t first, uint64_t factor);

/* Where an event happens. */
static inline uint32_t oc_raw_event_place(const oc_raw_event *event)
{
    return event->kind >= OC_RAW_START_LINK ? event->end : event->resource;
}

/* Gives an event a copy of its attributes, so that it can be kept. */
ocelotl_status oc_raw_event_own(oc_raw_event *event);

/* The same for all that may still move; every other has been applied. *bytes is what their
 * attributes take. */
ocelotl_status oc_raw_window_own(size_t *bytes, oc_raw_window *window);
void oc_raw_event_free(oc_raw_event *event);

/* Frees the events from number `first` on, too. */
void oc_raw_window_free(oc_raw_window *window, uint64_t first);

#endif
