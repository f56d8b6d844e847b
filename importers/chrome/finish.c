/* The end of an import: resources by their names and order, files aligned, all written. */
#define _GNU_SOURCE
#include "importers/chrome/reader.h"

#include "base/memory.h"
#include "importers/common/align.h"
#include "importers/common/clock.h"
#include "importers/common/naming.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Resources that were declared: what has one name below one parent is one, where files are merged.
 */
typedef struct declared {
    oc_map of;
    oc_text key;
    bool merges;
    int64_t begin;
} declared;

static ocelotl_status declare(uint32_t *resource, declared *all, chrome_reader *reader,
                              uint32_t type, uint32_t parent, const char *name)
{
    *resource = OC_MAP_NONE;
    if (all->merges) {
        oc_text_clear(&all->key);
        oc_text_append(&all->key, (const char *)&parent, sizeof parent);
        oc_text_append(&all->key, (const char *)&type, sizeof type);
        oc_text_add(&all->key, name);
        if (all->key.failed)
            return oc_fail_memory();
        *resource = oc_map_get(&all->of, all->key.bytes, all->key.length);
    }
    if (*resource != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_resource(resource, reader->writer, type, parent, name, all->begin));
    return all->merges ? oc_map_set(&all->of, all->key.bytes, all->key.length, *resource)
                       : OCELOTL_OK;
}

/* --- Processes, threads, tracks */

/* Files are nodes where they are several, or say which rank they are of. */
static ocelotl_status declare_files(declared *all, chrome_reader *reader)
{
    oc_namings found;
    ocelotl_status status = oc_namings_begin(&found, reader->file_count);
    for (size_t i = 0; status == OCELOTL_OK && i < found.count; i++) {
        chrome_file *file = &reader->files[i];
        if (file->has_rank && asprintf(&file->rank_name, "rank %" PRId64, file->rank) < 0) {
            file->rank_name = NULL;
            status = oc_fail_memory();
        }
        const char *name = file->rank_name != NULL ? file->rank_name : file->node;
        found.named[i] = (oc_named){.id = name, .name = name, .label = file->node};
    }
    if (status == OCELOTL_OK)
        status = oc_namings_settle(&found);
    for (size_t i = 0; status == OCELOTL_OK && i < found.count; i++) {
        chrome_file *file = &reader->files[found.order[i]];
        file->resource = OCELOTL_ROOT;
        if (all->merges || (found.count == 1 && file->rank_name == NULL))
            continue;
        status = declare(&file->resource, all, reader, reader->file_type, OCELOTL_ROOT,
                         found.names[found.order[i]]);
    }
    for (size_t i = 0; status == OCELOTL_OK && found.count > 1 && i < found.count; i++)
        status = oc_align_tell(reader->writer, found.names[i], reader->align,
                               reader->files[i].shift, 1e6 * (double)reader->power);
    oc_namings_free(&found);
    return status;
}

static ocelotl_status note_process(chrome_reader *reader, const chrome_process *process)
{
    ocelotl_writer *writer = reader->writer;
    if (process->labels != NULL)
        OC_TRY(ocelotl_writer_resource_note(writer, process->resource, "labels", process->labels));
    if (process->name != NULL || process->labels != NULL)
        OC_TRY(ocelotl_writer_resource_note(writer, process->resource, "pid", process->id));
    for (size_t i = 0; i < process->note_count; i++) {
        for (char *sign = process->notes[i].name; (sign = strpbrk(sign, "=\n")) != NULL;)
            *sign = '-';
        for (char *end = process->notes[i].text; (end = strchr(end, '\n')) != NULL;)
            *end = ' ';
        OC_TRY(ocelotl_writer_resource_note(writer, process->resource, process->notes[i].name,
                                            process->notes[i].text));
    }
    return OCELOTL_OK;
}

static ocelotl_status declare_processes(declared *all, chrome_reader *reader)
{
    oc_namings found;
    ocelotl_status status = oc_namings_begin(&found, reader->process_count);
    for (size_t i = 0; status == OCELOTL_OK && i < found.count; i++) {
        const chrome_process *process = &reader->processes[i];
        const bool is_named = process->name != NULL && process->name[0] != '\0';
        const char *name = is_named ? process->name : process->labels;
        found.named[i] =
            (oc_named){process->file, process->id, name, process->labels, process->index};
    }
    if (status == OCELOTL_OK)
        status = oc_namings_settle(&found);
    for (size_t i = 0; status == OCELOTL_OK && i < found.count; i++) {
        chrome_process *process = &reader->processes[found.order[i]];
        status = declare(&process->resource, all, reader, reader->process_type,
                         reader->files[process->file].resource, found.names[found.order[i]]);
        if (status == OCELOTL_OK)
            status = note_process(reader, process);
        if (process->row != OCELOTL_NONE)
            reader->rows[process->row].resource = process->resource;
    }
    oc_namings_free(&found);
    return status;
}

static ocelotl_status declare_threads(declared *all, chrome_reader *reader)
{
    oc_namings found;
    ocelotl_status status = oc_namings_begin(&found, reader->thread_count);
    for (size_t i = 0; status == OCELOTL_OK && i < found.count; i++) {
        const chrome_thread *thread = &reader->threads[i];
        found.named[i] = (oc_named){thread->process, thread->id, thread->name, NULL, thread->index};
    }
    if (status == OCELOTL_OK)
        status = oc_namings_settle(&found);
    for (size_t i = 0; status == OCELOTL_OK && i < found.count; i++) {
        chrome_thread *thread = &reader->threads[found.order[i]];
        const chrome_process *process = &reader->processes[thread->process];
        status = declare(&thread->resource, all, reader, reader->thread_type, process->resource,
                         found.names[found.order[i]]);
        if (status == OCELOTL_OK && thread->name != NULL)
            status =
                ocelotl_writer_resource_note(reader->writer, thread->resource, "tid", thread->id);
        reader->rows[thread->row].resource = thread->resource;
    }
    oc_namings_free(&found);
    return status;
}

