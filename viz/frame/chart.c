#include "viz/frame/chart.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static ocelotl_status lay_out(oc_chart *chart, const oc_chart_kind *kind)
{
    OC_TRY(oc_allocate(&chart->axis, 1, sizeof *chart->axis));
    oc_layout_caption(&chart->layout, &chart->caption, kind->write_caption);
    OC_TRY(kind->prepare(chart));
    const int rows = oc_legend_rows(&chart->legend, chart->picture);
    oc_layout_reserve(&chart->layout, OC_BELOW, oc_legend_height(rows));
    OC_TRY(oc_layout_solve(&chart->frame, &chart->layout, chart->picture, chart));
    oc_caption_draw(chart->scene, chart->picture, &chart->caption);
    OC_TRY(kind->draw(chart));
    oc_legend_draw(chart->scene, chart->picture, &chart->legend, rows);
    return oc_scene_status(chart->scene);
}

ocelotl_status oc_chart_lay_out(oc_chart *chart, const oc_chart_kind *kind, const char *title)
{
    enum { BLUE = 0x1B5FAA, ORANGE = 0xC05A00, CONTRAST = 6 };
    chart->blue = oc_colour_visible(BLUE, chart->picture->theme->paper, CONTRAST);
    chart->orange = oc_colour_visible(ORANGE, chart->picture->theme->paper, CONTRAST);
    oc_picture_begin(chart->scene, chart->picture, title);
    const ocelotl_status status = lay_out(chart, kind);
    oc_caption_free(&chart->caption);
    oc_legend_free(&chart->legend);
    free(chart->axis);
    return status;
}

void oc_chart_explain(oc_chart *chart, uint32_t colour, double opacity, const char *name)
{
    oc_rectangle look = oc_legend_swatch(colour);
    look.opacity = opacity;
    oc_legend_add(&chart->legend, OC_LEGEND_MARK, &look, name, NULL, false);
}

void oc_chart_tick(const oc_chart *chart, const oc_frame *frame, double y, const char *label)
{
    enum { TICK = 4, GAP = 3, DROP = 4 /* from the middle of a label to its baseline */ };
    const uint32_t muted = chart->picture->theme->muted;
    const double at = floor(y) + 0.5;
    const oc_label name =
        oc_label_at(frame->left - 1 - TICK - GAP, at + DROP, OC_ANCHOR_END, muted);
    oc_plot_rule(chart->scene, frame->left - 1 - TICK, at, frame->left - 1, at, muted);
    oc_scene_label(chart->scene, &name, label, NULL);
}

void oc_chart_box(const oc_chart *chart, double left, double top, double right, double bottom,
                  uint32_t colour, oc_text *tooltip)
{
    const oc_rectangle box = oc_rectangle_of(left, top, right - left, bottom - top, colour);
    if (tooltip != NULL)
        oc_scene_explained(chart->scene, &box, tooltip);
    else
        oc_scene_rectangle(chart->scene, &box, NULL);
}

void oc_chart_point(const oc_chart *chart, oc_point at, double size, uint32_t fill, uint32_t stroke,
                    oc_text *tooltip)
{
    oc_rectangle mark = oc_rectangle_of(at.x - size / 2, at.y - size / 2, size, size, fill);
    mark.stroke = stroke;
    if (tooltip != NULL)
        oc_scene_explained(chart->scene, &mark, tooltip);
    else
        oc_scene_rectangle(chart->scene, &mark, NULL);
}

void oc_chart_line(const oc_chart *chart, const oc_point *points, size_t count, uint32_t colour,
                   double width, const char *tooltip)
{
    const oc_path path = {.fill = OC_COLOUR_NONE, .opacity = 1, .stroke = colour, .width = width};
    oc_scene_path(chart->scene, &path, points, count, tooltip);
}
