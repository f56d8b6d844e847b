/* The end of an import: resources by their names and order, and all that was read. */
#define _GNU_SOURCE
#include "importers/ctf/reader.h"

#include "base/memory.h"
#include "importers/common/naming.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Lives */

/* A thread lives as long as its trace, or as the kernel says. */
static int64_t begin_of(const ctf_reader *reader, const ctf_thread *thread)
{
    int64_t begin;
    int64_t end;
    const int64_t trace = reader->traces[thread->trace].begin;
    if (!oc_timelines_bounds(&begin, &end, &reader->timelines, thread->row))
        return thread->has_begun ? thread->begin : trace;
    if (thread->has_begun)
        return begin < thread->begin ? begin : thread->begin;
    return begin < trace ? begin : trace;
}

static int64_t end_of(const ctf_reader *reader, const ctf_thread *thread)
{
    int64_t begin;
    int64_t end;
    const int64_t last = reader->rows[thread->row].end;
    if (!thread->has_ended)
        return last;
    return oc_timelines_bounds(&begin, &end, &reader->timelines, thread->row) && end > thread->end
               ? end
               : thread->end;
}

/* --- Processes: threads that say one number, or of one trace that says none */

typedef struct process {
    uint32_t host;
    char *id;
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
    OC_TRY(oc_grow(&all->all, &all->capacity, all->count + 1, sizeof(*all->all)));
    *number = (uint32_t)all->count;
    all->all[*number] = (process){.host = thread->host};
    OC_TRY(oc_copy_text(&all->all[*number].id, key->bytes + sizeof thread->host));
    all->count++;
    return oc_map_set(&all->known, key->bytes, key->length, *number);
}

/* A process is called as its first thread, which has its number; else as the trace says. */
static ocelotl_status find_processes(processes *all, ctf_reader *reader)
{
    OC_TRY(oc_allocate(&all->of, reader->thread_count, sizeof(*all->of)));
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
        process *of = &all->all[all->of[i]];
        const int64_t begin = begin_of(reader, thread);
        const int64_t end = end_of(reader, thread);
        if (of->name == NULL && thread->has_process)
            of->name = thread->name;
        of->begin = !of->has_life || begin < of->begin ? begin : of->begin;
        of->end = !of->has_life || end > of->end ? end : of->end;
        of->has_life = true;
    }
    return OCELOTL_OK;
}

/* --- Names and order of a kind of rows */

static ocelotl_status add(uint32_t *resource, const ctf_reader *reader, uint32_t type,
                          uint32_t parent, const char *name)
{
    return ocelotl_writer_resource(resource, reader->writer, type, parent, name, reader->begin);
}

static ocelotl_status note(const ctf_reader *reader, uint32_t resource, const char *name,
                           const char *text)
{
    return ocelotl_writer_resource_note(reader->writer, resource, name, text);
}

/* --- Resources */

/* Declares each source as a node, if the import has several; and each host, if its source has
 * several or the trace has states of CPUs. */
static ocelotl_status declare_hosts(ctf_reader *reader)
{
    const oc_import *import = reader->import;
    OC_TRY(oc_allocate(&reader->nodes, import->source_count, sizeof(*reader->nodes)));
    for (size_t i = 0; i < import->source_count; i++) {
        reader->nodes[i] = OCELOTL_ROOT;
        if (reader->has_nodes)
            OC_TRY(
                add(&reader->nodes[i], reader, reader->file_type, OCELOTL_ROOT, import->nodes[i]));
        if (import->source_count > 1)
            OC_TRY(oc_align_tell(reader->writer, import->nodes[i], reader->align,
                                 reader->sources[i].shift, (double)reader->base.frequency));
    }
    for (size_t i = 0; i < reader->host_count; i++) {
        ctf_host *host = &reader->hosts[i];
        size_t of_source = 0;
        for (size_t j = 0; j < reader->host_count; j++)
            of_source += !reader->has_nodes || reader->hosts[j].source == host->source;
        host->resource = reader->nodes[host->source];
        if (of_source > 1 || reader->cpu_count > 0)
            OC_TRY(add(&host->resource, reader, reader->host_type, host->resource,
                       host->name[0] != '\0' ? host->name : "host"));
    }
    return OCELOTL_OK;
}

static ocelotl_status declare_cpus(ctf_reader *reader, oc_namings *found)
{
    for (size_t i = 0; i < found->count; i++) {
        char *id = NULL;
        const ctf_cpu *cpu = &reader->cpus[i];
        const int length = cpu->number >= 0 ? asprintf(&id, "CPU %" PRId64, cpu->number)
                                            : asprintf(&id, "stream %" PRId64, -1 - cpu->number);
        if (length < 0)
            return oc_fail_memory();
        found->names[i] = id;
        found->named[i] = (oc_named){.parent = cpu->host, .id = id};
    }
    OC_TRY(oc_naming_order(found->order, found->named, found->count));
    for (size_t i = 0; i < found->count; i++) {
        ctf_cpu *cpu = &reader->cpus[found->order[i]];
        ctf_host *host = &reader->hosts[cpu->host];
        if (host->cpus == OCELOTL_NONE)
            OC_TRY(add(&host->cpus, reader, reader->cpus_type, host->resource, "CPUs"));
        OC_TRY(add(&reader->rows[cpu->row].resource, reader, reader->cpu_type, host->cpus,
                   found->names[found->order[i]]));
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
            OC_TRY(note(reader, of->resource, "pid", of->id));
    }
    return OCELOTL_OK;
}

