/* A trace with new times: stream after stream is read and written again. As a function of time
 * grows, what happens in one resource stays in order; only links have times of two clocks. */
#include "quality/derive/derive.h"
#include "base/format/date.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/text.h"
#include "store/file/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number of ticks, each of numerator / denominator seconds; the latter are at most 10^18. */
typedef struct tick_count {
    uint64_t count;
    uint64_t numerator, denominator;
} tick_count;

/* --- The absolute time of tick 0, where it moves */

__extension__ typedef __int128 wide;

/* Writes an instant (ISO 8601) that is some ticks before another one, into an empty text; "" where
 * that is none, or of an unknown form. */
static void write_origin_before(oc_text *text, const char *origin, const tick_count *ticks)
{
    char day[OC_DATE_SIZE];
    oc_instant is;
    oc_text_append(text, "", 0);
    if (!oc_instant_read(&is, origin))
        return;
    const wide length = (wide)ticks->count * ticks->numerator;
    const wide rest = length % ticks->denominator * OC_INSTANT_PARTS / ticks->denominator;
    is.second -= (int64_t)(length / ticks->denominator);
    is.part -= (int64_t)rest;
    if (is.part < 0) {
        is.part += OC_INSTANT_PARTS;
        is.second--;
    }
    if (!oc_date_write(day, is.second))
        return;
    oc_text_add(text, day);
    /* the part has no fewer digits than before, and no zeros at its end that are new */
    char digits[32];
    int count = OC_INSTANT_DIGITS;
    snprintf(digits, sizeof digits, "%0*" PRId64, OC_INSTANT_DIGITS, is.part);
    while (count > is.digits && digits[count - 1] == '0')
        count--;
    digits[count] = '\0';
    if (count > 0)
        oc_text_format(text, ".%s", digits);
    oc_text_add(text, is.zone);
}

/* --- The new trace */

static const size_t ordering_memory = (size_t)64 << 20;

/* --- Resources */

static bool is_above(const oc_derivation *d, uint32_t resource)
{
    return d->options.function_count > 0 && d->options.function_of != NULL &&
           d->options.function_of[resource] == OCELOTL_NONE;
}

/* From when to when something lives. */
typedef struct life {
    int64_t begin, end;
} life;

static const life nobody = {INT64_MAX, INT64_MIN};

static void include(life *all, int64_t begin, int64_t end)
{
    all->begin = begin < all->begin ? begin : all->begin;
    all->end = end > all->end ? end : all->end;
}

/* A new time, and as far before it or behind it as `tick` was of `from`. */
static int64_t move_along(oc_derivation *d, int64_t time, int64_t from, int64_t tick)
{
    int64_t beyond;
    if (__builtin_sub_overflow(tick, from, &beyond) ||
        __builtin_mul_overflow(beyond, d->factor, &beyond) ||
        __builtin_add_overflow(time, beyond, &time))
        d->fits = false;
    return time;
}

/* Finds how long the new trace lasts, by all that has a clock. */
static life find_all(oc_derivation *d)
{
    const ocelotl_trace *trace = d->trace;
    life before = nobody;
    life after = nobody;
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        const ocelotl_resource *resource = &trace->resources[r];
        if (is_above(d, r))
            continue;
        include(&before, resource->begin, resource->end);
        include(&after, oc_derive_time(d, r, resource->begin), oc_derive_time(d, r, resource->end));
    }
    if (before.end < before.begin)
        return nobody;
    return (life){move_along(d, after.begin, before.begin, trace->info.begin),
                  move_along(d, after.end, before.end, trace->info.end)};
}

/* Parents come before children. */
static void find_life(oc_derivation *d, uint32_t r, life *below, const life *all)
{
    const ocelotl_resource *resource = &d->trace->resources[r];
    const uint32_t parent = resource->parent;
    if (below[r].end >= below[r].begin) {
        /* What is above all clocks lives longer than what is below it by as much as it did. Its
         * ends may be those of the trace, by whatever clock: they stay these. */
        const ocelotl_trace_info *info = &d->trace->info;
        const int64_t begin = move_along(d, d->begins[r], below[r].begin, resource->begin);
        const int64_t end = move_along(d, d->ends[r], below[r].end, resource->end);
        d->begins[r] = resource->begin == info->begin || begin < all->begin ? all->begin : begin;
        d->ends[r] = resource->end == info->end || end > all->end ? all->end : end;
        if (d->ends[r] < d->begins[r])
            d->ends[r] = d->begins[r];
    } else {
        d->begins[r] = oc_derive_time(d, r, resource->begin);
        d->ends[r] = oc_derive_time(d, r, resource->end);
    }
    if (parent == OCELOTL_ROOT || !is_above(d, parent))
        return;
    life lives = below[parent].end < below[parent].begin
                     ? nobody
                     : (life){d->begins[parent], d->ends[parent]};
    include(&lives, d->begins[r], d->ends[r]);
    include(&below[parent], resource->begin, resource->end);
    d->begins[parent] = lives.begin;
    d->ends[parent] = lives.end;
}

