/* What a stream adds to statistics: from its running totals, or event by event where these do not
 * hold what is asked. */
#include "query/statistics/statistics.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

void oc_statistics_sums_free(oc_statistics_sums *sums)
{
    const size_t count = sums->all_lines != NULL ? sums->group_count * sums->line_count : 0;
    oc_counted_free(&sums->reader);
    for (size_t i = 0; i < count; i++)
        free(sums->all_lines[i].durations);
    free(sums->all_lines);
    free(sums->attributes);
    oc_map_free(&sums->place_of_attribute);
    free(sums->mixed);
}

static oc_statistic_sums *find_line(oc_statistics_sums *sums, uint32_t event_type, uint32_t value)
{
    return &sums->lines[value < sums->trace->value_count
                            ? value
                            : oc_statistics_none(sums->trace, event_type)];
}

static oc_statistic_sums *find_whole(oc_statistics_sums *sums, uint32_t event_type)
{
    return &sums->lines[oc_statistics_whole(sums->trace, event_type)];
}

static ocelotl_status too_much(const oc_statistics_sums *sums)
{
    return oc_fail(OCELOTL_ERROR_LIMIT,
                   "%s: durations in this window add up to more than 2^63 ticks",
                   sums->trace->label);
}

static void widen(oc_statistic_sums *line, double low, double high)
{
    line->low = isnan(line->low) || low < line->low ? low : line->low;
    line->high = isnan(line->high) || high > line->high ? high : line->high;
}

static ocelotl_status add_attribute(oc_statistics_sums *sums, uint32_t event_type,
                                    uint32_t attribute, double number)
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

/* Adds what a link carries that is a number, times a factor. */
static ocelotl_status add_carried(oc_statistics_sums *sums, uint32_t event_type,
                                  const oc_carried *carried, const oc_record *record, double factor)
{
    const oc_records *records = &sums->reader.walk.reader.records;
    const size_t begun = carried != NULL ? carried->count : 0;
    for (size_t i = 0; i < begun + record->attribute_count; i++) {
        double number;
        const ocelotl_attribute_value value =
            i < begun ? carried->values[i]
                      : oc_record_attribute_at(records, record, (uint32_t)(i - begun));
        if (oc_bytes_are_number(&number, value.text, value.length))
            OC_TRY(add_attribute(sums, event_type, value.attribute, factor * number));
    }
    return OCELOTL_OK;
}

/* --- Event by event */

bool oc_statistics_reads(const oc_statistics_sums *sums, uint32_t event_type, oc_role role)
{
    const oc_filter *filter = &sums->question->filter;
    const bool values = sums->extremes == OCELOTL_EXTREMES_VALUES;
    if (oc_conditions_concern(&filter->conditions, event_type))
        return true;
    if (role == OC_ROLE_STATES)
        return values || oc_filter_times(filter) ||
               (filter->nests != NULL && filter->nests[event_type]);
    return role == OC_ROLE_LINKS_IN && (values || oc_filter_divides(filter, event_type));
}

/* An extreme of the type, and of the line. */
static ocelotl_status note(oc_statistics_sums *sums, uint32_t event_type, oc_statistic_sums *line,
                           double number)
{
    if (sums->extremes != OCELOTL_EXTREMES_NONE)
        widen(find_whole(sums, event_type), number, number);
    if (sums->extremes == OCELOTL_EXTREMES_VALUES)
        widen(line, number, number);
    return sums->trace->event_types[event_type].category == OCELOTL_VARIABLE
               ? OCELOTL_OK
               : oc_statistics_collect(sums, line, number);
}

/* The duration of what ends in the window. */
static ocelotl_status add_ended(oc_statistics_sums *sums, uint32_t event_type,
                                oc_statistic_sums *line, const oc_counted_event *event)
{
    const int64_t duration = (int64_t)((uint64_t)event->end - (uint64_t)event->begin);
    line->ended++;
    if (event->source == OCELOTL_NONE || event->end < event->begin)
        return OCELOTL_OK;
    line->lasted++;
    OC_TRY(note(sums, event_type, line, (double)duration));
    return oc_add_times(&line->closed, line->closed, duration) ? OCELOTL_OK : too_much(sums);
}

/* Links count where they begin, and have ended where they end. */
static ocelotl_status take_link(oc_statistics_sums *sums, const oc_counted_event *link)
{
    const uint32_t event_type = sums->stream->event_type;
    if (link->begins && sums->stream->role == OC_ROLE_LINKS_OUT &&
        oc_is_selected(sums->question->resources, link->source)) {
        oc_statistics_choose(sums, link->source);
        find_line(sums, event_type, link->value)->count++;
    }
    if (!link->ends || !oc_is_selected(sums->question->resources, link->target))
        return OCELOTL_OK;
    oc_statistics_choose(sums, link->target);
    OC_TRY(add_ended(sums, event_type, find_line(sums, event_type, link->value), link));
    return add_carried(sums, event_type, link->carried, link->record, 1);
}

