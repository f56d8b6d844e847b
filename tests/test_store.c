/* Random streams through the public writer, against a naive list of intervals that is kept beside
 * it: whatever the store says of any instant must be what the list says, to the tick. States nest,
 * cross, wait in lanes and deep, last for no time, stay open across many chunks and at the end;
 * links are whole, reversed, without a beginning or an end, outliving their source; chunks are
 * stored in any order. The list knows nothing of stacks, chunks or folds.
 *
 * OCELOTL_TEST_ROUNDS=5000 makes it try more than it does in every run. */
#include "temporary.h"

#include "test_checksums.h"

#include "store/read/reader.h"
#include "store/read/totals.h"

enum { RESOURCES = 4, VALUES = 5, GROUPS = 2, MOST = 100000, MOST_OPEN = 400, BOUNDS = 4000 };

#define NEVER INT64_MIN

/* Streams of the writer, by what they hold of a resource. */
enum { EVENTS, STATES, OTHER_STATES, VARIABLE, LINKS_OUT, LINKS_IN, STREAMS };

static const oc_role roles[STREAMS] = {OC_ROLE_EVENTS,   OC_ROLE_STATES,    OC_ROLE_STATES,
                                       OC_ROLE_VARIABLE, OC_ROLE_LINKS_OUT, OC_ROLE_LINKS_IN};

/* What the values of states are summed in: groups of several, one alone, and none. */
static const uint32_t group_of[VALUES] = {0, 1, 0, OCELOTL_NONE, 0};

/* How states end: the innermost first; any before those begun later; the one begun first, as tasks
 * that overtake nothing do; any of hundreds that are open. */
typedef enum style { NESTED, CROSSING, QUEUE, DEEP, STYLES } style;

static const uint32_t most_open[STYLES] = {12, 12, 40, 300};

/* Anything that happened: an instant, an interval, a link at one of its ends. Unused numbers are 0.
 */
typedef struct interval {
    uint32_t resource, stream, value; /* value: 0 .. VALUES - 1, VALUES: none */
    int64_t begin, end;               /* as the stream sees them */
    int64_t duration;                 /* links, counted once they have ended */
    bool open, orphan;
    double at_begin[2], at_end[2]; /* numeric attributes */
    double number;                 /* of a variable */
} interval;

typedef struct link_half {
    uint64_t link;
    size_t departure; /* its interval */
    double size;
    bool sized;
} link_half;

typedef struct world {
    uint64_t random;
    ocelotl_writer *writer;
    uint32_t resources[RESOURCES], types[STREAMS], values[STREAMS][VALUES], attributes[2], note;
    style styles[RESOURCES];
    uint32_t outermost[RESOURCES]; /* how many states at the bottom stay open */
    int64_t last[RESOURCES][STREAMS], clock[RESOURCES], born[RESOURCES];
    bool used[RESOURCES][STREAMS];
    int64_t died[RESOURCES]; /* NEVER: it lives */
    interval *list;
    size_t count;
    size_t open[RESOURCES][STREAMS][MOST_OPEN]; /* stacks of states: places in the list */
    uint32_t depth[RESOURCES][STREAMS];
    link_half flying[256];
    size_t flying_count;
    int64_t begin, end, bounds[2 * BOUNDS]; /* of the trace; of its chunks */
    size_t bound_count;
    uint64_t tick, event_counts[STREAMS], unmatched;
} world;

static int64_t later(world *w, uint32_t resource, uint32_t stream)
{
    static const uint32_t steps[] = {0, 0, 0, 1, 1, 2, 5, 30};
    int64_t time = w->clock[resource] + steps[check_below(&w->random, 8)];
    if (check_below(&w->random, 100) == 0)
        time += check_below(&w->random, 20000);
    if (w->used[resource][stream] && time < w->last[resource][stream])
        time = w->last[resource][stream];
    return time;
}

static void happened(world *w, uint32_t resource, uint32_t stream, int64_t time)
{
    w->used[resource][stream] = true;
    w->last[resource][stream] = time;
    if (time > w->clock[resource])
        w->clock[resource] = time;
    w->end = time > w->end ? time : w->end;
    w->begin = time < w->begin ? time : w->begin;
    w->born[resource] = time < w->born[resource] ? time : w->born[resource];
}

