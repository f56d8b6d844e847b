/* Metrics of variables (thesis 5.2.3): the mean over time from running integrals; the extremes by
 * reading the changes of the window, but for chunks that cannot add to what is known. */
#include "model/metrics/metric_types.h"

#include "base/memory.h"
#include "base/text.h"
#include "model/metrics/filling.h"
#include "model/metrics/formula.h"
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
        oc_variable_range own = {0};
        OC_TRY(oc_reader_select(reader, s));
        for (size_t c = 0; c < reader->chunk_count; c++)
            OC_TRY(widen_range(&own, reader, c));
        oc_variable_range *range = &ranges[trace->streams[s].event_type];
        if (!own.known)
            continue;
        range->grown = fmax(range->grown, own.high - own.low);
        range->low = range->known ? fmin(range->low, own.low) : own.low;
        range->high = range->known ? fmax(range->high, own.high) : own.high;
        range->known = true;
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
    if (filling->options->cells.scale || oc_is_formula(filling->options->cells.metric) ||
        have_one_unit(trace, filling->type_of_event_type))
        return OCELOTL_OK;
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        if (filling->type_of_event_type[e] != OCELOTL_NONE)
            oc_text_format(&names, "%s\"%s\" in %s", names.length > 0 ? ", " : "",
                           oc_type_spelling(trace, e),
                           trace->event_types[e].unit[0] != '\0' ? trace->event_types[e].unit
                                                                 : "a unit that is not known");
    const ocelotl_status status =
        oc_fail(OCELOTL_ERROR_ARGUMENT,
                "%s: the variables are %s, expected one unit; show those of one "
                "(--only), or each as a share of its largest "
                "value (--scale max)",
                trace->label, names.failed ? "" : names.bytes);
    oc_text_free(&names);
    return status;
}

/* Sets scales and offsets: drawn is the cell's value times the scale plus the offset. A counter
 * counts from where it begins. */
static ocelotl_status set_scales(oc_filling *filling, const oc_variable_range *ranges)
{
    const bool grows = (filling->metric->roles & OC_COUNTERS) != 0;
    for (uint32_t e = 0; e < filling->trace->event_type_count; e++) {
        const oc_variable_range *found = &ranges[e];
        if (filling->type_of_event_type[e] == OCELOTL_NONE || !found->known)
            continue;
        oc_model_type *type = &filling->model->types[filling->type_of_event_type[e]];
        if (found->low < 0 && !filling->options->cells.shift && !grows &&
            filling->trace->event_types[e].kind == OCELOTL_LEVEL)
            return oc_fail(
                OCELOTL_ERROR_ARGUMENT,
                "%s: the variable \"%s\" has negative values, down to %g, and no partition "
                "takes these; count from its least value (--shift)",
                filling->trace->label, oc_type_spelling(filling->trace, e), found->low);
        type->offset = filling->options->cells.shift ? found->low : 0;
        const double height = grows ? found->grown : found->high - type->offset;
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
                                 ocelotl_trace *trace, const oc_sources *sources, bool counts)
{
    bool negative;
    const char *text = "";
    const bool scale = !options->cells.scale && !have_one_unit(trace, sources->type_of_event_type);
    OC_TRY(has_negative(&negative, trace, sources->type_of_event_type));
    const bool shift = !options->cells.shift && negative && !counts;
    options->cells.scale = options->cells.scale || scale;
    options->cells.shift = options->cells.shift || shift;
    if (scale && shift)
        text = "variables are counted from their least value (--shift), each as a share of its "
               "largest (--scale max)";
    else if (scale)
        text = counts ? "each counter is a share of its largest growth (--scale max)"
                      : "each variable is a share of its largest value (--scale max)";
    else if (shift)
        text = "variables are counted from their least value (--shift)";
    return oc_copy_text(reason, text);
}

/* The rows of a variable: of means, of the shares of slices in which it has a value, and of
 * extremes. */
enum { MEANS, SHARES, EXTREMES };

/* A variable while it is measured. */
typedef struct following {
    oc_measuring *m;
    const oc_model_type *type;
    double *mean, *share, *extreme; /* its rows */
    uint64_t count_before;          /* changes, at the last boundary */
} following;

static ocelotl_status fail_range(const following *f)
{
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "%s: is damaged, or a variable has values that are too large to be added up",
                   f->m->filling->trace->path);
}

/* --- Means */

/* Finds the share of each slice in which the variable has a value. */
static ocelotl_status find_shares(following *f)
{
    const oc_filling *filling = f->m->filling;
    if (f->m->stream->begin > f->m->resource->end)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: is damaged: a variable after the end of its resource",
                       filling->trace->path);
    oc_measuring_add_time(f->share, f->m, f->m->stream->begin, f->m->resource->end, 1);
    for (uint32_t slice = 0; slice < filling->slicing->slices; slice++)
        f->share[slice] /= (double)filling->slicing->length;
    return OCELOTL_OK;
}

