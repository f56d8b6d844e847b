/* The files in the cache, as they are. */
#ifndef CLI_CACHED_FILES_H
#define CLI_CACHED_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

typedef struct cli_cached_file {
    char *name;
    uint64_t size;              /* on the disk */
    struct timespec made, used; /* made last, and used last */
    bool answer;                /* or a trace */
} cli_cached_file;

/* Zero-initialised there is none. */
typedef struct cli_cached {
    char *folder;
    char *reason;           /* why it was not read, NULL: it was */
    cli_cached_file *files; /* what was used least recently comes first */
    size_t count;
    /* of all in the folder, what is being written and what is somebody else's, too */
    uint64_t size;
    bool failed; /* for want of memory not all are there */
} cli_cached;

/* Reads the folder of the cache, and removes what killed programs left there. False: there is no
 * such folder; free in any case. */
bool cli_cached_read(cli_cached *cached);

/* Removes a file; false where that is not possible, as while another program uses it. */
bool cli_cached_remove(cli_cached *cached, size_t index);

/* Makes a file that was looked into as if it had not been: used when it was. */
void cli_cached_restore(const cli_cached *cached, size_t index);

void cli_cached_free(cli_cached *cached);

#endif
