/* The tools of the Model Context Protocol: arguments in JSON become words of a request. */
#define _GNU_SOURCE
#include "mcp.h"

#include <ocelotl/ask.h>
#include <ocelotl/notes.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 200, BYTES = 8000, BYTES_LEAST = 500, BYTES_MOST = 1000000, LARGEST = 2000 };

struct mcp_tool {
    const char *name, *what, *command;
    const char *options; /* of the command, a blank between them, in the order they are given in */
    const char *needs;   /* an argument; NULL: none */
    ocelotl_form form;
};

#define PLACE  "from to resource only except"
#define MODEL  " metric slices"
#define DETAIL " p parts"

/* What chooses the partition of a part comes before that part. */
static const mcp_tool tools[] = {
    {"open",
     "What is in a trace: format, duration, types of resources and events, and what is odd in it.",
     "info", "", NULL, OCELOTL_FORM_TEXT},
    {"explain",
     "What a trace does, in sentences: its phases, and what stands out, by whom, when, at what "
     "cost. Begin here.",
     "explain", PLACE " sentences", NULL, OCELOTL_FORM_TEXT},
    {"brief",
     "The most detailed description of the trace that fits `bytes`: a line for each part of its "
     "optimal partition, with the number of the part. The second line has the p that these "
     "numbers belong to; give both to the other tools.",
     "brief", PLACE MODEL DETAIL, NULL, OCELOTL_FORM_TEXT},
    {"zoom", "The same of what is inside one part.", "brief", PLACE MODEL DETAIL " part", "part",
     OCELOTL_FORM_TEXT},
    {"parts", "The parts of the overview, with their gain and loss.", "parts",
     PLACE MODEL DETAIL " part sort", NULL, OCELOTL_FORM_TEXT},
    {"why",
     "Why a part is cut from what is around it: which types make the cut, and what each adds.",
     "parts", PLACE MODEL DETAIL " why", "why", OCELOTL_FORM_TEXT},
    {"stats", "Totals by event type and value: time, shares, counts, durations.", "stats",
     PLACE MODEL DETAIL " part at sort of type", NULL, OCELOTL_FORM_TEXT},
    {"compare", "What differs between two traces, or two windows of one, in seconds.", "compare",
     PLACE " from2 to2 metric", NULL, OCELOTL_FORM_TEXT},
    {"picture", "The overview as a picture.", "overview",
     PLACE MODEL DETAIL " part view width height", NULL, OCELOTL_FORM_PNG},
    {"gantt", "The events of a window, or of a part, over time, as a picture.", "gantt",
     PLACE MODEL DETAIL " part width height", NULL, OCELOTL_FORM_PNG},
};

enum { TOOLS = sizeof tools / sizeof tools[0] };

const mcp_tool *mcp_find_tool(const char *name)
{
    for (size_t i = 0; i < TOOLS; i++)
        if (strcmp(tools[i].name, name) == 0)
            return &tools[i];
    return NULL;
}

static ocelotl_status fail(ocelotl_status status, const char *format, ...)
{
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): the analyser loses the list
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return ocelotl_fail(status, message);
}

/* Takes the next word of a list; false at its end. */
static bool next_word(char word[32], const char **words)
{
    const size_t length = strcspn(*words, " ");
    snprintf(word, 32, "%.*s", (int)length, *words);
    *words += length + ((*words)[length] != '\0');
    return word[0] != '\0';
}

/* --- What is listed */

/* Some options share the help of the one behind them. */
static const char *find_help(const char *command, const char *name)
{
    const char *help = "";
    bool found = false;
    for (size_t i = 0; i < ocelotl_parameter_count(command) && help[0] == '\0'; i++) {
        const ocelotl_parameter row = ocelotl_parameter_at(command, i);
        found = found || strcmp(row.name, name) == 0;
        help = found ? row.help : "";
    }
    return help;
}

static void put_option(server_out *out, const char *command, const char *name)
{
    const ocelotl_parameter row = ocelotl_parameter_find(command, name);
    const bool count = strcmp(row.value, "N") == 0 || strcmp(row.value, "PART") == 0;
    server_put(out, ",%s:{\"description\":", name);
    server_put(out, "%s,", find_help(command, name));
    if (row.repeatable)
        server_put(out, "\"type\":\"array\",\"items\":{\"type\":[\"string\",\"integer\"]}}");
    else if (count)
        server_put(out, "\"type\":\"integer\"}");
    else
        server_put(out, row.value[0] == '\0' ? "\"type\":\"boolean\"}"
                                             : "\"type\":[\"string\",\"number\"]}");
}

