/* Recognising files and handing them to their importer. */
#include "importers/importer.h"
#include "importers/unread.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Enough for the comments that precede the first line of meaning. */
static const size_t head_size = 65536;

static ocelotl_status read_head(char *head, size_t *length, oc_input *input)
{
    size_t step = 1;
    *length = 0;
    while (*length < head_size && step > 0) {
        OC_TRY(oc_input_read(input, head + *length, head_size - *length, &step));
        *length += step;
    }
    return OCELOTL_OK;
}

static bool is_trace_db(const char *head, size_t length)
{
    static const char magic[] = "SQLite format 3";
    return length >= sizeof magic && memcmp(head, magic, sizeof magic) == 0;
}

static bool is_matrix(const char *head, size_t length)
{
    static const char header[] = "path,type,slice,value";
    static const char quoted[] = "\"path\",\"type\",\"slice\",\"value\"";
    if (length >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0) {
        head += 3;
        length -= 3;
    }
    return (length >= sizeof header - 1 && memcmp(head, header, sizeof header - 1) == 0) ||
           (length >= sizeof quoted - 1 && memcmp(head, quoted, sizeof quoted - 1) == 0);
}

static const oc_importer *recognise(const char *head, size_t length)
{
    for (uint32_t i = 0; i < oc_importer_count(); i++)
        if (oc_importer_get(i)->recognises(head, length))
            return oc_importer_get(i);
    return NULL;
}

static ocelotl_status identify_head(ocelotl_file_kind *kind, const char *path, const oc_head *head)
{
    if (head->length == 0 && head->loss == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is empty, expected a trace", path);
    if (is_trace_db(head->bytes, head->length))
        *kind = OCELOTL_FILE_TRACE_DB;
    else if (is_matrix(head->bytes, head->length))
        *kind = OCELOTL_FILE_MATRIX;
    else if (recognise(head->bytes, head->length) != NULL)
        *kind = OCELOTL_FILE_TRACE;
    else
        return oc_fail_unread(path, head);
    return OCELOTL_OK;
}

/* Opens a file and reads its beginning, or what can be read of it; the caller frees both in any
 * case. */
static ocelotl_status open_head(oc_input **input, oc_head *head, const char *path,
                                const ocelotl_import_options *options)
{
    OC_TRY(oc_allocate(&head->bytes, head_size, 1));
    OC_TRY(oc_input_open_cancellable(input, path, options->progress, options->progress_context));
    oc_input_salvage(*input, true);
    OC_TRY(read_head(head->bytes, &head->length, *input));
    oc_input_salvage(*input, options->lenient);
    head->loss = oc_input_loss(*input);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_identify(ocelotl_file_kind *kind, const char *path)
{
    oc_input *input = NULL;
    oc_head head = {0};
    const ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    ocelotl_status status = open_head(&input, &head, path, &options);
    if (status == OCELOTL_OK)
        status = identify_head(kind, oc_input_name(input), &head);
    oc_input_free(input);
    free(head.bytes);
    return status;
}

static ocelotl_status find_format(const oc_importer **importer, const char *name)
{
    oc_text known = {0};
    *importer = NULL;
    for (uint32_t i = 0; i < oc_importer_count(); i++) {
        const oc_importer *candidate = oc_importer_get(i);
        if (strcmp(candidate->format.name, name) == 0)
            *importer = candidate;
        oc_text_format(&known, "%s%s", i > 0 ? ", " : "", candidate->format.name);
    }
    ocelotl_status status = OCELOTL_OK;
    if (*importer == NULL)
        status = oc_fail(OCELOTL_ERROR_ARGUMENT, "unknown format \"%s\", expected one of: %s", name,
                         known.bytes != NULL ? known.bytes : "");
    oc_text_free(&known);
    return status;
}

static ocelotl_status choose(const oc_importer **importer, const oc_import *import,
                             const oc_head *head)
{
    ocelotl_file_kind kind = OCELOTL_FILE_TRACE;
    if (import->options->format != NULL && head->length > 0)
        return find_format(importer, import->options->format);
    OC_TRY(identify_head(&kind, import->source, head));
    *importer = kind == OCELOTL_FILE_TRACE ? recognise(head->bytes, head->length) : NULL;
    if (*importer == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is a %s already, which needs no import",
                       import->source,
                       kind == OCELOTL_FILE_TRACE_DB ? "trace.db" : "microscopic model");
    return OCELOTL_OK;
}

/* "some/run.trace.zst" is the trace "run". */
static ocelotl_status name_trace(char **name, const char *source)
{
    static const char *const suffixes[] = {".zst", ".gz", ".xz", ".trace", ".paje"};
    const char *slash = strrchr(source, '/');
    OC_TRY(oc_copy_text(name, slash != NULL ? slash + 1 : source));
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        const size_t length = strlen(*name);
        const size_t suffix = strlen(suffixes[i]);
        if (length > suffix && strcmp(*name + length - suffix, suffixes[i]) == 0)
            (*name)[length - suffix] = '\0';
    }
    return OCELOTL_OK;
}

static ocelotl_status run(oc_import *import, const char *path)
{
    const oc_importer *importer = NULL;
    oc_head head = {0};
    ocelotl_status status = open_head(&import->input, &head, path, import->options);
    if (status == OCELOTL_OK)
        status = choose(&importer, import, &head);
    if (status == OCELOTL_OK)
        status = oc_input_unread(import->input, head.bytes, head.length);
    free(head.bytes);
    return status == OCELOTL_OK ? importer->import(import) : status;
}

ocelotl_status ocelotl_import(const char *target, const char *source,
                              const ocelotl_import_options *given)
{
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    oc_import import = {.source = strcmp(source, "-") == 0 ? "standard input" : source,
                        .target = target,
                        .options = &options};
    char *name = NULL;
    OC_TRY(oc_read_options(&options, sizeof options, given));
    ocelotl_status status = name_trace(&name, import.source);
    import.name = options.name != NULL ? options.name : name;
    if (status == OCELOTL_OK)
        status = run(&import, source);
    oc_input_free(import.input);
    free(name);
    return status;
}
