#include "base/checksum.h"

/* The algorithm's five primes. */
static const uint64_t prime_1 = 0x9E3779B185EBCA87u;
static const uint64_t prime_2 = 0xC2B2AE3D27D4EB4Fu;
static const uint64_t prime_3 = 0x165667B19E3779F9u;
static const uint64_t prime_4 = 0x85EBCA77C2B2AE63u;
static const uint64_t prime_5 = 0x27D4EB2F165667C5u;

enum { LANES = 4, WORD = 8, STRIPE = LANES * WORD };

static inline uint64_t rotate(uint64_t number, unsigned bits)
{
    return number << bits | number >> (64 - bits);
}

/* Little-endian on every machine; compilers make one load of it. */
static inline uint64_t word_at(const unsigned char *bytes)
{
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
           (uint64_t)bytes[3] << 24 | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 |
           (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56;
}

static inline uint64_t half_word_at(const unsigned char *bytes)
{
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
           (uint64_t)bytes[3] << 24;
}

static inline uint64_t mix_word(uint64_t sum, uint64_t word)
{
    return rotate(sum + word * prime_2, 31) * prime_1;
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
    uint64_t sum = rotate(first, 1) + rotate(second, 7) + rotate(third, 12) + rotate(fourth, 18);
    for (unsigned i = 0; i < LANES; i++)
        sum = (sum ^ mix_word(0, lanes[i])) * prime_1 + prime_4;
    return sum;
}

/* Less than a stripe. */
static uint64_t mix_rest(uint64_t sum, const unsigned char *bytes, size_t length)
{
    for (; length >= WORD; length -= WORD, bytes += WORD)
        sum = rotate(sum ^ mix_word(0, word_at(bytes)), 27) * prime_1 + prime_4;
    if (length >= WORD / 2) {
        sum = rotate(sum ^ half_word_at(bytes) * prime_1, 23) * prime_2 + prime_3;
        length -= WORD / 2;
        bytes += WORD / 2;
    }
    for (; length > 0; length--, bytes++)
        sum = rotate(sum ^ *bytes * prime_5, 11) * prime_1;
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
