/* Filters of values, resources and durations, against every tick of the listing of events; and that
 * filters compose with windows. */
#include "test_query_trace.h"

#include "test_model_cells.h"

enum { MOST_TICKS = 4096, MOST_STATES = 4096 };

static const char *const values_of_states[] = {"compute", "send", "wait"};

/* The states of one resource, as the listing has them. */
typedef struct listed {
    ocelotl_event states[MOST_STATES];
    int weights[MOST_STATES]; /* what they carry, -1: nothing */
    size_t count;
} listed;

/* What is to be shown. */
typedef struct wanted {
    ocelotl_nesting nesting;
    bool values[3];
    int64_t least, most;
    uint32_t depth; /* 0: all */
    int lightest;   /* of what has to be carried; 0: nothing */
} wanted;

/* A trace of nested and crossing states on a few resources. */
static ocelotl_trace *write_trace(uint64_t *random)
{
    uint32_t values[3];
    ocelotl_writer *writer = must_write(temporary_path("filter.db"), NULL);
    const uint32_t thread = must_kind(writer, OCELOTL_ROOT, "thread");
    const uint32_t type = must_type(writer, OCELOTL_STATE, thread, "doing");
    const uint32_t weight = must_attribute(writer, type, "weight");
    for (int v = 0; v < 3; v++)
        values[v] = must_value(writer, type, values_of_states[v]);
    for (int r = 0; r < 3; r++) {
        uint32_t depth = 0;
        int64_t time = check_below(random, 10);
        const uint32_t resource =
            must_resource(writer, thread, r == 2 ? 0 : OCELOTL_ROOT, "leaf", time);
        const uint32_t changes = 20 + check_below(random, 600);
        for (uint32_t i = 0; i < changes; i++, time += check_below(random, 4)) {
            if (depth < 4 && check_below(random, 2) == 0) {
                char text[16];
                snprintf(text, sizeof text, "%u", check_below(random, 100));
                const ocelotl_attribute_value carried = {weight, text, strlen(text)};
                CHECK_OK(ocelotl_writer_push(writer, resource, type, values[check_below(random, 3)],
                                             time, &carried, check_below(random, 8) > 0));
                depth++;
            } else if (depth > 0) {
                must_pop(writer, resource, type, check_below(random, depth--), time);
            }
        }
        must_end(writer, resource, time + check_below(random, 5));
    }
    must_finish(writer);
    return must_open(temporary_path("filter.db"));
}

static void list_states(listed *list, ocelotl_trace *trace, uint32_t resource)
{
    ocelotl_event event;
    bool found;
    list->count = 0;
    OWN_EVENTS *events = must_list(trace, NULL);
    CHECK_OK(ocelotl_events_next(&found, &event, events));
    while (found) {
        if (event.resource == resource && event.category == OCELOTL_STATE) {
            CHECK(list->count < MOST_STATES);
            list->weights[list->count] = -1;
            if (event.attributes != NULL)
                CHECK(sscanf(event.attributes, "{\"weight\":%d}", &list->weights[list->count]) ==
                      1);
            list->states[list->count++] = event;
        }
        CHECK_OK(ocelotl_events_next(&found, &event, events));
    }
}

static bool is_shown(const listed *list, const wanted *w, const ocelotl_event *state)
{
    const int64_t duration = state->end - state->begin;
    if (w->lightest > 0 && list->weights[state - list->states] < w->lightest)
        return false;
    return w->values[state->value] && duration >= w->least && duration <= w->most;
}

/* The innermost is the deepest of those that are shown by name: of those that cross, the one that
 * began last. */
static const ocelotl_event *innermost(const listed *list, const wanted *w, int64_t tick)
{
    const ocelotl_event *found = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const ocelotl_event *state = &list->states[i];
        if (state->begin > tick || state->end <= tick || !w->values[state->value])
            continue;
        /* Of states that begin together the one inside ends first, or, if they cross, has more open
         * before it. */
        if (found == NULL || state->begin > found->begin)
            found = state;
    }
    return found;
}

