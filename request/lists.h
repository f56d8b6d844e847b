/* Names that are read from a file: --only @names.txt. */
#ifndef OC_REQUEST_LISTS_H
#define OC_REQUEST_LISTS_H

#include "base/text.h"
#include "request/request.h"

/* The names of a file, one a line. Zero-initialised it is empty. */
typedef struct oc_list {
    oc_text bytes;
    char **names; /* in them */
    size_t count, capacity;
} oc_list;

/* Whether the value of a row is the name of a file of names behind @. */
bool oc_is_list_of_names(const oc_parameter *row, const char *value);

/* Reads that file. Free the list in any case. Errors: IO; INPUT "file:line: ..."; LIMIT for more
 * than 1 MB; MEMORY. */
ocelotl_status oc_list_read(oc_list *list, const oc_parameter *row, const char *value);
void oc_list_free(oc_list *list);

/* The name that a value of a row is: @@x is @x. */
const char *oc_name_of_value(const oc_parameter *row, const char *value);

#endif
