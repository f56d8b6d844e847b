/* What an import says of files that it leaves out: counted by kind, with the first of each. */
#ifndef OC_IMPORTERS_COMMON_NOTICES_H
#define OC_IMPORTERS_COMMON_NOTICES_H

#include "base/status.h"

#include <ocelotl/writer.h>

#include <stddef.h>
#include <stdint.h>

typedef struct oc_notice {
    const char *kind; /* lives for ever */
    char *first;
    uint64_t count;
} oc_notice;

/* Zero-initialised it is empty. */
typedef struct oc_notices {
    oc_notice *items;
    size_t count, capacity;
} oc_notices;

/* Counts one of a kind; the first is kept as a text. Errors: MEMORY. */
ocelotl_status oc_notices_add(oc_notices *notices, const char *kind, const char *first);

/* Gives the writer a warning for each kind. NULL: there are none. */
ocelotl_status oc_notices_write(const oc_notices *notices, ocelotl_writer *writer);

void oc_notices_free(oc_notices *notices);

#endif
