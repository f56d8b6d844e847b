/* Models with every metric and filter of traces that are damaged: what comes out is a message of
 * one line, or finite. */
#include "test_query_trace.h"

#include "test_checksums.h"
#include "test_model_cells.h"

#include <sqlite3.h>

static void use_model(const ocelotl_model *model)
{
    const oc_matrix *matrix = oc_model_matrix(model);
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    double *values = malloc((info.type_count + 1) * sizeof *values);
    CHECK(values != NULL);
    for (size_t c = 0; c < matrix->cell_count; c++)
        CHECK(matrix->cell_value[c] > 0 && isfinite(matrix->cell_value[c]) &&
              matrix->cell_slice[c] < matrix->slice_count);
    for (size_t s = 0; s < matrix->series_count; s++) {
        CHECK(matrix->series[s].type < matrix->type_count &&
              matrix->series[s].leaf < info.leaf_count);
        CHECK(matrix->series[s].first < matrix->series[s + 1].first);
    }
    CHECK_OK(ocelotl_model_values(values, model, 0, 0, info.slice_count - 1));
    for (uint32_t x = 0; x < info.type_count; x++)
        CHECK(!isinf(values[x]));
    free(values);
}

static bool use_metric(ocelotl_trace *trace, const char *metric, uint64_t *random)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    ocelotl_model *model = NULL;
    options.cells.metric = metric;
    options.slices = 7;
    options.cells.nesting = (ocelotl_nesting)check_below(random, 2);
    options.cells.shift = options.cells.scale = strncmp(metric, "variable", 8) == 0;
    if ((strncmp(metric, "state", 5) == 0 || strcmp(metric, "event-count") == 0) &&
        check_below(random, 2) == 0)
        options.selection.min_duration = 3;
    const char *const conditions[] = {"size > 200", "note != 7"};
    if (check_below(random, 2) == 0 && strncmp(metric, "wait", 4) != 0) {
        options.selection.where = (ocelotl_names){conditions, 2};
        options.where_elsewhere = true;
    }
    if (check_below(random, 2) == 0) {
        const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
        options.selection.from = info.begin / 2 + info.end / 2;
        options.selection.to = INT64_MAX;
    }
    const ocelotl_status status = ocelotl_model_from_trace(&model, trace, &options);
    if (status == OCELOTL_OK) {
        use_model(model);
        ocelotl_model_free(model);
        return true;
    }
    CHECK(status == OCELOTL_ERROR_INPUT || status == OCELOTL_ERROR_ARGUMENT ||
          status == OCELOTL_ERROR_EMPTY || status == OCELOTL_ERROR_LIMIT ||
          status == OCELOTL_ERROR_IO);
    CHECK(ocelotl_error_message()[0] != '\0' && strchr(ocelotl_error_message(), '\n') == NULL);
    return false;
}

static uint32_t use(const char *path, uint64_t *random)
{
    ocelotl_trace *trace;
    uint32_t good = 0;
    if (ocelotl_trace_open(&trace, path) != OCELOTL_OK)
        return 0;
    for (uint32_t m = 0; m < ocelotl_metric_count(); m++)
        good += use_metric(trace, ocelotl_metric_at(m).name, random);
    ocelotl_trace_free(trace);
    return good;
}

/* Other bytes in the blobs of a chunk, or other numbers beside them, which SQLite cannot see. */
static void damage(const char *path, uint64_t *random)
{
    static const char *const changes[] = {
        ("UPDATE chunk SET totals = CAST(substr(totals, 1, %u) || char(%u) || substr(totals, %u) "
         "AS BLOB) "
         "WHERE rowid = %u"),
        ("UPDATE chunk SET events = CAST(x'00' || substr(events, 2, %u) || char(%u) || "
         "substr(events, %u) AS BLOB) "
         "WHERE rowid = %u"),
        "UPDATE chunk SET begin = begin + %u - 9 * %u + %u WHERE rowid = %u",
        "UPDATE chunk SET unit = 1 + %u, low = -1e300 * %u, high = 1e300 * %u WHERE rowid = %u",
        "UPDATE resource SET begin = begin + %u, end = end - 100 * %u + %u WHERE id = %u %% 5",
        ("UPDATE stream SET resource = %u %% 5, begin = begin + %u, event_type = %u %% 4 "
         "WHERE id = %u"),
        "UPDATE chunk SET number = number + %u * 0 + %u * 0 + %u * 0 + 1 WHERE rowid = %u"};
    char sql[300];
    sqlite3 *database;
    CHECK(sqlite3_open(path, &database) == SQLITE_OK);
    for (uint32_t i = 1 + check_below(random, 3); i > 0; i--) {
        const uint32_t place = check_below(random, 60);
        snprintf(sql, sizeof sql, changes[check_below(random, sizeof changes / sizeof changes[0])],
                 place, check_below(random, 128), place + 2, check_below(random, 40));
        sqlite3_exec(database, sql, NULL, NULL, NULL);
    }
    checksums_renew(database);
    sqlite3_close(database);
}

int main(void)
{
    known_trace known;
    size_t length;
    uint64_t random = 77;
    uint32_t good = 0;
    const uint32_t rounds = check_rounds(400);
    temporary_begin();
    known_write(&known, temporary_path("whole.db"), 3, 4000);
    free(known.events);
    /* messages go back in time here, and a critical path refuses that; there is no counter */
    CHECK(use(temporary_path("whole.db"), &random) == ocelotl_metric_count() - 2);
    char *whole = temporary_read(&length, temporary_path("whole.db"));
    for (uint32_t i = 0; i < rounds; i++) {
        const char *path = temporary_path("damaged.db");
        temporary_write(path, whole, length);
        damage(path, &random);
        good += use(path, &random);
        unlink(path);
    }
    CHECK(good > rounds && good < rounds * ocelotl_metric_count());
    free(whole);
    return 0;
}
