/* A random trace of all that is hard to read back, and a plain list of its events. */
#ifndef OC_TESTS_QUERY_TRACE_H
#define OC_TESTS_QUERY_TRACE_H

#include "temporary.h"

enum { RESOURCES = 5, STATE_TYPE = 0, VARIABLE_TYPE, EVENT_TYPE, LINK_TYPE, PLAIN_TYPE, TYPES };

/* What happened, as the test knows it. */
typedef struct known_event {
    ocelotl_event event;
    char key[24], attributes[64];
    bool open;
    uint64_t link;
} known_event;

typedef struct known_trace {
    ocelotl_writer *writer;
    uint64_t random;
    uint32_t resources[RESOURCES], types[TYPES], values[TYPES], note, key, size, tag;
    bool ended[RESOURCES];
    known_event *events;
    size_t count, capacity;
    /* states that are open, outermost first */
    size_t stacks[RESOURCES][2][16], depths[RESOURCES][2];
    size_t steps[RESOURCES]; /* the last step of the variable + 1 */
    size_t links[2048];      /* that are open */
    size_t link_count;
} known_trace;

static inline known_event *known_add(known_trace *trace, ocelotl_category category, uint32_t type,
                                     uint32_t resource, uint32_t value, int64_t begin)
{
    if (trace->count == trace->capacity) {
        trace->capacity = 2 * trace->capacity + 1024;
        trace->events = realloc(trace->events, trace->capacity * sizeof *trace->events);
        CHECK(trace->events != NULL);
    }
    known_event *known = &trace->events[trace->count++];
    memset(known, 0, sizeof *known);
    known->event = (ocelotl_event){.category = category,
                                   .event_type = trace->types[type],
                                   .resource = trace->resources[resource],
                                   .value = value,
                                   .begin = begin,
                                   .end = begin,
                                   .source = OCELOTL_NONE,
                                   .target = OCELOTL_NONE};
    return known;
}

static inline void known_declare(known_trace *trace)
{
    static const ocelotl_category categories[TYPES] = {OCELOTL_STATE, OCELOTL_VARIABLE,
                                                       OCELOTL_EVENT, OCELOTL_LINK, OCELOTL_STATE};
    static const char *const names[TYPES] = {"State", "Variable", "Event", "Link", "Plain"};
    ocelotl_writer *writer = trace->writer;
    const uint32_t site = must_kind(writer, OCELOTL_ROOT, "site");
    const uint32_t thread = must_kind(writer, site, "thread");
    trace->resources[0] = must_resource(writer, site, OCELOTL_ROOT, "a/b", 0);
    trace->resources[1] = must_resource(writer, thread, trace->resources[0], "t", 0);
    trace->resources[2] = must_resource(writer, thread, trace->resources[0], "t", 0);
    trace->resources[3] = must_resource(writer, site, OCELOTL_ROOT, "a/b", 0);
    trace->resources[4] = must_resource(writer, thread, trace->resources[3], "t#2", 0);
    for (uint32_t t = 0; t < TYPES; t++) {
        trace->types[t] = must_type(writer, categories[t], thread, names[t]);
        if (t == VARIABLE_TYPE)
            continue;
        trace->values[t] = must_value(writer, trace->types[t], "one");
        const uint32_t other = must_value(writer, trace->types[t], "two");
        CHECK(other == trace->values[t] + 1);
    }
    trace->note = must_attribute(writer, trace->types[STATE_TYPE], "note");
    trace->note = must_attribute(writer, trace->types[VARIABLE_TYPE], "note");
    trace->note = must_attribute(writer, trace->types[EVENT_TYPE], "note");
    trace->size = must_attribute(writer, trace->types[LINK_TYPE], "size");
    trace->key = must_attribute(writer, trace->types[LINK_TYPE], "Key");
    trace->tag = must_attribute(writer, trace->types[LINK_TYPE], "tag");
}

/* An attribute of its own for each event, in three cases of four. */
static inline size_t known_note(ocelotl_attribute_value *value, char text[24], known_trace *trace,
                                known_event *known)
{
    const unsigned number = (unsigned)trace->count;
    if (check_below(&trace->random, 4) == 0)
        return 0;
    if (number % 3 == 0)
        snprintf(text, 24, "%u", number);
    else
        snprintf(text, 24, "\"%u\n", number);
    snprintf(known->attributes, sizeof known->attributes,
             number % 3 == 0 ? "{\"note\":%u}" : "{\"note\":\"\\\"%u\\u000a\"}", number);
    *value = (ocelotl_attribute_value){trace->note, text, strlen(text)};
    return 1;
}

