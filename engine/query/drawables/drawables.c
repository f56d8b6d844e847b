/* Finds the rows of a chart, has threads draw one after the other, and answers questions about
 * them. */
#include "query/drawables/drawables.h"

#include "base/machine.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/options.h"
#include "store/read/team.h"
#include "store/select/groups.h"
#include "store/select/resources.h"
#include "store/trace/trace.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

/* With fewer chunks a thread, another connection to the file costs more than it saves. */
static const uint64_t chunks_per_thread = 200;
static const uint64_t records_per_chunk = 1024;

/* Whether something of a stream can touch the window. */
static bool can_touch(const oc_drawing *drawing, const oc_stream *stream)
{
    const int64_t lives_until = drawing->trace->resources[stream->resource].end;
    const bool late = stream->role == OC_ROLE_VARIABLE && lives_until > stream->end;
    /* A link that outlives its source is noted at the source's end. */
    if (stream->role == OC_ROLE_LINKS_OUT)
        return stream->begin <= drawing->cells.last;
    if (stream->role == OC_ROLE_LINKS_IN)
        return drawing->trace->event_types[stream->event_type].unmatched > 0 &&
               stream->end >= drawing->cells.from;
    return stream->begin <= drawing->cells.last &&
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
    drawing->described = drawing->with_attributes &&
                         drawing->made->catalogue.attributes[drawing->stream->event_type].count > 0;
    drawing->walk.carries = drawing->described;
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
    while (oc_team_next(&item, member)) {
        if (member->thread == 0)
            drawing->watch->done = item;
        OC_TRY(oc_reader_ask(&drawing->walk.reader));
        OC_TRY(item < rows ? draw_row(drawing, (uint32_t)item)
                           : draw_links(drawing, (uint32_t)(item - rows)));
    }
    return OCELOTL_OK;
}

static ocelotl_status draw_by_thread(void *context, const oc_team_member *member)
{
    oc_drawing drawing = *(const oc_drawing *)context;
    drawing.walk.reader.connection = member->connection;
    drawing.walk.reader.watch = drawing.watch;
    drawing.walk.reader.asks = member->thread == 0;
    drawing.pool = &drawing.made->pools[member->thread];
    const ocelotl_status status = oc_fail_in_trace(drawing.trace, draw_some(&drawing, member));
    oc_walk_free(&drawing.walk);
    for (size_t i = 0; i < drawing.merge_capacity; i++) {
        free(drawing.merges[i].shares);
        free(drawing.merges[i].object.attributes);
    }
    for (size_t i = 0; i < drawing.link_count; i++)
        free((char *)drawing.links[i].link.attributes);
    oc_carrying_free(&drawing.carrying);
    free(drawing.merges);
    free(drawing.busy);
    free(drawing.old);
    free(drawing.before);
    free(drawing.links);
    return status;
}

static int choose_threads(const oc_drawing *drawing)
{
    const ocelotl_trace *trace = drawing->trace;
    uint64_t chunks = 0;
    for (uint32_t s = 0; s < trace->stream_count; s++)
        if (oc_drawing_wants(drawing, &trace->streams[s]))
            chunks += trace->streams[s].count / records_per_chunk + 1;
    return oc_team_threads(chunks, chunks_per_thread, drawing->watch->work.threads);
}

/* Draws all rows and links, by several threads where that is worth it. */
static ocelotl_status draw_all(oc_drawing *drawing)
{
    ocelotl_drawables *made = drawing->made;
    const int threads = choose_threads(drawing);
    OC_TRY(oc_allocate(&made->pools, (size_t)threads, sizeof *made->pools));
    made->pool_count = (uint32_t)threads;
    drawing->watch->total = made->row_count + drawing->trace->stream_count;
    OC_TRY(oc_team_do(made->trace, threads, drawing->watch->total, draw_by_thread, drawing));
    for (size_t r = 0; r < made->row_count; r++)
        made->info.lanes += made->rows[r].lanes;
    return oc_drawing_join_links(drawing);
}

