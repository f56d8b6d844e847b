/* Digests of bytes, to recognise them later: for caches of answers and the like. */
#ifndef OCELOTL_DIGEST_H
#define OCELOTL_DIGEST_H

#include <ocelotl/status.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Replaces `digest` by that of itself and of `length` bytes; of zeros it is the digest of nothing.
 * 128 bits of BLAKE2b (RFC 7693) of the two numbers, the least byte first, and the bytes: the same
 * on every machine, and nobody can make other bytes of the same digest. Never fails. Thread safe.
 * O(length), about 1 GB/s. */
OCELOTL_API void ocelotl_digest(uint64_t digest[2], const void *bytes, size_t length);

#ifdef __cplusplus
}
#endif

#endif
