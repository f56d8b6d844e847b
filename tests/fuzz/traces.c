#include "traces.h"

#include "fuzz.h"

#include <ocelotl/ocelotl.h>

typedef struct writing {
    ocelotl_writer *writer;
    uint32_t resources[3];
    uint32_t state, variable, event, link, outer, inner, mark, data, size, note;
} writing;

static void declare(writing *w, const char *path, int64_t begin)
{
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    uint32_t site, type;
    options.tick_denominator = 1000;
    options.origin = "2026-01-02T03:04:05Z";
    w->writer = must_write(path, &options);
    site = must_kind(w->writer, OCELOTL_ROOT, "site");
    type = must_kind(w->writer, site, "thread");
    w->resources[0] = must_resource(w->writer, site, OCELOTL_ROOT, "a", begin);
    for (uint32_t r = 1; r < 3; r++)
        w->resources[r] = must_resource(w->writer, type, w->resources[0], "b/%", begin);
    CHECK_OK(ocelotl_writer_resource_note(w->writer, w->resources[0], "host", "x"));
    CHECK_OK(
        ocelotl_writer_event_type(&w->state, w->writer, OCELOTL_STATE, type, "state", 0x123456));
    w->variable = must_type(w->writer, OCELOTL_VARIABLE, type, "load");
    CHECK_OK(ocelotl_writer_unit(w->writer, w->variable, "W"));
    w->event = must_type(w->writer, OCELOTL_EVENT, site, "mark");
    w->link = must_type(w->writer, OCELOTL_LINK, OCELOTL_ROOT, "message");
    w->outer = must_value(w->writer, w->state, "outer");
    CHECK_OK(ocelotl_writer_value(&w->inner, w->writer, w->state, "inner", 0xFF));
    w->mark = must_value(w->writer, w->event, "here");
    w->data = must_value(w->writer, w->link, "data");
    w->note = must_attribute(w->writer, w->state, "note");
    w->size = must_attribute(w->writer, w->link, "size");
    CHECK_OK(ocelotl_writer_warning(w->writer, "odd", 2, "somewhere"));
}

/* One of everything between two instants. */
static void write_round(const writing *w, int64_t time, int64_t step, uint32_t i)
{
    const uint32_t r = w->resources[1 + i % 2];
    const ocelotl_attribute_value size = {w->size, "12", 2};
    const ocelotl_attribute_value note = {w->note, "7", 1};
    uint64_t link;
    CHECK_OK(ocelotl_writer_push(w->writer, r, w->state, i % 3 == 0 ? w->outer : w->inner, time,
                                 &note, i % 2));
    CHECK_OK(ocelotl_writer_link_begin(&link, w->writer, r, w->link, w->data, time, &size, 1));
    must_step(w->writer, r, w->variable, time, (double)i - 1);
    if (i % 4 != 3)
        must_end_link(w->writer, link, w->resources[2 - i % 2], time + step);
    must_event(w->writer, w->resources[0], w->event, i % 2 ? w->mark : OCELOTL_NONE, time + step);
    if (i % 3 != 0)
        must_pop(w->writer, r, w->state, i % 6 == 4 ? 1 : 0, time + step);
}

void write_small_trace(const char *path)
{
    writing w;
    declare(&w, path, 0);
    for (uint32_t i = 0; i < 12; i++)
        write_round(&w, 10 * i, 10, i);
    CHECK_OK(ocelotl_writer_link_orphan(w.writer, w.resources[1], w.link, w.data, 55, NULL, 0));
    must_end(w.writer, w.resources[2], 130);
    must_finish(w.writer);
}

void write_long_trace(const char *path)
{
    const int64_t step = INT64_MAX / 5;
    writing w;
    declare(&w, path, INT64_MIN);
    for (uint32_t i = 0; i < 4; i++)
        write_round(&w, INT64_MIN + (int64_t)i * step, step, i);
    must_finish(w.writer);
}

void write_trace_of_chunks(const char *path)
{
    writing w;
    declare(&w, path, -7);
    for (uint32_t i = 0; i < 1400; i++) {
        write_round(&w, i < 700 ? i : 3 * (int64_t)i, i < 700 ? 1 : 3, 1 + 6 * (i / 2) + i % 2 * 4);
        if (i == 699)
            CHECK_OK(ocelotl_writer_refine(w.writer, 3));
    }
    must_finish(w.writer);
}
