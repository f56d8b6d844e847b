/* Compares statistics of any window and resources with the plain list of events, for each way of
 * finding extremes, wherever chunks begin. */
#include "test_known_filter.h"

/* What the list says of one value, or of an event type. */
typedef struct expectation {
    uint64_t count, ended, steps;
    int64_t innermost, inclusive;
    double closed, low, high, integral, size;
} expectation;

typedef struct question {
    const known_trace *known;
    int64_t from, to;
    int64_t end; /* of the trace */
    bool selected[RESOURCES];
    const known_filter *filter; /* NULL: none */
} question;

static bool is_asked(const question *asked, const ocelotl_event *event)
{
    for (uint32_t r = 0; r < RESOURCES; r++)
        if (asked->known->resources[r] == event->resource)
            return asked->selected[r];
    return false;
}

static bool is_in(const question *asked, int64_t time)
{
    return time >= asked->from &&
           (time < asked->to || (time == asked->to && asked->to >= asked->end));
}

static int64_t overlap(const question *asked, const ocelotl_event *event)
{
    const int64_t begin = event->begin > asked->from ? event->begin : asked->from;
    const int64_t end = event->end < asked->to ? event->end : asked->to;
    return end > begin ? end - begin : 0;
}

/* Returns the time of a state without a later one open that is shown by name; later ones follow in
 * the list. */
static int64_t innermost(const question *asked, size_t index)
{
    const known_trace *known = asked->known;
    const ocelotl_event *state = &known->events[index].event;
    int64_t covered = 0;
    int64_t end = state->begin; /* of what is covered so far */
    for (size_t i = index + 1; i < known->count && known->events[i].event.begin < state->end; i++) {
        const ocelotl_event *inner = &known->events[i].event;
        if (inner->category != OCELOTL_STATE || inner->event_type != state->event_type ||
            inner->resource != state->resource || inner->end <= end ||
            (asked->filter != NULL && !known_is_named(asked->filter, known, i)))
            continue;
        ocelotl_event part = {.begin = inner->begin > end ? inner->begin : end,
                              .end = inner->end < state->end ? inner->end : state->end};
        covered += overlap(asked, &part);
        end = part.end > end ? part.end : end;
    }
    return overlap(asked, state) - covered;
}

static void widen(expectation *sum, double number)
{
    sum->low = isnan(sum->low) || number < sum->low ? number : sum->low;
    sum->high = isnan(sum->high) || number > sum->high ? number : sum->high;
}

static void expect_event(expectation *sum, const question *asked, size_t index)
{
    const ocelotl_event *event = &asked->known->events[index].event;
    const double duration = (double)event->end - (double)event->begin;
    const int64_t last = event->end > event->begin ? event->end : event->begin;
    const bool ends = is_in(asked, last);
    switch (event->category) {
    case OCELOTL_STATE:
        sum->innermost += innermost(asked, index);
        sum->inclusive += overlap(asked, event);
        break;
    case OCELOTL_VARIABLE:
        sum->inclusive += overlap(asked, event);
        sum->integral += event->number * (double)overlap(asked, event);
        sum->steps += is_in(asked, event->begin);
        if (overlap(asked, event) > 0)
            widen(sum, event->number);
        return;
    case OCELOTL_EVENT:
        sum->count += ends;
        return;
    case OCELOTL_LINK:
        return;
    }
    sum->count += is_in(asked, event->begin);
    sum->ended += ends;
    sum->closed += ends ? duration : 0;
    if (ends)
        widen(sum, duration);
}

static expectation expect(const question *asked, uint32_t event_type, uint32_t value, bool whole)
{
    expectation sum = {.low = NAN, .high = NAN};
    for (size_t i = 0; i < asked->known->count; i++) {
        const ocelotl_event *event = &asked->known->events[i].event;
        if (asked->filter != NULL && !known_passes(asked->filter, asked->known, i))
            continue;
        if (event->event_type == event_type && (whole || event->value == value) &&
            is_asked(asked, event))
            expect_event(&sum, asked, i);
    }
    return sum;
}

