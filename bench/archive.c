/* Makes an OTF2 archive, bench.otf2 in a folder, with the library's writer:
 *
 *   bench_archive RECORDS FOLDER
 *
 * Eight ranks call functions, two levels deep, with a message to the next rank every 64 records and
 * a time that is never the same. Prints how many records there are. */
#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { RANKS = 8, REGIONS = 12, INNER = 30, OF_A_ROUND = 2 * INNER + 4 };

static void demand(bool done, const char *what)
{
    if (done)
        return;
    fprintf(stderr, "bench_archive: failed: %s\n", what);
    exit(1);
}

static void check(OTF2_ErrorCode code, const char *what)
{
    demand(code == OTF2_SUCCESS, what);
}

/* A random number below `bound`. */
static uint32_t draw(uint64_t *state, uint32_t bound)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)((*state * 0x2545F4914F6CDD1Du) >> 33) % bound;
}

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
    const uint32_t outer = draw(state, 4);
    OTF2_EvtWriter_Enter(to, NULL, *time += 1 + draw(state, 999), outer);
    for (int i = 0; i < INNER; i++) {
        const uint32_t inner = 4 + draw(state, REGIONS - 4);
        OTF2_EvtWriter_Enter(to, NULL, *time += 1 + draw(state, 999), inner);
        if (i == INNER / 3)
            OTF2_EvtWriter_MpiSend(to, NULL, *time += 1, (rank + 1) % RANKS, 0, 7, 4096);
        if (i == INNER / 2)
            OTF2_EvtWriter_MpiRecv(to, NULL, *time += 1, (rank + RANKS - 1) % RANKS, 0, 7, 4096);
        OTF2_EvtWriter_Leave(to, NULL, *time += 1 + draw(state, 999), inner);
    }
    OTF2_EvtWriter_Leave(to, NULL, *time += 1 + draw(state, 999), outer);
}

static void write_events(OTF2_Archive *archive, uint64_t rounds)
{
    check(OTF2_Archive_OpenEvtFiles(archive), "events");
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        uint64_t state = rank + 1;
        uint64_t time = 1000;
        OTF2_EvtWriter *to = OTF2_Archive_GetEvtWriter(archive, rank);
        demand(to != NULL, "events");
        for (uint64_t i = 0; i < rounds; i++)
            write_round(to, rank, &time, &state);
        check(OTF2_Archive_CloseEvtWriter(archive, to), "events");
    }
    check(OTF2_Archive_CloseEvtFiles(archive), "events");
    check(OTF2_Archive_OpenDefFiles(archive), "definitions");
    for (uint32_t rank = 0; rank < RANKS; rank++)
        check(OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, rank)),
              "definitions");
    check(OTF2_Archive_CloseDefFiles(archive), "definitions");
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
    demand(to != NULL, "definitions");
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
    check(OTF2_Archive_CloseGlobalDefWriter(archive, to), "definitions");
}

int main(int argc, char **argv)
{
    demand(argc == 3, "usage: bench_archive RECORDS FOLDER");
    const char *folder = argv[2];
    const uint64_t rounds = strtoull(argv[1], NULL, 10) / RANKS / OF_A_ROUND;
    OTF2_Archive *archive = OTF2_Archive_Open(
        folder, "bench", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
        OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    demand(archive != NULL, folder);
    check(OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL), folder);
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive), folder);
    write_events(archive, rounds);
    write_definitions(archive, rounds * OF_A_ROUND);
    check(OTF2_Archive_Close(archive), folder);
    printf("%llu\n", (unsigned long long)rounds * RANKS * OF_A_ROUND);
    return 0;
}
