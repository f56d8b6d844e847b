/* Every metric, against sums over the listing of events: of single cells and of what is drawn of
 * larger parts; and windows, against the whole cut down. */
#include "test_known_filter.h"

#include "test_model_cells.h"

enum { CHANGES = 2500 };

typedef struct listed {
    ocelotl_event *events;
    double *sizes; /* of links: their attribute, or 0 */
    size_t count, capacity;
} listed;

/* A trace with its listing, and a window whose slices are whole ticks. */
typedef struct sample {
    ocelotl_trace *trace;
    listed list;
    int64_t trace_begin, trace_end, begin, slice;
    uint32_t slices;
    known_trace known;
    const ocelotl_selection *filter; /* only its conditions count; NULL: none */
} sample;

/* What a part holds of a type. */
typedef struct held {
    double sum, weight, low, high;
    bool any; /* with extremes */
} held;

static double size_of(const ocelotl_event *event)
{
    const char *size = event->attributes != NULL ? strstr(event->attributes, "\"size\":") : NULL;
    return size != NULL ? strtod(size + strlen("\"size\":"), NULL) : 0;
}

static void list_events(listed *list, ocelotl_trace *trace, const ocelotl_selection *filter)
{
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    ocelotl_event event;
    bool found;
    if (filter != NULL)
        options.selection = *filter;
    list->count = 0;
    OWN_EVENTS *events = must_list(trace, &options);
    CHECK_OK(ocelotl_events_next(&found, &event, events));
    while (found) {
        if (list->count == list->capacity) {
            list->capacity = 2 * list->capacity + 1024;
            list->events = realloc(list->events, list->capacity * sizeof *list->events);
            list->sizes = realloc(list->sizes, list->capacity * sizeof *list->sizes);
            CHECK(list->events != NULL && list->sizes != NULL);
        }
        list->sizes[list->count] = size_of(&event);
        list->events[list->count++] = event;
        CHECK_OK(ocelotl_events_next(&found, &event, events));
    }
}

static void make_sample(sample *s, uint64_t seed, uint64_t *random)
{
    const char *path = temporary_path("metrics.db");
    unlink(path);
    memset(s, 0, sizeof *s);
    known_write(&s->known, path, seed * 0x9E3779B97F4A7C15u, CHANGES);
    s->trace = must_open(path);
    list_events(&s->list, s->trace, NULL);
    s->trace_begin = ocelotl_trace_info_of(s->trace).begin;
    s->trace_end = ocelotl_trace_info_of(s->trace).end;
    const int64_t length = s->trace_end - s->trace_begin;
    s->slices = 1 + check_below(random, 12);
    s->slice = check_below(random, 2) == 0
                   ? length / s->slices
                   : 1 + check_below(random, (uint32_t)(length / s->slices));
    /* at the trace's beginning, at its end, or anywhere */
    const uint32_t spare = (uint32_t)(length - s->slices * s->slice);
    const uint32_t where = check_below(random, 3);
    s->begin = s->trace_begin + (where == 0   ? 0
                                 : where == 1 ? spare
                                              : check_below(random, spare + 1));
}

static void free_sample(sample *s)
{
    free(s->known.events);
    free(s->list.events);
    free(s->list.sizes);
    ocelotl_trace_free(s->trace);
}

static bool is_in(const sample *s, int64_t time, int64_t from, int64_t to)
{
    return time >= from && (time < to || (time == to && to == s->trace_end));
}

static double overlap(int64_t begin, int64_t end, int64_t from, int64_t to)
{
    const int64_t first = begin > from ? begin : from;
    const int64_t last = end < to ? end : to;
    return last > first ? (double)(last - first) : 0;
}

static void hold(held *h, double sum, double weight, double value)
{
    h->sum += sum;
    h->weight += weight;
    h->low = !h->any || value < h->low ? value : h->low;
    h->high = !h->any || value > h->high ? value : h->high;
    h->any = true;
}