/* How many states that are shown by name are open at a tick that begin before this one. */
static uint32_t depth_of(const listed *list, const wanted *w, const ocelotl_event *state,
                         int64_t tick)
{
    uint32_t depth = 0;
    for (size_t i = 0; i < list->count; i++)
        depth += list->states[i].begin < state->begin && list->states[i].end > tick &&
                 w->values[list->states[i].value];
    return depth;
}

static bool is_deep(const listed *list, const wanted *w, const ocelotl_event *state, int64_t tick)
{
    return w->depth > 0 && depth_of(list, w, state, tick) >= w->depth;
}

/* Whether several states that are open begin together, so that the listing does not say how deep
 * they are. */
static bool is_depth_ambiguous(const listed *list, int64_t tick)
{
    for (size_t i = 0; i < list->count; i++)
        for (size_t j = 0; j < i; j++)
            if (list->states[i].begin == list->states[j].begin && list->states[i].begin <= tick &&
                list->states[i].end > tick && list->states[j].end > tick)
                return true;
    return false;
}

/* The innermost of those that count. */
static const ocelotl_event *last_that_counts(const listed *list, const wanted *w, int64_t tick)
{
    const ocelotl_event *found = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const ocelotl_event *state = &list->states[i];
        if (w->values[state->value] && state->begin <= tick && state->end > tick &&
            !is_deep(list, w, state, tick) && (found == NULL || state->begin > found->begin))
            found = state;
    }
    return found;
}

/* Returns whether several states of one resource begin at a tick, where the listing does not
 * determine the innermost. */
static bool is_ambiguous(const listed *list, const wanted *w, int64_t tick)
{
    const ocelotl_event *last = innermost(list, w, tick);
    int same = 0;
    for (size_t i = 0; i < list->count; i++)
        same += last != NULL && list->states[i].begin == last->begin &&
                list->states[i].end > tick && w->values[list->states[i].value];
    return same > 1;
}

/* Units of each value, and of "(no state)", that a tick has. */
static bool count_tick(int64_t *units, const listed *list, const wanted *w, int64_t tick)
{
    const ocelotl_event *last =
        w->depth > 0 ? last_that_counts(list, w, tick) : innermost(list, w, tick);
    bool any = false;
    if (w->depth > 0 && is_depth_ambiguous(list, tick))
        return false;
    if (w->nesting == OCELOTL_INNERMOST) {
        if (is_ambiguous(list, w, tick))
            return false;
        any = last != NULL && is_shown(list, w, last);
        if (any)
            units[last->value]++;
    }
    for (size_t i = 0; i < list->count && w->nesting == OCELOTL_INCLUSIVE; i++) {
        const ocelotl_event *state = &list->states[i];
        if (state->begin > tick || state->end <= tick || !is_shown(list, w, state) ||
            is_deep(list, w, state, tick))
            continue;
        units[state->value]++;
        any = true;
    }
    units[3] += !any;
    return true;
}

static void check_leaf(const ocelotl_model *model, ocelotl_trace *trace, const listed *list,
                       const wanted *w, uint32_t leaf, uint32_t resource, int64_t begin,
                       int64_t slice)
{
    const ocelotl_resource lived = ocelotl_trace_resource_at(trace, resource);
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    for (uint32_t s = 0; s < info.slice_count; s++) {
        int64_t units[4] = {0};
        bool sure = true, alive = false;
        for (int64_t tick = begin + s * slice; tick < begin + (s + 1) * slice; tick++) {
            sure = count_tick(units, list, w, tick) && sure;
            alive = alive || (tick >= lived.begin && tick < lived.end);
        }
        for (uint32_t v = 0; v < 3 && sure; v++)
            CHECK(units[v] == 0 || cells_type(model, values_of_states[v]) != OCELOTL_NONE);
        for (uint32_t x = 0; x < info.type_count && sure; x++) {
            const ocelotl_type type = ocelotl_model_type_at(model, x);
            uint32_t value = 3;
            for (uint32_t v = 0; v < 3; v++)
                value = strcmp(type.name, values_of_states[v]) == 0 ? v : value;
            CHECK_NEAR(cells_get(model, leaf, x, s),
                       alive ? (double)units[value] / (double)slice : 0, 1e-15);
        }
    }
}

