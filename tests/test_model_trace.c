/* Models of traces and of their windows with the metric "state duration", against cells counted
 * tick by tick. */
#include "temporary.h"

#include "test_model_cells.h"

enum { LEAVES = 4, VALUES = 3, MOST_TICKS = 400, MOST_SLICES = 64, DEPTH = 6 };

/* A trace of one state type, as the test knows it. */
typedef struct sample {
    ocelotl_writer *writer;
    uint32_t thread, state, values[VALUES], resources[LEAVES];
} sample;

static sample begin_sample(void)
{
    static const char *const names[VALUES] = {"compute", "send", "wait"};
    sample s = {0};
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    options.overwrite = true;
    options.name = "a sample";
    s.writer = must_write(temporary_path("trace.db"), &options);
    s.thread = must_kind(s.writer, OCELOTL_ROOT, "thread");
    s.state = must_type(s.writer, OCELOTL_STATE, s.thread, "doing");
    for (uint32_t v = 0; v < VALUES; v++)
        CHECK_OK(ocelotl_writer_value(&s.values[v], s.writer, s.state, names[v], (int32_t)v));
    return s;
}

static uint32_t add_resource(const sample *s, uint32_t parent, const char *name, int64_t begin)
{
    return must_resource(s->writer, s->thread, parent, name, begin);
}

static void add_state(const sample *s, uint32_t resource, uint32_t value, int64_t begin,
                      int64_t end)
{
    must_state(s->writer, resource, s->state, s->values[value], begin, end);
}

static ocelotl_trace *end_sample(sample *s)
{
    must_finish(s->writer);
    return must_open(temporary_path("trace.db"));
}

/* Of the whole trace, or of what is chosen of it. */
static ocelotl_model *build(ocelotl_trace *trace, uint32_t slices, ocelotl_nesting nesting,
                            ocelotl_untraced untraced, const ocelotl_selection *chosen)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.cells.metric = "state-duration"; /* also where no state lasts for any time */
    options.hierarchy.bare = true;
    options.slices = slices;
    options.cells.nesting = nesting;
    options.cells.untraced = untraced;
    if (chosen != NULL)
        options.selection = *chosen;
    return must_build(trace, &options);
}

static ocelotl_node find_node(const ocelotl_model *model, const char *path)
{
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    for (uint32_t k = 0; k < info.node_count; k++)
        if (strcmp(ocelotl_model_node_at(model, k).path, path) == 0)
            return ocelotl_model_node_at(model, k);
    fprintf(stderr, "no node %s\n", path);
    exit(1);
}

/* A random trace, and what every tick of it holds. */
typedef struct ticks {
    int64_t begin, length;
    int64_t born[LEAVES], died[LEAVES];     /* ticks from begin */
    uint32_t innermost[LEAVES][MOST_TICKS]; /* VALUES: none */
    uint32_t open[LEAVES][MOST_TICKS][VALUES];
} ticks;

typedef struct stack {
    uint32_t values[DEPTH], depth;
} stack;

static void take_away(stack *open, uint32_t place)
{
    memmove(&open->values[place], &open->values[place + 1],
            (--open->depth - place) * sizeof *open->values);
}

static void change_state(const sample *s, uint32_t leaf, stack *open, int64_t time,
                         uint64_t *random)
{
    if (open->depth < DEPTH && check_below(random, 2) == 0) {
        const uint32_t value = check_below(random, VALUES);
        must_push(s->writer, s->resources[leaf], s->state, s->values[value], time);
        open->values[open->depth++] = value;
    } else if (open->depth > 0) {
        const uint32_t outside = check_below(random, 3) == 0 ? check_below(random, open->depth) : 0;
        must_pop(s->writer, s->resources[leaf], s->state, outside, time);
        take_away(open, open->depth - 1 - outside);
    }
}

static void live(const sample *s, ticks *t, uint32_t leaf, uint64_t *random)
{
    stack open = {0};
    for (int64_t tick = 0; tick < t->length; tick++) {
        const bool alive = tick >= t->born[leaf] && tick < t->died[leaf];
        if (alive)
            for (uint32_t more = check_below(random, 8); more > 5; more--)
                change_state(s, leaf, &open, t->begin + tick, random);
        open.depth = alive ? open.depth : 0;
        t->innermost[leaf][tick] = open.depth > 0 ? open.values[open.depth - 1] : VALUES;
        for (uint32_t i = 0; i < open.depth; i++)
            t->open[leaf][tick][open.values[i]]++;
    }
    must_end(s->writer, s->resources[leaf], t->begin + t->died[leaf]);
}

