#include "model/state_duration.h"

#include "base/memory.h"
#include "model/leaf_series.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ocelotl_status oc_state_duration_types(ocelotl_model *model, uint32_t *type_of_value, const ocelotl_trace *trace,
                                       const oc_state_duration *metric)
{
    for (uint32_t v = 0; v < trace->value_count; v++) {
        const ocelotl_value *value = &trace->values[v];
        const int64_t time = metric->nesting == OCELOTL_INCLUSIVE ? value->inclusive_ticks : value->innermost_ticks;
        type_of_value[v] = OCELOTL_NONE;
        if (value->event_type != metric->event_type || time <= 0)
            continue;
        type_of_value[v] = model->matrix.type_count;
        OC_TRY(oc_model_add_type(model, value->name, value->colour, false));
    }
    return metric->untraced == OCELOTL_UNTRACED_TYPE ? oc_model_add_type(model, "(no state)", -1, true)
                                                     : OCELOTL_OK;
}

/* Where the series of a leaf are until they are joined. */
typedef struct leaf_part {
    uint32_t thread;
    size_t series_first, series_count, cell_first, cell_count;
} leaf_part;

/* The model while it is filled. Threads take leaves as they come. */
typedef struct model_filler {
    ocelotl_trace *trace;
    const oc_trace_tree *tree;
    const uint32_t *stream_of; /* by resource */
    uint32_t leaf_count;
    oc_state_groups groups;
    oc_leaf_request request;
    leaf_part *parts;       /* of each leaf */
    oc_leaf_series *filled; /* by each thread */
    int thread_count;
    int failures;
    ocelotl_status status; /* the first failure, with its message: each thread has its own */
    char message[1024];
} model_filler;

/* Below so many chunks another connection to the file costs more than it saves. */
static const uint64_t chunks_per_thread = 1000;

static bool has_failed(const model_filler *filler)
{
    int failures;
#pragma omp atomic read
    failures = filler->failures;
    return failures > 0;
}

/* The message is read when all threads are done. */
static void keep_failure(model_filler *filler, ocelotl_status status)
{
    int earlier;
#pragma omp atomic capture
    earlier = filler->failures++;
    if (earlier > 0)
        return;
    filler->status = status;
    snprintf(filler->message, sizeof filler->message, "%s", ocelotl_error_message());
}

static uint32_t stream_of_leaf(const model_filler *filler, uint32_t leaf)
{
    return filler->stream_of[filler->tree->resources[leaf]];
}

static ocelotl_status fill_leaf(model_filler *filler, uint32_t thread, uint32_t leaf, oc_totals_reader *reader)
{
    oc_leaf_series *to = &filler->filled[thread];
    const uint32_t stream = stream_of_leaf(filler, leaf);
    const ocelotl_resource *resource = &filler->trace->resources[filler->trace->streams[stream].resource];
    leaf_part *part = &filler->parts[leaf];
    *part = (leaf_part){.thread = thread, .series_first = to->series_count, .cell_first = to->cell_count};
    OC_TRY(oc_totals_begin(reader, stream, filler->request.slicing->slices));
    OC_TRY(oc_leaf_series_add(to, &filler->request, reader, leaf, resource->begin, resource->end));
    part->series_count = to->series_count - part->series_first;
    part->cell_count = to->cell_count - part->cell_first;
    return OCELOTL_OK;
}

/* A thread that gets no connection of its own leaves the work to the others; the first one needs none. */
static void fill_leaves(model_filler *filler)
{
    uint32_t next = 0;
#pragma omp parallel num_threads(filler->thread_count)
    {
        oc_totals_reader *reader = NULL;
        const uint32_t thread = (uint32_t)omp_get_thread_num();
        ocelotl_status status = oc_totals_open(&reader, filler->trace, &filler->groups, thread > 0);
        if (status != OCELOTL_OK && thread == 0)
            keep_failure(filler, status);
        while (status == OCELOTL_OK && !has_failed(filler)) {
            uint32_t leaf;
#pragma omp atomic capture
            leaf = next++;
            if (leaf >= filler->leaf_count)
                break;
            status = fill_leaf(filler, thread, leaf, reader);
            if (status != OCELOTL_OK)
                keep_failure(filler, status);
        }
        oc_totals_free(reader);
    }
}

