/* The metric "state duration": how much of each slice a leaf spends in each state (thesis 5.2.2).
 * It reads running totals, or every event if a filter needs more than they hold. */
#include "base/matrix.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/core/slicing.h"
#include "model/metrics/filling.h"
#include "model/metrics/metrics.h"
#include "store/read/team.h"
#include "store/read/totals.h"

#include <stdlib.h>
#include <string.h>

/* What is asked of every leaf. */
typedef struct oc_leaf_request {
    const oc_slicing *slicing;
    const oc_instant *boundaries; /* slices + 1 */
    uint32_t untraced_type;       /* OCELOTL_NONE: untraced time is ignored */
    /* what is in no type counts as untraced: each moment is in one type at most */
    bool hides;
    bool inclusive;   /* states count below others, too: they can add up to more than time has */
    const char *path; /* of the trace, for messages */
} oc_leaf_request;

/* Series, which are sorted by type for each leaf, and their cells. Zero-initialised it is empty. */
typedef struct oc_leaf_series {
    oc_series *series; /* `first` counts in these cells */
    size_t series_count, series_capacity;
    uint32_t *cell_slice;
    double *cell_value;
    size_t cell_count, cell_slice_capacity, cell_value_capacity;

    /* Of the leaf at hand: units of time in each slice, a row for each group of the reader. */
    int64_t *units;
    size_t units_capacity;
    int64_t *traced;
    size_t traced_capacity;
    struct oc_group_before *before; /* what there was at the last boundary */
    size_t before_capacity;
    struct oc_group_row *rows; /* sorted by type */
    size_t rows_capacity;
} oc_leaf_series;

/* Adds what a stream, at whose beginning the reader is, holds for a leaf that lives from `begin` to
 * `end` (ticks). Errors: INPUT for damaged chunks. */
static ocelotl_status oc_leaf_series_add(oc_leaf_series *to, const oc_leaf_request *request,
                                         oc_totals_reader *reader, uint32_t leaf, int64_t begin,
                                         int64_t end);
static void oc_leaf_series_free(oc_leaf_series *series);

/* What a group's total was at a boundary. Between two ticks nothing changes, so what lies behind
 * the last tick belongs to what is open then: `rest` units. */
typedef struct oc_group_before {
    int64_t ticks;
    int64_t rest;
} oc_group_before;

typedef struct oc_group_row {
    uint32_t type;
    uint32_t row;
} oc_group_row;

void oc_leaf_series_free(oc_leaf_series *series)
{
    free(series->series);
    free(series->cell_slice);
    free(series->cell_value);
    free(series->units);
    free(series->traced);
    free(series->before);
    free(series->rows);
    *series = (oc_leaf_series){0};
}

static ocelotl_status fail_totals(const oc_leaf_request *request)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: impossible running totals", request->path);
}

static ocelotl_status fail_nested(const oc_leaf_request *request)
{
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "%s: nested states add up to more than can be counted in a slice, expected a "
                   "shorter window or --nesting innermost",
                   request->path);
}

/* Computes the change between two boundaries, in units; *before becomes the second one. */
static bool take_step(int64_t *units, const oc_slicing *slicing, oc_group_before *before,
                      int64_t ticks, int64_t rest)
{
    const oc_instant from = {before->ticks, 0};
    const oc_instant to = {ticks, 0};
    const bool fits = oc_slicing_between(units, slicing, from, to) &&
                      oc_add_times(units, *units, rest - before->rest);
    *before = (oc_group_before){ticks, rest};
    return fits;
}

/* Rows for groups that were met since the last boundary: they had nothing till then. */
static ocelotl_status add_rows(oc_leaf_series *to, size_t from, size_t count, uint32_t slices)
{
    OC_TRY(oc_grow(&to->before, &to->before_capacity, count, sizeof *to->before));
    OC_TRY(oc_grow(&to->units, &to->units_capacity, count * slices, sizeof *to->units));
    memset(to->before + from, 0, (count - from) * sizeof *to->before);
    memset(to->units + from * slices, 0, (count - from) * slices * sizeof *to->units);
    return OCELOTL_OK;
}

