/* Metrics of how many: events and links (thesis 5.2.1), links under way, and what they carry. They
 * come from running totals where these do, or event by event. */
#include "model/metrics/filling.h"
#include "model/metrics/metrics.h"

#include "base/memory.h"
#include "base/text.h"
#include "store/select/groups.h"
#include "store/trace/names.h"

#include <math.h>
#include <stdlib.h>

/* What of a link makes the number: it itself, or its bytes; where it begins or ends, or while it is
 * under way. */
static bool are_bytes(const oc_filling *filling)
{
    return oc_metric_is_of_bytes(filling->metric);
}

static bool are_under_way(const oc_filling *filling)
{
    return filling->metric->measure->timed;
}

/* --- Bytes */

static uint32_t bytes_of(const oc_filling *filling, uint32_t event_type)
{
    return oc_catalogue_bytes(filling->catalogue, event_type, filling->options->cells.attribute);
}

/* Whether a stream has met a number as that attribute. */
static ocelotl_status look_for_numbers(bool *found, const oc_filling *filling, uint32_t stream,
                                       uint32_t attribute)
{
    oc_cursor *cursor = NULL;
    OC_TRY(oc_cursor_open(&cursor, &filling->connection, stream, 1));
    const ocelotl_status status = oc_cursor_seek(cursor, filling->trace->info.end, true);
    const oc_fold *fold = oc_cursor_fold(cursor);
    for (size_t i = 0; status == OCELOTL_OK && i < fold->sum_count; i++)
        *found |= fold->sums[i].attribute == attribute;
    oc_cursor_free(cursor);
    return status;
}

/* Checks that some type shown has an attribute with bytes, and that it holds numbers: text has no
 * sum. */
static ocelotl_status check_bytes(const oc_filling *filling)
{
    const ocelotl_trace *trace = filling->trace;
    const char *asked = filling->options->cells.attribute;
    const char *name = "";
    bool found = false;
    bool any = false;
    bool *shown = NULL;
    OC_TRY(oc_allocate(&shown, trace->event_type_count, sizeof *shown));
    for (uint32_t e = 0; e < trace->event_type_count; e++) {
        shown[e] = filling->type_of_event_type[e] != OCELOTL_NONE;
        found = found || (shown[e] && bytes_of(filling, e) != OCELOTL_NONE);
    }
    ocelotl_status status =
        found ? OCELOTL_OK : oc_catalogue_fail_bytes(filling->catalogue, shown, asked);
    found = false;
    for (uint32_t s = 0; s < trace->stream_count && !found && status == OCELOTL_OK; s++) {
        const uint32_t e = trace->streams[s].event_type;
        const uint32_t attribute =
            shown[e] && oc_is_of_links(&trace->streams[s]) ? bytes_of(filling, e) : OCELOTL_NONE;
        if (attribute == OCELOTL_NONE)
            continue;
        any = true;
        name = oc_catalogue_attribute(filling->catalogue, e, attribute);
        status = look_for_numbers(&found, filling, s, attribute);
    }
    free(shown);
    OC_TRY(status);
    return !any || found ? OCELOTL_OK
                         : oc_fail(OCELOTL_ERROR_ARGUMENT,
                                   "%s: no \"%s\" that a link carries is a number, expected bytes",
                                   trace->label, name);
}

static ocelotl_status fail_bytes(const oc_filling *filling, uint32_t event_type, const char *what)
{
    return oc_fail(
        OCELOTL_ERROR_ARGUMENT, "%s: \"%s\" of links of type \"%s\" is negative%s, expected bytes",
        filling->trace->label,
        oc_catalogue_attribute(filling->catalogue, event_type, bytes_of(filling, event_type)),
        oc_type_spelling(filling->trace, event_type), what);
}

/* --- Links one by one */

/* Whether events of a type are not counted by running totals: conditions concern them, or they are
 * bytes of which only those of some values are shown. */
static bool is_filtered(const oc_filling *filling, uint32_t event_type)
{
    const bool named =
        filling->options->selection.only.count + filling->options->selection.except.count > 0;
    if (oc_conditions_concern(filling->conditions, event_type))
        return true;
    for (uint32_t v = 0; named && are_bytes(filling) && v < filling->trace->value_count; v++)
        if (filling->trace->values[v].event_type == event_type && !filling->filter->values[v])
            return true;
    return false;
}

