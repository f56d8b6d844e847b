/* What hierarchies lose over the number of parts. */

#include "aggregate/hierarchies.h"
#include "base/memory.h"
#include "base/plain.h"
#include "viz/frame/chart.h"
#include "viz/pictures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Distances in pixels. */
enum { DOT = 4, TICKS_APART = 40, HEAD = 4 };
static const double stroke = 2;

typedef struct drawing {
    oc_chart chart;
    const ocelotl_hierarchies *hierarchies;
    ocelotl_model_info model;
    oc_value_scale scale;
    double most; /* parts */
} drawing;

/* Everybody tells the first six apart (Okabe and Ito); of more the part's colours are taken. */
static uint32_t colour_of(const drawing *at, size_t index)
{
    static const uint32_t apart[] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9};
    const uint32_t paper = at->chart.picture->theme->paper;
    return index < sizeof apart / sizeof apart[0] ? oc_colour_visible(apart[index], paper, 2)
                                                  : oc_part_colour((uint32_t)(index * 8), paper);
}

static double share(const ocelotl_hierarchy *hierarchy, double loss)
{
    return hierarchy->whole_loss > 0 ? fmin(1, fmax(0, loss / hierarchy->whole_loss)) : 0;
}

/* --- Places */

static double position_of(const drawing *at, double parts)
{
    return at->most > 1 ? fmin(1, log10(fmax(1, parts)) / log10(at->most)) : 0;
}

static double x_of(const drawing *at, double parts)
{
    return at->chart.frame.left + position_of(at, parts) * at->chart.frame.width;
}

static double y_of(const drawing *at, double loss)
{
    return at->chart.frame.top + at->chart.frame.height -
           loss * 100 / at->scale.top * (at->chart.frame.height - HEAD);
}

/* --- What is around the plot */

static void write_caption(oc_caption *caption, const void *subject)
{
    const drawing *at = subject;
    oc_caption_add(caption,
                   "what hierarchies lose over the number of parts, as shares of the whole's");
    OC_CAPTION(caption, "ranked at {} parts", oc_word_whole(at->hierarchies->parts));
    OC_CAPTION(caption, "{}", oc_word_count(at->model.slice_count, "slice"));
    oc_caption_add_states(caption, &at->model);
}

static ocelotl_status measure_scale(int *size, void *subject)
{
    const drawing *at = subject;
    *size = oc_value_scale_width(&at->scale, at->chart.frame.height);
    return OCELOTL_OK;
}

/* Measures the axis: ticks at 1, 2 and 5 times powers of ten, as far as they fit. */
static ocelotl_status measure_axis(int *size, void *subject)
{
    static const double steps[] = {1, 2, 5};
    drawing *at = subject;
    oc_axis *axis = at->chart.axis;
    double last = -1;
    char label[32];
    axis->tick_count = 0;
    for (double power = 1; power <= at->most; power *= 10)
        for (size_t i = 0; i < 3 && steps[i] * power <= at->most; i++) {
            const double position = position_of(at, steps[i] * power);
            if (last >= 0 && (position - last) * at->chart.frame.width < TICKS_APART)
                continue;
            oc_plain_print(label, sizeof label, "%.0f", steps[i] * power);
            oc_axis_add(axis, last = position, label);
        }
    snprintf(axis->title, sizeof axis->title, "parts");
    *size = oc_plot_axis_height(axis);
    return OCELOTL_OK;
}

