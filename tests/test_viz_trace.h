/* A small trace to draw, and golden scenes of it. Include it first. */
#ifndef OC_TESTS_VIZ_TRACE_H
#define OC_TESTS_VIZ_TRACE_H

#include "temporary.h"

#include "test_scene_files.h"

#include "viz/gantt/gantt.h"

enum { VIZ_TRACE_MACHINES = 2 };

/* Two machines with nested states, short ones, an event, a variable and a link. */
static inline void viz_trace_write(const char *path)
{
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    uint32_t load, outer, inner, call, resources[VIZ_TRACE_MACHINES];
    uint64_t link;
    options.name = "two machines";
    options.tick_denominator = 1000;
    ocelotl_writer *writer = must_write(path, &options);
    const uint32_t type = must_kind(writer, OCELOTL_ROOT, "machine");
    const uint32_t states = must_type(writer, OCELOTL_STATE, type, "state");
    const uint32_t calls = must_type(writer, OCELOTL_EVENT, type, "call");
    CHECK_OK(ocelotl_writer_event_type(&load, writer, OCELOTL_VARIABLE, type, "load", 0x3060A0));
    const uint32_t message = must_type(writer, OCELOTL_LINK, OCELOTL_ROOT, "message");
    CHECK_OK(ocelotl_writer_value(&outer, writer, states, "outer", 0x2080C0));
    CHECK_OK(ocelotl_writer_value(&inner, writer, states, "inner", 0xC08020));
    call = must_value(writer, calls, "begin");
    const uint32_t made = must_value(writer, message, "data");
    resources[0] = must_resource(writer, type, OCELOTL_ROOT, "first", 0);
    resources[1] = must_resource(writer, type, OCELOTL_ROOT, "second", 200);
    must_push(writer, resources[0], states, outer, 0);
    must_event(writer, resources[0], calls, call, 50);
    must_step(writer, resources[0], load, 0, 2);
    must_push(writer, resources[0], states, inner, 100);
    link = must_begin_link(writer, resources[0], message, made, 150);
    for (int64_t i = 0; i < 100; i++) { /* too short to be seen apart */
        must_state(writer, resources[1], states, i % 4 == 0 ? outer : inner, 300 + i, 301 + i);
    }
    must_end_link(writer, link, resources[1], 450);
    must_step(writer, resources[0], load, 500, 6);
    must_pop(writer, resources[0], states, 0, 600);
    must_push(writer, resources[1], states, outer, 600);
    must_pop(writer, resources[0], states, 0, 1000);
    must_finish(writer);
}

/* Describes all but the metadata, which has the trace's uid and our version. */
static inline oc_text viz_trace_describe(const oc_scene *scene)
{
    oc_text whole = {0}, kept = {0};
    scene_describe(&whole, scene);
    CHECK(!whole.failed);
    for (char *line = strtok(whole.bytes, "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (strncmp(line, "metadata", 8) != 0)
            oc_text_format(&kept, "%s\n", line);
    oc_text_free(&whole);
    CHECK(kept.bytes != NULL && !kept.failed);
    return kept;
}

/* OCELOTL_GOLDEN_UPDATE writes the file instead: review the change before you keep it. */
static inline void viz_trace_golden(const oc_scene *scene, const char *name)
{
    char path[1024];
    const char *root = getenv("OCELOTL_ROOT");
    oc_text found = viz_trace_describe(scene);
    snprintf(path, sizeof path, "%s/tests/golden/%s", root != NULL ? root : "..", name);
    if (getenv("OCELOTL_GOLDEN_UPDATE") != NULL)
        temporary_write(path, found.bytes, found.length);
    oc_text wanted = read_whole(path);
    CHECK_TEXT(found.bytes, wanted.bytes);
    oc_text_free(&wanted);
    oc_text_free(&found);
}

/* Lays out the space-time diagram of a trace, of objects as narrow as that (0: the default) and
 * read from as many events (0: the default). */
static inline oc_scene viz_trace_gantt(ocelotl_trace *trace, double width, double height,
                                       double narrowest, uint64_t most_events)
{
    const ocelotl_picture_options view = {.size = sizeof view, .width = width, .height = height};
    ocelotl_drawables_options options = {0};
    oc_picture picture = {0};
    oc_scene scene = {0};
    options.width = width * 0.8;
    if (narrowest > 0)
        options.narrowest = narrowest;
    if (most_events > 0)
        options.max_events = most_events;
    ocelotl_drawables *drawables = must_find_drawables(trace, &options);
    CHECK_OK(oc_picture_read(&picture, &(oc_target){0}, &view));
    const oc_gantt_input input = {trace, drawables};
    CHECK_OK(oc_gantt_lay_out(&scene, &picture, &input));
    CHECK(scene.open_groups == 0);
    oc_picture_free(&picture);
    ocelotl_drawables_free(drawables);
    return scene;
}

#endif
