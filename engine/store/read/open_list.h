/* What is open in a stream of states or links, each with what its beginning carried. */
#ifndef OC_STORE_READ_OPEN_LIST_H
#define OC_STORE_READ_OPEN_LIST_H

#include "store/codec/fold.h"

typedef struct oc_open_event {
    int64_t begin;
    uint32_t value;
    bool found; /* whether its beginning has been read */
    oc_carried *carried;
} oc_open_event;

/* Outermost first: in the order of their beginning. Zero-initialised it is empty. */
typedef struct oc_open_list {
    oc_open_event *events;
    size_t count, capacity;
    oc_holes *holes; /* among the events */
} oc_open_list;

/* What is open, below the count. O(1), and O(log open) where much ended out of order. */
static inline oc_open_event *oc_open_list_at(const oc_open_list *list, size_t index)
{
    return &list->events[oc_holes_place(list->holes, index)];
}

void oc_open_list_free(oc_open_list *list);

/* Keeps the first `count` events and takes the rest from a fold; their beginnings have not been
 * read. */
ocelotl_status oc_open_list_take(oc_open_list *list, size_t count, const oc_fold *fold);

/* A record begins an event; `carried` is then the list's. */
ocelotl_status oc_open_list_begin(oc_open_list *list, const oc_record *record, oc_carried *carried);

/* A record ends an event: it is taken out of the list, with what it carries. *place is how many are
 * around it. O(log open). Errors: INPUT where nothing like that is open. */
ocelotl_status oc_open_list_end(oc_open_event *ended, size_t *place, oc_open_list *list,
                                const oc_record *record);

/* How many began at or before `time`: they are the first. O(log open), squared where much ended out
 * of order. */
size_t oc_open_list_until(const oc_open_list *list, int64_t time);

#endif
