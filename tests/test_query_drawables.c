/* Drawables of any window, width and part of a trace lose nothing: compared to the stream of
 * events, row by row and value by value, with chunks that are read and chunks that are passed over.
 */
#include "test_known_filter.h"

enum { MOST_VALUES = 64, MOST_ROWS = 64 };

/* What the events of a row, or its objects, add up to. The last place is that of no value. */
typedef struct row_sum {
    uint64_t count, counts[MOST_VALUES];
    int64_t ticks, times[MOST_VALUES];
    double integral, low, high;
} row_sum;

typedef struct comparison {
    ocelotl_trace *trace;
    ocelotl_drawables *drawables;
    ocelotl_drawables_info info;
    int64_t narrow; /* the length of the longest cell */
    row_sum events[MOST_ROWS], objects[MOST_ROWS];
    uint64_t links;
    bool distinct; /* no variable changes twice at one instant */
} comparison;

static void add(row_sum *sum, uint32_t value, uint64_t count, int64_t ticks)
{
    const uint32_t place = value == OCELOTL_NONE ? MOST_VALUES - 1 : value;
    CHECK(place < MOST_VALUES);
    sum->counts[place] += count;
    sum->times[place] += ticks;
}

static uint32_t find_row(const comparison *it, uint32_t resource, uint32_t event_type)
{
    for (uint32_t r = 0; r < ocelotl_drawables_row_count(it->drawables); r++) {
        const ocelotl_drawn_row row = ocelotl_drawables_row_at(it->drawables, r);
        if (row.resource == resource && row.event_type == event_type)
            return r;
    }
    CHECK(false);
    return 0;
}

/* What lasts longer than a cell is there as itself. */
static void find_alone(const comparison *it, uint32_t row, const ocelotl_event *event,
                       int64_t begin, int64_t end)
{
    for (uint64_t i = 0; i < ocelotl_drawables_row_at(it->drawables, row).objects; i++) {
        const ocelotl_drawn_object object = ocelotl_drawables_object_at(it->drawables, row, i);
        if (object.count == 1 && object.begin == begin && object.end == end &&
            object.value == event->value && object.begins_before == (event->begin < begin) &&
            object.ends_after == (event->end > end))
            return;
    }
    CHECK(false);
}

static void add_event(comparison *it, const ocelotl_event *event)
{
    if (event->category == OCELOTL_LINK) {
        it->links++;
        return;
    }
    const uint32_t row = find_row(it, event->resource, event->event_type);
    row_sum *sum = &it->events[row];
    const int64_t begin = event->begin > it->info.from ? event->begin : it->info.from;
    const int64_t end = event->end < it->info.to ? event->end : it->info.to;
    sum->low = sum->count == 0 || event->number < sum->low ? event->number : sum->low;
    sum->high = sum->count == 0 || event->number > sum->high ? event->number : sum->high;
    sum->count++;
    sum->ticks += end - begin;
    sum->integral += event->number * (double)(end - begin);
    add(sum, event->value, 1, end - begin);
    if (end - begin > it->narrow && (event->category == OCELOTL_STATE || !it->info.coarse))
        find_alone(it, row, event, begin, end);
}

static void add_object(comparison *it, uint32_t row, uint64_t index)
{
    const ocelotl_drawn_object object = ocelotl_drawables_object_at(it->drawables, row, index);
    const ocelotl_drawn_row of = ocelotl_drawables_row_at(it->drawables, row);
    row_sum *sum = &it->objects[row];
    CHECK(object.count > 0 && object.ticks >= 0 && object.lane < of.lanes);
    CHECK(object.begin >= it->info.from && object.end <= it->info.to && object.begin <= object.end);
    CHECK(object.count == 1 ||
          object.end - object.begin <= (it->info.coarse ? 22 : 2) * it->narrow);
    sum->count += object.count;
    sum->ticks += object.ticks;
    if (of.category == OCELOTL_VARIABLE) {
        CHECK(object.low <= object.high);
        CHECK(object.ticks == 0 ||
              (object.mean >= object.low - 1e-9 && object.mean <= object.high + 1e-9));
        sum->low = index == 0 || object.low < sum->low ? object.low : sum->low;
        sum->high = index == 0 || object.high > sum->high ? object.high : sum->high;
        sum->integral += object.mean * (double)object.ticks;
        return;
    }
    if (object.count == 1) {
        CHECK(object.shares == 0);
        add(sum, object.value, 1, object.ticks);
    }
    for (uint32_t i = 0; i < object.shares; i++) {
        const ocelotl_drawn_share share = ocelotl_drawables_share_at(it->drawables, row, index, i);
        const ocelotl_drawn_share next =
            ocelotl_drawables_share_at(it->drawables, row, index, i + 1);
        CHECK(i > 0 || share.value == object.value);
        CHECK(share.ticks > next.ticks || (share.ticks == next.ticks && share.count >= next.count));
        add(sum, share.value, share.count, share.ticks);
    }
}

