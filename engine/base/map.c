#define _GNU_SOURCE
#include "base/map.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

/* --- Hashes */

/* SipHash (Aumasson and Bernstein, 2012) with one round a word and three at the end. */
typedef struct state {
    uint64_t a, b, c, d;
} state;

static inline uint64_t rotate(uint64_t number, unsigned bits)
{
    return number << bits | number >> (64 - bits);
}

static inline void mix(state *s)
{
    s->a += s->b;
    s->b = rotate(s->b, 13) ^ s->a;
    s->a = rotate(s->a, 32);
    s->c += s->d;
    s->d = rotate(s->d, 16) ^ s->c;
    s->a += s->d;
    s->d = rotate(s->d, 21) ^ s->a;
    s->c += s->b;
    s->b = rotate(s->b, 17) ^ s->c;
    s->c = rotate(s->c, 32);
}

static inline state begin(const oc_hash_key *key)
{
    return (state){key->first ^ 0x736f6d6570736575u, key->second ^ 0x646f72616e646f6du,
                   key->first ^ 0x6c7967656e657261u, key->second ^ 0x7465646279746573u};
}

static inline void take(state *s, uint64_t word)
{
    s->d ^= word;
    mix(s);
    s->a ^= word;
}

static inline uint64_t end(state *s)
{
    s->c ^= 0xff;
    mix(s);
    mix(s);
    mix(s);
    return s->a ^ s->b ^ s->c ^ s->d;
}

static inline uint64_t word_at(const unsigned char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* The last bytes of a text, fewer than eight, as those of a word that is 0 behind them; copying
 * them one by one would be most of a short text's hash. */
static inline uint64_t rest_of(const unsigned char *bytes, size_t length, size_t left)
{
    uint64_t word = 0;
    (void)length;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (length >= 8 && left > 0)
        return word_at(bytes + left - 8) >> (64 - 8 * left);
#endif
    if (left > 0)
        memcpy(&word, bytes, left);
    return word;
}

uint64_t oc_hash_keyed(const oc_hash_key *key, const void *bytes, size_t length)
{
    const unsigned char *next = bytes;
    state s = begin(key);
    size_t left = length;
    for (; left >= 8; left -= 8, next += 8)
        take(&s, word_at(next));
    take(&s, rest_of(next, length, left) ^ (uint64_t)length << 56);
    return end(&s);
}

uint64_t oc_hash_numbers(const oc_hash_key *key, uint64_t first, uint64_t second)
{
    state s = begin(key);
    take(&s, first);
    take(&s, second);
    return end(&s);
}

/* Draws a random key; if the system gives no randomness, from its clock and an address. */
oc_hash_key oc_hash_key_draw(void)
{
    oc_hash_key key;
    if (getrandom(&key, sizeof key, 0) != (ssize_t)sizeof key) {
        struct timespec now = {0};
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
        key = (oc_hash_key){(uint64_t)(uintptr_t)&key, (uint64_t)now.tv_nsec * 0x9E3779B97F4A7C15u};
    }
    return key;
}

/* --- Maps */

struct oc_map_slot {
    uint64_t hash; /* 0: the slot is free */
    size_t key;    /* offset in keys */
    uint32_t length;
    uint32_t value;
};

uint64_t oc_hash(const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ byte[i]) * 0x100000001B3u;
    hash ^= hash >> 32;
    hash *= 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 29);
}

static uint64_t slot_hash(const oc_map *map, const void *key, size_t length)
{
    const uint64_t hash = oc_hash_keyed(&map->hash_key, key, length);
    return hash != 0 ? hash : 1;
}

/* The slot that holds the key, or the free one where it belongs. The map has free slots. */
static struct oc_map_slot *find(const oc_map *map, uint64_t hash, const void *key, size_t length)
{
    size_t i = (size_t)hash & (map->slot_count - 1);
    for (;;) {
        struct oc_map_slot *slot = &map->slots[i];
        if (slot->hash == 0)
            return slot;
        if (slot->hash == hash && slot->length == length &&
            (length == 0 || memcmp(map->keys + slot->key, key, length) == 0))
            return slot;
        i = (i + 1) & (map->slot_count - 1);
    }
}

uint32_t oc_map_get(const oc_map *map, const void *key, size_t length)
{
    if (map->slot_count == 0)
        return OC_MAP_NONE;
    const struct oc_map_slot *slot = find(map, slot_hash(map, key, length), key, length);
    return slot->hash != 0 ? slot->value : OC_MAP_NONE;
}

static ocelotl_status enlarge(oc_map *map)
{
    oc_map larger = *map;
    if (map->slot_count == 0)
        larger.hash_key = oc_hash_key_draw();
    larger.slot_count = map->slot_count == 0 ? 16 : map->slot_count * 2;
    OC_TRY(oc_allocate(&larger.slots, larger.slot_count, sizeof *larger.slots));
    for (size_t i = 0; i < map->slot_count; i++) {
        const struct oc_map_slot *old = &map->slots[i];
        if (old->hash != 0)
            *find(&larger, old->hash, map->keys + old->key, old->length) = *old;
    }
    free(map->slots);
    *map = larger;
    return OCELOTL_OK;
}

ocelotl_status oc_map_set(oc_map *map, const void *key, size_t length, uint32_t value)
{
    if (length > UINT32_MAX)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a name of %zu bytes is too long", length);
    if (map->used * 4 >= map->slot_count * 3)
        OC_TRY(enlarge(map));
    const uint64_t hash = slot_hash(map, key, length);
    struct oc_map_slot *slot = find(map, hash, key, length);
    if (slot->hash == 0) {
        OC_TRY(oc_grow(&map->keys, &map->keys_capacity, map->keys_length + length, 1));
        if (length > 0)
            memcpy(map->keys + map->keys_length, key, length);
        *slot = (struct oc_map_slot){hash, map->keys_length, (uint32_t)length, 0};
        map->keys_length += length;
        map->used++;
    }
    slot->value = value;
    return OCELOTL_OK;
}

void oc_map_free(oc_map *map)
{
    free(map->slots);
    free(map->keys);
    *map = (oc_map){0};
}