static interval *add(world *w, uint32_t resource, uint32_t stream, uint32_t value, int64_t time)
{
    CHECK(w->count < MOST);
    interval *added = &w->list[w->count++];
    *added = (interval){
        .resource = resource, .stream = stream, .value = value, .begin = time, .end = time};
    return added;
}

static uint32_t value_id(const world *w, uint32_t stream, uint32_t value)
{
    return value == VALUES ? OCELOTL_NONE : w->values[stream][value];
}

static void instant(world *w, uint32_t r)
{
    const uint32_t value = check_below(&w->random, VALUES + 1);
    const int64_t time = later(w, r, EVENTS);
    const ocelotl_attribute_value attribute = {w->note + 1, "some text", 9};
    CHECK_OK(ocelotl_writer_event(w->writer, w->resources[r], w->types[EVENTS],
                                  value_id(w, EVENTS, value), time, &attribute,
                                  check_below(&w->random, 2)));
    add(w, r, EVENTS, value, time);
    w->event_counts[EVENTS]++;
    happened(w, r, EVENTS, time);
}

static void change(world *w, uint32_t r)
{
    const double number = (double)check_below(&w->random, 2001) - 1000;
    const int64_t time = later(w, r, VARIABLE);
    w->event_counts[VARIABLE] += !w->used[r][VARIABLE] || w->last[r][VARIABLE] != time;
    must_step(w->writer, w->resources[r], w->types[VARIABLE], time, number);
    add(w, r, VARIABLE, VALUES, time)->number = number;
    happened(w, r, VARIABLE, time);
}

static void push_state(world *w, uint32_t r, uint32_t stream, int64_t time)
{
    const uint32_t value = check_below(&w->random, VALUES);
    must_push(w->writer, w->resources[r], w->types[stream], w->values[stream][value], time);
    w->open[r][stream][w->depth[r][stream]++] = w->count;
    add(w, r, stream, value, time)->open = true;
    w->event_counts[stream]++;
}

static void end_state(world *w, uint32_t r, uint32_t stream, uint32_t place, int64_t time)
{
    size_t *open = w->open[r][stream];
    w->list[open[place]].end = time;
    w->list[open[place]].open = false;
    memmove(&open[place], &open[place + 1], (--w->depth[r][stream] - place) * sizeof *open);
}

static void state(world *w, uint32_t r, uint32_t stream)
{
    const style ends = w->styles[r];
    const uint32_t depth = w->depth[r][stream];
    const uint32_t above = depth > w->outermost[r] ? depth - w->outermost[r] : 0;
    const int64_t time = later(w, r, stream);
    CHECK(ocelotl_writer_open_states(w->writer, w->resources[r], w->types[stream]) == depth);
    if (depth == 0 && check_below(&w->random, 8) == 0) {
        CHECK_REFUSED(
            ocelotl_writer_pop(w->writer, w->resources[r], w->types[stream], 0, time, NULL, 0),
            "0 open states");
        return;
    }
    const bool grows = check_below(&w->random, 8) < (ends == DEEP || ends == QUEUE ? 5u : 4u);
    if (above == 0 || (grows && depth < most_open[ends])) {
        push_state(w, r, stream, time);
    } else {
        const uint32_t outside = ends == NESTED  ? 0
                                 : ends == QUEUE ? above - 1
                                                 : check_below(&w->random, above);
        must_pop(w->writer, w->resources[r], w->types[stream], outside, time);
        end_state(w, r, stream, depth - 1 - outside, time);
        if (check_below(&w->random, 2) == 0)
            push_state(w, r, stream, time); /* one state follows another */
    }
    happened(w, r, stream, time);
}

/* A number as an attribute's text. */
typedef struct number_text {
    char text[32];
    double number;
} number_text;

static number_text random_number(world *w)
{
    number_text made = {.number = (double)check_below(&w->random, 5000) - 100};
    snprintf(made.text, sizeof made.text, "%.0f", made.number);
    return made;
}

