/* A hash map from byte strings to 32-bit indices. */
#ifndef OC_BASE_MAP_H
#define OC_BASE_MAP_H

#include "base/hash.h"
#include "base/status.h"

#define OC_MAP_NONE UINT32_MAX

/* Zero-initialised it is empty. Keys are copied. */
typedef struct oc_map {
    struct oc_map_slot *slots;
    size_t slot_count; /* a power of two, or 0 */
    size_t used;
    char *keys;
    size_t keys_length;
    size_t keys_capacity;
    oc_hash_key hash_key; /* of its own, so that nobody can choose names that collide */
} oc_map;

/* The value of a key, OC_MAP_NONE where there is none. O(1) expected. */
uint32_t oc_map_get(const oc_map *map, const void *key, size_t length);

/* Sets the value of a key, new or not. */
ocelotl_status oc_map_set(oc_map *map, const void *key, size_t length, uint32_t value);

void oc_map_free(oc_map *map);

/* A 64-bit hash of bytes (FNV-1a with a final mix); the same on every machine, and for ever:
 * colours come from it. */
uint64_t oc_hash(const void *bytes, size_t length);

#endif
