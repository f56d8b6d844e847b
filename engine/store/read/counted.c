#include "store/read/counted.h"

static bool shows(const oc_counted_reader *reader, uint32_t value)
{
    return oc_filter_shows(&reader->question->filter, reader->stream->event_type, value);
}

static ocelotl_status begin(oc_counted_reader *reader, uint32_t stream)
{
    const oc_question *question = reader->question;
    oc_walk *walk = &reader->walk;
    const oc_stream *at = &question->trace->streams[stream];
    const bool links = at->role == OC_ROLE_LINKS_OUT;
    walk->conditions = &question->filter.conditions;
    walk->to = question->window.last;
    walk->within = !links;
    walk->every_change = true;
    walk->carries = reader->carries && links;
    walk->attribute = reader->bytes != NULL ? reader->bytes[at->event_type] : OCELOTL_NONE;
    walk->sums = walk->attribute != OCELOTL_NONE && links;
    return oc_walk_begin(walk, stream, question->window.from);
}

static ocelotl_status give(oc_counted_reader *reader, oc_counted_event *event)
{
    event->stream = reader->stream;
    return shows(reader, event->value) ? reader->take(reader->context, event) : OCELOTL_OK;
}

/* --- States */

static ocelotl_status give_states(oc_counted_reader *reader, const oc_scanned_states *found)
{
    const oc_question *question = reader->question;
    const oc_window *window = &question->window;
    const oc_state_detail *detail = found->detail;
    for (size_t i = 0; i < found->count; i++) {
        const oc_ended_state *state = &found->states[i];
        if ((detail != NULL && !detail->passes) ||
            !oc_filter_lasts(&question->filter, state->begin, state->end) ||
            state->begin > window->last)
            continue;
        oc_counted_event event = {.value = state->value,
                                  .source = reader->stream->resource,
                                  .target = reader->stream->resource,
                                  .begin = state->begin,
                                  .end = state->end,
                                  .begins = oc_window_has(window, state->begin),
                                  .ends = oc_window_has(window, state->end),
                                  .inside = oc_window_overlap(window, state->begin, state->end)};
        event.innermost =
            detail == NULL ? event.inside : oc_window_overlap(window, detail->since, state->end);
        for (size_t p = 0; detail != NULL && p < detail->piece_count; p++)
            event.innermost += detail->pieces[p].units;
        OC_TRY(give(reader, &event));
    }
    return OCELOTL_OK;
}

/* How long a state lasts is known where it ends, so what is open at the window's end is followed,
 * unless ends alone are of interest. */
static ocelotl_status read_states(oc_counted_reader *reader, uint32_t stream)
{
    const oc_question *question = reader->question;
    const oc_filter *filter = &question->filter;
    const oc_stream *at = &question->trace->streams[stream];
    const oc_window *window = &question->window;
    const oc_scanned_states *found;
    oc_state_scan *scan = &reader->scan;
    const bool nests = filter->nests != NULL && filter->nests[at->event_type];
    reader->slicing = (oc_slicing){window->from, (uint64_t)window->to - (uint64_t)window->from, 1};
    reader->borders[0] = (oc_instant){window->from, 0};
    reader->borders[1] = (oc_instant){window->to, 0};
    scan->finder = oc_slice_finder_of(&reader->slicing, reader->borders);
    scan->walk.conditions = &filter->conditions;
    scan->walk.within = !reader->innermost;
    scan->without_pieces = !reader->innermost || window->from >= window->to;
    scan->shown = nests && reader->innermost ? filter->types.values : NULL;
    scan->least = filter->given ? filter->least : 0;
    scan->most = filter->given ? filter->most : INT64_MAX;
    OC_TRY(oc_state_scan_begin(scan, stream));
    size_t asked = SIZE_MAX;
    do {
        if (asked != scan->chunk)
            OC_TRY(oc_reader_ask(&reader->walk.reader));
        asked = scan->chunk;
        OC_TRY(oc_state_scan_next(&found, scan));
        OC_TRY(give_states(reader, found));
    } while (found->count > 0);
    return OCELOTL_OK;
}

/* --- Variables */

static ocelotl_status read_steps(oc_counted_reader *reader, uint32_t stream)
{
    const oc_window *window = &reader->question->window;
    const oc_step *step;
    OC_TRY(begin(reader, stream));
    const uint32_t resource = reader->stream->resource;
    OC_TRY(oc_walk_next_step(&step, &reader->walk));
    while (step != NULL) {
        oc_counted_event event = {.value = OCELOTL_NONE,
                                  .source = resource,
                                  .target = resource,
                                  .begin = step->begin,
                                  .end = step->end,
                                  .begins = oc_window_has(window, step->begin),
                                  .inside = oc_window_overlap(window, step->begin, step->end),
                                  .number = step->number};
        if (step->passes)
            OC_TRY(give(reader, &event));
        OC_TRY(oc_walk_next_step(&step, &reader->walk));
    }
    return OCELOTL_OK;
}