static void hold_link(held *h, const sample *s, const char *metric, size_t place, uint32_t resource,
                      int64_t from, int64_t to)
{
    const ocelotl_event *link = &s->list.events[place];
    const bool received = strstr(metric, "received") != NULL;
    const double value = strncmp(metric, "link-bytes", 10) == 0 ? s->list.sizes[place] : 1;
    if (resource != (received ? link->target : link->source) || resource == OCELOTL_NONE)
        return;
    if (strstr(metric, "flight") != NULL) {
        if (link->source == OCELOTL_NONE)
            return; /* nobody knows for how long */
        const int64_t life = ocelotl_trace_resource_at(s->trace, link->source).end;
        const bool lost = link->target == OCELOTL_NONE || (link->end > life);
        hold(h, value * overlap(link->begin, lost ? life : link->end, from, to) / (double)s->slice,
             0, 0);
        return;
    }
    const int64_t last = link->end > link->begin ? link->end : link->begin;
    if (is_in(s, received ? last : link->begin, from, to))
        hold(h, value, 0, 0);
}

/* Adds what an event has of a metric in from..to. */
static void hold_event(held *h, const sample *s, const char *metric, size_t place,
                       uint32_t resource, int64_t from, int64_t to)
{
    const ocelotl_event *event = &s->list.events[place];
    const double seconds = ocelotl_trace_seconds(s->trace, event->end - event->begin);
    if (event->category == OCELOTL_LINK && strcmp(metric, "link-ends") == 0) {
        hold_link(h, s, "link-count", place, resource, from, to);
        hold_link(h, s, "link-count-received", place, resource, from, to);
    } else if (event->category == OCELOTL_LINK && strncmp(metric, "link", 4) == 0) {
        hold_link(h, s, metric, place, resource, from, to);
    }
    if (strcmp(metric, "event-count") == 0 && event->resource == resource &&
        (event->category != OCELOTL_LINK || event->source != OCELOTL_NONE) &&
        is_in(s, event->begin, from, to))
        hold(h, 1, 0, 0);
    if (strncmp(metric, "state", 5) == 0 && event->resource == resource &&
        is_in(s, event->end, from, to))
        hold(h, seconds, 1, seconds);
    const double time = overlap(event->begin, event->end, from, to);
    if (strncmp(metric, "variable", 8) == 0 && event->resource == resource && time > 0)
        hold(h, event->number * time, time, event->number);
}

static const char *type_name(const sample *s, const ocelotl_event *event, bool by_type)
{
    return by_type || event->value == OCELOTL_NONE
               ? ocelotl_trace_event_type_at(s->trace, event->event_type).name
               : ocelotl_trace_value_at(s->trace, event->value).name;
}

typedef struct asked {
    const char *metric, *only;
    int64_t least, most; /* durations */
    bool by_type;
} asked;

static double expect(const sample *s, const ocelotl_model *model, const asked *a, uint32_t node,
                     uint32_t first, uint32_t last, uint32_t type)
{
    held h = {0};
    const ocelotl_node top = ocelotl_model_node_at(model, node);
    const char *name = ocelotl_model_type_at(model, type).name;
    for (uint32_t k = 0; k < ocelotl_model_info_of(model).node_count; k++) {
        const ocelotl_node leaf = ocelotl_model_node_at(model, k);
        if (!oc_tree_is_leaf(&oc_model_matrix(model)->tree, k) ||
            leaf.leaf_first < top.leaf_first || leaf.leaf_first >= top.leaf_first + top.leaf_count)
            continue;
        for (size_t i = 0; i < s->list.count; i++) {
            const ocelotl_event *event = &s->list.events[i];
            const int64_t duration = event->end - event->begin;
            if (strcmp(ocelotl_trace_event_type_at(s->trace, event->event_type).name, a->only) ==
                    0 &&
                strcmp(type_name(s, event, a->by_type), name) == 0 &&
                (event->category != OCELOTL_STATE || (duration >= a->least && duration <= a->most)))
                hold_event(&h, s, a->metric, i, leaf.source, s->begin + first * s->slice,
                           s->begin + (last + 1) * s->slice);
        }
    }
    const size_t length = strlen(a->metric);
    if (strstr(a->metric, "-min") != NULL)
        return h.any ? h.low : NAN;
    if (strstr(a->metric, "-max") != NULL)
        return h.any ? h.high : NAN;
    if (length > 4 && strstr(a->metric, "-mean") != NULL)
        return h.weight > 0 ? h.sum / h.weight : NAN;
    return h.sum / (double)top.leaf_count / (last - first + 1.0);
}