static ocelotl_trace *random_trace(ticks *t, sample *s, uint64_t *random)
{
    *s = begin_sample();
    memset(t, 0, sizeof *t);
    t->length = 2 + (int64_t)check_below(random, MOST_TICKS - 1);
    t->begin = (int64_t)check_below(random, 2000) - 1000;
    for (uint32_t leaf = 0; leaf < LEAVES; leaf++) {
        /* the first lives all the time, or the window would be another */
        t->born[leaf] = leaf == 0 ? 0 : check_below(random, (uint32_t)t->length);
        t->died[leaf] = leaf == 0 ? t->length
                                  : t->born[leaf] + 1 +
                                        check_below(random, (uint32_t)(t->length - t->born[leaf]));
        s->resources[leaf] = add_resource(s, OCELOTL_ROOT, "leaf", t->begin + t->born[leaf]);
        /* a state of no length, so that every leaf is one */
        add_state(s, s->resources[leaf], 0, t->begin + t->born[leaf], t->begin + t->born[leaf]);
        live(s, t, leaf, random);
    }
    return end_sample(s);
}

/* A window in ticks from the beginning of the trace, and how it is cut. */
typedef struct window {
    int64_t from, to;
    uint32_t slices;
    ocelotl_nesting nesting;
    ocelotl_untraced untraced;
} window;

/* In units of 1 / slices tick a tick is `slices` long, a slice as long as the window in ticks: how
 * much of a tick is in a slice. */
static int64_t shared(const window *w, int64_t tick, uint32_t slice)
{
    const int64_t begin = (tick - w->from) * w->slices, first = slice * (w->to - w->from);
    const int64_t end = begin + w->slices, last = first + (w->to - w->from);
    const int64_t from = begin > first ? begin : first, to = end < last ? end : last;
    return to > from ? to - from : 0;
}

static void check_cells(const ocelotl_model *model, const ticks *t, const window *w)
{
    static const char *const types[VALUES + 1] = {"compute", "send", "wait", "(no state)"};
    const int64_t length = w->to - w->from;
    for (uint32_t leaf = 0; leaf < LEAVES; leaf++) {
        const ocelotl_node node = ocelotl_model_node_at(model, leaf + 1);
        for (uint32_t slice = 0; slice < w->slices; slice++) {
            int64_t wanted[VALUES + 1] = {0}, traced = 0;
            bool lived = false;
            double sum = 0;
            for (int64_t tick = w->from; tick < w->to; tick++) {
                const int64_t units = shared(w, tick, slice);
                const uint32_t innermost = t->innermost[leaf][tick];
                if (units == 0 || tick < t->born[leaf] || tick >= t->died[leaf])
                    continue;
                lived = true;
                traced += innermost < VALUES ? units : 0;
                for (uint32_t v = 0; v < VALUES; v++)
                    wanted[v] += w->nesting == OCELOTL_INNERMOST ? units * (v == innermost)
                                                                 : units * t->open[leaf][tick][v];
            }
            if (lived && w->untraced == OCELOTL_UNTRACED_TYPE)
                wanted[VALUES] = length - traced;
            CHECK(lived == (slice >= node.begin && slice < node.end));
            for (uint32_t x = 0; x <= VALUES; x++) {
                const double found = cells_of(model, leaf, types[x], slice);
                sum += found;
                CHECK(found == (double)wanted[x] / (double)length);
            }
            if (w->nesting == OCELOTL_INNERMOST && w->untraced == OCELOTL_UNTRACED_TYPE)
                CHECK_NEAR(sum, lived ? 1 : 0, 1e-12);
        }
    }
}

