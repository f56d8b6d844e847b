/* Derived series are what counting at every instant of a random trace gives: states that nest,
 * cross, stay open and last for no time, variables, resources that come and go, windows and
 * filters; and the trace written of them is the same. */
#include "temporary.h"

#include "series/series.h"

enum { RESOURCES = 12, VALUES = 4, MOST = 60000, TICKS = 1500, DEEPEST = 5 };

/* A state, as the test knows it; what is pushed later is further inside. */
typedef struct known_state {
    uint32_t resource, value;
    int64_t begin, end;
} known_state;

typedef struct known_step {
    uint32_t resource;
    int64_t begin;
    double number;
} known_step;

/* site/machine/thread, and a thread outside of all; one machine has states of its own. */
typedef struct world {
    uint64_t random;
    ocelotl_writer *writer;
    uint32_t state_type, variable, values[VALUES], own_type, own_value;
    int64_t begins[RESOURCES], ends[RESOURCES];
    bool ended[RESOURCES];
    known_state *states;
    known_step *steps;
    size_t state_count, step_count, open[RESOURCES][DEEPEST], depth[RESOURCES];
} world;

static const char *const names[RESOURCES] = {"s0", "s1", "m0", "m1", "m2", "t0",
                                             "t1", "t2", "t3", "t4", "t5", "t6"};
static const int parents[RESOURCES] = {-1, -1, 0, 0, 1, 2, 2, 3, 3, 4, 4, -1};
static const uint32_t kinds[RESOURCES] = {0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2};
static const bool works[RESOURCES] = {false, false, true, false, false, true,
                                      true,  true,  true, true,  true,  true};
static const char *const type_names[] = {"site", "machine", "thread"};
static const char *const value_names[VALUES] = {"a", "b", "c", "never"};

static void declare(world *w)
{
    uint32_t types[3];
    ocelotl_writer *writer = w->writer;
    for (uint32_t t = 0; t < 3; t++)
        types[t] = must_kind(writer, t > 0 ? types[t - 1] : OCELOTL_ROOT, type_names[t]);
    for (uint32_t r = 0; r < RESOURCES; r++) {
        w->begins[r] = r < 5 || check_below(&w->random, 2) ? 0 : check_below(&w->random, TICKS / 3);
        w->ends[r] = TICKS;
        const uint32_t made = must_resource(writer, types[kinds[r]],
                                            parents[r] < 0 ? OCELOTL_ROOT : (uint32_t)parents[r],
                                            names[r], w->begins[r]);
        CHECK(made == r);
    }
    w->own_type = must_type(writer, OCELOTL_STATE, types[2], "Other");
    w->own_value = must_value(writer, w->own_type, "a");
    w->state_type = must_type(writer, OCELOTL_STATE, types[2], "State");
    for (uint32_t v = 0; v < VALUES; v++)
        CHECK_OK(ocelotl_writer_value(&w->values[v], writer, w->state_type, value_names[v],
                                      v == 1 ? 0x123456 : -1));
    CHECK_OK(ocelotl_writer_event_type(&w->variable, writer, OCELOTL_VARIABLE, types[2], "load",
                                       0x654321));
    CHECK_OK(ocelotl_writer_unit(writer, w->variable, "W"));
}

static void push(world *w, uint32_t r, int64_t time)
{
    const uint32_t value = check_below(&w->random, 3);
    CHECK(w->state_count < MOST);
    must_push(w->writer, r, w->state_type, w->values[value], time);
    w->states[w->state_count] = (known_state){r, value, time, TICKS};
    w->open[r][w->depth[r]++] = w->state_count++;
}

static void pop(world *w, uint32_t r, size_t above, int64_t time)
{
    const size_t place = w->depth[r] - 1 - above;
    must_pop(w->writer, r, w->state_type, (uint32_t)above, time);
    w->states[w->open[r][place]].end = time;
    memmove(&w->open[r][place], &w->open[r][place + 1], above * sizeof w->open[r][0]);
    w->depth[r]--;
}

/* A state of no time has no series. */
static void blink(world *w, uint32_t r, int64_t time)
{
    must_state(w->writer, r, w->state_type, w->values[3], time, time);
}

