/* What single drawables carry is what was written, in windows with chunks that are read and chunks
 * that are passed over; what is long is cut, and what is too much for a row is left to the longest.
 */
#include "test_query_trace.h"

/* Returns whether the attributes were written with the object or link, or with one that looks the
 * same. */
static bool was_written(const known_trace *known, const ocelotl_event *wanted,
                        const char *attributes)
{
    for (size_t i = 0; i < known->count; i++) {
        const known_event *is = &known->events[i];
        const ocelotl_event *event = &is->event;
        if (event->event_type == wanted->event_type && event->value == wanted->value &&
            event->begin == wanted->begin && event->end == wanted->end &&
            event->source == wanted->source && event->target == wanted->target &&
            (event->category == OCELOTL_LINK || event->resource == wanted->resource) &&
            strcmp(is->attributes, attributes != NULL ? attributes : "") == 0)
            return true;
    }
    return false;
}

/* Returns whether several events of a kind begin at one instant, so that they look the same. */
static bool is_one_of_several(const known_trace *known, const ocelotl_event *wanted)
{
    size_t count = 0;
    for (size_t i = 0; i < known->count; i++) {
        const ocelotl_event *event = &known->events[i].event;
        count += event->event_type == wanted->event_type && event->value == wanted->value &&
                 event->begin == wanted->begin && event->resource == wanted->resource;
    }
    return count > 1;
}

/* Gives how many of a row's objects carry something. */
static size_t check_row(const known_trace *known, const ocelotl_drawables *drawables, uint32_t r,
                        int64_t narrow)
{
    size_t carrying = 0;
    const ocelotl_drawn_row row = ocelotl_drawables_row_at(drawables, r);
    if (row.event_type == OCELOTL_NONE || row.category == OCELOTL_VARIABLE)
        return 0;
    for (uint64_t i = 0; i < row.objects; i++) {
        const ocelotl_drawn_object is = ocelotl_drawables_object_at(drawables, r, i);
        const ocelotl_event wanted = {.event_type = row.event_type,
                                      .resource = row.resource,
                                      .value = is.value,
                                      .begin = is.begin,
                                      .end = is.end,
                                      .source = OCELOTL_NONE,
                                      .target = OCELOTL_NONE};
        CHECK(is.count == 1 || is.attributes == NULL);
        /* Of a chunk that was passed over, a narrow one is known by totals. */
        CHECK(is.count > 1 || was_written(known, &wanted, is.attributes) ||
              (is.attributes == NULL &&
               (is.end - is.begin < narrow || is_one_of_several(known, &wanted))));
        carrying += is.attributes != NULL;
    }
    return carrying;
}

static uint32_t resource_of(const ocelotl_drawables *drawables, uint32_t row)
{
    return row == OCELOTL_NONE ? OCELOTL_NONE : ocelotl_drawables_row_at(drawables, row).resource;
}

static size_t check_links(const known_trace *known, const ocelotl_drawables *drawables)
{
    size_t carrying = 0;
    for (uint32_t i = 0; i < ocelotl_drawables_link_count(drawables); i++) {
        const ocelotl_drawn_link is = ocelotl_drawables_link_at(drawables, i);
        const ocelotl_event wanted = {.event_type = is.event_type,
                                      .resource = resource_of(drawables, is.source),
                                      .value = is.value,
                                      .begin = is.begin,
                                      .end = is.end,
                                      .source = resource_of(drawables, is.source),
                                      .target = resource_of(drawables, is.target)};
        CHECK(is.count == 1 || is.attributes == NULL);
        /* Where an end is not known, it is not known what it carried. */
        CHECK(is.count > 1 || is.target == OCELOTL_NONE || is.source == OCELOTL_NONE ||
              was_written(known, &wanted, is.attributes) ||
              (is.attributes == NULL && is_one_of_several(known, &wanted)));
        carrying += is.attributes != NULL;
    }
    return carrying;
}

