/* Names from the .pcf and .row beside a .prv: states, event types, values, resources, colours. */
#ifndef OC_IMPORTERS_PARAVER_NAMES_H
#define OC_IMPORTERS_PARAVER_NAMES_H

#include "base/map.h"
#include "importers/common/oddities.h"
#include "importers/common/source.h"

/* Oddities of this format. */
typedef enum paraver_oddity {
    PARAVER_NO_NAMES = OC_COMMON_ODDITIES,
    PARAVER_NAME_LINE_UNKNOWN,
    PARAVER_NAMES_DIFFER,
    PARAVER_STATE_WITHOUT_NAME,
    PARAVER_DURATION_DIFFERS,
    PARAVER_OUT_OF_ORDER,
    PARAVER_STATE_REPLACED,
    PARAVER_VALUES_MANY,
    PARAVER_NO_CPU,
    PARAVER_ODDITY_END
} paraver_oddity;

typedef enum paraver_level {
    PARAVER_LEVEL_APPLICATION,
    PARAVER_LEVEL_TASK,
    PARAVER_LEVEL_THREAD,
    PARAVER_LEVEL_NODE,
    PARAVER_LEVEL_CPU,
    PARAVER_LEVEL_COUNT
} paraver_level;

/* A name, and 0xRRGGBB or -1. */
typedef struct paraver_label {
    char *text; /* NULL: only its colour is known */
    int32_t colour;
} paraver_label;

typedef struct paraver_known_type {
    char *name;
    uint64_t gradient; /* 7: hardware counters */
    uint32_t block;    /* whose values it has */
} paraver_known_type;

typedef struct paraver_block {
    bool has_values, has_zero;
} paraver_block;

/* Zero-initialised nothing is known. */
typedef struct paraver_names {
    paraver_label *labels;
    size_t label_count, label_capacity;
    oc_map label_of; /* (block, number) -> label; block 0 has the states */
    paraver_known_type *types;
    size_t type_count, type_capacity;
    oc_map type_of; /* number -> type */
    paraver_block *blocks;
    size_t block_count, block_capacity;
    char **levels[PARAVER_LEVEL_COUNT]; /* names by number, from 0 */
    size_t level_counts[PARAVER_LEVEL_COUNT], level_capacities[PARAVER_LEVEL_COUNT];
} paraver_names;

/* Finds what is beside a .prv: *paths, freed by the caller, are those of the .pcf and of the .row,
 * NULL where they are not there. Errors: MEMORY. */
ocelotl_status paraver_names_find(char *paths[2], const char *path);

/* Reads the files that were found, and notes them in the writer. Lines that mean nothing known are
 * counted; oddities refer to the paths. Errors: IO; INPUT for what is compressed and damaged. */
ocelotl_status paraver_names_read(paraver_names *names, char *const paths[2], oc_oddities *oddities,
                                  const ocelotl_import_options *options);

/* The label of a value; NULL where none is known. */
const paraver_label *paraver_names_label(const paraver_names *names, uint32_t block,
                                         int64_t number);

/* What is known of a type; NULL: nothing. */
const paraver_known_type *paraver_names_type(const paraver_names *names, uint64_t number);

/* The name of a resource by its number from 0; NULL: none is known. */
const char *paraver_names_resource(const paraver_names *names, paraver_level level, size_t number);

void paraver_names_free(paraver_names *names);

#endif
