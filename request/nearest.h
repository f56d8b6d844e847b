/* What somebody may have meant who wrote an option or a command that does not exist. Names in a
 * trace are the library's to compare, which does so by its own measure of paths. */
#ifndef OC_REQUEST_NEAREST_H
#define OC_REQUEST_NEAREST_H

#include <stddef.h>

/* The name most like `wanted` of those that were tried, the first of equals; NULL while none is
 * alike enough to be meant. */
typedef struct oc_nearest_name {
    const char *wanted;
    size_t length; /* of wanted */
    const char *name;
    size_t changes; /* from the one to the other */
} oc_nearest_name;

/* Neither of a name nor of `wanted` more than 63 bytes count. */
oc_nearest_name oc_nearest_to(const char *wanted, size_t length);
void oc_nearest_try(oc_nearest_name *nearest, const char *name);

#endif
