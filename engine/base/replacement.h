/* A file that is written beside its target and takes its place whole.
 *
 * The temporary file is locked (flock) as long as somebody writes it: one that is not was left by a
 * process that was killed, and is removed when its target is written the next time. */
#ifndef OC_BASE_REPLACEMENT_H
#define OC_BASE_REPLACEMENT_H

#include "base/status.h"

/* Zero-initialised it is not begun. */
typedef struct oc_replacement {
    char *target;
    bool overwrite;
    /* exists, empty, from oc_replacement_begin until commit or end; NULL: `lock` is not open */
    char *temporary;
    int lock; /* the temporary file, open and locked */
} oc_replacement;

/* Creates an empty temporary file beside `target`, and removes those that killed processes left
 * there. Errors: ARGUMENT where the target exists and `overwrite` is not set; IO where it is a
 * directory, or its folder cannot be written. */
ocelotl_status oc_replacement_begin(oc_replacement *replacement, const char *target,
                                    bool overwrite);

/* Writes bytes to the temporary file, behind those before. Errors: IO. */
ocelotl_status oc_replacement_write(const oc_replacement *replacement, const void *bytes,
                                    size_t length);

/* Gives the temporary file the target's name. */
ocelotl_status oc_replacement_commit(oc_replacement *replacement);

/* Removes what has not been committed and frees the rest. Safe in any state. */
void oc_replacement_end(oc_replacement *replacement);

/* Writes `length` bytes as the whole of a new or replaced file at `target`. */
ocelotl_status oc_replace_file(const char *target, const void *bytes, size_t length);

/* Removes a temporary file of a folder that is open, if nobody writes it. Whether it is gone. */
bool oc_remove_left(int folder, const char *name);

/* Fails with IO and "path: cannot write: ..." for a number of errno; says what to do where the disk
 * is full or the file may not grow. */
ocelotl_status oc_fail_to_write(const char *path, int error);

#endif
