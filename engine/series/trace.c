/* Series as a trace of their own. */
#include "series/series.h"

#include "base/arena.h"
#include "store/copy/copying.h"

/* A trace.db while it is written. */
typedef struct writing {
    ocelotl_writer *writer;
    oc_arena arena; /* of what follows */
    const ocelotl_series *series;
    bool *wanted;           /* by resource of the trace: it is a group, or above one */
    int64_t *begins, *ends; /* the same: its life in the window */
    /* by resource type of the trace: that of the trace written, OCELOTL_NONE: none */
    uint32_t *types;
    uint32_t *resources;       /* by resource of the trace, the same */
    uint32_t *group_resources; /* by group, the same */
    uint32_t *variables;       /* by type of the series, the same */
    uint32_t *congested;       /* by type of the series: the state of those that are marks */
} writing;

static bool marks(const writing *w)
{
    return w->series->info.only_above > 0;
}

static int64_t within(int64_t time, const ocelotl_series_info *info)
{
    if (time < info->from)
        return info->from;
    return time > info->to ? info->to : time;
}

/* Finds lifetimes: a resource above a group lives at least as long. */
static void find_lives(writing *w)
{
    const ocelotl_series *series = w->series;
    const ocelotl_trace *trace = series->trace;
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        w->begins[r] = within(trace->resources[r].begin, &series->info);
        w->ends[r] = within(trace->resources[r].end, &series->info);
    }
    for (uint32_t g = 0; g < series->group_count; g++) {
        const oc_series_group *group = &series->groups[g];
        if (group->resource == OCELOTL_NONE)
            continue;
        w->wanted[group->resource] = true;
        w->begins[group->resource] = group->begin;
        w->ends[group->resource] = group->end;
    }
    for (uint32_t r = trace->resource_count; r-- > 0;) {
        const uint32_t parent = trace->resources[r].parent;
        if (!w->wanted[r] || parent == OCELOTL_ROOT)
            continue;
        w->wanted[parent] = true;
        w->begins[parent] = w->begins[r] < w->begins[parent] ? w->begins[r] : w->begins[parent];
        w->ends[parent] = w->ends[r] > w->ends[parent] ? w->ends[r] : w->ends[parent];
    }
}

/* Types that are used, and those above them. */
static ocelotl_status declare_types(writing *w)
{
    const ocelotl_trace *trace = w->series->trace;
    bool *used;
    OC_TRY(oc_arena_allocate(&used, &w->arena, trace->resource_type_count, sizeof *used));
    for (uint32_t r = 0; r < trace->resource_count; r++)
        if (w->wanted[r] && trace->resources[r].type != OCELOTL_NONE)
            used[trace->resources[r].type] = true;
    for (uint32_t t = trace->resource_type_count; t-- > 0;)
        if (used[t] && trace->resource_types[t].parent != OCELOTL_ROOT)
            used[trace->resource_types[t].parent] = true;
    for (uint32_t t = 0; t < trace->resource_type_count; t++) {
        const uint32_t parent = trace->resource_types[t].parent;
        w->types[t] = OCELOTL_NONE;
        if (used[t])
            OC_TRY(ocelotl_writer_resource_type(&w->types[t], w->writer,
                                                parent != OCELOTL_ROOT ? w->types[parent] : parent,
                                                trace->resource_types[t].name));
    }
    return OCELOTL_OK;
}

/* A resource of no type gets one without a name: only of a damaged trace. */
static ocelotl_status find_type(uint32_t *type, const writing *w, uint32_t resource)
{
    const uint32_t found = w->series->trace->resources[resource].type;
    if (found == OCELOTL_NONE)
        return ocelotl_writer_resource_type(type, w->writer, OCELOTL_ROOT, "");
    *type = w->types[found];
    return OCELOTL_OK;
}

static ocelotl_status declare_resources(writing *w)
{
    const ocelotl_series *series = w->series;
    const ocelotl_trace *trace = series->trace;
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        const ocelotl_resource *resource = &trace->resources[r];
        uint32_t type;
        if (!w->wanted[r])
            continue;
        OC_TRY(find_type(&type, w, r));
        OC_TRY(ocelotl_writer_resource(
            &w->resources[r], w->writer, type,
            resource->parent != OCELOTL_ROOT ? w->resources[resource->parent] : OCELOTL_ROOT,
            resource->name, w->begins[r]));
    }
    for (uint32_t g = 0; g < series->group_count; g++)
        if (series->groups[g].resource != OCELOTL_NONE)
            w->group_resources[g] = w->resources[series->groups[g].resource];
    return OCELOTL_OK;
}

/* What is taken of several counters falls where one of them ends. */
static bool are_counters(const writing *w, uint32_t type)
{
    const ocelotl_series *series = w->series;
    bool counts =
        !marks(w) && !oc_series_is_of_links(series) && !oc_series_counts(series) &&
        series->trace->event_types[series->types[type].event_type].kind == OCELOTL_COUNTER;
    for (uint32_t g = 0; g < series->group_count && counts; g++)
        counts = series->curves[(size_t)g * series->type_count + type].member_count <= 1;
    return counts;
}

