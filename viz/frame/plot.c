#include "viz/frame/plot.h"

#include <math.h>

/* Distances in pixels. */
enum {
    TICK = 5,
    TICK_LABEL = 13, /* from a tick's end to the baseline of its label */
    HEIGHT = 22,     /* ticks and their labels */
    TITLE = 15,
    TITLE_BASELINE = 11
};

int oc_plot_axis_height(const oc_axis *axis)
{
    return axis->title[0] != '\0' ? HEIGHT + TITLE : HEIGHT;
}

void oc_plot_rule(oc_scene *scene, double x1, double y1, double x2, double y2, uint32_t colour)
{
    oc_scene_line(scene, &(oc_line){x1, y1, x2, y2, colour, 1});
}

void oc_plot_draw_axis(oc_scene *scene, const oc_picture *picture, const oc_frame *frame,
                       const oc_axis *axis)
{
    const uint32_t muted = picture->theme->muted;
    const int bottom = frame->top + frame->height;
    oc_label label = {0, bottom + TICK + TICK_LABEL, OC_ANCHOR_MIDDLE, OC_SIZE_LABEL, false, muted,
                      0};
    oc_scene_group(scene, "axis", &(oc_group){.inert = true}, NULL);
    oc_plot_rule(scene, frame->left, bottom + 0.5, frame->left + frame->width, bottom + 0.5,
                 picture->theme->rule);
    for (uint32_t i = 0; i < axis->tick_count; i++) {
        const oc_tick *tick = &axis->ticks[i];
        const double x = fmin(floor(frame->left + tick->position * frame->width),
                              frame->left + frame->width - 1);
        oc_plot_rule(scene, x + 0.5, bottom + 1, x + 0.5, bottom + 1 + TICK, muted);
        label.x = x + 0.5;
        oc_scene_label(scene, &label, tick->label, NULL);
    }
    label.x = frame->left + floor(frame->width / 2.0);
    label.y = bottom + HEIGHT + TITLE_BASELINE;
    oc_scene_label(scene, &label, axis->title, NULL);
    oc_scene_group_end(scene);
}

void oc_plot_draw_frame(oc_scene *scene, const oc_picture *picture, const oc_frame *frame)
{
    const oc_rectangle edge = {.x = frame->left - 0.5,
                               .y = frame->top - 0.5,
                               .width = frame->width + 1,
                               .height = frame->height + 1,
                               .fill = picture->theme->paper,
                               .opacity = 1,
                               .stroke = picture->theme->rule,
                               .hatch = OC_COLOUR_NONE};
    oc_scene_rectangle(scene, &edge, NULL);
}