static void check_extremes(const ocelotl_statistic *row, const question *asked,
                           const expectation *sum, ocelotl_extremes extremes)
{
    if (extremes == OCELOTL_EXTREMES_NONE || (extremes == OCELOTL_EXTREMES_TYPES && !row->whole)) {
        CHECK(isnan(row->low) && isnan(row->high));
    } else if (row->category == OCELOTL_STATE && asked->filter != NULL && isnan(row->low)) {
        /* a type with hidden values has extremes only where events are read */
        CHECK(extremes == OCELOTL_EXTREMES_TYPES || isnan(sum->low));
    } else if (row->category != OCELOTL_LINK) {
        CHECK(isnan(row->low) == isnan(sum->low) && (isnan(sum->low) || row->low == sum->low));
        CHECK(isnan(row->high) == isnan(sum->high) && (isnan(sum->high) || row->high == sum->high));
    }
}

static void check_row(const ocelotl_statistic *row, const question *asked,
                      ocelotl_extremes extremes)
{
    const expectation sum = expect(asked, row->event_type, row->value, row->whole);
    check_extremes(row, asked, &sum, extremes);
    if (row->category == OCELOTL_LINK)
        return;
    CHECK(row->innermost == sum.innermost && row->inclusive == sum.inclusive);
    if (row->category == OCELOTL_VARIABLE) {
        CHECK(row->count >= sum.steps);
        CHECK(isnan(row->mean) == (sum.inclusive == 0));
        if (sum.inclusive > 0)
            CHECK_NEAR(row->mean, sum.integral / (double)sum.inclusive, 1e-9);
        return;
    }
    CHECK(row->count == sum.count && row->ended == sum.ended);
    CHECK((double)row->ended_time == sum.closed);
    CHECK(isnan(row->mean) == (sum.ended == 0));
    if (sum.ended > 0)
        CHECK_NEAR(row->mean, sum.closed / (double)sum.ended, 1e-9);
}

/* Extremes may be unknown. */
static void check_link_row(const ocelotl_statistic *row, const ocelotl_statistics *statistics,
                           const question *asked)
{
    uint64_t count = 0, ended = 0;
    int64_t time = 0;
    double size = 0, low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < asked->known->count; i++) {
        const known_event *it = &asked->known->events[i];
        const ocelotl_event *link = &it->event;
        const int64_t last = link->end > link->begin ? link->end : link->begin;
        const ocelotl_event at = {.resource = link->target};
        if (link->category != OCELOTL_LINK ||
            (asked->filter != NULL && !known_passes(asked->filter, asked->known, i)) ||
            !(row->whole || row->value == link->value))
            continue;
        double own = 0;
        sscanf(it->attributes, "{\"size\":%lf", &own);
        count += link->source != OCELOTL_NONE && is_asked(asked, link) && is_in(asked, link->begin);
        if (link->target == OCELOTL_NONE || !is_asked(asked, &at) || !is_in(asked, last))
            continue;
        ended++;
        time += last - link->begin;
        size += own;
        if (link->source != OCELOTL_NONE && link->end >= link->begin) {
            low = fmin(low, (double)(link->end - link->begin));
            high = fmax(high, (double)(link->end - link->begin));
        }
    }
    CHECK(isnan(row->low) || (row->low == low && row->high == high));
    CHECK(row->count == count && row->ended == ended && row->ended_time == time);
    for (uint32_t i = 0; i < ocelotl_statistics_attribute_count(statistics) && row->whole; i++) {
        const ocelotl_attribute_total total = ocelotl_statistics_attribute_at(statistics, i);
        if (strcmp(total.name, "size") == 0)
            CHECK_NEAR(total.sum, size, 1e-6);
    }
}

