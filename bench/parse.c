/* Reads a Pajé trace and stores nothing, to be measured from outside:
 *
 *   bench_parse FILE            the whole importer, with a writer that drops every event
 * (no_store.c): lines, fields, names, times, the order of events, stacks of states, the matching of
 * links bench_parse --lines FILE    only lines and their fields */
#include "importers/paje/definition.h"
#include "importers/paje/line.h"

#include <ocelotl/import.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static ocelotl_status count_fields(paje_lines *lines, uint64_t *count)
{
    paje_field fields[PAJE_MOST_FIELDS + 2];
    bool too_long;
    do {
        const ocelotl_status status = paje_lines_read(lines, 0, 0, &too_long);
        if (status != OCELOTL_OK)
            return status;
        while (paje_lines_are_read(lines)) {
            paje_line line;
            paje_lines_next(&line, lines, fields, PAJE_MOST_FIELDS + 1);
            if (!line.is_split)
                paje_split(fields, PAJE_MOST_FIELDS + 1, &line.count, line.text);
            *count += line.count;
        }
    } while (!lines->at_end);
    return OCELOTL_OK;
}

static ocelotl_status read_lines(const char *path)
{
    paje_lines lines = {0};
    uint64_t count = 0;
    ocelotl_status status = oc_input_open(&lines.input, path);
    if (status == OCELOTL_OK)
        status = count_fields(&lines, &count);
    if (status == OCELOTL_OK)
        printf("%" PRIu64 " lines, %" PRIu64 " fields\n", lines.number, count);
    paje_lines_free(&lines);
    oc_input_free(lines.input);
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
