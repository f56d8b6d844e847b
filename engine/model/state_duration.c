#include "model/state_duration.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What a leaf's stream adds up to at a boundary between slices. Between two ticks nothing changes, so what lies
 * behind the last tick belongs to what is open then. */
typedef struct boundary_totals {
    int64_t *ticks;    /* in each type, up to the last tick at or before the boundary */
    int64_t *rests;    /* and from there on, in units */
    oc_instant traced; /* time in any innermost state */
    oc_instant alive;  /* time lived */
} boundary_totals;

/* The model while it is filled. */
typedef struct model_filler {
    ocelotl_trace *trace;
    const uint32_t *type_of_value;
    const oc_slicing *slicing;
    const oc_state_duration *metric;
    uint32_t type_count;
    uint32_t untraced_type;   /* OCELOTL_NONE: untraced time is ignored */
    boundary_totals from, to; /* at the beginning and the end of a slice */
    oc_given_cell *cells;
    size_t cell_count, cell_capacity;
} model_filler;

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

static ocelotl_status fail_totals(const model_filler *filler)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: impossible running totals", filler->trace->path);
}

static ocelotl_status type_of(uint32_t *type, const model_filler *filler, uint32_t value)
{
    *type = OCELOTL_NONE;
    if (value >= filler->trace->value_count)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: a state of no value", filler->trace->path);
    *type = filler->type_of_value[value];
    return OCELOTL_OK;
}

static ocelotl_status read_boundary(boundary_totals *totals, const model_filler *filler, const oc_fold *fold,
                                    oc_instant boundary)
{
    const bool inclusive = filler->metric->nesting == OCELOTL_INCLUSIVE;
    uint32_t type;
    memset(totals->ticks, 0, filler->type_count * sizeof *totals->ticks);
    memset(totals->rests, 0, filler->type_count * sizeof *totals->rests);
    totals->traced = (oc_instant){0, fold->open_count > 0 ? boundary.rest : 0};
    for (size_t i = 0; i < fold->total_count; i++) {
        OC_TRY(type_of(&type, filler, fold->totals[i].value));
        if (type != OCELOTL_NONE)
            totals->ticks[type] = inclusive ? oc_fold_inclusive(fold, i) : fold->totals[i].innermost;
        if (!oc_add_times(&totals->traced.ticks, totals->traced.ticks, fold->totals[i].innermost))
            return fail_totals(filler);
    }
    for (size_t i = inclusive || fold->open_count == 0 ? 0 : fold->open_count - 1; i < fold->open_count; i++) {
        OC_TRY(type_of(&type, filler, fold->totals[fold->open[i].total].value));
        if (type != OCELOTL_NONE)
            totals->rests[type] += boundary.rest;
    }
    return OCELOTL_OK;
}

static ocelotl_status add_cell(model_filler *filler, uint32_t leaf, uint32_t type, uint32_t slice, int64_t units)
{
    if (units < 0)
        return fail_totals(filler);
    if (units == 0)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&filler->cells, &filler->cell_capacity, filler->cell_count + 1, sizeof *filler->cells));
    filler->cells[filler->cell_count++] = (oc_given_cell){
        .leaf = leaf, .type = type, .slice = slice, .value = (double)units / (double)filler->slicing->length};
    return OCELOTL_OK;
}