static void check_part(const sample *s, const ocelotl_model *model, const asked *a, uint32_t node,
                       uint32_t first, uint32_t last)
{
    double values[8];
    const uint32_t types = ocelotl_model_info_of(model).type_count;
    CHECK(types <= 8);
    CHECK_OK(ocelotl_model_values(values, model, node, first, last));
    for (uint32_t x = 0; x < types; x++) {
        /* Orphan links have no value here; the metric counts them where the trace notes them:
         * later. */
        if ((strcmp(a->metric, "link-count-received") == 0 ||
             strcmp(a->metric, "link-ends") == 0) &&
            strcmp(ocelotl_model_type_at(model, x).name, "Link") == 0)
            continue;
        const double expected = expect(s, model, a, node, first, last, x);
        if (isnan(expected) != isnan(values[x]) ||
            !(isnan(expected) || fabs(expected - values[x]) <= 1e-9 * (1 + fabs(expected)))) {
            fprintf(stderr, "%s of %s, node %s, slices %u to %u of %u: %.17g, expected %.17g\n",
                    a->metric, a->only, ocelotl_model_node_at(model, node).path, first, last,
                    s->slices, values[x], expected);
            exit(1);
        }
        if (first == last && ocelotl_model_node_at(model, node).leaf_count == 1 &&
            !isnan(expected) && (values[x] > 0 || !ocelotl_model_info_of(model).additive)) {
            CHECK(values[x] >= ocelotl_model_type_at(model, x).low - 1e-9);
            CHECK(values[x] <= ocelotl_model_type_at(model, x).high + 1e-9);
        }
    }
}

static ocelotl_model_options options_of(const sample *s, const asked *a, const char **only)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.cells.metric = a->metric;
    only[0] = a->only;
    options.selection.only = (ocelotl_names){only, 1};
    options.selection.min_duration = a->least;
    options.selection.max_duration = a->most;
    options.slices = s->slices;
    options.selection.from = s->begin;
    options.selection.to = s->begin + s->slices * s->slice;
    options.cells.shift = strncmp(a->metric, "variable", 8) == 0;
    if (s->filter != NULL)
        options.selection.where = s->filter->where;
    options.where_elsewhere = true;
    return options;
}

static void check_metric(sample *s, const asked *a, uint64_t *random)
{
    const char *only[1];
    ocelotl_model_options options = options_of(s, a, only);
    OWN_MODEL *model = must_build(s->trace, &options);
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    CHECK_TEXT(info.metric, a->metric);
    for (uint32_t node = 0; node < info.node_count; node++)
        for (int i = 0; i < 4; i++) {
            const uint32_t first = check_below(random, s->slices);
            check_part(s, model, a, node, first, first + check_below(random, s->slices - first));
            check_part(s, model, a, node, first, first);
        }
    const uint32_t first = check_below(random, s->slices);
    options.slices = 1 + check_below(random, s->slices - first);
    options.selection.from = s->begin + first * s->slice;
    options.selection.to = options.selection.from + options.slices * s->slice;
    /* Where a window begins or ends within the trace is nothing special; where the trace does it
     * is. */
    const bool inside = options.selection.from > s->trace_begin || first == 0;
    OWN_MODEL *part = must_build(s->trace, &options);
    if (inside)
        cells_check_part(part, model, first);
}

