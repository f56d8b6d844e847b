/* The importer of PICL traces. What becomes of them is described in docs/formats/picl.md. */
#include "importers/picl/reader.h"

#include "base/memory.h"
#include "importers/common/lines.h"

#include <stdlib.h>

static const char *const oddity_names[] = {
    [PICL_FINE_TIME - OC_COMMON_ODDITIES] = "time finer than a tick can be (rounded)",
    [PICL_OUT_OF_ORDER - OC_COMMON_ODDITIES] =
        "record earlier than the one before it of its processor (sorted)",
    [PICL_SIZES - OC_COMMON_ODDITIES] =
        "message that is received with another size (that of its send is kept)",
};

/* --- Reading */

static ocelotl_status read_record(picl_reader *reader, const char *line)
{
    picl_record record;
    if (!reader->has_form) {
        reader->form = picl_line_form(line);
        reader->has_form = true;
        OC_TRY(picl_declare_types(reader));
    }
    OC_TRY(picl_line_read(&record, line, reader->form));
    return picl_take_record(reader, &record);
}

/* Reads a line of the trace, or of the file of names. */
typedef ocelotl_status line_reader(picl_reader *reader, const char *line);

static ocelotl_status read_lines(picl_reader *reader, oc_lines *lines, line_reader *read)
{
    char *end;
    const ocelotl_work *work = &reader->import->options->work;
    while (!lines->at_end) {
        if (work->progress != NULL &&
            !work->progress(work->context, oc_input_position(lines->input),
                            oc_input_size(lines->input)))
            return oc_fail(OCELOTL_ERROR_CANCELLED, "the import was cancelled");
        OC_TRY(oc_lines_read(lines));
        for (char *line; (line = oc_lines_take(&end, lines)) != NULL;) {
            reader->line = lines->number;
            ocelotl_status status = oc_lines_check(lines, line, end);
            if (status == OCELOTL_OK) {
                end -= end > line && end[-1] == '\r';
                *end = '\0';
                status = line[strspn(line, " \t")] != '\0'
                             ? read(reader, line)
                             : oc_kinds_count(&reader->kinds, "empty line", OCELOTL_FATE_LEFT_OUT,
                                              1, "it says nothing");
            }
            if (status != OCELOTL_OK)
                OC_TRY(oc_oddities_skip(&reader->oddities, status, reader->path, reader->line));
        }
    }
    return OCELOTL_OK;
}

static ocelotl_status read_file(picl_reader *reader, const oc_source *source, line_reader *read,
                                const char *what)
{
    oc_lines lines = {.input = source->input};
    reader->path = source->path;
    const ocelotl_status status = oc_lines_end(&lines, read_lines(reader, &lines, read),
                                               source->path, &reader->oddities, what);
    oc_lines_free(&lines);
    return status;
}

/* What is odd is said at the end, with the path: the file stays open until then. */
static ocelotl_status read_names_at(picl_reader *reader, const char *path)
{
    OC_TRY(oc_source_open_unseen(&reader->names, path, reader->import->options));
    OC_TRY(read_file(reader, &reader->names, picl_take_name, "names"));
    return oc_source_note(&reader->names, reader->writer);
}

static ocelotl_status read_names(picl_reader *reader)
{
    char *path = NULL;
    const oc_source *source = &reader->import->sources[0];
    if (!source->is_standard)
        OC_TRY(oc_source_find_beside(&path, source->path, "", ".names"));
    ocelotl_status status = path != NULL ? read_names_at(reader, path) : OCELOTL_OK;
    if (status == OCELOTL_OK && (path != NULL || reader->import->notes_files))
        status = oc_source_note(source, reader->writer);
    free(path);
    return status;
}

static ocelotl_status write_all(picl_reader *reader)
{
    const char *const files[] = {reader->path};
    OC_TRY(picl_finish(reader));
    OC_TRY(picl_link(reader));
    OC_TRY(picl_declare_rows(reader));
    const oc_timelines_plan plan = {.rows = reader->destinations,
                                    .row_count = reader->row_count,
                                    .exact = true,
                                    .lane_type = OCELOTL_NONE,
                                    .row_type = OCELOTL_ROOT,
                                    .files = files,
                                    .left_out = picl_leave_out,
                                    .context = reader};
    OC_TRY(oc_timelines_write(&reader->timelines, &plan));
    for (size_t i = 0; i < reader->row_count; i++)
        if (reader->destinations[i].has_end)
            OC_TRY(ocelotl_writer_resource_end(reader->writer, reader->destinations[i].resource,
                                               reader->destinations[i].end));
    OC_TRY(oc_oddities_finish(&reader->oddities));
    OC_TRY(oc_kinds_finish(&reader->kinds, reader->writer));
    return ocelotl_writer_finish(reader->writer);
}

static ocelotl_status import_all(picl_reader *reader)
{
    const oc_import *import = reader->import;
    const oc_source *source = &import->sources[0];
    OC_TRY(oc_import_open(&reader->writer, import, oc_picl_importer.format.name, 0, NULL));
    reader->oddities = oc_import_oddities(import, reader->writer, oddity_names, PICL_ODDITY_END);
    OC_TRY(oc_timelines_open(&reader->timelines, reader->writer, &reader->oddities, import->target,
                             OC_SORTING_MEMORY / 2));
    OC_TRY(oc_sorting_open(&reader->sends, import->target, OC_SORTING_MEMORY / 4, true));
    OC_TRY(oc_sorting_open(&reader->receives, import->target, OC_SORTING_MEMORY / 4, true));
    OC_TRY(read_names(reader));
    OC_TRY(read_file(reader, source, read_record, "trace"));
    if (reader->row_count == 0)
        return oc_oddities_fail_empty(&reader->oddities, source->path,
                                      "holds no record of a processor, expected some");
    return write_all(reader);
}

static ocelotl_status import_picl(const oc_import *import)
{
    picl_reader *reader = NULL;
    OC_TRY(oc_allocate(&reader, 1, sizeof *reader));
    reader->import = import;
    reader->digits = 9;
    const ocelotl_status status = import_all(reader);
    oc_map *const maps[] = {&reader->row_of,  &reader->queue_of, &reader->value_of,
                            &reader->text_of, &reader->type_of,  &reader->group_of,
                            &reader->end_of};
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
        oc_map_free(maps[i]);
    for (size_t i = 0; i < reader->text_count; i++)
        free(reader->texts[i]);
    free(reader->texts);
    free(reader->rows);
    free(reader->destinations);
    oc_sorting_free(reader->sends);
    oc_sorting_free(reader->receives);
    oc_timelines_free(&reader->timelines);
    oc_oddities_free(&reader->oddities);
    oc_kinds_free(&reader->kinds);
    oc_source_close(&reader->names);
    ocelotl_writer_free(reader->writer);
    free(reader);
    return status;
}

static const char *const suffixes[] = {".picl", ".trf", NULL};

const oc_importer oc_picl_importer = {
    .format = {.name = "picl",
               .description = "PICL traces, new and old (.picl or .trf, plain, .gz, .zst or .xz)",
               .suffixes = suffixes},
    .recognises = picl_recognises,
    .import = import_picl,
};
