/* Streams of CTF traces, merged by time.
 *
 *     ctf_graph_add .. -> ctf_graph_begin -> ctf_graph_settle -> ctf_graph_step .. ->
 *     ctf_graph_free
 *
 * Each stream is read on its own, so that one whose times go back, or that cannot be read to its
 * end, disturbs no other. */
#ifndef OC_IMPORTERS_CTF_GRAPH_H
#define OC_IMPORTERS_CTF_GRAPH_H

#include "importers/ctf/stream.h"

/* What a tick is: 1 / frequency s. */
typedef struct ctf_time_base {
    uint64_t frequency;
    bool is_absolute;
    int64_t origin; /* nanoseconds from 1970 to tick 0, where it is absolute */
} ctf_time_base;

/* What is done with what streams give; a failure ends the reading. */
typedef struct ctf_taker {
    /* stream->next, at stream->time. */
    ocelotl_status (*take)(void *context, ctf_stream *stream);
    ctf_loss loss; /* also of files that are of no stream */
    void *context;
} ctf_taker;

/* Zero-initialised it is empty but for its taker. */
typedef struct ctf_graph {
    ctf_stream **streams;
    size_t count, capacity;
    ctf_stream **heap; /* of those that have a record: the earliest comes first */
    size_t heap_count;
    uint64_t **slots; /* by trace */
    size_t trace_count, trace_capacity;
    bool in_nanoseconds;
    int64_t base;
    ctf_taker taker;
} ctf_graph;

/* Adds a trace, of the folders that are its parts; its streams have the number that
 * graph->trace_count was before. The description stays the caller's, and must live as long. */
ocelotl_status ctf_graph_add(ctf_graph *graph, const ctf_description *description,
                             char *const *folders, size_t count);

/* Begins all streams up to their first record or end. */
ocelotl_status ctf_graph_begin(ctf_graph *graph);

/* Decides what a tick is: of the clocks where all have one frequency, else a nanosecond. Tick 0 is
 * the first event of all, where the clocks are absolute; else 0 of the clocks. Errors: LIMIT for
 * times that do not fit. */
ocelotl_status ctf_graph_settle(ctf_time_base *base, ctf_graph *graph);

/* Gives the taker some records of all streams in order of time; *ended at the end. */
ocelotl_status ctf_graph_step(bool *ended, ctf_graph *graph);

/* A time of a stream's clock in ticks. Errors: LIMIT. */
ocelotl_status ctf_graph_time(int64_t *time, const ctf_graph *graph, const ctf_stream *stream,
                              uint64_t clock);

void ctf_graph_free(ctf_graph *graph);

#endif
