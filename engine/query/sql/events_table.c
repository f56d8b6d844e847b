#include "query/sql/events_table.h"

#include "query/sql/kept_events.h"

#include <stdlib.h>
#include <string.h>

#ifdef OC_SQLITE_EXTENSION
SQLITE_EXTENSION_INIT3
#endif

static const char schema[] =
    "CREATE TABLE events(resource TEXT, resource_type TEXT, category TEXT, type TEXT, value, begin "
    "REAL, end REAL,"
    " duration REAL, depth INTEGER, source TEXT, target TEXT, key TEXT, attributes TEXT)";

typedef struct table {
    sqlite3_vtab base;
    oc_table_source *source;
    oc_table_source own;
    /* what closed cursors have asked: a subquery opens a cursor for every row */
    oc_repeated *repeated;
} table;

typedef struct cursor {
    sqlite3_vtab_cursor base;
    ocelotl_events *events; /* being read; NULL: what is kept is gone through */
    oc_repeated *repeated;
    ocelotl_event event;
    int64_t row;
    bool end;
} cursor;

/* --- Connecting */

static void free_table(table *made)
{
    oc_repeated_free(made->repeated);
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
    char *path =
        count > 3 ? unquote(arguments[3]) : sqlite3_mprintf("%s", file != NULL ? file : "");
    if (path == NULL)
        return SQLITE_NOMEM;
    const int code = open_own(made, path);
    sqlite3_free(path);
    return code;
}

static int connect_table(sqlite3 *database, void *auxiliary, int count,
                         const char *const *arguments, sqlite3_vtab **result, char **message)
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
    *result = &made->base;
    return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *base)
{
    free_table((table *)base);
    return SQLITE_OK;
}

/* --- Planning */

/* A new query begins: what another asked is not asked again. */
static int plan(sqlite3_vtab *base, sqlite3_index_info *info)
{
    table *of = (table *)base;
    oc_repeated_free(of->repeated);
    of->repeated = NULL;
    return oc_plan(info, of->source);
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

/* Gives a reading back, as the next cursor may ask for the same. */
static void give_back(cursor *of)
{
    table *owner = (table *)of->base.pVtab;
    if (of->repeated != NULL) {
        of->repeated->next = owner->repeated;
        owner->repeated = of->repeated;
    }
    of->repeated = NULL;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
    cursor *closed = (cursor *)base;
    give_back(closed);
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

static ocelotl_status move(bool *found, cursor *moved)
{
    if (moved->events == NULL)
        return oc_kept_events_next(found, &moved->event, &moved->row, moved->repeated->kept);
    OC_TRY(ocelotl_events_next(found, &moved->event, moved->events));
    if (*found)
        moved->row = oc_events_row(moved->events);
    if (moved->repeated != NULL)
        moved->repeated->work++;
    return OCELOTL_OK;
}

static int next_row(sqlite3_vtab_cursor *base)
{
    cursor *moved = (cursor *)base;
    bool found = false;
    const ocelotl_status status = move(&found, moved);
    moved->end = status != OCELOTL_OK || !found;
    return status == OCELOTL_OK ? SQLITE_OK : fail(base->pVtab, status);
}

/* Returns whether a value is NULL: nothing equals it, is less, or is like it. */
static bool has_null(int count, sqlite3_value **values)
{
    for (int i = 0; i < count; i++)
        if (sqlite3_value_type(values[i]) == SQLITE_NULL)
            return true;
    return false;
}

static ocelotl_status read_selection(cursor *started, int plan_number, oc_selection *selection)
{
    oc_table_source *source = ((table *)started->base.pVtab)->source;
    if (started->repeated != NULL)
        started->repeated->work += oc_estimate_cost(
            (oc_estimate){.streams = oc_estimate_reading(selection, source->trace).streams});
    OC_TRY(oc_events_open(&started->events, source->trace, &source->catalogue, selection));
    started->events->in_time = (plan_number & OC_PLAN_BY_END) != 0;
    source->readings++;
    return OCELOTL_OK;
}

static ocelotl_status read_trace(cursor *started, int plan_number, const char *kinds, int count,
                                 sqlite3_value **values)
{
    const oc_table_source *source = ((table *)started->base.pVtab)->source;
    oc_selection selection = {.from = INT64_MIN,
                              .to = INT64_MAX,
                              .links_to = INT64_MAX,
                              .attributes = (plan_number & OC_PLAN_DESCRIBED) != 0};
    ocelotl_status status = OCELOTL_OK;
    for (int i = 0; i < count && status == OCELOTL_OK; i++)
        status = oc_constraint_apply(&selection, kinds[i], values[i], &source->catalogue);
    if (status == OCELOTL_OK)
        status = read_selection(started, plan_number, &selection);
    oc_selection_free(&selection);
    return status;
}

/* Finds among what is kept, or begins to read. */
static ocelotl_status start(cursor *started, int plan_number, const char *kinds, int count,
                            sqlite3_value **values)
{
    table *owner = (table *)started->base.pVtab;
    bool found = false;
    if ((plan_number & OC_PLAN_KEPT) != 0) {
        OC_TRY(oc_repeated_take(&started->repeated, &owner->repeated, kinds, plan_number,
                                (size_t)count));
        OC_TRY(oc_repeated_ask(&found, started->repeated, values, owner->source));
    }
    return found ? OCELOTL_OK : read_trace(started, plan_number, kinds, count, values);
}

static int filter(sqlite3_vtab_cursor *base, int plan_number, const char *kinds, int count,
                  sqlite3_value **values)
{
    cursor *started = (cursor *)base;
    ocelotl_events_free(started->events);
    started->events = NULL;
    give_back(started);
    started->end = has_null(count, values);
    if (started->end)
        return SQLITE_OK;
    const ocelotl_status status = start(started, plan_number, kinds, count, values);
    return status == OCELOTL_OK ? next_row(base) : fail(base->pVtab, status);
}

static int is_at_end(sqlite3_vtab_cursor *base)
{
    return ((cursor *)base)->end;
}

/* Returns the same number for the same event, however it was found: SQLite recognises rows by
 * it. */
static int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *row)
{
    *row = ((cursor *)base)->row;
    return SQLITE_OK;
}

static int give_cell(sqlite3_vtab_cursor *base, sqlite3_context *result, int column)
{
    const cursor *at = (cursor *)base;
    const oc_catalogue *catalogue = &((table *)base->pVtab)->source->catalogue;
    const oc_cell cell = oc_event_cell(&at->event, at->row, (oc_column)column, catalogue);
    switch (cell.kind) {
    case OC_CELL_TEXT:
        sqlite3_result_text(result, cell.text, -1, SQLITE_TRANSIENT);
        break;
    case OC_CELL_NUMBER:
        sqlite3_result_double(result, cell.number);
        break;
    case OC_CELL_INTEGER:
        sqlite3_result_int64(result, cell.integer);
        break;
    case OC_CELL_NULL:
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
