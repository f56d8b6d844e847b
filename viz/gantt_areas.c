#include "viz/gantt_shapes.h"

#include "viz/gantt_sums.h"
#include "viz/lettering.h"

#include <math.h>
#include <stdlib.h>

/* Pixels of what can well be pointed at. */
static const double area_width = 40;
static const double area_height = 24;

/* A share of time that is not worth a line. */
static const double negligible = 0.0005;

enum { VALUES_MOST = 3 /* told apart in a tooltip */ };

typedef struct area {
    const oc_gantt *gantt;
    const oc_gantt_group *group;
    const oc_gantt_sums *sums;
    size_t begin, end; /* its sums */
    uint32_t columns;
} area;

static void describe(oc_text *tooltip, const area *is)
{
    const oc_gantt *gantt = is->gantt;
    const uint32_t column = is->sums->sums[is->begin].column;
    const double length = (double)gantt->info.to - (double)gantt->info.from;
    const int64_t begin = gantt->info.from + (int64_t)(length * column / is->columns);
    const int64_t end = gantt->info.from + (int64_t)(length * (column + 1.0) / is->columns);
    const bool states = is->group->shown == OCELOTL_STATE;
    uint64_t count = 0;
    for (size_t i = is->begin; i < is->end; i++)
        count += is->sums->sums[i].count;
    oc_gantt_add_rows(tooltip, gantt, is->group);
    oc_text_add(tooltip, "\n");
    oc_gantt_add_span(tooltip, gantt, begin, end);
    oc_text_add(tooltip, "\n");
    oc_count_add(tooltip, count);
    oc_text_add(tooltip, states ? " states begin" : " events");
    for (size_t i = is->begin; i < is->end && i < is->begin + VALUES_MOST; i++) {
        const oc_gantt_sum *sum = &is->sums->sums[i];
        if (i > is->begin && states && sum->ticks < negligible * is->sums->ticks)
            break;
        oc_text_add(tooltip, "\n");
        if (sum->value == OCELOTL_NONE)
            oc_text_add(tooltip, "others");
        else
            oc_gantt_add_value(tooltip, gantt, sum->value, OCELOTL_NONE);
        oc_text_add(tooltip, " ");
        if (states)
            oc_percent_add(tooltip, fmax(0, sum->ticks / is->sums->ticks));
        else
            oc_count_add(tooltip, sum->count);
    }
}

static void draw_group(oc_scene *scene, area *is, oc_text *tooltip)
{
    const oc_gantt *gantt = is->gantt;
    const oc_gantt_band band = oc_gantt_group_band(gantt, is->group);
    const double left = gantt->frame.left;
    const double width = gantt->frame.width;
    for (is->begin = 0; is->begin < is->sums->count && band.height >= 1; is->begin = is->end) {
        const uint32_t column = is->sums->sums[is->begin].column;
        const double x = left + floor(width * column / is->columns);
        const oc_rectangle place = {.x = x,
                                    .y = band.top,
                                    .width = left + floor(width * (column + 1.0) / is->columns) - x,
                                    .height = band.height,
                                    .fill = gantt->picture->theme->paper,
                                    .opacity = 1,
                                    .stroke = OC_COLOUR_NONE,
                                    .hatch = OC_COLOUR_NONE};
        is->end = oc_gantt_sums_end(is->sums, is->begin);
        oc_text_clear(tooltip);
        describe(tooltip, is);
        oc_scene_rectangle(scene, &place, tooltip->bytes);
    }
}

static ocelotl_status draw_groups(oc_scene *scene, const oc_gantt *gantt, const oc_gantt_group *groups,
                                  uint32_t count)
{
    oc_gantt_sums sums = {0};
    oc_text tooltip = {0};
    ocelotl_status status = OCELOTL_OK;
    area is = {.gantt = gantt, .sums = &sums};
    is.columns = (uint32_t)fmax(1, floor(gantt->frame.width / area_width));
    for (uint32_t i = 0; i < count && status == OCELOTL_OK; i++) {
        is.group = &groups[i];
        if (groups[i].shown != OCELOTL_STATE && groups[i].shown != OCELOTL_EVENT)
            continue;
        status = oc_gantt_sum_group(&sums, gantt, &groups[i], is.columns);
        if (status == OCELOTL_OK)
            draw_group(scene, &is, &tooltip);
    }
    scene->failed = scene->failed || tooltip.failed;
    oc_text_free(&tooltip);
    oc_gantt_sums_free(&sums);
    return status;
}

ocelotl_status oc_gantt_draw_areas(oc_scene *scene, const oc_gantt *gantt)
{
    oc_gantt_group *groups = NULL;
    uint32_t count = 0;
    ocelotl_status status = oc_gantt_group_rows(&groups, &count, gantt, area_height);
    oc_scene_group(scene, "areas", &(oc_group){.crisp = true, .tiles = true}, NULL);
    if (status == OCELOTL_OK)
        status = draw_groups(scene, gantt, groups, count);
    oc_scene_group_end(scene);
    free(groups);
    return status;
}
