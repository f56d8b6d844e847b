/* Threads, CPUs and events by what lines call them; resources, types and values. */
#define _GNU_SOURCE
#include "importers/perf/reader.h"

#include "base/memory.h"
#include "importers/common/naming.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- What lines name */

ocelotl_status perf_find_event(uint32_t *event, perf_reader *reader, perf_text name)
{
    oc_text copy = {0};
    *event = oc_map_get(&reader->event_of, name.bytes, name.length);
    if (*event != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&reader->events, &reader->event_capacity, reader->event_count + 1,
                   sizeof *reader->events));
    static const char *const prints[] = {"print", "bprint", "bputs", "tracing_mark_write"};
    bool is_print = false;
    for (size_t i = 0; i < sizeof prints / sizeof prints[0]; i++)
        is_print |= perf_text_is(name, prints[i]);
    *event = (uint32_t)reader->event_count;
    OC_TRY(oc_map_set(&reader->event_of, name.bytes, name.length, *event));
    oc_text_append(&copy, name.bytes, name.length);
    if (copy.failed)
        return oc_fail_memory();
    reader->events[reader->event_count++] =
        (perf_event){.name = copy.bytes,
                     .action = perf_action_of(name),
                     .is_print = is_print,
                     .is_record = strncmp(copy.bytes, "PERF_RECORD_", 12) == 0};
    return OCELOTL_OK;
}

ocelotl_status perf_find_thread(uint32_t *thread, perf_reader *reader, int64_t number,
                                int64_t process, uint32_t cpu)
{
    const int64_t key[3] = {reader->file, number, number == 0 ? (int64_t)cpu : -1};
    char id[64];
    *thread = oc_map_get(&reader->thread_of, key, sizeof key);
    if (*thread == OC_MAP_NONE) {
        OC_TRY(oc_grow(&reader->threads, &reader->thread_capacity, reader->thread_count + 1,
                       sizeof *reader->threads));
        *thread = (uint32_t)reader->thread_count;
        OC_TRY(oc_map_set(&reader->thread_of, key, sizeof key, *thread));
        perf_thread *made = &reader->threads[*thread];
        *made = (perf_thread){.file = reader->file,
                              .number = number,
                              .process = -1,
                              .first = INT64_MAX,
                              .last = INT64_MIN,
                              .sampled = -1};
        if (number == 0 && cpu != OC_NO_CPU)
            snprintf(id, sizeof id, "CPU %" PRId64, reader->cpus[cpu].number);
        else
            snprintf(id, sizeof id, "%" PRId64, number);
        OC_TRY(oc_copy_text(&made->id, id));
        reader->thread_count++;
    }
    if (process >= 0)
        reader->threads[*thread].process = process;
    return OCELOTL_OK;
}

ocelotl_status perf_name_thread(perf_reader *reader, uint32_t thread, perf_text name, int64_t time)
{
    perf_thread *named = &reader->threads[thread];
    oc_text copy = {0};
    named->first = time < named->first ? time : named->first;
    if (time < named->last)
        return OCELOTL_OK;
    named->last = time;
    if (name.length == 0)
        return OCELOTL_OK;
    if (named->name != NULL && perf_text_is(name, named->name))
        return OCELOTL_OK;
    oc_text_append(&copy, name.bytes, name.length);
    if (copy.failed) {
        oc_text_free(&copy);
        return oc_fail_memory();
    }
    free(named->name);
    named->name = copy.bytes;
    return OCELOTL_OK;
}

