/* The histogram of one type (thesis 5.6.1): a column a part, as high as the type's share. */
#include "viz/overview/views/histogram.h"

#include "viz/words/lettering.h"

#include <math.h>

static double value_of(const oc_overview *overview, size_t part)
{
    return overview->type != OCELOTL_NONE ? overview->input->parts[part].shares[overview->type] : 0;
}

static oc_histogram columns(const oc_overview *overview)
{
    double largest = 0;
    for (size_t i = 0; i < overview->input->partition.part_count; i++)
        largest = fmax(largest, value_of(overview, i));
    return oc_histogram_of(overview, largest, false);
}

/* Untraced time has the colour of the paper elsewhere. */
static oc_rectangle look_of(const oc_overview *overview)
{
    const oc_type_summary *summary = &overview->types[overview->type];
    return oc_legend_swatch(summary->type.untraced ? overview->picture->theme->muted
                                                   : summary->colour);
}

static void draw_column(oc_scene *scene, const oc_histogram *histogram, size_t part,
                        oc_text *tooltip)
{
    const oc_overview *overview = histogram->overview;
    oc_histogram_draw_paper(scene, histogram, part, tooltip);
    oc_histogram_draw_outside(scene, histogram, part, tooltip);
    if (overview->type == OCELOTL_NONE)
        return;
    const oc_rectangle look = look_of(overview);
    const double value = value_of(overview, part);
    oc_text_clear(tooltip);
    oc_histogram_describe(tooltip, overview, part, overview->types[overview->type].type.name,
                          value);
    oc_histogram_draw_block(scene, histogram, part, 0, value, &look, tooltip->bytes);
}

static ocelotl_status draw(oc_scene *scene, const oc_overview *overview)
{
    const oc_histogram histogram = columns(overview);
    return oc_histogram_draw(scene, &histogram, draw_column, NULL);
}

static int left(const oc_overview *overview)
{
    const oc_histogram histogram = columns(overview);
    return oc_histogram_left(&histogram);
}

static int right(const oc_overview *overview)
{
    const oc_histogram histogram = columns(overview);
    return oc_histogram_right(&histogram);
}

static void explain(oc_legend *legend, const oc_overview *overview)
{
    oc_text tooltip = {0};
    if (overview->type != OCELOTL_NONE) {
        const oc_type_summary *summary = &overview->types[overview->type];
        const oc_rectangle look = look_of(overview);
        oc_clean_add(&tooltip, summary->type.name, false);
        oc_text_add(&tooltip, ": ");
        oc_percent_add(&tooltip, summary->share);
        oc_text_add(&tooltip, " of the whole");
        oc_legend_add(legend, OC_LEGEND_TYPE, &look, summary->type.name, tooltip.bytes, false);
    }
    legend->failed = legend->failed || tooltip.failed;
    oc_text_free(&tooltip);
    oc_histogram_explain_outside(legend, overview);
    oc_merged_parts_write_legend(legend, overview);
}

const oc_view oc_view_histogram = {
    .is = {"histogram", "the share of one type in each part", OCELOTL_TEMPORAL},
    .draw = draw,
    .describe = oc_merged_parts_write_caption,
    .explain = explain,
    .left = left,
    .right = right};
