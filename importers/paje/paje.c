/* The importer of Paje traces. The language is described in docs/formats/paje.md. */
#include "importers/paje/reader.h"

#include "base/memory.h"
#include "importers/ingest/align.h"

#include <stdlib.h>
#include <string.h>

static const char *const oddity_names[] = {
    [PAJE_VALUE_TWICE - OC_COMMON_ODDITIES] = "value defined twice (the first is kept)",
    [PAJE_TIME_ROUNDED - OC_COMMON_ODDITIES] = "time with more digits than a tick has (rounded)",
    [PAJE_EVENT_UNKNOWN - OC_COMMON_ODDITIES] = "event of an unknown kind (ignored)",
    [PAJE_FIELD_IGNORED - OC_COMMON_ODDITIES] =
        "extra field of a definition or of a state's end (ignored)",
    [PAJE_COLOUR_UNREADABLE - OC_COMMON_ODDITIES] =
        "colour that is not three numbers in 0..1 (ignored)",
    [PAJE_FILE_EMPTY - OC_COMMON_ODDITIES] = "file without events (left out)",
};

/* Returns how sure it is that a file has this format. A comment longer than the head may precede
 * the first definition. */
static int recognises(const oc_source *source)
{
    const char *head = source->head.bytes;
    const size_t length = source->head.length;
    static const char word[] = "EventDef";
    bool line_begins = true;
    for (size_t i = 0; i < length; i++) {
        if (line_begins && head[i] == '%') {
            size_t next = i + 1;
            while (next < length && (head[next] == ' ' || head[next] == '\t'))
                next++;
            return length - next >= sizeof word - 1 &&
                           memcmp(head + next, word, sizeof word - 1) == 0
                       ? OC_SURE
                       : OC_NO;
        }
        if (line_begins && head[i] == '#')
            while (i + 1 < length && head[i + 1] != '\n')
                i++;
        else if (head[i] != '\n' && head[i] != '\r' && head[i] != ' ' && head[i] != '\t')
            return OC_NO;
        line_begins = head[i] == '\n' || (line_begins && head[i] != '#');
    }
    return length == OC_HEAD_SIZE ? OC_PERHAPS : OC_NO;
}

/* A line that can only be understood when its event is applied may be broken, too. */
static ocelotl_status apply(void *context, const paje_block *block, size_t from, size_t to)
{
    paje_reader *reader = context;
    for (size_t i = from; i < to; i++) {
        const ocelotl_status status = paje_stacks_apply(&i, &reader->stacks, block, to);
        if (status == OCELOTL_OK)
            break;
        OC_TRY(oc_oddities_skip(&reader->oddities, status, reader->paths[block->events[i].file],
                                block->first_line + block->events[i].line));
    }
    return OCELOTL_OK;
}

/* Several files that were given are below a node each, or merged by path. */
static ocelotl_status add_files(paje_reader *reader)
{
    const oc_import *import = reader->import;
    const bool nodes = import->source_count > 1 && !import->options->same_root;
    uint32_t type = OCELOTL_ROOT;
    if (import->source_count > 1)
        reader->names.is_shared = true;
    if (nodes)
        OC_TRY(ocelotl_writer_resource_type(&type, reader->writer, OCELOTL_ROOT, "File"));
    for (size_t i = 0; i < import->source_count; i++)
        OC_TRY(paje_files_add(reader, &import->sources[i], nodes ? import->nodes[i] : NULL, type));
    return OCELOTL_OK;
}

static ocelotl_status check_end(paje_reader *reader)
{
    uint64_t kept_lines = 0;
    const oc_import *import = reader->import;
    for (size_t i = 0; i < reader->file_count; i++) {
        OC_TRY(paje_check_file(reader, reader->files[i]));
        OC_TRY(paje_definitions_count(&reader->kinds, &reader->files[i]->definitions));
        kept_lines += reader->files[i]->kept_lines;
    }
    for (size_t i = 0; i < reader->file_count && reader->file_count > 1; i++)
        OC_TRY(oc_source_note(reader->files[i]->source, reader->writer));
    for (size_t i = 0; i < import->source_count && import->source_count > 1; i++)
        OC_TRY(oc_align_tell(reader->writer, import->nodes[i], import->options->align,
                             reader->files[i]->scope->shift,
                             (double)reader->power * (double)oc_power_of_ten(reader->unit_digits)));
    return kept_lines > 0 ? OCELOTL_OK
                          : oc_oddities_fail_empty(
                                &reader->oddities, reader->paths[0],
                                "holds definitions alone, and so do the other files, expected "
                                "events");
}

static ocelotl_status read_all(paje_reader *reader)
{
    OC_TRY(paje_stacks_begin(&reader->stacks, "0"));
    OC_TRY(paje_pipeline_begin(&reader->pipeline, reader->import->options->work.threads, apply,
                               reader));
    OC_TRY(paje_ahead_begin(reader));
    OC_TRY(add_files(reader));
    if (reader->file_count == 1)
        OC_TRY(paje_read_alone(reader));
    if (reader->file_count > 1)
        OC_TRY(paje_read_merged(reader));
    OC_TRY(paje_pipeline_drain(&reader->pipeline, true));
    OC_TRY(paje_report(reader));
    OC_TRY(check_end(reader));
    OC_TRY(paje_stacks_finish(&reader->stacks));
    OC_TRY(oc_oddities_finish(&reader->oddities));
    OC_TRY(oc_kinds_finish(&reader->kinds, reader->writer));
    return ocelotl_writer_finish(reader->writer);
}

static ocelotl_status open_writer(paje_reader *reader)
{
    OC_TRY(oc_time_unit_digits(&reader->unit_digits, reader->import->options->time_unit));
    OC_TRY(oc_import_open(&reader->writer, reader->import, oc_paje_importer.format.name,
                          oc_power_of_ten(reader->unit_digits), NULL));
    reader->stacks.resources.writer = reader->writer;
    reader->stacks.oddities = &reader->oddities;
    reader->names.resources = &reader->stacks.resources;
    reader->oddities =
        oc_import_oddities(reader->import, reader->writer, oddity_names, PAJE_ODDITY_END);
    return OCELOTL_OK;
}

static ocelotl_status import_paje(const oc_import *import)
{
    paje_reader *reader = NULL;
    OC_TRY(oc_arena_make(&reader, sizeof *reader));
    reader->import = import;
    reader->power = 1;
    ocelotl_status status = open_writer(reader);
    if (status == OCELOTL_OK)
        status = read_all(reader);
    paje_files_stop(reader);
    paje_pipeline_free(&reader->pipeline);
    paje_ahead_free(reader);
    paje_stacks_free(&reader->stacks);
    oc_oddities_free(&reader->oddities);
    oc_kinds_free(&reader->kinds);
    paje_names_free(&reader->names);
    paje_files_free(reader);
    ocelotl_writer_free(reader->writer);
    oc_arena_free(&reader->arena);
    return status;
}

const oc_importer oc_paje_importer = {
    .format = {.name = "paje",
               .description = "Pajé traces, as SimGrid, StarPU and many others write them (.trace, "
                              "plain or compressed)",
               .suffixes = (const char *const[]){".trace", ".paje", NULL}},
    .takes_several = true,
    .takes = OC_TAKES_TIME_UNIT,
    .recognises = recognises,
    .import = import_paje,
};
