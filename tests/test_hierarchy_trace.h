/* A small trace whose hierarchy is known, for tests of what is done to it. */
#ifndef OC_TESTS_HIERARCHY_TRACE_H
#define OC_TESTS_HIERARCHY_TRACE_H

#include "temporary.h"

#include <ocelotl/ocelotl.h>

/* A resource in the order of the trace: parents first. It lives from `begin` to `end`, and is busy
 * from `from` to `to`. */
typedef struct hierarchy_resource {
    int parent; /* -1: none */
    int type;   /* of hierarchy_types */
    const char *name;
    int64_t begin, end;
    int64_t from, to; /* 0, 0: no events */
} hierarchy_resource;

static const char *const hierarchy_types[] = {"site", "cluster", "machine", "process"};

static inline ocelotl_trace *hierarchy_trace(const hierarchy_resource *resources, size_t count)
{
    ocelotl_writer *writer;
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    ocelotl_trace *trace;
    uint32_t types[4];
    uint32_t doing;
    uint32_t busy;
    uint32_t numbers[64];
    options.overwrite = true;
    CHECK(count <= 64);
    CHECK_OK(ocelotl_writer_open(&writer, temporary_path("hierarchy.db"), &options));
    for (int t = 0; t < 4; t++)
        CHECK_OK(ocelotl_writer_resource_type(
            &types[t], writer, t > 0 ? types[t - 1] : OCELOTL_ROOT, hierarchy_types[t]));
    CHECK_OK(ocelotl_writer_event_type(&doing, writer, OCELOTL_STATE, types[3], "doing", -1));
    CHECK_OK(ocelotl_writer_value(&busy, writer, doing, "busy", -1));
    for (size_t r = 0; r < count; r++) {
        const hierarchy_resource *is = &resources[r];
        CHECK_OK(ocelotl_writer_resource(&numbers[r], writer, types[is->type],
                                         is->parent < 0 ? OCELOTL_ROOT : numbers[is->parent],
                                         is->name, is->begin));
        if (is->to > is->from) {
            CHECK_OK(ocelotl_writer_push(writer, numbers[r], doing, busy, is->from, NULL, 0));
            CHECK_OK(ocelotl_writer_pop(writer, numbers[r], doing, 0, is->to, NULL, 0));
        }
        CHECK_OK(ocelotl_writer_resource_end(writer, numbers[r], is->end));
    }
    CHECK_OK(ocelotl_writer_finish(writer));
    ocelotl_writer_free(writer);
    CHECK_OK(ocelotl_trace_open(&trace, temporary_path("hierarchy.db")));
    return trace;
}

/* Checks the paths of all nodes but the root, in order, and frees the model. */
static inline void hierarchy_check(ocelotl_model *model, const char *const *paths)
{
    const uint32_t count = ocelotl_model_info_of(model).node_count;
    for (uint32_t k = 1; k < count; k++) {
        CHECK(paths[k - 1] != NULL);
        CHECK_TEXT(ocelotl_model_node_at(model, k).path, paths[k - 1]);
    }
    CHECK(paths[count - 1] == NULL);
    ocelotl_model_free(model);
}

/* Ends a list of paths. */
#define HIERARCHY_PATHS(...) ((const char *const[]){__VA_ARGS__, NULL})

#endif
