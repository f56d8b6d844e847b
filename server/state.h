/* What is shown, as options of the program: one list of them is a query, a request and a command
 * line. */
#ifndef SERVER_STATE_H
#define SERVER_STATE_H

#include "out.h"
#include "query.h"
#include "server.h"

/* A request and the command line that asks the same. Zero-initialised it is empty. */
typedef struct server_state {
    ocelotl_request *request;
    char *line; /* it draws what is seen, to `file` */
} server_state;

/* Fills the request of a command with the options in a query.
 *
 * Names that only say how the page looks begin with "look.": they are in the request, and not in
 * the command line. "client" and "turn" are no options. The command need not take all that the
 * overview takes: what it does not take is left out. Errors: ARGUMENT (an option that is none, or
 * that no address may set; what its value is), MEMORY. */
ocelotl_status server_state_read(server_state *state, const server_options *options,
                                 const char *command, const server_query *query, const char *file);
void server_state_free(server_state *state);

/* Writes, as JSON, the options that a page may set, and its first ones. */
void server_state_put_options(server_out *out, const server_options *options);

#endif
