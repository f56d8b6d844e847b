/* Processors: rows while the trace is read, and resources behind it, in their order. */
#include "importers/picl/reader.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { HOST = -32768 };

ocelotl_status picl_find_row(uint32_t *row, picl_reader *reader, int64_t processor, int64_t time)
{
    *row = oc_map_get(&reader->row_of, &processor, sizeof processor);
    if (*row == OC_MAP_NONE) {
        *row = (uint32_t)reader->row_count;
        OC_TRY(oc_grow(&reader->rows, &reader->row_capacity, reader->row_count + 1,
                       sizeof *reader->rows));
        OC_TRY(oc_map_set(&reader->row_of, &processor, sizeof processor, *row));
        reader->rows[reader->row_count++] =
            (picl_row){.processor = processor, .first = time, .last = time};
    }
    picl_row *found = &reader->rows[*row];
    if (time < found->last)
        oc_oddities_note(&reader->oddities, PICL_OUT_OF_ORDER, reader->path, reader->line);
    found->first = time < found->first ? time : found->first;
    found->last = time > found->last ? time : found->last;
    return OCELOTL_OK;
}

/* --- Resources */

/* The type below another that has a name. */
static ocelotl_status find_type(uint32_t *type, picl_reader *reader, const char *name)
{
    const uint32_t key[2] = {*type, (uint32_t)name[0]};
    const uint32_t around = *type;
    *type = oc_map_get(&reader->type_of, key, sizeof key);
    if (*type != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_resource_type(type, reader->writer, around, name));
    return oc_map_set(&reader->type_of, key, sizeof key, *type);
}

/* Declares what a step of a path stands for, inside the resource that it is then. */
static ocelotl_status declare(uint32_t *resource, const picl_reader *reader, uint32_t type,
                              const char *step, size_t length, int64_t begin)
{
    oc_text name = {0};
    const uint32_t around = *resource;
    oc_text_add_step_name(&name, step, length);
    const ocelotl_status status =
        name.failed
            ? oc_fail_memory()
            : ocelotl_writer_resource(resource, reader->writer, type, around, name.bytes, begin);
    oc_text_free(&name);
    return status;
}

/* Declares a path: groups, and a processor in the innermost of them. */
static ocelotl_status declare_path(uint32_t *resource, picl_reader *reader, const char *path,
                                   int64_t all_begin, int64_t begin)
{
    uint32_t type = OCELOTL_ROOT;
    const char *step = path;
    *resource = OCELOTL_ROOT;
    for (const char *slash; (slash = strchr(step, '/')) != NULL; step = slash + 1) {
        const size_t length = (size_t)(slash - path);
        const uint32_t known = oc_map_get(&reader->group_of, path, length);
        OC_TRY(find_type(&type, reader, "group"));
        if (known == OC_MAP_NONE) {
            OC_TRY(declare(resource, reader, type, step, (size_t)(slash - step), all_begin));
            OC_TRY(oc_map_set(&reader->group_of, path, length, *resource));
        } else
            *resource = known;
    }
    OC_TRY(find_type(&type, reader, "processor"));
    return declare(resource, reader, type, step, strlen(step), begin);
}

static ocelotl_status declare_row(picl_reader *reader, uint32_t number, int64_t all_begin)
{
    char name[32] = "host";
    const picl_row *row = &reader->rows[number];
    oc_timelines_row *to = &reader->destinations[number];
    const char *path = picl_name_of(reader, PICL_PROCESSORS, row->processor);
    if (row->processor != HOST)
        snprintf(name, sizeof name, "%" PRId64, row->processor);
    *to = (oc_timelines_row){.has_begin = row->has_begin,
                             .has_end = row->has_end,
                             .begin = row->has_begin ? row->first : all_begin,
                             .end = row->last};
    return declare_path(&to->resource, reader, path != NULL ? path : name, all_begin, to->begin);
}

/* A row, as it is sorted. */
typedef struct numbered {
    int64_t processor;
    uint32_t row;
} numbered;

static int compare_numbers(const void *left, const void *right)
{
    const numbered *one = left;
    const numbered *other = right;
    return (one->processor > other->processor) - (one->processor < other->processor);
}

static ocelotl_status declare_sorted(picl_reader *reader, numbered *sorted)
{
    int64_t begin = INT64_MAX;
    for (uint32_t i = 0; i < reader->row_count; i++) {
        sorted[i] = (numbered){reader->rows[i].processor, i};
        begin = reader->rows[i].first < begin ? reader->rows[i].first : begin;
    }
    qsort(sorted, reader->row_count, sizeof *sorted, compare_numbers);
    for (size_t i = 0; i < reader->row_count; i++)
        OC_TRY(declare_row(reader, sorted[i].row, begin));
    return OCELOTL_OK;
}

ocelotl_status picl_declare_rows(picl_reader *reader)
{
    numbered *sorted = NULL;
    OC_TRY(oc_allocate(&reader->destinations, reader->row_count, sizeof *reader->destinations));
    OC_TRY(oc_allocate(&sorted, reader->row_count, sizeof *sorted));
    const ocelotl_status status = declare_sorted(reader, sorted);
    free(sorted);
    return status;
}
