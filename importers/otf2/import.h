/* An import of archives, one after the other: what is known of all, and of the one at hand. */
#ifndef OC_IMPORTERS_OTF2_IMPORT_H
#define OC_IMPORTERS_OTF2_IMPORT_H

#include "base/exchange.h"
#include "importers/importer.h"
#include "importers/ingest/align.h"
#include "importers/ingest/merged.h"
#include "importers/ingest/timelines.h"
#include "importers/otf2/archive.h"
#include "importers/otf2/location.h"

/* The resources of an archive: nodes of the system tree, groups of locations, locations. */
typedef struct otf2_places {
    int64_t begin;          /* of what has no begin of its own */
    uint32_t top, top_type; /* what all is below: a node of the archive's own, or the root */
    uint32_t *nodes;        /* resources by index, OCELOTL_NONE: not made yet */
    uint32_t *groups;       /* the same, */
    uint32_t *locations;    /* and the same */
    uint32_t *rows;         /* the resources of locations, or what those are lanes of */
    uint32_t *shared;       /* places of locations in `merged`, OCELOTL_NONE: a lane of one */
    bool *known_nodes, *known_groups; /* whether another archive has them, too */
    uint32_t *node_types;             /* by index of a node */
    uint32_t *types;                  /* of locations */
    uint32_t thread_type;             /* of event types, whichever location has them first */
    oc_map taken;                     /* (parent, name): names of siblings */
} otf2_places;

/* Where a state is by what it is inside: the regions that are open around it, "main > solve". */
typedef struct otf2_call_path {
    const char *name;
    uint32_t level; /* regions in it */
    uint32_t value; /* the writer's, or OCELOTL_NONE */
} otf2_call_path;

typedef struct otf2_call_paths {
    otf2_call_path *paths;
    size_t count, capacity;
    oc_map index_of; /* (parent, region) -> index */
} otf2_call_paths;

/* Of an event type of the writer: its id, and what has been declared of it, by our numbers. */
typedef struct otf2_written_type {
    uint32_t id; /* OCELOTL_NONE: it is not declared */
    uint32_t *values;
    uint32_t *attributes;
} otf2_written_type;

/* A call path that is open. */
typedef struct otf2_open_path {
    uint32_t path;
    uint16_t lane; /* of its state */
} otf2_open_path;

/* Where the states of a type go that are in a lane. */
typedef struct otf2_laned {
    uint32_t type, resource, stream;
    uint16_t lane;
} otf2_laned;

/* What is known of a location while its events are written. */
typedef struct otf2_track {
    uint32_t *streams;    /* by event type, OCELOTL_NONE: none */
    otf2_open_path *open; /* the call paths of open regions, if they are asked for */
    size_t open_count, open_capacity;
    otf2_laned *lanes;
    size_t lane_count, lane_capacity;
} otf2_track;

/* Messages and transfers, until all are known. */
typedef struct otf2_messages {
    oc_timelines links; /* whose rows are locations, by index */
    oc_map number_of;   /* of (sender, communicator): part of the key of a message */
    uint32_t numbers;
    uint64_t begun; /* messages with a key that begin, */
    uint64_t alone; /* and links that have no other end */
} otf2_messages;

/* An offset of a location's clock at some time, in ticks. */
typedef struct otf2_sample {
    uint64_t location; /* by index */
    uint64_t time;     /* the stamp */
    int64_t offset;
    double deviation;
} otf2_sample;

typedef struct otf2_samples {
    otf2_sample *samples; /* in the order of locations */
    size_t count, capacity;
    uint64_t left_out;
} otf2_samples;

/* A record of a link for all ranks; `length` bytes of details and attributes are behind it. */
typedef struct otf2_shared_link {
    uint64_t turn, location, length;
    otf2_record record;
} otf2_shared_link;

/* What ranks that share the locations of an archive have to tell each other. */
typedef struct otf2_shared {
    const ocelotl_exchange *ranks;    /* NULL: all is read here */
    bool is_idle;                     /* or by another rank, alone */
    bool has_failed;                  /* all ranks know that one has */
    bool is_joined;                   /* they have told all */
    uint32_t *rank_of;                /* by location: who reads it, */
    uint64_t *events;                 /* and how many of them there are */
    uint64_t turn;                    /* of all ranks, see feeding.c */
    oc_bytes links;                   /* what they are made of, in turns */
    uint64_t first[OC_MOST_ODDITIES]; /* the turn in which each was first met; 0: in none */
} otf2_shared;

