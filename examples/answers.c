/* Writes answers as JSON to memory, as a server does that sends them on, and a table to a file.
 *
 *     answers TRACE.db [LEVELS.csv] */
#include <ocelotl/ocelotl.h>

#include <stdio.h>
#include <stdlib.h>

/* A file is there whole, or not at all. */
static ocelotl_status write_levels(const char *path, const ocelotl_levels *levels)
{
    ocelotl_file *file = NULL;
    ocelotl_status status = ocelotl_file_open(&file, path, true);
    if (status != OCELOTL_OK)
        return status;
    const ocelotl_sink sink = ocelotl_file_sink(file);
    status = ocelotl_levels_write(&sink, OCELOTL_FORM_CSV, levels, NULL);
    if (status == OCELOTL_OK)
        status = ocelotl_file_commit(file);
    ocelotl_file_free(file);
    return status;
}

/* What is made on the way, in order; each step uses those before it. */
typedef struct analysis {
    ocelotl_trace *trace;
    ocelotl_model *model;
    ocelotl_aggregation *aggregation;
    ocelotl_partition *partition;
    ocelotl_levels *levels;
} analysis;

static ocelotl_status analyse(analysis *made, const char *path)
{
    ocelotl_status status = ocelotl_trace_open(&made->trace, path);
    if (status == OCELOTL_OK)
        status = ocelotl_model_from_trace(&made->model, made->trace, NULL);
    if (status == OCELOTL_OK)
        status = ocelotl_aggregation_create(&made->aggregation, made->model, NULL);
    if (status == OCELOTL_OK)
        status = ocelotl_solve_auto(&made->partition, made->aggregation);
    if (status == OCELOTL_OK)
        status = ocelotl_levels_find(&made->levels, made->aggregation, NULL);
    return status;
}

/* The answers one after the other in one buffer, a line end behind each. */
static ocelotl_status answer(ocelotl_buffer *buffer, const analysis *made)
{
    const ocelotl_sink sink = ocelotl_buffer_sink(buffer);
    ocelotl_status status = ocelotl_info_write(&sink, OCELOTL_FORM_JSON, made->trace, NULL, NULL);
    if (status == OCELOTL_OK)
        status = ocelotl_partition_write_json(&sink, made->partition, NULL);
    return status;
}

int main(int count, char **arguments)
{
    analysis made = {0};
    ocelotl_buffer buffer = {0};
    if (count < 2 || count > 3) {
        fprintf(stderr, "usage: answers TRACE.db [LEVELS.csv]\n");
        return 2;
    }
    ocelotl_status status = analyse(&made, arguments[1]);
    if (status == OCELOTL_OK)
        status = answer(&buffer, &made);
    if (status == OCELOTL_OK && count > 2)
        status = write_levels(arguments[2], made.levels);
    if (status == OCELOTL_OK)
        fwrite(buffer.bytes, 1, buffer.size, stdout);
    else
        fprintf(stderr, "answers: %s\n", ocelotl_error_message());
    /* What was never made is NULL, which may be freed as well. */
    ocelotl_buffer_free(&buffer);
    ocelotl_levels_free(made.levels);
    ocelotl_partition_free(made.partition);
    ocelotl_aggregation_free(made.aggregation);
    ocelotl_model_free(made.model);
    ocelotl_trace_free(made.trace);
    return status == OCELOTL_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
