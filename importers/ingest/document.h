/* The text of a JSON document that is an object, item by item: with one value in memory at a time,
 * however large the document is. */
#ifndef OC_IMPORTERS_INGEST_DOCUMENT_H
#define OC_IMPORTERS_INGEST_DOCUMENT_H

#include "importers/ingest/ingest.h"
#include "importers/ingest/stream.h"

/* What a decoder wants of a document. */
typedef struct oc_document_form {
    const char *const *entered; /* members that are not taken whole; NULL behind the last: */
    const char *expected;       /* of a text that is no object, "{ and \"profiles\"" */
    /* Takes the value of a member, or one of the items of a list that is entered. INPUT is an error
     * with its place, or the value is skipped and counted where the import is lenient. */
    ocelotl_status (*take)(void *decoder, const char *member, const oc_json_item *item,
                           bool is_in_list);
} oc_document_form;

/* Zero-initialised it is closed. */
typedef struct oc_document {
    oc_ingest *ingest;
    const oc_document_form *form;
    void *decoder;
    oc_json_stream stream;
} oc_document;

/* Reads the document of a source. Errors: INPUT with the place, unless the import is lenient; LIMIT
 * where a value takes more than 1 GiB. */
ocelotl_status oc_document_read(oc_document *document, oc_ingest *ingest,
                                const oc_document_form *form, void *decoder,
                                const oc_source *source);

/* Notes the line of a place in the value at hand. */
void oc_document_see(oc_document *document, const char *place);

/* Counts a part that is broken as skipped where the import is lenient, else passes on why. */
ocelotl_status oc_document_or_skip(oc_ingest *ingest, ocelotl_status status);

/* Puts file and line before what is wrong with the content. */
ocelotl_status oc_document_place(const oc_ingest *ingest, ocelotl_status status);

void oc_document_free(oc_document *document);

#endif
