/* Resources: applications, tasks and threads; or nodes, CPUs and the threads that run there. */
#include "importers/paraver/reader.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Texts of communicators that are kept. */
static const size_t most_group_bytes = (size_t)16 << 20;

/* A resource that is made: by its name in the .row, or as Paraver itself calls it. */
typedef struct made {
    size_t level; /* of the types of resources, from the top */
    uint32_t parent;
    const char *known, *name;
    int64_t begin;
} made;

/* Makes a resource; a row that another file has as well is a lane of that. *is_new: no other file
 * has it. */
static ocelotl_status make_known(uint32_t *resource, bool *is_new, paraver_reader *reader,
                                 const made *one)
{
    enum { ROWS = 2 };
    uint32_t place;
    paraver_shared *shared = reader->shared;
    const oc_merged_key key = {shared->resource_types[one->level], one->parent,
                               one->known != NULL ? one->known : one->name, one->begin};
    *is_new = true;
    if (!shared->merges)
        return ocelotl_writer_resource(resource, reader->writer, key.type, key.parent, key.name,
                                       key.begin);
    OC_TRY(oc_merged_find(&place, is_new, &shared->merged, &key));
    *resource = shared->merged.places[place].resource;
    if (*is_new || one->level < ROWS)
        return OCELOTL_OK;
    oc_oddities_note(&shared->oddities, OC_ROW_SHARED, reader->path, 0);
    return oc_merged_lane(resource, &shared->merged, *resource, key.type, key.begin);
}

static ocelotl_status make(uint32_t *resource, paraver_reader *reader, const made *one)
{
    bool is_new;
    return make_known(resource, &is_new, reader, one);
}

static const char *known_name(const paraver_reader *reader, paraver_level level, size_t number)
{
    return paraver_names_resource(&reader->names, level, number);
}

/* --- By application */

static ocelotl_status note_node(paraver_reader *reader, uint32_t resource, uint32_t node)
{
    char text[32];
    const char *known = node > 0 ? known_name(reader, PARAVER_LEVEL_NODE, node - 1) : NULL;
    snprintf(text, sizeof text, "%" PRIu32, node);
    return node == 0 ? OCELOTL_OK
                     : ocelotl_writer_resource_note(reader->writer, resource, "node",
                                                    known != NULL ? known : text);
}

static ocelotl_status make_task(paraver_reader *reader, uint32_t application, uint32_t number)
{
    char name[64];
    uint32_t resource;
    const paraver_header *header = &reader->header;
    const paraver_task *task = &header->tasks[number];
    const uint32_t within = number - header->applications[application].first_task + 1;
    snprintf(name, sizeof name, "TASK %" PRIu32 ".%" PRIu32, application + 1, within);
    bool is_new;
    OC_TRY(make_known(&resource, &is_new, reader,
                      &(made){1, reader->applications[application],
                              known_name(reader, PARAVER_LEVEL_TASK, number), name, 0}));
    if (is_new)
        OC_TRY(note_node(reader, resource, task->node));
    for (uint32_t i = 0; i < task->thread_count; i++) {
        const uint32_t thread = task->first_thread + i;
        snprintf(name, sizeof name, "THREAD %" PRIu32 ".%" PRIu32 ".%" PRIu32, application + 1,
                 within, i + 1);
        OC_TRY(make(&reader->rows[thread].resource, reader,
                    &(made){2, resource, known_name(reader, PARAVER_LEVEL_THREAD, thread), name,
                            reader->threads[thread].life}));
    }
    return OCELOTL_OK;
}

static void free_groups(paraver_reader *reader)
{
    for (size_t i = 0; i < reader->group_count; i++) {
        free(reader->groups[i].name);
        free(reader->groups[i].tasks);
    }
    reader->group_count = 0;
}

static ocelotl_status note_groups(paraver_reader *reader)
{
    for (size_t i = 0; i < reader->group_count; i++) {
        const paraver_group *group = &reader->groups[i];
        OC_TRY(ocelotl_writer_resource_note(
            reader->writer, reader->applications[group->application], group->name, group->tasks));
    }
    free_groups(reader);
    return OCELOTL_OK;
}

static ocelotl_status make_applications(paraver_reader *reader)
{
    char name[64];
    const paraver_header *header = &reader->header;
    for (uint32_t i = 0; i < header->application_count; i++) {
        const paraver_application *one = &header->applications[i];
        snprintf(name, sizeof name, "APPL %" PRIu32, i + 1);
        bool is_new;
        OC_TRY(make_known(
            &reader->applications[i], &is_new, reader,
            &(made){0, reader->top, known_name(reader, PARAVER_LEVEL_APPLICATION, i), name, 0}));
        if (header->date[0] != '\0' && is_new)
            OC_TRY(ocelotl_writer_resource_note(reader->writer, reader->applications[i], "date",
                                                header->date));
        for (uint32_t task = 0; task < one->task_count; task++)
            OC_TRY(make_task(reader, i, one->first_task + task));
    }
    return note_groups(reader);
}