static ocelotl_model_options choose(wanted *w, const char **names, char condition[32],
                                    uint64_t *random)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    *w = (wanted){.nesting = (ocelotl_nesting)check_below(random, 2), .most = INT64_MAX};
    const uint32_t how = check_below(random, 3);
    const uint32_t which = check_below(random, 3);
    names[0] = values_of_states[which];
    for (uint32_t v = 0; v < 3; v++)
        w->values[v] = how == 0 || (how == 1) == (v == which);
    if (how == 1)
        options.selection.only = (ocelotl_names){names, 1};
    if (how == 2)
        options.selection.except = (ocelotl_names){names, 1};
    if (check_below(random, 2) == 0)
        w->least = options.selection.min_duration = check_below(random, 12);
    if (check_below(random, 2) == 0)
        w->most = w->least + check_below(random, 30);
    options.selection.max_duration = w->most > 0 ? w->most : -1;
    if (check_below(random, 2) == 0) {
        w->lightest = 1 + (int)check_below(random, 99);
        snprintf(condition, 32, "weight >= %d", w->lightest);
        names[1] = condition;
        options.selection.where = (ocelotl_names){names + 1, 1};
    }
    options.cells.nesting = w->nesting;
    if (check_below(random, 2) == 0)
        w->depth = options.cells.nesting_depth = 1 + check_below(random, 4);
    return options;
}

/* A window of the trace in whole ticks for each slice. */
static void set_window(ocelotl_model_options *options, int64_t *slice, const ocelotl_trace *trace,
                       uint64_t *random)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    options->slices = 1 + check_below(random, 12);
    const int64_t longest = (info.end - info.begin) / options->slices;
    *slice = 1 + check_below(random, (uint32_t)longest);
    options->selection.from =
        info.begin +
        check_below(random, (uint32_t)(info.end - info.begin - options->slices * *slice + 1));
    options->selection.to = options->selection.from + options->slices * *slice;
}

static void check_random_trace(uint64_t seed)
{
    static listed list;
    uint64_t random = seed * 0x9E3779B97F4A7C15u;
    OWN_TRACE *trace = write_trace(&random);
    for (int i = 0; i < 8; i++) {
        const char *names[2];
        char condition[32];
        wanted w;
        int64_t slice;
        OWN_MODEL *model = NULL;
        ocelotl_model_options options = choose(&w, names, condition, &random);
        set_window(&options, &slice, trace, &random);
        const ocelotl_status status = ocelotl_model_from_trace(&model, trace, &options);
        if (status == OCELOTL_ERROR_ARGUMENT) {
            CHECK(strstr(ocelotl_error_message(), "nothing that can be shown is called") != NULL);
            continue; /* a trace so short that it has no such value */
        }
        CHECK_OK(status);
        for (uint32_t leaf = 0; leaf < ocelotl_model_info_of(model).leaf_count; leaf++) {
            uint32_t node = 0;
            while (strcmp(ocelotl_model_node_at(model, node).path, cells_path(model, leaf)) != 0)
                node++;
            const uint32_t resource = ocelotl_model_node_at(model, node).source;
            list_states(&list, trace, resource);
            check_leaf(model, trace, &list, &w, leaf, resource, options.selection.from, slice);
        }
    }
}

/* A filter of durations that all states pass, and a depth that none exceeds, change no bit, however
 * the model is made. */
static void check_same(uint64_t seed)
{
    uint64_t random = seed * 0x9E3779B97F4A7C15u;
    OWN_TRACE *trace = write_trace(&random);
    for (int i = 0; i < 4; i++) {
        ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
        options.cells.nesting = (ocelotl_nesting)(i & 1);
        options.cells.untraced = (ocelotl_untraced)(i >> 1);
        options.slices = 1 + check_below(&random, 20);
        OWN_MODEL *one = must_build(trace, &options);
        options.selection.max_duration = INT64_MAX - 1;
        ocelotl_model *other = must_build(trace, &options);
        CHECK(ocelotl_model_hash(one) == ocelotl_model_hash(other));
        ocelotl_model_free(other);
        options.cells.nesting_depth = 4; /* the trace has no more levels */
        other = must_build(trace, &options);
        CHECK(ocelotl_model_hash(one) == ocelotl_model_hash(other));
        ocelotl_model_free(other);
    }
}