static void arrive(world *w, size_t which, uint32_t r, int64_t end)
{
    const link_half half = w->flying[which];
    interval *departure = &w->list[half.departure];
    const number_text extra = random_number(w);
    const ocelotl_attribute_value attributes[] = {
        {w->attributes[1], extra.text, strlen(extra.text)}, {w->note, "not a number", 12}};
    const size_t given = check_below(&w->random, 3);
    CHECK_OK(
        ocelotl_writer_link_end(w->writer, half.link, w->resources[r], end, attributes, given));
    CHECK_REFUSED(ocelotl_writer_link_end(w->writer, half.link, w->resources[r], end, NULL, 0),
                  "is not open");
    const int64_t recorded = end > departure->begin ? end : departure->begin;
    const int64_t death = w->died[departure->resource];
    const int64_t duration = end > departure->begin ? end - departure->begin : 0;
    departure->open = false;
    departure->end = death != NEVER && death < recorded ? death : recorded;
    departure->duration = duration;
    departure->at_end[1] = given > 0 ? extra.number : 0;
    happened(w, departure->resource, LINKS_OUT, departure->end);
    interval *arrival = add(w, r, LINKS_IN, departure->value, recorded);
    arrival->duration = duration;
    arrival->at_begin[0] = half.sized ? half.size : 0;
    arrival->at_begin[1] = given > 0 ? extra.number : 0;
    happened(w, r, LINKS_IN, recorded);
    w->begin = end < w->begin ? end : w->begin;
    w->flying[which] = w->flying[--w->flying_count];
}

static void depart(world *w, uint32_t r)
{
    const uint32_t value = check_below(&w->random, VALUES + 1);
    const int64_t time = later(w, r, LINKS_OUT);
    const number_text size = random_number(w);
    const ocelotl_attribute_value attributes[] = {
        {w->attributes[0], size.text, strlen(size.text)}, {w->note, NULL, 0}, {w->note, "0x", 2}};
    link_half *half = &w->flying[w->flying_count++];
    half->sized = check_below(&w->random, 2) == 0;
    half->size = size.number;
    half->departure = w->count;
    CHECK_OK(ocelotl_writer_link_begin(&half->link, w->writer, w->resources[r], w->types[LINKS_OUT],
                                       value_id(w, LINKS_OUT, value), time, attributes,
                                       half->sized ? 3 : 0));
    interval *departure = add(w, r, LINKS_OUT, value, time);
    departure->open = true;
    departure->at_begin[0] = half->sized ? size.number : 0;
    w->event_counts[LINKS_OUT]++;
    happened(w, r, LINKS_OUT, time);
}

static void orphan(world *w, uint32_t r)
{
    const uint32_t value = check_below(&w->random, VALUES + 1);
    const int64_t time = w->clock[r] - check_below(&w->random, 5);
    const number_text size = random_number(w);
    const ocelotl_attribute_value attribute = {w->attributes[0], size.text, strlen(size.text)};
    CHECK_OK(ocelotl_writer_link_orphan(w->writer, w->resources[r], w->types[LINKS_OUT],
                                        value_id(w, LINKS_OUT, value), time, &attribute, 1));
    const bool late = w->used[r][LINKS_IN] && w->last[r][LINKS_IN] > time;
    interval *arrival = add(w, r, LINKS_IN, value, late ? w->last[r][LINKS_IN] : time);
    arrival->at_begin[0] = size.number;
    arrival->orphan = true;
    happened(w, r, LINKS_IN, arrival->begin);
    w->begin = time < w->begin ? time : w->begin;
    w->event_counts[LINKS_OUT]++;
    w->unmatched++;
}

/* A link ends at this resource: in its time, at once, or before it has begun. */
static void travel(world *w, uint32_t r)
{
    const uint32_t kind = check_below(&w->random, 8);
    if (kind == 0) {
        orphan(w, r);
    } else if (kind < 4 && w->flying_count < 200) {
        depart(w, r);
        const size_t last = w->flying_count - 1;
        const int64_t begin = w->list[w->flying[last].departure].begin;
        uint32_t target = check_below(&w->random, RESOURCES);
        if (w->died[target] != NEVER)
            target = r;
        if (kind == 1 && (!w->used[target][LINKS_IN] || w->last[target][LINKS_IN] <= begin))
            arrive(w, last, target, begin - check_below(&w->random, 3));
    } else if (w->flying_count > 3) {
        const size_t which = check_below(&w->random, (uint32_t)w->flying_count);
        const interval *departure = &w->list[w->flying[which].departure];
        int64_t end = later(w, r, LINKS_IN);
        end = departure->begin > end ? departure->begin : end;
        const int64_t source = w->last[departure->resource][LINKS_OUT];
        arrive(w, which, r, source > end ? source : end);
    }
}

