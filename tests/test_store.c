/* Random streams through the public writer, against a naive list of intervals that is kept beside
 * it: whatever the store says of any instant must be what the list says, to the tick. */
#include "temporary.h"

#include "test_store_fold.h"

#include "store/read/reader.h"

enum { RESOURCES = 4, STATE_TYPES = 2, VALUES = 3, MOST = 40000 };

#define NEVER INT64_MIN

/* Streams of the writer, by what they hold of a resource. */
enum { EVENTS, STATES, OTHER_STATES, VARIABLE, LINKS_OUT, LINKS_IN, STREAMS };

static const oc_role roles[STREAMS] = {OC_ROLE_EVENTS,   OC_ROLE_STATES,    OC_ROLE_STATES,
                                       OC_ROLE_VARIABLE, OC_ROLE_LINKS_OUT, OC_ROLE_LINKS_IN};

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
    int64_t last[RESOURCES][STREAMS], clock[RESOURCES], born[RESOURCES];
    bool used[RESOURCES][STREAMS];
    int64_t died[RESOURCES]; /* NEVER: it lives */
    interval *list;
    size_t count;
    size_t open[RESOURCES][STREAMS][64]; /* stacks of states: places in the list */
    uint32_t depth[RESOURCES][STREAMS];
    link_half flying[256];
    size_t flying_count;
    int64_t begin, end;
    uint64_t tick, event_counts[STREAMS], unmatched;
} world;

