/* Maps from bytes to numbers, and hashes for tables whose keys come from outside: nobody can make
 * keys that collide without knowing the hash's key. */
#ifndef OC_BASE_MAP_H
#define OC_BASE_MAP_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Drawn by chance, and kept within the process: results must not depend on it. */
typedef struct oc_hash_key {
    uint64_t first, second;
} oc_hash_key;

/* A new key. Costs a call of the system. */
oc_hash_key oc_hash_key_draw(void);

/* SipHash-1-3 of bytes. */
uint64_t oc_hash_keyed(const oc_hash_key *key, const void *bytes, size_t length);

/* The same for two numbers. */
uint64_t oc_hash_numbers(const oc_hash_key *key, uint64_t first, uint64_t second);

/* The same of a hash that was made by the key, and a number. */
static inline uint64_t oc_hash_mixed(const oc_hash_key *key, uint64_t hash, uint64_t number)
{
    __extension__ typedef unsigned __int128 product;
    const product mixed = (product)(hash ^ key->first) * (number ^ key->second);
    return (uint64_t)mixed ^ (uint64_t)(mixed >> 64);
}

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

/* The value of a key, OC_MAP_NONE if it is absent. O(1) expected. */
uint32_t oc_map_get(const oc_map *map, const void *key, size_t length);

/* Sets the value of a key, new or not. */
ocelotl_status oc_map_set(oc_map *map, const void *key, size_t length, uint32_t value);

void oc_map_free(oc_map *map);

/* A 64-bit hash of bytes (FNV-1a with a final mix); the same on every machine, and for ever:
 * colours come from it. */
uint64_t oc_hash(const void *bytes, size_t length);

#endif
