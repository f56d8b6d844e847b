/* What is written to a sink, piece by piece: the first failure stays, and nothing is written behind
 * it. */
#ifndef SERVER_OUT_H
#define SERVER_OUT_H

#include <ocelotl/sink.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct server_out {
    ocelotl_sink sink;
    ocelotl_status status;
} server_out;

/* Keeps a failure, unless there was one before. Returns whether all went well so far. */
bool server_hold(server_out *out, ocelotl_status status);

/* Writes bytes, or a text, as they are. */
void server_put_bytes(server_out *out, const char *bytes, size_t size);
void server_put(server_out *out, const char *text);

/* Writes a text as it is, and behind it another as a string of JSON, or a number. */
void server_put_text(server_out *out, const char *before, const char *text);
void server_put_number(server_out *out, const char *before, double number);

/* The same of texts that are words between bars: a string for each. */
void server_put_words(server_out *out, const char *words);

#endif
