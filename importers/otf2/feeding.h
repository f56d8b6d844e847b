/* Locations are read by several threads, and written by one: some locations are under way at a
 * time, and their batches are taken in turns. Which batch follows which is the archive's alone, so
 * that the same trace comes out whatever the number of threads. */
#ifndef OC_IMPORTERS_OTF2_FEEDING_H
#define OC_IMPORTERS_OTF2_FEEDING_H

#include "importers/common/align.h"
#include "importers/importer.h"
#include "importers/otf2/archive.h"
#include "importers/otf2/call_paths.h"
#include "importers/otf2/location.h"
#include "importers/otf2/messages.h"
#include "importers/otf2/places.h"

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

/* Everything that an import knows: of the archive at hand, and of all. */
typedef struct otf2_import {
    const oc_import *import;
    /* Of all archives: */
    ocelotl_writer *writer;
    oc_oddities oddities;
    oc_kinds kinds;
    uint64_t counts[OC_OTF2_KIND_COUNT], left_out[OC_OTF2_KIND_COUNT];
    uint64_t bytes, bytes_done; /* for progress */
    oc_map resource_type_of;    /* see otf2_places */
    oc_merged merged;           /* resources of all archives, if they have one root */
    oc_map written_of;          /* (kind, number, name) -> the writer's types, values, attributes */
    char **known_paths;         /* that oddities name */
    size_t known_path_count, known_path_capacity;
    oc_aligned *aligned; /* by number */
    ocelotl_align align; /* what was done */
    /* Of the archive at hand: */
    otf2_archive archive;
    otf2_definitions definitions;
    otf2_places places;
    otf2_messages messages;
    otf2_call_paths call_paths;
    otf2_samples samples;
    otf2_timing timing;
    otf2_written_type *types;
    size_t type_count;
    char **paths;    /* of the locations' files, by index, */
    uint64_t *sizes; /* and what they hold */
    int64_t *ends;   /* of locations that say that they have ended; INT64_MIN: it does not */
    int64_t *last;   /* of what happens at locations */
} otf2_import;

/* Makes the callbacks of all records, to be given a location, or those of a look alone. */
ocelotl_status otf2_make_callbacks(OTF2_EvtReaderCallbacks **callbacks, bool looks);

/* Reads the events of all locations and writes them; it keeps the halves of links. */
ocelotl_status otf2_feed(otf2_import *import);

/* archives.c: */

/* Opens the archive of a source and reads its definitions. Errors: INPUT. Close it in any case. */
ocelotl_status otf2_open(otf2_import *import, size_t number);
void otf2_close(otf2_import *import);

/* Keeps what oddities of the archive at hand name, until the end. */
ocelotl_status otf2_keep_paths(otf2_import *import);

/* Whether the archive knows the absolute time of tick 0. */
bool otf2_has_epoch(const otf2_definitions *definitions);

/* The first stamp of some locations, UINT64_MAX if they have none. Its files of events are open. */
ocelotl_status otf2_find_first(uint64_t *found, otf2_import *import, size_t most);

/* Looks at each of several archives, and finds by how much it is shifted. */
ocelotl_status otf2_align(otf2_import *import);

/* clocks.c: */

/* Reads the definitions of all locations: from then on the library applies their clocks. */
ocelotl_status otf2_clocks_read(otf2_import *import);

/* Notes what they say, when all locations have been written. */
ocelotl_status otf2_clocks_write(otf2_import *import);

/* written.c: */

/* Writes a batch of a location. */
ocelotl_status otf2_write_batch(otf2_import *import, const otf2_batch *batch, uint64_t location,
                                otf2_track *track);

/* The writer's event type, declared where it is new. */
ocelotl_status otf2_written_type_of(uint32_t *id, otf2_import *import, uint32_t type);

#endif
