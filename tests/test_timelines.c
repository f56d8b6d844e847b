/* Compares timelines built from any order with a model that knows all records and matches them one
 * by one: every state, event and link is there once, at its row or on a lane below, and those of a
 * lane nest. */
#include "temporary.h"

#include "importers/ingest/timelines.h"

enum { ROWS = 4, VALUES = 3, MOST = 3000, KINDS = 5, OTHER_STATE = 4 };

/* A state, event or link as it should be found. */
typedef struct fact {
    uint32_t category, row, to, value;
    int64_t begin, end;
    uint32_t number; /* the attribute "number" */
    bool open;
    uint64_t group;
} fact;

typedef struct world {
    uint64_t random;
    ocelotl_writer *writer;
    uint32_t row_type, lane_type, types[KINDS], values[VALUES], other_values[VALUES], number[KINDS];
    bool exact; /* an end that names what is not open ends nothing */
    oc_oddities oddities;
    oc_timelines timelines;
    fact wanted[2 * MOST], found[2 * MOST];
    size_t wanted_count, found_count;
    struct told {
        oc_sorted record;
        char text[24];
        ocelotl_attribute_value attribute;
    } told[MOST];
    size_t told_count;
    uint64_t alone, outer, other, open; /* ends and begins that are odd */
    int64_t begin, end;
} world;

static world all;

static void want(fact one)
{
    all.wanted[all.wanted_count++] = one;
}

static void begin_world(size_t memory)
{
    static const ocelotl_category categories[KINDS] = {OCELOTL_STATE, OCELOTL_EVENT, OCELOTL_LINK,
                                                       OCELOTL_VARIABLE, OCELOTL_STATE};
    static const char *const names[KINDS] = {"State", "Event", "Link", "Variable", "Other state"};
    all.wanted_count = all.found_count = all.told_count = 0;
    all.alone = all.outer = all.other = all.open = 0;
    all.oddities = (oc_oddities){.lenient = check_below(&all.random, 2) == 1};
    all.exact = check_below(&all.random, 2) == 1;
    all.writer = must_write(temporary_path("t.db"), NULL);
    all.oddities.writer = all.writer;
    all.row_type = must_kind(all.writer, OCELOTL_ROOT, "row");
    all.lane_type = must_kind(all.writer, all.row_type, "lane");
    for (int i = 0; i < KINDS; i++) {
        all.types[i] = must_type(all.writer, categories[i], all.row_type, names[i]);
        all.number[i] = must_attribute(all.writer, all.types[i], "number");
    }
    for (uint32_t i = 0; i < VALUES; i++) {
        const char name[2] = {(char)('a' + i), '\0'};
        all.values[i] = must_value(all.writer, all.types[0], name);
        all.other_values[i] = must_value(all.writer, all.types[OTHER_STATE], name);
    }
    CHECK_OK(oc_timelines_open(&all.timelines, all.writer, &all.oddities, temporary_path("t.db"),
                               memory));
}

static void tell(oc_sorted record)
{
    struct told *told = &all.told[all.told_count];
    told->record = record;
    snprintf(told->text, sizeof told->text, "%zu", all.told_count++);
}

/* Rows 0 and 1 have spans, row 2 begins and ends, row 3 spans, begins and ends in groups. */
static void tell_something(void)
{
    uint64_t *random = &all.random;
    const uint32_t row = check_below(random, ROWS);
    const int64_t time = check_below(random, 500);
    const uint32_t kind = check_below(random, 3) == 0 ? OTHER_STATE : 0;
    const uint32_t *values = kind == 0 ? all.values : all.other_values;
    const uint32_t value = values[check_below(random, VALUES)];
    oc_sorted record = {.stream = row, .time = time, .type = all.types[kind], .value = value};
    record.group = row == 3 ? check_below(random, 4) : 0;
    if (check_below(random, 8) == 0) {
        record.kind = OC_SORTED_INSTANT;
        record.type = all.types[1];
        record.value = OCELOTL_NONE;
    } else if (row < 2 || (row == 3 && check_below(random, 3) == 0)) {
        record.kind = OC_SORTED_SPAN;
        record.end = time + check_below(random, 1 + check_below(random, 60));
    } else {
        record.kind = check_below(random, 2) == 0 ? OC_SORTED_BEGIN : OC_SORTED_END;
        record.detail = 1 + all.told_count;
        record.order = row;
        if (record.kind == OC_SORTED_END && check_below(random, 4) == 0)
            record.value = OCELOTL_NONE;
    }
    tell(record);
}

/* What an end ends: looked up among those of its row, group and type that are open, in order of
 * time. */
