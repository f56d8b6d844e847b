#include "viz/curves/curves.h"

#include "base/memory.h"
#include "base/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Distances in pixels. */
enum {
    ABOVE_WHOLE = 10, /* from the line of 100 % to the top of the plot */
    MARKS = 15,       /* the names of what is marked, above the plot */
    MARK_GAP = 4,
    MARK_BASELINE = 4,
    DOT = 6,
    ROW = 16, /* of plateaus */
    ROW_BASELINE = 12,
    GAP = 6, /* between the plots and the row */
    TICKS = 8,
    STEPS_MOST = 20,
    SHARES_APART = 26, /* ticks */
    P_APART = 44,
    PARTS_APART = 14,
    ABOVE = 6, /* of the name of a curve, from its step */
    BELOW = 14,
    ASIDE = 4,
    EDGE = 3
};

static const double stroke = 2;

/* Names the row between the plots. */
static const char row_name[] = "plateau";

/* Both plots and the row between them share left and width. */
typedef struct drawing {
    oc_chart chart; /* its frame is around all of it */
    const oc_curves_input *input;
    oc_frame shares, parts;
    int plateaus;                   /* top of their row */
    double most_parts;              /* of a level */
    const ocelotl_level *automatic; /* NULL: not among the levels */
} drawing;

/* --- Levels */

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

/* What is drawn over p. */
enum { GAIN, LOSS, PARTS, QUANTITIES };

static const char *name_of(const drawing *at, int quantity)
{
    static const char *const names[][QUANTITIES] = {
        {"gain", "loss", "parts"}, {"complexity left", "information left", "parts"}};
    return names[at->chart.picture->falling][quantity];
}

/* Gain or loss, 0 .. 1: a share of the whole's, or what is left of it. */
static double share_of(const drawing *at, int quantity, const ocelotl_level *level)
{
    const double part = quantity == GAIN ? level->gain : level->loss;
    const double whole = quantity == GAIN ? at->input->whole_gain : at->input->whole_loss;
    const double taken = whole > 0 ? fmin(1, fmax(0, part / whole)) : 0;
    return at->chart.picture->falling ? 1 - taken : taken;
}

/* --- Places */

static double x_at(const drawing *at, double p)
{
    return at->shares.left + p * at->shares.width;
}

static double share_y(const drawing *at, double share)
{
    const oc_frame *frame = &at->shares;
    return frame->top + frame->height - 1 - share * (frame->height - 1 - ABOVE_WHOLE);
}

/* Logarithmic, from one part at the bottom to the most at the top. */
static double parts_y(const drawing *at, double parts)
{
    const oc_frame *frame = &at->parts;
    const double most = at->most_parts;
    const double share = most > 1 ? log10(fmax(1, parts)) / log10(most) : 0;
    return frame->top + frame->height - 3 - share * (frame->height - 6);
}

static double y_of(const drawing *at, int quantity, const ocelotl_level *level)
{
    return quantity == PARTS ? parts_y(at, (double)level->parts)
                             : share_y(at, share_of(at, quantity, level));
}

/* Returns how many steps of 1, 2 or 5 times a power of ten lead from 0 to 1, so that each can be
 * read in `room` of the least. */
static int count_steps(double room)
{
    return (int)fmax(1, round(1 / oc_nice_step(1 / fmin(room, STEPS_MOST))));
}

/* --- What is around the curves */

static void add_quality(oc_caption *caption, const char *phrase, double p, const drawing *at,
                        const ocelotl_level *level)
{
    OC_CAPTION(caption, phrase, oc_word_number(p, 17), oc_word_count(level->parts, "part"),
               oc_word_text(name_of(at, GAIN)), oc_word_percent(share_of(at, GAIN, level)),
               oc_word_text(name_of(at, LOSS)), oc_word_percent(share_of(at, LOSS, level)));
}

