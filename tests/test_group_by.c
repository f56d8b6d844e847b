/* Histograms of durations, matrices of messages, derived series and metrics of random traces, over
 * random windows, groups, slices and filters, against a literal count of the events that were
 * written. Statistics have test_query_statistics.c. */
#include "test_known_filter.h"

static const char *const paths[RESOURCES] = {"a%2Fb", "a%2Fb/t", "a%2Fb/t#2", "a%2Fb#2",
                                             "a%2Fb#2/t#2"};

/* A question, and the part of time that is looked at: its ends times `scale`, which is 1 or a
 * number of slices. */
typedef struct question {
    known_trace *known;
    ocelotl_trace *trace;
    ocelotl_trace_info info;
    known_filter filter;
    bool filtered, some; /* only some resources are selected: those below the first */
    ocelotl_selection selection;
    int64_t from, to, scale;
} question;

static bool is_same(double a, double b)
{
    return isnan(a) ? isnan(b) : fabs(a - b) <= 1e-12 * (1 + fabs(b));
}

static double seconds(int64_t ticks)
{
    return (double)ticks / 1000;
}

static bool is_in(const question *asked, int64_t time)
{
    const int64_t last = asked->info.end;
    return time * asked->scale >= asked->from &&
           (time * asked->scale < asked->to || (time == last && asked->to == last * asked->scale));
}

/* In parts of a tick. */
static int64_t overlap(const question *asked, int64_t begin, int64_t end)
{
    const int64_t from = begin * asked->scale > asked->from ? begin * asked->scale : asked->from;
    const int64_t to = end * asked->scale < asked->to ? end * asked->scale : asked->to;
    return to > from ? to - from : 0;
}

static uint32_t index_of(const question *asked, uint32_t resource)
{
    uint32_t r = 0;
    while (r < RESOURCES && asked->known->resources[r] != resource)
        r++;
    return r;
}

static bool is_selected(const question *asked, uint32_t resource)
{
    return resource != OCELOTL_NONE && (!asked->some || index_of(asked, resource) < 3);
}

/* What a resource is in: of a type, "all", or (NULL) by itself. */
static const char *group_of(const question *asked, uint32_t resource, const char *at)
{
    const uint32_t r = index_of(asked, resource);
    if (!is_selected(asked, resource) || (at != NULL && strcmp(at, "thread") == 0 && r % 3 == 0))
        return "(outside)";
    if (at != NULL && strcmp(at, "all") == 0)
        return at;
    return paths[at != NULL && strcmp(at, "site") == 0 ? r - r % 3 : r];
}

static bool passes(const question *asked, size_t index)
{
    return !asked->filtered || known_passes(&asked->filter, asked->known, index);
}

static double size_of(const known_event *known)
{
    double size = 0;
    sscanf(known->attributes, "{\"size\":%lf", &size);
    return size;
}

static int64_t later(const ocelotl_event *event)
{
    return event->end > event->begin ? event->end : event->begin;
}

/* Whether a link has both ends. */
static bool is_whole(const ocelotl_event *link)
{
    return link->source != OCELOTL_NONE && link->target != OCELOTL_NONE;
}

/* --- Durations */

