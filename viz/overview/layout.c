#include "base/memory.h"
#include "viz/frame/picture.h"
#include "viz/overview/overview.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>

/* What is around the plot, while the plot is placed. */
typedef struct surroundings {
    oc_overview *overview;
    oc_caption caption;
    oc_legend legend;
    int legend_rows;
    oc_level_columns columns;
    oc_row_names names;
    oc_axis *axis;
} surroundings;

/* --- The boxes around the plot */

/* Measures a legend of everything that may appear; the plot, once placed, decides what does. */
static ocelotl_status measure_legend(int *size, void *subject)
{
    surroundings *around = subject;
    const oc_picture *picture = around->overview->picture;
    oc_overview_write_legend(&around->legend, around->overview);
    around->legend_rows = oc_legend_rows(&around->legend, picture);
    *size = oc_legend_height(around->legend_rows);
    return OCELOTL_OK;
}

static void write_caption(oc_caption *caption, const void *subject)
{
    const oc_overview *overview = ((const surroundings *)subject)->overview;
    oc_overview_write_caption(caption, overview);
    if (overview->input->view->write_caption != NULL)
        overview->input->view->write_caption(caption, overview);
}

/* Makes the axis of the visible pieces of a window that leaves time out. */
static ocelotl_status divide_axis(oc_axis *axis, const oc_overview *overview,
                                  const oc_axis_room *room)
{
    const ocelotl_model_info *model = &overview->model;
    const oc_visible *visible = &overview->visible;
    oc_axis_span *spans = NULL;
    size_t count = 0;
    OC_TRY(oc_allocate(&spans, model->piece_count, sizeof *spans));
    for (uint32_t i = 0; i < model->piece_count; i++) {
        const ocelotl_piece *piece = &model->pieces[i];
        const double first = fmax(visible->slice_first, piece->first);
        const double after = fmin((double)visible->slice_first + visible->slice_count,
                                  (double)piece->first + piece->slices);
        if (first < after)
            spans[count++] =
                (oc_axis_span){ocelotl_slice_begin(model, first), ocelotl_slice_end(model, after)};
    }
    oc_axis_pieces(axis, axis + 1, spans, count, room);
    free(spans);
    return OCELOTL_OK;
}

static ocelotl_status measure_axis(int *size, void *subject)
{
    surroundings *around = subject;
    const oc_overview *overview = around->overview;
    const ocelotl_model_info *model = &overview->model;
    const oc_visible *visible = &overview->visible;
    const oc_frame *frame = &overview->frame;
    const double after = overview->picture->width - frame->left - frame->width;
    const oc_axis_room room = {frame->width, frame->left, after, OC_SIZE_LABEL};
    if (model->piece_count > 0)
        OC_TRY(divide_axis(around->axis, overview, &room));
    else if (model->has_time)
        oc_axis_time(around->axis, ocelotl_slice_begin(model, visible->slice_first),
                     ocelotl_slice_end(model, (double)visible->slice_first + visible->slice_count),
                     &room);
    else
        oc_axis_slices(around->axis, visible->slice_count, &room);
    *size = oc_plot_axis_height(around->axis);
    return OCELOTL_OK;
}

/* The view's own room. */
static ocelotl_status measure_left(int *size, void *subject)
{
    const oc_overview *overview = ((surroundings *)subject)->overview;
    *size = overview->input->view->left(overview);
    return OCELOTL_OK;
}

static ocelotl_status measure_right(int *size, void *subject)
{
    const oc_overview *overview = ((surroundings *)subject)->overview;
    *size = overview->input->view->right(overview);
    return OCELOTL_OK;
}

/* Makes columns for the levels that can be named, and names some rows if columns leave rows without
 * a name of their own. */
static ocelotl_status measure_names(int *size, void *subject)
{
    surroundings *around = subject;
    const oc_overview *overview = around->overview;
    enum { SHARE = 4, BARE_SHARE = 7 };
    const int room = (int)overview->picture->width / (overview->picture->bare ? BARE_SHARE : SHARE);
    const int height = overview->frame.height;
    oc_level_columns_free(&around->columns);
    around->columns.without_whole = overview->picture->bare;
    OC_TRY(oc_level_columns_choose(&around->columns, &overview->rows, height, room));
    around->names = oc_row_names_choose(&overview->rows, &around->columns, height,
                                        room - around->columns.width);
    *size = around->columns.width + around->names.width;
    return OCELOTL_OK;
}

