/* Two pictures in one. */
#include "viz/frame/halves.h"

#include <math.h>

static ocelotl_status lay_out_half(oc_half_room *room, oc_scene *scene, const oc_picture *picture,
                                   const oc_halves *halves, int which, double split,
                                   const oc_half_room *least)
{
    oc_picture half = *picture;
    half.height = floor(picture->height / 2);
    half.margin = oc_picture_margin(&half);
    half.height = which == 0 ? split : picture->height - split;
    half.title = which == 0 ? picture->title : NULL;
    return halves->lay_out(room, scene, &half, halves->context, which, least);
}

/* The first layout shows how much room names, scales and the legend below the second take. In the
 * next one both plots have the same. */
static ocelotl_status find_places(oc_half_room *least, double *split, const oc_picture *picture,
                                  const oc_halves *halves)
{
    const oc_half_room none = {0};
    oc_half_room rooms[2] = {{0}, {0}};
    *split = floor(picture->height / 2);
    for (int i = 0; i < 2; i++) {
        oc_scene scene = {0};
        const ocelotl_status status =
            lay_out_half(&rooms[i], &scene, picture, halves, i, *split, &none);
        oc_scene_free(&scene);
        OC_TRY(status);
        least->left = rooms[i].left > least->left ? rooms[i].left : least->left;
        least->right = rooms[i].right > least->right ? rooms[i].right : least->right;
    }
    const double difference = rooms[0].height - rooms[1].height;
    *split -= floor(fmax(0, fmin(difference, picture->height / 4)) / 2);
    return OCELOTL_OK;
}

ocelotl_status oc_halves_lay_out(oc_scene *scene, const oc_picture *picture,
                                 const oc_halves *halves)
{
    oc_half_room least = {0};
    double split;
    OC_TRY(find_places(&least, &split, picture, halves));
    oc_picture_begin(scene, picture, halves->title);
    for (int i = 0; i < 2; i++) {
        oc_half_room room;
        oc_scene half = {0};
        const ocelotl_status status = lay_out_half(&room, &half, picture, halves, i, split, &least);
        if (status == OCELOTL_OK)
            oc_scene_append(scene, &half, 0, i == 0 ? 0 : split, i == 0 ? "" : "second_");
        oc_scene_free(&half);
        OC_TRY(status);
    }
    return oc_scene_status(scene);
}