static void die(world *w, uint32_t r)
{
    int64_t end = w->clock[r] + check_below(&w->random, 3);
    for (uint32_t s = 0; s < STREAMS; s++)
        end = w->used[r][s] && w->last[r][s] > end ? w->last[r][s] : end;
    must_end(w->writer, w->resources[r], end);
    for (uint32_t s = STATES; s <= OTHER_STATES; s++) {
        while (w->depth[r][s] > 0)
            end_state(w, r, s, w->depth[r][s] - 1, end);
        CHECK(ocelotl_writer_open_states(w->writer, w->resources[r], w->types[s]) == 0);
    }
    w->died[r] = end;
    w->end = end > w->end ? end : w->end;
    CHECK_REFUSED(ocelotl_writer_resource_end(w->writer, w->resources[r], end),
                  "has ended already");
    CHECK_REFUSED(ocelotl_writer_event(w->writer, w->resources[r], w->types[EVENTS], OCELOTL_NONE,
                                       end + 1, NULL, 0),
                  "expected nothing later");
}

static void refine(world *w)
{
    const int64_t factor = 1 + check_below(&w->random, 10);
    CHECK_OK(ocelotl_writer_refine(w->writer, (uint64_t)factor));
    for (size_t i = 0; i < w->count; i++) {
        w->list[i].begin *= factor;
        w->list[i].end *= factor;
        w->list[i].duration *= factor;
    }
    for (uint32_t r = 0; r < RESOURCES; r++) {
        w->clock[r] *= factor;
        w->born[r] *= factor;
        w->died[r] = w->died[r] == NEVER ? NEVER : w->died[r] * factor;
        for (uint32_t s = 0; s < STREAMS; s++)
            w->last[r][s] *= factor;
    }
    w->begin *= factor;
    w->end *= factor;
    w->tick *= (uint64_t)factor;
}

static void declare(world *w, uint64_t seed)
{
    static const ocelotl_category categories[STREAMS] = {
        OCELOTL_EVENT, OCELOTL_STATE, OCELOTL_STATE, OCELOTL_VARIABLE, OCELOTL_LINK, OCELOTL_LINK};
    const uint32_t type = must_kind(w->writer, OCELOTL_ROOT, "thread");
    for (uint32_t r = 0; r < RESOURCES; r++) {
        w->styles[r] = (style)((seed + r) % STYLES);
        w->outermost[r] = check_below(&w->random, 4);
        w->born[r] = w->clock[r] =
            (int64_t)check_below(&w->random, 20) - (seed % 3 == 0 ? 100000 : 10);
        w->died[r] = NEVER;
        w->begin = r == 0 || w->born[r] < w->begin ? w->born[r] : w->begin;
        w->end = r == 0 || w->born[r] > w->end ? w->born[r] : w->end;
        w->resources[r] = must_resource(w->writer, type, OCELOTL_ROOT, "r", w->born[r]);
    }
    for (uint32_t s = 0; s < LINKS_IN; s++) {
        w->types[s] = must_type(w->writer, categories[s], type, "type");
        for (uint32_t v = 0; v < VALUES; v++)
            w->values[s][v] = must_value(w->writer, w->types[s], "value");
    }
    w->types[LINKS_IN] = w->types[LINKS_OUT];
    memcpy(w->values[LINKS_IN], w->values[LINKS_OUT], sizeof w->values[LINKS_IN]);
    w->attributes[0] = must_attribute(w->writer, w->types[LINKS_OUT], "size");
    w->attributes[1] = must_attribute(w->writer, w->types[LINKS_OUT], "extra");
    w->note = must_attribute(w->writer, w->types[LINKS_OUT], "note");
    for (uint32_t i = 0; i < 4; i++)
        must_attribute(w->writer, w->types[EVENTS], "text");
}

