#include "viz/gantt/means.h"

#include "base/memory.h"
#include "viz/words/lettering.h"

#include <math.h>
#include <stdlib.h>

/* The place of a row's type, or OC_GANTT_MEANS_MOST. */
static uint32_t place_of(oc_gantt_means *means, uint32_t event_type)
{
    for (uint32_t i = 0; i < means->count; i++)
        if (means->event_types[i] == event_type)
            return i;
    if (means->count == OC_GANTT_MEANS_MOST) {
        means->more = true;
        return OC_GANTT_MEANS_MOST;
    }
    means->event_types[means->count] = event_type;
    return means->count++;
}

/* A change at an instant counts as little as can be. */
static void add(oc_gantt_mean *mean, const ocelotl_drawn_object *is, double ticks)
{
    const double weight = fmax(ticks, 1e-6);
    mean->integral += is->mean * weight;
    mean->low = mean->ticks > 0 ? fmin(mean->low, is->low) : is->low;
    mean->high = mean->ticks > 0 ? fmax(mean->high, is->high) : is->high;
    mean->ticks += weight;
}

static void add_row(const oc_gantt_means *means, const oc_gantt *gantt, uint32_t row,
                    uint32_t place, uint32_t columns)
{
    const double begin = (double)gantt->info.from;
    const double step = fmax(1, (double)gantt->info.to - begin) / columns;
    for (uint64_t object = 0; object < gantt->drawn[row].is.objects; object++) {
        const ocelotl_drawn_object is =
            ocelotl_drawables_object(gantt->input->drawables, row, object);
        const double from = (double)is.begin - begin;
        const double to = (double)is.end - begin;
        uint32_t column = (uint32_t)fmin(columns - 1, fmax(0, floor(from / step)));
        do {
            const double inside = fmin(to, (column + 1) * step) - fmax(from, column * step);
            add(&means->means[(size_t)column * OC_GANTT_MEANS_MOST + place], &is, inside);
        } while (++column < columns && column * step < to);
    }
}

ocelotl_status oc_gantt_find_means(oc_gantt_means *means, const oc_gantt *gantt,
                                   const oc_gantt_group *group, uint32_t columns)
{
    const size_t wanted = (size_t)columns * OC_GANTT_MEANS_MOST;
    means->count = 0;
    means->more = false;
    OC_TRY(oc_grow(&means->means, &means->capacity, wanted, sizeof *means->means));
    for (size_t i = 0; i < wanted; i++)
        means->means[i] = (oc_gantt_mean){0};
    for (uint32_t row = group->first; row < group->end; row++) {
        if (!oc_gantt_is_of_steps(gantt, row))
            continue;
        const uint32_t place = place_of(means, gantt->drawn[row].is.event_type);
        if (place < OC_GANTT_MEANS_MOST)
            add_row(means, gantt, row, place, columns);
    }
    return OCELOTL_OK;
}

void oc_gantt_add_means(oc_text *text, const oc_gantt *gantt, const oc_gantt_means *means,
                        uint32_t column)
{
    for (uint32_t i = 0; i < means->count; i++) {
        const oc_gantt_mean *mean = &means->means[(size_t)column * OC_GANTT_MEANS_MOST + i];
        if (!(mean->ticks > 0))
            continue;
        oc_text_add(text, "\n");
        oc_clean_add(
            text, ocelotl_trace_event_type(gantt->input->trace, means->event_types[i]).name, false);
        oc_text_add(text, " ");
        oc_gantt_add_mean(text, mean->integral / mean->ticks, mean->low, mean->high);
    }
    if (means->more)
        oc_text_add(text, "\nother variables");
}

void oc_gantt_means_free(oc_gantt_means *means)
{
    free(means->means);
    *means = (oc_gantt_means){0};
}
