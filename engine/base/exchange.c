#include "base/exchange.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void oc_bytes_free(oc_bytes *bytes)
{
    free(bytes->bytes);
    *bytes = (oc_bytes){0};
}

static ocelotl_status grow(oc_bytes *bytes, size_t more)
{
    return oc_grow(&bytes->bytes, &bytes->capacity, bytes->length + more, 1);
}

ocelotl_status oc_bytes_add(oc_bytes *bytes, const void *more, size_t length)
{
    if (length == 0)
        return OCELOTL_OK;
    OC_TRY(grow(bytes, length));
    memcpy(bytes->bytes + bytes->length, more, length);
    bytes->length += length;
    return OCELOTL_OK;
}

ocelotl_status oc_bytes_take(void *to, oc_bytes *bytes, size_t length)
{
    if (length > bytes->length - bytes->read)
        return oc_fail(OCELOTL_ERROR_INTERNAL, "a rank said less than it should");
    if (length > 0)
        memcpy(to, bytes->bytes + bytes->read, length);
    bytes->read += length;
    return OCELOTL_OK;
}

ocelotl_status oc_exchange_send(const ocelotl_exchange *exchange, uint32_t to,
                                const oc_bytes *bytes)
{
    const uint64_t length = bytes->length;
    OC_TRY(exchange->send(exchange->context, to, &length, sizeof length));
    return length == 0 ? OCELOTL_OK
                       : exchange->send(exchange->context, to, bytes->bytes, bytes->length);
}

ocelotl_status oc_exchange_receive(oc_bytes *bytes, const ocelotl_exchange *exchange, uint32_t from)
{
    uint64_t length = 0;
    OC_TRY(exchange->receive(exchange->context, from, &length, sizeof length));
    if (length == 0)
        return OCELOTL_OK;
    OC_TRY(grow(bytes, length));
    OC_TRY(exchange->receive(exchange->context, from, bytes->bytes + bytes->length, length));
    bytes->length += length;
    return OCELOTL_OK;
}

/* The lowest rank that waits for this one first, as a power of two: what is below it is spread by
 * this rank. */
static uint32_t reach_of(const ocelotl_exchange *exchange)
{
    uint32_t step = 1;
    while (step < exchange->count && (exchange->rank & step) == 0)
        step *= 2;
    return step;
}

ocelotl_status oc_exchange_spread(oc_bytes *bytes, const ocelotl_exchange *exchange)
{
    if (oc_is_alone(exchange))
        return OCELOTL_OK;
    uint32_t step = reach_of(exchange);
    if (exchange->rank > 0)
        OC_TRY(oc_exchange_receive(bytes, exchange, exchange->rank - step));
    while ((step /= 2) > 0)
        if (exchange->rank + step < exchange->count)
            OC_TRY(oc_exchange_send(exchange, exchange->rank + step, bytes));
    return OCELOTL_OK;
}

ocelotl_status oc_exchange_join(oc_bytes *bytes, const ocelotl_exchange *exchange)
{
    if (oc_is_alone(exchange))
        return OCELOTL_OK;
    const uint32_t reach = reach_of(exchange);
    for (uint32_t step = 1; step < reach; step *= 2)
        if (exchange->rank + step < exchange->count)
            OC_TRY(oc_exchange_receive(bytes, exchange, exchange->rank + step));
    if (exchange->rank > 0) {
        OC_TRY(oc_exchange_send(exchange, exchange->rank - reach, bytes));
        bytes->length = 0;
    }
    return oc_exchange_spread(bytes, exchange);
}

ocelotl_status oc_exchange_sum(double *numbers, size_t count, const ocelotl_exchange *exchange)
{
    oc_bytes all = {0};
    if (oc_is_alone(exchange))
        return OCELOTL_OK;
    ocelotl_status status = oc_bytes_add(&all, numbers, count * sizeof *numbers);
    if (status == OCELOTL_OK)
        status = oc_exchange_join(&all, exchange);
    memset(numbers, 0, count * sizeof *numbers);
    for (size_t i = 0; i < count * exchange->count && status == OCELOTL_OK; i++) {
        double number = 0;
        status = oc_bytes_take(&number, &all, sizeof number);
        numbers[i % count] += number;
    }
    oc_bytes_free(&all);
    return status;
}

ocelotl_status oc_exchange_least(uint64_t *number, const ocelotl_exchange *exchange)
{
    oc_bytes all = {0};
    if (oc_is_alone(exchange))
        return OCELOTL_OK;
    ocelotl_status status = oc_bytes_add(&all, number, sizeof *number);
    if (status == OCELOTL_OK)
        status = oc_exchange_join(&all, exchange);
    while (status == OCELOTL_OK && all.read < all.length) {
        uint64_t other = 0;
        status = oc_bytes_take(&other, &all, sizeof other);
        *number = other < *number ? other : *number;
    }
    oc_bytes_free(&all);
    return status;
}

void oc_exchange_deal(uint32_t *ranks, const ocelotl_exchange *exchange, const uint64_t *weights,
                      uint32_t count)
{
    double all = 0;
    double before = 0;
    for (uint32_t i = 0; i < count; i++)
        all += (double)weights[i];
    for (uint32_t i = 0; i < count; i++) {
        /* The rank in whose range the middle of the item lies. */
        const double place = (before + (double)weights[i] / 2) / all * exchange->count;
        ranks[i] = place < exchange->count ? (uint32_t)place : exchange->count - 1;
        before += (double)weights[i];
    }
}
