/* Rows: hosts, threads and CPUs; and at the end of an import their names, their order and all that
 * happened in them. */
#include "importers/ctf/reader.h"

#include "importers/common/naming.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A number on a host, as a key. */
typedef struct row_key {
    uint32_t host, kind;
    int64_t number;
} row_key;

enum { BY_NUMBER, BY_STREAM, BY_CPU };

static ocelotl_status add_row(uint32_t *row, ctf_reader *reader, uint32_t trace)
{
    OC_TRY(oc_arena_grow(&reader->row_traces, &reader->row_capacity, &reader->arena,
                         (size_t)reader->row_count + 1, sizeof(*reader->row_traces)));
    *row = reader->row_count++;
    reader->row_traces[*row] = trace;
    return OCELOTL_OK;
}

ocelotl_status ctf_find_host(uint32_t *host, ctf_reader *reader, uint32_t source, const char *name)
{
    for (*host = 0; *host < reader->host_count; ++*host)
        if (strcmp(reader->hosts[*host].name, name) == 0 &&
            (!reader->has_nodes || reader->hosts[*host].source == source))
            return OCELOTL_OK;
    OC_TRY(oc_arena_grow(&reader->hosts, &reader->host_capacity, &reader->arena,
                         reader->host_count + 1, sizeof(*reader->hosts)));
    reader->hosts[reader->host_count++] = (ctf_host){.name = oc_arena_copy(&reader->arena, name),
                                                     .source = source,
                                                     .resource = OCELOTL_ROOT,
                                                     .cpus = OCELOTL_NONE};
    return oc_arena_status(&reader->arena);
}

/* --- Threads */

static ocelotl_status add_thread(uint32_t *thread, ctf_reader *reader, uint32_t trace)
{
    OC_TRY(oc_arena_grow(&reader->threads, &reader->thread_capacity, &reader->arena,
                         reader->thread_count + 1, sizeof(*reader->threads)));
    ctf_thread *added = &reader->threads[reader->thread_count];
    *added = (ctf_thread){.host = reader->traces[trace].host, .trace = trace};
    OC_TRY(add_row(&added->row, reader, trace));
    *thread = (uint32_t)reader->thread_count++;
    return OCELOTL_OK;
}

ocelotl_status ctf_add_thread(uint32_t *thread, ctf_reader *reader, uint32_t trace, int64_t number)
{
    const row_key of = {reader->traces[trace].host, BY_NUMBER, number};
    OC_TRY(add_thread(thread, reader, trace));
    reader->threads[*thread].has_number = true;
    reader->threads[*thread].number = number;
    return oc_map_set(&reader->thread_of, &of, sizeof of, *thread);
}

ocelotl_status ctf_find_thread(uint32_t *thread, ctf_reader *reader, uint32_t trace, int64_t number,
                               bool has_process, int64_t process)
{
    const row_key of = {reader->traces[trace].host, BY_NUMBER, number};
    *thread = oc_map_get(&reader->thread_of, &of, sizeof of);
    if (*thread == OC_MAP_NONE || (has_process && reader->threads[*thread].has_process &&
                                   reader->threads[*thread].process != process))
        OC_TRY(ctf_add_thread(thread, reader, trace, number));
    ctf_thread *found = &reader->threads[*thread];
    if (has_process) {
        found->has_process = true;
        found->process = process;
    }
    return OCELOTL_OK;
}

/* Threads change their names and have them again: each name is kept once. */
ocelotl_status ctf_name_thread(ctf_reader *reader, uint32_t thread, const char *name)
{
    ctf_thread *named = &reader->threads[thread];
    if (name == NULL || name[0] == '\0' || (named->name != NULL && strcmp(named->name, name) == 0))
        return OCELOTL_OK;
    const size_t length = strlen(name);
    uint32_t index = oc_map_get(&reader->name_of, name, length);
    if (index == OC_MAP_NONE) {
        OC_TRY(oc_arena_grow(&reader->thread_names, &reader->name_capacity, &reader->arena,
                             reader->name_count + 1, sizeof(*reader->thread_names)));
        index = (uint32_t)reader->name_count++;
        reader->thread_names[index] = oc_arena_copy(&reader->arena, name);
        OC_TRY(oc_map_set(&reader->name_of, name, length, index));
    }
    named->name = reader->thread_names[index];
    return oc_arena_status(&reader->arena);
}

