#include "viz/curves/curves.h"

#include "base/memory.h"
#include "viz/colour/colour.h"
#include "viz/words/lettering.h"

#include <math.h>
#include <stdlib.h>

/* Distances in pixels. */
enum { ABOVE = 6, BELOW = 14, ASIDE = 4, EDGE = 3 };

/* Times its name, a step is so long that more makes no difference. */
enum { LONG = 3 };

static const double stroke = 2;

/* Blue and orange of Okabe and Ito's colours for everybody, as far from the paper as names in them
 * need. */
oc_curves_colours oc_curves_colours_on(const oc_theme *theme)
{
    return (oc_curves_colours){oc_colour_visible(0x0072B2, theme->paper, 4.5),
                               oc_colour_visible(0xE69F00, theme->paper, 4.5)};
}

/* A quantity of a level, as a pixel. */
typedef double (*height)(const oc_curves *curves, const ocelotl_level *level);

static double gain_of(const oc_curves *curves, const ocelotl_level *level)
{
    return oc_curves_y(curves, oc_curves_gain(curves->input, level));
}

static double loss_of(const oc_curves *curves, const ocelotl_level *level)
{
    return oc_curves_y(curves, oc_curves_loss(curves->input, level));
}

static double parts_of(const oc_curves *curves, const ocelotl_level *level)
{
    return oc_curves_parts_y(curves, (double)level->parts);
}

static void draw_curve(oc_scene *scene, const oc_curves *curves, height of, uint32_t colour,
                       oc_point *points)
{
    const size_t count = curves->input->info.count;
    for (size_t i = 0; i < count; i++) {
        const ocelotl_level *level = &curves->input->levels[i];
        const double y = of(curves, level);
        points[2 * i] = (oc_point){oc_curves_x(curves, level->p_from), y};
        points[2 * i + 1] = (oc_point){oc_curves_x(curves, level->p_to), y};
    }
    const oc_path path = {.fill = OC_COLOUR_NONE, .opacity = 1, .stroke = colour, .width = stroke};
    oc_scene_path(scene, &path, points, 2 * count, NULL);
}

/* Whether the line of what is marked goes through a label. */
static bool is_crossed(const oc_curves *curves, double from, double to)
{
    const double p = curves->input->p;
    const double marked[] = {isnan(p) ? -1 : oc_curves_x(curves, p),
                             curves->automatic != NULL ? oc_curves_x(curves, curves->automatic->p)
                                                       : -1};
    for (size_t i = 0; i < sizeof marked / sizeof marked[0]; i++)
        if (marked[i] > from - EDGE && marked[i] < to + EDGE)
            return true;
    return false;
}

/* A curve that rises has room at the left above each of its steps, and at the right below; one that
 * falls, at the right above. Loss never exceeds gain, so that neither name meets the other curve.
 */
typedef struct name_place {
    const char *name;
    height of;
    oc_anchor anchor; /* END: at the end of a step, START: at its beginning */
    bool below;
    uint32_t colour;
    const oc_frame *frame;
} name_place;

/* How good a place beside a step is: it is long, it is far from the other curve, and no mark goes
 * through. */
static double judge(const oc_curves *curves, const name_place *at, const ocelotl_level *level,
                    oc_label *label)
{
    const oc_frame *frame = at->frame;
    const double width = oc_lettering_width(at->name, OC_SIZE_CAPTION, true);
    const double from = oc_curves_x(curves, level->p_from);
    const double to = oc_curves_x(curves, level->p_to);
    const double y = at->of(curves, level) + (at->below ? BELOW : -ABOVE);
    const double x = at->anchor == OC_ANCHOR_END ? to - ASIDE : from + ASIDE;
    const double begin = at->anchor == OC_ANCHOR_END ? x - width : x;
    *label = (oc_label){x, y, at->anchor, OC_SIZE_CAPTION, true, at->colour, 0};
    if (begin < frame->left + EDGE || begin + width > frame->left + frame->width - EDGE ||
        y - OC_SIZE_CAPTION < frame->top || y + EDGE > frame->top + frame->height)
        return -1;
    const double apart = fabs(gain_of(curves, level) - loss_of(curves, level)) / frame->height;
    const double crossed = is_crossed(curves, begin, begin + width) ? 0.1 : 1;
    return crossed * (fmin((to - from) / (LONG * width), 1) + apart);
}

/* Where there is room nowhere, the name stands at that end of the plot over which curves are low.
 */
static void draw_name(oc_scene *scene, const oc_curves *curves, const name_place *at)
{
    double best = -1;
    oc_label label = {at->frame->left + ASIDE,
                      at->frame->top + at->frame->height - ABOVE,
                      OC_ANCHOR_START,
                      OC_SIZE_CAPTION,
                      true,
                      at->colour,
                      0};
    if (at->anchor == OC_ANCHOR_END) {
        label.x = at->frame->left + at->frame->width - ASIDE;
        label.anchor = OC_ANCHOR_END;
    }
    for (size_t i = 0; i < curves->input->info.count; i++) {
        oc_label found;
        const double quality = judge(curves, at, &curves->input->levels[i], &found);
        if (quality > best) {
            best = quality;
            label = found;
        }
    }
    oc_scene_label(scene, &label, at->name, NULL);
}

ocelotl_status oc_curves_draw_steps(oc_scene *scene, const oc_curves *curves)
{
    const oc_theme *theme = curves->picture->theme;
    const oc_curves_colours colours = oc_curves_colours_on(theme);
    const name_place places[] = {
        {"loss", loss_of, OC_ANCHOR_START, true, colours.loss, &curves->shares},
        {"gain", gain_of, OC_ANCHOR_END, false, colours.gain, &curves->shares},
        {"parts", parts_of, OC_ANCHOR_START, false, theme->ink, &curves->parts},
    };
    oc_point *points = NULL;
    OC_TRY(oc_allocate(&points, 2 * curves->input->info.count, sizeof *points));
    oc_scene_group(scene, "curves", &(oc_group){.inert = true}, NULL);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        draw_curve(scene, curves, places[i].of, places[i].colour, points);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        draw_name(scene, curves, &places[i]);
    oc_scene_group_end(scene);
    free(points);
    return OCELOTL_OK;
}
