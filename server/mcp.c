/* Messages of the Model Context Protocol: JSON-RPC 2.0, a line each. */
#include "mcp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NO_JSON = -32700,
    NO_REQUEST = -32600,
    NO_METHOD = -32601,
    WRONG_PARAMS = -32602,
    FAILED = -32603
};

/* A request, and where its answer goes. */
typedef struct call {
    server_out *out;
    mcp_server *of;
    ocelotl_json id, params;
} call;

/* --- Answers */

static bool is_whole_number(const ocelotl_json *value)
{
    const size_t sign = value->length > 0 && value->bytes[0] == '-';
    const size_t digits = value->length - sign;
    size_t i = sign;
    while (i < value->length && value->bytes[i] >= '0' && value->bytes[i] <= '9')
        i++;
    return value->kind == '0' && i == value->length && digits > 0 &&
           (digits == 1 || value->bytes[sign] != '0');
}

static void put_text(server_out *out, const ocelotl_json *value)
{
    char *text = NULL;
    if (server_hold(out, ocelotl_json_text(&text, value)))
        server_put(out, "%s", text);
    free(text);
}

static void begin_answer(server_out *out, const ocelotl_json *id, const char *member)
{
    server_put(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    if (id->kind == '"')
        put_text(out, id);
    else if (is_whole_number(id))
        server_put_bytes(out, id->bytes, id->length);
    else if (id->kind == '0')
        server_put(out, "%g", strtod(id->bytes, NULL));
    else
        server_put(out, "null");
    server_put(out, ",%s:", member);
}

static void put_problem(server_out *out, const ocelotl_json *id, int code, const char *problem)
{
    begin_answer(out, id, "error");
    server_put(out, "{\"code\":%g,\"message\":%s}}", (double)code, problem);
}

/* --- Methods */

/* The version of the client, where it is one of these; else the first. */
static void initialize(const call *is)
{
    static const char *const versions[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};
    const ocelotl_json wanted = ocelotl_json_member(&is->params, "protocolVersion");
    const char *version = versions[0];
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++)
        if (wanted.kind == '"' && wanted.length == strlen(versions[i]) &&
            memcmp(wanted.bytes, versions[i], wanted.length) == 0)
            version = versions[i];
    begin_answer(is->out, &is->id, "result");
    server_put(is->out,
               "{\"protocolVersion\":%s,\"capabilities\":{\"tools\":{}},"
               "\"serverInfo\":{\"name\":\"ocelotl\",\"version\":%s},\"instructions\":%s}}",
               version, ocelotl_version(),
               "Traces of programs, described by the parts of their best partition. explain and "
               "brief say what a trace does; zoom, why, stats, picture and gantt ask further of a "
               "part, by its number and the p that brief gave with it.");
}

static void ping(const call *is)
{
    begin_answer(is->out, &is->id, "result");
    server_put(is->out, "{}}");
}

static void list_tools(const call *is)
{
    begin_answer(is->out, &is->id, "result");
    mcp_put_tools(is->out, is->of);
    server_put(is->out, "}");
}

static void put_base64(server_out *out, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const unsigned long b = i + 1 < size ? bytes[i + 1] : 0;
        const unsigned long c = i + 2 < size ? bytes[i + 2] : 0;
        const unsigned long three = (unsigned long)bytes[i] << 16 | b << 8 | c;
        char four[] = {digits[three >> 18], digits[three >> 12 & 63], '=', '='};
        if (i + 1 < size)
            four[2] = digits[three >> 6 & 63];
        if (i + 2 < size)
            four[3] = digits[three & 63];
        server_put_bytes(out, four, sizeof four);
    }
}

/* A text that is too long ends with a whole line, and says so. */
static void put_bounded(server_out *out, mcp_result *result)
{
    char note[120];
    char *bytes = result->bytes.bytes != NULL ? result->bytes.bytes : "";
    if (result->most == 0 || result->size <= result->most) {
        server_put(out, "%s", bytes);
        return;
    }
    size_t end = result->bytes.size - sizeof note;
    while (end > 0 && bytes[end - 1] != '\n')
        end--;
    if (end == 0)
        end = result->bytes.size - sizeof note;
    snprintf(note, sizeof note, "(%zu bytes of %zu; ask for a part, a window, or more bytes)\n",
             end, result->size);
    memcpy(bytes + end, note, strlen(note) + 1);
    server_put(out, "%s", bytes);
}