static void put_traces(server_out *out, const mcp_server *of, const char *name, const char *what)
{
    const ocelotl_request *initial = of->initial;
    server_put(out, "%s:{\"type\":\"string\",\"description\":%s,\"enum\":[", name, what);
    for (size_t i = 0; i < initial->operand_count; i++)
        server_put(out, i == 0 ? "%s" : ",%s", initial->operands[i]);
    server_put(out, "]}");
}

static void put_tool(server_out *out, const mcp_server *of, const mcp_tool *tool)
{
    char name[32];
    const char *options = tool->options;
    server_put(out, "{\"name\":%s,\"description\":%s,", tool->name, tool->what);
    server_put(out, "\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false},"
                    "\"inputSchema\":{\"type\":\"object\",\"additionalProperties\":false,"
                    "\"properties\":{");
    put_traces(out, of, "trace", "which trace (default: the first)");
    if (strcmp(tool->command, "compare") == 0) {
        server_put(out, ",");
        put_traces(out, of, "second", "the trace to compare with (default: the same)");
    }
    if (tool->form == OCELOTL_FORM_TEXT)
        server_put(out, ",\"bytes\":{\"type\":\"integer\",\"description\":%s}",
                   "the most bytes of text to answer with, 500 to 1000000");
    while (next_word(name, &options))
        put_option(out, tool->command, name);
    server_put(out, "}");
    if (tool->needs != NULL)
        server_put(out, ",\"required\":[%s]", tool->needs);
    server_put(out, "}}");
}

void mcp_put_tools(server_out *out, const mcp_server *of)
{
    server_put(out, "{\"tools\":[");
    for (size_t i = 0; i < TOOLS; i++) {
        server_put(out, i == 0 ? "" : ",");
        put_tool(out, of, &tools[i]);
    }
    server_put(out, "]}");
}

/* --- What is asked */

typedef struct asked {
    mcp_server *of;
    const mcp_tool *tool;
    const ocelotl_json *arguments;
    char *words[MOST_WORDS];
    size_t count;
    size_t trace, second; /* places of the operands */
    size_t bytes;
} asked;

static ocelotl_status add_word(asked *with, const char *format, const char *a, const char *b)
{
    char *word = NULL;
    if (with->count == MOST_WORDS)
        return fail(OCELOTL_ERROR_LIMIT, "there are more than %d values", MOST_WORDS);
    if (asprintf(&word, format, a, b) < 0)
        return ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
    with->words[with->count++] = word;
    return OCELOTL_OK;
}

/* A text that begins with @ is a name: no file is read. */
static ocelotl_status add_value(asked *with, const ocelotl_parameter *row,
                                const ocelotl_json *value)
{
    char *text = NULL;
    const bool flag = row->value[0] == '\0';
    const bool is_true = value->kind == 'a' && value->bytes[0] == 't';
    const bool is_false = value->kind == 'a' && value->bytes[0] == 'f';
    if (flag && (is_true || is_false))
        return is_true ? add_word(with, "--%s%s", row->name, "") : OCELOTL_OK;
    if (flag || (value->kind != '"' && value->kind != '0'))
        return fail(OCELOTL_ERROR_ARGUMENT, "argument %s: expected %s", row->name,
                    flag              ? "true or false"
                    : row->repeatable ? "texts in a list"
                                      : "a text or a number");
    ocelotl_status status = ocelotl_json_text(&text, value);
    if (status == OCELOTL_OK)
        status = add_word(with, row->repeatable && text[0] == '@' ? "--%s=@%s" : "--%s=%s",
                          row->name, text);
    free(text);
    return status;
}

static ocelotl_status add_option(asked *with, const char *name)
{
    const ocelotl_parameter row = ocelotl_parameter_find(with->tool->command, name);
    const ocelotl_json value = ocelotl_json_member(with->arguments, name);
    ocelotl_json key;
    ocelotl_json one;
    size_t at = 0;
    ocelotl_status status = OCELOTL_OK;
    if (value.kind == 0 || (value.kind == 'a' && value.bytes[0] == 'n'))
        return OCELOTL_OK;
    if (value.kind != '[' || !row.repeatable)
        return add_value(with, &row, &value);
    while (status == OCELOTL_OK && ocelotl_json_next(&key, &one, &value, &at))
        status = add_value(with, &row, &one);
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
               : fail(OCELOTL_ERROR_ARGUMENT,
                      "argument %s is none of the traces that the server was given, as %s", name,
                      initial->operands[0]);
}

static ocelotl_status find_bytes(asked *with)
{
    const ocelotl_json value = ocelotl_json_member(with->arguments, "bytes");
    const uint32_t initial = with->of->initial->bytes;
    char *end = NULL;
    with->bytes = initial > 0 ? initial : BYTES;
    if (value.kind == 0)
        return OCELOTL_OK;
    with->bytes = value.kind == '0' ? strtoul(value.bytes, &end, 10) : 0;
    return end == value.bytes + value.length && with->bytes >= BYTES_LEAST &&
                   with->bytes <= BYTES_MOST
               ? OCELOTL_OK
               : fail(OCELOTL_ERROR_ARGUMENT, "argument bytes: expected a number from %d to %d",
                      BYTES_LEAST, BYTES_MOST);
}

