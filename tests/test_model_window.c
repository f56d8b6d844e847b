/* Compares models of windows with cells counted tick by tick; neither threads nor changes of the
 * file meanwhile may change a bit. */
#include "temporary.h"

#include "base/matrix.h"
#include "store/trace/trace.h"

#include <omp.h>

enum { LEAVES = 3, VALUES = 3, TICKS = 300, DEPTH = 5, MOST_SLICES = 40 };

static const char *const names[VALUES + 1] = {"compute", "send", "wait", "(no state)"};

/* What every tick of a trace holds. */
typedef struct ticks {
    int64_t begin;
    int born[LEAVES], died[LEAVES];
    int innermost[LEAVES][TICKS]; /* VALUES: none */
    int open[LEAVES][TICKS][VALUES];
} ticks;

typedef struct sample {
    ocelotl_writer *writer;
    uint32_t thread, state, values[VALUES];
} sample;

static sample begin_sample(const char *path)
{
    sample s = {0};
    s.writer = must_write(path, NULL);
    s.thread = must_kind(s.writer, OCELOTL_ROOT, "thread");
    s.state = must_type(s.writer, OCELOTL_STATE, s.thread, "doing");
    for (int v = 0; v < VALUES; v++)
        s.values[v] = must_value(s.writer, s.state, names[v]);
    return s;
}

static void end_sample(const sample *s)
{
    must_finish(s->writer);
}

static void live(const sample *s, ticks *t, int leaf, uint32_t resource, uint64_t *random)
{
    int open[DEPTH];
    uint32_t depth = 0;
    /* Every value has some time, so that every model has its type. */
    for (int tick = t->born[leaf]; tick < t->died[leaf]; tick++) {
        for (uint32_t more = check_below(random, 6); more > 3; more--) {
            if (depth < DEPTH && check_below(random, 2) == 0) {
                open[depth] = (int)check_below(random, VALUES);
                must_push(s->writer, resource, s->state, s->values[open[depth]], t->begin + tick);
                depth++;
            } else if (depth > 0) {
                const uint32_t outside = check_below(random, depth);
                must_pop(s->writer, resource, s->state, outside, t->begin + tick);
                depth--;
                memmove(&open[depth - outside], &open[depth - outside + 1], outside * sizeof *open);
            }
        }
        t->innermost[leaf][tick] = depth > 0 ? open[depth - 1] : VALUES;
        for (uint32_t i = 0; i < depth; i++)
            t->open[leaf][tick][open[i]]++;
    }
    must_end(s->writer, resource, t->begin + t->died[leaf]);
}

static ocelotl_trace *random_trace(ticks *t, uint64_t *random)
{
    ocelotl_trace *trace;
    const char *path = temporary_path("trace.db");
    sample s = begin_sample(path);
    memset(t, 0, sizeof *t);
    t->begin = (int64_t)check_below(random, 2000) - 1000;
    for (int leaf = 0; leaf < LEAVES; leaf++) {
        t->born[leaf] = leaf == 0 ? 0 : (int)check_below(random, TICKS / 2);
        t->died[leaf] = leaf == 0 ? TICKS : t->born[leaf] + 1 + (int)check_below(random, TICKS / 2);
        const uint32_t resource =
            must_resource(s.writer, s.thread, OCELOTL_ROOT, "leaf", t->begin + t->born[leaf]);
        must_state(s.writer, resource, s.state, s.values[0], t->begin + t->born[leaf],
                   t->begin + t->born[leaf]);
        live(&s, t, leaf, resource, random);
    }
    end_sample(&s);
    trace = must_open(path);
    return trace;
}

static double cell(const ocelotl_model *model, uint32_t leaf, const char *type, uint32_t slice)
{
    const oc_matrix *matrix = oc_model_matrix(model);
    for (size_t s = 0; s < matrix->series_count; s++) {
        const oc_series *series = &matrix->series[s];
        if (series->leaf != leaf ||
            strcmp(ocelotl_model_type_at(model, series->type).name, type) != 0)
            continue;
        for (size_t c = series->first; c < series[1].first; c++)
            if (matrix->cell_slice[c] == slice)
                return matrix->cell_value[c];
    }
    return 0;
}

