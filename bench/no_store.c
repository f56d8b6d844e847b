/* A writer that drops every event, in place of the store's: what an import costs without the store.
 * It gives out identifiers and counts open states, which importers ask for. */
#include "base/memory.h"

#include <ocelotl/writer.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_EVENT_TYPES = 16 };

struct ocelotl_writer {
    uint32_t resource_types, resources, event_types, values, attributes;
    uint64_t links;
    uint32_t (*streams)[MOST_EVENT_TYPES][OCELOTL_ROLE_LINKS_IN + 1]; /* by resource, event type and
                                                                    role; 0: none, else one more */
    size_t capacity;
    uint32_t *open; /* states, by stream */
    size_t open_capacity;
    uint32_t stream_count;
};

ocelotl_status ocelotl_writer_open(ocelotl_writer **writer, const char *path,
                                   const ocelotl_writer_options *options)
{
    ocelotl_writer *made = calloc(1, sizeof *made);
    (void)path;
    (void)options;
    *writer = made;
    return made != NULL ? OCELOTL_OK : OCELOTL_ERROR_MEMORY;
}

ocelotl_status ocelotl_writer_file(ocelotl_writer *writer, const char *path, const char *stamp)
{
    (void)writer;
    (void)path;
    (void)stamp;
    return OCELOTL_OK;
}

