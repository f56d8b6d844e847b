/* Opens a trace, finds its best partition at some p, prints the parts and draws them.
 *
 *     embed TRACE.db [P [PICTURE]] */
#include <ocelotl/ocelotl.h>

#include <stdio.h>
#include <stdlib.h>

/* The type that most of a part is spent in. */
static uint32_t dominant_type(const ocelotl_model *model, const ocelotl_part *part)
{
    uint32_t best = 0;
    for (uint32_t type = 1; type < ocelotl_model_info_of(model).type_count; type++)
        if (part->shares[type] > part->shares[best])
            best = type;
    return best;
}

static void print_parts(const ocelotl_partition *partition)
{
    const ocelotl_model *model = ocelotl_partition_model(partition);
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    printf("p = %g: %zu parts\n", info.p, info.part_count);
    for (size_t i = 0; i < info.part_count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        const uint32_t type = dominant_type(model, &part);
        printf("/%s, slices %u to %u: %s %.0f %%\n", ocelotl_model_node_at(model, part.node).path,
               part.first, part.last, ocelotl_model_type_at(model, type).name,
               100 * part.shares[type]);
    }
}

/* What is made on the way, in order; each step uses those before it. */
typedef struct analysis {
    ocelotl_trace *trace;
    ocelotl_model *model;
    ocelotl_aggregation *aggregation;
    ocelotl_partition *partition;
} analysis;

/* A file is there whole, or not at all; its suffix names the format. */
static ocelotl_status draw(const char *path, const ocelotl_partition *partition)
{
    ocelotl_picture_format format;
    ocelotl_file *file = NULL;
    ocelotl_status status = ocelotl_picture_find_format(&format, path);
    if (status == OCELOTL_OK)
        status = ocelotl_file_open(&file, path, true);
    if (status != OCELOTL_OK)
        return status;
    const ocelotl_sink sink = ocelotl_file_sink(file);
    status = ocelotl_overview_draw(&sink, format, partition, NULL);
    if (status == OCELOTL_OK)
        status = ocelotl_file_commit(file);
    ocelotl_file_free(file);
    return status;
}

static ocelotl_status analyse(analysis *made, const char *path, double p, const char *picture)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.slices = 20;
    ocelotl_status status = ocelotl_trace_open(&made->trace, path);
    if (status == OCELOTL_OK)
        status = ocelotl_model_from_trace(&made->model, made->trace, &options);
    if (status == OCELOTL_OK)
        status = ocelotl_aggregation_create(&made->aggregation, made->model, NULL);
    if (status == OCELOTL_OK)
        status = ocelotl_solve(&made->partition, made->aggregation, p);
    if (status == OCELOTL_OK)
        status = draw(picture, made->partition);
    return status;
}

int main(int count, char **arguments)
{
    analysis made = {0};
    char *end = "";
    const double p = count > 2 ? strtod(arguments[2], &end) : 0.5;
    if (count < 2 || count > 4 || *end != '\0') {
        fprintf(stderr, "usage: embed TRACE.db [P [PICTURE]]\n");
        return 2;
    }
    const char *picture = count > 3 ? arguments[3] : "embed.svg";
    const ocelotl_status status = analyse(&made, arguments[1], p, picture);
    if (status == OCELOTL_OK)
        print_parts(made.partition);
    else
        fprintf(stderr, "embed: %s\n", ocelotl_error_message());
    /* What was never made is NULL, which may be freed as well. */
    ocelotl_partition_free(made.partition);
    ocelotl_aggregation_free(made.aggregation);
    ocelotl_model_free(made.model);
    ocelotl_trace_free(made.trace);
    return status == OCELOTL_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
