/* Folders that hold a file of a name, in a folder and below it. */
#ifndef OC_IMPORTERS_COMMON_SEARCH_H
#define OC_IMPORTERS_COMMON_SEARCH_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* The folders that were found, by their paths. Zero-initialised it is empty. */
typedef struct oc_search {
    char **folders;
    size_t count, capacity;
    size_t seen; /* entries that were looked at */
} oc_search;

enum {
    OC_SEARCH_DEPTH = 16,
    /* A folder with more entries than this is no trace: the others are not looked at. */
    OC_SEARCH_ENTRIES = 100000
};

/* Finds folders with a regular file of that name; symbolic links to folders are not followed.
 * `most`: no more are looked for. Folders that cannot be read are passed over. The order is that of
 * the names. Errors: MEMORY. */
ocelotl_status oc_search_folders(oc_search *search, const char *folder, const char *name,
                                 size_t most);

void oc_search_free(oc_search *search);

#endif
