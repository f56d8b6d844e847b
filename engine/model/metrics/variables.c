/* Metrics of variables (thesis 5.2.3): the mean over time from running integrals; the extremes by
 * reading the changes of the window, but for chunks that cannot add to what is known. */
#include "model/metrics/metric_types.h"

#include "base/memory.h"
#include "base/text.h"
#include "model/metrics/filling.h"
#include "model/metrics/metrics.h"
#include "store/read/walk.h"
#include "store/trace/names.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of what sums and differences lose by rounding. */
static const double few_units = 16 * DBL_EPSILON;

static ocelotl_status widen_range(oc_variable_range *range, oc_reader *reader, size_t chunk)
{
    double low;
    double high;
    OC_TRY(oc_reader_extremes(&low, &high, reader, chunk));
    if (low > high)
        return OCELOTL_OK;
    if (!isfinite(low) || !isfinite(high))
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: impossible extremes of a variable",
                       reader->connection.trace->path);
    range->low = !range->known || low < range->low ? low : range->low;
    range->high = !range->known || high > range->high ? high : range->high;
    range->known = true;
    return OCELOTL_OK;
}

static ocelotl_status read_ranges(oc_variable_range *ranges, oc_reader *reader)
{
    const ocelotl_trace *trace = reader->connection.trace;
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        if (trace->streams[s].role != OC_ROLE_VARIABLE)
            continue;
        OC_TRY(oc_reader_select(reader, s));
        for (size_t c = 0; c < reader->chunk_count; c++)
            OC_TRY(widen_range(&ranges[trace->streams[s].event_type], reader, c));
    }
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        if (ranges[e].low < 0 && ranges[e].low >= -few_units * ranges[e].high)
            ranges[e].low = 0;
    return OCELOTL_OK;
}

static ocelotl_status find_ranges(oc_variable_range *ranges, const oc_connection *connection)
{
    oc_reader reader = {.connection = *connection};
    const ocelotl_status status = read_ranges(ranges, &reader);
    oc_reader_free(&reader);
    return status;
}

/* Different variables have different units, where the trace does not say that they have the same:
 * their sum says nothing. */
static bool have_one_unit(const ocelotl_trace *trace, const uint32_t *type_of_event_type)
{
    const char *unit = NULL;
    for (uint32_t e = 0; e < trace->event_type_count; e++) {
        if (type_of_event_type[e] == OCELOTL_NONE)
            continue;
        if (unit != NULL && (unit[0] == '\0' || strcmp(unit, trace->event_types[e].unit) != 0))
            return false;
        unit = trace->event_types[e].unit;
    }
    return true;
}

static ocelotl_status check_units(const oc_filling *filling)
{
    oc_text names = {0};
    const ocelotl_trace *trace = filling->trace;
    if (filling->options->cells.scale || have_one_unit(trace, filling->type_of_event_type))
        return OCELOTL_OK;
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        if (filling->type_of_event_type[e] != OCELOTL_NONE)
            oc_text_format(&names, "%s\"%s\"", names.length > 0 ? ", " : "",
                           oc_type_spelling(trace, e));
    const ocelotl_status status =
        oc_fail(OCELOTL_ERROR_ARGUMENT,
                "%s: the variables %s may have different units; show one of them "
                "(--only), or each as a share of its largest "
                "value (--scale max)",
                trace->label, names.failed ? "" : names.bytes);
    oc_text_free(&names);
    return status;
}

/* Sets scales and offsets: drawn is the cell's value times the scale plus the offset. */
static ocelotl_status set_scales(oc_filling *filling, const oc_variable_range *ranges)
{
    for (uint32_t e = 0; e < filling->trace->event_type_count; e++) {
        const oc_variable_range *found = &ranges[e];
        if (filling->type_of_event_type[e] == OCELOTL_NONE || !found->known)
            continue;
        oc_model_type *type = &filling->model->types[filling->type_of_event_type[e]];
        if (found->low < 0 && !filling->options->cells.shift)
            return oc_fail(
                OCELOTL_ERROR_ARGUMENT,
                "%s: the variable \"%s\" has negative values, down to %g, and no partition "
                "takes these; count from its least value (--shift)",
                filling->trace->label, oc_type_spelling(filling->trace, e), found->low);
        type->offset = filling->options->cells.shift ? found->low : 0;
        const double height = found->high - type->offset;
        type->scale = filling->options->cells.scale && height > 0 ? height : 1;
    }
    return OCELOTL_OK;
}

