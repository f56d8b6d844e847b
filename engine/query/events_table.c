#include "query/events_table.h"

#include "query/constraints.h"

#include <stdlib.h>
#include <string.h>

#ifdef OC_SQLITE_EXTENSION
SQLITE_EXTENSION_INIT3
#endif

static const char schema[] =
    "CREATE TABLE events(resource TEXT, resource_type TEXT, category TEXT, type TEXT, value, begin REAL, end REAL,"
    " duration REAL, depth INTEGER, source TEXT, target TEXT, key TEXT, attributes TEXT)";

typedef struct table {
    sqlite3_vtab base;
    oc_table_source *source;
    oc_table_source own;
    double rows;
} table;

typedef struct cursor {
    sqlite3_vtab_cursor base;
    ocelotl_events *events;
    ocelotl_event event;
    bool end;
} cursor;

/* --- Connecting */

static void free_table(table *made)
{
    oc_catalogue_free(&made->own.catalogue);
    ocelotl_trace_free(made->own.trace);
    sqlite3_free(made);
}

/* An argument of CREATE VIRTUAL TABLE comes as it was written, in quotes. */
static char *unquote(const char *argument)
{
    const char quote = argument[0];
    char *text = sqlite3_mprintf("%s", argument);
    if (text == NULL || (quote != '\'' && quote != '"'))
        return text;
    size_t length = 0;
    for (const char *from = argument + 1; *from != '\0'; from++) {
        if (*from == quote && *++from != quote)
            break;
        text[length++] = *from;
    }
    text[length] = '\0';
    return text;
}

static int open_own(table *made, const char *path)
{
    ocelotl_status status = ocelotl_trace_open(&made->own.trace, path);
    if (status == OCELOTL_OK)
        status = oc_catalogue_read(&made->own.catalogue, made->own.trace);
    made->source = &made->own;
    return status == OCELOTL_OK ? SQLITE_OK : SQLITE_ERROR;
}

static int open_source(table *made, sqlite3 *database, int count, const char *const *arguments)
{
    const char *file = sqlite3_db_filename(database, "main");
    char *path = count > 3 ? unquote(arguments[3]) : sqlite3_mprintf("%s", file != NULL ? file : "");
    if (path == NULL)
        return SQLITE_NOMEM;
    const int code = open_own(made, path);
    sqlite3_free(path);
    return code;
}

static void estimate(table *made)
{
    const ocelotl_trace *trace = made->source->trace;
    made->rows = 1;
    for (uint32_t t = 0; t < trace->event_type_count; t++)
        made->rows += (double)trace->event_types[t].count;
}

static int connect_table(sqlite3 *database, void *auxiliary, int count, const char *const *arguments,
                         sqlite3_vtab **result, char **message)
{
    table *made = sqlite3_malloc64(sizeof *made);
    if (made == NULL)
        return SQLITE_NOMEM;
    memset(made, 0, sizeof *made);
    made->source = auxiliary;
    int code = made->source != NULL ? SQLITE_OK : open_source(made, database, count, arguments);
    if (code == SQLITE_ERROR)
        *message = sqlite3_mprintf("%s", ocelotl_error_message());
    if (code == SQLITE_OK)
        code = sqlite3_declare_vtab(database, schema);
    if (code != SQLITE_OK) {
        free_table(made);
        return code;
    }
    /* One that a file can name a path for is nothing that a file may use unasked. */
    if (auxiliary != NULL)
        sqlite3_vtab_config(database, SQLITE_VTAB_INNOCUOUS);
    estimate(made);
    *result = &made->base;
    return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *base)
{
    free_table((table *)base);
    return SQLITE_OK;
}

/* --- Planning */

static int plan(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const table *of = (const table *)base;
    char *kinds = sqlite3_malloc64((sqlite3_uint64)info->nConstraint + 1);
    int count = 0;
    double share = 1;
    if (kinds == NULL)
        return SQLITE_NOMEM;
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *constraint = &info->aConstraint[i];
        if (!constraint->usable)
            continue;
        const int kind = oc_constraint_kind(constraint->iColumn, constraint->op, sqlite3_vtab_collation(info, i));
        if (kind == OC_CONSTRAINT_NONE)
            continue;
        kinds[count++] = (char)kind;
        info->aConstraintUsage[i].argvIndex = count;
        share *= oc_constraint_share(kind, of->source->trace);
    }
    kinds[count] = '\0';
    const sqlite3_uint64 described = (sqlite3_uint64)1 << OC_COLUMN_KEY | (sqlite3_uint64)1 << OC_COLUMN_ATTRIBUTES;
    info->idxNum = (info->colUsed & described) != 0;
    info->idxStr = kinds;
    info->needToFreeIdxStr = 1;
    info->estimatedCost = 10 + of->rows * share;
    info->estimatedRows = 1 + (sqlite3_int64)(of->rows * share);
    return SQLITE_OK;
}

/* --- Rows */

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **result)
{
    cursor *made = sqlite3_malloc64(sizeof *made);
    (void)base;
    if (made == NULL)
        return SQLITE_NOMEM;
    memset(made, 0, sizeof *made);
    *result = &made->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
    cursor *closed = (cursor *)base;
    ocelotl_events_free(closed->events);
    sqlite3_free(closed);
    return SQLITE_OK;
}