static bool is_known(const mcp_tool *tool, const ocelotl_json *name)
{
    char word[32];
    const char *lists[] = {tool->options, tool->form == OCELOTL_FORM_TEXT ? "trace bytes" : "trace",
                           strcmp(tool->command, "compare") == 0 ? "second" : ""};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        while (next_word(word, &lists[i]))
            if (strlen(word) == name->length && memcmp(word, name->bytes, name->length) == 0)
                return true;
    return false;
}

static ocelotl_status check_names(const asked *with)
{
    ocelotl_json name;
    ocelotl_json value;
    size_t at = 0;
    if (with->arguments->kind != 0 && with->arguments->kind != '{')
        return fail(OCELOTL_ERROR_ARGUMENT, "the arguments are no object");
    while (ocelotl_json_next(&name, &value, with->arguments, &at))
        if (!is_known(with->tool, &name))
            return fail(OCELOTL_ERROR_ARGUMENT, "unknown argument %.*s, expected trace%s%s",
                        (int)(name.length < 100 ? name.length : 100), name.bytes,
                        with->tool->options[0] != '\0' ? " or one of " : "", with->tool->options);
    if (with->tool->needs != NULL &&
        ocelotl_json_member(with->arguments, with->tool->needs).kind == 0)
        return fail(OCELOTL_ERROR_ARGUMENT, "argument %s is missing", with->tool->needs);
    return OCELOTL_OK;
}

static ocelotl_status add_words(asked *with)
{
    char name[32];
    char number[32];
    const mcp_tool *tool = with->tool;
    const char *options = tool->options;
    ocelotl_status status = check_names(with);
    if (status == OCELOTL_OK)
        status = find_bytes(with);
    if (status == OCELOTL_OK)
        status = find_trace(&with->trace, with, "trace");
    with->second = with->trace;
    if (status == OCELOTL_OK && strcmp(tool->command, "compare") == 0)
        status = find_trace(&with->second, with, "second");
    snprintf(number, sizeof number, "%zu", with->bytes);
    if (status == OCELOTL_OK && strcmp(tool->command, "brief") == 0)
        status = add_word(with, "--%s=%s", "bytes", number);
    if (status == OCELOTL_OK && tool->form == OCELOTL_FORM_PNG)
        status = add_word(with, "--%s=%s", "width", "1000");
    if (status == OCELOTL_OK && tool->form == OCELOTL_FORM_PNG)
        status = add_word(with, "--%s=%s", "height", "700");
    while (status == OCELOTL_OK && next_word(name, &options))
        status = add_option(with, name);
    return status;
}

/* Options of reading are those that the server was given. */
static ocelotl_status fill(ocelotl_request *request, const asked *with)
{
    const ocelotl_request *initial = with->of->initial;
    const char *operands[] = {"--", initial->operands[with->trace],
                              initial->operands[with->second]};
    ocelotl_status status = OCELOTL_OK;
    for (size_t i = 0; i < initial->given_count && status == OCELOTL_OK; i++)
        if (strcmp(initial->given[i].name, "bytes") != 0 &&
            ocelotl_parameter_find(request->command, initial->given[i].name).name[0] != '\0')
            status = ocelotl_request_set(request, initial->given[i].name, initial->given[i].value);
    if (status == OCELOTL_OK)
        status = ocelotl_request_parse(request, with->count, (const char *const *)with->words);
    if (status == OCELOTL_OK)
        status = ocelotl_request_parse(request, strcmp(request->command, "compare") == 0 ? 3 : 2,
                                       operands);
    if (status == OCELOTL_OK)
        status = ocelotl_request_check(request);
    if (status == OCELOTL_OK && (request->view.width > LARGEST || request->view.height > LARGEST))
        status = fail(OCELOTL_ERROR_LIMIT, "pictures have at most %d pixels a side", LARGEST);
    return status;
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
    ocelotl_status status = ocelotl_overview_check(NULL, request->model.kind, &view);
    if (status == OCELOTL_OK)
        status = ocelotl_session_model(&model, session, request);
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
    ocelotl_status status = add_words(&with);
    result->is_picture = tool->form == OCELOTL_FORM_PNG;
    result->most = result->is_picture ? 0 : with.bytes;
    if (status == OCELOTL_OK)
        status = answer(result, &with);
    for (size_t i = 0; i < with.count; i++)
        free(with.words[i]);
    return status;
}
