/* What is known of collective operations while they are matched (--collectives). */
#ifndef OC_IMPORTERS_CHROME_COLLECTIVES_H
#define OC_IMPORTERS_CHROME_COLLECTIVES_H

#include "base/map.h"
#include "base/text.h"
#include "importers/common/packed.h"

/* How often a file has the slices that only name and order identify. */
typedef struct chrome_collective_count {
    uint64_t group;
    uint32_t count;
} chrome_collective_count;

typedef struct chrome_collective_member {
    uint32_t row, file;
    int64_t end; /* on the common clock */
} chrome_collective_member;

/* Zero-initialised nobody asks for them. */
typedef struct chrome_collectives {
    oc_sorting *ordered; /* identified by name and order, by file */
    oc_sorting *matched; /* by common members and time; NULL: none so far */
    oc_map name_of;      /* by value: the index of a name of slices that says it is one */
    char **names;
    size_t name_count, name_capacity;
    oc_map count_of; /* by group and file */
    chrome_collective_count *counts;
    size_t count_count, count_capacity;
    chrome_collective_member *members; /* of the operation at hand, in the order they came */
    size_t member_count, member_capacity;
    oc_packed *last; /* of them */
    uint64_t group;
    uint32_t said[5]; /* attributes of slices that say what they belong to */
    bool knows_said, on_devices;
    oc_text key; /* scratch */
} chrome_collectives;

#endif
