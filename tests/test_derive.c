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
    ocelotl_trace *trace = NULL;
    ocelotl_events *events = NULL;
    ocelotl_event event;
    bool found = true;
    CHECK_OK(ocelotl_trace_open(&trace, path));
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    options.every_change = true;
    CHECK_OK(ocelotl_events_open(&events, trace, &options));
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
    ocelotl_trace *trace = NULL;
    ocelotl_verification *verification = NULL;
    CHECK_OK(ocelotl_trace_open(&trace, path));
    CHECK_OK(ocelotl_trace_derive(target, trace, options));
    ocelotl_trace_free(trace);
    CHECK_OK(ocelotl_verify(&verification, target, NULL));
    CHECK(ocelotl_verification_info_of(verification).damages == 0);
    ocelotl_verification_free(verification);
}

static void check_uid(const char *path, const char *other, bool same)
{
    ocelotl_trace *a = NULL;
    ocelotl_trace *b = NULL;
    CHECK_OK(ocelotl_trace_open(&a, path));
    CHECK_OK(ocelotl_trace_open(&b, other));
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
    ocelotl_trace_free(a);
    ocelotl_trace_free(b);
}

/* --- Whole traces */

static void test_identity(uint64_t seed)
{
    known_trace known;
    const char *path = temporary_path("raw.db");
    const char *target = temporary_path("same.db");
    known_write(&known, path, seed, 20000);
    free(known.events);
    ocelotl_derive_options options = OCELOTL_DERIVE_OPTIONS_INIT;
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
    snprintf(source, sizeof source, "%s/%s", folder, name);
    CHECK_OK(ocelotl_import(path, source, &import));
    ocelotl_derive_options options = OCELOTL_DERIVE_OPTIONS_INIT;
    derive(target, path, &options);
    check_uid(path, target, true);
    temporary_files(true);
}

/* The traces that are shared, where they are. */
static void test_files(void)
{
    static const char *const shared[] = {"pajeng-categories.trace",    "pajeng-links.trace",
                                         "pajeng-native_sample.trace", "pajeng-states.trace",
                                         "pajeng-events.trace",        "pajeng-variables.trace",
                                         "pajengr-simgrid.trace",      "smpi-stencil-96.trace"};
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

/* Clocks that disagree by more than links take: these change their order, and their signs. */
static void test_offsets(uint64_t seed, int64_t most)
{
    known_trace known;
    lines expected = {0};
    lines got = {0};
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
    ocelotl_derive_options options = OCELOTL_DERIVE_OPTIONS_INIT;
    options.functions = functions;
    options.function_count = RESOURCES;
    options.function_of = function_of;
    derive(target, path, &options);
    check_uid(path, target, false);
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
    const ocelotl_time_function half_later = {&half, 1};
    const ocelotl_time_function half_earlier = {&odd, 1};
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
    static const uint32_t function_of[RESOURCES] = {0};
    known_trace known;
    ocelotl_trace *trace = NULL;
    const char *path = temporary_path("raw.db");
    const char *target = temporary_path("never.db");
    known_write(&known, path, 5, 2000);
    free(known.events);
    CHECK_OK(ocelotl_trace_open(&trace, path));
    ocelotl_time_piece pieces[] = {{.from = 10, .drift = 1}, {.from = 100, .offset = 0}};
    const ocelotl_time_function function = {pieces, 2};
    ocelotl_derive_options options = OCELOTL_DERIVE_OPTIONS_INIT;
    options.functions = &function;
    options.function_of = function_of;
    options.function_count = 1;
    CHECK_FAILS(ocelotl_trace_derive(target, trace, &options), OCELOTL_ERROR_ARGUMENT,
                "runs backwards at tick 100");
    pieces[0].from = 200;
    CHECK_FAILS(ocelotl_trace_derive(target, trace, &options), OCELOTL_ERROR_ARGUMENT,
                "runs backwards at tick 100");
    pieces[0] = (ocelotl_time_piece){.drift = -1};
    CHECK_FAILS(ocelotl_trace_derive(target, trace, &options), OCELOTL_ERROR_ARGUMENT,
                "a function of time that grows");
    pieces[0] = (ocelotl_time_piece){.offset = INT64_MAX - 3};
    pieces[1].offset = INT64_MAX;
    CHECK_FAILS(ocelotl_trace_derive(target, trace, &options), OCELOTL_ERROR_ARGUMENT,
                "more than 2^63 ticks");
    options.function_count = 0;
    options.work.progress = stop;
    CHECK_FAILS(ocelotl_trace_derive(target, trace, &options), OCELOTL_ERROR_CANCELLED,
                "cancelled");
    options.work.progress = NULL;
    CHECK_FAILS(ocelotl_trace_derive(path, trace, &options), OCELOTL_ERROR_ARGUMENT, "exists");
    CHECK(temporary_files(false) == 1);
    ocelotl_trace_free(trace);
    temporary_files(true);
}

int main(void)
{
    temporary_begin();
    test_rounding();
    test_pieces();
    for (uint64_t seed = 1; seed < 5; seed++)
        test_identity(seed);
    test_files();
    test_offsets(11, 20);
    test_offsets(12, 1000);
    test_offsets(13, 1000000);
    test_refused();
    return 0;
}
