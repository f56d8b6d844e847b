#include "query/constraints.h"

#include "base/memory.h"

#include <string.h>

#ifdef OC_SQLITE_EXTENSION
SQLITE_EXTENSION_INIT3
#endif

enum {
    RESOURCE_IS = 'r',
    RESOURCE_GLOB = 'g',
    RESOURCE_LIKE = 'l',
    CATEGORY_IS = 'c',
    TYPE_IS = 't',
    BEGINS_FROM = 'b',  /* begin >= or > */
    BEGINS_UNTIL = 'B', /* begin <= or < */
    BEGINS_AT = '=',
    ENDS_FROM = 'e',
    ENDS_UNTIL = 'E',
    ENDS_AT = '~'
};

static int time_kind(unsigned char operation, int from, int until, int at)
{
    if (operation == SQLITE_INDEX_CONSTRAINT_GT || operation == SQLITE_INDEX_CONSTRAINT_GE)
        return from;
    if (operation == SQLITE_INDEX_CONSTRAINT_LT || operation == SQLITE_INDEX_CONSTRAINT_LE)
        return until;
    return operation == SQLITE_INDEX_CONSTRAINT_EQ ? at : OC_CONSTRAINT_NONE;
}

static int name_kind(int column, unsigned char operation, bool binary)
{
    if (column == OC_COLUMN_RESOURCE && operation == SQLITE_INDEX_CONSTRAINT_GLOB)
        return RESOURCE_GLOB;
    if (column == OC_COLUMN_RESOURCE && operation == SQLITE_INDEX_CONSTRAINT_LIKE)
        return RESOURCE_LIKE;
    if (operation != SQLITE_INDEX_CONSTRAINT_EQ || !binary)
        return OC_CONSTRAINT_NONE;
    return column == OC_COLUMN_RESOURCE ? RESOURCE_IS : column == OC_COLUMN_CATEGORY ? CATEGORY_IS : TYPE_IS;
}

int oc_constraint_kind(int column, unsigned char operation, const char *collation)
{
    const bool binary = collation == NULL || strcmp(collation, "BINARY") == 0;
    switch (column) {
    case OC_COLUMN_RESOURCE:
    case OC_COLUMN_CATEGORY:
    case OC_COLUMN_TYPE:
        return name_kind(column, operation, binary);
    case OC_COLUMN_BEGIN:
        return time_kind(operation, BEGINS_FROM, BEGINS_UNTIL, BEGINS_AT);
    case OC_COLUMN_END:
        return time_kind(operation, ENDS_FROM, ENDS_UNTIL, ENDS_AT);
    default:
        return OC_CONSTRAINT_NONE;
    }
}

double oc_constraint_share(int kind, const ocelotl_trace *trace)
{
    switch (kind) {
    case RESOURCE_IS:
        return 1.0 / (1.0 + trace->resource_count);
    case RESOURCE_GLOB:
    case RESOURCE_LIKE:
        return 0.1;
    case CATEGORY_IS:
        return 0.5;
    case TYPE_IS:
        return 1.0 / (1.0 + trace->event_type_count);
    case BEGINS_AT:
    case ENDS_AT:
        return 0.01;
    default:
        return 0.3;
    }
}

/* --- Names */

static bool fits_resource(int kind, const char *wanted, const char *path)
{
    if (kind == RESOURCE_IS)
        return strcmp(path, wanted) == 0;
    return (kind == RESOURCE_GLOB ? sqlite3_strglob(wanted, path) : sqlite3_strlike(wanted, path, 0)) == 0;
}

static ocelotl_status narrow(bool **selected, uint32_t count)
{
    if (*selected != NULL)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(selected, count, sizeof **selected));
    if (count > 0)
        memset(*selected, true, count * sizeof **selected);
    return OCELOTL_OK;
}

static ocelotl_status select_resources(oc_selection *selection, int kind, const char *wanted,
                                       const oc_catalogue *catalogue)
{
    const uint32_t count = catalogue->trace->resource_count;
    OC_TRY(narrow(&selection->resources, count));
    for (uint32_t r = 0; r < count; r++)
        selection->resources[r] = selection->resources[r] && fits_resource(kind, wanted, catalogue->paths[r]);
    return OCELOTL_OK;
}

static ocelotl_status select_types(oc_selection *selection, int kind, const char *wanted,
                                   const ocelotl_trace *trace)
{
    OC_TRY(narrow(&selection->event_types, trace->event_type_count));
    for (uint32_t t = 0; t < trace->event_type_count; t++) {
        const ocelotl_event_type *type = &trace->event_types[t];
        const char *name = kind == TYPE_IS ? type->name : oc_category_name(type->category);
        selection->event_types[t] = selection->event_types[t] && strcmp(name, wanted) == 0;
    }
    return OCELOTL_OK;
}

static bool is_name(int kind)
{
    return kind == RESOURCE_IS || kind == RESOURCE_GLOB || kind == RESOURCE_LIKE || kind == CATEGORY_IS ||
           kind == TYPE_IS;
}

/* --- Times */

static void from_tick(oc_selection *selection, int64_t tick)
{
    if (tick > selection->from)
        selection->from = tick;
}

static void until_tick(int64_t *until, int64_t tick)
{
    if (tick < *until)
        *until = tick;
}

/* What begins after an instant ends after it as well, and the other way round; but not links, which may end before
 * they begin: those stand at their beginning. */
static void select_times(oc_selection *selection, int kind, double seconds, const ocelotl_trace *trace)
{
    const int64_t first = ocelotl_trace_first_tick(trace, seconds);
    const int64_t last = ocelotl_trace_last_tick(trace, seconds);
    if (kind == BEGINS_FROM || kind == BEGINS_AT || kind == ENDS_FROM || kind == ENDS_AT)
        from_tick(selection, first);
    if (kind == BEGINS_UNTIL || kind == BEGINS_AT || kind == ENDS_UNTIL || kind == ENDS_AT)
        until_tick(&selection->to, last);
    if (kind == BEGINS_UNTIL || kind == BEGINS_AT)
        until_tick(&selection->links_to, last);
}

ocelotl_status oc_constraint_apply(oc_selection *selection, int kind, sqlite3_value *value,
                                   const oc_catalogue *catalogue)
{
    const int type = is_name(kind) ? sqlite3_value_type(value) : sqlite3_value_numeric_type(value);
    if (is_name(kind)) {
        const char *wanted = type == SQLITE_TEXT ? (const char *)sqlite3_value_text(value) : NULL;
        if (wanted == NULL)
            return OCELOTL_OK;
        return kind == CATEGORY_IS || kind == TYPE_IS ? select_types(selection, kind, wanted, catalogue->trace)
                                                      : select_resources(selection, kind, wanted, catalogue);
    }
    if (type == SQLITE_INTEGER || type == SQLITE_FLOAT)
        select_times(selection, kind, sqlite3_value_double(value), catalogue->trace);
    return OCELOTL_OK;
}