static void check_random_trace(uint64_t seed)
{
    static const asked all[] = {
        {"event-count", "State", 0, INT64_MAX, false},
        {"event-count", "Event", 0, INT64_MAX, false},
        {"event-count", "Link", 0, INT64_MAX, false},
        {"event-count", "Plain", 2, 40, false},
        {"link-count", "Link", 0, INT64_MAX, false},
        {"link-count-received", "Link", 0, INT64_MAX, false},
        {"link-ends", "Link", 0, INT64_MAX, false},
        {"link-count-in-flight", "Link", 0, INT64_MAX, false},
        {"link-count-in-flight-received", "Link", 0, INT64_MAX, false},
        {"link-bytes", "Link", 0, INT64_MAX, true},
        {"link-bytes-received", "Link", 0, INT64_MAX, true},
        {"link-bytes-in-flight", "Link", 0, INT64_MAX, true},
        {"link-bytes-in-flight-received", "Link", 0, INT64_MAX, true},
        {"state-mean-duration", "Plain", 0, INT64_MAX, false},
        {"state-mean-duration", "State", 3, 100, false},
        {"state-min-duration", "State", 0, INT64_MAX, false},
        {"state-max-duration", "Plain", 0, INT64_MAX, false},
        {"state-max-duration", "Plain", 0, 60, false},
        {"variable-mean", "Variable", 0, INT64_MAX, true},
        {"variable-min", "Variable", 0, INT64_MAX, true},
        {"variable-max", "Variable", 0, INT64_MAX, true},
    };
    uint64_t random = seed * 0x9E3779B97F4A7C15u;
    sample s;
    make_sample(&s, seed, &random);
    for (uint32_t i = 1; i < ocelotl_metric_count(); i++) { /* state-duration has its own tests */
        size_t m = 0;
        while (m < sizeof all / sizeof all[0] &&
               strcmp(all[m].metric, ocelotl_metric_at(i).name) != 0)
            m++;
        /* those of waiting and of counters have tests of their own */
        CHECK(m < sizeof all / sizeof all[0] ||
              strcmp(ocelotl_metric_at(i).name, "critical-path") == 0 ||
              strcmp(ocelotl_metric_at(i).name, "counter") == 0 ||
              strcmp(ocelotl_metric_at(i).name, "work") == 0 ||
              strncmp(ocelotl_metric_at(i).name, "wait", 4) == 0);
    }
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        check_metric(&s, &all[i], &random);
    /* The same with conditions: the listing of what meets them adds up to the filtered model. */
    for (int i = 0; i < 3; i++) {
        known_filter filter;
        known_filter_make(&filter, &s.known);
        const ocelotl_selection conditions = {.where = filter.filter.where};
        s.filter = &conditions;
        list_events(&s.list, s.trace, s.filter);
        for (size_t m = 0; m < sizeof all / sizeof all[0]; m++)
            check_metric(&s, &all[m], &random);
    }
    free_sample(&s);
}

/* Checks that a constant variable is homogeneous to the bit, wherever slices begin. */
static void check_constant(void)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    ocelotl_writer *writer = must_write(temporary_path("constant.db"), NULL);
    const uint32_t type = must_kind(writer, OCELOTL_ROOT, "host");
    const uint32_t resource = must_resource(writer, type, OCELOTL_ROOT, "a", 0);
    const uint32_t variable = must_type(writer, OCELOTL_VARIABLE, type, "load");
    CHECK_OK(ocelotl_writer_variable(writer, resource, variable, 0, 1e12, NULL, 0));
    CHECK_OK(ocelotl_writer_variable(writer, resource, variable, 1000, 0.1, NULL, 0));
    CHECK_OK(ocelotl_writer_resource_end(writer, resource, 1000000007));
    must_finish(writer);
    OWN_TRACE *trace = must_open(temporary_path("constant.db"));
    options.slices = 13;
    options.selection.from = 1000;
    options.selection.to = INT64_MAX;
    OWN_MODEL *model = must_build(trace, &options);
    CHECK_TEXT(ocelotl_model_info_of(model).metric, "variable-mean");
    for (uint32_t slice = 0; slice < 13; slice++)
        CHECK(cells_get(model, 0, 0, slice) == 0.1);
}

/* Compares extremes of variables with many chunks, mostly left unread, with every change. */
static void check_long_variable(uint64_t seed)
{
    enum { COUNT = 30000, SLICES = 5, TICKS = 4 };
    static double numbers[COUNT];
    uint64_t random = seed * 0x9E3779B97F4A7C15u;
    ocelotl_model *model;
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    ocelotl_writer_options overwrite = OCELOTL_WRITER_OPTIONS_INIT;
    overwrite.overwrite = true;
    ocelotl_writer *writer = must_write(temporary_path("long.db"), &overwrite);
    const uint32_t type = must_kind(writer, OCELOTL_ROOT, "host");
    const uint32_t resource = must_resource(writer, type, OCELOTL_ROOT, "a", 0);
    const uint32_t variable = must_type(writer, OCELOTL_VARIABLE, type, "load");
    for (int64_t i = 0; i < COUNT; i++) {
        /* One that is replaced at once is an extreme of its chunk and of nothing else. */
        if (check_below(&random, 500) == 0)
            CHECK_OK(ocelotl_writer_variable(writer, resource, variable, TICKS * i, 1e6, NULL, 0));
        numbers[i] = check_below(&random, 1u << check_below(&random, 16));
        CHECK_OK(
            ocelotl_writer_variable(writer, resource, variable, TICKS * i, numbers[i], NULL, 0));
    }
    CHECK_OK(ocelotl_writer_resource_end(writer, resource, TICKS * COUNT));
    must_finish(writer);
    OWN_TRACE *trace = must_open(temporary_path("long.db"));
    const int64_t length = 1000 + check_below(&random, 4000);
    options.slices = SLICES;
    options.selection.from =
        TICKS * (int64_t)check_below(&random, 1000) + check_below(&random, TICKS);
    options.selection.to = options.selection.from + SLICES * length * TICKS;
    for (int least = 0; least < 2; least++) {
        options.cells.metric = least ? "variable-min" : "variable-max";
        model = must_build(trace, &options);
        for (uint32_t slice = 0; slice < SLICES; slice++) {
            const int64_t first = (options.selection.from + slice * length * TICKS) / TICKS;
            const int64_t last =
                (options.selection.from + (slice + 1) * length * TICKS - 1) / TICKS;
            double expected = numbers[first], value;
            for (int64_t i = first; i <= last; i++)
                expected = least ? fmin(expected, numbers[i]) : fmax(expected, numbers[i]);
            CHECK_OK(ocelotl_model_values(&value, model, 0, slice, slice));
            CHECK(value == expected);
        }
        ocelotl_model_free(model);
    }
}

