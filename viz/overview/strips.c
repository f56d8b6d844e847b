/* Strips above the plot: the whole trace above a window of it (thesis 7.2.1), as mode, with the
 * window marked; and the steps of the program. */
#include "base/memory.h"
#include "base/plain.h"
#include "viz/frame/picture.h"
#include "viz/overview/overview.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>

/* Distances in pixels. */
enum {
    NAMES = 15, /* above a strip */
    NAMES_BASELINE = 10,
    STRIP = 16,
    CONNECTORS = 14, /* between the strip of the whole and what is of the window */
    BELOW_STEPS = 4,
    WINDOW_LEAST = 3,
    SLOWEST_LEAST = 3,
    STEP_LEAST = 2,       /* neighbours of less are one box */
    NUMBER_BASELINE = 12, /* in a box */
    NUMBER_EDGE = 3       /* at its sides */
};

static int height_of(bool there, int below)
{
    return there ? NAMES + STRIP + below : 0;
}

int oc_whole_strip_height(const oc_overview_input *input)
{
    return height_of(input->whole != NULL, CONNECTORS);
}

static int steps_height(const oc_overview *overview)
{
    return height_of(overview->steps.count > 0, BELOW_STEPS);
}

int oc_strips_height(const oc_overview *overview)
{
    return oc_whole_strip_height(overview->input) + steps_height(overview);
}

/* The frame of a strip, which ends so far above the plot. */
static oc_frame frame_above(const oc_overview *overview, int distance)
{
    const oc_frame *plot = &overview->frame;
    return (oc_frame){plot->left, plot->top - distance - STRIP, plot->width, STRIP};
}

/* Writes something above a strip, at one of its ends, as far as there is room. */
static void name_strip(oc_scene *scene, const oc_overview *strip, const char *name,
                       oc_anchor anchor, double room)
{
    const oc_frame *frame = &strip->frame;
    const oc_label label =
        oc_label_at(frame->left + (anchor == OC_ANCHOR_END ? frame->width : 0),
                    frame->top - NAMES + NAMES_BASELINE, anchor, strip->picture->theme->muted);
    oc_label_draw(scene, &label, name, room, NULL);
}

void oc_overview_draw_breaks(oc_scene *scene, const oc_overview *overview)
{
    const oc_visible *visible = &overview->visible;
    if (overview->model.piece_count == 0)
        return;
    oc_scene_group(scene, "breaks", &(oc_group_style){.inert = true}, NULL);
    for (uint32_t i = 1; i < overview->model.piece_count; i++) {
        const uint32_t slice = overview->model.pieces[i].first;
        if (slice > visible->slice_first && slice - visible->slice_first < visible->slice_count)
            oc_plot_draw_break(scene, overview->picture, &overview->frame,
                               oc_overview_x(overview, slice));
    }
    oc_scene_group_end(scene);
}

/* --- The whole trace */

static ocelotl_status begin_whole(oc_overview *overview)
{
    const oc_overview_input *input = overview->input->whole;
    if (input == NULL)
        return OCELOTL_OK;
    oc_overview whole = oc_overview_of(input, overview->picture);
    whole.strip = true;
    if (overview->input->whole->partition.kind != OCELOTL_TEMPORAL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "the strip of the whole trace needs a temporal partition");
    if (!overview->model.has_time || !whole.model.has_time)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "a strip of the whole trace needs models with time, and a matrix has none");
    OC_TRY(oc_allocate(&overview->whole, 1, sizeof *overview->whole));
    *overview->whole = whole;
    OC_TRY(oc_overview_find_modes(overview->whole));
    return oc_overview_find_rows(overview->whole);
}

/* The window, in pixels. */
typedef struct extent {
    int left, right;
} extent;

static extent find_window(const oc_overview *overview)
{
    const ocelotl_model_info *whole = &overview->whole->model;
    const oc_frame *frame = &overview->whole->frame;
    const double unit = (double)frame->width / whole->slice_count;
    const double first = ocelotl_slice_at(whole, overview->model.begin) * unit;
    const double after = ocelotl_slice_at(whole, overview->model.end) * unit;
    const double begin = fmin(fmax(first, 0), frame->width);
    const double end = fmin(fmax(after, begin), frame->width);
    extent window = {frame->left + (int)floor(begin), frame->left + (int)ceil(end)};
    if (window.right < window.left + WINDOW_LEAST)
        window.right = window.left + WINDOW_LEAST;
    const int beyond = window.right - frame->left - frame->width;
    if (beyond > 0) {
        window.left -= beyond;
        window.right -= beyond;
    }
    return window;
}