static ocelotl_status find_lifetimes(oc_derivation *d)
{
    const ocelotl_trace *trace = d->trace;
    life *below = NULL;
    OC_TRY(oc_allocate(&d->begins, trace->resource_count, sizeof *d->begins));
    OC_TRY(oc_allocate(&d->ends, trace->resource_count, sizeof *d->ends));
    OC_TRY(oc_allocate(&below, trace->resource_count, sizeof *below));
    const life all = find_all(d);
    for (uint32_t r = 0; r < trace->resource_count; r++)
        below[r] = nobody;
    for (uint32_t r = trace->resource_count; r-- > 0;)
        find_life(d, r, below, &all);
    free(below);
    return oc_derive_check(d);
}

/* --- Streams */

static ocelotl_status copy_chunks(oc_derivation *d)
{
    for (size_t c = 0; c < d->reader.chunk_count; c++) {
        OC_TRY(oc_reader_read(&d->reader, c, true));
        const oc_records *records = &d->reader.records;
        const uint32_t resource = d->trace->streams[d->stream].resource;
        for (size_t i = 0; i < records->count; i++) {
            oc_record record = records->records[i];
            record.time = oc_derive_time(d, resource, record.time);
            OC_TRY(oc_derive_check(d));
            OC_TRY(oc_copier_add(&d->copier, records, &record));
        }
    }
    return OCELOTL_OK;
}

static ocelotl_status copy_streams(oc_derivation *d)
{
    const ocelotl_trace *trace = d->trace;
    d->copier.writer = d->writer;
    d->watch.total = trace->stream_count;
    for (d->stream = 0; d->stream < trace->stream_count; d->stream++) {
        const oc_stream *stream = &trace->streams[d->stream];
        d->watch.done = d->stream;
        OC_TRY(oc_reader_ask(&d->reader));
        OC_TRY(oc_reader_select(&d->reader, d->stream));
        OC_TRY(oc_writer_find_stream(&d->copier.target, d->writer, stream->resource,
                                     stream->event_type, stream->role));
        OC_TRY(oc_is_of_links(stream) ? oc_derive_links(d) : copy_chunks(d));
    }
    return OCELOTL_OK;
}

/* --- The whole */

/* A trace may last longer than all that is in it; then by the first clock. */
static ocelotl_status bound(oc_derivation *d)
{
    const ocelotl_trace *trace = d->trace;
    bool begins = true;
    bool ends = true;
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        begins = begins && trace->resources[r].begin > trace->info.begin;
        ends = ends && trace->resources[r].end < trace->info.end;
    }
    const int64_t begin = oc_derive_time(d, OCELOTL_NONE, trace->info.begin);
    const int64_t end = oc_derive_time(d, OCELOTL_NONE, trace->info.end);
    OC_TRY(oc_derive_check(d));
    if (begins)
        oc_writer_bound(d->writer, begin);
    if (ends)
        oc_writer_bound(d->writer, end);
    return OCELOTL_OK;
}

/* Keeps what is before zero out of the new trace, unless the old one begins no later. */
static ocelotl_status shift(oc_derivation *d)
{
    const ocelotl_trace *trace = d->trace;
    int64_t least = oc_derive_time(d, OCELOTL_NONE, trace->info.begin);
    for (uint32_t r = 0; r < trace->resource_count; r++)
        least = d->begins[r] < least ? d->begins[r] : least;
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        const oc_stream *stream = &trace->streams[s];
        const int64_t begin = oc_derive_time(d, stream->resource, stream->begin);
        least = stream->count > 0 && begin < least ? begin : least;
    }
    OC_TRY(oc_derive_check(d));
    const int64_t before =
        oc_time_of(&(ocelotl_time_function){NULL, 0}, trace->info.begin, d->factor, &d->fits);
    if (least >= 0 || least >= before)
        return oc_derive_check(d);
    d->shift = least == INT64_MIN ? INT64_MAX : -least;
    for (uint32_t r = 0; r < trace->resource_count; r++)
        if (__builtin_add_overflow(d->begins[r], d->shift, &d->begins[r]) ||
            __builtin_add_overflow(d->ends[r], d->shift, &d->ends[r]))
            d->fits = false;
    return oc_derive_check(d);
}

