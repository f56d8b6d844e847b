/* What the writer takes the reader reads: a trace of names, times, counts and values at the edges
 * of what they can be is refused call by call, or sound in the end. */
#include "temporary.h"

enum { ROUNDS = 120, CALLS = 60, NAMED = 64 };

typedef struct world {
    ocelotl_writer *writer;
    uint64_t random;
    uint32_t types, resources, event_types, values;
    uint32_t attributes[NAMED]; /* by event type */
    uint64_t links[NAMED];
    uint32_t link_count, taken;
} world;

static const char *draw_name(world *w)
{
    static const char *const names[] = {"",
                                        "a",
                                        "a",
                                        "a/b",
                                        "%",
                                        "two\nlines",
                                        "\n",
                                        "a=b",
                                        "=",
                                        "\t",
                                        "tab\there",
                                        "\xff",
                                        "\xff\xfe\xc3",
                                        "\xc3\xa9",
                                        "\xed\xa0\x80",
                                        "\x01\x7f",
                                        "\r\n"};
    static const char *const longer[] = {
        "'; DROP TABLE chunk; --", "a very long name: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"};
    enum { SHORT = sizeof names / sizeof names[0], LONG = sizeof longer / sizeof longer[0] };
    const uint64_t which = check_random(&w->random) % (SHORT + LONG);
    return which < SHORT ? names[which] : longer[which - SHORT];
}

static int64_t draw_time(world *w)
{
    static const int64_t times[] = {
        0, 1, -1, 5, 1000, INT64_MAX, INT64_MIN, INT64_MAX / 2, INT64_MIN / 2};
    const uint64_t drawn = check_random(&w->random);
    return drawn % 8 == 0 ? times[drawn / 8 % 9] : (int64_t)(drawn / 8 % 100);
}

static uint64_t draw_count(world *w)
{
    static const uint64_t counts[] = {0, 1, 7, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX};
    return counts[check_random(&w->random) % 6];
}

/* Mostly one that is there. */
static uint32_t draw_index(world *w, uint32_t count)
{
    const uint64_t drawn = check_random(&w->random);
    if (drawn % 16 == 0)
        return drawn / 16 % 2 == 0 ? OCELOTL_NONE : count;
    return count > 0 ? (uint32_t)(drawn / 16 % count) : 0;
}

static double draw_number(world *w)
{
    static const double numbers[] = {0, -0.0, 1e308, 1e280, -1e280, 5e-324, INFINITY, NAN};
    return numbers[check_random(&w->random) % 8];
}

static void declare(world *w, uint64_t which)
{
    uint32_t id;
    ocelotl_status status = OCELOTL_OK;
    const char *name = draw_name(w);
    const uint32_t event_type = draw_index(w, w->event_types);
    switch (which) {
    case 0:
        status = ocelotl_writer_resource_type(&id, w->writer, draw_index(w, w->types), name);
        w->types += status == OCELOTL_OK;
        break;
    case 1:
        status = ocelotl_writer_resource(&id, w->writer, draw_index(w, w->types),
                                         draw_index(w, w->resources), name, draw_time(w));
        w->resources += status == OCELOTL_OK;
        break;
    case 2:
        status = ocelotl_writer_event_type(
            &id, w->writer, (ocelotl_category)(check_random(&w->random) % 5),
            draw_index(w, w->types), name, (int32_t)check_random(&w->random));
        w->event_types += status == OCELOTL_OK && w->event_types < NAMED - 1;
        break;
    case 3:
        status = ocelotl_writer_attribute(&id, w->writer, event_type, name);
        if (status == OCELOTL_OK)
            w->attributes[event_type]++;
        break;
    case 4:
        status = ocelotl_writer_value(&id, w->writer, event_type, name,
                                      (int32_t)check_random(&w->random));
        w->values += status == OCELOTL_OK;
        break;
    default:
        status = ocelotl_writer_unit(w->writer, event_type, name);
    }
    w->taken += status == OCELOTL_OK;
}

static void note(world *w, uint64_t which)
{
    ocelotl_status status = OCELOTL_OK;
    const char *name = draw_name(w);
    const char *text = draw_name(w);
    switch (which) {
    case 0:
        status = ocelotl_writer_resource_note(w->writer, draw_index(w, w->resources), name, text);
        break;
    case 1:
        status = ocelotl_writer_warning(w->writer, name, draw_count(w), text);
        break;
    case 2:
        status = ocelotl_writer_source_kind(
            w->writer, name, (ocelotl_fate)(check_random(&w->random) % 8), draw_count(w), text);
        break;
    case 3:
        status = ocelotl_writer_file(w->writer, name, text);
        break;
    case 4:
        status = ocelotl_writer_producer(w->writer, name);
        break;
    case 5:
        status = ocelotl_writer_origin(w->writer, name);
        break;
    default:
        status = ocelotl_writer_resource_end(w->writer, draw_index(w, w->resources), draw_time(w));
    }
    w->taken += status == OCELOTL_OK;
}

