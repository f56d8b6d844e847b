#include "viz/bars/bars.h"

#include "viz/frame/chart.h"

#include <math.h>

typedef struct drawing {
    oc_chart chart;
    const oc_bar *bars;
    size_t count;
    oc_bar_widths widths;
    double longest;
} drawing;

static ocelotl_status prepare(void *subject)
{
    drawing *at = subject;
    oc_picture_add_metadata(at->chart.scene, at->chart.picture, NULL, NULL);
    for (size_t i = 0; i < at->count; i++) {
        oc_bar_widths_add(&at->widths, at->bars[i].name, at->bars[i].shown);
        at->longest = fmax(at->longest, at->bars[i].length);
    }
    at->widths.name = ceil(fmin(at->chart.picture->width / 3, at->widths.name));
    return OCELOTL_OK;
}

static size_t count_drawn(const drawing *at)
{
    const double room = floor((double)at->chart.frame.height / OC_BAR_APART);
    return room < (double)at->count ? (size_t)fmax(0, room) : at->count;
}

static void write_caption(oc_caption *caption, const void *subject)
{
    const drawing *at = subject;
    const size_t drawn = count_drawn(at);
    OC_CAPTION(caption, "{}", oc_word_count(at->count, "row"));
    if (drawn < at->count)
        OC_CAPTION(caption, "{} have no room", oc_word_count(at->count - drawn, NULL));
    oc_caption_add_shown(caption, at->chart.picture);
}

static ocelotl_status draw_rows(void *subject)
{
    const drawing *at = subject;
    const size_t drawn = count_drawn(at);
    oc_scene_group(at->chart.scene, "bars", &(oc_group_style){0}, NULL);
    for (size_t i = 0; i < drawn; i++) {
        const oc_bar *bar = &at->bars[i];
        const oc_bar_row row = {bar->name, bar->shown,
                                at->longest > 0 ? bar->length / at->longest : 0, at->chart.blue};
        oc_text tooltip = {0};
        OC_PHRASE(&tooltip, "{}\n{}", oc_word_name(bar->name), oc_word_text(bar->shown));
        oc_chart_bar(&at->chart, &at->widths, at->chart.frame.top + OC_BAR_APART * (double)i, &row,
                     &tooltip);
    }
    oc_scene_group_end(at->chart.scene);
    return OCELOTL_OK;
}

ocelotl_status oc_bars_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                            const char *title, const oc_bar *bars, size_t count,
                            const ocelotl_picture_options *options)
{
    enum { AROUND = 120, HEIGHT_LEAST = 320, HEIGHT_MOST = 20000 };
    static const oc_chart_kind kind = {prepare, write_caption, draw_rows};
    const double height = AROUND + OC_BAR_APART * (double)count;
    drawing at = {.chart = {.kind = &kind,
                            .title = title,
                            .width = 800,
                            .height = fmin(HEIGHT_MOST, fmax(HEIGHT_LEAST, height))},
                  .bars = bars,
                  .count = count};
    return oc_chart_draw(&at.chart, sink, format, options);
}