static void check_column(const question *asked, const ocelotl_durations *durations, uint32_t index,
                         const char *at)
{
    const ocelotl_durations_info info = ocelotl_durations_info_of(durations);
    const ocelotl_duration_column column = ocelotl_durations_column_at(durations, index);
    uint64_t count = 0, wanted[100] = {0}, sliced[8][100] = {{0}};
    double sum = 0, sums[100] = {0}, least = NAN, most = NAN;
    CHECK(info.bins <= 100);
    for (size_t i = 0; i < asked->known->count; i++) {
        const ocelotl_event *event = &asked->known->events[i].event;
        const bool link = event->category == OCELOTL_LINK;
        const uint32_t place = link ? event->target : event->resource;
        const double lasts = seconds(event->end - event->begin);
        uint32_t bin = 0;
        if (!(link || event->category == OCELOTL_STATE) || (link && !is_whole(event)) ||
            event->end < event->begin || !is_in(asked, event->end) || !passes(asked, i) ||
            !is_selected(asked, place) ||
            (at != NULL &&
             strcmp(column.group, group_of(asked, place, strcmp(at, "resource") ? at : NULL)) != 0))
            continue;
        while (bin + 1 < info.bins && lasts >= ocelotl_durations_bin_at(durations, bin + 1).begin)
            bin++;
        count++;
        sum += lasts;
        wanted[bin]++;
        sums[bin] += lasts;
        least = isnan(least) || lasts < least ? lasts : least;
        most = isnan(most) || lasts > most ? lasts : most;
        const int64_t slice = (event->end - column.from) * info.slices / (column.to - column.from);
        sliced[slice < info.slices ? slice : info.slices - 1][bin]++;
    }
    CHECK(column.count == count && is_same(column.sum, sum));
    CHECK(is_same(column.least, least) && is_same(column.most, most));
    for (uint32_t bin = 0; bin < info.bins; bin++) {
        CHECK(ocelotl_durations_count_at(durations, index, OCELOTL_NONE, bin) == wanted[bin]);
        CHECK(is_same(ocelotl_durations_sum_at(durations, index, bin), sums[bin]));
        for (uint32_t s = 0; s < info.slices; s++)
            CHECK(ocelotl_durations_count_at(durations, index, s, bin) == sliced[s][bin]);
    }
}

static void check_durations(question *asked)
{
    static const char *const groups[] = {NULL, "resource", "site", "thread"};
    ocelotl_durations_options options = {0};
    ocelotl_durations *durations;
    options.selection = asked->selection;
    options.at = groups[check_below(&asked->known->random, 4)];
    options.slices = 1 + check_below(&asked->known->random, 8);
    const ocelotl_status status = ocelotl_durations_compute(&durations, asked->trace, &options);
    if (status == OCELOTL_ERROR_ARGUMENT || status == OCELOTL_ERROR_EMPTY)
        return;
    CHECK_OK(status);
    for (uint32_t i = 0; i < ocelotl_durations_info_of(durations).columns; i++)
        check_column(asked, durations, i, options.at);
    ocelotl_durations_free(durations);
}

/* --- Messages */

/* The cell of a row and a column; zeros where nothing is. */
static ocelotl_message_cell find_cell(const ocelotl_messages *messages, uint32_t row,
                                      uint32_t column)
{
    const uint64_t end = ocelotl_messages_row_begin(messages, row + 1);
    for (uint64_t i = ocelotl_messages_row_begin(messages, row); i < end; i++)
        if (ocelotl_messages_cell_at(messages, i).column == column)
            return ocelotl_messages_cell_at(messages, i);
    const double bytes = ocelotl_messages_info_of(messages).has_bytes ? 0 : (double)NAN;
    return (ocelotl_message_cell){.least = -1, .bytes = bytes, .received = bytes};
}

static void check_cell(const question *asked, const ocelotl_messages *messages, uint32_t row,
                       uint32_t column, const ocelotl_messages_options *options)
{
    const ocelotl_message_cell cell = find_cell(messages, row, column);
    const char *from = ocelotl_messages_row_at(messages, row).path;
    const char *to = ocelotl_messages_column_at(messages, column).path;
    uint64_t count = 0, ended = 0, violations = 0, timed = 0;
    int64_t time = 0, least = -1, inside = 0;
    double bytes = 0, received = 0;
    for (size_t i = 0; i < asked->known->count; i++) {
        const ocelotl_event *link = &asked->known->events[i].event;
        const char *source = link->source == OCELOTL_NONE
                                 ? "(unknown)"
                                 : group_of(asked, link->source, options->rows);
        const char *target = link->target == OCELOTL_NONE
                                 ? "(unknown)"
                                 : group_of(asked, link->target, options->columns);
        const int64_t lasts = link->end - link->begin;
        const bool ends = link->target != OCELOTL_NONE && is_in(asked, later(link));
        const bool begins = link->source != OCELOTL_NONE && is_in(asked, link->begin);
        if (link->category != OCELOTL_LINK || !passes(asked, i) || strcmp(source, from) != 0 ||
            strcmp(target, to) != 0 ||
            !(is_selected(asked, link->source) || is_selected(asked, link->target)))
            continue;
        count += begins;
        ended += ends;
        bytes += begins ? size_of(&asked->known->events[i]) : 0;
        received += ends ? size_of(&asked->known->events[i]) : 0;
        inside += is_whole(link) ? overlap(asked, link->begin, link->end) : 0;
        violations += ends && lasts < 0;
        if (!ends || lasts < 0 || !is_whole(link))
            continue;
        timed++;
        time += lasts;
        least = least < 0 || lasts < least ? lasts : least;
    }
    CHECK(cell.count == count && cell.ended == ended && cell.violations == violations);
    CHECK(cell.timed == timed && cell.time == time && cell.least == least);
    if (ocelotl_messages_info_of(messages).has_bytes)
        CHECK(is_same(cell.bytes, bytes) && is_same(cell.received, received));
    else
        CHECK(isnan(cell.bytes) && isnan(cell.received) && bytes == 0 && received == 0);
    CHECK(is_same(cell.in_flight, (double)inside / (double)(asked->to - asked->from)));
}

