/* Two pictures in one. */
#include "viz/frame/halves.h"

#include <math.h>

/* The first layout shows how much room names, scales and the legend below the second take. In the
 * next one both plots have the same. */
ocelotl_status oc_halves_lay_out(oc_scene *scene, const oc_picture *picture,
                                 const oc_halves *halves)
{
    const double longest = fmax(halves->lengths[0], halves->lengths[1]);
    double split = floor(picture->height / 2);
    int left = 0, right = 0, heights[2] = {0, 0};
    oc_picture_begin(scene, picture, halves->title);
    for (int round = 0; round < 2; round++) {
        oc_half half = {.left = left, .right = right};
        for (int i = 0; i < 2; i++) {
            oc_scene laid = {0};
            oc_picture own = *picture;
            own.height = floor(picture->height / 2);
            own.margin = oc_picture_margin(&own);
            own.height = i == 0 ? split : picture->height - split;
            own.title = i == 0 ? picture->title : NULL;
            own.half = &half;
            half.legend = i == 1;
            half.extent = longest > 0 ? halves->lengths[i] / longest : 1;
            half.scale = 0;
            const ocelotl_status status = halves->lay_out(&laid, &own, halves->context, i);
            if (status == OCELOTL_OK && round == 1)
                oc_scene_append(scene, &laid, 0, i == 0 ? 0 : split, i == 0 ? "" : "second_");
            oc_scene_free(&laid);
            OC_TRY(status);
            left = half.plot.left > left ? half.plot.left : left;
            right = half.scale > right ? half.scale : right;
            heights[i] = half.plot.height;
        }
        if (round == 0)
            split -= floor(fmax(0, fmin(heights[0] - heights[1], picture->height / 4)) / 2);
    }
    return oc_scene_status(scene);
}
