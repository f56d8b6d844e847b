/* What an importer is asked to do, and what each begins with. */
#ifndef OC_IMPORTERS_COMMON_OPENING_H
#define OC_IMPORTERS_COMMON_OPENING_H

#include "importers/common/notices.h"
#include "importers/common/oddities.h"
#include "importers/common/source.h"

typedef struct oc_import {
    oc_source *sources; /* as they were given, of one format */
    size_t source_count;
    const char *const *nodes; /* the names of their resources, if several files are given */
    bool
        notes_files; /* what they are is noted, so that a change is seen: several, or of a folder */
    oc_notices left; /* what folders hold that is left out */
    const char *folder; /* that was given, and whose files the sources are; NULL: others were */
    const char *target;
    const char *name;        /* of the trace */
    const char *source_path; /* where the trace comes from */
    const ocelotl_import_options *options;
    size_t block_size; /* of texts, for tests; 0: the usual */
    bool long_way;     /* no line is read the short way, for tests */
    bool is_shared;    /* the importer has said on all ranks what failed on one */
} oc_import;

/* Options of an import that only some formats take, a bit each; all take the others. */
typedef enum oc_taken_option {
    OC_TAKES_TIME_UNIT = 1 << 0,
    OC_TAKES_BY = 1 << 1,
    OC_TAKES_VALUE = 1 << 2, /* those in `values` */
    OC_TAKES_STACKS = 1 << 3,
    OC_TAKES_COLUMNS = 1 << 4,
    OC_TAKES_COLLECTIVES = 1 << 5,
    OC_TAKES_FOLD_NAMES = 1 << 6,
    OC_TAKES_PAIRS = 1 << 7
} oc_taken_option;

/* Opens the writer that an import asks for. A tick is 1/`ticks` seconds (0: 10^-9); tick 0 is at
 * `origin`, as ISO 8601 writes it (NULL: not known). */
ocelotl_status oc_import_open(ocelotl_writer **writer, const oc_import *import, const char *format,
                              uint64_t ticks, const char *origin);

/* No oddities yet, of kinds that any source may hold and of a format's own, which are numbered up
 * to `end`. */
oc_oddities oc_import_oddities(const oc_import *import, ocelotl_writer *writer,
                               const char *const *names, size_t end);

#endif