void ocelotl_writer_free(ocelotl_writer *writer)
{
    if (writer != NULL) {
        free(writer->streams);
        free(writer->open);
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
    *type = writer->resource_types++;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_resource(uint32_t *resource, ocelotl_writer *writer, uint32_t type,
                                       uint32_t parent, const char *name, int64_t begin)
{
    ocelotl_writer *made = writer;
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
        if (writer->streams[resource][i][OCELOTL_ROLE_STATES] > 0)
            writer->open[writer->streams[resource][i][OCELOTL_ROLE_STATES] - 1] = 0;
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
    *type = writer->event_types++;
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
    *attribute = writer->attributes++;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_value(uint32_t *value, ocelotl_writer *writer, uint32_t event_type,
                                    const char *name, int32_t colour)
{
    (void)event_type;
    (void)name;
    (void)colour;
    *value = writer->values++;
    return OCELOTL_OK;
}

uint32_t ocelotl_writer_known_stream(const ocelotl_writer *writer, uint32_t resource,
                                     uint32_t event_type, ocelotl_role role)
{
    const ocelotl_writer *known = writer;
    return resource < known->resources && known->streams[resource][event_type][role] > 0
               ? known->streams[resource][event_type][role] - 1
               : OCELOTL_NONE;
}

/* Streams hold nothing. */
ocelotl_status ocelotl_writer_stream(uint32_t *index, ocelotl_writer *writer, uint32_t resource,
                                     uint32_t event_type, ocelotl_role role)
{
    *index = ocelotl_writer_known_stream(writer, resource, event_type, role);
    if (*index != OCELOTL_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&writer->open, &writer->open_capacity, writer->stream_count + (size_t)1,
                   sizeof *writer->open));
    *index = writer->stream_count++;
    writer->open[*index] = 0;
    writer->streams[resource][event_type][role] = *index + 1;
    return OCELOTL_OK;
}

uint32_t ocelotl_writer_stream_count(const ocelotl_writer *writer)
{
    return writer->stream_count;
}

uint32_t ocelotl_writer_stream_open_states(const ocelotl_writer *writer, uint32_t stream)
{
    return stream < writer->stream_count ? writer->open[stream] : 0;
}

void ocelotl_writer_expect(const ocelotl_writer *writer, uint32_t later, uint32_t soon)
{
    (void)writer;
    (void)later;
    (void)soon;
}

ocelotl_status ocelotl_writer_stream_push(ocelotl_writer *writer, uint32_t stream, uint32_t value,
                                          int64_t time, const ocelotl_attribute_value *attributes,
                                          size_t count)
{
    (void)value;
    (void)time;
    (void)attributes;
    (void)count;
    writer->open[stream]++;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_stream_pop(ocelotl_writer *writer, uint32_t stream, int64_t time,
                                         const ocelotl_attribute_value *attributes, size_t count)
{
    (void)time;
    (void)attributes;
    (void)count;
    writer->open[stream]--;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_stream_event(ocelotl_writer *writer, uint32_t stream, uint32_t value,
                                           int64_t time, const ocelotl_attribute_value *attributes,
                                           size_t count)
{
    (void)writer;
    (void)stream;
    (void)value;
    (void)time;
    (void)attributes;
    (void)count;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_stream_variable(ocelotl_writer *writer, uint32_t stream, int64_t time,
                                              double value,
                                              const ocelotl_attribute_value *attributes,
                                              size_t count)
{
    (void)writer;
    (void)stream;
    (void)time;
    (void)value;
    (void)attributes;
    (void)count;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_stream_link_begin(uint64_t *link, ocelotl_writer *writer,
                                                uint32_t stream, uint32_t value, int64_t time,
                                                const ocelotl_attribute_value *attributes,
                                                size_t count)
{
    (void)stream;
    (void)value;
    (void)time;
    (void)attributes;
    (void)count;
    *link = writer->links++;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_stream_link_end(ocelotl_writer *writer, uint64_t link,
                                              uint32_t stream, int64_t end,
                                              const ocelotl_attribute_value *attributes,
                                              size_t count)
{
    (void)writer;
    (void)link;
    (void)stream;
    (void)end;
    (void)attributes;
    (void)count;
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

uint32_t ocelotl_writer_event_type_count(const ocelotl_writer *writer)
{
    return writer->event_types;
}

uint32_t ocelotl_writer_value_count(const ocelotl_writer *writer, uint32_t event_type)
{
    (void)writer;
    (void)event_type;
    return 0;
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

/* What the importer of Paje traces does not call, and others do. */

ocelotl_status ocelotl_writer_unit(ocelotl_writer *writer, uint32_t event_type, const char *unit)
{
    (void)writer, (void)event_type, (void)unit;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_pop(ocelotl_writer *writer, uint32_t resource, uint32_t event_type,
                                  uint32_t depth, int64_t time,
                                  const ocelotl_attribute_value *attributes, size_t count)
{
    (void)writer, (void)resource, (void)event_type, (void)depth, (void)time;
    (void)attributes, (void)count;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_link_begin(uint64_t *link, ocelotl_writer *writer, uint32_t resource,
                                         uint32_t event_type, uint32_t value, int64_t time,
                                         const ocelotl_attribute_value *attributes, size_t count)
{
    (void)writer, (void)resource, (void)event_type, (void)value, (void)time;
    (void)attributes, (void)count;
    *link = 0;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_link_end(ocelotl_writer *writer, uint64_t link, uint32_t resource,
                                       int64_t end, const ocelotl_attribute_value *attributes,
                                       size_t count)
{
    (void)writer, (void)link, (void)resource, (void)end, (void)attributes, (void)count;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_origin(ocelotl_writer *writer, const char *origin)
{
    (void)writer;
    (void)origin;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_aligned(ocelotl_writer *writer, const char *file, const char *how)
{
    (void)writer, (void)file, (void)how;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_producer(ocelotl_writer *writer, const char *producer)
{
    (void)writer, (void)producer;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_source_kind(ocelotl_writer *writer, const char *kind,
                                          ocelotl_fate fate, uint64_t count, const char *why)
{
    (void)writer, (void)kind, (void)fate, (void)count, (void)why;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_push(ocelotl_writer *writer, uint32_t resource, uint32_t event_type,
                                   uint32_t value, int64_t time,
                                   const ocelotl_attribute_value *attributes, size_t count)
{
    (void)writer, (void)resource, (void)event_type, (void)value, (void)time;
    (void)attributes, (void)count;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_event(ocelotl_writer *writer, uint32_t resource, uint32_t event_type,
                                    uint32_t value, int64_t time,
                                    const ocelotl_attribute_value *attributes, size_t count)
{
    (void)writer, (void)resource, (void)event_type, (void)value, (void)time;
    (void)attributes, (void)count;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_variable(ocelotl_writer *writer, uint32_t resource,
                                       uint32_t event_type, int64_t time, double value,
                                       const ocelotl_attribute_value *attributes, size_t count)
{
    (void)writer, (void)resource, (void)event_type, (void)time, (void)value;
    (void)attributes, (void)count;
    return OCELOTL_OK;
}
