/* Totals in any window, through running totals, are what a scan of all events gives, to the tick:
 * states nested, crossing, in lanes, deep, of no length, touching the window's bounds, open across
 * many chunks and at the end; variables; links at both ends, whole, reversed, without a beginning,
 * outliving their source; their attributes; chunks stored in any order. The scan knows intervals
 * and numbers only, nothing of stacks, chunks or folds.
 *
 * OCELOTL_TEST_ROUNDS=5000 makes it try more than it does in every run. */
#include "temporary.h"

#include "test_store_fold.h"

#include "store/read/reader.h"
#include "store/read/totals.h"

enum {
    VALUES = 5,
    LINK_VALUES = 2,
    GROUPS = 2,
    TRACKS = 2,
    MOST = 60000,
    MOST_OPEN = 400,
    MOST_FLYING = 64
};

/* What a value is summed in: groups of several, one alone, and none. */
static const uint32_t group_of[VALUES] = {0, 1, 0, OCELOTL_NONE, 0};

/* How states end: the innermost first; any before those begun later; the one begun first, as tasks
 * that overtake nothing do; any of hundreds that are open. */
typedef enum style { NESTED, CROSSING, QUEUE, DEEP, STYLES } style;

static const uint32_t most_open[STYLES] = {12, 12, 40, 300};

typedef struct interval {
    int64_t begin, end;
    uint32_t value;
} interval;

typedef struct step {
    int64_t time;
    double number;
} step;

/* A link from resource 0 to resource 1, noted there at `arrival`. */
typedef struct flight {
    int64_t begin, end, arrival;
    uint32_t value;
    double size;
    bool has_source;
} flight;

/* The states of one resource. */
typedef struct track {
    uint32_t resource;
    style style;
    uint32_t outermost; /* how many states at the bottom stay open */
    interval *states;   /* in the order of their beginnings */
    size_t state_count, open[MOST_OPEN];
    uint32_t open_count;
    interval *spans; /* in which one state is the innermost */
    size_t span_count;
    int64_t end; /* of the resource */
} track;

typedef struct world {
    uint64_t random;
    ocelotl_writer *writer;
    uint32_t event, state, variable, link, size, values[VALUES], link_values[LINK_VALUES];
    int64_t begin, time;
    track tracks[TRACKS];
    step *steps; /* of resource 1 */
    size_t step_count;
    int64_t *instants; /* of resource 1 */
    size_t instant_count;
    flight *links;
    size_t link_count;
    struct {
        uint64_t link;
        size_t place;
    } flying[MOST_FLYING];
    size_t flying_count;
    int64_t *bounds; /* of chunks */
    size_t bound_count;
} world;

static void declare(world *w)
{
    const uint32_t type = must_kind(w->writer, OCELOTL_ROOT, "thread");
    for (int r = 0; r < TRACKS; r++)
        w->tracks[r].resource = must_resource(w->writer, type, OCELOTL_ROOT, "r", w->begin);
    w->state = must_type(w->writer, OCELOTL_STATE, type, "state");
    w->variable = must_type(w->writer, OCELOTL_VARIABLE, type, "variable");
    w->link = must_type(w->writer, OCELOTL_LINK, type, "link");
    w->event = must_type(w->writer, OCELOTL_EVENT, type, "event");
    w->size = must_attribute(w->writer, w->link, "size");
    for (int v = 0; v < VALUES; v++)
        w->values[v] = must_value(w->writer, w->state, "value");
    for (int v = 0; v < LINK_VALUES; v++)
        w->link_values[v] = must_value(w->writer, w->link, "value");
}

static void begin_state(world *w, track *t)
{
    const uint32_t value = check_below(&w->random, VALUES);
    must_push(w->writer, t->resource, w->state, w->values[value], w->time);
    t->open[t->open_count++] = t->state_count;
    t->states[t->state_count++] = (interval){w->time, INT64_MIN, value};
}

static void end_state(world *w, track *t, uint32_t outside)
{
    const uint32_t place = t->open_count - 1 - outside;
    must_pop(w->writer, t->resource, w->state, outside, w->time);
    t->states[t->open[place]].end = w->time;
    memmove(&t->open[place], &t->open[place + 1], outside * sizeof *t->open);
    t->open_count--;
}

