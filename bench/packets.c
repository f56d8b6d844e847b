/* Measures the import of CTF traces beside babeltrace2, which only reads them:
 *
 *   bench_packets [MILLIONS [FOLDER]]
 *
 * The trace (default: 6 million events, in TMPDIR) is made here, as LTTng writes them of programs:
 * four streams, packets of 1500 events, a context with the thread and its name; two of
 * three events begin and end a state, and the third has three fields, one of them a text. */
#define _GNU_SOURCE
#include "bench.h"
#include "child.h"

#include <ocelotl/ocelotl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    RUNS = 3,
    PATH = 4096,
    STREAMS = 4,
    ROUNDS = 500, /* of a packet, three events each */
    HEAD = 4 + 4 + 8 * 4,
    CONTEXT = 4 + 4 + 5,
    PACKET = HEAD + ROUNDS * (3 * (12 + CONTEXT) + 4 + 8 + 22)
};

static const double wanted = 0.6; /* of what babeltrace2 reads */

static const char metadata[] =
    "/* CTF 1.8 */\n"
    "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
    "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
    "typealias integer { size = 64; align = 8; signed = false; base = 16; } := address;\n"
    "trace { major = 1; minor = 8; byte_order = le;\n"
    "packet.header := struct { uint32_t magic; uint32_t stream_id; }; };\n"
    "env { domain = \"ust\"; hostname = \"bench\"; };\n"
    "clock { name = monotonic; freq = 1000000000; offset_s = 1700000000; };\n"
    "typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := "
    "stamp;\n"
    "stream { id = 0; event.header := struct { uint32_t id; stamp timestamp; };\n"
    "packet.context := struct { stamp timestamp_begin; stamp timestamp_end;\n"
    "uint64_t content_size; uint64_t packet_size; };\n"
    "event.context := struct { uint32_t vpid; uint32_t vtid; string procname; }; };\n"
    "event { id = 0; name = \"work_begin\"; stream_id = 0; fields := struct { uint32_t step; }; "
    "};\n"
    "event { id = 1; name = \"work_end\"; stream_id = 0; fields := struct { uint64_t result; }; "
    "};\n"
    "event { id = 2; name = \"note\"; stream_id = 0;\n"
    "fields := struct { uint64_t size; address ptr; string text; }; };\n";

/* --- The trace */

static unsigned char packet[PACKET];

static unsigned char *put(unsigned char *at, uint64_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        *at++ = (unsigned char)(number >> 8 * i);
    return at;
}

static unsigned char *put_event(unsigned char *at, uint32_t id, uint64_t time, uint32_t thread)
{
    at = put(put(at, id, 4), time, 8);
    at = put(put(at, 7, 4), 7 + thread, 4);
    memcpy(at, "main", 5);
    return at + 5;
}

static void make_packet(uint64_t *time, uint64_t *state, uint32_t stream)
{
    const uint64_t begin = *time;
    unsigned char *at = packet + HEAD;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        at = put(put_event(at, 0, *time += 1 + bench_draw(state) % 999, stream), i, 4);
        at = put_event(at, 2, *time += 1 + bench_draw(state) % 999, stream);
        at = put(put(at, bench_draw(state) % 4096, 8), UINT64_C(0x7F0000000000) + 64 * i, 8);
        memcpy(at, "hello", 6);
        at += 6;
        at = put(put_event(at, 1, *time += 1 + bench_draw(state) % 999, stream), i, 8);
    }
    unsigned char *head = put(put(packet, 0xC1FC1FC1, 4), 0, 4);
    head = put(put(head, begin, 8), *time, 8);
    head = put(put(head, PACKET * 8, 8), PACKET * 8, 8);
    bench_demand(head == packet + HEAD && at == packet + PACKET, "a packet");
}

