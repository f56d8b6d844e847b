/* Axes of time and of values: where their ticks are and what they are called. */
#ifndef OC_VIZ_FRAME_AXIS_H
#define OC_VIZ_FRAME_AXIS_H

#include "viz/words/time_text.h"

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

#endif