/* Says what the new trace is. */
static ocelotl_status describe(const oc_derivation *d)
{
    oc_text how = {0};
    const char *given = d->options.derivation;
    oc_text_add(&how, given != NULL ? given : "");
    if (d->shift > 0)
        oc_text_format(&how, "%sall times later by %.9g s, so that none is negative",
                       how.length > 0 ? "; " : "",
                       ocelotl_trace_seconds(d->trace, 1) * (double)d->shift / (double)d->factor);
    ocelotl_status status = how.failed ? oc_fail_memory()
                                       : ocelotl_writer_derived(d->writer, d->trace->info.uid,
                                                                how.length > 0 ? how.bytes : NULL);
    oc_text_free(&how);
    for (uint32_t c = 0; c < d->options.clock_count && status == OCELOTL_OK; c++) {
        ocelotl_set_clock clock = d->options.clocks[c];
        clock.offset *= (double)d->factor;
        clock.bound *= (double)d->factor;
        status = ocelotl_writer_clock(d->writer, &clock);
    }
    return status;
}

/* Divides the tick. */
static ocelotl_status refine(ocelotl_writer_options *options, const oc_derivation *d)
{
    static const uint64_t finest = 1000000000000000000;
    const uint64_t factor = (uint64_t)d->factor;
    if (options->tick_numerator % factor == 0) {
        options->tick_numerator /= factor;
        return OCELOTL_OK;
    }
    if (options->tick_denominator > finest / factor)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: has no ticks that are %" PRIu64 " times finer, expected at most 10^18 "
                       "a second",
                       d->trace->label, factor);
    options->tick_denominator *= factor;
    return OCELOTL_OK;
}

static ocelotl_status open_writer(oc_derivation *d, const char *target)
{
    oc_text origin = {0};
    ocelotl_writer_options options = oc_copy_options(d->trace);
    OC_TRY(refine(&options, d));
    if (d->options.name != NULL)
        options.name = d->options.name;
    options.overwrite = d->options.overwrite;
    if (d->shift > 0) {
        write_origin_before(
            &origin, options.origin,
            &(tick_count){(uint64_t)d->shift, options.tick_numerator, options.tick_denominator});
        options.origin = origin.bytes;
    }
    ocelotl_status status = origin.failed ? oc_fail_memory() : OCELOTL_OK;
    if (status == OCELOTL_OK)
        status = ocelotl_writer_open(&d->writer, target, &options);
    oc_text_free(&origin);
    OC_TRY(status);
    OC_TRY(oc_copy_notes(d->writer, d->trace, OC_STORE_ALIGNED_KEY));
    return describe(d);
}

static ocelotl_status derive(oc_derivation *d, const char *target)
{
    const ocelotl_derive_options *options = &d->options;
    if (options->function_count > 0 && options->functions == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "there are no functions, expected %u of them",
                       options->function_count);
    for (uint32_t f = 0; f < options->function_count; f++)
        OC_TRY(oc_time_function_check(&options->functions[f]));
    OC_TRY(oc_check_work(&options->work));
    OC_TRY(oc_catalogue_read(&d->catalogue, d->trace));
    OC_TRY(find_lifetimes(d));
    OC_TRY(shift(d));
    OC_TRY(oc_ordering_open(&d->ordering, ordering_memory));
    OC_TRY(open_writer(d, target));
    OC_TRY(oc_copy_types(d->writer, &d->catalogue));
    OC_TRY(oc_copy_resources(d->writer, d->trace, d->begins, NULL));
    OC_TRY(bound(d));
    OC_TRY(copy_streams(d));
    /* The last record there may be the begin of a link that would end before it. */
    for (uint32_t r = 0; r < d->trace->resource_count; r++) {
        int64_t end = d->ends[r];
        for (uint32_t s = d->writer->resources[r].first_stream; s != OCELOTL_NONE;
             s = d->writer->streams[s].next_of_resource) {
            const oc_writer_stream *stream = &d->writer->streams[s];
            if (stream->count > 0 && stream->packing.end > end)
                end = stream->packing.end;
        }
        OC_TRY(ocelotl_writer_resource_end(d->writer, r, end));
    }
    if (options->add != NULL) /* behind the ends: a link may end after the resource it begins in */
        OC_TRY(options->add(options->context, d->writer));
    return ocelotl_writer_finish(d->writer);
}

ocelotl_status ocelotl_trace_derive(const char *target, ocelotl_trace *trace,
                                    const ocelotl_derive_options *options)
{
    oc_derivation d = {.trace = trace, .options = *options, .factor = 1, .fits = true};
    d.watch.work = d.options.work;
    if (d.options.tick_factor > 0)
        d.factor = d.options.tick_factor;
    d.reader.connection = oc_connection_of(trace);
    d.reader.watch = &d.watch;
    d.reader.asks = true;
    const ocelotl_status status = oc_fail_in_trace(trace, derive(&d, target));
    ocelotl_writer_free(d.writer);
    oc_reader_free(&d.reader);
    oc_ordering_free(d.ordering);
    oc_open_list_free(&d.open);
    free(d.copier.attributes);
    if (d.catalogue.trace != NULL)
        oc_catalogue_free(&d.catalogue);
    free(d.begins);
    free(d.ends);
    return status;
}
