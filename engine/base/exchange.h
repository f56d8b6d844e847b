/* What ranks tell each other: each calls the same function at the same time. NULL is an exchange of
 * one rank alone. */
#ifndef OC_BASE_EXCHANGE_H
#define OC_BASE_EXCHANGE_H

#include "base/status.h"

#include <ocelotl/exchange.h>

#include <stdbool.h>

static inline bool oc_is_alone(const ocelotl_exchange *exchange)
{
    return exchange == NULL || exchange->count < 2;
}

/* Bytes that grow. Zero-initialised there are none. */
typedef struct oc_bytes {
    unsigned char *bytes;
    size_t length, capacity;
    size_t read; /* so many have been taken */
} oc_bytes;

void oc_bytes_free(oc_bytes *bytes);
ocelotl_status oc_bytes_add(oc_bytes *bytes, const void *more, size_t length);

/* Takes the next bytes. Errors: INTERNAL where there are less. */
ocelotl_status oc_bytes_take(void *to, oc_bytes *bytes, size_t length);

/* Passes bytes with their length; they are added to those of the receiver. */
ocelotl_status oc_exchange_send(const ocelotl_exchange *exchange, uint32_t to,
                                const oc_bytes *bytes);
ocelotl_status oc_exchange_receive(oc_bytes *bytes, const ocelotl_exchange *exchange,
                                   uint32_t from);

/* Gives all ranks the bytes of all, in the order of ranks. O(log ranks) steps. */
ocelotl_status oc_exchange_join(oc_bytes *bytes, const ocelotl_exchange *exchange);

/* Combines bytes of all ranks into those of rank 0: `combine` adds those of a rank to those of
 * ranks before it. O(log ranks) steps. */
typedef void (*oc_combine)(void *bytes, const void *more, size_t length);
ocelotl_status oc_exchange_combine(void *bytes, size_t length, oc_combine combine,
                                   const ocelotl_exchange *exchange);

/* Combines doubles: their sums. */
void oc_combine_sums(void *bytes, const void *more, size_t length);

/* Combines numbers of 64 bits: their sums modulo 2^64. */
void oc_combine_counts(void *bytes, const void *more, size_t length);

/* Gives all ranks the bytes of rank 0, of a length that all know. O(log ranks) steps. */
ocelotl_status oc_exchange_spread(void *bytes, size_t length, const ocelotl_exchange *exchange);

/* Some of the ranks of an exchange, by an exchange among them. */
typedef struct oc_rank_team {
    ocelotl_exchange exchange; /* whose context is the team */
    const ocelotl_exchange *all;
    const uint32_t *ranks; /* that they are among all, from the least on */
} oc_rank_team;

/* Makes a team that this rank is one of. The team stays where it is. */
void oc_rank_team_make(oc_rank_team *team, const ocelotl_exchange *all, const uint32_t *ranks,
                       uint32_t count);

/* Makes a number the least of those of all ranks. */
ocelotl_status oc_exchange_least(uint64_t *number, const ocelotl_exchange *exchange);

/* Gives all ranks the failure of the first rank that has one, with its message. All call it where
 * one alone may have failed, and no more where it gives a failure. */
ocelotl_status oc_exchange_agree(ocelotl_status status, const ocelotl_exchange *exchange);

/* Deals `count` items out to the ranks: which rank has each of them. A rank has neighbours, and
 * about as much of the weights as any other; rank 0 has the first. O(count). */
void oc_exchange_deal(uint32_t *ranks, const ocelotl_exchange *exchange, const uint64_t *weights,
                      uint32_t count);

#endif
