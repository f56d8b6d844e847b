/* Who owns locks: states of each lock, made of what acquires and releases it. */
#include "base/file/ordering.h"
#include "base/format/json_scan.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/options.h"
#include "quality/derive.h"

#include <ocelotl/query.h>

#include <stdlib.h>
#include <string.h>

typedef struct lock {
    uint32_t resource; /* of the new trace */
    uint32_t *owners;  /* resources, the innermost last */
    size_t count, capacity;
    uint32_t early; /* released what it did not own, and 1 more, unless it acquires it then, */
    int64_t early_time;
} lock;

typedef struct owners {
    ocelotl_trace *trace;
    const char *name; /* of links, or of the attribute that names locks */
    const ocelotl_work *work;
    ocelotl_writer *writer;
    ocelotl_events *events;
    oc_ordering *ordering;
    oc_text text; /* scratch */
    uint64_t unknown;
    oc_map numbers; /* of locks by name */
    lock *locks;
    size_t lock_count, lock_capacity;
    uint32_t *values; /* by resource, and 1 more; 0: it has owned nothing yet */
    uint32_t resource_type, type;
} owners;

/* --- What acquires and releases */

static const char *const acquiring[] = {"*_acq", "*acquire*", "P"};
static const char *const releasing[] = {"*unlock*", "*release*", "V"};
static const ocelotl_names acquires = {acquiring, sizeof acquiring / sizeof *acquiring};
static const ocelotl_names releases = {releasing, sizeof releasing / sizeof *releasing};

/* Appends the lock that an event is of; nothing where it names none. */
static void add_lock(oc_text *text, const owners *of, const ocelotl_event *event)
{
    const char *type = ocelotl_trace_event_type_at(of->trace, event->event_type).name;
    const char *value = oc_json_find(event->attributes, of->name);
    if (event->category == OCELOTL_LINK && strcmp(type, of->name) == 0) {
        oc_text_add(text, event->value != OCELOTL_NONE
                              ? ocelotl_trace_value_at(of->trace, event->value).name
                              : type);
    } else if (value != NULL) {
        const bool quoted = *value == '"';
        size_t length = 0;
        for (value += quoted; strchr(quoted ? "\"" : ",}", value[length]) == NULL; length++)
            length += value[length] == '\\';
        oc_json_decode_item(text, &(oc_json_item){value, length, '"', true});
    }
}

/* Finds the lock that the text names. */
static ocelotl_status find_lock(uint32_t *number, owners *of)
{
    const oc_text *name = &of->text;
    *number = oc_map_get(&of->numbers, name->bytes, name->length);
    if (*number != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&of->locks, &of->lock_capacity, of->lock_count + 1, sizeof *of->locks));
    *number = (uint32_t)of->lock_count++;
    of->locks[*number] = (lock){0};
    OC_TRY(oc_map_set(&of->numbers, name->bytes, name->length, *number));
    return ocelotl_writer_resource(&of->locks[*number].resource, of->writer, of->resource_type,
                                   OCELOTL_ROOT, name->bytes,
                                   ocelotl_trace_info_of(of->trace).begin);
}

/* What is released at an instant can be acquired then. */
static ocelotl_status add_step(owners *of, int64_t time, uint32_t resource, bool acquired)
{
    uint32_t number;
    if (resource == OCELOTL_NONE)
        return OCELOTL_OK;
    OC_TRY(find_lock(&number, of));
    return oc_ordering_add(of->ordering,
                           &(oc_order){time, (uint64_t)number << 32 | resource, acquired}, "", 0);
}

static ocelotl_status read_event(owners *of, const ocelotl_event *event)
{
    oc_text_clear(&of->text);
    add_lock(&of->text, of, event);
    if (of->text.failed)
        return oc_fail_memory();
    if (of->text.length == 0)
        return OCELOTL_OK;
    if (event->category == OCELOTL_LINK) {
        OC_TRY(add_step(of, event->begin, event->source, false));
        return add_step(of, event->end, event->target, true);
    }
    const char *name = event->value != OCELOTL_NONE
                           ? ocelotl_trace_value_at(of->trace, event->value).name
                           : ocelotl_trace_event_type_at(of->trace, event->event_type).name;
    if (oc_patterns_match(&acquires, name))
        return add_step(of, event->end, event->resource, true);
    return oc_patterns_match(&releases, name) ? add_step(of, event->begin, event->resource, false)
                                              : OCELOTL_OK;
}

/* --- Who owns what */