static uint32_t choose_ended(world *w, const track *t, uint32_t above)
{
    if (t->style == NESTED)
        return 0;
    return t->style == QUEUE ? above - 1 : check_below(&w->random, above);
}

static void change_state(world *w, track *t)
{
    const uint32_t above = t->open_count - t->outermost;
    const bool grows = t->style == DEEP || t->style == QUEUE ? check_below(&w->random, 8) < 5
                                                             : check_below(&w->random, 2) == 0;
    if (t->open_count < most_open[t->style] && (above == 0 || grows)) {
        begin_state(w, t);
        return;
    }
    end_state(w, t, choose_ended(w, t, above));
    if (check_below(&w->random, 2) == 0)
        begin_state(w, t); /* one state follows another */
}

static void change_variable(world *w)
{
    const double number = (double)check_below(&w->random, 2001) - 1000;
    must_step(w->writer, w->tracks[1].resource, w->variable, w->time, number);
    w->steps[w->step_count++] = (step){w->time, number};
}

static void add_instant(world *w)
{
    must_event(w->writer, w->tracks[1].resource, w->event, OCELOTL_NONE, w->time);
    w->instants[w->instant_count++] = w->time;
}

static void begin_link(world *w)
{
    char text[16];
    uint64_t *link = &w->flying[w->flying_count].link;
    const uint32_t size = check_below(&w->random, 100000);
    const uint32_t value = check_below(&w->random, LINK_VALUES);
    const ocelotl_attribute_value attribute = {w->size, text,
                                               (size_t)snprintf(text, sizeof text, "%u", size)};
    CHECK_OK(ocelotl_writer_link_begin(link, w->writer, w->tracks[0].resource, w->link,
                                       w->link_values[value], w->time, &attribute, 1));
    w->flying[w->flying_count++].place = w->link_count;
    w->links[w->link_count++] = (flight){w->time, INT64_MIN, INT64_MIN, value, size, true};
}

static void end_link(world *w, size_t which, int64_t end)
{
    flight *link = &w->links[w->flying[which].place];
    CHECK_OK(ocelotl_writer_link_end(w->writer, w->flying[which].link, w->tracks[1].resource, end,
                                     NULL, 0));
    link->end = end;
    /* a reversed one stands at its beginning */
    link->arrival = end > link->begin ? end : link->begin;
    w->flying[which] = w->flying[--w->flying_count];
}

/* Its beginning is not in the trace. */
static void end_unknown_link(world *w)
{
    const uint32_t value = check_below(&w->random, LINK_VALUES);
    CHECK_OK(ocelotl_writer_link_orphan(w->writer, w->tracks[1].resource, w->link,
                                        w->link_values[value], w->time, NULL, 0));
    w->links[w->link_count++] = (flight){w->time, w->time, w->time, value, 0, false};
}

static void change_link(world *w)
{
    const uint32_t what = check_below(&w->random, 16);
    if (what == 0) {
        end_unknown_link(w);
    } else if (what == 1 && w->flying_count < MOST_FLYING) {
        begin_link(w);
        end_link(w, w->flying_count - 1, w->time - check_below(&w->random, 30));
    } else if (what < 9 && w->flying_count < MOST_FLYING) {
        begin_link(w);
    } else if (w->flying_count > 0) {
        end_link(w, check_below(&w->random, (uint32_t)w->flying_count), w->time);
    }
}

static int64_t finer(int64_t time, int64_t factor)
{
    return time == INT64_MIN ? time : time * factor;
}

static void refine(world *w, int64_t factor)
{
    CHECK_OK(ocelotl_writer_refine(w->writer, (uint64_t)factor));
    for (int r = 0; r < TRACKS; r++)
        for (size_t i = 0; i < w->tracks[r].state_count; i++) {
            w->tracks[r].states[i].begin *= factor;
            w->tracks[r].states[i].end = finer(w->tracks[r].states[i].end, factor);
        }
    for (size_t i = 0; i < w->step_count; i++)
        w->steps[i].time *= factor;
    for (size_t i = 0; i < w->instant_count; i++)
        w->instants[i] *= factor;
    for (size_t i = 0; i < w->link_count; i++) {
        w->links[i].begin *= factor;
        w->links[i].end = finer(w->links[i].end, factor);
        w->links[i].arrival = finer(w->links[i].arrival, factor);
    }
    w->begin *= factor;
    w->time *= factor;
}

