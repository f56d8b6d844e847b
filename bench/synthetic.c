/* The synthetic trace, as a trace.db and as Pajé text. */
#include "bench.h"

#include <inttypes.h>
#include <stdio.h>

enum { RING_RANKS = 100, RING_ON_THEIR_WAY = 128 /* more than ranks */ };

static void wait(synthetic *trace, uint32_t leaf, int64_t time)
{
    uint32_t *first = &trace->due[(uint64_t)time % SYNTHETIC_INSTANTS];
    trace->next[leaf] = *first;
    *first = leaf;
}

void synthetic_begin(synthetic *trace, uint64_t states)
{
    trace->random = 0x9E3779B97F4A7C15u + 1;
    trace->left = states;
    trace->time = 0;
    for (uint32_t i = 0; i < SYNTHETIC_INSTANTS; i++)
        trace->due[i] = SYNTHETIC_LEAVES;
    for (uint32_t leaf = SYNTHETIC_LEAVES; leaf-- > 0;)
        wait(trace, leaf, 0);
}

bool synthetic_next(synthetic_state *state, synthetic *trace)
{
    if (trace->left == 0)
        return false;
    trace->left--;
    while (trace->due[(uint64_t)trace->time % SYNTHETIC_INSTANTS] == SYNTHETIC_LEAVES)
        trace->time++;
    uint32_t *first = &trace->due[(uint64_t)trace->time % SYNTHETIC_INSTANTS];
    const uint32_t leaf = *first;
    const uint64_t drawn = bench_draw_bits(&trace->random);
    *first = trace->next[leaf];
    wait(trace, leaf, trace->time + 1 + (int64_t)((drawn >> 32) * SYNTHETIC_LONGEST >> 32));
    *state = (synthetic_state){trace->time, leaf,
                               (uint32_t)((drawn & UINT32_MAX) * SYNTHETIC_VALUES >> 32)};
    return true;
}

ocelotl_writer *bench_begin_trace(uint32_t *states, const char *path, uint32_t resources,
                                  uint32_t values, bool tree)
{
    char name[24];
    uint32_t type, id;
    ocelotl_writer *writer;
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    options.name = options.format = "synthetic";
    options.tick_denominator = 1000000;
    options.overwrite = true;
    bench_check(ocelotl_writer_open(&writer, path, &options));
    bench_check(ocelotl_writer_resource_type(&type, writer, OCELOTL_ROOT, "resource"));
    bench_check(ocelotl_writer_event_type(states, writer, OCELOTL_STATE, type, "state", -1));
    for (uint32_t r = 0; r < resources; r++) {
        const uint32_t parent = tree && r > 0 ? (r - 1) / 10 : OCELOTL_ROOT;
        snprintf(name, sizeof name, "r%u", r);
        bench_check(ocelotl_writer_resource(&id, writer, type, parent, name, 0));
    }
    for (uint32_t v = 0; v < values; v++) {
        snprintf(name, sizeof name, "state %u", v);
        bench_check(ocelotl_writer_value(&id, writer, *states, name, -1));
    }
    return writer;
}

void bench_end_trace(ocelotl_writer *writer)
{
    bench_check(ocelotl_writer_finish(writer));
    ocelotl_writer_free(writer);
}

void synthetic_write(const char *path, uint64_t states)
{
    bool open[SYNTHETIC_LEAVES] = {false};
    uint32_t type;
    synthetic trace;
    synthetic_state state;
    ocelotl_writer *writer =
        bench_begin_trace(&type, path, SYNTHETIC_RESOURCES, SYNTHETIC_VALUES, true);
    synthetic_begin(&trace, states);
    while (synthetic_next(&state, &trace)) {
        const uint32_t resource = SYNTHETIC_INNER + state.leaf;
        if (open[state.leaf])
            bench_check(ocelotl_writer_pop(writer, resource, type, 0, state.time, NULL, 0));
        open[state.leaf] = true;
        bench_check(ocelotl_writer_push(writer, resource, type, state.value, state.time, NULL, 0));
    }
    bench_end_trace(writer);
}

/* A message on its way: it may arrive after its sender has sent others, but in their order. */
typedef struct ring_message {
    uint64_t link;
    int64_t arrives;
} ring_message;

typedef struct ring {
    ocelotl_writer *writer;
    uint32_t states, links, receive;
    uint64_t random;
    int64_t now[RING_RANKS], sent[RING_RANKS];
    ring_message messages[RING_RANKS][RING_ON_THEIR_WAY]; /* by sender */
    uint32_t begun[RING_RANKS], ended[RING_RANKS];
} ring;