/* Objects are in order, and those of a lane do not lie on each other. */
static void check_order(const comparison *it, uint32_t row)
{
    for (uint64_t i = 1; i < ocelotl_drawables_row_at(it->drawables, row).objects; i++) {
        const ocelotl_drawn_object before = ocelotl_drawables_object_at(it->drawables, row, i - 1);
        const ocelotl_drawn_object object = ocelotl_drawables_object_at(it->drawables, row, i);
        CHECK(before.lane <= object.lane);
        if (before.lane < object.lane)
            continue;
        CHECK(before.begin <= object.begin);
        CHECK(before.deep || object.deep || before.end <= object.begin);
    }
}

static void compare_rows(const comparison *it)
{
    uint32_t lanes = 0;
    for (uint32_t r = 0; r < ocelotl_drawables_row_count(it->drawables); r++) {
        const ocelotl_drawn_row row = ocelotl_drawables_row_at(it->drawables, r);
        const row_sum *events = &it->events[r], *objects = &it->objects[r];
        lanes += row.lanes;
        check_order(it, r);
        CHECK(objects->ticks == events->ticks);
        if (row.category == OCELOTL_VARIABLE && row.event_type != OCELOTL_NONE) {
            /* Of changes at one instant totals say only how many. */
            CHECK(it->distinct ? objects->count == events->count : objects->count >= events->count);
            CHECK_NEAR(objects->integral, events->integral, 1e-6);
            CHECK(events->count == 0 ||
                  (objects->low <= events->low && objects->high >= events->high));
            continue;
        }
        CHECK(objects->count == events->count);
        for (uint32_t v = 0; v < MOST_VALUES; v++)
            CHECK(objects->counts[v] == events->counts[v] && objects->times[v] == events->times[v]);
    }
    CHECK(lanes == it->info.lanes);
}

static void compare_links(const comparison *it)
{
    uint64_t links = it->info.links_left_out;
    const uint32_t rows = ocelotl_drawables_row_count(it->drawables);
    for (uint32_t i = 0; i < ocelotl_drawables_link_count(it->drawables); i++) {
        const ocelotl_drawn_link link = ocelotl_drawables_link_at(it->drawables, i);
        links += link.count;
        CHECK(link.source != OCELOTL_NONE || link.target != OCELOTL_NONE);
        CHECK(link.source == OCELOTL_NONE || link.source < rows);
        CHECK(link.target == OCELOTL_NONE || link.target < rows);
    }
    CHECK(links == it->links);
}

static void compare(ocelotl_trace *trace, const ocelotl_drawables_options *options, bool distinct)
{
    static comparison it;
    ocelotl_events_options events_options = OCELOTL_EVENTS_OPTIONS_INIT;
    ocelotl_event event;
    memset(&it, 0, sizeof it);
    it.trace = trace;
    it.distinct = distinct;
    const ocelotl_status status = ocelotl_drawables_compute(&it.drawables, trace, options);
    if (options->selection.min_duration + options->selection.max_duration != 0 ||
        options->selection.where.count + options->selection.only.count +
                options->selection.except.count >
            0)
        if ((status == OCELOTL_ERROR_ARGUMENT || status == OCELOTL_ERROR_EMPTY)) {
            CHECK(strstr(ocelotl_error_message(), "nothing that can be shown is called") != NULL ||
                  strstr(ocelotl_error_message(), "leave nothing") != NULL);
            return;
        }
    CHECK_OK(status);
    it.info = ocelotl_drawables_info_of(it.drawables);
    it.narrow = (it.info.to - it.info.from + it.info.cells - 1) / it.info.cells;
    CHECK(ocelotl_drawables_row_count(it.drawables) <= MOST_ROWS);
    events_options.selection = options->selection;
    events_options.type = options->type;
    events_options.without_attributes = true;
    ocelotl_events *events = must_list(trace, &events_options);
    while (must_next(&event, events)) {
        add_event(&it, &event);
    }
    ocelotl_events_free(events);
    for (uint32_t r = 0; r < ocelotl_drawables_row_count(it.drawables); r++)
        for (uint64_t i = 0; i < ocelotl_drawables_row_at(it.drawables, r).objects; i++)
            add_object(&it, r, i);
    compare_rows(&it);
    compare_links(&it);
    ocelotl_drawables_free(it.drawables);
}