ocelotl_status perf_find_cpu(uint32_t *cpu, perf_reader *reader, int64_t number)
{
    const int64_t key[2] = {reader->file, number};
    *cpu = oc_map_get(&reader->cpu_of, key, sizeof key);
    if (*cpu != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(
        oc_grow(&reader->cpus, &reader->cpu_capacity, reader->cpu_count + 1, sizeof *reader->cpus));
    *cpu = (uint32_t)reader->cpu_count;
    OC_TRY(oc_map_set(&reader->cpu_of, key, sizeof key, *cpu));
    reader->cpus[reader->cpu_count++] =
        (perf_cpu){.file = reader->file, .number = number, .sampled = -1};
    return OCELOTL_OK;
}

static void free_type(perf_type *type)
{
    oc_map_free(&type->value_of);
}

void perf_names_free(perf_reader *reader)
{
    for (size_t i = 0; i < reader->event_count; i++) {
        free(reader->events[i].name);
        free_type(&reader->events[i].type);
    }
    for (size_t i = 0; i < reader->thread_count; i++) {
        perf_thread *thread = &reader->threads[i];
        free(thread->id);
        free(thread->name);
        free(thread->open);
        oc_text_free(&thread->fields);
        oc_text_free(&thread->reason);
    }
    free_type(&reader->thread_states);
    free_type(&reader->cpu_states);
    free_type(&reader->stacks);
    free(reader->events);
    free(reader->threads);
    free(reader->cpus);
    free(reader->files);
    oc_map_free(&reader->event_of);
    oc_map_free(&reader->thread_of);
    oc_map_free(&reader->cpu_of);
}

/* --- Types and values */

ocelotl_status perf_declare_type(perf_reader *reader, perf_type *type, ocelotl_category category,
                                 uint32_t resource_type, const char *name)
{
    if (type->is_declared)
        return OCELOTL_OK;
    type->is_declared = true;
    return ocelotl_writer_event_type(&type->id, reader->writer, category, resource_type, name, -1);
}

ocelotl_status perf_find_value(uint32_t *value, perf_reader *reader, perf_type *type,
                               const char *name, size_t length)
{
    *value = oc_map_get(&type->value_of, name, length);
    if (*value != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_value(value, reader->writer, type->id, name, -1));
    return oc_map_set(&type->value_of, name, length, *value);
}

ocelotl_status perf_add_attribute(ocelotl_attribute_value *attributes, size_t *count,
                                  perf_reader *reader, perf_type *type, perf_attribute attribute,
                                  perf_text text)
{
    static const char *const names[PERF_ATTRIBUTES] = {
        "fields", "period", "object", "cpu", "name", "reason", "thread",
    };
    if (text.length == 0)
        return OCELOTL_OK;
    if (type->attributes[attribute] == 0) {
        uint32_t declared;
        OC_TRY(ocelotl_writer_attribute(&declared, reader->writer, type->id, names[attribute]));
        type->attributes[attribute] = declared + 1;
    }
    attributes[(*count)++] =
        (ocelotl_attribute_value){type->attributes[attribute] - 1, text.bytes, text.length};
    return OCELOTL_OK;
}

/* --- Names of frames */

ocelotl_status perf_frame_name(perf_text *object, perf_reader *reader, const char *text,
                               const char *end)
{
    perf_text symbol;
    perf_frame_read(&symbol, object, text, end);
    oc_text_clear(&reader->key);
    oc_text_append(&reader->key, symbol.bytes, symbol.length);
    if (perf_text_is(symbol, "[unknown]") && object->length > 0 &&
        !perf_text_is(*object, "[unknown]")) {
        const char *slash = memrchr(object->bytes, '/', object->length);
        const char *begin = slash != NULL ? slash + 1 : object->bytes;
        oc_text_add(&reader->key, " in ");
        oc_text_append(&reader->key, begin, (size_t)(object->bytes + object->length - begin));
    }
    return reader->key.failed ? oc_fail_memory() : OCELOTL_OK;
}

/* --- Resources */

int64_t perf_life_end(const perf_reader *reader, const perf_thread *thread)
{
    if (!thread->has_ended)
        return reader->end;
    return thread->last > thread->ended ? thread->last : thread->ended;
}

bool perf_is_resource(const perf_reader *reader, const perf_thread *thread)
{
    return thread->number > 0 || thread->is_used || !perf_has_switches(reader, thread);
}

/* A process, or where that is not known the threads of one name. */
typedef struct group {
    uint32_t file;
    int64_t process;
    const char *name; /* the main thread's, else of the first */
    char id[64];
    uint32_t resource;
} group;

typedef struct declaring {
    perf_reader *reader;
    group *groups;
    size_t group_count;
    uint32_t *group_of; /* by thread */
    oc_named *named;    /* of groups, then of threads */
    char **names;
    uint32_t *order;
} declaring;

static const char *name_of(const perf_thread *thread)
{
    return thread->name != NULL ? thread->name : thread->id;
}

static ocelotl_status find_group(declaring *to, oc_map *groups, size_t number)
{
    const perf_thread *thread = &to->reader->threads[number];
    oc_text *key = &to->reader->key;
    const bool is_process = thread->process >= 0;
    oc_text_clear(key);
    oc_text_format(key, "%" PRIu32 " %" PRId64 " %s", thread->file, thread->process,
                   is_process ? "" : name_of(thread));
    if (key->failed)
        return oc_fail_memory();
    uint32_t found = oc_map_get(groups, key->bytes, key->length);
    if (found == OC_MAP_NONE) {
        found = (uint32_t)to->group_count++;
        group *made = &to->groups[found];
        *made = (group){thread->file, thread->process, name_of(thread), "", OCELOTL_NONE};
        if (is_process)
            snprintf(made->id, sizeof made->id, "%" PRId64, thread->process);
        OC_TRY(oc_map_set(groups, key->bytes, key->length, found));
    }
    if (is_process && thread->number == thread->process)
        to->groups[found].name = name_of(thread);
    to->group_of[number] = found;
    return OCELOTL_OK;
}

static ocelotl_status find_groups(declaring *to)
{
    oc_map groups = {0};
    ocelotl_status status = OCELOTL_OK;
    for (size_t i = 0; status == OCELOTL_OK && i < to->reader->thread_count; i++)
        if (perf_is_resource(to->reader, &to->reader->threads[i]))
            status = find_group(to, &groups, i);
    oc_map_free(&groups);
    return status;
}

static void free_names(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(names[i]);
        names[i] = NULL;
    }
}