static void match_end(size_t *open, size_t *count, const struct told *end, uint32_t number)
{
    size_t named = *count, innermost = *count;
    for (size_t i = 0; i < *count; i++) {
        const oc_sorted *begin = &all.told[open[i]].record;
        if (begin->type == end->record.type)
            innermost = i;
        if (begin->type == end->record.type && begin->value == end->record.value)
            named = i;
    }
    const bool names = end->record.value != OCELOTL_NONE;
    if (innermost == *count || (names && named == *count && all.exact)) {
        all.alone++;
        if (all.oddities.lenient && names)
            want((fact){OCELOTL_STATE, end->record.stream, 0, end->record.value, all.begin,
                        end->record.time, number, false, end->record.group});
        return;
    }
    all.other += names && named == *count;
    const size_t place = names && named != *count ? named : innermost;
    all.outer += place != innermost;
    const struct told *begin = &all.told[open[place]];
    want((fact){OCELOTL_STATE, begin->record.stream, 0, begin->record.value, begin->record.time,
                end->record.time, (uint32_t)open[place], false, begin->record.group});
    memmove(open + place, open + place + 1, (--*count - place) * sizeof *open);
}

/* Matches begins and ends of a row and group in order of time, at equal times in order of
 * arrival. */
static void match_pairs(uint32_t row, uint64_t group)
{
    static size_t open[MOST];
    size_t count = 0;
    for (int64_t time = all.begin; time <= all.end; time++)
        for (size_t i = 0; i < all.told_count; i++) {
            const oc_sorted *record = &all.told[i].record;
            if (record->stream != row || record->group != group || record->time != time)
                continue;
            if (record->kind == OC_SORTED_BEGIN)
                open[count++] = i;
            else if (record->kind == OC_SORTED_END)
                match_end(open, &count, &all.told[i], (uint32_t)i);
        }
    for (size_t i = 0; i < count; i++, all.open++)
        want((fact){OCELOTL_STATE, row, 0, all.told[open[i]].record.value,
                    all.told[open[i]].record.time, all.end, (uint32_t)open[i], true, group});
}

static void tell_all(size_t count)
{
    all.begin = INT64_MAX;
    all.end = INT64_MIN;
    while (all.told_count < count)
        tell_something();
    for (size_t i = 0; i < count; i++) {
        struct told *told = &all.told[i];
        oc_sorted *record = &told->record;
        const bool spans = record->kind == OC_SORTED_SPAN;
        const uint32_t kind = record->kind == OC_SORTED_INSTANT        ? 1
                              : record->type == all.types[OTHER_STATE] ? OTHER_STATE
                                                                       : 0;
        told->attribute =
            (ocelotl_attribute_value){all.number[kind], told->text, strlen(told->text)};
        record->attributes = &told->attribute;
        record->attribute_count = 1;
        CHECK_OK(oc_timelines_add(&all.timelines, record));
        all.begin = record->time < all.begin ? record->time : all.begin;
        all.end = record->time > all.end ? record->time : all.end;
        all.end = spans && record->end > all.end ? record->end : all.end;
        if (spans || record->kind == OC_SORTED_INSTANT)
            want((fact){spans ? OCELOTL_STATE : OCELOTL_EVENT, record->stream, 0, record->value,
                        record->time, spans ? record->end : record->time, (uint32_t)i, false,
                        record->group});
    }
}

static void add_links(size_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        char text[24];
        snprintf(text, sizeof text, "%u", i);
        const ocelotl_attribute_value attribute = {all.number[2], text, strlen(text)};
        oc_timelines_link link = {.from = check_below(&all.random, ROWS),
                                  .to = check_below(&all.random, ROWS),
                                  .begin = check_below(&all.random, 500),
                                  .end = check_below(&all.random, 500),
                                  .type = all.types[2],
                                  .value = OCELOTL_NONE,
                                  .attributes = &attribute,
                                  .attribute_count = 1};
        if (check_below(&all.random, 10) == 0)
            link.from = OCELOTL_NONE;
        else if (check_below(&all.random, 10) == 0)
            link.to = OCELOTL_NONE;
        CHECK_OK(oc_timelines_add_link(&all.timelines, &link));
        fact one = {OCELOTL_LINK, link.from, link.to, OCELOTL_NONE, link.begin, link.end, i,
                    false,        0};
        one.begin = link.from == OCELOTL_NONE ? link.end : link.begin;
        one.end = link.to == OCELOTL_NONE ? link.begin : link.end;
        want(one);
        for (int e = 0; e < 2; e++) {
            const int64_t time = e == 0 ? one.begin : one.end;
            all.begin = time < all.begin ? time : all.begin;
            all.end = time > all.end ? time : all.end;
        }
    }
}

/* The row of a resource, which may be a lane. */
static uint32_t row_of(const ocelotl_trace *trace, uint32_t resource)
{
    if (resource == OCELOTL_NONE)
        return OCELOTL_NONE;
    const ocelotl_resource found = ocelotl_trace_resource_at(trace, resource);
    if (found.parent == OCELOTL_ROOT)
        return found.name[0] - '0' < ROWS ? (uint32_t)(found.name[0] - '0') : OCELOTL_NONE;
    CHECK(found.name[0] == '~');
    return row_of(trace, found.parent);
}