/* Compares random windows; for a known trace, also with filters of its attributes. */
static void compare_windows(ocelotl_trace *trace, uint64_t random, uint32_t windows,
                            const char *path, known_trace *known)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    const int64_t length = info.end - info.begin;
    for (uint32_t i = 0; i < windows; i++) {
        ocelotl_drawables_options options = {0};
        const int64_t reach = (length >> check_below(&random, 16)) + 1;
        options.selection.from =
            info.begin + (int64_t)(check_random(&random) % (uint64_t)(length + 1));
        options.selection.to =
            options.selection.from + 1 + (int64_t)(check_random(&random) % (uint64_t)reach);
        if (i % 5 == 0)
            options.selection.from = INT64_MIN;
        if (i % 3 == 0)
            options.selection.to = INT64_MAX;
        options.width = 1 + check_below(&random, i % 2 == 0 ? 20 : 2000);
        options.narrowest = 0.5 + check_below(&random, 4);
        options.max_values = MOST_VALUES;
        options.max_links = i % 4 == 0 ? 1 + check_below(&random, 20) : 100000;
        /* Cells that are somewhat shorter than a chunk. */
        options.max_events = i % 3 == 1 ? 1 : UINT64_MAX;
        if (i % 3 == 1)
            options.width = 20 + check_below(&random, 600);
        options.selection.resources = (ocelotl_names){&path, check_below(&random, 3) == 0};
        compare(trace, &options, strcmp(path, "s") == 0);
        if (known == NULL)
            continue;
        known_filter filter;
        known_filter_make(&filter, known);
        const ocelotl_selection bare = options.selection;
        options.selection = filter.filter;
        options.selection.from = bare.from;
        options.selection.to = bare.to;
        options.selection.resources = bare.resources;
        compare(trace, &options, false);
    }
}

static void check_known(uint64_t random, uint32_t changes, uint32_t windows)
{
    known_trace known;
    ocelotl_trace *trace = known_open(&known, random, changes);
    compare_windows(trace, random, windows, "a%2Fb", &known);
    known_close(&known, trace);
}

/* --- A trace whose chunks are much shorter than a cell */

typedef struct dense_trace {
    ocelotl_writer *writer;
    uint32_t type, site, states, events, variable, links, a[3], b[2];
} dense_trace;

static void declare_dense(dense_trace *dense)
{
    static const char *const names[] = {"x", "y", "z"};
    ocelotl_writer *writer = dense->writer;
    dense->type = must_kind(writer, OCELOTL_ROOT, "site");
    dense->site = must_resource(writer, dense->type, OCELOTL_ROOT, "s", 0);
    dense->states = must_type(writer, OCELOTL_STATE, dense->type, "State");
    dense->events = must_type(writer, OCELOTL_EVENT, dense->type, "Event");
    dense->variable = must_type(writer, OCELOTL_VARIABLE, dense->type, "Variable");
    dense->links = must_type(writer, OCELOTL_LINK, dense->type, "Link");
    for (uint32_t v = 0; v < 3; v++)
        dense->a[v] = must_value(writer, dense->states, names[v]);
    for (uint32_t v = 0; v < 2; v++)
        dense->b[v] = must_value(writer, dense->events, names[v]);
}

