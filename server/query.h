/* The query of a URL as names and values in their order. */
#ifndef SERVER_QUERY_H
#define SERVER_QUERY_H

#include <ocelotl/status.h>

#include <stddef.h>

typedef struct server_pair {
    const char *name;
    const char *value;
} server_pair;

/* Zero-initialised it is empty. */
typedef struct server_query {
    server_pair *pairs;
    size_t count;
    char *texts; /* of all pairs */
} server_query;

enum { SERVER_MOST_PAIRS = 256 };

/* Splits the query of a URL, without its question mark; %XX and + are decoded. Errors: ARGUMENT (a
 * %XX that is none, a zero byte, too many pairs), MEMORY. O(length). */
ocelotl_status server_query_read(server_query *query, const char *text);
void server_query_free(server_query *query);

/* The last value of a name, NULL: it is not there. */
const char *server_query_get(const server_query *query, const char *name);

/* The same, and takes all pairs of that name out; the value lives as long as the query. */
const char *server_query_take(server_query *query, const char *name);

#endif