/* The integral up to a boundary, which may lie behind its tick. */
static double integral_at(const following *f, const oc_fold *fold, uint32_t boundary)
{
    const oc_filling *filling = f->m->filling;
    const oc_instant now = filling->boundaries[boundary];
    if (fold->total_count == 0)
        return 0;
    if (!fold->has_number || now.ticks >= f->m->resource->end)
        return fold->totals[0].integral;
    return fold->totals[0].integral + fold->number * now.rest / filling->slicing->slices;
}

static uint64_t changes_in(const oc_fold *fold)
{
    return fold->total_count > 0 ? fold->totals[0].count : 0;
}

/* Visits each boundary, and then the changes at it. If a variable kept its value over a slice, the
 * mean is that value: a difference of sums would lose digits. */
static ocelotl_status visit_slices(following *f, oc_cursor *cursor)
{
    const oc_filling *filling = f->m->filling;
    const oc_slicing *slicing = filling->slicing;
    const oc_fold *fold = oc_cursor_fold(cursor);
    double before = 0;
    for (uint32_t i = 0; i <= slicing->slices; i++) {
        const oc_instant boundary = filling->boundaries[i];
        OC_TRY(oc_cursor_seek(cursor, boundary.ticks, boundary.rest > 0));
        const double now = integral_at(f, fold, i);
        const double share = i > 0 ? f->share[i - 1] : 0;
        if (share > 0) {
            const double sum = changes_in(fold) == f->count_before
                                   ? fold->number * share
                                   : (now - before) * slicing->slices / (double)slicing->length;
            const double mean = (sum - f->type->offset * share) / f->type->scale;
            if (!isfinite(mean))
                return fail_range(f);
            f->mean[i - 1] = mean > 0 ? mean : 0;
        }
        before = now;
        if (boundary.rest == 0)
            OC_TRY(oc_cursor_seek(cursor, boundary.ticks, true));
        f->count_before = changes_in(fold);
    }
    return OCELOTL_OK;
}

static ocelotl_status find_means(following *f, uint32_t stream)
{
    oc_cursor *cursor = NULL;
    OC_TRY(oc_cursor_open(&cursor, &f->m->filling->connection, stream,
                          (uint64_t)f->m->filling->slicing->slices + 1));
    const ocelotl_status status = visit_slices(f, cursor);
    oc_cursor_free(cursor);
    return status;
}

ocelotl_status oc_variable_means(double *means, oc_measuring *m, uint32_t stream)
{
    static const oc_model_type plain = {.scale = 1};
    following f = {.m = m, .type = &plain, .mean = means};
    const size_t size = m->filling->slicing->slices * sizeof *means;
    OC_TRY(oc_leaf_rows_get(&f.share, &m->rows[2], 0));
    memset(means, 0, size);
    memset(f.share, 0, size);
    OC_TRY(find_shares(&f));
    return find_means(&f, stream);
}

/* --- Extremes */

static bool is_least(const following *f)
{
    return f->m->filling->metric->drawing == OC_DRAW_LEAST;
}

/* Returns a number without rounding below 0: without a shift, negative ones are rounding (see
 * oc_scale_variables). */
static double without_rounding(const following *f, double number)
{
    return number < 0 && !f->m->filling->options->cells.shift ? 0 : number;
}

/* A value that lasts no time does not count. */
static void widen(following *f, int64_t from, int64_t to, double number)
{
    number = without_rounding(f, number);
    const oc_filling *filling = f->m->filling;
    const uint32_t slices = filling->slicing->slices;
    const oc_instant *boundaries = filling->boundaries;
    from = from < boundaries[0].ticks ? boundaries[0].ticks : from;
    to = to > boundaries[slices].ticks ? boundaries[slices].ticks : to;
    if (from >= to)
        return;
    for (uint32_t slice = oc_filling_slice_next(&f->m->found, filling, from);
         slice < slices && boundaries[slice].ticks < to; slice++) {
        double *extreme = &f->extreme[slice];
        if (isnan(*extreme) || (is_least(f) ? number < *extreme : number > *extreme))
            *extreme = number;
    }
}

/* Returns whether a chunk can be skipped unread: it lies within a slice and does not exceed the
 * extreme known there. */
static ocelotl_status is_passed(bool *passed, following *f, size_t chunk)
{
    oc_reader *reader = &f->m->walk.reader;
    const oc_filling *filling = f->m->filling;
    double low;
    double high;
    *passed = false;
    if (chunk + 1 >= reader->chunk_count)
        return OCELOTL_OK;
    const uint32_t slice =
        oc_filling_slice_next(&f->m->found, filling, reader->chunks[chunk].begin);
    if (slice == OCELOTL_NONE || isnan(f->extreme[slice]) ||
        reader->chunks[chunk + 1].begin > filling->boundaries[slice + 1].ticks)
        return OCELOTL_OK;
    OC_TRY(oc_reader_extremes(&low, &high, reader, chunk));
    *passed = low <= high && (is_least(f) ? low >= f->extreme[slice] : high <= f->extreme[slice]);
    return OCELOTL_OK;
}