/* What all slices hold of a state is its total in the store. */
static void check_totals(const ocelotl_model *model, const ocelotl_trace *trace, uint32_t slices,
                         ocelotl_nesting nesting)
{
    const oc_matrix *matrix = oc_model_matrix(model);
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    const double slice = (double)(info.end - info.begin) / slices;
    for (uint32_t x = 0; x < matrix->type_count; x++) {
        double sum = 0;
        for (size_t s = 0; s < matrix->series_count; s++)
            for (size_t c = matrix->series[s].first; c < matrix->series[s + 1].first; c++)
                sum += matrix->series[s].type == x ? matrix->cell_value[c] * slice : 0;
        for (uint32_t v = 0; v < ocelotl_trace_value_count(trace); v++) {
            const ocelotl_value value = ocelotl_trace_value_at(trace, v);
            if (strcmp(value.name, ocelotl_model_type_at(model, x).name) == 0)
                CHECK_NEAR(sum,
                           (double)(nesting == OCELOTL_INNERMOST ? value.innermost_ticks
                                                                 : value.inclusive_ticks),
                           1e-12 * (1 + sum));
        }
    }
}

/* The whole trace in all four ways, and windows of it. */
static void check_random_trace(uint64_t seed)
{
    static ticks t;
    sample s;
    uint64_t random = seed * 0x9E3779B97F4A7C15u;
    OWN_TRACE *trace = random_trace(&t, &s, &random);
    for (int i = 0; i < 7; i++) {
        const bool whole = i < 4;
        window w = {.to = t.length,
                    .nesting = (ocelotl_nesting)(i % 2),
                    .untraced = (ocelotl_untraced)(i / 2 % 2)};
        if (!whole) {
            w.from = check_below(&random, (uint32_t)t.length);
            w.to = w.from + 1 + check_below(&random, (uint32_t)(t.length - w.from));
        }
        const int64_t most = w.to - w.from < MOST_SLICES ? w.to - w.from : MOST_SLICES;
        w.slices = 1 + check_below(&random, (uint32_t)most);
        const ocelotl_selection chosen = {.from = t.begin + w.from, .to = t.begin + w.to};
        OWN_MODEL *model =
            build(trace, w.slices, w.nesting, w.untraced, whole && i % 3 > 0 ? NULL : &chosen);
        const ocelotl_model_info info = ocelotl_model_info_of(model);
        CHECK(info.leaf_count == LEAVES && info.slice_count == w.slices);
        CHECK(info.begin == ocelotl_trace_seconds(trace, chosen.from));
        CHECK(info.end == ocelotl_trace_seconds(trace, chosen.to));
        check_cells(model, &t, &w);
        if (whole)
            check_totals(model, trace, w.slices, w.nesting);
    }
}

/* One state all the time: every slice of it is exactly 1, whatever the numbers. */
static void check_full_slices(void)
{
    static const int64_t lengths[] = {7, 1000, 1000000007, 999999999999999989, (int64_t)1 << 61};
    static const uint32_t slices[] = {1, 2, 3, 7};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        sample s = begin_sample();
        const uint32_t leaf = add_resource(&s, OCELOTL_ROOT, "leaf", 0);
        add_state(&s, leaf, 1, -lengths[i] / 3, -lengths[i] / 3 + lengths[i]);
        OWN_TRACE *trace = end_sample(&s);
        for (size_t j = 0; j < sizeof slices / sizeof slices[0]; j++) {
            OWN_MODEL *model =
                build(trace, slices[j], OCELOTL_INNERMOST, OCELOTL_UNTRACED_TYPE, NULL);
            CHECK(ocelotl_model_info_of(model).cell_count == slices[j]);
            for (uint32_t slice = 0; slice < slices[j]; slice++)
                CHECK(cells_of(model, 0, "send", slice) == 1.0);
        }
    }
}

/* The same program, traced with an idle state or with gaps. */
static ocelotl_model *with_gaps(bool idle, ocelotl_trace **trace)
{
    uint64_t random = 99;
    sample s = begin_sample();
    for (uint32_t leaf = 0; leaf < LEAVES; leaf++) {
        const uint32_t resource = add_resource(&s, OCELOTL_ROOT, "leaf", 0);
        int64_t time = 0;
        while (time < 1000) {
            const int64_t next = time + 1 + check_below(&random, 60);
            const int64_t end = next < 1000 ? next : 1000;
            const bool working = check_below(&random, 2) == 0;
            if (working)
                add_state(&s, resource, check_below(&random, 2), time, end);
            else if (idle)
                add_state(&s, resource, 2, time, end);
            time = end;
        }
        add_state(&s, resource, 0, 1000, 1000);
    }
    *trace = end_sample(&s);
    return build(*trace, 37, OCELOTL_INNERMOST, OCELOTL_UNTRACED_TYPE, NULL);
}