/* Reads a boundary; at boundary 0 totals are only noted. */
static ocelotl_status read_boundary(oc_leaf_series *to, const oc_leaf_request *request,
                                    const oc_totals_reader *reader, uint32_t boundary,
                                    oc_group_before *traced)
{
    const oc_slicing *slicing = request->slicing;
    const int64_t rest = request->boundaries[boundary].rest;
    const oc_group_total *groups = oc_totals_groups(reader);
    const size_t count = oc_totals_count(reader);
    int64_t units = 0;
    bool fits = true;
    bool sound = true;
    for (size_t i = 0; i < count; i++) {
        const bool step =
            take_step(&units, slicing, &to->before[i], groups[i].ticks, rest * groups[i].open);
        if (boundary == 0)
            continue;
        to->units[i * slicing->slices + boundary - 1] = units;
        fits = fits && step;
        sound = sound && (!step || units >= 0);
    }
    if (!fits && sound && request->inclusive)
        return fail_nested(request);
    const bool step = take_step(&units, slicing, traced, oc_totals_traced(reader),
                                oc_totals_is_traced(reader) ? rest : 0);
    if (boundary == 0)
        return OCELOTL_OK;
    to->traced[boundary - 1] = units;
    sound = sound && fits && step && units >= 0 && (uint64_t)units <= slicing->length;
    return sound ? OCELOTL_OK : fail_totals(request);
}

static ocelotl_status read_boundaries(oc_leaf_series *to, const oc_leaf_request *request,
                                      oc_totals_reader *reader)
{
    const uint32_t slices = request->slicing->slices;
    oc_group_before traced = {0, 0};
    size_t known = 0;
    OC_TRY(oc_grow(&to->traced, &to->traced_capacity, slices, sizeof *to->traced));
    for (uint32_t i = 0; i <= slices; i++) {
        OC_TRY(
            oc_totals_move(reader, request->boundaries[i].ticks, request->boundaries[i].rest > 0));
        const size_t count = oc_totals_count(reader);
        if (count > known)
            OC_TRY(add_rows(to, known, count, slices));
        known = count;
        OC_TRY(read_boundary(to, request, reader, i, &traced));
    }
    return OCELOTL_OK;
}

static int compare_types(const void *left, const void *right)
{
    const uint32_t a = ((const oc_group_row *)left)->type;
    const uint32_t b = ((const oc_group_row *)right)->type;
    return (a > b) - (a < b);
}

/* The rows of types, in their order. */
static ocelotl_status sort_rows(oc_leaf_series *to, size_t *count, const oc_totals_reader *reader)
{
    const oc_group_total *groups = oc_totals_groups(reader);
    OC_TRY(oc_grow(&to->rows, &to->rows_capacity, oc_totals_count(reader), sizeof *to->rows));
    *count = 0;
    for (uint32_t i = 0; i < oc_totals_count(reader); i++)
        if (groups[i].group != OCELOTL_NONE)
            to->rows[(*count)++] = (oc_group_row){groups[i].group, i};
    if (*count > 1)
        qsort(to->rows, *count, sizeof *to->rows, compare_types);
    return OCELOTL_OK;
}

