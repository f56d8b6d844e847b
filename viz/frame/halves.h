/* Two pictures of one kind in one, one above the other: both plots begin at the same place and are
 * equally high. */
#ifndef OC_VIZ_FRAME_HALVES_H
#define OC_VIZ_FRAME_HALVES_H

#include "viz/frame/picture.h"

/* What a half takes, once it is laid out. */
typedef struct oc_half_room {
    int left;   /* where its plot begins */
    int right;  /* pixels that it needs at the right of it */
    int height; /* of the plot */
} oc_half_room;

/* How halves are laid out. */
typedef struct oc_halves {
    /* Lays out the first half, or the second, into an empty scene; *room is what it takes. The plot
     * is to leave as much room as `least` says at its sides. */
    ocelotl_status (*lay_out)(oc_half_room *room, oc_scene *scene, const oc_picture *half,
                              void *context, int which, const oc_half_room *least);
    void *context;
    const char *title; /* of both, where the user gives none */
} oc_halves;

/* Lays both out. Errors: those of lay_out. */
ocelotl_status oc_halves_lay_out(oc_scene *scene, const oc_picture *picture,
                                 const oc_halves *halves);

#endif