/* Streams of one CPU in one trace are one thread: they are of different event classes. */
ocelotl_status ctf_find_alone(uint32_t *thread, ctf_reader *reader, ctf_event *event)
{
    int64_t number = event->stream->number;
    const uint32_t trace = event->stream->trace;
    const bool has_cpu = ctf_get_number(&number, event, event->of->cpu);
    const row_key of = {trace, has_cpu ? BY_CPU : BY_STREAM, number};
    *thread = oc_map_get(&reader->thread_of, &of, sizeof of);
    if (*thread != OC_MAP_NONE)
        return OCELOTL_OK;
    char id[32];
    OC_TRY(add_thread(thread, reader, trace));
    snprintf(id, sizeof id, "%s %" PRId64, has_cpu ? "CPU" : "stream", number);
    reader->threads[*thread].id = oc_arena_copy(&reader->arena, id);
    OC_TRY(oc_arena_status(&reader->arena));
    return oc_map_set(&reader->thread_of, &of, sizeof of, *thread);
}

/* --- CPUs */

ocelotl_status ctf_find_cpu(uint32_t *cpu, ctf_reader *reader, uint32_t trace, int64_t number)
{
    const row_key of = {reader->traces[trace].host, BY_CPU, number};
    *cpu = oc_map_get(&reader->cpu_of, &of, sizeof of);
    if (*cpu != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_arena_grow(&reader->cpus, &reader->cpu_capacity, &reader->arena,
                         reader->cpu_count + 1, sizeof(*reader->cpus)));
    ctf_cpu *added = &reader->cpus[reader->cpu_count];
    *added = (ctf_cpu){.host = of.host, .number = number, .thread = OCELOTL_NONE};
    OC_TRY(add_row(&added->row, reader, trace));
    *cpu = (uint32_t)reader->cpu_count++;
    return oc_map_set(&reader->cpu_of, &of, sizeof of, *cpu);
}

/* --- Lives: a trace lasts from its first event to its last, and so do its rows; a thread as the
 * kernel says */

static void find_bounds(ctf_reader *reader)
{
    int64_t begin;
    int64_t end;
    for (uint32_t row = 0; row < reader->row_count; row++) {
        ctf_trace *trace = &reader->traces[reader->row_traces[row]];
        if (!oc_timelines_bounds(&begin, &end, &reader->timelines, row))
            continue;
        trace->begin = !trace->has_bounds || begin < trace->begin ? begin : trace->begin;
        trace->end = !trace->has_bounds || end > trace->end ? end : trace->end;
        trace->has_bounds = true;
    }
    for (uint32_t row = 0; row < reader->row_count; row++) {
        const ctf_trace *trace = &reader->traces[reader->row_traces[row]];
        reader->rows[row] = (oc_timelines_row){.resource = OCELOTL_NONE,
                                               .file = reader->row_traces[row],
                                               .has_end = trace->has_bounds,
                                               .end = trace->end};
        reader->begin = row == 0 || trace->begin < reader->begin ? trace->begin : reader->begin;
    }
    for (size_t i = 0; i < reader->thread_count; i++) {
        const ctf_thread *thread = &reader->threads[i];
        const ctf_trace *trace = &reader->traces[thread->trace];
        oc_timelines_row *row = &reader->rows[thread->row];
        row->has_begin = thread->has_begun;
        row->begin = thread->has_begun ? thread->begin : trace->begin;
        row->end = thread->has_ended ? thread->end : row->end;
        if (!oc_timelines_bounds(&begin, &end, &reader->timelines, thread->row))
            continue;
        row->begin = begin < row->begin ? begin : row->begin;
        row->end = end > row->end ? end : row->end;
    }
}

/* --- Processes: threads that say one number, or of one trace that says none */

typedef struct process {
    uint32_t host;
    const char *id;
    const char *name; /* NULL: not known */
    uint32_t resource;
    bool has_life; /* that of its threads: */
    int64_t begin, end;
} process;

typedef struct processes {
    process *all;
    size_t count, capacity;
    uint32_t *of; /* by thread */
    oc_map known;
} processes;

/* Numbers are texts, so that what is called as a trace is apart. */
static ocelotl_status find_process(uint32_t *number, processes *all, ctf_reader *reader,
                                   const ctf_thread *thread)
{
    oc_text *key = &reader->key;
    oc_text_clear(key);
    oc_text_append(key, (const char *)&thread->host, sizeof thread->host);
    if (thread->has_process)
        oc_text_format(key, "%" PRId64, thread->process);
    else if (thread->has_number && reader->traces[thread->trace].is_kernel)
        oc_text_format(key, "%" PRId64, thread->number);
    else
        oc_text_add(key, reader->traces[thread->trace].name);
    if (key->failed)
        return oc_fail_memory();
    *number = oc_map_get(&all->known, key->bytes, key->length);
    if (*number != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_arena_grow(&all->all, &all->capacity, &reader->arena, all->count + 1,
                         sizeof(*all->all)));
    *number = (uint32_t)all->count++;
    all->all[*number] =
        (process){.host = thread->host,
                  .id = oc_arena_copy(&reader->arena, key->bytes + sizeof thread->host)};
    return oc_map_set(&all->known, key->bytes, key->length, *number);
}

