/* The model of a trace is the same for any number of threads, whatever its metric, and whatever
 * happens to the file meanwhile: in a trace that is long enough for several. */
#include "temporary.h"
#include "test_model_cells.h"

#include "model/metrics/metrics.h"

#include <omp.h>
#include <sqlite3.h>

enum { LEAVES = 60, ROUNDS = 8000, SLICES = 37 };

typedef struct writing {
    ocelotl_writer *writer;
    uint32_t resources[LEAVES], states, values[3], event, variable, counter, link, size;
    uint64_t random;
} writing;

static void declare(writing *to)
{
    ocelotl_writer *writer = to->writer;
    const uint32_t type = must_kind(writer, OCELOTL_ROOT, "process");
    to->states = must_type(writer, OCELOTL_STATE, type, "doing");
    to->event = must_type(writer, OCELOTL_EVENT, type, "mark");
    to->variable = must_type(writer, OCELOTL_VARIABLE, type, "load");
    to->counter = must_type(writer, OCELOTL_VARIABLE, type, "turns");
    CHECK_OK(ocelotl_writer_unit(writer, to->variable, "turns"));
    CHECK_OK(ocelotl_writer_unit(writer, to->counter, "turns"));
    CHECK_OK(ocelotl_writer_kind(writer, to->counter, OCELOTL_INCREMENT));
    to->link = must_type(writer, OCELOTL_LINK, type, "message");
    to->size = must_attribute(writer, to->link, "size");
    to->values[0] = must_value(writer, to->states, "compute");
    to->values[1] = must_value(writer, to->states, "send");
    to->values[2] = must_value(writer, to->states, "wait");
    for (int r = 0; r < LEAVES; r++) {
        char name[16];
        snprintf(name, sizeof name, "p%d", r);
        to->resources[r] = must_resource(writer, type, OCELOTL_ROOT, name, 0);
    }
}

/* Something happens at a leaf: a state with another one inside, a mark, a step of the variable, a
 * message to the next. */
static void happen(writing *to, int r, int64_t time)
{
    ocelotl_writer *writer = to->writer;
    const uint32_t resource = to->resources[r];
    const uint32_t outer = to->values[check_below(&to->random, 3)];
    const uint32_t inner = to->values[check_below(&to->random, 3)];
    uint64_t link;
    must_push(writer, resource, to->states, outer, time);
    must_state(writer, resource, to->states, inner, time + check_below(&to->random, 3),
               time + 3 + check_below(&to->random, 3));
    must_pop(writer, resource, to->states, 0, time + 6 + check_below(&to->random, 3));
    if (check_below(&to->random, 8) == 0) {
        const ocelotl_attribute_value size = {to->size, "512", 3};
        must_event(writer, resource, to->event, OCELOTL_NONE, time + 8);
        must_step(writer, resource, to->variable, time + 8, check_below(&to->random, 100));
        CHECK_OK(ocelotl_writer_link_begin(&link, writer, resource, to->link, OCELOTL_NONE,
                                           time + 8, &size, 1));
        CHECK_OK(ocelotl_writer_link_end(writer, link, to->resources[(r + 1) % LEAVES], time + 9,
                                         NULL, 0));
        must_step(writer, resource, to->counter, time + 9, check_below(&to->random, 100));
    }
}

static ocelotl_trace *write_trace(int64_t rounds, uint64_t random)
{
    writing to = {.random = random};
    to.writer = must_write(temporary_path("threads.db"), NULL);
    declare(&to);
    for (int64_t round = 0; round < rounds; round++)
        for (int r = 0; r < LEAVES; r++)
            happen(&to, r, round * 10);
    must_finish(to.writer);
    return must_open(temporary_path("threads.db"));
}

/* Not all kinds of waits occur, and they have no durations. */
static bool is_of_waiting(const char *metric)
{
    return strncmp(metric, "wait", 4) == 0 || strcmp(metric, "critical-path") == 0 ||
           strcmp(metric, "work") == 0;
}

static void check_threads(ocelotl_trace *trace, const ocelotl_model_options *options)
{
    ocelotl_model_options with = *options;
    omp_set_num_threads(3);
    with.work.threads = 1;
    OWN_MODEL *alone = must_build(trace, &with);
    with.work.threads = 4;
    OWN_MODEL *together = must_build(trace, &with);
    CHECK(omp_get_max_threads() == 3);
    CHECK(ocelotl_model_info_of(alone).cell_count > 0 || is_of_waiting(options->cells.metric));
    cells_check_same(alone, together);
}

/* Threads open the file once more: what they find there may be another trace, or nothing. */
static void check_changed(ocelotl_trace *trace)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    sqlite3 *database;
    ocelotl_model *refused;
    options.slices = SLICES;
    options.work.threads = 3;
    OWN_MODEL *before = must_build(trace, &options);
    ocelotl_trace_free(write_trace(ROUNDS / 2, 8));
    OWN_MODEL *replaced = must_build(trace, &options);
    cells_check_same(before, replaced);
    CHECK(unlink(temporary_path("threads.db")) == 0);
    OWN_MODEL *removed = must_build(trace, &options);
    cells_check_same(before, removed);
    ocelotl_trace_free(write_trace(ROUNDS / 2, 8));
    CHECK(sqlite3_open(temporary_path("threads.db"), &database) == SQLITE_OK);
    CHECK(sqlite3_exec(database, "DELETE FROM chunk WHERE stream = 1 AND number = 2", NULL, NULL,
                       NULL) == SQLITE_OK);
    CHECK(sqlite3_changes(database) == 1);
    sqlite3_close(database);
    OWN_TRACE *damaged = must_open(temporary_path("threads.db"));
    for (options.work.threads = 1; options.work.threads < 4; options.work.threads++)
        CHECK_FAILS(ocelotl_model_from_trace(&refused, damaged, &options), OCELOTL_ERROR_INPUT,
                    "threads.db: is damaged");
}

/* A level counts with its time, and a counter without. */
static void check_units(ocelotl_trace *trace)
{
    static const char *const units[][2] = {{"load / turns", "s"},
                                           {"turns / load", "1/s"},
                                           {"2 * load / load", ""},
                                           {"turns / turns", ""}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
        options.slices = SLICES;
        options.cells.metric = units[i][0];
        OWN_MODEL *model = must_build(trace, &options);
        CHECK_TEXT(ocelotl_model_info_of(model).unit, units[i][1]);
    }
}

int main(void)
{
    temporary_begin();
    OWN_TRACE *trace = write_trace(ROUNDS, 7);
    uint32_t served = 0;
    for (uint32_t i = 0; i < ocelotl_metric_count(); i++) {
        ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
        options.slices = SLICES;
        options.cells.metric = ocelotl_metric_at(i).name;
        if (!oc_metric_serves(i, trace))
            continue;
        check_threads(trace, &options);
        served++;
        if (strcmp(ocelotl_metric_at(i).category, "state") != 0 ||
            is_of_waiting(options.cells.metric))
            continue;
        options.selection.min_duration = 3;
        check_threads(trace, &options);
    }
    CHECK(served == ocelotl_metric_count());
    check_units(trace);
    check_changed(trace);
    return 0;
}
