/* Which rows there are, and what is asked of them. */
#include "query/drawables/drawables.h"

#include "base/memory.h"
#include "base/options.h"
#include "store/select/selection.h"
#include "store/trace/trace.h"

#include <math.h>
#include <stdlib.h>

static void free_shared(oc_drawing *drawing)
{
    oc_time_cells_free(&drawing->cells);
    free(drawing->resources);
    free(drawing->event_types);
    free(drawing->row_of_resource);
}

/* --- Rows */

/* Resources in the order of the hierarchy: where each stands. */
static ocelotl_status find_places(uint32_t **places, uint32_t *sizes, const ocelotl_trace *trace)
{
    uint32_t roots = 0;
    OC_TRY(oc_allocate(places, trace->resource_count, sizeof **places));
    for (uint32_t r = trace->resource_count; r-- > 0;) {
        const uint32_t parent = trace->resources[r].parent;
        sizes[r]++;
        if (parent != OCELOTL_ROOT)
            sizes[parent] += sizes[r];
    }
    /* A parent's place is where its next child stands, less one for each that has been placed. */
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        const uint32_t parent = trace->resources[r].parent;
        const uint32_t size = sizes[r];
        (*places)[r] = parent == OCELOTL_ROOT ? roots : sizes[parent];
        if (parent == OCELOTL_ROOT)
            roots += size;
        else
            sizes[parent] += size;
        sizes[r] = (*places)[r] + 1; /* from here on where its next child is to stand */
    }
    return OCELOTL_OK;
}

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
    uint32_t place, kind;
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
    return (a->row.event_type > b->row.event_type) - (a->row.event_type < b->row.event_type);
}

/* States come first; links make a row only where there is no other. */
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

static ocelotl_status take_rows(oc_drawing *drawing, const placed_row *placed, size_t count,
                                uint32_t most)
{
    ocelotl_drawables *made = drawing->made;
    for (size_t i = 0; i < count; i++) {
        const uint32_t resource = placed[i].row.resource;
        const bool known = i > 0 && placed[i - 1].row.resource == resource;
        if (placed[i].kind == 3 && known)
            continue;
        if (most > 0 && made->row_count >= most) {
            made->info.rows_left_out++;
            continue;
        }
        OC_TRY(oc_grow(&made->rows, &made->row_capacity, made->row_count + 1, sizeof *made->rows));
        made->rows[made->row_count] = placed[i].row;
        if (drawing->row_of_resource[resource] == OCELOTL_NONE)
            drawing->row_of_resource[resource] = (uint32_t)made->row_count;
        made->row_count++;
    }
    return OCELOTL_OK;
}

static ocelotl_status place_rows(oc_drawing *drawing, placed_row *placed, const uint32_t *places,
                                 uint32_t most)
{
    const ocelotl_trace *trace = drawing->trace;
    size_t count = 0;
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        const oc_stream *stream = &trace->streams[s];
        if (!oc_drawing_wants(drawing, stream))
            continue;
        placed_row *row = &placed[count++];
        *row = (placed_row){
            places[stream->resource],
            kind_of(stream->role),
            {.resource = stream->resource, .event_type = OCELOTL_NONE, .stream = OCELOTL_NONE}};
        row->row.lanes = 1;
        if (row->kind < 3)
            row->row.event_type = stream->event_type;
        if (row->kind < 3)
            row->row.stream = s;
    }
    if (count > 1)
        qsort(placed, count, sizeof *placed, compare_rows);
    return take_rows(drawing, placed, count, most);
}

static ocelotl_status find_rows(oc_drawing *drawing, uint32_t most)
{
    const ocelotl_trace *trace = drawing->trace;
    uint32_t *sizes = NULL;
    uint32_t *places = NULL;
    placed_row *placed = NULL;
    ocelotl_status status = find_depths(drawing->made);
    if (status == OCELOTL_OK)
        status = oc_allocate(&drawing->row_of_resource, trace->resource_count,
                             sizeof *drawing->row_of_resource);
    for (uint32_t r = 0; status == OCELOTL_OK && r < trace->resource_count; r++)
        drawing->row_of_resource[r] = OCELOTL_NONE;
    if (status == OCELOTL_OK)
        status = oc_allocate(&sizes, trace->resource_count, sizeof *sizes);
    if (status == OCELOTL_OK)
        status = find_places(&places, sizes, trace);
    if (status == OCELOTL_OK)
        status = oc_allocate(&placed, trace->stream_count, sizeof *placed);
    if (status == OCELOTL_OK)
        status = place_rows(drawing, placed, places, most);
    free(sizes);
    free(places);
    free(placed);
    return status;
}

/* --- Making */

