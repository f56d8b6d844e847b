/* What a folder holds: its traces, and what looks like one. The rule is in docs/folder.md. */
#ifndef OC_IMPORTERS_CONTENTS_H
#define OC_IMPORTERS_CONTENTS_H

#include "base/arena.h"
#include "importers/importer.h"

typedef enum oc_content_kind {
    OC_CONTENT_TRACE,  /* by what it begins with */
    OC_CONTENT_NAMED,  /* by its name alone */
    OC_CONTENT_OTHER,  /* no trace, but named as some are: a table, a text, a log */
    OC_CONTENT_BROKEN, /* a trace, or a folder of some, that cannot be read */
    OC_CONTENT_LINK,   /* a link that leads out of the folder, to another */
    OC_CONTENT_COPY,   /* a trace with the content of another, which is compressed otherwise */
    OC_CONTENT_NAMES   /* what belongs to a trace that is not there, and is nothing without it */
} oc_content_kind;

typedef struct oc_content {
    oc_content_kind kind;
    const char *path; /* from the folder; "" is itself */
    const char *why;  /* a message: why it cannot be read, NULL: it can */
    const oc_importer *importer;
    bool is_empty;
} oc_content;

/* In the order of their names, those of a folder before those of the folders in it. */
typedef struct oc_contents {
    oc_arena arena;
    oc_content *items;
    size_t count, capacity;
    const oc_importer *wanted; /* that was asked for; NULL: none */
    /* After oc_contents_judge: */
    const oc_importer *importer; /* of those that are read */
    oc_content_kind taken;       /* TRACE, or NAMED where there are no others */
    size_t taken_count;
} oc_contents;

enum {
    OC_CONTENTS_DEPTH = 16,
    /* More files than this are not looked into; those of an archive by their names do not count. */
    OC_CONTENTS_FILES = 100000
};

/* Looks at all that is in a folder, and below it. Hidden files, notes, what is being written,
 * pipes, devices and files of the kernel are passed over, and links to folders are not followed.
 * Errors: IO where the folder cannot be read; LIMIT; CANCELLED, MEMORY. The contents are freed by
 * the caller in any case. */
ocelotl_status oc_contents_read(oc_contents *contents, const oc_source *folder,
                                const ocelotl_import_options *options);

/* Decides which format is read. What else looks like a trace is an error, or, if `lenient`, a
 * notice. Errors: INPUT; IO where nothing looks like a trace; MEMORY. */
ocelotl_status oc_contents_judge(oc_contents *contents, oc_notices *left, const oc_source *folder,
                                 bool lenient);

/* Makes copies of the traces that differ from another in their compression alone, and says which
 * these are, and which have another content. Errors: of reading both; CANCELLED, MEMORY. Costs two
 * reads of such files up to their first difference, and nothing of others. */
ocelotl_status oc_contents_drop_copies(oc_contents *contents, oc_notices *left,
                                       const oc_source *folder,
                                       const ocelotl_import_options *options);

/* Whether an item is read, once they are judged. */
bool oc_contents_takes(const oc_contents *contents, const oc_content *item);

void oc_contents_free(oc_contents *contents);

#endif