/* In units of 1 / slices tick, from the window's beginning. */
static int64_t shared(int64_t tick, int64_t slice, int64_t slices, int64_t length)
{
    const int64_t from = tick * slices > slice * length ? tick * slices : slice * length;
    const int64_t to =
        (tick + 1) * slices < (slice + 1) * length ? (tick + 1) * slices : (slice + 1) * length;
    return to > from ? to - from : 0;
}

static void check_slice(const ocelotl_model *model, const ticks *t, int leaf, uint32_t slice,
                        int from, int to, const ocelotl_model_options *options)
{
    const ocelotl_node node = ocelotl_model_node_at(model, (uint32_t)leaf + 1);
    int64_t units[VALUES + 1] = {0};
    int64_t traced = 0;
    bool lived = false;
    for (int tick = from; tick < to; tick++) {
        const int64_t part = shared(tick - from, slice, options->slices, to - from);
        if (part == 0 || tick < t->born[leaf] || tick >= t->died[leaf])
            continue;
        lived = true;
        traced += t->innermost[leaf][tick] < VALUES ? part : 0;
        for (int v = 0; v < VALUES; v++)
            units[v] += options->cells.nesting == OCELOTL_INCLUSIVE
                            ? part * t->open[leaf][tick][v]
                            : part * (t->innermost[leaf][tick] == v);
    }
    if (lived && options->cells.untraced == OCELOTL_UNTRACED_TYPE)
        units[VALUES] = to - from - traced;
    for (int x = 0; x <= VALUES; x++)
        CHECK(cell(model, (uint32_t)leaf, names[x], slice) ==
              (double)units[x] / (double)(to - from));
    CHECK(lived == (slice >= node.begin && slice < node.end));
}

static ocelotl_selection window(int64_t from, int64_t to)
{
    return (ocelotl_selection){.from = from, .to = to};
}

static void check_window(ocelotl_trace *trace, const ticks *t, int from, int to, uint64_t *random)
{
    const int64_t begin = t->begin + from, end = t->begin + to;
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.selection = window(begin, end);
    options.hierarchy.bare = true;
    const int most = to - from < MOST_SLICES ? to - from : MOST_SLICES;
    options.slices = 1 + check_below(random, (uint32_t)most);
    options.cells.nesting = (ocelotl_nesting)check_below(random, 2);
    options.cells.untraced = (ocelotl_untraced)check_below(random, 2);
    OWN_MODEL *model = must_build(trace, &options);
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    CHECK(info.leaf_count == LEAVES && info.slice_count == options.slices);
    CHECK(info.begin == ocelotl_trace_seconds(trace, begin));
    CHECK(info.end == ocelotl_trace_seconds(trace, end));
    for (int leaf = 0; leaf < LEAVES; leaf++)
        for (uint32_t slice = 0; slice < options.slices; slice++)
            check_slice(model, t, leaf, slice, from, to, &options);
}

static void check_same(const ocelotl_model *one, const ocelotl_model *other)
{
    const oc_matrix *a = oc_model_matrix(one);
    const oc_matrix *b = oc_model_matrix(other);
    CHECK(a->series_count == b->series_count && a->cell_count == b->cell_count);
    for (size_t s = 0; s <= a->series_count; s++) {
        CHECK(a->series[s].leaf == b->series[s].leaf && a->series[s].type == b->series[s].type);
        CHECK(a->series[s].first == b->series[s].first);
    }
    CHECK(memcmp(a->cell_slice, b->cell_slice, a->cell_count * sizeof *a->cell_slice) == 0);
    CHECK(memcmp(a->cell_value, b->cell_value, a->cell_count * sizeof *a->cell_value) == 0);
}

