/* A file that is written beside its target and takes its place whole. */
#ifndef OC_BASE_REPLACEMENT_H
#define OC_BASE_REPLACEMENT_H

#include "base/status.h"

/* Zero-initialised it is not begun. */
typedef struct oc_replacement {
    char *target;
    bool overwrite;
    char *temporary; /* exists, empty, from oc_replacement_begin until commit or abandon */
} oc_replacement;

/* Creates an empty temporary file beside `target`. Errors: ARGUMENT where the target exists and `overwrite` is
 * not set; IO where it is a directory, or its folder cannot be written. */
ocelotl_status oc_replacement_begin(oc_replacement *replacement, const char *target, bool overwrite);

/* Gives the temporary file the target's name. */
ocelotl_status oc_replacement_commit(oc_replacement *replacement);

/* Removes what has not been committed and frees the rest. Safe in any state. */
void oc_replacement_end(oc_replacement *replacement);

/* Writes `length` bytes as the whole of a new or replaced file at `target`. */
ocelotl_status oc_replace_file(const char *target, const void *bytes, size_t length);

#endif