/* A line of the paper around it keeps it apart from any colour. */
static void draw_window(oc_scene *scene, const oc_overview *overview)
{
    const oc_frame *strip = &overview->whole->frame;
    const oc_frame *plot = &overview->frame;
    const oc_theme *theme = overview->picture->theme;
    const extent window = find_window(overview);
    const double top = strip->top - 0.5;
    const double bottom = strip->top + strip->height + 0.5;
    const double left = window.left + 0.5;
    const double right = window.right - 0.5;
    const double below = plot->top - steps_height(overview) - 0.5;
    oc_scene_group(scene, "window", &(oc_group_style){.inert = true}, NULL);
    const oc_point around[] = {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
    oc_path frame = {
        .closed = true, .fill = OC_COLOUR_NONE, .opacity = 1, .stroke = theme->paper, .width = 4};
    oc_scene_path(scene, &frame, around, 4, NULL);
    frame.stroke = theme->accent;
    frame.width = 2;
    oc_scene_path(scene, &frame, around, 4, NULL);
    if (!overview->input->view->timeless) {
        oc_plot_rule(scene, left, bottom, plot->left, below, theme->accent);
        oc_plot_rule(scene, right, bottom, plot->left + plot->width, below, theme->accent);
    }
    oc_scene_group_end(scene);
}

static ocelotl_status draw_whole(oc_scene *scene, const oc_overview *overview)
{
    oc_overview *whole = overview->whole;
    if (whole == NULL)
        return OCELOTL_OK;
    static const char name[] = "whole trace";
    const ocelotl_model_info *model = &whole->model;
    oc_text span = {0};
    whole->frame = frame_above(overview, CONNECTORS + steps_height(overview));
    oc_scene_group(scene, "whole", &(oc_group_style){0}, NULL);
    oc_time_span_add(&span, model->begin, model->end, (model->end - model->begin) / 1000,
                     (oc_time_range){model->begin, model->end});
    const double room = whole->frame.width - 2 * oc_lettering_width(name, OC_SIZE_LABEL, false);
    name_strip(scene, whole, name, OC_ANCHOR_START, whole->frame.width);
    if (!span.failed && oc_lettering_width(span.bytes, OC_SIZE_LABEL, false) < room)
        name_strip(scene, whole, span.bytes, OC_ANCHOR_END, room);
    oc_scene_take(scene, &span);
    oc_plot_draw_frame(scene, overview->picture, &whole->frame);
    OC_TRY(whole->input->view->draw(scene, whole));
    oc_overview_draw_breaks(scene, whole);
    draw_window(scene, overview);
    oc_scene_group_end(scene);
    return OCELOTL_OK;
}

/* --- Steps */

/* Steps that are drawn as one box. */
typedef struct steps_box {
    size_t first, count;
    double from, to; /* pixels of the strip */
} steps_box;

/* Places a step; none where it is not seen. */
static steps_box find_box(const oc_overview *strip, size_t step)
{
    const oc_step_span *is = &strip->steps.list[step];
    const oc_visible *visible = &strip->visible;
    const double unit = (double)strip->frame.width / visible->slice_count;
    const double from = ocelotl_slice_at(&strip->model, is->begin) - visible->slice_first;
    const double to = ocelotl_slice_at(&strip->model, is->end) - visible->slice_first;
    const steps_box box = {step, 1, fmax(from * unit, 0), fmin(to * unit, strip->frame.width)};
    return box.from < box.to ? box : (steps_box){.count = 0};
}

static void describe_box(oc_text *text, const oc_overview *strip, const steps_box *box)
{
    const oc_step_span *first = &strip->steps.list[box->first];
    const oc_step_span *last = first + box->count - 1;
    const double length = last->end - first->begin;
    oc_clean_add(text, first->name, false);
    if (box->count > 1)
        OC_PHRASE(text, " .. {}: {}", oc_word_name(last->name), oc_word_count(box->count, "step"));
    oc_text_add(text, "\n");
    oc_time_span_add(text, first->begin, last->end, length / 1000,
                     (oc_time_range){strip->model.begin, strip->model.end});
    oc_text_format(text, "\n%s%s", oc_short_time(length).text,
                   box->first == strip->steps.slowest ? ", the slowest" : "");
}

/* The slowest is seen, however short it is beside the others. */
static void draw_box(oc_scene *scene, const oc_overview *strip, const steps_box *box)
{
    const oc_frame *frame = &strip->frame;
    const oc_theme *theme = strip->picture->theme;
    const uint32_t tints[] = {theme->node, theme->border};
    const bool slow = oc_step_is_slow(&strip->steps, box->first);
    const double width = fmax(round(box->to) - round(box->from), slow ? SLOWEST_LEAST : 1);
    const double left = frame->left + fmin(round(box->from), frame->width - width);
    const oc_rectangle look =
        oc_rectangle_of(left, frame->top, width, frame->height,
                        slow ? theme->accent : tints[box->count > 1 || box->first % 2 == 1]);
    const oc_label label = oc_label_at(left + floor(width / 2), frame->top + NUMBER_BASELINE,
                                       OC_ANCHOR_MIDDLE, slow ? theme->paper : theme->ink);
    oc_text text = {0};
    describe_box(&text, strip, box);
    oc_scene_explained(scene, &look, &text);
    oc_step_add_number(&text, &strip->steps.list[box->first]);
    oc_text_append(&text, "", 0);
    const double room = width - 2 * NUMBER_EDGE;
    if (box->count == 1 && !text.failed &&
        oc_lettering_width(text.bytes, OC_SIZE_LABEL, false) <= room)
        oc_label_draw(scene, &label, text.bytes, room, NULL);
    oc_scene_take(scene, &text);
}

/* Draws those that are seen, the slowest last, and returns how many these are. */
static size_t draw_boxes(oc_scene *scene, const oc_overview *strip)
{
    steps_box narrow = {.count = 0}; /* those that follow each other */
    steps_box slowest = {.count = 0};
    size_t seen = 0;
    for (size_t i = 0; i < strip->steps.count; i++) {
        const steps_box box = find_box(strip, i);
        const bool joins = box.to - box.from < STEP_LEAST && !oc_step_is_slow(&strip->steps, i);
        seen += box.count;
        if (box.count == 0)
            continue;
        if (joins && narrow.count > 0 && box.from - narrow.to < 1) {
            narrow.count = i + 1 - narrow.first;
            narrow.to = fmax(narrow.to, box.to);
            continue;
        }
        if (narrow.count > 0)
            draw_box(scene, strip, &narrow);
        narrow = joins ? box : (steps_box){.count = 0};
        if (i == strip->steps.slowest)
            slowest = box;
        else if (!joins)
            draw_box(scene, strip, &box);
    }
    if (narrow.count > 0)
        draw_box(scene, strip, &narrow);
    if (slowest.count > 0)
        draw_box(scene, strip, &slowest);
    return seen;
}

static void draw_steps(oc_scene *scene, const oc_overview *overview)
{
    oc_overview strip = *overview;
    oc_text words = {0};
    if (overview->steps.count == 0)
        return;
    strip.frame = frame_above(overview, BELOW_STEPS);
    oc_plot_draw_frame(scene, overview->picture, &strip.frame);
    oc_scene_group(scene, "steps", &(oc_group_style){.crisp = true}, NULL);
    const size_t seen = draw_boxes(scene, &strip);
    oc_scene_group_end(scene);
    oc_overview_draw_breaks(scene, &strip);
    if (seen < strip.steps.count)
        oc_text_format(&words, "%zu of ", seen);
    oc_steps_describe(&words, &strip.steps);
    if (!words.failed)
        name_strip(scene, &strip, words.bytes, OC_ANCHOR_START, strip.frame.width);
    oc_scene_take(scene, &words);
}

/* --- All strips */

ocelotl_status oc_strips_begin(oc_overview *overview)
{
    const oc_view *view = overview->input->view;
    OC_TRY(begin_whole(overview));
    if (!view->resources || view->timeless || overview->picture->plain ||
        overview->model.steps[0] == '\0')
        return OCELOTL_OK;
    return oc_steps_read(&overview->steps, overview->model.steps);
}

ocelotl_status oc_strips_draw(oc_scene *scene, const oc_overview *overview)
{
    draw_steps(scene, overview);
    return draw_whole(scene, overview);
}
