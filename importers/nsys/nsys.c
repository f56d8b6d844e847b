/* What `nsys export --type sqlite` makes of a report of Nsight Systems. A number of a process has
 * the machine in its upper bits, then the process, then (of a thread) the thread in 24 bits.
 * docs/formats/nsys.md says what becomes of each table. */
#include "importers/nsys/reader.h"

#define THREAD      "{globalTid} >> 24 & 0xFFFFFF, {globalTid} & 0xFFFFFF, "
#define NOTHING     "NULL, NULL, NULL, NULL, NULL, NULL"
#define TEXT        "coalesce({text}, s.value), "
#define STRINGS(id) "LEFT JOIN [StringIds] s ON s.id = " id " "

#define ON_DEVICE(name)                                                                       \
    "{start}, {end}, " name ", {globalPid} >> 24 & 0xFFFFFF, NULL, coalesce({deviceId}, 0), " \
    "{contextId}, {streamId}, c.b, c.g >> 24 & 0xFFFFFF, c.g & 0xFFFFFF"
#define CALLS                                                                              \
    "LEFT JOIN (SELECT correlationId AS id, globalTid AS g, start AS b FROM "              \
    "[CUPTI_ACTIVITY_KIND_RUNTIME]) c ON c.id = {correlationId} AND c.g >> 24 = coalesce(" \
    "{globalPid} >> 24, c.g >> 24) "
#define COPY                                                                                     \
    "CASE {copyKind} WHEN 1 THEN 'copy to device' WHEN 2 THEN 'copy to host' WHEN 8 THEN 'copy " \
    "on device' WHEN 9 THEN 'copy on host' WHEN 10 THEN 'copy between devices' WHEN 11 THEN "    \
    "'migrate to device' WHEN 12 THEN 'migrate to host' ELSE 'copy of kind ' || {copyKind} END"
#define SYNCHRONIZATION                                                                         \
    "CASE {syncType} WHEN 1 THEN 'wait for event' WHEN 2 THEN 'stream waits for event' WHEN 3 " \
    "THEN 'wait for stream' WHEN 4 THEN 'wait for context' ELSE 'wait of kind ' || {syncType} END"

/* Definitions first. Attributes are behind the columns of reader.h. */
static const nsys_table tables[] = {
    {"PROCESSES", NSYS_PROCESSES, NULL, "{globalPid} >> 24 & 0xFFFFFF, {name}", NULL},
    {"ThreadNames", NSYS_THREADS, NULL, THREAD "s.value", STRINGS("{nameId}")},
    {"TARGET_INFO_GPU", NSYS_DEVICES, NULL, "{id}, {name}", NULL},
    {"TARGET_INFO_SESSION_START_TIME", NSYS_CLOCK, NULL, "{utcEpochNs}", NULL},
    {"CUPTI_ACTIVITY_KIND_KERNEL", NSYS_ON_STREAM, "GPU",
     ON_DEVICE("s.value") ", {gridX} || 'x' || {gridY} || 'x' || {gridZ} AS grid, {blockX} || 'x' "
                          "|| {blockY} || 'x' || {blockZ} AS block, {=registersPerThread}, "
                          "{=staticSharedMemory}, {=dynamicSharedMemory}",
     STRINGS("{shortName|demangledName|mangledName|name}") CALLS},
    {"CUPTI_ACTIVITY_KIND_MEMCPY", NSYS_ON_STREAM, "GPU", ON_DEVICE(COPY) ", {=bytes}", CALLS},
    {"CUPTI_ACTIVITY_KIND_MEMSET", NSYS_ON_STREAM, "GPU", ON_DEVICE("'set memory'") ", {=bytes}",
     CALLS},
    {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", NSYS_ON_STREAM, "GPU", ON_DEVICE("'graph ' || {graphId}"),
     CALLS},
    {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", NSYS_ON_STREAM, "Synchronization",
     ON_DEVICE(SYNCHRONIZATION), CALLS},
    {"NVTX_EVENTS", NSYS_ON_THREAD, "NVTX range",
     "{start}, nullif({end}, -1), " TEXT THREAD NOTHING ", d.text AS domain",
     STRINGS(
         "{textId}") "LEFT JOIN (SELECT {domainId} AS id, {globalTid} AS g, {text} AS text FROM "
                     "[NVTX_EVENTS] t WHERE {eventType} = 75) d ON d.id = {domainId} AND d.g >> "
                     "24 = {globalTid} >> 24 WHERE coalesce({eventType}, 59) IN (59, 60)"},
    {"NVTX_EVENTS", NSYS_MARKS, "NVTX mark", "{start}, NULL, " TEXT THREAD NOTHING,
     STRINGS("{textId}") "WHERE {eventType} = 34"},
    {NULL, NSYS_ON_THREAD, "Call",
     "{start}, {end}, coalesce({text}, s.value, {name}), " THREAD NOTHING ", {=bytes|size}",
     STRINGS("{nameId|textId}")},
};

static const nsys_schema schema = {
    .format = "nsys",
    .strings = "StringIds",
    .recognises = "SELECT 1 FROM sqlite_master WHERE name = 'StringIds' AND EXISTS (SELECT 1 FROM "
                  "sqlite_master WHERE name IN ('NVTX_EVENTS', 'OSRT_API', 'ThreadNames', "
                  "'PROCESSES') OR name GLOB 'CUPTI_ACTIVITY_KIND_*')",
    .tables = tables,
};

static int recognises_nsys(const oc_source *source)
{
    return nsys_recognise(&schema, source);
}

static ocelotl_status import_nsys(const oc_import *import)
{
    return nsys_import_all(&schema, import);
}

const oc_importer oc_nsys_importer = {
    .format = {.name = "nsys",
               .description = "SQLite exports of Nsight Systems (.sqlite)",
               .suffixes = (const char *const[]){NULL}},
    .takes_several = true,
    .has_clock = true,
    .recognises = recognises_nsys,
    .import = import_nsys,
};
