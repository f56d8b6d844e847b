#include "viz/frame/chart.h"

#include "base/memory.h"
#include "base/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ocelotl_status lay_out(oc_chart *chart)
{
    OC_TRY(oc_allocate(&chart->axis, 1, sizeof *chart->axis));
    if (!chart->picture->bare)
        oc_layout_caption(&chart->layout, &chart->caption, chart->kind->write_caption);
    OC_TRY(chart->kind->prepare(chart));
    const int rows = oc_legend_rows(&chart->legend, chart->picture);
    oc_layout_reserve(&chart->layout, OC_BELOW, oc_legend_height(rows));
    OC_TRY(oc_layout_solve(&chart->frame, &chart->layout, chart->picture, chart));
    if (!chart->picture->bare)
        oc_caption_draw(chart->scene, chart->picture, &chart->caption);
    OC_TRY(chart->kind->draw(chart));
    oc_legend_draw(chart->scene, chart->picture, &chart->legend, rows);
    return oc_scene_status(chart->scene);
}

ocelotl_status oc_chart_lay_out(oc_chart *chart)
{
    enum { BLUE = 0x1B5FAA, ORANGE = 0xC05A00, CONTRAST = 6 };
    chart->blue = oc_colour_visible(BLUE, chart->picture->theme->paper, CONTRAST);
    chart->orange = oc_colour_visible(ORANGE, chart->picture->theme->paper, CONTRAST);
    oc_picture_begin(chart->scene, chart->picture, chart->title);
    const ocelotl_status status = lay_out(chart);
    oc_caption_free(&chart->caption);
    oc_legend_free(&chart->legend);
    free(chart->axis);
    return status;
}

static ocelotl_status lay_out_for(oc_scene *scene, const oc_picture *picture, const void *subject)
{
    oc_chart *chart = *(oc_chart *const *)subject;
    chart->scene = scene;
    chart->picture = picture;
    return oc_chart_lay_out(chart);
}

ocelotl_status oc_chart_draw(oc_chart *chart, const ocelotl_sink *sink,
                             ocelotl_picture_format format, const ocelotl_picture_options *given)
{
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    OC_TRY(oc_read_options(&options, sizeof options, given));
    oc_picture_preset(&options.width, chart->width);
    oc_picture_preset(&options.height, chart->height);
    return oc_picture_make(&(oc_target){sink, format}, &options, lay_out_for, &chart);
}

void oc_chart_explain(oc_chart *chart, uint32_t colour, double opacity, const char *name)
{
    oc_rectangle look = oc_legend_swatch(colour);
    look.opacity = opacity;
    oc_legend_add(&chart->legend, OC_LEGEND_MARK, look, name, NULL, false);
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

void oc_chart_text(const oc_chart *chart, const oc_label *label, const char *text, double room)
{
    oc_text cut = {0};
    if (oc_lettering_fit(&cut, text, label->size, label->bold, room))
        oc_scene_label(chart->scene, label, cut.bytes, cut.length < strlen(text) ? text : NULL);
    oc_scene_take(chart->scene, &cut);
}

void oc_chart_box(const oc_chart *chart, double left, double top, double right, double bottom,
                  uint32_t colour, oc_text *tooltip)
{
    const oc_rectangle box = oc_rectangle_of(left, top, right - left, bottom - top, colour);
    oc_scene_explained(chart->scene, &box, tooltip);
}

void oc_chart_point(const oc_chart *chart, oc_point at, double size, uint32_t fill, uint32_t stroke,
                    oc_text *tooltip)
{
    oc_rectangle mark = oc_rectangle_of(at.x - size / 2, at.y - size / 2, size, size, fill);
    mark.stroke = stroke;
    oc_scene_explained(chart->scene, &mark, tooltip);
}

void oc_chart_line(const oc_chart *chart, const oc_point *points, size_t count, uint32_t colour,
                   double width, const char *tooltip)
{
    const oc_path path = {.fill = OC_COLOUR_NONE, .opacity = 1, .stroke = colour, .width = width};
    oc_scene_path(chart->scene, &path, points, count, tooltip);
}

void oc_bar_widths_add(oc_bar_widths *widths, const char *name, const char *numbers)
{
    widths->name = fmax(widths->name, oc_lettering_width(name, OC_SIZE_LABEL, false));
    widths->numbers = fmax(widths->numbers, oc_lettering_width(numbers, OC_SIZE_LABEL, false));
}

void oc_chart_bar(const oc_chart *chart, const oc_bar_widths *widths, double y,
                  const oc_bar_row *bar, oc_text *tooltip)
{
    enum { BASELINE = 14, BAR = 12, GAP = 8 /* before a bar, and behind it */ };
    const oc_theme *theme = chart->picture->theme;
    const int margin = oc_picture_margin(chart->picture);
    const double left = margin + widths->name + GAP;
    const double room = chart->picture->width - margin - left - widths->numbers - GAP;
    const double width = fmax(1, floor(room * bar->share));
    const bool empty = bar->colour == OC_COLOUR_NONE;
    const double inset = empty ? 0.5 : 0;
    oc_rectangle box = oc_rectangle_of(left + inset, y + (OC_BAR_APART - BAR) / 2.0 + inset,
                                       fmax(1, width - 2 * inset), BAR - 2 * inset,
                                       empty ? theme->paper : bar->colour);
    box.stroke = empty ? theme->rule : OC_COLOUR_NONE;
    oc_label label = oc_label_at(left - GAP, y + BASELINE, OC_ANCHOR_END, theme->ink);
    oc_chart_text(chart, &label, bar->name, widths->name);
    oc_scene_explained(chart->scene, &box, tooltip);
    label = oc_label_at(left + width + GAP, y + BASELINE, OC_ANCHOR_START, theme->muted);
    oc_chart_text(chart, &label, bar->numbers, widths->numbers + 1);
}
