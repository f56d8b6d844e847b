#include "query/sql/kept_events.h"

#include "base/memory.h"
#include "store/file/database.h"

#include <stdlib.h>
#include <string.h>

struct oc_kept_events {
    sqlite3 *database;
    sqlite3_stmt *add, *find;
    oc_hash_key hash_key;
};

/* What messages call it. */
static const char place[] = "temporary file";

static const char schema[] =
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN;"
    "CREATE TABLE kept(hash INTEGER, row INTEGER, event BLOB, key TEXT, attributes TEXT);";

/* --- Making */

static ocelotl_status open_database(oc_kept_events *kept)
{
    if (sqlite3_open_v2("", &kept->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
        SQLITE_OK)
        return oc_database_fail(kept->database, place);
    OC_TRY(oc_database_execute(kept->database, place, schema));
    return oc_database_prepare(&kept->add, kept->database, place,
                               "INSERT INTO kept VALUES(?, ?, ?, ?, ?)");
}

/* The hash of an event's columns; false where one of them has nothing, which equals nothing. */
static bool hash_event(uint64_t *hash, const oc_kept_events *kept, const ocelotl_event *event,
                       int64_t row, const oc_catalogue *catalogue, const oc_column *columns,
                       size_t column_count)
{
    *hash = 0;
    for (size_t i = 0; i < column_count; i++) {
        const oc_cell cell = oc_event_cell(event, row, columns[i], catalogue);
        if (cell.kind == OC_CELL_NULL)
            return false;
        *hash = cell.kind == OC_CELL_TEXT
                    ? oc_hash_text_cell(&kept->hash_key, *hash, columns[i], cell.text,
                                        strlen(cell.text))
                    : oc_hash_number_cell(&kept->hash_key, *hash, columns[i], cell.number);
    }
    return true;
}

static ocelotl_status add(oc_kept_events *kept, uint64_t hash, const ocelotl_event *event,
                          int64_t row)
{
    sqlite3_bind_int64(kept->add, 1, (int64_t)hash);
    sqlite3_bind_int64(kept->add, 2, row);
    sqlite3_bind_blob(kept->add, 3, event, sizeof *event, SQLITE_STATIC);
    sqlite3_bind_text(kept->add, 4, event->key, -1, SQLITE_STATIC);
    sqlite3_bind_text(kept->add, 5, event->attributes, -1, SQLITE_STATIC);
    return oc_database_run(kept->add, place);
}

static ocelotl_status add_all(oc_kept_events *kept, ocelotl_events *events,
                              const oc_column *columns, size_t column_count)
{
    for (;;) {
        bool found;
        ocelotl_event event;
        uint64_t hash;
        OC_TRY(ocelotl_events_next(&found, &event, events));
        if (!found)
            return OCELOTL_OK;
        const int64_t row = oc_events_row(events);
        if (hash_event(&hash, kept, &event, row, events->catalogue, columns, column_count))
            OC_TRY(add(kept, hash, &event, row));
    }
}

static ocelotl_status make(oc_kept_events *kept, ocelotl_events *events, const oc_column *columns,
                           size_t column_count)
{
    kept->hash_key = oc_hash_key_draw();
    OC_TRY(open_database(kept));
    OC_TRY(add_all(kept, events, columns, column_count));
    OC_TRY(oc_database_execute(kept->database, place,
                               "CREATE INDEX kept_by_hash ON kept(hash); COMMIT;"));
    return oc_database_prepare(
        &kept->find, kept->database, place,
        "SELECT row, event, key, attributes FROM kept WHERE hash = ? ORDER BY rowid");
}

ocelotl_status oc_kept_events_make(oc_kept_events **kept, ocelotl_trace *trace,
                                   const oc_catalogue *catalogue, oc_selection *selection,
                                   const oc_column *columns, size_t column_count)
{
    ocelotl_events *events = NULL;
    oc_kept_events *made = NULL;
    OC_TRY(oc_events_open(&events, trace, catalogue, selection));
    ocelotl_status status = oc_allocate(&made, 1, sizeof *made);
    if (status == OCELOTL_OK)
        status = make(made, events, columns, column_count);
    ocelotl_events_free(events);
    if (status != OCELOTL_OK) {
        oc_kept_events_free(made);
        return status;
    }
    *kept = made;
    return OCELOTL_OK;
}

void oc_kept_events_free(oc_kept_events *kept)
{
    if (kept == NULL)
        return;
    sqlite3_finalize(kept->add);
    sqlite3_finalize(kept->find);
    sqlite3_close(kept->database);
    free(kept);
}

/* --- Finding */

const oc_hash_key *oc_kept_events_hash_key(const oc_kept_events *kept)
{
    return &kept->hash_key;
}

void oc_kept_events_find(oc_kept_events *kept, uint64_t hash)
{
    sqlite3_reset(kept->find);
    sqlite3_bind_int64(kept->find, 1, (int64_t)hash);
}

ocelotl_status oc_kept_events_next(bool *found, ocelotl_event *event, int64_t *row,
                                   oc_kept_events *kept)
{
    OC_TRY(oc_database_row(found, kept->find, place));
    if (!*found)
        return OCELOTL_OK;
    const void *bytes = sqlite3_column_blob(kept->find, 1);
    if (bytes == NULL || sqlite3_column_bytes(kept->find, 1) != (int)sizeof *event)
        return oc_fail_memory();
    memcpy(event, bytes, sizeof *event);
    event->key = (const char *)sqlite3_column_text(kept->find, 2);
    event->attributes = (const char *)sqlite3_column_text(kept->find, 3);
    *row = sqlite3_column_int64(kept->find, 0);
    return OCELOTL_OK;
}