/* Adds a row's cells that are not 0; a series without any is none. */
static ocelotl_status add_row(oc_leaf_series *to, const oc_slicing *slicing, uint32_t leaf,
                              uint32_t type, const int64_t *units)
{
    const size_t first = to->cell_count;
    size_t next = first;
    OC_TRY(oc_grow(&to->cell_slice, &to->cell_slice_capacity, first + slicing->slices,
                   sizeof *to->cell_slice));
    OC_TRY(oc_grow(&to->cell_value, &to->cell_value_capacity, first + slicing->slices,
                   sizeof *to->cell_value));
    for (uint32_t slice = 0; slice < slicing->slices; slice++) {
        to->cell_slice[next] = slice;
        to->cell_value[next] = (double)units[slice] / (double)slicing->length;
        next += units[slice] > 0;
    }
    if (next == first)
        return OCELOTL_OK;
    to->cell_count = next;
    OC_TRY(oc_grow(&to->series, &to->series_capacity, to->series_count + 1, sizeof *to->series));
    to->series[to->series_count++] = (oc_series){leaf, type, first};
    return OCELOTL_OK;
}

/* Sums the shown part of the traced time. */
static void sum_shown(oc_leaf_series *to, size_t count, uint32_t slices)
{
    memset(to->traced, 0, slices * sizeof *to->traced);
    for (size_t i = 0; i < count; i++) {
        const int64_t *units = to->units + to->rows[i].row * (size_t)slices;
        for (uint32_t slice = 0; slice < slices; slice++)
            to->traced[slice] += units[slice];
    }
}

ocelotl_status oc_leaf_series_add(oc_leaf_series *to, const oc_leaf_request *request,
                                  oc_totals_reader *reader, uint32_t leaf, int64_t begin,
                                  int64_t end)
{
    const oc_slicing *slicing = request->slicing;
    size_t count;
    OC_TRY(read_boundaries(to, request, reader));
    OC_TRY(sort_rows(to, &count, reader));
    for (size_t i = 0; i < count; i++)
        OC_TRY(add_row(to, slicing, leaf, to->rows[i].type,
                       to->units + to->rows[i].row * (size_t)slicing->slices));
    if (request->untraced_type == OCELOTL_NONE)
        return OCELOTL_OK;
    if (request->hides)
        sum_shown(to, count, slicing->slices);
    oc_slicing_untraced(to->traced, slicing, request->boundaries, begin, end);
    return add_row(to, slicing, leaf, request->untraced_type, to->traced);
}

/* Where the series of a leaf are until they are joined. */
typedef struct leaf_part {
    uint32_t thread;
    size_t series_first, series_count, cell_first, cell_count;
} leaf_part;

/* The model while it is filled. Threads take leaves as they come. */
typedef struct model_filler {
    ocelotl_trace *trace;
    const oc_filling *filling;
    uint32_t leaf_count;
    oc_state_groups groups;
    oc_leaf_request request;
    leaf_part *parts;       /* of each leaf */
    oc_leaf_series *filled; /* by each thread */
    int thread_count;
} model_filler;

/* With fewer chunks a thread, another connection to the file costs more than it saves. */
static const uint64_t chunks_per_thread = 1000;

static uint32_t stream_of_leaf(const model_filler *filler, uint32_t leaf)
{
    const oc_filling *filling = filler->filling;
    return filling->streams->list[filling->streams->first[filling->tree->resources[leaf]]];
}

static ocelotl_status fill_leaf(model_filler *filler, uint32_t thread, uint32_t leaf,
                                oc_totals_reader *reader)
{
    oc_leaf_series *to = &filler->filled[thread];
    const uint32_t stream = stream_of_leaf(filler, leaf);
    const ocelotl_resource *resource =
        &filler->trace->resources[filler->trace->streams[stream].resource];
    leaf_part *part = &filler->parts[leaf];
    *part = (leaf_part){
        .thread = thread, .series_first = to->series_count, .cell_first = to->cell_count};
    OC_TRY(oc_totals_begin(reader, stream, filler->request.slicing->slices));
    OC_TRY(oc_leaf_series_add(to, &filler->request, reader, leaf, resource->begin, resource->end));
    part->series_count = to->series_count - part->series_first;
    part->cell_count = to->cell_count - part->cell_first;
    return OCELOTL_OK;
}

