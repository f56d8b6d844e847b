/* Totals in any window, through running totals, are what a scan of all events gives, to the tick: states nested,
 * crossing, of no length, touching the window's bounds, open across many chunks; variables; links at both ends; chunks
 * stored in any order. The scan knows intervals and numbers only, nothing of stacks, chunks or folds. */
#include "temporary.h"

#include "store/state_totals.h"

enum { VALUES = 5, GROUPS = 2, MOST = 60000, MOST_OPEN = 12, MOST_FLYING = 64 };

/* What a value is summed in: groups of several, one alone, and none. */
static const uint32_t group_of[VALUES] = {0, 1, 0, OCELOTL_NONE, 0};

typedef struct interval {
    int64_t begin, end;
    uint32_t value;
} interval;

typedef struct step {
    int64_t time;
    double number;
} step;

typedef struct world {
    uint64_t random;
    ocelotl_writer *writer;
    uint32_t resources[2], state, variable, link;
    uint32_t values[VALUES];
    int64_t time;
    interval *states; /* in the order of their beginnings */
    size_t state_count;
    size_t open[MOST_OPEN];
    uint32_t open_count;
    step *steps;
    size_t step_count;
    interval *links; /* from resource 0 to resource 1 */
    size_t link_count;
    struct {
        uint64_t link;
        size_t place;
    } flying[MOST_FLYING];
    size_t flying_count;
    interval *spans; /* in which one state is the innermost */
    size_t span_count;
} world;

static void declare(world *w)
{
    uint32_t type;
    CHECK_OK(ocelotl_writer_resource_type(&type, w->writer, OCELOTL_ROOT, "thread"));
    for (int r = 0; r < 2; r++)
        CHECK_OK(ocelotl_writer_resource(&w->resources[r], w->writer, type, OCELOTL_ROOT, "r", 0));
    CHECK_OK(ocelotl_writer_event_type(&w->state, w->writer, OCELOTL_STATE, type, "state", -1));
    CHECK_OK(ocelotl_writer_event_type(&w->variable, w->writer, OCELOTL_VARIABLE, type, "variable", -1));
    CHECK_OK(ocelotl_writer_event_type(&w->link, w->writer, OCELOTL_LINK, type, "link", -1));
    for (int v = 0; v < VALUES; v++)
        CHECK_OK(ocelotl_writer_value(&w->values[v], w->writer, w->state, "value", -1));
}

static void begin_state(world *w)
{
    const uint32_t value = check_below(&w->random, VALUES);
    CHECK_OK(ocelotl_writer_push(w->writer, w->resources[0], w->state, w->values[value], w->time, NULL, 0));
    w->open[w->open_count++] = w->state_count;
    w->states[w->state_count++] = (interval){w->time, -1, value};
}

static void end_state(world *w, uint32_t outside)
{
    const uint32_t place = w->open_count - 1 - outside;
    CHECK_OK(ocelotl_writer_pop(w->writer, w->resources[0], w->state, outside, w->time));
    w->states[w->open[place]].end = w->time;
    memmove(&w->open[place], &w->open[place + 1], outside * sizeof *w->open);
    w->open_count--;
}

/* `outermost` states at the bottom stay open; with `crossing` any other may end before those begun later. */
static void change_state(world *w, uint32_t outermost, bool crossing)
{
    const uint32_t above = w->open_count - outermost;
    if (w->open_count < MOST_OPEN && (above == 0 || check_below(&w->random, 2) == 0)) {
        begin_state(w);
        return;
    }
    end_state(w, crossing ? check_below(&w->random, above) : 0);
    if (check_below(&w->random, 2) == 0)
        begin_state(w); /* one state follows another */
}

static void change_variable(world *w)
{
    const double number = (double)check_below(&w->random, 2001) - 1000;
    CHECK_OK(ocelotl_writer_variable(w->writer, w->resources[1], w->variable, w->time, number, NULL, 0));
    w->steps[w->step_count++] = (step){w->time, number};
}

static void begin_link(world *w)
{
    uint64_t *link = &w->flying[w->flying_count].link;
    CHECK_OK(ocelotl_writer_link_begin(link, w->writer, w->resources[0], w->link, OCELOTL_NONE, w->time, NULL, 0));
    w->flying[w->flying_count++].place = w->link_count;
    w->links[w->link_count++] = (interval){w->time, -1, 0};
}

static void end_link(world *w)
{
    const size_t which = check_below(&w->random, (uint32_t)w->flying_count);
    CHECK_OK(ocelotl_writer_link_end(w->writer, w->flying[which].link, w->resources[1], w->time, NULL, 0));
    w->links[w->flying[which].place].end = w->time;
    w->flying[which] = w->flying[--w->flying_count];
}

