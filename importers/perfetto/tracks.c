/* Where events happen: processes with their threads, and tracks in any of them, as the file tells
 * of them before or after. */
#include "base/memory.h"
#include "importers/perfetto/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 64 };

/* What tells rows of one kind from those of others. */
enum { PROCESS_ROW, CPUS_ROW, CPU_ROW, ASYNC_ROW, CATEGORY_ROW, COUNTERS_ROW };

static ocelotl_status keep(const char **kept, perfetto_reader *reader, const oc_field *text)
{
    if (text->length > 0 && (*kept == NULL || strlen(*kept) != text->length ||
                             memcmp(*kept, text->bytes, text->length) != 0))
        *kept = oc_arena_copy_bytes(&reader->ingest.arena, text->bytes, text->length);
    return oc_arena_status(&reader->ingest.arena);
}

static ocelotl_status find_row(uint32_t *row, perfetto_reader *reader, uint32_t parent,
                               uint32_t kind, const char *type, const char *id)
{
    OC_TRY(oc_ingest_row_find(row, &reader->ingest, parent, kind, id, strlen(id)));
    reader->ingest.rows[*row].type_name = type;
    return OCELOTL_OK;
}

/* --- Threads and processes */

ocelotl_status perfetto_find_thread(uint32_t *thread, perfetto_reader *reader, int64_t number,
                                    int64_t process, const oc_field *name)
{
    OC_TRY(perfetto_number(thread, reader, OF_THREAD, 0, (uint64_t)number, reader->thread_count));
    if (*thread == OC_MAP_NONE) {
        OC_TRY(oc_grow(&reader->threads, &reader->thread_capacity, reader->thread_count + 1,
                       sizeof *reader->threads));
        *thread = (uint32_t)reader->thread_count;
        reader->threads[reader->thread_count++] =
            (perfetto_thread){.number = number, .process = -1, .row = OCELOTL_NONE};
    }
    perfetto_thread *found = &reader->threads[*thread];
    found->process = process >= 0 ? process : found->process;
    return name != NULL ? keep(&found->name, reader, name) : OCELOTL_OK;
}

ocelotl_status perfetto_thread_row(uint32_t *row, perfetto_reader *reader, uint32_t number)
{
    char id[24];
    perfetto_thread *thread = &reader->threads[number];
    if (thread->row == OCELOTL_NONE) {
        const size_t length = oc_print_signed(id, thread->number);
        OC_TRY(oc_ingest_row_add(&thread->row, &reader->ingest, reader->ingest.file_row, 0, id,
                                 length));
        reader->ingest.rows[thread->row].type_name = "Thread";
        reader->ingest.rows[thread->row].detail = (int64_t)number + 1;
    }
    *row = thread->row;
    return OCELOTL_OK;
}

ocelotl_status perfetto_process_row(uint32_t *row, perfetto_reader *reader, int64_t process)
{
    char id[24];
    oc_print_signed(id, process);
    return find_row(row, reader, OCELOTL_NONE, PROCESS_ROW, "Process", id);
}

ocelotl_status perfetto_cpu_row(uint32_t *row, perfetto_reader *reader, uint32_t cpu)
{
    char id[24];
    uint32_t around;
    uint32_t *known = &reader->cpu_rows[cpu];
    *row = *known - 1;
    if (*known != 0)
        return OCELOTL_OK;
    OC_TRY(find_row(&around, reader, OCELOTL_NONE, CPUS_ROW, "CPUs", "CPUs"));
    reader->ingest.rows[around].order = INT64_MIN;
    snprintf(id, sizeof id, "CPU %" PRIu32, cpu);
    OC_TRY(find_row(row, reader, around, CPU_ROW, "CPU", id));
    *known = *row + 1;
    return OCELOTL_OK;
}

ocelotl_status perfetto_async_row(uint32_t *row, perfetto_reader *reader, uint32_t process,
                                  const char *category)
{
    OC_TRY(find_row(row, reader, process, ASYNC_ROW, "Async", "async"));
    reader->ingest.rows[*row].order = INT64_MAX;
    return find_row(row, reader, *row, CATEGORY_ROW, "Category",
                    category[0] != '\0' ? category : "(no category)");
}

