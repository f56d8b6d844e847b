/* What a folder's list of traces is made of. */
#ifndef OC_FOLDER_FOLDER_H
#define OC_FOLDER_FOLDER_H

#include "base/status.h"

#include <ocelotl/folder.h>
#include <ocelotl/import.h>
#include <ocelotl/notes.h>

#include <sys/stat.h>

/* A trace in the folder. */
typedef struct ocelotl_folder_trace {
    const char *name;     /* its path below the folder */
    const char *kind;     /* "trace.db", "trace" (of a format), "matrix"; "": it is no trace */
    const char *format;   /* of the source of a trace.db, and of a trace; "": not known */
    const char *title;    /* the name for captions, "": not known */
    const char *uid;      /* "": not known */
    const char *recorded; /* in ISO 8601, "": not known */
    const char *modified; /* in UTC (RFC 3339), of the file or folder; "": not known */
    bool is_known;        /* the next three are; else they are 0 */
    bool is_folder;       /* whose size is not known */
    double duration;      /* in seconds */
    uint64_t events;
    uint64_t resources;
    uint64_t size;              /* in bytes, of the file */
    const ocelotl_notes *notes; /* NULL: there are none */
    const char *problem;        /* what is wrong with it, NULL: nothing */
} ocelotl_folder_trace;

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
    size_t others;                  /* files that were left out because nothing recognises them */
    size_t unmet;                   /* traces, because of a condition */
    ocelotl_folder_options options; /* while it is read */
    uint64_t seen;                  /* files and folders */
};

/* Gives a trace by its index below the count, in the order that was asked for. O(1). */
static inline ocelotl_folder_trace oc_folder_at(const ocelotl_folder *folder, size_t index)
{
    ocelotl_folder_trace trace = folder->list[index].trace;
    trace.modified = folder->list[index].modified;
    return trace;
}

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
