#include "store/trace/catalogue.h"

#include "base/plain.h"
#include "base/text.h"
#include "store/file/database.h"

#include <stdlib.h>
#include <string.h>

/* A row has the names of an event type, a line each. */
static ocelotl_status read_attributes(void *context, const oc_row *row)
{
    oc_catalogue *catalogue = context;
    const uint64_t type = (uint64_t)row->number;
    const char *lines = NULL;
    if (type >= catalogue->trace->event_type_count ||
        sqlite3_column_int64(row->statement, 0) != row->number)
        return oc_row_fail(row, 0, "not the next one");
    OC_TRY(oc_row_text(&lines, &catalogue->arena, row, 1));
    oc_attribute_names *attributes = &catalogue->attributes[type];
    while (*lines != '\0') {
        const size_t length = strcspn(lines, "\n");
        OC_TRY(oc_arena_grow(&attributes->names, &attributes->capacity, &catalogue->arena,
                             attributes->count + 1, sizeof *attributes->names));
        attributes->names[attributes->count++] =
            oc_arena_copy_bytes(&catalogue->arena, lines, length);
        lines += length + (lines[length] != '\0');
    }
    return oc_arena_status(&catalogue->arena);
}

ocelotl_status oc_catalogue_read(oc_catalogue *catalogue, ocelotl_trace *trace)
{
    uint64_t text_left = trace->info.file_size;
    oc_row row = {.path = trace->path, .what = "event type", .text_left = &text_left};
    catalogue->trace = trace;
    OC_TRY(oc_paths_make(&catalogue->paths, trace));
    OC_TRY(oc_arena_allocate(&catalogue->attributes, &catalogue->arena, trace->event_type_count,
                             sizeof *catalogue->attributes));
    return oc_rows_read(&row, trace->database, "SELECT id, attributes FROM event_type ORDER BY id",
                        read_attributes, catalogue);
}

void oc_catalogue_free(oc_catalogue *catalogue)
{
    oc_paths_free(&catalogue->paths);
    oc_arena_free(&catalogue->arena);
    *catalogue = (oc_catalogue){0};
}

const char *oc_catalogue_attribute(const oc_catalogue *catalogue, uint32_t event_type,
                                   uint32_t attribute)
{
    const oc_attribute_names *attributes = &catalogue->attributes[event_type];
    return attribute < attributes->count ? attributes->names[attribute] : NULL;
}

static bool is_bytes(const char *name, const char *asked)
{
    static const char *const usual[] = {"size", "bytes", "length"};
    if (asked != NULL)
        return strcmp(name, asked) == 0;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (oc_same_letters(name, usual[i]))
            return true;
    return false;
}

uint32_t oc_catalogue_bytes(const oc_catalogue *catalogue, uint32_t event_type, const char *asked)
{
    const oc_attribute_names *attributes = &catalogue->attributes[event_type];
    for (size_t i = 0; i < attributes->count; i++)
        if (is_bytes(attributes->names[i], asked))
            return (uint32_t)i;
    return OCELOTL_NONE;
}

ocelotl_status oc_catalogue_fail_bytes(const oc_catalogue *catalogue, const bool *event_types,
                                       const char *asked)
{
    oc_text known = {0};
    for (uint32_t e = 0; e < catalogue->trace->event_type_count; e++)
        for (size_t i = 0; event_types[e] && i < catalogue->attributes[e].count; i++)
            oc_text_format(&known, "%s\"%s\"", known.length > 0 ? ", " : "",
                           catalogue->attributes[e].names[i]);
    const ocelotl_status status =
        oc_fail(OCELOTL_ERROR_ARGUMENT,
                "%s: no link carries %s%s%s; they carry %s; --attribute takes one that is a "
                "number",
                catalogue->trace->label, asked != NULL ? "\"" : "a size, bytes or length",
                asked != NULL ? asked : "", asked != NULL ? "\"" : "",
                known.length > 0 ? known.bytes : "nothing");
    oc_text_free(&known);
    return status;
}

ocelotl_status oc_catalogue_find_bytes(uint32_t **bytes, bool *found, const oc_catalogue *catalogue,
                                       const bool *shown, const char *asked, bool needed)
{
    const ocelotl_trace *trace = catalogue->trace;
    bool *links = NULL;
    *found = false;
    OC_TRY(oc_allocate(bytes, trace->event_type_count, sizeof **bytes));
    OC_TRY(oc_allocate(&links, trace->event_type_count, sizeof *links));
    for (uint32_t e = 0; e < trace->event_type_count; e++) {
        links[e] = trace->event_types[e].category == OCELOTL_LINK && (shown == NULL || shown[e]);
        (*bytes)[e] = links[e] ? oc_catalogue_bytes(catalogue, e, asked) : OCELOTL_NONE;
        *found = *found || (*bytes)[e] != OCELOTL_NONE;
    }
    const ocelotl_status status =
        *found || !needed ? OCELOTL_OK : oc_catalogue_fail_bytes(catalogue, links, asked);
    free(links);
    return status;
}