/* --- Tracks */

ocelotl_status perfetto_find_track(uint32_t *track, perfetto_reader *reader, uint64_t uuid)
{
    OC_TRY(perfetto_number(track, reader, OF_TRACK, 0, uuid, reader->track_count));
    if (*track != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&reader->tracks, &reader->track_capacity, reader->track_count + 1,
                   sizeof *reader->tracks));
    *track = (uint32_t)reader->track_count;
    reader->tracks[reader->track_count++] =
        (perfetto_track){.uuid = uuid, .row = OCELOTL_NONE, .multiplier = 1};
    return OCELOTL_OK;
}

static ocelotl_status find_row_of(uint32_t *row, perfetto_reader *reader, uint32_t number,
                                  int depth);

/* The row around a track; counters without one have a row of their own. */
static ocelotl_status find_around(uint32_t *row, perfetto_reader *reader, uint32_t number,
                                  int depth)
{
    uint32_t parent;
    const perfetto_track *track = &reader->tracks[number];
    const bool is_counter = track->place == PERFETTO_COUNTER;
    *row = reader->ingest.file_row;
    if (track->parent == 0 || depth == DEEPEST)
        return is_counter ? find_row(row, reader, OCELOTL_NONE, COUNTERS_ROW, "Track", "counters")
                          : OCELOTL_OK;
    OC_TRY(perfetto_find_track(&parent, reader, track->parent));
    return find_row_of(row, reader, parent, depth + 1);
}

static ocelotl_status name_track(perfetto_reader *reader, const perfetto_track *track)
{
    oc_ingest_row *row = &reader->ingest.rows[track->row];
    row->order = track->order;
    return track->name != NULL ? oc_ingest_row_name(&reader->ingest, track->row, track->name)
                               : OCELOTL_OK;
}

static ocelotl_status find_row_of(uint32_t *row, perfetto_reader *reader, uint32_t number,
                                  int depth)
{
    char id[32];
    perfetto_track *track = &reader->tracks[number];
    *row = track->row;
    if (*row != OCELOTL_NONE)
        return OCELOTL_OK;
    if (track->place == PERFETTO_THREAD)
        return perfetto_thread_row(row, reader, track->thread);
    if (track->place == PERFETTO_PROCESS)
        return perfetto_process_row(row, reader, track->process);
    track->row = reader->ingest.file_row; /* where it is around itself */
    OC_TRY(find_around(row, reader, number, depth));
    track = &reader->tracks[number];
    if (track->place != PERFETTO_COUNTER) {
        snprintf(id, sizeof id, "track %" PRIu64, track->uuid);
        OC_TRY(oc_ingest_row_add(row, &reader->ingest, *row, 0, id, strlen(id)));
        reader->ingest.rows[*row].type_name = "Track";
    }
    track->row = *row;
    if (!track->is_known && track->uuid != 0)
        oc_ingest_note(&reader->ingest, PERFETTO_TRACK_UNKNOWN);
    return track->place != PERFETTO_COUNTER ? name_track(reader, track) : OCELOTL_OK;
}

ocelotl_status perfetto_track_row(uint32_t *row, perfetto_reader *reader, uint32_t track)
{
    return find_row_of(row, reader, track, 0);
}

/* Puts a row where it belongs that was made before its track was known. */
static ocelotl_status move_track(perfetto_reader *reader, uint32_t number)
{
    uint32_t around;
    perfetto_track *track = &reader->tracks[number];
    const uint32_t row = track->row;
    if (track->place == PERFETTO_PROCESS)
        return track->name != NULL ? name_track(reader, track) : OCELOTL_OK;
    if (track->place == PERFETTO_THREAD)
        OC_TRY(perfetto_process_row(&around, reader, reader->threads[track->thread].process));
    else
        OC_TRY(find_around(&around, reader, number, 0));
    oc_ingest_row *rows = reader->ingest.rows;
    for (uint32_t above = around; above != OCELOTL_NONE; above = rows[above].parent)
        if (above == row) {
            oc_ingest_note(&reader->ingest, PERFETTO_TRACK_CIRCLE);
            around = rows[row].parent;
            break;
        }
    rows[row].parent = around;
    return name_track(reader, &reader->tracks[number]);
}

