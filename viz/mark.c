#include "viz/mark.h"

#include <math.h>

/* Smaller rectangles are too small for a line to be told from another. */
static const double least = 3;

int oc_mark_lines(oc_point points[4], const oc_item *item)
{
    const oc_rectangle *rectangle = &item->as.rectangle;
    const double inset = OC_MARK_INSET;
    const double left = rectangle->x + inset;
    const double right = rectangle->x + rectangle->width - inset;
    const double top = rectangle->y + inset;
    const double bottom = rectangle->y + rectangle->height - inset;
    if (item->mark == OC_MARK_NONE || rectangle->width < least || rectangle->height < least)
        return 0;
    points[0] = (oc_point){left, bottom};
    points[1] = (oc_point){right, top};
    points[2] = (oc_point){left, top};
    points[3] = (oc_point){right, bottom};
    return item->mark == OC_MARK_CROSS ? 2 : 1;
}
