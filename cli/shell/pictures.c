/* Pictures: where they go, what of a user's palette is of no use in them, and how to serve them. */
#define _GNU_SOURCE
#include "shell.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cli_draws(const cli_job *job)
{
    return (job->content & CLI_PICTURES) != 0;
}

/* A slash would be a folder, and what cannot be seen in a name cannot be typed either. */
static void clean_name(char *name)
{
    for (char *byte = name; *byte != '\0';) {
        bool visible;
        const size_t length = ocelotl_character_length(&visible, byte, strlen(byte));
        if (!visible || *byte == '/')
            memset(byte, '_', length);
        byte += length;
    }
}

/* Whatever the name: a file's has a largest length. */
static char *default_picture(const char *name, const char *suffix)
{
    char *path = NULL;
    int length = (int)strnlen(name, 200);
    while (length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80)
        length--;
    if (length == 0 || name[0] == '.')
        length = asprintf(&path, "%s.svg", suffix[0] != '\0' ? suffix + 1 : "overview");
    else
        length = asprintf(&path, "%.*s%s.svg", length, name, suffix);
    if (length < 0)
        return NULL;
    clean_name(path);
    return path;
}

int cli_write_picture(const cli_job *job, const char *output, cli_content content, const char *name,
                      const char *suffix, cli_answer write, void *of)
{
    const char *trace = job->request->operands[0];
    if (output != NULL && cli_is_standard_output(output))
        return cli_write_answer(NULL, content, write, of);
    if (cli_is_standard_input(trace))
        name = "stdin";
    char *path = output != NULL ? strdup(output) : default_picture(name, suffix);
    if (path == NULL)
        return cli_memory();
    int code = cli_check_target(path, content, job->request->force, trace);
    if (code == CLI_DONE)
        code = cli_stream_answer(path, content, write, of);
    cli_wipe_line();
    if (code == CLI_DONE && output == NULL)
        printf("%s\n", path);
    free(path);
    return code;
}

/* --- The palette: a misspelt name would change nothing, without a word */

enum { SAID_MOST = 3 };

static bool is_in_trace(const ocelotl_palette *palette, size_t row, const ocelotl_trace *trace)
{
    for (uint32_t v = 0; v < ocelotl_trace_value_count(trace); v++)
        if (ocelotl_palette_row_matches(palette, row, ocelotl_trace_value_at(trace, v).name))
            return true;
    for (uint32_t e = 0; e < ocelotl_trace_event_type_count(trace); e++)
        if (ocelotl_palette_row_matches(palette, row, ocelotl_trace_event_type_at(trace, e).name))
            return true;
    return false;
}

/* Groups of types have names of their own. */
static bool is_in_model(const ocelotl_palette *palette, size_t row, const ocelotl_model *model)
{
    const uint32_t count = ocelotl_model_info_of(model).type_count;
    for (uint32_t type = 0; type < count; type++)
        if (ocelotl_palette_row_matches(palette, row, ocelotl_model_type_at(model, type).name))
            return true;
    return false;
}

void cli_say_unmatched(const cli_job *job, ocelotl_trace *const *traces,
                       const ocelotl_model *const *models, size_t count)
{
    const ocelotl_palette *palette = job->palette;
    const size_t rows = palette != NULL ? ocelotl_palette_row_count(palette) : 0;
    const char *name =
        rows > 0 && strcmp(job->view.palette, "-") != 0 ? job->view.palette : "standard input";
    size_t unmatched = 0;
    for (size_t row = 0; row < rows; row++) {
        const ocelotl_palette_row given = ocelotl_palette_row_at(palette, row);
        bool found = false;
        for (size_t i = 0; i < count && !found; i++)
            found = (traces[i] != NULL && is_in_trace(palette, row, traces[i])) ||
                    (models[i] != NULL && is_in_model(palette, row, models[i]));
        if (!found && ++unmatched <= SAID_MOST)
            cli_say("%s:%" PRIu64 ": \"%s\" matches nothing that could be drawn", name, given.line,
                    given.name);
    }
    if (unmatched > SAID_MOST)
        cli_say("%s: %zu rows match nothing; these are the first", name, unmatched);
}

/* --- A hint at the next step, for a person at a terminal */

void cli_say_how_to_serve(const ocelotl_request *request)
{
    const char *const words[] = {"--", request->operands[0]};
    ocelotl_request *served = NULL;
    char *line = NULL;
    if (!isatty(STDOUT_FILENO) || cli_is_standard_input(request->operands[0]))
        return;
    ocelotl_status status = ocelotl_request_new(&served, "serve");
    for (size_t i = 0; i < request->given_count && status == OCELOTL_OK; i++) {
        const ocelotl_given *given = &request->given[i];
        if (ocelotl_parameter_find("serve", given->name).name[0] != '\0')
            status = ocelotl_request_set(served, given->name, given->value);
    }
    if (status == OCELOTL_OK)
        status = ocelotl_request_parse(served, 2, words);
    if (status == OCELOTL_OK && ocelotl_request_write_line(&line, served) == OCELOTL_OK)
        printf("to look into it: %s\n", line);
    free(line);
    ocelotl_request_free(served);
}
