/* Containers inside each other, until something befalls them, as their end does: it befalls each
 * once, with all that is inside, however often it is said of those around it. */
#ifndef OC_IMPORTERS_PAJE_NEST_H
#define OC_IMPORTERS_PAJE_NEST_H

#include "base/status.h"

#include <stdbool.h>

#define PAJE_NOWHERE UINT32_MAX

typedef struct paje_nested {
    /* what it is inside; of what is out, something that is nearer to what is not */
    uint32_t around;
    uint32_t first, last;    /* of what is inside it, */
    uint32_t before, behind; /* and beside it */
    bool is_out;
} paje_nested;

/* By container. Zero-initialised it is empty; the first container is inside nothing. */
typedef struct paje_nest {
    paje_nested *nested;
    size_t count, capacity;
} paje_nest;

void paje_nest_free(paje_nest *nest);

/* Adds the next container inside another; where that is out, inside the next one around that is
 * not. The first is never out. Amortised O(log count). */
ocelotl_status paje_nest_add(paje_nest *nest, uint32_t around);

/* Walks over a container and all inside it, what is around first: the one after `container`, or
 * PAJE_NOWHERE. */
uint32_t paje_nest_next(const paje_nest *nest, uint32_t top, uint32_t container);

/* Takes a container out with all inside it, which are not met any more from anywhere. O(their
 * number). */
void paje_nest_take_out(paje_nest *nest, uint32_t container);

#endif