static ocelotl_status find_extremes(following *f, uint32_t stream)
{
    oc_reader *reader = &f->m->walk.reader;
    const int64_t last = oc_filling_end(f->m->filling);
    bool known = false;
    int64_t since = 0;
    double number = 0;
    OC_TRY(oc_reader_select(reader, stream));
    for (size_t chunk = oc_reader_chunk_at(reader, f->m->filling->slicing->begin);
         chunk < reader->chunk_count && (!known || since < last); chunk++) {
        bool passed;
        OC_TRY(is_passed(&passed, f, chunk));
        if (passed) {
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
        widen(f, since, f->m->resource->end, number);
    return OCELOTL_OK;
}

/* --- Step by step, if steps have to meet conditions */

static ocelotl_status find_steps(following *f, uint32_t stream)
{
    const oc_filling *filling = f->m->filling;
    oc_walk *walk = &f->m->walk;
    const oc_step *step;
    walk->to = oc_filling_end(filling);
    walk->within = true;
    OC_TRY(oc_walk_begin(walk, stream, filling->slicing->begin));
    OC_TRY(oc_walk_next_step(&step, walk));
    while (step != NULL) {
        if (step->passes) {
            const double number = without_rounding(f, step->number) - f->type->offset;
            widen(f, step->begin, step->end, step->number);
            oc_measuring_add_time(f->share, f->m, step->begin, step->end, 1);
            oc_measuring_add_time(f->mean, f->m, step->begin, step->end, number / f->type->scale);
        }
        OC_TRY(oc_walk_next_step(&step, walk));
    }
    for (uint32_t slice = 0; slice < filling->slicing->slices; slice++) {
        f->share[slice] /= (double)filling->slicing->length;
        f->mean[slice] /= (double)filling->slicing->length;
    }
    return OCELOTL_OK;
}

/* --- All leaves */

static ocelotl_status read_variable(oc_measuring *m, uint32_t stream)
{
    const oc_filling *filling = m->filling;
    const uint32_t type = oc_filling_type(filling, m->stream->event_type, OCELOTL_NONE);
    following f = {.m = m};
    if (type == OCELOTL_NONE)
        return OCELOTL_OK;
    f.type = &filling->model->types[type];
    OC_TRY(oc_leaf_rows_get(&f.mean, &m->rows[MEANS], type));
    OC_TRY(oc_leaf_rows_get(&f.share, &m->rows[SHARES], type));
    OC_TRY(oc_leaf_rows_get(&f.extreme, &m->rows[EXTREMES], type));
    for (uint32_t slice = 0; slice < filling->slicing->slices; slice++)
        f.extreme[slice] = NAN;
    if (oc_conditions_concern(filling->conditions, m->stream->event_type))
        return find_steps(&f, stream);
    OC_TRY(find_shares(&f));
    OC_TRY(find_means(&f, stream));
    return filling->metric->drawing != OC_DRAW_RATIO ? find_extremes(&f, stream) : OCELOTL_OK;
}

static ocelotl_status give_variables(oc_measuring *m)
{
    oc_filling *filling = m->filling;
    const uint32_t slices = filling->slicing->slices;
    const bool ratio = filling->metric->drawing == OC_DRAW_RATIO;
    for (uint32_t type = 0; type < filling->model->type_count; type++) {
        const double *mean = oc_leaf_rows_find(&m->rows[MEANS], type);
        const double *drawn = oc_leaf_rows_find(&m->rows[ratio ? SHARES : EXTREMES], type);
        if (mean == NULL)
            continue;
        OC_TRY(oc_cells_add(&filling->sums, m->leaf, type, mean, slices, false));
        OC_TRY(oc_cells_add(&filling->drawn, m->leaf, type, drawn, slices, !ratio));
    }
    return OCELOTL_OK;
}

/* Keeps extremes as they are, neither scaled nor shifted. */
static ocelotl_status keep_extremes(oc_filling *filling)
{
    for (uint32_t x = 0;
         filling->metric->drawing != OC_DRAW_RATIO && x < filling->model->type_count; x++) {
        filling->model->types[x].scale = 1;
        filling->model->types[x].offset = 0;
    }
    return OCELOTL_OK;
}

const oc_measure oc_measure_variable = {.prepare = oc_scale_variables,
                                        .read = read_variable,
                                        .give = give_variables,
                                        .finish = keep_extremes};