static void write_file(const char *path, uint64_t packets, uint32_t stream)
{
    uint64_t time = 1;
    uint64_t state = stream + 1;
    FILE *file = fopen(path, "wb");
    bench_demand(file != NULL, path);
    for (uint64_t i = 0; i < packets; i++) {
        make_packet(&time, &state, stream);
        bench_demand(fwrite(packet, PACKET, 1, file) == 1, path);
    }
    bench_demand(fclose(file) == 0, path);
}

/* Returns how many events the trace has. */
static uint64_t make(const char *folder, uint64_t events)
{
    char path[PATH + 32];
    const uint64_t packets = events / STREAMS / ROUNDS / 3;
    snprintf(path, sizeof path, "%s/metadata", folder);
    FILE *file = fopen(path, "wb");
    bench_demand(file != NULL && fputs(metadata, file) >= 0 && fclose(file) == 0, path);
    for (uint32_t i = 0; i < STREAMS; i++) {
        snprintf(path, sizeof path, "%s/stream_%u", folder, i);
        write_file(path, packets, i);
    }
    return packets * STREAMS * ROUNDS * 3;
}

/* --- Comparing */

/* States are two events each. */
static uint64_t count_events(const char *path)
{
    ocelotl_trace *trace;
    uint64_t events = 0;
    bench_demand(ocelotl_trace_open(&trace, path) == OCELOTL_OK, path);
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, i);
        events += type.category == OCELOTL_STATE ? 2 * type.count : type.count;
    }
    ocelotl_trace_free(trace);
    return events;
}

enum { IMPORT, READ, COMMANDS };

static void compare(const char *program, const char *folder, const char *database, uint64_t events)
{
    char importer[PATH];
    static child_command commands[COMMANDS];
    snprintf(importer, sizeof importer, "%s/../ocelotl-cli", program);
    const char *import[] = {importer, "import", "--force", folder, "-o", database, NULL};
    const char *read[] = {"babeltrace2", "-o", "dummy", folder, NULL};
    commands[IMPORT].arguments = import;
    commands[READ].arguments = read;
    child_compare(commands, COMMANDS, RUNS);
    const child_cost ours = commands[IMPORT].median;
    const child_cost theirs = commands[READ].median;
    bench_demand(ours.seconds > 0 && count_events(database) == events, "import");
    const double rate = theirs.seconds > 0 ? (double)events / theirs.seconds : 0;
    printf("A CTF trace to a finished trace.db: %.2f million events\n", (double)events / 1e6);
    bench_print((bench_line){.unit = BENCH_RATE,
                             .figure = (double)events / ours.seconds,
                             .target = wanted * rate,
                             .runs = RUNS},
                "  events, imported");
    if (rate > 0)
        bench_print((bench_line){.unit = BENCH_RATE, .figure = rate, .runs = RUNS},
                    "  events, read by babeltrace2 -o dummy");
    bench_print((bench_line){.unit = BENCH_BYTES, .figure = ours.memory, .runs = RUNS},
                "memory of the import");
    bench_print((bench_line){.unit = BENCH_SECONDS,
                             .figure = ours.processors,
                             .textbook = theirs.processors,
                             .runs = RUNS,
                             .textbook_runs = RUNS},
                "time of all processors; of babeltrace2");
}

int main(int argc, char **argv)
{
    static char folder[PATH], program[PATH / 2], database[PATH + 16];
    const char *where = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
    const uint64_t millions = argc > 1 ? strtoull(argv[1], NULL, 10) : 6;
    bench_demand(millions > 0, "usage: bench_packets [MILLIONS [FOLDER]]");
    snprintf(folder, PATH, "%s/bench_packets-XXXXXX", argc > 2 ? argv[2] : where);
    bench_demand(mkdtemp(folder) != NULL, folder);
    snprintf(database, sizeof database, "%s.db", folder);
    const uint64_t events = make(folder, millions * 1000000);
    bench_find_folder(program, sizeof program);
    compare(program, folder, database, events);
    const char *removal[] = {"rm", "-r", folder, database, NULL};
    child_cost cost;
    bench_demand(child_run(&cost, removal, NULL), folder);
    return 0;
}