/* Rows are in order, and none that has something is missing. */
static void check_rows(const ocelotl_statistics *statistics, const question *asked,
                       ocelotl_extremes extremes)
{
    int64_t whole = 0;
    double share = 0;
    for (uint32_t i = 0; i < ocelotl_statistics_count(statistics); i++) {
        const ocelotl_statistic row = ocelotl_statistics_row_at(statistics, i);
        check_row(&row, asked, extremes);
        if (row.category == OCELOTL_LINK)
            check_link_row(&row, statistics, asked);
        if (row.whole) {
            CHECK(whole == 0);
            whole = row.innermost;
            share = row.share;
            continue;
        }
        whole -= row.innermost;
        share -= row.category == OCELOTL_STATE ? row.share : 0;
        CHECK(row.share >= 0 && row.share <= 1);
        CHECK(whole > 0 || fabs(share) < 1e-9 || row.category != OCELOTL_STATE);
        const ocelotl_statistic next = ocelotl_statistics_row_at(statistics, i + 1);
        CHECK(next.whole || row.innermost >= next.innermost);
    }
    CHECK(whole == 0);
}

static void ask(question *asked, ocelotl_trace *trace, uint64_t *random, uint32_t turn)
{
    static const char *const paths[] = {"a%2Fb",   "a%2Fb/t",     "a%2Fb/t#2",
                                        "a%2Fb#2", "a%2Fb#2/t#2", "a%2Fb/."};
    static const bool below[RESOURCES + 1][RESOURCES] = {
        {true, true, true}, {false, true}, {false, false, true}, {false, false, false, true, true},
        {0, 0, 0, 0, true}, {true}};
    ocelotl_statistics_options options = OCELOTL_STATISTICS_OPTIONS_INIT;
    const char *chosen[2];
    options.selection.from = asked->from;
    options.selection.to = asked->to;
    options.extremes = (ocelotl_extremes)(turn % 3);
    options.selection.resources = (ocelotl_names){chosen, check_below(random, 3)};
    for (uint32_t r = 0; r < RESOURCES; r++)
        asked->selected[r] = options.selection.resources.count == 0;
    for (size_t i = 0; i < options.selection.resources.count; i++) {
        const uint32_t path = check_below(random, RESOURCES + 1);
        chosen[i] = paths[path];
        for (uint32_t r = 0; r < RESOURCES; r++)
            asked->selected[r] = asked->selected[r] || below[path][r];
    }
    ocelotl_statistics *statistics = must_sum(trace, &options);
    check_rows(statistics, asked, options.extremes);
    ocelotl_statistics_free(statistics);
}

/* Filtering, then summing, is summing what the filter lets pass of the list. */
static void ask_filtered(question *asked, ocelotl_trace *trace, known_trace *known, uint32_t turn)
{
    ocelotl_statistics_options options = OCELOTL_STATISTICS_OPTIONS_INIT;
    ocelotl_statistics *statistics;
    known_filter filter;
    const char *const below[] = {"a%2Fb/t"};
    known_filter_make(&filter, known);
    asked->filter = &filter;
    options.selection = filter.filter;
    options.selection.from = asked->from;
    options.selection.to = asked->to;
    options.extremes = (ocelotl_extremes)(turn % 3);
    options.selection.resources = (ocelotl_names){below, turn % 2};
    for (uint32_t r = 0; r < RESOURCES; r++)
        asked->selected[r] = turn % 2 == 0 || r == 1;
    const ocelotl_status status = ocelotl_statistics_compute(&statistics, trace, &options);
    if (status == OCELOTL_ERROR_ARGUMENT || status == OCELOTL_ERROR_EMPTY) {
        CHECK(strstr(ocelotl_error_message(), "nothing that can be shown is called") != NULL ||
              strstr(ocelotl_error_message(), "leave nothing") != NULL);
    } else {
        CHECK_OK(status);
        check_rows(statistics, asked, options.extremes);
        ocelotl_statistics_free(statistics);
    }
    asked->filter = NULL;
}