ocelotl_status oc_statistics_take(void *context, const oc_counted_event *event)
{
    oc_statistics_sums *sums = context;
    const uint32_t event_type = sums->stream->event_type;
    oc_statistic_sums *line = find_line(sums, event_type, event->value);
    if (oc_is_of_links(sums->stream))
        return take_link(sums, event);
    line->count += event->begins;
    if (sums->stream->role == OC_ROLE_VARIABLE) {
        oc_statistic_sums *whole = find_whole(sums, event_type);
        line->integral += event->number * (double)event->inside;
        if (event->inside > 0)
            OC_TRY(note(sums, event_type, line, event->number));
        return oc_add_times(&whole->inclusive, whole->inclusive, event->inside) ? OCELOTL_OK
                                                                                : too_much(sums);
    }
    if (!oc_add_times(&line->innermost, line->innermost, event->innermost) ||
        !oc_add_times(&line->inclusive, line->inclusive, event->inside))
        return too_much(sums);
    return event->ends && sums->stream->role == OC_ROLE_STATES
               ? add_ended(sums, event_type, line, event)
               : OCELOTL_OK;
}

/* --- From running totals: those where the window ends less those where it begins */

static bool add(int64_t *sum, int64_t sign, int64_t term)
{
    int64_t signed_term;
    return !__builtin_mul_overflow(sign, term, &signed_term) &&
           oc_add_times(sum, *sum, signed_term);
}

/* Adds (or takes away) what the reader's fold says. */
static ocelotl_status add_fold(oc_statistics_sums *sums, int64_t sign)
{
    const oc_stream *stream = sums->stream;
    const oc_role role = stream->role;
    const oc_fold *fold = &sums->reader.walk.reader.fold;
    bool fits = true;
    for (size_t i = 0; i < fold->total_count; i++) {
        const oc_total *total = &fold->totals[i];
        const int64_t count = (int64_t)total->count;
        oc_statistic_sums *line = find_line(sums, stream->event_type, total->value);
        fits = fits && total->count <= INT64_MAX;
        if (role != OC_ROLE_LINKS_IN)
            fits = add(&line->count, sign, count) && fits;
        if (role == OC_ROLE_LINKS_IN || role == OC_ROLE_STATES)
            fits =
                add(&line->ended, sign, count) && add(&line->closed, sign, total->closed) && fits;
        if (role == OC_ROLE_STATES)
            fits = add(&line->inclusive, sign, total->closed) &&
                   add(&line->innermost, sign, total->innermost) && fits;
        line->integral += (double)sign * total->integral;
    }
    for (size_t i = 0; i < fold->open.count && role == OC_ROLE_STATES; i++) {
        const oc_open *open = oc_fold_open(fold, i);
        oc_statistic_sums *line =
            find_line(sums, stream->event_type, fold->totals[open->total].value);
        fits =
            add(&line->ended, sign, -1) &&
            add(&line->inclusive, sign, (int64_t)((uint64_t)fold->time - (uint64_t)open->begin)) &&
            fits;
    }
    for (size_t i = 0; i < fold->sum_count && role == OC_ROLE_LINKS_IN && fits; i++)
        OC_TRY(add_attribute(sums, stream->event_type, fold->sums[i].attribute,
                             (double)sign * fold->sums[i].sum));
    return fits ? OCELOTL_OK : too_much(sums);
}

/* Notes an extreme of the type. */
static void note_type(oc_statistics_sums *sums, uint32_t value, double number)
{
    const uint32_t event_type = sums->stream->event_type;
    if (oc_filter_shows(&sums->question->filter, event_type,
                        value < sums->trace->value_count ? value : OCELOTL_NONE))
        widen(find_whole(sums, event_type), number, number);
}

/* Notes the value that a variable has had since the last record, if it lasts for any time in the
 * window. */
static void note_held(oc_statistics_sums *sums, int64_t until)
{
    const oc_fold *fold = &sums->reader.walk.reader.fold;
    const int64_t end = sums->trace->resources[sums->stream->resource].end;
    until = until < end ? until : end;
    if (fold->has_number && oc_window_overlap(&sums->question->window, fold->time, until) > 0)
        note_type(sums, OCELOTL_NONE, fold->number);
}

/* Notes a record before it is applied. Links count where they end; those with one end have no
 * duration, and that of those which end before they begin says nothing. */
