/* Events as marks: a line with a head; several that are merged have a wider head. */
#include "viz/gantt/gantt.h"

#include "viz/words/lettering.h"

#include <math.h>

static void describe(oc_text *tooltip, const oc_gantt *gantt, uint32_t row, uint64_t object,
                     const ocelotl_drawn_object *is)
{
    const oc_gantt_row *drawn = &gantt->drawn[row];
    if (is->count > 1) {
        oc_count_add(tooltip, is->count);
        oc_text_add(tooltip, " events");
    } else {
        oc_gantt_add_value(tooltip, gantt, is->value, drawn->is.event_type);
    }
    oc_text_format(tooltip, "\n%s\n", drawn->is.path);
    oc_gantt_add_span(tooltip, gantt, is->begin, is->end);
    for (uint32_t i = 0; i < is->shares && is->count > 1; i++) {
        const ocelotl_drawn_share share =
            ocelotl_drawables_share(gantt->input->drawables, row, object, i);
        oc_text_add(tooltip, "\n");
        oc_gantt_add_value(tooltip, gantt, share.value, drawn->is.event_type);
        oc_text_add(tooltip, " ");
        oc_count_add(tooltip, share.count);
    }
}

static void draw_mark(oc_scene *scene, const oc_gantt *gantt, uint32_t row, uint64_t object)
{
    const ocelotl_drawn_object is = ocelotl_drawables_object(gantt->input->drawables, row, object);
    const oc_gantt_band band = oc_gantt_band_of(gantt, row);
    const double x = floor((oc_gantt_x(gantt, is.begin) + oc_gantt_x(gantt, is.end)) / 2);
    const double head = is.count > 1 ? 5 : 3;
    const double height = fmax(1, floor(band.height) - 1);
    oc_rectangle mark = {.x = x,
                         .y = floor(band.top),
                         .width = 1,
                         .height = height,
                         .fill = is.value != OCELOTL_NONE
                                     ? gantt->colours[is.value]
                                     : gantt->type_colours[gantt->drawn[row].is.event_type],
                         .opacity = 1,
                         .stroke = OC_COLOUR_NONE,
                         .hatch = OC_COLOUR_NONE};
    oc_text tooltip = {0};
    describe(&tooltip, gantt, row, object, &is);
    oc_scene_rectangle(scene, &mark, tooltip.bytes);
    mark.x = fmin(fmax(x - (head - 1) / 2, gantt->frame.left),
                  gantt->frame.left + gantt->frame.width - head);
    mark.width = head;
    mark.height = fmin(height, 4);
    oc_scene_rectangle(scene, &mark, tooltip.bytes);
    scene->failed = scene->failed || tooltip.failed;
    oc_text_free(&tooltip);
}

void oc_gantt_draw_marks(oc_scene *scene, const oc_gantt *gantt, uint32_t row)
{
    for (uint64_t object = 0; object < gantt->drawn[row].is.objects; object++)
        draw_mark(scene, gantt, row, object);
}