static void check_gaps(void)
{
    ocelotl_trace *traces[2];
    ocelotl_model *idle = with_gaps(true, &traces[0]);
    ocelotl_model *gaps = with_gaps(false, &traces[1]);
    const oc_matrix *a = oc_model_matrix(idle);
    const oc_matrix *b = oc_model_matrix(gaps);
    CHECK(a->series_count == b->series_count && a->cell_count == b->cell_count);
    CHECK(memcmp(a->cell_value, b->cell_value, a->cell_count * sizeof *a->cell_value) == 0);
    CHECK(memcmp(a->cell_slice, b->cell_slice, a->cell_count * sizeof *a->cell_slice) == 0);
    CHECK_TEXT(ocelotl_model_type_at(idle, 2).name, "wait");
    CHECK_TEXT(ocelotl_model_type_at(gaps, 2).name, "(no state)");
    CHECK(!ocelotl_model_type_at(idle, 2).untraced && ocelotl_model_type_at(gaps, 2).untraced);
    ocelotl_model_free(idle);
    ocelotl_model_free(gaps);
    ocelotl_trace_free(traces[0]);
    ocelotl_trace_free(traces[1]);
}

static void check_hierarchy(void)
{
    sample s = begin_sample();
    const uint32_t machine = add_resource(&s, OCELOTL_ROOT, "machine", 0);
    const uint32_t core = add_resource(&s, machine, "core", 0);
    const uint32_t again = add_resource(&s, machine, "core", 0);
    const uint32_t third = add_resource(&s, machine, "core", 0);
    const uint32_t odd = add_resource(&s, machine, "a/b%c", 0);
    add_resource(&s, machine, "nothing here", 0);
    const uint32_t empty = add_resource(&s, OCELOTL_ROOT, "empty", 0);
    add_resource(&s, empty, "nor here", 0);
    add_state(&s, machine, 0, 0, 10);
    add_state(&s, core, 1, 0, 10);
    add_state(&s, again, 1, 0, 10);
    add_state(&s, third, 1, 0, 10);
    add_state(&s, odd, 2, 0, 10);
    OWN_TRACE *trace = end_sample(&s);
    OWN_MODEL *model = build(trace, 5, OCELOTL_INNERMOST, OCELOTL_UNTRACED_TYPE, NULL);
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    CHECK(info.leaf_count == 5 && info.node_count == 7);
    CHECK(info.leaves_left_out == 2);
    CHECK_TEXT(info.name, "a sample");
    CHECK_TEXT(info.state_type, "doing");
    CHECK(info.has_time && info.begin == 0);
    CHECK_NEAR(info.end, 1e-8, 1e-20);
    CHECK_TEXT(ocelotl_model_node_at(model, 0).path, "");
    CHECK(ocelotl_model_node_at(model, 0).source == OCELOTL_NONE);
    const ocelotl_node own = find_node(model, "machine/.");
    CHECK_TEXT(own.name, ".");
    CHECK_TEXT(own.kind, "thread");
    CHECK(own.source == machine && own.leaf_count == 1);
    CHECK(cells_of(model, own.leaf_first, "compute", 4) == 1);
    CHECK(find_node(model, "machine").leaf_count == 5 &&
          find_node(model, "machine").source == machine);
    CHECK(find_node(model, "machine/core").source == core);
    CHECK(find_node(model, "machine/core#2").source == again);
    CHECK(find_node(model, "machine/core#3").source == third);
    CHECK_TEXT(find_node(model, "machine/a%2Fb%25c").name, "a/b%c");
}