static void write_caption(oc_caption *caption, const void *subject)
{
    const drawing *at = subject;
    const oc_curves_input *input = at->input;
    OC_CAPTION(caption,
               at->chart.picture->falling
                   ? "{} levels of detail, what is left of complexity (1 less the share of gain) "
                     "and of information (1 less the share of loss)"
                   : "{} levels of detail, gain and loss as shares of the whole's",
               oc_word_text(oc_kind_name(input->kind)));
    if (!isnan(input->p))
        add_quality(caption, "p {}: {}, {} {}, {} {}", input->p, at,
                    oc_curves_level_at(input, input->p));
    if (at->automatic != NULL)
        add_quality(caption, "auto (p {}): {}, {} {}, {} {}", at->automatic->p, at, at->automatic);
    OC_CAPTION(caption, input->info.complete ? "{} in {}" : "{}, not all, in {}",
               oc_word_count(input->info.count, "level"),
               oc_word_count(input->info.plateaus, "plateau"));
    OC_CAPTION(caption, "{}", oc_word_count(input->model.slice_count, "slice"));
    oc_caption_add_states(caption, &input->model);
}

static ocelotl_status measure_axis(int *size, void *subject)
{
    const drawing *at = subject;
    oc_axis *axis = at->chart.axis;
    const int count = count_steps((double)at->chart.frame.width / P_APART);
    axis->tick_count = 0;
    for (int i = 0; i <= count; i++) {
        oc_text text = {0};
        oc_number_add(&text, (double)i / count, 6);
        oc_axis_add(axis, (double)i / count, text.failed ? "" : text.bytes);
        oc_text_free(&text);
    }
    snprintf(axis->title, sizeof axis->title, "p");
    *size = oc_plot_axis_height(axis);
    return OCELOTL_OK;
}

static ocelotl_status prepare(void *subject)
{
    drawing *at = subject;
    oc_scene *scene = at->chart.scene;
    const oc_curves_input *input = at->input;
    const ocelotl_model_info *model = &input->model;
    oc_text most = {0};
    at->most_parts = 1;
    for (size_t i = 0; i < input->info.count; i++) {
        at->most_parts = fmax(at->most_parts, (double)input->levels[i].parts);
        if (input->levels[i].automatic)
            at->automatic = &input->levels[i];
    }
    /* room at the left for the ticks of both plots, and the name of the row */
    oc_count_add(&most, (uint64_t)at->most_parts);
    const double width =
        fmax(oc_lettering_width(row_name, OC_SIZE_LABEL, false),
             most.failed ? 0 : oc_lettering_width(most.bytes, OC_SIZE_LABEL, false));
    oc_text_free(&most);
    oc_layout_reserve(&at->chart.layout, OC_LEFT, (int)ceil(width) + TICKS);
    oc_layout_reserve(&at->chart.layout, OC_ABOVE, MARKS);
    oc_layout_measure(&at->chart.layout, OC_BELOW, measure_axis);
    oc_picture_add_metadata(scene, at->chart.picture, model->name, model->uid);
    oc_scene_metadata(scene, "kind", oc_kind_name(input->kind));
    oc_scene_metadata(scene, "view", "curves");
    if (at->chart.picture->falling)
        oc_scene_metadata(scene, "curves", "falling");
    if (!isnan(input->p))
        oc_metadata_number(scene, "p", input->p);
    oc_metadata_count(scene, "slices", model->slice_count);
    oc_metadata_count(scene, "levels", input->info.count);
    oc_metadata_count(scene, "plateaus", input->info.plateaus);
    oc_scene_metadata(scene, "complete", input->info.complete ? "true" : "false");
    oc_metadata_number(scene, "whole_gain", input->whole_gain);
    oc_metadata_number(scene, "whole_loss", input->whole_loss);
    oc_metadata_text(scene, "state_type", model->state_type);
    if (model->has_time) {
        oc_metadata_number(scene, "window_begin_seconds", model->begin);
        oc_metadata_number(scene, "window_end_seconds", model->end);
    }
    return OCELOTL_OK;
}

/* Draws the values at the left: shares with rules, and parts at 1, at powers of ten if they have
 * room, and at the most. */