/* The type of a link, OCELOTL_NONE for one that is not shown. */
static uint32_t type_of_link(const oc_filling *filling, uint32_t event_type, uint32_t value)
{
    const bool hidden = are_bytes(filling) && (value < filling->trace->value_count
                                                   ? !filling->filter->values[value]
                                                   : !filling->filter->event_types[event_type]);
    return hidden ? OCELOTL_NONE : oc_filling_type(filling, event_type, value);
}

/* Goes to a stream, with the numbers of its links that count. *counts: it has some. */
static ocelotl_status begin_links(bool *counts, oc_walk *walk, const oc_filling *filling,
                                  uint32_t stream)
{
    const uint32_t event_type = filling->trace->streams[stream].event_type;
    walk->sums = are_bytes(filling);
    walk->within = false;
    walk->to = oc_filling_end(filling);
    walk->attribute = walk->sums ? bytes_of(filling, event_type) : OCELOTL_NONE;
    *counts = !walk->sums || walk->attribute != OCELOTL_NONE;
    return *counts ? oc_walk_begin(walk, stream, filling->boundaries[0].ticks) : OCELOTL_OK;
}

/* What counts of a link that has ended, where it begins and where it ends. */
static ocelotl_status find_numbers(double *begun, double *ended, const oc_filling *filling,
                                   const oc_walk *walk)
{
    const bool bytes = are_bytes(filling);
    *begun = bytes ? walk->interval.begun : 1;
    *ended = bytes ? walk->interval.ended : 0;
    return *begun >= 0 && isfinite(*begun) && *ended >= 0 && isfinite(*ended)
               ? OCELOTL_OK
               : fail_bytes(filling, walk->stream->event_type, " or too large");
}

static ocelotl_status read_departures(oc_measuring *m, uint32_t stream)
{
    const oc_filling *filling = m->filling;
    const oc_interval *link = NULL;
    double begun;
    double ended;
    bool counts;
    OC_TRY(begin_links(&counts, &m->walk, filling, stream));
    if (counts)
        OC_TRY(oc_walk_next_interval(&link, &m->walk));
    for (; link != NULL;) {
        const uint32_t type = type_of_link(filling, m->stream->event_type, link->value);
        if (link->passes && type != OCELOTL_NONE) {
            OC_TRY(find_numbers(&begun, &ended, filling, &m->walk));
            if (are_under_way(filling) && begun > 0) {
                double *row;
                OC_TRY(oc_leaf_rows_get(&row, &m->rows[0], type));
                oc_measuring_add_time(row, m, link->begin, link->left, begun);
            } else if (!are_under_way(filling)) {
                OC_TRY(oc_measuring_add_at(m, type, link->begin, begun));
                OC_TRY(oc_measuring_add_at(m, type, link->left, ended));
            }
        }
        OC_TRY(oc_walk_next_interval(&link, &m->walk));
    }
    return OCELOTL_OK;
}

/* Links are over at their target with the later of both ends. A link is under way to its target
 * until it is over at its source. */
static ocelotl_status add_links(oc_filling *filling, oc_walk *walk, uint32_t stream)
{
    oc_slice_finder finder = oc_slice_finder_of(filling->slicing, filling->boundaries);
    oc_arrivals *to = &filling->arrivals;
    const oc_interval *link = NULL;
    double begun;
    double ended;
    bool counts;
    OC_TRY(begin_links(&counts, walk, filling, stream));
    if (counts)
        OC_TRY(oc_walk_next_interval(&link, walk));
    for (; link != NULL;) {
        const uint32_t type = type_of_link(filling, walk->stream->event_type, link->value);
        const uint32_t slice =
            oc_filling_slice(filling, link->end > link->begin ? link->end : link->begin);
        if (link->passes && link->target != OCELOTL_NONE && type != OCELOTL_NONE) {
            OC_TRY(find_numbers(&begun, &ended, filling, walk));
            if (are_under_way(filling) && begun > 0)
                OC_TRY(oc_arrivals_add_time(to, &finder, link->target, type, link->begin,
                                            link->left, begun));
            else if (!are_under_way(filling) && slice != OCELOTL_NONE)
                OC_TRY(
                    oc_arrivals_add(to, &(oc_arrival){link->target, type, slice, begun + ended}));
        }
        OC_TRY(oc_walk_next_interval(&link, walk));
    }
    return OCELOTL_OK;
}