ocelotl_status oc_scale_variables(oc_filling *filling)
{
    oc_variable_range *ranges = NULL;
    OC_TRY(oc_allocate(&ranges, filling->trace->event_type_count, sizeof *ranges));
    ocelotl_status status = find_ranges(ranges, &filling->connection);
    if (status == OCELOTL_OK)
        status = check_units(filling);
    if (status == OCELOTL_OK)
        status = set_scales(filling, ranges);
    free(ranges);
    return status;
}

static ocelotl_status has_negative(bool *negative, ocelotl_trace *trace,
                                   const uint32_t *type_of_event_type)
{
    const oc_connection connection = oc_connection_of(trace);
    oc_variable_range *ranges = NULL;
    OC_TRY(oc_allocate(&ranges, trace->event_type_count, sizeof *ranges));
    const ocelotl_status status = find_ranges(ranges, &connection);
    *negative = false;
    for (uint32_t e = 0; e < trace->event_type_count && status == OCELOTL_OK; e++)
        if (type_of_event_type[e] != OCELOTL_NONE && ranges[e].known && ranges[e].low < 0)
            *negative = true;
    free(ranges);
    return status;
}

ocelotl_status oc_suit_variables(ocelotl_model_options *options, char **reason,
                                 ocelotl_trace *trace, const oc_sources *sources)
{
    bool negative;
    const char *text = "";
    const bool scale = !options->cells.scale && !have_one_unit(trace, sources->type_of_event_type);
    OC_TRY(has_negative(&negative, trace, sources->type_of_event_type));
    const bool shift = !options->cells.shift && negative;
    options->cells.scale = options->cells.scale || scale;
    options->cells.shift = options->cells.shift || shift;
    if (scale && shift)
        text = "variables are counted from their least value (--shift), each as a share of its "
               "largest (--scale max)";
    else if (scale)
        text = "each variable is a share of its largest value (--scale max)";
    else if (shift)
        text = "variables are counted from their least value (--shift)";
    return oc_copy_text(reason, text);
}

/* What is collected of a leaf, stream by stream. */
typedef struct following {
    oc_filling *filling;
    oc_leaf_rows means, shares, extremes;
    const oc_stream *stream;
    uint32_t type;
    double *mean, *share, *extreme; /* the rows of that type */
    double before;                  /* the integral, */
    uint64_t before_count;          /* and the changes, at the last boundary */
} following;

/* --- Means */

static const ocelotl_resource *resource_of(const following *f)
{
    return &f->filling->trace->resources[f->stream->resource];
}

/* Finds the share of each slice in which the variable has a value. */
static ocelotl_status find_shares(following *f)
{
    const oc_slicing *slicing = f->filling->slicing;
    const int64_t begin = f->stream->begin;
    const int64_t end = resource_of(f)->end;
    if (begin > end)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: is damaged: a variable after the end of its resource",
                       f->filling->trace->path);
    oc_instant from = oc_slicing_lived(f->filling->boundaries[0], begin, end);
    for (uint32_t slice = 0; slice < slicing->slices; slice++) {
        const oc_instant to = oc_slicing_lived(f->filling->boundaries[slice + 1], begin, end);
        int64_t units = 0;
        if (!oc_slicing_between(&units, slicing, from, to))
            return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: impossible times",
                           f->filling->trace->path);
        f->share[slice] = (double)units / (double)slicing->length;
        from = to;
    }
    return OCELOTL_OK;
}