static void change_link(world *w)
{
    if (w->flying_count < MOST_FLYING && check_below(&w->random, 2) == 0)
        begin_link(w);
    else if (w->flying_count > 0)
        end_link(w);
}

static void refine(world *w, int64_t factor)
{
    CHECK_OK(ocelotl_writer_refine(w->writer, (uint64_t)factor));
    for (size_t i = 0; i < w->state_count; i++) {
        w->states[i].begin *= factor;
        w->states[i].end *= w->states[i].end < 0 ? 1 : factor;
    }
    for (size_t i = 0; i < w->step_count; i++)
        w->steps[i].time *= factor;
    for (size_t i = 0; i < w->link_count; i++) {
        w->links[i].begin *= factor;
        w->links[i].end *= w->links[i].end < 0 ? 1 : factor;
    }
    w->time *= factor;
}

static void happen(world *w, uint32_t steps, bool crossing)
{
    static const uint32_t waits[] = {0, 0, 0, 1, 1, 2, 63, 64, 200, 20000};
    const uint32_t outermost = check_below(&w->random, 4);
    while (w->open_count < outermost)
        begin_state(w);
    for (uint32_t i = 0; i < steps; i++) {
        w->time += waits[check_below(&w->random, 10)];
        const uint32_t what = check_below(&w->random, 10);
        if (what < 8)
            change_state(w, outermost, crossing);
        else if (what < 9)
            change_variable(w);
        else
            change_link(w);
        if (i == steps / 3 || i == steps / 2)
            refine(w, 1 + (int64_t)check_below(&w->random, 5));
    }
    while (w->open_count > 0)
        end_state(w, check_below(&w->random, w->open_count));
    while (w->flying_count > 0)
        end_link(w);
}

/* Puts the rows of the chunks in another order: numbers say which is which. */
static void shuffle_chunks(const char *path)
{
    sqlite3 *database;
    char *message = NULL;
    CHECK(sqlite3_open(path, &database) == SQLITE_OK);
    sqlite3_exec(database,
                 "BEGIN; CREATE TEMP TABLE kept AS SELECT * FROM chunk; DELETE FROM chunk;"
                 "INSERT INTO chunk SELECT * FROM kept ORDER BY (rowid * 7919) % 10007; COMMIT;",
                 NULL, NULL, &message);
    CHECK(message == NULL);
    sqlite3_close(database);
}

