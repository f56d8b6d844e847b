#define _GNU_SOURCE
#include "base/hash.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>

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

/* Up to eight bytes; whatever the machine's order of them, the hash stays in this process. */
static inline uint64_t word_at(const unsigned char *bytes, size_t length)
{
    uint64_t word = 0;
    if (length > 0)
        memcpy(&word, bytes, length);
    return word;
}

uint64_t oc_hash_keyed(const oc_hash_key *key, const void *bytes, size_t length)
{
    const unsigned char *next = bytes;
    state s = begin(key);
    size_t left = length;
    for (; left >= 8; left -= 8, next += 8)
        take(&s, word_at(next, 8));
    take(&s, word_at(next, left) ^ (uint64_t)length << 56);
    return end(&s);
}

uint64_t oc_hash_numbers(const oc_hash_key *key, uint64_t first, uint64_t second)
{
    state s = begin(key);
    take(&s, first);
    take(&s, second);
    return end(&s);
}

/* Where the system has no chance to give, its clock and where it put this. */
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
