/* A table from the numbers that an archive gives its definitions to numbers of ours. */
#ifndef OC_IMPORTERS_OTF2_REFERENCES_H
#define OC_IMPORTERS_OTF2_REFERENCES_H

#include "base/map.h"

#include <stdbool.h>

typedef struct otf2_reference {
    uint64_t key;
    uint64_t value; /* + 1; 0: the slot is free */
} otf2_reference;

/* Zero-initialised it is empty. */
typedef struct otf2_references {
    otf2_reference *slots;
    size_t slot_count; /* a power of two, or 0 */
    size_t used;
    uint64_t odd; /* drawn by chance, so that nobody can choose keys that collide */
} otf2_references;

#define OC_OTF2_NOTHING UINT64_MAX

static inline size_t otf2_references_slot(const otf2_references *table, uint64_t key)
{
    const uint64_t mixed = (key ^ (key >> 32)) * table->odd;
    return (size_t)(mixed ^ (mixed >> 29)) & (table->slot_count - 1);
}

/* The value of a key; OC_OTF2_NOTHING if it is absent. O(1) expected. */
static inline uint64_t otf2_references_get(const otf2_references *table, uint64_t key)
{
    if (table->used == 0)
        return OC_OTF2_NOTHING;
    size_t slot = otf2_references_slot(table, key);
    while (table->slots[slot].value != 0 && table->slots[slot].key != key)
        slot = (slot + 1) & (table->slot_count - 1);
    return table->slots[slot].value - 1;
}

/* Sets the value (below OC_OTF2_NOTHING) of a key, new or not. Amortised O(1) expected. */
ocelotl_status otf2_references_set(otf2_references *table, uint64_t key, uint64_t value);

/* Takes a key out; nothing where it is not there. O(1) expected. */
void otf2_references_take_out(otf2_references *table, uint64_t key);

void otf2_references_free(otf2_references *table);

#endif