static int compare_times(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left;
    const int64_t b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* Cuts time where anything begins or ends; in each piece the innermost state is the one begun last of those that cover
 * it. */
static void find_spans(world *w)
{
    const size_t count = 2 * w->state_count;
    int64_t *times = malloc((count + 1) * sizeof *times);
    size_t *covering = malloc((w->state_count + 1) * sizeof *covering);
    size_t covering_count = 0;
    size_t next = 0;
    CHECK(times != NULL && covering != NULL);
    for (size_t i = 0; i < w->state_count; i++) {
        times[2 * i] = w->states[i].begin;
        times[2 * i + 1] = w->states[i].end;
    }
    qsort(times, count, sizeof *times, compare_times);
    w->span_count = 0;
    for (size_t t = 0; t + 1 < count; t++) {
        if (times[t] == times[t + 1])
            continue;
        while (next < w->state_count && w->states[next].begin <= times[t])
            covering[covering_count++] = next++;
        size_t kept = 0;
        for (size_t i = 0; i < covering_count; i++)
            if (w->states[covering[i]].end > times[t])
                covering[kept++] = covering[i];
        covering_count = kept;
        if (kept > 0)
            w->spans[w->span_count++] = (interval){times[t], times[t + 1], w->states[covering[kept - 1]].value};
    }
    free(times);
    free(covering);
}

static int64_t overlap(const interval *one, int64_t begin, int64_t end)
{
    const int64_t from = one->begin > begin ? one->begin : begin;
    const int64_t to = one->end < end ? one->end : end;
    return to > from ? to - from : 0;
}

typedef struct sums {
    int64_t innermost[VALUES], inclusive[VALUES], traced;
    uint64_t begun[VALUES];
    double integral;
    uint64_t departed, arrived;
    int64_t flight, durations;
} sums;

static sums scan(const world *w, int64_t begin, int64_t end)
{
    sums s = {.traced = 0};
    for (size_t i = 0; i < w->state_count; i++) {
        s.inclusive[w->states[i].value] += overlap(&w->states[i], begin, end);
        s.begun[w->states[i].value] += w->states[i].begin >= begin && w->states[i].begin < end;
    }
    for (size_t i = 0; i < w->span_count; i++) {
        s.innermost[w->spans[i].value] += overlap(&w->spans[i], begin, end);
        s.traced += overlap(&w->spans[i], begin, end);
    }
    for (size_t i = 0; i < w->step_count; i++) {
        const int64_t until = i + 1 < w->step_count ? w->steps[i + 1].time : w->time;
        s.integral += w->steps[i].number * (double)overlap(&(interval){w->steps[i].time, until, 0}, begin, end);
    }
    for (size_t i = 0; i < w->link_count; i++) {
        const interval *link = &w->links[i];
        s.flight += overlap(link, begin, end);
        s.departed += link->begin >= begin && link->begin < end;
        s.arrived += link->end >= begin && link->end < end;
        s.durations += link->end >= begin && link->end < end ? link->end - link->begin : 0;
    }
    return s;
}

static uint32_t find_stream(const ocelotl_trace *trace, uint32_t event_type, oc_role role)
{
    for (uint32_t s = 0; s < trace->stream_count; s++)
        if (trace->streams[s].event_type == event_type && trace->streams[s].role == role)
            return s;
    return OCELOTL_NONE;
}

/* A window's totals are those at its end without those at its beginning. */
static void add_fold(sums *s, const oc_fold *fold, int sign)
{
    for (size_t i = 0; i < fold->total_count; i++) {
        const oc_total *total = &fold->totals[i];
        const int64_t inclusive = sign * oc_fold_inclusive(fold, i);
        if (fold->role == OC_ROLE_STATES) {
            s->innermost[total->value] += sign * total->innermost;
            s->inclusive[total->value] += inclusive;
            s->begun[total->value] += (uint64_t)sign * total->count;
            s->traced += sign * total->innermost;
        } else if (fold->role == OC_ROLE_VARIABLE) {
            s->integral += sign * total->integral;
        } else if (fold->role == OC_ROLE_LINKS_OUT) {
            s->departed += (uint64_t)sign * total->count;
            s->flight += inclusive;
        } else {
            s->arrived += (uint64_t)sign * total->count;
            s->durations += inclusive;
        }
    }
}

static void check_cursors(const world *w, ocelotl_trace *trace, int64_t begin, int64_t end, const sums *wanted)
{
    sums found = {.traced = 0};
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        oc_cursor *cursor;
        CHECK_OK(oc_cursor_open(&cursor, trace, s));
        CHECK_OK(oc_cursor_seek(cursor, begin, false));
        add_fold(&found, oc_cursor_fold(cursor), -1);
        CHECK_OK(oc_cursor_seek(cursor, end, false));
        add_fold(&found, oc_cursor_fold(cursor), 1);
        oc_cursor_free(cursor);
    }
    for (int v = 0; v < VALUES; v++) {
        CHECK(w->values[v] == (uint32_t)v);
        CHECK(found.innermost[v] == wanted->innermost[v]);
        CHECK(found.inclusive[v] == wanted->inclusive[v]);
        CHECK(found.begun[v] == wanted->begun[v]);
    }
    CHECK(found.traced == wanted->traced);
    CHECK(found.integral == wanted->integral);
    CHECK(found.departed == wanted->departed && found.flight == wanted->flight);
    CHECK(found.arrived == wanted->arrived && found.durations == wanted->durations);
}

/* The last one is for values in no group. */
static void note_groups(int64_t ticks[GROUPS + 1], const oc_totals_reader *reader, int sign)
{
    for (size_t i = 0; i < oc_totals_count(reader); i++) {
        const oc_group_total *total = &oc_totals_groups(reader)[i];
        CHECK(total->group == OCELOTL_NONE || total->group < GROUPS);
        ticks[total->group == OCELOTL_NONE ? GROUPS : total->group] += sign * total->ticks;
    }
}

static bool is_open(const world *w, int64_t time, bool through)
{
    for (size_t i = 0; i < w->span_count; i++)
        if (through ? w->spans[i].begin <= time && time < w->spans[i].end
                    : w->spans[i].begin < time && time <= w->spans[i].end)
            return true;
    return false;
}