/* A process is called as its first thread, which has its number; else as the trace says; else as
 * any that says it. It lives as long as its threads. */
static ocelotl_status find_processes(processes *all, ctf_reader *reader)
{
    OC_TRY(oc_arena_allocate(&all->of, &reader->arena, reader->thread_count, sizeof(*all->of)));
    for (size_t i = 0; i < reader->thread_count; i++) {
        const ctf_thread *thread = &reader->threads[i];
        const ctf_trace *trace = &reader->traces[thread->trace];
        const bool is_first =
            thread->has_number && (!thread->has_process || thread->process == thread->number);
        OC_TRY(find_process(&all->of[i], all, reader, thread));
        process *of = &all->all[all->of[i]];
        if (is_first && thread->name != NULL)
            of->name = thread->name;
        else if (of->name == NULL && trace->has_process)
            of->name = trace->process_name;
    }
    for (size_t i = 0; i < reader->thread_count; i++) {
        const ctf_thread *thread = &reader->threads[i];
        const oc_timelines_row *row = &reader->rows[thread->row];
        process *of = &all->all[all->of[i]];
        if (of->name == NULL && thread->has_process)
            of->name = thread->name;
        of->begin = !of->has_life || row->begin < of->begin ? row->begin : of->begin;
        of->end = !of->has_life || row->end > of->end ? row->end : of->end;
        of->has_life = true;
    }
    return oc_arena_status(&reader->arena);
}

/* --- Resources */

static ocelotl_status add(uint32_t *resource, const ctf_reader *reader, uint32_t type,
                          uint32_t parent, const char *name)
{
    return ocelotl_writer_resource(resource, reader->writer, type, parent, name, reader->begin);
}

/* Declares each source as a node, if the import has several; and each host, if its source has
 * several or the trace has states of CPUs. */
static ocelotl_status declare_hosts(ctf_reader *reader)
{
    uint32_t *nodes;
    const oc_import *import = reader->import;
    OC_TRY(oc_arena_allocate(&nodes, &reader->arena, import->source_count, sizeof *nodes));
    for (size_t i = 0; i < import->source_count; i++) {
        nodes[i] = OCELOTL_ROOT;
        if (reader->has_nodes)
            OC_TRY(add(&nodes[i], reader, reader->file_type, OCELOTL_ROOT, import->nodes[i]));
        if (import->source_count > 1)
            OC_TRY(oc_align_tell(reader->writer, import->nodes[i], reader->align,
                                 reader->sources[i].shift, (double)reader->base.frequency));
    }
    for (size_t i = 0; i < reader->host_count; i++) {
        ctf_host *host = &reader->hosts[i];
        size_t of_source = 0;
        for (size_t j = 0; j < reader->host_count; j++)
            of_source += !reader->has_nodes || reader->hosts[j].source == host->source;
        host->resource = nodes[host->source];
        if (of_source > 1 || reader->cpu_count > 0)
            OC_TRY(add(&host->resource, reader, reader->host_type, host->resource,
                       host->name[0] != '\0' ? host->name : "host"));
    }
    return OCELOTL_OK;
}

static ocelotl_status declare_cpus(ctf_reader *reader, oc_namings *found)
{
    for (size_t i = 0; i < found->count; i++) {
        char id[40];
        const ctf_cpu *cpu = &reader->cpus[i];
        const bool has_number = cpu->number >= 0;
        snprintf(id, sizeof id, "%s %" PRId64, has_number ? "CPU" : "stream",
                 has_number ? cpu->number : -1 - cpu->number);
        found->named[i] = (oc_named){.parent = cpu->host, .id = oc_arena_copy(&reader->arena, id)};
    }
    OC_TRY(oc_arena_status(&reader->arena));
    OC_TRY(oc_naming_order(found->order, found->named, found->count));
    for (size_t i = 0; i < found->count; i++) {
        ctf_cpu *cpu = &reader->cpus[found->order[i]];
        ctf_host *host = &reader->hosts[cpu->host];
        if (host->cpus == OCELOTL_NONE)
            OC_TRY(add(&host->cpus, reader, reader->cpus_type, host->resource, "CPUs"));
        OC_TRY(add(&reader->rows[cpu->row].resource, reader, reader->cpu_type, host->cpus,
                   found->named[found->order[i]].id));
    }
    return OCELOTL_OK;
}

