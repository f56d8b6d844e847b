/* What can be imported, and what an import made. */
#include "answer/table.h"

#include <inttypes.h>

#include <ocelotl/import.h>

/* --- The formats that can be read */

/* What is read without an importer. */
static const ocelotl_format own_formats[] = {
    {"trace.db", "what ocelotl-cli import writes (needs no import)"},
    {"matrix",
     "a microscopic model as CSV, with the header path,type,slice,value (needs no import)"},
};

static uint32_t count_formats(void)
{
    return ocelotl_format_count() + (uint32_t)(sizeof own_formats / sizeof own_formats[0]);
}

static ocelotl_format get_format(uint32_t index)
{
    const uint32_t imported = ocelotl_format_count();
    return index < imported ? ocelotl_format_at(index) : own_formats[index - imported];
}

static ocelotl_status print_formats(oc_output *out, void *state)
{
    (void)state;
    for (uint32_t i = 0; i < count_formats(); i++)
        oc_output_format(out, "%-10s %s\n", get_format(i).name, get_format(i).description);
    for (uint32_t i = 0; i < ocelotl_missing_format_count(); i++) {
        const ocelotl_missing_format missing = ocelotl_missing_format_at(i);
        oc_output_format(out, "%-10s %s: a build with %s reads it\n", missing.format.name,
                         missing.format.description, missing.needs);
    }
    return OCELOTL_OK;
}

static ocelotl_status fill_format(oc_row *row, void *state, size_t index)
{
    (void)state;
    oc_cell_text(row, get_format((uint32_t)index).name);
    oc_cell_text(row, get_format((uint32_t)index).description);
    return OCELOTL_OK;
}

static ocelotl_status add_formats(oc_json *json, void *state)
{
    (void)state;
    oc_json_list(json, "formats");
    for (uint32_t i = 0; i < count_formats(); i++) {
        oc_json_object(json, NULL);
        oc_json_text(json, "name", get_format(i).name);
        oc_json_text(json, "description", get_format(i).description);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    oc_json_list(json, "missing");
    for (uint32_t i = 0; i < ocelotl_missing_format_count(); i++) {
        const ocelotl_missing_format missing = ocelotl_missing_format_at(i);
        oc_json_object(json, NULL);
        oc_json_text(json, "name", missing.format.name);
        oc_json_text(json, "description", missing.format.description);
        oc_json_text(json, "needs", missing.needs);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_formats_write(const ocelotl_sink *sink, ocelotl_form form)
{
    static const oc_heading headings[] = {{"name", OC_CELL_TEXT}, {"description", OC_CELL_TEXT}};
    const oc_forms forms = {
        NULL, add_formats, print_formats, {headings, 2, NULL, 0, count_formats(), fill_format}};
    return oc_forms_write(sink, form, &forms);
}

/* --- What an import made */

typedef struct made {
    const ocelotl_trace *trace;
    const char *path;
} made;

static ocelotl_status print_made(oc_output *out, void *state)
{
    const made *of = state;
    oc_output_print(out, "%s: %u resources, %" PRIu64 " events\n", of->path,
                    ocelotl_trace_resource_count(of->trace), oc_count_events(of->trace));
    return OCELOTL_OK;
}

static ocelotl_status add_made(oc_json *json, void *state)
{
    const made *of = state;
    const ocelotl_trace_info info = ocelotl_trace_info_of(of->trace);
    oc_json_text(json, "path", of->path);
    oc_json_text(json, "name", info.name);
    oc_json_text(json, "uid", info.uid);
    oc_json_count(json, "resources", ocelotl_trace_resource_count(of->trace));
    oc_json_count(json, "events", oc_count_events(of->trace));
    oc_json_count(json, "warnings", oc_count_oddities(of->trace));
    return OCELOTL_OK;
}

ocelotl_status ocelotl_import_write(const ocelotl_sink *sink, ocelotl_form form,
                                    const ocelotl_trace *trace, const char *path)
{
    return oc_forms_write(sink, form, &(oc_forms){&(made){trace, path}, add_made, print_made});
}