static void check_lifetimes(void)
{
    sample s = begin_sample();
    const uint32_t whole = add_resource(&s, OCELOTL_ROOT, "whole", 0);
    const uint32_t part = add_resource(&s, OCELOTL_ROOT, "part", 25);
    const uint32_t instant = add_resource(&s, OCELOTL_ROOT, "instant", 55);
    add_state(&s, whole, 0, 0, 100);
    add_state(&s, part, 1, 25, 30);
    add_state(&s, instant, 1, 55, 55);
    must_end(s.writer, part, 61);
    must_end(s.writer, instant, 55);
    OWN_TRACE *trace = end_sample(&s);
    OWN_MODEL *model = build(trace, 10, OCELOTL_INNERMOST, OCELOTL_UNTRACED_TYPE, NULL);
    const ocelotl_node lived = find_node(model, "part");
    CHECK(lived.begin == 2 && lived.end == 7);
    CHECK(cells_of(model, 1, "send", 2) == 0.5 && cells_of(model, 1, "(no state)", 2) == 0.5);
    CHECK(cells_of(model, 1, "(no state)", 6) == 1 && cells_of(model, 1, "(no state)", 7) == 0);
    CHECK(find_node(model, "whole").begin == 0 && find_node(model, "whole").end == 10);
    /* a life of no length is in no slice */
    CHECK(find_node(model, "instant").begin == find_node(model, "instant").end);
    for (uint32_t slice = 0; slice < 10; slice++)
        CHECK(cells_of(model, 2, "(no state)", slice) == 0 &&
              cells_of(model, 2, "send", slice) == 0);
    CHECK(ocelotl_model_node_at(model, 0).begin == 0 && ocelotl_model_node_at(model, 0).end == 10);
}

static void check_few_ticks(void)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.hierarchy.bare = true;
    sample s = begin_sample();
    add_state(&s, add_resource(&s, OCELOTL_ROOT, "a", 0), 0, 0, 12);
    ocelotl_trace *trace = end_sample(&s);
    ocelotl_model *model = must_build(trace, NULL);
    CHECK(ocelotl_model_info_of(model).slice_count == 12);
    CHECK(ocelotl_model_info_of(model).slices_wanted == OCELOTL_DEFAULT_SLICES);
    CHECK_TEXT(ocelotl_model_info_of(model).slices_reason, "the window has no more ticks");
    ocelotl_model_free(model);
    options.slices = 13;
    MUST_REFUSE(trace, &options, "13 slices of 12 ticks");
    options.slices = 12;
    model = must_build(trace, &options);
    CHECK_TEXT(ocelotl_model_info_of(model).slices_reason, "");
    ocelotl_model_free(model);
    options.cells.state_type = "being";
    MUST_REFUSE(trace, &options, "has no states of a type \"being\", expected \"doing\"");
    ocelotl_trace_free(trace);

    s = begin_sample();
    add_state(&s, add_resource(&s, OCELOTL_ROOT, "a", 5), 0, 5, 5);
    trace = end_sample(&s);
    CHECK_FAILS(ocelotl_model_from_trace(&model, trace, NULL), OCELOTL_ERROR_INPUT,
                "begins and ends in the same");
    ocelotl_trace_free(trace);
}

static void check_windows(void)
{
    static const int64_t windows[][2] = {
        {1, 1}, {9, 3}, {-1, 9}, {0, 101}, {INT64_MIN + 1, INT64_MAX}};
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    sample s = begin_sample();
    add_state(&s, add_resource(&s, OCELOTL_ROOT, "a", 0), 0, 0, 100);
    OWN_TRACE *trace = end_sample(&s);
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
        options.selection.from = windows[i][0];
        options.selection.to = windows[i][1];
        MUST_REFUSE(trace, &options, "expected one that lasts, within");
    }
    options.selection.from = 0;
    options.selection.to = 7;
    options.slices = 8;
    MUST_REFUSE(trace, &options, "8 slices of 7 ticks");
}

static void check_large_request(void)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.hierarchy.bare = true;
    ocelotl_model *model;
    sample s = begin_sample();
    add_state(&s, add_resource(&s, OCELOTL_ROOT, "a", 0), 0, 0, (int64_t)1 << 40);
    OWN_TRACE *trace = end_sample(&s);
    options.slices = UINT32_MAX;
    for (int kind = OCELOTL_SPATIOTEMPORAL; kind <= OCELOTL_SPATIAL; kind++) {
        options.kind = (ocelotl_kind)kind;
        CHECK_FAILS(ocelotl_model_from_trace(&model, trace, &options), OCELOTL_ERROR_LIMIT,
                    "4294967295 slices");
    }
}

