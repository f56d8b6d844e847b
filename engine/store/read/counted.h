/* The events that a question is about, one by one, for sums that running totals do not hold. */
#ifndef OC_STORE_READ_COUNTED_H
#define OC_STORE_READ_COUNTED_H

#include "store/read/states.h"
#include "store/select/question.h"

/* An event that passes the filters. What it carries is valid while it is taken. */
typedef struct oc_counted_event {
    const oc_stream *stream; /* that it was read from */
    uint32_t value;          /* may be OCELOTL_NONE */
    uint32_t source, target; /* of a link, OCELOTL_NONE: unknown; else its resource, twice */
    int64_t begin, end;      /* as a whole; a link may end before it begins */
    /* in the window: where it begins, is known to end (a link with the later of both), lies */
    bool begins, ends;
    int64_t inside;            /* ticks; of a link whose ends are known */
    int64_t innermost;         /* a state: as the innermost of those that are shown by name */
    double number;             /* of a variable, or what a link carries of its bytes */
    const oc_carried *carried; /* at the beginning of a link, where that was read; NULL: nothing, */
    const oc_record *record;   /* and at its end: one of the reader's */
} oc_counted_event;

/* Reads one stream after the other. Zero-initialised but for what is asked. */
typedef struct oc_counted_reader {
    const oc_question *question;
    const uint32_t *bytes; /* by event type: the attribute that has them; NULL: none is summed */
    bool carries;          /* links come with all that they carry */
    bool innermost;        /* states come with their time as the innermost one */
    /* Where they end, links come all, with what is numbers of what they carry, instead of those
     * alone whose beginning is not in the trace. Not where conditions concern them. */
    bool received;
    ocelotl_status (*take)(void *context, const oc_counted_event *event);
    void *context;

    const oc_stream *stream; /* that is read */
    oc_walk walk;            /* with its connection */
    oc_state_scan scan;
    oc_instant borders[2]; /* of the window, which is one slice */
    oc_slicing slicing;
} oc_counted_reader;

/* Gives the events of a stream: states and links by their ends, of variables each change with the
 * time up to the next. Links come from where they begin. Errors: INPUT for damage; those of
 * `take`. */
ocelotl_status oc_counted_read(oc_counted_reader *reader, uint32_t stream);
void oc_counted_free(oc_counted_reader *reader);

#endif
