/* The files of a trace: those that were given, and those that they name. */
#include "importers/paje/reader.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* With more files than this, each has a smaller block in memory. */
static const size_t few_files = 16;
static const size_t small_block = (size_t)1 << 16;
static const uint64_t lines_per_report = 16384;

void paje_files_stop(paje_reader *reader)
{
    for (size_t i = 0; i < reader->file_count; i++)
        paje_text_free(&reader->files[i]->text);
}

void paje_files_free(paje_reader *reader)
{
    for (size_t i = 0; i < reader->file_count; i++) {
        paje_definitions_free(&reader->files[i]->definitions);
        paje_blocks_free(reader->files[i]->block);
        oc_source_close(&reader->files[i]->own);
    }
    for (size_t i = 0; i < reader->scope_count; i++)
        paje_scope_free(reader->scopes[i]);
}

/* Adds a file without a scope; it owns the source unless that was given. */
static ocelotl_status add_file(paje_file **added, paje_reader *reader, oc_source *given,
                               const oc_source *own)
{
    const size_t count = reader->file_count;
    const size_t block_size = reader->import->block_size;
    paje_file *file;
    OC_TRY(oc_arena_grow(&reader->files, &reader->file_capacity, &reader->arena, count + 1,
                         sizeof(paje_file *)));
    OC_TRY(oc_arena_grow(&reader->paths, &reader->path_capacity, &reader->arena, count + 1,
                         sizeof *reader->paths));
    reader->stacks.files = reader->paths;
    OC_TRY(oc_arena_allocate(&file, &reader->arena, 1, sizeof *file));
    if (own != NULL)
        file->own = *own;
    file->number = (uint32_t)count;
    file->source = given != NULL ? given : &file->own;
    file->text.block_size = count >= few_files && block_size == 0 ? small_block : block_size;
    file->text.input = file->source->input;
    file->text.pipeline = &reader->pipeline;
    reader->paths[count] = file->source->path;
    reader->files[reader->file_count++] = file;
    reader->names.several = reader->file_count > 1;
    *added = file;
    return OCELOTL_OK;
}

ocelotl_status paje_files_add(paje_reader *reader, oc_source *source, const char *node,
                              uint32_t node_type)
{
    paje_file *file;
    paje_scope *scope;
    OC_TRY(add_file(&file, reader, source, NULL));
    OC_TRY(oc_arena_grow(&reader->scopes, &reader->scope_capacity, &reader->arena,
                         reader->scope_count + 1, sizeof(paje_scope *)));
    OC_TRY(oc_arena_allocate(&scope, &reader->arena, 1, sizeof *scope));
    file->node = node;
    file->scope = scope;
    scope->number = (uint32_t)reader->scope_count;
    reader->scopes[reader->scope_count++] = scope;
    return paje_scope_begin(scope, &reader->names, node != NULL ? PAJE_NOWHERE : 0, node_type);
}

/* A file that another one names means what that one does, unless it says otherwise. */
static ocelotl_status join(paje_file *file, const paje_file *naming)
{
    file->scope = naming->scope;
    file->node = naming->node;
    return paje_definitions_copy(&file->definitions, &naming->definitions);
}

/* A file that is read already, or was given and waits to be. */
static ocelotl_status name_known(const paje_reader *reader, paje_file *file, const char *name)
{
    if (file->scope == reader->file->scope)
        return OCELOTL_OK;
    if (file->is_begun)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the trace goes on in the file \"%s\", which is read as a trace of its own, "
                       "expected it to be given after this one",
                       name);
    return join(file, reader->file);
}

static ocelotl_status open_named(paje_reader *reader, const char *path)
{
    paje_file *file;
    oc_source source = {0};
    ocelotl_status status = oc_source_open_unseen(&source, path, reader->import->options);
    if (status == OCELOTL_OK)
        status = paje_pipeline_drain(&reader->pipeline, false);
    if (status == OCELOTL_OK)
        status = add_file(&file, reader, NULL, &source);
    if (status != OCELOTL_OK) {
        oc_source_close(&source);
        return status == OCELOTL_ERROR_IO ? OCELOTL_ERROR_INPUT : status;
    }
    return join(file, reader->file);
}

static ocelotl_status name_path(paje_reader *reader, const char *name, const char *path)
{
    oc_source looked = {0};
    const bool exists = oc_source_look(&looked, path);
    const int reason = errno;
    for (size_t i = 0; exists && i < reader->file_count; i++)
        if (oc_source_is_same(reader->files[i]->source, &looked))
            return name_known(reader, reader->files[i], name);
    if (oc_source_leads_out(reader->file->source, name) ||
        (exists && !oc_source_holds(reader->file->source, name)))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the trace goes on in the file \"%s\", which is not in or below its own "
                       "folder, expected one that is, or that is given on the command line, too",
                       name);
    if (!exists || !looked.is_regular)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the trace goes on in the file \"%s\", which cannot be opened: %s", name,
                       exists ? "it is no regular file" : strerror(reason));
    return open_named(reader, path);
}

ocelotl_status paje_files_name(paje_reader *reader, const char *name)
{
    char *path = oc_source_path(reader->file->source, name);
    if (path == NULL)
        return oc_fail_memory();
    const ocelotl_status status = name_path(reader, name, path);
    free(path);
    return status;
}

ocelotl_status paje_report(paje_reader *reader)
{
    const ocelotl_work *work = &reader->import->options->work;
    uint64_t done = 0;
    uint64_t total = 0;
    bool known = true;
    reader->next_report = reader->line_count + lines_per_report;
    if (work->progress == NULL)
        return OCELOTL_OK;
    for (size_t i = 0; i < reader->file_count; i++) {
        const paje_file *file = reader->files[i];
        const uint64_t size = oc_input_size(file->text.input);
        known = known && size > 0;
        total += size;
        done += size > 0 ? file->position : __atomic_load_n(&file->text.position, __ATOMIC_RELAXED);
    }
    return work->progress(work->context, done, known ? total : 0)
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_CANCELLED, "the import was cancelled");
}
