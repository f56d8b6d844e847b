/* States as slices: those of one resource and type, the outer before what is in them, on lanes
 * where they cross. */
#include "answer/export/export.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* When the slices end that are open on one lane, the outermost first. */
typedef struct open_slices {
    int64_t *ends;
    size_t count, capacity;
} open_slices;

struct oc_slices {
    const oc_slice_steps *steps;
    void *to;
    oc_ordering *ordering;
    open_slices *lanes;
    size_t lane_count, lane_capacity;
};

ocelotl_status oc_slices_open(oc_slices **slices, const oc_slice_steps *steps, void *to)
{
    OC_TRY(oc_allocate(slices, 1, sizeof **slices));
    (*slices)->steps = steps;
    (*slices)->to = to;
    return oc_ordering_open(&(*slices)->ordering, OC_EXPORT_MEMORY);
}

ocelotl_status oc_slices_add(oc_slices *slices, const ocelotl_event *state, oc_text *text)
{
    oc_text_append(text, (const char *)&state->end, sizeof state->end);
    return text->failed
               ? oc_fail_memory()
               : oc_ordering_add(slices->ordering, &(oc_order){state->begin, state->begin_place, 0},
                                 text->bytes, text->length);
}

/* Ends what is open on a lane and does not last beyond a time. */
static ocelotl_status end_until(const oc_slices *slices, size_t lane, int64_t time)
{
    open_slices *here = &slices->lanes[lane];
    for (; here->count > 0 && here->ends[here->count - 1] <= time; here->count--)
        if (slices->steps->end != NULL)
            OC_TRY(slices->steps->end(slices->to, (uint32_t)lane, here->ends[here->count - 1]));
    return OCELOTL_OK;
}

/* Finds the first lane where a state is inside what is open, or nothing is. */
static ocelotl_status find_lane(size_t *lane, oc_slices *slices, int64_t begin, int64_t end)
{
    for (*lane = 0;; ++*lane) {
        if (*lane == slices->lane_count) {
            OC_TRY(
                oc_grow(&slices->lanes, &slices->lane_capacity, *lane + 1, sizeof *slices->lanes));
            slices->lanes[slices->lane_count++] = (open_slices){0};
        }
        OC_TRY(end_until(slices, *lane, begin));
        const open_slices *here = &slices->lanes[*lane];
        if (here->count == 0 || here->ends[here->count - 1] >= end)
            return OCELOTL_OK;
    }
}

ocelotl_status oc_slices_write(oc_slices *slices)
{
    oc_order order = {0};
    const char *bytes = NULL;
    size_t lane, length = 0;
    OC_TRY(oc_ordering_finish(slices->ordering));
    for (;;) {
        int64_t end;
        OC_TRY(oc_ordering_next(&order, &bytes, &length, slices->ordering));
        if (bytes == NULL)
            break;
        length -= sizeof end;
        memcpy(&end, bytes + length, sizeof end);
        OC_TRY(find_lane(&lane, slices, order.time, end));
        open_slices *here = &slices->lanes[lane];
        OC_TRY(oc_grow(&here->ends, &here->capacity, here->count + 1, sizeof *here->ends));
        here->ends[here->count++] = end;
        OC_TRY(slices->steps->begin(slices->to, (uint32_t)lane, bytes, length));
    }
    for (lane = 0; lane < slices->lane_count; lane++)
        OC_TRY(end_until(slices, lane, INT64_MAX));
    oc_ordering_clear(slices->ordering);
    return OCELOTL_OK;
}

void oc_slices_free(oc_slices *slices)
{
    if (slices == NULL)
        return;
    for (size_t i = 0; i < slices->lane_count; i++)
        free(slices->lanes[i].ends);
    free(slices->lanes);
    oc_ordering_free(slices->ordering);
    free(slices);
}