static ocelotl_status take_counter(perfetto_track *track, perfetto_reader *reader,
                                   oc_bytes_reader counter)
{
    static const char *const units[] = {NULL, "ns", "count", "bytes"};
    static const unsigned char numbers[] = {3, 4, 5, 6, 0};
    enum { UNIT, MULTIPLIER, IS_INCREMENTAL, UNIT_NAME, FIELDS };
    oc_field of[FIELDS];
    OC_TRY(oc_fields_read(of, numbers, counter, "counter"));
    track->unit = units[of[UNIT].value < 4 ? of[UNIT].value : 0];
    track->multiplier = of[MULTIPLIER].value > 0 ? (int64_t)of[MULTIPLIER].value : 1;
    track->is_incremental = of[IS_INCREMENTAL].value != 0;
    return keep(&track->unit, reader, &of[UNIT_NAME]);
}

/* Names a process as it was called, without its folder, unless it has a name already. */
static ocelotl_status name_process(perfetto_reader *reader, int64_t process, const oc_field *name)
{
    uint32_t row;
    const char *text = NULL;
    OC_TRY(perfetto_process_row(&row, reader, process));
    if (name->length == 0 || reader->ingest.rows[row].name != NULL)
        return OCELOTL_OK;
    OC_TRY(keep(&text, reader, name));
    if (text[0] == '\0')
        return OCELOTL_OK;
    const char *slash = text[0] == '/' ? strrchr(text, '/') : NULL;
    return oc_ingest_row_name(&reader->ingest, row,
                              slash != NULL && slash[1] != '\0' ? slash + 1 : text);
}

/* The first field of a number, as of a command line its program; empty where there is none. */
static oc_field find_first(oc_bytes_reader message, uint32_t number)
{
    oc_field field;
    while (oc_field_next(&field, &message))
        if (field.number == number)
            return field;
    return (oc_field){.bytes = ""};
}

/* A process as a descriptor has it. */
ocelotl_status perfetto_take_process(int64_t *process, perfetto_reader *reader,
                                     oc_bytes_reader message)
{
    static const unsigned char numbers[] = {1, 6, 0};
    enum { PROCESS, NAME, FIELDS };
    oc_field of[FIELDS];
    const oc_field command = find_first(message, 2);
    OC_TRY(oc_fields_read(of, numbers, message, "process"));
    *process = (int64_t)of[PROCESS].value;
    return name_process(reader, *process, of[NAME].length > 0 ? &of[NAME] : &command);
}

/* The same of a thread; the older one is that of its sequence, which counts microseconds from a
 * time. */
ocelotl_status perfetto_take_thread(uint32_t *thread, int64_t *reference, perfetto_reader *reader,
                                    oc_bytes_reader message)
{
    static const unsigned char numbers[] = {1, 2, 5, 6, 0};
    enum { PROCESS, THREAD, NAME, REFERENCE, FIELDS };
    oc_field of[FIELDS];
    OC_TRY(oc_fields_read(of, numbers, message, "thread"));
    *reference = (int64_t)of[REFERENCE].value;
    return perfetto_find_thread(thread, reader, (int64_t)of[THREAD].value,
                                of[PROCESS].number != 0 ? (int64_t)of[PROCESS].value : -1,
                                &of[NAME]);
}

