/* Writing a trace.db: for importers, and for tracers that want no other format in between.
 *
 *     ocelotl_writer_open -> declare types, resources, values -> events in time order ->
 * ocelotl_writer_finish
 *
 * The file is written under a temporary name beside its target and renamed by
 * ocelotl_writer_finish, so the target is whole or absent. Events of one (resource, event type)
 * must come in order of time; different ones may interleave freely. Declarations may come at any
 * moment before their first use. Times are int64 ticks from the trace's origin. Names are UTF-8;
 * invalid bytes are replaced by U+FFFD. All strings are copied. A writer belongs to one thread at a
 * time. Each call costs O(1) amortised where nothing else is said, plus O(depth) for a pop. Once a
 * call has failed for want of memory or disk, all that follow do, and nothing is left behind. */
#ifndef OCELOTL_WRITER_H
#define OCELOTL_WRITER_H

#include <ocelotl/exchange.h>
#include <ocelotl/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ocelotl_writer ocelotl_writer;

typedef struct ocelotl_writer_options {
    size_t size;        /* sizeof(ocelotl_writer_options), set by the initialiser */
    const char *name;   /* the trace's name for captions; NULL: the target's file name */
    const char *source; /* the file that the trace comes from; NULL: none */
    const char *format; /* the source's format; NULL: "ocelotl" */
    /* a tick is tick_numerator / tick_denominator seconds, both at most 10^18; 0: 1 and 10^9 */
    uint64_t tick_numerator, tick_denominator;
    /* absolute time of tick 0 where it is known (ISO 8601); NULL: unknown */
    const char *origin;
    /* replace an existing target; otherwise it is OCELOTL_ERROR_ARGUMENT */
    bool overwrite;
    /* names of variables, or globs, which are counters or increments whatever else is said; each
     * must match one that is declared (ARGUMENT when the trace is finished) */
    ocelotl_names counters, increments;
} ocelotl_writer_options;

#define OCELOTL_WRITER_OPTIONS_INIT OCELOTL_INIT(ocelotl_writer_options)

/* Something else that an event carries, as text; NULL values are left out.
 * `attribute` is one of the event type's, see ocelotl_writer_attribute; another is
 * OCELOTL_ERROR_ARGUMENT. The texts of one event are at most 64 MiB, and at most 2^20. */
typedef struct ocelotl_attribute_value {
    uint32_t attribute;
    const char *text;
    size_t length;
} ocelotl_attribute_value;

/* Starts a trace.db at `path`. Errors: ARGUMENT (target exists, bad tick), IO. */
OCELOTL_API ocelotl_status ocelotl_writer_open(ocelotl_writer **writer, const char *path,
                                               const ocelotl_writer_options *options);

/* Notes one of several files that the trace comes from, in their order. `stamp` is a text of one
 * line that changes when the file does (ocelotl_import_is_current compares it), or "". */
OCELOTL_API ocelotl_status ocelotl_writer_file(ocelotl_writer *writer, const char *path,
                                               const char *stamp);

/* Says which trace this one was made of, by its uid, and in one line how (NULL: nothing is said),
 * where times were set right. Neither changes the uid. Errors: ARGUMENT for several lines, or a
 * second call. */
OCELOTL_API ocelotl_status ocelotl_writer_derived(ocelotl_writer *writer, const char *uid,
                                                  const char *how);

/* A clock of such a trace: what was found of it before. Times are in ticks. */
typedef struct ocelotl_set_clock {
    const char *path; /* of its resource; "all": the whole trace has this clock */
    double offset;    /* how far it was ahead of the reference, in the middle of its run */
    double drift;     /* how much faster it ran: 1e-6 is a microsecond a second */
    double bound;     /* its new times are off by at most so much; infinite: nothing says */
    uint64_t samples, messages; /* that it was found by */
    uint32_t group;             /* clocks of different groups do not compare */
} ocelotl_set_clock;

/* Keeps a clock of a derived trace. Errors: ARGUMENT for what is no number. */
OCELOTL_API ocelotl_status ocelotl_writer_clock(ocelotl_writer *writer,
                                                const ocelotl_set_clock *clock);

/* Ends a writer; without ocelotl_writer_finish before, nothing is left on disk. NULL is allowed. */
OCELOTL_API void ocelotl_writer_free(ocelotl_writer *writer);

/* Ends all that is open at the trace's last instant, and puts the file in its place. The writer can
 * then only be freed. Errors: IO, MEMORY. */
OCELOTL_API ocelotl_status ocelotl_writer_finish(ocelotl_writer *writer);

