/* A server of the Model Context Protocol (docs/mcp.md): what is said and answered, without its
 * input and output. */
#ifndef SERVER_MCP_H
#define SERVER_MCP_H

#include "answers.h"

#include <ocelotl/answer.h>

typedef struct mcp_server {
    const ocelotl_request *initial; /* of the command "mcp": its operands are the traces */
    ocelotl_session **sessions;     /* of each trace one */
    ocelotl_buffer said;            /* what sessions report while a tool is used, a line each */
} mcp_server;

/* Writes the answer to a message, or to several in a list, with a line end; nothing where none is
 * wanted. Behind the message are OCELOTL_JSON_MARGIN bytes of 0. Errors: those of the sink, MEMORY:
 * what is wrong with the message is an answer. */
ocelotl_status mcp_answer(const ocelotl_sink *sink, mcp_server *of, const char *message,
                          size_t size);

/* Writes the answer to what is no message. */
ocelotl_status mcp_answer_problem(const ocelotl_sink *sink, const char *problem);

/* --- Tools (mcp_tools.c) */

typedef struct mcp_tool mcp_tool;

/* The tool of a name; NULL: there is none. */
const mcp_tool *mcp_find_tool(const char *name);

/* Writes the list of tools, as JSON. */
void mcp_put_tools(server_out *out, const mcp_server *of);

/* What a tool gives: a text, or a picture as PNG. */
typedef struct mcp_result {
    ocelotl_buffer bytes;
    size_t most, size; /* bytes that are kept; 0: all. That there are */
    bool is_picture;
} mcp_result;

/* Uses a tool. Errors: those of the question, with what is wrong in the message. */
ocelotl_status mcp_use_tool(mcp_result *result, mcp_server *of, const mcp_tool *tool,
                            const ocelotl_json *arguments);

#endif
