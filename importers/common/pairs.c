#include "importers/common/pairs.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

ocelotl_status oc_pairs_begin(oc_pairs *pairs, const oc_sorted *begin)
{
    const uint32_t size = oc_packed_size(begin);
    OC_TRY(oc_grow(&pairs->open, &pairs->capacity, pairs->count + 1, sizeof(oc_packed *)));
    oc_packed *kept = NULL;
    OC_TRY(oc_allocate(&kept, size, 1));
    oc_packed_write(kept, begin, size);
    pairs->open[pairs->count++] = kept;
    return OCELOTL_OK;
}

/* The place of the state that an end names; the count where it names none that is open. */
static size_t find_named(const oc_pairs *pairs, const oc_sorted *end)
{
    for (size_t i = pairs->count; end->value != OCELOTL_NONE && i-- > 0;)
        if (pairs->open[i]->value == end->value && pairs->open[i]->type == end->type)
            return i;
    return pairs->count;
}

/* Whether the first attributes have one. */
static bool has_attribute(const ocelotl_attribute_value *attributes, size_t count,
                          uint32_t attribute)
{
    for (size_t i = 0; i < count; i++)
        if (attributes[i].attribute == attribute)
            return true;
    return false;
}

/* Takes one out; what its end carries beside is added, where the begin does not carry it. */
static ocelotl_status close_one(oc_sorted *span, oc_pairs *pairs, size_t place, int64_t time,
                                const oc_sorted *end)
{
    free(pairs->closed);
    pairs->closed = pairs->open[place];
    pairs->count--;
    memmove(pairs->open + place, pairs->open + place + 1,
            (pairs->count - place) * sizeof(oc_packed *));
    const size_t own = pairs->closed->attribute_count;
    const size_t more = end != NULL ? end->attribute_count : 0;
    OC_TRY(oc_grow(&pairs->room, &pairs->room_capacity, own + more, sizeof *pairs->room));
    oc_packed_read(span, pairs->room, pairs->closed);
    for (size_t i = 0; i < more; i++)
        if (!has_attribute(pairs->room, own, end->attributes[i].attribute))
            pairs->room[span->attribute_count++] = end->attributes[i];
    span->kind = OC_SORTED_SPAN;
    span->end = time;
    span->order = (uint32_t)place;
    return OCELOTL_OK;
}

ocelotl_status oc_pairs_end(oc_pair *found, oc_sorted *span, oc_pairs *pairs, const oc_sorted *end)
{
    *found = OC_PAIR_NONE;
    if (pairs->count == 0)
        return OCELOTL_OK;
    const size_t innermost = pairs->count - 1;
    const size_t named = find_named(pairs, end);
    *found = named < innermost ? OC_PAIR_OUTER : OC_PAIR_INNER;
    if (named > innermost && end->value != OCELOTL_NONE)
        *found = OC_PAIR_OTHER;
    return close_one(span, pairs, named < innermost ? named : innermost, end->time, end);
}

ocelotl_status oc_pairs_rest(bool *open, oc_sorted *span, oc_pairs *pairs, int64_t time)
{
    *open = pairs->count > 0;
    return *open ? close_one(span, pairs, 0, time, NULL) : OCELOTL_OK;
}

void oc_pairs_free(oc_pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++)
        free(pairs->open[i]);
    free(pairs->open);
    free(pairs->closed);
    free(pairs->room);
}
