/* A writer that drops every event, in place of the store's: what an import costs without the store. It gives out
 * identifiers and counts open states, which importers ask for. */
#include "store/writer.h"

#include <stdlib.h>

enum { MOST_EVENT_TYPES = 64 };

typedef struct dropped {
    ocelotl_writer unused; /* so that it is one */
    uint32_t resource_types, resources, event_types, values, attributes;
    uint64_t links;
    uint32_t (*open)[MOST_EVENT_TYPES]; /* states, by resource and event type */
    size_t capacity;
} dropped;

static dropped *of(ocelotl_writer *writer)
{
    return (dropped *)writer;
}

ocelotl_status ocelotl_writer_open(ocelotl_writer **writer, const char *path, const ocelotl_writer_options *options)
{
    dropped *made = calloc(1, sizeof *made);
    (void)path;
    (void)options;
    *writer = made != NULL ? &made->unused : NULL;
    return made != NULL ? OCELOTL_OK : OCELOTL_ERROR_MEMORY;
}

void ocelotl_writer_free(ocelotl_writer *writer)
{
    if (writer != NULL)
        free(of(writer)->open);
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

ocelotl_status ocelotl_writer_resource(uint32_t *resource, ocelotl_writer *writer, uint32_t type, uint32_t parent,
                                       const char *name, int64_t begin)
{
    dropped *made = of(writer);
    (void)type;
    (void)parent;
    (void)name;
    (void)begin;
    if (made->resources == made->capacity) {
        made->capacity = made->capacity * 2 + 64;
        made->open = realloc(made->open, made->capacity * sizeof *made->open);
        if (made->open == NULL)
            abort();
    }
    for (size_t i = 0; i < MOST_EVENT_TYPES; i++)
        made->open[made->resources][i] = 0;
    *resource = made->resources++;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_resource_note(ocelotl_writer *writer, uint32_t resource, const char *name,
                                            const char *text)
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
    for (size_t i = 0; i < MOST_EVENT_TYPES; i++)
        of(writer)->open[resource][i] = 0;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_event_type(uint32_t *type, ocelotl_writer *writer, ocelotl_category category,
                                         uint32_t resource_type, const char *name, int32_t colour)
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
ocelotl_status ocelotl_writer_attribute(uint32_t *attribute, ocelotl_writer *writer, uint32_t event_type,
                                        const char *name)
{
    (void)event_type;
    (void)name;
    *attribute = of(writer)->attributes++;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_value(uint32_t *value, ocelotl_writer *writer, uint32_t event_type, const char *name,
                                    int32_t colour)
{
    (void)event_type;
    (void)name;
    (void)colour;
    *value = of(writer)->values++;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_push(ocelotl_writer *writer, uint32_t resource, uint32_t event_type, uint32_t value,
                                   int64_t time, const ocelotl_attribute_value *attributes, size_t count)
{
    (void)value;
    (void)time;
    (void)attributes;
    (void)count;
    of(writer)->open[resource][event_type]++;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_pop(ocelotl_writer *writer, uint32_t resource, uint32_t event_type, uint32_t depth,
                                  int64_t time)
{
    (void)depth;
    (void)time;
    of(writer)->open[resource][event_type]--;
    return OCELOTL_OK;
}

uint32_t ocelotl_writer_open_states(const ocelotl_writer *writer, uint32_t resource, uint32_t event_type)
{
    const dropped *known = (const dropped *)writer;
    return resource < known->resources ? known->open[resource][event_type] : 0;
}

ocelotl_status ocelotl_writer_event(ocelotl_writer *writer, uint32_t resource, uint32_t event_type, uint32_t value,
                                    int64_t time, const ocelotl_attribute_value *attributes, size_t count)
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

ocelotl_status ocelotl_writer_variable(ocelotl_writer *writer, uint32_t resource, uint32_t event_type, int64_t time,
                                       double value, const ocelotl_attribute_value *attributes, size_t count)
{
    (void)writer;
    (void)resource;
    (void)event_type;
    (void)time;
    (void)value;
    (void)attributes;
    (void)count;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_link_begin(uint64_t *link, ocelotl_writer *writer, uint32_t resource,
                                         uint32_t event_type, uint32_t value, int64_t time,
                                         const ocelotl_attribute_value *attributes, size_t count)
{
    (void)resource;
    (void)event_type;
    (void)value;
    (void)time;
    (void)attributes;
    (void)count;
    *link = of(writer)->links++;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_link_end(ocelotl_writer *writer, uint64_t link, uint32_t resource, int64_t end,
                                       const ocelotl_attribute_value *attributes, size_t count)
{
    (void)writer;
    (void)link;
    (void)resource;
    (void)end;
    (void)attributes;
    (void)count;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_link_orphan(ocelotl_writer *writer, uint32_t resource, uint32_t event_type,
                                          uint32_t value, int64_t time, const ocelotl_attribute_value *attributes,
                                          size_t count)
{
    return ocelotl_writer_event(writer, resource, event_type, value, time, attributes, count);
}

ocelotl_status ocelotl_writer_warning(ocelotl_writer *writer, const char *kind, uint64_t count, const char *detail)
{
    (void)writer;
    (void)kind;
    (void)count;
    (void)detail;
    return OCELOTL_OK;
}

/* There is no memory to ask for. */
uint32_t oc_writer_expect(const ocelotl_writer *writer, uint32_t resource, uint32_t event_type, oc_role role)
{
    (void)writer;
    (void)resource;
    (void)event_type;
    (void)role;
    return OCELOTL_NONE;
}

void oc_writer_expect_soon(const ocelotl_writer *writer, uint32_t stream)
{
    (void)writer;
    (void)stream;
}

void oc_writer_expect_now(ocelotl_writer *writer, uint32_t stream)
{
    (void)writer;
    (void)stream;
}