/* Checks links with an end only: most metrics of links ignore them, and they are no damage. */
static void check_orphans(void)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    ocelotl_writer *writer = must_write(temporary_path("orphans.db"), NULL);
    const uint32_t type = must_kind(writer, OCELOTL_ROOT, "host");
    const uint32_t resource = must_resource(writer, type, OCELOTL_ROOT, "a", 0);
    const uint32_t links = must_type(writer, OCELOTL_LINK, type, "message");
    CHECK_OK(ocelotl_writer_link_orphan(writer, resource, links, OCELOTL_NONE, 4, NULL, 0));
    CHECK_OK(ocelotl_writer_resource_end(writer, resource, 10));
    must_finish(writer);
    OWN_TRACE *trace = must_open(temporary_path("orphans.db"));
    options.slices = 2;
    ocelotl_model *model = must_build(trace, &options);
    CHECK_TEXT(ocelotl_model_info_of(model).metric, "link-count-received");
    CHECK(cells_get(model, 0, 0, 0) == 1 && cells_get(model, 0, 0, 1) == 0);
    ocelotl_model_free(model);
    options.cells.metric = "link-count";
    MUST_REFUSE(trace, &options,
                "has no link for the metric link-count, expected one of link-count-received, "
                "link-ends, link-bytes-received");
}

static void fails(ocelotl_trace *trace, ocelotl_model_options *options, const char *message)
{
    MUST_REFUSE(trace, options, message);
    *options = (ocelotl_model_options)OCELOTL_MODEL_OPTIONS_INIT;
}

static void check_refusals(void)
{
    uint64_t random = 5;
    sample s;
    double values[8];
    make_sample(&s, 5, &random);
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.cells.metric = "state-mean-durations";
    fails(s.trace, &options, "the nearest is state-mean-duration, and all are state-duration, ");
    options.cells.metric = "variable-mean";
    fails(s.trace, &options, "the variable \"Variable\" has negative values, down to -4.5");
    options.cells.metric = "link-count";
    options.selection.min_duration = 5;
    fails(s.trace, &options, "the metric link-count has none");
    options.cells.shift = true;
    fails(s.trace, &options, "the metric state-duration has none, expected variable-mean");
    options.cells.attribute = "size";
    fails(s.trace, &options, "expected link-bytes");
    options.cells.metric = "link-bytes";
    options.cells.attribute = "weight";
    fails(s.trace, &options, "no link carries \"weight\"; they carry \"size\", \"Key\", \"tag\"");
    OWN_MODEL *model = must_build(s.trace, NULL);
    CHECK_TEXT(ocelotl_model_info_of(model).metric, "state-duration");
    CHECK_REFUSED(ocelotl_model_values(values, model, 999, 0, 0), "node 999");
    CHECK_REFUSED(ocelotl_model_values(values, model, 0, 3, 2), "slices 3 to 2");
    free_sample(&s);
    CHECK(ocelotl_metric_count() >= 13);
    CHECK_TEXT(ocelotl_metric_at(0).name, "state-duration");
    CHECK_TEXT(ocelotl_metric_at(UINT32_MAX).name, "");
}

int main(void)
{
    temporary_begin();
    for (uint64_t seed = 1; seed <= check_rounds(12); seed++)
        check_random_trace(seed);
    for (uint64_t seed = 1; seed <= check_rounds(10); seed++)
        check_long_variable(seed);
    check_constant();
    check_orphans();
    check_refusals();
    return 0;
}