static void note_record(oc_statistics_sums *sums, const oc_record *record)
{
    const oc_fold *fold = &sums->reader.walk.reader.fold;
    const oc_role role = sums->stream->role;
    if (role == OC_ROLE_VARIABLE) {
        note_held(sums, record->time);
    } else if (role == OC_ROLE_LINKS_IN && record->duration < 0) {
        sums->mixed[sums->stream->event_type] = true;
    } else if (role == OC_ROLE_LINKS_IN && record->partner != OCELOTL_NONE) {
        note_type(sums, record->value, (double)record->duration);
    } else if (role == OC_ROLE_STATES && record->ends && record->depth < fold->open.count) {
        const oc_open *open = oc_fold_open(fold, fold->open.count - 1 - record->depth);
        note_type(sums, fold->totals[open->total].value,
                  (double)record->time - (double)open->begin);
    }
}

/* Applies records of the chunk that has been read, up to `last`, from *next on. */
static ocelotl_status apply(oc_statistics_sums *sums, size_t *next, int64_t last, bool noted)
{
    oc_reader *reader = &sums->reader.walk.reader;
    for (; *next < reader->records.count && reader->records.records[*next].time <= last;
         (*next)++) {
        const oc_record *record = &reader->records.records[*next];
        if (noted)
            note_record(sums, record);
        OC_TRY(oc_fold_apply(&reader->fold, &reader->records, record));
    }
    return OCELOTL_OK;
}

/* Lets time pass; a variable keeps its value to the end of its resource, all else has ended by
 * then. */
static ocelotl_status let_pass(oc_statistics_sums *sums, int64_t time)
{
    const int64_t end = sums->trace->resources[sums->stream->resource].end;
    oc_fold *fold = &sums->reader.walk.reader.fold;
    if (sums->stream->role == OC_ROLE_VARIABLE && time > end)
        time = end;
    if (sums->stream->role == OC_ROLE_VARIABLE && fold->time > time)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "damaged chunk of events: after the end of its resource");
    return oc_fold_advance(fold, time);
}

/* Whether the extremes of a type are asked for, and the stream has some: links have them where they
 * end. */
static bool notes_types(const oc_statistics_sums *sums)
{
    const oc_role role = sums->stream->role;
    return sums->extremes != OCELOTL_EXTREMES_NONE && role != OC_ROLE_EVENTS &&
           role != OC_ROLE_LINKS_OUT;
}

/* Takes what is left of a chunk, of those before `last`, and its last value up to the next. */
static ocelotl_status take_rest(oc_statistics_sums *sums, size_t *next, size_t chunk, size_t last)
{
    OC_TRY(apply(sums, next, sums->question->window.last, notes_types(sums)));
    if (notes_types(sums) && sums->stream->role == OC_ROLE_VARIABLE)
        note_held(sums, chunk + 1 < last ? sums->reader.walk.reader.chunks[chunk + 1].begin
                                         : sums->question->window.to);
    return OCELOTL_OK;
}

static ocelotl_status read_chunk(oc_statistics_sums *sums, size_t chunk, size_t last)
{
    size_t next = 0;
    OC_TRY(oc_reader_read(&sums->reader.walk.reader, chunk, true));
    return take_rest(sums, &next, chunk, last);
}

/* Takes the extremes that whole chunks record about themselves. Those of a variable hold values
 * that last no time, too, so a chunk that exceeds what is known is read. */
static ocelotl_status note_chunks(oc_statistics_sums *sums, size_t first, size_t end)
{
    const oc_role role = sums->stream->role;
    oc_statistic_sums *line = find_whole(sums, sums->stream->event_type);
    for (size_t c = first; c < end; c++) {
        double low;
        double high;
        OC_TRY(oc_reader_extremes(&low, &high, &sums->reader.walk.reader, c));
        if (role == OC_ROLE_VARIABLE && !(low >= line->low && high <= line->high))
            OC_TRY(read_chunk(sums, c, end + 1));
        else if (role == OC_ROLE_LINKS_IN && low < 0)
            sums->mixed[sums->stream->event_type] = true;
        else if (role != OC_ROLE_VARIABLE && low <= high)
            widen(line, low, high);
    }
    return OCELOTL_OK;
}

/* Goes from the begin of the window to its end: `first` chunks begin before it, `last` before its
 * end or at it. */