/* --- Links, instants */

static ocelotl_status give_link(oc_counted_reader *reader, oc_counted_event *link)
{
    const oc_window *window = &reader->question->window;
    const bool begun = link->source != OCELOTL_NONE;
    const bool ended = link->target < reader->question->trace->resource_count;
    link->begins = begun && oc_window_has(window, link->begin);
    link->ends = ended && oc_window_has(window, link->end > link->begin ? link->end : link->begin);
    link->inside = begun && ended ? oc_window_overlap(window, link->begin, link->end) : 0;
    link->target = ended ? link->target : OCELOTL_NONE;
    return give(reader, link);
}

static ocelotl_status read_links(oc_counted_reader *reader, uint32_t stream)
{
    const oc_interval *link;
    OC_TRY(begin(reader, stream));
    OC_TRY(oc_walk_next_interval(&link, &reader->walk));
    while (link != NULL) {
        oc_counted_event event = {.value = link->value,
                                  .source = reader->stream->resource,
                                  .target = link->target,
                                  .begin = link->begin,
                                  .end = link->end,
                                  .number = link->begun + link->ended,
                                  .carried = link->begins,
                                  .record = link->ends};
        if (link->passes)
            OC_TRY(give_link(reader, &event));
        OC_TRY(oc_walk_next_interval(&link, &reader->walk));
    }
    return OCELOTL_OK;
}

/* Ends of links stand where they end, or at their beginning if that is later; those without a
 * beginning may be noted late. */
static ocelotl_status read_ends(oc_counted_reader *reader, uint32_t stream)
{
    oc_walk *walk = &reader->walk;
    const oc_stream *at = &reader->question->trace->streams[stream];
    const bool orphans = reader->question->orphans[at->event_type];
    const oc_record *record;
    if (!orphans && (!reader->received || at->begin > reader->question->window.last))
        return OCELOTL_OK;
    OC_TRY(begin(reader, stream));
    walk->to = orphans ? INT64_MAX : walk->to;
    OC_TRY(oc_walk_next_instant(&record, walk));
    while (record != NULL) {
        const bool matched = record->partner != OCELOTL_NONE;
        const int64_t other =
            record->time + (record->duration < 0 ? record->duration : -record->duration);
        const int64_t end = record->duration < 0 ? other : record->time;
        oc_counted_event event = {.value = record->value,
                                  .source = record->partner,
                                  .target = at->resource,
                                  .begin = !matched               ? end
                                           : record->duration < 0 ? record->time
                                                                  : other,
                                  .end = end,
                                  .record = record};
        if (walk->attribute != OCELOTL_NONE)
            event.number = oc_record_number(&walk->reader.records, record, walk->attribute);
        if (!matched || reader->received)
            OC_TRY(give_link(reader, &event));
        OC_TRY(oc_walk_next_instant(&record, walk));
    }
    return OCELOTL_OK;
}

static ocelotl_status read_instants(oc_counted_reader *reader, uint32_t stream)
{
    const oc_record *record;
    OC_TRY(begin(reader, stream));
    const uint32_t resource = reader->stream->resource;
    OC_TRY(oc_walk_next_instant(&record, &reader->walk));
    while (record != NULL) {
        const bool is_in = oc_window_has(&reader->question->window, record->time);
        oc_counted_event event = {.value = record->value,
                                  .source = resource,
                                  .target = resource,
                                  .begin = record->time,
                                  .end = record->time,
                                  .begins = is_in,
                                  .ends = is_in,
                                  .record = record};
        if (is_in)
            OC_TRY(give(reader, &event));
        OC_TRY(oc_walk_next_instant(&record, &reader->walk));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_counted_read(oc_counted_reader *reader, uint32_t stream)
{
    static ocelotl_status (*const read[])(oc_counted_reader *, uint32_t) = {
        [OC_ROLE_EVENTS] = read_instants, [OC_ROLE_STATES] = read_states,
        [OC_ROLE_VARIABLE] = read_steps,  [OC_ROLE_LINKS_OUT] = read_links,
        [OC_ROLE_LINKS_IN] = read_ends,
    };
    const oc_question *question = reader->question;
    const oc_stream *at = &question->trace->streams[stream];
    const bool late = at->begin > question->window.last && at->role != OC_ROLE_LINKS_IN;
    if (question->window.from > question->window.last || at->count == 0 || late)
        return OCELOTL_OK;
    reader->stream = at;
    reader->scan.walk.reader.connection = reader->walk.reader.connection;
    reader->scan.walk.reader.watch = reader->walk.reader.watch;
    reader->scan.walk.reader.asks = reader->walk.reader.asks;
    return oc_fail_in_stream(question->trace, stream, read[at->role](reader, stream));
}

void oc_counted_free(oc_counted_reader *reader)
{
    oc_walk_free(&reader->walk);
    oc_state_scan_free(&reader->scan);
}
