/* What one stream adds to the statistics: its totals at the window's end, less those at its
 * beginning. */
#include "query/statistics/statistics.h"

#include "base/memory.h"
#include "store/trace/trace.h"

#include <math.h>
#include <stdlib.h>

static ocelotl_status damaged(const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: %s", what);
}

void oc_statistics_sums_free(oc_statistics_sums *sums)
{
    const size_t count = sums->all_lines != NULL ? (sums->groups.count + 1) * sums->line_count : 0;
    oc_walk_free(&sums->walk);
    for (size_t i = 0; i < count; i++)
        free(sums->all_lines[i].durations);
    free(sums->all_lines);
    oc_groups_free(&sums->groups);
    free(sums->attributes);
    oc_map_free(&sums->place_of_attribute);
    free(sums->mixed);
}

/* The line of a total; `fits` is false where a damaged file has the value of another type. */
static oc_statistic_sums *find_line(bool *fits, oc_statistics_sums *sums, const oc_stream *stream,
                                    uint32_t value)
{
    const ocelotl_trace *trace = sums->trace;
    *fits = value == OCELOTL_NONE ||
            (value < trace->value_count && trace->values[value].event_type == stream->event_type);
    return &sums->lines[value == OCELOTL_NONE || !*fits
                            ? oc_statistics_none(trace, stream->event_type)
                            : value];
}

static bool add(int64_t *sum, int64_t sign, int64_t term)
{
    int64_t signed_term;
    return !__builtin_mul_overflow(sign, term, &signed_term) &&
           oc_add_times(sum, *sum, signed_term);
}

static ocelotl_status too_much(const oc_statistics_sums *sums)
{
    return oc_fail(OCELOTL_ERROR_LIMIT,
                   "%s: durations in this window add up to more than 2^63 ticks",
                   sums->trace->label);
}

static ocelotl_status add_number(oc_statistics_sums *sums, uint32_t event_type, uint32_t attribute,
                                 double number)
{
    const uint32_t key[3] = {event_type, attribute, sums->group};
    uint32_t place = oc_map_get(&sums->place_of_attribute, key, sizeof key);
    if (place == OC_MAP_NONE) {
        place = (uint32_t)sums->attribute_count;
        OC_TRY(oc_grow(&sums->attributes, &sums->attribute_capacity, (size_t)place + 1,
                       sizeof *sums->attributes));
        OC_TRY(oc_map_set(&sums->place_of_attribute, key, sizeof key, place));
        sums->attributes[sums->attribute_count++] =
            (oc_statistic_attribute){event_type, sums->group, attribute, 0};
    }
    sums->attributes[place].sum += number;
    return OCELOTL_OK;
}

static ocelotl_status add_attributes(oc_statistics_sums *sums, const oc_stream *stream, double sign)
{
    const oc_fold *fold = &sums->walk.reader.fold;
    for (size_t i = 0; i < fold->sum_count; i++)
        OC_TRY(add_number(sums, stream->event_type, fold->sums[i].attribute,
                          sign * fold->sums[i].sum));
    return OCELOTL_OK;
}

ocelotl_status oc_statistics_add_attribute(oc_statistics_sums *sums, uint32_t event_type,
                                           const ocelotl_attribute_value *value)
{
    double number;
    return oc_bytes_are_number(&number, value->text, value->length)
               ? add_number(sums, event_type, value->attribute, number)
               : OCELOTL_OK;
}

/* Adds one total of the fold, by the stream's role. */
static bool add_total(oc_statistic_sums *line, oc_role role, int64_t sign, const oc_total *total)
{
    bool fits = total->count <= INT64_MAX;
    const int64_t count = (int64_t)total->count;
    line->met = true;
    if (role != OC_ROLE_LINKS_IN)
        fits = fits && add(&line->count, sign, count);
    if (role == OC_ROLE_LINKS_IN || role == OC_ROLE_STATES)
        fits = fits && add(&line->ended, sign, count) && add(&line->closed, sign, total->closed);
    if (role == OC_ROLE_STATES)
        fits = fits && add(&line->inclusive, sign, total->closed) &&
               add(&line->innermost, sign, total->innermost);
    line->integral += (double)sign * total->integral;
    return fits;
}

