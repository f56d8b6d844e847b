/* The traces of a folder as a table. */
#include "folder/folder.h"
#include "answer/table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void oc_json_metadata(oc_json *json, const char *key, const ocelotl_notes *notes)
{
    oc_json_object(json, key);
    for (size_t i = 0; i < ocelotl_notes_metadata_count(notes); i++) {
        const ocelotl_metadata one = ocelotl_notes_metadata_at(notes, i);
        oc_json_text(json, one.key, one.value);
    }
    oc_json_end_object(json);
}

/* --- The table */

enum { METADATA = 10, COLUMNS = 14 };

static const oc_heading headings[COLUMNS] = {
    {"name", OC_CELL_TEXT},       {"kind", OC_CELL_TEXT},     {"format", OC_CELL_TEXT},
    {"duration", OC_CELL_NUMBER}, {"events", OC_CELL_COUNT},  {"resources", OC_CELL_COUNT},
    {"size", OC_CELL_COUNT},      {"recorded", OC_CELL_TEXT}, {"modified", OC_CELL_TEXT},
    {"notes", OC_CELL_COUNT},     {"metadata", OC_CELL_TEXT}, {"problem", OC_CELL_TEXT},
    {"title", OC_CELL_TEXT},      {"uid", OC_CELL_TEXT}};

/* A text where it is known. */
static void add_known(oc_row *row, const char *text)
{
    oc_cell_text(row, text != NULL && text[0] != '\0' ? text : NULL);
}

static ocelotl_status fill_trace(oc_row *row, void *state, size_t index)
{
    const ocelotl_folder *const *folder = state;
    const ocelotl_folder_trace trace = (*folder)->list[index];
    oc_json metadata = {.out.text = row->made};
    oc_json_metadata(&metadata, NULL, trace.notes);
    row->made = metadata.out.text;
    oc_cell_text(row, trace.name);
    add_known(row, trace.kind);
    add_known(row, trace.format);
    oc_cell_number(row, trace.is_known ? trace.duration : (double)NAN);
    oc_cell_add(row, trace.is_known, trace.events);
    oc_cell_add(row, trace.is_known, trace.resources);
    oc_cell_add(row, !trace.is_folder, trace.size);
    add_known(row, trace.recorded);
    add_known(row, trace.modified);
    oc_cell_count(row, ocelotl_notes_count(trace.notes));
    oc_cell_text(row, ocelotl_notes_metadata_count(trace.notes) > 0 ? row->made.bytes : NULL);
    add_known(row, trace.problem);
    add_known(row, trace.title);
    add_known(row, trace.uid);
    return OCELOTL_OK;
}

/* --- JSON */

static ocelotl_status add_members(oc_json *json, void *state)
{
    const ocelotl_folder *folder = *(const ocelotl_folder **)state;
    oc_row row = {.count = 0};
    oc_json_text(json, "folder", ocelotl_folder_path(folder));
    oc_json_count(json, "others", folder->others);
    oc_json_count(json, "unmet", folder->unmet);
    if (ocelotl_folder_is_cut(folder))
        oc_json_count(json, "looked_at", OCELOTL_FOLDER_MOST);
    oc_json_list(json, "traces");
    for (size_t i = 0; i < folder->count; i++) {
        row.count = 0;
        oc_text_clear(&row.made);
        (void)fill_trace(&row, &folder, i);
        json->out.text.failed = json->out.text.failed || row.made.failed;
        oc_json_item(json, 1);
        oc_json_cells(json, headings, &row, 0, METADATA);
        oc_text_append(oc_json_value(json, "metadata"), row.made.bytes, row.made.length);
        oc_json_cells(json, headings, &row, METADATA + 1, COLUMNS);
        oc_json_end_object(json);
    }
    oc_text_free(&row.made);
    oc_json_end_list(json);
    return OCELOTL_OK;
}

/* --- Text, for people */

enum { LEAST_NAME = 12, MOST_NAME = 48, FORMAT_WIDTH = 9, DATE_WIDTH = 16 };

