/* What models are compared with: a plain SQLite table with a row for each state. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

static sqlite3 *open_table(const char *path)
{
    sqlite3 *database;
    bench_demand(sqlite3_open(path, &database) == SQLITE_OK, path);
    return database;
}

static void insert(sqlite3_stmt *statement, const synthetic_state *state, int64_t end)
{
    sqlite3_bind_int64(statement, 1, state->leaf);
    sqlite3_bind_int64(statement, 2, state->value);
    sqlite3_bind_int64(statement, 3, state->time);
    sqlite3_bind_int64(statement, 4, end);
    bench_demand(sqlite3_step(statement) == SQLITE_DONE, "a row");
    sqlite3_reset(statement);
}

/* A state is known when the next one of its leaf begins. */
void rival_write(const char *path, uint64_t states)
{
    static const char head[] =
        "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;"
        "CREATE TABLE state(resource INTEGER, value INTEGER, begin INTEGER, end INTEGER)";
    synthetic trace;
    synthetic_state open[SYNTHETIC_LEAVES], state;
    bool known[SYNTHETIC_LEAVES] = {false};
    remove(path);
    sqlite3 *database = open_table(path);
    bench_demand(sqlite3_exec(database, head, NULL, NULL, NULL) == SQLITE_OK, head);
    sqlite3_stmt *statement = bench_prepare(database, "INSERT INTO state VALUES(?, ?, ?, ?)");
    synthetic_begin(&trace, states);
    while (synthetic_next(&state, &trace)) {
        if (known[state.leaf])
            insert(statement, &open[state.leaf], state.time);
        open[state.leaf] = state;
        known[state.leaf] = true;
    }
    for (uint32_t leaf = 0; leaf < SYNTHETIC_LEAVES; leaf++)
        if (known[leaf])
            insert(statement, &open[leaf], trace.time);
    sqlite3_finalize(statement);
    bench_demand(sqlite3_exec(database, "CREATE INDEX state_time ON state(begin); COMMIT", NULL,
                              NULL, NULL) == SQLITE_OK,
                 "an index");
    sqlite3_close(database);
}

/* Adds a state of a row to the cells of a leaf and a value. */
static void add_state(double *cells, int64_t first, int64_t last, uint32_t slices,
                      sqlite3_stmt *row)
{
    const double length = (double)(last - first) / slices;
    const int64_t begin = sqlite3_column_int64(row, 2);
    const int64_t end = sqlite3_column_int64(row, 3);
    const double from = (double)((begin > first ? begin : first) - first) / length;
    const double to = (double)((end < last ? end : last) - first) / length;
    cells += ((size_t)sqlite3_column_int64(row, 0) * SYNTHETIC_VALUES +
              (size_t)sqlite3_column_int64(row, 1)) *
             slices;
    for (uint32_t slice = (uint32_t)from; slice < slices && slice < to; slice++) {
        const double left = from > slice ? from : slice;
        const double right = to < slice + 1 ? to : slice + 1;
        cells[slice] += (right - left) * length;
    }
}

/* The whole is read in the order of the table; a window by the index: no state lasts longer than is
 * known. */
void rival_model(const char *path, int64_t begin, int64_t end, uint32_t slices)
{
    double *cells = calloc((size_t)SYNTHETIC_LEAVES * SYNTHETIC_VALUES * slices, sizeof *cells);
    sqlite3 *database = open_table(path);
    sqlite3_stmt *row = bench_prepare(
        database, end == 0 ? "SELECT min(begin), max(end) FROM state"
                           : "SELECT resource, value, begin, end FROM state WHERE begin > ? AND "
                             "begin < ? AND end > ?");
    if (end == 0) {
        bench_demand(sqlite3_step(row) == SQLITE_ROW, path);
        begin = sqlite3_column_int64(row, 0);
        end = sqlite3_column_int64(row, 1);
        sqlite3_finalize(row);
        row = bench_prepare(database, "SELECT resource, value, begin, end FROM state");
    } else {
        sqlite3_bind_int64(row, 1, begin - SYNTHETIC_LONGEST);
        sqlite3_bind_int64(row, 2, end);
        sqlite3_bind_int64(row, 3, begin);
    }
    bench_demand(cells != NULL, "memory for cells");
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW)
        add_state(cells, begin, end, slices, row);
    bench_demand(code == SQLITE_DONE, path);
    sqlite3_finalize(row);
    sqlite3_close(database);
    free(cells);
}