static inline void known_push(known_trace *trace, uint32_t r, uint32_t type, int64_t time)
{
    ocelotl_attribute_value note;
    char text[24];
    const uint32_t which = type == PLAIN_TYPE;
    size_t *depth = &trace->depths[r][which];
    known_event *known = known_add(trace, OCELOTL_STATE, type, r,
                                   trace->values[type] + check_below(&trace->random, 2), time);
    const size_t count = which ? 0 : known_note(&note, text, trace, known);
    CHECK_OK(ocelotl_writer_push(trace->writer, trace->resources[r], trace->types[type],
                                 known->event.value, time, &note, count));
    trace->stacks[r][which][(*depth)++] = trace->count - 1;
}

static inline void known_pop(known_trace *trace, uint32_t r, uint32_t which, size_t place,
                             int64_t time)
{
    size_t *stack = trace->stacks[r][which];
    known_event *known = &trace->events[stack[place]];
    known->event.end = time;
    known->event.depth = (uint32_t)place;
    trace->depths[r][which]--;
    memmove(&stack[place], &stack[place + 1], (trace->depths[r][which] - place) * sizeof *stack);
}

/* Every other state that carried nothing as it began carries something from its end. */
static inline size_t known_note_ended(ocelotl_attribute_value *value, char text[24],
                                      const known_trace *trace, size_t index)
{
    known_event *known = &trace->events[index];
    if (known->event.event_type != trace->types[STATE_TYPE] || known->attributes[0] != '\0' ||
        index % 2 == 0)
        return 0;
    snprintf(text, 24, "%zu", index);
    snprintf(known->attributes, sizeof known->attributes, "{\"note\":%zu}", index);
    *value = (ocelotl_attribute_value){trace->note, text, strlen(text)};
    return 1;
}

static inline void known_state(known_trace *trace, uint32_t r, int64_t time)
{
    ocelotl_attribute_value note;
    char text[24];
    const uint32_t which = check_below(&trace->random, 2);
    const uint32_t type = which ? PLAIN_TYPE : STATE_TYPE;
    const size_t depth = trace->depths[r][which];
    /* The outermost state of the first resource stays open for a long time. */
    if (depth <= (r == 1) || (depth < 8 && check_below(&trace->random, 9) >= depth)) {
        known_push(trace, r, type, time);
        return;
    }
    const size_t above = check_below(&trace->random, 3) == 0
                             ? check_below(&trace->random, (uint32_t)(depth - (r == 1)))
                             : 0;
    const size_t count =
        known_note_ended(&note, text, trace, trace->stacks[r][which][depth - 1 - above]);
    CHECK_OK(ocelotl_writer_pop(trace->writer, trace->resources[r], trace->types[type],
                                (uint32_t)above, time, &note, count));
    known_pop(trace, r, which, depth - 1 - above, time);
}

static inline void known_change(known_trace *trace, uint32_t r, int64_t time)
{
    ocelotl_attribute_value note;
    char text[24];
    size_t *last = &trace->steps[r];
    if (*last > 0 && trace->events[*last - 1].event.begin < time)
        trace->events[*last - 1].event.end = time;
    known_event *known;
    if (*last > 0 && trace->events[*last - 1].event.begin == time)
        known = &trace->events[*last - 1];
    else
        known = known_add(trace, OCELOTL_VARIABLE, VARIABLE_TYPE, r, OCELOTL_NONE, time);
    known->attributes[0] = '\0';
    known->event.number = check_below(&trace->random, 9) - 4.5;
    const size_t count = known_note(&note, text, trace, known);
    CHECK_OK(ocelotl_writer_variable(trace->writer, trace->resources[r],
                                     trace->types[VARIABLE_TYPE], time, known->event.number, &note,
                                     count));
    *last = (size_t)(known - trace->events) + 1;
}

static inline void known_instant(known_trace *trace, uint32_t r, int64_t time)
{
    ocelotl_attribute_value note;
    char text[24];
    const uint32_t value = check_below(&trace->random, 3) == 0
                               ? OCELOTL_NONE
                               : trace->values[EVENT_TYPE] + check_below(&trace->random, 2);
    known_event *known = known_add(trace, OCELOTL_EVENT, EVENT_TYPE, r, value, time);
    const size_t count = known_note(&note, text, trace, known);
    CHECK_OK(ocelotl_writer_event(trace->writer, trace->resources[r], trace->types[EVENT_TYPE],
                                  value, time, &note, count));
}

static inline void known_link_end(known_trace *trace, size_t place, uint32_t r, int64_t time)
{
    known_event *known = &trace->events[trace->links[place]];
    const ocelotl_attribute_value tag = {trace->tag, "x", 1};
    const size_t count = check_below(&trace->random, 2);
    CHECK_OK(ocelotl_writer_link_end(trace->writer, known->link, trace->resources[r], time, &tag,
                                     count));
    known->event.end = time;
    known->event.target = trace->resources[r];
    const size_t length = strlen(known->attributes);
    if (count > 0)
        snprintf(known->attributes + length - 1, sizeof known->attributes - length + 1,
                 ",\"tag\":\"x\"}");
    trace->links[place] = trace->links[--trace->link_count];
}

