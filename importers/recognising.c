/* What a file is, by how it begins. */
#include "importers/importer.h"

#include <string.h>

static bool is_trace_db(const char *head, size_t length)
{
    static const char magic[] = "SQLite format 3";
    enum { PLACE = 68 }; /* of the program that wrote a database */
    return length >= sizeof magic && memcmp(head, magic, sizeof magic) == 0 &&
           (length < PLACE + 4 || memcmp(head + PLACE, "OCEL", 4) == 0);
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

ocelotl_status oc_recognise(const oc_importer **surest, const oc_source *source, int least)
{
    *surest = NULL;
    for (uint32_t i = 0; i < ocelotl_format_count(); i++) {
        const oc_importer *importer = oc_importer_get(i);
        const int sure = importer->recognises(source);
        if (sure == OC_NO_MEMORY)
            return oc_fail_memory();
        if (sure >= least) {
            *surest = importer;
            least = sure + 1;
        }
    }
    return OCELOTL_OK;
}

bool oc_is_imported(ocelotl_file_kind *kind, const oc_source *source)
{
    const oc_head *head = &source->head;
    if (is_trace_db(head->bytes, head->length))
        *kind = OCELOTL_FILE_TRACE_DB;
    else if (is_matrix(head->bytes, head->length))
        *kind = OCELOTL_FILE_MATRIX;
    else
        return false;
    return true;
}

/* Finds out what a file is, and which importer reads it where it is a trace. */
ocelotl_status oc_identify_file(ocelotl_file_kind *kind, const oc_importer **importer,
                                const oc_source *source)
{
    const oc_head *head = &source->head;
    *importer = NULL;
    if (head->length == 0 && head->loss == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is empty, expected a trace", source->path);
    if (oc_is_imported(kind, source))
        return OCELOTL_OK;
    *kind = OCELOTL_FILE_TRACE;
    OC_TRY(oc_recognise(importer, source, OC_PERHAPS + 1));
    if (*importer != NULL)
        return OCELOTL_OK;
    OC_TRY(oc_check_known(source));
    OC_TRY(oc_recognise(importer, source, OC_PERHAPS));
    return *importer != NULL ? OCELOTL_OK : oc_fail_unknown_format(source);
}
