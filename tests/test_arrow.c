/* Tables by the Arrow C data interface: what the specification says of buffers, nulls, dictionaries
 * and releases holds, and what a stream reads is let go once. Models that are kept outlive their
 * session. */
#include "temporary.h"

#include "answer/arrow/columns.h"

/* What a stream has reported to the owner of its objects. */
typedef struct told {
    int entered, left, released;
} told;

static void enter(void *context)
{
    ((told *)context)->entered++;
}

static void leave(void *context)
{
    ((told *)context)->left++;
}

static void let_go(void *context)
{
    ((told *)context)->released++;
}

static ocelotl_arrow_options watched(told *by, uint32_t batch_rows)
{
    ocelotl_arrow_options options = OCELOTL_ARROW_OPTIONS_INIT;
    options.batch_rows = batch_rows;
    options.context = by;
    options.enter = enter;
    options.leave = leave;
    options.release = let_go;
    return options;
}

static bool is_valid(const struct ArrowArray *array, int64_t row)
{
    const unsigned char *bits = array->buffers[0];
    return bits == NULL || (bits[row / 8] >> row % 8 & 1) != 0;
}

static const int32_t *offsets(const struct ArrowArray *array)
{
    return array->buffers[1];
}

static bool has_text(const struct ArrowArray *array, int64_t row, const char *expected)
{
    const int32_t *at = offsets(array);
    const size_t length = (size_t)(at[row + 1] - at[row]);
    return length == strlen(expected) &&
           memcmp((const char *)array->buffers[2] + at[row], expected, length) == 0;
}

static void write_trace(const char *path)
{
    uint32_t values[2], resources[2];
    ocelotl_writer *writer = must_write(path, NULL);
    const uint32_t type = must_kind(writer, OCELOTL_ROOT, "rank");
    const uint32_t states = must_type(writer, OCELOTL_STATE, type, "state");
    values[0] = must_value(writer, states, "run");
    values[1] = must_value(writer, states, "wait");
    for (uint32_t i = 0; i < 2; i++) {
        const char *const names[] = {"a", "b"};
        resources[i] = must_resource(writer, type, OCELOTL_ROOT, names[i], 0);
        for (int64_t time = 0; time < 10; time++) {
            const uint32_t value = values[time % 2];
            must_state(writer, resources[i], states, value, 1000 * time, 1000 * time + 500);
        }
    }
    must_finish(writer);
}

static void check_event_schema(struct ArrowArrayStream *stream)
{
    struct ArrowSchema schema;
    CHECK(stream->get_schema(stream, &schema) == 0);
    CHECK_TEXT(schema.format, "+s");
    CHECK(schema.n_children == 14 && schema.dictionary == NULL);
    CHECK_TEXT(schema.children[0]->name, "resource");
    CHECK_TEXT(schema.children[0]->format, "i");
    CHECK_TEXT(schema.children[0]->dictionary->format, "u");
    CHECK_TEXT(schema.children[6]->format, "g");
    CHECK((schema.children[5]->flags & ARROW_FLAG_NULLABLE) != 0);
    schema.release(&schema);
    CHECK(schema.release == NULL);
}

/* Twenty events in batches of eight. */
static void check_events(ocelotl_trace *trace)
{
    struct ArrowArrayStream stream;
    struct ArrowArray batches[4];
    told by = {0};
    const ocelotl_arrow_options options = watched(&by, 8);
    OWN_EVENTS *events = must_list(trace, NULL);
    CHECK_OK(ocelotl_events_to_arrow(&stream, events, trace, &options));
    check_event_schema(&stream);
    for (int i = 0; i < 4; i++)
        CHECK(stream.get_next(&stream, &batches[i]) == 0);
    CHECK(batches[0].length == 8 && batches[1].length == 8 && batches[2].length == 4);
    CHECK(batches[3].release == NULL);
    CHECK(by.released == 0);
    stream.release(&stream);
    CHECK(stream.release == NULL && by.released == 1 && by.entered == by.left && by.entered >= 4);
    /* The batches are on their own now. */
    const struct ArrowArray *resource = batches[1].children[0];
    CHECK(resource->n_buffers == 2 && resource->null_count == 0 && resource->buffers[0] == NULL);
    CHECK(((const int32_t *)resource->buffers[1])[1] == 0);
    CHECK(((const int32_t *)resource->buffers[1])[2] == 1);
    CHECK(resource->dictionary->length == 2 && has_text(resource->dictionary, 1, "b"));
    const struct ArrowArray *number = batches[0].children[5];
    CHECK(number->null_count == 8 && !is_valid(number, 0) && !is_valid(number, 7));
    CHECK_NEAR(((const double *)batches[2].children[6]->buffers[1])[3], 9e-6, 1e-15);
    /* One column outlives the batch that it was moved out of, and its dictionary all others. */
    struct ArrowArray moved = *batches[2].children[4];
    batches[2].children[4]->release = NULL;
    for (int i = 0; i < 3; i++)
        batches[i].release(&batches[i]);
    CHECK(has_text(moved.dictionary, 0, "run") && has_text(moved.dictionary, 1, "wait"));
    CHECK(((const int32_t *)moved.buffers[1])[3] == 1);
    moved.release(&moved);
    CHECK(moved.release == NULL);
}

static struct ArrowArray read_query(ocelotl_trace *trace, const char *sql, told *by)
{
    OWN_QUERY *query = NULL;
    struct ArrowArrayStream stream;
    struct ArrowArray batch;
    const ocelotl_arrow_options options = watched(by, 0);
    CHECK_OK(ocelotl_query_open(&query, trace, sql));
    CHECK_OK(ocelotl_query_to_arrow(&stream, query, &options));
    CHECK(stream.get_next(&stream, &batch) == 0);
    stream.release(&stream);
    CHECK(by->released == 1);
    return batch;
}

