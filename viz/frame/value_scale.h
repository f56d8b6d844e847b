/* A scale of values along the left or the right edge of a plot, from 0 at the bottom. */
#ifndef OC_VIZ_FRAME_VALUE_SCALE_H
#define OC_VIZ_FRAME_VALUE_SCALE_H

#include "viz/frame/picture.h"

typedef struct oc_value_scale {
    double top;        /* the value at the upper edge, > 0 */
    const char *unit;  /* after each label, "" for none */
    const char *title; /* along the scale, from bottom to top */
    bool counts;       /* values are of things: no step is less than 1 */
    bool right;
} oc_value_scale;

/* The least value that a scale with few ticks can end at, at or above `largest`: a step of 1, 2 or
 * 5 times a power of ten, times a whole number. 1 where nothing is larger than 0. */
double oc_value_ceiling(double largest);

/* Pixels that a scale takes beside a plot so high. */
int oc_value_scale_width(const oc_value_scale *scale, int height);

/* Draws it at its edge of a frame. */
void oc_value_scale_draw(oc_scene *scene, const oc_picture *picture, const oc_frame *frame,
                         const oc_value_scale *scale);

#endif
