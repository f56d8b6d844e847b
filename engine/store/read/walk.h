/* A walk through the records of one stream from an instant on, with what is open. It yields single
 * records, or what they make: intervals (states and links), instants, steps of a variable. */
#ifndef OC_STORE_READ_WALK_H
#define OC_STORE_READ_WALK_H

#include "store/read/reader.h"
#include "store/select/conditions.h"

/* An open state or link. A user that keeps more of each begins its own item with this. */
typedef struct oc_open_event {
    int64_t begin;
    uint64_t place;      /* of its beginning among the records, see oc_walk.taken */
    uint32_t value;      /* may be OCELOTL_NONE */
    bool found;          /* its beginning has been read; or nobody asked for it */
    oc_verdict verdict;  /* of what it carries at its beginning, where conditions concern it */
    oc_carried *carried; /* the same, copied, where the walk carries it */
    double number;       /* and what of it the walk sums */
} oc_open_event;

/* A state or link that has ended; its strings and records are valid until the walk goes on. */
typedef struct oc_interval {
    uint32_t value;  /* may be OCELOTL_NONE */
    uint32_t target; /* of a link; OCELOTL_NONE: nobody knows its end */
    /* a link may end before it begins; without a known end it ends where it is `left` */
    int64_t begin, end;
    int64_t left;             /* when it is over at its source: there, or where that ends */
    size_t around;            /* how many were open around it, */
    size_t outlived;          /* and how many of those that began later still are */
    uint64_t place;           /* of its beginning among the records */
    bool passes;              /* the conditions */
    const oc_carried *begins; /* what it carries at its beginning, may be NULL, */
    const oc_record *ends;    /* and at its end: a record of reader.records */
    /* what it carries there of an attribute that is a number, added up, where the walk sums it */
    double begun, ended;
} oc_interval;

/* A value that a variable has, from one change to the next. */
typedef struct oc_step {
    int64_t begin, end;
    double number;
    bool passes;          /* the conditions */
    oc_carried *carried;  /* what the change carries, where the walk carries it */
    size_t chunk, record; /* the change */
} oc_step;

/* Zero-initialised but for its connection, and for what is asked. */
typedef struct oc_walk {
    oc_reader reader;                /* with its connection */
    const oc_conditions *conditions; /* NULL: none */
    bool carries;                    /* copies what events carry */
    bool sums;                       /* adds up what intervals carry of an attribute: */
    uint32_t attribute;
    size_t item_size; /* of what is open, the same for all streams; 0: of an oc_open_event */
    int64_t to;  /* what begins later is not wanted; what began by then is followed to its end, */
    bool within; /* unless that is not wanted, either */
    /* several changes of a variable at one instant are all steps; all but the last last no time */
    bool every_change;

    const oc_stream *stream;
    bool looks;           /* conditions concern the stream */
    size_t chunk;         /* the next one to read */
    size_t next;          /* the next record of the chunk that has been read */
    uint64_t taken;       /* how many records came before it, from where the walk began */
    oc_open_list open;    /* of items of that size */
    void *ended;          /* the item that ended last */
    oc_interval interval; /* what it was */
    bool holds;           /* a variable has a value, */
    oc_step held;         /* this one; its end is not known yet */
    oc_step given;
} oc_walk;

/* Goes to a stream, right before `from`, with what is open there, and its attributes if wanted. */
ocelotl_status oc_walk_begin(oc_walk *walk, uint32_t stream, int64_t from);
void oc_walk_free(oc_walk *walk);

/* An item that is open. */
static inline void *oc_walk_open(const oc_walk *walk, size_t index)
{
    return oc_open_list_at(&walk->open, walk->item_size, index);
}

/* How many of what is open began at or before an instant: they are the first. */
static inline size_t oc_walk_open_until(const oc_walk *walk, int64_t time)
{
    return oc_open_list_until(&walk->open, walk->item_size, time);
}

/* Whether all records of a chunk have been taken; walk->chunk is the next one. */
static inline bool oc_walk_is_between(const oc_walk *walk)
{
    return walk->next >= walk->reader.records.count;
}

/* The next record, which is not taken yet; NULL where none follows that is wanted. Of intervals
 * those behind `to` are wanted while something is open that began by then; far ends are found by
 * running totals. Errors: INPUT for damage, here and below. */
ocelotl_status oc_walk_peek(const oc_record **record, oc_walk *walk);

/* Takes the record that was peeked at: what it begins is the last item of the list, zeros but for
 * its oc_open_event; what it ends is in `ended` and `interval`. */
ocelotl_status oc_walk_take(oc_walk *walk, const oc_record *record);

/* The place of the last record taken, a number for each in the trace. */
int64_t oc_walk_row(const oc_walk *walk, size_t chunk, size_t record);

/* The next interval that begins by `to`, in the order of ends; NULL after the last. */
ocelotl_status oc_walk_next_interval(const oc_interval **interval, oc_walk *walk);

/* The next event, or end of a link, by `to` that meets the conditions; NULL after the last. */
ocelotl_status oc_walk_next_instant(const oc_record **record, oc_walk *walk);

/* Begins to read ends of links whose beginning is not in the trace. They may be noted late, so all
 * from an instant on are read. */
ocelotl_status oc_walk_begin_orphans(oc_walk *walk, uint32_t stream, int64_t from);

/* The next of them, or, `late`, of those that ended before they were noted; NULL after the last. It
 * ends at its time and duration. */
ocelotl_status oc_walk_next_orphan(const oc_record **record, bool late, oc_walk *walk);

/* The next step that begins by `to`; NULL after the last, which ends with its resource. Of several
 * changes at one instant the last counts. */
ocelotl_status oc_walk_next_step(const oc_step **step, oc_walk *walk);

/* Goes on with a chunk: what is open where it begins takes the place of what is open now, but for
 * the first `kept` items, which still are. */
ocelotl_status oc_walk_jump(oc_walk *walk, size_t chunk, size_t kept);

#endif
