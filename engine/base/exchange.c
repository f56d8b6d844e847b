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

/* Sends (or receives) the blocks of `count` ranks from `first` on, and behind the last rank from 0
 * on: at most two pieces. */
static ocelotl_status pass_blocks(unsigned char *all, const size_t *offset, uint32_t first,
                                  uint32_t count, uint32_t other, bool sends,
                                  const ocelotl_exchange *exchange)
{
    while (count > 0) {
        const uint32_t end = count < exchange->count - first ? first + count : exchange->count;
        unsigned char *bytes = all + offset[first];
        const size_t length = offset[end] - offset[first];
        if (length > 0)
            OC_TRY(sends ? exchange->send(exchange->context, other, bytes, length)
                         : exchange->receive(exchange->context, other, bytes, length));
        count -= end - first;
        first = 0;
    }
    return OCELOTL_OK;
}

/* Gives all ranks the blocks of all: each has twice as many after every step, those that follow its
 * own. Of ranks that wait for each other in a ring some send first, and some receive. */
static ocelotl_status join_blocks(unsigned char *all, const size_t *offset,
                                  const ocelotl_exchange *exchange)
{
    const uint32_t rank = exchange->rank;
    const uint32_t ranks = exchange->count;
    for (uint32_t known = 1; known < ranks; known *= 2) {
        const uint32_t behind = (uint32_t)(((uint64_t)rank + known) % ranks);
        const uint32_t before = (uint32_t)(((uint64_t)rank + ranks - known) % ranks);
        const uint32_t count = known < ranks - known ? known : ranks - known;
        const bool is_first = rank / known % 2 == 0;
        for (int turn = 0; turn < 2; turn++)
            OC_TRY((turn == 0) == is_first
                       ? pass_blocks(all, offset, rank, count, before, true, exchange)
                       : pass_blocks(all, offset, behind, count, behind, false, exchange));
    }
    return OCELOTL_OK;
}

static ocelotl_status join_with(oc_bytes *bytes, size_t *lengths, size_t *offset,
                                const ocelotl_exchange *exchange)
{
    oc_bytes all = {0};
    for (uint32_t r = 0; r < exchange->count; r++)
        offset[r + 1] = offset[r] + sizeof *lengths;
    lengths[exchange->rank] = bytes->length;
    OC_TRY(join_blocks((unsigned char *)lengths, offset, exchange));
    for (uint32_t r = 0; r < exchange->count; r++)
        offset[r + 1] = offset[r] + lengths[r];
    OC_TRY(grow(&all, offset[exchange->count]));
    if (bytes->length > 0)
        memcpy(all.bytes + offset[exchange->rank], bytes->bytes, bytes->length);
    oc_bytes_free(bytes);
    *bytes = all;
    bytes->length = offset[exchange->count];
    return join_blocks(bytes->bytes, offset, exchange);
}

ocelotl_status oc_exchange_join(oc_bytes *bytes, const ocelotl_exchange *exchange)
{
    size_t *lengths = NULL;
    if (oc_is_alone(exchange))
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&lengths, 2 * (size_t)exchange->count + 1, sizeof *lengths));
    const ocelotl_status status = join_with(bytes, lengths, lengths + exchange->count, exchange);
    free(lengths);
    return status;
}

/* What a rank says of its work: a status, and a message. */
static ocelotl_status say_status(oc_bytes *bytes, ocelotl_status status)
{
    const char *message = status != OCELOTL_OK ? ocelotl_error_message() : "";
    const uint64_t said[2] = {(uint64_t)status, strlen(message) + 1};
    OC_TRY(oc_bytes_add(bytes, said, sizeof said));
    return oc_bytes_add(bytes, message, strlen(message) + 1);
}

static ocelotl_status take_status(oc_bytes *bytes)
{
    uint64_t said[2];
    OC_TRY(oc_bytes_take(said, bytes, sizeof said));
    const char *message = (const char *)bytes->bytes + bytes->read;
    bytes->read += said[1];
    return said[0] == OCELOTL_OK ? OCELOTL_OK : oc_fail((ocelotl_status)said[0], "%s", message);
}

