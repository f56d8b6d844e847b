/* Two pictures of one kind in one, one above the other: both plots begin at the same place and are
 * equally high. */
#ifndef OC_VIZ_FRAME_HALVES_H
#define OC_VIZ_FRAME_HALVES_H

#include "viz/frame/picture.h"

/* How halves are laid out. */
typedef struct oc_halves {
    /* Lays out the first half, or the second, into an empty scene. */
    ocelotl_status (*lay_out)(oc_scene *scene, const oc_picture *half, void *context, int which);
    void *context;
    const char *title; /* of both, where the user gives none */
    double lengths[2]; /* plots are as wide as these compare; zeros: equally wide */
} oc_halves;

/* Lays both out. Errors: those of lay_out. */
ocelotl_status oc_halves_lay_out(oc_scene *scene, const oc_picture *picture,
                                 const oc_halves *halves);

#endif
