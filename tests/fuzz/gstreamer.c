/* Logs of GStreamer of any bytes: their import succeeds or fails with a message and leaves nothing;
 * what it wrote can be read event by event. The first byte chooses the options; the rest is the
 * file, or, from 128 on, up to the first NUL, and behind it another file. */
#include "fuzz.h"

#include <ocelotl/ocelotl.h>

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    temporary_begin();
    return 0;
}

static void write_file(const char *name, const uint8_t *bytes, size_t length)
{
    FILE *file = fopen(temporary_path(name), "wb");
    FUZZ_CHECK(file != NULL && fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
}

static size_t write_files(const uint8_t *bytes, size_t length, bool two)
{
    const uint8_t *end = two ? memchr(bytes, 0, length) : NULL;
    const size_t first = end != NULL ? (size_t)(end - bytes) : length;
    write_file("a.log", bytes, first);
    if (end == NULL)
        return 1;
    write_file("b.log", bytes + first + 1, length - first - 1);
    return 2;
}

static void read_events(ocelotl_trace *trace)
{
    ocelotl_events *events;
    ocelotl_event event;
    bool found = true;
    FUZZ_CHECK(ocelotl_events_open(&events, trace, NULL) == OCELOTL_OK);
    while (found) {
        FUZZ_CHECK(ocelotl_events_next(&found, &event, events) == OCELOTL_OK);
        FUZZ_CHECK(!found || event.event_type < ocelotl_trace_event_type_count(trace));
        FUZZ_CHECK(!found || event.category != OCELOTL_STATE || event.begin <= event.end);
    }
    ocelotl_events_free(events);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const char *target = temporary_path("trace.db");
    const char *const sources[] = {temporary_path("a.log"), temporary_path("b.log")};
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    ocelotl_trace *trace;
    if (length == 0)
        return 0;
    const size_t count = write_files(bytes + 1, length - 1, bytes[0] >= 128);
    options.format = "gstreamer";
    options.overwrite = true;
    options.lenient = bytes[0] % 2 == 0;
    options.same_root = bytes[0] / 2 % 2 == 0;
    options.align = (ocelotl_align)(bytes[0] / 4 % 4);
    options.value = (ocelotl_import_value)(bytes[0] / 16 % 3);
    const ocelotl_status status = ocelotl_import_files(target, sources, count, &options);
    if (status != OCELOTL_OK) {
        fuzz_check_failure(status);
        FUZZ_CHECK(access(target, F_OK) != 0);
        return 0;
    }
    FUZZ_CHECK(ocelotl_trace_open(&trace, target) == OCELOTL_OK);
    read_events(trace);
    ocelotl_trace_free(trace);
    FUZZ_CHECK(unlink(target) == 0);
    return 0;
}
