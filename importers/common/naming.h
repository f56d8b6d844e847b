/* Names rows and sorts them, by what a source says about them. */
#ifndef OC_IMPORTERS_COMMON_NAMING_H
#define OC_IMPORTERS_COMMON_NAMING_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A process, a thread, a file. Texts are the caller's. */
typedef struct oc_named {
    uint32_t parent;   /* names and order are those of what has one parent */
    const char *id;    /* a number as text, or another text */
    const char *name;  /* NULL, "": the id is all that is known */
    const char *label; /* distinguishes rows of one name, better than the id; NULL: none */
    int64_t index;     /* of the producer's sorting; 0 if it says nothing */
} oc_named;

/* Sorts indices: by parent, by the producer's index, then by the numbers at the end of ids that are
 * else alike (rank 2 before rank 10), then as they were first seen. O(n log n). Errors: MEMORY. */
ocelotl_status oc_naming_order(uint32_t *order, const oc_named *all, size_t count);

/* A kind of rows, with their names and their order once settled. */
typedef struct oc_namings {
    oc_named *named; /* for the caller to fill */
    char **names;
    uint32_t *order;
    size_t count;
} oc_namings;

/* Makes room for `count` rows; free it in any case. Errors: MEMORY. */
ocelotl_status oc_namings_begin(oc_namings *all, size_t count);
ocelotl_status oc_namings_settle(oc_namings *all);
void oc_namings_free(oc_namings *all);

#endif
