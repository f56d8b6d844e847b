/* Derived traces: what is not changed stays what it was to the last bit of the uid, and new times
 * are those of a list that the test makes itself. */
#include "test_query_trace.h"

#include <inttypes.h>

/* --- A trace as lines */

typedef struct lines {
    char **texts;
    size_t count, capacity;
} lines;

static int compare_lines(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static void free_lines(lines *of)
{
    for (size_t i = 0; i < of->count; i++)
        free(of->texts[i]);
    free(of->texts);
}

/* New times as the test understands them: twice the old ones, and an offset for each resource. */
static int64_t moved(const int64_t *offsets, uint32_t resource, int64_t time)
{
    return offsets == NULL ? time : 2 * time + offsets[resource];
}

/* A link that begins behind the end of the resource where it would end has that one live on: what
 * lasts to the end of its resource says only this. */
static char *line_of(const ocelotl_event *event, const int64_t *offsets, const ocelotl_trace *trace)
{
    const bool last = event->category == OCELOTL_VARIABLE &&
                      event->end == ocelotl_trace_resource_at(trace, event->resource).end;
    const bool link = event->category == OCELOTL_LINK;
    const uint32_t from = link && event->source != OCELOTL_NONE ? event->source : event->resource;
    const uint32_t to = link && event->target != OCELOTL_NONE ? event->target : event->resource;
    char text[512];
    snprintf(
        text, sizeof text, "%u %u %u %" PRIu64 " %" PRId64 " %" PRId64 " %u %u %" PRIu64 " %s %s",
        event->resource, event->event_type, event->value, (int64_t)(event->number * 4),
        moved(offsets, from, event->begin), last ? 0 : moved(offsets, to, event->end),
        event->source, event->target,
        link ? (uint64_t)0 : (uint64_t)event->depth << 32 | event->outlived,
        event->key != NULL ? event->key : "-", event->attributes != NULL ? event->attributes : "-");
    char *copy = malloc(strlen(text) + 1);
    CHECK(copy != NULL);
    return strcpy(copy, text);
}

static void read_lines(lines *of, const char *path, const int64_t *offsets)
{
    ocelotl_event event;
    bool found = true;
    ocelotl_trace *trace = must_open(path);
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    options.every_change = true;
    ocelotl_events *events = must_list(trace, &options);
    for (;;) {
        CHECK_OK(ocelotl_events_next(&found, &event, events));
        if (!found)
            break;
        if (of->count == of->capacity) {
            of->capacity = 2 * of->capacity + 1024;
            of->texts = realloc(of->texts, of->capacity * sizeof *of->texts);
            CHECK(of->texts != NULL);
        }
        of->texts[of->count++] = line_of(&event, offsets, trace);
    }
    ocelotl_events_free(events);
    ocelotl_trace_free(trace);
    qsort(of->texts, of->count, sizeof *of->texts, compare_lines);
}

static void derive(const char *target, const char *path, const ocelotl_derive_options *options)
{
    OWN_VERIFICATION *verification = NULL;
    ocelotl_trace *trace = must_open(path);
    CHECK_OK(ocelotl_trace_derive(target, trace, options));
    ocelotl_trace_free(trace);
    CHECK_OK(ocelotl_verify(&verification, target, NULL));
    CHECK(ocelotl_verification_info_of(verification).damages == 0);
}

static void check_uid(const char *path, const char *other, bool same)
{
    OWN_TRACE *a = must_open(path);
    OWN_TRACE *b = must_open(other);
    const ocelotl_trace_info first = ocelotl_trace_info_of(a);
    const ocelotl_trace_info second = ocelotl_trace_info_of(b);
    CHECK((strcmp(first.uid, second.uid) == 0) == same);
    CHECK_TEXT(first.name, second.name);
    for (uint32_t t = 0; t < ocelotl_trace_event_type_count(a); t++) {
        const ocelotl_event_type one = ocelotl_trace_event_type_at(a, t);
        const ocelotl_event_type two = ocelotl_trace_event_type_at(b, t);
        CHECK(one.count == two.count && one.unmatched == two.unmatched);
    }
    for (uint32_t v = 0; same && v < ocelotl_trace_value_count(a); v++) {
        const ocelotl_value one = ocelotl_trace_value_at(a, v);
        const ocelotl_value two = ocelotl_trace_value_at(b, v);
        CHECK(one.count == two.count && one.inclusive_ticks == two.inclusive_ticks &&
              one.innermost_ticks == two.innermost_ticks);
    }
}

/* --- Whole traces */

static void write_pjdump(ocelotl_buffer *text, const char *path)
{
    const ocelotl_selection whole = {.from = INT64_MIN, .to = INT64_MAX};
    const ocelotl_sink sink = ocelotl_buffer_sink(text);
    ocelotl_losses losses;
    OWN_TRACE *trace = must_open(path);
    OWN_EVENTS *events = must_list(trace, NULL);
    CHECK_OK(ocelotl_events_write_pjdump(&sink, events, trace, &whole, 9, &losses));
}

/* Whether all that can be said of two traces in the words of pj_dump is the same. */
static void check_text(const char *path, const char *other)
{
    ocelotl_buffer one = {0}, two = {0};
    write_pjdump(&one, path);
    write_pjdump(&two, other);
    CHECK(one.size == two.size && memcmp(one.bytes, two.bytes, one.size) == 0);
    ocelotl_buffer_free(&one);
    ocelotl_buffer_free(&two);
}

static void test_identity(uint64_t seed)
{
    known_trace known;
    const char *path = temporary_path("raw.db");
    const char *target = temporary_path("same.db");
    known_write(&known, path, seed, 20000);
    free(known.events);
    ocelotl_derive_options options = {0};
    derive(target, path, &options);
    check_uid(path, target, true);
    temporary_files(true);
}

static void test_file(const char *folder, const char *name)
{
    char source[1024];
    const char *path = temporary_path("raw.db");
    const char *target = temporary_path("same.db");
    ocelotl_import_options import = OCELOTL_IMPORT_OPTIONS_INIT;
    import.lenient = true;
    snprintf(source, sizeof source, "%s/%s", folder, name);
    CHECK_OK(ocelotl_import(path, source, &import));
    ocelotl_derive_options options = {0};
    derive(target, path, &options);
    check_uid(path, target, true);
    check_text(path, target);
    temporary_files(true);
}

/* The traces that are shared, where they are. */
static void test_files(void)
{
    static const char *const shared[] = {
        "pajeng-containers.trace",   "pajeng-links.trace",      "pajeng-native_sample.trace",
        "pajeng-states.trace",       "pajeng-events.trace",     "pajeng-variables.trace",
        "pajengr-simgrid.trace",     "pajeng-simu-mardi.trace", "pajeng-native_paje.trace",
        "pajeng-categories.trace",   "smpi-stencil-96.trace",   "smpi-lu-700.trace.zst",
        "pajengr-starpu-buggy.trace"};
    char folder[1024];
    const char *root = getenv("OCELOTL_ROOT");
    root = root != NULL ? root : ".";
    snprintf(folder, sizeof folder, "%s/tests/data", root);
    if (access(folder, R_OK) == 0)
        test_file(folder, "smpi-stencil-96-plain.trace.zst");
    snprintf(folder, sizeof folder, "%s/../shared/traces/paje", root);
    for (size_t i = 0; i < sizeof shared / sizeof shared[0] && access(folder, R_OK) == 0; i++)
        test_file(folder, shared[i]);
}

/* --- Against a trace that is written with the new times */

/* Events of three processes; microsecond t becomes factor t + later. */
static void write_moved(const char *path, int64_t factor, int64_t later)
{
    uint64_t seed = 3;
    int64_t time = 7;
    uint32_t depths[3] = {0}, processes[3], values[3];
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    options.name = "moved";
    options.tick_denominator = 1000000;
    ocelotl_writer *writer = must_write(path, &options);
    const uint32_t kind = must_kind(writer, OCELOTL_ROOT, "process");
    const uint32_t states = must_type(writer, OCELOTL_STATE, kind, "state");
    const uint32_t load = must_type(writer, OCELOTL_VARIABLE, kind, "load");
    const uint32_t messages = must_type(writer, OCELOTL_LINK, OCELOTL_ROOT, "message");
    for (uint32_t p = 0; p < 3; p++) {
        const char name[] = {(char)('0' + p), '\0'};
        processes[p] = must_resource(writer, kind, OCELOTL_ROOT, name, later);
        values[p] = must_value(writer, states, name);
    }
    for (int i = 0; i < 5000; i++, time += check_below(&seed, 2000)) {
        const int64_t now = factor * time + later;
        const uint32_t p = check_below(&seed, 3), what = check_below(&seed, 4);
        if (what == 0 && depths[p] < 4) {
            must_push(writer, processes[p], states, values[check_below(&seed, 3)], now);
            depths[p]++;
        } else if (what == 1 && depths[p] > 0) {
            must_pop(writer, processes[p], states, 0, now);
            depths[p]--;
        } else if (what == 2) {
            must_step(writer, processes[p], load, now, check_below(&seed, 100) + 0.5);
        } else {
            uint64_t link;
            CHECK_OK(ocelotl_writer_link_begin(&link, writer, processes[p], messages, OCELOTL_NONE,
                                               now, NULL, 0));
            CHECK_OK(ocelotl_writer_link_end(writer, link, processes[(p + 1) % 3], now, NULL, 0));
        }
    }
    must_finish(writer);
}

/* All resources by one function. */
static ocelotl_derive_options moved_by(const ocelotl_time_function *function)
{
    static const uint32_t function_of[RESOURCES] = {0};
    ocelotl_derive_options options = {0};
    options.functions = function;
    options.function_count = 1;
    options.function_of = function_of;
    return options;
}

/* Chunks, running totals and all: a derived trace is the one with its times. */
static void test_moved(int64_t factor, int64_t later)
{
    const char *path = temporary_path("raw.db");
    const char *target = temporary_path("derived.db");
    const char *expected = temporary_path("expected.db");
    write_moved(path, 1, 0);
    write_moved(expected, factor, later);
    const ocelotl_time_piece piece = {.offset = later, .drift = (double)(factor - 1)};
    const ocelotl_time_function function = {&piece, 1};
    ocelotl_derive_options options = moved_by(&function);
    options.name = "moved";
    derive(target, path, &options);
    check_uid(target, expected, true);
    temporary_files(true);
}

/* --- What a derived trace says of itself */

static const ocelotl_set_clock set_clocks[] = {{"site;of/ä=1", -12.25, 1e-5, 3.5, 7, 1000, 0},
                                               {"b", 1e17, -0.25, INFINITY, 0, 0, 3}};

static void test_description(void)
{
    known_trace known;
    ocelotl_trace *raw = NULL, *made = NULL;
    const char *path = temporary_path("raw.db");
    const char *target = temporary_path("made.db");
    known_write(&known, path, 5, 2000);
    free(known.events);
    const ocelotl_time_piece piece = {.offset = 5};
    const ocelotl_time_function function = {&piece, 1};
    ocelotl_derive_options options = moved_by(&function);
    options.derivation = "by hand";
    options.clocks = set_clocks;
    options.clock_count = 2;
    options.tick_factor = 10;
    derive(target, path, &options);
    raw = must_open(path);
    made = must_open(target);
    const ocelotl_trace_info before = ocelotl_trace_info_of(raw);
    const ocelotl_trace_info info = ocelotl_trace_info_of(made);
    CHECK_TEXT(before.derived_from, "");
    CHECK_TEXT(before.derivation, "");
    CHECK(ocelotl_trace_clock_count(raw) == 0);
    CHECK_TEXT(info.derived_from, before.uid);
    CHECK_TEXT(info.derivation, "by hand");
    CHECK(ocelotl_trace_seconds(made, 10) == ocelotl_trace_seconds(raw, 1));
    CHECK(info.begin == 10 * (before.begin + 5) && info.end == 10 * (before.end + 5));
    CHECK(ocelotl_trace_clock_count(made) == 2);
    for (uint32_t i = 0; i < 2; i++) {
        const ocelotl_set_clock clock = ocelotl_trace_clock_at(made, i);
        CHECK_TEXT(clock.path, set_clocks[i].path);
        CHECK(clock.offset == 10 * set_clocks[i].offset && clock.drift == set_clocks[i].drift);
        CHECK(clock.bound == 10 * set_clocks[i].bound && clock.group == set_clocks[i].group);
        CHECK(clock.samples == set_clocks[i].samples && clock.messages == set_clocks[i].messages);
    }
    CHECK_TEXT(ocelotl_trace_clock_at(made, 2).path, "");
    options.tick_factor = 0;
    options.derivation = "two\nlines";
    CHECK_REFUSED(ocelotl_trace_derive(temporary_path("lines.db"), raw, &options), "expected one");
    ocelotl_trace_free(raw);
    ocelotl_trace_free(made);
    temporary_files(true);
}

/* An event at tick 3. */
static void write_event(const char *path, const char *origin, uint64_t ticks_per_second)
{
    ocelotl_writer_options given = OCELOTL_WRITER_OPTIONS_INIT;
    given.origin = origin;
    given.tick_numerator = 1;
    given.tick_denominator = ticks_per_second;
    ocelotl_writer *writer = must_write(path, &given);
    const uint32_t type = must_kind(writer, OCELOTL_ROOT, "p");
    const uint32_t resource = must_resource(writer, type, OCELOTL_ROOT, "a", 0);
    const uint32_t events = must_type(writer, OCELOTL_EVENT, type, "e");
    must_event(writer, resource, events, OCELOTL_NONE, 3);
    must_finish(writer);
}

static void test_finest(void)
{
    const char *path = temporary_path("raw.db");
    write_event(path, NULL, 1000000000000000000);
    OWN_TRACE *trace = must_open(path);
    ocelotl_derive_options options = {0};
    options.tick_factor = 2;
    CHECK_REFUSED(ocelotl_trace_derive(temporary_path("finer.db"), trace, &options),
                  "at most 10^18 a second");
    temporary_files(true);
}

/* Ticks of half a second, from tick 0 on; all is `earlier` ticks before. */
static void check_origin(const char *origin, int64_t earlier, const char *expected)
{
    const char *path = temporary_path("raw.db");
    const char *target = temporary_path("early.db");
    write_event(path, origin, 2);
    const ocelotl_time_piece piece = {.offset = -earlier};
    const ocelotl_time_function function = {&piece, 1};
    ocelotl_derive_options options = moved_by(&function);
    derive(target, path, &options);
    OWN_TRACE *trace = must_open(target);
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    CHECK_TEXT(info.origin, expected);
    CHECK(info.begin == (earlier < 0 ? -earlier : 0) && info.end == info.begin + 3);
    CHECK((strstr(info.derivation, "so that none is negative") != NULL) == (earlier > 0));
    temporary_files(true);
}

static void test_origins(void)
{
    static const struct {
        const char *origin;
        int64_t earlier;
        const char *expected;
    } cases[] = {
        {"2024-03-01T00:00:00Z", 0, "2024-03-01T00:00:00Z"},
        {"2024-03-01T00:00:00Z", -7, "2024-03-01T00:00:00Z"},
        {"2024-03-01T00:00:00Z", 1, "2024-02-29T23:59:59.5Z"},
        {"2024-03-01T00:00:00.123456789+02:00", 4, "2024-02-29T23:59:58.123456789+02:00"},
        {"2024-03-01T00:00:00.5", 3, "2024-02-29T23:59:59.0"},
        {"1970-01-01T00:00:00Z", 3, "1969-12-31T23:59:58.5Z"},
        {"yesterday", 3, ""},
        {"", 3, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_origin(cases[i].origin, cases[i].earlier, cases[i].expected);
}

/* --- Clocks that differ */

/* Where the trace would begin before zero, and before itself, all times are later. What it begins
 * with may be a link, by the first clock. */
static void add_shift(int64_t *offsets, const char *path)
{
    OWN_TRACE *trace = must_open(path);
    int64_t least = moved(offsets, 0, ocelotl_trace_info_of(trace).begin);
    for (uint32_t r = 0; r < RESOURCES; r++) {
        const int64_t begin = moved(offsets, r, ocelotl_trace_resource_at(trace, r).begin);
        least = begin < least ? begin : least;
    }
    const bool shifted = least < 0 && least < ocelotl_trace_info_of(trace).begin;
    for (uint32_t r = 0; r < RESOURCES; r++)
        offsets[r] -= shifted ? least : 0;
}

/* Clocks that disagree by more than links take: these change their order, and their signs. */
static void test_offsets(uint64_t seed, int64_t most)
{
    known_trace known;
    lines expected = {0}, got = {0};
    int64_t offsets[RESOURCES];
    uint32_t function_of[RESOURCES];
    ocelotl_time_piece pieces[RESOURCES];
    ocelotl_time_function functions[RESOURCES];
    const char *path = temporary_path("raw.db");
    const char *target = temporary_path("moved.db");
    known_write(&known, path, seed, 20000);
    free(known.events);
    for (uint32_t r = 0; r < RESOURCES; r++) {
        offsets[r] = (int64_t)check_below(&seed, (uint32_t)(2 * most)) - most;
        function_of[r] = r;
        pieces[r] = (ocelotl_time_piece){.from = 50, .offset = offsets[r] + 50, .drift = 1};
        functions[r] = (ocelotl_time_function){&pieces[r], 1};
    }
    ocelotl_derive_options options = {0};
    options.functions = functions;
    options.function_count = RESOURCES;
    options.function_of = function_of;
    derive(target, path, &options);
    check_uid(path, target, false);
    add_shift(offsets, path);
    read_lines(&expected, path, offsets);
    read_lines(&got, target, NULL);
    CHECK(expected.count == got.count && expected.count > 1000);
    for (size_t i = 0; i < got.count; i++)
        CHECK_TEXT(got.texts[i], expected.texts[i]);
    free_lines(&expected);
    free_lines(&got);
    temporary_files(true);
}

/* --- Functions of time */

static void test_rounding(void)
{
    const ocelotl_time_piece half = {.from = 0, .fraction = 0.5};
    const ocelotl_time_piece odd = {.from = 0, .offset = 1, .fraction = -0.5};
    const ocelotl_time_piece slow = {.from = 1000000000000000000, .drift = -1e-4};
    const ocelotl_time_function half_later = {&half, 1}, half_earlier = {&odd, 1};
    const ocelotl_time_function slower = {&slow, 1};
    bool fits = true;
    for (int64_t t = -5; t < 5; t++) {
        CHECK(ocelotl_time_of(&half_later, t, &fits) == (t % 2 == 0 ? t : t + 1));
        CHECK(ocelotl_time_of(&half_earlier, t, &fits) == (t % 2 == 0 ? t : t + 1));
    }
    /* 1 s behind 10^18 ns: 10^9 - 10^5, exactly. */
    CHECK(ocelotl_time_of(&slower, 1000000001000000000, &fits) == 1000000000999900000);
    CHECK(ocelotl_time_of(&slower, 999999999000000000, &fits) == 999999999000100000);
    CHECK(fits && ocelotl_time_of(&half_later, INT64_MAX, &fits) == INT64_MAX && !fits);
    fits = true;
    const ocelotl_time_piece early = {.from = 0, .offset = -2};
    CHECK(ocelotl_time_of(&(ocelotl_time_function){&early, 1}, INT64_MIN, &fits) == INT64_MIN &&
          !fits);
    CHECK(ocelotl_time_of(&(ocelotl_time_function){NULL, 0}, 7, NULL) == 7);
}

static void test_pieces(void)
{
    const ocelotl_time_piece two[] = {{.from = 0, .drift = 1}, {.from = 100, .offset = 100}};
    const ocelotl_time_function function = {two, 2};
    CHECK(ocelotl_time_of(&function, -10, NULL) == -20);
    CHECK(ocelotl_time_of(&function, 50, NULL) == 100);
    CHECK(ocelotl_time_of(&function, 100, NULL) == 200);
    CHECK(ocelotl_time_of(&function, 110, NULL) == 210);
}

static bool stop(void *context, uint64_t done, uint64_t total)
{
    (void)context;
    return done < total / 2;
}

static void test_refused(void)
{
    known_trace known;
    const char *path = temporary_path("raw.db");
    const char *target = temporary_path("never.db");
    known_write(&known, path, 5, 2000);
    free(known.events);
    OWN_TRACE *trace = must_open(path);
    ocelotl_time_piece pieces[] = {{.from = 10, .drift = 1}, {.from = 100, .offset = 0}};
    const ocelotl_time_function function = {pieces, 2};
    ocelotl_derive_options options = moved_by(&function);
    CHECK_REFUSED(ocelotl_trace_derive(target, trace, &options), "runs backwards at tick 100");
    pieces[0].from = 200;
    CHECK_REFUSED(ocelotl_trace_derive(target, trace, &options), "runs backwards at tick 100");
    pieces[0] = (ocelotl_time_piece){.drift = -1};
    CHECK_REFUSED(ocelotl_trace_derive(target, trace, &options), "a function of time that grows");
    pieces[0] = (ocelotl_time_piece){.offset = INT64_MAX - 3};
    pieces[1].offset = INT64_MAX;
    CHECK_REFUSED(ocelotl_trace_derive(target, trace, &options), "more than 2^63 ticks");
    options.function_count = 0;
    options.work.progress = stop;
    CHECK_FAILS(ocelotl_trace_derive(target, trace, &options), OCELOTL_ERROR_CANCELLED,
                "cancelled");
    options.work.progress = NULL;
    CHECK_REFUSED(ocelotl_trace_derive(path, trace, &options), "exists");
    CHECK(temporary_files(false) == 1);
    temporary_files(true);
}

int main(void)
{
    temporary_begin();
    test_rounding();
    test_pieces();
    for (uint64_t seed = 1; seed <= check_rounds(4); seed++)
        test_identity(seed);
    test_files();
    test_offsets(11, 20);
    test_offsets(12, 1000);
    test_offsets(13, 1000000);
    test_refused();
    test_moved(1, 0);
    test_moved(1, 5000000);
    test_moved(2, 0);
    test_moved(3, 1000000);
    test_description();
    test_origins();
    test_finest();
    return 0;
}
