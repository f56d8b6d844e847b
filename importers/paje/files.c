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

static void free_file(paje_file *file)
{
    paje_definitions_free(&file->definitions);
    paje_blocks_free(file->block);
    oc_source_close(&file->own);
    free(file);
}

void paje_files_stop(paje_reader *reader)
{
    for (size_t i = 0; i < reader->file_count; i++)
        paje_text_free(&reader->files[i]->text);
}

void paje_files_free(paje_reader *reader)
{
    for (size_t i = 0; i < reader->file_count; i++)
        free_file(reader->files[i]);
    for (size_t i = 0; i < reader->scope_count; i++) {
        paje_scope_free(reader->scopes[i]);
        free(reader->scopes[i]);
    }
    free(reader->files);
    free(reader->paths);
    free(reader->scopes);
    free(reader->heap);
}

static ocelotl_status add_file(paje_file **added, paje_reader *reader)
{
    const size_t count = reader->file_count;
    OC_TRY(oc_grow(&reader->files, &reader->file_capacity, count + 1, sizeof(paje_file *)));
    OC_TRY(oc_grow(&reader->paths, &reader->path_capacity, count + 1, sizeof *reader->paths));
    reader->stacks.files = reader->paths;
    OC_TRY(oc_allocate(added, 1, sizeof **added));
    (*added)->number = (uint32_t)count;
    (*added)->text.block_size = reader->import->block_size;
    if (count >= few_files && reader->import->block_size == 0)
        (*added)->text.block_size = small_block;
    reader->paths[count] = "";
    reader->files[reader->file_count++] = *added;
    reader->names.several = reader->file_count > 1;
    return OCELOTL_OK;
}

static void begin_file(paje_reader *reader, paje_file *file, oc_source *source)
{
    file->source = source;
    file->text.input = source->input;
    file->text.pipeline = &reader->pipeline;
    reader->paths[file->number] = source->path;
}

static ocelotl_status add_scope(paje_scope **scope, paje_reader *reader)
{
    OC_TRY(oc_grow(&reader->scopes, &reader->scope_capacity, reader->scope_count + 1,
                   sizeof(paje_scope *)));
    OC_TRY(oc_allocate(scope, 1, sizeof **scope));
    (*scope)->number = (uint32_t)reader->scope_count;
    reader->scopes[reader->scope_count++] = *scope;
    return OCELOTL_OK;
}

ocelotl_status paje_files_add(paje_reader *reader, oc_source *source, const char *node,
                              uint32_t node_type)
{
    paje_file *file;
    OC_TRY(add_file(&file, reader));
    begin_file(reader, file, source);
    file->node = node;
    OC_TRY(add_scope(&file->scope, reader));
    return paje_scope_begin(file->scope, &reader->names, node != NULL ? PAJE_NOWHERE : 0,
                            node_type);
}

/* A file that another one names means what that one does, unless it says otherwise. */
static ocelotl_status join(paje_file *file, const paje_file *naming)
{
    file->scope = naming->scope;
    file->node = naming->node;
    OC_TRY(paje_definitions_copy(&file->definitions, &naming->definitions));
    return OCELOTL_OK;
}

static ocelotl_status fail_refused(const char *name)
{
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "the trace goes on in the file \"%s\", which is not in or below its own folder, "
                   "expected one that is, or that is given on the command line, too",
                   name);
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

static paje_file *find_known(const paje_reader *reader, const oc_source *source)
{
    for (size_t i = 0; i < reader->file_count; i++)
        if (oc_source_is_same(reader->files[i]->source, source))
            return reader->files[i];
    return NULL;
}

static ocelotl_status open_named(paje_reader *reader, const char *path)
{
    paje_file *file;
    oc_source source = {0};
    ocelotl_status status = oc_source_open_unseen(&source, path, reader->import->options);
    if (status == OCELOTL_OK)
        status = paje_pipeline_drain(&reader->pipeline, false);
    if (status == OCELOTL_OK)
        status = add_file(&file, reader);
    if (status != OCELOTL_OK) {
        oc_source_close(&source);
        return status == OCELOTL_ERROR_IO ? OCELOTL_ERROR_INPUT : status;
    }
    file->own = source;
    begin_file(reader, file, &file->own);
    return join(file, reader->file);
}

static ocelotl_status fail_missing(const char *name, const char *reason)
{
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "the trace goes on in the file \"%s\", which cannot be opened: %s", name,
                   reason);
}

static ocelotl_status name_path(paje_reader *reader, const char *name, const char *path)
{
    oc_source looked = {0};
    const bool exists = oc_source_look(&looked, path);
    const int reason = errno;
    paje_file *known = exists ? find_known(reader, &looked) : NULL;
    if (known != NULL)
        return name_known(reader, known, name);
    if (oc_source_leads_out(reader->file->source, name) ||
        (exists && !oc_source_holds(reader->file->source, name)))
        return fail_refused(name);
    if (!exists)
        return fail_missing(name, strerror(reason));
    if (!looked.is_regular)
        return fail_missing(name, "it is no regular file");
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