static ocelotl_status add_totals(oc_statistics_sums *sums)
{
    const oc_window *window = &sums->question->window;
    oc_reader *reader = &sums->reader.walk.reader;
    const size_t first = oc_reader_chunks_before(reader, window->from);
    const size_t last = window->to < INT64_MAX ? oc_reader_chunks_before(reader, window->to + 1)
                                               : reader->chunk_count;
    size_t next = 0;
    if (last == 0)
        return OCELOTL_OK;
    if (first > 0) {
        OC_TRY(oc_reader_read(reader, first - 1, true));
        if (window->from > INT64_MIN)
            OC_TRY(apply(sums, &next, window->from - 1, false));
        OC_TRY(let_pass(sums, window->from));
        OC_TRY(add_fold(sums, -1));
        if (notes_types(sums) || first == last)
            OC_TRY(take_rest(sums, &next, first - 1, last));
    }
    if (first < last)
        OC_TRY(read_chunk(sums, last - 1, last));
    OC_TRY(let_pass(sums, window->to));
    OC_TRY(add_fold(sums, 1));
    return notes_types(sums) && first + 1 < last ? note_chunks(sums, first, last - 1) : OCELOTL_OK;
}

/* Running totals count ends of links without a beginning where they are noted. */
static ocelotl_status move_late_ends(oc_statistics_sums *sums, uint32_t stream)
{
    const oc_window *window = &sums->question->window;
    const uint32_t event_type = sums->stream->event_type;
    const oc_record *record;
    if (!sums->question->orphans[event_type] ||
        (window->from == sums->trace->info.begin && window->last == sums->trace->info.end))
        return OCELOTL_OK;
    OC_TRY(oc_walk_begin_orphans(&sums->reader.walk, stream, window->from));
    OC_TRY(oc_walk_next_orphan(&record, true, &sums->reader.walk));
    while (record != NULL) {
        const int more = oc_window_has(window, record->time + record->duration) -
                         oc_window_has(window, record->time);
        find_line(sums, event_type, record->value)->ended += more;
        if (more != 0)
            OC_TRY(add_carried(sums, event_type, NULL, record, more));
        OC_TRY(oc_walk_next_orphan(&record, true, &sums->reader.walk));
    }
    return OCELOTL_OK;
}

/* --- All */

/* How long a resource lives in the window, from an instant on. */
static int64_t lived(const oc_statistics_sums *sums, const ocelotl_resource *resource,
                     int64_t since)
{
    return oc_window_overlap(&sums->question->window,
                             since > resource->begin ? since : resource->begin, resource->end);
}

static ocelotl_status add_life(oc_statistics_sums *sums)
{
    const oc_stream *stream = sums->stream;
    const ocelotl_resource *resource = &sums->trace->resources[stream->resource];
    oc_statistic_sums *line = find_whole(sums, stream->event_type);
    const bool variable = stream->role == OC_ROLE_VARIABLE;
    const bool read = oc_statistics_reads(sums, stream->event_type, stream->role);
    const int64_t valued = variable && !read ? lived(sums, resource, stream->begin) : 0;
    line->met = true;
    line->resources += stream->role != OC_ROLE_LINKS_IN;
    if (!variable && stream->role != OC_ROLE_STATES)
        return OCELOTL_OK;
    return oc_add_times(&line->lived, line->lived, lived(sums, resource, INT64_MIN)) &&
                   oc_add_times(&line->inclusive, line->inclusive, valued)
               ? OCELOTL_OK
               : too_much(sums);
}

static ocelotl_status add_stream(oc_statistics_sums *sums, uint32_t index)
{
    const oc_stream *stream = &sums->trace->streams[index];
    const oc_window *window = &sums->question->window;
    const bool filtered =
        oc_conditions_concern(&sums->question->filter.conditions, stream->event_type);
    const bool here = oc_is_selected(sums->question->resources, stream->resource);
    sums->stream = stream;
    oc_statistics_choose(sums, stream->resource);
    if (here)
        OC_TRY(add_life(sums));
    /* Links that conditions concern are read where they begin, for all that are received. */
    if (!here && !(filtered && stream->role == OC_ROLE_LINKS_OUT))
        return OCELOTL_OK;
    sums->reader.received = !filtered;
    if (oc_statistics_reads(sums, stream->event_type, stream->role))
        return oc_counted_read(&sums->reader, index);
    if (window->from > window->last || stream->count == 0)
        return OCELOTL_OK;
    if (stream->begin <= window->last) {
        OC_TRY(oc_reader_select(&sums->reader.walk.reader, index));
        OC_TRY(add_totals(sums));
    }
    return stream->role == OC_ROLE_LINKS_IN ? move_late_ends(sums, index) : OCELOTL_OK;
}

ocelotl_status oc_statistics_add(oc_statistics_sums *sums, uint32_t stream)
{
    return oc_fail_in_trace(sums->trace, add_stream(sums, stream));
}