/* A trace of several chunks whose states all last long for a while, then all short, then both;
 * nested on every other resource, and with gaps on some. All of them carry a weight of 1. */
static ocelotl_trace *write_phases(uint64_t *random)
{
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    uint32_t values[3];
    options.tick_numerator = options.tick_denominator = 1; /* sums of seconds are exact */
    options.overwrite = true;
    ocelotl_writer *writer = must_write(temporary_path("phases.db"), &options);
    const uint32_t thread = must_kind(writer, OCELOTL_ROOT, "thread");
    const uint32_t type = must_type(writer, OCELOTL_STATE, thread, "doing");
    const uint32_t weight = must_attribute(writer, type, "weight");
    for (int v = 0; v < 3; v++)
        values[v] = must_value(writer, type, values_of_states[v]);
    const ocelotl_attribute_value carried = {weight, "1", 1};
    for (uint32_t r = 0; r < 4; r++) {
        char name[8];
        snprintf(name, sizeof name, "r%u", r);
        int64_t time = check_below(random, 100);
        const uint32_t resource = must_resource(writer, thread, OCELOTL_ROOT, name, time);
        if (r == 3)
            CHECK_OK(ocelotl_writer_push(writer, resource, type, values[0], time, &carried, 1));
        for (uint32_t i = 0; i < 9000; i++) {
            const uint32_t phase = i / 3000;
            const bool longer = phase == 0 || (phase == 2 && check_below(random, 2) == 0);
            const uint32_t value = values[check_below(random, 3)];
            const bool nests = r % 2 == 1 && check_below(random, 3) == 0;
            CHECK_OK(ocelotl_writer_push(writer, resource, type, value, time, &carried, 1));
            if (nests)
                CHECK_OK(ocelotl_writer_push(writer, resource, type, value, ++time, &carried, 1));
            time += longer ? 100 + check_below(random, 50) : check_below(random, 20);
            must_pop(writer, resource, type, nests ? check_below(random, 2) : 0, time);
            if (nests)
                must_pop(writer, resource, type, 0, ++time);
            time += r >= 2 ? check_below(random, 5) : 0;
        }
        must_end(writer, resource, time + 10);
    }
    must_finish(writer);
    return must_open(temporary_path("phases.db"));
}

/* Checks that leaving out chunks, and reading them without records, changes no bit: a condition on
 * what states carry, which all of them meet, forces every record to be read. */
static void check_phases(uint64_t seed)
{
    static const char *const metrics[] = {"state-duration", "state-min-duration",
                                          "state-max-duration", "state-mean-duration",
                                          "event-count"};
    static const char *carries[] = {"weight = 1"};
    uint64_t random = seed * 0x9E3779B97F4A7C15u;
    OWN_TRACE *trace = write_phases(&random);
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    for (int i = 0; i < 40; i++) {
        ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
        options.cells.metric = metrics[check_below(&random, 5)];
        options.slices = 1 + check_below(&random, 40);
        if (options.cells.metric == metrics[0]) {
            options.cells.nesting = (ocelotl_nesting)check_below(&random, 2);
            options.cells.untraced = (ocelotl_untraced)check_below(&random, 2);
        }
        if (check_below(&random, 3) > 0) {
            options.selection.from = check_below(&random, (uint32_t)(info.end / 2));
            options.selection.to =
                options.selection.from + 1000 + check_below(&random, (uint32_t)(info.end / 2));
        }
        options.selection.min_duration = check_below(&random, 2) * check_below(&random, 160);
        if (i % 4 == 0) /* the condition alone */
            options.selection.min_duration = 0;
        else if (options.selection.min_duration == 0 || check_below(&random, 3) == 0)
            options.selection.max_duration =
                options.selection.min_duration + 1 + check_below(&random, 140);
        OWN_MODEL *one = must_build(trace, &options);
        options.selection.where = (ocelotl_names){carries, 1};
        OWN_MODEL *other = must_build(trace, &options);
        CHECK(ocelotl_model_hash(one) == ocelotl_model_hash(other));
    }
}

