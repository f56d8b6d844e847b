#include "viz/gantt/shapes.h"

#include "viz/gantt/means.h"
#include "viz/gantt/sums.h"
#include "viz/words/lettering.h"

#include <math.h>
#include <stdlib.h>

/* Pixels of what can well be pointed at. */
static const double area_width = 40;
static const double area_height = 24;

/* A share of time that is not worth a line. */
static const double negligible = 0.0005;

enum { VALUES_MOST = 3 /* told apart in a tooltip */ };

/* What areas are drawn with, and the one that is. */
typedef struct areas {
    oc_scene *scene;
    const oc_gantt *gantt;
    const oc_gantt_group *group;
    oc_gantt_sums sums;
    oc_gantt_means means;
    oc_text tooltip;
    uint32_t columns, column;
    size_t begin, end; /* the column's sums */
} areas;

static bool is_event(const areas *is, const oc_gantt_sum *sum)
{
    const ocelotl_trace *trace = is->gantt->input->trace;
    if (sum->value == OCELOTL_NONE || sum->value == OC_GANTT_EVENTS)
        return sum->value == OC_GANTT_EVENTS;
    return ocelotl_trace_event_type(trace, ocelotl_trace_value(trace, sum->value).event_type)
               .category == OCELOTL_EVENT;
}

static void add_value(areas *is, const oc_gantt_sum *sum)
{
    oc_text_add(&is->tooltip, "\n");
    if (sum->value == OCELOTL_NONE || sum->value == OC_GANTT_EVENTS)
        oc_text_add(&is->tooltip, "others");
    else
        oc_gantt_add_value(&is->tooltip, is->gantt, sum->value, OCELOTL_NONE);
    oc_text_add(&is->tooltip, " ");
    if (is_event(is, sum))
        oc_count_add(&is->tooltip, sum->count);
    else
        oc_percent_add(&is->tooltip, fmax(0, sum->ticks / is->sums.ticks));
}

static void add_sums(areas *is, bool events)
{
    uint64_t count = 0;
    int told = 0;
    for (size_t i = is->begin; i < is->end; i++)
        count += is_event(is, &is->sums.sums[i]) == events ? is->sums.sums[i].count : 0;
    if (events && count == 0)
        return;
    oc_text_add(&is->tooltip, "\n");
    oc_count_add(&is->tooltip, count);
    oc_text_add(&is->tooltip, events       ? count == 1 ? " event" : " events"
                              : count == 1 ? " state begins"
                                           : " states begin");
    for (size_t i = is->begin; i < is->end && told < VALUES_MOST; i++) {
        const oc_gantt_sum *sum = &is->sums.sums[i];
        const bool little = !events && told > 0 && sum->ticks < negligible * is->sums.ticks;
        if (is_event(is, sum) != events || little)
            continue;
        add_value(is, sum);
        told++;
    }
}

static bool has_means(const areas *is)
{
    for (uint32_t i = 0; i < is->means.count; i++)
        if (is->means.means[(size_t)is->column * OC_GANTT_MEANS_MOST + i].ticks > 0)
            return true;
    return false;
}

static void describe(areas *is)
{
    const oc_gantt *gantt = is->gantt;
    const double length = (double)gantt->info.to - (double)gantt->info.from;
    const int64_t begin = gantt->info.from + (int64_t)(length * is->column / is->columns);
    const int64_t end = gantt->info.from + (int64_t)(length * (is->column + 1.0) / is->columns);
    oc_text_clear(&is->tooltip);
    oc_gantt_add_rows(&is->tooltip, gantt, is->group);
    oc_text_add(&is->tooltip, "\n");
    oc_gantt_add_span(&is->tooltip, gantt, begin, end);
    if (is->sums.ticks > 0)
        add_sums(is, false);
    add_sums(is, true);
    oc_gantt_add_means(&is->tooltip, gantt, &is->means, is->column);
}

static void draw_area(areas *is, const oc_gantt_band *band)
{
    const oc_frame *frame = &is->gantt->frame;
    const double x = frame->left + floor((double)frame->width * is->column / is->columns);
    const double right = frame->left + floor(frame->width * (is->column + 1.0) / is->columns);
    const oc_rectangle place = {.x = x,
                                .y = band->top,
                                .width = right - x,
                                .height = band->height,
                                .fill = is->gantt->picture->theme->paper,
                                .opacity = 1,
                                .stroke = OC_COLOUR_NONE,
                                .hatch = OC_COLOUR_NONE};
    describe(is);
    oc_scene_rectangle(is->scene, &place, is->tooltip.bytes);
}

static ocelotl_status draw_group(areas *is)
{
    const oc_gantt_band band = oc_gantt_group_band(is->gantt, is->group);
    if (band.height < 1)
        return OCELOTL_OK;
    OC_TRY(oc_gantt_sum_group(&is->sums, is->gantt, is->group, is->columns, true));
    OC_TRY(oc_gantt_find_means(&is->means, is->gantt, is->group, is->columns));
    is->begin = 0;
    for (is->column = 0; is->column < is->columns; is->column++, is->begin = is->end) {
        is->end = is->begin;
        if (is->begin < is->sums.count && is->sums.sums[is->begin].column == is->column)
            is->end = oc_gantt_sums_end(&is->sums, is->begin);
        if (is->end > is->begin || has_means(is))
            draw_area(is, &band);
    }
    return OCELOTL_OK;
}

ocelotl_status oc_gantt_draw_areas(oc_scene *scene, const oc_gantt *gantt)
{
    areas is = {.scene = scene, .gantt = gantt};
    oc_gantt_group *groups = NULL;
    uint32_t count = 0;
    ocelotl_status status =
        oc_gantt_group_rows(&groups, &count, gantt, &(oc_gantt_limits){area_height, area_height});
    is.columns = (uint32_t)fmax(1, floor(gantt->frame.width / area_width));
    oc_scene_group(scene, "areas", &(oc_group){.crisp = true, .tiles = true}, NULL);
    for (uint32_t i = 0; i < count && status == OCELOTL_OK; i++) {
        is.group = &groups[i];
        status = draw_group(&is);
    }
    oc_scene_group_end(scene);
    scene->failed = scene->failed || is.tooltip.failed;
    free(groups);
    oc_text_free(&is.tooltip);
    oc_gantt_sums_free(&is.sums);
    oc_gantt_means_free(&is.means);
    return status;
}