static void check_no_states(void)
{
    ocelotl_trace *trace;
    sample s = begin_sample();
    const uint32_t resource = add_resource(&s, OCELOTL_ROOT, "a", 0);
    const uint32_t variable = must_type(s.writer, OCELOTL_VARIABLE, s.thread, "power");
    for (int64_t time = 0; time < 3; time++)
        must_step(s.writer, resource, variable, time, 1);
    trace = end_sample(&s);
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.hierarchy.bare = true;
    ocelotl_model *model = must_build(trace, NULL);
    CHECK_TEXT(ocelotl_model_info_of(model).metric, "variable-mean");
    ocelotl_model_free(model);
    options.cells.metric = "state-duration";
    MUST_REFUSE(trace, &options,
                "has no state for the metric state-duration, expected one of event-count, "
                "variable-mean, variable-min");
    ocelotl_trace_free(trace);
    s = begin_sample();
    trace = end_sample(&s);
    CHECK_FAILS(ocelotl_model_from_trace(&model, trace, NULL), OCELOTL_ERROR_INPUT,
                "it holds 0 resources");
    ocelotl_trace_free(trace);
}

/* Of several state types one is shown: by default the one with most time. Of those asked for each
 * resource shows the first that it has. */
static void check_state_types(void)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.hierarchy.bare = true;
    sample s = begin_sample();
    uint32_t value;
    const uint32_t a = add_resource(&s, OCELOTL_ROOT, "a", 0);
    const uint32_t b = add_resource(&s, OCELOTL_ROOT, "b", 0);
    const uint32_t runtime = must_type(s.writer, OCELOTL_STATE, s.thread, "runtime");
    CHECK_OK(ocelotl_writer_value(&value, s.writer, runtime, "scheduling", 0x00FF00));
    add_state(&s, a, 0, 0, 10);
    must_push(s.writer, b, runtime, value, 0);
    must_state(s.writer, add_resource(&s, OCELOTL_ROOT, "c", 0), runtime, value, 10, 20);
    add_state(&s, 2, 1, 5, 25);
    value = must_type(s.writer, OCELOTL_STATE, s.thread, "never");
    must_push(s.writer, a, s.state, s.values[2], 30);
    OWN_TRACE *trace = end_sample(&s);
    ocelotl_model *model = must_build(trace, NULL);
    CHECK_TEXT(ocelotl_model_info_of(model).state_type, "runtime");
    CHECK(ocelotl_model_info_of(model).leaf_count == 2 &&
          ocelotl_model_info_of(model).leaves_left_out == 1);
    CHECK(ocelotl_model_type_at(model, 0).colour == 0x00FF00);
    ocelotl_model_free(model);
    options.cells.state_type = "doing";
    model = must_build(trace, &options);
    /* of its values those that have any time, and what is untraced */
    CHECK(ocelotl_model_info_of(model).type_count == 3);
    CHECK_TEXT(ocelotl_model_type_at(model, 0).name, "compute");
    CHECK_TEXT(ocelotl_model_type_at(model, 9).name, "");
    CHECK_TEXT(ocelotl_model_node_at(model, 99).path, "");
    ocelotl_model_free(model);
    const char *const several[] = {"runtime", "doing", "never"};
    options.state_types = (ocelotl_names){several, 2};
    model = must_build(trace, &options);
    CHECK_TEXT(ocelotl_model_info_of(model).state_type, "runtime, doing");
    const uint32_t types = ocelotl_model_info_of(model).type_count;
    double values[8];
    CHECK(ocelotl_model_info_of(model).leaf_count == 3 && types == 4);
    for (uint32_t node = 1; node <= 3; node++) {
        uint32_t shown = 0;
        CHECK_OK(ocelotl_model_values(values, model, node, 0,
                                      ocelotl_model_info_of(model).slice_count - 1));
        while (shown < types &&
               (values[shown] == 0 || ocelotl_model_type_at(model, shown).untraced))
            shown++;
        CHECK_TEXT(ocelotl_model_type_at(model, shown).name, node == 1 ? "compute" : "scheduling");
    }
    ocelotl_model_free(model);
    options.state_types.count = 3;
    MUST_REFUSE(trace, &options, "expected \"doing\", \"runtime\"");
    options.state_types.count = 0;
    options.cells.state_type = "never";
    MUST_REFUSE(trace, &options, "expected \"doing\", \"runtime\"");
}

int main(void)
{
    temporary_begin();
    check_full_slices();
    check_gaps();
    check_hierarchy();
    check_lifetimes();
    check_few_ticks();
    check_windows();
    check_large_request();
    check_no_states();
    check_state_types();
    for (uint64_t seed = 1; seed <= 600; seed++)
        check_random_trace(seed);
    return 0;
}
