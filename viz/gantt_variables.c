/* Variables as steps over a common scale for each type, and for those of one unit, from 0 or the smallest value up; where
 * steps are merged, fainter from the lowest to the highest of them, with the mean as a line. */
#include "viz/gantt.h"

#include "viz/lettering.h"

#include <math.h>

static const double pale = 0.35;
static const double paler = 0.2; /* where it is not all the time */

typedef struct scale {
    double low, high; /* values at the bottom and the top */
    double top, height;
} scale;

static scale scale_of(const oc_gantt *gantt, uint32_t row)
{
    const oc_gantt_band band = oc_gantt_band_of(gantt, row);
    const uint32_t type = gantt->drawn[row].is.event_type;
    const double low = fmin(0, gantt->lows[type]);
    const double high = fmax(low, gantt->highs[type]);
    return (scale){low, high > low ? high : low + 1, band.top + 1, fmax(1, band.height - 2)};
}

static double y_of(const scale *by, double value)
{
    return by->top + by->height * (1 - (value - by->low) / (by->high - by->low));
}

static void describe(oc_text *tooltip, const oc_gantt *gantt, uint32_t row, const ocelotl_drawn_object *is)
{
    const oc_gantt_row *drawn = &gantt->drawn[row];
    const ocelotl_event_type type = ocelotl_trace_event_type(gantt->input->trace, drawn->is.event_type);
    const char *unit = type.unit;
    oc_clean_add(tooltip, type.name, false);
    oc_text_add(tooltip, " ");
    oc_number_add(tooltip, is->mean, 6);
    if (unit[0] != '\0') {
        oc_text_add(tooltip, " ");
        oc_clean_add(tooltip, unit, false);
    }
    if (is->count > 1) {
        oc_text_add(tooltip, " on average, from ");
        oc_number_add(tooltip, is->low, 6);
        oc_text_add(tooltip, " to ");
        oc_number_add(tooltip, is->high, 6);
        oc_text_add(tooltip, ", ");
        oc_count_add(tooltip, is->count);
        oc_text_add(tooltip, " changes");
    }
    oc_text_format(tooltip, "\n%s\n", drawn->is.path);
    oc_gantt_add_span(tooltip, gantt, is->begin, is->end);
}

static void draw_step(oc_scene *scene, const oc_gantt *gantt, uint32_t row, const ocelotl_drawn_object *is)
{
    const scale by = scale_of(gantt, row);
    const uint32_t colour = gantt->type_colours[gantt->drawn[row].is.event_type];
    const double left = floor(oc_gantt_x(gantt, is->begin));
    const double right = fmax(left + 1, floor(oc_gantt_x(gantt, is->end)));
    const double top = floor(y_of(&by, is->high));
    const double base = ceil(y_of(&by, fmax(by.low, 0)));
    const double bottom = fmax(top + 1, is->count > 1 ? ceil(y_of(&by, is->low)) : base);
    const double mean = fmin(floor(y_of(&by, is->mean)), by.top + by.height - 1);
    oc_rectangle area = {left, top, right - left, bottom - top, colour, pale, OC_COLOUR_NONE, OC_COLOUR_NONE};
    const oc_rectangle below = {left,   bottom, right - left,   base - bottom,
                                colour, pale,   OC_COLOUR_NONE, OC_COLOUR_NONE};
    oc_text tooltip = {0};
    describe(&tooltip, gantt, row, is);
    if (bottom < base)
        area.opacity = paler;
    oc_scene_rectangle(scene, &area, tooltip.bytes);
    if (bottom < base)
        oc_scene_rectangle(scene, &below, tooltip.bytes);
    oc_scene_rectangle(
        scene, &(oc_rectangle){left, mean, right - left, 1, colour, 1, OC_COLOUR_NONE, OC_COLOUR_NONE}, NULL);
    scene->failed = scene->failed || tooltip.failed;
    oc_text_free(&tooltip);
}

void oc_gantt_draw_variable(oc_scene *scene, const oc_gantt *gantt, uint32_t row)
{
    for (uint64_t object = 0; object < gantt->drawn[row].is.objects; object++) {
        const ocelotl_drawn_object is = ocelotl_drawables_object(gantt->input->drawables, row, object);
        draw_step(scene, gantt, row, &is);
    }
}
