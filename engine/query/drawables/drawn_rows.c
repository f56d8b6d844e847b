/* Draws rows and links one after the other. Threads take them as they come. */
#include "query/drawables/drawables.h"

#include "base/memory.h"
#include "store/read/team.h"

#include <stdlib.h>

/* Below so many chunks another connection to the file costs more than it saves. */
static const uint64_t chunks_per_thread = 200;
static const uint64_t records_per_chunk = 1024;

/* Whether something of a stream can touch the window. */
static bool can_touch(const oc_drawing *drawing, const oc_stream *stream)
{
    const int64_t lives_until = drawing->trace->resources[stream->resource].end;
    const bool late = stream->role == OC_ROLE_VARIABLE && lives_until > stream->end;
    /* A link that outlives its source is noted at the source's end. */
    if (stream->role == OC_ROLE_LINKS_OUT)
        return stream->begin <= drawing->cells.to;
    if (stream->role == OC_ROLE_LINKS_IN)
        return drawing->trace->event_types[stream->event_type].unmatched > 0 &&
               stream->end >= drawing->cells.from;
    return stream->begin <= drawing->cells.to &&
           (late ? lives_until : stream->end) >= drawing->cells.from;
}

static ocelotl_status draw_stream(oc_drawing *drawing)
{
    switch (drawing->stream->role) {
    case OC_ROLE_EVENTS:
        return oc_draw_instants(drawing);
    case OC_ROLE_STATES:
    case OC_ROLE_LINKS_OUT:
        return oc_draw_intervals(drawing);
    case OC_ROLE_VARIABLE:
        return oc_draw_steps(drawing);
    case OC_ROLE_LINKS_IN:
        return oc_draw_orphans(drawing);
    }
    return oc_fail(OCELOTL_ERROR_INTERNAL, "a stream without a role");
}

static ocelotl_status draw(oc_drawing *drawing, uint32_t stream)
{
    drawing->stream = &drawing->trace->streams[stream];
    drawing->index = stream;
    const oc_filter *filter = &drawing->made->filter;
    drawing->read = oc_filter_reads(filter, drawing->trace, drawing->stream->event_type);
    drawing->filtered = drawing->read || oc_filter_divides(filter, drawing->stream->event_type);
    return can_touch(drawing, drawing->stream) ? draw_stream(drawing) : OCELOTL_OK;
}

static ocelotl_status draw_row(oc_drawing *drawing, uint32_t index)
{
    oc_drawn_row *row = &drawing->made->rows[index];
    if (row->stream == OCELOTL_NONE)
        return OCELOTL_OK;
    drawing->row = index;
    row->pool = (uint32_t)(drawing->pool - drawing->made->pools);
    row->first = drawing->pool->object_count;
    OC_TRY(draw(drawing, row->stream));
    return oc_drawing_end_row(drawing);
}

static ocelotl_status draw_links(oc_drawing *drawing, uint32_t index)
{
    const oc_stream *stream = &drawing->trace->streams[index];
    if (!oc_is_of_links(stream) || !oc_drawing_wants(drawing, stream) ||
        drawing->row_of_resource[stream->resource] == OCELOTL_NONE)
        return OCELOTL_OK;
    OC_TRY(draw(drawing, index));
    return oc_drawing_end_links(drawing);
}

/* --- Threads */

static ocelotl_status draw_some(oc_drawing *drawing, const oc_team_member *member)
{
    const size_t rows = drawing->made->row_count;
    size_t item; /* rows, then streams of links */
    while (oc_team_next(&item, member))
        OC_TRY(item < rows ? draw_row(drawing, (uint32_t)item)
                           : draw_links(drawing, (uint32_t)(item - rows)));
    return OCELOTL_OK;
}

static void free_own(oc_drawing *drawing)
{
    oc_walk_free(&drawing->walk);
    for (size_t i = 0; i < drawing->merge_capacity; i++)
        free(drawing->merges[i].shares);
    free(drawing->merges);
    free(drawing->busy);
    free(drawing->old);
    free(drawing->before);
    free(drawing->links);
}

static ocelotl_status draw_by_thread(void *context, const oc_team_member *member)
{
    oc_drawing drawing = *(const oc_drawing *)context;
    drawing.walk.reader.connection = member->connection;
    drawing.pool = &drawing.made->pools[member->thread];
    const ocelotl_status status = oc_fail_in_trace(drawing.trace, draw_some(&drawing, member));
    free_own(&drawing);
    return status;
}

static int choose_threads(const oc_drawing *drawing)
{
    const ocelotl_trace *trace = drawing->trace;
    uint64_t chunks = 0;
    for (uint32_t s = 0; s < trace->stream_count; s++)
        if (oc_drawing_wants(drawing, &trace->streams[s]))
            chunks += trace->streams[s].count / records_per_chunk + 1;
    return oc_team_threads(chunks, chunks_per_thread);
}

ocelotl_status oc_drawing_draw(oc_drawing *drawing)
{
    ocelotl_drawables *made = drawing->made;
    const int threads = choose_threads(drawing);
    OC_TRY(oc_allocate(&made->pools, (size_t)threads, sizeof *made->pools));
    made->pool_count = (uint32_t)threads;
    OC_TRY(oc_team_do(made->trace, threads, made->row_count + drawing->trace->stream_count,
                      draw_by_thread, drawing));
    for (size_t r = 0; r < made->row_count; r++)
        made->info.lanes += made->rows[r].lanes;
    return oc_drawing_join_links(drawing);
}