/* Adds (or takes away) what the reader's fold says. */
static ocelotl_status add_fold(oc_statistics_sums *sums, const oc_stream *stream, int64_t sign)
{
    const oc_fold *fold = &sums->walk.reader.fold;
    bool fits = true;
    bool added = true;
    for (size_t i = 0; i < fold->total_count && fits; i++)
        added = add_total(find_line(&fits, sums, stream, fold->totals[i].value), stream->role, sign,
                          &fold->totals[i]) &&
                added;
    for (size_t i = 0; i < fold->open.count && fits && stream->role == OC_ROLE_STATES; i++) {
        const uint32_t value = fold->totals[oc_fold_open(fold, i)->total].value;
        oc_statistic_sums *line = find_line(&fits, sums, stream, value);
        added = add(&line->ended, sign, -1) &&
                add(&line->inclusive, sign,
                    (int64_t)((uint64_t)fold->time - (uint64_t)oc_fold_open(fold, i)->begin)) &&
                added;
    }
    if (!fits)
        return damaged("a value of another type");
    if (!added)
        return too_much(sums);
    return stream->role == OC_ROLE_LINKS_IN ? add_attributes(sums, stream, (double)sign)
                                            : OCELOTL_OK;
}

/* --- Extremes */

static void widen(oc_statistic_sums *line, double low, double high)
{
    line->low = isnan(line->low) || low < line->low ? low : line->low;
    line->high = isnan(line->high) || high > line->high ? high : line->high;
}

static ocelotl_status note(oc_statistics_sums *sums, const oc_stream *stream, uint32_t value,
                           double number)
{
    bool fits;
    if (oc_filter_shows(sums->filter, stream->event_type,
                        value < sums->trace->value_count ? value : OCELOTL_NONE))
        widen(&sums->lines[oc_statistics_whole(sums->trace, stream->event_type)], number, number);
    if (stream->role == OC_ROLE_VARIABLE || sums->extremes != OCELOTL_EXTREMES_VALUES)
        return OCELOTL_OK;
    oc_statistic_sums *line = find_line(&fits, sums, stream, value);
    widen(line, number, number);
    line->lasted++;
    return fits ? oc_statistics_collect(sums, line, number) : damaged("a value of another type");
}

/* Notes the value that a variable has had since the last record, if it lasts for any time in the
 * window. */
static ocelotl_status note_held(oc_statistics_sums *sums, const oc_stream *stream, int64_t until)
{
    const oc_fold *fold = &sums->walk.reader.fold;
    const int64_t end = sums->trace->resources[stream->resource].end;
    until = until < end ? until : end;
    return fold->has_number && oc_window_overlap(&sums->window, fold->time, until) > 0
               ? note(sums, stream, OCELOTL_NONE, fold->number)
               : OCELOTL_OK;
}

/* Notes a record before it is applied. Links count where they end; those with one end have no
 * duration, and that of those which end before they begin says nothing. */
static ocelotl_status note_record(oc_statistics_sums *sums, const oc_stream *stream,
                                  const oc_record *record)
{
    const oc_fold *fold = &sums->walk.reader.fold;
    if (stream->role == OC_ROLE_VARIABLE)
        return note_held(sums, stream, record->time);
    if (stream->role == OC_ROLE_LINKS_IN && record->duration < 0)
        sums->mixed[stream->event_type] = true;
    else if (stream->role == OC_ROLE_LINKS_IN && record->partner != OCELOTL_NONE)
        return note(sums, stream, record->value, (double)record->duration);
    if (stream->role == OC_ROLE_STATES && record->ends && record->depth < fold->open.count) {
        const oc_open *open = oc_fold_open(fold, fold->open.count - 1 - record->depth);
        return note(sums, stream, fold->totals[open->total].value,
                    (double)record->time - (double)open->begin);
    }
    return OCELOTL_OK;
}

