/* What a page draws an overview from, as bytes: rectangles, nodes, and the picture around them; and
 * what it says of their parts. */
#define _GNU_SOURCE
#include "answers.h"

#include <ocelotl/answer.h>
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

/* Writes a request without its level of detail, and with the size of its plot or without, to be
 * freed; NULL if memory runs out. Sizes and themes of pictures do not count, nor what curves show.
 * Behind the last part that is looked into, p and its like are of what is shown. */
static char *place_of(const ocelotl_request *request, bool sized)
{
    static const char *const looks[] = {"theme", "width", "height", "title", "dpi", "curves", NULL};
    static const char *const levels[] = {"p", "p-raw", "level", "parts", NULL};
    char *text = NULL;
    size_t size = 0;
    size_t details = request->given_count;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL)
        return NULL;
    while (details > 0 && strcmp(request->given[details - 1].name, "part") != 0)
        details--;
    for (size_t i = 0; i < request->given_count; i++) {
        const ocelotl_given *given = &request->given[i];
        if (!is_one_of(given->name, looks) && !(i >= details && is_one_of(given->name, levels)))
            fprintf(stream, "%s=%s\n", given->name, given->value != NULL ? given->value : "");
    }
    if (sized)
        fprintf(stream, "\n%.0fx%.0f", request->view.width, request->view.height);
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

/* --- Rectangles */

void server_answer_records(server_asking *with)
{
    server_out *out = &with->out;
    ocelotl_buffer bytes = {NULL, 0, 0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&bytes);
    char *place = place_of(with->state.request, true);
    if (place == NULL)
        server_hold(out, ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory"));
    const ocelotl_partition *partition = place != NULL ? server_find_seen(with) : NULL;
    const double p = partition != NULL ? ocelotl_partition_info_of(partition).p : 0;
    if (partition != NULL &&
        server_hold(out, ocelotl_records_write(&sink, partition, p, p, &with->view))) {
        server_shelf_put(&with->room->shelf, place, &with->state.request->detail,
                         ocelotl_partition_hash(partition), p, &bytes);
        server_put_bytes(out, bytes.bytes, bytes.size);
    }
    ocelotl_buffer_free(&bytes);
    free(place);
}

/* Without the session: others may be at it. */
bool server_know_records(server_asking *with)
{
    bool found = false;
    char *place = place_of(with->state.request, true);
    if (place != NULL && server_shelf_get(&found, &with->out.sink, &with->room->shelf, place,
                                          &with->state.request->detail) != OCELOTL_OK)
        found = false;
    free(place);
    return found;
}

/* The picture around them, which no p changes: any partition of the model will do, the one that
 * costs nothing. */
void server_answer_frame(server_asking *with)
{
    const ocelotl_request *request = with->state.request;
    const ocelotl_aggregation *aggregation = NULL;
    server_out *out = &with->out;
    ocelotl_partition *any = NULL;
    if (!server_hold(out, ocelotl_session_aggregation(&aggregation, with->session, request)) ||
        !server_hold(out, ocelotl_request_fit_view(&with->view, request,
                                                   ocelotl_aggregation_model(aggregation))))
        return;
    const bool temporal = ocelotl_aggregation_kind(aggregation) == OCELOTL_TEMPORAL;
    if (server_hold(out, temporal ? ocelotl_solve(&any, aggregation, 1)
                                  : ocelotl_partition_at_depth(&any, aggregation, 0))) {
        with->view.without_parts = true;
        server_put_view(with, any);
    }
    ocelotl_partition_free(any);
}

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

void server_answer_box(server_asking *with)
{
    server_out *out = &with->out;
    box of = {.row = 0};
    bool first = true;
    if (!server_asking_count(&of.row, with, "row", 0, UINT32_MAX) ||
        !server_asking_count(&of.rows, with, "rows", UINT32_MAX, UINT32_MAX) ||
        !server_asking_count(&of.first, with, "first", 0, UINT32_MAX) ||
        !server_asking_count(&of.last, with, "last", UINT32_MAX, UINT32_MAX))
        return;
    const ocelotl_partition *partition = server_find_partition(with);
    if (partition == NULL)
        return;
    const ocelotl_model *model = ocelotl_partition_model(partition);
    const uint32_t types = ocelotl_model_info_of(model).type_count;
    const size_t count = ocelotl_partition_info_of(partition).part_count;
    of.sums = calloc(types > 0 ? types : 1, sizeof *of.sums);
    if (of.sums == NULL) {
        server_hold(out, ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory"));
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        add_part(&of, model, types, &part, i);
    }
    server_put(out, "{\"parts\":%g,\"number\":%g,\"gain\":%g,\"loss\":%g,\"shares\":[",
               (double)of.parts, (double)of.number, of.gain, of.loss);
    for (uint32_t type = 0; type < types; type++) {
        if (!(of.sums[type] > 0))
            continue;
        server_put(out, first ? "[%g,%g]" : ",[%g,%g]", (double)type, of.sums[type] / of.cells);
        first = false;
    }
    server_put(out, "]}\n");
    free(of.sums);
}

/* --- Levels, as they are found */

enum { MOMENT = 150, MOMENT_MOST = 60000 }; /* milliseconds of work before a page hears of it */

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
    if (room->moment < MOMENT)
        room->moment = MOMENT;
    room->until = server_milliseconds() + (double)room->moment;
    const ocelotl_status status = ocelotl_level_search_continue(search);
    room->until = 0;
    if (count_found(search) > before)
        room->moment = MOMENT;
    else if (room->moment < MOMENT_MOST)
        room->moment *= 2;
    return status;
}

/* Looks for a moment, so that the page hears of what was found. Before the first level plateaus are
 * unknown. In the end each p that a level is known for needs no solve any more. */
void server_answer_found(server_asking *with)
{
    const ocelotl_request *request = with->state.request;
    const ocelotl_aggregation *aggregation = NULL;
    server_out *out = &with->out;
    ocelotl_level_search *search = NULL;
    ocelotl_levels *levels = NULL;
    if (!server_hold(out, server_kept_search(&search, &with->room->kept, with->session, request)))
        return;
    const ocelotl_status status = look_on(with->room, search);
    const bool more = status == OCELOTL_ERROR_CANCELLED;
    if ((!more && !server_hold(out, status)) ||
        !server_hold(out, ocelotl_level_search_found(&levels, search)))
        return;
    char *place = more ? NULL : place_of(request, false);
    for (size_t i = 0; place != NULL && i < ocelotl_levels_info_of(levels).count; i++) {
        const ocelotl_level level = ocelotl_levels_at(levels, i);
        server_shelf_widen(&with->room->shelf, place, level.p, level.known_from, level.known_to);
    }
    free(place);
    server_put(out, more ? "{\"more\":true,\"found\":" : "{\"more\":false,\"found\":");
    if (ocelotl_levels_info_of(levels).plateaus == 0)
        server_put(out, "null");
    else if (server_hold(out, ocelotl_session_aggregation(&aggregation, with->session, request)))
        server_hold(out, ocelotl_page_levels_write(&out->sink, aggregation, levels, &with->view));
    server_put(out, "}\n");
    ocelotl_levels_free(levels);
}

/* Where a reader is likely to look next: into the parts that lose most, the first one first. */
void server_answer_likely(server_asking *with)
{
    enum { LIKELY = 3 };
    double losses[LIKELY + 1];
    size_t numbers[LIKELY + 1];
    size_t found = 0;
    const ocelotl_partition *partition = server_find_partition(with);
    const size_t count = partition != NULL ? ocelotl_partition_info_of(partition).part_count : 0;
    for (size_t i = 0; i < count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        size_t at = found;
        if (!(part.loss > 0) || (part.last == part.first && part.leaves <= 1))
            continue;
        for (; at > 0 && part.loss > losses[at - 1]; at--) {
            losses[at] = losses[at - 1];
            numbers[at] = numbers[at - 1];
        }
        losses[at] = part.loss;
        numbers[at] = i;
        found += found < LIKELY;
    }
    server_put(&with->out, "[");
    for (size_t i = 0; i < found; i++)
        server_put(&with->out, i == 0 ? "%g" : ",%g", (double)numbers[i]);
    server_put(&with->out, "]\n");
}

/* --- Details of a part: shares, gain and loss, why it is cut or not, its siblings, its commands */

static ocelotl_status find_node(uint32_t *node, const ocelotl_model *model, const char *path)
{
    const uint32_t count = ocelotl_model_info_of(model).node_count;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(ocelotl_model_node_at(model, i).path, path) == 0) {
            *node = i;
            return OCELOTL_OK;
        }
    return server_fail(OCELOTL_ERROR_ARGUMENT, "the picture has no node '%.200s'", path);
}

