/* The uid of a trace is that of its content: it is the same in whatever order, with whatever
 * numbers and ticks it was written, and another where anything is another. Ends of states carry
 * attributes.
 */
#include "temporary.h"

enum { RESOURCES = 5, VALUES = 3, STREAMS = 4 * RESOURCES, RECORDS = 1500 };

/* How the trace is written, and what is changed in it. */
typedef struct way {
    uint64_t random;  /* 0: in order */
    int64_t finer;    /* ticks are so much finer from the beginning */
    uint64_t refined; /* and so much more from its middle on */
    int changed;      /* a part of the content, 0: none */
} way;

typedef struct names {
    ocelotl_writer *writer;
    uint32_t resource_type, types[4], resources[RESOURCES], values[4][VALUES], attribute[4][2];
    uint32_t depth[RESOURCES];
} names;

static void shuffle(uint32_t *order, uint32_t count, uint64_t *random)
{
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t i = count; *random != 0 && i > 1; i--) {
        const uint32_t other = check_below(random, i);
        const uint32_t moved = order[i - 1];
        order[i - 1] = order[other];
        order[other] = moved;
    }
}

static void declare(names *n, way *how)
{
    static const ocelotl_category categories[] = {OCELOTL_STATE, OCELOTL_EVENT, OCELOTL_VARIABLE,
                                                  OCELOTL_LINK};
    uint32_t order[RESOURCES];
    char name[16];
    n->resource_type = must_kind(n->writer, OCELOTL_ROOT, "thread");
    shuffle(order, RESOURCES, &how->random);
    for (uint32_t i = 0; i < RESOURCES; i++) {
        snprintf(name, sizeof name, how->changed == 1 && order[i] == 2 ? "other" : "r%u", order[i]);
        n->resources[order[i]] = must_resource(n->writer, n->resource_type, OCELOTL_ROOT, name, 0);
    }
    shuffle(order, 4, &how->random);
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t t = order[i];
        uint32_t inner[VALUES];
        snprintf(name, sizeof name, "type %u", t);
        n->types[t] = must_type(n->writer, categories[t], n->resource_type, name);
        shuffle(inner, 2, &how->random);
        for (uint32_t a = 0; a < 2; a++)
            n->attribute[t][inner[a]] =
                must_attribute(n->writer, n->types[t], inner[a] == 0 ? "size" : "note");
        shuffle(inner, VALUES, &how->random);
        for (uint32_t v = 0; v < VALUES && t != 2; v++) {
            snprintf(name, sizeof name, "v%u", inner[v]);
            n->values[t][inner[v]] = must_value(n->writer, n->types[t], name);
        }
    }
    if (how->changed == 6)
        must_value(n->writer, n->types[0], "waiting");
    must_resource(n->writer, n->resource_type, OCELOTL_ROOT, "late", how->changed == 7);
}

/* Gives the attributes of a record, in either order. */
static size_t carry(ocelotl_attribute_value attributes[2], char text[24], const names *n,
                    uint32_t type, uint32_t record, const way *how)
{
    if (record % 3 == 0)
        return 0;
    snprintf(text, 24, "%u_0%u#%u", record / 7, record % 5,
             record + (how->changed == 3 && record == 700));
    const bool first = how->random % 2 == 0;
    attributes[first ? 0 : 1] =
        (ocelotl_attribute_value){n->attribute[type][0], text, strlen(text)};
    attributes[first ? 1 : 0] = (ocelotl_attribute_value){n->attribute[type][1], "x", 1};
    return 2;
}

/* Record `record` of one stream; of links both ends. */
static void write_record(names *n, uint32_t stream, uint32_t record, const way *how, int64_t scale)
{
    const uint32_t type = stream / RESOURCES, r = stream % RESOURCES;
    uint64_t content = (uint64_t)stream * RECORDS + record + 1;
    const uint32_t value =
        (check_below(&content, VALUES) + (how->changed == 5 && record == 8)) % VALUES;
    const int64_t time =
        ((int64_t)record / 2 * 10 + (how->changed == 2 && stream == 7 && record == 901)) * scale;
    ocelotl_attribute_value attributes[2];
    char text[24];
    const size_t count = carry(attributes, text, n, type, record, how);
    if (type == 0 && n->depth[r] > 0 && (n->depth[r] > 3 || check_below(&content, 2) == 0)) {
        const uint32_t depth = check_below(&content, n->depth[r]--);
        CHECK_OK(ocelotl_writer_pop(n->writer, n->resources[r], n->types[0], depth, time,
                                    attributes, count));
    } else if (type == 0) {
        n->depth[r]++;
        CHECK_OK(ocelotl_writer_push(n->writer, n->resources[r], n->types[0], n->values[0][value],
                                     time, attributes, count));
    } else if (type == 1) {
        CHECK_OK(ocelotl_writer_event(n->writer, n->resources[r], n->types[1], n->values[1][value],
                                      time, attributes, count));
    } else if (type == 2) {
        CHECK_OK(ocelotl_writer_variable(n->writer, n->resources[r], n->types[2], time,
                                         value + (how->changed == 4 && record == 3), attributes,
                                         count));
    } else {
        uint64_t link;
        CHECK_OK(ocelotl_writer_link_begin(&link, n->writer, n->resources[r], n->types[3],
                                           n->values[3][value], time, attributes, count));
        must_end_link(n->writer, link, n->resources[r], time);
    }
}