static ocelotl_status declare_processes(ctf_reader *reader, processes *all, oc_namings *found)
{
    for (size_t i = 0; i < found->count; i++)
        found->named[i] =
            (oc_named){.parent = all->all[i].host, .id = all->all[i].id, .name = all->all[i].name};
    OC_TRY(oc_namings_settle(found));
    for (size_t i = 0; i < found->count; i++) {
        process *of = &all->all[found->order[i]];
        OC_TRY(ocelotl_writer_resource(&of->resource, reader->writer, reader->process_type,
                                       reader->hosts[of->host].resource,
                                       found->names[found->order[i]], of->begin));
        if (of->name != NULL)
            OC_TRY(ocelotl_writer_resource_note(reader->writer, of->resource, "pid", of->id));
    }
    return OCELOTL_OK;
}

static ocelotl_status declare_threads(ctf_reader *reader, const processes *all, oc_namings *found)
{
    char number[32];
    for (size_t i = 0; i < found->count; i++) {
        ctf_thread *thread = &reader->threads[i];
        snprintf(number, sizeof number, "%" PRId64, thread->number);
        if (thread->id == NULL)
            thread->id = oc_arena_copy(&reader->arena, number);
        found->named[i] = (oc_named){.parent = all->of[i], .id = thread->id, .name = thread->name};
    }
    OC_TRY(oc_arena_status(&reader->arena));
    OC_TRY(oc_namings_settle(found));
    for (size_t i = 0; i < found->count; i++) {
        const uint32_t place = found->order[i];
        const ctf_thread *thread = &reader->threads[place];
        oc_timelines_row *row = &reader->rows[thread->row];
        OC_TRY(ocelotl_writer_resource(&row->resource, reader->writer, reader->thread_type,
                                       all->all[all->of[place]].resource, found->names[place],
                                       row->begin));
        if (thread->name != NULL)
            OC_TRY(ocelotl_writer_resource_note(reader->writer, row->resource, "tid", thread->id));
        snprintf(number, sizeof number, "%" PRId64, thread->parent);
        if (thread->has_parent)
            OC_TRY(ocelotl_writer_resource_note(reader->writer, row->resource, "parent", number));
    }
    return OCELOTL_OK;
}

static ocelotl_status declare_all(ctf_reader *reader, processes *all, oc_namings found[3])
{
    OC_TRY(declare_hosts(reader));
    OC_TRY(find_processes(all, reader));
    OC_TRY(oc_namings_begin(&found[0], reader->cpu_count));
    OC_TRY(declare_cpus(reader, &found[0]));
    OC_TRY(oc_namings_begin(&found[1], all->count));
    OC_TRY(declare_processes(reader, all, &found[1]));
    OC_TRY(oc_namings_begin(&found[2], reader->thread_count));
    return declare_threads(reader, all, &found[2]);
}

/* Ends those that end before the trace does. */
static ocelotl_status end_lives(ctf_reader *reader, const processes *all)
{
    const int64_t last = reader->timelines.end;
    for (size_t i = 0; i < reader->thread_count; i++) {
        const oc_timelines_row *row = &reader->rows[reader->threads[i].row];
        if (row->end < last)
            OC_TRY(ocelotl_writer_resource_end(reader->writer, row->resource, row->end));
    }
    for (size_t i = 0; i < all->count; i++)
        if (all->all[i].end < last)
            OC_TRY(
                ocelotl_writer_resource_end(reader->writer, all->all[i].resource, all->all[i].end));
    return OCELOTL_OK;
}

/* Ends are of the class whose events end states of that type and value. */
static ocelotl_status leave_out(void *context, const oc_sorted *end)
{
    ctf_reader *reader = context;
    for (size_t i = 0; i < reader->class_count; i++) {
        const ctf_class *of = &reader->classes[i];
        const bool ends =
            (of->role == CTF_AS_END && of->value == end->value) || of->role == CTF_AS_FUNCTION_END;
        if (ends && !of->is_pair && reader->types[of->type].id == end->type &&
            reader->kinds.kinds[of->kind].count > 0)
            return oc_kinds_leave_out(&reader->kinds, of->kind, "it ends what did not begin");
    }
    return OCELOTL_OK;
}

ocelotl_status ctf_finish(ctf_reader *reader)
{
    processes all = {0};
    oc_namings found[3] = {{0}};
    OC_TRY(
        oc_arena_allocate(&reader->rows, &reader->arena, reader->row_count, sizeof(*reader->rows)));
    find_bounds(reader);
    const oc_timelines_plan plan = {.rows = reader->rows,
                                    .row_count = reader->row_count,
                                    .exact = true,
                                    .lane_type = reader->lane_type,
                                    .files = reader->paths,
                                    .left_out = leave_out,
                                    .context = reader};
    ocelotl_status status = declare_all(reader, &all, found);
    for (size_t i = 0; i < 3; i++)
        oc_namings_free(&found[i]);
    oc_map_free(&all.known);
    if (status == OCELOTL_OK)
        status = oc_timelines_write(&reader->timelines, &plan);
    return status == OCELOTL_OK ? end_lives(reader, &all) : status;
}