static void change(world *w, uint32_t r, int64_t time)
{
    const double number = check_below(&w->random, 9) / 2.0 - 1;
    CHECK(w->step_count < MOST);
    must_step(w->writer, r, w->variable, time, number);
    w->steps[w->step_count++] = (known_step){r, time, number};
}

static void end(world *w, uint32_t r, int64_t time)
{
    must_end(w->writer, r, time);
    w->ended[r] = true;
    w->ends[r] = time;
    while (w->depth[r] > 0)
        w->states[w->open[r][--w->depth[r]]].end = time;
}

static void live(world *w, uint32_t r, int64_t time)
{
    const uint32_t what = check_below(&w->random, 20);
    const size_t depth = w->depth[r];
    if (what == 0)
        change(w, r, time);
    else if (what == 1)
        blink(w, r, time);
    else if (depth > 0 && (depth == DEEPEST || what < 11))
        pop(w, r, what == 2 ? check_below(&w->random, (uint32_t)depth) : 0, time);
    else
        push(w, r, time);
}

static void make_world(world *w, const char *path, uint64_t random, uint32_t busy)
{
    memset(w, 0, sizeof *w);
    w->random = random;
    w->states = malloc(MOST * sizeof *w->states);
    w->steps = malloc(MOST * sizeof *w->steps);
    CHECK(w->states != NULL && w->steps != NULL);
    w->writer = must_write_ticks(path, 3);
    declare(w);
    must_push(w->writer, 7, w->own_type, w->own_value, TICKS / 3);
    for (int64_t time = 0; time < TICKS; time++)
        for (uint32_t r = 0; r < RESOURCES; r++) {
            if (!works[r] || w->ended[r] || time < w->begins[r])
                continue;
            /* Threads may outlive what they are in; here it is the machines that end. */
            for (uint32_t i = check_below(&w->random, r % 3 == 0 ? busy : 2); i > 0; i--)
                live(w, r, time);
            if (check_below(&w->random, 4 * TICKS) == 0 && r != 7)
                end(w, r, time + check_below(&w->random, 2));
        }
    /* What stays open ends with the trace. */
    must_end(w->writer, 0, TICKS);
    must_finish(w->writer);
}

static void free_world(world *w)
{
    free(w->states);
    free(w->steps);
}

/* --- Counting at every instant */

typedef struct question {
    ocelotl_series_options options;
    int level; /* of the groups: -1: the whole */
    uint32_t from, to;
    bool only[VALUES]; /* values that pass */
} question;

static int group_of(const question *q, uint32_t r)
{
    int found = (int)r;
    while (found >= 0 && kinds[found] != (uint32_t)q->level)
        found = parents[found];
    return q->level < 0 ? 100 : found;
}

/* By value, what each resource is in at an instant. */
static void find_states(bool in[RESOURCES][VALUES], const world *w, const question *q, int64_t time)
{
    int innermost[RESOURCES];
    memset(in, 0, RESOURCES * sizeof in[0]);
    for (uint32_t r = 0; r < RESOURCES; r++)
        innermost[r] = -1;
    for (size_t s = 0; s < w->state_count; s++) {
        const known_state *state = &w->states[s];
        if (state->begin > time || state->end <= time)
            continue;
        if (q->only[state->value])
            innermost[state->resource] = (int)state->value;
        if (q->options.nesting == OCELOTL_INCLUSIVE)
            in[state->resource][state->value] = q->only[state->value];
    }
    for (uint32_t r = 0; r < RESOURCES && q->options.nesting == OCELOTL_INNERMOST; r++)
        if (innermost[r] >= 0)
            in[r][innermost[r]] = true;
}

static double count_states(bool in[RESOURCES][VALUES], const question *q, int group, uint32_t value)
{
    double count = 0;
    for (uint32_t r = 0; r < RESOURCES; r++)
        count += group_of(q, r) == group && in[r][value];
    return count;
}