static int fail(sqlite3_vtab *base, ocelotl_status status)
{
    ((table *)base)->source->failed = status;
    if (status == OCELOTL_ERROR_MEMORY)
        return SQLITE_NOMEM;
    sqlite3_free(base->zErrMsg);
    base->zErrMsg = sqlite3_mprintf("%s", ocelotl_error_message());
    return status == OCELOTL_ERROR_INPUT ? SQLITE_CORRUPT_VTAB : SQLITE_ERROR;
}

static int next_row(sqlite3_vtab_cursor *base)
{
    cursor *moved = (cursor *)base;
    bool found = false;
    const ocelotl_status status = ocelotl_events_next(&found, &moved->event, moved->events);
    moved->end = status != OCELOTL_OK || !found;
    return status == OCELOTL_OK ? SQLITE_OK : fail(base->pVtab, status);
}

static int filter(sqlite3_vtab_cursor *base, int described, const char *kinds, int count, sqlite3_value **values)
{
    cursor *started = (cursor *)base;
    oc_table_source *source = ((table *)base->pVtab)->source;
    oc_selection selection = {
        .from = INT64_MIN, .to = INT64_MAX, .links_to = INT64_MAX, .attributes = described != 0};
    ocelotl_events_free(started->events);
    started->events = NULL;
    ocelotl_status status = OCELOTL_OK;
    for (int i = 0; i < count && status == OCELOTL_OK; i++)
        status = oc_constraint_apply(&selection, kinds[i], values[i], &source->catalogue);
    if (status == OCELOTL_OK)
        status = oc_events_open(&started->events, source->trace, &source->catalogue, &selection);
    oc_selection_free(&selection);
    return status == OCELOTL_OK ? next_row(base) : fail(base->pVtab, status);
}

static int is_at_end(sqlite3_vtab_cursor *base)
{
    return ((cursor *)base)->end;
}

/* The same for the same event, however it was found: SQLite tells by it which rows it has seen already. */
static int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *row)
{
    *row = ((cursor *)base)->events->row;
    return SQLITE_OK;
}

/* Names live as long as the table. */
static void give_text(sqlite3_context *result, const char *text)
{
    if (text != NULL)
        sqlite3_result_text(result, text, -1, SQLITE_TRANSIENT);
}

static void give_path(sqlite3_context *result, const oc_catalogue *catalogue, uint32_t resource)
{
    if (resource != OCELOTL_NONE)
        give_text(result, oc_catalogue_path(catalogue, resource));
}

static void give_value(sqlite3_context *result, const ocelotl_trace *trace, const ocelotl_event *event)
{
    if (event->category == OCELOTL_VARIABLE)
        sqlite3_result_double(result, event->number);
    else if (event->value != OCELOTL_NONE)
        give_text(result, trace->values[event->value].name);
}

/* Nobody knows how long a link with one end was in flight. */
static void give_duration(sqlite3_context *result, const ocelotl_trace *trace, const ocelotl_event *event)
{
    if (event->category != OCELOTL_LINK || (event->source != OCELOTL_NONE && event->target != OCELOTL_NONE))
        sqlite3_result_double(
            result, ocelotl_trace_seconds(trace, (int64_t)((uint64_t)event->end - (uint64_t)event->begin)));
}

static int give_cell(sqlite3_vtab_cursor *base, sqlite3_context *result, int column)
{
    const ocelotl_event *event = &((cursor *)base)->event;
    const oc_catalogue *catalogue = &((table *)base->pVtab)->source->catalogue;
    const ocelotl_trace *trace = catalogue->trace;
    const uint32_t kind = trace->resources[event->resource].type;
    switch (column) {
    case OC_COLUMN_RESOURCE:
        give_path(result, catalogue, event->resource);
        break;
    case OC_COLUMN_RESOURCE_TYPE:
        give_text(result, kind != OCELOTL_NONE ? trace->resource_types[kind].name : NULL);
        break;
    case OC_COLUMN_CATEGORY:
        give_text(result, oc_category_name(event->category));
        break;
    case OC_COLUMN_TYPE:
        give_text(result, trace->event_types[event->event_type].name);
        break;
    case OC_COLUMN_VALUE:
        give_value(result, trace, event);
        break;
    case OC_COLUMN_BEGIN:
        sqlite3_result_double(result, ocelotl_trace_seconds(trace, event->begin));
        break;
    case OC_COLUMN_END:
        sqlite3_result_double(result, ocelotl_trace_seconds(trace, event->end));
        break;
    case OC_COLUMN_DURATION:
        give_duration(result, trace, event);
        break;
    case OC_COLUMN_DEPTH:
        if (event->category == OCELOTL_STATE)
            sqlite3_result_int64(result, event->depth);
        break;
    case OC_COLUMN_SOURCE:
        give_path(result, catalogue, event->source);
        break;
    case OC_COLUMN_TARGET:
        give_path(result, catalogue, event->target);
        break;
    case OC_COLUMN_KEY:
        give_text(result, event->key);
        break;
    case OC_COLUMN_ATTRIBUTES:
        give_text(result, event->attributes);
        break;
    default:
        break;
    }
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .iVersion = 1,
    .xCreate = connect_table,
    .xConnect = connect_table,
    .xBestIndex = plan,
    .xDisconnect = disconnect_table,
    .xDestroy = disconnect_table,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = next_row,
    .xEof = is_at_end,
    .xColumn = give_cell,
    .xRowid = row_number,
};

int oc_events_table_register(sqlite3 *database, const char *name, oc_table_source *source)
{
    return sqlite3_create_module_v2(database, name, &module, source, NULL);
}
