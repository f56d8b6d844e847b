#include "query/sql/events_table.h"

#include "base/memory.h"
#include "base/options.h"

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
    ENDS_AT = '~',
    ROW_IS = 'i',
    RESOURCE_TYPE_IS = 'y',
    VALUE_IS = 'v',
    DURATION_IS = 'd',
    DEPTH_IS = 'n',
    SOURCE_IS = 's',
    TARGET_IS = 'o',
    KEY_IS = 'k',
    ATTRIBUTES_ARE = 'a'
};

static const struct {
    oc_column column;
    char kind;
    bool equality, narrows;
} kinds[] = {
    {OC_COLUMN_RESOURCE, RESOURCE_IS, true, true},
    {OC_COLUMN_CATEGORY, CATEGORY_IS, true, true},
    {OC_COLUMN_TYPE, TYPE_IS, true, true},
    {OC_COLUMN_BEGIN, BEGINS_AT, true, true},
    {OC_COLUMN_END, ENDS_AT, true, true},
    {OC_COLUMN_ROW, ROW_IS, true, false},
    {OC_COLUMN_RESOURCE_TYPE, RESOURCE_TYPE_IS, true, false},
    {OC_COLUMN_VALUE, VALUE_IS, true, false},
    {OC_COLUMN_DURATION, DURATION_IS, true, false},
    {OC_COLUMN_DEPTH, DEPTH_IS, true, false},
    {OC_COLUMN_SOURCE, SOURCE_IS, true, false},
    {OC_COLUMN_TARGET, TARGET_IS, true, false},
    {OC_COLUMN_KEY, KEY_IS, true, false},
    {OC_COLUMN_ATTRIBUTES, ATTRIBUTES_ARE, true, false},
    {OC_COLUMN_RESOURCE, RESOURCE_GLOB, false, true},
    {OC_COLUMN_RESOURCE, RESOURCE_LIKE, false, true},
    {OC_COLUMN_BEGIN, BEGINS_FROM, false, true},
    {OC_COLUMN_BEGIN, BEGINS_UNTIL, false, true},
    {OC_COLUMN_END, ENDS_FROM, false, true},
    {OC_COLUMN_END, ENDS_UNTIL, false, true},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static int equality_kind(int column)
{
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i].equality && (int)kinds[i].column == column)
            return kinds[i].kind;
    return OC_CONSTRAINT_NONE;
}

static size_t find_kind(int kind)
{
    size_t i = 0;
    while (i + 1 < KINDS && kinds[i].kind != kind)
        i++;
    return i;
}

oc_column oc_constraint_column(int kind)
{
    return kinds[find_kind(kind)].column;
}

bool oc_constraint_is_equality(int kind)
{
    return kinds[find_kind(kind)].equality;
}

bool oc_constraint_narrows(int kind)
{
    return kinds[find_kind(kind)].narrows;
}

static int time_kind(unsigned char operation, int from, int until)
{
    if (operation == SQLITE_INDEX_CONSTRAINT_GT || operation == SQLITE_INDEX_CONSTRAINT_GE)
        return from;
    if (operation == SQLITE_INDEX_CONSTRAINT_LT || operation == SQLITE_INDEX_CONSTRAINT_LE)
        return until;
    return OC_CONSTRAINT_NONE;
}

static int path_kind(unsigned char operation)
{
    if (operation == SQLITE_INDEX_CONSTRAINT_GLOB)
        return RESOURCE_GLOB;
    return operation == SQLITE_INDEX_CONSTRAINT_LIKE ? RESOURCE_LIKE : OC_CONSTRAINT_NONE;
}

int oc_constraint_kind(int column, unsigned char operation, const char *collation)
{
    const bool binary = collation == NULL || strcmp(collation, "BINARY") == 0;
    if (operation == SQLITE_INDEX_CONSTRAINT_EQ)
        return binary ? equality_kind(column) : OC_CONSTRAINT_NONE;
    if (column == OC_COLUMN_RESOURCE)
        return path_kind(operation);
    if (column == OC_COLUMN_BEGIN)
        return time_kind(operation, BEGINS_FROM, BEGINS_UNTIL);
    return column == OC_COLUMN_END ? time_kind(operation, ENDS_FROM, ENDS_UNTIL)
                                   : OC_CONSTRAINT_NONE;
}

