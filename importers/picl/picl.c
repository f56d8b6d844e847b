/* The importer of PICL traces. What becomes of them is described in docs/formats/picl.md. */
#include "importers/picl/reader.h"

#include "base/memory.h"

#include <stdlib.h>

static const char *const oddity_names[] = {
    [PICL_FINE_TIME - OC_COMMON_ODDITIES] = "time finer than a tick can be (rounded)",
    [PICL_OUT_OF_ORDER - OC_COMMON_ODDITIES] =
        "record earlier than the one before it of its processor (sorted)",
};

/* --- Recognition: the first lines are records */

enum { LOOKED_AT = 32, LONGEST = 1024 };

/* What the lines that have been looked at are. */
typedef struct looking {
    picl_form form;
    int sure;
    bool has_first, has_words,
        has_others; /* an old trace is more than trace_start again and again */
} looking;

static bool look(looking *at, const char *text, size_t length)
{
    char line[LONGEST];
    picl_record record;
    if (memchr(text, '\0', length) != NULL) /* it is damaged */
        return at->has_first;
    if (length >= sizeof line)
        return false;
    memcpy(line, text, length);
    line[length] = '\0';
    if (!at->has_first) {
        at->form = picl_line_form(line);
        at->has_words = line[0] > '9';
    }
    if (picl_line_read(&record, line, at->form) != OCELOTL_OK)
        return false;
    at->has_others = at->has_others || record.event != PICL_OLD_START;
    /* A table of numbers may look like the old form, if that has no words. */
    if (at->form == PICL_OLD && !at->has_words &&
        (!picl_is_usual(&record) || record.processor < -32768))
        return false;
    if (!at->has_first && at->form == PICL_OLD)
        at->sure = record.event == PICL_OLD_START || at->has_words ? OC_SURE : OC_NO;
    else if (!at->has_first)
        at->sure =
            record.type == PICL_ENTRY && record.event == PICL_TRACING ? OC_SURE : OC_SURE / 2;
    at->has_first = true;
    return true;
}

/* The first lines have to be records, all that are not empty; the last may be cut. */
static int recognises(const oc_source *source)
{
    looking at = {.sure = OC_NO};
    const char *text = source->head.bytes;
    const char *end = text + source->head.length;
    for (int others = 0; text < end && others < LOOKED_AT; others += at.has_others) {
        const char *next = memchr(text, '\n', (size_t)(end - text));
        size_t length = (size_t)((next != NULL ? next : end) - text);
        length -= length > 0 && text[length - 1] == '\r';
        if (length > 0 && !look(&at, text, length) && (next != NULL || !at.has_first))
            return OC_NO;
        text = next != NULL ? next + 1 : end;
    }
    return at.form == PICL_NEW || at.has_others || oc_source_has_suffix(source->path, ".picl")
               ? at.sure
               : OC_NO;
}

/* --- Reading */

static ocelotl_status read_record(void *context, char *line, size_t length)
{
    (void)length;
    picl_record record;
    picl_reader *reader = context;
    if (!reader->has_form) {
        reader->form = picl_line_form(line);
        reader->has_form = true;
        OC_TRY(picl_declare_types(reader));
    }
    OC_TRY(picl_line_read(&record, line, reader->form));
    return picl_take_record(reader, &record);
}

/* What is odd is said at the end, with the path: the file stays open until then. */
static ocelotl_status read_names_at(picl_reader *reader, const char *path)
{
    oc_ingest *ingest = &reader->ingest;
    OC_TRY(oc_source_open_unseen(&reader->names, path, ingest->import->options));
    OC_TRY(oc_ingest_lines(ingest, &reader->names, "names", picl_take_name, reader));
    return oc_source_note(&reader->names, ingest->writer);
}

static ocelotl_status read_names(picl_reader *reader)
{
    char *path = NULL;
    const oc_import *import = reader->ingest.import;
    const oc_source *source = &import->sources[0];
    if (!source->is_standard)
        OC_TRY(oc_source_find_beside(&path, source->path, "", ".names"));
    ocelotl_status status = path != NULL ? read_names_at(reader, path) : OCELOTL_OK;
    if (status == OCELOTL_OK && (path != NULL || import->notes_files))
        status = oc_source_note(source, reader->ingest.writer);
    free(path);
    return status;
}

static ocelotl_status import_all(picl_reader *reader, const oc_import *import)
{
    oc_ingest *ingest = &reader->ingest;
    OC_TRY(oc_ingest_open(ingest, import, oc_picl_importer.format.name, oddity_names,
                          PICL_ODDITY_END));
    ingest->exact = true;
    OC_TRY(read_names(reader));
    OC_TRY(oc_ingest_lines(ingest, &import->sources[0], "trace", read_record, reader));
    OC_TRY(picl_finish(reader));
    return oc_ingest_write(ingest, "holds no record of a processor, expected some", picl_leave_out,
                           reader);
}

static ocelotl_status import_picl(const oc_import *import)
{
    picl_reader *reader = NULL;
    OC_TRY(oc_allocate(&reader, 1, sizeof *reader));
    const ocelotl_status status = import_all(reader, import);
    oc_map_free(&reader->processor_of);
    oc_map_free(&reader->end_of);
    oc_map_free(&reader->text_of);
    for (size_t i = 0; i < reader->text_count; i++)
        free(reader->texts[i]);
    free(reader->texts);
    free(reader->processors);
    oc_ingest_close(&reader->ingest);
    oc_source_close(&reader->names);
    free(reader);
    return status;
}

const oc_importer oc_picl_importer = {
    .format = {.name = "picl",
               .description = "PICL traces, new and old (.picl or .trf, plain, .gz, .zst or .xz)",
               .suffixes = (const char *const[]){".picl", ".trf", NULL}},
    .recognises = recognises,
    .import = import_picl,
};
