/* What tests ask of the library where it must succeed: it ends the test otherwise. */
#ifndef OC_TESTS_MADE_H
#define OC_TESTS_MADE_H

#include "aggregate/explanation.h"
#include "aggregate/hierarchies.h"
#include "check.h"
#include "compare/compare.h"
#include "quality/causality.h"
#include "quality/clocks.h"
#include "quality/perturbation.h"
#include "query/drawables.h"
#include "query/durations.h"
#include "query/messages.h"
#include "series/derived.h"
#include "viz/pictures.h"

#include <ocelotl/ocelotl.h>

/* Draws into a file in the format of its suffix: `draw` with what it takes beside sink and format.
 */
#define MUST_DRAW(path, draw, ...)                              \
    do {                                                        \
        const char *path_ = (path);                             \
        ocelotl_picture_format format_;                         \
        ocelotl_file *file_ = NULL;                             \
        CHECK_OK(ocelotl_picture_find_format(&format_, path_)); \
        CHECK_OK(ocelotl_file_open(&file_, path_, true));       \
        const ocelotl_sink sink_ = ocelotl_file_sink(file_);    \
        CHECK_OK(draw(&sink_, format_, __VA_ARGS__));           \
        CHECK_OK(ocelotl_file_commit(file_));                   \
        ocelotl_file_free(file_);                               \
    } while (0)

/* OWN_MODEL *model = ..: it is freed where the block ends that declares it, the last one first. */
#define MADE_OWN(name)                                     \
    static inline void made_end_##name(void *object)       \
    {                                                      \
        ocelotl_##name##_free(*(ocelotl_##name **)object); \
    }
MADE_OWN(trace)
MADE_OWN(model)
MADE_OWN(aggregation)
MADE_OWN(partition)
MADE_OWN(levels)
MADE_OWN(events)
MADE_OWN(query)
MADE_OWN(statistics)
MADE_OWN(drawables)
MADE_OWN(comparison)
MADE_OWN(verification)
#define OWN_TRACE        __attribute__((cleanup(made_end_trace))) ocelotl_trace
#define OWN_MODEL        __attribute__((cleanup(made_end_model))) ocelotl_model
#define OWN_AGGREGATION  __attribute__((cleanup(made_end_aggregation))) ocelotl_aggregation
#define OWN_PARTITION    __attribute__((cleanup(made_end_partition))) ocelotl_partition
#define OWN_LEVELS       __attribute__((cleanup(made_end_levels))) ocelotl_levels
#define OWN_EVENTS       __attribute__((cleanup(made_end_events))) ocelotl_events
#define OWN_QUERY        __attribute__((cleanup(made_end_query))) ocelotl_query
#define OWN_STATISTICS   __attribute__((cleanup(made_end_statistics))) ocelotl_statistics
#define OWN_DRAWABLES    __attribute__((cleanup(made_end_drawables))) ocelotl_drawables
#define OWN_COMPARISON   __attribute__((cleanup(made_end_comparison))) ocelotl_comparison
#define OWN_VERIFICATION __attribute__((cleanup(made_end_verification))) ocelotl_verification

static inline ocelotl_trace *must_open(const char *path)
{
    ocelotl_trace *made;
    CHECK_OK(ocelotl_trace_open(&made, path));
    return made;
}

static inline ocelotl_model *must_build(ocelotl_trace *trace, const ocelotl_model_options *options)
{
    ocelotl_model *made;
    CHECK_OK(ocelotl_model_from_trace(&made, trace, options));
    return made;
}

/* A model that the options refuse to be made of a trace. */
#define MUST_REFUSE(trace, options, text) \
    CHECK_REFUSED(ocelotl_model_from_trace(&(ocelotl_model *){NULL}, (trace), (options)), text)

static inline ocelotl_model *must_take(const ocelotl_model_arrays *arrays)
{
    ocelotl_model *made;
    CHECK_OK(ocelotl_model_from_arrays(&made, arrays));
    return made;
}

