#include "viz/bars/bars.h"

#include "base/options.h"
#include "viz/frame/chart.h"

#include <math.h>
#include <string.h>

/* Distances in pixels. */
enum { ROW = 20, BASELINE = 14, BAR = 12, GAP = 8, AROUND = 120, HEIGHT_MOST = 20000 };

typedef struct drawing {
    oc_chart chart;
    const char *title;
    const oc_bar *bars;
    size_t count;
    double name_width, number_width, longest;
} drawing;

static ocelotl_status prepare(void *subject)
{
    drawing *at = subject;
    for (size_t i = 0; i < at->count; i++) {
        const oc_bar *bar = &at->bars[i];
        at->name_width = fmax(at->name_width, oc_lettering_width(bar->name, OC_SIZE_LABEL, false));
        at->number_width =
            fmax(at->number_width, oc_lettering_width(bar->shown, OC_SIZE_LABEL, false));
        at->longest = fmax(at->longest, bar->length);
    }
    at->name_width = ceil(fmin(at->chart.picture->width / 3, at->name_width));
    return OCELOTL_OK;
}

static size_t count_drawn(const drawing *at)
{
    const double room = floor((double)at->chart.frame.height / ROW);
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

static void draw_text(const drawing *at, double x, double y, double room, oc_anchor anchor,
                      const char *text, uint32_t colour)
{
    oc_label label = oc_label_at(x, y, anchor, colour);
    oc_text cut = {0};
    if (oc_lettering_fit(&cut, text, OC_SIZE_LABEL, false, room))
        oc_scene_label(at->chart.scene, &label, cut.bytes, cut.length < strlen(text) ? text : NULL);
    oc_scene_take(at->chart.scene, &cut);
}

static ocelotl_status draw_rows(void *subject)
{
    const drawing *at = subject;
    const oc_theme *theme = at->chart.picture->theme;
    const int margin = oc_picture_margin(at->chart.picture);
    const double left = margin + at->name_width + GAP;
    const double room = fmax(1, at->chart.picture->width - margin - left - at->number_width - GAP);
    const size_t drawn = count_drawn(at);
    oc_scene_group(at->chart.scene, "bars", &(oc_group_style){0}, NULL);
    for (size_t i = 0; i < drawn; i++) {
        const oc_bar *bar = &at->bars[i];
        const double y = at->chart.frame.top + ROW * (double)i;
        const double top = y + (ROW - BAR) / 2.0;
        const double width =
            fmax(1, floor(room * (at->longest > 0 ? bar->length / at->longest : 0)));
        oc_text tooltip = {0};
        oc_clean_add(&tooltip, bar->name, false);
        oc_text_add(&tooltip, "\n");
        oc_text_add(&tooltip, bar->shown);
        draw_text(at, left - GAP, y + BASELINE, at->name_width, OC_ANCHOR_END, bar->name,
                  theme->ink);
        oc_chart_box(&at->chart, left, top, left + width, top + BAR, at->chart.blue, &tooltip);
        draw_text(at, left + width + GAP, y + BASELINE, at->number_width + 1, OC_ANCHOR_START,
                  bar->shown, theme->muted);
    }
    oc_scene_group_end(at->chart.scene);
    return OCELOTL_OK;
}

static ocelotl_status lay_out(oc_scene *scene, const oc_picture *picture, const void *subject)
{
    static const oc_chart_kind kind = {prepare, write_caption, draw_rows};
    drawing at = *(const drawing *)subject;
    at.chart.scene = scene;
    at.chart.picture = picture;
    return oc_chart_lay_out(&at.chart, &kind, at.title);
}

ocelotl_status oc_bars_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                            const char *title, const oc_bar *bars, size_t count,
                            const ocelotl_picture_options *given)
{
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    const drawing at = {.title = title, .bars = bars, .count = count};
    OC_TRY(oc_read_options(&options, sizeof options, given));
    oc_picture_preset(&options.height, fmin(HEIGHT_MOST, fmax(320, AROUND + ROW * (double)count)));
    oc_picture_preset(&options.width, 800);
    return oc_picture_make(&(oc_target){sink, format}, &options, lay_out, &at);
}
