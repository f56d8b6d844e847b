/* Series of links: how many are under way between two groups, and what they carry. */
#include "series/series.h"

#include "base/memory.h"
#include "base/text.h"
#include "store/select/resources.h"
#include "store/trace/names.h"

#include <math.h>
#include <stdlib.h>

/* --- What is asked for */

ocelotl_status oc_series_check_flight(const ocelotl_series_options *options)
{
    if ((int)options->in_flight < OCELOTL_IN_FLIGHT_NONE ||
        (int)options->in_flight > OCELOTL_IN_FLIGHT_SLOWDOWN)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "in_flight is %d, expected 0 to 4",
                       (int)options->in_flight);
    if (!(options->only_above >= 0))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "only_above is %g, expected 0 or more",
                       options->only_above);
    if ((int)options->side < OCELOTL_SIDE_SENDER || (int)options->side > OCELOTL_SIDE_THROUGH)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the side is %d, expected 0 to 3",
                       (int)options->side);
    return OCELOTL_OK;
}

static bool is_read(const ocelotl_series *series, uint32_t event_type)
{
    return series->sources.readable[event_type] && series->sources.filter.reached[event_type];
}

/* Whether links without bytes count nowhere. */
static bool needs_bytes(const ocelotl_series *series)
{
    return series->info.in_flight == OCELOTL_IN_FLIGHT_BYTES ||
           series->info.in_flight == OCELOTL_IN_FLIGHT_RATE;
}

/* Resources where links end are in groups, too. */
ocelotl_status oc_series_find_links(ocelotl_series *series, const ocelotl_series_options *options)
{
    const ocelotl_trace *trace = series->trace;
    bool found;
    bool *read = NULL;
    series->side = options->side;
    OC_TRY(oc_allocate(&read, trace->event_type_count, sizeof *read));
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        read[e] = is_read(series, e);
    for (uint32_t s = 0; s < trace->stream_count; s++)
        if (trace->streams[s].role == OC_ROLE_LINKS_IN && read[trace->streams[s].event_type])
            series->sources.seen[trace->streams[s].resource] = true;
    const ocelotl_status status = oc_catalogue_find_bytes(
        &series->bytes, &found, &series->catalogue, read, options->attribute,
        needs_bytes(series) ||
            (series->info.in_flight == OCELOTL_IN_FLIGHT_SLOWDOWN && options->attribute != NULL));
    free(read);
    return status;
}

/* --- Types, members */

ocelotl_status oc_series_find_link_types(ocelotl_series *series)
{
    const ocelotl_trace *trace = series->trace;
    OC_TRY(oc_allocate(&series->of_types, trace->event_type_count, sizeof *series->of_types));
    for (uint32_t e = 0; e < trace->event_type_count; e++) {
        const ocelotl_event_type *type = &trace->event_types[e];
        const bool counts = is_read(series, e) && type->count > 0 &&
                            (!needs_bytes(series) || series->bytes[e] != OCELOTL_NONE);
        series->of_types[e] = counts ? series->type_count : OCELOTL_NONE;
        if (counts)
            series->types[series->type_count++] =
                (oc_series_type){oc_type_spelling(trace, e), type->colour, e, OCELOTL_NONE};
    }
    return series->info.in_flight == OCELOTL_IN_FLIGHT_SLOWDOWN ? oc_series_find_classes(series)
                                                                : OCELOTL_OK;
}

/* Makes a type for each group where links of pairs end. */
ocelotl_status oc_series_pair_types(ocelotl_series *series)
{
    if (series->side != OCELOTL_SIDE_PAIR)
        return OCELOTL_OK;
    free(series->types);
    series->types = NULL;
    OC_TRY(oc_allocate(&series->types, series->group_count, sizeof *series->types));
    series->type_count = series->group_count;
    for (uint32_t g = 0; g < series->group_count; g++) {
        const uint32_t resource = series->groups[g].resource;
        series->types[g] =
            (oc_series_type){resource != OCELOTL_NONE ? series->paths.of[resource] : "all", -1,
                             OCELOTL_NONE, OCELOTL_NONE};
    }
    return OCELOTL_OK;
}

/* Makes every stream of links a member: wherever a link begins, it may end in a group. */
ocelotl_status oc_series_find_link_members(ocelotl_series *series)
{
    const ocelotl_trace *trace = series->trace;
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        const oc_stream *stream = &trace->streams[s];
        if (stream->role == OC_ROLE_LINKS_OUT && stream->resource < trace->resource_count &&
            series->of_types[stream->event_type] != OCELOTL_NONE)
            series->members[series->member_count++] =
                (oc_series_member){.stream = s, .type = series->of_types[stream->event_type]};
    }
    return OCELOTL_OK;
}

/* --- Reading */

