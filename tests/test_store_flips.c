/* Flips bits of a trace.db: none may change an answer in silence. With one bit changed, each
 * question gets its old answer or an error of one line.
 *
 * OCELOTL_TEST_ROUNDS=5000 flips this many bits, half of them in each of two traces; see
 * scripts/test.sh --slow. */
#include "test_query_trace.h"

/* A question: gives a hash of all that is answered. */
typedef ocelotl_status (*question)(uint64_t *answer, ocelotl_trace *trace);

static void mix(uint64_t *hash, uint64_t number)
{
    *hash = (*hash ^ number) * 0x9E3779B97F4A7C15u;
    *hash ^= *hash >> 29;
}

static void mix_text(uint64_t *hash, const char *text)
{
    for (; text != NULL && *text != '\0'; text++)
        mix(hash, (unsigned char)*text);
    mix(hash, 256);
}

static void mix_double(uint64_t *hash, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    mix(hash, bits);
}

/* What the tables say. */
static ocelotl_status ask_names(uint64_t *answer, ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    const char *const texts[] = {info.name,   info.uid,      info.source,
                                 info.format, info.importer, info.origin};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        mix_text(answer, texts[i]);
    mix(answer, info.tick_denominator ^ info.tick_numerator << 32);
    mix(answer, (uint64_t)info.begin);
    mix(answer, (uint64_t)info.end);
    for (uint32_t i = 0; i < ocelotl_trace_resource_type_count(trace); i++)
        mix_text(answer, ocelotl_trace_resource_type_at(trace, i).name);
    for (uint32_t i = 0; i < ocelotl_trace_resource_count(trace); i++) {
        const ocelotl_resource resource = ocelotl_trace_resource_at(trace, i);
        mix_text(answer, resource.name);
        mix(answer, resource.type ^ (uint64_t)resource.parent << 32);
        mix(answer, (uint64_t)resource.begin);
        mix(answer, (uint64_t)resource.end);
    }
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, i);
        mix_text(answer, type.name);
        mix_text(answer, type.unit);
        mix(answer, type.count ^ type.unmatched << 32 ^ (uint64_t)type.colour);
    }
    for (uint32_t i = 0; i < ocelotl_trace_value_count(trace); i++) {
        const ocelotl_value value = ocelotl_trace_value_at(trace, i);
        mix_text(answer, value.name);
        mix(answer, value.count ^ (uint64_t)value.colour << 32 ^ value.event_type);
        mix(answer, (uint64_t)value.innermost_ticks);
        mix(answer, (uint64_t)value.inclusive_ticks);
    }
    for (uint32_t i = 0; i < ocelotl_trace_warning_count(trace); i++)
        mix_text(answer, ocelotl_trace_warning_at(trace, i).detail);
    return OCELOTL_OK;
}

static ocelotl_status add_events(uint64_t *answer, ocelotl_events *events)
{
    for (;;) {
        bool found;
        ocelotl_event event;
        const ocelotl_status status = ocelotl_events_next(&found, &event, events);
        if (status != OCELOTL_OK || !found)
            return status;
        mix(answer, (uint64_t)event.begin);
        mix(answer, (uint64_t)event.end);
        mix(answer, event.value ^ (uint64_t)event.resource << 32);
        mix(answer, event.source ^ (uint64_t)event.target << 32);
        mix_double(answer, event.number);
        mix_text(answer, event.key);
        mix_text(answer, ocelotl_events_path(events, event.resource));
    }
}

static ocelotl_status read_events(uint64_t *answer, ocelotl_trace *trace,
                                  const ocelotl_events_options *options)
{
    ocelotl_events *events;
    ocelotl_status status = ocelotl_events_open(&events, trace, options);
    if (status != OCELOTL_OK)
        return status;
    status = add_events(answer, events);
    ocelotl_events_free(events);
    return status;
}

static int64_t middle_of(const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    return info.begin + (info.end - info.begin) / 2;
}

static ocelotl_status ask_events(uint64_t *answer, ocelotl_trace *trace)
{
    return read_events(answer, trace, NULL);
}

static ocelotl_status ask_window(uint64_t *answer, ocelotl_trace *trace)
{
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    options.selection.from = middle_of(trace);
    options.selection.to = options.selection.from + 20;
    return read_events(answer, trace, &options);
}

static ocelotl_status add_up(uint64_t *answer, ocelotl_trace *trace, int64_t from,
                             ocelotl_extremes extremes)
{
    ocelotl_statistics_options options = OCELOTL_STATISTICS_OPTIONS_INIT;
    ocelotl_statistics *statistics;
    options.selection.from = from;
    options.selection.to = INT64_MAX;
    options.extremes = extremes;
    const ocelotl_status status = ocelotl_statistics_compute(&statistics, trace, &options);
    if (status != OCELOTL_OK)
        return status;
    for (uint32_t i = 0; i < ocelotl_statistics_count(statistics); i++) {
        const ocelotl_statistic row = ocelotl_statistics_row_at(statistics, i);
        mix_double(answer, (double)row.innermost);
        mix_double(answer, (double)row.inclusive);
        mix_double(answer, row.low);
        mix_double(answer, row.high);
    }
    ocelotl_statistics_free(statistics);
    return OCELOTL_OK;
}

static ocelotl_status ask_sums(uint64_t *answer, ocelotl_trace *trace)
{
    return add_up(answer, trace, INT64_MIN, OCELOTL_EXTREMES_TYPES);
}

