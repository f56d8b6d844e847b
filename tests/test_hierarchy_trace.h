/* A small trace whose hierarchy is known, for tests of what is done to it. */
#ifndef OC_TESTS_HIERARCHY_TRACE_H
#define OC_TESTS_HIERARCHY_TRACE_H

#include "temporary.h"

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
    uint32_t types[4], numbers[64];
    CHECK(count <= 64);
    ocelotl_writer *writer = must_write(temporary_path("hierarchy.db"), NULL);
    for (int t = 0; t < 4; t++)
        types[t] = must_kind(writer, t > 0 ? types[t - 1] : OCELOTL_ROOT, hierarchy_types[t]);
    const uint32_t doing = must_type(writer, OCELOTL_STATE, types[3], "doing");
    const uint32_t busy = must_value(writer, doing, "busy");
    for (size_t r = 0; r < count; r++) {
        const hierarchy_resource *is = &resources[r];
        numbers[r] =
            must_resource(writer, types[is->type],
                          is->parent < 0 ? OCELOTL_ROOT : numbers[is->parent], is->name, is->begin);
        if (is->to > is->from) {
            must_state(writer, numbers[r], doing, busy, is->from, is->to);
        }
        must_end(writer, numbers[r], is->end);
    }
    must_finish(writer);
    return must_open(temporary_path("hierarchy.db"));
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
