#include "viz/curves/curves.h"

#include "base/memory.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>

/* --- Places */

enum { ABOVE_WHOLE = 10 /* pixels from the line of 100 % to the top of the plot */ };

static double x_at(const oc_curves *curves, double p)
{
    return curves->shares.left + p * curves->shares.width;
}

double oc_curves_y(const oc_curves *curves, double share)
{
    const oc_frame *frame = &curves->shares;
    return frame->top + frame->height - 1 - share * (frame->height - 1 - ABOVE_WHOLE);
}

/* Logarithmic, from one part at the bottom to the most at the top. */
double oc_curves_parts_y(const oc_curves *curves, double parts)
{
    const oc_frame *frame = &curves->parts;
    const double most = curves->most_parts;
    const double share = most > 1 ? log10(fmax(1, parts)) / log10(most) : 0;
    return frame->top + frame->height - 3 - share * (frame->height - 6);
}

const ocelotl_level *oc_curves_level_at(const oc_curves_input *input, double p)
{
    size_t low = 0;
    size_t high = input->info.count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (input->levels[middle].p_from <= p)
            low = middle;
        else
            high = middle;
    }
    return &input->levels[low];
}

static double share(const oc_curves_input *input, double part, double whole)
{
    const double taken = whole > 0 ? fmin(1, fmax(0, part / whole)) : 0;
    return input->falling ? 1 - taken : taken;
}

double oc_curves_gain(const oc_curves_input *input, const ocelotl_level *level)
{
    return share(input, level->gain, input->whole_gain);
}

double oc_curves_loss(const oc_curves_input *input, const ocelotl_level *level)
{
    return share(input, level->loss, input->whole_loss);
}

const char *oc_curves_gain_name(const oc_curves_input *input)
{
    return input->falling ? "complexity left" : "gain";
}

const char *oc_curves_loss_name(const oc_curves_input *input)
{
    return input->falling ? "information left" : "loss";
}

/* --- What is drawn */

/* Distances in pixels. */
enum { ABOVE = 6, BELOW = 14, ASIDE = 4, EDGE = 3 };

/* A step this many times as long as its name is long enough. */
enum { LONG = 3 };

static const double stroke = 2;

/* Blue and orange of Okabe and Ito's colours, with enough contrast on the paper for names in them.
 */
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

/* Whether the line of what is marked goes through a label. */
static bool is_crossed(const oc_curves *curves, double from, double to)
{
    const double p = curves->input->p;
    const double marked[] = {isnan(p) ? -1 : x_at(curves, p),
                             curves->automatic != NULL ? x_at(curves, curves->automatic->p) : -1};
    for (size_t i = 0; i < sizeof marked / sizeof marked[0]; i++)
        if (marked[i] > from - EDGE && marked[i] < to + EDGE)
            return true;
    return false;
}

/* A rising curve has room at the left above each of its steps, and at the right below; a falling
 * one has room at the right above, and at the left below. Loss never exceeds gain, so neither name
 * meets the other curve. */
typedef struct name_place {
    const char *name;
    height of;
    oc_anchor anchor; /* END: at the end of a step, START: at its beginning */
    bool below;
    uint32_t colour;
    const oc_frame *frame;
} name_place;

/* Rates a place beside a step: it is good if it is long, far from the other curve, and crossed by
 * no mark. */
static double judge(const oc_curves *curves, const name_place *at, const ocelotl_level *level,
                    oc_label *label)
{
    const oc_frame *frame = at->frame;
    const double width = oc_lettering_width(at->name, OC_SIZE_CAPTION, true);
    const double from = x_at(curves, level->p_from);
    const double to = x_at(curves, level->p_to);
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

/* Draws a name; without room elsewhere at the end of the plot, where the curves are low. */
static void draw_name(oc_scene *scene, const oc_curves *curves, const name_place *at)
{
    double best = -1;
    const bool ends = at->anchor == OC_ANCHOR_END;
    oc_label label = {ends ? at->frame->left + at->frame->width - ASIDE : at->frame->left + ASIDE,
                      at->frame->top + at->frame->height - ABOVE,
                      at->anchor,
                      OC_SIZE_CAPTION,
                      true,
                      at->colour,
                      0};
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
    const bool falling = curves->input->falling;
    const name_place places[] = {
        {oc_curves_loss_name(curves->input), loss_of, OC_ANCHOR_START, !falling, colours.loss,
         &curves->shares},
        {oc_curves_gain_name(curves->input), gain_of, OC_ANCHOR_END, falling, colours.gain,
         &curves->shares},
        {"parts", parts_of, OC_ANCHOR_START, false, theme->ink, &curves->parts},
    };
    oc_point *points = NULL;
    OC_TRY(oc_allocate(&points, 2 * curves->input->info.count, sizeof *points));
    oc_scene_group(scene, "curves", &(oc_group_style){.inert = true}, NULL);
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        const size_t count = curves->input->info.count;
        const oc_path path = {
            .fill = OC_COLOUR_NONE, .opacity = 1, .stroke = places[k].colour, .width = stroke};
        for (size_t i = 0; i < count; i++) {
            const ocelotl_level *level = &curves->input->levels[i];
            const double y = places[k].of(curves, level);
            points[2 * i] = (oc_point){x_at(curves, level->p_from), y};
            points[2 * i + 1] = (oc_point){x_at(curves, level->p_to), y};
        }
        oc_scene_path(scene, &path, points, 2 * count, NULL);
    }
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        draw_name(scene, curves, &places[i]);
    oc_scene_group_end(scene);
    free(points);
    return OCELOTL_OK;
}