static ocelotl_status ask_sums_of_window(uint64_t *answer, ocelotl_trace *trace)
{
    return add_up(answer, trace, middle_of(trace), OCELOTL_EXTREMES_VALUES);
}

static ocelotl_status make_model(uint64_t *answer, ocelotl_trace *trace, const char *metric,
                                 bool window)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    ocelotl_model *model;
    options.slices = 13;
    options.cells.metric = metric;
    options.cells.shift = options.cells.scale = strncmp(metric, "variable", 8) == 0;
    if (window)
        options.selection.from = middle_of(trace);
    options.selection.to = INT64_MAX;
    const ocelotl_status status = ocelotl_model_from_trace(&model, trace, &options);
    if (status != OCELOTL_OK)
        return status;
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    double *values = malloc((info.type_count + 1) * sizeof *values);
    CHECK(values != NULL);
    for (uint32_t node = 0; node < info.node_count; node++)
        for (uint32_t slice = 0; slice < info.slice_count; slice++) {
            CHECK_OK(ocelotl_model_values(values, model, node, slice, slice));
            for (uint32_t x = 0; x < info.type_count; x++)
                mix_double(answer, values[x]);
        }
    free(values);
    ocelotl_model_free(model);
    return OCELOTL_OK;
}

/* Every metric, of the whole or of a window by turns. */
static ocelotl_status ask_models(uint64_t *answer, ocelotl_trace *trace)
{
    for (uint32_t m = 0; m < ocelotl_metric_count(); m++) {
        const ocelotl_status status =
            make_model(answer, trace, ocelotl_metric_at(m).name, m % 2 == 1);
        if (status != OCELOTL_OK)
            return status;
    }
    return OCELOTL_OK;
}

static ocelotl_status ask_drawables(uint64_t *answer, ocelotl_trace *trace)
{
    ocelotl_drawables_options options = OCELOTL_DRAWABLES_OPTIONS_INIT;
    ocelotl_drawables *drawables;
    options.width = 50;
    const ocelotl_status status = ocelotl_drawables_compute(&drawables, trace, &options);
    if (status != OCELOTL_OK)
        return status;
    for (uint32_t r = 0; r < ocelotl_drawables_row_count(drawables); r++)
        for (uint64_t i = 0; i < ocelotl_drawables_row_at(drawables, r).objects; i++) {
            const ocelotl_drawn_object object = ocelotl_drawables_object_at(drawables, r, i);
            mix(answer, (uint64_t)object.begin);
            mix(answer, (uint64_t)object.end);
        }
    ocelotl_drawables_free(drawables);
    return OCELOTL_OK;
}

static const question questions[] = {ask_names,          ask_events, ask_window,   ask_sums,
                                     ask_sums_of_window, ask_models, ask_drawables};

enum { QUESTIONS = sizeof questions / sizeof questions[0] };

/* 0 where a question has no answer: each opens the file anew, as each command does. */
static void ask(uint64_t answers[QUESTIONS], const char *path)
{
    for (size_t q = 0; q < QUESTIONS; q++) {
        ocelotl_trace *trace = NULL;
        answers[q] = 1;
        ocelotl_status status = ocelotl_trace_open(&trace, path);
        if (status == OCELOTL_OK)
            status = questions[q](&answers[q], trace);
        ocelotl_trace_free(trace);
        if (status == OCELOTL_OK)
            continue;
        answers[q] = 0;
        CHECK(status == OCELOTL_ERROR_INPUT || status == OCELOTL_ERROR_IO);
        CHECK(ocelotl_error_message()[0] != '\0' && strchr(ocelotl_error_message(), '\n') == NULL);
    }
}

/* Flips bits of a file, one at a time; gives how many were found. */
static uint32_t flip(const char *path, uint32_t rounds, uint64_t random)
{
    uint64_t whole[QUESTIONS], answers[QUESTIONS];
    uint32_t found = 0;
    size_t length;
    char *bytes = temporary_read(&length, path);
    const char *flipped = temporary_path("flipped.db");
    ask(whole, path);
    for (size_t q = 0; q < QUESTIONS; q++)
        CHECK(whole[q] != 0);
    for (uint32_t i = 0; i < rounds; i++) {
        const uint32_t place = check_below(&random, (uint32_t)length);
        const unsigned bit = check_below(&random, 8);
        const char before = bytes[place];
        bytes[place] = (char)(before ^ (1 << bit));
        temporary_write(flipped, bytes, length);
        bytes[place] = before;
        ask(answers, flipped);
        bool refused = false;
        for (size_t q = 0; q < QUESTIONS; q++) {
            refused = refused || answers[q] == 0;
            if (answers[q] != 0 && answers[q] != whole[q])
                fprintf(stderr, "byte %u, bit %u: question %zu has another answer\n", place, bit,
                        q);
            CHECK(answers[q] == 0 || answers[q] == whole[q]);
        }
        found += refused;
    }
    free(bytes);
    return found;
}

int main(void)
{
    const char *wanted = getenv("OCELOTL_TEST_ROUNDS");
    const uint32_t asked = wanted != NULL ? (uint32_t)strtoul(wanted, NULL, 10) : 0;
    const uint32_t rounds = asked > 0 ? asked / 2 : check_rounds(120);
    known_trace known;
    temporary_begin();
    const char *path = temporary_path("trace.db");
    known_write(&known, path, 31, 700);
    free(known.events);
    CHECK(flip(path, rounds, 5) > rounds / 20);
    path = temporary_path("longer.db");
    known_write(&known, path, 32, 9000);
    free(known.events);
    CHECK(flip(path, rounds, 6) > rounds / 4);
    return 0;
}
