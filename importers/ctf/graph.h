/* Streams of CTF traces, read by Babeltrace 2 and merged by time.
 *
 *     ctf_graph_open -> ctf_graph_begin -> ctf_graph_step .. -> ctf_graph_free
 *
 * Each stream is pulled on its own, so that one whose times go back, or that cannot be read to its
 * end, disturbs no other. Memory is that of the library: a few messages for each stream. */
#ifndef OC_IMPORTERS_CTF_GRAPH_H
#define OC_IMPORTERS_CTF_GRAPH_H

#include "base/status.h"
#include "base/text.h"

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the clock of a stream says. */
typedef struct ctf_clock {
    uint64_t frequency; /* in hertz */
    int64_t offset_seconds;
    uint64_t offset_cycles;
    bool is_absolute; /* it counts from 1970 */
} ctf_clock;

/* What a tick is: 1 / frequency s. */
typedef struct ctf_time_base {
    uint64_t frequency;
    bool is_absolute;
    int64_t origin; /* nanoseconds from 1970 to tick 0, where it is absolute */
} ctf_time_base;

/* A stream of a trace. */
typedef struct ctf_stream {
    uint32_t number, trace;
    const bt_stream *stream; /* NULL: it has not begun */
    ctf_clock clock;
    int64_t offset; /* ticks, to be added to its clock's */
    bool ended;
    bool has_no_clock; /* it was not read */
    int64_t time;      /* of the message that comes next, in ticks */
    /* The library's: */
    bt_message_iterator *iterator;
    bt_message_array_const messages;
    uint64_t count, next;
    void *data; /* the caller's */
} ctf_stream;

typedef struct ctf_graph ctf_graph;

/* What is done with what streams give; a failure ends the reading. */
typedef struct ctf_taker {
    /* An event, or events that were discarded, at a time in ticks. */
    ocelotl_status (*take)(void *context, ctf_stream *stream, const bt_message *message,
                           int64_t time);
    /* The rest of a stream, or all of it, cannot be read; the message is the library's. */
    ocelotl_status (*lose)(void *context, const ctf_stream *stream, const char *message);
    void *context;
} ctf_taker;

/* Opens no trace yet. Errors: MEMORY; INPUT where the library's plugin for CTF is missing. The
 * caller frees *graph in any case. */
ocelotl_status ctf_graph_open(ctf_graph **graph, const ctf_taker *taker);

/* The name of the trace that a folder is a part of: those of one name are read together. It is
 * added to `name`, and is empty where the library does not know. */
ocelotl_status ctf_graph_name(oc_text *name, const ctf_graph *graph, const char *folder);

/* Adds a trace, of the folders that are its parts. *message is "" or says why the library cannot
 * read it, and lives until the next call; others can be added behind one that cannot be read if
 * `lenient`. */
ocelotl_status ctf_graph_add(const char **message, ctf_graph *graph, char *const *folders,
                             size_t count, bool lenient);

/* Begins all streams up to their first event or end. */
ocelotl_status ctf_graph_begin(ctf_graph *graph);

size_t ctf_graph_stream_count(const ctf_graph *graph);
ctf_stream *ctf_graph_stream(const ctf_graph *graph, size_t index);

/* Decides what a tick is: of the clocks where all have one frequency, else a nanosecond. Tick 0 is
 * the first event of all, where the clocks are absolute; else 0 of the clocks. Errors: LIMIT for
 * times that do not fit. */
ocelotl_status ctf_graph_settle(ctf_time_base *base, ctf_graph *graph);

/* Gives the taker some messages of all streams in order of time; *ended where there are no more. */
ocelotl_status ctf_graph_step(bool *ended, ctf_graph *graph);

/* A time of a stream in ticks. Errors: LIMIT. */
ocelotl_status ctf_graph_time(int64_t *time, const ctf_graph *graph, const ctf_stream *stream,
                              const bt_clock_snapshot *snapshot);

/* NULL is allowed. */
void ctf_graph_free(ctf_graph *graph);

#endif