/* Half of the records of all streams, one of any of them at a time. */
static void write_half(names *n, uint32_t *written, uint32_t until, way *how, int64_t scale)
{
    for (uint32_t left = STREAMS; left > 0;) {
        uint32_t stream = how->random != 0 ? check_below(&how->random, STREAMS) : STREAMS - left;
        const uint32_t run = how->random != 0 ? 1 + check_below(&how->random, 90) : RECORDS;
        while (written[stream] == until)
            stream = (stream + 1) % STREAMS;
        for (uint32_t i = 0; i < run && written[stream] < until; i++)
            write_record(n, stream, written[stream]++, how, scale);
        left -= written[stream] == until;
    }
}

static void write_trace(char uid[64], way how)
{
    names n = {0};
    uint32_t written[STREAMS] = {0};
    ocelotl_trace *trace;
    const char *path = temporary_path("trace.db");
    n.writer = must_write_ticks(path, 1000000 * (uint64_t)how.finer);
    declare(&n, &how);
    write_half(&n, written, RECORDS / 2, &how, how.finer);
    CHECK_OK(ocelotl_writer_refine(n.writer, how.refined));
    write_half(&n, written, RECORDS, &how, how.finer * (int64_t)how.refined);
    must_finish(n.writer);
    trace = must_open(path);
    snprintf(uid, 64, "%s", ocelotl_trace_info_of(trace).uid);
    ocelotl_trace_free(trace);
}

static void check_ways(void)
{
    char first[64], uid[64];
    write_trace(first, (way){0, 1, 1, 0});
    for (uint64_t i = 1; i <= 12; i++) {
        write_trace(uid,
                    (way){i * 0x9E3779B97F4A7C15u, i % 3 == 0 ? 1000 : 1, i % 4 == 1 ? 7 : 1, 0});
        CHECK_TEXT(uid, first);
    }
    for (int changed = 1; changed <= 7; changed++) {
        write_trace(uid, (way){0, 1, 1, changed});
        CHECK(strcmp(uid, first) != 0);
    }
}

/* What a state's begin and its end carry is listed in this order. */
static void check_ends(void)
{
    names n = {0};
    way how = {0, 1, 1, 0};
    ocelotl_event event;
    const char *path = temporary_path("ends.db");
    n.writer = must_write(path, NULL);
    declare(&n, &how);
    const ocelotl_attribute_value begin = {n.attribute[0][0], "1", 1};
    const ocelotl_attribute_value end[] = {{n.attribute[0][0], "2", 1},
                                           {n.attribute[0][1], "done", 4}};
    CHECK_OK(
        ocelotl_writer_push(n.writer, n.resources[0], n.types[0], n.values[0][0], 1, &begin, 1));
    CHECK_OK(ocelotl_writer_pop(n.writer, n.resources[0], n.types[0], 0, 5, end, 2));
    CHECK_REFUSED(ocelotl_writer_pop(n.writer, n.resources[0], n.types[0], 0, 6, NULL, 0),
                  "has 0 open states");
    must_finish(n.writer);
    ocelotl_trace *trace = must_open(path);
    ocelotl_events *events = must_list(trace, NULL);
    CHECK(must_next(&event, events) && event.begin == 1 && event.end == 5);
    CHECK_TEXT(event.attributes, "{\"size\":1,\"size\":2,\"note\":\"done\"}");
    ocelotl_events_free(events);
    ocelotl_trace_free(trace);
}

int main(void)
{
    temporary_begin();
    check_ways();
    check_ends();
    return 0;
}
