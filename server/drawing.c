/* What a page draws an overview from, as bytes: rectangles, nodes, and the picture around them. */
#define _GNU_SOURCE
#include "drawing.h"

#include <ocelotl/records.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char bytes_type[] = "application/octet-stream";

/* --- Where one looks, as a text */

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

/* Behind the last part that is looked into, p and its like are of what is shown. */
static size_t find_details(const ocelotl_request *request)
{
    static const char *const parts[] = {"zoom", "part", NULL};
    for (size_t i = request->given_count; i-- > 0;)
        if (is_one_of(request->given[i].name, parts))
            return i + 1;
    return 0;
}

static bool is_of_place(const ocelotl_request *request, size_t index, size_t details)
{
    static const char *const looks[] = {"theme", "width", "height", "title", "dpi", "curves", NULL};
    static const char *const levels[] = {"p", "p-raw", "level", "parts", NULL};
    const char *name = request->given[index].name;
    return !is_one_of(name, looks) && !(index >= details && is_one_of(name, levels));
}

/* Writes a request without its level of detail, to be freed; NULL if memory runs out. Sizes and
 * themes of pictures do not count, nor what curves show. */
static char *place_of(const ocelotl_request *request)
{
    ocelotl_buffer text = {NULL, 0, 0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&text);
    const size_t details = find_details(request);
    ocelotl_status status = sink.write(sink.context, "", 1);
    text.size = 0;
    for (size_t i = 0; i < request->given_count && status == OCELOTL_OK; i++) {
        const ocelotl_given *given = &request->given[i];
        const char *const words[] = {given->name, "=", given->value != NULL ? given->value : "",
                                     "\n"};
        for (size_t k = 0; k < 4 && is_of_place(request, i, details) && status == OCELOTL_OK; k++)
            status = sink.write(sink.context, words[k], strlen(words[k]));
    }
    if (status == OCELOTL_OK)
        return text.bytes;
    ocelotl_buffer_free(&text);
    return NULL;
}

/* Does the same with the size of a plot; NULL if memory runs out. */
static char *shelf_of(const server_asking *with)
{
    char *place = place_of(with->state.request);
    const ocelotl_picture_options *view = &with->state.request->view;
    char *text = NULL;
    if (place != NULL && asprintf(&text, "%s\n%.0fx%.0f", place, view->width, view->height) < 0)
        text = NULL;
    free(place);
    return text;
}

/* --- Rectangles */

static ocelotl_status fail_memory(void)
{
    return ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
}

static ocelotl_status put_records(server_asking *with, const char *place,
                                  const ocelotl_partition *partition, ocelotl_buffer *bytes)
{
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    const ocelotl_sink sink = ocelotl_buffer_sink(bytes);
    const ocelotl_status status =
        ocelotl_records_write(&sink, partition, info.p, info.p, &with->view);
    if (status == OCELOTL_OK)
        server_shelf_put(&with->room->shelf, place, &with->state.request->detail,
                         ocelotl_partition_hash(partition), info.p, info.p, bytes);
    return status == OCELOTL_OK
               ? with->out.sink.write(with->out.sink.context, bytes->bytes, bytes->size)
               : status;
}

static ocelotl_status answer_records(server_asking *with)
{
    ocelotl_session *session = with->room->options.session;
    const ocelotl_partition *partition = NULL;
    const ocelotl_model *model = NULL;
    ocelotl_buffer bytes = {NULL, 0, 0};
    char *place = shelf_of(with);
    ocelotl_status status =
        place != NULL ? ocelotl_session_model(&model, session, with->state.request) : fail_memory();
    if (status == OCELOTL_OK)
        status = ocelotl_request_fit_view(&with->view, with->state.request, model);
    if (status == OCELOTL_OK)
        status = server_kept_find(&partition, &with->room->kept, session, with->state.request);
    if (status == OCELOTL_OK)
        status = put_records(with, place, partition, &bytes);
    ocelotl_buffer_free(&bytes);
    free(place);
    return status;
}