/* --- By CPU */

static ocelotl_status make_node(paraver_reader *reader, uint32_t node)
{
    char name[64];
    const paraver_header *header = &reader->header;
    snprintf(name, sizeof name, "NODE %" PRIu32, node + 1);
    OC_TRY(make(&reader->nodes[node], reader,
                &(made){0, reader->top, known_name(reader, PARAVER_LEVEL_NODE, node), name, 0}));
    for (uint32_t i = 0; i < header->cpus[node]; i++) {
        const uint32_t cpu = header->first_cpus[node] + i;
        snprintf(name, sizeof name, "CPU %" PRIu32 ".%" PRIu32, node + 1, i + 1);
        OC_TRY(make(
            &reader->cpus[cpu], reader,
            &(made){1, reader->nodes[node], known_name(reader, PARAVER_LEVEL_CPU, cpu), name, 0}));
    }
    return OCELOTL_OK;
}

/* A node that the header does not list stands for all that is on none. */
static ocelotl_status make_nodes(paraver_reader *reader)
{
    const size_t count = reader->header.node_count;
    if (count == 0)
        return make(&reader->nodes[0], reader, &(made){0, reader->top, NULL, "no node", 0});
    for (uint32_t i = 0; i < count; i++)
        OC_TRY(make_node(reader, i));
    return OCELOTL_OK;
}

/* A CPU that the header does not list is below the node of the thread. */
static ocelotl_status find_cpu(uint32_t *resource, paraver_reader *reader, uint32_t thread,
                               uint32_t cpu)
{
    char name[32];
    if (cpu > 0 && cpu <= reader->header.cpu_count) {
        *resource = reader->cpus[cpu - 1];
        return OCELOTL_OK;
    }
    const uint32_t node = reader->header.tasks[reader->threads[thread].task].node;
    const uint32_t key[2] = {node > 0 && node <= reader->header.node_count ? node - 1 : 0, cpu};
    *resource = oc_map_get(&reader->cpu_of, key, sizeof key);
    if (*resource != OC_MAP_NONE)
        return OCELOTL_OK;
    if (cpu == 0)
        paraver_note(reader, PARAVER_NO_CPU);
    snprintf(name, sizeof name, cpu == 0 ? "no CPU" : "CPU %" PRIu32, cpu);
    OC_TRY(make(resource, reader,
                &(made){1, reader->nodes[key[0]],
                        cpu > 0 ? known_name(reader, PARAVER_LEVEL_CPU, cpu - 1) : NULL, name, 0}));
    return oc_map_set(&reader->cpu_of, key, sizeof key, *resource);
}

static ocelotl_status add_row(uint32_t *row, paraver_reader *reader, uint32_t thread, uint32_t cpu)
{
    char name[64];
    uint32_t parent;
    const paraver_header *header = &reader->header;
    const uint32_t task = reader->threads[thread].task;
    uint32_t application = 0;
    while (application + 1 < header->application_count &&
           header->applications[application + 1].first_task <= task)
        application++;
    snprintf(name, sizeof name, "THREAD %" PRIu32 ".%" PRIu32 ".%" PRIu32, application + 1,
             task - header->applications[application].first_task + 1,
             thread - header->tasks[task].first_thread + 1);
    OC_TRY(find_cpu(&parent, reader, thread, cpu));
    OC_TRY(
        oc_grow(&reader->rows, &reader->row_capacity, reader->row_count + 1, sizeof *reader->rows));
    reader->rows[reader->row_count] = (paraver_row){.stream = OCELOTL_NONE};
    OC_TRY(make(&reader->rows[reader->row_count].resource, reader,
                &(made){2, parent, known_name(reader, PARAVER_LEVEL_THREAD, thread), name, 0}));
    *row = (uint32_t)reader->row_count++;
    return OCELOTL_OK;
}

ocelotl_status paraver_find_row(uint32_t *row, paraver_reader *reader, uint32_t thread,
                                uint32_t cpu)
{
    paraver_thread *one = &reader->threads[thread];
    *row = thread;
    if (!reader->by_cpu)
        return OCELOTL_OK;
    if (one->row == OCELOTL_NONE || one->cpu != cpu) {
        const uint32_t key[2] = {cpu, thread};
        one->row = oc_map_get(&reader->row_of, key, sizeof key);
        if (one->row == OC_MAP_NONE) {
            OC_TRY(add_row(&one->row, reader, thread, cpu));
            OC_TRY(oc_map_set(&reader->row_of, key, sizeof key, one->row));
        }
        one->cpu = cpu;
    }
    *row = one->row;
    return OCELOTL_OK;
}

/* --- Both */

