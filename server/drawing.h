/* What a page draws an overview from, as bytes: rectangles, nodes, and the picture around them. */
#ifndef SERVER_DRAWING_H
#define SERVER_DRAWING_H

#include "asking.h"

/* The addresses, a row each. */
extern const server_route server_drawing_routes[];
extern const size_t server_drawing_route_count;

#endif
