/* The tools of the Model Context Protocol: arguments in JSON become words of a request. */
#define _GNU_SOURCE
#include "mcp.h"

#include <ocelotl/ask.h>
#include <ocelotl/notes.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 8000 };

struct mcp_tool {
    const char *name, *what, *command;
    const char *takes; /* its arguments, a blank between them */
    const char *needs; /* one of them; NULL: none */
    ocelotl_form form;
};

#define PLACE "trace from to resource only"
#define LEVEL " metric p"

static const mcp_tool tools[] = {
    {"open", "What is in a trace: format, duration, types, and what is odd in it.", "info",
     "trace bytes", NULL, OCELOTL_FORM_TEXT},
    {"explain", "What a trace does, in sentences: its phases, and what stands out. Begin here.",
     "explain", "trace from to resource sentences bytes", NULL, OCELOTL_FORM_TEXT},
    {"brief",
     "The most detailed description that fits `bytes`, a line for each part of the optimal "
     "partition. Its second line has the p that its numbers of parts belong to: give both to "
     "other tools, with the same other arguments.",
     "brief", PLACE LEVEL " bytes", NULL, OCELOTL_FORM_TEXT},
    {"zoom", "The same of what is inside one part.", "brief", PLACE LEVEL " part bytes", "part",
     OCELOTL_FORM_TEXT},
    {"parts", "The parts as a table, with their gain and loss.", "parts",
     PLACE LEVEL " parts sort bytes", NULL, OCELOTL_FORM_TEXT},
    {"why", "Why a part is cut from what is around it: which types make the cut.", "parts",
     PLACE LEVEL " why bytes", "why", OCELOTL_FORM_TEXT},
    {"stats", "Totals by type and value: time, shares, counts, durations.", "stats",
     PLACE LEVEL " part at sort bytes", NULL, OCELOTL_FORM_TEXT},
    {"compare", "What differs between two traces, or two windows of one, in seconds.", "compare",
     "trace second from to from2 to2 resource bytes", NULL, OCELOTL_FORM_TEXT},
    {"picture", "The overview as a picture.", "overview", PLACE LEVEL " parts part", NULL,
     OCELOTL_FORM_PNG},
    {"gantt", "The events as a picture.", "gantt", PLACE LEVEL " part", NULL, OCELOTL_FORM_PNG},
};

/* What arguments are, in few words: a model reads them for each tool. "": the words that the option
 * takes. Those that are no operands are options of the command, or of mcp. */
static const struct {
    const char *name, *what;
} known[] = {
    {"trace", "default: the first"},
    {"second", "the other trace"},
    {"from", "as 1.5s or 40%"},
    {"to", "as from"},
    {"from2", "of the second window"},
    {"to2", "as from2"},
    {"resource", "paths; with all below"},
    {"only", "types or values; globs"},
    {"metric", "as event-count, variable-mean"},
    {"p", "0: all detail, to 1: one part"},
    {"parts", "most parts, instead of p"},
    {"part", "number of a part at this p"},
    {"why", "number of a part at this p"},
    {"at", "say it for each resource of this type"},
    {"sort", ""},
    {"sentences", "how many at most"},
    {"bytes", "most bytes of text"},
};

enum { TOOLS = sizeof tools / sizeof tools[0], KNOWN = sizeof known / sizeof known[0] };

const mcp_tool *mcp_find_tool(const char *name)
{
    for (size_t i = 0; i < TOOLS; i++)
        if (strcmp(tools[i].name, name) == 0)
            return &tools[i];
    return NULL;
}

static bool takes(const mcp_tool *tool, const char *name, size_t length)
{
    const char *list = tool->takes;
    for (size_t word; (word = strcspn(list, " ")) > 0; list += word + (list[word] != '\0'))
        if (word == length && memcmp(list, name, length) == 0)
            return true;
    return false;
}

/* --- What is listed */