static void check_messages(question *asked)
{
    static const char *const groups[] = {NULL, "site", "thread", "all"};
    ocelotl_messages_options options = {0};
    ocelotl_messages *messages;
    options.selection = asked->selection;
    options.columns = options.rows = groups[check_below(&asked->known->random, 4)];
    if (options.rows != NULL)
        options.columns = groups[1 + check_below(&asked->known->random, 3)];
    const ocelotl_status status = ocelotl_messages_compute(&messages, asked->trace, &options);
    if (status == OCELOTL_ERROR_ARGUMENT || status == OCELOTL_ERROR_EMPTY)
        return;
    CHECK_OK(status);
    const ocelotl_messages_info info = ocelotl_messages_info_of(messages);
    uint64_t ended = 0, wanted = 0;
    for (uint32_t row = 0; row < info.rows; row++)
        for (uint32_t column = 0; column < info.columns; column++) {
            check_cell(asked, messages, row, column, &options);
            ended += find_cell(messages, row, column).ended;
        }
    for (size_t i = 0; i < asked->known->count; i++) {
        const ocelotl_event *link = &asked->known->events[i].event;
        wanted += link->category == OCELOTL_LINK && passes(asked, i) &&
                  link->target != OCELOTL_NONE && is_in(asked, later(link)) &&
                  (is_selected(asked, link->source) || is_selected(asked, link->target));
    }
    CHECK(ended == wanted && ocelotl_messages_total(messages).ended == wanted);
    ocelotl_messages_free(messages);
}

/* Statistics of links by running totals and one by one agree with it. */
static void check_statistics(const question *asked)
{
    ocelotl_statistics_options options = OCELOTL_STATISTICS_OPTIONS_INIT;
    ocelotl_statistics *statistics;
    uint64_t count = 0, ended = 0;
    options.selection = asked->selection;
    options.type = "Link";
    for (size_t i = 0; i < asked->known->count; i++) {
        const ocelotl_event *link = &asked->known->events[i].event;
        if (link->category != OCELOTL_LINK || !passes(asked, i))
            continue;
        count += is_selected(asked, link->source) && is_in(asked, link->begin);
        ended += is_selected(asked, link->target) && is_in(asked, later(link));
    }
    for (int extremes = 0; extremes < 3; extremes++) {
        options.extremes = (ocelotl_extremes)extremes;
        const ocelotl_status status =
            ocelotl_statistics_compute(&statistics, asked->trace, &options);
        if (status == OCELOTL_ERROR_ARGUMENT || status == OCELOTL_ERROR_EMPTY)
            return;
        CHECK_OK(status);
        const ocelotl_statistic row = ocelotl_statistics_row_at(statistics, 0);
        CHECK(row.count == count && row.ended == ended);
        ocelotl_statistics_free(statistics);
    }
}

/* --- Series */

/* The last state of a resource that is open at an instant is the innermost; false: it is in none
 * of this value. */
static bool is_in_state(const question *asked, uint32_t resource, uint32_t value, int64_t time,
                        ocelotl_nesting nesting)
{
    bool found = false;
    for (size_t i = 0; i < asked->known->count; i++) {
        const ocelotl_event *state = &asked->known->events[i].event;
        if (state->category == OCELOTL_STATE && state->resource == resource &&
            state->event_type == asked->known->types[STATE_TYPE] && state->begin <= time &&
            state->end > time)
            found = (found && nesting == OCELOTL_INCLUSIVE) || state->value == value;
    }
    return found;
}