/* What the variable's values at an instant come to; NaN: nobody has one. */
static double reduce(const world *w, const question *q, int group, int64_t time)
{
    double values[RESOURCES], sum = 0, low = INFINITY, high = -INFINITY;
    uint32_t count = 0;
    for (uint32_t r = 0; r < RESOURCES; r++)
        values[r] = NAN;
    for (size_t s = 0; s < w->step_count; s++)
        if (w->steps[s].begin <= time && time < w->ends[w->steps[s].resource])
            values[w->steps[s].resource] = w->steps[s].number;
    for (uint32_t r = 0; r < RESOURCES; r++) {
        if (group_of(q, r) != group || isnan(values[r]))
            continue;
        sum += values[r];
        low = fmin(low, values[r]);
        high = fmax(high, values[r]);
        count++;
    }
    if (count == 0)
        return NAN;
    switch (q->options.reduction) {
    case OCELOTL_REDUCE_MEAN:
        return sum / count;
    case OCELOTL_REDUCE_MIN:
        return low;
    case OCELOTL_REDUCE_MAX:
        return high;
    default:
        return sum;
    }
}

/* --- Comparing */

/* All values that a series has at each instant, NaN: none. */
typedef struct table {
    double *values; /* series x TICKS */
    uint32_t series;
} table;

static double *cell(const table *t, uint32_t series, int64_t time)
{
    return &t->values[(size_t)series * (TICKS + 1) + (size_t)time];
}

static void make_table(table *t, const ocelotl_series *series)
{
    t->series = ocelotl_series_info_of(series).series;
    t->values = calloc((size_t)t->series * (TICKS + 1), sizeof *t->values);
    CHECK(t->values != NULL);
    for (size_t i = 0; i < (size_t)t->series * (TICKS + 1); i++)
        t->values[i] = NAN;
}