static ocelotl_status end_owner(const owners *of, lock *is, size_t at, int64_t time)
{
    is->count--;
    memmove(is->owners + at, is->owners + at + 1, (is->count - at) * sizeof *is->owners);
    return ocelotl_writer_pop(of->writer, is->resource, of->type, (uint32_t)(is->count - at), time,
                              NULL, 0);
}

/* Lets who did not own it release what was owned first. */
static ocelotl_status release_early(owners *of, lock *is)
{
    const bool any = is->early > 0;
    is->early = 0;
    of->unknown += any && is->count == 0;
    return any && is->count > 0 ? end_owner(of, is, 0, is->early_time) : OCELOTL_OK;
}

/* What is acquired and released at one instant is owned at none. */
static ocelotl_status acquire(owners *of, lock *is, uint32_t resource, int64_t time)
{
    uint32_t *value = &of->values[resource];
    if (is->early == resource + 1) {
        is->early = 0;
        return OCELOTL_OK;
    }
    if (*value == 0) {
        OC_TRY(ocelotl_writer_value(value, of->writer, of->type,
                                    ocelotl_events_path(of->events, resource), -1));
        ++*value;
    }
    OC_TRY(oc_grow(&is->owners, &is->capacity, is->count + 1, sizeof *is->owners));
    is->owners[is->count++] = resource;
    return ocelotl_writer_push(of->writer, is->resource, of->type, *value - 1, time, NULL, 0);
}

static ocelotl_status release(owners *of, lock *is, uint32_t resource, int64_t time)
{
    for (size_t at = is->count; at-- > 0;)
        if (is->owners[at] == resource)
            return end_owner(of, is, at, time);
    OC_TRY(release_early(of, is));
    is->early = resource + 1;
    is->early_time = time;
    return OCELOTL_OK;
}

static ocelotl_status write_all(owners *of)
{
    const char *bytes = NULL;
    oc_order order;
    size_t length;
    do {
        OC_TRY(oc_ordering_next(&order, &bytes, &length, of->ordering));
        lock *is = &of->locks[bytes != NULL ? order.place >> 32 : 0];
        if (bytes != NULL && is->early_time != order.time)
            OC_TRY(release_early(of, is));
        if (bytes != NULL)
            OC_TRY((order.rank > 0 ? acquire : release)(of, is, (uint32_t)order.place, order.time));
    } while (bytes != NULL);
    for (size_t i = 0; i < of->lock_count; i++)
        OC_TRY(release_early(of, &of->locks[i]));
    return of->unknown == 0
               ? OCELOTL_OK
               : ocelotl_writer_warning(of->writer, "release of a lock that nobody is known to own",
                                        of->unknown, "");
}

static ocelotl_status add_owners(void *context, ocelotl_writer *writer)
{
    owners *of = context;
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    ocelotl_event event;
    bool found = true;
    of->writer = writer;
    options.work = *of->work;
    OC_TRY(ocelotl_writer_resource_type(&of->resource_type, writer, OCELOTL_ROOT, of->name));
    OC_TRY(ocelotl_writer_event_type(&of->type, writer, OCELOTL_STATE, of->resource_type, "owner",
                                     -1));
    OC_TRY(oc_allocate(&of->values, ocelotl_trace_resource_count(of->trace), sizeof *of->values));
    OC_TRY(oc_ordering_open(&of->ordering, (size_t)64 << 20));
    OC_TRY(ocelotl_events_open(&of->events, of->trace, &options));
    while (found) {
        OC_TRY(ocelotl_events_next(&found, &event, of->events));
        if (found)
            OC_TRY(read_event(of, &event));
    }
    OC_TRY(oc_ordering_finish(of->ordering));
    return of->lock_count > 0
               ? write_all(of)
               : oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "%s: nothing acquires or releases a \"%s\", expected the name of links "
                         "from who releases to who acquires, or an attribute of such links, or of "
                         "events called *acquire*, *_acq or P, and *release*, *unlock* or V",
                         ocelotl_trace_info_of(of->trace).name, of->name);
}

ocelotl_status ocelotl_trace_derive_owners(const char *target, ocelotl_trace *trace,
                                           const char *name, const ocelotl_derive_options *given)
{
    owners of = {.trace = trace, .name = name, .work = &given->work};
    ocelotl_derive_options options = *given;
    options.add = add_owners;
    options.context = &of;
    options.derivation = "owners of locks as states";
    const ocelotl_status status = ocelotl_trace_derive(target, trace, &options);
    for (size_t i = 0; i < of.lock_count; i++)
        free(of.locks[i].owners);
    free(of.locks);
    free(of.values);
    oc_map_free(&of.numbers);
    oc_text_free(&of.text);
    oc_ordering_free(of.ordering);
    ocelotl_events_free(of.events);
    return status;
}
