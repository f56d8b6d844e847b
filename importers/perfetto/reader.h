/* The reading of Perfetto's packets: what its files share. */
#ifndef OC_IMPORTERS_PERFETTO_READER_H
#define OC_IMPORTERS_PERFETTO_READER_H

#include "importers/common/protobuf.h"
#include "importers/common/scheduler.h"
#include "importers/ingest/ingest.h"

/* What is odd about packets; oc_oddity has the others. */
enum {
    PERFETTO_CLOCK_UNKNOWN = OC_COMMON_ODDITIES,
    PERFETTO_NAME_UNKNOWN,
    PERFETTO_TRACK_UNKNOWN,
    PERFETTO_TRACK_CIRCLE,
    PERFETTO_MANY_ATTRIBUTES,
    PERFETTO_EVENTS_LOST,
    PERFETTO_SWITCH_MISSED,
    PERFETTO_ODDITY_END
};

/* The event types that are there whatever the source holds. */
typedef enum perfetto_type {
    PERFETTO_SLICE,
    PERFETTO_INSTANT,
    PERFETTO_FLOW,
    PERFETTO_THREAD_STATE,
    PERFETTO_CPU_STATE,
    PERFETTO_INTERRUPT,
    PERFETTO_WAKING,
    PERFETTO_TYPES
} perfetto_type;

/* What a sequence sends once, and means by number from then on. */
enum { PERFETTO_CATEGORY = 1, PERFETTO_EVENT, PERFETTO_ANNOTATION, PERFETTO_TEXT };

typedef struct perfetto_name {
    const char *text;
    size_t length;
    uint64_t state; /* of the sequence when it was sent */
} perfetto_name;

enum { PERFETTO_EXTRA = 8 };

/* A writer of packets, whose order in the file is theirs. */
typedef struct perfetto_sequence {
    uint64_t state;             /* how often its state was cleared */
    bool is_lost;               /* it was not, since packets were lost or the file begins */
    uint32_t clock;             /* of packets that say none */
    uint64_t track;             /* of events that say none, */
    bool has_track, has_thread; /* or their thread */
    uint32_t thread;
    int64_t reference;                 /* of times that are differences, microseconds */
    uint64_t extra[2][PERFETTO_EXTRA]; /* tracks of counters beside events: whole, and not */
} perfetto_sequence;

/* What is added to times of a clock from a time on. */
typedef struct perfetto_reading {
    int64_t time, shift;
} perfetto_reading;

typedef struct perfetto_clock {
    uint64_t unit; /* nanoseconds */
    bool is_incremental;
    int64_t last; /* its time where it is */
    perfetto_reading *readings;
    size_t at, reading_count, reading_capacity;
} perfetto_clock;

/* The thread of a number; its process may be known later, or never (-1). */
typedef struct perfetto_thread {
    int64_t number, process;
    const char *name;
    uint32_t row; /* OCELOTL_NONE: nothing happened there */
} perfetto_thread;

typedef enum perfetto_place {
    PERFETTO_TRACK,
    PERFETTO_THREAD,
    PERFETTO_PROCESS,
    PERFETTO_COUNTER
} perfetto_place;

typedef struct perfetto_track {
    uint64_t uuid, parent;
    perfetto_place place;
    bool is_known, is_incremental;
    uint32_t row;    /* OCELOTL_NONE: nothing happened there */
    uint32_t thread; /* of one */
    int64_t process;
    const char *name, *unit;
    int64_t order, multiplier;
    uint32_t type; /* of a counter, + 1 */
    double sum;
} perfetto_track;

/* What a packet has beside its content: fields, in the order of their numbers. */
enum {
    PERFETTO_TIME,
    PERFETTO_SEQUENCE,
    PERFETTO_INTERNED,
    PERFETTO_FLAGS,
    PERFETTO_CLEARED,
    PERFETTO_DROPPED,
    PERFETTO_CLOCK,
    PERFETTO_DEFAULTS,
    PERFETTO_SENDER, /* and others */
    PERFETTO_FIELDS
};

typedef struct perfetto_packet {
    oc_field of[PERFETTO_FIELDS], content;
    uint64_t clock;
} perfetto_packet;

/* What a file calls by a number: the sequence matters for some. */
typedef struct perfetto_key {
    uint32_t kind, around;
    uint64_t id;
} perfetto_key;

/* The last that was asked for of those that share its place. */
typedef struct perfetto_known {
    perfetto_key key;
    uint32_t number; /* + 1; 0: none was */
} perfetto_known;

enum { PERFETTO_RECENT = 512 };

enum { PERFETTO_ATTRIBUTES = 128, PERFETTO_CPUS = 4096, PERFETTO_KNOWN_KINDS = 1024 };