/* --- Rows */

static ocelotl_status find_depths(ocelotl_drawables *made)
{
    const ocelotl_trace *trace = made->trace;
    OC_TRY(oc_allocate(&made->depths, trace->resource_count, sizeof *made->depths));
    for (uint32_t r = 0; r < trace->resource_count; r++)
        if (trace->resources[r].parent != OCELOTL_ROOT)
            made->depths[r] = made->depths[trace->resources[r].parent] + 1;
    return OCELOTL_OK;
}

/* A row on its way to its place. */
typedef struct placed_row {
    uint32_t place, kind, order; /* the order is of those that share a row */
    oc_drawn_row row;
} placed_row;

static int compare_rows(const void *left, const void *right)
{
    const placed_row *a = left;
    const placed_row *b = right;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->row.event_type != b->row.event_type)
        return a->row.event_type < b->row.event_type ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

/* Ranks the kinds of rows: states come first, and links make a row only if nothing else does. */
static uint32_t kind_of(oc_role role)
{
    switch (role) {
    case OC_ROLE_STATES:
        return 0;
    case OC_ROLE_EVENTS:
        return 1;
    case OC_ROLE_VARIABLE:
        return 2;
    case OC_ROLE_LINKS_OUT:
    case OC_ROLE_LINKS_IN:
        break;
    }
    return 3;
}

/* What a row is called in any trace: the path of its resource and its event type. */
static ocelotl_status name_row(oc_text *name, const char *path, const ocelotl_trace *trace,
                               uint32_t event_type)
{
    oc_text_clear(name);
    oc_text_add(name, event_type != OCELOTL_NONE ? trace->event_types[event_type].name : "");
    oc_text_append(name, "", 1);
    oc_text_add(name, path);
    return name->failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status list_names(oc_map *names, oc_text *name, const ocelotl_drawables *like)
{
    for (size_t r = 0; r < like->row_count; r++) {
        const oc_drawn_row *row = &like->rows[r];
        OC_TRY(name_row(name, like->paths.of[row->resource], like->trace, row->event_type));
        OC_TRY(oc_map_set(names, name->bytes, name->length, (uint32_t)r));
    }
    return OCELOTL_OK;
}

static ocelotl_status keep_named(oc_drawing *drawing, const oc_map *names, oc_text *name,
                                 placed_row *placed, size_t *count)
{
    ocelotl_drawables *made = drawing->made;
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        const oc_drawn_row *row = &placed[i].row;
        OC_TRY(oc_path_keep(&made->paths, &made->catalogue.paths, row->resource));
        OC_TRY(name_row(name, made->paths.of[row->resource], made->trace, row->event_type));
        const bool known = oc_map_get(names, name->bytes, name->length) != OC_MAP_NONE;
        made->info.rows_left_out += !known && placed[i].kind < 3;
        if (known)
            placed[kept++] = placed[i];
    }
    *count = kept;
    return OCELOTL_OK;
}

/* Drops the rows that other drawables have not. */
static ocelotl_status keep_like(oc_drawing *drawing, placed_row *placed, size_t *count)
{
    oc_map names = {0};
    oc_text name = {0};
    if (drawing->like == NULL)
        return OCELOTL_OK;
    ocelotl_status status = list_names(&names, &name, drawing->like);
    if (status == OCELOTL_OK)
        status = keep_named(drawing, &names, &name, placed, count);
    oc_map_free(&names);
    oc_text_free(&name);
    return status;
}

