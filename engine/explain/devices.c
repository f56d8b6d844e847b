/* How busy GPUs are: streams of one run at once, and what is hidden behind other work costs
 * nothing. */
#include "base/memory.h"
#include "base/options.h"
#include "explain/explaining.h"
#include "look/idle.h"
#include "store/read/walk.h"

#include <stdlib.h>
#include <string.h>

/* Something that runs on a device. */
typedef struct run {
    int64_t begin, end;
    uint32_t device;
    bool is_collective;
} run;

typedef struct runs {
    run *all;
    size_t count, capacity;
} runs;

/* Finds the node that has the stream of each row; OCELOTL_NONE: the row is in none. */
static ocelotl_status find_devices(uint32_t **devices, const oc_explaining *x)
{
    const ocelotl_model *model = x->model;
    OC_TRY(oc_arena_allocate(devices, x->arena, x->tree.row_count, sizeof **devices));
    for (uint32_t n = 0; n < x->tree.node_count; n++) {
        uint32_t at = n;
        while (at != OCELOTL_ROOT && !oc_is_gpu_stream(ocelotl_model_node_at(model, at).name))
            at = ocelotl_model_node_at(model, at).parent;
        if (oc_is_leaf_of(model, n))
            (*devices)[x->tree.nodes[n].first] =
                at != OCELOTL_ROOT ? ocelotl_model_node_at(model, at).parent : OCELOTL_NONE;
    }
    return OCELOTL_OK;
}

static bool is_collective(const char *name)
{
    return oc_pattern_matches_small("*nccl*", name) || oc_pattern_matches_small("*rccl*", name);
}

/* Reads what a stream runs, but not where it waits. */
static ocelotl_status read_stream(runs *of, oc_walk *walk, uint32_t stream, uint32_t device,
                                  const oc_explaining *x)
{
    const oc_interval *state;
    walk->to = x->info.to;
    OC_TRY(oc_walk_begin(walk, stream, x->info.from));
    for (;;) {
        OC_TRY(oc_walk_next_interval(&state, walk));
        if (state == NULL)
            return OCELOTL_OK;
        const char *name = ocelotl_trace_value_at(x->trace, state->value).name;
        const run one = {.begin = state->begin > x->info.from ? state->begin : x->info.from,
                         .end = state->end < x->info.to ? state->end : x->info.to,
                         .device = device,
                         .is_collective = is_collective(name)};
        if (one.begin >= one.end || !(one.is_collective || oc_waiting_is_work(name)))
            continue;
        OC_TRY(oc_grow(&of->all, &of->capacity, of->count + 1, sizeof *of->all));
        of->all[of->count++] = one;
    }
}

static ocelotl_status read_all(runs *of, const oc_explaining *x)
{
    const ocelotl_trace *trace = x->trace;
    uint32_t *devices;
    oc_watch watch = {.work = *x->work};
    oc_walk walk = {.reader.connection = oc_connection_of(x->trace)};
    ocelotl_status status = find_devices(&devices, x);
    walk.reader.watch = &watch;
    for (uint32_t s = 0; s < trace->stream_count && status == OCELOTL_OK; s++) {
        const oc_stream *stream = &trace->streams[s];
        const uint32_t row = stream->resource < trace->resource_count
                                 ? x->row_of_resource[stream->resource]
                                 : OCELOTL_NONE;
        const uint32_t device = row != OCELOTL_NONE ? devices[row] : OCELOTL_NONE;
        if (stream->role == OC_ROLE_STATES && device != OCELOTL_NONE &&
            strcmp(ocelotl_trace_event_type_at(trace, stream->event_type).name, "Annotation") != 0)
            status = read_stream(of, &walk, s, device, x);
    }
    oc_walk_free(&walk);
    return oc_fail_in_trace(trace, status);
}

static int compare_runs(const void *left, const void *right)
{
    const run *a = left;
    const run *b = right;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* What is behind what was covered before. */
static double add_to(int64_t *reach, const run *one)
{
    const int64_t from = one->begin > *reach ? one->begin : *reach;
    if (one->end <= from)
        return 0;
    *reach = one->end;
    return (double)one->end - (double)from;
}

static ocelotl_status add_up(oc_explaining *x, const runs *of)
{
    oc_explained *made = x->made;
    size_t count = 0;
    int64_t any = 0;
    int64_t others = 0;
    for (size_t i = 0; i < of->count; i++)
        count += i == 0 || of->all[i].device != of->all[i - 1].device;
    OC_TRY(oc_arena_allocate(&made->devices, x->arena, count, sizeof *made->devices));
    for (size_t i = 0; i < of->count; i++) {
        const run *one = &of->all[i];
        if (i == 0 || one->device != one[-1].device) {
            made->devices[made->device_count++] = (oc_explained_device){.node = one->device};
            any = others = x->info.from;
        }
        oc_explained_device *device = &made->devices[made->device_count - 1];
        const double covered = add_to(&any, one);
        device->busy += covered;
        device->collective += covered;
        if (!one->is_collective)
            device->collective -= add_to(&others, one);
    }
    /* ticks are whole, so that what is covered wholly is 0 */
    for (size_t i = 0; i < made->device_count; i++) {
        made->devices[i].busy *= oc_explained_tick(x);
        made->devices[i].collective *= oc_explained_tick(x);
    }
    return OCELOTL_OK;
}

ocelotl_status oc_devices_read(oc_explaining *x)
{
    runs of = {0};
    if (x->made->counts || x->made->variables)
        return OCELOTL_OK;
    ocelotl_status status = read_all(&of, x);
    if (status == OCELOTL_OK && of.count > 0) {
        qsort(of.all, of.count, sizeof *of.all, compare_runs);
        status = add_up(x, &of);
    }
    free(of.all);
    return status;
}