/* What happens, and what the writer promises to do at the end. */
static void happen(world *w, uint32_t steps)
{
    for (uint32_t step = 0; step < steps; step++) {
        const uint32_t r = check_below(&w->random, RESOURCES);
        if (w->died[r] != NEVER)
            continue;
        const uint32_t what = check_below(&w->random, 16);
        if (what < 8)
            state(w, r, what < 7 ? STATES : OTHER_STATES);
        else if (what < 11)
            change(w, r);
        else if (what < 13)
            instant(w, r);
        else
            travel(w, r);
        if (step == steps / 4 || step == steps / 2 || step == steps / 2 + 1)
            refine(w);
        if (r > 0 && check_below(&w->random, steps) < 2)
            die(w, r);
    }
    must_finish(w->writer);
    for (uint32_t r = 0; r < RESOURCES; r++)
        for (uint32_t s = STATES; s <= OTHER_STATES; s++)
            while (w->depth[r][s] > 0)
                end_state(w, r, s, w->depth[r][s] - 1, w->end);
    while (w->flying_count > 0) {
        interval *departure = &w->list[w->flying[--w->flying_count].departure];
        departure->end =
            w->died[departure->resource] == NEVER ? w->end : w->died[departure->resource];
        departure->open = false;
        w->unmatched++;
    }
}

/* --- What the list says */

/* A span in which one state is the innermost. */
typedef struct span {
    int64_t begin, end;
    uint32_t value;
} span;

/* What the list has of one stream. */
typedef struct view {
    uint32_t resource, stream;
    int64_t end; /* of the resource */
    const interval **own;
    span *spans;
    size_t count, span_count;
} view;

