/* A file that is written beside its target and takes its place whole, as the library writes those
 * of its own. While it is written it is locked (flock): one that is not was left by a program that
 * was killed, and is removed when its target is written the next time. */
#ifndef CLI_REPLACEMENT_H
#define CLI_REPLACEMENT_H

#include "messages.h"

#include <ocelotl/ocelotl.h>

/* Zero-initialised it is not open. */
typedef struct cli_replacement {
    FILE *file;
    const char *path; /* as the user calls the target */
    char *target;     /* what a link leads to */
    char *temporary;
    int lock; /* the file once more, where it is open */
} cli_replacement;

/* Opens a file to write in place of `path`, which must outlive it. Gives an exit code. */
int cli_replacement_open(cli_replacement *replacement, const char *path);

/* Ends it: with CLI_DONE the file takes its place, with another code it is removed. Gives that
 * code, or one of its own after a message. Safe in any state. */
int cli_replacement_close(cli_replacement *replacement, int code);

/* Whether a path is that of such a temporary file, of the program or of the library. A handler of
 * signals may ask. */
bool cli_is_partial(const char *path);

/* Removes a temporary file of a folder that is open, if nobody writes it. */
bool cli_remove_left(int folder, const char *name);

/* Says why `path` could not be written. Gives an exit code. */
int cli_cannot_write(const char *path);

#endif
