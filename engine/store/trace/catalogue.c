#include "store/trace/catalogue.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "store/file/database.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* As of a model: the paths of a chain of a hundred thousand resources would need gigabytes. */
static const size_t longest_paths = (size_t)256 << 20;

/* Siblings of one name get #2, #3; a name may look like that by itself, so look until one is free.
 */
static ocelotl_status number_path(oc_text *path, oc_map *paths, oc_map *repeats)
{
    const size_t length = path->length;
    uint32_t repeat = oc_map_get(repeats, path->bytes, length);
    if (repeat == OC_MAP_NONE && oc_map_get(paths, path->bytes, length) == OC_MAP_NONE)
        return OCELOTL_OK;
    repeat = repeat == OC_MAP_NONE ? 2 : repeat;
    do {
        path->length = length;
        oc_text_format(path, "#%" PRIu32, repeat++);
        if (path->failed)
            return oc_fail_memory();
    } while (oc_map_get(paths, path->bytes, path->length) != OC_MAP_NONE);
    return oc_map_set(repeats, path->bytes, length, repeat);
}

static ocelotl_status make_path(oc_text *path, const oc_catalogue *catalogue, uint32_t resource,
                                oc_map *paths, oc_map *repeats)
{
    const ocelotl_resource *named = &catalogue->trace->resources[resource];
    if (named->parent != OCELOTL_ROOT) {
        oc_text_add(path, catalogue->paths[named->parent]);
        oc_text_add(path, "/");
    }
    oc_text_add_path_step(path, named->name);
    if (path->failed)
        return oc_fail_memory();
    OC_TRY(number_path(path, paths, repeats));
    return oc_map_set(paths, path->bytes, path->length, resource);
}

static ocelotl_status make_paths(oc_catalogue *catalogue, oc_map *paths, oc_map *repeats)
{
    size_t bytes = 0;
    OC_TRY(
        oc_allocate(&catalogue->paths, catalogue->trace->resource_count, sizeof *catalogue->paths));
    for (uint32_t r = 0; r < catalogue->trace->resource_count; r++) {
        oc_text path = {0};
        const ocelotl_status status = make_path(&path, catalogue, r, paths, repeats);
        if (status != OCELOTL_OK) {
            oc_text_free(&path);
            return status;
        }
        catalogue->paths[r] = path.bytes;
        bytes += path.length + 1;
        if (bytes > longest_paths)
            return oc_fail(OCELOTL_ERROR_LIMIT,
                           "the paths of the resources need more than 256 MiB");
    }
    return OCELOTL_OK;
}

/* A line each. */
static ocelotl_status read_names(oc_attribute_names *attributes, const char *lines)
{
    while (*lines != '\0') {
        const size_t length = strcspn(lines, "\n");
        oc_text name = {0};
        oc_text_append(&name, lines, length);
        ocelotl_status status = name.failed ? oc_fail_memory() : OCELOTL_OK;
        if (status == OCELOTL_OK)
            status = oc_grow(&attributes->names, &attributes->capacity, attributes->count + 1,
                             sizeof *attributes->names);
        if (status != OCELOTL_OK) {
            oc_text_free(&name);
            return status;
        }
        attributes->names[attributes->count++] = name.bytes;
        lines += length + (lines[length] != '\0');
    }
    return OCELOTL_OK;
}

static ocelotl_status read_attributes(oc_catalogue *catalogue, oc_row *row)
{
    for (uint32_t type = 0;; type++) {
        bool found;
        char *lines = NULL;
        OC_TRY(oc_database_row(&found, row->statement, catalogue->trace->path));
        if (!found)
            return OCELOTL_OK;
        row->number = type;
        if (type >= catalogue->trace->event_type_count ||
            sqlite3_column_int64(row->statement, 0) != type)
            return oc_row_fail(row, 0, "not the next one");
        OC_TRY(oc_row_text(&lines, row, 1));
        const ocelotl_status status = read_names(&catalogue->attributes[type], lines);
        free(lines);
        OC_TRY(status);
    }
}

static ocelotl_status read_all_attributes(oc_catalogue *catalogue, ocelotl_trace *trace)
{
    uint64_t text_left = trace->info.file_size;
    oc_row row = {.path = trace->path, .what = "event type", .text_left = &text_left};
    OC_TRY(oc_allocate(&catalogue->attributes, trace->event_type_count,
                       sizeof *catalogue->attributes));
    ocelotl_status status =
        oc_database_prepare(&row.statement, trace->database, trace->path,
                            "SELECT id, attributes FROM event_type ORDER BY id");
    if (status == OCELOTL_OK)
        status = read_attributes(catalogue, &row);
    sqlite3_finalize(row.statement);
    return status;
}

ocelotl_status oc_catalogue_read(oc_catalogue *catalogue, ocelotl_trace *trace)
{
    oc_map paths = {0};
    oc_map repeats = {0};
    catalogue->trace = trace;
    ocelotl_status status = make_paths(catalogue, &paths, &repeats);
    oc_map_free(&paths);
    oc_map_free(&repeats);
    if (status == OCELOTL_OK)
        status = read_all_attributes(catalogue, trace);
    return status;
}

void oc_catalogue_free(oc_catalogue *catalogue)
{
    for (uint32_t r = 0; catalogue->paths != NULL && r < catalogue->trace->resource_count; r++)
        free(catalogue->paths[r]);
    for (uint32_t t = 0; catalogue->attributes != NULL && t < catalogue->trace->event_type_count;
         t++) {
        for (size_t i = 0; i < catalogue->attributes[t].count; i++)
            free(catalogue->attributes[t].names[i]);
        free(catalogue->attributes[t].names);
    }
    free(catalogue->paths);
    free(catalogue->attributes);
    *catalogue = (oc_catalogue){0};
}

const char *oc_catalogue_path(const oc_catalogue *catalogue, uint32_t resource)
{
    return resource < catalogue->trace->resource_count ? catalogue->paths[resource] : "";
}

const char *oc_catalogue_attribute(const oc_catalogue *catalogue, uint32_t event_type,
                                   uint32_t attribute)
{
    const oc_attribute_names *attributes = &catalogue->attributes[event_type];
    return attribute < attributes->count ? attributes->names[attribute] : NULL;
}

const char *oc_category_name(ocelotl_category category)
{
    static const char *const names[] = {"event", "state", "variable", "link"};
    return names[category];
}