static ocelotl_status find_place(oc_overview *overview, surroundings *around)
{
    const oc_view *view = overview->input->view;
    oc_layout layout = {0};
    oc_layout_reserve(&layout, OC_ABOVE, oc_strips_height(overview));
    oc_layout_reserve(&layout, OC_BELOW, oc_overview_notes_height(overview));
    if (!overview->picture->bare) {
        oc_layout_measure_once(&layout, OC_BELOW, measure_legend);
        oc_layout_caption(&layout, &around->caption, write_caption);
    }
    if (!view->timeless)
        oc_layout_measure(&layout, OC_BELOW, measure_axis);
    if (view->left != NULL)
        oc_layout_measure(&layout, OC_LEFT, measure_left);
    if (view->right != NULL)
        oc_layout_measure(&layout, OC_RIGHT, measure_right);
    if (view->resources)
        oc_layout_measure(&layout, OC_LEFT, measure_names);
    OC_TRY(oc_layout_solve(&overview->frame, &layout, overview->picture, around));
    oc_legend_free(&around->legend);
    oc_overview_write_legend(&around->legend, overview);
    return OCELOTL_OK;
}

/* --- Drawing */

static ocelotl_status draw(oc_scene *scene, oc_overview *overview, surroundings *around)
{
    const oc_picture *picture = overview->picture;
    const oc_view *view = overview->input->view;
    OC_TRY(oc_allocate(&around->axis, 2, sizeof *around->axis)); /* one of a piece */
    OC_TRY(oc_strips_begin(overview));
    OC_TRY(oc_overview_find_modes(overview));
    OC_TRY(oc_overview_find_rows(overview));
    OC_TRY(oc_overview_find_type(overview));
    OC_TRY(find_place(overview, around));
    oc_overview_add_metadata(scene, overview);
    if (!picture->bare)
        oc_caption_draw(scene, picture, &around->caption);
    oc_frame names = overview->frame; /* columns are at the left of them */
    oc_row_names_draw(scene, picture, &names, &overview->rows, &around->names);
    names.left -= around->names.width;
    OC_TRY(oc_level_columns_draw(scene, picture, &names, &overview->rows, &around->columns));
    oc_plot_draw_frame(scene, picture, &overview->frame);
    OC_TRY(view->draw(scene, overview));
    if (view->resources)
        oc_overview_draw_lifetimes(scene, overview);
    if (!view->timeless) {
        oc_plot_draw_axis(scene, picture, &overview->frame, around->axis);
        oc_overview_draw_breaks(scene, overview);
    }
    overview->list_bottom =
        (int)picture->height - oc_picture_margin(picture) - oc_legend_height(around->legend_rows);
    oc_overview_draw_notes(scene, overview);
    OC_TRY(oc_strips_draw(scene, overview));
    oc_legend_draw(scene, picture, &around->legend, around->legend_rows);
    OC_TRY(oc_shown_add_overview(overview));
    if (picture->bare && overview->input->shown != NULL) {
        /* Gives what a bare picture leaves out to the page around it. */
        overview->input->shown->caption = (oc_caption){.width = (double)INFINITY, .most = 1};
        write_caption(&overview->input->shown->caption, around);
        overview->input->shown->legend = around->legend;
        around->legend = (oc_legend){0};
    }
    return oc_scene_status(scene);
}

ocelotl_status oc_overview_lay_out(oc_scene *scene, const oc_picture *picture, const void *subject)
{
    oc_overview overview = oc_overview_of(subject, picture);
    surroundings around = {.overview = &overview};
    oc_picture_begin(scene, picture, overview.model.name);
    const ocelotl_status status = draw(scene, &overview, &around);
    oc_caption_free(&around.caption);
    oc_legend_free(&around.legend);
    oc_level_columns_free(&around.columns);
    free(around.axis);
    oc_overview_free(&overview);
    return status;
}
