/* A tracer that writes a trace.db itself, with no other format in between.
 *
 *     write_trace TRACE.db */
#include <ocelotl/ocelotl.h>

#include <stdio.h>
#include <stdlib.h>

enum { WORKERS = 4, STEPS = 50 };

#define TRY(call)                           \
    do {                                    \
        const ocelotl_status failed = call; \
        if (failed != OCELOTL_OK)           \
            return failed;                  \
    } while (0)

typedef struct recorder {
    ocelotl_writer *writer;
    uint32_t workers[WORKERS]; /* resources */
    uint32_t activity;         /* an event type, with two values: */
    uint32_t compute, exchange;
} recorder;

/* Names are declared once, before they are used. */
static ocelotl_status declare(recorder *tracer)
{
    ocelotl_writer *writer = tracer->writer;
    uint32_t node_type;
    uint32_t worker_type;
    uint32_t node = OCELOTL_ROOT;
    TRY(ocelotl_writer_resource_type(&node_type, writer, OCELOTL_ROOT, "node"));
    TRY(ocelotl_writer_resource_type(&worker_type, writer, node_type, "worker"));
    TRY(ocelotl_writer_event_type(&tracer->activity, writer, OCELOTL_STATE, worker_type, "activity",
                                  -1));
    TRY(ocelotl_writer_value(&tracer->compute, writer, tracer->activity, "compute", 0x4E9A06));
    TRY(ocelotl_writer_value(&tracer->exchange, writer, tracer->activity, "exchange", -1));
    for (int i = 0; i < WORKERS; i++) {
        char name[32];
        if (i % 2 == 0) {
            snprintf(name, sizeof name, "node %d", i / 2);
            TRY(ocelotl_writer_resource(&node, writer, node_type, OCELOTL_ROOT, name, 0));
        }
        snprintf(name, sizeof name, "worker %d", i);
        TRY(ocelotl_writer_resource(&tracer->workers[i], writer, worker_type, node, name, 0));
    }
    return OCELOTL_OK;
}

/* Records each step: it computes for some time, then exchanges until the step ends; worker 3 is
 * slow for a while. */
static ocelotl_status record(recorder *tracer)
{
    ocelotl_writer *writer = tracer->writer;
    for (int64_t step = 0; step < STEPS; step++)
        for (int i = 0; i < WORKERS; i++) {
            const uint32_t worker = tracer->workers[i];
            const int64_t begin = step * 1000;
            const int64_t busy = i == 3 && step >= 20 && step < 30 ? 950 : 600;
            TRY(ocelotl_writer_push(writer, worker, tracer->activity, tracer->compute, begin, NULL,
                                    0));
            TRY(ocelotl_writer_pop(writer, worker, tracer->activity, 0, begin + busy, NULL, 0));
            TRY(ocelotl_writer_push(writer, worker, tracer->activity, tracer->exchange,
                                    begin + busy, NULL, 0));
            TRY(ocelotl_writer_pop(writer, worker, tracer->activity, 0, begin + 1000, NULL, 0));
        }
    return OCELOTL_OK;
}

static ocelotl_status write_trace(recorder *tracer, const char *path)
{
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    options.name = "four workers";
    options.tick_numerator = 1; /* times are in microseconds */
    options.tick_denominator = 1000000;
    TRY(ocelotl_writer_open(&tracer->writer, path, &options));
    TRY(declare(tracer));
    TRY(record(tracer));
    return ocelotl_writer_finish(tracer->writer);
}

int main(int count, char **arguments)
{
    recorder tracer = {0};
    if (count != 2) {
        fprintf(stderr, "usage: write_trace TRACE.db\n");
        return 2;
    }
    const ocelotl_status status = write_trace(&tracer, arguments[1]);
    if (status != OCELOTL_OK)
        fprintf(stderr, "write_trace: %s\n", ocelotl_error_message());
    /* Where it was not finished, nothing is left on disk. */
    ocelotl_writer_free(tracer.writer);
    return status == OCELOTL_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
