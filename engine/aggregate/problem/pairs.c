#include "aggregate/problem/pairs.h"

#include "base/memory.h"

/* What has no neighbour is the sum of the next level as it is. */
static bool has_neighbour(const oc_partial *partial, uint32_t children)
{
    return ((uint64_t)(partial->index ^ 1) << partial->level) < children;
}

static bool is_whole(const oc_partial *partial, uint32_t children)
{
    return partial->index == 0 && ((uint64_t)1 << partial->level) >= children;
}

ocelotl_status oc_partials_take(oc_partials *partials, const oc_summing *summing,
                                oc_partial partial, uint32_t children)
{
    ocelotl_status status = OCELOTL_OK;
    while (status == OCELOTL_OK && !is_whole(&partial, children)) {
        if (has_neighbour(&partial, children)) {
            /* The neighbour is mostly the last one that came. */
            size_t at = partials->count;
            while (at > 0 && (partials->list[at - 1].level != partial.level ||
                              partials->list[at - 1].index != (partial.index ^ 1)))
                at--;
            if (at == 0)
                break;
            const oc_partial other = partials->list[at - 1];
            partials->list[at - 1] = partials->list[--partials->count];
            const bool right = partial.index % 2 == 1;
            void *left = right ? other.sum : partial.sum;
            status = summing->add(summing->context, left, right ? partial.sum : other.sum);
            partial.sum = left;
        }
        partial.level++;
        partial.index /= 2;
    }
    if (status == OCELOTL_OK)
        status = oc_grow_few(&partials->list, &partials->capacity, partials->count + 1,
                             sizeof *partials->list);
    if (status == OCELOTL_OK)
        partials->list[partials->count++] = partial;
    else
        summing->give_up(summing->context, partial.sum);
    return status;
}

void oc_partials_clear(oc_partials *partials, const oc_summing *summing)
{
    while (partials->count > 0)
        summing->give_up(summing->context, partials->list[--partials->count].sum);
}

static ocelotl_status send_sums(const oc_partials *partials, const oc_summing *summing,
                                const ocelotl_exchange *exchange, uint32_t to)
{
    const uint64_t count = partials->count;
    OC_TRY(exchange->send(exchange->context, to, &count, sizeof count));
    for (size_t i = 0; i < count; i++) {
        const uint32_t place[] = {partials->list[i].level, partials->list[i].index};
        OC_TRY(exchange->send(exchange->context, to, place, sizeof place));
        OC_TRY(summing->send(summing->context, exchange, to, partials->list[i].sum));
    }
    return OCELOTL_OK;
}

static ocelotl_status receive_sums(oc_partials *partials, const oc_summing *summing,
                                   uint32_t children, const ocelotl_exchange *exchange,
                                   uint32_t from)
{
    uint64_t count = 0;
    OC_TRY(exchange->receive(exchange->context, from, &count, sizeof count));
    for (uint64_t i = 0; i < count; i++) {
        uint32_t place[2] = {0};
        void *sum = NULL;
        OC_TRY(exchange->receive(exchange->context, from, place, sizeof place));
        const ocelotl_status status = summing->receive(summing->context, exchange, from, &sum);
        if (status != OCELOTL_OK && sum != NULL)
            summing->give_up(summing->context, sum);
        OC_TRY(status);
        OC_TRY(
            oc_partials_take(partials, summing, (oc_partial){place[0], place[1], sum}, children));
    }
    return OCELOTL_OK;
}

/* Towards rank 0, each rank adds what those above it know. */
ocelotl_status oc_partials_exchange(oc_partials *partials, const oc_summing *summing,
                                    uint32_t children, const ocelotl_exchange *exchange)
{
    uint32_t step = 1;
    for (; step < exchange->count && (exchange->rank & step) == 0; step *= 2)
        if (exchange->rank + step < exchange->count)
            OC_TRY(receive_sums(partials, summing, children, exchange, exchange->rank + step));
    if (exchange->rank == 0)
        return OCELOTL_OK;
    OC_TRY(send_sums(partials, summing, exchange, exchange->rank - step));
    oc_partials_clear(partials, summing);
    return OCELOTL_OK;
}