static void check_random_trace(uint64_t seed)
{
    static ticks t;
    uint64_t random = seed * 0x9E3779B97F4A7C15u;
    OWN_TRACE *trace = random_trace(&t, &random);
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    for (int i = 0; i < 6; i++) {
        const int from = (int)check_below(&random, TICKS);
        check_window(trace, &t, from,
                     from + 1 + (int)check_below(&random, (uint32_t)(TICKS - from)), &random);
    }
    OWN_MODEL *whole = must_build(trace, NULL);
    options.selection = window(t.begin, t.begin + TICKS);
    OWN_MODEL *all = must_build(trace, &options);
    check_same(whole, all);
}

static void check_refusals(void)
{
    static ticks t;
    uint64_t random = 1;
    OWN_TRACE *trace = random_trace(&t, &random);
    ocelotl_model *model;
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.hierarchy.bare = true;
    const ocelotl_selection windows[] = {
        window(t.begin + 1, t.begin + 1), window(t.begin + 9, t.begin + 3),
        window(t.begin - 1, t.begin + 9), window(t.begin, t.begin + TICKS + 1),
        window(INT64_MIN + 1, INT64_MAX)};
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
        options.selection = windows[i];
        CHECK_REFUSED(ocelotl_model_from_trace(&model, trace, &options),
                      "expected one that lasts, within");
    }
    options.selection = window(t.begin, t.begin + 7);
    options.slices = 8;
    CHECK_REFUSED(ocelotl_model_from_trace(&model, trace, &options), "8 slices of 7 ticks");
}

/* Enough chunks that several threads build the model. */
static void write_long(const char *path, uint64_t seed)
{
    enum { LONG_LEAVES = 16, STATES = 40000 };
    uint32_t resources[LONG_LEAVES];
    uint64_t random = seed;
    sample s = begin_sample(path);
    for (int leaf = 0; leaf < LONG_LEAVES; leaf++)
        resources[leaf] = must_resource(s.writer, s.thread, OCELOTL_ROOT, "leaf", 0);
    for (int leaf = 0; leaf < LONG_LEAVES; leaf++) {
        int64_t time = 0;
        for (int i = 0; i < STATES; i++) {
            const uint32_t value = s.values[check_below(&random, VALUES)];
            must_push(s.writer, resources[leaf], s.state, value, time);
            time += 1 + check_below(&random, 300);
            must_pop(s.writer, resources[leaf], s.state, 0, time);
        }
    }
    end_sample(&s);
}

static ocelotl_model *build_with(int threads, ocelotl_trace *trace)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.hierarchy.bare = true;
    options.slices = 250;
    omp_set_num_threads(threads);
    return must_build(trace, &options);
}

static void execute(const char *path, const char *sql)
{
    sqlite3 *database;
    CHECK(sqlite3_open(path, &database) == SQLITE_OK);
    CHECK(sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(database);
}

/* Threads open the file once more: what they find there may be another trace, or nothing. */
static void check_threads(void)
{
    const char *path = temporary_path("long.db");
    ocelotl_model *refused = NULL;
    write_long(path, 5);
    ocelotl_trace *trace = must_open(path);
    ocelotl_model *one = build_with(1, trace);
    for (int threads = 2; threads < 5; threads++) {
        ocelotl_model *several = build_with(threads, trace);
        check_same(one, several);
        ocelotl_model_free(several);
    }
    write_long(path, 6);
    ocelotl_model *replaced = build_with(3, trace);
    check_same(one, replaced);
    ocelotl_model_free(replaced);
    CHECK(unlink(path) == 0);
    ocelotl_model *removed = build_with(3, trace);
    check_same(one, removed);
    ocelotl_model_free(removed);
    ocelotl_model_free(one);
    ocelotl_trace_free(trace);

    write_long(path, 5);
    execute(path, "DELETE FROM chunk WHERE stream = 9 AND number = 30");
    trace = must_open(path);
    for (int threads = 1; threads < 4; threads++) {
        omp_set_num_threads(threads);
        CHECK_FAILS(ocelotl_model_from_trace(&refused, trace, NULL), OCELOTL_ERROR_INPUT,
                    "long.db: is damaged");
    }
    ocelotl_trace_free(trace);
}

int main(void)
{
    temporary_begin();
    check_refusals();
    for (uint64_t seed = 1; seed <= 300; seed++)
        check_random_trace(seed);
    check_threads();
    return 0;
}
