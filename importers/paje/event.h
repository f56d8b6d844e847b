/* Data events of a Paje trace on their way from their line to the writer, and the window in which
 * they are sorted. */
#ifndef OC_IMPORTERS_PAJE_EVENT_H
#define OC_IMPORTERS_PAJE_EVENT_H

#include "importers/paje/definition.h"

#include <ocelotl/writer.h>

/* An event with its names resolved. A line of the processor's cache, which is what the threads pass
 * on. */
typedef struct paje_event {
    int64_t time;
    uint64_t line;
    union {
        double number;     /* of a variable */
        uint64_t key_hash; /* of a link: a hash of the key, which is the first attribute */
    };
    ocelotl_attribute_value *attributes; /* NULL where there are none */
    uint32_t container;                  /* of a link: the one that owns it */
    uint32_t end;                        /* of a link: the container where it starts or ends */
    uint32_t type;
    uint32_t value;          /* the writer's */
    uint32_t stream;         /* the writer's, where it goes, as far as known; OCELOTL_NONE */
    uint8_t kind;            /* a paje_kind */
    uint8_t attribute_count; /* at most PAJE_MOST_FIELDS */
    /* they are one block with their texts; else they are the window's and the line's */
    bool owns_attributes;
} paje_event;

enum {
    /* How far an event may stand behind later ones: tracers that write a buffer a thread are off by
       a few lines. */
    PAJE_WINDOW = 16384,
    /* Events in memory: those of the window, and those that are behind it and have not happened. A
       power of two. */
    PAJE_RING = 2 * PAJE_WINDOW,
    /* Attributes that need no memory of their own. */
    PAJE_FEW_ATTRIBUTES = 3,
    /* Bytes of a line of the processor's cache. */
    PAJE_LINE = 64
};

/* Events in order of time; of equal times in order of their lines. They are numbered from 0 in that
 * order; the last PAJE_WINDOW of them may still move. Zero-initialised it is empty. */
typedef struct paje_window {
    paje_event *events;                                  /* a ring */
    ocelotl_attribute_value (*few)[PAJE_FEW_ATTRIBUTES]; /* of each place in the ring */
    ocelotl_attribute_value many[PAJE_MOST_FIELDS];      /* of the next event */
    /* what changes with each event lies away from what the other thread reads */
    char apart[PAJE_LINE];
    uint64_t count;  /* events so far */
    uint64_t closed; /* events below this number cannot move, however few came behind them */
    char apart_too[PAJE_LINE];
} paje_window;

ocelotl_status paje_window_begin(paje_window *window);

/* Room for the attributes of the next event; where they are more than a few, it has to own them
 * once they are there. */
ocelotl_attribute_value *paje_window_attributes(paje_window *window, size_t count);

/* Adds the next event where its time belongs. Errors: INPUT where that is before the window. */
ocelotl_status paje_window_add(paje_window *window);

static inline paje_event *paje_window_at(const paje_window *window, uint64_t number)
{
    return &window->events[number & (PAJE_RING - 1)];
}

/* The next event's place, zeroed; it counts from paje_window_add on. Whoever fills it frees it in
 * case of failure. */
static inline paje_event *paje_window_next(paje_window *window)
{
    paje_event *event = paje_window_at(window, window->count);
    /* The other core has read this memory last. */
    __builtin_prefetch(paje_window_at(window, window->count + 16), 1);
    *event = (paje_event){.stream = OCELOTL_NONE};
    return event;
}

/* The number of the first event that may still move. */
static inline uint64_t paje_window_first(const paje_window *window)
{
    return window->count > window->closed + PAJE_WINDOW ? window->count - PAJE_WINDOW
                                                        : window->closed;
}

/* Multiplies all times from event `first` on; false where one does not fit. */
bool paje_window_refine(paje_window *window, uint64_t first, uint64_t factor);

/* Gives an event a copy of its attributes, so that it can be kept. */
ocelotl_status paje_event_own(paje_event *event);

/* The same for all that may still move; no other has to happen. *bytes is what their attributes
 * take. */
ocelotl_status paje_window_own(size_t *bytes, paje_window *window);
void paje_event_free(paje_event *event);

/* Frees the events from number `first` on, too. */
void paje_window_free(paje_window *window, uint64_t first);

#endif
