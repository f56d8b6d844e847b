/* The resources of an archive: nodes of the system tree, groups of locations, locations. */
#ifndef OC_IMPORTERS_OTF2_PLACES_H
#define OC_IMPORTERS_OTF2_PLACES_H

#include "importers/common/merged.h"
#include "importers/common/oddities.h"
#include "importers/otf2/definitions.h"

typedef struct otf2_places {
    const otf2_definitions *definitions;
    ocelotl_writer *writer;
    int64_t begin;          /* of what has no begin of its own */
    uint32_t top, top_type; /* what all is below: a node of the archive's own, or the root */
    uint32_t *nodes;        /* resources by index, OCELOTL_NONE: not made yet */
    uint32_t *groups;       /* the same, */
    uint32_t *locations;    /* and the same */
    uint32_t *rows;         /* the resources of locations, or what those are lanes of */
    uint32_t *shared;       /* places of locations that archives share, OCELOTL_NONE: its own */
    bool *known_nodes, *known_groups; /* whether another archive has them, too */
    uint32_t *node_types;             /* by index of a node */
    uint32_t location_types[4];       /* by OTF2's type */
    oc_map *type_of;                  /* (parent, name) -> resource type, of all archives */
    oc_map taken;                     /* (parent, name): names of siblings */
    oc_merged *merged;                /* of all archives; NULL: nothing of them is one */
    oc_oddities *oddities;
} otf2_places;

/* Begins with the definitions of an archive; `begin`, `top`, `type_of` and `writer` are given. */
ocelotl_status otf2_places_begin(otf2_places *places, const otf2_definitions *definitions);

/* Declares the node of one of several archives, which all of it is below. */
ocelotl_status otf2_places_file(otf2_places *places, const char *name);

/* Declares a location with all it is below, alive from `begin` on; nothing where it is declared.
 * Where archives are merged, it is that of another one if that was over at `first`, when something
 * happens here first, else a lane of it. O(its level). */
ocelotl_status otf2_places_add(uint32_t *resource, otf2_places *places, uint64_t location,
                               int64_t begin, int64_t first);

/* Declares a lane of a location, from 1: a resource below it. Once for each. */
ocelotl_status otf2_places_lane(uint32_t *resource, otf2_places *places, uint64_t location,
                                uint32_t lane);

/* Notes what is known of a location that archives share, when its archive has been read. */
void otf2_places_keep(const otf2_places *places, uint64_t location, int64_t last, int64_t end);

/* The resource that a metric is of and its type, declared where it is new; OCELOTL_NONE where the
 * archive does not define it. */
ocelotl_status otf2_places_scope(uint32_t *resource, uint32_t *type, otf2_places *places,
                                 const otf2_scope *scope);

/* The type of resources that the archive's threads are, for event types. */
uint32_t otf2_places_thread_type(const otf2_places *places);

void otf2_places_free(otf2_places *places);

#endif
