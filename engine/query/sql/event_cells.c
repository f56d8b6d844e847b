#include "query/sql/event_cells.h"

#include "base/map.h"

#include <string.h>

static oc_cell text_cell(const char *text)
{
    return (oc_cell){.kind = text != NULL ? OC_CELL_TEXT : OC_CELL_NULL, .text = text};
}

static oc_cell number_cell(double number)
{
    return (oc_cell){.kind = OC_CELL_NUMBER, .number = number};
}

static oc_cell integer_cell(int64_t integer)
{
    return (oc_cell){.kind = OC_CELL_INTEGER, .number = (double)integer, .integer = integer};
}

static oc_cell path_cell(const oc_catalogue *catalogue, uint32_t resource)
{
    return text_cell(resource != OCELOTL_NONE ? oc_catalogue_path(catalogue, resource) : NULL);
}

static oc_cell resource_type_cell(const ocelotl_trace *trace, const ocelotl_event *event)
{
    const uint32_t type = trace->resources[event->resource].type;
    return text_cell(type != OCELOTL_NONE ? trace->resource_types[type].name : NULL);
}

static oc_cell value_cell(const ocelotl_trace *trace, const ocelotl_event *event)
{
    if (event->category == OCELOTL_VARIABLE)
        return number_cell(event->number);
    return text_cell(event->value != OCELOTL_NONE ? trace->values[event->value].name : NULL);
}

/* Nobody knows how long a link with one end was in flight. */
static oc_cell duration_cell(const ocelotl_trace *trace, const ocelotl_event *event)
{
    if (event->category == OCELOTL_LINK &&
        (event->source == OCELOTL_NONE || event->target == OCELOTL_NONE))
        return text_cell(NULL);
    return number_cell(
        ocelotl_trace_seconds(trace, (int64_t)((uint64_t)event->end - (uint64_t)event->begin)));
}

oc_cell oc_event_cell(const ocelotl_event *event, int64_t row, oc_column column,
                      const oc_catalogue *catalogue)
{
    const ocelotl_trace *trace = catalogue->trace;
    switch (column) {
    case OC_COLUMN_ROW:
        return integer_cell(row);
    case OC_COLUMN_RESOURCE:
        return path_cell(catalogue, event->resource);
    case OC_COLUMN_RESOURCE_TYPE:
        return resource_type_cell(trace, event);
    case OC_COLUMN_CATEGORY:
        return text_cell(oc_category_name(event->category));
    case OC_COLUMN_TYPE:
        return text_cell(trace->event_types[event->event_type].name);
    case OC_COLUMN_VALUE:
        return value_cell(trace, event);
    case OC_COLUMN_BEGIN:
        return number_cell(ocelotl_trace_seconds(trace, event->begin));
    case OC_COLUMN_END:
        return number_cell(ocelotl_trace_seconds(trace, event->end));
    case OC_COLUMN_DURATION:
        return duration_cell(trace, event);
    case OC_COLUMN_DEPTH:
        return event->category == OCELOTL_STATE ? integer_cell(event->depth) : text_cell(NULL);
    case OC_COLUMN_SOURCE:
        return path_cell(catalogue, event->source);
    case OC_COLUMN_TARGET:
        return path_cell(catalogue, event->target);
    case OC_COLUMN_KEY:
        return text_cell(event->key);
    case OC_COLUMN_ATTRIBUTES:
        return text_cell(event->attributes);
    }
    return text_cell(NULL);
}

bool oc_column_is_number(oc_column column)
{
    return column == OC_COLUMN_ROW || column == OC_COLUMN_BEGIN || column == OC_COLUMN_END ||
           column == OC_COLUMN_DURATION || column == OC_COLUMN_DEPTH;
}

/* --- Hashes */

static uint64_t mix(const oc_hash_key *key, uint64_t hash, const void *bytes, size_t length)
{
    return oc_hash_numbers(key, hash, oc_hash_keyed(key, bytes, length));
}

/* All that SQL might read as a number is one in the column of values: there, it may compare texts
 * with numbers. */
static uint64_t mix_any_number(const oc_hash_key *key, uint64_t hash)
{
    return mix(key, hash, "", 1);
}

uint64_t oc_hash_text_cell(const oc_hash_key *key, uint64_t hash, oc_column column,
                           const char *text, size_t length)
{
    const bool like_number = length > 0 && strchr(" \t\n\v\f\r+-.0123456789", text[0]) != NULL;
    return column == OC_COLUMN_VALUE && like_number ? mix_any_number(key, hash)
                                                    : mix(key, hash, text, length);
}

uint64_t oc_hash_number_cell(const oc_hash_key *key, uint64_t hash, oc_column column, double number)
{
    const double positive = number + 0.0; /* of the two zeros one */
    return column == OC_COLUMN_VALUE ? mix_any_number(key, hash)
                                     : mix(key, hash, &positive, sizeof positive);
}