static void put_content(server_out *out, mcp_server *of, ocelotl_status status, mcp_result *result)
{
    server_put(out, "{\"content\":[");
    if (status == OCELOTL_OK && of->said.size > 0)
        server_put(out, "{\"type\":\"text\",\"text\":%s},", of->said.bytes);
    if (status == OCELOTL_OK && result->is_picture) {
        server_put(out, "{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"");
        put_base64(out, (const unsigned char *)result->bytes.bytes, result->bytes.size);
        server_put(out, "\"}");
    } else {
        server_put(out, "{\"type\":\"text\",\"text\":");
        if (status == OCELOTL_OK)
            put_bounded(out, result);
        else
            server_put(out, "%s", ocelotl_error_message());
        server_put(out, "}");
    }
    server_put(out, status == OCELOTL_OK ? "],\"isError\":false}" : "],\"isError\":true}");
}

static void call_tool(const call *is)
{
    char message[160];
    char *name = NULL;
    mcp_result result = {.most = 0};
    const ocelotl_json named = ocelotl_json_member(&is->params, "name");
    const ocelotl_json arguments = ocelotl_json_member(&is->params, "arguments");
    if (!server_hold(is->out, ocelotl_json_text(&name, &named)))
        return;
    const mcp_tool *tool = mcp_find_tool(name);
    snprintf(message, sizeof message, "unknown tool \"%.100s\"", name);
    free(name);
    if (tool == NULL) {
        put_problem(is->out, &is->id, WRONG_PARAMS, message);
        return;
    }
    ocelotl_buffer_free(&is->of->said);
    const ocelotl_status status = mcp_use_tool(&result, is->of, tool, &arguments);
    begin_answer(is->out, &is->id, "result");
    put_content(is->out, is->of, status, &result);
    server_put(is->out, "}");
    ocelotl_buffer_free(&result.bytes);
}

static const struct {
    const char *name;
    void (*answer)(const call *is);
} methods[] = {{"initialize", initialize},
               {"ping", ping},
               {"tools/list", list_tools},
               {"tools/call", call_tool}};

/* --- Messages */

static void answer_method(const call *is, const char *method)
{
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (strcmp(methods[i].name, method) == 0) {
            methods[i].answer(is);
            return;
        }
    put_problem(is->out, &is->id, NO_METHOD, "no such method");
}

/* Notifications, which have no id, and answers to what was never asked, have none. */
static void answer_message(server_out *out, mcp_server *of, const ocelotl_json *message)
{
    char *method = NULL;
    const ocelotl_json none = {NULL, 0, 0};
    const ocelotl_json named = ocelotl_json_member(message, "method");
    const call is = {out, of, ocelotl_json_member(message, "id"),
                     ocelotl_json_member(message, "params")};
    const bool answers = ocelotl_json_member(message, "result").kind != 0 ||
                         ocelotl_json_member(message, "error").kind != 0;
    if (named.kind != '"' && !answers)
        put_problem(out, &none, NO_REQUEST, "a message is an object with a method");
    else if (is.id.kind != 0 && is.id.kind != '"' && is.id.kind != '0')
        put_problem(out, &none, NO_REQUEST, "the id is a text or a number");
    else if (named.kind == '"' && is.id.kind != 0 &&
             server_hold(out, ocelotl_json_text(&method, &named)))
        answer_method(&is, method);
    free(method);
}

/* The answers to a list are a list. */
static void answer_all(server_out *out, mcp_server *of, const ocelotl_json *list)
{
    ocelotl_json name;
    ocelotl_json message;
    ocelotl_buffer made = {0};
    server_out one = {.sink = ocelotl_buffer_sink(&made)};
    size_t at = 0;
    bool any = false;
    while (ocelotl_json_next(&name, &message, list, &at)) {
        ocelotl_buffer_free(&made);
        answer_message(&one, of, &message);
        if (made.size == 0)
            continue;
        server_put(out, any ? "," : "[");
        server_put_bytes(out, made.bytes, made.size);
        any = true;
    }
    ocelotl_buffer_free(&made);
    server_hold(out, one.status);
    if (any)
        server_put(out, "]");
    else if (at == 0)
        put_problem(out, &(ocelotl_json){NULL, 0, 0}, NO_REQUEST, "the list is empty");
}

/* What there is no memory for now must not end the server: the next message may need less. */
ocelotl_status mcp_answer(const ocelotl_sink *sink, mcp_server *of, const char *message,
                          size_t size)
{
    ocelotl_json value = {NULL, 0, 0};
    ocelotl_buffer made = {0};
    server_out out = {.sink = ocelotl_buffer_sink(&made)};
    const ocelotl_status status = ocelotl_json_read(&value, message, size);
    if (status == OCELOTL_ERROR_INPUT)
        return mcp_answer_problem(sink, ocelotl_error_message());
    if (status == OCELOTL_OK && value.kind == '[')
        answer_all(&out, of, &value);
    else if (server_hold(&out, status))
        answer_message(&out, of, &value);
    if (out.status != OCELOTL_OK) {
        const ocelotl_json id = ocelotl_json_member(&value, "id");
        ocelotl_buffer_free(&made);
        out.status = OCELOTL_OK;
        put_problem(&out, &id, FAILED, ocelotl_error_message());
    }
    if (made.size > 0)
        server_put(&out, "\n");
    if (out.status == OCELOTL_OK && made.size > 0)
        out.status = sink->write(sink->context, made.bytes, made.size);
    ocelotl_buffer_free(&made);
    return out.status;
}

ocelotl_status mcp_answer_problem(const ocelotl_sink *sink, const char *problem)
{
    server_out out = {.sink = *sink};
    put_problem(&out, &(ocelotl_json){NULL, 0, 0}, NO_JSON, problem);
    server_put(&out, "\n");
    return out.status;
}