/* The traces are listed once, by the first tool. */
static void put_argument(server_out *out, const mcp_server *of, const mcp_tool *tool, size_t i)
{
    const ocelotl_request *initial = of->initial;
    const bool is_bytes = strcmp(known[i].name, "bytes") == 0;
    const ocelotl_parameter row =
        ocelotl_parameter_find(is_bytes ? "mcp" : tool->command, known[i].name);
    const bool count = strcmp(row.value, "N") == 0 || strcmp(row.value, "PART") == 0;
    server_put(out,
               i == 0 ? "%s:{\"description\":%s,\"type\":" : ",%s:{\"description\":%s,\"type\":",
               known[i].name, known[i].what[0] != '\0' ? known[i].what : row.value);
    server_put(out, count                         ? "\"integer\""
                    : strcmp(row.value, "X") == 0 ? "\"number\""
                    : row.repeatable              ? "\"array\",\"items\":{\"type\":\"string\"}"
                                                  : "\"string\"");
    for (size_t j = 0; tool == tools && i == 0 && j < initial->operand_count; j++)
        server_put(out, j == 0 ? ",\"enum\":[%s" : ",%s", initial->operands[j]);
    server_put(out, tool == tools && i == 0 ? "]}" : "}");
}

static void put_tool(server_out *out, const mcp_server *of, const mcp_tool *tool)
{
    server_put(out, "{\"name\":%s,\"description\":%s,\"annotations\":{\"readOnlyHint\":true},",
               tool->name, tool->what);
    server_put(out, "\"inputSchema\":{\"type\":\"object\",\"properties\":{");
    for (size_t i = 0; i < KNOWN; i++)
        if (takes(tool, known[i].name, strlen(known[i].name)))
            put_argument(out, of, tool, i);
    server_put(out, tool->needs != NULL ? "},\"required\":[%s]}}" : "}}}", tool->needs);
}

void mcp_put_tools(server_out *out, const mcp_server *of)
{
    server_put(out, "{\"tools\":");
    for (size_t i = 0; i < TOOLS; i++) {
        server_put(out, i == 0 ? "[" : ",");
        put_tool(out, of, &tools[i]);
    }
    server_put(out, "]}");
}

/* --- What is asked */

typedef struct asked {
    mcp_server *of;
    const mcp_tool *tool;
    const ocelotl_json *arguments;
    size_t trace, second; /* places of the operands */
    uint32_t bytes;
} asked;

/* A text that begins with @ is a name: no file is read. */
static ocelotl_status set_value(ocelotl_request *request, const ocelotl_parameter *row,
                                const ocelotl_json *value)
{
    char *text = NULL;
    char *name = NULL;
    if (value->kind != '"' && value->kind != '0')
        return server_fail(OCELOTL_ERROR_ARGUMENT, "argument %s: expected %s", row->name,
                           row->repeatable ? "texts in a list" : "a text or a number");
    ocelotl_status status = ocelotl_json_text(&text, value);
    if (status == OCELOTL_OK && row->repeatable && text[0] == '@' &&
        asprintf(&name, "@%s", text) < 0)
        status = ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
    if (status == OCELOTL_OK)
        status = ocelotl_request_set(request, row->name, name != NULL ? name : text);
    free(text);
    free(name);
    return status;
}

static ocelotl_status set_option(ocelotl_request *request, const asked *with, const char *name)
{
    const ocelotl_parameter row = ocelotl_parameter_find(request->command, name);
    const ocelotl_json value = ocelotl_json_member(with->arguments, name);
    ocelotl_json key;
    ocelotl_json one;
    size_t at = 0;
    ocelotl_status status = OCELOTL_OK;
    if (row.name[0] == '\0' || value.kind == 0 || (value.kind == 'a' && value.bytes[0] == 'n'))
        return OCELOTL_OK;
    if (value.kind != '[' || !row.repeatable)
        return set_value(request, &row, &value);
    while (status == OCELOTL_OK && ocelotl_json_next(&key, &one, &value, &at))
        status = set_value(request, &row, &one);
    return status;
}

/* One of the traces that the server was given, by its path there. */
static ocelotl_status find_trace(size_t *place, const asked *with, const char *name)
{
    const ocelotl_request *initial = with->of->initial;
    const ocelotl_json value = ocelotl_json_member(with->arguments, name);
    char *text = NULL;
    if (value.kind == 0)
        return OCELOTL_OK;
    const ocelotl_status status = ocelotl_json_text(&text, &value);
    if (status != OCELOTL_OK)
        return status;
    size_t i = 0;
    while (i < initial->operand_count && strcmp(initial->operands[i], text) != 0)
        i++;
    free(text);
    *place = i;
    return i < initial->operand_count
               ? OCELOTL_OK
               : server_fail(OCELOTL_ERROR_ARGUMENT,
                             "argument %s is none of the traces that the server was given, as %s",
                             name, initial->operands[0]);
}