static inline void known_link_begin(known_trace *trace, uint32_t r, int64_t time)
{
    char size[24];
    known_event *known = known_add(
        trace, OCELOTL_LINK, LINK_TYPE, r,
        check_below(&trace->random, 3) == 0 ? OCELOTL_NONE : trace->values[LINK_TYPE], time);
    snprintf(size, sizeof size, "%zu.5", trace->count);
    snprintf(known->key, sizeof known->key, "k%zu", trace->count);
    snprintf(known->attributes, sizeof known->attributes, "{\"size\":%s}", size);
    const ocelotl_attribute_value attributes[] = {{trace->size, size, strlen(size)},
                                                  {trace->key, known->key, strlen(known->key)}};
    CHECK_OK(ocelotl_writer_link_begin(&known->link, trace->writer, trace->resources[r],
                                       trace->types[LINK_TYPE], known->event.value, time,
                                       attributes, 2));
    known->event.source = trace->resources[r];
    trace->links[trace->link_count++] = trace->count - 1;
}

static inline uint32_t known_alive(known_trace *trace)
{
    uint32_t r = 1; /* most happens in one: its streams have many chunks */
    if (check_below(&trace->random, 3) > 0)
        return r;
    do
        r = check_below(&trace->random, RESOURCES);
    while (trace->ended[r]);
    return r;
}

static inline void known_links(known_trace *trace, uint32_t r, int64_t time)
{
    const uint32_t kind = check_below(&trace->random, 40);
    if (kind == 0) {
        /* many at one instant, which look the same */
        for (uint32_t i = check_below(&trace->random, 60); i > 0 && trace->link_count < 2000; i--)
            known_link_begin(trace, r, time);
    } else if (kind == 1) {
        known_event *known = known_add(trace, OCELOTL_LINK, LINK_TYPE, r, OCELOTL_NONE,
                                       time - check_below(&trace->random, 90));
        known->event.target = trace->resources[r];
        CHECK_OK(ocelotl_writer_link_orphan(trace->writer, trace->resources[r],
                                            trace->types[LINK_TYPE], OCELOTL_NONE,
                                            known->event.begin, NULL, 0));
    } else if (kind == 2) {
        known_link_begin(trace, r, time);
        known_link_end(trace, trace->link_count - 1, known_alive(trace),
                       time - check_below(&trace->random, 90));
    } else if (trace->link_count < 2000 && (trace->link_count < 3 || kind < 21)) {
        known_link_begin(trace, r, time);
    } else {
        known_link_end(trace, check_below(&trace->random, (uint32_t)trace->link_count),
                       known_alive(trace), time);
    }
}

static inline void known_step(known_trace *trace, int64_t time)
{
    const uint32_t r = known_alive(trace);
    switch (check_below(&trace->random, 6)) {
    case 0:
        known_change(trace, r, time);
        break;
    case 1:
        known_instant(trace, r, time);
        break;
    case 2:
    case 3:
        known_links(trace, r, time);
        break;
    default:
        known_state(trace, r, time);
        break;
    }
}

static inline void known_end_resource(known_trace *trace, uint32_t r, int64_t time)
{
    must_end(trace->writer, trace->resources[r], time);
    trace->ended[r] = true;
    for (uint32_t which = 0; which < 2; which++)
        while (trace->depths[r][which] > 0)
            known_pop(trace, r, which, trace->depths[r][which] - 1, time);
    if (trace->steps[r] > 0)
        trace->events[trace->steps[r] - 1].event.end = time;
}

/* Writes a trace of about `changes` changes; two of its resources end before it does. Free the
 * events. */
static inline void known_write(known_trace *trace, const char *path, uint64_t random,
                               uint32_t changes)
{
    int64_t time = 0;
    memset(trace, 0, sizeof *trace);
    trace->random = random;
    trace->writer = must_write_ticks(path, 1000);
    known_declare(trace);
    for (uint32_t i = 0; i < changes; i++) {
        time += check_below(&trace->random, 3);
        known_step(trace, time);
        if (i == changes / 2 || i == changes / 3)
            known_end_resource(trace, i == changes / 2 ? 2 : 4,
                               time + check_below(&trace->random, 2));
    }
    for (uint32_t r = 0; r < RESOURCES; r++)
        if (!trace->ended[r])
            known_end_resource(trace, r, time + 1);
    must_finish(trace->writer);
    trace->writer = NULL;
}

/* The same, opened; it lies in the folder of the test until it is closed. */
static inline ocelotl_trace *known_open(known_trace *known, uint64_t random, uint32_t changes)
{
    const char *path = temporary_path("trace.db");
    known_write(known, path, random, changes);
    return must_open(path);
}

static inline void known_close(known_trace *known, ocelotl_trace *trace)
{
    ocelotl_trace_free(trace);
    free(known->events);
    CHECK(unlink(temporary_path("trace.db")) == 0);
}

#endif