/* Between the two instants any number of others may be asked for, at all of which the same must come out. */
static void check_reader(world *w, oc_totals_reader *reader, uint32_t stream, bool inclusive, int64_t begin,
                         int64_t end, const sums *wanted)
{
    int64_t ticks[GROUPS + 1] = {0};
    int64_t expected[GROUPS + 1] = {0};
    const uint32_t instants = check_below(&w->random, 2) == 0 ? 0 : 100;
    const bool through = check_below(&w->random, 2) == 0;
    for (int v = 0; v < VALUES; v++)
        expected[group_of[v] == OCELOTL_NONE ? GROUPS : group_of[v]] +=
            inclusive ? wanted->inclusive[v] : wanted->innermost[v];
    CHECK_OK(oc_totals_begin(reader, stream, instants));
    CHECK_OK(oc_totals_move(reader, begin, through));
    note_groups(ticks, reader, -1);
    const int64_t traced = oc_totals_traced(reader);
    for (int64_t more = check_below(&w->random, 3); more > 0; more--)
        CHECK_OK(oc_totals_move(reader, end - (end - begin) / 3 * more, through));
    CHECK_OK(oc_totals_move(reader, end, through));
    note_groups(ticks, reader, 1);
    CHECK(memcmp(ticks, expected, sizeof ticks) == 0);
    CHECK(oc_totals_traced(reader) - traced == wanted->traced);
    CHECK(oc_totals_is_traced(reader) == is_open(w, end, through));
}

/* Bounds are often where something begins or ends, or next to it. */
static int64_t draw_bound(world *w)
{
    const interval *one = &w->states[check_below(&w->random, (uint32_t)w->state_count)];
    switch (check_below(&w->random, 4)) {
    case 0:
        return one->begin;
    case 1:
        return one->end;
    case 2:
        return one->end - 1 + check_below(&w->random, 3);
    default:
        return (int64_t)(check_random(&w->random) % (uint64_t)(w->time + 20)) - 10;
    }
}

static void check_windows(world *w, ocelotl_trace *trace, uint32_t windows, bool cursors)
{
    oc_totals_reader *readers[2];
    uint32_t groups[VALUES];
    const uint32_t stream = find_stream(trace, w->state, OC_ROLE_STATES);
    for (int v = 0; v < VALUES; v++)
        groups[w->values[v]] = group_of[v];
    for (int i = 0; i < 2; i++)
        CHECK_OK(oc_totals_open(&readers[i], trace, &(oc_state_groups){groups, GROUPS, i == 1}, i == 1));
    for (uint32_t i = 0; i < windows; i++) {
        const int64_t a = draw_bound(w);
        const int64_t b = draw_bound(w);
        const int64_t begin = a < b ? a : b;
        const int64_t end = a < b ? b : a;
        const sums wanted = scan(w, begin, end);
        for (int inclusive = 0; inclusive < 2; inclusive++)
            check_reader(w, readers[inclusive], stream, inclusive == 1, begin, end, &wanted);
        if (cursors)
            check_cursors(w, trace, begin, end, &wanted);
    }
    for (int i = 0; i < 2; i++)
        oc_totals_free(readers[i]);
}

static void check_world(uint64_t seed, uint32_t steps, uint32_t windows)
{
    static world w;
    ocelotl_trace *trace;
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    w = (world){.random = seed * 0x9E3779B97F4A7C15u + 1};
    w.states = malloc(2 * (steps + MOST_OPEN) * sizeof *w.states);
    w.spans = malloc(4 * (steps + MOST_OPEN) * sizeof *w.spans);
    w.links = malloc((steps + 1) * sizeof *w.links);
    w.steps = malloc((steps + 1) * sizeof *w.steps);
    CHECK(w.states != NULL && w.spans != NULL && w.links != NULL && w.steps != NULL);
    options.overwrite = true;
    CHECK_OK(ocelotl_writer_open(&w.writer, temporary_path("trace.db"), &options));
    declare(&w);
    happen(&w, steps, seed % 3 != 0);
    for (int r = 0; r < 2; r++)
        CHECK_OK(ocelotl_writer_resource_end(w.writer, w.resources[r], w.time));
    CHECK_OK(ocelotl_writer_finish(w.writer));
    ocelotl_writer_free(w.writer);
    find_spans(&w);
    if (seed % 2 == 0)
        shuffle_chunks(temporary_path("trace.db"));
    CHECK_OK(ocelotl_trace_open(&trace, temporary_path("trace.db")));
    check_windows(&w, trace, windows, true);
    ocelotl_trace_free(trace);
    free(w.states);
    free(w.spans);
    free(w.links);
    free(w.steps);
}

int main(void)
{
    temporary_begin();
    for (uint64_t seed = 1; seed <= 100; seed++)
        check_world(seed, 2 + (uint32_t)seed * (uint32_t)seed / 10, 10);
    for (uint64_t seed = 101; seed <= 104; seed++)
        check_world(seed, MOST, 40);
    return 0;
}
