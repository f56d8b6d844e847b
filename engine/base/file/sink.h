/* Bytes on their way to a sink, or to a file. */
#ifndef OC_BASE_FILE_SINK_H
#define OC_BASE_FILE_SINK_H

#include "base/status.h"
#include "base/text.h"

#include <ocelotl/sink.h>

/* Writes all of some bytes. Errors: those of the sink; ARGUMENT where it has no function. */
ocelotl_status oc_sink_write(const ocelotl_sink *sink, const void *bytes, size_t size);

/* Text that goes to a sink in large pieces as it is made. Initialise it to {.sink = sink}; without
 * a sink all of it stays in `text`. After the first failure nothing more is added: check it once,
 * at the end. */
typedef struct oc_output {
    const ocelotl_sink *sink;
    oc_text text; /* what has not gone out yet */
    ocelotl_status status;
} oc_output;

void oc_output_append(oc_output *output, const char *bytes, size_t length);
void oc_output_add(oc_output *output, const char *string);
void oc_output_format(oc_output *output, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sends what is gathered where that is much: for those that append to `text` themselves. */
void oc_output_flow(oc_output *output);

/* Sends what is gathered, however little: before a failure of what is written as it is found, whose
 * beginning is worth having. Gives `status`. */
ocelotl_status oc_output_send(oc_output *output, ocelotl_status status);

/* Sends the rest, frees the text, and gives the first failure. `status` is that of the caller's own
 * work: where it failed, that is what is given, and nothing more is sent. */
ocelotl_status oc_output_end(oc_output *output, ocelotl_status status);

/* --- A file that is written beside its target and then replaces it whole
 *
 * The temporary file is locked (flock) while a process writes it. One without a lock was left by a
 * killed process, and is removed when its target is written the next time. */

/* Zero-initialised it is not begun. */
typedef struct oc_replacement {
    char *target;
    bool overwrite, is_folder;
    /* exists, empty, from oc_replacement_begin until commit or end; NULL: `lock` is not open */
    char *temporary;
    int lock; /* the temporary file, open and locked */
} oc_replacement;

/* Creates an empty temporary file beside `target`, and removes those that killed processes left
 * there. Errors: ARGUMENT where the target exists and `overwrite` is not set; IO where it is a
 * directory, or its folder cannot be written. */
ocelotl_status oc_replacement_begin(oc_replacement *replacement, const char *target,
                                    bool overwrite);

/* The same for a folder of files, which the caller makes in the temporary folder. Where there is
 * one, the caller knows that it may go. */
ocelotl_status oc_replacement_begin_folder(oc_replacement *replacement, const char *target,
                                           bool overwrite);

/* Gives the temporary file the target's name. */
ocelotl_status oc_replacement_commit(oc_replacement *replacement);

/* Removes what has not been committed and frees the rest. Safe in any state. */
void oc_replacement_end(oc_replacement *replacement);

/* Writes bytes to an open file, behind those before; messages name `path`. Errors: IO. */
ocelotl_status oc_write_all(int file, const char *path, const void *bytes, size_t length);

/* Opens a file without a name, to read and write: nothing is left of it, however the program ends.
 * It is in a folder; NULL: in the one for temporary files. Messages name `path`. Errors: IO. */
ocelotl_status oc_open_nameless(int *file, const char *folder, const char *path);

/* Writes `length` bytes as the whole of a new or replaced file at `target`. */
ocelotl_status oc_replace_file(const char *target, const void *bytes, size_t length);

/* Removes a temporary file of a folder that is open, if nobody writes it. Whether it is gone. */
bool oc_remove_left(int folder, const char *name);

/* Fails with IO and "path: cannot write: ..." for a number of errno; says what to do where the disk
 * is full or the file may not grow. */
ocelotl_status oc_fail_to_write(const char *path, int error);

#endif