static void expect(table *t, const world *w, const question *q, const ocelotl_series *series)
{
    bool in[RESOURCES][VALUES];
    make_table(t, series);
    for (int64_t time = q->from; time < q->to; time++) {
        find_states(in, w, q, time);
        for (uint32_t i = 0; i < t->series; i++) {
            const ocelotl_derived_series is = ocelotl_series_at(series, i);
            const int group = is.resource == OCELOTL_NONE ? 100 : (int)is.resource;
            if (time < is.begin || time >= is.end)
                continue;
            *cell(t, i, time) = is.value == OCELOTL_NONE
                                    ? reduce(w, q, group, time)
                                    : count_states(in, q, group, is.value - w->values[0]);
        }
    }
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* The changes, in order, and none that is none. */
static void take(table *t, ocelotl_series *series, const question *q)
{
    ocelotl_series_change now, last = {.time = INT64_MIN};
    bool found;
    make_table(t, series);
    for (size_t count = 0;; count++) {
        CHECK_OK(ocelotl_series_next(&found, &now, series));
        if (!found)
            break;
        CHECK(now.time >= q->from && now.time < q->to);
        CHECK(now.time > last.time || (now.time == last.time && now.series > last.series));
        const double value = now.has_value ? now.value : NAN;
        const ocelotl_derived_series is = ocelotl_series_at(series, now.series);
        if (now.time < is.end)
            CHECK(count == 0 || !same(*cell(t, now.series, now.time), value) ||
                  (value == 0 && now.time == is.begin));
        for (int64_t time = now.time; time < is.end; time++)
            *cell(t, now.series, time) = value;
        last = now;
    }
    CHECK_OK(ocelotl_series_next(&found, &now, series));
    CHECK(!found);
}

static void compare(const table *expected, const table *got, const char *what)
{
    CHECK(expected->series == got->series);
    for (uint32_t i = 0; i < got->series; i++)
        for (int64_t time = 0; time < TICKS; time++)
            if (!same(*cell(expected, i, time), *cell(got, i, time))) {
                fprintf(stderr, "%s: series %u at %d: %g, expected %g\n", what, i, (int)time,
                        *cell(got, i, time), *cell(expected, i, time));
                exit(1);
            }
}

/* --- The trace that is written of them */

/* Finds the series of a variable's step, by names alone. */
static uint32_t find_series(const ocelotl_series *series, const char *path, const char *name)
{
    uint32_t i = 0;
    while (i < ocelotl_series_info_of(series).series &&
           (strcmp(ocelotl_series_at(series, i).path, path) != 0 ||
            strcmp(ocelotl_series_at(series, i).name, name) != 0))
        i++;
    return i;
}

static void check_names(ocelotl_trace *derived, const ocelotl_series *series)
{
    const ocelotl_series_info info = ocelotl_series_info_of(series);
    const ocelotl_trace_info is = ocelotl_trace_info_of(derived);
    CHECK(is.begin == info.from && is.end == info.to && is.tick_numerator == 1 &&
          is.tick_denominator == 3);
    CHECK(strstr(is.name, info.meaning) != NULL);
    CHECK(ocelotl_trace_event_type_count(derived) == info.types);
    for (uint32_t t = 0; t < info.types; t++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(derived, t);
        const ocelotl_derived_series one = ocelotl_series_at(series, t);
        CHECK(type.category == OCELOTL_VARIABLE && type.colour == one.colour);
        CHECK_TEXT(type.name, one.name);
        CHECK_TEXT(type.unit, one.unit);
        CHECK_TEXT(one.unit, one.value == OCELOTL_NONE ? "W" : "resources");
    }
}

static void check_trace(const table *expected, ocelotl_series *series)
{
    const char *path = temporary_path("derived.db");
    ocelotl_trace *derived = NULL;
    ocelotl_event event;
    table got;
    CHECK_OK(ocelotl_series_derive(path, series, NULL, true));
    CHECK_REFUSED(ocelotl_series_derive(path, series, NULL, false), "derived.db");
    derived = must_open(path);
    check_names(derived, series);
    make_table(&got, series);
    ocelotl_events *events = must_list(derived, NULL);
    while (must_next(&event, events)) {
        const uint32_t i = find_series(series, ocelotl_events_path(events, event.resource),
                                       ocelotl_trace_event_type_at(derived, event.event_type).name);
        CHECK(i < got.series && event.category == OCELOTL_VARIABLE);
        CHECK(event.end <= ocelotl_series_at(series, i).end &&
              event.begin >= ocelotl_series_at(series, i).begin);
        for (int64_t time = event.begin; time < event.end; time++)
            *cell(&got, i, time) = event.number;
    }
    /* A value that nobody has any more is kept. */
    for (uint32_t i = 0; i < got.series; i++)
        for (int64_t time = 1; time < TICKS; time++)
            if (isnan(*cell(expected, i, time)) && time < ocelotl_series_at(series, i).end)
                *cell(&got, i, time) = NAN;
    compare(expected, &got, "the trace written");
    free(got.values);
    ocelotl_events_free(events);
    ocelotl_trace_free(derived);
}

/* --- Questions */

static void ask(const world *w, ocelotl_trace *trace, const question *q, bool spans)
{
    ocelotl_series *series = NULL;
    table expected, got;
    CHECK_OK(ocelotl_series_open(&series, trace, &q->options));
    if (spans) {
        oc_series_end_reading(series);
        CHECK_OK(oc_series_cut(series, 1));
        CHECK(series->span_count > 1);
    }
    expect(&expected, w, q, series);
    take(&got, series, q);
    compare(&expected, &got, "series");
    free(got.values);
    check_trace(&expected, series);
    free(expected.values);
    ocelotl_series_free(series);
}

static const char *const only_b[] = {"b"};
static const char *const only_load[] = {"l*d"};

static question random_question(uint64_t *random)
{
    static const char *const levels[] = {"all", "site", "machine", "thread"};
    question q = {.to = TICKS, .only = {true, true, true, true}};
    const uint32_t level = check_below(random, 4);
    q.level = (int)level - 1;
    q.options.at = levels[level];
    q.options.reduction = (ocelotl_reduction)check_below(random, OCELOTL_REDUCE_MAX + 1);
    q.options.nesting = check_below(random, 2) == 0 ? OCELOTL_INNERMOST : OCELOTL_INCLUSIVE;
    q.options.state_type = "State";
    if (check_below(random, 2) == 0) {
        q.options.selection.from = q.from = check_below(random, TICKS - 1);
        q.options.selection.to = q.to = q.from + 1 + check_below(random, TICKS - q.from);
    }
    if (check_below(random, 3) == 0) {
        q.options.selection.only =
            (ocelotl_names){q.options.reduction <= OCELOTL_REDUCE_COUNT ? only_b : only_load, 1};
        q.only[0] = q.only[2] = false;
    }
    return q;
}

static void test_random(uint64_t random)
{
    const char *path = temporary_path("random.db");
    world w;
    make_world(&w, path, random, 4);
    ocelotl_trace *trace = must_open(path);
    for (uint32_t i = 0; i < 6; i++) {
        question q = random_question(&w.random);
        ocelotl_series *probe = NULL;
        /* All that is in a group may be dead by then. */
        if (ocelotl_series_open(&probe, trace, &q.options) == OCELOTL_OK)
            ask(&w, trace, &q, false);
        else
            CHECK(strstr(ocelotl_error_message(), "lives in the window") != NULL ||
                  strstr(ocelotl_error_message(), "expected another type") != NULL);
        ocelotl_series_free(probe);
    }
    ocelotl_trace_free(trace);
    free_world(&w);
}

/* Checks that many chunks are read span by span. */
static void test_spans(void)
{
    const char *path = temporary_path("spans.db");
    world w;
    make_world(&w, path, 77, 60); /* enough chunks for two threads */
    ocelotl_trace *trace = must_open(path);
    question q = {.to = TICKS, .only = {true, true, true, true}};
    q.level = 1;
    q.options.at = "machine";
    q.options.state_type = "State";
    ask(&w, trace, &q, true);
    q.options.nesting = OCELOTL_INCLUSIVE;
    ask(&w, trace, &q, true);
    q.options.reduction = OCELOTL_REDUCE_MEAN;
    ask(&w, trace, &q, true);
    ocelotl_trace_free(trace);
    free_world(&w);
}

static void check_refused(ocelotl_trace *trace, const ocelotl_series_options *options,
                          const char *text)
{
    ocelotl_series *series = NULL;
    CHECK_REFUSED(ocelotl_series_open(&series, trace, options), text);
}

static void test_requests(void)
{
    static const char *const unknown[] = {"nothing"};
    static const char *const below[] = {"s0/m0"};
    const char *path = temporary_path("requests.db");
    ocelotl_series *series = NULL;
    world w;
    make_world(&w, path, 5, 4);
    ocelotl_trace *trace = must_open(path);
    ocelotl_series_options options = {0};
    options.at = "machin";
    check_refused(trace, &options, "the nearest is \"machine\"");
    options.at = NULL;
    options.selection.only = (ocelotl_names){unknown, 1};
    check_refused(trace, &options, "nothing that can be shown is called \"nothing\"");
    options.selection.only = (ocelotl_names){NULL, 0};
    options.state_type = "Stat";
    check_refused(trace, &options, "expected \"Other\", \"State\"");
    options.state_type = NULL;
    options.selection.from = options.selection.to = 7;
    check_refused(trace, &options, "expected one that lasts");
    options.selection.from = options.selection.to = 0;
    options.selection.max_duration = 5;
    check_refused(trace, &options, "no bounds of durations");
    options.selection.max_duration = 0;
    options.selection.from = INT64_MIN;
    options.selection.to = INT64_MAX;
    options.reduction = (ocelotl_reduction)9;
    check_refused(trace, &options, "the reduction is 9");
    options.reduction = OCELOTL_REDUCE_DEFAULT;
    options.selection.resources = (ocelotl_names){unknown, 1};
    check_refused(trace, &options, "has no resource \"nothing\"");
    /* One thread is in no site or machine: by default all are one group, and otherwise it counts
     * nowhere. */
    options.selection.resources = (ocelotl_names){NULL, 0};
    CHECK_OK(ocelotl_series_open(&series, trace, &options));
    CHECK_TEXT(ocelotl_series_info_of(series).group_type, "all");
    CHECK(ocelotl_series_info_of(series).outside == 0 &&
          ocelotl_series_info_of(series).members == 8);
    CHECK(ocelotl_series_info_of(series).values_zero == 1);
    CHECK_TEXT(ocelotl_series_at(series, 99).name, "");
    ocelotl_series_free(series);
    options.at = "site";
    CHECK_OK(ocelotl_series_open(&series, trace, &options));
    CHECK(ocelotl_series_info_of(series).outside == 1 &&
          ocelotl_series_info_of(series).groups == 2);
    CHECK_TEXT(ocelotl_series_info_of(series).meaning,
               "number of resources in each State, by site");
    ocelotl_series_free(series);
    /* Within a machine all are in it; its threads are not fewer than themselves. */
    options.at = NULL;
    options.selection.resources = (ocelotl_names){below, 1};
    CHECK_OK(ocelotl_series_open(&series, trace, &options));
    CHECK_TEXT(ocelotl_series_info_of(series).group_type, "site");
    ocelotl_series_free(series);
    ocelotl_trace_free(trace);
    free_world(&w);
}

static bool cancel(void *context, uint64_t done, uint64_t total)
{
    uint64_t *calls = context;
    CHECK(done < total);
    return ++*calls < 4;
}

/* Whoever waits may stop it, and nothing is left of it. */
static void test_cancelling(void)
{
    const char *path = temporary_path("cancel.db");
    const char *target = temporary_path("cancelled.db");
    ocelotl_series *series = NULL;
    uint64_t calls = 0;
    world w;
    make_world(&w, path, 9, 4);
    ocelotl_trace *trace = must_open(path);
    ocelotl_series_options options = {0};
    options.work.progress = cancel;
    options.work.context = &calls;
    CHECK_OK(ocelotl_series_open(&series, trace, &options));
    const size_t files = temporary_files(false);
    CHECK_FAILS(ocelotl_series_derive(target, series, NULL, false), OCELOTL_ERROR_CANCELLED,
                "reading was cancelled");
    CHECK(calls == 4 && temporary_files(false) == files);
    ocelotl_series_free(series);
    ocelotl_trace_free(trace);
    free_world(&w);
}

/* A unit is what was said of it, in the file and out of it. */
static void test_unit(void)
{
    const char *path = temporary_path("unit.db");
    uint32_t types[3];
    ocelotl_writer *writer = must_write(path, NULL);
    const uint32_t kind = must_kind(writer, OCELOTL_ROOT, "kind");
    must_resource(writer, kind, OCELOTL_ROOT, "r", 0);
    types[0] = must_type(writer, OCELOTL_VARIABLE, kind, "none");
    types[1] = must_type(writer, OCELOTL_STATE, kind, "state");
    types[2] = must_type(writer, OCELOTL_VARIABLE, kind, "power");
    CHECK_OK(ocelotl_writer_unit(writer, types[2], "J"));
    CHECK_OK(ocelotl_writer_unit(writer, types[2], "W\xFF"));
    CHECK_REFUSED(ocelotl_writer_unit(writer, types[1], "W"), "expected a variable");
    CHECK_REFUSED(ocelotl_writer_unit(writer, 3, "W"), "expected a variable");
    CHECK_REFUSED(ocelotl_writer_unit(writer, types[0], "a\nb"), "expected one");
    must_finish(writer);
    ocelotl_trace *trace = must_open(path);
    CHECK_TEXT(ocelotl_trace_event_type_at(trace, 0).unit, "");
    CHECK_TEXT(ocelotl_trace_event_type_at(trace, 1).unit, "");
    CHECK_TEXT(ocelotl_trace_event_type_at(trace, 2).unit, "W\xEF\xBF\xBD");
    CHECK_TEXT(ocelotl_trace_event_type_at(trace, 3).unit, "");
    ocelotl_trace_free(trace);
}

int main(void)
{
    temporary_begin();
    for (uint64_t random = 1; random <= 25; random++)
        test_random(random * 0x9E3779B97F4A7C15u);
    test_spans();
    test_requests();
    test_cancelling();
    test_unit();
    return 0;
}