/* States that are open end with their resource. */
static void end_resource(world *w, track *t, bool closes)
{
    while (closes && t->open_count > 0)
        end_state(w, t, check_below(&w->random, t->open_count));
    while (t->open_count > 0)
        t->states[t->open[--t->open_count]].end = w->time;
    t->end = w->time;
    must_end(w->writer, t->resource, w->time);
}

static void happen(world *w, uint32_t steps)
{
    static const uint32_t waits[] = {0, 0, 0, 1, 1, 2, 63, 64, 200, 20000};
    for (int r = 0; r < TRACKS; r++)
        while (w->tracks[r].open_count < w->tracks[r].outermost)
            begin_state(w, &w->tracks[r]);
    for (uint32_t i = 0; i < steps; i++) {
        w->time += waits[check_below(&w->random, 10)];
        const uint32_t what = check_below(&w->random, 20);
        if (what < 15)
            change_state(w, &w->tracks[what % 3 == 0]);
        else if (what < 17)
            change_variable(w);
        else if (what < 18)
            add_instant(w);
        else
            change_link(w);
        if (i == steps / 3 || i == steps / 2)
            refine(w, 1 + (int64_t)check_below(&w->random, 5));
    }
    end_resource(w, &w->tracks[0], check_below(&w->random, 2) == 0);
    /* Links may outlive their source. */
    while (w->flying_count > 0) {
        w->time += check_below(&w->random, 50);
        end_link(w, check_below(&w->random, (uint32_t)w->flying_count), w->time);
    }
    end_resource(w, &w->tracks[1], check_below(&w->random, 2) == 0);
}

