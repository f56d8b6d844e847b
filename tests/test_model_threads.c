/* The model of a trace is the same for any number of threads, whatever its metric: in a trace that
 * is long enough for several. */
#define _GNU_SOURCE
#include "model/core/model.h"
#include "test_model_cells.h"

#include "temporary.h"

#include <omp.h>

enum { LEAVES = 60, ROUNDS = 8000, SLICES = 37 };

typedef struct writing {
    ocelotl_writer *writer;
    uint32_t resources[LEAVES], states, values[3], event, variable, link, size;
    uint64_t random;
} writing;

static void declare(writing *to)
{
    ocelotl_writer *writer = to->writer;
    uint32_t type;
    CHECK_OK(ocelotl_writer_resource_type(&type, writer, OCELOTL_ROOT, "process"));
    CHECK_OK(ocelotl_writer_event_type(&to->states, writer, OCELOTL_STATE, type, "doing", -1));
    CHECK_OK(ocelotl_writer_event_type(&to->event, writer, OCELOTL_EVENT, type, "mark", -1));
    CHECK_OK(ocelotl_writer_event_type(&to->variable, writer, OCELOTL_VARIABLE, type, "load", -1));
    CHECK_OK(ocelotl_writer_event_type(&to->link, writer, OCELOTL_LINK, type, "message", -1));
    CHECK_OK(ocelotl_writer_attribute(&to->size, writer, to->link, "size"));
    CHECK_OK(ocelotl_writer_value(&to->values[0], writer, to->states, "compute", -1));
    CHECK_OK(ocelotl_writer_value(&to->values[1], writer, to->states, "send", -1));
    CHECK_OK(ocelotl_writer_value(&to->values[2], writer, to->states, "wait", -1));
    for (int r = 0; r < LEAVES; r++) {
        char name[16];
        snprintf(name, sizeof name, "p%d", r);
        CHECK_OK(ocelotl_writer_resource(&to->resources[r], writer, type, OCELOTL_ROOT, name, 0));
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
    CHECK_OK(ocelotl_writer_push(writer, resource, to->states, outer, time, NULL, 0));
    CHECK_OK(ocelotl_writer_push(writer, resource, to->states, inner,
                                 time + check_below(&to->random, 3), NULL, 0));
    CHECK_OK(ocelotl_writer_pop(writer, resource, to->states, 0,
                                time + 3 + check_below(&to->random, 3), NULL, 0));
    CHECK_OK(ocelotl_writer_pop(writer, resource, to->states, 0,
                                time + 6 + check_below(&to->random, 3), NULL, 0));
    if (check_below(&to->random, 8) == 0) {
        const ocelotl_attribute_value size = {to->size, "512", 3};
        CHECK_OK(
            ocelotl_writer_event(writer, resource, to->event, OCELOTL_NONE, time + 8, NULL, 0));
        CHECK_OK(ocelotl_writer_variable(writer, resource, to->variable, time + 8,
                                         check_below(&to->random, 100), NULL, 0));
        CHECK_OK(ocelotl_writer_link_begin(&link, writer, resource, to->link, OCELOTL_NONE,
                                           time + 8, &size, 1));
        CHECK_OK(ocelotl_writer_link_end(writer, link, to->resources[(r + 1) % LEAVES], time + 9,
                                         NULL, 0));
    }
}

static ocelotl_trace *write_trace(void)
{
    writing to = {.random = 7};
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    ocelotl_trace *trace;
    options.overwrite = true;
    CHECK_OK(ocelotl_writer_open(&to.writer, temporary_path("threads.db"), &options));
    declare(&to);
    for (int64_t round = 0; round < ROUNDS; round++)
        for (int r = 0; r < LEAVES; r++)
            happen(&to, r, round * 10);
    CHECK_OK(ocelotl_writer_finish(to.writer));
    ocelotl_writer_free(to.writer);
    CHECK_OK(ocelotl_trace_open(&trace, temporary_path("threads.db")));
    return trace;
}

static void check_same_cells(const oc_series *series, const uint32_t *slices, const double *values,
                             size_t count, const oc_series *others, const uint32_t *other_slices,
                             const double *other_values)
{
    for (size_t s = 0; s < count; s++) {
        CHECK(series[s].leaf == others[s].leaf && series[s].type == others[s].type);
        CHECK(series[s].first == others[s].first && series[s + 1].first == others[s + 1].first);
        for (size_t c = series[s].first; c < series[s + 1].first; c++)
            CHECK(slices[c] == other_slices[c] && values[c] == other_values[c]);
    }
}

static void check_threads(ocelotl_trace *trace, const ocelotl_model_options *options)
{
    ocelotl_model *alone;
    ocelotl_model *together;
    ocelotl_model_options with = *options;
    omp_set_num_threads(3);
    with.work.threads = 1;
    CHECK_OK(ocelotl_model_from_trace(&alone, trace, &with));
    with.work.threads = 4;
    CHECK_OK(ocelotl_model_from_trace(&together, trace, &with));
    CHECK(omp_get_max_threads() == 3);
    const oc_matrix *a = oc_model_matrix(alone);
    const oc_matrix *b = oc_model_matrix(together);
    CHECK(a->series_count > 0 && a->series_count == b->series_count &&
          a->cell_count == b->cell_count);
    check_same_cells(a->series, a->cell_slice, a->cell_value, a->series_count, b->series,
                     b->cell_slice, b->cell_value);
    CHECK(alone->drawn.series_count == together->drawn.series_count);
    check_same_cells(alone->drawn.series, alone->drawn.slice, alone->drawn.value,
                     alone->drawn.series_count, together->drawn.series, together->drawn.slice,
                     together->drawn.value);
    ocelotl_model_free(together);
    ocelotl_model_free(alone);
}

int main(void)
{
    ocelotl_trace *trace = write_trace();
    uint32_t served = 0;
    for (uint32_t i = 0; i < ocelotl_metric_count(); i++) {
        ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
        options.slices = SLICES;
        options.cells.metric = ocelotl_metric_at(i).name;
        if (!ocelotl_metric_serves(i, trace))
            continue;
        check_threads(trace, &options);
        served++;
        if (strcmp(ocelotl_metric_at(i).category, "state") != 0)
            continue;
        options.selection.min_duration = 3;
        check_threads(trace, &options);
    }
    CHECK(served == ocelotl_metric_count());
    ocelotl_trace_free(trace);
    return 0;
}
