/* Colours by what single states, events and links carry: a number, on a scale of two ends. */
#include "viz/gantt/gantt.h"

#include "base/format/json_scan.h"
#include "base/plain.h"
#include "viz/words/words.h"

#include <float.h>
#include <math.h>

enum { SHADES = 4 };

/* The smallest value is as strong as this; values that differ by more than the factor follow their
 * logarithms. */
static const double palest = 0.25;
static const double far_apart = 100;

static bool find_number(double *number, const char *attributes, const char *key)
{
    char *end = NULL;
    const char *value = oc_json_find(attributes, key);
    if (value == NULL)
        return false;
    *number = oc_plain_number(value, &end);
    return end != value && isfinite(*number);
}

static void widen(oc_gantt_scale *scale, const char *attributes)
{
    double number;
    if (!find_number(&number, attributes, scale->name))
        return;
    scale->low = fmin(scale->low, number);
    scale->high = fmax(scale->high, number);
}

ocelotl_status oc_gantt_find_scale(oc_gantt *gantt)
{
    oc_gantt_scale *scale = &gantt->scale;
    *scale = (oc_gantt_scale){gantt->picture->colour_by, INFINITY, -INFINITY};
    if (scale->name == NULL)
        return OCELOTL_OK;
    for (uint32_t row = 0; row < gantt->drawn_count; row++)
        for (uint64_t i = 0; i < gantt->drawn[row].is.objects; i++)
            widen(scale, oc_gantt_object_at(gantt, row, i).attributes);
    for (uint32_t i = 0; i < ocelotl_drawables_link_count(gantt->drawables); i++)
        widen(scale, ocelotl_drawables_link_at(gantt->drawables, i).attributes);
    return scale->low <= scale->high
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "nothing that is drawn apart carries a number \"%.100s\" here, expected "
                         "one that tooltips name",
                         scale->name);
}

static bool is_logarithmic(const oc_gantt_scale *scale)
{
    return scale->low > 0 && scale->high / scale->low > far_apart;
}

static uint32_t shade(const oc_gantt *gantt, double number)
{
    const oc_gantt_scale *scale = &gantt->scale;
    const oc_theme *theme = gantt->picture->theme;
    double share = 1;
    if (scale->high > scale->low)
        share = is_logarithmic(scale) ? log(number / scale->low) / log(scale->high / scale->low)
                                      : (number - scale->low) / (scale->high - scale->low);
    return oc_colour_mix(theme->paper, theme->accent, palest + (1 - palest) * share);
}

uint32_t oc_gantt_colour_carried(const oc_gantt *gantt, uint32_t colour, const char *attributes)
{
    double number;
    if (gantt->scale.name == NULL)
        return colour;
    return find_number(&number, attributes, gantt->scale.name) ? shade(gantt, number)
                                                               : gantt->picture->theme->node;
}

void oc_gantt_explain_carried(oc_legend *legend, const oc_gantt *gantt)
{
    const oc_gantt_scale *scale = &gantt->scale;
    oc_text text = {0};
    for (int i = 0; i < SHADES && scale->name != NULL; i++) {
        const double way = (double)i / (SHADES - 1);
        const double number = is_logarithmic(scale)
                                  ? scale->low * pow(scale->high / scale->low, way)
                                  : scale->low + way * (scale->high - scale->low);
        oc_text_clear(&text);
        OC_PHRASE(&text, "{} {}", oc_word_text(scale->name), oc_word_amount(number, ""));
        if (!text.failed)
            oc_legend_add(legend, OC_LEGEND_TYPE, oc_legend_swatch(shade(gantt, number)),
                          text.bytes, NULL, false);
        if (!(scale->high > scale->low))
            break;
    }
    if (scale->name != NULL)
        oc_legend_add(legend, OC_LEGEND_MARK, oc_legend_swatch(gantt->picture->theme->node),
                      "without it, or several", NULL, false);
    oc_legend_take(legend, &text);
}