/* No more chunks are read of a stream than it has, or than there are boundaries. */
static int choose_threads(const model_filler *filler)
{
    const uint64_t most = (uint64_t)filler->request.slicing->slices + 1;
    uint64_t chunks = 0;
    for (uint32_t leaf = 0; leaf < filler->leaf_count; leaf++) {
        const uint64_t count = oc_totals_chunks(filler->trace, stream_of_leaf(filler, leaf));
        chunks += count < most ? count : most;
    }
    const uint64_t wanted = chunks / chunks_per_thread + 1;
    const int available = omp_get_max_threads();
    return wanted < (uint64_t)available ? (int)wanted : available;
}

static void join_leaf(oc_matrix *matrix, const model_filler *filler, uint32_t leaf, size_t series, size_t cell)
{
    const leaf_part *part = &filler->parts[leaf];
    const oc_leaf_series *from = &filler->filled[part->thread];
    for (size_t i = 0; i < part->series_count; i++) {
        matrix->series[series + i] = from->series[part->series_first + i];
        matrix->series[series + i].first += cell - part->cell_first;
    }
    if (part->cell_count == 0)
        return;
    memcpy(matrix->cell_slice + cell, from->cell_slice + part->cell_first,
           part->cell_count * sizeof *matrix->cell_slice);
    memcpy(matrix->cell_value + cell, from->cell_value + part->cell_first,
           part->cell_count * sizeof *matrix->cell_value);
}

/* Brings the leaves in order. */
static ocelotl_status join_leaves(oc_matrix *matrix, const model_filler *filler)
{
    for (uint32_t leaf = 0; leaf < filler->leaf_count; leaf++) {
        matrix->series_count += filler->parts[leaf].series_count;
        matrix->cell_count += filler->parts[leaf].cell_count;
    }
    OC_TRY(oc_allocate(&matrix->series, matrix->series_count + 1, sizeof *matrix->series));
    OC_TRY(oc_allocate(&matrix->cell_slice, matrix->cell_count, sizeof *matrix->cell_slice));
    OC_TRY(oc_allocate(&matrix->cell_value, matrix->cell_count, sizeof *matrix->cell_value));
    size_t series = 0;
    size_t cell = 0;
    for (uint32_t leaf = 0; leaf < filler->leaf_count; leaf++) {
        join_leaf(matrix, filler, leaf, series, cell);
        series += filler->parts[leaf].series_count;
        cell += filler->parts[leaf].cell_count;
    }
    matrix->series[series] = (oc_series){filler->leaf_count, 0, cell};
    return OCELOTL_OK;
}

static ocelotl_status fill(ocelotl_model *model, model_filler *filler, oc_instant **boundaries)
{
    const oc_slicing *slicing = filler->request.slicing;
    OC_TRY(oc_allocate(boundaries, (size_t)slicing->slices + 1, sizeof **boundaries));
    for (uint32_t i = 0; i <= slicing->slices; i++)
        (*boundaries)[i] = oc_slicing_boundary(slicing, i);
    filler->request.boundaries = *boundaries;
    OC_TRY(oc_allocate(&filler->parts, filler->leaf_count, sizeof *filler->parts));
    OC_TRY(oc_allocate(&filler->filled, (size_t)filler->thread_count, sizeof *filler->filled));
    fill_leaves(filler);
    if (filler->status != OCELOTL_OK)
        return oc_fail(filler->status, "%s", filler->message);
    OC_TRY(join_leaves(&model->matrix, filler));
    oc_model_end(model, slicing->slices);
    return OCELOTL_OK;
}

ocelotl_status oc_state_duration_fill(ocelotl_model *model, ocelotl_trace *trace, const oc_trace_tree *tree,
                                      const uint32_t *stream_of, const uint32_t *type_of_value,
                                      const oc_slicing *slicing, const oc_state_duration *metric)
{
    const bool untraced = metric->untraced == OCELOTL_UNTRACED_TYPE;
    const bool inclusive = metric->nesting == OCELOTL_INCLUSIVE;
    oc_instant *boundaries = NULL;
    model_filler filler = {
        .trace = trace,
        .tree = tree,
        .stream_of = stream_of,
        .leaf_count = model->matrix.tree.leaf_count[0],
        .groups = {type_of_value, model->matrix.type_count, inclusive},
        .request = {.slicing = slicing,
                    .untraced_type = untraced ? model->matrix.type_count - 1 : OCELOTL_NONE,
                    .path = trace->path},
    };
    filler.thread_count = choose_threads(&filler);
    const ocelotl_status status = fill(model, &filler, &boundaries);
    for (int i = 0; filler.filled != NULL && i < filler.thread_count; i++)
        oc_leaf_series_free(&filler.filled[i]);
    free(filler.filled);
    free(filler.parts);
    free(boundaries);
    return status;
}