/* Begins a turn of what the writers of several ranks do, each with a part of one trace at its
 * ocelotl_run_whole: ocelotl_run_split numbers what they declare in the order of the turns, which
 * never go back. The resources that are declared in a turn that is `elsewhere` are those of another
 * writer: it knows when they begin and end, and what happens there is taken from it. O(1). */
OCELOTL_API ocelotl_status ocelotl_writer_turn(ocelotl_writer *writer, uint64_t turn,
                                               bool elsewhere);

/* Gives the trace the bounds of those of all ranks, which call it before they finish. */
OCELOTL_API ocelotl_status ocelotl_writer_share_bounds(ocelotl_writer *writer,
                                                       const ocelotl_exchange *exchange);

/* Divides the tick by `factor` (>= 1): times given from now on are in the finer ticks, all that was
 * written keeps its meaning. O(chunks). For sources that show only in their course how fine their
 * clock is. Errors: ARGUMENT where a time given before would leave the range of int64; nothing is
 * changed then. */
OCELOTL_API ocelotl_status ocelotl_writer_refine(ocelotl_writer *writer, uint64_t factor);

/* Declares a type of resources below another (or OCELOTL_ROOT). */
OCELOTL_API ocelotl_status ocelotl_writer_resource_type(uint32_t *type, ocelotl_writer *writer,
                                                        uint32_t parent, const char *name);

/* Declares a resource of a type, below another (or OCELOTL_ROOT), alive from `begin`. */
OCELOTL_API ocelotl_status ocelotl_writer_resource(uint32_t *resource, ocelotl_writer *writer,
                                                   uint32_t type, uint32_t parent, const char *name,
                                                   int64_t begin);

/* Keeps something else that is known of a resource, as text of one line. */
OCELOTL_API ocelotl_status ocelotl_writer_resource_note(ocelotl_writer *writer, uint32_t resource,
                                                        const char *name, const char *text);

/* Ends a resource's life: its open states end, its variables stop counting. Nothing may happen
 * there after `end`, which is not before what has happened there. A resource never ended lives to
 * the end of the trace. */
OCELOTL_API ocelotl_status ocelotl_writer_resource_end(ocelotl_writer *writer, uint32_t resource,
                                                       int64_t end);

/* Declares a type of events; `resource_type` is the type of resource that has them (OCELOTL_ROOT
 * for the whole trace); colour is 0xRRGGBB or -1 where the trace names none. */
OCELOTL_API ocelotl_status ocelotl_writer_event_type(uint32_t *type, ocelotl_writer *writer,
                                                     ocelotl_category category,
                                                     uint32_t resource_type, const char *name,
                                                     int32_t colour);

/* Sets the unit of a variable's values ("W", "resources"); the last call counts. Variables of one
 * unit can be compared and added up. Errors: ARGUMENT for an event type that is no variable, or a
 * unit of several lines. */
OCELOTL_API ocelotl_status ocelotl_writer_unit(ocelotl_writer *writer, uint32_t event_type,
                                               const char *unit);

/* Says what a variable's values are, before the first of them. The trace holds of a counter the
 * running sum of its growth. Increments are added up, from 0 where their resource begins. Of values
 * that accumulate, one that falls by more than 2^(w-1), with w the least of 32, 40, 48 and 64 for
 * which all values so far are below 2^w, has wrapped and grown by 2^w less the fall; any other fall
 * is a reset, and the new value has been added since. Wraps, resets and increments below 0, which
 * add nothing, are warnings of the trace, with the first place of each. Errors: ARGUMENT for an
 * event type that is no variable, or has values already. */
OCELOTL_API ocelotl_status ocelotl_writer_kind(ocelotl_writer *writer, uint32_t event_type,
                                               ocelotl_variable_kind kind);

/* Declares an attribute that events of a type may carry; its index is unique within the event type.
 * Errors: ARGUMENT for a name that is empty or has several lines. */
OCELOTL_API ocelotl_status ocelotl_writer_attribute(uint32_t *attribute, ocelotl_writer *writer,
                                                    uint32_t event_type, const char *name);

/* Declares a value of an event type. */
OCELOTL_API ocelotl_status ocelotl_writer_value(uint32_t *value, ocelotl_writer *writer,
                                                uint32_t event_type, const char *name,
                                                int32_t colour);

/* How many event types have been declared, and how many values of one of them, by number. O(1). */
OCELOTL_API uint32_t ocelotl_writer_event_type_count(const ocelotl_writer *writer);
OCELOTL_API uint32_t ocelotl_writer_value_count(const ocelotl_writer *writer, uint32_t event_type);

