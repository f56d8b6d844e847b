/* What a writer is inside: the names it has been given, and a stream for each (resource, event
 * type, role). */
#ifndef OC_STORE_WRITE_WRITER_H
#define OC_STORE_WRITE_WRITER_H

#include "base/arena.h"
#include "base/file/sink.h"
#include "base/map.h"
#include "base/memory.h"
#include "store/codec/fold.h"
#include "store/codec/packing.h"
#include "store/file/chunk_row.h"
#include "store/file/database.h"

#include <pthread.h>
#include <sqlite3.h>

/* A chunk that is to be added up and compressed. */
typedef struct oc_writer_chunk {
    uint32_t stream, number, count;
    int64_t begin, end;
    oc_role role;
    /* of the stream before this chunk; the thread that writes the chunk adds its records */
    oc_fold *fold;
    oc_content *content;             /* likewise */
    const oc_identities *attributes; /* which may carry these */
    oc_text records;                 /* the bytes of an oc_packing */
} oc_writer_chunk;

/* A chunk ready to be compressed and written. */
typedef struct oc_made_chunk {
    oc_chunk_row row; /* but for its durations */
    oc_text durations, totals, columns;
} oc_made_chunk;

/* The chunks of a role: the first ones are held until its dictionary is made of them. */
typedef struct oc_writer_role {
    oc_made_chunk held[OC_DICTIONARY_CHUNKS];
    size_t held_count;
    uint64_t held_bytes;
    bool is_decided; /* the dictionary is chosen: this one, or none */
    ZSTD_CDict *dictionary;
    oc_text packed; /* the same, as the file has it */
} oc_writer_role;

enum { OC_ROLES = 5 };

/* Chunks that wait: streams that are alike fill theirs at the same time. */
enum { OC_WRITER_QUEUE = 4096 };

/* What the thread works with; while it runs, statement, roles and database are its own. */
typedef struct oc_writer_background {
    const char *path; /* for messages */
    sqlite3_stmt *insert;
    oc_blob_packer packer;
    oc_columns_maker maker;
    oc_chunk_facts facts;
    oc_made_chunk made;
    oc_text blob;
    oc_writer_role roles[OC_ROLES];
    const oc_identities *values, *resources; /* by their numbers */
    pthread_mutex_t lock;
    pthread_cond_t filled, emptied;
    pthread_t thread;
    bool is_ready, runs, stops;
    size_t first, waiting;    /* of the queue, */
    size_t waiting_bytes;     /* bytes of the chunks that wait */
    uint64_t given, written;  /* chunks so far */
    bool is_awaited;          /* somebody waits for chunks to be written, */
    bool wants_room;          /* or for room in the queue */
    ocelotl_status status;    /* the first failure, */
    oc_text message;          /* and why */
    oc_writer_chunk *filling; /* the chunk that was taken last */
    oc_writer_chunk queue[OC_WRITER_QUEUE];
} oc_writer_background;

ocelotl_status oc_writer_background_begin(oc_writer_background *background, const char *path);

/* The next free chunk, to be filled and handed over; waits for one. Errors: whatever happened to an
 * earlier one. *number is that of the chunk, from 1. */
ocelotl_status oc_writer_background_take(oc_writer_chunk **chunk, oc_writer_background *background);
ocelotl_status oc_writer_background_give(uint64_t *number, oc_writer_background *background);

/* Waits until the chunk of a number is written: its stream's fold is the caller's until the next
 * one is given. */
ocelotl_status oc_writer_background_await(oc_writer_background *background, uint64_t number);

/* Waits until all that was given is made: what is held for a dictionary is not in the file. */
ocelotl_status oc_writer_background_wait(oc_writer_background *background);

/* The same, and then writes what is held. */
ocelotl_status oc_writer_background_finish(oc_writer_background *background);

/* Multiplies the times of held and written chunks, as oc_chunks_refine does; after a wait. */
ocelotl_status oc_writer_background_refine(oc_writer_background *background, sqlite3 *database,
                                           uint64_t factor);

/* Ends the thread, after what it was given; before the statement is finalised. */
void oc_writer_background_end(oc_writer_background *background);

/* --- The writer */

typedef struct oc_writer_named {
    const char *name;
    uint32_t parent;
} oc_writer_named;