/* The integral up to a boundary, which may lie behind its tick. */
static double integral_at(const following *f, const oc_fold *fold, uint32_t boundary)
{
    const oc_instant now = f->filling->boundaries[boundary];
    if (fold->total_count == 0)
        return 0;
    if (!fold->has_number || now.ticks >= resource_of(f)->end)
        return fold->totals[0].integral;
    return fold->totals[0].integral + fold->number * now.rest / f->filling->slicing->slices;
}

static ocelotl_status fail_range(const following *f)
{
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "%s: is damaged, or a variable has values that are too large to be added up",
                   f->filling->trace->path);
}

static uint64_t changes_in(const oc_fold *fold)
{
    return fold->total_count > 0 ? fold->totals[0].count : 0;
}

/* Ends a slice. If the variable kept its value, the mean is that value: a difference of sums would
 * lose digits. */
static ocelotl_status end_slice(following *f, const oc_fold *fold, uint32_t boundary)
{
    const oc_slicing *slicing = f->filling->slicing;
    const oc_model_type *type = &f->filling->model->types[f->type];
    const double now = integral_at(f, fold, boundary);
    const double share = boundary > 0 ? f->share[boundary - 1] : 0;
    if (share > 0) {
        const double sum = changes_in(fold) == f->before_count
                               ? fold->number * share
                               : (now - f->before) * slicing->slices / (double)slicing->length;
        const double mean = (sum - type->offset * share) / type->scale;
        if (!isfinite(mean))
            return fail_range(f);
        f->mean[boundary - 1] = mean > 0 ? mean : 0;
    }
    f->before = now;
    return OCELOTL_OK;
}

/* Visits each boundary, and then the changes at it. */
static ocelotl_status visit_slices(following *f, oc_cursor *cursor)
{
    for (uint32_t i = 0; i <= f->filling->slicing->slices; i++) {
        const oc_instant boundary = f->filling->boundaries[i];
        OC_TRY(oc_cursor_seek(cursor, boundary.ticks, boundary.rest > 0));
        OC_TRY(end_slice(f, oc_cursor_fold(cursor), i));
        if (boundary.rest == 0)
            OC_TRY(oc_cursor_seek(cursor, boundary.ticks, true));
        f->before_count = changes_in(oc_cursor_fold(cursor));
    }
    return OCELOTL_OK;
}

static ocelotl_status find_means(following *f, uint32_t stream)
{
    oc_cursor *cursor = NULL;
    OC_TRY(oc_cursor_open(&cursor, &f->filling->connection, stream,
                          (uint64_t)f->filling->slicing->slices + 1));
    const ocelotl_status status = visit_slices(f, cursor);
    oc_cursor_free(cursor);
    return status;
}

/* --- Extremes */

/* Returns a number without rounding below 0: without a shift, negative ones are rounding (see
 * oc_scale_variables). */
static double without_rounding(const following *f, double number)
{
    return number < 0 && !f->filling->options->cells.shift ? 0 : number;
}

static void widen(following *f, int64_t from, int64_t to, double number)
{
    number = without_rounding(f, number);
    const oc_filling *filling = f->filling;
    const uint32_t slices = filling->slicing->slices;
    const oc_instant *boundaries = filling->boundaries;
    const bool least = filling->metric->drawing == OC_DRAW_LEAST;
    from = from < boundaries[0].ticks ? boundaries[0].ticks : from;
    to = to > boundaries[slices].ticks ? boundaries[slices].ticks : to;
    if (from >= to)
        return;
    for (uint32_t slice = oc_filling_slice(filling, from);
         slice < slices && boundaries[slice].ticks < to; slice++) {
        double *extreme = &f->extreme[slice];
        if (isnan(*extreme) || (least ? number < *extreme : number > *extreme))
            *extreme = number;
    }
}

/* Returns whether a chunk can be skipped unread: it lies within a slice and does not exceed the
 * extreme known there. */
