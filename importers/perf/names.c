/* Threads, CPUs and events by what lines call them; resources, types and values. */
#define _GNU_SOURCE
#include "importers/perf/reader.h"

#include "base/memory.h"

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

void perf_names_free(perf_reader *reader)
{
    for (size_t i = 0; i < reader->event_count; i++)
        free(reader->events[i].name);
    for (size_t i = 0; i < reader->thread_count; i++) {
        perf_thread *thread = &reader->threads[i];
        free(thread->id);
        free(thread->name);
        free(thread->open);
        oc_text_free(&thread->fields);
        oc_text_free(&thread->reason);
    }
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
    if (type->declared == 0) {
        OC_TRY(oc_ingest_event_type(&type->declared, &reader->ingest, category, resource_type, name,
                                    OC_NEST_BY_TIME));
        type->declared++;
    }
    return OCELOTL_OK;
}

ocelotl_status perf_find_value(uint32_t *value, perf_reader *reader, perf_type *type,
                               const char *name, size_t length)
{
    return oc_ingest_value(value, &reader->ingest, type->declared - 1, name, length);
}

ocelotl_status perf_add_attribute(ocelotl_attribute_value *attributes, size_t *count,
                                  perf_reader *reader, perf_type *type, perf_attribute attribute,
                                  perf_text text)
{
    static const char *const names[PERF_ATTRIBUTES] = {
        "fields", "period", "object", "cpu", "name", "reason", "thread",
    };
    uint32_t *known = &type->attributes[attribute];
    if (text.length == 0)
        return OCELOTL_OK;
    if (*known == 0) {
        OC_TRY(oc_ingest_attribute(known, &reader->ingest, type->declared - 1, names[attribute],
                                   strlen(names[attribute])));
        ++*known;
    }
    attributes[(*count)++] = (ocelotl_attribute_value){*known - 1, text.bytes, text.length};
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

static const char *name_of(const perf_thread *thread)
{
    return thread->name != NULL ? thread->name : thread->id;
}

/* The row of a thread's process, which is called as its main thread, else as its first; or, where
 * that is not known, of the threads of one name. */
static ocelotl_status find_process(uint32_t *row, perf_reader *reader, const perf_thread *thread,
                                   uint32_t type)
{
    oc_ingest *ingest = &reader->ingest;
    const size_t before = ingest->row_count;
    const bool is_process = thread->process >= 0;
    char id[32];
    snprintf(id, sizeof id, "%" PRId64, thread->process);
    const char *key = is_process ? id : name_of(thread);
    ingest->file_row = reader->files[thread->file].row;
    OC_TRY(oc_ingest_row_find(row, ingest, OCELOTL_NONE, type, key, strlen(key)));
    const bool is_main = is_process && thread->number == thread->process;
    return ingest->row_count > before || is_main ? oc_ingest_row_name(ingest, *row, name_of(thread))
                                                 : OCELOTL_OK;
}

static ocelotl_status find_threads(perf_reader *reader, uint32_t process_type)
{
    oc_ingest *ingest = &reader->ingest;
    for (size_t i = 0; i < reader->thread_count; i++) {
        uint32_t process;
        perf_thread *thread = &reader->threads[i];
        const bool is_made = thread->is_made && thread->made <= thread->first;
        if (!perf_is_resource(reader, thread))
            continue;
        OC_TRY(find_process(&process, reader, thread, process_type));
        OC_TRY(oc_ingest_row_find(&thread->resource, ingest, process, reader->thread_type,
                                  thread->id, strlen(thread->id)));
        if (thread->name != NULL)
            OC_TRY(oc_ingest_row_name(ingest, thread->resource, thread->name));
        oc_ingest_row_see(ingest, thread->resource, reader->begin);
        oc_ingest_row_live(ingest, thread->resource, is_made ? thread->made : OC_INGEST_UNSAID,
                           thread->has_ended ? perf_life_end(reader, thread) : OC_INGEST_UNSAID);
    }
    return OCELOTL_OK;
}

/* CPUs have events of their own only where the scheduler is traced. */
static ocelotl_status find_cpus(perf_reader *reader)
{
    uint32_t cpus_type = OCELOTL_NONE;
    oc_ingest *ingest = &reader->ingest;
    for (size_t i = 0; i < reader->cpu_count; i++) {
        char name[32];
        uint32_t around;
        perf_cpu *cpu = &reader->cpus[i];
        if (!reader->files[cpu->file].has_switches)
            continue;
        if (cpus_type == OCELOTL_NONE) {
            OC_TRY(oc_ingest_resource_type(&cpus_type, ingest, ingest->file_type, "CPUs"));
            OC_TRY(oc_ingest_resource_type(&reader->cpu_type, ingest, cpus_type, "CPU"));
        }
        ingest->file_row = reader->files[cpu->file].row;
        OC_TRY(oc_ingest_row_find(&around, ingest, OCELOTL_NONE, cpus_type, "CPUs", 4));
        ingest->rows[around].order = INT64_MIN;
        snprintf(name, sizeof name, "CPU %" PRId64, cpu->number);
        OC_TRY(oc_ingest_row_find(&cpu->resource, ingest, around, reader->cpu_type, name,
                                  strlen(name)));
        oc_ingest_row_see(ingest, cpu->resource, reader->begin);
    }
    return OCELOTL_OK;
}

ocelotl_status perf_declare(perf_reader *reader)
{
    uint32_t process_type;
    oc_ingest *ingest = &reader->ingest;
    bool has_processes = false;
    for (size_t i = 0; i < reader->thread_count; i++)
        has_processes = has_processes || reader->threads[i].process >= 0;
    OC_TRY(oc_ingest_resource_type(&process_type, ingest, ingest->file_type,
                                   has_processes ? "Process" : "Command"));
    OC_TRY(oc_ingest_resource_type(&reader->thread_type, ingest, process_type, "Thread"));
    OC_TRY(find_cpus(reader));
    OC_TRY(find_threads(reader, process_type));
    for (size_t i = 0; i < ingest->row_count; i++)
        oc_ingest_row_see(ingest, (uint32_t)i, reader->begin);
    OC_TRY(oc_ingest_declare(ingest, ""));
    for (size_t i = 0; i < reader->thread_count; i++)
        if (perf_is_resource(reader, &reader->threads[i]))
            reader->threads[i].resource = ingest->rows[reader->threads[i].resource].resource;
    for (size_t i = 0; i < reader->cpu_count; i++)
        if (reader->files[reader->cpus[i].file].has_switches)
            reader->cpus[i].resource = ingest->rows[reader->cpus[i].resource].resource;
    return OCELOTL_OK;
}