static ocelotl_status take_rows(oc_drawing *drawing, const placed_row *placed, size_t count,
                                uint32_t most)
{
    ocelotl_drawables *made = drawing->made;
    for (size_t i = 0; i < count; i++) {
        const uint32_t resource = placed[i].row.resource;
        const bool first = i == 0 || placed[i - 1].place != placed[i].place;
        const bool follows = i > 0 && placed[i - 1].row.resource == resource;
        uint32_t *known = &drawing->row_of_resource[resource];
        if (placed[i].kind == 3 && (follows || *known != OCELOTL_NONE))
            continue;
        if (most > 0 && made->row_count >= most) {
            made->info.rows_left_out++;
            continue;
        }
        OC_TRY(oc_path_keep(&made->paths, &made->catalogue.paths, resource));
        OC_TRY(oc_grow(&made->rows, &made->row_capacity, made->row_count + 1, sizeof *made->rows));
        oc_drawn_row *row = &made->rows[made->row_count];
        *row = placed[i].row;
        if (drawing->places != NULL)
            row->room = first ? resource : row[-1].room;
        if (row->room != OCELOTL_NONE)
            OC_TRY(oc_path_keep(&made->paths, &made->catalogue.paths, row->room));
        if (*known == OCELOTL_NONE)
            *known = (uint32_t)made->row_count;
        made->row_count++;
    }
    return OCELOTL_OK;
}

/* Finds the groups that share rows; none where each resource has its own. */
static ocelotl_status find_rooms(oc_groups *groups, oc_drawing *drawing)
{
    bool *used = NULL;
    if (drawing->at == NULL)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&used, drawing->trace->resource_count, sizeof *used));
    for (uint32_t s = 0; s < drawing->trace->stream_count; s++)
        if (oc_drawing_wants(drawing, &drawing->trace->streams[s]))
            used[drawing->trace->streams[s].resource] = true;
    const oc_group_request asked = {drawing->trace, used, drawing->resources, drawing->at};
    const ocelotl_status status = oc_groups_find(groups, &asked);
    drawing->made->info.together = true;
    free(used);
    return status;
}

static ocelotl_status place_rows(oc_drawing *drawing, placed_row *placed, const uint32_t *places,
                                 const oc_groups *groups, uint32_t most)
{
    const ocelotl_trace *trace = drawing->trace;
    size_t count = 0;
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        const oc_stream *stream = &trace->streams[s];
        if (!oc_drawing_wants(drawing, stream))
            continue;
        const uint32_t resource = stream->resource;
        const uint32_t group = groups->count > 0 ? groups->group_of[resource] : 0;
        const uint32_t room = group < groups->count ? groups->resources[group] : resource;
        placed_row *row = &placed[count++];
        *row = (placed_row){.place = drawing->places != NULL ? drawing->places[resource]
                                     : room != OCELOTL_NONE  ? places[room]
                                                             : 0,
                            .kind = kind_of(stream->role),
                            .order = places[resource],
                            .row = {.resource = resource,
                                    .event_type = OCELOTL_NONE,
                                    .stream = OCELOTL_NONE,
                                    .lanes = 1,
                                    .room = room}};
        if (row->kind < 3)
            row->row.event_type = stream->event_type;
        if (row->kind < 3)
            row->row.stream = s;
    }
    if (count > 1)
        qsort(placed, count, sizeof *placed, compare_rows);
    OC_TRY(keep_like(drawing, placed, &count));
    return take_rows(drawing, placed, count, most);
}

static ocelotl_status find_rows(oc_drawing *drawing, uint32_t most)
{
    const ocelotl_trace *trace = drawing->trace;
    oc_arena scratch = {0};
    uint32_t *places = NULL;
    placed_row *placed = NULL;
    oc_groups groups = {0};
    ocelotl_status status = find_depths(drawing->made);
    if (status == OCELOTL_OK)
        status = oc_allocate(&drawing->row_of_resource, trace->resource_count,
                             sizeof *drawing->row_of_resource);
    for (uint32_t r = 0; status == OCELOTL_OK && r < trace->resource_count; r++)
        drawing->row_of_resource[r] = OCELOTL_NONE;
    if (status == OCELOTL_OK)
        status = oc_find_places(&places, &scratch, trace);
    if (status == OCELOTL_OK)
        status = oc_allocate(&placed, trace->stream_count, sizeof *placed);
    if (status == OCELOTL_OK)
        status = find_rooms(&groups, drawing);
    if (status == OCELOTL_OK)
        status = place_rows(drawing, placed, places, &groups, most);
    oc_groups_free(&groups);
    oc_arena_free(&scratch);
    free(placed);
    return status;
}

