/* A writer that drops every event, in place of the store's: what an import costs without the store.
 * It gives out identifiers and counts open states, which importers ask for. */
#include "store/write/writer.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EVENT_TYPES = 16 };

typedef struct dropped {
    ocelotl_writer unused; /* so that it is one */
    uint32_t resource_types, resources, event_types, values, attributes;
    uint64_t links;
    uint32_t (*streams)[MOST_EVENT_TYPES][OC_ROLE_LINKS_IN + 1]; /* by resource, event type and
                                                                    role; 0: none, else one more */
    size_t capacity, stream_capacity;
    uint32_t *open; /* states, by stream */
    size_t open_capacity;
} dropped;

static dropped *of(ocelotl_writer *writer)
{
    return (dropped *)writer;
}

ocelotl_status ocelotl_writer_open(ocelotl_writer **writer, const char *path,
                                   const ocelotl_writer_options *options)
{
    dropped *made = calloc(1, sizeof *made);
    (void)path;
    (void)options;
    *writer = made != NULL ? &made->unused : NULL;
    return made != NULL ? OCELOTL_OK : OCELOTL_ERROR_MEMORY;
}

void ocelotl_writer_free(ocelotl_writer *writer)
{
    if (writer != NULL) {
        free(of(writer)->streams);
        free(of(writer)->open);
        free(writer->streams);
    }
    free(writer);
}

