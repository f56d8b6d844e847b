/* Hatching is the same in every format: lines one pixel wide, so many pixels apart, in degrees
 * clockwise from the vertical. */
#ifndef OC_VIZ_SCENE_HATCH_H
#define OC_VIZ_SCENE_HATCH_H

#define OC_HATCH_STEP  6
#define OC_HATCH_ANGLE 45

#endif
