/* Measures the import of OTF2 archives beside otf2-print and a reader that only counts:
 *
 *   bench_archives [MILLIONS [FOLDER]]
 *   bench_archives --count ANCHOR
 *
 * The archive (default: 20 million records, in TMPDIR) is made here with the library's writer:
 * eight ranks that call functions, two levels deep, with a message to the next rank every 64
 * records and a time that is never the same. The reader that counts is the second form, which the
 * first one runs: location by location, in one thread, a callback for each record. */
#define _GNU_SOURCE
#include "bench.h"
#include "child.h"

#include <ocelotl/ocelotl.h>

#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RUNS = 3, PATH = 4096, RANKS = 8, REGIONS = 12, INNER = 30, OF_A_ROUND = 2 * INNER + 4 };

static const double wanted = 8e6; /* records a second */

static void check_code(OTF2_ErrorCode code, const char *what)
{
    bench_demand(code == OTF2_SUCCESS, what);
}

/* --- Making */

static OTF2_FlushType flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                            bool final)
{
    (void)data, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static OTF2_TimeStamp stamp(void *data, OTF2_FileType type, OTF2_LocationRef location)
{
    (void)data, (void)type, (void)location;
    return 0;
}

static OTF2_FlushCallbacks callbacks = {flush, stamp};

/* An outer call, inner ones, a message out and one in. */
static void write_round(OTF2_EvtWriter *to, uint32_t rank, uint64_t *time, uint64_t *state)
{
    const uint32_t outer = (uint32_t)(bench_draw(state) % 4);
    OTF2_EvtWriter_Enter(to, NULL, *time += 1 + bench_draw(state) % 999, outer);
    for (int i = 0; i < INNER; i++) {
        const uint32_t inner = 4 + (uint32_t)(bench_draw(state) % (REGIONS - 4));
        OTF2_EvtWriter_Enter(to, NULL, *time += 1 + bench_draw(state) % 999, inner);
        if (i == INNER / 3)
            OTF2_EvtWriter_MpiSend(to, NULL, *time += 1, (rank + 1) % RANKS, 0, 7, 4096);
        if (i == INNER / 2)
            OTF2_EvtWriter_MpiRecv(to, NULL, *time += 1, (rank + RANKS - 1) % RANKS, 0, 7, 4096);
        OTF2_EvtWriter_Leave(to, NULL, *time += 1 + bench_draw(state) % 999, inner);
    }
    OTF2_EvtWriter_Leave(to, NULL, *time += 1 + bench_draw(state) % 999, outer);
}

static void write_events(OTF2_Archive *archive, uint64_t rounds)
{
    check_code(OTF2_Archive_OpenEvtFiles(archive), "events");
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        uint64_t state = rank + 1;
        uint64_t time = 1000;
        OTF2_EvtWriter *to = OTF2_Archive_GetEvtWriter(archive, rank);
        bench_demand(to != NULL, "events");
        for (uint64_t i = 0; i < rounds; i++)
            write_round(to, rank, &time, &state);
        check_code(OTF2_Archive_CloseEvtWriter(archive, to), "events");
    }
    check_code(OTF2_Archive_CloseEvtFiles(archive), "events");
    check_code(OTF2_Archive_OpenDefFiles(archive), "definitions");
    for (uint32_t rank = 0; rank < RANKS; rank++)
        check_code(OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, rank)),
                   "definitions");
    check_code(OTF2_Archive_CloseDefFiles(archive), "definitions");
}