/* Writes the commands of a part, with p and its number where they have a place for them. */
static void put_commands(server_asking *with, uint64_t number, double p)
{
    server_out *out = &with->out;
    ocelotl_part_command *commands = NULL;
    size_t count = 0;
    if (number != UINT64_MAX)
        server_hold(out, ocelotl_part_commands_make(&commands, &count, with->state.line));
    for (size_t i = 0; i < count; i++) {
        ocelotl_buffer bytes = {NULL, 0, 0};
        server_out line = {.sink = ocelotl_buffer_sink(&bytes)};
        for (const char *at = commands[i].text; *at != '\0'; at++) {
            if (*at == 1 || *at == 2)
                server_put(&line, "%g", *at == 1 ? p : (double)number);
            else
                server_put_bytes(&line, at, 1);
        }
        if (server_hold(out, line.status))
            server_put(out, i == 0 ? "[%s,%s]" : ",[%s,%s]", commands[i].what,
                       bytes.bytes != NULL ? bytes.bytes : "");
        ocelotl_buffer_free(&bytes);
    }
    ocelotl_part_commands_free(commands, count);
}

void server_answer_part(server_asking *with)
{
    const char *path = server_asking_get(with, "node");
    const ocelotl_aggregation *aggregation = NULL;
    server_out *out = &with->out;
    uint32_t node = 0;
    uint64_t first = 0, last = 0, number = 0;
    const ocelotl_partition *partition = server_find_partition(with);
    if (partition == NULL ||
        !server_hold(
            out, ocelotl_session_aggregation(&aggregation, with->session, with->state.request)) ||
        !server_hold(out, find_node(&node, ocelotl_aggregation_model(aggregation),
                                    path != NULL ? path : "")) ||
        !server_asking_count(&first, with, "first", 0, UINT32_MAX) ||
        !server_asking_count(&last, with, "last", first, UINT32_MAX) ||
        !server_asking_count(&number, with, "number", UINT64_MAX, UINT32_MAX))
        return;
    server_put(out, "{\"part\":");
    if (server_hold(out, ocelotl_explanation_write_json(&out->sink, aggregation, partition, node,
                                                        (uint32_t)first, (uint32_t)last))) {
        server_put(out, ",\"commands\":[");
        put_commands(with, number, ocelotl_partition_info_of(partition).p);
        server_put(out, "]}\n");
    }
}