/* The groups may be of several types of one name: their variables are then in the first. */
static ocelotl_status declare_variables(writing *w)
{
    const ocelotl_series *series = w->series;
    static const int32_t red = 0xd62728;
    const uint32_t resource = series->groups[0].resource;
    uint32_t type = 0;
    if (resource != OCELOTL_NONE && series->trace->resources[resource].type != OCELOTL_NONE)
        type = w->types[series->trace->resources[resource].type];
    for (uint32_t t = 0; t < series->type_count; t++) {
        const ocelotl_derived_series is = ocelotl_series_at(series, t);
        OC_TRY(ocelotl_writer_event_type(&w->variables[t], w->writer,
                                         marks(w) ? OCELOTL_STATE : OCELOTL_VARIABLE, type, is.name,
                                         is.colour));
        if (marks(w))
            OC_TRY(ocelotl_writer_value(&w->congested[t], w->writer, w->variables[t], "congested",
                                        red));
        if (is.unit[0] != '\0')
            OC_TRY(ocelotl_writer_unit(w->writer, w->variables[t], is.unit));
        if (are_counters(w, t))
            OC_TRY(ocelotl_writer_kind(w->writer, w->variables[t], OCELOTL_COUNTER));
    }
    return OCELOTL_OK;
}

static ocelotl_status declare(writing *w)
{
    const ocelotl_trace *trace = w->series->trace;
    oc_arena *arena = &w->arena;
    OC_TRY(oc_arena_allocate(&w->wanted, arena, trace->resource_count, sizeof *w->wanted));
    OC_TRY(oc_arena_allocate(&w->begins, arena, trace->resource_count, sizeof *w->begins));
    OC_TRY(oc_arena_allocate(&w->ends, arena, trace->resource_count, sizeof *w->ends));
    OC_TRY(oc_arena_allocate(&w->types, arena, trace->resource_type_count, sizeof *w->types));
    OC_TRY(oc_arena_allocate(&w->resources, arena, trace->resource_count, sizeof *w->resources));
    OC_TRY(oc_arena_allocate(&w->group_resources, arena, w->series->group_count,
                             sizeof *w->group_resources));
    OC_TRY(oc_arena_allocate(&w->congested, arena, w->series->type_count, sizeof *w->congested));
    OC_TRY(oc_arena_allocate(&w->variables, arena, w->series->type_count, sizeof *w->variables));
    find_lives(w);
    if (w->series->groups[0].resource == OCELOTL_NONE) {
        const oc_series_group *whole = &w->series->groups[0];
        const char *name = w->series->info.group_type;
        uint32_t type;
        OC_TRY(ocelotl_writer_resource_type(&type, w->writer, OCELOTL_ROOT, name));
        OC_TRY(ocelotl_writer_resource(&w->group_resources[0], w->writer, type, OCELOTL_ROOT, name,
                                       whole->begin));
    } else {
        OC_TRY(declare_types(w));
        OC_TRY(declare_resources(w));
    }
    return declare_variables(w);
}

static ocelotl_status write_change(uint64_t *valueless, const writing *w,
                                   const ocelotl_series_change *change)
{
    const ocelotl_series *series = w->series;
    const uint32_t group = change->series / series->type_count;
    /* What is not to be seen in the end of a life. */
    if (change->time >= series->groups[group].end)
        return OCELOTL_OK;
    if (!change->has_value) {
        ++*valueless;
        return OCELOTL_OK;
    }
    const uint32_t resource = w->group_resources[group];
    const uint32_t type = change->series % series->type_count;
    const uint32_t variable = w->variables[type];
    if (!marks(w))
        return ocelotl_writer_variable(w->writer, resource, variable, change->time, change->value,
                                       NULL, 0);
    if (change->value > 0)
        return ocelotl_writer_push(w->writer, resource, variable, w->congested[type], change->time,
                                   NULL, 0);
    return ocelotl_writer_open_states(w->writer, resource, variable) > 0
               ? ocelotl_writer_pop(w->writer, resource, variable, 0, change->time, NULL, 0)
               : OCELOTL_OK;
}

static ocelotl_status write_changes(writing *w, ocelotl_series *series)
{
    ocelotl_series_change change;
    uint64_t valueless = 0;
    bool found;
    oc_series_rewind(series);
    for (;;) {
        OC_TRY(ocelotl_series_next(&found, &change, series));
        if (!found)
            break;
        OC_TRY(write_change(&valueless, w, &change));
    }
    if (valueless == 0)
        return OCELOTL_OK;
    return ocelotl_writer_warning(
        w->writer, "no member of a group has a value any more: it keeps its last one", valueless,
        NULL);
}

static ocelotl_status end_resources(const writing *w)
{
    const ocelotl_series *series = w->series;
    if (series->groups[0].resource == OCELOTL_NONE)
        return ocelotl_writer_resource_end(w->writer, w->group_resources[0], series->groups[0].end);
    for (uint32_t r = 0; r < series->trace->resource_count; r++)
        if (w->wanted[r])
            OC_TRY(ocelotl_writer_resource_end(w->writer, w->resources[r], w->ends[r]));
    return OCELOTL_OK;
}

static ocelotl_status write_trace(writing *w, const char *path, ocelotl_series *series,
                                  const char *name, bool overwrite)
{
    ocelotl_writer_options options = oc_copy_options(w->series->trace);
    options.format = "series";
    options.overwrite = overwrite;
    OC_TRY(oc_copy_open(&w->writer, path, options, name, w->series->info.meaning));
    OC_TRY(declare(w));
    OC_TRY(write_changes(w, series));
    OC_TRY(end_resources(w));
    return ocelotl_writer_finish(w->writer);
}

ocelotl_status ocelotl_series_derive(const char *path, ocelotl_series *series, const char *name,
                                     bool overwrite)
{
    writing w = {.series = series};
    const ocelotl_status status = write_trace(&w, path, series, name, overwrite);
    ocelotl_writer_free(w.writer);
    oc_arena_free(&w.arena);
    return status;
}
