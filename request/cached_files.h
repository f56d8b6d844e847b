/* The files in the cache, as they are. */
#ifndef OC_REQUEST_CACHED_FILES_H
#define OC_REQUEST_CACHED_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

typedef struct oc_cached_file {
    char *name;
    uint64_t size;              /* on the disk */
    struct timespec made, used; /* made last, and used last */
    bool answer;                /* or a trace */
} oc_cached_file;

/* Zero-initialised there is none. */
typedef struct oc_cached {
    char *folder;
    char *reason;          /* why it was not read, NULL: it was */
    oc_cached_file *files; /* what was used least recently comes first */
    size_t count;
    /* of all in the folder, what is being written and what is somebody else's, too */
    uint64_t size;
    bool failed; /* for want of memory not all are there */
} oc_cached;

/* Reads the folder of the cache, and removes what killed programs left there. False: there is no
 * such folder; free in any case. */
bool oc_cached_read(oc_cached *cached);

/* Removes a file; false where that is not possible, as while another program uses it. */
bool oc_cached_remove(oc_cached *cached, size_t index);

/* Makes a file that was looked into as if it had not been: used when it was. */
void oc_cached_restore(const oc_cached *cached, size_t index);

void oc_cached_free(oc_cached *cached);

/* Removes what was used least recently until the cache keeps to its bound, but not `used`, and what
 * killed programs left. */
void oc_cache_trim(const char *used);

#endif
