/* A checksum of bytes that finds damage: XXH64, of which any one changed bit changes about half of
 * the result. It is no seal: who wants to deceive can compute it, too. */
#ifndef OC_BASE_CHECKSUM_H
#define OC_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* XXH64 of `length` bytes, the same on every machine. The checksum of one block as the seed of the
 * next makes one of both. */
uint64_t oc_checksum(const void *bytes, size_t length, uint64_t seed);

#endif