static void read_back(ocelotl_trace *trace)
{
    ocelotl_event event;
    ocelotl_events *events = must_list(trace, NULL);
    for (;;) {
        bool found;
        CHECK_OK(ocelotl_events_next(&found, &event, events));
        if (!found)
            break;
        fact *one = &all.found[all.found_count++];
        *one = (fact){.category = event.category,
                      .value = event.value,
                      .begin = event.begin,
                      .end = event.end};
        one->row = row_of(trace, event.category == OCELOTL_LINK ? event.source : event.resource);
        one->to = event.category == OCELOTL_LINK ? row_of(trace, event.target) : 0;
        CHECK(event.attributes != NULL);
        const char *number = strstr(event.attributes, "\"number\":");
        CHECK(number != NULL);
        one->number = (uint32_t)strtoul(number + 9 + (number[9] == '"'), NULL, 10);
        one->open = strstr(event.attributes, "\"open\":") != NULL;
        if (event.category == OCELOTL_STATE)
            CHECK(event.depth < MOST);
    }
    ocelotl_events_free(events);
}

static int compare(const void *left, const void *right)
{
    const fact *a = left, *b = right;
    const int64_t differences[] = {(int64_t)a->category - b->category,
                                   (int64_t)a->number - b->number, a->begin - b->begin,
                                   a->end - b->end};
    for (size_t i = 0; i < 4; i++)
        if (differences[i] != 0)
            return differences[i] < 0 ? -1 : 1;
    return 0;
}

static void check_found(void)
{
    CHECK(all.found_count == all.wanted_count);
    qsort(all.found, all.found_count, sizeof all.found[0], compare);
    qsort(all.wanted, all.wanted_count, sizeof all.wanted[0], compare);
    for (size_t i = 0; i < all.found_count; i++) {
        const fact *found = &all.found[i], *wanted = &all.wanted[i];
        CHECK(found->category == wanted->category && found->number == wanted->number);
        CHECK(found->row == wanted->row && found->to == wanted->to);
        CHECK(found->value == wanted->value && found->open == wanted->open);
        CHECK(found->begin == wanted->begin && found->end == wanted->end);
    }
}

/* What a lane holds is nested, and what ends others did not outlive: SQL sees it by itself. */
static void check_nested(ocelotl_trace *trace)
{
    ocelotl_query *query;
    bool found;
    CHECK_OK(ocelotl_query_open(
        &query, trace,
        "WITH state AS MATERIALIZED (SELECT * FROM events WHERE category = 'state')"
        " SELECT count(*) FROM state AS a JOIN state AS b"
        " ON a.resource = b.resource AND a.type = b.type"
        " WHERE a.begin < b.begin AND b.begin < a.end AND a.end < b.end"));
    CHECK_OK(ocelotl_query_next(&found, query));
    CHECK(found && ocelotl_query_cell_at(query, 0).integer == 0);
    ocelotl_query_free(query);
}

static void check_world(size_t count, size_t memory)
{
    static const char *const files[] = {"told.json"};
    oc_timelines_row rows[ROWS] = {0};
    begin_world(memory);
    tell_all(count);
    add_links(count / 4);
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint64_t group = 0; group < 4; group++)
            match_pairs(row, group);
    for (uint32_t i = 0; i < ROWS; i++) {
        const char name[2] = {(char)('0' + i), '\0'};
        rows[i].resource = must_resource(all.writer, all.row_type, OCELOTL_ROOT, name, 0);
    }
    const oc_timelines_plan plan = {.rows = rows,
                                    .row_count = ROWS,
                                    .lane_type = all.lane_type,
                                    .merges = count % 2 == 1,
                                    .exact = all.exact,
                                    .files = files};
    CHECK_OK(oc_timelines_write(&all.timelines, &plan));
    oc_timelines_free(&all.timelines);
    CHECK(all.oddities.counts[OC_END_LEFT_OUT] + all.oddities.counts[OC_END_FROM_BEGIN] ==
          all.alone);
    CHECK(all.oddities.counts[OC_END_OF_OUTER] == all.outer);
    CHECK(all.oddities.counts[OC_END_OF_OTHER] == all.other);
    CHECK(all.oddities.counts[OC_STATE_OPEN] == all.open);
    must_finish(all.writer);
    ocelotl_trace *trace = must_open(temporary_path("t.db"));
    read_back(trace);
    check_found();
    check_nested(trace);
    ocelotl_trace_free(trace);
    temporary_files(true);
}

int main(void)
{
    temporary_begin();
    all.random = 11;
    for (int round = 0; round < 40; round++) {
        check_world(1 + check_below(&all.random, 12), OC_SORTING_MEMORY);
        check_world(1 + check_below(&all.random, 300), OC_SORTING_MEMORY);
    }
    for (int round = 0; round < 3; round++)
        check_world(MOST, 1);
    return 0;
}
