/* The critical path: back from the last end, over what was waited for. */
#include "quality/waiting/waits.h"

#include "base/file/bulk.h"

static ocelotl_status add_piece(oc_waiting *waiting, const oc_path_piece *piece)
{
    if (piece->from >= piece->to)
        return OCELOTL_OK;
    OC_TRY(oc_bulk_grow(&waiting->path, &waiting->path_capacity, waiting->path_count + 1,
                        sizeof *waiting->path));
    waiting->path[waiting->path_count++] = *piece;
    return OCELOTL_OK;
}

/* The last wait of a resource that was over, with all that it waited for, by an instant. */
static const oc_wait *find_wait(const oc_waiting *waiting, uint32_t resource, int64_t time)
{
    const oc_wait *waits = waiting->waits;
    size_t low = oc_waits_behind(waiting, resource, time);
    while (low > waiting->first[resource] && waits[low - 1].resumed > time)
        low--;
    return low > waiting->first[resource] ? &waits[low - 1] : NULL;
}

ocelotl_status oc_waiting_find_path(oc_waiting *waiting, const ocelotl_trace *trace,
                                    uint32_t resource)
{
    int64_t time = trace->info.end;
    size_t stays = 0; /* steps in which no time passed */
    while (resource != OCELOTL_NONE && time > trace->info.begin) {
        /* those that wait for each other at one instant would go on for ever */
        const oc_wait *wait =
            stays <= trace->resource_count ? find_wait(waiting, resource, time) : NULL;
        const int64_t since = wait != NULL ? wait->resumed : trace->info.begin;
        OC_TRY(add_piece(waiting, &(oc_path_piece){since, time, resource, OCELOTL_NONE}));
        if (wait == NULL)
            break;
        OC_TRY(
            add_piece(waiting, &(oc_path_piece){wait->end, wait->resumed, resource, wait->cause}));
        stays = wait->end < time ? 0 : stays + 1;
        time = wait->end;
        resource = wait->cause;
    }
    for (size_t i = 0, j = waiting->path_count; i + 1 < j; i++) {
        const oc_path_piece swapped = waiting->path[--j];
        waiting->path[j] = waiting->path[i];
        waiting->path[i] = swapped;
    }
    return OCELOTL_OK;
}