static ocelotl_status fill_some(model_filler *filler, const oc_team_member *member,
                                oc_totals_reader *reader)
{
    size_t leaf;
    while (oc_team_next(&leaf, member)) {
        OC_TRY(oc_team_ask(member, &filler->filling->options->work));
        OC_TRY(fill_leaf(filler, member->thread, (uint32_t)leaf, reader));
    }
    return OCELOTL_OK;
}

static ocelotl_status fill_leaves(void *context, const oc_team_member *member)
{
    model_filler *filler = context;
    oc_totals_reader *reader = NULL;
    OC_TRY(oc_totals_open(&reader, &member->connection, &filler->groups));
    const ocelotl_status status = fill_some(filler, member, reader);
    oc_totals_free(reader);
    return status;
}

/* Chooses the number of threads. A stream's chunks are read at most once each, and at most one for
 * each boundary. */
static int choose_threads(const model_filler *filler)
{
    const uint64_t most = (uint64_t)filler->request.slicing->slices + 1;
    uint64_t chunks = 0;
    for (uint32_t leaf = 0; leaf < filler->leaf_count; leaf++) {
        const uint64_t count = filler->trace->streams[stream_of_leaf(filler, leaf)].chunk_count;
        chunks += count < most ? count : most;
    }
    return oc_team_threads(chunks, chunks_per_thread, 0);
}

static void join_leaf(oc_matrix *matrix, const model_filler *filler, uint32_t leaf, size_t series,
                      size_t cell)
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

static ocelotl_status fill(ocelotl_model *model, model_filler *filler)
{
    OC_TRY(oc_allocate(&filler->parts, filler->leaf_count, sizeof *filler->parts));
    OC_TRY(oc_allocate(&filler->filled, (size_t)filler->thread_count, sizeof *filler->filled));
    OC_TRY(
        oc_team_do(filler->trace, filler->thread_count, filler->leaf_count, fill_leaves, filler));
    return join_leaves(&model->matrix, filler);
}

/* "(no state)" is the last type, if it is one. */
static uint32_t untraced_type(const oc_filling *filling)
{
    return filling->options->cells.untraced == OCELOTL_UNTRACED_TYPE
               ? filling->model->type_count - 1
               : OCELOTL_NONE;
}

/* Whether some time in states is not shown. */
static bool hides(const oc_filling *filling)
{
    for (uint32_t v = 0; v < filling->trace->value_count; v++)
        if (filling->trace->values[v].event_type == filling->state_type &&
            filling->trace->values[v].innermost_ticks > 0 && !filling->filter->values[v])
            return true;
    return false;
}

static ocelotl_status fill_from_totals(oc_filling *filling, bool hidden)
{
    const bool inclusive = filling->options->cells.nesting == OCELOTL_INCLUSIVE;
    model_filler filler = {
        .trace = filling->trace,
        .filling = filling,
        .leaf_count = filling->model->matrix.tree.leaf_count[0],
        .groups = {filling->type_of_value, filling->model->type_count, inclusive},
        .request = {.slicing = filling->slicing,
                    .boundaries = filling->boundaries,
                    .untraced_type = untraced_type(filling),
                    .hides = hidden,
                    .inclusive = inclusive,
                    .path = filling->trace->path},
    };
    filler.thread_count = choose_threads(&filler);
    const ocelotl_status status = fill(filling->model, &filler);
    for (int i = 0; filler.filled != NULL && i < filler.thread_count; i++)
        oc_leaf_series_free(&filler.filled[i]);
    free(filler.filled);
    free(filler.parts);
    return status;
}

/* --- By reading every state */

typedef struct time_span {
    int64_t begin, end;
} time_span;

/* What is shown of a leaf while its states are read. */
typedef struct scanned_leaf {
    oc_leaf_rows rows; /* units of each type */
    int64_t *shown;    /* units in any of them */
    oc_slice_finder finder;
    /* with inclusive time: when something shown is open, in their order and apart */
    time_span *spans;
    size_t span_count, span_capacity;
    double *row;
} scanned_leaf;