/* Without the session: others may be at it. */
static bool know_records(server_asking *with)
{
    bool found = false;
    uint64_t parts;
    char *place = shelf_of(with);
    if (place != NULL && server_shelf_get(&found, &parts, &with->out.sink, &with->room->shelf,
                                          place, &with->state.request->detail) != OCELOTL_OK)
        found = false;
    free(place);
    return found;
}

/* --- The picture around them, which no p changes */

/* Any partition of the model will do: the one that costs nothing. */
static ocelotl_status find_any(ocelotl_partition **partition,
                               const ocelotl_aggregation *aggregation)
{
    return ocelotl_aggregation_kind(aggregation) == OCELOTL_TEMPORAL
               ? ocelotl_solve(partition, aggregation, 1)
               : ocelotl_partition_at_depth(partition, aggregation, 0);
}

static ocelotl_status write_frame(server_asking *with, const ocelotl_aggregation *aggregation)
{
    ocelotl_partition *any = NULL;
    ocelotl_status status = ocelotl_request_fit_view(&with->view, with->state.request,
                                                     ocelotl_aggregation_model(aggregation));
    if (status == OCELOTL_OK)
        status = find_any(&any, aggregation);
    with->view.without_parts = true;
    if (status == OCELOTL_OK)
        status = server_put_view(with, any);
    ocelotl_partition_free(any);
    return status;
}

static ocelotl_status answer_frame(server_asking *with)
{
    const ocelotl_aggregation *aggregation = NULL;
    const ocelotl_status status =
        ocelotl_session_aggregation(&aggregation, with->room->options.session, with->state.request);
    return status == OCELOTL_OK ? write_frame(with, aggregation) : status;
}

/* --- Nodes */

static ocelotl_status answer_nodes(server_asking *with)
{
    const ocelotl_model *model = NULL;
    uint64_t below = 0, next = 0;
    ocelotl_status status = server_asking_count(&below, with, "below", 0, UINT32_MAX);
    if (status == OCELOTL_OK)
        status = server_asking_count(&next, with, "next", below, UINT32_MAX);
    if (status == OCELOTL_OK)
        status = ocelotl_session_model(&model, with->room->options.session, with->state.request);
    return status == OCELOTL_OK
               ? ocelotl_nodes_write(&with->out.sink, model, (uint32_t)below, (uint32_t)next)
               : status;
}

/* --- What a rectangle holds: all parts in rows and slices */

typedef struct box {
    uint64_t row, rows, first, last;
    uint64_t parts, number; /* how many parts it has, and the first of them */
    double gain, loss;
    double *sums; /* of types, over cells */
    double cells;
} box;

static void add_part(box *to, const ocelotl_model *model, uint32_t types, const ocelotl_part *part,
                     size_t number)
{
    const ocelotl_node node = ocelotl_model_node_at(model, part->node);
    const double cells = (double)part->leaves * ((double)part->last - part->first + 1);
    const uint64_t after = (uint64_t)node.row_first + node.row_count;
    if (node.row_first < to->row || after > to->row + to->rows || part->first < to->first ||
        part->last > to->last)
        return;
    if (to->parts++ == 0)
        to->number = number;
    to->gain += part->gain;
    to->loss += part->loss;
    to->cells += cells;
    for (uint32_t type = 0; type < types; type++)
        to->sums[type] += part->shares[type] * cells;
}

static void put_box(server_out *out, const box *of, uint32_t types)
{
    const char *before = "[";
    server_put_number(out, "{\"parts\":", (double)of->parts);
    server_put_number(out, ",\"number\":", (double)of->number);
    server_put_number(out, ",\"gain\":", of->gain);
    server_put_number(out, ",\"loss\":", of->loss);
    server_put(out, ",\"shares\":[");
    for (uint32_t type = 0; type < types; type++) {
        if (!(of->sums[type] > 0))
            continue;
        server_put_number(out, before, type);
        server_put_number(out, ",", of->sums[type] / of->cells);
        server_put(out, "]");
        before = ",[";
    }
    server_put(out, "]}\n");
}

