/* Small OTF2 archives, written by the library for the tests of the importer. */
#ifndef OC_TESTS_OTF2_ARCHIVE_H
#define OC_TESTS_OTF2_ARCHIVE_H

#include "temporary.h"

#include <otf2/otf2.h>

/* What the library of OTF2 must do. */
#define MADE_OF(call) CHECK((call) == OTF2_SUCCESS)

enum { OTF2_RESOLUTION = 1000000 };

typedef struct made {
    OTF2_Archive *archive;
    OTF2_GlobalDefWriter *global;
    OTF2_EvtWriter *events[3]; /* of two threads and a location of metrics */
    char folder[1200];
    int64_t offset; /* of the second location's clock */
} made;

/* The library asks before it writes its buffer. */
static OTF2_FlushType made_flush(void *data, OTF2_FileType type, OTF2_LocationRef location,
                                 void *caller, bool final)
{
    (void)data, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static OTF2_TimeStamp made_stamp(void *data, OTF2_FileType type, OTF2_LocationRef location)
{
    (void)data, (void)type, (void)location;
    return 0;
}

static OTF2_FlushCallbacks made_callbacks = {made_flush, made_stamp};

static inline const char *made_path(const made *of, const char *name)
{
    static char paths[4][1400];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", of->folder, name);
    return path;
}

/* Numbers that take several bytes; a test may change them. */
static OTF2_LocationRef made_locations[] = {7, 5000000000u, 3};
static OTF2_RegionRef made_far_region = 4000000000u;

/* Strings by number: names of regions from 10 on, of all else below. */
static inline void made_strings(OTF2_GlobalDefWriter *global)
{
    static const char *const strings[] = {
        "",         "node",           "machine", "Rank 0", "Rank 1",   "main thread",
        "counters", "MPI_COMM_WORLD", "cycles",  "#",      "compute",  "MPI_Send",
        "MPI_Recv", "f(int, char)",   "phase",   "color",  "window",   "data.txt",
        "./prog",   "--fast",         "power",   "W",      "GiB of x", "energy",
        "J",        "written",        "load",    "bridge"};
    for (uint32_t i = 0; i < sizeof strings / sizeof strings[0]; i++)
        MADE_OF(OTF2_GlobalDefWriter_WriteString(global, i, strings[i]));
}

static inline void made_places(OTF2_GlobalDefWriter *global)
{
    MADE_OF(OTF2_GlobalDefWriter_WriteSystemTreeNode(global, 0, 2, 1, OTF2_UNDEFINED_UINT32));
    for (uint32_t rank = 0; rank < 2; rank++)
        MADE_OF(OTF2_GlobalDefWriter_WriteLocationGroup(
            global, rank, 3 + rank, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_UINT32));
    for (uint32_t i = 0; i < 3; i++)
        MADE_OF(OTF2_GlobalDefWriter_WriteLocation(
            global, made_locations[i], i < 2 ? 5 : 6,
            i < 2 ? OTF2_LOCATION_TYPE_CPU_THREAD : OTF2_LOCATION_TYPE_METRIC, 1, i == 1 ? 1 : 0));
}

static inline void made_communicators(OTF2_GlobalDefWriter *global)
{
    const uint64_t ranks[] = {0, 1};
    for (OTF2_GroupRef side = 1; side < 3; side++)
        MADE_OF(OTF2_GlobalDefWriter_WriteGroup(global, side, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                                OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 1,
                                                &ranks[side - 1]));
    MADE_OF(OTF2_GlobalDefWriter_WriteInterComm(global, 1, 27, 1, 2, OTF2_UNDEFINED_COMM,
                                                OTF2_COMM_FLAG_NONE));
    MADE_OF(OTF2_GlobalDefWriter_WriteGroup(global, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                            OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2,
                                            made_locations));
    MADE_OF(OTF2_GlobalDefWriter_WriteGroup(global, 0, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                            OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2, ranks));
    MADE_OF(
        OTF2_GlobalDefWriter_WriteComm(global, 0, 7, 0, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    MADE_OF(OTF2_GlobalDefWriter_WriteRmaWin(global, 0, 16, 0, OTF2_RMA_WIN_FLAG_NONE));
}

static inline void made_metrics(OTF2_GlobalDefWriter *global)
{
    const OTF2_MetricMemberRef members[] = {0, 1};
    const OTF2_MetricMemberRef others[] = {2, 3, 4};
    MADE_OF(OTF2_GlobalDefWriter_WriteMetricMember(global, 0, 8, 0, OTF2_METRIC_TYPE_PAPI,
                                                   OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64,
                                                   OTF2_BASE_DECIMAL, 0, 9));
    MADE_OF(OTF2_GlobalDefWriter_WriteMetricMember(global, 1, 20, 0, OTF2_METRIC_TYPE_OTHER,
                                                   OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_DOUBLE,
                                                   OTF2_BASE_DECIMAL, -3, 21));
    MADE_OF(OTF2_GlobalDefWriter_WriteMetricClass(global, 0, 2, members, OTF2_METRIC_SYNCHRONOUS,
                                                  OTF2_RECORDER_KIND_ABSTRACT));
    MADE_OF(OTF2_GlobalDefWriter_WriteMetricMember(global, 2, 23, 0, OTF2_METRIC_TYPE_OTHER,
                                                   OTF2_METRIC_RELATIVE_LAST, OTF2_TYPE_DOUBLE,
                                                   OTF2_BASE_DECIMAL, 0, 24));
    MADE_OF(OTF2_GlobalDefWriter_WriteMetricMember(global, 3, 25, 0, OTF2_METRIC_TYPE_OTHER,
                                                   OTF2_METRIC_RELATIVE_NEXT, OTF2_TYPE_INT64,
                                                   OTF2_BASE_BINARY, 10, 9));
    MADE_OF(OTF2_GlobalDefWriter_WriteMetricMember(global, 4, 26, 0, OTF2_METRIC_TYPE_OTHER,
                                                   OTF2_METRIC_ABSOLUTE_LAST, OTF2_TYPE_DOUBLE,
                                                   OTF2_BASE_DECIMAL, 0, 0));
    MADE_OF(OTF2_GlobalDefWriter_WriteMetricClass(global, 5, 3, others, OTF2_METRIC_ASYNCHRONOUS,
                                                  OTF2_RECORDER_KIND_ABSTRACT));
    MADE_OF(OTF2_GlobalDefWriter_WriteMetricInstance(global, 1, 0, made_locations[2],
                                                     OTF2_SCOPE_LOCATION_GROUP, 0));
}

static inline void made_others(OTF2_GlobalDefWriter *global)
{
    MADE_OF(OTF2_GlobalDefWriter_WriteParameter(global, 0, 14, OTF2_PARAMETER_TYPE_INT64));
    MADE_OF(OTF2_GlobalDefWriter_WriteAttribute(global, 0, 15, 0, OTF2_TYPE_STRING));
    MADE_OF(OTF2_GlobalDefWriter_WriteIoRegularFile(global, 0, 17, 0));
    MADE_OF(OTF2_GlobalDefWriter_WriteIoHandle(global, 0, 17, 0, 0, OTF2_IO_HANDLE_FLAG_NONE,
                                               OTF2_UNDEFINED_COMM, OTF2_UNDEFINED_IO_HANDLE));
}

/* Definitions before those of what they name, some twice. */
static inline void made_definitions(made *of, bool has_clock)
{
    OTF2_GlobalDefWriter *global = OTF2_Archive_GetGlobalDefWriter(of->archive);
    CHECK(global != NULL);
    for (uint32_t i = 0; i < 5; i++)
        MADE_OF(OTF2_GlobalDefWriter_WriteRegion(
            global, i == 4 ? made_far_region : i, i == 4 ? 10 : 10 + i, 0, 0,
            i == 1 || i == 2 ? OTF2_REGION_ROLE_POINT2POINT : OTF2_REGION_ROLE_FUNCTION,
            i == 1 || i == 2 ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, 0, 0,
            0));
    made_communicators(global);
    made_metrics(global);
    made_others(global);
    made_places(global);
    made_strings(global);
    made_strings(global);
    if (has_clock)
        MADE_OF(OTF2_GlobalDefWriter_WriteClockProperties(global, OTF2_RESOLUTION, 1000, 5000,
                                                          1700000000123456789u));
    MADE_OF(OTF2_Archive_CloseGlobalDefWriter(of->archive, global));
}

static inline void made_open(made *of, const char *name)
{
    *of = (made){.archive = NULL};
    snprintf(of->folder, sizeof of->folder, "%s", temporary_path(name));
    of->archive = OTF2_Archive_Open(of->folder, "run", OTF2_FILEMODE_WRITE, 1024 * 1024,
                                    4 * 1024 * 1024, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    CHECK(of->archive != NULL);
    MADE_OF(OTF2_Archive_SetFlushCallbacks(of->archive, &made_callbacks, NULL));
    MADE_OF(OTF2_Archive_SetSerialCollectiveCallbacks(of->archive));
    MADE_OF(OTF2_Archive_SetCreator(of->archive, "a test\nof two lines"));
    MADE_OF(OTF2_Archive_OpenEvtFiles(of->archive));
    for (size_t i = 0; i < 3; i++) {
        of->events[i] = OTF2_Archive_GetEvtWriter(of->archive, made_locations[i]);
        CHECK(of->events[i] != NULL);
    }
}

static inline void made_close(made *of, bool has_clock)
{
    for (size_t i = 0; i < 3; i++)
        MADE_OF(OTF2_Archive_CloseEvtWriter(of->archive, of->events[i]));
    MADE_OF(OTF2_Archive_CloseEvtFiles(of->archive));
    MADE_OF(OTF2_Archive_OpenDefFiles(of->archive));
    for (size_t i = 0; i < 3; i++) {
        OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(of->archive, made_locations[i]);
        CHECK(local != NULL);
        for (uint64_t time = 1000; i == 1 && of->offset != 0 && time <= 2000; time += 1000)
            MADE_OF(OTF2_DefWriter_WriteClockOffset(local, time, of->offset, 0.5));
        MADE_OF(OTF2_Archive_CloseDefWriter(of->archive, local));
    }
    MADE_OF(OTF2_Archive_CloseDefFiles(of->archive));
    made_definitions(of, has_clock);
    MADE_OF(OTF2_Archive_Close(of->archive));
}

/* Takes away what a test made: the folder of an archive, two levels deep. */
static inline void made_remove(const char *folder)
{
    char command[1600];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    CHECK(system(command) == 0);
}

#endif
