/* Axes of time and of values: where their ticks are and what they are called. */
#ifndef OC_VIZ_FRAME_AXIS_H
#define OC_VIZ_FRAME_AXIS_H

#include "viz/frame/picture.h"
#include "viz/words/words.h"

typedef struct oc_tick {
    double position; /* along the axis, 0 .. 1 */
    char label[48];  /* "" where it would not fit */
} oc_tick;

#define OC_AXIS_TICKS_MOST 512

/* Too large for a stack of threads: allocate it. */
typedef struct oc_axis {
    uint32_t tick_count;
    oc_tick ticks[OC_AXIS_TICKS_MOST];
    char title[64]; /* what is counted; "" where the labels say it themselves */
} oc_axis;

/* How an axis lies: its length, and how far its labels may reach beyond its ends, in pixels. */
typedef struct oc_axis_room {
    double length, before, after;
    double size; /* of the lettering */
} oc_axis_room;

/* An axis over begin .. end (seconds), in the unit of that range (oc_time_unit_of), in steps of 1,
 * 2 or 5 times a power of ten, as dense as its labels fit; of minutes 1, 2, 5, 10, 15 or 30. Where
 * the window is short and far from the origin, the labels count from its beginning and the title
 * names that. */
void oc_axis_time(oc_axis *axis, double begin, double end, const oc_axis_room *room);

/* An axis that counts slices, ticks in their middles. */
void oc_axis_slices(oc_axis *axis, uint32_t slice_count, const oc_axis_room *room);

/* An axis over values low .. high in steps of 1, 2 or 5 times a power of ten, all labels with the
 * same decimal prefix (see oc_quantity_add) and the name of the unit, "" for none, of 16 bytes at
 * most. No ticks where low .. high is empty, or too narrow for 12 digits to tell its ends apart. */
void oc_axis_values(oc_axis *axis, double low, double high, const char *unit_name,
                    const oc_axis_room *room);

/* --- What is around data that is drawn over time or values: the frame, its axis, rules. */

/* Height of an axis below a plot: its ticks, their labels and, if it has one, its title. */
int oc_plot_axis_height(const oc_axis *axis);

/* Draws the axis below a frame. Labels reach beyond its ends by a margin at most. */
void oc_plot_draw_axis(oc_scene *scene, const oc_picture *picture, const oc_frame *frame,
                       const oc_axis *axis);

/* Draws the edge of a frame, one pixel outside of it, and its paper. */
void oc_plot_draw_frame(oc_scene *scene, const oc_picture *picture, const oc_frame *frame);

/* A line one pixel wide. */
void oc_plot_rule(oc_scene *scene, double x1, double y1, double x2, double y2, uint32_t colour);

/* --- A scale of values along the left or the right edge of a plot, from 0 at the bottom. */

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