/* The value of a variable; not a number: none. */
static double variable_at(const question *asked, uint32_t resource, int64_t time)
{
    double number = NAN;
    for (size_t i = 0; i < asked->known->count; i++) {
        const ocelotl_event *step = &asked->known->events[i].event;
        if (step->category == OCELOTL_VARIABLE && step->resource == resource &&
            step->begin <= time && step->end > time)
            number = step->number;
    }
    return number;
}

static double links_at(const question *asked, const char *group,
                       const ocelotl_series_options *options, int64_t time)
{
    double sum = 0;
    for (size_t i = 0; i < asked->known->count; i++) {
        const ocelotl_event *link = &asked->known->events[i].event;
        /* without a known end it is under way until its source ends */
        const bool stays = link->target == OCELOTL_NONE && link->source != OCELOTL_NONE &&
                           options->side == OCELOTL_SIDE_SENDER &&
                           (options->in_flight == OCELOTL_IN_FLIGHT_COUNT ||
                            options->in_flight == OCELOTL_IN_FLIGHT_BYTES);
        if (link->category != OCELOTL_LINK || !(is_whole(link) || stays) || link->begin > time)
            continue;
        if ((stays ? ocelotl_trace_resource_at(asked->trace, link->source).end : link->end) <= time)
            continue;
        const bool sender = strcmp(group, group_of(asked, link->source, options->at)) == 0;
        const bool receiver =
            is_whole(link) && strcmp(group, group_of(asked, link->target, options->at)) == 0;
        if (options->side == OCELOTL_SIDE_THROUGH  ? sender != receiver
            : options->side == OCELOTL_SIDE_SENDER ? sender
                                                   : receiver)
            sum += options->in_flight == OCELOTL_IN_FLIGHT_COUNT
                       ? 1
                       : size_of(&asked->known->events[i]);
    }
    return sum;
}

static double series_at(const question *asked, const ocelotl_derived_series *is,
                        const ocelotl_series_options *options, int64_t time)
{
    double sum = 0, low = NAN, high = NAN, count = 0;
    if (options->in_flight != OCELOTL_IN_FLIGHT_NONE)
        return links_at(asked, is->path, options, time);
    for (uint32_t r = 0; r < RESOURCES; r++) {
        const uint32_t resource = asked->known->resources[r];
        if (strcmp(is->path, group_of(asked, resource, options->at)) != 0)
            continue;
        if (options->reduction == OCELOTL_REDUCE_COUNT) {
            sum += is_in_state(asked, resource, is->value, time, options->nesting);
            continue;
        }
        const double number = variable_at(asked, resource, time);
        if (isnan(number))
            continue;
        sum += number;
        count++;
        low = isnan(low) || number < low ? number : low;
        high = isnan(high) || number > high ? number : high;
    }
    if (options->reduction == OCELOTL_REDUCE_COUNT)
        return sum;
    return options->reduction == OCELOTL_REDUCE_MIN   ? low
           : options->reduction == OCELOTL_REDUCE_MAX ? high
           : count == 0                               ? NAN
           : options->reduction == OCELOTL_REDUCE_SUM ? sum
                                                      : sum / count;
}

static void check_instant(const question *asked, const ocelotl_series *series,
                          const double values[], const ocelotl_series_options *options,
                          int64_t time)
{
    for (uint32_t i = 0; i < ocelotl_series_info_of(series).series; i++) {
        const ocelotl_derived_series is = ocelotl_series_at(series, i);
        if (time >= is.begin && time < is.end)
            CHECK(is_same(values[i], series_at(asked, &is, options, time)));
    }
}

