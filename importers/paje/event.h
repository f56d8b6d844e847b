/* Data events of a Paje trace on their way from their line to the writer, and the window in which they are sorted. */
#ifndef OC_IMPORTERS_PAJE_EVENT_H
#define OC_IMPORTERS_PAJE_EVENT_H

#include "importers/paje/definition.h"

#include <ocelotl/writer.h>

/* An event with its names resolved. */
typedef struct paje_event {
    int64_t time;
    uint64_t line;
    paje_kind kind;
    uint32_t container; /* of a link: the one that owns it */
    uint32_t end;       /* of a link: the container where it starts or ends */
    uint32_t type;
    uint32_t value;                      /* the writer's */
    double number;                       /* of a variable */
    ocelotl_attribute_value *attributes; /* one block with their texts, NULL where there are none */
    size_t attribute_count;
} paje_event;

/* How far an event may stand behind later ones: tracers that write a buffer a thread are off by a few lines. */
enum { PAJE_WINDOW = 16384 };

/* Events in order of time; of equal times in order of their lines. Zero-initialised it is empty. */
typedef struct paje_window {
    paje_event *events; /* a ring of PAJE_WINDOW + 1 */
    size_t first, count;
    int64_t released; /* time of the last event taken */
    bool any_released;
} paje_window;

/* Adds an event, which the window then owns, but for errors: INPUT where it is before what has been taken. */
ocelotl_status paje_window_add(paje_window *window, const paje_event *event);

/* Takes the first event; false where none is to be taken: the window is not full (and not `all` are wanted). */
bool paje_window_take(paje_event *event, paje_window *window, bool all);

/* Multiplies all times; false where one does not fit. */
bool paje_window_refine(paje_window *window, uint64_t factor);

void paje_event_free(paje_event *event);
void paje_window_free(paje_window *window);

#endif