/* --- Making */

static ocelotl_status check_options(const ocelotl_drawables_options *options)
{
    OC_TRY(oc_check_window(options->selection.from, options->selection.to));
    OC_TRY(oc_check_work(&options->work));
    if (!(options->width >= 1 && options->width <= 1000000))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the width is %g pixels, expected 1 to 1000000",
                       options->width);
    if (!(options->narrowest > 0 && options->narrowest <= 1000000) ||
        options->width / options->narrowest > 4000000)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "the narrowest object is %g pixels wide, expected more than 0 and less than "
                       "4000000 in a row",
                       options->narrowest);
    return OCELOTL_OK;
}

static ocelotl_status make_cells(oc_drawing *drawing, const ocelotl_drawables_options *options)
{
    const ocelotl_trace_info *info = &drawing->trace->info;
    const ocelotl_selection *given = &options->selection;
    const int64_t from = given->from > info->begin ? given->from : info->begin;
    const int64_t to = given->to < info->end ? given->to : info->end;
    const double wanted = floor(options->width / options->narrowest);
    ocelotl_drawables_info *made = &drawing->made->info;
    OC_TRY(oc_time_cells_make(&drawing->cells, from, to > from ? to : from,
                              wanted >= 1 ? (uint32_t)wanted : 1));
    drawing->cells.to = to;
    drawing->cells.last = oc_last_tick(drawing->trace, to);
    made->from = from;
    made->to = to > from ? to : from;
    made->cells = drawing->cells.count;
    return OCELOTL_OK;
}

/* About how many events of a stream are in the window: states and links have two records. */
static double count_events(const oc_drawing *drawing, const oc_stream *stream)
{
    const oc_time_cells *cells = &drawing->cells;
    const bool interval = stream->role == OC_ROLE_STATES || stream->role == OC_ROLE_LINKS_OUT;
    const double records = interval ? (double)stream->count / 2 : (double)stream->count;
    const double begin = (double)(stream->begin > cells->from ? stream->begin : cells->from);
    const double end = (double)(stream->end < cells->to ? stream->end : cells->to);
    const double length = (double)stream->end - (double)stream->begin;
    if (end < begin)
        return 0;
    return length > 0 ? records * (end - begin) / length : records;
}

static bool has_more_events(const oc_drawing *drawing, uint64_t most)
{
    const ocelotl_trace *trace = drawing->trace;
    double count = 0;
    for (uint32_t s = 0; s < trace->stream_count; s++)
        if (oc_drawing_wants(drawing, &trace->streams[s]) &&
            trace->streams[s].role != OC_ROLE_LINKS_IN)
            count += count_events(drawing, &trace->streams[s]);
    return count > (double)most;
}

static ocelotl_status make(oc_drawing *drawing, const ocelotl_drawables_options *options)
{
    ocelotl_drawables *made = drawing->made;
    OC_TRY(check_options(options));
    OC_TRY(oc_catalogue_read(&made->catalogue, made->trace));
    OC_TRY(oc_choose_resources(&drawing->resources, &made->catalogue, &options->selection));
    OC_TRY(oc_select_event_types(&drawing->event_types, drawing->trace, options->type));
    OC_TRY(oc_filter_make(&made->filter, &drawing->event_types, &made->catalogue,
                          &options->selection));
    made->info.filters = made->filter.words != NULL ? made->filter.words : "";
    OC_TRY(make_cells(drawing, options));
    OC_TRY(find_rows(drawing, options->max_rows));
    /* A trace holds nothing before its begin or after its end. */
    if (drawing->cells.from > drawing->cells.last)
        return OCELOTL_OK;
    drawing->coarse = made->info.coarse = has_more_events(drawing, options->max_events);
    return draw_all(drawing);
}