typedef struct oc_writer_resource {
    const char *name;
    oc_text notes; /* lines "name=text" */
    uint32_t parent, type;
    int64_t begin, end;
    bool ended;
    uint32_t first_stream; /* its streams are a list, OCELOTL_NONE at the end */
} oc_writer_resource;

typedef struct oc_writer_event_type {
    const char *name;
    const char *unit; /* of a variable, "": not known */
    ocelotl_variable_kind kind;
    bool is_of_given_kind; /* the writer's options name it */
    uint32_t resource_type;
    ocelotl_category category;
    int32_t colour;
    uint64_t count, unmatched;
    size_t value_count;
    const char **attributes;
    size_t attribute_count, attribute_capacity;
    oc_identities *attribute_identities;
} oc_writer_event_type;

typedef struct oc_writer_value {
    const char *name;
    uint32_t event_type;
    int32_t colour;
    uint64_t count;
    int64_t innermost, inclusive;
} oc_writer_value;

/* A number given at a link's begin, kept until its end, where it is summed, too. */
typedef struct oc_writer_held {
    uint64_t link;
    uint32_t attribute;
    char text[OC_LONGEST_NUMBER];
} oc_writer_held;

/* A pattern of names of variables that are of a kind, whoever declares them. */
typedef struct oc_writer_counting {
    const char *pattern;
    ocelotl_variable_kind kind;
    bool matches;
} oc_writer_counting;

/* A link that has begun. */
typedef struct oc_writer_open_link {
    int64_t begin;
    uint64_t number;
    uint32_t value;
} oc_writer_open_link;

/* What a counter has been given, and the sum that it has grown to. */
typedef struct oc_writer_counted {
    double last, largest;
    double offset; /* the sum is that much above the last value */
    double sum;
} oc_writer_counted;

/* What each record needs comes first and fills a line of the processor's cache: the records of
 * thousands of streams interleave. The thread that writes the chunks keeps the sums. */
typedef struct oc_writer_stream {
    oc_packing packing; /* of the chunk that is being filled */
    uint64_t count;     /* of records, in all chunks */
    uint32_t resource, event_type;
    uint32_t open_count;       /* states or links */
    uint8_t role;              /* an oc_role */
    bool is_over;              /* the resource has ended */
    oc_writer_open_link *open; /* links, in the order of their numbers */
    size_t open_capacity;
    oc_holes *open_holes; /* among them */
    uint64_t link_count;
    /* in the order of the links' numbers; those of links that have ended are OCELOTL_NONE */
    oc_writer_held *held;
    size_t held_count, held_capacity;
    size_t held_ended;
    oc_writer_counted *counted; /* of a counter that has a value; else NULL */
    uint32_t next_of_resource;
    uint32_t chunk_count;
    int64_t begin, end;  /* the end is known when the stream is closed */
    oc_fold *fold;       /* up to the last chunk handed over; NULL before the first */
    oc_content *content; /* up to the same chunk */
    uint64_t handed;     /* which was this one of all chunks */
    /* up to the last record, if times are so long that sums can overflow; or NULL */
    oc_fold *exact;
} oc_writer_stream;

/* How many places the links that have begun take, with holes between them. */
static inline size_t oc_writer_open_end(const oc_writer_stream *stream)
{
    return stream->open == NULL ? 0 : oc_holes_end(stream->open_holes, stream->open_count);
}

/* Where a stream is found: by what is known of it, without a look at it. */
typedef struct oc_writer_slot {
    uint32_t resource, event_type, role;
    uint32_t stream; /* + 1; 0: the slot is free */
} oc_writer_slot;

typedef struct oc_writer_warning {
    const char *kind, *detail;
    uint64_t count;
} oc_writer_warning;

/* Records of the source: of a kind, with one fate. */
typedef struct oc_writer_source_kind {
    const char *kind, *why;
    ocelotl_fate fate;
    uint64_t count;
} oc_writer_source_kind;

/* What the names stand for; and how often each has been given, by what it would stand for if it
 * were the only one of its name. */
typedef struct oc_writer_identities {
    oc_identities resource_types, resources, event_types, values;
    oc_map given;
} oc_writer_identities;

/* What is known of the trace as a whole: a row of `meta` with a text. Those that each trace has
 * come first. */