static ocelotl_status check_options(const ocelotl_drawables_options *options)
{
    OC_TRY(oc_check_window(options->from, options->to));
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
    const int64_t from = options->from > info->begin ? options->from : info->begin;
    const int64_t to = options->to < info->end ? options->to : info->end;
    const double wanted = floor(options->width / options->narrowest);
    ocelotl_drawables_info *made = &drawing->made->info;
    OC_TRY(oc_time_cells_make(&drawing->cells, from, to > from ? to : from,
                              wanted >= 1 ? (uint32_t)wanted : 1));
    drawing->cells.to = to;
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
    return most > 0 && count > (double)most;
}

static ocelotl_status make(oc_drawing *drawing, const ocelotl_drawables_options *options)
{
    ocelotl_drawables *made = drawing->made;
    OC_TRY(check_options(options));
    OC_TRY(oc_catalogue_read(&made->catalogue, made->trace));
    OC_TRY(oc_select_resources(&drawing->resources, &made->catalogue, options->resources,
                               options->resource_count));
    OC_TRY(oc_select_event_types(&drawing->event_types, drawing->trace, options->type));
    OC_TRY(oc_filter_make(&made->filter, &drawing->resources, &drawing->event_types,
                          &made->catalogue, options->filter));
    made->info.filters = made->filter.words != NULL ? made->filter.words : "";
    OC_TRY(make_cells(drawing, options));
    OC_TRY(find_rows(drawing, options->most_rows));
    /* Before its begin or after its end there is nothing in a trace. */
    if (drawing->cells.from > drawing->cells.to)
        return OCELOTL_OK;
    drawing->coarse = made->info.coarse = has_more_events(drawing, options->most_events);
    return oc_drawing_draw(drawing);
}

ocelotl_status ocelotl_drawables_open(ocelotl_drawables **drawables, ocelotl_trace *trace,
                                      const ocelotl_drawables_options *options)
{
    ocelotl_drawables_options known = OCELOTL_DRAWABLES_OPTIONS_INIT;
    ocelotl_drawables *made = NULL;
    OC_TRY(oc_read_options(&known, sizeof known, options));
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->trace = trace;
    oc_drawing drawing = {.made = made,
                          .trace = trace,
                          .most_values = known.most_values,
                          .most_links = known.most_links};
    const ocelotl_status status = oc_fail_in_trace(trace, make(&drawing, &known));
    free_shared(&drawing);
    if (status != OCELOTL_OK) {
        ocelotl_drawables_free(made);
        return status;
    }
    *drawables = made;
    return OCELOTL_OK;
}

void ocelotl_drawables_free(ocelotl_drawables *drawables)
{
    if (drawables == NULL)
        return;
    oc_filter_free(&drawables->filter);
    if (drawables->catalogue.trace != NULL)
        oc_catalogue_free(&drawables->catalogue);
    free(drawables->rows);
    free(drawables->depths);
    for (uint32_t i = 0; i < drawables->pool_count; i++) {
        free(drawables->pools[i].objects);
        free(drawables->pools[i].shares);
        free(drawables->pools[i].numbers);
        free(drawables->pools[i].links);
    }
    free(drawables->pools);
    free(drawables);
}

/* --- Answers */

ocelotl_drawables_info ocelotl_drawables_get_info(const ocelotl_drawables *drawables)
{
    return drawables->info;
}

uint32_t ocelotl_drawables_row_count(const ocelotl_drawables *drawables)
{
    return (uint32_t)drawables->row_count;
}

ocelotl_drawn_row ocelotl_drawables_row(const ocelotl_drawables *drawables, uint32_t row)
{
    if (row >= drawables->row_count)
        return (ocelotl_drawn_row){
            .resource = OCELOTL_NONE, .event_type = OCELOTL_NONE, .path = "", .name = ""};
    const oc_drawn_row *found = &drawables->rows[row];
    const ocelotl_trace *trace = drawables->trace;
    return (ocelotl_drawn_row){
        .resource = found->resource,
        .event_type = found->event_type,
        .category = found->event_type != OCELOTL_NONE
                        ? trace->event_types[found->event_type].category
                        : OCELOTL_LINK,
        .path = oc_catalogue_path(&drawables->catalogue, found->resource),
        .name = trace->resources[found->resource].name,
        .depth = drawables->depths[found->resource],
        .lanes = found->lanes,
        .objects = found->count,
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

ocelotl_drawn_object ocelotl_drawables_object(const ocelotl_drawables *drawables, uint32_t row,
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
                                  .shares = found->shares};
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

ocelotl_drawn_share ocelotl_drawables_share(const ocelotl_drawables *drawables, uint32_t row,
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

ocelotl_drawn_link ocelotl_drawables_link(const ocelotl_drawables *drawables, uint32_t link)
{
    if (link >= ocelotl_drawables_link_count(drawables))
        return (ocelotl_drawn_link){.event_type = OCELOTL_NONE,
                                    .source = OCELOTL_NONE,
                                    .target = OCELOTL_NONE,
                                    .value = OCELOTL_NONE};
    return drawables->pools[0].links[link];
}
