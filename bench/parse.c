/* Reads a Pajé trace and stores nothing, to be measured from outside:
 *
 *   bench_parse FILE            the whole importer, with a writer that drops every event
 * (no_store.c): lines, fields, names, times, the order of events, stacks of states, the matching of
 * links bench_parse --lines FILE    only lines and their fields */
#include "importers/common/text.h"
#include "importers/paje/definition.h"
#include "importers/paje/line.h"

#include <ocelotl/import.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void count_fields(paje_lines *lines, uint64_t *count)
{
    paje_field fields[PAJE_MOST_FIELDS + 2];
    while (paje_lines_are_there(lines)) {
        paje_line line;
        paje_lines_next(&line, lines, fields, PAJE_MOST_FIELDS + 1);
        if (!line.is_split)
            paje_split(fields, PAJE_MOST_FIELDS + 1, &line.count, line.text);
        *count += line.count;
    }
}

static ocelotl_status read_blocks(oc_source_text *text)
{
    paje_lines lines = {0};
    uint64_t count = 0;
    oc_block *block = NULL;
    bool ended = false;
    while (!ended) {
        const ocelotl_status status = oc_source_text_next(&block, &ended, text);
        if (status != OCELOTL_OK)
            return status;
        if (block == NULL)
            continue;
        paje_lines_begin(&lines, block->bytes, 0, block->length, lines.number);
        count_fields(&lines, &count);
        oc_pipeline_give_back(text->pipeline, block);
    }
    printf("%" PRIu64 " lines, %" PRIu64 " fields\n", lines.number, count);
    return OCELOTL_OK;
}

static ocelotl_status read_lines(const char *path)
{
    oc_pipeline pipeline = {0};
    oc_source_text text = {.pipeline = &pipeline};
    ocelotl_status status = oc_pipeline_begin(&pipeline, 1, NULL, NULL);
    if (status == OCELOTL_OK)
        status = oc_input_open(&text.input, path);
    if (status == OCELOTL_OK)
        status = read_blocks(&text);
    oc_input *input = text.input;
    oc_source_text_free(&text);
    oc_pipeline_free(&pipeline);
    oc_input_free(input);
    return status;
}

int main(int count, char **arguments)
{
    const bool lines = count == 3 && strcmp(arguments[1], "--lines") == 0;
    if (count != 2 && !lines) {
        fprintf(stderr, "usage: bench_parse [--lines] FILE\n");
        return 2;
    }
    const ocelotl_status status =
        lines ? read_lines(arguments[2]) : ocelotl_import("nothing", arguments[1], NULL);
    if (status == OCELOTL_OK)
        return 0;
    fprintf(stderr, "bench_parse: %s\n", ocelotl_error_message());
    return 1;
}