enum { OC_WRITER_OWN_NOTES = 6 };
typedef struct oc_writer_note {
    const char *key, *text;
} oc_writer_note;

/* Of a part of a trace: what was declared in which turn. "#7TR" are a type of resources and a
 * resource in turn 7; X is a resource that is elsewhere, E an event type, V a value, A3 an
 * attribute of event type 3, S a stream, W a warning, and w one of streams, which is counted by
 * each part alone. The n-th of a kind has the number n. */
typedef struct oc_writer_turns {
    oc_text text;
    uint64_t turn;
    bool is_part, elsewhere;
    bool is_said; /* the text has the turn */
} oc_writer_turns;

struct ocelotl_writer {
    oc_arena arena; /* that it lives in, with all names and lists, but for what streams hold */
    oc_replacement file;
    const char *path; /* for messages */
    sqlite3 *database;
    oc_writer_background background;
    uint64_t tick_numerator, tick_denominator;
    oc_writer_note *notes;
    size_t note_count, note_capacity;
    uint32_t file_count, aligned_count, clock_count; /* numbered notes of these kinds */
    oc_writer_named *resource_types;
    size_t resource_type_count, resource_type_capacity;
    oc_writer_resource *resources;
    size_t resource_count, resource_capacity;
    oc_writer_counting *countings;
    size_t counting_count;
    oc_writer_event_type *event_types;
    size_t event_type_count, event_type_capacity;
    oc_writer_value *values;
    size_t value_count, value_capacity;
    oc_writer_stream *streams;
    size_t stream_count, stream_capacity;
    oc_writer_slot *stream_slots; /* a hash table, */
    oc_hash_key hash_key;         /* and the key of its hashes */
    size_t stream_slot_count;
    size_t open_bytes; /* of all chunks that are being filled */
    oc_writer_identities identities;
    oc_writer_turns turns;
    oc_writer_warning *warnings;
    size_t warning_count, warning_capacity;
    oc_writer_source_kind *source_kinds;
    size_t source_kind_count, source_kind_capacity;
    oc_map source_kind_of; /* (fate, kind) -> index */
    oc_identity content;   /* of its streams, once it is finished; and that of streams that */
    oc_identity elsewhere; /* other files have, which the uid is of, too */
    bool has_bounds;
    int64_t begin, end; /* of everything so far */
    bool finished;
    bool broken; /* something could not be written: the file would not be whole */
};

/* Notes what is declared; `of`: the event type of an attribute. (writer_turns.c) */
void oc_writer_note_turn(ocelotl_writer *writer, char kind, uint32_t of);

/* Warns of something odd; `of_streams`: parts find it each in its own. (writer_source.c) */
ocelotl_status oc_writer_warn(ocelotl_writer *writer, const char *kind, uint64_t count,
                              const char *detail, bool of_streams);

/* Adds a row to `meta`, whose key no other has. (writer_source.c) */
ocelotl_status oc_writer_note_add(ocelotl_writer *writer, const char *key, const char *text);

/* What an event carries. */
typedef struct oc_writer_attributes {
    const ocelotl_attribute_value *first;
    size_t count;
} oc_writer_attributes;

static const oc_writer_attributes oc_no_attributes = {NULL, 0};

/* A link is its stream's index, and below that its number in the stream. */
#define OC_LINK_BITS 40

/* Whether anything can still be written. */
ocelotl_status oc_writer_check(const ocelotl_writer *writer);

/* Whether a time can belong to the trace, whose length must fit 63 bits. */
ocelotl_status oc_writer_check_bound(const ocelotl_writer *writer, int64_t time);

/* Widens the trace's bounds. */
void oc_writer_bound(ocelotl_writer *writer, int64_t time);

/* Whether what an event names has been declared. */
ocelotl_status oc_writer_check_event(const ocelotl_writer *writer, uint32_t resource,
                                     uint32_t event_type, ocelotl_category category, uint32_t value,
                                     const oc_writer_attributes *attributes);

/* Whether the index of a resource or an event type is below their count. */
ocelotl_status oc_writer_check_declared(uint32_t index, size_t count, const char *what);

/* Whether an event of a type may carry these attributes: only what the type has declared. */
ocelotl_status oc_writer_check_attributes(const oc_writer_event_type *type,
                                          const oc_writer_attributes *attributes);

