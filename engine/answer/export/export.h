/* What the writers of events in the formats of other tools share: the walk over the events, what
 * they carry, and the account of what a format cannot say. */
#ifndef OC_ANSWER_EXPORT_H
#define OC_ANSWER_EXPORT_H

#include "base/file/ordering.h"
#include "base/file/sink.h"
#include "base/format/exact.h"

#include <ocelotl/export.h>

/* What is sorted in memory; more goes through a file. */
#define OC_EXPORT_MEMORY ((size_t)64 << 20)

/* What a format has no word for, by bits: the walk leaves it out and counts it. */
enum {
    OC_LACKS_LOOSE_LINKS = 1,     /* links with one end */
    OC_LACKS_CROSSING_STATES = 2, /* states that end before others that began in them */
    OC_LACKS_UNITS = 4,           /* of variables */
    OC_LACKS_ORIGIN = 8,          /* when tick 0 was */
    OC_LACKS_FINE_CLOCKS = 16,    /* clocks whose ticks are no decimals */
};

/* What each writer knows. A format's own structure begins with it. */
typedef struct oc_export {
    oc_output out;
    ocelotl_events *events;
    const ocelotl_trace *trace;
    const ocelotl_selection *selection; /* that of the events; only for formats with resources */
    ocelotl_losses *losses;
    oc_exact clock;
    unsigned lacks;
} oc_export;

/* A format. Each step is given what the format knows; NULL: nothing is to be done. */
typedef struct oc_export_steps {
    ocelotl_status (*open)(void *to); /* the first event has been asked for */
    ocelotl_status (*resource)(void *to, uint32_t resource); /* each that is selected */
    ocelotl_status (*event)(void *to, const ocelotl_event *event);
    ocelotl_status (*close)(void *to); /* all events have been given */
} oc_export_steps;

/* Gives all that is selected to a format, and ends its output. The first event is asked for before
 * anything is written: what cannot be read leaves no part. */
ocelotl_status oc_export_events(oc_output *out, const oc_export *from, const oc_export_steps *steps,
                                void *to);

/* Finds the place of each resource in the order of the hierarchy: behind its siblings of lower
 * index and all below them. */
ocelotl_status oc_export_places(uint32_t *places, const ocelotl_trace *trace, uint32_t count);

/* When tick 0 was, in nanoseconds since 1970; false where the trace does not say so. */
bool oc_find_base(int64_t *base, const char *origin);

/* When a slice of a model begins, or the one before ends, in whole ticks: parts touch, and never
 * cross. */
int64_t oc_slice_tick(const ocelotl_model_info *info, uint32_t slice, bool ends);

/* Begins an export with the parts of a partition; NULL: without. Errors: ARGUMENT where these have
 * no times. */
ocelotl_status oc_check_parts(const ocelotl_partition *partition, ocelotl_losses *losses);

/* --- States as slices: events say when they end, and viewers want to see what is around others
 * first, each on the first lane where it crosses nothing */

typedef struct oc_slices oc_slices;

/* What becomes of a slice: it begins, with the text that it was added with, and ends, in order on
 * each lane; NULL: its end is not wanted. */
typedef struct oc_slice_steps {
    ocelotl_status (*begin)(void *to, uint32_t lane, const char *bytes, size_t length);
    ocelotl_status (*end)(void *to, uint32_t lane, int64_t time);
} oc_slice_steps;

ocelotl_status oc_slices_open(oc_slices **slices, const oc_slice_steps *steps, void *to);

/* Keeps a state of the stream that is read, with its text, which is spent. */
ocelotl_status oc_slices_add(oc_slices *slices, const ocelotl_event *state, oc_text *text);

/* Gives all of the stream, and forgets them. */
ocelotl_status oc_slices_write(oc_slices *slices);

/* NULL is allowed. */
void oc_slices_free(oc_slices *slices);

/* --- What a format cannot say */

/* Counts more of a kind; `what` lasts for ever. */
void oc_lose(ocelotl_losses *losses, const char *what, uint64_t count);

/* Reads one row of counts from the tables of docs/developer/store.md. Errors: MEMORY, INPUT for
 * damage. */
ocelotl_status oc_read_counts(uint64_t *counts, size_t count, ocelotl_trace *trace,
                              const char *sql);

/* --- Of a trace */

bool oc_has_events(const ocelotl_trace *trace, ocelotl_category category);

const char *oc_resource_type_name(const ocelotl_trace *trace, uint32_t resource);

/* Whether a resource has the states that cross those of the one above it. */
bool oc_is_lane(const ocelotl_trace *trace, uint32_t resource);

/* Whether a resource is called as that of the root container's own events is (formats/paje.md). */
bool oc_is_called_root(const ocelotl_trace *trace, uint32_t resource);

/* The container of a link: around its ends, of the type that such links are declared in. */
uint32_t oc_link_container(const ocelotl_trace *trace, const ocelotl_event *link);

/* --- What events carry */

/* A member of an object of JSON that has no others in it, as it is written. Texts begin behind
 * their opening quote and end before the closing one. */
typedef struct oc_member {
    const char *name, *value;
    size_t name_length, length;
} oc_member;

/* Finds the next member of an object, and passes it. */
bool oc_member_next(oc_member *found, const char **object);

/* What an event carries: names and texts, each ended by '\0'. Zero-initialised it is empty. */
typedef struct oc_carried_texts {
    oc_text text;
    struct {
        size_t name, text; /* where they begin in `text` */
    } * all;
    size_t count, capacity;
} oc_carried_texts;

static inline const char *oc_carried_name(const oc_carried_texts *carried, size_t i)
{
    return carried->text.bytes + carried->all[i].name;
}

static inline const char *oc_carried_text(const oc_carried_texts *carried, size_t i)
{
    return carried->text.bytes + carried->all[i].text;
}

/* Reads the attributes of an event as ocelotl_event has them; NULL for none. */
ocelotl_status oc_carried_texts_read(oc_carried_texts *carried, const char *attributes);
void oc_carried_texts_free(oc_carried_texts *carried);

/* --- Lines in the order of time; of links that arrive at one resource at one instant, in the order
 * in which they do */

/* Ranks of lines at one instant: containers begin before what happens in them, and end after it. */
#define OC_EXPORT_FIRST_RANK 0
#define OC_EXPORT_LAST_RANK  UINT32_MAX

typedef struct oc_export_lines oc_export_lines;

/* Begins lines. With a selection it reads where its links arrive; NULL: nobody asks. */
ocelotl_status oc_export_lines_open(oc_export_lines **lines, ocelotl_trace *trace,
                                    const ocelotl_selection *selection);

/* Adds a line, which is spent; with that where a link arrives, the link: of those that are alike in
 * their order. */
ocelotl_status oc_export_lines_add(oc_export_lines *lines, const oc_order *order, oc_text *line,
                                   const ocelotl_event *arrives);

/* Writes all lines; *left_out is how many links are not in the order in which they arrive, because
 * memory is bounded. */
ocelotl_status oc_export_lines_write(uint64_t *left_out, oc_export_lines *lines, oc_output *out);

/* NULL is allowed. */
void oc_export_lines_free(oc_export_lines *lines);

#endif