static void step_state(const dense_trace *dense, uint32_t *depth, uint32_t deepest,
                       uint64_t *random, int64_t time)
{
    const bool changes = *depth > 1 || check_below(random, 2000) == 0 || deepest == 1;
    if (*depth < deepest && (*depth < deepest - 1 || check_below(random, 2) == 0)) {
        must_push(dense->writer, dense->site, dense->states, dense->a[check_below(random, 3)],
                  time);
        ++*depth;
    } else if (*depth > 0 && changes) {
        const uint32_t which = check_below(random, 3000) == 0 ? *depth - 1 : 0;
        must_pop(dense->writer, dense->site, dense->states, which, time);
        --*depth;
    }
}

/* Writes nested states whose outer ones change rarely; links that end at once, and others. */
static void write_dense(const char *path, uint32_t steps, uint32_t deepest, uint64_t random)
{
    dense_trace dense = {0};
    uint32_t depth = 0;
    uint64_t slow = 0;
    int64_t time = 0;
    dense.writer = must_write(path, NULL);
    declare_dense(&dense);
    for (uint32_t i = 0; i < steps; i++) {
        uint64_t link;
        /* A long rest now and then: something that is wide. */
        const int64_t last = time;
        time += check_below(&random, 5000) == 0 ? 50000 : check_below(&random, 4);
        step_state(&dense, &depth, deepest, &random, time);
        CHECK_OK(ocelotl_writer_event(dense.writer, dense.site, dense.events,
                                      dense.b[check_below(&random, 2)], time, NULL, 0));
        if (i == 0 || time > last)
            CHECK_OK(ocelotl_writer_variable(dense.writer, dense.site, dense.variable, time,
                                             (double)check_below(&random, 100), NULL, 0));
        link = must_begin_link(dense.writer, dense.site, dense.links, OCELOTL_NONE, time);
        if (check_below(&random, 5000) != 0) {
            must_end_link(dense.writer, link, dense.site, time);
        } else {
            if (slow > 0)
                must_end_link(dense.writer, slow - 1, dense.site, time);
            slow = link + 1;
        }
    }
    must_finish(dense.writer);
}

static void check_dense(uint32_t deepest, uint64_t random)
{
    const char *path = temporary_path("dense.db");
    write_dense(path, 60000, deepest, random);
    ocelotl_trace *trace = must_open(path);
    compare_windows(trace, random, check_rounds(50), "s", NULL);
    ocelotl_trace_free(trace);
    CHECK(unlink(path) == 0);
}

/* States of a part of a chunk, with many in each: from any instant on, in cells that are a little
 * longer. */
static void check_parts_of_chunks(void)
{
    dense_trace dense = {0};
    uint64_t random = 3;
    int64_t time = 0;
    const char *path = temporary_path("parts.db");
    dense.writer = must_write(path, NULL);
    declare_dense(&dense);
    for (uint32_t i = 0; i < 40; i++) {
        must_push(dense.writer, dense.site, dense.states, dense.a[i % 3], time);
        for (uint32_t inner = 0; inner < 200; inner++, time += 2) {
            must_push(dense.writer, dense.site, dense.states, dense.a[inner % 2], time);
            must_pop(dense.writer, dense.site, dense.states, 0, time + 1);
        }
        must_pop(dense.writer, dense.site, dense.states, 0, time);
    }
    must_finish(dense.writer);
    ocelotl_trace *trace = must_open(path);
    for (uint32_t i = 0; i < 60; i++) {
        ocelotl_drawables_options options = {0};
        options.selection.from = check_below(&random, 9000);
        options.selection.to = INT64_MAX;
        options.width = ceil((double)(time - options.selection.from) / 460);
        options.narrowest = 1;
        options.max_values = MOST_VALUES;
        options.max_events = 1;
        compare(trace, &options, true);
    }
    ocelotl_trace_free(trace);
    CHECK(unlink(path) == 0);
}

int main(void)
{
    temporary_begin();
    for (uint64_t i = 1; i <= 10; i++)
        check_known(i, 60 * (uint32_t)i, check_rounds(60));
    check_known(77, 30000, check_rounds(40));
    check_parts_of_chunks();
    check_dense(1, 5);
    check_dense(2, 6);
    check_dense(4, 7);
    return 0;
}
