/* What a page draws an overview from, as bytes: rectangles, nodes, and the picture around them. */
#ifndef SERVER_DRAWING_H
#define SERVER_DRAWING_H

#include "asking.h"

/* The addresses, a row each. */
extern const server_route server_drawing_routes[];
extern const size_t server_drawing_route_count;

/* Gives what a request is about but for its level of detail, to be freed; NULL: there is no memory.
 * Sizes and themes of pictures do not count. */
char *server_place_of(const ocelotl_request *request);

#endif
