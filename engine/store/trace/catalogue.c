#include "store/trace/catalogue.h"

#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"
#include "store/file/database.h"

#include <stdlib.h>
#include <string.h>

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
    catalogue->trace = trace;
    OC_TRY(oc_paths_make(&catalogue->paths, trace));
    return read_all_attributes(catalogue, trace);
}

void oc_catalogue_free(oc_catalogue *catalogue)
{
    oc_paths_free(&catalogue->paths);
    for (uint32_t t = 0; catalogue->attributes != NULL && t < catalogue->trace->event_type_count;
         t++) {
        for (size_t i = 0; i < catalogue->attributes[t].count; i++)
            free(catalogue->attributes[t].names[i]);
        free(catalogue->attributes[t].names);
    }
    free(catalogue->attributes);
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