static int compare_times(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left;
    const int64_t b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

/* Cuts time where anything begins or ends; in each piece the innermost state is the one begun last
 * of those that cover it: the list is in the order of beginnings. */
static void find_spans(view *v)
{
    const size_t count = 2 * v->count;
    int64_t *times = malloc((count + 1) * sizeof *times);
    size_t *covering = malloc((v->count + 1) * sizeof *covering);
    size_t covering_count = 0, next = 0;
    v->spans = malloc((count + 1) * sizeof *v->spans);
    CHECK(times != NULL && covering != NULL && v->spans != NULL);
    for (size_t i = 0; i < v->count; i++) {
        times[2 * i] = v->own[i]->begin;
        times[2 * i + 1] = v->own[i]->end;
    }
    qsort(times, count, sizeof *times, compare_times);
    for (size_t t = 0; t + 1 < count; t++) {
        if (times[t] == times[t + 1])
            continue;
        while (next < v->count && v->own[next]->begin <= times[t])
            covering[covering_count++] = next++;
        size_t kept = 0;
        for (size_t i = 0; i < covering_count; i++)
            if (v->own[covering[i]]->end > times[t])
                covering[kept++] = covering[i];
        covering_count = kept;
        if (kept > 0)
            v->spans[v->span_count++] =
                (span){times[t], times[t + 1], v->own[covering[kept - 1]]->value};
    }
    free(times);
    free(covering);
}

static view view_of(const world *w, uint32_t r, uint32_t stream)
{
    view v = {.resource = r, .stream = stream, .end = w->died[r] == NEVER ? w->end : w->died[r]};
    v.own = malloc((w->count + 1) * sizeof(const interval *));
    CHECK(v.own != NULL);
    for (size_t i = 0; i < w->count; i++)
        if (w->list[i].resource == r && w->list[i].stream == stream)
            v.own[v.count++] = &w->list[i];
    if (roles[stream] == OC_ROLE_STATES)
        find_spans(&v);
    return v;
}

/* What a stream adds up to. */
typedef struct sums {
    uint64_t count[VALUES + 1];
    int64_t innermost[VALUES + 1], inclusive[VALUES + 1], traced;
    double integral, attributes[2];
} sums;

static bool is_past(int64_t begin, int64_t time, bool through)
{
    return begin < time || (through && begin == time);
}

static int64_t clamp(int64_t time, int64_t end)
{
    return time < end ? time : end;
}

static sums expect(const view *v, int64_t time, bool through)
{
    sums s = {0};
    const bool is_link = v->stream == LINKS_OUT || v->stream == LINKS_IN;
    for (size_t i = 0; i < v->count; i++) {
        const interval *one = v->own[i];
        const int64_t until = i + 1 < v->count ? v->own[i + 1]->begin : v->end;
        if (v->stream == VARIABLE && one->begin < time)
            s.integral += one->number * (double)(clamp(time, until) - one->begin);
        if (!is_past(one->begin, time, through))
            continue;
        s.count[one->value]++;
        s.attributes[0] += one->at_begin[0];
        s.attributes[1] += one->at_begin[1];
        if (is_link && is_past(one->end, time, through)) {
            s.inclusive[one->value] += one->duration;
            s.attributes[1] += one->at_end[1];
        } else if (v->stream == LINKS_OUT || roles[v->stream] == OC_ROLE_STATES) {
            s.inclusive[one->value] += clamp(time, one->end) - one->begin;
        }
    }
    for (size_t i = 0; i < v->span_count; i++)
        if (v->spans[i].begin < time) {
            const int64_t ticks = clamp(time, v->spans[i].end) - v->spans[i].begin;
            s.innermost[v->spans[i].value] += ticks;
            s.traced += ticks;
        }
    return s;
}

static bool is_open(const view *v, int64_t time, bool through)
{
    for (size_t i = 0; i < v->span_count; i++)
        if (through ? v->spans[i].begin <= time && time < v->spans[i].end
                    : v->spans[i].begin < time && time <= v->spans[i].end)
            return true;
    return false;
}

/* --- Against the store */

/* Summed durations of a value's states or links up to fold->time, those still open included. */
static int64_t fold_inclusive(const oc_fold *fold, size_t total)
{
    uint64_t sum = (uint64_t)fold->totals[total].closed;
    for (size_t i = 0; i < fold->open.count; i++)
        if (oc_fold_open(fold, i)->total == total)
            sum += (uint64_t)fold->time - (uint64_t)oc_fold_open(fold, i)->begin;
    return (int64_t)sum;
}

static void check_cursor(const world *w, oc_cursor *cursor, const view *v, int64_t time,
                         bool through)
{
    sums found = {0};
    const sums wanted = expect(v, time, through);
    CHECK_OK(oc_cursor_seek(cursor, time, through));
    const oc_fold *fold = oc_cursor_fold(cursor);
    for (size_t i = 0; i < fold->total_count; i++) {
        uint32_t value = 0;
        while (value < VALUES && w->values[v->stream][value] != fold->totals[i].value)
            value++;
        CHECK(value < VALUES || fold->totals[i].value == OCELOTL_NONE);
        found.count[value] = fold->totals[i].count;
        found.innermost[value] = fold->totals[i].innermost;
        found.inclusive[value] = fold_inclusive(fold, i);
        found.integral += fold->totals[i].integral;
    }
    for (size_t i = 0; i < fold->sum_count; i++)
        for (size_t a = 0; a < 2; a++)
            if (fold->sums[i].attribute == w->attributes[a])
                found.attributes[a] = fold->sums[i].sum;
    for (uint32_t value = 0; value <= VALUES; value++) {
        CHECK(found.count[value] == wanted.count[value]);
        CHECK(found.innermost[value] == wanted.innermost[value]);
        CHECK(found.inclusive[value] == wanted.inclusive[value]);
    }
    CHECK(found.integral == wanted.integral);
    CHECK(found.attributes[0] == wanted.attributes[0] &&
          found.attributes[1] == wanted.attributes[1]);
}

/* The reader's sums between two instants, with any number of stops between. */
static void check_groups(world *w, oc_totals_reader *reader, const view *v, uint32_t index,
                         bool inclusive, int64_t from, int64_t to, bool through)
{
    int64_t ticks[GROUPS + 1] = {0}; /* the last one is for values in no group */
    const sums before = expect(v, from, through), after = expect(v, to, through);
    CHECK_OK(oc_totals_begin(reader, index, check_below(&w->random, 2) == 0 ? 0 : 100));
    CHECK_OK(oc_totals_move(reader, from, through));
    CHECK(oc_totals_traced(reader) == before.traced);
    for (int end = 0; end < 2; end++) {
        for (int64_t more = check_below(&w->random, 3); end == 1 && more > 0; more--)
            CHECK_OK(oc_totals_move(reader, to - (to - from) / 3 * more, through));
        CHECK_OK(oc_totals_move(reader, end == 0 ? from : to, through));
        for (size_t i = 0; i < oc_totals_count(reader); i++) {
            const oc_group_total *total = &oc_totals_groups(reader)[i];
            CHECK(total->group == OCELOTL_NONE || total->group < GROUPS);
            ticks[total->group == OCELOTL_NONE ? GROUPS : total->group] +=
                end == 0 ? -total->ticks : total->ticks;
        }
    }
    for (uint32_t value = 0; value < VALUES; value++)
        ticks[group_of[value] == OCELOTL_NONE ? GROUPS : group_of[value]] -=
            inclusive ? after.inclusive[value] - before.inclusive[value]
                      : after.innermost[value] - before.innermost[value];
    for (int group = 0; group <= GROUPS; group++)
        CHECK(ticks[group] == 0);
    CHECK(oc_totals_traced(reader) == after.traced);
    CHECK(oc_totals_is_traced(reader) == is_open(v, to, through));
}

/* Often where something begins or ends, or next to it; or where a chunk does. */
static int64_t draw_instant(world *w, const view *v)
{
    const uint32_t kind = check_below(&w->random, 6);
    if (kind < 3 && v->count > 0) {
        const interval *one = v->own[check_below(&w->random, (uint32_t)v->count)];
        return (kind == 0 ? one->begin : one->end) - 1 + check_below(&w->random, 3);
    }
    if (kind == 3)
        return w->bounds[check_below(&w->random, (uint32_t)w->bound_count)] - 1 +
               check_below(&w->random, 3);
    return w->begin - 3 + (int64_t)(check_random(&w->random) % (uint64_t)(w->end - w->begin + 7));
}

static void check_stream(world *w, ocelotl_trace *trace, uint32_t index, uint32_t queries,
                         oc_totals_reader *const readers[2])
{
    const oc_stream *stream = &trace->streams[index];
    oc_cursor *cursor;
    uint32_t which = 0;
    while (w->types[which] != stream->event_type || roles[which] != stream->role)
        which++;
    const view v = view_of(w, stream->resource, which);
    CHECK_OK(oc_cursor_open(&cursor, &(oc_connection){trace, trace->database}, index, 64));
    for (uint32_t q = 0; q < queries; q++) {
        const bool through = check_below(&w->random, 2) == 0;
        const int64_t a = draw_instant(w, &v), b = draw_instant(w, &v);
        int64_t time = a;
        /* a few steps on from there: the cursor goes on within its chunk */
        for (uint32_t more = check_below(&w->random, 4) + 1; more-- > 0;
             time += check_below(&w->random, 9))
            check_cursor(w, cursor, &v, time, through);
        check_cursor(w, cursor, &v, time, true);
        check_cursor(w, cursor, &v, time, false);
        for (int i = 0; i < 2 && stream->role == OC_ROLE_STATES; i++)
            check_groups(w, readers[i], &v, index, i == 1, a < b ? a : b, a < b ? b : a, through);
    }
    oc_cursor_free(cursor);
    free(v.own);
    free(v.spans);
}

static void check_names(const world *w, const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    int64_t innermost[STREAMS][VALUES] = {0}, inclusive[STREAMS][VALUES] = {0};
    uint64_t counts[STREAMS][VALUES + 1] = {0};
    CHECK(info.begin == w->begin && info.end == w->end);
    CHECK(info.tick_denominator == w->tick && info.tick_numerator == 1);
    CHECK(strlen(info.uid) == 32);
    for (uint32_t r = 0; r < RESOURCES; r++) {
        const ocelotl_resource resource = ocelotl_trace_resource_at(trace, w->resources[r]);
        CHECK(resource.begin == w->born[r]);
        CHECK(resource.end == (w->died[r] == NEVER ? w->end : w->died[r]));
        for (uint32_t s = STATES; s <= OTHER_STATES; s++) {
            const view v = view_of(w, r, s);
            for (size_t i = 0; i < v.span_count; i++)
                innermost[s][v.spans[i].value] += v.spans[i].end - v.spans[i].begin;
            free(v.own);
            free(v.spans);
        }
    }
    for (size_t i = 0; i < w->count; i++) {
        const interval *one = &w->list[i];
        if (one->stream == LINKS_IN && !one->orphan)
            continue;
        const uint32_t s = one->orphan ? LINKS_OUT : one->stream;
        counts[s][one->value]++;
        if (s != VARIABLE && one->value < VALUES) /* 0 for an orphan */
            inclusive[s][one->value] += s == LINKS_OUT ? one->duration : one->end - one->begin;
    }
    for (uint32_t s = 0; s < LINKS_IN; s++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, w->types[s]);
        CHECK(type.count == w->event_counts[s]);
        CHECK(type.unmatched == (s == LINKS_OUT ? w->unmatched : 0));
        for (uint32_t v = 0; v < VALUES; v++) {
            const ocelotl_value value = ocelotl_trace_value_at(trace, w->values[s][v]);
            CHECK(value.count == counts[s][v] && value.inclusive_ticks == inclusive[s][v] &&
                  value.innermost_ticks == innermost[s][v]);
        }
    }
}