double oc_constraint_share(int kind, const ocelotl_trace *trace, double rows)
{
    switch (kind) {
    case RESOURCE_IS:
    case SOURCE_IS:
    case TARGET_IS:
        return 1.0 / (1.0 + trace->resource_count);
    case TYPE_IS:
        return 1.0 / (1.0 + trace->event_type_count);
    case RESOURCE_TYPE_IS:
        return 1.0 / (1.0 + trace->resource_type_count);
    case VALUE_IS:
        return 1.0 / (1.0 + trace->value_count);
    case ROW_IS:
        return 1.0 / rows;
    case KEY_IS:
        return rows > 2 ? 2.0 / rows : 1;
    case BEGINS_AT:
    case ENDS_AT:
    case ATTRIBUTES_ARE:
        return rows > 10 ? 10.0 / rows : 1;
    case DURATION_IS:
        return 0.01;
    case RESOURCE_GLOB:
    case RESOURCE_LIKE:
        return 0.1;
    default:
        return 0.3;
    }
}

/* --- Names */

static bool fits_pattern(int kind, const char *wanted, const char *path)
{
    return (kind == RESOURCE_GLOB ? sqlite3_strglob(wanted, path)
                                  : sqlite3_strlike(wanted, path, 0)) == 0;
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
    uint32_t only = OCELOTL_NONE;
    OC_TRY(narrow(&selection->resources, count));
    if (kind == RESOURCE_IS)
        OC_TRY(oc_path_find(&only, &catalogue->paths, wanted, strlen(wanted)));
    for (uint32_t r = 0; r < count; r++)
        if (selection->resources[r])
            selection->resources[r] =
                kind == RESOURCE_IS ? r == only
                                    : fits_pattern(kind, wanted, oc_path_of(&catalogue->paths, r));
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
    return kind == RESOURCE_IS || kind == RESOURCE_GLOB || kind == RESOURCE_LIKE ||
           kind == CATEGORY_IS || kind == TYPE_IS;
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

ocelotl_status oc_constraint_apply(oc_selection *selection, int kind, sqlite3_value *value,
                                   const oc_catalogue *catalogue)
{
    if (!oc_constraint_narrows(kind))
        return OCELOTL_OK;
    const int type = is_name(kind) ? sqlite3_value_type(value) : sqlite3_value_numeric_type(value);
    if (is_name(kind)) {
        const char *wanted = type == SQLITE_TEXT ? (const char *)sqlite3_value_text(value) : NULL;
        if (wanted == NULL)
            return OCELOTL_OK;
        return kind == CATEGORY_IS || kind == TYPE_IS
                   ? select_types(selection, kind, wanted, catalogue->trace)
                   : select_resources(selection, kind, wanted, catalogue);
    }
    if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) {
        /* Narrows the window. An event that begins after an instant ends after it as well, and the
         * other way round; but not links, which may end before they begin, and stand at their
         * begin. */
        const double seconds = sqlite3_value_double(value);
        const int64_t first = ocelotl_trace_first_tick(catalogue->trace, seconds);
        const int64_t last = ocelotl_trace_last_tick(catalogue->trace, seconds);
        if (kind == BEGINS_FROM || kind == BEGINS_AT || kind == ENDS_FROM || kind == ENDS_AT)
            from_tick(selection, first);
        if (kind == BEGINS_UNTIL || kind == BEGINS_AT || kind == ENDS_UNTIL || kind == ENDS_AT)
            until_tick(&selection->to, last);
        if (kind == BEGINS_UNTIL || kind == BEGINS_AT)
            until_tick(&selection->links_to, last);
    }
    return OCELOTL_OK;
}