static int64_t later(world *w, uint32_t resource, uint32_t stream)
{
    static const uint32_t steps[] = {0, 0, 0, 1, 1, 2, 5, 30};
    int64_t time = w->clock[resource] + steps[check_below(&w->random, 8)];
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

static void end_state(world *w, uint32_t r, uint32_t stream, uint32_t place, int64_t time)
{
    size_t *open = w->open[r][stream];
    w->list[open[place]].end = time;
    w->list[open[place]].open = false;
    memmove(&open[place], &open[place + 1], (--w->depth[r][stream] - place) * sizeof *open);
}

static void state(world *w, uint32_t r, uint32_t stream)
{
    const uint32_t depth = w->depth[r][stream];
    const int64_t time = later(w, r, stream);
    CHECK(ocelotl_writer_open_states(w->writer, w->resources[r], w->types[stream]) == depth);
    if (depth < 8 && check_below(&w->random, 10) < (depth == 0 ? 8u : 5u)) {
        const uint32_t value = check_below(&w->random, VALUES);
        must_push(w->writer, w->resources[r], w->types[stream], w->values[stream][value], time);
        w->open[r][stream][w->depth[r][stream]++] = w->count;
        add(w, r, stream, value, time)->open = true;
        w->event_counts[stream]++;
    } else if (depth > 0) {
        const uint32_t outside =
            check_below(&w->random, 4) == 0 ? check_below(&w->random, depth) : 0;
        must_pop(w->writer, w->resources[r], w->types[stream], outside, time);
        end_state(w, r, stream, depth - 1 - outside, time);
    } else {
        CHECK_REFUSED(
            ocelotl_writer_pop(w->writer, w->resources[r], w->types[stream], 0, time, NULL, 0),
            "0 open states");
        return;
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
    const uint32_t value = departure->value;
    interval *arrival = add(w, r, LINKS_IN, value, recorded);
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

static void declare(world *w)
{
    static const ocelotl_category categories[STREAMS] = {
        OCELOTL_EVENT, OCELOTL_STATE, OCELOTL_STATE, OCELOTL_VARIABLE, OCELOTL_LINK, OCELOTL_LINK};
    const uint32_t type = must_kind(w->writer, OCELOTL_ROOT, "thread");
    for (uint32_t r = 0; r < RESOURCES; r++) {
        w->born[r] = w->clock[r] = (int64_t)check_below(&w->random, 20) - 10;
        w->died[r] = NEVER;
        w->begin = r == 0 || w->born[r] < w->begin ? w->born[r] : w->begin;
        w->end = r == 0 || w->born[r] > w->end ? w->born[r] : w->end;
        w->resources[r] = must_resource(w->writer, type, OCELOTL_ROOT, "r", w->born[r]);
    }
    for (uint32_t s = 0; s < LINKS_IN; s++) {
        CHECK_OK(ocelotl_writer_event_type(&w->types[s], w->writer, categories[s], type, "type",
                                           0x123456));
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

static void happen(world *w, uint32_t steps)
{
    for (uint32_t step = 0; step < steps; step++) {
        const uint32_t r = check_below(&w->random, RESOURCES);
        if (w->died[r] != NEVER)
            continue;
        const uint32_t what = check_below(&w->random, 16);
        if (what < 7)
            state(w, r, STATES);
        else if (what < 8)
            state(w, r, OTHER_STATES);
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
}

/* What the writer promises to do at the end. */
static void end_all(world *w)
{
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

/* What a stream adds up to. */
typedef struct sums {
    uint64_t count[VALUES + 1];
    int64_t innermost[VALUES + 1], inclusive[VALUES + 1];
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

static void add_interval(sums *s, const interval *i, int64_t time, bool through)
{
    const bool is_link = i->stream == LINKS_OUT || i->stream == LINKS_IN;
    if (!is_past(i->begin, time, through))
        return;
    s->count[i->value]++;
    s->attributes[0] += i->at_begin[0];
    s->attributes[1] += i->at_begin[1];
    if (is_link && is_past(i->end, time, through)) {
        s->inclusive[i->value] += i->duration;
        s->attributes[1] += i->at_end[1];
    } else if (i->stream == LINKS_OUT || i->stream == STATES || i->stream == OTHER_STATES) {
        s->inclusive[i->value] += clamp(time, i->end) - i->begin;
    }
}

/* A span in which one state is the innermost. */
typedef struct span {
    int64_t begin, end;
    uint32_t value;
} span;

static int compare_times(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left;
    const int64_t b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

/* Of the states open in a span that no begin or end divides, the innermost is the one begun last:
 * the list is in the order of beginnings, and never more than a few are open at once. */
static size_t find_spans(span *spans, const world *w, uint32_t r, uint32_t stream)
{
    int64_t *times = malloc(2 * MOST * sizeof *times);
    const interval **own = malloc(MOST * sizeof(const interval *));
    size_t own_count = 0, time_count = 0, count = 0, first = 0;
    CHECK(times != NULL && own != NULL);
    for (size_t i = 0; i < w->count; i++)
        if (w->list[i].resource == r && w->list[i].stream == stream) {
            own[own_count++] = &w->list[i];
            times[time_count++] = w->list[i].begin;
            times[time_count++] = w->list[i].end;
        }
    qsort(times, time_count, sizeof *times, compare_times);
    for (size_t t = 1; t < time_count; t++) {
        if (times[t - 1] == times[t])
            continue;
        while (first < own_count && own[first]->end <= times[t - 1])
            first++;
        const interval *innermost = NULL;
        for (size_t i = first; i < own_count && own[i]->begin <= times[t - 1]; i++)
            if (own[i]->end >= times[t])
                innermost = own[i];
        if (innermost != NULL)
            spans[count++] = (span){times[t - 1], times[t], innermost->value};
    }
    free(times);
    free(own);
    return count;
}

static sums expect(const world *w, uint32_t r, uint32_t stream, int64_t time, bool through,
                   const span *spans, size_t span_count)
{
    sums s = {0};
    const interval *last = NULL;
    const int64_t end = w->died[r] == NEVER ? w->end : w->died[r];
    for (size_t i = 0; i < w->count; i++) {
        const interval *one = &w->list[i];
        if (one->resource != r || one->stream != stream)
            continue;
        add_interval(&s, one, time, through);
        if (stream != VARIABLE)
            continue;
        if (last != NULL && last->begin < time)
            s.integral += last->number * (double)(clamp(time, one->begin) - last->begin);
        last = one;
    }
    if (last != NULL && last->begin < time)
        s.integral += last->number * (double)(clamp(time, end) - last->begin);
    for (size_t i = 0; i < span_count; i++)
        if (spans[i].begin < time)
            s.innermost[spans[i].value] += clamp(time, spans[i].end) - spans[i].begin;
    return s;
}

static uint32_t value_index(const world *w, uint32_t stream, uint32_t id)
{
    for (uint32_t v = 0; v < VALUES; v++)
        if (w->values[stream][v] == id)
            return v;
    CHECK(id == OCELOTL_NONE);
    return VALUES;
}

static void check_fold(const world *w, const oc_fold *fold, uint32_t stream, const sums *wanted)
{
    sums found = {0};
    for (size_t i = 0; i < fold->total_count; i++) {
        const uint32_t v = value_index(w, stream, fold->totals[i].value);
        found.count[v] = fold->totals[i].count;
        found.innermost[v] = fold->totals[i].innermost;
        found.inclusive[v] = fold_inclusive(fold, i);
        found.integral += fold->totals[i].integral;
    }
    for (size_t i = 0; i < fold->sum_count; i++)
        for (size_t a = 0; a < 2; a++)
            if (fold->sums[i].attribute == w->attributes[a])
                found.attributes[a] = fold->sums[i].sum;
    for (uint32_t v = 0; v <= VALUES; v++) {
        CHECK(found.count[v] == wanted->count[v]);
        CHECK(found.innermost[v] == wanted->innermost[v]);
        CHECK(found.inclusive[v] == wanted->inclusive[v]);
    }
    CHECK(found.integral == wanted->integral);
    CHECK(found.attributes[0] == wanted->attributes[0] &&
          found.attributes[1] == wanted->attributes[1]);
}

static void check_stream(world *w, ocelotl_trace *trace, uint32_t index, uint32_t queries)
{
    const oc_stream *stream = &trace->streams[index];
    oc_cursor *cursor;
    span *spans = malloc(2 * MOST * sizeof *spans);
    uint32_t which = 0;
    CHECK(spans != NULL);
    while (w->types[which] != stream->event_type || roles[which] != stream->role)
        which++;
    const bool states = which == STATES || which == OTHER_STATES;
    const size_t span_count = states ? find_spans(spans, w, stream->resource, which) : 0;
    CHECK_OK(oc_cursor_open(&cursor, &(oc_connection){trace, trace->database}, index, 64));
    for (uint32_t q = 0; q < queries; q++) {
        const bool through = check_below(&w->random, 2) == 0;
        int64_t time =
            w->begin - 3 + (int64_t)(check_random(&w->random) % (uint64_t)(w->end - w->begin + 7));
        if (check_below(&w->random, 3) == 0)
            time = w->list[check_below(&w->random, (uint32_t)w->count)].begin;
        /* a few steps on from there: the cursor goes on within its chunk */
        for (uint32_t more = check_below(&w->random, 4) + 1; more-- > 0;
             time += check_below(&w->random, 9)) {
            const sums wanted =
                expect(w, stream->resource, which, time, through, spans, span_count);
            CHECK_OK(oc_cursor_seek(cursor, time, through));
            check_fold(w, oc_cursor_fold(cursor), which, &wanted);
        }
        CHECK_OK(oc_cursor_seek(cursor, time, true));
        const sums reached = expect(w, stream->resource, which, time, true, spans, span_count);
        check_fold(w, oc_cursor_fold(cursor), which, &reached);
        CHECK_OK(oc_cursor_seek(cursor, time, false));
        const sums before = expect(w, stream->resource, which, time, false, spans, span_count);
        check_fold(w, oc_cursor_fold(cursor), which, &before);
    }
    oc_cursor_free(cursor);
    free(spans);
}

/* The totals of a value over the whole trace. */
static void check_value(const world *w, const ocelotl_trace *trace, uint32_t stream, uint32_t value)
{
    const ocelotl_value found = ocelotl_trace_value_at(trace, w->values[stream][value]);
    span *spans = malloc(2 * MOST * sizeof *spans);
    uint64_t count = 0;
    int64_t inclusive = 0, innermost = 0;
    CHECK(spans != NULL);
    for (size_t i = 0; i < w->count; i++) {
        const interval *one = &w->list[i];
        const bool orphaned = one->orphan && stream == LINKS_OUT;
        if ((one->stream != stream && !orphaned) || one->value != value)
            continue;
        count++;
        /* 0 for an orphan */
        inclusive += stream == LINKS_OUT ? one->duration : one->end - one->begin;
    }
    for (uint32_t r = 0; r < RESOURCES && (stream == STATES || stream == OTHER_STATES); r++) {
        const size_t span_count = find_spans(spans, w, r, stream);
        for (size_t i = 0; i < span_count; i++)
            innermost += spans[i].value == value ? spans[i].end - spans[i].begin : 0;
    }
    free(spans);
    CHECK(found.count == count);
    CHECK(found.inclusive_ticks == inclusive && found.innermost_ticks == innermost);
}

static void check_names(const world *w, const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    CHECK(info.begin == w->begin && info.end == w->end);
    CHECK(info.tick_denominator == w->tick && info.tick_numerator == 1);
    CHECK(strlen(info.uid) == 32);
    for (uint32_t r = 0; r < RESOURCES; r++) {
        const ocelotl_resource resource = ocelotl_trace_resource_at(trace, w->resources[r]);
        CHECK(resource.begin == w->born[r]);
        CHECK(resource.end == (w->died[r] == NEVER ? w->end : w->died[r]));
    }
    for (uint32_t s = 0; s < LINKS_IN; s++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, w->types[s]);
        CHECK(type.count == w->event_counts[s]);
        CHECK(type.unmatched == (s == LINKS_OUT ? w->unmatched : 0));
        for (uint32_t v = 0; v < VALUES; v++)
            check_value(w, trace, s, v);
    }
}

static void check_integrity(ocelotl_trace *trace)
{
    sqlite3_stmt *check;
    CHECK(sqlite3_prepare_v2(trace->database, "PRAGMA integrity_check", -1, &check, NULL) ==
          SQLITE_OK);
    CHECK(sqlite3_step(check) == SQLITE_ROW);
    CHECK_TEXT((const char *)sqlite3_column_text(check, 0), "ok");
    sqlite3_finalize(check);
}

static void check_world(uint64_t seed, uint32_t steps, uint32_t queries)
{
    static world w;
    ocelotl_trace *trace;
    interval *list = malloc(MOST * sizeof *list);
    CHECK(list != NULL);
    w = (world){.random = seed * 0x9E3779B97F4A7C15u + 1, .list = list, .tick = 1000};
    w.writer = must_write_ticks(temporary_path("trace.db"), w.tick);
    declare(&w);
    happen(&w, steps);
    must_finish(w.writer);
    end_all(&w);
    CHECK(temporary_files(false) == 1);
    trace = must_open(temporary_path("trace.db"));
    check_integrity(trace);
    check_names(&w, trace);
    for (uint32_t s = 0; s < trace->stream_count; s++)
        check_stream(&w, trace, s, queries);
    ocelotl_trace_free(trace);
    free(list);
}

int main(void)
{
    temporary_begin();
    for (uint64_t seed = 1; seed <= 60; seed++)
        check_world(seed, 20 + (uint32_t)seed * 10, 12);
    for (uint64_t seed = 100; seed < 104; seed++)
        check_world(seed, 35000, 25);
    return 0;
}