static ocelotl_status declare_groups(declaring *to)
{
    perf_reader *reader = to->reader;
    for (size_t i = 0; i < to->group_count; i++)
        to->named[i] = (oc_named){
            .parent = to->groups[i].file, .id = to->groups[i].id, .name = to->groups[i].name};
    ocelotl_status status = oc_naming_names(to->names, to->named, to->group_count);
    if (status == OCELOTL_OK)
        status = oc_naming_order(to->order, to->named, to->group_count);
    for (size_t i = 0; status == OCELOTL_OK && i < to->group_count; i++) {
        const uint32_t number = to->order[i];
        status = ocelotl_writer_resource(
            &to->groups[number].resource, reader->writer, reader->process_type,
            reader->files[to->groups[number].file].resource, to->names[number], reader->begin);
    }
    free_names(to->names, to->group_count);
    return status;
}

static ocelotl_status declare_thread(declaring *to, uint32_t number)
{
    perf_reader *reader = to->reader;
    perf_thread *thread = &reader->threads[number];
    const bool is_made = thread->is_made && thread->made <= thread->first;
    if (!perf_is_resource(reader, thread))
        return OCELOTL_OK;
    return ocelotl_writer_resource(&thread->resource, reader->writer, reader->thread_type,
                                   to->groups[to->group_of[number]].resource, to->names[number],
                                   is_made ? thread->made : reader->begin);
}

static ocelotl_status declare_threads(declaring *to)
{
    perf_reader *reader = to->reader;
    const size_t count = reader->thread_count;
    for (size_t i = 0; i < count; i++)
        to->named[i] = (oc_named){.parent = to->group_of[i],
                                  .id = reader->threads[i].id,
                                  .name = reader->threads[i].name};
    ocelotl_status status = oc_naming_names(to->names, to->named, count);
    if (status == OCELOTL_OK)
        status = oc_naming_order(to->order, to->named, count);
    for (size_t i = 0; status == OCELOTL_OK && i < count; i++)
        status = declare_thread(to, to->order[i]);
    free_names(to->names, count);
    return status;
}

static int compare_cpus(const void *left, const void *right)
{
    const perf_cpu *one = *(const perf_cpu *const *)left;
    const perf_cpu *other = *(const perf_cpu *const *)right;
    return one->file != other->file ? (one->file > other->file) - (one->file < other->file)
                                    : (one->number > other->number) - (one->number < other->number);
}