static ocelotl_status make_threads(paraver_reader *reader)
{
    const paraver_header *header = &reader->header;
    OC_TRY(oc_allocate(&reader->threads, header->thread_count, sizeof *reader->threads));
    for (uint32_t task = 0; task < header->task_count; task++)
        for (uint32_t i = 0; i < header->tasks[task].thread_count; i++)
            reader->threads[header->tasks[task].first_thread + i] =
                (paraver_thread){.row = OCELOTL_NONE, .task = task};
    if (reader->by_cpu)
        return OCELOTL_OK;
    OC_TRY(
        oc_grow(&reader->rows, &reader->row_capacity, header->thread_count, sizeof *reader->rows));
    for (reader->row_count = 0; reader->row_count < header->thread_count; reader->row_count++)
        reader->rows[reader->row_count] = (paraver_row){.stream = OCELOTL_NONE};
    return OCELOTL_OK;
}

/* A .row with other numbers of names than the header has resources. */
static void check_names(paraver_reader *reader)
{
    const paraver_header *header = &reader->header;
    const size_t expected[PARAVER_LEVEL_COUNT] = {header->application_count, header->task_count,
                                                  header->thread_count, header->node_count,
                                                  header->cpu_count};
    for (size_t i = 0; i < PARAVER_LEVEL_COUNT; i++)
        if (reader->names.level_counts[i] > 0 && reader->names.level_counts[i] != expected[i])
            oc_oddities_note(&reader->shared->oddities, PARAVER_NAMES_DIFFER, "", 0);
}

ocelotl_status paraver_resources_declare(paraver_reader *reader)
{
    static const char *const by_thread[3] = {"Application", "Task", "Thread"};
    static const char *const by_cpu[3] = {"Node", "CPU", "Thread"};
    const char *const *names = reader->by_cpu ? by_cpu : by_thread;
    uint32_t *types = reader->shared->resource_types;
    uint32_t around = OCELOTL_ROOT;
    if (reader->import->source_count > 1 && !reader->shared->merges)
        OC_TRY(ocelotl_writer_resource_type(&around, reader->writer, OCELOTL_ROOT, "File"));
    reader->shared->file_type = around;
    for (size_t i = 0; i < 3; i++)
        OC_TRY(ocelotl_writer_resource_type(&types[i], reader->writer,
                                            i > 0 ? types[i - 1] : around, names[i]));
    return OCELOTL_OK;
}

ocelotl_status paraver_resources_begin(paraver_reader *reader)
{
    const paraver_header *header = &reader->header;
    check_names(reader);
    OC_TRY(make_threads(reader));
    OC_TRY(oc_allocate(&reader->applications, header->application_count,
                       sizeof *reader->applications));
    OC_TRY(oc_allocate(&reader->nodes, header->node_count + 1, sizeof *reader->nodes));
    OC_TRY(oc_allocate(&reader->cpus, header->cpu_count, sizeof *reader->cpus));
    return reader->by_cpu ? make_nodes(reader) : OCELOTL_OK;
}

ocelotl_status paraver_resources_make(paraver_reader *reader)
{
    reader->has_resources = true;
    return reader->by_cpu ? OCELOTL_OK : make_applications(reader);
}

static void name_group(paraver_reader *reader, oc_text *name, oc_text *tasks)
{
    const paraver_field *fields = reader->fields;
    oc_text_format(name, "communicator %.*s", (int)fields[2].length, fields[2].text);
    for (size_t i = 4; i < reader->field_count; i++)
        oc_text_format(tasks, "%s%.*s", i > 4 ? " " : "", (int)fields[i].length, fields[i].text);
}

ocelotl_status paraver_keep_group(paraver_reader *reader)
{
    oc_text name = {0};
    oc_text tasks = {0};
    const size_t count = reader->group_count;
    OC_TRY(oc_grow(&reader->groups, &reader->group_capacity, count + 1, sizeof *reader->groups));
    name_group(reader, &name, &tasks);
    if (name.failed || tasks.failed || tasks.bytes == NULL ||
        reader->group_bytes + tasks.length > most_group_bytes || reader->by_cpu) {
        const bool failed = name.failed || tasks.failed;
        oc_text_free(&name);
        oc_text_free(&tasks);
        oc_kinds_add(&reader->shared->kinds, reader->shared->kind_of[PARAVER_KIND_GROUP_LEFT_OUT]);
        return failed ? oc_fail_memory() : OCELOTL_OK;
    }
    oc_kinds_add(&reader->shared->kinds, reader->shared->kind_of[PARAVER_KIND_GROUP]);
    reader->group_bytes += tasks.length;
    reader->groups[count] =
        (paraver_group){(uint32_t)reader->fields[1].number - 1, name.bytes, tasks.bytes};
    reader->group_count++;
    return reader->has_resources ? note_groups(reader) : OCELOTL_OK;
}

void paraver_resources_free(paraver_reader *reader)
{
    for (size_t i = 0; i < reader->row_count; i++)
        free(reader->rows[i].ends);
    free_groups(reader);
    free(reader->threads);
    free(reader->rows);
    free(reader->groups);
    free(reader->applications);
    free(reader->nodes);
    free(reader->cpus);
    oc_map_free(&reader->cpu_of);
    oc_map_free(&reader->row_of);
}