ocelotl_status ocelotl_writer_finish(ocelotl_writer *writer)
{
    (void)writer;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_refine(ocelotl_writer *writer, uint64_t factor)
{
    (void)writer;
    (void)factor;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_resource_type(uint32_t *type, ocelotl_writer *writer, uint32_t parent,
                                            const char *name)
{
    (void)parent;
    (void)name;
    *type = of(writer)->resource_types++;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_resource(uint32_t *resource, ocelotl_writer *writer, uint32_t type,
                                       uint32_t parent, const char *name, int64_t begin)
{
    dropped *made = of(writer);
    (void)type;
    (void)parent;
    (void)name;
    (void)begin;
    OC_TRY(oc_grow(&made->streams, &made->capacity, made->resources + 1, sizeof *made->streams));
    memset(made->streams[made->resources], 0, sizeof *made->streams);
    *resource = made->resources++;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_resource_note(ocelotl_writer *writer, uint32_t resource,
                                            const char *name, const char *text)
{
    (void)writer;
    (void)resource;
    (void)name;
    (void)text;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_resource_end(ocelotl_writer *writer, uint32_t resource, int64_t end)
{
    (void)end;
    for (uint32_t i = 0; i < MOST_EVENT_TYPES; i++)
        if (of(writer)->streams[resource][i][OC_ROLE_STATES] > 0)
            of(writer)->open[of(writer)->streams[resource][i][OC_ROLE_STATES] - 1] = 0;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_event_type(uint32_t *type, ocelotl_writer *writer,
                                         ocelotl_category category, uint32_t resource_type,
                                         const char *name, int32_t colour)
{
    (void)category;
    (void)resource_type;
    (void)name;
    (void)colour;
    *type = of(writer)->event_types++;
    if (*type >= MOST_EVENT_TYPES)
        abort();
    return OCELOTL_OK;
}

/* What is unique within the writer is unique within the event type. */
ocelotl_status ocelotl_writer_attribute(uint32_t *attribute, ocelotl_writer *writer,
                                        uint32_t event_type, const char *name)
{
    (void)event_type;
    (void)name;
    *attribute = of(writer)->attributes++;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_value(uint32_t *value, ocelotl_writer *writer, uint32_t event_type,
                                    const char *name, int32_t colour)
{
    (void)event_type;
    (void)name;
    (void)colour;
    *value = of(writer)->values++;
    return OCELOTL_OK;
}

uint32_t oc_writer_known_stream(const ocelotl_writer *writer, uint32_t resource,
                                uint32_t event_type, oc_role role)
{
    const dropped *known = (const dropped *)writer;
    return resource < known->resources && known->streams[resource][event_type][role] > 0
               ? known->streams[resource][event_type][role] - 1
               : OCELOTL_NONE;
}

/* Streams are there to be asked for by those who expect events, and hold nothing. */
ocelotl_status oc_writer_find_stream(uint32_t *index, ocelotl_writer *writer, uint32_t resource,
                                     uint32_t event_type, oc_role role)
{
    dropped *made = of(writer);
    *index = oc_writer_known_stream(writer, resource, event_type, role);
    if (*index != OCELOTL_NONE)
        return OCELOTL_OK;
    const size_t count = writer->stream_count + (size_t)1;
    OC_TRY(oc_grow(&writer->streams, &made->stream_capacity, count, sizeof *writer->streams));
    OC_TRY(oc_grow(&made->open, &made->open_capacity, count, sizeof *made->open));
    *index = (uint32_t)writer->stream_count++;
    memset(&writer->streams[*index], 0, sizeof *writer->streams);
    made->open[*index] = 0;
    made->streams[resource][event_type][role] = *index + 1;
    return OCELOTL_OK;
}

ocelotl_status oc_writer_check_bound(const ocelotl_writer *writer, int64_t time)
{
    (void)writer;
    (void)time;
    return OCELOTL_OK;
}

ocelotl_status oc_writer_push(ocelotl_writer *writer, uint32_t stream, uint32_t value, int64_t time,
                              const oc_writer_attributes *attributes)
{
    (void)value;
    (void)time;
    (void)attributes;
    of(writer)->open[stream]++;
    return OCELOTL_OK;
}

ocelotl_status oc_writer_pop(ocelotl_writer *writer, uint32_t stream, int64_t time)
{
    (void)time;
    of(writer)->open[stream]--;
    return OCELOTL_OK;
}

uint32_t ocelotl_writer_open_states(const ocelotl_writer *writer, uint32_t resource,
                                    uint32_t event_type)
{
    const uint32_t stream = oc_writer_known_stream(writer, resource, event_type, OC_ROLE_STATES);
    return stream != OCELOTL_NONE ? ((const dropped *)writer)->open[stream] : 0;
}

ocelotl_status oc_writer_event(ocelotl_writer *writer, uint32_t stream, uint32_t value,
                               int64_t time, const oc_writer_attributes *attributes)
{
    (void)writer;
    (void)stream;
    (void)value;
    (void)time;
    (void)attributes;
    return OCELOTL_OK;
}

ocelotl_status oc_writer_variable(ocelotl_writer *writer, uint32_t stream, int64_t time,
                                  double value, const oc_writer_attributes *attributes)
{
    (void)writer;
    (void)stream;
    (void)time;
    (void)value;
    (void)attributes;
    return OCELOTL_OK;
}

ocelotl_status oc_writer_link_begin(uint64_t *link, ocelotl_writer *writer, uint32_t source,
                                    uint32_t value, int64_t time,
                                    const oc_writer_attributes *attributes)
{
    (void)source;
    (void)value;
    (void)time;
    (void)attributes;
    *link = of(writer)->links++;
    return OCELOTL_OK;
}

ocelotl_status oc_writer_link_end(ocelotl_writer *writer, uint64_t link, uint32_t target,
                                  int64_t end, const oc_writer_attributes *attributes)
{
    (void)writer;
    (void)link;
    (void)target;
    (void)end;
    (void)attributes;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_link_orphan(ocelotl_writer *writer, uint32_t resource,
                                          uint32_t event_type, uint32_t value, int64_t time,
                                          const ocelotl_attribute_value *attributes, size_t count)
{
    (void)writer;
    (void)resource;
    (void)event_type;
    (void)value;
    (void)time;
    (void)attributes;
    (void)count;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_warning(ocelotl_writer *writer, const char *kind, uint64_t count,
                                      const char *detail)
{
    (void)writer;
    (void)kind;
    (void)count;
    (void)detail;
    return OCELOTL_OK;
}