static void check_refusals(void)
{
    uint64_t random = 9;
    OWN_TRACE *trace = write_trace(&random);
    ocelotl_model *model;
    const char *wrong[] = {"conpute"};
    const char *all[] = {"*"};
    const char *leaf[] = {"leaf"};
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.selection.only = (ocelotl_names){wrong, 1};
    MUST_REFUSE(trace, &options, "called \"conpute\"; the nearest is \"compute\"");
    options.selection.only = (ocelotl_names){all, 1};
    options.selection.except = (ocelotl_names){all, 1};
    CHECK_FAILS(ocelotl_model_from_trace(&model, trace, &options), OCELOTL_ERROR_EMPTY,
                "leave nothing");
    options = (ocelotl_model_options)OCELOTL_MODEL_OPTIONS_INIT;
    options.selection.except_resources = (ocelotl_names){all, 1};
    CHECK_FAILS(ocelotl_model_from_trace(&model, trace, &options), OCELOTL_ERROR_EMPTY,
                "have nothing of what is shown");
    options.selection.except_resources = (ocelotl_names){wrong, 1};
    MUST_REFUSE(trace, &options, "has no resource");
    /* leaf, leaf#2 and leaf/leaf */
    options.selection.except_resources = (ocelotl_names){leaf, 1};
    model = must_build(trace, &options);
    CHECK(ocelotl_model_info_of(model).leaf_count == 1);
    CHECK_TEXT(cells_path(model, 0), "leaf#2");
    CHECK_TEXT(ocelotl_model_info_of(model).filters, "except resources leaf");
    ocelotl_model_free(model);
    options = (ocelotl_model_options)OCELOTL_MODEL_OPTIONS_INIT;
    options.selection.only_resources = (ocelotl_names){leaf, 1};
    model = must_build(trace, &options);
    CHECK(ocelotl_model_info_of(model).leaf_count == 2);
    ocelotl_model_free(model);
    options = (ocelotl_model_options)OCELOTL_MODEL_OPTIONS_INIT;
    options.selection.min_duration = 5;
    options.selection.max_duration = 4;
    MUST_REFUSE(trace, &options, "durations from 5 to 4");
    static const struct {
        const char *condition, *message;
    } conditions[] = {
        {"wieght >= 3", "no event carries \"wieght\"; the nearest attribute is \"weight\""},
        {"weight", "condition \"weight\" compares nothing, expected NAME OP VALUE"},
        {"weight >= much", "compares with \"much\", expected a number"},
        {"weight <", "compares with \"\", expected a number"},
        {" = 4", "names no attribute"},
        {"", "compares nothing"},
    };
    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++) {
        options = (ocelotl_model_options)OCELOTL_MODEL_OPTIONS_INIT;
        options.selection.where = (ocelotl_names){&conditions[i].condition, 1};
        MUST_REFUSE(trace, &options, conditions[i].message);
    }
    const char *many[65];
    for (size_t i = 0; i < 65; i++)
        many[i] = "weight > 1";
    options.selection.where = (ocelotl_names){many, 65};
    MUST_REFUSE(trace, &options, "expected at most 64");
    options.selection.where.count = 64;
    model = must_build(trace, &options);
    ocelotl_model_free(model);
    many[3] = NULL;
    MUST_REFUSE(trace, &options, "condition 3 has no name");
    options = (ocelotl_model_options)OCELOTL_MODEL_OPTIONS_INIT;
    options.cells.metric = "event-count";
    options.cells.nesting_depth = 2;
    MUST_REFUSE(trace, &options, "cut at depth 2, which the metric event-count does not heed");
}

int main(void)
{
    temporary_begin();
    for (uint64_t seed = 1; seed <= check_rounds(60); seed++)
        check_random_trace(seed);
    for (uint64_t seed = 100; seed < 100 + check_rounds(20); seed++)
        check_same(seed);
    for (uint64_t seed = 200; seed <= 203; seed++)
        check_phases(seed);
    check_refusals();
    return 0;
}