static void write_ranks(OTF2_GlobalDefWriter *to, uint64_t events)
{
    char name[32];
    uint64_t ranks[RANKS];
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        snprintf(name, sizeof name, "Rank %u", rank);
        ranks[rank] = rank;
        OTF2_GlobalDefWriter_WriteString(to, 10 + rank, name);
        OTF2_GlobalDefWriter_WriteLocationGroup(to, rank, 10 + rank,
                                                OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                OTF2_UNDEFINED_LOCATION_GROUP);
        OTF2_GlobalDefWriter_WriteLocation(to, rank, 2, OTF2_LOCATION_TYPE_CPU_THREAD, events,
                                           rank);
    }
    OTF2_GlobalDefWriter_WriteGroup(to, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, RANKS, ranks);
    OTF2_GlobalDefWriter_WriteGroup(to, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, RANKS, ranks);
    OTF2_GlobalDefWriter_WriteComm(to, 0, 3, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

static void write_definitions(OTF2_Archive *archive, uint64_t events)
{
    static const char *const strings[] = {"", "machine", "main thread", "MPI_COMM_WORLD"};
    char name[32];
    OTF2_GlobalDefWriter *to = OTF2_Archive_GetGlobalDefWriter(archive);
    bench_demand(to != NULL, "definitions");
    OTF2_GlobalDefWriter_WriteClockProperties(to, 1000000000, 0, UINT64_C(1) << 60,
                                              OTF2_UNDEFINED_TIMESTAMP);
    for (uint32_t i = 0; i < sizeof strings / sizeof strings[0]; i++)
        OTF2_GlobalDefWriter_WriteString(to, i, strings[i]);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(to, 0, 1, 1, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (uint32_t i = 0; i < REGIONS; i++) {
        snprintf(name, sizeof name, "function %u", i);
        OTF2_GlobalDefWriter_WriteString(to, 100 + i, name);
        OTF2_GlobalDefWriter_WriteRegion(to, i, 100 + i, 0, 0, OTF2_REGION_ROLE_FUNCTION,
                                         OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, 0, 0, 0);
    }
    write_ranks(to, events);
    check_code(OTF2_Archive_CloseGlobalDefWriter(archive, to), "definitions");
}

/* Returns how many records the archive has. */
static uint64_t make(const char *folder, uint64_t records)
{
    const uint64_t rounds = records / RANKS / OF_A_ROUND;
    OTF2_Archive *archive = OTF2_Archive_Open(
        folder, "bench", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
        OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    bench_demand(archive != NULL, folder);
    check_code(OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL), folder);
    check_code(OTF2_Archive_SetSerialCollectiveCallbacks(archive), folder);
    write_events(archive, rounds);
    write_definitions(archive, rounds * OF_A_ROUND);
    check_code(OTF2_Archive_Close(archive), folder);
    return rounds * RANKS * OF_A_ROUND;
}

/* --- Counting */

static OTF2_CallbackCode count_region(OTF2_LocationRef location, OTF2_TimeStamp time,
                                      uint64_t position, void *data, OTF2_AttributeList *list,
                                      OTF2_RegionRef region)
{
    (void)location, (void)time, (void)position, (void)list, (void)region;
    ++*(uint64_t *)data;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode count_message(OTF2_LocationRef location, OTF2_TimeStamp time,
                                       uint64_t position, void *data, OTF2_AttributeList *list,
                                       uint32_t peer, OTF2_CommRef communicator, uint32_t tag,
                                       uint64_t size)
{
    (void)location, (void)time, (void)position, (void)list;
    (void)peer, (void)communicator, (void)tag, (void)size;
    ++*(uint64_t *)data;
    return OTF2_CALLBACK_SUCCESS;
}

static void count_location(uint64_t *counted, OTF2_Reader *reader, OTF2_LocationRef location)
{
    uint64_t read;
    OTF2_DefReader *definitions = OTF2_Reader_GetDefReader(reader, location);
    OTF2_EvtReaderCallbacks *each = OTF2_EvtReaderCallbacks_New();
    OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader, location);
    bench_demand(definitions != NULL && each != NULL && events != NULL, "a location");
    check_code(OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &read), "definitions");
    OTF2_EvtReaderCallbacks_SetEnterCallback(each, count_region);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(each, count_region);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(each, count_message);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(each, count_message);
    check_code(OTF2_Reader_RegisterEvtCallbacks(reader, events, each, counted), "a location");
    check_code(OTF2_Reader_ReadAllLocalEvents(reader, events, &read), "events");
    OTF2_EvtReaderCallbacks_Delete(each);
    OTF2_Reader_CloseEvtReader(reader, events);
    OTF2_Reader_CloseDefReader(reader, definitions);
}

static int count(const char *anchor)
{
    uint64_t counted = 0;
    OTF2_Reader *reader = OTF2_Reader_Open(anchor);
    bench_demand(reader != NULL, anchor);
    check_code(OTF2_Reader_SetSerialCollectiveCallbacks(reader), anchor);
    for (uint32_t rank = 0; rank < RANKS; rank++)
        check_code(OTF2_Reader_SelectLocation(reader, rank), anchor);
    check_code(OTF2_Reader_OpenDefFiles(reader), anchor);
    check_code(OTF2_Reader_OpenEvtFiles(reader), anchor);
    for (uint32_t rank = 0; rank < RANKS; rank++)
        count_location(&counted, reader, rank);
    check_code(OTF2_Reader_Close(reader), anchor);
    printf("%llu records\n", (unsigned long long)counted);
    return 0;
}

/* --- Comparing */

/* States are two records each, and so are messages. */
static uint64_t count_records(const char *path)
{
    ocelotl_trace *trace;
    uint64_t records = 0;
    bench_demand(ocelotl_trace_open(&trace, path) == OCELOTL_OK, path);
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++)
        records += 2 * ocelotl_trace_event_type_at(trace, i).count;
    ocelotl_trace_free(trace);
    return records;
}