/* Checks that ends of links are counted apart from begins, and attributes summed at the end. */
static void check_links(question *asked, ocelotl_trace *trace)
{
    ocelotl_statistics_options options = OCELOTL_STATISTICS_OPTIONS_INIT;
    asked->from = INT64_MIN;
    asked->to = INT64_MAX;
    for (uint32_t r = 0; r < RESOURCES; r++)
        asked->selected[r] = true;
    options.type = "Link";
    ocelotl_statistics *statistics = must_sum(trace, &options);
    const ocelotl_statistic row = ocelotl_statistics_row_at(statistics, 0);
    CHECK(row.whole && row.category == OCELOTL_LINK && row.inclusive == 0);
    CHECK(ocelotl_statistics_attribute_count(statistics) == 1);
    CHECK_TEXT(ocelotl_statistics_attribute_at(statistics, 0).name, "size");
    check_link_row(&row, statistics, asked);
    CHECK(ocelotl_statistics_attribute_at(statistics, 1).sum == 0);
    ocelotl_statistics_free(statistics);
}

/* Checks the whole trace against the sums in the store. */
static void check_whole(ocelotl_trace *trace)
{
    ocelotl_statistics *statistics = must_sum(trace, NULL);
    for (uint32_t i = 0; i < ocelotl_statistics_count(statistics); i++) {
        const ocelotl_statistic row = ocelotl_statistics_row_at(statistics, i);
        const ocelotl_value value = ocelotl_trace_value_at(trace, row.value);
        if (row.category != OCELOTL_STATE || row.whole)
            continue;
        CHECK(row.count == value.count && row.ended == value.count);
        CHECK(row.innermost == value.innermost_ticks && row.inclusive == value.inclusive_ticks);
    }
    ocelotl_statistics_free(statistics);
}

static void check_errors(ocelotl_trace *trace)
{
    ocelotl_statistics_options options = OCELOTL_STATISTICS_OPTIONS_INIT;
    ocelotl_statistics *statistics;
    const char *const nowhere[] = {"a%2Fb", "nowhere"};
    options.selection.resources = (ocelotl_names){nowhere, 2};
    CHECK_REFUSED(ocelotl_statistics_compute(&statistics, trace, &options),
                  "no resource \"nowhere\"");
    options.selection.resources.count = 0;
    options.type = "Nothing";
    CHECK_REFUSED(ocelotl_statistics_compute(&statistics, trace, &options),
                  "no event type \"Nothing\"");
    options.type = NULL;
    options.selection.from = 9;
    options.selection.to = 7;
    CHECK_REFUSED(ocelotl_statistics_compute(&statistics, trace, &options),
                  "ends before it begins");
    options.selection.to = 9;
    statistics = must_sum(trace, &options);
    CHECK(ocelotl_statistics_row_at(statistics, 0).count == 0 &&
          ocelotl_statistics_row_at(statistics, 0).innermost == 0);
    ocelotl_statistics_free(statistics);
    options.extremes = (ocelotl_extremes)7;
    CHECK_REFUSED(ocelotl_statistics_compute(&statistics, trace, &options), "extremes is 7");
    ocelotl_statistics_free(NULL);
}

static void check_trace(uint64_t random, uint32_t changes, uint32_t windows)
{
    known_trace known;
    ocelotl_trace *trace = known_open(&known, random, changes);
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    question asked = {.known = &known, .end = info.end};
    for (uint32_t i = 0; i < windows; i++) {
        const known_event *it = &known.events[check_below(&known.random, (uint32_t)known.count)];
        const uint32_t kind = check_below(&known.random, 5);
        asked.from = kind < 3 ? it->event.begin : it->event.end - check_below(&known.random, 3) + 1;
        asked.to = asked.from + 1 +
                   check_below(&known.random, kind % 3 == 0   ? 3
                                              : kind % 3 == 1 ? 200
                                                              : 20000);
        asked.from = kind == 4 ? INT64_MIN : asked.from;
        asked.to = i % 4 == 3 ? INT64_MAX : asked.to;
        if (asked.to < info.begin || asked.from > info.end)
            continue;
        ask(&asked, trace, &known.random, i);
        ask_filtered(&asked, trace, &known, i);
    }
    check_links(&asked, trace);
    check_whole(trace);
    check_errors(trace);
    known_close(&known, trace);
}

int main(void)
{
    temporary_begin();
    for (uint64_t i = 1; i <= 8; i++)
        check_trace(i, 60 * (uint32_t)i, 60);
    check_trace(77, 20000, 30);
    return 0;
}