static void check_queries(ocelotl_trace *trace)
{
    told by = {0};
    struct ArrowArray batch = read_query(
        trace,
        "SELECT 1 AS a, 1 AS b, 'x' AS c, x'00ff' AS d UNION ALL SELECT 2, 0.5, 3, NULL "
        "UNION ALL SELECT NULL, NULL, NULL, NULL UNION ALL SELECT 4, 4, CAST(x'61ff' AS TEXT), 'y'",
        &by);
    CHECK(batch.length == 4 && batch.n_children == 4);
    for (int i = 0; i < 4; i++)
        CHECK(!is_valid(batch.children[i], 2) && is_valid(batch.children[i], 3));
    CHECK(((const int64_t *)batch.children[0]->buffers[1])[3] == 4);
    CHECK_NEAR(((const double *)batch.children[1]->buffers[1])[1], 0.5, 0);
    CHECK(has_text(batch.children[2], 1, "3") && has_text(batch.children[2], 2, ""));
    CHECK(has_text(batch.children[2], 3, "a\xEF\xBF\xBD"));
    CHECK(offsets(batch.children[3])[1] == 2 && has_text(batch.children[3], 3, "y"));
    CHECK(batch.children[3]->null_count == 2);
    batch.release(&batch);
}

/* What fails lets go of what it was given. */
static void check_failure(ocelotl_trace *trace)
{
    told by = {0};
    OWN_QUERY *query = NULL;
    struct ArrowArrayStream stream = {.release = NULL};
    const ocelotl_arrow_options options = watched(&by, 0);
    CHECK_OK(ocelotl_query_open(&query, trace, "SELECT abs(-9223372036854775808)"));
    CHECK_REFUSED(ocelotl_query_to_arrow(&stream, query, &options), "SQL");
    CHECK(stream.release == NULL && by.released == 1);
}

static bool refuse(void *context, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    ++*(int *)context;
    return false;
}

static void check_cancelled_query(ocelotl_trace *trace)
{
    OWN_QUERY *query = NULL;
    bool found;
    int asked = 0;
    const ocelotl_work work = {.progress = refuse, .context = &asked};
    CHECK_OK(ocelotl_query_open(&query, trace,
                                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
                                "WHERE i < 1000000000) SELECT max(i) FROM n"));
    ocelotl_query_watch(query, &work);
    CHECK_FAILS(ocelotl_query_next(&found, query), OCELOTL_ERROR_CANCELLED, "");
    CHECK(asked == 1);
}

static void check_kept(const char *path)
{
    ocelotl_session *session = NULL;
    ocelotl_request *request = NULL;
    ocelotl_measured *first = NULL, *second = NULL;
    struct ArrowArrayStream stream;
    struct ArrowArray batch;
    CHECK_OK(ocelotl_request_new(&request, "overview"));
    CHECK_OK(ocelotl_request_set(request, "slices", "10"));
    CHECK_OK(ocelotl_session_open(&session, path, request, NULL));
    CHECK_OK(ocelotl_session_keep(&first, session, request));
    CHECK_OK(ocelotl_session_keep(&second, session, request));
    CHECK(ocelotl_measured_aggregation(first) == ocelotl_measured_aggregation(second));
    ocelotl_session_free(session);
    ocelotl_measured_free(second);
    ocelotl_partition *partition = must_solve(ocelotl_measured_aggregation(first), 0);
    CHECK_OK(ocelotl_parts_to_arrow(&stream, partition, NULL));
    CHECK(stream.get_next(&stream, &batch) == 0);
    CHECK((size_t)batch.length == ocelotl_partition_info_of(partition).part_count);
    stream.release(&stream);
    ocelotl_partition_free(partition);
    ocelotl_measured_free(first);
    ocelotl_measured_free(NULL);
    batch.release(&batch);
    CHECK_REFUSED(ocelotl_request_set(request, "slcies", "3"),
                  "unknown option --slcies; the nearest is --slices");
    ocelotl_request_free(request);
}

/* The offsets of a text are of 32 bits: its last byte fits, and no other. The text is as if it had
 * been added: of its room only the end is touched. */
static void check_long_text(void)
{
    enum { END = 100 };
    const size_t longest = INT32_MAX;
    struct ArrowArray array = {.release = NULL};
    oc_arrow_column column = {.name = "text", .kind = OC_CELL_TEXT};
    oc_batch batch = {.columns = &column, .column_count = 1};
    CHECK_OK(oc_batch_begin(&batch, 3));
    column.text = (oc_text){.bytes = malloc(longest + END), .capacity = longest + END};
    CHECK(column.text.bytes != NULL);
    column.text.length = longest - 3;
    oc_add_text(&batch, "end", 3);
    oc_end_row(&batch);
    CHECK(!oc_batch_is_full(&batch) && !batch.too_long);
    CHECK(((const int32_t *)column.cells)[1] == INT32_MAX);
    oc_add_text(&batch, "s", 1);
    oc_end_row(&batch);
    CHECK(oc_batch_is_full(&batch));
    CHECK_FAILS(oc_batch_end(&array, &batch), OCELOTL_ERROR_LIMIT,
                "a text of more than 2 GiB is too long for Arrow");
    CHECK(array.release == NULL && column.text.bytes == NULL && column.cells == NULL);
}

int main(void)
{
    char path[1400];
    ocelotl_trace *trace = NULL;
    temporary_begin();
    snprintf(path, sizeof path, "%s", temporary_path("trace.db"));
    write_trace(path);
    trace = must_open(path);
    check_events(trace);
    check_queries(trace);
    check_failure(trace);
    check_cancelled_query(trace);
    ocelotl_trace_free(trace);
    check_kept(path);
    check_long_text();
    return 0;
}
