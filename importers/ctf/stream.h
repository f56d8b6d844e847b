/* A stream of a CTF trace: the packets of its files one after the other, and the events in them.
 *
 * Memory is a window of the file for each stream, and what an event needs. */
#ifndef OC_IMPORTERS_CTF_STREAM_H
#define OC_IMPORTERS_CTF_STREAM_H

#include "importers/ctf/decode.h"

/* Sections of an event, where it has its fields. */
typedef enum ctf_section {
    CTF_PAYLOAD,
    CTF_SPECIFIC, /* context of its event class */
    CTF_COMMON,   /* context of its stream's events */
    CTF_PACKET,
    CTF_SECTIONS
} ctf_section;

/* What a stream gives: an event, or that the tracer discarded some. */
typedef struct ctf_record {
    ctf_event_class *of; /* NULL: events were discarded, */
    uint64_t until;      /* up to this time of the clock, */
    bool is_counted;     /* its number is known */
    uint64_t count;
    const ctf_value *sections[CTF_SECTIONS]; /* the members of each */
    const oc_text *parts, *packet_parts;     /* text of what has parts, for ctf_value_add */
    uint64_t time;                           /* of the clock */
    uint64_t offset;                         /* the byte of the file where it begins */
} ctf_record;

/* A file, and where its first packet begins in time. */
typedef struct ctf_file {
    char *path;
    uint64_t begin;
} ctf_file;

typedef struct ctf_packet {
    uint64_t begin, size; /* in bytes of the file */
    uint64_t content;     /* in bits, at most of what the file has */
    bool has_times;
    uint64_t from, until; /* of the clock */
    bool has_discarded;
    uint64_t discarded; /* since the stream began */
    bool is_cut;
} ctf_packet;

typedef struct ctf_stream {
    uint32_t number, trace;
    const ctf_description *description;
    const ctf_stream_class *of;
    const ctf_clock *clock; /* NULL: none, and no events are given */
    int64_t offset;         /* ticks, to be added to its clock's, */
    int64_t shift;          /* and that align its source to the first */
    bool ended;
    int64_t time; /* of the record that comes next, in ticks */
    ctf_record next;
    void *data; /* the caller's */
    /* The files, and where it is in them: */
    bool has_instance;
    uint64_t instance;
    ctf_file *files;
    size_t file_count, file_capacity, file;
    uint64_t file_size;
    unsigned char *window;
    size_t window_capacity, window_room;
    uint64_t window_begin, window_end; /* in bytes of the file */
    ctf_packet packet;
    bool in_packet, has_packet;          /* inside one; there was one */
    uint64_t packet_count;               /* of those that began */
    uint64_t last_until, last_discarded; /* of the packet before */
    bool has_last_until;
    ctf_decoder decoder;
    ctf_value *values;
    uint64_t *kept; /* what slots of the packet hold */
    oc_text packet_parts;
} ctf_stream;

/* What is done where a packet, or the rest of it, cannot be read; the thread's message says why. A
 * failure ends the reading; after none it goes on behind the packet. */
typedef struct ctf_loss {
    ocelotl_status (*lose)(void *context);
    void *context;
} ctf_loss;

/* Reads the head of a file's first packet, which says which stream it is of. Errors: INPUT. */
ocelotl_status ctf_stream_look(ctf_stream *stream, const ctf_description *description,
                               uint64_t *slots, const char *path);

/* Makes it ready to be read from its first file on: `room` bytes of a file are read at a time. */
ocelotl_status ctf_stream_begin(ctf_stream *stream, size_t room);

/* Goes to the next record, or to the end. */
ocelotl_status ctf_stream_next(ctf_stream *stream, const ctf_loss *loss);

/* The file that it is in. */
const char *ctf_stream_path(const ctf_stream *stream);

void ctf_stream_free(ctf_stream *stream);

/* --- Streams of all traces, merged by time
 *
 *     ctf_graph_add .. -> ctf_graph_begin -> ctf_graph_settle -> ctf_graph_step .. ->
 *     ctf_graph_free
 *
 * Each stream is read on its own, so that one whose times go back, or that cannot be read to its
 * end, disturbs no other. */

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
                             const char *const *folders, size_t count);

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
