#include "viz/frame/value_scale.h"

#include "viz/frame/plot.h"
#include "viz/words/lettering.h"

#include <math.h>

/* Distances in pixels. */
enum {
    TICK = 4,
    LABEL_GAP = 3, /* between a tick and its label */
    TITLE = 16,
    TICKS_APART = 40, /* at least */
    TICKS_MOST = 8,
    BASELINE = 4 /* below a tick */
};

/* The least of 1, 2 or 5 times a power of ten that is not below a number > 0. */
static double nice_step(double least)
{
    const double power = pow(10, floor(log10(least)));
    const double slack = 1 - 1e-9;
    const double mantissa = least / power * slack;
    return power * (mantissa <= 1 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10);
}

double oc_value_ceiling(double largest)
{
    const double steps = 5;
    if (!(largest > 1e-280) || !(largest < 1e280))
        return 1;
    const double step = nice_step(largest / steps);
    return step * ceil(largest / step * (1 - 1e-9));
}

/* The value between two ticks. */
static double step_of(const oc_value_scale *scale, int height)
{
    const double ticks = fmax(1, fmin(TICKS_MOST, floor((double)height / TICKS_APART)));
    const double step = nice_step(scale->top / ticks);
    return scale->counts && step < 1 ? 1 : step;
}

/* How many ticks there are above 0. */
static int count_ticks(const oc_value_scale *scale, double step)
{
    return (int)floor(scale->top / step * (1 + 1e-9));
}

static void write_label(oc_text *label, const oc_value_scale *scale, double value)
{
    oc_text_clear(label);
    oc_number_add(label, value, 6);
    oc_text_format(label, "%s%s", scale->unit[0] != '\0' ? " " : "", scale->unit);
}

int oc_value_scale_width(const oc_value_scale *scale, int height)
{
    const double step = step_of(scale, height);
    double widest = 0;
    oc_text label = {0};
    for (int i = 0; i <= count_ticks(scale, step); i++) {
        write_label(&label, scale, i * step);
        if (!label.failed)
            widest = fmax(widest, oc_lettering_width(label.bytes, OC_SIZE_LABEL, false));
    }
    oc_text_free(&label);
    return TICK + LABEL_GAP + (int)ceil(widest) + (scale->title[0] != '\0' ? TITLE : 0);
}

/* Where there is no room beside the labels the title stays away. */
static void draw_title(oc_scene *scene, const oc_picture *picture, const oc_frame *frame,
                       const oc_value_scale *scale, int width)
{
    const double letters = 9;
    const double x =
        scale->right ? frame->left + frame->width + width : frame->left - width + letters;
    const oc_label label = {x,
                            frame->top + floor(frame->height / 2.0),
                            OC_ANCHOR_MIDDLE,
                            OC_SIZE_LABEL,
                            false,
                            picture->theme->muted,
                            -90};
    if (oc_lettering_width(scale->title, OC_SIZE_LABEL, false) <= frame->height)
        oc_scene_label(scene, &label, scale->title, NULL);
}

void oc_value_scale_draw(oc_scene *scene, const oc_picture *picture, const oc_frame *frame,
                         const oc_value_scale *scale)
{
    const double step = step_of(scale, frame->height);
    const double edge = scale->right ? frame->left + frame->width : frame->left;
    const double outwards = scale->right ? 1 : -1;
    oc_text text = {0};
    oc_label label = {.x = edge + outwards * (TICK + LABEL_GAP),
                      .anchor = scale->right ? OC_ANCHOR_START : OC_ANCHOR_END,
                      .size = OC_SIZE_LABEL,
                      .colour = picture->theme->muted};
    oc_scene_group(scene, "scale", &(oc_group){.inert = true}, NULL);
    for (int i = 0; i <= count_ticks(scale, step); i++) {
        const double y = floor(frame->top + frame->height * (1 - i * step / scale->top)) -
                         (i == 0 ? 1 : 0) + 0.5;
        oc_plot_rule(scene, edge, y, edge + outwards * TICK, y, picture->theme->muted);
        write_label(&text, scale, i * step);
        label.y = floor(y) + BASELINE;
        if (!text.failed)
            oc_scene_label(scene, &label, text.bytes, NULL);
    }
    draw_title(scene, picture, frame, scale, oc_value_scale_width(scale, frame->height));
    oc_scene_group_end(scene);
    scene->failed = scene->failed || text.failed;
    oc_text_free(&text);
}
