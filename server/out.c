/* What all answers are written with, and what they share. */
#include "answers.h"

#include <ocelotl/answer.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ocelotl_status server_fail(ocelotl_status status, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): the analyser loses the list
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return ocelotl_fail(status, message);
}

/* --- Writing */

bool server_hold(server_out *out, ocelotl_status status)
{
    if (out->status == OCELOTL_OK)
        out->status = status;
    return out->status == OCELOTL_OK;
}

void server_put_bytes(server_out *out, const char *bytes, size_t size)
{
    if (out->status == OCELOTL_OK && size > 0)
        out->status = out->sink.write(out->sink.context, bytes, size);
}

void server_put(server_out *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    while (*format != '\0' && out->status == OCELOTL_OK) {
        const size_t plain = strcspn(format, "%");
        server_put_bytes(out, format, plain);
        format += plain;
        if (*format == '\0' || out->status != OCELOTL_OK)
            break;
        /* The analyser loses the list in a loop. */
        // NOLINTBEGIN(clang-analyzer-valist.Uninitialized)
        if (format[1] == 's')
            server_hold(out, ocelotl_json_write_text(&out->sink, va_arg(arguments, const char *)));
        else
            server_hold(out, ocelotl_json_write_number(&out->sink, va_arg(arguments, double)));
        // NOLINTEND(clang-analyzer-valist.Uninitialized)
        format += 2;
    }
    va_end(arguments);
}

void server_answer_problem(server_answer *answer, unsigned status, const char *error,
                           const char *hint)
{
    server_out out = {.sink = ocelotl_buffer_sink(&answer->body)};
    ocelotl_buffer_free(&answer->body);
    answer->status = status;
    answer->type = SERVER_JSON;
    answer->file = NULL;
    server_put(&out, "{\"error\":%s", error);
    if (hint != NULL)
        server_put(&out, ",\"hint\":%s", hint);
    server_put(&out, "}\n");
}

/* --- What routes share */

const char *server_asking_get(const server_asking *with, const char *name)
{
    for (size_t i = 0; i < SERVER_MOST_OWN && with->route->own[i] != NULL; i++)
        if (strcmp(with->route->own[i], name) == 0)
            return with->own[i];
    return NULL;
}

bool server_asking_count(uint64_t *number, server_asking *with, const char *name, uint64_t none,
                         uint64_t most)
{
    const char *text = server_asking_get(with, name);
    *number = none;
    if (text == NULL)
        return true;
    *number = 0;
    bool good = *text != '\0';
    for (const char *at = text; *at != '\0' && good; at++) {
        const uint64_t digit = (uint64_t)(*at - '0');
        good = *at >= '0' && *at <= '9' && *number <= most / 10 && *number * 10 <= most - digit;
        *number = *number * 10 + digit;
    }
    return good ||
           server_hold(&with->out, server_fail(OCELOTL_ERROR_ARGUMENT,
                                               "%s is '%.40s', expected a whole number of at most "
                                               "%llu",
                                               name, text, (unsigned long long)most));
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
    ocelotl_part_command *commands = NULL;
    size_t *count = &with->view.part_command_count;
    if (server_hold(out, ocelotl_part_commands_make(&commands, count, with->state.line))) {
        with->view.part_commands = commands;
        server_hold(out, ocelotl_page_view_write(&out->sink, partition, &with->view));
    }
    ocelotl_part_commands_free(commands, *count);
}
