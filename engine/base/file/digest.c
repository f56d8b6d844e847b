#include "base/file/digest.h"

#include <ocelotl/digest.h>

#include <stdbool.h>
#include <string.h>

/* --- The digest: BLAKE2b */

enum { ROUNDS = 12, RESULT = 16 };

static const uint64_t beginning[8] = {0x6a09e667f3bcc908u, 0xbb67ae8584caa73bu, 0x3c6ef372fe94f82bu,
                                      0xa54ff53a5f1d36f1u, 0x510e527fade682d1u, 0x9b05688c2b3e6c1fu,
                                      0x1f83d9abfb41bd6bu, 0x5be0cd19137e2179u};

/* The words of a block in the order of each round; the last two have those of the first two. */
static const unsigned char order[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

static inline uint64_t rotate(uint64_t number, unsigned bits)
{
    return number >> bits | number << (64 - bits);
}

/* Little-endian on every machine; compilers make one load of it. */
static inline uint64_t word_at(const unsigned char *bytes)
{
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
           (uint64_t)bytes[3] << 24 | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 |
           (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56;
}

static inline void mix(uint64_t *v, unsigned a, unsigned b, unsigned c, unsigned d, uint64_t x,
                       uint64_t y)
{
    v[a] += v[b] + x;
    v[d] = rotate(v[d] ^ v[a], 32);
    v[c] += v[d];
    v[b] = rotate(v[b] ^ v[c], 24);
    v[a] += v[b] + y;
    v[d] = rotate(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = rotate(v[b] ^ v[c], 63);
}

static void compress(oc_digest *digest, const unsigned char *block, bool last)
{
    uint64_t v[16];
    uint64_t m[16];
    memcpy(v, digest->state, sizeof digest->state);
    memcpy(v + 8, beginning, sizeof beginning);
    v[12] ^= digest->length;
    v[14] = last ? ~v[14] : v[14];
    for (unsigned i = 0; i < 16; i++)
        m[i] = word_at(block + 8 * i);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned char *s = order[round % 10];
        mix(v, 0, 4, 8, 12, m[s[0]], m[s[1]]);
        mix(v, 1, 5, 9, 13, m[s[2]], m[s[3]]);
        mix(v, 2, 6, 10, 14, m[s[4]], m[s[5]]);
        mix(v, 3, 7, 11, 15, m[s[6]], m[s[7]]);
        mix(v, 0, 5, 10, 15, m[s[8]], m[s[9]]);
        mix(v, 1, 6, 11, 12, m[s[10]], m[s[11]]);
        mix(v, 2, 7, 8, 13, m[s[12]], m[s[13]]);
        mix(v, 3, 4, 9, 14, m[s[14]], m[s[15]]);
    }
    for (unsigned i = 0; i < 8; i++)
        digest->state[i] ^= v[i] ^ v[i + 8];
}

void oc_digest_begin(oc_digest *digest)
{
    *digest = (oc_digest){0};
    memcpy(digest->state, beginning, sizeof beginning);
    digest->state[0] ^= 0x01010000u ^ RESULT;
}

/* The last block is compressed at the end, even where it is full. */
void oc_digest_bytes(oc_digest *digest, const void *bytes, size_t length)
{
    const unsigned char *next = bytes;
    while (length > 0) {
        if (digest->waiting == OC_DIGEST_BLOCK) {
            digest->length += OC_DIGEST_BLOCK;
            compress(digest, digest->block, false);
            digest->waiting = 0;
        }
        const size_t room = OC_DIGEST_BLOCK - digest->waiting;
        const size_t step = length < room ? length : room;
        memcpy(digest->block + digest->waiting, next, step);
        digest->waiting += step;
        next += step;
        length -= step;
    }
}

void oc_digest_number(oc_digest *digest, uint64_t number)
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> 8 * i);
    oc_digest_bytes(digest, bytes, sizeof bytes);
}

void oc_digest_text(oc_digest *digest, const char *text)
{
    const size_t length = strlen(text);
    oc_digest_number(digest, length);
    oc_digest_bytes(digest, text, length);
}