static ocelotl_status fill_box(server_asking *with, box *of)
{
    const ocelotl_partition *partition = NULL;
    ocelotl_status status = server_kept_find(&partition, &with->room->kept,
                                             with->room->options.session, with->state.request);
    if (status != OCELOTL_OK)
        return status;
    const ocelotl_model *model = ocelotl_partition_model(partition);
    const uint32_t types = ocelotl_model_info_of(model).type_count;
    const size_t count = ocelotl_partition_info_of(partition).part_count;
    of->sums = calloc(types > 0 ? types : 1, sizeof *of->sums);
    if (of->sums == NULL)
        return fail_memory();
    for (size_t i = 0; i < count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        add_part(of, model, types, &part, i);
    }
    put_box(&with->out, of, types);
    free(of->sums);
    return status;
}

static ocelotl_status answer_box(server_asking *with)
{
    box of = {.row = 0};
    ocelotl_status status = server_asking_count(&of.row, with, "row", 0, UINT32_MAX);
    if (status == OCELOTL_OK)
        status = server_asking_count(&of.rows, with, "rows", UINT32_MAX, UINT32_MAX);
    if (status == OCELOTL_OK)
        status = server_asking_count(&of.first, with, "first", 0, UINT32_MAX);
    if (status == OCELOTL_OK)
        status = server_asking_count(&of.last, with, "last", UINT32_MAX, UINT32_MAX);
    return status == OCELOTL_OK ? fill_box(with, &of) : status;
}

/* --- Levels, as they are found */

/* What can be said until one is: before, plateaus are unknown. */
static ocelotl_status write_found(server_asking *with, const ocelotl_level_search *search)
{
    const ocelotl_aggregation *aggregation = NULL;
    ocelotl_levels *levels = NULL;
    ocelotl_status status = ocelotl_level_search_found(&levels, search);
    if (status != OCELOTL_OK)
        return status;
    if (ocelotl_levels_info_of(levels).plateaus == 0)
        server_put(&with->out, "null");
    else
        status = ocelotl_session_aggregation(&aggregation, with->room->options.session,
                                             with->state.request);
    if (aggregation != NULL && status == OCELOTL_OK)
        status = ocelotl_page_levels_write(&with->out.sink, aggregation, levels, &with->view);
    ocelotl_levels_free(levels);
    return status;
}

/* Each p that a level is known for needs no solve any more. */
static void widen(const server_asking *with, const ocelotl_level_search *search)
{
    char *place = place_of(with->state.request);
    ocelotl_levels *levels = NULL;
    if (place != NULL && ocelotl_level_search_found(&levels, search) == OCELOTL_OK)
        for (size_t i = 0; i < ocelotl_levels_info_of(levels).count; i++) {
            const ocelotl_level level = ocelotl_levels_at(levels, i);
            server_shelf_widen(&with->room->shelf, place, level.p, level.known_from,
                               level.known_to);
        }
    ocelotl_levels_free(levels);
    free(place);
}

static size_t count_found(const ocelotl_level_search *search)
{
    ocelotl_levels *levels = NULL;
    const size_t count = ocelotl_level_search_found(&levels, search) == OCELOTL_OK
                             ? ocelotl_levels_info_of(levels).count
                             : 0;
    ocelotl_levels_free(levels);
    return count;
}

/* Searches on for a moment. The level to show first is found in one go, or not at all: after a
 * moment without a level it takes a longer one. */
