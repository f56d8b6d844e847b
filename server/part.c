/* Details of a part: shares, gain and loss, why it is cut or not, its siblings, its commands. */
#define _GNU_SOURCE
#include "routes.h"

#include <ocelotl/answer.h>

#include <stdio.h>
#include <string.h>

/* What is asked of. */
typedef struct place {
    uint32_t node;
    uint64_t first, last, number;
    double p, p_raw;
} place;

static ocelotl_status find_node(uint32_t *node, const ocelotl_model *model, const char *path)
{
    const uint32_t count = ocelotl_model_info_of(model).node_count;
    char message[300];
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(ocelotl_model_node_at(model, i).path, path) == 0) {
            *node = i;
            return OCELOTL_OK;
        }
    snprintf(message, sizeof message, "the picture has no node '%.200s'", path);
    return ocelotl_fail(OCELOTL_ERROR_ARGUMENT, message);
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

static bool read_place(place *of, server_asking *with, const ocelotl_aggregation *aggregation)
{
    const char *path = server_asking_get(with, "node");
    return server_hold(&with->out, find_node(&of->node, ocelotl_aggregation_model(aggregation),
                                             path != NULL ? path : "")) &&
           server_asking_count(&of->first, with, "first", 0, UINT32_MAX) &&
           server_asking_count(&of->last, with, "last", of->first, UINT32_MAX) &&
           server_asking_count(&of->number, with, "number", UINT64_MAX, UINT32_MAX) &&
           server_hold(&with->out, read_p(of, with, aggregation));
}

/* A command line with p and the number of the part where it has a place for them. */
static void put_line(server_out *out, const char *text, const place *of)
{
    ocelotl_buffer bytes = {NULL, 0, 0};
    server_out line = {.sink = ocelotl_buffer_sink(&bytes)};
    char number[24];
    snprintf(number, sizeof number, "%llu", (unsigned long long)of->number);
    for (; *text != '\0'; text++) {
        if (*text == 1)
            server_put_number(&line, "", of->p);
        else if (*text == 2)
            server_put(&line, number);
        else
            server_put_bytes(&line, text, 1);
    }
    if (server_hold(out, line.status))
        server_put_text(out, "", bytes.bytes != NULL ? bytes.bytes : "");
    ocelotl_buffer_free(&bytes);
}

static void put_part(server_asking *with, const ocelotl_explanation *explanation, const place *of)
{
    server_out *out = &with->out;
    ocelotl_part_command *commands = NULL;
    size_t count = 0;
    server_put(out, "{\"part\":");
    server_hold(out, ocelotl_explanation_write_json(&out->sink, explanation));
    if (of->number != UINT64_MAX)
        server_hold(out, ocelotl_part_commands_make(&commands, &count, with->state.line));
    server_put(out, ",\"commands\":[");
    for (size_t i = 0; i < count; i++) {
        server_put_text(out, i == 0 ? "[" : ",[", commands[i].what);
        server_put(out, ",");
        put_line(out, commands[i].text, of);
        server_put(out, "]");
    }
    server_put(out, "]}\n");
    ocelotl_part_commands_free(commands, count);
}

void server_answer_part(server_asking *with)
{
    server_out *out = &with->out;
    const ocelotl_aggregation *aggregation = NULL;
    ocelotl_explanation *explanation = NULL;
    place of = {0};
    if (server_hold(
            out, ocelotl_session_aggregation(&aggregation, with->session, with->state.request)) &&
        read_place(&of, with, aggregation) &&
        server_hold(out, ocelotl_part_explain(&explanation, aggregation, of.node,
                                              (uint32_t)of.first, (uint32_t)of.last, of.p_raw)))
        put_part(with, explanation, &of);
    ocelotl_explanation_free(explanation);
}