static ocelotl_status prepare(void *subject)
{
    drawing *at = subject;
    oc_scene *scene = at->chart.scene;
    const size_t ranked_at = at->hierarchies->parts;
    double highest = 0;
    oc_text name = {0};
    oc_picture_add_metadata(scene, at->chart.picture, at->model.name, at->model.uid);
    oc_scene_metadata(scene, "view", "hierarchies");
    oc_metadata_count(scene, "parts", ranked_at);
    at->most = (double)ranked_at;
    for (size_t i = 0; i < at->hierarchies->count; i++) {
        const ocelotl_hierarchy *hierarchy = &at->hierarchies->list[i];
        at->most = fmax(at->most, (double)hierarchy->points[hierarchy->count - 1].parts);
        highest = fmax(highest, share(hierarchy, hierarchy->points[0].loss));
        oc_text_clear(&name);
        OC_PHRASE(&name, "{}. {} {}", oc_word_whole(hierarchy->rank), oc_word_name(hierarchy->name),
                  oc_word_percent(share(hierarchy, hierarchy->ranked.loss)));
        oc_legend_add(&at->chart.legend, OC_LEGEND_TYPE, oc_legend_swatch(colour_of(at, i)),
                      name.failed ? "" : name.bytes, NULL, false);
        oc_metadata_text(scene, "hierarchy", hierarchy->name);
    }
    oc_scene_take(scene, &name);
    at->scale =
        (oc_value_scale){.top = oc_value_ceiling(highest * 100), .unit = "%", .title = "loss"};
    oc_layout_measure(&at->chart.layout, OC_LEFT, measure_scale);
    oc_layout_measure(&at->chart.layout, OC_BELOW, measure_axis);
    return OCELOTL_OK;
}

/* --- The curves */

/* A level holds until the next one has as few parts as are allowed. */
static ocelotl_status draw_curve(const drawing *at, size_t index)
{
    const ocelotl_hierarchy *hierarchy = &at->hierarchies->list[index];
    oc_point *points = NULL;
    oc_text tooltip = {0};
    OC_TRY(oc_allocate(&points, 2 * hierarchy->count + 1, sizeof *points));
    size_t count = 0;
    for (size_t i = 0; i < hierarchy->count; i++) {
        const ocelotl_hierarchy_point point = hierarchy->points[i];
        const double x = x_of(at, (double)point.parts);
        if (i > 0) {
            points[count] = (oc_point){x, points[count - 1].y};
            count++;
        }
        points[count++] = (oc_point){x, y_of(at, share(hierarchy, point.loss))};
    }
    points[count] = (oc_point){x_of(at, at->most), points[count - 1].y};
    oc_clean_add(&tooltip, hierarchy->name, false);
    oc_chart_line(&at->chart, points, count + 1, colour_of(at, index), stroke,
                  tooltip.failed ? NULL : tooltip.bytes);
    oc_scene_take(at->chart.scene, &tooltip);
    free(points);
    return OCELOTL_OK;
}

/* The best lies on top. */
static ocelotl_status draw(void *subject)
{
    drawing *at = subject;
    oc_scene *scene = at->chart.scene;
    const oc_frame *frame = &at->chart.frame;
    const double ranked = x_of(at, (double)at->hierarchies->parts);
    const double x = floor(ranked) + 0.5;
    oc_plot_draw_frame(scene, at->chart.picture, frame);
    oc_value_scale_draw(scene, at->chart.picture, frame, &at->scale);
    oc_plot_draw_axis(scene, at->chart.picture, frame, at->chart.axis);
    oc_plot_rule(scene, x, frame->top, x, frame->top + frame->height,
                 at->chart.picture->theme->muted);
    oc_scene_group(scene, "hierarchies", &(oc_group_style){0}, NULL);
    for (size_t i = at->hierarchies->count; i-- > 0;)
        OC_TRY(draw_curve(at, i));
    for (size_t i = at->hierarchies->count; i-- > 0;) {
        const ocelotl_hierarchy *hierarchy = &at->hierarchies->list[i];
        const oc_point point = {ranked, y_of(at, share(hierarchy, hierarchy->ranked.loss))};
        oc_text tooltip = {0};
        OC_PHRASE(&tooltip, "{}\n{} parts, loss {}", oc_word_name(hierarchy->name),
                  oc_word_whole(hierarchy->ranked.parts),
                  oc_word_percent(share(hierarchy, hierarchy->ranked.loss)));
        oc_chart_point(&at->chart, point, 2 * DOT, colour_of(at, i),
                       at->chart.picture->theme->paper, &tooltip);
    }
    oc_scene_group_end(scene);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_hierarchies_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                        const ocelotl_hierarchies *hierarchies,
                                        const ocelotl_model *model,
                                        const ocelotl_picture_options *options)
{
    static const oc_chart_kind kind = {prepare, write_caption, draw};
    drawing at = {.chart = {.kind = &kind},
                  .hierarchies = hierarchies,
                  .model = ocelotl_model_info_of(model)};
    at.chart.title = at.model.name;
    return oc_chart_draw(&at.chart, sink, format, options);
}
