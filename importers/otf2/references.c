#include "importers/otf2/references.h"

#include "base/memory.h"

#include <stdlib.h>

static void put(otf2_references *table, uint64_t key, uint64_t value)
{
    size_t slot = otf2_references_slot(table, key);
    while (table->slots[slot].value != 0 && table->slots[slot].key != key)
        slot = (slot + 1) & (table->slot_count - 1);
    table->used += table->slots[slot].value == 0;
    table->slots[slot] = (otf2_reference){key, value + 1};
}

static ocelotl_status grow(otf2_references *table)
{
    otf2_references grown = {.slot_count = table->slot_count > 0 ? 2 * table->slot_count : 64,
                             .odd = oc_hash_key_draw().first | 1};
    OC_TRY(oc_allocate(&grown.slots, grown.slot_count, sizeof *grown.slots));
    for (size_t i = 0; i < table->slot_count; i++)
        if (table->slots[i].value != 0)
            put(&grown, table->slots[i].key, table->slots[i].value - 1);
    free(table->slots);
    *table = grown;
    return OCELOTL_OK;
}

ocelotl_status otf2_references_set(otf2_references *table, uint64_t key, uint64_t value)
{
    if (2 * (table->used + 1) > table->slot_count)
        OC_TRY(grow(table));
    put(table, key, value);
    return OCELOTL_OK;
}

/* What follows a slot moves up to where it would have gone if the slot had been free. */
void otf2_references_take_out(otf2_references *table, uint64_t key)
{
    const size_t mask = table->slot_count - 1;
    if (otf2_references_get(table, key) == OC_OTF2_NOTHING)
        return;
    size_t hole = otf2_references_slot(table, key);
    while (table->slots[hole].key != key || table->slots[hole].value == 0)
        hole = (hole + 1) & mask;
    for (size_t next = (hole + 1) & mask; table->slots[next].value != 0; next = (next + 1) & mask) {
        const size_t wanted = otf2_references_slot(table, table->slots[next].key);
        if (((next - wanted) & mask) < ((next - hole) & mask))
            continue;
        table->slots[hole] = table->slots[next];
        hole = next;
    }
    table->slots[hole].value = 0;
    table->used--;
}

void otf2_references_free(otf2_references *table)
{
    free(table->slots);
    *table = (otf2_references){0};
}