/* --- What lies behind and over the curves: plateaus, what is marked, tooltips */

/* Distances in pixels. */
enum { BASELINE = 12, MARK_GAP = 4, MARK_BASELINE = 4, DOT = 3 };

static oc_rectangle box(double left, double top, double right, double bottom, uint32_t fill)
{
    return oc_rectangle_of(left, top, right - left, bottom - top, fill);
}

static void write_plateau(oc_text *text, const ocelotl_level *level)
{
    oc_text_format(text, "plateau %zu, p ", level->plateau);
    oc_number_add(text, level->plateau_from, 6);
    oc_text_add(text, " \xE2\x80\x93 ");
    oc_number_add(text, level->plateau_to, 6);
}

static void draw_plateau(oc_scene *scene, const oc_curves *curves, const ocelotl_level *level,
                         oc_text *text)
{
    const oc_theme *theme = curves->picture->theme;
    const double left = round(x_at(curves, level->plateau_from));
    const double right = round(x_at(curves, level->plateau_to));
    const double bottom = curves->plateaus + curves->row;
    const oc_label label = oc_label_at(floor((left + right) / 2), curves->plateaus + BASELINE,
                                       OC_ANCHOR_MIDDLE, theme->ink);
    if (right - left < 1)
        return;
    oc_text_clear(text);
    write_plateau(text, level);
    oc_rectangle band = box(left, curves->plateaus, right, bottom,
                            level->plateau % 2 == 0 ? theme->border : theme->node);
    oc_scene_rectangle(scene, &band, text->bytes);
    if (level->plateau % 2 == 0) {
        band = box(left, curves->shares.top, right, curves->shares.top + curves->shares.height,
                   theme->node);
        oc_scene_rectangle(scene, &band, NULL);
        band = box(left, curves->parts.top, right, curves->parts.top + curves->parts.height,
                   theme->node);
        oc_scene_rectangle(scene, &band, NULL);
    }
    oc_text_clear(text);
    oc_text_format(text, "%zu", level->plateau);
    if (!text->failed && oc_lettering_width(text->bytes, OC_SIZE_LABEL, false) + 2 <= right - left)
        oc_scene_label(scene, &label, text->bytes, NULL);
}

void oc_curves_draw_plateaus(oc_scene *scene, const oc_curves *curves)
{
    oc_text text = {0};
    oc_scene_group(scene, "plateaus", &(oc_group_style){.crisp = true}, NULL);
    for (size_t i = 0; i < curves->input->info.count; i++)
        if (curves->input->levels[i].plateau > 0)
            draw_plateau(scene, curves, &curves->input->levels[i], &text);
    oc_scene_group_end(scene);
    oc_scene_take(scene, &text);
}

/* A p with its name. */
typedef struct mark {
    double x;
    const char *name;
    uint32_t colour;
    double width;
    bool first; /* if two share a place, it is at the left */
} mark;

static void draw_dot(oc_scene *scene, double x, double y, uint32_t colour)
{
    const oc_rectangle dot = box(x - DOT, y - DOT, x + DOT, y + DOT, colour);
    oc_scene_rectangle(scene, &dot, NULL);
}

static void draw_line(oc_scene *scene, const oc_curves *curves, const mark *of, double p)
{
    const ocelotl_level *level = oc_curves_level_at(curves->input, p);
    const double x = fmin(floor(of->x), curves->shares.left + curves->shares.width - 1) + 0.5;
    oc_plot_rule(scene, x, curves->shares.top, x, curves->parts.top + curves->parts.height,
                 of->colour);
    draw_dot(scene, x, oc_curves_y(curves, oc_curves_gain(curves->input, level)), of->colour);
    draw_dot(scene, x, oc_curves_y(curves, oc_curves_loss(curves->input, level)), of->colour);
    draw_dot(scene, x, oc_curves_parts_y(curves, (double)level->parts), of->colour);
}

/* Draws the name in the middle over its line, or at the side away from the other one, but within
 * the picture. */
