/* The addresses that panels of the page ask, and how large their answers are at most. */
#include "panels.h"

enum { KILOBYTE = 1024, MEGABYTE = 1024 * KILOBYTE };

static const char csv_type[] = "text/csv; charset=utf-8";

const server_route server_panel_routes[] = {
    {"search", server_answer_search, "overview", server_json_type, .most = 16 * KILOBYTE,
     .own = {"q"}},
    {"part", server_answer_part, "overview", server_json_type, "overview.svg",
     .most = 32 * KILOBYTE, .own = {"node", "first", "last", "number"}},
    {"events", server_answer_events, "export", server_json_type, "events.csv", .most = MEGABYTE,
     .own = {"after"}},
    {"events.csv", server_answer_events_csv, "export", csv_type, "events.csv", .kept = true,
     .most = 64 * MEGABYTE},
    {"parts", server_answer_parts, "parts", server_json_type, "parts.csv", .most = 16 * MEGABYTE},
    {"parts.csv", server_answer_parts_csv, "parts", csv_type, "parts.csv", .kept = true,
     .most = 16 * MEGABYTE},
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

const size_t server_panel_route_count = sizeof server_panel_routes / sizeof server_panel_routes[0];