/* What has changed between the two boundaries of a slice is what happened in it. */
static ocelotl_status add_slice(model_filler *filler, uint32_t leaf, uint32_t slice)
{
    const oc_slicing *slicing = filler->slicing;
    const boundary_totals *from = &filler->from;
    const boundary_totals *to = &filler->to;
    for (uint32_t x = 0; x < filler->type_count; x++) {
        int64_t passed;
        if (!oc_slicing_between(&passed, slicing, (oc_instant){from->ticks[x], 0}, (oc_instant){to->ticks[x], 0}) ||
            !oc_add_times(&passed, passed, to->rests[x] - from->rests[x]))
            return fail_totals(filler);
        OC_TRY(add_cell(filler, leaf, x, slice, passed));
    }
    if (filler->untraced_type == OCELOTL_NONE)
        return OCELOTL_OK;
    /* A slice is lived in or not: one that is lived in counts whole, see ocelotl_model_from_trace. */
    if (from->alive.ticks == to->alive.ticks && from->alive.rest == to->alive.rest)
        return OCELOTL_OK;
    int64_t traced;
    if (!oc_slicing_between(&traced, slicing, from->traced, to->traced) || traced < 0)
        return fail_totals(filler);
    return add_cell(filler, leaf, filler->untraced_type, slice, (int64_t)slicing->length - traced);
}

static ocelotl_status fill_leaf(model_filler *filler, uint32_t leaf, oc_cursor *cursor,
                                const ocelotl_resource *resource)
{
    for (uint32_t i = 0; i <= filler->slicing->slices; i++) {
        const oc_instant boundary = oc_slicing_boundary(filler->slicing, i);
        OC_TRY(oc_cursor_seek(cursor, boundary.ticks, boundary.rest > 0));
        OC_TRY(read_boundary(&filler->to, filler, oc_cursor_fold(cursor), boundary));
        filler->to.alive = oc_slicing_lived(boundary, resource->begin, resource->end);
        if (i > 0)
            OC_TRY(add_slice(filler, leaf, i - 1));
        const boundary_totals passed = filler->from;
        filler->from = filler->to;
        filler->to = passed;
    }
    return OCELOTL_OK;
}

static ocelotl_status fill_leaves(model_filler *filler, const oc_trace_tree *tree, uint32_t leaf_count)
{
    for (uint32_t leaf = 0; leaf < leaf_count; leaf++) {
        oc_cursor *cursor = NULL;
        const uint32_t stream = tree->streams[leaf];
        OC_TRY(oc_cursor_open(&cursor, filler->trace, stream));
        const ocelotl_status status =
            fill_leaf(filler, leaf, cursor, &filler->trace->resources[filler->trace->streams[stream].resource]);
        oc_cursor_free(cursor);
        if (status != OCELOTL_OK)
            return status;
    }
    return OCELOTL_OK;
}

static ocelotl_status allocate_totals(boundary_totals *totals, uint32_t type_count)
{
    OC_TRY(oc_allocate(&totals->ticks, type_count, sizeof *totals->ticks));
    return oc_allocate(&totals->rests, type_count, sizeof *totals->rests);
}

static ocelotl_status fill(ocelotl_model *model, model_filler *filler, const oc_trace_tree *tree)
{
    oc_twice twice = {0};
    OC_TRY(allocate_totals(&filler->from, filler->type_count));
    OC_TRY(allocate_totals(&filler->to, filler->type_count));
    OC_TRY(fill_leaves(filler, tree, model->matrix.tree.leaf_count[0]));
    return oc_model_set_cells(model, &twice, filler->slicing->slices, filler->cells, filler->cell_count);
}

ocelotl_status oc_state_duration_fill(ocelotl_model *model, ocelotl_trace *trace, const oc_trace_tree *tree,
                                      const uint32_t *type_of_value, const oc_slicing *slicing,
                                      const oc_state_duration *metric)
{
    const bool untraced = metric->untraced == OCELOTL_UNTRACED_TYPE;
    model_filler filler = {
        .trace = trace,
        .type_of_value = type_of_value,
        .slicing = slicing,
        .metric = metric,
        .type_count = model->matrix.type_count,
        .untraced_type = untraced ? model->matrix.type_count - 1 : OCELOTL_NONE,
    };
    const ocelotl_status status = fill(model, &filler, tree);
    free(filler.from.ticks);
    free(filler.from.rests);
    free(filler.to.ticks);
    free(filler.to.rests);
    free(filler.cells);
    return status;
}