static ocelotl_status look_on(server_room *room, ocelotl_level_search *search)
{
    const size_t before = count_found(search);
    if (room->moment < SERVER_MOMENT)
        room->moment = SERVER_MOMENT;
    server_room_work_for(room, room->moment);
    const ocelotl_status status = ocelotl_level_search_continue(search);
    server_room_work_for(room, 0);
    if (count_found(search) > before)
        room->moment = SERVER_MOMENT;
    else if (room->moment < SERVER_MOMENT_MOST)
        room->moment *= 2;
    return status;
}

/* Looks for a moment, so that the page hears of what was found. */
static ocelotl_status answer_found(server_asking *with)
{
    ocelotl_level_search *search = NULL;
    ocelotl_status status = server_kept_search_of(&search, &with->room->kept,
                                                  with->room->options.session, with->state.request);
    if (status != OCELOTL_OK)
        return status;
    status = look_on(with->room, search);
    const bool more = status == OCELOTL_ERROR_CANCELLED;
    if (status != OCELOTL_OK && !more)
        return status;
    if (!more)
        widen(with, search);
    server_put(&with->out, more ? "{\"more\":true,\"found\":" : "{\"more\":false,\"found\":");
    status = write_found(with, search);
    server_put(&with->out, "}\n");
    return status;
}

/* --- Where a reader is likely to look next: into the parts that lose most */

enum { LIKELY = 3 };

/* Puts a part among those that lose most, the first one first; returns how many there are. */
static size_t rank_part(ocelotl_part *first, size_t *numbers, size_t count,
                        const ocelotl_part *part, size_t number)
{
    size_t at = count;
    while (at > 0 && part->loss > first[at - 1].loss)
        at--;
    for (size_t i = count < LIKELY ? count : LIKELY - 1; i > at; i--) {
        first[i] = first[i - 1];
        numbers[i] = numbers[i - 1];
    }
    if (at == LIKELY)
        return count;
    first[at] = *part;
    numbers[at] = number;
    return count < LIKELY ? count + 1 : LIKELY;
}

static ocelotl_status answer_likely(server_asking *with)
{
    const ocelotl_partition *partition = NULL;
    ocelotl_part first[LIKELY];
    size_t numbers[LIKELY];
    size_t found = 0;
    ocelotl_status status = server_kept_find(&partition, &with->room->kept,
                                             with->room->options.session, with->state.request);
    const size_t count = status == OCELOTL_OK ? ocelotl_partition_info_of(partition).part_count : 0;
    for (size_t i = 0; i < count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        if (part.loss > 0 && (part.last > part.first || part.leaves > 1))
            found = rank_part(first, numbers, found, &part, i);
    }
    for (size_t i = 0; i < found; i++)
        server_put_number(&with->out, i == 0 ? "[" : ",", (double)numbers[i]);
    server_put(&with->out, found > 0 ? "]\n" : "[]\n");
    return status;
}

/* --- The table of addresses */

enum { KILOBYTE = 1024 };

const server_route server_drawing_routes[] = {
    {"records", answer_records, "overview", bytes_type, "overview.svg", .views = true,
     .known = know_records, .steady = true, .most = 264 * KILOBYTE, .own = {"run", "ahead"}},
    {"frame", answer_frame, "overview", server_json_type, "overview.svg", .views = true,
     .steady = true, .most = 4096 * KILOBYTE, .own = {"run", "ahead"}},
    {"nodes", answer_nodes, "overview", bytes_type, NULL, .steady = true,
     .most = OCELOTL_NODES_SIZE_MOST, .own = {"run", "below", "next"}},
    {"box", answer_box, "overview", server_json_type, NULL, .steady = true, .most = 32 * KILOBYTE,
     .own = {"run", "row", "rows", "first", "last"}},
    {"likely", answer_likely, "overview", server_json_type, NULL, .yields = true, .most = KILOBYTE},
    {"found", answer_found, "overview", server_json_type, NULL, .yields = true,
     .most = 256 * KILOBYTE},
};

const size_t server_drawing_route_count =
    sizeof server_drawing_routes / sizeof server_drawing_routes[0];