static void draw_values(const drawing *at)
{
    const oc_frame *shares = &at->shares;
    const uint32_t border = at->chart.picture->theme->border;
    const int count = count_steps((double)shares->height / SHARES_APART);
    const double most = at->most_parts;
    const double top = parts_y(at, most);
    double last = parts_y(at, 1);
    oc_text text = {0};
    oc_scene_group(at->chart.scene, "values", &(oc_group_style){.inert = true}, NULL);
    for (int i = 0; i <= count; i++) {
        const double y = share_y(at, (double)i / count);
        oc_text_clear(&text);
        oc_text_format(&text, "%d %%", (int)lround(100.0 * i / count));
        if (i > 0)
            oc_plot_rule(at->chart.scene, shares->left, floor(y) + 0.5,
                         shares->left + shares->width, floor(y) + 0.5, border);
        if (!text.failed)
            oc_chart_tick(&at->chart, shares, y, text.bytes);
    }
    oc_chart_tick(&at->chart, shares, last, "1");
    for (double parts = 10;; parts *= 10) {
        const bool ends = parts > most;
        const double y = ends ? top : parts_y(at, parts);
        const bool fits =
            last - y >= PARTS_APART && (ends || y - top >= PARTS_APART || !(parts < most));
        oc_text_clear(&text);
        oc_count_add(&text, (uint64_t)(ends ? most : parts));
        if (fits && !text.failed)
            oc_chart_tick(&at->chart, shares, y, text.bytes);
        last = fits ? y : last;
        if (ends)
            break;
    }
    const oc_label label = oc_label_at(shares->left - TICKS, at->plateaus + ROW_BASELINE,
                                       OC_ANCHOR_END, at->chart.picture->theme->muted);
    oc_scene_label(at->chart.scene, &label, row_name, NULL);
    oc_scene_group_end(at->chart.scene);
    oc_scene_take(at->chart.scene, &text);
}

/* --- The curves and their names */

/* Blue and orange of Okabe and Ito's colours, with enough contrast for names in them. */
oc_curves_colours oc_curves_colours_on(const oc_theme *theme)
{
    return (oc_curves_colours){oc_colour_visible(0x0072B2, theme->paper, 4.5),
                               oc_colour_visible(0xE69F00, theme->paper, 4.5)};
}

/* A rising curve has room at the left above each of its steps, and at the right below; a falling
 * one has room at the right above, and at the left below. Loss never exceeds gain, so neither name
 * meets the other curve. */
typedef struct name_place {
    int quantity;
    oc_anchor anchor; /* END: at the end of a step, START: at its beginning */
    bool below;
    uint32_t colour;
    const oc_frame *frame;
} name_place;

/* Rates a place beside a step: it is good if it is long, far from the other curve, and crossed by
 * the line of nothing that is marked. */
static double judge(const drawing *at, const name_place *place, const ocelotl_level *level,
                    oc_label *label)
{
    enum { LONG = 3 }; /* a step this many times as long as its name is long enough */
    const oc_frame *frame = place->frame;
    const double width = oc_lettering_width(name_of(at, place->quantity), OC_SIZE_CAPTION, true);
    const double from = x_at(at, level->p_from);
    const double to = x_at(at, level->p_to);
    const double y = y_of(at, place->quantity, level) + (place->below ? BELOW : -ABOVE);
    const double x = place->anchor == OC_ANCHOR_END ? to - ASIDE : from + ASIDE;
    const double begin = place->anchor == OC_ANCHOR_END ? x - width : x;
    const double marked[] = {isnan(at->input->p) ? -1 : x_at(at, at->input->p),
                             at->automatic != NULL ? x_at(at, at->automatic->p) : -1};
    double crossed = 1;
    *label = (oc_label){x, y, place->anchor, OC_SIZE_CAPTION, true, place->colour, 0};
    if (begin < frame->left + EDGE || begin + width > frame->left + frame->width - EDGE ||
        y - OC_SIZE_CAPTION < frame->top || y + EDGE > frame->top + frame->height)
        return -1;
    const double apart = fabs(y_of(at, GAIN, level) - y_of(at, LOSS, level)) / frame->height;
    for (int i = 0; i < 2; i++)
        if (marked[i] > begin - EDGE && marked[i] < begin + width + EDGE)
            crossed = 0.1;
    return crossed * (fmin((to - from) / (LONG * width), 1) + apart);
}

