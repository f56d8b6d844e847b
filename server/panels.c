/* The addresses that panels of the page ask, and how large their answers are at most. */
#include "panels.h"

enum { KILOBYTE = 1024 };

const server_route server_panel_routes[] = {
    {"search", server_answer_search, "overview", server_json_type, .most = 16 * KILOBYTE,
     .own = {"q"}},
    {"part", server_answer_part, "overview", server_json_type, "overview.svg",
     .most = 32 * KILOBYTE, .own = {"node", "first", "last", "number"}},
};

const size_t server_panel_route_count = sizeof server_panel_routes / sizeof server_panel_routes[0];