static void check_world(uint64_t seed, uint32_t steps, uint32_t queries)
{
    static world w;
    oc_totals_reader *readers[2];
    sqlite3_stmt *row;
    uint32_t groups[STREAMS * VALUES];
    const char *path = temporary_path("trace.db");
    interval *list = malloc(MOST * sizeof *list);
    CHECK(list != NULL);
    memset(&w, 0, sizeof w);
    w.random = seed * 0x9E3779B97F4A7C15u + 1;
    w.list = list;
    w.tick = 1000;
    w.writer = must_write_ticks(path, w.tick);
    declare(&w, seed);
    happen(&w, steps);
    CHECK(temporary_files(false) == 1);
    CHECK(database_number(path, "SELECT integrity_check = 'ok' FROM pragma_integrity_check") == 1);
    if (seed % 2 == 0) /* numbers say which chunk is which */
        database_change(path,
                        "BEGIN; CREATE TEMP TABLE kept AS SELECT * FROM chunk; DELETE FROM chunk;"
                        "INSERT INTO chunk SELECT * FROM kept ORDER BY (rowid * 7919) %% 10007;"
                        "COMMIT");
    ocelotl_trace *trace = must_open(path);
    CHECK_OK(oc_database_prepare(&row, trace->database, path,
                                 "SELECT begin, end FROM chunk LIMIT 4000"));
    while (sqlite3_step(row) == SQLITE_ROW)
        for (int column = 0; column < 2; column++)
            w.bounds[w.bound_count++] = sqlite3_column_int64(row, column);
    sqlite3_finalize(row);
    check_names(&w, trace);
    for (uint32_t s = 0; s < LINKS_IN; s++)
        for (uint32_t v = 0; v < VALUES; v++)
            groups[w.values[s][v]] = roles[s] == OC_ROLE_STATES ? group_of[v] : OCELOTL_NONE;
    oc_connection connections[2] = {oc_connection_of(trace)};
    CHECK_OK(oc_connect(&connections[1], trace));
    for (int i = 0; i < 2; i++)
        CHECK_OK(oc_totals_open(&readers[i], &connections[i],
                                &(oc_state_groups){groups, GROUPS, i == 1}));
    for (uint32_t s = 0; s < trace->stream_count; s++)
        check_stream(&w, trace, s, queries, readers);
    for (int i = 0; i < 2; i++)
        oc_totals_free(readers[i]);
    sqlite3_close(connections[1].database);
    ocelotl_trace_free(trace);
    free(list);
}

int main(void)
{
    const char *wanted = getenv("OCELOTL_TEST_ROUNDS");
    const uint64_t rounds = wanted != NULL ? strtoull(wanted, NULL, 10) : 0;
    temporary_begin();
    for (uint64_t seed = 1; seed <= 100 || seed <= rounds; seed++) {
        const uint32_t size = (uint32_t)(seed * 3 % 161);
        check_world(seed, 2 + size * size / 8, 10);
    }
    for (uint64_t seed = 1; seed <= check_rounds(16); seed++)
        check_world(seed, 60000, 25);
    return 0;
}