/* A model of as many nodes, types, slices and cells; NULL for numbers as names. */
static inline ocelotl_model *must_take_cells(const char *name, uint32_t nodes,
                                             const uint32_t *parents, const char *const *names,
                                             uint32_t types, const char *const *type_names,
                                             uint32_t slices, const ocelotl_cell *cells,
                                             size_t count)
{
    ocelotl_model_arrays arrays = OCELOTL_MODEL_ARRAYS_INIT;
    arrays.name = name;
    arrays.node_count = nodes;
    arrays.parents = parents;
    arrays.names = names;
    arrays.type_count = types;
    arrays.types = type_names;
    arrays.slice_count = slices;
    arrays.cells = cells;
    arrays.cell_count = count;
    return must_take(&arrays);
}

static inline ocelotl_aggregation *must_aggregate(const ocelotl_model *model,
                                                  const ocelotl_aggregation_options *options)
{
    ocelotl_aggregation *made;
    CHECK_OK(ocelotl_aggregation_create(&made, model, options));
    return made;
}

static inline ocelotl_partition *must_solve(const ocelotl_aggregation *aggregation, double p)
{
    ocelotl_partition *made;
    CHECK_OK(ocelotl_solve(&made, aggregation, p));
    return made;
}

static inline ocelotl_partition *must_solve_raw(const ocelotl_aggregation *aggregation, double p)
{
    ocelotl_partition *made;
    CHECK_OK(ocelotl_solve_raw(&made, aggregation, p));
    return made;
}

static inline ocelotl_partition *must_solve_auto(const ocelotl_aggregation *aggregation)
{
    ocelotl_partition *made;
    CHECK_OK(ocelotl_solve_auto(&made, aggregation));
    return made;
}

static inline ocelotl_levels *must_find_levels(const ocelotl_aggregation *aggregation,
                                               const ocelotl_levels_options *options)
{
    ocelotl_levels *made;
    CHECK_OK(ocelotl_levels_find(&made, aggregation, options));
    return made;
}

static inline ocelotl_events *must_list(ocelotl_trace *trace, const ocelotl_events_options *options)
{
    ocelotl_events *made;
    CHECK_OK(ocelotl_events_open(&made, trace, options));
    return made;
}

/* The next one of a list; false behind the last. */
static inline bool must_next(ocelotl_event *event, ocelotl_events *events)
{
    bool found;
    CHECK_OK(ocelotl_events_next(&found, event, events));
    return found;
}

static inline ocelotl_statistics *must_sum(ocelotl_trace *trace,
                                           const ocelotl_statistics_options *options)
{
    ocelotl_statistics *made;
    CHECK_OK(ocelotl_statistics_compute(&made, trace, options));
    return made;
}

static inline ocelotl_drawables *must_find_drawables(ocelotl_trace *trace,
                                                     const ocelotl_drawables_options *options)
{
    ocelotl_drawables *made;
    static const ocelotl_drawables_options all;
    CHECK_OK(ocelotl_drawables_compute(&made, trace, options != NULL ? options : &all));
    return made;
}

static inline ocelotl_comparison *must_compare(const ocelotl_model *first,
                                               const ocelotl_model *second)
{
    ocelotl_comparison *made;
    CHECK_OK(ocelotl_compare_models(&made, first, second));
    return made;
}

/* Frees what was made of each other; NULL is nothing. */
static inline void must_free(ocelotl_partition *partition, ocelotl_aggregation *aggregation,
                             ocelotl_model *model, ocelotl_trace *trace)
{
    ocelotl_partition_free(partition);
    ocelotl_aggregation_free(aggregation);
    ocelotl_model_free(model);
    ocelotl_trace_free(trace);
}

/* Replaces what is there, where nothing else is asked. */
static inline ocelotl_writer *must_write(const char *path, const ocelotl_writer_options *options)
{
    ocelotl_writer_options usual = OCELOTL_WRITER_OPTIONS_INIT;
    ocelotl_writer *made;
    usual.overwrite = true;
    CHECK_OK(ocelotl_writer_open(&made, path, options != NULL ? options : &usual));
    return made;
}