/* Draws a name; without room elsewhere at the end of the plot, where the curves are low. */
static void draw_name(const drawing *at, const name_place *place)
{
    double best = -1;
    const oc_frame *frame = place->frame;
    const bool ends = place->anchor == OC_ANCHOR_END;
    oc_label label = {ends ? frame->left + frame->width - ASIDE : frame->left + ASIDE,
                      frame->top + frame->height - ABOVE,
                      place->anchor,
                      OC_SIZE_CAPTION,
                      true,
                      place->colour,
                      0};
    for (size_t i = 0; i < at->input->info.count; i++) {
        oc_label found;
        const double quality = judge(at, place, &at->input->levels[i], &found);
        if (quality > best) {
            best = quality;
            label = found;
        }
    }
    oc_scene_label(at->chart.scene, &label, name_of(at, place->quantity), NULL);
}

static ocelotl_status draw_steps(const drawing *at)
{
    const oc_theme *theme = at->chart.picture->theme;
    const oc_curves_colours colours = oc_curves_colours_on(theme);
    const bool falling = at->chart.picture->falling;
    const name_place places[QUANTITIES] = {
        {LOSS, OC_ANCHOR_START, !falling, colours.loss, &at->shares},
        {GAIN, OC_ANCHOR_END, falling, colours.gain, &at->shares},
        {PARTS, OC_ANCHOR_START, false, theme->ink, &at->parts},
    };
    const size_t count = at->input->info.count;
    oc_point *points = NULL;
    OC_TRY(oc_allocate(&points, 2 * count, sizeof *points));
    oc_scene_group(at->chart.scene, "curves", &(oc_group_style){.inert = true}, NULL);
    for (int k = 0; k < QUANTITIES; k++) {
        for (size_t i = 0; i < count; i++) {
            const ocelotl_level *level = &at->input->levels[i];
            const double y = y_of(at, places[k].quantity, level);
            points[2 * i] = (oc_point){x_at(at, level->p_from), y};
            points[2 * i + 1] = (oc_point){x_at(at, level->p_to), y};
        }
        oc_chart_line(&at->chart, points, 2 * count, places[k].colour, stroke, NULL);
    }
    for (int k = 0; k < QUANTITIES; k++)
        draw_name(at, &places[k]);
    oc_scene_group_end(at->chart.scene);
    free(points);
    return OCELOTL_OK;
}

/* --- What lies behind and over the curves: plateaus, what is marked, tooltips */

static void write_plateau(oc_text *text, const ocelotl_level *level)
{
    OC_PHRASE(text, "plateau {}, p {} \xE2\x80\x93 {}", oc_word_whole(level->plateau),
              oc_word_number(level->plateau_from, 6), oc_word_number(level->plateau_to, 6));
}

/* Draws plateaus as numbered bands. */
static void draw_plateaus(const drawing *at)
{
    const oc_theme *theme = at->chart.picture->theme;
    const oc_frame *plots[] = {&at->shares, &at->parts};
    oc_scene_group(at->chart.scene, "plateaus", &(oc_group_style){.crisp = true}, NULL);
    for (size_t i = 0; i < at->input->info.count; i++) {
        const ocelotl_level *level = &at->input->levels[i];
        const double left = round(x_at(at, level->plateau_from));
        const double right = round(x_at(at, level->plateau_to));
        const bool even = level->plateau % 2 == 0;
        const oc_label label = oc_label_at(floor((left + right) / 2), at->plateaus + ROW_BASELINE,
                                           OC_ANCHOR_MIDDLE, theme->ink);
        oc_text text = {0};
        if (level->plateau == 0 || right - left < 1)
            continue;
        write_plateau(&text, level);
        oc_chart_box(&at->chart, left, at->plateaus, right, at->plateaus + ROW,
                     even ? theme->border : theme->node, &text);
        for (int k = 0; k < 2 && even; k++)
            oc_chart_box(&at->chart, left, plots[k]->top, right, plots[k]->top + plots[k]->height,
                         theme->node, NULL);
        oc_text_format(&text, "%zu", level->plateau);
        if (!text.failed &&
            oc_lettering_width(text.bytes, OC_SIZE_LABEL, false) + 2 <= right - left)
            oc_scene_label(at->chart.scene, &label, text.bytes, NULL);
        oc_scene_take(at->chart.scene, &text);
    }
    oc_scene_group_end(at->chart.scene);
}

/* A p with its name. */
typedef struct mark {
    double p;
    const char *name;
    uint32_t colour;
    bool first; /* if two share a place, it is at the left */
    double x, width;
} mark;