static ocelotl_status find_bytes(asked *with)
{
    ocelotl_request *own = NULL;
    ocelotl_status status = ocelotl_request_new(&own, "mcp");
    if (status == OCELOTL_OK)
        status = set_option(own, with, "bytes");
    if (status == OCELOTL_OK)
        with->bytes = own->bytes > 0 ? own->bytes : with->of->initial->bytes;
    if (with->bytes == 0)
        with->bytes = BYTES;
    ocelotl_request_free(own);
    return status;
}

static ocelotl_status check_names(const asked *with)
{
    ocelotl_json name;
    ocelotl_json value;
    size_t at = 0;
    if (with->arguments->kind != 0 && with->arguments->kind != '{')
        return ocelotl_fail(OCELOTL_ERROR_ARGUMENT, "the arguments are no object");
    while (ocelotl_json_next(&name, &value, with->arguments, &at))
        if (!takes(with->tool, name.bytes, name.length))
            return server_fail(OCELOTL_ERROR_ARGUMENT, "unknown argument %.*s, expected one of %s",
                               (int)(name.length < 100 ? name.length : 100), name.bytes,
                               with->tool->takes);
    if (with->tool->needs != NULL &&
        ocelotl_json_member(with->arguments, with->tool->needs).kind == 0)
        return server_fail(OCELOTL_ERROR_ARGUMENT, "argument %s is missing", with->tool->needs);
    return OCELOTL_OK;
}

static bool compares(const asked *with)
{
    return strcmp(with->tool->command, "compare") == 0;
}

static ocelotl_status check(asked *with)
{
    ocelotl_status status = check_names(with);
    if (status == OCELOTL_OK)
        status = find_bytes(with);
    if (status == OCELOTL_OK)
        status = find_trace(&with->trace, with, "trace");
    with->second = with->trace;
    if (status == OCELOTL_OK)
        status = find_trace(&with->second, with, "second");
    if (status == OCELOTL_OK && compares(with) && with->second == with->trace &&
        ocelotl_json_member(with->arguments, "from2").kind == 0 &&
        ocelotl_json_member(with->arguments, "to2").kind == 0)
        return ocelotl_fail(OCELOTL_ERROR_ARGUMENT,
                            "a trace differs in nothing from itself: expected another one as "
                            "second, or a second window of it, from2 and to2");
    return status;
}

/* Options of reading are those that the server was given. What chooses the partition of a part
 * comes before that part. */
static ocelotl_status set_options(ocelotl_request *request, const asked *with)
{
    char bytes[16];
    const ocelotl_request *initial = with->of->initial;
    const mcp_tool *tool = with->tool;
    ocelotl_status status = OCELOTL_OK;
    snprintf(bytes, sizeof bytes, "%u", (unsigned)with->bytes);
    for (size_t i = 0; i < initial->given_count && status == OCELOTL_OK; i++)
        if (strcmp(initial->given[i].name, "bytes") != 0 &&
            ocelotl_parameter_find(tool->command, initial->given[i].name).name[0] != '\0')
            status = ocelotl_request_set(request, initial->given[i].name, initial->given[i].value);
    if (status == OCELOTL_OK && strcmp(tool->command, "brief") == 0)
        status = ocelotl_request_set(request, "bytes", bytes);
    if (status == OCELOTL_OK && tool->form == OCELOTL_FORM_PNG)
        status = ocelotl_request_set(request, "width", "1000");
    if (status == OCELOTL_OK && tool->form == OCELOTL_FORM_PNG)
        status = ocelotl_request_set(request, "height", "700");
    for (size_t i = 0; i < KNOWN && status == OCELOTL_OK; i++)
        status = set_option(request, with, known[i].name);
    return status;
}

