/* Details of a part: shares, gain and loss, why it is cut or not, its siblings, its commands. */
#define _GNU_SOURCE
#include "panels.h"

#include <ocelotl/answer.h>

#include <stdio.h>
#include <string.h>

/* What is asked of. */
typedef struct place {
    uint32_t node;
    uint64_t first, last, number;
    double p, p_raw;
} place;

static ocelotl_status fail_named(const char *format, const char *name)
{
    char message[300];
    snprintf(message, sizeof message, format, name);
    return ocelotl_fail(OCELOTL_ERROR_ARGUMENT, message);
}

static ocelotl_status find_node(uint32_t *node, const ocelotl_model *model, const char *path)
{
    const uint32_t count = ocelotl_model_info_of(model).node_count;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(ocelotl_model_node_at(model, i).path, path) == 0) {
            *node = i;
            return OCELOTL_OK;
        }
    return fail_named("the picture has no node '%.200s'", path);
}

/* Whether a level is a p, which says what a part is worth. */
static ocelotl_status read_p(place *of, const server_asking *with,
                             const ocelotl_aggregation *aggregation)
{
    const ocelotl_detail *detail = &with->state.request->detail;
    if (detail->kind != OCELOTL_DETAIL_P && detail->kind != OCELOTL_DETAIL_P_RAW)
        return ocelotl_fail(OCELOTL_ERROR_ARGUMENT, "the level is not given, expected p or p-raw");
    const bool raw = detail->kind == OCELOTL_DETAIL_P_RAW;
    of->p = raw ? ocelotl_p_from_raw(aggregation, detail->p) : detail->p;
    of->p_raw = raw ? detail->p : ocelotl_p_to_raw(aggregation, detail->p);
    return OCELOTL_OK;
}

static ocelotl_status read_place(place *of, const server_asking *with,
                                 const ocelotl_aggregation *aggregation)
{
    const char *path = server_asking_get(with, "node");
    ocelotl_status status =
        find_node(&of->node, ocelotl_aggregation_model(aggregation), path != NULL ? path : "");
    if (status == OCELOTL_OK)
        status = server_asking_count(&of->first, with, "first", 0, UINT32_MAX);
    if (status == OCELOTL_OK)
        status = server_asking_count(&of->last, with, "last", of->first, UINT32_MAX);
    if (status == OCELOTL_OK)
        status = server_asking_count(&of->number, with, "number", UINT64_MAX, UINT32_MAX);
    return status == OCELOTL_OK ? read_p(of, with, aggregation) : status;
}

/* A command line with p and the number of the part where it has a place for them. */
static ocelotl_status write_line(server_asking *with, const char *text, const place *of)
{
    ocelotl_buffer line = {NULL, 0, 0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&line);
    ocelotl_status status = OCELOTL_OK;
    for (; status == OCELOTL_OK && *text != '\0'; text++) {
        char number[24];
        snprintf(number, sizeof number, "%llu", (unsigned long long)of->number);
        if (*text == 1)
            status = ocelotl_json_write_number(&sink, of->p);
        else if (*text == 2)
            status = sink.write(sink.context, number, strlen(number));
        else
            status = sink.write(sink.context, text, 1);
    }
    if (status == OCELOTL_OK)
        server_put_text(&with->out, "", line.bytes != NULL ? line.bytes : "");
    ocelotl_buffer_free(&line);
    return status;
}

static ocelotl_status write_commands(server_asking *with, const place *of)
{
    ocelotl_part_command *commands = NULL;
    size_t count = 0;
    ocelotl_status status = OCELOTL_OK;
    if (of->number != UINT64_MAX)
        status = ocelotl_part_commands_make(&commands, &count, with->state.line);
    server_put(&with->out, "[");
    for (size_t i = 0; status == OCELOTL_OK && i < count; i++) {
        server_put_text(&with->out, i == 0 ? "[" : ",[", commands[i].what);
        server_put(&with->out, ",");
        status = write_line(with, commands[i].text, of);
        server_put(&with->out, "]");
    }
    ocelotl_part_commands_free(commands, count);
    server_put(&with->out, "]");
    return status;
}

static ocelotl_status write_part(server_asking *with, const ocelotl_explanation *explanation,
                                 const place *of)
{
    server_put(&with->out, "{\"part\":");
    ocelotl_status status = ocelotl_explanation_write_json(&with->out.sink, explanation);
    server_put(&with->out, ",\"commands\":");
    if (status == OCELOTL_OK)
        status = write_commands(with, of);
    server_put(&with->out, "}\n");
    return status;
}

ocelotl_status server_answer_part(server_asking *with)
{
    ocelotl_session *session = with->room->options.session;
    const ocelotl_aggregation *aggregation = NULL;
    ocelotl_explanation *explanation = NULL;
    place of = {0};
    ocelotl_status status = ocelotl_session_aggregation(&aggregation, session, with->state.request);
    if (status == OCELOTL_OK)
        status = read_place(&of, with, aggregation);
    if (status == OCELOTL_OK)
        status = ocelotl_part_explain(&explanation, aggregation, of.node, (uint32_t)of.first,
                                      (uint32_t)of.last, of.p_raw);
    if (status == OCELOTL_OK)
        status = write_part(with, explanation, &of);
    ocelotl_explanation_free(explanation);
    return status;
}
