#include "viz/overview.h"

#include "base/memory.h"
#include "viz/lettering.h"

#include <math.h>
#include <stdlib.h>

/* Distances in pixels. */
enum {
    TITLE_HEIGHT = 26,
    CAPTION_LINE = 17,
    CAPTION_GAP = 9,
    AXIS_TICK = 5,
    AXIS_HEIGHT = 22, /* ticks and their labels */
    AXIS_TITLE = 15,
    LEGEND_GAP = 12
};

typedef struct bands {
    int caption_lines;
    int legend_rows;
    bool lifetimes;
    bool axis_title;
} bands;

int oc_overview_x(const oc_overview *overview, double slice)
{
    return overview->frame.left + (int)lround(slice / overview->model.slice_count * overview->frame.width);
}

int oc_overview_y(const oc_overview *overview, uint32_t leaf)
{
    return overview->frame.top + (int)lround((double)leaf / overview->model.leaf_count * overview->frame.height);
}

static int clamp(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

/* What lies above and below the plot; left to right it is as wide as the picture until the columns are known. */
static void place_vertically(oc_overview *overview, const bands *with)
{
    const int width = (int)overview->input->width;
    const int height = (int)overview->input->height;
    const int bottom = AXIS_HEIGHT + (with->axis_title ? AXIS_TITLE : 0) +
                       (with->legend_rows > 0 ? LEGEND_GAP + oc_legend_height(with->legend_rows) : 0);
    const int top = overview->margin + TITLE_HEIGHT + CAPTION_LINE * with->caption_lines + CAPTION_GAP;
    overview->frame =
        (oc_frame){overview->margin, top, width - 2 * overview->margin, height - top - bottom - overview->margin};
}

static void place_horizontally(oc_overview *overview, const oc_level_columns *columns)
{
    overview->frame.left += columns->width;
    overview->frame.width -= columns->width;
}

static void draw_rule(oc_scene *scene, double x1, double y1, double x2, double y2, uint32_t colour)
{
    oc_scene_line(scene, &(oc_line){x1, y1, x2, y2, colour, 1});
}

static void draw_ticks(oc_scene *scene, const oc_overview *overview, const oc_axis *axis)
{
    const oc_frame *frame = &overview->frame;
    const int bottom = frame->top + frame->height;
    oc_scene_group(scene, "axis", &(oc_group){.inert = true}, NULL);
    draw_rule(scene, frame->left, bottom + 0.5, frame->left + frame->width, bottom + 0.5, OC_COLOUR_RULE);
    for (uint32_t i = 0; i < axis->tick_count; i++) {
        const oc_tick *tick = &axis->ticks[i];
        const double x = fmin(floor(frame->left + tick->position * frame->width), frame->left + frame->width - 1);
        draw_rule(scene, x + 0.5, bottom + 1, x + 0.5, bottom + 1 + AXIS_TICK, OC_COLOUR_MUTED);
        oc_scene_label(scene,
                       &(oc_label){x + 0.5, bottom + AXIS_TICK + 13, OC_ANCHOR_MIDDLE, OC_SIZE_LABEL, false,
                                   OC_COLOUR_MUTED, 0},
                       tick->label, NULL);
    }
    if (axis->title[0] != '\0')
        oc_scene_label(scene,
                       &(oc_label){frame->left + floor(frame->width / 2.0), bottom + AXIS_HEIGHT + 11,
                                   OC_ANCHOR_MIDDLE, OC_SIZE_LABEL, false, OC_COLOUR_MUTED, 0},
                       axis->title, NULL);
    oc_scene_group_end(scene);
}

static void find_ticks(oc_axis *axis, const oc_overview *overview)
{
    const oc_axis_room room = {overview->frame.width, overview->margin, overview->margin, OC_SIZE_LABEL};
    if (overview->model.has_time)
        oc_axis_time(axis, overview->model.begin, overview->model.end, &room);
    else
        oc_axis_slices(axis, overview->model.slice_count, &room);
}

static void draw_frame(oc_scene *scene, const oc_overview *overview)
{
    const oc_frame *frame = &overview->frame;
    const oc_rectangle edge = {frame->left - 0.5, frame->top - 0.5, frame->width + 1,
                               frame->height + 1, OC_COLOUR_PAPER,  1,
                               OC_COLOUR_RULE,    OC_COLOUR_NONE};
    oc_scene_rectangle(scene, &edge, NULL);
}

static ocelotl_status draw(oc_scene *scene, oc_overview *overview, bands *with, oc_caption *caption,
                           oc_level_columns *columns, oc_axis *axis)
{
    const int height = (int)overview->input->height;
    const double width = overview->input->width - 2 * overview->margin;
    const int caption_most = height < 400 ? 2 : OC_CAPTION_LINES_MOST;
    oc_caption_write(caption, overview, 0, width, caption_most);
    with->caption_lines = caption->count;
    with->legend_rows = oc_legend_rows(overview, with->lifetimes, width, clamp(height / 100, 2, 5));
    place_vertically(overview, with);
    find_ticks(axis, overview);
    with->axis_title = axis->title[0] != '\0';
    place_vertically(overview, with);
    OC_TRY(oc_level_columns_choose(columns, overview, (int)overview->input->width / 4));
    place_horizontally(overview, columns);

    /* The parts that are too small are known only now: room for saying so is made by moving the plot once. */
    size_t hidden = oc_overview_hidden_parts(overview);
    if (hidden > 0) {
        oc_caption_write(caption, overview, hidden, width, caption_most);
        with->caption_lines = caption->count;
        place_vertically(overview, with);
        place_horizontally(overview, columns);
        hidden = oc_overview_hidden_parts(overview);
        oc_caption_write(caption, overview, hidden, width, with->caption_lines);
    }

    find_ticks(axis, overview);
    oc_overview_add_metadata(scene, overview);
    oc_caption_draw(scene, overview, caption);
    OC_TRY(oc_level_columns_draw(scene, overview, columns));
    draw_frame(scene, overview);
    oc_overview_draw_parts(scene, overview);
    const bool lifetimes = oc_overview_draw_lifetimes(scene, overview);
    draw_ticks(scene, overview, axis);
    oc_legend_draw(scene, overview, lifetimes, height - overview->margin - oc_legend_height(with->legend_rows),
                   with->legend_rows);
    return oc_scene_status(scene);
}

/* Whether anything may be hatched is asked of a scene that is thrown away, before the plot has its place: it is at its
 * widest then. */
static bool has_lifetimes(oc_overview *overview)
{
    const bands none = {0};
    oc_scene scene = {0};
    place_vertically(overview, &none);
    const bool found = oc_overview_draw_lifetimes(&scene, overview);
    oc_scene_free(&scene);
    return found;
}

ocelotl_status oc_overview_lay_out(oc_scene *scene, const oc_overview_input *input)
{
    oc_overview overview = {.input = input, .model = ocelotl_model_get_info(input->model)};
    oc_caption caption = {0};
    oc_level_columns columns = {0};
    oc_axis *axis = NULL;
    bands with = {0};
    const double shorter = fmin(input->width, input->height);
    overview.margin = clamp((int)(shorter * 0.03), 10, 24);

    oc_scene_begin(scene, input->width, input->height, OC_COLOUR_PAPER,
                   input->title != NULL ? input->title : overview.model.name);
    ocelotl_status status = oc_allocate(&axis, 1, sizeof *axis);
    if (status == OCELOTL_OK)
        status = oc_overview_find_modes(&overview);
    if (status == OCELOTL_OK) {
        with.lifetimes = has_lifetimes(&overview);
        status = draw(scene, &overview, &with, &caption, &columns, axis);
    }
    oc_caption_free(&caption);
    oc_level_columns_free(&columns);
    free(axis);
    free(overview.modes);
    free(overview.types);
    free(overview.order);
    return status;
}
