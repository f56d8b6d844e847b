/* What can be imported, and what an import made. */
#include "answer/answer.h"

#include "base/visible.h"

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

static ocelotl_status write_as_text_list(const ocelotl_sink *sink)
{
    oc_output out = {.sink = sink};
    for (uint32_t i = 0; i < count_formats(); i++)
        oc_output_format(&out, "%-10s %s\n", get_format(i).name, get_format(i).description);
    for (uint32_t i = 0; i < ocelotl_missing_format_count(); i++) {
        const ocelotl_missing_format missing = ocelotl_missing_format_at(i);
        oc_output_format(&out, "%-10s %s: a build with %s reads it\n", missing.format.name,
                         missing.format.description, missing.needs);
    }
    return oc_output_end(&out, OCELOTL_OK);
}

static ocelotl_status write_as_csv_list(const ocelotl_sink *sink)
{
    oc_csv_table table = {.out = {.sink = sink}};
    oc_csv_row(&table, "name,description");
    for (uint32_t i = 0; i < count_formats(); i++) {
        oc_csv_text(&table, get_format(i).name);
        oc_csv_text(&table, get_format(i).description);
        oc_csv_end_row(&table);
    }
    return oc_csv_finish(&table, OCELOTL_OK);
}

static ocelotl_status write_as_json_list(const ocelotl_sink *sink)
{
    oc_json json = {.out = {.sink = sink}};
    oc_json_object(&json, NULL);
    oc_json_list(&json, "formats");
    for (uint32_t i = 0; i < count_formats(); i++) {
        oc_json_object(&json, NULL);
        oc_json_text(&json, "name", get_format(i).name);
        oc_json_text(&json, "description", get_format(i).description);
        oc_json_end_object(&json);
    }
    oc_json_end_list(&json);
    oc_json_list(&json, "missing");
    for (uint32_t i = 0; i < ocelotl_missing_format_count(); i++) {
        const ocelotl_missing_format missing = ocelotl_missing_format_at(i);
        oc_json_object(&json, NULL);
        oc_json_text(&json, "name", missing.format.name);
        oc_json_text(&json, "description", missing.format.description);
        oc_json_text(&json, "needs", missing.needs);
        oc_json_end_object(&json);
    }
    oc_json_end_list(&json);
    oc_json_end_object(&json);
    return oc_json_finish(&json, OCELOTL_OK);
}

/* --- What an import made */

static ocelotl_status write_as_text_made(const ocelotl_sink *sink, const ocelotl_trace *trace,
                                         const char *path)
{
    oc_output out = {.sink = sink};
    oc_output_add_visible(&out, path);
    oc_output_format(&out, ": %u resources, %" PRIu64 " events\n",
                     ocelotl_trace_resource_count(trace), oc_count_events(trace));
    return oc_output_end(&out, OCELOTL_OK);
}

static ocelotl_status write_as_json_made(const ocelotl_sink *sink, const ocelotl_trace *trace,
                                         const char *path)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    oc_json json = {.out = {.sink = sink}};
    uint64_t oddities = 0;
    for (uint32_t i = 0; i < ocelotl_trace_warning_count(trace); i++)
        oddities += ocelotl_trace_warning_at(trace, i).count;
    oc_json_object(&json, NULL);
    oc_json_text(&json, "path", path);
    oc_json_text(&json, "name", info.name);
    oc_json_text(&json, "uid", info.uid);
    oc_json_count(&json, "resources", ocelotl_trace_resource_count(trace));
    oc_json_count(&json, "events", oc_count_events(trace));
    oc_json_count(&json, "warnings", oddities);
    oc_json_end_object(&json);
    return oc_json_finish(&json, OCELOTL_OK);
}

ocelotl_status ocelotl_formats_write(const ocelotl_sink *sink, ocelotl_form form)
{
    return form == OCELOTL_FORM_JSON  ? write_as_json_list(sink)
           : form == OCELOTL_FORM_CSV ? write_as_csv_list(sink)
                                      : write_as_text_list(sink);
}

ocelotl_status ocelotl_import_write(const ocelotl_sink *sink, ocelotl_form form,
                                    const ocelotl_trace *trace, const char *path)
{
    return form == OCELOTL_FORM_JSON ? write_as_json_made(sink, trace, path)
                                     : write_as_text_made(sink, trace, path);
}