static void draw_mark_name(oc_scene *scene, const oc_curves *curves, const mark *of,
                           const mark *other)
{
    const double margin = oc_picture_margin(curves->picture);
    double begin = of->x - of->width / 2;
    const double nearest = (of->width + (other != NULL ? other->width : 0)) / 2 + MARK_GAP;
    if (other != NULL && fabs(of->x - other->x) < nearest) {
        const double middle = (of->x + other->x) / 2;
        const bool first = of->x < other->x || (!(of->x > other->x) && of->first);
        begin = first ? fmin(begin, middle - MARK_GAP / 2.0 - of->width)
                      : fmax(begin, middle + MARK_GAP / 2.0);
    }
    begin = fmax(margin, fmin(begin, curves->picture->width - margin - of->width));
    oc_label label =
        oc_label_at(begin, curves->shares.top - MARK_BASELINE, OC_ANCHOR_START, of->colour);
    label.bold = true;
    oc_scene_label(scene, &label, of->name, NULL);
}

void oc_curves_draw_marks(oc_scene *scene, const oc_curves *curves)
{
    const oc_curves_input *input = curves->input;
    const oc_theme *theme = curves->picture->theme;
    const ocelotl_level *level = curves->automatic;
    oc_text name = {0};
    oc_text_add(&name, "p ");
    oc_number_add(&name, input->p, 6);
    mark automatic = {0, "auto", theme->muted, oc_lettering_width("auto", OC_SIZE_LABEL, true),
                      true};
    mark current = {0, name.failed ? "" : name.bytes, theme->accent, 0, false};
    const bool has_p = !isnan(input->p);
    current.width = oc_lettering_width(current.name, OC_SIZE_LABEL, true);
    current.x = has_p ? x_at(curves, input->p) : 0;
    automatic.x = level != NULL ? x_at(curves, level->p) : 0;
    oc_scene_group(scene, "marks", &(oc_group_style){.inert = true}, NULL);
    if (level != NULL) {
        draw_line(scene, curves, &automatic, level->p);
        draw_mark_name(scene, curves, &automatic, has_p ? &current : NULL);
    }
    if (has_p) {
        draw_line(scene, curves, &current, input->p);
        draw_mark_name(scene, curves, &current, level != NULL ? &automatic : NULL);
    }
    oc_scene_group_end(scene);
    oc_scene_take(scene, &name);
}

static void add_shares(oc_text *text, double first, double last, bool one)
{
    oc_percent_add(text, first);
    if (!one) {
        oc_text_add(text, " \xE2\x80\x93 ");
        oc_percent_add(text, last);
    }
}

static void write_levels(oc_text *text, const oc_curves_input *input, size_t first, size_t last)
{
    const ocelotl_level *from = &input->levels[first];
    const ocelotl_level *to = &input->levels[last];
    const bool one = first == last;
    oc_text_format(text, one ? "level %zu" : "levels %zu", first + 1);
    if (!one)
        oc_text_format(text, " \xE2\x80\x93 %zu", last + 1);
    oc_text_add(text, "\np ");
    oc_number_add(text, from->p_from, 6);
    oc_text_add(text, " \xE2\x80\x93 ");
    oc_number_add(text, to->p_to, 6);
    oc_text_add(text, "\n");
    oc_count_add(text, from->parts);
    if (!one) {
        oc_text_add(text, " \xE2\x80\x93 ");
        oc_count_add(text, to->parts);
    }
    oc_text_format(text, one && from->parts == 1 ? " part\n%s " : " parts\n%s ",
                   oc_curves_gain_name(input));
    add_shares(text, oc_curves_gain(input, from), oc_curves_gain(input, to), one);
    oc_text_format(text, "\n%s ", oc_curves_loss_name(input));
    add_shares(text, oc_curves_loss(input, from), oc_curves_loss(input, to), one);
    for (size_t i = first; i <= last; i++) {
        if (input->levels[i].plateau > 0) {
            oc_text_add(text, "\nstands for ");
            write_plateau(text, &input->levels[i]);
        }
        if (input->levels[i].automatic)
            oc_text_add(text, "\nshown where no p is given");
    }
}

static bool is_narrow(const oc_curves *curves, double from, double to)
{
    return (to - from) * curves->shares.width < curves->picture->smallest;
}

void oc_curves_draw_tooltips(oc_scene *scene, const oc_curves *curves)
{
    const oc_curves_input *input = curves->input;
    const double bottom = curves->parts.top + curves->parts.height;
    oc_text text = {0};
    oc_scene_group(scene, "levels", &(oc_group_style){0}, NULL);
    const ocelotl_level *levels = input->levels;
    for (size_t first = 0, last; first < input->info.count; first = last + 1) {
        last = first; /* levels that are too narrow alone share a tooltip */
        while (last + 1 < input->info.count &&
               is_narrow(curves, levels[first].p_from, levels[last].p_to) &&
               is_narrow(curves, levels[last + 1].p_from, levels[last + 1].p_to))
            last++;
        const double left = x_at(curves, levels[first].p_from);
        oc_rectangle place = box(left, curves->shares.top, x_at(curves, levels[last].p_to), bottom,
                                 curves->picture->theme->paper);
        place.opacity = 0;
        oc_text_clear(&text);
        write_levels(&text, input, first, last);
        if (place.width > 0)
            oc_scene_rectangle(scene, &place, text.bytes);
    }
    oc_scene_group_end(scene);
    oc_scene_take(scene, &text);
}