static void record(world *w, uint64_t which)
{
    ocelotl_status status = OCELOTL_OK;
    const uint32_t resource = draw_index(w, w->resources);
    const uint32_t type = draw_index(w, w->event_types);
    const uint32_t value = draw_index(w, w->values);
    const int64_t time = draw_time(w);
    const char *text = draw_name(w);
    const ocelotl_attribute_value carried = {draw_index(w, type < NAMED ? w->attributes[type] : 0),
                                             text, strlen(text)};
    const size_t count = check_random(&w->random) % 2;
    uint64_t link = 0;
    switch (which) {
    case 0:
        status = ocelotl_writer_push(w->writer, resource, type, value, time, &carried, count);
        break;
    case 1:
        status =
            ocelotl_writer_pop(w->writer, resource, type, (uint32_t)(check_random(&w->random) % 2),
                               time, &carried, count);
        break;
    case 2:
        status = ocelotl_writer_event(w->writer, resource, type, value, time, &carried, count);
        break;
    case 3:
        status = ocelotl_writer_variable(w->writer, resource, type, time, draw_number(w), &carried,
                                         count);
        break;
    case 4:
        status = ocelotl_writer_link_begin(&link, w->writer, resource, type, value, time, &carried,
                                           count);
        if (status == OCELOTL_OK && w->link_count < NAMED)
            w->links[w->link_count++] = link;
        break;
    case 5:
        status =
            ocelotl_writer_link_end(w->writer, w->link_count > 0 ? w->links[--w->link_count] : 0,
                                    resource, time, &carried, count);
        break;
    case 6:
        status =
            ocelotl_writer_link_orphan(w->writer, resource, type, value, time, &carried, count);
        break;
    default:
        status = ocelotl_writer_refine(w->writer, check_random(&w->random) % 3 * 500);
    }
    w->taken += status == OCELOTL_OK;
}

/* Declares little that is sound, so that not everything is refused for want of a parent. */
static void begin(world *w)
{
    must_kind(w->writer, OCELOTL_ROOT, "t");
    must_resource(w->writer, 0, OCELOTL_ROOT, "r", 0);
    w->types = w->resources = 1;
    for (unsigned category = 0; category <= OCELOTL_LINK; category++) {
        must_type(w->writer, (ocelotl_category)category, 0, "e");
        must_value(w->writer, category, "v");
        w->event_types++;
        w->values++;
    }
}

static void check_sound(const char *path, const world *w, uint64_t seed)
{
    ocelotl_trace *trace = NULL;
    ocelotl_verification *verification = NULL;
    if (ocelotl_trace_open(&trace, path) != OCELOTL_OK) {
        fprintf(stderr, "seed %d: %s\n", (int)seed, ocelotl_error_message());
        exit(1);
    }
    CHECK(ocelotl_trace_resource_count(trace) == w->resources);
    CHECK(ocelotl_trace_value_count(trace) == w->values);
    ocelotl_event event;
    ocelotl_events *events = must_list(trace, NULL);
    while (must_next(&event, events))
        continue;
    ocelotl_events_free(events);
    ocelotl_trace_free(trace);
    CHECK_OK(ocelotl_verify(&verification, path, NULL));
    if (ocelotl_verification_info_of(verification).damages > 0) {
        fprintf(stderr, "seed %d: %s\n", (int)seed,
                ocelotl_verification_damage_at(verification, 0).what);
        exit(1);
    }
    ocelotl_verification_free(verification);
}

static void check_round(uint64_t seed)
{
    world w = {.random = 1000 + seed};
    const char *path = temporary_path("trace.db");
    w.writer = must_write(path, NULL);
    begin(&w);
    for (int i = 0; i < CALLS; i++) {
        const uint64_t drawn = check_random(&w.random);
        if (drawn % 4 == 0)
            declare(&w, drawn / 4 % 6);
        else if (drawn % 4 == 1)
            note(&w, drawn / 4 % 7);
        else
            record(&w, drawn / 4 % 8);
    }
    CHECK(w.taken > 0);
    const ocelotl_status status = ocelotl_writer_finish(w.writer);
    ocelotl_writer_free(w.writer);
    /* time that is spent more than once may add up to too much in the end: then nothing is left */
    if (status == OCELOTL_OK) {
        check_sound(path, &w, seed);
    } else {
        CHECK(status == OCELOTL_ERROR_LIMIT || status == OCELOTL_ERROR_ARGUMENT);
        CHECK(temporary_files(false) == 0);
    }
    temporary_files(true);
}

int main(void)
{
    temporary_begin();
    for (uint64_t seed = 0; seed < ROUNDS; seed++)
        check_round(seed);
    return 0;
}