void oc_digest_end(uint64_t result[2], oc_digest *digest)
{
    memset(digest->block + digest->waiting, 0, OC_DIGEST_BLOCK - digest->waiting);
    digest->length += digest->waiting;
    compress(digest, digest->block, true);
    result[0] = digest->state[0];
    result[1] = digest->state[1];
}

void ocelotl_digest(uint64_t digest[2], const void *bytes, size_t length)
{
    oc_digest own;
    oc_digest_begin(&own);
    oc_digest_number(&own, digest[0]);
    oc_digest_number(&own, digest[1]);
    oc_digest_bytes(&own, bytes, length);
    oc_digest_end(digest, &own);
}

/* --- The checksum: XXH64 */

/* The algorithm's five primes. */
static const uint64_t prime_1 = 0x9E3779B185EBCA87u;
static const uint64_t prime_2 = 0xC2B2AE3D27D4EB4Fu;
static const uint64_t prime_3 = 0x165667B19E3779F9u;
static const uint64_t prime_4 = 0x85EBCA77C2B2AE63u;
static const uint64_t prime_5 = 0x27D4EB2F165667C5u;

enum { LANES = 4, WORD = 8, STRIPE = LANES * WORD };

static inline uint64_t rotate_left(uint64_t number, unsigned bits)
{
    return number << bits | number >> (64 - bits);
}

static inline uint64_t half_word_at(const unsigned char *bytes)
{
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
           (uint64_t)bytes[3] << 24;
}

static inline uint64_t mix_word(uint64_t sum, uint64_t word)
{
    return rotate_left(sum + word * prime_2, 31) * prime_1;
}

/* The four lanes depend on nothing of each other, so that a processor works on them at once. */
static uint64_t mix_stripes(const unsigned char *bytes, size_t stripes, uint64_t seed)
{
    uint64_t first = seed + prime_1 + prime_2;
    uint64_t second = seed + prime_2;
    uint64_t third = seed;
    uint64_t fourth = seed - prime_1;
    for (; stripes > 0; stripes--, bytes += STRIPE) {
        first = mix_word(first, word_at(bytes));
        second = mix_word(second, word_at(bytes + WORD));
        third = mix_word(third, word_at(bytes + 2 * WORD));
        fourth = mix_word(fourth, word_at(bytes + 3 * WORD));
    }
    const uint64_t lanes[LANES] = {first, second, third, fourth};
    uint64_t sum = rotate_left(first, 1) + rotate_left(second, 7) + rotate_left(third, 12) +
                   rotate_left(fourth, 18);
    for (unsigned i = 0; i < LANES; i++)
        sum = (sum ^ mix_word(0, lanes[i])) * prime_1 + prime_4;
    return sum;
}

/* Less than a stripe. */
static uint64_t mix_rest(uint64_t sum, const unsigned char *bytes, size_t length)
{
    for (; length >= WORD; length -= WORD, bytes += WORD)
        sum = rotate_left(sum ^ mix_word(0, word_at(bytes)), 27) * prime_1 + prime_4;
    if (length >= WORD / 2) {
        sum = rotate_left(sum ^ half_word_at(bytes) * prime_1, 23) * prime_2 + prime_3;
        length -= WORD / 2;
        bytes += WORD / 2;
    }
    for (; length > 0; length--, bytes++)
        sum = rotate_left(sum ^ *bytes * prime_5, 11) * prime_1;
    return sum;
}

uint64_t oc_checksum(const void *bytes, size_t length, uint64_t seed)
{
    const size_t stripes = length / STRIPE;
    const size_t whole = stripes * STRIPE;
    const unsigned char *first = bytes;
    uint64_t sum = stripes > 0 ? mix_stripes(first, stripes, seed) : seed + prime_5;
    sum += length;
    if (length > whole)
        sum = mix_rest(sum, first + whole, length - whole);
    sum = (sum ^ sum >> 33) * prime_2;
    sum = (sum ^ sum >> 29) * prime_3;
    return sum ^ sum >> 32;
}
