/* The addresses below /api/v1/, and what answers them. */
#ifndef SERVER_ROUTES_H
#define SERVER_ROUTES_H

#include "asking.h"

/* Finds the address of a path and a method, NULL for GET; one that only names a command is made.
 * NULL: there is none. */
const server_route *server_find_route(server_route *made, const char *path, const char *method);

/* answers.c: what is shown */
void server_answer_trace(server_asking *with);
void server_answer_view(server_asking *with);
void server_answer_levels(server_asking *with);
void server_answer_picture(server_asking *with);

/* drawing.c: what a page draws itself */
void server_answer_records(server_asking *with);
bool server_know_records(server_asking *with);
void server_answer_frame(server_asking *with);
void server_answer_nodes(server_asking *with);
void server_answer_box(server_asking *with);
void server_answer_likely(server_asking *with);
void server_answer_found(server_asking *with);

/* What panels ask: a file each, but for asked.c and events.c. */
void server_answer_search(server_asking *with);
void server_answer_part(server_asking *with);
void server_answer_events(server_asking *with);
void server_answer_parts(server_asking *with);
void server_answer_sql(server_asking *with);
void server_answer_notes(server_asking *with);
void server_answer_asked(server_asking *with);
void server_answer_series(server_asking *with);
void server_answer_durations(server_asking *with);
void server_answer_treemap(server_asking *with);
void server_answer_compare(server_asking *with);

#endif
