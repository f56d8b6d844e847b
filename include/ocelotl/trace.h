/* Opens a trace.db and reads its names and totals. Events are read by models (model.h), statistics,
 * drawables, series and queries. */
#ifndef OCELOTL_TRACE_H
#define OCELOTL_TRACE_H

#include <ocelotl/writer.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An open trace: its names and totals in memory, its events on disk. A trace may be used by one
 * thread at a time; open it twice for two. */
typedef struct ocelotl_trace ocelotl_trace;

/* Opens a trace.db read-only. O(resources + event types + values + streams).
 * Errors: IO (not there, a directory), INPUT (not ours, another version, damaged). */
OCELOTL_API ocelotl_status ocelotl_trace_open(ocelotl_trace **trace, const char *path);

/* The same of a trace.db that was made of another file, which its user knows: messages on what is
 * in the trace, and what is not, begin with the label; those on damage still name the trace.db. */
OCELOTL_API ocelotl_status ocelotl_trace_open_as(ocelotl_trace **trace, const char *path,
                                                 const char *label);

/* Opens an open trace once more, for another thread. Errors: as above. */
OCELOTL_API ocelotl_status ocelotl_trace_open_again(ocelotl_trace **again,
                                                    const ocelotl_trace *trace);
OCELOTL_API void ocelotl_trace_free(ocelotl_trace *trace);

typedef struct ocelotl_trace_info {
    size_t size;             /* by OCELOTL_INIT */
    const char *name;        /* for captions */
    const char *uid;         /* identifies this trace; every picture carries it */
    const char *source;      /* the file it was imported from, or "" */
    const char *format;      /* that file's format */
    const char *importer;    /* what wrote the trace.db, with its version */
    const char *producer;    /* what made the source, or "" */
    const char *origin;      /* absolute time of tick 0 (ISO 8601), or "" */
    uint64_t tick_numerator; /* a tick is tick_numerator / tick_denominator seconds */
    uint64_t tick_denominator;
    int64_t begin, end; /* the first and last instant of the trace, in ticks */
    uint64_t file_size; /* bytes of the trace.db */
    /* of a derived trace: the uid of the one that it was made of, and how; else "" */
    const char *derived_from, *derivation;
} ocelotl_trace_info;

/* Strings live as long as the trace; the same for all structures below. */
OCELOTL_API void ocelotl_trace_get_info(ocelotl_trace_info *info, const ocelotl_trace *trace);

/* The same as a value. */
static inline ocelotl_trace_info ocelotl_trace_info_of(const ocelotl_trace *trace)
{
    ocelotl_trace_info info;
    info.size = sizeof info;
    ocelotl_trace_get_info(&info, trace);
    return info;
}

/* Seconds in a number of ticks of this trace. */
OCELOTL_API double ocelotl_trace_seconds(const ocelotl_trace *trace, int64_t ticks);

typedef struct ocelotl_resource_type {
    const char *name;
    uint32_t parent;    /* another resource type or OCELOTL_ROOT */
    uint32_t resources; /* how many resources are of this type */
} ocelotl_resource_type;

typedef struct ocelotl_resource {
    const char *name;
    uint32_t type;
    uint32_t parent;    /* another resource, of lower index, or OCELOTL_ROOT */
    int64_t begin, end; /* its lifetime in ticks */
} ocelotl_resource;

typedef struct ocelotl_event_type {
    const char *name;
    ocelotl_category category;
    uint32_t resource_type; /* or OCELOTL_ROOT */
    int32_t colour;         /* 0xRRGGBB or -1 */
    /* states, instants, links, or steps of variables: changes at one instant are one */
    uint64_t count;
    uint64_t unmatched;         /* links with only one end in the trace */
    const char *unit;           /* of a variable's values, "" where it is not known */
    ocelotl_variable_kind kind; /* of a variable: OCELOTL_LEVEL or OCELOTL_COUNTER */
} ocelotl_event_type;

typedef struct ocelotl_value {
    const char *name;
    uint32_t event_type;
    int32_t colour; /* 0xRRGGBB or -1 */
    uint64_t count;
    int64_t innermost_ticks; /* states: time in this state while it is the innermost one */
    int64_t inclusive_ticks; /* states: summed durations; links: summed time in flight */
} ocelotl_value;

typedef struct ocelotl_warning {
    const char *kind;
    uint64_t count;
    const char *detail; /* the first case */
} ocelotl_warning;

/* Each by index below its count, in the order of the trace; an index out of range gives zeros and
 * "". O(1). */
OCELOTL_API uint32_t ocelotl_trace_resource_type_count(const ocelotl_trace *trace);
OCELOTL_API ocelotl_resource_type ocelotl_trace_resource_type_at(const ocelotl_trace *trace,
                                                                 uint32_t index);
OCELOTL_API uint32_t ocelotl_trace_resource_count(const ocelotl_trace *trace);
OCELOTL_API ocelotl_resource ocelotl_trace_resource_at(const ocelotl_trace *trace, uint32_t index);
OCELOTL_API uint32_t ocelotl_trace_event_type_count(const ocelotl_trace *trace);
OCELOTL_API ocelotl_event_type ocelotl_trace_event_type_at(const ocelotl_trace *trace,
                                                           uint32_t index);