/* Links under way are known only where they begin, and so is whether they pass. */
static ocelotl_status find_arrivals(oc_filling *filling)
{
    const ocelotl_trace *trace = filling->trace;
    oc_walk walk = {.reader = {.connection = filling->connection},
                    .conditions = filling->conditions};
    ocelotl_status status = OCELOTL_OK;
    for (uint32_t s = 0; s < trace->stream_count && status == OCELOTL_OK; s++)
        if (trace->streams[s].role == OC_ROLE_LINKS_OUT &&
            (are_under_way(filling) || is_filtered(filling, trace->streams[s].event_type)))
            status = add_links(filling, &walk, s);
    oc_walk_free(&walk);
    oc_arrivals_join(&filling->arrivals);
    return status;
}

static ocelotl_status prepare_links(oc_filling *filling)
{
    if (are_bytes(filling))
        OC_TRY(check_bytes(filling));
    OC_TRY(oc_find_orphans(&filling->orphans, filling->trace));
    return (filling->metric->roles >> OC_ROLE_LINKS_IN & 1) != 0 ? find_arrivals(filling)
                                                                 : OCELOTL_OK;
}

/* Ends of links without a beginning: all of them; or, where totals have counted them as they were
 * noted, what is otherwise with those that ended before. */
static ocelotl_status read_orphans(oc_measuring *m, uint32_t stream, bool counted)
{
    const oc_filling *filling = m->filling;
    const uint32_t event_type = m->stream->event_type;
    const bool bytes = are_bytes(filling);
    const uint32_t attribute = bytes ? bytes_of(filling, event_type) : OCELOTL_NONE;
    const oc_record *record;
    if (!filling->orphans[event_type])
        return OCELOTL_OK;
    OC_TRY(oc_walk_begin_orphans(&m->walk, stream, filling->boundaries[0].ticks));
    OC_TRY(oc_walk_next_orphan(&record, counted, &m->walk));
    while (record != NULL) {
        const double number =
            bytes ? oc_record_number(&m->walk.reader.records, record, attribute) : 1;
        const uint32_t type = type_of_link(filling, event_type, record->value);
        if (!(number >= 0) || !isfinite(number))
            return fail_bytes(filling, event_type, " or too large");
        OC_TRY(oc_measuring_add_at(m, type, record->time + record->duration, number));
        if (counted)
            OC_TRY(oc_measuring_add_at(m, type, record->time, -number));
        OC_TRY(oc_walk_next_orphan(&record, counted, &m->walk));
    }
    return OCELOTL_OK;
}

/* --- Totals */

static ocelotl_status take_states(oc_measuring *m, const oc_group_total *totals, size_t count,
                                  uint32_t boundary)
{
    for (size_t i = 0; i < count; i++)
        OC_TRY(oc_measuring_add_more(m, i, totals[i].group, (double)totals[i].begun, boundary));
    return OCELOTL_OK;
}

static ocelotl_status take_counts(oc_measuring *m, const oc_fold *fold, uint32_t boundary)
{
    for (size_t i = 0; i < fold->total_count; i++)
        OC_TRY(oc_measuring_add_more(
            m, i, oc_filling_type(m->filling, m->stream->event_type, fold->totals[i].value),
            (double)fold->totals[i].count, boundary));
    return OCELOTL_OK;
}

/* Takes the time in flight. A boundary lies `rest` after its tick, and what is open at the tick
 * stays open until then. A link without an arrival is in flight until its source ends. */
static ocelotl_status take_flight(oc_measuring *m, const oc_fold *fold, uint32_t boundary)
{
    const oc_slicing *slicing = m->filling->slicing;
    const oc_instant now = m->filling->boundaries[boundary];
    const double rest = now.ticks < m->resource->end ? (double)now.rest : 0;
    OC_TRY(oc_grow(&m->open, &m->open_capacity, fold->total_count, sizeof *m->open));
    oc_fold_sum_open(m->open, fold);
    for (size_t i = 0; i < fold->total_count; i++) {
        const int64_t inclusive = (int64_t)((uint64_t)fold->totals[i].closed + m->open[i].ticks);
        const double units = (double)inclusive * slicing->slices + rest * (double)m->open[i].count;
        OC_TRY(oc_measuring_add_more(
            m, i, oc_filling_type(m->filling, m->stream->event_type, fold->totals[i].value), units,
            boundary));
    }
    return OCELOTL_OK;
}