/* The amount that a link adds while it is in flight; 0: nothing. */
static double amount_of(const ocelotl_series *series, const oc_stream *stream,
                        const oc_interval *link)
{
    const double bytes = link->begun + link->ended;
    if (series->info.in_flight == OCELOTL_IN_FLIGHT_COUNT)
        return 1;
    if (series->info.in_flight == OCELOTL_IN_FLIGHT_BYTES)
        return bytes;
    const double ticks = (double)((uint64_t)link->end - (uint64_t)link->begin);
    if (series->info.in_flight == OCELOTL_IN_FLIGHT_SLOWDOWN)
        return oc_series_slowdown(series, stream, link, ticks);
    const double seconds = ticks * (double)series->trace->info.tick_numerator /
                           (double)series->trace->info.tick_denominator;
    return bytes / seconds;
}

/* The curve of a group; for pairs, of the group where links end, too. */
static ocelotl_status add_to(const ocelotl_series *series, oc_series_reading *reading,
                             const oc_interval *link, uint32_t group, uint32_t type)
{
    const int64_t from = series->spans[series->span];
    const int64_t to = series->spans[series->span + 1];
    const uint32_t curve = group * series->type_count + type;
    if (group == OCELOTL_NONE || type == OCELOTL_NONE)
        return OCELOTL_OK;
    const double amount = amount_of(series, reading->walk.stream, link);
    /* What began before the span was added in that one, but for the first. */
    if (link->begin >= from || series->span == 0)
        OC_TRY(oc_series_add_step(&reading->steps, link->begin > from ? link->begin : from, curve,
                                  amount));
    return link->end < to ? oc_series_add_step(&reading->steps, link->end, curve, -amount)
                          : OCELOTL_OK;
}

static ocelotl_status add_link(const ocelotl_series *series, oc_series_reading *reading,
                               const oc_series_member *member, const oc_interval *link)
{
    const int64_t from = series->spans[series->span];
    const uint32_t resource = reading->walk.stream->resource;
    const bool arrives = link->target < series->trace->resource_count;
    /* as for the metrics, one whose end nobody knows is under way until its source ends */
    const bool stays =
        series->side == OCELOTL_SIDE_SENDER && (series->info.in_flight == OCELOTL_IN_FLIGHT_COUNT ||
                                                series->info.in_flight == OCELOTL_IN_FLIGHT_BYTES);
    if ((!arrives && !stays) || link->end <= link->begin) {
        reading->missed += link->begin >= from;
        return OCELOTL_OK;
    }
    if (link->end < from || (link->end == from && series->span == 0))
        return OCELOTL_OK;
    const uint32_t source = series->group_of[resource];
    const uint32_t target = arrives ? series->group_of[link->target] : OCELOTL_NONE;
    switch (series->side) {
    case OCELOTL_SIDE_SENDER:
        return add_to(series, reading, link, source, member->type);
    case OCELOTL_SIDE_RECEIVER:
        return add_to(series, reading, link, target, member->type);
    case OCELOTL_SIDE_PAIR:
        return add_to(series, reading, link, source, target);
    case OCELOTL_SIDE_THROUGH:
        break;
    }
    if (source == target)
        return OCELOTL_OK;
    OC_TRY(add_to(series, reading, link, source, member->type));
    return add_to(series, reading, link, target, member->type);
}

/* Whether a link passes the filters of types. */
static bool is_shown(const ocelotl_series *series, uint32_t event_type, uint32_t value)
{
    return value < series->trace->value_count ? series->sources.filter.values[value]
                                              : series->sources.filter.event_types[event_type];
}

ocelotl_status oc_series_read_links(const ocelotl_series *series, oc_series_reading *reading,
                                    const oc_series_member *member)
{
    oc_walk *walk = &reading->walk;
    const oc_interval *link;
    walk->within = false;
    walk->attribute = series->bytes[series->trace->streams[member->stream].event_type];
    walk->sums =
        series->info.in_flight != OCELOTL_IN_FLIGHT_COUNT && walk->attribute != OCELOTL_NONE;
    OC_TRY(oc_walk_begin(walk, member->stream, series->spans[series->span]));
    OC_TRY(oc_walk_next_interval(&link, walk));
    while (link != NULL) {
        if (is_shown(series, walk->stream->event_type, link->value))
            OC_TRY(add_link(series, reading, member, link));
        OC_TRY(oc_walk_next_interval(&link, walk));
    }
    return OCELOTL_OK;
}

/* --- In words */

void oc_series_describe_links(oc_text *text, const ocelotl_series *series)
{
    static const char *const words[] = {"", "number", "bytes", "rate in bytes a second",
                                        "mean slowdown"};
    static const char *const sides[] = {", by where they begin", ", by where they end",
                                        ", by where they begin and end",
                                        " across the border of a group"};
    oc_text_format(text, "%s of links under way", words[series->info.in_flight]);
    if (series->info.only_above > 0)
        oc_text_format(text, " above %g", series->info.only_above);
    oc_text_add(text, sides[series->side]);
}

const char *oc_series_link_unit(const ocelotl_series *series)
{
    static const char *const units[] = {"", "links", "B", "B/s", "times"};
    return series->info.only_above > 0 ? "" : units[series->info.in_flight];
}