/* The shortest unique spelling of an event type, among those of its category with events: its name,
 * "RESOURCE TYPE:NAME", or that with the path of the resource type, "PROGRAM/THREAD:NAME". Options
 * that name types take all three, and for a value its name, "TYPE:VALUE", and the longer ones. ""
 * for an index out of range. O(1). */
OCELOTL_API const char *ocelotl_trace_event_type_spelling(const ocelotl_trace *trace,
                                                          uint32_t index);

OCELOTL_API uint32_t ocelotl_trace_value_count(const ocelotl_trace *trace);
OCELOTL_API ocelotl_value ocelotl_trace_value_at(const ocelotl_trace *trace, uint32_t index);

/* The values of an event type: their number, and the index of one of them among all, in their
 * order. OCELOTL_NONE for an index out of range. O(1). */
OCELOTL_API uint32_t ocelotl_trace_event_type_value_count(const ocelotl_trace *trace,
                                                          uint32_t event_type);
OCELOTL_API uint32_t ocelotl_trace_event_type_value_at(const ocelotl_trace *trace,
                                                       uint32_t event_type, uint32_t index);

/* One of several files that a trace comes from. */
typedef struct ocelotl_trace_file {
    const char *path;
    const char *stamp; /* changes when the file does; "" where it is not known */
} ocelotl_trace_file;

/* The files that a trace comes from, by index below the count: 0 where it comes from one, which
 * ocelotl_trace_info names. */
OCELOTL_API uint32_t ocelotl_trace_file_count(const ocelotl_trace *trace);
OCELOTL_API ocelotl_trace_file ocelotl_trace_file_at(const ocelotl_trace *trace, uint32_t index);

/* The clocks of a derived trace, by index below the count: 0 where none were set. Out of range: ""
 * and zeros. O(1). */
OCELOTL_API uint32_t ocelotl_trace_clock_count(const ocelotl_trace *trace);
OCELOTL_API ocelotl_set_clock ocelotl_trace_clock_at(const ocelotl_trace *trace, uint32_t index);

OCELOTL_API uint32_t ocelotl_trace_warning_count(const ocelotl_trace *trace);
OCELOTL_API ocelotl_warning ocelotl_trace_warning_at(const ocelotl_trace *trace, uint32_t index);

/* Records of the source, by the format's own kinds and their fates, in that order. */
typedef struct ocelotl_source_kind {
    const char *kind; /* "MPI_SEND", "PajePushState" */
    ocelotl_fate fate;
    uint64_t count;
    const char *why; /* of those left out, "" for others */
} ocelotl_source_kind;

OCELOTL_API uint32_t ocelotl_trace_source_kind_count(const ocelotl_trace *trace);
OCELOTL_API ocelotl_source_kind ocelotl_trace_source_kind_at(const ocelotl_trace *trace,
                                                             uint32_t index);

/* The names of types: those of a trace's values and event types, of a model without a trace those
 * of its own types. Pictures choose colours for all of them, in this order, so that a name has one
 * colour in every picture. */
typedef struct ocelotl_type_names ocelotl_type_names;

typedef struct ocelotl_type_name {
    const char *name; /* valid UTF-8, unlike that of any other */
    int32_t colour;   /* that the trace gives it, of several types the first, 0xRRGGBB or -1 */
    uint32_t types;   /* how many values and event types are called so */
} ocelotl_type_name;

/* Gathers the names of a trace, freed by ocelotl_type_names_free. Names of most time in the whole
 * trace come first: those of much time as the innermost state and those of much time with what is
 * nested in them in turn, so that the first n of either are among the first 2 n. Names without time
 * follow, those of most events first. Errors: MEMORY, LIMIT. O(n log n) in values and event types.
 */
OCELOTL_API ocelotl_status ocelotl_trace_type_names(ocelotl_type_names **names,
                                                    const ocelotl_trace *trace);
OCELOTL_API void ocelotl_type_names_free(ocelotl_type_names *names);

/* By index below the count; an index out of range gives "", and NULL has none. O(1). Thread-safe.
 */
OCELOTL_API uint32_t ocelotl_type_names_count(const ocelotl_type_names *names);
OCELOTL_API ocelotl_type_name ocelotl_type_names_at(const ocelotl_type_names *names,
                                                    uint32_t index);

/* What a name of a selection stands for. */
typedef enum ocelotl_name_kind {
    OCELOTL_NAME_TYPE = 0,     /* event types and values, as in `only` */
    OCELOTL_NAME_RESOURCE = 1, /* a path, as in `resources` */
    OCELOTL_NAME_PATTERN = 2   /* resources by path or glob, as in `only_resources` */
} ocelotl_name_kind;

/* Finds the names that stand for nothing of a trace, into `unknown`, which has room for each. The
 * trace belongs to the calling thread. O(names x (types + values) + resources), of patterns
 * O(names x resources). Errors: ARGUMENT (a name is NULL), MEMORY. */
OCELOTL_API ocelotl_status ocelotl_trace_find_unknown(bool *unknown, ocelotl_trace *trace,
                                                      const ocelotl_names *names,
                                                      ocelotl_name_kind kind);

#ifdef __cplusplus
}
#endif
#endif