/* States come in the order of their ends, so what a span touches is at the end of the list. */
static ocelotl_status add_span(scanned_leaf *leaf, time_span span)
{
    while (leaf->span_count > 0 && leaf->spans[leaf->span_count - 1].end >= span.begin) {
        const time_span *last = &leaf->spans[--leaf->span_count];
        span.begin = last->begin < span.begin ? last->begin : span.begin;
    }
    OC_TRY(oc_grow(&leaf->spans, &leaf->span_capacity, leaf->span_count + 1, sizeof *leaf->spans));
    leaf->spans[leaf->span_count++] = span;
    return OCELOTL_OK;
}

static ocelotl_status take_inclusive(scanned_leaf *leaf, int64_t *row, const oc_ended_state *state,
                                     const oc_state_detail *detail)
{
    const int64_t since = detail != NULL ? detail->within_depth : state->begin;
    if (since > state->end)
        return OCELOTL_OK;
    oc_span_add(row, &leaf->finder, since, state->end);
    return add_span(leaf, (time_span){since, state->end});
}

static void take_exclusive(scanned_leaf *leaf, int64_t *row, const oc_ended_state *state,
                           const oc_state_detail *detail)
{
    oc_span_add(row, &leaf->finder, detail != NULL ? detail->since : state->begin, state->end);
    for (size_t i = 0; detail != NULL && i < detail->piece_count; i++)
        row[detail->pieces[i].slice] += detail->pieces[i].units;
}

static ocelotl_status take_state(scanned_leaf *leaf, const oc_filling *filling,
                                 const oc_ended_state *state, const oc_state_detail *detail)
{
    const uint32_t type = state->value < filling->trace->value_count
                              ? filling->type_of_value[state->value]
                              : OCELOTL_NONE;
    if (type == OCELOTL_NONE || !oc_filling_passes(filling, state, detail))
        return OCELOTL_OK;
    int64_t *row;
    OC_TRY(oc_leaf_rows_get(&row, &leaf->rows, type));
    if (filling->options->cells.nesting == OCELOTL_INCLUSIVE)
        return take_inclusive(leaf, row, state, detail);
    take_exclusive(leaf, row, state, detail);
    return OCELOTL_OK;
}

/* Sums the units in any type: each moment is in one type at most, or is counted by the spans. */
static void sum_leaf(scanned_leaf *leaf, const oc_filling *filling)
{
    const uint32_t slices = filling->slicing->slices;
    memset(leaf->shown, 0, slices * sizeof *leaf->shown);
    if (filling->options->cells.nesting == OCELOTL_INCLUSIVE) {
        for (size_t i = 0; i < leaf->span_count; i++)
            oc_span_add(leaf->shown, &leaf->finder, leaf->spans[i].begin, leaf->spans[i].end);
        return;
    }
    for (size_t i = 0; i < leaf->rows.count; i++) {
        const int64_t *units = oc_leaf_rows_find(&leaf->rows, leaf->rows.types[i]);
        for (uint32_t slice = 0; slice < slices; slice++)
            leaf->shown[slice] += units[slice];
    }
}

static ocelotl_status add_units(oc_filling *filling, scanned_leaf *leaf, uint32_t number,
                                uint32_t type, const int64_t *units)
{
    const oc_slicing *slicing = filling->slicing;
    for (uint32_t slice = 0; slice < slicing->slices; slice++)
        leaf->row[slice] = (double)units[slice] / (double)slicing->length;
    return oc_cells_add(&filling->sums, number, type, leaf->row, slicing->slices, false);
}

