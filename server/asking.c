#include "asking.h"

#include <ocelotl/answer.h>

#include <stdio.h>
#include <string.h>

const char server_json_type[] = "application/json";

void server_put_command(server_asking *with)
{
    server_put_text(&with->out, "{\"command\":", with->state.line);
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

ocelotl_status server_asking_count(uint64_t *number, const server_asking *with, const char *name,
                                   uint64_t none, uint64_t most)
{
    const char *text = server_asking_get(with, name);
    char message[200];
    *number = none;
    if (text == NULL || read_count(number, text, most))
        return OCELOTL_OK;
    snprintf(message, sizeof message, "%s is '%.40s', expected a whole number of at most %llu",
             name, text, (unsigned long long)most);
    return ocelotl_fail(OCELOTL_ERROR_ARGUMENT, message);
}

ocelotl_status server_put_view(server_asking *with, const ocelotl_partition *partition)
{
    ocelotl_session *session = with->room->options.session;
    ocelotl_partition *whole = NULL;
    ocelotl_part_command *commands = NULL;
    ocelotl_status status = ocelotl_session_whole(&whole, session, with->state.request);
    if (status == OCELOTL_OK)
        status =
            ocelotl_part_commands_make(&commands, &with->view.part_command_count, with->state.line);
    with->view.whole = whole;
    with->view.part_commands = commands;
    if (status == OCELOTL_OK)
        status = ocelotl_page_view_write(&with->out.sink, partition, &with->view);
    ocelotl_partition_free(whole);
    ocelotl_part_commands_free(commands, with->view.part_command_count);
    return status;
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