static ocelotl_status read_chunk(oc_statistics_sums *sums, const oc_stream *stream, size_t chunk,
                                 size_t last);

/* Takes the extremes that whole chunks record about themselves. Those of a variable hold values
 * that last no time, too, so a chunk that exceeds what is known is read. */
static ocelotl_status note_chunks(oc_statistics_sums *sums, const oc_stream *stream, size_t first,
                                  size_t end)
{
    oc_statistic_sums *line = &sums->lines[oc_statistics_whole(sums->trace, stream->event_type)];
    for (size_t c = first; c < end; c++) {
        double low;
        double high;
        OC_TRY(oc_reader_extremes(&low, &high, &sums->walk.reader, c));
        if (stream->role == OC_ROLE_VARIABLE && !(low >= line->low && high <= line->high))
            OC_TRY(read_chunk(sums, stream, c, end + 1));
        else if (stream->role == OC_ROLE_LINKS_IN && low < 0)
            sums->mixed[stream->event_type] = true;
        else if (stream->role != OC_ROLE_VARIABLE && low <= high)
            widen(line, low, high);
    }
    return OCELOTL_OK;
}

/* --- The way through the window */

/* Applies records of the chunk that has been read, up to `last`, from *next on. */
static ocelotl_status apply(oc_statistics_sums *sums, const oc_stream *stream, size_t *next,
                            int64_t last, bool noted)
{
    oc_reader *reader = &sums->walk.reader;
    for (; *next < reader->records.count && reader->records.records[*next].time <= last;
         (*next)++) {
        const oc_record *record = &reader->records.records[*next];
        if (noted)
            OC_TRY(note_record(sums, stream, record));
        OC_TRY(oc_fold_apply(&reader->fold, &reader->records, record));
    }
    return OCELOTL_OK;
}

/* Lets time pass; a variable keeps its value to the end of its resource, all else has ended by
 * then. */
static ocelotl_status let_pass(oc_statistics_sums *sums, const oc_stream *stream, int64_t time)
{
    const int64_t end = sums->trace->resources[stream->resource].end;
    oc_fold *fold = &sums->walk.reader.fold;
    if (stream->role == OC_ROLE_VARIABLE && time > end)
        time = end;
    if (stream->role == OC_ROLE_VARIABLE && fold->time > time)
        return damaged("after the end of its resource");
    return oc_fold_advance(fold, time);
}

/* Takes what is left of a chunk, of those before `last`, and its last value up to the next. */
static ocelotl_status take_rest(oc_statistics_sums *sums, const oc_stream *stream, size_t *next,
                                size_t chunk, size_t last)
{
    const bool noted = sums->extremes != OCELOTL_EXTREMES_NONE;
    OC_TRY(apply(sums, stream, next, sums->window.last, noted));
    return noted && stream->role == OC_ROLE_VARIABLE
               ? note_held(sums, stream,
                           chunk + 1 < last ? sums->walk.reader.chunks[chunk + 1].begin
                                            : sums->window.to)
               : OCELOTL_OK;
}

static ocelotl_status read_chunk(oc_statistics_sums *sums, const oc_stream *stream, size_t chunk,
                                 size_t last)
{
    size_t next = 0;
    OC_TRY(oc_reader_read(&sums->walk.reader, chunk, true));
    return take_rest(sums, stream, &next, chunk, last);
}

/* Goes from the begin of the window to its end: `first` chunks begin before it, `last` before its
 * end or at it. */