ocelotl_status ocelotl_drawables_compute(ocelotl_drawables **drawables, ocelotl_trace *trace,
                                         const ocelotl_drawables_options *options)
{
    ocelotl_drawables_options known = *options;
    ocelotl_drawables *made = NULL;
    /* 0 is the default of each member. */
    oc_complete_selection(&known.selection);
    known.width = known.width == 0 ? 1920 : known.width;
    known.narrowest = known.narrowest == 0 ? 2 : known.narrowest;
    known.max_values = known.max_values == 0 ? 4 : known.max_values;
    known.max_links = known.without_links ? 0 : known.max_links == 0 ? 5000 : known.max_links;
    known.max_events = known.max_events == 0 ? 10000000 : known.max_events;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->trace = trace;
    oc_watch watch = {.work = known.work};
    oc_drawing drawing = {.made = made,
                          .trace = trace,
                          .watch = &watch,
                          .max_values = known.max_values,
                          .max_links = known.max_links,
                          .with_attributes = known.with_attributes,
                          .only_wrong = known.only_wrong,
                          .like = known.like,
                          .at = known.at,
                          .places = known.places};
    const ocelotl_status status = oc_fail_in_trace(trace, make(&drawing, &known));
    oc_time_cells_free(&drawing.cells);
    free(drawing.resources);
    free(drawing.event_types);
    free(drawing.row_of_resource);
    if (status == OCELOTL_OK)
        *drawables = made;
    else
        ocelotl_drawables_free(made);
    return status;
}

ocelotl_status ocelotl_drawables_set_line(ocelotl_drawables *drawables,
                                          const ocelotl_drawn_piece *pieces, size_t count)
{
    OC_TRY(oc_allocate(&drawables->line, count, sizeof *pieces));
    for (size_t i = 0; i < count; i++) {
        ocelotl_drawn_piece piece = pieces[i];
        piece.from = piece.from > drawables->info.from ? piece.from : drawables->info.from;
        piece.to = piece.to < drawables->info.to ? piece.to : drawables->info.to;
        if (piece.from < piece.to)
            drawables->line[drawables->piece_count++] = piece;
    }
    return OCELOTL_OK;
}

uint32_t ocelotl_drawables_piece_count(const ocelotl_drawables *drawables)
{
    return drawables->piece_count;
}

ocelotl_drawn_piece ocelotl_drawables_piece_at(const ocelotl_drawables *drawables, uint32_t piece)
{
    return piece < drawables->piece_count ? drawables->line[piece]
                                          : (ocelotl_drawn_piece){0, 0, OCELOTL_NONE};
}

void ocelotl_drawables_free(ocelotl_drawables *drawables)
{
    if (drawables == NULL)
        return;
    oc_filter_free(&drawables->filter);
    oc_kept_paths_free(&drawables->paths);
    if (drawables->catalogue.trace != NULL)
        oc_catalogue_free(&drawables->catalogue);
    free(drawables->rows);
    free(drawables->line);
    free(drawables->depths);
    for (uint32_t i = 0; i < drawables->pool_count; i++) {
        for (size_t o = 0; o < drawables->pools[i].object_count; o++)
            free(drawables->pools[i].objects[o].attributes);
        free(drawables->pools[i].objects);
        free(drawables->pools[i].shares);
        free(drawables->pools[i].numbers);
        oc_drawn_links_free(drawables->pools[i].links, drawables->pools[i].link_count);
    }
    free(drawables->pools);
    free(drawables);
}

/* --- Answers */