/* Draws the line of a mark, and its name in the middle over it, or at the side away from the other
 * one, but within the picture. */
static void draw_mark(const drawing *at, const mark *of, const mark *other)
{
    const ocelotl_level *level = oc_curves_level_at(at->input, of->p);
    const double x = fmin(floor(of->x), at->shares.left + at->shares.width - 1) + 0.5;
    const double margin = oc_picture_margin(at->chart.picture);
    double begin = of->x - of->width / 2;
    const double nearest = (of->width + other->width) / 2 + MARK_GAP;
    oc_plot_rule(at->chart.scene, x, at->shares.top, x, at->parts.top + at->parts.height,
                 of->colour);
    for (int i = 0; i < QUANTITIES; i++)
        oc_chart_point(&at->chart, (oc_point){x, y_of(at, i, level)}, DOT, of->colour,
                       OC_COLOUR_NONE, NULL);
    if (!isnan(other->p) && fabs(of->x - other->x) < nearest) {
        const double middle = (of->x + other->x) / 2;
        const bool first = of->x < other->x || (!(of->x > other->x) && of->first);
        begin = first ? fmin(begin, middle - MARK_GAP / 2.0 - of->width)
                      : fmax(begin, middle + MARK_GAP / 2.0);
    }
    begin = fmax(margin, fmin(begin, at->chart.picture->width - margin - of->width));
    oc_label label =
        oc_label_at(begin, at->shares.top - MARK_BASELINE, OC_ANCHOR_START, of->colour);
    label.bold = true;
    oc_scene_label(at->chart.scene, &label, of->name, NULL);
}

/* The level to show first, and p. */
static void draw_marks(const drawing *at)
{
    const oc_theme *theme = at->chart.picture->theme;
    oc_text name = {0};
    oc_text_add(&name, "p ");
    oc_number_add(&name, at->input->p, 6);
    mark marks[] = {
        {at->automatic != NULL ? at->automatic->p : (double)NAN, "auto", theme->muted, true, 0, 0},
        {at->input->p, name.failed ? "" : name.bytes, theme->accent, false, 0, 0}};
    for (int i = 0; i < 2; i++) {
        marks[i].width = oc_lettering_width(marks[i].name, OC_SIZE_LABEL, true);
        marks[i].x = x_at(at, marks[i].p);
    }
    oc_scene_group(at->chart.scene, "marks", &(oc_group_style){.inert = true}, NULL);
    for (int i = 0; i < 2; i++)
        if (!isnan(marks[i].p))
            draw_mark(at, &marks[i], &marks[1 - i]);
    oc_scene_group_end(at->chart.scene);
    oc_scene_take(at->chart.scene, &name);
}

static void write_levels(oc_text *text, const drawing *at, size_t first, size_t last)
{
    const ocelotl_level *levels = at->input->levels;
    const ocelotl_level *ends[] = {&levels[first], &levels[last]};
    const bool one = first == last;
    oc_text_format(text, one ? "level %zu" : "levels %zu", first + 1);
    if (!one)
        oc_text_format(text, " \xE2\x80\x93 %zu", last + 1);
    OC_PHRASE(text, "\np {} \xE2\x80\x93 {}\n", oc_word_number(ends[0]->p_from, 6),
              oc_word_number(ends[1]->p_to, 6));
    for (int i = 0; i < (one ? 1 : 2); i++) {
        oc_text_add(text, i > 0 ? " \xE2\x80\x93 " : "");
        oc_count_add(text, ends[i]->parts);
    }
    oc_text_add(text, one && ends[0]->parts == 1 ? " part" : " parts");
    for (int k = GAIN; k <= LOSS; k++) {
        oc_text_format(text, "\n%s ", name_of(at, k));
        for (int i = 0; i < (one ? 1 : 2); i++) {
            oc_text_add(text, i > 0 ? " \xE2\x80\x93 " : "");
            oc_percent_add(text, share_of(at, k, ends[i]));
        }
    }
    for (size_t i = first; i <= last; i++) {
        if (levels[i].plateau > 0) {
            oc_text_add(text, "\nstands for ");
            write_plateau(text, &levels[i]);
        }
        if (levels[i].automatic)
            oc_text_add(text, "\nshown where no p is given");
    }
}

