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

/* Gives all ranks the bytes of rank 0; the others have none before. O(log ranks) steps. */
ocelotl_status oc_exchange_spread(oc_bytes *bytes, const ocelotl_exchange *exchange);

/* Gives all ranks the bytes of all, in the order of ranks. O(log ranks) steps. */
ocelotl_status oc_exchange_join(oc_bytes *bytes, const ocelotl_exchange *exchange);

/* Adds up numbers of all ranks, in the order of ranks. */
ocelotl_status oc_exchange_sum(double *numbers, size_t count, const ocelotl_exchange *exchange);

/* Makes a number the least of those of all ranks. */
ocelotl_status oc_exchange_least(uint64_t *number, const ocelotl_exchange *exchange);

/* Deals `count` items out to the ranks: which rank has each of them. A rank has neighbours, and
 * about as much of the weights as any other. O(count). */
void oc_exchange_deal(uint32_t *ranks, const ocelotl_exchange *exchange, const uint64_t *weights,
                      uint32_t count);

#endif