ocelotl_drawables_info ocelotl_drawables_info_of(const ocelotl_drawables *drawables)
{
    return drawables->info;
}

uint32_t ocelotl_drawables_row_count(const ocelotl_drawables *drawables)
{
    return (uint32_t)drawables->row_count;
}

ocelotl_drawn_row ocelotl_drawables_row_at(const ocelotl_drawables *drawables, uint32_t row)
{
    if (row >= drawables->row_count)
        return (ocelotl_drawn_row){.resource = OCELOTL_NONE,
                                   .event_type = OCELOTL_NONE,
                                   .path = "",
                                   .name = "",
                                   .room = OCELOTL_NONE,
                                   .room_path = ""};
    const oc_drawn_row *found = &drawables->rows[row];
    const ocelotl_trace *trace = drawables->trace;
    return (ocelotl_drawn_row){
        .resource = found->resource,
        .event_type = found->event_type,
        .category = found->event_type != OCELOTL_NONE
                        ? trace->event_types[found->event_type].category
                        : OCELOTL_LINK,
        .path = drawables->paths.of[found->resource],
        .name = trace->resources[found->resource].name,
        .depth = drawables->depths[found->resource],
        .lanes = found->lanes,
        .objects = found->count,
        .room = found->room,
        .room_path =
            found->room != OCELOTL_NONE ? drawables->paths.of[found->room] : oc_whole_group,
    };
}

static const oc_object *find_object(const ocelotl_drawables *drawables, uint32_t row,
                                    uint64_t object)
{
    if (row >= drawables->row_count || object >= drawables->rows[row].count)
        return NULL;
    const oc_drawn_row *found = &drawables->rows[row];
    return &drawables->pools[found->pool].objects[found->first + object];
}

ocelotl_drawn_object ocelotl_drawables_object_at(const ocelotl_drawables *drawables, uint32_t row,
                                                 uint64_t object)
{
    const oc_object *found = find_object(drawables, row, object);
    if (found == NULL)
        return (ocelotl_drawn_object){.value = OCELOTL_NONE};
    ocelotl_drawn_object given = {.begin = found->begin,
                                  .end = found->end,
                                  .lane = found->lane,
                                  .value = found->value,
                                  .count = found->count,
                                  .ticks = found->ticks,
                                  .begins_before = found->begins_before,
                                  .ends_after = found->ends_after,
                                  .deep = found->deep,
                                  .shares = found->shares,
                                  .attributes = found->attributes};
    const uint32_t event_type = drawables->rows[row].event_type;
    if (drawables->trace->event_types[event_type].category == OCELOTL_VARIABLE) {
        const oc_numbers *numbers =
            &drawables->pools[drawables->rows[row].pool].numbers[found->share];
        given.low = numbers->low;
        given.high = numbers->high;
        given.mean = numbers->mean;
    }
    return given;
}

ocelotl_drawn_share ocelotl_drawables_share_at(const ocelotl_drawables *drawables, uint32_t row,
                                               uint64_t object, uint32_t share)
{
    const oc_object *found = find_object(drawables, row, object);
    if (found == NULL || share >= found->shares)
        return (ocelotl_drawn_share){.value = OCELOTL_NONE};
    return drawables->pools[drawables->rows[row].pool].shares[found->share + share];
}

uint32_t ocelotl_drawables_link_count(const ocelotl_drawables *drawables)
{
    return drawables->pool_count > 0 ? (uint32_t)drawables->pools[0].link_count : 0;
}

ocelotl_drawn_link ocelotl_drawables_link_at(const ocelotl_drawables *drawables, uint32_t link)
{
    if (link >= ocelotl_drawables_link_count(drawables))
        return (ocelotl_drawn_link){.event_type = OCELOTL_NONE,
                                    .source = OCELOTL_NONE,
                                    .target = OCELOTL_NONE,
                                    .value = OCELOTL_NONE};
    return drawables->pools[0].links[link];
}