static inline ocelotl_writer *must_write_ticks(const char *path, uint64_t ticks_per_second)
{
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    options.overwrite = true;
    options.tick_denominator = ticks_per_second;
    return must_write(path, &options);
}

static inline uint32_t must_kind(ocelotl_writer *writer, uint32_t parent, const char *name)
{
    uint32_t made;
    CHECK_OK(ocelotl_writer_resource_type(&made, writer, parent, name));
    return made;
}

static inline uint32_t must_resource(ocelotl_writer *writer, uint32_t kind, uint32_t parent,
                                     const char *name, int64_t begin)
{
    uint32_t made;
    CHECK_OK(ocelotl_writer_resource(&made, writer, kind, parent, name, begin));
    return made;
}

static inline uint32_t must_type(ocelotl_writer *writer, ocelotl_category category, uint32_t kind,
                                 const char *name)
{
    uint32_t made;
    CHECK_OK(ocelotl_writer_event_type(&made, writer, category, kind, name, -1));
    return made;
}

static inline uint32_t must_value(ocelotl_writer *writer, uint32_t type, const char *name)
{
    uint32_t made;
    CHECK_OK(ocelotl_writer_value(&made, writer, type, name, -1));
    return made;
}

static inline uint32_t must_attribute(ocelotl_writer *writer, uint32_t type, const char *name)
{
    uint32_t made;
    CHECK_OK(ocelotl_writer_attribute(&made, writer, type, name));
    return made;
}

static inline void must_push(ocelotl_writer *writer, uint32_t resource, uint32_t type,
                             uint32_t value, int64_t time)
{
    CHECK_OK(ocelotl_writer_push(writer, resource, type, value, time, NULL, 0));
}

/* Ends the state that has `depth` others inside. */
static inline void must_pop(ocelotl_writer *writer, uint32_t resource, uint32_t type,
                            uint32_t depth, int64_t time)
{
    CHECK_OK(ocelotl_writer_pop(writer, resource, type, depth, time, NULL, 0));
}

static inline void must_state(ocelotl_writer *writer, uint32_t resource, uint32_t type,
                              uint32_t value, int64_t begin, int64_t end)
{
    must_push(writer, resource, type, value, begin);
    must_pop(writer, resource, type, 0, end);
}

static inline void must_event(ocelotl_writer *writer, uint32_t resource, uint32_t type,
                              uint32_t value, int64_t time)
{
    CHECK_OK(ocelotl_writer_event(writer, resource, type, value, time, NULL, 0));
}

/* The link that begins. */
static inline uint64_t must_begin_link(ocelotl_writer *writer, uint32_t resource, uint32_t type,
                                       uint32_t value, int64_t time)
{
    uint64_t link;
    CHECK_OK(ocelotl_writer_link_begin(&link, writer, resource, type, value, time, NULL, 0));
    return link;
}

static inline void must_end_link(ocelotl_writer *writer, uint64_t link, uint32_t resource,
                                 int64_t time)
{
    CHECK_OK(ocelotl_writer_link_end(writer, link, resource, time, NULL, 0));
}

/* A variable has a number from now on. */
static inline void must_step(ocelotl_writer *writer, uint32_t resource, uint32_t type, int64_t time,
                             double number)
{
    CHECK_OK(ocelotl_writer_variable(writer, resource, type, time, number, NULL, 0));
}

static inline void must_end(ocelotl_writer *writer, uint32_t resource, int64_t time)
{
    CHECK_OK(ocelotl_writer_resource_end(writer, resource, time));
}

static inline void must_finish(ocelotl_writer *writer)
{
    CHECK_OK(ocelotl_writer_finish(writer));
    ocelotl_writer_free(writer);
}

/* The same, and the trace of it. */
static inline ocelotl_trace *must_finish_and_open(ocelotl_writer *writer, const char *path)
{
    must_finish(writer);
    return must_open(path);
}

#endif
