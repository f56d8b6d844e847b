/* Two diagrams in one picture, one above the other: to one scale of time, in the same colours, with
 * one legend. */
#include "base/memory.h"
#include "base/options.h"
#include "viz/gantt/gantt.h"

#include <math.h>
#include <stdlib.h>

/* The first is above the second. */
typedef struct pair {
    oc_gantt_input inputs[2];
    bool stretch;
    double split; /* pixels of the first */
} pair;

static double length_of(const pair *of, int which)
{
    const ocelotl_drawables_info info = ocelotl_drawables_info_of(of->inputs[which].drawables);
    return ocelotl_trace_seconds(of->inputs[which].trace, info.to) -
           ocelotl_trace_seconds(of->inputs[which].trace, info.from);
}

/* The share of the longer window that a window takes. */
static double extent_of(const pair *of, int which)
{
    const double longest = fmax(length_of(of, 0), length_of(of, 1));
    return of->stretch || !(longest > 0) ? 1 : length_of(of, which) / longest;
}

static ocelotl_status lay_out_half(oc_scene *scene, const oc_picture *picture, const pair *of,
                                   oc_gantt_shared *shared, int which)
{
    oc_gantt_input input = of->inputs[which];
    oc_picture half = *picture;
    half.height = floor(picture->height / 2);
    half.margin = oc_picture_margin(&half);
    half.height = which == 0 ? of->split : picture->height - of->split;
    half.title = which == 0 ? picture->title : NULL;
    shared->legend = which == 1;
    shared->extent = extent_of(of, which);
    input.shared = shared;
    return oc_gantt_lay_out(scene, &half, &input);
}

/* The first layout shows how much room names, scales and the legend take. In the next one both
 * plots begin at the same place and are equally high. */
static ocelotl_status find_places(pair *of, oc_gantt_shared *shared, const oc_picture *picture)
{
    double heights[2] = {0, 0};
    int left = 0;
    int right = 0;
    of->split = floor(picture->height / 2);
    for (int i = 0; i < 2; i++) {
        oc_scene scene = {0};
        const ocelotl_status status = lay_out_half(&scene, picture, of, shared, i);
        oc_scene_free(&scene);
        OC_TRY(status);
        left = shared->placed.left > left ? shared->placed.left : left;
        right = shared->scale_width > right ? shared->scale_width : right;
        heights[i] = shared->placed.height;
    }
    shared->left = left;
    shared->right = right;
    of->split -= floor(fmax(0, fmin(heights[0] - heights[1], picture->height / 4)) / 2);
    return OCELOTL_OK;
}

static ocelotl_status lay_out_both(oc_scene *scene, const oc_picture *picture, pair *of,
                                   oc_gantt_shared *shared)
{
    for (int i = 0; i < 2; i++)
        OC_TRY(oc_gantt_add_entries(shared, &of->inputs[i], picture));
    OC_TRY(find_places(of, shared, picture));
    oc_picture_begin(scene, picture, ocelotl_trace_info_of(of->inputs[0].trace).name);
    for (int i = 0; i < 2; i++) {
        oc_scene half = {0};
        const ocelotl_status status = lay_out_half(&half, picture, of, shared, i);
        if (status == OCELOTL_OK)
            oc_scene_append(scene, &half, 0, i == 0 ? 0 : of->split, i == 0 ? "" : "second_");
        oc_scene_free(&half);
        OC_TRY(status);
    }
    return oc_scene_status(scene);
}

static ocelotl_status lay_out(oc_scene *scene, const oc_picture *picture, const void *subject)
{
    oc_gantt_shared shared = {0};
    pair of = *(const pair *)subject;
    const ocelotl_status status = lay_out_both(scene, picture, &of, &shared);
    free(shared.entries);
    return status;
}

/* Names of the first have their colours in the second, too. */
static ocelotl_status draw_named(const oc_target *target, const pair *of,
                                 const ocelotl_picture_options *given)
{
    ocelotl_picture_options options = *given;
    ocelotl_type_names *names = NULL;
    oc_picture picture = {0};
    if (options.type_names == NULL)
        OC_TRY(ocelotl_trace_type_names(&names, of->inputs[0].trace));
    options.type_names = names != NULL ? names : options.type_names;
    ocelotl_status status = oc_picture_read(&picture, target, &options);
    if (status == OCELOTL_OK)
        status = oc_picture_draw(&picture, lay_out, of);
    oc_picture_free(&picture);
    ocelotl_type_names_free(names);
    return status;
}

static ocelotl_status draw(const oc_target *target, const pair *of,
                           const ocelotl_picture_options *given)
{
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    OC_TRY(oc_read_options(&options, sizeof options, given));
    double height = 0;
    for (int i = 0; i < 2; i++) {
        double own = 0;
        if (ocelotl_drawables_row_count(of->inputs[i].drawables) == 0)
            return oc_fail(OCELOTL_ERROR_EMPTY,
                           "there is nothing to draw: the two share no row with events");
        OC_TRY(oc_gantt_height(&own, &of->inputs[i]));
        height += own;
    }
    if (!(options.height < 0 || options.height > 0))
        options.height = height;
    return draw_named(target, of, &options);
}

ocelotl_status ocelotl_gantts_write(const ocelotl_sink *sink, ocelotl_picture_format format,
                                    const ocelotl_gantts *both,
                                    const ocelotl_picture_options *options)
{
    const pair of = {
        {{both->traces[0], both->drawables[0], NULL}, {both->traces[1], both->drawables[1], NULL}},
        both->stretch,
        0};
    return draw(&(oc_target){.sink = sink, .format = format}, &of, options);
}

ocelotl_status ocelotl_gantts_render(const char *path, const ocelotl_gantts *both,
                                     const ocelotl_picture_options *options)
{
    const pair of = {
        {{both->traces[0], both->drawables[0], NULL}, {both->traces[1], both->drawables[1], NULL}},
        both->stretch,
        0};
    return draw(&(oc_target){.path = path}, &of, options);
}