/* The stream of a (resource, event type) in a role; OCELOTL_NONE if it does not exist. */
uint32_t oc_writer_known_stream(const ocelotl_writer *writer, uint32_t resource,
                                uint32_t event_type, oc_role role);

/* Begins and ends links behind the checks of the public functions: the stream of links out, or in,
 * exists, and what the event names has been declared. */
ocelotl_status oc_writer_link_begin(uint64_t *link, ocelotl_writer *writer, uint32_t source,
                                    uint32_t value, int64_t time,
                                    const oc_writer_attributes *attributes);
ocelotl_status oc_writer_link_end(ocelotl_writer *writer, uint64_t link, uint32_t target,
                                  int64_t end, const oc_writer_attributes *attributes);

/* The stream of a (resource, event type) in a role, made where it is missing: pointers to streams
 * are void then. */
ocelotl_status oc_writer_find_stream(uint32_t *index, ocelotl_writer *writer, uint32_t resource,
                                     uint32_t event_type, oc_role role);

/* Ends a link in the stream of its source alone, for callers that write both streams one after the
 * other: the record has all but its depth. */
ocelotl_status oc_writer_link_depart(ocelotl_writer *writer, uint64_t link,
                                     const oc_record *departure,
                                     const oc_writer_attributes *attributes);

/* Forgets the sums that are watched. */
void oc_writer_forget_exact(oc_writer_stream *stream);

/* Whether a stream can take a record: its time, its duration. */
ocelotl_status oc_writer_check_record(ocelotl_writer *writer, oc_writer_stream *stream,
                                      const oc_record *record);

/* The one way into a stream, for records that have been checked. */
ocelotl_status oc_writer_take(ocelotl_writer *writer, uint32_t index, const oc_record *record,
                              const oc_writer_attributes *attributes);

/* Checks the record, nothing is changed where it does not fit. */
ocelotl_status oc_writer_append(ocelotl_writer *writer, uint32_t index, const oc_record *record,
                                const oc_writer_attributes *attributes);

enum {
    /* Large enough that a chunk compresses well, small enough that reading one is nothing. */
    OC_RECORDS_PER_CHUNK = 1024,
    /* Long texts fill a chunk sooner; so do many attributes, of two bytes at least, so that no
       chunk has OC_MOST_ATTRIBUTES. */
    OC_TEXT_PER_CHUNK = 1 << 20,
    OC_BYTES_PER_CHUNK = 1 << 24,
    /* What all chunks that are being filled may hold together. */
    OC_MOST_OPEN_BYTES = 1 << 26
};

static inline bool oc_writer_may_be_full(const oc_writer_stream *stream)
{
    return stream->packing.entries >= OC_RECORDS_PER_CHUNK ||
           stream->packing.text >= OC_TEXT_PER_CHUNK ||
           stream->packing.length >= OC_BYTES_PER_CHUNK;
}

/* Writes a stream's chunk where it is full, and others where all hold too much. */
ocelotl_status oc_writer_bound_chunks(ocelotl_writer *writer, uint32_t stream);

/* What follows a record that has been added to a chunk. */
static inline ocelotl_status oc_writer_after_record(ocelotl_writer *writer, uint32_t stream)
{
    return oc_writer_may_be_full(&writer->streams[stream]) ||
                   writer->open_bytes > OC_MOST_OPEN_BYTES
               ? oc_writer_bound_chunks(writer, stream)
               : OCELOTL_OK;
}

/* Writes the records that a stream still holds as a chunk. */
ocelotl_status oc_writer_flush(ocelotl_writer *writer, uint32_t stream);

/* Ends the states of a stream that are open, at `time`. */
ocelotl_status oc_writer_close_states(ocelotl_writer *writer, uint32_t stream, int64_t time);

/* Ends all that a stream has open, at its resource's end or the trace's, and writes the rest. */
ocelotl_status oc_writer_close_stream(ocelotl_writer *writer, uint32_t stream);

/* Warns of states that nest deeper, or add up to more time in one resource, than a program's do;
 * what all streams add up to must be known. Errors: MEMORY. */
ocelotl_status oc_writer_warn_of_nesting(ocelotl_writer *writer);

/* Writes the tables of names, and the totals that are known only at the end. */
ocelotl_status oc_writer_names(ocelotl_writer *writer);

#endif
