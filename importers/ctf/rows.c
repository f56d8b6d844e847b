/* Rows: hosts, threads and CPUs. */
#include "importers/ctf/reader.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A number on a host, as a key. */
typedef struct key {
    uint32_t host, kind;
    int64_t number;
} key;

enum { BY_NUMBER, BY_STREAM, BY_CPU };

ocelotl_status ctf_find_host(uint32_t *host, ctf_reader *reader, uint32_t source, const char *name)
{
    for (uint32_t i = 0; i < reader->host_count; i++)
        if (strcmp(reader->hosts[i].name, name) == 0 &&
            (!reader->has_nodes || reader->hosts[i].source == source)) {
            *host = i;
            return OCELOTL_OK;
        }
    OC_TRY(oc_grow(&reader->hosts, &reader->host_capacity, reader->host_count + 1,
                   sizeof(*reader->hosts)));
    *host = (uint32_t)reader->host_count;
    reader->hosts[*host] =
        (ctf_host){.source = source, .resource = OCELOTL_ROOT, .cpus = OCELOTL_NONE};
    OC_TRY(oc_copy_text(&reader->hosts[*host].name, name));
    reader->host_count++;
    return OCELOTL_OK;
}

ocelotl_status ctf_add_row(uint32_t *row, ctf_reader *reader, uint32_t trace)
{
    OC_TRY(oc_grow(&reader->row_traces, &reader->row_capacity, (size_t)reader->row_count + 1,
                   sizeof(*reader->row_traces)));
    *row = reader->row_count++;
    reader->row_traces[*row] = trace;
    return OCELOTL_OK;
}

/* --- Threads */

static ocelotl_status add_thread(uint32_t *thread, ctf_reader *reader, uint32_t trace)
{
    OC_TRY(oc_grow(&reader->threads, &reader->thread_capacity, reader->thread_count + 1,
                   sizeof(*reader->threads)));
    ctf_thread *added = &reader->threads[reader->thread_count];
    *added = (ctf_thread){.host = reader->traces[trace].host, .trace = trace};
    OC_TRY(ctf_add_row(&added->row, reader, trace));
    *thread = (uint32_t)reader->thread_count++;
    return OCELOTL_OK;
}

ocelotl_status ctf_add_thread(uint32_t *thread, ctf_reader *reader, uint32_t trace, int64_t number)
{
    const key of = {reader->traces[trace].host, BY_NUMBER, number};
    OC_TRY(add_thread(thread, reader, trace));
    reader->threads[*thread].has_number = true;
    reader->threads[*thread].number = number;
    return oc_map_set(&reader->thread_of, &of, sizeof of, *thread);
}

ocelotl_status ctf_find_thread(uint32_t *thread, ctf_reader *reader, uint32_t trace, int64_t number,
                               bool has_process, int64_t process)
{
    const key of = {reader->traces[trace].host, BY_NUMBER, number};
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

ocelotl_status ctf_name_thread(ctf_reader *reader, uint32_t thread, const char *name)
{
    ctf_thread *named = &reader->threads[thread];
    if (name == NULL || name[0] == '\0' || (named->name != NULL && strcmp(named->name, name) == 0))
        return OCELOTL_OK;
    free(named->name);
    named->name = NULL;
    return oc_copy_text(&named->name, name);
}

/* Streams of one CPU in one trace are one thread: they are of different event classes. */
ocelotl_status ctf_find_alone(uint32_t *thread, ctf_reader *reader, ctf_event *event)
{
    int64_t number = event->stream->number;
    const uint32_t trace = event->stream->trace;
    const bool has_cpu = ctf_get_number(&number, event, event->of->cpu);
    const key of = {trace, has_cpu ? BY_CPU : BY_STREAM, number};
    *thread = oc_map_get(&reader->thread_of, &of, sizeof of);
    if (*thread != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(add_thread(thread, reader, trace));
    ctf_thread *added = &reader->threads[*thread];
    oc_text_clear(&reader->key);
    oc_text_format(&reader->key, "%s %" PRId64, has_cpu ? "CPU" : "stream", number);
    if (reader->key.failed)
        return oc_fail_memory();
    OC_TRY(oc_copy_text(&added->id, reader->key.bytes));
    return oc_map_set(&reader->thread_of, &of, sizeof of, *thread);
}

/* --- CPUs */

ocelotl_status ctf_find_cpu(uint32_t *cpu, ctf_reader *reader, uint32_t trace, int64_t number)
{
    const key of = {reader->traces[trace].host, BY_CPU, number};
    *cpu = oc_map_get(&reader->cpu_of, &of, sizeof of);
    if (*cpu != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&reader->cpus, &reader->cpu_capacity, reader->cpu_count + 1,
                   sizeof(*reader->cpus)));
    ctf_cpu *added = &reader->cpus[reader->cpu_count];
    *added = (ctf_cpu){.host = of.host, .number = number, .thread = OCELOTL_NONE};
    OC_TRY(ctf_add_row(&added->row, reader, trace));
    *cpu = (uint32_t)reader->cpu_count++;
    return oc_map_set(&reader->cpu_of, &of, sizeof of, *cpu);
}

void ctf_rows_free(ctf_reader *reader)
{
    for (size_t i = 0; i < reader->thread_count; i++) {
        free(reader->threads[i].id);
        free(reader->threads[i].name);
    }
    for (size_t i = 0; i < reader->host_count; i++)
        free(reader->hosts[i].name);
    free(reader->threads);
    free(reader->hosts);
    free(reader->cpus);
    free(reader->rows);
    free(reader->row_traces);
    oc_map_free(&reader->thread_of);
    oc_map_free(&reader->cpu_of);
}
