/* Writes states whose nesting depth is given, from any order. */
#ifndef OC_IMPORTERS_CSV_NESTED_H
#define OC_IMPORTERS_CSV_NESTED_H

#include "base/map.h"
#include "importers/common/oddities.h"
#include "importers/ingest/sorting.h"

/* The states of a row and a type are a series. */
typedef struct csv_series {
    uint32_t row, type;
} csv_series;

/* A state that is open while the series is written. */
typedef struct csv_open {
    int64_t end;
} csv_open;

/* Zero-initialised but for `oddities` and `odd_depth` it is closed. */
typedef struct csv_nested {
    oc_oddities *oddities;
    size_t odd_depth; /* the oddity of a depth that is not what is open around the state */
    oc_sorting *sorting;
    oc_map series_of; /* (row, type) -> series */
    csv_series *series;
    size_t series_count, series_capacity;
    uint32_t last;  /* the series that was asked for last */
    csv_open *open; /* outermost first */
    size_t open_count, open_capacity;
    bool tangled;   /* a state ends after one that is around it */
    void **waiting; /* states of the instant that last, outermost first: oc_packed */
    size_t waiting_count, waiting_capacity, waiting_first;
    ocelotl_attribute_value *room;
    size_t room_capacity;
} csv_nested;

/* Begins; `memory` is what it holds at most, about. Errors: MEMORY. */
ocelotl_status csv_nested_open(csv_nested *nested, const char *target, size_t memory);

/* Adds a state: `stream` is its row, `order` how many states are around it. Errors: as
 * oc_sorting_add. */
ocelotl_status csv_nested_add(csv_nested *nested, const oc_sorted *state);

/* Writes all states, each as deep as it says, unless others prevent that; `resources` are the
 * writer's, by row. Memory: the states that begin at one instant and last. */
ocelotl_status csv_nested_write(csv_nested *nested, ocelotl_writer *writer,
                                const uint32_t *resources);

void csv_nested_free(csv_nested *nested);

#endif
