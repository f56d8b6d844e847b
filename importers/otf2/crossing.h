/* States of a location that end before those inside them: found by a look at all its records,
 * before they are read. What crosses goes to a lane below the location's row. */
#ifndef OC_IMPORTERS_OTF2_CROSSING_H
#define OC_IMPORTERS_OTF2_CROSSING_H

#include "importers/otf2/definitions.h"

/* The types whose states may cross. */
typedef enum otf2_nest { OC_OTF2_NEST_REGIONS, OC_OTF2_NEST_IO, OC_OTF2_NESTS } otf2_nest;

enum { OC_OTF2_LANES = 64 }; /* the row itself is lane 0 */

/* The states of a type that are not in lane 0, by number. Zero-initialised none is. */
typedef struct otf2_moved {
    uint64_t *items; /* number * OC_OTF2_LANES + lane, in order */
    size_t count, capacity;
    size_t next;    /* of the items, */
    uint64_t begun; /* and of the states, when they are asked for */
} otf2_moved;

/* The callbacks that otf2_crossing_find needs; NULL: no memory. */
OTF2_EvtReaderCallbacks *otf2_crossing_callbacks(void);

/* Finds the states to be moved among the first `events` records of a reader. In each lane states
 * then end in the opposite order of their begins. Beyond two million of a type, and where 64 lanes
 * are not enough, they cross. Damage is not an error here: *code says it where not even the first
 * record can be read. O(records), and for an end that is not the innermost O(states inside it).
 * Errors: MEMORY. */
ocelotl_status otf2_crossing_find(otf2_moved moved[OC_OTF2_NESTS], OTF2_ErrorCode *code,
                                  OTF2_EvtReader *reader, OTF2_EvtReaderCallbacks *callbacks,
                                  const otf2_definitions *definitions, uint64_t events);

/* The lane of the next state. */
static inline uint16_t otf2_moved_lane(otf2_moved *moved)
{
    const uint64_t number = moved->begun++;
    if (moved->next == moved->count || moved->items[moved->next] / OC_OTF2_LANES != number)
        return 0;
    return (uint16_t)(moved->items[moved->next++] % OC_OTF2_LANES);
}

void otf2_moved_free(otf2_moved *moved);

#endif