typedef struct otf2_import {
    const oc_import *import;
    otf2_shared shared;
    /* Of all archives: */
    oc_arena arena; /* what oddities name until the end */
    ocelotl_writer *writer;
    oc_oddities oddities;
    oc_kinds kinds;
    uint64_t counts[OC_OTF2_KIND_COUNT], left_out[OC_OTF2_KIND_COUNT];
    uint64_t bytes, bytes_done; /* for progress */
    oc_map declared;            /* what the writer knows, by what it is: see otf2_declare */
    oc_merged merged;           /* resources of all archives, if they have one root, or of one */
    oc_aligned *aligned;        /* by number */
    ocelotl_align align;        /* what was done */
    /* Of the archive at hand, in the arena of its definitions: */
    otf2_archive archive;
    otf2_definitions definitions;
    otf2_places places;
    otf2_messages messages;
    otf2_call_paths call_paths;
    otf2_samples samples;
    otf2_timing timing;
    otf2_written_type *types;
    size_t type_count;
    const char **paths; /* of the locations' files, by index, */
    uint64_t *sizes;    /* and what they hold */
    int64_t *ends;      /* of locations that say that they have ended; INT64_MIN: it does not */
    int64_t *last;      /* of what happens at locations */
} otf2_import;

/* --- feeding.c: locations are read by several threads, and written by one. Some are under way at a
 * time, and their batches are taken in turns. Which batch follows which is the archive's alone, so
 * that the same trace comes out whatever the number of threads. */

/* Makes the callbacks of all records, to be given a location, or those of a look alone. */
ocelotl_status otf2_make_callbacks(OTF2_EvtReaderCallbacks **callbacks, bool looks);

/* Reads the events of all locations and writes them; it keeps messages and transfers. */
ocelotl_status otf2_feed(otf2_import *import);

/* --- share.c: ranks share an archive. Each reads its locations and writes a part of the trace,
 * whose names are numbered, when the parts are put together, as if one had read all: turns (see
 * feeding.c) are the same on all ranks. Links are made by all ranks alike of what all have read. */

/* Decides who reads which location of an archive that has been opened, or that rank 0 reads all. */
ocelotl_status otf2_share(otf2_import *import);

/* Whether another rank reads a location. */
static inline bool otf2_is_elsewhere(const otf2_import *import, uint64_t location)
{
    return import->shared.ranks != NULL &&
           import->shared.rank_of[location] != import->shared.ranks->rank;
}

/* Begins to count what each rank finds alone: what was found before, all have found. */
void otf2_share_counts(otf2_import *import);

/* Begins a turn of a location. */
ocelotl_status otf2_share_turn(otf2_import *import, uint64_t location);

/* Gives all ranks what each has read of links, and adds up what they have counted. */
ocelotl_status otf2_share_all(otf2_import *import);

/* Gives all ranks the failure of one, once. */
ocelotl_status otf2_share_status(otf2_import *import, ocelotl_status status);

/* --- clocks.c: what the archive says of the clocks' offsets */

/* Reads the definitions of all locations: from then on the library applies their clocks. */
ocelotl_status otf2_clocks_read(otf2_import *import);

/* Notes what they say, when all locations have been written. */
ocelotl_status otf2_clocks_write(otf2_import *import);

/* --- places.c */

/* What the writer is to know. */
typedef struct otf2_declared {
    enum { OC_OTF2_RESOURCE_TYPE, OC_OTF2_EVENT_TYPE, OC_OTF2_VALUE, OC_OTF2_ATTRIBUTE } kind;
    uint32_t of;               /* a type: of resources, else of events */
    ocelotl_category category; /* of an event type */
    const char *name;
    const char *unit; /* of an event type; NULL: none */
    ocelotl_variable_kind counting;
} otf2_declared;

/* Declares it where it is new: what several archives call alike is one. */
ocelotl_status otf2_declare(uint32_t *id, otf2_import *import, const otf2_declared *declared);

/* Begins, with a node below which all of the archive is, or NULL. */
ocelotl_status otf2_places_begin(otf2_import *import, const char *node, int64_t begin);

/* Declares a location with all it is below, alive from `begin` on; nothing where it is declared.
 * Where archives are merged, it is that of another one if that was over at `first`, when something
 * happens here first, else a lane of it. O(its level). */
ocelotl_status otf2_places_add(otf2_import *import, uint64_t location, int64_t begin,
                               int64_t first);

/* Declares a lane of a location, from 1: a resource below it. Once for each. */
ocelotl_status otf2_places_lane(uint32_t *resource, otf2_import *import, uint64_t location,
                                uint32_t lane);

/* The resource that a metric is of and its type, declared where it is new; OCELOTL_NONE where the
 * archive does not define it. */
ocelotl_status otf2_places_scope(uint32_t *resource, uint32_t *type, otf2_import *import,
                                 const otf2_scope *scope);

/* --- written.c */

/* Writes a batch of a location. */
ocelotl_status otf2_write_batch(otf2_import *import, const otf2_batch *batch, uint64_t location,
                                otf2_track *track);

/* Keeps a message or a transfer of a batch. */
ocelotl_status otf2_keep_link(otf2_import *import, const otf2_batch *batch,
                              const otf2_record *record, uint64_t location);

#endif
