/* What a folder's list of traces is made of. */
#ifndef OC_FOLDER_FOLDER_H
#define OC_FOLDER_FOLDER_H

#include "base/arena.h"

#include <ocelotl/folder.h>
#include <ocelotl/notes.h>

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
    uint64_t size;        /* in bytes, of the file */
    ocelotl_notes *notes; /* NULL: there are none */
    const char *problem;  /* what is wrong with it, NULL: nothing */
} ocelotl_folder_trace;

struct ocelotl_folder {
    oc_arena arena; /* that it lives in, with all texts */
    const char *path;
    ocelotl_folder_trace *list; /* in the order that was asked for */
    size_t count, capacity;
    size_t others;                  /* files that were left out because nothing recognises them */
    size_t unmet;                   /* traces, because of a condition */
    ocelotl_folder_options options; /* while it is read */
    uint64_t seen;                  /* files and folders */
};

#endif
