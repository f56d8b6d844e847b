/* What a folder's list of traces is made of. */
#ifndef OC_FOLDER_FOLDER_H
#define OC_FOLDER_FOLDER_H

#include "base/status.h"

#include <ocelotl/folder.h>
#include <ocelotl/import.h>

#include <sys/stat.h>

/* A trace, and what it owns. */
typedef struct oc_listed {
    ocelotl_folder_trace trace;
    char *texts[6]; /* name, format, title, uid, recorded, problem */
    char modified[32];
    ocelotl_notes *notes;
} oc_listed;

struct ocelotl_folder {
    char *path;
    oc_listed *list;
    size_t count, capacity;
    size_t others, unmet;
    ocelotl_folder_options options; /* while it is read */
    uint64_t seen;                  /* files and folders */
};

/* Frees what is known of a trace. */
void oc_listed_free(oc_listed *listed);

/* Keeps its path below the folder. */
ocelotl_status oc_listed_name(oc_listed *listed, const char *name);

/* Takes the date from what the system knows of its file. */
void oc_listed_date(oc_listed *listed, const struct stat *is);

/* Looks at what a trace of some kind says of itself, and at its notes. Errors: MEMORY. */
ocelotl_status oc_listed_describe(oc_listed *listed, const ocelotl_identity *identity,
                                  const char *path);

/* Whether a status says nothing of the file that was looked at. */
bool oc_is_our_own(ocelotl_status status);

/* Keeps the last message as what is wrong, unless it is not the trace's fault: that status is
 * given back. */
ocelotl_status oc_listed_problem(oc_listed *listed, ocelotl_status status, const char *path);

/* Makes the members that callers see of what was found. */
void oc_listed_finish(oc_listed *listed);

/* Drops the traces that conditions do not hold for, and sorts the others. */
ocelotl_status oc_folder_arrange(ocelotl_folder *folder);

#endif
