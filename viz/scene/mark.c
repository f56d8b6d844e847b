#include "viz/scene/mark.h"

#include <math.h>

/* Smaller rectangles are too small for a line to be told from another. */
static const double least = 3;

/* Lines that are flatter or steeper cannot be told from edges. */
static const double steepest = 6;

/* Where the lines begin and end along one side: all of it, or a piece in its middle. */
static void choose_piece(double *from, double *to, double begin, double length, double other)
{
    const double piece = fmin(length, steepest * other);
    *from = begin + floor((length - piece) / 2) + OC_MARK_INSET;
    *to = *from + piece - 2 * OC_MARK_INSET;
}

int oc_mark_lines(oc_point points[4], const oc_item *item)
{
    const oc_rectangle *rectangle = &item->as.rectangle;
    double left, right, top, bottom;
    if (item->mark == OC_MARK_NONE || rectangle->width < least || rectangle->height < least)
        return 0;
    choose_piece(&left, &right, rectangle->x, rectangle->width, rectangle->height);
    choose_piece(&top, &bottom, rectangle->y, rectangle->height, rectangle->width);
    points[0] = (oc_point){left, bottom};
    points[1] = (oc_point){right, top};
    points[2] = (oc_point){left, top};
    points[3] = (oc_point){right, bottom};
    return item->mark == OC_MARK_CROSS ? 2 : 1;
}