/* Begins a state inside those that are open. */
OCELOTL_API ocelotl_status ocelotl_writer_push(ocelotl_writer *writer, uint32_t resource,
                                               uint32_t event_type, uint32_t value, int64_t time,
                                               const ocelotl_attribute_value *attributes,
                                               size_t count);

/* Ends the open state that is `depth` states outside the innermost one (0: the innermost; another
 * depth ends a state that others, begun later, outlive). Attributes given here are the state's, as
 * those given to its beginning are; readers list the latter first. Errors: ARGUMENT where no such
 * state is open. */
OCELOTL_API ocelotl_status ocelotl_writer_pop(ocelotl_writer *writer, uint32_t resource,
                                              uint32_t event_type, uint32_t depth, int64_t time,
                                              const ocelotl_attribute_value *attributes,
                                              size_t count);

/* How many states of this type are open in this resource. */
OCELOTL_API uint32_t ocelotl_writer_open_states(const ocelotl_writer *writer, uint32_t resource,
                                                uint32_t event_type);

/* Records an instant event; value may be OCELOTL_NONE. */
OCELOTL_API ocelotl_status ocelotl_writer_event(ocelotl_writer *writer, uint32_t resource,
                                                uint32_t event_type, uint32_t value, int64_t time,
                                                const ocelotl_attribute_value *attributes,
                                                size_t count);

/* The largest magnitude of a variable's value: over 2^63 ticks it adds up to a finite number. */
#define OCELOTL_LARGEST_VALUE 1e280

/* Gives a variable a new value from `time` on. Errors: ARGUMENT for a value that is not finite, or
 * beyond OCELOTL_LARGEST_VALUE. */
OCELOTL_API ocelotl_status ocelotl_writer_variable(ocelotl_writer *writer, uint32_t resource,
                                                   uint32_t event_type, int64_t time, double value,
                                                   const ocelotl_attribute_value *attributes,
                                                   size_t count);

/* Begins a link at `resource`; *link identifies it until ocelotl_writer_link_end. Value may be
 * OCELOTL_NONE. */
OCELOTL_API ocelotl_status ocelotl_writer_link_begin(uint64_t *link, ocelotl_writer *writer,
                                                     uint32_t resource, uint32_t event_type,
                                                     uint32_t value, int64_t time,
                                                     const ocelotl_attribute_value *attributes,
                                                     size_t count);

/* Ends a link at `resource`. `end` may lie before the link's beginning (clocks that disagree): such
 * a link is kept with its negative duration and counts no time in flight; it must be ended before
 * anything later is recorded at either of its ends. It may end after the resource where it began.
 * Errors: ARGUMENT for a link that is not open. O(links open at its beginning). */
OCELOTL_API ocelotl_status ocelotl_writer_link_end(ocelotl_writer *writer, uint64_t link,
                                                   uint32_t resource, int64_t end,
                                                   const ocelotl_attribute_value *attributes,
                                                   size_t count);

/* Records the end of a link whose beginning is not in the trace; it may come late, behind later
 * ones. */
OCELOTL_API ocelotl_status ocelotl_writer_link_orphan(ocelotl_writer *writer, uint32_t resource,
                                                      uint32_t event_type, uint32_t value,
                                                      int64_t time,
                                                      const ocelotl_attribute_value *attributes,
                                                      size_t count);

/* What a stream holds. A stream is what happens in one resource, of one event type; links have one
 * at each end. */
typedef enum ocelotl_role {
    OCELOTL_ROLE_EVENTS = 0,
    OCELOTL_ROLE_STATES = 1,
    OCELOTL_ROLE_VARIABLE = 2,
    OCELOTL_ROLE_LINKS_OUT = 3, /* links that begin in the resource */
    OCELOTL_ROLE_LINKS_IN = 4   /* links that end in the resource */
} ocelotl_role;

/* Gives the stream of a resource and an event type, made where it is new: the fast path for
 * millions of events, whose resource and type are then looked up once and not for each. Streams
 * count from 0. Errors: ARGUMENT for what has not been declared, or a role that events of the type
 * cannot have. */
OCELOTL_API ocelotl_status ocelotl_writer_stream(uint32_t *stream, ocelotl_writer *writer,
                                                 uint32_t resource, uint32_t event_type,
                                                 ocelotl_role role);

/* The same stream where it exists; OCELOTL_NONE where it does not. */
OCELOTL_API uint32_t ocelotl_writer_known_stream(const ocelotl_writer *writer, uint32_t resource,
                                                 uint32_t event_type, ocelotl_role role);

