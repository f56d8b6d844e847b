/* What somebody may have meant who wrote a name that does not exist. */
#ifndef OC_BASE_NEAREST_H
#define OC_BASE_NEAREST_H

#include <stddef.h>

/* The index of the text that is most like `wanted`, the first of equals; `count` where there is
 * none. Most alike are the last steps of a path, then what takes the fewest changes of a letter.
 * O(bytes of the texts x bytes of `wanted`), of which no more than 256 count. */
size_t oc_nearest(const char *wanted, const char *const *texts, size_t count);

#endif
