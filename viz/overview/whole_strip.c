/* The whole trace as a strip above the plot of a window (thesis 7.2.1), as mode, with the window
 * marked. */
#include "viz/overview/overview.h"

#include "base/memory.h"
#include "viz/words/lettering.h"

#include <math.h>

/* Distances in pixels. */
enum {
    NAMES = 15, /* above the strip */
    NAMES_BASELINE = 10,
    STRIP = 16,
    CONNECTORS = 14, /* between the strip and the plot */
    WINDOW_LEAST = 3
};

static const char name[] = "whole trace";

static ocelotl_status check(const oc_overview *overview, const ocelotl_model_info *whole)
{
    if (overview->input->whole->partition.kind != OCELOTL_TEMPORAL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "the strip of the whole trace needs a temporal partition");
    if (!overview->model.has_time || !whole->has_time)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "a strip of the whole trace needs models with time, and a matrix has none");
    return OCELOTL_OK;
}

ocelotl_status oc_whole_strip_begin(oc_overview *overview)
{
    const oc_overview_input *input = overview->input->whole;
    if (input == NULL)
        return OCELOTL_OK;
    const ocelotl_model_info model = ocelotl_model_get_info(input->model);
    OC_TRY(check(overview, &model));
    OC_TRY(oc_allocate(&overview->whole, 1, sizeof *overview->whole));
    *overview->whole = (oc_overview){.input = input,
                                     .picture = overview->picture,
                                     .model = model,
                                     .visible = {0, model.row_count, 0, model.slice_count, 0},
                                     .strip = true};
    OC_TRY(oc_overview_find_modes(overview->whole));
    return oc_overview_find_rows(overview->whole);
}

int oc_whole_strip_height(const oc_overview_input *input)
{
    return input->whole != NULL ? NAMES + STRIP + CONNECTORS : 0;
}

/* Of the window, in pixels. */
typedef struct extent {
    int left, right;
} extent;

static extent find_window(const oc_overview *overview)
{
    const ocelotl_model_info *whole = &overview->whole->model;
    const oc_frame *frame = &overview->whole->frame;
    const double unit = frame->width / (whole->end - whole->begin);
    const double begin = fmin(fmax((overview->model.begin - whole->begin) * unit, 0), frame->width);
    const double end = fmin(fmax((overview->model.end - whole->begin) * unit, begin), frame->width);
    extent window = {frame->left + (int)floor(begin), frame->left + (int)ceil(end)};
    if (window.right < window.left + WINDOW_LEAST)
        window.right = window.left + WINDOW_LEAST;
    const int beyond = window.right - frame->left - frame->width;
    if (beyond > 0) {
        window.left -= beyond;
        window.right -= beyond;
    }
    return window;
}

static void draw_names(oc_scene *scene, const oc_overview *overview)
{
    const ocelotl_model_info *whole = &overview->whole->model;
    const oc_frame *frame = &overview->whole->frame;
    oc_label label = {frame->left,
                      frame->top - NAMES + NAMES_BASELINE,
                      OC_ANCHOR_START,
                      OC_SIZE_LABEL,
                      false,
                      overview->picture->theme->muted,
                      0};
    oc_text span = {0};
    oc_time_span_add(&span, whole->begin, whole->end, (whole->end - whole->begin) / 1000,
                     (oc_time_range){whole->begin, whole->end});
    const double width = oc_lettering_width(name, OC_SIZE_LABEL, false);
    oc_scene_label(scene, &label, name, NULL);
    scene->failed = scene->failed || span.failed;
    if (!span.failed &&
        width * 2 + oc_lettering_width(span.bytes, OC_SIZE_LABEL, false) < frame->width) {
        label.x = frame->left + frame->width;
        label.anchor = OC_ANCHOR_END;
        oc_scene_label(scene, &label, span.bytes, NULL);
    }
    oc_text_free(&span);
}

/* A line of the paper around it keeps it apart from any colour. */
static void draw_window(oc_scene *scene, const oc_overview *overview)
{
    const oc_frame *strip = &overview->whole->frame;
    const oc_frame *plot = &overview->frame;
    const oc_theme *theme = overview->picture->theme;
    const extent window = find_window(overview);
    const double top = strip->top - 0.5;
    const double bottom = strip->top + strip->height + 0.5;
    const double left = window.left + 0.5;
    const double right = window.right - 0.5;
    oc_scene_group(scene, "window", &(oc_group){.inert = true}, NULL);
    const oc_point around[] = {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
    oc_path frame = {
        .closed = true, .fill = OC_COLOUR_NONE, .opacity = 1, .stroke = theme->paper, .width = 4};
    oc_scene_path(scene, &frame, around, 4, NULL);
    frame.stroke = theme->accent;
    frame.width = 2;
    oc_scene_path(scene, &frame, around, 4, NULL);
    if (!overview->input->view->timeless) {
        oc_plot_rule(scene, left, bottom, plot->left, plot->top - 0.5, theme->accent);
        oc_plot_rule(scene, right, bottom, plot->left + plot->width, plot->top - 0.5,
                     theme->accent);
    }
    oc_scene_group_end(scene);
}

ocelotl_status oc_whole_strip_draw(oc_scene *scene, const oc_overview *overview)
{
    oc_overview *whole = overview->whole;
    if (whole == NULL)
        return OCELOTL_OK;
    whole->frame = overview->frame;
    whole->frame.top = overview->frame.top - CONNECTORS - STRIP;
    whole->frame.height = STRIP;
    oc_scene_group(scene, "whole", &(oc_group){0}, NULL);
    draw_names(scene, overview);
    oc_plot_draw_frame(scene, overview->picture, &whole->frame);
    OC_TRY(whole->input->view->draw(scene, whole));
    draw_window(scene, overview);
    oc_scene_group_end(scene);
    return OCELOTL_OK;
}