static size_t check_width(const known_trace *known, ocelotl_trace *trace, double width,
                          uint32_t threads)
{
    ocelotl_drawables_options options = {0};
    size_t carrying = 0;
    options.width = width;
    options.max_links = 100000;
    options.with_attributes = true;
    options.work.threads = threads;
    ocelotl_drawables *drawables = must_find_drawables(trace, &options);
    const ocelotl_drawables_info info = ocelotl_drawables_info_of(drawables);
    const int64_t narrow = (info.to - info.from + info.cells - 1) / info.cells;
    for (uint32_t r = 0; r < ocelotl_drawables_row_count(drawables); r++)
        carrying += check_row(known, drawables, r, narrow);
    carrying += check_links(known, drawables);
    ocelotl_drawables_free(drawables);
    return carrying;
}

static void check_known(uint64_t random, uint32_t changes)
{
    known_trace known;
    ocelotl_trace *trace = known_open(&known, random, changes);
    check_width(&known, trace, 8, 1);
    CHECK(check_width(&known, trace, 300, 2) > 20);
    CHECK(check_width(&known, trace, 1000000, 1) > changes / 20);
    /* Nothing is said where nobody asks. */
    ocelotl_drawables *drawables = must_find_drawables(trace, NULL);
    for (uint64_t i = 0; i < ocelotl_drawables_row_at(drawables, 0).objects; i++)
        CHECK(ocelotl_drawables_object_at(drawables, 0, i).attributes == NULL);
    ocelotl_drawables_free(drawables);
    known_close(&known, trace);
}

/* --- Much is bounded */

enum { STATES = 2000, LONG_STATE = 1000 };

/* Each state carries a long text and thirty numbers; one is a hundred times as long as others. */
static void write_much(const char *path)
{
    char text[1000];
    ocelotl_attribute_value values[31];
    int64_t time = 0;
    memset(text, 'x', sizeof text);
    memcpy(text + 158, "\xC3\xA9\xC3\xA9", 4); /* the cut is not inside a letter */
    ocelotl_writer *writer = must_write(path, NULL);
    const uint32_t site = must_kind(writer, OCELOTL_ROOT, "site");
    const uint32_t place = must_resource(writer, site, OCELOTL_ROOT, "s", 0);
    const uint32_t type = must_type(writer, OCELOTL_STATE, site, "State");
    const uint32_t value = must_value(writer, type, "x");
    for (uint32_t a = 0; a < 31; a++) {
        char name[40];
        snprintf(name, sizeof name, "attribute %u", a);
        values[a] = (ocelotl_attribute_value){0, a == 0 ? text : "12345", a == 0 ? 1000 : 5};
        values[a].attribute = must_attribute(writer, type, name);
    }
    for (uint32_t i = 0; i < STATES; i++) {
        CHECK_OK(ocelotl_writer_push(writer, place, type, value, time, values, 31));
        time += i == LONG_STATE ? 100 : 1;
        must_pop(writer, place, type, 0, time);
        time++;
    }
    must_finish(writer);
}

static void check_much(void)
{
    ocelotl_trace *trace;
    ocelotl_drawables_options options = {0};
    size_t bytes = 0;
    const char *path = temporary_path("trace.db");
    write_much(path);
    trace = must_open(path);
    options.width = 10000;
    options.with_attributes = true;
    ocelotl_drawables *drawables = must_find_drawables(trace, &options);
    const ocelotl_drawn_row row = ocelotl_drawables_row_at(drawables, 0);
    CHECK(row.objects == STATES);
    for (uint64_t i = 0; i < row.objects; i++) {
        const ocelotl_drawn_object is = ocelotl_drawables_object_at(drawables, 0, i);
        bytes += is.attributes != NULL ? strlen(is.attributes) : 0;
        CHECK((is.attributes != NULL) == (i == LONG_STATE));
    }
    CHECK(bytes > 300 && bytes <= 512);
    const char *given = ocelotl_drawables_object_at(drawables, 0, LONG_STATE).attributes;
    CHECK(strstr(given, "xx\xC3\xA9\xE2\x80\xA6\"") != NULL);
    CHECK(strstr(given, ",\"attribute 1\":12345,") != NULL);
    CHECK(strstr(given, ",\"...\":") != NULL && given[strlen(given) - 1] == '}');
    ocelotl_drawables_free(drawables);
    ocelotl_trace_free(trace);
    CHECK(unlink(path) == 0);
}

int main(void)
{
    temporary_begin();
    check_known(1, 3000);
    check_known(2, 30000);
    check_much();
    return 0;
}
