#include "made.h"

static void build_models(ocelotl_trace *trace)
{
    for (int nesting = OCELOTL_INNERMOST; nesting <= OCELOTL_INCLUSIVE; nesting++) {
        ocelotl_model *model = NULL;
        ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
        options.slices = 7;
        options.cells.nesting = (ocelotl_nesting)nesting;
        const ocelotl_status status = ocelotl_model_from_trace(&model, trace, &options);
        if (status != OCELOTL_OK) {
            fuzz_check_failure(status);
            FUZZ_CHECK(strstr(ocelotl_error_message(), "damaged") == NULL);
        }
        ocelotl_model_free(model);
    }
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

/* A trace that was made is sound. */
static void check_made(const char *path)
{
    ocelotl_trace *trace;
    FUZZ_CHECK(ocelotl_trace_open(&trace, path) == OCELOTL_OK);
    build_models(trace);
    read_events(trace);
    ocelotl_trace_free(trace);
    FUZZ_CHECK(unlink(path) == 0);
}

void check_import(const char *path, ocelotl_status status)
{
    if (status == OCELOTL_OK) {
        check_made(path);
        return;
    }
    fuzz_check_failure(status);
    FUZZ_CHECK(access(path, F_OK) != 0);
}