static void check_series(question *asked)
{
    static const char *const groups[] = {"site", "thread", "all"};
    uint64_t *random = &asked->known->random;
    ocelotl_series_options options = {0};
    ocelotl_series *series;
    double values[64];
    options.selection.from = asked->selection.from;
    options.selection.to = asked->selection.to;
    options.selection.resources = asked->selection.resources;
    options.at = groups[check_below(random, 3)];
    options.state_type = "State";
    options.reduction = (ocelotl_reduction)(1 + check_below(random, 5));
    options.nesting = (ocelotl_nesting)check_below(random, 2);
    options.in_flight = (ocelotl_in_flight)check_below(random, 3);
    options.side = (ocelotl_link_side)check_below(random, 2);
    if (check_below(random, 4) == 0)
        options.side = OCELOTL_SIDE_THROUGH;
    const ocelotl_status status = ocelotl_series_open(&series, asked->trace, &options);
    if (status == OCELOTL_ERROR_ARGUMENT || status == OCELOTL_ERROR_EMPTY)
        return;
    CHECK_OK(status);
    for (size_t i = 0; i < 64; i++)
        values[i] = NAN;
    CHECK(ocelotl_series_info_of(series).series <= 64);
    int64_t now = asked->from;
    for (bool found = true; found;) {
        ocelotl_series_change change = {.time = asked->to};
        CHECK_OK(ocelotl_series_next(&found, &change, series));
        CHECK(change.time >= now && change.time <= asked->to);
        if (change.time > now) {
            check_instant(asked, series, values, &options, now);
            check_instant(asked, series, values, &options, change.time - 1);
        }
        now = change.time;
        if (found)
            values[change.series] = change.has_value ? change.value : NAN;
    }
    ocelotl_series_free(series);
}

/* --- Metrics */

/* Returns the time of a state without a later one open that is shown by name. */
static int64_t innermost(const question *asked, size_t index)
{
    const known_trace *known = asked->known;
    const ocelotl_event *state = &known->events[index].event;
    int64_t covered = 0;
    int64_t end = state->begin;
    for (size_t i = index + 1; i < known->count && known->events[i].event.begin < state->end; i++) {
        const ocelotl_event *inner = &known->events[i].event;
        if (inner->category != OCELOTL_STATE || inner->event_type != state->event_type ||
            inner->resource != state->resource || inner->end <= end ||
            (asked->filtered && !known_is_named(&asked->filter, known, i)))
            continue;
        const int64_t to = inner->end < state->end ? inner->end : state->end;
        covered += overlap(asked, inner->begin > end ? inner->begin : end, to);
        end = to > end ? to : end;
    }
    return overlap(asked, state->begin, state->end) - covered;
}

typedef struct sums {
    double count, ended, closed, low, high, time, inclusive, integral, held;
    double sent, received, bytes, received_bytes, flight, flight_in, flying, flying_in;
} sums;

static void widen(sums *sum, double number)
{
    sum->low = isnan(sum->low) || number < sum->low ? number : sum->low;
    sum->high = isnan(sum->high) || number > sum->high ? number : sum->high;
}

static void add_link(sums *sum, const question *asked, const known_event *known, uint32_t resource)
{
    const ocelotl_event *link = &known->event;
    const bool known_end = link->target != OCELOTL_NONE;
    if (link->source == resource) {
        const int64_t life = ocelotl_trace_resource_at(asked->trace, link->source).end;
        const int64_t left = known_end && link->end < life ? link->end : life;
        const double share = (double)overlap(asked, link->begin, left);
        sum->count += is_in(asked, link->begin);
        sum->sent += is_in(asked, link->begin);
        sum->bytes += is_in(asked, link->begin) ? size_of(known) : 0;
        sum->flight += share;
        sum->flying += share * size_of(known);
    }
    if (link->target == resource && is_in(asked, later(link))) {
        sum->received++;
        sum->received_bytes += size_of(known);
    }
    if (link->target == resource && link->source != OCELOTL_NONE) {
        const int64_t life = ocelotl_trace_resource_at(asked->trace, link->source).end;
        const double share =
            (double)overlap(asked, link->begin, link->end < life ? link->end : life);
        sum->flight_in += share;
        sum->flying_in += share * size_of(known);
    }
}

