/* Hashes for tables whose keys come from outside: nobody can make keys that collide without knowing
 * the hash's key. */
#ifndef OC_BASE_HASH_H
#define OC_BASE_HASH_H

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

#endif