ocelotl_status perfetto_take_tree(perfetto_reader *reader, oc_bytes_reader tree)
{
    static const unsigned char numbers[] = {1, 2, 3, 0};
    oc_field field, command, of[3];
    uint32_t thread;
    while (oc_field_next(&field, &tree)) {
        if (field.number > 2)
            continue;
        OC_TRY(oc_fields_read(of, numbers, oc_field_message(&field), "process or thread"));
        const int64_t number = (int64_t)of[0].value;
        const int64_t process = field.number == 1 ? number : (int64_t)of[2].value;
        command = find_first(oc_field_message(&field), 3);
        if (field.number == 1)
            OC_TRY(name_process(reader, process, &command));
        OC_TRY(perfetto_find_thread(&thread, reader, number, process,
                                    field.number == 1 ? NULL : &of[1]));
    }
    return oc_fields_check(&tree, "process_tree");
}

ocelotl_status perfetto_take_descriptor(perfetto_reader *reader, oc_bytes_reader descriptor)
{
    static const unsigned char numbers[] = {1, 2, 3, 4, 5, 8, 10, 12, 13, 0};
    enum { UUID, NAME, PROCESS, THREAD, PARENT, COUNTER, STATIC_NAME, ORDER, ATRACE_NAME, FIELDS };
    oc_field of[FIELDS];
    uint32_t number;
    int64_t reference;
    OC_TRY(oc_fields_read(of, numbers, descriptor, "track_descriptor"));
    OC_TRY(perfetto_find_track(&number, reader, of[UUID].value));
    perfetto_track *track = &reader->tracks[number];
    track->parent = of[PARENT].value != of[UUID].value ? of[PARENT].value : 0;
    track->order = (int64_t)of[ORDER].value;
    track->is_known = true;
    OC_TRY(keep(&track->name, reader,
                &of[of[NAME].length > 0          ? NAME
                    : of[STATIC_NAME].length > 0 ? STATIC_NAME
                                                 : ATRACE_NAME]));
    if (of[COUNTER].number != 0) {
        track->place = PERFETTO_COUNTER;
        return take_counter(track, reader, oc_field_message(&of[COUNTER]));
    }
    if (of[THREAD].number != 0) {
        OC_TRY(perfetto_take_thread(&track->thread, &reference, reader,
                                    oc_field_message(&of[THREAD])));
        track->place = PERFETTO_THREAD;
    } else if (of[PROCESS].number != 0) {
        OC_TRY(perfetto_take_process(&track->process, reader, oc_field_message(&of[PROCESS])));
        track->place = PERFETTO_PROCESS;
    }
    return track->row != OCELOTL_NONE ? move_track(reader, number) : OCELOTL_OK;
}

/* The process of a thread that none is known of is called as the thread. */
ocelotl_status perfetto_end_tracks(perfetto_reader *reader)
{
    oc_ingest *ingest = &reader->ingest;
    for (size_t i = 0; i < reader->thread_count; i++) {
        uint32_t process;
        const perfetto_thread *thread = &reader->threads[i];
        if (thread->row == OCELOTL_NONE)
            continue;
        if (thread->name != NULL)
            OC_TRY(oc_ingest_row_name(ingest, thread->row, thread->name));
        if (thread->process >= 0)
            OC_TRY(perfetto_process_row(&process, reader, thread->process));
        else
            OC_TRY(find_row(&process, reader, OCELOTL_NONE, PROCESS_ROW, "Process",
                            thread->name != NULL ? thread->name : ingest->rows[thread->row].id));
        ingest->rows[thread->row].parent = process;
        if (thread->number == thread->process) {
            ingest->rows[thread->row].order = -1; /* the main one is the first */
            if (ingest->rows[process].name == NULL && thread->name != NULL)
                OC_TRY(oc_ingest_row_name(ingest, process, thread->name));
        }
    }
    /* what is in a row is in those around it, which may have been made behind it */
    for (uint32_t i = 0; i < ingest->row_count; i++)
        for (uint32_t row = i; ingest->rows[i].has_content && row != OCELOTL_NONE;
             row = ingest->rows[row].parent) {
            oc_ingest_row_see(ingest, row, ingest->rows[i].first);
            oc_ingest_row_see(ingest, row, ingest->rows[i].last);
        }
    return OCELOTL_OK;
}