static bool is_passed(const following *f, const oc_reader *reader, const oc_variable_range *ranges,
                      size_t chunk)
{
    if (chunk + 1 >= reader->chunk_count || !ranges[chunk].known)
        return false;
    const uint32_t slice = oc_filling_slice(f->filling, reader->chunks[chunk].begin);
    if (slice == OCELOTL_NONE ||
        reader->chunks[chunk + 1].begin > f->filling->boundaries[slice + 1].ticks)
        return false;
    const double extreme = f->extreme[slice];
    return f->filling->metric->drawing == OC_DRAW_LEAST ? ranges[chunk].low >= extreme
                                                        : ranges[chunk].high <= extreme;
}

/* A value that is replaced at once lasts no time, and so does not count. */
static ocelotl_status follow_changes(following *f, oc_reader *reader,
                                     const oc_variable_range *ranges, size_t chunk)
{
    const int64_t last = f->filling->boundaries[f->filling->slicing->slices].ticks;
    const int64_t end = resource_of(f)->end;
    bool known = false;
    int64_t since = 0;
    double number = 0;
    for (; chunk < reader->chunk_count && (!known || since < last); chunk++) {
        if (is_passed(f, reader, ranges, chunk)) {
            if (known)
                widen(f, since, reader->chunks[chunk].begin, number);
            /* What holds at the end of it is at the beginning of the next one. */
            known = false;
            continue;
        }
        OC_TRY(oc_reader_read(reader, chunk, true));
        if (!known && reader->fold.has_number) {
            known = true;
            since = reader->fold.time;
            number = reader->fold.number;
            if (!isfinite(number))
                return fail_range(f);
        }
        for (size_t i = 0; i < reader->records.count; i++) {
            const oc_record *record = &reader->records.records[i];
            if (!isfinite(record->number) || (known && record->time < since))
                return fail_range(f);
            if (known)
                widen(f, since, record->time, number);
            known = true;
            since = record->time;
            number = record->number;
        }
    }
    if (known)
        widen(f, since, end, number);
    return OCELOTL_OK;
}

/* The least and the largest value that each chunk of the stream changes to. */
static ocelotl_status find_chunk_ranges(oc_variable_range **ranges, oc_reader *reader)
{
    OC_TRY(oc_allocate(ranges, reader->chunk_count, sizeof **ranges));
    for (size_t c = 0; c < reader->chunk_count; c++) {
        oc_variable_range *range = &(*ranges)[c];
        OC_TRY(oc_reader_extremes(&range->low, &range->high, reader, c));
        range->known = range->low <= range->high;
    }
    return OCELOTL_OK;
}

static ocelotl_status find_extremes(following *f, uint32_t stream)
{
    oc_reader reader = {.connection = f->filling->connection};
    oc_variable_range *ranges = NULL;
    ocelotl_status status = oc_reader_select(&reader, stream);
    if (status == OCELOTL_OK)
        status = find_chunk_ranges(&ranges, &reader);
    if (status == OCELOTL_OK) {
        const size_t chunk = oc_reader_chunk_at(&reader, f->filling->slicing->begin);
        status = follow_changes(f, &reader, ranges, chunk);
    }
    free(ranges);
    oc_reader_free(&reader);
    return status;
}

/* --- Step by step, if steps have to meet conditions */

static ocelotl_status add_step(following *f, const oc_step *step)
{
    const oc_model_type *type = &f->filling->model->types[f->type];
    const double number = without_rounding(f, step->number);
    if (!step->passes)
        return OCELOTL_OK;
    widen(f, step->begin, step->end, step->number);
    OC_TRY(oc_filling_add_time(f->share, f->filling, step->begin, step->end, 1));
    return oc_filling_add_time(f->mean, f->filling, step->begin, step->end,
                               (number - type->offset) / type->scale);
}

static ocelotl_status follow_steps(following *f, oc_walk *walk, uint32_t stream)
{
    const oc_step *step;
    OC_TRY(oc_walk_begin(walk, stream, f->filling->slicing->begin));
    OC_TRY(oc_walk_next_step(&step, walk));
    while (step != NULL) {
        OC_TRY(add_step(f, step));
        OC_TRY(oc_walk_next_step(&step, walk));
    }
    return OCELOTL_OK;
}