/* Chunks begin and end where a window may, too. */
static void read_bounds(world *w, const char *path)
{
    sqlite3 *database;
    sqlite3_stmt *row;
    w->bound_count = 0;
    CHECK(sqlite3_open(path, &database) == SQLITE_OK);
    CHECK(sqlite3_prepare_v2(database, "SELECT begin, end FROM chunk LIMIT 4000", -1, &row, NULL) ==
          SQLITE_OK);
    while (sqlite3_step(row) == SQLITE_ROW)
        for (int column = 0; column < 2; column++)
            w->bounds[w->bound_count++] = sqlite3_column_int64(row, column);
    sqlite3_finalize(row);
    sqlite3_close(database);
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

/* Cuts time where anything begins or ends; in each piece the innermost state is the one begun last
 * of those that cover it. */
static void find_spans(track *t)
{
    const size_t count = 2 * t->state_count;
    int64_t *times = malloc((count + 1) * sizeof *times);
    size_t *covering = malloc((t->state_count + 1) * sizeof *covering);
    size_t covering_count = 0, next = 0;
    CHECK(times != NULL && covering != NULL);
    for (size_t i = 0; i < t->state_count; i++) {
        times[2 * i] = t->states[i].begin;
        times[2 * i + 1] = t->states[i].end;
    }
    qsort(times, count, sizeof *times, compare_times);
    t->span_count = 0;
    for (size_t c = 0; c + 1 < count; c++) {
        if (times[c] == times[c + 1])
            continue;
        while (next < t->state_count && t->states[next].begin <= times[c])
            covering[covering_count++] = next++;
        size_t kept = 0;
        for (size_t i = 0; i < covering_count; i++)
            if (t->states[covering[i]].end > times[c])
                covering[kept++] = covering[i];
        covering_count = kept;
        if (kept > 0)
            t->spans[t->span_count++] =
                (interval){times[c], times[c + 1], t->states[covering[kept - 1]].value};
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
    uint64_t changes, instants, departed[LINK_VALUES], arrived[LINK_VALUES];
    int64_t flight, durations;
    double sent, received;
} sums;

/* A window from one instant to another: what happens at an instant is behind it, or with `through`
 * before it. */
typedef struct window {
    int64_t begin, end;
    bool through;
} window;

static bool is_within(const window *in, int64_t time)
{
    return in->through ? time > in->begin && time <= in->end : time >= in->begin && time < in->end;
}

static void scan_states(sums *s, const track *t, const window *in)
{
    for (size_t i = 0; i < t->state_count; i++) {
        s->inclusive[t->states[i].value] += overlap(&t->states[i], in->begin, in->end);
        s->begun[t->states[i].value] += is_within(in, t->states[i].begin);
    }
    for (size_t i = 0; i < t->span_count; i++) {
        s->innermost[t->spans[i].value] += overlap(&t->spans[i], in->begin, in->end);
        s->traced += overlap(&t->spans[i], in->begin, in->end);
    }
}

static void scan_links(sums *s, const world *w, const window *in)
{
    const int64_t last = w->tracks[0].end;
    for (size_t i = 0; i < w->link_count; i++) {
        const flight *link = &w->links[i];
        const int64_t duration = link->end > link->begin ? link->end - link->begin : 0;
        s->arrived[link->value] += is_within(in, link->arrival);
        s->durations += is_within(in, link->arrival) ? duration : 0;
        s->received += is_within(in, link->arrival) ? link->size : 0;
        if (!link->has_source)
            continue;
        s->departed[link->value] += is_within(in, link->begin);
        s->sent += is_within(in, link->begin) ? link->size : 0;
        /* What is in flight after its source is summed where that ends. */
        s->flight += overlap(&(interval){link->begin, link->end < last ? link->end : last, 0},
                             in->begin, in->end);
        if (link->end > last && is_within(in, last))
            s->flight += link->end - last;
    }
}

static sums scan(const world *w, const window *in)
{
    sums s = {.traced = 0};
    for (int r = 0; r < TRACKS; r++)
        scan_states(&s, &w->tracks[r], in);
    for (size_t i = 0; i < w->step_count; i++) {
        const int64_t until = i + 1 < w->step_count ? w->steps[i + 1].time : w->tracks[1].end;
        s.integral += w->steps[i].number *
                      (double)overlap(&(interval){w->steps[i].time, until, 0}, in->begin, in->end);
        s.changes += is_within(in, w->steps[i].time);
    }
    for (size_t i = 0; i < w->instant_count; i++)
        s.instants += is_within(in, w->instants[i]);
    scan_links(&s, w, in);
    return s;
}

static uint32_t find_stream(const ocelotl_trace *trace, uint32_t resource, uint32_t event_type,
                            oc_role role)
{
    for (uint32_t s = 0; s < trace->stream_count; s++)
        if (trace->streams[s].resource == resource && trace->streams[s].event_type == event_type &&
            trace->streams[s].role == role)
            return s;
    return OCELOTL_NONE;
}

/* A window's totals are those at its end without those at its beginning. */
static void add_total(sums *s, const world *w, const oc_fold *fold, size_t i, int sign)
{
    const oc_total *total = &fold->totals[i];
    const int64_t inclusive = sign * fold_inclusive(fold, i);
    const uint64_t count = (uint64_t)sign * total->count;
    switch (fold->role) {
    case OC_ROLE_STATES:
        s->innermost[total->value] += sign * total->innermost;
        s->inclusive[total->value] += inclusive;
        s->begun[total->value] += count;
        s->traced += sign * total->innermost;
        break;
    case OC_ROLE_VARIABLE:
        s->integral += sign * total->integral;
        s->changes += count;
        break;
    case OC_ROLE_LINKS_OUT:
        s->departed[total->value - w->link_values[0]] += count;
        s->flight += inclusive;
        break;
    case OC_ROLE_LINKS_IN:
        s->arrived[total->value - w->link_values[0]] += count;
        s->durations += inclusive;
        break;
    default:
        s->instants += count;
    }
}

static void add_fold(sums *s, const world *w, const oc_fold *fold, int sign)
{
    for (size_t i = 0; i < fold->total_count; i++)
        add_total(s, w, fold, i, sign);
    for (size_t i = 0; i < fold->sum_count; i++) {
        CHECK(fold->sums[i].attribute == w->size);
        if (fold->role == OC_ROLE_LINKS_OUT)
            s->sent += sign * fold->sums[i].sum;
        else
            s->received += sign * fold->sums[i].sum;
    }
}

static void check_cursors(const world *w, ocelotl_trace *trace, const window *in)
{
    const sums wanted = scan(w, in);
    sums found = {.traced = 0};
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        oc_cursor *cursor;
        CHECK_OK(oc_cursor_open(&cursor, &(oc_connection){trace, trace->database}, s, 1));
        CHECK_OK(oc_cursor_seek(cursor, in->begin, in->through));
        add_fold(&found, w, oc_cursor_fold(cursor), -1);
        CHECK_OK(oc_cursor_seek(cursor, in->end, in->through));
        add_fold(&found, w, oc_cursor_fold(cursor), 1);
        oc_cursor_free(cursor);
    }
    for (int v = 0; v < VALUES; v++) {
        CHECK(w->values[v] == (uint32_t)v);
        CHECK(found.innermost[v] == wanted.innermost[v]);
        CHECK(found.inclusive[v] == wanted.inclusive[v]);
        CHECK(found.begun[v] == wanted.begun[v]);
    }
    for (int v = 0; v < LINK_VALUES; v++)
        CHECK(found.departed[v] == wanted.departed[v] && found.arrived[v] == wanted.arrived[v]);
    CHECK(found.traced == wanted.traced);
    CHECK(found.integral == wanted.integral && found.changes == wanted.changes);
    CHECK(found.instants == wanted.instants);
    CHECK(found.flight == wanted.flight && found.durations == wanted.durations);
    CHECK(found.sent == wanted.sent && found.received == wanted.received);
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

static bool is_open(const track *t, int64_t time, bool through)
{
    for (size_t i = 0; i < t->span_count; i++)
        if (through ? t->spans[i].begin <= time && time < t->spans[i].end
                    : t->spans[i].begin < time && time <= t->spans[i].end)
            return true;
    return false;
}

/* Compares the reader's sums between two instants, with any number of stops between. */
static void check_reader(world *w, oc_totals_reader *reader, const track *t, uint32_t stream,
                         bool inclusive, const window *in)
{
    int64_t ticks[GROUPS + 1] = {0};
    int64_t expected[GROUPS + 1] = {0};
    sums wanted = {.traced = 0};
    const uint32_t instants = check_below(&w->random, 2) == 0 ? 0 : 100;
    scan_states(&wanted, t, in);
    for (int v = 0; v < VALUES; v++)
        expected[group_of[v] == OCELOTL_NONE ? GROUPS : group_of[v]] +=
            inclusive ? wanted.inclusive[v] : wanted.innermost[v];
    CHECK_OK(oc_totals_begin(reader, stream, instants));
    CHECK_OK(oc_totals_move(reader, in->begin, in->through));
    note_groups(ticks, reader, -1);
    const int64_t traced = oc_totals_traced(reader);
    for (int64_t more = check_below(&w->random, 3); more > 0; more--)
        CHECK_OK(oc_totals_move(reader, in->end - (in->end - in->begin) / 3 * more, in->through));
    CHECK_OK(oc_totals_move(reader, in->end, in->through));
    note_groups(ticks, reader, 1);
    CHECK(memcmp(ticks, expected, sizeof ticks) == 0);
    CHECK(oc_totals_traced(reader) - traced == wanted.traced);
    CHECK(oc_totals_is_traced(reader) == is_open(t, in->end, in->through));
}

/* Bounds are often where something begins or ends, or next to it; or where a chunk does. */
static int64_t draw_bound(world *w)
{
    const track *t = &w->tracks[check_below(&w->random, TRACKS)];
    const uint32_t kind = check_below(&w->random, 6);
    if (kind < 3 && t->state_count > 0) {
        const interval *one = &t->states[check_below(&w->random, (uint32_t)t->state_count)];
        return kind == 0 ? one->begin : one->end - 1 + (kind == 1) + check_below(&w->random, kind);
    }
    if (kind == 3)
        return w->bounds[check_below(&w->random, (uint32_t)w->bound_count)] - 1 +
               check_below(&w->random, 3);
    if (kind == 4 && w->link_count > 0)
        return w->links[check_below(&w->random, (uint32_t)w->link_count)].arrival;
    return w->begin + (int64_t)(check_random(&w->random) % (uint64_t)(w->time - w->begin + 20)) -
           10;
}

static void check_windows(world *w, ocelotl_trace *trace, uint32_t windows)
{
    oc_totals_reader *readers[2];
    uint32_t groups[VALUES + LINK_VALUES];
    for (int v = 0; v < VALUES + LINK_VALUES; v++)
        groups[v] = v < VALUES ? group_of[v] : OCELOTL_NONE;
    oc_connection connections[2] = {oc_connection_of(trace)};
    CHECK_OK(oc_connect(&connections[1], trace));
    for (int i = 0; i < 2; i++)
        CHECK_OK(oc_totals_open(&readers[i], &connections[i],
                                &(oc_state_groups){groups, GROUPS, i == 1}));
    for (uint32_t i = 0; i < windows; i++) {
        const int64_t a = draw_bound(w);
        const int64_t b = draw_bound(w);
        const window in = {a < b ? a : b, a < b ? b : a, check_below(&w->random, 2) == 0};
        for (int r = 0; r < 2 * TRACKS; r++) {
            const track *t = &w->tracks[r / 2];
            const uint32_t stream = find_stream(trace, t->resource, w->state, OC_ROLE_STATES);
            if (stream != OCELOTL_NONE)
                check_reader(w, readers[r % 2], t, stream, r % 2 == 1, &in);
        }
        check_cursors(w, trace, &in);
    }
    for (int i = 0; i < 2; i++)
        oc_totals_free(readers[i]);
    sqlite3_close(connections[1].database);
}

static void allocate(world *w, size_t steps)
{
    for (int r = 0; r < TRACKS; r++) {
        w->tracks[r].states = malloc(2 * (steps + MOST_OPEN) * sizeof(interval));
        w->tracks[r].spans = malloc(4 * (steps + MOST_OPEN) * sizeof(interval));
        CHECK(w->tracks[r].states != NULL && w->tracks[r].spans != NULL);
    }
    w->links = malloc((steps + 1) * sizeof *w->links);
    w->steps = malloc((steps + 1) * sizeof *w->steps);
    w->instants = malloc((steps + 1) * sizeof *w->instants);
    w->bounds = malloc(8000 * sizeof *w->bounds);
    CHECK(w->links != NULL && w->steps != NULL && w->instants != NULL && w->bounds != NULL);
}

static void free_world(world *w)
{
    for (int r = 0; r < TRACKS; r++) {
        free(w->tracks[r].states);
        free(w->tracks[r].spans);
    }
    free(w->links);
    free(w->steps);
    free(w->instants);
    free(w->bounds);
}

static void check_world(uint64_t seed, uint32_t steps, uint32_t windows)
{
    static world w;
    ocelotl_trace *trace;
    const char *path = temporary_path("trace.db");
    w = (world){.random = seed * 0x9E3779B97F4A7C15u + 1};
    allocate(&w, steps);
    w.begin = w.time = seed % 3 == 0 ? -(int64_t)check_below(&w.random, 100000) : 0;
    for (int r = 0; r < TRACKS; r++) {
        w.tracks[r].style = (style)((seed + (uint64_t)r) % STYLES);
        w.tracks[r].outermost = check_below(&w.random, 4);
    }
    w.writer = must_write(path, NULL);
    declare(&w);
    happen(&w, steps);
    must_finish(w.writer);
    for (int r = 0; r < TRACKS; r++)
        find_spans(&w.tracks[r]);
    read_bounds(&w, path);
    if (seed % 2 == 0)
        shuffle_chunks(path);
    trace = must_open(path);
    check_windows(&w, trace, windows);
    ocelotl_trace_free(trace);
    free_world(&w);
}

int main(void)
{
    const char *wanted = getenv("OCELOTL_TEST_ROUNDS");
    const uint64_t rounds = wanted != NULL ? strtoull(wanted, NULL, 10) : 0;
    temporary_begin();
    for (uint64_t seed = 1; seed <= check_rounds(160) || seed <= rounds; seed++) {
        const uint32_t size = (uint32_t)(seed * 3 % 161);
        check_world(seed, 2 + size * size / 10, 10);
    }
    for (uint64_t seed = 1; seed <= check_rounds(4); seed++)
        check_world(seed, MOST, 40);
    return 0;
}