/* What a resource has of a type in the part of time, or of all types. */
static sums sum_up(const question *asked, uint32_t resource, uint32_t type, const char *name)
{
    sums sum = {.low = NAN, .high = NAN};
    for (size_t i = 0; i < asked->known->count; i++) {
        const known_event *known = &asked->known->events[i];
        const ocelotl_event *event = &known->event;
        const char *value = event->value == OCELOTL_NONE
                                ? ocelotl_trace_event_type_at(asked->trace, event->event_type).name
                                : ocelotl_trace_value_at(asked->trace, event->value).name;
        if (!passes(asked, i) || (type < TYPES && event->event_type != asked->known->types[type]) ||
            (name != NULL && strcmp(value, name) != 0))
            continue;
        if (event->category == OCELOTL_LINK)
            add_link(&sum, asked, known, resource);
        if (event->category == OCELOTL_LINK || event->resource != resource)
            continue;
        if (event->category == OCELOTL_VARIABLE) {
            const double held = (double)overlap(asked, event->begin, event->end);
            sum.held += held;
            sum.integral += held * event->number;
            if (held > 0)
                widen(&sum, event->number);
            continue;
        }
        sum.count += is_in(asked, event->begin);
        if (event->category == OCELOTL_EVENT)
            continue;
        sum.time += (double)innermost(asked, i);
        sum.inclusive += (double)overlap(asked, event->begin, event->end);
        if (is_in(asked, event->end)) {
            sum.ended++;
            sum.closed += seconds(event->end - event->begin);
            widen(&sum, seconds(event->end - event->begin));
        }
    }
    return sum;
}

/* Which sum a metric draws, by its name; `none` where it has nothing. */
static const struct {
    const char *name;
    uint32_t type; /* TYPES: all but the variable */
    ocelotl_nesting nesting;
    bool each;      /* of each value; else all types of the model together */
    bool by_length; /* a mean over the slice */
    size_t sum, by; /* by: what it is divided by, 0: by nothing */
    double none;
} metrics[] = {
#define SUM(member) offsetof(sums, member)
    {"state-duration", STATE_TYPE, OCELOTL_INNERMOST, true, true, SUM(time), 0, 0},
    {"state-duration", STATE_TYPE, OCELOTL_INCLUSIVE, true, true, SUM(inclusive), 0, 0},
    {"state-mean-duration", STATE_TYPE, 0, true, false, SUM(closed), SUM(ended), NAN},
    {"state-min-duration", STATE_TYPE, 0, true, false, SUM(low), 0, NAN},
    {"state-max-duration", STATE_TYPE, 0, true, false, SUM(high), 0, NAN},
    {"event-count", TYPES, 0, false, false, SUM(count), 0, 0},
    {"variable-mean", VARIABLE_TYPE, 0, false, false, SUM(integral), SUM(held), NAN},
    {"variable-min", VARIABLE_TYPE, 0, false, false, SUM(low), 0, NAN},
    {"variable-max", VARIABLE_TYPE, 0, false, false, SUM(high), 0, NAN},
    {"link-count", LINK_TYPE, 0, true, false, SUM(sent), 0, 0},
    {"link-count-received", LINK_TYPE, 0, true, false, SUM(received), 0, 0},
    {"link-count-in-flight", LINK_TYPE, 0, true, true, SUM(flight), 0, 0},
    {"link-count-in-flight-received", LINK_TYPE, 0, true, true, SUM(flight_in), 0, 0},
    {"link-bytes", LINK_TYPE, 0, false, false, SUM(bytes), 0, 0},
    {"link-bytes-received", LINK_TYPE, 0, false, false, SUM(received_bytes), 0, 0},
    {"link-bytes-in-flight", LINK_TYPE, 0, false, true, SUM(flying), 0, 0},
    {"link-bytes-in-flight-received", LINK_TYPE, 0, false, true, SUM(flying_in), 0, 0},
#undef SUM
};

static double member_of(const sums *sum, size_t offset)
{
    double number;
    memcpy(&number, (const char *)sum + offset, sizeof number);
    return number;
}

static double expect(const question *asked, size_t m, uint32_t resource, const char *name)
{
    const sums sum = sum_up(asked, resource, metrics[m].type, name);
    const double value = member_of(&sum, metrics[m].sum);
    if (metrics[m].by > 0)
        return member_of(&sum, metrics[m].by) > 0 ? value / member_of(&sum, metrics[m].by) : NAN;
    return metrics[m].by_length ? value / (double)(asked->to - asked->from) : value;
}

static void check_number(const char *metric, double found, double wanted)
{
    if (is_same(found, wanted))
        return;
    fprintf(stderr, "%s: %.17g, expected %.17g\n", metric, found, wanted);
    exit(1);
}

