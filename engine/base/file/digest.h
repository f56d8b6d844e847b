/* Digests and checksums of bytes. A digest identifies bytes, and nobody can make others with the
 * same digest. A checksum finds damage, quickly, and protects from no attacker. */
#ifndef OC_BASE_FILE_DIGEST_H
#define OC_BASE_FILE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

enum { OC_DIGEST_BLOCK = 128 };

/* BLAKE2b with a result of 128 bits, without a key (RFC 7693). */
typedef struct oc_digest {
    uint64_t state[8];
    uint64_t length; /* of what has been taken, in bytes; below 2^64 */
    size_t waiting;  /* bytes in the block */
    unsigned char block[OC_DIGEST_BLOCK];
} oc_digest;

void oc_digest_begin(oc_digest *digest);

/* Takes bytes as they are: a length has to be taken with what is followed by something else.
 * O(length). */
void oc_digest_bytes(oc_digest *digest, const void *bytes, size_t length);
void oc_digest_number(oc_digest *digest, uint64_t number);

/* A text with its length. */
void oc_digest_text(oc_digest *digest, const char *text);

/* The result as two numbers, whose bytes, the least first, are the digest's; nothing can be taken
 * afterwards. */
void oc_digest_end(uint64_t result[2], oc_digest *digest);

/* XXH64 of `length` bytes, the same on every machine. The checksum of one block as the seed of the
 * next makes one of both. */
uint64_t oc_checksum(const void *bytes, size_t length, uint64_t seed);

#endif
