#include "importers/paje/nest.h"

#include "base/memory.h"

#include <stdlib.h>

void paje_nest_free(paje_nest *nest)
{
    free(nest->nested);
    *nest = (paje_nest){0};
}

/* The next one around that is not out. Those on the way point nearer to it afterwards. */
static uint32_t find_around(paje_nest *nest, uint32_t around)
{
    paje_nested *nested = nest->nested;
    while (nested[around].is_out) {
        const uint32_t next = nested[around].around;
        if (nested[next].is_out)
            nested[around].around = nested[next].around;
        around = next;
    }
    return around;
}

ocelotl_status paje_nest_add(paje_nest *nest, uint32_t around)
{
    OC_TRY(oc_grow(&nest->nested, &nest->capacity, nest->count + 1, sizeof *nest->nested));
    const uint32_t added = (uint32_t)nest->count++;
    paje_nested *place = &nest->nested[added];
    *place =
        (paje_nested){PAJE_NOWHERE, PAJE_NOWHERE, PAJE_NOWHERE, PAJE_NOWHERE, PAJE_NOWHERE, false};
    if (around == PAJE_NOWHERE)
        return OCELOTL_OK;
    place->around = find_around(nest, around);
    paje_nested *outer = &nest->nested[place->around];
    place->before = outer->last;
    if (outer->last == PAJE_NOWHERE)
        outer->first = added;
    else
        nest->nested[outer->last].behind = added;
    outer->last = added;
    return OCELOTL_OK;
}

uint32_t paje_nest_next(const paje_nest *nest, uint32_t top, uint32_t container)
{
    const paje_nested *nested = nest->nested;
    if (nested[container].first != PAJE_NOWHERE)
        return nested[container].first;
    while (container != top && nested[container].behind == PAJE_NOWHERE)
        container = nested[container].around;
    return container == top ? PAJE_NOWHERE : nested[container].behind;
}

void paje_nest_take_out(paje_nest *nest, uint32_t container)
{
    paje_nested *place = &nest->nested[container];
    if (place->is_out || place->around == PAJE_NOWHERE)
        return;
    for (uint32_t c = container; c != PAJE_NOWHERE; c = paje_nest_next(nest, container, c))
        nest->nested[c].is_out = true;
    paje_nested *outer = &nest->nested[place->around];
    if (place->before == PAJE_NOWHERE)
        outer->first = place->behind;
    else
        nest->nested[place->before].behind = place->behind;
    if (place->behind == PAJE_NOWHERE)
        outer->last = place->before;
    else
        nest->nested[place->behind].before = place->before;
    place->first = place->last = place->before = place->behind = PAJE_NOWHERE;
}