typedef struct perfetto_reader {
    oc_ingest ingest;
    oc_fields fields; /* of the file */
    oc_text inflated;
    uint32_t types[PERFETTO_TYPES];            /* + 1; 0: not declared */
    uint32_t kind_of[2][PERFETTO_KNOWN_KINDS]; /* + 1: of packets and track events, of ftrace */
    uint64_t packets;                          /* of the file at hand */
    oc_map numbers; /* of sequences, names, clocks, threads, tracks by what the file calls them */
    perfetto_known recent[PERFETTO_RECENT];
    perfetto_sequence *sequences;
    perfetto_name *names;
    perfetto_clock *clocks;
    perfetto_thread *threads;
    perfetto_track *tracks;
    size_t sequence_count, sequence_capacity, name_count, name_capacity, clock_count,
        clock_capacity, thread_count, thread_capacity, track_count, track_capacity;
    uint64_t trace_clock;
    perfetto_sequence *sequence; /* of the packet at hand */
    uint32_t sequence_number;
    /* What an event carries */
    ocelotl_attribute_value attributes[PERFETTO_ATTRIBUTES];
    char digits[PERFETTO_ATTRIBUTES][32];
    size_t attribute_count;
    oc_text name, category; /* scratch */
    oc_sorting *flows;      /* points of links, by what joins them */
    uint64_t wakings;
    uint32_t frequency;               /* a type, + 1 */
    uint32_t cpu_rows[PERFETTO_CPUS]; /* + 1 */
    oc_sorting *scheduled;            /* what the scheduler does, by time */
    oc_scheduler scheduler;
    int64_t running[PERFETTO_CPUS]; /* the thread that each CPU switched to last, + 1 */
    int64_t last;                   /* time of the file */
} perfetto_reader;

/* --- Numbers of what a file names by numbers: found, or made */

enum { OF_SEQUENCE, OF_CLOCK, OF_THREAD, OF_TRACK, OF_NAME };

/* OC_MAP_NONE: it is new, and has the number `next` from now on. */
ocelotl_status perfetto_number(uint32_t *number, perfetto_reader *reader, uint32_t kind,
                               uint32_t around, uint64_t id, size_t next);

/* The name that the sequence at hand sent; "" where it did not. */
perfetto_name perfetto_find_name(perfetto_reader *reader, uint32_t kind, uint64_t id);

/* Keeps the names that the sequence at hand sends. */
ocelotl_status perfetto_keep_names(perfetto_reader *reader, oc_bytes_reader message);

/* Counts a packet (0) or an event of ftrace (1) by its number. */
ocelotl_status perfetto_count(perfetto_reader *reader, int which, uint32_t number, const char *name,
                              ocelotl_fate fate, const char *why);

/* --- Clocks */

ocelotl_status perfetto_take_snapshot(perfetto_reader *reader, oc_bytes_reader snapshot);

/* A time of a clock on the trace's clock. */
ocelotl_status perfetto_time(int64_t *time, perfetto_reader *reader, uint64_t clock,
                             uint64_t stamp);

/* When the trace's clock was 0, in nanoseconds since 1970, if that is known. */
ocelotl_status perfetto_origin(bool *is_known, int64_t *origin, perfetto_reader *reader);

/* --- Tracks: where events happen */

ocelotl_status perfetto_find_thread(uint32_t *thread, perfetto_reader *reader, int64_t number,
                                    int64_t process, const oc_field *name);
ocelotl_status perfetto_thread_row(uint32_t *row, perfetto_reader *reader, uint32_t thread);
ocelotl_status perfetto_process_row(uint32_t *row, perfetto_reader *reader, int64_t process);
ocelotl_status perfetto_cpu_row(uint32_t *row, perfetto_reader *reader, uint32_t cpu);
ocelotl_status perfetto_find_track(uint32_t *track, perfetto_reader *reader, uint64_t uuid);
ocelotl_status perfetto_track_row(uint32_t *row, perfetto_reader *reader, uint32_t track);

/* The row that has the asynchronous slices of a category, in a process. */
ocelotl_status perfetto_async_row(uint32_t *row, perfetto_reader *reader, uint32_t process,
                                  const char *category);
ocelotl_status perfetto_take_descriptor(perfetto_reader *reader, oc_bytes_reader descriptor);
ocelotl_status perfetto_take_process(int64_t *process, perfetto_reader *reader,
                                     oc_bytes_reader message);
ocelotl_status perfetto_take_thread(uint32_t *thread, int64_t *reference, perfetto_reader *reader,
                                    oc_bytes_reader message);
ocelotl_status perfetto_take_tree(perfetto_reader *reader, oc_bytes_reader tree);

/* Puts threads into their processes, once all of the file is known. */
ocelotl_status perfetto_end_tracks(perfetto_reader *reader);

/* --- Events */

ocelotl_status perfetto_take_event(perfetto_reader *reader, const perfetto_packet *packet);
ocelotl_status perfetto_add_counter(perfetto_reader *reader, uint32_t row, const char *name,
                                    const char *unit, uint32_t *type, int64_t time, double number);

/* Adds an attribute to those of the next record of a type. */
ocelotl_status perfetto_add_attribute(perfetto_reader *reader, perfetto_type type, const char *name,
                                      const char *text, size_t length);

/* Adds a record of a type, with the attributes. */
ocelotl_status perfetto_add(perfetto_reader *reader, oc_sorted *record, perfetto_type type,
                            const char *name, size_t length);

/* Adds a point of a link: each is linked to the one before it of the same id, up to a last one. */
ocelotl_status perfetto_add_point(perfetto_reader *reader, const oc_sorted *record,
                                  perfetto_type type, uint64_t id, bool is_last);

/* Links all points, as oc_ingest has `seen`. */
ocelotl_status perfetto_link(void *reader);

/* --- The kernel's events */

ocelotl_status perfetto_take_ftrace(perfetto_reader *reader, oc_bytes_reader bundle);

/* Adds the states of all threads and CPUs of the file. */
ocelotl_status perfetto_schedule(perfetto_reader *reader);

#endif