static ocelotl_status pass(oc_statistics_sums *sums, const oc_stream *stream, size_t first,
                           size_t last)
{
    size_t next = 0;
    size_t chunk = first;
    if (first > 0) {
        OC_TRY(oc_reader_read(&sums->walk.reader, first - 1, true));
        if (sums->window.from > INT64_MIN)
            OC_TRY(apply(sums, stream, &next, sums->window.from - 1, false));
        OC_TRY(let_pass(sums, stream, sums->window.from));
        OC_TRY(add_fold(sums, stream, -1));
        if (sums->extremes != OCELOTL_EXTREMES_NONE || first == last)
            OC_TRY(take_rest(sums, stream, &next, first - 1, last));
    }
    if (sums->extremes != OCELOTL_EXTREMES_VALUES && chunk + 1 < last)
        chunk = last - 1;
    for (; chunk < last; chunk++)
        OC_TRY(read_chunk(sums, stream, chunk, last));
    OC_TRY(let_pass(sums, stream, sums->window.to));
    OC_TRY(add_fold(sums, stream, 1));
    return sums->extremes == OCELOTL_EXTREMES_TYPES && first + 1 < last
               ? note_chunks(sums, stream, first, last - 1)
               : OCELOTL_OK;
}

/* How long a resource lives in the window, from an instant on. */
static int64_t lived(const oc_statistics_sums *sums, const ocelotl_resource *resource,
                     int64_t since)
{
    int64_t from = resource->begin > sums->window.from ? resource->begin : sums->window.from;
    const int64_t to = resource->end < sums->window.to ? resource->end : sums->window.to;
    from = since > from ? since : from;
    return from < to ? to - from : 0;
}

static ocelotl_status add_life(oc_statistics_sums *sums, const oc_stream *stream)
{
    const ocelotl_resource *resource = &sums->trace->resources[stream->resource];
    oc_statistic_sums *line = &sums->lines[oc_statistics_whole(sums->trace, stream->event_type)];
    const int64_t valued =
        stream->role == OC_ROLE_VARIABLE ? lived(sums, resource, stream->begin) : 0;
    const bool read = oc_statistics_reads(sums, stream->event_type);
    line->met = true;
    line->resources += stream->role != OC_ROLE_LINKS_IN;
    if (stream->role != OC_ROLE_VARIABLE && stream->role != OC_ROLE_STATES)
        return OCELOTL_OK;
    return add(&line->lived, 1, lived(sums, resource, resource->begin)) &&
                   add(&line->inclusive, !read, valued)
               ? OCELOTL_OK
               : too_much(sums);
}

static ocelotl_status add_stream(oc_statistics_sums *sums, uint32_t index)
{
    const oc_stream *stream = &sums->trace->streams[index];
    OC_TRY(add_life(sums, stream));
    if (sums->window.from > sums->window.last || stream->count == 0 ||
        stream->begin > sums->window.last)
        return OCELOTL_OK;
    OC_TRY(oc_reader_select(&sums->walk.reader, index));
    const size_t first = oc_reader_chunks_before(&sums->walk.reader, sums->window.from);
    const size_t last = sums->window.to < INT64_MAX
                            ? oc_reader_chunks_before(&sums->walk.reader, sums->window.to + 1)
                            : sums->walk.reader.chunk_count;
    return last > 0 ? pass(sums, stream, first, last) : OCELOTL_OK;
}

ocelotl_status oc_statistics_add_life(oc_statistics_sums *sums, uint32_t stream)
{
    return add_life(sums, &sums->trace->streams[stream]);
}

bool oc_statistics_reads(const oc_statistics_sums *sums, uint32_t event_type)
{
    return oc_filter_reads(sums->filter, sums->trace, event_type) ||
           (sums->filter->nests != NULL && sums->filter->nests[event_type]) ||
           (sums->trace->event_types[event_type].category == OCELOTL_LINK &&
            oc_filter_divides(sums->filter, event_type));
}

ocelotl_status oc_statistics_add(oc_statistics_sums *sums, uint32_t stream)
{
    return oc_fail_in_trace(sums->trace, add_stream(sums, stream));
}