static void check_slice(const question *asked, const ocelotl_model *model, size_t m, uint32_t node,
                        uint32_t slice)
{
    const uint32_t resource = ocelotl_model_node_at(model, node).source;
    double drawn[16];
    double all = metrics[m].none;
    CHECK_OK(ocelotl_model_values(drawn, model, node, slice, slice));
    for (uint32_t x = 0; x < ocelotl_model_info_of(model).type_count; x++) {
        const ocelotl_type type = ocelotl_model_type_at(model, x);
        if (type.untraced)
            continue;
        if (metrics[m].each)
            check_number(metrics[m].name, drawn[x], expect(asked, m, resource, type.name));
        else
            all = isnan(all) ? drawn[x] : all + drawn[x];
    }
    if (!metrics[m].each)
        check_number(metrics[m].name, all, expect(asked, m, resource, NULL));
}

static void check_metric(question *asked, size_t m)
{
    static const char *const variable[] = {"Variable"};
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    ocelotl_model *model;
    question part = *asked;
    options.selection = asked->selection;
    options.cells.metric = metrics[m].name;
    options.cells.nesting = metrics[m].nesting;
    options.cells.state_type = metrics[m].type == STATE_TYPE ? "State" : NULL;
    options.cells.shift = metrics[m].type == VARIABLE_TYPE;
    options.hierarchy.bare = options.where_elsewhere = true;
    if (metrics[m].type == TYPES && options.selection.except.count == 0)
        options.selection.except = (ocelotl_names){variable, 1};
    else if (metrics[m].type == TYPES)
        return;
    options.slices = 1 + check_below(&asked->known->random, 9);
    part.scale = options.slices;
    const ocelotl_status status = ocelotl_model_from_trace(&model, asked->trace, &options);
    if (status == OCELOTL_ERROR_ARGUMENT || status == OCELOTL_ERROR_EMPTY)
        return;
    CHECK_OK(status);
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    for (uint32_t k = 0; k < info.node_count; k++)
        for (uint32_t s = 0; s < info.slice_count; s++) {
            const uint32_t next =
                k + 1 < info.node_count ? ocelotl_model_node_at(model, k + 1).parent : OCELOTL_NONE;
            part.from = asked->from * part.scale + s * (asked->to - asked->from);
            part.to = part.from + (asked->to - asked->from);
            if (next != k && ocelotl_model_node_at(model, k).source != OCELOTL_NONE)
                check_slice(&part, model, m, k, s);
        }
    ocelotl_model_free(model);
}

/* --- Windows */

static void ask(question *asked)
{
    static const char *const below[] = {"a%2Fb"};
    known_trace *known = asked->known;
    asked->filtered = check_below(&known->random, 2) == 0;
    asked->some = check_below(&known->random, 3) == 0;
    known_filter_make(&asked->filter, known);
    asked->selection = asked->filtered ? asked->filter.filter : (ocelotl_selection){.from = 0};
    asked->selection.from = asked->from;
    asked->selection.to = asked->to;
    asked->selection.resources = (ocelotl_names){below, asked->some};
    check_durations(asked);
    check_messages(asked);
    check_statistics(asked);
    check_series(asked);
    check_metric(asked, check_below(&known->random, sizeof metrics / sizeof metrics[0]));
}

static void check_trace(uint64_t random, uint32_t changes, uint32_t windows)
{
    known_trace known;
    question asked = {.known = &known, .scale = 1};
    asked.trace = known_open(&known, random, changes);
    asked.info = ocelotl_trace_info_of(asked.trace);
    for (uint32_t i = 0; i < windows; i++) {
        const ocelotl_event *ends[] = {
            &known.events[check_below(&known.random, (uint32_t)known.count)].event,
            &known.events[check_below(&known.random, (uint32_t)known.count)].event};
        asked.from = i % 8 == 0 ? asked.info.begin : ends[0]->end;
        asked.to = i % 3 == 0 ? asked.info.end : i % 3 == 1 ? ends[1]->begin : ends[1]->end;
        if (asked.from >= asked.info.begin && asked.from < asked.to && asked.to <= asked.info.end)
            ask(&asked);
    }
    known_close(&known, asked.trace);
}

int main(void)
{
    temporary_begin();
    for (uint64_t i = 1; i <= 12; i++)
        check_trace(i, 30 * (uint32_t)i, check_rounds(200));
    check_trace(77, 3000, check_rounds(24));
    return 0;
}
