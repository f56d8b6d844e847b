/* What a page draws an overview from, as bytes: rectangles, nodes, and the picture around them. */
#define _GNU_SOURCE
#include "routes.h"

#include <ocelotl/records.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    server_out out = {.sink = ocelotl_buffer_sink(&text)};
    const size_t details = find_details(request);
    server_put_bytes(&out, "", 1);
    text.size = 0;
    for (size_t i = 0; i < request->given_count; i++) {
        const ocelotl_given *given = &request->given[i];
        if (!is_of_place(request, i, details))
            continue;
        server_put(&out, given->name);
        server_put(&out, "=");
        server_put(&out, given->value != NULL ? given->value : "");
        server_put(&out, "\n");
    }
    if (out.status == OCELOTL_OK)
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

void server_answer_records(server_asking *with)
{
    server_out *out = &with->out;
    ocelotl_buffer bytes = {NULL, 0, 0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&bytes);
    char *place = shelf_of(with);
    if (place == NULL)
        server_hold(out, ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory"));
    const ocelotl_partition *partition = place != NULL ? server_find_seen(with) : NULL;
    const double p = partition != NULL ? ocelotl_partition_info_of(partition).p : 0;
    if (partition != NULL &&
        server_hold(out, ocelotl_records_write(&sink, partition, p, p, &with->view))) {
        server_shelf_put(&with->room->shelf, place, &with->state.request->detail,
                         ocelotl_partition_hash(partition), p, p, &bytes);
        server_put_bytes(out, bytes.bytes, bytes.size);
    }
    ocelotl_buffer_free(&bytes);
    free(place);
}

/* Without the session: others may be at it. */
bool server_know_records(server_asking *with)
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

void server_answer_frame(server_asking *with)
{
    const ocelotl_request *request = with->state.request;
    const ocelotl_aggregation *aggregation = NULL;
    server_out *out = &with->out;
    ocelotl_partition *any = NULL;
    if (server_hold(out, ocelotl_session_aggregation(&aggregation, with->session, request)) &&
        server_hold(out, ocelotl_request_fit_view(&with->view, request,
                                                  ocelotl_aggregation_model(aggregation))) &&
        server_hold(out, find_any(&any, aggregation))) {
        with->view.without_parts = true;
        server_put_view(with, any);
    }
    ocelotl_partition_free(any);
}

/* --- Nodes */

void server_answer_nodes(server_asking *with)
{
    server_out *out = &with->out;
    const ocelotl_model *model = NULL;
    uint64_t below = 0, next = 0;
    if (server_asking_count(&below, with, "below", 0, UINT32_MAX) &&
        server_asking_count(&next, with, "next", below, UINT32_MAX) &&
        server_hold(out, ocelotl_session_model(&model, with->session, with->state.request)))
        server_hold(out, ocelotl_nodes_write(&out->sink, model, (uint32_t)below, (uint32_t)next));
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

static void fill_box(server_asking *with, box *of, const ocelotl_partition *partition)
{
    const ocelotl_model *model = ocelotl_partition_model(partition);
    const uint32_t types = ocelotl_model_info_of(model).type_count;
    const size_t count = ocelotl_partition_info_of(partition).part_count;
    of->sums = calloc(types > 0 ? types : 1, sizeof *of->sums);
    if (of->sums == NULL) {
        server_hold(&with->out, ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory"));
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        add_part(of, model, types, &part, i);
    }
    put_box(&with->out, of, types);
    free(of->sums);
}

void server_answer_box(server_asking *with)
{
    box of = {.row = 0};
    const ocelotl_partition *partition =
        server_asking_count(&of.row, with, "row", 0, UINT32_MAX) &&
                server_asking_count(&of.rows, with, "rows", UINT32_MAX, UINT32_MAX) &&
                server_asking_count(&of.first, with, "first", 0, UINT32_MAX) &&
                server_asking_count(&of.last, with, "last", UINT32_MAX, UINT32_MAX)
            ? server_find_partition(with)
            : NULL;
    if (partition != NULL)
        fill_box(with, &of, partition);
}

/* --- Levels, as they are found */

/* What can be said until one is: before, plateaus are unknown. */
static void put_found(server_asking *with, const ocelotl_level_search *search)
{
    server_out *out = &with->out;
    const ocelotl_aggregation *aggregation = NULL;
    ocelotl_levels *levels = NULL;
    if (!server_hold(out, ocelotl_level_search_found(&levels, search)))
        return;
    if (ocelotl_levels_info_of(levels).plateaus == 0)
        server_put(out, "null");
    else if (server_hold(out, ocelotl_session_aggregation(&aggregation, with->session,
                                                          with->state.request)))
        server_hold(out, ocelotl_page_levels_write(&out->sink, aggregation, levels, &with->view));
    ocelotl_levels_free(levels);
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
void server_answer_found(server_asking *with)
{
    server_out *out = &with->out;
    ocelotl_level_search *search = NULL;
    if (!server_hold(out, server_kept_search_of(&search, &with->room->kept, with->session,
                                                with->state.request)))
        return;
    const ocelotl_status status = look_on(with->room, search);
    const bool more = status == OCELOTL_ERROR_CANCELLED;
    if (!more && !server_hold(out, status))
        return;
    if (!more)
        widen(with, search);
    server_put(out, more ? "{\"more\":true,\"found\":" : "{\"more\":false,\"found\":");
    put_found(with, search);
    server_put(out, "}\n");
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

void server_answer_likely(server_asking *with)
{
    ocelotl_part first[LIKELY];
    size_t numbers[LIKELY];
    size_t found = 0;
    const ocelotl_partition *partition = server_find_partition(with);
    const size_t count = partition != NULL ? ocelotl_partition_info_of(partition).part_count : 0;
    for (size_t i = 0; i < count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        if (part.loss > 0 && (part.last > part.first || part.leaves > 1))
            found = rank_part(first, numbers, found, &part, i);
    }
    for (size_t i = 0; i < found; i++)
        server_put_number(&with->out, i == 0 ? "[" : ",", (double)numbers[i]);
    server_put(&with->out, found > 0 ? "]\n" : "[]\n");
}
