/* What somebody may have meant who wrote an option or a command that does not exist. Names in a
 * trace are the library's to compare, which does so by its own measure of paths. */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include <stddef.h>

/* The name most like `wanted` of those that were tried, the first of equals; NULL while none is
 * alike enough to be meant. */
typedef struct cli_nearest {
    const char *wanted;
    size_t length; /* of wanted */
    const char *name;
    size_t changes; /* from the one to the other */
} cli_nearest;

/* Neither of a name nor of `wanted` more than 63 bytes count. */
cli_nearest cli_nearest_to(const char *wanted, size_t length);
void cli_nearest_try(cli_nearest *nearest, const char *name);

#endif