ocelotl_status oc_exchange_agree(ocelotl_status status, const ocelotl_exchange *exchange)
{
    oc_bytes all = {0};
    if (oc_is_alone(exchange))
        return status;
    ocelotl_status agreed = say_status(&all, status);
    if (agreed == OCELOTL_OK)
        agreed = oc_exchange_join(&all, exchange);
    for (uint32_t rank = 0; rank < exchange->count && agreed == OCELOTL_OK; rank++)
        agreed = take_status(&all);
    oc_bytes_free(&all);
    return agreed;
}

static ocelotl_status combine_with(void *bytes, void *more, size_t length, oc_combine combine,
                                   const ocelotl_exchange *exchange)
{
    const uint32_t reach = reach_of(exchange);
    for (uint32_t step = 1; step < reach; step *= 2) {
        const uint32_t from = exchange->rank + step;
        if (from >= exchange->count)
            break;
        OC_TRY(exchange->receive(exchange->context, from, more, length));
        combine(bytes, more, length);
    }
    return exchange->rank > 0
               ? exchange->send(exchange->context, exchange->rank - reach, bytes, length)
               : OCELOTL_OK;
}

ocelotl_status oc_exchange_combine(void *bytes, size_t length, oc_combine combine,
                                   const ocelotl_exchange *exchange)
{
    void *more = NULL;
    if (oc_is_alone(exchange) || length == 0)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&more, length, 1));
    const ocelotl_status status = combine_with(bytes, more, length, combine, exchange);
    free(more);
    return status;
}

void oc_combine_sums(void *bytes, const void *more, size_t length)
{
    double *sums = bytes;
    const double *addends = more;
    for (size_t i = 0; i < length / sizeof *sums; i++)
        sums[i] += addends[i];
}

void oc_combine_counts(void *bytes, const void *more, size_t length)
{
    uint64_t *sums = bytes;
    const uint64_t *addends = more;
    for (size_t i = 0; i < length / sizeof *sums; i++)
        sums[i] += addends[i];
}

ocelotl_status oc_exchange_spread(void *bytes, size_t length, const ocelotl_exchange *exchange)
{
    if (oc_is_alone(exchange) || length == 0)
        return OCELOTL_OK;
    uint32_t step = reach_of(exchange);
    if (exchange->rank > 0)
        OC_TRY(exchange->receive(exchange->context, exchange->rank - step, bytes, length));
    while ((step /= 2) > 0)
        if (exchange->rank + step < exchange->count)
            OC_TRY(exchange->send(exchange->context, exchange->rank + step, bytes, length));
    return OCELOTL_OK;
}

static ocelotl_status send_to_member(void *context, uint32_t to, const void *bytes, size_t length)
{
    const oc_rank_team *team = context;
    return team->all->send(team->all->context, team->ranks[to], bytes, length);
}

static ocelotl_status receive_from_member(void *context, uint32_t from, void *bytes, size_t length)
{
    const oc_rank_team *team = context;
    return team->all->receive(team->all->context, team->ranks[from], bytes, length);
}

void oc_rank_team_make(oc_rank_team *team, const ocelotl_exchange *all, const uint32_t *ranks,
                       uint32_t count)
{
    uint32_t place = 0;
    while (ranks[place] != all->rank)
        place++;
    *team = (oc_rank_team){{place, count, send_to_member, receive_from_member, team}, all, ranks};
}

static void take_least(void *bytes, const void *more, size_t length)
{
    uint64_t *least = bytes;
    const uint64_t *other = more;
    (void)length;
    *least = *other < *least ? *other : *least;
}

ocelotl_status oc_exchange_least(uint64_t *number, const ocelotl_exchange *exchange)
{
    OC_TRY(oc_exchange_combine(number, sizeof *number, take_least, exchange));
    return oc_exchange_spread(number, sizeof *number, exchange);
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
    for (uint32_t i = count; i-- > 0;)
        ranks[i] -= ranks[0];
}
