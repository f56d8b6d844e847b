/* Violations as a trace of their own: an instant at the receiver of each. */
#include "quality/links.h"

#include "base/memory.h"
#include "base/text.h"
#include "store/copy/copying.h"

#include <stdlib.h>
#include <string.h>

/* A trace.db while it is written; all lists are by index of the trace. */
typedef struct marking {
    ocelotl_writer *writer;
    const ocelotl_causality *causality;
    uint32_t *types, *resources;
    uint32_t *marks; /* by resource type: the event type, OCELOTL_NONE: none yet */
} marking;

enum { AMOUNT, SENDER, LINK };

static ocelotl_status declare_resources(marking *m)
{
    const ocelotl_trace *trace = m->causality->trace;
    OC_TRY(oc_allocate(&m->types, trace->resource_type_count, sizeof *m->types));
    OC_TRY(oc_allocate(&m->resources, trace->resource_count, sizeof *m->resources));
    OC_TRY(oc_allocate(&m->marks, trace->resource_type_count, sizeof *m->marks));
    for (uint32_t t = 0; t < trace->resource_type_count; t++) {
        const uint32_t parent = trace->resource_types[t].parent;
        m->marks[t] = OCELOTL_NONE;
        OC_TRY(ocelotl_writer_resource_type(&m->types[t], m->writer,
                                            parent != OCELOTL_ROOT ? m->types[parent] : parent,
                                            trace->resource_types[t].name));
    }
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        const ocelotl_resource *is = &trace->resources[r];
        if (is->type == OCELOTL_NONE)
            return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: a resource without a type",
                           trace->path);
        OC_TRY(ocelotl_writer_resource(&m->resources[r], m->writer, m->types[is->type],
                                       is->parent != OCELOTL_ROOT ? m->resources[is->parent]
                                                                  : OCELOTL_ROOT,
                                       is->name, is->begin));
    }
    return OCELOTL_OK;
}

/* The event type of a type of receivers, with a value for each kind, in their order. */
static ocelotl_status declare_mark(uint32_t *mark, const marking *m, uint32_t type)
{
    static const char *const attributes[] = {"amount", "sender", "link"};
    uint32_t number;
    *mark = m->marks[type];
    if (*mark != OCELOTL_NONE)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_event_type(mark, m->writer, OCELOTL_EVENT, m->types[type],
                                     "clock violation", 0xB42318));
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
        OC_TRY(ocelotl_writer_attribute(&number, m->writer, *mark, attributes[i]));
    m->marks[type] = *mark;
    return OCELOTL_OK;
}

static ocelotl_status write_mark(const marking *m, const ocelotl_violation *is, uint32_t *values)
{
    const ocelotl_trace *trace = m->causality->trace;
    const uint32_t type = trace->resources[is->target].type;
    const char *name = trace->event_types[is->event_type].name;
    oc_text amount = {0};
    oc_text sender = {0};
    uint32_t mark;
    OC_TRY(declare_mark(&mark, m, type));
    uint32_t *value = &values[(size_t)type * OCELOTL_VIOLATION_KINDS + (size_t)is->kind];
    if (*value == OCELOTL_NONE)
        OC_TRY(ocelotl_writer_value(value, m->writer, mark, ocelotl_violation_kind_name(is->kind),
                                    -1));
    oc_text_format(&amount, "%.9g", ocelotl_trace_seconds(trace, is->amount));
    oc_text_add(&sender, oc_path_of(&m->causality->catalogue.paths, is->source));
    const ocelotl_attribute_value carried[] = {{AMOUNT, amount.bytes, amount.length},
                                               {SENDER, sender.bytes, sender.length},
                                               {LINK, name, strlen(name)}};
    const ocelotl_status status =
        amount.failed || sender.failed
            ? oc_fail_memory()
            : ocelotl_writer_event(m->writer, m->resources[is->target], mark, *value, is->end,
                                   carried, sizeof carried / sizeof carried[0]);
    oc_text_free(&amount);
    oc_text_free(&sender);
    return status;
}

static ocelotl_status write_trace(marking *m, const char *path, const char *name, bool overwrite)
{
    const ocelotl_trace *trace = m->causality->trace;
    ocelotl_writer_options options = oc_copy_options(m->causality->trace);
    options.format = "causality";
    options.overwrite = overwrite;
    OC_TRY(oc_copy_open(&m->writer, path, options, name, "violations of causality"));
    OC_TRY(declare_resources(m));
    const ocelotl_causality *c = m->causality;
    const size_t count = (size_t)c->trace->resource_type_count * OCELOTL_VIOLATION_KINDS;
    uint32_t *values = NULL;
    ocelotl_status status = OCELOTL_OK;
    OC_TRY(oc_allocate(&values, count, sizeof *values));
    for (size_t i = 0; i < count; i++)
        values[i] = OCELOTL_NONE;
    for (size_t i = 0; i < c->violation_count && status == OCELOTL_OK; i++)
        status = write_mark(m, &c->violations[i], values);
    free(values);
    OC_TRY(status);
    for (uint32_t r = 0; r < trace->resource_count; r++)
        OC_TRY(ocelotl_writer_resource_end(m->writer, m->resources[r], trace->resources[r].end));
    return ocelotl_writer_finish(m->writer);
}

ocelotl_status ocelotl_causality_derive(const char *path, const ocelotl_causality *causality,
                                        const char *name, bool overwrite)
{
    marking m = {.causality = causality};
    const ocelotl_status status = write_trace(&m, path, name, overwrite);
    ocelotl_writer_free(m.writer);
    free(m.types);
    free(m.resources);
    free(m.marks);
    return status;
}