/* Ends messages of a rank that arrive by then. */
static void end_messages(ring *r, uint32_t from, int64_t time)
{
    for (; r->ended[from] < r->begun[from]; r->ended[from]++) {
        const ring_message *message = &r->messages[from][r->ended[from] % RING_ON_THEIR_WAY];
        if (message->arrives > time)
            break;
        bench_check(ocelotl_writer_link_end(r->writer, message->link, (from + 1) % RING_RANKS,
                                            message->arrives, NULL, 0));
    }
}

static void go_round(ring *r)
{
    for (uint32_t i = 0; i < RING_RANKS; i++) {
        r->sent[i] = r->now[i] + 10 + (int64_t)(bench_draw_bits(&r->random) % 90);
        bench_check(ocelotl_writer_push(r->writer, i, r->states, 0, r->now[i], NULL, 0));
        bench_check(ocelotl_writer_pop(r->writer, i, r->states, 0, r->sent[i], NULL, 0));
        bench_check(ocelotl_writer_push(r->writer, i, r->states, r->receive, r->sent[i], NULL, 0));
    }
    for (uint32_t i = 0; i < RING_RANKS; i++) {
        const uint32_t from = (i + RING_RANKS - 1) % RING_RANKS;
        ring_message *message = &r->messages[from][r->begun[from] % RING_ON_THEIR_WAY];
        r->now[i] = (r->sent[from] > r->sent[i] ? r->sent[from] : r->sent[i]) + 2;
        bench_check(ocelotl_writer_pop(r->writer, i, r->states, 0, r->now[i], NULL, 0));
        end_messages(r, from, r->sent[from]);
        bench_check(ocelotl_writer_link_begin(&message->link, r->writer, from, r->links,
                                              OCELOTL_NONE, r->sent[from], NULL, 0));
        message->arrives = r->now[i];
        r->begun[from]++;
    }
}

void synthetic_write_ring(const char *path, uint64_t messages)
{
    static ring r = {.random = 1};
    r.writer = bench_begin_trace(&r.states, path, RING_RANKS, 1, false);
    bench_check(ocelotl_writer_value(&r.receive, r.writer, r.states, "MPI_Recv", -1));
    bench_check(ocelotl_writer_event_type(&r.links, r.writer, OCELOTL_LINK, 0, "message", -1));
    for (uint64_t sent = 0; sent < messages; sent += RING_RANKS)
        go_round(&r);
    for (uint32_t i = 0; i < RING_RANKS; i++)
        end_messages(&r, i, INT64_MAX);
    bench_end_trace(r.writer);
}

static const char head[] =
    "%EventDef PajeDefineContainerType 0\n% Alias string\n% Type string\n% Name string\n"
    "%EndEventDef\n%EventDef PajeDefineStateType 1\n% Alias string\n% Type string\n"
    "% Name string\n%EndEventDef\n%EventDef PajeDefineEntityValue 2\n% Alias string\n"
    "% Type string\n% Name string\n% Color color\n%EndEventDef\n"
    "%EventDef PajeCreateContainer 3\n% Time date\n% Alias string\n% Type string\n"
    "% Container string\n% Name string\n%EndEventDef\n%EventDef PajeDestroyContainer 4\n"
    "% Time date\n% Type string\n% Name string\n%EndEventDef\n%EventDef PajeSetState 5\n"
    "% Time date\n% Container string\n% Type string\n% Value string\n%EndEventDef\n"
    "0 L0 0 level0\n0 L1 L0 level1\n0 L2 L1 level2\n0 L3 L2 level3\n1 S L3 state\n";

/* Each level has a type of its own: Paje knows no type below itself. */
static void print_head(void)
{
    fputs(head, stdout);
    for (uint32_t v = 0; v < SYNTHETIC_VALUES; v++)
        printf("2 v%u S \"state %u\" \"%.1f 0.5 %.1f\"\n", v, v, v / 10.0, 1 - v / 10.0);
    printf("3 0.000000 r0 L0 0 r0\n");
    for (uint32_t r = 1; r < SYNTHETIC_RESOURCES; r++)
        printf("3 0.000000 r%u L%d r%u r%u\n", r, r > 110 ? 3 : r > 10 ? 2 : 1, (r - 1) / 10, r);
}

void synthetic_print(uint64_t states)
{
    static synthetic trace;
    synthetic_state state;
    print_head();
    synthetic_begin(&trace, states);
    while (synthetic_next(&state, &trace))
        printf("5 %" PRId64 ".%06" PRId64 " r%u S v%u\n", state.time / 1000000,
               state.time % 1000000, SYNTHETIC_INNER + state.leaf, state.value);
    for (uint32_t r = SYNTHETIC_INNER; r < SYNTHETIC_RESOURCES; r++)
        printf("4 %" PRId64 ".%06" PRId64 " L3 r%u\n", trace.time / 1000000, trace.time % 1000000,
               r);
}
