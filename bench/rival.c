#include "rival.h"

#include "synthetic.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static bool fail(sqlite3 *database)
{
    fprintf(stderr, "bench_trace: %s\n", sqlite3_errmsg(database));
    return false;
}

static bool insert(sqlite3_stmt *statement, uint32_t leaf, uint32_t value, int64_t begin,
                   int64_t end)
{
    sqlite3_bind_int64(statement, 1, leaf);
    sqlite3_bind_int64(statement, 2, value);
    sqlite3_bind_int64(statement, 3, begin);
    sqlite3_bind_int64(statement, 4, end);
    const bool done = sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_reset(statement);
    return done;
}

/* A state is known when the next one of its leaf begins. */
static bool insert_states(sqlite3_stmt *statement, uint64_t states, uint64_t seed)
{
    synthetic trace;
    synthetic_state open[SYNTHETIC_LEAVES];
    synthetic_state state;
    bool known[SYNTHETIC_LEAVES] = {false};
    bool good = true;
    synthetic_begin(&trace, states, seed);
    while (good && synthetic_next(&state, &trace)) {
        const synthetic_state *before = &open[state.leaf];
        if (known[state.leaf])
            good = insert(statement, state.leaf, before->value, before->time, state.time);
        open[state.leaf] = state;
        known[state.leaf] = true;
    }
    for (uint32_t leaf = 0; leaf < SYNTHETIC_LEAVES && good; leaf++)
        if (known[leaf])
            good = insert(statement, leaf, open[leaf].value, open[leaf].time, trace.time);
    return good;
}

static bool write_table(sqlite3 *database, uint64_t states, uint64_t seed)
{
    sqlite3_stmt *statement = NULL;
    const char *head =
        "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;"
        "CREATE TABLE state(resource INTEGER, value INTEGER, begin INTEGER, end INTEGER)";
    if (sqlite3_exec(database, head, NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(database, "INSERT INTO state VALUES(?, ?, ?, ?)", -1, &statement,
                           NULL) != SQLITE_OK)
        return fail(database);
    const bool inserted = insert_states(statement, states, seed);
    sqlite3_finalize(statement);
    return (inserted && sqlite3_exec(database, "CREATE INDEX state_time ON state(begin); COMMIT",
                                     NULL, NULL, NULL) == SQLITE_OK) ||
           fail(database);
}

bool rival_write(const char *path, uint64_t states, uint64_t seed)
{
    sqlite3 *database = NULL;
    remove(path);
    const bool good = sqlite3_open(path, &database) == SQLITE_OK
                          ? write_table(database, states, seed)
                          : fail(database);
    sqlite3_close(database);
    return good;
}

typedef struct window {
    int64_t begin, end;
    uint32_t slices;
    double *cells; /* leaf, value, slice */
} window;

static void add_state(const window *in, uint32_t leaf, uint32_t value, int64_t begin, int64_t end)
{
    const double length = (double)(in->end - in->begin) / in->slices;
    const double from = (double)((begin > in->begin ? begin : in->begin) - in->begin) / length;
    const double to = (double)((end < in->end ? end : in->end) - in->begin) / length;
    double *row = in->cells + ((size_t)leaf * SYNTHETIC_VALUES + value) * in->slices;
    for (uint32_t slice = (uint32_t)from; slice < in->slices && slice < to; slice++) {
        const double left = from > slice ? from : slice;
        const double right = to < slice + 1 ? to : slice + 1;
        row[slice] += (right - left) * length;
    }
}

static bool read_bounds(window *in, sqlite3 *database)
{
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(database, "SELECT min(begin), max(end) FROM state", -1, &row, NULL) !=
        SQLITE_OK)
        return fail(database);
    const bool good = sqlite3_step(row) == SQLITE_ROW;
    in->begin = sqlite3_column_int64(row, 0);
    in->end = sqlite3_column_int64(row, 1);
    sqlite3_finalize(row);
    return good || fail(database);
}

/* The whole is read in the order of the table; a window by the index: no state lasts longer than is
 * known. */
static bool add_states(const window *in, sqlite3 *database, bool whole)
{
    const char *sql = whole ? "SELECT resource, value, begin, end FROM state"
                            : "SELECT resource, value, begin, end FROM state WHERE begin > ? AND "
                              "begin < ? AND end > ?";
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(database, sql, -1, &row, NULL) != SQLITE_OK)
        return fail(database);
    if (!whole) {
        sqlite3_bind_int64(row, 1, in->begin - SYNTHETIC_LONGEST);
        sqlite3_bind_int64(row, 2, in->end);
        sqlite3_bind_int64(row, 3, in->begin);
    }
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW)
        add_state(in, (uint32_t)sqlite3_column_int64(row, 0),
                  (uint32_t)sqlite3_column_int64(row, 1), sqlite3_column_int64(row, 2),
                  sqlite3_column_int64(row, 3));
    sqlite3_finalize(row);
    return code == SQLITE_DONE || fail(database);
}

bool rival_model(double *sum, const char *path, int64_t begin, int64_t end, uint32_t slices)
{
    const size_t count = (size_t)SYNTHETIC_LEAVES * SYNTHETIC_VALUES * slices;
    window in = {begin, end, slices, calloc(count, sizeof *in.cells)};
    sqlite3 *database = NULL;
    bool good = in.cells != NULL && sqlite3_open(path, &database) == SQLITE_OK;
    if (good && end == 0)
        good = read_bounds(&in, database);
    good = good && add_states(&in, database, end == 0);
    *sum = 0;
    for (size_t i = 0; i < count && good; i++)
        *sum += in.cells[i];
    sqlite3_close(database);
    free(in.cells);
    return good;
}