static ocelotl_status take_bytes(oc_measuring *m, const oc_fold *fold, uint32_t boundary)
{
    const uint32_t event_type = m->stream->event_type;
    const uint32_t attribute = bytes_of(m->filling, event_type);
    double sum = 0;
    for (size_t i = 0; i < fold->sum_count; i++)
        if (fold->sums[i].attribute == attribute)
            sum = fold->sums[i].sum;
    if (boundary > 0 && sum < m->before[0].number)
        return fail_bytes(m->filling, event_type, "");
    return oc_measuring_add_more(m, 0, oc_filling_type(m->filling, event_type, OCELOTL_NONE), sum,
                                 boundary);
}

/* --- Streams */

static ocelotl_status count_state(oc_measuring *m, const oc_ended_state *state,
                                  const oc_state_detail *detail)
{
    const uint32_t type = oc_filling_type(m->filling, m->stream->event_type, state->value);
    return oc_filling_passes(m->filling, state, detail)
               ? oc_measuring_add_at(m, type, state->begin, 1)
               : OCELOTL_OK;
}

/* How many states of a length that passes begin in each slice: known when they end. */
static ocelotl_status scan_states(oc_measuring *m, uint32_t stream)
{
    const oc_scanned_states *found;
    m->scan.without_pieces = true;
    OC_TRY(oc_measuring_scan(m, stream));
    do {
        OC_TRY(oc_state_scan_next(&found, &m->scan));
        for (size_t i = 0; i < found->count; i++)
            OC_TRY(count_state(m, &found->states[i], found->detail));
    } while (found->count > 0);
    return OCELOTL_OK;
}

/* Instants, and changes of variables, which have no value. */
static ocelotl_status count_records(oc_measuring *m, uint32_t stream)
{
    const oc_record *record;
    m->walk.to = oc_filling_end(m->filling);
    OC_TRY(oc_walk_begin(&m->walk, stream, m->filling->boundaries[0].ticks));
    OC_TRY(oc_walk_next_instant(&record, &m->walk));
    while (record != NULL) {
        const uint32_t value = m->stream->role == OC_ROLE_VARIABLE ? OCELOTL_NONE : record->value;
        OC_TRY(oc_measuring_add_at(m, oc_filling_type(m->filling, m->stream->event_type, value),
                                   record->time, 1));
        OC_TRY(oc_walk_next_instant(&record, &m->walk));
    }
    return OCELOTL_OK;
}

static ocelotl_status read_links(oc_measuring *m, uint32_t stream)
{
    const oc_filling *filling = m->filling;
    const bool timed = are_under_way(filling);
    const bool bytes = are_bytes(filling);
    const bool received = m->stream->role == OC_ROLE_LINKS_IN;
    const bool filtered = is_filtered(filling, m->stream->event_type);
    if ((received && timed) || (bytes && bytes_of(filling, m->stream->event_type) == OCELOTL_NONE))
        return OCELOTL_OK;
    if (received && filtered)
        return read_orphans(m, stream, false);
    if (filtered || (timed && bytes))
        return read_departures(m, stream);
    OC_TRY(oc_visit_boundaries(m, stream, timed ? OC_BY_LIFE : OC_BY_WINDOW,
                               timed   ? take_flight
                               : bytes ? take_bytes
                                       : take_counts));
    return received ? read_orphans(m, stream, true) : OCELOTL_OK;
}

static ocelotl_status read_counts(oc_measuring *m, uint32_t stream)
{
    if (oc_is_of_links(m->stream))
        return read_links(m, stream);
    if (m->stream->role == OC_ROLE_STATES)
        return oc_filling_reads_states(m->filling, m->stream->event_type)
                   ? scan_states(m, stream)
                   : oc_visit_states(m, stream, true, take_states);
    return is_filtered(m->filling, m->stream->event_type)
               ? count_records(m, stream)
               : oc_visit_boundaries(m, stream, OC_BY_WINDOW, take_counts);
}

const oc_measure oc_measure_counts = {
    .prepare = prepare_links, .read = read_counts, .give = oc_measuring_give_arrivals};
const oc_measure oc_measure_flight = {.prepare = prepare_links,
                                      .read = read_links,
                                      .give = oc_measuring_give_arrivals,
                                      .timed = true};
