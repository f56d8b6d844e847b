#include "aggregate/solver/bundles.h"

#include "base/memory.h"

#include <stdlib.h>

/* About so many bundles of a height. */
#define BUNDLES 64

void oc_bundles_free(oc_bundles *bundles)
{
    free(bundles->bundle);
    free(bundles->height_first);
    free(bundles->first_of_inner);
}

/* What is below a node that loses nothing over all slices is never a part: no more does the node
 * gain by it. What is below one whose best values are given is solved elsewhere. */
static bool is_spared(const ocelotl_aggregation *aggregation, uint32_t node, const uint8_t *below)
{
    const uint32_t parent = aggregation->nodes.parent[node];
    return below[parent] || aggregation->lossless[parent] || oc_is_given(aggregation, parent);
}

/* `last` is of each parent its last bundle so far, plus 1. */
static ocelotl_status add_bundle(oc_bundles *bundles, const oc_nodes *nodes, uint32_t place,
                                 uint32_t widest, size_t begun, size_t *last)
{
    const uint32_t parent = nodes->parent[nodes->by_height[place]];
    const size_t b = bundles->count;
    if (b > begun && last[parent] == b && bundles->bundle[b - 1].end == place &&
        place - bundles->bundle[b - 1].begin < widest) {
        bundles->bundle[b - 1].end++;
        return OCELOTL_OK;
    }
    OC_TRY(oc_grow(&bundles->bundle, &bundles->capacity, b + 1, sizeof *bundles->bundle));
    bundles->bundle[b] = (oc_bundle){
        .begin = place, .end = place + 1, .is_first = last[parent] == 0, .next = SIZE_MAX};
    if (last[parent] > 0)
        bundles->bundle[last[parent] - 1].next = b;
    else
        bundles->first_of_inner[nodes->inner[parent]] = b;
    last[parent] = b + 1;
    bundles->count++;
    return OCELOTL_OK;
}

/* Bundles of siblings that follow each other in by_height, height by height. */
static ocelotl_status make_bundles(oc_bundles *bundles, const ocelotl_aggregation *aggregation,
                                   uint8_t *below, size_t *last)
{
    const oc_nodes *nodes = &aggregation->nodes;
    for (uint32_t k = 1; k < nodes->count; k++)
        below[k] = is_spared(aggregation, k, below);
    for (uint32_t height = 0; height + 1 < nodes->height_count; height++) {
        const uint32_t begin = nodes->height_first[height];
        const uint32_t end = nodes->height_first[height + 1];
        const uint32_t widest = (end - begin) / BUNDLES < 1 ? 1 : (end - begin) / BUNDLES;
        bundles->height_first[height] = bundles->count;
        for (uint32_t i = begin; i < end; i++)
            if (!below[nodes->by_height[i]])
                OC_TRY(add_bundle(bundles, nodes, i, widest, bundles->height_first[height], last));
    }
    bundles->height_first[nodes->height_count - 1] = bundles->count;
    return OCELOTL_OK;
}

ocelotl_status oc_bundles_make(oc_bundles *bundles, const ocelotl_aggregation *aggregation)
{
    const uint32_t count = aggregation->nodes.count;
    uint8_t *below = NULL;
    size_t *last = NULL;
    OC_TRY(oc_allocate(&bundles->first_of_inner, aggregation->nodes.inner_count,
                       sizeof *bundles->first_of_inner));
    OC_TRY(oc_allocate(&bundles->height_first, aggregation->nodes.height_count,
                       sizeof *bundles->height_first));
    ocelotl_status status = oc_allocate(&below, count, sizeof *below);
    if (status == OCELOTL_OK)
        status = oc_allocate(&last, count, sizeof *last);
    if (status == OCELOTL_OK)
        status = make_bundles(bundles, aggregation, below, last);
    free(below);
    free(last);
    return status;
}
