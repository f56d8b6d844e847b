/* What the writers of events in the formats of other tools share: the walk over the events, what
 * they carry, and the account of what a format cannot say. */
#ifndef OC_ANSWER_EXPORT_H
#define OC_ANSWER_EXPORT_H

#include "base/exact.h"
#include "base/sink.h"

#include <ocelotl/export.h>

/* What is sorted in memory; more goes through a file. */
#define OC_EXPORT_MEMORY ((size_t)64 << 20)

/* The steps of a format. Each is given what the format knows; NULL: nothing is to be done. */
typedef struct oc_export_steps {
    ocelotl_status (*open)(void *to); /* the first event has been asked for */
    ocelotl_status (*event)(void *to, const ocelotl_event *event);
    ocelotl_status (*close)(void *to); /* all events have been given */
    void (*free)(void *to);            /* in any case */
} oc_export_steps;

/* Gives all events to a format, and ends its output. The first event is asked for before anything
 * is written: what cannot be read leaves no part. */
ocelotl_status oc_export_events(oc_output *out, ocelotl_events *events, ocelotl_losses *losses,
                                const oc_export_steps *steps, void *to);

/* --- What a format cannot say */

/* Counts more of a kind; `what` lasts for ever. */
void oc_lose(ocelotl_losses *losses, const char *what, uint64_t count);

/* Counts what the trace says of variables, of tick 0 (where `origin` is set), and of its clock. */
void oc_lose_clock(ocelotl_losses *losses, const ocelotl_trace *trace, const oc_exact *clock,
                   bool origin);

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

#endif