static ocelotl_status declare_sorted_cpus(perf_reader *reader, perf_cpu **cpus)
{
    uint32_t around = OCELOTL_NONE;
    uint32_t file = OCELOTL_NONE;
    OC_TRY(ocelotl_writer_resource_type(&reader->cpus_type, reader->writer, reader->file_type,
                                        "CPUs"));
    OC_TRY(
        ocelotl_writer_resource_type(&reader->cpu_type, reader->writer, reader->cpus_type, "CPU"));
    for (size_t i = 0; i < reader->cpu_count; i++)
        cpus[i] = &reader->cpus[i];
    qsort(cpus, reader->cpu_count, sizeof(perf_cpu *), compare_cpus);
    for (size_t i = 0; i < reader->cpu_count; i++) {
        char name[32];
        const perf_file *of = &reader->files[cpus[i]->file];
        if (!of->has_switches)
            continue;
        if (cpus[i]->file != file)
            OC_TRY(ocelotl_writer_resource(&around, reader->writer, reader->cpus_type, of->resource,
                                           "CPUs", reader->begin));
        file = cpus[i]->file;
        snprintf(name, sizeof name, "CPU %" PRId64, cpus[i]->number);
        OC_TRY(ocelotl_writer_resource(&cpus[i]->resource, reader->writer, reader->cpu_type, around,
                                       name, reader->begin));
    }
    return OCELOTL_OK;
}

/* Declares each of several files as a node, unless they are merged. */
static ocelotl_status declare_files(perf_reader *reader)
{
    const oc_import *import = reader->import;
    reader->file_type = OCELOTL_ROOT;
    reader->files[0].resource = OCELOTL_ROOT;
    if (import->source_count < 2 || import->options->same_root)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_resource_type(&reader->file_type, reader->writer, OCELOTL_ROOT, "File"));
    for (size_t i = 0; i < import->source_count; i++)
        OC_TRY(ocelotl_writer_resource(&reader->files[i].resource, reader->writer,
                                       reader->file_type, OCELOTL_ROOT, import->nodes[i],
                                       reader->begin));
    return OCELOTL_OK;
}

/* CPUs have events of their own only where the scheduler is traced. */
static ocelotl_status declare_cpus(perf_reader *reader)
{
    perf_cpu **cpus = NULL;
    bool has_any = false;
    for (size_t i = 0; i < reader->cpu_count; i++)
        has_any = has_any || reader->files[reader->cpus[i].file].has_switches;
    if (!has_any)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&cpus, reader->cpu_count, sizeof(perf_cpu *)));
    const ocelotl_status status = declare_sorted_cpus(reader, cpus);
    free(cpus);
    return status;
}

static ocelotl_status declare_all(declaring *to)
{
    perf_reader *reader = to->reader;
    const size_t count = reader->thread_count;
    bool has_processes = false;
    for (size_t i = 0; i < count; i++)
        has_processes = has_processes || reader->threads[i].process >= 0;
    OC_TRY(oc_allocate(&to->groups, count, sizeof *to->groups));
    OC_TRY(oc_allocate(&to->group_of, count, sizeof *to->group_of));
    OC_TRY(oc_allocate(&to->named, count, sizeof *to->named));
    OC_TRY(oc_allocate(&to->names, count, sizeof *to->names));
    OC_TRY(oc_allocate(&to->order, count, sizeof *to->order));
    OC_TRY(declare_files(reader));
    OC_TRY(ocelotl_writer_resource_type(&reader->process_type, reader->writer, reader->file_type,
                                        has_processes ? "Process" : "Command"));
    OC_TRY(ocelotl_writer_resource_type(&reader->thread_type, reader->writer, reader->process_type,
                                        "Thread"));
    OC_TRY(find_groups(to));
    OC_TRY(declare_cpus(reader));
    OC_TRY(declare_groups(to));
    return declare_threads(to);
}

ocelotl_status perf_declare(perf_reader *reader)
{
    declaring to = {.reader = reader};
    const ocelotl_status status = declare_all(&to);
    free(to.groups);
    free(to.group_of);
    free(to.named);
    free(to.names);
    free(to.order);
    return status;
}