static ocelotl_status declare_tracks(declared *all, chrome_reader *reader)
{
    for (size_t i = 0; i < reader->track_count; i++) {
        chrome_track *track = &reader->tracks[i];
        chrome_process *process = &reader->processes[track->process];
        if (!process->has_async)
            OC_TRY(declare(&process->async, all, reader, reader->async_type, process->resource,
                           "async"));
        process->has_async = true;
        OC_TRY(declare(&track->resource, all, reader, reader->category_type, process->async,
                       track->category));
        reader->rows[track->row].resource = track->resource;
    }
    return OCELOTL_OK;
}

/* --- Clocks */

/* Shifts rows to the clock of the first file. */
static ocelotl_status shift_rows(chrome_reader *reader, oc_aligned *files)
{
    const int64_t per_second = 1000000 * reader->power;
    for (size_t i = 0; i < reader->file_count; i++) {
        const chrome_file *file = &reader->files[i];
        int64_t origin; /* nanoseconds: behind 2262 is no date */
        const bool fits = !__builtin_mul_overflow(file->zero, 1000, &origin) &&
                          !__builtin_add_overflow(file->base, origin, &origin);
        files[i] = (oc_aligned){.path = file->path,
                                .has_clock = fits && (file->has_base || file->zero != 0),
                                .origin = fits ? origin : 0};
    }
    for (uint32_t row = 0; row < reader->row_count; row++)
        oc_align_widen(&files[reader->row_files[row]], &reader->timelines, row);
    reader->align = reader->import->options->align;
    OC_TRY(oc_align(&reader->align, files, reader->file_count, per_second, reader->writer));
    for (uint32_t row = 0; row < reader->row_count; row++)
        reader->rows[row] = (oc_timelines_row){.resource = OCELOTL_NONE,
                                               .shift = files[reader->row_files[row]].shift,
                                               .file = reader->row_files[row]};
    for (size_t i = 0; i < reader->file_count; i++)
        reader->files[i].shift = files[i].shift;
    return OCELOTL_OK;
}

static ocelotl_status align(chrome_reader *reader)
{
    oc_aligned *files = NULL;
    if (reader->file_count > 1)
        OC_TRY(chrome_refine_to_nanoseconds(reader));
    OC_TRY(oc_allocate(&files, reader->file_count, sizeof *files));
    const ocelotl_status status = shift_rows(reader, files);
    free(files);
    return status;
}

static ocelotl_status declare_all(chrome_reader *reader, bool merges)
{
    declared all = {.merges = merges, .begin = INT64_MAX}; /* at the first tick of all */
    for (uint32_t row = 0; row < reader->row_count; row++) {
        int64_t begin;
        int64_t end;
        if (oc_timelines_bounds(&begin, &end, &reader->timelines, row) &&
            begin + reader->rows[row].shift < all.begin)
            all.begin = begin + reader->rows[row].shift;
    }
    if (all.begin == INT64_MAX)
        all.begin = 0;
    ocelotl_status status = declare_files(&all, reader);
    if (status == OCELOTL_OK)
        status = declare_processes(&all, reader);
    if (status == OCELOTL_OK)
        status = declare_threads(&all, reader);
    if (status == OCELOTL_OK)
        status = declare_tracks(&all, reader);
    oc_map_free(&all.of);
    oc_text_free(&all.key);
    return status;
}

/* Sees a record as oc_timelines_plan asks. */
static ocelotl_status see(void *context, const oc_sorted *record)
{
    OC_TRY(chrome_see_flow(context, record));
    return chrome_collectives_see(context, record);
}

static ocelotl_status link_all(void *context)
{
    OC_TRY(chrome_link_flows(context));
    return chrome_collectives_link(context);
}

/* Ends of threads are of one kind; those of what is asynchronous of one, or an older one. */
static ocelotl_status leave_out(void *context, const oc_sorted *end)
{
    chrome_reader *reader = context;
    static const unsigned char letters[2][2] = {{'E', 'E'}, {'e', 'F'}};
    for (size_t i = 0; i < 2; i++) {
        const uint32_t kind = reader->kind_of[letters[end->group != 0][i]];
        if (kind != 0 && reader->kinds.kinds[kind - 1].count > 0)
            return oc_kinds_leave_out(&reader->kinds, kind - 1, "it ends what did not begin");
    }
    return OCELOTL_OK;
}

ocelotl_status chrome_finish(chrome_reader *reader)
{
    const bool merges = reader->import->options->same_root && reader->file_count > 1;
    OC_TRY(oc_allocate(&reader->rows, reader->row_count, sizeof *reader->rows));
    OC_TRY(align(reader));
    OC_TRY(declare_all(reader, merges));
    const oc_timelines_plan plan = {.rows = reader->rows,
                                    .row_count = reader->row_count,
                                    .merges = merges,
                                    .lane_type = reader->lane_type,
                                    .files = reader->paths,
                                    .see = see,
                                    .seen = link_all,
                                    .left_out = leave_out,
                                    .of_end = chrome_name_of_end,
                                    .context = reader};
    return oc_timelines_write(&reader->timelines, &plan);
}
