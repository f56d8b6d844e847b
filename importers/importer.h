/* The vtable of a format, and the table of them. A new format is one folder, and one line in
 * importers/registry.c. */
#ifndef OC_IMPORTERS_IMPORTER_H
#define OC_IMPORTERS_IMPORTER_H

#include "base/input.h"

#include <ocelotl/import.h>
#include <ocelotl/writer.h>

/* What an importer is asked to do. */
typedef struct oc_import {
    oc_input *input;
    const char *source; /* as messages name it */
    const char *target;
    const char *name; /* of the trace */
    const ocelotl_import_options *options;
} oc_import;

typedef struct oc_importer {
    ocelotl_format format;

    /* Whether a file with this beginning (decompressed) is of the format. */
    bool (*recognises)(const char *head, size_t length);

    /* Reads all of the input and writes the target through the public writer. */
    ocelotl_status (*import)(const oc_import *import);
} oc_importer;

/* The formats, by index below the count. */
uint32_t oc_importer_count(void);
const oc_importer *oc_importer_get(uint32_t index);

extern const oc_importer oc_paje_importer;

#endif