static void print_count(oc_output *out, uint64_t count, bool is_known, int width)
{
    if (is_known)
        oc_output_format(out, "%*" PRIu64 "  ", width, count);
    else
        oc_output_format(out, "%*s  ", width, "-");
}

static void print_trace(oc_output *out, const ocelotl_folder_trace *trace, size_t width)
{
    const char *date = trace->recorded[0] != '\0' ? trace->recorded : trace->modified;
    char minute[DATE_WIDTH + 1] = "-"; /* of a day, of what is in ISO 8601 */
    if (strlen(date) >= DATE_WIDTH)
        memcpy(minute, date, DATE_WIDTH);
    if (minute[10] == 'T')
        minute[10] = ' ';
    oc_output_add_column(out, trace->name, width);
    oc_output_add(out, "  ");
    oc_output_add_column(out, trace->kind[0] != '\0' ? trace->kind : "-", 8);
    oc_output_add(out, "  ");
    oc_output_add_column(out, trace->format[0] != '\0' ? trace->format : "-", FORMAT_WIDTH);
    oc_output_add(out, "  ");
    if (trace->is_known)
        oc_output_format(out, "%10.5g s  ", trace->duration);
    else
        oc_output_format(out, "%12s  ", "-");
    print_count(out, trace->events, trace->is_known, 12);
    print_count(out, trace->resources, trace->is_known, 9);
    print_count(out, trace->size, !trace->is_folder, 13);
    oc_output_add_column(out, minute, DATE_WIDTH);
    oc_output_format(out, "  %5zu", ocelotl_notes_count(trace->notes));
    for (size_t i = 0; i < ocelotl_notes_metadata_count(trace->notes); i++) {
        const ocelotl_metadata one = ocelotl_notes_metadata_at(trace->notes, i);
        oc_output_print(out, "%s%s=%s", i == 0 ? "  " : ", ", one.key, one.value);
    }
    if (trace->problem != NULL)
        oc_output_print(out, "  ! %s", trace->problem);
    oc_output_add(out, "\n");
}

static ocelotl_status print_all(oc_output *out, void *state)
{
    const ocelotl_folder *folder = *(const ocelotl_folder **)state;
    size_t width = LEAST_NAME;
    size_t count = 0; /* of traces */
    for (size_t i = 0; i < folder->count; i++) {
        const size_t one = oc_visible_width(folder->list[i].name);
        width = one > width && one <= MOST_NAME ? one : width;
        count += folder->list[i].kind[0] != '\0';
    }
    oc_output_add_column(out, "name", width);
    oc_output_format(out, "  %-8s  %-*s  %12s  %12s  %9s  %13s  %-*s  %5s\n", "kind", FORMAT_WIDTH,
                     "format", "duration", "events", "resources", "bytes", DATE_WIDTH, "date (UTC)",
                     "notes");
    for (size_t i = 0; i < folder->count; i++) {
        const ocelotl_folder_trace trace = folder->list[i];
        print_trace(out, &trace, width);
    }
    oc_output_format(out, "%zu %s", count, count == 1 ? "trace" : "traces");
    if (folder->count > count)
        oc_output_format(out, ", %zu not readable as one", folder->count - count);
    if (folder->unmet > 0)
        oc_output_format(out, ", %zu more left out by --where", folder->unmet);
    if (folder->others > 0)
        oc_output_format(out, ", %zu other %s (--others)", folder->others,
                         folder->others == 1 ? "file" : "files");
    oc_output_add(out, "\n");
    return OCELOTL_OK;
}

ocelotl_status ocelotl_folder_write(const ocelotl_sink *sink, ocelotl_form form,
                                    const ocelotl_folder *folder)
{
    const size_t count = folder->count;
    const oc_forms forms = {&folder,
                            add_members,
                            print_all,
                            {headings, COLUMNS, &folder, sizeof(void *), count, fill_trace}};
    return oc_forms_write(sink, form, &forms);
}
