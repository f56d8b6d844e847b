/* What rocprofv3 writes (rocpd), where the tables of a process have its identity as a suffix, and
 * what rpd wrote before it. docs/formats/nsys.md says what becomes of each table. */
#include "importers/nsys/reader.h"

#define STRING(id) "LEFT JOIN [rocpd_string] n ON n.id = " id " "
#define PROCESS    "LEFT JOIN [rocpd_info_process] p ON p.id = {pid} "
#define THREAD     "LEFT JOIN [rocpd_info_thread] h ON h.id = {tid} "
/* Two events of one stack: a call and what it asked for. */
#define CALLS                                                                                      \
    "LEFT JOIN [rocpd_event] e ON e.id = {event_id} LEFT JOIN (SELECT re.stack_id AS id, r.start " \
    "AS b, rp.pid AS p, rt.tid AS t FROM [rocpd_region] r JOIN [rocpd_event] re ON re.id = "       \
    "r.event_id AND re.stack_id > 0 LEFT JOIN [rocpd_info_process] rp ON rp.id = r.pid LEFT "      \
    "JOIN [rocpd_info_thread] rt ON rt.id = r.tid) c ON c.id = e.stack_id "
#define CALL    "c.b, c.p, c.t"
#define NOTHING "NULL, NULL, NULL, NULL, NULL, NULL"

static const nsys_table tables[] = {
    {"rocpd_info_process", NSYS_PROCESSES, NULL, "{pid}, {command}", NULL},
    {"rocpd_info_thread", NSYS_THREADS, NULL, "p.pid, {tid}, {name}", PROCESS},
    {"rocpd_info_agent", NSYS_DEVICES, NULL, "{type_index|id}, coalesce({product_name}, {name})",
     "WHERE {type} = 'GPU'"},
    {"rocpd_region", NSYS_ON_THREAD, "Call",
     "{start}, {end}, n.string, p.pid, h.tid, " NOTHING ", g.string AS category",
     STRING("{name_id}") PROCESS THREAD "LEFT JOIN [rocpd_event] e ON e.id = {event_id} LEFT JOIN "
                                        "[rocpd_string] g ON g.id = e.category_id"},
    {"rocpd_memory_allocate", NSYS_ON_THREAD, "Call",
     "{start}, {end}, 'memory ' || {type}, p.pid, h.tid, " NOTHING ", {size} AS bytes, {=level}",
     PROCESS THREAD},
    {"rocpd_kernel_dispatch", NSYS_ON_STREAM, "GPU",
     "{start}, {end}, coalesce(k.display_name, k.kernel_name), p.pid, NULL, coalesce(a.type_index, "
     "{agent_id}), NULL, {stream_id|queue_id}, " CALL ", {grid_size_x} || 'x' || {grid_size_y} || "
     "'x' || {grid_size_z} AS grid, {workgroup_size_x} || 'x' || {workgroup_size_y} || 'x' || "
     "{workgroup_size_z} AS workgroup, {=private_segment_size}, {=group_segment_size}",
     "LEFT JOIN [rocpd_info_kernel_symbol] k ON k.id = {kernel_id} LEFT JOIN [rocpd_info_agent] a "
     "ON a.id = {agent_id} " PROCESS CALLS},
    {"rocpd_memory_copy", NSYS_ON_STREAM, "GPU",
     "{start}, {end}, n.string, p.pid, h.tid, CASE WHEN a.type = 'GPU' THEN a.type_index WHEN "
     "b.type = 'GPU' THEN b.type_index END, NULL, {stream_id|queue_id}, " CALL ", {size} AS bytes",
     STRING("{name_id}") "LEFT JOIN [rocpd_info_agent] a ON a.id = {dst_agent_id} LEFT JOIN "
                         "[rocpd_info_agent] b ON b.id = {src_agent_id} " PROCESS THREAD CALLS},
    {"rocpd_api", NSYS_ON_THREAD, "Call",
     "{start}, {end}, CASE WHEN n.string = 'UserMarker' THEN m.string ELSE n.string END, {pid}, "
     "{tid}, " NOTHING,
     STRING("{apiName_id}") "LEFT JOIN [rocpd_string] m ON m.id = {args_id}"},
    {"rocpd_op", NSYS_ON_STREAM, "GPU",
     "{start}, {end}, coalesce(nullif(n.string, ''), m.string), NULL, NULL, {gpuId}, NULL, "
     "{queueId}, c.start, c.pid, c.tid, m.string AS operation",
     STRING("{description_id}") "LEFT JOIN [rocpd_string] m ON m.id = {opType_id} LEFT JOIN "
                                "[rocpd_api_ops] o ON o.op_id = {id} LEFT JOIN [rocpd_api] c ON "
                                "c.id = o.api_id"},
    {NULL, NSYS_ON_THREAD, "Call", NULL, NULL},
};

static const nsys_schema schema = {
    .format = "rocpd",
    .strings = "rocpd_string",
    .recognises = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name GLOB 'rocpd_string*'",
    .tables = tables,
};

static int recognises_rocpd(const oc_source *source)
{
    return nsys_recognise(&schema, source);
}

static ocelotl_status import_rocpd(const oc_import *import)
{
    return nsys_import_all(&schema, import);
}

const oc_importer oc_rocpd_importer = {
    .format = {.name = "rocpd",
               .description = "SQLite databases of rocprofv3 (rocpd) and rpd",
               .suffixes = (const char *const[]){".rpd", NULL}},
    .takes_several = true,
    .recognises = recognises_rocpd,
    .import = import_rocpd,
};