enum { IMPORT, COUNT, PRINT, COMMANDS };

static void print_rate(const child_command *command, uint64_t records, double target,
                       const char *what)
{
    if (command->median.seconds > 0)
        bench_print((bench_line){.unit = BENCH_RATE,
                                 .figure = (double)records / command->median.seconds,
                                 .target = target,
                                 .runs = RUNS},
                    "%s", what);
}

static void compare(const char *program, const char *folder, uint64_t records)
{
    static char importer[PATH], anchor[2 * PATH], database[2 * PATH], self[PATH];
    static child_command commands[COMMANDS];
    snprintf(importer, PATH, "%s/../ocelotl-cli", program);
    snprintf(self, PATH, "%s/bench_archives", program);
    snprintf(anchor, sizeof anchor, "%s/bench.otf2", folder);
    snprintf(database, sizeof database, "%s/bench.db", folder);
    const char *import[] = {importer, "import", "--force", anchor, "-o", database, NULL};
    const char *counting[] = {self, "--count", anchor, NULL};
    const char *print[] = {"otf2-print", anchor, NULL};
    commands[IMPORT].arguments = import;
    commands[COUNT].arguments = counting;
    commands[PRINT].arguments = print;
    commands[PRINT].output = "/dev/null";
    child_compare(commands, COMMANDS, RUNS);
    bench_demand(commands[IMPORT].median.seconds > 0 && count_records(database) == records,
                 "import");
    printf("An OTF2 archive to a finished trace.db: %.2f million records\n", (double)records / 1e6);
    print_rate(&commands[IMPORT], records, wanted, "  records, imported");
    print_rate(&commands[COUNT], records, 0, "  records, only counted, in one thread");
    print_rate(&commands[PRINT], records, 0, "  records, printed by otf2-print");
    bench_print(
        (bench_line){.unit = BENCH_BYTES, .figure = commands[IMPORT].median.memory, .runs = RUNS},
        "memory of the import");
    bench_print((bench_line){.unit = BENCH_SECONDS,
                             .figure = commands[IMPORT].median.processors,
                             .textbook = commands[COUNT].median.processors,
                             .runs = RUNS,
                             .textbook_runs = RUNS},
                "time of all processors; only counted");
}

int main(int argc, char **argv)
{
    static char folder[PATH], program[PATH / 2];
    const char *where = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
    if (argc == 3 && strcmp(argv[1], "--count") == 0)
        return count(argv[2]);
    const uint64_t millions = argc > 1 ? strtoull(argv[1], NULL, 10) : 20;
    bench_demand(millions > 0, "usage: bench_archives [MILLIONS [FOLDER]]");
    snprintf(folder, PATH, "%s/bench_archives-XXXXXX", argc > 2 ? argv[2] : where);
    bench_demand(mkdtemp(folder) != NULL, folder);
    const uint64_t records = make(folder, millions * 1000000);
    bench_find_folder(program, sizeof program);
    compare(program, folder, records);
    const char *removal[] = {"rm", "-r", folder, NULL};
    child_cost cost;
    bench_demand(child_run(&cost, removal, NULL), folder);
    return 0;
}