static ocelotl_status find_steps(following *f, uint32_t stream)
{
    oc_walk walk = {.reader = {.connection = f->filling->connection},
                    .conditions = f->filling->conditions,
                    .to = oc_filling_end(f->filling),
                    .within = true};
    const ocelotl_status status = follow_steps(f, &walk, stream);
    oc_walk_free(&walk);
    return status;
}

/* --- All leaves */

static ocelotl_status follow_stream(following *f, uint32_t stream)
{
    const uint32_t slices = f->filling->slicing->slices;
    const bool extremes = f->filling->metric->drawing != OC_DRAW_RATIO;
    f->stream = &f->filling->trace->streams[stream];
    f->type = oc_filling_type(f->filling, f->stream->event_type, OCELOTL_NONE);
    if (f->type == OCELOTL_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_leaf_rows_get(&f->mean, &f->means, f->type));
    OC_TRY(oc_leaf_rows_get(&f->share, &f->shares, f->type));
    OC_TRY(oc_leaf_rows_get(&f->extreme, &f->extremes, f->type));
    for (uint32_t slice = 0; slice < slices; slice++)
        f->extreme[slice] = NAN;
    if (oc_conditions_concern(f->filling->conditions, f->stream->event_type))
        return find_steps(f, stream);
    f->before = 0;
    f->before_count = 0;
    OC_TRY(find_shares(f));
    OC_TRY(find_means(f, stream));
    return extremes ? find_extremes(f, stream) : OCELOTL_OK;
}

static ocelotl_status follow_leaf(following *f, uint32_t leaf)
{
    oc_filling *filling = f->filling;
    const uint32_t resource = filling->tree->resources[leaf];
    const bool ratio = filling->metric->drawing == OC_DRAW_RATIO;
    oc_leaf_rows_clear(&f->means);
    oc_leaf_rows_clear(&f->shares);
    oc_leaf_rows_clear(&f->extremes);
    for (uint32_t i = filling->streams->first[resource]; i < filling->streams->first[resource + 1];
         i++)
        OC_TRY(follow_stream(f, filling->streams->list[i]));
    for (uint32_t type = 0; type < filling->model->type_count; type++) {
        const double *mean = oc_leaf_rows_find(&f->means, type);
        if (mean == NULL)
            continue;
        OC_TRY(oc_cells_add(&filling->sums, leaf, type, mean, filling->slicing->slices, false));
        OC_TRY(oc_cells_add(&filling->drawn, leaf, type,
                            oc_leaf_rows_find(ratio ? &f->shares : &f->extremes, type),
                            filling->slicing->slices, !ratio));
    }
    return OCELOTL_OK;
}

/* Keeps extremes as they are, neither scaled nor shifted. */
static void keep_extremes(oc_filling *filling)
{
    for (uint32_t x = 0;
         filling->metric->drawing != OC_DRAW_RATIO && x < filling->model->type_count; x++) {
        filling->model->types[x].scale = 1;
        filling->model->types[x].offset = 0;
    }
}

static ocelotl_status follow_leaves(oc_filling *filling, uint32_t first, uint32_t end,
                                    const void *context)
{
    (void)context;
    const oc_leaf_rows rows = {.slices = filling->slicing->slices,
                               .type_count = filling->model->type_count};
    following f = {.filling = filling, .means = rows, .shares = rows, .extremes = rows};
    ocelotl_status status = OCELOTL_OK;
    for (uint32_t leaf = first; leaf < end && status == OCELOTL_OK; leaf++)
        status = follow_leaf(&f, leaf);
    oc_leaf_rows_free(&f.means);
    oc_leaf_rows_free(&f.shares);
    oc_leaf_rows_free(&f.extremes);
    return status;
}

ocelotl_status oc_fill_variable(oc_filling *filling)
{
    OC_TRY(oc_scale_variables(filling));
    OC_TRY(oc_fill_leaves(filling, follow_leaves, NULL));
    keep_extremes(filling);
    return OCELOTL_OK;
}