static bool is_narrow(const drawing *at, double from, double to)
{
    return (to - from) * at->shares.width < at->chart.picture->smallest;
}

/* Draws what a pointer finds out about levels; those that are too narrow alone share it. */
static void draw_tooltips(const drawing *at)
{
    const ocelotl_level *levels = at->input->levels;
    const size_t count = at->input->info.count;
    oc_scene_group(at->chart.scene, "levels", &(oc_group_style){0}, NULL);
    for (size_t first = 0, last; first < count; first = last + 1) {
        last = first;
        while (last + 1 < count && is_narrow(at, levels[first].p_from, levels[last].p_to) &&
               is_narrow(at, levels[last + 1].p_from, levels[last + 1].p_to))
            last++;
        const double left = x_at(at, levels[first].p_from);
        oc_rectangle place = oc_rectangle_of(
            left, at->shares.top, x_at(at, levels[last].p_to) - left,
            at->parts.top + at->parts.height - at->shares.top, at->chart.picture->theme->paper);
        oc_text text = {0};
        place.opacity = 0;
        if (!(place.width > 0))
            continue;
        write_levels(&text, at, first, last);
        oc_scene_explained(at->chart.scene, &place, &text);
    }
    oc_scene_group_end(at->chart.scene);
}

static ocelotl_status draw(void *subject)
{
    drawing *at = subject;
    oc_scene *scene = at->chart.scene;
    const oc_picture *picture = at->chart.picture;
    const oc_frame *both = &at->chart.frame;
    const int parts = (int)fmax(30, both->height * 0.22);
    at->parts = (oc_frame){both->left, both->top + both->height - parts, both->width, parts};
    at->plateaus = at->parts.top - GAP - ROW;
    at->shares = (oc_frame){both->left, both->top, both->width, at->plateaus - GAP - both->top};
    if (at->input->frame != NULL)
        *at->input->frame = *both;
    oc_plot_draw_frame(scene, picture, &at->shares);
    oc_plot_draw_frame(scene, picture, &at->parts);
    draw_plateaus(at);
    draw_values(at);
    oc_plot_draw_axis(scene, picture, &at->parts, at->chart.axis);
    OC_TRY(draw_steps(at));
    draw_marks(at);
    draw_tooltips(at);
    return OCELOTL_OK;
}

ocelotl_status oc_curves_lay_out(oc_scene *scene, const oc_picture *picture, const void *subject)
{
    static const oc_chart_kind kind = {prepare, write_caption, draw};
    const oc_curves_input *input = subject;
    drawing at = {
        .chart = {.kind = &kind, .title = input->model.name, .scene = scene, .picture = picture},
        .input = input};
    return oc_chart_lay_out(&at.chart);
}

/* --- The picture */

ocelotl_status oc_curves_read(oc_curves_input *input, ocelotl_level **levels,
                              const ocelotl_levels *from, const ocelotl_aggregation *aggregation)
{
    *input =
        (oc_curves_input){.model = ocelotl_model_info_of(ocelotl_aggregation_model(aggregation)),
                          .kind = ocelotl_aggregation_kind(aggregation),
                          .info = ocelotl_levels_info_of(from),
                          .whole_gain = ocelotl_aggregation_whole_gain(aggregation),
                          .whole_loss = ocelotl_aggregation_whole_loss(aggregation),
                          .p = (double)NAN};
    OC_TRY(oc_allocate(levels, input->info.count, sizeof **levels));
    for (size_t i = 0; i < input->info.count; i++)
        (*levels)[i] = ocelotl_levels_at(from, i);
    input->levels = *levels;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_curves_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                   const ocelotl_levels *levels,
                                   const ocelotl_aggregation *aggregation, double p,
                                   const ocelotl_picture_options *options)
{
    oc_curves_input input;
    ocelotl_level *all = NULL;
    if (!isnan(p) && !(p >= 0 && p <= 1))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "p is %.15g, expected a number in [0, 1], or none",
                       p);
    OC_TRY(oc_curves_read(&input, &all, levels, aggregation));
    input.p = p;
    const ocelotl_status status =
        oc_picture_make(&(oc_target){sink, format}, options, oc_curves_lay_out, &input);
    free(all);
    return status;
}