static ocelotl_status fill(ocelotl_request *request, const asked *with)
{
    const ocelotl_request *initial = with->of->initial;
    const char *operands[] = {"--", initial->operands[with->trace],
                              initial->operands[with->second]};
    ocelotl_status status = set_options(request, with);
    if (status == OCELOTL_OK)
        status = ocelotl_request_parse(request, compares(with) ? 3 : 2, operands);
    return status == OCELOTL_OK ? ocelotl_request_check(request) : status;
}

/* --- What is answered */

static ocelotl_status write_info(const ocelotl_sink *sink, ocelotl_session *session,
                                 const char *path)
{
    ocelotl_trace *trace = NULL;
    ocelotl_notes *notes = NULL;
    const char *choices = NULL;
    ocelotl_status status = ocelotl_session_trace(&trace, session);
    if (status == OCELOTL_OK)
        status = ocelotl_notes_read(&notes, path);
    if (status == OCELOTL_OK)
        status = ocelotl_session_choices(&choices, session);
    if (status == OCELOTL_OK)
        status = ocelotl_info_write(sink, OCELOTL_FORM_TEXT, trace, notes, choices);
    ocelotl_notes_free(notes);
    return status;
}

static ocelotl_status draw_overview(const ocelotl_sink *sink, ocelotl_session *session,
                                    const ocelotl_request *request)
{
    const ocelotl_model *model = NULL;
    ocelotl_partition *partition = NULL;
    ocelotl_picture_options view = request->view;
    ocelotl_status status = ocelotl_session_model(&model, session, request);
    if (status == OCELOTL_OK)
        status = ocelotl_request_fit_view(&view, request, model);
    if (status == OCELOTL_OK)
        status = ocelotl_session_partition(&partition, session, request);
    if (status == OCELOTL_OK)
        status = ocelotl_session_draw_overview(sink, OCELOTL_PICTURE_PNG, session, request,
                                               partition, &view);
    ocelotl_partition_free(partition);
    return status;
}

static ocelotl_status keep(void *context, const void *bytes, size_t size)
{
    mcp_result *result = context;
    const ocelotl_sink sink = ocelotl_buffer_sink(&result->bytes);
    const size_t room = result->most > 0 ? result->most - result->bytes.size : size;
    result->size += size;
    return size > 0 && room > 0 ? sink.write(sink.context, bytes, size < room ? size : room)
                                : OCELOTL_OK;
}

static ocelotl_status write_answer(mcp_result *result, const asked *with,
                                   const ocelotl_request *request)
{
    ocelotl_session *session = with->of->sessions[with->trace];
    const ocelotl_sink sink = {keep, result};
    ocelotl_buffer_free(&result->bytes);
    result->size = 0;
    if (strcmp(request->command, "info") == 0)
        return write_info(&sink, session, request->operands[0]);
    if (strcmp(request->command, "overview") == 0)
        return draw_overview(&sink, session, request);
    const ocelotl_status status =
        ocelotl_answer_check(request, with->tool->form, NULL, &request->view);
    return status == OCELOTL_OK ? ocelotl_ask(&sink, session, request, with->tool->form) : status;
}

/* Asks once more where the cache was damaged, which is imported anew then. */
static ocelotl_status answer(mcp_result *result, const asked *with)
{
    ocelotl_session *session = with->of->sessions[with->trace];
    ocelotl_request *request = NULL;
    ocelotl_status status = ocelotl_request_new(&request, with->tool->command);
    if (status == OCELOTL_OK)
        status = fill(request, with);
    ocelotl_session_release(session);
    if (status == OCELOTL_OK) {
        status = write_answer(result, with, request);
        if (status == OCELOTL_ERROR_INPUT && ocelotl_session_is_damaged(session) &&
            ocelotl_session_renew(session) == OCELOTL_OK)
            status = write_answer(result, with, request);
    }
    ocelotl_request_free(request);
    return status;
}

ocelotl_status mcp_use_tool(mcp_result *result, mcp_server *of, const mcp_tool *tool,
                            const ocelotl_json *arguments)
{
    asked with = {.of = of, .tool = tool, .arguments = arguments};
    ocelotl_status status = check(&with);
    result->is_picture = tool->form == OCELOTL_FORM_PNG;
    result->most = result->is_picture ? 0 : with.bytes;
    if (status == OCELOTL_OK)
        status = answer(result, &with);
    return status;
}
