/* The addresses that the page asks, and how large their answers are at most. */
#include "routes.h"

#include <ocelotl/ask.h>
#include <ocelotl/records.h>

#include <string.h>

enum { KILOBYTE = 1024, MEGABYTE = 1024 * KILOBYTE };

static const char bytes_type[] = "application/octet-stream";
static const char csv_type[] = "text/csv; charset=utf-8";

static const server_route routes[] = {
    {"trace", server_answer_trace, "overview", server_json_type},
    {"view", server_answer_view, "overview", server_json_type, "overview.svg", .views = true},
    {"levels", server_answer_levels, "overview", server_json_type, "overview.svg", .yields = true},
    {"picture.svg", server_answer_picture, "overview", "image/svg+xml", "overview.svg",
     .form = OCELOTL_FORM_SVG, .kept = true},
    {"picture.png", server_answer_picture, "overview", "image/png", "overview.png",
     .form = OCELOTL_FORM_PNG, .kept = true},
    {"picture.pdf", server_answer_picture, "overview", "application/pdf", "overview.pdf",
     .form = OCELOTL_FORM_PDF, .kept = true},
    {"picture.html", server_answer_picture, "overview", "text/html; charset=utf-8", "overview.html",
     .form = OCELOTL_FORM_PAGE, .kept = true},
    {"records", server_answer_records, "overview", bytes_type, "overview.svg", .views = true,
     .known = server_know_records, .steady = true, .most = 264 * KILOBYTE, .own = {"run", "ahead"}},
    {"frame", server_answer_frame, "overview", server_json_type, "overview.svg", .views = true,
     .steady = true, .most = 4 * MEGABYTE, .own = {"run", "ahead"}},
    {"nodes", server_answer_nodes, "overview", bytes_type, .steady = true,
     .most = OCELOTL_NODES_SIZE_MOST, .own = {"run", "below", "next"}},
    {"box", server_answer_box, "overview", server_json_type, .steady = true, .most = 32 * KILOBYTE,
     .own = {"run", "row", "rows", "first", "last"}},
    {"likely", server_answer_likely, "overview", server_json_type, .yields = true,
     .most = KILOBYTE},
    {"found", server_answer_found, "overview", server_json_type, .yields = true,
     .most = 256 * KILOBYTE},
    {"search", server_answer_search, "overview", server_json_type, .most = 16 * KILOBYTE,
     .own = {"q"}},
    {"part", server_answer_part, "overview", server_json_type, "overview.svg",
     .most = 32 * KILOBYTE, .own = {"node", "first", "last", "number"}},
    {"events", server_answer_events, "export", server_json_type, "events.csv", .most = MEGABYTE,
     .own = {"after"}},
    {"events.csv", server_answer_events, "export", csv_type, "events.csv", .form = OCELOTL_FORM_CSV,
     .kept = true, .most = 64 * MEGABYTE},
    {"parts", server_answer_parts, "parts", server_json_type, "parts.csv", .most = 16 * MEGABYTE},
    {"parts.csv", server_answer_parts, "parts", csv_type, "parts.csv", .form = OCELOTL_FORM_CSV,
     .kept = true, .most = 16 * MEGABYTE},
    {"gantt", server_answer_asked, "gantt", server_json_type, "gantt.svg", .draws = true},
    {"stats", server_answer_asked, "stats", server_json_type, "stats.svg", .draws = true},
    {"totals", server_answer_asked, "stats", server_json_type, "stats.svg", .says = true,
     .most = 4 * MEGABYTE},
    {"series", server_answer_series, "series", server_json_type, "series.svg", .most = MEGABYTE},
    {"histogram", server_answer_durations, "stats", server_json_type, "stats.svg", .says = true,
     .draws = true, .most = 4 * MEGABYTE},
    {"treemap", server_answer_treemap, "treemap", server_json_type, "treemap.svg",
     .most = 4 * MEGABYTE},
    {"spatial", server_answer_treemap, "overview", server_json_type, "overview.svg",
     .most = 4 * MEGABYTE},
    {"compare", server_answer_compare, "compare", server_json_type, "compare.svg",
     .most = 4 * MEGABYTE},
    {"matrix", server_answer_asked, "matrix", server_json_type, "matrix.svg", .says = true,
     .draws = true, .most = 16 * MEGABYTE},
    {"sql", server_answer_sql, "overview", server_json_type, .most = 4 * MEGABYTE, .method = "POST",
     .takes = 64 * KILOBYTE},
    {"notes", server_answer_notes, "overview", server_json_type, .most = MEGABYTE},
    {"notes", server_answer_notes, "overview", server_json_type, .most = MEGABYTE, .method = "PUT",
     .takes = MEGABYTE},
};

/* The address of a command that has none of its own: what it answers, below ask/. */
static const server_route *make_route(server_route *made, const char *path)
{
    static const char below[] = "ask/";
    if (strncmp(path, below, strlen(below)) != 0)
        return NULL;
    const unsigned forms = ocelotl_command_answering(path + strlen(below)).forms;
    *made = (server_route){path,
                           server_answer_asked,
                           path + strlen(below),
                           server_json_type,
                           .says = (forms >> OCELOTL_FORM_JSON & 1) != 0,
                           .draws = (forms >> OCELOTL_FORM_SVG & 1) != 0,
                           .most = (size_t)4 << 20};
    return forms != 0 && strcmp(made->command, "sql") != 0 ? made : NULL;
}

const server_route *server_find_route(server_route *made, const char *path, const char *method)
{
    const char *asked = method != NULL ? method : "GET";
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++)
        if (strcmp(routes[i].path, path) == 0 &&
            strcmp(routes[i].method != NULL ? routes[i].method : "GET", asked) == 0)
            return &routes[i];
    return strcmp(asked, "GET") == 0 ? make_route(made, path) : NULL;
}
