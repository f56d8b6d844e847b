#include "asking.h"

#include <ocelotl/answer.h>

#include <stdio.h>
#include <string.h>

const char server_json_type[] = "application/json";

void server_put_command(server_asking *with, const char *next)
{
    server_put_text(&with->out, "{\"command\":", with->state.line);
    server_put(&with->out, next);
}

const char *server_asking_get(const server_asking *with, const char *name)
{
    for (size_t i = 0; i < SERVER_MOST_OWN && with->route->own[i] != NULL; i++)
        if (strcmp(with->route->own[i], name) == 0)
            return with->own[i];
    return NULL;
}

static bool read_count(uint64_t *number, const char *text, uint64_t most)
{
    *number = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        const uint64_t digit = (uint64_t)(*text - '0');
        if (*text < '0' || *text > '9' || *number > most / 10 || *number * 10 > most - digit)
            return false;
        *number = *number * 10 + digit;
    }
    return true;
}

bool server_asking_count(uint64_t *number, server_asking *with, const char *name, uint64_t none,
                         uint64_t most)
{
    const char *text = server_asking_get(with, name);
    char message[200];
    *number = none;
    if (text == NULL || read_count(number, text, most))
        return true;
    snprintf(message, sizeof message, "%s is '%.40s', expected a whole number of at most %llu",
             name, text, (unsigned long long)most);
    return server_hold(&with->out, ocelotl_fail(OCELOTL_ERROR_ARGUMENT, message));
}

const ocelotl_partition *server_find_partition(server_asking *with)
{
    const ocelotl_partition *partition = NULL;
    server_hold(&with->out, server_kept_find(&partition, &with->room->kept, with->session,
                                             with->state.request));
    return partition;
}

const ocelotl_partition *server_find_seen(server_asking *with)
{
    const ocelotl_request *request = with->state.request;
    const ocelotl_model *model = NULL;
    return server_hold(&with->out, ocelotl_session_model(&model, with->session, request)) &&
                   server_hold(&with->out, ocelotl_request_fit_view(&with->view, request, model))
               ? server_find_partition(with)
               : NULL;
}

void server_put_view(server_asking *with, const ocelotl_partition *partition)
{
    server_out *out = &with->out;
    ocelotl_partition *whole = NULL;
    ocelotl_part_command *commands = NULL;
    size_t *count = &with->view.part_command_count;
    if (server_hold(out, ocelotl_session_whole(&whole, with->session, with->state.request)) &&
        server_hold(out, ocelotl_part_commands_make(&commands, count, with->state.line))) {
        with->view.whole = whole;
        with->view.part_commands = commands;
        server_hold(out, ocelotl_page_view_write(&out->sink, partition, &with->view));
    }
    ocelotl_partition_free(whole);
    ocelotl_part_commands_free(commands, *count);
}

void server_answer_problem(server_answer *answer, unsigned status, const char *error,
                           const char *hint)
{
    server_out out = {.sink = ocelotl_buffer_sink(&answer->body)};
    ocelotl_buffer_free(&answer->body);
    answer->status = status;
    answer->type = server_json_type;
    answer->file = NULL;
    server_put_text(&out, "{\"error\":", error);
    if (hint != NULL)
        server_put_text(&out, ",\"hint\":", hint);
    server_put(&out, "}\n");
}