static ocelotl_status add_leaf(oc_filling *filling, scanned_leaf *leaf, uint32_t number)
{
    const ocelotl_resource *resource = &filling->trace->resources[filling->tree->resources[number]];
    for (uint32_t type = 0; type < filling->model->type_count; type++) {
        const int64_t *units = oc_leaf_rows_find(&leaf->rows, type);
        if (units != NULL)
            OC_TRY(add_units(filling, leaf, number, type, units));
    }
    if (untraced_type(filling) == OCELOTL_NONE)
        return OCELOTL_OK;
    sum_leaf(leaf, filling);
    oc_slicing_untraced(leaf->shown, filling->slicing, filling->boundaries, resource->begin,
                        resource->end);
    return add_units(filling, leaf, number, untraced_type(filling), leaf->shown);
}

static ocelotl_status scan_leaf(scanned_leaf *leaf, const oc_filling *filling, oc_state_scan *scan,
                                uint32_t stream)
{
    const oc_scanned_states *found;
    OC_TRY(oc_state_scan_begin(scan, stream));
    OC_TRY(oc_state_scan_next(&found, scan));
    while (found->count > 0) {
        for (size_t i = 0; i < found->count; i++)
            OC_TRY(take_state(leaf, filling, &found->states[i], found->detail));
        OC_TRY(oc_state_scan_next(&found, scan));
    }
    return OCELOTL_OK;
}

static ocelotl_status scan_leaves(oc_filling *filling, scanned_leaf *leaf, oc_state_scan *scan,
                                  uint32_t first, uint32_t end)
{
    const uint32_t slices = filling->slicing->slices;
    OC_TRY(oc_allocate(&leaf->shown, slices, sizeof *leaf->shown));
    OC_TRY(oc_allocate(&leaf->row, slices, sizeof *leaf->row));
    for (uint32_t number = first; number < end; number++) {
        oc_leaf_rows_clear(&leaf->rows);
        leaf->span_count = 0;
        OC_TRY(scan_leaf(
            leaf, filling, scan,
            filling->streams->list[filling->streams->first[filling->tree->resources[number]]]));
        OC_TRY(add_leaf(filling, leaf, number));
    }
    return OCELOTL_OK;
}

static bool nests(const oc_filling *filling)
{
    return filling->options->cells.nesting == OCELOTL_INNERMOST &&
           oc_type_filter_nests(filling->filter, filling->trace, filling->state_type);
}

static ocelotl_status scan_block(oc_filling *filling, uint32_t first, uint32_t end,
                                 const void *context)
{
    (void)context;
    scanned_leaf leaf = {
        .rows = {.slices = filling->slicing->slices, .type_count = filling->model->type_count},
        .finder = oc_slice_finder_of(filling->slicing, filling->boundaries)};
    oc_state_scan scan = oc_filling_scan(filling);
    scan.depth = filling->options->cells.nesting_depth;
    scan.shown = nests(filling) || scan.depth > 0 ? filling->filter->values : NULL;
    scan.without_pieces = filling->options->cells.nesting == OCELOTL_INCLUSIVE;
    const ocelotl_status status = scan_leaves(filling, &leaf, &scan, first, end);
    oc_state_scan_free(&scan);
    oc_leaf_rows_free(&leaf.rows);
    free(leaf.shown);
    free(leaf.spans);
    free(leaf.row);
    return status;
}

/* Running totals do not know with inclusive time when any shown state is open, never how deep it
 * is, and not which of those that are shown is the innermost. */
ocelotl_status oc_fill_state_duration(oc_filling *filling)
{
    const bool hidden = hides(filling);
    const bool inclusive = filling->options->cells.nesting == OCELOTL_INCLUSIVE;
    const bool together = hidden && inclusive && untraced_type(filling) != OCELOTL_NONE;
    const bool scanned = oc_filling_reads_states(filling, filling->state_type) || together ||
                         nests(filling) || filling->options->cells.nesting_depth > 0;
    return scanned ? oc_fill_leaves(filling, scan_block, NULL)
                   : fill_from_totals(filling, hidden && !inclusive);
}