static ocelotl_status declare_threads(ctf_reader *reader, const processes *all, oc_namings *found)
{
    for (size_t i = 0; i < found->count; i++) {
        ctf_thread *thread = &reader->threads[i];
        if (thread->id == NULL && asprintf(&thread->id, "%" PRId64, thread->number) < 0) {
            thread->id = NULL;
            return oc_fail_memory();
        }
        found->named[i] = (oc_named){.parent = all->of[i], .id = thread->id, .name = thread->name};
    }
    OC_TRY(oc_namings_settle(found));
    for (size_t i = 0; i < found->count; i++) {
        const uint32_t number = found->order[i];
        const ctf_thread *thread = &reader->threads[number];
        uint32_t *resource = &reader->rows[thread->row].resource;
        char parent[32];
        snprintf(parent, sizeof parent, "%" PRId64, thread->parent);
        OC_TRY(ocelotl_writer_resource(resource, reader->writer, reader->thread_type,
                                       all->all[all->of[number]].resource, found->names[number],
                                       begin_of(reader, thread)));
        if (thread->name != NULL)
            OC_TRY(note(reader, *resource, "tid", thread->id));
        if (thread->has_parent)
            OC_TRY(note(reader, *resource, "parent", parent));
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
        const int64_t end = end_of(reader, &reader->threads[i]);
        if (end < last)
            OC_TRY(ocelotl_writer_resource_end(reader->writer,
                                               reader->rows[reader->threads[i].row].resource, end));
    }
    for (size_t i = 0; i < all->count; i++)
        if (all->all[i].end < last)
            OC_TRY(
                ocelotl_writer_resource_end(reader->writer, all->all[i].resource, all->all[i].end));
    return OCELOTL_OK;
}

/* A trace lasts from its first event to its last, and so do its rows. */
static void begin_rows_of_all(ctf_reader *reader)
{
    for (uint32_t row = 0; row < reader->row_count; row++) {
        int64_t begin;
        int64_t end;
        ctf_trace *trace = &reader->traces[reader->row_traces[row]];
        if (!oc_timelines_bounds(&begin, &end, &reader->timelines, row))
            continue;
        trace->begin = !trace->has_bounds || begin < trace->begin ? begin : trace->begin;
        trace->end = !trace->has_bounds || end > trace->end ? end : trace->end;
        trace->has_bounds = true;
    }
    for (uint32_t row = 0; row < reader->row_count; row++) {
        int64_t begin;
        int64_t end;
        const ctf_trace *trace = &reader->traces[reader->row_traces[row]];
        const bool known = oc_timelines_bounds(&begin, &end, &reader->timelines, row);
        reader->rows[row] = (oc_timelines_row){.resource = OCELOTL_NONE,
                                               .file = reader->row_traces[row],
                                               .has_end = trace->has_bounds,
                                               .end = known && end > trace->end ? end : trace->end};
        reader->begin = row == 0 || trace->begin < reader->begin ? trace->begin : reader->begin;
    }
    for (size_t i = 0; i < reader->thread_count; i++) {
        const ctf_thread *thread = &reader->threads[i];
        oc_timelines_row *at = &reader->rows[thread->row];
        at->has_begin = thread->has_begun;
        at->begin = begin_of(reader, thread);
        at->end = end_of(reader, thread);
    }
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
    OC_TRY(oc_allocate(&reader->rows, reader->row_count, sizeof(*reader->rows)));
    begin_rows_of_all(reader);
    processes all = {0};
    const oc_timelines_plan plan = {.rows = reader->rows,
                                    .row_count = reader->row_count,
                                    .exact = true,
                                    .lane_type = reader->lane_type,
                                    .files = reader->paths,
                                    .left_out = leave_out,
                                    .context = reader};
    oc_namings found[3] = {{0}};
    ocelotl_status status = declare_all(reader, &all, found);
    for (size_t i = 0; i < 3; i++)
        oc_namings_free(&found[i]);
    if (status == OCELOTL_OK)
        status = oc_timelines_write(&reader->timelines, &plan);
    if (status == OCELOTL_OK)
        status = end_lives(reader, &all);
    for (size_t i = 0; i < all.count; i++)
        free(all.all[i].id);
    free(all.all);
    free(all.of);
    oc_map_free(&all.known);
    return status;
}
