/* The end of logs: resources, and what happens in them. */
#include "importers/gstreamer/reader.h"

#include "base/memory.h"
#include "importers/common/naming.h"

#include <stdlib.h>

/* --- Resources */

/* The row whose life counts: a row inside a thread lives as long as the thread. */
static const gstreamer_row *life_of(const gstreamer_reader *reader, size_t row)
{
    const gstreamer_row *one = &reader->rows[row];
    while (one->place >= GSTREAMER_CATEGORY)
        one = &reader->rows[one->parent];
    return one;
}

static ocelotl_status declare_row(gstreamer_reader *reader, size_t number)
{
    gstreamer_row *row = &reader->rows[number];
    const gstreamer_row *life = life_of(reader, number);
    const bool inside = row->parent != OCELOTL_NONE;
    row->id = OCELOTL_NONE;
    if (!life->is_used)
        return OCELOTL_OK;
    return ocelotl_writer_resource(&row->id, reader->writer, reader->resource_types[row->place],
                                   inside ? reader->rows[row->parent].id : OCELOTL_ROOT, row->name,
                                   life->begin);
}

/* Processes are in the order of their numbers, all else as it was first seen. */
static ocelotl_status declare_processes(gstreamer_reader *reader)
{
    oc_named *named = NULL;
    uint32_t *rows = NULL;
    uint32_t *order = NULL;
    size_t count = 0;
    ocelotl_status status = oc_allocate(&named, reader->process_count, sizeof *named);
    if (status == OCELOTL_OK)
        status = oc_allocate(&rows, reader->process_count, sizeof *rows);
    if (status == OCELOTL_OK)
        status = oc_allocate(&order, reader->process_count, sizeof *order);
    for (size_t i = 0; status == OCELOTL_OK && i < reader->row_count; i++) {
        if (reader->rows[i].place != GSTREAMER_PROCESS)
            continue;
        named[count] = (oc_named){.parent = reader->rows[i].parent, .id = reader->rows[i].name};
        rows[count++] = (uint32_t)i;
    }
    if (status == OCELOTL_OK)
        status = oc_naming_order(order, named, count);
    for (size_t i = 0; status == OCELOTL_OK && i < count; i++)
        status = declare_row(reader, rows[order[i]]);
    free(named);
    free(rows);
    free(order);
    return status;
}

/* A row is behind what it is inside. */
static ocelotl_status declare_rows(gstreamer_reader *reader)
{
    for (size_t i = 0; i < reader->row_count; i++)
        if (reader->rows[i].place == GSTREAMER_FILE)
            OC_TRY(declare_row(reader, i));
    OC_TRY(declare_processes(reader));
    for (size_t i = 0; i < reader->row_count; i++)
        if (reader->rows[i].place > GSTREAMER_PROCESS)
            OC_TRY(declare_row(reader, i));
    return OCELOTL_OK;
}

/* --- What happens */

/* The state that is open in a thread, which its next message ends. */
typedef struct open_state {
    uint32_t row; /* the thread, or OCELOTL_NONE */
    uint32_t stream;
    int64_t time;
} open_state;

static ocelotl_status end_state(const gstreamer_reader *reader, open_state *open, int64_t time)
{
    if (open->row == OCELOTL_NONE)
        return OCELOTL_OK;
    open->row = OCELOTL_NONE;
    return ocelotl_writer_stream_pop(reader->writer, open->stream, time, NULL, 0);
}

static ocelotl_status write_record(gstreamer_reader *reader, open_state *open,
                                   const oc_sorted *record)
{
    const uint32_t id = reader->rows[record->stream].id;
    if (record->kind == OC_SORTED_VARIABLE)
        return ocelotl_writer_variable(reader->writer, id, record->type, record->time,
                                       record->number, NULL, 0);
    if (record->kind == OC_SORTED_INSTANT)
        return ocelotl_writer_event(reader->writer, id, record->type, record->value, record->time,
                                    record->attributes, record->attribute_count);
    gstreamer_row *row = &reader->rows[record->detail]; /* a message: where its state goes */
    OC_TRY(end_state(reader, open, record->time));
    if (row->stream == OCELOTL_NONE)
        OC_TRY(ocelotl_writer_stream(&row->stream, reader->writer, row->id, reader->state_type,
                                     OCELOTL_ROLE_STATES));
    *open = (open_state){record->stream, row->stream, record->time};
    return ocelotl_writer_stream_push(reader->writer, row->stream, record->value, record->time,
                                      record->attributes, record->attribute_count);
}

/* Nobody knows how long the last state of a thread lasts: it takes no time. */
static ocelotl_status write_records(gstreamer_reader *reader)
{
    const oc_sorted *record;
    open_state open = {.row = OCELOTL_NONE};
    OC_TRY(oc_sorting_finish(reader->records));
    for (;;) {
        OC_TRY(oc_sorting_next(&record, reader->records));
        if (record == NULL || record->stream != open.row)
            OC_TRY(end_state(reader, &open, open.time));
        if (record == NULL)
            return OCELOTL_OK;
        OC_TRY(write_record(reader, &open, record));
    }
}

ocelotl_status gstreamer_write(gstreamer_reader *reader)
{
    OC_TRY(declare_rows(reader));
    OC_TRY(write_records(reader));
    for (size_t i = 0; i < reader->row_count; i++)
        if (reader->rows[i].id != OCELOTL_NONE)
            OC_TRY(ocelotl_writer_resource_end(reader->writer, reader->rows[i].id,
                                               life_of(reader, i)->end));
    OC_TRY(oc_oddities_finish(&reader->oddities));
    OC_TRY(oc_kinds_finish(&reader->kinds, reader->writer));
    return ocelotl_writer_finish(reader->writer);
}