/* How many streams exist, and how many states are open in one: 0 in a stream of another role. */
OCELOTL_API uint32_t ocelotl_writer_stream_count(const ocelotl_writer *writer);
OCELOTL_API uint32_t ocelotl_writer_stream_open_states(const ocelotl_writer *writer,
                                                       uint32_t stream);

/* Loads into the processor's cache what the next event of two streams needs: `soon` is that of an
 * event some four ahead, `later` of one eight ahead. Either may be OCELOTL_NONE. */
OCELOTL_API void ocelotl_writer_expect(const ocelotl_writer *writer, uint32_t later, uint32_t soon);

/* The functions above, for a stream; a pop ends the innermost state. Errors: ARGUMENT for a stream
 * of another role, and as above. */
OCELOTL_API ocelotl_status ocelotl_writer_stream_push(ocelotl_writer *writer, uint32_t stream,
                                                      uint32_t value, int64_t time,
                                                      const ocelotl_attribute_value *attributes,
                                                      size_t count);
OCELOTL_API ocelotl_status ocelotl_writer_stream_pop(ocelotl_writer *writer, uint32_t stream,
                                                     int64_t time,
                                                     const ocelotl_attribute_value *attributes,
                                                     size_t count);
OCELOTL_API ocelotl_status ocelotl_writer_stream_event(ocelotl_writer *writer, uint32_t stream,
                                                       uint32_t value, int64_t time,
                                                       const ocelotl_attribute_value *attributes,
                                                       size_t count);
OCELOTL_API ocelotl_status ocelotl_writer_stream_variable(ocelotl_writer *writer, uint32_t stream,
                                                          int64_t time, double value,
                                                          const ocelotl_attribute_value *attributes,
                                                          size_t count);
OCELOTL_API ocelotl_status ocelotl_writer_stream_link_begin(
    uint64_t *link, ocelotl_writer *writer, uint32_t stream, uint32_t value, int64_t time,
    const ocelotl_attribute_value *attributes, size_t count);
OCELOTL_API ocelotl_status ocelotl_writer_stream_link_end(ocelotl_writer *writer, uint64_t link,
                                                          uint32_t stream, int64_t end,
                                                          const ocelotl_attribute_value *attributes,
                                                          size_t count);

/* Adds `count` cases of an oddity in the source, of a kind ("pop of an empty stack"). `detail`
 * describes the first one and is kept only for the first call of a kind. Errors: ARGUMENT for a sum
 * of 2^63 or more. */
OCELOTL_API ocelotl_status ocelotl_writer_warning(ocelotl_writer *writer, const char *kind,
                                                  uint64_t count, const char *detail);

/* What became of records of the source. */
typedef enum ocelotl_fate {
    OCELOTL_FATE_EVENT = 0, /* the first four as ocelotl_category */
    OCELOTL_FATE_STATE = 1,
    OCELOTL_FATE_VARIABLE = 2,
    OCELOTL_FATE_LINK = 3,
    OCELOTL_FATE_ATTRIBUTE = 4,  /* something that another event or a resource carries */
    OCELOTL_FATE_DEFINITION = 5, /* a name, a resource, an event type */
    OCELOTL_FATE_LEFT_OUT = 6
} ocelotl_fate;

/* Its name in answers: "event", .., "left out"; "" for another number. */
OCELOTL_API const char *ocelotl_fate_name(ocelotl_fate fate);

/* Adds `count` records of the source, by the format's own name of their kind ("ENTER") and their
 * fate. `why` says why they were left out, or what is counted, and is kept for the first call of a
 * kind and fate; NULL: nothing to say. O(1). Errors: ARGUMENT for another fate, or a sum of 2^63 or
 * more. */
OCELOTL_API ocelotl_status ocelotl_writer_source_kind(ocelotl_writer *writer, const char *kind,
                                                      ocelotl_fate fate, uint64_t count,
                                                      const char *why);

/* Sets when tick 0 was (ISO 8601), for sources that reveal it late; NULL: unknown. The last call
 * counts. */
OCELOTL_API ocelotl_status ocelotl_writer_origin(ocelotl_writer *writer, const char *origin);

/* Notes what was done to the clock of one of several files of the source, whose name is `file`. */
OCELOTL_API ocelotl_status ocelotl_writer_aligned(ocelotl_writer *writer, const char *file,
                                                  const char *how);

/* Notes the program that made the source, where it says so; twice: the last counts. */
OCELOTL_API ocelotl_status ocelotl_writer_producer(ocelotl_writer *writer, const char *producer);

#ifdef __cplusplus
}
#endif
#endif
